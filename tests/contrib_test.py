#!/usr/bin/env python3
"""The files of contrib/ for mail readers and editors: each program accepts its own, and finds links with it; and the
completions, which are typed into the shells.  With URLSIFT_LONG each reader shows a message and its menu
opens a broken link of it (contrib_readers.py).

Programs that are not installed are skipped.
"""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

from contrib_readers import test_readers
from testlib import HANG, LONG, TOP, URLSIFT, check, finish, no_terminal, skip, temporary_folder


# ---- Mail readers and editors ----

CONTRIB = os.path.join(TOP, "contrib")
LETTER = "one http://one.example/\n> two <URL:http://two.example/a/\n> b>\n"


def environment(folder):
    path = os.path.dirname(URLSIFT) + os.pathsep + os.environ.get("PATH", "")
    return {"PATH": path, "HOME": folder, "TERM": "xterm", "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": folder}


def run_in(folder, *args, data=""):
    return subprocess.run(args, cwd=folder, env=environment(folder), input=data, capture_output=True, text=True, timeout=HANG)


def test_emacs(folder):
    shutil.copy(os.path.join(CONTRIB, "urlsift.el"), folder)
    done = run_in(folder, "emacs", "--batch", "-Q", "--eval", "(setq byte-compile-error-on-warn t)", "-f",
               "batch-byte-compile", "urlsift.el")
    check("urlsift.el compiles without a warning", (done.returncode, done.stderr), (0, ""))
    script = """(progn (load (expand-file-name "urlsift.elc") nil t)
        (fset 'browse-url (lambda (url &rest _) (message "opened %s" url)))
        (fset 'yes-or-no-p (lambda (question) (message "%s" question) nil))
        (fset 'completing-read (lambda (_ table &rest _) (car (completion-all-completions "TWO.ex" table nil 6))))
        (with-temp-buffer (insert "http://one.example/ http://two.example/a-\\nb http://three.example/") (urlsift-pick)
          (erase-buffer) (fset 'completing-read (lambda (_ table &rest _) (car (all-completions "" table))))
          (insert "http://a:b@three.example/") (urlsift-pick)))"""
    done = run_in(folder, "emacs", "--batch", "-Q", "--eval", script)
    check("urlsift-pick opens a link, and asks about another", done.stderr.splitlines(),
          ["opened http://two.example/a-", "Warning: password.  Open http://a:b@three.example/? "])


def test_vim(folder):
    with open(os.path.join(folder, "letter"), "w", encoding="ascii") as file:
        file.write(LETTER)
    run_in(folder, "vim", "-N", "-u", os.path.join(CONTRIB, "vimrc"), "-es", "letter", "-c", "2,3Links", "-c",
        "call writefile(map(getqflist(), 'v:val.lnum . \" \" . v:val.text'), 'found')", "-c", "qa!")
    with open(os.path.join(folder, "found"), encoding="ascii") as file:
        check(":Links fills the quickfix list", file.read(), "2 http://two.example/a/b\n")
    with open(os.path.join(folder, "words"), "w", encoding="utf-8") as file:
        file.write("\tété, http://one.example/ et http://two.example/\n")
    run_in(folder, "vim", "-N", "-u", os.path.join(CONTRIB, "vimrc"), "-es", "words", "-c", "set encoding=utf-8", "-c", "edit", "-c",
        "Links", "-c", "call writefile(map(getqflist(), 'v:val.col . \" \" . v:val.text'), 'found')", "-c", "qa!")
    with open(os.path.join(folder, "found"), encoding="ascii") as file:
        check(":Links goes to the link", file.read(), "9 http://one.example/\n32 http://two.example/\n")
    with open(os.path.join(folder, "draft"), "w", encoding="ascii") as file:
        file.write("From: a@mail.example\nSubject: s\nBcc: b@mail.example\n\n" + LETTER)
    run_in(folder, "vim", "-N", "-u", os.path.join(CONTRIB, "vimrc"), "-es", "draft", "-c", "LinkMend", "-c", "wq")
    with open(os.path.join(folder, "draft"), encoding="ascii") as file:
        draft = file.read()
    check(":LinkMend keeps the header", draft.startswith("From: a@mail.example\nSubject: s\nBcc: b@mail.example\n\n"), True)
    with open(os.path.join(folder, "many"), "w", encoding="ascii") as file:
        file.write("Dear all <URL:http://a.example/" + "".join(f"part{i}/\n" for i in range(20)) + "end> bye\n\n\n")
    for shell in filter(shutil.which, ("sh", "bash", "zsh")):
        shutil.copy(os.path.join(folder, "many"), os.path.join(folder, "mended"))
        run_in(folder, "vim", "-N", "-u", os.path.join(CONTRIB, "vimrc"), "-es", "mended", "-c", f"set shell={shell}", "-c", "LinkMend",
               "-c", "wq")
        with open(os.path.join(folder, "mended"), encoding="ascii") as file:
            many = file.read()
        check(f":LinkMend takes no message for text, in {shell}",
              (many.startswith("Dear all <URL:http://a.example/part"), many.endswith("end> bye\n\n\n")), (True, True))
    check(":LinkMend mends", ("http://two.example/a/b" in draft, draft.endswith("\n\n")), (True, False))


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
    done = run_in(folder, mutt, "-n", "-F", os.path.join(CONTRIB, "muttrc"), "-Q", "wait_key")
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
        time.sleep(2) # until fzf reads keys
        check(f"{mutt}: and asks for no key", screen.press(b"q", b"Press any key", menu), menu)
    screen.end()
    browser = os.path.join(folder, "bin", "xdg-open")
    os.mkdir(os.path.dirname(browser))
    with open(browser, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n")
    os.chmod(browser, 0o755)
    path = os.path.dirname(browser) + os.pathsep + environment(folder)["PATH"]
    screen = Screen(folder, "env", "PATH=" + path, "LESS=F", mutt, "-n", "-F", os.path.join(CONTRIB, "muttrc"), "-f", "box")
    check(f"{mutt} shows the box", screen.press(b"", b"q:Quit"), b"q:Quit")
    if shutil.which("less"):
        check(f"{mutt}: ,l lists the links", screen.press(b",l", b"(END)", b"Press any key", b"q:Quit"), b"(END)")
        check(f"{mutt}: ,l asks for no key", screen.press(b"q", b"Press any key", b"q:Quit"), b"q:Quit")
    else:
        skip(f"{mutt}: ,l", "less is not installed")
    check(f"{mutt}: ,p asks for no key", screen.press(b",p", b"Press any key", b"q:Quit"), b"q:Quit")
    with open(os.path.join(folder, ".urlsift.html"), encoding="utf-8") as file:
        check(f"{mutt}: ,p makes a page", "http://two.example/a/b" in file.read(), True)
    screen.end()
    with open(os.path.join(folder, "html"), "w", encoding="ascii") as file:
        file.write("From a@mail.example Mon Mar  2 10:00:00 2020\nFrom: a@mail.example\nSubject: s\nMIME-Version: 1.0\n"
                   "Content-Type: text/html\n\n<a href='http://one.example/'>www.two.example</a>\n")
    screen = Screen(folder, mutt, "-n", "-F", os.path.join(CONTRIB, "muttrc"), "-e", "set pipe_decode=yes", "-f", "html")
    check(f"{mutt} shows the page", screen.press(b"", b"q:Quit"), b"q:Quit")
    check(f"{mutt}: a label deceives, with pipe_decode too", screen.press(b"\x02", b"text-mismatch", b"<a href"), b"text-mismatch")
    screen.end()


def test_neomutt(folder):
    test_mutt(folder, "neomutt")


def test_tmux(folder):
    done = run_in(folder, "tmux", "-L", "contrib", "-f", os.path.join(CONTRIB, "tmux.conf"), "start-server", ";",
               "list-keys", "-T", "prefix", "u")
    check("tmux binds the key", "urlsift pick --input=text" in done.stdout, True)


def test_less(folder):
    """A file may have the name of an option."""
    with open(os.path.join(folder, "--summary"), "w", encoding="ascii") as file:
        file.write("http://a.example/\n")
    done = run_in(folder, "sh", "-c", '. "$0"; less -- --summary', os.path.join(CONTRIB, "less.sh"))
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


def test_programs():
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


# ---- Completions ----

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
    ("urlsift rewrite --as=ho", "urlsift rewrite --as=host:"),
    ("urlsift rewrite --as temp", "urlsift rewrite --as template:"),
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
    ("urlsift rewrite --as=", ["join", "wrap", "markdown", "defang", "host:", "template:"]),
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
    def complete(text, described=False):
        done = subprocess.run(["fish", "--no-config", "-c", 'source urlsift.fish; complete -C $argv[1]', "--", text],
                              capture_output=True, text=True, timeout=HANG, env={**os.environ, "HOME": os.getcwd()})
        return done.stdout.splitlines() if described else [line.split("\t")[0] for line in done.stdout.splitlines()]

    check("fish: what the help says of a value, or of all", [line for line in complete("urlsift rewrite --as=", True)
          if re.match("--as=(angle|https|host)", line)],
          ["--as=angle\tthe form of links", "--as=host:\tat another host", "--as=https\twith that scheme"])
    for text, wanted in TYPED:
        check(f"fish: {text}", wanted.split()[-1] in complete(text), True)
    for text, words in BARE:
        offered = [word.split("=")[-1].split(",")[-1] for word in complete(text)]
        check(f"fish: {text}", (set(words) <= set(offered), "other.txt" in offered), (True, "other.txt" in words))
    for text in NOTHING:
        check(f"fish: nothing for {text}", complete(text), [])


def test_completions():
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


def main():
    test_programs()
    test_completions()
    if LONG:
        test_readers()
    finish()


main()
