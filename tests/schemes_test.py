#!/usr/bin/env python3
"""Every row of the scheme table in free text (B2, B10): testdata/schemes/cases.txt.

A line is a scheme, a URL that is found whole, and a text in which nothing is found, with tabs between. The
URL of a scheme that is never linked is found inside <URL:...> alone.
"""
import os

from testlib import DATA, check, finish, run_text

NEVER = "about blob data filesystem jar javascript livescript ms- ms-settings shell vbscript view-source".split()


def links(text):
    return run_text("list", text=text).stdout.splitlines()


def main():
    with open(os.path.join(DATA, "schemes", "cases.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            scheme, url, miss = line.rstrip("\n").split("\t")
            check(f"{scheme}, in a wrapper", links(f"see <URL:{url}>\n"), [url])
            bare = [] if scheme in NEVER else [url]
            check(f"{scheme}, bare", links(f"see {url}\nhttp://h.example/\n"), bare + ["http://h.example/"])
            check(f"{scheme}, a near miss", links(f"see {miss} there\n"), [])
    finish()


if __name__ == "__main__":
    main()
