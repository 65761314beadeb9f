#!/usr/bin/env python3
"""Work is linear: twice the input costs at most about twice as much, whatever stands in it.

usage: growth_test.py [FAMILIES.json]...

A family is a text that grows: a prefix, a unit repeated, a suffix. Those of tests/families.json
(and of the files named) are texts, those of tests/mail_families.json mail.

  bytes         build/work, a scanner that counts the bytes it looks at, has the texts at four
                sizes, whole and in single bytes, with and without the options that look for
                more. Work per byte stays under MOST and does not grow.
  instructions  the command has every family at sizes that double, under callgrind, as list,
                --json, html and rewrite. From n to 2n the cost becomes at most RATIO times what it
                was, that without any unit taken off, but for a single step.

One process does all families of a kind: callgrind writes its count down whenever a file is
opened. The sizes are below the limits and past them. This part is in make check-long, where there is valgrind;
with GROWTH_REPORT instructions for each byte are printed.
"""
import base64
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

from testlib import HANG, LONG, NIGHT, SANITIZED, TOP, URLSIFT, expect, finish, skip

BUILD = os.environ.get("URLSIFT_BUILD", os.path.join(TOP, "build"))
WORK = os.path.join(BUILD, "work")

SIZES = [16_000, 64_000, 256_000] + [1_024_000] * LONG
MOST = 24.0
GROWTH = 1.6  # work per byte at the largest size over that at the one before

BELOW = [0, 1_536, 3_072, 6_144, 12_288, 24_576]  # the cost of the first is taken off the others
BEYOND = [262_144, 393_216, 524_288, 786_432]     # the limits
RATIO = 2.2
FREE = 4.0  # instructions for a byte that are none too many, however few there were for less
TEXT_WAYS = [["list"], ["list", "--json", "--email", "--domains"], ["html"], ["list", "--input=mail"],
             ["list", "--json", "--hyphen=both", "--join=likely"], ["list", "--unique", "--line-number"],
             ["html", "--email", "--domains", "--join=likely"]]
MAIL_WAYS = [["list"], ["list", "--json", "--email", "--headers=all", "--message-ids"], ["html"], ["list", "--headers=none"],
             ["html", "--email", "--headers=all", "--message-ids"]]
REWRITE_WAYS = [["rewrite", "--as=" + form] for form in ("wrap", "markdown", "term", "defang", "refang", "join", "angle", "org",
                                                         "rst", "gemtext", "template:%u")]
REWRITE_MAIL_WAYS = [way for way in REWRITE_WAYS if way[1][5:] not in ("term", "defang", "refang")]
BATCH = 30  # families a run of the command has
OPENS = "source_open"  # the function of the command that each file passes
HEAD = "From: a@example.org\nSubject: s\n"
ENCODED = b"From: a@example.org\nSubject: s\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"


# ---- Families ----

def counted(text, i):
    """The repeat `i` of a text: numbers of one width, a bare one, and runs that grow."""
    for key, value in (("{n}", "%07d" % i), ("{next}", "%07d" % (i + 1)), ("{i}", str(i)), ("{a}", "a" * (i + 1)),
                       ("{aa}", "a" * (i + 2)), ("{a90}", "a" * 90), ("{k1000}", "k" * 1000), ("{head}", HEAD)):
        text = text.replace(key, value)
    return text


def family_bytes(family, size):
    """A family with about `size` bytes of its units. `nested` stands before them so many times, and
    `wrapped` is in how many messages, one inside the other and encoded, it all stands."""
    nested, times = family.get("nested", ("", 0))
    unit = family["unit"]
    count = size // len(counted(unit, 0).encode(family.get("encoding", "utf-8")))
    repeated = "".join(counted(unit, i) for i in range(count)) if "{" in unit else unit * count
    text = counted(family["prefix"], 0) + "".join(counted(nested, i) for i in range(times)) + repeated + family["suffix"]
    data = text.encode(family.get("encoding", "utf-8"))
    for _ in range(family.get("wrapped", 0)):
        data = ENCODED + base64.encodebytes(data)
    return data


def read_families(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


# ---- Bytes ----

def work(data, flags, chunk):
    done = subprocess.run([WORK, flags, str(chunk)], input=data, capture_output=True, timeout=HANG)
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
            expect(f"{family['id']} ({flags or 'default'}, chunks of {chunk}): work per byte " + " ".join(f"{r:.1f}" for r in rates),
                   max(rates) <= MOST and rates[-1] <= GROWTH * rates[-2] + 1)


# ---- Instructions ----

def instructions(args, files, folder):
    """What the run of the command said that was wrong, and what each file cost, or None when that cannot be told."""
    counts = os.path.join(tempfile.mkdtemp(dir=folder), "counts")
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + counts, "--dump-line=no", "--combine-dumps=yes",
               "--dump-before=" + OPENS, URLSIFT, *args, "-j1", "--no-sandbox", *files]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wrong = f"status {done.returncode}: {done.stderr[-300:].decode(errors='replace')}" if done.returncode else ""
    with open(counts, encoding="ascii") as file:
        found = [int(line.split()[1]) for line in file if line.startswith("totals:")]
    # The first count is of what comes before any file.
    return wrong, found[1:] if len(found) == len(files) + 1 else None


def grows(costs, lengths):
    """Whether costs at sizes that double grow faster than those, by more than a step, as where a buffer
    becomes too small: at two doublings or more, and all of them together. What was full of another
    family may add to a cost: one that is more than the next for a byte counts as that."""
    for i in range(len(costs) - 1, 0, -1):
        costs[i - 1] = min(costs[i - 1], costs[i] * lengths[i - 1] // lengths[i])
    steep = sum(after > RATIO * before + FREE * length for before, after, length in zip(costs, costs[1:], lengths[1:]))
    return steep > 1 and costs[-1] > RATIO ** (len(costs) - 1) * costs[0] + FREE * lengths[-1]


def count_families(args, families, sizes):
    """(whether it is good, what to say) of some families."""
    with tempfile.TemporaryDirectory() as folder:
        files, lengths = [], []
        # What is read first finds buffers too small and tables not there: that is not counted.
        for family in families:
            for size in [sizes[0] or sizes[1]] + sizes:
                files.append(os.path.join(folder, str(len(files))))
                with open(files[-1], "wb") as file:
                    lengths.append(file.write(family_bytes(family, size)))
        wrong, found = instructions(args, files, folder)
    if found is None:
        return [(False, f"{' '.join(args)}: no count of instructions (is there still a function {OPENS}?) {wrong}")]
    checks, step = [(not wrong, f"{' '.join(args)}, {families[0]['id']} to {families[-1]['id']}: {wrong}")], len(sizes) + 1
    for i, family in enumerate(families):
        first, *costs = found[i * step + 1:(i + 1) * step]
        shortest, *counts = lengths[i * step + 1:(i + 1) * step]
        costs = [max(1, cost - first) for cost in costs]
        counts = [count - shortest for count in counts]
        rates = " ".join(f"{cost / count:.1f}" for cost, count in zip(costs, counts))
        if os.environ.get("GROWTH_REPORT"):
            print(f"{' '.join(args)}\t{family['id']}\t{rates}")
        checks.append((not grows(costs, counts), f"{family['id']} ({' '.join(args)}, to {sizes[-1]} bytes): instructions for a byte {rates}"))
    return checks


def runs_of(ways, families, default):
    """Runs of the command, each with families that can share one; a list has the options of its families."""
    for way in ways:
        runs = {}
        for family in families:
            kind = [] if "--input=mail" in way else ["--input=" + family.get("input", default)]
            own = family.get("options", []) if way == ["list"] else []
            runs.setdefault(tuple(way + kind + own), []).append(family)
        for args, members in runs.items():
            for i in range(0, len(members), BATCH):
                yield args, members[i:i + BATCH]


def count_instructions(texts, mails):
    plan = [(TEXT_WAYS + REWRITE_WAYS, texts, "text", BELOW), (MAIL_WAYS + REWRITE_MAIL_WAYS, mails, "mail", BELOW),
            ([["list"], ["html"]], texts, "text", BEYOND), ([["list"], ["html"]], mails, "mail", BEYOND)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(count_families, args, members, sizes) for ways, families, default, sizes in plan
                for args, members in runs_of(ways, families, default)]
        for run in runs:
            for good, complaint in run.result():
                expect(complaint, good)


def main():
    texts = read_families(os.path.join(TOP, "tests", "families.json"))
    for name in sys.argv[1:]:
        texts += read_families(name)
    mails = read_families(os.path.join(TOP, "tests", "mail_families.json"))
    if NIGHT and shutil.which("valgrind") and not SANITIZED:
        count_instructions(texts, mails)
    elif NIGHT:
        skip("growth in instructions", "a sanitizer" if SANITIZED else "no valgrind")
    count_bytes(texts)
    finish()


if __name__ == "__main__":
    main()
