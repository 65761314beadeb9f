#!/usr/bin/env python3
"""The files of contrib/ for mail readers and editors: each program accepts its own, and finds links with it.

usage: contrib_test.py
Programs that are not installed are skipped.
"""
import json
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

from testlib import HANG, TOP, URLSIFT, check, finish, no_terminal, skip

CONTRIB = os.path.join(TOP, "contrib")
LETTER = "one http://one.example/\n> two <URL:http://two.example/a/\n> b>\n"


def environment(folder):
    path = os.path.dirname(URLSIFT) + os.pathsep + os.environ.get("PATH", "")
    return {"PATH": path, "HOME": folder, "TERM": "xterm", "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": folder}


def run(folder, *args, data=""):
    return subprocess.run(args, cwd=folder, env=environment(folder), input=data, capture_output=True, text=True, timeout=HANG)


def test_emacs(folder):
    shutil.copy(os.path.join(CONTRIB, "urlsift.el"), folder)
    done = run(folder, "emacs", "--batch", "-Q", "--eval", "(setq byte-compile-error-on-warn t)", "-f",
               "batch-byte-compile", "urlsift.el")
    check("urlsift.el compiles without a warning", (done.returncode, done.stderr), (0, ""))
    script = """(progn (load (expand-file-name "urlsift.elc") nil t)
        (fset 'browse-url (lambda (url &rest _) (message "opened %s" url)))
        (fset 'yes-or-no-p (lambda (question) (message "%s" question) nil))
        (fset 'completing-read (lambda (_ table &rest _) (car (completion-all-completions "TWO.ex" table nil 6))))
        (with-temp-buffer (insert "http://one.example/ http://two.example/a-\\nb http://three.example/") (urlsift-pick)
          (erase-buffer) (fset 'completing-read (lambda (_ table &rest _) (car (all-completions "" table))))
          (insert "http://a:b@three.example/") (urlsift-pick)))"""
    done = run(folder, "emacs", "--batch", "-Q", "--eval", script)
    check("urlsift-pick opens a link, and asks about another", done.stderr.splitlines(),
          ["opened http://two.example/a-", "Warning: password.  Open http://a:b@three.example/? "])


def test_vim(folder):
    with open(os.path.join(folder, "letter"), "w", encoding="ascii") as file:
        file.write(LETTER)
    run(folder, "vim", "-N", "-u", os.path.join(CONTRIB, "vimrc"), "-es", "letter", "-c", "2,3Links", "-c",
        "call writefile(map(getqflist(), 'v:val.lnum . \" \" . v:val.text'), 'found')", "-c", "qa!")
    with open(os.path.join(folder, "found"), encoding="ascii") as file:
        check(":Links fills the quickfix list", file.read(), "2 http://two.example/a/b\n")


class Screen:
    """A program on a pseudo-terminal, and what it writes there."""

    def __init__(self, folder, *args):
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(args[0], args, environment(folder))
        fcntl.ioctl(self.tty, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def press(self, keys, *texts):
        """The one of the texts that is written first after the keys; b"" for none."""
        seen, end = b"", time.monotonic() + HANG
        os.write(self.tty, keys)
        while not any(text in seen for text in texts) and time.monotonic() < end:
            if select.select([self.tty], [], [], 0.1)[0]:
                seen += os.read(self.tty, 65536)
        return ([text for text in texts if text in seen] + [b""])[0]

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.tty)


def test_mutt(folder, mutt="mutt"):
    done = run(folder, mutt, "-n", "-F", os.path.join(CONTRIB, "muttrc"), "-Q", "wait_key")
    check(f"{mutt} reads muttrc", (done.returncode, done.stderr), (0, ""))
    if no_terminal():
        skip(f"pick in {mutt}", no_terminal())
        return
    os.mkdir(os.path.join(folder, "Mail"))
    with open(os.path.join(folder, "box"), "w", encoding="ascii") as file:
        file.write("From a@mail.example Mon Mar  2 10:00:00 2020\nFrom: a@mail.example\nSubject: s\n\n" + LETTER)
    screen = Screen(folder, mutt, "-n", "-F", os.path.join(CONTRIB, "muttrc"), "-f", "box")
    check(f"{mutt} shows the message", screen.press(b"", b"q:Quit"), b"q:Quit")
    for menu, view in (b"q:Quit", b""), (b"i:Exit", b"\r"), (b"text/plain", b"v"):
        check(f"{mutt}: {view}", screen.press(view, menu) if view else menu, menu)
        check(f"{mutt}: Ctrl-B shows the links", screen.press(b"\x02", b"one.example", b"ot bound"), b"one.example")
        time.sleep(0.5) # until fzf reads keys
        check(f"{mutt}: and asks for no key", screen.press(b"q", b"Press any key", menu), menu)
    screen.end()


def test_neomutt(folder):
    test_mutt(folder, "neomutt")


def test_tmux(folder):
    done = run(folder, "tmux", "-L", "contrib", "-f", os.path.join(CONTRIB, "tmux.conf"), "start-server", ";",
               "list-keys", "-T", "prefix", "u")
    check("tmux binds the key", "urlsift pick --input=text" in done.stdout, True)


def test_less(folder):
    """A file may have the name of an option."""
    with open(os.path.join(folder, "--summary"), "w", encoding="ascii") as file:
        file.write("http://a.example/\n")
    done = run(folder, "sh", "-c", '. "$0"; less -- --summary', os.path.join(CONTRIB, "less.sh"))
    check("less.sh: a file with the name of an option", "\x1b]8;;http://a.example/\x1b" in done.stdout, True)


def test_rules():
    """Each file of rules has a text: each line and, after ` => `, the links that are found in it."""
    names = sorted(os.listdir(os.path.join(CONTRIB, "rules")))
    texts = os.path.join(TOP, "testdata", "contrib-rules")
    check("each file of rules has a text", sorted(os.listdir(texts)), [name + ".txt" for name in names])
    for name in names:
        with open(os.path.join(texts, name + ".txt"), encoding="utf-8") as file:
            lines = [line.rstrip("\n").partition(" => ") for line in file]
        done = subprocess.run([URLSIFT, "list", "--json", "--rules=" + os.path.join(CONTRIB, "rules", name)],
                              input="".join(line[0] + "\n" for line in lines), capture_output=True, text=True,
                              timeout=HANG)
        found = [[] for _ in lines]
        for record in map(json.loads, done.stdout.splitlines()):
            found[record["line"] - 1].append(record["url"])
        for number, (text, _, urls) in enumerate(lines):
            check(f"the rules of {name}: {text}", " ".join(found[number]), urls)
        check(f"the rules of {name}: some match and some do not", {bool(urls) for _, _, urls in lines}, {True, False})
    together = subprocess.run(["sh", "-c", 'cat "$0"/rules/*', CONTRIB], capture_output=True, check=True,
                              timeout=HANG).stdout
    done = subprocess.run([URLSIFT, "list", "--rules=/dev/stdin", os.path.join(texts, "pep.txt")], input=together,
                          capture_output=True, timeout=HANG)
    check("all rules together", (done.returncode, done.stderr), (0, b""))


def main():
    test_rules()
    tests = {"emacs": test_emacs, "vim": test_vim, "mutt": test_mutt, "neomutt": test_neomutt, "tmux": test_tmux,
             "less": test_less}
    for program, test in tests.items():
        if not shutil.which(program):
            skip(f"contrib for {program}", "it is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    done = subprocess.run(["sh", "-n", os.path.join(CONTRIB, "less.sh")], check=False)
    check("less.sh is a script", done.returncode, 0)
    finish()


main()
