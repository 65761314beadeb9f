#!/usr/bin/env python3
"""The URLs and the messages of mail, as others read them.

usage: mail_oracle_test.py [--seeds=FIRST-LAST,...] [MBOX]...
With names, only these mailboxes are compared, with Python and GMime; with seeds, only these of the plan are generated.

Mail is generated (mail_generate.py) and read by `list --input=mbox --json`. What it finds must be
what the generator put there; and what the scanner finds in the same parts as plain text, once they were
decoded by Python's email package, and by GMime where it is installed (oracle/gmime.c). Where readers of mail
differ for a reason that is known, the difference is counted under that reason (EXPLAINED). Mailboxes that
packages have installed are compared too. make check-long generates more.

Mailboxes as pipermail and its like write them are generated from seeds, in four forms (LF or CRLF, with and without a
blank line before From_ lines), with all that has misled readers: From_ lines with ` at ` in the address, prose that
begins with `From `, folds, a line of blanks in the header block, `>From ` lines, multiparts without a closing delimiter.
Where each message begins, its id and its links are known. Python's mailbox module, which splits at each line that begins
with `From `, counts the messages of mailboxes without such prose too.
"""
import base64
import bisect
import collections
import email
import html
import json
import mailbox
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))
import mail_decode
import mail_generate
from testlib import FAST, HANG, LONG, NIGHT, TOP, URLSIFT, complaints, finish, json_lines, read, run_captured, skip, write


# ---- Parts and links ----

BATCH = 4000  # messages whose parts are files at one time


def records(*args, files=()):
    """The links of a run."""
    more = ["--files-from=-"] if files else []
    done = run_captured([URLSIFT, "list", "--json", *args, *more], input="".join(f + "\n" for f in files).encode() or None)
    if done.returncode not in (0, 1):
        raise RuntimeError("%s: %d %s" % (args, done.returncode, done.stderr[-500:]))
    for record in json_lines(done.stdout):
        if record["type"] == "link":
            yield record


class Found:
    """What was found in a message: URLs with how often, and each with where."""

    def __init__(self):
        self.urls, self.where = collections.Counter(), {}

    def add(self, text, where):
        self.urls[text] += 1
        self.where.setdefault(text, where)


def clear(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)


def ours(path, kind="mbox", headers="none"):
    """(file, offset of a message) -> what was found there."""
    found = collections.defaultdict(Found)
    for record in records("--input=" + kind, "--headers=" + headers, path):
        name = os.path.relpath(record["source"], path) if os.path.isdir(path) else ""
        found[name, record["message"]["offset"]].add(record["text"], (record["message"].get("part"), record.get("field")))
    return found


def with_digests(path, found, begins):
    """The messages of a digest (RFC 1153, multipart/digest) as part of the message that it is: no other reader tells
    them as messages of their own."""
    begins = sorted(begins)
    for key in sorted(found.keys() - set(begins)):
        at = bisect.bisect_right(begins, key) - 1
        name, offset = begins[at]
        data = read(os.path.join(path, name) if name else path)[offset:key[1] + 72]  # with its line of hyphens
        if at >= 0 and name == key[0] and re.search(rb"(?im)^-{70}\r?$|multipart/digest", data):
            inner = found.pop(key)
            found[name, offset].urls.update(inner.urls)
            found[name, offset].where.update(inner.where)
    return found


# ---- Against the truth ----

def compare_truth(path, truth_path, kind):
    """What is wrong with what was found, message by message."""
    with open(truth_path, encoding="utf-8") as file:
        truth = {(t.get("file", ""), t["offset"]): t for t in map(json.loads, file)}
    for headers in ("none", "urls"):
        found = with_digests(path, ours(path, kind, headers), truth)
        for key in found.keys() - truth.keys():
            yield "%s: no message begins there, found %s" % (key, list(found[key].urls)[:3])
        for key, message in truth.items():
            wanted = collections.Counter(message["body"] + (message["fields"] if headers == "urls" else []))
            missing, extra = wanted - found[key].urls, found[key].urls - wanted
            if missing or extra:
                yield "%s (headers %s): missing %s, extra %s" % (key, headers, dict(missing), {u: found[key].where[u] for u in extra})


def readings(ranges):
    """What bytes of a mailbox may say: as they are, as UTF-7, as HZ; their escapes undone and white space taken out."""
    source = b"".join(ranges).decode("latin-1")
    for text in (source, "".join(part.decode("utf-7", "replace") for part in ranges), source.replace("~~", "~")):
        yield re.sub(r"\s", "", html.unescape(text.replace("\\/", "/")))


def of_browser(text):
    """A value without blanks and controls, with the slashes that it means: browsers read http:x and http:/\\x as http://x."""
    return re.sub(r"^(https?|ftp):/*", r"\1://", re.sub(r"[\x00-\x20]", "", text).replace("\\", "/"))


def is_shown(record, source):
    """Whether the text of a link is in these ranges."""
    raw = b"".join(source).decode("latin-1")
    said = [re.sub(r"\s", "", raw), *readings(source)]
    if "unescaped" in record.get("flags", []):  # references to characters, backslashes, quoted-printable that was not decoded
        said += readings([re.sub(rb"=([0-9A-F]{2})", lambda m: bytes.fromhex(m[1].decode()), part) for part in source])
        said += readings([re.sub(rb"\\([!-/:-@[-`{-~])", rb"\1", part) for part in source])
    if record.get("attribute") == "meta refresh":
        return any(of_browser(record["text"]) in of_browser(reading) for reading in said)
    if (record.get("attribute") or record.get("field")) and of_browser(record["text"]) in map(of_browser, [html.unescape(raw), *said]):
        return True
    return record["text"] in said or (record.get("field") == "Content-Type" and record["scheme"] == "ftp")


def misplaced(path, *options):
    """Links whose ranges or lines in the mailbox are wrong, where no transfer encoding hides them and the URL is ASCII."""
    return misplaced_links(read(path), records("--input=mbox", *options, path))


def misplaced_links(data, found):
    """The same of the records that were found in these bytes."""
    lines = [0] + [m.end() for m in re.finditer(rb"\r\n|\n|\r", data)]
    for record in found:
        first = record["parts"][0][0]
        if record["message"].get("decoded") or record.get("decoded") or not record["text"].isascii():
            continue
        source = [data[at:at + n] for at, n in record["parts"]]
        in_document = record.get("attribute") == "iframe srcdoc"  # and its range is that of the document
        if not in_document and not is_shown(record, source):
            yield "ranges %s hold %r, not %r" % (record["parts"], source, record["text"])
        elif record.get("line") != bisect.bisect_right(lines, first):
            yield "%s stands in line %d, not %s" % (record["text"], bisect.bisect_right(lines, first), record.get("line"))
        before = data[lines[record["line"] - 1]:first]
        if re.fullmatch(rb"[\t -*,-}]*", before) and record["column"] != len(before) + 1:  # in no charset with shifts
            yield "%s stands in column %d, not %d" % (record["text"], len(before) + 1, record["column"])


def unquoted(body):
    """Quoted-printable decoded (RFC 2045 section 6.7)."""
    text = re.sub(rb"[ \t]+(?=\r?\n|\Z)", b"", body)
    return re.sub(rb"=(?:\r?\n|\Z|([0-9A-Fa-f]{2}))", lambda m: bytes.fromhex(m[1].decode()) if m[1] else b"", text)


def part_of(message, path):
    """The decoded bytes of a part, numbered as 1.2; None where it is in a message in it, or damaged."""
    for number in path.split("."):
        if message.is_multipart():
            children = message.get_payload()
            if message.get_content_maintype() != "multipart" or len(children) < int(number):
                return None
            message = children[int(number) - 1]
        elif number != "1":
            return None
    if message.is_multipart():
        return None
    encoding = re.sub(r"\(.*?\)|[\s\"]", "", str(message.get("Content-Transfer-Encoding", ""))).lower()
    del message["Content-Transfer-Encoding"]
    body = message.get_payload(decode=True)  # as it is: without the field nothing is decoded, not even a charset
    message["Content-Transfer-Encoding"] = encoding
    if encoding == "quoted-printable":
        return unquoted(body)
    digits = re.sub(rb"\s", b"", body)
    whole = encoding == "base64" and re.fullmatch(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", digits)
    return base64.b64decode(digits) if whole else None


def misplaced_decoded(path):
    """The same of links in parts that a transfer encoding hid: ranges, line and column are of the decoded bytes."""
    data, messages, seen = read(path), {}, 0
    for offset, _, message in mail_decode.split(data):
        messages[offset] = email.message_from_bytes(message)
    for record in records("--input=mbox", "--headers=none", path):
        where = record["message"]
        decoded = where.get("decoded") or record.get("decoded")
        if not decoded or not record["text"].isascii() or where["offset"] not in messages:
            continue
        part = part_of(messages[where["offset"]], where.get("part", "1"))
        first = record["parts"][0][0]
        if part is None or b"\0" in part or sum(record["parts"][-1]) > len(part):
            continue
        source = [part[at:at + n] for at, n in record["parts"]]
        if not is_shown(record, source):
            yield "decoded: ranges %s hold %r, not %r" % (record["parts"], source, record["text"])
            continue
        before = part[:first]
        lines = re.split(rb"\r\n|\n|\r", before)
        if record["line"] != len(lines):
            yield "decoded: %s stands in line %d, not %d" % (record["text"], len(lines), record["line"])
        if re.fullmatch(rb"[\t -*,-}]*", lines[-1]) and record["column"] != len(lines[-1]) + 1:
            yield "decoded: %s stands in column %d, not %d" % (record["text"], len(lines[-1]) + 1, record["column"])
        seen += 1
    if not seen and len(data) > 200_000:  # a small mailbox may have none
        yield "no link in a decoded part"


def bytes_of(*args, **more):
    return subprocess.run([URLSIFT, "list", "--json", "--input=mbox", *args], capture_output=True, timeout=HANG, check=False, **more).stdout


def compare_runs(path):
    """Whether links depend on how a mailbox is read."""
    whole = bytes_of("-j1", path)
    if bytes_of("-j3", path) != whole:
        yield "-j3 finds others than -j1"
    with open(path, "rb") as file:
        piped = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
        if bytes_of(stdin=piped.stdout).replace(b'"source":"-"', b'"source":"%s"' % path.encode()) != whole:
            yield "a pipe finds others than a file"
        piped.stdout.close()
        piped.wait()


def limits(path):
    """Whether all is found, with its place, in messages with more levels, more parts and a longer field than are taken
    apart, and the limit is told."""
    head, part = b"From: a@a.example\nSubject: x\n", b"Content-Type: text/plain\n\nat http://h%d.example/\n"
    levels = b"".join(b'Content-Type: multipart/mixed; boundary="b%dx"\n\n--b%dx\n%s--b%dx\n' % (i, i, part % i, i) for i in range(150)) + part % 150
    parts = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"".join(b"--b\n" + part % i for i in range(10100))
    field = b"Comments: =?utf-8?q?a?= %s http://b.example/ c http://c.example/\n\n" % (b"x " * 32768)
    for limit, body, count in (("mime-depth", levels, 151), ("parts", parts, 10100), ("encoded-field-length", field, 2)):
        write(path, b"From a@a.example Mon Jan  1 00:00:00 2024\n" + head + body)
        out = run_captured([URLSIFT, "list", "--json", "--input=mbox", "--headers=all", path]).stdout
        told = collections.Counter(record.get("limit", "link") for record in map(json.loads, out.splitlines()))
        if told != {"link": count, limit: 1}:
            yield "%s: %s" % (limit, dict(told))
        yield from misplaced(path, "--headers=all")


def cases():
    """The mail of testdata, and what `list` writes of it."""
    folder = os.path.join(TOP, "testdata", "mail")
    for name in sorted(os.listdir(folder)):
        wanted = os.path.join(folder, os.path.splitext(name)[0] + ".list")
        if name.endswith((".eml", ".mbox")) and os.path.exists(wanted):
            done = run_captured([URLSIFT, "list", os.path.join(folder, name)])
            right = read(wanted)
            yield name, [] if (done.returncode, done.stdout) == (0, right) else ["wrote %r, not %r" % (done.stdout.decode(), right.decode())]


# ---- Against other readers ----

def scanned(folder, leaves):
    """Scans (message, leaf) pairs as plain text: for each, its links as records, hrefs at the end."""
    names, hrefs = [], []
    for number, (_, leaf) in enumerate(leaves):
        names.append(os.path.join(folder, str(number)))
        write(names[-1], leaf.text.encode("utf-8", "replace"))
        hrefs += [(number, href) for href in leaf.hrefs if re.match(r"[A-Za-z][-+.A-Za-z0-9]*:", href) and "\0" not in href]
    links = collections.defaultdict(list)
    for record in records("--input=text", files=names):
        links[int(os.path.basename(record["source"]))].append((record["text"], record["normal"], bool(record.get("warnings"))))
    normal = subprocess.run([URLSIFT, "normalise"], input="".join(h + "\n" for _, h in hrefs).encode("utf-8", "replace"), capture_output=True, timeout=HANG)
    lines = normal.stdout.decode().split("\n")
    for (number, href), line in zip(hrefs, lines):
        links[number].append((href, line, False))
    for name in names:
        os.unlink(name)
    return links


def theirs(folder, messages):
    """offset -> URLs, for offset -> leaves; of a multipart/alternative each once, the earlier child's."""
    leaves = [(offset, leaf) for offset, parts in messages.items() for leaf in parts]
    links = scanned(folder, leaves)
    found, seen = collections.defaultdict(Found), {}
    for number, (offset, leaf) in enumerate(leaves):
        for text, normal, warned in links[number]:
            first = [seen.setdefault((offset, path, normal), child) for path, child in leaf.alternatives]
            if warned or all(child == own for child, (_, own) in zip(first, leaf.alternatives)):
                found[offset].add(text, leaf.path)
    return found


# Why a reader differs and ours is right: (reader, what of the message is the cause, why).
EXPLAINED = [
    ("", "damaged", "base64 with damage: the reader gives it up or stops, ours passes over what is not of the alphabet and reads on"),
    ("", rb"=[ \t]+\r?$", "blanks after a soft line break: RFC 2045 section 6.7 rule 3 has them deleted, the reader keeps the `=`"),
    ("", rb"(?i)^content-type: *[^\n;]*\(", "a comment after a media type: RFC 2045 section 5.1 allows it, the reader takes it as part of the type"),
    ("", rb"(?i)\bhttps?://[^\s<>]*</a><a\s", "a URL over two anchors: each shows an end of its target, and no link goes on from one to the next"),
    ("GMime", rb"(?i)^content-transfer-encoding: *[^\n]*[\"(]", "a quoted or commented transfer encoding: GMime takes it for none"),
    ("GMime", rb"=(?:[a-f][0-9a-f]|[0-9a-f][a-f])", "lower case in quoted-printable: RFC 2045 section 6.7 lets robust readers take it, GMime does not"),
    ("GMime", rb"(?i)^content-type: *(?:text)? *[;\r]?$", "an empty media type or a bare `text` is text/plain (RFC 2045 section 5.2), GMime has it for application/octet-stream"),
    ("GMime", rb"\A(?![!-9;-~]+ *:)", "no header field at the beginning: all is body, GMime drops what stands before the first blank line"),
    ("GMime", "shift_jis", "Shift_JIS as mail means it (CP932) has `\\` and `~` where iconv's has a yen sign and an overline"),
    ("GMime", "raw", "a charset by a name that iconv lacks: GMime leaves its bytes"),
    ("GMime", "boundless", "a multipart without boundary lines: all is text, GMime drops it"),
]


def cause_of(reader, message, leaves):
    """Why a reader may differ on a message, or None."""
    marks = {mark for leaf in leaves + mail_decode.by_python(message) for mark in leaf.marks}
    for who, cause, why in EXPLAINED:
        if who in ("", reader) and (cause in marks if isinstance(cause, str) else re.search(cause, message, re.M)):
            return why
    return None


def compare(reader, mine, other, messages, leaves, reasons):
    """Messages that differ and for which there is no reason."""
    for offset in messages:
        missing, extra = other[offset].urls - mine["", offset].urls, mine["", offset].urls - other[offset].urls
        if not missing and not extra:
            reasons["the same"] += 1
            continue
        why = cause_of(reader, messages[offset], leaves[offset])
        if why:
            reasons[why] += 1
        else:
            yield "message at %d: only theirs %s, only ours %s" % (offset, {u: other[offset].where[u] for u in missing},
                                                                  {u: mine["", offset].where[u] for u in extra})


def gmime(folder):
    """The program that reads mail by GMime, or None."""
    if not shutil.which("pkg-config") or not shutil.which("cc"):
        return None
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gmime-3.0"], capture_output=True, text=True)
    program = os.path.join(folder, "gmime")
    source = os.path.join(TOP, "tests", "oracle", "gmime.c")
    if flags.returncode or subprocess.run(["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-o", program, source, *flags.stdout.split()],
                                          capture_output=True).returncode:
        return None
    return program


def by_gmime(program, folder, batch):
    """As by_python, of a batch of (offset, message)."""
    path, at, ranges, offsets = os.path.join(folder, "batch"), 0, [], {}
    with open(path, "wb") as file:
        for offset, message in batch:
            file.write(message)
            ranges.append((at, len(message)))
            offsets[at] = offset
            at += len(message)
    read = mail_decode.by_gmime(program, path, ranges)
    return {offsets[at]: leaves for at, leaves in read.items()}


def compare_readers(path, folder, program):
    """(reader, faults, how many messages for each reason)."""
    with open(path, "rb") as file:
        messages = {offset: message for offset, _, message in mail_decode.split(file.read())}
    mine, offsets = with_digests(path, ours(path), {("", offset) for offset in messages}), list(messages)
    readers = {"Python": lambda batch: {offset: mail_decode.by_python(message) for offset, message in batch}}
    if program:
        readers["GMime"] = lambda batch: by_gmime(program, folder, batch)
    for reader, read in readers.items():
        faults, reasons = [], collections.Counter()
        for first in range(0, len(offsets), BATCH):
            batch = {offset: messages[offset] for offset in offsets[first:first + BATCH]}
            leaves = collections.defaultdict(list, read(batch.items()))
            faults += compare(reader, mine, theirs(folder, leaves), batch, leaves, reasons)
        faults += ["no message at %d" % key[1] for key in mine.keys() if key[1] not in messages]
        yield reader, faults, reasons


# ---- What is run ----

def installed():
    """(name, files) of mail that packages brought along: mailboxes, and the messages that Python tests its own package with."""
    messages = os.path.join(sysconfig.get_path("stdlib"), "test", "test_email", "data")
    if os.path.isdir(messages):
        yield messages, sorted(os.path.join(messages, name) for name in os.listdir(messages) if name.endswith(".txt"))
    for where, _, names in os.walk("/usr/share/doc"):
        yield from ((os.path.join(where, name), None) for name in names if name.endswith((".mbox", ".mbx")))


def box_of(files, path):
    """Messages as one mailbox."""
    with open(path, "wb") as box:
        for name in files:
            with open(name, "rb") as file:
                data = re.sub(rb"\AFrom .*\n", b"", file.read())
            if not re.match(rb"[!-9;-~]+[ \t]*:", data):
                continue  # a From_ line is none without a field after it
            box.write(b"From a@a.example Mon Jan  1 00:00:00 2024\n" + re.sub(rb"(?m)^(>*From )", rb">\1", data) + b"\n\n")


def check_readers(what, path, folder, program):
    for reader, faults, reasons in compare_readers(path, folder, program):
        if reasons:
            print(what + "".join("\n  %6d %s" % (n, why) for why, n in reasons.most_common()))
        complaints(f"{what}, {reader}", faults)


def understood():
    """Whether the program reads mailboxes."""
    return subprocess.run([URLSIFT, "list", "--input=mbox", "--headers=none", os.devnull], capture_output=True).returncode == 0


INPUTS = {"message": "mail", "maildir": "maildir", "mh": "mh", "spool": "spool"}

SMALL = ("mbox", "pipermail", "mmdf", "rnews", "babyl", "digest", "mboxcl2")  # many small ones are generated


def chosen(seed):
    """Whether --seeds, where it is given, names a seed."""
    ranges = [arg[len("--seeds="):] for arg in sys.argv[1:] if arg.startswith("--seeds=")]
    bounds = [list(map(int, part.split("-"))) for part in ",".join(ranges).split(",") if part]
    return not bounds or any(bound[0] <= seed <= bound[-1] for bound in bounds)


def plan():
    """(seed, megabytes, profile, kind of mailbox) of what is generated."""
    sizes = {"mix": 0.15} if FAST else {"mix": 3, "list": 1.5, "spam": 1, "news": 1} if LONG else {
        "mix": 0.3, "list": 0.2, "spam": 0.1, "news": 0.1}
    for seed in range(1, 1 + (20 if NIGHT else 1)):
        for profile, size in sizes.items():
            yield seed, size * (4 if NIGHT else 1), profile, "mbox"
        for kind in ("mboxrd", "mboxo", "mboxcl2", "pipermail", "mmdf", "rnews", "babyl", "maildir", "mh", "spool"):
            yield seed + 100, 0.02 if FAST else 0.5 if LONG else 0.1, "mix", kind
    for seed in range(1000, 1005 if FAST else 1020 + LONG * 100 + NIGHT * 400):
        yield seed, 0, "mix", "message"
    for seed in range(2000, 2000 + LONG * 200 + NIGHT * 2000):
        yield seed, 0.02, ("mix", "list", "spam")[seed // len(SMALL) % 3], SMALL[seed % len(SMALL)]


def test_parts():
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        program = None if FAST else gmime(folder)  # it takes a second to build
        if not program and not FAST:
            skip("mail against GMime", "no cc, pkg-config or gmime-3.0")
        if not understood():
            return
        names = [arg for arg in sys.argv[1:] if not arg.startswith("--seeds=")]
        for path in names:
            check_readers(path, path, folder, program)
        for name, faults in cases():
            complaints(name, faults)
        box, truth = os.path.join(folder, "box"), os.path.join(folder, "truth")
        complaints("limits", limits(box))
        clear(box)
        for seed, size, profile, kind in [] if names else plan():
            if not chosen(seed):
                continue
            mail_generate.write(seed, size, profile, kind, box, truth)
            complaints("%s %s, seed %d" % (profile, kind, seed), compare_truth(box, truth, INPUTS.get(kind, "mbox")))
            if kind == "mbox":
                complaints("%s, places" % profile, misplaced(box))
                complaints("%s, places in decoded parts" % profile, misplaced_decoded(box))
                complaints("%s, ways to read" % profile, compare_runs(box))
                check_readers("%s %s, seed %d" % (profile, kind, seed), box, folder, program)
            clear(box)
        for name, files in [] if names or FAST else installed():
            if files:
                box_of(files, box)
            check_readers(name, box if files else name, folder, program)


# ---- Where messages begin ----

SEEDS = 30 if LONG else 1 if FAST else 3
MESSAGES = 700
DAYS, MONTHS = "Mon Tue Wed Thu Fri Sat Sun".split(), "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
PROSE = ("From the meeting at 10:15 in 1998 we learned a lot.", "From 9:00 to 17:30 the office of 2003 was open.",
         "From here it looks well.", "From: the start it was wrong", "From - ", "From a at b.example it came, Fri Mar 13 12:00:00 1998, and went.")


def date_of(r):
    return "%s %s %2d %02d:%02d:%02d %d" % (r.choice(DAYS), r.choice(MONTHS), r.randint(1, 28), r.randrange(24), r.randrange(60), r.randrange(60),
                                            r.randint(1995, 2015))


def header(r, number):
    """Lines of a header block that has no blank line in it but one that is a fold."""
    lines = ["From: user%d at mail.example (A Person)" % number, "Date: Fri, 13 Mar 1998 12:00:00 +0100",
             "Subject: [List] number %d" % number, "Message-ID: <%d.id@mail.example>" % number]
    if r.random() < 0.4:
        lines += ["References: <%d.a@mail.example>" % number, "\t<%d.b@mail.example>" % number]
    if r.random() < 0.1:
        lines += ["X-Folded: a", r.choice(("\t", "   ")), r.choice(("X-After: b", " more", "To: list at mail.example"))]
    if r.random() < 0.1:
        lines.insert(0, "To: " + "list at mail.example, " * r.choice((2, r.randint(40, 50), 200)) + "b")
    if r.random() < 0.1:
        lines.insert(0, ">From user at mail.example " + date_of(r))
    return lines


def body(r, number, prose):
    """Lines, and the links in them."""
    lines, links = ["", "Hello,", ""], []
    for _ in range(r.randint(0, 3)):
        links.append("http://h%d.example/%d" % (number, len(links)))
        lines += [r.choice(("see %s for it", "> quoted: %s", "%s")) % links[-1], ""]
        if prose and r.random() < 0.5:
            lines += [""] * r.randrange(2) + [r.choice(PROSE), r.choice(("A line: with a colon comes after", "And so on.", ""))]
        if r.random() < 0.1:
            lines += [">From what I read, 10:15 in 1998 was the time."]
    return lines, links


def message(r, number, prose):
    lines = header(r, number)
    text, links = body(r, number, prose)
    if r.random() < 0.15:
        lines += ["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="=_%d"' % number]
        text = ["", "--=_%d" % number, "Content-Type: text/plain", *text] + ["--=_%d--" % number] * r.randrange(2)
    return lines + text, links


def make(seed, end, blank, prose):
    """The bytes of a mailbox; offset -> (message-id, links)."""
    r, box, truth = random.Random(seed), b"", {}
    for number in range(MESSAGES):
        lines, links = message(r, number, prose)
        while lines[-1] == "":
            lines.pop()
        truth[len(box)] = ("%d.id@mail.example" % number, links)
        lines.insert(0, "From user%d at mail.example  %s" % (number, date_of(r)))
        box += "".join(line + end for line in lines + [""] * blank).encode()
    return box, truth


def found_in(path):
    """offset -> (message-id, links) of what is found, and the number of messages."""
    done = subprocess.run([URLSIFT, "list", "--json", "--headers=none", "--input=mbox", path], capture_output=True, timeout=HANG, check=False)
    found = collections.defaultdict(lambda: [None, []])
    for record in json_lines(done.stdout):
        if record["type"] == "link":
            found[record["message"]["offset"]][0] = record["message"].get("id")
            found[record["message"]["offset"]][1].append(record["text"])
    shown = subprocess.run([URLSIFT, "html", "--input=mbox", path], capture_output=True, timeout=HANG, check=False)
    return {at: (name, links) for at, (name, links) in found.items()}, shown.stdout.count(b'<article class="m"')


def test_mailboxes():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "box")
        for seed in range(SEEDS):
            for end, blank, prose in ((e, b, p) for e in ("\n", "\r\n") for b in (True, False) for p in (True, False)):
                what = "seed %d, %s, %s blank line, %s prose" % (seed, "CRLF" if end == "\r\n" else "LF", "a" if blank else "no", "with" if prose else "no")
                data, truth = make(seed, end, blank, prose)
                write(path, data)
                found, count = found_in(path)
                wanted = {at: (name, links) for at, (name, links) in truth.items() if links}
                faults = ["at %d: %s, not %s" % (at, found.get(at), wanted.get(at)) for at in sorted(found.keys() | wanted.keys())
                          if found.get(at) != wanted.get(at)]
                faults += ["%d messages, not %d" % (count, MESSAGES)] * (count != MESSAGES)
                if not prose and len(mailbox.mbox(path)) != MESSAGES:
                    faults.append("Python's mailbox counts others")
                complaints(what, faults)


def main():
    test_parts()
    if not sys.argv[1:]:
        test_mailboxes()
    finish()


if __name__ == "__main__":
    main()
