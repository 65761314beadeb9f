#!/usr/bin/env python3
"""The cases of testdata against the binary.

usage: cases_test.py [NAME...]        (default: every case)
The binary is $URLSIFT, or build/urlsift.  testdata/cases/NAME.txt is the input, NAME.list
what `urlsift list` must write; NAME.json and NAME.html, where they stand, what
`list --json` and `html --fragment` must.  Cases in cases-email, cases-domains, cases-refang and
cases-rules run with --email, --domains, --refang and --rules; those in mail are messages (NAME.eml), mailboxes
(NAME.mbox) and HTML documents (NAME.htm).  Each input is read as a file, and from a pipe that gets it byte by byte.  The last line says `N passed, N failed`.
"""
import difflib
import os
import subprocess
import sys
import threading

BINARY = os.environ.get("URLSIFT", "build/urlsift")
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")
FOLDERS = {"cases": ["--input=text"], "cases-email": ["--input=text", "--email"],
           "cases-domains": ["--input=text", "--domains"],
           "cases-refang": ["--input=text", "--refang"], "mail": [],
           "cases-rules": ["--input=text", "--rules=" + os.path.abspath(os.path.join(DATA, "cases-rules", "rules"))]}
INPUTS = (".txt", ".eml", ".mbox", ".htm")
OUTPUTS = {".list": ["list"], ".json": ["list", "--json"], ".html": ["html", "--fragment"]}


def from_file(args, folder, name):
    """The output for an input, named as it stands in its folder."""
    binary = os.path.abspath(BINARY) if os.sep in BINARY else BINARY
    p = subprocess.run([binary, *args, name], cwd=folder, capture_output=True, timeout=60)
    return p.returncode, p.stdout, p.stderr


def from_pipe(args, data):
    """The output for data on standard input, written byte by byte."""
    p = subprocess.Popen([BINARY, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         bufsize=0)

    def write():
        try:
            for n in range(len(data)):
                p.stdin.write(data[n:n + 1])
            p.stdin.close()
        except BrokenPipeError:
            pass
    writer = threading.Thread(target=write)
    writer.start()
    err = []
    reader = threading.Thread(target=lambda: err.append(p.stderr.read()))
    reader.start()
    out = p.stdout.read()
    p.wait(timeout=60)
    writer.join()
    reader.join()
    return p.returncode, out, err[0]


def compare(what, want, got):
    """What to say of a difference; nothing for none."""
    status, out, err = got
    if status != 0:
        return "%s: exit %d, %s" % (what, status, err.decode(errors="replace")[:300])
    if out == want:
        return None
    lines = difflib.unified_diff(want.decode(errors="replace").splitlines(), out.decode(errors="replace").splitlines(),
                                 "expected", "written", n=0, lineterm="")
    return "%s:\n    %s" % (what, "\n    ".join(lines))


def check(folder, source, options):
    path, name = os.path.join(DATA, folder), os.path.splitext(source)[0]
    with open(os.path.join(path, source), "rb") as f:
        data = f.read()
    for suffix, verb in OUTPUTS.items():
        golden = os.path.join(path, name + suffix)
        if not os.path.exists(golden):
            continue
        with open(golden, "rb") as f:
            want = f.read()
        args = verb + options
        yield compare("%s/%s%s" % (folder, name, suffix), want, from_file(args, path, source))
        if suffix == ".json":
            want = want.replace(b'"source":"%s"' % source.encode(), b'"source":"-"')
        yield compare("%s/%s%s, byte by byte" % (folder, name, suffix), want, from_pipe(args, data))


def main():
    only, passed, failed = sys.argv[1:], 0, 0
    for folder, options in FOLDERS.items():
        path = os.path.join(DATA, folder)
        for source in sorted(f for f in os.listdir(path) if f.endswith(INPUTS)):
            if only and os.path.splitext(source)[0] not in only:
                continue
            for trouble in check(folder, source, options):
                passed, failed = passed + (not trouble), failed + bool(trouble)
                if trouble:
                    print(trouble)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
