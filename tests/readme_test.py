#!/usr/bin/env python3
"""The examples of README.md and docs/library.md: each command of a ```console block is run in the top folder and must
print what follows it; each program of the second must print what follows the word `prints`.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from testlib import HANG, TOP, URLSIFT, check, expect, finish, skip


def examples(text):
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        for command, output in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block):
            yield command, output


def programs(page):
    """The programs of a page: language, source, what the page says that it prints."""
    for language, source, output in re.findall(
            r"(?ms)^```(c|cpp|rust|python)\n(.*?)^```\n(?:(?!^```).)*?\nprints\n\n((?: {4}[^\n]*\n)+)", page):
        yield language, source, re.sub(r"(?m)^ {4}", "", output)


def compiler(language):
    """How a program is compiled, without warnings, or None."""
    strict = ["-Wall", "-Wextra", "-Werror", "-I" + os.path.join(TOP, "include")]
    if language == "c":
        return [*os.environ.get("CC", "cc").split(), "-std=c11", *strict]
    return {"python": [sys.executable], "cpp": ["c++", "-std=c++17", *strict],
            "rust": ["rustc", "--edition=2021", "-Dwarnings"]}[language]


def printed(language, source):
    """What the program prints when it is linked to the library."""
    build = os.path.dirname(os.path.abspath(URLSIFT))
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "example")
        path = binary + "." + {"rust": "rs"}.get(language, language)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        if language == "python":
            env = {**os.environ, "PYTHONPATH": os.path.join(TOP, "contrib", "python"), "PYTHONDONTWRITEBYTECODE": "1",
                   "URLSIFT_LIBRARY": os.path.join(build, "liburlsift.so")}
            return subprocess.run([sys.executable, path], cwd=TOP, env=env, capture_output=True, text=True,
                                  timeout=HANG).stdout
        library = ["-L" + build] if language == "rust" else [os.path.join(build, "liburlsift.so")]
        done = subprocess.run([*compiler(language), "-o", binary, path, *library], capture_output=True, text=True,
                              timeout=HANG)
        if done.returncode:
            return done.stderr
        done = subprocess.run([binary], env={**os.environ, "LD_LIBRARY_PATH": build}, capture_output=True, text=True,
                              timeout=HANG)
    return done.stdout


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
            for number, (language, source, wanted) in enumerate(programs(file.read()), 1):
                name = f"program {number} of docs/library.md, {language}"
                if shutil.which(compiler(language)[0]):
                    check(name, printed(language, source), wanted)
                else:
                    skip(name, "no compiler")
            check("all programs were tried", number, 7)
    else:
        skip("the programs of docs/library.md", "no shared library in this build")
    expect("README.md has examples", found)
    finish()


main()
