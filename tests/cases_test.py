#!/usr/bin/env python3
"""The cases of testdata against the binary, the tables of schemes, warnings and link rewriters, and explain.  FAST: all of it.

usage: cases_test.py [--write] [NAME...]        (default: every case)

  cases     testdata/cases/NAME.txt is the input, NAME.list what `urlsift list` must write; NAME.json and NAME.html,
            if they exist, what `list --json` and `html --fragment` must.  Cases in cases-email, cases-domains,
            cases-ipv4, cases-refang and cases-rules run with --email, --domains, --ipv4, --refang and --rules; those
            in mail and, with --rules, in mail-rules are messages (NAME.eml), mailboxes (NAME.mbox) and HTML documents
            (NAME.htm).  NAME.join, NAME.wrap and so on are what `rewrite --as` must write.  NAME.run has lines `$
            ARGUMENT...`, each with the output and the messages of that run below it, with the status before the
            messages if it is not 0; unless a line names the input, it is the last argument; --write writes these
            files.  Each input is read as a file, and from a pipe that gets it byte by byte.
  guess     testdata/guess: joins that are not sure (guess_matrix.py).
  schemes   testdata/schemes/cases.txt, in free text (B2, B10): a scheme, a URL that is found whole, and a text in which
            nothing is found, with tabs between.  The URL of a scheme that is never linked is found inside <URL:...> alone.
  unwrap    testdata/unwrap.txt, for list and explain: a URL and what it hides, `-` for nothing.  Every host in the table
            of src/url/unwrap.c has a case.
  warnings  testdata/warnings, one file a warning, named after it.  A line `+ TEXT` is a text of which every link must
            carry the warning, `- TEXT` one of which no link may, though it looks like it; `2+` and `2-` hold only where
            libidn2 is built in.  In a text \\n is a line end, \\u{X} a character, and *N at the end that many letters x.
  explain   testdata/explain/NAME.txt holds URLs, one a line; NAME.page is what `urlsift explain` must write of them and
            NAME.json what `urlsift explain --json` must.  With --write they are written: read the difference before it
            is kept.  resolve, normalise and schemes follow.
"""
import base64
import csv
import glob
import gzip
import io
import json
import os
import random
import re
import shlex
import string
import subprocess
import sys
import tarfile

import guess_matrix

from testlib import (DATA, HANG, Done, TOP, URLSIFT, check, complaints, expect, finish, has, json_lines, preload, read, run,
                     run_bytes, run_pieces, run_text, skip, temporary_folder, write)


# ---- Cases ----

RULES = "--rules=" + os.path.join(DATA, "cases-rules", "rules")
FOLDERS = {"cases": ["--input=text"], "cases-email": ["--input=text", "--email"],
           "cases-domains": ["--input=text", "--domains"], "cases-ipv4": ["--input=text", "--ipv4"],
           "cases-refang": ["--input=text", "--refang"], "mail": [],
           "cases-rules": ["--input=text", RULES], "mail-rules": [RULES], "hostile": [], "rewrite": [], "runs": []}
INPUTS = (".txt", ".eml", ".mbox", ".htm")
OUTPUTS = {".list": ["list"], ".json": ["list", "--json"], ".html": ["html", "--fragment"],
           **{f".{form}": ["rewrite", f"--as={form}"] for form in
              "join wrap angle markdown org rst gemtext footnotes term defang refang clean https unwrap".split()},
           ".host": ["rewrite", "--as=host:new.example:81"],
           ".template": ["rewrite", "--as=template:{%t|%u}"]}


def said(done):
    """Output, status and messages in one text, of whole lines."""
    status = b"" if done.returncode == 0 else b"status %d\n" % done.returncode
    end = b"" if done.stdout.endswith(b"\n") or not done.stdout else b"\n"
    return done.stdout + end + status + done.stderr.encode()


def check_runs(path, source, data, write):
    """Each run of NAME.run."""
    name = os.path.splitext(source)[0]
    golden, whole = os.path.join(path, name + ".run"), b""
    for line, wanted in re.findall(rb"^\$ (.*\n)((?:(?!\$ ).*\n)*)", read(golden), re.M):
        args = shlex.split(line.decode())
        here = source in args
        done = run(*args, *[] if here else [source], cwd=path)
        whole += b"$ " + line + said(done)
        if write:
            continue
        check(f"{name}.run: {line.decode().strip()}", said(done), wanted)
        if here:
            continue
        label = [f"--label={source}"] if args[0] in ("list", "html") else []
        done = run_pieces(*args, *label, data=data)
        check(f"{name}.run, byte by byte: {line.decode().strip()}", said(done), wanted)
    if write:
        with open(golden, "wb") as file:
            file.write(whole)


def passed_together(folder, sources, options, idn):
    """(name of a case, ending of an output, how it is read) of those that are right where one process reads many inputs:
    what is written of each follows that of the one before, but in HTML.  Records name their input, which a pipe has not."""
    path = os.path.join(DATA, folder)
    for suffix, verb in OUTPUTS.items():
        goldens = {source: os.path.join(path, os.path.splitext(source)[0] + suffix) for source in sources}
        goldens = {source: golden for source, golden in goldens.items() if os.path.exists(golden)}
        if suffix == ".html" or len(goldens) < 2 or not idn:
            continue
        done = run(*verb, *options, *goldens, cwd=path)
        if (done.returncode, done.stdout) == (0, b"".join(map(read, goldens.values()))):
            yield from ((os.path.splitext(source)[0], suffix, "whole") for source in goldens)
        inputs = list(goldens) if suffix != ".json" and os.path.exists("/dev/fd/0") else []
        for at in range(0, len(inputs), 50):
            some = inputs[at:at + 50]
            done = run_bytes(*verb, *options, inputs=[read(os.path.join(path, source)) for source in some])
            if (done.returncode, done.stdout) == (0, b"".join(read(goldens[source]) for source in some)):
                yield from ((os.path.splitext(source)[0], suffix, "bytes") for source in some)


def check_case(folder, source, options, idn, write, together):
    path, name = os.path.join(DATA, folder), os.path.splitext(source)[0]
    data = read(os.path.join(path, source))
    if os.path.exists(os.path.join(path, name + ".run")):
        check_runs(path, source, data, write)
    for suffix, verb in OUTPUTS.items():
        golden = os.path.join(path, name + suffix)
        if not os.path.exists(golden):
            continue
        wanted = read(golden)
        if b"xn--" in wanted and b"xn--" not in data and not idn:
            skip(f"{folder}/{name}{suffix}", "this build has no libidn2")
            continue
        right = (name, suffix, "whole") in together
        done = run(*verb, *options, source, cwd=path) if not right else Done(0, wanted, "")
        check(f"{folder}/{name}{suffix}", done.stdout if done.returncode == 0 else done, wanted)
        if suffix == ".json":
            wanted = wanted.replace(b'"source":"%s"' % source.encode(), b'"source":"-"')
        right = (name, suffix, "bytes") in together
        done = run_pieces(*verb, *options, data=data) if not right else Done(0, wanted, "")
        check(f"{folder}/{name}{suffix}, byte by byte", done.stdout if done.returncode == 0 else done, wanted)


def test_cases(only, write):
    idn = has("with libidn2")
    for folder, options in FOLDERS.items():
        path = os.path.join(DATA, folder)
        sources = sorted(f for f in os.listdir(path) if f.endswith(INPUTS))
        sources = [f for f in sources if not only or os.path.splitext(f)[0] in only]
        together = set(passed_together(folder, sources, options, idn))
        for source in sources:
            check_case(folder, source, options, idn, write, together)


def test_guesses():
    rows = zip(guess_matrix.lines("nexts.txt"), guess_matrix.by_command(), guess_matrix.lines("verdicts.txt"))
    for following, got, wanted in rows:
        check(f"guess/verdicts.txt: before {following}", got, wanted)
    text = guess_matrix.all_texts()
    urls = re.findall(rb'"url":("(?:[^"\\]|\\.)*")', run("list", "--json", "--input=text", text=text).stdout)
    wanted = json.loads(b"[" + b",".join(urls) + b"]")
    found = run_text("list", "--encoded", "--input=text", text=text).stdout.splitlines()
    check("guess: list has the links of JSON", found, wanted)


def test_packed():
    """A text as a member of an archive, and compressed."""
    text, tar = b"see http://a.example/ here\n", io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        member = tarfile.TarInfo("text.txt")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    for what, feature, data in (("tar", "libarchive", tar.getvalue()), ("gzip", "zlib", gzip.compress(text)),
                                ("tar, gzip", "libarchive", gzip.compress(tar.getvalue()))):
        if has("with " + feature):
            check(f"packed: {what}", run("list", text=data).stdout, b"http://a.example/\n")
        else:
            skip(f"packed: {what}", f"this build has no {feature}")


# ---- Schemes ----

NEVER = "about blob data elisp filesystem jar javascript livescript ms- ms-settings search-ms shell vbscript view-source".split()


def named(line):
    """The number of the text that a line of `list -H` or `list --json` is about, and the line or record."""
    if line.startswith("{"):
        record = json.loads(line)
        return int(record["source"]), record
    name, _, rest = line.partition(":")
    return int(name), rest


def of_each(texts, *args):
    """What `list` with the arguments writes of each text; one process for all."""
    found = [[] for _ in texts]
    with temporary_folder():
        names = [write(str(number), text) for number, text in enumerate(texts)]
        for number, got in map(named, run_text("list", *args, *names).stdout.splitlines()):
            found[number].append(got)
    return found


def test_schemes():
    cases = []
    with open(os.path.join(DATA, "schemes", "cases.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            scheme, url, miss = line.rstrip("\n").split("\t")
            bare = [] if scheme in NEVER else [url]
            cases += [(f"{scheme}, in a wrapper", f"see <URL:{url}>\n", [url]),
                      (f"{scheme}, bare", f"see {url}\nhttp://h.example/\n", bare + ["http://h.example/"]),
                      (f"{scheme}, a near miss", f"see {miss} there\n", [])]
    found = of_each([text for _, text, _ in cases], "-H")
    for (what, _, wanted), got in zip(cases, found):
        check(what, got, wanted)


# ---- Unwrapping ----

DEEP = "https://l.facebook.com/l.php?u="


def escaped(url):
    return re.sub(r"[^A-Za-z0-9._~-]", lambda m: "%%%02X" % ord(m[0]), url)


def starred():
    """Runs of every length that urldefense.com writes, `**` and a digit of base64, A for two; each with what it hides."""
    digits = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    for at, digit in enumerate(digits):
        hidden = "".join("!*+,:@"[(at + k) % 6] for k in range(at + 2))
        code = base64.urlsafe_b64encode((hidden + "+").encode()).decode().rstrip("=")
        yield (f"https://urldefense.com/v3/__https://shop.example/a**{digit}b*c__;{code}!!abc$",
               f"https://shop.example/a{hidden}b+c")


def test_unwrap():
    with open(os.path.join(DATA, "unwrap.txt"), encoding="utf-8") as lines:
        cases = [line.split() for line in lines if line[0] != "#"] + list(starred())
    nested = "https://shop.example/"
    for level in range(1, 11):
        nested = DEEP + escaped(nested)
        if level == 8:
            cases.append([nested, "https://shop.example/"])
    cases.append([nested, DEEP + escaped(DEEP + escaped("https://shop.example/"))])  # eight of ten
    cases.append([DEEP + "http://a.example/" + "x" * 8192, "-"])
    text = "".join("<URL:%s>\n" % url for url, hidden in cases)
    records = [json.loads(line) for line in run_text("list", "--json", "--unwrap", "--input=text", text=text).stdout.splitlines()]
    shown = run_text("list", "--unwrap", "--input=text", text=text).stdout.splitlines()
    template = run_text("list", "--unwrap", "--format=%u %U %s", "--input=text", text=text).stdout.splitlines()
    table = csv.reader(run_text("list", "--csv=url,unwrapped", "--input=text", text=text).stdout.splitlines())
    for unwraps in [], ["--unwrap"]:
        beside = run_text("list", "--format=%W", *unwraps, "--input=text", text=text).stdout.splitlines()
        check("%W", beside, ["" if hidden == "-" else hidden for _, hidden in cases], unwraps)
    check("the columns of both", list(table)[1:], [[record["url"], "" if hidden == "-" else hidden]
                                                   for record, (_, hidden) in zip(records, cases)])
    explained = [json.loads(line) for line in run_text("explain", "--json", "--unwrap", text="".join(c[0] + "\n" for c in cases)).stdout.splitlines()]
    if not len(records) == len(shown) == len(template) == len(explained) == len(cases):
        expect("one answer for each case", False)
    for (url, hidden), record, line, formatted, page in zip(cases, records, shown, template, explained):
        want = None if hidden == "-" else hidden
        got = (record.get("unwrapped"), page.get("unwrapped"), line, formatted.split()[:2])
        check(url, got, (want, want, want or url, [want or url] * 2))
    for option, passes in (("--host=shop.example", True), ("--host=.youtube.com", False), ("--not-host=shop.example", False),
                           ("--match=^https://shop", True), ("--not-match=youtube", True)):
        found = run_text("list", "--unwrap", option, text="http://www.youtube.com/redirect?q=https://shop.example/\n").stdout
        check("filters look at what a link rewriter hides", found, "https://shop.example/\n" * passes, option)
    # cut anywhere, without a path, with all after the host as the query or fragment
    pieces = {cut for url, _ in cases[:-2] for host in [len(re.match("([^:]+://)?[^/?#]*", url)[0])]
              for cut in (*(url[:k] for k in range(host, len(url))), *(url[:host] + mark + url[host + 1:] for mark in "?#"))}
    done = run_text("explain", "--json", "--unwrap", text="".join(cut + "\n" for cut in sorted(pieces)))
    explained = [json.loads(line) for line in done.stdout.splitlines()]
    check("pieces of wrapped links", (done.returncode, len(explained)), (0, len(pieces)), done.stderr[-300:])
    check("hide nothing without a path and a query", [page["url"] for page in explained if "unwrapped" in page
                                                      and not re.match("https?://[^/?#]*(/|[^#]*=)", page["url"])], [])
    bare = run_text("list", "--unwrap", "--input=text", text="x www.youtube.com/redirect?q=https://shop.example/ y\n")
    check("a link whose scheme is supplied", bare.stdout, "https://shop.example/\n")
    with open(os.path.join(TOP, "src", "url", "unwrap.c"), encoding="utf-8") as source:
        hosts = " ".join(re.findall(r'^\t\{ "([^"]+)"', source.read(), re.M)).split()
    for host in hosts:
        expect("a case for " + host, any(host in url for url, _ in cases))


# ---- Warnings ----

def text_of(line):
    line = re.sub(r"\*(\d+)$", lambda m: "x" * int(m[1]), line)
    return re.sub(r"\\u\{(\w+)\}", lambda m: chr(int(m[1], 16)), line.replace("\\n", "\n")) + "\n"


WARNING_OPTIONS = {"refanged": ["--refang"]}


def faults_of(name, sign, links, shown):
    """What is wrong with a line whose links are these, of which `shown` are left by --no-warning; nothing when all is
    well."""
    if not links:
        return ["no link"]
    texts = 0
    if name in ("text-mismatch", "redirect"):
        texts, links = len(links) - 1, links[-1:]  # the one before is its text
    for link in links:
        warnings = link.get("warnings", [])
        if (name in warnings) != (sign == "+"):
            return ["%r has %s" % (link["text"][:100], ", ".join(warnings) or "none")]
    if shown != [str(texts + (0 if sign == "+" else len(links)))]:
        return ["--no-warning lets %s through" % shown]
    return []


def test_warnings(only):
    idn = has("with libidn2")
    for file in sorted(os.listdir(os.path.join(DATA, "warnings"))):
        name = file.removesuffix(".txt")
        if only and name not in only:
            continue
        with open(os.path.join(DATA, "warnings", file), encoding="utf-8") as lines:
            rows = [row for row in map(re.compile(r"(2?)([+-]) (.*)\n").match, lines) if row and (idn or not row[1])]
        texts, options = [text_of(row[3]) for row in rows], WARNING_OPTIONS.get(name, [])
        records = of_each(texts, "--json", *options)
        counts = of_each(texts, "-cH", "--no-warning=" + name, *options)
        for row, found, shown in zip(rows, records, counts):
            links = [record for record in found if record["type"] == "link"]
            complaints(f"{file}: {row[0].strip()[:100]}", faults_of(name, row[2], links, shown))


# ---- explain, resolve, normalise and schemes ----

EXPLAINED = os.path.join(TOP, "testdata", "explain")
TRY = "; try 'urlsift --help'\n"
KEYS = ["type", "text", "url", "normal", "browsers", "looks", "address", "scheme", "known", "fields", "valid", "faults", "warnings"]
GRAMMARS = ["rfc1738", "rfc3986", "rfc3987"]


def output(what, args, data, wanted, status=0, error=""):
    got = run(*args, text=data)
    check(what, (got[0], got[1].decode(), got[2]), (status, wanted, error))


# ---- Cases --------------------------------------------------------------------

def check_explained(path, write):
    name = os.path.basename(path)[:-4]
    data = open(path, "rb").read()
    for suffix, args in ((".page", ["explain"]), (".json", ["explain", "--json"])):
        status, out, error = run(*args, text=data)
        check(f"{name}{suffix}: status", (status, error), (0, ""))
        golden = path[:-4] + suffix
        if write:
            open(golden, "wb").write(out)
        check(name + suffix, out.decode(), open(golden, "rb").read().decode())
        urls = [line for line in data.split(b"\n") if line and b"\0" not in line]
        if all(not line.startswith(b"-") for line in urls):
            check(f"{name}{suffix}: as arguments", run(*args, *urls), (0, out, ""))


def check_record(line, text=None):
    """A record has its keys in their order, and they agree with one another."""
    record = json.loads(line)
    check("a record: keys", list(record), [key for key in KEYS if key in record], line)
    check("a record: keys that are left out", [key for key in ("type", "text", "url", "normal", "known", "valid") if key not in record] +
          [key for key in record if record[key] == []], [], line)
    if text is not None:
        check("a record: text", record["text"], text, line)
    invalid = [name for name in GRAMMARS if not record["valid"][name]]
    check("a record: valid", (list(record["valid"]), [f["grammar"] for f in record.get("faults", [])]), (GRAMMARS, invalid), line)
    for fault in record.get("faults", []):
        check("a record: fault", list(fault), ["grammar", "offset", "rule", "what"], line)
        check("a record: offset", 0 <= fault["offset"] <= len(record["text"].encode()), True, line)
    check("a record: fields", all(list(field) == ["name", "value"] for field in record.get("fields", [])), True, line)
    check("a record: url", all(" " < c <= "~" for c in record["url"] + record["normal"]), True, line)
    return record


def test_explained(write):
    for path in sorted(glob.glob(os.path.join(EXPLAINED, "*.txt"))):
        if path.endswith("/alike.txt") and not has("with libidn2"):
            skip("explain: what a host looks like", "this build has no libidn2")
            continue
        check_explained(path, write)
        for line in open(path[:-4] + ".json", encoding="utf-8"):
            check_record(line)


def schemes_of(lines):
    return {line.split(b":")[0].lower().decode() for line in lines if b":" in line}


def test_every_scheme():
    """Every row that is not known by name alone has a case."""
    seen = set()
    for path in glob.glob(os.path.join(EXPLAINED, "*.txt")):
        seen |= schemes_of(open(path, "rb").read().split(b"\n"))
    rows = [line.split(None, 4) for line in run("schemes")[1].decode().splitlines()[1:]]
    known = [row[0] for row in rows if row[4] != "registered with IANA"]
    check("every scheme has a case", [name for name in known if name not in seen and name != "ms-"], [])
    check("schemes", (len(known) > 70, len(rows) > 350), (True, True))
    check("a row", [row for row in rows if row[0] == "ftp"], [["ftp", "21", "//", "yes", "files by the File Transfer Protocol"]])
    check("a row that is never linked", [row[3] for row in rows if row[0] == "javascript"], ["never"])


# ---- Any bytes ------------------------------------------------------------------

def random_lines(count):
    rng = random.Random(1738)
    pieces = [b"http://", b"ftp://", b"gopher://h/0", b"mailto:", b"news:", b"x:", b"%09", b"%0D%0A", b"%", b"%80", b"//", b"/", b"@",
              b":", b"?", b"#", b"[", b"]", b"a", b"\x1b[2J", b"\x00", b"\x7f", b"\x85", b"\xc2\x85", b"\xe2\x80\xae", b"\xe2\x80\xa8",
              b"\xff", b"\xc3\xa9", b"\xe6\x97\xa5", b"\"", b"\\", b"<", b"\r", b"\x08", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80"]
    return [b"".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12))) for _ in range(count)]


HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def test_any_bytes():
    """Nothing that moves a cursor or shows nothing comes out; JSON is JSON."""
    lines = random_lines(3000)
    data = b"\n".join(lines) + b"\n"
    whole = [line for line in lines if line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")]
    for args in (["explain"], ["resolve", "http://h/a/b"], ["resolve", "--rules=rfc1630", "http://h/a//b"], ["normalise"]):
        status, out, error = run(*args, text=data)
        check(f"{args}: status", (status, error), (0, ""))
        check(f"{args}: hidden characters", HIDDEN.findall(out.decode("utf-8")), [])
        if args[0] != "explain":
            check(f"{args}: lines", out.count(b"\n"), len(lines))
    status, out, error = run("explain", "--json", text=data)
    check("explain --json: status", (status, error), (0, ""))
    records = out.decode("utf-8").split("\n")
    check("explain --json: records", (len(records), records[-1]), (len(whole) + 1, ""))
    check("explain --json: raw controls", [line for line in records if HIDDEN.search(re.sub("[\u200b\u2060\ufeff]", "", line))], [])
    for line in records[:-1]:
        check_record(line)
    normal = run("normalise", text=data)[1]
    check("normalise is idempotent", run("normalise", text=normal)[1], normal)


# ---- Input and output -------------------------------------------------------------

def test_lines():
    data = b"  http://a.example \r\n\n\thttp://b.example/\t\nhttp://c.example"
    output("blanks around", ["normalise"], data, "http://a.example/\n\nhttp://b.example/\nhttp://c.example/\n")
    output("an argument keeps them", ["normalise", " http://a.example "], b"", "%20http%3A//a.example%20\n")
    output("- among arguments", ["normalise", "http://a.example", "-", "http://b.example"], b"x:y\n",
           "http://a.example/\nx:y\nhttp://b.example/\n")
    output("blank lines are no URLs", ["explain", "--json"], b"\n\n \n", "")
    output("an empty argument", ["explain", ""], b"", "", 1,
           "urlsift: explain: argument 1 is empty: it must be a URL, or - for standard input\n")
    output("no end of line", ["normalise"], b"", "")
    rng = random.Random(3986)
    lines = [b"http://h/" + b"x" * rng.randrange(3000) for _ in range(400)]
    wanted = b"".join(line + b"\n" for line in lines)
    marked = [b"\xef\xbb\xbf" + line for line in lines]
    check("lines after byte order marks", run("normalise", text=b"\r\n".join(marked)), (0, wanted, ""))
    check("lines over blocks", run("normalise", text=b"\r\n".join(lines)), (0, wanted, ""))
    check("a line at a time is the same", run("explain", "--json", text=lines[0])[1], run("explain", "--json", lines[0])[1])


def test_limit():
    long = b"http://h/" + b"a" * 65536
    data = b"x:a\n" + long + b"\nx:b\n"
    output("a long line", ["normalise"], data, "x:a\nx:b\n", 1, "urlsift: -: at byte 4: limit url-length (65536) exceeded\n")
    output("over a block", ["normalise"], data[4:] * 5, "x:b\n" * 5, 1, "".join(
        "urlsift: -: at byte %d: limit url-length (65536) exceeded\n" % ((len(data) - 4) * i) for i in range(5)))
    output("as a record", ["explain", "--json", "--max-url-length=64"], b"x:" + b"a" * 63 + b"\n",
           '{"type":"limit","source":"-","limit":"url-length","value":64,"offset":0}\n', 1,
           "urlsift: -: at byte 0: limit url-length (64) exceeded\n")
    for start, at in ("<a href='", 9), ("<img srcset='", None), ("<base href='", 12):  # blanks count, and are not kept
        document = start.encode() + b"\n" * 66000 + b"http://a.example/'>a</a> http://b.example/"
        said = "urlsift: -: at byte %d: limit url-length (65536) exceeded\n" % (65536 + at) if at else ""
        output("blanks " + start, ["list", "--resources", "--input", "html"], document, "http://b.example/\n", 0, said)
    output("an argument", ["resolve", "--max-url-length=64", "x:", "a" * 65], b"", "", 1,
           "urlsift: an argument: at byte 0: limit url-length (64) exceeded\n")
    output("just as long", ["normalise", "--max-url-length=64"], b"x:" + b"a" * 62, "x:" + "a" * 62 + "\n")
    status, out, _ = run("normalise", text=b"http://h/" + b"\x80" * 65500)
    check("the most that normalise makes of it", (status, len(out)), (0, 9 + 9 * 65500 + 1))


def test_usage():
    output("no base", ["resolve"], b"", "", 2, "urlsift: resolve needs a base URL, as in 'urlsift resolve http://a.example/b/c ../d'" + TRY)
    output("schemes takes nothing", ["schemes", "ftp"], b"", "", 2, "urlsift: schemes takes no arguments" + TRY)
    output("rules", ["resolve", "--rules=rfc2396", "x:"], b"", "", 2, "urlsift: --rules takes rfc3986|rfc1630, not 'rfc2396'" + TRY)
    output("not its option", ["normalise", "--json"], b"", "", 2, "urlsift: normalise does not take --json, but list does" + TRY)
    output("nor this", ["explain", "--rules=rfc1630"], b"", "", 2, "urlsift: explain does not take --rules, but list does" + TRY)
    for verb in ("explain", "resolve", "normalise", "schemes"):
        status, out, error = run(verb, "--help")
        check(f"{verb} --help", (status, out.decode().split("\n")[0][:16 + len(verb)].rstrip(), error), (0, "usage: urlsift " + verb, ""))
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            for args in (["explain", "x:"], ["resolve", "x:", "y"], ["normalise", "x:"], ["schemes"]):
                done = subprocess.run([URLSIFT, *args], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=HANG)
                check(f"{args} on a full disk", (done.returncode, done.stderr),
                      (3, b"urlsift: standard output: No space left on device\n"))
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([URLSIFT, "schemes"], stdout=writer, stderr=subprocess.PIPE, timeout=HANG)
    os.close(writer)
    check("a reader that has gone", (done.returncode, done.stderr), (0, b""))


# ---- What the RFCs say ---------------------------------------------------------------

def test_resolve():
    table = [("g", "magic://a/b/c//d/e/g"), ("/g", "magic://a/g"), ("//g", "magic://g"), ("../g", "magic://a/b/c//d/g"), ("g:h", "g:h")]
    for base in ("magic://a/b/c//d/e/f", "magic://a/b/c//d/e/"):
        output("RFC 1630's table", ["resolve", "--rules=rfc1630", base, *[row[0] for row in table]], b"", "".join(row[1] + "\n" for row in table))
    references = [("g", "http://a/b/c/g"), ("../../../g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("http:g", "http:g")]
    lines = "".join(row[1] + "\n" for row in references)
    output("RFC 3986", ["resolve", "http://a/b/c/d;p?q", *[row[0] for row in references]], b"", lines)
    output("the same by name", ["resolve", "--rules", "rfc3986", "http://a/b/c/d;p?q", *[row[0] for row in references]], b"", lines)
    output("from lines", ["resolve", "http://a/b/c/d;p?q"], "\n".join(row[0] for row in references).encode(), lines)
    output("an empty reference", ["resolve", "http://a/b?c#d", ""], b"", "http://a/b?c\n")


def test_normalise():
    def same(a, b):
        return len(set(run("normalise", a, b)[1].split())) == 1
    base = "http://host.example/albert/bertram"
    check("RFC 1630, example 1", same(base + "/marie-claude", base + "/marie%2Dclaude"), True)
    check("RFC 1630, example 2", same(base + "/marie-claude", base + "%2Fmarie-claude"), False)
    for part in ("/%*", "/%as"):
        record = json.loads(run("explain", "--json", base + part)[1])
        check("RFC 1630, example 3", record["valid"], dict.fromkeys(GRAMMARS, False))
    check("one URL, many texts", same("HTTP://Host.Example:80/%7Ea/./b/../c", "http://host.example/~a/c"), True)
    paths = glob.glob(os.path.join(EXPLAINED, "*.txt")) + glob.glob(os.path.join(TOP, "testdata", "cases", "*.list"))
    data = b"\n".join(open(path, "rb").read() for path in paths)
    once = run("normalise", text=data)[1]
    check("normalise over all cases is idempotent", run("normalise", text=once)[1], once)


def test_no_verdict():
    """What the library cannot judge is an error that names the URL, and the rest is still explained."""
    with temporary_folder() as folder:
        shim = preload("fault_shim.c", folder)
        if not shim:
            skip("a grammar that cannot be matched", "no LD_PRELOAD")
            return
        odd, why = "http://a.example/%zz", "internal error or limit of a library"
        env = {"LD_PRELOAD": shim, "FAULT": "match", "FAULT_AT": "1", "FAULT_ALL": "1"}
        for args in ([], ["--json"]):
            done = run("explain", *args, odd, "http://b.example/", env=env)
            check(f"no verdict {args}", (done.returncode, done.stderr), (1, f"urlsift: {odd}: cannot be explained: {why}\n"))
            check(f"the rest {args}", b"http://b.example/" in done.stdout, True)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        check("an error record", [r.get("what") for r in records if r["type"] == "error"], [why])


def main():
    names = [name for name in sys.argv[1:] if name != "--write"]
    test_cases(names, "--write" in sys.argv)
    test_warnings(names)
    if not names:
        test_guesses()
        test_packed()
        test_schemes()
        test_unwrap()
        test_explained("--write" in sys.argv)
        test_every_scheme()
        test_any_bytes()
        test_lines()
        test_limit()
        test_usage()
        test_resolve()
        test_normalise()
        test_no_verdict()
    finish()


main()
