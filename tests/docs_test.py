#!/usr/bin/env python3
"""What is written in several places is the same everywhere, and the examples of the documentation do what it says.

  places    options, their values and defaults, limits, warnings, flags, conventions and implementations, in the help,
            the manual, the headers and --limits; the version; the folders of src, and what is at the top
  manual    in urlsift.1 each line after a `$` in EXAMPLES is run by the shell and must succeed, and so in all of
            urlsift-recipes.7; in urlsift-rules.5 each block has a text and, after `=>`, the links in it
  readme    each command of a ```console block of README.md is run in the top folder and must print what follows it;
            each of its programs, and of those of docs/library.md, must print what follows the word `prints`
  bench     the benchmarks run, on small corpora (long)
"""
import glob
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from testlib import HANG, LONG, TOP, URLSIFT, check, expect, finish, run_text, skip


# ---- Places ----

def contents(path):
    with open(os.path.join(TOP, path)) as file:
        return file.read()


def verbs():
    page = run_text("--help").stdout
    return re.findall(r"(?m)^  ([a-z]+) +\S", page[page.index("Verbs:"):page.index("Examples:")])


def help_options():
    """For each option its letter, the words or the name of its value, its default: for each verb that differs."""
    found = {}
    for verb in sorted(verbs(), key="resolve".__eq__):  # whose --rules is the last in the manual as well
        page = re.sub(r"\|\n {10}", "|", run_text(verb, "--help").stdout)
        for letter, name, optional, value, text in re.findall(
                r"(?m)^  (?:-(.), |    )--([a-z-]+)(?:\[=(\S+)\]|=(\S+))?((?:.*\n {20}.*)*.*)", page):
            default = re.search(r"\s\(([a-z0-9]+)\)\s*$", text)
            found.setdefault(name, set()).add((letter, optional or value, default[1] if default else ""))
    return found


def plain(text):
    """mdoc without its macros."""
    text = re.sub(r"\b(Ns|Ar|Cm|Fl|Pq|Pa|Li|No) ?", "", text.replace("\\&", ""))
    return re.sub(r" Op(:\w+)", r"[\1]", re.sub(r"\s*([|=:,])\s*", r"\1", text))


def manual_options(page):
    found = {}
    for head, text in re.findall(r"(?m)^\.It (Fl .*)\n((?:(?!^\.It Fl|^\.S[hs]).*\n)*)", page):
        name = re.search(r"(?:^|[ ,])-([a-z-]+)", plain(head))[1]
        letter = re.match(r"Fl ([A-Za-z0-9])\b", head)
        value = re.search(r"=(.*)$", plain(head))
        default = re.search(r"(?m)^\.Pq default: (?:Cm )?([a-z0-9]+)", text)
        found.setdefault(name, set()).add((letter[1] if letter else "", value[1] if value else "", default[1] if default else ""))
    return found


def test_options(page):
    told, written = help_options(), manual_options(page)
    check("options in the manual", sorted(written), sorted(told))
    for name in sorted(set(told) & set(written)):
        check(f"--{name}: letter, value and default", written[name], told[name])
    for name, value, default in [(name, *row[1:]) for name, rows in told.items() for row in rows]:
        if value and "|" in value:
            check(f"--{name} has a default", default in value.split("|"), True)
    for name, low, high in re.findall(r"\.It Fl -([a-z-]+) .*\n(?:.*\n){0,4}?.*?(\d+) to (\d+)$", page, re.M):
        verb = "rewrite" if name == "width" else "list"
        for wrong in (int(low) - 1, int(high) + 1):
            check(f"the range of --{name}", f"from {low} to {high}," in run_text(verb, f"--{name}={wrong}").stderr, True)


def test_scanner_defaults():
    """The header, the manual of the library and the types for JavaScript state the defaults of src/scan/options.c."""
    rows = dict(re.findall(r"\[URLSIFT_OPT_(\w+)\] = \{.*, (\w+)\}", contents("src/scan/options.c")))
    names = sorted(value for value in rows.values() if value.startswith("URLSIFT_"))
    rows = {name: value.split("_")[-1] for name, value in rows.items() if not re.fullmatch("[A-Z]+_MAX", value)}
    stated = dict(re.findall(r"URLSIFT_OPT_(\w+) = \d+,? */\* [^(]*\((\w+)\)", contents("include/urlsift.h")))
    for name, value in rows.items():
        check(f"the default of URLSIFT_OPT_{name} in include/urlsift.h", stated[name], value)
    stated = re.findall(r'\("?(\w+)"?\)\. \*/\n  (\w+)\?:', contents("js/urlsift.d.ts"))
    for value, name in [(value, name) for value, name in stated if name.upper() in rows]:
        check(f"the default of {name} in js/urlsift.d.ts", {"false": "0"}.get(value, value.upper()), rows[name.upper()])
    check("defaults in man/urlsift.3", sorted(re.findall(r"\.Dv (URLSIFT_\w+)\n\(the default\)", contents("man/urlsift.3"))), names)


def test_verbs(page):
    items = re.findall(r"(?m)^\.It Cm ([a-z ,]+)$", section(page, "VERBS"))
    check("verbs in the manual", [name for item in items for name in item.split(" , ")], verbs())
    check("verbs in the synopsis", sorted(set(re.findall(r"(?m)^(?:\.Op Cm|\.Cm) ([a-z]+)", section(page, "SYNOPSIS")))),
          sorted(verbs()))


def test_limits(page):
    rows = re.findall(r"(?m)^([a-z-]+) +(\d+)  (\S.*?) +(fixed|--[a-z-]+)$", run_text("--limits").stdout)
    names = [row[0] for row in rows]
    check("every row of --limits is source, each once", (len(rows), len(set(names))),
          (len(run_text("--limits").stdout.splitlines()),) * 2)
    for name, value, _, option in rows:
        if option != "fixed":
            check(f"the limit {name} is that of {option}", value, min(help_options()[option[2:]])[2])
    used = set()
    for path in glob.glob(os.path.join(TOP, "src", "**", "*.c"), recursive=True):
        used |= set(re.findall(r'parser_limit\([^"]*"([a-z-]+)"', contents(path)))
        used |= set(re.findall(r'\[LIMIT_\w+\] = "([a-z-]+)"', contents(path)))
    check("limits that are reported and not listed", used - set(names), set())


def test_keys(page):
    """The keys of the menu, in the help and in the manual."""
    told = re.findall(r"(?m)^  (\S(?:[^ ]| (?! ))*) +(.*)$", re.search(r"Keys:\n((?:  .*\n)*)", run_text("pick", "--help").stdout)[1])
    written = re.findall(r"(?m)^\.It Sy (.*)\n(.*)[;.]$", section(page, "The menu"))
    check("keys in the manual", [(plain(keys).replace(" ,", ",").replace(",", ", "), text) for keys, text in written], told)


def section(page, name):
    return re.search(r"(?ms)^\.S[hs] " + name + r"\n(.*?)(?=^\.S[hs] )", page)[1]


def names_of(option):
    """The names that the message for a wrong one has."""
    message = run_text("list", f"--{option}=no-such-name").stderr
    return re.search(r"is not one of (.*?);", message)[1].split(", ")


def test_names(page):
    written = [name for row in re.findall(r"(?m)^\.It Li (.*)", section(page, "Warnings")) for name in row.split(" , ")]
    check("warnings", sorted(written + ["any"]), sorted(names_of("no-warning")))
    for option in ("convention", "valid"):
        entry = re.search(r"(?ms)^\.It Fl -%s .*?(?=^\.It Fl)" % option, page)[0]
        check(option, sorted(re.findall(r"(?m)^\.Cm ([a-z0-9]+)", entry)), sorted(names_of(option)))
        text = re.sub(r"\s+", " ", run_text("list", "--help").stdout)
        check(f"{option} in the help", [name for name in names_of(option) if name not in text], [])
    source = contents("src/scan/options.c")
    names = source[source.index("urlsift_flag_name"):]
    flags = re.findall(r'"([a-z-]+)"', names[:names.index("};")])
    entry = re.search(r"(?ms)^\.It Li flags\n(.*?)^\.It", section(page, "The JSON record"))[1]
    check("flags", sorted(re.findall(r"\.Li ([a-z-]+)", entry)), sorted(flags))


def test_keys(page):
    """Those of two records, in the order in which the fuzzer outsider demands them."""
    source = contents("tests/fuzz/outsider.c")
    for kind, name in (("link", "The JSON record"), ("url", "The record of a URL")):
        demanded = re.search(r'"\{\\"type\\":\\"%s\\"",\s+((?:"[a-z,]+"\s*)+)' % kind, source)[1]
        demanded = "".join(re.findall(r'"(.*?)"', demanded)).strip(",").split(",")
        written = [key for row in re.findall(r"(?m)^\.It Li (.*)", section(page, name)) for key in row.split(" , ")]
        check(f"keys of a record: {kind}", [key for key in demanded if key != "key"], written)


def test_directives(page):
    """Those of --format are the ones that the message about a wrong one lists."""
    known = run_text("list", "--format=%!").stderr.split(" is not one of ")[1].split(";")[0].split()
    text = page[page.index("Fl -format"):page.index(".It Fl -context")]
    described = re.findall(r"(?m)^\.(?:It )?Li (?:\\&)?(%.|\\e\\e|\\e\w)", text)
    check("directives of --format", sorted(set(described)), sorted(name.replace("\\", "\\e") for name in known))


def test_columns(page):
    """Those of --csv are the ones that the message about a wrong one lists."""
    known = run_text("list", "--csv=nope").stderr.split(" is not one of ")[1].split(";")[0].split()
    entry = re.search(r"(?ms)^\.It Fl -csv .*?^Several flags", page)[0].replace("\n.Pq as Li", " #")
    described = re.findall(r"[a-z]+", re.sub("#.*", "", "\n".join(re.findall(r"(?m)^\.Li ([a-z][a-z ,]*)", entry[entry.index(" :\n"):]))))
    check("columns of --csv", sorted(set(described)), sorted(known))


def test_implementations(page):
    message = run_text("list", env={"URLSIFT_IMPL": "mmx"}).stderr
    told = re.search(r"not one of (.*), or not", message)[1]
    entry = re.search(r"(?ms)^\.It Ev URLSIFT_IMPL\n(.*?)^\.It", page)[1]
    written = re.findall(r"\b(portable|sse\w+|avx\w+|neon|wasm\w+)\b", entry)
    check("implementations", written, re.split(r", | and ", told))
    header = re.search(r"(?s)URLSIFT_IMPL_AUTO = 0, (.*?)\}", contents("include/urlsift.h"))[1]
    check("implementations of the library", written, [name.lower() for name in re.findall(r"URLSIFT_IMPL_(\w+)", header)])


def included(path):
    """The headers in src/ that a file includes, as paths there."""
    names = re.findall(r'(?m)^#include "(.+)"', contents(path))
    places = [[os.path.join(os.path.dirname(path), name), os.path.join("src", name)] for name in names]
    return [next(place for place in two if os.path.exists(os.path.join(TOP, place))) for two in places
            if any(os.path.exists(os.path.join(TOP, place)) for place in two)]


def test_folders():
    """A folder includes headers only of those before it, and src/cli, the headers that it includes counted in, none of the
    library's own but these of src/text, and the tracking parameters."""
    order = ["simd", "text", "url", "scan", "mail", "render", "input", "index", "pages", "cli"]
    lent = {"src/text/" + name for name in ("ascii.h", "bits.h", "buf.h", "bytes.h", "calendar.h", "csv.h", "hashset.h",
                                            "match.h", "unicode.h", "unicode_word_table.h")}
    lent.add("src/url/tracking.h")
    paths = [os.path.relpath(path, TOP) for path in glob.glob(os.path.join(TOP, "src", "**", "*.[ch]"), recursive=True)]
    graph = {path: included(path) for path in paths}

    def rank(path):
        return order.index(path.split("/")[1])
    later = [(path, to) for path in paths for to in graph[path] if rank(to) > rank(path)]
    check("folders that include later ones", [pair for pair in later if "src/text/" not in "".join(pair)], [])
    seen = {path for path in paths if path.startswith("src/cli/")}
    check("files of src/cli", len(seen) > 10, True)
    while more := {to for path in seen for to in graph.get(path, [])} - seen:
        seen |= more
    check("headers of the library that src/cli includes",
          sorted(path for path in seen - lent if rank(path) < order.index("input")), [])


def test_version():
    """The header has the version; the build takes it from there, and each file that has to repeat it says the same."""
    numbers = re.findall(r"(?m)^#define URLSIFT_VERSION_\w+ (\d+)$", contents("include/urlsift.h"))
    version, major = ".".join(numbers), numbers[0]
    packaging = "contrib/packaging/"
    places = {"CHANGES.md": r"(?m)^## (\S+) ", "contrib/urlsift.el": r"(?m)^;; Version: (.*)$", "js/package.json": r'"version": "(.*?)"',
              "js/thunderbird/manifest.json": r'"version": "(.*?)"', "js/README.md": r"urlsift-([\d.]+)\.tgz",
              packaging + "arch/PKGBUILD": r"(?m)^pkgver=(.*)$", packaging + "debian/changelog": r"^urlsift \((.*)-\d+\)",
              packaging + "freebsd/Makefile": r"(?m)^DISTVERSION=\s*(.*)$", packaging + "homebrew/urlsift.rb": r"urlsift-([\d.]+)\.tar",
              packaging + "nix/default.nix": r'(?m)^  version = "(.*)";$', packaging + "rpm/urlsift.spec": r"(?m)^Version: +(.*)$"}
    for path, pattern in places.items():
        found = re.search(pattern, contents(path))
        check(f"the version in {path}", found and found[1], version)
    for path, pattern in ((packaging + "debian/liburlsift%s.symbols" % major, r"^liburlsift\.so\.(\d+) "),
                          ("contrib/python/urlsift/__init__.py", r'"liburlsift\.so\.(\d+)"')):
        check(f"the major version in {path}", re.findall(pattern, contents(path)), [major])
    check("the version of the command", run_text("--version").stdout.split("\n")[0], "urlsift " + version)


def test_top():
    """What git keeps in the top folder: a file that was left there is noticed."""
    if not os.path.exists(os.path.join(TOP, ".git")) or not shutil.which("git"):
        skip("the files of git", "no clone")
        return
    done = subprocess.run(["git", "-c", "safe.directory=*", "ls-files"], cwd=TOP, capture_output=True, text=True)
    check("files and folders at the top", sorted({path.split("/")[0] for path in done.stdout.splitlines()}),
          [".ci", ".gitignore", "CHANGES.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
           "contrib", "docs", "include", "js", "man", "src", "testdata", "tests"])


def test_places():
    page = contents("man/urlsift.1")
    test_options(page)
    test_scanner_defaults()
    test_verbs(page)
    test_limits(page)
    test_keys(page)
    test_names(page)
    test_keys(page)
    test_directives(page)
    test_columns(page)
    test_folders()
    test_version()
    test_top()
    test_implementations(page)


# ---- Manual pages ----

def formatted(name):
    page = subprocess.run(["mandoc", "-Tutf8", "-O", "width=200", os.path.join(TOP, "man", name)], capture_output=True,
                          text=True, timeout=HANG, check=True).stdout
    return re.sub(".\x08", "", page)


def part_of(page, name):
    return re.search(rf"(?ms)^{name}\n(.*?)(?=^\S)", page)[1]


def test_rules():
    blocks = re.findall(r"(?m)(?:^ +\S.*\n)(?:^ *\S.*\n)*^ +=> .*\n", formatted("urlsift-rules.5"))
    check("examples of the rules", len(blocks) >= 12, True)
    for block in blocks:
        lines = block.splitlines()
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        lines = [line[indent:] for line in lines]
        args = shlex.split(lines.pop(0))[2:] if lines[0].startswith("$ urlsift") else []
        wanted = [line[3:] for line in lines if line.startswith("=> ")]
        text = "".join(line + "\n" for line in lines if not line.startswith("=> "))
        done = subprocess.run([URLSIFT, *args], input=text, capture_output=True, text=True, timeout=HANG)
        check(f"the rules: {text}", (done.stdout.splitlines(), done.stderr), (wanted, ""))


LETTER = "Subject: x\n\nSee http://a.example/x and <URL:http://www.example.org/y\nz> and http://1.2.3.4/a.PDF\n\nhttp://a.example/{z}\n"
MAIL = ("From a Fri Nov 20 10:00:00 2026\nFrom: a@a.example\nDate: Fri, 20 Nov 2026 10:00:00 +0000\nMessage-ID: <1@a.example>\n"
        "List-Id: <a.example>\nList-Unsubscribe: <http://a.example/u>\n"
        "Subject: links\n\nsee http://a.example/x and http://1.2.3.4/\n\n")
NEWS = "From a Fri Nov 20 10:00:00 2026\nFrom: a@a.example\nContent-Type: text/html\n\n<img src=http://a.example/i.png>\n\n"
FILES = {"letter.txt": LETTER, "other.txt": LETTER, "archive.mbox": MAIL * 2 + NEWS,
         "Maildir/cur/1": MAIL.split("\n", 1)[1], "notes/a.txt": LETTER}


def needs(command):
    """What the example runs besides urlsift that is not here."""
    programs = re.findall(r"(?:^|(?<!\|)\| )(\S+)", command)
    return [name for name in programs if name != "urlsift" and not shutil.which(name)]


def test_examples(name, text):
    commands = re.findall(r"(?m)^ +\$ (.*)$", text)
    check(f"examples of {name}", len(commands) >= 8, True)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        os.makedirs(os.path.join(folder, "Maildir", "new"))
        if shutil.which("git"):
            subprocess.run(["git", "init", "-q"], cwd=folder, stderr=subprocess.DEVNULL, check=True)
        env = {**os.environ, "HOME": folder, "PATH": os.path.dirname(URLSIFT) + ":" + os.environ["PATH"]}
        for command in commands:
            if needs(command):
                skip(f"the example {command}", f"no {', '.join(needs(command))}")
                continue
            before = set(os.listdir(folder))
            done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=HANG)
            made = set(os.listdir(folder)) - before
            check(f"the example {command}", (done.returncode, done.stderr, bool(done.stdout) or bool(made)), (0, "", True))


def sessions(text):
    """Commands after a `$`, which continue over lines while a quotation mark is open, and the output below each."""
    lines, found = text.splitlines(), []
    while lines:
        first = re.fullmatch(r"( *)\$ (.*)", lines.pop(0))
        if not first:
            continue
        command = first[2]
        while command.count('"') % 2 and lines:
            command += "\n" + lines.pop(0).strip()
        output = []
        while lines and re.match(first[1] + r"[^ $]", lines[0]):
            output.append(lines.pop(0).split())
        found.append((command, output))
    return found


def test_archives():
    """Every command of urlsift-archives(7) is run, in order; it prints what the page shows below it."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "garden"))
        for name in os.listdir(os.path.join(TOP, "testdata", "archive")):
            with open(os.path.join(TOP, "testdata", "archive", name), "rb") as file, \
                    gzip.GzipFile(os.path.join(folder, "garden", name + ".gz"), "wb", mtime=0) as packed:
                packed.write(file.read())
        env = {**os.environ, "HOME": folder, "PATH": os.path.dirname(URLSIFT) + ":" + os.environ["PATH"]}
        for command, wanted in sessions(formatted("urlsift-archives.7")):
            if needs(command):
                skip(f"the example {command}", f"no {', '.join(needs(command))}")
                command = command.removeprefix("parallel --pipe -N1 ")  # one process: the next examples need the result
            if needs(command):
                continue
            done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=HANG)
            if "not in this build" in done.stderr:
                skip("urlsift-archives(7)", f"{done.stderr.strip()}")
                return
            got = [line.split() for line in done.stdout.splitlines()]
            check(f"the example {command}", (done.returncode, got if wanted else []), (0, wanted))


def test_lines():
    """A command of a manual is not broken where a terminal has 80 columns: pasted, its parts would be two commands."""
    for name in sorted(os.listdir(os.path.join(TOP, "man"))):
        with open(os.path.join(TOP, "man", name), encoding="utf-8") as file:
            text = file.read()
        check("commands fit", [line for line in re.findall(r"(?m)^\.Dl (.*)", text) if len(line) > 67], [], at=name)


def test_style():
    """mandoc has nothing to say about a page but that another project's page is not installed here."""
    pages = sorted(glob.glob(os.path.join(TOP, "man", "*.[1357]")))
    said = subprocess.run(["mandoc", "-Tlint", "-Wstyle", *pages], capture_output=True, text=True).stdout.splitlines()
    check("the manual pages", [line for line in said if re.search(r": [A-Z]+: ", line)
                               and "referenced manual not found" not in line], [])


def test_manual():
    test_lines()
    if not shutil.which("mandoc"):
        skip("the style and the examples of the manual", "no mandoc")
        return
    test_style()
    test_rules()
    test_examples("urlsift.1", part_of(formatted("urlsift.1"), "EXAMPLES"))
    test_examples("urlsift-recipes.7", formatted("urlsift-recipes.7"))
    test_archives()


# ---- README.md and docs/library.md ----

def examples(text):
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        for command, output in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block):
            yield command, output


def programs(page):
    """The programs of a page: language, source, what the page says that it prints."""
    for language, source, output in re.findall(
            r"(?ms)^```(c|cpp|rust|python)\n(.*?)^```\n(?:(?!^```).)*?\nprints\n\n((?: {4}[^\n]*\n)+)", page):
        yield language, source, re.sub(r"(?m)^ {4}", "", output)


def short_programs(page):
    """Those of README.md, in three languages, which all print the same."""
    blocks, output = re.search(r"(?ms)^## In programs\n(.*?)\nEach prints\n\n((?: {4}[^\n]*\n)+)", page).groups()
    for language, source in re.findall(r"(?ms)^```(\w+)\n(.*?)^```", blocks):
        yield language, source, re.sub(r"(?m)^ {4}", "", output)


def compiler(language):
    """How a program is compiled, without warnings, or None."""
    strict = ["-Wall", "-Wextra", "-Werror", "-I" + os.path.join(TOP, "include")]
    if language == "c":
        return [*os.environ.get("CC", "cc").split(), "-std=c11", *strict]
    return {"python": [sys.executable], "js": ["node"], "cpp": ["c++", "-std=c++17", *strict],
            "rust": ["rustc", "--edition=2021", "-Dwarnings"]}[language]


JS_PACKAGE = os.path.join(TOP, "build", "js", "package")


def printed(language, source):
    """What the program prints when it is linked to the library."""
    build = os.path.dirname(os.path.abspath(URLSIFT))
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "example")
        path = binary + "." + {"rust": "rs", "js": "mjs"}.get(language, language)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        if language == "python":
            env = {**os.environ, "PYTHONPATH": os.path.join(TOP, "contrib", "python"), "PYTHONDONTWRITEBYTECODE": "1",
                   "URLSIFT_LIBRARY": os.path.join(build, "liburlsift.so")}
            return subprocess.run([sys.executable, path], cwd=TOP, env=env, capture_output=True, text=True,
                                  timeout=HANG).stdout
        if language == "js":
            os.makedirs(os.path.join(folder, "node_modules"))
            os.symlink(JS_PACKAGE, os.path.join(folder, "node_modules", "urlsift"))
            return subprocess.run(["node", path], capture_output=True, text=True, timeout=HANG).stdout
        library = ["-L" + build] if language == "rust" else [os.path.join(build, "liburlsift.so")]
        done = subprocess.run([*compiler(language), "-o", binary, path, *library], capture_output=True, text=True,
                              timeout=HANG)
        if done.returncode:
            return done.stderr
        done = subprocess.run([binary], env={**os.environ, "LD_LIBRARY_PATH": build}, capture_output=True, text=True,
                              timeout=HANG)
    return done.stdout


def test_readme():
    env = {**os.environ, "PATH": os.path.dirname(URLSIFT) + os.pathsep + os.environ["PATH"]}
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    found = list(examples(readme))
    with tempfile.TemporaryDirectory() as folder:  # not /tmp itself, where another user's files may be
        for command, wanted in found:
            done = subprocess.run(["sh", "-c", command.replace("/tmp/", folder + "/")], cwd=TOP, env=env, capture_output=True,
                                  text=True, timeout=HANG, stdin=subprocess.DEVNULL)
            check(command, done.stdout + done.stderr, wanted)
    if os.path.exists(os.path.join(os.path.dirname(URLSIFT), "liburlsift.so")):
        with open(os.path.join(TOP, "docs", "library.md"), encoding="utf-8") as file:
            told = [*short_programs(readme), *programs(file.read())]
        for number, (language, source, wanted) in enumerate(told, 1):
            name = f"program {number} of README.md and docs/library.md, {language}"
            if not shutil.which(compiler(language)[0]):
                skip(name, "no compiler")
            elif language == "js" and not os.path.exists(JS_PACKAGE):
                skip(name, "no package for JavaScript in this build")
            else:
                check(name, printed(language, source), wanted)
        check("all programs are tried", [language for language, _, _ in told],
              ["c", "python", "js", "c", "c", "c", "c", "cpp", "rust", "python"])
    else:
        skip("the programs of README.md and docs/library.md", "no shared library in this build")
    expect("README.md has examples", found)


# ---- Benchmarks ----

def bench(*args):
    done = subprocess.run([sys.executable, os.path.join(TOP, "tests", "bench", "bench.py"), "--size=1", *args], capture_output=True, text=True)
    check(f"bench {args}", (done.returncode, done.stderr), (0, ""))
    return done.stdout


def test_calls():
    if not LONG or not os.path.exists(os.path.join(TOP, "build", "liburlsift.so")):
        return
    done = subprocess.run([sys.executable, os.path.join(TOP, "tests", "bench", "calls.py"), "--rounds=1"],
                          capture_output=True, text=True, timeout=HANG)
    check("short calls are measured", (done.stderr, len(re.findall(r"(?m) \d+\.\d\d \u00b5s$", done.stdout))), ("", 7))


def test_bench():
    if not LONG:
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BENCH_DIR"] = folder
        found = bench("--quick", "--rounds=1", "--only=rfc,packed,start")
        for row in ("rfc +urlsift list ", "rfc +urlsift html ", "gzip-6 +urlsift list FILE ", "urlsift list --json "):
            expect(f"a row {row}", re.search("(?m)^" + row, found), found)
        rows = re.findall(r"(?m)^(rfc|start) .*(?: +\d+\.\d{3}){4}$", bench("--against=" + URLSIFT, "--only=rfc,start"))
        check("pairs", rows, ["rfc"] * 10 + ["start"] * 3)


def main():
    test_places()
    test_manual()
    test_readme()
    test_bench()
    test_calls()
    finish()


main()
