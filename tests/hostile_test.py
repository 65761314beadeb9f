#!/usr/bin/env python3
"""Outputs that must hold for any input, looked at for the inputs most likely to break them.

usage: hostile_test.py [NAME...]        (default: every case and the random texts)
The inputs are testdata/hostile/NAME.txt, the other
cases, and random texts of a fixed seed. For each: JSON is strict, one object a line, its keys
in order, and its parts say its text; a list has no control, bidi or invisible character and a
line for each link; a page passes tests/html_check.py; nothing depends on how the input is cut
or on the processor. What they write is tested by cases_test.py.
"""
import json
import os
import random
import re
import sys
import tempfile

import html_check
from testlib import DATA, complaints, finish, read, run, run_pieces

WIDE = ["--email", "--domains"]
CUT = ["list --json --hyphen=drop --email --domains", "list --json --join=likely", "html --email --domains"]

# Default_Ignorable_Code_Point and the bidi controls; the joiners U+200C and U+200D, which
# spelling needs, apart.
UNSEEN = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
                    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
                    "\U000e0000-\U000e0fff]")
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
HREF = re.compile("[!#-;=?-Z\\[\\]_a-z~]+")
KEYS = ("type source message field line column parts text url normal label scheme host convention flags alternates valid faults "
        "warnings what limit value offset").split()
CONVENTIONS = "wrapper angle quoted prefix bare schemeless email rule".split()


# ---- What every output must be: each of these yields complaints ----

def check_end(status, messages):
    if status:
        yield "exit %d" % status
    if re.search("[\x00-\x09\x0b-\x1f\x7f]", messages) or (messages and not messages.endswith("\n")):
        yield "messages %r" % messages[:80]


def check_list(out, ascii_only=False):
    text = out.decode("utf-8")
    for what in (CONTROL, UNSEEN):
        if what.search(text):
            yield "%r raw in a list" % what.search(text)[0]
    lines = text.split("\n")
    if lines.pop() or lines != text.splitlines():
        yield "lines are not one a link"
    for line in lines:
        if not re.match("[A-Za-z][A-Za-z0-9+.-]*:.", line) or " " in line:
            yield "line %r" % line[:60]
        if ascii_only and not HREF.fullmatch(line):
            yield "encoded %r" % line[:60]


def unique_pairs(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def no_constant(name):
    raise ValueError("the constant " + name)


def strict(line):
    return json.loads(line, object_pairs_hook=unique_pairs, parse_constant=no_constant)


def check_link(record, data, behind):
    """A link's record; `behind` is where the link before ends."""
    at = behind
    for offset, length in record["parts"]:
        if offset < at or length <= 0 or offset + length > len(data):
            yield "parts %r" % record["parts"][:4]
            return
        at = offset + length + 1
    for key in ("url", "normal"):
        if not HREF.fullmatch(record[key]) or not record[key].lower().startswith(record["scheme"] + ":"):
            yield "%s %r" % (key, record[key][:60])
    if record["convention"] not in CONVENTIONS or record["line"] < 1 or record["column"] < 1:
        yield "convention, line or column"
    for text in [record["text"]] + [a["text"] for a in record.get("alternates", [])]:
        if re.search("[\x00-\x20\x7f-\x9f\u2028\u2029]", text):
            yield "text %r" % text[:60]
    if any(not 0 <= a["confidence"] <= 1 for a in record.get("alternates", [])):
        yield "confidence"
    said = b"".join(data[offset:offset + length] for offset, length in record["parts"])
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and "unescaped" not in record.get("flags", []):
        if said.decode("utf-8", "urlsift-c1") != record["text"]:
            yield "parts %r say %r" % (record["parts"][:4], said[:60])


def check_json(out, data):
    """The records of one source."""
    text = out.decode("utf-8")
    lines = text.split("\n")
    if lines.pop() or CONTROL.search(text) or lines != text.splitlines():
        yield "lines are not one a record"
    behind = 0
    for line in lines:
        record = strict(line)
        if list(record) != [key for key in KEYS if key in record]:
            yield "keys %s" % list(record)
        if record["type"] == "link":
            yield from check_link(record, data, behind)
            behind = sum(record["parts"][-1])


def links_of(out):
    return sum(line.startswith(b'{"type":"link"') for line in out.splitlines())


def same(what, one, other):
    if one != other:
        yield what


def checks(data, thorough):
    """(what, complaints) for one text, read from a pipe."""
    runs = {}
    for args in (["list"] + WIDE, ["list", "--encoded"] + WIDE, ["list", "--json", "--hyphen=drop"] + WIDE,
                 ["list", "--json", "--join=likely"], ["html"] + WIDE, ["html", "--fragment"]):
        status, out, messages = runs[" ".join(args)] = run(*args, text=data)
        yield args, check_end(status, messages)
        if "--json" in args:
            yield args, check_json(out, data)
        elif args[0] == "list":
            yield args, check_list(out, "--encoded" in args)
        else:
            yield args, html_check.check(out, data)
    wide = runs["list --email --domains"][1]
    records = runs["list --json --hyphen=drop --email --domains"][1]
    yield "a line for each record", same("%d lines" % wide.count(b"\n"), wide.count(b"\n"), links_of(records))
    yield "--count", same("differs", run("list", "-c", *WIDE, text=data).stdout, b"%d\n" % wide.count(b"\n"))
    for text in CUT if thorough else []:
        args = text.split()
        for chunk in (1, 7) if len(data) < 5000 else (7, 4093):
            yield (args, "in chunks of %d" % chunk), same("differs", run_pieces(*args, data=data, size=chunk), runs[text])
    for implementation in available() if thorough else []:
        yield (CUT[0], implementation), same("differs", run(*CUT[0].split(), text=data, env={"URLSIFT_IMPL": implementation}), runs[CUT[0]])


def available():
    """The implementations that this machine has."""
    if not hasattr(available, "found"):
        available.found = [i for i in ("portable", "sse2", "avx2") if run("list", env={"URLSIFT_IMPL": i}).returncode == 0]
    return available.found


# ---- The inputs ----


PHRASES = """http:// https:// ftp:// mailto: news: javascript: data: www. <URL: <http:// > < >> " ' ` ( ) [ ] { } | \\ \\/ / // ? # & &amp;
&lt; &#34; % %00 %zz : :80 :x @ a.example b.test 192.0.2.1 [::1] u@c.example x word - . , ; ! * _ ~ = + 7 </a> <script> onclick=
</pre> ]]> <!-- --> begin""".split()
PHRASES += [" ", "  ", "\t", "\n", "\r", "\r\n", "\f", "\v", "\n\n", "-\n", "\n> ", "\n>> ", "\n| ", "\n  ", "\n-- \n", "\\\n", "\0", "\x1b[1m",
            "\x7f", "\x85", "\xa0", "\xad", "\u200b", "\u2028", "\u202e", "\u2066", "\u2069", "\u2026", "\u201c", "\u201d", "\ufeff", "\ufe0f",
            "\xe9", "\u05d0", "\u4e16", "\u3002", "\uff0e", "\U0001f600", "\U000e0041", "\nbegin 644 x\n", "\n-----BEGIN PGP MESSAGE-----\n"]
PIECES = [phrase.encode() for phrase in PHRASES] + [b"\xff", b"\x80", b"\x9b", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]


def random_texts():
    generator = random.Random(1738)
    for number in range(24):
        if number % 4 == 0:
            text = bytes(generator.randrange(256) for _ in range(3000))
        else:
            text = b"".join(generator.choice(PIECES) for _ in range(1200))
        yield "random text %d" % number, [b"", b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\n"][number % 6] + text


def inputs(only):
    for folder in sorted(os.listdir(DATA)):
        if folder != "hostile" and not folder.startswith("cases"):
            continue
        for name in sorted(os.listdir(os.path.join(DATA, folder))):
            path = os.path.join(DATA, folder, name)
            if name.endswith(".txt") and (name[:-4] in only or not only):
                yield path, folder == "hostile"


NAMES = [b"\"><script>window.hit=1", b"</title><x>'&amp;".replace(b"/", b":"), b"a\nb\x1b[31m\x7f", b"-x", b"%s%n", b"\xff\xfe\x80", b"\xed\xa0\x80",
         "\u202eb\u2028\u0085\u200b\u2066".encode()]


def name_checks():
    """File names are input too, those of files that are not there among them."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(os.fsencode(folder), name) for name in NAMES]
        there = []
        for path in paths[:-1]:
            try:
                with open(path, "wb") as file:
                    file.write(b"http://n.example/\n")
                there.append(path)
            except OSError:
                pass  # no name for this file system
        for args in (["list", "-H"], ["list", "--json"], ["html"]):
            status, out, messages = run(*args, *paths)
            yield args, check_end(status - 1, messages)  # the last one is not there
            text = out.decode("utf-8", "replace")
            if args[0] == "html":
                yield args, html_check.check(out, *[b"http://n.example/\n"] * len(there))
            else:
                unfit = CONTROL.search(text) or ("--json" not in args and (UNSEEN.search(text) or "\ufffd" in text))
                yield args, ["%r" % text] if unfit else []
                records = len(paths) if "--json" in args else len(there)
                yield args, same("%r" % text, text.count("\n"), records)


def complaints_of(found):
    """The complaints; an output that cannot be read is one."""
    try:
        yield from found
    except (ValueError, KeyError, TypeError) as error:
        yield "%s: %s" % (type(error).__name__, error)


def main():
    only = sys.argv[1:]

    def take(name, results):
        for what, found in results:
            complaints(f"{name}: {what}", complaints_of(found))

    others = []
    for path, hostile in inputs(only):
        name = os.path.relpath(path, DATA)
        if hostile or only:
            take(name, checks(read(path), True))
        else:
            others.append(path)
    for name, text in random_texts() if not only else []:
        take(name, checks(text, True))
    if not only:
        take("file names", name_checks())
    # The other cases have tests of their own: here they are one page.
    if others:
        for args in (["html"] + WIDE, ["html", "--fragment", "--join=likely"]):
            status, out, messages = run(*args, *others)
            what = "%d cases" % len(others)
            take(what, [(args, check_end(status, messages)), (args, html_check.check(out, *map(read, others)))])
    finish()


if __name__ == "__main__":
    main()
