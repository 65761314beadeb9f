"""Archives for outputs_test.py: files that change between two runs, folders of pages as long as a page may be, each
kind of input and of filter, and encoded mail.  All are always of the same bytes, names and times.
"""
import base64
import bz2
import io
import itertools
import lzma
import os
import quopri
import random
import re
import shutil
import struct
import tarfile
import zipfile
import zlib

import nearly
from testlib import write

TIME = 10**9
FILLER = b"a line that says little, and is followed by others like it\n"


def letter(n, size=0):
    """A message with links of several kinds, of which two in three are replies."""
    head = (f"From: Ada {n % 5} <ada{n % 5}@a.example>\nSubject: {'Re: ' if n % 3 else ''}Topic {n // 3}\n"
            f"Message-ID: <{n}@a.example>\nDate: {1 + n % 28} {('Jan', 'Feb')[n % 2]} 2024 10:{n % 60:02}:00 +0000\n"
            + (f"References: <{n - n % 3}@a.example> <{n - 1}@a.example>\n" if n % 3 else ""))
    body = (f"see http://h{n % 7}.example/{n % 11} and <URL:http://long.example/a/\n b{n}>, mid:{n // 2}@a.example\n"
            f"{'www.w.example ' * (n % 4)}\nhttp://user:pw@h{n % 5}.example/\n")
    return (head + "\n" + body).encode() + FILLER * (size // len(FILLER)) + b"\n"


def mailbox(letters):
    return b"".join(b"From ada@a.example Mon Jan  1 00:00:00 2024\n" + text for text in letters)


def packed(data):
    """A gzip file of stored blocks: other versions of zlib would compress otherwise."""
    blocks = [data[at:at + 65535] for at in range(0, len(data), 65535)] or [b""]
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + b"".join(
        struct.pack("<BHH", block is blocks[-1], len(block), len(block) ^ 0xffff) + block for block in blocks
    ) + struct.pack("<II", zlib.crc32(data), len(data))


def tar(members):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), TIME
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), data)
    return file.getvalue()


def put(path, data, at=TIME):
    write(path, data)
    os.utime(path, (at, at))
    return path


# ---- An archive that changes ----

ARCHIVE = ["a/box", "a/md", "a/mh", "a/text", "a/box.gz", "a/all.tar", "a/page", "a/one", "a/other", "a/mail.gz"]


def history():
    """(what has happened, the options of the run) after each change of the files of ARCHIVE."""
    clock = itertools.count(TIME)
    large, small = [letter(n, 40000) for n in range(60)], [letter(n) for n in range(60, 100)]

    def now(path, data):
        put(path, data, next(clock))
    shutil.rmtree("a", ignore_errors=True)
    now("a/box", mailbox(large[:50]))
    for n, text in enumerate(small[:20]):
        now(f"a/md/{('new', 'cur')[n % 2]}/{n}.host{':2,S' * (n % 2)}", text)
        now(f"a/mh/{n + 1}", small[20 + n])
    os.mkdir("a/md/tmp")
    now("a/text", b"http://text.example/ and <http://b.example/\n2>\n")
    now("a/one", mailbox([letter(300), letter(301)]))
    now("a/box.gz", packed(mailbox(small[:3])))
    now("a/all.tar", tar([("in/one", mailbox(small[3:5])), ("in/one", mailbox(small[5:6])),
                          ("two", b"http://two.example/")]))
    now("a/page", b"<!DOCTYPE html><base href='http://b.example/d/'><a href=x>a label</a> http://page.example/")
    yield "first", []
    yield "nothing", []
    now("a/box", mailbox(large))
    now("a/md/new/30.host", letter(200))
    now("a/mh/21", letter(201))
    now("a/text", b"http://text.example/ and <http://b.example/\n2>\nhttp://more.example/\n")
    yield "grown", []
    os.rename("a/md/new/0.host", "a/md/cur/0.host:2,RS")
    now("a/mh/5", letter(202))
    os.rename("a/one", "a/other")
    os.rename("a/box.gz", "a/mail.gz")
    os.utime("a/box", (next(clock),) * 2)
    yield "renamed, touched", []
    data = mailbox(large)
    for number, at in enumerate((len(data) // 5, len(data) // 2, len(data) * 9 // 10)):
        now("a/box", data[:at] + b"\nhttp://edit.example/\n" + data[at + number * 22:])
        yield f"edited {number}", []
    now("a/box", mailbox(large[:20] + large[21:]))
    yield "without a message", []
    now("a/box", mailbox(large[:40]))
    yield "cut", []
    for number in -1, 0, 1:  # beside the end of a piece
        now("a/box", data[:(1 << 20) + number])
        yield f"cut at a piece {number}", []
        now("a/box", data[:(1 << 20) + number] + b"\nhttp://end.example/\n")
        yield f"grown from there {number}", []
    now("a/box", mailbox(large[:40] + small[:2]))
    yield "grown again", ["--append-only"]
    now("a/box", mailbox(large[:1] + small[:1] + large[2:40] + small))
    yield "edited and grown", ["--append-only"]
    now("a/all.tar", tar([("two", b"http://two.example/"), ("in/one", mailbox(small[5:7])), ("three", small[9])]))
    os.remove("a/md/cur/1.host:2,S")
    os.remove("a/mh/7")
    os.remove("a/page")
    now("a/box", mailbox(small[:2] + large[2:40] + small))
    yield "gone", []
    yield "pruned", ["--prune"]
    now("a/box", b"http://text.example/ instead of mail\n")
    now("a/mail.gz", packed(mailbox(small[:9]))[:-200])
    yield "another kind, damaged", []
    now("a/box", mailbox(large[:10]))
    now("a/mail.gz", packed(mailbox(small[:9])))
    yield "all again", ["--full", "--prune"]
    yield "other options", ["--email"]


def there():
    return [name for name in ARCHIVE if os.path.exists(name)]


# ---- Pages ----

def threads(count, parent, minutes=1):
    """So many messages of one month, so many minutes apart, each of which follows parent(n); with more links if some of
    them should be on the pages of their hosts, beyond the newest 2,000."""
    more = "".join(f" http://t.example/x/{k}" for k in range(9)) if minutes > 1 else ""
    for n in range(count):
        follows = [f"References: <{parent(n)}@t.example>\n"] if n and parent(n) is not None else []
        day, rest = divmod(n * minutes, 1440)
        yield (f"From: Author {n % 700} <a@a.example>\nSubject: {'Re: ' * bool(follows)}Long\n"
               f"Message-ID: <{n}@t.example>\nDate: {1 + day} Mar 2024 {rest // 60:02}:{rest % 60:02}:00 +0000\n"
               + "".join(follows) + f"\nhttp://t.example/ http://t.example/{n % 9} http://h{n}.example/{more}\n").encode()


# Around what fits on a page (500 messages of a thread, 1,000 of a month, 50 replies, 500 links of hosts).
LENGTHS = [(count, shape, parent) for shape, parent, counts in (
    ("in a row", lambda n: n - 1, (1, 2, 50, 51, 52, 500, 501)),
    ("in a tree", lambda n: n // 3, (51, 52, 1001)),
    ("alone", lambda n: None, (500, 501, 1000, 1001, 1002)),
    ("over weeks", lambda n: None, (400, 1200))) for count in counts]


MONTHS = "Jan", "Feb", "Mar", "Apr", "May"
PREFIXES = ("", "Re: ", "re:", "RE : ", "Aw: ", "SV:", "Antw: ", "Odp: ", "Re[2]: ", "Re(3): ", "Re[: ", "[tag] ",
            "[tag] Re: ",
            "Re: [tag] ", "Re: Re:", "[tag]", "[] ", "Fwd: ", "Re")
SUBJECTS = ("", "Plan b", " plan  B", "[x]", "x" * 199, "x" * 200, "x" * 201)
AUTHORS = ("Ada <a@a.example>", "<a@a.example>", "a@a.example (Ada B)", '"Ada, B" <a@a.example>', "a@a.example ( )",
           "<>", "a@b (", "",
           "a@a.example", "x" * 100, "x" * 101, "=?utf-8?q?" + "=C3=A9" * 50 + "?= <a@a.example>", '" " <a@a.example>',
           "Ada <a@a.example")
IDS = ["%d@i.example"] * 6 + ["x" * n + "%d@i.example" for n in (89, 90, 91, 92, 186, 187, 188, 189)]
IDS += ["%d&'/?#@i.example", "%d"]


def odd_heads():
    """Messages a day apart with subjects, authors, Message-IDs and numbers of References of many kinds."""
    subjects = [prefix + base for base in SUBJECTS for prefix in PREFIXES]
    names = []
    for n, subject in enumerate(subjects):
        if n % 9 != 8:
            names.append(IDS[n % len(IDS)] % n)
        count = (0, 0, 1, 2, 9, 10, 11, 12, 0, 62, 63, 64, 65)[n % 13]
        refs = "".join(f" <{name}>\n" for name in (names[:-1] * 9)[-count:]) if count and n else ""
        month, day = divmod(n, 28)
        yield (f"From: {AUTHORS[n % len(AUTHORS)]}\nSubject: {subject}\n"
               + (f"Message-ID: <{names[-1]}>\n" if n % 9 != 8 else "")
               + (f"Date: {1 + day} {MONTHS[month]} 2023 00:00:0{n % 2} +0000\n" if n % 17 else "")
               + (f"References:{refs}" if refs else "")
               + f"\nmid:{names[n // 3 % len(names)]} and ada@m.example, n {n}\n").encode()


# ---- Limits ----

# What has n bytes for `@`, around the limit of a link.
LINKS = ("http://a.example/@ x", "<URL:http://a.example/@>", "<http://a.example/\n@>", "www.@.example/ x", "htp://@/ x",
         "(db://a@)",
         "foo://u:@\\@h.example/", "mailto:@\\@a.example", "@\\@a.example", "news:@ x", "[label](http://a.example/@)",
         "`label <http://a.example/@>`_", "http://a.example/b/\n@", "hxxp://a[.]example/@", "http://[::@]/",
         "http://a.example/%41@ x",
         "http://a.example/&amp;@ x", "\x1b]8;;http://a.example/@\x07label\x1b]8;;\x07", "http://a.example:@/ x",
         "\\url{http://a.example/@}",
         "http://a.example/@\\_b x", "file:///@ x", "http://@", "> <http://a.example/\n> @>",
         "http://\u00fc@.example/ x", "RFC @")
HTML_LINKS = ("<a href='http://a.example/@'>x</a>", "<a href=@>x</a>", "<p style='background:url(http://a.example/@)'>",
              "<img src='@'>",
              "<p style='x:@;y:url(b)'>", "<style>@import '@'; a{b:url(@)}</style>",
              "<style>a{b:url( \"@\" )} c{d:url(e)}</style>",
              "<img srcset='@ 1x, b@ 2x'>", "<meta http-equiv=refresh content='0; url=@'>",
              "<form action='http://a.example/?@'>",
              "<a title=@ href='&#104;ttp://a.example/&amp;@'>x</a>", "<a href='http://a.example/\n@'>@</a>",
              "<a ping='@ b' href=c>x</a>")
# Ends of links and next lines, of which each letter beyond ASCII takes two bytes.
WORDS = "all of the tables of the harbour are at "
ENDS = ("-", "/", "?b=", "%", ".", "_b", "=3D-")
NEXTS = (".b/c:", "b/c.html", "-b/c", "?b=c", "(b)/c.html", ",b/c", "%41/b", "&amp;b=c", "...", "\xfcb/c", ").b/c-\nd/e.html")
LIMITS = [f"--max-{name}={value}" for name, values in (
    ("breaks", (0, 1, 2, 3)), ("alternates", (0, 1, 2)), ("depth", (0, 1, 2)), ("parts", (0, 1, 2, 3)),
    ("header", (1023, 1024, 1100)),
    ("url-length", (63, 64, 65))) for value in values]


def filled(form, n):
    """The text with n bytes for `@`, n blanks for `^`, what is in guillemets n times, an at sign for `\\@`."""
    form = re.sub("(?s)\u00ab(.*?)\u00bb", lambda match: match[1] * n, form)
    return form.replace("\\@", "\0").replace("@", "y" * n).replace("\0", "@").replace("^", " " * n)


def long_links():
    """Texts and pages with links of any length around 64 bytes, on one line or on two."""
    def all_of(forms, n):
        return "\n\n".join(filled(form, n) for form in forms) + "\n\n"
    text = "".join(all_of(LINKS, n) for n in range(36, 70)).encode()
    page = "<!DOCTYPE html><base href='http://b.example/'>" + "".join(all_of(HTML_LINKS, n) for n in range(36, 70))
    joined = "\n\n".join(f"{WORDS}http://a.example/{begin}{end}\n{word}" for n in range(18, 24) for begin in ("\xfc" * n, "\xfc" * n + "y")
                         for end in ENDS for word in NEXTS)
    return [put("l/links.txt", text), put("l/links.htm", page), put("l/joined.txt", joined.encode("iso8859-1"))]


HTML_PART = "Content-Type: text/html\n\n"
FIELDS = "\u00abList-Post: <http://p.example/>\n\u00bb"
# By constants of the code, what has about so many bytes for `@`.
CONSTANTS = {
    36: ("Content-Language: @\n\nhttp://a.example/", "Content-Language: de\nContent-Language: @\n\nhttp://a.example/"),
    63: ("\nhttp://@.example/ http://\u00fc@.example/ www.@.example me\\@@.example",),
    40: ("\n<@://a.example/> @:b (y@://b.example/) [@:c] `@://d.example/`",),
    64: (FIELDS + "Subject: http://s.example/\nMessage-ID: <i\\@a.example>\nList-Help: <http://h.example/>\n"
         "X-A: http://x.example/\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nContent-Type: text/html\n\n"
         "<a href='http://a.example/'>a</a>",
         FIELDS + "\nhttp://a.example/",
         HTML_PART + "\u00ab<p hidden>\u00bbx<a href='http://a.example/'>a</a>\u00ab</p>\u00bb "
         "<a href='http://b.example/'>b</a>",
         "\n\"http://a.example/x,&@\" b 'http://a.example/x.&@;' <http://a.example/&#@;>",
         "Content-Type: text/plain; format=flowed\n\n\u00ab>\u00bba \n\u00ab>\u00bbb http://a.example/ \n\u00ab>\u00bb> c"),
    80: ("\nhttp://a.example/\nbegin 644 @\nM:'1T<#HO+V$N97AA;7!L92\\B1IF\nend\nhttp://b.example/",
         "\n=ybegin line=128 size=9 name=@\nhttp://a.example/\n=yend size=9\nhttp://b.example/",
         "\n-----BEGIN @-----\nVersion: 1\n\nhttp://a.example/\n-----END @-----\nhttp://b.example/"),
    100: ("\u00abContent-Type: multipart/mixed; boundary=b\n\n--b\n\u00bb\nhttp://a.example/",
          "\u00abContent-Type: message/rfc822\n\n\u00bbSubject: x\n\nhttp://a.example/"),
    127: ("\nhttp://\u00aby.\u00bbexample/ http://\u00fc.\u00aby.\u00bbexample/ <http://\u00ab\u00fc.\u00bbexample/> "
          "www.\u00aby.\u00bbexample",),
    128: ("Date: Mon, 1 Jan 2024 10:00:00 +0000 (@)\n\nhttp://a.example/",
          "Content-Type: text/plain; charset=@\n\nhttp://a.example/"),
    200: ("\n[@](http://a.example/) see @ <http://b.example/>", HTML_PART + "<a href='http://a.example/'>@</a>"),
    255: ("\nhttp://@/ http://a.@/", "Content-Disposition: attachment; filename=@\n\nhttp://a.example/"),
    256: ("\n@> see <http://a.example/\n@> b>", "\n\nThe @ http://a.example/\nb"),
    512: (HTML_PART + "<a href='http://a.example/'>\u00ab<i hidden>a</i>b\u00bbhttp://b.example/<i hidden>c http://c.example/</i>"
          "<p>d</p></a>",),
    1000: ("\n\x1b]0;@\x07http://a.example/ \x1b]8;;http://a.example/@\x07label\x1b]8;;\x07",),
    1024: ("Content-Base: http://a.example/@/\n" + HTML_PART + "<a href=x>y</a>", "Subject: @ http://a.example/\n\n",
           "Content-Type: text/html; x=@; charset=iso-8859-1\n\n<a href='http://a.example/'>\u00e9</a>",
           "List-Id: <@>\n\nhttp://a.example/",
           "Message-ID: <@\\@a.example>\n\nhttp://a.example/",
           HTML_PART + "<a href='http://a.example/'><img alt='@'></a>",
           HTML_PART + "<a href='http://a.example/@'>http://b.example/@</a>"),
    1280: ("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n--b^\n\nhttp://b.example/\n--b--^\n"
           "http://c.example/",),
    4096: ("Subject: =?utf-8?q?@=20http://a.example/?= http://b.example/\n\n", "X-A: @ http://a.example/\n\n",
           HTML_PART + "<p>&#@;&@;http://a.example/&#x@41;"),
    8000: ("\nhttp://a.example/@",), 8192: ("\nhttps://l.facebook.com/l.php?u=http%3A%2F%2Fa.example%2F@",),
    32768: ("Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/\u00ab=\n\u00bbb "
            "http://b.example/\u00ab=20=\n\u00bb x",),
    65536: (HTML_PART + "<style>a{b:url(@)} c{d:url(e)}</style><p style='x:@;y:url(b)'>z<p style='y:url(@)'>",
            "Subject: =?utf-8?q?a?=@b http://a.example/\n\n",
            HTML_PART + "<a href=@>x</a><a href=y>y</a><base href='http://b.example/'><a href=z>z</a>"),
    2097152: ("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
              "<a href=3D'http://a.example/'>@ </a> <p title=3D'=\n@'>http://b.example/<i>=\nc</i>",
              "X-A: x\n\nhttp://a.example/ @ http://b.example/")}
DATES = ["Mon, 1 Jan 2024 10:20:30 +0100", "31 Dec 99 23:59:59 -0730", "Tue Feb 29 00:00:00 2000",
         "1 Mar 1970 00:00 GMT (x)"]
TIMES = ("2023 24:00:00 +0000", "2024 23:60:00 +2400", "2100 00:59:61 -1260", "69 0:0:60 EST", "70 23:59 Z",
         "100 1:2:3 +1", "1969", "10000 9:9:9 UT", "49 9:60 -0000")
ODD_DATES = [f"{day} {month} {time}" for day in (0, 1, 28, 29, 30, 31, 32)
             for month in ("Jan", "feb", "Apr", "DEC", "Xyz") for time in TIMES]


def odd_dates():
    """A mailbox of messages with dates that there are and others."""
    near = [each.replace(b"\n", b" ") for date in DATES for each in nearly.nearly(date, date.encode(), 1)]
    form = b"Date: %s\nFrom: a@a.example\n\nhttp://a.example/\n\n"
    return put("l/dates", mailbox(form % date for date in [*map(str.encode, DATES + ODD_DATES), *near]))


def around_constants():
    """A mailbox for each constant, of messages in which something is up to 40 bytes shorter, or a few longer."""
    for constant, forms in CONSTANTS.items():
        step = 1 if constant < 9999 else 3 if constant < 99999 else 14
        lengths = range(max(1, constant - 40), constant + 3, step)
        letters = [f"From: a@a.example\n{filled(form, n)}\n\n".encode() for form in forms for n in lengths]
        yield constant, put(f"l/{constant}", mailbox(letters))


# ---- Mail that is encoded again ----

def encoded_mail():
    """Messages with a link, of each encoding, line end and length of the last lines; and texts that are cut anywhere,
    the longest first, so that what comes after one in memory is what another had there."""
    for encoding in ("8bit", "base64", "quoted-printable"):
        for end in (b"\n", b"\r\n"):
            texts = {n: end.join([b"x" * n + b" <http://a.example/" + b"y" * (n % 7),
                                  b"z> = " + b"\xc3\xa9" * (n % 5) + b" ",
                                  b"From " + b"v" * (n * 3 % 80), b"w" * n + end * (n % 2)])
                     for n in (*range(0, 9), *range(52, 80))}
            whole = end.join([b"see <http://a.example/y", b"z> \xc3\xa9", b"From a \t", b"", b"From =\xc3\xa9 ", b"v"])
            texts |= {"%d bytes" % n: whole[:n] for n in range(len(whole), len(whole) - 28, -1) if whole[n - 1] != 13}
            for n, text in texts.items():
                body = {"8bit": lambda data: data, "base64": lambda data: base64.encodebytes(data).replace(b"\n", end),
                        "quoted-printable": quopri.encodestring}[encoding](text)
                head = [b"From: a@a.example", b"MIME-Version: 1.0", b"Content-Type: text/plain; charset=utf-8",
                        b"Content-Transfer-Encoding: " + encoding.encode(), b"", b""]
                yield encoding, end, n, end.join(head) + body


# ---- Inputs ----

def containers():
    """The names of inputs of each kind, some as long as a block, one byte more or less."""
    link = b"http://%s.example/\n"
    letters = [letter(n) for n in range(40)]
    names = []
    for size in (65535, 65536, 65537, 262143, 262144, 262145):
        names.append(put(f"b/tree/{size}", link % b"a" + b"x" * (size - 40) + b"\n" + link % b"b"))
        names.append(put(f"b/box{size}", (mailbox(letters[:2]) + FILLER * 5000)[:size - 60] + b"\n\n"
                         + mailbox(letters[2:4])))
    for name, size, every in (("lines", 59, 7), ("long lines", 9000, 5), ("one line", 200000, 99)):
        text = b"".join((FILLER * (size // 50))[:size] + b"\n" * (2 if n % every == 3 else 1) + link % (b"n%d" % n)
                        for n in range(200000 // size))
        names.append(put("b/" + name, text))
    names.append(put("b/many", mailbox(letter(n) for n in range(300))))
    names.append(put("b/lengths", mailbox(letter(n, n * 50).replace(b"\n\n", b"\nContent-Length: %d\n\n" % (n * 50), 1)
                                          for n in range(60))))
    for n in range(40):
        put(f"b/tree/f{n:02}", link % (b"f%d" % n) * (n % 4))
        put(f"b/md/cur/{n}:2,S", letters[n])
        put(f"b/md/.Sent/new/{n}", letters[n]) if n % 4 == 0 else None
        put(f"b/mh/{n + 1}", letters[n])
        put(f"b/spool/{n % 3}/{n}", letters[n])
    put("b/mh/.mh_sequences", link % b"no")
    put("b/mh/name", link % b"no")
    put("b/tree/.hidden/x", link % b"hidden")
    put("b/tree/sub/deep/page.html", b"<!DOCTYPE html><a href='http://page.example/'>x</a>")
    put("b/tree/sub/binary", b"\x7fELF\0" + link % b"no")
    put("b/tree/sub/late", b"x" * 9000 + b"\0" + link % b"late")
    put("b/tree/empty", b"")
    box = mailbox(letters)
    inner = zipped([("in", link % b"inner"), ("box", box)])
    archive = tar([("one", box), ("two", link % b"two"), ("binary", b"\0" + link % b"no"), ("in.zip", inner)])
    for name, data in (("box.gz", packed(box)), ("two.gz", packed(box) + packed(link % b"two")),
                       ("a.tar.gz", packed(archive)),
                       ("box.bz2", bz2.compress(box) + bz2.compress(link % b"two")), ("box.xz", lzma.compress(box)),
                       ("box.lzma", lzma.compress(box, lzma.FORMAT_ALONE)), ("a.zip", inner), ("a.tar", archive)):
        put("b/packed/" + name, data)
        if name.endswith("box.gz") or name.endswith("bz2"):
            put("b/cut/" + name, data[:len(data) * 2 // 3])
            put("b/more/" + name, data + link % b"more")
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='/%d'>x</a>"
    records = [b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w%d.example/\r\n"
               b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (n, len(http % n), http % n)
               for n in range(9)]
    put("b/web.warc", b"".join(records))
    put("b/web.warc.gz", b"".join(packed(record) for record in records))
    return names


def heads():
    """Packed files that are cut, or in which a byte is another, where it is told what they are."""
    text = b"http://a.example/\n" * 20
    entry = b"%06o" * 6 % (0, 1, 0o100644, 0, 0, 1)
    old = b"070707" + entry + b"%06o%011o%06o%011o" % (0, 0, 2, len(text)) + b"a\0" + text
    new = b"070701" + b"%08x" * 13 % (1, 0o100644, 0, 0, 1, 0, len(text), 0, 0, 0, 0, 2, 0) + b"a\0" + text
    pack = io.BytesIO()
    with tarfile.open(fileobj=pack, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        member = tarfile.TarInfo("a")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a"), text)
    forms = {"gzip": packed(text), "bzip2": bz2.compress(text), "xz": lzma.compress(text), "cpio": old, "newc": new,
             "lzma": lzma.compress(text, lzma.FORMAT_ALONE), "tar": pack.getvalue(), "zip": zipped.getvalue(),
             "lzip": b"LZIP\1\14" + text, "zstd": b"\x28\xb5\x2f\xfd" + text, "binary": b"\xc7\x71" + bytes(24) + text}
    places = {"cpio": [*range(7), 75, 76], "newc": [*range(7), 109, 110], "zip": range(4), "binary": [0, 1, 20, 21, 25],
              "tar": [0, 99, 147, 148, 150, 155, 156, 257, 511]}
    for form, data in forms.items():
        for at in places.get(form, range(18)):
            for byte in (data[at] ^ 0x80, (data[at] + 1) % 256 if form in ("tar", "lzma", "bzip2", "lzip") else 0x80):
                yield put(f"heads/{form}-{at}-{byte}", data[:at] + bytes([byte]) + data[at + 1:])
            yield put(f"heads/{form}-{at}", data[:at])


def input_runs(names):
    """(arguments, standard input) of runs over the inputs."""
    folders = ["b/tree", "b/md", "b/mh", "b/spool"]
    given = [["--recursive", *folders], ["-r", "--hidden", "b/tree"], [*folders[1:], "b/gone", "b/md"],
             [*names, "b/box65536"],
             ["-r", "--include=f1*", "--include=late", "b/tree"], ["-r", "--exclude=sub", "--exclude=f?[13]*", "b"],
             *([f"--nest={nest}", "-r", "b/packed"] for nest in (0, 1, 2)), ["-r", "b/cut", "b/more"],
             ["b/web.warc", "b/web.warc.gz"],
             *([f"--input={kind}", *names[:2], "b/web.warc", "b/mh/1"]
               for kind in ("text", "html", "mail", "mbox", "warc")),
             *([f"--input={kind}", *folders] for kind in ("maildir", "mh", "spool", "inbox"))]
    for args in given:
        for options in (["--json", "--summary"], ["-cH"], ["-u", "--unique-limit=7", "-n"]):
            yield [*options, *args], b""
    listed = "\n".join(names + ["b/md", "b/gone", ""]).encode()
    yield ["--files-from=-", "-cH"], listed
    yield ["--files-from=-", "-0c"], listed.replace(b"\n", b"\0")
    yield ["--label=x", "-nbH", "b/mh/1", "-"], letter(5)


ENTRIES = """1 2 9 10 01 0 1a 123456789012345678 1234567890123456789 .1 ,1 #1 a a.eml A.EML .eml .b.eml a.emlx c.emlx.x x.eml.gz
.mh_sequences a.txt b.csv c.htm .hidden/1 1/ 2/1 sub/1 sub/a.eml sub/1/3 cur/ new/ tmp/ cur/1 cur/b:2,S new/a new/.x new/sub/y tmp/z
sub/cur/1 sub/new/2 .Sent/cur/1 .Sent/new/ git/0.git/HEAD git/0.git/objects/ git/x.git/HEAD git/01.git/ git/1.git.x all.git/HEAD
all.git/objects/ HEAD objects/ 0.git/HEAD 0.git/objects/ link>gone 3>gone 4>a 5>sub d.eml>gone e.eml>a cur/l>gone""".split()


def folders():
    """Folders with a few of these names each, which say together what kind of folder it is."""
    draw = random.Random(7)
    for number in range(150):
        folder = f"k/{number:03}"
        drawn = draw.sample(ENTRIES, draw.choice((1, 1, 2, 2, 3, 4, 5, 7)))
        if number % 3 == 0:
            drawn += draw.choice((["cur/", "new/"], ["1", ".mh_sequences"], ["sub/1", "sub/2"], ["a.eml"]))
        for entry in dict.fromkeys(drawn):
            name, _, target = entry.partition(">")
            path = f"{folder}/{name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path):
                continue
            if target:
                os.symlink(target, path)
            elif name.endswith("/"):
                os.makedirs(path)
            elif not any(os.path.isfile(path[:at]) for at in range(len(folder) + 1, len(path)) if path[at] == "/"):
                put(path, b"From: a\n\nhttp://%s.example/\n" % path.replace("/", "-").encode().replace(b":", b"-"))
        yield folder


def kinds():
    """Files whose names say what they are, packed or not."""
    text = b'"x http://a.example/u,v",http://b.example/p;http://c.example/q\nhttp://d.example/v,w <a href="http://e.example/r">s</a>\n'
    for name in ("a", "a.csv", "a.CSV", ".csv", "a.csv.", "acsv", "a.csvx", "a.htm", "a.HTML", "a.xhtml", ".htm", "a.html.csv", "a.csv.html",
                 "a.csv.x", "a.htm.gz", "a.emlx", "b.csv.gz.gz"):
        yield put("n/" + name, text)
        yield put(f"n/{name}.gz", packed(text))
        yield put(f"n/{name}.zip", zipped([(name, text), ("in" + name + ".gz", packed(text))]))


def name_runs():
    """Runs over these: by kind of folder, with all files of a tree, and with some."""
    names = list(folders())
    for args in ([], ["--input=mh"], ["--input=maildir"], ["--input=spool"], ["--input=inbox"], ["-r"], ["-r", "--hidden"],
                 ["-r", "--include=*.eml", "--include=1"], ["-r", "--exclude=sub", "--exclude=*/cur/*", "--hidden"]):
        yield ["list", "-j1", "-H", "--summary", *args, *names]
    yield ["shards", "--size=1", *names]
    for args in ([], ["--input=csv"], ["--input=html"], ["--nest=0"]):
        yield ["list", "-j1", "-bnH", *args, *kinds()]


FILTERED = b"""see http://a.example/x, <HTTP://B.example:80/y?q=1>, <URL:ftp://c.a.example/
z>, "mailto:ada@a.example", www.d.example and http://e.example./%7e, http://[2001:db8::1]/ gopher://f.example/
https://l.facebook.com/l.php?u=http%3A%2F%2Fa.example%2Fin http://user:pw@g.example/ http://b\xc3\xbccher.example/
http://a.example.org/ http://xa.example/ <htp://a.example/> news:a.b.c http://a.example/%zz http://192.0.2.1/
eve@a.example
"""
FILTERS = [f"--{no}{kind}={value}" for kind, values in (
    ("scheme", ("http", "ftp,mailto", "HTTP,gopher", "htp", "1x", "")),
    ("host", ("a.example", ".a.example", "A.EXAMPLE", "*.example", "?.example", "a*e", "e.example", "e.example.",
              "[2001:db8::1]",
              "b\u00fccher.example", "192.0.2.*", "", "*", ".", "a.example,b", "a:1")),
    ("match", ("a", "^http", "/$", "(", "l\\.php", "in$")),
    ("valid", ("rfc1738", "rfc3986", "rfc3987", "rfc3986,rfc1738", "x")))
    for value in values for no in ("", "not-")]
FILTERS += [f"--{option}={value}" for option, values in (
    ("convention", ("wrapper", "angle,quoted", "bare", "schemeless", "email", "prefix", "Bare", "x")),
    ("warned", ("password", "any", "homograph,password", "x")),
    ("no-warning", ("password", "any"))) for value in values]


def filter_runs():
    runs = [[option] for option in FILTERS] + [[a, b] for a, b in zip(FILTERS[::3], FILTERS[1::3])]
    for options in runs + [["--unwrap", *options] for options in runs if re.search("host|match", options[0])]:
        yield [*options, "--email", "--summary", "--base=http://a.example/"], FILTERED


def range_runs():
    """Ranges that begin at each message, one byte before or after it."""
    longer = letter(12).replace(b"\n\n", b"\nContent-Length: 9\n\n", 1)
    box = mailbox([*(letter(n) for n in range(12)), longer, letter(13)])
    put("r/ranges", box)
    starts = [at for at in range(len(box)) if box.startswith(b"From ada@", at)] + [len(box)]
    for start in starts:
        for at in {max(0, start + k) for k in (-1, 0, 1)}:
            yield [f"--range={at}:{1 if at % 2 else 500}", "-bn", "--summary", "r/ranges"], b""
        yield [f"--range={start}:500:{1 + box[:start].count(10)}", "-bn", "r/ranges"], b""
