"""What stands after the colon (B2) and in encoded blocks (B9), for reference.py."""
import ipaddress
import re

from reference_text import DOMAINS, ends_host, is_host_char


# ---- What must stand after the colon (B2) -----------------------------------------

def ip_literal(s):
    """An IPv6 address, or one with a zone (RFC 6874)."""
    address, mark, zone = s.partition("%")
    try:
        ipaddress.IPv6Address(address)
        return not mark or re.fullmatch("[A-Za-z0-9+._-]+", zone) is not None
    except ValueError:
        return False


def host_could_exist(name):
    """B2, B11: labels that do not begin or end with `-`, none empty but the last; no `_` in
    the last of several; at most 255 bytes."""
    labels = name.split(".")
    if len(name.encode()) > 255:
        return False
    if len(labels) > 1 and labels[-1] == "":
        labels.pop()
    if any(not x or x[0] == "-" or x[-1] == "-" for x in labels):
        return False
    return ("_" not in labels[-1] or len(labels) == 1) and name.strip("-_.") != ""


WIDE_NAME = re.compile("(?:(?<![.-])[\u3002\uff0e\uff61][A-Za-z0-9][A-Za-z0-9.-]*){1,8}")


def wide_dot(t, begin, k):
    """B2: whether a full stop of CJK at k is in the host that begins at `begin`: a label is before it that is no
    top-level domain, and ASCII after it leads to one."""
    m = WIDE_NAME.match(t, k)
    return (bool(m) and k > begin and t[begin:k].split(".")[-1].lower() not in DOMAINS
            and not t.startswith("_", k + len(m[0].removesuffix(".")))
            and re.split("[.\u3002\uff0e\uff61]", m[0].removesuffix("."))[-1].lower() in DOMAINS)


def domain_label(s):
    """S1: letters, an A-label, or beyond ASCII."""
    return s.lower().startswith("xn--") or not s.isascii() or s.isalpha()


def is_atom(c):
    return c in ".!#$%&'*+/=?^_{|}~-" or (c.isalnum() if c.isascii() else is_host_char(c))


def runs_on(t, begin, k):
    """B12: whether a name that begins at `begin` is complete before the CJK letter or
    symbol at k: in an ASCII domain, and in the last label."""
    if not ends_host(t[k]):
        return False
    end = k
    while end < len(t) and (t[end] == "." or is_host_char(t[end])):
        end += 1
    labels = t[begin:k].split(".")
    return (len(labels) >= 2 and labels[-1].isascii() and (labels[-1].lower() in DOMAINS or labels[-1].isdigit())
            and "." not in t[k:end].rstrip(".-"))


def host_prefix(s):
    """As much of s as could be a host."""
    n = 0
    while n < len(s) and (s[n] == "." or is_host_char(s[n])) and not runs_on(s, 0, n):
        n += 1
    return s[:n].rstrip(".-")


def domain(s):
    """Something that could be a host, or an address literal."""
    return host_could_exist(host_prefix(s)) or bool(re.match(r"\[[A-Za-z0-9.:]+\]", s))


def address(s):
    """A local part, `@`, and a domain."""
    local, at, name = s.partition("@")
    return bool(at and re.fullmatch(r'[^\x00- <>"`\\\x7f]+', local)) and domain(name)


def mail_address(s, also=""):
    return address(s) and all(is_atom(c) or ord(c) >= 0x80 or c in also for c in s.partition("@")[0])


GROUP = r"[A-Za-z][A-Za-z0-9+_\x80-\U0010ffff-]*\.[A-Za-z0-9\x80-\U0010ffff]"
WORD_MARK = r"""[^\x00- "<>`\\\x7f]*?[0-9/.?=&%#_~@,-]"""     # no word of a program holds these


def body_plausible(kind, rest, slashes, delimited):
    """B2: whether what stands after the scheme reads like one of its kind."""
    if not rest:
        return False
    if kind in ("HOST", "ANY"):
        return True
    if kind == "FILE":
        return slashes or bool(re.match(r"([A-Za-z][:|])?/[A-Za-z0-9._~%\x80-\U0010ffff-]", rest))
    if kind in ("QUERY", "NAMESPACE", "PATH"):
        rest = rest.partition("\\")[0]               # no backslash is part of them
    path = re.split("[?#]", rest)[0]
    if kind == "ADDRESS":
        if rest.lower().startswith("?to="):
            return len(rest) > 4
        return mail_address(path)
    if kind == "NEWS":
        return rest == "*" or bool(re.match(GROUP, path)) or address(path)
    if kind == "ID":
        name = bool("@" not in rest and re.match(r"(?=.*[0-9])[A-Za-z0-9].*\.[A-Za-z0-9]", rest))
        return address(path) or name or delimited and "@" not in rest and bool(re.match(WORD_MARK, rest))
    if kind == "URN":
        return bool(re.match(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}:[^/?#]", rest))
    if kind == "PHONE":
        return bool(re.match(r"(?!\()([-+.()*%#]*[0-9]){3}", rest))
    if kind == "ADDRESS_OR_HOST":
        name = host_prefix(rest)
        return mail_address(re.split("[;/]", path)[0], ":") or "." in name and host_could_exist(name)
    if kind == "GEO":
        return bool(re.match(r"-?[0-9]+(\.[0-9]+)?,-?[0-9]", rest))
    if kind == "QUERY":
        return bool(re.match(r"\?.+=", rest))
    if kind == "TOKEN":
        word = re.match(r"[A-Za-z0-9]*", rest)[0]
        return len(word) >= 5 and bool(re.search("[A-Z0-9]", word))
    if kind == "NAMESPACE":
        return delimited and bool(re.match("[A-Za-z][A-Za-z0-9+.-]*/.", path))
    if kind == "SLASHES":
        return False
    if kind == "PATH":
        return bool(re.match("[A-Za-z0-9][A-Za-z0-9+.-]*/.", path))
    return delimited and bool(re.match(WORD_MARK, rest.removesuffix("/")))     # NEVER; `<a:b/>` is markup


# ---- Lines of encoded blocks (B9) ---------------------------------------------------

def uu_line(line):
    line = line.rstrip("\r")
    if not line:
        return False
    n = ord(line[0]) - 32 & 63
    if not all(32 <= ord(c) <= 96 for c in line):
        return False
    need = (n + 2) // 3 * 4
    least = 0 if line[0] == "M" else need - 3        # a full line may have lost its blanks in transit
    return least <= len(line) - 1 <= need + 2 or n == 0 and len(line) <= 2


class YencLines:
    """Lines of yEnc: full ones, with one more for an escape and a doubled full stop each, and a last one."""

    def __init__(self, width):
        self.width, self.ended = width, False

    def __call__(self, line, size):
        """A line, and its bytes."""
        if line.startswith("=ypart "):
            return True
        ended, self.ended = self.ended, size < self.width
        return not ended and len(line) <= self.width + 2


def base64_line(line):
    return len(line.rstrip()) <= 80 and bool(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}[ \t]*", line))


def armour_line(line, body):
    """RFC 4880 section 6.2: header lines and a blank one, then base64 (`body`)."""
    if base64_line(line) or re.fullmatch(r"=[A-Za-z0-9+/]{4}[ \t]*", line):
        return True
    return not body and bool(re.match(r"[A-Za-z][A-Za-z-]*:( |$)|[ \t]*$", line))


def binhex_line(line):
    return bool(re.fullmatch(r"[!-,0-689@A-NP-V X-Z\[`a-fh-mp-r:-]+\s*".replace(" ", ""), line))
