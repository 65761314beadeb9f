"""Files to measure on, made once in $BENCH_DIR (or urlsift-bench in the folder for temporary files), all in the same way everywhere
but for `docs`, which are those of the system."""
import gzip
import os
import random
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import mail_generate  # noqa: E402

MB = 1_000_000
FOLDER = os.environ.get("BENCH_DIR") or os.path.join(tempfile.gettempdir(), "urlsift-bench")
SKIPPED = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".woff", ".woff2", ".ttf", ".xz", ".bz2", ".zip")


def documentation(path, size, name="/usr/share/doc"):
    """The package documentation of this system, unpacked."""
    with open(path, "wb") as out:
        for folder, folders, files in os.walk(name):
            folders.sort()
            for file in sorted(files):
                source = os.path.join(folder, file)
                if not os.path.isfile(source) or file.endswith(SKIPPED):
                    continue
                try:
                    with (gzip.open if file.endswith(".gz") else open)(source, "rb") as text:
                        shutil.copyfileobj(text, out)
                except (OSError, EOFError):
                    continue
                if out.tell() >= size:
                    break
            if out.tell() >= size:
                break
    fill(path, size)


def fill(path, size):
    """Repeats a file that is too short, cuts one that is too long."""
    with open(path, "rb+") as file:
        data = file.read()
        have = len(data)
        while data and have < size:
            have += file.write(data)
        file.truncate(min(have, size))


def rfc(path, size):
    """Pages as RFCs have them: links are few."""
    r = random.Random(3)
    words = "the of a protocol server client message header field value must should may not be octets section request response entity".split()
    pages = []
    for page in range(400):
        lines = []
        while len(lines) < 54:
            text = " ".join(r.choices(words, k=r.randint(20, 80)))
            lines += ["", *("   " + line for line in wrapped(text, 69))]
        if page % 3 == 0:
            lines[r.randrange(4, 50)] = "   [RFC%d]  Author, \"A Title\", <http://www.rfc%d.example/rfc/rfc%d.txt>." % (page, page, page)
        pages.append("\n".join(["", "RFC %04d                 A Protocol of Many Words               May 1999" % page, "", *lines[:54], "", "",
                                "Author, et al.              Standards Track                   [Page %d]" % page, "\f", ""]))
    repeat(path, size, "".join(pages).encode())


def wrapped(text, width):
    while len(text) > width:
        at = text.rfind(" ", 0, width)
        yield text[:at]
        text = text[at + 1:]
    yield text


def repeat(path, size, data):
    with open(path, "wb") as out:
        while out.tell() < size:
            out.write(data)
        out.truncate(size)


def urls(path, size):
    r = random.Random(1)
    words = ["a", "b", "index", "view", "list", "2024", "doc", "x-y", "news", "archive", "item.html", "q1"]
    with open(path, "w", encoding="ascii") as out:
        while out.tell() < size:
            out.write("".join("http%s://www.%s%d.example/%s?id=%d\n" % (r.choice(["", "s"]), r.choice(words), r.randrange(999),
                      "/".join(r.choices(words, k=r.randrange(5))), r.randrange(10**6)) for _ in range(1000)))


def log(path, size):
    r = random.Random(2)
    with open(path, "w", encoding="ascii") as out:
        while out.tell() < size:
            out.write("".join('192.0.2.%d - - [10/Oct/2024:13:55:%02d +0000] "GET /p/%d HTTP/1.1" 200 %d "https://www.h%d.example/a/%d" "Agent/1.%d"\n'
                      % (r.randrange(256), r.randrange(60), r.randrange(10**5), r.randrange(10**6), r.randrange(99),
                         r.randrange(10**5), r.randrange(9)) for _ in range(1000)))


def cyrillic(path, size):
    """koi8-r: text that goes through iconv."""
    r = random.Random(4)
    pen = mail_generate.Pen(r, ["cyrillic"])
    text = "".join(str(pen.paragraph(links=r.random() < 0.3)) + "\n" for _ in range(4000))
    repeat(path, size, text.encode("koi8_r"))


def mailing_list(path, size):
    mail_generate.write(1, size / MB, "list", "mboxrd", path)


def spam(path, size):
    mail_generate.write(1, size / MB, "spam", "mboxrd", path)


def one_mail(path, size):
    """A single message of 20 KB."""
    r = random.Random(5)
    pen = mail_generate.Pen(r)
    text = ""
    while len(text) < size - 700:
        text += str(pen.paragraph(links=r.random() < 0.1)) + "\n"
    with open(path, "w", encoding="ascii") as out:
        out.write("From: User <user@a.example>\nTo: list@lists.example.org\nSubject: words\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n"
                  "Message-ID: <1@a.example>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n" + text)


MAKERS = {"docs": documentation, "rfc": rfc, "list": mailing_list, "spam": spam, "urls": urls, "log": log, "koi8-r": cyrillic, "one": one_mail}


def settle(source, path):
    """A copy written in large blocks: what was written bit by bit lies in the page cache bit by bit, and is read more slowly."""
    with open(source, "rb") as file, open(path, "wb", buffering=0) as out:
        while data := file.read(4 << 20):
            out.write(data)
    os.remove(source)


def get(name, size):
    """The path of a corpus of about so many bytes."""
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, "%s-%d" % (name, size // MB or size))
    if not os.path.exists(path):
        MAKERS[name](path + ".made", size)
        settle(path + ".made", path + ".new")
        os.replace(path + ".new", path)
    return path


def part(path, size):
    """The path of its first bytes, up to a line end, for a command that is slow; itself when it is no longer."""
    if os.path.getsize(path) <= size:
        return path
    short = os.path.join(FOLDER, "%s.first-%d" % (os.path.basename(path), size))
    if not os.path.exists(short) or os.path.getmtime(short) < os.path.getmtime(path):
        with open(path, "rb") as file, open(short + ".new", "wb") as out:
            data = file.read(size)
            out.write(data[:data.rfind(b"\n") + 1] or data)
        os.replace(short + ".new", short)
    return short
