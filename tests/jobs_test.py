#!/usr/bin/env python3
"""Several jobs at once: what is written is the same for any number of them, and
however small the ranges are that mailboxes are cut into.
"""
import base64
import json
import os
import random
import select
import subprocess
import time

from testlib import FAST, HANG, LONG, SANITIZED, TOP, URLSIFT, check, finish, has, read, run_captured, sql, temporary_folder, write


def run(args, text=b"", cut=None, piece=None):
    more = {"URLSIFT_CUT": cut, "URLSIFT_PIECE": piece}
    done = run_captured([URLSIFT, *args], input=text, env={**os.environ, **{name: str(value) for name, value in more.items() if value}})
    return done.returncode, done.stdout, done.stderr


def difference(a, b):
    """Where two answers differ, in short."""
    for what, x, y in zip(("status", "output", "errors"), a, b):
        if x != y and isinstance(x, bytes):
            rows = list(zip(x.splitlines() + [b""], y.splitlines() + [b""]))
            return what, next((pair for pair in rows if pair[0] != pair[1]), (len(x), len(y)))
        if x != y:
            return what, x, y
    return None


# ---- Mailboxes that are hard to cut -----------------------------------------------

DATE = b"Mon Jan  1 00:00:00 2024"
DECOYS = [b"\nFrom here on it goes to http://decoy.example/a\n\n", b"\n>From x@a.example " + DATE + b"\n",
          b"\n\n\nFrom\n", b"\r\n\r\nFrom x\r\n", b"\rFrom y\r\r\n", b"\n\nFrom z 2024\n"]


def body(r):
    end = r.choice([b"\n", b"\n", b"\n", b"\r\n", b"\r"])
    rows = []
    for _ in range(r.randrange(r.choice([1, 3, 30]))):
        rows.append(r.choice([
            b"words and words",
            b"see http://h%d.example/%d for more" % (r.randrange(9), r.randrange(99)),
            b"<URL:http://h.example/lo" + end + b"ng%d>" % r.randrange(99),
            b"> quoted www.q%d.example" % r.randrange(9), b"", b"caf\xe9 http://u.example/\xc3\xbc"]))
        if r.random() < 0.1:
            rows.append(r.choice(DECOYS))
    return end.join(rows) + end


def message(r):
    head = [b"From: Joe <joe%d@a.example>" % r.randrange(9), b"Subject: about http://s.example/%d" % r.randrange(99),
            b"Message-ID: <%d@a.example>" % r.randrange(10**9), b"Date: Mon, 1 Jan 2024 00:00:00 +0000"]
    text = body(r)
    kind = r.random()
    if kind < 0.15:
        head += [b"Content-Type: text/plain; charset=utf-8", b"Content-Transfer-Encoding: base64"]
        text = base64.encodebytes(text) + (b"*damage*\n" if r.random() < 0.5 else b"")
    elif kind < 0.3:
        # a whole mailbox stands in the text, and the length of the text says that it is one
        text += b"\n" + b"".join(b"From fake@a.example " + DATE + b"\nSubject: http://fake.example/\n\n" + body(r) + b"\n"
                                 for _ in range(r.randrange(1, 20)))
        head.append(b"Content-Length: %d" % len(text))
    elif kind < 0.35:
        head.append(b"Content-Length: %d" % r.randrange(5000))
    elif kind < 0.4:
        text += b"x" * r.randrange(20000) + b"\n"
    end = r.choice([b"\n", b"\n", b"\n", b"\r\n"])
    return (b"From joe@a.example " + DATE + end + end.join(head) + end + end + text +
            r.choice([b"\n", b"\n", b"\n", b"\r\n", b"\n\n\n", b""]))


def mailbox(seed, count):
    r = random.Random(seed)
    start = r.choice([b"", b"", b"\n\n", b"junk before http://junk.example/\n\n"])
    return start + b"".join(message(r) for _ in range(count))


OPTIONS = [[], ["-n"], ["-cH"], ["-u"], ["-cu"], ["--json"], ["--json", "-u", "--summary"], ["--summary", "--match=h[1-4]"],
           ["-u", "--unique-limit=20"], ["--json", "-u", "--unique-limit=20"], ["-Hb0", "--hyphen=both"],
           ["--headers=all", "--email", "--message-ids", "-n"], ["--headers=none", "--max-url-length=64"],
           ["--json", "--max-header=1024", "--max-parts=1"], ["--format=%f %l:%c %o %u"], ["--fail-if-none", "--host=no.example"]]


def same(what, args, text=b"", cuts=(None,), jobs=(2, 7) if LONG else (3,)):
    wanted = run([*args, "-j1"], text)
    for cut in cuts:
        for n in jobs:
            check(f"{what}, {' '.join(map(str, args))} -j{n}, ranges of {cut}",
                  difference(run([*args, f"-j{n}"], text, cut), wanted), None)


def test_ranges():
    for seed in range(4):
        name = f"box{seed}"
        write(name, mailbox(seed, 100))
        for i, options in enumerate(OPTIONS):
            if i % 4 == seed or LONG:
                same("ranges", ["list", "--input=mbox", *options, name], cuts=(200, 20000))
    # Threads meet in a slot of the pool in one run of thirty: ThreadSanitizer, which sees only what happens, gets more.
    same("many small ranges", ["list", "--input=mbox", "-n", "box1"],
         cuts=(1, *(17,) * (200 if "tsan" in URLSIFT.split("/") else 1)), jobs=(3,))
    for options in ([], ["--fragment", "--headers=all", "--message-ids"], ["-n", "-u"], ["--match=h[1-4]"]):
        same("pages", ["html", "--input=mbox", *options, "box0"], cuts=(200, 20000))


def test_hidden():
    """Ranges do not begin at From_ lines inside a message (Content-Length), and a first entry that is no message does not
    make a text of a mailbox."""
    inner = "x\n\nFrom b@c.example Mon Jan  1 00:00:00 2024\nFrom: h@h.example\n\nhttp://hidden.example/\n"
    outer = "From a@b.example Mon Jan  1 00:00:00 2024\nFrom: a@b.example\n%s\nhttp://n%d.example/\n%s\n"
    lengths = "".join(outer % (f"Content-Length: {len(inner) + 19 + len(str(i))}\n", i, inner) for i in range(40))
    first = "From b@c.example Mon Jan  1 00:00:00 2024\n\nno header http://first.example/\n\n"
    for name, text in (("lengths", lengths), ("first", first + "".join(outer % ("", i, "") for i in range(40)))):
        with open(name, "w") as file:
            file.write(text)
        same(name, ["list", "-bn", name], cuts=(50, 1000), jobs=(3,))
        status, whole, _ = run(["list", "-bn", name])
        for step in (97, 1000):
            parts = [run(["list", "-bn", f"--range={at}:{step}", name], cut=50)[1] for at in range(0, len(text), step)]
            check(f"{name}: ranges of {step}", b"".join(parts) == whole, True)
        at = text.index("From a@b", len(text) // 2)
        line = text[:at].count("\n") + 1
        check(f"{name}: a range with its line", run(["list", "-bn", f"--range={at}:700:{line}", name])[1],
              run(["list", "-bn", f"--range={at}:700", name])[1])
    os.makedirs("box/cur"), os.makedirs("box/new")
    check("a range of a folder", run(["list", "--range=0:9", "box"]),
          (2, b"", b"urlsift: box: --range is for an mbox or a web archive, and for one that is compressed\n"))


def test_partition():
    """The messages of ranges that follow one another are those of the whole."""
    size = os.path.getsize("plain")
    for options in (["-b"], ["--json"], ["-n"]):
        whole = run(["list", "--input=mbox", *options, "plain"])[1]
        for step in (size // 2 + 1, size // 7, 997 if options == ["-b"] else size // 3, size * 2):
            for n in (1, 4):
                parts = [run(["list", "--input=mbox", "--range", f"{at}:{step}", f"-j{n}", *options, "plain"], cut=500)
                         for at in range(0, size, step)]
                check(f"ranges of {step}, -j{n}, {options}", b"".join(out for _, out, _ in parts) == whole, True)
    text = read("plain")
    place = text.index(b"From ", size // 3)
    for at in (place - 1, place, place + 1):
        args = ["list", "-bn", "--range", f"{at}:3000"]
        check(f"a range of a pipe, from {at}", difference(run([*args, "-j1"], text), run([*args, "plain"])), None)
    status, out, error = run(["list", "--json", "--summary", "--range", f"{place}:1", "plain"])
    records = [json.loads(line) for line in out.splitlines()]
    check("a range of one byte has one message", (records[-1]["messages"], {r["message"]["offset"] for r in records[:-1]}),
          (1, {place}))
    check("a range after the end", run(["list", "--summary", "--range", f"{size + 5}:9", "plain"]),
          (0, b"", b"urlsift: files 1, bytes 0, messages 0, links 0, errors 0, limits 0, skipped 0, relative 0, unsearched 0\n"))
    check("a range of a text", run(["list", "--input=text", "--range=0:9", "plain"])[::2],
          (1, b"urlsift: plain: is neither an mbox nor a web archive, as --range requires\n"))


def test_large():
    """Ranges of their real size, and messages that are larger."""
    r = random.Random(3)
    fill = b"http://fill.example/%d and words\n" * 3
    with open("large", "wb") as file:
        for i in range(40):
            file.write(message(r))
            file.write(b"\nFrom big@a.example " + DATE + b"\nSubject: big\n\n")
            for k in range(r.choice([10, 1000, 30000])):
                file.write(fill % (k, k % 7, i))
            file.write(b"\n")
    same("large messages", ["list", "large"])
    if not LONG:
        return
    same("large messages", ["list", "--json", "--summary", "large"])
    same("large messages", ["list", "-cu", "large", "large"])
    write("one", b"From one@a.example " + DATE + b"\nFrom: a\nDate: b\n\n" + b"http://one.example/ words\n" * 400000)
    same("one message", ["list", "-c", "one"])
    same("two files with much to write", ["list", "--json", "one", "one"])


def text(seed):
    """A text that is hard to cut: links, blocks and quotes over the places where ranges begin, escape sequences."""
    r = random.Random(seed)
    folder = os.path.join(TOP, "testdata", "cases")
    cases = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".txt"):
            with open(os.path.join(folder, name), "rb") as file:
                cases.append(file.read())
    rows = []
    for _ in range(250):
        rows.append(r.choice([
            lambda: r.choice(cases), lambda: body(r), lambda: body(r), lambda: b"http://h%d.example/x\n" % r.randrange(99) * r.randrange(200),
            lambda: b"> quoted <http://q.example/" + b"\n> and-on" * r.randrange(20) + b">\n",
            lambda: b"\xef\xbb\xbfafter a mark http://m.example/\n" * r.randrange(40),
            lambda: b"begin 644 x\n" + b"M" + b"A" * 60 + b"\n" * r.randrange(2) + b"`\nend\n",
            lambda: b"word " * r.randrange(3000) + b"\n", lambda: b"text www.t.example\r\n\r\n" * r.randrange(99),
            lambda: b"\x1b[1mbold http://e.example/\x1b[0m\n" if seed == 2 else b"\n",
            lambda: b"<URL:http://w.example/" + b"x" * r.randrange(9000) + b">\n"])())
    return (b"\xef\xbb\xbf" if seed == 3 else b"") + b"".join(rows).replace(b"\0", b"") + b"\nFrom: the end http://end.example/"


def test_texts():
    """What is found in a text does not depend on where it is cut."""
    for seed in range(4):
        name = f"text{seed}"
        write(name, text(seed))
        ways = [["html"], ["html", "--fragment", "--match=h[1-4]"], ["list", "-n", "-u"],
                ["list", "--json", "--summary", "--email", "--domains", "--join=likely", "--context=2"],
                ["list", "-b", "--max-url-length=64"], ["list", "--refang", "--charset=utf-8"]]
        for options in ways if LONG else ways[seed % 2::2]:
            same("ranges of a text", [*options, "--input=text", name], cuts=(100, 20000), jobs=(3,))
    write("blocks", b"".join(b"http://h%d.example/ and words\n" % i for i in range(60000)))  # ranges of more than a block
    write("page.pdf", b"%PDF-1.4\n" + text(4))  # of which only the user says that it is text
    for options in ["list"], ["list", "-r"]:
        same("ranges of a text that is binary", [*options, "page.pdf"], cuts=(20000,), jobs=(3,))
    for options in ["list"], ["list", "-n"], ["html"]:
        same("long ranges of a text", [*options, "blocks"], cuts=(700_000,), jobs=(3,))


def test_files():
    names = []
    for i in range(60):
        name = f"file{i:02}"
        names.append(name)
        if i % 7 == 3:
            continue
        write(name, mailbox(i, i % 5) if i % 2 else b"http://t.example/%d\nwww.t.example\n" % i * (i * i * (20 if LONG else 2)))
    for options in OPTIONS if LONG else OPTIONS[::6]:
        same("files", ["list", *options, *names, ".", "box0"], cuts=(3000,))
    same("a list of files", ["list", "--files-from=-", "-nH"], "\n".join(names).encode(), cuts=(3000,))
    same("standard input among files", ["list", "-cH", *names, "-", "box0"], mailbox(1, 40), cuts=(3000,))
    for options in ([], ["-n"], ["--fragment", "-H"]):
        same("pages", ["html", *options, *names, "box0", os.devnull, "box1"], cuts=(3000,))


def test_failing_outputs():
    if os.path.exists("/dev/full"):
        for n in (1, 2, 7):
            with open("/dev/full", "wb") as out:
                done = subprocess.run([URLSIFT, "list", f"-j{n}", "large", "box0", "gone"], stdout=out, stderr=subprocess.PIPE,
                                      timeout=HANG)
            check(f"a full disk, -j{n}", (done.returncode, done.stderr),
                  (3, b"urlsift: standard output: No space left on device\n"))
    for n in (1, 2, 7):
        process = subprocess.Popen([URLSIFT, "list", "--json", f"-j{n}", "large", "large", "large"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        first = process.stdout.readline()
        process.stdout.close()
        check(f"a closed pipe, -j{n}", (first[:8], process.wait(HANG), process.stderr.read()), (b'{"type":', 0, b""))
        process.stderr.close()


def test_index():
    """Every row of an index is the same, with what tells whether a file has changed."""
    if not has("with SQLite"):
        return
    texts = [f"links{seed}" for seed in range(3)]
    names = ["box1", "lengths", "hiding", "one message", *texts]
    start, fill = b"From a@a.example " + DATE + b"\n", b"http://fill.example/ words\n"
    hidden = b"".join(b"%sSubject: %d\n\n%s\n" % (start, at, fill * 200) for at in range(30))
    write("hiding", mailbox(6, 20) + start + b"Content-Length: %d\n\n" % len(hidden) + hidden + b"\n" + mailbox(6, 20))
    write("one message", start + b"From: a\nDate: b\n\n" + fill * 6000)
    for seed, name in enumerate(texts):
        write(name, text(seed))
    for name in names:
        os.utime(name, (10**9, 10**9))
    for what, options in (("one thread", ["-j1"]), *((cut, ["-j3"]) for cut in ("300", "20000", "70000"))):
        run(["index", f"{what}.db", *options, *names], cut=what if what.isdigit() else None)
        tables = [name for name, in sql(f"{what}.db", "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        rows = {name: set(sql(f"{what}.db", f"SELECT * FROM {name}")) for name in tables}
        wanted = rows if what == "one thread" else wanted
        check("rows of an index", [f"{name} {row!r}" for name in tables for row in rows[name] ^ wanted[name]], [], what)
    for cut in ("20000", "70000"):
        run(["index", f"pieces {cut}.db", "-j3", *texts], cut=cut, piece=8192)
        check("only mailboxes have hashes of pieces", sql(f"pieces {cut}.db", "SELECT DISTINCT pieces FROM source"), [(None,)], cut)


def test_index_edits():
    """Mailboxes that grow between two runs: what is planned of one is taken while the next is planned."""
    if not has("with SQLite"):
        return
    start = b"From a@b.example " + DATE + b"\nFrom: a@b.example\n"
    names = [f"growing{i}" for i in range(40)]
    for jobs in (1, 4):
        for i, name in enumerate(names):
            write(name, b"".join(start + b"Message-ID: <%d.%d@a.example>\n\nhttp://h%d.example/%d\n\n" % (i, k, i, k) for k in range(3)))
            os.utime(name, (10**9, 10**9))
        run(["index", f"edits{jobs}.db", f"-j{jobs}", *names])
        for i, name in enumerate(names):
            write(name, read(name) + start + b"\nhttp://h%d.example/new\n\n" % i)
            os.utime(name, (10**9 + 1, 10**9 + 1))
        check("a second run is silent", run(["index", f"edits{jobs}.db", f"-j{jobs}", *names]), (0, b"", b""), jobs)
    answers = [run(["query", f"edits{jobs}.db", "--csv", "hosts"]) for jobs in (1, 4)]
    check("edits with several jobs", (difference(*answers), answers[0][1].count(b"\n")), (None, 41))


def test_slow_input():
    """What waits for its turn is not kept waiting."""
    process = subprocess.Popen([URLSIFT, "list", "-j3", "box0", "-", "box1"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    before = run(["list", "box0"])[1]
    process.stdin.write(b"one http://slow.example/1 here\n" + b"words\n" * 50000)
    process.stdin.flush()
    got = b""
    while len(got) < len(before) + 22 and select.select([process.stdout], [], [], HANG)[0]:
        got += os.read(process.stdout.fileno(), 65536)
    check("a pipe is shown before it ends", got, before + b"http://slow.example/1\n")
    process.stdin.close()
    check("what is after it follows", (process.stdout.read(), process.wait(HANG)), (run(["list", "box1"])[1], 0))
    process.stdout.close()


def test_waiting():
    """What waits for its turn, in blocks of any size, is what one thread writes: the first input pauses until it is there."""
    write("waits", mailbox(5, 700))
    write("waits too", text(1))
    names, first = ["-", "waits", "box1", "waits too"], b"http://first.example/\n" * 3
    for args in (["list", "--json"], ["list", "-cH"], ["html"], ["html", "--fragment", "-n"], ["list", "-u", "-nH"],
                 ["list", "--csv"], ["rewrite", "--as=defang"], ["index", "waits.db"]):
        jobs = [URLSIFT, *args, "-j3", *names]
        with subprocess.Popen(jobs, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "URLSIFT_CUT": "40000"}) as process:
            time.sleep(0.2)
            out, error = process.communicate(first)
        one = run([*(arg.replace("waits.db", "alone.db") for arg in args), "-j1", *names], first)
        check("what waits for its turn", difference((process.returncode, out, error), one), None, args)
    if os.path.exists("alone.db"):
        check("records that wait for their turn", [run(["query", "waits.db", *what]) for what in (["hosts"], ["sources"])],
              [run(["query", "alone.db", *what]) for what in (["hosts"], ["sources"])])


def test_held_output():
    """No more than 64 MiB waits (man page, --jobs), many small operations included."""
    if SANITIZED or not os.path.isdir("/proc/self"):
        return
    with open("links.mbox", "wb") as file:
        for i in range(70000):
            file.write(b"From a@a.example " + DATE + b"\nFrom: a\nDate: x\n\n" + b"http://a.bc/%d\n" % i * 40 + b"\n")
    process = subprocess.Popen([URLSIFT, "list", "-uj8", "links.mbox"], stdout=subprocess.PIPE)
    time.sleep(2)  # what the head writes fills the pipe
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        peak = int(next(line for line in status if line.startswith("VmHWM")).split()[1])
    process.communicate()
    check(f"memory for held output: {peak} KiB", peak < 96 * 1024, True)


def test_many_jobs():
    """Of more jobs than there can be results waiting, none has buffers."""
    if not os.path.isdir("/proc/self"):
        return
    names = [f"many{i}" for i in range(300)]
    for i, name in enumerate(names):
        write(name, b"http://m.example/%d\n" % i * (1 if i < 40 else 1000))
    process = subprocess.Popen([URLSIFT, "list", "-j4096", *names], stdout=subprocess.PIPE)
    threads, seen = 0, -1
    while threads < 2 or threads != seen:  # until it waits: what the head writes fills the pipe
        time.sleep(0.5)
        seen = threads
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            threads = int(next(line for line in status if line.startswith("Threads")).split()[1])
    process.communicate()
    # ThreadSanitizer has a thread of its own
    check(f"no more threads than slots: {threads}", 1 < threads <= 64 + bool(SANITIZED), True)


def main():
    with temporary_folder():
        with open("plain", "wb") as file:
            r = random.Random(11)
            for i in range(120):
                file.write(b"From a@a.example " + DATE + b"\nSubject: http://s.example/%d\nFrom: a\n\n" % i)
                file.write(b"http://p.example/%d\nwords\n" % i * r.randrange(40) + b"\n")
        quick = (test_ranges, test_hidden, test_texts, test_slow_input)
        for test in quick if FAST else (*quick, test_partition, test_index, test_index_edits, test_waiting, test_many_jobs, test_held_output, test_large, test_files, test_failing_outputs):
            test()
    finish()


main()
