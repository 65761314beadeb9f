#!/usr/bin/env python3
"""The tables of src/url against the files of testdata that have a case for each row.

usage: tables_test.py [NAME...]        (default: every file of testdata/warnings)

  schemes   testdata/schemes/cases.txt, in free text (B2, B10): a scheme, a URL that is found whole, and a text in which
            nothing is found, with tabs between.  The URL of a scheme that is never linked is found inside <URL:...> alone.
  unwrap    testdata/unwrap.txt, for list and explain: a URL and what it hides, `-` for nothing.  Every host in the table
            of src/url/unwrap.c has a case.
  warnings  testdata/warnings, one file a warning, named after it.  A line `+ TEXT` is a text of which every link must
            carry the warning, `- TEXT` one of which no link may, though it looks like it; `2+` and `2-` hold only where
            libidn2 is built in.  In a text \\n is a line end, \\u{X} a character, and *N at the end that many letters x.
"""
import json
import os
import re
import sys

from testlib import DATA, TOP, check, complaints, expect, finish, has, run_text

# ---- Schemes ----

NEVER = "about blob data filesystem jar javascript livescript ms- ms-settings shell vbscript view-source".split()


def links(text):
    return run_text("list", text=text).stdout.splitlines()


def test_schemes():
    with open(os.path.join(DATA, "schemes", "cases.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            scheme, url, miss = line.rstrip("\n").split("\t")
            check(f"{scheme}, in a wrapper", links(f"see <URL:{url}>\n"), [url])
            bare = [] if scheme in NEVER else [url]
            check(f"{scheme}, bare", links(f"see {url}\nhttp://h.example/\n"), bare + ["http://h.example/"])
            check(f"{scheme}, a near miss", links(f"see {miss} there\n"), [])


# ---- Unwrapping ----

DEEP = "https://l.facebook.com/l.php?u="


def escaped(url):
    return re.sub(r"[^A-Za-z0-9._~-]", lambda m: "%%%02X" % ord(m[0]), url)


def test_unwrap():
    with open(os.path.join(DATA, "unwrap.txt"), encoding="utf-8") as lines:
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
    bare = run_text("list", "--unwrap", "--input=text", text="x www.youtube.com/redirect?q=https://shop.example/ y\n")
    check("a link whose scheme is supplied", bare.stdout, "https://shop.example/\n")
    with open(os.path.join(TOP, "src", "url", "unwrap.c"), encoding="utf-8") as source:
        hosts = " ".join(re.findall(r'^\t\{ "([^"]+)"', source.read(), re.M)).split()
    for host in hosts:
        expect("a case for " + host, any(host in url for url, _ in cases))


# ---- Warnings ----

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


def test_warnings():
    idn = has("with libidn2")
    for file in sorted(os.listdir(os.path.join(DATA, "warnings"))):
        name = file.removesuffix(".txt")
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with open(os.path.join(DATA, "warnings", file), encoding="utf-8") as lines:
            for line in lines:
                row = re.match(r"(2?)([+-]) (.*)\n", line)
                if not row or (row[1] and not idn):
                    continue
                complaints(f"{file}: {line.strip()[:100]}", faults_of(name, row[2], row[3]))


def main():
    if not sys.argv[1:]:
        test_schemes()
        test_unwrap()
    test_warnings()
    finish()


if __name__ == "__main__":
    main()
