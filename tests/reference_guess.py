"""Guessed joins (J2), written down once more: whether the line end behind a link cuts it.

Guess(scanner, link) finds the word that would continue the link, why it never does (`veto`) or the names of the
features that the place has.  The points of the features stand in src/scan/guess_table.h, which is read here.
"""
import os
import re

from reference_text import ASCII_LETTERS, DIGITS, ESCAPE, LINE_ENDS, NO_ESCAPE, SCHEME_CHARS, SOFT_LINE

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "scan", "guess_table.h")
LOOK_BACK, LINE_LOOK = 1024, 256
LINES, LEAST_LINES = 8, 3          # of the neighbourhood
NARROW, WIDE = 50, 100             # columns of text that is wrapped
NARROWEST = 60                     # where a line was cut before the word, it is seldom as short
USUAL = (66, 80)                   # where nothing says what the wrap column is
MARKS = "=&?%_#+;"
DELIMITERS = "/?=&%#"
CLOSING = ".,;:!?)]}>\"'*_\\ \t\f\v"
LEADERS = re.compile(r"#+|//+|\*+|;+|--+|%+")
COUNTERPARTS = {"(": ")", "[": "]", "{": "}", "<": ">", ">": "<"}
HOST_ENDINGS = ("com", "net", "org", "edu", "gov", "mil")
COMMON = set("a also an and as at but for from in is of on or see so that the then this to und with".split())
ENDINGS = set("html htm shtml xhtml php asp aspx jsp cgi pdf ps txt doc ppt xls xml xsd gif jpg jpeg png gz tgz bz2 xz "
              "z zip lha tar jar rpm exe css js md git com net org".split())
TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(?![0-9])")
DATE = re.compile(r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}(?![0-9A-SU-Za-z/._-])")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}[ \t]*[:=](?=[ \t]|$)")
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]+=")
LEVEL = re.compile(r"(TRACE|DEBUG|INFO|NOTICE|NOTE|WARN|WARNING|ERROR|FATAL)(?![A-Za-z0-9])")
PROGRESS = re.compile(r"[0-9]+(/[0-9]+[ \t]|%(?![A-Za-z0-9/.?=&%#_-])|[ \t]+([kKMG]?i?B|bytes)(?![A-Za-z0-9]))")
VERSION = re.compile(r"CVE-[0-9]|[vV]?[0-9]+(\.[0-9]+)+(?![A-Za-z0-9/.?=&%#_-])")
DIRECTIVE = re.compile("#(define|include|ifn?def|if|elif|else|endif|undef|pragma)(?![A-Za-z0-9])")
COMPONENT = re.compile(r"[ \t]+(main|contrib|non-free|universe|restricted|multiverse)(?![A-Za-z0-9_-])")


def columns(text, n=0):
    for c in text:
        n = (n | 7) + 1 if c == "\t" else n + 1
    return n


def quote_columns(line):
    """How far the quote marks of a line reach, and the blank after them."""
    m = re.match(r"(?:[ \t]*[>|])+ ?", line)
    return columns(m[0]) if m else 0


def letters(w):
    return re.match("[A-Za-z]*", w)[0]


def is_plain(w):
    """A word of prose: letters, not of mixed case."""
    if any(c not in ASCII_LETTERS and ord(c) < 0x80 for c in w):
        return False
    upper = sum("A" <= c <= "Z" for c in w)
    return upper == len(w.encode()) or upper == ("A" <= w[0] <= "Z")


def ending(part):
    """The letters and digits behind the last full stop, at most 5, or None."""
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
    return any(c in DELIMITERS for c in w)


def is_figures(w):
    """A clock time, a date or a telephone number."""
    m = re.match(r"([0-9]{1,4})([-./:])(?:[0-9]{1,4}\2){0,2}[0-9]{1,4}", w)
    if not m:
        return False
    if m.end() < len(w):
        return m[2] == ":" and len(w) - m.end() == 2
    groups = re.split(re.escape(m[2]), w)
    if m[2] == ":":
        return True
    if len(groups) == 3 and len(groups[0]) != 3 and len(groups[1]) < 3 and len(groups[2]) != 3:
        return True
    return m[2] != "/" and len(groups[-1]) == 4 and len(groups[-2]) == 3


def is_alternative(w):
    """and/or, text/x-diff"""
    return bool(re.fullmatch("[A-Za-z-]+/[A-Za-z-]+", w))


def is_ruler(w):
    if not any(c.isascii() and c.isalnum() for c in w):
        return True
    return len(set(w)) <= 3 and len(w) >= 6 and not w.isdigit()


def begins_item(line):
    """A list item, a comment, a signature, a request of roff."""
    if re.match(r"[-*+]([ \t]|$)|--|//|/\*", line):
        return True
    if DIRECTIVE.match(line):
        return True
    if line[0] == ".":                               # a request of roff
        return bool(re.match(r"\.([A-Za-z]{0,2}|[A-Z]+)([^A-Za-z0-9]|$)", line)) and letters(line[1:]).lower() not in ENDINGS
    if not (line[0].isascii() and line[0].isalnum()) and line[0] not in DELIMITERS + "_~+;,-":
        return True
    return bool(re.match(r"[0-9]{1,3}([.:][ \t]|\)[ \tA-Z])", line))


def begins_record(line, word, link, full):
    """What begins a record (a log, a table, a session), not the rest of a line."""
    if TIME.match(line) or DATE.match(line) or LEVEL.match(line) or line.startswith("HTTP/"):
        return True
    if NAME.match(line) or PROGRESS.match(line) or VARIABLE.match(line) and link[-1] not in "?&;":
        return True
    return bool(VERSION.match(line)) and not full and link[-1] not in "-/="


class Guess:
    """`begin`: where the link begins; `part`: where its part on its last line does; `at`: the cut."""

    def __init__(self, t, begin, part, at, word_end, opened, furniture, closers):
        self.t, self.begin, self.part, self.at = t, begin, part, at
        self.before, self.prefix_end, self.is_list = t[begin - 1:begin], max(furniture.end, 0), furniture.is_list
        self.line = t.rfind("\n", 0, part) + 1
        self.numbered = not (furniture.diff or furniture.comment or furniture.is_list)
        self.diff, self.closers = furniture.diff, closers
        self.features, self.veto, self.word = [], None, None
        self.read(word_end, opened)

    def read(self, word_end, opened):
        t = self.t
        stop = t.find("\n", self.at)
        if stop < 0 or t[self.at:stop].strip(" \t\r") or stop - self.at > 8:
            self.veto = "text"
            return
        start = stop + 1
        end = t.find("\n", start)
        end = len(t) if end < 0 else end
        self.next = start
        if len(t[start:end].encode()) > LINE_LOOK:
            self.veto = "long"
            return
        marks = content = opened(start)
        if content is None:
            self.veto = "prefix"
            return
        while content < end and t[content] in " \t":
            content += 1
        if self.is_new_item(start, marks, content):
            self.veto = "item"
            return
        if re.match(r"[+$] [^ \t*#/]", t[start + len(re.match("[ >|]*", t[start:end])[0]):end]):
            self.veto = "trace"
            return
        content = self.skip_leader(content, end)
        line = t[content:end].rstrip(" \t\r") if content is not None else ""
        if not line:
            self.veto = "leader"
            return
        if self.begins_apart(line):
            self.veto = "apart"
            return
        self.content = content
        self.end = word_end(content)
        self.word = w = t[content:self.end]
        self.rest = t[self.end:content + len(line)]
        if not w or self.end > content + len(line):
            self.veto = "word"
            return
        self.describe(line)

    def is_new_item(self, start, marks, content):
        """A list mark of its own; ` * ` is how a comment of C goes on."""
        if not self.is_list or marks == start or content != marks + 1:
            return False
        mark, indent = self.t[marks - 1], self.t[start:marks - 1]
        return mark in "-+" or mark == "*" and (not indent.endswith(" ") or indent.endswith("  "))

    def skip_leader(self, content, end):
        """Comment leaders that both lines begin with, glued or not."""
        t = self.t
        if self.part != self.begin:
            return content
        k = self.prefix_end
        while k < self.begin and t[k] in " \t":
            k += 1
        if self.diff == "-" and t[k] == t[content:content + 1] == "-":
            a = b = re.compile("-").match(t, content) # the first `-` of `--` is taken for a mark
        else:
            a = LEADERS.match(t, k, self.begin)
            if not a:
                return content
            b = LEADERS.match(t, content, end)
        if not b or b[0][0] != a[0][0]:
            return None
        k = b.end()
        while k < end and t[k] in " \t":
            k += 1
        return k

    def begins_apart(self, line):
        k = 0
        while k < len(line) and line[k] in SCHEME_CHARS:
            k += 1
        if not k:
            return line[0] not in DELIMITERS + "_~;,"
        if line[k:k + 1] == ":" and line[0] in ASCII_LETTERS or line.startswith("--"):
            return True
        return bool(re.match(r"(www|ftp)\.[A-Za-z0-9+.-]", line, re.I))

    def describe(self, line):
        t, w, rest = self.t, self.word, self.rest
        link, part = t[self.begin:self.at], t[self.part:self.at]
        last = link[-1]
        query = "?" in link
        closed = bool(rest) and bool(self.before) and rest[0] in self.closers.get(self.before, COUNTERPARTS.get(self.before, ""))
        alone = closed or not re.sub(r"\[[0-9]+\]", "", rest).strip(CLOSING)
        plain = is_plain(w)
        common = plain and w.lower() in COMMON
        cut_ending = self.cuts_ending(part)
        strong = cut_ending or ends_as_file(w, alone) or (
            holds_marks(w, query) and (alone or not is_alternative(w)))
        self.solid = re.match(r"[^ \t\r\n\f\v]*", t[self.content:])[0]
        here = columns(t[self.line:self.at])
        quotes = quote_columns(t[self.line:self.part])
        width = self.wrap_width()
        kind = "ending" if cut_ending and last != "." else self.cut_kind(link, w)
        room = self.room(kind, here - quotes, width)
        full = room == "full"
        self.veto = self.never(line, link, part, query, full, alone, strong, here, cut_ending)
        if self.veto:
            return
        word = "strong" if strong else "plain" if plain and not common and "a" <= w[0] else "common" if plain else "odd"
        tail = "closed" if closed else "alone" if alone else "mark" if rest[0] in ".,;)" else "text"
        f = ["cut " + kind, "word " + word, "%s %s" % (kind, word), "tail " + tail, "room " + room]
        if tail == "text":
            f.append("text %s" % word)
        if kind in ("in-word", "before", "mark", "stop"):
            f.append("fixed" if self.is_fixed(here, quotes, width) else "loose")
        whole = part[:-1] if kind == "stop" else part
        if kind in ("in-word", "before", "stop") and ending(whole) in ENDINGS and ending(whole) not in HOST_ENDINGS:
            f.append("complete")
        text = self.text_start()
        if columns(t[self.next:self.content]) < columns(t[self.line:text]):
            f.append("outdent")
            if "fixed" not in f and kind != "ending":
                self.veto = "outdent"
                return
        f.append("%s %s" % ("starts" if not re.search("[ \t]", t[text:self.begin]) else "inside", kind))
        if columns(t[self.next:self.content] + line) == here > USUAL[0] - 16:
            f.append("even")
        self.features = f

    def text_start(self):
        """Where the text of the link's last line begins."""
        k = self.prefix_end if self.part == self.begin else self.part
        while k < self.part and self.t[k] in " \t":
            k += 1
        if self.part == self.begin and self.numbered:
            m = re.compile(r"[0-9]{1,4}[.)][ \t]+").match(self.t, k, self.begin)
            k = m.end() if m else k
        return min(k, self.part)

    def cuts_ending(self, part):
        """A cut in the name of a kind of file, as in `.ht` and `ml`."""
        w, e = self.word, ending(part)
        if len(w) > 5 or letters(w) != w or e is None or len(w) > 2 and e in ENDINGS:
            return False
        return e + w.lower() in ENDINGS

    def cut_kind(self, link, w):
        last = link[-1]
        if last == "-" or last == "/":
            return "hyphen" if last == "-" else "slash"
        if last in MARKS:
            return "mark"
        if last == ".":
            return "stop"
        return "before" if w[0] in DELIMITERS + ";." else "in-word"

    def wrap_width(self):
        """The longest line without a link among those before; 0 when fewer than three say it."""
        seen, low = [], max(0, self.begin - LOOK_BACK)
        lines = self.t[low:self.line].split("\n")[:-1]
        if low:
            lines = lines[1:]
        for text in reversed(lines):
            text = text.rstrip(" \t\r")
            if text and "://" not in text and len(seen) < LINES:
                seen.append(columns(text) - quote_columns(text))
        width = max(seen) if len(seen) >= LEAST_LINES else 0
        return width if NARROW <= width <= WIDE else 0

    def room(self, kind, here, width):
        """Whether the next piece had room on the line of the link."""
        solid = self.solid
        m = re.match("[^/]*/" if kind == "slash" else "[^-/]*[-/]", solid)
        piece = len((m[0] if m else solid).encode())
        if here > max(width + 4, USUAL[1]):
            return "over"
        width = width or USUAL[0]
        return "full" if here + piece > width else "part" if here + len(solid.encode()) > width else "left"

    def is_fixed(self, here, quotes, width):
        """Lines cut at a column, as some programs do, whatever stands there."""
        own = here - quotes
        return own == width or any(x in (70, 72, 74, 76, 80) for x in {here, own, own + 2})

    def never(self, line, link, part, query, full, alone, strong, here, cut_ending):
        w, rest, last = self.word, self.rest, link[-1]
        if begins_item(line) or is_figures(w) or is_ruler(w):
            return "item"
        if begins_record(line, w, link, full):
            return "record"
        if not query and re.match(r"\+[0-9]|1-[0-9]{3}-.", w) or rest[:1] == ":" and (rest[1:] or "/" not in w):
            return "name"
        first = re.match(r"[^/?=&%#]*", w)[0]
        if "@" in first and "/" not in w or "::" in first:
            return "address"
        if re.match(r"[A-Za-z_][A-Za-z0-9_.]*\(", w) and not query and last not in "-_/":
            return "address"
        if COMPONENT.match(rest) or self.t.startswith(("deb ", "deb-src "), self.text_start()):
            return "sources"
        if len(w) in (32, 40, 64) and re.fullmatch("[0-9A-Fa-f]+", w) and not link.endswith("commit/"):
            return "hash"
        name = re.split("[/:]", link)[-1]
        if len(name) > 3 and w.startswith(name):
            return "repeated"
        if self.is_host_only(link) and w[0] not in "/?:" and last not in "-/.":
            return "host"
        if here + len(self.solid.encode()) <= NARROWEST and not cut_ending:
            return "short"
        if last not in "-_" and not cut_ending and re.fullmatch("[A-Za-z]+", w) and re.match("[,.]?[ \t][A-Za-z0-9]", rest):
            return "prose"
        if self.repeats_prefix():
            return "repeated"
        if not query and (is_plain(w) and w.lower() in COMMON or w.split("/")[0].lower() in COMMON and is_alternative(w)):
            return "common"
        if w[0] == "=" and not query or w[0] == "%" and not re.match("%[0-9A-Fa-f]{2}", w):
            return "mark"
        if w[0] == "#" and (NAME.match(line[1:]) or re.match("[A-Za-z][A-Za-z0-9+.-]*:", w[1:])):
            return "record"
        if last not in "-." and not self.is_host_only(link) and re.match(r"([A-Za-z0-9-]+\.){2,}(%s)(/|$)" % "|".join(HOST_ENDINGS), w):
            return "named"
        if last == "=" and not query and not self.is_soft(here, strong):
            return "mark"
        if w[0] == "-" and last not in MARKS + "-/.":
            return "mark"
        if w[0] == "/" and (last in "/#" or query or ending(part) in ENDINGS and ending(part) not in HOST_ENDINGS):
            return "path"
        if part.endswith(("--", "___")) or last == "?" and "=" not in w:
            return "dash"
        if self.is_row() or not alone and ("|" in rest or line.endswith(":") and not strong):
            return "row"
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
        m = re.match(r"[^ \t\r\n\f\v]*", t[k:self.part])
        if len(m[0]) < 2 or k + m.end() >= self.part or not re.search("[A-Za-z0-9]", m[0]):
            return False
        return self.solid == m[0]

    def is_host_only(self, link):
        m = re.match(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(//)?", link)
        if self.part != self.begin:
            return False
        if link.lower().startswith("mailto:"):
            return "?" not in link
        return bool(m[1] or not m[0]) and not re.search("[/?#]", link[m.end():])

    def is_row(self):
        return bool(re.search(r"[ \t]{3}[^ \t]|\t[^ \t]", self.rest))


def read_table():
    """name -> points, and [(least score, confidence)] from the best."""
    points, steps = {}, []
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            m = re.match(r'\s*POINTS\(\w+, "([^"]+)", (-?[0-9]+)\)', line)
            if m:
                points[m[1]] = int(m[2])
            m = re.match(r"\s*STEP\((-?[0-9]+), (0\.[0-9]+)\)", line)
            if m:
                steps.append((int(m[1]), float(m[2])))
    return points, steps
