#!/usr/bin/env python3
"""The scanner against the reference, on generated texts and on the places of tests/joins.

usage: reference_test.py [--count=750] [--seed=0] [--show=10]
For a difference: the seed, the text cut down
to what still differs, and both answers.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

import generate
import reference

from joins import fit
from reference_guess import confidence, read_table
from testlib import HANG, NIGHT, URLSIFT, expect, finish

BATCH = 250
NOT_COMPARED = {"no-idna", "join-guessed"}
TABLE = read_table()
EDITS = [""] + list("/-?=&%#.,:;()[]<>'\"|+$*0aA_~ \t\n") + ["  ", "> ", "# ", "http://a.example/", "html", "and", "10:30"]


def has_columns(text):
    """J2 counts columns: of escape sequences, only where one is near a link."""
    return b"\x1b" not in text


def command(email):
    return [URLSIFT, "list", "--json", "--input=text", "--join=declared"] + (["--email"] if email else [])


def record(r, text):
    hyphens = [a["text"] for a in r.get("alternates", []) if a["why"] == "hyphen"]
    guesses = [a["confidence"] for a in r.get("alternates", []) if a["why"] == "join" and has_columns(text)]
    return (r["text"], r["convention"], sorted(set(r.get("flags", [])) - NOT_COMPARED),
            [list(p) for p in r["parts"]], hyphens, guesses)


def run(texts, email, folder):
    """What the binary says of each text; one process for all."""
    names = []
    for n, text in enumerate(texts):
        names.append(os.path.join(folder, str(n)))
        with open(names[-1], "wb") as f:
            f.write(text)
    got, text_of = {name: [] for name in names}, dict(zip(names, texts))
    p = subprocess.run(command(email) + names, capture_output=True, timeout=HANG)
    if p.returncode not in (0, 1):
        return [["exit %d: %s" % (p.returncode, p.stderr.decode(errors="replace")[:300])]] * len(texts)
    for line in p.stdout.decode("utf-8").split("\n"):
        if line:
            r = json.loads(line)
            if r["type"] == "link":
                got[r["source"]].append(record(r, text_of[r["source"]]))
    return [got[name] for name in names]


def expected(text, email):
    scanner = reference.Scanner(text, reference.Options(email=email))
    return [(x.text, x.convention, sorted(x.flags), [list(p) for p in x.parts], x.alternates,
             guesses(scanner, x) if has_columns(text) else []) for x in scanner.run()]


def changed_place(seed, places):
    """A judged place with a few characters near its line end changed."""
    r = random.Random(seed)
    place = places[seed % len(places)]
    text = place["text"]
    end = text.index("\n", len(text.encode()[:place["at"]].decode()))
    for _ in range(r.randint(1, 4)):
        k = max(0, min(len(text), end + r.randint(-30, 30)))
        text = text[:k] + r.choice(EDITS) + text[k + r.randint(0, 2):]
    return text.encode()


def guesses(scanner, link):
    """J2: the confidence of a join over the line end behind the link, or nothing."""
    if link.convention not in ("bare", "quoted", "prefix", "schemeless"):
        return []
    guess = scanner.guess(scanner.at.index(link.parts[0][0]))
    sure = confidence(guess.features, TABLE) if guess and not guess.veto else 0
    return [sure] if sure else []


def minimise(text, email, folder):
    """Chunks taken away, ever smaller, while scanner and reference still differ."""
    def differs(t):
        return run([t], email, folder)[0] != expected(t, email)
    size = max(1, len(text) // 2)
    while size:
        at = 0
        while at < len(text):
            less = text[:at] + text[at + size:]
            if differs(less):
                text = less
            else:
                at += size
        size //= 2
    return text


def option(name, default):
    return next((int(a.split("=")[1]) for a in sys.argv[1:] if a.startswith("--%s=" % name)), default)


def main():
    places = list(fit.read_places(fit.PLACES))
    first, count, show = option("seed", 0), option("count", 30000 if NIGHT else 750), option("show", 10)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for start in range(first, first + count, BATCH):
            seeds = range(start, min(start + BATCH, first + count))
            email = start // BATCH % 2 == 1
            texts = [generate.generate(s)[1] if s % 3 else changed_place(s, places) for s in seeds]
            for seed, text, got in zip(seeds, texts, run(texts, email, folder)):
                good = got == expected(text, email)
                expect(f"generated texts{' --email' if email else ''}", good, f"seed {seed}")
                failed += not good
                if good or failed > show:
                    continue
                small = minimise(text, email, folder)
                print("   text      %r" % small)
                print("   scanner   %r" % (run([small], email, folder)[0],))
                print("   reference %r" % (expected(small, email),), flush=True)
    expect("guesses at judged places", not fit.check([fit.PLACES]))
    finish()


if __name__ == "__main__":
    main()
