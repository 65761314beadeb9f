#!/usr/bin/env python3
"""Texts and mail that are nearly those of testdata: a byte or two changed, gone or too many, cut anywhere.

usage: near_test.py [SEED]

Nobody has said what these give, so each output has to keep what all of them keep: JSON is strict, its records come in
the order of the text, and their parts say their text, in mail where no encoding hides it; lists are lines; the text of
a page is the input, in order, which it is only if the pieces tile; it has only the allowed elements; what comes through
a pipe in packets gives the same.  In texts that are not long the slow scanner of reference.py finds the same.
Some are drawn by a fixed seed, in check-long more.
"""
import os
import random
import re
import sys
import zlib

import hostile_test
import html_check
import mail_oracle_test
import reference_test
from testlib import DATA, LONG, NIGHT, complaints, finish, read, run, run_pieces, temporary_folder, write

ROUNDS = 40 if NIGHT else 15 if LONG else 1
BATCHES = 7   # a file meets other options in each round
PIPED = 4     # of each batch
LONGEST = 6000
PARTED = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{0,2}[\x1b\b]")
OPTIONS = ([], ["--email", "--domains", "--ipv4"], ["--join=likely"], ["--hyphen=drop"], ["--join=never"],
           ["--max-breaks=1", "--max-alternates=1"], ["--max-url-length=64", "--join=likely", "--hyphen=drop"],
           ["--hyphen=keep", "--email"])


def sources(folders, endings):
    """The files that are not long, by their names: a new one changes nothing of what is drawn from the others."""
    names = [os.path.join(folder, name) for folder in folders for name in os.listdir(os.path.join(DATA, folder))]
    found = {name: read(os.path.join(DATA, name)) for name in sorted(names) if name.endswith(endings)}
    return {name: data for name, data in found.items() if 0 < len(data) <= LONGEST}


def batches(found, seed):
    """Number and changed texts of each batch, a text of each file in BATCHES of them."""
    for number in range(0, ROUNDS * BATCHES, 1 if LONG else 2):
        yield number, [changed(random.Random(f"{seed} {number} {name}"), data) for name, data in found.items()
                       if (zlib.crc32(name.encode()) + number) % BATCHES == 0]


def changed(r, data):
    """Some bytes are others, gone or added, or it ends early."""
    for _ in range(r.choice((1, 1, 1, 2, 2, 6))):
        at, piece = r.randrange(len(data) + 1), r.choice(hostile_test.PIECES)
        kind = r.randrange(5)
        if kind == 0:
            data = data[:at] + piece + data[at + len(piece):]
        elif kind == 1:
            data = data[:at] + data[at + r.choice((1, 1, 2, 9)):]
        elif kind == 2:
            data = data[:at] + piece + data[at:]
        elif kind == 3:
            data = data[:at] + bytes([r.randrange(256)]) + data[at + 1:]
        else:
            data = data[:at]
    return data


def by_source(out, names):
    """The lines of JSON of each input."""
    lines = {name: b"" for name in names}
    for line in out.splitlines(keepends=True):
        lines[hostile_test.strict(line)["source"]] += line
    return lines


def complain(what, found):
    complaints(what, hostile_test.complaints_of(found))


def differs(one, other):
    if one != other:
        yield f"{one!r:.300} and {other!r:.300}"


def check_texts(number, texts, options):
    names = [write(str(i), text) for i, text in enumerate(texts)]
    what = f"batch {number} of texts, {' '.join(options)}"
    json = run("list", "--json", "--input=text", *options, *names)
    complain(what, hostile_test.check_end(json.returncode, json.stderr))
    lines = by_source(json.stdout, names)
    for name, text in zip(names, texts):
        complain(f"{what}: JSON", hostile_test.check_json(lines[name], text))
    page = run("html", "--input=text", *options, *names)
    complain(f"{what}: html", html_check.check(page.stdout, *texts))
    shown = run("list", "--input=text", *options, *names)
    complain(f"{what}: list", hostile_test.check_list(shown.stdout))
    complain(f"{what}: list and JSON", differs(shown.stdout.count(b"\n"), hostile_test.links_of(json.stdout)))


def check_reference(number, texts):
    """The slow scanner finds the same in those that are not long.  It does not put a character together that an escape
    sequence parts."""
    options = reference_test.SETTINGS[number % len(reference_test.SETTINGS)]
    texts = [text for text in texts if len(text) <= 1500 and not PARTED.search(text)]
    for text, got in zip(texts, reference_test.scan(texts, options)):
        wanted = reference_test.expected(text, options)
        complain(f"batch {number} of texts, {reference_test.name_of(options)}", [] if got == wanted else
                 [f"{text!r}\n    scanner   {got!r}\n    reference {wanted!r}"])


def check_mails(number, mails, options):
    names = [write(str(i), mail) for i, mail in enumerate(mails)]
    what = f"batch {number} of mail, {' '.join(options)}"
    json = run("list", "--json", "--input=mail", "--headers=all", *options, *names)
    complain(what, hostile_test.check_end(json.returncode, json.stderr))
    lines = by_source(json.stdout, names)
    for name, mail in zip(names, mails):
        complain(f"{what}: JSON", ["a control character"] if hostile_test.CONTROL.search(lines[name].decode()) else [])
        records = map(hostile_test.strict, lines[name].splitlines())
        complain(f"{what}: parts", mail_oracle_test.misplaced_links(mail, [r for r in records if r["type"] == "link"]))
    page = run("html", "--input=mail", "--headers=all", *options, *names)
    complain(f"{what}: html", html_check.read(page.stdout)[1])


def check_pipe(seed, number, text):
    r = random.Random(f"{seed} {number} pipe")
    args = [*r.choice(("list --json", "html --fragment", "rewrite --as=join", "rewrite --as=wrap")).split(), *r.choice(OPTIONS)]
    if args[0] != "rewrite":
        args.append(r.choice(("--input=text", "--input=mail")))
    size = r.choice((1, 2, 3, 7, 64, max(1, len(text) // 2)))
    complain(f"batch {number} in packets of {size}, {' '.join(args)}",
             differs(run_pieces(*args, data=text, size=size).stdout, run(*args, text=text).stdout))


def main():
    seed = int(sys.argv[1]) if sys.argv[1:] else 1738
    texts = sources(("cases", "cases-email", "cases-domains", "cases-ipv4", "cases-refang", "hostile", "rewrite", "guess"), ".txt")
    mails = sources(("mail", "hostile"), (".eml", ".mbox"))
    with temporary_folder():
        for number, near in batches(texts, seed):
            check_texts(number, near, OPTIONS[number % len(OPTIONS)])
            check_reference(number, near)
            for text in near[:PIPED]:
                check_pipe(seed, number, text)
        for number, near in batches(mails, seed):
            check_mails(number, near, OPTIONS[number % len(OPTIONS)])
            for mail in near[:PIPED]:
                check_pipe(seed, -number, mail)
    finish()


if __name__ == "__main__":
    main()
