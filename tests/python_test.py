#!/usr/bin/env python3
"""contrib/python/urlsift.py against the command: every case file, and its own behaviour.

usage: python_test.py        (the command is $URLSIFT, the library stands beside it)
Skipped, with a line that says so, where no shared library can be loaded.  The last line says
`N passed, N failed`.
"""
import glob
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift"))
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("failed:", what)


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
        check(names[number] == "OPT_" + name.upper(), f"the number of option {name}")
    for name, words in urlsift._CHOICES.items():
        wanted = [f"{name}_{word}".upper() for word in words]
        check(enumerators(header, "urlsift_" + name) == wanted, f"the choices of {name}")


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
    done = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=data, capture_output=True, timeout=60)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    other = ("type", "source", "valid", "faults")
    return [{key: r[key] for key in r if key not in other} for r in found if r["type"] == "link"]


def main():
    urlsift = load()
    if not urlsift:
        print("0 passed, 0 failed")
        return 0
    check_numbers(urlsift)
    for path in sorted(glob.glob(os.path.join(TOP, "testdata", "cases", "**", "*.txt"), recursive=True)):
        with open(path, "rb") as file:
            data = file.read()
        got = [as_record(link) for link in urlsift.find(data, guess=True, labels=True)]
        check(got == records(data), path)

    text = "\u00e4 \U0001f600 <URL:http://a.example/x-\n  y> \u00e4 www.b.example"
    first, second = urlsift.find(text)
    check([text[s:e] for s, e in first.parts] == ["http://a.example/x-", "y"], "indices of a str")
    check([text[s:e] for s, e in second.parts] == ["www.b.example"], "indices of a str, later")
    check([(a.text, a.why) for a in first.alternates] == [("http://a.example/xy", "hyphen")], "alternates")
    check(second.target == "http://www.b.example" and second.linkable and second.line == 2, "a supplied scheme")
    check(urlsift.find("") == [] and urlsift.find(b"") == [] and urlsift.find("\udc80") == [], "no link")
    check([link.text for link in urlsift.find("a@b.example", email=True)] == ["a@b.example"], "an option")
    based, = urlsift.find("<URL:../c>", base="http://a.example/b/d")
    check(based.target == "http://a.example/c", "a base")
    latin, = urlsift.find(b"http://a.example/\xe4", charset="iso-8859-1")
    check(latin.text == "http://a.example/\u00e4", "a charset")
    check(re.fullmatch(r"\d+\.\d+\.\d+", urlsift.version()), "the version")
    for wrong, error in [({"max_url": 1}, urlsift.Error), ({"charset": "no-such"}, urlsift.Error),
                         ({"base": "x"}, urlsift.Error), ({"join": "x"}, ValueError), ({"none": 1}, TypeError)]:
        try:
            urlsift.find("", **wrong)
            check(False, f"{wrong} is refused")
        except error:
            check(True, "")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
