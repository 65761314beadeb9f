"""Texts, mail and URLs of a theme: what one group of rules reads, and nothing else, in any order.

A rule with many conditions is met in a drawn text only if all that it reads is likely there.  So each theme has few
pieces; a text begins with one of the first ones, has up to MOST of the others, and ends with one of the last ones.
"""
import itertools
import random

from testlib import write

TEXTS, MOST = 14000, 9
LONG = "http://www.lamps.example/archives/2024/reading-room/index/p"
# By theme: what a text begins with, its pieces, what it ends with.
OF_TEXT = {
    "brackets over lines": (
        ["<http://a.example/", "<URL:http://a.example/", "> <http://a.example/", " x=3Db\n<http://a.example/",
         "{http://a.example/"],
        ["x", "y-", "-\n", "=\n", "\n", "\n", "\n> ", " ", "\t", "\xad\n", "\u2010\n", "\f", ">", "/", "?a=b", "=3D",
         "=20", "\r\n", "\n  "],
        [">", ">", "/>", "}", " x=3Dy", ">\n"]),
    "joins that are guessed": (
        [f"See {LONG}{end}" for end in ("ages/", "ages/a", "ages/a-", "?q=", "?q=1&b", "[1", "ages/a.", "/20240131-",
         "ages/a.html") ],
        ["a", "ab", "ages", "/", "-", "\n", "\n", "\n", ".", "a.html", "[12", "34]", "[", "]", " ", "1", "=", "_"],
        ["", "", "\n\n", ")"]),
    "first words of next lines": (
        [f"See {LONG}{end}\n" for end in ("ages/", "ages/a", "ages/a-", "?q=", "?q=1&b", "/a,", "ages/a.", "ages/ab_",
         "ages?", "/%2", "#", "=") ]
        + [f"> {LONG}/a\n> ", f"({LONG}/b\n", f"  {LONG}/b\n  ", f"\"{LONG}-\n", "http:\n",
           "see http://www.lamps.example/a/b/c/d/e/f/g/h/i/j/k/l/m/ http://\n"],
        ["SH", "ab", ".", "./", "a.html", "/", " ", "The", "next", "?q=", "&b=", "=", "F", "a1b2", "@", "#", "10", ",",
         ":", "1-800-", "+49", "U.S.",
         "http://b.example/", "\"", "*", "~", "(", ")", "[", "]", "$", "%2F", "....", "  "],
        ["", "", " and the rest", "\n", "\n\n", ")", " x"]),
    "marks beside a link": (
        ["", "", "see ", "> ", "# ", "<", "(", "* ", "- "],
        ["http://a.example/x", "http://a.example/", ">", "> ", "<", "|", "| ", "*", "* ", "-", "- ", "# ", "// ", "\n",
         "\n", "\n> ", "a", "b1", " ",
         "www.b.example", "<http://a.example/", ":", "(", ")", "\"", "'", "`", "_", "+", ",", ".", "..", "\t", "1. ",
         "[1]", "http://b.example/y",
         "c@d.example", "mailto:e@f.example", "\xa0", "\u200b", "[", "]", "{", "}", "~", "=", "!", "?", ";", "\u201c",
         "\u201d", "\xab", "\xbb"],
        ["", "", "\n", ".", ")"]),
    "hosts": (
        ["http://", "https://", "ftp://", "mailto:", "//", "<http://", "http:/", "http:", "hxxp://", "telnet://",
         "sip:", "www.", ""],
        ["a", "b", "a-", "-", ".", ".", "..", "a.example", "www.", "xn--", "xn--e1afmkfd", "_", "@", "@", ":", ":80",
         ":0", ":65535", ":65536", "[", "]",
         "::1", "10.0.0.1", "1.2.3", "256", "0x7f", "fe80::1", "%25", "%41", "%2e", "/", "?", "#", "\xfc", "\u4f8b",
         "\u3002", "com", "co.uk", "org",
         "localhost", "v1.", "a.b.c", "(", ")", "example", "\\", "*", "~", "'"],
        ["", " ", "/", "/x", "\n", ".", ":"]),
    "defanged": (
        ["hxxp://", "hxxps://", "http[:]//", "http://", "h**p://", "meow://", "", "<hxxp://", "fxp://", "hxxp[:]//",
         "hXXp:\\\\", "http:// "],
        ["a", "b", "[.]", "[.", ".]", "(.)", "{.}", "[dot]", "(dot)", " dot ", " DOT ", "[at]", " at ", "(at)", "@",
         ".", "example", "com", "[:]", ":",
         "/", "x", " ", "\\.", "[", "]", "10", "80", "[://]", "www", "-", "_", "\n", "%2e", "[ . ]", "\uff0e"],
        ["", " ", "/x", "\n", "."]),
    "labels of markup": (
        ["[", "[a](", "`a <", "[[", "<a href=\"", "=> ", "\\url{", "\\href{", "![", "[1]: ", ".. _a: ", "[url=",
         "[url]", "@uref{", "\"a\":", "{{", "L<", "((",
         "<a href='", "link:", "[a]["],
        ["http://a.example/x", "http://b.example/y(z)", "www.a.example", "a", "b c", "]", "](", ")", "][", "]]", ">`_",
         ">`__", "\">", "'>", "</a>", "}", "}{",
         "[/url]", " ", "\n", "|", "\"", "'", "(", "[", "<", ">", ",", ".", "*", "_", "`", ":", "\\", "\n  ", "\n> ",
         "{", "1", "title", "=",
         "http://www.login.example/", "b.example", "[a]", "\\_", "\\&", "%20"],
        ["", ")", "]", ">`_", "}", "</a>", " x", "\n", "[/url]"]),
    "addresses and names": (
        ["", "see ", "(", "<", "From: ", "mailto:", "news:", "write to ", "URL:", "tel:", "urn:", "doi:"],
        ["ada", "a.b", ".", "+", "-", "_", "@", "@", "a.example", "b.example.org", "c.com", "localhost", "[10.0.0.1]",
         "[IPv6:::1]", " ", ",", ";", ":", "<", ">",
         "(", ")", "\"", "'", "?subject=x", "&cc=", "%40", "/", "\n", "www.", "ftp.", "x.de", "net", "=", "!", "#",
         "*", "~", "lists.example", "\xe9", "10.1000/1",
         "isbn:0451450523", "+1-201-555", "comp.lang.c", "x.py", "readme.md", "1.5", "e.g.", "file.zip"],
        ["", " ", "\n", ".", ">", ","]),
    "schemes": (
        ["", "x", "(", "URL:", "<URL:", "view-source:", "see ", "\"", "=", "git+", "1", "<", "url("],
        ["http", "https", "HTTP", "ftp", "file", "news", "mailto", "urn", "data", "javascript", "ssh", "svn", "about",
         "tag", "tel", "irc", "ws", "doi",
         ":", "://", "://", ":/", ":///", "//", "/", "a", "a.example", "/x", "+", "-", ".", ":", "\n", " ", "\\/",
         "c:", "\\", "?", "#", "%20", "blank",
         "a@b.example", "(", ")", "text/plain,", "x:y", "localhost", "80", "*", ","],
        ["", " ", "\n", ".", ">", "\"", ")"]),
    "sequences and overstrikes": (
        ["", "\x1b]8;;http://a.example/\x1b\\", "\x1b[1m", "see ", "h\bh", "\x1b]8;id=1;http://b.example/x\x07",
         "http://a.example/", "<http://a.example/"],
        ["\x1b[0m", "\x1b[31;1m", "\x1b]8;;\x1b\\", "\x1b]8;;\x07", "\x1b]0;t\x07", "\x1b", "[", "]", "\x07", "\x1b\\",
         "\b", "x", "y\by", "_\bz", "z\b_", "\n", "\r\n",
         " ", "http://c.example/", "www.d.example", "/p", ".", "-\n", "> ", "\x1bP", "\x1b(B", "\x9b", "\x1b[", "1;2",
         "m", ">", "\x7f", "\0", "\x0e", "\x1b[K", "\r"],
        ["", "\x1b[0m", "\x1b]8;;\x1b\\", " ", "\n"]),
    "ends": (
        ["http://a.example/", "(http://a.example/", "\"http://a.example/", "'http://a.example/", "<http://a.example/",
         "[http://a.example/", "*http://a.example/*",
         "http://a.example", "http://a.example/x_", "{http://a.example/", "=http://a.example/", "|http://a.example/"],
        ["a", "b", "(", ")", "[", "]", "{", "}", ".", ",", ";", ":", "!", "?", "'", "\"", "''", "`", "*", "**", "_",
         "~", "~~", "/", "|", "-", "--", "&", "&amp;", "&gt;",
         "&lt;", "&quot;", "&nbsp;", "&#62;", "&copy", "=", "%", "%2", "%20", "\\", "\\n", "\\/", "\\u003e", "\\x3c",
         "#", "1", "[1]", "\u2026", "\u3002", "\uff09", "\u201d",
         "\u2019", "\xb7", "\u2014", "\xe9", "\u662f", "\u0301", "\u200d", "\ufe0f", "\xad", "@", "$", "+", "</a>",
         "<br>", "<"],
        ["", " ", "\n", ")", ".", "\"", ">", "]"]),
    "prefixes of lines": (
        ["> <http://a.example/x", ">> <http://a.example/", "# <http://a.example/x", "// <http://a.example/x",
         " * <http://a.example/x", "+ <http://a.example/",
         "- <http://a.example/", "| <http://a.example/x", "AB> <http://a.example/", "; <http://a.example/x",
         "> # (http://a.example/x-", "  1. <http://a.example/x",
         "> http://www.a.example/archives/2024/reading-room/index/pages/x-", "> [a b](<http://a.example/"],
        ["\n", "\n> ", "\n>> ", "\n> > ", "\n# ", "\n// ", "\n * ", "\n+ ", "\n- ", "\n| ", "\nAB> ", "\n; ", "\n> # ",
         "\n   ", "\r\n> ", ">", "> ", "#", " ", "y", "z/",
         "-", "\n\n", "\n>\n", "\n>\n> ", "\f", "*/", "/*", "\n--\n", "\n---\n", "\n> -- \n", "\nFrom a", "1. ", "* ",
         "AB", "\n>From x"],
        [">", ">", "y>", ")", "\n", "]"]),
    "mismatches": (
        ["[http://a.example", "[www.a.example", "<a href=\"http://a.example/\">", "[a.example",
         "[url=http://a.example/]", "`http://a.example", "http://a.example\x1b]8;;",
         "\x1b]8;;http://b.example/\x07", "[login.a.example", "\\href{http://a.example/}{"],
        ["a.example", "b.example", "www.", "http://", "https://", ".", "/", "@", "evil", ":", " ", "see ", "co.uk",
         "paypal.com", "xn--", "\u0430", "\xe9", "-", "...", "x",
         "](http://b.example/)", "](https://www.a.example/)", "](http://a.example.b.example/)", "</a>", "[/url]",
         " <http://b.example/>`_", "\x1b]8;;\x07", "}", "\u202e", "10.0.0.1",
         "\u200b", ",", "&amp;", "a@b.example", "mailto:", "https://b.example/?u=http://a.example/"],
        ["](http://b.example/)", "</a>", "[/url]", "", " <http://b.example/>`_", "}", "\x1b]8;;\x07"]),
}
RUNS = [["list", "--json", "--join=likely", "--email", "--domains", "--refang"],
        ["list", "--json", "--unwrap", "--hyphen=both", "--context=1", "--max-breaks=2"],
        ["rewrite", "--as=wrap", "--email"]]
# Bodies of messages of text/html.
OF_HTML = {
    "white space of HTML": (
        ["", "<p>", "lamps", "<pre>", "<td>", " ", "<a href=http://a.example/>"],
        ["lamps", "in the harbour and more of it", "a", " ", "  ", "\n", "\n ", "\t", "<br>", "<b>", "<p>", "</pre>",
         "<pre>", "&nbsp;", "&#32;", "&amp; ", "< ", "http://b.example/", "/x", "</a>", "\u200b", "\xad", "<wbr>",
         "<!-- -->", "<li>", "</td><td>", "<textarea>", "</textarea>", "."],
        ["", "</a>", " the end of this text", "http://c.example/"]),
    "what is hidden": (
        ["<div style=\"", "<p style='", "<a href=http://a.example/ style=\"", "<font style=\"",
         "<div style=\"color:red;", "<div style=\"display:none\">x<p style=\""],
        ["display:none", "display", ":none", "none", ":", ";", ";", " ", "font-size:0", "font-size:0.0", "px", ".5",
         "visibility:hidden", "hidden", "visible", "block", "color:red",
         "!important", "\n", "&#58;", "DISPLAY:NONE", "/**/"],
        ["\">hid http://c.example/</div> shown http://d.example/", "'>hid http://c.example/</p>x",
         "\">x</a> y http://d.example/"]),
    "elements that are hidden": (
        ["", "<div style=\"display:none\">", "<p hidden>", "<a href=http://a.example/>",
         "<body style=\"font-size:0\">"],
        ["<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<span style=display:none>", "</span>",
         "<i style=\"visibility:hidden\">", "</i>", "<i style=visibility:visible>", "<a href=http://b.example/>",
         "</a>", "<img src=http://c.example/ alt=d>", "<br>", "<td hidden>", "</td>", "<table>", "</table>", "x",
         " http://e.example/ ", "<input hidden>", "<template>", "</template>",
         "<font style=\"font-size:1px\">", "</font>", "<details>", "<noscript>", "</noscript>"],
        ["", "y http://f.example/", "</div>z http://f.example/"]),
    "tags": (
        ["", "<a ", "<img ", "<base href=http://b.example/d/><a ", "<area ", "<body ", "<form ", "<link ", "<td "],
        ["href", "src", "=", "=", "\"", "'", " ", ">", "/>", "http://a.example/x", "//c.example/", "y z", "?q", "#f",
         "mailto:e@f.example", "alt=d", "title=\"t\"", "<", "</a>", "<!--",
         "-->", "<script>", "</script>", "<style>", "</style>", "<![CDATA[", "]]>", "<!", "<?", "&amp;", "&lt",
         "&#x3c;", "\n", "\t", "text", "<br", "cite=x", "action=/p", "background=i",
         "srcset=\"a.png 1x, b.png 2x\"", "style=\"background:url(u)\"", "javascript:x", "cid:p@q", "<title>",
         "</title>", "<a href=u>", "\0", "download", "data-x"],
        [">x</a>", "\">x</a> y", "'>x", "", "-->z http://e.example/", "</script>w http://f.example/"]),
}
# Messages: their header and body.
OF_MAIL = {
    "fields": (
        ["Subject: ", "X-A: ", "List-Help: ", "Message-ID: ", "References: ", "List-ID: ", "Date: ", "To: ",
         "Content-Location: ", "Archived-At: ", "Newsgroups: ", "In-Reply-To: "],
        ["http://a.example/x", "<", ">", "<http://b.example/>", " ", "\n ", "\n\t", "\r\n ", "=?utf-8?q?",
         "=?iso-8859-1?b?", "?=", "aHR0cDovL2MuZXhhbXBsZS8", "_", "=20", "=68", "(", ")",
         "\"", "\\", ",", ";", ":", "a@b.example", "word", "Mon, 2 Mar 2020", "10:00:00", "+0100", "31 Dec 1999",
         "(UTC)", "GMT", "\nSubject: ", "\nFrom: x", "\nX-B:", "\n\n", "=", "@", "mailto:c@d.example", "\xe9",
         "*lang"],
        ["\n\nhttp://z.example/\n", "\n\n\n", "\nSubject: s\n\nhttp://y.example/", ""]),
    "parts": (
        ["Content-Type: multipart/mixed; boundary=b\n\n",
         "Content-Type: multipart/alternative; boundary=\"b\"\n\n--b\n",
         "MIME-Version: 1.0\nContent-Type: multipart/digest; boundary=b\n\n",
         "Content-Type: message/rfc822\n\n",
         "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/related; boundary=bb\n\n--bb\n",
         "Content-Type: text/plain; format=flowed; delsp=yes\n\n",
         "Content-Type: "],
        ["--b\n", "--b\n\n", "--bb\n", "--bb--\n", "--b--\n", "\n", "Content-Type: text/html\n",
         "Content-Type: text/plain; charset=iso-8859-1\n", "Content-Type: message/rfc822\n",
         "Content-Transfer-Encoding: base64\n", "Content-Transfer-Encoding: quoted-printable\n",
         "Content-Disposition: attachment; filename=x\n", "Content-Type: multipart/mixed; boundary=c\n", "--c\n",
         "--c--\n",
         "Subject: http://s.example/\n", "http://a.example/x=\ny\n", "<a href=http://b.example/>b</a>\n",
         "aHR0cDovL2MuZXhhbXBsZS8=\n", "=3Cx=3E =\n", "text/plain", ";", "charset=", "\"utf-8\"", "name*=utf-8''x",
         "> http://d.example/ \n", "begin 644 x\n", "end\n", "-- \n", "From z\n", "\r\n",
         "Content-Type: text/plain; format=flowed\n", "http://e.example/ \nf\n", "application/octet-stream"],
        ["\n--b--\nhttp://z.example/\n", "\n\nhttp://z.example/\n", "", "--b\n\nhttp://y.example/\n--b--\n"]),
}
MAIL_RUNS = [["list", "--json", "--headers=all", "--resources", "--message-ids", "--email"],
             ["html", "--fragment", "--headers=all"]]
# URLs, one a line.
OF_URLS = {
    "URLs": (
        ["http://", "https://", "ftp://", "mailto:", "file:", "news:", "urn:", "HTTP://", "//", "", "http:", "tel:",
         "sip:", "data:", "ldap://", "imap://", "nfs:", "gopher://", "mid:", "cid:", "magnet:?", "doi:"],
        ["a", "A", "a.example", "user", ":", "@", "/", "/", "//", "..", ".", "?", "#", "&", "=", ";", "%41", "%2f",
         "%", "%zz", "[", "]", "::1", "v1.x", "10.0.0.1", "0x7f", "80", "xn--e1afmkfd", "\xfc", "\xa0",
         "\ue000", "\ufdd0", "\x9f", "\u202e", "+", ",", "!", "*", "'", "(", ")", "~", "_", "-", "|", "\\", "^", "{",
         "x y", "$", "type=a", "0451450523", "isbn:", "a@b.example", "xt=urn:btih:AB12", "www.", "co.uk", "1"],
        ["", "/", "?q", "#f", ":8080/", "/x"]),
}
BASES = ("http://a.example/b/c?d", "ftp://u@h.example:2/x/y/../z;type=a", "file:c|/x", "news:a")
URL_RUNS = [["explain", "--json"], ["explain"], *(["resolve", base] for base in BASES)]
SEPARATOR = "From a@a.example Mon Jan  1 00:00:00 2024\nFrom: a\n"


def drawn(given, count):
    """Texts of a theme."""
    first, pieces, last = given
    r = random.Random(count)
    firsts, lasts = r.choices(first, k=count), r.choices(last, k=count)
    lengths = r.choices(range(MOST + 1), k=count)
    middle = iter(r.choices(pieces, k=sum(lengths)))
    for begin, n, end in zip(firsts, lengths, lasts):
        yield begin + "".join(itertools.islice(middle, n)) + end


def text_of(given, group):
    """A file's text, of texts of a theme."""
    if group is OF_TEXT:
        return "\n\n\n".join(drawn(given, TEXTS))
    if group is OF_URLS:
        return "\n".join(url.replace("\n", "") for url in drawn(given, TEXTS))
    if group is OF_HTML:
        head = SEPARATOR + "Content-Type: text/html; charset=utf-8\n\n"
        return "".join(f"{head}{body}\n\n" for body in drawn(given, TEXTS // 4))
    return "".join(f"{SEPARATOR}{message}\n\n" for message in drawn(given, TEXTS // 4))


def runs():
    """(theme, arguments) of each run.  The inputs are files."""
    for group, args in ((OF_TEXT, RUNS), (OF_HTML, MAIL_RUNS), (OF_MAIL, MAIL_RUNS), (OF_URLS, URL_RUNS)):
        for theme, given in group.items():
            path = write(f"themes/{theme}", text_of(given, group).encode())
            for run in args:
                yield theme, [*run, *(["--input=text"] if group is OF_TEXT else []), path]
