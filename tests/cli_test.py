#!/usr/bin/env python3
"""The command line: options, exit statuses, messages, filters, failing outputs.  FAST: all but memory."""
import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile

import html_check
from testlib import DATA, FAST, HANG, SANITIZED, TOP, URLSIFT, check, finish, has, no_terminal, read, run, run_text, skip, temporary_folder, write

TRY = "; try 'urlsift --help'\n"
HINT = "urlsift: %s" + TRY


def output(what, args, text, wanted, status=0, error=""):
    if isinstance(wanted, str):
        wanted = wanted.encode()
    check(what, run(*args, text=text), (status, wanted, error))


def usage(args, message, env=None):
    check(" ".join(map(str, args)), run(*args, env=env), (2, b"", HINT % message))


def usage_of(verb, args, message):
    check(" ".join(args), run(*args), (2, b"", f"urlsift: {message}; try 'urlsift {verb} --help'\n"))


def query_usage(args, message):
    usage_of("query", args, message)


TEXT = """One http://a.example/x here,
two <URL:http://b.example/lo
ng> and www.c.example too,
three http://A.example:80/x again.
"""
LINKS = ["http://a.example/x", "http://b.example/long", "http://www.c.example", "http://A.example:80/x"]
OFFSETS = [TEXT.index(start) for start in ("http://a", "http://b", "www.c", "http://A")]
LINES = [1, 2, 3, 4]


def lines(items):
    return "".join(f"{item}\n" for item in items)


def test_hints():
    """What the words of other programs lead to exists: its verbs, its options and the keys of pick."""
    with open(os.path.join(TOP, "src/cli/hints.c"), encoding="utf-8") as source:
        table = source.read()
    table = table[table.index("others[] = {"):]
    table = table[:table.index("};")]
    rows = re.findall(r'\{ ((?:\s*"[^"]*")+),((?:\s*"(?:[^"\\]|\\.)*")+) \}', table)
    rows = [(re.sub(r'"\s*"|"', "", words), said) for words, said in rows]
    check("rows are read", (len(rows), len(rows) > 20), (table.count("{ \""), True))
    options = set(re.findall(r"(?<!\w)--?\w[\w-]*", run("--help").stdout.decode()))
    of_all = set.intersection(*(set(re.findall(r"(?<!\w)--?\w[\w-]*", re.sub(r"(?m)^ {30}.*", "", run(verb, "--help").stdout.decode())))
                                for verb in ("list", "html", "rewrite", "pick", "index")))
    words = [word for row in rows for word in row[0].split()]
    check("each word stands once", len(words), len(set(words)))
    check("none is an option of all", [word for word in words if word in of_all], [])
    for said in (row[1] for row in rows):
        for name in re.findall(r"(?<![\w>])--?[a-zA-Z0][\w-]*", re.sub(r"head -n|tail -f|grep -v|jq -e|/dev/null", "", said)):
            check("the option of a hint exists", name in options, True, at=name)
        for verb in re.findall(r"'urlsift ([a-z]+)", said):
            check("the verb of a hint exists", b"usage: urlsift " + verb.encode() in run("help", verb).stdout, True, at=verb)


def test_usage():
    usage(["lst"], "no such file or verb 'lst' (did you mean list?)")
    usage(["frobnicate", "-u"], "no such file or verb 'frobnicate'")
    usage(["http://a.example/"], "no such file 'http://a.example/'; nothing is fetched: 'curl -s URL | urlsift' lists the links "
          "of a page, 'urlsift explain URL' explains the URL, 'echo URL | urlsift' reads it as text")
    usage(["rewrite", "--as=clean", __file__, "http://a.example/"], "no such file 'http://a.example/'; nothing is fetched: 'curl -s URL | "
          "urlsift' lists the links of a page, 'urlsift explain URL' explains the URL, 'echo URL | urlsift' reads it as text")
    usage(["list", "--format=json"], "--format: 'json' has no directive, such as %u; JSON is --json, CSV is --csv")
    usage(["index", "-q", "x.db"], "index does not take --quiet, but list does: what could not be read is reported; progress only on a "
          "terminal, or with --progress")
    usage(["list", "--no-quotes"], "unknown option '--no-quotes': 'urlsift rewrite FILE | grep -v \"^>\" | urlsift' leaves out the lines "
          "with quote marks")
    usage(["--json", "explain", "http://a.example/"], "the verb comes first, as in 'urlsift explain'")
    check("after -- a verb is the name of a file", (run("--", "html").returncode, run("--", "html").stderr),
          (1, "urlsift: html: No such file or directory\n"))
    hidden = "http://B.example https://www.google.com/url?q=http%3A%2F%2Fb.example%2F&a=1 https://www.google.com/url?q=http://b.example/&a=2\n"
    check("-u --unwrap compares what is hidden", [run("-u", *option, text=hidden).stdout.count(b"\n") for option in ([], ["--unwrap"])], [3, 1])
    usage(["--fragment", "x"], "--fragment needs a verb before it, as in 'urlsift html --fragment'")
    usage(["help", "lsit"], "no such verb 'lsit' (did you mean list?)")
    usage(["help", "list", "html"], "help takes one verb")
    usage(["completions"], "completions takes bash, zsh or fish")
    usage(["list", "--jsno"], "unknown option '--jsno' (did you mean --json?)")
    usage(["list", "--joni=sure"], "unknown option '--joni' (did you mean --join?)")
    usage(["list", "--uniq"], "unknown option '--uniq' (did you mean --unique?)")
    usage(["html", "--frag"], "unknown option '--frag' (did you mean --fragment?)")
    usage(["explain", "--uniq"], "unknown option '--uniq'")
    usage(["list", "--files-from=a", "--files-from=b"], "--files-from can be given only once")
    usage(["rewrite", "--as=clean", "--as=https"], "--as can be given only once: "
          "'urlsift rewrite --as=clean FILE | urlsift rewrite --as=https'")
    usage(["list", "--frobnicate=3"], "unknown option '--frobnicate'")
    usage(["list", "--" + "x" * 9000], "unknown option '--" + "x" * (3832 - len("unknown option '--")) + "..." + "x" * 255 + "'")
    usage(["list", "-uy"], "unknown option '-y'")
    usage(["list", "--a\x1b[31m\n"], "unknown option '--a^[[31m^J'")
    usage(["list", "-i"], "unknown option '-i': --match='(?i)REGEX' ignores case; a host is compared without it; rewrite "
          "--in-place replaces the files")
    usage(["--sort=name"], "unknown option '--sort': links have the order of the text; sort(1) and tac(1) change it")
    usage(["explain", "-i"], "unknown option '-i'")
    usage(["extract", "x"], "no such file or verb 'extract': 'urlsift FILE' prints the links")
    usage(["defang", __file__], "no such file or verb 'defang' (did you mean 'urlsift rewrite --as=defang'?)")
    usage(["--markdown"], "unknown option '--markdown' (did you mean 'urlsift rewrite --as=markdown'?)")
    usage(["mbox"], "no such file or verb 'mbox' (did you mean 'urlsift list --input=mbox'?)")
    usage(["unwrap"], "no such file or verb 'unwrap': --unwrap prints where rewritten links lead, 'urlsift rewrite --as=unwrap FILE' "
          "puts that into the text, which pick and html can read")
    usage(["highlight"], "no such file or verb 'highlight': 'urlsift rewrite --as=term' shows the text with its links underlined")
    usage(["list", "--untrack"], "unknown option '--untrack': 'urlsift rewrite --as=clean' removes tracking parameters from the links of a "
          "text, as 'x' does in pick")
    usage(["rewrite", "--https"], "unknown option '--https': 'urlsift rewrite --as=https' makes https links of the http ones")
    usage(["--html"], "unknown option '--html' (did you mean 'urlsift html'?)")
    usage(["list", "-o", "x"], "list does not take --output, but html does: 'urlsift FILE > LINKS' keeps the links in a file")
    usage(["html", "--json"], "html does not take --json, but list does")
    usage(["html", "-u"], "html does not take --unique, but list does")
    usage(["query", "--limit", "9", "x.db"], "unknown option '--limit': 'urlsift query DATABASE QUESTION | head -n N' prints the first N rows")
    usage(["query", "--host=a.example", "x.db"],
          "query does not take --host, but list does: a host or URL is an argument, as in 'urlsift query DATABASE urls .a.example'")
    usage(["resolve", "--base=http://a.example/b/", "../c"],
          "resolve does not take --base, but list does: the base comes first, as in 'urlsift resolve http://a.example/b/ ../c'")
    usage(["shards", "--fail-if-none", "x"], "shards does not take --fail-if-none, but list does")
    usage(["list", "--prune"], "list does not take --prune, but html and index do")
    usage(["--prune", "x"], "--prune needs a verb before it, as in 'urlsift index --prune'")
    usage(["list", "--fragment"], "list does not take --fragment, but html does")
    usage(["list", "--json=yes"], "--json does not take a value")
    usage(["rewrite", "--as=no"], "--as takes join|wrap|angle|markdown|org|rst|gemtext|footnotes|term|defang|refang|clean|https|unwrap|"
          "host:HOST|template:TEMPLATE, not 'no'")
    for host in ("", ":80", "a/b", "a b", "jo@a.example", "a.example:x", "a.example:99999", "a.example?b", "<a.example>", "a" * 256,
                 "a..example", ".example"):
        usage(["rewrite", "--as=host:" + host],
              f"--as=host: takes a host, perhaps with a port, such as a.example:8080, not '{host}'")
    usage_of("rewrite", ["rewrite", "--as=template:%z"], "--as: '%z' is not one of the directives of list --format")
    usage_of("rewrite", ["rewrite", r"--as=template:\url{%u}"],
             r"--as: '\u' is not one of the directives of list --format, in which '\\' is a backslash")
    usage(["list", b"-u\xffx"], "unknown option '-\\xffx'")
    usage(["html", "--lang="], "--lang takes a language tag, such as en or pt-BR, not ''")
    for option, argument in (("host", "GLOB"), ("not-host", "GLOB"), ("match", "REGEX"), ("not-match", "REGEX"), ("scheme", "NAME,..."),
                             ("include", "GLOB")):
        for given in ([f"--{option}="], [f"--{option}", ""]):
            usage(["list", *given, "x"], f"--{option} needs a value, and this one is empty: {argument}")
    for verb, option, argument in (("html", "output", "FILE"), ("index", "root", "DIR"), ("list", "files-from", "FILE"),
                                   ("query", "from", "TEXT"), ("query", "since", "DATE"), ("query", "until", "DATE")):
        usage([verb, f"--{option}=", "x"], f"--{option} needs a value, and this one is empty: {argument}")
    for args in ["list", "a"], ["list", "-r"], ["html", "a", "b"], ["index", "x.db", "a"]:
        usage([*args, "--label=c"], "--label is for standard input, which is not read: name it -")
    usage(["list", "--hyphen=keep", "--hyphen=both", "-c"], "--hyphen=both and --count cannot be used together")
    check("of values of an option the last one counts", run("list", "--hyphen=both", "--hyphen=keep", "-c", text=TEXT)[::2], (0, ""))
    usage(["html", "-o", "x", "--fragment"], "--fragment and --output=DIR cannot be used together")
    usage(["html", "-no", "x"], "--line-number and --output=DIR cannot be used together")
    usage(["list", "--base=x"], "--base=x: not an absolute URL, or too long")
    usage(["list", "--null", "--csv"], "--null and --csv cannot be used together")
    hidden = "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F"
    plain = run_text("explain", hidden).stdout
    check("explain says where a rewritten link leads", ("leads to        https://a.example/\n" in plain,
          run_text("explain", "--unwrap", hidden).stdout), (True, plain))
    usage(["resolve"], "resolve needs a base URL, as in 'urlsift resolve http://a.example/b/c ../d'")
    usage(["schemes", "x"], "schemes takes no arguments")
    for value in "", "0", "x", "-1", "1T", "1KK", "9" * 30, "9999999999G":
        usage(["shards", "--size", value], f"--size takes a number of bytes, such as 64M, not '{value}'")
    for value in "x", "0", "1x", "5000000000":
        usage(["list"], f"URLSIFT_CUT={value}: not a number of bytes", {"URLSIFT_CUT": value})
    usage(["list", "--match"], "--match needs a value: REGEX")
    usage(["list", "-j"], "--jobs needs a value: N")
    for args, option in ((["--title", "-o", "x"], "-o"), (["--title", "--css=x"], "--css=x")):
        usage(["html", *args], f"--title needs a value: TEXT; {option} is an option, and --title={option} a value")
    for args in (["--title=-o"], ["--title", "-"], ["--title", "-x"], ["--title", "--xy"]):
        check(f"a title with a hyphen, {args}", f"<title>{args[-1].removeprefix('--title=')}</title>" in run("html", *args, text="x")[1].decode())
    usage(["list", "--json", "-c"], "--json and --count cannot be used together")
    usage(["list", "--json", "--format=%u"], "--json and --format cannot be used together")
    usage(["list", "--encoded", "--json"], "--encoded and --json cannot be used together")
    usage(["list", "-H", "--format=%u"], "--with-filename and --format cannot be used together; %f, %l, %o and %U in a template are the "
          "file name, the line, the byte offset and the encoded link")
    usage(["list", "--csv", "-I"], "--no-filename and --csv cannot be used together; --csv=source,line,offset,url has columns for them")
    usage(["list", "-n", "--csv"], "--line-number and --csv cannot be used together; --csv=source,line,offset,url has columns for them")
    usage(["list", "--input=markdown"], "--input takes auto|text|html|ics|vcf|csv|mail|mbox|mmdf|warc|maildir|mh|spool|inbox, not "
          "'markdown': --input=text reads markup and source code as well")
    usage(["list", "--headers=only"], "--headers takes none|urls|all, not 'only': --format='%H %u' names the header field of each link, "
          "--in=FIELD lists only its links")
    usage(["list", "--header=From"], "list does not take --header, but query does: --format='%H %u' names the header field that a link "
          "is in, --headers=all searches all")
    usage(["list", "--include=a"], "--include, --exclude and --hidden are for --recursive; --match and --not-match choose links")
    usage(["list", "-HI"], "--with-filename and --no-filename cannot be used together")
    usage(["list", "-ul"], "--unique and --files-with-links cannot be used together")
    usage(["rewrite", "--as=html"], "--as takes join|wrap|angle|markdown|org|rst|gemtext|footnotes|term|defang|refang|clean|https|unwrap|"
          "host:HOST|template:TEMPLATE; 'html' is a verb, as in 'urlsift html'")
    for args in [], ["-"], ["-r", "."], ["-r", "--files-from=x"]:
        usage(["rewrite", "--in-place", *args], "--in-place needs names of files, as from 'urlsift -rl0 --include=GLOB FOLDER | xargs -0 urlsift rewrite ...'")
    usage(["rewrite", "--width=40"], "--width is for --as=wrap")
    usage(["html", "--full"], "--full is for --output=DIR, index")
    for value in ("", "0", "-1", "+1", " 1", "1x", "4097", "9" * 30):
        usage(["list", "-j", value], f"--jobs takes a number from 1 to 4096, not '{value}'")
    usage(["list", "--max-url-length=63"], "--max-url-length takes a number from 64 to 65536, not '63'")
    usage(["html", "--max-breaks=17"], "--max-breaks takes a number from 0 to 16, not '17'")
    usage(["html", "--max-alternates=9"], "--max-alternates takes a number from 0 to 8, not '9'")
    usage(["list", "--unique-limit=0"], "--unique-limit takes a number from 1 to 1000000000, not '0'")
    usage(["list", "--join=maybe"], "--join takes never|declared|sure|likely, not 'maybe'")
    usage(["list", "--join=never|declared"], "--join takes never|declared|sure|likely, not 'never|declared'")
    usage(["list", "--www="], "--www takes http|https, not ''")
    usage(["list", "--input=mbx"], "--input takes auto|text|html|ics|vcf|csv|mail|mbox|mmdf|warc|maildir|mh|spool|inbox, not 'mbx'")
    usage(["html", "--headers=some"], "--headers takes none|urls|all, not 'some'")
    for value in ("", "1", ":", "1:", ":1", "-1:2", "1:-2", "1:2:0", "1:2x", " 1:2", "1: 2", "9" * 30 + ":1"):
        usage(["list", "--range", value], f"--range takes OFFSET:LENGTH[:LINE], not '{value}'")
    usage(["list", "--max-depth=101"], "--max-depth takes a number from 1 to 100, not '101'")
    usage(["list", "--max-parts=0"], "--max-parts takes a number from 1 to 10000, not '0'")
    usage(["list", "--max-header=1023"], "--max-header takes a number from 1024 to 1048576, not '1023'")
    usage(["html", "--width=5"], "html does not take --width, but rewrite does")
    directives = r"%u %U %N %s %h %O %A %T %R %q %P %k %g %w %t %L %x %l %c %o %e %f %m %S %F %d %D %r %p %H %a %W %% \n \t \\"
    guessed = b"Everything that we wrote is at http://a.example/written/down/notes/on/mon-\nday-evening.html\n"
    check("--format=%g reports a guess as --json does", run("list", "--format=%g", "--join=declared", text=guessed)[1],
          b"join-guessed\n")
    usage_of("list", ["list", "--format=%u%"], f"--format: '%' is not one of {directives}")
    usage_of("list", ["list", "--format=%z!"], f"--format: '%z' is not one of {directives}")
    usage(["list", "--match=a(b"], "--match: 'a(b': at offset 3: missing closing parenthesis")
    usage(["list", "--match=(*NO_JIT)a"], "--match: '(*NO_JIT)a': must not begin with a verb (*...)")
    usage(["list", "--match=*.pdf"], "--match: '*.pdf': at offset 0: quantifier does not follow a repeatable item; it is a regular "
          "expression, not a glob")
    usage(["list", "--not-match", r"a\C"], r"--not-match: 'a\C': at offset 3: using \C is disabled by the application")
    for text, why in (("x", "a rule is a pattern, ' => ' and a template"), ("=> http://a/", "a rule is a pattern, ' => ' and a template"),
                      ("(*UTF)x => http://a/", "the pattern must not begin with a verb (*...)"),
                      ("a(b => http://a/", "missing closing parenthesis"), (r"a\C => http://a/", "using \\C is disabled by the application"),
                      ("x => a/$0", "the template does not begin with a scheme, such as https:"),
                      ("x => javascript:$0", "links with the scheme of the template cannot be followed"),
                      ("(x) => http://a/$2", "the template refers to a group that the pattern does not have"),
                      ("x => http://a/$", "'$' in the template must be followed by a digit or '$'")):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"# rules\n\n" + text.encode() + b"\n")
            file.flush()
            status, out, error = run("list", "--rules=" + file.name)
            check(f"--rules: {text}", (status, out, error), (2, b"", f"urlsift: --rules: {file.name}:3: {why}\n"))
    with tempfile.NamedTemporaryFile() as file:
        file.write("\ufeffRFC (\\d+) => https://r.example/$1\r\n".encode())
        file.flush()
        for form, want in (("markdown", "[RFC 12](https://r.example/12) RFC\n"), ("org", "[[https://r.example/12][RFC 12]] RFC\n"),
                           ("rst", "`RFC 12 <https://r.example/12>`__ RFC\n"), ("join", "RFC 12 RFC\n")):
            check(f"--rules and rewrite --as={form}", run("rewrite", "--as=" + form, "--rules=" + file.name, text="RFC 12 RFC\n"),
                  (0, want.encode(), ""))
    for rule, text, wanted in (("bug \\K(\\d+) => http://x.example/$1", "bug 12 and bug 34", ["http://x.example/12", "http://x.example/34"]),
                               ("(a)\\K(b) => http://x.example/$0-$1-$2", "ab", ["http://x.example/b-a-b"])):
        with tempfile.NamedTemporaryFile() as file:
            write(file.name, rule + "\n")
            check("a rule that moves the beginning", run("list", "--rules=" + file.name, text=text)[1].decode().split(), wanted)
    check("--rules without a file", run("list", "--rules=/no/such"), (3, b"", "urlsift: --rules: /no/such: No such file or directory\n"))
    usage(["list", "--scheme=http,,ftp"], "--scheme: '' is not a scheme name")
    usage(["list", "--scheme=http://"], "--scheme: 'http://' is not a scheme name")
    usage(["list", "--in=a href"], "--in: 'a href' is not a field or element name")
    usage(["list", "--not-scheme=3d"], "--not-scheme: '3d' is not a scheme name")
    usage(["list", "--convention=angle,round"], "--convention: 'round' is not one of wrapper, angle, quoted, prefix, "
          "bare, schemeless, email, rule")
    usage(["list", "--convention=rule"], "--convention=rule is for --rules")
    usage(["list", "--valid=rfc1738,rfc822"], "--valid: 'rfc822' is not one of rfc1738, rfc3986, rfc3987")
    error = run("html", "--no-warning=bidi,odd")[2]
    names = re.fullmatch(r"urlsift: --no-warning: 'odd' is not one of (.*), any" + re.escape(TRY), error)
    check("html --no-warning=bidi,odd names every warning, which has a file", sorted(names[1].split(", ")) if names else error,
          sorted(file.removesuffix(".txt") for file in os.listdir(os.path.join(DATA, "warnings"))))
    for charset in ("", "//", "no-such", "UTF-8//IGNORE"):
        status, out, error = run("list", "--charset=" + charset)
        check(f"--charset={charset}", (status, out, error.startswith(f"urlsift: --charset={charset}: "), error.endswith(TRY),
                                       error.count("\n")), (2, b"", True, True, 1))
    usage(["list"], "URLSIFT_IMPL=mmx: not one of portable, sse2, avx2, avx512, neon and wasm128, or not supported here", {"URLSIFT_IMPL": "mmx"})
    output_of_portable = run("list", text=TEXT, env={"URLSIFT_IMPL": "portable"})
    check("URLSIFT_IMPL=portable", output_of_portable, (0, lines(LINKS).encode(), ""))


def test_archive_usage():
    """The verbs of archives: what names the database, the question, the pieces and their parts."""
    if not has("with SQLite"):
        skip("usage of index and query", "no SQLite")
        return
    usage(["index"], "index needs the name of a database")
    usage(["index", "-", "x"], "index needs the name of a database before '-', as in 'urlsift index links.db -'")
    check("none is made of that name", [name for name in ("-", "-.lock") if os.path.exists(name)], [])
    usage(["index", "--parts=p", "x.db"], "--parts needs --shards-from")
    usage(["index", "--merge", "x.db"], "--merge needs the names of parts, or --shards-from")
    usage(["index", "--merge", "x.db", "--shards-from=s"], "--shards-from needs --parts")
    usage(["index", "--shards-from=-", "x.db"], "--shards-from=- needs --parts")
    usage(["list", "--parts=p"], "--parts needs --shards-from")
    usage(["list", "--parts=p", "--shards-from=s"], "--parts needs --json")
    check("a list of no pieces", (run("index", "--merge", "x.db", "--shards-from=" + os.devnull, "--parts=p"), os.path.exists("x.db")),
          ((1, b"", f"urlsift: {os.devnull}: there are no shards in it\n"), False))
    for args in ["index", "--merge", "x.db", "y"], ["index", "x.db", "y"], ["list", "y"]:
        usage([*args, "--shards-from=s"], "--shards-from and files cannot be used together")
    usage(["index", "--parts=p", "--shards-from=s", "x.db"], "--shards-from and files cannot be used together, nor --parts and a database; "
          "--merge adds the parts to one")
    usage(["shards"], "shards needs the names of files")
    for option in "--parts=p", "--shards-from=s":
        usage(["shards", option, "x"], "shards takes --parts and --shards-from with --todo")
        usage(["shards", option, "--todo"], "--todo needs --parts and --shards-from")
    for args in (["list"], ["index", "--parts=/tmp"], ["shards", "--todo", "--parts=p"],
                 ["index", "--merge", "x.db", "--parts=p"]):
        check(f"pieces that are missing, {args}", run(*args, "--shards-from=gone"),
              (1, b"", "urlsift: gone: No such file or directory\n"))
    query_usage(["query", "--sql"], "query --sql needs the name of a question")
    query_usage(["query", "x.db", "hosst"], "no such question 'hosst' (did you mean hosts?)")
    query_usage(["query", "hosts", "x.db"], "the database comes first, as in 'urlsift query x.db hosts'")
    questions = ", ".join(re.findall(r"(?m)^(\w+) .*\n", run("query", "--help").stdout.decode().split("Questions:\n")[1].split("\n\n")[0] + "\n"))
    for args, name, database in (["--sql", "frobnicate"], "frobnicate", "DATABASE"), (["x.db", "search", "a"], "search", "x.db"):
        query_usage(["query", *args], f"no such question '{name}', only {questions}; a word within URLs is found by sqlite3 {database} "
                    "\"SELECT * FROM links WHERE url LIKE '%WORD%'\"")
    query_usage(["query", "x.db", "hosts", "x"], "query hosts takes no arguments")
    query_usage(["query", "x.db", "urls", "a.example", "2024-05"], "query urls takes [HOST], not '2024-05' too")
    for name, of, example in (("links", "HOST [DATE]", "a.example"), ("new", "DATE", "2024-05-31"),
                              ("first", "URL...", "http://a.example/"), ("address", "MSGID", "id@a.example")):
        query_usage(["query", "x.db", name], f"query {name} needs {of}, as in 'urlsift query x.db {name} {example}'")
    query_usage(["query", "x.db", "urls", "a", "b"], "query urls takes [HOST], not 'b' too")
    for argument in ("http://a.example/", "a.example/b", "*.a.example", "me@a.example", " a.example", ""):
        query_usage(["query", "--sql", "x.db", "urls", argument], f"query urls takes [HOST], not '{argument}'" +
                    ("; .a.example is a.example and all names below it" if argument.startswith("*") else
                     "; its host is a.example" if "://" in argument else ""))
    for argument in ("soon", "24-05-31", "2024-5-31", "2024-02-30", "2023-02-29", "2024-04-31", "2024-", "20245"):
        query_usage(["query", "--sql", "x.db", "new", argument], "query new takes DATE, such as 2024-05-31, 2024-05 or 2024, not "
                    f"'{argument}'")
    check("the last days of months", [run("query", "--sql", "x.db", "new", date).returncode for date in
                                      ("2024-02-29", "2023-02-28", "2024-12-31", "2000-02-29")], [0] * 4)
    check("a database that is not there", run("query", "gone.db", "hosts"), (3, b"", "urlsift: gone.db: No such file or directory\n"))
    check("a folder is no database", run("query", ".", "hosts"), (3, b"", "urlsift: .: is not an index of urlsift, which"
                                                                  " 'urlsift index DATABASE FILE...' makes in a new file\n"))
    query_usage(["query", "--sql", "x.db", "first", "a.example"], "query first takes URL..., not 'a.example'; did you mean https://a.example")
    query_usage(["query", "--sql", "x.db", "first", "a"], "query first takes URL..., not 'a'")
    query_usage(["query", "--sql", "x.db", "posts", "a.example/b"], "query posts takes URL|HOST [DATE], not 'a.example/b'; did you mean "
                "https://a.example/b")
    query_usage(["query", "--sql", "x.db", "hosts", "http://a.example/"], "query hosts takes no arguments")
    check("query lists its questions", re.findall(rb"(?m)^(\w+) ", run("query")[1])[:3], [b"first", b"posts", b"hosts"])
    posts = [run("query", "--sql", "x.db", "posts", of)[1] for of in ("http://a.example/", "a.example")]
    check("query --sql of a URL and of a host", (b"'http://a.example/'" in posts[0], b"'example.a'" in posts[1]),
          (True, True))
    check("query --sql without a database", b":url" in run("query", "--sql", "posts")[1], True)


def test_index_options():
    """Filters of an index, however many, hold, and must be the same in each run."""
    if not has("with SQLite"):
        skip("options of an index", "no SQLite")
        return
    with open("text", "w") as file:
        file.write("http://a.example/ http://b.example/ <URL:c>\n")
    hosts = [f"--host={n}.example" for n in range(70)] + ["--host=b.example"]
    check("many filters", run("index", "--cache=1", "-j3", *hosts, "x.db", "text"), (0, b"", ""))
    check("all hold", run("query", "x.db", "urls", ".example")[1].split(b"\t")[:1], [b"http://b.example/"])
    check("other filters", run("index", "--host=b.example", "x.db", "text")[0], 2)
    options = ["--base=http://a.example/d/", "--headers=all", "--max-breaks=3", "--email", "--hyphen=drop"]
    check("other options", run("index", *options, "y.db", "text"), (0, b"", ""))
    for option in options:
        check(f"without {option}", run("index", *(o for o in options if o != option), "y.db", "text")[0], 2)
    check("the same options in another order", run("index", *reversed(options), "y.db", "text"), (0, b"", ""))
    check("the folder is read with -r", run("index", "-r", "z.db"), (0, b"", ""))
    check("its links", b"a.example" in run("query", "z.db", "hosts")[1], True)


def test_pages():
    status, page, error = run("--help")
    check("--help", (status, error), (0, ""))
    page = page.decode()
    check("--help is narrow", [line for line in page.split("\n") if len(line) > 80], [])
    for word in ("urlsift letter.txt", "Listing (list):", "--rules", "--unique", "--fragment", "--host=GLOB", "Exit status", "man urlsift"):
        check(f"--help says {word}", word in page, True)
    status, page, error = run("list", "--help", "--nonsense")
    check("list --help", (status, error, b"--unique" in page, b"--fragment" in page), (0, "", True, False))
    status, page, error = run("html", "x", "--help")
    check("html --help", (status, error, b"--unique" in page, b"--fragment" in page), (0, "", False, True))
    check("list --help, html --help", [(run("help", verb), run(verb, "-h")) == (run(verb, "--help"),) * 2 for verb in ("list", "html")],
          [True, True])
    check("help", run("help"), run("--help"))
    check("help normalize", run("help", "normalize"), run("normalise", "--help"))
    status, page, error = run("-h")
    page = page.decode()
    check("-h", (status, error, len(page.split("\n")) < 40, len(re.findall(r"(?m)^  (?:-.,|   ) --", page))), (0, "", True, 10))
    check("-h is narrow", [line for line in page.split("\n") if len(line) > 80], [])
    status, page, error = run("--version")
    check("-V", run("-V"), (status, page, error))
    check("--version", (status, error, [re.fullmatch(rb"(?:urlsift|with \S+) \d+\.\d+(?:\.\d+)*|with iconv|without \S+|sandbox: [\w, ]+|without a sandbox", line) is not None
                                        for line in page.splitlines()]), (0, "", [True] * len(page.splitlines())))
    check("the libraries", re.findall(rb"with(?:out)? (\S+)", page)[:11],
          [b"PCRE2", b"libidn2", b"libpsl", b"iconv", b"zlib", b"libisal", b"liblzma", b"libbz2", b"libzstd", b"libarchive", b"SQLite"])
    status, page, error = run("list", "--limits", "--max-breaks=3")
    check("--limits", (status, error, re.findall(rb"(?m)^(line-breaks|unique|url-length) +(\d+)", page)),
          (0, "", [(b"line-breaks", b"3"), (b"url-length", b"65536"), (b"unique", b"1000000")]))
    check("--limits without a verb", run("--limits")[0], 0)


def test_first_contact():
    output("no verb", [], TEXT, lines(LINKS))
    output("no verb, -", ["-"], TEXT, lines(LINKS))
    output("no verb, options", ["-un", "--match=long"], TEXT, "2:http://b.example/long\n")
    output("normalize", ["normalize", "HTTP://A.example:80"], "", "http://a.example/\n")
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "list")
        with open(name, "w") as file:
            file.write("http://a.example/\n")
        output("no verb, a file", [name, "-n"], "", "1:http://a.example/\n")
        output("no verb, options first", ["--format=%h%k", name], "", "a.examplebare\n")
        output("a missing file", [name, "gone"], "", "http://a.example/\n", 1, "urlsift: gone: No such file or directory\n")
        output("a missing file first", ["gone", name], "", "http://a.example/\n", 1, "urlsift: gone: No such file or directory\n")
        output("a missing path", ["gone/x", name], "", "http://a.example/\n", 1, "urlsift: gone/x: No such file or directory\n")
        done = subprocess.run([URLSIFT, "--json", "list"], cwd=folder, capture_output=True, timeout=HANG)
        check("a file that is named like a verb", (done.returncode, done.stdout[:28]), (0, b'{"type":"link","source":"lis'))
    if no_terminal() or not shutil.which("script"):
        skip("the introduction", no_terminal() or "no script(1)")
        return
    done = subprocess.run(["script", "-qec", URLSIFT, "/dev/null"], capture_output=True, text=True, timeout=HANG)
    page = done.stdout.replace("\r", "").split("\n")
    check("alone on a terminal", (done.returncode, len(page), page[-1], [len(line) for line in page if len(line) > 90]), (2, 9, "", []))
    check("its examples", [line for line in page if line.startswith("  urlsift")],
          ["  urlsift letter.txt                   the links in a file, one per line",
           "  urlsift html letter.txt >page.html   the text as a web page"])


def test_listing():
    output("list", ["list"], TEXT, lines(LINKS))
    output("list -", ["list", "-"], TEXT, lines(LINKS))
    output("list -0", ["list", "-0"], TEXT, "".join(link + "\0" for link in LINKS))
    output("list -u", ["list", "-u"], TEXT, lines(LINKS[:3]))
    output("list -c", ["list", "-c"], TEXT, "4\n")
    output("list -cu", ["list", "-cu"], TEXT, "3\n")
    output("list -n", ["list", "-n"], TEXT, lines(f"{n}:{link}" for n, link in zip(LINES, LINKS)))
    output("list -b", ["list", "-b"], TEXT, lines(f"{n}:{link}" for n, link in zip(OFFSETS, LINKS)))
    output("list -H", ["list", "-H"], TEXT, lines("-:" + link for link in LINKS))
    output("list -un0", ["list", "-un0"], TEXT, "".join(f"{n}:{link}\0" for n, link in zip(LINES[:3], LINKS)))
    output("list --format", ["list", "--format=%l %k %s %U %%\\t%o"], TEXT[:30], "1 bare http http://a.example/x %\t4\n")
    output("list --encoded", ["list", "--encoded"], "http://a.example/\u00fc\n", "http://a.example/%C3%BC\n")
    output("text as it is", ["list"], "http://a.example/\u00fc\n", "http://a.example/\u00fc\n")
    output("-j2 and -j 2", ["list", "-j2", "-j", "2", "-uj3"], TEXT, lines(LINKS[:3]))
    output("--opt value", ["list", "--match", "long", "--jobs", "2"], TEXT, lines(LINKS[1:2]))
    output("nothing", ["list"], "no links here\n", "")
    output("no input", ["list"], "", "")
    output("--fail-if-none", ["list", "--fail-if-none"], "no links here\n", "", status=1)
    output("--fail-if-none, filtered", ["list", "--fail-if-none", "--scheme=ftp"], TEXT, "", status=1)
    output("--fail-if-none, found", ["list", "--fail-if-none"], TEXT, lines(LINKS))
    output("--hyphen=drop", ["list", "--hyphen=drop"], "<http://a.example/b-\nc>\n", "http://a.example/bc\n")
    first, second = "http://a.example/\n", "http://b.example/\n"
    mailbox = "".join(f"From a@a.example Mon Jan  1 00:00:00 2024\nTo: a\n\n{link}\n" for link in (first, second))
    for value, wanted in (("0:0", ""), ("0:1", first), ("0:18446744073709551615", first + second),
                          ("1:18446744073709551615", second)):
        output(f"--range={value}", ["list", "--input=mbox", "--range", value], mailbox, wanted)
    for end in "\n", "\r\n":
        text = end + "From a@a.example Mon Jan  1 00:00:00 2024\nTo: a\n\nhttp://a.example/\n".replace("\n", end)
        with temporary_folder():
            write("ranged", text)
            done = [run("list", "--input=mbox", "--format=%l", f"--range={begin}:99", "ranged") for begin in range(len(end) + 1)]
        check("the line of a range", done, [(0, b"5\n", "")] * len(done), at=end)
    output("a typesetter's hyphen in a scheme that begins the text", ["list"], "<ht\u2010\ntp://a.example/x>\n<ht\u2010\ntp://b.example/x>\n",
           lines(["http://a.example/x", "http://b.example/x"]))
    names = {end: read(os.path.join(DATA, "cases", "j2-files-of-their-own" + end)) for end in (".txt", ".list")}
    names = {end: text.replace(b".patch", b".diff") for end, text in names.items()}
    output("differences in the place of patches", ["list"], names[".txt"], names[".list"])
    output("--www", ["list", "--www=https"], "www.a.example\n", "https://www.a.example\n")
    output("--email", ["list", "--email"], "to x@a.example\n", "mailto:x@a.example\n")
    output("no --email", ["list"], "to x@a.example\n", "")
    output("--input", ["list", "--input=text", "--input", "auto"], TEXT, lines(LINKS))
    output("--base", ["list", "--base=http://a.example/b/c"], "<URL:../x.html> <URL:Note: to follow> <URL:d e>\n",
           "http://a.example/x.html\n")
    output("no --base", ["list"], "<URL:../x.html>\n", "")
    output("--charset", ["list", "--charset=iso-8859-1"], b"http://a.example/\xfc\n", "http://a.example/\u00fc\n")


def test_values():
    """A line break in a value of --format becomes a blank."""
    mail = "From: a@b.example\nDate: x\nSubject: a\u2028b\tc\u2029d\n\nhttp://a.example/\n"
    output("line breaks in a value", ["--format=%S|%h"], mail, "a b c d|a.example\n")


def test_json():
    status, out, error = run("list", "--json", "--summary", text=TEXT)
    records = [json.loads(line) for line in out.splitlines()]
    check("--json", (status, error, [r["type"] for r in records]), (0, "", ["link"] * 4 + ["summary"]))
    check("--json urls", [r.get("url") for r in records[:4]], LINKS)
    check("--json places", [(r["line"], r["parts"][0][0]) for r in records[:4]], list(zip(LINES, OFFSETS)))
    check("--json summary", records[4], {"type": "summary", "files": 1, "bytes": len(TEXT), "messages": 0, "links": 4,
                                         "errors": 0, "limits": 0, "skipped": 0, "relative": 0, "unsearched": 0})
    output("--summary", ["list", "--summary", "--scheme=ftp"], TEXT, "",
           error=f"urlsift: files 1, bytes {len(TEXT)}, messages 0, links 0, errors 0, limits 0, skipped 0, relative 0, unsearched 0\n")


def test_context():
    """The text around the anchors of HTML, on one line and on two."""
    page = (b"<!doctype html><p>one <a href=http://a.example/>A</a> two <a href=http://b.example/>B <b>bold</b></a> "
            b"three &amp; four<br>five <a href=http://c.example/>C</a>\n<p>six <a href=http://d.example/><img "
            b"src=http://i.example/>D</a> seven http://t.example/ end<form action=http://f.example/>six</form> tail" +
            b"<a href=http://g.example/>G</a>" + b"<i></i>" * 9 + b" x&lt;" * 2000)
    for lines_wanted, wanted in ((1, [("one ", " two"), ("one A two ", " three & four"), ("five ", ""),
                                      ("six ", " seven http://t.example/ end"), ("seven ", " end"),
                                      ("six D seven http://t.example/ end", ""), ("tail", (" x<" * 99)[:200])]),
                                 (2, [("one ", " two"), ("one A two ", " three & four five"),
                                      ("one A two B bold three & four five ", ""),
                                      ("six ", " seven http://t.example/ end"), ("seven ", " end"),
                                      ("six D seven http://t.example/ end", " six"),
                                      ("six tail", (" x<" * 99)[:200])])):
        args = ["list", "--json", f"--context={lines_wanted}"]
        whole = run(*args, text=page).stdout
        found = [json.loads(line)["context"] for line in whole.splitlines()]
        check(f"context of {lines_wanted} lines", [(c["before"], c["after"]) for c in found], wanted)
        command = subprocess.Popen([URLSIFT, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for i in range(0, len(page), 7):
            os.write(command.stdin.fileno(), page[i:i + 7])
        check(f"context of {lines_wanted} lines, read in pieces", command.communicate()[0], whole)
    page = (b"<!doctype html>" + b"<!-- -->" * 200 + b"<a href=http://a.example/>A</a>" + b"w" * 30000
            + b" e<b>nd</b> http://b.example/")
    found = [json.loads(line)["context"] for line in run("list", "--json", "--context", text=page).stdout.splitlines()]
    check("context of a long word", [(c["before"], c["after"]) for c in found],
          [("", "w" * 200), ("w" * 195 + " end ", "")])
    rules = os.path.join(DATA, "cases-rules", "rules")
    page = b"a\nb bug 1 c RFC 2 http://a.example/ bug 3\nd\n"
    found = run("list", "--json", "--context=2", f"--rules={rules}", text=page).stdout
    found = [json.loads(line)["context"] for line in found.splitlines()]
    check("context of rules: up to the next other link of the line", [(c["before"], c["after"]) for c in found],
          [("b ", " c RFC 2"), ("b bug 1 c ", ""), ("a b bug 1 c RFC 2 ", " bug 3 d"), ("", "")])


def test_schemes():
    records = {record["scheme"]: record for record in map(json.loads, run("schemes", "--json")[1].splitlines())}
    check("schemes --json", (len(records), list(records["http"].items())), (len(run("schemes")[1].splitlines()) - 1,
          [("type", "scheme"), ("scheme", "http"), ("port", 80), ("slashes", "required"), ("href", "yes"), ("purpose", records["http"]["purpose"])]))


def test_relative():
    """Relative links of a document that are left out are reported once, those of mail only counted; %a and %H."""
    text = "<!doctype html><a href=a>a</a> <a href='/b'>b</a> <a href='http://c.example/'>c</a>"
    output("relative links are left out", ["list"], text, b"http://c.example/\n",
           error="urlsift: 2 relative links of HTML are left out; --base=URL makes them absolute\n")
    output("not with a base", ["list", "--base=http://x.example/"], text, b"http://x.example/a\nhttp://x.example/b\nhttp://c.example/\n")
    output("not with -q", ["list", "-q"], text, b"")
    check("records tell it", run("list", "--json", text=text).stderr, "")
    mail = "From: a\nDate: b\nList-Help: <http://h.example/>\nContent-Type: text/html\n\n" + text
    output("the label, or the link", ["list", "--format=%L"], b"[a b](http://a.example/) http://b.example/\n",
           b"a b\nhttp://b.example/\n")
    part = b"Subject: x\nFrom: a@b.example\nContent-Transfer-Encoding: %s\n\n\nhttp://c.example/\n"
    for encoding, decoded in ((b"8bit", b"6:"), (b"quoted-printable", b"2:true")):
        output("where the line counts", ["list", "--format=%l:%e"], part % encoding, decoded + b"\n")
        output("where the line counts, in CSV", ["list", "--csv=line,decoded"], part % encoding,
               b"line,decoded\n" + decoded.replace(b":", b",") + b"\n")
    output("where links stand", ["list", "--format=%H %a %u"], mail, b"List-Help  http://h.example/\n a href http://c.example/\n")
    output("where links stand, as columns", ["list", "--csv=field,attribute"], mail, b"field,attribute\nList-Help,\n,a href\n")
    dated = b"From: a@a.example\nDate: Wed, 25 Nov 2026 10:00:00 +0100\n\nhttp://a.example/\n"
    output("the time as a column, and as a directive", ["list", "--csv=time,url"], dated, b"time,url\n1795597200,http://a.example/\n")
    first = b"From: a@a.example\nDate: Thu, 1 Jan 1970 00:00:%02d +0000\n\nhttp://a.example/\n"
    for second in 0, 1:
        output("the first seconds of 1970", ["list", "--csv=time,url"], first % second, b"time,url\n%d,http://a.example/\n" % second)
    output("none before", ["list", "--format=%D"], b"From: a@a.example\nDate: Wed, 31 Dec 1969 23:59:59 +0000\n\nhttp://a.example/\n", b"\n")
    output("none without a date", ["list", "--format=%D", "--input=mail"], b"From: a@a.example\n\nhttp://a.example/\n", b"\n")
    output("nor of a text", ["list", "--format=%D"], b"http://a.example/\n", b"\n")
    output("an empty cell comes first", ["list", "--csv=label"], "http://a.example/", b"label\n\n")


def test_html():
    status, page, error = run("html", text=TEXT)
    check("html", (status, error, page.startswith(b"<!DOCTYPE html>"), page.count(b"<a href=")), (0, "", True, 5))
    status, page, error = run("html", "--fragment", "--match=a.example", text=TEXT)
    check("html --fragment", (status, error, b"<html" in page, page.count(b"<a href=")), (0, "", False, 1))
    check("the filter holds for all parts", run("html", "--host=b.example", text=TEXT)[1].count(b"<a href="), 2)


def test_filters():
    text = ("http://a.example/1 https://b.a.example/2 ftp://u:p@c.example:21/3 mailto:x@a.example "
            "<http://d.example/4> \"http://e.example/5\" http://[2001:db8::1]:80/6 www.f.example <URL:http://G.Example/7>\n")
    every = ["http://a.example/1", "https://b.a.example/2", "ftp://u:p@c.example:21/3", "mailto:x@a.example",
             "http://d.example/4", "http://e.example/5", "http://[2001:db8::1]:80/6", "http://www.f.example",
             "http://G.Example/7"]

    def below(count):
        return (f"urlsift: links to hosts below those of --host are left out: {count};"
                " .a.example is a.example and all names below it\n" if count else "")

    def only(args, *numbers, left_out=0):
        output(" ".join(args), ["list", *args], text, lines(every[n] for n in numbers), error=below(left_out))

    only([], *range(9))
    only(["--scheme=HTTPS,ftp"], 1, 2)
    only(["--scheme=https", "--scheme=mailto"], 1, 3)
    only(["--not-scheme=http"], 1, 2, 3)
    only(["--scheme=http,ftp", "--not-scheme=http"], 2)
    only(["--scheme=httpx-nothing"], *[])
    only(["--host=A.example"], 0, left_out=1)
    only(["--host=*.a.EXAMPLE"], 1)
    only(["--host=c.example", "--host=g.example"], 2, 8)
    for host in "b\u00fccher.example", "*.B\u00dcCHER.example", ".b\u00fccher.example", "xn--bcher-kva.example":
        output("a host beyond ASCII", ["list", "--host=" + host], "http://www.b\u00fccher.example/ http://b\u00fccher.example/",
               "http://www.b\u00fccher.example/\n" * (host[0] in ".*") + "http://b\u00fccher.example/\n" * (host[0] != "*"), error=below(int(host[0] not in ".*")))
    only(["--host=?.example"], 0, 2, 4, 5, 8, left_out=2)
    output("with a full stop at the end", ["list", "--host=b.example."], "http://b.example/ http://B.example./ http://c.b.example/",
           "http://b.example/\nhttp://B.example./\n", error=below(1))
    output("all below it", ["list", "--host=.b.example."], "http://b.example/ http://c.b.example./", "http://b.example/\nhttp://c.b.example./\n")
    output("only with one", ["list", "--host=*."], "http://b.example/ http://b.example./", "http://b.example./\n")
    only(["--host=[2001:*]"], 6)
    only(["--host=www.f.example"], 7)
    only(["--host=*"], 0, 1, 2, 4, 5, 6, 7, 8)
    same = "http://evil%2eexample/ http://EVIL.example./ http://u@evil.example:80/ "
    output("the host of the comparable form", ["list", "--host=evil.example"], same + "http://evil.example.a.example/",
           lines(same.split()))
    output("all below it", ["list", "--host=.example", "--not-host=evil.*"], same + "http://a%2Eexample./", "http://a%2Eexample./\n")
    only(["--not-host=*.example"], 3, 6)
    only(["--not-host=a.example", "--not-host=?.example", "--scheme=http"], 6, 7)
    only(["--host=*.example", "--not-host=*.a.*", "--not-scheme=http"], 2)
    only(["--match=^http://www"], 7)
    only(["--match=(?i)G\\.EXAMPLE", "--match=/2$"], 1, 8)
    only(["--not-match=example", "--not-match=nothing"], 6, 8)
    only(["--match=example/", "--not-match=[1-4]$"], 5)
    only(["--convention=wrapper,schemeless"], 7, 8)
    only(["--convention=angle", "--convention=Quoted"], 4, 5)
    only(["--delimited"], 4, 5, 8)
    only(["--delimited", "--convention=wrapper,bare"], 8)
    output("%P", ["list", "--email", "--format=%P|"], "http://a.example http://u@a.example:1/b?c#d mailto:e@f.example?x www.g.example/h\u00fc",
           "|\n/b?c#d|\ne@f.example?x|\n/h%C3%BC|\n")
    output("%A and %R", ["list", "--email", "--format=%A %R|"],
           "http://a.example http://u:p@A.example:80/b?c#d mailto:e@f.example?x www.g.example/h\u00fc http://[::1]:81?x file:///etc/motd",
           "a.example |\nA.example:80 /b|\n e@f.example|\nwww.g.example /h%C3%BC|\n[::1]:81 |\n /etc/motd|\n")
    output("%O", ["list", "--email", "--csv=domain"], "http://a.b.Example.co.uk/ ftp://127.0.0.1/ http://[::1]/ http://localhost/ "
           "mailto:e@f.example http://co.uk/ http://a.b.co.uk./\n", "domain\nexample.co.uk\n127.0.0.1\n[::1]\nlocalhost\n\nco.uk\nb.co.uk\n")
    output("%T and %q", ["list", "--email", "--csv=port,path,query"],
           "http://u:p@A.example:80/b?c=%20#d mailto:e@f.example?x www.g.example/h?\u00fc http://[::1]:?x https://i.example\n",
           "port,path,query\n80,/b,c=%20\n,e@f.example,x\n,/h,%C3%BC\n,,x\n,,\n")
    output("the same of a template", ["list", "--format=%T|%q"], "http://A.example:81/b?c#d http://b.example", "81|c\n|\n")
    output("the query of an unwrapped link", ["list", "--unwrap", "--csv=query"],
           "https://www.google.com/url?q=http%3A%2F%2Fb.example%2F%3Fd%3D1&a=1\n", "query\nd=1\n")
    output("UTF in --match", ["list", "--match=/.$"], "http://a.example/\u20ac http://a.example/ab\n", "http://a.example/\u20ac\n")


def test_verdicts():
    text = "http://a.example/~x http://a.example/x|y http://a.example/\u00fc www.a.example http://1.2.3.4:25/ http://a.example/%0d\n"
    every = ["http://a.example/~x", "http://a.example/x|y", "http://a.example/\u00fc", "http://www.a.example",
             "http://1.2.3.4:25/", "http://a.example/%0d"]

    def only(args, *numbers):
        output(" ".join(args), ["list", *args], text, lines(every[n] for n in numbers))

    only(["--valid=rfc1738"], 3, 4, 5)
    only(["--valid=RFC3986"], 0, 3, 4, 5)
    only(["--valid=rfc3987"], 0, 2, 3, 4, 5)
    only(["--valid=rfc1738", "--valid=rfc3986"], 0, 3, 4, 5)
    only(["--valid=rfc3986", "--host=www.*"], 3)
    only(["--not-valid=rfc3986"], 1, 2)
    only(["--not-valid=rfc1738,rfc3986"], 1, 2)
    only(["--not-valid=rfc1738"], 0, 1, 2)
    only(["--not-valid=rfc1738", "--valid=rfc3986"], 0)
    only(["--not-valid=rfc3987"], 1)
    only(["--warned"], 4, 5)
    only(["--warned=encoded-control"], 5)
    only(["--warned=bidi,ip-host"], 4)
    only(["--warned=bidi", "--warned=any"], 4, 5)
    only(["--warned=reserved-port", "--no-warning=ip-host"], *[])
    only(["--no-warning=reserved-port,bidi"], 0, 1, 2, 3, 5)
    only(["--no-warning=reserved-port", "--no-warning=encoded-control"], 0, 1, 2, 3)
    only(["--no-warning=any"], 0, 1, 2, 3)
    only(["--warned", "--no-warning=ip-host"], 5)
    only(["--warned", "--valid=rfc3986", "--match=:25"], 4)
    status, out, error = run("list", "--json", text=text)
    records = [json.loads(line) for line in out.splitlines()]
    check("--json, warnings", [r.get("warnings") for r in records],
          [None] * 4 + [["reserved-port", "ip-host"], ["encoded-control"]])
    check("--json, valid", ["".join("-+"[v] for v in r["valid"].values()) for r in records],
          ["-++", "---", "--+", "+++", "+++", "+++"])
    check("--json, names of grammars", list(records[0]["valid"]), ["rfc1738", "rfc3986", "rfc3987"])
    check("--json, faults", [[(f["grammar"], f["offset"]) for f in r.get("faults", [])] for r in records],
          [[("rfc1738", 17)], [("rfc1738", 18), ("rfc3986", 18), ("rfc3987", 18)], [("rfc1738", 17), ("rfc3986", 17)],
           [], [], []])
    check("--json, a fault says more", sorted(records[0]["faults"][0]), ["grammar", "offset", "rule", "what"])
    check("--json, hosts", [r.get("host") for r in records], ["a.example"] * 3 + ["www.a.example", "1.2.3.4", "a.example"])
    check("--json, order of keys", list(records[1]), ["type", "source", "line", "column", "parts", "text", "url", "normal",
                                                      "scheme", "host", "convention", "valid", "faults"])
    status, out, error = run("list", "--json", text="www.a.example/x|y\n")
    check("a fault's place is in the text", [f["offset"] for f in json.loads(out)["faults"]], [15] * 3)


def test_marks():
    page = run("html", "--fragment", text="http://u:p@a.example:25/ x\n")[1].decode()
    reasons = "Warning: it contains a password that anyone can read; its port is reserved for another service"
    check("a mark is after the link", f'</a><bdi class="w"> [\u26a0 {reasons}]</bdi> x' in page, True)
    check("a mark describes the link", f' title="{reasons}">' in page, True)
    page = run("html", "--fragment", text="<URL:http://u:p@a.example/x\ny>\n")[1].decode()
    check("a broken link has one mark", (page.count(" title="), page.count('class="w"'), page.endswith(']</bdi>&gt;\n</pre>')),
          (1, 1, True))
    page = run("html", "--fragment", text="<javascript:x> foo://x/ http://a.example/ http://1.2.3.4/\n")[1].decode()
    check("marks without a link", (page.count("<a "), page.count('class="w"'), "unknown" in page), (2, 2, False))
    page = run("html", "--fragment", "--no-warning=any", text="http://1.2.3.4/\n")[1].decode()
    check("no mark where there is no link", page, '<pre class="urlsift">http://1.2.3.4/\n</pre>')


def test_page_options():
    with tempfile.TemporaryDirectory() as folder:
        css = os.path.join(folder, "own.css")
        with open(css, "w") as file:
            file.write("p::after{content:'</style><script>'}")
        page = run("html", "--title=a <b>", "--lang=pt-BR", "--css=" + css, text="x\n")[1].decode()
        check("--title", (page.count("<title>a &lt;b&gt;</title>"), page.count("<h1 class=\"w\"><bdi>a &lt;b&gt;</bdi></h1>")),
              (1, 1))
        check("--lang", page.count('<html lang="pt-BR">'), 1)
        check("--css cannot end its element", (page.count("</style"), page.count("'<\\/style>")), (1, 1))
        status, out, error = run("html", "--css=" + css + ".none", text="x\n")
        write(css + ".large", b" " * (1024 * 1024 + 1))
        check("--css names a large file", run("html", f"--css={css}.large", text="x\n"),
              (3, b"", f"urlsift: --css: {css}.large: File too large\n"))
        check("--css names a folder", run("html", "--css=" + folder, text="x\n")[::2],
              (3, f"urlsift: --css: {folder}: Is a directory\n"))
        check("--css names a file that is missing", (status, out, error.startswith("urlsift: --css: " + css + ".none: ")),
              (3, b"", True))
    text = "\n> a http://x.example/ b\r\nhttp://y.example/ c\rhttp://z.example/\n  x\n"
    page = run("html", "-n", "--fragment", text=text)[1].decode()
    lines = re.findall(r'(?m)^(?:<pre class="urlsift">)?<span class="n" id="L(\d+)"></span>(?:<span class="q q1">)?(\S*)', page)
    check("-n, an anchor before each line", [number + word[:2] for number, word in lines], ["1", "2&g", "3<a", "4<a", "5"])
    check("-n, the text", html_check.check(page.encode(), text.encode()), [])
    page = run("html", "-n", "--fragment", text="a \x1b]8;;http://x.example/\ab\nc\x1b]8;;\ad\ne\n")[1].decode()
    check("-n, a hyperlink of a terminal over two lines", re.findall(r'id="L(\d+)"></span>(?:<a .*?<bdi>)?(\w)', page),
          [("1", "a"), ("2", "c"), ("3", "e")])
    usage(["html", "--lang=d e"], "--lang takes a language tag, such as en or pt-BR, not 'd e'")


def test_match_limit():
    text = "http://a.example/" + "a" * 200 + "\n"
    args = ["--match=/(a+)+[b-d]", "--match-limit=1000"]
    status, out, error = run("list", *args, text=text)
    check("a match limit shows the link", (status, out.decode()), (0, text))
    check("a match limit is said", error, "urlsift: -: at byte 0: limit match (1000) exceeded\n")
    status, out, error = run("list", "--json", *args, text=text)
    records = [json.loads(line) for line in out.splitlines()]
    check("a match limit in JSON", (error, records[0]), ("", {"type": "limit", "source": "-", "limit": "match",
                                                              "value": 1000, "offset": 0}))
    check("a link after it", [r["type"] for r in records], ["limit", "link"])


def test_match_stack():
    """An expression for which compiled code has too little stack is interpreted, with the same limit."""
    text = "http://a.example/" + "ab" * 3900 + "\n"
    output("much stack", ["list", "--count", r"--match=^(?:(\w)|\W)*$"], text, "1\n")
    output("much stack, no match", ["list", "--count", r"--match=^(?:(\w)|\W)*\n$"], text, "0\n")
    output("much stack, and a limit", ["list", "--count", "--match=^((a|b|.)(?=(.*)))*$"], text, "1\n",
           error="urlsift: -: at byte 0: limit match (1000000) exceeded\n")


def test_match_error():
    """An expression that calls itself without end fails in another way than at a limit, and that is a failure."""
    text = "http://a.example/x\nhttp://b.example/\n"
    status, out, error = run("list", "--match=(?R)", text=text)
    check("links are shown that an expression fails on", (status, out.decode()), (1, text))
    check("an expression that fails", set(error.splitlines()), {"urlsift: -: a filter could not be applied"})


def test_limit_once():
    """Two rules that try the same wrapper meet one limit (W4)."""
    text = "<URL:\nhttp:" + "\n".join(f"b{i}" for i in range(20)) + ">\n"
    check("a limit is said once", run("list", text=text)[2], "urlsift: -: at byte 0: limit line-breaks (16) exceeded\n")
    program = b"if a < %s:\n" + b"    x = 1\n" * 20
    check("a limit of what is no link", [run("list", text=program % name)[2] for name in (b"b", b"http://x", b"x")],
          ["", "urlsift: -: at byte 5: limit line-breaks (16) exceeded\n", ""])
    text = "> <http:\n> //a.example/\n" + "> lamps\n" * 20
    check("a limit of a link whose scheme ends its line", run("list", text=text)[2], "urlsift: -: at byte 2: limit line-breaks (16) exceeded\n")
    text = "<http: //a.example/" + "-\n".join(["lamps"] * 14) + ">\n"
    check("a limit of a link with a blank after its colon", run("list", text=text)[2], "urlsift: -: at byte 0: limit alternates (8) exceeded\n")


def test_limit_of_length():
    """A link whose bytes of Latin-1 become more in UTF-8 is cut at the limit, whatever escapes are cut off."""
    for end in (b"$\\sim$b" * 3, b"a\\\\/" * 3, b"\\:." + b"x" * 18 + b"\\:8b"):
        text = b"http://h.example/" + b"\xe9" * 25 + end + b"\n"
        check("a link that grows beyond the limit", run("list", "--max-url-length=64", text=text)[1].decode(),
              "http://h.example/" + "\u00e9" * 23 + "\n")


def test_unique():
    many = lines(f"http://a.example/{i % 5000}" for i in range(10000))
    output("-u of many", ["list", "-u"], many, lines(f"http://a.example/{i}" for i in range(5000)))
    few = "http://a.example/1 http://a.example/2 http://a.example/3 http://a.example/1 http://a.example/3\n"
    output("--unique-limit", ["list", "-u", "--unique-limit=2"], few,
           lines(f"http://a.example/{i}" for i in (1, 2, 3, 3)), error="urlsift: -: at byte 38: limit unique (2) exceeded\n")
    records = [json.loads(line) for line in run("list", "-u", "--json", "--unique-limit=2", text=few)[1].splitlines()]
    check("--unique-limit in JSON", [r for r in records if r["type"] == "limit"],
          [{"type": "limit", "source": "-", "limit": "unique", "value": 2, "offset": 38}])
    long = "x" * 30000
    output("-u of long ones", ["list", "-u"], f"http://a.example/{long}1 http://a.example/{long}2 http://A.example/{long}1\n",
           f"http://a.example/{long}1\nhttp://a.example/{long}2\n")


def test_limits():
    text = "http://a.example/" + "x" * 200 + "\nhttp://b.example/\n"
    status, out, error = run("list", "--max-url-length=64", text=text)
    check("a limit is said", (status, out.endswith(b"http://b.example/\n"), re.sub(r"\d+:", "N:", error)),
          (0, True, "urlsift: -: at byte N: limit url-length (64) exceeded\n"))
    records = [json.loads(line) for line in run("list", "--json", "--max-url-length=64", text=text)[1].splitlines()]
    check("a limit in JSON", [(r["source"], r["limit"], r["value"], r["offset"] < 64) for r in records if r["type"] == "limit"],
          [("-", "url-length", 64, True)])

    output("a limit before the full stop of a domain", ["list", "--domains", "--max-url-length=64"],
           b"\xfc" * 28 + b"\xd9----e\xd1\x9a.ee", "http://" + "\u00fc" * 28 + "\u00d9----e\nhttp://\u045a.ee\n",
           error="urlsift: -: at byte 0: limit url-length (64) exceeded\n")
    output("a limit counts the slashes that a target of HTML lacked", ["list", "--input=html", "--max-url-length=64"],
           "".join(f'<a href="https:a.example/{"x" * n}">y</a>\n' for n in (46, 47)), f"https://a.example/{'x' * 46}\n",
           error="urlsift: -: at byte 88: limit url-length (64) exceeded\n")
    again = "|".join(["tp://" + "\u00bc" * 29 + "@b.example"] * 5) + " www.r.example)[\b[\n"
    output("a limit is said once, although a sequence follows", ["list", "--email", "--max-url-length=64"], again,
           "http://www.r.example\n", error="".join(
               f"urlsift: -: at byte {74 * i + 3}: limit url-length (64) exceeded\n" for i in range(5)))
    output("what is no link for its scheme or its port exceeds no limit", ["list", "--max-url-length=64"],
           "(tp://" * 20 + "\n" + "ab://host:port/" * 20 + "\n", "")
    broken = b"x" * 20 + b" http://a.example/" + b"\xe6" * 23 + b"/\n/files/list.txt\n"
    links = [json.loads(line) for line in run("list", "--json", "--max-url-length=64", text=broken)[1].splitlines()]
    check("J2: no other reading where the limit cuts a guessed join at its break",
          [(r["text"], "alternates" in r) for r in links if r["type"] == "link"],
          [("http://a.example/" + "\u00e6" * 23 + "/", False)])


def test_files():
    a = write("a.txt", b"http://a.example/\n")
    b = write("b.txt", b"http://b.example/")
    odd = write(b"odd\xff\n\x1b[31m\xc2\x9b.txt", b"http://c.example/\n")
    shown = r"odd\xff^J^[[31m\xc2\x9b.txt"
    hyphen = write("-h", b"http://d.example/\n")
    gone = "urlsift: gone: No such file or directory\n"
    output("files", ["list", a, "-", b], "http://x.example/\n", lines(f"http://{h}.example/" for h in "axb"))
    output("options after files", ["list", a, "-H", b, "-n"], "",
           "a.txt:1:http://a.example/\nb.txt:1:http://b.example/\n")
    output("--", ["list", "--", hyphen], "", "http://d.example/\n")
    output("-- and -H", ["list", "-H", "--", "-h", "a.txt"], "", "-h:http://d.example/\na.txt:http://a.example/\n")
    output("-c", ["list", "-cH", a, b], "", "a.txt:1\nb.txt:1\n")
    output("a missing file", ["list", a, "gone", b], "", "http://a.example/\nhttp://b.example/\n", 1, gone)
    output("-n and a missing file", ["list", "-n", "gone"], "", "", 1, gone)
    output("-c and a missing file", ["list", "-c", "gone", b], "", "b.txt:1\n", 1, gone)
    output("a folder", ["list", ".", b], "", "http://b.example/\n", 1,
           "urlsift: .: is a directory, not a mail folder; use -r to read the files in it\n")
    output("a file's odd name", ["list", "-H", odd], "", shown + ":http://c.example/\n")
    output("a missing file's odd name", ["list", b"no\r\n\x1b\x7f\xc2\x9b\x9b"], "", "", 1,
           "urlsift: no^M^J^[^?" + r"\xc2\x9b\x9b: No such file or directory" + "\n")
    status, out, error = run("list", "--json", b"no\n\xff\"", a)
    records = [json.loads(line) for line in out.splitlines()]
    check("a missing file in JSON", (status, [r["type"] for r in records], records[0]["what"], error),
          (1, ["error", "link"], "No such file or directory",
           "urlsift: no^J" + r"\xff" + "\": No such file or directory\n"))
    status, out, error = run("list", "--json", "--summary", "gone", ".", a)
    check("a summary with errors", json.loads(out.splitlines()[-1]), {"type": "summary", "files": 1, "bytes": 18, "messages": 0,
                                                                     "links": 1, "errors": 2, "limits": 0, "skipped": 0, "relative": 0, "unsearched": 0})
    check("a missing file in JSON, its name", records[0]["source"], "no\n\ufffd\"")
    status, out, error = run("list", "--json", odd)
    check("a file's odd name in JSON", json.loads(out)["source"], "odd\ufffd\n\x1b[31m\x9b.txt")
    status, out, error = run("html", "gone", a)
    check("html without one of its files", (status, out.count(b"<a href="), error), (1, 1, gone))
    status, out, error = run("html", "gone")
    check("html without its only file", (status, out, error), (1, b"", gone))
    output("--fail-if-none and a missing file", ["list", "--fail-if-none", "gone"], "", "", 1, gone)
    if os.geteuid():
        os.chmod(a, 0)
        output("an unreadable file", ["list", a, b], "", "http://b.example/\n", 1, "urlsift: a.txt: Permission denied\n")
        os.chmod(a, 0o600)
    if sys.platform == "linux":
        output("a read that fails", ["list", "/proc/self/mem", b], "", "http://b.example/\n", 1,
               "urlsift: /proc/self/mem: Input/output error\n")
    shutil.copy(a, "grows.txt")
    with open("grows.txt", "ab") as out:
        done = subprocess.run([URLSIFT, "list", "grows.txt"], stdout=out, stderr=subprocess.PIPE, timeout=HANG)
    check("the output's own file", (done.returncode, done.stderr, open("grows.txt", "rb").read()),
          (1, b"urlsift: grows.txt: is also the output file\n", b"http://a.example/\n"))
    files_from(a, b, odd)


def files_from(a, b, odd):
    both = "http://a.example/\nhttp://b.example/\n"
    listed = write("list", b"a.txt\n\nb.txt")
    output("--files-from", ["list", "--files-from", listed], "", both)
    output("--files-from after arguments", ["list", "--files-from=list", b], "", "http://b.example/\n" + both)
    output("--files-from -", ["list", "--files-from=-"], "b.txt\ngone\na.txt\n", "http://b.example/\nhttp://a.example/\n", 1,
           "urlsift: gone: No such file or directory\n")
    output("--files-from with - in it", ["list", "--files-from", write("dash", b"a.txt\n-\n")], "http://b.example/\n", both)
    output("an empty --files-from", ["list", "--files-from=-", "--summary"], "", "", 0,
           "urlsift: files 0, bytes 0, messages 0, links 0, errors 0, limits 0, skipped 0, relative 0, unsearched 0\n")
    write("marked", "\ufeffa.txt\r\n\r\n\ufeffb.txt\r\n".encode())
    output("--files-from of another system", ["list", "--files-from=marked"], "", both)
    write("crafted\r", b"http://c.example/\n")
    output("-0 takes names as they are", ["list", "-0", "--files-from=-"], b"crafted\r\0", "http://c.example/\0")
    write("nul", b"b.txt\0" + odd + b"\0")
    output("--files-from -0", ["list", "-0", "--files-from=nul"], "", "http://b.example/\0http://c.example/\0")
    output("NUL without -0", ["list", "--files-from=-"], b"a.txt\0b.txt\n", "", 1,
           "urlsift: a.txt: NUL byte in the list of names (use -0 if names end with NUL)\n")
    status, out, error = run("list", "--files-from=-", text="x" * 5000 + "\na.txt\n")
    check("a long name in --files-from", (status, out, error.endswith(": the file name is too long\n"), error.count("\n")),
          (1, b"http://a.example/\n", True, 1))
    for long in "x/" * 2047 + "yz", "x/" * 2047 + "y", "\u00e9/" * 3000 + "y":
        status, _, error = run("list", long)
        check("a long name does not hide the reason", (status, error.count("\n"), len(error) < 4200, error.startswith("urlsift: " + long[:2000]),
                                                       error.endswith((long[-120:] + ": No such file or directory\n",
                                                                       long[-120:] + ": File name too long\n"))), (1, 1, True, True, True))
    output("--files-from a missing file", ["list", a, "--files-from=gone"], "", "http://a.example/\n", 1,
           "urlsift: gone: No such file or directory\n")
    output("--files-from a folder", ["list", "--files-from=."], "", "", 1, "urlsift: .: Is a directory\n")
    written = write("written.html", b"http://a.example/\n")
    check("the page is an input", (run("html", "-o", "written.html", a, "./written.html")[::2], open(written, "rb").read()),
          ((2, f"urlsift: written.html is also an input{TRY}"), b"http://a.example/\n"))
    status, page, error = run("html", "--files-from=list")
    check("the title is the first name", (status, b"<title>a.txt</title>" in page), (0, True))
    check("the title without a name", b"<title>urlsift</title>" in run("html", text="x")[1], True)


def test_terminal():
    """Warnings are shown on a terminal, colours where they are understood; to a pipe, only links."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "w")
        with open(name, "w") as file:
            file.write("http://1.2.3.4/ http://a.example/\n")
        link, plain = "http://1.2.3.4/", "http://a.example/\r\n"
        dim, number = "\x1b[2m [ip-host]\x1b[m\r\n", "\x1b[32m1\x1b[m:"
        output("--color=always to a pipe", ["-n", "--color=always", name], "", number + link + "\n" + number + plain.replace("\r", ""))
        if no_terminal() or not shutil.which("script"):
            skip("a terminal", no_terminal() or "no script(1)")
            return
        for args, more, wanted in (("", {}, link + dim + plain), ("-n", {}, number + link + dim + number + plain),
                                   ("", {"NO_COLOR": "1"}, link + " [ip-host]\r\n" + plain),
                                   ("", {"TERM": "dumb"}, link + " [ip-host]\r\n" + plain),
                                   ("", {"NO_COLOR": ""}, link + dim + plain),
                                   ("", {"TERM": None}, link + " [ip-host]\r\n" + plain),
                                   ("--color=never", {}, link + " [ip-host]\r\n" + plain),
                                   ("--color=always", {"NO_COLOR": "1"}, link + dim + plain),
                                   ("-0", {}, link + "\0" + plain.strip() + "\0"), ("--format=%u", {}, link + "\r\n" + plain)):
            env = {**os.environ, "TERM": "xterm", "NO_COLOR": None, **more}
            env = {key: value for key, value in env.items() if value is not None}
            done = subprocess.run(["script", "-qec", f"{URLSIFT} list {args} {name}", "/dev/null"], stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=HANG, env=env)
            check(f"on a terminal: {args} {more}", done.stdout.decode(), wanted)
        with open(name, "w", encoding="utf-8") as file:
            file.write("\u202ehttp://a.example/ \u061c \u2066\u00e9\u0666\u2020\x1b[m\n")
        done = subprocess.run(["script", "-qec", f"{URLSIFT} rewrite {name}", "/dev/null"], timeout=HANG,
                              stdin=subprocess.DEVNULL, capture_output=True)
        check("rewrite shows bidi and other controls on a terminal", done.stdout.decode(),
              "\\xe2\\x80\\xaehttp://a.example/ \\xd8\\x9c \\xe2\\x81\\xa6\u00e9\u0666\u2020^[[m\r\n")
        for kind, hyperlinks in (("xterm-kitty", True), ("dumb", False), ("linux", False)):
            done = subprocess.run(["script", "-qec", f"{URLSIFT} rewrite --as=term {name}", "/dev/null"], timeout=HANG,
                                  stdin=subprocess.DEVNULL, capture_output=True, env={**env, "TERM": kind})
            check(f"hyperlinks on {kind}", b"\x1b]8;" in done.stdout, hyperlinks)


def test_outputs():
    many = lines(f"http://a.example/{i}" for i in range(100000)).encode()
    full = "urlsift: standard output: No space left on device\n"
    if os.path.exists("/dev/full"):
        for args in (["list"], ["list", "--json"], ["html"], ["rewrite"], ["list", "-c"], ["--help"], ["--version"], ["-h"], ["help", "html"], ["--limits"],
                     ["explain"], ["normalise"], ["resolve", "a:/b"], ["schemes"], ["completions", "zsh"]):
            with open("/dev/full", "wb") as out:
                done = subprocess.run([URLSIFT, *args], input=TEXT.encode(), stdout=out, stderr=subprocess.PIPE, timeout=HANG)
            check(f"a full disk, {args}", (done.returncode, done.stderr.decode()), (3, full))
        with open("/dev/full", "wb") as out:
            done = subprocess.run([URLSIFT, "list", "gone", "-"], input=many, stdout=out, stderr=subprocess.PIPE, timeout=HANG)
        check("a full disk outweighs a missing file", done.returncode, 3)
    for args in ([], ["list", "--json"], ["html"], ["rewrite"], ["normalise"], ["explain"], ["--help"]):
        process = subprocess.Popen([URLSIFT, *args, "-", "many"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()
        try:
            process.stdin.write(many)
            process.stdin.close()
        except BrokenPipeError:
            pass
        check(f"a closed pipe, {args}", (process.wait(HANG), process.stderr.read()), (0, b""))
        process.stderr.close()
    done = subprocess.run(["sh", "-c", '"$0" list >&-', URLSIFT], input=TEXT.encode(), capture_output=True, timeout=HANG)
    check("no standard output", (done.returncode, done.stderr), (3, b"urlsift: standard output: Bad file descriptor\n"))
    done = subprocess.run(["sh", "-c", '"$0" list <&-', URLSIFT], capture_output=True, timeout=HANG)
    check("no standard input", (done.returncode, done.stderr), (1, b"urlsift: -: Bad file descriptor\n"))


def test_single_urls():
    """URLs from arguments and lines: long ones, blanks, the end without a line feed, a read that fails."""
    long, short, other = "http://a.example/" + "x" * 64, "http://a.example/", "x" * 200000
    limit = "urlsift: %s: at byte %d: limit url-length (64) exceeded\n"
    for text, wanted, at in ((f" \t{short} \r\n{long}\n{short}\n", f"{short}\n{short}\n", [22]), (long, "", [0]),
                             (f"{short}\n\n{short}", f"{short}\n\n{short}\n", []), (f"{long}\n{long}", "", [0, 82]),
                             (f"{short}\n{other}\n{short}\n", f"{short}\n{short}\n", [18]),
                             (f"{long[:64]}\r\n{long[:65]}\r\n{long[:64]}\n", f"{long[:64]}\n" * 2, [66])):
        output(f"lines, {text[:70]!r}", ["normalise", "--max-url-length=64"], text, wanted, int(bool(at)),
               "".join(limit % ("-", offset) for offset in at))
    check("an argument that is long", run("normalise", "--max-url-length=64", long, short),
          (1, b"http://a.example/\n", limit % ("an argument", 0)))
    record = json.loads(run("explain", "--json", "--max-url-length=64", long)[1])
    check("a limit as a record", (record["type"], record["limit"], record["value"]), ("limit", "url-length", 64))
    with open("/proc/self/mem" if sys.platform == "linux" else ".", "rb") as file:
        status, out, error = run("normalise", stdin=file)
    check("a read that fails", (status, out, error.startswith("urlsift: -: "), error.count("\n")), (1, b"", True, 1))


def test_slow_pipe():
    process = subprocess.Popen([URLSIFT, "list"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"http://a.example/\n" + b"some more words\n" * 20000)
    process.stdin.flush()
    ready = select.select([process.stdout], [], [], HANG)[0]
    check("what was found is shown before the input ends", ready and process.stdout.readline(), b"http://a.example/\n")
    process.stdin.close()
    process.stdout.close()
    check("a slow pipe ends", process.wait(HANG), 0)


def peak_of(args, block, times):
    """The most memory held, in KiB, after an input of so many blocks."""
    process = subprocess.Popen([URLSIFT, *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    for _ in range(times):
        process.stdin.write(block)
    process.stdin.flush()
    with open(f"/proc/{process.pid}/status") as file:
        peak = int(re.search(r"VmHWM:\s*(\d+)", file.read())[1])
    process.stdin.close()
    process.wait(HANG)
    return peak


def test_memory():
    if sys.platform != "linux" or SANITIZED:
        skip("memory", "no /proc, or a sanitizer's memory counts too")
        return
    blocks = {"links": b"see http://a.example/x or <URL:http://b.example/\ny>,\n" * 20000, "no line end": b"x" * 1000000,
              "one link": b"http://a.example/" + b"x" * 1000000, "an open wrapper": b"<URL:http://a.example/" + b" x" * 500000}
    for name, block in blocks.items():
        for args in (["list"], ["list", "--json"], ["html"]):
            check(f"8 MiB are enough, {name}, {args}", peak_of(args, block, 10) < 8192, True)


def test_socket():
    reader, writer = socket.socketpair()
    reader.setblocking(False)
    process = subprocess.Popen([URLSIFT, "list"], stdin=reader, stdout=subprocess.PIPE)
    reader.close()
    writer.sendall(TEXT.encode())
    writer.close()
    check("an input that does not block", process.communicate(timeout=HANG)[0].decode(), lines(LINKS))


def test_closed_descriptors():
    """What is closed is not given to the next file that is opened."""
    def closed(command):
        done = subprocess.run(["sh", "-c", f'"$0" {command}', URLSIFT], capture_output=True, timeout=HANG)
        return done.returncode, done.stdout, done.stderr.decode()

    with open("two", "w") as file:
        file.write(TEXT)
    check("no standard input", closed("list - two <&-"), (1, lines(LINKS).encode(), "urlsift: -: Bad file descriptor\n"))
    check("explain of nothing, and what follows", (lambda done: (done[0], b"a.example" in done[1], done[2]))(run("explain", "", "http://a.example")),
          (1, True, "urlsift: explain: argument 1 is empty: it must be a URL, or - for standard input\n"))
    check("no standard input, explain", closed("explain <&-"), (1, b"", "urlsift: -: Bad file descriptor\n"))
    for command in ("list two", "html two", "list --json -j2 two two", "normalise http://a.example", "--help"):
        check(f"no standard output, {command}", closed(command + " >&-"),
              (3, b"", "urlsift: standard output: Bad file descriptor\n"))
    page = run("html", "two", "gone<b>", "two")[1]
    check("no standard error", closed("html two 'gone<b>' two 2>&-"), (1, page, ""))
    with open("letter", "w") as file:
        file.write("From: a\nDate: b\n\nhttp://a.example/\n")
    page = run("html", "letter", "gone<b>", "letter")[1]
    check("no standard error, mail", closed("html letter 'gone<b>' letter 2>&-"), (1, page, ""))
    check("nothing", closed("list <&- >&- 2>&-"), (1, b"", ""))


def main():
    test_usage()
    test_archive_usage()
    test_pages()
    test_first_contact()
    test_listing()
    test_values()
    test_json()
    test_context()
    test_schemes()
    test_html()
    test_relative()
    test_filters()
    test_verdicts()
    test_marks()
    test_page_options()
    test_match_limit()
    test_match_stack()
    test_match_error()
    test_limit_once()
    test_unique()
    test_hints()
    test_limits()
    with temporary_folder():
        test_files()
        test_terminal()
        test_outputs()
        test_closed_descriptors()
        test_index_options()
    test_single_urls()
    test_slow_pipe()
    test_socket()
    if not FAST:
        test_memory()
    finish()


main()
