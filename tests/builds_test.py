#!/usr/bin/env python3
"""Builds and systems that lack something.

  lean  The build without PCRE2, iconv, libidn2 and libpsl finds what the full build finds, and refuses what it cannot do.
        The command of $URLSIFT is compared with that of build/lean on all of testdata. Left out of the comparison:
        verdicts, charsets that need iconv, and what libidn2 says of a host beyond ASCII.
  clang A build by the other compiler passes the tests of cases and of units (make check-long).
  jit   Where the system refuses executable memory, as systemd does with MemoryDenyWriteExecute, PCRE2 has no JIT
        compiler: every output is the same, and --version says so.
"""
import ctypes
import errno
import glob
import json
import os
import platform
import struct
import subprocess
import sys

import testlib
from testlib import (DATA, LONG, TOP, URLSIFT, check, complaints, expect, finish, has, read, run, skip, temporary_folder,
                     write)


# ---- Without libraries ----

LEAN = os.path.join(TOP, "build", "lean", "urlsift")
UNKNOWN = "unknown charset: read as UTF-8 or windows-1252"
VERDICTS = {"valid", "faults"}
HOST = {"url", "normal", "host", "flags", "warnings", "unwrapped"}


def records(command, paths):
    """The records of each file, from one run."""
    testlib.URLSIFT = command
    # Whether a label is its target is known of their forms, and a lean build makes none of hosts beyond ASCII.
    found = run("list", "--json", "--repeated", *paths).stdout.decode().splitlines()
    testlib.URLSIFT = URLSIFT
    files = {path: [] for path in paths}
    for record in map(json.loads, found):
        files[record["source"]].append(record)
    return files


def comparable(record):
    beyond_ascii = not record.get("text", "").isascii() or "xn--" in record.get("normal", "").lower() or "%" in record.get("host", "")
    return {key: value for key, value in record.items() if key not in (VERDICTS | HOST if beyond_ascii else VERDICTS)}


def compare_builds():
    wrong, links = [], 0
    paths = [path for path in sorted(glob.glob(os.path.join(DATA, "**", "*"), recursive=True)) if os.path.isfile(path)]
    all_lean, all_full = records(LEAN, paths), records(URLSIFT, paths)
    for path in paths:
        lean, full = all_lean[path], all_full[path]
        links += sum(record["type"] == "link" for record in lean)
        expect(f"{path}: no verdicts", not any(VERDICTS & set(record) for record in lean))
        if any(record.get("what") == UNKNOWN for record in lean):
            continue
        wrong += [f"{path}: {ours} is {theirs}" for ours, theirs in zip(map(comparable, lean), map(comparable, full)) if ours != theirs]
        wrong += [f"{path}: {len(lean)} records, not {len(full)}"] * (len(lean) != len(full))
    complaints("the same links", wrong)
    expect("links were compared", links > 1000, links)


def test_refused():
    testlib.URLSIFT = LEAN
    with temporary_folder():
        write("rules", b"#([0-9]+) => https://bugs.example/$1\n")
        for option in ("--match=x", "--not-match=x", "--valid=rfc3986", "--not-valid=rfc3986", "--rules=rules"):
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


def test_lean():
    if not os.path.exists(LEAN):
        skip("the build without PCRE2", "build/lean/urlsift was not built")
    elif b"with PCRE2" not in run("--version").stdout:
        skip("the build without PCRE2", "the build that it would be compared with has none either")
    else:
        compare_builds()
        test_refused()
        testlib.URLSIFT = URLSIFT


# ---- The other compiler ----

def test_clang():
    folder = os.path.join(TOP, "build", "clang")
    command = os.path.join(folder, "urlsift")
    if not LONG:
        return
    if not os.path.exists(command):
        skip("the build by clang", "clang is not installed")
        return
    cases = [sys.executable, os.path.join(TOP, "tests", "cases_test.py")]
    env = {**os.environ, "URLSIFT": command}
    del env["URLSIFT_LONG"]
    for line in [cases, *([unit] for unit in sorted(glob.glob(os.path.join(folder, "unit", "unit_*"))) if "." not in unit)]:
        done = subprocess.run(line, cwd=TOP, env=env, capture_output=True, text=True)
        check(f"built by clang: {os.path.basename(line[-1])}", done.returncode, 0, done.stdout[-2000:])


# ---- Other options ----

def test_options():
    """With other options than before, objects are made again, and only then; `make install` takes what is there."""
    with temporary_folder():
        for name in "Makefile", "include", "src":
            os.symlink(os.path.join(TOP, name), name)
        names = ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "HARDEN")
        env = {key: value for key, value in os.environ.items() if key not in names and not key.startswith(("WITHOUT_", "MAKE"))}
        for what, args, compiled, lean in (
                ("first", ["WITHOUT_PCRE2=1"], True, True), ("the same", ["WITHOUT_PCRE2=1"], False, True),
                ("for install", ["-n", "install"], False, True), ("none", ["CFLAGS=-O1 -DX='\"a b\"'", "WITHOUT_PCRE2=1"], True, True),
                ("without them", ["WITHOUT_PSL=1"], True, None), ("again", ["WITHOUT_PSL=1"], False, None)):
            goal = [] if "install" in args else ["build/obj/src/text/buf.o"]
            done = subprocess.run([os.environ.get("MAKE", "make"), *args, *goal], capture_output=True, env=env)
            check(f"options, {what}", (done.returncode, b"src/text/buf.c" in done.stdout), (0, compiled), done.stderr)
            if lean:
                check(f"options, {what}: without PCRE2", b"PCRE2" in read("build/cflags"), False)


# ---- Without a JIT compiler ----

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_MDWE = 22, 38, 65
# The numbers of mmap and mprotect; audit's name of the processor.
CALLS = {"x86_64": (9, 10, 0xC000003E), "aarch64": (222, 226, 0xC00000B7)}
WITHOUT = "without PCRE2's JIT compiler"
LINE = "http://a.example/~[%s and RFC 12 and x" + "ab" * 1000 + "y news:1 http://b.example/\u00e9?[\n"


def refuse_by_seccomp():
    """mmap that is to be written and executed, and mprotect that is to be executed, are refused (Linux before 6.3)."""
    mmap, mprotect, processor = CALLS[platform.machine()]
    load, equal, every, back = 0x20, 0x15, 0x54, 0x06
    words = [(load, 0, 0, 4), (equal, 0, 9, processor), (load, 0, 0, 0), (equal, 1, 0, mmap), (equal, 3, 6, mprotect),
             (load, 0, 0, 32), (every, 0, 0, 6), (equal, 2, 3, 6), (load, 0, 0, 32), (0x45, 0, 1, 4),
             (back, 0, 0, 0x50000 | errno.EACCES), (back, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *word) for word in words))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(words), ctypes.addressof(code)))
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return LIBC.prctl(PR_SET_SECCOMP, 2, program, 0, 0) == 0


def refuse():
    """Executable memory is refused to this process and its children."""
    if LIBC.prctl(PR_SET_MDWE, 1, 0, 0, 0) and not (platform.machine() in CALLS and refuse_by_seccomp()):
        os._exit(99)


def compare(what, *args, **more):
    plain, refused = run(*args, **more), run(*args, preexec_fn=refuse, **more)
    check(f"{what}, without executable memory", (refused.returncode, refused.stderr, refused.stdout),
          (plain.returncode, plain.stderr, plain.stdout))
    return plain


def test_outputs():
    files = [os.path.relpath(path, DATA) for kind in ("cases/*.txt", "mail/*.eml", "mail/*.mbox", "cases-rules/*.txt")
             for path in sorted(glob.glob(os.path.join(DATA, kind)))]
    texts = b"".join(map(read, sorted(glob.glob(os.path.join(DATA, "explain", "*.txt")))))
    with temporary_folder() as folder:
        rules = os.path.join(folder, "rules")
        write(rules, read(os.path.join(DATA, "cases-rules", "rules")) + b"x(?:a|b)*y => https://r.example/$0\n")
        for args in (["list", "--json", "--email", "--domains"], ["list", "--json", "-j2"], ["html"], ["list", "--rules=" + rules],
                     *(["list", "--valid=" + name] for name in ("rfc1738", "rfc3986", "rfc3987")),
                     ["list", "--match=^https?://([a-z.]|[0-9])+/", "--not-match=(?i)PDF$"]):
            done = compare(" ".join(args[:3]), *args, *files, cwd=DATA)
            check(f"{args} found something", done.stdout.count(b"\n") > 20)
        compare("a long line, with rules", "list", "--json", "--rules=" + rules, text="".join(LINE % i for i in range(5)))
        compare("explain", "explain", "--json", text=texts)
        if has("with SQLite"):
            plain, refused = (run("index", os.path.join(folder, name), *files, cwd=DATA, preexec_fn=refused)[::2]
                              for name, refused in (("plain.db", None), ("refused.db", refuse)))
            check("an index", plain[0], 0)
            check("an index says the same", refused, plain)
            for question in ("hosts", "warned", "joined"):
                check(f"query {question}", run("query", "refused.db", question), run("query", "plain.db", question))
        else:
            skip("index", "this build has no SQLite")


def test_jit():
    version = run("--version", preexec_fn=refuse) if os.name == "posix" and platform.system() == "Linux" else None
    if not version or version.returncode == 99:
        skip("runs without executable memory", "this system cannot refuse it")
        return
    check("--version says so", WITHOUT in version.stdout.decode().splitlines())
    check("in one more line at most", len(version.stdout.splitlines()) - len(run("--version").stdout.splitlines()) <= 1)
    test_outputs()


def main():
    test_options()
    test_lean()
    test_clang()
    if LONG:
        test_jit()
    finish()


main()
