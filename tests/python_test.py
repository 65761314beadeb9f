#!/usr/bin/env python3
"""The Python module against the command, on every case file and message; its own behaviour; its wheel in an empty
environment, and its types.

usage: python_test.py        (the command is $URLSIFT, the library stands beside it)
"""
import bz2
import email.message
import gc
import glob
import gzip
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import warnings
import weakref
import zipfile
from html.parser import HTMLParser

from testlib import HANG, LONG, TOP, URLSIFT, check, expect, finish, read, skip, write

MODULE = os.path.join(TOP, "contrib", "python")


def load():
    """The module, or None with a line that says why."""
    libraries = glob.glob(os.path.join(os.path.dirname(os.path.abspath(URLSIFT)), "liburlsift.*[yo]*"))
    shared = [name for name in libraries if name.endswith((".so", ".dylib"))]
    if not shared:
        skip("contrib/python", "no shared library beside the command")
        return None
    os.environ["URLSIFT_LIBRARY"] = shared[0]
    sys.path.insert(0, MODULE)
    try:
        sys.dont_write_bytecode = True
        import urlsift
    except OSError as why:
        skip("contrib/python", why)
        return None
    return urlsift


def enumerators(enum):
    """The names of an enum of the headers, by their values."""
    header = "".join(open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(TOP, "include", "*.h")))
    body = re.search(r"typedef enum %s \{(.*?)\} %s;" % (enum, enum), header, re.S)[1]
    return {int(value): name for name, value in re.findall(r"\bURLSIFT_(\w+) = (\d+)", body)}


def test_numbers(urlsift):
    names = enumerators("urlsift_option")
    for name, number in urlsift._OPTIONS.items():
        check(f"the number of option {name}", names[number], "OPT_" + name.upper())
    for name, words in urlsift._CHOICES.items():
        check(f"the choices of {name}", enumerators("urlsift_" + name),
              {i: f"{name}_{word}".upper() for i, word in enumerate(words)})
    names = enumerators("urlsift_status")
    check("statuses", [names[i] for i in (urlsift._NO_MEMORY, urlsift._BAD_ARGUMENT, urlsift._BAD_CHARSET)],
          ["NO_MEMORY", "BAD_ARGUMENT", "BAD_CHARSET"])
    for size, c in ((urlsift.ctypes.sizeof(urlsift._Link), "urlsift_found_link"), (urlsift._found.size, "urlsift_found")):
        check(f"the size of {c}", size_of(c), str(size))


def size_of(struct):
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "size.c"), os.path.join(folder, "size")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\n#include <urlsift-mail.h>\n"
                       f'int main(void) {{ return !printf("%zu", sizeof({struct})); }}\n')
        subprocess.run([*os.environ.get("CC", "cc").split(), "-I" + os.path.join(TOP, "include"), "-o", binary, source],
                       check=True, timeout=HANG)
        return subprocess.run([binary], capture_output=True, text=True, timeout=HANG).stdout


def as_record(link):
    """What the JSON of the command says of a link."""
    alternates = [{"text": a.text, "why": a.why, "confidence": round(a.confidence, 2)} for a in link.alternates]
    record = {"text": link.text, "url": link.target, "normal": link.normal, "scheme": link.scheme, "host": link.host,
              "label": link.label, "convention": link.convention, "line": link.line, "column": link.column,
              "flags": list(link.flags), "warnings": list(link.warnings), "alternates": alternates,
              "parts": [[start, end - start] for start, end in link.parts]}
    place, message = link.place, link.place and link.place.message
    if place:
        record.update({"field": place.field, "attribute": place.attribute, "decoded": place.decoded})
    if message:
        record["message"] = without_nothing({
            "offset": message.offset, "id": message.id, "part": place.part, "subject": message.subject,
            "from": message.sender, "date": message.date, "time": message.time, "groups": message.groups,
            "list": message.list_id})
    return without_nothing(record)


def without_nothing(record):
    return {key: value for key, value in record.items() if value not in ("", [], None) and value is not False}


def records(data, *args):
    """The records of links that the command makes, without what the module does not have."""
    done = subprocess.run([URLSIFT, "list", "--json", *args], input=data, capture_output=True, timeout=HANG)
    links = [record for record in map(json.loads, done.stdout.splitlines()) if record["type"] == "link"]
    other = ("type", "source", "valid", "faults")
    return [{key: link[key] for key in link if key not in other} for link in links]


def test_cases(urlsift):
    for path in sorted(glob.glob(os.path.join(TOP, "testdata", "cases", "**", "*.txt"), recursive=True)):
        data = read(path)
        wanted, options = records(data, "--input=text"), {"guess": True, "labels": True}
        check(path, [as_record(link) for link in urlsift.find(data, **options)], wanted)
        check(path + ", as a stream", [as_record(link) for link in urlsift.mail(data, kind="text", **options)], wanted)


def test_mail(urlsift):
    for path in sorted(glob.glob(os.path.join(TOP, "testdata", "mail", "*"))):
        if os.path.isfile(path):
            data = read(path)
            wanted, got = records(data), [as_record(link) for link in urlsift.mail(data, guess=True, labels=True)]
            for ours, theirs in zip(got, wanted):  # records leave out long texts
                if "message" in theirs:
                    ours["message"] = {key: ours["message"].get(key) for key in theirs["message"]}
            check(path, got, wanted)


LETTER = (b"From a Thu Jan  1 00:00:00 1970\nFrom: a@a.example\nSubject: =?utf-8?q?caf=C3=A9?= http://s.example/\n"
          b"Message-ID: <1@a.example>\nMIME-Version: 1.0\nContent-Type: text/html\n\n"
          b"<a href='http://h.example/'>new <b>menu</b></a>\n\n")


def test_places(urlsift):
    subject, html = urlsift.mail(LETTER)
    check("a field", (subject.place.field, subject.place.part, subject.place.type), ("Subject", "", ""))
    check("a part", (html.place.field, html.place.part, html.place.type, html.place.attribute, html.label),
          (None, "1", "text/html", "a href", "new menu"))
    message = html.place.message
    check("a message", (message, message.subject, message.time, message.id),
          (subject.place.message, "caf\u00e9 http://s.example/", None, "1@a.example"))
    check("headers", [link.text for link in urlsift.mail(LETTER, headers="none")], ["http://h.example/"])
    check("a text is no mail", [link.place for link in urlsift.mail("http://a.example/")], [None])


class Slow(io.RawIOBase):
    """A file that counts what is read."""

    def __init__(self, data):
        super().__init__()
        self.data, self.at = data, 0

    def read(self, size=-1):
        block = self.data[self.at:self.at + size]
        self.at += len(block)
        return block


def test_streams(urlsift):
    count = 5 * (1 << 18) // len(LETTER)
    file = Slow(LETTER * count)
    links = urlsift.mail(file)
    check("the first link of a stream", next(links).place.message.number, 0)
    expect("only a block was read for it", file.at <= 1 << 18)
    small = Slow(LETTER)
    small.read = lambda size: Slow.read(small, min(size, 10))
    check("a file that gives a few bytes at a time", [link.place.part for link in urlsift.mail(small)],
          [link.place.part for link in urlsift.mail(LETTER)])
    for first in [None], [None, b"x"], [None, b"x" * (1 << 18)]:
        for kind in "auto", "text":
            blocks = first[:]
            small.read = lambda size: blocks.pop()
            raises(f"a file that does not wait, {kind}", BlockingIOError, lambda: list(urlsift.mail(small, kind=kind)))
    for kind in "auto", "text":
        blocks = [memoryview(b"/x "), bytearray(b"http://a.example")]
        small.read = lambda size: blocks.pop() if blocks else b""
        check(f"blocks of other types, {kind}", [link.text for link in urlsift.mail(small, kind=kind)], ["http://a.example/x"])
        small.read = lambda size: "http://a.example/"
        raises(f"blocks of str, {kind}", TypeError, lambda: list(urlsift.mail(small, kind=kind)))
    rest = list(links)
    check("the other links", (len(rest), rest[-1].place.message.number), (2 * count - 1, count - 1))
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("box", "text", "none")]
        for path, data in zip(paths, (LETTER * 2, b"www.b.example", b"")):
            write(path, data)
        found = list(urlsift.find_all(paths))
        check("find_all", [(os.path.basename(link.source), link.text) for link in found],
              [("box", "http://s.example/"), ("box", "http://h.example/")] * 2 + [("text", "www.b.example")])
        for module in (gzip, bz2, lzma):
            packed = folder + "/packed"
            with open(packed, "wb") as file:
                file.write(module.compress(b"see http://a.example/x\n" * 1000))
            check(f"find_all of {module.__name__}", [link.text for link in urlsift.find_all(packed)], ["http://a.example/x"] * 1000)
            with open(packed, "rb+") as file:
                file.truncate(os.path.getsize(packed) - 8)
            said(f"damaged {module.__name__}", packed, lambda: list(urlsift.find_all(packed)))
        with open(packed, "wb") as file:
            file.write(gzip.compress(b"x")[:-8] + bytes(8))
        said("a checksum", packed, lambda: list(urlsift.find_all(packed)))
        with open(packed, "wb") as file:
            file.write(b"BZh91AY http://a.example/")
        said("the beginning of bzip2", packed, lambda: list(urlsift.find_all(packed)))
        with open(packed, "wb") as file:
            file.write(b"BZhang http://a.example/")
        check("a text", [link.text for link in urlsift.find_all(packed)], ["http://a.example/"])
        number = os.open(packed, os.O_RDONLY)
        for wrong in [number], bytes([number]), [packed.encode()]:
            raises(f"no path: {wrong}", TypeError, lambda: list(urlsift.find_all(wrong)))
        os.close(number)
        for archive, mode in (("tar", "w"), ("tgz", "w:gz")):
            with tarfile.open(f"{folder}/x.{archive}", mode) as tar:
                tar.add(paths[0], "box")
        with zipfile.ZipFile(folder + "/x.zip", "w") as zipped:
            zipped.write(paths[0], "box")
        for archive in ("x.tar", "x.tgz", "x.zip"):
            raises(archive, OSError, lambda: list(urlsift.find_all(folder + "/" + archive)))
        expect("an archive as text", list(urlsift.find_all(folder + "/x.tar", kind="text")))
        raises("a file that does not exist", FileNotFoundError, lambda: list(urlsift.find_all([folder + "/x"])))


def test_unread(urlsift):
    """Files that only the command reads, and those that look like them."""
    page = (b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://page.example/\r\n"
            b"Content-Type: text/plain\r\nContent-Length: 18\r\n\r\nhttp://a.example/\n\r\n\r\n")
    table = b"n,link,note\n1,http://a.example/,b\n"
    with tempfile.TemporaryDirectory() as folder:
        def links(name, **options):
            return [link.text for link in urlsift.find_all(os.path.join(folder, name), **options)]

        for magic in (b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18\4\0\0\0", b"\x5d\x2a\x4d\x18", b"\x04\x22\x4d\x18",
                      b"\x02\x21\x4c\x18", b"LZIP\1", b"\x1f\x9d", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\7"):
            write(folder + "/packed", magic + bytes(9))
            for kind in "auto", "text":
                raises(f"packed: {magic}, {kind}", OSError, lambda: links("packed", kind=kind))
        for name, data in (("x.warc", page), ("x.warc.gz", gzip.compress(page)), ("x.warc.xz", lzma.compress(page)),
                           ("x.csv", table), ("X.CSV", table), ("x.csv.gz", gzip.compress(table)),
                           ("y.csv", gzip.compress(table))):
            path = pathlib.Path(folder, name)
            write(path, data)
            raises(name, OSError, lambda: links(name))
            raises(f"mail of {name}", OSError, lambda: list(urlsift.mail(path)))
            expect(f"{name} as text", links(name, kind="text"))
            command = subprocess.run([URLSIFT, "list", path], stdout=subprocess.PIPE, timeout=HANG, check=False)
            check(f"what the command finds in {name}", command.stdout, b"http://a.example/\n")
        for name, data in (("x.tsv", table), ("x.csv.old", table), ("x.csv2", table), ("mail.csv", LETTER),
                           ("warc", b"see WARC/1.0 http://a.example/"), ("name", b"WARC/x.y http://a.example/"),
                           ("lzip", b"LZIP http://a.example/")):
            write(os.path.join(folder, name), data)
            expect(name, links(name))
        for charset in "utf-16le", "utf-16be":
            write(folder + "/wide", "http://a.example/ \u00fc".encode(charset))
            check(charset, links("wide", charset=charset), ["http://a.example/"])


def said(name, path, call):
    """Whether it fails as a file does, and the message has the path once."""
    try:
        why = call()
    except OSError as error:
        why = str(error)
    check(name, why.count(path) if isinstance(why, str) else why, 1)


def raises(name, error, call):
    try:
        call()
        expect(name, False)
    except error:
        expect(name, True)


def test_text(urlsift):
    text = "\u00e4 \U0001f600 <URL:http://a.example/x-\n  y> \u00e4 www.b.example"
    first, second = urlsift.find(text)
    expect("indices of a str", [text[s:e] for s, e in first.parts] == ["http://a.example/x-", "y"])
    expect("start and end of a str", text[first.start:first.end].startswith("http://a.example/x-")
           and text[first.start:first.end].endswith("y"))
    expect("indices of a str, later", [text[s:e] for s, e in second.parts] == ["www.b.example"])
    expect("alternates", [(a.text, a.why) for a in first.alternates] == [("http://a.example/xy", "hyphen")])
    expect("a supplied scheme", second.target == "http://www.b.example" and second.linkable and second.line == 2)
    expect("no link", urlsift.find("") == [] and urlsift.find(b"") == [] and urlsift.find("\udc80") == [])
    expect("an option", [link.text for link in urlsift.find("a@b.example", email=True)] == ["a@b.example"])
    based, = urlsift.find("<URL:../c>", base="http://a.example/b/d")
    expect("a base", based.target == "http://a.example/c")
    text = "\udc80\ud83d <http://a.example/x> \ud83d\ude00"
    found, = urlsift.find(text)
    expect("indices beside lone surrogates", [text[s:e] for s, e in found.parts] == ["http://a.example/x"])
    expect("lone surrogates", "\ufffd\ufffd &lt;" in urlsift.linkify(text) and "\u00ed" not in urlsift.linkify(text))
    expect("bytes of other types", len(urlsift.find(memoryview(b"http://a.example/"))) == 1)
    for call, argument in ((urlsift.find, "text"), (urlsift.linkify, "text"), (urlsift.mail, "data"),
                           (urlsift.explain, "url")):
        for value in (5, None):
            try:
                why = call(value)
            except (TypeError, AttributeError) as error:
                why = f"{type(error).__name__}: {error}"
            check("what is no text", why, f"TypeError: {argument}: {type(value).__name__} is neither str nor bytes",
                  at=call.__name__)
    with open(__file__, encoding="utf-8") as text:
        raises("mail of a file that is open as text", TypeError, lambda: urlsift.mail(text))
    message = email.message.EmailMessage()
    message["Subject"] = "pears"
    message.set_content("http://a.example/\u00e4\n", cte="base64")
    found = [(link.text, link.place.message.subject) for link in urlsift.mail(message)]
    check("mail of an email.message", found, [("http://a.example/\u00e4", "pears")])
    message = email.message_from_string("From: ada@a.example\nSubject: s\n\nhttp://a.example/\u00fc\n")
    check("mail of a message made from a str", [link.text for link in urlsift.mail(message)], ["http://a.example/\u00fc"])
    reply = os.path.join(TOP, "testdata", "readme", "reply.eml")
    check("mail of a path", list(urlsift.mail(pathlib.Path(reply))), list(urlsift.find_all(reply)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for name, warned in ((reply, 1), ("no.eml", 2), ("http://a.example/x.eml", 2), ("x.eml\n", 2), (__file__, 2)):
            list(urlsift.mail(name))
            check("mail of the name of a file", len(caught), warned, name)
    expect("mail of a line of text", [link.text for link in urlsift.mail("http://a.example/\0")] == ["http://a.example/"])
    for call in (urlsift.find, urlsift.linkify):
        raises("the charset of a str", ValueError, lambda: call("x", charset="latin1"))
    raises("the charset of a message in a str", ValueError, lambda: list(urlsift.mail("x", charset="latin1")))
    latin, = urlsift.find(b"http://a.example/\xe4", charset="iso-8859-1")
    expect("a charset", latin.text == "http://a.example/\u00e4")
    rule, = urlsift.find("see bug 12", rules=r"bug (\d+) => https://bugs.example/$1")
    check("a rule", (rule.target, rule.convention), ("https://bugs.example/12", "rule"))
    listed = urlsift.find("see bug 12", rules=["# bugs", r"bug (\d+) => https://bugs.example/$1"])
    check("rules in a list", listed, [rule])
    for wrong, text in [({"attributes": {}}, "there is no option 'attributes'"), ({"rules": {}}, "rules: dict is not str"),
                        ({"rules": [1]}, "rules: list is not str"), ({"base": 1}, "base: int is not str"),
                        ({"email": "yes"}, "email: 'yes' is neither a boolean nor a whole number"),
                        ({"max_url": [1]}, "max_url: [1] is neither a boolean nor a whole number")]:
        for call in (urlsift.find, urlsift.linkify):
            try:
                why = call("x", **wrong)
            except TypeError as error:
                why = str(error)
            check("an option of a wrong type", why, text, at=call.__name__)
    expect("the version", re.fullmatch(r"\d+\.\d+\.\d+", urlsift.version()))
    for wrong, error in [({"max_url": 1}, ValueError),
                         ({"rules": "("}, ValueError),
                         ({"base": "x"}, ValueError), ({"join": "x"}, ValueError), ({"none": 1}, TypeError),
                         ({"max_url": 2**64 + 100}, ValueError)]:
        raises(f"find: {wrong}", error, lambda: urlsift.find("", **wrong))
    try:
        why = str(urlsift.find("x", rules="a => http://a.example/\na(b => c"))
    except ValueError as error:
        why = str(error)
    check("a fault in a rule", why, "rules, line 2: missing closing parenthesis")
    raises("find: an unknown charset", ValueError, lambda: urlsift.find(b"", charset="no-such"))
    for wrong, error in [({"kind": "x"}, ValueError), ({"headers": "x"}, ValueError), ({"none": 1}, TypeError)]:
        raises(f"mail: {wrong}", error, lambda: list(urlsift.mail(b"", **wrong)))


class Anchors(HTMLParser):
    """Notes what is in a fragment beside text and anchors that may be followed."""

    def __init__(self):
        super().__init__()
        self.other, self.depth = [], 0

    def handle_starttag(self, tag, attrs):
        if tag == "bdi" and not attrs:
            return
        self.depth += 1
        if tag != "a" or [name for name, _ in attrs] != ["href", "rel"] or self.depth > 1 or \
                re.match("javascript:|data:|vbscript:", attrs[0][1]):
            self.other.append((tag, attrs))

    def handle_endtag(self, tag):
        self.depth -= tag != "bdi"

    def handle_comment(self, data):
        self.other.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def test_hostile(urlsift):
    for path in sorted(glob.glob(os.path.join(TOP, "testdata", "*", "*.*"))):
        with open(path, "rb") as file:
            html = urlsift.linkify(file.read(), email=True, domains=True)
        parser = Anchors()
        parser.feed(html)
        parser.close()
        check(f"linkify: {path}", (parser.other, parser.depth, re.findall("[\0-\x08\x0b-\x1f\x7f]", html)), ([], 0, []))


def test_linkify(urlsift):
    check("linkify", urlsift.linkify("5 < 6, says http://a.example/?x&y \u00e4"),
          '5 &lt; 6, says <a href="http://a.example/?x&amp;y" rel="nofollow noopener noreferrer ugc">'
          'http://a.example/?x&amp;y</a> \u00e4')
    check("linkify: an option", urlsift.linkify("a@b.example", email=True).count("mailto:"), 1)


def test_options_kept(urlsift):
    """Options last as long as a call, whatever other threads ask for meanwhile."""
    call, kept, seen = urlsift._find, weakref.ref(urlsift._options({"email": True})), []

    def find(*arguments):
        urlsift._kept_options.cache_clear()
        gc.collect()
        seen.append(kept() is not None)
        return call(*arguments)
    urlsift._find = find
    check("found with such options", [link.text for link in urlsift.find("a@b.example", email=True)], ["a@b.example"])
    urlsift._find = call
    gc.collect()
    check("options are there during a call, and not after it", (seen, kept()), ([True], None))


def test_option_types(urlsift):
    """A value of another type that compares equal is refused after the right one, too."""
    urlsift.find("x", max_url=64)
    for value in 64.0, [64]:
        try:
            seen = urlsift.find("x", max_url=value)
        except TypeError as why:
            seen = type(why)
        check(f"max_url={value!r} after 64", seen, TypeError)


def test_explain(urlsift):
    done = subprocess.run([URLSIFT, "explain", "--json", "http://a@[::1]:80/"], capture_output=True, timeout=HANG)
    wanted = next(record for record in map(json.loads, done.stdout.splitlines()) if record["type"] != "summary")
    check("explain", urlsift.explain("http://a@[::1]:80/"), {"warnings": [], **wanted})
    check("explain: no warnings", urlsift.explain("http://a.example/")["warnings"], [])


def builder():
    """A Python that can build a wheel without network, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and not subprocess.run([python, "-c", "import setuptools, pip, venv, wheel"],
                                                         capture_output=True, timeout=HANG).returncode:
            return python
    return None


def test_wheel():
    if not LONG:
        return
    python = builder()
    if not python:
        skip("the wheel", "pip, setuptools, venv or wheel is missing")
        return
    env = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    del env["URLSIFT_LIBRARY"]
    with tempfile.TemporaryDirectory() as folder:
        venv = os.path.join(folder, "venv", "bin", "python")
        test = "import urlsift; print([link.target for link in urlsift.find('www.a.example')], urlsift.__file__)"
        for command in ([python, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", folder, MODULE],
                        [python, "-m", "venv", os.path.join(folder, "venv")],
                        [venv, "-m", "pip", "install", "-q", "--find-links", folder, "urlsift"]):
            done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, timeout=HANG)
            check(" ".join(command[1:4]), (done.returncode, done.stderr if done.returncode else ""), (0, ""))
        done = subprocess.run([venv, "-c", test], env=env, cwd=folder, capture_output=True, text=True, timeout=HANG)
        expect(f"the wheel works: {done.stdout}{done.stderr}",
               done.stdout.startswith("['http://www.a.example'] " + folder))
    left = [name for name in os.listdir(MODULE) if name not in ("urlsift", "pyproject.toml", "setup.py")]
    check("nothing is left in the source", left, [])


def test_types():
    if not shutil.which("mypy"):
        skip("the types of the Python module", "mypy is not installed")
        return
    done = subprocess.run(["mypy", "--strict", "--cache-dir=" + os.devnull, os.path.join(MODULE, "urlsift")],
                          capture_output=True, text=True, timeout=HANG)
    check("mypy --strict", (done.returncode, done.stdout if done.returncode else ""), (0, ""))


def test_option_texts(urlsift):
    """docs/library.md has a row for each option, and help() says where they stand."""
    manual = read(os.path.join(TOP, "docs", "library.md")).decode()
    rows = "".join(re.findall(r"^\| (`.*?) \|", manual, re.M))
    further = ["kind", "headers", "message_ids", "resources", "repeated"]
    options = [*urlsift._OPTIONS, "charset", "base", "rules", *further]
    check("options in library.md", sorted(re.findall("`(\\w+)`", rows.replace("`mail`", "").replace("`find_all`", ""))),
          sorted(options))
    check("options in help(urlsift)", [name for name in options if name not in further
                                       and not re.search(rf"\b{name}\b", urlsift.__doc__)], [])
    check("options in help(urlsift.mail)", [name for name in further if not re.search(rf"\b{name}\b", urlsift.mail.__doc__)], [])
    for function in urlsift.find, urlsift.linkify, urlsift.mail, urlsift.find_all:
        expect(f"help({function.__name__}) says where the options stand",
               re.search(r"help\(urlsift(\.mail)?\) has the options", function.__doc__))


def test_one_path(urlsift):
    """A path alone is one file, not its characters."""
    path = os.path.join(TOP, "testdata", "readme", "reply.eml")
    check("find_all of a path", list(urlsift.find_all(path)), list(urlsift.find_all([path])))


def main():
    urlsift = load()
    if urlsift:
        test_numbers(urlsift)
        test_cases(urlsift)
        test_mail(urlsift)
        test_places(urlsift)
        test_streams(urlsift)
        test_unread(urlsift)
        test_text(urlsift)
        test_linkify(urlsift)
        test_options_kept(urlsift)
        test_option_types(urlsift)
        test_hostile(urlsift)
        test_explain(urlsift)
        test_one_path(urlsift)
        test_option_texts(urlsift)
        test_wheel()
    test_types()
    finish()


main()
