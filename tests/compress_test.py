#!/usr/bin/env python3
"""Compressed files and archives: whole, cut off, damaged, doubled, with a tail, nested, as bombs.

usage: compress_test.py

Each form is made by the program of its name, by Python where it can; a program that is not there is reported as
skipped. What must hold for every damaged file: the links are among those of the whole file, in their
order, and exit status 0 means that none is missing. make check-long turns each bit of each file. FAST: one form of each
library, and what is quick.
"""
import bz2
import collections
import contextlib
import gzip
import io
import lzma
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zlib
import zipfile

from testlib import FAST, LONG, NIGHT, TOP, URLSIFT, check, finish, has, json_lines, run, run_pieces, skip, temporary_folder

def test_documents():
    """What is said of documents of Office and OpenDocument: how many, once."""
    types = b'<Types xmlns="http://schemas.example/types"/>'
    write("d.docx", members(("[Content_Types].xml", types), ("word/document.xml", b"see http://a.example/ </w:t>")))
    write("d.odt", members(("content.xml", b"see http://b.example/ "), ("META-INF/manifest.xml", b"")))
    write("d.tar", members(("d.docx", open("d.docx", "rb").read()), ("content.xml", b"http://c.example/")))
    said = "urlsift: office documents are read as archives of XML, which splits text: %d; pandoc(1) makes HTML of most\n"
    links = b"http://schemas.example/types\nhttp://a.example/\n"
    for names, out, count in ((["d.docx"], links, 1), (["d.docx", "d.odt"], links + b"http://b.example/\n", 2), (["d.tar"], links + b"http://c.example/\n", 1)):
        check("documents", run("list", "-I", *names), (0, out, said % count), names)
    check("documents under -q and --summary", [said % 1 in run("list", option, "d.docx")[2] for option in ("-q", "--summary")], [False, False])


EDGE = 64 if LONG else 16
BLOCK = 256 * 1024  # bytes that are read at a time


def listed(args, **how):
    """The exit status, the links of each source, and the other records of each."""
    status, out, _ = run("list", "--json", *args, **how)
    links, others = {}, {}
    for record in json_lines(out):
        key = record.get("source"), record.get("member")
        if record["type"] == "link":
            links.setdefault(key, []).append(record["text"])
        else:
            others.setdefault(key, []).append(record)
    return status, links, others


def mailbox(seed, messages=12):
    """A mailbox with one link a message, and the links; it does not compress well."""
    r = random.Random(seed)
    box, links = b"", []
    for i in range(messages):
        links.append("http://h%d.example/%032x" % (i, r.getrandbits(128)))
        noise = "".join("%064x\n" % r.getrandbits(256) for _ in range(4))
        box += ("From a@b.example Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nSubject: s%d\n\n%s\n%s\n"
                % (i, links[-1], noise)).encode()
    return box, links


def piped(*command):
    return lambda text: subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def tar(how):
    def make(text, name="a"):
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w", format=how) as archive:
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
        return file.getvalue()
    return make


def v7(text):
    """A tar without the magic of ustar; the checksum is made for it."""
    block = bytearray(tar(tarfile.USTAR_FORMAT)(text))
    block[257:512] = bytes(255)
    block[148:156] = b"        "
    block[148:156] = b"%06o\0 " % sum(block[:512])
    return bytes(block)


def zipped(method=zipfile.ZIP_DEFLATED, name="a"):
    def make(text):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", method) as archive:
            archive.writestr(name, text)
        return file.getvalue()
    return make


def cpio(form):
    """A member a and the trailer, as cpio(5) has them."""
    def entry(name, text):
        name += b"\0"
        mode = 0o100644 if text else 0
        if form == "newc":
            numbers = [1, mode, 0, 0, 1, 0, len(text), 0, 0, 0, 0, len(name), 0]
            head = b"070701" + b"".join(b"%08x" % n for n in numbers) + name
            return head + bytes(-len(head) % 4) + text + bytes(-len(text) % 4)
        if form == "odc":
            numbers = 0, 1, mode, 0, 0, 1, 0, 0, len(name), len(text)
            return b"070707" + b"%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o" % numbers + name + text
        numbers = 0o70707, 0, 1, mode, 0, 0, 1, 0, 0, 0, len(name), len(text) >> 16, len(text) & 0xffff
        head = struct.pack(("<" if form == "bin" else ">") + "13H", *numbers)
        return head + name + bytes(len(name) % 2) + text + bytes(len(text) % 2)
    return lambda text: entry(b"a", text) + entry(b"TRAILER!!!", b"")


def lzw(text):
    """compress(1) without its table: each byte is a code, of a bit more whenever the table would have grown so far."""
    width, used, group, out = 9, 257, [], bytearray(b"\x1f\x9d\x90")
    for i, code in enumerate(text):
        group.append(code)
        used += i > 0
        grows = used >= 1 << width
        if len(group) == 8 or grows or i + 1 == len(text):
            packed = sum(code << width * k for k, code in enumerate(group))
            out += packed.to_bytes(width if grows else (len(group) * width + 7) // 8, "little")
            width, group = width + grows, []
    return bytes(out)


# Name: the program, how to make it, whether it has checksums, what two of them hold (whole files,
# or 0: anything), whether the end is marked, bytes that are needed to recognise it (default: 10).
FORMS = {
    "gzip": (None, lambda t: gzip.compress(t, 6, mtime=0), True, 2, True),
    "xz": (None, lambda t: lzma.compress(t), True, 2, True),
    "lzma": (None, lambda t: lzma.compress(t, lzma.FORMAT_ALONE), False, 1, True, 14),
    "bzip2": (None, bz2.compress, True, 2, True),
    "zstd": ("zstd", piped("zstd", "-qc"), True, 2, True),
    "lz4": ("lz4", piped("lz4", "-qc"), True, 2, True),
    "lzip": ("lzip", piped("lzip", "-qc"), True, 2, True),
    "compress": (None, lzw, False, 0, False),
    "ustar": (None, tar(tarfile.USTAR_FORMAT), False, 2, False),
    "gnutar": (None, tar(tarfile.GNU_FORMAT), False, 2, False),
    "pax": (None, tar(tarfile.PAX_FORMAT), False, 2, False),
    "v7": (None, v7, False, 2, False),
    "zip": (None, zipped(), False, 1, True),
    "stored": (None, zipped(zipfile.ZIP_STORED), False, 1, True),
    "newc": (None, cpio("newc"), False, 1, True),
    "odc": (None, cpio("odc"), False, 1, True),
    "bin": (None, cpio("bin"), False, 1, True, 26),
    "bin-big": (None, cpio("big"), False, 1, True, 26),
    "tar.gz": (None, lambda t: gzip.compress(tar(tarfile.USTAR_FORMAT)(t), mtime=0), True, 2, True),
    "tar.xz": (None, lambda t: lzma.compress(tar(tarfile.USTAR_FORMAT)(t)), True, 2, True),
}


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def total(by_source, name):
    return [item for (source, _), items in by_source.items() if source == name for item in items]


def by_file(by_source):
    """As total, of all files."""
    found = collections.defaultdict(list)
    for (source, _), items in by_source.items():
        found[source] += items
    return found


def damaged(form, files, links, strict):
    """Files with damage, each with its data. `strict`: damage must be noticed."""
    for name, data in files:
        write(name, data)
    status, found, others = listed([name for name, _ in files])
    found, others, reported = by_file(found), by_file(others), 0
    for name, data in files:
        got, errors = found[name], others[name]
        reported += bool(errors)
        check(f"{form}, damaged: links are those of the file", [link for link in got if link not in links] if strict else [], [], name)
        check(f"{form}, cut off: the error says where", [error["what"] for error in errors[:1]], [f"is cut off at {len(data)}"] * len(errors), name)
        if strict:
            check(f"{form}, damaged: all links or an error", got == links or bool(errors), at=name)
    check(f"{form}: exit status of damaged files", status, 1 if reported else 0)


def test_form(form, make, checked, doubles, marked, least=10):
    box, links = mailbox(form)
    data = make(box)
    write(form, data)
    status, found, others = listed([form])
    check(f"{form}: as a file", (status, total(found, form), others), (0, links, {}))
    with open(form, "rb") as file:
        whole = run("list", "--json", stdin=file)
    check(f"{form}: on standard input", whole[1].replace(b'"source":"-"', b'"source":"%s"' % form.encode()), run("list", "--json", form)[1])
    check(f"{form}: byte by byte", run_pieces("list", "--json", data=data[:3000]), run("list", "--json", text=data[:3000]))
    head, tail = min(EDGE, len(data)), min(EDGE, len(data) - 12)
    cuts = [(f"{form}-{n}", data[:n]) for n in range(least, head)] + [(f"{form}-{len(data) - n}", data[:-n]) for n in range(1, tail)]
    damaged(form, cuts, links, marked)
    short = [write(f"{form}-{n}", data[:n]) for n in range(least)]
    check(f"{form}: the first bytes alone", listed(short)[1], {})
    r = random.Random(1)
    edges = {*range(EDGE), *range(len(data) - EDGE, len(data)), *(r.randrange(len(data)) for _ in range(64))}
    bits = [(byte, r.randrange(8)) for byte in edges] if not NIGHT else [(i, b) for i in range(len(data)) for b in range(8)]
    for at in range(0, len(bits), 500):
        turned = []
        for byte, bit in bits[at:at + 500]:
            other = bytearray(data)
            other[byte] ^= 1 << bit
            turned.append((f"{form}-{byte}.{bit}", bytes(other)))
        for name, other in turned:
            write(name, other)
        status, found, others = listed([name for name, _ in turned])
        check(f"{form}: exit status with bits turned", status, int(any(others.values())))
        found, others = by_file(found), by_file(others)
        for name, _ in turned if checked else []:
            # What is not recognised any more is binary text.
            if float(name.rsplit("-")[1]) >= 10:
                check(f"{form}: a bit turned", found[name] == links or bool(others[name]), at=name)
        for name, _ in turned:
            os.unlink(name)
    write(form, data * 2)
    status, found, others = listed([form])
    if doubles:
        check(f"{form}: doubled", (status, total(found, form)), (0 if doubles == 2 else 1, links * doubles))
    write(form, data + b"and a tail\n")
    status, found, others = listed([form])
    if marked or "tar" in form:
        check(f"{form}: with a tail", (status, len(total(others, form))), (1, 1))
    check(f"{form}: nothing is added by a tail", set(total(found, form)) <= set(links))


def test_blocks():
    """Files of more than a block of each way to read them, whole and cut off where blocks end."""
    box, links = mailbox(8, 1700)
    forms = {name: FORMS[name][1] for name in ("gzip", "zstd", "lz4", "ustar", "stored", "newc") if usable(name)}
    forms["tar.gz"] = lambda text: gzip.compress(tar(tarfile.USTAR_FORMAT)(text), 1)
    forms["bgzf"] = bgzf
    for form, make in forms.items():
        data = make(box)
        write("large", data)
        status, found, others = listed(["large"])
        check(f"{form} of {len(data)} bytes", (status, total(found, "large") == links, others), (0, True, {}))
        with subprocess.Popen(["cat", "large"], stdout=subprocess.PIPE) as cat:
            status, found, others = listed([], stdin=cat.stdout)
        check(f"{form} of {len(data)} bytes from a pipe", (status, total(found, "-") == links, others), (0, True, {}))
        for cut in BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK:
            if cut < len(data):
                write("large", data[:cut])
                status, found, others = listed(["large"])
                got = total(found, "large")
                check(f"{form} of {len(data)} bytes, cut off", (status, [error["what"] for error in total(others, "large")]), (1, [f"is cut off at {cut}"]), cut)
                check(f"{form} of {len(data)} bytes, cut off: links", got[:-1] == links[:max(len(got) - 1, 0)], at=cut)


def stream_cases(form, data, links, more=(), follows=True):
    """What may stand after the last stream: (name, data, links, error)."""
    tail = "has unknown bytes at its end (from %d)"
    cases = (("padded", data + bytes(300000), links, None),
             ("doubled", data + bytes(8) + data, links * 2, None) if follows else
             ("doubled", data * 2, links, tail % len(data)),
             ("tail", data + b"x", links, tail % len(data)),
             ("padded-tail", data + bytes(9) + b"x", links, tail % (len(data) + 9)),
             ("first-byte", data + data[:1] + b"no further stream", links, tail % len(data)),
             ("cut", data[:-1], links, f"is cut off at {len(data) - 1}"), *more)
    for name, text, wanted, error in cases:
        write(name, text)
        status, found, others = listed([name])
        got = others.get((name, None), [{}])[0].get("what")
        check(f"{form}: {name}", (status, total(found, name), got), (1 if error else 0, wanted, error))


def test_streams():
    """The forms that a library each decompresses."""
    box, links = mailbox(4)
    data = lzma.compress(box)
    damage = data[:-40] + bytes([data[-40] ^ 1]) + data[-39:]
    stream_cases("xz", data, links, (("checksum", damage, links, f"is damaged at {len(data) - 34} (xz)"),))
    stream_cases("lzma", lzma.compress(box, lzma.FORMAT_ALONE), links, follows=False)
    stream_cases("bzip2", bz2.compress(box), links)
    if not shutil.which("zstd"):
        return
    data = piped("zstd", "-qc")(box)
    frame = b"\x5a\x2a\x4d\x18\x05\0\0\0http:"
    stream_cases("zstd", data, links, (
        ("frame", data + frame + data, links * 2, None),
        ("pzstd", b"\x50\x2a\x4d\x18\x04\0\0\0" + len(data).to_bytes(4, "little") + data, links, None),
        ("frame-cut", data + frame[:-1], links, f"is cut off at {len(data + frame) - 1}"),
        ("checksum", data[:-1] + bytes([data[-1] ^ 1]), links,
         f"is damaged at {len(data) - 4} (Restored data doesn't match checksum)")))
    for log, limits in ((27, []), (28, []), (29, ["dictionary"])):
        write("window", piped("zstd", "-qc", f"--long={log}")(box))
        status, found, others = listed(["window"])
        got = total(found, "window"), [r["limit"] for r in total(others, "window")]
        check(f"zstd --long={log}", got, ([] if limits else links, limits))


def test_gzip():
    box, links = mailbox(2)
    data = gzip.compress(box, mtime=0)
    stream_cases("gzip", data, links, (
        ("members", gzip.compress(box[:700], mtime=0) + gzip.compress(box[700:], mtime=0), links, None),
        ("checksum", data[:-8] + b"\0\0\0\0" + data[-4:], links, f"is damaged at {len(data) - 4} (wrong checksum)"),
        ("length", data[:-1] + b"\1", links, f"is damaged at {len(data)} (wrong length)")))
    write("checked", gzip_member(box, 2, header_sum=1))
    check("the checksum of a header", "(header crc mismatch)" in run("list", "checked")[2])
    for at in range(1, 9):
        write("trailer", data[:-at] + bytes([data[-at] ^ 1]) + data[len(data) - at + 1:])
        status, _, error = run("list", "trailer")
        check(f"byte {9 - at} of the trailer", (status, f"wrong {'length' if at < 5 else 'checksum'}" in error), (1, True))
    for at in (1, 2, 3, 5, 6, 7):
        half = len(data) - (4 if at < 4 else 8)
        write("half", data[:half] + bytes([data[half] ^ 1]) + data[half + 1:-at])
        check(f"a wrong half without its last bytes: {at} less", run("list", "half")[::2], (1, f"urlsift: half: is cut off at {len(data) - at}\n"))
    status, out, error = run("list", "-c", "-H", "cut", "padded")
    check("an error line names the source; the next one is read", (status, error, out),
          (1, f"urlsift: cut: is cut off at {len(data) - 1}\n", b"cut:12\npadded:12\n"))
    for level in (0, 1, 9):
        write("level", gzip.compress(box * 50, level, mtime=0))
        check(f"gzip -{level}", total(listed(["level"])[1], "level"), links * 50)
    os.makedirs("md/cur"), os.makedirs("md/new"), os.makedirs("md/tmp")
    write("md/cur/1", gzip.compress(b"Subject: a\n\nhttp://m.example/\n"))
    check("a message of a maildir", total(listed(["md"])[1], "md/cur/1"), ["http://m.example/"])


def bgzf(text, size=0xff00, level=6):
    """A member of BGZF for each `size` bytes, without the empty one that bgzip puts last."""
    out = b""
    for at in range(0, len(text), size):
        piece = text[at:at + size]
        deflate = zlib.compressobj(level, zlib.DEFLATED, -15)
        body = deflate.compress(piece) + deflate.flush()
        out += b"\x1f\x8b\x08\4\0\0\0\0\0\xff\6\0BC\2\0" + struct.pack("<H", len(body) + 25) + body
        out += struct.pack("<II", zlib.crc32(piece), len(piece))
    return out


def test_bgzf():
    """Several threads decompress the members of BGZF; whatever is wrong, one thread would say the same."""
    r = random.Random(7)
    box, links = mailbox(7, 1600)
    data, odd = bgzf(box), [bgzf(box, size) for size in (3000, 0x10000)]
    assert len(data) > 256 * 1024
    cases = {"whole": data, "small": odd[0], "full": bgzf(box, 0x10000, 9), "stored": bgzf(box, 0xff00, 0),
             "doubled": data * 2, "padded": data + bytes(70000), "tail": data + b"x",
             "gzip in it": data + gzip.compress(box, mtime=0) + data, "empty in it": data + bgzf(b"\n") + data}
    cases["zeros"] = bgzf(bytes(1 << 20) + box) + bgzf(bytes(100 << 20))
    second = data.index(b"\x1f\x8b\x08\4", 1)
    for name, size in ("too long", 1), ("too short", -1), ("none", -70000):
        sizes = struct.pack("<H", max(second - 1 + size, 0))
        cases["size " + name] = data[:16] + sizes + data[18:]
        cases["size " + name + ", later"] = odd[0] + cases["size " + name]
    for n in (*range(1, 10), *(r.randrange(len(data)) for _ in range(6))):
        cases[f"cut {n}"] = data[:-n]
    for n in (*range(second - 9, second + 20), *(r.randrange(len(data)) for _ in range(15))):
        cases[f"bit {n}"] = data[:n] + bytes([data[n] ^ 1 << r.randrange(8)]) + data[n + 1:]
    if shutil.which("bgzip"):
        cases["bgzip"] = piped("bgzip", "-c")(box)
        check("BGZF: members are as those of bgzip", cases["bgzip"][:16], data[:16])
    else:
        skip("BGZF by bgzip", "no bgzip")
    found = {}
    for at, (name, text) in enumerate(cases.items()):
        write("bgzf", text)
        one, several = (run("list", "--json", f"-j{jobs}", "bgzf") for jobs in (1, 2 + at % 5))
        check(f"BGZF, {name}: -j", several == one, at=(several[0], several[2], one[0], one[2]))
        found[name] = one[0], one[1].count(b'"type":"link"')
    count = len(links)
    wanted = {"whole": (0, count), "small": (0, count), "full": (0, count), "stored": (0, count), "padded": (0, count),
              "doubled": (0, 2 * count), "gzip in it": (0, 3 * count), "tail": (1, count), "bgzip": (0, count)}
    check("BGZF: links", {k: v for k, v in found.items() if k in wanted}, {k: wanted[k] for k in wanted if k in found})
    write("bgzf", data), write("bgzf2", data)
    # A bomb whose limit bites within a member of which one thread would not have read the last bytes yet.
    noise = random.Random(1).randbytes(200000).hex().encode()
    write("bomb", bgzf(b"From a@b.example Mon Jan  1 00:00:00 2024\n\nhttp://a.example/\n" + noise[:224008]) + bgzf(bytes(0xff00)) * 1900)
    several, one = (run("list", "--json", f"-j{jobs}", "--max-expand=315", "bomb") for jobs in (2, 1))
    check("BGZF, a bomb: -j", (several, b'"limit":"expansion"' in one[1]), (one, True))
    for verb in ["html"], ["list", "-H"], ["list", "-q"], ["list", "--unique", "-H"]:
        one, several = (run(*verb, f"-j{jobs}", "bgzf", "bgzf2", "bgzf") for jobs in (1, 3))
        check(f"BGZF, {verb}: -j", several == one, at=several[2])


def test_positions():
    """Offsets, lines and ranges are those of the decompressed bytes."""
    box, _ = mailbox(3, 60)
    write("box", box), write("box.gz", gzip.compress(box))
    plain, packed = (run("list", "--json", name)[1].replace(name.encode(), b"X") for name in ("box", "box.gz"))
    check("records but for the name", packed, plain)
    middle = box.index(b"From a", len(box) // 2)
    ranges = [run("list", "-n", f"--range={begin}:{length}", "box.gz")[1] for begin, length in ((0, middle), (middle, len(box)))]
    check("ranges of compressed mailboxes", b"".join(ranges), run("list", "-n", "box")[1])
    archives = [write(f"{at}.zip", members(("a", b"http://a.example/"), ("b", b""))) for at in range(8)]
    check("ranges of archives", run("list", "--range=0:1", *archives)[2], "".join(
        f"urlsift: {at}.zip: --range is for an mbox or a web archive, and for one that is compressed\n" for at in range(8)))
    write("box.bz2", bz2.compress(box))
    for jobs in "14":
        check(f"-j{jobs}", run("list", "-n", f"-j{jobs}", "box.gz", "box.bz2", "box")[1],
              b"".join(run("list", "-n", "-H", name)[1] for name in ("box.gz", "box.bz2", "box")))


def members(*pairs):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, text in pairs:
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return file.getvalue()


def test_nesting():
    text = b"http://a.example/\n"
    inner = gzip.compress(members(("deep", text), ("packed.gz", gzip.compress(text))))
    write("n.tar", members(("plain", text), ("one.gz", gzip.compress(text)), ("in.tar.gz", inner), ("last", text)))
    for nest in range(4):
        status, found, others = listed([f"--nest={nest}", "n.tar"])
        names = ["plain", "one.gz", "in.tar.gz{deep}", "in.tar.gz{packed.gz}", "last"]
        level = [0, 1, 1, 2, 0]
        check(f"--nest={nest}: members", [key[1] for key in found], [n for n, l in zip(names, level) if l <= nest])
        limits = [(m, r["limit"], r["value"]) for (_, m), records in others.items() for r in records]
        wanted = [("one.gz", "nest", 0), ("in.tar.gz", "nest", 0)] if nest == 0 else [("in.tar.gz{packed.gz}", "nest", 1)] if nest == 1 else []
        check(f"--nest={nest}: limits", (status, limits), (1 if wanted else 0, wanted))
    write("gg", gzip.compress(gzip.compress(gzip.compress(text))))
    check("gz in gz in gz", [listed([f"--nest={n}", "gg"])[0] for n in range(3)], [1, 1, 0])
    deep = gzip.compress(text)
    for level in range(5): # an archive in a compressed file at each level that --nest allows, and one more
        deep = gzip.compress(members(("m", deep)))
    write("deep.tgz", deep)
    check("a level too deep", run("list", "--nest=4", "deep.tgz"),
          (1, b"", "urlsift: deep.tgz{m{m{m{m{m}}}}}: at byte 0: limit nest (4) exceeded\n"))
    damage = bytearray(gzip.compress(text * 9))
    damage[-6] ^= 1
    write("d.tar", members(("bad.gz", bytes(damage)), ("good", text)))
    status, out, error = run("list", "-H", "d.tar")
    check("a damaged member", (status, out, error), (1, b"d.tar{bad.gz}:http://a.example/\n" * 9 + b"d.tar{good}:http://a.example/\n",
          f"urlsift: d.tar{{bad.gz}}: is damaged at {len(damage) - 4} (wrong checksum)\n"))


class Unseekable(io.RawIOBase):
    """A pipe: a zip written to it has the sizes of a member after it."""
    data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def test_sizes_behind():
    """Members of a zip that was written to a pipe; the last one is searched, or passed over."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for last in (b"see http://a.example/ for it\n", b"\0" + random.Random(5).randbytes(5000), b""):
            file = Unseekable()
            with zipfile.ZipFile(file, "w", method) as archive:
                for name, text in (("a", b"http://b.example/\n"), ("b", last)):
                    with archive.open(name, "w") as member:
                        member.write(text)
            write("behind.zip", file.data)
            links = b"http://b.example/\n" + b"http://a.example/\n" * (last[:3] == b"see")
            check(f"sizes after the members, {method}, {len(last)}", run("list", "behind.zip"), (0, links, ""))


def test_odd_forms():
    """Headers that are allowed but seldom."""
    text = b"see http://a.example/ for it\n"
    xz = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "dict_size": 3 << 20}]
    wanted = {"xz with filters": lzma.compress(text, filters=xz)}
    alone = [{"id": lzma.FILTER_LZMA1, "dict_size": 3 << 20}]
    wanted["lzma of 2^n + 2^(n-1)"] = lzma.compress(text, lzma.FORMAT_ALONE, filters=alone)
    sized = bytearray(lzma.compress(text, lzma.FORMAT_ALONE))
    sized[5:13] = struct.pack("<Q", len(text))
    wanted["lzma with its size"] = bytes(sized)
    if shutil.which("xz"):
        wanted["xz with the sizes of its blocks"] = piped("xz", "-c", "--block-size=1KiB", "-T2")(text * 100)
    for name, data in wanted.items():
        write("odd", data)
        check(name, set(run("list", "odd")[1].split(b"\n")), {b"http://a.example/", b""})
    other = bytearray(lzma.compress(text, lzma.FORMAT_ALONE))
    other[1:5] = struct.pack("<L", 5 << 20)
    most = bytearray(other)
    most[1:5] = b"\xff" * 4
    write("odd", bytes(most))
    status, _, said = run("list", "odd")
    check("lzma of the largest dictionary", (status, "limit dictionary" in said), (1, True))
    nothing = {"bzip2": bz2.compress(b""), "xz": lzma.compress(b""), "lzma of another dictionary": other,
               "text like cpio": b"070707 0707070707 http://070701.example/",
               "text like bzip2": b"BZh0 http://a.example/"}
    for name, data in nothing.items():
        write("odd", data)
        check(f"nothing in {name}", run("list", "-c", "odd")[::2], (0, ""))
    second = lzma.compress(text, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 512 << 20}])
    write("odd", lzma.compress(text) + second)
    status, found, others = listed(["odd"])
    got = total(found, "odd"), [r["limit"] for r in total(others, "odd")]
    check("the dictionary of a second stream", (status, *got), (1, ["http://a.example/"], ["dictionary"]))
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, kind in (("folder", tarfile.DIRTYPE), ("link", tarfile.SYMTYPE), ("pipe", tarfile.FIFOTYPE),
                           ("", tarfile.REGTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "a"
            entry.size = len(text) if kind == tarfile.REGTYPE else 0
            archive.addfile(entry, io.BytesIO(text))
    tarred = bytearray(file.getvalue())
    write("odd", tarred)
    check("a tar of folders, links and a file without a name", run("list", "-H", "odd"),
          (0, b"odd{?}:http://a.example/\n", ""))
    old = bytearray(tar(tarfile.USTAR_FORMAT)(text, "\u00e4"))
    old[148:156] = b"%06o\0 " % (sum(b if b < 128 else b - 256 for b in old[:148] + old[156:512]) + 8 * 32)
    write("odd", old)
    check("a sum of signed bytes", run("list", "odd")[1], b"http://a.example/\n")
    for code, why in (28, "is damaged"), (29, "limit dictionary (268435456) exceeded"), (31, "limit dictionary (268435456) exceeded"):
        write("odd", b"LZIP\1" + bytes([code]) + b"\xff" * 100)
        check(f"lzip with a dictionary of 2^{code}", why in run("list", "odd")[2], True)
    if shutil.which("tar"):
        with open("sparse", "wb") as hole:
            hole.write(text * 10000)
            hole.seek(1 << 20)
            hole.write(b"\n" + text)
            hole.seek(3 << 20)
            hole.write(b"\n" + text)
            hole.truncate(4 << 20)
        subprocess.run(["tar", "-cSf", "sparse.tar", "sparse"], stderr=subprocess.DEVNULL)
        if os.path.exists("sparse.tar"):
            found = run("list", "-bI", "sparse.tar")[1].splitlines()
            check("a file with holes", (len(found), [int(line.split(b":")[0]) for line in found[9999:]]),
                  (10002, [at + text.index(b"http") for at in (9999 * len(text), (1 << 20) + 1, (3 << 20) + 1)]))


def test_members():
    text = b"see http://a.example/ for it\n"
    names = ["../../etc/passwd", "/etc/shadow", "a\x1b[31mb", "a\nb", "x" * 5000, "\u202ea", "a}{b", "-n", "."]
    pairs = [(name, text) for name in names] + [("binary", b"\0\1" + text), ("mail", b"From: a@b.example\nSubject: s\n\n\0" + text)]
    write("hostile.tar", members(*pairs))
    damage = bytearray(gzip.compress(members(("binary", bytes(5000)), ("text", text))))
    damage[-8] ^= 1
    write("skipped.tar.gz", bytes(damage))
    check("damage in a binary member", run("list", "skipped.tar.gz")[::2],
          (1, f"urlsift: skipped.tar.gz: is damaged at {len(damage) - 4} (wrong checksum)\n"))
    write("skipped.tar.gz", gzip.compress(members(("binary", random.Random(5).randbytes(500000))))[:400000])
    check("a binary member that is cut off", run("list", "skipped.tar.gz")[::2],
          (1, "urlsift: skipped.tar.gz: is cut off at 400000\n"))
    before = sorted(os.listdir("."))
    status, out, error = run("list", "--summary", "-H", "hostile.tar")
    check("hostile names: links", (status, out.count(b"http://a.example/\n")), (0, len(names) + 1))
    check("a binary member is skipped and counted", "skipped 1," in error)
    check("hostile names are escaped", [c for c in (b"\x1b", b"a\nb", "\u202e".encode()) if c in out], [])
    check("nothing is written", sorted(os.listdir(".")), before)
    check("member names as they are", [key[1] for key in listed(["hostile.tar"])[1]][:4], names[:4])
    names = ["gr\u00fcn/\u65e5\u672c", "plain", "\U0001f600"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, text)
    write("utf8.zip", packed.getvalue())
    for form in tarfile.PAX_FORMAT, tarfile.GNU_FORMAT:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=form) as archive:
            for name in names:
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text))
        write(f"utf8-{form}.tar", packed.getvalue())
    for packed in "utf8.zip", f"utf8-{tarfile.PAX_FORMAT}.tar", f"utf8-{tarfile.GNU_FORMAT}.tar":
        check(f"names of UTF-8 in {packed}", [key[1] for key in listed([packed])[1]], names)
    late = text * 300
    write("late.tar", members(("late", late[:8192] + b"\0" + late), ("early", late[:8191] + b"\0" + late)))
    check("a NUL after the first 8 KiB does not make a member binary", run("list", "-c", "late.tar")[1].split(b":")[0], b"late.tar{late}")
    os.makedirs("mh", exist_ok=True)
    write("mh/1", b"From: a\n\n" + text)
    said = "--range is for an mbox or a web archive, and for one that is compressed"
    for names in ["n.tar"], ["mh"], ["n.tar", "mh"]:  # which are used wrongly, each and both
        check("--range", run("list", "--range=0:1", *names)[::2], (2, "".join(f"urlsift: {name}: {said}\n" for name in names)))
    page = run("html", "hostile.tar")[1]
    check("the heading of a member", b"<bdi>hostile.tar</bdi>{<bdi>../../etc/passwd</bdi>}" in page)
    check("counts name the members, unless -I", [run("list", *options, "n.tar")[1].split(b"\n")[0] for options in (["-c"], ["-cI"])],
          [b"n.tar{plain}:1", b"1"])
    locked = bytearray(zipped()(text))
    locked[6] |= 1
    locked[locked.index(b"PK\1\2") + 8] |= 1
    write("locked.zip", bytes(locked))
    check("an encrypted member", run("list", "locked.zip"), (1, b"", "urlsift: locked.zip{a}: is encrypted\n"))
    end = locked.index(b"PK\1\2") # as zip(1) writes it: with a descriptor
    locked[6] |= 8
    write("described.zip", locked[:end] + b"PK\7\x08" + locked[14:26] + locked[end:])
    check("an encrypted member with a descriptor", run("list", "described.zip"), (1, b"", "urlsift: described.zip{a}: is encrypted\n"))
    for mark in b"PK\7\x08", b"PK00":
        write("split.zip", mark + zipped()(text))
        check("the first part of a zip in parts", run("list", "split.zip"), (0, b"http://a.example/\n", ""), at=mark)
        write("split.zip", mark + zipped()(text)[:40])
        check("it is cut off", run("list", "split.zip")[::2], (1, "urlsift: split.zip{a}: is cut off at 44\n"), at=mark)
    write("text", b"PK00 http://a.example/\n")
    check("text that begins as it does", run("list", "text")[1], b"http://a.example/\n")
    write("l.zip", zipped(zipfile.ZIP_LZMA)(text))
    check("a method that is not read", run("list", "l.zip")[::2], (1, "urlsift: l.zip{a}: is compressed by a method that is not read\n"))
    write("b.zip", zipped(zipfile.ZIP_BZIP2)(text))
    check("bzip2 in a zip", run("list", "b.zip")[1], b"http://a.example/\n")
    for what, locks in (("is encrypted", True), ("is compressed by a method that is not read", False)):
        both = io.BytesIO()
        with zipfile.ZipFile(both, "w") as archive:
            archive.writestr("a", text, zipfile.ZIP_DEFLATED if locks else zipfile.ZIP_LZMA)
            archive.writestr("b", text)
        data = bytearray(both.getvalue())
        data[6] |= locks
        write("both.zip", bytes(data))
        check(f"a member behind one that {what}", run("list", "-H", "both.zip"), (1, b"both.zip{b}:http://a.example/\n", f"urlsift: both.zip{{a}}: {what}\n"))
    for flag, name in (0, "a\\xff"), (8, "?"):
        both = io.BytesIO()
        with zipfile.ZipFile(both, "w") as archive:
            archive.writestr("aQ", text), archive.writestr("b", text)
        data = bytearray(both.getvalue().replace(b"aQ", b"a\xff"))
        data[7] |= flag
        data[data.index(b"PK\1\2") + 9] |= flag
        write("named.zip", bytes(data))
        check(f"a name that is not UTF-8, flag {flag}", run("list", "-H", "named.zip"),
              (0, f"named.zip{{{name}}}:http://a.example/\nnamed.zip{{b}}:http://a.example/\n".encode(), ""))
    write("x.7z", b"7z\xbc\xaf\x27\x1c" + bytes(100)), write("x.rar", b"Rar!\x1a\7\1\0" + bytes(100))
    check("what is not read", run("list", "x.7z", "x.rar"),
          (1, b"", "urlsift: x.7z: is a 7z file, which cannot be read\nurlsift: x.rar: is a RAR file, which cannot be read\n"))
    write("text", b"070701 is the number of http://a.example/ and BZh and LZIP\n")
    check("text that begins like an archive", run("list", "text")[1], b"http://a.example/\n")
    for magic, digit, header in (b"070707", b"7", 76), (b"070701", b"f", 110), (b"070702", b"A", 110):
        for length in header - 1, header:
            write("text", magic + digit * (length - len(magic)) + b" http://a.example/\n")
            check(f"text that is a header of cpio for {length} bytes", run("list", "text")[1], b"http://a.example/\n" * (length < header))


def test_expansion():
    """The first 64 MiB may expand as they do; what comes then is counted, with them."""
    text = b"http://a.example/\n" * 3000
    for name in filter(usable, ("gzip", "xz", "bzip2", "zstd", "lz4", "lzip")):
        write("small", FORMS[name][1](text))
        check(f"a small file, {name}", run("list", "--count", "--max-expand=2", "small"), (0, b"3000\n", ""))
    piece = bytes(4 << 20)
    for pieces, status in (16, 0), (17, 1):
        write("large", gzip.compress(piece) * pieces)
        check(f"{4 * pieces} MiB", run("list", "--max-expand=200", "large")[0], status)


def test_cut_headers():
    """A header that is cut off is an error as soon as it can be no text."""
    wide = "] http://a.example/"
    for form, data, least in (("bzip2", bz2.compress(b"x"), 5), ("lzma", lzma.compress(b"x", lzma.FORMAT_ALONE), 6)):
        for n in range(least, len(data)):
            write("cut", data[:n])
            check(f"{form}: {n} bytes", run("list", "cut")[::2], (1, f"urlsift: cut: is cut off at {n}\n"))
        for text in data[:least - 1], b"BZh91 http://a.example/", wide.encode("utf-32-le"):
            write("text", text)
            check(f"{form}: text", run("list", "text")[::2], (0, ""), text)


def test_headers():
    """The limit of 4 MiB is that of a header: members may be longer, and there may be many before one."""
    text, link = b"x\n" * (5 << 19), b"http://a.example/\n"
    stored = zipfile.ZIP_STORED
    for form, data in (("tar", members(("a", link), ("b", text), ("c", link))), ("cpio", cpio("odc")(link + text + link)),
                       ("zip", zipped(stored)(link + text + link)), ("small members", members(*((str(n), link + b" " * 2000) for n in range(2000))))):
        status, links, others = listed([write("headers", data)])
        check(f"{form}: no header is too long", (status, sum(map(len, links.values())), sum(map(len, others.values()))), (0, 2000 if form == "small members" else 2, 0))


def test_limits():
    """Bombs: what expands too much is read up to the limit, and reported."""
    zeros = bytes(8 << 20)
    bombs = {name: FORMS[name][1](zeros) * 12 for name in ("gzip", "xz", "bzip2", "zstd", "lz4", "lzip") if usable(name)}
    bombs["zip"] = zipped()(b"a\n" * (50 << 20))
    bombs["gz in gz"] = gzip.compress(gzip.compress(zeros) * 12)
    bombs["tar.gz"] = gzip.compress(tar(tarfile.GNU_FORMAT)(zeros)) * 12
    for name, data in bombs.items():
        write("bomb", data)
        status, _, others = listed(["--max-expand=200", "bomb"])
        records = [(r["type"], r.get("limit"), r.get("value")) for r in total(others, "bomb")]
        check(f"a bomb of {name}", (status, records), (1, [("limit", "expansion", 200)]))
    check("--max-expand", listed(["--max-expand=100000", "bomb"])[0], 0)
    status, _, error = run("list", "--max-expand=200", "bomb")
    header = b"070701" + b"%08x" % 0 * 11 + b"%08x" % (1 << 30) + b"0" * 8
    write("long.cpio", header + bytes(6 << 20))
    check("a name of 1 GiB", listed(["long.cpio"])[2][("long.cpio", None)][0]["what"].endswith("(a header of more than 4194304 bytes)"))
    check("the limit on standard error", (status, "limit expansion (200) exceeded\n" in error), (1, True))
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 512 << 20}]
    write("dictionary", lzma.compress(b"http://a.example/\n", filters=filters))
    check("the dictionary of a decoder", [r["limit"] for r in total(listed(["dictionary"])[2], "dictionary")], ["dictionary"])


def test_libraries():
    """A library that is not there, or lacks what is called, is named."""
    write("x.cpio", b"070707" + b"0" * 70)
    for folder in "none", "damaged":
        os.makedirs(folder, exist_ok=True)
    for name in ("libarchive.so.13", "libarchive.so"):
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-xc", "/dev/null", "-o", f"none/{name}"])
        write(f"damaged/{name}", b"\x7fELF")
    for folder, reason in ("damaged", "it was not found"), ("none", "it lacks a function"):
        env = {**os.environ, "LD_LIBRARY_PATH": os.path.abspath(folder)}
        status, out, error = run("list", "--no-sandbox", "x.cpio", env=env)
        if "needs libarchive" in error:
            check(f"without libarchive, {folder}", (status, out, error),
                  (1, b"", f"urlsift: x.cpio: needs libarchive to read cpio: {reason}\n"))
        else:
            skip("a missing libarchive", "it is linked, or another one was found")
    shutil.copy("none/libarchive.so", "none/libidn2.so.0")
    write("idn", "http://\u0628\u064a\u062a.example/\n".encode())
    status, out, error = run("list", "--json", "--no-sandbox", "idn", env=env)
    if error.startswith("urlsift: "):
        check("without libidn2", (status, out, error), (3, b"", "urlsift: libidn2: it lacks a function\n"))
    else:
        skip("a missing libidn2", "it is linked, or not in this build")


def test_builds():
    """The command without libraries: the modules compiled again, the rest from the build."""
    build = os.path.dirname(URLSIFT)
    parts = [os.path.join(build, name) for name in ("obj/src/cli/main.o", "libcli.a", "libinternal.a")]
    if not all(map(os.path.exists, parts)):
        skip("builds without libraries", "the object files are not there")
        return
    flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-D_FILE_OFFSET_BITS=64", f"-I{TOP}/include", f"-I{TOP}/src", "-fPIC"]
    text = b"http://a.example/\n"
    packed = {"gzip": gzip.compress(text), "bzip2": bz2.compress(text), "xz": lzma.compress(text),
              "lzma": lzma.compress(text, lzma.FORMAT_ALONE), "cpio": b"070707" + b"0" * 70}
    for name, data in packed.items():
        write(name, data)
    sources = [f"{TOP}/src/input/decompress_{name}.c" for name in ("decoder", "archive", "form")]
    command = [os.environ.get("CC", "cc"), *flags, "-o", "bare", *sources, *parts, f"@{build}/cli-libs"]
    libraries = {"gzip": "zlib", "bzip2": "libbz2", "xz": "liblzma", "lzma": "liblzma", "cpio": "libarchive"}
    done = subprocess.run(command, capture_output=True, text=True)
    check("a build without libraries", (done.returncode, done.stderr), (0, ""))
    done = subprocess.run(["./bare", "list", *packed], capture_output=True, text=True)
    lacks = "urlsift: {0}: needs {1} to read {0}: not in this build\n"
    errors = [lacks.format(name, library) for name, library in libraries.items()]
    check("without libraries", (done.returncode, done.stdout, done.stderr), (1, "", "".join(errors)))


def gzip_member(data, flags=0, extra=b"", name=b"", comment=b"", header_sum=None):
    """A gzip member with the optional fields of its header (RFC 1952)."""
    header = struct.pack("<BBBBIBB", 31, 139, 8, flags, 0, 0, 255)
    if flags & 4:
        header += struct.pack("<H", len(extra)) + extra
    if flags & 8:
        header += name + b"\0"
    if flags & 16:
        header += comment + b"\0"
    if flags & 2:
        header += struct.pack("<H", zlib.crc32(header) & 0xffff if header_sum is None else header_sum)
    return header + gzip.compress(data, mtime=0)[10:]


def fed(command, data, size):
    """Runs the command on standard input that comes in pieces of so many bytes."""
    with subprocess.Popen([command, "list", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
        for at in range(0, len(data), size):
            p.stdin.write(data[at:at + size])
            p.stdin.flush()
        out, error = p.communicate()
        return p.returncode, out, error


def test_isal():
    """ISA-L and zlib agree on every form of gzip, whole and damaged: the command beside one that has only zlib."""
    build = os.path.dirname(URLSIFT)
    parts = [os.path.join(build, name) for name in ("obj/src/cli/main.o", "libcli.a", "libinternal.a")]
    if not has("with libisal") or not all(map(os.path.exists, parts)):
        skip("gzip by ISA-L", "the command has no libisal, or the object files are not there")
        return
    command = [os.environ.get("CC", "cc"), "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-D_FILE_OFFSET_BITS=64", "-DURLSIFT_WITH_ZLIB",
               f"-I{TOP}/include", f"-I{TOP}/src", "-fPIC", "-o", "by-zlib", f"{TOP}/src/input/decompress_decoder.c", *parts,
               f"@{build}/cli-libs"]
    done = subprocess.run(command, capture_output=True, text=True)
    check("a build with zlib alone", (done.returncode, done.stderr), (0, ""))
    r = random.Random(7)
    box = mailbox(9, 40)[0]
    text = b"http://a.example/\n"
    forms = {f"flags {flags:#x}": gzip_member(text, flags, b"ab" * 9, b"name", b"comment") for flags in range(256)}
    forms["header checksum"] = gzip_member(text, 2, header_sum=1)
    forms["method"] = b"\x1f\x8b\7" + gzip.compress(text)[3:]
    forms["empty"] = gzip.compress(b"") * 3 + gzip.compress(text)
    forms["foreign member"] = gzip.compress(text) + b"\x1f\x8c"
    stored = gzip.compress(text, 0)
    for lost in range(1, 10):
        forms[f"stored, without {lost} bytes"] = stored[:17] + stored[17 + lost:]
    for name, data in forms.items():
        write("form", data)
        ours, theirs = ([r.returncode, r.stdout, r.stderr] for r in (
            subprocess.run([c, "list", "form"], capture_output=True) for c in (URLSIFT, "./by-zlib")))
        check(f"{name}: status and links", ours[:2], theirs[:2])
        check(f"{name}: class of message", ours[2].split(b" at ")[0], theirs[2].split(b" at ")[0])
    data = b"".join(gzip_member(box[at:at + 5000], 30, b"x" * 70, b"n" * 30, b"c" * 50) for at in range(0, len(box), 5000))
    for size in (1, 7, 100):
        status, out, error = fed(URLSIFT, data if size > 1 else data[:6000], size)
        check(f"pieces of {size} bytes", (status, out, error), fed("./by-zlib", data if size > 1 else data[:6000], 65536))
    packed = gzip.compress(box, mtime=0)
    for i in range(3000 if LONG else 30):
        bad = bytearray(packed)
        if i % 3:
            bit = r.randrange(len(bad) * 8)
            bad[bit // 8] ^= 1 << bit % 8
        else:
            del bad[r.randrange(len(bad)):]
        write("bad", bad)
        ours, theirs = (subprocess.run([c, "list", "bad"], capture_output=True) for c in (URLSIFT, "./by-zlib"))
        check(f"damage {i}: status", ours.returncode, theirs.returncode)
        # What is read before the damage may end elsewhere, also within a link, and so may what is damaged in it.
        check(f"damage {i}: class", *(re.sub(rb"at \d+.*|.* damaged places? .*\n", b"", run.stderr) for run in (ours, theirs)))
        shown, wanted = (run.stdout.split(b"\n")[:-2] for run in (ours, theirs))
        least = min(len(shown), len(wanted))
        check(f"damage {i}: links", shown[:least], wanted[:least])


def test_many_members():
    """An archive of ten million members, and of one more."""
    most, step = 10 ** 7, 10 ** 4
    members = b"".join(tarfile.TarInfo(str(n)).tobuf(tarfile.USTAR_FORMAT) for n in range(step))
    for more in 0, 1:
        with subprocess.Popen([URLSIFT, "list"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            with contextlib.suppress(BrokenPipeError):
                for _ in range(most // step):
                    child.stdin.write(members)
                child.stdin.write(members[:512 * more] + bytes(1024))
                child.stdin.close()
            said = child.stderr.read()
        check(f"{most + more} members", (child.returncode, b"limit members (10000000) exceeded" in said), (more, bool(more)))


def usable(form):
    program = FORMS[form][0]
    return not program or shutil.which(program)


def main():
    if has("without zlib") or has("without libarchive"):
        skip("compressed input", "the command was built without zlib or libarchive")
        finish()
    quick = test_gzip, test_streams, test_positions, test_nesting, test_sizes_behind, test_members, test_documents, test_libraries, test_expansion, test_headers, test_cut_headers
    tests = quick if FAST else (*quick, test_blocks, test_odd_forms, test_builds, *([test_bgzf, test_limits, test_isal, test_many_members] if LONG else ()))
    for form, (program, *rest) in FORMS.items():
        if not LONG and form not in ("gzip", "xz", "lzma", "bzip2", "zstd", "lz4", "zip"):
            continue
        if usable(form):
            test_form(form, *rest)
        else:
            skip(form, f"{program} is not installed")
    for test in tests:
        test()
    finish()


if __name__ == "__main__":
    with temporary_folder() as folder:
        sys.exit(main())
