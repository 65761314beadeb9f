#!/usr/bin/env python3
"""Guessed joins (J2) on judged places: measured with each archive left out, and the points of the features.

usage: fit.py [--write] [--show] [--check] [FILE...]
  --write  write src/scan/guess_table.h, without the points that were set by hand
  --show   print the places that are wrong or missed
  --check  only compare the binary and the reference with the table, on every place (build/urlsift, or URLSIFT)
A FILE holds more places, judged elsewhere; each is measured with the points of all of places.jsonl.

places.jsonl has a place a line: {"id", "archive", "kind", "text", "at", "label"}.  In `text` a link that begins at the
byte `at` reaches the end of its line.  Labels: cut (it goes on with the first word of the next line), whole, unclear.
docs/joins.md tells how they were chosen and judged; round-26, -27, -30, -33, -35 to -42, -44 and -45.jsonl are of later rounds.
"""
import collections
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = os.path.join(HERE, "places.jsonl")
# For many small files: on a disk they take longer than the scanner.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
sys.path.insert(0, os.path.dirname(HERE))

import reference
from reference_guess import CUTS, ROOMS, SHAPES, TABLE, TAILS, confidence, name_points, read_table

RIDGE, PAIR_RIDGE, STEPS = 0.3, 0.75, 400   # PAIR_RIDGE: for a cut and a word together
SCALE = 10                                  # points for a unit of log-odds
LEAST = (32, 20, 5, -5)                     # the sums whose confidence is measured
SURE, LIKELY = 0.97, 0.85
OTHERS = {"fixed": "cut at a column that programs cut at; only for the last four cuts",
          "complete": "the link ends as a file does, perhaps with a full stop or hyphen",
          "outdent": "the next line is indented less than that of the link",
          "even": "both lines end at one column"}
HEADER = """\
/* J2: the points of a place where a line end may cut a link, and what their sum means.  Written by tests/joins/fit.py
 * from judged places, but for four points that docs/joins.md tells, as it explains each name.  The reference scanner
 * reads this file too. */
#ifndef SCAN_GUESS_TABLE_H
#define SCAN_GUESS_TABLE_H

/* how the link ends: `-`, `/`, within the ending of a file (`.ht`, `ml`), another mark, `.`; the word begins with a
 * mark; neither */
enum guess_cut { %s, CUTS };
/* the word: marks of URLs or the ending of a file; digits, mixed case, other marks; prose; a capital or "and" */
enum guess_shape { %s, SHAPES };
/* after the word: what closes a bracket or quotation before the link; closing marks; a mark and text; text */
enum guess_tail { %s, TAILS };
/* the line of the link had no room for the next piece; only for that; for the word; it is over-long */
enum guess_room { %s, ROOMS };

/* cut and word together */
static const signed char points_cut[CUTS][SHAPES] = {
	/*              strong  odd plain common */
"""


def read_places(path):
    """Places of this folder's form, or of joined links judged right or wrong."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            p = json.loads(line)
            if "text" not in p:
                p.update(text=p["input"], label="whole" if p["label"] == "wrong" else "cut",
                         archive=os.path.basename(path), kind=p.get("text_kind", "mail"))
            yield p


def guess_of(place):
    """The guess of the reference at the place, or None where no link ends."""
    data = place["text"].encode("utf-8", "surrogateescape")
    scanner = reference.Scanner(data, reference.Options(join="declared"))
    return scanner.guess(scanner.at.index(place["at"]))


def features_of(path):
    """(place, features); None for what is never a join."""
    out = []
    for place in read_places(path):
        guess = guess_of(place)
        out.append((place, None if guess is None or guess.veto else guess.features))
    return out


# ---- the points: logistic regression with a ridge

def ridge(name):
    return 0.01 if name == "bias" else PAIR_RIDGE if name.split()[0] in CUTS else RIDGE


def expand(features):
    """With the sums over pairs that the table adds up: a cut, a word, and both together."""
    cut, shape = features[0].split()
    return ["bias", "cut " + cut, "word " + shape] + features


def fit(rows):
    """Feature -> points, from judged places."""
    data = [(expand(f), p["label"] == "cut") for p, f in rows if f and p["label"] != "unclear"]
    names = sorted({n for x, _ in data for n in x})
    index = {n: i for i, n in enumerate(names)}
    data = [([index[n] for n in x], float(y)) for x, y in data]
    weight, speed, force = [0.0] * len(names), [0.0] * len(names), [ridge(n) for n in names]
    for _ in range(STEPS):
        slope = [-force[i] * weight[i] for i in range(len(names))]
        for x, y in data:
            error = y - 1 / (1 + math.exp(-max(-30, min(30, sum(weight[i] for i in x)))))
            for i in x:
                slope[i] += error
        for i in range(len(names)):
            speed[i] = 0.9 * speed[i] + 0.01 * slope[i]
            weight[i] += speed[i]
    return fold(dict(zip(names, weight)))


def fold(w):
    """One number for a cut and a word; what holds for every place of a cut goes there."""
    def points(*names):
        return max(-99, min(99, round(SCALE * sum(w.get(n, 0) for n in names))))
    cut = [[points("bias", "cut " + c, "word " + s, "%s %s" % (c, s)) for s in SHAPES] for c in CUTS]
    return (cut, [points("starts " + c) for c in CUTS], [points("tail " + t) for t in TAILS],
            [points("text " + s) for s in SHAPES], [points("room " + r) for r in ROOMS],
            {name: points(name) for name in OTHERS})


def total(features, points):
    return sum(points.get(f, 0) for f in features)


def leave_out(rows):
    """(place, sum or None) of each, by the points of the other archives."""
    out = []
    for archive in sorted({p["archive"] for p, _ in rows}):
        points = name_points(*fit([r for r in rows if r[0]["archive"] != archive]))
        out += [(p, total(f, points) if f else None) for p, f in rows if p["archive"] == archive]
    return out


def measure_steps(sums):
    steps, above = [], math.inf
    for least in LEAST:
        here = [p["label"] == "cut" for p, s in sums
                if s is not None and least <= s < above and p["label"] != "unclear"]
        steps.append((least, min(0.99, round(sum(here) / len(here), 2)), len(here)))
        above = least
    return steps


# ---- reports

def share(right, of):
    return "%3d of %3d (%3.0f%%)" % (right, of, 100 * right / of) if of else "0"


def report(title, sums, steps, show):
    def sure_of(s):
        return next((c for least, c, *_ in steps if s is not None and s >= least), 0)
    groups = collections.defaultdict(list)
    for p, s in sums:
        if p["label"] != "unclear":
            for key in (p["kind"], "all"):
                groups[key].append((p["label"] == "cut", sure_of(s)))
    print("\n%s\n%-10s %7s %6s  %-22s %-14s %s" % (title, "kind", "places", "cut", "found by default", "default wrong",
                                                 "only likely: right"))
    for kind in sorted(groups, key=lambda k: (k == "all", k)):
        g = groups[kind]
        cuts = sum(y for y, c in g)
        sure = [y for y, c in g if c >= SURE]
        likely = [y for y, c in g if LIKELY <= c < SURE]
        print("%-10s %7d %6d  %-22s %3d of %3d     %s" % (kind, len(g), cuts, share(sum(sure), cuts), len(sure) - sum(sure),
                                                         len(sure), share(sum(likely), len(likely))))
    if show:
        for p, s in sums:
            if p["label"] != "unclear" and (sure_of(s) >= LIKELY) != (p["label"] == "cut"):
                says = "never" if s is None else "%d, %.2f" % (s, sure_of(s))
                print("  %-5s %-10s %-5s %s" % (p["id"], p["archive"], p["label"], says))


def write_table(folded, steps):
    cut, start, tail, text, room, others = folded

    def enum(prefix, names):
        return ", ".join(prefix + n.upper().replace("-", "_") for n in names)

    def row(numbers):
        return ", ".join("%d" % n for n in numbers)
    out = HEADER % (enum("CUT_", CUTS), enum("SHAPE_", SHAPES), enum("TAIL_", TAILS), enum("ROOM_", ROOMS))
    for name, numbers in zip(CUTS, cut):
        out += "\t/* %-8s */ {%s},\n" % (name, ", ".join("%4d" % n for n in numbers))
    out += "};\n/* where the link begins the text of its line, by cut */\n"
    out += "static const signed char points_start[CUTS] = {%s};\n" % row(start)
    out += "static const signed char points_tail[TAILS] = {%s};\n" % row(tail)
    out += "/* more where text follows the word, by word */\n"
    out += "static const signed char points_text[SHAPES] = {%s};\n" % row(text)
    out += "static const signed char points_room[ROOMS] = {%s};\n\nenum {\n" % row(room)
    for name, says in OTHERS.items():
        out += "\tPOINTS_%s = %d, /* %s */\n" % (name.upper(), others[name], says)
    out += "};\n\n"
    out += "/* The share of right joins among judged places of archives left out, by their points; fewer are no guess. */\n"
    out += "static const struct {\n\tint least;\n\tdouble confidence;\n} steps[] = {%s};\n\n#endif\n" % (
        ", ".join("{%d, %.2f}" % (least, c) for least, c, _ in steps))
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(out)


def binary_says(places):
    """The confidence of the join at each place; 0 for none, 1 for a declared break, None for no link.  One process for
    all."""
    binary = os.environ.get("URLSIFT", os.path.join(HERE, "..", "..", "build", "urlsift"))
    said = [None] * len(places)
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        for number, place in enumerate(places):
            with open(os.path.join(folder, str(number)), "wb") as file:
                file.write(place["text"].encode("utf-8", "surrogateescape"))
        command = [os.path.abspath(binary), "list", "--json", "--input=text", "--join=declared", *map(str, range(len(places)))]
        done = subprocess.run(command, cwd=folder, capture_output=True)
    for line in done.stdout.decode("utf-8").split("\n"):
        link = json.loads(line) if line else {"type": ""}
        if link["type"] == "link" and link["parts"][0][0] == places[int(link["source"])]["at"]:
            joins = [a["confidence"] for a in link.get("alternates", []) if a["why"] == "join"]
            said[int(link["source"])] = 1 if "join-declared" in link.get("flags", []) else joins[0] if joins else 0
    return said


def check(paths):
    """The binary's confidence against the reference's."""
    table, differ, count = read_table(), 0, 0
    places = [place for path in paths for place in read_places(path)]
    for place, got in zip(places, binary_says(places)):
        guess = guess_of(place)
        wanted = confidence(guess.features, table) if guess and not guess.veto else 0
        count += 1
        if got not in (wanted, 1) and not (got is None and guess is None):
            differ += 1
            print("differs: %s %s: binary %s, reference %s (%s)" % (place["archive"], place["id"], got, wanted,
                                                                   guess and (guess.veto or guess.features)))
    print("%d places, %d differ" % (count, differ))
    return differ


def main(args):
    files = [a for a in args if not a.startswith("--")]
    if "--check" in args:
        return 1 if check([PLACES] + files) else 0
    rows = features_of(PLACES)
    sums = leave_out(rows)
    steps = measure_steps(sums)
    for least, c, n in steps:
        print("%4d points and more: %.2f right of %d" % (least, c, n))
    report("each archive by the points of the others", sums, steps, "--show" in args)
    folded = fit(rows)
    for path in files:
        points = name_points(*folded)
        report(path, [(p, total(f, points) if f else None) for p, f in features_of(path)], steps, "--show" in args)
    if "--write" in args:
        write_table(folded, steps)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
