#!/usr/bin/env python3
"""No option is ignored in silence.

The options of a verb that say how its output looks, those of the groups SHOWN of its help, are tried in pairs, each
with every word or a value of its kind.  A pair is refused by one line that names one of the two, or each of the two has
an effect beside the other, at least with a third option.  No pair is listed here; UNSEEN are values that have no effect
on these inputs at all.
"""
import os
import re
import shutil

from testlib import check, complaints, finish, has, read, run, run_text, temporary_folder, write

SHOWN = {"Listing", "Page", "Form", "Output"}
# A value for each kind of value, and for options of which the kind says too little.
VALUES = {"TEMPLATE": "%u %k", "COLUMN,...": "text,label,convention", "TEXT": "A title", "TAG": "de", "FILE": "style", "URL": "http://base.example/?q=",
          "ADDRESS": "me@a.example", "SUFFIX": ".old", "output": "out/dir"}
UNSEEN = {"--line-buffered", "--color=auto", "--color=never", "--as=join", "--no-footers", "--fail-if-none"}
# What these print is in every record of JSON, and in every table of CSV.
ALWAYS = {"--json": {"--with-filename", "--line-number", "--byte-offset"}, "--csv": {"--header"}}
MAIL = """From: =a <a@one.example>
Subject: a letter
Message-ID: <x@one.example>
MIME-Version: 1.0
Content-Type: text/html

<p>http://b\u00fccher.example/\u00e4-\u00df <a href="https://www.google.com/url?q=https://two.example/x&sa=D">=here</a> a@one.example
https://one.example/long-long/long/long/long/long/long/path http://one.example/ http://one.example/</p>
"""
TEXT = ("> <URL:http://one.example/a-\n> b/c> and hxxp://two[.]example/ or http://b\u00fccher.example/?utm_id=1\n"
        "https://www.google.com/url?q=http://three.example/\n")
FILES = {"in.eml": MAIL, "in.txt": TEXT, "again.txt": TEXT, "plain.eml": "Subject: a\nMessage-ID: <x@one.example>\n\n" + TEXT, "style": "p{}"}
# For each verb the arguments of runs.
INPUTS = {"list": [["in.eml"], ["in.txt", "again.txt"]], "html": [["in.eml"], ["in.txt"]], "rewrite": [["plain.eml"], ["in.eml"]],
          "explain": [["https://www.google.com/url?q=https://two.example/x&sa=D"]], "schemes": [[]],
          "query": [["links.db", "hosts"], ["links.db", "authors", "one.example"]]}


def given(verb):
    """The arguments that give the options of the verb, with their names."""
    page = re.sub(r"\|\n {10}", "|", run_text(verb, "--help").stdout)
    group = None
    for head, letter, name, value in re.findall(r"(?m)^(?:(\w[\w ]*):$|  (?:-(.), |    )--([a-z-]+)(\[?=\S+)?)", page):
        group = head or group
        if not name or not (group in SHOWN or letter == "0"):
            continue
        kind = value[2:-1] if value.startswith("[") else value[1:]
        if not kind or value.startswith("["):
            yield f"--{name}", name
        if "|" in kind:
            yield from ((f"--{name}={word.replace('TEMPLATE', '%u')}", name) for word in kind.split("|"))
        elif kind:
            yield f"--{name}={VALUES.get(name) or ('20' if kind == 'N' else VALUES[kind])}", name


def outcome(verb, args):
    """What the runs print and write."""
    runs = []
    for words in INPUTS[verb]:
        runs.append(run(verb, *args, *words))
        if runs[-1].returncode == 2:
            break  # options are refused whatever the input is
    written = {}
    for at, _, names in os.walk("."):
        for name in names:
            path = os.path.normpath(os.path.join(at, name))
            text = read(path)
            if path not in FILES and not name.startswith(("plan.db", "links.db")):
                written[path] = text
                os.unlink(path)
            elif FILES.get(path, text.decode(errors="replace")) != text.decode(errors="replace"):
                written[path] = text
                write(path, FILES[path])
    shutil.rmtree("out", ignore_errors=True)
    return max(done.returncode for done in runs), [done.stdout for done in runs], runs[0].stderr, written


def ignored(verb):
    """The pairs of which one option does nothing, or that are refused in another way."""
    options, seen, effective = list(given(verb)), {}, set()

    def of(*args):
        key = frozenset(args)
        if key not in seen:
            seen[key] = outcome(verb, args)
        return seen[key]

    def has_effect(args, *others):
        with_it = of(args, *others)
        if with_it[0] != 2 and with_it != of(*others):
            effective.add(args)
            return True
        return False

    for args, name in options:
        for other, of_other in options:
            if args in ALWAYS.get(other, ()):
                continue
            if args in UNSEEN or of_other == name or of(other)[0] != 0 or not (any(of(other)[1]) or of(other)[3]):
                continue
            status, _, error, _ = of(args, other)
            if status == 2:
                if error.count("\n") != 1 or not (f"--{name}" in error or f"--{of_other}" in error):
                    yield f"{verb} {args} {other}: {error}"
            elif not has_effect(args, other) and not any(has_effect(args, other, third) for third, of_third in options
                                                         if of_third not in (name, of_other)):
                yield f"{verb} {args} {other}: {args} does nothing"
    for args in sorted({args for args, _ in options} - effective - UNSEEN):
        if of(args) == of():
            yield f"{verb} {args}: no effect was seen"


def main():
    with temporary_folder():
        for name, text in FILES.items():
            write(name, text)
        run("index", "links.db", "in.eml")
        for args in sorted(ALWAYS["--json"]):
            check(f"{args} with --json is taken", run("list", "--json", args, "in.txt")[0], 0)
        for verb in INPUTS:
            if verb != "query" or has("with SQLite"):
                complaints(f"options of {verb}", ignored(verb))
    finish()


main()
