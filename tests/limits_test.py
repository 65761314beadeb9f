#!/usr/bin/env python3
"""Limits of --limits, each with an input that is one below, at, and one above it.  FAST: all of it.

Those that no other test has at its edge: span, held-label, line-prefix, rule-steps, name, pages-hosts.  The steps of a
rule are counted by libpcre2 itself, called by ctypes.
"""
import ctypes
import ctypes.util
import json
import os
import re

from testlib import SANITIZED, check, finish, has, run, run_text, skip, temporary_folder, write

FAST = True  # all of it
EDGE = (-1, 0, 1)
LINK = "http://b.example/"


def limit(name):
    rows = map(str.split, run_text("list", "--limits").stdout.splitlines())
    return next(int(row[1]) for row in rows if row[0] == name)


def found(data, *options):
    """The links, and the limits that were told."""
    done = run("list", "--json", "--input=text", *options, text=data)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return ([record["text"] for record in records if record["type"] == "link"],
            [(record["limit"], record["value"]) for record in records if record["type"] == "limit"])


def test_span():
    most = limit("span")
    check("span", most, 131072)
    for more in EDGE:
        blanks = " " * (most + more - len("<http://a.example/\nx>"))
        wanted = (["http://a.example/x", LINK], []) if more <= 0 else (["http://a.example/", LINK], [("span", most)])
        text = f"<http://a.example/\n{blanks}x>\n{LINK}\n"
        check(f"a link that spans {more} more bytes than it may", found(text), wanted)


def test_max_url_length():
    """A link of a rule, and what it leads to, have the limit of any other link."""
    rules = write("rules", "x+ => http://r.example/$0\n")
    most = 4096
    for more in EDGE:
        word = "x" * (most - len("http://r.example/") + more)
        check(f"a rule's link that leads to {more} more bytes than it may",
              found(f"see {word} here\n", f"--rules={rules}", f"--max-url-length={most}")[0], [word] if more <= 0 else [])
    rules = write("rules", "x+ => http://r.example/\n")
    for more in EDGE:
        word = "x" * (most + more)
        check(f"a rule's link of {more} more bytes than it may have",
              found(f"see {word} here\n", f"--rules={rules}", f"--max-url-length={most}")[0], [word] if more <= 0 else [])


def test_base():
    """Where a relative link leads to, of a base of which bytes are encoded."""
    most = limit("base-length")
    for unit, size in ("a", 1), ("{", 9), ("\u00e4", 18):
        for more in EDGE:
            begin = "http://b.example/"
            count, rest = divmod(most + more - len(begin) - 1, size)
            base = begin + unit * count + "a" * rest + "/"
            done = run("list", "--json", text=f"<!DOCTYPE html><base href='{base}'><a href=x>x</a>")
            kinds = [record["type"] for record in map(json.loads, done.stdout.splitlines())]
            check(f"a base of {more} more bytes than it may have", kinds, ["link"] if more <= 0 else ["limit", "notice"], at=unit)


def test_held_label():
    """Whether or not an anchor is too long to be held, its own URL in its text is no further link, and no image ends it."""
    most = limit("held-label")
    for length in most - 50, most + 1, 2 * most:
        for image in "", "<img src='http://i.example/'>":
            words = ("y " * length)[:length - len(image + "http://a.example/")]
            text = f"<!DOCTYPE html><a href='http://a.example/'>{words}{image}http://a.example/</a> {LINK}"
            done = [json.loads(line) for line in run("list", "--json", "--resources", text=text).stdout.splitlines()]
            check(f"an anchor of {length} bytes, {image}",
                  ([record["text"] for record in done if record["type"] == "link"], "limit" in [record["type"] for record in done]),
                  (["http://a.example/", *["http://i.example/"] * bool(image), LINK], length > most))


def test_alternative_urls():
    """Each of so many URLs of the alternatives of a message is listed once; what more there is, again, and this is told."""
    most = limit("alternative-urls")
    head = "From: a@a.example\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
    for more in (-1, 0, 1, 2):
        urls = "".join(f"http://a.example/{n}\n" for n in range(most + more))
        part = f"--b\nContent-Type: text/plain\n\n{urls}\n"
        done = run("list", "--json", "--input=mail", text=f"{head}{part}{part}--b--\n")
        kinds = [record["type"] for record in map(json.loads, done.stdout.splitlines())]
        again = max(more, 0)
        check(f"{more} more URLs of alternatives than are kept", (kinds.count("link"), kinds.count("limit")),
              (most + more + again, int(again > 0)))


def test_line_prefix():
    most = limit("line-prefix")
    check("line-prefix", most, 256)
    for more in EDGE:
        prefix = " " * (most + more - 2) + "# "
        rest = "x" if more <= 0 else ""
        text = f"{prefix}see <http://a.example/\n{prefix}x> here\n{LINK}\n"
        check(f"a prefix of {more} more bytes than it may have", found(text), ([f"http://a.example/{rest}", LINK], []))


def test_name():
    """A name that is as long as a name may be is given to the system, which has its own limit."""
    most = limit("name")
    check("name", most, 4096)
    write("f", LINK + "\n")
    for more in EDGE:
        name = "." + "/" * (most + more - 2) + "f"
        done = run_text("list", "--files-from=-", text=name + "\nf\n")
        here = os.pathconf(".", "PC_PATH_MAX") > most + more
        why = "" if here else "the file name is too long" if more > 0 else "File name too long"
        check(f"a name of {more} more bytes than it may have",
              (done.returncode, done.stdout, done.stderr.rstrip("\n").endswith(f": {why}" if why else "")),
              (0 if here else 1, (LINK + "\n") * (2 if here else 1), True))


def test_pages_hosts():
    """So many hosts have a page of their own, for each message; the links of the last two messages are the newest ones,
    which are on another page."""
    if not has("with SQLite"):
        skip("pages-hosts", "this build has no SQLite")
        return
    most = limit("pages-hosts")
    check("pages-hosts", most, 16)
    for messages in 1, 2:
        for more in EDGE:
            hosts = most * (messages + 3) + more - 1  # and that of the newest
            links = "".join(f"http://h{host:02}.example/{n}\n" for host in range(hosts) for n in range(3))
            empty = "From a@a.example Mon Jan  1 00:00:00 2024\nFrom: a\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\n"
            newest = "".join(empty.replace("1 Jan", f"{day} Jan") + "".join(f"http://a.example/{day}/{n}\n" for n in range(600))
                             + "\n" for day in (2, 3, 4))
            write("box", (empty + "\n") * (messages - 1) + empty + links + "\n" + newest)
            out = f"pages{messages}{more}"
            check("html -o", run("html", "-o", out, "box").returncode, 0)
            own = [name for name in os.listdir(out + "/h") if re.fullmatch(r"[0-9a-f]{16}\.html", name)]
            check(f"pages of hosts of {messages} messages, {more}", len(own), min(hosts + 1, most * (messages + 3)))


# ---- Rules ----

class Pattern:
    """A pattern compiled by libpcre2 as the library compiles rules, with the JIT compiler where there is one."""
    UTF, INVALID, NEVER_C, JIT, NOTEMPTY = 0x80000, 0x4000000, 0x100000, 1, 4
    MATCH_LIMIT = -47

    def __init__(self, library, pattern):
        self.p = library
        for name in ("compile", "match_context_create", "match_data_create_from_pattern"):
            getattr(library, f"pcre2_{name}_8").restype = ctypes.c_void_p
        error, offset = ctypes.c_int(), ctypes.c_size_t()
        self.code = ctypes.c_void_p(library.pcre2_compile_8(pattern, ctypes.c_size_t(len(pattern)),
                                                            self.UTF | self.INVALID | self.NEVER_C,
                                                            ctypes.byref(error), ctypes.byref(offset), None))
        library.pcre2_jit_compile_8(self.code, self.JIT)
        self.context = ctypes.c_void_p(library.pcre2_match_context_create_8(None))
        self.data = ctypes.c_void_p(library.pcre2_match_data_create_from_pattern_8(self.code, None))

    def exceeds(self, text, most):
        self.p.pcre2_set_match_limit_8(self.context, most)
        return self.p.pcre2_match_8(self.code, text, ctypes.c_size_t(len(text)), ctypes.c_size_t(0), self.NOTEMPTY,
                                    self.data, self.context) == self.MATCH_LIMIT


# One alternative after the other is tried, each with more steps for each repeat of its letter: Fibonacci's numbers.
LETTERS = "abcdefghijkl"
RULE = "x(?:" + "|".join("".join(f"{before}*" for before in LETTERS[:i]) + f"(?:{c}|{c}{c})*?[yz]"
                         for i, c in enumerate(LETTERS)) + ")"


def first(low, high, is_so):
    """The least number of these for which it is so, as it is for all after it."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_so(middle) else (middle + 1, high)
    return low


def text_of(pattern, steps):
    """A text for RULE that takes so many steps, or None."""
    text = b"x"
    for letter in LETTERS:
        text += letter.encode() * (first(1, 30, lambda n: pattern.exceeds(text + letter.encode() * n, steps)) - 1)
    return text if pattern.exceeds(text, steps - 1) and not pattern.exceeds(text, steps) else None


def test_rule_steps():
    name = ctypes.util.find_library("pcre2-8")
    if not name or not has("with PCRE2") or SANITIZED:
        skip("rule-steps", "no libpcre2 for ctypes, a build without it, or a sanitizer")
        return
    most = limit("rule-steps")
    check("rule-steps", most, 100000)
    pattern = Pattern(ctypes.CDLL(name), RULE.encode())
    write("rules", RULE + " => http://rule.example/$0\n")
    texts = {more: text_of(pattern, most + more) for more in EDGE}
    check("texts for rule-steps", sum(bool(text) for text in texts.values()) >= 2)  # without JIT each step counts as two
    for more, text in texts.items():
        told = [] if more <= 0 else [("rule-steps", most)]
        check(f"a rule that takes {more} more steps than it may",
              text and found(text + b"\n", "--rules=rules")[1], told if text else None)


def main():
    with temporary_folder():
        for test in (test_span, test_max_url_length, test_base, test_held_label, test_alternative_urls, test_line_prefix,
                     test_name, test_pages_hosts, test_rule_steps):
            test()
    finish()


if __name__ == "__main__":
    main()
