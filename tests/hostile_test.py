#!/usr/bin/env python3
"""Texts and mail made to break output, to take memory, or to hide what follows.

usage: hostile_test.py [NAME...]        (default: every case, the random texts, and mail)

The inputs are testdata/hostile/NAME.txt, the other
cases, and random texts of a fixed seed. For each: JSON is strict, one object a line, its keys
in order, and its parts say its text; a list has no control, bidi or invisible character and a
line for each link; a page passes tests/html_check.py; nothing depends on how the input is cut
or on the processor. What they write is tested by cases_test.py. Of mail:

  large    messages of many parts, of long header blocks, deeply nested, of one long body: each is
           read to its end, says which limit it met, and takes at most 16 MB resident
  mailbox  a generated mailbox takes at most 8 MB
  damage   a broken message does not affect the one after it in a mailbox: its links, its offset
           and its identifier are right, for any number of jobs, and from a pipe
  grown    so it is with every family of growth_test.py, as mail and as pages, at GROWN bytes

make check-long makes the body 1 GB, the mailbox 200 MB, and runs each input in every way. Memory is measured by
tests/bench/run.c, and not under AddressSanitizer.
"""
import base64
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading

import growth_test
import html_check
from testlib import (DATA, HANG, LONG, NIGHT, SANITIZED, TOP, URLSIFT, complaints, expect, finish, read, run,
                     run_pieces, skip)


# ---- Texts ----

WIDE = ["--email", "--domains"]
CUT = ["list --json --hyphen=drop --email --domains", "list --json --join=likely", "html --email --domains"]

# Default_Ignorable_Code_Point, the blank of Braille and the bidi controls; the joiners U+200C and U+200D, which
# spelling needs, apart.
UNSEEN = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
                    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
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


def check_link(record, data, after):
    """A link's record; `after` is where the link before ends."""
    at = after
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
    texts = [record["text"]] + [a["text"] for a in record.get("alternates", [])]
    if len(set(texts)) < len(texts):
        yield "alternates %r" % texts[:3]
    for text in texts:
        if re.search("[\x00-\x20\x7f-\x9f\u2028\u2029]", text):
            yield "text %r" % text[:60]
    if any(not 0 <= a["confidence"] <= 1 for a in record.get("alternates", [])):
        yield "confidence"
    parts = [data[offset:offset + length] for offset, length in record["parts"]]
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and "unescaped" not in record.get("flags", []):
        # a character that is broken in two is the bytes that it was
        said = {b"".join(parts).decode("utf-8", "urlsift-c1"), "".join(part.decode("utf-8", "urlsift-c1") for part in parts)}
        if record["text"] not in said:
            yield "parts %r say %r" % (record["parts"][:4], b"".join(parts)[:60])


def check_json(out, data):
    """The records of one source."""
    text = out.decode("utf-8")
    lines = text.split("\n")
    if lines.pop() or CONTROL.search(text) or lines != text.splitlines():
        yield "lines are not one a record"
    after = 0
    for line in lines:
        record = strict(line)
        if list(record) != [key for key in KEYS if key in record]:
            yield "keys %s" % list(record)
        if record["type"] == "link":
            yield from check_link(record, data, after)
            after = sum(record["parts"][-1])


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
    for number in range(24 if LONG else 8):
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


def test_texts():
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


# ---- Mail ----

HOSTILE_KB, MAILBOX_KB = 16 * 1024, 8 * 1024
GROWN = 2_000_000 if LONG else 40_000
HEAD = b"From: a@example.org\nSubject: s\nDate: Tue, 3 Mar 2020 10:11:12 +0000\n"
FROM_LINE = b"From a@example.org Tue Mar  3 10:11:12 2020\n"
END = b"\nhttp://end.example/last\n"
WAYS = (["list", "--json"], ["list", "--json", "--email", "--headers=all", "--message-ids"], ["html"])


class Bench:
    """Runs the command, under run.c where there is a compiler."""

    def __init__(self, folder):
        self.launcher, self.output = os.path.join(folder, "run"), os.path.join(folder, "out")
        compiler = os.environ.get("CC", "cc").split()
        try:
            built = subprocess.run([*compiler, "-O1", "-o", self.launcher, os.path.join(TOP, "tests", "bench", "run.c")],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        except OSError:
            built = False
        self.measures = built and not SANITIZED
        if not self.measures:
            skip("peaks of memory", "a sanitizer" if SANITIZED else "no compiler")

    def run(self, args, path=None, blocks=None):
        """Status, output and peak KB (None where it is not measured), of a file or of blocks through a pipe."""
        command = [URLSIFT, *args]
        if self.measures:
            command = [self.launcher, "-i", path or "/dev/stdin", self.output, *command]
        out = subprocess.PIPE if self.measures else open(self.output, "wb")
        child = subprocess.Popen(command, stdin=open(path, "rb") if path else subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL)
        if blocks is not None:
            feeder = threading.Thread(target=feed, args=(child.stdin, blocks))
            feeder.start()
        said = child.stdout.read().split() if self.measures else None
        status = child.wait(timeout=HANG)
        if blocks is not None:
            feeder.join()
        size = int(said[4]) if said else os.path.getsize(self.output)
        with open(self.output, "rb") as file:
            data = file.read(size)
        return (int(said[5]), data, int(said[3])) if said else (status, data, None)


def feed(pipe, blocks):
    try:
        with pipe:
            for block in blocks:
                pipe.write(block)
    except BrokenPipeError:
        pass


def records_of(out):
    return [json.loads(line) for line in out.splitlines()]


def texts_of(found):
    return [record["text"] for record in found if record["type"] == "link"]


# ---- Large ones: (name, what it is made of, the limits that must be told, the URLs that must be found) ----

def multipart(boundary, *parts, kind=b"mixed"):
    head = b"Content-Type: multipart/" + kind + b"; boundary=\"" + boundary + b"\"\n\n"
    return head + b"".join(b"--" + boundary + b"\n" + part + b"\n" for part in parts)


def base64_body(size):
    """A text of about `size` bytes, encoded, by blocks."""
    line = b"A line of text with http://h.example/a/b?c=d and more of it, to fill it up.\n"
    block = base64.encodebytes(line * 570 * 57)
    yield HEAD + b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    for _ in range(max(1, size // len(block))):
        yield block
    yield base64.encodebytes(END)


def nested_multiparts(depth):
    yield HEAD + b"Content-Type: multipart/mixed; boundary=b0\n\n"
    for i in range(depth):
        yield b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (i, i + 1)
    yield b"--b%d\n" % depth + END
    for i in range(depth, -1, -1):
        yield b"--b%d--\n" % i


def hidden_messages(depth):
    data = HEAD + END
    for _ in range(depth):
        data = HEAD + b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(data)
    return data


def filled(depth):
    """Hidden messages, each with what needs the most memory before the next: a link of many pieces, one of
    many references, a header block without an end."""
    parts = [b"\n<URL:http://a.example/" + b" a" * 32_000 + b">\n",
             b"Content-Type: text/html\n\nhttp://a.example/" + b"&#97;" * 60_000 + b"\n",
             b"Content-Type: message/rfc822\n\nX-Note: a\nX-Other: " + b"a" * 1_100_000 + b"\n\na\n"]
    data, inner = b"", END
    for _ in range(depth + 1):
        data = HEAD + multipart(b"b", *parts, inner) + b"--b--\n"
        inner = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(data)
    return data


def encoded_words(count):
    return b"Subject: " + b"=?utf-8?Q?=C3=A9t=C3=A9?=\n " * count + b"end\n"


def large():
    part = b"--b\n\nhttp://h.example/\n"
    url = b"X-URL: http://middle.example/\n"
    last = ["http://end.example/last"]
    middle = ["http://middle.example/"] + last
    long_word = b"=?utf-8?Q?" + b"=C3=A9" * 100_000 + b"?="
    yield "500,000 parts", [HEAD + multipart(b"b"), part * 500_000, END, b"--b--\n"], ["parts"], last
    yield "500,000 empty parts", [HEAD + multipart(b"b"), b"--b\n\n" * 500_000, END, b"--b--\n"], ["parts"], last
    yield "12 MB of fields", [HEAD, b"X-Field: a value\n" * 360_000, url, b"X-Field: a value\n" * 360_000, END], ["header-block"], middle
    yield "12 MB of one field", [HEAD, b"X-Field: a value\n", b"\tmore of the value\n" * 640_000, url, END], ["header-block"], middle
    yield "12 MB of one line", [HEAD, b"X-Field: ", b"abcdefgh " * 1_400_000, b"\n", url, END], ["header-block"], middle
    yield "12 MB of encoded-words", [HEAD, encoded_words(440_000), url, END], ["header-block"], middle
    yield "1 MB of received fields", [HEAD, b"Received: from a.example (b.example [192.0.2.1])\n\tby c.example\n" * 15_000, url, END], [], middle
    yield "10,000 multiparts in each other", nested_multiparts(10_000), ["mime-depth"], last
    yield "10,000 messages in each other", [HEAD, b"Content-Type: message/rfc822\n\n" * 10_000, END], ["mime-depth"], last
    yield "messages encoded in each other", [hidden_messages(3)], [], last
    yield "more messages encoded in each other", [hidden_messages(20)], ["hidden-messages"], []
    yield "all that takes memory, in messages encoded in each other", [filled(3)], ["header-block"], last
    yield "a boundary of 1 MB", [HEAD, multipart(b"x" * 1_000_000, END[1:])], ["parameter-length"], last
    yield "a boundary of 1 MB, its block too long", [HEAD, multipart(b"x" * 1_100_000, END[1:])], ["header-block"], last
    yield "lines of 1 MB that begin like delimiters", [HEAD, multipart(b"x" * 1000), (b"--" + b"x" * 1_000_000 + b"\n") * 8, END], [], last
    yield "a preamble of 12 MB", [HEAD, multipart(b"b"), b"no delimiter in this line\n" * 460_000, END], ["preamble"], last
    yield "one word of 600 KB", [HEAD, b"Comments: ", long_word, b"\n", END], [], last
    yield "a page of 12 MB", [HEAD, b"Content-Type: text/html\n\n", b"<p><a href=http://h.example/>a</a>&amp;<b>" * 280_000, b"<p>", END], [], last
    yield "a page of one tag", [HEAD, b"Content-Type: text/html\n\n<a ", b"x=y " * 3_000_000, b">", END], [], last
    yield "a body of one line", [HEAD, b"\n", b"abcdefgh " * 1_400_000, END], [], last
    yield "a value of 12 MB", [HEAD, b"Content-Type: text/html\n\n<a href=http://h.example/", b"x" * 12_000_000, b">", END], ["url-length"], last
    yield "ISO-2022-JP of 12 MB", [HEAD, b"Content-Type: text/plain; charset=iso-2022-jp\n\n", b"\x1b$B$\"\x1b(B" * 1_500_000, END], [], last
    yield "a field and a body of characters that are overstruck", [HEAD, b"List-Help: <http://a.example/", b"a\ba" * 330_000, b">\n\n",
           b"http://b.example/" + b"c\bc" * 1_000_000, END], ["url-length"], last
    yield "NULs", [HEAD, b"\n", b"\0" * 12_000_000, END], [], last


def check_large(bench):
    for number, (name, blocks, limits, urls) in enumerate(large()):
        data = b"".join(blocks)
        for args in WAYS if LONG else [WAYS[number % 3]] * (number % 2):
            status, out, peak = bench.run([*args, "--input=mail", "-j1"], blocks=[data])
            what = f"{name}: {' '.join(args)}: "
            expect(what + f"status {status}", status == 0)
            expect(what + f"{peak} KB resident", peak is None or peak <= HOSTILE_KB)
            if "--json" not in args:
                expect(what + "a URL is not in the page", all(url.encode() in out for url in urls))
                continue
            if LONG:
                found = records_of(out)
            else:  # of hundreds of thousands of links those that are looked for, and what is no link
                wanted = [url.encode() for url in urls]
                found = records_of(b"\n".join(line for line in out.splitlines() if not line.startswith(b'{"type":"link"') or
                                              any(url in line for url in wanted)))
            told = {record["limit"] for record in found if record["type"] == "limit"}
            expect(what + f"limits {sorted(told)}, not {limits}", told >= set(limits))
            expect(what + f"of {urls} not all were found", set(texts_of(found)) >= set(urls))


def check_body(bench):
    """One body longer than memory, encoded, that no file ever held."""
    for args in (["list"], ["html"]) if LONG else ():
        status, out, peak = bench.run([*args, "--input=mail", "-j1"], blocks=base64_body(1_000_000_000 if LONG else 24_000_000))
        expect(f"a long body: {args}: status {status}, end {out[-50:]!r}", status == 0 and b"http://end.example/last" in out[-3000:])
        expect(f"a long body: {args}: {peak} KB resident", peak is None or peak <= HOSTILE_KB)


def check_mailbox(bench, folder):
    box = os.path.join(folder, "box")
    subprocess.run([sys.executable, os.path.join(TOP, "tests", "mail_generate.py"), "--seed", "7", "--megabytes", "200" if NIGHT else "40" if LONG else "2",
                    "--out", box], check=True)
    for args in (["list"], ["html"]):
        status, out, peak = bench.run([*args, "--input=mbox", "-j1", box])
        expect(f"mailbox: {args}: status {status}, {len(out)} bytes", status == 0 and len(out) > 200_000)
        expect(f"mailbox: {args}: {peak} KB resident", peak is None or peak <= MAILBOX_KB)
    os.remove(box)


# ---- Damage ----

def damaged():
    """Messages with something wrong, each with a URL in it that must be found, or none."""

    def typed(kind, body, more=b""):
        return HEAD + b"Content-Type: " + kind + b"\n" + more + b"\n" + body

    url = b"http://bad.example/\n"
    yield "a multipart without an end", HEAD + multipart(b"b", b"\n" + url)
    yield "a multipart without a delimiter", HEAD + multipart(b"b") + url
    yield "a multipart without a boundary", typed(b"multipart/mixed", url)
    yield "a boundary without its quotation mark", HEAD + b"Content-Type: multipart/mixed; boundary=\"b\n\n--b\n\n" + url
    yield "a delimiter at the end", HEAD + multipart(b"b", b"\n" + url) + b"--b"
    yield "the header of a part at the end", HEAD + multipart(b"b", b"\n" + url, b"Content-Type: text/plain")
    yield "a header without an end", HEAD + b"X-URL: " + url
    yield "a header alone, in the middle of a name", HEAD + b"X-URL: " + url + b"Conte"
    yield "a body without a blank line", HEAD + url
    yield "a message in itself, unfinished", HEAD + multipart(b"b", b"Content-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n" + url)
    yield "too deep", b"".join(nested_multiparts(150)).replace(END, b"\n" + url)
    yield "too many parts", HEAD + multipart(b"b") + b"--b\n\n" * 10_050 + b"\n" + url
    yield "too long a header", HEAD + b"X-Note: z\n" * 120_000 + b"\n" + url
    yield "base64 that is cut", typed(b"text/plain", base64.b64encode(url + b"x")[:-2], b"Content-Transfer-Encoding: base64\n")
    yield "base64 that is none", typed(b"text/plain", b"%%%=\n=\n", b"Content-Transfer-Encoding: base64\n")
    yield "quoted-printable that is cut", typed(b"text/plain", url + b"=4", b"Content-Transfer-Encoding: quoted-printable\n")
    yield "a message in base64 that is cut", typed(b"message/rfc822", base64.encodebytes(HEAD + b"\n" + url)[:-4], b"Content-Transfer-Encoding: base64\n")
    yield "a transfer encoding that is none", typed(b"text/plain", url, b"Content-Transfer-Encoding: x-none\n")
    yield "a charset that is none", typed(b"text/plain; charset=x-none", b"\xe9 " + url)
    yield "bytes that are no UTF-8", typed(b"text/plain; charset=utf-8", b"\xc3(\xff " + url + b"\xf0\x9f")
    yield "ISO-2022-JP that does not shift back", typed(b"text/plain; charset=iso-2022-jp", url + b"\x1b$B$\"$")
    yield "UTF-16 of an odd length", typed(b"text/plain; charset=utf-16le", b"h\0t\0t\0p\0:\0/\0/\0b\0")
    yield "UTF-7 that does not shift back", typed(b"text/plain; charset=utf-7", url + b"+AGg")
    yield "a comment that is not closed", typed(b"text/html", b"<a href=http://bad.example/>x</a><!-- ")
    yield "a script that is not closed", typed(b"text/html", b"<a href=http://bad.example/>x</a><script><!-- ")
    yield "a value that is not closed", typed(b"text/html", b"<a href=http://bad.example/>x</a><a href=\"http://x.example/")
    yield "a text area that is not closed", typed(b"text/html", url + b"<textarea><plaintext><svg><math>")
    yield "a reference that is cut", typed(b"text/html", url + b"&#1")
    yield "a base", typed(b"text/html", b"<base href=http://bad.example/><a href=x>y</a>")
    yield "a block that is not closed", typed(b"text/plain", url + b"begin 644 a\n#86)C\n")
    yield "armour that is not closed", typed(b"text/plain", url + b"-----BEGIN PGP MESSAGE-----\n\nabcd\n")
    yield "a wrapper that is not closed", typed(b"text/plain", url + b"<URL:http://x.example/\n")
    yield "flowed lines that do not end", typed(b"text/plain; format=flowed; delsp=yes", url + b"http://x.example/ \n")
    yield "quote marks to the end", typed(b"text/plain", url + b"> > > > ")
    yield "an encoded-word that is not closed", HEAD + b"X-URL: =?utf-8?Q?http=3A//bad.example/?= =?utf-8?Q?\n\n" + url
    yield "a length that is too large", HEAD + b"Content-Length: 99999999\n\n" + url
    yield "a length that is too small", HEAD + b"Content-Length: 1\n\n" + url
    yield "NULs", HEAD + b"X: \0\n\n\0\0" + url + b"\0"
    yield "carriage returns alone", (HEAD + b"\nhttp://x.example/\n").replace(b"\n", b"\r")
    yield "carriage returns alone in the body", HEAD + b"\n" + (b"a\n" + url).replace(b"\n", b"\r")
    yield "blank lines alone", b"\n\n\n\r\n"
    yield "an alternative without an end", HEAD + multipart(b"b", b"\n" + url, b"Content-Type: text/html\n\n" + url, kind=b"alternative")


GOOD_URLS = ["http://good.example/first", "http://good.example/second?a=b"]


def good_message(number):
    """A message with both URLs, and where the first stands in it."""
    fields = HEAD + b"Message-ID: <%d@good.example>\nContent-Type: multipart/mixed; boundary=b\n\n" % number
    body = (b"--b\n\nThe <http://good.example/first> one\n--b\nContent-Transfer-Encoding: quoted-printable\n\n"
            b"http://good.example/sec=\nond?a=3Db\n--b--\n")
    message = FROM_LINE + fields + body
    return message, message.index(b"http://good.example/first")


def check_good(what, found, offset, at, number):
    mine = [record for record in found if record["type"] == "link" and record["message"]["offset"] == offset]
    expect(what + f"the good message has {texts_of(mine)}", texts_of(mine) == GOOD_URLS)
    expect(what + "another identifier", all(record["message"]["id"] == f"{number}@good.example" for record in mine))
    expect(what + f"parts {mine and mine[0]['parts']}", mine and mine[0]["parts"] == [[offset + at, len(GOOD_URLS[0])]])
    expect(what + "other parts", [record["message"]["part"] for record in mine] == ["1", "2"])


def boxed(message):
    """A message in a mailbox, with the blank line after it."""
    return FROM_LINE + message + (b"" if message.endswith(b"\n\n") else b"\n" if message.endswith(b"\n") else b"\n\n")


def check_damage(bench, folder):
    box, expected = b"", []
    for number, (name, message) in enumerate(damaged()):
        good, at = good_message(number)
        bad = boxed(message)
        expected.append((name, len(box), len(box) + len(bad), at, b"bad.example" in message))
        box += bad + good + b"\n"
        status, out, _ = bench.run(["list", "--json", "--input=mbox", "-j1"], blocks=[bad + good])
        expect(f"{name}: status {status}", status == 0)
        check_good(name + ": ", records_of(out), len(bad), at, number)
    path = os.path.join(folder, "box")
    with open(path, "wb") as file:
        file.write(box)
    outs = [bench.run(["list", "--json", "--input=mbox", *more])[1]
            for more in (["-j1", path], ["-j4", path], ["-j1", "--range=0:%d" % len(box), path])]
    expect("a mailbox of damage: outputs differ", outs[0] == outs[1] == outs[2])
    found = records_of(outs[0])
    for number, (name, bad, good, at, _) in enumerate(expected):
        check_good(f"{name}, in a mailbox: ", found, good, at, number)
    for name, bad, _, _, has_url in expected:
        mine = [record["url"] for record in found if record["type"] == "link" and record["message"]["offset"] == bad]
        expect(f"{name}: its URL is not found, but {mine}", not has_url or any("bad.example" in url for url in mine))


def check_grown(bench):
    families = growth_test.read_families(os.path.join(TOP, "tests", "mail_families.json"))
    texts_too = growth_test.read_families(os.path.join(TOP, "tests", "families.json"))
    families += [dict(family, id="a page of " + family["id"], prefix="{head}Content-Type: text/html\n\n" + family["prefix"])
                 for family in texts_too]
    good, at = good_message(1)
    args = ["list", "--json", "--input=mbox", "-j1", "--headers=all", "--message-ids", "--host=good.example"]
    for family in families:
        bad = boxed(growth_test.family_bytes(family, GROWN))
        status, out, _ = bench.run(args, blocks=[bad, good])
        expect(f"{family['id']}: status {status}, {out[-100:]!r}", status == 0)
        check_good(family["id"] + ": ", records_of(out), len(bad), at, 1)


def test_mail():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        check_damage(bench, folder)
        check_grown(bench)
        check_large(bench)
        check_body(bench)
        check_mailbox(bench, folder)


def main():
    test_texts()
    if not sys.argv[1:]:
        test_mail()
    finish()


if __name__ == "__main__":
    main()
