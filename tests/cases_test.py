#!/usr/bin/env python3
"""The cases of testdata against the binary.

usage: cases_test.py [NAME...]        (default: every case)
testdata/cases/NAME.txt is the input, NAME.list
what `urlsift list` must write; NAME.json and NAME.html, where they stand, what
`list --json` and `html --fragment` must.  Cases in cases-email, cases-domains, cases-refang and
cases-rules run with --email, --domains, --refang and --rules; those in mail and, with --rules, in mail-rules are
messages (NAME.eml), mailboxes (NAME.mbox) and HTML documents (NAME.htm).  Each input is read as a file, and from a
pipe that gets it byte by byte.
"""
import os
import sys

from testlib import check, finish, has, read, run, run_pieces, skip

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")
RULES = "--rules=" + os.path.abspath(os.path.join(DATA, "cases-rules", "rules"))
FOLDERS = {"cases": ["--input=text"], "cases-email": ["--input=text", "--email"],
           "cases-domains": ["--input=text", "--domains"],
           "cases-refang": ["--input=text", "--refang"], "mail": [],
           "cases-rules": ["--input=text", RULES], "mail-rules": [RULES]}
INPUTS = (".txt", ".eml", ".mbox", ".htm")
OUTPUTS = {".list": ["list"], ".json": ["list", "--json"], ".html": ["html", "--fragment"]}


def check_case(folder, source, options, idn):
    path, name = os.path.join(DATA, folder), os.path.splitext(source)[0]
    data = read(os.path.join(path, source))
    for suffix, verb in OUTPUTS.items():
        golden = os.path.join(path, name + suffix)
        if not os.path.exists(golden):
            continue
        wanted = read(golden)
        if b'"host":"xn--' in wanted and not idn:
            skip(f"{folder}/{name}{suffix}", "this build has no libidn2")
            continue
        done = run(*verb, *options, source, cwd=path)
        check(f"{folder}/{name}{suffix}", done.stdout if done.returncode == 0 else done, wanted)
        if suffix == ".json":
            wanted = wanted.replace(b'"source":"%s"' % source.encode(), b'"source":"-"')
        done = run_pieces(*verb, *options, data=data)
        check(f"{folder}/{name}{suffix}, byte by byte", done.stdout if done.returncode == 0 else done, wanted)


def main():
    only, idn = sys.argv[1:], has("with libidn2")
    for folder, options in FOLDERS.items():
        path = os.path.join(DATA, folder)
        for source in sorted(f for f in os.listdir(path) if f.endswith(INPUTS)):
            if only and os.path.splitext(source)[0] not in only:
                continue
            check_case(folder, source, options, idn)
    finish()


if __name__ == "__main__":
    main()
