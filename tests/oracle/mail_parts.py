"""Parts of mail (RFC 2045 to 2049, 2017, 2231, 3676) with known URLs, whole and damaged: what mail_generate.py makes messages of."""
import base64
import binascii
import quopri
import re
from urllib.parse import quote

from mail_text import CHARSETS, SHIFTED, TOKEN, WIDE, WORDS, Page, Pen, Text, url

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
DEEPEST = 6


class Part:
    """A part: its own header fields, its body with LF, the URLs in the body, in header fields (targets), and what must not be found."""

    def __init__(self, fields, body, found=(), never=(), targets=(), boundaries=()):
        self.fields, self.body = fields, body
        self.found, self.never, self.targets = list(found), list(never), list(targets)
        self.boundaries = list(boundaries)  # of this part, then of those inside

    def bytes(self):
        return lines_of(self.fields) + b"\n" + self.body


def lines_of(fields):
    text = "".join(name + ":" + " " * (value != "") + value + "\n" for name, value in fields)
    return text.encode("utf-8", "surrogateescape")


def with_number(r, text):
    """A text whose TOKEN has become a number, for bodies that an encoding hides from those who would vary it."""
    number = "q%07dq" % r.randrange(10**7)
    lists = ([x.replace(TOKEN, number) for x in items] for items in (text.lines, text.found, text.never))
    return Text(*lists)


# ---- Header fields ----

def date(r):
    return "%s, %d %s %d %02d:%02d:%02d +0%d00" % (r.choice(DAYS), r.randint(1, 28), r.choice(MONTHS), r.randint(1993, 2024),
                                                   r.randrange(24), r.randrange(60), r.randrange(60), r.randrange(10))


def received(r):
    """A Received field, its lines folded."""
    return ["Received: from mx%d.a.example (mx%d.a.example [192.0.2.%d])" % (r.randrange(99), r.randrange(99), r.randrange(256)),
            "\tby lists%d.example.org (Postfix) with ESMTPS id %X" % (r.randrange(9), r.randrange(16**10)),
            "\tfor <list@lists.example.org>; " + date(r)]


def signature_field(r):
    lines = ["DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=a.example; s=s%d;" % r.randrange(999),
             "\th=from:to:subject:date:message-id:in-reply-to:references;", "\tbh=" + "%043x=;" % r.getrandbits(170)]
    return lines + ["\tb=" * (i == 0) + "\t" * (i > 0) + "%072X" % r.getrandbits(288) for i in range(4)]


def list_fields(r):
    """Fields of a mailing list (RFC 2369, 2919), and the URLs in them."""
    name = "list%d" % r.randrange(10**5)
    home, leave = url(r), "mailto:%s-leave@lists.example.org?subject=unsubscribe" % name
    fields = [("List-Id", "Some words <%s.lists.example.org>" % name), ("List-Archive", "<%s>" % home), ("List-Unsubscribe", "<%s>,\n\t<%s/x>" % (leave, home)),
              ("Precedence", "list")]
    return fields, [home, leave, home + "/x"]


def header(r, part, extra=(), found=(), news=False, subject=None):
    """The lines of a message's header block around a part's own fields; and the URLs in them."""
    pen = Pen(r)
    words, urls = (subject, []) if subject else subject_of(r)
    fields = [("From", "User %d <user%d@a%d.example>" % (r.randrange(99), r.randrange(999), r.randrange(10**4))), ("Subject", words), ("Date", date(r)),
              ("Message-ID", "<%s.%d@a.example>" % (TOKEN, r.randrange(10**9)))]
    if news:
        fields += [("Path", "news.a.example!not-for-mail"), ("Newsgroups", "alt.test.%s" % r.choice(pen.words))]
    else:
        fields.append(("To", "list@lists.example.org"))
    if part.fields or r.random() < 0.8:
        fields.append(("MIME-Version", "1.0"))
    return fields + list(extra) + part.fields, list(found) + urls + part.targets


def word(r, name, codec, text):
    """Encoded-words (RFC 2047) of a text, its bytes cut anywhere where the charset has no state."""
    kind, language = r.choice("QBqb"), r.choice(("", "", "", "*en"))
    step = r.choice((8, 16, 21))
    if codec in SHIFTED:
        chunks = [text[i:i + step].encode(codec) for i in range(0, len(text), step)]
    else:
        data = text.encode(codec)
        chunks = [data[i:i + 2 * step] for i in range(0, len(data), 2 * step)]
    words = []
    for chunk in chunks:
        if kind in "Bb":
            coded = base64.b64encode(chunk).decode()
        else:
            coded = "".join("_" if b == 32 else chr(b) if chr(b).isalnum() and b < 128 or chr(b) in "!*+-/:." else "=%02X" % b for b in chunk)
        words.append("=?%s?%s?%s?=" % (name + language, kind, coded))
    return r.choice((" ", "\n ", "\n\t")).join(words)


def subject_of(r):
    """The value of a Subject field, and the URLs in it."""
    names, codec, scripts = r.choice(CHARSETS)
    pen = Pen(r, scripts)
    words, found = pen.prose(r.randint(2, 8)), []
    if r.random() < 0.2:
        found.append(pen.url().replace(TOKEN, "x"))
        words.insert(r.randrange(len(words) + 1), found[0])
    text = " ".join(words)
    name = r.choice(names)
    if codec == "ascii" or not name or r.random() < 0.05:
        return text, found
    return r.choice(("", "Re: ", "[list] ")) + word(r, name, codec, text), found


def url_field(r):
    """A field that carries a URL."""
    u = url(r)
    name, form = r.choice((("Archived-At", "<%s>"), ("X-URL", "%s"), ("Content-Location", "%s"), ("Content-Base", '"%s"'), ("List-Help", "<%s> (words)"),
                           ("List-Subscribe", "<mailto:x%d@lists.example.org>,\n <%%s>" % r.randrange(10**5))))
    more = re.findall("<(mailto:[^>]*)>", form)
    return (name, form % u), more + [u]


def content_type(r, kind, **parameters):
    """A Content-Type field, its parameters in one of the ways they are written in."""
    value = r.choice((kind, kind, kind, kind.title(), kind + " (words)"))
    for name, text in parameters.items():
        token = re.fullmatch(r"[-A-Za-z0-9_.+!]+", text)
        forms = ['%s="%s"' % (name, text)] * 3 + (["%s=%s" % (name, text)] * 3 + ["%s*=us-ascii'en'%s" % (name, text)] if token else [])
        if len(text) > 8 and '"' not in text:
            forms.append('%s*0="%s";\n\t%s*1="%s"' % (name, text[:7], name, text[7:]))
        value += r.choice(("; ", ";", ";\n\t", ";\n ")) + r.choice(forms)
    return "Content-Type", value + r.choice(("", "", "", ";"))


# ---- Transfer encodings and their damage ----

QP_NAMES = ["quoted-printable", "Quoted-Printable", "QUOTED-PRINTABLE", '"quoted-printable"', "quoted-printable (words)"]
BASE64_NAMES = ["base64", "Base64", "BASE64", "base64 (words)"]
IDENTITY_NAMES = [None, None, "7bit", "8bit", "binary", "8BIT", "x-unknown"]


def damage_qp(r, line):
    """A line as broken encoders and carriers leave it, that still says the same."""
    if line.endswith(b"="):
        return line + r.choice((b" ", b"\t", b"  "))
    return line + r.choice((b"  ", b"\t"))


def quoted_printable(r, data, damage):
    coded = quopri.encodestring(data, quotetabs=r.random() < 0.1)
    if r.random() < 0.2:
        coded = re.sub(rb"=[0-9A-F]{2}", lambda m: m[0].lower(), coded)
    if damage:
        coded = b"\n".join(damage_qp(r, line) if r.random() < 0.1 else line for line in coded.split(b"\n"))
        coded += r.choice((b"", b"=", b"=\n", b"\nx = y\n=zz =G1"))
    return coded


def base64_lines(r, data, damage):
    step = r.choice((57, 57, 57, 54, 45, 300)) if not damage else r.choice((19, 57, 58, 1000))
    if damage and len(data) > 3 and r.random() < 0.3:
        half = len(data) // 2
        lines = [base64.b64encode(data[:half]), base64.b64encode(data[half:])]
    else:
        whole = base64.b64encode(data)
        step = step * 4 // 3
        lines = [whole[i:i + step] for i in range(0, len(whole), step)]
    if damage:
        lines = [line[:7] + r.choice((b" ", b"!", b"\t", b"", b"")) + line[7:] for line in lines]
        if r.random() < 0.3:
            lines[-1] = lines[-1].rstrip(b"=")
    return b"\n".join(lines) + b"\n"


def text_part(r, text, subtype, codec, name, how, damage=False, fields=(), **parameters):
    """A text as a part in a charset and a transfer encoding."""
    if how != "identity":
        text = with_number(r, text)
    data = str(text).encode(codec)
    fields = list(fields)
    if name:
        fields.append(content_type(r, "text/" + subtype, charset=name, **parameters))
    elif subtype != "plain" or parameters:
        fields.append(content_type(r, "text/" + subtype, **parameters))
    else:
        fields += [[], [], [("Content-Type", "text/plain")], [("Content-Type", "text")], [("Content-Type", "")]][r.randrange(5)]
    if how == "quoted-printable":
        data, encoding = quoted_printable(r, data, damage), r.choice(QP_NAMES)
    elif how == "base64":
        data, encoding = base64_lines(r, data, damage), r.choice(BASE64_NAMES)
    else:
        encoding = r.choice(IDENTITY_NAMES)
    if encoding:
        fields.append(("Content-Transfer-Encoding", encoding))
    r.shuffle(fields)
    return Part(fields, data, text.found, text.never)


def any_text(r, subtype="plain"):
    """A text of any charset and encoding."""
    names, codec, scripts = r.choice(CHARSETS + WIDE)
    how = "base64" if codec.startswith("utf_16") else r.choices(("identity", "quoted-printable", "base64"), (5, 3, 2))[0]
    pen = (Page if subtype == "html" else Pen)(r, scripts, iris=codec != "ascii")
    if subtype == "plain" and r.random() < 0.2:
        delsp = r.random() < 0.5
        more = {"format": r.choice(("flowed", "Flowed"))} | ({"delsp": r.choice(("yes", "YES"))} if delsp else r.choice(({}, {"delsp": "no"})))
        # A blank that ends a line is lost in a damaged quoted-printable body, and with it the soft line end.
        return text_part(r, pen.flowed(delsp), subtype, codec, r.choice(names), how, False, **more)
    damage = how != "identity" and r.random() < 0.25
    other = {"disposition": r.choice(("attachment; filename*0*=utf-8''a%20b; filename*1=.txt", "inline"))} if r.random() < 0.1 else {}
    fields = [("Content-Disposition", other["disposition"])] if other else []
    return text_part(r, pen.text(), subtype, codec, r.choice(names), how, damage, fields)


# ---- Multiparts ----

def boundary(r, parts):
    """A boundary, perhaps one that begins like that of a part inside."""
    inner = [b for p in parts for b in p.boundaries]
    if inner and r.random() < 0.3:
        alike = r.choice((inner[0] + "1", inner[0][:-1]))
        if alike not in inner:
            return alike
    number = "%08x" % r.getrandbits(32)
    return r.choice(("=_%s", "----=_NextPart_000_%s", "%s", "Apple-Mail=_%s", "a b'(%s)+,./:?x", "--%s", "=-=-%s", "_004_%s_"))[:60] % number


def multipart(r, subtype, parts, damage=True, **parameters):
    """Parts between boundary lines, with text before and behind them that is no part."""
    mark = boundary(r, parts)
    never = [url(r) for _ in range(2)]
    closed = not damage or r.random() < 0.9
    line = b"--" + mark.encode()
    lines = [] if r.random() < 0.3 else [b"This is a message in parts. See " + never[0].encode(), b""]
    if lines and r.random() < 0.1:
        lines += [b"From here on there are parts.", b""]
    for part in parts:
        lines += [line + r.choice((b"", b"", b"", b" ", b"\t")), part.bytes()[:-1]]
    if closed:
        lines += [line + b"--" + r.choice((b"", b"", b" ")), r.choice((b"", b"This was all. " + never[1].encode()))]
    fields = [content_type(r, "multipart/" + subtype, boundary=mark, **parameters)]
    return Part(fields, b"\n".join(lines) + b"\n", sum((p.found for p in parts), []), sum((p.never for p in parts), never),
                sum((p.targets for p in parts), []), sum((p.boundaries for p in parts), [mark]))


def alternative(r, plain):
    """A plain text, and the same as HTML with one more link: what both have counts once, and so does a URL that an anchor
    shows and leads to."""
    page = Page(r)
    extra = url(r).replace(TOKEN, "x")
    how = "identity" if any(TOKEN in u for u in plain.found) else r.choice(("identity", "quoted-printable", "base64"))
    anchors = ['<p>%s <a href="%s">%s</a>' % (r.choice(WORDS["latin"]), page.escaped(u if ":" in u else "http://" + u), r.choice((page.escaped(u), "here")))
               for u in [*plain.found, extra]]
    html = text_part(r, Text(["<html><body>", *anchors, "</body></html>"], [extra]), "html", "utf-8", "utf-8", how)
    return multipart(r, "alternative", [plain, html], damage=False)


def attachment(r):
    """A part that is not text, and what must not be found in it."""
    u = url(r)
    kind = r.choice(("application/octet-stream", "application/pdf", "image/png", "application/x-tar", "audio/basic"))
    fields = [("Content-Type", kind + '; name="file.bin"'), ("Content-Disposition", 'attachment; filename="file.bin"')]
    data = b"see %s here\n" % u.encode() + r.randbytes(r.randrange(3000))
    if kind == "application/pdf":
        return Part(fields, b"%%PDF see %s here\n" % u.encode(), (), [u])
    return Part(fields + [("Content-Transfer-Encoding", "base64")], base64_lines(r, data, False), (), [u])


def armoured_part(r, kind, text="MESSAGE"):
    lines = ["-----BEGIN PGP %s-----" % text, "", *Pen(r).base64_lines(r.randint(2, 10)), "=AbCd", "-----END PGP %s-----" % text, ""]
    return Part([("Content-Type", kind)], "\n".join(lines).encode())


def enclosed(r, depth):
    """A message as the body of a part."""
    part = entity(r, depth + 1)
    fields, found = header(r, part)
    return Part([], lines_of(fields) + b"\n" + part.body, part.found, part.never, found, part.boundaries)


def rfc822(r, depth):
    part = enclosed(r, depth)
    part.fields = [("Content-Type", r.choice(("message/rfc822", "Message/RFC822", 'message/rfc822; name="x.eml"')))]
    return part


def external(r, _):
    """A body that stands elsewhere (RFC 2017)."""
    u = url(r).replace(TOKEN, "x")
    at = len(u) // 2
    value = 'message/external-body; access-type=URL;\n\tURL="%s%s"' % (u[:at], r.choice(("", "\n\t")) + u[at:])
    return Part([("Content-Type", value)], b"Content-Type: text/html\nContent-ID: <x@a.example>\n\n", (), (), [u])


def ftp(r, _):
    """A body on a server (RFC 2046 section 5.2.3.1)."""
    site, path, name = "ftp%d.example" % r.randrange(10**6), r.choice(("", "pub", "pub/a/", "a b")), r.choice(("f%d.txt", "f #%d?.txt")) % r.randrange(10**6)
    value = 'message/external-body; access-type=%s; name="%s";\n\tsite=%s' % (r.choice(("anon-ftp", "FTP", '"anon-ftp"')), name, site)
    value += '; directory="%s"' % path if path else ""
    return Part([("Content-Type", value)], b"Content-Type: text/plain\n\n", (), (), ["ftp://" + quote("/".join(filter(None, (site, path.strip("/"), name))))])


def folded(r, _):
    """A calendar or an address book, its lines folded anywhere (RFC 5545 section 3.1)."""
    urls = [url(r).replace(TOKEN, "x") for _ in range(r.randint(1, 4))]
    lines = ["BEGIN:VCARD"] + [r.choice(("URL:%s", "DESCRIPTION:see %s and more", "NOTE:%s")) % u for u in urls] + ["END:VCARD"]
    hidden = r.random() < 0.3
    ends = r.choice(("\n", "\r\n")) if hidden else "\n"
    def fold(line):
        at = sorted(r.sample(range(1, len(line)), min(len(line) - 1, r.randrange(4))))
        return (ends + r.choice(" \t")).join(line[i:k] for i, k in zip([0] + at, at + [len(line)]))
    data, fields = (ends.join(map(fold, lines)) + ends).encode(), [("Content-Type", "text/" + r.choice(("calendar", "vcard", "x-vcard", "directory")))]
    if hidden:
        data = base64_lines(r, data, False)
        fields.append(("Content-Transfer-Encoding", "base64"))
    return Part(fields, data, urls)


def table(r, _):
    """CSV (RFC 4180), whose separator a URL may hold."""
    mark, urls = r.choice(",;"), [url(r).replace(TOKEN, "x") + r.choice(("", "/a,b;c")) for _ in range(r.randint(1, 4))]
    cell = lambda u: '"%s"' % u if mark in u or r.random() < 0.2 else u  # noqa: E731
    lines = [mark.join(("a", "b", "c"))] + [mark.join((cell(u), "1", r.choice(("x", "")))) for u in urls]
    return Part([("Content-Type", "text/csv")], ("\n".join(lines) + "\n").encode(), urls)


def uuencoded(r, _):
    """A text behind a transfer encoding that RFC 2045 does not know."""
    text = with_number(r, Pen(r).paragraph())
    data = str(text).encode()
    lines = [binascii.b2a_uu(data[i:i + 45], backtick=r.random() < 0.5) for i in range(0, len(data), 45)]
    return Part([("Content-Transfer-Encoding", r.choice(("x-uuencode", "X-UUE", "uuencode")))],
                b"begin 644 text\n" + b"".join(lines) + b"`\nend\n", text.found, text.never)


def markless(r, _):
    """UTF-16 and UTF-32, little-endian without a byte order mark."""
    text, bits = with_number(r, Pen(r, ["latin", "western", "cyrillic"]).paragraph()), r.choice(("16", "32"))
    data = base64.encodebytes(("x " + str(text)).encode("utf-%s-le" % bits))
    return Part([("Content-Type", "text/plain; charset=utf-" + bits), ("Content-Transfer-Encoding", "base64")], data, text.found, text.never)


def header_block(r, _):
    """The header of a message without its body (RFC 3462)."""
    urls = [url(r).replace(TOKEN, "x") for _ in range(2)]
    fields = [("From", "x@a.example"), ("X-URL", urls[0]), ("List-Help", "<%s>" % urls[1]), ("Content-Type", "multipart/mixed; boundary=none")]
    return Part([("Content-Type", "text/rfc822-headers")], lines_of(fields), (), (), urls)


def without_boundary(r, _):
    """A multipart without boundary lines: all of it is text."""
    text = Pen(r).text()
    value = r.choice(("multipart/mixed", 'multipart/mixed; boundary="missing%d"' % r.randrange(10**6)))
    return Part([("Content-Type", value)], str(text).encode(), text.found, text.never)


def many(r, depth):
    return [entity(r, depth + 1) for _ in range(r.randint(1, 3))]


def both(r, depth):
    """multipart/alternative, its HTML perhaps with pictures (RFC 2387)."""
    text = with_number(r, Pen(r).text()) if r.random() < 0.5 else Pen(r).text()
    part = alternative(r, text_part(r, text, "plain", "utf-8", "utf-8", r.choice(("identity", "quoted-printable"))))
    return multipart(r, "related", [part, attachment(r)], type="multipart/alternative") if r.random() < 0.3 else part


def report(r, depth):
    u = url(r)
    lines = "Reporting-MTA: dns; a.example\n\nFinal-Recipient: rfc822; x@a.example\nAction: failed\nDiagnostic-Code: smtp; 451 4.7.1 see %s\n\n" % u
    status = Part([("Content-Type", "message/delivery-status")], lines.encode(), [u])
    return multipart(r, "report", [any_text(r), status, rfc822(r, depth)], **{"report-type": "delivery-status"})


def digest(r, depth):
    return multipart(r, "digest", [enclosed(r, depth) for _ in range(r.randint(1, 3))])


def signed(r, depth):
    return multipart(r, "signed", [any_text(r), armoured_part(r, "application/pgp-signature", "SIGNATURE")], protocol="application/pgp-signature")


def encrypted(r, _):
    return multipart(r, "encrypted", [Part([("Content-Type", "application/pgp-encrypted")], b"Version: 1\n"), armoured_part(r, "application/octet-stream")])


KINDS = [
    (45, lambda r, depth: any_text(r)),
    (10, lambda r, depth: any_text(r, "html")),
    (2, lambda r, depth: any_text(r, r.choice(("x-patch", "x-python", "enriched")))),
    (10, both),
    (10, lambda r, depth: multipart(r, "mixed", many(r, depth) + [attachment(r)] * (r.random() < 0.5))),
    (3, lambda r, depth: multipart(r, "related", [any_text(r, "html"), attachment(r)])),
    (2, lambda r, depth: multipart(r, r.choice(("parallel", "x-other", "form-data")), many(r, depth))),
    (3, report), (2, digest), (4, signed), (1, encrypted), (4, rfc822), (2, external), (2, without_boundary),
    (1, ftp), (2, folded), (2, uuencoded), (1, markless), (1, header_block), (1, table),
]


def entity(r, depth=0):
    """Any part."""
    kinds = KINDS[:3] if depth >= DEEPEST else KINDS
    return r.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0](r, depth)
