#!/usr/bin/env python3
"""What every verb writes, with options that no golden has, stays what it was: about every second run, all in check-long.

usage: outputs_test.py [--write] [--against=OTHER/urlsift]

  digests    testdata/outputs.digests has a line for each run of RUNS over a group of inputs: a digest of the output,
             the messages and the status.  The groups are the texts and the mail of testdata, generated texts
             (generate.py), generated mailboxes (mail_generate.py), and EDGES: texts and messages in which something
             is just as long as a limit or a block of the code, one byte more, or one less; these cut anywhere; and
             small mailboxes and web archives, damaged in one place.  Beside them are those of archives.py: what is
             in an index and a folder of pages after each change of their files, and what was read for that; folders
             of pages as long as a page may be, and of messages with odd heads; each kind of input, filter and range,
             with one thread and with three; each limit alone; mail that is encoded again; and all texts, mail and
             URLs of testdata with a byte changed, in turn at every few bytes, ends and beginnings of lines that joins
             are guessed between with one changed, what few texts have, and what the fuzzers kept; and texts of themes (themes.py).
  --against  shows what differs between two builds.  When an output has changed, and should have, read that, then write
             the digests anew with --write.

A digest does not say that an output is right: that is what the other tests do, each for what it knows.  It says that
nothing changed in what they do not look at.
"""
import difflib
import email
import glob
import hashlib
import os
import random
import re
import shutil
import sys

import archives
import generate
import guess_matrix
import mail_generate
import nearly
import themes
from joins import fit
from testlib import (DATA, FAST, LONG, URLSIFT, check, expect, finish, has, preload, read, run_captured, skip, sql,
                     temporary_folder, write)

SHORT = FAST or not LONG and len(sys.argv) == 1  # about every second run
DIGESTS = os.path.join(DATA, "outputs.digests")
RULES = "--rules=" + os.path.join(DATA, "cases-rules", "rules")
TEMPLATE = r"--format=%u|%s|%h|%P|%k|%g|%w|%t|%x|%l|%c|%o|%f|%m|%S|%F|%d|%r|%p|%H|%a|%%\n"
COLUMNS = "--csv=source,line,column,offset,text,url,normal,label,context,scheme,host,convention,flags,warnings"
OF_MAIL = {"--headers=all", "--message-ids", "--resources"}  # refused with --input=text
WIDER = ["--email", "--domains", "--refang", "--headers=all", "--message-ids", "--resources"]
BASE = "--base=http://base.example/d/e"
FORMS = ("join", "wrap", "angle", "markdown", "org", "rst", "gemtext", "footnotes", "term", "defang", "refang", "clean",
         "https", "unwrap", "host:new.example", "template:[%t](%u)%w")
RUNS = [["list", "--json"],
        ["list", "--json", "--context=2", "--join=likely", *WIDER, BASE],
        ["list", "--json", "--unwrap", "--hyphen=both", "--www=https", RULES],
        ["list", TEMPLATE, "--headers=all", "--email"],
        ["list", COLUMNS, "--resources"],
        ["list", "-nbH", "--warned", "--encoded", "--join=never", "--hyphen=drop"],
        ["list", "--json", "--max-breaks=1", "--max-alternates=1", "--max-url-length=64", "--max-depth=1",
         "--max-parts=2", "--max-header=4096"],
        ["list", "--count", "--valid=rfc3986", "--unique", "--unique-limit=20"],
        ["html", "--fragment"],
        ["html", "--fragment", "-n", *WIDER, BASE],
        ["html", "--title=A & <b>", "--lang=de", "--join=likely"],
        *(["rewrite", f"--as={form}"] for form in FORMS),
        ["rewrite", "--as=wrap", "--width=30", *WIDER]]
MAIL_RUNS = [["rewrite", "--mail", "--in-place", f"--as={form}", *WIDER[:3]]
             for form in ("join", "defang", "refang", "clean", "unwrap")]
SITES = ([], ["--mask-addresses", "--reply=list@lists.example", "--search=https://s.example/?q=", *WIDER],
         ["--site=https://archive.example/a/", "--title=An archive", "--lang=de", "--join=never"])
INDEXES = ([], ["--join=likely", "--www=https", *WIDER, BASE], [RULES, "--join=never", "--hyphen=drop", "--max-breaks=1",
                                                                     "--max-url-length=64", "--max-depth=1"])
STEPS = 9  # of the history of an archive, in make check-fast
CALLS = "calls that read and write"
QUESTIONS = (["hosts"], ["urls", ".example"], ["authors", ".example"], ["months"], ["joined"], ["warned"], ["sources"],
             ["problems"])
EDGE_RUNS = [["list", "--json", "--context=1", "--headers=all", "--resources"], ["html"], ["rewrite", "--as=join"]]
NEAR_RUNS = [["list", "--json", "--join=likely", "--unwrap", "--email", "--domains", "--refang"],
             ["list", "--json", "--hyphen=both", "--max-url-length=64", "--max-breaks=2"],
             ["rewrite", "--as=wrap", "--refang"]]
NEAR_MAIL_RUNS = [["list", "--json", "--headers=all", "--resources", "--message-ids", "--email"],
                  ["html", "--fragment", "--headers=all"]]
URL_RUNS = [["explain", "--json"], ["explain"], *(["resolve", base] for base in (
    "http://a.example/b/c?d", "ftp://u@h.example:2/x/y/../z;type=a", "http:b/c?d#e", "news:a"))]
CORPUS_RUNS = [["list", "--json", "--context=1", *WIDER, BASE],
               ["list", "--json", "--join=likely", "--unwrap", "--hyphen=both", "--max-url-length=80", "--max-breaks=1",
                RULES],
               ["html", "--fragment", *WIDER], ["rewrite", "--as=wrap"], ["rewrite", "--as=defang", *WIDER[:2]]]
# What has N bytes for `@`, and ends with a link.
EDGES = {
    "line.txt": "@ http://a.example/x\nnext",
    "blanks.txt": "x http://a.example/x^ <http://b.example/\n^c>",
    "link.txt": "see http://a.example/@ and <URL:http://b.example/@>, mailto:@@b.example www.@.example",
    "label.txt": "[@](http://a.example/x) before @ <http://b.example/> after @ [http://c.example/ @]",
    "prefix.txt": "> @ <http://a.example/\n> b> `@ <http://b.example/>`_",
    "user.txt": "http://@@a.example/ http://a.example:80@/ <http://@\na.example/>",
    "escape.txt": "\x1b]8;;http://a.example/@\x07text\x1b]8;;\x07 \x1b]0;@\x07http://b.example/",
    "block.txt": "begin 644 a\n" + ("M" + "X" * 60 + "\n") * 12 + "M\x1b[1m" + "X" * 60 + "\x1b[0m\n"
                 + ("M" + "HTTP://A.EXAMPLE/".ljust(60, "X") + "\n") * 3 + "`\nend\nhttp://b.example/@",
    "field.eml": "From: a\nX-A: @\nList-Help: <http://a.example/@>\nSubject: @ http://b.example/\n\nhttp://c.example/",
    "folds.eml": "From: a\nSubject: x\n^\n y http://a.example/\n^\n^\nTo: b\n\nhttp://b.example/",
    "tail.eml": "From: a\nSubject: http://a.example/\n @\n^\n^",
    "word.eml": "From: =?utf-8?q?@?= <a@a.example>\nSubject: =?utf-8?q?@=20http://a.example/?=\n\nhttp://b.example/",
    "type.eml": "From: a\nContent-Type: multipart/mixed; x=@; boundary=\"@\"\n\n--@\n\nhttp://a.example/\n--@--\n"
                "http://b.example/",
    "preamble.eml": "From: a\nContent-Type: multipart/mixed; boundary=b\n\n@ http://a.example/\n--b\n\n@\n--b\n"
                    "Content-Type: text/html\n\n@<a href=http://b.example/>b</a>\n--b--\n@",
    "choice.eml": "From: a\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n@ http://a.example/\n--b\n"
                  "Content-Type: text/html\n\n@<a href=http://a.example/>a</a> <a href=http://b.example/@>b</a>\n"
                  "--b--\n",
    "hidden.eml": "From: a\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
                  "http://a.example/<p title=3D'@'>b http://b.example/<p title=3D'@=\n'><i>c</i> http://c.example/<i x=3D@>d",
    "quoted.eml": "From: a\nContent-Transfer-Encoding: quoted-printable\n\n@=20=\nhttp://a.example/=3D=\nx@=\n",
    "markup.htm": "<p title='@'>@<a href='http://a.example/@' @=1>@</a><!--@--><@ href=x><script>@</script>"
                  "<a href=http://b.example/>&@;</a><title>@</title>",
    "box.mbox": "From a@a.example Mon Jan  1 00:00:00 2024\nFrom: @\n\n@\nhttp://a.example/\n\n"
                "From @ Mon Jan  1 00:00:00 2024\nFrom: b\n\nhttp://b.example/\n"}
SIZES = [n + k for n in (64, 128, 200, 256, 400, 512, 1024, 4096) for k in (-2, -1, 0, 1, 2)]
LARGE = {"choice.eml": 262144, "line.txt": 65536, "markup.htm": 65536, "link.txt": 65536, "preamble.eml": 65536,
         "field.eml": 16384, "hidden.eml": 8192}
BOXES = {"mbox": "mix", "spam.mbox": "spam", "babyl": "mix", "digest": "mix", "mmdf": "list", "rnews": "news"}


def some(runs, every=2, first=0):
    """All of a list, or every second."""
    return list(runs)[first::every] if SHORT else runs


def copy(name):
    """Names and times of inputs are in the output: they are copied to where they always have the same."""
    path = write(os.path.join("in", os.path.relpath(name, DATA).replace("/", "-")), read(name))
    os.utime(path, (10**9, 10**9))
    return path


def copies(*folders):
    names = sorted(name for folder in folders for name in glob.glob(os.path.join(DATA, folder, "*.*")))
    return [copy(name) for name in names if name.endswith((".txt", ".eml", ".mbox", ".htm", ".bin"))]


def filled(form, n):
    """The text of EDGES; what is `@@` there is one byte longer, and an at sign."""
    return form.replace("@@", "\0").replace("@", "x" * n).replace("\0", "x" * n + "@").replace("^", " " * n)


def groups():
    """The inputs by group, in the working directory."""
    found = {"texts": copies("cases", "rewrite", "runs"), "mail": copies("mail", "hostile")}
    texts = [generate.generate(seed)[1] for seed in range(600)]
    found["generated"] = [write(f"in/{at}.txt", b"\n".join(texts[at:at + 20])) for at in range(0, len(texts), 20)]
    for seed, (box, profile) in enumerate(BOXES.items()):
        mail_generate.write(seed, 0.12, profile, box.split(".")[-1], "in/" + box)
        os.utime("in/" + box, (10**9, 10**9))
    found["boxes"] = ["in/" + box for box in BOXES]
    edges = [(name, n) for name in EDGES for n in SIZES + [LARGE[name] + k for k in (-1, 0, 1) if name in LARGE]]
    found["edges"] = [write(f"in/{n}-{name}", filled(EDGES[name], n)) for name, n in edges]
    cuts = [(name, filled(form, 3), at) for name, form in EDGES.items() for at in range(1, len(filled(form, 3)), 3)]
    found["cuts"] = [write(f"in/cut{at}-{name}", text[:at]) for name, text, at in cuts]
    found["damage"] = [write(f"in/{number}-{name}", data) for name, whole in small_boxes()
                       for number, data in enumerate(damaged(whole))]
    return found


def small_boxes():
    """Mailboxes and web archives of a few messages or records."""
    for seed, (box, profile) in enumerate(BOXES.items()):
        mail_generate.write(100 + seed, 0.001, profile, box.split(".")[-1], "in/small")
        yield "small." + box, read("in/small")
    http, link = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<a href='http://%s.example/'>x</a>"
    record = (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w.example/\r\n"
              b"WARC-Identified-Content-Language: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"
              b"%s\r\n\r\n")
    pages = [http + link % (b"a" * n) for n in (1, 9, 40)]
    yield "small.warc", b"".join(record % (b"de-x-" + b"y" * at, len(page), page) for at, page in enumerate(pages, 29))


def dated_records():
    """A web archive whose records have dates of any kind, and identifiers and fields as long as what is kept of them."""
    dates = ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", "2000-02-29T23:59:59Z", "2026-13-01T00:00:00Z",
             "2026-12-31T24:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-31T00:00:00Z", "2026-01-32T00:00:00Z",
             "2099-12-31T00:00:00Z", "2100-12-31T00:00:00Z", "2101-01-01T00:00:00Z", "2026-04-01T10:20:30", "2026-04-01T10:20:30.5Z",
             "2026-04-01T10:20:3", "2026-04-01 10:20:30Z", "2026-04-01T1a:20:30Z", "2026-04-0:T10:20:30Z", "2026-04-01T10:2/:30Z", ""]
    fields = [f"WARC-Date: {date}" for date in dates]
    fields += [f"WARC-Record-ID: <urn:x:{'i' * n}>" for n in (0, 1, 1000, 1020, 1024, 4090, 5000)]
    fields += [f"WARC-Record-ID: {text}" for text in ("<", "<>", ">", "<a", "a>", "\x01a\x7f", "\u00e4\u00f6")]
    fields += [f"WARC-Target-URI: http://w.example/{'u' * n}" for n in (1, 1000, 1007, 1008, 4000, 4079, 4080, 8000, 9000)]
    fields += [f"WARC-Identified-Content-Language: {text}" for text in ("en", "en,de", ",en", " en , de", "x" * 80)]
    for field in fields:
        body = f"<a href='http://{len(field)}.example/'>{field[:70]}</a>".encode()
        yield (f"WARC/1.0\r\nWARC-Type: resource\r\n{field}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
               + body + b"\r\n\r\n")


def damaged(data):
    """A few bytes are gone, or too many, in one of thirty places."""
    for at in range(0, len(data), len(data) // 30 + 1):
        yield data[:at] + data[at + 7:]
        yield data[:at] + b"\nX\r\n" + data[at:]


def output(command, args, text=b"", **env):
    done = run_captured([command, *args], input=text, env={**os.environ, **env})
    return done.stdout + done.stderr + b"status %d\n" % done.returncode


def whole_folder(folder, start="."):
    """The names and contents of the files of a folder."""
    names = sorted(glob.glob(os.path.join(folder, "**"), recursive=True))
    return b"".join(os.path.relpath(name, start).encode() + b"\n" + read(name) + b"\n"
                    for name in names if os.path.isfile(name))


def archive(command, paths):
    """What becomes of mail in a folder of pages and in an index."""
    for number, options in some(enumerate(SITES), 3, 1):
        folder = f"out/pages{number}"
        said = output(command, ["html", "-o", folder, *options, *paths])
        yield " ".join(["html -o", *options]), said + whole_folder(folder)
    yield "index", output(command, ["index", "-j1", "out/links.db", *paths]) + rows("out/links.db")
    for question in QUESTIONS:
        lines = output(command, ["query", "--json", "out/links.db", *question]).splitlines(keepends=True)
        yield "query " + " ".join(question), b"".join(sorted(lines))


def rows(database):
    """All that a database holds, but for its HTML and the version that made it."""
    if not os.path.exists(database):
        return b""
    names = sql(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'fragment'")
    return "\n".join(sorted(f"{name} {row!r}" for (name,) in names for row in sql(database, f"SELECT * FROM {name}")
                            if row[0] not in ("html", "version"))).encode()


LINKS = "SELECT * FROM links ORDER BY source, member, file, message, line, pos, normal, part"
SMALL = {"URLSIFT_PIECE": str(1 << 20), "URLSIFT_CUT": "300000", "URLSIFT_COMMIT": "40"}


def changing(command):
    """What an index and pages hold after each change of their files, and what was read for that."""
    db, pages = "out/changing.db", "out/changing"
    for step, (what, options) in enumerate(archives.history()):
        if SHORT and step == STEPS:
            return
        args = ["--summary", f"-j{1 + 2 * (step % 2)}", *options, *archives.there()]
        yield f"index, {what}", output(command, ["index", db, *args], **SMALL) + rows(db)
        said = output(command, ["html", "-o", pages, "--title=x", *args], **SMALL)
        yield f"pages, {what}", said + whole_folder(pages) + rows(pages + "/.urlsift/plan.db")
        if "--prune" in options:
            output(command, ["index", f"out/{step}.db", *archives.there()], **SMALL)
            output(command, ["html", "-o", f"out/{step}", "--title=x", *archives.there()], **SMALL)
            check("an index that was pruned has the links of a new one", sql(db, LINKS), sql(f"out/{step}.db", LINKS),
                  what)
            for lists in "date", "thread", "author", "h":  # that of a message may say where the message is now
                check("lists that were pruned are those of a new folder", whole_folder(f"{pages}/{lists}", pages),
                      whole_folder(f"out/{step}/{lists}", f"out/{step}"), what)


def everything(command, inputs):
    """All of testdata, and what is damaged, in folders of pages and indexes."""
    groups_of = {"texts": inputs["texts"], "mail": inputs["mail"], "damage": inputs["damage"],
                 "nearly mail": [nearly.named_mail()], "records": [write("in/dated.warc", b"".join(dated_records()))]}
    for path in [path for paths in groups_of.values() for path in paths]:
        os.utime(path, (10**9, 10**9))
    for number, (group, paths) in some(enumerate(groups_of.items())):
        for options in some(INDEXES, 3, 1):
            db, folder = f"out/all{number}.db", f"out/all{number}"
            given = [arg for arg in options if group != "texts" or arg not in OF_MAIL]
            kind = ["--input=text"] if group == "texts" else []
            said = output(command, ["index", "-j1", *given, *kind, db, *paths])
            yield " ".join([group, "index", *given]).replace(DATA, "testdata"), said + rows(db)
            if RULES in given:
                continue
            given += ["--mask-addresses"] * ("--email" in given)
            said = output(command, ["html", "-o", folder, "-j1", *given, *kind, *paths])
            yield " ".join([group, "html -o", *given]).replace(DATA, "testdata"), said + whole_folder(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.path.exists(db) and os.remove(db)


def merging(command):
    """What becomes of the pieces of an archive, in one index and as records."""
    if SHORT:
        return
    next(archives.history())
    lines = output(command, ["shards", "--size=600K", "--summary", *archives.there()], **SMALL)
    pieces = [line for line in lines.splitlines(keepends=True) if line.startswith(b"{")]
    yield "shards", lines
    work = ["--parts=out/parts", "--shards-from=-"]
    said = output(command, ["index", *work], b"".join(pieces[1::2]), **SMALL)
    said += output(command, ["shards", "--todo", *work], b"".join(pieces))
    said += output(command, ["index", *work], b"".join(pieces), **SMALL)
    for name in ("merged", "again"):
        said += output(command, ["index", "--merge", "out/merged.db", *work], b"".join(pieces)) + rows("out/merged.db")
    yield "index --merge", said
    for name, paths in (("one", archives.there()[:2]), ("two", archives.there()[1:])):
        output(command, ["index", f"out/{name}.db", *paths], **SMALL)
    for given in (["one", "merged"], ["two"], ["one", "two"]):
        said += output(command, ["index", "--merge", f"out/{given[0]}-of.db", *(f"out/{name}.db" for name in given)])
        said += rows(f"out/{given[0]}-of.db")
    yield "index --merge of others", said
    whole = output(command, ["index", "out/whole.db", *archives.there()], **SMALL)
    check("pieces that were merged have the links of one run", sql("out/merged.db", LINKS), sql("out/whole.db", LINKS))
    yield "records of pieces", whole + output(command, ["list", "--json", "--shards-from=-"], b"".join(pieces))


def traced(command, shim, args, text, **env):
    """What a run writes, and its calls that read and write."""
    if not shim:
        return output(command, args, text, **env), b""
    write("trace", bytes(1 << 17))
    said = output(command, args, text, **env, LD_PRELOAD=shim, TRACE="trace")
    return said, read("trace").rstrip(b"\0")


def in_thirds(runs):
    runs = list(runs)
    return [runs[at::3] for at in range(3)]


def inputs_by_jobs(command):
    """What is written of all kinds of inputs, with one thread and with three; and where they are read, and how much at
    a time."""
    runs = {"inputs": archives.input_runs(archives.containers()), "ranges": archives.range_runs()}
    shim = preload("trace_shim.c", os.getcwd())
    for what, args in runs.items():
        for third, runs in some(enumerate(in_thirds(args)), 3):
            said, calls = b"", b""
            for number, (given, text) in enumerate(runs):
                one, called = traced(command, shim, ["list", "-j1", *given], text)
                if not SHORT or number % 4 == 0:
                    three = output(command, ["list", "-j3", *given], text, URLSIFT_CUT="20000")
                    check(f"{what}: the same with three threads", three, one, given)
                said += f"{given}\n".encode() + one
                calls += f"{given}\n".encode() + called
            yield f"{what}, {third}", said
            if shim:
                yield f"{what}, {third}: {CALLS}", calls
    given = ["list", "-j1", "--format=%f %u", *archives.heads()]
    yield "heads of packed files", run_captured([command, *given], input=b"").stdout
    for third, runs in some(enumerate(in_thirds(archives.filter_runs())), 3):
        yield f"filters, {third}", b"".join(output(command, ["list", *given], text) for given, text in runs)


def of_names(command):
    """What is read of folders and files, as their names say."""
    for args in some(archives.name_runs(), 3):
        what, said = " ".join(["names", *(arg for arg in args if not os.path.lexists(arg))]), output(command, args)
        yield what, said
        if args[0] == "shards":
            lines = b"".join(line for line in said.splitlines(keepends=True) if line.startswith(b"{"))
            yield f"{what}, read", output(command, ["list", "-j1", "-H", "--summary", "--shards-from=-"], lines)


def limited(command, inputs):
    """Each limit alone, around its least value, and links around their longest."""
    for limit in some(archives.LIMITS):
        args = ["list", "--json", "--email", limit]
        yield limit, output(command, [*args, *inputs["texts"]]) + output(command, [*args, *inputs["mail"]])
    links = archives.long_links()
    for args in (["list", "--json", "--resources", *WIDER, RULES], ["list", "--json", "--join=likely", "--hyphen=both"],
                 ["list", "--json", "--hyphen=drop"], ["html", "--fragment"], ["rewrite", "--as=wrap"]):
        said = output(command, [*args, "--max-url-length=64", *links])
        alone = [line for line in said.splitlines() if b'"hyphen-ambiguous"' in line and b'"joined"' not in line]
        check("a hyphen that may be of a break stands at one", alone, [], args)
        yield " ".join(["links of 64 bytes", *args]).replace(DATA, "testdata"), said

    for constant, box in archives.around_constants():
        if SHORT and constant > 99999:
            continue
        said = output(command, ["list", "--json", "--headers=all", "--resources", "--unwrap", "--email", "--context=1",
                                box])
        yield f"around {constant} bytes", said + output(command, ["html", "--fragment", "--headers=all", box])
    yield "dates", output(command, ["list", "--json", archives.odd_dates()])


def long_pages(command):
    for count, shape, parent in archives.LENGTHS:
        if SHORT and count > 400 and (count, parent(1)) not in ((500, None), (501, None)):
            continue
        minutes = 40000 // count if "weeks" in shape else 1
        box = archives.put("out/long", archives.mailbox(archives.threads(count, parent, minutes)))
        said = output(command, ["html", "-o", f"out/{count} {shape}", f"-j{1 + 2 * (count % 2)}", box])
        yield f"pages of {count} messages {shape}", said + whole_folder(f"out/{count} {shape}")


    box = archives.put("out/long", archives.mailbox(archives.odd_heads()))
    for number, options in enumerate(SITES):
        said = output(command, ["html", "-o", f"out/odd{number}", *options, box])
        yield " ".join(["pages of odd heads", *options]), said + whole_folder(f"out/odd{number}")


def encoded_again(command):
    """Text of mail that is written in its encoding again says what it says without one."""
    mail = list(archives.encoded_mail())
    paths = [write(f"out/again/{at}", data) for at, (_, _, _, data) in enumerate(mail)]
    said = output(command, ["rewrite", "--mail", "--in-place", "--as=join", *paths])
    plain = {}
    for path, (encoding, end, n, _) in zip(paths, mail):
        data = read(path)
        body = email.message_from_bytes(data).get_payload(decode=True)
        lines = [line.rstrip(b"\r\n") for line in data.splitlines()]
        expect("lines of encoded mail fit", encoding == "8bit" or max(map(len, lines)) <= 76, path)
        check("text that was encoded again", body, plain.setdefault((end, n), body), (encoding, end, n))
        said += data
    yield "rewrite --mail of encodings", said


def of_themes(command):
    """Texts, mail and URLs of which each has what one group of rules reads."""
    for theme, args in some(themes.runs()):
        yield " ".join([theme + ":", *args[:-1]]), output(command, args)


def near(command):
    """Texts and mail that are nearly those of testdata."""
    texts, mail = list(nearly.texts()), list(nearly.mail())
    for half in some(range(2)):
        for args in some(NEAR_RUNS, 3):
            yield " ".join([f"nearly texts, {half}", *args]), output(command, [*args, "--input=text", *texts[half::2]])
        for args in some(NEAR_MAIL_RUNS):
            yield " ".join([f"nearly mail, {half}", *args]), output(command, [*args, *mail[half::2]])
    for args in NEAR_RUNS:
        yield " ".join(["nearly named", *args]), output(command, [*args, "--input=text", nearly.named()])
    for args in [[*NEAR_MAIL_RUNS[0], "--context=1"], NEAR_MAIL_RUNS[1]]:
        yield " ".join(["nearly named", *args]), output(command, [*args, nearly.named_mail()])
    args = ["list", "--json", "--join=declared", "--input=text", nearly.guesses()]
    yield "nearly guesses", output(command, args)
    lines = b"\n".join(nearly.urls())
    for args in some(URL_RUNS):
        yield " ".join(["nearly URLs", *args]), output(command, [*args, "-"], lines)
    if SHORT:
        return
    text, box = nearly.corpora()
    for args in CORPUS_RUNS:
        yield " ".join(["corpora", *args]).replace(DATA, "testdata"), output(command, [*args, text, box])


def outputs(command, inputs):
    """(what was run, output) of everything."""
    shutil.rmtree("out", ignore_errors=True)
    os.mkdir("out")
    for group, paths in inputs.items():
        kind = ["--input=text"] if group in ("texts", "generated") else []
        for args in EDGE_RUNS if group in ("edges", "cuts", "damage") else some(RUNS, 2, group in ("generated", "boxes")):
            given = [arg for arg in args if not (kind and arg in OF_MAIL)]
            yield group + " " + " ".join(args).replace(DATA, "testdata"), output(command, [*given, *kind, *paths])
    for number, args in some(enumerate(MAIL_RUNS)):
        messages = [path for path in inputs["mail"] if path.endswith(".eml")]
        copies = [write(f"out/mail{number}/{os.path.basename(path)}", read(path)) for path in messages]
        yield "mail " + " ".join(args), output(command, [*args, *copies]) + whole_folder(f"out/mail{number}")
    for what, said in archive(command, inputs["boxes"]):
        yield "boxes " + what, said
    yield from limited(command, inputs)
    yield from everything(command, inputs)
    for part in (of_themes, near, changing, merging, of_names, inputs_by_jobs, long_pages, encoded_again):
        yield from part(command)


def digest(said):
    if b"urlsift " not in said:  # which is found sooner
        return hashlib.sha256(said).hexdigest()[:10]
    said = re.sub(rb"urlsift [0-9]+\.[0-9]+\.[0-9]+", b"urlsift", said)
    return hashlib.sha256(said).hexdigest()[:10]


def compare(inputs, other):
    """Shows what another build writes in another way."""
    before = dict(outputs(other, inputs))
    for what, said in outputs(URLSIFT, inputs):
        if said != before[what]:
            then, now = (text.decode(errors="backslashreplace").splitlines() for text in (before[what], said))
            print("\n".join([what, *difflib.unified_diff(then, now, "other", "this", lineterm="", n=1)]))


def main():
    wanted = ("PCRE2", "libidn2", "libpsl", "iconv", "SQLite", "zlib", "liblzma", "libbz2", "libarchive")
    missing = [what for what in wanted if not has(f"with {what}")]
    if missing:
        skip("digests of outputs", f"this build has no {', '.join(missing)}")
        return finish()
    against = next((arg.partition("=")[2] for arg in sys.argv[1:] if arg.startswith("--against=")), None)
    against = against and os.path.abspath(against)
    with temporary_folder(fit.MEMORY):
        inputs = groups()
        if against:
            return compare(inputs, against)
        found = {what: digest(said) for what, said in outputs(URLSIFT, inputs)}
        if "--write" in sys.argv:
            write(DIGESTS, "".join(f"{value} {what}\n" for what, value in found.items()))
            return None
        kept = dict(line.split(" ", 1)[::-1] for line in read(DIGESTS).decode().splitlines())
        if not any(CALLS in what for what in found):
            skip(CALLS, "a sanitizer, or no LD_PRELOAD with glibc")
            kept = {what: value for what, value in kept.items() if CALLS not in what}
        if SHORT:  # some are left out
            kept = {what: value for what, value in kept.items() if what in found}
        check("the runs of testdata/outputs.digests", sorted(found), sorted(kept))
        for what, value in found.items():
            expect(what, value == kept.get(what), "the output is another than it was; see --against and --write")
    return finish()


if __name__ == "__main__":
    main()
