#!/usr/bin/env python3
"""The recognition rules written down once more, slow and plain.

scan(data, options) -> list of Link.  The whole input stands in memory; it is
decoded by rule C1 and searched from left to right.  Speed does not matter.
Each rule stands in the function whose comment cites it.

Left out: A3's header fields, flowed text, declared charsets, guessed joins (J2),
partial forms against a base (W3).

usage: reference.py [--email] [--domains] [--hyphen=drop] FILE...
"""
import bisect
import ipaddress
import json
import os
import re
import sys
import unicodedata
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "src", "url")

MAX_URL, MAX_BREAKS, MAX_SPAN, MAX_ALTERNATES = 65536, 16, 128 * 1024, 8
FURNITURE_BYTES, LOOK_BACK_BYTES, SCHEME_NAME_MAX = 256, 1024, 40


@dataclass
class Options:
    email: bool = False
    domains: bool = False
    www_https: bool = False
    join: str = "declared"
    hyphen: str = "keep"


@dataclass
class Link:
    text: str
    scheme: str
    supplied: str
    convention: str
    flags: set
    parts: list  # (offset, length) in bytes of the input
    alternates: list = field(default_factory=list)


# ---- Tables ---------------------------------------------------------------------

def read_schemes():
    """The rows of the scheme table: name -> (slashes, body, forbidden)."""
    rows = {}
    with open(os.path.join(SOURCE, "scheme_table.h"), encoding="utf-8") as f:
        text = f.read()
    for m in re.finditer(r'\{ "([^"]+)", \d+, [A-Z |0]+, (\d), BODY_(\w+), \d, (\d) \}', text):
        rows[m[1]] = (int(m[2]), m[3], m[4] == "1")
    for m in re.finditer(r'REGISTERED\("([^"]+)"\)', text):
        rows[m[1]] = (1, "NEVER", False)
    return rows


def read_domains():
    """The top-level domains."""
    with open(os.path.join(SOURCE, "tld_table.h"), encoding="utf-8") as f:
        names = re.findall(r'"([^"]+)"', f.read())
    octal = re.compile(r"\\([0-7]{3})")
    names = {octal.sub(lambda m: chr(int(m[1], 8)), n).encode("latin-1").decode() for n in names}
    return names | {"example", "i2p", "local", "onion"}


SCHEMES = read_schemes()
DOMAINS = read_domains()
GLUED = ("http", "https", "ftp", "gopher", "telnet")


def scheme_row(name):
    name = name.lower()
    return SCHEMES.get("ms-" if name.startswith("ms-") and len(name) > 3 else name)


# ---- Characters -----------------------------------------------------------------

SPACES = set(" \t\r\n\f\v\x85\xa0\u1680\u202f\u205f\u3000\u2028\u2029\u200b\ufeff") | {
    chr(c) for c in range(0x2000, 0x200B)}
LINE_ENDS = "\r\n"
SOFT_HYPHEN, HYPHEN, ELLIPSIS = "\xad", "\u2010", "\u2026"
DIGITS = "0123456789"
ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SCHEME_CHARS = set(ASCII_LETTERS + DIGITS + "+.-")
STOPS = set("<>\"`\\")
# Dashes, quotation marks, CJK and full-width punctuation and brackets (B3).
WIDE_STOPS = set("\u2013\u2014\u2015\xab\xbb\u2039\u203a\u2329\u232a\u2e42\u3030\u303d")
WIDE_STOPS |= {chr(c) for r in ((0x2018, 0x201F), (0x3001, 0x3003), (0x3008, 0x3011),
                                (0x3014, 0x301F), (0xFF01, 0xFF0F), (0xFF1A, 0xFF20),
                                (0xFF3B, 0xFF40), (0xFF5B, 0xFF65), (0xFE10, 0xFE19),
                                (0xFE30, 0xFE4F), (0xFE50, 0xFE6B)) for c in range(r[0], r[1] + 1)}
CJK = ((0x1100, 0x11FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035),
       (0x3038, 0x303C), (0x3040, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF),
       (0xF900, 0xFAFF), (0xFF66, 0xFFDC), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFD))


def is_space(c):
    return c in SPACES


def is_blank(c):
    return c in SPACES and c not in LINE_ENDS


def is_control(c):
    if c in SPACES:
        return False
    n = ord(c)
    return n < 0x20 or 0x7F <= n < 0xA0 or 0xFFF9 <= n <= 0xFFFD or 0xFDD0 <= n <= 0xFDEF or n & 0xFFFE == 0xFFFE


def is_cjk(c):
    return any(low <= ord(c) <= high for low, high in CJK)


def is_stop(c):
    """B3: what ends a link in free text."""
    return c in SPACES or c in STOPS or c in WIDE_STOPS or is_control(c)


def is_host_char(c):
    """B2, B11: what a host name may hold (dots apart)."""
    if ord(c) < 0x80:
        return c in ASCII_LETTERS or c in DIGITS or c in "-_"
    return not is_stop(c) and c not in (SOFT_HYPHEN, HYPHEN, ELLIPSIS)


def is_word(c):
    """A letter or digit of any script but CJK, which is written without blanks (B1)."""
    if ord(c) < 0x80:
        return c in ASCII_LETTERS or c in DIGITS
    return not is_cjk(c) and unicodedata.category(c)[0] in "LNM"


def decode(data):
    """C1: the text, and the byte offset of each character and of the end."""
    for mark, name in ((b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
                       (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return decode_wide(data, len(mark), name)
    i = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    chars, at = [], []
    while i < len(data):
        for n in (1, 2, 3, 4):
            try:
                c = data[i:i + n].decode("utf-8")
                break
            except UnicodeDecodeError:
                pass
        else:
            n = 1
            try:
                c = data[i:i + 1].decode("windows-1252")
            except UnicodeDecodeError:
                c = chr(data[i])
        chars.append(c)
        at.append(i)
        i += n
    return "".join(chars), at + [len(data)]


def decode_wide(data, i, name):
    chars, at, unit = [], [], 4 if name.startswith("utf-32") else 2
    while i < len(data):
        for n in (unit, 4):
            try:
                c = data[i:i + n].decode(name)
                if len(c) == 1:
                    break
            except UnicodeDecodeError:
                pass
        else:
            n, c = unit, "\ufffd"
        chars.append(c)
        at.append(i)
        i = min(i + n, len(data))
    return "".join(chars), at + [len(data)]


# ---- Lines and their furniture (Q, F) ---------------------------------------------

@dataclass
class Furniture:
    quotes: list       # Q1: ">", "|", ":" or "Name>", in order
    diff: str          # "+", "-", "!", "<" or ""
    comment: str       # "#", "//", "*", ";", "%", "dnl" or ""; a run counts as one mark
    is_list: bool      # the mark may be a list's: plain indentation continues (Q2)
    end: int           # just behind the last mark

    def any(self):
        return bool(self.quotes or self.diff or self.comment)


NAME_MARK = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}>")
COMMENT = re.compile(r"#+|//+|\*(?=\s)|;+|%+|dnl(?=\s)")


class Lines:
    def __init__(self, text, at):
        self.t, self.at = text, at

    def start(self, i):
        """Where the line of character i begins, or None beyond 1 KiB (W4a)."""
        k = i
        while k > 0 and self.t[k - 1] not in LINE_ENDS:
            k -= 1
            if self.at[i] - self.at[k] > LOOK_BACK_BYTES:
                return None
        return k

    def next(self, k):
        """Just behind the line break at k."""
        return k + 2 if self.t.startswith("\r\n", k) else k + 1

    def end(self, k):
        while k < len(self.t) and self.t[k] not in LINE_ENDS:
            k += 1
        return k

    def blanks(self, k, stop=None):
        stop = len(self.t) if stop is None else stop
        while k < stop and is_blank(self.t[k]):
            k += 1
        return k

    def reach(self, start):
        """How far furniture is looked for (W4a)."""
        k = start
        while k < len(self.t) and self.t[k] not in LINE_ENDS and self.at[k] - self.at[start] < FURNITURE_BYTES:
            k += 1
        return k

    def furniture(self, start, stop):
        """Q1: the marks at the start of a line, before `stop`."""
        t = self.t
        stop = min(stop, self.reach(start))
        quotes, end, p = [], start, start
        while True:
            k = self.blanks(p, stop)
            if k >= stop:
                break
            name = NAME_MARK.match(t, k, stop)
            if t[k] in ">|:":
                quotes.append(t[k])
                p = end = k + 1
            elif name:
                quotes.append(name[0])
                p = end = name.end()
            else:
                break
        diff = comment = ""
        is_list = False
        k = p + 1 if quotes and p < stop and t[p] == " " else p
        if k < stop and t[k] in "+-!<":
            diff, end = t[k], k + 1
            is_list = diff == "-" and end < len(t) and is_blank(t[end])
        k = self.blanks(end, stop)
        m = COMMENT.match(t, k, stop)
        if m:
            comment, end = m[0], m.end()
            is_list = is_list or comment == "*"
        elif not diff and t.startswith("- ", k) and k < stop:
            diff, end, is_list = "", k + 1, True
        return Furniture(quotes, diff, comment, is_list, end)

    def match(self, opened, start):
        """Q2: just behind the furniture of a line that continues, or None."""
        t, stop = self.t, self.reach(start)
        p = self.match_quotes(opened, start)
        if p is None:
            return None
        if opened.diff:
            k = p + 1 if opened.quotes and p < stop and t[p] == " " else p
            if k < stop and t[k] == opened.diff:
                p = k + 1
            elif not (opened.is_list and p < stop and is_blank(t[p])):
                return None
        if opened.comment:
            k = self.blanks(p, stop)
            c = opened.comment
            if t.startswith(c, k, stop) and not (c != "dnl" and t.startswith(c[0], k + len(c))):
                p = k + len(c)
            elif not (opened.is_list and k > p):
                return None
        return p

    def match_quotes(self, opened, start):
        t, stop, p = self.t, self.reach(start), start
        for mark in opened.quotes:
            k = self.blanks(p, stop)
            if not t.startswith(mark, k, stop):
                return None
            p = k + len(mark)
        if opened.quotes and opened.quotes[-1] in "|:":
            k = self.blanks(p, stop)
            if k < stop and t[k] == opened.quotes[-1]:
                return None
        return p

    def is_signature(self, opened, start):
        """W4: `-- ` alone on its line."""
        p = self.match_quotes(opened, start)
        if p is None:
            return False
        rest = self.t[p:self.end(p)]
        return rest == "-- " or (bool(opened.quotes) and rest == " -- ")

    def page_break(self, opened, start, seen_ff):
        """F1: where the text goes on behind a page break, or None."""
        t, k, ff = self.t, start, seen_ff

        def skip(k):
            nonlocal ff
            while k < len(t):
                p = self.match(opened, k)
                if p is None:
                    return None, None
                p, before = self.blanks(p), p
                ff = ff or "\f" in t[before:p]
                if p < len(t) and t[p] not in LINE_ENDS:
                    return k, p
                if p >= len(t):
                    return None, None
                k = self.next(p)
            return None, None

        line, p = skip(k)
        if p is None:
            return None
        if re.search(r"\[Page [0-9]+\]\s*$", t[p:self.end(p)]):
            if self.end(p) >= len(t):
                return None
            line, p = skip(self.next(self.end(p)))
            if p is None:
                return None
            after = self.end(p)
            if after < len(t) and self.is_empty(opened, self.next(after)):
                line, p = skip(self.next(after))
            return p
        return p if ff and line > start else None

    def is_empty(self, opened, start):
        p = self.match(opened, start)
        if p is None:
            return False
        p = self.blanks(p)
        return p >= len(self.t) or self.t[p] in LINE_ENDS


# ---- Elements: a character of a link and the source it stands for ------------------

@dataclass
class Element:
    c: str
    start: int         # range of characters in the text
    end: int
    undone: bool = False   # `\/` or `&amp;` (L)
    gap: str = ""      # what was removed before it: "", "blank", "line", "declared"
    furniture: bool = False
    hyphen: bool = False   # stands before a line break (H1)


def text_of(elements):
    return "".join(e.c for e in elements)


SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,%d}:" % (SCHEME_NAME_MAX - 1))
PAIRS = {a: b for a, b in ("\"\"", "''", "\u201c\u201d", "\u201d\u201c", "\u2018\u2019", "\u2019\u2018",
                           "\xab\xbb", "\xbb\xab", "\u2039\u203a", "\u203a\u2039", "\u201e\u201c",
                           "\u201a\u2018")}
CLOSERS = {a: {b} for a, b in PAIRS.items()}
CLOSERS["\u201e"] = {"\u201c", "\u201d"}
CLOSERS["\u201a"] = {"\u2018", "\u2019"}
CLOSERS["\u201d"] |= {"\u201d"}
CLOSERS["\u2019"] |= {"\u2019"}
BRACKETS = {")": "(", "]": "[", "}": "{"}
ENTITY_END = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{0,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});$")
MAIL_MARKS = ".'*_/~|`{="   # not the first of an address in free text


class Scanner:
    def __init__(self, data, options):
        self.t, self.at = decode(data)
        self.o = options
        self.lines = Lines(self.t, self.at)
        self.links = []
        self.taken = ()    # where the last part of the last link begins, and its `>`
        self.find_scheme_starts()

    # -- B1, B10: where schemes start

    def opening(self, i):
        """Furniture of the line where a link opens at i (Q1).  What an earlier link
        took of the line is none."""
        start = self.lines.start(i)
        if start is None:
            return Furniture([], "", "", False, -1)
        return self.lines.furniture(start, min([i] + [k for k in self.taken if k >= start]))

    def slashes(self, k):
        """How many characters `//` behind the colon takes: 2, 4 for `\\/\\/`, or 0."""
        return 2 if self.t.startswith("//", k + 1) else 4 if self.t.startswith("\\/\\/", k + 1) else 0

    def find_scheme_starts(self):
        """start -> (colon, known) for each colon that may end a scheme."""
        self.starts = {}
        t = self.t
        for k in range(len(t)):
            if t[k] != ":":
                continue
            run = k
            while run > 0 and t[run - 1] in SCHEME_CHARS:
                run -= 1
            if run == k:
                continue
            end = self.opening(k).end
            if run < end <= k:
                run = end
            start = self.scheme_start(run, k)
            if start is not None:
                self.starts[start] = k

    def scheme_start(self, run, k):
        t = self.t
        if not self.slashes(k):
            return run if scheme_row(t[run:k]) else None
        for s in range(run, k):
            if (s == run or t[s - 1] in ".-") and scheme_row(t[s:k]) and k - s <= SCHEME_NAME_MAX:
                return s
        low = t[run:k].lower()
        if any(low.endswith(g) for g in GLUED):
            return None                      # B10: a word glued before a known scheme
        s = run
        while s < k and t[s] not in ASCII_LETTERS:
            s += 1
        return s if s < k and k - s <= SCHEME_NAME_MAX else None

    def before(self, s, forbidden):
        """B1: whether what stands before s lets a link start: yes, no, or emph
        (only when rule B6 takes the mark away)."""
        if s == 0 or self.opening(s).end == s:
            return "yes"
        c = self.t[s - 1]
        if c in "_/" and c in forbidden:
            return "emph"
        if c in forbidden or is_word(c):
            return "no"
        return "yes"

    def prefixed(self, s):
        """P1: `URL:` right before s, not inside a word; where it begins, or None."""
        k = s
        while k > 0 and self.t[k - 1] in " \t\xa0":
            k -= 1
        m = self.t[max(0, k - 4):k]
        if m.lower() != "url:":
            return None
        k -= 4
        return None if k > 0 and (is_word(self.t[k - 1]) or self.t[k - 1] == "_") else k

    # -- B3, B5, B5a, B8, L: as far as a link in free text can reach

    def reach(self, s, body, json_escapes):
        """Elements from s up to what ends the link; the index of the ender."""
        t = self.t
        out = [Element(t[i], i, i + 1) for i in range(s, body)]
        if json_escapes:
            out = out[:-4] + [Element("/", body - 4, body - 2, True), Element("/", body - 2, body, True)]
        before = t[s - 1] if s else ""
        depth = {"(": 0, "[": 0, "{": 0}
        gap, breaks, i = "", 0, body
        size = len(text_of(out).encode())
        while i < len(t):
            c, n, undone = t[i], 1, False
            if c == "\\":
                if json_escapes and t.startswith("\\/", i):
                    c, n, undone = "/", 2, True
                else:
                    k = self.declared_break(i)
                    if k is None or breaks == MAX_BREAKS:
                        break
                    gap, breaks, i = "declared", breaks + 1, k
                    continue
            elif is_stop(c):
                break
            elif c == "&":
                if re.match(r"&(lt|gt|quot);", t[i:i + 6]):
                    break                            # B3: these stand for < > "
                if t.startswith("&amp;", i):
                    n, undone = 5, True              # L
            elif c in depth:
                if c == "[" and re.match(r"\[/[A-Za-z]+\]", t[i:i + 40]):
                    break                            # B7: [/url]
                depth[c] += 1
            elif c in BRACKETS:
                if depth[BRACKETS[c]] == 0:
                    break                            # B5
                depth[BRACKETS[c]] -= 1
            elif c == "'" and before == "'":
                break                                # D1, B5a
            elif c == "|" and before and before in "([{":
                break                                # B5a
            if c in ",;|" and not undone and self.scheme_follows(i + 1):
                break                                # B8
            size += len(c.encode())
            if size > MAX_URL:
                break
            out.append(Element(c, i, i + n, undone, gap))
            gap = ""
            i += n
        return out, i

    def declared_break(self, i):
        """J1: a backslash at the line end, and URL characters at once behind it."""
        if self.o.join == "never" or i + 1 >= len(self.t) or self.t[i + 1] not in LINE_ENDS:
            return None
        k = self.lines.next(i + 1)
        return k if k < len(self.t) and not is_stop(self.t[k]) else None

    def scheme_follows(self, i):
        m = SCHEME.match(self.t, i)
        return bool(m) and scheme_row(m[0][:-1]) is not None and self.t.startswith("//", m.end())

    # -- B4, B5, B5a, B6: what goes at the end

    def trim(self, elements, floor, keep_star=False):
        e = list(elements)
        while len(e) > floor:
            c, s = e[-1].c, text_of(e[floor:])
            if e[-1].undone and c == "&":
                e.pop()                              # `&amp;` at the end
            elif c == ";" and self.entity(e, floor):
                del e[-self.entity(e, floor):]
            elif c in ".,;:!?#|@" or c == ELLIPSIS or c in "([{":
                e.pop()
            elif c == "*" and not (keep_star and s == "*"):
                e.pop()
            elif c == "'" and s.count("'") % 2 == 1:
                e.pop()
            elif c == "]" and re.search(r"\[[0-9]+\]$", s):
                del e[-len(re.search(r"\[[0-9]+\]$", s)[0]):]
            else:
                break
        return e

    def entity(self, e, floor):
        """How many elements of an HTML entity stand at the end (B4)."""
        tail = e[floor:][-34:]
        m = ENTITY_END.search(text_of(tail))
        if not m:
            return 0
        n = len(m[0])
        return 0 if any(x.undone for x in tail[-n:]) else n

    def emphasis(self, s, e, floor):
        """B6: how many marks at the end close those before s; 0 for none."""
        t, k = self.t, s
        if s == 0 or t[s - 1] not in "*_/~|":
            return 0
        mark = t[s - 1]
        while k > 0 and t[k - 1] == mark:
            k -= 1
        if k > 0 and (is_word(t[k - 1])):
            return 0
        n = s - k
        return n if len(e) - floor >= n and all(x.c == mark and not x.undone for x in e[-n:]) else 0

    # -- B2, B11, B12: hosts

    def check_host(self, e, at, userinfo=True):
        """Where a link with a host at e[at] ends by its host: its length, or None
        for no host that could exist."""
        text = text_of(e)
        stop = next((i for i in range(at, len(text)) if text[i] in "/?#"), len(text))
        host = text.rfind("@", at, stop) + 1 if userinfo else 0
        host = host or at
        if text.startswith("[", host):
            close = text.find("]", host, stop)
            if close < 0 or not ip_literal(text[host + 1:close]):
                return None
            end = close + 1
            cut = end < len(text) and text[end] not in ":/?#"
        else:
            end = host
            while end < stop and (text[end] == "." or is_host_char(text[end])):
                if is_cjk(text[end]) and self.runs_on(text[host:end]):
                    break                            # B12
                end += 1
            cut = end < stop and text[end] != ":"
            name = text[host:end]
            if name.endswith("-"):
                end, cut = host + len(name.rstrip("-")), True
            if cut and text[host:end].endswith("."):
                end -= 1
            if not host_could_exist(text[host:end]):
                return None
        if not cut and text.startswith(":", end) and end + 1 < len(text) and ord(text[end + 1]) >= 0x80:
            cut = True                               # B11: no port begins so
        return end if cut else len(text)

    def runs_on(self, name):
        """B12: whether a name before a CJK letter is complete in an ASCII domain."""
        labels = name.split(".")
        return len(labels) >= 2 and labels[-1].isascii() and labels[-1].lower() in DOMAINS

    # -- D1, P1 and the common end of every link in free text

    def make(self, e, s, convention, flags, supplied="", scheme=None):
        flags = set(flags)
        if any(x.gap for x in e[1:]):
            flags.add("joined")
        if any(x.gap == "declared" for x in e[1:]):
            flags.add("join-declared")
        if any(x.furniture for x in e[1:]):
            flags.add("furniture")
        if any(x.undone for x in e):
            flags.add("unescaped")
        text = text_of(e)
        if scheme is None:
            scheme = text[:text.index(":")].lower()
        return Link(text, scheme, supplied, convention, flags, self.parts(e))

    def parts(self, e):
        out = []
        for x in e:
            a, b = self.at[x.start], self.at[x.end]
            if out and out[-1][1] == a:
                out[-1][1] = b
            else:
                out.append([a, b])
        return [(a, b - a) for a, b in out]

    def convention(self, s, ender, cut):
        """D1 and P1: how a link in free text was delimited."""
        if self.quoted(s, ender, cut):
            return "quoted"
        return "bare" if self.prefixed(s) is None else "prefix"

    def quoted(self, s, ender, cut):
        if cut or s == 0 or ender >= len(self.t):
            return False
        return self.t[ender] in CLOSERS.get(self.t[s - 1], ())

    # -- Links in free text with a scheme (B)

    def bare(self, s, k):
        """A link that starts at s with the colon at k: (link or None, resume)."""
        t = self.t
        name, width = t[s:k], self.slashes(k)
        row = scheme_row(name)
        marks = "+_" if width else "+_.-/@:"
        start = "yes" if not width and self.prefixed(s) is not None else self.before(s, marks)
        if start == "no":
            return None, None
        body = k + 1 + width
        e, ender = self.reach(s, body, width == 4)
        floor = k + 1 - s + (2 if width else 0)
        kind = row[1] if row else "ANY"
        if row and row[2]:
            return self.forbidden(s, e, floor, ender, start)
        if width and kind not in ("HOST", "FILE"):
            kind = "ANY"
        if not width and row[0] == 2:
            return None, None
        cut = False
        e = self.trim(e, floor, keep_star=kind == "NEWS")
        n = self.emphasis(s, e, floor)
        if n:
            e = self.trim(e[:-n], floor)
        elif start == "emph":
            return None, None
        if kind == "HOST":
            end = self.check_host(e, floor)
            if end is None:
                return None, None
            cut = end < len(e)
            e = self.trim(e[:end], floor)
        rest = text_of(e[floor:])
        delimited = self.quoted(s, ender, cut)
        if not body_plausible(kind, rest, bool(width), delimited):
            return None, None
        flags = {"unknown-scheme"} if row is None else set()
        return self.make(e, s, self.convention(s, ender, cut), flags), e[-1].end

    def forbidden(self, s, e, floor, ender, start):
        """B10: schemes never linked swallow what follows, unless quoted."""
        if start == "emph":
            return None, None
        e = self.trim(e, floor)
        if self.quoted(s, ender, False) and len(e) > floor:
            return self.make(e, s, "quoted", {"unlinkable-scheme"}), e[-1].end
        k = s
        while k < len(self.t) and not is_stop(self.t[k]):
            k += 1
        return None, k

    # -- S1

    def www(self, s):
        t = self.t
        if t[s:s + 4].lower() not in ("www.", "ftp."):
            return None
        start = self.before(s, "_@/.")
        if start == "no":
            return None
        e, ender = self.reach(s, s, False)
        e = self.trim(e, 0)
        n = self.emphasis(s, e, 0)
        if n:
            e = self.trim(e[:-n], 0)
        elif start == "emph":
            return None
        end = self.check_host(e, 0, userinfo=False)
        if end is None:
            return None
        cut = end < len(e)
        e = self.trim(e[:end], 0)
        labels = re.split("[:/?#]", text_of(e))[0].rstrip(".").split(".")
        if len(labels) < 3 or not domain_label(labels[-1]):
            return None
        scheme = "ftp" if t[s] in "fF" else "https" if self.o.www_https else "http"
        convention = self.convention(s, ender, cut)
        return self.make(e, s, "schemeless" if convention == "bare" else convention, (), scheme + "://", scheme)

    # -- M1

    def email(self, s):
        """A dot-atom `@` domain whose local part starts at s."""
        t = self.t
        k = s
        while k < len(t) and is_atom(t[k]):
            k += 1
        if k == s or k >= len(t) or t[k] != "@" or t[k - 1] == "." or ".." in t[s:k]:
            return None
        if t[s] in MAIL_MARKS or s and t[s - 1] == "@":
            return None
        b = s
        while b and t[b - 1] in MAIL_MARKS:
            b -= 1
        if b and is_atom(t[b - 1]) and not t.endswith("..", 0, s):
            return None
        end = k + 1
        while end < len(t) and (t[end] == "." or is_host_char(t[end]) and t[end] != "_"):
            if is_cjk(t[end]) and self.runs_on(t[k + 1:end]):
                break
            end += 1
        name = t[k + 1:end].rstrip(".-")
        end = k + 1 + len(name)
        labels = name.split(".")
        if len(labels) < 2 or not host_could_exist(name) or not domain_label(labels[-1]):
            return None
        if end < len(t) and t[end] == "@":
            return None
        e = [Element(t[i], i, i + 1) for i in range(s, end)]
        return self.make(e, s, "email", (), "mailto:", "mailto")

    # -- S2

    def domain(self, s):
        t = self.t
        if not is_host_char(t[s]) or t[s] in "-_":
            return None
        if s and (is_host_char(t[s - 1]) and not is_cjk(t[s - 1]) or t[s - 1] in "-_.@/\\="):
            return None
        e, ender = self.reach(s, s, False)
        e = self.trim(e, 0)
        end = self.check_host(e, 0, userinfo=False)
        if end is None:
            return None
        cut = end < len(e)
        if cut and e[end].c == "@":
            return None
        e = self.trim(e[:end], 0)
        text = text_of(e)
        name = re.split("[:/?#]", text)[0].rstrip(".")
        last = name.split(".")[-1]
        if "." not in name or last.lower() not in DOMAINS or last != last.lower():
            return None
        path = len(text) > len(name)
        if not path and last in ("rs", "md", "zip", "sh", "py", "pl", "mov", "cc", "so", "ps", "java", "app"):
            return None
        convention = self.convention(s, ender, cut)
        return self.make(e, s, "schemeless" if convention == "bare" else convention, (), "http://", "http")

    # -- W, A: what stands in angle brackets

    def bracket_items(self, i):
        """W2, W4: the elements between the `<` at i and its `>`, and where that is."""
        t, out, k, breaks = self.t, [], i + 1, 0
        opened = self.opening(i)
        gap, furniture, size = "", False, 0
        while k < len(t):
            c = t[k]
            if self.at[k] - self.at[i] > MAX_SPAN or size > MAX_URL:
                return None
            if c == ">":
                return out, k, gap
            if c in '<"' or is_control(c):
                return None
            if is_space(c):
                kind, k, marks = self.gap(k, opened)
                if kind is None:
                    return None
                breaks += marks[1]
                if breaks > MAX_BREAKS:
                    return None
                if kind == "line" and out:
                    out[-1].hyphen = True
                gap = "line" if "line" in (kind, gap) else kind
                furniture = furniture or marks[0]
                continue
            out.append(Element(c, k, k + 1, False, gap, furniture))
            gap, furniture = "", False
            size += len(c.encode())
            k += 1
        return None

    def gap(self, k, opened):
        """A run of whitespace at k: its kind ("blank", "line", or None where the
        bracket is abandoned), its end, (furniture, line breaks) in it."""
        t, kind, furniture, breaks, ff = self.t, "blank", False, 0, False
        while k < len(t) and is_space(t[k]):
            if t[k] not in LINE_ENDS:
                ff = ff or t[k] == "\f"
                k += 1
                continue
            kind, breaks = "line", breaks + 1
            start = self.lines.next(k)
            if self.lines.is_signature(opened, start):
                return None, k, None
            page = self.lines.page_break(opened, start, ff)
            if page is not None:
                k, furniture = page, True
                continue
            p = self.lines.match(opened, start)
            if p is None or self.lines.is_empty(opened, start):
                return None, k, None
            furniture = furniture or p > start
            k = p
        return (kind, k, (furniture, breaks)) if k < len(t) else (None, k, None)

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
        e, removed, hyphens = self.join(e)
        text = text_of(e)
        m = SCHEME.match(text)
        if not m or m.end() == len(text):
            return None, None                        # W3
        row = scheme_row(m[0][:-1])
        slashes = text.startswith("//", m.end())
        if row is None and not slashes and removed:
            return None, None                        # W3: prose
        if row and row[1] == "HOST" and not (slashes and self.host_whole(e, m.end() + 2)):
            return None, None
        return self.bracket_link(e, "wrapper", row, hyphens), close + 1

    def angle(self, i, e, close):
        if not e:
            return None, None
        if e[0].gap == "blank" and self.first_on_line(i):
            return None, None                        # a diff mark
        blanks = [n for n in range(1, len(e)) if e[n].gap == "blank"]
        ended = bool(blanks) and not self.reads_on(e, blanks[0])
        if ended:                                    # A2
            e = e[:blanks[0]]
        e, removed, hyphens = self.join(e)
        text = text_of(e)
        m = SCHEME.match(text)
        if not m:
            return None, None
        row = scheme_row(m[0][:-1])
        broken = [x.gap for x in e[1:m.end()] if x.gap]
        slashes = text.startswith("//", m.end())
        if "blank" in broken or row is None and (broken or not slashes):
            return None, None                        # A1
        floor = m.end() + (2 if slashes else 0)
        if ended:
            e = self.trim(e, floor)
        kind = row[1] if row else "ANY"
        if slashes and kind not in ("HOST", "FILE"):
            kind = "ANY"
        if kind == "HOST" and not (slashes and self.host_whole(e, floor)):
            return None, None
        if kind == "SWALLOW":
            kind = "ANY"
        if not body_plausible(kind, text_of(e[floor:]), slashes, True):
            return None, None
        return self.bracket_link(e, "angle", row, hyphens), e[-1].end if ended else close + 1

    def first_on_line(self, i):
        start = self.lines.start(i)
        return start is not None and self.lines.blanks(start) == i

    def reads_on(self, e, first):
        """A2: whether every piece behind the blank reads like the rest of a URL."""
        pieces = []
        for x in e[first:]:
            if x.gap:
                pieces.append("")
            pieces[-1] += x.c
        return all(re.search(r"[/.?=&%#_~0-9-]", p) for p in pieces)

    def host_whole(self, e, at):
        """W3: whether all of what stands where a host stands could be one."""
        text = text_of(e)
        stop = next((i for i in range(at, len(text)) if text[i] in "/?#"), len(text))
        host = text.rfind("@", at, stop) + 1 or at
        if text.startswith("[", host):
            close = text.find("]", host, stop)
            return close > 0 and ip_literal(text[host + 1:close]) and (
                close + 1 == stop or text[close + 1] == ":")
        name = text[host:stop].split(":")[0]
        return all(c == "." or is_host_char(c) for c in name) and host_could_exist(name)

    def join(self, e):
        """H: the elements without what hyphens and soft hyphens lose, whether
        whitespace was removed, and the hyphens at breaks."""
        out, hyphens, removed = [], [], False
        carry = ("", False)
        for n, x in enumerate(e):
            if n == 0:
                x.gap, x.furniture = "", False
            removed = removed or bool(x.gap)
            if carry[0] or carry[1]:
                x.gap, x.furniture = x.gap or carry[0], x.furniture or carry[1]
                carry = ("", False)
            at_break = x.hyphen and n + 1 < len(e)
            if at_break and x.c in "-" + SOFT_HYPHEN + HYPHEN:
                drop = x.c != "-" or self.o.hyphen == "drop"
                hyphens.append((len(out), x, drop))
                if drop:
                    carry = (x.gap, x.furniture)
                    continue
            elif x.c == SOFT_HYPHEN:
                carry = (x.gap or "soft", x.furniture)
                continue
            out.append(x)
        return self.undo(out), removed, hyphens

    def undo(self, e):
        """L: `&amp;` undone."""
        out, n = [], 0
        while n < len(e):
            five = e[n:n + 5]
            if text_of(five) == "&amp;" and not any(x.gap for x in five[1:]):
                out.append(Element("&", e[n].start, five[4].end, True, e[n].gap, e[n].furniture))
                n += 5
            else:
                out.append(e[n])
                n += 1
        return out

    def bracket_link(self, e, convention, row, hyphens):
        flags = set()
        if row is None:
            flags.add("unknown-scheme")
        elif row[2]:
            flags.add("unlinkable-scheme")
        if hyphens:
            flags.add("hyphen-ambiguous")
        link = self.make(e, 0, convention, flags)
        link.alternates = self.alternates(e, hyphens)
        return link

    def alternates(self, e, hyphens):
        """H2: the opposite of all, then each single change."""
        e = sorted(e, key=lambda x: x.start)
        hyphens = [h for h in hyphens if h[1].start < e[-1].end]
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
        return texts[:MAX_ALTERNATES]

    # -- B9

    def block(self, start):
        """The end of an encoded block whose first line begins at start, or None."""
        t, first = self.t, self.t[start:self.lines.end(start)]
        if re.match(r"begin(-base64)? [0-7]{3,4} \S", first):
            form, last = (base64_line if first.startswith("begin-") else uu_line), r"(end|====)\s*$"
        elif re.match(r"=ybegin .*\bline=[0-9]+\b.*\bname=", first):
            width = int(re.search(r"\bline=([0-9]+)", first)[1])
            form, last = (lambda line: len(line) <= width + 1), r"=yend "
        elif re.match(r"-----BEGIN PGP (?!SIGNED MESSAGE)[A-Z ,/0-9]+-----\s*$", first):
            form, last = armour_line, r"-----END PGP "
        elif first.startswith("(This file must be converted with BinHex"):
            form, last = binhex_line, r"$^"
        else:
            return None
        k = self.lines.end(start)
        while k < len(t):
            line_start = self.lines.next(k)
            line = t[line_start:self.lines.end(line_start)]
            if re.match(last, line):
                return self.lines.end(line_start)
            if not form(line):
                return line_start
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
                self.taken = (bisect.bisect_left(self.at, link.parts[-1][0]), resume - 1 if resume else -1)
            i = resume if resume and resume > i else i + 1
        return self.links

    def at_position(self, i):
        if self.t[i] == "<":
            return self.bracket(i)
        if i in self.starts:
            link, resume = self.bare(i, self.starts[i])
            if link or resume:
                return link, resume
        for on, rule in ((True, self.www), (self.o.email, self.email), (self.o.domains, self.domain)):
            link = rule(i) if on else None
            if link:
                return link, bisect.bisect_left(self.at, link.parts[-1][0] + link.parts[-1][1])
        return None, None


# ---- What must stand behind the colon (B2) -----------------------------------------

def ip_literal(s):
    if re.fullmatch(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+", s):
        return True
    try:
        ipaddress.IPv6Address(re.sub("%.*", "", s))
        return True
    except ValueError:
        return False


def host_could_exist(name):
    """B2, B11: labels that do not begin or end with `-`, none empty but the last."""
    labels = name.split(".")
    if len(labels) > 1 and labels[-1] == "":
        labels.pop()
    if any(not x or x[0] == "-" or x[-1] == "-" for x in labels):
        return False
    return not any("_" in x for x in labels[-2:])


def domain_label(s):
    """S1: letters, an A-label, or beyond ASCII."""
    return s.lower().startswith("xn--") or not s.isascii() or s.isalpha()


def is_atom(c):
    return c in ".!#$%&'*+/=?^_`{|}~-" or (c.isalnum() if c.isascii() else is_host_char(c))


def address(s, least):
    local, at, name = s.rpartition("@")
    if not at or not local:
        return False
    return host_could_exist(name) and all(c == "." or is_host_char(c) for c in name) and len(name.split(".")) >= least


GROUP = r"[A-Za-z][A-Za-z0-9.+_-]*"


def body_plausible(kind, rest, slashes, delimited):
    """B2: whether what stands behind the scheme reads like one of its kind."""
    if not rest:
        return False
    if kind in ("HOST", "ANY"):
        return True
    if kind == "FILE":
        return slashes or rest[0] == "/" and len(rest) > 1
    path = re.split("[?#]", rest)[0]
    if kind == "ADDRESS":
        if rest.lower().startswith("?to="):
            return len(rest) > 4
        return all(address(x, 1) for x in path.split(","))
    if kind == "NEWS":
        return rest == "*" or bool(re.fullmatch(GROUP, path)) or address(path, 1)
    if kind == "ID":
        return address(path.split("/")[0], 1)
    if kind == "URN":
        return bool(re.match(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}:.", rest))
    if kind == "PHONE":
        return bool(re.match(r"\+?[(]?[0-9]", rest))
    if kind == "ADDRESS_OR_HOST":
        name = re.split("[;/?#]", rest)[0]
        if "@" in name:
            return address(re.sub(r":[0-9]*$", "", name), 1)
        name = name.split(":")[0]
        return "." in name and host_could_exist(name) and all(c == "." or is_host_char(c) for c in name)
    if kind == "GEO":
        return bool(re.match(r"-?[0-9]+(\.[0-9]+)?,-?[0-9]", rest))
    if kind == "QUERY":
        return rest[0] == "?" and len(rest) > 1
    if kind == "TOKEN":
        word = re.match(r"[A-Za-z0-9]*", rest)[0]
        return len(word) >= 5 and bool(re.search("[A-Z0-9]", word))
    if kind == "PATH":
        return "/" in path
    return delimited                                 # NEVER


# ---- Lines of encoded blocks (B9) ---------------------------------------------------

def uu_line(line):
    line = line.rstrip("\r")
    if not line:
        return False
    n = ord(line[0]) - 32 & 63
    if not all(32 <= ord(c) <= 96 for c in line):
        return False
    need = (n + 2) // 3 * 4
    return need - 3 <= len(line) - 1 <= need + 2 or n == 0 and len(line) <= 2


def base64_line(line):
    return bool(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}\s*", line))


def armour_line(line):
    return bool(re.fullmatch(r"[A-Za-z0-9+/=]*\s*", line)) or bool(re.match(r"[A-Za-z][A-Za-z-]*: ", line))


def binhex_line(line):
    return bool(re.fullmatch(r"[!-~]*\s*", line))


def scan(data, options=None):
    """The links of `data` (bytes) in order."""
    return Scanner(data, options or Options()).run()


def main(args):
    options = Options(email="--email" in args, domains="--domains" in args)
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
