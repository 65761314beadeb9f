#!/usr/bin/env python3
"""The build without PCRE2, iconv, libidn2 and libpsl finds what the full build finds, and refuses what it cannot do.

The command of $URLSIFT is compared with that of build/lean on all of testdata.  Left out of the comparison: verdicts,
charsets that need iconv, and what libidn2 says of a host beyond ASCII.
"""
import glob
import json
import os

from testlib import DATA, TOP, URLSIFT, check, complaints, expect, finish, has, run, skip, temporary_folder, write
import testlib

LEAN = os.path.join(TOP, "build", "lean", "urlsift")
UNKNOWN = "unknown charset: read as UTF-8 or windows-1252"
VERDICTS = {"valid", "faults"}
HOST = {"url", "normal", "host", "flags", "warnings", "unwrapped"}


def records(command, path):
    testlib.URLSIFT = command
    found = run("list", "--json", path).stdout.decode().splitlines()
    testlib.URLSIFT = URLSIFT
    return [json.loads(line) for line in found]


def comparable(record):
    beyond_ascii = not record.get("text", "").isascii() or "xn--" in record.get("normal", "").lower() or "%" in record.get("host", "")
    return {key: value for key, value in record.items() if key not in (VERDICTS | HOST if beyond_ascii else VERDICTS)}


def compare():
    wrong, links = [], 0
    for path in sorted(glob.glob(os.path.join(DATA, "**", "*"), recursive=True)):
        if not os.path.isfile(path):
            continue
        lean, full = records(LEAN, path), records(URLSIFT, path)
        links += sum(record["type"] == "link" for record in lean)
        expect(f"{path}: no verdicts", not any(VERDICTS & set(record) for record in lean))
        if any(record.get("what") == UNKNOWN for record in lean):
            continue
        wrong += [f"{path}: {ours} is {theirs}" for ours, theirs in zip(map(comparable, lean), map(comparable, full)) if ours != theirs]
        wrong += [f"{path}: {len(lean)} records, not {len(full)}"] * (len(lean) != len(full))
    complaints("the same links", wrong)
    expect("links were compared", links > 1000, links)


def refuse():
    testlib.URLSIFT = LEAN
    with temporary_folder():
        write("rules", b"#([0-9]+) => https://bugs.example/$1\n")
        for option in ("--match=x", "--not-match=x", "--valid=rfc3986", "--rules=rules"):
            done = run(option, text="http://a.example/\n")
            check(option, (done.returncode, done.stdout, "not in this build" in done.stderr), (2, b"", True))
        check("explain", "RFC 3986" in run("explain", "http://a.example/").stdout.decode(), False)
        check("--charset", run("--charset=koi8-r", text="x").returncode, 2)
        check("windows-1252", run("--charset=cp1252", "--encoded", text=b"<http://a.example/\xe9>").stdout, b"http://a.example/%C3%A9\n")
        if not has("with SQLite"):
            return skip("the index", "this build has no SQLite")
        write("text", b"http://a.example/\n")
        check("index", run("index", "lean.db", "text").returncode, 0)
        testlib.URLSIFT = URLSIFT
        check("an index of the full build", run("index", "full.db", "text").returncode, 0)
        check("query", run("query", "lean.db", "urls").stdout, run("query", "full.db", "urls").stdout)
        check("it is not continued by the full build", run("index", "lean.db", "text").returncode, 2)
        testlib.URLSIFT = LEAN
        check("nor one of the full build by it", run("index", "full.db", "text").returncode, 2)


if not os.path.exists(LEAN):
    skip("the build without PCRE2", "build/lean/urlsift was not built")
elif b"with PCRE2" not in run("--version").stdout:
    skip("the build without PCRE2", "the build that it would be compared with has none either")
else:
    compare()
    refuse()
finish()
