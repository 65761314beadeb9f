#!/usr/bin/env python3
"""Work is linear: the bytes that the scanner looks at stay under a constant times its input.

Every family of tests/families.json (a prefix, a unit repeated, a suffix) is fed to build/work, a
scanner that counts, at four sizes, whole and in single bytes, with and without the options that look
for more. A family fails when work per byte passes MOST, or grows with the size.
"""
import json
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(os.environ.get("URLSIFT_BUILD", os.path.join(TOP, "build")), "work")
SIZES = [16_000, 64_000, 256_000, 1_024_000]
MOST = 24.0
GROWTH = 1.6  # work per byte at the largest size over that at the one before


def as_bytes(text):
    """A family's strings are text; code points up to U+00FF may also stand for bytes."""
    return text.encode("utf-8", "surrogateescape")


def work(data, flags, chunk):
    done = subprocess.run([WORK, flags, str(chunk)], input=data, capture_output=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"ended with {done.returncode}")
    total, size, _ = map(int, done.stdout.split())
    assert size == len(data)
    return total / max(1, size)


def main():
    families = json.load(open(os.path.join(TOP, "tests", "families.json"), encoding="utf-8"))
    for path in sys.argv[1:]:
        families += json.load(open(path, encoding="utf-8"))
    passed = failed = 0
    for family in families:
        prefix, unit, suffix = (as_bytes(family[k]) for k in ("prefix", "unit", "suffix"))
        for flags, chunk in (("", 65536), ("edg", 65536), ("edl", 1), ("f", 65536)):
            rates = [work(prefix + unit * (size // len(unit)) + suffix, flags, chunk) for size in SIZES]
            good = max(rates) <= MOST and rates[-1] <= GROWTH * rates[-2] + 1
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"{family['id']} ({flags or 'default'}, chunks of {chunk}): work per byte "
                      + " ".join(f"{r:.1f}" for r in rates))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
