#!/usr/bin/env python3
"""Every row of the scheme table in free text (B2, B10): testdata/schemes/cases.txt.

A line is a scheme, a URL that is found whole, and a text in which nothing is found, with tabs between. The
URL of a scheme that is never linked is found inside <URL:...> alone. The binary is $URLSIFT, or build/urlsift.
"""
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift"))

NEVER = "about blob data filesystem jar javascript livescript ms- ms-settings shell vbscript view-source".split()


def links(text):
    done = subprocess.run([URLSIFT, "list"], input=text.encode(), capture_output=True, timeout=60)
    return done.stdout.decode().splitlines()


def main():
    counts = [0, 0]

    def check(got, wanted, what):
        counts[got != wanted] += 1
        if got != wanted:
            print(f"{what}: got {got}, wanted {wanted}")

    with open(os.path.join(TOP, "testdata", "schemes", "cases.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            scheme, url, miss = line.rstrip("\n").split("\t")
            check(links(f"see <URL:{url}>\n"), [url], f"{scheme}, in a wrapper")
            bare = [] if scheme in NEVER else [url]
            check(links(f"see {url}\nhttp://h.example/\n"), bare + ["http://h.example/"], f"{scheme}, bare")
            check(links(f"see {miss} there\n"), [], f"{scheme}, a near miss")
    print(f"{counts[0]} passed, {counts[1]} failed")
    return counts[1] > 0


if __name__ == "__main__":
    sys.exit(main())
