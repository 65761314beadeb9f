#!/usr/bin/env python3
"""The warnings of testdata/warnings: one file a warning, named after it.

usage: warnings_test.py [NAME...]        (default: every file)
A line `+ TEXT` is a text of which every link
must carry the warning, `- TEXT` one of which no link may, though it looks like it; `2+`
and `2-` hold only where libidn2 is built in.  In a text \\n is a line end, \\u{X} a
character, and *N at the end that many letters x.
"""
import json
import os
import re
import sys

from testlib import TOP, complaints, finish, has, run_text

DATA = os.path.join(TOP, "testdata", "warnings")


def text_of(line):
    line = re.sub(r"\*(\d+)$", lambda m: "x" * int(m[1]), line)
    return re.sub(r"\\u\{(\w+)\}", lambda m: chr(int(m[1], 16)), line.replace("\\n", "\n")) + "\n"


OPTIONS = {"refanged": ["--refang"]}


def faults_of(name, sign, line):
    """What is wrong with the line; nothing when all is well."""
    text = text_of(line)
    links = [json.loads(record) for record in run_text("list", "--json", *OPTIONS.get(name, []), text=text).stdout.splitlines()]
    links = [link for link in links if link["type"] == "link"]
    if not links:
        return ["no link"]
    texts = 0
    if name in ("text-mismatch", "redirect"):
        texts, links = len(links) - 1, links[-1:]  # the one before is its text
    for link in links:
        warnings = link.get("warnings", [])
        if (name in warnings) != (sign == "+"):
            return ["%r has %s" % (link["text"][:100], ", ".join(warnings) or "none")]
    shown = run_text("list", "-c", "--no-warning=" + name, *OPTIONS.get(name, []), text=text).stdout
    if shown != "%d\n" % (texts + (0 if sign == "+" else len(links))):
        return ["--no-warning lets %s through" % shown.strip()]
    return []


def main():
    idn = has("with libidn2")
    for file in sorted(os.listdir(DATA)):
        name = file.removesuffix(".txt")
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with open(os.path.join(DATA, file), encoding="utf-8") as lines:
            for line in lines:
                row = re.match(r"(2?)([+-]) (.*)\n", line)
                if not row or (row[1] and not idn):
                    continue
                complaints(f"{file}: {line.strip()[:100]}", faults_of(name, row[2], row[3]))
    finish()


if __name__ == "__main__":
    main()
