#!/usr/bin/env python3
"""The index: what is in it, what a further run reads, and what is left after a run that was killed, stopped by
a full disk or repeated.

make check-long kills and cuts more often.
"""
import base64
import contextlib
import glob
import gzip
import hashlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import time

from testlib import FAST, HANG, LONG, NIGHT, SEED, URLSIFT, check, finish, has, image, preload, read, run_captured, seeded, skip, sql, write


def environment(commit=None, cut=None, piece=None):
    more = {"URLSIFT_COMMIT": commit, "URLSIFT_CUT": cut, "URLSIFT_PIECE": piece}
    return {**os.environ, **{name: str(value) for name, value in more.items() if value}}


def run(*args, commit=None, cut=None, piece=None, **more):
    return run_captured([URLSIFT, *map(str, args)], env=environment(commit, cut, piece), **more)


def index(*args, **more):
    done = run("index", *args, **more)
    return done.returncode, done.stderr.decode(errors="replace")


def query(*args):
    return run("query", *args).stdout.decode(errors="replace").splitlines()


def remove(db):
    for end in ("", "-wal", "-shm", ".lock"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(db + end)


def sound(db):
    return sql(db, "PRAGMA integrity_check") == [("ok",)] and sql(db, "PRAGMA foreign_key_check") == []


def rows(db):
    """All that does not depend on the numbers of rows, and nothing that no longer has a link."""
    links = sql(db, "SELECT * FROM links ORDER BY source, member, file, message, field IS NULL, line, pos, len, normal, part")
    states = sql(db, "SELECT name, member, kind, size, done, line, tail, complete, messages, links FROM source ORDER BY 1, 2")
    left = sql(db, "SELECT count(*), (SELECT count(DISTINCT url) FROM link), (SELECT count(*) FROM host),"
                   " (SELECT count(DISTINCT host) FROM url), (SELECT count(*) FROM message),"
                   " (SELECT count(DISTINCT message) FROM link) FROM url")
    return links, states, left


def same_rows(what, a, b):
    for kind, x, y in zip(("links", "sources", "left over"), rows(a), rows(b)):
        different = [pair for pair in zip(x + [None] * len(y), y + [None] * len(x)) if pair[0] != pair[1]][:1]
        check(f"{what}: {kind}", different, [])


# ---- Mail ------------------------------------------------------------------------------

def message(r, number, separator=True):
    head = [b"From: Joe %d <joe%d@a.example>" % (number % 9, number % 9), b"Subject: about %d" % number,
            b"Message-ID: <%d.%d@a.example>" % (number, r.randrange(10 ** 6)),
            b"Date: Mon, %d Jan 20%02d 10:00:00 +0000" % (number % 28 + 1, number % 20)]
    text = b"".join(r.choice([
        b"words and words\n", b"\n", b"see http://h%d.example/%d for more\n" % (r.randrange(30), r.randrange(400)),
        b"<URL:http://long.example/a/\n   b/%d>\n" % r.randrange(40), b"mail http://WWW.Example.org:80/%7Ea now\n",
        b"From here it goes on\n", b"http://user:pw@odd.example/%d\n" % number]) for _ in range(r.randrange(12)))
    if r.random() < 0.1:
        inner = b"\nFrom fake@a.example Mon Jan  1 00:00:00 2024\nSubject: no\n\nhttp://inner.example/%d\n" % number
        text += inner
        head.append(b"Content-Length: %d" % len(text))
    whole = b"\n".join(head) + b"\n\n" + text + b"\n"
    return b"From joe@a.example Mon Jan  1 00:00:00 2024\n" + whole if separator else whole


SIZED = (b"From joe@a.example Mon Jan  1 00:00:00 2024\nSubject: %d\nContent-Length: 39\n\n"
         b"From here\n\nFrom there\nhttp://a.example\n")


def mailbox(seed, count):
    r = random.Random(seed)
    return b"".join(message(r, number) for number in range(count))


# ---- What is in an index ----------------------------------------------------------------

def test_contents(folder):
    box = write(folder + "/a.mbox", mailbox(1, 300))
    text = write(folder + "/notes.txt", b"see http://a.example/1\nand <URL:http://b.example/\n2>\n")
    db = folder + "/links.db"
    check("an index is made in silence", index(db, box, text), (0, ""))
    check("it is sound", sound(db), True)
    query(db, "hosts")
    check("a reader leaves no files behind", sorted(os.listdir(folder)), ["a.mbox", "links.db", "links.db.lock", "notes.txt"])
    records = [json.loads(line) for line in run("list", "--json", box, text).stdout.splitlines()]
    got = [(source, pos, text, url, normal, host, line, col, (flags or "").split(), (warnings or "").split(),
            convention, msgid, time)
           for source, pos, text, url, normal, host, line, col, flags, warnings, convention, msgid, time in sql(
               db, "SELECT source, message, text, url, normal, host, line, col, flags, warnings, convention, msgid, time"
                   " FROM links")]
    wanted = [(r["source"], r.get("message", {}).get("offset", 0), r["text"], r["url"], r["normal"], r.get("host"),
               r["line"], r["column"], r.get("flags", []), r.get("warnings", []), r["convention"],
               r.get("message", {}).get("id"), r.get("message", {}).get("time")) for r in records if r["type"] == "link"]
    check("its links are those of list --json", sorted(got, key=str), sorted(wanted, key=str))
    one = image(db)
    own = folder + "/own"
    os.mkdir(own)
    write(own + "/a.txt", b"http://a.example/\n")
    for _ in range(2):
        index(own + "/links.db", "-r", own)
    check("an index does not read itself", sql(own + "/links.db", "SELECT name FROM source"), [(own + "/a.txt",)])
    check("an index that is named as its input", index(own + "/links.db", own + "/links.db", box),
          (2, f"urlsift: {own}/links.db is also an input; try 'urlsift --help'\n"))
    check("that is new", (index(own + "/new.db", own + "/new.db")[0], os.path.exists(own + "/new.db")), (2, False))
    for jobs, cut in ((2, 4000), (4, 1000), (3, 20000)):
        other = folder + f"/j{jobs}.db"
        check("an index by several jobs", index(other, "-j", jobs, box, text, cut=cut), (0, ""))
        check(f"the same bytes with -j{jobs} and ranges of {cut}", image(other), one)
    check("nothing on standard output", run("index", db, box).stdout, b"")
    for number in range(40 if NIGHT else 16 if LONG else 4):
        test_ranges(folder, number)


def test_ranges(folder, number):
    """Messages longer than a range, decoded parts, line ends of all kinds, and a length beyond the end."""
    r, box, dbs = random.Random(50 + number), folder + "/ranges", [folder + "/r1.db", folder + "/r2.db"]
    data = mailbox(number, 20) + b"From a\n\n" + b"words http://l.example/\r\n\r\n" * r.choice((1, 300))
    data += mailbox(number + 1, 20) + b"From a\nContent-Transfer-Encoding: base64\n\n"
    data += base64.b64encode(b"\n\nhttp://in.example/\n") + b"\n\n" + mailbox(number + 2, 5)
    data += b"From a\nContent-Length: 9999\n\nhttp://last.example/\n\n" + mailbox(number + 3, 6)
    old, new = ((b"", b""), (b"\n", b"\r\n"), (b"words and", b"words\rand\r\r"))[number % 3]
    write(box, data.replace(old, new) if old else data)
    for db, size in (dbs[0], None), *((dbs[1], n) for n in (300, 777, r.randrange(1000, 20000))):
        jobs = r.randrange(2, 5) if size else 1
        if os.path.exists(db):
            os.remove(db)
        index(db, "-j", jobs, box, cut=size)
        check(f"the same bytes with ranges of {size}, -j{jobs}, of mailbox {number}", image(db), image(dbs[0]))


def test_questions(folder):
    broken = write(folder + "/broken.txt", b"see <URL:http://b.example/\n2>\nand <http://c.example/\n3/\n4>\n")
    check("an index of broken links", index(folder + "/broken.db", broken), (0, ""))
    parts = sql(folder + "/broken.db", "SELECT CAST(parts AS BLOB) FROM links")
    check("the parts of a link are JSON", [json.loads(row[0]) for row in parts], [[[9, 17], [27, 1]], [[35, 17], [53, 2], [56, 1]]])
    box = write(folder + "/q.mbox", b"""From a@a.example Mon Jan  1 00:00:00 2024
From: Ann <ann@a.example>
Message-ID: <1@a.example>
Date: Tue, 2 Jan 2024 10:00:00 +0200

http://x.example/1 and http://sub.x.example/ and <URL:http://x.example/bro
ken>

From b@a.example Mon Jan  1 00:00:00 2024
From: Bob <bob@a.example>
Message-ID: <2@a.example>
Date: Mon, 1 Jan 2023 10:00:00 +0000

HTTP://X.example:80/1 and http://user:pw@y.example/
""")
    again = write(folder + "/again.mbox", open(box, "rb").read())
    db = folder + "/q.db"
    index(db, box, again)
    check("first: normalised, the earliest, once", query(db, "first", "http://X.EXAMPLE/1"),
          [f"http://x.example/1\t2023-01-01T10:00:00Z\tBob <bob@a.example>\t2@a.example\t{box}\t\t213\t"])
    check("posts: each message once", [line.split("\t")[2] for line in query(db, "posts", "x.example")],
          ["2@a.example", "1@a.example"])
    for date, count in (("2023", 1), ("2023-01", 1), ("2023-01-01", 1), ("2023-01-02", 0), ("2022-12", 0)):
        check("posts of a date", len(query(db, "posts", "http://x.example/1", date)), count, at=date)
        check("links of a date", len({line.split("\t")[4] for line in query(db, "links", "x.example", date)}), count, at=date)
    check("posts of a host with a port", query(db, "posts", "y.example:80"), query(db, "posts", "y.example"))
    check("urls of a host", [line.split("\t")[:3] for line in query(db, "urls", "x.example")],
          [["http://x.example/1", "2", "2"], ["http://x.example/broken", "1", "1"]])
    check("a host and all below it", len(query(db, "urls", ".X.example")), 3)
    hosts = [line.split("\t")[0] for line in query(db, "hosts")]
    check("the URLs of all hosts", sorted(query(db, "urls")), sorted(line for host in hosts for line in query(db, "urls", host)))
    check("the authors of all hosts", [line.split("\t")[:3] for line in query(db, "authors")],
          [["Ann <ann@a.example>", "3", "1"], ["Bob <bob@a.example>", "2", "1"]])
    for args, words in ((["urls", "example"], "nothing of example alone; all names below it are .example"),
                        (["urls", ".none.example"], "no link to the host .none.example"),
                        (["months", "2002"], "no link to the host 2002"),
                        (["links", "x.example", "2031"], "no link to the host x.example in 2031"),
                        (["first", "http://x.example/none"], "no link to http://x.example/none"),
                        (["posts", "http://x.example/1", "2031-05"], "no link to http://x.example/1 in 2031-05"),
                        (["address", "<none@a.example>"], "no message <none@a.example>"), (["address", "<"], "no message <"),
                        (["address", "<1@a.example"], "no message <1@a.example"), (["new", "2031"], None)):
        for more, status in (([], 0), (["--fail-if-none"], 1)):
            done = run("query", *more, db, *args)
            check("nothing: a hint", (done.returncode, done.stdout, done.stderr.decode()),
                  (status, b"", f"urlsift: {db}: {words}\n" if words else ""), at=args + more)
    check("something under --fail-if-none", run("query", "--fail-if-none", db, "first", "http://x.example/none", "http://x.example/1").returncode, 0)
    check("hosts", [line.split("\t")[:2] for line in query(db, "hosts")],
          [["x.example", "3"], ["sub.x.example", "1"], ["y.example", "1"]])
    check("authors", [line.split("\t")[:2] for line in query(db, "authors", "x.example")],
          [["Ann <ann@a.example>", "2"], ["Bob <bob@a.example>", "1"]])
    check("months", query(db, "months"), ["2023-01\t2\t1", "2024-01\t3\t1"])
    check("months of a host", query(db, "months", ".x.example"), ["2023-01\t1\t1", "2024-01\t3\t1"])
    check("new since a date", [line.split("\t")[0] for line in query(db, "new", "2023-06")],
          ["http://sub.x.example/", "http://x.example/broken"])
    equal = write(folder + "/equal.mbox", "".join(
        f"From a Mon Jan  1 10:00:00 2024\nFrom: a\nMessage-ID: <{n}@e.example>\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\n"
        f"http://e.example/{url}\n\n" for n, url in enumerate((3, 2, 1, 2, 3, 1))).encode())
    index(folder + "/equal.db", equal)
    check("new, of equal dates: the first message of each", [line.split("\t")[::3][:2] for line in query(folder + "/equal.db", "new", "2024")],
          [[f"http://e.example/{url}", f"{n}@e.example"] for url, n in ((1, 2), (2, 1), (3, 0))])
    check("joined", [line.split("\t")[0] for line in query(db, "joined")], ["http://x.example/broken"])
    check("warned", [line.split("\t")[:2] for line in query(db, "warned")], [["http://user:pw@y.example/", "password"]])
    check("sources", [line.split("\t")[0] for line in query(db, "sources")], [box, again])
    check("as JSON", json.loads(query("--json", db, "months")[0]), {"month": "2023-01", "links": 2, "messages": 1})
    check("other readings as JSON", json.loads(query("--json", db, "joined")[0]).get("alternates", [])[:0], [])
    shutil.copy(db, folder + "/foreign.db")
    for text in "not json", '[1,\n2]', '"' + chr(27) + '"':
        with contextlib.closing(sqlite3.connect(folder + "/foreign.db")) as connection, connection:
            connection.execute("UPDATE link SET alternates = ?", (text,))
        lines = query("--json", folder + "/foreign.db", "joined")
        check(f"readings of a foreign database: {text!r}", [json.loads(line)["url"] for line in lines],
              ["http://x.example/broken"])
    for question in query():
        name = question.split()[0]
        statement = run("query", "--sql", name).stdout.decode()
        check(f"--sql of {name} is SQL", sqlite3.complete_statement(statement), True)
        argument = {"first": "http://x.example/1", "new": "2023-06", "address": "1@a.example"}.get(name, ".x.example")
        given = [argument] if re.fullmatch(r"[\[\]A-Z|.]+", question.split()[1]) else []
        statement = run("query", "--sql", db, name, *given).stdout.decode()
        lines = ["\t".join("" if value is None else str(value) for value in row) for row in sql(db, statement)]
        check(f"--sql of {name} runs, and gives the answer", lines, query(db, name, *given))
    check("links of a host", [line.split("\t")[:2] for line in query(db, "links", "x.example")],
          [["HTTP://X.example:80/1", ""], ["http://x.example/1", ""], ["http://x.example/broken", ""]])
    check("--header", query("--header", db, "months")[0], "month\tlinks\tmessages")
    check("--csv", query("--csv", db, "months"), ["month,links,messages", "2023-01,2,1", "2024-01,3,1"])
    check("the values of --csv", query("--csv", db, "authors", "y.example")[1].split(",")[0], "Bob <bob@a.example>")
    named = write(folder + "/a\x1b[31m\n\"b.mbox", "From a@a.example Mon Jan  2 10:00:00 2023\nFrom: a\nSubject: s\n\nhttp://e.example/\n")
    index(folder + "/named.db", named)
    check("the name of a file in --csv", query("--csv", folder + "/named.db", "sources")[1].split(",")[0],
          '"' + folder + '/a^[[31m^J""b.mbox"')
    named = write(folder + "/hidden.mbox", "From a@a.example Mon Jan  2 10:00:00 2023\nFrom: =a\u00ad, b\nSubject: s\n\nhttp://e.example/\n")
    index(folder + "/hidden.db", named)
    author = [query("--csv", *args, folder + "/hidden.db", "authors", "e.example")[1] for args in ((), ("--header",), ("--spreadsheet",))]
    check("an author in --csv", [line[:line.rindex('"') + 1] for line in author], ['"=a\u00ad, b"'] * 2 + ['"\'=a\u00ad, b"'])
    check("in columns it is shown", query(folder + "/hidden.db", "authors", "e.example")[0].split("\t")[0], "=a\\xc2\\xad, b")
    hash_ = hashlib.sha256(b"1@a.example").hexdigest()[:16]
    check("address", (query(db, "address", "<1@a.example>"), query(db, "address", "9@a.example")), ([f"m/{hash_}.html"], []))
    plan = sql(db, "EXPLAIN QUERY PLAN SELECT * FROM first_seen WHERE normal = 'http://x.example/1'")
    check("first_seen by its URL uses an index", [row[3] for row in plan if row[3].startswith("SCAN")], [])
    check("first_seen", sql(db, "SELECT utc, author FROM first_seen WHERE normal = 'http://x.example/1'"),
          [("2023-01-01T10:00:00Z", "Bob <bob@a.example>")])
    check("the schema has comments", "-- " in sql(db, "SELECT sql FROM sqlite_master WHERE name = 'source'")[0][0], True)
    foot = write(folder + "/footer.mbox", b"".join(
        b"From a@a.example Mon Jan  1 00:00:00 2024\nFrom: a@a.example\nList-Id: <l.a.example>\n\nhttp://b.example/%d\n"
        b"%s\n" % (n, b"http://foot.example/\n" if n % 3 else b"") for n in range(30)))
    footers = folder + "/footers.db"
    index(footers, foot)
    check("--no-footers", [[line.split("\t")[0] for line in query(*more, footers, "hosts")] for more in ((), ("--no-footers",))],
          [["b.example", "foot.example"], ["b.example"]])
    sent = folder + "/sent.db"
    index(sent, write(folder + "/sent.mbox", "".join(
        f"From a@a.example Mon Jan  1 00:00:00 2024\nFrom: {name}\nMessage-ID: <{ident}@a.example>\n{date}\nhttp://{host}.example/\n\n"
        for name, ident, date, host in (("Ada Hill <ada@hill.example>", 1, "Date: 31 Dec 2023 23:59:59 +0000\n", "a"),
                                        ("Bob 100%_ <bob@b.example>", 2, "Date: 1 Jan 2024 00:30:00 +0100\n", "a"),
                                        ("Bob 100%_ <bob@b.example>", 2, "Date: 1 Jan 2024 00:30:00 +0100\n", "a"),
                                        ("Bob O'Hara <bob@b.example>", 3, "Date: 29 Feb 2024 23:59:59 +0000\n", "b"),
                                        ("ada", 4, "Date: 1 Mar 2024 00:00:00 +0000\n", "b"), ("", 5, "", "b"), ("ada", 6, "", "c")))))
    for args, wanted in (((), {"b": "3", "a": "2", "c": "1"}), (("--from=ADA",), {"a": "1", "b": "1", "c": "1"}),
                         (("--from=bob@b.example",), {"a": "1", "b": "1"}), (("--from=%_ <",), {"a": "1"}), (("--from=O'H",), {"b": "1"}),
                         (("--since=2024",), {"b": "2"}), (("--until=2023",), {"a": "2"}), (("--since=2023-12-31", "--until=2024-02"), {"a": "2", "b": "1"}),
                         (("--until=2024-02-29", "--from=ada"), {"a": "1"}), (("--since=2024-02-29", "--until=2024-02-29"), {"b": "1"}),
                         (("--since=2025",), {})):
        check(f"hosts {args}", {line.split(".")[0]: line.split("\t")[1] for line in query(*args, sent, "hosts")}, wanted)
    for question, numbers in (("posts b.example", 2), ("links b.example", 2), ("urls", 1), ("urls .example", 1), ("authors", 2), ("authors b.example", 2),
                              ("months", 2), ("months b.example", 2), ("first http://b.example/", 1), ("new 2020", 1), ("joined", 0), ("warned", 0)):
        check(f"--since of {question}", len(query("--since=2024-02-29", sent, *question.split())), numbers)
    check("first of the chosen", query("--from=ada", sent, "first", "http://b.example/")[0].split("\t")[3], "4@a.example")
    said = run("query", "--from=zoe", "--fail-if-none", sent, "urls", "b.example")
    check("nothing in the chosen", (said.returncode, said.stderr.decode()), (1, f"urlsift: {sent}: no link to the host b.example in the chosen messages\n"))
    for question in "hosts", "urls", "authors", "months", "new 2020", "joined", "warned":
        check(f"nothing in the chosen: {question}", run("query", "--from=zoe", sent, *question.split()).stderr.decode(),
              f"urlsift: {sent}: nothing in the chosen messages\n")
    check("nothing is chosen", run("query", sent, "warned").stderr.decode(), "")
    wrapped = folder + "/wrapped.db"
    index(wrapped, write(folder + "/wrapped.txt", "https://www.google.com/url?q=https%3A%2F%2Fwww.real.example%2Fdoc\n"))
    for args in (("first", "https://www.real.example/doc"), ("posts", "www.real.example"), ("posts", ".real.example"), ("urls", ".example")):
        check(f"the link is behind another: {args}", "rewritten links lead there" in run("query", wrapped, *args).stderr.decode(), True)
    check("no link at all", run("query", wrapped, "posts", "real.example").stderr.decode(),
          f"urlsift: {wrapped}: no link to the host real.example\n")
    with contextlib.closing(sqlite3.connect(wrapped)) as database:
        database.execute("DROP INDEX url_unwrapped")
    check("an index of before cannot tell", run("query", wrapped, "posts", "www.real.example").stderr.decode(),
          f"urlsift: {wrapped}: no link to the host www.real.example\n")
    for args, word in ((("--since=2024-13", sent, "hosts"), "--since=2024-13: is no date"), (("--until=x", sent, "hosts"), "--until=x: is no date"),
                       (("--since=2024-03", "--until=2024-02", sent, "hosts"), "--since=2024-03 is after --until=2024-02"),
                       (("--from=x", sent, "sources"), "query sources is not of messages"), (("--from=x", "--sql", sent, "hosts"), "--from")):
        said = run("query", *args)
        check(f"query {args}", (said.returncode, word in said.stderr.decode()), (2, True))
    few = folder + "/few.db"
    index(few, write(folder + "/few.mbox", mailbox(5, 3)))
    for args in (("--since=bad", folder + "/none.db", "urls"), ("--since=bad", "--no-footers", few, "urls")):
        said = run("query", *args).stderr.decode()
        check(f"query {args}: only the date", (said.count("urlsift: "), "--since=bad: is no date" in said), (1, True))
    check("--no-footers where there are none", run("query", "--no-footers", few, "hosts").stderr.decode(),
          f"urlsift: {few}: --no-footers leaves out nothing: no link is in at least ten messages and half of those of a list\n")
    page = write(folder + "/page.mbox", b"""From a@a.example Mon Jan  1 00:00:00 2024
From: a@a.example
Content-Type: text/html

<a href="https://www.google.com/url?q=http://to.example/x">the label</a>
""")
    index(footers, page)
    check("label, attribute, unwrapped target", sql(footers, "SELECT label, attribute, unwrapped FROM links WHERE label IS NOT NULL"),
          [("the label", "a href", "http://to.example/x")])
    for args, words in (((db, "hots"), "did you mean hosts?"), ((db, "links"), "needs HOST"), ((db, "hosts", "x"), "no arguments"),
                        ((db, "new", "soon"), "takes DATE"), ((db, "posts", "a.example", "soon"), "such as 2024-05-31"),
                        ((db, "posts", "a.example", "2024", "2025"), "takes URL|HOST [DATE]"),
                        ((db, "a.example"), f"query {db} links a.example"), ((db, "http://a.example/"), "posts http"),
                        ((db, "first", "*.x.example"), "did you mean https://*.x.example;"), ((db, "first", "."), "not '.';"), ((db, "first", "mailto:"), "not 'mailto:';"),
                        *(((db, "new", date), "takes DATE") for date in (
                            "2024-02-30", "2023-02-29", "2024-00", "2024-13", "2024-02-00", "+024", " 024", "2024-+2", "20240"))):
        done = run("query", *args)
        check(f"query {args[1:]} is a mistake", (done.returncode, words in done.stderr.decode()), (2, True))


def test_repeated_ids(folder):
    """A sender chooses the Message-ID and all other fields: no link is hidden by an earlier message with the same."""
    def mail(author, subject, hour, *urls):
        return (f"From a Mon Mar  2 10:00:00 2026\nFrom: {author}\nSubject: {subject}\nMessage-ID: <1@a.example>\n"
                f"Date: Mon, 2 Mar 2026 {hour}:00:00 +0000\n\n" + "".join(f"{url}\n" for url in urls) + "\n").encode()
    def numbers(*args):
        return [line.split("\t")[:3] for line in query(db, *args)]
    db = folder + "/repeated.db"
    good = mail("ann@a.example", "one", 10, "http://good.example/", "http://first.example/list")
    index(db, write(folder + "/first.mbox", good + mail("evil@a.example", "two", 11, "http://u@203.0.113.9/",
                                                        "http://good.example/")))
    check("what only another message with the Message-ID has", numbers("hosts"),
          [["203.0.113.9", "1", "1"], ["first.example", "1", "1"], ["good.example", "1", "1"]])
    check("its warnings", [line[:2] for line in numbers("warned")], [["http://u@203.0.113.9/", "ip-host"]])
    check("its author", numbers("authors", "203.0.113.9"), [["evil@a.example", "1", "1"]])
    check("its links", (len(query(db, "links", "203.0.113.9")), numbers("urls", "203.0.113.9")),
          (1, [["http://u@203.0.113.9/", "1", "1"]]))
    check("the message counts once", (query(db, "months"), query(db, "months", "good.example"),
                                      len(query(db, "posts", "good.example"))), (["2026-03\t3\t1"], ["2026-03\t1\t1"], 1))
    index(db, write(folder + "/second.mbox", mail("ann@a.example", "one", 10, "http://good.example/",
                                                  "http://second.example/list")))
    check("a copy, as of a message to two lists, counts once", (query(db, "months"), numbers("urls", "good.example")),
          (["2026-03\t4\t1"], [["http://good.example/", "1", "1"]]))
    check("but for what only it has", numbers("urls", "second.example"), [["http://second.example/list", "1", "1"]])
    html = mail("ann@a.example", "one", 10).replace(b"\n\n", b"\nContent-Type: text/html\n\n<a href='http://good.example/'>"
                                                    b"http://bank.example/</a>\n", 1)
    index(db, write(folder + "/third.mbox", html))
    check("and a link with another warning", [line[:2] for line in numbers("warned")],
          [["http://u@203.0.113.9/", "ip-host"], ["http://good.example/", "text-mismatch"]])
    for args in (("hosts",), ("months",), ("joined",), ("warned",), ("urls", "h.example"), ("links", "h.example"),
                 ("authors", "h.example"), ("months", "h.example")):
        plan = [row[3] for row in sql(db, "EXPLAIN QUERY PLAN " + run("query", db, *args, "--sql").stdout.decode())]
        check(f"{args} looks for a link by its URL among those of the first message",
              [line for line in plan if " l " in line and "url=? AND message=?" not in line], [])


def test_digest(folder):
    """What follows the messages of a multipart/digest is of the author of the message around it."""
    db = folder + "/digest.db"
    index(db, "testdata/mail/digest-mime.eml")
    check("the author of a footer", [query(db, "authors", host)[0].split("\t")[0] for host in
          ("lists.example", "plain.example", "cafe.example")],
          ["list@lists.example", "list@lists.example", "Bo Finch <bo@finch.example>"])
    check("the message around a digest counts once", query(db, "months", "lists.example"), ["2020-03\t2\t1"])


# ---- Further runs -----------------------------------------------------------------------

DIGEST = b"""From ada@a.example Thu Jan  1 00:00:0%d 2004
From: ada@a.example
Message-ID: <%d@a.example>
Content-Type: multipart/digest; boundary=b

--b

From: joe@a.example
Message-ID: <joe%d@a.example>

https://joe.example/%d
--b

From: eve@a.example
Message-ID: <eve%d@a.example>

https://eve.example/%d
--b--

"""


def test_further_runs(folder):
    r = random.Random(5)
    box, db = folder + "/box", folder + "/f.db"
    write(box, mailbox(6, 40))
    other = write(folder + "/other", mailbox(7, 20))
    index(db, box, other)
    before = image(db)
    check("unchanged files are not read", "read 0, unchanged 2" in index(db, "--summary", box, other)[1], True)
    check("and the index stays as it was", image(db), before)
    write(box, read(box) + b"".join(message(r, 100 + n) for n in range(5)))
    check("a mailbox that has grown is read from its last message on",
          "messages 6," in index(db, "--summary", box, other)[1], True)
    fresh = folder + "/f2.db"
    index(fresh, box, other)
    same_rows("a mailbox that has grown", db, fresh)
    for n in range(2, 5):
        write(box, b"".join(DIGEST.replace(b"%d", b"%d" % k) for k in range(n)))
        done = index(db, "--summary", box, other)[1]
    check("a mailbox whose last message is a digest is read from that message on", "messages 6," in done, True)
    check("and is complete", "read 0, unchanged 2" in index(db, "--summary", box, other)[1], True)
    os.remove(fresh)
    index(fresh, box, other)
    same_rows("a mailbox of digests that has grown", db, fresh)
    sized = write(folder + "/sized", b"".join(SIZED % n for n in range(5)))
    index(folder + "/sized.db", sized)
    write(sized, read(sized) + SIZED % 5)
    check("a length that led to a whole From_ line is sure", "messages 2," in index(folder + "/sized.db", "--summary", sized)[1], True)
    write(box, mailbox(8, 30))
    index(db, box)
    os.remove(fresh)
    index(fresh, box, other)
    same_rows("a mailbox that has changed", db, fresh)
    os.rename(other, folder + "/moved")
    check("a renamed file is known", "read 0, unchanged 1, renamed 1" in index(db, "--summary", box, folder + "/moved")[1], True)
    os.remove(fresh)
    index(fresh, box, folder + "/moved")
    same_rows("a renamed file", db, fresh)
    os.remove(folder + "/moved")
    check("what is gone is kept", "gone 1" in index(db, "--summary", box)[1], True)
    check("and its rows too", len(query(db, "sources")), 2)
    check("until --prune", index(db, "--prune", box), (0, ""))
    os.remove(fresh)
    index(fresh, box)
    same_rows("--prune", db, fresh)
    check("--full reads all again", "read 1," in index(db, "--full", "--summary", box)[1], True)
    same_rows("--full", db, fresh)
    write(other, mailbox(9, 90))
    index(db, box, other)
    os.remove(fresh)
    index(fresh, box, other)
    same_rows("a new mailbox larger than all before", db, fresh)
    names = "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY rowid"
    check("the indexes are made again", sql(db, names), sql(fresh, names))
    check("it is sound", sound(db), True)
    test_several(folder)


def test_several(folder):
    """Mailboxes of a tree, of which several have changed before the next run, each in another way."""
    tree, db, fresh = folder + "/tree", folder + "/tree.db", folder + "/tree2.db"
    filler = b"a line that says little, and is followed by others like it\n" * 900 + b"\n"
    data = b"".join(message(random.Random(k), k) + filler for k in range(50))
    whole = [data.replace(b"a line", b"%d line" % n).replace(b"words and words", b"%d and see http://b.example" % n) for n in range(3)]
    boxes = [write(f"{tree}/{n}/in/box", data[:-90000]) for n, data in enumerate(whole)]
    index(db, "-r", tree, piece=2 ** 20)
    for what, jobs, changed in (("grown", 2, whole), ("edited", 2, [data[:2200000] + b"\nhttp://new.example/\n" + data[2200000:] for data in whole]),
                                ("one has grown, another is shorter", 1, [whole[0] + whole[1], whole[1][:1300000], whole[2]])):
        for box, data in zip(boxes, changed):
            write(box, data)
        done = index(db, "-r", f"-j{jobs}", "--summary", tree, piece=2 ** 20)
        check(f"several mailboxes of a tree, {what}: read in part", int(re.search("bytes ([0-9]+),", done[1])[1]) < sum(map(len, changed)), True)
        remove(fresh)
        index(fresh, "-r", tree, piece=2 ** 20)
        same_rows(f"several mailboxes of a tree, {what}", db, fresh)
        check(f"several mailboxes of a tree, {what}: marks", marks(db), marks(fresh))


def test_repeated_grown(folder):
    """The time of a question of some messages does not grow with the copies that were not chosen before each that was."""
    db, count = folder + "/grown.db", 4000
    index(db, write(folder + "/grown.mbox", "".join(
        f"From a@z Mon Jan  1 00:00:00 2024\nFrom: {'bob' if n < count / 2 else 'ann'} <a@y.example>\nMessage-ID: <1@z>\n\n"
        f"http://a.example/{n}\n\n" for n in range(count))))
    def spent(*args):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        rows = sum(len(query(*args, db, *question.split())) for question in (
            "hosts", "urls", "authors", "months", "urls a.example", "links a.example", "authors a.example", "months a.example"))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return rows, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rows, whole = spent()
    part_rows, part = spent("--from=ann")
    check("the rows", (rows, part_rows), (3 * count + 7, 3 * count // 2 + 5))
    check(f"{part:.2f} s of processor time for some, {whole:.2f} s for all messages", part < 2 * whole + 0.5, True)


def test_names(folder):
    write(folder + "/mail/in/a.mbox", mailbox(60, 5))
    db = folder + "/n.db"
    index(db, folder + "/mail//./in/a.mbox")
    check("names without // and ./", sql(db, "SELECT name FROM source"), [(folder + "/mail/in/a.mbox",)])
    os.remove(db)
    index(db, "--root", folder + "/mail/", folder + "/mail//in/a.mbox")
    check("--root", sql(db, "SELECT name FROM source"), [("in/a.mbox",)])
    check("known again", "unchanged 1" in index(db, "--root", folder + "/mail", "--summary", folder + "/mail/in/a.mbox")[1], True)
    os.symlink("mail", folder + "/other")
    os.makedirs(folder + "/mai")
    os.makedirs(folder + "/far")
    os.symlink("../far", folder + "/mail/near")
    write(folder + "/far/c", b"http://far.example/\n")
    real = os.path.realpath(folder)
    write(folder + "/text", b"http://text.example/\n")
    for root, path, name in (("mail/in/", folder + "/mail/in/a.mbox", "a.mbox"), (folder, "mail/in/a.mbox", "mail/in/a.mbox"),
                             ("mai", "mail/in/a.mbox", real + "/mail/in/a.mbox"), ("/", "text", real[1:] + "/text"),
                             ("mai", folder + "/other/../text", real + "/text"), ("mai", "mail/../text", real + "/text"),
                             ("mai", "other/in/a.mbox", real + "/mail/in/a.mbox"), ("mai", folder + "/other/in/a.mbox", real + "/mail/in/a.mbox"),

                             ("other", "mail/../other/in/a.mbox", "in/a.mbox"), ("mail/in", "other/in/a.mbox", "a.mbox"),
                             # a folder that is a link from the root to elsewhere is in the root; what leaves it again is not
                             ("mail", "mail/near/c", "near/c"), ("mail", folder + "/other/near/c", "near/c"),
                             ("mail", "mail/near/../text", real + "/text"), ("far", "mail/near/c", "c"), (".", "-", "-")):
        os.remove(db)
        run("index", db, "--root", root, path, cwd=folder, input=b"http://a.example/")
        check(f"--root={root} {path}", sql(db, "SELECT name FROM source"), [(name,)])
    os.remove(db)
    run("index", db, "--root=mail", "mail/in/a.mbox", cwd=folder)
    again = run("index", db, "--summary", "--prune", "--root=../../other", "a.mbox", cwd=folder + "/mail/in")
    check("a second run, in another folder, by another way", (again.returncode, b"unchanged 1" in again.stderr,
                                                              sql(db, "SELECT name FROM source")), (0, True, [("in/a.mbox",)]))
    os.symlink("../../text", folder + "/mail/in/b")
    for how in (["other/in/b"], ["--files-from=-"]):
        os.remove(db)
        run("index", db, "--root=mail", *how, cwd=folder, input=b"mail/in/b\n")
        check(f"--root, a link, {how}", sql(db, "SELECT name FROM source"), [("in/b",)])
    os.utime(folder + "/text", ns=(0, 0))
    os.remove(db)
    index(db, "--root", folder, folder + "/text")
    check("--root, a file of 1970", ("unchanged 1" in index(db, "--root", folder, "--summary", folder + "/text")[1], sql(db, "SELECT name FROM source")), (True, [("text",)]))
    for label in ("text", "in/../a", "s3://a//b"):
        os.remove(db)
        run("index", db, "--root=.", f"--label={label}", "-", cwd=folder + "/mail", input=b"http://a.example/")
        check("--root and --label", sql(db, "SELECT name FROM source"), [(label,)])
    for root in (), ("--root=.",):
        os.remove(db)
        os.makedirs(folder + "/odd/x:", exist_ok=True)
        write(folder + "/odd/-", b"http://file.example/\n")
        write(folder + "/odd/x:/y", b"http://y.example/\n")
        for name in (folder + "/odd/x://y", "./-", "-"):
            run("index", db, *root, name, cwd=folder + "/odd", input=b"http://input.example/\n")
        check(f"a file with the name of standard input, and one like a URL {root}", sql(db, "SELECT name, links FROM source"),
              [("x:/y" if root else folder + "/odd/x:/y", 1), ("./-", 1), ("-", 1)])
    if os.path.exists("/dev/fd"):
        os.remove(db)
        end, pipe = os.pipe()
        os.write(pipe, b"http://pipe.example/\n")
        os.close(pipe)
        run("index", db, "--root=/", f"/dev/fd/{end}", pass_fds=(end,))
        os.close(end)
        check("--root=/ with a pipe of this process", sql(db, "SELECT name FROM source"), [(f"dev/fd/{end}",)])
    os.remove(folder + "/mail/in/b")
    done = run("index", db, "--root=missing", "text", cwd=folder)
    check("--root without a folder", (done.returncode, b"--root=missing: " in done.stderr), (2, True))
    os.remove(db)
    run("index", db, "-r", ".", cwd=folder + "/mail/in")
    check("the folder in which it runs", sql(db, "SELECT name FROM source"), [("a.mbox",)])


def test_renamed(folder):
    """A file is renamed when its size, its time and its bytes are those of one that is gone."""
    a, b, db, fresh = folder + "/a", folder + "/b", folder + "/r.db", folder + "/r2.db"
    text = write(folder + "/text", b"http://text.example/\n")
    for name in (a, b):
        write(name, mailbox(70, 30))
        os.utime(name, ns=(1, 10 ** 18))
    index(db, a, b, text)
    said = lambda *names: re.search("read.*renamed [0-9]*", index(db, "--summary", *names)[1])[0]  # noqa: E731
    os.rename(a, folder + "/c")
    os.rename(text, folder + "/t2")
    check("two files alike, one of them renamed", said(folder + "/c", b, folder + "/t2"),
          "read 0, unchanged 1, renamed 2")
    shutil.copy2(b, folder + "/d")
    check("a copy is read", said(folder + "/d"), "read 1, unchanged 0, renamed 0")
    shutil.copy2(folder + "/c", folder + "/f")
    os.rename(folder + "/c", folder + "/g")
    check("of two copies of one that is gone, one is renamed and one is read", said(folder + "/f", folder + "/g"),
          "read 1, unchanged 0, renamed 1")
    data = read(b)
    os.remove(b)
    write(folder + "/e", data[:-2000] + b"x" * 5 + data[-1995:])
    os.utime(folder + "/e", ns=(1, 10 ** 18))
    check("other bytes are read", said(folder + "/e"), "read 1, unchanged 0, renamed 0")
    write(folder + "/t3", b"http://test.example/\n")
    shutil.copystat(folder + "/t2", folder + "/t3")
    os.remove(folder + "/t2")
    check("other text of the same size and time is read", said(folder + "/t3"), "read 1, unchanged 0, renamed 0")
    now = [folder + "/" + name for name in ("f", "d", "g", "e", "t3")]
    index(db, "--prune", *now)
    index(fresh, *now)
    same_rows("renamed files", db, fresh)


def test_changed(folder):
    """Whatever becomes of a file, a further run ends with what a first one finds."""
    box, text, db, fresh = folder + "/box", folder + "/text", folder + "/c.db", folder + "/c2.db"
    data = mailbox(71, 30)

    def again(what, content, *options):
        write(box, content)
        check(f"{what}: indexed", index(db, *options, box, text), (0, ""))
        if os.path.exists(fresh):
            os.remove(fresh)
        index(fresh, *options, box, text)
        same_rows(what, db, fresh)
    write(text, b"http://text.example/1\n")
    again("a mailbox", data)
    (done,) = sql(db, "SELECT done FROM source WHERE kind = 'mbox'")[0]
    again("its last message is no more one", data[:done] + b"words http://a.example/\n" * 900)
    again("a mailbox again", data)
    again("a byte before the last message has changed", data[:done - 9] + b"x" + data[done - 8:] + mailbox(72, 2))
    again("cut off", data[:done // 2])
    again("cut off within its first message", data[:60])
    again("empty", b"")
    write(text, b"http://text.example/1\nhttp://text.example/2\n")
    again("a text that has grown", data)
    again("full", data, "--full")
    check("a name that is missing is an error", index(db, box, folder + "/missing")[0], 1)
    check("and a problem", query(db, "problems")[0].split("\t")[0], folder + "/missing")
    index(db, box, folder + "/missing")
    check("which is there once", len(query(db, "problems")), 1)
    for _ in range(2):
        run("index", db, "-", input=b"see http://input.example/\n")
    check("standard input is read each time", len(query(db, "posts", "input.example")), 1)


def test_problems(folder):
    """A problem names the message that it is of, never one of another file or member."""
    def problems(*args):
        db = os.path.join(folder, "problems.db")
        remove(db)
        index(db, *args)
        return [tuple(line.split("\t")[:3]) for line in query(db, "problems")]
    head = b"From a@b Mon Jan  5 10:00:00 2026\nFrom: a@b.example\nSubject: s\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n\n"
    mail = head + b"https://a.example/\n\n"
    box, missing = write(os.path.join(folder, "two"), 2 * mail), os.path.join(folder, "missing")
    for jobs in ("-j1", "-j2"):
        check(f"of no source {jobs}", problems(jobs, box, missing), [(missing, "", "")])
        check(f"before any source {jobs}", problems(jobs, missing, box), [(missing, "", "")])
    long = write(os.path.join(folder, "long"), mail + head + b"https://a.example/" + b"a" * 100000 + b"\n")
    check("of a message", problems(long), [(long, "", str(len(mail)))])
    packed = os.path.join(folder, "packed.tar")
    with tarfile.open(packed, "w") as tar:
        tar.add(box, "two")
    write(packed, read(packed)[:-4096] + b"damaged" * 1000)
    check("of an archive, after a member", [pos for _, _, pos in problems(packed)], ["0"])


def test_label(folder):
    """Standard input has a name, and what came from it is not gone."""
    db = folder + "/label.db"
    for text in (b"http://one.example/\n", b"http://two.example/\n"):
        run("index", "--label=s3://bucket/a", db, "-", input=text)
    index("--prune", db, os.devnull)
    check("--label", (query(db, "sources")[0].split("\t")[0], [line.split("\t")[0] for line in query(db, "hosts")]),
          ("s3://bucket/a", ["two.example"]))
    piped, pages = folder + "/piped.db", folder + "/pages"
    october, november = mailbox(41, 3), mailbox(42, 2)
    replaces = "urlsift: standard input replaces that of an earlier run ({}); --label=NAME keeps both\n"
    for to in ["index", piped], ["html", "-o", pages]:
        check("standard input again, grown, another, the first, and with a label",
              [run(*to, *more, input=text).stderr.decode() for text, *more in
               ((october,), (october,), (october + november,), (november,), (october,), (november, "--label=november"))],
              ["", "", "", replaces.format("5 messages"), replaces.format("2 messages"), ""], to[0])
    fewer = october[:october.rindex(b"From joe@")]
    for to in ["index", folder + "/less.db"], ["html", "-o", folder + "/less"]:
        check("standard input with fewer messages, or a text with other links, fewer, and more",
              [run(*to, input=text).stderr.decode() for text in
               (october, fewer, b"http://a.example/\n", b"http://a.example/ http://b.example/\n",
                b"http://a.example/\n", b"http://b.example/\n")],
              ["", replaces.format("3 messages"), replaces.format("2 messages"), "", replaces.format("2 links"),
               replaces.format("1 link")], to[0])
    check("both are kept", [line.split("\t")[0] for line in query(piped, "sources")], ["-", "november"])
    text = folder + "/page.txt"
    check("a folder with the name of a file", [run("html", "-o", text, input=october).stderr.decode() for _ in range(2)],
          [f"urlsift: {text}: becomes a folder of pages; for a single page, use a name in .html\n", ""])
    for name in (folder, folder + "/missing"):
        other = folder + "/../useless.db"
        check("what cannot be read leaves no database", (index(other, name)[0], os.path.exists(other)), (1, False))
    parts = folder + "/parts"
    os.mkdir(parts)
    for name, age in ((".a.part", 2 * 86400), (".b.part", 3600), ("c.part", 2 * 86400)):
        path = write(os.path.join(parts, name), b"x")
        os.utime(path, (time.time() - age,) * 2)
    run("index", "--shards-from=-", "--parts", parts, input=b"")
    check("old parts of killed workers", sorted(os.listdir(parts)), [".b.part", "c.part"])


def test_gone(folder):
    """What is gone is deleted by --prune: not what cannot be looked at, nor what was not named."""
    db, names = folder + "/g.db", [f"{folder}/{name}" for name in ("a/1.mbox", "b/2.mbox", "mh", "mh2")]
    for name in names[:2]:
        write(name, mailbox(len(name), 5))
    for n in range(1, 5):
        write(f"{folder}/mh/{n}", message(random.Random(n), n, False))
        write(f"{folder}/mh2/{n}", message(random.Random(n), n, False))
    index(db, *names)
    shutil.rmtree(folder + "/a")
    shutil.rmtree(folder + "/b")
    write(folder + "/a", b"")
    os.symlink("b", folder + "/b")
    os.remove(folder + "/mh/2")
    os.remove(folder + "/mh2/2")
    check("deleted", "deleted 2" in index(db, "--prune", "--summary", folder + "/mh/")[1], True)
    check("left", sql(db, "SELECT name FROM source ORDER BY name"), [(name,) for name in names[1:]])
    check("their files", sql(db, "SELECT count(*) FROM file"), [(7,)])
    check("all again", index(db, "--full", folder + "/mh"), (0, ""))
    check("it is sound", sound(db), True)
    index(db, folder + "/mh", folder + "/never")
    index(db, folder + "/mh")
    check("a file that was not there stays a problem", query(db, "problems")[0].startswith(folder + "/never"))
    index(db, "--prune", folder + "/mh", folder + "/neither")
    check("with --prune, that of this run", [line.split("\t")[0] for line in query(db, "problems")], [folder + "/neither"])


def test_hollow(folder):
    """A folder that was named and has nothing to read, as where a disk is not mounted, costs no links."""
    db, disk, box = folder + "/h.db", folder + "/disk", write(folder + "/box", mailbox(1, 5))
    write(disk + "/a/1.mbox", mailbox(2, 5))
    for n in range(1, 4):
        write(f"{disk}/mh/{n}", message(random.Random(n), n, False))
    index(db, "-r", box, disk)
    index(db, disk + "/mh")
    before = sql(db, "SELECT name FROM source ORDER BY name")
    os.rename(disk, folder + "/away")
    os.mkdir(disk)
    named = ("-r", disk), (disk,), ("-r", box, disk), (disk + "/mh",), ("-r", f"--files-from={write(folder + '/names', disk.encode())}")
    for args in named:
        status, error = index(db, "--prune", *args)
        check(f"hollow {args}", (status, "nothing was deleted" in error), (1, True), error)
    os.rmdir(disk)
    for args in named:
        check(f"missing {args}", "nothing was deleted" in index(db, "--prune", *args)[1], True)
    check("all is there", sql(db, "SELECT name FROM source ORDER BY name"), before)
    check("it is an error without --prune, too", index(db, "-r", write(disk + "/x/.hidden", b"x")[:-8])[0], 1)
    status, error = index(db, "--prune", disk + "/a/1.mbox")
    check("a file that was named is deleted", (status, "nothing was deleted" in error), (1, False), error)
    check("and what was not named", sql(db, "SELECT name FROM source"), [(box,)])


def test_hosts(folder):
    """Hosts that are addresses, or long, and links without one."""
    long = "a." * 600 + "example"
    text = write(folder + "/t", "http://192.0.2.1/ http://[2001:db8::1]/x mailto:joe@a.example http://b.c.example/"
                                f" http://{long}/\n")
    db = folder + "/h.db"
    index(db, "--email", text)
    hosts = dict(sql(db, "SELECT name, reversed FROM host"))
    check("reversed", [hosts.get(name) for name in ("192.0.2.1", "[2001:db8::1]", "b.c.example")],
          ["192.0.2.1", "[2001:db8::1]", "example.c.b"])
    if long in hosts:
        check("a long host", hosts[long], ".".join(reversed(long.split("."))))
    check("an address", len(query(db, "urls", "192.0.2.1")), 1)
    check("an address in brackets", len(query(db, "urls", "[2001:db8::1]")), 1)
    check("a URL without a host", len(query(db, "posts", "mailto:joe@a.example")), 1)
    rooted = folder + "/root.db"
    index(rooted, write(folder + "/root", "http://a.example./ http://a.example/ http://192.0.2.7./ "
                                          "http://b\u00fccher.example/"))
    for host, count in (("a.example", 2), ("a.example.", 2), (".a.example", 2), (".a.example.", 2), ("192.0.2.7", 1),
                        ("b\u00fccher.example", 1), ("xn--bcher-kva.example", 1)):
        check("the root of the DNS, and A-labels", len(query(rooted, "urls", host)), count, host)
    several = ("http://192.0.2.1/", "http://b.c.example/", "http://none.example/")
    check("several URLs", len(query(db, "first", *several)), 2)
    for question, argument in (("posts", ""), ("urls", "."), *(("new", date) for date in (
            "", "x", "2024x", "0000", "2024-00", "2024-13", "2024-01-00", "2024-01-32"))):
        check(f"{question} {argument!r} is a mistake", run("query", db, question, argument).returncode, 2)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([URLSIFT, "query", db, "hosts"], stdout=full, stderr=subprocess.PIPE)
    check("standard output is full", (done.returncode, b"No space left" in done.stderr), (3, True))


def test_folders(folder):
    r = random.Random(9)
    maildir, mh, db, fresh = folder + "/Maildir", folder + "/mh", folder + "/m.db", folder + "/m2.db"
    for name in ("cur", "new", "tmp"):
        os.makedirs(f"{maildir}/{name}")
    for n in range(30):
        write(f"{maildir}/new/{n}.host", message(r, n, False))
        write(f"{mh}/{n + 1}", message(r, 50 + n, False))
    check("folders", index(db, maildir, mh), (0, ""))
    check("messages are told by name", sql(db, "SELECT min(name), max(name) FROM file WHERE source = 1"), [("0.host", "9.host")])
    for n in range(10):
        os.rename(f"{maildir}/new/{n}.host", f"{maildir}/cur/{n}.host:2,S")
    write(f"{maildir}/new/99.host", message(r, 99, False))
    write(f"{mh}/5", message(r, 777, False) + b"http://more.example/\n")
    write(f"{mh}/31", message(r, 778, False))
    check("only what is new is read", "read 3, unchanged 59" in index(db, "--summary", "-j1", maildir, mh)[1], True)
    index(fresh, maildir, mh)
    same_rows("folders", db, fresh)
    os.remove(f"{maildir}/cur/3.host:2,S")
    os.remove(f"{mh}/7")
    index(db, "--prune", maildir, mh)
    os.remove(fresh)
    index(fresh, maildir, mh)
    same_rows("messages that are gone, after --prune", db, fresh)
    check("it is sound", sound(db), True)


def git(folder, *args, **more):
    identity = {f"GIT_{who}_{what}": "x@a.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", "-C", folder, *args], check=True, capture_output=True, env={**os.environ, **identity}, **more)


def test_inbox(folder):
    if not shutil.which("git"):
        skip("public-inbox", "no git")
        return
    r = random.Random(10)
    epoch, db, fresh = folder + "/0.git", folder + "/i.db", folder + "/i2.db"
    os.makedirs(epoch)
    git(epoch, "init", "-q", ".")

    def add(first, count):
        for n in range(first, first + count):
            write(epoch + "/m", message(r, n, False))
            git(epoch, "add", "m")
            git(epoch, "commit", "-q", "-m", str(n))
    add(0, 6)
    inbox = epoch + "/.git"
    index(db, inbox)
    check("commits", sql(db, "SELECT kind, messages, complete, length(cursor) FROM source"), [("inbox", 6, 1, 40)])
    add(6, 3)
    check("only new commits are read", "read 3," in index(db, "--summary", inbox)[1], True)
    index(fresh, inbox)
    check("an epoch that has grown: the same bytes", image(db), image(fresh))
    git(epoch, "reset", "-q", "--hard", "HEAD~4")
    add(20, 2)
    index(db, inbox)
    os.remove(fresh)
    index(fresh, inbox)
    same_rows("an epoch that was rewritten", db, fresh)
    if LONG:
        test_large_epoch(folder)


def test_large_epoch(folder):
    """An epoch is read by several jobs; when git fails in one, the next run goes on there."""
    r = random.Random(11)
    epoch, db, fresh, program = folder + "/1.git", folder + "/l.db", folder + "/l2.db", folder + "/bin/git"
    subprocess.run(["git", "init", "-q", "--bare", epoch], check=True, capture_output=True)
    commits = []
    for n in range(2500):
        data = message(r, n, False)
        commits.append(b"commit refs/heads/master\ncommitter x <x@a.example> %d +0000\ndata 1\nx\nM 644 inline m\ndata %d\n%s\n" % (
            1700000000 + n, len(data), data))
    git(epoch, "fast-import", "--quiet", input=b"".join(commits))
    git(epoch, "symbolic-ref", "HEAD", "refs/heads/master")
    index(fresh, "-j1", epoch)
    index(db, "-j3", epoch)
    check("an epoch in several jobs: the same bytes", image(db), image(fresh))
    for after in (0, 300000, 1):  # bytes that git gives in each job before it fails
        os.remove(db)
        write(program, f"""#!{sys.executable}
import os, subprocess, sys
real = [{shutil.which('git')!r}, *sys.argv[1:]]
if sys.argv[2] != "cat-file":
    os.execv(real[0], real)
child = subprocess.Popen(real, stdout=subprocess.PIPE)
left = {after}
while left > 0 and (more := os.read(child.stdout.fileno(), left)):
    left -= os.write(1, more)
child.kill()
sys.exit(child.wait() != 0)
""".encode())
        os.chmod(program, 0o755)
        failed = subprocess.run([URLSIFT, "index", "-j2", db, epoch], capture_output=True, timeout=HANG,
                                env={**os.environ, "PATH": folder + "/bin:" + os.environ["PATH"]})
        check("git fails", (failed.returncode, b"git could not read it" in failed.stderr), (1, True))
        check("it is a problem", "git could not read it" in " ".join(query(db, "problems")), True)
        check("the next run goes on there", index(db, epoch), (0, ""))
        same_rows(f"an epoch of which git gave {after} bytes at first", db, fresh)
        check("the problem is gone", query(db, "problems"), query(fresh, "problems"))


def test_archives(folder):
    db, fresh = folder + "/z.db", folder + "/z2.db"
    packed = folder + "/a.mbox.gz"
    write(packed, gzip.compress(mailbox(11, 20)))
    tar = folder + "/b.tar"

    def pack(seeds):
        with tarfile.open(tar, "w") as archive:
            for seed in seeds:
                archive.add(write(f"{folder}/{seed}.mbox", mailbox(seed, 10)), f"in/{seed}.mbox")
    pack((12, 13))
    done = index(db, packed, tar)
    if "libarchive" in done[1]:
        skip("archives", "no libarchive")
        return
    check("members are sources", sql(db, "SELECT member, kind FROM source WHERE name LIKE '%.tar' ORDER BY id"),
          [("", "archive"), ("in/12.mbox", "mbox"), ("in/13.mbox", "mbox")])
    check("a message has the member as its file", {tuple(line.split("\t")[2:5]) for host in query(db, "hosts")
          for line in query(db, "posts", host.split("\t")[0]) if tar in line} - set(sql(db,
          "SELECT coalesce(message.msgid, ''), source.name, source.member FROM message JOIN source ON source.id = message.source")), set())
    check("they are not read again", "unchanged 2" in index(db, "--summary", packed, tar)[1], True)
    pack((13, 14))
    write(packed, gzip.compress(mailbox(15, 20)))
    index(db, packed, tar)
    index(fresh, packed, tar)
    same_rows("archives that have changed", db, fresh)
    pack((13, 13, 14, 13))
    check("members of one name", index(db, tar)[0], 0)
    check("the later ones have a number", sql(db, "SELECT member, links > 0 FROM source WHERE name LIKE '%.tar' AND member <> '' ORDER BY id"),
          [("in/13.mbox", 1), ("in/13.mbox#2", 1), ("in/14.mbox", 1), ("in/13.mbox#3", 1)])


def test_grown_anywhere(folder):
    """A mailbox that is cut anywhere and then grows, in steps, has the links of the whole one."""
    r = seeded(20)
    for number in range(40 if NIGHT else 12 if LONG else 3):
        whole = mailbox(1000 + number, r.randrange(2, 60))
        box, db, fresh = folder + "/g", folder + "/g.db", folder + "/g2.db"
        cuts = sorted(r.randrange(len(whole)) for _ in range(r.randrange(1, 6)))
        for cut in cuts + [len(whole)]:
            write(box, whole[:cut])
            index(db, "-j", r.choice((1, 3)), box, cut=r.choice((None, 1000)), commit=r.choice((1, 50, None)))
        index(fresh, box)
        same_rows(f"mailbox {number} that grew at {cuts}", db, fresh)
        for name in (box, db, fresh):
            os.remove(name)


# ---- Interruptions ------------------------------------------------------------------------

def edited(r, data):
    """The data with a random edit: in place, of the same size or not, inserted, removed, of one place or a message."""
    at = r.randrange(len(data))
    n = r.choice((1, 1, 20, 3000))
    new = r.choice((b"x", b"http://new.example/%d " % at, b"\n\n", message(r, at % 1000), b"From "))
    kind = r.randrange(6)
    if kind == 0:
        return data[:at] + (new * n)[:n] + data[at + n:]
    if kind == 1:
        return data[:at] + new + data[at:]
    if kind == 2:
        return data[:at] + data[at + n:]
    if kind == 3:
        return data[:at] + new + data[at + n:]
    if kind == 4:
        return data[:at] if r.random() < 0.5 else data + new
    begin = data.find(b"\nFrom joe", at) + 1
    end = data.find(b"\nFrom joe", begin) + 1
    return data[:begin] + data[end:] if begin and end else data[1:]


def marks(db):
    """The hashes of the pieces, and where reading can begin again."""
    return [struct.unpack("<" + len(blob or b"") // 8 * "q", blob or b"") for (blob,) in sql(db, "SELECT pieces FROM source")]


def test_edited(folder):
    """Whatever is edited, the next run gives the links of a new index."""
    r = seeded(29)
    filler = b"a line that says little, and is followed by others like it\n" * 40
    data = b"".join(message(r, number) + filler + b"\n" for number in range(1300))
    box, was, db, fresh = (os.path.join(folder, name) for name in ("edited", "was.db", "now.db", "fresh.db"))
    write(box, data)
    index(was, box, piece=2 ** 20)
    check("marks", len(marks(was)[0]) // 5, len(data) // 2 ** 20 + 1)
    for number in range(200 if LONG else 4):
        shutil.copy(was, db)
        change = edited(r, data)
        if r.random() < 0.3:
            change = edited(r, change)
        write(box, change)
        os.utime(box, ns=(number, number))
        index(db, box, piece=2 ** 20, cut=r.choice((None, 300000)))
        remove(fresh)
        index(fresh, box, piece=2 ** 20)
        same_rows(f"edit {number}", db, fresh)
        check(f"edit {number}: marks", marks(db), marks(fresh))
    at = data.find(b"http://", len(data) * 2 // 3)
    write(box, data[:at] + b"-" * 7 + data[at + 7:])
    shutil.copy(was, db)
    done = run("index", "--append-only", db, box, piece=2 ** 20)
    check("--append-only looks at the end alone", (done.returncode, rows(db)[0] == rows(was)[0]), (0, True))
    secret = b"http://secret.example/not-for-you"
    write(box, data[:at] + secret + b"\n\n" + data[at:])
    index(db, "--full", box)
    check("a secret is in the index", secret in read(db), True)
    write(box, data)
    index(db, box)
    check("and is not, once it was redacted", secret in read(db) or os.path.exists(db + "-wal"), False)


def warc_record(r, number):
    body = message(r, number, False).replace(b"\n", b"\r\n")
    return (b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://w%d.example/\r\nWARC-Date: 2026-01-%02dT10:00:00Z\r\n"
            b"WARC-Record-ID: <urn:uuid:%d>\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
            % (number % 7, number % 28 + 1, number, len(body), body))


def pages_of(folder):
    """The bytes of all files but those of the plan, and those that lead to where messages have moved."""
    pages = {os.path.relpath(name, folder): read(name) for name in glob.glob(folder + "/**/*.*", recursive=True)}
    return {name: page for name, page in pages.items() if b" have moved:" not in page}


def test_edited_kinds(folder):
    """After edits of any source the index and the pages are those of a new run: a mailbox, a WARC file, both compressed
    as one or several members, an MH folder, and a maildir, whose messages come, go and move but do not change."""
    r, packed = seeded(31), lambda data: gzip.compress(data, 1, mtime=0)
    mail, web = mailbox(SEED + 60, 40), b"".join(warc_record(r, n) for n in range(40))
    alone = [message(r, n, False) for n in range(40)]
    files = {"a.mbox": mail, "b.warc": web, "c.mbox.gz": packed(mail[:5000]) + packed(mail[5000:]), "d.warc.gz": packed(web),
             **{f"mh/{n + 1}": text for n, text in enumerate(alone[:20])},
             **{f"md/cur/{n}.x:2,": text for n, text in enumerate(alone[20:])}, "md/new/keep": alone[0]}
    home, db, fresh, out, new = (f"{folder}/{name}" for name in ("kinds", "kinds.db", "kinds-new.db", "kinds-out", "kinds-new"))
    os.makedirs(home + "/md/tmp")
    inputs = [f"{home}/{name}" for name in ("a.mbox", "b.warc", "c.mbox.gz", "d.warc.gz", "mh", "md")]
    for name, data in files.items():
        write(f"{home}/{name}", data)
    def html(to, *options):
        return run("html", "--title=t", *options, "-o", to, *inputs, piece=4096).returncode
    for number in range(60 if LONG else 3):
        name = r.choice(list(files) + 6 * ["a.mbox", "b.warc", "c.mbox.gz", "d.warc.gz"])
        if name.startswith("md/"):
            if name != "md/new/keep":
                os.remove(f"{home}/{name}")
                data = files.pop(name)
                change = r.randrange(3)
                if change:
                    name = name.replace(":2,", ":2,S") if change == 1 else f"md/new/{number}"
                    files[name] = data if change == 1 else message(r, number, False)
                    write(f"{home}/{name}", files[name])
        else:
            data = files[name]
            if name.endswith("gz") and r.random() < 0.7:
                data = packed(edited(r, gzip.decompress(files[name])))
            else:
                data = edited(r, data)
            write(f"{home}/{name}", data)
            if not name.endswith("gz"):
                files[name] = data
            os.utime(f"{home}/{name}", ns=(10 ** 18 + number, 10 ** 18 + number))
        done = index(db, "--prune", *inputs, piece=4096)[0], html(out, "--prune")
        remove(fresh)
        afresh = index(fresh, *inputs, piece=4096)[0], html(new)
        check("edits of all kinds: the status, 0 where what is damaged is as it was", done in (afresh, (0, 0)), True, (number, name))
        same_rows(f"edit {number} of {name}", db, fresh)
        pages, wanted = pages_of(out), pages_of(new)
        check("edits of all kinds: the pages", [n for n in wanted if pages.get(n) != wanted[n]], [], (number, name))
        check("edits of all kinds: no page more, unless an input is damaged", bool(pages.keys() - wanted.keys() and done[1] == 0), False, (number, name))
        shutil.rmtree(new)


def test_killed(folder):
    """A run that is killed again and again ends as one that was not."""
    r = seeded(30)
    boxes = [write(f"{folder}/k{n}", mailbox(2000 + n, count)) for n, count in enumerate((9000, 3000, 3000) if LONG else (4000, 2000, 2000))]
    mh = folder + "/kmh"
    for n in range(300):
        write(f"{mh}/{n + 1}", message(r, n, False))
    inputs = boxes[:2] + [mh, boxes[2]]
    whole = folder + "/whole.db"
    begin = time.monotonic()
    index(whole, *inputs, commit=300)
    took = time.monotonic() - begin
    wanted = image(whole)
    for number in range(10 if LONG else 2):
        db = f"{folder}/killed{number}.db"
        kills = 0
        while True:
            child = subprocess.Popen([URLSIFT, "index", "-j", str(number % 3 + 1), db, *inputs],
                                     env=environment(300, r.choice((None, 30000))))
            try:
                status = child.wait(timeout=r.random() * took * (0.3 if kills < 8 else 1.5) if kills < 12 else 300)
                break
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.wait()
                kills += 1
            if os.path.exists(db) and os.path.getsize(db):
                connection = sqlite3.connect(db)
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    late = connection.execute("SELECT count(*) FROM message JOIN source ON source.id = message.source"
                                              " WHERE complete = 0 AND size IS NOT NULL AND pos >= done").fetchone()
                    check("a reader sees only what is before `done`", late, (0,))
                    check("a killed run leaves it sound", connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))
                connection.close()
        check(f"run {number} ends after {kills} kills", status, 0)
        check(f"run {number}, killed {kills} times: the same bytes", image(db), wanted)


def test_pipe_killed(folder, commit=20):
    """What came through a pipe is kept when the run is killed, and the next run of that pipe reads it again.  A commit is
    due after so many links, and ten seconds after a pipe has fallen silent."""
    text = mailbox(41, 400)
    db, fresh = f"{folder}/pipe{commit}.db", f"{folder}/pipe{commit}-fresh.db"
    child = subprocess.Popen([URLSIFT, "index", "-j1", db, "-"], env=environment(commit), stdin=subprocess.PIPE)
    child.stdin.write(text)
    child.stdin.flush()
    end = time.monotonic() + HANG
    kept = 0
    while kept == 0 and child.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
        if os.path.exists(db) and os.path.getsize(db) and sql(db, "SELECT count(*) FROM sqlite_master")[0][0]:
            kept = sql(db, "SELECT count(*) FROM link")[0][0]
    child.kill()
    child.wait()
    child.stdin.close()
    check("links of a pipe were kept", kept > 0, True)
    for to in db, fresh:
        check("the run after it", run("index", to, "-", input=text).returncode, 0)
    same_rows("a pipe that is read again", db, fresh)


def test_pipe_silent(folder):
    test_pipe_killed(folder, 100000)


def test_full_disk(folder):
    box = write(folder + "/full", mailbox(40, 3000))
    db = folder + "/full.db"

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
    status, words = index(db, box, preexec_fn=limit, commit=1000)
    check("a full disk is one line with the reason, and exit status 3", (status, words),
          (3, f"urlsift: {db}: disk I/O error: File too large\n"))
    check("what was committed is sound", sound(db), True)
    check("the next run goes on", index(db, box), (0, ""))
    fresh = folder + "/full2.db"
    index(fresh, box)
    check("and ends as one that was not stopped", image(db), image(fresh))


def test_hostile(folder):
    """Triggers that somebody put into a database, or into a part that is merged, do not run."""
    box = write(folder + "/a.mbox", mailbox(1, 30))
    tables = "meta", "source", "file", "message", "host", "url", "link", "problem", "part"
    endless = "INSERT INTO problem(what) SELECT n FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c)"
    more = write(folder + "/hostile.txt", "http://three.example/ http://four.example/path")
    other = write(folder + "/other.txt", "http://five.example/")
    bodies = {"adds": "INSERT INTO problem(type, what) VALUES ('trigger', 'ran')", "deletes": "DELETE FROM link",
              "endless": endless}
    for name, body in list(bodies.items())[:1 if FAST else 3]:
        db, merged, plain = (f"{folder}/{name}{end}.db" for end in ("", "-merged", "-plain"))
        index(db, box)
        index(plain, box)
        index(merged, other)
        with contextlib.closing(sqlite3.connect(db)) as connection, connection:
            for table in tables:
                for event in "INSERT", "UPDATE", "DELETE":
                    connection.execute(f"CREATE TRIGGER {table}_{event} AFTER {event} ON {table} BEGIN {body}; END")
        check(f"a trigger that {name}: query", run("query", db, "hosts").stdout, run("query", plain, "hosts").stdout)
        check(f"a trigger that {name}: index", run("index", db, box, more).returncode, 0)
        index(plain, box, more)
        count = "SELECT (SELECT count(*) FROM link), (SELECT count(*) FROM problem)"
        check(f"a trigger that {name}: what was written", sql(db, count), sql(plain, count))
        check(f"a trigger that {name}: merge", index("--merge", merged, db), (0, ""))
        index(plain, other)
        check(f"a trigger that {name}: what was merged", sql(merged, count), sql(plain, count))
    db, growing = folder + "/counts.db", write(folder + "/counts.mbox", mailbox(1, 3))
    for count in 2 ** 63 - 1, -2 ** 63:
        if os.path.exists(db):
            os.remove(db)
        write(growing, mailbox(1, 3))
        index(db, growing)
        with contextlib.closing(sqlite3.connect(db)) as connection, connection:
            connection.execute("UPDATE source SET links = ?, messages = ?", (count, count))
        write(growing, mailbox(1, 6))
        check(f"a source that had {count} links", index(db, growing), (0, ""))
        check(f"its counts after {count}", sql(db, "SELECT min(links) > 0, min(messages) > 0 FROM source"), [(1, 1)])


def test_refused(folder):
    box = write(folder + "/r.mbox", mailbox(41, 5))
    db = folder + "/r.db"
    check("a file that is no database", index(box, box)[0], 3)
    check("is not changed", open(box, "rb").read(), mailbox(41, 5))
    for size in range(1, 50):
        little = write(folder + "/little.db", b"\n" * size)
        statuses = [index(little, box)[0], run("html", "-o", folder + "/little", f"--plan={little}", box).returncode]
        statuses += [run("query", little, "hosts").returncode, run("index", "--merge", little, db).returncode]
        check(f"a file of {size} bytes", (statuses, open(little, "rb").read()), ([3] * 4, b"\n" * size))
    sqlite3.connect(db).execute("CREATE TABLE a(b)").connection.close()
    young = write(os.path.join(os.path.dirname(db), "young.db"), b"")
    done = run("query", young, "hosts")
    check("a database whose first run was killed", (done.returncode, done.stderr.decode()),
          (3, f"urlsift: {young}: is empty; 'urlsift index' fills it\n"))
    check("the next run fills it", (index(young, box)[0], query(young, "sources")[0].split("\t")[0]), (0, box))
    check("a database of others", ("is not an index of urlsift" in index(db, box)[1], sql(db, "SELECT * FROM sqlite_master")[0][1]),
          (True, "a"))
    os.remove(db)
    index(db, box)
    with contextlib.closing(sqlite3.connect(db)) as connection:
        connection.executescript("ALTER TABLE host RENAME TO hosts; CREATE VIEW host AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL"
                                 " SELECT id + 1 FROM c) SELECT id, id AS name, id AS reversed FROM c")
    check("a view in place of a table", [run(verb, db, what).returncode for verb, what in (("query", "hosts"), ("index", box))], [3, 3])
    os.remove(db)
    index(db, box)
    with contextlib.closing(sqlite3.connect(db)) as connection:
        connection.execute("ALTER TABLE url ADD COLUMN more TEXT AS (hex(zeroblob(20000000)))")
    check("a column that is computed", [run(verb, db, what).returncode for verb, what in (("query", "hosts"), ("index", box))], [3, 3])
    os.remove(db)
    index(db, box)
    with contextlib.closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE url SET id = 9223372036854775807 WHERE id = 1")
    more = write(folder + "/more.txt", "http://one.example/ http://two.example/")
    check("an id that none can follow", index(db, box, more)[0], 0)
    check("new ids are below it", sql(db, "SELECT count(*) FROM url WHERE id > 1 << 42"), [(1,)])
    os.remove(db)
    index(db, "--join=never", "--host=*.example", box)
    for options, words in (((), "--host"), (("--join=never", "--host=*.com"), "--host"),
                           (("--host=*.example", "--join=never", "--email"), "--email")):
        status, said = index(db, *options, box)
        check(f"other options {options} are named", (status, words in said), (2, True))
    check("the same options", index(db, "--host=*.example", "--join=never", box)[0], 0)
    connection = sqlite3.connect(db)
    connection.execute("PRAGMA user_version = 3")
    connection.close()
    check("a newer version", index(db, box), (3, f"urlsift: {db}: was written by a newer urlsift (schema 3); use that version\n"))
    for statement in ("PRAGMA user_version = 0", "PRAGMA user_version = 1; PRAGMA application_id = 1"):
        sql(db, *statement.split("; ")[:1])
        with contextlib.closing(sqlite3.connect(db)) as connection:
            connection.executescript(statement)
        check(f"{statement}: no index", ("is not an index" in index(db, box)[1], run("query", db, "hosts").returncode),
              (True, 3))
    empty = write(folder + "/empty.db", b"")
    check("an empty file is no index yet", run("query", empty, "hosts").returncode, 3)
    check("and may become one", index(empty, box), (0, ""))
    with contextlib.closing(sqlite3.connect(empty)) as connection:
        connection.execute("INSERT INTO meta VALUES('--host', NULL)")
        connection.commit()
    check("an option without a value", index(empty, box)[0], 2)
    missing = index(folder + "/no/such/folder.db", box)
    check("a folder", (index(folder, box)[0], os.path.exists(folder + ".lock")), (3, False))
    check("a folder that is not there", (missing[0], missing[1].count("\n")), (3, 1))


def test_older_schema(folder):
    """An index of schema 1 answers questions, and is not brought up to date."""
    box, db, other = write(folder + "/v1.mbox", mailbox(4, 20)), folder + "/v1.db", folder + "/v2.db"
    index(db, box)
    hosts, posts, whole = query(db, "hosts"), query(db, "posts", "h1.example"), query("--json", db, "posts", "h1.example")
    for statement in ("DROP VIEW links", "DROP VIEW messages", "ALTER TABLE link DROP COLUMN label",
                      "ALTER TABLE message DROP COLUMN uri", "PRAGMA user_version = 1", "PRAGMA journal_mode = DELETE"):
        sql(db, statement)
    line = f"urlsift: {db}: was made by an older urlsift (schema 1); index into a new file\n"
    check("it is read", (query(db, "hosts"), query(db, "posts", "h1.example"), query("--json", db, "posts", "h1.example")), (hosts, posts, whole))
    done = run("query", db, "links", "h1.example")
    check("a question that needs what it lacks", (done.returncode, done.stderr.decode()), (3, line))
    before = read(db)
    check("it is not brought up to date", index(db, box), (3, line))
    check("nor merged", index("--merge", other, db), (3, line))
    check("and no empty index is left", [n for n in os.listdir(folder) if n.startswith("v2.db")], [])
    check("nor touched", read(db) == before, True)


def test_damaged(folder):
    """A page that is damaged is an error, or is not needed."""
    box, db = write(folder + "/d.mbox", mailbox(44, 400)), folder + "/d.db"
    index(db, box)
    write(box, mailbox(45, 400))
    whole = read(db)
    for page in range(len(whole) // 16384):
        at = page * 16384 + 100 * (page == 0)
        for what in (["query", "hosts"], ["query", "months"], ["query", "sources"], ["index", box],
                     ["index", "--full", "--prune", box]):
            write(db, whole[:at] + b"\xee" * 8000 + whole[at + 8000:])
            done = run(what[0], db, *what[1:])
            said = done.stderr.decode()
            check(f"page {page} is damaged: {what[:2]}", (done.returncode in (0, 2, 3), said.count("\n") <= 1,
                  done.returncode < 2 or said.startswith("urlsift: ")), (True, True, True))


def test_foreign_ids(folder):
    """A part whose hosts or URLs have ids that are no numbers of ours."""
    text, shards, parts, db = write(folder + "/t.txt", b"see http://a.example/x\n"), folder + "/shards", folder + "/parts", folder + "/m.db"
    write(shards, run("shards", text).stdout)
    for ids in ("-1", "+4000"), (1e300,), (-5, 3), (b"x",), (1 << 40,):
        for table in "host", "url":
            run("index", "--parts=" + parts, "--shards-from=" + shards)
            with contextlib.closing(sqlite3.connect(glob.glob(parts + "/*.db")[0])) as part:
                columns = [row[1] for row in part.execute(f"PRAGMA table_info({table})")]
                part.execute(f"DROP TABLE {table}")
                part.execute(f"CREATE TABLE {table}({','.join(columns)})")
                part.executemany(f"INSERT INTO {table} VALUES({','.join('?' * len(columns))})",
                                 [(one, f"b{one}.example", *[1] * (len(columns) - 2)) for one in ids])
                part.commit()
            done = run("index", "--merge", db, "--shards-from=" + shards, "--parts=" + parts)
            check(f"{table} with the ids {ids}", (done.returncode in (0, 2, 3), done.stderr.count(b"\n") <= 1), (True, True))
            for name in glob.glob(folder + "/m.db*") + glob.glob(parts + "/*"):
                os.remove(name)


def test_read_only(folder):
    """On a read-only file system an index can be queried, and is not written."""
    box, medium = write(folder + "/m.mbox", mailbox(43, 20)), folder + "/medium%?#"
    os.mkdir(medium)
    db = medium + "/x.db"
    index(db, box)
    os.remove(db + ".lock")

    def there(*args):
        mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
        return subprocess.run(["unshare", "-m", "sh", "-c", mount, medium, *args], capture_output=True, timeout=HANG)
    if shutil.which("unshare") is None or there("true").returncode:
        skip("a read-only file system", "mount is not permitted")
        return
    done = there(URLSIFT, "query", db, "hosts")
    check("a query", (done.returncode, done.stdout.decode().splitlines()), (0, query(db, "hosts")))
    done = there(URLSIFT, "index", db, box)
    check("an index that cannot be written", (done.returncode, b"Read-only file system" in done.stderr), (3, True))
    write(db + "-wal", b"x")
    check("a log cannot be read without its index", there(URLSIFT, "query", db, "hosts").returncode, 3)


def test_other_user(folder):
    """Who may write neither an index nor its folder can query it, and is told if it was written meanwhile."""
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    box, place = write(folder + "/m.mbox", mailbox(43, 20)), folder + "/theirs"
    os.mkdir(place)
    db = place + "/x.db"
    index(db, box)
    hosts = query(db, "hosts")
    os.chmod(folder, 0o755)
    command = shutil.copy(URLSIFT, folder)
    cut_off = b"a run was cut off; the next query of who may write it and its folder puts it in order"

    def asks(at, mode, mode_of_folder, wanted, said=b"", *args):
        for name, bits in [(place + "/" + name, mode) for name in os.listdir(place)] + [(place, mode_of_folder)]:
            os.chmod(name, bits)
        there = sorted(os.listdir(place))
        done = subprocess.run([command, *(args or ("query", db, "hosts"))], capture_output=True, timeout=HANG, **user)
        check("of another user", (done.stdout.decode().splitlines(), done.returncode, said in done.stderr), wanted, at)
        check("of another user: nothing is left", sorted(os.listdir(place)), there, at)
        os.chmod(place, 0o755)
        for name in os.listdir(place):
            os.chmod(f"{place}/{name}", 0o644)
    asks("", 0o444, 0o555, (hosts, 0, True))
    asks("a file to write", 0o666, 0o555, (hosts, 0, True))
    asks("a folder to write", 0o444, 0o777, (hosts, 0, True))
    asks("both", 0o666, 0o777, (hosts, 0, True))
    unread = f"{db}: Permission denied; its owner can allow".encode()
    asks("a file not to read", 0o000, 0o777, ([], 3, True), unread)
    asks("a file to write and not to read", 0o222, 0o555, ([], 3, True), unread)
    asks("a folder not to search", 0o444, 0o600, ([], 3, True), unread)
    os.remove(db + ".lock")
    unwritten = f"{db}: Permission denied; its owner can allow you to write the file and its folder".encode()
    for bits, bits_of_folder in (0o444, 0o777), (0o666, 0o555), (0o444, 0o555):
        asks("a run", bits, bits_of_folder, ([], 3, True), unwritten, "index", db, box)
    index(db, box)
    check("its owner still writes it", query(db, "hosts"), hosts)
    pipe = folder + "/pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen([URLSIFT, "index", db, pipe])
    with open(pipe, "wb"):
        asks("a writer", 0o644, 0o755, (hosts, 0, True))
    check("of another user: the writer ends", (writer.wait(timeout=HANG), sorted(os.listdir(place))), (0, ["x.db", "x.db.lock"]))
    write(db + "-wal", b"")
    asks("an empty log", 0o444, 0o555, (hosts, 0, True))
    write(db + "-wal", b"x" * 40)
    asks("a log without its index", 0o444, 0o555, ([], 3, True), cut_off)
    asks("a log without its index, and a folder to write", 0o444, 0o777, ([], 3, True), cut_off)
    os.remove(db + "-wal")
    index(db, write(folder + "/more", "".join(f"http://h{n}.example/\n" for n in range(9000))))
    os.chmod(db, 0o444)
    os.chmod(place, 0o555)
    with subprocess.Popen([command, "query", db, "hosts"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **user) as reader:
        reader.stdout.readline()
        os.utime(db)
        late = reader.communicate(timeout=HANG)[1]
    check("of another user: it was written meanwhile", (reader.returncode, late.decode()),
          (3, f"urlsift: {db}: was written while it was read; ask again\n"))
    os.chmod(place, 0o755)


def test_irregular(folder):
    """What SQLite would wait for beside a database."""
    box, db = write(folder + "/i.mbox", mailbox(44, 20)), folder + "/i.db"
    index(db, box)
    for end in "-journal", "-wal", "-shm":
        os.mkfifo(db + end)
        for args in ("index", db, box), ("query", db, "hosts"):
            done = run(*args)
            check("a FIFO", (done.returncode, done.stderr.decode()), (3, f"urlsift: {db}{end}: is not a regular file\n"), (end, args[0]))
        os.remove(db + end)


def test_two_writers(folder):
    box = write(folder + "/w.mbox", mailbox(42, 20))
    db = folder + "/w.db"
    index(db, box)
    pipe = folder + "/pipe"
    os.mkfifo(pipe)
    missing = folder + "/missing/w.db"
    check("no folder", index(missing, box), (3, f"urlsift: {missing}: the folder that is to hold it does not exist\n"))
    link = folder + "/link.db"
    os.symlink("w.db", link)
    first = subprocess.Popen([URLSIFT, "index", link, pipe])
    with open(pipe, "wb") as into:
        for name in db, link:
            check("another writer", index(name, box), (3, f"urlsift: {name}: is being written by another process\n"))
        check("the lock of a symbolic link", os.path.exists(link + ".lock"), False)
        check("readers do not wait", len(query(db, "sources")), 1)
        into.write(b"http://late.example/\n")
    check("the first writer ends well", first.wait(timeout=HANG), 0)
    check("with its link", len(query(db, "posts", "late.example")), 1)


def test_many_urls(folder):
    """With so many URLs that other threads sort them for the secondary indexes."""
    box, one, two = (f"{folder}/{name}" for name in ("box", "one.db", "two.db"))
    write(box, "".join(f"From a Thu Jan  1 00:00:00 1970\nFrom: a\nMessage-ID: <{n}@a.example>\n\n"
                       + "".join(f"http://h{m % 50}.example/{m * 7919 % 150000}\n" for m in range(n, n + 1000)) + "\n"
                       for n in range(0, 150_000, 1000)))
    for jobs, db in ("1", one), ("3", two):
        check("an index of many URLs", index(db, "-j", jobs, box), (0, ""))
    check("the same bytes where threads have sorted", image(two), image(one))
    check("URLs", sql(two, "SELECT count(*), count(DISTINCT normal) FROM url"), [(150_000, 150_000)])
    check("SQLite finds no fault", sql(two, "PRAGMA integrity_check"), [("ok",)])


def test_long_records(folder):
    """A file whose records are longer than what an encoder passes on at once."""
    db, text = folder + "/long.db", write(folder + "/long", "".join(f"http://h{n}.example/{n}\n" for n in range(5000)))
    check("an index of a long file", index(db, text), (0, ""))
    check("all of its links", sorted(sql(db, "SELECT normal FROM url")), sorted((f"http://h{n}.example/{n}",) for n in range(5000)))


def test_temporary(folder):
    """Files in which SQLite sorts are beside the database where no other folder can be written to, whatever TMPDIR names."""
    shim = preload("fault_shim.c", folder)
    if not shim:
        return
    text = write(folder + "/text", "".join(f"http://a.example/{'x' * 2000}/{n}\n" for n in range(700)))
    for name, path in ("none", None), ("a folder that is missing", folder + "/missing"), ("a file", text), ("a closed folder", "/"):
        env = {key: value for key, value in os.environ.items() if key not in ("TMPDIR", "SQLITE_TMPDIR")}
        env |= {"LD_PRELOAD": shim, "FAULT_FOLDER": folder} | ({"TMPDIR": path} if path else {})
        done = run_captured([URLSIFT, "index", folder + "/links.db", text], env=env)
        check(f"TMPDIR names {name}", (done.returncode, done.stderr), (0, b""))
        remove(folder + "/links.db")


def test_slow_archive(folder):
    """An archive that pauses before what is not searched is read to its end all the same."""
    if not has("with libarchive"):
        skip("an archive that pauses", "no libarchive")
        return
    file, db = io.BytesIO(), folder + "/links.db"
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in ("a.txt", b"http://a.example/\n"), ("b.bin", b"\0\1" * 5000):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    data = file.getvalue()
    with subprocess.Popen([URLSIFT, "index", "-j1", db, "-"], stdin=subprocess.PIPE) as process:
        process.stdin.write(data[:1700])
        process.stdin.flush()
        time.sleep(0.2)
        process.stdin.write(data[1700:])
    check("an archive that pauses", sql(db, "SELECT member, complete FROM source ORDER BY member"), [("", 1), ("a.txt", 1)])


def test_incomplete(folder):
    """After a run that fails between two commits, a folder is complete only if all of it was read."""
    shim = preload("fault_shim.c", folder)
    if not shim:
        return
    mh = [write(f"{folder}/mh/{n + 1}", f"From: a\n\nhttp://a{n}.example/\n") for n in range(12)]
    db, states = folder + "/part.db", set()
    for at in *range(60, 300, 30), 10 ** 6:
        env = environment(1) | {"LD_PRELOAD": shim, "FAULT": "pwrite", "FAULT_AT": str(at), "FAULT_ALL": "1"}
        status = run_captured([URLSIFT, "index", "-j1", db, folder + "/mh"], env=env).returncode
        with contextlib.suppress(sqlite3.OperationalError):  # where not even the tables were made
            states.update((status, *row) for row in sql(db, "SELECT complete, (SELECT count(*) FROM file) FROM source"))
        remove(db)
    check("a run fails after some files", len({row for row in states if row[0] == 3}) > 2, True)
    check("what is complete", sorted(row for row in states if row[1]), [(0, 1, len(mh))])


def main():
    if not has("with SQLite"):
        skip("the index", "no SQLite")
        finish()
    quick = (test_questions, test_repeated_ids, test_repeated_grown, test_digest, test_further_runs, test_names, test_renamed, test_problems, test_gone, test_hollow, test_hosts, test_folders, test_archives,
             test_older_schema, test_inbox, test_hostile, test_temporary, test_long_records, test_refused, test_slow_archive, test_incomplete,
             test_read_only)
    for test in quick if FAST else (
            *quick, test_label, test_full_disk, test_other_user, test_contents, test_changed, test_grown_anywhere, test_edited, test_edited_kinds, test_killed, test_pipe_killed,
            *((test_pipe_silent, test_many_urls) if LONG else ()), test_damaged, test_foreign_ids, test_irregular,
                 test_two_writers):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
        if os.environ.get("URLSIFT_TIMES"):
            print(f"{test.__name__}: {time.monotonic() - begin:.1f} s")
    finish()


main()
