#!/usr/bin/env python3
"""Mailboxes as pipermail and its like write them: where messages begin, and which links are theirs.

usage: mbox_test.py

Mailboxes are generated from seeds, in four forms (LF or CRLF, with and without a blank line before From_ lines), with
all that has misled readers: From_ lines with ` at ` in the address, prose that begins with `From `, folds, a line of
blanks in the header block, `>From ` lines, multiparts without a closing delimiter. Where each message begins, its
id and its links are known. Python's mailbox module, which splits at each line that begins with `From `, counts
the messages of mailboxes without such prose too.
"""
import collections
import json
import mailbox
import os
import random
import subprocess
import tempfile

from testlib import HANG, LONG, URLSIFT, complaints, finish

SEEDS = 30 if LONG else 3
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
    for record in map(json.loads, done.stdout.splitlines()):
        if record["type"] == "link":
            found[record["message"]["offset"]][0] = record["message"].get("id")
            found[record["message"]["offset"]][1].append(record["text"])
    shown = subprocess.run([URLSIFT, "html", "--input=mbox", path], capture_output=True, timeout=HANG, check=False)
    return {at: (name, links) for at, (name, links) in found.items()}, shown.stdout.count(b'<article class="m"')


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "box")
        for seed in range(SEEDS):
            for end, blank, prose in ((e, b, p) for e in ("\n", "\r\n") for b in (True, False) for p in (True, False)):
                what = "seed %d, %s, %s blank line, %s prose" % (seed, "CRLF" if end == "\r\n" else "LF", "a" if blank else "no", "with" if prose else "no")
                data, truth = make(seed, end, blank, prose)
                with open(path, "wb") as file:
                    file.write(data)
                found, count = found_in(path)
                wanted = {at: (name, links) for at, (name, links) in truth.items() if links}
                faults = ["at %d: %s, not %s" % (at, found.get(at), wanted.get(at)) for at in sorted(found.keys() | wanted.keys())
                          if found.get(at) != wanted.get(at)]
                faults += ["%d messages, not %d" % (count, MESSAGES)] * (count != MESSAGES)
                if not prose and len(mailbox.mbox(path)) != MESSAGES:
                    faults.append("Python's mailbox counts others")
                complaints(what, faults)
    finish()


if __name__ == "__main__":
    main()
