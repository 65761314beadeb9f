#!/usr/bin/env python3
"""Work and output are linear: twice the input costs at most about twice as much, whatever is in it, no input is slow, and
output is bounded.

usage: growth_test.py [FAMILIES.json]...

A family is a text that grows: a prefix, a unit repeated, a suffix. Those of tests/families.json
(and of the files named) are texts, those of tests/mail_families.json mail.

  work          build/counted/work, a scanner that counts the blocks of code it enters and what it has the C library pass
                over (tests/count.c), has the texts at four sizes, whole and in single bytes, with and without the options
                that look for more. Work per byte stays under MOST and does not grow, or stays under what a family says whose
                links are dear.
  drawn         of DRAWN repetitions of words that the rules know, drawn by FLOORS_SEED, none costs more than the dearest
                family, and none grows; in check-long. DRAWN=100000 tries so many.
  commands      build/counted/urlsift has every family at sizes that double, below the limits and past them, as list,
                --json, html and a third of the forms of rewrite, past the limits as list or html (check-night: all). From n
                to 2n the cost becomes at most RATIO times what it was, that without any unit taken off, but for a single
                step. This part is in check-long; with GROWTH_REPORT work per byte is
                printed.
  floors        the rate of every verb on 1 MB of a family has a floor, in processor time. On a machine where `wc -l` reads
                6,000 MB a second and Python goes 5,000,000 times through a short loop in 0.27 s, list, html and rewrite
                read 20 MB a second, or more; --json, --format=%x and --context read 20 MB or write 200; an index reads
                20 MB or stores 150,000 links; pages read 20 MB, store and write 100,000 links, or are 2,000 files. Floors
                are lower by the slower of those two where it is slower than that, and those of index and pages by
                what SQLite takes for rows of its own, which is measured when a floor is missed, together with the floor
                again, up to 12 times. FLOORS_REPORT=1 prints the slowest.
                `make check` runs one family of 32, check-long one of 4 and 15 whose units are drawn, by FLOORS_SEED, from
                those of all, check-night all and 200.
  size          a page, a folder of pages and the JSON of any family, and of those below, which aim at what output repeats
                (the target of a broken link, the warnings of a link, the texts of a message, names of fields and parts),
                are at most as many times the input as --limits says. SIZE_REPORT prints the largest factors.
"""
import base64
import contextlib
import json
import os
import random
import re
import resource
import shutil
import sqlite3
import string
import subprocess
import sys
import tempfile

import concurrent.futures
from testlib import HANG, LONG, NIGHT, SANITIZED, TOP, URLSIFT, expect, finish, has, skip, temporary_folder, write


# ---- Families and work ----

COUNTED = os.path.join(TOP, "build", "counted")

SIZES = [16_000, 64_000, 256_000, 1_024_000] if LONG else [8_000, 32_000]
MOST = 300.0
SINGLE = 200.0   # what it is more where each byte comes alone
GROWTH = 1.6     # work per byte at the largest size over that at the one before
ORDINARY = 75.0  # work per byte that is none too much, however little there was for less, as in a link past the limits

BELOW = [0, 1_536, 3_072, 6_144, 12_288, 24_576]  # the cost of the first is taken off the others
BEYOND = [262_144, 393_216, 524_288, 786_432]     # the limits
RATIO = 2.2
FREE = 25.0      # work for a byte that is none too much, however little there was for less
TEXT_WAYS = [["list"], ["list", "--json", "--email", "--domains"], ["html"], ["list", "--input=mail"],
             ["list", "--json", "--hyphen=both", "--join=likely"], ["list", "--unique", "--line-number"],
             ["html", "--email", "--domains", "--join=likely"]]
MAIL_WAYS = [["list"], ["list", "--json", "--email", "--headers=all", "--message-ids"], ["html"], ["list", "--headers=none"],
             ["html", "--email", "--headers=all", "--message-ids"]]
REWRITE_WAYS = [["rewrite", "--as=" + form] for form in ("wrap", "markdown", "term", "defang", "refang", "join", "angle", "org",
                                                         "rst", "gemtext", "template:%u")]
REWRITE_MAIL_WAYS = [way for way in REWRITE_WAYS if way[1][5:] not in ("term", "defang", "refang")]
HEAD = "From: a@example.org\nSubject: s\n"
ENCODED = b"From: a@example.org\nSubject: s\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"


# ---- Families ----

PLACES = {"n": lambda i: "%07d" % i, "next": lambda i: "%07d" % (i + 1), "i": str, "a": lambda i: "a" * (i + 1),
          "aa": lambda i: "a" * (i + 2), "a90": lambda _: "a" * 90, "k1000": lambda _: "k" * 1000,
          "stray": lambda _: "\xe9" * 60000, "blanks": lambda _: " " * 4000, "head": lambda _: HEAD}
PLACE = re.compile("{(" + "|".join(PLACES) + ")}")


def counted(text, i):
    """The repeat `i` of a text: numbers of one width, a bare one, and runs that grow."""
    return PLACE.sub(lambda place: PLACES[place[1]](i), text)


def family_bytes(family, size):
    """A family with `size` bytes of its units, or a part of a unit more. `nested` stands before them so many times, and
    `wrapped` is in how many messages, one inside the other and encoded, it all stands."""
    nested, times = family.get("nested", ("", 0))
    unit = family["unit"]
    count = -(-size // len(counted(unit, 0).encode(family.get("encoding", "utf-8"))))
    repeated = "".join(counted(unit, i) for i in range(count)) if "{" in unit else unit * count
    text = counted(family["prefix"], 0) + "".join(counted(nested, i) for i in range(times)) + repeated + family["suffix"]
    data = text.encode(family.get("encoding", "utf-8"))
    for _ in range(family.get("wrapped", 0)):
        data = ENCODED + base64.encodebytes(data)
    return data


def read_families(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


# ---- The scanner ----

def work(data, ways):
    """The work per byte of each way: flags, and bytes of a chunk."""
    done = subprocess.run([os.path.join(COUNTED, "work"), *(str(word) for way in ways for word in way)], input=data, capture_output=True, timeout=HANG)
    if done.returncode:
        raise RuntimeError(f"ended with {done.returncode}")
    for line in done.stdout.splitlines():
        total, size, _ = map(int, line.split())
        assert size == len(data)
        yield total / size


def count_scanner(families):
    sizes = {("", 65536): SIZES, ("edg", 65536): SIZES, ("f", 65536): SIZES,
             ("edl", 1): SIZES if LONG else [size // 4 for size in SIZES]}  # a single byte takes as long as four others
    for family in families:
        rates = {way: [] for way in sizes}
        for size in sorted(set().union(*sizes.values())):
            ways = [way for way in sizes if size in sizes[way]]
            for way, found in zip(ways, work(family_bytes(family, size), ways), strict=True):
                rates[way].append(found)
        for (flags, chunk), found in rates.items():
            expect(f"{family['id']} ({flags or 'default'}, chunks of {chunk}): work per byte " + " ".join(f"{r:.1f}" for r in found),
                   max(found) <= family.get("most", MOST) + SINGLE * (chunk == 1)
                   and found[-1] <= max(GROWTH * found[-2], family.get("most", ORDINARY)))


# ---- Drawn texts ----

WORDS = [word.encode(how) for how, words in (("utf-8", (
    "a", "8", "/", "\u00fc", "-\n", "\u2010\n", "\u00ad", "\n", " ", "\t", "\\:8", "\\&.", "\\-", "\\~{}", "\\textasciitilde ", "\\(ti",
    "&amp;", "&amp;amp;", "\\u0026", "=3D", "=2D", "=E2=80=90", "=\n", "](c", "|b", "@@", "@/8", "%", "%41", ")", "*", "\\", "(",
    "[", "]", "{", "}", "<", ">", "'", '"', "`", "^", "~", "_", "#", "?", "&", ";", ":", ",", ".", "..", "...", "!", "$", "+", "=",
    "://", "http://", "https://", "http:", "//", "www.", "mailto:", "news:", "x@y.example", "@", "a.example", ".com", "URL:",
    "<URL:", "<URL:http://a.example/", "http://a.example/", "\n> ", "\n>", "\n# ", "\n  ", "\n+", "\n-", "\n| ", "\r\n", "\r",
    "\f", "\n\n", "\n[Page 7]\n", "\x1b[1m", "\x1b]8;;http://b.example\7", "\x1b]8;;\7", "\x1b", "a\b", "_\ba", "\0", "hxxp://",
    "[.]", "[at]", " dot ", "[:]", "[[", "]]", "](", "![", "[url=", "[url]", "[/url]", "href=", "<a href=", "</a>", "&lt;", "&gt;",
    "&#x26;", "&quot;", "\u3002", "\u4e16", "\u200b", "\ufeff", "git@h.example:", "10.1.2.3", ":80", "[::1]", "xn--", "-", "--",
    "...more", "\\url{", "\\href{", "@url{", "@uref{http://a.example/", "link:++", "++", "``", "<<", "Message-ID: ",
    "http://a.example/b-\n", "http://a.example/a-long-path/that-goes-on-", "*.", "%s", "%%", "$x", "${")), ("latin-1", ("\xe6",)))
         for word in words]
BEFORE = (b"", b"http://a.example/", b"<http://a.example/", b"<URL:http://a.example/", b"[x](http://a.example/", b"@url{http://a.example/",
          b"\\url{http://a.example/", b"> http://a.example/", b'"http://a.example/', b"http://", b"<http://", b"[[http://a.example/")
AFTER = (b"", b"", b">", b")", b"}", b"]", b'"', b"\n", b" x", b"](http://b.example/)")
DRAWN = int(os.environ.get("DRAWN", 100_000 if NIGHT else 4_000))
DRAWN_SIZES = 8_000, 32_000
DEAREST, STEEP = 950.0, 1.7  # work per byte, and what 32,000 bytes cost over what 8,000 do where it is not little


def draw_text(drawing):
    """Words before, the words that are repeated, words after; flags and chunk."""
    before = drawing.choice(BEFORE) if drawing.random() < 0.7 else b"".join(drawing.choices(WORDS, k=2))
    unit = b"".join(drawing.choices(WORDS, k=drawing.choice((1, 1, 2, 2, 2, 3, 3, 4))))
    return before, unit, drawing.choice(AFTER), (drawing.choice(("", "d", "e", "edg", "edl", "f")), drawing.choice((65536, 65536, 97, 1)))


def try_drawn(drawn):
    before, unit, after, way = drawn
    small, large = (next(work(before + unit * (size // len(unit) + 1) + after, [way])) for size in DRAWN_SIZES)
    most = DEAREST + SINGLE * (way[1] < 256)
    return (large <= most and (large <= STEEP * small or large <= most / 1.5),
            f"{before} {unit}... {after} ({way[0] or 'default'}, chunks of {way[1]}): work per byte {small:.0f} {large:.0f}")


def test_drawn():
    drawing = random.Random(int(os.environ.get("FLOORS_SEED", 1)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for good, complaint in pool.map(try_drawn, [draw_text(drawing) for _ in range(DRAWN)]):
            if not good:
                expect(complaint, False)
    expect("repetitions that are drawn", True)


# ---- Commands ----

def command_work(args, data, folder):
    """What the command does with the data, and what it said that was wrong."""
    name, count = os.path.join(folder, "data"), os.path.join(folder, "count")
    write(name, data)
    write(count, bytes(8))
    done = subprocess.run([os.path.join(COUNTED, "urlsift"), *args, "-j1", "--no-sandbox", name], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "URLSIFT_COUNT": count}, timeout=HANG)
    with open(count, "rb") as file:
        return int.from_bytes(file.read(), sys.byteorder), done.stderr[-300:].decode(errors="replace") if done.returncode > 1 else ""


def grows(costs, lengths):
    """Whether costs at sizes that double grow faster than those, by more than a step, as where a buffer
    becomes too small: at two doublings or more, and all of them together."""
    steep = sum(after > RATIO * before + FREE * length for before, after, length in zip(costs, costs[1:], lengths[1:]))
    return steep > 1 and costs[-1] > RATIO ** (len(costs) - 1) * costs[0] + FREE * lengths[-1]


def count_command(args, family, sizes):
    """(whether it is good, what to say)"""
    texts = [family_bytes(family, size) for size in sizes]
    with tempfile.TemporaryDirectory() as folder:
        found = [command_work(args, text, folder) for text in texts]
    first = found[0][0] if sizes[0] == 0 else 0
    costs = [max(1, cost - first) for cost, _ in found[sizes[0] == 0:]]
    lengths = [len(text) for text in texts[sizes[0] == 0:]]
    rates = " ".join(f"{cost / length:.1f}" for cost, length in zip(costs, lengths))
    wrong = "".join(why for _, why in found)
    if os.environ.get("GROWTH_REPORT"):
        print(f"{' '.join(args)}\t{family['id']}\t{rates}")
    return not wrong and not grows(costs, lengths), f"{family['id']} ({' '.join(args)}, to {sizes[-1]} bytes): work per byte {rates} {wrong}"


def runs_of(ways, families, default, share):
    """The command's words and the family, of each way; a list has the options of its families.  A family has one of
    `share` ways, and of the rewriters one of three, by its place, but in check-night."""
    for number, way in enumerate(ways):
        for place, family in enumerate(families):
            if (number + place) % (3 if way[0] == "rewrite" else share) and not NIGHT:
                continue
            kind = [] if "--input=mail" in way else ["--input=" + family.get("input", default)]
            yield way + kind + (family.get("options", []) if way == ["list"] else []), family


def count_commands(texts, mails):
    plan = [(TEXT_WAYS + REWRITE_WAYS, texts, "text", 1, BELOW), (MAIL_WAYS + REWRITE_MAIL_WAYS, mails, "mail", 1, BELOW),
            ([["list"], ["html"]], texts, "text", 2, BEYOND), ([["list"], ["html"]], mails, "mail", 2, BEYOND)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(count_command, args, family, sizes) for ways, families, default, share, sizes in plan
                for args, family in runs_of(ways, families, default, share)]
        for run in runs:
            good, complaint = run.result()
            expect(complaint, good)


def test_work():
    texts = read_families(os.path.join(TOP, "tests", "families.json"))
    for name in sys.argv[1:]:
        texts += read_families(name)
    mails = read_families(os.path.join(TOP, "tests", "mail_families.json"))
    count_scanner(texts)
    if LONG:
        count_commands(texts, mails)
        test_drawn()


# ---- Floors ----

FLOOR_SIZE = 1_000_000
READ, WRITTEN, LINKS, STORED, FILES = 20e6, 200e6, 150_000, 100_000, 2_000
START = 0.004  # seconds that a run takes without input
# The machine of the floors: an AMD EPYC of 2025.
LINES, LINES_READ = 256 * 1024 * 1024, 6e9
LOOP, LOOP_SECONDS = "n = 0\nfor i in range(1_000_000): n += i & 3", 0.054
# 8,000 rows of 660 bytes. The seconds are an estimate, not measured there: half of what a machine takes on which index
# reached 0.4 of its floor in its slowest family.
STORE, STORE_SECONDS = """import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; CREATE TABLE t(a, b)")
db.executemany("INSERT INTO t VALUES(?, ?)", ((i, "[10000,20]," * 60) for i in range(8000)))
db.commit()
db.close()
""", 0.02
SLACK = 0.6  # of what a measurement tells: neither wc nor a loop needs the caches that others have emptied
TRIES = 12
FLOOR_WAYS = {"list": ["list"], "html": ["html"], "rewrite": ["rewrite", "--as=wrap"],
        "addresses": ["list", "--refang", "--ipv4"], "refang": ["rewrite", "--as=refang"], "defang": ["rewrite", "--as=defang"],
        "markdown": ["rewrite", "--as=markdown"], "footnotes": ["rewrite", "--as=footnotes"], "clean": ["rewrite", "--as=clean"], "json": ["list", "--json"],
        "%x": ["list", "--format=%x\\n"], "context": ["list", "--json", "--context=3"]}
PLENTY = ("json", "%x", "context")  # which may write instead
STORES = ("index", "pages")


def processor_time(command, out):
    """Seconds of a run, without its start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, timeout=HANG)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: {done.stderr[-300:]}")
    return max(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - START, 1e-4)


def python_seconds(program, *arguments):
    """What a program takes at best, without the start of Python."""
    start, seconds = (min(processor_time([sys.executable, "-ISc", text, *arguments], subprocess.DEVNULL) for _ in range(5))
                      for text in ("import sqlite3", program))
    return max(seconds - start, 1e-4)


def store_scale(folder):
    """How fast this machine stores, beside the one of the floors."""
    name = os.path.join(folder, "rows")
    seconds = python_seconds("import os, sys\nif os.path.exists(sys.argv[1]): os.remove(sys.argv[1])\n" + STORE, name)
    os.remove(name)
    return STORE_SECONDS / seconds


def scale(folder, stores):
    """How fast this machine is now beside the one of the floors, at most 1: the slowest of memory, which `wc -l` reads, of
    the processor, in a loop of Python, and of SQLite for what stores. None is code of ours; of each, the best of several
    runs counts."""
    name = os.path.join(folder, "lines")
    with open(name, "wb") as file:
        for _ in range(LINES >> 20):
            file.write(b"x" * (1 << 20))
    seconds = min(processor_time(["wc", "-l", name], subprocess.DEVNULL) for _ in range(5))
    os.remove(name)
    return min(1.0, LINES / seconds / LINES_READ, LOOP_SECONDS / python_seconds(LOOP), store_scale(folder) if stores else 1.0)


def keeps_floor(measure, folder, stores, floors):
    """Whether a verb keeps its floor, how many times it reaches it at best, and the figures. The machine may be slow now,
    and its speed is what it is beside the measurement, unless the highest of the `floors` that were measured before is
    reached; what is far below the floor is not measured so often."""
    best, tries = measure(), 0
    while best[0] < floors.get(stores, 1) and tries < TRIES:
        floor = SLACK * scale(folder, stores)
        floors[stores] = max(floor, floors.get(stores, 0))
        if best[0] >= floor:
            break
        tries += 1 if best[0] > floor / 2 else 4
        best = max(best, measure())
    return tries < TRIES, *best


def rate(way, name, folder, kind):
    """How many times its floor the verb reaches, and the figures."""
    out = os.path.join(folder, "out")
    with open(out, "wb") as file:
        seconds = processor_time([URLSIFT, *FLOOR_WAYS[way], *kind, "-j1", name], file)
    read, written = os.path.getsize(name) / seconds, os.path.getsize(out) / seconds
    share = max(read / READ, written / WRITTEN if way in PLENTY else 0)
    return share, f"{read / 1e6:.1f} MB/s read, {written / 1e6:.1f} written"


def link_count(name, *options):
    return subprocess.run([URLSIFT, "list", *options, name], capture_output=True).stdout.count(b"\n")


def index_rate(name, folder):
    database = os.path.join(folder, "db")
    seconds = processor_time([URLSIFT, "index", database, name], subprocess.DEVNULL)
    os.remove(database)
    links = link_count(name) / seconds
    return max(os.path.getsize(name) / seconds / READ, links / LINKS), f"{links:.0f} links/s"


def pages_rate(name, folder):
    pages = os.path.join(folder, "pages/")
    seconds = processor_time([URLSIFT, "html", "-o", pages, name], subprocess.DEVNULL)
    files = written = 0
    for at, _, names in os.walk(pages):
        files += len(names)
        written += sum(os.path.getsize(os.path.join(at, one)) for one in names)
    with contextlib.closing(sqlite3.connect(os.path.join(pages, ".urlsift", "plan.db"))) as plan:
        stored = plan.execute("SELECT (SELECT count(*) FROM link) + (SELECT count(*) FROM message)").fetchone()[0]
    subprocess.run(["rm", "-rf", pages], check=True)
    share = max(os.path.getsize(name) / READ, stored / STORED, files / FILES, written / WRITTEN) / seconds
    return share, f"{files / seconds:.0f} files/s, {stored / seconds:.0f} links and messages/s"


def drawn_families(families, count):
    """Families of text whose units are some of the short ones one after the other."""
    draw = random.Random(int(os.environ.get("FLOORS_SEED", "1")))
    units = [one["unit"] for one in families if len(one["unit"]) < 40 and "{" not in one["unit"]]
    for number in range(count):
        unit = "".join(draw.choice(units) * draw.choice((1, 1, 1, 2, 20)) for _ in range(draw.randint(2, 4)))
        yield "families", {"id": f"drawn-{number}: {unit[:200]!r}", "prefix": "", "unit": unit, "suffix": ""}


def test_floors():
    if SANITIZED:
        skip("floors", "a sanitizer")
        return
    families = [(kind, family) for kind in ("families", "mail_families")
                for family in read_families(os.path.join(TOP, "tests", kind + ".json"))]
    drawn = drawn_families([family for kind, family in families if kind == "families"], 200 if NIGHT else 15 if LONG else 0)
    families = families[::1 if NIGHT else 4 if LONG else 96] + list(drawn)
    found, floors = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, family in families:
            name = os.path.join(folder, "text")
            write(name, family_bytes(family, FLOOR_SIZE))
            own = ["--input=csv"] if family.get("input") == "csv" else [] # else the command finds out
            ways = {way: lambda way=way, own=own: rate(way, name, folder, own) for way in FLOOR_WAYS}
            if has("with SQLite"):
                ways["index"] = lambda: index_rate(name, folder)
                if kind == "mail_families":
                    ways["pages"] = lambda: pages_rate(name, folder)
            for way, measure in ways.items():
                kept, share, seen = keeps_floor(measure, folder, way in STORES, floors)
                found.append((share, f"{way}, {family['id']}: {seen}"))
                expect(f"the floor of {way}, {family['id']}", kept, seen)
    if os.environ.get("FLOORS_REPORT"):
        print("\n".join(f"{share:.2f} {seen}" for share, seen in sorted(found)[:30]), file=sys.stderr)


# ---- Size of the output ----

TEXT_SIZE = 8_000
CONSTANT = 8192  # a page without text
WIDE = ["--email", "--domains", "--headers=all", "--message-ids", "--join=likely", "--resources"]
DEEP = ["--context=100", "--unwrap", "--refang", "--hyphen=both"]
GROWING = {"json": ["list", "--json", *WIDE, *DEEP], "html": ["html", *WIDE]}

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
            yield f"broken link, {end} of {unit!a}", (broken(end, unit) * (1 + TEXT_SIZE // (end + 50))).encode(code)
    for unit in (MANY_WARNINGS, "<a:b> ", "a.de ", "a@b.de ", "x:/ ", "http:a ", "<javascript:-\na>\n",
                 "<http://a:b@127.1:1/%00\nb\nc\nd\ne\nf\ng\nh\ni\nj>\n", "<http://\u0430b\u202e.a:1/%00>\n", ">\n", "> >\n", "\u202e\n",
                 "www.a.example <http://b.example>\n", "&", "\"", "\x01", "<URL:a\n-b\n-c\n-d->\n", "http://[ ", "http://a.b/[ ",
                 "<http://a/" + "-\n" * 16 + "a>\n"):
        yield f"links {unit[:20]!a}", (unit * (TEXT_SIZE // len(unit))).encode()
        yield f"links {unit[:20]!a} in mail", message("s", unit * (TEXT_SIZE // len(unit))).encode()
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
        yield f"page of {unit!a}", (page + "<base href=http://a.example/>" + unit * (TEXT_SIZE // len(unit))).encode()


def families():
    for name in "families.json", "mail_families.json":
        for family in read_families(os.path.join(TOP, "tests", name)):
            yield family["id"], family_bytes(family, TEXT_SIZE)
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
    return {kind: next(int(row[1]) for row in rows if row[0] == kind + "-growth") for kind in [*GROWING, "pages"]}


def test_size():
    most = stated()
    largest = {kind: [] for kind in most}
    with temporary_folder():
        for name, data in list(families())[::1 if LONG else 8]:
            write("f", data)
            for kind, args in GROWING.items():
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


def main():
    test_work()
    test_floors()
    test_size()
    finish()


if __name__ == "__main__":
    main()
