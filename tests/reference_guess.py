"""Guessed joins (J2), written down once more: whether the line end after a link cuts it.

Guess(scanner, link) finds the word that would continue the link, why it never does (`veto`) or the names of the
features that the place has.  The points of the features stand in src/scan/guess_table.h, which is read here.
"""
import bisect
import collections
import dataclasses
import os
import re

from reference_text import (ASCII_LETTERS, DIGITS, DOMAINS, ESCAPE, HYPHEN, LINE_ENDS, NO_ESCAPE, SCHEME_CHARS,
                            SOFT_HYPHEN, SOFT_LINE, LinePrefix)

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "scan", "guess_table.h")
LOOK_BACK, LINE_LOOK = 1024, 256
LINES, LEAST_LINES = 8, 3          # of the neighbourhood
NARROW, WIDE = 50, 100             # columns of text that is wrapped
SURE_HOST = 0.99                   # the next line completes the host, or who set the text broke a word
COLUMN = 8                         # text that begins so far to the right of the link is in another column
NARROWEST = 60                     # where a line was cut before the word, it is seldom as short
USUAL = (66, 80)                   # where nothing says what the wrap column is
MARKS = "=&?%_#+;@"
DELIMITERS = "/?=&%#"
CLOSING = ".,;:!?)]}>\"'*_\\ \t\f\v"
LEADERS = re.compile(r"#+|//+|\*+|;+|--+(?![A-Za-z-])|%+")
WORD_BACK = 32                     # bytes, for a word before the link
OPENED = re.compile("[A-Za-z!\"$%&'()*:;<=@[\\\\\\]^`{}~]*\\Z")
COUNTERPARTS = {"(": ")", "[": "]", "{": "}", "<": ">", ">": "<"}
HOST_ENDINGS = ("com", "net", "org", "edu", "gov", "mil")
COMMON = set("a above also an and as at below but cheers for from in instead is of on or regards see so thank "
             "thanks that the then this to und with".split())
ENDINGS = set("html htm shtml xhtml php asp aspx jsp cgi pdf ps txt doc ppt xls xml xsd gif jpg jpeg png mp3 gz tgz bz2 xz "
              "z zip lha tar jar rpm gpg exe css js md git dsc com net org".split())
PAGES = set("about atom blame blob commit commitdiff diff history log patch plain refs shortlog snapshot stats summary tag "
            "tree".split())        # of a repository
BRACKETED = re.compile(r"\[[^\]]{0,30}\](?=[ \t]|$)|<[^>]{0,30}>(?=[ \t]|$)")
TIME = re.compile(r"[0-9]{1,2}(:[0-9]{2}(?![0-9])|/[A-Z][a-z]{2}/[0-9]+:)")  # 10:30, 04/May/2031:10:30
DATE = re.compile(r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}(?![0-9A-SU-Za-z/._?=&%#-])")
FIGURES = re.compile(r"([0-9]{3}[-.]){1,2}[0-9]{4}(?![A-Za-z0-9_./?=&%#-])"  # a telephone number,
                     r"|[0-9]{4}-[0-9]{4},?[ \t]"                             # years before text,
                     r"|[0-9]{3,4}[A-Za-z]?/[0-9A-Fa-f]{8}(?![A-Za-z0-9_./?=&%#-])") # a key of PGP
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}[ \t]*[:=](?=[ \t]|$)")
TRAILER = re.compile(r"[A-Z][A-Za-z-]+-by(?=[ \t]|$)")  # Signed-off-by, whose colon is missing
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]+[:+?]?=")
LEVEL = re.compile(r"(TRACE|DEBUG|INFO|NOTICE|NOTE|WARN|WARNING|ERROR|FATAL)(?![A-Za-z0-9])")
RATE = re.compile(r"[0-9][0-9.]*[A-Za-z]{0,2}[bBkKMG]/s(?![A-Za-z0-9/.?=&%#_-])")
PROGRESS = re.compile(r"[0-9]+(/[0-9]+([kKMG]?[ \t]|[kKMG]$)|%(?![A-Za-z0-9/.?=&%#_-])|[ \t]+([kKMG]?i?B|bytes)(?![A-Za-z0-9]))")
VERSION = re.compile(r"CVE-[0-9]|[vV]?[0-9]+(\.[0-9]+)+(?:\.(?=[ \t]|$)|(?![A-Za-z0-9/.?=&%#_-]))"
                     r"|[vV]?[0-9]+(\.[0-9]+){3}/")
MEDIA_TYPE = re.compile("(application|audio|font|image|message|model|multipart|text|video)/"
                        "[A-Za-z0-9+-]+(?=[ \\t;]|$)", re.I)
PRODUCT = re.compile(r"[A-Za-z]+/[0-9]+\.[0-9][0-9.]*(?![0-9./-])|HTTP/[0-9](?![A-Za-z0-9_./?=&%#-])"
                     r"|javax?\.[a-z]+\.")
MESSAGE_ID = re.compile("([0-9]{9,}[.-][0-9]+-[0-9]+-[^@]*|[0-9]{8,}(-|[.-][^@]*-))$")  # of git or b4, before its @
EXCHANGE_ID = re.compile("[A-Z0-9.]{20,}$")
GATEWAYS = ((r"[A-Za-z][A-Za-z0-9+.-]*://(?i:urldefense\.(com|us|proofpoint\.com))/v3/__", "$"),
            (r"[A-Za-z][A-Za-z0-9+.-]*://(?i:[^/?#]*\.safelinks\.(protection|o365)\.outlook\.com)/[^?]*\?", "reserved=0"),
            (r"[A-Za-z][A-Za-z0-9+.-]*://(?i:urldefense\.(com|us|proofpoint\.com))/v2/url[^?]*\?", "&e="))
UUID = re.compile("(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")
FIELDS = re.compile(r"""[A-Za-z0-9_-]+=[^ \t>|"']*[ \t]+[A-Za-z0-9_-]+=""")  # of a form
CONTENT = re.compile("[A-Z][A-Z-]+(:|;[A-Za-z-]+=.*:)")  # of a calendar or a vCard
DIRECTIVE = re.compile(r"#\+([A-Za-z]|[0-9]{9})|#(define|include|ifn?def|if|elif|else|endif|undef|pragma)(?![A-Za-z0-9])")
SENTENCE = re.compile(r"[ \t](is|are|has|needs|was|will|can)[ \t]")  # after the name of a file
COMPONENT = re.compile(r"[ \t]+(main|contrib|non-free|universe|restricted|multiverse|InRelease|Release|Packages|Sources)"
                       r"(?![A-Za-z0-9_-])")
SOURCE = re.compile(r"(?<![A-Za-z0-9_-])deb(-src)?[ \t]*(\[[^\[]*\][ \t]*)?$", re.I)


def columns(text, n=0):
    for c in text:
        n = (n | 7) + 1 if c == "\t" else n + 1
    return n


def quote_columns(line):
    """How far the quote marks of a line reach, and the blank after them."""
    m = re.match(r"(?:[ \t]*[>|])+ ?", line)
    return columns(m[0]) if m else 0


def fold_case(w):
    """ASCII alone."""
    return re.sub("[A-Z]+", lambda m: m[0].lower(), w)


def letters(w):
    return re.match("[A-Za-z]*", w)[0]


def is_plain(w, marked=False):
    """A word of prose: letters, not of mixed case; with a mark and text after it also `e-mail` and `1.13`."""
    if marked and re.fullmatch(r"[A-Za-z]+-[A-Za-z]+|[0-9][0-9.]*", w):
        return True
    if any(c not in ASCII_LETTERS and ord(c) < 0x80 for c in w):
        return False
    upper = sum("A" <= c <= "Z" for c in w)
    return upper == len(w.encode()) or upper == ("A" <= w[0] <= "Z")


def ending(part):
    """The letters and digits after the last full stop, at most 5, or None."""
    m = re.search(r"\.([A-Za-z0-9]{0,5})$", part)
    return m[1].lower() if m else None


def ends_as_file(w, alone):
    e = ending(w)
    if not e or not e[0].isalpha() or len(w) < len(e) + 2 or e in HOST_ENDINGS:
        return False
    c = w[-len(e) - 2]
    return (alone or e in ENDINGS) and (c in ASCII_LETTERS + DIGITS + "_-)")


def holds_marks(w, query):
    """Bytes that prose does not hold; `=3D` counts only in a query."""
    if not query:
        w = re.sub("=[0-9A-Fa-f]{2}", "", w)
    return any(c in DELIMITERS for c in (w[1:] if w[:1] in ("/", "#") else w))


def is_hash(w):
    """A whole MD5, SHA-1 or SHA-256, or the Change-Id of Gerrit."""
    return bool(re.fullmatch("I?(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})", w))


def is_code(w):
    """A long code in capitals and small letters."""
    return bool(re.fullmatch("[A-Za-z0-9_-]{40,}", w)) and w.upper() != w and w.lower() != w


def is_alternative(w):
    """and/or, text/x-diff"""
    return bool(re.fullmatch("[A-Za-z-]+/[A-Za-z-]+", w))


def is_ruler(w):
    if re.match(r"([!-/:-@\[-`{-~])\1{3}", w):
        return True
    if re.match("[-=_*~#+]{4}", w) or not any(c.isascii() and c.isalnum() for c in w):
        return True
    return len(set(w)) <= 3 and len(w) >= 6 and not w.isdigit()


def begins_item(line, closed):
    """A list item, a comment, a signature, a request of roff, a path of its own."""
    if re.fullmatch(r"[vV]?[0-9]{1,3}\)", line) and not closed:
        return True
    if re.match(r"[-*+]([ \t]|$)|--|//|/\*|~/|/(etc|home|opt|tmp|usr|var)/", line):
        return True
    if DIRECTIVE.match(line):
        return True
    if line[0] == ".":                               # a request of roff
        request = re.match(r"\.([A-Za-z]{0,2}|[A-Z]+)([^A-Za-z0-9/?#]|$)", line)
        return line[1:2] in ("/", "?", "#") or bool(request) and letters(line[1:]).lower() not in ENDINGS
    if not (line[0].isascii() and line[0].isalnum()) and line[0] not in DELIMITERS + "_~+;,-@":
        return True
    return bool(re.match(r"#!/|[vV]?[0-9]{1,3}([.:)]+[ \t]|\)[A-Za-z])|[vV][0-9]{1,3}[ \t]", line))


def begins_record(line, link, full):
    """What begins a record (a log, a table, a session), not the rest of a line."""
    if BRACKETED.match(line) or re.match(r"[+$][ \t]", line):
        return True
    if TIME.match(line) or DATE.match(line) or FIGURES.match(line) or LEVEL.match(line) or PRODUCT.match(line):
        return True
    if NAME.match(line) or TRAILER.match(line) or PROGRESS.match(line) or RATE.match(line):
        return True
    if FIELDS.match(line) or CONTENT.match(line):
        return True
    if re.match(r"([0-9]+\.){4}([0-9]+\.?)?[ \t]", line):
        return True                                  # the number of a section
    if VARIABLE.match(line) and not re.search("[?&][^?&=]*$|;$", link):
        return True
    if full or link[-1] in "-=":
        return False
    return bool(VERSION.match(line) and link[-1] != "/" or MEDIA_TYPE.match(line))


def is_host_only(link):
    """An authority alone, or an address."""
    if link.lower().startswith("mailto:"):
        return "?" not in link
    m = re.match(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(//)?", link)
    return bool(m[1] or not m[0]) and not re.search("[/?#]", link[m.end():])


Facts = collections.namedtuple("Facts", "query full alone closed strong cut_ending here")


class Guess:
    """`link`: where it begins and is cut; `line_prefix`: of its line (Q1); `word_end(i)`: where it ends when it goes on
    at i; `closers`: those of each quotation mark."""

    def __init__(self, lines, link, line_prefix, word_end, closers):
        self.lines, self.t, self.line_prefix, self.closers = lines, lines.t, line_prefix, closers
        self.begin, self.at = link
        self.features, self.veto = [], None
        self.line = lines.start(self.begin)
        self.veto = self.read(word_end)

    def read(self, word_end):
        """Why it is never a join, or None."""
        t, lines = self.t, self.lines
        stop = lines.end(self.at)
        if self.line is None or t[self.at:stop].strip(" \t") or stop - self.at > 8 or stop == len(t):
            return "text"
        self.next = start = lines.next(stop)
        end = lines.end(start)
        if lines.at[end] - lines.at[start] > LINE_LOOK:
            return "long"
        marks = lines.match(self.line_prefix, start)
        fewer = len(self.line_prefix.quotes)
        self.unled = False
        if marks is None and self.line_prefix.comment[:1] in ("/", "*"):
            marks = lines.match(self.quotes(self.line_prefix.quotes), start)
            self.unled = marks is not None           # `// ` or the mark of a list is not repeated
        self.wrapped = marks is None and fewer > 0
        while marks is None and fewer:
            fewer -= 1
            marks = lines.match(self.quotes(self.line_prefix.quotes[:fewer]), start)
        if marks is None:
            return "prefix"
        self.stop = start + len(t[start:end].rstrip(" \t"))
        content = min(lines.indent(marks, end), self.stop)
        self.marked = not self.wrapped and t[content:self.stop].startswith(">")
        if self.marked:
            marks = self.restored()
            if marks is None:
                return "depth"
            content = min(lines.indent(marks, end), self.stop)
        if content == self.stop or self.is_new_item(start, marks, content) or self.is_trace(start):
            return "item"
        content = self.skip_leader(content)
        if content is None or content == self.stop:
            return "leader"
        line = t[content:self.stop]
        if self.begins_apart(line):
            return "apart"
        self.content, self.end = content, word_end(content)
        self.word, self.rest = t[content:self.end], t[self.end:self.stop]
        if not self.word or self.end > self.stop:
            return "word"
        shown = t.startswith("\u27e8", self.begin - 1) and self.rest.startswith("\u27e9")  # the brackets of groff
        if t[self.at - 1] in SOFT_HYPHEN + HYPHEN and self.word[0] in ASCII_LETTERS + DIGITS or shown:
            self.features = ["typeset"]
            return None
        return self.describe(line)

    def lines_before(self):
        """The lines before that of the link, as far as all of them is in sight, and where they begin."""
        low = bisect.bisect_left(self.lines.at, self.lines.at[self.begin] - LOOK_BACK)
        starts = [low] + [m.end() for m in re.compile("\r\n|\r|\n").finditer(self.t, low, self.line)]
        pairs = [(i, self.t[i:k].rstrip("\r\n")) for i, k in zip(starts, starts[1:])]
        return pairs[1:] if low else pairs

    def quotes(self, quotes):
        return LinePrefix(quotes, "", "", False, False, False, False, 0)

    def restored(self):
        """Where the next line goes on, when the line of the link lost `>` that it and the line before have; or None."""
        f, before = self.line_prefix, self.lines_before()
        if self.lines.indent(max(f.end, self.line), self.begin) != self.begin or not before:
            return None
        more = re.match("(?:[ \t]*>)*", self.t[self.lines.match(f, self.next):self.stop])[0].count(">")
        deeper = dataclasses.replace(f, quotes=f.quotes + [">"] * more)
        if self.lines.match(deeper, before[-1][0]) is None:
            return None
        return self.lines.match(deeper, self.next)

    def regains(self):
        """Whether the line after the next has all quote marks again that the next lacks one of."""
        after = self.lines.next(self.lines.end(self.stop))
        return self.lines.match_quotes(self.line_prefix, after) is not None

    def is_footnote(self, link):
        """Whether the next line is a number alone, and the one below has a link or is such a number."""
        if self.rest or not re.fullmatch("[0-9]{1,2}", self.word) or self.completes_hash(link):
            return False
        text = self.line_below()
        return "://" in text or bool(re.fullmatch("[ \t]*[0-9]{1,2}[ \t]*", text))

    def is_item(self):
        """Whether the line below has another word alone, as far in, that begins as the next line's does."""
        indent, text = self.t[self.next:self.content], self.line_below()
        if self.rest or not text.startswith(indent) or len(text) <= len(indent) + 3:
            return False
        below = text[len(indent):]
        files = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,3}")
        return (len(self.word) > 3 and below[:3] == self.word[:3] and " " not in below[3:]
                or self.t[self.at - 1] == "/" and bool(files.fullmatch(self.word) and files.fullmatch(below)))

    def line_below(self):
        """The line after the next; empty if it is too long."""
        end = self.lines.end(self.stop)
        below = self.lines.next(end) if end < len(self.t) else end
        stop = self.lines.end(below)
        return self.t[below:stop] if self.lines.at[stop] - self.lines.at[below] <= LINE_LOOK else ""

    def is_heading(self, indent):
        """Whether the next line has a part of the link's indentation, and the one below begins as the link's does."""
        line = self.t[self.line:self.begin]
        text = len(line) - len(line.lstrip(" \t>|"))
        return self.line <= self.begin and 0 < indent < self.text_column(self.line, self.line + text) and bool(
            re.match(re.escape(line) + "[A-Za-z]+://", self.line_below()))

    def is_new_item(self, start, marks, content):
        """A list mark of its own; ` * ` is how a comment of C goes on."""
        if not self.line_prefix.is_list or marks == start:
            return False
        mark, indent = self.t[marks - 1], self.t[start:marks - 1]
        return mark in "-+" and content == marks + 1 or mark == "*" and (not indent.endswith(" ") or indent.endswith("  "))

    def is_trace(self, start):
        """`+ make`, `$ make`"""
        return bool(re.match(r"[ >|]*[+$] [^ \t*#/]", self.t[start:self.stop]))

    def skip_leader(self, content):
        """Comment leaders that both lines begin with, glued or not, are no part of it."""
        t, end = self.t, self.stop
        k = self.lines.indent(max(self.line_prefix.end, self.line), self.begin)
        a = LEADERS.match(t, k, self.begin)
        if not a:
            return content
        b = LEADERS.match(t, content, end)
        return self.lines.indent(b.end(), end) if b and b[0][0] == a[0][0] else None

    def begins_apart(self, line):
        k = 0
        while k < len(line) and line[k] in SCHEME_CHARS:
            k += 1
        if not k:
            return line[0] not in DELIMITERS + "_~;,@"
        if line[k:k + 1] == ":" and line[0] in ASCII_LETTERS or line[k:k + 3] == "://" or line.startswith("--"):
            return True
        return bool(re.match(r"(www|ftp)\.[A-Za-z0-9+.-]", line, re.I))

    def describe(self, line):
        t, w, rest = self.t, self.word, self.rest
        link = t[self.begin:self.at]
        last = link[-1]
        query = bool(re.search("[?&]", link))
        before = t[self.begin - 1:self.begin]
        opener = self.opener(before)
        closed = bool(rest) and bool(opener) and (rest[0] in self.closers.get(opener, ()) or rest[0] == COUNTERPARTS.get(opener))
        alone = closed or not re.sub(r"\[[0-9]+\]", "", rest).strip(CLOSING)
        plain = is_plain(w, not alone and rest[0] in ".,;")
        common = plain and w.lower() in COMMON
        gateway = next((end for pattern, end in GATEWAYS if re.match(pattern, link)), None)
        self.open = bool(gateway) and not re.sub("[.?#@]$", "", link).endswith(gateway)
        self.open |= not gateway and bool(re.search(r"doi\.org/10\.[0-9.]*/$", link))
        if gateway and not self.open:
            return "gateway"
        name = gateway and re.fullmatch("[A-Za-z0-9_-]+", w) and rest[:1] in (" ", "\t")
        cut_ending = self.open and not name and letters(w) != w or self.cuts_ending(link) or self.completes_hash(link)
        strong = cut_ending or is_hash(w) or not alone and is_code(w) or ends_as_file(w, alone) or alone and self.completes_id(link) or (
            holds_marks(w if alone else w.removesuffix("&"), query) and (alone or not is_alternative(w))) or last == "_" and "_" in w
        self.solid = re.match(r"[^ \t\r\n\f\v]*", t[self.content:])[0]
        here = columns(t[self.line:self.at])
        quotes = quote_columns(t[self.line:self.begin])
        width = self.wrap_width()
        kind = "ending" if cut_ending and last != "." else self.cut_kind(link, w)
        room = self.room(kind, here - quotes, width)
        full = room == "full" and kind != "in-word"
        if self.marked and not strong or (self.wrapped or self.unled) and not (strong and alone):
            return "depth"
        veto = self.never(line, link, Facts(query, full, alone, closed, strong, cut_ending, here))
        if veto:
            return veto
        if self.unled and not full or self.wrapped and not self.completes_id(link) and not self.regains():
            return "depth"
        word = "strong" if strong else "plain" if plain and not common and "a" <= w[0] else "common" if plain else "odd"
        tail = "closed" if closed and (kind != "in-word" or word in ("strong", "odd")) else "alone" if alone else "mark" if rest[0] in ".,;)" else "text"
        f = ["%s %s" % (kind, word), "tail " + tail, "room " + room]
        if tail == "text":
            f.append("text %s" % word)
        starts = not re.search("[ \t]", t[self.text_start():self.begin])
        if kind in ("in-word", "before", "mark", "stop") and self.is_fixed(here, quotes, width, starts, word == "strong"):
            f.append("fixed")
        whole = link[:-1] if kind in ("hyphen", "stop") else link
        inside = kind == "in-word" and not self.completes(link)
        if inside and "fixed" not in f and (room != "full" or word not in ("strong", "odd")):
            return "room"
        anew = re.search("[a-z0-9}]$", link) and re.match("[a-z}][A-Z]|[0-9][A-Za-z]", last + w[0])
        if inside and anew and (re.match("[^0-9/?#]+/", w) if word == "strong" else len(w) < 40):
            return "new"
        if inside and self.is_commit(link):
            return "new"
        if inside and (self.is_own_file(link) or not (starts or alone or re.search(r"[/?=&%#]", w)) and len((link + w).encode()) <= NARROWEST):
            return "file"
        if (kind == "slash" and starts or inside) and word != "strong" and t[self.at] in " \t":
            return "argument"
        goes_on = room in ("full", "part") if query else closed
        if w[0] == "/" and alone and not goes_on and re.fullmatch("[A-Za-z0-9_-]+", w[1:]) and not is_host_only(link):
            return "signature"
        if inside and word in ("plain", "common"):
            if closed and before == "[" or not closed and alone and (re.match("[A-Z][^A-Z]", w) or quotes and rest[:1] in tuple(".,;:!?")):
                return "prose"
            if self.ends_with_id(link):
                f.append("complete")
        if kind in ("hyphen", "in-word", "before", "stop") and ending(whole) in ENDINGS and ending(whole) not in HOST_ENDINGS:
            f.append("complete")
        text = self.text_start()
        indent, first = self.text_column(self.next, self.content), self.text_column(self.line, self.begin)
        if indent > first + COLUMN:
            return "column"
        if indent < self.text_column(self.line, text):
            f.append("outdent")
            wrapped = (kind == "hyphen" or word == "strong" and kind != "stop") and (tail != "text" or not starts and self.begins_paragraph()) and room != "over"
            if "fixed" not in f and kind != "ending" and not wrapped or kind == "slash" and self.is_heading(indent):
                return "outdent"
        if starts:
            f.append("starts " + kind)
        if columns(t[self.next:self.content] + line) == here > USUAL[0] - 16:
            f.append("even")
        if self.completes(link):
            f.append("host")
        self.features = f
        return None

    def opener(self, before):
        """What is before the link, or before the word that precedes it: `(see: `."""
        return OPENED.search(self.t, max(0, self.begin - WORD_BACK), self.begin - 1)[0][:1] if before == " " else before

    def text_column(self, line, text):
        """The column of the text, counted from the quote marks of its line on."""
        line = self.t[line:text]
        return columns(line) - quote_columns(line)

    @staticmethod
    def ends_with_id(link):
        """A Message-ID, with its host."""
        host = link.rpartition("/")[2].rpartition("@")[2] if "@" in link.rpartition("/")[2] else ""
        return "." in host and host.rpartition(".")[2].lower() in DOMAINS

    def is_own_file(self, link):
        """README.txt after a small letter; a patch of several words; lamps-1.2.tar.gz after a last name without a hyphen."""
        w, name = self.word, link.rpartition("/")[2]
        if re.match("[0-9]{1,2}(/[0-9]{1,2})?$|(debian|he|include|src)/", w):
            return "a" <= link[-1] <= "z"
        if re.search(r"[/?=&%#]", w):
            return False
        if re.match(r"[A-Z]{3,}\.|[0-9]+\.[0-9]", w):
            return "a" <= link[-1] <= "z"
        patch = re.match(r"[A-Za-z0-9_]+-.*\.(patch|diff)$", w)
        version = "-" not in name and re.match(r"[A-Za-z0-9_]+-[0-9]+\.[0-9]", w)
        return len(name.encode()) > 2 and bool(patch or version)

    def is_commit(self, link):
        """The short hash of a commit after a name that is none."""
        w = self.word
        short = re.fullmatch("[0-9a-f]{7,12}", w) and not w.isdigit() and not w.isalpha()
        return bool(short) and not re.fullmatch("[0-9a-f]*", re.search("[0-9A-Za-z]*$", link)[0])

    def begins_paragraph(self):
        """Whether a blank line is before that of the link, or none."""
        before = self.lines_before()
        return not before or not before[-1][1].strip(" \t")

    def completes(self, link):
        """Whether the word completes the host or an escape."""
        digits = re.search("%[0-9A-Fa-f]$", link) or link[-1] == "%" and re.match(
            "[0-9][0-9A-Fa-f]|[0-9A-Fa-f][0-9]", self.word)
        return self.cuts_host(link) or bool(digits)

    def cuts_host(self, link):
        """Whether the word, and not the link that ends with a full stop, has the top-level domain, and a path."""
        if link[-1] != "." or not is_host_only(link):
            return False
        label = re.match(r"(?:[A-Za-z0-9.-]*\.)?([a-z][A-Za-z0-9-]*)/", self.word)
        last = re.search(r"[A-Za-z0-9-]*$", link[:-1])[0]
        return bool(label) and label[1].lower() in DOMAINS and last.lower() not in DOMAINS

    def text_start(self):
        """Where the text of the link's line begins."""
        f = self.line_prefix
        k = self.lines.indent(max(f.end, self.line), self.begin)
        if not (f.diff or f.comment or f.is_list):
            m = re.compile(r"[0-9]{1,3}[.)][ \t]+").match(self.t, k, self.begin)
            k = m.end() if m else k
        return k

    def cuts_ending(self, part):
        """A cut in the name of a kind of file, as in `.ht` and `ml`, or in the domain of a host with a path, as in `.or` and
        `g/x`."""
        w, e = re.sub(r"(?<=[A-Za-z])[#?].*$", "", self.word), ending(part)
        if e and is_host_only(part):
            rest = re.match("([A-Za-z]{1,5})/", self.word)
            return bool(rest) and not (len(rest[1]) > 2 and e in ENDINGS) and e not in DOMAINS and e + rest[1].lower() in DOMAINS
        if len(w) > 5 or letters(w) != w or e is None or len(w) > 2 and e in ENDINGS:
            return False
        return e + w.lower() in ENDINGS

    def completes_hash(self, link):
        name = re.search("/d/([A-Za-z0-9_-]*)$", link)
        if name and len(name[1] + re.match("[A-Za-z0-9_-]*", self.word)[0]) in (33, 44):
            return True                              # the document of Google Docs
        run = re.search("([^0-9A-Za-z%])([0-9A-Za-z]+)$", link)
        digits = run[2] + self.word if run else ""
        if len(digits) == 41 and run[1] == "#" and digits[0] in ASCII_LETTERS:
            digits = digits[1:]                      # public-inbox: `#m` before the digits
        return bool(re.fullmatch("[0-9A-Fa-f]{40}", digits))

    def cut_kind(self, link, w):
        last = link[-1]
        if last == "-" or last == "/":
            return "hyphen" if last == "-" else "slash"
        if last in MARKS:
            return "mark"
        if last == ".":
            return "stop"
        return "before" if w[0] in DELIMITERS + ";.@-" else "in-word"

    def wrap_width(self):
        """The longest line without a link among those before; 0 when fewer than three say it."""
        seen = []
        for _, text in reversed(self.lines_before()):
            text = text.rstrip(" \t")
            if text and "://" not in text and len(seen) < LINES:
                seen.append(columns(text) - quote_columns(text))
        width = max(seen) if len(seen) >= LEAST_LINES else 0
        return width if NARROW <= width <= WIDE else 0

    def room(self, kind, here, width):
        """Whether the next piece had room on the line of the link."""
        solid = self.solid
        m = re.match({"slash": "[^/]*/", "in-word": "."}.get(kind, "[^-/]*[-/]"), solid)
        size = self.lines.size
        piece = size(self.content, self.content + len(m[0] if m else solid))
        if here > max(width + 4, USUAL[1]):
            return "over"
        width = width or USUAL[0]
        return "full" if here + piece > width else "part" if here + size(self.content, self.content + len(solid)) > width else "left"

    def is_fixed(self, here, quotes, width, starts, strong):
        """Lines cut at a column, as some programs do, whatever stands there."""
        own = here - quotes
        quoted = here == 64 if quotes == 2 else strong and quotes > 2 and 64 <= here <= 67
        return own == width or quoted or starts and own == 60 or any(70 <= x <= 76 for x in (here, own, own + 2))

    def never(self, line, link, facts):
        w, rest, last = self.word, self.rest, link[-1]
        query, full, alone, closed, strong, cut_ending, here = facts
        if begins_item(line, closed) or is_ruler(w):
            return "item"
        initials = re.match(r"([A-Za-z]\.){2,}", line)
        if initials and initials.end() >= len(w):
            return "initials"
        if begins_record(line, link, full):
            return "record"
        if not query and re.match(r"\+[0-9]|1-[0-9]{3}-.", w) or rest[:1] == ":" and (
                rest[1:] or last == "#" or w[0] == "/" or w[-1] == ")" or "/" not in w):
            return "name"
        first = re.match(r"[^/?=&%#]*", w)[0]
        in_id = MESSAGE_ID.match(link.rpartition("/")[2]) or self.completes_id(link)
        if w[0] == "@" and not self.completes_id(link):
            return "address"
        if last == "@" and (is_host_only(link) or not self.is_host(w)):
            return "address"
        if "@" in first and "/" not in w and not in_id and not self.open or re.search("::|:~", first) or w.startswith(first + "/") and first.endswith(":"):
            return "address"
        if re.match(r"[A-Za-z_][A-Za-z0-9_.]*\(", w) and "_(" not in w[1:] and not query and last not in "-_/":
            return "address"
        if last == "/" and not alone and not is_host_only(link) and re.fullmatch(r"[A-Za-z0-9_/-]+\.[A-Za-z0-9_./-]+", w) and SENTENCE.match(rest):
            return "sentence"
        if last == "]" and w[0] not in "&=":
            return "placeholder"
        if re.search(r"\.git/?$", link) and w[0].isascii() and w[0].isalnum():
            if link[-1] != "/" or letters(w).lower() not in PAGES:
                return "branch"
        if w.startswith("tags/") and last not in "-/=":
            return "branch"
        if COMPONENT.match(rest) or SOURCE.search(self.t[self.text_start():self.begin]):
            return "sources"
        if is_hash(w) and not link.endswith(("commit/", "=")):
            return "hash"
        name = re.split("[/:#]", link)[-1]
        same = os.path.commonprefix([fold_case(name), fold_case(w)])
        if w[0] == "/" and link.endswith(w) or last != "?" and len(same) > 3 and (
                len(same) == len(name) or re.match("[a-z0-9]{4}", same)):
            return "repeated"
        if last == "/" and self.t.startswith("$ ", self.text_start()):
            return "output"
        if last == "/" and re.fullmatch(r"[ \t]\([A-Za-z]\)", rest):
            return "listed"
        if re.fullmatch("[0-9]{1,2}", w) and rest == "." and last not in DIGITS + "-" + MARKS:
            return "number"
        if self.is_footnote(link):
            return "footnote"
        if self.is_item():
            return "listed"
        if is_host_only(link) and w[0] not in "/?:" and last not in "-/." and not cut_ending:
            return "host"
        if here + self.lines.size(self.content, self.content + len(self.solid)) <= NARROWEST \
                and not (strong and alone and last in "-&?") and not cut_ending and not self.cuts_host(link):
            return "short"
        words = re.fullmatch("[A-Za-z]+", w) and re.match("[,.]?[ \t][A-Za-z0-9\"]", rest)
        if words and last not in "-_" and (not cut_ending or last == "." and rest[0] in " \t" and not is_host_only(link)):
            return "prose"
        if self.repeats_prefix():
            return "repeated"
        if is_plain(w) and w.lower() in COMMON or w.split("/")[0].lower() in COMMON and is_alternative(w):
            return "common"
        if re.fullmatch("[A-Za-z]+'[A-Za-z]+", w) or re.match(r"[0-9][0-9.]*[^\0-\x7f]", w):
            return "prose"
        if re.search("#L[0-9]+$", link) and not w[0].isdigit() and w[0] != "-":
            return "line"
        if re.search("#[A-Za-z_-]*[_-][A-Za-z_-]*[0-9]{4,}$", link) and letters(w):
            return "anchor"
        if self.is_past_id(link) or UUID.search(link) and w[0] in ASCII_LETTERS + DIGITS:
            return "id"
        if w[0] == "#" and w[1:].isdigit() and link.endswith(w[1:]):
            return "number"
        if re.search("=[0-9]+-$", link) and letters(w) == w and not alone:
            return "number"
        if re.search("=[0-9]+$", link) and re.match("[A-Za-z][^&=%]*$", w) and not alone and not cut_ending:
            return "number"
        if w[0] == "&" and not re.search("[?&=]", link):
            return "mark"
        if re.search("&[A-Za-z]*$", link) and last != "m" and re.match("([glquo]*t|[nbs]*p)(;|$)", w) and (";" in w or rest[:1] == ";"):
            return "reference"                       # to what no link holds
        if w == "=20" or w[0] in "=+" and not query or last == "=" and w[0] in "=#" or re.match("[?]?%(?![0-9A-Fa-f]{2})", w):
            return "mark"
        escape = re.search("%([!-$&-~]?)$", link)
        if escape and not re.match("[0-9A-Fa-f]{%d}" % (2 - len(escape[1])), w):
            return "escape"
        if w[0] == "#" and NAME.match(line[1:]) or not w[0].isalnum() and w[0] not in "=%" and re.match("[A-Za-z][A-Za-z0-9+.-]*:", w[1:]):
            return "record"
        lost = re.match(r"[A-Za-z]*\?", w) and "=" not in w
        if w.startswith(("??", "##", "&#")) or lost and (not alone or "#" in link or w.count("?") > 1):
            return "mark"
        value = "" if w[0] == "#" else "=/"
        if rest.startswith(("..", "!")) or re.search("(?<![%sA-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*://" % value, w):
            return "mark"
        name = re.match("[A-Za-z0-9_.-]+=(?P<value>[A-Za-z0-9_.-]+/)?", w)
        if name and ("=" in re.split("[?&]", link)[-1] and (last != "=" or re.match("[^=]*=[A-Za-z][A-Za-z0-9+.-]*:", w)) if query
                     else last != "#" and (last != "/" or not (closed or name["value"]))):
            return "assigns"
        if query and name and w.endswith("=") and w.count("=") == 1 and re.match("[\"'][A-Za-z0-9]", rest):
            return "assigns"
        if w[0] == "/" and not is_host_only(link) and not alone and rest[0] in " \t":
            return "path"
        address = "@" in link.rpartition("/")[2]
        if last not in "-." and not is_host_only(link) and not address and re.match(r"([A-Za-z0-9-]+\.){2,}(%s)(/|$)" % "|".join(HOST_ENDINGS), w):
            return "named"
        if last == "=" and not query and not self.is_soft(here, strong):
            return "mark"
        if w[0] == "-" and last not in MARKS + "-." and not (alone and re.match("-([a-z0-9]{2,}[-./]|[0-9]{2,}_|[A-Z][a-z]{3,}-[A-Za-z0-9]+[-./]).", w)) \
                and not (last == "/" and w.startswith("-/")):
            return "mark"
        if w[0] == "/" and (last in "/#" or ending(link) in ENDINGS and ending(link) not in HOST_ENDINGS):
            return "path"
        if w[0] == "/" and query and not (alone and re.search("[?&=][^?&=]*/[^?&=]*$", link)):
            return "path"
        if link.endswith(("--", "___")) or last == "?" and "=" not in w:
            return "dash"
        if self.is_row() or not alone and ("|" in (rest[:-1] if self.open else rest) or line.endswith(":") and not strong):
            return "row"
        if link.endswith("/.") and not re.search("[/?=&%#]", w) or "#" in link and re.fullmatch(r"[A-Za-z0-9_-]+[.](txt|html?)", w):
            return "file"
        if re.fullmatch("#[A-Za-z]+", w) and not closed and (ending(link) not in ENDINGS or ending(link) in HOST_ENDINGS):
            return "tag"
        if "#" in link and last not in "#/" and re.match("[^#]*#(?!/)", w):
            return "anchor"
        if query and re.match(r"[^?&]*\?[A-Za-z0-9]", w):
            return "query"
        return None

    def is_soft(self, here, strong):
        """Whether the `=` is likely a soft line break of quoted-printable."""
        text = self.t[self.line:self.at - 1]
        return SOFT_LINE[0] <= here <= SOFT_LINE[1] and not NO_ESCAPE.search(text) and (strong or bool(ESCAPE.search(text)))

    def repeats_prefix(self):
        """Whether both lines begin with one word: a prefix that no rule covers."""
        t, k = self.t, self.text_start()
        m = re.match(r"[^ \t\r\n\f\v]*", t[k:self.begin])
        if len(m[0]) < 2 or k + m.end() >= self.begin or not re.search("[A-Za-z0-9]", m[0]):
            return False
        return self.solid == m[0]

    def completes_id(self, link):
        """Whether the word has the host of the Message-ID within which the link ends."""
        before, at, host = self.word.partition("@")
        name = link.rpartition("/")[2]
        return at and self.is_host(host) and (MESSAGE_ID.match(name) or not before and EXCHANGE_ID.match(name))

    def is_past_id(self, link):
        """Whether a Message-ID with its host ends the link, and the word is no page of its message in an archive."""
        m = re.search(r"(?:^|(?<!/)/)[^/]+@[^/@]*\.([^/.@]+)(/?)$", re.sub("/[.]$", "/", link))
        if not m or m[1].lower() not in DOMAINS:
            return False
        if not m[2]:
            return self.word[0] == "#" or bool(re.fullmatch("[A-Za-z][0-9]+", self.word))
        return self.word[0] != "#" and letters(self.word) not in ("T", "t", "raw", "mbox")

    @staticmethod
    def is_host(w):
        _, dot, label = re.match("[A-Za-z0-9.-]*", w)[0].rpartition(".")
        return dot and label.lower() in DOMAINS

    def is_row(self):
        codes = re.findall(r"(?<=[^ \t])[+-](?=[ \t])", self.rest)
        return "...." in self.word or bool(re.search(r"[ \t]{3}[^ \t]|\t[^ \t]", self.rest)) or len(codes) > 1


CUTS = ("hyphen", "slash", "ending", "mark", "stop", "before", "in-word")
SHAPES = ("strong", "odd", "plain", "common")
TAILS = ("closed", "alone", "mark", "text")
ROOMS = ("full", "part", "left", "over")


def name_points(cut, start, tail, text, room, others):
    """Feature -> points; `cut` has a row for each cut, `others` the single ones."""
    points = {"%s %s" % (c, s): cut[i][k] for i, c in enumerate(CUTS) for k, s in enumerate(SHAPES)}
    for name, keys, values in (("starts", CUTS, start), ("tail", TAILS, tail), ("text", SHAPES, text), ("room", ROOMS, room)):
        points.update({"%s %s" % (name, k): v for k, v in zip(keys, values)})
    return {**points, **others}


def read_table():
    """Feature -> points, and (least sum, confidence) from the best."""
    with open(TABLE, encoding="utf-8") as f:
        source = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    arrays = {m[1]: [int(n) for n in re.findall("-?[0-9]+", m[2])]
              for m in re.finditer(r"points_(\w+)(?:\[\w+\])+ = \{(.*?)\};", source, re.S)}
    n = len(SHAPES)
    rows = [arrays["cut"][i * n:i * n + n] for i in range(len(CUTS))]
    others = {m[1].lower(): int(m[2]) for m in re.finditer(r"POINTS_(\w+) = (-?[0-9]+)", source)}
    steps = re.search(r"steps\[\] = \{(.*)\};", source)[1]
    return (name_points(rows, arrays["start"], arrays["tail"], arrays["text"], arrays["room"], others),
            [(int(a), float(b)) for a, b in re.findall(r"\{(-?[0-9]+), ([0-9.]+)\}", steps)])


def confidence(features, table):
    if "host" in features or "typeset" in features:
        return SURE_HOST
    points, steps = table
    total = sum(points.get(f, 0) for f in features)
    return next((c for least, c in steps if total >= least), 0)
