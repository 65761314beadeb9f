#!/usr/bin/env python3
"""Where urlsift and other programs that find links differ, by class.

usage: peers.py [--show N] FILE...      a table; texts in UTF-8, gzip or not
       peers.py --classes FILE...       as JSON: {program: {class: links}}

Compared are links with http, https or ftp and `//`, each on one line (--join=never), with linkify-it and autolinker
(npm, from the current folder) and URI::Find (Perl), where installed.  The classes: `same`; `longer` or `shorter`, the
other program's link begins at the same place, with the kind of the first character in which they differ; `broken`, it
is a piece of a link in brackets that is broken over lines; `only`, no link of urlsift overlaps it; `missed`, none of
the other's overlaps a link of urlsift; `shifted`, they overlap.
"""
import collections
import gzip
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
URLSIFT = os.path.abspath(os.environ.get("URLSIFT", os.path.join(HERE, "..", "..", "build", "urlsift")))
WEB = re.compile(r"(https?|ftp)://", re.I)
KINDS = ((r"\s", "space"), (r"[\"'`\u2018-\u201f\xab\xbb]", "quote"), (r"[()\[\]{}<>]", "bracket"), (r"[.,;:!?]", "mark"),
         (r"[\x00-\x1f\x7f-\x9f]", "control"), (r"[^\x00-\x7f]", "beyond-ascii"), (r"[A-Za-z0-9]", "letter"))


def read(path):
    data = open(path, "rb").read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace").replace("\r", "\n")


def ours(text):
    data = text.encode()
    out = subprocess.run([URLSIFT, "list", "--json", "--input=text", "--charset=utf-8", "--join=never"], input=data,
                         capture_output=True, check=True).stdout
    spans, broken, at, count = [], [], 0, 0
    for record in map(json.loads, out.splitlines()):
        if record["type"] != "link" or not WEB.match(record["text"]):
            continue
        (offset, _), (last, length) = record["parts"][0], record["parts"][-1]
        begin = count = count + len(data[at:offset].decode("utf-8", "replace"))
        at = offset
        span = begin, begin + len(data[offset:last + length].decode("utf-8", "replace"))
        (broken if len(record["parts"]) > 1 else spans).append(span)
    return spans, broken


def others(texts):
    found = {}
    data = json.dumps(texts).encode()
    for command in (["node", os.path.join(HERE, "peers.mjs")], ["perl", os.path.join(HERE, "peers.pl")]):
        try:
            done = subprocess.run(command, input=data, capture_output=True)
        except OSError:
            continue
        if done.returncode == 0:
            answer = json.loads(done.stdout)
            found.update(answer if isinstance(answer, dict) else {"URI::Find": answer})
    return found


def kind(c):
    return next((name for pattern, name in KINDS if re.match(pattern, c)), "other") if c else "end"


def classes(text, mine, broken, theirs):
    """(class, ours or None, theirs or None) for each link of either."""
    theirs = [(b, e) for b, e in theirs if WEB.match(text[b:e])]
    by_begin = dict(mine)
    used = set()
    for begin, end in theirs:
        near = [(b, e) for b, e in mine if b < end and begin < e] if begin not in by_begin else [(begin, by_begin[begin])]
        used.update(near)
        torn = not near and [(b, e) for b, e in broken if b < end and begin < e]
        if torn:
            yield "broken", torn[0], (begin, end)
        elif not near:
            yield "only", None, (begin, end)
        elif near[0][0] != begin:
            yield "shifted", near[0], (begin, end)
        elif near[0][1] == end:
            yield "same", near[0], (begin, end)
        elif end > near[0][1]:
            yield "longer by " + kind(text[near[0][1]]), near[0], (begin, end)
        else:
            yield "shorter by " + kind(text[end]), near[0], (begin, end)
    for link in mine:
        if link not in used:
            yield "missed", link, None


def compare(paths):
    texts = [read(path) for path in paths]
    mine = [ours(text) for text in texts]
    counts, places = {}, collections.defaultdict(list)
    for name, found in sorted(others(texts).items()):
        count = counts[name] = collections.Counter()
        for path, text, a, b in zip(paths, texts, mine, found):
            for what, our, their in classes(text, *a, b):
                count[what] += 1
                if what != "same":
                    places[name, what].append((path, text, our, their))
    return sum(len(whole) + len(broken) for whole, broken in mine), counts, places


def main():
    args = sys.argv[1:]
    show = int(args.pop(args.index("--show") + 1)) if "--show" in args else 0
    paths = [a for a in args if not a.startswith("--")]
    links, counts, places = compare(paths)
    if "--classes" in args:
        print(json.dumps(counts, indent=1, sort_keys=True))
        return
    print(f"{len(paths)} texts, {links} links of urlsift")
    for name, count in counts.items():
        print(f"{name}: " + ", ".join(f"{what} {n}" for what, n in count.most_common()))
    for (name, what), found in sorted(places.items()) if show else ():
        for path, text, our, their in found[:show]:
            print(f"{name} {what} {path}\n    {our and text[slice(*our)]!r}\n    {their and text[slice(*their)]!r}")


if __name__ == "__main__":
    main()
