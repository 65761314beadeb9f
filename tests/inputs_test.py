#!/usr/bin/env python3
"""What is read: folders with --recursive, HTML documents, the words of --input; and how files are named."""
import json
import os
import resource
import subprocess

from testlib import HANG, SANITIZED, URLSIFT, check, finish, run_text as run, skip, temporary_folder, write


def lines(items):
    return "".join(f"{item}\n" for item in items)


def url(name):
    return f"http://{name}.example/"


MAIL = "From: a\nDate: b\n\n" + url("mail") + "\n"
PAGE = '<!DOCTYPE html>\n<base href="http://b.example/d/">\n<a href="x">this</a> ' + url("page") + "\n"


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
        check(f"-r {jobs}", run("list", "-rH", jobs, "--summary", "tree"), (0, lines(f"{n}:{u}" for n, u in wanted), summary))
    check("-r names the files of numbers", run("list", "-rb", "tree/1"), (0, f"tree/1/2:0:{url('two')}\n", ""))
    check("-r and -I", run("list", "-rbI", "tree/1"), (0, f"0:{url('two')}\n", ""))
    check("-r of a file", run("list", "-r", "tree/a.txt"), (0, lines([url("a")]), ""))
    check("a binary file that is named", run("list", "-r", "tree/sub/binary"), (0, lines([url("no")]), ""))
    check("-r and a list of files", run("list", "-r", "--files-from=-", text="tree/a.txt\n")[1], lines([url("a")]))
    check("-r and --input", run("list", "-r", "--input=text", "tree/sub")[1].count("\n"), 4)
    here = subprocess.run([URLSIFT, "list", "-rc"], cwd="tree/1", capture_output=True, text=True, timeout=HANG)
    check("-r without a file", (here.stdout, here.stderr), ("./2:1\n", ""))
    record = json.loads(run("list", "--json", "-r", "--summary", "tree/sub")[1].splitlines()[-1])
    check("skipped in the record", (record["files"], record["skipped"]), (3, 2))
    for name in ("cur/1:2,S", "new/2", ".Sent/cur/3", ".Sent/new/4"):
        write("box/" + name, MAIL)
    check("-r of a maildir", run("list", "-rc", "box")[1], lines(f"box/{n}:1" for n in ("cur/1:2,S", "new/2", ".Sent/cur/3", ".Sent/new/4")))
    check("a folder without -r", run("list", "tree"),
          (1, "", "urlsift: tree: is a directory, not a mail folder; use -r to read the files in it\n"))
    write("big/mail.mbox", ("From a Thu Jan  1 00:00:00 1970\n" + MAIL + "\n") * 3000)
    write("big/z", url("z"))
    for jobs in ("-j1", "-j3"):
        check(f"-r of large files, {jobs}", run("list", "-rc", jobs, "big"), (0, "big/mail.mbox:3000\nbig/z:1\n", ""))


def test_html():
    for name, start in (("doctype", "<!doctype HTML>"), ("html", "<HTML lang=en>"), ("after blanks", "\r\n \t<html>"),
                        ("a mark", "\ufeff<!DOCTYPE html PUBLIC '-//x//y'>"), ("XML", "<?xml version='1.0'?>\n<!DOCTYPE html>")):
        path = write("page", start + '<p title="x"><a href="http://a.example/?x=1&amp;y">a</a>')
        check(f"HTML after {name}", run("list", path), (0, "http://a.example/?x=1&y\n", ""))
        for cut in (1, 7, 30):
            done = subprocess.Popen([URLSIFT, "list"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            data = open(path, "rb").read()
            for i in range(0, len(data), cut):
                done.stdin.write(data[i:i + cut])
            done.stdin.close()
            check(f"the same in pieces of {cut}", done.stdout.read(), b"http://a.example/?x=1&y\n")
            done.wait()
    for meta in ('<meta charset=windows-1251>', '<META http-equiv="Content-Type" content="text/html; charset=Windows-1251" />'):
        page = ("<html>\n" + meta + "<a href='http://a.example/'>").encode() + b"\xef\xf0</a>\n"
        check(meta, run("list", "--format=%t", text=page)[1], "\u043f\u0440\n")
        check(f"--charset, not {meta}", run("list", "--format=%t", "--charset=iso-8859-1", text=page)[1], "\u00ef\u00f0\n")
    check("no UTF-16", run("list", "--format=%t", text="<html><meta charset=utf-16><a href=http://a.example>\u00e4</a>".encode())[1], "\u00e4\n")
    check("other markup is text", run("list", "--base=http://b.example/", text=b"<htmlx><a href=d>x</a>")[1], "")
    check("--input=html", run("list", "--input=html", "--base=http://b.example/c/", text=b"<a href=d>x</a>")[1], "http://b.example/c/d\n")
    check("--input=text", run("list", "--input=text", text=PAGE.encode())[1], lines(["http://b.example/d/", url("page")]))
    check("<base>", run("list", text=PAGE.encode())[1], lines(["http://b.example/d/x", url("page")]))
    records = [json.loads(line) for line in run("list", "--json", text=PAGE.encode())[1].splitlines()]
    check("records of HTML", [(r["source"], r.get("message"), r.get("attribute"), r["line"]) for r in records],
          [("-", None, "a href", 3), ("-", None, None, 3)])
    page = run("html", "--fragment", text=PAGE.encode())[1]
    check("a page of HTML", (page.count("<a href="), page.count("<base"), page.count("this")), (2, 0, 1))


def test_input():
    mmdf = ("\1\1\1\1\n" + MAIL + "\1\1\1\1\n") * 2
    check("--input=mmdf", json.loads(run("list", "--input=mmdf", "--json", "--summary", text=mmdf.encode())[1].splitlines()[-1])["messages"], 2)
    check("--input=inbox of another folder", run("list", "--input=inbox", "box"), (1, "", "urlsift: box: is not a public-inbox\n"))
    check("--input=mail", run("list", "--input=mail", text=b"X: y\n\n" + url("a").encode())[1], lines([url("a")]))


def test_names():
    a, b = write("a", url("a")), write("b", "\n" + url("b"))
    check("several files, -n", run("list", "-n", a, b)[1], f"a:1:{url('a')}\nb:2:{url('b')}\n")
    check("several files, -nI", run("list", "-nI", a, b)[1], f"1:{url('a')}\n2:{url('b')}\n")
    check("several files", run("list", a, b)[1], lines([url("a"), url("b")]))
    check("one file, -n", run("list", "-n", b)[1], f"2:{url('b')}\n")
    check("one file, -H", run("list", "-H", b)[1], f"b:{url('b')}\n")
    check("-c with --files-from", run("list", "-c", "--files-from=-", text=b"a\n")[1], "a:1\n")
    check("-c of a folder", run("list", "-c", "box")[1].startswith("box/cur/"), True)


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


def main():
    with temporary_folder():
        test_recursive()
        test_html()
        test_input()
        test_names()
        test_bytes()
    finish()


main()
