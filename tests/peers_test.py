#!/usr/bin/env python3
"""Links beside those of other programs: linkify-it, autolinker and URI::Find, where installed.

usage: peers_test.py [--write]

tests/oracle/peers.py counts, by class, where their links in the texts of testdata/cases differ from ours.  The counts of
testdata/peers.json may not grow: a new difference is looked at, and is either a fault, or is written with --write, as
are those of new texts.
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
    known = {}
    write = sys.argv[1:] == ["--write"]
    if not write:
        with open(COUNTS, encoding="ascii") as file:
            known = json.load(file)
    texts = sorted(glob.glob(os.path.join(DATA, "cases", "*.txt")))
    texts = [path for path in texts if write or os.path.basename(path) in known["texts"]]
    _, counts, places = peers.compare(texts)
    found = {program: {} for program in counts}
    for (program, what), where in places.items():
        for path, text, our, their in where:
            found[program].setdefault(f"{os.path.basename(path)}: {what}", []).append(
                f"{our and text[slice(*our)]!r}, {their and text[slice(*their)]!r}")
    if write:
        known = {program: {what: len(where) for what, where in rows.items()} for program, rows in found.items()}
        known["texts"] = [os.path.basename(path) for path in texts]
        with open(COUNTS, "w", encoding="ascii") as file:
            json.dump(known, file, indent=1, sort_keys=True)
            file.write("\n")
        return
    for program in PROGRAMS:
        if program not in counts:
            skip(program, "is not installed")
            continue
        grown = {what: where for what, where in found[program].items() if len(where) > known[program].get(what, 0)}
        expect(f"{program}: no difference is new", not grown, json.dumps(grown, indent=1)[:2000])
        expect(f"{program}: links are compared", counts[program]["same"] > 100, counts[program])
    finish()


if __name__ == "__main__":
    main()
