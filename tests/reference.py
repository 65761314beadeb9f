#!/usr/bin/env python3
"""The recognition rules written down once more, slow and plain.

scan(data, options) -> list of Link.  The whole input stands in memory; it is
decoded by rule C1 and searched from left to right.  Speed does not matter.
Each rule stands in the function whose comment cites it.

Left out: A3's header fields, flowed text, declared charsets, partial forms against a base (W3).
Guessed joins (J2) stand in reference_guess.py and are asked for with Scanner.guess.

usage: reference.py [--email] [--domains] [--ipv4] [--hyphen=drop] FILE...
"""
import bisect
import json
import re
import sys
from dataclasses import dataclass, field, replace

from reference_body import (armour_line, base64_line, YencLines, binhex_line, body_plausible, domain_label, host_could_exist,
                            ip_literal, is_atom, runs_on, uu_line, wide_dot)
from reference_guess import Guess, begins_record, is_host_only
from reference_text import (ASCII_LETTERS, BIDI, DIGITS, DOMAINS, FOLDED_COLUMNS, GLUED, HYPHEN, LINE_ENDS, MARKS, SCHEME_CHARS,
                            SCHEME_NAME_MAX, SOFT_HYPHEN, LinePrefix, Lines, decode, decode_bytes, ends_host, hyperlinks, is_blank,
                            is_control, is_escaped, is_glued, is_host_char, is_space, is_stop, is_word, scheme_row)

MAX_SPAN = 128 * 1024
LINE_LOOK, BACK_LOOK = 256, 1024   # bytes before a link that rules look at
CLOSER_BYTES = 256     # B5: how far after a link the closer of its bracket is looked for
# S2: top-level domains that are more often extensions of file names
FILE_SUFFIXES = set("ac ai am app as cab cc cfd cpa in java la lat md mk ml mm mo mov mp ms ng pl pm ps py rs sh so st "
                    "tf vi zip".split())


@dataclass
class Options:
    email: bool = False
    domains: bool = False
    ipv4: bool = False
    www: str = "http"
    join: str = "declared"
    hyphen: str = "keep"
    max_breaks: int = 16
    max_alternates: int = 8
    max_url_length: int = 65536


@dataclass
class Link:
    text: str
    scheme: str
    supplied: str
    convention: str
    flags: set
    parts: list  # (offset, length) in bytes of the input
    alternates: list = field(default_factory=list)


# ---- Elements: a character of a link and the source it stands for ------------------

@dataclass
class Element:
    c: str
    start: int         # range of characters in the text
    end: int
    undone: bool = False   # `\/` or `&amp;` (L)
    gap: str = ""      # what was removed before it: "", "blank", "line", "declared"
    line_prefix: bool = False
    hyphen: bool = False   # stands before a line break (H1)
    soft: bool = False     # stands before the `=` of a soft line break (J1)
    escaped: bool = False  # the second one of Texinfo's `@@` (B8)


QUOTED = re.compile("=([0-9A-F]{2})")


def quoted_character(e, n):
    """J1: what the escapes of quoted-printable at e[n] stand for, "" for what no link holds, and how many elements
    they take; 0 if there are none."""
    data = b""
    while len(data) < 4:
        three = e[n + 3 * len(data):n + 3 * len(data) + 3]
        m = QUOTED.fullmatch(text_of(three))
        if not m or any(x.gap or x.undone for x in three[not data:]):
            break
        data += bytes([int(m[1], 16)])
    for width in range(1, len(data) + 1):
        try:
            c = data[:width].decode("utf-8")
            return (c if not is_stop(c) and c != SOFT_HYPHEN else ""), 3 * width
        except UnicodeDecodeError:
            pass
    return "", 3 * bool(data)


def unquote(e):
    """J1: the elements with the escapes of quoted-printable undone."""
    out, n = [], 0
    while n < len(e):
        c, width = quoted_character(e, n)
        if c:
            last = e[n + width - 1]
            out.append(Element(c, e[n].start, last.end, True, e[n].gap, e[n].line_prefix, last.hyphen, last.soft))
        else:
            out.append(e[n])
        n += width if c else 1
    return out


def unescape(e):
    """B8: the elements with the escapes of Texinfo undone."""
    out = []
    for x in e:
        last = out[-1] if out else x
        if last.c == "@" and not last.undone and not x.undone and not x.gap and x.c in "@{}" and last is not x:
            out[-1] = Element(x.c, last.start, x.end, True, last.gap, last.line_prefix)
        else:
            out.append(x)
    return out


def text_of(elements):
    return "".join(e.c for e in elements)


SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,%d}:" % (SCHEME_NAME_MAX - 1))
PAIRS = {a: b for a, b in ("\"\"", "''", "\u201c\u201d", "\u201d\u201c", "\u2018\u2019", "\u2019\u2018",
                           "\xab\xbb", "\xbb\xab", "\u2039\u203a", "\u203a\u2039", "\u201e\u201c",
                           "\u201a\u2018", "\u300c\u300d", "\u300e\u300f", "\u301d\u301e", "\uff02\uff02")}
CLOSERS = {a: {b} for a, b in PAIRS.items()}
CLOSERS["\u201e"] = {"\u201c", "\u201d"}
CLOSERS["\u201a"] = {"\u2018", "\u2019"}
CLOSERS["\u201d"] |= {"\u201d"}
CLOSERS["\u2019"] |= {"\u2019"}
CLOSERS["\u301d"] |= {"\u301f"}
CLOSERS["\xbb"] |= {"\xbb"}
COMMAND = re.compile(r"""@\{("|u[bui]}|[fb]g )""", re.I)
BRACKETS = {")": "(", "]": "[", "}": "{"}
COLON = r"(?:(?::\x08)?\[:\]|\\?:)" # of a scheme, which may be defanged, also where it is struck over a bare one, or escaped
RULER = re.compile(r"([-=_*~+#.:])\1\1|[|]|[+][-=]")   # J1
PROSE = re.compile(r"(?!-)[*_]*[A-Za-z0-9\u0080-\U0010ffff-]+('[A-Za-z]*)?"
                   r"([*_.,;:!?]*[ \t]+[A-Za-z0-9\u0080-\U0010ffff]|[*_.,;:!?]*![ \t]*\Z)"
                   r"|[A-Z][a-z]+[*_.,;:!?]*[ \t]*\Z|[*][*]|!?\[")    # where Markdown's backslash breaks lines
ENTITY_END = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});$")
REFERENCE_END = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[A-Za-z0-9]{1,30});$")
NEXT_VALUE = re.compile("[,;|][A-Za-z0-9+._-]{1,64}=") # B8
OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
ADDRESS = rf"{OCTET}(?:[.]{OCTET}){{3}}"                     # S3
NOTE = r"\[(?:[0-9]+|\.\.+|(\^|[Ff][Nn]:)[A-Za-z0-9_-]+)\]"   # B5: a footnote mark, or what is left out
FOOTNOTE = re.compile(rf"(?<!=){NOTE}$")
SUBSTITUTE = re.compile(r"""(?<![^\0\t-\r "';{%])s([#@!%~,;])(?:(?:(?!\1)[^\r\n])*\1)?\Z""")   # B8
POSITION = re.compile(r"\.(?:[mc]?js|jsx|tsx?|css|html|php|py)((?=.{4,16}$)(?::[0-9]+){2})$")   # B4
WILDMAT = re.compile(r"[A-Za-z][A-Za-z0-9+_-]*\.[A-Za-z0-9][A-Za-z0-9+_.-]*(?<=\.)\*$")
POD = re.compile("<(gt|lt|sol|verbar)>")   # B4
HOST_ESCAPE = re.compile("%(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff])")  # B2: of ASCII letters, digits and -._
MAIL_MARKS = ".'|{"   # not the first of an address in free text


ACCENTED = re.compile("[A-Za-z](acute|grave|circ|uml|tilde|ring|cedil|slash|caron)|[aA][eE]lig|OElig|oelig|szlig")
# B7: an escaped mark, and the character that is left.
QUERY_NAME = re.compile(r"[?&;=\]][A-Za-z0-9+._-]*\Z")  # `?id` before `[]`, or a `]`
ORG = re.compile(r"""\[[^][<>"|\n\r\0]*[ \t][^][<>"|\n\r\0]*\]\[(?:(?!\]\]|\[\[)[^\n\r])*\]\]""")
ORG_MAX = 512
LABEL = re.compile(r"\[[@*A-Za-z\x80-\U0010ffff][A-Za-z0-9+._\x80-\U0010ffff-]*(?:[*^]?]|[A-Za-z0-9+._,\x80-\U0010ffff-]*=)")  # B5: `[word]`, `[a=b]`
NEW_WINDOW = re.compile(r"\[[@*]?[A-Za-z0-9+._\x80-\U0010ffff-]*\^]") # B5: `[word^]`
MAIL_LABEL = re.compile(LABEL.pattern.replace("+._", "+._,"))
ROFF = {"ti": "~", "hy": "-", "sh": "#", "ul": "_", "at": "@", "sl": "/", "aq": "'", "ha": "^"}
ROFF_NAME = rf"(?<!_\\)\(({'|'.join(ROFF)})|\[({'|'.join(ROFF)})\]"
MARK = re.compile(rf"\\(?:{ROFF_NAME}" r"|[*]?(:)(?=//)|(:)(?<=[A-Za-z0-9]\\:)(?=[0-9])|&(\.)|(?<=\.\\)&([A-Za-z0-9/])|[*]?:([.A-Za-z0-9/])|\\(/)|(~)(?:\{})?"
                  r"|(?:(t)ext(?:asciitilde|underscore)|(s)im)(?![A-Za-z])(?:\{}|[ $])?|([]#_%&(){}[.,;=?!@$|'-]|[*](?![:(\[])))")
# B2: an escaped character that goes on with a host.
CUT_HOST = re.compile(r"\\{1,2}(?:u((?!00[0-7])[0-9A-Fa-f]{4})|u00(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])|"
                      r"(?:u002[DdEe]|[-._]|&[-.]?|:(?![0-9]))(?=[A-Za-z0-9]))")
# B2: a placeholder for a part of the host, after which it goes on, or right after a full stop or hyphen of it.
WORDS = "[A-Za-z0-9.+_, \\t-]{0,59}"
PLACEHOLDER = re.compile(
    rf"(?:%(?![0-9A-Fa-f]{{2}})[A-Za-z]|\[(?={WORDS}\])[^]]*-[^]]*\]|\{{{WORDS}\}})[.-][A-Za-z0-9]"
    rf"|[.-]{{1,8}}(?:{{|%(?![0-9A-Fa-f]{{2}})[A-Za-z({{]|[\"'][ \t.]{{0,59}}[+$](?![0-9])"
    rf"|(?:[*]|\[{WORDS}\]|\({WORDS}\)|<{WORDS}>)[.-][A-Za-z0-9])")
STOP = re.compile(r"(?is)(?:\[(?:[.@]|dot|at)\]|\((?:[.@]|dot|at)\)|\{(?:[.@]|dot|at)\}|<\.>|\[\.|\]\.|(?<=\.)\])(?=.)") # B2: defanged
STOP_AND = re.compile(STOP.pattern.replace(r"|\]\.|(?<=\.)\]", "").removesuffix("(?=.)") + "(?=(.))")
# L: a reference, and that to a character which may be undone; B3: one that ends a link.
REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|apos|lt|gt|quot|nbsp))\\?;")
NAMED = {"amp": "&", "apos": "'", "lt": "<", "gt": ">", "quot": '"', "nbsp": "\xa0"}
CHARACTER_END = re.compile("&(?:%s|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});$" % ACCENTED.pattern)


def reference(text, i=0):
    """L: the character of ASCII that the reference at i stands for, "" if no URL holds it, and its length; B4: None for
    another one, or none."""
    m = REFERENCE.match(text, i)
    if not m:
        return None
    number = ord(NAMED[m[3]]) if m[3] else int(m[1] or m[2], 10 if m[1] else 16)
    if number >= 0x80 and number != 0xA0:
        return None
    return "" if is_stop(chr(number)) or chr(number) in "\\:" else chr(number), m.end() - i


class Scanner:
    def __init__(self, data, options):
        self.t, self.at, self.ends = decode(data)
        text, at = decode_bytes(data)
        self.line_ends = [at[m.end()] for m in re.finditer("\r\n|\r|\n", text)]
        self.o = options
        self.lines = Lines(self.t, self.at)
        self.links = []
        self.joins = False # declared breaks count: J1
        self.lenient = False # J1: what only all lines together decide is not asked of the first one
        self.taken = ()    # where the last part of the last link begins, and its `>`
        self.unclosed = 0  # an emphasis before did not close: none opens before this
        self.free = 0      # where the text after the last link begins
        self.find_scheme_starts()
        self.targets = [x for x in (hyperlink(data, a, b, options) for a, b in hyperlinks(data)) if x]

    def place(self, link):
        """The line and the column of its first character, both from 1."""
        begin = link.parts[0][0]
        ends = [k for k in self.line_ends if k <= begin]
        first = bisect.bisect_left(self.at, ends[-1]) if ends else 0
        return len(ends) + 1, bisect.bisect_right(self.at, begin) - first

    # -- B1, B10: where schemes start

    def opening(self, i):
        """The prefix of the line where a link opens at i (Q1).  What an earlier link
        took of the line is none."""
        start = self.lines.start(i)
        if start is None:
            return LinePrefix([], "", "", False, False, False, False, -1)
        return self.lines.line_prefix(start, min([i] + [k for k in self.taken if k >= start]))

    def slashes(self, k):
        """How many characters `//` after the colon takes: 2, more where it is escaped, or 0."""
        k += self.t.startswith("\\://", k)
        forms = {2: "//", 4: "\\/\\/", 6: "\\\\/\\\\/"}   # JSON, JSON in JSON
        return next((n for n, form in forms.items() if self.t.startswith(form, k + 1)), 0)

    def find_scheme_starts(self):
        """start -> (colon, known) for each colon that may end a scheme."""
        self.starts = {}
        t = self.t
        for k in range(len(t)):
            if t[k] != ":" or t.startswith("::", k):
                continue                             # `::` is code
            run = name = self.name_end(k)
            while run > 0 and t[run - 1] in SCHEME_CHARS:
                run -= 1
            if run == name:
                continue
            end = self.opening(k).end
            if run < end <= k:
                run = end
            start = self.scheme_start(run, k)
            if start is not None:
                self.starts[start] = k

    def name_end(self, k):
        """The end of the scheme whose colon is at k, which a backslash may escape (B7)."""
        return k - (self.t.startswith("\\://", k - 1) and k > 0)

    def begin_after(self, i):
        """A scheme that the link before i would have been part of begins there."""
        k = i
        while k < len(self.t) and self.t[k] in SCHEME_CHARS:
            k += 1
        k += self.t.startswith("\\://", k)
        if i < k < len(self.t) and self.t[k] == ":" and self.t[i - 1] in SCHEME_CHARS and not self.t.startswith("::", k):
            self.starts = {s: c for s, c in self.starts.items() if c != k}
            start = self.scheme_start(i, k)
            if start is not None:
                self.starts[start] = k

    def scheme_start(self, run, k):
        if self.name_end(k) == k:
            return self.name_start(run, k)
        start = self.name_start(run, k - 1)
        return start if scheme_row(self.t[start or 0:k - 1]) else None

    def name_start(self, run, k):
        t = self.t
        if not scheme_row(t[run:k].lstrip(DIGITS + "+.-")): # B1: the letters of an escape are none of the name
            run = next((s for s in range(run + 1, min(run + 3, k)) if is_escaped(t, s)), run)
        if scheme_row(t[run:k]):
            return run
        if not self.slashes(k):
            return None
        for s in range(run, k):
            row = scheme_row(t[s:k])
            after = t[s - 1] in ".-" or t[s - 1] == "+" and self.follows_command(s - 1)
            if row and (s == run or after and row[0]) and k - s <= SCHEME_NAME_MAX:
                return s
        low = t[run:k].lower()
        letter = next((s for s in range(run, k) if t[s] in ASCII_LETTERS), k)
        if scheme_row(t[letter:k]) and t[letter - 1:letter] not in tuple(DIGITS):
            return letter
        web = re.fullmatch("[^a-z]*[a-z0-9.-]*?(https?)", low[-SCHEME_NAME_MAX - 1:])
        if web:
            return k - len(web[1])                   # B10: `tohttp://`
        glued = [low[-len(g) - 1:-len(g)] for g in GLUED if low.endswith(g) and len(g) < k - letter]
        if glued and not set(glued) & set("+-."):
            return None                      # B10: a word glued before a known scheme
        return letter if letter < k and low[letter - run:] != "url" and k - letter <= SCHEME_NAME_MAX else None

    def before(self, s, forbidden):
        """B1: whether what stands before s lets a link start: yes, no, or emph
        (only when rule B6 takes the mark away)."""
        if s == 0 or self.opening(s).end == s:
            return "yes"
        c = self.t[s - 1]
        if is_escaped(self.t, s):
            return "yes"
        if c == "_" and self.t.endswith("_" * 8, 0, s):
            return "yes"                             # B3: a ruler
        if c == "+" and forbidden == "+_" and (
                self.follows_command(s - 1) or self.follows_macro(s) or s > 1 and is_space(self.t[s - 2])
                or re.search(r"[(;]\+{1,8}\Z", self.t[max(0, s - 9):s])):
            return "yes"                             # (+http://bot.example/)
        if c == "." and forbidden == "_@/." and self.t.startswith("...", s - 3):
            return "yes"
        if c in "_/+" and c in forbidden:
            return "emph"
        if c in forbidden or is_word(c):
            return "no"
        return "yes"

    def prefixed(self, s):
        """P1: `URL:` right before s, not inside a word; where it begins, or None."""
        k = s - 1 if s and self.t[s - 1] in " \t" else s
        m = self.t[max(0, k - 4):k]
        if m.lower() != "url:":
            return None
        k -= 4
        return None if k > 0 and (is_word(self.t[k - 1]) or self.t[k - 1] == "_") else k

    # -- B3, B5, B5a, B8, L: as far as a link in free text can reach

    def reach(self, s, body, json_escapes, source=True, so_far=()):
        """Elements from s up to what ends the link; the index of the ender.  `so_far`: those of the lines before, which
        a guess joins; then it continues at `body`."""
        t = self.t
        out = list(so_far) or [Element(t[i], i, i + 1) for i in range(s, body)]
        if text_of(out).endswith("\\://"):
            out[-4:-2] = [Element(":", body - 4, body - 2, True)]
        if json_escapes:
            n = json_escapes // 2
            out = out[:-json_escapes] + [Element("/", body - 2 * n, body - n, True), Element("/", body - n, body, True)]
        before = t[s - 1] if s else ""
        quote = before == "'" or self.follows_apostrophe(s)
        depth = {c: sum((x.c == c) - (BRACKETS.get(x.c) == c) for x in so_far) for c in "([{"}
        gap, line_prefix, breaks, i, quoted = "line" if so_far else "", False, 0, body, False
        size, begin = len(text_of(so_far).encode()), body if so_far else s
        texinfo, separator, opaque = self.in_texinfo(s), self.separator(s), not so_far and body > s and t[body - 1] == ":"
        hosted = self.has_user(t[s:body])
        user = re.compile(r"(?:&#x?[0-9A-Fa-f]+\\?;|[^/?#\s])*@").match(t, body) if hosted else None
        listed = user.end() if user else body
        while i < len(t):
            c, n, undone = t[i], 1, False
            size, begin = size + len(t[begin:i].encode()), i
            if size >= self.o.max_url_length:
                break
            if texinfo and c == "@" and (opaque or self.has_path(out)) and (m := re.compile("@/([A-Za-z0-9/])").match(t, i)):
                c, n, undone = m[1], 3, True         # B8
            elif texinfo and c == "@" and t[i + 1:i + 2] in ("@", "{", "}")[:3 if opaque or self.has_path(out) else 1]:
                out += [Element(c, i, i + 1, False, gap, line_prefix), Element(t[i + 1], i + 1, i + 2, escaped=True)]
                gap, line_prefix, i = "", False, i + 2
                continue                             # B8
            if c == "\\":
                if json_escapes and t.startswith("\\/", i):
                    c, n, undone = "/", 2, True
                elif source and (m := MARK.match(t, i)) and (self.mark(m) in "#:/" or opaque or self.has_path(out) or self.in_name(m)) and (
                        not self.is_foreign(s, m[m.lastindex])):
                    c, n, undone = self.mark(m), len(m[0]), True  # B7
                    if m[0].startswith("\\s") and out[-1].c == "$" and not out[-1].undone:
                        out.pop()
                        i, n = i - 1, n + 1
                    if c == "]" and self.is_lone(out + [Element(c, i, i + n, True)]):
                        break                        # B5
                    if c in ".&)},;?!*|" and self.scheme_follows(i + n):
                        break                        # B8
                elif source and self.unicode_escape(i) and (opaque or self.has_path(out)):
                    c, n = self.unicode_escape(i)
                    undone, known = True, reference("&" + t[i + n:i + n + 12]) if c == "&" else None
                    if is_stop(c) or c in "()[]{},;|\\" or known and not known[0]:
                        break                        # B3
                    if known:
                        c, n = known[0], n + known[1] - 1
                        if self.ends_after(c, i + n):
                            break                    # B8
                    if c == "'" and (self.follows_apostrophe(s) if known else quote):
                        break                        # D1, B5a
                else:
                    k, marks = self.declared_break(s, i)
                    if k is None or json_escapes or so_far or breaks == self.o.max_breaks or self.is_ruler(k):
                        break
                    gap, line_prefix, breaks, i = "declared", marks, breaks + 1, k
                    continue
            elif c in LINE_ENDS and not so_far and not json_escapes and self.joins and self.is_target(s):
                k, marks = self.after_target(s, i)
                if k is None or breaks == self.o.max_breaks:
                    break
                gap, line_prefix, breaks, i = "declared", marks, breaks + 1, k
                continue                             # J1: reStructuredText
            elif c in LINE_ENDS and not so_far and not json_escapes and self.o.join != "never" and self.lines.wrapped(self.lines.next(i)):
                k = self.lines.next(i) + 1           # F
                if k >= len(t) or is_stop(t[k]) or self.scheme_follows(k) or breaks == self.o.max_breaks or self.is_ruler(k):
                    break
                gap, line_prefix, breaks, i = "declared", True, breaks + 1, k
                continue
            elif (ord(c) >= 0x80 and not is_word(c) and ord(t[i - 1]) < 0x80 and self.scheme_follows(i + 1)
                  and (not self.is_enclosed(s) or (hosted or body == s) and not re.search("[/?#]", t[body:i]))):
                break                                # B8
            elif is_stop(c) and not (hosted and wide_dot(t, listed, i) and not re.search("[/?#]", t[body:i])) or (
                    c == "@" and not (texinfo and (not hosted or self.has_path(out))) and size + 1 < self.o.max_url_length and COMMAND.match(t, i)):
                break                                # B7: AmigaGuide
            elif c == "=" and not so_far and not json_escapes and self.joins and self.lines.quoted_printable(i):
                quoted = True
                if self.quoted_end(out, body) < len(out) or gap == "declared":
                    break
                k, marks = self.declared_break(s, i)
                if k is None or breaks == self.o.max_breaks:
                    break
                gap, line_prefix, breaks, i = "declared", marks, breaks + 1, k
                continue
            elif (c == "%" and t[i + 1:i + 2] in ("\r", "\n") and not so_far and not json_escapes and self.joins
                  and t.endswith(("\\url{", "\\href{"), 0, s)):
                k, marks = (None, False) if gap == "declared" else self.declared_break(s, i)
                if k is None or breaks == self.o.max_breaks:
                    break
                gap, line_prefix, breaks, i = "declared", marks, breaks + 1, k
                continue                             # J1: TeX
            elif c == "&":
                known = reference(t, i)
                if known and (not known[0] or i < listed and known[0] in "/?#"):
                    break                            # B3
                if known and (known[0] == "&" or opaque or body > s and not hosted or i < listed or self.has_port(out)):
                    c, n = known
                    second = reference("&" + t[i + n:i + n + 12]) if c == "&" and not texinfo and self.in_escaped_tag(s) else None
                    if second and second[0]:
                        c, n = second[0], n + second[1] - 1
                    if self.ends_after(c, i + n):
                        break                        # B8
                    if c == "'" and self.follows_apostrophe(s):
                        break                        # D1, B5a
                    undone = True                    # L
            elif c in depth:
                nested = "[" in t[listed:i].removeprefix("[")
                authority = hosted and not re.search("[/?#]", t[body:i])
                if c == "[" and (i > body or t[i + 1:i + 2] == "/") and self.ends_at_bracket(s, i, nested, authority):
                    break                            # B5, B7: a host begins with `[`, but not with `[/`
                depth[c] += 1
            elif c in BRACKETS:
                if depth[BRACKETS[c]] == 0:
                    break                            # B5
                depth[BRACKETS[c]] -= 1
            elif c == "'" and (quote or t.startswith("''" if t.endswith("``", 0, s) else "',", i) and (
                    t.endswith("``", 0, s) or before != '"' and text_of(out).count("'") % 2 == 0)):
                break                                # D1, B5a
            elif c == "|" and (before and before in "[{<" or t.endswith("\\u003c", 0, s)):
                break                                # B5a
            elif ((c == separator and (c not in ",;" or i >= listed)) or c in ";|" and self.is_argument(s)) and not (
                    c == ";" and REFERENCE_END.search(text_of(out) + c)):
                break                                # B8: a list; B5a
            value = before == "=" and NEXT_VALUE.match(t, i)
            if c in ",;|" and not undone and self.scheme_follows(value.end() if value else i + 1):
                whole = out + [Element(c, i, i + 1)]
                n = self.entity(whole, 0) if c == ";" else 0
                if c == ";" and not n and self.is_character(whole, text_of(whole)):
                    out, i = whole, i + 1
                    break
                i -= max(0, n - 1)
                del out[len(out) - max(0, n - 1):]
                break                                # B8
            out.append(Element(c, i, i + n, undone, gap, line_prefix))
            gap, line_prefix = "", False
            i += n
        end = self.quoted_end(out, body) if quoted else len(out)
        if end < len(out):
            out, i = out[:end], out[end].start
        self.quoted_line = quoted
        return (out, i) if so_far else self.end_at_opener(out, body - s - max(0, json_escapes - 2), i)

    def follows_apostrophe(self, s):
        """L: whether a reference to an apostrophe is right before s."""
        m = re.search("&[A-Za-z0-9#]{1,11};$", self.t[max(0, s - 12):s])
        return bool(m) and (reference(m[0]) or "-")[0] == "'"

    def ends_after(self, c, i):
        """B8: whether another link follows the reference to c that ends at i, other than as a value or a path."""
        return not re.match("[A-Za-z0-9/$%+=^_~-]", c) and self.scheme_follows(i)

    def is_reference(self, x):
        """L: whether the element was written as a reference."""
        return x.undone and x.end - x.start > 3 and self.t.startswith(("&", "\\u0026"), x.start)

    @staticmethod
    def has_port(e):
        """L: whether it has more than a host, or an address in brackets."""
        return bool(re.search("[:/?#]", re.sub("^([A-Za-z0-9.+-]*://)?([^/?#@]*@)?(\\[[^]]*])?", "", text_of(e))))

    def is_foreign(self, s, c):
        """B7: whether an escaped mark is none there: an apostrophe but in the string of a program, a bar but in Markdown."""
        if c == "'":
            return not self.t.endswith("'", 0, s) or self.t.endswith("\\'", 0, s)
        return c == "|" and not self.t.endswith("](", 0, s)

    @staticmethod
    def mark(m):
        """B7: the character that an escape stands for."""
        if m[0].startswith(("\\t", "\\s")):
            return "_" if "under" in m[0] else "~"
        return ROFF.get(m[m.lastindex], m[m.lastindex])

    def in_name(self, m):
        """B7: whether roff's escape is within a name, as of a host."""
        c = self.mark(m)
        around = self.t[m.start() - 1:m.start()] + self.t[m.end():m.end() + 1]
        return c in ASCII_LETTERS + DIGITS or c in "-." and m[0][1] != "." and re.fullmatch("[A-Za-z0-9]{2}", around)

    @staticmethod
    def has_path(e):
        """B7: whether it has a path, a query or a fragment."""
        return "/" in re.sub("[?#]", "/", re.sub("^([A-Za-z0-9.+-]*:)?(//)?", "", text_of(e)))

    def unicode_escape(self, i, text=None):
        """B7: the character of `\\uXXXX` at i, or of a pair of surrogates, and the length of the escape; or None."""
        m = re.compile(r"\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)|\\u(....)", re.A).match(self.t if text is None else text, i)
        digits = "".join(x for x in m.groups() if x) if m else "-"
        if not re.fullmatch("([0-9a-fA-F]{4})+", digits):
            return None
        c = bytes.fromhex(digits).decode("utf-16-be", "replace")
        return (c, m.end() - i) if c != "\ufffd" else None

    def quoted_end(self, out, body):
        """J1: where an escape of quoted-printable ends the link."""
        n = next((n for n, x in enumerate(out) if x.start >= body), len(out))
        while n < len(out):
            c, width = quoted_character(out, n)
            if width and not c:
                return n
            n += width or 1
        return len(out)

    def line_begin(self, s, stop=0):
        """Where the line of s begins, or what is read of it."""
        k = s
        while k > stop and self.at[s] - self.at[k - 1] <= LINE_LOOK and self.t[k - 1] not in LINE_ENDS:
            k -= 1
        return k

    def separator(self, s):
        """B8: the bar, comma, semicolon, `#` or `@` that separates the link at s from others."""
        t, before = self.t, self.t[s - 1] if s else ""
        if before == "|" or re.search(r"\|[\w \t-]*=[ \t]*$", t[max(0, s - 65):s], re.A):
            return "|"                               # B7: a field of a template
        if re.search(r"\{@[A-Za-z]{0,15} $", t[max(0, s - 18):s]):
            return "|"                               # B5a: a tag of JSDoc
        if before == "/" and re.compile(r"[A-Za-z0-9+.-]+:\\/\\/").match(t, s):
            return before                            # an expression between slashes
        if SUBSTITUTE.search(t[:s], max(0, self.line_begin(s) - 2)):
            return before                            # a command to substitute
        if self.in_texinfo(s):
            return ","
        if before not in (",", ";") or self.ends_reference(s - 1):
            return ""
        begin, last = self.line_begin(s, self.free), self.taken[0] if self.taken else 0
        follows = (begin == self.free and self.at[s] - self.at[last] < LINE_LOOK and t[:last].endswith(before)
                   and not self.ends_reference(last - 1))
        return before if follows or self.has_tight(begin, s - 1, before) else ""

    def in_texinfo(self, s):
        """B8: whether the link at s is in the braces of a command of Texinfo."""
        return bool(re.search(r"@[A-Za-z]{1,8}\{\Z", self.t[max(0, s - 10):s]))

    def is_argument(self, s):
        """B5a: whether a blank is before the link, and on its line a command that takes URLs."""
        line = self.t[self.line_begin(s):s]
        return bool(line.endswith((" ", "\t")) and re.search(r"(?<![A-Za-z0-9])(aria2c|curl|wget)[ \t]", line))

    def is_enclosed(self, s):
        """B5, B8: whether a bracket, a quotation mark or a separator begins the link at s."""
        before = self.t[s - 1] if s else ""
        return bool(before and before in "<([{'\"|" or self.t.endswith("``", 0, s) or self.follows_apostrophe(s) or self.separator(s))

    def has_user(self, head):
        row = scheme_row(head.partition(":")[0].rstrip("\\"))
        return head.endswith("/") and row and row[1] in ("HOST", "NEWS", "ADDRESS_OR_HOST")

    def has_tight(self, begin, end, c):
        return any(self.t[i] == c and self.t[i + 1:i + 2] not in (" ", "\t") and not self.ends_reference(i) for i in range(begin, end))

    def ends_reference(self, i):
        return self.t[i] == ";" and re.search("&[A-Za-z0-9#]{1,11};$", self.t[max(0, i - 12):i + 1])

    def ends_at_bracket(self, s, i, nested, authority):
        """B5: `u[u]`, `u[^]`, `u[word]`, `u[a=b]` and `link:u[text]`; B7: `u[/url]`.  `nested`: another `[` is before it, but that
        of a host; `authority`: that is what it is in, where it may follow userinfo, as a host does."""
        t = self.t
        if re.match(r"\[/[A-Za-z]", t[i:i + 3]):
            return True
        macro = (not nested or t[i - 1] == "+" == t[s - 1:s]) and self.follows_macro(s)
        known = self.scheme_follows(i + 1) or t[i + 1:i + 8].lower() == "mailto:"
        word = not nested and t[i - 1] != "_" and "?" not in t[s:i] and (MAIL_LABEL if t.startswith("mailto:", s) else LABEL).match(t, i)
        if word and self.at[word.end() - 1] - self.at[i + 1] < (2 if t[i + 1] < "\x80" else 3):
            word = None                              # of one character
        short = not (authority and t[i - 1] == "@") and not (t.endswith("](", 0, s) and re.match(r"\[[^]]*\]\)", t[i:])) and (NEW_WINDOW.match(t, i) or (t.startswith("[]", i) or word) and not QUERY_NAME.search(t[s:i]))
        if not (macro or short or known or re.compile("[A-Za-z0-9.+_-]{1,64}@[A-Za-z0-9]").match(t, i + 1)):
            return False
        depth, k = 1, i + 1
        while depth and k < len(t) and t[k] > " " and (t[k] != "[" or macro):
            depth += (t[k] == "[") - (t[k] == "]")
            k += 1
        while (short or authority) and t[k:k + 1] and t[k] in "!*.:@',;|":
            k += 1
        return not depth and not re.compile(r"[A-Za-z0-9$%&+/=^_~#?(\[{\x80-\U0010ffff-]").match(t, k)

    def end_at_opener(self, out, floor, i):
        """B5: an opener whose closer stands after the blank at i, on its line or the
        next one, ends the link."""
        self.with_bracket = text_of(out[floor:])
        if i >= len(self.t) or not is_space(self.t[i]):
            return out, i
        cut = len(out)
        scheme = text_of(out[:floor]).partition(":")
        row = scheme_row(scheme[0]) if scheme[1] else None
        if row and row[1] in ("HOST", "NEWS", "ADDRESS_OR_HOST") and text_of(out[:floor]).endswith("/"):
            floor += (re.match("[^/?#]*@", text_of(out[floor:])) or [""])[0].count("") - 1
        for close, opener in BRACKETS.items():
            stack = []
            for n, x in enumerate(out[floor:], floor):
                if x.c == opener and not x.undone and not x.escaped:
                    stack.append(n)
                elif x.c == close and stack and not x.undone and not x.escaped:
                    stack.pop()
            if stack and self.closes_behind(i, opener, close, len(stack)):
                cut = min(cut, stack[0])
        if cut == len(out):
            return out, i
        substituted = cut and out[cut - 1].c == "$" and not out[cut - 1].undone
        return out[:cut - bool(substituted)], out[cut].start

    def closes_behind(self, i, opener, close, depth):
        lines, k, size = 0, i, 0
        while k < len(self.t) and size < CLOSER_BYTES:
            c = self.t[k]
            size += len(c.encode())
            if c in LINE_ENDS:
                lines += 1
                if lines == 2:
                    return False
                k = self.lines.next(k)
                continue
            depth += (c == opener) - (c == close)
            if not depth:
                return True
            k += 1
        return False

    def is_ruler(self, k):
        """J1: whether a ruler or the border of a box begins at k."""
        end = k
        while end < len(self.t) and not is_stop(self.t[end]):
            end += 1
        piece = self.t[k:end]
        return bool(RULER.match(piece)) or not any(c.isascii() and c.isalnum() or ord(c) >= 0x80 for c in piece)

    def declared_break(self, s, i):
        """J1: a backslash or `=` at the line end, and URL characters at once after it (and
        after the prefix of the line where the link opens): where they begin, or
        None, and whether there is a line prefix."""
        t = self.t
        if self.o.join == "never" or i + 1 >= len(t) or t[i + 1] not in LINE_ENDS:
            return None, False
        start = self.lines.next(i + 1)
        k = self.lines.match(self.opening(s), start)
        if k is None and t[i] == "=":
            k = start                                # the encoder broke the line after it was quoted
        if k is None:
            return None, False
        marks = k > start
        if marks and self.lines.indent(k, len(t)) == k + 1:
            k += 1                                   # the blank of the mark
        elif t[i] == "%":
            k = self.lines.indent(k, len(t))
        elif t[i] == "\\":
            k = self.folded(s, i, k)
        if t[i] == "\\" and PROSE.match(t[k:self.lines.reach(k)]):
            return None, False
        escape = t[i] == "%" and t.startswith("\\", k) and t[k + 1:k + 2] not in ("\r", "\n")
        if k >= len(t) or is_stop(t[k]) and not escape or self.scheme_follows(k):
            return None, False
        if t[i] == "\\" and begins_record(t[k:self.lines.reach(k)], t[s:i], True):
            return None, False                       # J2
        return k, marks

    def is_target(self, s):
        """J1: whether the link is the target of a name of reStructuredText."""
        return self.t.endswith(": ", 0, s) and self.lines.start(s) is not None and self.t.startswith(".. _", self.target_begin(s))

    def target_begin(self, s):
        return self.lines.indent(max(self.opening(s).end, self.lines.start(s)), s)

    def after_target(self, s, i):
        """J1: where the target goes on, on a line of one word that is indented more, or None, and whether there is a line prefix."""
        start, opened = self.lines.next(i), self.opening(s)
        k = self.lines.match(opened, start) if start < len(self.t) else None
        if k is None:
            return None, False
        end, at = self.lines.end(start), self.lines.indent(k, len(self.t))
        word = self.t[at:end].rstrip(" \t")
        if (not word or re.search("[ \t]", word) or self.at[at] - self.at[start] <= self.at[self.target_begin(s)] - self.at[self.lines.start(s)]
                or self.at[end] - self.at[at] > LINE_LOOK or is_stop(word[0]) or self.is_ruler(at) or self.scheme_follows(at)):
            return None, False
        return at, k > start

    def folded(self, s, i, k):
        """J1: where the line at k continues after its indentation, if the backslash at i ends a long line or the link
        begins its comment, but for an option of a command."""
        start, content = self.lines.start(i), self.lines.indent(k, len(self.t))
        long = start is not None and i + 1 - start >= FOLDED_COLUMNS
        mark = self.opening(s)
        word = mark.comment and re.match("-[A-Za-z]{2}", self.t[content:content + 3])
        folds = (long or mark.comment and self.lines.indent(mark.end, s) == s) and (word or self.t[content:content + 1] != "-")
        return content if folds and content < len(self.t) else k

    def scheme_follows(self, i):
        m = SCHEME.match(self.t, i)
        if m and scheme_row(m[0][:-1]) is not None and self.t.startswith("//", m.end()):
            return True
        m = re.compile(f"([A-Za-z0-9+.-]+)({COLON})//").match(self.t, i)
        return bool(m) and (re.fullmatch("(?i)(hxxp|hxtp|htxp)s?|fxps?", m[1]) is not None
                            or scheme_row(m[1]) is not None)

    # -- B4, B5, B5a, B6: what goes at the end

    def trim(self, elements, floor, keep_star=False):
        bracketed = elements and self.t[elements[0].start - 1:elements[0].start] in tuple("<([{") and not self.t.startswith("]", elements[-1].end)
        e = elements[:] if bracketed else elements[:self.lone_opener(elements, floor)]
        while len(e) > floor:
            c, s = e[-1].c, text_of(e[floor:])
            if e[-1].escaped:
                break                                # B8
            if self.is_reference(e[-1]):
                paired = c == "'" and s.count("'") % 2 == 0 and not self.t.startswith("'", e[0].start - 1)
                if re.match("[A-Za-z0-9/$%+=^_~-]", c) or paired:
                    break
                e.pop()                              # L
            elif e[-1].undone and c in ")}" and self.is_lone(e):
                e.pop()                              # B7: `\(u\)`
            elif e[-1].undone and c == "]" and self.footnote(e, s) and not self.is_enclosed(e[0].start):
                del e[-self.footnote(e, s):]
            elif e[-1].undone and e[-1].end - e[-1].start < 6 and c not in ".&,;?!*|'":
                break                                # B7: `\#`
            elif e[-1].undone and c == "&":
                e.pop()                              # `&amp;` at the end
            elif c == ";" and self.entity(e, floor):
                del e[-self.entity(e, floor):]
            elif c == ";" and self.is_character(e, s):
                break                                # B4: `&#233;`
            elif c in ".,;:!?#|@([{" + MARKS:
                e.pop()
            elif c == "*" and not (keep_star and (s == "*" or self.is_wildmat(e, s))):
                e.pop()
            elif c == "'" and s.count("'") % 2 == 1:
                e.pop()
            elif c == "]" and self.footnote(e, s):
                del e[-self.footnote(e, s):]
            else:
                break
        return e

    def footnote(self, e, s):
        """B5: the length of the footnote mark at the end: `[1]`, `[^a]`, `[fn:a]`."""
        m = FOOTNOTE.search(s)
        if not m or any(self.is_reference(x) for x in e[len(e) - len(m[0]):]) or m[1] and any(x.gap or x.undone for x in e[len(e) - len(m[0]):][1:len(m[1]) + 1]):
            return 0
        return len(m[0])

    def lone_opener(self, e, floor):
        """B7: the index of the outermost `\\(` or `\\[` without its `\\)` or `\\]`, or the length: of roff's `\\(ra` nothing
        is part."""
        opened = []
        for i in range(floor, len(e)):
            if e[i].undone and e[i].c in "([{" and not self.is_reference(e[i]):
                opened.append(i)
            elif e[i].undone and e[i].c in ")]}" and opened and not self.is_reference(e[i]):
                opened.pop()
        return opened[0] if opened else len(e)

    def is_lone(self, e):
        """B7: whether the last one, `\\)` or `\\]`, has no opener before it."""
        depth = 0
        for c in (x.c for x in e[:-1] if x.undone and not self.is_reference(x)):
            depth = depth + 1 if c in "([{" else max(0, depth - 1) if c in ")]}" else depth
        return depth == 0

    def settle(self, s, e, raw, floor, ender, kind=None):
        """B3, B4, D1: what goes or stays at the end by what is around the link."""
        t, text = self.t, text_of(e)
        if len(e) <= floor:
            return e
        at_end = e[-1].end == ender
        position = POSITION.search(text)
        if (position and "/" in text[floor:position.start()] and not any(x.gap or x.undone for x in e[position.start() + 1:])
                and not (t[s - 1:s] in CLOSERS and self.encloses(s, t[ender:ender + 1], ender))):
            return self.trim(e[:position.start(1)], floor, kind == "NEWS")
        ruler = re.search("(_{8,}|-{8,})$", text)
        if ruler and at_end and (ender == len(t) or t[ender] in LINE_ENDS):
            return self.trim(e[:ruler.start()], floor, kind == "NEWS")
        if text.endswith("*/") and self.in_comment(s):
            return self.trim(e[:-2], floor, kind == "NEWS")
        closing = self.closing_hyphens(s, ender) if at_end else 0
        if closing:
            return self.trim([x for x in e if x.end <= ender - closing], floor, kind == "NEWS")
        if at_end and text[-1] == "E" and POD.match(t, ender):
            return self.trim(e[:-1], floor, kind == "NEWS")
        authority = text_of(raw[floor:])
        alone = kind == "HOST" and not re.search("[/?#]", authority)
        if at_end or alone and ":" not in re.sub(r"^.*@|\[[^\]]*\]", "", authority):
            return e
        before, c, close = t[s - 1:s], t[e[-1].end], t[ender:ender + 1]
        if before in ("'", '"') and t[s - 2:s - 1] == "=" and close == before and (
                ender + 1 == len(t) or t[ender + 1] in "<> \t\n\r\v\f"):
            return raw                               # D1: the value of an attribute
        if alone:
            return e
        if before in CLOSERS and self.encloses(s, close, ender) and not t[e[-1].end:ender].strip("|"):
            return raw                               # D1: bars
        path = t[e[floor - 1].end if floor else s:e[-1].end]
        stars = c == "*" and not t.startswith("**", e[-1].end)
        keep = stars and t[e[-1].end - 1] in "/=" and not self.has_tight(self.line_begin(s), s, "*")
        if c in "#?" and ender == e[-1].end + 1 and self.encloses(s, close, ender):
            keep = True
        if c == "#" and "/" in path and "?" not in path and re.search("[A-Za-z0-9]$", path):
            keep = True
        if c == "#" == before and self.opened_emphasis(s):
            keep = False
        i = e[-1].end
        return e + [Element(c, i, i + 1)] if keep else e

    def in_comment(self, s):
        """B4: whether a `/*` stands before."""
        begin = s
        while begin and self.at[s] - self.at[begin - 1] <= BACK_LOOK:
            begin -= 1
        text = self.t[begin:s]
        return text.rfind("/*") > text.rfind("*/") if "/*" in text else False

    def in_escaped_tag(self, s):
        """L: whether the last tag before the link was escaped, as HTML in feeds."""
        begin = s
        while begin and self.at[s] - self.at[begin - 1] <= BACK_LOOK:
            begin -= 1
        return bool(re.search("&lt;[^<]*$", self.t[begin:s]))

    def closing_hyphens(self, s, ender):
        """B4: how many characters before `ender` close a comment or a tag, or are of an arrow."""
        angle = self.t.startswith((">", "&gt;"), ender)
        if not angle and not self.t.startswith(("}", "]"), ender):
            return 0
        n = len(re.search("-*%?$" if angle else "-*$", self.t[s:ender])[0])
        return n if angle or n > 1 or self.t[s - 1:s] == "-" else 0

    def encloses(self, s, close, ender):
        """B4: quotation marks and markup; no plain round brackets."""
        before = self.t[s - 1:s]
        if close == "\\":
            close = self.t[ender + 1:ender + 2] or close
        if not before or not close:
            return False
        if before == "(":
            return close == ")" and self.t[s - 2:s - 1] == "]"
        pairs = {"[": "]", "]": "[", "{": "}", ">": "<", "`": "`"}
        return close == pairs[before] if before in pairs else close in CLOSERS.get(before, ())

    def entity(self, e, floor):
        """How many elements of an HTML entity that stands for a delimiter are at the end (B4)."""
        tail = e[floor:][-34:]
        m = ENTITY_END.search(text_of(tail))
        if not m or not self.is_delimiter(m[0][1:-1]):
            return 0
        return len(m[0]) if self.is_unbroken(tail[-len(m[0]):]) else 0

    def is_character(self, e, s):
        """B4: whether it ends in `&#233;` or `&eacute;`."""
        m = CHARACTER_END.search(s)
        return bool(m) and self.is_unbroken(e[-len(m[0]):])

    def is_unbroken(self, e):
        """L: whether the characters are a reference as it was written, on one line."""
        return not any(x.undone for x in e) and not any(x.gap for x in e[1:])

    def is_delimiter(self, name):
        """B4: of named entities all but the letters with an accent."""
        if name[0] != "#":
            return not ACCENTED.fullmatch(name)
        n = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        c = chr(n) if n < 0x110000 else "\ufffd"
        return is_stop(c) or c in ".,;:!?*@'()[]{}&" + MARKS

    def emphasis(self, s, e, floor):
        """B6: how many marks at the end close those before s; 0 for none."""
        n = self.opened_emphasis(s)
        return n if n and len(e) - floor >= n and all(x.c == self.t[s - 1] and not x.undone for x in e[-n:]) else 0

    def closes_later(self, s, ender):
        """B6: whether as many `_` as opened the emphasis close it later on the line."""
        t, n = self.t, self.opened_emphasis(s)
        return n and t[s - 1] == "_" and any(
            t.endswith("_" * n, ender, k) and t[k - n - 1] not in "_ \t" and t[k:k + 1] != "_" and not is_word(t[k:k + 1] or " ")
            for k in range(ender + 1, self.lines.end(ender) + 1) if self.at[k - 1] - self.at[ender] <= LINE_LOOK)

    def opened_emphasis(self, s):
        """B6: how many marks before s open an emphasis."""
        t, k = self.t, s
        if s == 0 or t[s - 1] not in "*_/~=+#%" or self.opening(s).end == s:
            return 0
        mark = t[s - 1]
        while k > 0 and t[k - 1] == mark:
            k -= 1
        if (mark == "#" or k > 0 and is_word(t[k - 1])) and not self.follows_command(k):
            return 0
        n = s - k
        if mark == "/" and (n > 2 or n == 2 and t.endswith((":", "[:]"), 0, k)) or mark == "%" and n == 1:
            return 0                                 # a path, or part of the link
        return n

    def follows_command(self, k):
        """B6: whether a command of TeX that quotes up to a mark is right before k."""
        return self.t.endswith(("\\verb", "\\lstinline"), 0, k)

    def follows_macro(self, s):
        """B1, B5: whether a macro of AsciiDoc begins the word before the link at s."""
        return bool(re.search(r"(^|[ \t\n\r\v\f])(link:|xref:|image::?|(include|video|audio)::)[+]{0,2}$", self.t[max(0, s - 12):s]))

    def is_wildmat(self, e, s):
        """`comp.lang.*` on one line, and no emphasis."""
        return WILDMAT.match(s) and not any(x.gap for x in e) and not self.opens_bold(e[0].start)

    def opens_bold(self, s):
        """B6: whether a `*` right before s opens an emphasis."""
        before = self.t[:s].rstrip("*")
        return len(before) < s and self.opening(s).end != s and not (before and is_word(before[-1]))

    # -- B2, B11, B12: hosts

    def authority_end(self, text, at):
        for i in range(at, len(text)):
            opener = BRACKETS.get(text[i])
            if text[i] in "/?#" or is_stop(text[i]) and not wide_dot(text, text.rfind("@", at, i) + 1 or at, i) or opener and text[at:i + 1].count(text[i]) > text[at:i].count(opener):
                return i
        return len(text)

    def check_host(self, e, at, userinfo=True, free=False, bracketed=False):
        """Where a link with a host at e[at] ends by its host: its length, or None
        for no host that could exist.  `free`: what follows e in free text counts;
        `bracketed`: a placeholder in brackets is part of it."""
        text = text_of(e)
        after = self.t[e[-1].end:e[-1].end + 64] if free and e else ""
        if any(c in BIDI for c in re.split("[/?#]", text[at:])[0]):
            return None                              # RFC 3987 section 4.1
        stop = self.authority_end(text, at)
        last = stop if text[stop:stop + 1] in ("/", "?", "#") else len(text[:stop].rstrip("@"))
        host = text.rfind("@", at, last) + 1 if userinfo else 0
        host = host or at
        if text.startswith("[", host):
            close = text.find("]", host, stop)
            if close < 0 or not ip_literal(text[host + 1:close]):
                return None
            end = close + 1
            if re.match("[A-Za-z0-9_]", text[end:]):
                return None
            cut = end < len(text) and text[end] not in ":/?#"
        else:
            end = host
            while end < stop and (text[end] == "." or is_host_char(text[end]) or HOST_ESCAPE.match(text, end)
                                  or userinfo and wide_dot(text, host, end)):
                if runs_on(text, host, end) or end > host and self.is_ruled(e[end:]):
                    break                            # B12, B3
                end += 3 if text[end] == "%" else 1
            whole = end
            end = self.before_dots(text, host, end)
            if end < whole:
                return end if host_could_exist(text[host:end]) else None
            tail = re.search(r"[.-]*$", text[host:end])[0]
            if tail.startswith("..") and text[end:end + 1] in ("/", "?", "#"):
                return None
            if tail and text[end:end + 1] == "$" or not bracketed and PLACEHOLDER.match(text + after, end - len(tail)):
                return None
            cut = end < stop and text[end] != ":"
            if cut or tail not in ("", "."):
                end, cut = end - len(tail), True
            if not host_could_exist(text[host:end]):
                return None
        if not cut and text.startswith(":", end) and end + 1 < len(text) and ord(text[end + 1]) >= 0x80:
            cut = True                               # B11: no port begins so
        port = re.match(":[0-9]+", text[end:])
        after = end + port.end() if port else len(text)
        if not cut and after < len(text) and (ends_host(text[after]) or text[after] in ",;|"):
            end, cut = after, True                   # B12, B11
        return end if cut else len(text)

    def is_bracketed_host(self, e, scheme, at):
        """B2 in brackets, which also hold what a host cannot: full stops before one more label or a path spoil it, where
        it ended before what is not ASCII."""
        text = text_of(e)
        if self.hostless(scheme, True, text[at:]):
            return True
        end = min(self.check_host(e, at, bracketed=True) or 0, self.authority_end(text, at))
        port = ":" in text[at:end].rpartition("@")[2]
        return end and (port or text[end:end + 1] < "\x80" or not re.match(
            r"[^/?#]*\.\.([A-Za-z0-9_/?#-]|[^\0-\x7f])", text[end:]))

    def is_ruled(self, e):
        """B3: whether a ruler of `_` runs from here to the end of the line."""
        at = e[-1].end
        return len(e) >= 8 and all(x.c == "_" for x in e) and (at == len(self.t) or self.t[at] in LINE_ENDS)

    def goes_on(self, e, floor, ender):
        """B2: whether there is no path, and what is escaped or defanged goes on with the host: `m\\u00fcnchen`,
        `a\\u002eexample`, `a\\.example`, `a[.]example`.  Such a host is none over lines either (J1)."""
        escape = CUT_HOST.match(self.t, ender)
        stop = STOP.match(self.t, ender)
        host = e[floor].start if len(e) > floor else ender
        opener = self.t.rfind("[", 0, host)
        if stop and self.t.startswith("]", ender) and opener >= 0 and self.at[host] - self.at[opener] <= LINE_LOOK:
            return False
        if not escape and not stop or re.search("[/?#]", text_of(e[floor:])):
            return False
        if e and not re.fullmatch("[.:-]*", self.t[e[-1].end:ender]):
            return False                             # a mark that no host has ends it before
        if stop:
            self.cut_host = is_word(self.t[stop.end()]) or self.t[stop.end()] == "_"
            return self.cut_host
        letter = chr(int(escape[1] or "41", 16))
        self.cut_host = letter < "\x80" or is_host_char(letter) and not ends_host(letter)
        return self.cut_host

    def before_dots(self, text, host, end):
        """B2: `www.a.com...Click` ends before the dots."""
        dots = re.compile(r"\.{3,}").search(text, host, end)
        labels = text[host:dots.start()].split(".") if dots else []
        if len(labels) > 1 and labels[-1].lower() in DOMAINS and re.match("[A-Za-z]", text[dots.end():end]):
            return dots.start()
        return end

    # -- D1, P1 and the common end of every link in free text

    def is_cut_host(self, text, end):
        """Whether the limit of a link cuts it within its host."""
        t = self.t
        return (len(text.encode()) + 4 > self.o.max_url_length and re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*", text)
                and end < len(t) and (t[end] in ".-_" or is_host_char(t[end])))

    def make(self, e, s, convention, flags, supplied="", scheme=None):
        flags = set(flags)
        while convention not in ("wrapper", "angle") and len(text_of(e).encode()) > self.o.max_url_length:
            e = e[:-1]
        if self.is_cut_host(supplied + text_of(e), e[-1].end):
            return None
        if self.quoted_line and any(x.gap for x in e[1:]):
            e = unquote(e)
        elif convention not in ("wrapper", "angle") and self.in_texinfo(e[0].start):
            e = unescape(e)
        if any(x.gap for x in e[1:]) or "hyphen-ambiguous" in flags:
            flags.add("joined")
        if any(x.gap == "declared" for x in e[1:]):
            flags.add("join-declared")
        if any(x.line_prefix for x in e[1:]):
            flags.add("decoration")
        if any(x.undone for x in e) or self.overprinted(e):
            flags.add("unescaped")
        text = text_of(e)
        if scheme is None:
            scheme = text[:text.index(":")].lower()
        return Link(text, scheme, supplied, convention, flags, self.parts(e))

    def overprinted(self, e):
        """B1: whether escape sequences or overstrikes were taken out of it."""
        inside = [i for x in e for i in range(x.start, x.end)]
        return any(b == a + 1 and self.ends[a] < self.at[b] for a, b in zip(inside, inside[1:]))

    def parts(self, e):
        out = []
        for i in (i for x in e for i in range(x.start, x.end)):
            if out and out[-1][1] == self.at[i]:
                out[-1][1] = self.ends[i]
            else:
                out.append([self.at[i], self.ends[i]])
        return [(a, b - a) for a, b in out]

    def convention(self, s, ender, cut):
        """D1 and P1: how a link in free text was delimited."""
        if self.quoted(s, ender, cut):
            return "quoted"
        return "bare" if self.prefixed(s) is None else "prefix"

    def quoted(self, s, ender, cut):
        """`cut`: where a host ended the link, or None; marks may stand after it."""
        if cut is None and COMMAND.match(self.t, ender) and not re.search("[/?#]", self.t[s:ender].partition("//")[2]):
            cut = ender
        if cut is not None:
            ender = re.compile("[.,;:!?@|*#([{%s-]{0,8}" % MARKS).match(self.t, cut).end()
        if s == 0 or ender >= len(self.t) or self.lines.end(s) < ender:
            return False
        return self.t[ender] in CLOSERS.get(self.t[s - 1], ())

    # -- Links in free text with a scheme (B)

    def bare(self, s, k):
        """A link that starts at s with the colon at k: (link or None, resume)."""
        t = self.t
        name, width = t[s:self.name_end(k)], self.slashes(k)
        row = scheme_row(name)
        marks = "+_" if width else "+_.-/@:"
        start = "yes" if not width and self.prefixed(s) is not None else self.before(s, marks)
        if t.endswith(("[.]", "[@]"), 0, s):
            start = "no"                             # B1: the last label of a defanged host
        if row and not row[2] and not width and re.search('[A-Za-z0-9"-]:$', t[max(0, s - 2):s]):
            start = "yes"                            # B1: ATTENDEE:mailto:
        if width and name.lower() in ("http", "https") and s and t[s - 1] != "_" and is_word(t[s - 1]):
            start = "yes"                            # B10
        if (width and row and row[0] or name.lower() in ("view-source", "blob", "feed")) and (
                self.scheme_follows(k + 1 + width)):
            return None, None                        # B10: what follows is the link
        if start == "no" or start == "emph" and s < self.unclosed or t[k + 1:k + 2] == ":":
            return None, None                        # `std::string`
        body = k + 1 + width
        # B10: a scheme that is never linked is passed over up to an escape, and read no farther
        passed = bool(row and row[2]) and not (s and (t[s - 1] in "\"'" or t[s - 1] >= "\xab"))
        e, ender = self.reach(s, body, width if width > 2 and not passed else 0, not passed)
        with_bracket = self.with_bracket
        floor = len(name) + 1 + (2 if width else 0)
        kind = row[1] if row else "ANY"
        if row and row[2]:
            return self.forbidden(s, e, floor, ender, start)
        if width and kind in ("NEWS", "ADDRESS_OR_HOST"):
            kind = "HOST"
        if width and kind not in ("HOST", "FILE"):
            kind = "ANY"
        if not width and row[0] == 2:
            return None, None
        hostless = self.hostless(name, width, text_of(e[floor:]))
        cut, raw, ends_host = None, e, False
        whole = text_of(e[floor:])
        if self.opened_emphasis(s):
            whole = whole.rstrip(t[s - 1])
        if kind == "HOST" and re.search(rf"@(?:…|{NOTE}|[^@\w/?#\x80-\U0010ffff])+$", whole) and not re.search("[/?#]", whole):
            return None, None                        # userinfo, and no host before what is taken off the end
        e = self.trim(e, floor, keep_star=kind == "NEWS")
        n = self.emphasis(s, e, floor)
        if n:
            e = self.trim(e[:-n], floor, keep_star=kind == "NEWS")
            if start == "emph" and kind == "HOST" and re.fullmatch("[^/?#:]*_", text_of(e[floor:])):
                return None, None                    # more marks follow the host than opened the emphasis
        elif start == "emph" and not self.closes_later(s, ender):
            self.unclosed = ender
            return None, None
        if row is None and (t[:s].endswith("$") or not self.lenient and not self.is_authority(
                name, text_of(e[floor:]).removesuffix("E" if POD.match(t, ender) else ""))):
            return None, None
        if row is None and re.search("[/?#]", with_bracket) and not self.is_authority(name, with_bracket):
            return None, None                        # though B5 ends it before that: `db://host(:port/name of it)`
        if kind in ("ANY", "FILE") and width and self.goes_on(e, floor, ender):
            return None, None
        if kind == "ANY" and width and any(is_word(m[1]) for m in STOP_AND.finditer(re.split("[/?#]", text_of(e[floor:]))[0])):
            return None, None                        # B2: the host is defanged
        if kind == "HOST" and not hostless:
            end = self.check_host(e, floor, free=True)
            if end is None or self.goes_on(e[:end], floor, ender if end == len(e) else e[end - 1].end):
                return None, None
            cut = e[end - 1].end if end < len(e) else None
            ends_host = cut is not None or not re.search("[/?#]", text_of(e[floor:])) and t[e[-1].end:][:1] in tuple("|[({")
            self.cut = ends_host
            e = self.trim(e[:end], floor)
        at = re.match("[^?#@]*@@?", text_of(e[floor:])) if kind == "ADDRESS" else None
        if at:                                       # B12
            text, host = text_of(e), floor + at.end()
            end = next((k for k in range(host, len(text)) if runs_on(text, host, k) or not (text[k] == "." or is_host_char(text[k]))), None)
            if end is not None and runs_on(text, host, end):
                cut, ends_host = e[end - 1].end, True
                e = self.trim(e[:end], floor)
        if not ends_host:
            e = self.settle(s, e, raw, floor, ender, kind)
        e = unescape(e) if self.in_texinfo(s) else e
        rest = text_of(e[floor:])
        delimited = self.quoted(s, ender, cut) or self.lenient and (t[s - 1:s] in tuple("\"'") or t[s - 1:s] >= "\x80")
        if not body_plausible(kind, rest, bool(width), delimited):
            return None, None
        if kind in ("URN", "PHONE", "GEO", "QUERY", "TOKEN", "ADDRESS_OR_HOST") and not width and not body_plausible(
                kind, "".join(t[x.start:x.end] if self.is_reference(x) and x.c != "&" else x.c for x in e if x.start >= body),
                False, delimited):
            return None, None                        # L: no reference but to an ampersand is in what is looked at
        if kind in ("ADDRESS", "ID") and re.match(rf"[^?#@]*\\({ROFF_NAME})" + "[^?#@]*@" * (kind == "ID"), t[body:e[-1].end]):
            return None, None                        # B7: nor what roff names
        flags = {"unknown-scheme"} if row is None else set()
        self.ended = (raw, floor, ender if cut is None else cut, width > 2, kind == "HOST" and not hostless)
        return self.make(e, s, self.convention(s, ender, cut), flags), e[-1].end

    def guess(self, s):
        """J2: the guess at the end of the line of the link in free text that begins at s, or None."""
        t, self.ended = self.t, None
        if s in self.starts:
            link, end = self.unbroken(lambda: self.bare(s, self.starts[s])) or (None, None)
        else:
            link = self.unbroken(lambda: self.www(s))
            end = link and bisect.bisect_left(self.at, sum(link.parts[-1]))
        if not link or not self.ended or "joined" in link.flags:
            return None
        raw, floor, at, escaped, authority = self.ended
        if self.opened_emphasis(s) and not t.endswith("//", 0, s) or escaped or t[end:at] not in ("", "&amp;", *".?#@"):
            return None
        host = is_host_only(t[s:at])
        typeset = host and t.startswith((SOFT_HYPHEN, HYPHEN), at)
        at += host and t.startswith("-", at)         # no host ends with it, but a part of one may
        kept = at
        at += typeset                                # H4: no host has it
        if t[at:at + 1] not in tuple(" \t\r\n"):
            return None
        so_far = [x for x in raw if x.start < kept]

        def word_end(i):
            joined[:] = self.trim(self.reach(s, i, False, so_far=so_far)[0], floor)
            return max(i, joined[-1].end)
        joined = []
        guess = Guess(self.lines, (s, at), self.opening(s), word_end, CLOSERS)
        if typeset and guess.features != ["typeset"]:
            return None
        if not guess.veto and authority and is_host_only(t[s:at]):
            end = self.check_host(joined, floor, userinfo=floor > 0)
            if not end or end <= len(so_far):
                guess.veto = "authority"             # the host does not go on
        return guess

    def hostless(self, name, slashes, rest):
        """B2: `ldap:///`."""
        return name.lower() in ("ldap", "ldaps") and bool(slashes) and rest.startswith("/")

    def is_authority(self, name, rest):
        """B10: what a scheme that nobody knows has to have."""
        authority = re.split("[/?#]", rest)[0]
        if name in ("tp", "tps") or rest.startswith("$") or "@" not in authority and re.search(r"(:|\[:\])[A-Za-z][^:]*$", authority):
            return False
        return len(name) >= 2 and any(c.isalnum() if c.isascii() else True for c in authority)

    def forbidden(self, s, e, floor, ender, start):
        """B10: schemes never linked swallow what follows, unless quoted."""
        raw, e = e, self.trim(e, floor)
        if start == "emph" and not self.emphasis(s, e, floor) and not self.closes_later(s, ender):
            self.unclosed = ender
            return None, None
        e = self.settle(s, e, raw, floor, ender)
        if self.quoted(s, ender, None) and len(e) > floor:
            return self.make(e, s, "quoted", {"unlinkable-scheme"}), e[-1].end
        k = s
        while k < len(self.t) and not is_stop(self.t[k]):
            k += 1
        return None, k

    # -- S1

    def names_scheme(self, s):
        """B10: a scheme of that name, or one at its end, its colon perhaps escaped or defanged."""
        name = re.compile(rf"([A-Za-z0-9+.-]+)({COLON})(//|\\/\\/)").match(self.t, s)
        return bool(name) and len(name[1]) <= SCHEME_NAME_MAX

    def www(self, s):
        t = self.t
        if t[s:s + 4].lower() not in ("www.", "ftp."):
            return None
        start = self.before(s, "_@/.")
        if start == "no" or start == "emph" and (t[s - 1] == "/" and self.opened_emphasis(s) != 2 or s < self.unclosed):
            return None
        if self.names_scheme(s):
            return None
        raw, ender = self.reach(s, s, False)
        e = self.trim(raw, 0)
        n = self.emphasis(s, e, 0)
        if n:
            e = self.trim(e[:-n], 0)
        elif start == "emph" and not self.closes_later(s, ender):
            self.unclosed = ender
            return None
        end = self.check_host(e, 0, userinfo=False, free=True)
        if end is None or self.goes_on(e[:end], 0, ender if end == len(e) else e[end - 1].end):
            return None
        cut = e[end - 1].end if end < len(e) else None
        self.cut = cut is not None
        if not any(x.gap for x in e) and not re.search("[:/?#]", text_of(e[:end])) and t.startswith("@", e[end - 1].end):
            return None                              # the local part of an address
        e = self.trim(e[:end], 0)
        if cut is None:
            e = self.settle(s, e, raw, 0, ender, "HOST")
        labels = re.split("[:/?#]", text_of(e))[0].rstrip(".").split(".")
        if len(labels) < 3 or not domain_label(labels[-1]):
            return None
        user, _, host = re.split("[/?#]", text_of(e))[0].rpartition("@")
        if user and len(user) + 1 < len(e) and self.check_host(e, len(user) + 1, userinfo=False) is None:
            return None                              # S1: the name is a user, of no host
        scheme = "ftp" if t[s] in "fF" else self.o.www
        convention = self.convention(s, ender, cut)
        self.ended = (raw, 0, ender if cut is None else cut, False, True)
        return self.make(e, s, "prefix" if convention == "prefix" else "schemeless", (), scheme + "://", scheme)

    # -- M1

    def email(self, s):
        """A dot-atom `@` domain whose local part starts at s."""
        self.quoted_line = False
        t = self.t
        k = s
        if s == self.free and t[s] == "-" and self.o.ipv4 and t[s + 1:s + 2] in tuple(DIGITS) and self.domain(s + 1):
            return None                              # S3: that link comes first
        while k < len(t) and is_atom(t[k]):
            k += 1
        if any(self.opens_quoted(i) or i > s and is_glued(t, i) for i in range(s, k)):
            return None
        quoted = s > self.free and self.opens_quoted(s - 1)
        if k == s or k >= len(t) or t[k] != "@" or t[k - 1] == "." or ".." in t[s:k]:
            return None
        if t[s] in MAIL_MARKS or not any(c.isalnum() or ord(c) >= 0x80 for c in t[s:k]):
            return None                              # marks alone are no name
        if any(t[i:i + 4].lower() in ("www.", "ftp.") and self.www(i) for i in range(s + 1, k)):
            return None                              # that link comes first
        b = s
        while (b > self.free and is_atom(t[b - 1]) and t[b - 1:b + 1] != ".." and not self.opens_quoted(b - 1)
               and not is_glued(t, b)):
            b -= 1
        if b and t[b - 1] == "@" and not quoted or len(t[b:k].encode("utf-8", "surrogateescape")) >= LINE_LOOK:
            return None
        b = s
        while b > self.free and t[b - 1] in MAIL_MARKS:
            b -= 1
            if self.opens_quoted(b):
                quoted = True
                break
        mask = "!" in t[s + 1:k - 1] or t.startswith("[~", s - 1) and s > 0
        k += t.startswith("@@", k) and self.in_texinfo(len(t[:s].rstrip("*_/~")))   # B8
        first = s
        while t[first] == t[s] and t[s] in "*_/~":
            first += 1
        if t[s] == "/" and first - s > 1:
            first = s
        if first > s and self.emphasised_address(first, first, k):
            return None
        closing = self.emphasised_address(b, s, k)
        if (b > self.free and is_atom(t[b - 1]) and not closing and not t.endswith("..", 0, s) and not quoted
                and not is_glued(t, s)):
            return None
        end = self.before_dots(t, k + 1, self.address_end(k))
        if closing:
            end = min(end, closing)
        end -= t[end - 1] == "E" and bool(POD.match(t, end))
        name = t[k + 1:end].rstrip(".-")
        end = k + 1 + len(name)
        labels = name.split(".")
        if len(labels) < 2 or not host_could_exist(name) or not domain_label(labels[-1]):
            return None
        if end < len(t) and t[end] == "@":
            return None
        if mask:
            return None                              # M1: a mask of IRC
        path = re.compile(r""":[^\x00-\x20<>"'`]*""").match(t, end)
        path = path and path[0][:LINE_LOOK]
        if path and (re.search("[/~]", path) or re.sub("[.,;:!?)]*$", "", path).endswith(".git") and len(path) > 5):
            return None                              # M1: `user@host:path`
        if self.goes_on([], 0, end):
            return None
        e = unescape([Element(t[i], i, i + 1) for i in range(s, end)])
        if len(text_of(e).encode()) > self.o.max_url_length:
            return None
        return self.make(e, s, "email", (), "mailto:", "mailto")

    def opens_quoted(self, i):
        """M1: a quotation mark that is no apostrophe within a word, or the brace of a command of Texinfo."""
        before = self.t[i - 1] if i else " "
        return self.t[i] == "'" and not (ord(before) >= 0x80 or before in ASCII_LETTERS + DIGITS) or self.in_texinfo(i + 1)

    def address_end(self, k):
        t, end = self.t, k + 1
        while end < len(t) and (t[end] == "." or is_host_char(t[end])):
            if runs_on(t, k + 1, end) or re.compile("_{8,}(?=[\r\n]|$(?!\n))").match(t, end):
                break                                # B12, B3
            end += 1
        return end

    def emphasised_address(self, b, s, k):
        """B6: where an address ends whose emphasis opens right before s, or None."""
        t = self.t
        if b != s or s == 0 or t[s - 1] not in "*_/~":
            return None
        mark, b = t[s - 1], s
        while b and t[b - 1] == mark:
            b -= 1
        if b and (is_word(t[b - 1]) or b > self.free and is_atom(t[b - 1]) and t[b - 1] not in MAIL_MARKS):
            return None
        end = self.address_end(k)
        name = t[k + 1:end].rstrip(mark)
        end = k + 1 + len(name)
        return end if name and t.startswith(mark * (s - b), end) else None

    # -- S2, S3

    def domain(self, s):
        t = self.t
        if not is_host_char(t[s]) or t[s] == "-":
            return None
        before = t[s - 1:s] if s else ""
        ranged = before == "-" and s - 1 == self.free and t[max(0, s - 2):s - 1] in tuple(DIGITS)
        if s > self.free and is_host_char(t[s - 1]) and not ranged and not is_glued(t, s):
            return None
        if before and before in (".#%&~$" if self.o.ipv4 else "@./#%&~$"):
            return None
        if any(is_glued(t, i) for i in range(s + 1, max(s, t.find(".", s)))):
            return None
        raw, ender = self.reach(s, s, False)
        e = self.trim(raw, 0)
        n = self.emphasis(s, e, 0)
        e = self.trim(e[:-n], 0) if n else e
        end = self.check_host(e, 0, userinfo=False, free=True)
        if end is None or self.goes_on(e[:end], 0, ender if end == len(e) else e[end - 1].end):
            return None
        cut = e[end - 1].end if end < len(e) else None
        if not re.search("[:/?#]", text_of(e[:end])) and t.startswith("@", e[end - 1].end):
            return None
        e = self.trim(e[:end], 0)
        name = re.split("[:/?#]", text_of(e))[0]
        address = re.fullmatch(rf"({ADDRESS})(?:-{ADDRESS})?[.]?", name, re.A)
        if t.startswith("(", s + len(name)):
            return None
        if address and ("-" in name or t.startswith("#", e[len(name) - 1].end)):
            n = address.end(1) if "-" in name else len(name)
            e, cut = self.trim(e[:n], 0), e[n - 1].end   # S3
        if cut is None:
            e = self.settle(s, e, raw, 0, ender, "HOST")
        text = text_of(e)
        name = re.split("[:/?#]", text)[0].rstrip(".")
        last = name.split(".")[-1]
        if re.match(r":\D", text[len(name):]) or t.startswith("(", s + len(name)):
            return None
        if not t.startswith(":", s + len(name)) and self.names_scheme(s):
            return None
        convention = "prefix" if self.convention(s, ender, cut) == "prefix" else "schemeless"
        if before and before in "@/-" and not (address and (before != "/" or t[max(0, s - 4):s].lower() in ("tcp/", "udp/") or (
                not t.endswith("//", 0, s) and re.match("[.]?:[0-9]", t[s + len(name):])))):
            return None
        if address:
            return self.make(e, s, convention, (), "http://", "http") if self.o.ipv4 else None
        if not self.o.domains or s and t[s - 1] == "=":
            return None
        if last in ("local", "internal") or any(re.match("[a-z][^.]*[A-Z]", x) for x in name.split(".")):
            return None
        if "." not in name or "%" in name or last.lower() not in DOMAINS or last != last.lower():
            return None
        if any(t[i:i + 4].lower() in ("www.", "ftp.") and self.www(i) for i in range(s + 1, s + len(name))):
            return None                              # that link comes first
        if any("_" in x for x in name.split(".")[-2:]):
            return None
        if not text[len(name):].lstrip(".").startswith("/") and last in FILE_SUFFIXES:
            return None
        return self.make(e, s, convention, (), "http://", "http")

    # -- W, A: what stands in angle brackets

    def bracket_items(self, i):
        """W2, W4: the elements between the `<` at i and its `>`, and where that is."""
        t, out, k, breaks = self.t, [], i + 1, 0
        self.soft = self.quoted_line = False
        opened = self.opening(i)
        gap, line_prefix, size = "", False, 0
        written = self.keeps_blanks(i)
        closing = ("\\*" if t.endswith("\\*", 0, i) else "\\" * t.endswith("\\", 0, i)) + ("]" if t[i] == "[" else ">")
        while k < len(t):
            c = t[k]
            if self.at[k] - self.at[i] > MAX_SPAN or size > self.o.max_url_length:
                return None
            if c == closing[-1]:
                n = len(closing) - 1
                if n and len(out) >= n and out[-n].start == k - n and text_of(out[-n:]) == closing[:-1]:
                    del out[-n:]                     # W2: `\<...\>`, `\*<...\*>`
                self.marked = (t[i] == "[" or t[max(0, i - 2):i] == "](" or t.startswith("`_", k + 1) or self.is_definition(i)
                               or not re.search(rf"\\(?![-:&%]|[*]:|{ROFF_NAME})", text_of(out)))  # B7
                return out, k, gap
            if c in (t[i], '"') or is_control(c):
                return None
            fold = bool(out) and (c == "\\" or text_of(out).lower() != "url:" and c == "=" and self.lines.quoted_printable(k))
            fold = fold and t[k + 1:k + 2] in ("\r", "\n")
            if is_space(c) or fold:
                if c == "=":
                    self.soft = out[-1].soft = True
                began = k
                kind, k, marks = self.gap(k + fold, opened, c == "=", bool(out))
                if kind is None:
                    return None
                if (written and out and not gap and not t.startswith((closing, closing[-1]), k)
                        and not t[began:k].strip(" \t") and not re.match("[^:]*:$|url:", text_of(out), re.I)):
                    if self.other_link(out + [Element(t[k], k, k + 1, False, kind)], len(out)):
                        return None
                    out += [Element("%20", n, n + 1, True) for n in range(began, k)]
                    size += 3 * (k - began)
                    continue                         # A2
                breaks += marks[1]
                if breaks > self.o.max_breaks:
                    return None
                if kind != "blank" and out and not fold:
                    out[-1].hyphen = True
                gap = max(gap, kind, key=("", "blank", "line", "page").index)
                line_prefix = line_prefix or marks[0]
                continue
            out.append(Element(c, k, k + 1, False, gap, line_prefix))
            gap, line_prefix = "", False
            size = 0 if len(out) == 4 and text_of(out).lower() == "url:" else size + len(c.encode())
            k += 1
        return None

    def keeps_blanks(self, i):
        """A2: whether the blanks within lines are part of the link in the brackets that open at i."""
        return (self.t[i] == "[" or self.t[max(0, i - 2):i] == "](" or self.t[i + 1:i + 8].lower() == "file://"
                or self.is_definition(i))

    def is_org(self, i):
        """A2: whether the second bracket of `[[URL][label]]`, whose URL has a blank, is at i."""
        m = ORG.match(self.t, i) if i > self.free and self.t[i - 1] == "[" and i + 1 in self.starts else None
        return bool(m) and self.at[m.end() - 2] - self.at[i + 1] <= ORG_MAX

    def is_definition(self, i):
        """A2: whether a reference of Markdown is defined before i: `[label]: `, at the start of the line."""
        before = self.t[self.opening(i).end:i].strip(" \t")
        return before.startswith("[") and before.endswith("]:")

    def gap(self, k, opened, soft=False, begun=True):
        """A run of whitespace at k: its kind ("blank", "line", or None where the
        bracket is abandoned), its end, (line_prefix, line breaks) in it."""
        t, kind, line_prefix, breaks, ff, paged = self.t, "blank", False, 0, False, False
        folds = False      # W2: only blanks stand between the line start and k
        while k < len(t) and (is_space(t[k]) or t[k] == SOFT_HYPHEN or t[k] == "\\" and (
                folds or t[k + 1:k + 2] in ("\r", "\n"))):
            if t[k] == "\\":
                folds = False
                k += 1
                continue
            if t[k] not in LINE_ENDS:
                ff = ff or t[k] == "\f"
                k += 1
                continue
            kind, breaks = "line", breaks + 1
            start = self.lines.next(k)
            if self.lines.is_signature(opened, start):
                return None, k, None
            if not opened.diff and self.lines.wrapped(start):
                k, line_prefix, folds = start + 1, True, begun
                continue                             # F
            page = self.lines.page_break(opened, start, ff)
            if page is not None:
                paged = paged or bool(t[start:self.lines.start(page)].strip())
                k, line_prefix, folds = page, True, begun
                continue
            p = self.lines.match(opened, start, True)
            if p is None and (soft and breaks == 1 or self.lines.lost_mark(opened, k, start)):
                p = start
            if p is None or self.lines.is_empty(opened, start):
                return None, k, None
            line_prefix = line_prefix or p > start
            k, folds = p, begun
        return ("page" if paged else kind, k, (line_prefix, breaks)) if k < len(t) else (None, k, None)

    def bracket(self, i):
        """W and A: the link that the `<` at i opens, and where to go on."""
        got = self.bracket_items(i)
        if got is None:
            return None, None
        e, close, _ = got
        if re.match("url:", text_of(e[:4]), re.I) and not any(x.gap for x in e[1:4]):
            return self.wrapper(e[4:], close)
        return self.angle(i, e, close)

    def wrapper(self, e, close):
        if any(self.other_link(e, n) for n in range(len(e))):
            return None, None
        e, removed, hyphens = self.join(e)
        text = text_of(e)
        m = None if re.match("url:", text, re.I) else SCHEME.match(text)
        slashes = bool(m) and text.startswith("//", m.end())
        if not m or m.end() + 2 * slashes == len(text) or text.startswith("\\/\\/", m.end()):
            return None, None                        # W3
        row = scheme_row(m[0][:-1])
        if row is None and not slashes and removed:
            return None, None                        # W3: prose
        if (row and (row[1] == "HOST" or slashes and row[1] in ("NEWS", "ADDRESS_OR_HOST"))
                and not (slashes and self.is_bracketed_host(e, m[0][:-1], m.end() + 2))):
            return None, None
        return self.bracket_link(e, "wrapper", row, hyphens), close + 1

    def angle(self, i, e, close):
        if not e or e[0].c in SOFT_HYPHEN + HYPHEN or SOFT_HYPHEN in self.t[i + 1:e[0].start]:
            return None, None
        if self.is_diff_mark(i):
            return None, None
        colon = next((n for n, x in enumerate(e) if x.c == ":"), len(e))
        blanks = [n for n in range(1, len(e))
                  if (e[n].gap == "blank" or e[n].c in "([" and self.other_link(e, n)) and n != colon + 1]
        bar = next((n for n, x in enumerate(e) if x.c == "|"), len(e))
        if self.keeps_blanks(i):
            blanks, bar = [], len(e)
        ended = bar < len(e)                         # A1c
        if any(self.other_link(e, n) for n in range(min(blanks[:1] + [bar]))):
            return None, None
        if blanks and blanks[0] <= bar and not self.reads_on(e[:bar], blanks[0]):
            line = max([n for n in range(1, blanks[0]) if e[n].gap in ("line", "page")] or [0])
            last = e[line - 1]
            glued = self.t[last.end] not in " \t\r\n" or last.c in "-" + SOFT_HYPHEN + HYPHEN
            prose = line and not glued and re.fullmatch("[A-Za-z\x80-\U0010ffff]+", text_of(e[line:blanks[0]]))
            ended, bar = True, line if prose else blanks[0]    # A2
        e = e[:bar]
        paged = next((n for n, x in enumerate(e) if x.gap == "page"), None)
        e, removed, hyphens = self.join(e)
        text = text_of(e)
        m = SCHEME.match(text)
        if not m or text[m.end():m.end() + 1] == ":" and not e[m.end()].gap:
            return None, None
        row = scheme_row(m[0][:-1])
        broken = [n for n in range(1, m.end()) if e[n].gap and e[n].gap != "soft"]
        slashes = text.startswith("//", m.end())
        if sum(bool(x.gap) for x in e[1:m.end()]) > 1:
            return None, None                        # a scheme is broken once
        if row is None and (any(n < m.end() - 1 for n in broken) or not slashes):
            return None, None                        # A1
        if is_blank(self.t[e[m.end() - 1].end]) and (
                row is None or row[1] in ("NEVER", "NAMESPACE", "SLASHES", "SWALLOW") or any(x.gap for x in e[1:m.end()]) or self.t[i + 1:e[0].start].strip(" \t")
                or self.t[e[m.end() - 1].end] == " " and m[0][-2] not in "loLO"
                and not self.t.startswith(" //", e[m.end() - 1].end)):
            return None, None                        # a colon and a blank are prose, but for A2 (mailto, tel, geo, `//`)
        colon_end = e[m.end() - 1].end
        if re.search(r"[\\=]", self.t[i:colon_end]) or slashes and row is None and re.search(
                r"\\[\r\n]|=", self.t[colon_end:e[m.end() + 1].start]):
            return None, None                        # no scheme is folded
        if paged is not None and paged < m.end():
            return None, None                        # no scheme is broken by a page
        if any(scheme_row(text[n:m.end() - 1]) for n in broken) and not (row and row[0] == 2):
            return None, None                        # a word, then a link; but svn+ssh is read whole (A1b)
        floor = m.end() + (2 if slashes else 0)
        if ended:                                    # what is left ends like a bare link
            whole = e
            alone = Scanner(text.encode(), self.o)
            left = alone.reach(0, floor, False, False)[0]
            for x in left:
                x.undone = x.undone or any(y.undone and y.c == "&" and self.t[y.end - 1] == ";" for y in e[x.start:x.end])
            e = e[:alone.trim(left, floor)[-1].end]
            for _, x, drop in hyphens:
                if drop and x.c != SOFT_HYPHEN and len(e) == sum(y.start < x.start for y in whole):
                    e.append(x)                      # nothing follows it
                    break
            text = text_of(e)
            if len(text) < floor:
                return None, None
        if row is None and not self.is_authority(m[0][:-1], text[floor:]):
            return None, None
        kind = row[1] if row else "ANY"
        if slashes and kind in ("NEWS", "ADDRESS_OR_HOST"):
            kind = "HOST"
        if slashes and kind not in ("HOST", "FILE"):
            kind = "ANY"
        if kind == "HOST" and not (slashes and self.is_bracketed_host(e, m[0][:-1], floor)):
            return None, None
        if kind == "SWALLOW":
            kind = "ANY"
        if not body_plausible(kind, text_of(e[floor:]), slashes, True):
            return None, None
        convention = "angle" if self.t[i] == "<" else "bare"
        return self.bracket_link(e, convention, row, hyphens), e[-1].end if ended else close + 1

    def is_diff_mark(self, i):
        """Q1: `<` and a blank at the line start, or after quote marks."""
        start = self.lines.start(i)
        f = start is not None and self.lines.line_prefix(start, i + 2)
        return bool(f) and f.diff == "<" and f.end == i + 1

    def reads_on(self, e, first):
        """A2: whether every piece after the blank reads like the rest of a URL, and none like another one."""
        if any(self.other_link(e, n) for n in range(first, len(e))):
            return False
        pieces = []
        for x in e[first:]:
            if x.gap:
                pieces.append("")
            pieces[-1] += x.c + "=" * x.soft
        return all(re.search(r"[/.?=&%#_~0-9-]", p) for p in pieces)

    def other_link(self, e, n):
        """B8: whether another link begins after the gap before e[n], in brackets of its own too: not where a URL may hold
        one."""
        before = text_of(e[:n]).rstrip(SOFT_HYPHEN)
        if not (e[n].gap and n and ":" in before):
            return False
        m = re.search("&[#A-Za-z0-9]{2,9}\\\\?;$", before)
        before = m and (reference(m[0]) or "")[:1] and reference(m[0])[0] or before
        return before[-1] not in "/=?&#:%+(" and self.scheme_follows(e[n].start + (e[n].c in "(["))

    def join(self, e):
        """J1: the escapes of quoted-printable undone; H: the elements without what hyphens and soft hyphens lose, whether
        whitespace was removed, and the hyphens at breaks."""
        e = self.undo(unquote(e) if self.soft else e)
        out, hyphens, removed = [], [], False
        carry = ("", False)
        for n, x in enumerate(e):
            if n == 0:
                x.gap, x.line_prefix = "", False
            removed = removed or bool(x.gap)
            if carry[0] or carry[1]:
                x.gap, x.line_prefix = x.gap or carry[0], x.line_prefix or carry[1]
                carry = ("", False)
            at_break = x.hyphen and n + 1 < len(e)
            if at_break and out and x.c in "-" + SOFT_HYPHEN + HYPHEN:
                drop = x.c != "-" or self.o.hyphen == "drop"
                hyphens.append((len(out), x, drop))
                if drop:
                    carry = (x.gap, x.line_prefix)
                    continue
            elif x.c == SOFT_HYPHEN and not at_break:
                carry = (x.gap or "soft", x.line_prefix)
                continue
            out.append(x)
        return out, removed, hyphens

    def undo(self, e):
        """L: references undone; B7: and the escapes of Markdown and reStructuredText, each between two gaps."""
        out, n, text = [], 0, "".join("\0" * bool(x.gap) + x.c[0] for x in e)
        while n < len(e):
            gaps = sum(bool(x.gap) for x in e[:n + 1])
            c, width = reference(text_of(e[n:n + 11])) or ("", 0)
            if not c or e[n].undone or any(x.gap for x in e[n + 1:n + width]):
                c, width = self.backslash(text, n + gaps) if self.marked else ("", 0)
            if width and not any(x.gap or x.undone for x in e[n + 1:n + width]):
                last = e[n + width - 1]
                out.append(Element(c, e[n].start, last.end, True, e[n].gap, e[n].line_prefix, last.hyphen, last.soft))
                n += width
            else:
                out.append(e[n])
                n += 1
        return out

    def backslash(self, text, n):
        """B7: the character that the escape at n of a text stands for, and the length of the escape, or 0."""
        if text.startswith("\\/", n):
            return "/", 2
        m = MARK.match(text, n)
        if m:
            return self.mark(m), len(m[0])
        c, width = self.unicode_escape(n, text) or ("", 0)
        known = reference("&" + text[n + width:]) if c == "&" else None
        return (known[0], width + known[1] - 1) if known and known[0] else (c, width)

    def bracket_link(self, e, convention, row, hyphens):
        flags = set()
        hyphens = [h for h in hyphens if h[1].end < e[-1].end]
        if row is None:
            flags.add("unknown-scheme")
        elif row[2]:
            flags.add("unlinkable-scheme")
        if hyphens:
            flags.add("hyphen-ambiguous")
        if any(x.undone for _, x, _ in hyphens):
            flags.add("unescaped")
        link = self.make(e, 0, convention, flags)
        link.alternates = self.alternates(e, hyphens)
        return link

    def alternates(self, e, hyphens):
        """H2: the opposite of all, then each single change."""
        e = sorted(e, key=lambda x: x.start)
        chosen = tuple(h[2] for h in hyphens)
        choices = [tuple(not c for c in chosen)]
        choices += [chosen[:n] + (not chosen[n],) + chosen[n + 1:] for n in range(len(chosen))]
        ours = {id(h[1]) for h in hyphens}
        rest = [x for x in e if id(x) not in ours]
        texts = []
        for choice in choices if hyphens else ():
            kept = rest + [h[1] for h, drop in zip(hyphens, choice) if not drop]
            text = text_of(sorted(kept, key=lambda x: x.start))
            if text != text_of(e) and text not in texts:
                texts.append(text)
        return texts[:self.o.max_alternates]

    # -- B9

    def block(self, start):
        """The end of an encoded block whose first line begins at start, or None."""
        t, first, armour = self.t, self.t[start:self.lines.end(start)], False
        if re.match(r"begin(-base64)? [0-7]{3,4} \S", first):
            form, last = (base64_line if first.startswith("begin-") else uu_line), r"(end|====)[ \t]*$"
        elif re.match(r"=ybegin .* line=0*[1-9]|=ybegin line=0*[1-9]", first):
            form, last = YencLines(int(re.search(r" line=([0-9]{1,4})", first)[1])), r"=yend"
        elif re.match(r"-----BEGIN PGP (?!SIGNED MESSAGE)[A-Z ,/0-9]+-----[ \t]*$", first):
            form, last, armour = None, r"-----END PGP ", True
        elif first.startswith("(This file must be converted with BinHex"):
            form, last = binhex_line, r"$^"
        else:
            return None
        def takes(line):
            if isinstance(form, YencLines):
                return form(line, self.lines.size(line_start, line_start + len(line)))
            return armour_line(line, body) if armour else form(line)
        k, body = self.lines.end(start), False
        line_start = self.lines.next(k)
        line = t[line_start:self.lines.end(line_start)] if k < len(t) else None
        if line is None or not (re.match(last, line) or takes(line)):
            return None
        if isinstance(form, YencLines):
            after = self.lines.next(self.lines.end(self.lines.next(k)))
            if form.ended and not re.match(last, t[after:self.lines.end(after)]):
                return None
            form.ended = False
        while k < len(t):
            line_start = self.lines.next(k)
            line = t[line_start:self.lines.end(line_start)]
            if re.match(last, line):
                return self.lines.end(line_start)
            if not takes(line):
                return line_start
            body = body or not re.match(r"[A-Za-z][A-Za-z-]*:", line)
            k = self.lines.end(line_start)
        return len(t)

    # -- The search, from left to right

    def run(self):
        i, t = 0, self.t
        while i < len(t):
            if i == 0 or t[i - 1] in LINE_ENDS and not t.startswith("\r\n", i - 1):
                end = self.block(i)
                if end is not None and end > i:
                    i = end
                    continue
            link, resume = self.at_position(i)
            if link:
                self.links.append(link)
                self.free = bisect.bisect_left(self.at, sum(link.parts[-1]))
                self.begin_after(self.free)
                self.taken = (bisect.bisect_left(self.at, link.parts[-1][0]), resume - 1 if resume else -1)
            elif resume:
                self.free = resume                   # B10: used up, and no link
            i = resume if resume and resume > i else i + 1
        spans = [(link.parts[0][0], sum(link.parts[-1])) for link in self.links]
        apart = [x for x in self.targets if not any(a < x.parts[0][0] < b for a, b in spans)]  # B1: one in a page break (F) goes
        return sorted(self.links + apart, key=lambda link: link.parts[0][0])

    def unbroken(self, read):
        """J1: what `read` makes of lines put together, where the first alone is a link,
        with or without its soft line end."""
        options, self.cut, self.joins = self.o, False, self.o.join != "never"
        self.o = replace(options, join="never")
        first = alone = read()
        if first in (None, (None, None)):
            self.joins, self.lenient = False, True
            alone = read()
        self.o, self.joins, self.lenient = options, options.join != "never", False
        link = alone[0] if isinstance(alone, tuple) else alone
        if not link or self.cut or re.fullmatch("[^:]*:(//)?=", link.text) and not self.t.startswith(
                "\\", bisect.bisect_left(self.at, sum(link.parts[-1]))):
            return first
        self.cut_host = False
        joined = read()
        return joined if self.cut_host or joined and joined != (None, None) else first

    def at_position(self, i):
        if self.t[i] == "<":
            return self.bracket(i)
        if self.is_org(i):
            link, resume = self.bracket(i)
            if link:
                return link, resume
        if i in self.starts:
            link, resume = self.unbroken(lambda: self.bare(i, self.starts[i])) or (None, None)
            if link or resume:
                return link, resume
        for on, rule in ((True, self.www), (self.o.domains or self.o.ipv4, self.domain), (self.o.email, self.email)):
            link = self.unbroken(lambda: rule(i)) if on else None
            if link:
                return link, bisect.bisect_left(self.at, link.parts[-1][0] + link.parts[-1][1])
        return None, None


def scan(data, options=None):
    """The links of `data` (bytes) in order."""
    return Scanner(data, options or Options()).run()


def hyperlink(data, start, end, options):
    """B1: the link that the target of a terminal hyperlink is, in angle brackets."""
    link, _ = Scanner(b"<" + data[start:end] + b">", options).bracket(0)
    if not link or link.convention != "angle" or link.parts != [(1, end - start)]:
        return None
    link.parts = [(a + start - 1, n) for a, n in link.parts]
    return link


def main(args):
    options = Options(email="--email" in args, domains="--domains" in args, ipv4="--ipv4" in args)
    if "--hyphen=drop" in args:
        options.hyphen = "drop"
    for name in [a for a in args if not a.startswith("--")]:
        with open(name, "rb") as f:
            for link in scan(f.read(), options):
                print(json.dumps({"text": link.text, "convention": link.convention, "scheme": link.scheme,
                                  "flags": sorted(link.flags), "parts": link.parts,
                                  "alternates": link.alternates}, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
