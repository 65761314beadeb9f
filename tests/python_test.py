#!/usr/bin/env python3
"""contrib/python/urlsift.py against the command: every case file, and its own behaviour.

usage: python_test.py        (the command is $URLSIFT, the library stands beside it)
Skipped, with a line that says so, where no shared library can be loaded.
"""
import glob
import json
import os
import re
import subprocess
import sys

from testlib import HANG, TOP, URLSIFT, expect, finish


def load():
    """The module, or None with a line that says why."""
    libraries = glob.glob(os.path.join(os.path.dirname(URLSIFT), "liburlsift.*[yo]*"))
    shared = [name for name in libraries if name.endswith((".so", ".dylib"))]
    if not shared:
        print("skipped: contrib/python: no shared library beside", URLSIFT)
        return None
    os.environ["URLSIFT_LIBRARY"] = shared[0]
    sys.path.insert(0, os.path.join(TOP, "contrib", "python"))
    try:
        sys.dont_write_bytecode = True  # contrib is installed as it stands
        import urlsift
    except OSError as why:
        print("skipped: contrib/python:", why)
        return None
    return urlsift


def enumerators(header, enum):
    """The names of an enum of the header, in order."""
    body = re.search(r"typedef enum %s \{(.*?)\} %s;" % (enum, enum), header, re.S)[1]
    return re.findall(r"\bURLSIFT_(\w+)", re.sub(r"/\*.*?\*/", "", body, flags=re.S))


def check_numbers(urlsift):
    with open(os.path.join(TOP, "include", "urlsift.h"), encoding="utf-8") as file:
        header = file.read()
    names = enumerators(header, "urlsift_option")
    for name, number in urlsift._OPTIONS.items():
        expect(f"the number of option {name}", names[number] == "OPT_" + name.upper())
    for name, words in urlsift._CHOICES.items():
        wanted = [f"{name}_{word}".upper() for word in words]
        expect(f"the choices of {name}", enumerators(header, "urlsift_" + name) == wanted)


def as_record(link):
    """What the JSON of the command says of a link."""
    alternates = [{"text": a.text, "why": a.why, "confidence": round(a.confidence, 2)} for a in link.alternates]
    record = {"text": link.text, "url": link.target, "normal": link.normal, "scheme": link.scheme, "host": link.host, "label": link.label,
              "convention": link.convention, "line": link.line, "column": link.column, "flags": list(link.flags),
              "warnings": list(link.warnings), "alternates": alternates,
              "parts": [[start, end - start] for start, end in link.parts]}
    return {key: value for key, value in record.items() if value not in ("", [])}


def records(data):
    """The records of links that the command makes, without what the module does not have."""
    done = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=data, capture_output=True, timeout=HANG)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    other = ("type", "source", "valid", "faults")
    return [{key: r[key] for key in r if key not in other} for r in found if r["type"] == "link"]


def main():
    urlsift = load()
    if not urlsift:
        finish()
    check_numbers(urlsift)
    for path in sorted(glob.glob(os.path.join(TOP, "testdata", "cases", "**", "*.txt"), recursive=True)):
        with open(path, "rb") as file:
            data = file.read()
        got = [as_record(link) for link in urlsift.find(data, guess=True, labels=True)]
        expect(path, got == records(data))

    text = "\u00e4 \U0001f600 <URL:http://a.example/x-\n  y> \u00e4 www.b.example"
    first, second = urlsift.find(text)
    expect("indices of a str", [text[s:e] for s, e in first.parts] == ["http://a.example/x-", "y"])
    expect("indices of a str, later", [text[s:e] for s, e in second.parts] == ["www.b.example"])
    expect("alternates", [(a.text, a.why) for a in first.alternates] == [("http://a.example/xy", "hyphen")])
    expect("a supplied scheme", second.target == "http://www.b.example" and second.linkable and second.line == 2)
    expect("no link", urlsift.find("") == [] and urlsift.find(b"") == [] and urlsift.find("\udc80") == [])
    expect("an option", [link.text for link in urlsift.find("a@b.example", email=True)] == ["a@b.example"])
    based, = urlsift.find("<URL:../c>", base="http://a.example/b/d")
    expect("a base", based.target == "http://a.example/c")
    latin, = urlsift.find(b"http://a.example/\xe4", charset="iso-8859-1")
    expect("a charset", latin.text == "http://a.example/\u00e4")
    expect("the version", re.fullmatch(r"\d+\.\d+\.\d+", urlsift.version()))
    for wrong, error in [({"max_url": 1}, urlsift.Error), ({"charset": "no-such"}, urlsift.Error),
                         ({"base": "x"}, urlsift.Error), ({"join": "x"}, ValueError), ({"none": 1}, TypeError),
                         ({"max_url": 2**64 + 100}, urlsift.Error)]:
        try:
            urlsift.find("", **wrong)
            expect(f"{wrong} is refused", False)
        except error:
            expect("", True)
    finish()


main()
