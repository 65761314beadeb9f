"""Characters (C1, B3), the tables, and lines with their prefixes (Q, F), for reference.py."""
import bisect
import functools
import os
import re
import unicodedata
from dataclasses import dataclass

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "url")

PREFIX_BYTES, LOOK_BACK_BYTES, PAGE_LINES = 256, 1024, 24
SOFT_LINE = (70, 77)   # J1: columns
QUOTED_COLUMNS = 70    # Q2: a mailer breaks lines of this length
FOLDED_COLUMNS = 60    # J1: lines that RFC 8792 folds with indentation
TERMINAL_COLUMNS = 40  # F: no pager is narrower


# ---- Tables ---------------------------------------------------------------------

def read_schemes():
    """The rows of the scheme table: name -> (slashes, body, forbidden)."""
    rows = {}
    with open(os.path.join(SOURCE, "scheme_table.h"), encoding="utf-8") as f:
        text = f.read()
    for m in re.finditer(r'X\("([^"]+)", \d+, [A-Z |0]+, (\d), BODY_(\w+), \d, (\d)[ ,]', text):
        rows[m[1]] = (int(m[2]), m[3].removesuffix("_OPTIONAL"), m[4] == "1")
    for m in re.finditer(r'REGISTERED\("([^"]+)"\)', text):
        rows[m[1]] = (1, "NEVER", False)
    for m in re.finditer(r'REGISTERED_BODY\("([^"]+)", BODY_(\w+)\)', text):
        rows[m[1]] = (1, m[2], False)
    for m in re.finditer(r'REGISTERED_SLASHES\("([^"]+)"\)', text):
        rows[m[1]] = (1, "SLASHES", False)
    return rows


def read_domains():
    """The top-level domains."""
    with open(os.path.join(SOURCE, "tld_table.h"), encoding="utf-8") as f:
        names = re.findall(r'"([^"]+)"', f.read())
    octal = re.compile(r"\\([0-7]{3})")
    names = {octal.sub(lambda m: chr(int(m[1], 8)), n).encode("latin-1").decode() for n in names}
    return names | {"example", "i2p", "local", "onion"}


SCHEMES = read_schemes()
SCHEME_NAME_MAX = 40
DOMAINS = read_domains()
GLUED = [name for name, row in SCHEMES.items() if row[0] == 2 and len(name) > 2]


def scheme_row(name):
    name = name.lower()    # `URL:` itself is a prefix and no scheme (P1)
    return SCHEMES.get("ms-" if name.startswith("ms-") and 3 < len(name) <= SCHEME_NAME_MAX else name)


# ---- Characters -----------------------------------------------------------------

SPACES = set(" \t\r\n\f\v\x85\xa0\u1680\u202f\u205f\u3000\u2028\u2029\u200b\ufeff") | {
    chr(c) for c in range(0x2000, 0x200B)}
LINE_ENDS, LINE_END = "\r\n", re.compile("[\r\n]")
# J1: what quoted-printable never holds, and what hardly any other text does.
NO_ESCAPE, ESCAPE = re.compile("=(?![0-9A-F]{2}|[\r\n])"), re.compile("=([89A-F][0-9A-F]|3D|20(?=[\r\n]|$))")
SOFT_HYPHEN, HYPHEN = "\xad", "\u2010"
MARKS = "\u2026\u2020\u2021\u2022\u055b\u055c\u055d\u055e"                     # B4: the ellipsis, bullet, daggers, of Armenian
DIGITS = "0123456789"
ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SCHEME_CHARS = set(ASCII_LETTERS + DIGITS + "+.-")
STOPS = set("<>\"`\\")
# Dashes, quotation marks, CJK and full-width punctuation and brackets (B3).
WIDE_STOPS = set("\u2013\u2014\u2015\xab\xbb\u2039\u203a\u2329\u232a\u2e2e\u2e42\u3030\u303d")
# Bidi controls (RFC 3987 section 4.1), box drawing, full stops and the like of Armenian, Hebrew, Arabic, Syriac, N'Ko,
# Indic scripts, Tibetan, Burmese, Ethiopic, Canadian syllabics, Khmer, Mongolian, Lisu and Vai.
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
WIDE_STOPS |= BIDI | {chr(c) for c in range(0x2500, 0x2580)} | set("\u0589\u05c3\u060c\u061b\u061d\u061e\u061f\u06d4")
WIDE_STOPS |= set("\u07f8\u07f9\u166e\u203c\u203d\u2047\u2048\u2049")
WIDE_STOPS |= set("\ua4fe\ua4ff\ua60d\ua60e\ua60f") | set("\u1802\u1803\u1804\u1805\u1808\u1809")
WIDE_STOPS |= set("\u0700\u0701\u0702\u0964\u0965\u0f0d\u0f0e\u104a\u104b\u17d4\u17d5") | {chr(c) for c in range(0x1361, 0x1369)}
WIDE_STOPS |= {chr(c) for r in ((0x2018, 0x201F), (0x27E6, 0x27EF), (0x3001, 0x3003), (0x3008, 0x3011),
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


@functools.cache
def is_cjk(c):
    return any(low <= ord(c) <= high for low, high in CJK)


def ends_host(c):
    """B12: what no ASCII domain goes on with: CJK letters, symbols."""
    return is_cjk(c) or "\u2190" <= c <= "\u2bff" or "\U0001f000" <= c <= "\U0001fbff"


def is_stop(c):
    """B3: what ends a link in free text."""
    return c in SPACES or c in STOPS or c in WIDE_STOPS or is_control(c)


def is_host_char(c):
    """B2, B11: what a host name may hold (dots apart)."""
    if ord(c) < 0x80:
        return c in ASCII_LETTERS or c in DIGITS or c in "-_"
    return not is_stop(c) and c not in SOFT_HYPHEN + HYPHEN + MARKS


def is_word(c):
    """A letter or digit of any script but CJK, which is written without blanks (B1)."""
    if ord(c) < 0x80:
        return c in ASCII_LETTERS or c in DIGITS
    return ord(c) < 0x2000 and not is_cjk(c) and unicodedata.category(c)[0] in "LNM"


def is_glued(t, i):
    """M1, S2: whether a name begins at i after a CJK letter or a symbol."""
    return i > 0 and ends_host(t[i - 1]) and t[i:i + 1].isascii() and t[i:i + 1].isalnum()


def is_escaped(t, i):
    """B1: whether the letters before i are those of an escape of a program or of roff."""
    return re.search(r"\\([nrt]|f[A-Z0-9]|f\([!-~][A-Za-z0-9]|\([dlraoc]q)\Z", t[max(0, i - 5):i]) is not None


def decode(data):
    """The text by C1 and B1, the byte offset of each character and of the end, and the
    offset where each character ends."""
    text, at = decode_bytes(data)
    return strip_terminal(text, at)


def hyperlinks(data):
    """B1: the targets of terminal hyperlinks, as the ranges of their bytes."""
    text, at = decode_bytes(data)
    _, starts, ends = strip_terminal(text, at)
    index = {b: k for k, b in enumerate(at)}
    for start, end in zip(starts, ends):
        m = HYPERLINK.fullmatch(text, index[start], index[end])
        if m:
            yield at[m.start(1)], at[m.end(1)]


# B1: terminal escape sequences.  An SGR may erase the rest of the line, as grep's do.
SGR = re.compile(r"\x1b\[[0-9:;]{0,64}m(\x1b\[0?K)?")
SEQUENCE = re.compile(r"\x1b\[[0-?]{0,64}[ -/]{0,64}[@-~]|\x1b\][^\x00-\x1f\x7f]{0,1000}(\x07|\x1b\\)"
                      r"|\x1b[()*+./-][0-~]|\x1b\$[()*+./-]?[0-~]")
HYPERLINK = re.compile(r"\x1b\]8;[^;]*;([^ <>\x07\x1b]+)(?:\x07|\x1b\\)")
LINK_BEGIN = re.compile(r"(?:www|ftp)\.|([A-Za-z][A-Za-z0-9+.-]{0,39}):", re.I)


def is_overstrike(t, i):
    """`x BS x` or `_ BS x`."""
    c = t[i + 2:i + 3]
    return t[i + 1:i + 2] == "\b" and c != "" and t[i] in ("_", c) and not is_space(c) and not is_control(c)


def begins_link(t, before, i):
    """Whether an SGR between `before` and i parts a word from a link."""
    m = LINK_BEGIN.match(t, i)
    known = m and (not m[1] or scheme_row(m[1]))
    return bool(known and before and (ord(before) >= 0x80 or before in ASCII_LETTERS + DIGITS))


def strip_terminal(t, at):
    """B1: overstrikes become the character that they print; SGR goes, or is one ESC where
    a link begins; every other escape sequence is one ESC, which ends a link."""
    text, starts, ends, i = [], [], [], 0
    while i < len(t):
        end = i + 1
        if is_overstrike(t, i):
            i += 2
            continue
        m = SGR.match(t, i)
        if m and not begins_link(t, text[-1] if text else "", m.end()):
            i = m.end()
            continue
        m = m or SEQUENCE.match(t, i)
        if m:
            end = m.end()
        text.append("\x1b" if m else t[i])
        starts.append(at[i])
        ends.append(at[end])
        i = end
    return "".join(text), starts + [at[len(t)]], ends


def decode_bytes(data):
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


# ---- Lines and their prefixes (Q, F) ---------------------------------------------

@dataclass
class LinePrefix:
    quotes: list       # Q1: ">", "|", ":" or "Name>", in order
    diff: str          # "+", "-", "!", "<", "++", "--" or ""
    comment: str       # "#", "//", "*", ";", "%", "dnl" or ""; a run counts as one mark
    indented: bool     # a blank is where a diff has its marks (Q2)
    two: bool          # two blanks: the unchanged line of a context diff (Q2)
    is_list: bool      # the mark may be a list's: plain indentation continues (Q2)
    is_block: bool     # a comment of C begins: likewise
    end: int           # just after the last mark

    def any(self):
        return bool(self.quotes or self.diff or self.comment)


NAME_MARK = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}>")
COMMENT = re.compile(r"#+|//+|/?\*+|;+|%+|--+|dnl")
FROM_LINE = ">From "


class Lines:
    def __init__(self, text, at):
        self.t, self.at = text, at

    def start(self, i):
        """Where the line of character i begins, or None beyond 1 KiB (W4a)."""
        k = 1 + max(self.t.rfind(c, 0, i) for c in LINE_ENDS)
        return k if self.at[i] - self.at[k] <= LOOK_BACK_BYTES else None

    def size(self, i, k):
        """The bytes of characters i to k in UTF-8; one for a byte that is not UTF-8."""
        return sum(1 if self.at[j + 1] - self.at[j] == 1 else len(self.t[j].encode()) for j in range(i, k))

    def next(self, k):
        """Just after the line break at k."""
        return k + 2 if self.t.startswith("\r\n", k) else k + 1

    def end(self, k):
        found = LINE_END.search(self.t, k)
        return found.start() if found else max(k, len(self.t))

    def blanks(self, k, stop=None):
        stop = len(self.t) if stop is None else stop
        while k < stop and is_blank(self.t[k]):
            k += 1
        return k

    def indent(self, k, stop):
        while k < stop and self.t[k] in " \t":
            k += 1
        return k

    def reach(self, start):
        """How far a line prefix is looked for (W4a)."""
        start = min(start, len(self.t))
        return min(self.end(start), bisect.bisect_left(self.at, self.at[start] + PREFIX_BYTES, start))

    def comment(self, k, stop):
        """A comment leader and the blank, or the line end, after it."""
        m = COMMENT.match(self.t, k, stop)
        return m if m and self.t[m.end():m.end() + 1] in (" ", "\t", "\f", "\v", "\r", "\n") else None

    def line_prefix(self, start, stop):
        """Q1: the marks at the start of a line, before `stop`."""
        t = self.t
        stop = min(stop, self.reach(start))
        quotes, end, p = [], start, start
        while not t.startswith(FROM_LINE, start):
            k = self.indent(p, stop)
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
        is_list = is_block = False
        k = p + 1 if quotes and p < stop and t[p] == " " else p
        indented = k < stop and t[k] in " \t"
        two = t.startswith("  ", k) and k + 2 <= stop
        if k < stop and t[k] in "+-!<" and (t[k] != "<" or t[k + 1:min(k + 2, stop)] in (" ", "\t")):
            diff = t[k] * (2 if t[k] in "+-" and k + 1 < stop and t[k + 1] == t[k] else 1)
            end = k + len(diff)
            is_list = diff == "-" and end < len(t) and t[end] in " \t"
        k = self.indent(end, stop)
        m = self.comment(k, stop)
        if m:
            comment, end = m[0].replace("/*", "*"), m.end()
            is_block = m[0].startswith("/*")
            is_list = is_list or comment[0] in "*-" and not is_block
        elif not diff and t.startswith("- ", k) and k < stop:
            diff, end, is_list = "", k + 1, True
        return LinePrefix(quotes, diff, comment, indented, two, is_list, is_block, end)

    def match(self, opened, start, bracket=False):
        """Q2: just after the prefix of a line that continues, or None."""
        t, stop = self.t, self.reach(start)
        p = self.match_quotes(opened, start)
        if p is None:
            return None
        k = p + 1 if opened.quotes and p < stop and t[p] == " " else p
        if opened.indented and not opened.is_list and k < stop and t[k] == "-":
            return None                              # removed by a diff
        wrapped = bracket and not (k < stop and t[k] == "+")  # a list item that a mailer wrapped, no diff
        if bracket and opened.two and t.startswith("! ", k):
            p = k + 1                                # context diff
        elif bracket and opened.diff == "!" and t.startswith("  ", k):
            p = k
        elif opened.diff:
            if k < stop and t[k] == opened.diff[0] and (t[k] != "<" or t[k + 1:k + 2] in (" ", "\t")):
                p = k + (len(opened.diff) if t.startswith(opened.diff, k, stop) else 1)
            elif not (opened.is_list and (wrapped or p < stop and t[p] in " \t")):
                return None
        if opened.comment:
            k = self.indent(p, stop)
            m = self.comment(k, stop)
            if m and m[0].replace("/*", "*")[0] == opened.comment[0]:
                p = m.end()
            elif not (opened.is_list and (wrapped or k > p) or opened.is_block and k > p):
                return None
        return p

    def match_quotes(self, opened, start):
        t, stop, p = self.t, self.reach(start), start
        if opened.quotes and t.startswith(FROM_LINE, start):
            return None
        for mark in opened.quotes:
            k = self.indent(p, stop)
            name = NAME_MARK.match(t, k, stop) if len(mark) > 1 else None
            if not name and not t.startswith(mark, k, stop):
                return None
            p = name.end() if name else k + len(mark)
        if opened.quotes and opened.quotes[-1] in "|:":
            k = self.indent(p, stop)
            if k < stop and t[k] == opened.quotes[-1]:
                return None
        return p

    def quoted_printable(self, i):
        """J1: whether the `=` at i is a soft line end of undecoded quoted-printable: so is
        every `=` around it, or an escape."""
        t, start = self.t, self.start(i)
        if t[i + 1:i + 2] not in ("\r", "\n") or start is None or i + 1 - start > SOFT_LINE[1]:
            return False
        k = start
        while k > 0 and self.at[i] - self.at[k - 1] <= LOOK_BACK_BYTES and not re.match(r"\n\r?\n", t[k - 1:start]):
            k -= 1
        next_line = self.next(i + 1)
        line = t[start:min(self.end(next_line) + 1, next_line + PREFIX_BYTES)]
        if not t[start:i].isascii() or NO_ESCAPE.search(line):
            return False
        full = i + 1 - start >= SOFT_LINE[0]
        if full and ESCAPE.search(line):
            return True
        if NO_ESCAPE.search(t[k:start]):
            return False
        return bool(ESCAPE.search(t[k:start])) if full else "=3D" in t[k:start] + line

    def wrapped(self, i):
        """F: whether the `+` that begins the line at i is the mark of a pager."""
        t, at = self.t, self.at
        if t[i:i + 1] != "+":
            return False
        end = i - 1 - (t[i - 2:i] == "\r\n")
        start = self.start(end)
        if start is None or end - start < TERMINAL_COLUMNS:
            return False
        stop = min(at[i] + LOOK_BACK_BYTES, at[-1])
        k = next(k for k in range(i + 1) if at[k] >= at[i] - LOOK_BACK_BYTES)
        k = self.next(self.end(k)) if k else 0
        columns, others = -1, 0
        while k < len(t) and at[k] + 3 <= stop:
            if t.startswith(("-", "@@", "+++"), k):
                return False                         # a diff
            if k != i and t[k] == "+" and columns > 0:
                if columns not in (end - start, end - start + plus):
                    return False                     # no mark of a pager
                others += columns == end - start
            plus = t[k] == "+"
            columns = sum(at[j] < stop for j in range(k, self.end(k)))
            k = self.next(self.end(k))
        return others > 0

    def lost_mark(self, opened, k, start):
        """Q2: whether the unquoted line at `start` continues the quoted one whose text ends at k."""
        before = self.start(k)
        return (bool(opened.quotes) and before is not None and k - before >= QUOTED_COLUMNS
                and bool(re.match(r"""(?![>|:])[^\x00-\x20<>"\x7f]{1,256}>""", self.t[start:start + 257])))

    def is_signature(self, opened, start):
        """W4: `-- ` alone on its line."""
        p = self.match_quotes(opened, start)
        if p is None:
            return False
        rest = self.t[p:self.end(p)]
        return rest == "-- " or (bool(opened.quotes) and rest == " -- ")

    def page_break(self, opened, start, seen_ff):
        """F1: where the text goes on after a page break, or None.  The lines of the
        page itself may stand without the marks of the text."""
        t, k, seen, footer, header, lines = self.t, start, seen_ff, False, False, 0
        while k < len(t) and lines < PAGE_LINES:
            lines += 1
            p = self.match(opened, k, True)
            p = self.blanks(k if p is None else p)
            seen = seen or "\f" in t[k:p]
            end = self.end(p)
            if re.search(r"\[Page ([0-9]+|[ivxlc]+)\][ \t\f\v]*$", t[p:end]) and (k > start or "\f" in t[k:p]):
                seen = footer = True
            elif p < end:
                if k == start and "\f" not in t[k:p]:
                    return None                      # no blank line comes first
                if not footer or header or end >= len(t) or not self.is_empty(opened, self.next(end)):
                    return p if seen and k > start and self.match(opened, k, True) is not None else None
                header = True
            if end >= len(t):
                return None
            k = self.next(end)
        return None

    def is_empty(self, opened, start):
        p = self.match(opened, start, True)
        p = self.blanks(start if p is None else p)
        return start < len(self.t) and (p >= len(self.t) or self.t[p] in LINE_ENDS)
