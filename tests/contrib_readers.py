"""The recipes for readers of mail and news, as their users have them: each program runs in tmux, shows a message with
a link that is broken over two lines, and gives it to urlsift by the key or the command of contrib/; the link has to
arrive whole at the program that opens links.

News comes from a server of one article on the loopback interface.  Nothing is waited for but what the screen shows, or
the file that the opener writes.
"""
import contextlib
import itertools
import os
import shutil
import signal
import socketserver
import subprocess
import tempfile
import threading
import time

from testlib import HANG, TOP, URLSIFT, check, expect, no_terminal, read, skip, write

CONTRIB = os.path.join(TOP, "contrib")
LINK = "http://long.example/papers/2020/march/broken?id=a40"
OTHER = "http://other.example/"
# Decoded twice, `=3Da40` becomes a byte that is no ASCII: the message has to arrive as it was sent.
FIELDS = ("From: Ann <ann@mail.example>\nSubject: paper of march\nDate: Mon, 02 Mar 2020 10:00:00 +0000\n"
          "Message-ID: <1@mail.example>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\n"
          "Content-Transfer-Encoding: quoted-printable\n")
BODY = f"\nSee {OTHER} and\n<http://long.example/papers/2020/\nmarch/broken?id=3Da40> soon.\n"
MESSAGE = FIELDS + "To: b@mail.example\n" + BODY
GROUP = "test.links"
ARTICLE = FIELDS + f"Newsgroups: {GROUP}\nPath: news.example!not-for-mail\n" + BODY


class Screen:
    """A program in a terminal of tmux, with a program that opens links, and without fzf."""

    def __init__(self, folder, name, *args):
        self.name, self.opened = name, os.path.join(folder, "opened")
        programs = os.path.join(folder, "bin")
        opener = program(programs, "opener", f'cd "{folder}" && printf "%s\\n" "$@" >new && mv new opened')
        program(programs, "fzf", "exit 2")
        path = os.pathsep.join([programs, os.path.dirname(URLSIFT), os.environ.get("PATH", "")])
        self.env = {"PATH": path, "HOME": folder, "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": folder, "BROWSER": opener,
                    "SHELL": "/bin/sh", "TERM": "xterm"}
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", "100", "-y", "30", "-c", folder, *args)

    def tmux(self, *args):
        done = subprocess.run(["tmux", "-L", "readers", *args], env=self.env, capture_output=True, text=True,
                              timeout=HANG)
        return None if done.returncode else done.stdout

    def sees(self, what, *texts, wake=None):
        """Checks that the screen has all of the texts, sooner or later; `wake` is typed now and then until it has."""
        end = time.monotonic() + HANG
        for turn in itertools.count():
            self.shown = self.tmux("capture-pane", "-p") or ""  # nothing if the program has ended
            good = all(text in self.shown for text in texts)
            if good or not self.shown or time.monotonic() > end:
                break
            if wake and turn % 5 == 4:
                self.tmux("send-keys", wake)
            time.sleep(0.2)
        expect(f"{self.name}: {what}", good, f"waited for {texts}, saw\n{self.shown}")
        return good

    def types(self, keys):
        """Types keys by their names in tmux."""
        self.tmux("send-keys", *keys.split(" "))

    def press(self, keys, *texts, wake=None):
        self.types(keys)
        return self.sees(keys, *texts, wake=wake)

    def picks(self, keys, closed, wake=None):
        """Opens the broken link in the menu that the keys show, and leaves the menu."""
        menu = "? help  q quit", LINK, OTHER
        if self.press(keys, *menu, wake=wake) and self.press("2 Enter", f"Opened {LINK}"):
            self.arrives()
            self.press("q", closed)

    def arrives(self):
        end = time.monotonic() + HANG
        while not os.path.exists(self.opened) and time.monotonic() < end:
            time.sleep(0.1)
        arrived = read(self.opened).decode() if os.path.exists(self.opened) else None
        check(f"{self.name}: the link arrives whole", arrived, LINK + "\n")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.opened)

    def end(self):
        """Ends the program, which writes nothing more into the folder."""
        process = (self.tmux("display-message", "-p", "#{pane_pid}") or "").strip()
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
                for _ in range(20 * HANG):
                    os.kill(int(process), 0)
                    time.sleep(0.05)
        self.tmux("kill-server")


@contextlib.contextmanager
def screen(*args):
    it = Screen(*args)
    try:
        yield it
    finally:
        it.end()


def program(folder, name, script):
    path = write(os.path.join(folder, name), f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o700)
    return path


class News(socketserver.StreamRequestHandler):
    """As much of RFC 3977 as slrn and tin ask for."""

    def handle(self):
        with contextlib.suppress(ConnectionError):
            self.say("200 news.example")
            for line in self.rfile:
                words = [*line.decode().upper().split(), "", ""]
                self.say(*(ANSWERS.get(" ".join(words[:2])) or ANSWERS.get(words[0]) or ["500 unknown"]))

    def say(self, *lines):
        self.wfile.write("".join(line + "\r\n" for line in lines).encode())
        self.wfile.flush()


OVERVIEW_FIELDS = "Subject", "From", "Date", "Message-ID"


def overview():
    fields = dict(line.split(": ", 1) for line in FIELDS.splitlines())
    return "\t".join(["1", *map(fields.get, OVERVIEW_FIELDS), "", str(len(ARTICLE)), str(BODY.count("\n")), ""])


OVERVIEW = ["224 overview", overview(), "."]
HEAD, TEXT = ARTICLE.split("\n\n", 1)
ANSWERS = {
    "CAPABILITIES": ["101 capabilities", "VERSION 2", "READER", "OVER", "LIST ACTIVE NEWSGROUPS OVERVIEW.FMT", "."],
    "MODE READER": ["201 no posting"], "DATE": ["111 20200302100000"], "QUIT": ["205 bye"],
    "LIST": ["215 groups", f"{GROUP} 1 1 n", "."], "LIST ACTIVE": ["215 groups", f"{GROUP} 1 1 n", "."],
    "LIST NEWSGROUPS": ["215 descriptions", f"{GROUP}\tlinks", "."], "NEWGROUPS": ["231 none", "."],
    "LIST OVERVIEW.FMT": ["215 fields", *(name + ":" for name in OVERVIEW_FIELDS), "References:", ":bytes", ":lines",
                          "."],
    "GROUP": [f"211 1 1 1 {GROUP}"], "LISTGROUP": [f"211 1 1 1 {GROUP}", "1", "."], "OVER": OVERVIEW, "XOVER": OVERVIEW,
    "ARTICLE": ["220 1 <1@mail.example>", *ARTICLE.splitlines(), "."],
    "HEAD": ["221 1 <1@mail.example>", *HEAD.splitlines(), "."],
    "BODY": ["222 1 <1@mail.example>", *TEXT.splitlines(), "."],
    "STAT": ["223 1 <1@mail.example>"],
}


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


@contextlib.contextmanager
def news():
    """The port of the server."""
    with Server(("127.0.0.1", 0), News) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield str(server.server_address[1])
        finally:
            server.shutdown()


def test_aerc(folder):
    for name in "new", "tmp", "cur":
        os.makedirs(os.path.join(folder, "Mail", "INBOX", name))
    write(os.path.join(folder, "Mail", "INBOX", "cur", "1.1.host:2,S"), MESSAGE)
    config = os.path.join(folder, ".config", "aerc")
    accounts = write(os.path.join(config, "accounts.conf"), f"[mail]\nsource = maildir://{folder}/Mail\n"
                     "from = a@mail.example\ndefault = INBOX\n")
    os.chmod(accounts, 0o600)
    write(os.path.join(config, "aerc.conf"), "[filters]\ntext/plain = cat\n")
    shutil.copy(os.path.join(CONTRIB, "aerc-binds.conf"), os.path.join(config, "binds.conf"))
    with screen(folder, "aerc", "aerc") as it:
        # aerc 0.14 draws a tab only at the next event; k moves up where nothing is above.
        if it.sees("the folder", "paper of march"):
            it.picks("U", "press any key to close", wake="k")
            it.press("q", "Ann ")
            if it.press(":view Enter", "soon."):
                it.picks("U", "press any key to close", wake="k")


def test_slrn(folder):
    write(os.path.join(folder, ".slrnrc"), f'set hostname "mail.example"\ninterpret "{CONTRIB}/slrn.sl"\n')
    write(os.path.join(folder, ".jnewsrc"), f"{GROUP}:\n")
    with news() as port, screen(folder, "slrn", "slrn", "-h", "127.0.0.1", "-p", port) as it:
        if it.sees("the group", GROUP) and it.press("Enter", "paper of march") and it.press("Enter", "soon."):
            it.picks("C-b", "From: Ann")


def test_tin(folder):
    os.mkdir(os.path.join(folder, ".tin"))
    shutil.copy(os.path.join(CONTRIB, "tinrc"), os.path.join(folder, ".tin", "tinrc"))
    write(os.path.join(folder, ".newsrc"), f"{GROUP}:\n")
    with news() as port, screen(folder, "tin", "tin", "-r", "-g", "127.0.0.1", "-p", port) as it:
        if (it.sees("the group", GROUP, "h=help") and it.press("Enter", "paper of march", "h=help")
                and it.press("Enter", "soon.") and it.press("|", "Pipe a=article")
                and it.press("Enter", "[urlsift pick]>")):
            it.picks("Enter", "Press <RETURN>")
            it.press("Enter", "soon.")


def test_mutt(folder, mutt="mutt"):
    """The message itself, and a part of it."""
    os.mkdir(os.path.join(folder, "Mail"))
    write(os.path.join(folder, "box"), f"From ann@mail.example Mon Mar  2 10:00:00 2020\n{MESSAGE}")
    with screen(folder, mutt, mutt, "-n", "-F", os.path.join(CONTRIB, "muttrc"), "-R", "-f", "box") as it:
        if it.sees("the box", "paper of march"):
            it.picks("C-b", "q:Quit")
            if it.press("Enter", "soon."):
                it.picks("C-b", "soon.")
                if it.press("v", "text/plain"):
                    it.picks("C-b", "text/plain")


def test_neomutt(folder):
    test_mutt(folder, "neomutt")


def test_vim(folder):
    write(os.path.join(folder, "letter"), f"See {OTHER} and\n> <{LINK[:33]}\n> {LINK[33:]}> soon.\n")
    with screen(folder, "vim", "vim", "-N", "-u", os.path.join(CONTRIB, "vimrc"), "letter") as it:
        if it.sees("the letter", "soon."):
            it.picks(":LinkPick Enter", "soon.")


GNUS = """
(load "{contrib}/urlsift.el")
(with-eval-after-load 'gnus-sum (define-key gnus-summary-mode-map (kbd "C-c u") #'urlsift-pick))
(setq browse-url-browser-function 'browse-url-generic browse-url-generic-program (getenv "BROWSER")
      gnus-select-method '(nnnil "") inhibit-startup-screen t)
(gnus-no-server)
(gnus-group-read-ephemeral-group "box" '(nndoc "box" (nndoc-address "~/box") (nndoc-article-type mbox)))
"""


def test_emacs(folder):
    write(os.path.join(folder, "box"), f"From ann@mail.example Mon Mar  2 10:00:00 2020\n{MESSAGE}")
    script = write(os.path.join(folder, "gnus.el"), GNUS.format(contrib=CONTRIB))
    with screen(folder, "emacs", "emacs", "-nw", "-Q", "-l", script) as it:
        if it.sees("the summary", "paper of march") and it.press("C-c u", "Link:", "soon."):
            it.types("long.ex Enter")
            it.arrives()


def test_readers():
    tests = {"aerc": test_aerc, "slrn": test_slrn, "tin": test_tin, "emacs": test_emacs,
             "mutt": test_mutt, "neomutt": test_neomutt, "vim": test_vim}
    for name, test in tests.items():
        missing = [f"{needed} is not installed" for needed in (name, "tmux") if not shutil.which(needed)]
        why = no_terminal() or ", ".join(missing)
        if why:
            skip(f"pick in {name}", why)
            continue
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
