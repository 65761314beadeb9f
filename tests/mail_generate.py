#!/usr/bin/env python3
"""Mail of any amount from a seed, the same on every machine, with the URLs that must be found in it.

usage: mail_generate.py [--seed N] [--megabytes M] [--profile mix|list|spam|news] [--box KIND] --out PATH [--truth FILE]

KIND is mbox (its dialects mixed, as archives have them), mboxrd, mboxo, mboxcl2, pipermail
(no blank lines before From_ lines), mmdf, rnews, babyl, digest, message (one), maildir,
mh or spool; the last three make the folder PATH. The profile `mix` holds everything that mail does, damage
included; `list` is ordinary list mail, `spam` heavy with HTML; for these a pool of messages is made and varied.

The truth is a line of JSON a message: `file` (in a folder) and `offset`, `body` and `fields` (URLs of its parts
and of its header fields, as often as they must be found), and `never`. Bodies hold all that --headers=none finds.
"""
import argparse
import json
import os
import random
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "oracle"))
import mail_parts  # noqa: E402
from mail_parts import DAYS, MONTHS, header, lines_of, list_fields, received, signature_field  # noqa: E402
from mail_text import TOKEN, WORDS, Page, Pen, Text  # noqa: E402

FROM_LINE = re.compile(rb"^From .*\d\d:\d\d.*\b\d{4}\b", re.M)
MB = 1_000_000
MMDF, DIGEST_END = b"\1\1\1\1\n", b"\n" + b"-" * 30 + b"\n\n"


class Message:
    """The bytes of a message with LF, its URLs in bodies and in fields, and what must not be found."""

    def __init__(self, fields, found, part, missing_line=False):
        self.data = lines_of(fields) + b"\n" * (not missing_line) + part.body
        self.body, self.fields, self.never = part.found, found, part.never


def mixed(r, news=False):
    """A message of any kind."""
    part = mail_parts.entity(r)
    extra, found = list_fields(r) if r.random() < 0.3 and not news else ([], [])
    for line in ([mail_parts.url_field(r)] if r.random() < 0.2 else []):
        extra, found = extra + [line[0]], found + line[1]
    fields, found = header(r, part, extra, found, news)
    r.shuffle(fields)
    if r.random() < 0.5 and not news:
        lines = received(r)
        fields.insert(0, ("Received", "\n".join(lines)[len("Received: "):]))
    # A body may begin without its blank line, when its first line is no field.
    bare = not part.fields and r.random() < 0.1 and re.match(rb"[a-z]+ [a-z]", part.body)
    return Message(fields, found, part, bool(bare))


def ordinary(r):
    """Of a mailing list: long headers, quoting, patches; 15% quoted-printable, 8% base64, 10% with HTML beside the text."""
    extra, found = list_fields(r) if r.random() < 0.3 else ([("List-Id", "<list.lists.example.org>")], [])
    for _ in range(r.randint(2, 6)):
        extra.append(("Received", "\n".join(received(r))[len("Received: "):]))
    if r.random() < 0.6:
        extra.append(("DKIM-Signature", "\n".join(signature_field(r))[len("DKIM-Signature: "):]))
    extra += [("References", "\n\t".join("<%d.%d@a.example>" % (r.randrange(10**9), r.randrange(10**9)) for _ in range(r.randint(1, 8)))),
              ("X-Mailer", "mailer 1.%d" % r.randrange(99)), ("X-Spam-Status", "No, score=-%d.1 required=5.0" % r.randrange(9))]
    how = r.choices(("identity", "quoted-printable", "base64"), (77, 15, 8))[0]
    pen = Pen(r, ["latin"] * 5 + ["western", "cyrillic"])
    plain = lambda: pen.paragraph(links=0)  # noqa: E731
    text = plain()
    for make in r.choices((pen.paragraph, plain, lambda: pen.paragraph("> ", 0), pen.quoted, pen.patch, pen.code), (2, 20, 14, 1, 1, 14), k=r.randint(3, 18)):
        text.lines.append("")
        text.add(make())
    if r.random() < 0.3:
        text.add(Text([""])).add(pen.signature())
    part = mail_parts.text_part(r, text, "plain", "utf-8", "utf-8", how)
    if r.random() < 0.1:
        part = mail_parts.alternative(r, part)
    fields, found = header(r, part, extra, found, subject="[PATCH v%d %d/9] %s" % (r.randrange(9), r.randrange(9), " ".join(r.choices(WORDS["latin"], k=5))))
    return Message(fields, found, part)


def spam(r):
    """Pages full of markup, most of them encoded."""
    extra = [("Received", "\n".join(received(r))[len("Received: "):]) for _ in range(r.randint(1, 4))]
    page = Page(r, ["latin", "western", "cyrillic"]).text(r.randint(2, 12), markup=True)
    how = r.choices(("identity", "quoted-printable", "base64"), (30, 40, 30))[0]
    part = mail_parts.text_part(r, page, "html", "utf-8", "utf-8", how)
    if r.random() < 0.4:
        plain = mail_parts.text_part(r, Pen(r).text(), "plain", "utf-8", "utf-8", "identity")
        part = mail_parts.multipart(r, "alternative", [plain, part], damage=False)
    fields, found = header(r, part, extra)
    return Message(fields, found, part)


PROFILES = {"mix": (mixed, 3000), "news": (lambda r: mixed(r, news=True), 3000), "list": (ordinary, 1200), "spam": (spam, 800)}


def from_line(r):
    day, month, time, year = r.choice(DAYS), r.choice(MONTHS), "%02d:%02d:%02d" % (r.randrange(24), r.randrange(60), r.randrange(60)), r.randint(1993, 2024)
    who = r.choice(("user@a.example", "MAILER-DAEMON", "mboxrd@z", "-", "\"a b\"@a.example", "user@a.example "))
    return ("From %s %s %s %2d %s" % (who, day, month, r.randint(1, 28), r.choice(("%s %d", "%s %d", "%s +0100 %d", "%s CET %d", "%s %d +0100", "%s %d remote from a")))
            % (time, year)).encode()


def boxed(r, data, kind):
    """A message after its separator."""
    if kind == "mbox":
        kind = r.choices(("mboxrd", "mboxo", "raw"), (5, 3, 2))[0]
        if kind == "raw" and FROM_LINE.search(data):
            kind = "mboxrd"
    if kind == "mboxrd":
        data = re.sub(rb"(?m)^(>*From )", rb">\1", data)
    elif kind == "mboxo":
        data = re.sub(rb"(?m)^From ", b">From ", data)
    elif kind == "mboxcl2":
        head, blank, body = data.partition(b"\n\n")
        data = b"%s\nContent-Length: %d\n\n%s" % (head, len(body), body) if blank else data
    if kind == "pipermail":
        data = re.sub(rb"(?m)^From (.*\d\d:\d\d.*\b\d{4}\b)", rb">From \1", data)
        data = from_line(r) + b"\n" + data + b"\n" * (not data.endswith(b"\n"))
        return data.replace(b"\n", b"\r\n") if r.random() < 0.1 else data
    if kind == "rnews":
        return b"#! rnews %d\n%s" % (len(data), data)
    if kind == "babyl":
        head, blank, body = data.partition(b"\n\n")
        if not blank or r.random() < 0.5 or not all(re.match(rb"[!-9;-~]+[ \t]*:|[ \t]", line) for line in head.split(b"\n")):
            return b"\x1f\x0c\n0, unseen,,\n*** EOOH ***\n" + data + b"\n" * (not data.endswith(b"\n"))
        return b"\x1f\x0c\n1, answered,,\n" + head + b"\n\n*** EOOH ***\nFrom: http://copy.example/\nSubject: x\n\n" + body + b"\n" * (not body.endswith(b"\n"))
    if kind == "digest":  # RFC 1153, with no line of its own that separates
        data = b"Date: Mon, 1 Jan 2024 00:00:00 +0000\n" + data  # a field that is known comes first
        return re.sub(rb"(?m)^-{30}$", b"- " * 15, data) + b"\n" * (not data.endswith(b"\n")) + DIGEST_END
    if kind == "mmdf":
        return MMDF + data + b"\n" * (not data.endswith(b"\n")) + MMDF
    end = b"\n" if data.endswith(b"\n") else b"\n\n"
    data = from_line(r) + b"\n" + data + end
    return data.replace(b"\n", b"\r\n") if kind != "mboxcl2" and r.random() < 0.1 else data


class Source:
    """Messages one after the other: a pool, then its copies with other numbers in it."""

    def __init__(self, seed, profile):
        self.r = random.Random(seed)
        self.make, self.size = PROFILES[profile]
        self.pool, self.count = [], 0

    def next(self):
        """Bytes, and what is true of them."""
        r = self.r
        if len(self.pool) < self.size:
            message = self.make(r)
            self.pool.append((message.data, json.dumps({"body": message.body, "fields": message.fields, "never": message.never})))
        data, truth = self.pool[self.count % self.size] if self.count < self.size else r.choice(self.pool)
        self.count += 1
        number = "q%07dq" % (self.count % 10**7)
        return data.replace(TOKEN.encode(), number.encode()), truth.replace(TOKEN, number)


def write_box(source, kind, size, path, truth):
    with open(path, "wb") as out:
        offset = 0
        if kind == "babyl":
            offset = out.write(b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels: http://labels.example/\n")
        before = {"mmdf": -len(MMDF), "digest": 72}.get(kind, 0)  # a message begins after the line of MMDF, with that of a digest
        if kind == "digest":
            offset = out.write(b"From a@a.example Mon Jan  1 00:00:00 2024\nFrom: a@a.example\nSubject: Digest\n\nToday: all\n\n" + b"-" * 70 + b"\n\n")
        while offset < size or not offset:
            data, said = source.next()
            data = boxed(source.r, data, kind)
            out.write(data)
            if truth:
                truth.write('{"offset": %d, %s\n' % (offset - before, said[1:]))
            before = len(DIGEST_END) - 1 if kind == "digest" else before
            offset += len(data)


def write_folder(source, kind, size, path, truth):
    for folder in ("cur", "new", "tmp") if kind == "maildir" else ("",):
        os.makedirs(os.path.join(path, folder), exist_ok=True)
    done = number = 0
    while done < size:
        data, said = source.next()
        number += 1
        folder = source.r.choice(("cur", "new")) if kind == "maildir" else ""
        name = "17000%05d.M%dP1.host%s" % (number, number, ":2,S" * (folder == "cur")) if kind == "maildir" else str(number)
        if source.r.random() < 0.1:
            data = data.replace(b"\n", b"\r\n")
        with open(os.path.join(path, folder, name), "wb") as out:
            out.write(data)
        if truth:
            truth.write('{"file": "%s", "offset": 0, %s\n' % (os.path.join(folder, name), said[1:]))
        done += len(data)


def write(seed, megabytes, profile, kind, path, truth_path=None):
    source = Source(seed, "news" if kind == "spool" and profile == "mix" else profile)
    truth = open(truth_path, "w", encoding="utf-8") if truth_path else None
    try:
        if kind == "message":
            data, said = source.next()
            data = data.rstrip(b"\n") if source.r.random() < 0.3 else data
            with open(path, "wb") as out:
                out.write(data.replace(b"\n", b"\r\n") if source.r.random() < 0.3 else data)
            if truth:
                truth.write('{"offset": 0, %s\n' % said[1:])
        else:
            (write_folder if kind in ("maildir", "mh", "spool") else write_box)(source, kind, int(megabytes * MB), path, truth)
    finally:
        if truth:
            truth.close()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--megabytes", type=float, default=10)
    options.add_argument("--profile", choices=PROFILES, default="mix")
    options.add_argument("--box", choices="mbox mboxrd mboxo mboxcl2 pipermail mmdf rnews babyl digest message maildir mh spool".split(), default="mbox")
    options.add_argument("--out", required=True)
    options.add_argument("--truth")
    chosen = options.parse_args()
    write(chosen.seed, chosen.megabytes, chosen.profile, chosen.box, chosen.out, chosen.truth)


if __name__ == "__main__":
    main()
