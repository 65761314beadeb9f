#!/usr/bin/env python3
"""Pages of mail: messages, articles and mailboxes as `urlsift html` shows them.

usage: mail_html_test.py
Messages are made from parts that are known, so that
what a page must show of them is known too: the subject, the header fields, the headings and the
texts of the parts, the targets of markup, the table of messages. Every message of testdata/mail
and hostile ones become pages that hold what html_check.py asks of any page.
"""
import base64
import os
import quopri
import random
import re
import resource
import subprocess
import sys
import tempfile

import html_check
from testlib import HANG, TOP, URLSIFT, check, complaints, finish, write

DATA = os.path.join(TOP, "testdata", "mail")
FROM_LINE = b"From a@example.org Tue Mar  3 10:11:12 2020\n"
RLO = "\u202e".encode()


def run(*args, text=None, folder=None, most=None):
    """Status, page and messages; no file may have more than `most` bytes."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))) if most else None
    done = subprocess.run([URLSIFT, "html", *args], input=text, capture_output=True, timeout=HANG, cwd=folder, preexec_fn=limit)
    return done.returncode, done.stdout, done.stderr


def page(text, *args):
    """A page of one text. That it is mail is found out."""
    status, out, error = run(*args, text=text)
    return out if status == 0 else b"exit %d: " % status + error


def shown(text, wanted, *args):
    """What is wrong with the page of a text whose messages are known."""
    return html_check.check_mail(page(text, *args), wanted)


def header(*fields, subject="s"):
    known = [("From", "a@example.org")] + ([("Subject", subject)] if subject is not None else []) + [("Date", "today")]
    return b"".join(b"%s: %s\n" % (as_bytes(name), as_bytes(value)) for name, value in known + list(fields))


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


FIELDS = [("From", "a@example.org"), ("Date", "today")]


def message(body, *fields, subject="s"):
    return header(*fields, subject=subject) + b"\n" + as_bytes(body)


def multipart(*parts, kind="mixed", boundary="=-x", inner=False):
    """The fields and the body of a message of parts, each a header block and a body."""
    body = b"".join(b"--%s\n%s\n%s\n" % (boundary.encode(), as_bytes(head), as_bytes(text)) for head, text in parts)
    field = ("Content-Type", 'multipart/%s; boundary="%s"' % (kind, boundary))
    body += b"--%s--\n" % boundary.encode()
    return ("%s: %s\n" % field, body) if inner else (field, body)


# ---- One message ---------------------------------------------------------------------

def test_plain():
    body = b"Hello,\n> quoted http://a.example/\n>> more\n\n-- \nx\n"
    complaints("plain", shown(message(body), [("s", FIELDS, [], [body])]))
    complaints("CRLF", shown(message(body).replace(b"\n", b"\r\n"), [("s", FIELDS, [], [body])]))
    complaints("fragment", shown(message(body), [("s", FIELDS, [], [body])], "--fragment"))
    complaints("a From_ line", shown(FROM_LINE + message(body), [("s", FIELDS, [], [body])]))
    complaints("no body", shown(message(b""), [("s", FIELDS, [], [b""])]))
    out = page(message(b"x"))
    complaints("no table of one message", ["table"] if b"<table" in out else [])
    complaints("no link to no table", ["link"] if b"messages" in page(message(b"x"), "--fragment") else [])


def test_fields():
    more = [("To", "b@example.org,\n \tc@example.org"), ("X-Other", "not shown"), ("List-Help", "<http://a.example/h>,\n x"),
            ("Cc", "d"), ("Followup-To", "a.b"), ("Newsgroups", "a.b,c.d"), ("Reply-To", "e"), ("Bcc", "f")]
    order = ["From", "Date", "Subject", "To", "Cc", "Bcc", "Reply-To", "Newsgroups", "Followup-To", "List-Help", "X-Other"]
    every = sorted(FIELDS + more, key=lambda field: order.index(field[0]))
    wanted = every[:-1]
    complaints("fields, in a fixed order", shown(message(b"x", *more), [("s", wanted, [], [b"x"])]))
    complaints("all fields", shown(message(b"x", *more), [("s", every, [], [b"x"])], "--headers=all"))
    folded = [name for name, _ in html_check.read(page(message(b"x", *more), "--headers=all"))[0].messages[0].folded]
    complaints("folded fields", [] if folded == ["List-Help", "X-Other"] else [folded])
    complaints("no fields searched", shown(message(b"x", *more), None, "--headers=none"))


def test_long_fields():
    """Of hundreds of addresses the first are shown; the others are folded, and nothing is lost."""
    for what, between in ("folds", ",\n "), ("one line", ", "), ("no blanks", ","):
        names = between.join("Ada %d <ada%d@a.example>" % (n, n) for n in range(300))
        for args in [], ["--email"]:
            out = page(message(b"x", ("Cc", names), ("To", "b@a.example")), *args)
            at = "long field, %s, %s" % (what, args)
            complaints(at, html_check.check_mail(out, [("s", FIELDS + [("To", "b@a.example"), ("Cc", names)], [], [b"x"])]))
            first = html_check.read(out.partition(b"<details>")[0])[0].messages[0].fields[-1][1]
            complaints(at + ": what is shown", [] if 400 <= len(first) <= 430 and first.endswith(",") else [first])
            complaints(at + ": one fold", [] if out.count(b"<details>") == out.count(b"</details>") == 1 else [out])
    short = ", ".join("ada%d@a.example" % n for n in range(20))
    for what, field in ("short", ("Cc", short)), ("one that ends", ("Cc", "x" * 400 + ",")):
        complaints("no fold: " + what, [] if b"<details>" not in page(message(b"x", field)) else [field])
    out = page(message(b"x", ("List-Help", "<http://a.example/>, " * 40)))
    complaints("one fold in a fold", [] if out.count(b"<details>") == 1 else [out])


def test_subjects():
    for what, raw, heading, row in (
            ("none", None, "", None), ("empty", "", "", None), ("folded", "a\n b", "a b", None),
            ("with a link", "see http://a.example/", "see http://a.example/", "see http://a.example/"),
            ("encoded", "=?utf-8?B?%s?=" % base64.b64encode("Grüße".encode()).decode(), "Grüße", None),
            ("encoded over a fold", "=?utf-8?Q?a?=\n =?utf-8?Q?b_c?=", "ab c", None),
            ("markup", "</h2><script>", "</h2><script>", None),
            ("windows-1252", b"\x84a\x93", "\u201ea\u201c", None),
            ("with a C1 control", b"a\xc2\x9fb", "a b", None), ("long", "x" * 3000, "x" * 1024, "x" * 3000)):
        fields = FIELDS + ([("Subject", row)] if row else [])
        complaints("subject " + what, shown(message(b"x", subject=raw), [(heading, fields, [], [b"x"])]))


def test_parts():
    field, body = multipart(("Content-Type: text/plain\n", "one\n"), ("", "> two\n"), ("Content-Type: text/x-diff\n", "+three\n"))
    headings = ["text/x-diff"]
    complaints("mixed", shown(message(body, field), [("s", FIELDS, headings, [b"one\n", b"> two\n", b"+three\n"])]))
    inner = multipart(("", "a\n"), ("Content-Type: text/html\n", "<p>b</p>\n"), kind="alternative", boundary="=-y", inner=True)
    field, body = multipart(inner, ("", "c\n"))
    complaints("nested", shown(message(body, field), [("s", FIELDS, [], [None, b"a\n", b"c\n"])]))
    field, body = multipart(("", "a\n"), ("Content-Type: message/rfc822\n", message("b\n", ("To", "x"), subject="t")))
    wanted = FIELDS + FIELDS + [("Subject", "t"), ("To", "x")]
    complaints("forwarded", shown(message(body, field), [("s", wanted, ["Attached message"], [b"a\n", b"b\n"])]))
    field, body = multipart(("Content-Location: http://a.example/\n", "a\n"),
                            ("Content-Location: http://b.example/\nContent-Type: text/html\n", "<p>b"))
    wanted = FIELDS + [("Content-Location", "http://a.example/"), ("Content-Location", "http://b.example/")]
    complaints("fields of parts", shown(message(body, field), [("s", wanted, [], [b"a\n", None])]))


def test_attachments():
    pdf = 'Content-Type: application/pdf; name="a.pdf"\nContent-Transfer-Encoding: base64\n'
    field, body = multipart(("", "a\n"), (pdf, base64.encodebytes(b"x" * 1001)),
                            ("Content-Type: image/png\nContent-Disposition: inline; filename*0*=utf-8''Gr%C3%BC; filename*1=n.png\n", "x" * 2000001),
                            ("Content-Type: text/plain\nContent-Disposition: attachment; filename=b.txt\n", "b\n"),
                            ('Content-Type: video/x-y\nContent-Disposition: attachment; filename="=?iso-8859-1?Q?=3Cb=3E=FC?="\n', ""),
                            ("Content-Type: image/png\n", ""))
    out = page(message(body, field))
    complaints("attachments", html_check.check_mail(out, [("s", FIELDS, ["b.txt"], [b"a\n", b"b\n"])]))
    wanted = ["a.pdf, application/pdf, 2 kB", "Grün.png, image/png, 2.0 MB", "<b>ü, video/x-y, 0 kB", "image/png, 0 kB"]
    files = html_check.read(out)[0].messages[0].files
    complaints("their names and sizes", [] if files == ["Attached: " + line for line in wanted] else [files])
    complaints("and lists", [] if out.count(b"<ul") == out.count(b"</ul>") == 2 else [out])
    complaints("nothing but an attachment", shown(message("x", ("Content-Type", "image/png")), [("s", FIELDS, [], [])]))


SUMMARY = "Another version of this text"


def choice(*parts):
    """What is shown of alternatives, each a type and a text, and what is after a summary: texts; then the hrefs of each."""
    field, body = multipart(*(("Content-Type: %s\n" % kind, text) for kind, text in parts), kind="alternative")
    out = page(message(body, field))
    faults = html_check.check_mail(out, None)
    shown, _, folded = out.decode().partition("<details>")
    assert not folded or SUMMARY in folded
    texts = [" ".join(html_check.re.sub("<[^>]*>", " ", " ".join(re.findall("<pre.*?</pre>", half, re.S))).split()) for half in (shown, folded)]
    return faults or (*texts, *(re.findall('<a href="([^"#]*)"', half) for half in (shown, folded)))


def test_alternatives():
    a, b = "http://a.example/", "http://b.example/"
    for what, parts, wanted in (
            ("HTML", [("text/plain", "text %s %s" % (a, b)), ("text/html", "html <a href='%s'>link</a>" % a)],
             ("html link", "text %s %s" % (a, b), [a], [b])),
            ("HTML first", [("text/html", "html %s" % a), ("text/plain", "text %s %s" % (a, b))],
             ("html " + a, "text %s %s" % (a, b), [a], [b])),
            ("a shell", [("text/plain", "text %s" % a), ("text/html", "<body><p>&nbsp; &#8203;</p><a href='%s'><img></a>" % b)],
             ("text " + a, "\u200b &lt; %s &gt;" % b, [a], [b])),
            ("no HTML", [("text/plain", a), ("text/enriched", "rich %s %s" % (a, b))], (a, "rich %s %s" % (a, b), [a], [b])),
            ("one", [("text/plain", a)], (a, "", [a], [])),
            ("three", [("text/plain", "one " + a), ("text/html", "two " + a), ("text/calendar", "X:three %s" % a)],
             ("two " + a, "one %s X:three %s" % (a, a), [a], [])),
            ("a warning", [("text/plain", "www.a.example <%s> %s" % (b, a)), ("text/html", "html %s %s" % (a, b))],
             ("html %s %s" % (a, b), None, [a, b], None))):
        got = choice(*parts)
        good = len(got) == 4 and all(w is None or g == w for g, w in zip(got, wanted))
        complaints("alternatives: " + what, [] if good else [got])
    got = choice(("text/plain", "www.a.example <%s> %s" % (b, a)), ("text/html", "html %s %s" % (a, b)))
    complaints("alternatives: a warning is kept", [] if b in got[3] and a not in got[3] else [got])
    many = "x" * 63 + "\n"
    for count, html in (1, True), (8000, False):
        got = choice(("text/plain", "text %s\n" % a + many * count), ("text/html", "html %s %s" % (a, b)))
        complaints("alternatives: %d lines" % count, [] if got[0].startswith("html" if html else "text") and a in got[2] else [got[0][:20], got[2:]])
    got = choice(("text/plain", "text"), ("text/html", "html %s\n" % a + many * 8000), ("text/plain", many * 8000))
    complaints("alternatives: long ones", [] if got[0].startswith("html") and got[1].startswith("text") else [got[0][:20], got[1][:20]])


def test_encodings():
    text = "> Gr\u00fc\u00dfe \u4e2d http://a.example/\n\u202eb\nc\n"
    for what, fields, body in (
            ("base64", [("Content-Transfer-Encoding", "base64")], base64.encodebytes(text.encode())),
            ("quoted-printable", [("Content-Transfer-Encoding", "quoted-printable")], quopri.encodestring(text.encode()))):
        fields.append(("Content-Type", "text/plain; charset=utf-8"))
        complaints(what, shown(message(body, *fields), [("s", FIELDS, [], [text.encode()])]))
    body = "\u0430\u0431\n> \u0432\n"
    complaints("koi8-r", shown(message(body.encode("koi8-r"), ("Content-Type", "text/plain; charset=koi8-r")),
                         [("s", FIELDS, [], [body.encode()])]))


def test_targets():
    def html(body):
        return page(message(body, ("Content-Type", "text/html")), "--fragment")

    anchor = r'<a href="%s" rel="%s"( title="[^"]*")? class="t"><bdi>%s</bdi></a>'
    link = anchor % ("http://a.example/", html_check.REL, "text")
    bare = f'<a href="%s" rel="{html_check.REL}">%s</a>'
    for what, body, pattern in (
            ("the text of an anchor", 'x <a href="http://a.example/x&amp;y">text</a> y',
             "x " + anchor % ("http://a.example/x&amp;y", html_check.REL, "text") + " y"),
            ("blanks and markup in an anchor", 'x<a href="http://a.example/"> <b>te</b><i>xt</i> </a>y',
             "x " + anchor % ("http://a.example/", html_check.REL, "text ") + "y"),
            ("the target as text, for a printer once", 'x <a href="http://a.example/x"> http://a.example/x</a> y',
             f'x <a href="http://a.example/x" rel="{html_check.REL}"><bdi>http://a.example/x</bdi></a> y'),
            ("lines of an anchor", '<a href="http://a.example/">text<br><br>text</a>', link + "\n\n" + link),
            ("an anchor before an anchor", '<a href="http://b.example/">b<a href="http://a.example/">text</a>',
             ">b</bdi></a>" + link),
            ("an anchor without text", '<a href="http://a.example/"><img></a>text', r'<bdi class="w t">&lt;<a .*</a>&gt; </bdi>text'),
            ("another host in the text", '<a href="http://b.example/">www.a.example</a> x',
             '<a href="http://b.example/"[^>]*><bdi>www.a.example</bdi></a>'
             '<bdi class="w"> .. Warning: the text shown for it names another host]</bdi> x'),
            ("much markup before an anchor's text", '<style>' + 9000 * 'x' + '</style><a href="http://a.example/"> <br><!--'
             + 9000 * 'x' + '-->text</a>', link),
            *((f"much that is hidden in an anchor's text: {what}", f'<a href="http://b.example/">www{hidden}.a.example</a> x',
               '<a href="http://b.example/".*Warning: the text shown for it names another host') for what, hidden in (
                ("a comment", "<!--" + 100000 * "c" + "-->"), ("comments", ("<!--" + 9000 * "c" + "-->") * 11),
                ("tags", 10000 * "<b></b>"), ("a style", "<style>" + 5000 * "a{b:c}" + "</style>"),
                ("a picture", '<img src="data:image/png;base64,' + 90000 * "A" + '">'),
                ("small text", '<i style="font-size:0">' + 50000 * "x " + "</i>"), ("words", 3000 * "<b hidden>x</b>\u200b"),
                ("characters without a width", 1400 * "\u200b"))),
            ("no target to follow", '<a href="javascript:alert(1)">text</a>',
             r'<bdi class="w t">&lt;javascript:alert\(1\)&gt;<bdi class="w"> [^]]*\]</bdi> </bdi>text'),
            ("a link that links to nothing", '<a href="#top">http://a.example/</a>',
             '<pre class="urlsift f">' + bare % (("http://a.example/",) * 2)),
            ("a target that is no link", '<a href="#top">text</a>', r'<pre class="urlsift f">\s*text'),
            ("markup in a target", '<a href="http://a.example/&quot;&gt;&lt;b">text</a>',
             anchor % ("http://a.example/%22%3E%3Cb", html_check.REL, "text"))):
        out = html(body).decode()
        complaints(what, [] if re.search(pattern, out) else [out])
        complaints(what + ", as a page", html_check.check_mail(out.encode(), None))
        plain = page(message(body, ("Content-Type", "text/html")), "--fragment", "--host=none.example")
        complaints(what + ", its text", [] if html_check.read(plain)[0].texts == html_check.read(out.encode())[0].texts else [out])
    out = page(message('<a href="http://b.example/">text</a>', ("Content-Type", "text/html")), "--fragment", "--host=a.example")
    complaints("a target filtered out", [out] if b"b.example" in out else [])


def test_flowed():
    """A soft line break of RFC 3676 is not shown, if the next line may belong to the paragraph; the text has it.  Nor are
    the next line's quote marks, and with DelSp the blank."""
    end, hidden, bare = "\n", "<span hidden>\n</span>", f'<a href="%s" rel="{html_check.REL}">%s</a>'
    def quoted(text, depth=1):
        return f'<span class="q q{depth}">{text}</span>'
    def marks(text):
        return f"<span hidden>\n{text}</span>"
    url = bare % (("http://a.example/",) * 2)
    texts = [("one \ntwo \nthree\nfour\n", f"one {hidden}two {hidden}three{end}four{end}"),
             ("one \r\ntwo\r\n", f"one {hidden}two{end}"), ("one \n\ntwo \n", f"one {end}{end}two {end}"),
             ("one \n> two \n> three \nfour\n", f"one {end}" + quoted(f"&gt; two {marks('&gt; ')}three ") + f"{end}four{end}"),
             ("> one \r\n>two \n>> three \n> > four\n> five\n", quoted(f"&gt; one {marks('&gt;')}two ") + end +
              quoted(f"&gt;&gt; three {marks('&gt; &gt; ')}four", 2) + end + quoted("&gt; five") + end),
             ("> one \n> http://a.example/ \n> \n> two \n> - \n", quoted(f"&gt; one {marks('&gt; ')}{url} ") + end +
              quoted("&gt; ") + end + quoted("&gt; two ") + end + quoted("&gt; - ") + end),
             ("> one\n> -- \n> two \n>  three\n \nfour \n", quoted("&gt; one") + end + quoted("&gt; -- ") + end +
              quoted("&gt; two ") + end + quoted("&gt;  three") + f"{end} {end}four {end}"),
             (">" * 64 + "one \n" + ">" * 64 + "two\n", quoted("&gt;" * 64 + f"one {marks('&gt;' * 64)}two", 4) + end),
             ("one \n- two \n  three\n", f"one {end}- two {end}  three{end}"), ("one\n-- \ntwo\n", f"one{end}-- {end}two{end}"),
             ("x-- \ny--- \n", f"x-- {hidden}y--- {end}"), ("http://a.example/ \nhttp://a.example/ x\n", f"{url} {hidden}{url} x{end}"),
             ("-- http://a.example/ \nx\n", f"-- {url} {hidden}x{end}"), ("one \nhttp://a.example/\n", f"one {hidden}{url}{end}")]
    for text, wanted in texts:
        mail = message(text, ("Content-Type", "text/plain; format=flowed"))
        for args in (), ("--input=mbox",), ("--headers=all",):
            out = re.search(b"<pre[^>]*>(.*)</pre>", page(mail, "--fragment", *args), re.S)[1].decode()
            check(f"flowed {args}", out, wanted, text)
        complaints("flowed, as a page", html_check.check_mail(page(mail), None))
        out = page(message(text, ("Content-Type", "text/plain")), "--fragment")
        check("lines of another kind are kept", b"hidden" in out, False, text)
        mail = message(text.replace("http", "xttp"), ("Content-Type", "text/plain; format=flowed; delsp=yes"))
        out = re.search(b"<pre[^>]*>(.*)</pre>", page(mail, "--fragment"), re.S)[1].decode()
        check("with DelSp", out, wanted.replace(url, "xttp://a.example/").replace(" <span hidden>", "<span hidden> "), text)
        complaints("with DelSp, as a page", html_check.check_mail(page(mail), None))
    mail = message("see http://a.example/b \nc/ \nd\n", ("Content-Type", "text/plain; format=flowed; delsp=yes"))
    gap = "<span hidden> \n</span>"
    check("a link with DelSp", re.search("<pre[^>]*>(.*)</pre>", page(mail, "--fragment").decode(), re.S)[1], "see " +
          gap.join(bare % ("http://a.example/bc/d", part) for part in ("http://a.example/b", "c/", "d")) + end)
    for n in range(6):  # wherever the text is cut
        out = page(message("\x1b[0m" + "x" * n + "\n" + "  > k\n" * 8000, ("Content-Type", "text/plain; format=flowed")))
        complaints("a mark behind blanks quotes nothing", [n] if b'class="q' in out else [])


def test_empty_lines():
    """Of empty lines in a row one is shown, at the beginning none; the text of the page is all of it."""
    empty = "<table><tr><td> </td></tr></table>\n<p>&nbsp;</p>\r\n<div><br><br></div>"
    body = empty + "one" + empty + "<a href='http://a.example/'>two</a>" + empty + "&gt; three<br>four<pre>\r\n\r\n\r\n\n</pre>" + empty
    out = page(message(body, ("Content-Type", "text/html")))
    complaints("empty lines", html_check.check_mail(out, None))
    pre = re.search("<pre.*?>(.*)</pre>", out.decode(), re.S)[1]
    whole, shown = (re.sub("<[^>]*>", "", text) for text in (pre, re.sub("<span hidden>.*?</span>", "", pre, flags=re.S)))
    words = ["one", "two", "&gt; three", "four"]
    lines = [line.strip(" \xa0") for line in shown.split("\n")]
    wanted = ["one", "", "two", "", "&gt; three", "four", "", ""]
    complaints("empty lines that are shown", [] if lines == wanted else [lines])
    complaints("empty lines that are there", [] if whole.split() == " ".join(words).split() and whole.count("\n") > 20 else [whole])
    many = message("<p>a" + "<br>" * 5000 + "b" + "<br> " * 5000, ("Content-Type", "text/html"))
    complaints("many empty lines", [] if page(many).count(b"<span hidden>") == 2 else ["not two spans"])


def title(*names, folder, args=()):
    """The title of a page, its first heading, and how many there are of each level."""
    _, out, _ = run(*args, *names, folder=folder)
    out = re.sub(r"<style>.*?</style>", "", out.decode(), flags=re.S)
    found = [re.sub("<[^>]*>", "", re.search(pattern, out, re.S)[1]) for pattern in ("<title>(.*?)</title>", "<h[12][^>]*>(.*?)</h[12]>")]
    return [*found, out.count("<h1"), out.count("</h1>"), out.count("<h2"), out.count("</h2>")]


def test_titles(folder):
    one, long = message(b"x\n", subject="<one>"), message(b"http://a.example/ <\n" * 40000, subject="<one>")
    for name, text in (("one", one), ("mbox", mbox(one)), ("long", long), ("two", mbox(one, one)), ("late", mbox(long, one)),
                       ("none", message(b"x", subject=None)), ("text", b"x\n"),
                       ("bidi", message(b"x\n", subject="=?utf-8?q?a=E2=80=AEgpj.exe?="))):
        write(os.path.join(folder, name), text)
    alone = ["&lt;one&gt;", "&lt;one&gt;", 1, 1, 0, 0]
    for names, wanted in ((["one"], alone), (["mbox"], alone), (["long"], alone), (["none"], ["(no subject)"] * 2 + alone[2:]),
                          (["bidi"], ["agpj.exe", "a\u202egpj.exe", 1, 1, 0, 0]),
                          (["text"], ["text", "text", 1, 1, 0, 0]), (["two"], ["two", "two", 1, 1, 2, 2]),
                          (["--title=x", "one"], ["x", "x", 1, 1, 1, 1]), (["one", "text"], ["one", "one", 1, 1, 3, 3]),
                          (["text", "one"], ["text", "text", 1, 1, 3, 3]), (["late"], alone[:4] + [1, 1])):
        for jobs in ("-j1", "-j2"):
            got = title(*names, folder=folder, args=[jobs])
            complaints("title of %s %s" % (names, jobs), [] if got == wanted else [got])


# ---- Several -----------------------------------------------------------------------------

def mbox(*messages):
    return b"".join(FROM_LINE + one + b"\n" for one in messages)


def test_mbox(folder):
    bodies = [b"%d http://a.example/\n> q\n" % i for i in range(5)]
    wanted = [("m%d" % i, FIELDS, [], [body]) for i, body in enumerate(bodies)]
    text = mbox(*(message(body, subject="m%d" % i) for i, body in enumerate(bodies)))
    complaints("mbox", shown(text, wanted))
    complaints("mbox, fragment", shown(text, wanted, "--fragment"))
    offsets = [found.start() for found in re.finditer(re.escape(FROM_LINE), text)]
    complaints("names", [] if re.findall(rb'id="m1-(\d+)"', page(text)) == [b"%d" % at for at in offsets] else ["others"])
    for name, content in (("a.mbox", text), ("b.eml", message(b"x")), ("c.txt", b"plain\n\ntext\n"), ("empty", b"")):
        write(os.path.join(folder, name), content)
    _, out, error = run("a.mbox", "b.eml", "a.mbox", folder=folder)
    complaints("several files", html_check.check_mail(out, wanted + [("s", FIELDS, [], [b"x"])] + wanted) + [error] * bool(error))
    _, out, error = run("c.txt", "b.eml", "empty", "gone", folder=folder)
    order = rb"<body><main><h1.*</h1><h2.*c.txt.*<pre .*<h2.*b.eml.*<article.*</article><h2 .*empty.*<pre [^>]*></pre></main></body>"
    complaints("mail and text", [] if re.search(order, out, re.S) else [out])
    complaints("a file that is not there", [] if b"gone" in error and error.count(b"\n") == 1 else [error])


def peak(folder, name):
    """Kilobytes that were resident at most."""
    with open(os.devnull, "wb") as null:
        child = subprocess.Popen([URLSIFT, "html", os.path.join(folder, name)], stdout=null, stderr=null)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
    return usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)


def test_many(folder):
    one = message(b"x\n", subject="a long subject, " * 40)
    for name, count in (("few", 200), ("many", 20000)):
        write(os.path.join(folder, name), mbox(*[one] * count))
    few, many = peak(folder, "few"), peak(folder, "many")
    complaints("memory", ["%d KB for 200 messages, %d for 20000" % (few, many)] if many > few + 512 else [])
    status, out, error = run("many", folder=folder)
    complaints("a table of many", ["%d rows" % out.count(b"<tr><td>")] if status or error or out.count(b"<tr><td>") != 20000 else [])
    status, out, error = run("many", folder=folder, most=1000000)
    complaints("no room for the table", [(status, error)] if status not in (0, 1) or b"table of messages" not in error else [])
    complaints("which the page tells", [] if b"This table is incomplete" in out and out.endswith(b"</body></html>") else ["not"])


# ---- Hostile -----------------------------------------------------------------------------------

NASTY = [b"<script>alert(1)</script>", b"\"><img src=x onerror=alert(1)>", b"</title></style></h2></dd></pre>", b"]]>-->",
         b"&lt;&#60;&amp;", RLO + b"gnp.exe", b"\x00\x01\x1b[31m\x7f\x85", b"\xff\xfe\xc3", b"\xe2\x80\xa8\xc2\x9b", b"'" * 300,
         b"=?utf-8?Q?=3Cscript=3E=00=E2=80=AE?=", b"=?x?Q?=?=", b"=?utf-7?Q?+ADw-script+AD4-?=", b"javascript:alert(1)",
         b"http://a.example/'\"<>&", b"<a href=javascript:alert(1)>x</a>", b"data:text/html,<script>alert(1)</script>"]


def hostile(rng):
    """A message with the nasty in every place of it."""
    def one():
        return b" ".join(rng.choices(NASTY, k=rng.randint(1, 3)))

    names = [b"From", b"To", b"Cc", b"Subject", b"Date", b"Newsgroups", b"List-Help", b"List-<b>x</b>", b"List-'\"&",
             b"Message-ID", b"X-URL"]
    rng.shuffle(names)
    head = b"".join(name + b": " + one() + rng.choice([b"", b"\n " + one()]) + b"\n" for name in names) + b"From: a\nDate: b\n"
    kinds = [b"text/plain", b"text/html", b"text/<script>", b"text/\"x", b"message/rfc822", b"text/html; charset=\"'><script>\""]
    parts = b""
    for _ in range(rng.randrange(4)):
        kind = rng.choice(kinds)
        parts += b"--b\nContent-Type: " + kind + b"\nContent-Location: " + one() + b"\n\n"
        parts += (b"Subject: " + one() + b"\n\n" if kind.startswith(b"message") else b"")
        parts += b"<a href=\"" + one() + b"\">" + one() + b"</a>\n> " + one() + b"\n"
    if parts:
        return head + b"Content-Type: multipart/mixed; boundary=b\n\n" + parts
    return head + b"Content-Type: " + rng.choice(kinds) + b"\n\n" + one() + b"\n"


def test_hostile():
    rng = random.Random(1)
    for number in range(60):
        text = b"".join(FROM_LINE + hostile(rng) + b"\n" for _ in range(rng.choice([1, 3])))
        for args in ((), ("--fragment", "--headers=all", "--message-ids", "--email", "--domains")):
            complaints("hostile %d %s" % (number, " ".join(args)), html_check.check_mail(page(text, *args), None))


def test_data():
    for name in sorted(os.listdir(DATA)):
        if name.endswith((".eml", ".mbox")):
            status, out, error = run(os.path.join(DATA, name))
            complaints(name, html_check.check_mail(out, None) + ([] if status == 0 else ["exit %d: %r" % (status, error)]))


def main():
    test_plain()
    test_fields()
    test_long_fields()
    test_subjects()
    test_parts()
    test_attachments()
    test_alternatives()
    test_encodings()
    test_targets()
    test_empty_lines()
    test_flowed()
    with tempfile.TemporaryDirectory() as folder:
        test_titles(folder)
        test_mbox(folder)
        test_many(folder)
    test_hostile()
    test_data()
    finish()


if __name__ == "__main__":
    main()
