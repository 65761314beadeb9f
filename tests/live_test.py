"""Input that pauses: each link is written before the next line comes, and what is written does not depend on pauses.

The writer waits for the output, so nothing is measured on the clock; only where no output may come, it pauses.
"""
import os
import select
import subprocess

from testlib import HANG, URLSIFT, check, expect, finish, run, temporary_folder, write

PAUSE = 0.12  # seconds: the command takes input for live after 0.05


class Live:
    """A command that reads a pipe, or the file `fifo`."""

    def __init__(self, *args, fifo=None):
        self.process = subprocess.Popen([URLSIFT, *args], stdin=subprocess.DEVNULL if fifo else subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.input = open(fifo, "wb", buffering=0) if fifo else self.process.stdin
        self.output = self.process.stdout.fileno()

    def put(self, text):
        self.input.write(text.encode())
        self.input.flush()

    def get(self, wanted):
        """What is written until `wanted` is in it, or the output ends, or nothing comes: a failure."""
        seen = b""
        while wanted.encode() not in seen and select.select([self.output], [], [], HANG)[0]:
            more = os.read(self.output, 65536)
            if not more:
                break
            seen += more
        return seen.decode()

    def is_quiet(self):
        return not select.select([self.output], [], [], PAUSE)[0]

    def end(self):
        self.input.close()
        rest = self.process.stdout.read().decode()
        self.process.wait()
        return rest


def follow(what, args, lines, wanted, **more):
    """Writes the lines; wanted[i] is in the output before the line after it is written, "" where nothing is."""
    live, seen = Live(*args, **more), ""
    for line, link in zip(lines, wanted):
        live.put(line)
        if link:
            got = live.get(link)
            expect(what, link in got, got, line)
            seen += got
        else:
            expect(what, live.is_quiet(), "output", line)
    seen += live.end()
    text = "".join(lines)
    check(f"{what}: as without pauses", seen, run(*args, text=text).stdout.decode() if "fifo" not in more else seen)


def test_texts():
    times = [f"2026-11-21T18:00:0{i} host GET http://log.example/{i} 200\n" for i in range(4)]
    links = [f"http://log.example/{i}" for i in range(4)]
    follow("a log with times", [], times, [link + "\n" for link in links])
    follow("its records", ["--json"], times, [f'"text":"{link}"' for link in links])
    follow("its records by a template", ["--format=%l %u"], times, [f"{i + 1} {link}\n" for i, link in enumerate(links)])
    follow("each link once", ["-u"], [times[0], times[0], times[1]], [links[0], "", links[1]])
    follow("its text rewritten", ["rewrite", "--as=angle"], times, [f"<{link}> 200\n" for link in links])
    follow("a page of it", ["html", "--fragment"], times, [f"{link}</a> 200\n" for link in links])
    follow("a link at the end of a line waits", [], ["http://a.example/1\n", "http://a.example/2\n", "x\n"],
           ["", "http://a.example/1\n", "http://a.example/2\n"])
    follow("with --join=declared it does not", ["--join=declared"],
           ["http://a.example/1\n", "http://a.example/2\\\n", "b\n"], ["/1\n", "", "http://a.example/2b\n"])
    follow("a chat", [], ["<jo> see http://a.example/1 :)\n", "<al> thanks\n", "<al> or http://a.example/2?\n", "<jo> no\n"],
           ["/1\n", "", "", "/2\n"])
    follow("names and colons are text after eight lines", [], ["jo: see http://a.example/ here\n"] * 10,
           [""] * 7 + ["http://a.example/\n" * 8] + ["http://a.example/\n"] * 2)
    follow("records of JSON", [], ['{"url":"http://a.example/1","n":1}\n'] * 2, ["/1\n"] * 2)


def test_rules():
    write("rules", "RFC (\\d+) => http://rfc.example/$1\n")
    follow("links of rules", ["--rules=rules"], ["see RFC 1738 there\n", "and RFC 3986 here\n"], ["/1738\n", "/3986\n"])


def test_mail():
    head, body = ["From: Jo <jo@a.example>\n", "Subject: http://subject.example/\n", "\n"], "see http://body.example/ there\n"
    follow("a mail whose header pauses is a mail", ["--json"], [*head, body],
           ["", "", '"field":"Subject"', '"part":"1","subject":"http://subject.example/"'])
    mbox = ["From jo Sat Nov 21 18:00:00 2026\n", "From: Jo <jo@a.example>\n", "\n", body, "bye\n", "\n"]
    follow("a mailbox", [], mbox * 2, (["", "", "", "http://body.example/\n", "", ""]) * 2)
    base64 = ["From: a\n", "Date: b\n", "MIME-Version: 1.0\n", "Content-Transfer-Encoding: base64\n", "\n",
              "c2VlIGh0dHA6Ly9hLmV4YW1wbGUvIHRoZXJlCgo=\n"]
    follow("an encoded part", [], base64, [""] * 5 + ["http://a.example/\n"])


def test_fifo():
    os.mkfifo("fifo")
    follow("a FIFO", ["fifo"], ["at http://a.example/1 now\n", "at http://a.example/2 now\n"], ["/1\n", "/2\n"], fifo="fifo")


def writes_of(*args):
    """What each write of the output wrote: the pipe keeps them apart."""
    try:
        output, sink = os.pipe2(os.O_DIRECT)
    except (AttributeError, OSError):
        return None
    with subprocess.Popen([URLSIFT, *args], stdout=sink):
        os.close(sink)
        with open(output, "rb", buffering=0) as file:
            return list(iter(lambda: file.read(4096), b""))


def test_line_buffered():
    lines = [f"http://a.example/{i}\n".encode() for i in range(50)]
    write("text", b"".join(lines))
    writes = writes_of("list", "--line-buffered", "text", "text")
    if writes is not None:
        check("--line-buffered writes each link at once", writes, lines * 2)
        check("without it, many", len(writes_of("list", "text")), 1)


with temporary_folder():
    test_texts()
    test_rules()
    test_mail()
    test_fifo()
    test_line_buffered()
finish()
