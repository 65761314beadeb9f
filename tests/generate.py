#!/usr/bin/env python3
"""Texts to compare scanners on: a seed gives a text, the same on every machine.

generate(seed) -> (kind, bytes).  The kinds take turns, so that a run of seeds
holds some of each.

usage: generate.py SEED...    writes the texts to standard output, the seeds to
                              standard error
"""
import random
import sys

HOSTS = ["h", "a.example", "www.example.org", "example.com", "localhost", "10.0.0.1", "[::1]", "xn--e1afmkfd.example",
         "my_host.example.org", "ds.in-ternic.test", "bücher.example", "例え.example", "h.example→x", "h.example\\u00fcb", "a-b.example", "h.example.",
         "user@h.example", "u:p@h.example", "h:8080", "h.example:80", "h.example:", "h:99999", "h:x", "a@b@h", "h:80是", "10.0.0.1是", "[::1]:8是", "a.example是",
         "ex%61mple.example", "%68ost", "w%2Ew.a%", "h%2fx.example"]
BAD_HOSTS = ["-a", "a-", "a..b", ".a", "a_b", "x.a_b", "", "[x]", "[::1", "[1.2.3.4]", "a-.b", "*", "@", "h*x", "%41", "h]", "[]"]
SCHEMES = ["http://", "https://", "ftp://", "HTTP://", "Https://", "gopher://", "telnet://", "news://", "ssh://", "svn+ssh://",
           "file://", "steam://", "x-foo://", "a.b://", "git+ssh://", "z39.50r://", "foo+http://", "xhttp://", "1http://",
           "irc://", "ws://", "foo://", "http: //", "1foo://", "view-source:http://", "mailto://", "http:", "http:/", "http:\\/\\/"]
OPAQUE = ["mailto:a@b.example", "mailto:joe@example.org?subject=x%20y", "mailto:?to=a@b.example", "mailto:foo", "news:*",
          "news:comp.lang.c", "news:comp.lang.*", "file:c:/a", "news:4@h.example", "urn:isbn:0451450523", "urn:x", "tel:+1-201-555-0123", "tel:x",
          "cid:a@b.example", "cid:logo-1.png", "news:a/b.c", "mailto:a@[192.0.2.1]", "<tel:123>", "mid:x@y.example/z@y.example", "sip:a@b.example", "geo:37.7,-122.3", "magnet:?xt=urn:btih:AB12",
          "doi:10.1000/182", "javascript:alert(1)", "data:text/plain,x", "about:blank", "tag:h.example,2004:x", "info:x/y",
          "ms-settings:x", "file:/etc/motd", "file:", "foo:bar", "Note: to follow", "mailto:", "xmpp:a@b.example",
          "www.example.org", "www.a.b", "www.example", "ftp.example.org/pub", "www.example.org:80/x", "www.a..b", "WWW.A.EXAMPLE",
          "joe@example.org", "a.b+c@h.example", ".x@h.example", "a..b@h.example", "x@h", "x@h.example.", "x@y@h.example",
          "URL:", "URL: ", "url:", "CURL:", "URL:http://h.example/"]
PATHS = ["/", "/a", "/a/b.html", "/x_(y)", "/a?b=c&d=e", "/#frag", "/?", "/a#", "?q", "#f", "/a;type=d", "/a,b", "/a'b", "/a''b'",
         "/%7Eu/", "/~u", "/a|b", "/a[1]", "/a[]=1", "/Foo_[x]", "/a{b}", "/a*b*", "/a_", "/a-", "/a+", "/a=", "/a&", "/a&amp;b",
         "/a&amp;", "/a&gt;", "/a&lt;b", "/a&quot;", "/a&nbsp;", "/a&copy;", "/a&#38;b", "/a&#x26;b", "/a&#038;", "/a&#x3C;b", "/a&#62;b", "/a&b;", "/a\\/b", "/a\\b", "/é", "/是", "/a…", "/a...",
         "/a!", "/a@b", "/a@", "/a:b", "/a:", "/a.,;:", "/a)b", "/a(b", "/(a)(", "/a]b", "/a/../b", "//b", "/web/2/http://c.example/d",
         "/a\xadb", "/a\u2010b", "/a$b", "/a^b", "/a`b", "/a#b#c", "/a?b?", "", "/a~", "/[a](b)", "/a/[/url]", "/a[/b]", "/a\\u0026b", "?a\\u003Db\\u0026", "\\u002",
         "/\\u00fc", "/\\u00e9\\u2026", "/\\ud83d\\ude00", "/\\u0027b", "\\u0026lt;", "/\\u0026amp;x", "\\u0022"]
MARKS = [" ", " ", " ", "\n", "\n", ". ", ", ", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "*", "_", "/", "~", "|", ":",
         ";", ",", "-", "+", "!", "?", "=", "&", "#", "@", "%", "\\", "\t", "\r\n", "\r", "\f", "\v", "\0", "\x1b", "\x7f", "\xa0", "\x85",
         "\u2028", "\u200b", "\ufeff", "\u3000", "“", "”", "‘", "’", "«", "»", "„", "–", "—", "…", "、", "。", "「", "」", "是", "あ", "é", "\u0301",
         "🙂", "x", "word", "9", "\xad", "\u2010", "**", "__", "~~", "//", "&lt;", "&gt;", "&amp;", "&quot;", "\ufffd", "\u202e", "），", "\\n", "\\fB", "\\f(CW"]
QUOTES = ["", "", "", "", "> ", ">", ">> ", "> > ", ">>> ", "| ", ": ", "JD> ", "+", "-", "!", "+ ", "- ", "# ", "// ", "* ", "; ", ";; ",
          "% ", "dnl ", "    ", "\t", " * ", "1. ", "> # ", "> + ", "< ", "> > // ", "   - "]
LINE_ENDS = ["\n", "\n", "\n", "\n", "\r\n", "\r", " \n", "  \r\n", "\t\n"]
WORDS = "the of a see at under and is draft note old new list found wrote for details archive page mail and".split()


def choice(r, *lists):
    return r.choice(r.choice(lists))


def link(r, broken_ok=True):
    if r.random() < 0.25:
        return r.choice(OPAQUE)
    hosts = BAD_HOSTS if r.random() < 0.15 else HOSTS
    scheme = "http://" if r.random() < 0.5 else r.choice(SCHEMES)
    return scheme + r.choice(hosts) + "".join(r.choice(PATHS) for _ in range(r.choice((0, 1, 1, 1, 2))))


def soup(r):
    """Fragments that mean something to some rule, in any order."""
    out = []
    for _ in range(r.randint(2, 24)):
        out.append(link(r) if r.random() < 0.4 else r.choice(MARKS))
    return "".join(out)


def split(r, s, n):
    """s cut at n places."""
    cuts = sorted(r.randint(0, len(s)) for _ in range(n))
    return [s[a:b] for a, b in zip([0] + cuts, cuts + [len(s)])]


def page_break(r, quote):
    head = ["RFC 9999          Invented Matters          May 1994", "", ""]
    foot = ["", "", "Doe & Roe                         [Page %d]" % r.randint(1, 99)]
    kind = r.randrange(6)
    lines = (foot + ["\f"] + head, ["", "\f", ""], foot + [""] + head, ["\f"], ["", ""], foot + ["\f"])[kind]
    return lines if r.random() < 0.7 else [quote + x for x in lines]


def bracket(r):
    """A wrapper or angle link broken over lines, with line prefixes."""
    quote = r.choice(QUOTES)
    other = quote if r.random() < 0.8 else r.choice(QUOTES)
    if quote in ("- ", "* ", "1. ", " * ", "   - ") and r.random() < 0.6:
        other = "   "
    end = r.choice(LINE_ENDS)
    open_ = r.choice(["<URL:", "<URL:", "<url: ", "<", "<", "< URL:", "<URL:" + end + other, "< "])
    close = r.choice([">"] * 8 + ["", " >", end + other + ">", end + ">", "<", "\"", "\0>"])
    url = link(r)
    if r.random() < 0.3:
        url = url.replace("/", "/a-", 1) + r.choice(["-b", "-", "\xad", "\u2010", "x"])
    if r.random() < 0.1:
        url += r.choice([" ", ", ", end + other, "/" + end + other, " x "]) + link(r)
    joins = []
    for piece in split(r, url, r.choice((0, 1, 1, 2, 3))):
        joins.append(piece)
        joins.append(gap(r, end, other, quote))
    return quote + r.choice(["", "", "see ", "text: ", "(", "\""]) + open_ + "".join(joins[:-1]) + close + r.choice(
        ["", ".", ")", " and", end, end + other + "next", end + "> x"]) + end


def gap(r, end, other, quote):
    k = r.random()
    if k < 0.1:
        return r.choice(["-", "-", "\xad", "\u2010", "- "]) + end + other
    if k < 0.65:
        return end + other + r.choice(["", "", "   ", "\t"])
    if k < 0.8:
        return r.choice([" ", "  ", "\t", "\xa0", "\u200b", "\f", " of ", " Gopher "])
    if k < 0.9:
        return end + end.join(page_break(r, quote)) + end + other
    return r.choice([end + end, end + "-- " + end, "\xad", "", end + other + end, "-" + end + other, "\xad" + end + other,
                     "\u2010 " + end + other, "\\" + end, end + quote + ">", end + ">" + quote, end * 17, end + r.choice(QUOTES)])


def brackets(r):
    return "".join(bracket(r) for _ in range(r.randint(1, 4)))


def wrapped(r, s, quote, width):
    """Words set in lines, links broken where they fall."""
    lines, line = [], quote
    for word in s.split(" "):
        while len(line) + len(word) > width and r.random() < 0.5 and len(word) > 8:
            k = max(1, min(len(word) - 1, width - len(line)))
            lines.append(line + word[:k])
            word, line = word[k:], quote
        if len(line) + len(word) > width:
            lines.append(line.rstrip() if r.random() < 0.7 else line)
            line = quote
        line += word + " "
    return lines + [line]


def sentence(r):
    out = []
    for _ in range(r.randint(4, 16)):
        k = r.random()
        if k < 0.7:
            out.append(r.choice(WORDS))
        else:
            u = link(r)
            out.append(r.choice(["%s", "%s.", "%s,", "(%s)", "<%s>", "<URL:%s>", "<URL: %s>", "\"%s\"", "'%s'", "[1] %s", "*%s*", "_%s_",
                                 "/%s/", "URL:%s", "URL: %s", "“%s”", "«%s»", "`%s`", "[%s]", "see:%s", "%s)", "(see %s.)", "<%s", "%s>"]) % u)
    return " ".join(out)


def mail(r):
    quote, lines = "", ["From: a@a.example", "Subject: x " + link(r), ""]
    for _ in range(r.randint(1, 5)):
        quote = r.choice(QUOTES[:12])
        lines += wrapped(r, sentence(r), quote, r.choice((40, 60, 72)))
        if r.random() < 0.4:
            lines.append("")
        if r.random() < 0.2:
            lines += ["-- ", "J. Doe  " + link(r)]
    return r.choice(LINE_ENDS[:6]).join(lines) + "\n"


def rfc(r):
    lines = []
    for n in range(r.randint(2, 6)):
        lines += wrapped(r, "[%d] Doe, J., \"On %s\", <URL:%s>." % (n + 1, r.choice(WORDS), link(r)), "   ", r.choice((40, 50, 64)))
        lines += page_break(r, "") if r.random() < 0.5 else [""]
        lines += wrapped(r, sentence(r), "   ", 60)
    return r.choice(["\n", "\r\n"]).join(lines) + "\n"


def diff(r):
    lines = ["--- a/x", "+++ b/x", "@@ -1,3 +1,3 @@"]
    for _ in range(r.randint(2, 10)):
        lines.append(r.choice(["+", "-", " ", "< ", "> ", "! ", "+# ", "-// ", "+ * ", "> +"]) + r.choice([sentence(r), link(r), "<URL:" + link(r), ">", "x>"]))
    return "\n".join(lines) + "\n"


def markup(r):
    forms = ["[t](%s)", "[%s](%s)", "![i](%s \"t\")", "[1]: %s", "`t <%s>`_", "`%s`", "[[%s|label]]", "[%s label]", "[url]%s[/url]",
             "[url=%s]t[/url]", "\\url{%s}", "\\href{%s}{t}", "<a href=\"%s\">t</a>", "<a href='%s'>%s</a>", "<a href=%s>", "{\"u\":\"%s\"}",
             "<p>%s</p>", "url(%s)", "{{%s}}", "|%s|x|", "%s|%s", "%s,%s", "%s;%s", "||%s||", "**%s**", "__%s__", "~~%s~~", "//%s//", "&lt;%s&gt;",
             "&quot;%s&quot;", "x=%s&y", "%s's", "$%s$", "<!-- %s -->", "=%s=", "curl %s\\\n%s", "'%s'%s", "%s\\n", "*%s*%s", "<%s|t>", "%s\\\n"]
    out = []
    for _ in range(r.randint(1, 8)):
        form = r.choice(forms)
        u = link(r)
        if "{\"u\"" in form and r.random() < 0.7:
            u = u.replace("/", "\\/")
        out.append(form.replace("%s", u, 1).replace("%s", link(r)))
    return r.choice([" ", "\n", ""]).join(out)


def glue(r):
    """Links right after and before other characters."""
    out = []
    for _ in range(r.randint(1, 8)):
        out.append(r.choice(["", " ", "\n"]) + "".join(r.choice(MARKS) for _ in range(r.randint(0, 2))) + link(r)
                   + "".join(r.choice(MARKS) for _ in range(r.randint(0, 3))))
    return "".join(out)


def blocks(r):
    u = "HTTP://A.EXAMPLE/"
    kinds = [
        ["begin 644 x.bin", "M" + "".join(r.choice("!\"#$%&ABCXYZ./:") for _ in range(60)), "1HTTP://A.EXAMPLE/BCDEFGH"[:25], "`", "end"],
        ["-----BEGIN PGP MESSAGE-----", "Version: X http://v.example/", "", "hQEMA1+/AAAA", "=abcd", "-----END PGP MESSAGE-----"],
        ["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA1", "", "http://signed.example/", "-----BEGIN PGP SIGNATURE-----", "Comment: http://c.example/", "",
         "iQEzBAEB", "-----END PGP SIGNATURE-----"],
        ["=ybegin line=128 size=20 name=x.bin", u + " \xe9}*", "=yend size=20"],
        ["begin 644 words of prose", "and more http://prose.example/ of it"],
        ["begin-base64 644 x", "aHR0cDovL2EuZXhhbXBsZS8=", "===="]]
    lines = list(r.choice(kinds))
    if r.random() < 0.4:
        del lines[r.randrange(len(lines))]
    if r.random() < 0.3:
        lines.insert(r.randrange(len(lines)), "see http://in.example/ now")
    return "\n".join(["before http://b.example/"] + lines + ["after http://a.example/", ""])


ESCAPES = ["\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[01;31m\x1b[K", "\x1b[38;5;12m", "\x1b[m\x1b[K", "\x1b[K", "\x1b[2J", "\x1b[12;1H",
           "\x1b]0;title http://t.example/\x07", "\x1b]8;id=a;https://t.example/x.\x07", "\x1b]8;;\u200bhttp://t.example/y\x07", "\x1b]8;;\x07", "\x1b]8;;mailto:a@b.example\x1b\\",
           "\x1b]8;;\x1b\\", "\x1b]8;;http://t.example/a b\x07", "\x1b]8;;file://h/a&amp;b|c\x07", "\x1b]8;;x:y\x07", "\x1b]8;;http://t.example/\x1b\\", "\x1b(B", "\x1b(0", "\x1b$B", "\x1b[4:3m", "\x1b[?25l"]
BROKEN_ESCAPES = ["\x1b", "\b", "\x1b[", "\x1b[3", "\x1b]8;;x", "\x1b(", "\x1b[\n", "x\by", "\b\b", "_\b", "\x1b[1 ", "\x9b1m"]


def overstruck(r, s):
    """Text as nroff prints it, bold, underlined or both."""
    form = r.choice(["{0}\b{0}", "_\b{0}", "_\b{0}\b{0}", "{0}\b{0}\b{0}"])
    return "".join(c if c in " \n\r\t" else form.format(c) for c in s)


def terminal(r):
    """Text of another kind, coloured."""
    text = r.choice([soup, glue, bracket, sentence, sentence, markup, mail, diff])(r)
    out = []
    for piece in split(r, text, r.randint(1, 8)):
        k = r.random()
        out.append(overstruck(r, piece) if k < 0.25 else piece)
        k = r.random()
        target = "\x1b]8;;%s\x1b\\" % link(r)
        out.append(r.choice(ESCAPES[:7] if k < 0.5 else ESCAPES if k < 0.8 else [target] if k < 0.95 else BROKEN_ESCAPES))
    return "".join(out)


def odd_forms(r):
    """What the rules of the second version are about."""
    forms = ["%s[the pages]", "%s(a b)", "%s[a b[c]d]", "%s{a\nb}", "%s[a\nb\nc]", "(%s(a b)", "<%s|label>", "<%s|two words>", "<%s x|y", "ATTENDEE:%s",
             "X;CN=\"A\":%s", "::%s", "(+%s)", " +%s", "x+%s", "...%s", "..%s", "\u200e%s\u200f", "\u2502 %s \u2502", "\u2502%s\u2502", "%s\u060c", "%s\u061b %s\u061f",
             "%s&#233;", "%s&#39;", "%s&eacute;", "%s&#x2019;", "%s&#46;", "%s\u202e", "email='%s'", "'%s'", "x`%s`", "o'%s", "a='b'%s'",
             "<%s", "\"DAV:owner/\"", "<session:x-1>", "<info:lccn/12>", "\"info:x\"", "<tag:x/>", "\"service:a.b\"", "<DAV:owner/>", "ldap:///o=x,c=y", "<ldap:///>",
             "C:////", "sea://__", "s3://b/k", "x://h", "foo:///x", "http://my_host/%s", "http://a_b.example/", "http://_/", "www.a_b.example",
             "<mailto: a@b.example>", "<http: //h/x>", "<news:\tcomp.lang.c>", "<tel: 555 12 34>", "<file: /etc/motd>", "<data: x>", "<mailto:  a@b.example (A)>"]
    out = []
    for _ in range(r.randint(1, 8)):
        form = r.choice(forms)
        while "%s" in form:
            form = form.replace("%s", link(r), 1)
        out.append(form)
    return r.choice([" ", "\n", " - "]).join(out)


def paged(r, a, b, end):
    """Lines that a pager wrapped: the rest of each after a `+`."""
    width = r.randint(39, 48)
    lines = ["w" * (width - len(a) - 1) + r.choice([" ", "<", "-"]) + a, "+" + b + r.choice(["", ">", " x"])]
    lines[1:1] = [r.choice(["+", ""]) + "w" * (width - 1)] * r.choice((0, 0, 1))
    more = [r.choice(["w" * width, "+" + "w" * (width - 1), "\u00e9" * width, "w" * (width - 1)]), "+next"]
    lines = lines + more if r.random() < 0.5 else more + lines
    if r.random() < 0.2:
        lines.insert(r.randrange(len(lines)), r.choice(["-x", "@@ 1", "+++ x", "w " * r.choice((450, 550))]))
    return end + end.join(lines) + end


def quoted(r, a, b, end):
    """Undecoded quoted-printable on short lines."""
    escapes = ["=3D", "=3D", "=20", "=C3=A9", "=E2=80=9D", "=E9", "=7E", "=26", "=", "=3d", "=2E", "=41", "=22"]
    a += r.choice(["", "/x?y=3D1", "/x?y=3D", "/=C3=A9", "/=E9", "/=20x"])
    b += r.choice(["", "=3D2", "=20", "=7Ez", "=\nb", "=" + end + "c=3D", "=E2=80=9Dd"])
    return (r.choice(["", end]) + "see " + r.choice(escapes) + r.choice(["", end, end + end, " "]) + r.choice(["", "<", "<URL:", "\""])
            + a + "=" + end + r.choice(["", "", "", " "]) + b + r.choice(["", ">", " x", "\""]) + end + r.choice(["", "y =3D z" + end]))


def folds(r):
    """Lines folded by backslashes, by undecoded quoted-printable, in context diffs, and
    quoted ones that lost their marks."""
    out = []
    for _ in range(r.randint(1, 4)):
        u, end = link(r) + r.choice(["/x/y-z", "/abc", "/a-", ""]), r.choice(["\n", "\n", "\r\n"])
        a, b = split(r, u, 1)
        k = r.randrange(8)
        if k == 5:
            out.append(end + "w" * max(0, r.randint(56, 62) - len(a)) + r.choice([" ", " <", " <URL:"]) + a + "\\" + end
                       + r.choice(["  ", " ", "\t", "    "]) + r.choice(["", "", "", "-"]) + b + r.choice(["", ">"]) + end)
        elif k == 6:
            out.append(paged(r, a, b, end))
        elif k == 7:
            out.append(quoted(r, a, b, end))
        elif k == 0:
            mark = r.choice(["\\" + end, end + "\\", end + "  \\", "\\" + end + "\\", "\\ " + end, "\\" + end + "-----", "\\" + end + "| x |", "\\" + end + "+--"])
            out.append(r.choice(["<URL:%s%s%s>", "<%s%s%s>", "%s%s%s"]) % (a, mark, b))
        elif k == 1:
            line = r.choice(["see =3D ", "see =E9t=C3=A9 ", "see ", "a = b "])
            line += "x" * max(0, r.randint(67, 77) - len(line) - len(a) - 1) + r.choice([" ", " <", "-"]) + a
            out.append(r.choice(["", "x =20" + end, "y = z" + end + end, end]) + line + "=" + end + r.choice(["", "", " ", "-- "]) + b + r.choice(["", ">", end + "=3D"]))
        elif k == 2:
            first, second = r.choice([("  ", "! "), ("! ", "  "), ("! ", "! "), ("  # ", "! # "), ("> ! ", ">   "), (" ", "! "), ("!", "  "), (">   ", "> ! ")])
            out.append(end + first + "<URL:" + a + end + second + b + ">")
        elif k == 3:
            line = r.choice(["> ", ">", "> > ", "| ", "JD> "])
            line += "w" * max(1, r.randint(66, 76) - len(line) - len(a) - 7) + r.choice([" <URL:", "      <"]) + a
            out.append(end + line + end + b + r.choice([">", "> x", " >", "x>"]))
        else:
            mark = r.choice(["#", "//", ";", "%", "# ", "*", ">From ", "/* ", "#\t", "dnl ", "dnl"])
            other = mark if r.random() < 0.7 else r.choice(["# ", "#", ">From ", "> "])
            out.append(end + mark + r.choice(["", "see "]) + "<URL:" + a + end + other + b + ">" + end)
    return "".join(out)


def endings(r):
    """What the ends of links depend on: lists, attributes, rulers, comments, words before."""
    forms = ["|%s|x", "|%s", ",%s,c", "a,b,%s,c", "a,b, %s,c", "a;b;%s;c", "a&lt;%s;c", "x,%s,%s,c", "=\"%s\"", "='%s'>", "=\"%s\"x",
             "=\"%s.\"", "='%s?' ", "\"%s#\"", "\"%s?\"", "'%s#'", "`%s?`", "](%s?)", "(%s?)", "[%s#]", "{%s#}", ">%s?<", "]%s?[/url]",
             "\\\"%s#\\\"", "%s________", "%s----------", "%s_______", "%s________x", "%s****", "%s#", "%s/edit#", "%s/a#.", "%s/x?b#",
             "________%s", "_______%s", "%s/*", "*%s/*", "* %s/*", "%s/**", "**x** %s/*", "/* %s*/", "/* x */ %s*/", "%s*/", "/*%s/*/",
             "\\url{%s/\\_x\\%20y\\&z}", "\\href{%s/\\#a}", "{%s/\\_a}", " url = {%s/\\_b},", "url=\"%s/\\_c\\", "curl={%s/\\_d}",
             "%s@{ub}", "see it at %s@{ub} and read of it", "%s?.@{fg x}", "%s@{\"x\" link y}", "%s[%s]", "%s[%s]x", "%s[%s].", "%s[mailto:a@b.example]", "a@b.example[mailto:a@b.example]", "%s[a@b.example]", "link:%s[]",
             "link:%s[text]", " link:%s[text]x", "image::%s[a].", "xlink:%s[]", "to%s", "9%s", "x9y%s", "a-%s", "a-b%s", "\u00e9%s", "a_%s",
             "view-source:%s", "blob:%s", "feed:%s", "http://%s", "https://%s/", "svn://%s", "$%s", "$x://a", "x1://$a", "x1://a:port", "x1://a:80",
             "x1://a:b@c", "tp://%s", "tps://a", "x1://a:b:c/", "http://www.a.com...Click ", "www.a.com...Go ", "http://a.com....x ",
             "http://com...x ", "http://a.com...1", "http://a.com..x", "http://a.zz...x", "a@b.example:c/d", "a@b.example:c", "a@b.example:c.git",
             "a@b.example:22", "a@b.example:~c", "n!u@b.example", "!u@b.example", "u!@b.example", "a@b.example:c.git)."]
    out = []
    for _ in range(r.randint(1, 6)):
        form = r.choice(forms)
        while "%s" in form:
            form = form.replace("%s", link(r), 1)
        out.append(form)
    return r.choice([" ", "\n", "\r\n", ""]).join(out)


KINDS = [endings, soup, glue, brackets, markup, mail, rfc, soup, diff, brackets, glue, blocks, markup, terminal, odd_forms, folds, terminal]


def damage(r, data):
    """Bytes that are no valid UTF-8, put in or taken out."""
    data = bytearray(data)
    for _ in range(r.randint(1, 4)):
        k = r.randint(0, len(data))
        if r.random() < 0.7 or not data:
            data[k:k] = bytes([r.choice((0x80, 0x93, 0x94, 0x96, 0xA0, 0xAD, 0xC3, 0xE9, 0xE2, 0xF0, 0xFF, 0xC0, 0x81, 0x85, 0))])
        else:
            del data[min(k, len(data) - 1)]
    return bytes(data)


def generate(seed):
    r = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    data = kind(r).encode("utf-8")
    if r.random() < 0.12:
        data = damage(r, data)
    if r.random() < 0.03:
        data = b"\xef\xbb\xbf" + data
    return kind.__name__, data


if __name__ == "__main__":
    for arg in sys.argv[1:]:
        name, text = generate(int(arg))
        print("seed %s, kind %s" % (arg, name), file=sys.stderr)
        sys.stdout.buffer.write(text)
