#!/usr/bin/env python3
"""The completion scripts, each in its shell: verbs, the options of a verb, words of values, lists, files."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

from testlib import HANG, URLSIFT, check, finish, no_terminal, skip, temporary_folder

# What is typed before a TAB, and what the line is after it.
TYPED = [
    ("urlsift expl", "urlsift explain "),
    ("urlsift normalis", "urlsift normalise "),
    ("urlsift --byt", "urlsift --byte-offset "),
    ("urlsift letter", "urlsift letter.txt "),
    ("urlsift html --frag", "urlsift html --fragment "),
    ("urlsift list --join=d", "urlsift list --join=declared "),
    ("urlsift list --join li", "urlsift list --join likely "),
    ("urlsift html letter", "urlsift html letter.txt "),
    ("urlsift list -n --files-from=lett", "urlsift list -n --files-from=letter.txt "),
    ("urlsift list --convention=angle,wrap", "urlsift list --convention=angle,wrapper"),
    ("urlsift list --warned=pass", "urlsift list --warned=password"),
    ("urlsift list --warned letter", "urlsift list --warned letter.txt"),
    ("urlsift resolve --rules=rfc1", "urlsift resolve --rules=rfc1630 "),
    ("urlsift query lett", "urlsift query letter.txt "),
    ("urlsift query letter.txt mon", "urlsift query letter.txt months "),
    ("urlsift rewrite --as=markd", "urlsift rewrite --as=markdown "),
    ("urlsift rewrite --as gem", "urlsift rewrite --as gemtext "),
    ("urlsift list --warned=password,mix", "urlsift list --warned=password,mixed-script"),
    ("urlsift html -o pie", "urlsift html -o pieces/"),
    ("urlsift completions fi", "urlsift completions fish "),
    ("urlsift help resol", "urlsift help resolve "),
    ("urlsift shards --todo --parts=pie", "urlsift shards --todo --parts=pieces/"),
]
# What is offered where nothing was typed yet; other.txt is where files are.
BARE = [
    ("urlsift ", ["list", "html", "rewrite", "pick", "explain", "query", "other.txt"]),
    ("urlsift html ", ["letter.txt", "other.txt"]),
    ("urlsift rewrite --as=", ["join", "wrap", "markdown", "defang"]),
    ("urlsift query letter.txt ", ["first", "posts", "hosts", "months"]),
    ("urlsift list --warned=", ["any", "password", "mixed-script", "unusable"]),
    ("urlsift list --warned=any,", ["password", "unusable"]),
    ("urlsift completions ", ["bash", "zsh", "fish"]),
]
# What nothing is added to: options of other verbs, files where there can be none.
NOTHING = ["urlsift list --frag", "urlsift explain --uni", "urlsift explain letter", "urlsift normalize letter",
           "urlsift schemes letter", "urlsift list --match=letter"]


def script(shell):
    done = subprocess.run([URLSIFT, "completions", shell], capture_output=True, text=True, timeout=HANG)
    check(f"completions {shell}", (done.returncode, done.stderr), (0, ""))
    return done.stdout


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, command, setup):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": os.getcwd(), "LC_ALL": "C"}
            os.execvpe(command[0], command, env)
        self.ask(setup + "; PS1='% '; echo rea''dy\r", "ready")
        self.read(0.3)

    def read(self, seconds, until=None):
        text = ""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and until in text):
            if select.select([self.fd], [], [], 0.05)[0]:
                text += re.sub("[\x07\r\x08]", "", os.read(self.fd, 65536).decode(errors="replace"))
        return text

    def ask(self, text, until):
        os.write(self.fd, text.encode())
        return self.read(HANG, until)

    def complete(self, text, wanted):
        """What the terminal shows of the line after a TAB."""
        shown = self.ask(text + "\t", wanted)
        os.write(self.fd, b"\x15")
        self.read(0.1)
        return shown

    def offers(self, text, words):
        """Whether the words are shown after TABs, and whether files are."""
        os.write(self.fd, (text + "\t\t").encode())
        shown, end = "", time.monotonic() + HANG
        while not all(word in shown for word in words) and time.monotonic() < end:
            shown += self.read(0.1)
        shown += self.read(0.3)
        os.write(self.fd, b"\x15")
        self.read(0.1)
        return all(word in shown for word in words), "other.txt" in shown

    def nothing(self, text):
        os.write(self.fd, (text + "\t").encode())
        shown = self.read(0.5)
        os.write(self.fd, b"\x15")
        self.read(0.1)
        return shown

    def close(self):
        os.write(self.fd, b"\x15exit\r")
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def test_terminal(shell, command, setup):
    terminal = Terminal(command, setup)
    for text, wanted in TYPED:
        check(f"{shell}: {text}", wanted in terminal.complete(text, wanted), True)
    for text, words in BARE:
        check(f"{shell}: {text}", terminal.offers(text, words), (True, "other.txt" in words))
    for text in NOTHING:
        shown = terminal.nothing(text)
        check(f"{shell}: nothing for {text}", shown.rstrip("\n% ").count("letter.txt") + shown.count("--fragment") + shown.count("--unique"), 0)
    terminal.close()


def test_fish():
    def complete(text):
        done = subprocess.run(["fish", "--no-config", "-c", 'source urlsift.fish; complete -C $argv[1]', "--", text],
                              capture_output=True, text=True, timeout=HANG, env={**os.environ, "HOME": os.getcwd()})
        return [line.split("\t")[0] for line in done.stdout.splitlines()]

    for text, wanted in TYPED:
        check(f"fish: {text}", wanted.split()[-1] in complete(text), True)
    for text, words in BARE:
        offered = [word.split("=")[-1].split(",")[-1] for word in complete(text)]
        check(f"fish: {text}", (set(words) <= set(offered), "other.txt" in offered), (True, "other.txt" in words))
    for text in NOTHING:
        check(f"fish: nothing for {text}", complete(text), [])


def main():
    with temporary_folder():
        os.mkdir("pieces")
        for name in "letter.txt", "other.txt":
            with open(name, "w") as file:
                file.write("x\n")
        for shell, command, setup in (("bash", ["bash", "--norc", "--noprofile", "-i"], "source ./urlsift.bash"),
                                      ("zsh", ["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; source ./urlsift.zsh"),
                                      ("fish", None, None)):
            with open(f"urlsift.{shell}", "w") as file:
                file.write(script(shell))
            if not shutil.which(shell):
                skip(f"the completions of {shell}", f"no {shell}")
            elif command and no_terminal():
                skip(f"the completions of {shell}", no_terminal())
            elif command:
                test_terminal(shell, command, setup)
            else:
                test_fish()
    done = subprocess.run([URLSIFT, "completions", "csh"], capture_output=True, text=True, timeout=HANG)
    check("another shell", (done.returncode, done.stderr), (2, "urlsift: completions takes bash, zsh or fish; try 'urlsift --help'\n"))
    finish()


main()
