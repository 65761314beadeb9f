#!/usr/bin/env python3
"""Size, memory and stack: a little in make check, streams of 1 GB and valgrind in make check-long.

  stack    256 KiB suffice for every case of testdata, in every output
  memory   at most 8 MB resident, for a stream of 1 GB and for one line of 100 MB
  split    the same output however a long text is cut (through a pipe and from a file)
  valgrind no error and no leak over the cases
"""
import glob
import os
import resource
import subprocess
import tempfile

from testlib import LONG, SANITIZED, TOP, URLSIFT, expect, finish, skip

VERBS = (["list"], ["list", "--json", "--email", "--domains"], ["html"], ["html", "--fragment"])


def cases():
    return sorted(glob.glob(os.path.join(TOP, "testdata", "*", "*.txt")))


def stack():
    limit = 256 * 1024

    def small():
        resource.setrlimit(resource.RLIMIT_STACK, (limit, limit))

    for verb in VERBS:
        done = subprocess.run([URLSIFT, *verb, *cases()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=small)
        expect(f"stack: {verb}: {done.returncode} {done.stderr[-300:]!r}", done.returncode == 0)


def peak_of(pid):
    """VmHWM in KiB; what the process has held since it was started."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1])


def feed(verb, unit, size, prefix=b""):
    """The peak of resident memory in KiB while `size` bytes of `unit` go through a pipe."""
    child = subprocess.Popen([URLSIFT, *verb], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    block = unit * (1_000_000 // len(unit))
    child.stdin.write(prefix)
    for _ in range(max(1, size // len(block))):
        child.stdin.write(block)
    child.stdin.flush()
    peak = peak_of(child.pid)
    child.stdin.close()
    return child.wait(), peak


TEXTS = (
    ("prose", b"A line of text with http://h.example/a/b?c=d and more of it, to fill it.\n", b""),
    ("one line", b"x", b""),
    ("one link", b"a/b", b"http://h.example/"),
    ("an open wrapper", b"a b ", b"<URL:http://h.example/"),
    ("links in one line", b"<http://h.example/a>,", b""),
    ("beyond UTF-8", b"\xe9t\xe9 \xff\xfe ", b""),
    ("quoted", b"> <URL:http://h.example/a/\n> b>\n", b""),
)


def memory(size, line):
    if not os.path.isdir("/proc/self"):
        return
    for verb in VERBS:
        for name, unit, prefix in TEXTS:
            status, peak = feed(verb, unit, size if b"\n" in unit else line, prefix)
            expect(f"memory: {verb} {name}: status {status}, {peak} KiB", status == 0 and peak <= 8 * 1024)


def split(size):
    unit = open(cases()[0], "rb").read() + b"".join(open(c, "rb").read() for c in cases())
    data = (unit * (size // len(unit) + 1))[:size]
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for verb in VERBS[:3]:
            whole = subprocess.run([URLSIFT, *verb], stdin=open(file.name, "rb"), capture_output=True).stdout
            piped = subprocess.run(f"cat {file.name} | dd bs=777 2>/dev/null | {URLSIFT} {' '.join(verb)}", shell=True,
                                   capture_output=True).stdout
            expect(f"split: {verb}: outputs differ", whole == piped and whole)


def valgrind():
    for verb in VERBS:
        done = subprocess.run(["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", URLSIFT, *verb, "--no-sandbox", *cases()],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        expect(f"valgrind: {verb}: {done.stderr[-500:]!r}", done.returncode == 0)


def main():
    if SANITIZED:
        skip("stack and memory, cases under valgrind", "a sanitizer needs memory of its own")
    else:
        stack()
        memory(1_000_000_000 if LONG else 30_000_000, 100_000_000 if LONG else 30_000_000)
    split(50_000_000 if LONG else 2_000_000)
    if LONG and not SANITIZED:
        valgrind()
    finish()


if __name__ == "__main__":
    main()
