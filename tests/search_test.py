"""Searching files as with grep: which names are read, -l, -q, tables of values, and options that would have no effect."""
import csv
import io
import os
import pty
import subprocess

from testlib import HANG, URLSIFT, check, expect, finish, has, no_terminal, read, run, run_text, skip, temporary_folder, write


def test_names():
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
    check("a pattern with a slash is for the path", found("--include=d/sub/*"), ["c.txt"])
    check("--hidden", found("--hidden"), [".f.txt", "a.txt", "b.md", "e.txt", "c.txt"])
    check("names of files are read whatever they are", run("-r", "-l", "--include=x", "d/a.txt").stdout, b"d/a.txt\n")
    check("--include without -r", run("--include=x", "d/a.txt").returncode, 2)


def test_quiet():
    for what, args, status in (("a link", ["d/a.txt"], 0), ("none", ["d/none.txt"], 1), ("a link in the second", ["d/none.txt", "d/a.txt"], 0),
                               ("a folder", ["-r", "d"], 0), ("a filter", ["--host=x.example", "d/a.txt"], 1),
                               ("an unreadable file and a link", ["missing", "d/a.txt"], 0), ("records", ["--json", "d/a.txt"], 0),
                               ("numbers", ["-c", "d/none.txt"], 1)):
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
    many = write("many", "".join(f"http://{i}.example/\n" for i in range(50000)))
    check("one header row whatever the threads", run("-j2", "--csv=text", many, many, env={"URLSIFT_CUT": "65536"}).stdout,
          b"text\n" + read(many) * 2)


def test_silences():
    write("links", "http://example.org/ http://a.example.org/ http://notexample.org/ <htp://x.example/>\n")
    check("--context without an output that shows it", run("--context", "links").returncode, 2)
    check("--context=0", run("--context=0", "links").returncode, 0)
    check("--context with %x", run("--context=2", "--format=%x", "links").returncode, 0)
    for value in ("http://a/", "a.example:80", "a.example/b"):
        check("--host of a URL", run(f"--host={value}", "links").returncode, 2, value)
    check("--host=.example.org", run("--host=.example.org", "links").stdout, b"http://example.org/\nhttp://a.example.org/\n")
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
        os.close(terminal)
        os.close(other)


def test_pages():
    page = run("html", "links").stdout
    check("html -o -", run("html", "-o", "-", "links").stdout, page)
    check("html -o NAME.html", (run("html", "-o", "page.html", "links").returncode, read("page.html")), (0, page))
    run("html", "-o", "page.html", "--fragment", "links")
    check("it is replaced", read("page.html"), run("html", "--fragment", "links").stdout)
    before = read("page.html")
    check("but never an input", (run("html", "-o", "page.html", "page.html").returncode, read("page.html")), (2, before))
    check("a file that is not a page", run("html", "-o", "links", "links").returncode, 3)
    check("a page in a missing folder", run("html", "-o", "missing/page.html", "links").returncode, 3)
    os.mkdir("folder.html")
    check("a folder with the name of a page", run("html", "-o", "folder.html", "links").returncode, 3)
    if has("with SQLite"):
        check("a slash makes a folder", (run("html", "-o", "site.html/", "links").returncode, os.path.exists("site.html/index.html")), (0, True))


with temporary_folder():
    test_names()
    test_quiet()
    test_csv()
    test_silences()
    test_pages()
finish()
