"""Mail as other readers decode it: Python's email package, and GMime by gmime.c. Both give a Message's parts as texts.

What these do not undo is undone here, from the RFCs and apart from the program under test: the mailbox
(RFC 4155), format=flowed (RFC 3676), charsets by other names, the text of a page and its hrefs.
"""
import codecs
import csv
import email
import email.policy
import html.parser
import io
import re
import subprocess

SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*?\b\d\d?:\d\d\b[^\r\n]*\r?\n")
YEAR = re.compile(rb"(?<!\d)\d{4}(?!\d)")
# Names of charsets that Python does not know, or reads more narrowly than mail means them.
NAMES = {"gb2312": "gb18030", "gb-2312": "gb18030", "x-gbk": "gbk", "cn-gb": "gb18030", "ks-c-5601-1987": "cp949", "euc-kr": "cp949", "euckr": "cp949",
         "shift-jis": "cp932", "x-sjis": "cp932", "windows-31j": "cp932", "x-euc-jp": "euc_jp", "x-big5": "cp950", "big5": "cp950", "x-cp1250": "cp1250",
         "x-cp1251": "cp1251", "x-cp1252": "cp1252", "latin-9": "iso8859_15", "windows-874": "cp874", "unicode-1-1-utf-7": "utf_7", "unicode-1-1-utf-8": "utf-8",
         "utf8": "utf-8", "iso-8859-8-i": "iso8859_8", "iso-8859-6-i": "iso8859_6", "koi8-ru": "koi8_u", "utf-16le": "utf_16_le", "utf-16be": "utf_16_be"}
UNDECLARED = {"", "us-ascii", "ascii", "ansi-x3.4-1968", "iso646-us", "unknown-8bit", "x-unknown", "unknown", "default", "x-user-defined", "8bit", "7bit"}
BREAKING = set("""address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header
hr html legend li main menu nav ol option p pre section summary table tbody td tfoot th thead title tr ul""".split())
MESSAGES = ("message/rfc822", "message/news", "message/global")
HIDDEN = {"script", "style", "template"}


def as_windows_1252(error):
    bad = error.object[error.start:error.end]
    return "".join(bytes([b]).decode("cp1252", "replace") for b in bad), error.end


codecs.register_error("windows-1252", as_windows_1252)


def decoded(data, charset):
    """Bytes as text, an unknown charset's as rule C1 has it."""
    name = charset.lower().replace("_", "-")
    try:
        codec = None if name in UNDECLARED else codecs.lookup(NAMES.get(name, charset)).name
        return data.decode(codec, "replace") if codec else data.decode("utf-8", "windows-1252")
    except (LookupError, ValueError, UnicodeError):
        return data.decode("utf-8", "windows-1252")


def split(data):
    """(offset, length, message) of an mbox, each message with its lines unquoted."""
    starts = [m.start() for m in SEPARATOR.finditer(data) if YEAR.search(m[0])]
    for start, end in zip(starts, starts[1:] + [len(data)]):
        body = data.index(b"\n", start) + 1
        yield start, end - start, re.sub(rb"(?m)^>(>*From )", rb"\1", data[body:end])


def unflowed(text, delsp):
    """format=flowed with its soft line ends undone (RFC 3676 section 4)."""
    lines, open_depth = [], None
    for line in text.split("\n"):
        line = line.rstrip("\r")
        depth = len(line) - len(line.lstrip(">"))
        line = line[depth:]
        line = line[1:] if line.startswith(" ") else line
        soft = line.endswith(" ") and line != "-- "
        shown = line[:-1] if soft and delsp else line
        if open_depth == depth and line != "-- ":
            lines[-1] += shown
        else:
            lines.append((">" * depth + " " if depth else "") + shown)
        open_depth = depth if soft else None
    return "\n".join(lines)


TARGETS = {"a": "href", "area": "href", "form": "action", "iframe": "src", "meta": "content"}
FOLDED = ("text/calendar", "text/vcard", "text/directory", "text/x-vcard", "text/x-vcalendar")


class Page(html.parser.HTMLParser):
    """What an HTML page shows, and the targets of its hrefs."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.hrefs, self.base = [], [], None
        self.hidden = self.preformatted = 0
        self.anchor = None  # its target, and where its text begins

    def handle_starttag(self, tag, attributes):
        if tag in HIDDEN:
            self.hidden += 1
        if tag == "pre":
            self.preformatted += 1
        if tag in BREAKING:
            self.text.append("\n")
        values = dict(reversed(attributes))
        if tag == "base":
            self.base = self.base or values.get("href")
        value = values.get(TARGETS.get(tag))
        if tag == "meta":
            refresh = (values.get("http-equiv") or "").lower() == "refresh" and re.match(r"[\s\d.]*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", value or "", re.I)
            value = refresh and refresh[1]
        if tag == "a":
            self.end_anchor()
        if value:
            self.hrefs.append(re.sub(r"[\t\n\r\f]", "", value.strip()))
            if tag == "a":
                self.anchor = self.hrefs[-1], len(self.text)

    def end_anchor(self):
        """A URL that is all of an anchor's text, and its target or the beginning of that, is no link of its own."""
        if self.anchor:
            target, begin = self.anchor
            shown = re.match(r"([a-z]+://[^/?#]+[/?#]?.*?)(?:\.\.\.|\u2026)?$", "".join(self.text[begin:]).strip())
            if shown and target.startswith(shown[1]) and (re.search("[/?#]", shown[1][8:]) or target[len(shown[1]):][:1] in ("", "/", "?", "#")):
                self.text[begin:] = [" "]
        self.anchor = None

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag in HIDDEN:
            self.hidden -= 1

    def handle_endtag(self, tag):
        if tag in HIDDEN and self.hidden:
            self.hidden -= 1
        if tag == "a":
            self.end_anchor()
        if tag == "pre" and self.preformatted:
            self.preformatted -= 1
        if tag in BREAKING:
            self.text.append("\n")

    def handle_data(self, data):
        if not self.hidden:
            self.text.append(data if self.preformatted else re.sub(r"[ \t\n\r\f]+", " ", data))


class Leaf:
    """A text part: its text, the children of multipart/alternatives that it stands in, as (alternative, child), and marks of
    what befell its reader: "damaged" base64, a charset left "raw", one that is "shift_jis", a "boundless" multipart."""

    def __init__(self, path, kind, text, alternatives, flowed=False, delsp=False, marks=()):
        self.path, self.kind, self.alternatives, self.marks = path, kind, alternatives, marks
        text = text[1:] if text.startswith("\ufeff") else text
        self.hrefs, self.base = [], None
        if kind == "text/html":
            page = Page()
            page.feed(text)
            page.close()
            text, self.hrefs, self.base = "".join(page.text), page.hrefs, page.base
        if kind in FOLDED:
            text = re.sub(r"\r?\n[ \t]", "", text)
        if kind == "text/csv":
            mark = re.search("[,;]", text.split("\n")[0])
            rows = csv.reader(io.StringIO(text), delimiter=mark[0] if mark else ",")
            text = "\n\n".join(cell for row in rows for cell in row)
        self.text = unflowed(text, delsp) if flowed and kind == "text/plain" else text


def plain_value(value):
    """A field's value without comments, and without quotation marks around it."""
    return re.sub(r"\([^()]*\)", "", str(value)).strip().strip('";').strip()


def kind_of(part):
    """The media type; what is missing or is none is text/plain (RFC 2045 section 5.2)."""
    value = part.get("Content-Type")
    if value is None:
        return part.get_default_type()
    kind = plain_value(str(value).split(";")[0]).lower()
    return kind if re.fullmatch(r"[^/\s]+/[^/\s]+", kind) else "text/plain"


def parameter(part, name):
    value = part.get_param(name, "")
    return str(email.utils.collapse_rfc2231_value(value) if value else "").strip()


def leaf_of(part, path, alternatives):
    if "Content-Transfer-Encoding" in part:
        part.replace_header("Content-Transfer-Encoding", plain_value(part["Content-Transfer-Encoding"]))
    try:
        data = part.get_payload(decode=True)
    except (ValueError, AssertionError):
        data = None
    if data is None:  # blocks of fields, as of message/delivery-status
        blocks = part.get_payload() if part.is_multipart() else [part.get_payload()]
        data = "\n".join(map(str, blocks)).encode("utf-8", "surrogateescape")
    text = decoded(data, parameter(part, "charset"))
    kind = kind_of(part)
    marks = ["damaged"] * any("Base64" in type(d).__name__ for d in part.defects)
    marks += ["shift_jis"] * (NAMES.get(parameter(part, "charset").lower().replace("_", "-")) == "cp932")
    return Leaf(path, kind if kind.startswith("text/") else "text/plain", text, alternatives, parameter(part, "format").lower() == "flowed",
                parameter(part, "delsp").lower() == "yes", marks)


def by_python(data):
    """The texts of a message as the email package takes it apart."""
    message = email.message_from_bytes(data)
    leaves, stack = [], [(message, "1", ())]
    while stack:
        part, path, alternatives = stack.pop()
        kind = kind_of(part)
        if part.is_multipart() and (kind in MESSAGES or not kind.startswith("message/")):
            inside = [(alternatives + (((path, i),) if kind == "multipart/alternative" else ())) for i in range(len(part.get_payload()))]
            stack += reversed([(child, "%s.%d" % (path, i + 1), inside[i]) for i, child in enumerate(part.get_payload())])
        elif kind.startswith(("text/", "multipart/", "message/")) and kind != "text/rfc822-headers":
            leaves.append(leaf_of(part, path, alternatives))
    return leaves


def by_gmime(program, path, ranges):
    """offset -> the texts of the message there, for (offset, length) pairs of a file of messages without From_ lines."""
    asked = "".join("%d %d\n" % pair for pair in ranges)
    out = subprocess.run([program, "parts", path], input=asked.encode(), capture_output=True, timeout=600).stdout
    messages, at, leaves, parents = {}, 0, [], {}
    while at < len(out):
        end = out.index(b"\n", at)
        words = out[at:end].decode("utf-8", "replace").split()
        at = end + 1
        if words[0] == "message":
            leaves, parents = messages.setdefault(int(words[1]), []), {}
            continue
        _, where, kind, form, delsp, raw, length = words
        data = out[at:at + int(length)]
        at += int(length) + 1
        parents[where] = kind
        steps = where.split(".")
        above = [(".".join(steps[:i]), steps[i]) for i in range(1, len(steps))]
        inside = tuple(pair for pair in above if parents.get(pair[0]) == "multipart/alternative")
        marks = ["raw"] * (raw == "1" and int(length) > 0) + ["boundless"] * (raw == "2")
        text = data.decode("utf-8", "windows-1252" if raw == "1" else "replace")
        leaves.append(Leaf(where, kind, text, inside, form.lower() == "flowed", delsp.lower() == "yes", marks))
    return messages
