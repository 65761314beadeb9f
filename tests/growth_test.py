#!/usr/bin/env python3
"""Work is linear: twice the input costs at most about twice as much, whatever stands in it.

usage: growth_test.py [FAMILIES.json]...

A family is a text that grows: a prefix, a unit repeated, a suffix. Those of tests/families.json
(and of the files named) are texts, those of tests/mail_families.json mail.

  bytes         build/work, a scanner that counts the bytes it looks at, has the texts at four
                sizes, whole and in single bytes, with and without the options that look for
                more. Work per byte stays under MOST and does not grow.
  instructions  the command has every family at three sizes, each twice the one before, under
                callgrind, as list, --json and html. What the larger costs is at most RATIO
                times what the smaller does, the cost of an empty file taken off both.

One process does all families of a kind: callgrind writes its count down whenever a file is
opened. Without valgrind this part is left out. URLSIFT_LONG takes larger sizes too, and with
GROWTH_REPORT instructions for each byte are printed.
"""
import base64
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("URLSIFT_BUILD", os.path.join(TOP, "build"))
WORK = os.path.join(BUILD, "work")
URLSIFT = os.path.abspath(os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift")))
LONG = bool(os.environ.get("URLSIFT_LONG"))
SANITIZED = "asan" in BUILD

SIZES = [16_000, 64_000, 256_000, 1_024_000]
MOST = 24.0
GROWTH = 1.6  # work per byte at the largest size over that at the one before

FIRST_SIZES = [16_384, 262_144] if LONG else [16_384]
RATIO = 2.2
TEXT_WAYS = (["list"], ["list", "--json", "--email", "--domains"], ["html"], ["list", "--input=mail"])
MAIL_WAYS = (["list"], ["list", "--json", "--email", "--headers=all", "--message-ids"], ["html"])
OPENS = "source_open"  # the function of the command that each file passes
HEAD = "From: a@example.org\nSubject: s\n"
ENCODED = b"From: a@example.org\nSubject: s\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"

tally = {True: 0, False: 0}


# ---- Families ----

def counted(text, i):
    """The repeat `i` of a text: numbers of one width, a bare one, and runs that grow."""
    for key, value in (("{n}", "%07d" % i), ("{next}", "%07d" % (i + 1)), ("{i}", str(i)), ("{a}", "a" * (i + 1)),
                       ("{aa}", "a" * (i + 2)), ("{a90}", "a" * 90), ("{k1000}", "k" * 1000), ("{head}", HEAD)):
        text = text.replace(key, value)
    return text


def family_bytes(family, size):
    """A family at about `size` bytes of its units. `nested` stands before them so many times, and
    `wrapped` is in how many messages, one inside the other and encoded, it all stands."""
    nested, times = family.get("nested", ("", 0))
    unit = family["unit"]
    count = size // len(counted(unit, 0))
    repeated = "".join(counted(unit, i) for i in range(count)) if "{" in unit else unit * count
    text = counted(family["prefix"], 0) + "".join(counted(nested, i) for i in range(times)) + repeated + family["suffix"]
    data = text.encode(family.get("encoding", "utf-8"))
    for _ in range(family.get("wrapped", 0)):
        data = ENCODED + base64.encodebytes(data)
    return data


def read_families(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def take(good, complaint):
    tally[good] += 1
    if not good:
        print(complaint)


# ---- Bytes ----

def work(data, flags, chunk):
    done = subprocess.run([WORK, flags, str(chunk)], input=data, capture_output=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"ended with {done.returncode}")
    total, size, _ = map(int, done.stdout.split())
    assert size == len(data)
    return total / max(1, size)


def count_bytes(families):
    for family in families:
        texts = [family_bytes(family, size) for size in SIZES]
        for flags, chunk in (("", 65536), ("edg", 65536), ("edl", 1), ("f", 65536)):
            rates = [work(text, flags, chunk) for text in texts]
            take(max(rates) <= MOST and rates[-1] <= GROWTH * rates[-2] + 1,
                 f"{family['id']} ({flags or 'default'}, chunks of {chunk}): work per byte " + " ".join(f"{r:.1f}" for r in rates))


# ---- Instructions ----

def instructions(args, files, folder):
    """What each file costs in one run of the command, or None when that cannot be told."""
    counts = os.path.join(tempfile.mkdtemp(dir=folder), "counts")
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + counts, "--dump-line=no", "--combine-dumps=yes",
               "--dump-before=" + OPENS, URLSIFT, *args, "-j1", *files]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with open(counts, encoding="ascii") as file:
        found = [int(line.split()[1]) for line in file if line.startswith("totals:")]
    # The first count is of what comes before any file.
    return found[1:] if done.returncode == 0 and len(found) == len(files) + 1 else None


def count_way(args, families, first, folder):
    """Checks to be made of `families` at three sizes: pairs for take."""
    files, lengths = [], []
    empty = os.path.join(folder, "empty")
    open(empty, "wb").close()
    warm = []
    for family in families:
        for size in (first, 2 * first, 4 * first):
            name = os.path.join(folder, f"{family['id']}-{size}")
            if not os.path.exists(name):
                with open(name, "wb") as file:
                    file.write(family_bytes(family, size))
            files.append(name)
            lengths.append(os.path.getsize(name))
        warm.append(files[-3])
    # The smallest are read once before, so that buffers are there already.
    found = instructions(args, warm + [empty] + files, folder)
    if found is None:
        return [(False, f"{' '.join(args)}: no count of instructions (does the command still pass {OPENS}?)")]
    base = found[len(warm)]
    found = found[len(warm) + 1:]
    checks = []
    for i, family in enumerate(families):
        costs = [max(1, cost - base) for cost in found[3 * i:3 * i + 3]]
        rates = " ".join(f"{cost / length:.1f}" for cost, length in zip(costs, lengths[3 * i:]))
        if os.environ.get("GROWTH_REPORT"):
            print(f"{' '.join(args)}\t{family['id']}\t{rates}\t{costs[1] / costs[0]:.2f} {costs[2] / costs[1]:.2f}", flush=True)
        checks.append((costs[1] <= RATIO * costs[0] and costs[2] <= RATIO * costs[1],
                       f"{family['id']} ({' '.join(args)}, from {first} bytes): instructions for a byte {rates}"))
    return checks


def groups(ways, families, default):
    """Runs of the command, each with families that may share one."""
    for way in ways:
        inputs = sorted({(family.get("input", default), *(family.get("options", []) if way == ["list"] else [])) for family in families})
        for key in inputs:
            members = [family for family in families
                       if (family.get("input", default), *(family.get("options", []) if way == ["list"] else [])) == key]
            yield way + ([] if "--input=mail" in way else ["--input=" + key[0]]) + list(key[1:]), members


def count_instructions(texts, mails):
    runs = list(groups(TEXT_WAYS, texts, "text")) + list(groups(MAIL_WAYS, mails, "mail"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = [pool.submit(count_way, args, families, first, folder) for first in FIRST_SIZES for args, families in runs]
        for checks in done:
            for good, complaint in checks.result():
                take(good, complaint)


def main():
    texts = read_families(os.path.join(TOP, "tests", "families.json"))
    for name in sys.argv[1:]:
        texts += read_families(name)
    mails = read_families(os.path.join(TOP, "tests", "mail_families.json"))
    if shutil.which("valgrind") and not SANITIZED:
        count_instructions(texts, mails)
    count_bytes(texts)
    print(f"{tally[True]} passed, {tally[False]} failed")
    return tally[False] > 0


if __name__ == "__main__":
    sys.exit(main())
