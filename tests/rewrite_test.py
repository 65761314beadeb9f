#!/usr/bin/env python3
"""`urlsift rewrite`: its forms, and what holds of them for any text.

usage: rewrite_test.py
What each form must make of testdata/rewrite/ is tested by cases_test.py.
"""
import base64
import contextlib
import email
import glob
import html.parser
import json
import mailbox
import os
import quopri
import random
import re
import shutil
import signal
import subprocess

from testlib import FAST, LONG, NIGHT, URLSIFT, check, finish, no_terminal, read, run, run_pieces, skip, temporary_folder, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")
FORMS = ("join wrap angle markdown org rst gemtext footnotes term defang refang clean https unwrap "
         "host:new.example").split()


def texts():
    """Every text and message of the test data."""
    names = glob.glob(os.path.join(DATA, "**", "*.txt"), recursive=True)
    names += glob.glob(os.path.join(DATA, "mail", "*.[em][mb][lo]*"))
    return sorted(names)


def generated(seed):
    """Text with links in all conventions, broken and not."""
    choose = random.Random(seed)
    schemes = ["http://", "https://", "ftp://", "HTTP://", "gopher://", "new://", "www.", "mailto:jo@"]
    words = ["a", "path", "-", "/", "?x=", "&", "&amp;", "\\_", "\\;", "&#39;", ".", "~", "%20", "(b)", "_", ",", "é", "index.html", "=", ";"]
    breaks = ["\n", "\n  ", "\n> ", "-\n", " ", "\r\n", "\n> > ", "\n# "]
    around = [("<URL:", ">"), ("<", ">"), ('"', '"'), ("", ""), ("URL:", ""), ("[t](", ")"), ("<URL:\n> ", " >"),
              ("*", "*")]
    starts = ["", "> ", "> > ", "# ", "- ", "  ", "Jo> ", "* ", "+", "\x1b[1m", "word\x1b[4m"]
    text = ""
    for _ in range(choose.randrange(1, 30)):
        text += choose.choice(["\n", "\r\n", "\n\n"]) + choose.choice(starts) + "word " * choose.randrange(12)
        before, after = choose.choice(around)
        url = choose.choice(schemes) + choose.choice(["a.example", "host.b.example:80", "c.example/"])
        for _ in range(choose.randrange(25)):
            url += choose.choice(words) if choose.random() < 0.9 else choose.choice(breaks)
        if choose.random() < 0.1:
            url = re.sub(r"([!-~])", choose.choice([r"\1\b\1", r"_\b\1"]), url)
        text += before + url + after + choose.choice(["", " and more", ".", ")"])
    return text.encode() + choose.choice([b"", b"\n"])


def test_unlinkable():
    """B10: no markup makes a link of what HTML would not; a backslash at the end of a label leaves its bracket shut."""
    page = b'<!doctype html><a href="javascript:x">l</a> <a href="http://a.example/">b\\</a>'
    for form, wanted in (("markdown", b"l `javascript:x` b\\ <http://a.example/>\n"),
                         ("org", b"l <URL:javascript:x> [[http://a.example/][b\\]]\n"),
                         ("rst", b"l <URL:javascript:x> b\\ <http://a.example/>\n"),
                         ("gemtext", b"l b\\\njavascript:x l\n=> http://a.example/ b\\\n")):
        check(f"unlinkable: {form}", run("rewrite", f"--as={form}", text=page).stdout, wanted)


def test_apart():
    """A label of reStructuredText touches no word and no other label; beside brackets and marks it stays as it is."""
    one, two = (f"`{name} <http://{name}.example/>`__" for name in ("one", "two"))
    page = "<html><p>" + "x%ss (%s), %s%s%s." .replace("%s", "<a href='http://one.example/'>one</a>", 3).replace(
        "%s", "<a href='http://two.example/'>two</a>")
    check("labels apart", run("rewrite", "--as=rst", text=page.encode()).stdout.decode(),
          f"x\\ {one}\\ s ({one}), {one}\\ {two}\\ {two}.\n")


DOCUTILS = """import json, sys
import docutils.core, docutils.nodes
quiet = {"report_level": 5, "smart_quotes": False}
page = docutils.core.publish_doctree(sys.stdin.buffer.read().decode(), settings_overrides=quiet)
nodes = [(node.get("refuri"), node.astext()) for node in page.findall(docutils.nodes.Inline)]
json.dump([[url for url, _ in nodes if url], [text for url, text in nodes if not url]], sys.stdout)
"""


def test_docutils():
    """What docutils reads of a text in reStructuredText are its links, whole, and no other markup."""
    if subprocess.run(["python3", "-c", "import docutils"], stderr=subprocess.DEVNULL).returncode:
        skip("reStructuredText in docutils", "no docutils")
        return
    draw, urls = random.Random(3), []
    for i in range(600):
        words = draw.sample(["a", "_", "*", "-", "/", "(b)", "%20", "?", "#c", "&d=", "e.f", "~", "'", "[1]", "@", "\u00e9", "{g}", "|"], 4)
        urls.append(f"http://a.example/{i}" + "".join(draw.choice(words) for _ in range(draw.randrange(8))))
    wrappers = "".join(f"<URL:{url}> and\n" for url in urls).encode()
    bare = "".join(f"{url} and\n" for url in urls if re.search("[\\w/~-]$", url) and "*" not in url).encode()
    glued = "".join(f"x {mark}{url}\ny http://b.example/{mark}{url}\n" for url in ("http://a.example/", "http://c.example/x?y=z")
                    for mark in ("; ", *";,")).encode()
    for what, text in ("in brackets", wrappers), ("bare", bare), ("glued", glued):
        found = [url for url, _ in links_of({what: text})[what]]
        written = run("rewrite", "--as=rst", text=text).stdout
        check(f"{what}: a second run", run("rewrite", "--as=rst", text=written).stdout, written)
        targets, others = json.loads(subprocess.run(["python3", "-c", DOCUTILS], input=written, stdout=subprocess.PIPE, check=True).stdout)
        check(f"{what}: the links", run("normalise", text="\n".join(targets).encode()).stdout,
              run("normalise", text="\n".join(found).encode()).stdout)
        check(f"{what}: nothing else", others, [])


# Each file that is rewritten in place is synced, which takes longest on a disk.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None


def rewritten(texts, form, *options):
    """What each text becomes: one, and those in UTF-16, through pipes, several in one run, in place."""
    command = ["rewrite", "--as=" + form, *options]
    wide = {what: data for what, data in texts.items() if len(texts) == 1 or data[:2] in (b"\xff\xfe", b"\xfe\xff")}
    piped = {what: run(*command, text=data).stdout for what, data in wide.items()}
    texts = {what: data for what, data in texts.items() if what not in wide}
    if not texts:
        return piped
    with temporary_folder(MEMORY):
        names = [write(str(i), data) for i, data in enumerate(texts.values())]
        check("rewrite in place", run(*command, "--in-place", *names).returncode, 0)
        return {**piped, **dict(zip(texts, map(read, names)))}


def links_of(texts, *options):
    """The links of each text, as they are followed."""
    with temporary_folder():
        names = [write(str(i), data) for i, data in enumerate(texts.values())]
        found = {name: [] for name in names}
        for record in map(json.loads, run("list", "--json", *options, *names).stdout.splitlines()):
            if record["type"] == "link":
                found[record["source"]].append((record["url"], record.get("normal")))
        return dict(zip(texts, found.values()))


def test_inverse(texts, *options):
    """The Appendix of RFC 1738: wrapped links are found again.  In mail the target of an anchor comes after its text."""
    wrapped = rewritten(texts, "wrap", *options)
    again = rewritten(wrapped, "wrap", "--input=text", *options)
    third = rewritten(again, "wrap", "--input=text", *options)
    options = [o for o in options if not o.startswith("--width")]
    repeated = [] if "--input=text" in options else ["--repeated"]
    before, after = links_of(texts, *repeated, *options), links_of(wrapped, *options)
    for what, data in texts.items():
        # what was mail is text in the first run; an anchor is text before its target, a colour before a bracket
        once = what.endswith(".eml") or "coloured-bracket" in what
        check(f"{what}: wrap of wrap", (third if once else again)[what], (again if once else wrapped)[what])
        if what.endswith(".eml"):
            old, new = ({normal or url for url, normal in links[what]} for links in (before, after))
            # an attribute may say http:x and http://x..y/, which text does not
            check(f"{what}: list after wrap", new, {link for link in old if not re.match("https?:([^/]|//[^/]*[.][.])", link)})
        else:
            check(f"{what}: list after wrap", [url for url, _ in after[what]], [url for url, _ in before[what]])
        check(f"{what}: wrap breaks no line after a hyphen", len(re.findall(rb"-\r?\n", wrapped[what])) <=
              len(re.findall(rb"-\r?\n", data)), True)


# A text whose links are mended has others: what ends one at a soft line break of quoted-printable touches it, a break
# that a limit leaves is on another line, a line that was a mark's is longer.
OTHERS_AFTER_JOIN = {"cases/c1-parted-character.txt", "cases/j1-break-beside-escape.txt", "cases/j1-quoted-escape.txt",
                     "cases/j1-quoted-short.txt", "cases/j2-lost-mark.txt", "runs/limits.txt"}


def test_mended(texts):
    """Links are mended as `list` writes them."""
    texts = {what: data for what, data in texts.items() if what.endswith(".txt") and what not in OTHERS_AFTER_JOIN}
    before, after = (links_of(some, "--input=text") for some in (texts, rewritten(texts, "join", "--input=text")))
    for what in texts:
        check(f"{what}: list after join", [url for url, _ in after[what]], [url for url, _ in before[what]])


def test_fangs(texts, *options):
    """Text holds no link after defang; text without defanged forms is the same after defang and refang."""
    for what, links in links_of(rewritten(texts, "defang", "--input=text", *options), "--input=text", *options).items():
        check(f"{what}: list after defang {options}", links, [])
    same = rewritten(texts, "refang", "--input=text", *options)
    texts = {what: data for what, data in texts.items() if same[what] == data}
    if not texts:
        return
    harmless = rewritten(texts, "defang", "--input=text", *options)
    again = rewritten(harmless, "refang", "--input=text", *options)
    for what, data in texts.items():
        check(f"{what}: refang after defang {options}", again[what], data)


def test_glued():
    """What a link was in the way of is no link of the defanged text: a word where a port is, a host before a struck colon."""
    for text in (b"new://[::1],feed:(www.a.example:80:see x\n", b"http://irc:\b://a.example x\n", b"(www.a.examplexfxp:\b:/\b//[::1]\n",
                 b"http://i\birc:\b:/\b//\b/a.example x\n", b"! xhttp://\n! b.example:80:seexfxp://[a.example\n",
                 b"feed:http://a.example:80:see; w\n(foo://b.example:80:seehttp:[]\n", b"<foo://b.exampleURL:mailto:|a@b.example:80:>\n",
                 b"see mailto:a@://x http://a.example\n", b"http:\b:c http://a.example\n", b"mailto:a@b.example?u=:80:>\nfoo://;URL:http:\"\n", b"(a:\\/\\/b x:/\b/y:/\b// c:\x1b[1m//d http://b.example\n",
                 b"x://www.a.example// or ://mailto:a@b.example//, and www.b.example\n"):
        check("a link beside another", bool(run("list", text=text).stdout), True, text)
        fanged = run("rewrite", "--as=defang", text=text).stdout
        check("defang leaves none beside", run("list", text=fanged).stdout, b"", text)
        check("refang gives it back", run("rewrite", "--as=refang", text=fanged).stdout, text, text)


def test_left_out():
    """Links that a filter leaves out stay as they are; what is no link is defanged beside them, too."""
    left = b"a https://keep.example/url://x, <https://keep.exam\nple/y> http:https://keep.example/ x_http://keep.example/ https://keep.example/http:\n"
    for text, options in ((left, ["--host=other.example"]), (left, ["--not-host=keep.example"]), (left, ["--scheme=ftp"]),
                          (left, ["--match=other"]), (left + b"http://other.example/\n", ["--host=other.example"])):
        done = run("rewrite", "--as=defang", *options, text=text)
        check("links that are left out", done.stdout, text.replace(b"http:https", b"http[:]https").replace(b"x_http:", b"x_http[:]")
              .replace(b"http://other.example", b"hxxp[:]//other[.]example"), options)
        head = b"From: a@b.example\nDate: Tue, 1 Dec 2026 00:00:00 +0000\nSubject: s\n\n"
        check("in mail", run("rewrite", "--as=defang", "--mail", *options, text=head + text).stdout, head + done.stdout, options)


def half_defanged(choose):
    """A URL, and the same with some of what makes it a link defanged, by any hand."""
    scheme = choose.choice(["http", "https", "HTTP", "ftp"])
    defanged = {"http": ["hxxp", "hxtp", "h**p"], "https": ["hxxps"], "HTTP": ["HXXP"], "ftp": ["fxp"]}[scheme]
    dots, ats = ["[.]", "(.)", "{.}", "[dot]", "(dot)"], ["[@]", "[at]"]
    def one(text, forms):
        return choose.choice([text, choose.choice(forms)])
    dot, at, slashes = (choose.choice([[], new]) for new in (dots, ats, ["[:]//", "[://]"]))
    pieces = [(scheme, defanged), ("://", slashes), *choose.choice([[], [("jo", []), ("@", at)]])]
    for label in choose.choice([("evil", "example"), ("www", "a-b", "example", "org"), ("192", "0", "2", "7")]):
        pieces += [(label, []), (".", dot)]
    pieces[-1] = (choose.choice(["/", "/a/b.c?d=e", ":80/x", "/a@b.c", ""]), [])
    return "".join(text for text, _ in pieces), "".join(one(text, forms or [text]) for text, forms in pieces)


def test_half_defanged():
    """What is defanged already stays as it is: defang twice is defang once, and refang gives the URL."""
    choose = random.Random(7)
    pairs = [half_defanged(choose) for _ in range(20000 if LONG else 400 if FAST else 2000)]
    for around in ("see %s, x\n\n", "<URL:%s>\n\n", "> (%s)\n\n"):
        urls, text = ("".join(around % p[i] for p in pairs).encode() for i in (0, 1))
        for options in ((), ("--refang",)):
            once = run("rewrite", "--input=text", "--as=defang", *options, text=text).stdout
            check("defang of defang", run("rewrite", "--input=text", "--as=defang", *options, text=once).stdout, once, options)
            check("refang of half defanged text", run("rewrite", "--input=text", "--as=refang", text=once).stdout, urls, options)
            check("no brackets in brackets", re.findall(rb"\S*\[\[\S*", once), [], options)
            check("no link is left", run("list", "--input=text", text=once).stdout, b"", options)


def test_texts():
    data = {os.path.relpath(path, DATA): read(path) for path in texts()}
    test_fangs(data)
    test_fangs(data, "--email")
    test_inverse(data, "--input=text")
    test_mended(data)
    for what, text in rewritten(data, "join", "--input=text", "--not-match=.").items():
        if not re.match(rb"\xff\xfe|\xfe\xff|\0|.\0", data[what]):
            check(f"{what}: text without links is the same", text, data[what])
    for path in glob.glob(os.path.join(DATA, "mail", "*.[em][mb][lo]*")):
        test_inverse({os.path.basename(path): read(path)})


def in_query(url, name):
    """A parameter before, between and after those that the URL may have; what the others of this name leave is the URL."""
    head, mark, tail = url.partition(b"#")
    path, question, query = head.partition(b"?")
    new = name + b"=1"
    return [path + b"?" + new + (b"&" + query if query else b"") + mark + tail] + (
        [path + b"?" + query + b"&" + new + b"&" + new + mark + tail] if query else [])


def test_again():
    """A text in a form that marks its links is the same in that form again."""
    for form in ("angle", "markdown", "org", "rst", "gemtext", "footnotes"):
        for name in ("again.txt", "text.txt", "changed.txt", "code.txt"):
            once = run("rewrite", "--as=" + form, text=read(os.path.join(DATA, "rewrite", name))).stdout
            check("twice", run("rewrite", "--as=" + form, text=once).stdout, once, at=form + " " + name)
    for name in glob.glob(os.path.join(DATA, "rewrite", "*.txt")):
        once = run("rewrite", "--as=clean", name).stdout
        check("clean", run("rewrite", "--as=clean", text=once).stdout, once, at=name)


def test_blocks():
    """No line of a link is in a preformatted block of gemtext, where it would be none: a block that stays open in a text,
    a part or a message is closed first."""
    block = b"See http://a.example/\n```\nget http://b.example/x\n\nhttp://c.example/\n"
    part = b"--b\n\n%s--b\n\nhttp://d.example/\n--b--\n\n" % block
    message = b"From a Mon Jan  1 00:00:00 2024\nFrom: a@a.example\nSubject: http://s.example/\n%s\n%s\n"
    box = message % (b"Content-Type: multipart/mixed; boundary=b\n", part) + message % (b"", block) * 2
    texts_of = {os.path.relpath(path, DATA): read(path) for path in glob.glob(os.path.join(DATA, "rewrite", "*.*"))}
    for what, data in {"a block": block, "messages": box, **texts_of}.items():
        is_open, hidden = False, []
        for line in run("rewrite", "--as=gemtext", text=data).stdout.splitlines():
            is_open ^= line.startswith(b"```")
            hidden += [line] if is_open and line.startswith(b"=> ") and line not in data else []
        check(f"{what}: lines of links in blocks", hidden, [])


def code_in(choose, form):
    """A text in the markup of the form, as lines, and what it becomes: links in code stay."""
    def link():
        return choose.choice(["http://a.example/x", "<http://b.example/y>", "https://c.example/z?q=%d" % choose.randrange(99)])
    def made(url):
        return url if form == "rst" else f"[[{url.strip('<>')}]]" if form == "org" else f"<{url.strip('<>')}>"
    def line(code):
        old = new = choose.choice(["", "", "word ", "> ", "- "])
        for _ in range(choose.randrange(4)):
            url, ticks = link(), choose.choice([None, 2] if form == "rst" else [None] if form == "org" else [None, 1, 2, 3])
            around = "`" * (ticks or 0) if not code else ""
            inside = " ` " if around and ticks > 1 and choose.random() < 0.3 else " "
            old += f"{around}do{inside}{url} now{around}, "
            new += f"{around}do{inside}{url if code or ticks else made(url)} now{around}, "
        return old, new
    for _ in range(choose.randrange(1, 12)):
        begin = end = None
        if form == "markdown" and choose.random() < 0.5:
            mark, n, indent = choose.choice("`~"), choose.choice([3, 4, 5, choose.randrange(3, 200)]), choose.randrange(4)
            begin, end = " " * indent + mark * n + choose.choice(["", "sh", " c"]), mark * (n + choose.randrange(2)) + choose.choice(["", "  "])
            other = mark * (n - 1), ("~" if mark == "`" else "`") * n, mark * n + " x", "    " + mark * n
        elif form == "org" and choose.random() < 0.5:
            kind = choose.choice(["src", "EXAMPLE"])
            begin, end = "  #+BEGIN_" + kind + choose.choice(["", " sh"]), "#+end_" + kind.lower()
            other = "#+end_" + ("example" if kind == "src" else "src"), "#+begin_src", "#+END_" + kind + "x"
        for _ in range(choose.randrange(1, 4)):
            yield line(False)
        if begin:
            yield begin, begin
            for _ in range(choose.randrange(4)):
                yield line(True) if choose.random() < 0.6 else (choose.choice(other),) * 2
            yield end, end
        elif form == "org":
            old = choose.choice(["", "  "]) + ": " + line(True)[0]
            yield old, old


def test_code():
    """A link in what the form reads as code stays, however the text is cut, in a folder of files and in mail, too."""
    for seed in range(600 if LONG else 24):
        form = ("markdown", "org", "rst")[seed % 3]
        choose = random.Random(seed)
        end = choose.choice(["\n", "\r\n", "\r"]) if form != "rst" else "\n"
        lines = list(code_in(choose, form))
        text, wanted = ("".join(pair[i] + end for pair in lines).encode() for i in (0, 1))
        command = ["rewrite", "--as=" + form, "--input=text"]
        check("code of " + form, run(*command, text=text).stdout, wanted, seed)
        check("code in pieces", run_pieces(*command, data=text, size=1 + seed % 5).stdout, wanted, seed)
    open_block, outside = b"```\nhttp://a.example/\n", b"http://b.example/\n"
    with temporary_folder():
        write("a", open_block)
        write("b", outside)
        check("code ends with its file", run("rewrite", "--as=markdown", "a", "b").stdout, open_block + b"<http://b.example/>\n")
    mail = b"From: a@b.example\nSubject: ```\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n" + open_block + b"--x\n\n" + outside + b"--x--\n"
    check("code ends with its part", run("rewrite", "--as=markdown", "--headers=none", text=mail).stdout, open_block + b"\n<http://b.example/>\n")
    many = b"".join(b"`" * n + b" " for n in range(2, 40))
    check("spans beyond the limit", run("rewrite", "--as=markdown", text=b"` " + many + b"http://a.example/ `").stdout,
          b"` " + many + b"http://a.example/ `")
    long = b"x" * 5000 + b"` http://a.example/ "
    check("a span on a long line", [run("rewrite", "--as=markdown", text=long + rest).stdout.count(b"<") for rest in
                                    (b"y" * 150 + b"`", b"y" * 250 + b"`", b"``", b"\n`")], [0, 1, 1, 1])


def test_changes():
    """clean takes its parameters away, https its letter and a port to the URL, host another host, and nothing else."""
    urls = [b"http://a.example/", b"http://a.example/x?id=1", b"https://b.example/?q=a&r=b#c", b"ftp://c.example/d?x=1;y=2#?z",
            b"www.d.example/?utmost=1&gclid_=2", b"http://e.example:8080/?x", b"news:f@g.example?x=1"]
    names = [b"utm_source", b"UTM_x", b"fbclid", b"mc_eid", b"hsCtaTracking", b"elqtrackid"]
    for around in (b"see %s,\n\n", b"<URL:%s>\n\n", b"> (%s)\n\n", b'"%s"\n\n'):
        pairs = [(tracked, url) for url in urls for name in names for tracked in in_query(url, name)]
        check("clean", run("rewrite", "--as=clean", "--input=text", text=b"".join(around % a for a, _ in pairs)).stdout,
              b"".join(around % b for _, b in pairs))
        plain = b"".join(around % url for url in urls)
        done = run("rewrite", "--as=https", "--input=text", text=plain.replace(b"a.example", b"a.example:80")).stdout
        check("https", done, re.sub(rb"http:(?!//e)", b"https:", plain))
        done = run("rewrite", "--as=host:n.example", "--input=text", text=plain).stdout
        check("host", done, re.sub(rb"(//|www\.)[a-e]\.example(:8080)?", b"//n.example", plain).replace(b"//n.example/?utm", b"http://n.example/?utm"))
    for url in (b"http://a.example/?utm=1&sourceutm_=2&gclidx", b"http://a.example/utm_source=1#?gclid=2"):
        check("stays", run("rewrite", "--as=clean", text=url).stdout, url)


def test_followed():
    """What follows a link without a blank is not lost where clean removes its parameters, and unwrap the link around its
    target; what clean has written it does not change again."""
    choose = random.Random(21)
    glued = ["\u3092\u3054\u89a7", "\uc5d0\uc11c", "\u2122", "\U0001f600", "|2026|Ada", ",status=200", ",b: c", "[Preise]", "[]", "{color}",
             "__", "~~", "--", ":200:OK", "(x)", "'s", "@b"]
    values = ["utm_source=x", "id=5", "fbclid=a_b-c.d", "utm_term", "__cft__[0]=A", "gclid=%41%20+b*c", "c=d,e"]
    wrapped = "https://www.google.com/url?q=https%3A%2F%2Fb.example%2Fp%3Fx&sa=D"
    odd = re.compile(r"[^\w\n :/?&;=%+.#*-]|[^\x00-\x7f]|__|--")
    for _ in range(150 if LONG else 20):
        urls = ["https://a.example/?" + choose.choice(["&", "&amp;", "&amp;amp;"]).join(choose.choices(values, k=choose.randrange(1, 4)))
                for _ in range(4)]
        text = "".join(choose.choice(["see ", "__see ", "| a | ", "url=", "'", '"', "("]) + url
                       + "".join(choose.choices(glued, k=choose.randrange(3))) + choose.choice([".\n\n", " and "]) for url in urls)
        clean = run("rewrite", "--as=clean", "--input=text", text=text.encode()).stdout
        kept = text.replace("__cft__[0]=A", "")
        check("clean keeps what follows", odd.findall(clean.decode().replace("__cft__[0]=A", "")), odd.findall(kept), text)
        check("clean again", run("rewrite", "--as=clean", "--input=text", text=clean).stdout, clean, text)
    for end in glued:
        line = f"see {wrapped}{end}\n"
        check("unwrap keeps what follows", run("rewrite", "--as=unwrap", text=line.encode()).stdout.decode(), line, end)
    line = "<https://www.google.com/url?q=https://b.example/" + "\u00e9" * 3900 + "x>\n"
    done = run("rewrite", "--as=unwrap", text=line.encode())
    check("unwrap keeps a link whose target is too long with its escapes", done.stdout.decode(), line)


def test_generated():
    for seed in range(1500 if NIGHT else 200 if LONG else 3):
        data = generated(seed)
        test_inverse({"generated text": data}, "--input=text", f"--width={20 + seed % 900}")
        test_fangs({"generated text": data}, *["--email"][:seed % 2])
        for form in FORMS if seed % 6 == 0 else ["join"]:
            whole = run("rewrite", "--input=text", f"--as={form}", text=data).stdout
            if form == "https" and b"\b" not in data:  # what is overstruck is written plain
                joined = run("rewrite", "--input=text", "--as=join", text=data).stdout
                plain = [re.sub(rb":80\b", b"", text.lower().replace(b"https:", b"http:")) for text in (whole, joined)]
                check("but for the scheme and its port, https is join", *plain)
            check(f"generated text as {form}, in pieces",
                  run_pieces("rewrite", "--input=text", f"--as={form}", data=data, size=1 + seed % 7).stdout, whole)


def test_legacy():
    """What is changed in a text in Latin-1 is in ASCII, and all else stays byte for byte."""
    text = "caf\u00e9 http://b\u00fccher.example/\u00e9?utm_id=1&x=\u00e9 <http://a.example/\nb\u00e9> \u00e4".encode("latin-1")
    for form in ("join", "angle", "wrap", "markdown", "org", "rst", "gemtext", "defang", "refang", "clean", "https", "unwrap", "host:n.example"):
        done = run("rewrite", f"--as={form}", text=text)
        check("no bytes but those of the text", (done.returncode, {byte for byte in done.stdout if byte > 127} <= set(text)), (0, True), form)
    with temporary_folder():
        write("latin", text)
        done = run("rewrite", "--as=https", "--in-place", "latin")
        check("in place", (done.returncode, read("latin")),
              (0, b"caf\xe9 https://xn--bcher-kva.example/%C3%A9?utm_id=1&x=%C3%A9 <https://a.example/b%C3%A9> \xe4"))
        write("latin", text)
        done = run("rewrite", "--as=https", "--charset=latin1", "--in-place", "latin")
        check("not of another charset", (done.returncode, "would be made UTF-8 by --charset" in done.stderr, read("latin")), (2, True, text))
    check("of a declared charset", run("rewrite", "--as=angle", "--charset=latin1", text=b"http://a.example/\xe9").stdout.decode(),
          "<http://a.example/\u00e9>")
    check("shown", run("rewrite", "--as=term", text=b"http://a.example/\xe9").stdout.decode().count("\u00e9"), 1)


def test_escapes():
    """The escapes of a link stay where bytes of Latin-1 are in it, and where signs that are struck over or colours lie
    within one."""
    struck = "".join("_\b" + c for c in r"http:\/\/a.example\/?utm_source=1").encode()
    for form, text, wanted in (
            ("host:n.example", b"<http://www.a.exa&amp;\nb?a=\xe9>", b"<http://n.example?a=\xe9>"),
            ("clean", b"<http://a.example/?a=1&amp;utm_source=ab\ncd&amp;b=\xe9>", b"<http://a.example/?a=1&amp;b=\xe9>"),
            ("clean", b'"http:\\/\\/a.example\\/caf\xe9?utm_source=x&b=1"', b'"http:\\/\\/a.example\\/caf\xe9?b=1"'),
            ("https", b'"http:\\/\\/a.example\\/\xe9\xe8&amp;\xe7"', b'"https:\\/\\/a.example\\/\xe9\xe8&amp;\xe7"'),
            ("host:n.example", b"x " + struck, b"x _\bhttp:\\/\\/n.example\\/?utm_source=1"),
            ("clean", b"<http://a.example/b\\_c?d\\&utm_source=1\\&utm_medium=2>", b"<http://a.example/b\\_c?d>"),
            ("clean", b"<http://a.example/b\\?utm_source=1\\&c\\\\&utm_medium=2>", b"<http://a.example/b\\?c>"),
            ("clean", b"<http://a.example/b\\?utm_source=1\\&utm_medium=2>", b"<http://a.example/b>"),
            ("clean", b"x " + struck, b"x _\bhttp:\\/\\/a.example\\/"),
            ("clean", b"x http://a.example/caf\xc3\xa9%E2%80%99s?utm_source=2&amp;b=1", b"x http://a.example/caf\xc3\xa9%E2%80%99s?b=1"),
            ("clean", b"x http://a\xe9.example/x?utm_source=1&amp;b=2", b"x http://xn--a-bga.example/x?b=2"),
            ("https", b"\\url{http://x-y.example:80/e\\-f}", b"\\url{https://x-y.example/e\\-f}"),
            ("host:n.example", b"www.a.example\\(slb www.a.example\\*:/b", b"http://n.example\\(slb http://n.example\\*:/b"),
            ("host:n.example", b'"www.a.example/?u=http\\u003a\\u002fb"', b'"http://n.example/?u=http\\u003a\\u002fb"'),
            ("https", b"<http://a.example/?a&amp;b=2&am\np;c=3>", b"<https://a.example/?a&amp;b=2&amp;amp;c=3>"),
            ("unwrap", b"('https://www.google.com/url?q=https%3A%2F%2Fa%27%29%3B%28%27%40e.example%2F&sa=D')",
             b"('https://a%27%29%3B%28%27@e.example/')"),
            ("clean", b"http://a.example/&amp;\x1b[1m?a=1&am\x1b[0mp;utm_source=1&amp;b=2",
             b"\x1b[1m\x1b[0mhttp://a.example/&amp;?a=1&amp;b=2")):
        check(f"escapes as {form}", run("rewrite", f"--as={form}", text=text + b"\n").stdout, wanted + b"\n")


def test_escaped_targets():
    """Targets of HTML are changed whatever they are written with."""
    head = b"From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n"
    for old, new in ((b"//b.example/x?utm_source=1&amp;b=2", b"http://b.example/x?b=2"),
                     (rb"\\back.example\x?utm_source=1", b"http://back.example/x"),
                     (rb"http://b.example/a\b?utm_source=1", b"http://b.example/a/b"),
                     (b"http://a.example/?utm_source=1&#10;&amp;b=1", b"http://a.example/?b=1")):
        done = run("rewrite", "--mail", "--as=clean", text=head + b'<a href="' + old + b'">l</a>\n')
        check("a target", (done.returncode, done.stdout), (0, head + b'<a href="' + new + b'">l</a>\n'))


def test_join():
    """Links that join finds broken are on one line afterwards; the rest is the same."""
    broken = b"a <URL:http://a.example/b/\r\n   c>, d\r\n> <http://a.example/\r\n> e>\r\nURL:\thttp://a.example/f\r\n"
    mended = b"a <URL:http://a.example/b/c>, d\r\n> <http://a.example/e>\r\nURL:\thttp://a.example/f\r\n"
    check("join mends brackets", run("rewrite", text=broken).stdout, mended)
    check("join after join changes nothing", run("rewrite", text=mended).stdout, mended)
    # the bracket with text after its link goes to the line of the link before it
    opened = b"x <http://a.example/b\n- /c> and <\n- http://a.example/%s\n- /d e>\n" % (b"a-path/" * 12)
    check("wrap: a link with text after it goes on", run("list", text=run("rewrite", "--as=wrap", text=opened).stdout).stdout,
          run("list", text=opened).stdout)
    coloured = b"\x1b[1mhttp://a.exam\x1b[31mple/b\x1b[0m c\n"
    check("join leaves colours alone", run("rewrite", text=coloured).stdout, coloured)
    for options in ([], ["--charset=utf-8"]):
        for text in (b"\xef\xbb\xbfhttp://a.example/ b\n", b"\xef\xbb\xbfsee http://a.example/\n", b"\xef\xbb\xbf"):
            check("a byte order mark stays", run("rewrite", *options, text=text).stdout, text, (options, text))
    check("one beside bytes that are not UTF-8", run("rewrite", text=b"\xef\xbb\xbfhttp://a.example/ \xe9\n").stdout,
          b"\xef\xbb\xbfhttp://a.example/ \xe9\n")
    for text in ("(http://a.example/ x\n", "s\bsee http://a.example/\n", "\u00e9(http://a.example/\n", "x\n"):
        for charset in ("utf-8-sig", "utf-16"):
            source, wanted = text.encode(charset), text.encode("utf-8-sig" if charset == "utf-8-sig" else "utf-8")
            check(f"{text!r} in {charset}", run("rewrite", text=source).stdout, wanted)
            check(f"{text!r} in {charset}, byte by byte", run_pieces("rewrite", data=source).stdout, wanted)


def test_targets():
    """A target of HTML is the same link in text, whatever the form, and is set off by one blank."""
    page = b"<html><form action='http://a.example/'>x</form><a href='http://b.example/?a|b=c|d'>y</a> -<a href='http://c.example/'>http://c.example/</a>"
    links = b"http://a.example/\nhttp://b.example/?a%7Cb=c%7Cd\nhttp://c.example/\n"
    for form in ("join", "angle", "markdown", "org", "rst", "wrap"):
        check(f"{form}: a vertical bar", run("list", text=run("rewrite", f"--as={form}", text=page).stdout).stdout, links)
    page6 = b"<html>http://[::1]/]/ <a href='http://[2001:db8::1]/x'>y</a> http://a.example/[b]"
    check("org: an address of IPv6", run("list", text=run("rewrite", "--as=org", text=page6).stdout).stdout,
          run("list", text=page6).stdout.replace(b"[b]", b"%5Bb%5D"))
    fanged = run("rewrite", "--as=defang", text=page).stdout
    check("defang: the same links", run("list", "--refang", text=fanged).stdout, links)
    check("defang: the same blanks", run("rewrite", "--as=refang", text=fanged).stdout, run("rewrite", text=page).stdout)


def test_html_mail():
    """HTML mail: the same links after wrap, but for repeated alternatives."""
    mail = (b"From: a@b.example\nSubject: s\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\nhttp://a.example/ "
            b"http://b.example/\n--x\nContent-Type: text/html\n\n<a href='http://c.example/d e'>C</a> <a "
            b"href='http://a.example/'>A</a> http://b.example/ <a href='http://%77ww.d.example/'>D</a>\n--x--\n")
    listed = run("list", "--encoded", text=mail).stdout.split()
    wrapped = run("list", "--encoded", text=run("rewrite", "--as=wrap", text=mail).stdout).stdout.split()
    urls = [b"http://a.example/", b"http://b.example/", b"http://c.example/d%20e", b"http://%77ww.d.example/"]
    check("list finds the links of HTML mail", listed, urls)
    check("list after wrap finds the links of HTML mail", list(dict.fromkeys(wrapped)), urls)


def test_announced():
    """A line that ends a block, or is after one that may begin it, is not made so short that the block goes on."""
    begins = ([b"=ybegin line=128 name=x"], [b"begin 644 x"], [b"=ybegin line=70"],
              [b"=ybegin line=6 name=x", b"a line", b"b line"], [b"begin 644 x", b"#0V%T"])
    long, texts = b"https://a.example/" + b"x/y" * 50, {}
    for lines in begins:
        for end in b"\n", b"\r\n", b"\r":
            begin = end.join(lines)
            data = b"x" + end + begin + end + b"see " + long + b" and " + long + end + b"then " + long + end
            wrapped = run_pieces("rewrite", "--as=wrap", "--input=text", data=data).stdout
            texts[f"{begin} {end}"] = data
            check(f"{begin} {end}: byte by byte", wrapped, run("rewrite", "--as=wrap", "--input=text", text=data).stdout)
            check(f"{begin} {end}: only that line is long",
                  [len(line) > 180 for line in re.split(rb"\r\n?|\n", wrapped)[:len(lines) + 3]],
                  [False] * (len(lines) + 1) + [True, False])
    test_inverse(texts, "--input=text")


def test_margins():
    """In the widest margins, too, a wrapped link is found again, a second run changes nothing, and no line is needlessly
    short; where escapes or letters beyond ASCII are all there is, none is too long either."""
    mixed = ["abc", "/", "-", "x9", "%20", "?q=", "&", "def", "=", "_", ".", "\u00e9", "\u65e5"]
    runs = ["%D0%B0"], ["\u0430"], ["\u65e5", "\u8a9e"], ["\u05d1", "%D7"]
    draw, texts, longest = random.Random(7), {}, {}
    for wide in 0, 48, 59, 75, 200:
        for margin in " " * wide, "> " * (wide // 2), "\t" * (wide // 8), " " * wide + "* ", " " * wide + "> ":
            for host in "a.example", "a-rather-long-name.of-a-host.example":
                for words in mixed, *runs:
                    body = "".join(draw.choice(words) for _ in range(60))
                    what = f"{margin!r} {host} {body}"
                    texts[what] = f"{margin}see http://{host}/{body} end\n".encode()
                    least = max(24, len(f"http://{host}/"), len(body) // 14 + 6)  # of 14 lines; and an escape
                    if words is not mixed and wide < 200:
                        longest[what] = max(72, len(margin.expandtabs()) + least) + len("> end")
    test_inverse(texts, "--input=text")
    wrapped = rewritten(texts, "wrap", "--input=text")
    again = rewritten(wrapped, "wrap", "--input=text")
    for what, text in wrapped.items():
        check(f"{what}: a second run", again[what], text)
        check(f"{what}: short lines", sum(len(line.strip(b" >\t")) <= 2 for line in text.splitlines()[1:-1]) <= 2, True)
        if what in longest:
            columns = max(len(line.expandtabs()) for line in text.decode().splitlines())
            check(f"{what}: long lines", columns if columns > longest[what] else 0, 0)


def test_terminal():
    """No control character of the input reaches a terminal."""
    data = b"\x1b]0;title\x07 http://a.example/\x1b[2Jx \x9b31m \xc2\x9b \x7f\r\n<http://b.example/\r\n c>\r\n"
    out = run("rewrite", "--as=term", "--input=text", text=data).stdout
    check("term writes text without controls", re.findall(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", out), [])
    out = run("rewrite", "--as=term", "--color=always", text=b"<http://b.example/\n c> javascript:x\n").stdout
    link = b"\x1b]8;id=u1;http://b.example/c\x1b\\\x1b[4m%s\x1b[24m\x1b]8;;\x1b\\"
    check("term makes hyperlinks", out, b"<" + link % b"http://b.example/" + b"\n " + link % b"c" + b"> javascript:x\n")
    for size in (2082, 2083, 2084):
        out = run("rewrite", "--as=term", "--color=always", text=b"http://a.example/".ljust(size, b"b")).stdout
        check("no hyperlink that is too long for a terminal", out.count(b"\x1b]8;;http"), size < 2084, size)
    out = run("rewrite", "--as=term", "--input=text", text=data).stdout
    check("term writes UTF-8", out.decode(errors="replace").encode() == out, True)
    if why := no_terminal():
        skip("characters on a terminal", why)
        return
    with temporary_folder():
        write("characters", "ftp://a/&#47;&#47;\u2010-x \u00fc http://a=3D\u00e9.example/\u4e2d\u2010\\-\u00fc hxxp://b[.]\u00e9 \u00fc://c\n" * 40)
        for form in FORMS:
            terminal, other = os.openpty()
            with subprocess.Popen([URLSIFT, "rewrite", "--color=never", f"--as={form}", "characters"], stdout=other):
                os.close(other)
                shown = b""
                with contextlib.suppress(OSError):
                    while part := os.read(terminal, 4096):
                        shown += part
            os.close(terminal)
            plain = run("rewrite", f"--as={form}", "--color=never", "characters").stdout
            check(f"{form}: characters on a terminal", shown.replace(b"\r\n", b"\n").decode(errors="replace"), plain.decode())


def test_parentheses():
    """In angle brackets, a URL of Markdown may have parentheses, also one alone."""
    for path, angled in (("b", False), ("(b", True), ("b)", True), ("b(c)", True)):
        done = run("rewrite", "--as=markdown", "--input=html", text=f"<a href='http://a.example/{path}'>d</a>")
        check("Markdown with parentheses", done.stdout.decode().strip(), f"[d](<http://a.example/{path}>)" if angled else f"[d](http://a.example/{path})")


def test_names_in_brackets():
    """The brackets that somebody put around a name without a scheme are replaced, as those around a URL are."""
    text = "<URL:www.a.example> <a.example>,\nJo <j@a.example>: <www.a.example >\n"
    for form, begin, end in ("wrap", "<URL:", ">"), ("angle", "<", ">"), ("template:{%u}", "{", "}"):
        done = run("rewrite", f"--as={form}", "--domains", "--email", text=text.encode()).stdout.decode()
        links = [begin + url + end for url in ("http://www.a.example", "http://a.example", "mailto:j@a.example")]
        check(f"{form}: names in brackets", done, f"{links[0]} {links[1]},\nJo {links[2]}: <{links[0]} >\n")


def test_usage():
    check("an unknown form", run("rewrite", "--as=frame").returncode, 2)
    check("a template with a fault", run("rewrite", "--as=template:%z").returncode, 2)
    check("an empty template", (run("rewrite", "--as=template:", text=b"http://a.example/").returncode,
                                "template:TEMPLATE, not 'template:'" in run("rewrite", "--as=template:").stderr), (2, True))
    check("a template", run("rewrite", "--as=template:[%s %h]", text=b"x http://a.example/b.\n").stdout,
          b"x [http a.example].\n")
    check("a filtered link stays as it is", run("rewrite", "--as=wrap", "--scheme=ftp",
                                                text=b"http://a.example/ ftp://b.example/\n").stdout,
          b"http://a.example/ <URL:ftp://b.example/>\n")


def modes(name):
    status = os.stat(name)
    return oct(status.st_mode & 0o7777), status.st_uid, status.st_gid


def test_in_place():
    text, angle = "see http://a.example/x_\nor http://b.example/ z\n", "see <http://a.example/x_>\nor <http://b.example/> z\n"
    with temporary_folder():
        for name in ("a", "b"):
            write(name, text)
            os.chmod(name, 0o640)
        if os.geteuid() == 0:
            os.chown("a", 12, 34)
        os.symlink("b", "link")
        before = modes("a")
        check("--in-place", (run("rewrite", "--as=angle", "--in-place", "a", "link").returncode, read("a").decode(), read("b").decode()),
              (0, angle, angle))
        check("mode and owner are kept", modes("a"), before)
        check("a link stays one", os.readlink("link"), "b")
        long = write(250 * "n", text)
        done = run("rewrite", "--as=angle", "--in-place", long)
        check("no room for the name of the new file", (done.returncode, done.stderr),
              (3, f"urlsift: {long}: no file can be made beside it: File name too long\n"))
        os.remove(long)
        check("--in-place=SUFFIX", (run("rewrite", "--as=defang", "--in-place=.orig", "a").returncode, read("a.orig").decode()), (0, angle))
        same = os.stat("b").st_ino
        check("what stays the same is not replaced",
              (run("rewrite", "--as=angle", "--in-place=.orig", "b").returncode, os.stat("b").st_ino), (0, same))
        check("nothing else is left", sorted(os.listdir()), ["a", "a.orig", "b", "link"])
        write("c", "http://sub.a.example/\n")
        write("d", "http://sub.a.example/\n")
        done = run("rewrite", "--as=host:n.example", "--host=a.example", "--in-place", "c", "d")
        check("what is left out of which file", [line.split(": links ")[0] for line in done.stderr.splitlines()],
              ["urlsift: c", "urlsift: d"])
        os.remove("c")
        os.remove("d")
        write("mail", "From: a\nDate: b\n\nhttp://a.example/\n")
        write("page", "<html>http://a.example/</html>\n")
        write("packed", b"\x1f\x8b\x08\x00")
        write("lamps.ics", "BEGIN:VCALENDAR\nURL:http://a.exam\n ple/\nEND:VCALENDAR\n")
        for name in ("mail", "page", "packed", "lamps.ics"):
            check("other kinds are not replaced", (run("rewrite", "--as=join", "--in-place", "b", name).returncode, read("b").decode()),
                  (2, angle), name)
        for name in ("page", "lamps.ics"):
            check("what is for documents is said", "is HTML, a calendar or a vCard; --in-place is for plain text, and with --mail for "
                  "messages; --input=text changes links of its source" in run("rewrite", "--as=https", "--in-place", name).stderr, True)
        check("that no file is changed is said where there are several",
              ["no file is changed" in run("rewrite", "--as=join", "--in-place", *names).stderr for names in
               (("b", "page"), ("b", "./b"), ("page",), ("b", "a"))], [True, True, False, False])
        check("but as text", run("rewrite", "--input=text", "--as=angle", "--in-place", "mail").returncode, 0)
        anchor = b'<html><a href="http://a.example/?q=%s">x</a> y)'
        for form, href, wanted in (("markdown", b"\\", b"[x](http://a.example/?q=%5C) y)"),
                                   ("markdown", b"(|", b"[x](<http://a.example/?q=(%7C>) y)"),
                                   ("rst", b"\\b", b"`x <http://a.example/?q=%5Cb>`__ y)"),
                                   ("org", b"[a|b", b"[[http://a.example/?q=%5Ba%7Cb][x]] y)")):
            check(f"what would end a link of {form}", run("rewrite", "--input=html", "--as=" + form, text=anchor % href).stdout.strip(),
                  wanted)
        check("a file that changes is left", changed_while_read(), (1, True, True))
        check("a missing file does not stop the others", (run("rewrite", "--as=refang", "--in-place", "missing", "a").returncode,
                                                         read("a").decode()), (1, angle))
        write("names", "a\nmissing\n\nb\n")
        check("names in a list", (run("rewrite", "--as=join", "--in-place", "--files-from=names").returncode,
                                  run("rewrite", "--as=defang", "--in-place", "--files-from=-", "-0", text="a\0b").returncode,
                                  b"hxxp" in read("a"), b"hxxp" in read("b")), (1, 0, True, True))
        check("a list that is not there", run("rewrite", "--in-place", "--files-from=lost").returncode, 1)
        os.remove("names")
        check("without files", run("rewrite", "--in-place", text="x").returncode, 2)
        check("no new files stay", sorted(os.listdir()), ["a", "a.orig", "b", "lamps.ics", "link", "mail", "packed", "page"])


MAIL = b"""From: a@b.example
Date: Mon, 1 Jan 2024 00:00:00 +0000
Subject: links
Content-Length: 1234
Lines: 20
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

preamble http://p.example/
--b
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

caf=E9 <http://a.example/one=
two/
three> and=20
From here on.
--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

%s--b
Content-Type: text/html

<a href="http://c.example/">c</a>
--b
Content-Type: multipart/signed; boundary=c; protocol="application/pgp-signature"

--c

<http://d.example/x/
y>
--c
Content-Type: application/pgp-signature

http://e.example/
--c--
--b
Content-Type: application/octet-stream
Content-Transfer-Encoding: base64

AAAA
--b--
epilogue
""" % base64.encodebytes("gr\xfc\xdfe <http://b.example/x/\ny> \U0001f600\n".encode())


def test_block_of_two():
    """Whether a link stands in a block, which is not made longer, is read of the lines that are written, of which the end
    of one may be in two files."""
    link = b"HTTP://A.EXAMPLE/A/B/C/D/E/F/G/H/I/J/K/L/M/N/O/P/Q/R/S/T/U/"
    begin, rest = b"begin 644 a\r\n" + (b"M" + b"X" * 60 + b"\r\n") * 2, b"M" + link + b"\r\n`\r\nend\r\n"
    with temporary_folder():
        for cut in 0, 1, 2:
            text = begin + rest
            names = [write("a", text[:len(begin) - cut]), write("b", text[len(begin) - cut:])]
            check("a block in two files", run("rewrite", "--as=wrap", "--width=30", "--input=text", *names).stdout,
                  text.replace(link, b"<URL:" + link + b">"), cut)
        check("no block", run("rewrite", "--as=wrap", "--width=30", "--input=text", "b").stdout.count(b"\n"), 6)


def test_ended():
    """A signal that ends a run leaves no file without its name; one that is ignored does not end it."""
    with temporary_folder():
        write("a", b"http://a.example/\n")
        os.mkfifo("fifo")
        for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
            # below nohup, and in the background, some are ignored
            with subprocess.Popen([URLSIFT, "html", "-o", "page.html", "a", "fifo"],
                                  preexec_fn=lambda number=number: signal.signal(number, signal.SIG_DFL)) as process, open("fifo", "wb"):
                check("the file of the new page", len(os.listdir()), 3, number)
                process.send_signal(number)
                check("ended by a signal", (process.wait(), sorted(os.listdir())), (-number, ["a", "fifo"]), number)
        with subprocess.Popen([URLSIFT, "html", "-o", "page.html", "a", "fifo"],
                              preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
            with open("fifo", "wb"):
                process.send_signal(signal.SIGHUP)
            check("one that is ignored", (process.wait(), sorted(os.listdir())), (0, ["a", "fifo", "page.html"]))


def test_mail():
    joined = (MAIL.replace(b"Content-Length: 1234\nLines: 20\n", b"").replace(b"one=\ntwo/\nthree", b"onetwo/three")
              .replace(base64.encodebytes("gr\xfc\xdfe <http://b.example/x/\ny> \U0001f600\n".encode()),
                       base64.encodebytes("gr\xfc\xdfe <http://b.example/x/y> \U0001f600\n".encode()))
              .replace(b"From here", b"=46rom here"))
    for name, end in (("LF", b"\n"), ("CRLF", b"\r\n")):
        text = MAIL.replace(b"\n", end)
        wanted = joined
        if end == b"\r\n":  # the base64 text has LF
            wanted = wanted.replace(b"\n", end)
        done = run("rewrite", "--mail", text=text)
        check(f"--mail, {name}", (done.returncode, done.stdout), (0, wanted))
        for size in range(1, 5):  # with each number of `=`
            for last in b"", end:
                old, new = (base64.b64encode(link + b" " + b"x" * size) for link in (b"http://a.example/", b"hxxp[:]//a[.]example/"))
                head = end.join((b"From: a@a.example", b"Date: b", b"Content-Transfer-Encoding: base64", b"", b""))
                out = run("rewrite", "--mail", "--as=defang", text=head + old + last)
                check(f"base64 that ends with {last!r}, {name}", (out.returncode, out.stdout), (0, head + new + last), at=size)
        check(f"a signed part is left, {name}", done.stderr,
              "urlsift: standard input: part 4.1 is signed or encrypted; it is left as it is\n")
        check(f"again, {name}", run("rewrite", "--mail", text=wanted).stdout, wanted)
    done = run("rewrite", "--mail", "--as=defang", text=MAIL)
    check("another form leaves HTML", "part 3 is text/html; it is left as it is" in run("rewrite", "--mail", "--as=angle", text=MAIL).stderr, True)
    check("defang", [done.stdout.count(b) for b in (b"hxxp[:]//a[.]example", b"http://d.example", b"http://p.example")], [1, 1, 1])
    plain = b"From: a\nDate: b\nSubject: c\n\nno link\n"
    check("a message without links is not changed", run("rewrite", "--mail", "--as=wrap", text=plain).stdout, plain)
    for charset, word in (("koi8-r", "\u043c\u0438\u0440"), ("shift_jis", "\u65e5\u672c"), ("windows-1252", "\u201cq\u201d"),
                          ("iso-2022-jp", "\u65e5\u672c"), ("utf-16", "w"), ("iso-8859-1", "\u201cq\u201d")):
        coded = f"{word} <http://a.example/x/\ny> {word}\n".encode("cp1252" if charset == "iso-8859-1" else charset)
        message = (b"From: a\nDate: b\nSubject: c\nContent-Type: text/plain; charset=%s\nContent-Transfer-Encoding: base64\n\n%s"
                   % (charset.encode(), base64.encodebytes(coded)))
        done = run("rewrite", "--mail", text=message)
        text = base64.b64decode(done.stdout.split(b"\n\n", 1)[1]).decode("cp1252" if charset == "iso-8859-1" else charset)
        check(f"a body in {charset}", (done.returncode, text), (0, f"{word} <http://a.example/x/y> {word}\n"))
    for bad in (b"charset=utf-8\n\n\xe9", b"charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n=E9",
                b"charset=gb18030\n\n\xff\x81", b"charset=utf-8\n\n\xef\xbb\xbf"):
        message = b"From: a\nDate: b\nSubject: c\nContent-Type: text/plain; " + bad + b" <http://a.example/x/\ny>\n"
        done = run("rewrite", "--mail", text=message)
        check("bytes that are not of the charset are kept", (done.stdout, done.returncode), (message, 1), bad)
    for charset, coded in (("gb2312", b"\xa1\xaa"), ("shift_jis", b"\x81\x60"), ("ks_c_5601-1987", b"\xb0\xa1"),
                           ("euc-kr", b"\x8c\x63"), ("iso-2022-jp", b"\x1b$B0l\x1b(B"), ("iso-8859-8-i", b"\xe0")):
        head = b"From: a\nDate: b\nSubject: c\nContent-Type: text/plain; charset=%s\n\n%s " % (charset.encode(), coded)
        check("a charset as it is read", run("rewrite", "--mail", text=head + b"<http://a.example/x/\ny>\n").stdout,
              head + b"<http://a.example/x/y>\n", charset)
    inner = (b"From: a\nDate: b\nSubject: c\nMIME-Version: 1.0\nContent-Type: message/rfc822\n"
             b"Content-Transfer-Encoding: quoted-printable\n\nSubject: q\nDate: z\n\nhttp://in.example/\n")
    done = run("rewrite", "--mail", "--as=defang", text=inner)
    check("an encoded message stays, which is said", (done.returncode, done.stdout, "in an encoded message" in done.stderr),
          (1, inner, True))
    soft = (b"From: a\nDate: b\nSubject: c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
            b"Content-Transfer-Encoding: quoted-printable\n\nsee http://a.example/ x=\n--b--\n")
    check("a soft break at the end", run("rewrite", "--mail", "--as=angle", text=soft).stdout,
          soft.replace(b"http://a.example/", b"<http://a.example/>"))
    wide = b"From: a\nDate: b\nSubject: c\n\nhttp://a.example/\n" + b"x" * 1001 + b"\n"
    check("a line that was too long before", run("rewrite", "--mail", "--as=angle", text=wide).stdout,
          wide.replace(b"http://a.example/", b"<http://a.example/>"))
    clear = b"From: a\nDate: b\nSubject: c\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\n<http://a.example/x/\ny>\n"
    for form, status in (("join", 0), ("defang", 1), ("angle", 1)):
        done = run("rewrite", "--mail", f"--as={form}", text=clear)
        said = "urlsift: standard input: part 1 is signed or encrypted; it is left as it is\n"
        check(f"a clearsigned text is left, {form}", (done.returncode, done.stdout, done.stderr), (status, clear, said))
    long = b"From: a\nDate: b\nSubject: c\nLines: 2\n\n<http://a.example/%s\n%s>\n" % (b"a" * 800, b"b" * 800)
    done = run("rewrite", "--mail", text=long)
    check("a line that would be too long", (done.returncode, done.stdout, done.stderr),
          (1, long, "urlsift: standard input: part 1 would have a line of more than 998 bytes; it is left as it is\n"))
    broken = b"From: a\nDate: b\nSubject: c\n\n<http://a.example/%s>\n" % (b"a\n" * 20)
    done = run("rewrite", "--mail", text=broken)
    check("a link of too many lines", (done.returncode, done.stdout, done.stderr),
          (0, broken, "urlsift: standard input: part 1: at byte 28: limit line-breaks (16) exceeded\n"))
    for end in (b"\n", b"\r\n"):
        for n in (998, 999): # bytes of the new line without its end
            old = end.join((b"From: a", b"Date: b", b"Subject: c", b"", b"%s http://a.example/" % (b"x" * (n - 20)), b""))
            check("the longest line", run("rewrite", "--mail", "--as=angle", text=old).stdout,
                  old.replace(b"http://a.example/", b"<http://a.example/>") if n == 998 else old)
            done = run("rewrite", "--mail", "--as=defang", text=old)
            check("no link is left for the sake of a line", (done.returncode, done.stdout),
                  (0, old.replace(b"http://a.example/", b"hxxp[:]//a[.]example/")))
    for text, why in ((b"just text\n", "is not a message"), (b"", "is not a message"), (b"\x1f\x8b\x08\x00", "is compressed")):
        done = run("rewrite", "--mail", text=text)
        check("--mail of something else", (done.returncode, done.stdout, why in done.stderr), (2, b"", True))
    box = b"From a Mon Jan  1 00:00:00 2024\nFrom: a\nSubject: x\n\n%s\n"
    check("--mail of a mailbox of one message", run("rewrite", "--mail", "--input=mail", "--as=angle", text=box % b"http://a.example/").stdout,
          box % b"<http://a.example/>")
    with temporary_folder():
        write("m", MAIL)
        write("text", b"<http://a.example/\nb>\n")
        check("--mail --in-place", run("rewrite", "--mail", "--in-place=.old", "m", "text").returncode, 0)
        check("the message, the text, the old one", (read("m"), read("text"), read("m.old")),
              (joined, b"<http://a.example/b>\n", MAIL))
        half = MAIL.replace(b"Subject: ", b"Subject: =?utf-8?q?http://left.example/?= ", 1)
        write("half", half)
        out = run("rewrite", "--mail", "--as=angle", text=half)
        check("a message in which a link stays is replaced", (run("rewrite", "--mail", "--as=angle", "--in-place", "half").returncode,
              read("half") == out.stdout, out.stdout == half), (out.returncode, True, False))
        check("a file that is named twice", (run("rewrite", "--mail", "--in-place=.b", "m", "./m").returncode, os.path.exists("m.b")),
              (2, False))
        for names in (("m", "m.old"), ("m.old", "m")):
            check("a file with the name that the old one gets", (run("rewrite", "--mail", "--in-place=.old", *names).returncode,
                  read("m"), read("m.old")), (2, joined, MAIL))
        check("two messages", run("rewrite", "--mail", "m", "m.old").returncode, 2)
        check("a missing one", run("rewrite", "--mail", "none").returncode, 1)
        write("box", b"From a Mon Jan  1 00:00:00 2024\nFrom: a\nSubject: x\n\nb\n\n" * 2)
        done = run("rewrite", "--mail", "--in-place", "box")
        check("a mailbox in place", (done.returncode, "is a mailbox, of which 'rewrite --mail FILE >NEW' writes" in done.stderr), (2, True))


MAILED = b"From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n%s\n--b\n\n%s\n--b--\n"


PATCH = b"@@ -1,5 +1,4 @@\n a\n-- \n--- \n+x %s\n\n-y\n+- \n z\n"


def test_footnotes():
    """Text: a number for each link, the list at its end; HTML: after each label, which may be the URL or say another."""
    text = b"See http://a.example/x, <URL:http://b.example/lo\n ng>\n\n> [l](http://c.example/) www.d.example\n"
    page = b"<p><a href='http://a.example/'>http://a.example/</a> <a href='http://b.example/'>bee</a> http://c.example/ " \
           b"<a href='http://d.example/'>www.e.example</a>"
    for what, data, wanted in (("text", text, b"See [1], [2]\n\n> l [3] [4]\n\n[1] http://a.example/x\n"
                                              b"[2] http://b.example/long\n[3] http://c.example/\n[4] http://www.d.example\n"),
                               ("a page", page, b"http://a.example/ [1] bee [2] [3] www.e.example [4]\n\n[1] http://a.example/\n"
                                                b"[2] http://b.example/\n[3] http://c.example/\n[4] http://d.example/\n"),
                               ("no link", b"no link\n", b"no link\n"),
                               ("a signature", b"http://a.example/\n-- \nB\nhttp://b.example/\n-- \nx\n",
                                b"[1]\n\n[1] http://a.example/\n\n-- \nB\nhttp://b.example/\n-- \nx\n"),
                               ("two", b"http://a.example/\r\n-- \r\nhttp://b.example/\r\n\r\nhttp://a.example/\r\n-- \r\n\r\nhttp://c.example/",
                                b"[1]\r\n\r\n[1] http://a.example/\r\n\r\n-- \r\nhttp://b.example/\r\n\r\n[1]\r\n\r\n[1] http://a.example/\r\n"
                                b"\r\n-- \r\n\r\n[2]\r\n\r\n[2] http://c.example/\r\n"),
                               ("blank lines of CRLF", b"http://a.example/\r\n\r\n-- \r\n\r\nhttp://b.example/\r\n\r\n",
                                b"[1]\r\n\r\n[1] http://a.example/\r\n\r\n-- \r\n\r\n[2]\r\n\r\n[2] http://b.example/\r\n"),
                               ("a patch", PATCH % (b"http://b.example/",) + b"-- \n2 http://c.example/",
                                PATCH % (b"[1]",) + b"\n[1] http://b.example/\n\n-- \n2 http://c.example/\n"),
                               ("a part of one", PATCH.replace(b",5 +1", b",7 +1") % (b"http://b.example/",) + b"no\n-- \nx",
                                PATCH.replace(b",5 +1", b",7 +1") % (b"[1]",) + b"no\n\n[1] http://b.example/\n\n-- \nx\n"),
                               ("two hunks", b"@@ -1,2 +1,1 @@\n-a\n b\n@@ -9,2 +8,1 @@\n c\n-- \nhttp://a.example/\n",
                                b"@@ -1,2 +1,1 @@\n-a\n b\n@@ -9,2 +8,1 @@\n c\n-- \n[1]\n\n[1] http://a.example/\n"),
                               ("no ranges", b"@@ - +\nhttp://a.example/\n@@ -1,9999999999 +1\n-- \n",
                                b"@@ - +\n[1]\n@@ -1,9999999999 +1\n-- \n\n[1] http://a.example/\n"),
                               ("a byte order mark", b"\xef\xbb\xbf-- \nhttp://a.example/\n", b"\xef\xbb\xbf-- \nhttp://a.example/\n"),
                               ("one before a footnote", b"\xef\xbb\xbf[1]: http://a.example/\n", b"\xef\xbb\xbf[1]: http://a.example/\n"),
                               ("a link in a label", b"[[http://a.example/][see <http://b.example/> here]] rest\n",
                                b"see [2] here [1] rest\n\n[1] http://a.example/\n[2] http://b.example/\n"),
                               ("a colour before the bracket", b"[a](http://a.example/\x1b[0m) rest\n",
                                b"a [1]\x1b[0m rest\n\n[1] http://a.example/\n"),
                               ("no digits", b"@@ - a\n x\n-- \nhttp://a.example/\n", b"@@ - a\n x\n-- \nhttp://a.example/\n"),
                               ("a signature alone", b"x\n-- \nhttp://a.example/\n", b"x\n-- \nhttp://a.example/\n"),
                               ("none", b"-- http://a.example/\n--\n- \n> -- \n -- \n-- x\nhttp://b.example/\n-- ",
                                b"-- [1]\n--\n- \n> -- \n -- \n-- x\n[2]\n-- \n\n[1] http://a.example/\n[2] http://b.example/\n"),
                               ("quoted ones", b"> as said [1]\n> > [1] http://a.example/\n>[2]: http://b.example/\n> x [2] http://c.example/\n",
                                b"> as said [1]\n> > [1] http://a.example/\n>[2]: http://b.example/\n> x [2] [3]\n\n[3] http://c.example/\n"),
                               ("numbers after the link", b"http://a.example/ [1] http://b.example/ http://a.example/\n\n[9] Nine\n",
                                b"[10] [1] [11] [10]\n\n[9] Nine\n\n[10] http://a.example/\n[11] http://b.example/\n"),
                               ("numbers after a list", b"http://a.example/ [1]\n-- \n\n[7] http://a.example/ http://b.example/ [9]",
                                b"[2] [1]\n\n[2] http://a.example/\n\n-- \n\n[7] http://a.example/ [10] [9]\n\n[10] http://b.example/\n"),
                               ("a number within a label", b"[x [5] y](http://a.example/) [z](http://b.example/) [6]\n",
                                b"[x [5] y](http://a.example/) z [7] [6]\n\n[7] http://b.example/\n")):
        done = run("rewrite", "--as=footnotes", "--input=html" if what == "a page" else "--input=text", text=data)
        check(f"footnotes: {what}", (done.returncode, done.stdout, done.stderr), (0, wanted, ""))
    for after, first in ((262144, 2), (262145, 1)):  # the last byte of 256 KiB of output is the bracket, or not
        text = b"x" * (after - len("[1][1]")) + b"[1]"
        done = run("rewrite", "--as=footnotes", text=b"<http://a.example/>" + text + b"\n")
        check("footnotes: numbers after 256 KiB", done.stdout, b"[%d]%s\n\n[%d] http://a.example/\n" % (first, text, first), at=after)
    text = b"x" * (262144 - len("[1][7]\n")) + b"[7]\n"  # the hyphen, which waits for the link, is the first byte after 256 KiB
    done = run("rewrite", "--as=footnotes", text=b"<http://a.example/>" + text + b"-http://b.example/\n")
    check("footnotes: a link at 256 KiB", done.stdout,
          b"[8]%s-[9]\n\n[8] http://a.example/\n[9] http://b.example/\n" % text)
    with temporary_folder():
        write("a", b"http://a.example/\n-- \nA")
        write("b", b"-- \nB")
        check("footnotes: files that end in a signature", run("rewrite", "--as=footnotes", "a", "a", "b", "b").stdout,
              b"[1]\n\n[1] http://a.example/\n\n-- \nA\n" * 2 + b"-- \nB" * 2)
    body = b"http://a.example/\n-- \nB http://b.example/\n"
    signed = b"[1]\n\n[1] http://a.example/\n\n-- \nB http://b.example/\n"
    done = run("rewrite", "--mail", "--as=footnotes", text=MAILED % (body, body))
    check("footnotes: mail with signatures", (done.returncode, done.stdout), (0, MAILED % (signed, signed)))
    for numbers, first in (("[998]", 999), ("[999]", 1000), ("[1000]", 1), ("[4294967297]", 1), ("[099]", 100), ("[12a]", 1), ("[a12]", 1),
                           ("[7[8]", 9), ("[8] [7]", 9), ("[7] [1000] [8", 8)):
        done = run("rewrite", "--as=footnotes", text=f"see {numbers} and http://a.example/\n")
        check("footnotes: numbers of the text", done.stdout.decode().split("\n")[0], f"see {numbers} and [{first}]")


BOXED = [b"From: a\nSubject: 1\nLines: 3\n\n<http://a.example/\nx>\n>From here on http://b.example/\n",
         b"From: a\nSubject: 2\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(b"http://c.example/\n") + b"\n",
         b"From: a\nSubject: 3\nContent-Transfer-Encoding: quoted-printable\n\n=46rom http://d.example/?a=3Db on\n",
         b"From: a\nSubject: 4\n\n", b"From: a\nSubject: 5\n\nOf http://e.example/\n\n\n",
         b"From: a\nSubject: 6\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://f.example/\n--b--\n"]


def test_mailbox():
    line = b"From a@b.example Mon Jan  1 00:00:00 2024\n"
    for end in b"\n", b"\r\n":
        text = b"".join(line + m + b"\n" for m in BOXED).replace(b"\n", end)
        with temporary_folder():
            write("old", text)
            for form, count in (("join", 1), ("angle", 5), ("defang", 5)):
                done = run("rewrite", "--mail", f"--as={form}", "old")
                write("new", done.stdout)
                old, new = ([m.as_bytes() for m in mailbox.mbox(name)] for name in ("old", "new"))
                check("a mailbox", (done.returncode, done.stderr, len(new), sum(a != b for a, b in zip(old, new))), (0, "", 6, count), form)
                check("its From_ lines", done.stdout.count(end + end + line.replace(b"\n", end)), 5, form)
                alone = [run("rewrite", "--mail", f"--as={form}", text=m.replace(b"\n", end)).stdout for m in BOXED]
                check("each message as alone", done.stdout, b"".join(line.replace(b"\n", end) + m + end for m in alone), form)
            back = run("rewrite", "--mail", "--as=refang", text=run("rewrite", "--mail", "--as=defang", "old").stdout).stdout
            check("refang gives it back", back, text.replace(b"Lines: 3" + end, b""))
    many = b"".join(line + b"From: a\nSubject: %d\n\nhttp://%d.example/ %s\n\n" % (i, i, b"x" * (i % 900)) for i in range(3000))
    check("one of several blocks", run("rewrite", "--mail", "--as=angle", text=many).stdout,
          re.sub(rb"http\S+", rb"<\g<0>>", many))
    second = many.index(line, 1)
    check("those that begin in a range", run("rewrite", "--mail", "--range=1:%d" % second, text=many).stdout,
          many[second:many.index(line, second + 1)])
    part = line + b"From: a\nSubject: 1\nContent-Type: multipart/signed; boundary=b\n\n--b\n\nhttp://f.example/\n--b--\n\n"
    done = run("rewrite", "--mail", "--as=angle", text=part * 2)
    check("what is left is said of each message", (done.returncode, done.stdout, done.stderr), (1, part * 2, "".join(
        f"urlsift: standard input: message at byte {i * len(part)}: part 1 is signed or encrypted; it is left as it is\n" for i in (0, 1))))


HTML = b"""<html><head><meta http-equiv="refresh" content="0; url=http://m.example/r"><title>t http://t.example/</title></head><body>
<a href="http://a.example/x?p=1&amp;q=2" title="t &quot;x&quot;">see http://a.example/x</a> <A HREF="  http://sp.example/ ">sp</A>
<a href='https://b.example:8080/?a=1&b=2'>b</a> <a href=http://c.example/u.v/w?x=y>c</a> <a href="ht&#116;p://e.example/?a&lt;">e</a>
<a href="mailto:jo@d.example?subject=x.y">m</a> <form action="http://f.example/"><input name=q></form> <a href="rel/x">r</a>
<iframe src="http://i.example/"></iframe> <p>plain www.g.example and ftp://h.example/x.y &amp; http://j.example/?a=1&amp;b=2.</p>
<img src="http://img.example/i.png"> caf\xe9 <!-- http://comment.example/ --> <script>var u = "http://script.example/";</script>
<!--[if mso]><a href="http://outlook.example/">http://hidden.example/</a><![endif]-->
<area href="http://area.example/"> <a href="http://g\xf6.example/&ouml;">o</a></body></html>
"""
FIELDS = (b"From: a@x.example\nSubject: see http://s.example/ now\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nLines: 17\nX-Other: http://o.example/\n"
          b"List-Unsubscribe: <http://u.example/x>,\n <mailto:u@v.example?subject=unsubscribe>\nMIME-Version: 1.0\n")


def refanged(text):
    for old, new in (("[:]", ":"), ("[.]", "."), ("[@]", "@"), ("hxxp", "http"), ("fxp:", "ftp:")):
        text = text.replace(old, new)
    return text


class Events(html.parser.HTMLParser):
    """What a parser of HTML reads, with the links as they were."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.events = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.events.append((tag, [(name, refanged(value or "")) for name, value in attrs]))

    def handle_endtag(self, tag):
        self.events.append(tag)

    def handle_data(self, data):
        self.events.append(refanged(data))

    def handle_comment(self, data):
        self.events.append(("comment", refanged(data)))


def test_mail_html():
    """--mail --as=defang of HTML and header fields, beside Python's email and html.parser: with the links refanged all is as it was."""
    kind = b"Content-Type: text/html; charset=iso-8859-1\n"
    for encoding, body in ((b"7bit", HTML), (b"quoted-printable", quopri.encodestring(HTML)), (b"base64", base64.encodebytes(HTML))):
        text = FIELDS + kind + b"Content-Transfer-Encoding: %s\n\n" % encoding + body
        done = run("rewrite", "--mail", "--as=defang", text=text)
        old, new = email.message_from_bytes(text), email.message_from_bytes(done.stdout)
        part = new.get_payload(decode=True)
        check("defanged HTML", (done.returncode, done.stderr), (0, ""), encoding)
        check("its elements", Events(part.decode("latin-1")).events, Events(HTML.decode("latin-1")).events, encoding)
        links = run("list", "--headers=none", "--repeated", text=text).stdout
        check("its links are defanged", (run("list", "--headers=none", text=done.stdout).stdout, links.count(b"\n")), (b"", 17), encoding)
        check("what is no link stays", [part.count(b) for b in (
            b"<!-- http://comment.example/", b'"http://script.example/"', b"/u.v/w?x=y>", b"?a=1&b=2'",
            b"&amp;q=2", b'title="t &quot;x&quot;"', b"http://hidden.example/")], [1] * 7, encoding)
        fields = [(name, refanged(value)) for name, value in new.items()]
        check("its header", (fields, new["List-Unsubscribe"][:14]),
              ([(name, value) for name, value in old.items() if name != "Lines"], "<hxxp[:]//u[.]"), encoding)
        check("a field that is not searched", new["X-Other"], "http://o.example/", encoding)
        back = run("rewrite", "--mail", "--as=refang", text=done.stdout)
        part = email.message_from_bytes(back.stdout).get_payload(decode=True)
        same = HTML.replace(b"ht&#116;p", b"http").replace(b"\xf6", b"&#246;").replace(b"&ouml;", b"&#246;").replace(b"&lt;", b"&#60;")
        check("refang gives it back", (back.returncode, part), (0, same), encoding)
    one = FIELDS + kind + b"\n" + HTML
    half = FIELDS.replace(b"http://s.example", b"s[.]example") + kind + (b"\n<a href='hxxp://a[.]example/x?y=1'>http://a[.]example/x</a> "
                                                                          b"b[.]example jo[at]c[.]example\n")
    done = run("rewrite", "--mail", "--as=defang", text=half)
    check("half defanged", (done.returncode, done.stdout), (0, half.replace(b"hxxp:", b"hxxp[:]").replace(b"http:", b"hxxp[:]")
          .replace(b"u.example", b"u[.]example").replace(b"mailto:u@v.", b"mailto[:]u[@]v[.]").replace(b"Lines: 17\n", b"")
          .replace(b"X-Other: hxxp[:]", b"X-Other: http:")))
    done = run("rewrite", "--mail", "--as=defang", "--refang", text=half)
    check("half defanged, with --refang", (done.returncode, b"//a[.]example/x?y=1'>hxxp[:]//a[.]" in done.stdout, b"jo[@]c[.]" in done.stdout), (0, True, True))
    done = run("rewrite", "--mail", "--as=refang", text=half)
    check("refanged", (done.returncode, done.stdout), (0, half.replace(b"[.]", b".").replace(b"hxxp:", b"http:").replace(b"[at]", b"@")
          .replace(b"Lines: 17\n", b"")))
    text = "See hxxps[:]//a[.]example/ö?b=c, \"http://b.example/\" and jo[at]c[.]example.\n".encode()
    for encoding, encode in ((b"8bit", bytes), (b"quoted-printable", quopri.encodestring), (b"base64", base64.encodebytes)):
        plain = FIELDS.replace(b"Lines: 17\n", b"") + b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: %s\n\n" % encoding
        done = run("rewrite", "--mail", "--as=refang", text=plain + encode(text))
        check("refanged text", (done.returncode, done.stderr, email.message_from_bytes(done.stdout).get_payload(decode=True)),
              (0, "", text.replace(b"hxxps[:]", b"https:").replace(b"[.]", b".").replace(b"[at]", b"@")), encoding)
        back = run("rewrite", "--mail", "--as=defang", "--refang", text=done.stdout)
        check("defanged text, with --refang", (back.returncode, email.message_from_bytes(back.stdout).get_payload(decode=True)),
              (0, text.replace(b"http:", b"hxxp[:]").replace(b"b.example", b"b[.]example").replace(b"[at]c[.]", b"@c.")), encoding)
        done = run("rewrite", "--mail", "--as=refang", "--host=b.example", text=plain + encode(text))
        check("refanged text, none of it asked for", done.stdout, plain + encode(text), encoding)
    check("resources", b'src="hxxp[:]//img[.]example/i.png"' in run("rewrite", "--mail", "--as=defang", text=one).stdout, True)
    check("resources, where nothing is disarmed", [b'src="https://img.example/i.png"' in run(
        "rewrite", "--mail", "--as=https", *option, text=one).stdout for option in ([], ["--resources"])], [False, True])
    check("no header", run("rewrite", "--mail", "--as=defang", "--headers=none", text=one).stdout.count(b"http://u.example/x"), 1)
    check("only some", run("rewrite", "--mail", "--as=defang", "--host=i.example", text=one).stdout,
          one.replace(b"http://i.example", b"hxxp[:]//i[.]example").replace(b"Lines: 17\n", b""))
    check("a header alone keeps its counts", run("rewrite", "--mail", "--as=defang", text=FIELDS + b"\nx\n").stdout,
          FIELDS.replace(b"http://s.example", b"hxxp[:]//s[.]example").replace(b"http://u.example", b"hxxp[:]//u[.]example")
          .replace(b"mailto:u@v.", b"mailto[:]u[@]v[.]") + b"\nx\n")
    some = (b"From: a\nDate: b\nContent-Type: text/html\n\n<base href='http://b.example/'><a href=x>x</a> <a href='http://a.example/'>a</a> "
            b"<iframe srcdoc='<a href=http://k.example/>'></iframe>\n")
    done = run("rewrite", "--mail", "--as=defang", text=some)
    check("links that stay are said", (done.returncode, done.stdout, done.stderr),
          (1, some.replace(b"http://a.example", b"hxxp[:]//a[.]example").replace(b"http://b.example", b"hxxp[:]//b[.]example"),
           "urlsift: standard input: part 1 has links that are left as they are\n"))
    based = some.replace(b" <iframe srcdoc='<a href=http://k.example/>'></iframe>", b"")
    head = b"From: a\nDate: b\nContent-Type: text/html\n\n"
    for old, new in ((b"http://a&#x2E;e<!-- -->x&#109ple/", b"hxxp[:]//a[&#x2E;]e<!-- -->x&#109ple/"),
                     (b"http&colon;&sol;/a&period;e<b>x</b>.example/?a&ampb=1&#38;c", b"hxxp[&colon;]&sol;/a[&period;]e<b>x</b>[.]example/?a&ampb=1&#38;c"),
                     (b"http://b&uuml;cher&#46;e\0.example/", b"hxxp[:]//b&uuml;cher[&#46;]e\0[.]example/"),
                     (b"&#104;ttp://a<i>.example</i>/&#", b"&#104;xxp[:]//a<i>[.]example</i>/&#")):
        done = run("rewrite", "--mail", "--as=defang", text=head + old + b"\n")
        check("references in a link with markup", (done.returncode, done.stdout, done.stderr), (0, head + new + b"\n", ""))
    done = run("rewrite", "--mail", "--as=defang", text=based)
    check("a base disarms what is relative to it", (done.returncode, done.stderr, run("list", text=done.stdout).stdout,
          run("list", "--refang", text=done.stdout).stdout, run("rewrite", "--mail", "--as=refang", text=done.stdout).stdout),
          (0, "", b"", b"http://b.example/x\nhttp://a.example/\n", based))
    placed = based.replace(b"\n\n", b"\nContent-Location: http://c.example/\n\n")
    done = run("rewrite", "--mail", "--as=defang", "--headers=none", text=placed)
    check("relative to what is around the base", (done.returncode, done.stderr),
          (1, "urlsift: standard input: relative links of its HTML still lead to a host\n"))
    for scheme, link in ((b"https", b"https:e.example/x"), (b"https", b"https:/e.example"), (b"http", b"HTTP:e.example"),
                         (b"ftp", b"ftp:e.example"), (b"https", b"&#104;ttps:e.example/x?y&amp;z")):
        partial = (b"From: a\nDate: b\nContent-Type: text/html\n\n<base href='%s://b.example/'><a href='%s'>a</a>\n" % (scheme, link))
        done = run("rewrite", "--mail", "--as=defang", text=partial)
        check("a link with the scheme of its base, which browsers open without one", (done.returncode, done.stderr, run(
            "list", text=done.stdout).stdout, run("list", "--refang", text=done.stdout).stdout), (0, "", b"", run("list", text=partial).stdout), link)
        check("defang again", run("rewrite", "--mail", "--as=defang", text=done.stdout).stdout, done.stdout, link)
    beside = b"From: a\nDate: b\nContent-Type: text/html\n\nhttp://b.example/?u=http:\\/\\/www.c.example/\n"
    done = run("rewrite", "--mail", "--as=defang", text=beside)
    check("text that becomes a link is said", (done.returncode, done.stderr),
          (1, "urlsift: standard input: text beside a changed link has become a link, which is left\n"))
    bare = b"From: a\nDate: b\nContent-Type: text/html\n\n%s\n"
    for link, fanged in ((b"<a href='//a.example'>a</a>", b"<a href='//a[.]example'>a</a>"),
                         (b"<a href=//A.Example:80/x.y?z=q@r>a</a> <img src=//i.example/a.png>",
                          b"<a href=//A[.]Example[:]80/x.y?z=q[@]r>a</a> <img src=//i[.]example/a.png>"),
                         (b"<a href=//b.example@c.example/>c</a>", b"<a href=//b[.]example[@]c[.]example/>c</a>"),
                         (b"<a href=//u@localhost/>u</a>", b"<a href=//u[@]localhost/>u</a>"),
                         (b"<a href=//localhost/x>l</a>", b"<a href=[/]/localhost/x>l</a>"), (b"<a href='///l'>l</a>", b"<a href='[/]//l'>l</a>"),
                         (b"<a href='//[::1]/x'>l</a>", b"<a href='[/]/[::1]/x'>l</a>"), (b"<a href=//a%2Eexample/>l</a>", b"<a href=[/]/a%2Eexample/>l</a>"),
                         (b"<a href='\\\\b.example\\z'>b</a>", b"<a href='\\\\b[.]example\\z'>b</a>"), (b"<a href='///c.example'>c</a>", b"<a href='///c[.]example'>c</a>"),
                         (b"<a href='http:\\\\d.example/'>d</a>", b"<a href='hxxp[:]\\\\d[.]example/'>d</a>"), (b"<a href=https:e.example>e</a>", b"<a href=hxxps[:]e[.]example>e</a>"),
                         (b"<base href=http://b.example/><a href=//c.example/x>c</a> <a href=d>d</a>",
                          b"<base href=hxxp[:]//b[.]example/><a href=//c[.]example/x>c</a> <a href=d>d</a>"),
                         (b"<style>a{background:url(//s.example/x)}</style><img srcset='//t.example/1 1x, //u.example/2 2x'>",
                          b"<style>a{background:url(//s[.]example/x)}</style><img srcset='//t[.]example/1 1x, //u[.]example/2 2x'>")):
        done, again = run("rewrite", "--mail", "--as=defang", text=bare % link), run("rewrite", "--mail", "--as=defang", text=bare % fanged)
        check("a link without a scheme", (done.returncode, done.stdout, done.stderr), (0, bare % fanged, ""), link)
        check("defanged again", (again.returncode, again.stdout, again.stderr), (0, bare % fanged, ""), link)
        check("its old form", run("rewrite", "--mail", "--as=refang", text=done.stdout).stdout, bare % link, link)
    done = run("rewrite", "--mail", "--as=defang", text=bare % b"<a href='\\\\localhost/x'>l</a>")
    check("one in which nothing can be defanged stays, which is said", (done.returncode, done.stdout, done.stderr),
          (1, bare % b"<a href='\\\\localhost/x'>l</a>", "urlsift: standard input: relative links of its HTML still lead to a host\n"))
    for link, fanged in ((b"http://a<wbr>.exa<wbr>mple/x", b"hxxp[:]//a<wbr>[.]exa<wbr>mple/x"), (b"https<wbr>://b.example<b>/</b>", b"hxxps<wbr>[:]//b[.]example<b>/</b>"),
                         (b"http://c.example/?a&amp;<wbr>b=x@y", b"hxxp[:]//c[.]example/?a&amp;<wbr>b=x[@]y"), (b"www.d.e<wbr>xample", b"www[.]d[.]e<wbr>xample"),
                         (b"http://[::<wbr>1]:80/", b"hxxp[:]//[::<wbr>1][:]80/")):
        done = run("rewrite", "--mail", "--as=defang", text=bare % link)
        check("a link with markup in it", (done.returncode, done.stdout, done.stderr), (0, bare % fanged, ""), link)
        check("its old form", run("rewrite", "--mail", "--as=refang", text=done.stdout).stdout, bare % link, link)
        check("it stays as it is", (run("rewrite", "--mail", "--as=refang", text=bare % link).stdout,
                                    run("rewrite", "--mail", "--as=defang", text=bare % fanged).stdout), (bare % link, bare % fanged), link)
    done = run("rewrite", "--mail", "--as=defang", text=bare % b"hxxp://b<wbr>[.]example/ hxxp://c[<wbr>.]example/")
    check("a defanged link with markup in it", (done.returncode, done.stdout), (0, bare % b"hxxp[:]//b<wbr>[.]example/ hxxp[:]//c[<wbr>.]example/"))
    word = b"From: a\nDate: b\nSubject: =?utf-8?Q?http://s.example/?=\n\nx\n"
    done = run("rewrite", "--mail", "--as=defang", text=word)
    check("an encoded-word stays, which is said", (done.returncode, done.stdout, "the header has links" in done.stderr), (1, word, True))
    within = (b"From: a\nDate: b\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nFrom: c\nDate: d\n"
              b"Subject: http://s.example/\nList-Help: <http://u.example/>\n\nx http://a.example/?utm_id=1\n--b--\n")
    done = run("rewrite", "--mail", "--as=defang", text=within)
    check("the header of a message within stays, which is said", (done.returncode, done.stdout, done.stderr),
          (1, within.replace(b"http://a.", b"hxxp[:]//a[.]"), "urlsift: standard input: the header of part 1 has links; it is left as it is\n"))
    done = run("rewrite", "--mail", "--as=clean", text=within)
    check("a header without such links", (done.returncode, done.stdout, done.stderr), (0, within.replace(b"?utm_id=1", b""), ""))
    parts = b"From: a\nDate: b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n%s\n<a href='http://a.example/'>a</a>\n--b--\n"
    for head, type in ((b"Content-Type: application/octet-stream; name=a.html\n", "text/html"), (b"Content-Type: application/zip; name=a.html\n", "application/zip"),
                       (b"Content-Type: application/octet-stream; name=a.svg\n", "image/svg+xml"), (b"Content-Type: image/svg+xml\n", "image/svg+xml"),
                       (b"Content-Type: application/zip; name=a.zip\n", "")):
        done, said = run("rewrite", "--mail", "--as=defang", text=parts % head), "/" in type and type != "text/html"
        check("a page that is not read stays, which is said", (done.returncode, b"//a.example" in done.stdout, done.stderr), (
            int(said), type != "text/html", said * f"urlsift: standard input: part 1 is a page of the type {type}; it is left as it is\n"), head)
    for head, said in ((b"X: \0y\n", "part 1 is damaged: NULs, or CRs without LF, in a header"), (b"X: y\r\r\n", "part 1 is damaged: NULs, or CRs without LF, in a header"),
                       (b"\nx\r--b\r", "it has other parts where a CR alone ends a line; links in them are left as they are"),
                       (b"\nx\ry\r\n--b\n", "")):
        done = run("rewrite", "--mail", "--as=defang", text=parts % (head + b"Content-Type: text/html\n"))
        check("what readers may see in another way is said", (done.returncode, b"//a.example" in done.stdout, said in done.stderr.strip()),
              (int(bool(said)), False, True), head)
    turned = b"From: a\nX: y\rDate: b\rContent-Type: text/html\r\r<a href='http://a.example/'>a</a>\n\n<a href='http://b.example/'>b</a>\n"
    done = run("rewrite", "--mail", "--as=defang", "--input=mail", text=turned)
    check("a header of lines that end in CR", (done.returncode, done.stdout), (
        1, turned.replace(b"http://a.", b"hxxp[:]//a[.]").replace(b"http://b.", b"hxxp[:]//b[.]")))
    file = parts.replace(b"<a href='http://a.example/'>a</a>", b"<http://a.example/a/\nb>") % b"Content-Type: application/octet-stream; name=a.patch\n"
    for form, status, text in ("join", 0, file), ("wrap", 1, file), ("defang", 0, file.replace(b"http://a.", b"hxxp[:]//a[.]")):
        done = run("rewrite", "--mail", f"--as={form}", text=file)
        check("a file that is data by its type has its lines as they are", (done.returncode, done.stdout, done.stderr), (
            status, text, status * "urlsift: standard input: part 1 is application/octet-stream; it is left as it is\n"), form)
    for type in b"application/pkcs7-mime", b"application/x-pkcs7-mime", b"application/pgp-encrypted":
        done = run("rewrite", "--mail", "--as=defang", text=parts % (b"Content-Type: %s\n" % type))
        check("what is sealed stays, which is said", (done.returncode, done.stderr),
              (1, "urlsift: standard input: part 1 is signed or encrypted; it is left as it is\n"), type)
    signed = (b"From: a\nDate: b\nContent-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href='http://a.example/'>a</a>\n"
              b"--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n")
    done = run("rewrite", "--mail", "--as=defang", text=signed)
    check("signed HTML stays, which is said", (done.returncode, done.stdout, "is signed" in done.stderr), (1, signed, True))
    wide = FIELDS + b"Content-Type: text/html; charset=utf-16le\n\n" + "<a href='http://a.example/'>a</a>".encode("utf-16-le")
    done = run("rewrite", "--mail", "--as=defang", "--headers=none", text=wide)
    check("HTML in UTF-16 stays, which is said", (done.returncode, done.stdout, "left as it is" in done.stderr), (1, wide, True))


def test_mail_base():
    """--mail --as=defang of a base in the header, on which links of the parts depend."""
    for name in (b"Content-Base", b"Content-Location"):
        for value, fanged in ((b"http://b.example/d/", b"hxxp[:]//b[.]example/d/"), (b'"http://b.example/\n  d/"', b'"hxxp[:]//b[.]example/d/\n  "'),
                              (b"http://b.example/d/ (there)", b"hxxp[:]//b[.]example/d/ (there)")):
            message = (b"From: a\nDate: b\nMIME-Version: 1.0\n%s: %s\nContent-Type: multipart/related; boundary=b\n\n--b\n\nhttp://a.example/\n"
                       b"--b\nContent-Type: text/html\n\n<a href=x>x</a> <img src='i.png'> <a href='http:e.example'>\n--b--\n")
            done = run("rewrite", "--mail", "--as=defang", text=message % (name, value))
            check("a base of the header", (done.returncode, done.stderr, done.stdout), (0, "", message.replace(
                b"http://a.example", b"hxxp[:]//a[.]example").replace(b"http:e.", b"hxxp[:]e[.]") % (name, fanged)), value)
            check("nothing leads to a host", run("list", "--resources", text=done.stdout).stdout, b"", value)
            check("its links", run("list", "--refang", "--resources", text=done.stdout).stdout,
                  run("list", "--resources", text=message % (name, value)).stdout, value)
            check("refanged", b"".join(run("rewrite", "--mail", "--as=refang", text=done.stdout).stdout.split()),
                  b"".join((message % (name, value)).split()), value)
    long = message % (b"Content-Base", b"http://b.example/" + b"a" * 1005)
    done = run("rewrite", "--mail", "--as=defang", text=long)
    check("a base that would be too long stays, and all else goes", (done.returncode, done.stdout, done.stderr), (1, long.replace(
        b"http://a.example", b"hxxp[:]//a[.]example").replace(b"http:e.", b"hxxp[:]e[.]"), "urlsift: standard input: relative links of its HTML still "
        "lead to a host\nurlsift: standard input: the header cannot be changed without losing a link; it is left as it is\n"))


def test_harmless():
    """After --mail --as=defang no link leads to a host, unless that is said."""
    for path in sorted(glob.glob(os.path.join(DATA, "**", "*.eml"), recursive=True))[::3 if FAST else 1]:
        done = run("rewrite", "--mail", "--as=defang", "--input=mail", path)
        left = [url for url in run("list", "--input=mail", "--format=%h", text=done.stdout).stdout.split(b"\n")
                if url and b"%5B" not in url and b"%5D" not in url] # no browser takes the host a[.]example
        check("nothing leads to a host, or it is said", (bool(left) and not done.stderr, done.returncode), (False, int(bool(left) or any(word in done.stderr for word in (" is a page of ", " is signed or encrypted; ", " is damaged: ", " has other parts ")))), path)
        if not left:
            check("defang again", run("rewrite", "--mail", "--as=defang", "--input=mail", text=done.stdout).stdout, done.stdout, path)


def tracked_html(choose):
    """An HTML text with links, and the same with parameters that track: what clean must give and what it is given."""
    quotes, texts = ['"', "'", ""], []
    for _ in range(40):
        quote, amp = choose.choice(quotes), choose.choice(["&amp;", "&"])
        own = choose.sample(["id=1", "q=%20x", "b=c.d", "u=%C3%B6"], choose.randrange(4))
        tracking = choose.sample(["utm_source=mail", "UTM_medium=e", "fbclid=a-b", "mc_eid=1", "gclid="], choose.randrange(3))
        both = own + tracking
        choose.shuffle(both)
        def url(names):
            return path + ("?" + amp.join(names) if names else "") + fragment
        path = choose.choice(["http://a.example/", "https://b.example/x/y.html", "HTTP://c.example", "http://d.example:8080/~jo"])
        fragment = choose.choice(["", "#top"])
        around = choose.choice([f"<a href={quote}%s{quote}>label</a>", f"<A class=x\n HREF = {quote}%s{quote} id=z>%s</A>",
                                f"<form action={quote}%s{quote} ><input></form>", "<p>see %s now</p>", "<!-- %s --><b>x &lt; y</b>",
                                f"<img src={quote}%s{quote}>", "<p>(see %s).", "<a href=\"x?utm_source=r\">relative</a>"])
        linked = not around.startswith(("<!--", "<img"))
        count = around.count("%s")
        clean = [n for n in both if n in own]
        texts.append((around % ((url(clean if linked else both),) * count), around % ((url(both),) * count)))
    return ["\n".join(pair[i] for pair in texts).encode() + b"\n" for i in (0, 1)]


def test_clean_html():
    """--mail --as=clean, https and unwrap of HTML: the targets change, and not a byte beside them."""
    choose = random.Random(5)
    head = FIELDS.replace(b"Lines: 17\n", b"") + b"Content-Type: text/html\nContent-Transfer-Encoding: %s\n\n"
    for _ in range(100 if LONG else 10):
        clean, tracked = tracked_html(choose)
        done = run("rewrite", "--mail", "--as=clean", text=head % b"8bit" + tracked)
        check("clean of HTML", (done.returncode, done.stderr, done.stdout), (0, "", head % b"8bit" + clean))
        for name, encoded in ((b"quoted-printable", quopri.encodestring(tracked)), (b"base64", base64.encodebytes(tracked))):
            done = run("rewrite", "--mail", "--as=clean", text=head % name + encoded)
            check("clean of encoded HTML", (done.returncode, email.message_from_bytes(done.stdout).get_payload(decode=True)), (0, clean))
    text = head % b"8bit" + (b"<base href='http://b.example/'><a href='http://a.example:80/?x=1&amp;y'>a</a> <a href=c>c</a> <a href="
                             b"'https://www.google.com/url?q=http://g.example/%3Fa%26b'>g</a> http://k.ex<b>ample</b>/?gclid=1\n")
    for form, old, new in (("https", b"http://a.example:80/", b"https://a.example/"), ("https", b"href=c", b"href=https://b.example/c"),
                           ("unwrap", b"https://www.google.com/url?q=http://g.example/%3Fa%26b", b"http://g.example/?a&amp;b"),
                           ("https", b"<http://u.", b"<https://u."),
                           ("host:n.example", b"http://a.example:80/", b"http://n.example/")):
        done = run("rewrite", "--mail", f"--as={form}", text=text)
        check(f"{form} of HTML", (old in done.stdout, new in done.stdout), (False, True), new)
    for form, said in (("clean", "part 1 has links; it is left as it is"), ("https", "part 1 has links that are left as they are"), ("unwrap", "")):
        done = run("rewrite", "--mail", f"--as={form}", text=text)
        check("a link with markup inside", (done.returncode, b"http://k.ex<b>ample</b>/?gclid=1" in done.stdout, done.stderr),
              (bool(said), True, f"urlsift: standard input: {said}\n" if said else ""), form)
    folded = FIELDS + b"List-Help: <http://a.example/\n b?utm_source=x&c>, <http://a.example/\n d>\n\nx\n"
    for form, new in (("clean", b"<http://a.example/b?c\n >, <http://a.example/\n d>"),
                      ("https", b"<https://a.example/b?utm_source=x&c\n >, <https://a.example/d\n >")):
        done = run("rewrite", "--mail", f"--as={form}", text=folded)
        check("a folded link of the header", (done.returncode, email.message_from_bytes(done.stdout)["List-Help"]), (0, new.decode()), form)
    signed = (b"From: a\nDate: b\nContent-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href='http://a.example/"
              b"?utm_id=1'>x</a>\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n")
    done = run("rewrite", "--mail", "--as=clean", text=signed)
    check("clean of a signed part", (done.returncode, done.stdout, done.stderr),
          (1, signed, "urlsift: standard input: part 1 is signed or encrypted; it is left as it is\n"))


def changed_while_read():
    """A line is added to a log after the new file was begun: the status, whether it is said, whether the line is there."""
    os.mkdir("live")
    write("live/log", b"see http://a.example/ ok\n" * 400_000)
    with subprocess.Popen([URLSIFT, "rewrite", "--as=defang", "--in-place", "live/log"], stderr=subprocess.PIPE) as process:
        while len(os.listdir("live")) < 2 and process.poll() is None:
            pass
        with open("live/log", "ab") as log:
            log.write(b"the last line\n")
        said = process.communicate()[1]
    kept = read("live/log").endswith(b"ok\nthe last line\n")
    shutil.rmtree("live")
    return process.returncode, b"live/log: changed while it was read; it is left as it is" in said, kept


def main():
    quick = (test_unlinkable, test_apart, test_glued, test_left_out, test_half_defanged, test_changes, test_followed, test_generated, test_legacy, test_escapes, test_escaped_targets, test_join, test_targets, test_html_mail, test_announced, test_margins,
             test_terminal, test_parentheses, test_names_in_brackets, test_usage, test_in_place, test_block_of_two, test_ended, test_mail, test_mailbox, test_footnotes, test_mail_html, test_mail_base, test_harmless, test_clean_html, test_again, test_code)
    for test in quick if FAST else (*quick, test_blocks, test_docutils, test_texts):
        test()
    finish()


main()
