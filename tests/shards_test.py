#!/usr/bin/env python3
"""Pieces of work done by several processes, in any order, more than once and killed in the middle, give the index and
the records of one process.  FAST: edits, errors and what is refused.
"""
import contextlib
import gzip
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from testlib import FAST, HANG, LONG, SANITIZED, TOP, URLSIFT, check, expect, finish, has, image, run, seeded, skip, sql, write


def message(r, n):
    head = b"From: Joe %d <joe@a.example>\nMessage-ID: <%d.%d@a.example>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n" % (
        n % 7, n, r.randrange(10 ** 9))
    text = b"".join(r.choice([b"words\n", b"http://h%d.example/%d\n" % (r.randrange(40), r.randrange(900)),
                              b"<URL:http://w.example/a\n b/%d>\n" % r.randrange(90)]) for _ in range(r.randrange(20)))
    if r.random() < 0.1:
        text += b"\nFrom x@a.example Mon Jan  1 00:00:00 2024\nSubject: no message\n\nhttp://inner.example/%d\n" % n
        head += b"Content-Length: %d\n" % len(text)
    return head + b"\n" + text + b"\n"


made = {}  # archives, by their size: to make one takes as long as the rest of a test


def archive(folder, size):
    """A copy of an archive of this size: what is in it."""
    if size not in made:
        made[size] = tempfile.TemporaryDirectory()
        make_archive(made[size].name, size)
    shutil.copytree(made[size].name, folder, dirs_exist_ok=True)
    return [f"{folder}/{name}" for name in ("a.mbox", "mh", "b.txt", "c.mbox", "d.mbox.gz", "e.mbox", "0.git") if os.path.exists(f"{folder}/{name}")]


def make_archive(folder, size):
    """Mailboxes to be cut, one of which has From_ lines that begin no message, a folder, a packed file, text."""
    r = random.Random(1)
    boxes = [b"".join(b"From joe@a.example Mon Jan  1 00:00:00 2024\n" + message(r, n) for n in range(size)) for _ in range(2)]
    for n in range(120):
        write(f"{folder}/mh/{n + 1}", message(r, n))
    write(folder + "/a.mbox", boxes[0])
    write(folder + "/b.txt", b"see http://text.example/\n")
    write(folder + "/c.mbox", boxes[1])
    write(folder + "/d.mbox.gz", gzip.compress(boxes[0][:50000]))
    write(folder + "/e.mbox", b"From a\nContent-Length: 99999999\n\nhttp://e.example/\n\n" + boxes[1][:200000])
    epoch(folder, r, 2500 if size == 1500 else 0)


def epoch(folder, r, count):
    """A public-inbox epoch that is read in several pieces; none without git."""
    if not count or not shutil.which("git"):
        return
    commits = []
    for n in range(count):
        data = message(r, n)
        commits.append(b"commit refs/heads/master\ncommitter x <x@a.example> %d +0000\ndata 1\nx\nM 644 inline m\n"
                       b"data %d\n%s\n" % (1700000000 + n, len(data), data))
    name = folder + "/0.git"
    subprocess.run(["git", "init", "-q", "--bare", name], check=True, capture_output=True)
    subprocess.run(["git", "-C", name, "fast-import", "--quiet"], input=b"".join(commits), check=True)
    subprocess.run(["git", "-C", name, "symbolic-ref", "HEAD", "refs/heads/master"], check=True, capture_output=True)


class Work:
    def __init__(self, folder, size=1500, piece="40K"):
        self.parts, self.lines = folder + "/parts", folder + "/shards"
        self.files = archive(folder, size)
        self.one = folder + "/one.db"
        run("index", self.one, *self.files)
        status, out, self.words = run("shards", "--size", piece, *self.files)
        check("shards are made", (status, self.words), (0, ""))
        write(self.lines, out)
        self.shards = out.splitlines(keepends=True)

    def index(self, lines):
        return run("index", f"--parts={self.parts}", "--shards-from=-", text=b"".join(lines))

    def merged(self, what, folder):
        db = f"{folder}/merged.db"
        check(f"{what}: nothing is left to do", run("shards", "--todo", f"--parts={self.parts}", f"--shards-from={self.lines}"),
              (0, b"", ""))
        check(f"{what}: no part is left incomplete under its name",
              [sql(f"{self.parts}/{name}", "PRAGMA quick_check") for name in os.listdir(self.parts)
               if name.endswith(".db") and sql(f"{self.parts}/{name}", "PRAGMA quick_check") != [("ok",)]], [])
        check(f"{what}: merged", run("index", "--merge", db, f"--parts={self.parts}", f"--shards-from={self.lines}"),
              (0, b"", ""))
        check(f"{what}: the same bytes as those of one process", image(db), image(self.one))
        return db


def test_order(folder):
    work = Work(folder)
    shards = [json.loads(line) for line in work.shards]
    check("shards are numbered", [shard["key"] for shard in shards], ["%08x" % n for n in range(len(shards))])
    ranges = [shard for shard in shards if shard.get("source", "").endswith("a.mbox")]
    check("the ranges of a mailbox follow one another", [shard["to"] for shard in ranges],
          [shard["from"] for shard in ranges[1:]] + [os.path.getsize(work.files[0])])
    check("there are several", len(ranges) > 3, True)
    shuffled = work.shards[:]
    random.Random(2).shuffle(shuffled)
    check("missing parts are counted", run("index", "--merge", folder + "/x.db", f"--parts={work.parts}",
                                           f"--shards-from={work.lines}")[0], 1)
    check("half of the work", work.index(shuffled[::2])[0], 0)
    todo = run("shards", "--todo", f"--parts={work.parts}", f"--shards-from={work.lines}")[1].splitlines(keepends=True)
    check("what is left", sorted(todo), sorted(shuffled[1::2]))
    check("all of it, some twice", work.index(shuffled)[0], 0)
    db = work.merged("any order", folder)
    before = image(db)
    check("merged again", run("index", "--merge", db, f"--parts={work.parts}", f"--shards-from={work.lines}"), (0, b"", ""))
    check("and one part", run("index", "--merge", db, work.parts + "/00000007.db")[0], 2)
    gone = folder + "/gone.db"
    check("a part that is not there", run("index", "--merge", folder + "/n.db", gone), (3, b"", f"urlsift: {gone}: No such file or directory\n"))
    check("nothing changes", image(db), before)
    extra = folder + "/extra.db"
    run("index", extra, work.files[0], write(folder + "/e.mbox", b"From a\n\nhttp://extra.example/\n"))
    check("the folder of the parts", run("index", "--merge", folder + "/n.db", work.parts),
          (2, b"", f"urlsift: {work.parts}: is a folder; name its parts, as in {work.parts}/*.db, or --shards-from=FILE"
                   f" --parts={work.parts}; try 'urlsift --help'\n"))
    check("a part of which some is there is refused", run("index", "--merge", db, extra)[0], 2)
    check("a gap is refused", run("index", "--merge", folder + "/g.db", work.parts + "/00000000.db",
                                  work.parts + "/00000002.db")[0], 2)
    check("other options are refused", run("index", "--email", "--merge", folder + "/e.db", work.parts + "/00000000.db")[0], 2)


def test_merged_edit(folder):
    """The hashes of a mailbox whose ranges were merged are those of one process, and an edit is seen by them."""
    r = random.Random(5)
    os.environ["URLSIFT_PIECE"] = str(1 << 20)
    box, merged, one, fresh = (f"{folder}/{name}" for name in ("box", "merged.db", "one.db", "fresh.db"))
    filler = b"words that no link is in, a line of them\n" * 60
    data = b"".join(b"From joe@a.example Mon Jan  1 00:00:00 2024\n" + message(r, n) + filler for n in range(1000))
    write(box, data)
    run("index", one, box)
    shards = run("shards", "--size=500K", box)[1]
    run("index", f"--parts={folder}/parts", "--shards-from=-", text=shards)
    parts = sorted(os.listdir(folder + "/parts"))
    check("several ranges", len(parts) > 3, True)
    check("merged", run("index", "--merge", merged, *(f"{folder}/parts/{name}" for name in parts)), (0, b"", ""))
    check("ranges merged: the same bytes", image(merged), image(one))
    check("a piece with a place to begin again", [blob[48:56] != bytes(8) for (blob,) in sql(merged, "SELECT pieces FROM source")],
          [True])
    at = data.index(b"http://", len(data) * 9 // 10)
    write(box, data[:at] + b"http://edited.example/" + data[at:])
    status, _, words = run("index", "--summary", merged, box)
    run("index", fresh, box)
    del os.environ["URLSIFT_PIECE"]
    links = "SELECT source, line, message, pos, normal, msgid FROM links ORDER BY source, line, message, pos"
    check("an edit after a merge", (status, sql(merged, links) == sql(fresh, links)), (0, True))
    check("is read from its piece on", 0 < int(words.split("bytes ")[1].split(",")[0]) < len(data) * 3 // 4)


def test_merged_epoch(folder):
    """Shards of one epoch, merged in order: how far it was read is that of the last, and only what is new is read then."""
    r = random.Random(6)
    epoch(folder, r, 23)
    inbox, lines, parts, one = (f"{folder}/{name}" for name in ("0.git", "lines", "parts", "one.db"))
    if not os.path.exists(inbox):
        return
    commits = subprocess.run(["git", "-C", inbox, "rev-list", "--reverse", "master"], check=True, capture_output=True, text=True).stdout.split()
    shard = json.loads(run("shards", inbox)[1])
    ends = [0, 7, 8, 22, 23]
    write(lines, "".join(json.dumps({**shard, "shard": n, "key": f"{n:08x}", "after": commits[begin - 1] if begin else "", "count": end - begin},
                                    separators=(",", ":")) + "\n" for n, (begin, end) in enumerate(zip(ends, ends[1:]))).encode())
    check("shards of an epoch", run("index", f"--parts={parts}", "--shards-from=" + lines), (0, b"", ""))
    run("index", one, inbox)
    together = folder + "/together.db"
    check("merged", run("index", "--merge", together, f"--parts={parts}", "--shards-from=" + lines), (0, b"", ""))
    check("an epoch merged: the same bytes", image(together), image(one))
    check("nothing is read again", "read 0," in run("index", "--summary", together, inbox)[2], True)


def test_merge_killed(folder):
    work = Work(folder)
    work.index(work.shards)
    db = folder + "/merged.db"
    r = seeded(3)
    indexes = "SELECT 1 FROM sqlite_master WHERE name = 'message_msgid'"  # the last step of a merge
    for _ in range(20 if LONG else 3):
        child = subprocess.Popen([URLSIFT, "index", "--merge", db, f"--parts={work.parts}", f"--shards-from={work.lines}"])
        time.sleep(r.random() * 0.1)
        child.send_signal(signal.SIGKILL)
        child.wait()
        if sql(db, indexes):
            check("a merge that was killed: the same bytes", image(db), image(work.one))
            for name in ("", "-wal", "-shm", "-journal"):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(db + name)
    work.merged("a merge that was killed", folder)


def test_ranges(folder):
    """The ranges of a mailbox are merged whole and in their order."""
    work = Work(folder, 300)
    work.index(work.shards)
    ranges = [f"{work.parts}/{json.loads(line)['key']}.db" for line in work.shards if b"a.mbox" in line]
    check("ranges of a mailbox", len(ranges) > 2)
    for what, some, first in (("a gap", ranges[:1] + ranges[2:], ranges[0]), ("no end", ranges[:-1], ranges[-2]),
                              ("no beginning", ranges[1:], ranges[1]), ("one twice", ranges[:2] + ranges[1:], None),
                              ("another order", ranges[1::-1] + ranges[2:], ranges[1])):
        said = run("index", "--merge", folder + "/y.db", *some)
        wanted = f"{first}: the ranges of its mailbox overlap or have gaps" if first else "urlsift: "
        check(f"ranges with {what}", (said[0], wanted in said[2], said[2].count("\n")), (2, True, 1))


def test_merge_refused(folder):
    """What was merged before a part that is refused stays, and is not merged again."""
    work = Work(folder, 300)
    work.index(work.shards)
    db, extra = folder + "/merged.db", folder + "/extra.db"
    parts = [f"{work.parts}/{json.loads(line)['key']}.db" for line in work.shards]
    ranges = [part for part, line in zip(parts, work.shards) if b"a.mbox" in line]
    run("index", extra, work.files[0])
    said = run("index", "--merge", db, *ranges, extra)
    check("a part with the same messages", (said[0], f"{extra}: has messages that {db} has already" in said[2]),
          (2, True))
    check("the parts before it are there", len(sql(db, "SELECT * FROM part")), len(ranges))
    texts = ("PRAGMA legacy_alter_table=ON; CREATE TABLE other AS SELECT * FROM {0}; DROP TABLE {0};"
             "ALTER TABLE other RENAME TO {0}; INSERT INTO {0} SELECT * FROM {0} LIMIT 2;"
             "UPDATE {0} SET id = 3000000 + rowid; UPDATE {0} SET id = 'a' WHERE rowid = 1;"
             "UPDATE {0} SET id = '-9a' WHERE rowid = 2")
    for change, status in ((texts.format("url"), 2), ("UPDATE url SET id = 1 << 30 WHERE id = 1", 3),
                           ("UPDATE host SET id = 9223372036854775807 WHERE id = 1", 3), ("UPDATE message SET id = 1 << 42 WHERE id = 1", 3),
                           ("UPDATE link SET url = 99999999", 2), ("UPDATE link SET url = -1", 2), ("UPDATE url SET id = -1 WHERE id = 1", 2),
                           ("DROP TABLE link", 3)):
        shutil.copy2(parts[-1], extra)
        with contextlib.closing(sqlite3.connect(extra)) as connection:
            connection.executescript(change)
            connection.commit()
        said = run("index", "--merge", folder + "/x.db", extra)
        check(f"a part after {change}", (said[0], f"{extra}: is damaged" in said[2]), (status, " << " in change or "9223" in change))
        check("its links are not there", sql(folder + "/x.db", "SELECT count(*) FROM link"), [(0,)])
    shutil.copy2(parts[-1], extra)
    with contextlib.closing(sqlite3.connect(extra)) as connection:
        connection.executescript(texts.format("host"))
        connection.commit()
    check("a part whose hosts have texts as ids", run("index", "--merge", folder + "/x.db", extra)[0], 0)
    work.merged("after a part that was refused", folder)
    os.remove(db)
    said = subprocess.run([URLSIFT, "index", "--merge", db, *map(os.path.basename, parts)], cwd=work.parts,
                          capture_output=True)
    check("parts without a folder", (said.returncode, image(db)), (0, image(work.one)))


def test_records(folder):
    work = Work(folder)
    status, whole, words = run("list", "--json", f"--shards-from={work.lines}")
    check("records of all shards", (status, words), (0, ""))
    records = [json.loads(line) for line in whole.splitlines()]
    check("each has a key, in order", [r["key"] for r in records], sorted(r["key"] for r in records))
    check("each shard ends in a summary", [r["shard"] for r in records if r["type"] == "summary"], list(range(len(work.shards))))
    check("that has the number of its records", sum(r["records"] for r in records if r["type"] == "summary"), len(records))
    plain = [json.loads(line) for line in run("list", "--json", "-j1", *work.files)[1].splitlines()]
    without = [{key: value for key, value in r.items() if key != "key"} for r in records if r["type"] != "summary"]
    check("they are those of one process", without, plain)
    shuffled = work.shards[:]
    random.Random(4).shuffle(shuffled)
    for some in (shuffled[::3], shuffled[1::3], shuffled):
        run("list", "--json", f"--parts={work.parts}", "--shards-from=-", text=b"".join(some))
    parts = [open(f"{work.parts}/{name}", "rb").read() for name in sorted(os.listdir(work.parts))]
    check("the parts together, byte for byte", b"".join(parts), whole)
    os.remove(f"{work.parts}/00000001.ndjson")
    todo = run("shards", "--todo", f"--parts={work.parts}", f"--shards-from={work.lines}")[1]
    check("one of them is missing", todo, work.shards[1])


def test_without_parts(folder):
    """index DB --shards-from=FILE makes parts and merges them."""
    work = Work(folder)
    db = folder + "/s.db"
    check("shards into an index", run("index", db, f"--shards-from={work.lines}"), (0, b"", ""))
    check("the same bytes", image(db), image(work.one))
    check("its parts are gone", os.path.exists(db + ".parts"), False)
    check("from standard input", run("index", db, "--shards-from=-", text=b"")[0], 2)


def test_errors(folder):
    """Each names the file that it is about, and creates none."""
    work = Work(folder, 300)
    work.index(work.shards)
    first = sorted(os.listdir(work.parts))[0]
    part, db, missing = f"{work.parts}/{first}", folder + "/m.db", folder + "/missing.db"
    said = run("index", "--merge", db, part, missing)
    check("a part that is missing", (said[0], missing in said[2], os.path.exists(missing)), (3, True, False))
    said = run("index", "--merge", db, work.files[0])
    check("a part that is not an index", (said[0], said[2].startswith(f"urlsift: {work.files[0]}: is not an index")), (3, True))
    check("no part", run("index", "--merge", db)[0], 2)
    with open(part, "r+b") as file:
        file.seek(16384)
        file.write(b"\xff" * 4096)
    said = run("index", "--merge", db, part)
    check("a damaged part", (said[0], f"{part}: is damaged" in said[2]), (3, True))
    records = folder + "/records"

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    said = run("list", "--json", f"--parts={records}", f"--shards-from={work.lines}", preexec_fn=limit)
    check("a part that cannot be written", (said[0], said[2].startswith(f"urlsift: {records}/.00000000."), os.listdir(records)),
          (3, True, []))
    check("bytes of the pieces", sum(json.loads(line)["bytes"] for line in run(
        "list", "--json", f"--shards-from={work.lines}")[1].splitlines() if b'"summary"' in line),
          json.loads(run("list", "--json", "--summary", *work.files)[1].splitlines()[-1])["bytes"])


def test_damaged_lines(folder):
    """A line that is cut or changed at each byte is an error, or says something else; its other lines are done."""
    name = write(folder + "/odd \"\\\t\x01\U0001f600", "http://a.example/\n")
    box = write(folder + "/box", b"From a@a.example Mon Jan  1 00:00:00 2024\nSubject: s\n\nhttp://b.example/\n\n" * 9)
    lines = run("shards", "--size=1", name, box)[1].splitlines(keepends=True)
    bad = [line[:i] + end for line in lines[:2] for i in range(1, len(line) - 2)
           for number, end in enumerate((b"\n", b"\xff" + line[i:], line[i + 1:])) if LONG or i % 6 == number]
    bad += [line.replace(old, new) for line in lines[:2] for old, new in (
        (b'"bytes"', b'"unknown"'), (b'"bytes":', b'"bytes":99999999999999999999'), (b"\\u0001", b"\\u00zz"), (b"\\u0001", b"\\uD83D\\uDE00"),
        (b"\\u0001", b"\\/\\b\\f\\n\\r"), (b"\\u0001", b"\\q"), (b'"mbox"', b'"any"'), (b"[[", b"["), (b"]]", b"],[1]]"))]
    for line in bad:
        said = run("list", "--shards-from=-", text=line)
        expect(f"the line {line}", (said[0] in (1, 2, 3) and said[2].startswith("urlsift: ")) or (said[0] == 0 and not said[2]), said)


def test_refused_lines(folder):
    """A line that lacks one of the marks of JSON, or whose words are too long, is not read."""
    before = os.getcwd()
    os.chdir(folder)
    write("text", "http://a.example/\n")
    write("box", b"From a@a.example Mon Jan  1 00:00:00 2024\nSubject: s\n\nhttp://b.example/\n\n" * 3)
    lines = run("shards", "--size=1", "text", "box")[1].splitlines(keepends=True)[:2]
    bad = [line[:i] + line[i + 1:] for line in lines for i, byte in enumerate(line) if byte in b"{}[]:,"]
    inbox = '{"key":"00000000","source":"none","input":"inbox","after":"%s","count":1}\n'
    bad += [(inbox % ("a" * 65)).encode(), (inbox % "").replace("00000000", "0" * 9).encode()]
    for line in bad:
        check("a line that is refused", run("list", "--shards-from=-", text=line), (2, b"", "urlsift: -:1: is not a line that 'urlsift shards' wrote\n"), line)
    check("its number", run("list", "--json", "--shards-from=-", text=lines[0] + bad[0])[::2], (2, "urlsift: -:2: is not a line that 'urlsift shards' wrote\n"))
    check("words that are as long as they may be", run("list", "--shards-from=-", text=inbox % ("a" * 64))[0], 1)
    os.chdir(before)


def test_no_shards(folder):
    """Lines of JSON that say what no shard can."""
    name = write(folder + "/odd \"\\\t\x01\U0001f600", "http://a.example/\n")
    line = run("shards", "--size=1", name)[1]
    check("a shard", run("list", "--shards-from=-", text=line)[:2], (0, b"http://a.example/\n"))
    for old, new in ((b"\\u0001", b"\\u0000"), (b"\\u0001", b"\\ud83d"), (b"\\u0001", b"\\ude00"), (b"\\u0001", b"\\ud83d\\u0041"),
                     (b"\\u0001", b"\\uDFFF"), (b"\\u0001", b"\\ud83d\\ue000"), (b"\\u0001", b"\\q"), (b"\\u0001", b"\\v"),
                     (b"]]", b"]"), (b'"files":', b'"files":[],"files":'), (b"}", b"}}"), (b"}", b"} x"), (b'"key":"', b'"key":"0'),
                     (b'"key":"', b'"key":"A'), (b'"key":"', b'"any":"'), (b'"bytes":', b'"bytes":x'), (b'"bytes":', b'"bytes":99999999999999999999')):
        changed = line.replace(old, new)
        check(f"not a shard: {old} as {new}", (changed != line, run("list", "--shards-from=-", text=changed)[:2]), (True, (2, b"")))


def test_long_line(folder):
    """A line takes memory for what it says, not for each name again."""
    files = [[f"{i}" + 400 * "x", 1, 1] for i in range(3000)]
    line = json.dumps({"shard": 0, "key": "00000000", "input": "files", "files": files, "bytes": 3000}).encode() + b"\n"

    def limit():
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    check("3,000 files", run("shards", "--todo", f"--parts={folder}", "--shards-from=-", text=line, preexec_fn=limit)[:2],
          (0, line))


def test_inputs(folder):
    """Folders are pieces of their own, small files share one, and what cannot be cut is named."""
    names = [write(f"{folder}/{name}", "From: a\nDate: b\n\nhttp://a.example/\n" * size)
             for name, size in (("a", 1), ("b", 1), ("long", 100), ("mh/1", 1), ("mh/2", 1), ("md/cur/1", 1),
                                ("last", 1))]
    os.mkdir(folder + "/md/new")
    os.mkfifo(folder + "/fifo")
    args = [folder + "/" + name for name in ("a", "b", "long", "mh", "fifo", "md", "gone", "last")]
    status, out, words = run("shards", "--size=200", *args, "-", text=b"")
    shards = [json.loads(line) for line in out.splitlines()]
    check("files and folders", [(shard.get("folder"), shard["bytes"]) for shard in shards],
          [(None, 70), (None, 3500), (folder + "/mh", 70), (folder + "/md", 35), (None, 35)])
    check("what cannot be cut", (status, words), (1, f"urlsift: {folder}/fifo: only files can be cut into shards\n"
          f"urlsift: {folder}/gone: No such file or directory\nurlsift: -: only files can be cut into shards\n"))
    os.mkdir(folder + "/plain")
    status, _, words = run("shards", folder + "/plain")
    check("a folder of files", (status, words.count("\n"), "use -r to read" in words), (1, 1, True))
    listed = run("shards", "--size=200", "--files-from=-", text="\n".join(args[:2]).encode())[1]
    check("names in a list", listed, out.splitlines(keepends=True)[0])
    check("one file each", len(run("shards", "--size=1", *names[:2])[1].splitlines()), 2)
    blocked = write(folder + "/blocked", "")
    for where, why in (blocked, "Not a directory"), (folder + "/no/such", "No such file or directory"):
        said = run("list", "--json", "--parts=" + where, "--shards-from=-", text=out.split(b"\n")[0])
        check(f"parts in {os.path.basename(where)}", (*said[:2], said[2].startswith(f"urlsift: {where}"),
                                                      said[2].endswith(f": {why}\n")), (3, b"", True, True))


def test_changed(folder):
    work = Work(folder)
    with open(work.files[0], "ab") as file:
        file.write(b"more\n")
    status, _, words = work.index(work.shards[:1])
    check("a file that has changed", (status, "has changed since the shards were made" in words), (1, True))
    box, parts, merged = (f"{folder}/{name}" for name in ("cut.mbox", "cut", "cut.db"))
    write(box, b"From a@a.example Mon Jan  1 00:00:00 2024\nSubject: s\n\nhttp://b.example/\n\n" * 9)
    for when, problems in (1, [(box, "error", "has changed since the shards were made")]), (None, []):
        lines = run("shards", "--size=100", box)[1]
        if when:
            os.utime(box, (when, when))
        run("index", f"--parts={parts}", "--shards-from=-", text=lines)
        todo = run("shards", "--todo", f"--parts={parts}", "--shards-from=-", text=lines)
        check("pieces of which nothing could be read are left to do", todo, (0, lines if when else b"", ""), when)
        for again in range(2):
            check("a mailbox of which no piece could be read, merged, and again when it can be",
                  (lines.count(b"\n") > 1, run("index", "--merge", merged, f"--parts={parts}", "--shards-from=-", text=lines)[0],
                   sql(merged, "SELECT name, type, what FROM problem")), (True, 0, problems), again)
        shutil.rmtree(parts)
    os.rename(box, box + ".gone")
    for verb in (["list", "--json"], ["index"]):
        for there, left in (False, lines), (True, b""):
            if there:
                os.rename(box + ".gone", box)
            status = run(*verb, f"--parts={parts}", "--shards-from=-", text=lines)[0]
            todo = run("shards", "--todo", f"--parts={parts}", "--shards-from=-", text=lines)[1]
            check("a mailbox that was away is read when it is there", (status, todo), (0 if there else 1, left), (*verb, there))
        os.rename(box, box + ".gone")
        shutil.rmtree(parts)
    os.rename(box + ".gone", box)
    check("its links are there then", sql(merged, "SELECT count(*) FROM link"), [(9,)])
    other, said = write(folder.encode() + b"/\xff", "http://a.example/\n"), run("shards", work.files[0], folder.encode() + b"/\xff")
    check("a name that is not UTF-8", (said[0], said[1], said[2]), (1, run("shards", work.files[0])[1],
                                       f"urlsift: {folder}/\\xff: shards need names in UTF-8\n"))
    os.remove(other)
    for twice in (b'"source":"a","source":"b"', b'"folder":"a","folder":"b","source":"c"'):
        line = b'{"key":"00000000",' + twice + b',"input":"mbox","from":0,"to":9}\n'
        check(f"a name twice: {twice}", run("list", "--shards-from=-", text=line)[0], 2)
    check("a line of something else", run("list", "--shards-from=-", text=b'{"shard":1}\n')[0], 2)


def killing(folder):
    """A command that runs urlsift, and kills the first two of its processes that make a part; and the folder of kills."""
    kills, wrapper = folder + "/kills", folder + "/killing"
    os.mkdir(kills)
    write(wrapper, f"""#!/bin/sh
case " $* " in *" --shards-from=- "*) ;; *) exec {URLSIFT} "$@" ;; esac
exec 3<&0
{URLSIFT} "$@" <&3 &
[ $(ls {kills} | wc -l) -lt 2 ] && mkdir {kills}/$$ && sleep 0.01 && kill -9 $! 2>/dev/null
wait $!
""".encode())
    os.chmod(wrapper, 0o755)
    return wrapper, kills


def driver(name, folder, work, **environment):
    """Runs a driver of contrib/ that makes an index of the files."""
    command = [f"{TOP}/contrib/{name}/urlsift-{name}", f"{folder}/{name}.db", work.parts, *work.files]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG, env={**os.environ, "HOME": folder, **environment})


def check_driver(name, folder, work):
    check(f"{name}: the index of one process", image(f"{folder}/{name}.db"), image(work.one))


def test_parallel(folder):
    if not shutil.which("parallel"):
        skip("GNU parallel", "not installed")
        return
    work = Work(folder, 4000, "150K")
    wrapper, kills = killing(folder)
    with_size = {"URLSIFT": wrapper, "SIZE": "150K", "OPTIONS": "-j3", "PARALLEL_HOME": folder}
    done = driver("parallel", folder, work, **with_size)
    check("GNU parallel ends well", (done.returncode, done.stderr), (0, ""))
    check("with killed children", len(os.listdir(kills)) >= 2, True)
    check_driver("parallel", folder, work)
    check("other files", driver("parallel", folder, work, **{**with_size, "SIZE": "90K"}).returncode, 2)


def test_slurm(folder):
    """sbatch by a stub, which runs the tasks of an array one after the other, twice if one fails (--requeue)."""
    work = Work(folder, 3000, "150K")
    wrapper, kills = killing(folder)
    os.mkdir(folder + "/bin")
    write(folder + "/bin/sbatch", b"""#!/bin/sh
array= after=
while :; do
	case $1 in
	--array=1-*) array=${1#*-*-*-} ;;
	--dependency=afterok:*) after=${1##*:} ;;
	--*) ;;
	*) break ;;
	esac
	shift
done
[ "$after" = '' ] || [ "$after" = 17 ] || exit 1
if [ -n "$array" ]; then
	for n in $(seq "$array"); do export SLURM_ARRAY_TASK_ID=$n; "$@" 2>/dev/null || "$@" 2>/dev/null || "$@" || exit 1; done
else
	"$@" || exit 1
fi
echo 17
""".replace(b"${1#*-*-*-}", b"${1#--array=1-}"))
    os.chmod(folder + "/bin/sbatch", 0o755)
    with_size = {"URLSIFT": wrapper, "SIZE": "150K", "PATH": folder + "/bin:" + os.environ["PATH"]}
    done = driver("slurm", folder, work, **with_size)
    check("Slurm ends well", (done.returncode, done.stdout, done.stderr), (0, "17\n", ""))
    check("with killed tasks", len(os.listdir(kills)), 2)
    check_driver("slurm", folder, work)
    check("nothing to do but to merge", driver("slurm", folder, work, **with_size).returncode, 0)


def has_dask():
    """The interpreter that has Dask: this one, or that of the system; else None."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and not subprocess.run([python, "-c", "import dask, distributed"], capture_output=True).returncode:
            return python
    return None


def test_dask_lost(folder):
    """A worker may die when its piece is done: Dask computes the result again for who asks for it. By a stub of Dask,
    whose first result is lost in this way; whose third piece fails for good."""
    write(folder + "/distributed.py", b"""
class Future:
    def __init__(self, number, work):
        self.number, self.work, self.status = number, work, ("lost", "finished", "error")[number % 3]

    def result(self):
        if self.status == "error":
            raise RuntimeError("nobody can do this")
        return self.work()

    def exception(self):
        return RuntimeError("nobody can do this") if self.status == "error" else None


class Client:
    def __init__(self, *args, **more):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def map(self, call, lines, command, **more):
        return [Future(number, lambda line=line: call(line, command)) for number, line in enumerate(lines)]


LocalCluster = Client
as_completed = iter
""")
    files = [write(f"{folder}/{name}", f"http://{name}.example/\n".encode()) for name in "abc"]
    for last, wanted in (2, (0, "")), (3, (3, "urlsift-dask: a piece failed: nobody can do this\n")):
        done = subprocess.run([sys.executable, f"{TOP}/contrib/dask/urlsift-dask", f"--urlsift={URLSIFT}", "--json", "--size=10",
                               f"--parts={folder}/parts{last}", *files[:last]], capture_output=True, text=True, timeout=HANG,
                              env={**os.environ, "PYTHONPATH": folder})
        check("Dask: a lost result", (done.returncode, done.stderr), wanted)
        check("the records", done.stdout.count('"type":"link"'), 0 if wanted[0] else last, done.stdout[:500])


def test_dask(folder):
    python = has_dask()
    if not python:
        skip("Dask", "python3-dask and python3-distributed are not installed")
        return
    work = Work(folder, 3000, "60K")
    records, address = folder + "/records", folder + "/scheduler"
    os.mkdir(records)
    patient = {f"DASK_DISTRIBUTED__COMM__TIMEOUTS__{what}": "600s" for what in ("CONNECT", "TCP")}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
             "env": {**os.environ, **patient, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"}}
    scheduler = subprocess.Popen([python, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                                  "--no-dashboard", "--scheduler-file", address], **quiet)
    workers = [subprocess.Popen([python, "-m", "distributed.cli.dask_worker", "--scheduler-file", address, "--nthreads", "1",
                                 "--no-dashboard", "--no-nanny", "--local-directory", f"{folder}/worker{n}"], **quiet)
               for n in range(3)]
    common = [python, f"{TOP}/contrib/dask/urlsift-dask", f"--urlsift={URLSIFT}", f"--scheduler-file={address}", "--size=60K"]
    try:
        for _ in range(600):
            if os.path.exists(address) and os.path.getsize(address):
                break
            time.sleep(0.1)
        killer = threading.Thread(target=kill_workers, args=(workers[:2], work.parts, records))
        killer.start()
        index = subprocess.run([*common, f"--index={folder}/dask.db", f"--parts={work.parts}", *work.files],
                               capture_output=True, text=True, timeout=HANG, env={**os.environ, **patient})
        # Dask warns of the workers that were killed.
        said = [line for line in index.stderr.splitlines() if line.startswith("urlsift")]
        check("Dask: an index", (index.returncode, said), (0, []), index.stderr[-2000:])
        killer.join()
        check("Dask: two of three workers were killed", [worker.wait() for worker in workers[:2]] + [workers[2].poll()],
              [-9, -9, None])
        listed = subprocess.run([*common, "--json", f"--parts={records}", *work.files], capture_output=True, timeout=HANG,
                                env={**os.environ, **patient})
    finally:
        for process in workers + [scheduler]:
            process.kill()
            process.wait()
    check_driver("dask", folder, work)
    check("Dask: the records byte for byte", listed.stdout, run("list", "--json", f"--shards-from={work.lines}")[1])


def kill_workers(workers, *folders):
    """Kills one after some parts were made, the other after some more."""
    for number, worker in enumerate(workers):
        while sum(len(os.listdir(folder)) for folder in folders if os.path.isdir(folder)) < 4 + 4 * number:
            time.sleep(0.01)
        worker.send_signal(signal.SIGKILL)


def main():
    chosen = [globals()["test_" + name] for name in sys.argv[1:]]
    quick = (test_ranges, test_merged_edit, test_merged_epoch, test_no_shards, test_long_line, test_inputs, test_errors,
             test_damaged_lines, test_refused_lines)
    tests = chosen or (quick if FAST else (
        *quick, test_changed, test_merge_refused, test_order, test_merge_killed, test_records, test_without_parts, test_parallel,
        test_slurm, test_dask_lost, *([test_dask] if LONG else ())))
    if not has("with SQLite"):
        skip("shards", "no SQLite")
        finish()
    for test in tests:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
        if os.environ.get("URLSIFT_TIMES"):
            print(f"{test.__name__}: {time.monotonic() - begin:.1f} s")
    finish()


if __name__ == "__main__":
    main()
