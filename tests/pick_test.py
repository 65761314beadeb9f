#!/usr/bin/env python3
"""`urlsift pick` on a terminal: its own menu, and fzf where it is installed.

usage: pick_test.py
The browser is a script that writes its arguments to a file.
"""
import fcntl
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import tempfile
import termios
import time

from testlib import URLSIFT, check, expect, finish, preload, skip

HEAD = b"From: a <a@b.example>\nDate: Mon, 2 Mar 2020 10:00:00 +0000\nSubject: s\n"
UNSUBSCRIBE = (HEAD + b"List-Unsubscribe: <http://lists.example/u>\n\n"
               b"see http://body.example/x and http://two.example/\n")
WARNED = HEAD + b"\nlog in at http://user:secret@warned.example/ now\n"
SCRIPT = HEAD + b"Content-Type: text/html\n\n<a href=\"javascript:alert(1)\">x</a>\n"
# Escape sequences, C1 controls as a character and as a byte, bidi and other invisible characters, DEL.
CONTROLS = (b"\x1b[2J\x1b]0;evil\x07\xc2\x9b31m\x9b31m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8"
            b"\xef\xbb\xbf\x7f\x08")
UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\udc80-\udcff]")
HOSTILE = (HEAD + b"Content-Type: text/html\n\n\x1b]0;evil\x07 <a href='http://h.example/\x1b[31m;$(touch%20x)'>"
           b"l\x1b[2Ja\xc2\x9b31mb\x07</a> \x1b[41m after `id` $(id) 'q\n")


class Terminal:
    """A command on a pseudo-terminal of its own."""

    def __init__(self, folder, message, *args, fzf=False, term="xterm", env=None, limit=None):
        self.opened = os.path.join(folder, "opened")
        if os.path.exists(self.opened):
            os.unlink(self.opened)
        path = os.path.join(folder, "message")
        with open(path, "wb") as file:
            file.write(message)
        browser = os.path.join(folder, "browser")
        with open(browser, "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\nfor a in "$@"; do printf "%s\\n" "$a"; done >>{self.opened}\n')
        os.chmod(browser, 0o700)
        env = {"PATH": "/usr/bin:/bin" if fzf else folder, "TERM": term, "BROWSER": browser, "HOME": folder,
               **(env or {})}
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
            for number in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT: # ignored below nohup and in the background
                signal.signal(number, signal.SIG_DFL)
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))
            os.execve(URLSIFT, [URLSIFT, "pick", *args, path], env)
        self.seen = b""
        self.status = None

    def wait(self, text, seconds=10):
        """Reads until a text was written, or the command ended."""
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end:
            if not select.select([self.tty], [], [], 0.1)[0]:
                continue
            try:
                more = os.read(self.tty, 65536)
            except OSError:
                break
            self.seen += more
        return text in self.seen

    def keys(self, keys):
        os.write(self.tty, keys)

    def end(self):
        """What was written, what was opened, and the exit status."""
        self.wait(b"no such text", 5)
        for _ in range(500):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                break
            time.sleep(0.01)
        else:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.tty)
        if not os.path.exists(self.opened):
            return []
        with open(self.opened, encoding="utf-8") as file:
            return file.read().split("\n")[:-1]


def test_menu(folder, fzf):
    name = "fzf" if fzf else "menu"
    ready = b"/ search" if fzf else b" quit"

    def start(message, *args):
        t = Terminal(folder, message, *args, fzf=fzf)
        check(f"{name}: the menu is drawn", t.wait(ready), True)
        time.sleep(0.3 if fzf else 0)
        return t

    t = start(UNSUBSCRIBE)
    t.keys(b"\r")
    check(f"{name}: the first link is that of the text", t.end(), ["http://body.example/x"])
    check(f"{name}: exit status", t.status, 0)
    shown = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", t.seen)
    check(f"{name}: List-Unsubscribe is last", b"3  http://lists.example/u" in shown, True)
    t = start(UNSUBSCRIBE)
    t.keys(b"\t")
    t.keys(b"\t\x0f")
    check(f"{name}: all marked links are opened", t.end(), ["http://body.example/x", "http://two.example/"])
    t = start(UNSUBSCRIBE)
    t.keys(b"q")
    check(f"{name}: q leaves", (t.end(), t.status), ([], 0))
    t = start(UNSUBSCRIBE, "--print")
    t.keys(b"\r")
    check(f"{name}: --print opens nothing", t.end(), [])
    check(f"{name}: --print prints", t.seen.endswith(b"http://body.example/x\r\n"), True)
    for key in (b"c", b"\x19"):
        t = start(UNSUBSCRIBE)
        t.keys(key)
        check(f"{name}: {key} opens nothing", t.end(), [])
        check(f"{name}: {key} copies", b"\x1b]52;c;aHR0cDovL2JvZHkuZXhhbXBsZS94\x07" in t.seen, True)
    test_warnings(name, start)
    t = start(HOSTILE)
    t.keys(b"\x05")
    time.sleep(0.5)
    t.keys(b"q")
    time.sleep(0.2)
    t.keys(b"q")
    check(f"{name}: nothing of hostile text is opened", t.end(), [])
    for bad in (b"\x1b]0;evil", b"\x1b[41m", b"\x1b[2Ja", b"\xc2\x9b", b"\x07"):
        check(f"{name}: {bad} does not reach the terminal", bad in t.seen, False)


def test_warnings(name, start):
    for answer, wanted in ((b"n", []), (b"\r", []), (b"y", ["http://user:secret@warned.example/"])):
        t = start(WARNED)
        t.keys(b"\r")
        check(f"{name}: a warned link is asked about", t.wait(b"[y/N] "), True)
        check(f"{name}: the reason is given", b"password" in t.seen, True)
        check(f"{name}: it is not opened before", os.path.exists(t.opened), False)
        t.keys(answer)
        check(f"{name}: answer {answer}", t.end(), wanted)
    t = start(SCRIPT)
    t.keys(b"\r")
    check(f"{name}: a script is never opened", (t.end(), t.status), ([], 1))


def test_controls(folder):
    """Labels, contexts, links, fields and names of files reach the terminal without control characters."""
    for kind in b"html; charset=utf-8", b"html; charset=iso-8859-1", b"plain; charset=utf-8", b"plain; charset=x" + CONTROLS:
        message = HEAD + b"Archived-At: <http://f.example/%s>\nContent-Type: text/%s\n\n" % (CONTROLS, kind)
        message += b"b %s <a href='http://h.example/%s'>l %s</a> a %s\nhttp://p%s.example/%s\n" % ((CONTROLS,) * 6)
        for term in "xterm", "dumb":
            t = Terminal(folder, message, os.fsencode(folder) + b"/no\xc2\x9bsuch\x1b[2J", term=term)
            check(f"controls, {kind}, {term}: the menu is drawn", t.wait(b" quit"))
            for key in b"\x05", b" ", b"j", b"\x05", b" ", b"q":
                t.keys(key)
                time.sleep(0.03)
            t.end()
            shown = re.sub(rb"\x1b\[(\?[0-9]+[hl]|H\x1b\[J)", b"", t.seen).replace(b"\r", b"")
            check(f"controls, {kind}, {term}", UNSAFE.findall(shown.decode("utf-8", "surrogateescape")), [])


def test_signals(folder):
    """A signal ends or stops the process with the terminal as it was before."""
    def modes():
        return termios.tcgetattr(t.tty)[:4]
    for what in (b"\r", b""): # in the question, in the menu
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            t = Terminal(folder, WARNED)
            before = modes()
            check("signals: the menu is drawn", t.wait(b" quit"))
            t.keys(what)
            check("signals: the question is asked", not what or t.wait(b"[y/N] "))
            time.sleep(0.05)
            check("signals: the terminal is raw", modes() != before)
            os.kill(t.pid, number)
            os.waitid(os.P_PID, t.pid, os.WEXITED | os.WNOWAIT)
            check(f"signals: {number.name} restores the modes", modes(), before)
            check(f"signals: {number.name} opens nothing", t.end(), [])
            check(f"signals: {number.name} is the exit status", t.status, -number)
            check(f"signals: {number.name} leaves the screen", t.seen.count(b"\x1b[?1049h"), t.seen.count(b"\x1b[?1049l"))
    for stop in (lambda: os.kill(t.pid, signal.SIGSTOP), lambda: t.keys(b"\x1a")):
        t = Terminal(folder, WARNED)
        t.wait(b" quit")
        time.sleep(0.05)
        raw = modes()
        stop()
        time.sleep(0.3)
        t.seen = b""
        os.kill(t.pid, signal.SIGCONT)
        check("signals: after SIGCONT the menu is drawn again", t.wait(b" quit"))
        time.sleep(0.05)
        check("signals: and the terminal is raw again", modes(), raw)
        t.keys(b"q")
        t.end()
    t = Terminal(folder, WARNED)
    t.wait(b" quit")
    t.seen = b""
    fcntl.ioctl(t.tty, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 40, 0, 0))
    check("signals: a new size is used", t.wait(b" quit"), False)
    check("signals: after SIGWINCH", b"Enter open" in t.seen)
    t.keys(b"q")
    t.end()


def test_faults(folder):
    """If a call fails, the chosen link is printed, or there is an error and an exit status; the modes are restored."""
    shim = preload("fault_shim.c", folder)
    if not shim:
        skip("faults of pick", "a sanitizer, or LD_PRELOAD or a compiler is missing")
        return
    link = b"http://body.example/x\r\n"
    for fault, most in (("alloc", 80), ("any", 120)):
        same = 0
        for at in range(1, most):
            t = Terminal(folder, UNSUBSCRIBE, "--print", env={"LD_PRELOAD": shim, "FAULT": fault, "FAULT_AT": str(at)})
            before = termios.tcgetattr(t.tty)[:4]
            t.keys(b"\r")
            t.wait(b"no such text", 5)
            check(f"pick --print, {fault} {at}: the modes", termios.tcgetattr(t.tty)[:4], before)
            t.end()
            good = t.status == 0 and t.seen.endswith(link)
            expect(f"pick --print, {fault} {at}", good or (t.status in (1, 3) and b"urlsift: " in t.seen), (t.status, t.seen[-300:]))
            same = same + 1 if good and b"urlsift: " not in t.seen else 0
            if same == 12:
                break


def test_keys(folder):
    body, two, last = "http://body.example/x", "http://two.example/", "http://lists.example/u"
    for keys, wanted in ((b"j", two), (b"\x1b[B", two), (b"\x1bOB\x1b[A", body), (b"jk", body), (b"\x0e\x10", body), (b" ", last),
                         (b"\x1b[6~", last), (b" b", body), (b" \x1b[5~", body), (b"\x1b[1;5C", body), (b"\x1b[", body)):
        t = Terminal(folder, UNSUBSCRIBE)
        t.wait(b" quit")
        t.keys(keys)
        time.sleep(0.1 if keys == b"\x1b[" else 0) # the sequence is incomplete
        t.keys(b"\r")
        check(f"keys {keys}", t.end(), [wanted])


    many = HEAD + b"\n" + b"".join(b"http://%d.example/\n" % n for n in range(60))
    for keys, wanted in ((b"j" * 59, 59), (b"j" * 99 + b"k" * 98, 0), (b"j" * 59 + b"b" * 9, 0), (b" " * 9, 59), (b" " * 9 + b"k" * 30, 29)):
        t = Terminal(folder, many)
        t.wait(b" quit")
        t.keys(keys + b"\r")
        check(f"keys {keys}, 60 links", t.end(), [f"http://{wanted}.example/"])


def test_limits(folder):
    for limit in ("NOFILE", 16), ("STACK", 256 << 10), ("AS", 150000 << 10):
        t = Terminal(folder, UNSUBSCRIBE, limit=(getattr(resource, "RLIMIT_" + limit[0]), limit[1]))
        t.wait(b" quit")
        t.keys(b"\r")
        check(f"limit {limit}", t.end(), ["http://body.example/x"])


def test_rest(folder):
    t = Terminal(folder, HEAD + b"\nnothing\n")
    check("no links: nothing is opened", (t.end(), t.status), ([], 0))
    check("no links: a message and no menu", t.seen, b"urlsift: there are no links\r\n")
    t = Terminal(folder, UNSUBSCRIBE, term="dumb")
    check("dumb terminal: the menu is drawn", t.wait(b" quit"), True)
    t.keys(b"2\r")
    check("dumb terminal: a number selects", t.end(), ["http://two.example/"])
    check("dumb terminal: no escape sequences", b"\x1b" in t.seen, False)
    t = Terminal(folder, UNSUBSCRIBE, "--open=" + os.path.join(folder, "browser") + " -x a=%s;id b")
    t.wait(b" quit")
    t.keys(b"\r")
    check("--open: words and no shell", t.end(), ["-x", "a=http://body.example/x;id", "b"])
    t = Terminal(folder, UNSUBSCRIBE, "--open=no-such-program")
    t.wait(b" quit")
    t.keys(b"\r")
    check("--open: a program that is missing", (t.end(), t.status), ([], 1))


def main():
    with tempfile.TemporaryDirectory() as folder:
        test_menu(folder, False)
        test_rest(folder)
        test_controls(folder)
        test_signals(folder)
        test_faults(folder)
        test_keys(folder)
        test_limits(folder)
        if os.path.exists("/usr/bin/fzf") or shutil.which("fzf", path="/bin"):
            test_menu(folder, True)
        else:
            skip("the menu of fzf", "fzf is not installed")
    finish()


main()
