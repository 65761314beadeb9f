#!/usr/bin/env python3
"""The warnings of testdata/warnings: one file a warning, named after it.

usage: warnings_test.py [NAME...]        (default: every file)
The binary is $URLSIFT, or build/urlsift.  A line `+ TEXT` is a text of which every link
must carry the warning, `- TEXT` one of which no link may, though it looks like it; `2+`
and `2-` hold only where libidn2 is built in.  In a text \\n is a line end, \\u{X} a
character, and *N at the end that many letters x.  The last line says `N passed, N failed`.
"""
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift"))
DATA = os.path.join(TOP, "testdata", "warnings")


def run(*args, text=""):
    done = subprocess.run([URLSIFT, *args], input=text.encode(), capture_output=True, timeout=60)
    return done.stdout.decode()


def text_of(line):
    line = re.sub(r"\*(\d+)$", lambda m: "x" * int(m[1]), line)
    return re.sub(r"\\u\{(\w+)\}", lambda m: chr(int(m[1], 16)), line.replace("\\n", "\n")) + "\n"


OPTIONS = {"refanged": ["--refang"]}


def check(name, sign, line):
    """What is wrong with the line; nothing when all is well."""
    text = text_of(line)
    links = [json.loads(record) for record in run("list", "--json", *OPTIONS.get(name, []), text=text).splitlines()]
    links = [link for link in links if link["type"] == "link"]
    if not links:
        return "no link"
    texts = 0
    if name == "text-mismatch":
        texts, links = len(links) - 1, links[-1:]  # the one before is its text
    for link in links:
        warnings = link.get("warnings", [])
        if (name in warnings) != (sign == "+"):
            return "%r has %s" % (link["text"][:100], ", ".join(warnings) or "none")
    shown = run("list", "-c", "--no-warning=" + name, *OPTIONS.get(name, []), text=text)
    if shown != "%d\n" % (texts + (0 if sign == "+" else len(links))):
        return "--no-warning lets %s through" % shown.strip()
    return None


def main():
    idn = "with libidn2" in run("--version")
    passed = failed = 0
    for file in sorted(os.listdir(DATA)):
        name = file.removesuffix(".txt")
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with open(os.path.join(DATA, file), encoding="utf-8") as lines:
            for line in lines:
                row = re.match(r"(2?)([+-]) (.*)\n", line)
                if not row or (row[1] and not idn):
                    continue
                trouble = check(name, row[2], row[3])
                passed, failed = passed + (not trouble), failed + bool(trouble)
                if trouble:
                    print("%s: %s: %s" % (file, line.strip()[:100], trouble))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
