#!/usr/bin/env python3
"""What is written in several places is the same everywhere: options, their values and
defaults, limits, warnings, flags, conventions and implementations, in the help, the manual
and --limits.
"""
import glob
import os
import re

from testlib import TOP, check, finish, run_text as run


def read(path):
    with open(os.path.join(TOP, path)) as file:
        return file.read()


def verbs():
    page = run("--help").stdout
    return re.findall(r"(?m)^  ([a-z]+) +\S", page[page.index("Verbs:"):page.index("Examples:")])


def help_options():
    """For each option its letter, the words or the name of its value, its default: for each verb that differs."""
    found = {}
    for verb in sorted(verbs(), key="resolve".__eq__):  # whose --rules is the last in the manual as well
        page = re.sub(r"\|\n {10}", "|", run(verb, "--help").stdout)
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
            check(f"the range of --{name}", f"from {low} to {high}," in run(verb, f"--{name}={wrong}").stderr, True)


def test_scanner_defaults():
    """The header, the manual of the library and the types for JavaScript state the defaults of src/scan/options.c."""
    rows = dict(re.findall(r"\[URLSIFT_OPT_(\w+)\] = \{.*, (\w+)\}", read("src/scan/options.c")))
    names = sorted(value for value in rows.values() if value.startswith("URLSIFT_"))
    rows = {name: value.split("_")[-1] for name, value in rows.items() if not re.fullmatch("[A-Z]+_MAX", value)}
    stated = dict(re.findall(r"URLSIFT_OPT_(\w+) = \d+,? */\* [^(]*\((\w+)\)", read("include/urlsift.h")))
    for name, value in rows.items():
        check(f"the default of URLSIFT_OPT_{name} in include/urlsift.h", stated[name], value)
    stated = re.findall(r'\("?(\w+)"?\)\. \*/\n  (\w+)\?:', read("js/urlsift.d.ts"))
    for value, name in [(value, name) for value, name in stated if name.upper() in rows]:
        check(f"the default of {name} in js/urlsift.d.ts", {"false": "0"}.get(value, value.upper()), rows[name.upper()])
    check("defaults in man/urlsift.3", sorted(re.findall(r"\.Dv (URLSIFT_\w+)\n\(the default\)", read("man/urlsift.3"))), names)


def test_verbs(page):
    items = re.findall(r"(?m)^\.It Cm ([a-z ,]+)$", section(page, "VERBS"))
    check("verbs in the manual", [name for item in items for name in item.split(" , ")], verbs())
    check("verbs in the synopsis", sorted(set(re.findall(r"(?m)^(?:\.Op Cm|\.Cm) ([a-z]+)", section(page, "SYNOPSIS")))),
          sorted(verbs()))


def test_limits(page):
    rows = re.findall(r"(?m)^([a-z-]+) +(\d+)  (\S.*?) +(fixed|--[a-z-]+)$", run("--limits").stdout)
    names = [row[0] for row in rows]
    check("every row of --limits is read, each once", (len(rows), len(set(names))),
          (len(run("--limits").stdout.splitlines()),) * 2)
    for name, value, _, option in rows:
        if option != "fixed":
            check(f"the limit {name} is that of {option}", value, min(help_options()[option[2:]])[2])
    used = set()
    for path in glob.glob(os.path.join(TOP, "src", "**", "*.c"), recursive=True):
        used |= set(re.findall(r'parser_limit\([^"]*"([a-z-]+)"', read(path)))
        used |= set(re.findall(r'\[LIMIT_\w+\] = "([a-z-]+)"', read(path)))
    check("limits that are reported and not listed", used - set(names), set())


def test_keys(page):
    """The keys of the menu, in the help and in the manual."""
    told = re.findall(r"(?m)^  (\S(?:[^ ]| (?! ))*) +(.*)$", re.search(r"Keys:\n((?:  .*\n)*)", run("pick", "--help").stdout)[1])
    written = re.findall(r"(?m)^\.It Sy (.*)\n(.*)[;.]$", section(page, "The menu"))
    check("keys in the manual", [(plain(keys).replace(" ,", ",").replace(",", ", "), text) for keys, text in written], told)


def section(page, name):
    return re.search(r"(?ms)^\.S[hs] " + name + r"\n(.*?)(?=^\.S[hs] )", page)[1]


def names_of(option):
    """The names that the message for a wrong one has."""
    message = run("list", f"--{option}=no-such-name").stderr
    return re.search(r"is not one of (.*?);", message)[1].split(", ")


def test_names(page):
    written = [name for row in re.findall(r"(?m)^\.It Li (.*)", section(page, "Warnings")) for name in row.split(" , ")]
    check("warnings", sorted(written + ["any"]), sorted(names_of("no-warning")))
    for option in ("convention", "valid"):
        entry = re.search(r"(?ms)^\.It Fl -%s .*?(?=^\.It Fl)" % option, page)[0]
        check(option, sorted(re.findall(r"(?m)^\.Cm ([a-z0-9]+)", entry)), sorted(names_of(option)))
        text = re.sub(r"\s+", " ", run("list", "--help").stdout)
        check(f"{option} in the help", [name for name in names_of(option) if name not in text], [])
    source = read("src/scan/options.c")
    names = source[source.index("urlsift_flag_name"):]
    flags = re.findall(r'"([a-z-]+)"', names[:names.index("};")])
    entry = re.search(r"(?ms)^\.It Li flags\n(.*?)^\.It", section(page, "The JSON record"))[1]
    check("flags", sorted(re.findall(r"\.Li ([a-z-]+)", entry)), sorted(flags))


def test_directives(page):
    """Those of --format are the ones that the message about a wrong one lists."""
    known = run("list", "--format=%!").stderr.split(" is not one of ")[1].split(";")[0].split()
    text = page[page.index("Fl -format"):page.index(".It Fl -context")]
    described = re.findall(r"(?m)^\.(?:It )?Li (?:\\&)?(%.|\\e\\e|\\e\w)", text)
    check("directives of --format", sorted(set(described)), sorted(name.replace("\\", "\\e") for name in known))


def test_implementations(page):
    message = run("list", env={"URLSIFT_IMPL": "mmx"}).stderr
    told = re.search(r"not one of (.*), or not", message)[1]
    entry = re.search(r"(?ms)^\.It Ev URLSIFT_IMPL\n(.*?)^\.It", page)[1]
    written = re.findall(r"\b(portable|sse\w+|avx\w+|neon|wasm\w+)\b", entry)
    check("implementations", written, re.split(r", | and ", told))
    header = re.search(r"(?s)URLSIFT_IMPL_AUTO = 0, (.*?)\}", read("include/urlsift.h"))[1]
    check("implementations of the library", written, [name.lower() for name in re.findall(r"URLSIFT_IMPL_(\w+)", header)])


def included(path):
    """The headers in src/ that a file includes, as paths there."""
    names = re.findall(r'(?m)^#include "(.+)"', read(path))
    places = [[os.path.join(os.path.dirname(path), name), os.path.join("src", name)] for name in names]
    return [next(place for place in two if os.path.exists(os.path.join(TOP, place))) for two in places
            if any(os.path.exists(os.path.join(TOP, place)) for place in two)]


def test_folders():
    """A folder includes headers only of those before it, and src/cli, the headers that it includes counted in, none of the
    library's own but these of src/text."""
    order = ["simd", "text", "url", "scan", "mail", "render", "input", "index", "pages", "cli"]
    lent = {"src/text/" + name for name in ("ascii.h", "buf.h", "hashset.h", "unicode.h", "unicode_word_table.h")}
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


def main():
    page = read("man/urlsift.1")
    test_options(page)
    test_scanner_defaults()
    test_verbs(page)
    test_limits(page)
    test_keys(page)
    test_names(page)
    test_directives(page)
    test_folders()
    test_implementations(page)
    finish()


main()
