#!/usr/bin/env python3
"""The examples of the manual pages do what the pages say, when they are copied from the formatted page.

In urlsift.1 each line after a `$` in EXAMPLES is run by the shell and must succeed, and so in all of urlsift-recipes.7; in urlsift-rules.5 each block has
a text and, after `=>`, the links in it.
"""
import gzip
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from testlib import HANG, TOP, URLSIFT, check, finish, skip


def formatted(name):
    page = subprocess.run(["mandoc", "-Tutf8", "-O", "width=200", os.path.join(TOP, "man", name)], capture_output=True,
                          text=True, timeout=HANG, check=True).stdout
    return re.sub(".\x08", "", page)


def section(page, name):
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


LETTER = "Subject: x\n\nSee http://a.example/x and <URL:http://www.example.org/y\nz> and http://1.2.3.4/\n"
MAIL = ("From a Fri Nov 20 10:00:00 2026\nFrom: a@a.example\nDate: Fri, 20 Nov 2026 10:00:00 +0000\nMessage-ID: <1@a.example>\n"
        "List-Id: <a.example>\nSubject: links\n\nsee http://a.example/x and http://1.2.3.4/\n\n")
FILES = {"letter.txt": LETTER, "other.txt": LETTER, "archive.mbox": MAIL * 2,
         "Maildir/cur/1": MAIL.split("\n", 1)[1], "notes/a.txt": LETTER}


def needs(command):
    """What the example runs besides urlsift that is not here."""
    programs = re.findall(r"(?:^|\| )(\S+)", command)
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


def main():
    if not shutil.which("mandoc"):
        skip("the examples of the manual", "no mandoc")
        finish()
    test_rules()
    test_examples("urlsift.1", section(formatted("urlsift.1"), "EXAMPLES"))
    test_examples("urlsift-recipes.7", formatted("urlsift-recipes.7"))
    test_archives()
    finish()


main()
