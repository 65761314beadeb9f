#!/usr/bin/env python3
"""A fuzzer of the command, written from its manual alone: outsider_cli.py SEED RUNS.

Each run makes an input from a seed, draws options and a promise of urlsift(1), and stops at the first that is broken,
with the folder of the input and the command.  URLSIFT names the command."""
import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

COMMAND = os.path.abspath(os.environ.get("URLSIFT", "build/urlsift"))

SCHEMES = ["http://"] * 6 + ["https://", "ftp://", "mailto:", "news:", "www.", "gopher://", "foo://", "javascript:",
                             "tel:",
                             "HTTP://", "hxxp://", "steam://", "data:", "mid:", ""]
HOSTS = ["a.example"] * 5 + ["www.b.example", "192.0.2.7", "[2001:db8::1]", "0x7f.1", "b\u00fccher.example",
                             "xn--bcher-kva.example",
                             "bank.example@evil.example", "u:p@h.example", "A.EXAMPLE:80", "a.example:99999",
                             "a[.]example",
                             "\u0430pple.example", "joe@d.example", "a_b.example", "c.com", "+12015550123", "a..b"]
PATHS = ["/", "/x", "/a-\nb", "?a=1&amp;b=2", "#top", "/(b)", "/%7Eada", "/..", "/\u00e9", "/a,b", ".", ")", "/it's",
         "/\u200b",
         "?u=http://c.example/", "/very/long/path/that/goes/on/and/on/and/on/for/more/than/one/line/of/text", "/\x01",
         "/%0d%0a", "@"]
WRAPS = ["{}"] * 4 + ["<URL:{}>", "<{}>", '"{}"', "({})", "[see]({})", "*{}*", "\x1b[31m{}\x1b[0m",
                      '<a href="{}">text</a>', "> {}",
                      '{{"u": "{}"}}', "[[{}][label]]", "`{}`", "<URL: {}\n>", "\u201c{}\u201d", "{},{}", "URL:{}",
                      "$ curl {} \\\n  -x"]
WORDS = ["see", "the", "page", "at", "bug #17", "From", "\u65e5\u672c", "a.b", "e.g.", "<b>", "&", "\r", "\x00", "-- ",
         "=20", "you@c.example"]


def url(dice):
    return dice.choice(SCHEMES) + dice.choice(HOSTS) + "".join(dice.choice(PATHS) for _ in range(dice.randrange(4)))


def text(dice):
    lines = []
    for _ in range(dice.randrange(1, 9)):
        words = [dice.choice(WORDS) for _ in range(dice.randrange(6))]
        words.insert(dice.randrange(len(words) + 1), dice.choice(WRAPS).format(url(dice), url(dice)))
        line = " ".join(words)
        if dice.random() < 0.1:
            line = "".join(c + "\b" + c for c in line)
        lines.append(line)
    out = "\n".join(lines) + "\n"
    if dice.random() < 0.2:
        at = dice.randrange(len(out))
        out = out[:at] + dice.choice(["\n> ", "\r\n", "\f", "\b", "<", "\x1b]", "-\n"]) + out[at:]
    raw = out.encode("utf-8")
    return raw if dice.random() < 0.8 else raw + bytes(dice.randrange(256) for _ in range(9))


def message(dice, number):
    subject = f"Subject: {dice.choice(WORDS)} {url(dice)}".replace("\n", " ").replace("\x00", "")
    head = [f"From: Ada <a{number % 3}@b.example>", f"Date: Mon, {number % 28 + 1} Jan 2024 10:00:00 +0000",
            f"Message-ID: <m{number}@b.example>", subject]
    if dice.random() < 0.3:
        head.append(f"In-Reply-To: <m{max(0, number - 1)}@b.example>")
    body = text(dice)
    kind = dice.randrange(5)
    if kind == 0:
        import base64
        head.append("Content-Transfer-Encoding: base64")
        body = base64.encodebytes(body)
    elif kind == 1:
        head.append("Content-Type: text/html; charset=utf-8")
    elif kind == 2:
        head.append('Content-Type: multipart/alternative; boundary="b"')
        page = b"Content-Type: text/html\n\n<a href=\"" + url(dice).encode() + b"\">x</a>"
        body = b"--b\n\n" + body + b"\n--b\n" + page + b"\n--b--\n"
    body = re.sub(rb"(?m)^From ", b">From ", body)
    return "\n".join(head).encode("utf-8") + b"\n\n" + body + b"\n"


def mailbox(dice):
    line = b"From a@b.example Mon Jan  1 10:00:00 2024\n"
    return b"".join(line + message(dice, i) for i in range(dice.randrange(1, 12)))


def source(dice):
    return dice.choice([text, text, mailbox, lambda d: message(d, 1), lambda d: b"<!doctype html><p>" + text(d)])(dice)


class Broken(Exception):
    pass


class Run:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.seed = seed
        self.folder = tempfile.mkdtemp(prefix="outsider-")
        self.commands = []

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(data)
        return path

    def call(self, *args, data=None, pieces=None, status=(0, 1), cut=None):
        """Runs the command; checks what the manual says of every run.  Returns what it prints."""
        environment = dict(os.environ, LC_ALL="C")
        if cut:
            environment["URLSIFT_CUT"] = str(cut)
        self.commands.append(" ".join(args))
        process = subprocess.Popen([COMMAND, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                                   env=environment, cwd=self.folder)
        if pieces:
            try:
                for i in range(0, len(data), pieces):
                    process.stdin.write(data[i:i + pieces])
                    process.stdin.flush()
            except BrokenPipeError:
                pass
            data = None
        out, errors = process.communicate(data, timeout=120)
        code = process.returncode
        self.hold(code in status, f"exit status {code}: {errors[-300:]!r}")
        if code and "--fail-if-none" not in args:
            self.hold(errors.endswith(b"\n"), f"exit status {code} without a line on standard error")
        if code == 2:
            self.hold(not out, "a usage error prints nothing on standard output")
        self.errors = errors
        return out

    def hold(self, condition, words):
        if not condition:
            raise Broken(words)

    def records(self, *args, **more):
        out = self.call(*args, **more)
        self.hold(out.isascii() or out.decode("utf-8") is not None, "JSON is UTF-8")
        return [json.loads(line) for line in out.splitlines()]

    def scan_options(self):
        dice = self.dice
        table = ["--email", "--domains", "--refang", "--www=https", "--join=never", "--join=likely", "--hyphen=drop",
                "--max-breaks=2",
                 "--max-url-length=100", "--max-alternates=1", "--headers=all", "--headers=none", "--resources",
                 "--message-ids",
                 "--base=http://base.example/d/f", "--charset=iso-8859-1", "--charset=utf-8", "--max-depth=1",
                 "--max-parts=2"]
        return [dice.choice(table) for _ in range(dice.randrange(4))]


def strip(records):
    return [{k: v for k, v in record.items() if k != "source"} for record in records]


# ---- promises ----

def files_and_pipes(run):
    """A file, a pipe, a pipe fed slowly, and a compressed file give the same records."""
    data, options = source(run.dice), run.scan_options()
    want = strip(run.records("list", "--json", *options, run.write("f", data)))
    run.hold(strip(run.records("list", "--json", *options, data=data)) == want, "a pipe is as a file")
    run.hold(strip(run.records("list", "--json", *options, "-", data=data, pieces=run.dice.choice([7, 100]))) == want,
             "a slow pipe is as a file")
    pack = run.dice.choice([gzip.compress, bz2.compress, lzma.compress])
    run.hold(strip(run.records("list", "--json", *options, run.write("g", pack(data)))) == want,
            "a compressed file is as a file")


def archives(run):
    """The members of an archive are read like files."""
    data, options = source(run.dice).replace(b"\0", b""), run.scan_options()
    want = strip(run.records("list", "--json", *options, run.write("f", data)))
    out = io.BytesIO()
    if run.dice.random() < 0.5:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("d/m", data)
    else:
        with tarfile.open(fileobj=out, mode=run.dice.choice(["w", "w:gz", "w:xz"])) as archive:
            entry = tarfile.TarInfo("d/m")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    got = run.records("list", "--json", *options, run.write("a", out.getvalue()))
    run.hold(all(record.pop("member", "d/m") == "d/m" for record in got), "the member is named")
    run.hold(strip(got) == want, "a member is read like a file")


def lists(run):
    """The lines of list are the links of the records; templates print the keys."""
    path, options = run.write("f", source(run.dice)), run.scan_options()
    links = [r for r in run.records("list", "--json", *options, path) if r["type"] == "link"]
    lines = run.call("list", "--encoded", *options, path).decode().splitlines()
    run.hold(lines == [r["url"] for r in links], "list --encoded prints the key `url`")
    form = "%s\\t%h\\t%k\\t%g\\t%w\\t%N\\t%U\\t%l\\t%c\\t%o"
    lines = run.call("list", "--format=" + form, *options, path).decode().splitlines()
    want = ["\t".join([r["scheme"], r.get("host", ""), r["convention"],
            ",".join(f for f in r.get("flags", []) if f != "join-guessed"), ",".join(r.get("warnings", [])),
                       r["normal"], r["url"], str(r["line"]), str(r["column"]), str(r["parts"][0][0])]) for r in links]
    run.hold(len(lines) == len(want), "a template prints a line for each link")
    for line, keys in zip(lines, want):  # without --json, readings that were not chosen are not sought
        line = re.sub(",?join-guessed", "", line).replace("\t,", "\t")
        run.hold(line == keys, f"templates print the keys: {line!r} {keys!r}")
    run.hold(int(run.call("list", "-c", *options, path).split(b":")[-1]) == len(links), "-c is the number of links")
    run.hold(run.call("list", "-0", "--encoded", *options, path) == b"".join(r["url"].encode() + b"\0" for r in links),
            "-0 ends lines with NUL")
    once = list(dict.fromkeys(r["normal"] for r in links))
    run.hold(run.call("list", "-u", "--format=%N", *options, path).decode().splitlines() == once,
            "-u lists each comparable form once")


def filters(run):
    """A filter and its opposite divide the links."""
    path, options = run.write("f", source(run.dice)), run.scan_options()
    everything = strip(run.records("list", "--json", *options, path))
    count = sum(r["type"] == "link" for r in everything)
    yes, no = run.dice.choice([("--scheme=http,mailto", "--not-scheme=http,mailto"),
            ("--host=*.example", "--not-host=*.example"),
                               ("--match=a.*e", "--not-match=a.*e"), ("--warned", "--no-warning=any"),
                               ("--warned=refanged,ip-host", "--no-warning=refanged,ip-host"),
                               ("--delimited", "--convention=bare,prefix,schemeless,email,rule")])
    got = [sum(r["type"] == "link" for r in run.records("list", "--json", option, *options, path)) for option in (yes,
            no)]
    run.hold(sum(got) == count, f"{yes} and {no} divide the links: {got} of {count}")


def jobs(run):
    """-j affects neither the output nor its order."""
    paths = [run.write(f"d/{i}", source(run.dice)) for i in range(run.dice.randrange(1, 6))]
    paths.append(run.write("d/big", b"".join(mailbox(run.dice) for _ in range(8))))
    verb = run.dice.choice([["list", "--json"], ["list", "-n"], ["html"], ["rewrite"], ["list", "-u"],
            ["rewrite", "--as=wrap"],
                            ["list", "-c"], ["list", "--json", "--context=3"], ["html", "--fragment", "-n"]])
    options = run.scan_options()
    names = run.dice.choice([paths, ["-r", "d"]])
    want = run.call(*verb, *options, "-j1", *names)
    errors = run.errors
    got = run.call(*verb, *options, f"-j{run.dice.choice([2, 4])}", *names,
            cut=run.dice.choice([None, 300, 1000, 3000]))
    run.hold(got == want, "-j does not affect the output")
    run.hold(sorted(run.errors.splitlines()) == sorted(errors.splitlines()), "-j does not affect what is reported")


def ranges(run):
    """Adjacent ranges cover each message once."""
    data = mailbox(run.dice)
    path = run.write("f", data)
    cut = run.dice.randrange(1, len(data))
    whole = strip(run.records("list", "--json", "--input=mbox", path))
    parts = strip(run.records("list", "--json", "--input=mbox", f"--range=0:{cut}", path) +
                  run.records("list", "--json", "--input=mbox", f"--range={cut}:{len(data)}", path))
    run.hold(parts == whole, f"adjacent ranges, cut at {cut}")


def single(run):
    """normalise is idempotent; explain and resolve take any line."""
    lines = b"".join(url(run.dice).replace("\n", "").replace("\r", "").encode() + b"\n" for _ in range(8))
    once = run.call("normalise", data=lines)
    run.hold(run.call("normalise", data=once) == once, "normalise is idempotent")
    run.hold(len(once.splitlines()) == len(lines.splitlines()), "a line for each URL")
    records = run.records("explain", "--json", "--unwrap", data=lines)
    run.hold([r["type"] for r in records] == ["url"] * len(records), "a record for each URL")
    run.call("explain", data=lines)
    base = "http://base.example/a/b?q"
    out = run.call("resolve", run.dice.choice(["--rules=rfc1630", "--rules=rfc3986"]), base, "-", data=lines)
    run.hold(len(out.splitlines()) == len(lines.splitlines()), "a line for each reference")
    run.hold(run.call("resolve", base, "") == base.encode() + b"\n", "an empty reference is the base")


def index(run):
    """An index has the links of list; shards, parts and a merge give the same; a second run changes nothing."""
    paths = [run.write(f"m/{i}.mbox",
            b"".join(mailbox(run.dice) for _ in range(3))) for i in range(run.dice.randrange(1, 4))]
    options = run.dice.choice([[], ["--email"], ["--headers=all"], ["--join=never"]])
    run.call("index", *options, "a.db", *paths)
    hosts = run.call("query", "a.db", "hosts")
    questions = ["hosts", "months", "warned", "joined", "sources", "problems"]
    before = [run.call("query", "a.db", q) for q in questions]
    run.call("index", *options, run.dice.choice(["-j1", "--full"]), "a.db", *paths)
    run.hold([run.call("query", "a.db", q) for q in questions] == before, "a second run changes nothing")
    shards = run.call("shards", *options, f"--size={run.dice.choice([500, 2000, 100000])}", *paths)
    run.write("shards", shards)
    lines = shards.splitlines(keepends=True)
    run.dice.shuffle(lines)
    for line in lines + lines[:1]:
        run.call("index", *options, "--parts=parts", "--shards-from=-", data=line)
    run.hold(run.call("shards", "--todo", "--shards-from=shards", "--parts=parts") == b"", "no piece is left")
    run.call("index", "--merge", *options, "b.db", "--shards-from=shards", "--parts=parts")
    run.hold(run.call("query", "b.db", "hosts") == hosts, "shards and a merge give the same index")
    run.hold([run.call("query", "b.db", q) for q in ("months", "warned", "joined")] ==
             [run.call("query", "a.db", q) for q in ("months", "warned", "joined")],
             "shards and a merge give the same answers")
    for name in questions:
        for line in run.call("query", "--json", "a.db", name).splitlines():
            json.loads(line)


def pages(run):
    """A folder of pages does not depend on the order of the input or -j; a second run writes nothing."""
    paths = [run.write(f"m/{i}.mbox", mailbox(run.dice)) for i in range(run.dice.randrange(1, 4))]

    def tree(name):
        return {os.path.relpath(os.path.join(at, f), os.path.join(run.folder, name)): open(os.path.join(at, f),
                "rb").read()
                for at, _, files in os.walk(os.path.join(run.folder, name)) for f in files}
    run.call("html", "--title=x", "-o", "p", "-j1", *paths)
    first = tree("p")
    run.call("html", "--title=x", "-o", "p", "-j1", *paths)
    run.hold(tree("p") == first, "a second run changes nothing")
    run.call("html", "--title=x", "-o", "q", "-j3", *reversed(paths), cut=run.dice.choice([None, 500]))
    other = tree("q")
    run.hold({k: v for k, v in other.items() if k.endswith(".html")} == {k: v for k,
            v in first.items() if k.endswith(".html")},
             "neither the order of the input nor -j affects the pages")
    run.hold("index.html" in first, "the start page is index.html")


def any_options(run):
    """Any verb with any option: no signal, documented exit statuses, a line on standard error."""
    dice = run.dice
    verbs = ["list", "html", "rewrite", "explain", "normalise", "resolve", "schemes", "index", "shards", "query",
            "completions", "help", "pick",
             "--help", "--version", "--limits", "lst", ""]
    options = ["--json", "-u", "-c", "-H", "-I", "-n", "-b", "--encoded", "--unwrap", "--format=%u%t", "--format=%",
            "--format=%q", "--context",
               "--context=101", "--context=-1", "--color=always", "--color=x", "--fragment", "--title=t", "--lang=de",
               "--css=f", "--css=nothing",
               "-o", "p", "--as=wrap", "--as=nonsense", "--as=template:%u", "--as=template:%z", "--width=5",
               "--width=20", "--open=x", "--print",
               "--rules=f", "--rules=rfc1630", "--input=mbox", "--input=x", "--range=1:2", "--range=1:2:3",
               "--range=x", "-r", "--files-from=f", "-0", "-j0",
               "-j65", "-j3", "--progress", "--summary", "--fail-if-none", "--root=.", "--full", "--prune",
               "--cache=1", "--size=1k", "--size=0", "--parts=z",
               "--todo", "--merge", "--sql", "--shards-from=f", "--match=(", "--match=a", "--match-limit=1",
               "--unique-limit=1", "--nest=9", "--max-expand=1",
               "--warned=x", "--valid=rfc1738", "--valid=x", "--", "-", "--no-sandbox", "--hyphen=both", "-h", "-V",
               "--headers=x", "--charset=x", "--base=x"]
    run.write("f", source(dice))
    run.write("g", source(dice))
    args = [dice.choice(verbs)] + [dice.choice(options + ["f", "g", "nothing",
            "http://a.example/../x"]) for _ in range(dice.randrange(6))]
    run.call(*args, data=text(dice), status=(0, 1, 2, 3))


PROMISES = [files_and_pipes, files_and_pipes, archives, lists, lists, filters, jobs, jobs, ranges, single, index,
        pages, any_options, any_options]


def main():
    seed, runs = int(sys.argv[1]), int(sys.argv[2])
    failed = 0
    for number in range(seed, seed + runs):
        run = Run(number)
        promise = run.dice.choice(PROMISES)
        try:
            promise(run)
        except Exception as error:
            failed += 1
            print(f"seed {number}, {promise.__name__}: {type(error).__name__}: {str(error)[:1500]}\n  in {run.folder}:")
            for command in run.commands[-4:]:
                print("   ", command[:400])
            if failed > 20:
                break
        else:
            shutil.rmtree(run.folder)
    print(f"{runs} runs, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
