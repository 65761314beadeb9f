#!/usr/bin/env python3
"""Links beside those of other programs: linkify-it, autolinker and URI::Find, where installed.

usage: peers_test.py [--write]

tests/oracle/peers.py counts, by class, where their links in the texts of testdata/cases differ from ours.  The counts of
testdata/peers.json may not grow: a new difference is looked at, and is either a fault, or is written with --write.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))
import peers  # noqa: E402
from testlib import DATA, TOP, expect, finish, skip  # noqa: E402

COUNTS = os.path.join(DATA, "peers.json")
PROGRAMS = ("linkify-it", "autolinker", "URI::Find")


def main():
    js = os.path.join(TOP, "js")
    if os.path.isdir(os.path.join(js, "node_modules")):
        os.chdir(js)
    _, counts, places = peers.compare(sorted(glob.glob(os.path.join(DATA, "cases", "*.txt"))))
    if sys.argv[1:] == ["--write"]:
        with open(COUNTS, "w", encoding="ascii") as file:
            json.dump(counts, file, indent=1, sort_keys=True)
            file.write("\n")
        return
    with open(COUNTS, encoding="ascii") as file:
        known = json.load(file)
    for program in PROGRAMS:
        if program not in counts:
            skip(program, "is not installed")
            continue
        for what, count in sorted(counts[program].items()):
            most = known[program].get(what, 0)
            last = places[program, what][-3:] if what != "same" else []
            expect(f"{program}: {what}", what == "same" or count <= most, f"{count} instead of {most}, the last:\n  " + "\n  ".join(
                f"{os.path.basename(path)}: {our and text[slice(*our)]!r}, {their and text[slice(*their)]!r}"
                for path, text, our, their in last))
    finish()


if __name__ == "__main__":
    main()
