#!/usr/bin/env python3
"""Output is bounded: a page, a folder of pages and the JSON of any input are at most as many times its size as --limits
says.

Every family of growth_test.py and those below, which aim at what output repeats: the target of a broken link, the
warnings of a link, the texts of a message, names of fields and parts. SIZE_REPORT prints the largest factors.
"""
import os
import shutil
import string
import subprocess

import growth_test
from testlib import HANG, URLSIFT, expect, finish, skip, temporary_folder

TOP = growth_test.TOP
SIZE = 8_000
CONSTANT = 8192  # a page without text
WIDE = ["--email", "--domains", "--headers=all", "--message-ids", "--join=likely", "--resources"]
DEEP = ["--context=100", "--unwrap", "--refang", "--hyphen=both"]
WAYS = {"json": ["list", "--json", *WIDE, *DEEP], "html": ["html", *WIDE]}

MANY_WARNINGS = "<http://a:b@127.1:1/%00>\n"


def broken(end, unit, parts=16):
    """A link in brackets of `parts` lines, the last of which has `unit` 100 times."""
    return "<http://a.example/" + "\n".join("a" * parts) + unit * end + ">\n"


def message(value, body, fields=("From", "Subject", "Date", "Newsgroups")):
    return "".join(f"{name}: {value}\n" for name in fields) + f"Message-ID: <{value}>\nList-Id: <{value}>\n\n" + body


def own_families():
    """(name, bytes)."""
    for unit in "a", "'", "&", "\x80", "\u00e9", "\u4e16", "\U0001f600", "\u202e", "\"":
        code = "latin-1" if unit == "\x80" else "utf-8"
        for end in 1, 20, 40, 60, 80, 110, 200, 300, 500, 1000, 20000:
            yield f"broken link, {end} of {unit!a}", (broken(end, unit) * (1 + SIZE // (end + 50))).encode(code)
    for unit in (MANY_WARNINGS, "<a:b> ", "a.de ", "a@b.de ", "x:/ ", "http:a ", "<javascript:-\na>\n",
                 "<http://a:b@127.1:1/%00\nb\nc\nd\ne\nf\ng\nh\ni\nj>\n", "<http://\u0430b\u202e.a:1/%00>\n", ">\n", "> >\n", "\u202e\n",
                 "www.a.example <http://b.example>\n", "&", "\"", "\x01", "<URL:a\n-b\n-c\n-d->\n", "http://[ ", "http://a.b/[ ",
                 "<http://a/" + "-\n" * 16 + "a>\n"):
        yield f"links {unit[:20]!a}", (unit * (SIZE // len(unit))).encode()
        yield f"links {unit[:20]!a} in mail", message("s", unit * (SIZE // len(unit))).encode()
        for value in ("\"" * 80, "\"" * 90, "x" * 170, "\u202e" * 60, "\"" * 5000):
            yield f"links {unit[:20]!a}, {value[0]!a} in the header", message(value, unit * (2 * len(value) // len(unit) + 3000)).encode()
        yield f"links {unit[:20]!a} in a long field", f"From: a\nSubject: b\nX{'y' * 200}: {unit.replace(chr(10), ' ') * 2000}\n\n".encode()
    for unit in "a.de\x7f", "a.de\\", "\u00fc.de\x7f", "\u00fc.de\x81", "\u00b2.de\x7f":
        for times in 70, 80, 84, 88:
            text = message("\"" * times, unit * 3000)
            yield f"links {unit!a}, {times} quotation marks in the header", text.encode("latin-1")
    yield "messages", b"From a\n\n" * 1000
    yield "messages with links", b"From a\n\na.de\n" * 1000
    yield "messages of an mbox", b"From a Mon Jan  1 00:00:00 2024\nTo:a\n\na.de\n" * 500
    deep = "From: a\nSubject: b\nContent-Type: multipart/mixed; boundary=b\n\n" + "--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 3
    yield "parts", (deep + "--b\n\na.de\n" * 2000).encode()
    nested = "From: a\nSubject: b\n" + "".join(f"Content-Type: multipart/mixed; boundary={i}\n\n--{i}\n" for i in range(99))
    yield "deep parts", (nested + "\n" + "--98\n\na.de\n" * 3000).encode()
    page = "From: a\nSubject: b\nContent-Type: text/html\n\n"
    for base in "a" * 980, "'" * 110, "\u00e9" * 55, "a%41" * 240:
        yield f"page with base {base[:4]!a}", (page + f'<base href="http://a.example/{base}/">' + "<a href=a>x" * 3000).encode()
        yield f"header with base {base[:4]!a}", f"From: a\nSubject: b\nContent-Base: http://a.example/{base}/\n\n{'<URL:a>' * 3000}".encode()
    for unit in "<a href=a:b>x</a>", "<a href=a:b>", "<img src=//a>", "<a href=a>x", "<q cite=a:b>", "<a href=a:b>" + "&#8238;" * 100, "<br>", "<li>":
        yield f"page of {unit!a}", (page + "<base href=http://a.example/>" + unit * (SIZE // len(unit))).encode()


def families():
    for name in "families.json", "mail_families.json":
        for family in growth_test.read_families(os.path.join(TOP, "tests", name)):
            yield family["id"], growth_test.family_bytes(family, SIZE)
    yield from own_families()


def archives():
    """The same of mailboxes whose links and messages make pages, and are repeated on others."""
    names = [a + b + ".tv" for a in string.ascii_lowercase for b in string.ascii_lowercase + string.digits]
    heads = "From a@b Mon Jan  3 10:00:00 2000\nFrom: {0} <a@b>\nDate: Mon, 3 Jan 2000 10:00:00 +0000\nSubject: {1}\n"
    full = heads.format("\"" * 100, "\"" * 200) + "Message-ID: <" + "\"" * 190 + "@x>\n"
    bare = heads.format("a", "s")
    yield "hosts", full + "\n" + " ".join(names) + "\n\n"
    yield "addresses of a host", full + "\n" + " ".join(f"tv.tv/{i:x}" for i in range(2000)) + "\n\n"
    reply = bare + "Message-ID: <%d@x>\nIn-Reply-To: <" + "\"" * 190 + "@x>\n\n\n"
    yield "replies", full + "\n\n" + "".join(reply % i for i in range(100))
    small = "From a@b Mon Jan  3 10:00:00 2000\nFrom:%d\nDate:\n\n"
    yield "small messages", "".join(small % i for i in range(500))


def folder_size(folder):
    return sum(os.path.getsize(os.path.join(path, name)) for path, _, names in os.walk(folder) for name in names)


def stated():
    limits = subprocess.run([URLSIFT, "--limits"], capture_output=True, text=True, timeout=HANG).stdout
    rows = [line.split() for line in limits.splitlines()]
    return {kind: next(int(row[1]) for row in rows if row[0] == kind + "-growth") for kind in [*WAYS, "pages"]}


def main():
    most = stated()
    largest = {kind: [] for kind in most}
    with temporary_folder():
        for name, data in families():
            with open("f", "wb") as file:
                file.write(data)
            for kind, args in WAYS.items():
                out = subprocess.run([URLSIFT, *args, "f"], capture_output=True, timeout=HANG).stdout
                factor = (len(out) - CONSTANT) / len(data)
                largest[kind].append((factor, name))
                expect(f"{name}: {kind} is {factor:.0f} times the input, at most {most[kind]}", factor <= most[kind])
        for name, text in archives():
            with open("f", "w", encoding="ascii") as file:
                size = file.write(text)
            command = [URLSIFT, "html", "--domains", "-o", "site", "f"]
            if subprocess.run(command, timeout=HANG, check=False).returncode == 1:
                skip("pages", "SQLite is not built in")
                break
            factor = (folder_size("site") - 5 * CONSTANT) / size
            largest["pages"].append((factor, name))
            expect(f"{name}: pages are {factor:.0f} times the input, at most {most['pages']}", factor <= most["pages"])
            shutil.rmtree("site")
    if os.environ.get("SIZE_REPORT"):
        for kind, all_of in largest.items():
            for factor, name in sorted(all_of, reverse=True)[:12]:
                print(f"{kind}: {factor:6.1f} {name}")
    finish()


main()
