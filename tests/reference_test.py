#!/usr/bin/env python3
"""The slow, simple scanner of tests/reference*.py, written from the rules, finds the links that the command finds.

usage: reference_test.py [--write] [--count=N] [--seed=S] [--show=10]

  digests    testdata/reference.digests has what the reference finds in the texts of 11,200 seeds, a digest for each twenty, so
             that a test of seconds compares them all.  Where one differs the reference reads these texts again: shown
             are the seed, the text cut down to what still differs, and both answers.  Groups of seeds take turns with
             the options of SETTINGS.  --write writes the digests anew, from the reference, not from the command.
  seeds      a few digests are what the reference says now; with --count, it reads N texts, from seed S on.
  guesses    at judged places, and of some lines of testdata/guess.
"""
import hashlib
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))
import generate
import guess_matrix
import reference
from joins import fit
from reference_guess import confidence, read_table
from testlib import (DATA, FAST, LONG, NIGHT, URLSIFT, check, expect, finish, json_lines, read, run_captured,
                     temporary_folder, write)

GROUP, GROUPS = 20, 560
DIGESTS = os.path.join(DATA, "reference.digests")
SETTINGS = ({}, {"email": True}, {"hyphen": "drop", "max_breaks": 2}, {"domains": True, "ipv4": True, "email": True},
            {}, {"join": "never", "www": "https"}, {"max_breaks": 1, "max_alternates": 2}, {"max_url_length": 64})
NOT_COMPARED = {"no-idna", "join-guessed", "truncated"}
TABLE = read_table()
PLACES = list(fit.read_places(fit.PLACES))
EDITS = [""] + list("/-?=&%#.,:;()[]<>'\"|+$*0aA_~ \t\n") + ["  ", "> ", "# ", "http://a.example/", "html", "and", "10:30"]


def has_guesses(text, options):
    """J2 counts columns: of escape sequences, only where one is near a link.  The limit of the length is one of guesses
    in another way: it ends what the word is read from."""
    return b"\x1b" not in text and "max_url_length" not in options


def words(options):
    return ["--" + name.replace("_", "-") + (f"={value}" if value is not True else "") for name, value in options.items()]


def record(r, text, options):
    alternates = r.get("alternates", [])
    return [r["line"], r["column"], r["text"], r["scheme"], r["convention"],
            sorted(set(r.get("flags", [])) - NOT_COMPARED), r["parts"],
            [a["text"] for a in alternates if a["why"] == "hyphen"],
            [a["confidence"] for a in alternates if a["why"] == "join" and has_guesses(text, options)]]


def scan(texts, options):
    """What the command says of each text; one process for all.  Writes files into the working directory."""
    names = [write(str(number), text) for number, text in enumerate(texts)]
    got = {name: [] for name in names}
    done = run_captured([URLSIFT, "list", "--json", "--input=text", "--join=declared", *words(options), *names])
    if done.returncode not in (0, 1):
        return [["exit %d: %s" % (done.returncode, done.stderr.decode(errors="replace")[:300])]] * len(texts)
    for r in json_lines(done.stdout):
        if r["type"] == "link":
            got[r["source"]].append(record(r, texts[int(r["source"])], options))
    return [got[name] for name in names]


def guesses(scanner, link):
    """J2: the confidence of a join over the line end after the link, or nothing."""
    if scanner.o.join == "never" or link.convention not in ("bare", "quoted", "prefix", "schemeless"):
        return []
    guess = scanner.guess(scanner.at.index(link.parts[0][0]))
    sure = confidence(guess.features, TABLE) if guess and not guess.veto else 0
    return [sure] if sure else []


def expected(text, options):
    scanner = reference.Scanner(text, reference.Options(**options))
    return [[*scanner.place(x), x.text, x.scheme, x.convention, sorted(x.flags), [list(p) for p in x.parts], x.alternates,
             guesses(scanner, x) if has_guesses(text, options) else []] for x in scanner.run()]


def changed_place(seed):
    """A judged place with a few characters near its line end changed."""
    r = random.Random(seed)
    place = PLACES[seed % len(PLACES)]
    text = place["text"]
    end = text.index("\n", len(text.encode()[:place["at"]].decode()))
    for _ in range(r.randint(1, 4)):
        k = max(0, min(len(text), end + r.randint(-30, 30)))
        text = text[:k] + r.choice(EDITS) + text[k + r.randint(0, 2):]
    return text.encode()


def texts_of(seeds):
    return [generate.generate(seed)[1] if seed % 3 else changed_place(seed) for seed in seeds]


def minimise(text, options):
    """Chunks taken away, ever smaller, while scanner and reference still differ."""
    def differs(t):
        return scan([t], options)[0] != expected(t, options)
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


def digests(found):
    """A digest for each group of the texts in which the links were found."""
    groups = [found[at:at + GROUP] for at in range(0, len(found), GROUP)]
    return [hashlib.sha256(json.dumps(group).encode()).hexdigest()[:8] for group in groups]


def seeds_of(group):
    return range(group * GROUP, (group + 1) * GROUP)


def settings_of(group):
    return SETTINGS[group % len(SETTINGS)]


def name_of(options):
    return " ".join(["generated texts", *words(options)])


def compare(group):
    """What the command and the reference say of the texts of a group; the digest of the latter."""
    options, seeds = settings_of(group), seeds_of(group)
    texts = texts_of(seeds)
    wanted = [expected(text, options) for text in texts]
    for seed, text, got, want in zip(seeds, texts, scan(texts, options), wanted):
        expect(name_of(options), got == want, f"seed {seed}")
        if got != want and option("show", 10) > 0 and not os.environ.get("URLSIFT_STOP"):
            small = minimise(text, options)
            print("   text      %r" % small)
            print("   scanner   %r" % (scan([small], options)[0],))
            print("   reference %r" % (expected(small, options),), flush=True)
    return digests(wanted)[0]


def test_digests():
    kept = read(DIGESTS).decode().split()
    check("groups of testdata/reference.digests", len(kept), GROUPS)
    for first, options in enumerate(SETTINGS):
        groups = range(first, GROUPS, len(SETTINGS) * (2 if FAST else 1))
        found = digests(scan([text for group in groups for text in texts_of(seeds_of(group))], options))
        wrong = [group for group, digest in zip(groups, found) if digest != kept[group]]
        expect(name_of(options), not wrong, f"{len(wrong)} groups of {GROUP} texts")
        for group in wrong[:option("show", 3)]:
            compare(group)
    # a fault of the scanner is seen above
    for group in range(GROUPS) if LONG else random.Random(kept[0]).sample(range(GROUPS), 1):
        check("testdata/reference.digests is what the reference finds; see --write", compare(group), kept[group], f"group {group}")


def test_guesses():
    expect("guesses at judged places", not fit.check([fit.PLACES]))
    rows = list(zip(guess_matrix.lines("nexts.txt"), guess_matrix.lines("verdicts.txt")))
    for following, verdicts in rows[::1 if LONG else 120]:
        check("testdata/guess", guess_matrix.by_reference(following), verdicts, following)


def option(name, default):
    return next((int(a.split("=")[1]) for a in sys.argv[1:] if a.startswith("--%s=" % name)), default)


def main():
    with temporary_folder(fit.MEMORY):
        first, count = option("seed", 0), option("count", 30000 if NIGHT else 0)
        if "--write" in sys.argv:
            lines = [digests([expected(text, settings_of(group)) for text in texts_of(seeds_of(group))])[0]
                     for group in range(GROUPS)]
            write(DIGESTS, "".join(" ".join(lines[at:at + 10]) + "\n" for at in range(0, GROUPS, 10)))
        for group in range(first // GROUP, (first + count) // GROUP):
            compare(group)
        if not count:
            test_digests()
            if not FAST:
                test_guesses()
    finish()


if __name__ == "__main__":
    main()
