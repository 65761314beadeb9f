#!/usr/bin/env python3
"""The examples of README.md and docs/library.md: each command of a ```console block is run in the top folder and must
print what follows it; the program of the second must print what follows the word `prints`.
"""
import os
import re
import subprocess
import tempfile

from testlib import HANG, TOP, URLSIFT, check, expect, finish, skip


def examples(text):
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        for command, output in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block):
            yield command, output


def program(page):
    """What the program of the page prints when it is linked to the library, and what the page says."""
    parts = re.search(r"(?ms)^```c\n(.*?)^```.*?\nprints\n\n((?: {4}[^\n]*\n)+)", page)
    build = os.path.dirname(URLSIFT)
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "example.c"), os.path.join(folder, "example")
        with open(source, "w", encoding="utf-8") as file:
            file.write(parts[1])
        subprocess.run([*os.environ.get("CC", "cc").split(), "-Wall", "-Wextra", "-Werror", "-I" + os.path.join(TOP, "include"),
                        "-o", binary, source, os.path.join(build, "liburlsift.so")], check=True, timeout=HANG)
        done = subprocess.run([binary], env={**os.environ, "LD_LIBRARY_PATH": build}, capture_output=True, text=True,
                              timeout=HANG)
    return done.stdout, re.sub(r"(?m)^ {4}", "", parts[2])


def main():
    env = {**os.environ, "PATH": os.path.dirname(URLSIFT) + os.pathsep + os.environ["PATH"]}
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as file:
        found = list(examples(file.read()))
    with tempfile.TemporaryDirectory() as folder:  # not /tmp itself, where another user's files may be
        for command, wanted in found:
            done = subprocess.run(["sh", "-c", command.replace("/tmp/", folder + "/")], cwd=TOP, env=env, capture_output=True,
                                  text=True, timeout=HANG, stdin=subprocess.DEVNULL)
            check(command, done.stdout + done.stderr, wanted)
    if os.path.exists(os.path.join(os.path.dirname(URLSIFT), "liburlsift.so")):
        with open(os.path.join(TOP, "docs", "library.md"), encoding="utf-8") as file:
            check("the program of docs/library.md", *program(file.read()))
    else:
        skip("the program of docs/library.md", "no shared library in this build")
    expect("README.md has examples", found)
    finish()


main()
