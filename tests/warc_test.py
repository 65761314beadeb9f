#!/usr/bin/env python3
"""Web archives (src/input/warc.c): kinds of records, bodies as they were sent, packed files, damage; with npm's warcio,
links of each body that it decodes.  LONG: 1,000 damaged archives, else 12; FAST: all but packed files, the index and warcio."""
import base64
import bz2
import contextlib
import gzip
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
import zlib

from testlib import FAST, HANG, LONG, TOP, URLSIFT, check, expect, finish, has, read, run, run_pieces, skip, write

PAGE = b"""<!doctype html><html><head><base href="/pub/"><title>Minutes</title></head><body>
<a href="2026/may.html">May</a> and, in the text, https://www.garden.example/seeds/ of <a href="//mirror.post.example/">ours</a></body></html>"""
PAGE_LINKS = ["http://{}/pub/2026/may.html", "https://www.garden.example/seeds/", "http://mirror.post.example/"]
TEXT = b"The reports are at <https://files.archive.example/pub/reports/\n2026/wide-area.pdf>, or ask at www.post.example/~ada.\n"
TEXT_LINKS = ["https://files.archive.example/pub/reports/2026/wide-area.pdf", "http://www.post.example/~ada"]
HEAD, AHEAD = 64 * 1024, 128 * 1024  # bytes of a header, at most; of a block that are looked at before it is read
count = 0


def record(kind, uri, block, version="WARC/1.0", length=None, **fields):
    """The bytes of a record; `fields` have _ for a hyphen."""
    global count
    count += 1
    head = {"WARC-Type": kind, "WARC-Target-URI": uri, "WARC-Date": "2026-04-01T10:20:30Z",
            "WARC-Record-ID": f"<urn:uuid:7a0c6c10-0000-4000-8000-{count:012}>", "Content-Length": len(block) if length is None else length,
            **{name.replace("_", "-"): value for name, value in fields.items()}}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items() if value is not None)
    return f"{version}\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def response(uri, body, *head):
    lines = "".join(f"{line}\r\n" for line in ["HTTP/1.1 200 OK", *head])
    return record("response", uri, f"{lines}\r\n".encode() + body, Content_Type="application/http; msgtype=response")


def conversion(uri, text=TEXT, **fields):
    return record("conversion", uri, text, Content_Type="text/plain", WARC_Identified_Content_Language="eng,deu", **fields)


def chunked(body, *sizes):
    out = b""
    for size in [*sizes, len(body)]:
        if body:
            out += f"{len(body[:size]):X};note=1\r\n".encode() + body[:size] + b"\r\n"
        body = body[size:]
    return out + b"0\r\nTrailer: http://no.example/\r\n\r\n"


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


HTML = "Content-Type: text/html; charset=utf-8"
SENT = {  # host -> record
    "plain": response("http://plain.example/x/y", PAGE, HTML),
    "gzip": response("http://gzip.example/", gzip.compress(PAGE), HTML, "Content-Encoding: gzip"),
    "x-gzip": response("http://x-gzip.example/", gzip.compress(PAGE), HTML, "content-encoding:x-gzip"),
    "zlib": response("http://zlib.example/", zlib.compress(PAGE), HTML, "Content-Encoding: deflate"),
    "deflate": response("http://deflate.example/", raw_deflate(PAGE), HTML, "Content-Encoding: deflate"),
    "chunks": response("http://chunks.example/", chunked(PAGE, 1, 2, 30), HTML, "Transfer-Encoding: chunked"),
    "both": response("http://both.example/", chunked(gzip.compress(PAGE), 1, 50), HTML, "Transfer-Encoding: chunked", "Content-Encoding: gzip"),
    "kept": response("http://kept.example/", PAGE, HTML, "Transfer-Encoding: chunked", "Content-Encoding: gzip"),  # what a crawler has decoded
    "zeros": response("http://zeros.example/", b"0" * 64 + b"\n" + PAGE, HTML, "Transfer-Encoding: chunked"),  # as long as a size may be
    "filled": response("http://filled.example/", b"5;" + b"x" * 70 + b"\n" + PAGE, HTML, "Transfer-Encoding: chunked"),  # its line is too long
    "wide": response("http://wide.example/", PAGE.decode().encode("utf-16-le"), "Content-Type: text/html; charset=utf-16le"),
}
SENT_LINKS = [link.format(f"{name}.example") for name in SENT for link in PAGE_LINKS]
OTHER = [
    record("warcinfo", None, b"software: http://no.example/\r\n", Content_Type="application/warc-fields"),
    record("request", "http://no.example/", b"GET / HTTP/1.1\r\nReferer: http://no.example/\r\n\r\n", Content_Type="application/http; msgtype=request"),
    record("metadata", "http://no.example/", b"outlink: http://no.example/\r\n", Content_Type="application/warc-fields"),
    record("revisit", "http://no.example/", b"HTTP/1.1 200 OK\r\nLocation: http://no.example/\r\n\r\n", Content_Type="application/http; msgtype=response"),
    record("nonsense", "http://no.example/", b"http://no.example/"),
]
SKIPPED = [
    response("http://no.example/a.png", b"http://no.example/", "Content-Type: image/png"),
    response("http://no.example/", b"\x0bhttp://no.example/", HTML, "Content-Encoding: br"),
    response("http://no.example/", b"http://no.example/"),
]
FIRST, LAST = conversion("http://first.example/"), conversion("http://last.example/")
ALL = [FIRST, *OTHER, *SENT.values(), *SKIPPED, record("resource", "ftp://files.archive.example/a.txt", TEXT, Content_Type="text/plain"), LAST]
ALL_LINKS = TEXT_LINKS + SENT_LINKS + TEXT_LINKS * 2


def links(data, *options):
    return run("list", *options, text=data).stdout.decode().split("\n")[:-1]


def records(data, *options):
    return [json.loads(line) for line in run("list", "--json", *options, text=data).stdout.splitlines()]


def kinds():
    data = b"".join(ALL)
    check("links", links(data), ALL_LINKS)
    for version in (b"WARC/1.1", b"WARC/0.18"):
        check("other versions", links(data.replace(b"WARC/1.0", version)), ALL_LINKS, version)
    check("line ends without CR", links(b"".join(part.replace(b"\r\n", b"\n") for part in (FIRST, LAST)))[:2], TEXT_LINKS)
    check("as an option", links(b"\r\n" + data, "--input=warc"), ALL_LINKS)
    check("nothing before a record but by an option", run("list", "--input=warc", text=b"x\n" + FIRST)[::2],
          (1, "urlsift: -: record at 0 does not begin with its version\n"))
    check("as text on demand", "http://no.example/" in links(data, "--input=text"))
    plain = "Content-Type: text/plain", "Content-Encoding: gzip"
    small = response("http://a.example/", gzip.compress(b"http://a.example/\n" * 9000), *plain)  # more than is decoded at a time
    check("a small body expands as it does", len(links(small, "--max-expand=2")), 9000)
    check("all records", [links(part, "--headers=all").count("http://no.example/") for part in OTHER], [1] * len(OTHER))
    for what, block, found in (
            ("no header of HTTP", b"http://a.example/ no head\n", []),
            ("a header of HTTP that is too long", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 66000 + b"\r\n\r\nhttp://a.example/\n", []),
            ("a chunk that is cut", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nhttp://a.example/ ",
             ["http://a.example/"]),
            ("a chunk whose size is wrong", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsee http://a.example/\r\n0\r\n\r\n",
             ["http://a.example/"]),
            ("a body without bytes", b"HTTP/1.1 204 No\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n", None),
            ("a body without chunks", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n", None)):
        done = run("list", text=record("response", "http://no.example/", block, Content_Type="application/http"))
        check(what, (done.returncode, done.stdout.decode().split()), (0, []) if found is None else (1, found))
    lines = "Content-Type: text/plain", "Transfer-Encoding: chunked"
    for line in (b"", b"x", b"http://b.example/", b"5x", b"-5", b"1" * 17, b"1" * 62):  # the crawler has undone the chunks
        found = links(response("http://no.example/", line + b"\r\nhttp://a.example/\r\n", *lines))
        check("a first line that is no size", found, [*re.findall("ht.*", line.decode()), "http://a.example/"], line)
    for size in (b"12", b"12 ", b"12\t", b"12;x", b"0" * 14 + b"12", b"0" * 60 + b"12"):
        found = links(response("http://no.example/", size + b"\r\nhttp://a.example/ \r\n0\r\n\r\nhttp://no.example/", *lines))
        check("a first line that is a size", found, ["http://a.example/"], size)
    feed = b'<feed><link href="https://a.example/x?a&amp;b"/><id>https://b.example/\xfc</id></feed>'
    for kind in ("application/rss+xml", "Application/Atom+XML ", "application/xml", "text/xml", "application/soap+xml"):
        for charset, letter in ((";charset=iso-8859-1", "\u00fc"), ("; charset=iso-8859-7", "\u03cc"), (";x=" + "y" * 300, None)):
            found = links(response("http://no.example/", feed, "Content-Type: " + kind + charset))
            wanted = ["https://a.example/x?a&b", "https://b.example/" + (letter or "\u00fc")]
            check("a feed", found, wanted if letter or kind == "text/xml" else [], (kind, charset))
    for kind in ("application/json", "application/ld+json;charset=utf-8", "application/x-ndjson"):
        check("JSON", links(response("http://no.example/", rb'{"a":"https:\/\/a.example\/x", "b":"y"}', "Content-Type: " + kind)), ["https://a.example/x"], kind)
        check("JSON in a resource", links(record("resource", "http://no.example/", b'["https://a.example/x"]', Content_Type=kind)), ["https://a.example/x"], kind)
    packer = zlib.compressobj(wbits=-15)
    raw = packer.compress(b"http://a.example/\n") + packer.flush()
    for name in (b"", b"a\n", b"a" * 40 + b"\n", b"a" * 52 + b"\n", b"a" * 53 + b"\n", b"a" * 54 + b"\n", b"a" * 99 + b"\nb"):
        # whose end of a line is among the bytes that may be a size, or not
        body = b"\x1f\x8b\x08\x08" + (bytes(6) if name else b"\n" + bytes(5)) + name + b"\0" + raw + zlib.crc32(b"http://a.example/\n").to_bytes(4, "little") + b"\x12\0\0\0"
        done = run("list", text=response("http://no.example/", body, *lines, "Content-Encoding: gzip"))
        check("gzip where a size may be", (done.returncode, done.stdout, done.stderr), (0, b"http://a.example/\n", ""), name)
    summary = run("list", "--summary", text=data).stderr
    expect("records are counted", f"messages {len(SENT) + 3}, links {len(ALL_LINKS)}, errors 0, limits 0, skipped {len(SKIPPED) + 1}," in summary, summary)
    found = records(data)
    first = found[0]
    check("a record is a message", first["message"], {"offset": 0, "id": "urn:uuid:7a0c6c10-0000-4000-8000-000000000020", "date": "2026-04-01T10:20:30Z",
                                                      "time": 1775038830, "uri": "http://first.example/"})
    dates = ("2026-04-01T10:20:30Z", 1775038830), ("2026-04-01T10:20:30.25Z", 1775038830), ("2026-04-01T10:20:30", None), ("2026-04-01", None), \
        ("2026-13-01T10:20:30Z", None), ("1969-12-31T23:59:59Z", None), ("2026-04-01 10:20:30Z", None), ("1970-01-01T00:00:00Z", 0), \
        ("2100-12-31T23:59:59Z", 4133980799), ("2101-01-01T00:00:00Z", None), ("2026-00-10T00:00:00Z", None), ("2026-12-00T00:00:00Z", None), \
        ("2026-12-31T00:00:00Z", 1798675200), ("2026-12-32T00:00:00Z", None)
    for date, seconds in dates:
        dated = conversion("http://page.example/", b"http://a.example/", WARC_Date=date)
        check(f"the date {date}", [link["message"].get("time") for link in records(dated)], [seconds])
    odd = conversion("<http://QQ.example/", b"http://a.example/").replace(b"QQ", b"\x01\x7f\xc3\xa4\xff\xc3\xa4")
    check("controls and bytes that are not UTF-8 in a URI", records(odd)[0]["message"]["uri"], "<http://  \u00e4???.example/")
    for name, sent in (("an identity", (PAGE, "Content-Encoding: identity")), ("a transfer that is one", (PAGE, "Transfer-Encoding: Identity")),
                       ("a transfer that is none", (gzip.compress(PAGE), "Transfer-Encoding: gzip"))):
        check(f"a body of {name}", links(response("http://page.example/", sent[0], HTML, *sent[1:])), [link.format("page.example") for link in PAGE_LINKS])
    check("a body without a line, which has no chunk", links(response("http://page.example/", b"http://a.example/", HTML, "Transfer-Encoding: chunked")),
          ["http://a.example/"])
    for link in found:
        if link["message"]["uri"] in ("http://first.example/", "http://last.example/", "ftp://files.archive.example/a.txt", "http://plain.example/x/y"):
            text = b"".join(data[at:at + n] for at, n in link["parts"]).decode()
            check("offsets are those of the file", text, link["text"])
            check("lines are those of the file", link["line"], len(re.findall(b"\r\n|\r|\n", data[:link["parts"][0][0]])) + 1)
            expect("not decoded", "decoded" not in link, link)
        else:
            check("decoded", link.get("decoded", False), "wide" not in link["message"]["uri"])
        check("offsets of records", data[link["message"]["offset"]:][:5], b"WARC/")
    check("a base on the page", [link["url"] for link in found if link.get("attribute")][0], "http://plain.example/pub/2026/may.html")
    page = response("http://page.example/a/b?c", b'<html><a href="d">d</a>', HTML)
    check("the URI is the base", links(page), ["http://page.example/a/d"])
    long = response(f"http://page.example/{'a' * 2000}/", b'<html><a href="d">d</a> http://x.example/', HTML)
    check("a URI too long for a base", links(long), ["http://x.example/"])
    typed = record("response", "http://page.example/a/", b'HTTP/1.1 200 OK\r\n\r\n<html><a href="d">d</a>', Content_Type="application/http;msgtype=response",
                   WARC_Identified_Payload_Type="text/html")
    check("the type that the crawler found", links(typed), ["http://page.example/a/d"])
    mail = (b"Subject: one http://subject.example/\nMessage-ID: <1@a.example>\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n"
            b"http://text.example/long-\n--x\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
            + base64.b64encode(b'<a href="http://html.example/">') + b"\n--x\nContent-Type: message/rfc822\n\n\nhttp://inner.example/\n--x--\n")
    wanted = [("http://subject.example/", None), ("http://text.example/long-", "1"), ("http://html.example/", "2"), ("http://inner.example/", "3.1")]
    for kind, part in (("resource", record("resource", "http://mail.example/", mail, Content_Type="message/rfc822")),
                       ("response", response("http://mail.example/", chunked(gzip.compress(mail), 50), "Content-Type: message/rfc822",
                                             "Transfer-Encoding: chunked", "Content-Encoding: gzip"))):
        got = records(part + LAST)[:-len(TEXT_LINKS)]
        check(f"mail of a {kind}", [(link["url"], link["message"].get("part")) for link in got], wanted)
        check(f"its message is the record: {kind}", {(link["message"]["uri"], link["message"].get("subject")) for link in got}, {("http://mail.example/", None)})
        places = [link["text"] if link.get("decoded") else (part[link["parts"][0][0]:][:link["parts"][0][1]]).decode() for link in got]
        check(f"places in mail of a {kind}", (places, [link.get("decoded", False) for link in got]),
              ([url for url, _ in wanted], [kind == "response" or "html" in url for url, _ in wanted]))
        check(f"blocks of any size: mail of a {kind}", run_pieces("list", "--json", data=part, size=3).stdout, run("list", "--json", text=part).stdout)
    digest = record("resource", "http://mail.example/", b"Content-Type: multipart/digest; boundary=x\n\n--x\n\nSubject: one\n\n"
                    b"http://one.example/\n--x\n\n\nhttp://two.example/\n--x--\n", Content_Type="message/rfc822")
    check("a digest is one message", ([link["message"].get("part") for link in records(digest)],
                                      run("html", "--fragment", "--input=warc", text=digest).stdout.count(b"<article")), (["1.1", "2.1"], 1))
    none = record("resource", "http://mail.example/", b"\nhttp://a.example/", Content_Type="message/rfc822")
    check("mail without a header, and of nothing", links(none + record("resource", "http://mail.example/", b"", Content_Type="message/rfc822") + LAST),
          ["http://a.example/", *TEXT_LINKS])
    check("blocks of any size", run_pieces("list", data=data, size=1).stdout.decode().split(), ALL_LINKS)
    check("blocks of 7 bytes", run_pieces("list", "--json", data=data, size=7).stdout, run("list", "--json", text=data).stdout)


def edges(folder):
    """What is as long as a limit or as what is looked at, a byte less and more."""
    for length in HEAD - 1, HEAD, HEAD + 1:
        much = length > HEAD
        for kind, filled in (
                ("a header", lambda n: conversion("http://a.example/", X_Long="x" * n)),
                ("a header of HTTP", lambda n: response("http://a.example/", TEXT, "Content-Type: text/plain", "X-Long: " + "x" * n))):
            part = filled(1)
            part = filled(1 + length - (part.find(TEXT) - (part.find(b"HTTP/1.1") if "HTTP" in kind else 0)))
            done = run("list", text=FIRST + part + LAST)
            check(f"{kind} of {length} bytes", (done.stdout.decode().split(), f"record at {len(FIRST)} has a {kind[2:]} that is too long" in done.stderr),
                  (TEXT_LINKS * (2 if much else 3), much))
    path = os.path.join(folder, "edge.warc")
    for there in range(4):  # bytes of a block that the first read gives
        filled = lambda n: conversion("http://a.example/", b"x\n" * (n // 2) + b"x" * (n % 2))  # noqa: E731
        part = conversion("http://a.example/", b"http://begins.example/\n" + TEXT)
        begin = b"http://begins"
        write(path, filled(2 * AHEAD - there - part.index(begin) - len(filled(200000)) + 200000) + part * 2)
        done = run("list", path)
        check(f"a block of which a read has {there} bytes", (read(path)[2 * AHEAD - there:].startswith(begin), done.returncode, done.stdout.decode().split()),
              (True, 0, ["http://begins.example/", *TEXT_LINKS] * 2))
    for field, most in ("id", 256), ("uri", 4096):
        for length in most - 1, most, most + 1:
            text = "u:" + "x" * (length - 2)
            part = conversion(text) if field == "uri" else conversion("http://a.example/", WARC_Record_ID=text)
            check(f"a field of {length} bytes", records(part)[0]["message"][field], text[:most], field)
    for length in *range(AHEAD - 18, AHEAD + 2), *range(2 * AHEAD - 2, 2 * AHEAD + 2), 4 * AHEAD:
        text = (b"words\n" * (length // 6))[:length - len(TEXT)]
        text += b" " * (length - len(TEXT) - len(text)) + TEXT
        found = [(done.returncode, done.stdout.count(b'"type":"link"')) for done in (
            run("list", "--json", text=FIRST + conversion("http://a.example/", part, length=length) + LAST) for part in (text, text[100:]))]
        # behind a long block nothing is looked at: the record after it is text then
        check(f"a block of {length} bytes, and one of 100 less", found, [(0, 3 * len(TEXT_LINKS)), (1, (3 if length < AHEAD - 16 else 2) * len(TEXT_LINKS) + (length >= AHEAD - 16))])


def packed(folder):
    gz = b"".join(gzip.compress(part) for part in ALL)
    check("gzip, a member a record", links(gz), ALL_LINKS)
    check("bzip2", links(b"".join(bz2.compress(part) for part in ALL)), ALL_LINKS)
    names = []
    for i in range(6):
        names.append(os.path.join(folder, f"{i}.warc.gz"))
        write(names[-1], gz * 20)
    one = run("list", "--json", "-j1", *names)
    check("threads", run("list", "--json", "-j2", *names).stdout == one.stdout and len(one.stdout.splitlines()) == 120 * len(ALL_LINKS))
    cut = run("list", "--json", text=gz[:-30])
    expect("a cut member", cut.returncode == 1 and b'"type":"error"' in cut.stdout and cut.stdout.count(b'"type":"link"') >= len(ALL_LINKS) - 2, cut)
    if not shutil.which("zstd"):
        return skip("zstd", "zstd is not installed")
    frames = b"".join(subprocess.run(["zstd", "-qc"], input=part, capture_output=True, check=True).stdout for part in ALL)
    check("zstd, a frame a record", links(frames), ALL_LINKS)
    check("a frame that is passed over comes first", links(b"\x5d\x2a\x4d\x18\x04\0\0\0abcd" + frames), ALL_LINKS)
    dictionary(folder)
    page = subprocess.run(["zstd", "-qc"], input=PAGE, capture_output=True, check=True).stdout
    noise = random.Random(3).randbytes(1000).hex().encode()
    noisy = subprocess.run(["zstd", "-qc"], input=noise + b"\n" + TEXT, capture_output=True, check=True).stdout
    check("a body in zstd, in chunks of a byte", links(response("http://zstd.example/", chunked(noisy, *[1] * len(noisy)), "Content-Type: text/plain",
                                                               "Transfer-Encoding: chunked", "Content-Encoding: zstd")), TEXT_LINKS)
    check("a body in zstd", links(response("http://zstd.example/", page, HTML, "Content-Encoding: zstd"))[1:2], PAGE_LINKS[1:2])
    return None


def ranges(folder):
    """--range reads the records that begin in it."""
    data, starts = b"".join(ALL), [0]
    for part in ALL:
        starts.append(starts[-1] + len(part))
    which = ALL.index(SENT["gzip"])
    for name, content in (("r.warc", data), ("r.warc.gz", b"".join(gzip.compress(part) for part in ALL))):
        path = os.path.join(folder, name)
        write(path, content)
        got = [run("list", f"--range={start}:1", path).stdout.decode().split() for start in starts[:-1]]
        check("each record alone", sum(got, []), ALL_LINKS, name)
        check("one of them", got[which], [link.format("gzip.example") for link in PAGE_LINKS], name)
        check("as a page", b"http://gzip.example/pub/2026/may.html" in run("html", f"--range={starts[which]}:1", path).stdout, True, name)
        check("with its URI for a heading", b"<h1><bdi>http://gzip.example/" in run("html", f"--range={starts[which]}:1", path).stdout, True, name)
        check("two records", run("list", f"--range={starts[which]}:{len(ALL[which]) + 1}", path).stdout.decode().split(), got[which] + got[which + 1], name)


def dictionary(folder):
    """The first frame holds the dictionary of the others, as it is or compressed."""
    samples = []
    for i in range(300):
        samples.append(os.path.join(folder, f"sample{i}"))
        write(samples[-1], conversion(f"http://{i}.example/", b"%d seeds of %d gardens\n" % (i * 7919, i * 104729) * 5))
    name = os.path.join(folder, "dictionary")
    subprocess.run(["zstd", "-q", "--train", *samples, "--maxdict=4000", "-o", name], capture_output=True, check=True)
    raw = read(name)
    zstd = lambda data, *more: subprocess.run(["zstd", "-qc", *more], input=data, capture_output=True, check=True).stdout  # noqa: E731
    frames = b"".join(zstd(part, "-D", name) for part in ALL)
    frame = lambda data: b"\x5d\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data  # noqa: E731
    check("frames need the dictionary", "Dictionary mismatch" in run("list", text=frames).stderr, True)
    for what, first in (("as it is", frame(raw)), ("compressed", frame(zstd(raw)))):
        check("frames with a dictionary", links(first + frames), ALL_LINKS, what)
        check("blocks of any size", run_pieces("list", data=first + frames, size=3).stdout.decode().split(), ALL_LINKS, what)
        check("a dictionary that is cut off", run("list", text=first[:-9]).stderr, f"urlsift: -: is cut off at {len(first) - 9}\n", what)
    for more in 0, 1:
        expect("the longest dictionary", ("too large" in run("list", text=frame(bytes(32 * 2 ** 20 + more))).stderr) == bool(more), at=more)
    for what, first in (("malformed", frame(raw[:8] + b"\xff" * 200)), ("cut within its frame", frame(zstd(raw)[:-9])),
                        ("too large", frame(zstd(bytes(33 * 2 ** 20))))):
        expect("a dictionary that cannot be used", "malformed dictionary" in run("list", text=first + frames).stderr, at=what)


def damage():
    cases = [
        ("has no length", FIRST.replace(b"Content-Length", b"Content-Breadth")),
        ("has no length", FIRST.replace(b"Content-Length: ", b"Content-Length: x")),
        ("has no length", re.sub(rb"(Content-Length: \d+)", rb"\1x", FIRST)),
        ("has no length", re.sub(rb"(Content-Length: )\d+", rb"\g<1>99999999999999999999", FIRST)),
        ("does not begin with its version", b"some garbage http://no.example/\r\n\r\n"),
        ("has an incomplete header", FIRST[:60] + b"\r\n"),
        ("has a header that is too long", b"WARC/1.0\r\nX-Long: " + b"x" * 70000 + b"\r\n\r\nhttp://no.example/\r\n"),
        ("continues another, which is not read", record("continuation", "http://no.example/", b"http://no.example/", Content_Type="text/plain")),
        ("is damaged (invalid", response("http://no.example/", gzip.compress(PAGE)[:20] + b"\xff" * 50, HTML, "Content-Encoding: gzip")),
        ("malformed chunk", response("http://no.example/", b"4\r\nabcd\r\nxyz\r\n", HTML, "Transfer-Encoding: chunked")),
        ("malformed chunk", response("http://no.example/", b"4\r\nabcde\r\n0\r\n\r\n", HTML, "Transfer-Encoding: chunked")),
        ("is cut off", response("http://no.example/", gzip.compress(PAGE)[:12], HTML, "Content-Encoding: gzip")),
    ]
    for why, part in cases:
        done = run("list", "--json", text=FIRST + part + LAST)
        got = [json.loads(line) for line in done.stdout.splitlines()]
        check("the next record goes on", [entry.get("url") for entry in got if entry["type"] == "link" and "no.example" not in entry["url"]], TEXT_LINKS * 2, why)
        errors = [entry["what"] if "what" in entry else str(entry) for entry in got if entry["type"] == "error"]
        expect("damage is an error record", done.returncode == 1 and len(errors) == 1 and f"record at {len(FIRST)} " in errors[0] and why in errors[0], errors, why)
        check("blocks of any size at damage", run_pieces("list", "--json", data=FIRST + part + LAST, size=13).stdout, done.stdout, why)
    for lost in (b"x\n", b"x\r\n", b"x\ny\n", b"\nx\n", b"x\n\nWARC\n", b"WARC/\r\n", b"W" * 99 + b"\n", b"x\n" * 40, b"x" * 9000 + b"\n"):
        done = run("list", text=FIRST + lost + LAST)
        check("lines between records cost no record", (done.returncode, done.stdout.decode().split()), (1, TEXT_LINKS * 2), lost[:20])
        check("nor in blocks of any size", run_pieces("list", data=FIRST + lost + LAST, size=5).stdout, done.stdout, lost[:20])
    part = record("response", "http://no.example/", b"HTTP/1.1 200 OK\r\nX: http://no.example/\r\n\r\n", Content_Type="application/http", length=30)
    for rest in (b"", LAST):
        done = run("list", text=FIRST + part + rest)
        check("a block may end in its header of HTTP", (done.returncode, "has no complete header of HTTP" in done.stderr, done.stdout.decode().split()),
              (1, True, TEXT_LINKS * (2 if rest else 1)))
    filler = b"words that fill a page\n" * 20000
    far = conversion("http://far.example/", filler[:100000])
    for where, part in (("in sight", conversion("http://a.example/", length=len(TEXT) + 200)), ("at the end", conversion("http://a.example/", length=9999)),
                        ("of what is passed over", record("response", "http://a.example/", b"HTTP/1.1 200 OK\r\n\r\n", Content_Type="application/http", length=90)),
                        ("far away", conversion("http://a.example/", length=len(filler)))):
        found = [] if "passed" in where else TEXT_LINKS
        data = FIRST + part + LAST + (far + conversion("http://b.example/", filler) + LAST if "far" in where else b"")
        done = run("list", "--json", text=data)
        got = [json.loads(line) for line in done.stdout.splitlines()]
        check("a length that is too large costs no other record", [entry["url"] for entry in got if entry["type"] == "link"],
              TEXT_LINKS + found + TEXT_LINKS * (2 if "far" in where else 1), where)
        errors = [entry["what"] for entry in got if entry["type"] == "error"]
        check("it is one error", (done.returncode, errors), (1, [f"record at {len(FIRST)} has a length that is too large"]), where)
        check("blocks of any size", run_pieces("list", "--json", data=data, size=4000).stdout, done.stdout, where)
    for rest in (b"", filler * 2):
        shown = FIRST + conversion("http://a.example/", b"A record looks so:\n\n" + LAST + rest) + LAST
        check("a record that a page shows is text", (run("list", text=shown).returncode, len(records(shown, "--match=/pub/reports"))), (0, 3))
    inner = FIRST + response("http://a.example/a.warc", FIRST + LAST + filler * 2, "Content-Type: application/warc") + LAST
    check("a web archive in one", (run("list", text=inner).returncode, links(inner)), (0, TEXT_LINKS * 2))
    short = conversion("http://short.example/", length=len(TEXT) - 30)
    expect("a length that is too small", run("list", text=short + LAST).stdout.decode().split("\n")[-3:-1] == TEXT_LINKS)
    cut = run("list", text=FIRST + LAST[:-20])
    expect("a cut file", cut.returncode == 1 and "is cut off" in cut.stderr and cut.stdout.decode().split("\n")[:2] == TEXT_LINKS, cut)
    check("nothing but a version", run("list", text=b"WARC/1.0\r\n\r\n").returncode, 1)
    for mebibytes in 64, 65:  # the first 64 may expand as they do
        packer = zlib.compressobj(wbits=-15)
        bomb = (packer.compress(b"word " * 209715 + b"\n") + packer.flush(zlib.Z_FULL_FLUSH)) * mebibytes + packer.flush()
        done = run("list", "--max-expand=2", text=response("http://no.example/", bomb, "Content-Type: text/plain", "Content-Encoding: deflate") + LAST)
        check(f"a body that expands to {mebibytes} MiB", (done.returncode, "expands too much" in done.stderr, done.stdout.decode().split()),
              (mebibytes > 64, mebibytes > 64, TEXT_LINKS))
    kept = os.path.join(tempfile.gettempdir(), f"urlsift-{os.getpid()}.warc")
    write(kept, b"".join(ALL))
    check("a web archive is not rewritten in place", run("rewrite", "--in-place", "--as=refang", kept).returncode, 2)
    os.unlink(kept)


SCRAPS = [b"\r\n", b"\n", b"\r\n\r\n", b"\0", b"WARC/1.0\r\n", b"WARC/1.", b"Content-Length: 9\r\n", b"Content-Encoding: gzip\r\n", b"\x1f\x8b\x08",
          b"Transfer-Encoding: chunked\r\n", b"0\r\n", b"ffffffffffffffff\r\n", b"99999999999999999999", b"<a href=x>", b"http://z.example/ "]


def random_archive(dice):
    """Some of the records, with up to six places where bytes are lost, added or replaced."""
    data = bytearray(b"".join(dice.choice(ALL) for _ in range(dice.randrange(1, 6))))
    for _ in range(dice.choice([0, 1, 1, 2, 3, 6])):
        at, other = dice.randrange(len(data) + 1), dice.randrange(len(data) + 1)
        copied = bytes(data[other:other + dice.randrange(200)])
        data[at:at + dice.choice([0, 0, 1, 2, 10, 60, 300])] = dice.choice([b"", dice.choice(SCRAPS), bytes([dice.randrange(256)]), copied])
    if dice.randrange(3) == 0:  # a length that is not that of its block
        lengths = list(re.finditer(rb"(?<=Content-Length: )[0-9]+", data))
        if lengths:
            span = dice.choice(lengths).span()
            data[span[0]:span[1]] = b"%d" % dice.randrange(dice.choice([40, 400]))
    if dice.randrange(3) == 0:  # nothing ends the last line
        data += b"x" * dice.randrange(2000)
    return bytes(data)


def found(done):
    """The links, each with the offset of its record."""
    return [(entry["message"]["offset"], entry["url"]) for entry in map(json.loads, done.stdout.splitlines()) if entry["type"] == "link"]


def random_damage(folder):
    """Whatever the bytes are: blocks of any size and a packed file give the same; without damage, two ranges give all."""
    name = os.path.join(folder, "random.warc")
    for seed in range(1000 if LONG else 12):
        dice = random.Random(seed)
        data = random_archive(dice)
        write(name, data)
        command = ["list", "--json", "--input=warc"]
        whole = run(*command, text=data)
        expect("a status other than 0 has a reason", whole.returncode == 0 or (whole.returncode == 1 and whole.stderr), whole, seed)
        check("blocks of any size of any bytes", run_pieces(*command, data=data, size=dice.choice([2, 3, 7, 50, 333])).stdout, whole.stdout, seed)
        cut = dice.randrange(len(data) + 1)
        parts = [run(*command, f"--range={begin}:{end}", name) for begin, end in ((0, cut), (cut, len(data)))]
        if whole.returncode == 0:  # where one begins within a damaged record, it cannot know how that was read
            check("two ranges of any bytes", sorted(found(parts[0]) + found(parts[1])), sorted(found(whole)), (seed, cut))
        check("any bytes, packed", found(run(*command, text=gzip.compress(data))), found(whole), seed)


def index(folder):
    if not has("with SQLite"):
        return skip("an index of web archives", "built without SQLite")
    base = os.path.join(folder, "index")
    name = os.path.join(folder, "a.warc.gz")
    write(name, b"".join(gzip.compress(part) for part in ALL))
    check("index", run("index", base, name).returncode, 0)
    check("sources", run("query", base, "sources").stdout.decode().split("\t")[2:5], ["warc", str(len(SENT) + 3), str(len(ALL_LINKS))])
    posts = [json.loads(line) for line in run("query", "--json", base, "posts", "www.garden.example").stdout.splitlines()]
    check("posts", [post["msgid"] for post in posts], [f"urn:uuid:7a0c6c10-0000-4000-8000-{i:012}" for i in range(1, len(SENT) + 1)])
    check("their addresses", {post["uri"] for post in posts} >= {"http://plain.example/x/y", "http://gzip.example/"}, True)
    pieces = run("shards", "--size=1K", name, name.replace("a.warc.gz", "0.warc.gz")).stdout
    parts = os.path.join(folder, "parts")
    check("a file is a piece", pieces.count(b"\n"), 2)
    for line in pieces.splitlines(keepends=True):
        check("pieces", run("index", f"--parts={parts}", "--shards-from=-", text=line).returncode, 0)
    whole, merged = (os.path.join(folder, kind) for kind in ("whole", "merged"))
    shards = write(os.path.join(folder, "shards"), pieces)
    check("merge", run("index", "--merge", merged, f"--shards-from={shards}", f"--parts={parts}").returncode, 0)
    run("index", whole, name, name.replace("a.warc.gz", "0.warc.gz"))
    for question in ("hosts", "sources"):
        check("pieces give the index of one process", run("query", merged, question).stdout, run("query", whole, question).stdout, question)
    with contextlib.closing(sqlite3.connect(base)) as rows:
        for view in ("messages", "links"):
            found = {uri for uri, in rows.execute(f"SELECT uri FROM {view}")}
            check("the column uri", found, {"http://first.example/", "http://last.example/", "ftp://files.archive.example/a.txt", "http://plain.example/x/y",
                                            *(f"http://{host}.example/" for host in SENT if host != "plain")}, view)
        check("a message without it", rows.execute("SELECT count(*) FROM message WHERE uri IS NULL").fetchone()[0], 0)
    return None


WARCIO = """
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
const { WARCParser } = await import(createRequire(process.argv[1] + "/x.js").resolve("warcio"));
const out = [];
for await (const r of new WARCParser(createReadStream(process.argv[2]))) {
  const body = [];
  for await (const chunk of r) body.push(Buffer.from(chunk));
  out.push({ kind: r.warcType, uri: r.warcTargetURI, id: r.warcHeader("WARC-Record-ID"), type: r.httpHeaders?.headers.get("content-type") ?? r.warcContentType,
    coding: r.httpHeaders?.headers.get("content-encoding") ?? "", body: Buffer.concat(body).toString("base64") });
}
console.log(JSON.stringify(out));
"""


def oracle(folder):
    """The links of each body that warcio decodes are those of its record."""
    modules = next((path for path in (os.path.join(TOP, "js", "node_modules"), os.environ.get("NODE_MODULES", "")) if os.path.isdir(os.path.join(path, "warcio"))), None)
    if not shutil.which("node") or not modules:
        return skip("records as npm's warcio reads them", "node or warcio is not installed")
    kept = [part for part in ALL if part not in (SENT["kept"], SENT["deflate"], SENT["x-gzip"], SKIPPED[1])]  # of which warcio decodes less
    names = {"a.warc": b"".join(kept), "b.warc.gz": b"".join(gzip.compress(part) for part in kept)}
    for name, data in names.items():
        path = os.path.join(folder, name)
        write(path, data)
        with open(os.path.join(folder, "oracle.mjs"), "w", encoding="utf-8") as file:
            file.write(WARCIO.replace("process.argv[1]", json.dumps(modules)))
        done = subprocess.run(["node", os.path.join(folder, "oracle.mjs"), path], capture_output=True, timeout=HANG)
        if done.returncode:
            return expect("warcio", False, done.stderr.decode())
        wanted = []
        for entry in json.loads(done.stdout):
            kind = "html" if "html" in (entry["type"] or "") else "text"
            if entry["kind"] not in ("response", "conversion", "resource") or not (entry["type"] or "").startswith("text/"):
                continue
            charset = ["--charset=utf-16le"] if "utf-16" in entry["type"] else []
            body = run("list", f"--input={kind}", f"--base={entry['uri']}", *charset, text=base64.b64decode(entry["body"])).stdout.decode().split()
            wanted += [(entry["uri"], entry["id"].strip("<>"), link) for link in body if "no.example" not in link]  # in a trailer
        check("records as npm's warcio reads them", [(r["message"]["uri"], r["message"]["id"], r["url"]) for r in records(data)], wanted, name)
    return None


with tempfile.TemporaryDirectory() as work:
    quick = kinds, lambda: edges(work), lambda: ranges(work), damage, lambda: random_damage(work)
    for test in quick if FAST else (*quick, lambda: packed(work), lambda: index(work), lambda: oracle(work)):
        test()
finish()
