#!/usr/bin/env python3
"""--unwrap: the cases of testdata/unwrap.txt, of list and of explain.

usage: unwrap_test.py
The binary is $URLSIFT, or build/urlsift.  A line is a URL and what it hides, `-` for nothing.  Every host in the
table of src/url/unwrap.c has a case.  The last line says `N passed, N failed`.
"""
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift"))
DEEP = "https://l.facebook.com/l.php?u="


def run(*args, text):
    done = subprocess.run([URLSIFT, *args], input=text.encode(), capture_output=True, timeout=60)
    return done.stdout.decode().splitlines()


def escaped(url):
    return re.sub(r"[^A-Za-z0-9._~-]", lambda m: "%%%02X" % ord(m[0]), url)


def main():
    faults = []
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
    records = [json.loads(line) for line in run("list", "--json", "--unwrap", "--input=text", text=text)]
    shown = run("list", "--unwrap", "--input=text", text=text)
    template = run("list", "--unwrap", "--format=%u %U %s", "--input=text", text=text)
    explained = [json.loads(line) for line in run("explain", "--json", "--unwrap", text="".join(c[0] + "\n" for c in cases))]
    if not len(records) == len(shown) == len(template) == len(explained) == len(cases):
        faults.append("not one answer for each case")
    for (url, hidden), record, line, formatted, page in zip(cases, records, shown, template, explained):
        want = None if hidden == "-" else hidden
        got = (record.get("unwrapped"), page.get("unwrapped"), line, formatted.split()[:2])
        if got != (want, want, want or url, [want or url] * 2):
            faults.append("%s\n  want %s\n  got  %s" % (url, want, got))
    with open(os.path.join(TOP, "src", "url", "unwrap.c"), encoding="utf-8") as source:
        hosts = " ".join(re.findall(r'^\t\{ "([^"]+)"', source.read(), re.M)).split()
    faults += ["no case for " + host for host in hosts if not any(host in url for url, hidden in cases)]
    for fault in faults:
        print(fault)
    print("%d passed, %d failed" % (len(cases) + len(hosts) - len(faults), len(faults)))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
