#!/usr/bin/env python3
"""urlsift html -o DIR: a folder of pages (urlsift-archives(7)).

As a module: check_site(folder) returns
the complaints about all pages of a folder.
"""
import errno
import fcntl
import functools
import glob
import hashlib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
from html import unescape
from xml.etree import ElementTree
from urllib.parse import unquote

from testlib import FAST, HANG, LONG, NIGHT, TOP, URLSIFT, check, finish, preload, read, run_captured, run_text, seeded, skip, sql

NAMES = re.compile(r"(index|links(-\d+)?|([mh]/[0-9a-f]{16}|h/letter-\d\d)(-\d+)?|"
                   r"(date|thread|author)/(\d{4}-\d\d|undated)(-\d+)?)\.html|style\.css|feed\.xml")
SCHEMES = "http https ftp mailto news nntp gopher telnet irc ircs xmpp tel sip".split()
# Every element that may occur, with what its attributes may hold.
ELEMENTS = {
    "html": {"lang": "en"}, "head": {}, "title": {}, "body": {}, "header": {}, "main": {}, "h1": {},
    "h2": {"id": "h[0-9a-f]{16}|newest"}, "h4": {},
    "meta": {"charset": "utf-8", "http-equiv": "x-dns-prefetch-control|Content-Security-Policy|refresh", "name": "viewport|color-scheme",
             "content": r"[^<>]*"},
    "link": {"rel": "stylesheet|prev|next|alternate", "type": r"application/atom\+xml",
             "href": r"(\.\./)?style\.css|feed\.xml|[0-9a-z-]+\.html"},
    "nav": {"id": "outline", "aria-label": "Archive|Messages of this thread"}, "ol": {"class": "outline"}, "ul": {"class": "w"},
    "li": {"class": "d[0-8]", "id": r"\S+"}, "p": {"class": "steps|by"}, "span": {"class": "by|w|q q[1-5]", "hidden": ""},
    "time": {"datetime": r"\d{4}-\d\d-\d\dT\d\d:\d\dZ"}, "bdi": {"class": "w|w t"}, "details": {}, "summary": {"class": "w"}, "dl": {}, "dt": {}, "dd": {},
    "article": {"class": "m", "id": r"\S+"},
    "h3": {"class": "w", "id": "h[0-9a-f]{16}"}, "pre": {"class": "urlsift( f)?", "lang": "[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*"},
    "a": {"class": "t", "href": ".+", "rel": "nofollow noopener noreferrer ugc", "title": "Warning: .+"},
    "table": {}, "thead": {}, "tbody": {}, "tr": {}, "td": {}, "th": {"scope": "col|row"},
}
TOKEN = re.compile(r"""<[^<>]+>|(?:&(?:amp|lt|gt|\#34|\#39);|[^<>&\x00-\x08\x0b-\x1f\x7f-\x9f])+""")
START_TAG = re.compile(r"""<([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*)>""")
ATTRIBUTE = re.compile(r"""([a-z-]+)(?:="([^"]*)")?""")
HEADINGS = {"h1", "h2", "h3", "h4"}


REFRESH = b'http-equiv="refresh"'


@functools.cache
def start_tag(token):
    """The element of a start tag, its attributes as a dict, and what is wrong with it; None when it is none."""
    tag = START_TAG.fullmatch(token)
    if not tag:
        return None
    rules, attrs = ELEMENTS.get(tag[1]), [(name, unescape(value)) for name, value in ATTRIBUTE.findall(tag[2])]
    wrong = [f"<{tag[1]} {name}={value!r}>" for name, value in attrs
             if rules is None or not re.fullmatch(rules.get(name, "(?!)"), value, re.S)]
    if rules is None:
        wrong.append(f"<{tag[1]}>")
    if len(dict(attrs)) != len(attrs):
        wrong.append(f"an attribute twice: {token}")
    return tag[1], dict(attrs), wrong


class Page:
    """A page, read as urlsift writes it."""
    def __init__(self, html):
        self.complaints, self.stack, self.ids, self.links, self.headings = [], [], [], [], []
        tokens = TOKEN.findall(html)
        if "".join(tokens) != html:
            self.complaints.append("a raw character")
        for token in tokens:
            if token[0] != "<":
                self.text(unescape(token))
            elif token[1] == "/":
                if not self.stack or self.stack.pop() != token[2:-1]:
                    self.complaints.append(token)
            elif token != "<!DOCTYPE html>":
                self.start(token)
        if self.stack:
            self.complaints.append(f"open: {self.stack}")

    def start(self, token):
        found = start_tag(token)
        if not found:
            self.complaints.append(f"no tag: {token}")
            return
        tag, values, wrong = found
        self.complaints += wrong
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append((values.get("href", ""), "rel" in values))
            if "a" in self.stack:
                self.complaints.append("<a> in <a>")
        if tag in HEADINGS:
            self.headings.append([int(tag[1]), ""])
        if tag not in ("meta", "link"):
            self.stack.append(tag)

    def text(self, data):
        if not HEADINGS.isdisjoint(self.stack):
            self.headings[-1][1] += data

    def shape(self):
        """The rules of structure that the page breaks."""
        levels = [level for level, _ in self.headings]
        if levels.count(1) != 1 or levels[0] != 1:
            yield "not one h1 at the beginning"
        if any(b > a + 1 for a, b in zip(levels, levels[1:])):
            yield "a heading level is left out"
        if len(set(self.ids)) != len(self.ids):
            yield "an id twice"
        if any(not text.strip() for _, text in self.headings):
            yield "an empty heading"


@functools.cache
def parsed(content):
    """The page of these bytes, which many folders have."""
    return Page(content.decode("utf-8"))


def read_site(folder):
    """The pages, without the plan."""
    site = {}
    for path, folders, files in os.walk(folder):
        if ".urlsift" in folders:
            folders.remove(".urlsift")
        for name in files:
            full = os.path.join(path, name)
            site[os.path.relpath(full, folder)] = read(full)
    return site


def threads(site):
    """The names of the pages of threads."""
    return [name for name, content in site.items() if name.startswith("m/") and REFRESH not in content]


def check_site(folder):
    """Complaints about names, markup, structure and links of all pages."""
    site = read_site(folder)
    pages, complaints = {}, []
    for name, content in site.items():
        if not NAMES.fullmatch(name):
            complaints.append(f"{name}: the name")
        if name.endswith(".html"):
            page = pages[name] = parsed(content)
            shape = [] if REFRESH in content else list(page.shape())
            complaints += [f"{name}: {what}" for what in page.complaints + shape]
    for name, page in pages.items():
        for href, foreign in page.links:
            if foreign:
                if href.split(":")[0].lower() not in SCHEMES or re.search("[^!-~]", href):
                    complaints.append(f"{name}: link to {href!r}")
                continue
            path, _, fragment = href.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if target not in site:
                complaints.append(f"{name}: no page for {href!r}")
            elif fragment and (target not in pages or unquote(fragment) not in pages[target].ids):
                complaints.append(f"{name}: no anchor for {href!r}")
    reached, new = set(), {"index.html"}
    while new:
        name = new.pop()
        reached.add(name)
        for href, foreign in pages[name].links if name in pages else []:
            target = os.path.normpath(os.path.join(os.path.dirname(name), href.partition("#")[0]))
            if not foreign and href[:1] != "#" and target not in reached:
                new.add(target)
    complaints += [f"{name}: no link leads there" for name in pages
                   if name not in reached and b"have moved:" not in site[name] and REFRESH not in site[name]]
    return complaints


# ---- Archives ------------------------------------------------------------------------

def message(number, subject, ident="", refs=(), reply="", body="", date=None, more="", author="Ada Writer"):
    utc = time.gmtime(1e9 + 86400 * number)
    lines = [f"From: {author} <ada@a.example>", f"Subject: {subject}"]
    if date != "":
        lines.append("Date: " + (date or time.strftime("%a, %d %b %Y %H:%M:%S +0000", utc)))
    if ident is not None:
        lines.append(f"Message-ID: <{ident or '%d@a.example' % number}>")
    if refs:
        lines.append("References: " + "\n ".join(f"<{r}>" for r in refs))
    if reply:
        lines.append(f"In-Reply-To: <{reply}>")
    body = body or f"Text of {number}, http://host{number % 7}.example/{number % 3}\n"
    return ("\n".join(lines) + "\n" + more + "\n" + body).encode("utf-8", "surrogateescape")


THREADS = [
    message(1, "First"), message(2, "Re: First", refs=["1@a.example"]),
    message(3, "Re: First", refs=["1@a.example", "2@a.example"],
            body="> quoted http://q.example/\n\nSee mid:2@a.example\n"),
    message(4, "Re: First", reply="2@a.example"),
    message(5, "Lonely", body="no link\n"),
    message(6, "Re: Lonely", body="joined by its subject\n"),
    message(7, "Re: other", refs=["gone@a.example", "also-gone@a.example"]),
    message(8, "Re: other", refs=["gone@a.example"]),
    message(9, "Undated", date=""), message(10, "Broken date", date="yesterday"),
    message(11, "No id", ident=None), message(12, "No id", ident=None, body="other\n"),
    message(13, "Language", more="Content-Type: text/plain; charset=koi8-r\n"),
    message(14, "Language", more="Content-Language: pt-BR, en\n"),
    message(15, "Language", more='Content-Language: x"><script>\n'),
    message(200, "Much later", body="mid:1%40a.example and mid:nowhere@a.example and mid:5@a.example/part\n"),
]
HOSTILE = [
    message(20, "../../etc/passwd", ident="../../../x@y"),
    message(21, "<script>alert(1)</script> \"'&", ident="a\"b'c<d>&e@x.example"),
    message(22, "long", ident="l" * 10000 + "@a.example"), message(23, "Re: long", refs=["l" * 10000 + "@a.example"]),
    message(24, "loop", ident="loop1@a.example", refs=["loop2@a.example"]),
    message(25, "loop", ident="loop2@a.example", refs=["loop1@a.example"]),
    message(26, "self", ident="self@a.example", refs=["self@a.example"]),
    message(27, "index", ident="index"), message(28, "main", ident="main"),
    message(29, "", author="", ident="%2e%2e%2f@x.example"), message(30, "x" * 1500, author="y" * 300),
    message(31, "\u202eright to left", body="\u202e mid:1@a.example\n> \u202emid:2@a.example x\n"),
    message(32, "forged", ident="1@a.example"),
    message(5, "Lonely", body="Text of 80, which another text replaces\n", more="Cc: eve@a.example\n"),
    message(5, "Lonely", body="no link\n", more="Cc: a copy to eve@a.example\n"),
    *(message(n, f"of one Message-ID {n}", ident="same@a.example") for n in range(40, 60)),
    message(33, "javascript", body="javascript:alert(1) <URL:javascript:x>\n"),
    message(34, "html", more="Content-Type: text/html\n",
            body="<h1 id=main onclick=x>t</h1><a href='http://h.example/'>anchor</a><script>x</script>\n"),
    message(35, "digest", more="Content-Type: multipart/mixed; boundary=b\n",
            body="--b\nContent-Type: message/rfc822\n\n" + message(36, "inner", refs=["1@a.example"]).decode()
            + "\n--b--\n"),
    message(37, "control \x07\x1b[2J", body="\x00\x01\x1b]0;x\x07 http://c.example/\x7f\n"),
    message(38, "Re: Re[2]: [tag] AW: ", refs=["x y z", "@", "<>"]),
]


# After these the links of earlier messages are on pages of hosts.
LATER = [message(n, f"Later {n}", body="".join(f"http://later.example/{n}/{i}\n" for i in range(800))) for n in (5000, 5001)]


def mbox(messages):
    return b"".join(b"From x@y Mon Jan  1 00:00:00 2024\n" + m + b"\n" for m in messages)


def write(path, messages):
    with open(path, "wb") as file:
        file.write(mbox(messages))
    return path


def run(*args, env=None):
    return run_text("html", *args, env=env)


def stamps(folder):
    return {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in read_site(folder)}


def test_whole(tmp):
    out, source = os.path.join(tmp, "out"), write(os.path.join(tmp, "all"), THREADS + HOSTILE)
    check("it succeeds and prints nothing", run("-o", out, source)[:2], (0, ""))
    check("names, markup, structure, links", check_site(out), [])
    site = read_site(out)
    text = {name: content.decode() for name, content in site.items()}
    of_threads = [text[name] for name in threads(site)]
    def page_of(number):
        return next(page for page in of_threads if f"Text of {number}," in page)
    home = {number: page_of(number) for number in (1, 2, 4, 7, 8, 9, 11, 20, 22)}
    check("References and In-Reply-To", (home[2] == home[1], home[4] == home[1]), (True, True))
    check("siblings of a missing message", home[7] == home[8], True)
    check("a subject joins", any("no link" in p and "joined by its subject" in p for p in of_threads), True)
    check("equal subjects without Re: do not", sum("No id</bdi></h1>" in p for p in of_threads), 2)
    check("a mid: link leads to its message", '<a href="#2@a.example">mid:2@a.example</a>' in home[1], True)
    encoded = re.compile(r'<a href="[0-9a-f]{16}.html#1@a.example">mid:1%40a.example</a>')
    check("an encoded one", any(map(encoded.search, of_threads)), True)
    check("a bare one in a header field of a part", any(">1@a.example</a>" in page for page in of_threads), True)
    check("one that is not here is text", ">mid:nowhere" in "".join(of_threads), False)
    check("a forged Message-ID hides nothing", all(any(f"Text of {n}," in p for p in of_threads) for n in (1, 32)), True)
    check("nor one with the author, date and subject too",
          [sum(p.count(text) for p in of_threads) for text in ("Text of 80,", "no link\n")], [1, 1])
    check("nor do many of one", [n for n in range(40, 60) if not any(f"Text of {n}," in p for p in of_threads)], [])
    check("a message with a quoted link is listed with its host", "q.example" in text["links.html"], True)
    langs = [re.findall(r'<pre class="urlsift"( lang="[^"]*")?>', p) for p in (page_of(13), page_of(14), page_of(15))]
    check("languages", langs, [[' lang="ru"'], [' lang="pt-BR"'], [""]])
    check("months", sorted(n for n in text if n.startswith("date/")),
          [f"date/{month}.html" for month in ("2001-09", "2001-10", "2001-11", "2002-03", "undated")])
    return site


def test_order(tmp, site):
    """The order of the input does not matter, nor how often a message is there."""
    rng = random.Random(1)
    for n in range(3):
        messages = THREADS + HOSTILE + THREADS[:n]
        rng.shuffle(messages)
        out = os.path.join(tmp, f"order{n}", "out")
        os.mkdir(os.path.dirname(out))
        half = len(messages) // 2
        files = [write(os.path.join(tmp, "one"), messages[:half]), write(os.path.join(tmp, "two"), messages[half:])]
        check("in another order", run("-o", out, *files)[0], 0)
        found = read_site(out)
        check("the same pages", [k for k in site if found.get(k) != site[k]], [])


def test_attached(tmp):
    """The page of a message does not depend on the parts of the message before it."""
    digest = message(80, "digest", more="Content-Type: multipart/mixed; boundary=b\n",
                     body="--b\nContent-Type: message/rfc822\n\n" + message(81, "inner").decode() + "\n--b--\n")
    name = f"m/{hashlib.sha256(b'80@a.example').hexdigest()[:16]}.html"
    for before in ([], [message(79, "plain")]):
        out = os.path.join(tmp, f"attached{len(before)}")
        run("-o", out, write(out + ".mbox", [*before, digest]))
        check("the heading of an attached message", read_site(out)[name].count(b"Attached message"), 1, len(before))
    fields = "To: The List <list@a.example>\nCc: Grace <grace@a.example>\n"
    forwarded = message(83, "sent again", more=fields + "Content-Type: multipart/mixed; boundary=b\n",
                        body="--b\n\nFor you, too:\n--b\nContent-Type: message/rfc822\n\n"
                        + message(83, "sent again", ident="84@a.example", more=fields).decode() + "\n--b--\n")
    out = os.path.join(tmp, "forwarded")
    run("-o", out, write(out + ".mbox", [forwarded]))
    page = read_site(out)[f"m/{hashlib.sha256(b'83@a.example').hexdigest()[:16]}.html"]
    check("an attached message shows its fields, equal ones too",
          re.findall(rb"<dt>(?:<bdi>)?(\w+)(?:</bdi>)?</dt>", page.partition(b"Attached message")[2])[:5],
          [b"From", b"Date", b"Subject", b"To", b"Cc"])
    versions = message(87, "versions", more="Content-Type: multipart/alternative; boundary=b\n",
                       body="--b\n\nplain mid:1@a.example http://p.example/\n--b\nContent-Type: text/html\n\n<p>shown mid:1@a.example, <a href="
                       "'mid:1@a.example'>mid:1@a.example</a> and http://q.example/\n--b--\n")
    out = os.path.join(tmp, "versions")
    run("-o", out, write(out + ".mbox", [message(1, "first"), versions]))
    page = read_site(out)[f"m/{hashlib.sha256(b'87@a.example').hexdigest()[:16]}.html"]
    shown, _, hidden = page.partition(b"<details>")
    to = b'<a href="%s.html#1@a.example">mid:1@a.example</a>' % hashlib.sha256(b"1@a.example").hexdigest()[:16].encode()
    check("mid: links of two versions of a text", (b"shown " + to + b", " in shown, shown.count(to), b"plain mid:1@a.example <a" in hidden), (True, 2, True))
    secret = "Bcc: secret@a.example\n"
    private = message(85, "private", more=secret + "Content-Type: multipart/mixed; boundary=b\n", body=f"--b\nContent-Type: "
                      f"text/plain\n{secret}\ntext\n--b\nContent-Type: message/rfc822\n\n"
                      + message(86, "attached", more=secret).decode() + "\n--b--\n")
    out = os.path.join(tmp, "private")
    run("-o", out, write(out + ".mbox", [private]))
    check("nobody reads in pages who got a blind copy", [name for name, page in read_site(out).items() if b"secret" in page], [])
    signed = message(82, "signed twice", more=fields + "Content-Type: multipart/signed; boundary=b\n",
                     body=f"--b\nContent-Type: text/plain; protected-headers=v1\nSubject: signed twice\n{fields}\ntext\n--b--\n")
    name = f"m/{hashlib.sha256(b'82@a.example').hexdigest()[:16]}.html"
    for what, times in (b"The List", 1), (b"Grace", 1), (b"Grace of b", 1):
        out = os.path.join(tmp, "signed" + str(len(what)))
        run("-o", out, write(out + ".mbox", [signed.replace(b"\nCc: Grace", b"\nCc: " + what, 1) if what.endswith(b"b") else signed]))
        page = read_site(out)[name]
        check("protected header fields are shown once", page.count(what), times, what)
        check("those that differ are shown", page.count(b">Cc<"), 1 + what.endswith(b"b"), what)


def test_again(tmp):
    """A further run writes what changed, and nothing else."""
    out, source = os.path.join(tmp, "again"), write(os.path.join(tmp, "list"), THREADS)
    run("-o", out, source)
    before, old = stamps(out), read_site(out)
    check("the same again", run("-o", out, source)[0], 0)
    check("nothing is written", stamps(out), before)
    write(source, THREADS + [message(90, "Re: First", refs=["3@a.example"], body="new\n")])
    with open(os.path.join(out, "mine.txt"), "w", encoding="ascii") as file:
        file.write("not ours")
    check("one more", run("-o", out, source)[0], 0)
    changed = {name for name, content in read_site(out).items() if old.get(name) != content}
    written = {name for name, stamp in stamps(out).items() if before.get(name) != stamp}
    check("only what changed is written", written, changed)
    check("that is little", len([n for n in written if n.startswith("m/")]) <= 4, True)
    check("whole", [c for c in check_site(out) if "mine.txt" not in c], [])
    write(source, THREADS[:4])
    other = write(os.path.join(tmp, "other-list"), [message(91, "Other")])
    before = set(read_site(out))
    check("another source", run("-o", out, other)[0], 0)
    check("removes no page", before - set(read_site(out)), set())
    check("fewer", run("-o", out, "--prune", source)[0], 0)
    check("pages of messages that are gone are removed", len(threads(read_site(out))), 2)
    check("another file is not", read_site(out).get("mine.txt"), b"not ours")
    for name, was in (("new", None), ("new.html", None), ("old.html", b"a page")):
        name, gone = os.path.join(tmp, name), [os.path.join(tmp, "gone", str(i)) for i in range(2)]
        if was:
            with open(name, "wb") as file:
                file.write(was)
        check("no input leaves the pages as they are", (run("-o", name, *gone)[::2], os.path.exists(name) and read(name)),
              ((1, "".join(f"urlsift: {path}: No such file or directory\n" for path in gone)), was or False), name)
    check("an unreadable input", run("-o", out, os.path.join(tmp, "missing"))[0], 1)
    check("keeps the pages", len(threads(read_site(out))), 2)


def test_renamed(tmp):
    """The page of a text is named after its file, also when that is renamed; a message without a subject is not."""
    out, text, mail = (os.path.join(tmp, name) for name in ("renamed", "note.txt", "m.eml"))
    for name, data in ((text, b"see http://a.example/\n"),
                       (mail, b"From: a@b.example\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\nhttp://c.example/\n")):
        with open(name, "wb") as file:
            file.write(data)
    check("a text", run("-o", out, text, mail)[0], 0)
    for name in text, mail:
        os.rename(name, name + ".new")
    check("renamed", run("-o", out, text + ".new", mail + ".new")[0], 0)
    shown = b"".join(read_site(out).values())
    check("its page has the new name", (b"note.txt.new</" in shown, b"note.txt</" in shown, b"(no subject)" in shown), (True, False, True))


def test_store(tmp):
    """What one run does not name stays, what a source no longer holds goes, and only what is new is read."""
    def pages(folder):
        return set(threads(read_site(folder)))
    def read_of(error):
        return int(re.search(r"plan.db: read (\d+)", error)[1])
    out = os.path.join(tmp, "store")
    old = write(os.path.join(tmp, "old.mbox"), [message(n, f"Old {n}", body="http://o.example/\n") for n in range(200, 210)])
    new = write(os.path.join(tmp, "new.mbox"), [message(n, "Re: Old 201", refs=["201@a.example"]) for n in range(210, 213)])
    run("-o", out, old)
    before = pages(out)
    status, _, error = run("--summary", "-o", out, new)
    check("another source", (status, read_of(error), pages(out) >= before, check_site(out)), (0, 1, True, []))
    both = os.path.join(tmp, "both", "store")
    os.mkdir(os.path.dirname(both))
    run("-o", both, old, new)
    check("the pages are those of both", read_site(out), read_site(both))
    check("nothing new", read_of(run("--summary", "-o", out, old, new)[2]), 0)
    plan = os.path.join(out, ".urlsift", "plan.db")
    check("the plan is for nobody else", os.stat(plan).st_mode & 0o077, 0)
    check("it is an index of all messages", sql(plan, "SELECT count(*), sum(links) FROM messages"), [(13, 13)])
    check("bytes have one order", {blob for (blob,) in sql(plan, "SELECT refs FROM post WHERE refs IS NOT NULL")},
          {hashlib.sha256(b"201@a.example").digest()[7::-1]})
    check("query", [line.split("\t")[:2] for line in run_text("query", out, "hosts")[1].splitlines()][0], ["o.example", "10"])
    write(old, [message(n, f"Old {n}", body="http://o.example/\n") for n in range(200, 210) if n != 205])
    check("a message was removed from a source", run("-o", out, old)[0], 0)
    check("its page goes", (len(before - pages(out)), check_site(out)), (1, []))
    check("and its text", any(b"Old 205" in read(os.path.join(out, ".urlsift", name))
                              for name in os.listdir(os.path.join(out, ".urlsift"))), False)
    os.unlink(new)
    last = read_site(out)
    check("a source that is gone", (run("-o", out, old)[0], read_site(out)), (0, last))
    check("--prune", (run("-o", out, "--prune", old)[0], len(pages(out)), check_site(out)), (0, 9, []))
    disk = os.path.join(tmp, "disk")
    os.mkdir(disk)
    os.rename(old, os.path.join(disk, "old"))
    run("-o", out, "--prune", "-r", disk)
    last = read_site(out)
    os.rename(os.path.join(disk, "old"), old)
    for names in (disk,), (disk, os.devnull):
        status, _, error = run("-o", out, "--prune", "-r", *names)
        check(f"a folder that has nothing to read costs no page {names}", (status, read_site(out) == last), (1, True), error)
    check("a file that is gone is pruned, though nothing else is named",
          (run("-o", out, "--prune", os.path.join(disk, "old"))[0], sql(plan, "SELECT count(*) FROM messages")), (1, [(0,)]))
    run("-o", out, old)
    os.unlink(plan)
    write(new, [message(n, f"New {n}") for n in range(220, 222)])
    check("without the plan no page is removed", (run("-o", out, new)[0], len(pages(out))), (0, 11))
    away = os.path.join(tmp, "away.db")
    check("--plan", (run("-o", os.path.join(tmp, "elsewhere"), f"--plan={away}", new)[0], os.path.exists(away)), (0, True))
    check("other options", run("-o", os.path.join(tmp, "elsewhere"), f"--plan={away}", "--host=x.example", new)[0], 2)


def test_damaged(tmp):
    """A part of the plan that is damaged is one error, or is not needed."""
    out, source = os.path.join(tmp, "harmed"), os.path.join(tmp, "harmed.mbox")
    write(source, [message(n, f"Old {n}", body=f"http://h{n}.example/\n") for n in range(100, 140)])
    run("-o", out, source)
    write(source, [message(n, f"Old {n}", body=f"http://h{n}.example/\n") for n in range(120, 141)])
    plan = os.path.join(out, ".urlsift", "plan.db")
    whole = read(plan)
    for at in range(16384, len(whole), 16384):
        for jobs, size in ("-j1", 16384), ("-j2", 16384), ("-j2", len(whole) // 3):
            for end in "-wal", "-shm":
                if os.path.exists(plan + end):
                    os.unlink(plan + end)
            with open(plan, "wb") as file:
                file.write((whole[:at] + bytes(size) + whole[at + size:])[:len(whole)])
            status, _, error = run(jobs, "-o", out, source)
            check("a damaged plan", (status, error) in ((0, ""), (3, f"urlsift: {plan}: is damaged; remove it, and make it"
                  " again from its sources\n")), True, (at, jobs, status, error))
    os.unlink(plan)
    check("the next run makes it again", (run("-o", out, source)[0], sql(plan, "SELECT count(*) FROM message")), (0, [(21,)]))


def test_changed_by_others(tmp):
    """A page that is written again is whole, whatever became of it: longer, cut anywhere, with another byte, or none."""
    source, block = os.path.join(tmp, "changed.mbox"), 32 * 1024
    old = [message(100, "Subject", body="a line\n" * 7000), message(101, "Other")]
    new = [message(100, "Re: Subject", ident="new@a.example", refs=["100@a.example"])]
    changes = {"a byte more": lambda page: page + b"x", "a byte less": lambda page: page[:-1],
               "another byte of the second block": lambda page: page[:block + 1] + b"\0" + page[block + 2:],
               "a block": lambda page: page[:block], "another first byte": lambda page: b"x" + page[1:],
               "another last byte": lambda page: page[:-1] + b"x", "empty": lambda page: b""}
    run("-o", f"{tmp}/unchanged", "--title=x", write(source, old + new))
    run("-o", f"{tmp}/changed", "--title=x", write(source, old))
    wanted, before = read_site(f"{tmp}/unchanged"), read_site(f"{tmp}/changed")
    again = sorted(name for name in before if wanted[name] != before[name])
    large = [name for name in again if len(before[name]) > block]
    check("pages that are written again, one of them of more than a block", (len(again) > 4, len(large)), (True, 1), again)
    for turn, what in enumerate([*changes][:2] if FAST else changes):
        now, then = (old + new, wanted) if turn % 2 == 0 else (old, before)
        for name in again[turn % 3::3] + large:
            with open(f"{tmp}/changed/{name}", "wb") as file:
                file.write(changes[what](then[name]))
        run("-o", f"{tmp}/changed", "--title=x", write(source, now))
        site = read_site(f"{tmp}/changed")
        check(f"pages that others changed: {what}", [name for name in again if site[name] != then[name]], [])


def test_published(tmp):
    """Addresses of messages, the feed, and what pages of a site have."""
    out, source = os.path.join(tmp, "site"), os.path.join(tmp, "site.mbox")
    write(source, [message(n, "Re: Topic" if n > 300 else "Topic", refs=["300@a.example"] if n > 300 else (),
                           body="write to eve@mail.example, or see http://h.example/\n") for n in range(300, 303)]
          + [message(400, "[PATCH 0/2] all"), message(401, "[PATCH 1/2] the first part", refs=["400@a.example"]),
             message(403, "ask eve@mail.example"),
             message(404, "or eve%40mail.example", body="mailto:eve%40mail.example?cc=eve@mail.example%2Ceve%40sub%2Email.example\n"
                     "https://h.example/?mmailto:eve@mail.example\n"),
             message(405, "ask \"eve hill\"@mail.example, {ada,eve}@mail.example", body="ada(work)@mail.example, "
                     "zo\u00eb@mail.example, eve@\u00fcber.mail.example, @mention \"@mention\" (@mention)\n"),
             message(406, "ask eve@[192.0.2.1]", body="eve@[192.0.2.1] eve@[IPv6:2001:db8::1]; mailto:eve@[192.0.2.1] @[x] z@\n[y]\n"),
             message(407, "divided links", body="<mailto:dan@\nmail.example> <mailto:zoe\n@mail.example> <mailto:joe@sub\nmail.example>\n"
                     "mailto:kim@mail.example\n> <mailto:al@\n> mail.example> mailto:al@mail.example\n"
                     "<URL:mailto:ada%4\n0mail.example> <URL:mailto:ada%\n40mail.example>\n"),
             message(408, "see HTTP://a.example@h.example:80/x", body="http://www.bank.example:x@203.0.113.7/eve@post.example "
                     "https://ann%40bank.example@h.example/ <https://h.example>eve@mail.example https://h.example:eve@post.example mailto://joe@host.example\n"),
             message(402, "what XML\ufffe lacks\uffff, \u202ebidi\u2066 too", author="A \u202eda")])
    options = ("--site=https://l.example/garden", "--search=https://s.example/find?list=a&q=", "--reply=list@l.example",
               "--mask-addresses")
    check("options of a site", run("-o", out, source, *options)[0], 0)
    site = {name: content.decode() for name, content in read_site(out).items()}
    names = [f"m/{hashlib.sha256(f'{n}@a.example'.encode()).hexdigest()[:16]}.html" for n in (300, 301)]
    stems = [name[2:-5] for name in names]
    check("the page of a message that begins a thread", f'id="{stems[1]}"' in site[names[0]], True)
    check("that of another leads there", f'url={names[0][2:]}#{stems[1]}"' in site[names[1]], True)
    check("query address", run_text("query", out, "address", "301@a.example")[1], names[1] + "\n")
    page = site[names[0]]
    check("no subject of a reply names an address", any(re.search("Subject=[^\"]*eve%", text) for text in site.values()), False)
    check("canonical", f'<link rel="canonical" href="https://l.example/garden/{names[0]}">' in page, True)
    check("next", '<link rel="next" href="' in page or '<link rel="prev" href="' in page, True)
    check("search", '<form role="search" action="https://s.example/find"><input type="hidden" name="list" value="a">'
          '<input type="search" aria-label="Search" name="q">' in page and "form-action https://s.example\"" in page, True)
    check("a reply to a reply", any("Subject=Re%3A%20Re%3A" in text for text in site.values()), False)
    check("reply", 'href="mailto:list@l.example?In-Reply-To=%3C300%40a.example%3E&amp;Subject=Re%3A%20Topic"' in page, True)
    check("no addresses", [name for name, text in site.items() if "mail.example" in text or "Email" in text or "eve@" in text
                           and "eve@..." not in text], [])
    check("other names of addresses", any('ask &#34;eve hill&#34;@..., {ada,eve}@...<' in text and
                                          'ada(work)@..., zo\u00eb@..., eve@..., @mention &#34;@mention&#34; (@mention)\n' in text
                                          for text in site.values()), True)
    page = next(text for name, text in site.items() if "203.0.113.7" in text and name.startswith("m/"))
    check("the user of a URL is no address", [text for text in (
        "see HTTP://a.example@h.example:80/x<", ">http://www.bank.example:x@203.0.113.7/eve@...<",
        ">https://ann%40bank.example@h.example/<", "&gt;eve@... ", ">https://h.example:eve@post.example<",
        ">mailto://joe@...<") if text not in page], [])
    check("an escaped address", any("mailto:eve%40...?cc=eve@...\n" in text for text in site.values()), True)
    check("address literals", (any("eve@... eve@...; " in text and " @[x] z@\n[y]" in text for text in site.values()),
                               [name for name, text in site.items() if "192.0.2" in text or "2001:db8" in text]), (True, []))
    divided = next(re.sub("<.*?>", "", text[text.index("<pre"):text.index("</pre")]) for text in site.values() if "mailto:dan@" in text)
    check("links that a line end divides", unescape(divided), "<mailto:dan@\n...> <mailto:zoe\n@...> <mailto:joe@...\n...>\n"
          "mailto:kim@...\n> <mailto:al@\n> ...> mailto:al@...\n<URL:mailto:ada%4\n0...> <URL:mailto:ada%\n40...>\n\n")
    check("nor Message-IDs, which look like addresses", [name for name, text in site.items() if "@a.example" in text], [])
    index = next(text for name, text in site.items() if name.startswith("thread/") and "PATCH" in text)
    check("the title of a patch in its thread", "[PATCH 1/2] the first part" in index, True)
    check("no subject that is repeated", sum(text.count("Topic<") for name, text in site.items() if name.startswith("thread/")), 1)
    feed = ElementTree.fromstring(site["feed.xml"])
    atom = "{http://www.w3.org/2005/Atom}"
    entries = feed.findall(atom + "entry")
    check("no bidi controls in it", [c for c in site["feed.xml"] if c in "\u202e\u2066"], [])
    check("the feed", (len(entries), feed.find(atom + "id").text), (12, "https://l.example/garden/feed.xml"))
    check("a character that XML does not have", "what XML\ufffd lacks\ufffd, bidi too" in [entry.find(atom + "title").text for entry in entries], True)
    check("what an entry needs", [tag for entry in entries for tag in ("id", "title", "updated", "author", "link")
                                  if entry.find(atom + tag) is None], [])
    done = subprocess.run([sys.executable, os.path.join(TOP, "contrib", "search", "search.cgi")], capture_output=True, env={
        **os.environ, "URLSIFT_PAGES": out, "URLSIFT_SITE": "https://l.example/", "QUERY_STRING": "q=first+part"})
    found = re.findall(rb'href="(.*?)"', done.stdout)
    check("the search of contrib", [b"https://l.example/m/" in link for link in found], [True])
    done = subprocess.run([sys.executable, os.path.join(TOP, "contrib", "search", "search.cgi")], capture_output=True, env={
        **os.environ, "URLSIFT_PAGES": out, "QUERY_STRING": "q=%40"})
    check("it shows no host of an address, but those of URLs", set(re.findall(rb"@(.*?)[<&,]", done.stdout)),
          {b"...", b"", b"h.example:80/x"})
    for query, count in ("kim%40", 1), ("kim%40mail", 0), ("eve%2540mail", 0), ("kim%40..", 1), ("host1.example%2F", 1):
        done = subprocess.run([sys.executable, os.path.join(TOP, "contrib", "search", "search.cgi")], capture_output=True, env={
            **os.environ, "URLSIFT_PAGES": out, "QUERY_STRING": f"q={query}"})
        check(f"links are found as they are shown: {query}", done.stdout.count(b"<li>"), count, done.stderr)
    plan = sqlite3.connect(os.path.join(out, ".urlsift", "plan.db"))
    plan.execute("UPDATE post SET month = 202413")
    plan.commit()
    plan.close()
    check("a month that no year has", run("-o", out, source, "--title=again", *options)[0], 0)
    check("its name", " 2024<" in read_site(out)["index.html"].decode(), True)
    check("a long URL of a search", run("-o", out, source, f"--search=https://s.example/f?list={600 * 'x'}&q=")[0], 0)
    check("all of it", f'value="{600 * "x"}">' in read_site(out)["index.html"].decode(), True)
    check("a port, and A-labels", run("-o", out, source, "--search=https://xn--bcher-kva.example:8080/?q=")[0], 0)
    check("in the policy", "form-action https://xn--bcher-kva.example:8080\"" in read_site(out)["index.html"].decode(), True)
    for bad in ("--search=https://s.example/", "--search=ftp://s.example/?q=", "--search=https://s.example/?q=#l=",
                "--search=https://s.example/?l=1&q=1=", "--search=https://s.example/?l=1&=",
                "--search=https://b\u00fccher.example/?q=", "--search=https://u:p@s.example/?q=", "--search=https://[::1]/?q=",
                "--search=https://s%2Eexample/?q="):
        check(f"{bad} is a mistake", run("-o", out, source, bad)[0], 2)
    check("--site without -o", run("--site=https://l.example/", source)[0], 2)
    for url in ("javascript:alert(1)", "https:///", "https://l.example/?a", "l.example"):
        check(f"--site={url}", run("-o", os.path.join(tmp, "no-site"), f"--site={url}", source)[0], 2)
    check("--site of no pages writes none", os.path.exists(os.path.join(tmp, "no-site")), False)


def test_options_kept(tmp):
    """What pages were published with holds for further runs, until it is given anew."""
    out, source = os.path.join(tmp, "kept"), os.path.join(tmp, "kept.mbox")
    style = os.path.join(tmp, "kept.css")
    with open(style, "w", encoding="ascii") as file:
        file.write("p{color:blue}\n")
    write(source, [message(500, "One", body="eve@mail.example\n")])
    options = ("--title=Garden", "--site=https://l.example/", "--search=https://s.example/?q=", "--reply=list@l.example",
               "--lang=de", "--mask-addresses", f"--css={style}")
    run("-o", out, source, *options)
    first = read_site(out)
    check("a further run changes nothing", (run("-o", out, source)[0], read_site(out) == first), (0, True))
    write(source, [message(500, "One", body="eve@mail.example\n"), message(501, "Two", body="zoe@mail.example\n")])
    run("-o", out, source)
    fresh = os.path.join(tmp, "kept-fresh")
    run("-o", fresh, source, *options)
    check("new messages are masked", [name for name, page in read_site(out).items() if b"@mail.example" in page], [])
    check("all is as if the options were given again", read_site(out) == read_site(fresh), True)
    run("-o", out, source, "--title=", "--site=", "--search=", "--reply=", "--lang=en", "--css=" + os.devnull,
        "--no-mask-addresses")
    bare = os.path.join(tmp, "bare", "kept")
    os.mkdir(os.path.dirname(bare))
    run("-o", bare, source, "--lang=en")
    check("empty options and --no-mask-addresses end it", read_site(out) == read_site(bare), True)
    check("for further runs too", (run("-o", out, source)[0], read_site(out) == read_site(bare)), (0, True))
    for key, value in (("site", "javascript:alert(1)"), ("search", "x"), ("reply", "x y"), ("title", "")):
        plan = sqlite3.connect(os.path.join(out, ".urlsift", "plan.db"))
        with plan:
            plan.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, value))
        plan.close()
        check(f"no {key} of a changed database that no option may be",
              (run("-o", out, source)[0], read_site(out) == read_site(bare)), (0, True))
    check("both at once", run("-o", out, source, "--mask-addresses", "--no-mask-addresses")[::2],
          (2, "urlsift: --mask-addresses and --no-mask-addresses cannot be used together; try 'urlsift --help'\n"))


def test_rings(tmp):
    """Messages that refer to one another in a ring, and those that lead into it, are one thread."""
    for before, ring in ((0, 3), (1, 2), (2, 7), (5, 6), (9, 4), (3, 1)):
        whole = before + ring
        after = [n + 1 if n + 1 < whole else before for n in range(whole)]
        for order in (range(whole), reversed(range(whole)), sorted(range(whole), key=lambda n: n * 7 % 11)):
            out, source = os.path.join(tmp, "rings"), os.path.join(tmp, "rings.mbox")
            shutil.rmtree(out, ignore_errors=True)
            write(source, [message(n, f"Ring {n}", refs=[f"{after[n]}@a.example"]) for n in order])
            run("-o", out, source)
            site = read_site(out)
            check(f"a ring of {ring} after {before}", (len(threads(site)), check_site(out)), (1, []))


def test_older(tmp):
    """An address stays when an older message becomes the first of its thread, and when a thread gets shorter."""
    out, source = os.path.join(tmp, "older"), os.path.join(tmp, "older.mbox")
    reply = message(101, "Re: Story", refs=["100@a.example"])
    write(source, [reply, message(102, "Re: Other")])
    run("-o", out, source)
    old = set(threads(read_site(out)))
    write(source, [reply, message(102, "Re: Other"),
                   message(100, "Story", refs=["99@a.example"], date="1 Jan 2001 00:00:00 +0000"),
                   message(98, "Other", date="1 Dec 2001 00:00:00 +0000")])
    for time_ in range(2):
        before = stamps(out)
        check("older messages", run("-o", out, source)[0], 0)
        check("whole", check_site(out), [])
        check("the old pages lead to the new ones", old <= set(read_site(out)), True)
        pages = [read_site(out)[name].decode() for name in old]
        check("at the same anchors",
              sorted(n for n in (101, 102) for page in pages if f' id="{n}@a.example"' in page), [101, 102])
    check("nothing is written again", stamps(out), before)


def test_long(tmp):
    """Long threads and months are divided, and new messages change the last pages only."""
    def at(n):
        return time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1e9 + 60 * n))
    long = [message(n, "Re: Long", refs=[f"{max(0, n - 1 - n % 5)}@a.example"] if n else (), date=at(n),
                    body="http://l.example/\n" + f"http://l.example/{n}\n" * (n % 9 == 0), author=f"Author {n % 700}")
            for n in range(2200)]
    source, out = write(os.path.join(tmp, "long"), long[:-1]), os.path.join(tmp, "longer")
    check("a long thread", run("-o", out, source)[0], 0)
    check("is whole", check_site(out), [])
    before = stamps(out)
    check("its parts", len(threads(read_site(out))), 5)
    counts = [len([name for name in before if name.startswith(view)]) for view in ("date/", "author/", "h/")]
    check("parts of a month, and of a host", counts, [2, 3, 3])
    write(source, long)
    run("-o", out, source)
    written = [name for name, stamp in stamps(out).items() if before.get(name) != stamp]
    host = sorted(name for name in before if name.startswith("h/"))[-1]
    check("one more message changes no page of a host", [name for name in written if name.startswith("h/")], [])
    check("and few other pages", len(written), 7)
    check("the list of hosts leads to the last page", f'href="h/{os.path.basename(host)[:-5]}-3.html#h'.encode() in read_site(out)["links.html"], True)
    check("a long thread that grew is whole", check_site(out), [])


def test_middle(tmp):
    """A reply in the middle of a long month changes few pages: those before it in the lists stay, and those after it."""
    def at(n):
        return time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1104537600 + 600 * n))
    month = [message(n, f"Topic {n - n % 5}", refs=[f"{n - n % 5}@a.example"] if n % 5 else (), date=at(n),
                     body=f"http://m.example/{n % 200}\n", author=f"Author {n % 90:02}") for n in range(4400)]
    new = message(5000, "Topic 1000", refs=["1000@a.example"], date=at(1404.5), author="Author 00",
                  body="http://m.example/first\n")
    source, out, fresh = (os.path.join(tmp, n) for n in ("month", "months", "month-fresh"))
    run("-o", out, write(source, month))
    before = stamps(out)
    check("a month of several pages", {view: len([n for n in before if n.startswith(view)])
                                       for view in ("date/", "thread/", "author/", "h/")},
          {"date/": 5, "thread/": 5, "author/": 5, "h/": 7})
    run("-o", out, write(source, month[:1405] + [new] + month[1405:]))
    written = sorted(re.sub("[0-9a-f]{16}", "*", n) for n, stamp in stamps(out).items() if before.get(n) != stamp)
    check("what one message changes", written,
          ["author/2005-01.html", "date/2005-01-2.html", "h/*-3.html", "h/*-4.html", "m/*.html", "m/*.html",
           "thread/2005-01-2.html"])
    run("--title", os.path.basename(out), "-o", fresh, source)
    check("nothing is stale", read_site(out), read_site(fresh))


def test_places(tmp):
    """Wherever a message falls, and whatever it links to, at most ten files are written, one of them the plan.  Only of one that is
    older than the newest links there are pages of hosts: one for each."""
    def at(n):
        return time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1104537600 + 30000 * n))
    earlier = [message(n, f"Earlier {n}", date=at(n), body="".join(f"http://m.example/{n}/{i}\n" for i in range(790))
                       + "http://k1.example/\n" * 3) for n in (-101, -80, -59, -38)]
    old = [message(n, f"Topic {n - n % 3}", refs=[f"{n - n % 3}@a.example"] if n % 3 else (), date=at(n),
                   body=f"http://m.example/{n}\nhttp://k{n % 6}.example/{n % 5}\n", author=f"Author {n % 7}") for n in range(200)]
    source, base, out = (os.path.join(tmp, n) for n in ("places", "places-before", "places-after"))
    run("--title=t", "-o", base, write(source, earlier + old))
    known, two = "http://m.example/3\n", "http://m.example/new http://m.example/3 http://m.example/4 http://k1.example/9\n"
    many = "".join(f"http://k{n}.example/{n % 3}\n" for n in range(40))
    bodies = (("no link\n", 0, []), (known, 1, []), (two, 2, []), (many, 2, ["links.html"]), ("http://new.example/\n", 1, ["links.html"]))
    for what, when, refs in (("reply at the end", 201, ["198@a.example"]), ("late reply", 201, ["90@a.example"]),
                             ("reply in the middle", 91.5, ["90@a.example"]), ("thread at the end", 201, ()),
                             ("thread in the middle", 92.5, ()), ("older", -9, ()), ("undated", None, ()),
                             ("before the newest links", -50, ())):
        for body, hosts, lists in bodies:
            shutil.copytree(base, out)
            before = stamps(out)
            new = message(500, "Topic 90" if refs else "New", refs=refs, date="" if when is None else at(when), body=body)
            run("--title=t", "-o", out, write(source, [*earlier, *old, new]))
            written = [n for n, stamp in stamps(out).items() if before.get(n) != stamp]
            check(f"a message more writes few files: {sorted(written)}", 4 < len(written) < 10, True, (what, body))
            check("the first page changes with a new month only", ("index.html" in written), what == "undated")
            if when != -50:
                hosts, lists = 0, ["links.html"] if hosts else []
            check("the newest links, or a page a host, and their list if one is new",
                  ([n[:2] for n in written].count("h/"), [n for n in written if "links" in n]), (hosts, lists), (what, body))
            shutil.rmtree(out)
    site = read_site(base)
    earlier = re.findall('<h3 id="(h[0-9a-f]{16})">(?:(?!<h3).)*?<a href="([^#]*)#\\1">Earlier links', site["links.html"].decode())
    check("a host with newest links has a link to its earlier ones", (len(earlier), check_site(base)), (2, []))
    os.remove(source)


def test_late(tmp):
    """A message that comes late writes at most ten files, the plan counted, besides a page for each host of its links and those of
    the threads before and after the old and the new place of its thread, which lead there; of any kind: one of a month or a
    year without messages, a parent of replies that are there, one that joins two threads, one with another host, author or
    letter, with attachments or a Message-ID that is there; a reply at most ten with those pages, too.  The folder is that of
    a new run."""
    def at(n):
        return time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1104537600 + 21600 * n + 10))
    def one(n, thread, when=None, **more):
        return message(n, f"Re: Topic {thread}" if n > thread else f"Topic {thread}", date=at(n if when is None else when),
                       refs=[f"{thread}@a.example"] if n > thread else (), **more)
    rng = random.Random(5)
    many = []
    for n in range(800):
        thread = n if n < 5 or rng.random() < 0.3 else int(re.search(rb"Topic (\d+)", many[rng.randrange(max(0, n - 40), n)])[1])
        many.append(one(n, thread, author=f"Author {rng.randrange(60):02}", body=f"Text of {n}, http://m.example/{n % 90}\n"
                        f"http://h{rng.randrange(9)}.example/{n % 7}\nhttp://m.example/{n}\n" * (n % 5 < 4)))
    body, attached = "http://m.example/late\nhttp://h1.example/2\n", "Content-Type: multipart/mixed; boundary=b\n"
    parts = "--b\n\ntext\n--b\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n"
    joins = message(5000, "Re: Topic 0", refs=["0@a.example"], date=at(50.5), ident="joins@a.example", body=body)
    orphan = message(5001, "Re: Apart", refs=["joins@a.example"], date=at(90.5), body=body)
    kinds = [
        one(4001, 1, 650.5, body=body), one(4002, 300, 301.5, body=body), one(4003, 4003, -300, body=body),
        one(4004, 1, 2000, body=body), one(4005, 4005, -150, body=body), joins,
        one(4006, 6, 400.5, body="http://new.example/\nhttp://h2.example/\n"), one(4007, 4007, 410.5, body="http://zeta.example/\n"),
        one(4008, 3, 99.5, author="Zoe"), one(4009, 3, 199.5, more=attached, body=parts), one(4010, 3, 799.5, body=body),
        one(10, 3, 55.5, body="another text\n"), many[77], one(4011, 4011, 798.5, body=body), message(4012, "Undated", date="", body=body),
    ]
    late = rng.sample(range(799), 30 if LONG else 15)
    options = ["--title=t", "--search=https://s.example/?q=", "--site=https://p.example/", "--reply=list@a.example"]
    source, out, fresh = (os.path.join(tmp, n) for n in ("late.mbox", "late", "late-fresh"))
    given = [m for n, m in enumerate(many) if n not in late] + [orphan]
    run(*options, "-o", out, write(source, given))
    before = stamps(out)
    check("pages of hosts", len([n for n in before if n.startswith("h/")]) > 5, True)
    for new in [many[n] for n in late] + kinds:
        given.append(new)
        run(*options, "-o", out, write(source, given))
        now = stamps(out)
        written = sorted(n for n in {*before, *now} if before.get(n) != now.get(n))
        hosts = len([n for n in written if n.startswith("h/")])
        text = re.split(b"[,\n]", new.partition(b"\n\n")[2])[0]
        near = len([n for n in written if n.startswith("m/") and {n} <= before.keys() & now.keys() and text not in read(os.path.join(out, n))])
        check(f"a late message writes few files: {written}", (len(written) + 1 - hosts - near <= 10, hosts <= 3, near <= 4),
              (True, True, True), new.decode()[:300])
        if b"Subject: Re:" in new and new is not joins:
            check(f"a late reply: {written}", len(written) + 1 <= 10, True, new.decode()[:300])
        before = now
    run(*options, "-o", fresh, source)
    site, other = read_site(out), read_site(fresh)
    check("they are those of a new folder, besides pages that lead to messages of a thread that moved",
          [n for n in sorted({*site, *other}) if site.get(n) != other.get(n) and b"have moved:" not in site.get(n, b"")], [])


def test_newest(tmp):
    """The newest links are on one page, 500 to 1,500 of them; where they begin stays for long, so that the links before it come
    to the pages of hosts together; however an archive grew or shrank, its pages are those of a new folder."""
    many = [message(n, f"Topic {n}", body="".join(f"http://h{(7 * n + k) % 90}.example/{n}\n" for k in range(10)))
            for n in range(320)]
    def begin(count):
        """The first message of those with the newest links, ten each."""
        times = [int(1e9) + 86400 * n for n in range(count)]
        return max(range(max(0, count - 150), max(1, count - 49)), key=lambda n: times[n] ^ times[n - 1] if n else 1 << 62)
    source, out, fresh = (os.path.join(tmp, n) for n in ("newest.mbox", "newest", "newest-fresh"))
    begins = []
    for count in (90, 150, 151, 210, 300, 301, 299, 160):
        write(source, many[:count])
        run("--title=t", "--prune", "-o", out, source)
        run("--title=t", "-o", fresh, source)
        site = read_site(out)
        begins.append(begin(count))
        newest = 10 * (count - begins[-1])
        check("the newest links", (site["links.html"].partition(b'id="newest"')[2].count(b"<li>"), check_site(out)), (newest, []), count)
        check("below their hosts", site["links.html"].count(b'<h3 id="h'), 90, count)
        listed = sum(page.count(b"<li>") for name, page in site.items() if name.startswith("h/"))
        check("the others are on pages of hosts", listed, 10 * count - newest, count)
        check("the pages of a new folder", [n for n, page in read_site(fresh).items() if site.get(n) != page] + sorted(set(site) - set(read_site(fresh))), [], count)
        shutil.rmtree(fresh)
    check("where they begin stays", (begins[:2], len(set(begins[4:7]))), ([0, 0], 1))
    for count in (1, 2):  # one message with too many links to be among the newest ones, then one more
        write(source, [*many[:100], message(999, "Many", body="".join(f"http://h{n % 9}.example/{n}\n" for n in range(2500))),
                       message(1000, "One more", body="http://h1.example/\n")][:100 + count])
        run("--title=t", "--prune", "-o", out, source)
        site = read_site(out)
        rows = site["links.html"].partition(b'id="newest"')[2].count(b"<li>")
        check("no page of all links of a message", (rows, check_site(out)), (count - 1, []), count)


def test_host_list(tmp):
    """Each host that has a page of its own is in the list once, 500 on a page of those that as many messages link to."""
    for hosts in (498, 500, 576):
        bodies = ["".join(f"http://h{host}.example/{n}\n" for host in range(hosts)[at:at + 16] for n in range(3)) for at in range(0, hosts, 16)]
        bodies[:2] = [body + "http://b.example/1\nhttp://b.example/2\n" for body in bodies[:2]]
        newest = ["".join(f"http://a.example/{day}/{n}\n" for n in range(600)) for day in range(3)]
        source = write(os.path.join(tmp, "hosts.mbox"), [message(n, "Hosts", body=body) for n, body in enumerate([*bodies, *newest])])
        out = os.path.join(tmp, f"hosts{hosts}")
        run("-o", out, source)
        pages = [read(os.path.join(out, name)).partition(b'id="newest"')[0] for name in ("links.html", "links-2.html")
                 if os.path.exists(os.path.join(out, name))]
        listed = [re.findall(rb'<li><a href="h/([^"]*)"', page) for page in pages]
        most = pages[0].partition(b"</ul>")[0].count(b"<li>") + 500  # those of several messages, which come first
        check("the hosts of a list", (list(map(len, listed)), len(set(sum(listed, [])))),
              ([most, hosts + 2 - most] if hosts + 2 > most else [hosts + 2], hosts + 2), hosts)


ODD = [
    message(50, "Fields", author="\"Quoted, Name\"", more="To: \"A, B\" <a@b.example>,\n c@d.example\nCc: "
            + "x" * 5000 + "\nTo: second@b.example\nNewsgroups: a.b,c.d\n"),
    message(51, "More  Ids", ident="one@a.example> <two@a.example", reply="1@a.example> <2@a.example",
            more="Message-ID: <three@a.example>\nIn-Reply-To: <lost@a.example>\n"),
    message(52, "Re: More Ids", refs=["two@a.example"]),
    message(53, "Many references", refs=[f"r{n}@a.example" for n in range(80)]),
    message(54, "Repeated", refs=["z1@a.example", "z2@a.example", "z2@a.example"]),
    message(55, "Undated reference", refs=["z3@a.example", "z2@a.example"], date=""),
    message(56, "RE[2]: lonely"), message(57, "Re(3): [tag] Lonely"), message(58, "re Lonely"), message(59, "Re"),
    message(60, "Re[2"), message(61, "[tag]"), message(62, "Antwort: [x Lonely"), message(63, "Re: " + "y " * 700),
    b"From: ada@a.example (Ada Brown)\nSubject: old form\n\nText of 64,\n",
    b"From: (none)\nSubject: empty name\n\nText of 65,\n",
    b"From: <ada@a.example>\nSubject: bare\n\nText of 66,\n",
    b"From: <ada@a.example\nSubject: cut\n\nText of 67,\n", b"From:  \"\" <ada@a.example>\n\nText of 68,\n",
    b"Subject: no sender\nMessage-ID: <" + b"\xc3\xa9" * 20 + b"@a.example>\n\nText of 69,\n", b"X: y\n\n",
    message(70, "\u00e9" * 150, author="e" + "\u00e9" * 80),
    message(71, "links", ident="i" * 300 + "@a.example", body="file:///etc/x and sip:a@b.example\nnews:comp.x\n"
            "http://bank.example@evil.example/ and rsync://r.example/ and <http://two.example/a\nb>\n"
            "javascript://h.example/ mid:a/b http://b.example/" + "z" * 70000 + "\n"),
    message(72, "many", body="".join(f"mid:1@a.example {n}\n" for n in range(1100)) + "mid:" + "a" * 2000 + "@x\n"),
    message(73, "large", body="".join(f"a line of text, number {n}, that is not short\n" for n in range(4000))),
    message(74, "html", more="Content-Type: text/html\n",
            body="<a href='MID:1@a.example'>first</a> <p>http://w.example/\n"),
    message(75, "Re: large", refs=["73@a.example"]), message(76, "another subject", refs=["75@a.example"]),
    message(79, "CRLF", ident="\x7f@a.example", more="To: a@b.example,\n c@d.example\n").replace(b"\n", b"\r\n"),
    b"From: ada)\nSubject: not a name\n\nText of 80,\n", message(81, "a/b", body="http://one.example/\n" * 3),
    message(77, "another subject", refs=["76@a.example"]), message(78, "Re: large", refs=["76@a.example"]),
]


def test_odd(tmp):
    """Unusual fields, names, subjects and links."""
    out, source = os.path.join(tmp, "odd"), write(os.path.join(tmp, "odd.mbox"), THREADS[:2] + ODD + LATER)
    name = os.path.join(tmp.encode(), b"\x80" * 220)
    with open(name, "wb") as file:
        file.write(b"plain text, http://p.example/\n")
    style = os.path.join(tmp, "style")
    with open(style, "w", encoding="ascii") as file:
        file.write("p{color:red}\n")
    status, _, _ = run("-o", out, "--css", style, "--title", "x" + "\u00e9" * 1500, source, os.fsdecode(name))
    check("unusual messages", status, 0)
    check("are whole", check_site(out), [])
    site = read_site(out)
    pages = {name: content.decode() for name, content in site.items()}
    threads = [page for name, page in pages.items() if name.startswith("m/")]
    def of(text):
        page, = (page for page in threads if text in page)
        return page
    fields = re.findall(r"<dt>(\w+)</dt><dd><bdi>([^<]*)</bdi>", of("Text of 50,"))
    check("To, Cc, Newsgroups", fields[3:], [("To", "&#34;A, B&#34; &lt;a@b.example&gt;, c@d.example"),
                                             ("Cc", "x" * 4096 + "\u2026"), ("Newsgroups", "a.b,c.d")])
    check("the first identifier counts",
          [of("Text of 51,") == of(f"Text of {n},") for n in (1, 52)], [True, False])
    lonely = [of(f"Text of {n},") for n in (56, 57, 58)]
    check("subjects with a reply prefix", [lonely[0] == page for page in lonely], [True, True, False])
    names = re.findall("<h2><bdi>([^<]*)</bdi></h2>", pages["author/undated.html"])
    check("names of authors", names, ["(no author)", "&#34;&#34; &lt;ada@a.example&gt;", "Ada Brown", "Ada Writer",
                                      "ada)", "ada@a.example", "none"])
    for bytes_ in ("x" * 1023 + "\u00e9", os.fsdecode(b"\x80" * 3000)):
        long = out + "-titled"
        check("long titles", run("-o", long, "--title", bytes_, "--host=*.example", source)[0], 0)
        check("are whole", check_site(long), [])
    packed = os.path.join(tmp, "packed.tar")
    with tarfile.open(packed, "w") as tar:
        tar.add(style, "folder/member.txt")
    if run("-o", os.path.join(tmp, "tar"), packed)[0] == 0:
        check("text in an archive has the name of its member", any(
            b"<h1><bdi>folder/member.txt</bdi></h1>" in c for c in read_site(os.path.join(tmp, "tar")).values()), True)
    hosts = re.findall("<bdi>([^<]*)</bdi>", pages["links.html"].partition('id="newest"')[0])
    check("hosts of links", [n for n in hosts if not n.startswith("host")][2:],
          ["b.example", "evil.example", "later.example", "one.example", "r.example", "two.example", "w.example"])
    text = "".join(page for name, page in pages.items() if name.startswith("h/"))
    check("only links without warnings are anchors", [n for n in ("http://bank", "rsync:", "http://one.example")
                                                      if f'href="{n}' in text], ["http://one.example"])
    check("CSS of the user", site["style.css"].endswith(b"p{color:red}\n"), True)
    check("a title of two bytes a character", "x" + "\u00e9" * 1500 + "</bdi></h1>" in pages["index.html"], True)
    check("each message of several leads back to the outline",
          [of(f"Text of {n},").count('<a href="#outline">') - of(f"Text of {n},").count("<article") for n in (76, 51)], [0, 0])
    check("one alone to none", "outline" in of("Text of 50,"), False)
    check("a subject that differs from its thread's", "another subject</bdi></li>" in of("Text of 76,"), True)


def thread_model(letters):
    """Of messages (identifier, subject, days, references) the root and the message before it of each, as threads.c says."""
    def number(ident):
        return int.from_bytes(hashlib.sha256(ident.encode()).digest()[:8], "big", signed=True)
    there, parent, missing = {ident for ident, *_ in letters}, {}, {}
    for ident, subject, days, refs in letters:
        named = list(refs)
        while named and named[-1] == ident:
            named.pop()
        parent[ident] = named[-1] if named else None
        if not refs and subject.startswith("Re: ") and days is not None:
            parent[ident] = min(((when, number(other), other) for other, what, when, _ in letters if other != ident and when is not None
                                 and what.removeprefix("Re: ") == subject[4:] and days - 60 <= when <= days), default=(None,))[-1]
        for at in range(len(named) - 1, -1, -1):
            if named[at] in there:
                break
            before = named[at - 1] if at and named[at - 1] != named[at] else None
            rank = (before is None, 10 ** 9 if days is None else days, number(ident))
            missing[named[at]] = min(missing.get(named[at], (rank, before)), (rank, before), key=lambda pair: pair[0])
    parent.update((ident, before) for ident, (_, before) in missing.items())
    for ident in parent:  # a ring begins at its least number
        path = []
        while ident and ident not in path:
            path.append(ident)
            ident = parent.get(ident)
        if ident:
            parent[min(path[path.index(ident):], key=number)] = None
    found = {}
    for ident in there:
        above, root = parent[ident], ident
        while parent.get(root) in parent:
            root = parent[root]
        while above and above not in there:
            above = parent.get(above)
        found[ident] = root, above
    return found


def test_threads(tmp):
    """Messages with any references, subjects and times are in the threads of the model, in any order."""
    rng = random.Random(9)
    for archive in range(6):
        out, letters = os.path.join(tmp, f"threads{archive}"), []
        for n in range(70):
            refs = [f"{rng.randrange(100)}@a.example" for _ in range(rng.choice((0, 0, 0, 1, 2, 4)))]
            if refs and rng.random() < .2:
                refs.append(rng.choice((refs[-1], f"{n}@a.example")))
            letters.append((f"{n}@a.example", rng.choice(("", "", "Re: ")) + f"Subject {rng.randrange(12)}", rng.choice((None, *range(200))), refs))
        messages = [message(0, subject, ident, refs, date="" if days is None else time.strftime("%a, %d %b %Y 10:00:00 +0000", time.gmtime(1e9 + 86400 * days)),
                            body=f"Text of {ident}.\n") for ident, subject, days, refs in letters]
        model = thread_model(letters)
        rng.shuffle(messages)
        check("threads", run("-o", out, write(os.path.join(tmp, "threads.mbox"), messages))[0], 0)
        found = {}
        for name, content in read_site(out).items():
            for article in re.findall(r'<article class="m" id="([^"]*)">(.*?)</article>', content.decode(), re.S) if name.startswith("m/") else ():
                above = re.search(r'<dt>In reply to</dt><dd><a href="[^"]*#([^"]*)"', article[1])
                found[article[0]] = name[2:-5], above and above[1]
        check("threads are those of the model", sorted(f"{ident} {above} {root}" for ident, (root, above) in found.items()),
              sorted(f"{ident} {above} {hashlib.sha256(root.encode()).hexdigest()[:16]}" for ident, (root, above) in model.items()), archive)


def test_limits(tmp):
    """What is as long, or as many, as a page shows of it, one less and one more."""
    out, messages = os.path.join(tmp, "limits"), []

    def add(**more):
        messages.append(message(len(messages) + 1, **{"subject": f"Subject {len(messages) + 1}", "body": f"Text of {len(messages) + 1}.\n", **more}))
        return len(messages)
    fields = {(name, n): add(more=f"{name}: {'x' * n}\n") for name in ("To", "Cc", "Newsgroups") for n in (4095, 4096, 4097)}
    names = {name: add(author=name) for name in ("x" * 99, "x" * 100, "x" * 101, "x" * 98 + "\u00e9", "x" * 99 + "\u00e9", "x" * 97 + "\u20ac\u20ac")}
    subjects = {text: add(subject=text) for text in ("y" * 199, "y" * 200, "y" * 201, "y" * 198 + "\u00e9", "y" * 199 + "\u00e9", "y" * 197 + "\u20ac\u20ac")}
    idents = {ident: add(ident=ident) for ident in ("i" * 198 + "@", "i" * 199 + "@", "i" * 200 + "@", "no-at", "a!@~", "a\u00e4@", "@")}
    hashed = {n: add(ident=f"{n}@".rjust(n, "h")) for n in range(4, 140)}
    mids = {n: add(body=f"Text of {len(messages) + 1}.\n" + "mid:1@a.example x\n" * n) for n in (0, 1, 999, 1000, 1001)}
    first = add()
    chain = [add(refs=[f"{first}@a.example"], author=f"Reply {i}") for i in range(14)]
    shown = {n: add(refs=[f"{number}@a.example" for number in chain[:n]]) for n in (1, 2, 3, 9, 10, 11, 12, 13)}
    early = add(), add()
    many = {n: add(refs=[f"{number}@a.example" for number in early] + [f"{n}-{i}@a.example" for i in range(n - 2)]) for n in (63, 64, 65, 66, 90)}
    deep = [add()]
    while len(deep) < 12:
        deep.append(add(refs=[f"{number}@a.example" for number in deep]))
    check("limits of pages", run("-o", out, write(os.path.join(tmp, "limits.mbox"), messages))[0], 0)
    check("are whole", check_site(out), [])
    site = read_site(out)
    pages = [content.decode() for name, content in site.items() if name.startswith("m/")]
    articles = {int(number): (page, article) for page in pages for article in re.findall(r'<article class="m" id="[^>]*>.*?</article>', page, re.S)
                for number in re.findall(r"Text of (\d+)\.", article)[:1]}

    def cut(text, most):
        short = text.encode()[:most].decode(errors="ignore")
        return text if len(text.encode()) <= most else short + "\u2026"
    for (name, n), number in fields.items():
        value = re.search(f"<dt>{name}</dt><dd><bdi>([^<]*)</bdi>", articles[number][1])[1]
        check(f"{name} of {n} bytes", value, "x" * min(n, 4096) + ("\u2026" if n >= 4096 else ""))
    for name, number in names.items():
        check("names of authors up to 100 bytes", re.search(r"<h2>.*?<bdi>([^<]*)</bdi>", articles[number][1])[1], cut(name, 100), len(name))
    for subject, number in subjects.items():
        check("subjects up to 200 bytes", re.search(r"<h1>.*?<bdi>([^<]*)</bdi>", articles[number][0])[1], cut(subject, 200), len(subject))
    for ident, number in idents.items():
        named = len(ident) <= 200 and "@" in ident and ident.isascii()
        check("identifiers as anchors", re.search('id="([^"]*)"', articles[number][1])[1] == ident, named, ident[-9:])
    for n, number in hashed.items():
        name = hashlib.sha256(f"{n}@".rjust(n, "h").encode()).hexdigest()[:16]
        check("names of pages are hashes", articles[number][0] == site.get(f"m/{name}.html", b"").decode(), at=n)
    for n, number in mids.items():
        check(f"{n} links to messages", articles[number][1].count('#1@a.example">mid:') + articles[number][1].count('#1%40a.example">mid:'), min(n, 1000))
    for n, number in shown.items():
        refs = [name.partition("<")[0] for name in re.findall(r"<bdi>(Reply \d+)</bdi>", articles[number][1].partition("<dt>References")[2])]
        check(f"{n} references", refs, [f"Reply {i}" for i in range(n - 1) if i == 0 or i + 10 > n])
    for n, number in many.items():
        check(f"the one before of {n}", re.search(r'<dt>In reply to</dt><dd><a href="[^"]*#([^"]*)"', articles[number][1])[1],
              f"{early[1] if n <= 64 else early[0]}@a.example")
    outline = articles[deep[0]][0].partition('class="outline"')[2].partition("</ol>")[0]
    check("replies are indented up to eight times", re.findall(r'<li class="d(\d+)"', outline), [str(min(depth, 8)) for depth in range(12)])


def test_shrink(tmp):
    """Parts of months, and of the list of hosts, are removed when they are no longer needed; other files are not."""
    many = [message(n, f"Subject {n}", date="Tue, 4 Jan 2005 03:04:05 +0000", body="http://a.example/a\n")
            for n in range(1300, 2500)]
    hosts = message(3000, "Hosts", body="http://a.example/b\n" + "".join(f"http://{n}.example/\n" for n in range(600))
                    + "".join(f"http://own{n}.example/{i}\n" for n in range(550) for i in range(3)))
    source, out = write(os.path.join(tmp, "shrink.mbox"), [*many[:500], hosts, *LATER]), os.path.join(tmp, "shrink")
    run("-o", out, source)
    pages = read_site(out)
    check("many hosts", sorted(n for n in pages if n.startswith("links")), ["links-2.html", "links.html"])
    check("hosts with few links are on pages of letters", [n for n in sorted(pages) if "letter" in n],
          ["h/letter-27-2.html", "h/letter-27.html"])
    check("a link that begins a page", [c.count(b"<h2") for n, c in pages.items() if re.fullmatch("h/.*-2.html", n)
                                        and b"<bdi>http://a.example/b</bdi></a></h2>" in c], [1])
    run("--prune", "-o", out, write(source, many))
    check("are whole", check_site(out), [])
    pages = read_site(out)
    check("a long month", [n for n in sorted(pages) if "-01-2" in n],
          [f"{view}/2005-01-2.html" for view in ("author", "date", "thread")])
    others = ("date/2005.txt", "date/200.html", "date/1.html", "date/dead-01.html", "m/12.html", "linksx.html",
              "h/x.html")
    for name in others:
        with open(os.path.join(out, name), "w", encoding="ascii") as file:
            file.write("not ours")
    run("--prune", "-o", out, write(source, many[:5]))
    pages = read_site(out)
    check("a short one", [n for n in sorted(pages) if "-2.html" in n], [])
    check("other files stay", [n for n in others if pages.get(n) != b"not ours"], [])


def test_growth(tmp):
    """The folder is at most 200 times as large as the mail."""
    quotes, ids = '"' * 180, [f"{'%' * 190}{n}@a" for n in range(64)]
    named = [message(n, quotes, ident=ids[n], author="'" * 400) for n in range(64)]
    for what, many in (
            ("names", named), ("references", named + [message(n, "s", refs=ids, body="x\n") for n in range(100, 130)]),
            ("tiny", [b"From: a\nDate: b\n\n%d\n" % n for n in range(2000)]),
            ("links", [message(n, quotes, body="".join(f"http://{k}.a.b/\n" for k in range(500))) for n in range(9)])):
        source, out = write(os.path.join(tmp, what), many), os.path.join(tmp, "growth-" + what)
        run("-o", out, source)
        factor = sum(map(len, read_site(out).values())) / os.path.getsize(source)
        check(f"hostile {what}, {factor:.0f} times as large", factor < 200, True)


def test_files(tmp):
    """A message makes a bounded number of files, whatever hosts its links name."""
    hosts = 1000 if LONG else 200
    few = "".join(f"http://b{n}.example/\n" for n in range(3 * hosts))
    many = "".join(f"http://c{n}.example/{i}\n" for n in range(hosts) for i in range(3))
    for name, body, own in (("few", few, 2), ("many", many, 48), ("both", few + many, 48)):
        out = os.path.join(tmp, "files-" + name)
        run("-o", out, write(os.path.join(tmp, "hosts-" + name), [message(1, "Hosts", body=body), *LATER]))
        check(f"{name} links to many hosts", check_site(out), [])
        pages = [n for n in read_site(out) if n.startswith("h/")]
        check(f"{name}: pages of hosts", (len([n for n in pages if "letter" not in n]), len(pages) < 64), (own, True))


def test_month_without_threads(tmp):
    """All messages of a month belong to threads that began before."""
    out = os.path.join(tmp, "later")
    source = write(out + ".mbox", [message(1, "A", date="Mon, 2 Mar 2026 10:00:00 +0000"),
                                   message(2, "Re: A", refs=["1@a.example"], date="Thu, 2 Apr 2026 10:00:00 +0000")])
    check("a month without threads", run("-o", out, source)[0], 0)
    first = read_site(out)["index.html"].decode()
    check("has no link to them", re.findall(r'<a href="(thread/[^"]*)">', first), ["thread/2026-03.html"])


def test_slow_clock(tmp):
    """The clock of one who answers is slow: the question is still the head of its thread, on each page."""
    out = os.path.join(tmp, "slow-clock")
    source = write(out + ".mbox", [message(1, "A", date="Mon, 2 Mar 2026 10:00:00 +0000"),
                                   message(2, "Re: A", refs=["1@a.example"], date="Mon, 2 Mar 2026 09:57:00 +0000"),
                                   message(3, "B", date="Mon, 2 Mar 2026 09:58:00 +0000")])
    check("an answer before its question", run("-o", out, source)[0], 0)
    pages = read_site(out)
    month = pages["thread/2026-03.html"].decode()
    check("the month", re.findall(r"#(\d)@|(<ul>)", month), [("", "<ul>"), ("1", ""), ("", "<ul>"), ("2", ""), ("3", "")])
    check("titles", sorted(re.findall(r"<title>(.*?) - ", "".join(t.decode() for n, t in pages.items() if n[:2] == "m/"))),
          ["A", "B"])


def test_refusals(tmp):
    """Folders that are not ours."""
    source = write(os.path.join(tmp, "few"), THREADS[:2])
    other = os.path.join(tmp, "other")
    os.mkdir(other)
    with open(os.path.join(other, "index.html"), "w", encoding="ascii") as file:
        file.write("precious")
    status, _, error = run("-o", other, source)
    check("a folder with other files", (status, "is not empty" in error, read_site(other)),
          (3, True, {"index.html": b"precious"}))
    mine, db = os.path.join(tmp, "mine"), os.path.join(tmp, "few.db")
    plan = os.path.join(mine, ".urlsift", "plan.db")
    run("-o", mine, source)
    run_captured([URLSIFT, "index", db, source])
    done = run_captured([URLSIFT, "index", plan, source])
    check("the plan of pages is no index", (done.returncode, b"is the plan of pages" in done.stderr), (2, True))
    status, _, error = run("-o", os.path.join(tmp, "its"), "--plan=" + db, source)
    check("an index is no plan", (status, "is an index of links" in error), (2, True))
    os.remove(plan)
    os.symlink(os.path.join(tmp, "stolen.db"), plan)
    status, _, error = run("-o", mine, source)
    check("a plan that is a symbolic link", (status, "is a symbolic link" in error, os.path.exists(os.path.join(tmp, "stolen.db"))),
          (3, True, False))
    check("no folder above", run("-o", os.path.join(tmp, "a", "b"), source)[0], 3)
    check("a file", run("-o", source, source)[0], 3)
    folder, new = os.path.join(tmp, "folder"), os.path.join(tmp, "new-pages")
    os.mkdir(folder)
    shutil.copy(source, os.path.join(folder, "few.mbox"))
    for more, why in (([], "is a directory, not a mail folder; use -r to read the files in it"),
                      (["-r", "--include=*.eml"], "has no file that is read; see --include, --exclude and --hidden")):
        check("a folder without mail", (run("-o", new, *more, folder)[::2], os.path.exists(new)),
              ((1, f"urlsift: {folder}: {why}\n"), False), more)
    for kind, names in ("maildir", ("cur/1", "new/2")), ("mh", ("1", "2")):
        for name in names:
            os.makedirs(os.path.dirname(os.path.join(tmp, kind, name)), exist_ok=True)
            with open(os.path.join(tmp, kind, name), "wb") as file:
                file.write(message(int(name[-1]), "a folder"))
        check(f"a folder that is {kind}", (run("-o", new, os.path.join(tmp, kind)), check_site(new)), ((0, "", ""), []))
        shutil.rmtree(new)
    check("nor what is beside other input", (run("-o", new, folder, source)[0], any(b"Text of 1," in page for page in read_site(new).values())), (1, True))
    empty = os.path.join(tmp, "none")
    check("no messages", run("-o", empty, os.devnull)[0], 0)
    check("is an archive too", check_site(empty), [])
    text = os.path.join(tmp, "notes.txt")
    with open(text, "w", encoding="ascii") as file:
        file.write("plain, see http://p.example/\n")
    plain = os.path.join(tmp, "plain")
    check("plain text", (run("-o", plain, text)[0], check_site(plain)), (0, []))
    for address in ("--title=Garden", "list", "@a.example", "list@", "Garden <list@a.example>", "a@b.example?bcc=c", "a@b.example#c",
                    "a&b@c.example", "a%40b@c.example"):
        check("no address for replies", run(f"--reply={address}", "-o", plain, text),
              (2, "", "urlsift: --reply takes a mail address, such as list@a.example; try 'urlsift --help'\n"), address)
    for option in ("--fragment", "-n"):
        check(f"{option} cannot be used with it", run(option, "-o", plain, text)[0], 2)
    run("--lang=de", "--title=<T>", "-o", plain, text)
    check("--lang, --title", any(b'<pre class="urlsift" lang="de">' in c and b"&lt;T&gt;</title>" in c
                                 for c in read_site(plain).values()), True)
    link = os.path.join(tmp, "link")
    os.mkdir(link)
    run("-o", link, source)
    with open(os.path.join(link, ".urlsift", "lock"), "r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        part = os.path.join(link, ".urlsift", "part")
        open(part, "x").close()
        check("a folder that is being written", (run("-o", link, source), os.path.exists(part)),
              ((3, "", f"urlsift: {link}: is being written by another process\n"), True))
    old = os.path.join(tmp, "old")
    os.mkdir(old)
    for marker, why in ((b"urlsift pages 1\n", "older urlsift (schema 1); write the pages into a new folder\n"),
                        (None, "is not a folder; name another folder\n")):
        if marker:
            with open(os.path.join(old, ".urlsift"), "wb") as file:
                file.write(marker)
        else:
            os.unlink(os.path.join(old, ".urlsift"))
            os.symlink(link, os.path.join(old, ".urlsift"))
        status, _, error = run("-o", old, source)
        check(f"a folder with {marker}", (status, error.endswith(why), len(read_site(old))), (3, True, bool(marker)))
    for name in ("m/0123456789abcdef.html", "index.html"):
        page = os.path.join(link, name)
        if os.path.exists(page):
            os.unlink(page)
        os.mkdir(page)
        status, _, error = run("--prune", "-o", link, source)
        check(f"a folder named {name}", (status, error.startswith(f"urlsift: {page}: ")), (3, True))
        os.rmdir(page)
    run("-o", link, source)
    page = os.path.join(link, "index.html")
    os.unlink(page)
    os.mkfifo(page)
    check("a FIFO in place of a page is replaced", (run("-o", link, source)[0], os.path.isfile(page)), (0, True))
    for folder in ("m", "date"):
        subprocess.run(["rm", "-r", os.path.join(link, folder)], check=True)
        os.symlink(other, os.path.join(link, folder))
    check("a folder that became a link is not followed", run("-o", link, source)[0], 3)
    check("and nothing is written there", read_site(other), {"index.html": b"precious"})


def linked(source, target):
    """Pages are replaced, never written to: a copy of a folder of them may have the same files, but for the plan."""
    (shutil.copy2 if ".urlsift" in source else os.link)(source, target)


def led_astray(site):
    """The links of lists to messages, and of the pages at the top to others, whose page or anchor is not there."""
    ids, astray = {}, []
    for name, page in site.items():
        for href in re.findall(r'href="([^":]*)"', page.decode("utf-8")):
            path, _, fragment = href.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if name.startswith("m/") or (os.path.dirname(name) and not target.startswith("m/")) or target == "index.html":
                continue
            if target in site and target not in ids:
                ids[target] = set(re.findall(r'id="([^"]*)"', site[target].decode("utf-8")))
            if target not in site or fragment and unquote(fragment) not in ids[target]:
                astray.append((name, href))
    return astray


def test_kill(tmp):
    """After kill -9 every page is whole, no list leads to what is not there, and the next run completes the folder."""
    rng = seeded(2)
    many = [message(n, f"Topic {n % 97}", refs=[f"{n - 97}@a.example"] if n >= 97 else (), body=f"http://h{n % 9}.example/\n")
            for n in range(2000)]
    source = write(os.path.join(tmp, "many"), many)
    out, whole = os.path.join(tmp, "k", "a"), os.path.join(tmp, "w", "a")
    jobs = os.path.join(tmp, "j", "a")
    for folder in (out, whole, jobs):
        os.mkdir(os.path.dirname(folder))
    run("-j1", "-o", whole, source)
    wanted = read_site(whole)
    check("four threads", run("-j4", "-o", jobs, source, env={"URLSIFT_CUT": "20000"})[0], 0)
    check("the same pages", read_site(jobs), wanted)
    site = {}
    for _ in range(40 if LONG else 8):
        if site == wanted:
            shutil.rmtree(out)
        with subprocess.Popen([URLSIFT, "html", "-o", out, source]) as process:
            time.sleep(rng.random() * 0.15)
            process.send_signal(signal.SIGKILL)
        site = read_site(out) if os.path.isdir(out) else {}
        check("no half page", [name for name in site if site[name] != wanted.get(name)], [])
        check("no link to what is not there", led_astray(site), [])
    check("the next run", run("-o", out, source)[0], 0)
    check("completes it", read_site(out), wanted)


def test_jobs(tmp):
    """Several threads write the same pages as one, also over those of an earlier run, and all messages: references go in
    circles, a thread has several parts, hosts have several pages."""
    rng, count = random.Random(4), 2500
    def one(n):
        refs = [f"{rng.randrange(count + 100)}@a.example" for _ in range(rng.randrange(3))]
        return message(n, rng.choice(("", "Re: ")) + f"Topic {rng.randrange(60)}", refs=refs,
                       reply=f"{rng.randrange(count)}@a.example", author=f"Author {n % 40}",
                       body=f"Text http://h{rng.randrange(90)}.example/{rng.randrange(20)} mid:{rng.randrange(count)}@a.example\n")
    messages = [one(n) for n in range(count)]
    earlier, all_ = write(os.path.join(tmp, "earlier"), messages[::3]), write(os.path.join(tmp, "all"), messages)
    sites = []
    for folder, jobs in ("j1", "-j1"), ("j4", "-j4"):
        out = os.path.join(tmp, folder, "out")
        os.mkdir(os.path.dirname(out))
        for source in earlier, all_:
            check(f"{jobs}", run(jobs, "--prune", "-o", out, source)[0], 0)
            sites.append(read_site(out))
            shown = sum(page.count(b'<article class="m"') for name, page in sites[-1].items() if name.startswith("m/"))
            check("all messages", shown, len(messages[::3]) if source == earlier else count)
            check("nothing else is kept", sorted(os.listdir(os.path.join(out, ".urlsift"))), ["lock", "plan.db", "plan.db.lock"])
    check("the same pages of four threads", [name for name in {**sites[0], **sites[2]} if sites[0].get(name) != sites[2].get(name)], [])
    check("over earlier ones", [name for name in {**sites[1], **sites[3]} if sites[1].get(name) != sites[3].get(name)], [])


def test_progress(tmp):
    """Reading and writing each report what takes more than two seconds; here the writing is stopped for them."""
    if not LONG:
        return
    source = write(os.path.join(tmp, "slow"), [message(n, f"Slow {n}", body="word " * 500) for n in range(20000)])
    for option, wanted in (["--progress"], True), ([], False):
        out = os.path.join(tmp, "slow-pages")
        with subprocess.Popen([URLSIFT, "html", "-j1", *option, "-o", out, source], stderr=subprocess.PIPE,
                              text=True) as process:
            while process.poll() is None and not glob.glob(os.path.join(out, "*", "*.html")):
                time.sleep(0.002)
            process.send_signal(signal.SIGSTOP)
            time.sleep(2.1)
            process.send_signal(signal.SIGCONT)
            _, error = process.communicate(timeout=HANG)
        check(f"html -o {option} reports the pages that it writes",
              (process.returncode, bool(re.search(r"^urlsift: \d+ MB of pages$", error, re.M))), (0, wanted), error[:200])
        shutil.rmtree(out)


def test_stopped(tmp):
    """Wherever the writing of pages stops, no list leads to what is not there: of a new folder and of one that grows."""
    shim = preload("fault_shim.c", tmp)
    if not shim:
        skip("pages, writing that stops", "a sanitizer, or no LD_PRELOAD with glibc")
        return
    many = [message(3 * n, f"Topic {n % 30}", refs=[f"{3 * n - 90}@a.example"] if n % 60 >= 30 else (),
                    body=f"http://h{n % 9}.example/{n}\n", author=f"Author {n % 7}") for n in range(240)]
    before, source = write(os.path.join(tmp, "some"), many[:90]), write(os.path.join(tmp, "more"), many)
    base, rng = os.path.join(tmp, "before-pages"), random.Random(5)
    run("-o", base, before)
    whole = os.path.join(tmp, "whole")
    run("-o", whole, source)
    last, stopped = len(read_site(whole)), 0
    for at in range(1, last + 20) if LONG else [*rng.sample(range(1, last - 60), 6), *range(last - 5, last + 2)]:
        for again in (False, True):
            out = os.path.join(tmp, "stopped")
            shutil.rmtree(out, ignore_errors=True)
            if again:
                shutil.copytree(base, out, copy_function=linked)
            status = run(f"-j{1 + at % 2}", "-o", out, before if again else os.devnull, source, env={
                "LD_PRELOAD": shim, "FAULT": "rename", "FAULT_AT": str(at), "FAULT_ERROR": str(errno.ENOSPC)})[0]
            stopped += status == 3
            check(f"stopped at page {at}, {again}", (status in (0, 3), led_astray(read_site(out))), (True, []))
    check("it was stopped", stopped > 10, True)


def test_faults(tmp):
    """A call that fails: the whole folder, or an error line and status 1 or 3; pages are whole."""
    shim = preload("fault_shim.c", tmp)
    if not shim:
        skip("pages, failing calls", "a sanitizer, or no LD_PRELOAD with glibc")
        return
    out, old = os.path.join(tmp, "f", "a"), os.path.join(tmp, "g", "a")
    os.mkdir(os.path.dirname(out))
    os.mkdir(os.path.dirname(old))
    # In the long run months and hosts have further pages, and the text is larger than what is written at once.
    last, lines, length = (820, 3000, 60000) if LONG else (340, 100, 3000)
    many = [message(n, "Re: Many", refs=["300@a.example"], author=f"Author {n}") for n in range(300, last)]
    large = message(80, "Large", body="".join(
        f"http://h{n % 9}.example/ line {n} mid:3@a.example\n" for n in range(lines))
        + "http://h.example/" + "x" * length + "\n")
    run("-j1", "-o", old, write(os.path.join(tmp, "before"), THREADS + [large] + many))
    source = write(os.path.join(tmp, "faults"), THREADS[2:9] + [large.replace(b"line 90", b"LINE 90")] + THREADS[9:]
                   + many[10:30])
    wanted, rng = [], random.Random(3)

    def begin(again):
        shutil.rmtree(out, ignore_errors=True)
        if again:
            shutil.copytree(old, out, copy_function=linked)

    for again in (False, True):
        begin(again)
        run("-j1", "--prune", "-o", out, source)
        wanted.append(read_site(out))
    for fault, error, most, count in (
            ("alloc", 0, 3000, 30), ("large-alloc", 0, 30, 30), ("pread", errno.EIO, 120, 15),
            ("pread", errno.EINTR, 120, 4), ("short-pread", 0, 120, 5), ("write", errno.ENOSPC, 60, 10),
            ("open", errno.EMFILE, 140, 24), ("mkdir", errno.EACCES, 14, 14), ("rename", errno.ENOSPC, 40, 5),
            ("unlink", errno.EACCES, 40, 8), ("readdir", errno.EIO, 80, 12), ("opendir", errno.ENOMEM, 9, 9)):
        for at in range(1, most) if NIGHT else sorted(rng.sample(range(1, most), min(most - 1, 2 * count if LONG else 1 + count // 8))):
            for again, more in ((False, {}), (True, {})) + (((False, {"FAULT_ALL": "1"}),) if "alloc" in fault else ()):
                begin(again)
                status, _, why = run(f"-j{1 + at % 2}", "--prune", "-o", out, source, env={
                    "LD_PRELOAD": shim, "FAULT": fault, "FAULT_AT": str(at), "FAULT_ERROR": str(error), **more})
                if status == 0:
                    good = read_site(out) == wanted[again]
                else:
                    good = why.startswith("urlsift: ") and (
                        status == 3 or (status == 1 and (again or check_site(out) == [])))
                check(f"{fault} fails, {more} {again}", good, True, f"{at}: {status} {why}")


def main():
    status, _, error = run("-o", os.devnull, os.devnull)
    if "needs SQLite" in error:
        skip("pages", "SQLite is not built in")
    else:
        with tempfile.TemporaryDirectory() as tmp:
            site = test_whole(tmp)
            test_order(tmp, site)
            quick = (test_attached, test_changed_by_others, test_options_kept, test_rings, test_host_list, test_older, test_again, test_renamed, test_store, test_limits, test_threads, test_month_without_threads, test_slow_clock, test_refusals)
            for test in quick if FAST else (*quick, test_damaged, test_published, test_odd, *((test_middle, test_places, test_jobs, test_long, test_late, test_newest) if LONG else ()), test_shrink, test_growth, test_files, test_kill, test_progress, test_stopped, test_faults):
                test(tmp)
    finish()


if __name__ == "__main__":
    main()
