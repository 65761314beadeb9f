#!/usr/bin/env python3
"""What is read, and how it is searched.  FAST: all of it.

  inputs  folders with --recursive, HTML documents, the words of --input; and how files are named
  search  files as with grep: which names are read, -l, -q, tables of values, and options that would have no effect
  live    input that pauses: each link is written before the next line comes, and what is written does not depend on
          pauses. The writer waits for the output, so nothing is measured on the clock; only where no output may come, it
          pauses.
"""
import codecs
import contextlib
import csv
import gzip
import io
import json
import os
import pty
import resource
import select
import subprocess
import tarfile
import zipfile

from testlib import (HANG, SANITIZED, URLSIFT, check, expect, finish, has, no_terminal, read, run, run_text, skip,
                     temporary_folder, write)


# ---- Inputs ----

def lines(items):
    return "".join(f"{item}\n" for item in items)


def url(name):
    return f"http://{name}.example/"


MAIL = "From: a\nDate: b\n\n" + url("mail") + "\n"
PAGE = '<!DOCTYPE html>\n<base href="http://b.example/d/">\n<a href="x">this</a> ' + url("page") + "\n"


def test_nothing_read():
    """Where no input can be read nothing is written, not even a page or a heading; an empty input has them."""
    for verb in ("html",), ("list", "--csv"), ("list",):
        done = run(*verb, "missing")
        check("nothing is written", (done.returncode, done.stdout), (1, b""), verb)
    for verb in ("html",), ("list", "--csv"):
        check("an empty input", bool(run(*verb, "missing", "-", text=b"").stdout), True, verb)


def test_recursive():
    write("tree/b.txt", url("b"))
    write("tree/a.txt", url("a"))
    write("tree/.hidden", url("no"))
    write("tree/.git/x", url("no"))
    write("tree/sub/binary", b"\x7fELF\0" + url("no").encode())
    write("tree/sub/page.html", PAGE)
    write("tree/sub/deep/mail", MAIL)
    write("tree/1/2", url("two"))
    os.symlink("../b.txt", "tree/sub/link")
    os.symlink("..", "tree/sub/round")
    os.mkfifo("tree/fifo")
    wanted = [("tree/a.txt", url("a")), ("tree/b.txt", url("b")), ("tree/1/2", url("two")), ("tree/sub/link", url("b")),
              ("tree/sub/page.html", "http://b.example/d/x"), ("tree/sub/page.html", url("page")), ("tree/sub/deep/mail", url("mail"))]
    size = sum(os.path.getsize(name) for name, link in wanted if "page" not in link)
    summary = f"urlsift: files 6, bytes {size}, messages 1, links 7, errors 0, limits 0, skipped 5, relative 0, unsearched 0\n"
    for jobs in ("-j1", "-j2", "-j5"):
        check(f"-r {jobs}", run_text("list", "-rH", jobs, "--summary", "tree"), (0, lines(f"{n}:{u}" for n, u in wanted), summary))
    check("-r names the files of numbers", run_text("list", "-rb", "tree/1"), (0, f"tree/1/2:0:{url('two')}\n", ""))
    check("-r and -I", run_text("list", "-rbI", "tree/1"), (0, f"0:{url('two')}\n", ""))
    check("-r of a file", run_text("list", "-r", "tree/a.txt"), (0, lines([url("a")]), ""))
    check("a binary file that is named", run_text("list", "-r", "tree/sub/binary"), (0, lines([url("no")]), ""))
    write("saved.msg", bytes.fromhex("d0cf11e0a1b11ae1") + url("saved").encode() + b"\0")
    said = ("is an Outlook message or an old Office file, which is not read: msgconvert(1) makes mail of a message, --input=text reads"
            " the bytes\n")
    check("a message of Outlook", run_text("list", "saved.msg"), (1, "", f"urlsift: saved.msg: {said}"))
    check("its bytes", run_text("list", "--input=text", "saved.msg")[:2], (0, lines([url("saved")])))
    write("paper.pdf", b"%PDF-1.7\n<</URI (" + url("page").encode() + b")>>\n\0")
    said = "is a PDF, whose text is mostly compressed and not searched: pdftotext(1) extracts it"
    check("a PDF", run_text("list", "paper.pdf"), (1, lines([url("page")]), f"urlsift: paper.pdf: {said}\n"))
    check("a PDF as bytes", run_text("list", "--input=text", "paper.pdf"), (0, lines([url("page")]), ""))
    check("-r: it is binary", run_text("list", "-rc", "--include=*.msg"), (0, "", ""))
    write("plain/paper.pdf", "%PDF-1.7\n" + url("page"))
    write("plain/Inbox.msf", "// <!-- <mdb:mork:z v=\"1.4\"/> -->\n<(80=" + url("index") + ")>\n")
    check("-r: a PDF is binary without a NUL, and so is an index of Thunderbird", run_text("list", "-r", "plain"), (0, "", ""))
    check("an index that is named", run_text("list", "plain/Inbox.msf"), (0, lines([url("index")]), ""))
    for mark, form in (("fffe", "utf-16-le"), ("feff", "utf-16-be"), ("fffe0000", "utf-32-le"), ("0000feff", "utf-32-be")):
        write(f"wide/{form}.txt", bytes.fromhex(mark) + url("wide").encode(form))
    check("-r: wide characters are no binary file", run_text("list", "-rI", "wide"), (0, lines([url("wide")] * 4), ""))
    for form in "utf-16le", "utf-16be":
        name, wide = f"wide/{form}", ("see " + url("wide")).encode(form)
        write(name, wide)
        said = f"seems to be UTF-16 without a byte order mark: --charset={form} reads it\n"
        check(f"{form} without a mark", run_text("list", name), (1, "", f"urlsift: {name}: {said}"))
        check(f"{form} without a mark, its record", json.loads(run_text("list", "--json", name)[1])["what"] + "\n", said)
        check(f"{form} named", run_text("list", f"--charset={form}", name), (0, lines([url("wide")]), ""))
        check(f"{form} as bytes", run_text("list", "--input=text", name)[0], 0)
        for at, words in enumerate(("参照 ", "\u3000一\n" * 400, "см. ")):
            name = write(f"wide/{form}-{at}", (words + url("wide")).encode(form))
            check(f"{form} of another script", run_text("list", name), (1, "", f"urlsift: {name}: {said}"), at)
        name = write(f"wide/{form}.bin", b"\x7fbin\0\0\1\2" + ("see " + url("wide")).encode(form))
        check(f"{form} within binary data", run_text("list", name)[2], "")
        live = Live("-")
        for byte in wide:
            live.put(bytes([byte]))
        check(f"{form} byte by byte", (live.end(), live.process.returncode), ("", 1))
    for n in 2, 6, 7, 8, 9, 10:  # eight bytes of it show that it is wide
        for first in 0, 1:
            for odd in None, 0, 1, n - 1:  # a byte that is not as it should be
                data = bytearray((b"a\0" if first else b"\0a") * 5)[:n]
                if odd is not None:
                    data[odd] = 0 if data[odd] else 0x61
                wide = n >= 8 and (odd is None or odd >= 8)
                said = run_text("list", write("wide/edge", bytes(data)))[2]
                check(f"wide text of {n} bytes, {data.hex()}", "seems to be UTF-16" in said, wide)
    for n in 8191, 8192:  # a NUL so far from the beginning makes a file binary
        write("nul/a", url("a").encode() + b"\n" + b"x" * (n - len(url("a")) - 1) + b"\0x")
        check(f"a NUL behind {n} bytes", run_text("list", "-r", "nul")[1], lines([url("a")] if n > 8191 else []))
    for name in ("odd/line\nend", "odd/\x1b[m", os.fsdecode(b"odd/\xff")):
        write(name, url("odd"))
    named = subprocess.run([URLSIFT, "-rl0", "odd"], capture_output=True, timeout=HANG).stdout
    check("-l -0: the names are those of the files", [os.path.exists(name) for name in named.split(b"\0")[:-1]], [True] * 3)
    check("-r and a list of files", run_text("list", "-r", "--files-from=-", text="tree/a.txt\n")[1], lines([url("a")]))
    check("-r and --input", run_text("list", "-r", "--input=text", "tree/sub")[1].count("\n"), 4)
    here = subprocess.run([URLSIFT, "list", "-rc"], cwd="tree/1", capture_output=True, text=True, timeout=HANG)
    check("-r without a file", (here.stdout, here.stderr), ("./2:1\n", ""))
    record = json.loads(run_text("list", "--json", "-r", "--summary", "tree/sub")[1].splitlines()[-1])
    check("skipped in the record", (record["files"], record["skipped"]), (3, 2))
    for name in ("cur/1:2,S", "new/2", ".Sent/cur/3", ".Sent/new/4"):
        write("box/" + name, MAIL)
    check("-r of a maildir", run_text("list", "-rc", "box")[1], lines(f"box/{n}:1" for n in ("cur/1:2,S", "new/2", ".Sent/cur/3", ".Sent/new/4")))
    check("a folder without -r", run_text("list", "tree"),
          (1, "", "urlsift: tree: is a directory, not a mail folder; use -r to read the files in it\n"))
    write("epoch/HEAD", "ref: refs/heads/master\n"), os.makedirs("epoch/objects")
    status, out, error = run_text("list", "epoch")
    check("the epoch of a public-inbox is read by git", (status, out, "not a mail folder" in error), (1, "", False))
    write("big/mail.mbox", ("From a Thu Jan  1 00:00:00 1970\n" + MAIL + "\n") * 3000)
    write("big/z", url("z"))
    for jobs in ("-j1", "-j3"):
        check(f"-r of large files, {jobs}", run_text("list", "-rc", jobs, "big"), (0, "big/mail.mbox:3000\nbig/z:1\n", ""))


def test_html():
    for name, start in (("doctype", "<!doctype HTML>"), ("html", "<HTML lang=en>"), ("after blanks", "\r\n \t<html>"),
                        ("a mark", "\ufeff<!DOCTYPE html PUBLIC '-//x//y'>"), ("XML", "<?xml version='1.0'?>\n<!DOCTYPE html>"),
                        ("comments", "<!-- <p> -- > ->\n--><!-->\n<!---> <!----><Html>"), ("XML and a comment", "<?xml?><!-- c -->\n<!doctype html>")):
        path = write("page", start + '<p title="x"><a href="http://a.example/?x=1&amp;y">a</a>')
        check(f"HTML after {name}", run_text("list", path), (0, "http://a.example/?x=1&y\n", ""))
        for cut in (1, 7, 30):
            done = subprocess.Popen([URLSIFT, "list"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            data = open(path, "rb").read()
            for i in range(0, len(data), cut):
                done.stdin.write(data[i:i + cut])
            done.stdin.close()
            check(f"the same in pieces of {cut}", done.stdout.read(), b"http://a.example/?x=1&y\n")
            done.wait()
    write("bookmarks", '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="http://a.example/" ADD_DATE="1">A page</A>\n')
    check("bookmarks of a browser", run_text("list", "--format=%t", "bookmarks"), (0, "A page\n", ""))
    for meta in ('<meta charset=windows-1251>', '<META http-equiv="Content-Type" content="text/html; charset=Windows-1251" />'):
        page = ("<html>\n" + meta + "<a href='http://a.example/'>").encode() + b"\xef\xf0</a>\n"
        check(meta, run_text("list", "--format=%t", text=page)[1], "\u043f\u0440\n")
        check(f"--charset, not {meta}", run_text("list", "--format=%t", "--charset=iso-8859-1", text=page)[1], "\u00ef\u00f0\n")
    check("no UTF-16", run_text("list", "--format=%t", text="<html><meta charset=utf-16><a href=http://a.example>\u00e4</a>".encode())[1], "\u00e4\n")
    for mark, page in ((codecs.BOM_UTF8, '<meta charset=koi8-r>'), (b"", "<!--<meta charset=koi8-r>--><meta charset=x><meta charset=utf-8>")):
        page = mark + f"<html>{page}<a href=http://a.example>\u00e4</a>".encode()
        check(f"the charset of {page}", run_text("list", "--input=html", "--format=%t", text=page), (0, "\u00e4\n", ""))
    check("other markup is text", run_text("list", "--base=http://b.example/", text=b"<htmlx><a href=d>x</a>")[1], "")
    for start in ("<!-- a list --><ul>", "<!-- <html> ", "<!- c --><html>"):
        check(f"text after {start}", run_text("list", "--base=http://b.example/", text=f"{start}<a href=d>x</a>".encode())[1], "")
    check("--input=html", run_text("list", "--input=html", "--base=http://b.example/c/", text=b"<a href=d>x</a>")[1], "http://b.example/c/d\n")
    check("--input=text", run_text("list", "--input=text", text=PAGE.encode())[1], lines(["http://b.example/d/", url("page")]))
    check("<base>", run_text("list", text=PAGE.encode())[1], lines(["http://b.example/d/x", url("page")]))
    records = [json.loads(line) for line in run_text("list", "--json", text=PAGE.encode())[1].splitlines()]
    check("records of HTML", [(r["source"], r.get("message"), r.get("attribute"), r["line"]) for r in records],
          [("-", None, "a href", 3), ("-", None, None, 3)])
    page = run_text("html", "--fragment", text=PAGE.encode())[1]
    check("a page of HTML", (page.count("<a href="), page.count("<base"), page.count("this")), (2, 0, 1))


def test_input():
    mmdf = ("\1\1\1\1\n" + MAIL + "\1\1\1\1\n") * 2
    check("--input=mmdf", json.loads(run_text("list", "--input=mmdf", "--json", "--summary", text=mmdf.encode())[1].splitlines()[-1])["messages"], 2)
    check("--input=inbox of another folder", run_text("list", "--input=inbox", "box"), (1, "", "urlsift: box: is not a public-inbox\n"))
    check("--input=mail", run_text("list", "--input=mail", text=b"X: y\n\n" + url("a").encode())[1], lines([url("a")]))


def test_fields():
    """CSV by its name, or said to be: no link goes over the end of a field, whatever the number of threads."""
    cells = [f"https://h.example/{i}" for i in range(3)]
    table = f"name,url,date\nAda,{cells[0]},2024-01-02\n\"x, {cells[1]},y\",{cells[2]},z\n"
    wanted = lines([cells[0], cells[1] + ",y", cells[2]])
    write("t.csv", table)
    write("T.CSV", table)
    write("t.txt", table)
    with zipfile.ZipFile("t.zip", "w") as z:
        z.write("t.csv")
    with zipfile.ZipFile("nested.zip", "w") as z:
        z.write("t.zip")
    with gzip.open("T.CSV.gz", "wt") as z:
        z.write(table)
    for name, args in ("t.csv", ()), ("T.CSV", ()), ("T.CSV.gz", ()), ("t.zip", ()), ("nested.zip", ()), \
            ("t.txt", ("--input=csv",)):
        check(f"CSV: {name}", run_text("list", *args, name), (0, wanted, ""))
    check("CSV as text", run_text("list", "--input=text", "t.csv"), run_text("list", "t.txt"))
    check("CSV is rewritten", run_text("rewrite", "--as=clean", "t.csv"), (0, table, ""))
    marked = f'"{cells[1]},y",\u041b\u0422;\u042c\u2022,{cells[0]},x\n"\u2022",{cells[2]},z\n'  # bytes of marks in UTF-16
    wanted_marked = lines([cells[1] + ",y", cells[0], cells[2]])
    for charset in "utf-8-sig", "utf-16":
        write("marked.csv", marked.encode(charset))
        check(f"CSV in {charset}", run_text("list", "marked.csv"), (0, wanted_marked, ""))
    column = ["https://a.example/x;v=1", "https://a.example/y,z"]
    write("column.csv", "url\n" + lines(column))
    check("CSV of one column", run_text("list", "column.csv"), (0, lines(column), ""))
    write("titled.csv", f"Lamps\n\n{table}")
    check("CSV below a title", run_text("list", "titled.csv"), (0, wanted, ""))
    write("long.csv", table * 100000)
    for jobs in "-j1", "-j3":
        done = run_text("list", jobs, "long.csv")
        check(f"CSV with {jobs}", (done[0], done[1] == wanted * 100000, done[2]), (0, True, ""))


def test_passed_over():
    """An archive that ends in a member which is passed over says where it ends; what is before is read."""
    pack, zipped = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=pack, mode="w") as tar, zipfile.ZipFile(zipped, "w") as archive:
        for name, data in (("a", url("a").encode()), ("b", bytes(200_000)), ("c", url("c").encode())):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
            archive.writestr(zipfile.ZipInfo(name), data)
    for form, data in ("tar", pack.getvalue()), ("zip", zipped.getvalue()):
        for cut in 70_000, 199_000:
            path = write(f"cut.{form}", data[:cut])
            check(f"{form} that ends in a member", run_text("list", path),
                  (1, lines([url("a")]), f"urlsift: cut.{form}: is cut off at {cut}\n"), cut)
        path = write(f"whole.{form}", data)
        check(f"{form} with a member that is passed over", run_text("list", path), (0, lines([url("a"), url("c")]), ""))


def test_partly_read():
    """Standard input that somebody has read a part of is read from there, once, and to its end."""
    for text in ("http://a.example/ x\n" * 3, ("From a@a.example Mon Jan  1 00:00:00 2024\n" + MAIL + "\n") * 3):
        third = len(text) // 3
        write("rest", text[third:])
        for args in (["-nb"], ["-nb", "-j3"], ["--json", "-"], ["-b", "-", "-"], ["--range=0:1", "-b", "-"]):
            with open(write("whole", text), "rb", buffering=0) as whole, open("rest", "rb", buffering=0) as rest:
                whole.seek(third)
                check("standard input from its middle", run("list", *args, stdin=whole), run("list", *args, stdin=rest), args)
                check("where it is then", (whole.tell(), rest.tell()), (len(text), len(text) - third), args)


def test_names():
    a, b = write("a", url("a")), write("b", "\n" + url("b"))
    check("several files, -n", run_text("list", "-n", a, b)[1], f"a:1:{url('a')}\nb:2:{url('b')}\n")
    check("several files, -nI", run_text("list", "-nI", a, b)[1], f"1:{url('a')}\n2:{url('b')}\n")
    check("several files", run_text("list", a, b)[1], lines([url("a"), url("b")]))
    check("one file, -n", run_text("list", "-n", b)[1], f"2:{url('b')}\n")
    check("--label is of standard input", run_text("list", "-H", "--label=c", a, "-", text=b"http://b.example/")[1], f"a:{url('a')}\nc:http://b.example/\n")
    check("one file, -H", run_text("list", "-H", b)[1], f"b:{url('b')}\n")
    check("-c with --files-from", run_text("list", "-c", "--files-from=-", text=b"a\n")[1], "a:1\n")
    check("-c of a folder", run_text("list", "-c", "box")[1].startswith("box/cur/"), True)


def test_bytes():
    """A header that comes byte by byte, in packets of a pipe, is not read again for each of them: that took 16 s."""
    if not hasattr(os, "O_DIRECT"):
        skip("a pipe of packets", "not on this system")
        return
    end, pipe = os.pipe2(os.O_DIRECT)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    process = subprocess.Popen([URLSIFT, "list"], stdin=end, stdout=subprocess.PIPE)
    os.close(end)
    data = b"From: a\n" + b"X: y\n" * 12000 + b"Date: b\n\n" + url("a").encode() + b"\n"
    for byte in data:
        os.write(pipe, bytes([byte]))
    os.close(pipe)
    check("the links", process.communicate()[0].decode(), lines([url("a")]))
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    check(f"seconds of processor time: {taken:.1f}", taken < (4 if SANITIZED else 2), True)


def test_inputs():
    with temporary_folder():
        test_recursive()
        test_html()
        test_input()
        test_fields()
        test_names()
        test_partly_read()
        if has("with libarchive"):
            test_passed_over()
        test_bytes()


# ---- Searching ----

def test_choice():
    for path in ("d/a.txt", "d/b.md", "d/sub/c.txt", "d/.hidden/e.txt", "d/.f.txt"):
        write(path, f"http://{os.path.basename(path).strip('.')}.example/\n")
    write("d/none.txt", "nothing\n")

    def found(*options):
        return [os.path.basename(line) for line in run_text("-r", "-l", *options, "d").stdout.split()]

    check("-l names the files with links", found(), ["a.txt", "b.md", "c.txt"])
    check("-l without -r", run("-l", "d/none.txt", "d/b.md").stdout, b"d/b.md\n")
    check("-l of NUL", run("-l0", "d/a.txt", "d/b.md").stdout, b"d/a.txt\0d/b.md\0")
    check("--include", found("--include=*.md"), ["b.md"])
    check("--include, twice", found("--include=*.md", "--include=c*"), ["b.md", "c.txt"])
    check("--include is of files", found("--include=c.txt"), ["c.txt"])
    check("--exclude", found("--exclude=*.txt"), ["b.md"])
    check("--exclude of a folder", found("--exclude=sub"), ["a.txt", "b.md"])
    check("--exclude of folders alone", found("--exclude=sub/", "--exclude=a.txt/", "--exclude=d/b.md/"), ["a.txt", "b.md"])
    check("and by their path", found("--exclude=d/s*b/"), ["a.txt", "b.md"])
    check("a pattern with a slash is for the path", found("--include=d/sub/*"), ["c.txt"])
    check("--hidden", found("--hidden"), [".f.txt", "a.txt", "b.md", "e.txt", "c.txt"])
    check("names of files are read whatever they are", run("-r", "-l", "--include=x", "d/a.txt").stdout, b"d/a.txt\n")
    check("--include without -r", run("--include=x", "d/a.txt").returncode, 2)


def test_quiet():
    for what, args, status in (("a link", ["d/a.txt"], 0), ("none", ["d/none.txt"], 1), ("a link in the second", ["d/none.txt", "d/a.txt"], 0),
                               ("a folder", ["-r", "d"], 0), ("a filter", ["--host=x.example", "d/a.txt"], 1),
                               ("an unreadable file and a link", ["missing", "d/a.txt"], 0), ("records", ["--json", "d/a.txt"], 0),
                               ("numbers", ["-c", "d/none.txt"], 1), ("columns", ["--csv=url", "d/a.txt"], 0),
                               ("how lines look", ["-nbHu0", "--encoded", "--color=always", "d/a.txt"], 0)):
        done = run("-q", *args)
        check(f"-q: {what}", (done.returncode, done.stdout), (status, b""))
    with subprocess.Popen([URLSIFT, "-q"], stdin=subprocess.PIPE) as process:
        process.stdin.write(b"http://a.example/ x\n")
        process.stdin.flush()
        check("-q stops at the first link", process.wait(timeout=HANG), 0)


def test_csv():
    write("table", 'see <http://a.example/1>, http://b.example/x,y z\n[a "label", so](http://c.example/)\n')
    head = "source,line,text,label,warnings\n"
    check("--csv", run_text("--csv", "table").stdout,
          head + 'table,1,http://a.example/1,,\ntable,1,"http://b.example/x,y",,\n'
          'table,2,http://c.example/,"a ""label"", so",\n')
    check("its columns", run_text("--csv=host,line,text", "table").stdout.splitlines()[:2], ["host,line,text", "a.example,1,http://a.example/1"])
    check("no links", run_text("--csv", text="none\n").stdout, head)
    check("an unknown column", run("--csv=text,foo", "table").returncode, 2)
    every = "source,line,column,offset,text,url,normal,label,context,scheme,host,convention,flags,warnings,part,id,subject,from,date"
    mail = "From: \"A, B\" <a@b.example>\nDate: Mon, 2 Mar 2020 10:00:00 +0000\nSubject: one,\n two\n\nhttp://a.example/\n"
    rows = list(csv.DictReader(io.StringIO(run_text(f"--csv={every}", text=mail).stdout)))
    check("the fields of a message", [(row["subject"], row["from"], row["line"]) for row in rows],
          [("one, two", '"A, B" <a@b.example>', "6")])
    done = run("--csv=root", "links")
    wanted = "'root' is not one of text url normal"
    check("an unknown column: the known ones are named", (done.returncode, wanted in done.stderr, "csv" in done.stderr), (2, True, True))
    many = write("many", "".join(f"http://{i}.example/\n" for i in range(50000)))
    check("one header row whatever the threads", run("-j2", "--csv=text", many, many, env={"URLSIFT_CUT": "65536"}).stdout,
          b"text\n" + read(many) * 2)


def test_csv_characters():
    """Programs get labels and names as they are, but for controls; spreadsheets no formula; terminals nothing invisible."""
    hidden = "a\u00adb \u200fx \u202ey"
    mail = write("hidden\u00ad.eml", "From: =cmd() <a@b.example>\nDate: Thu, 1 Jan 2004 00:00:00 +0000\nSubject: +1, 2\n"
                 "Content-Type: text/html; charset=utf-8\n\n"
                 f'<a href="http://a.example/">{hidden}</a> <a href="http://b.example/">\uff1d"1"\u009b</a> <a href="http://c.example/"> -1</a>')
    columns = "--csv=label,context,subject,from,source,date"

    def rows(*args):
        return list(csv.DictReader(io.StringIO(run_text(*args, columns, mail).stdout)))
    first = rows()[0]
    check("invisible characters stay", (first["label"], first["context"][:len(hidden)], first["source"]), (hidden, hidden, mail))
    check("controls do not", rows()[1]["label"], '\uff1d"1"\\xc2\\x9b')
    check("--spreadsheet: formulas", [tuple(row[key] for key in ("label", "subject", "from")) for row in rows("--spreadsheet")],
          [(hidden, "'+1, 2", "'=cmd() <a@b.example>"), ("'\uff1d\"1\"\\xc2\\x9b", "'+1, 2", "'=cmd() <a@b.example>"),
           ("'-1", "'+1, 2", "'=cmd() <a@b.example>")])
    check("it is for CSV", run("--spreadsheet", mail).returncode, 2)
    why = no_terminal()
    if why:
        skip("CSV on a terminal", why)
        return
    terminal, other = pty.openpty()
    with subprocess.Popen([URLSIFT, "--csv=label,source", mail], stdout=other):
        os.close(other)
        shown = b""
        with contextlib.suppress(OSError):
            while part := os.read(terminal, 4096):
                shown += part
    os.close(terminal)
    check("on a terminal they are shown", shown.decode().splitlines()[1],
          "a\\xc2\\xadb \\xe2\\x80\\x8fx \\xe2\\x80\\xaey," + mail.replace("\u00ad", "\\xc2\\xad"))


def test_silences():
    write("links", "http://example.org/ http://a.example.org/ http://notexample.org/ <htp://x.example/>\n")
    check("--context without an output that shows it", run("--context", "links").returncode, 2)
    check("--context=0", run("--context=0", "links").returncode, 0)
    check("--context with %x", run("--context=2", "--format=%x", "links").returncode, 0)
    for args in ("--headers=all", "--message-ids"):
        for kind in "text", "html":
            done = run(f"--input={kind}", args, "links")
            check("an option of mail with --input", (done.returncode, f"{args} does nothing" in done.stderr), (2, True), args)
    check("--resources with --input", [run("--resources", f"--input={kind}", "links").returncode for kind in ("text", "html", "mail")], [2, 0, 0])
    check("no header fields of text", run("--headers=none", "--input=text", "links").returncode, 0)
    for value in ("http://a/", "a.example:80", "a.example/b"):
        check("--host of a URL", run(f"--host={value}", "links").returncode, 2, value)
    check("--host=.example.org", run("--host=.example.org", "links").stdout, b"http://example.org/\nhttp://a.example.org/\n")
    write("hosts", "\ufeff# of interest\r\n\r\n  a.example.org \t# this one\r\nnotexample.*")
    check("--host=@FILE", run("--host=@hosts", "links").stdout, b"http://a.example.org/\nhttp://notexample.org/\n")
    check("--not-host=@FILE", run("--not-host=@hosts", "--scheme=http", "links").stdout, b"http://example.org/\n")
    write("hosts", "# none\n\n")
    check("none is no host", run("--not-host=@hosts", "links").stdout, run("links").stdout)
    check("a file without hosts", (run("--host=@hosts", "links")[::2]),
          (2, "urlsift: --host: hosts: has no hosts; try 'urlsift --help'\n"))
    write("hosts", "a.example\nhttp://b.example/\n")
    write("hosts", "0.0.0.0 a.example.org\t b.example # two\n::1 localhost\nc.example\n")
    check("lines of hosts(5)", run("--host=@hosts", text="http://a.example.org http://b.example http://c.example http://d.example http://0.0.0.0/").stdout,
          b"http://a.example.org\nhttp://b.example\nhttp://c.example\n")
    write("hosts", "a.example b.example\n")
    expect("two hosts in a line", "a file has one on each line" in run("--host=@hosts", "links").stderr)
    write("hosts", "fe80::1%lo0 a.example.org\n")
    check("an address with a zone", run("--host=@hosts", "links").stdout, b"http://a.example.org/\n")
    for line in "http://a.example/ b.example", "a.example:80 b.example":
        write("hosts", line + "\n")
        expect(f"no address: {line}", f"'{line}' is not one host" in run("--host=@hosts", "links").stderr)
    write("hosts", "a.example\nhttp://b.example/\n")
    expect("no name after @", "--host: '@' is not one host" in run("--host=@", "links").stderr)
    expect("a file of URLs", "--not-host=@hosts:2: 'http://b.example/' is not one host" in run("--not-host=@hosts", "links").stderr)
    check("no file of hosts", run("--host=@missing", "links")[::2], (3, "urlsift: --host: missing: No such file or directory\n"))
    check("--not-host=.example.org", run("--not-host=.example.org", "--scheme=http", "links").stdout, b"http://notexample.org/\n")
    done = run("--scheme=htp", "links")
    check("--scheme=htp finds", (done.returncode, done.stdout), (0, b"htp://x.example/\n"))
    expect("and names the scheme that may be meant", "did you mean http?" in done.stderr, done.stderr)
    check("a known scheme has no hint", run("--scheme=gopher,http", "links").stderr, "")
    check("a base that is not absolute", run("resolve", "a/b", "c").returncode, 2)
    if has("with SQLite"):
        check("query of a missing file", [run("query", "missing.db", *more).returncode for more in ([], ["hosts"])], [3, 3])
        expect("query --help has the questions", "hosts" in run_text("query", "--help").stdout)
        why = no_terminal()
        if why:
            skip("index on a terminal without files", why)
            return
        terminal, other = pty.openpty()
        done = run("index", "new.db", stdin=other)
        check("index on a terminal without files", (done.returncode, os.path.exists("new.db")), (2, False))
        done = run("index", "--prune", "new.db")
        check("index --prune without files", (done.returncode, os.path.exists("new.db")), (2, False))
        os.close(terminal)
        os.close(other)


def test_pages():
    page = run("html", "links").stdout
    check("html -o -", run("html", "-o", "-", "links").stdout, page)
    check("html -o NAME.html", (run("html", "-o", "page.html", "links").returncode, read("page.html")), (0, page))
    check("html -o N.htm", (run("html", "-o", "p.htm", "links").returncode, read("p.htm")), (0, page))
    run("html", "-o", "page.html", "--fragment", "links")
    check("it is replaced", read("page.html"), run("html", "--fragment", "links").stdout)
    before = read("page.html")
    check("but never an input", (run("html", "-o", "page.html", "page.html").returncode, read("page.html")), (2, before))
    check("a file that is not a page", run("html", "-o", "links", "links").returncode, 3)
    check("a page in a missing folder", run("html", "-o", "missing/page.html", "links").returncode, 3)
    os.chmod("page.html", 0o640)
    os.symlink("page.html", "link.html")
    check("a page after a link", (run("html", "-o", "link.html", "links").returncode, read("page.html")), (0, page))
    check("its mode is kept", (os.stat("page.html").st_mode & 0o777, os.path.islink("link.html")), (0o640, True))
    write("long", "http://a.example/x\n" * 9999)
    small = run("html", "-o", "page.html", "long", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, -1)))
    check("a page that cannot be written leaves the old one", (small.returncode, read("page.html")), (3, page))
    check("and no other file", [name for name in os.listdir() if name.startswith(".")], [])
    os.mkfifo("fifo.html")
    with subprocess.Popen(["cat", "fifo.html"], stdout=subprocess.PIPE) as reader:
        done = run("html", "-o", "fifo.html", "links")
        check("a FIFO is written to", (done.returncode, reader.stdout.read()), (0, page))
    os.mkdir("folder.html")
    check("a folder with the name of a page", run("html", "-o", "folder.html", "links").returncode, 3)
    if has("with SQLite"):
        check("a slash makes a folder", (run("html", "-o", "site.html/", "links").returncode, os.path.exists("site.html/index.html")), (0, True))


def test_search():
    with temporary_folder():
        test_choice()
        test_quiet()
        test_csv()
        test_csv_characters()
        test_silences()
        test_pages()


# ---- Input that pauses ----

PAUSE = 0.12  # seconds: the command takes input for live after 0.05


class Live:
    """A command that reads a pipe, or the file `fifo`."""

    def __init__(self, *args, fifo=None):
        self.process = subprocess.Popen([URLSIFT, *args], stdin=subprocess.DEVNULL if fifo else subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.input = open(fifo, "wb", buffering=0) if fifo else self.process.stdin
        self.output = self.process.stdout.fileno()

    def put(self, text):
        self.input.write(os.fsencode(text))
        self.input.flush()

    def get(self, wanted):
        """What is written until `wanted` is in it, or the output ends, or nothing comes: a failure."""
        seen = b""
        while wanted.encode() not in seen and select.select([self.output], [], [], HANG)[0]:
            more = os.read(self.output, 65536)
            if not more:
                break
            seen += more
        return seen.decode()

    def is_quiet(self):
        return not select.select([self.output], [], [], PAUSE)[0]

    def end(self):
        self.input.close()
        rest = self.process.stdout.read().decode()
        self.process.wait()
        return rest


def follow(what, args, lines, wanted, **more):
    """Writes the lines; wanted[i] is in the output before the line after it is written, "" where nothing is."""
    live, seen = Live(*args, **more), ""
    for line, link in zip(lines, wanted):
        live.put(line)
        if link:
            got = live.get(link)
            expect(what, link in got, got, line)
            seen += got
        else:
            expect(what, live.is_quiet(), "output", line)
    seen += live.end()
    text = os.fsencode("".join(lines))
    check(f"{what}: as without pauses", seen, run(*args, text=text).stdout.decode() if "fifo" not in more else seen)


def test_texts():
    times = [f"2026-11-21T18:00:0{i} host GET http://log.example/{i} 200\n" for i in range(4)]
    links = [f"http://log.example/{i}" for i in range(4)]
    follow("a log with times", [], times, [link + "\n" for link in links])
    follow("its records", ["--json"], times, [f'"text":"{link}"' for link in links])
    follow("its records by a template", ["--format=%l %u"], times, [f"{i + 1} {link}\n" for i, link in enumerate(links)])
    follow("each link once", ["-u"], [times[0], times[0], times[1]], [links[0], "", links[1]])
    follow("its text rewritten", ["rewrite", "--as=angle"], times, [f"<{link}> 200\n" for link in links])
    ends = ["http://a.example/1 now\n", "so it is.\n", "a=b\n", "by ftp\n", "at: a@b\n", "-- a -\n"]
    follow("lines that end with bytes of links", ["rewrite"], ends, ends)
    follow("a page of it", ["html", "--fragment"], times, [f"{link}</a> 200\n" for link in links])
    follow("a whole page", ["html"], times, [f"{link}</a> 200\n" for link in links])
    follow("its rows", ["--csv=url"], times, [link + "\n" for link in links])
    follow("a link at the end of a line waits", [], ["http://a.example/1\n", "http://a.example/2\n", "x\n"],
           ["", "http://a.example/1\n", "http://a.example/2\n"])
    follow("with --join=declared it does not", ["--join=declared"],
           ["http://a.example/1\n", "http://a.example/2\\\n", "b\n"], ["/1\n", "", "http://a.example/2b\n"])
    decided = ["http://a.example/{}.\n", "http://a.example/{}?\r\n", '"http://a.example/{}."\n', '"http://a.example/{}"\n',
               "(http://a.example/{}.)\n", "\u201chttp://a.example/{}.\u201d\n", "'http://a.example/{}',\n", "http://a.example/{}&amp;\n",
               "*http://a.example/{}.*\n", "http://a.example/{}*\n"]
    decided = [line.format(number) for number, line in enumerate(decided)]
    for join in "declared", "never":
        follow("nor with marks after it", ["--join=" + join], decided, [f"/{n}\n" for n in range(len(decided))])
    follow("a chat", [], ["<jo> see http://a.example/1 :)\n", "<al> thanks\n", "<al> or http://a.example/2?\n", "<jo> no\n"],
           ["/1\n", "", "", "/2\n"])
    follow("names and colons are text after eight lines", [], ["jo: see http://a.example/ here\n"] * 10,
           [""] * 7 + ["http://a.example/\n" * 8] + ["http://a.example/\n"] * 2)
    follow("records of JSON", [], ['{"url":"http://a.example/1","n":1}\n'] * 2, ["/1\n"] * 2)


def test_blocks():
    """A byte that belongs to no character begins a line of a block."""
    follow("a block that pauses in a character", [],
           ["=ybegin line=17 size=9 name=f\n", "http://a.example/\n", "\udcb5", "\udcb5\n=yend size=9\n", "at http://b.example/ there\n"],
           ["", "", "", "", "http://b.example/\n"])


def test_rules():
    write("rules", "RFC (\\d+) => http://rfc.example/$1\n")
    follow("links of rules", ["--rules=rules"], ["see RFC 1738 there\n", "and RFC 3986 here\n"], ["/1738\n", "/3986\n"])


def test_mail():
    head, body = ["From: Jo <jo@a.example>\n", "Subject: http://subject.example/\n", "\n"], "see http://body.example/ there\n"
    follow("a mail whose header pauses is a mail", ["--json"], [*head, body],
           ["", "", '"field":"Subject"', '"part":"1","subject":"http://subject.example/"'])
    mbox = ["From jo Sat Nov 21 18:00:00 2026\n", "From: Jo <jo@a.example>\n", "\n", body, "bye\n", "\n"]
    follow("a mailbox", [], mbox * 2, (["", "", "", "http://body.example/\n", "", ""]) * 2)
    base64 = ["From: a\n", "Date: b\n", "MIME-Version: 1.0\n", "Content-Transfer-Encoding: base64\n", "\n",
              "c2VlIGh0dHA6Ly9hLmV4YW1wbGUvIHRoZXJlCgo=\n"]
    follow("an encoded part", [], base64, [""] * 5 + ["http://a.example/\n"])


def test_fifo():
    os.mkfifo("fifo")
    follow("a FIFO", ["fifo"], ["at http://a.example/1 now\n", "at http://a.example/2 now\n"], ["/1\n", "/2\n"], fifo="fifo")


def writes_of(*args):
    """What each write of the output wrote: the pipe keeps them apart."""
    try:
        output, sink = os.pipe2(os.O_DIRECT)
    except (AttributeError, OSError):
        return None
    with subprocess.Popen([URLSIFT, *args], stdout=sink):
        os.close(sink)
        with open(output, "rb", buffering=0) as file:
            return list(iter(lambda: file.read(4096), b""))


def test_line_buffered():
    lines = [f"http://a.example/{i}\n".encode() for i in range(50)]
    write("text", b"".join(lines))
    writes = writes_of("list", "--line-buffered", "text", "text")
    if writes is not None:
        check("--line-buffered writes each link at once", writes, lines * 2)
        check("without it, many", len(writes_of("list", "text")), 1)


def test_live():
    with temporary_folder():
        test_texts()
        test_blocks()
        test_rules()
        test_mail()
        test_fifo()
        test_line_buffered()


def test_styles():
    """A URL of a style ends where its value or its element does, and is not read without --resources."""
    forms = ("<p style='a:url({}'>", "<p style='a:url(\"{}'>", "<p style='@import \"{}'>", '<p style="a:url( {} ">', "<p style=a:url({}>",
             "<p style='a:url({})'>", "<style>a{{b:url({}</style>", "<style>@import '{}'</style>")
    names = [f"http://{number}.example/" for number in range(len(forms))]
    page = "<!DOCTYPE html>" + "x".join(form.format(name) for form, name in zip(forms, names))
    check("where URLs of styles end", run_text("list", "--resources", text=page), (0, lines(names), ""))
    check("styles without --resources", run_text("list", text=page), (0, "", ""))


def main():
    test_nothing_read()
    test_inputs()
    test_styles()
    test_search()
    test_live()
    finish()


main()
