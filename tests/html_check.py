#!/usr/bin/env python3
"""Checks what `urlsift html` wrote against the input it was made from.

usage: html_check.py PAGE INPUT...

PAGE is a page or a fragment, with one block of text for each INPUT, in order.
Prints a line for each complaint and exits with 1 if there was any.  As a
module: check(html, input, ...) takes bytes and returns the list of complaints,
check_mail(html, messages) those about a page of mail.
"""
import codecs
import re
import sys
from html.parser import HTMLParser

SCHEMES = "http https ftp mailto news nntp gopher telnet irc ircs xmpp tel sip".split()
REL = "nofollow noopener noreferrer ugc"
VOID = {"meta"}
# Every element that may occur, and what its attributes may hold.
ELEMENTS = {
    "html": {"lang": "[A-Za-z0-9-]+"},
    "head": {},
    "meta": {"charset": "utf-8", "http-equiv": "x-dns-prefetch-control|Content-Security-Policy", "name": "viewport|color-scheme",
             "content": ".*"},
    "title": {},
    "style": {},
    "body": {},
    "main": {},
    "h1": {"class": "w"},  # with no class: the subject of the only message
    "h2": {"class": "w"},
    "pre": {"class": "urlsift( f)?", "dir": "auto", "lang": "[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*"},
    "span": {"class": "w|n|q q[1-5]", "id": "(s[0-9]+-)?L[0-9]+", "hidden": ""},
    "bdi": {"class": "w|w t", "hidden": ""},  # hidden: text that its HTML hides
    "a": {"href": "(?i:" + "|".join(SCHEMES) + "):[!-~]*|#messages|#m[0-9]+-[0-9]+", "rel": REL, "title": "Warning: .+",
          "class": "t"},
    # of mail
    "p": {"class": "w", "hidden": ""},
    "article": {"class": "m", "id": "m[0-9]+-[0-9]+"},
    "h3": {"class": "w"},
    "details": {}, "summary": {"class": "w"}, "ul": {"class": "w"}, "li": {},
    "dl": {}, "dt": {}, "dd": {},
    "table": {"class": "w", "id": "messages"},
    "caption": {}, "thead": {}, "tbody": {}, "tr": {}, "th": {"scope": "col"}, "td": {},
}
NEEDED = {"a": {"href"}, "pre": {"class"}, "p": {"class"}, "h3": {"class"}, "summary": {"class"},
          "article": {"class", "id"}, "table": {"class", "id"}}
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Outside the style sheet a page is made of these and of nothing else.
TOKEN = re.compile(r"""<[^<>]*>|&(?:amp|lt|gt|\#34|\#39);|[^<>&"'\x00-\x08\x0b-\x1f\x7f-\x9f]+""")
MARKS = re.compile(r" {0,3}((?:> ?)+)")
MARKS_LONGEST = 64


def windows_1252(error):
    """Rule C1: a byte that is no part of valid UTF-8, and only that byte."""
    byte = error.object[error.start:error.start + 1]
    try:
        return byte.decode("windows-1252"), error.start + 1
    except UnicodeDecodeError:
        return chr(byte[0]), error.start + 1


codecs.register_error("urlsift-c1", windows_1252)


def expected_text(source):
    """The text that a page must show for these bytes."""
    for mark, charset in ((b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
                          (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if source.startswith(mark):
            text = source[len(mark):].decode(charset, "replace")
            break
    else:
        if source.startswith(codecs.BOM_UTF8):
            source = source[3:]
        text = source.decode("utf-8", "urlsift-c1")
    text = re.sub("\r\n?", "\n", text)
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\ufffd", text)


HIDDEN = "hidden"
LINKED = "a mark in a link"    # the label of a terminal's hyperlink: no quote mark


def quote_class(line):
    marks = MARKS.match(line)
    if not marks:
        return None
    return "q q%d" % ((marks[1][:MARKS_LONGEST].count(">") - 1) % 5 + 1)


class Message:
    """What an article shows."""
    def __init__(self, name):
        self.name = name     # its id
        self.subject = ""
        self.headings = []   # of its parts
        self.fields = []     # [name, text]
        self.folded = []     # the names of those after a summary
        self.files = []      # a line an attachment
        self.parts = []      # indices of Page.texts


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.complaints = []
        self.stack = []      # (element, its class; HIDDEN for text that its HTML hides)
        self.hides = False   # there was some
        self.texts = []      # of each <pre>
        self.quotes = []     # of each <pre>: the class of the span around each line
        self.messages = []
        self.rows = []       # of the table of messages: a text a cell
        self.places = []     # that links of ours lead to
        self.metas = []
        self.seen = set()
        self.levels = []     # of headings
        self.pre_begins = False
        self.line_is_bidi = False

    def complain(self, what):
        self.complaints.append("line %d: %s" % (self.getpos()[0], what))

    def inside(self, element, css=None):
        return any(e == element and css in (None, c) for e, c in self.stack)

    def handle_starttag(self, tag, attrs):
        self.pre_begins = False
        self.seen.add(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        values = dict(attrs)
        if tag not in ELEMENTS:
            self.complain("element <%s>" % tag)
        if len(values) != len(attrs):
            self.complain("an attribute twice in <%s>" % tag)
        for name in NEEDED.get(tag, set()) - set(values):
            self.complain("<%s> without %s" % (tag, name))
        for name, value in attrs:
            rule = ELEMENTS.get(tag, {}).get(name)
            if rule is None or not re.fullmatch(rule, value or ""):
                self.complain("attribute %s=%r in <%s>" % (name, value, tag))
        if tag in ("a", "pre", "article", "dl", "table", "dd") and self.inside(tag):
            self.complain("<%s> in <%s>" % (tag, tag))
        self.begin_ours(tag, values)
        if tag == "meta":
            self.metas.append(values)
        if tag not in VOID:
            hides = tag == "bdi" and "hidden" in values
            self.hides |= hides
            self.stack.append((tag, HIDDEN if hides else values.get("class")))
        if tag == "pre":
            self.pre_begins = True
            self.line_is_bidi = False
            self.texts.append("")
            self.quotes.append([None])

    def begin_ours(self, tag, values):
        """What a page of mail has and one of text has not."""
        if tag == "article":
            self.messages.append(Message(values.get("id")))
        elif tag == "pre" and self.inside("article"):
            self.messages[-1].parts.append(len(self.texts))
        elif tag == "li":
            self.messages[-1].files.append("")
        elif tag in ("h2", "h3") and values.get("class") and self.inside("article"):
            self.messages[-1].headings.append("")
        elif tag == "dt":
            self.messages[-1].fields.append(["", ""])
            if self.inside("details"):
                self.messages[-1].folded.append(self.messages[-1].fields[-1])
        elif tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")
        elif tag == "a" and values.get("href", "").startswith("#"):
            self.places.append(values["href"][1:])
            if "rel" in values or not self.is_ours():
                self.complain("a link of the text to a place of the page")
        elif tag == "a" and "rel" not in values:
            self.complain("<a> without rel")

    def is_part_heading(self):
        return self.inside("article") and (self.inside("h2", "w") or self.inside("h3", "w"))

    def is_ours(self):
        return any("w" in (c or "").split() for _, c in self.stack)

    def handle_endtag(self, tag):
        self.pre_begins = False
        if self.stack and self.stack[-1][0] == tag:
            self.stack.pop()
        else:
            self.complain("</%s> closes nothing" % tag)

    def handle_data(self, data):
        if self.pre_begins and data.startswith("\n"):
            data = data[1:]  # HTML parsers drop it
        self.pre_begins = False
        if self.is_part_heading():
            self.messages[-1].headings[-1] += data
        elif self.inside("li"):
            self.messages[-1].files[-1] += data
        elif self.inside("td"):
            self.rows[-1][-1] += data
        if self.inside("title") or self.inside("style") or self.is_ours():
            return
        if self.inside("article") and not self.inside("pre"):
            self.take_header(data)
            return
        if not self.inside("pre"):
            self.complain("text outside <pre>: %r" % data[:40])
            return
        self.texts[-1] += data
        self.take(data)

    def take_header(self, data):
        message = self.messages[-1]
        if not self.inside("bdi"):
            self.complain("text of a header outside <bdi>: %r" % data[:40])
        elif self.inside("h1") or self.inside("h2"):
            message.subject += data
        elif self.inside("dt"):
            message.fields[-1][0] += data
        elif self.inside("dd"):
            message.fields[-1][1] += data
        else:
            self.complain("text of a header at no place: %r" % data[:40])

    def take(self, data):
        """Text of a <pre>, all of it in the same elements."""
        _, *others = lines = data.split("\n")
        if self.inside("bdi", HIDDEN):
            self.quotes[-1] += [None] * len(others)
            return
        quotes = [c for e, c in self.stack if e == "span" and c]
        hidden, in_bdi, in_link = self.stack[-1] == ("span", None), self.inside("bdi"), self.inside("a")
        if hidden and (data.replace(">", "") if quotes else data).strip():
            self.complain("hidden text: %r" % data)
        if others and ((quotes and not hidden) or in_bdi or in_link):
            self.complain("a line end inside <%s>" % self.stack[-1][0])
        for number, line in enumerate(lines):
            if number:
                self.line_is_bidi = False
                self.quotes[-1].append(None)
            if not line:
                continue
            self.line_is_bidi = self.line_is_bidi or not BIDI.isdisjoint(line)
            if self.line_is_bidi and not in_bdi:
                self.complain("text after a bidi control and outside <bdi>")
            if quotes:
                self.quotes[-1][-1] = quotes[0]
            elif ">" in line and in_link:
                self.quotes[-1][-1] = LINKED

    def handle_comment(self, data):
        self.complain("a comment")

    def handle_pi(self, data):
        self.complain("a processing instruction")

    def unknown_decl(self, data):
        self.complain("a marked section")


def check_page(page, html):
    if not re.match(rb"<!doctype html><html [^>]*><head><meta charset=\"?utf-8\"?>"
                    rb"<meta http-equiv=\"?x-dns-prefetch-control\"? content=\"?off\"?>", html, re.I):
        yield "the page does not begin with doctype, charset, and a stop to looking up hosts"
    if any(level > before + 1 for before, level in zip([0] + page.levels, page.levels)):
        yield "levels of headings: %s" % page.levels
    for element in ("html", "head", "title", "style", "body"):
        if element not in page.seen:
            yield "no <%s>" % element
    policies = [m.get("content", "") for m in page.metas if m.get("http-equiv") == "Content-Security-Policy"]
    if len(policies) != 1 or not policies[0].startswith("default-src 'none';") or "script" in policies[0]:
        yield "content security policy %r" % policies


def check_lexis(text):
    text = re.sub("<style>[^<]*</style>", "", text)
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token:
            yield "character %d: %r stands there raw" % (at, text[at:at + 20])
            return
        at = token.end()


def check_text(number, shown, wanted):
    if shown == wanted:
        return
    at = next((i for i, (a, b) in enumerate(zip(shown, wanted)) if a != b), min(len(shown), len(wanted)))
    yield "text %d differs at character %d: %r instead of %r" % (number, at, shown[at:at + 20], wanted[at:at + 20])


def read(html):
    """The page, and what is wrong with it whatever it was made from."""
    try:
        text = html.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, ["no valid UTF-8: %s" % error]
    page = Page()
    page.feed(text)
    page.close()
    complaints = page.complaints + list(check_lexis(text))
    if page.stack:
        complaints.append("not closed: " + " ".join(e for e, _ in page.stack))
    if not text.startswith(("<pre ", "<h2 ", "<article ")):
        complaints += check_page(page, html)
    return page, complaints


def check_quotes(page, number, wanted):
    for line, shown in zip(wanted.split("\n"), page.quotes[number]):
        if shown not in (quote_class(line), LINKED):
            yield "class %r around the line %r" % (shown, line[:40])


def check(html, *inputs):
    """What is wrong with the page or fragment `html` made from the inputs: a list of strings."""
    page, complaints = read(html)
    if page is None:
        return complaints
    if len(page.texts) != len(inputs):
        return complaints + ["%d texts for %d inputs" % (len(page.texts), len(inputs))]
    complaints += ["text is hidden without HTML"] * page.hides
    for number, source in enumerate(inputs):
        wanted = expected_text(source)
        complaints += check_text(number, page.texts[number], wanted)
        complaints += check_quotes(page, number, wanted)
    return complaints


def check_table(page):
    """The table has a row a message, which leads to it, and is there when there are several."""
    names = [message.name for message in page.messages]
    if len(set(names)) != len(names):
        yield "two messages of one name"
    rows = [row for row in page.rows if row]
    if "table" in page.seen:
        if not [place for place in page.places if place != "messages"] == names or len(rows) != len(names):
            yield "a table of %d rows for %d messages" % (len(rows), len(names))
        for message, row in zip(page.messages, rows):
            if row[2] != (message.subject or "(no subject)"):
                yield "a row with another subject than the message's: %r" % row[2]
    elif len(names) > 1:
        yield "no table of messages"


def check_mail(html, messages):
    """What is wrong with a page of messages, each given as (subject, fields, headings, parts): fields as
    (name, text), the texts of parts as bytes; None for what is not looked at."""
    page, complaints = read(html)
    if page is None:
        return complaints
    complaints += check_table(page)
    if messages is None:
        return complaints
    if len(page.messages) != len(messages):
        return complaints + ["%d messages instead of %d" % (len(page.messages), len(messages))]
    for message, (subject, fields, headings, parts) in zip(page.messages, messages):
        got = [message.subject, [tuple(field) for field in message.fields], message.headings]
        for what, shown, wanted in zip(("subject", "fields", "headings"), got, (subject, fields, headings)):
            if wanted is not None and shown != wanted:
                complaints.append("%s of %s: %r instead of %r" % (what, message.name, shown, wanted))
        if len(message.parts) != len(parts):
            complaints.append("%d parts of %s instead of %d" % (len(message.parts), message.name, len(parts)))
            continue
        for number, part in zip(message.parts, parts):
            if part is not None:
                wanted = expected_text(part)
                if page.texts[number] == wanted + "\n":
                    wanted += "\n"  # the line end before what ends the part
                complaints += check_text(number, page.texts[number], wanted)
                complaints += check_quotes(page, number, wanted)
    return complaints


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__.strip())
    contents = []
    for name in arguments:
        with open(name, "rb") as file:
            contents.append(file.read())
    complaints = check(*contents)
    for complaint in complaints:
        print("%s: %s" % (arguments[0], complaint))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
