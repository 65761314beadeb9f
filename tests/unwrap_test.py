#!/usr/bin/env python3
"""--unwrap: the cases of testdata/unwrap.txt, of list and of explain.

usage: unwrap_test.py
A line is a URL and what it hides, `-` for nothing.  Every host in the
table of src/url/unwrap.c has a case.
"""
import json
import os
import re

from testlib import TOP, check, expect, finish, run_text

DEEP = "https://l.facebook.com/l.php?u="


def escaped(url):
    return re.sub(r"[^A-Za-z0-9._~-]", lambda m: "%%%02X" % ord(m[0]), url)


def main():
    with open(os.path.join(TOP, "testdata", "unwrap.txt"), encoding="utf-8") as lines:
        cases = [line.split() for line in lines if line[0] != "#"]
    nested = "https://shop.example/"
    for level in range(1, 11):
        nested = DEEP + escaped(nested)
        if level == 8:
            cases.append([nested, "https://shop.example/"])
    cases.append([nested, DEEP + escaped(DEEP + escaped("https://shop.example/"))])  # eight of ten
    cases.append([DEEP + "http://a.example/" + "x" * 8192, "-"])
    text = "".join("<URL:%s>\n" % url for url, hidden in cases)
    records = [json.loads(line) for line in run_text("list", "--json", "--unwrap", "--input=text", text=text).stdout.splitlines()]
    shown = run_text("list", "--unwrap", "--input=text", text=text).stdout.splitlines()
    template = run_text("list", "--unwrap", "--format=%u %U %s", "--input=text", text=text).stdout.splitlines()
    explained = [json.loads(line) for line in run_text("explain", "--json", "--unwrap", text="".join(c[0] + "\n" for c in cases)).stdout.splitlines()]
    if not len(records) == len(shown) == len(template) == len(explained) == len(cases):
        expect("one answer for each case", False)
    for (url, hidden), record, line, formatted, page in zip(cases, records, shown, template, explained):
        want = None if hidden == "-" else hidden
        got = (record.get("unwrapped"), page.get("unwrapped"), line, formatted.split()[:2])
        check(url, got, (want, want, want or url, [want or url] * 2))
    with open(os.path.join(TOP, "src", "url", "unwrap.c"), encoding="utf-8") as source:
        hosts = " ".join(re.findall(r'^\t\{ "([^"]+)"', source.read(), re.M)).split()
    for host in hosts:
        expect("a case for " + host, any(host in url for url, _ in cases))
    finish()


if __name__ == "__main__":
    main()
