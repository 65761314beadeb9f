#!/usr/bin/env python3
"""`urlsift pick` on a terminal: its own menu, and fzf where it is installed.

usage: pick_test.py
The browser is a script that writes its arguments to a file.
"""
import base64
import errno
import fcntl
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unicodedata

from testlib import HANG, SANITIZED, URLSIFT, check, expect, finish, no_terminal, preload, skip, write

HEAD = b"From: a <a@b.example>\nDate: Mon, 2 Mar 2020 10:00:00 +0000\nSubject: s\n"
UNSUBSCRIBE = (HEAD + b"List-Unsubscribe: <http://lists.example/u>\n\n"
               b"see http://body.example/x and http://two.example/\n")
WARNED = HEAD + b"\nlog in at http://user:secret@warned.example/ now\n"
SCRIPT = HEAD + b"Content-Type: text/html\n\n<a href=\"javascript:alert(1)\">x</a>\n"
# Escape sequences, C1 controls as a character and as a byte, bidi and other invisible characters, DEL.
CONTROLS = (b"\x1b[2J\x1b]0;evil\x07\xc2\x9b31m\x9b31m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8"
            b"\xef\xbb\xbf\x7f\x08")
UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\udc80-\udcff]")
FZF = re.compile(rb"\x1b\[\?1000([hl])|pick>|Enter goes") # it begins, ends, and draws its prompts
DRAWN = re.compile(rb"\x1b\[(\?[0-9]+[hl]|H|J|K|[07]m|[0-9]+C)") # what the menu itself writes
HOSTILE = (HEAD + b"Content-Type: text/html\n\n\x1b]0;evil\x07 <a href='http://h.example/\x1b[31m;$(touch%20x)'>"
           b"l\x1b[2Ja\xc2\x9b31mb\x07</a> \x1b[41m after `id` $(id) 'q\n")

PATIENCE = 120  # seconds for an answer on a busy machine: a key that is lost fails, and does not block


def is_busy(pid):
    """Whether a thread of a process, or of one that it started, does not sleep."""
    try:
        for task in os.scandir(f"/proc/{pid}/task"):
            with open(task.path + "/stat", encoding="ascii", errors="replace") as stat, \
                 open(task.path + "/children", encoding="ascii") as children:
                if stat.read().rpartition(") ")[2][:1] in "RD" or any(is_busy(int(child)) for child in children.read().split()):
                    return True
    except OSError: # it ended
        pass
    return False


class Terminal:
    """A command on a pseudo-terminal of its own."""

    def __init__(self, folder, message, *args, fzf=False, term="xterm", env=None, limit=None, size=(24, 100),
                 stdin=False, stdout=None, ignored=(), once=True, job=None):
        self.opened = os.path.join(folder, "opened")
        if os.path.exists(self.opened):
            os.unlink(self.opened)
        path = os.path.join(folder, "message")
        write(path, message)
        browser = os.path.join(folder, "browser")
        with open(browser, "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\nfor a in "$@"; do printf "%s\\n" "$a"; done >>{self.opened}\n')
        os.chmod(browser, 0o700)
        env = {"PATH": "/usr/bin:/bin" if fzf else folder, "TERM": term, "BROWSER": browser, "HOME": folder,
               "LC_ALL": "C.UTF-8",
               **(env or {})}
        env = {name: value for name, value in env.items() if value is not None}
        self.fzf = fzf
        gate = os.pipe()
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            os.read(gate[0], 1) # the modes are read before the command changes them
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            for number in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT: # ignored below nohup and in the background
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
            if stdin:
                os.dup2(os.open(path, os.O_RDONLY), 0)
            if stdout:
                os.dup2(os.open(stdout, os.O_WRONLY), 1)
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))
            command = [URLSIFT, "pick", *["--once"] * once, *args, *([] if stdin else [path])]
            if job: # a script of a shell with job control
                command = ["/bin/sh", "-mc", job, "sh", *command]
            os.execve(command[0], command, env)
        self.modes = termios.tcgetattr(self.tty)[:4]
        os.write(gate[1], b"x")
        for end in gate:
            os.close(end)
        self.seen = b""
        self.status = None

    def wait(self, text, seconds=PATIENCE):
        """Reads until a text was written, or the command ended."""
        return self.read(lambda: text in self.seen, seconds)

    def read(self, done, seconds=PATIENCE):
        """Reads until what was written is enough, or the command ended."""
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            if not select.select([self.tty], [], [], 0.1)[0]:
                continue
            try:
                more = os.read(self.tty, 65536)
            except OSError:
                break
            self.seen += more
        return done()

    def fzf_reads(self):
        """Whether fzf, if it runs, has its list, since what moves or marks does nothing before; and has drawn all that it
        draws at once, with no cursor: the rest of it is no answer to the next key."""
        states = [match[1] for match in FZF.finditer(self.seen)]
        return (not states or states[-1] != b"h") and self.seen.rfind(b"\x1b[?25l") <= self.seen.rfind(b"\x1b[?25h")

    def settle(self):
        """Reads until fzf, if it runs, has drawn all: what it draws late is no answer to the next key, and a key that comes
        behind one that ends it is lost."""
        end = time.monotonic() + PATIENCE
        self.read(self.fzf_reads)
        pauses = 0 if self.fzf else 3
        while pauses < 3 and time.monotonic() < end:
            size = len(self.seen)
            self.read(lambda: False, 0.05)
            pauses = 0 if len(self.seen) > size or is_busy(self.pid) else pauses + 1

    def keys(self, keys):
        self.settle()
        os.write(self.tty, keys)

    def press(self, keys, text):
        """Whether the text is written after these keys."""
        self.settle()
        self.seen = b""
        os.write(self.tty, keys)
        return self.wait(text)

    def drawn(self, last):
        """What the screen shows once the text `last` is on it: a screen that is drawn again begins anew."""
        self.read(lambda: last in self.seen.rpartition(b"\x1b[H\x1b[J")[2])
        return self.seen.rpartition(b"\x1b[H\x1b[J")[2]

    def end(self):
        """What was written, what was opened, and the exit status."""
        self.wait(b"no such text")
        for _ in range(100 * HANG):
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
    check(f"{name}: --print is named with its key", (b"Enter print" in t.seen, b"Enter open" in t.seen), (True, False))
    for key in (b"c", b"\x19"):
        t = start(UNSUBSCRIBE)
        t.keys(key)
        check(f"{name}: {key} opens nothing", t.end(), [])
        check(f"{name}: {key} copies", b"\x1b]52;c;aHR0cDovL2JvZHkuZXhhbXBsZS94\x07" in t.seen, True)
    test_warnings(name, start)
    t = start(HOSTILE)
    t.keys(b"\x05")
    t.wait(b"q back")
    shown, t.seen = t.seen, b""
    t.keys(b"q")
    t.wait(ready)
    t.keys(b"q")
    check(f"{name}: nothing of hostile text is opened", t.end(), [])
    for bad in (b"\x1b]0;evil", b"\x1b[41m", b"\x1b[2Ja", b"\xc2\x9b", b"\x07"):
        check(f"{name}: {bad} does not reach the terminal", bad in shown + t.seen, False)


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


TEXT = (HEAD + b"Content-Type: text/plain; charset=utf-8\n\n"
        b"see http://body.example/x and <http://two.example/long/long/long/long/long/long/\nnews?utm_source=a&id=7&fbclid=b>\n"
        b"http://three.example/paper.PDF?x\n")
TWO = "http://two.example/long/long/long/long/long/long/news"


def test_stay(folder, fzf):
    """The menu stays; each key once."""
    name = "fzf" if fzf else "menu"
    words = os.path.join(fake(folder, "words", f'for a in "$@"; do echo "arg $a"; done >>{folder}/opened; '
                              f'[ $# -gt 0 ] || while read a; do echo "in $a"; done >>{folder}/opened'), "words")

    def press(keys, text):
        check(f"{name}: {keys} gives {text}", t.press(keys, text), True)

    def shown():
        return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", t.seen)

    t = Terminal(folder, TEXT, fzf=fzf, once=False)
    check(f"{name}: the menu is drawn", t.wait(b"? help"), True)
    press(b"\r", b"Opened http://body.example/x with ")
    press(b"\t", b"host            two.example" if fzf else b"> 2")
    press(b"\x0f", b"Opened http://body.example/x with ")
    press(b"?", b"show these keys")
    press(b"q", b"? help")
    press(b"n", b"Nothing was searched for")
    press(b"/", b"Enter goes" if fzf else b"/")
    press(b"paper", b"host            three.example" if fzf else b"paper")  # fzf has found it when it shows it
    press(b"\r", b"? help")
    press(b"e", b"q back")
    check(f"{name}: the link that was searched for", b"three.example" in t.seen, True)
    press(b" ", b"q back" if not fzf else b"")
    press(b"q", b"? help")
    press(b"n", b"? help")
    press(b"N", b"? help")
    press(b"2", b"? help")
    press(b"t", b"\x1b[7m" + TWO.encode() + b"?utm_source=a&id=7&fbclid=b\x1b[0m>")
    check(f"{name}: the whole text", b"see http://body.example/x and" in shown(), True)
    press(b"/", b"/")
    press(b"No such", b"No such")
    press(b"\r", b"Not found: No such")
    press(b"G", b"q back")
    press(b"q", b"? help")
    press(b"s", b"http://two.example/long/\xe2\x80\xa6d=7&fbclid=b")
    press(b"s", b"? help")
    press(b"r", b"3  http://body.example/x")
    press(b"r", b"3  http://three.example")
    press(b"x", b"Removed: utm_source, fbclid")
    press(b"x", b"There are no tracking parameters.")
    press(b"o", b"Opened " + TWO.encode() + b"?id=7 with ")
    press(b"C", b"Copied 1 link to the primary selection by the terminal")
    press(b"c", b"Copied 1 link by the terminal")
    press(b"a", b"1" if fzf else b"*3")
    press(b"c", b"Copied 3 links by the terminal")
    copied = base64.b64decode(re.search(rb"\x1b\]52;c;([^\x07]*)\x07", t.seen)[1]).decode()
    check(f"{name}: what is copied", copied, f"http://body.example/x\n{TWO}?id=7\nhttp://three.example/paper.PDF?x")
    first, last = (b"host            " + host if fzf else b"> " + number for number, host in
                   ((b"1", b"body.example"), (b"3", b"three.example")))
    press(b"g", first)
    press(b"G", last)
    press(b"\x1b[H", first)
    press(b"|", b"Command: ")
    press(words.encode() + b"\r", b"Press Enter")
    press(b"\r", b"? help")
    press(b"|", b"Command: ")
    press(b" -x a%sb ; $(id)\r", b"Press Enter")
    press(b"\r", b"? help")
    press(b"E", b"Open: ")
    press(b"\x1b", b"? help")
    press(b"E", b"Open: ")
    press(b"\x01\x0bhttp://new.example/a%20b$(id)\x1b[D\x7f\x1b[3~\x15http://new.example/\r", b"Opened http://new.example/")
    press(b"E", b"Open: ")
    press(b"\x15javascript:alert(1)\r", b"not opened: ")
    press(b"E", b"Open: ")
    press(b"\x15 nothing\r", b"Not a link:  nothing")
    t.keys(b"q")
    check(f"{name}: what is opened", t.end(), [
        "http://body.example/x", "http://body.example/x", TWO + "?id=7", "in http://body.example/x", "arg -x",
        "arg ahttp://body.example/xb", "arg ;", "arg $(id)", "http://new.example/"])
    check(f"{name}: q after failures", t.status, 0)


SEEN = (HEAD + b"MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
        b"--b\nContent-Type: text/plain\n\nplain http://shop.example/a and http://bank.example/b here\n"
        b"--b\nContent-Type: text/html\n\n<p>We have <a href='http://shop.example/a'>the shop</a> now.</p>" +
        b"<br>&nbsp;" * 9 + b"<br>" + b"&nbsp;" * 99 + b"<pre>wide" + b" " * 99 + b"\n  \n\t\n</pre>" +
        b"<p><a href='http://bank.example/b'>www.trust.example</a> it</p><p><a href='http://%s.example/'>%s</a></p>\n"
        b"<a href='http://BANK.example:80/b'>again</a>\n<a href='http://cut.example/long/path/x'>http://cut.example/long/pa...</a>\n"
        b"--b--\n" % (b"far" * 9, b"very long " * 12))


def test_seen(folder, fzf):
    """What a reader sees of a link: its label wherever that stands, each link once, a sign of a warning in any width."""
    name = "seen, fzf" if fzf else "seen, menu"
    t = Terminal(folder, SEEN, fzf=fzf, once=False, size=(24, 100))
    t.read(lambda: b"? help" in t.seen and b"long/path/x" in t.seen)
    shown = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", t.seen)
    for row in (b"1  the shop  shop.example  http://shop.example/a  We have",
                b"2! www.trust.example  bank.example  [text-mismatch]  http://bank.example/b", b"4  very long", b"5  http://cut.example/long/pa...  cut.example"):
        check(f"{name}: {row}", row in shown)  # newer fzf draws rows again
    check(f"{name}: no more", re.search(rb"6[ !] (http|www)", shown), None)
    t.press(b"e", b"q back")
    page = t.drawn(b"q back")
    check(f"{name}: explained, the link is written once", page.count(b"http://shop.example/a\r"), 1)
    check(f"{name}: and its context", b"We have [the shop] now." in page)
    t.press(b"q", b"? help")
    t.press(b"t", b"q back")
    check(f"{name}: the whole text has no two blank lines", b"\r\r\n\r\r\n\r\r\n" in t.seen, False)
    t.keys(b"qq")
    t.end()


def test_search(folder):
    """The own menu goes to what is searched for while it is typed, and shows it marked."""
    t = Terminal(folder, TEXT, once=False)
    t.wait(b"? help")
    for keys, text in ((b"/", b"/"), (b"th", b"http://\x1b[7mth\x1b[0mree.example/"), (b"x", b"/thx"),
                       (b"\x7f", b"> 3  http://\x1b[7mth\x1b[0mree"), (b"\x1b", b"> 1  "), (b"/", b"/"),
                       (b"paper", b"\x1b[7mpaper\x1b[0m.PDF"), (b"\r", b"> 3  http://three.example/\x1b[7mpaper\x1b[0m.PDF"),
                       (b"k", b"> 2  "), (b"n", b"\x1b[7mpaper\x1b[0m")):
        check(f"search in the menu: {keys}", t.press(keys, text))
    check("search in the menu: another key ends the mark", t.press(b"j", b"? help") and b"\x1b[7m" in t.seen, False)
    t.keys(b"q")
    t.end()


def test_fzf_signals(folder):
    """A signal to the process alone ends fzf, too."""
    for keys, shown in ((b"", b""), (b"/", b"Enter goes")): # in the menu, in its search
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            t = Terminal(folder, TEXT, fzf=True, once=False)
            check("signals with fzf: the menu is drawn", t.wait(b"? help"))
            check("signals with fzf: the search is drawn", not keys or t.press(keys, shown))
            t.settle()
            os.kill(t.pid, number)
            t.read(lambda: os.waitid(os.P_PID, t.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)) # it writes until then
            os.waitid(os.P_PID, t.pid, os.WEXITED | os.WNOWAIT)
            check(f"signals with fzf: {number.name} restores the modes", termios.tcgetattr(t.tty)[:4], t.modes)
            check(f"signals with fzf: {number.name} opens nothing", (t.end(), t.status), ([], -number))


    t = Terminal(folder, TEXT, fzf=True, once=False, ignored=(signal.SIGHUP,))
    t.wait(b"? help")
    t.settle()
    os.kill(t.pid, signal.SIGHUP)
    t.settle()
    check("signals with fzf: one that is ignored ends nothing", t.press(b"/", b"Enter goes"))
    t.keys(b"\x1b")
    t.keys(b"q")
    check("signals with fzf: q does", (t.end(), t.status), ([], 0))


def test_fzf_stop(folder):
    """Control-Z stops the menu of fzf and a page as it does without fzf, and nothing in the search of fzf."""
    t = Terminal(folder, TEXT, fzf=True, once=False, job='"$@"; for i in 1 2 3; do echo "status $?"; read line; fg; done')
    t.wait(b"? help")
    for key, shown in (b"", b"? help"), (b"e", b"q back"):
        check(f"Control-Z and fzf, {shown}: it is drawn", not key or t.press(key, shown))
        check(f"Control-Z and fzf, {shown}: stopped", t.press(b"\x1a", b"status 1")) # 128 and more
        check(f"Control-Z and fzf, {shown}: the shell has its modes", termios.tcgetattr(t.tty)[:4], t.modes)
        check(f"Control-Z and fzf, {shown}: it goes on", t.press(b"\n", shown))
    for key, shown in (b"q", b"? help"), (b"/", b"Enter goes"), (b"\x1apaper", b"host            three"), (b"\r", b"? help"):
        check(f"Control-Z and fzf: {key}", t.press(key, shown))
    check("Control-Z and fzf: q leaves", t.press(b"q", b"status 0"))
    t.keys(b"\n")
    t.end()


def test_fzf_ascii(folder):
    """In the C locale fzf draws with ASCII, too."""
    t = Terminal(folder, TEXT + "日本語 http://日本.example/語\n".encode(), fzf=True, env={"LC_ALL": "C"}, once=False)
    check("fzf in the C locale: the menu is drawn", t.wait(b"? help"), True)
    written = t.seen
    for key, text in ((b"3", b"? help"), (b"e", b"q back"), (b"q", b"? help"), (b"/", b"Enter goes"), (b"\x1b", b"? help")):
        check(f"fzf in the C locale: {key}", t.press(key, text))
        written += t.seen
    t.keys(b"q")
    t.end()
    check("fzf in the C locale", re.findall(rb".{20}[\x80-\xff]+", written + t.seen), [])


def test_fzf_small(folder):
    """What was done leaves a row for the link in the smallest window, and marks differ from the cursor."""
    t = Terminal(folder, TEXT, fzf=True, size=(4, 20), once=False)
    t.wait(b"? help")
    check("fzf in 4 rows: opened", t.press(b"\r", b"Opened"))
    check("fzf in 4 rows: the link is there", t.read(lambda: re.search(rb"1 .*http", t.seen)) is not None)
    check("fzf in 4 rows: a mark", t.press(b"a", b"*"))
    t.keys(b"q")
    t.end()


def test_fzf_late(folder):
    """A key that is typed before fzf has its list is not lost."""
    path = fake(folder, "fzf", "{ sleep 0.3; cat; } | /usr/bin/fzf \"$@\"") + ":/usr/bin:/bin"
    for drawn in b"\x1b[?1049h", b"? help":
        t = Terminal(folder, TEXT, fzf=True, env={"PATH": path}, once=False)
        t.wait(drawn)
        os.write(t.tty, b"e")
        check("fzf has its list late: a key", t.wait(b"q back"))
        t.keys(b"q")
        t.wait(b"pick>")
        t.keys(b"q")
        t.end()
        check("fzf has its list late: it leaves", t.status, 0)


def test_fzf_early(folder):
    """Keys that are typed before fzf begins are not lost, although it reads them at once and ends at the first."""
    path = fake(folder, "fzf", """/usr/bin/fzf "$@"; status=$?
        echo >"$HOME/ended"; while [ -e "$HOME/wait" ]; do sleep 0.01; done; exit $status""") + ":/usr/bin:/bin"
    ended, wait = (os.path.join(folder, name) for name in ("ended", "wait"))
    t = Terminal(folder, TEXT, fzf=True, env={"PATH": path}, once=False)
    t.wait(b"? help")
    open(wait, "w", encoding="ascii").close()
    t.keys(b"g1")
    t.read(lambda: os.path.exists(ended))
    os.write(t.tty, b"12e")
    os.unlink(wait)
    check("keys before fzf begins", t.wait(b"q back") and b"two.example" in t.seen)
    t.keys(b"q")
    check("keys before fzf begins: it goes on", t.press(b"n", b"Nothing was searched for"))
    t.keys(b"q")
    t.end()


def test_mouse(folder):
    """A double click opens a link, where fzf has a mouse."""
    t = Terminal(folder, TEXT, fzf=True)
    check("mouse: the menu is drawn", t.wait(b"pick>"), True)
    check("mouse: fzf asks for it", b"\x1b[?1000h" in t.seen, True)
    for _ in range(40): # button, column and line; two may be far apart on a busy machine
        if os.path.exists(t.opened):
            break
        t.keys(b"\x1b[<0;10;3M\x1b[<0;10;3m")
        t.read(lambda: os.path.exists(t.opened), 0.05)
    check("mouse: a double click", t.end(), ["http://three.example/paper.PDF?x"])


def test_handlers(folder):
    """A command for each scheme, host or ending; the first line that fits."""
    config = os.path.join(folder, "config", "urlsift")
    os.makedirs(config)
    path = fake(folder, "by", f'for a in "$@"; do echo "$a"; done >>{folder}/opened')
    message = (HEAD + b"\nhttp://a.example/x.PDF?y#z http://a.example/x.pdf/z mailto:a@b.example ftp://sub.host.example/\n"
               b"http://host.example/paper.pdf http://evil.example/host.example\n")
    lines = ("# a comment\n\n*.pdf = by pdf %s end\n  mailto: =by\tmail\n\thost.example=by never\r\n.host.example = by host\n"
             "javascript: = by script\nz39.50s: = by z\n")

    def opened(text, n, *args, message=message, **more):
        with open(os.path.join(config, "handlers"), "w", encoding="ascii") as file:
            file.write(text)
        env = {"PATH": path, "XDG_CONFIG_HOME": os.path.join(folder, "config")}
        return choose(folder, message, b"%d\r" % n, *args, env={**env, **more})

    for n, wanted in ((1, ["pdf", "http://a.example/x.PDF?y#z", "end"]), (2, ["http://a.example/x.pdf/z"]),
                      (3, ["mail", "mailto:a@b.example"]), (4, ["host", "ftp://sub.host.example/"]),
                      (5, ["pdf", "http://host.example/paper.pdf", "end"]), (6, ["http://evil.example/host.example"])):
        check(f"handlers: link {n}", opened(lines, n)[:2], (wanted, 0))
    check("handlers: --open is preferred", opened(lines, 3, "--open=by me")[0], ["me", "mailto:a@b.example"])
    check("handlers: the first line", opened("mailto: = by a\nmailto: = by b\n", 3)[0], ["a", "mailto:a@b.example"])
    for link in b"<javascript:x>", b"z39.50s://1.2.3.4/":
        check(f"handlers: no scheme becomes one for opening, {link}",
              opened(lines, 1, message=HEAD + b"\n" + link + b"\n")[:2], ([], 1))
    missing = opened("mailto: = no-such-program %s\n", 3)
    check("handlers: a program that is missing", (missing[:2], b"'no-such-program %s'" in missing[2]), (([], 1), True))
    for wrong in "mailto:", "= by", "mailto: =", "a = b\nx":
        with open(os.path.join(config, "handlers"), "w", encoding="ascii") as file:
            file.write(wrong)
        t = Terminal(folder, message, env={"XDG_CONFIG_HOME": os.path.join(folder, "config")}, size=(24, 300))
        check(f"handlers: {wrong}", t.wait(b"line %d: not PATTERN = COMMAND" % (wrong.count("\n") + 1)))
        t.keys(b"q")
        t.end()
    check("handlers elsewhere", opened("mailto: = by m", 3, XDG_CONFIG_HOME=None)[0], ["mailto:a@b.example"])
    shutil.move(os.path.join(folder, "config"), os.path.join(folder, ".config"))
    check("handlers in ~/.config", choose(folder, message, b"3\r", env={"PATH": path})[0], ["m", "mailto:a@b.example"])
    shutil.rmtree(os.path.join(folder, ".config"))


def test_tracking(folder):
    """Only parameters of the table go; what remains is the same link, with its warnings."""
    for link, wanted in (("?utm_source=a", ""), ("?a=1&utm_source=x#frag", "?a=1#frag"), ("?UTM_x&b=2;fbclid=3;c", "?b=2;c"),
                         ("?a=1&utm_a=1&utm_b=2&c=3&gclid=", "?a=1&c=3"), ("?mc_eid&mc_cid=2#utm_source=x", ""), ("?b#part&utm_source=x", "?b#part&utm_source=x"),
                         ("?futm_source=1&xgclid=2&gclidx=3", "?futm_source=1&xgclid=2&gclidx=3"), ("?utm_%61=1&q", "?q"),
                         ("/utm_source=1", "/utm_source=1"), ("?", "?"), ("?&&utm_a=1&", ""), ("?a=1&;utm_a=1&#b", "?a=1#b"), ("/x;?utm_a", "/x;")):
        message = HEAD + f"\n<http://a.example/{link}>\n".encode()
        t = Terminal(folder, message, "--print", size=(24, 200))
        t.wait(b"? help")
        tracked = b"[tracking]" in t.seen
        t.keys(b"x")
        t.keys(b"\r")
        t.end()
        check(f"tracking: {link}", (t.seen.split(b"\x1b[?1049l")[-1].decode().strip(), tracked), ("http://a.example/" + wanted, link != wanted))
    trap = (HEAD + b"Content-Type: text/html\n\n<a href='http://evil.example/?utm_source=a'>http://bank.example/</a>\n")
    t = Terminal(folder, trap, once=False)
    t.wait(b"? help")
    check("tracking: the trap is seen", b"[text-mismatch, tracking]" in t.seen)
    check("tracking: removed", t.press(b"x", b"Removed: utm_source"))
    check("tracking: it stays a trap", b"evil.example  [text-mismatch]  http://evil.example/" in t.seen)
    check("tracking: and is asked about", t.press(b"\r", b"[y/N]"))
    t.keys(b"nq")
    check("tracking: nothing is opened", t.end(), [])


def test_background(folder):
    """A command that ends with & is not waited for, and has no terminal."""
    go = os.path.join(folder, "go")
    wait = f'until [ -e {go} ]; do /bin/sleep 0.01; done'
    path = fake(folder, "gui", f'[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || {wait}; printf "%s\\n" "$@" >{folder}/late')
    seen = choose(folder, UNSUBSCRIBE, b"\r", "--open=gui -n %s &", env={"PATH": path})
    check("background: it is not waited for", (seen[1], os.path.exists(folder + "/late")), (0, False))
    open(go, "w", encoding="ascii").close()
    for _ in range(100 * HANG):
        if os.path.exists(folder + "/late") and os.path.getsize(folder + "/late"):
            break
        time.sleep(0.01)
    check("background: its arguments", open(folder + "/late", encoding="utf-8").read(), "-n\nhttp://body.example/x\n")


def width_of(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_widths(folder):
    """Lines fit the terminal in columns; without UTF-8 all is ASCII."""
    wide = (HEAD + "Content-Type: text/plain; charset=utf-8\n\n日本語の文章です http://a.example/日本語/日本語 と、e\u0301"
            "\u0301 ここに続きます。とても長い文章です。\nhttp://b.example/\n".encode())
    for rows, columns in (4, 20), (24, 80), (60, 200), (10, 21), (10, 33):
        for keys in b"", b"e", b"t", b"?", b"c":
            t = Terminal(folder, wide, size=(rows, columns), once=False)
            check(f"{rows} x {columns}: the menu is drawn", t.wait(b"? help  q quit"))
            if keys:
                t.keys(keys)
                time.sleep(0.1)
            t.keys(b"qq")
            t.end()
            text = re.sub(r"\x1b\]52[^\x07]*\x07|\x1b\[(\?[0-9]+[hl]|[07]m)", "", t.seen.decode().split("\x1b[?1049l")[0])
            for screen in text.split("\x1b[H\x1b[J"):
                lines = re.split(r"\r+\n", screen)
                check(f"{rows} x {columns}, {keys}: columns", [line for line in lines if width_of(line) >= columns], [])
                check(f"{rows} x {columns}, {keys}: rows", len(lines) <= rows, True)
            t = Terminal(folder, wide, size=(rows, columns), once=False, env={"LC_ALL": "C"})
            t.wait(b"? help  q quit")
            t.keys(keys + b"qq")
            t.end()
            check(f"{rows} x {columns}, {keys}: ASCII in the C locale", re.findall(rb"[\x80-\xff]", t.seen), [])
    t = Terminal(folder, wide, "--print", env={"LC_ALL": "C"})
    t.wait(b" quit")
    t.keys(b"\r")
    t.end()
    check("--print in the C locale", "http://a.example/日本語/日本語\r\n".encode() in t.seen, True)


def test_controls(folder):
    """Labels, contexts, links, fields and names of files reach the terminal without control characters."""
    for kind in b"html; charset=utf-8", b"html; charset=iso-8859-1", b"plain; charset=utf-8", b"plain; charset=x" + CONTROLS:
        message = HEAD + b"Archived-At: <http://f.example/%s>\nContent-Type: text/%s\n\n" % (CONTROLS, kind)
        message += b"b %s <a href='http://h.example/%s'>l %s</a> a %s\nhttp://p%s.example/%s\n" % ((CONTROLS,) * 6)
        for term in "xterm", "dumb":
            t = Terminal(folder, message, os.fsencode(folder) + b"/no\xc2\x9bsuch\x1b[2J", term=term)
            check(f"controls, {kind}, {term}: the menu is drawn", t.wait(b" quit"))
            for key in b"\x05", b"q", b"j", b"\x05", b"q", b"t", b"q", b"?", b"q", b"E", b"\x1b", b"s", b"x", b"q":
                t.keys(key)
                time.sleep(0.07 if key == b"\x1b" else 0.02)
            t.end()
            shown = DRAWN.sub(b"", t.seen).replace(b"\r", b"")
            check(f"controls, {kind}, {term}", UNSAFE.findall(shown.decode("utf-8", "surrogateescape")), [])


def test_signals(folder):
    """A signal ends or stops the process with the terminal as it was before."""
    def modes():
        return termios.tcgetattr(t.tty)[:4]
    for what in (b"\r", b""): # in the question, in the menu
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            t = Terminal(folder, WARNED)
            check("signals: the menu is drawn", t.wait(b" quit"))
            t.keys(what)
            check("signals: the question is asked", not what or t.wait(b"[y/N] "))
            check("signals: the terminal is raw", t.read(lambda: modes() != t.modes))
            os.kill(t.pid, number)
            os.waitid(os.P_PID, t.pid, os.WEXITED | os.WNOWAIT)
            check(f"signals: {number.name} restores the modes", modes(), t.modes)
            check(f"signals: {number.name} opens nothing", t.end(), [])
            check(f"signals: {number.name} is the exit status", t.status, -number)
            check(f"signals: {number.name} leaves the screen", t.seen.count(b"\x1b[?1049h"), t.seen.count(b"\x1b[?1049l"))
    t = Terminal(folder, WARNED)
    t.wait(b" quit")
    t.read(lambda: modes() != t.modes)
    raw = modes()
    os.kill(t.pid, signal.SIGSTOP)
    stopped = lambda: os.waitid(os.P_PID, t.pid, os.WSTOPPED | os.WNOWAIT | os.WNOHANG) is not None
    check("signals: it is stopped", t.read(stopped))
    t.seen = b""
    os.kill(t.pid, signal.SIGCONT)
    check("signals: after SIGCONT the menu is drawn again", t.wait(b" quit"))
    check("signals: and the terminal is raw again", t.read(lambda: modes() == raw))
    t.keys(b"q")
    t.end()
    # Control-Z stops what belongs to a shell with job control, and nothing else.
    t = Terminal(folder, WARNED, job='"$@"; echo "status $?"; read line; fg')
    t.wait(b" quit")
    t.read(lambda: modes() != t.modes)
    raw = modes()
    t.keys(b"\x1a")
    check("signals: Control-Z stops it", t.wait(b"status 1")) # 128 and more
    check("signals: the shell has its modes", modes(), t.modes)
    t.seen = b""
    t.keys(b"\n")
    check("signals: after fg the menu is drawn again", t.wait(b" quit"))
    check("signals: and the terminal is raw after fg", t.read(lambda: modes() == raw))
    t.keys(b"q")
    t.end()
    t = Terminal(folder, WARNED)
    t.wait(b" quit")
    t.seen = b""
    fcntl.ioctl(t.tty, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 40, 0, 0))
    check("signals: after SIGWINCH", t.wait(b"Enter open"))
    check("signals: a new size is used", b"c copy" in t.seen, False)
    t.keys(b"\x05")
    check("signals: explain", t.wait(b"q back"))
    fcntl.ioctl(t.tty, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    time.sleep(0.3)
    t.keys(b"x\r")
    check("signals: the question", t.wait(b"[y/N] "))
    fcntl.ioctl(t.tty, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 40, 0, 0))
    time.sleep(0.3)
    t.keys(b"y")
    check("signals: SIGWINCH is no answer", t.end(), ["http://user:secret@warned.example/"])


def test_faults(folder):
    """If a call fails, the chosen link is printed, or there is an error and an exit status; the modes are restored."""
    shim = preload("fault_shim.c", folder)
    if not shim:
        skip("faults of pick", "a sanitizer, or LD_PRELOAD or a compiler is missing")
        return
    link = b"http://body.example/x\r\n"
    for fault, most in (("alloc", 80), ("any", 120), ("pipe", 3), ("fork", 3), ("modes", 3), ("wait", 3), ("open", 3)):
        same = 0
        for at in range(1, most):
            t = Terminal(folder, UNSUBSCRIBE, "--print", env={"LD_PRELOAD": shim, "FAULT": fault, "FAULT_AT": str(at)})
            t.keys(b"\r")
            t.wait(b"no such text")
            check(f"pick --print, {fault}: the modes", termios.tcgetattr(t.tty)[:4], t.modes, at)
            t.end()
            good = t.status == 0 and t.seen.endswith(link)
            expect(f"pick --print, {fault}", good or (t.status in (1, 3) and b"urlsift: " in t.seen), (t.status, t.seen[-300:]), at)
            same = same + 1 if good and b"urlsift: " not in t.seen else 0
            if same == 12:
                break
    copy = "/bin/cat >$HOME/opened; echo >>$HOME/opened"
    first, two, warned = "http://body.example/x", "http://two.example/", "http://user:secret@warned.example/"
    for message, keys, env, wanted in (
            (WARNED, b"\ry", {}, warned),
            (UNSUBSCRIBE, b"c", {"DISPLAY": ":0", "PATH": fake(folder, "xclip", copy)}, first),
            (UNSUBSCRIBE, b"\r", {"PATH": fake(folder, "fzf", "echo urlsift-key 13 1 1")}, two)):
        for fault, error in (("alloc", 0), ("pipe", 0), ("fork", 0), ("modes", 0), ("wait", 0), ("wait", errno.EINTR),
                             ("read", errno.EINTR)):
            for at in range(1, 5):
                t = Terminal(folder, message, env={**env, "LD_PRELOAD": shim, "FAULT": fault, "FAULT_AT": str(at),
                                                   "FAULT_ERROR": str(error or errno.EIO)})
                t.wait(b" quit")
                t.keys(keys)
                opened = t.end()
                instead = opened == [first] or b"\x1b]52;c;aHR0cDov" in t.seen # of fzf, of xclip
                good = t.status == 0 and (opened == [wanted] or (instead and not error))
                expect(f"pick {keys}, {fault} fails with {error}", good or
                       (not error and t.status in (1, 3) and b"urlsift: " in t.seen), (opened, t.status, t.seen[-300:]))


def fake(folder, name, script):
    """A folder with a program of that name, for PATH."""
    path = os.path.join(folder, "fake-" + name)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, name), "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(os.path.join(path, name), 0o700)
    return path


def choose(folder, message, keys, *args, **more):
    """What is opened, the exit status and what was written after these keys."""
    t = Terminal(folder, message, *args, **more)
    t.wait(b" quit")
    t.keys(keys)
    return t.end(), t.status, t.seen


def test_keys(folder):
    body, two, last = "http://body.example/x", "http://two.example/", "http://lists.example/u"
    for keys, wanted in ((b"j", two), (b"\x1b[B", two), (b"\x1bOB\x1b[A", body), (b"jk", body), (b"\x0e\x10", body), (b" ", last),
                         (b"\x1b[6~", last), (b" b", body), (b" \x1b[5~", body), (b"\x1b[1;5C", body), (b"\x1b[", body),
                         (b"3", last), (b"12", two), (b"9", body), (b"30", last), (b"0", body), (b"x", body), (b"r", body), (b"rk", two),
                         (b"rg", last), (b"jrj", body), (b"r1", last), (b"rrj", two)):
        t = Terminal(folder, UNSUBSCRIBE)
        t.wait(b" quit")
        t.keys(keys)
        time.sleep(1 if keys == b"\x1b[" else 0) # the sequence is incomplete
        t.keys(b"\r")
        check(f"keys {keys}", t.end(), [wanted])


    for keys in b"\x1b", b"\x03", b"\x04", b"q":
        check(f"{keys} leaves", choose(folder, UNSUBSCRIBE, keys)[:2], ([], 0))
    check("Y is yes", choose(folder, WARNED, b"\rY")[:2], (["http://user:secret@warned.example/"], 0))
    twice = HEAD + b"\nhttp://a.example/ http://a.example/ http://b.example/\n"
    check("a link is shown once", choose(folder, twice, b"j\r")[0], ["http://b.example/"])
    spellings = b"\nhttp://A.example <http://a.example:80/> http://a.example/ http://b.example/ HTTP://A.EXAMPLE\n"
    check("and its spellings", choose(folder, HEAD + spellings, b"j\r")[0], ["http://b.example/"])
    check("it is opened as it is first", choose(folder, HEAD + spellings, b"\r")[0], ["http://A.example"])
    check("what passes the filter", choose(folder, twice, b"\r", "--host=b.example")[0], ["http://b.example/"])

    many = HEAD + b"\n" + b"".join(b"http://%d.example/\n" % n for n in range(60))
    for keys, wanted in ((b"j" * 59, 59), (b"j" * 99 + b"k" * 98, 0), (b"j" * 59 + b"b" * 9, 0), (b" " * 9, 59), (b" " * 9 + b"k" * 30, 29)):
        t = Terminal(folder, many)
        t.wait(b" quit")
        t.keys(keys + b"\r")
        check(f"keys {keys}, 60 links", t.end(), [f"http://{wanted}.example/"])


def test_sizes(folder):
    """No line is wider than the terminal, which has 80 columns if it is too small or its size is not known."""
    for rows, columns in (0, 0), (1, 1), (4, 100), (5, 20), (5, 21), (6, 30), (200, 300):
        t = Terminal(folder, UNSUBSCRIBE + b"http://" + b"long." * 40 + b"example/\n", size=(rows, columns))
        check(f"{rows} x {columns}: the menu is drawn", t.wait(b"? help  q quit"))
        t.keys(b"j\r")
        check(f"{rows} x {columns}: the second link", t.end(), ["http://two.example/"])
        menu = t.seen.decode().split("\x1b[?1049l")[0]
        shown = re.split(r"[\r\n]+|\x1b\[H\x1b\[J", re.sub(r"\x1b\[\?[0-9]+[hl]", "", menu))
        wide = columns if rows > 1 and columns > 8 else 80
        check(f"{rows} x {columns}: no line is too long", [line for line in shown if len(line) >= wide], [])


def test_programs(folder):
    """The program that opens or copies; what is not opened, and why."""
    body, both = "http://body.example/x", ["http://body.example/x", "http://two.example/"]
    browser = f'for a in "$@"; do echo "$a"; done >{folder}/opened'

    def refused(why, *args, message=UNSUBSCRIBE, env=None):
        seen = choose(folder, message, b"\r", *args, env=env)
        check(f"not opened: {why}", (seen[:2], seen[2].endswith(f"urlsift: {why}\r\n".encode())), (([], 1), True))

    for name, env in (("xdg-open", {"BROWSER": None}), ("xdg-open", {"BROWSER": ""}), ("open", {"BROWSER": None}),
                      ("second", {"BROWSER": "no-such:second"}),
                      ("third", {"PATH": f"::/nowhere:{'x' * 5000}:", "BROWSER": "third %s"})):
        path = fake(folder, name, browser)
        seen = choose(folder, UNSUBSCRIBE, b"\r", env={**env, "PATH": env.get("PATH", "") + path})
        check(f"{name} opens links, {env}", (seen[:2], b"urlsift: " in seen[2]), (([body], 0), False))
    path = fake(folder, "words", browser)
    many = choose(folder, UNSUBSCRIBE, b"\r", "--open=words" + " a" * 60, env={"PATH": path})
    check("a command of many words", many[0], ["a"] * 60 + [body])
    env = {"BROWSER": "no-such:firefox -P p:other", "PATH": ":".join(fake(folder, name, f'echo {name} "$@" >{folder}/opened')
                                                                      for name in ("firefox", "other", "xdg-open", "reader"))}
    own = b"Links open with what --open, a handler or BROWSER says"
    for keys, args, wanted, note in (
            (b"O", [], "firefox -P p --new-window " + body, b""), (b"l\r", [], "firefox -P p " + body, b"Links open with firefox -P p"),
            (b"llO", [], "other " + body, b"Links open with other"), (b"lll\r", [], "xdg-open " + body, b"Links open with xdg-open"),
            (b"llll\r", [], "firefox -P p " + body, own), (b"llll\r", ["--open=reader"], "reader " + body, own),
            (b"lO", ["--open=reader"], f"firefox -P p --new-window {body}", b""),
            (b"O", ["--open=firefox %s x"], f"firefox --new-window {body} x", b""), (b"O\r", ["--open=reader"], "reader " + body, b"")):
        opened, status, seen = choose(folder, UNSUBSCRIBE, keys, *args, env=env)
        check(f"{keys} {args}", (opened, status, note in seen), ([wanted], 0, True))
    none = "no program to open links: '%s' was not found"
    refused(none % "xdg-open:open" + "; set BROWSER or use --open", env={"BROWSER": None})
    refused(none % "no-such" + "; set BROWSER or use --open", env={"BROWSER": "no-such"})
    for program in " ", "/no/such", "no-such -x %s":
        refused(none % program, "--open=" + program)
    refused("fails failed with status 3", "--open=fails", env={"PATH": fake(folder, "fails", "exit 3")})
    refused("dies failed with status 128", "--open=dies", env={"PATH": fake(folder, "dies", "kill -9 $$")})
    refused(folder + " could not be started", "--open=" + folder)
    for link, why in (("http://a.example:99999/", "browsers cannot open it: its host or port is invalid"),
                      ("z39.50s://1.2.3.4/", "links with its scheme never are"),
                      ("javascript:x", "it could run programs or read files on this computer")):
        refused(f"{link}: not opened: {why}; use --print", message=HEAD + f"\n<{link}>\n".encode())
    for program, env in ("wl-copy", {"WAYLAND_DISPLAY": "w"}), ("xclip", {"DISPLAY": ":0"}), ("pbcopy", {}):
        path = fake(folder, program, "exec /bin/cat >$HOME/opened")
        status, seen = choose(folder, UNSUBSCRIBE, b"\t\tc", env={**env, "PATH": path})[1:]
        check(f"{program} gets the links", (open(folder + "/opened").read(), status), ("\n".join(both), 0))
        check(f"{program}: and the terminal does not", b"\x1b]52;" in seen, False)
        path = fake(folder, program, "exit 1")
        seen = choose(folder, UNSUBSCRIBE, b"c", env={**env, "PATH": path})
        check(f"the terminal if {program} fails", (seen[1], b"\x1b]52;c;aHR0c" in seen[2]), (0, True))
    for length in range(1, 5):
        links = [f"http://{'x' * length}.example/", "http://y.example/"]
        seen = choose(folder, HEAD + "\n{}\n{}\n".format(*links).encode(), b"\t\tc", env={"DISPLAY": ":0"})[2]
        copied = base64.b64decode(re.search(rb"\x1b\]52;c;(.*)\x07", seen)[1]).decode()
        check(f"links in base64, {length}", copied.split("\n"), links)


def test_fake_fzf(folder):
    """Any answer of fzf, and fzf that does not work."""
    body, two = "http://body.example/x", "http://two.example/"
    for script, wanted in (("echo urlsift-key 13 0 1", [two]), ("exit 1", []), ("exit 130", []),
                           ("exec <&-; echo urlsift-key 13 0 0", [body]), ("echo urlsift-key 13 1", [two]),
                           ("echo urlsift-key 13 99 99 0 1", [body, two]), ("echo urlsift-key 113 0 0", [])):
        t = Terminal(folder, UNSUBSCRIBE, env={"PATH": fake(folder, "fzf", script)})
        check(f"fzf: {script}", (t.end(), t.status), (wanted, 0))
    for script in "echo open", "echo urlsift-key", "echo urlsift-key x 1 1", "printf urlsift-ke", "echo; echo 13 0 0":
        seen = choose(folder, UNSUBSCRIBE, b"j\r", env={"PATH": fake(folder, "fzf", script)})
        check(f"the own menu: {script}", seen[:2], ([two], 0))
    for script, term in (("exit 2", "xterm"), ("kill -9 $$", "xterm"), ("exec /no/such", "xterm"), ("exit 1", "dumb"),
                         ("exit 1", None)):
        env = {"PATH": fake(folder, "fzf", script), "TERM": term}
        check(f"the own menu: {script}, TERM={term}", choose(folder, UNSUBSCRIBE, b"j\r", env=env)[:2], ([two], 0))
    script = "trap '' TERM; echo deaf >&2; while :; do /bin/sleep 1; done"
    t = Terminal(folder, UNSUBSCRIBE, env={"PATH": fake(folder, "fzf", script)})
    check("fzf that no signal ends has begun", t.wait(b"deaf"))
    os.kill(t.pid, signal.SIGTERM)
    check("fzf that no signal ends", (t.end(), t.status), ([], -signal.SIGTERM))
    many = HEAD + b"\n" + b"".join(b"http://%d.example/%s\n" % (n, b"x" * 900) for n in range(400))
    script = "/usr/bin/env | /usr/bin/wc -c >$HOME/size; /usr/bin/wc -l >$HOME/lines; echo urlsift-key 13 399 399"
    t = Terminal(folder, many, env={"PATH": fake(folder, "fzf", script)})
    check("many links and fzf", t.end(), ["http://399.example/" + "x" * 900])
    size, lines = (int(open(os.path.join(folder, name)).read()) for name in ("size", "lines"))
    check("fzf gets all links, and previews up to a limit", (lines, 300000 < size < 500000), (400, True))


def test_input(folder):
    """The message is standard input, and keys come from the terminal; no terminal; an output that is full."""
    check("standard input", choose(folder, UNSUBSCRIBE, b"j\r", stdin=True)[:2], (["http://two.example/"], 0))
    t = Terminal(folder, HEAD + b"\nnothing\n", "--fail-if-none", stdin=True)
    check("no links in standard input", t.wait(b"urlsift: no links were found\r\n"))
    check("they can be read before the reader draws again", os.waitpid(t.pid, os.WNOHANG), (0, 0))
    t.keys(b"\r")
    check("no links, --fail-if-none", (t.end(), t.status), ([], 1))
    if os.path.exists("/dev/full"):
        seen = choose(folder, UNSUBSCRIBE, b"\r", "--print", stdout="/dev/full")
        check("--print on a full disk", (seen[1], b"standard output: No space left on device" in seen[2]), (3, True))
    t = Terminal(folder, UNSUBSCRIBE, ignored=(signal.SIGHUP,))
    check("a terminal that goes away: the menu", t.wait(b" quit"))
    os.close(t.tty)
    check("a terminal that goes away", os.waitstatus_to_exitcode(os.waitpid(t.pid, 0)[1]), 0)
    message = os.path.join(folder, "message")
    done = subprocess.run([URLSIFT, "pick", message], stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG,
                          start_new_session=True)
    check("no terminal", (done.returncode, done.stderr),
          (1, b"urlsift: pick needs a terminal; 'urlsift list' prints the links\n"))
    many = HEAD + b"\n" + b"".join(b"http://%d.example/\n" % n for n in range(10001))
    seen = choose(folder, many, b"  \r")
    check("more links than are shown", (seen[0], b"urlsift: only the first 10000 links are shown\r\n" in seen[2]),
          (["http://46.example/"], True))
    long = HEAD + b"\n" + b"".join(b"<http://%d.example/%s>\n" % (n, b"x/" * 15000) for n in range(600))
    seen = choose(folder, long, b"\ry")  # they have warnings
    check("links of more bytes than are shown", ([url[:17] for url in seen[0]], b" links are shown\r\n" in seen[2]),
          (["http://0.example/"], True))


def test_limits(folder):
    if SANITIZED:
        skip("limits of pick", "a sanitizer needs more than they allow")
        return
    for limit in ("NOFILE", 16), ("STACK", 256 << 10), ("AS", 150000 << 10):
        t = Terminal(folder, UNSUBSCRIBE, limit=(getattr(resource, "RLIMIT_" + limit[0]), limit[1]))
        t.wait(b" quit")
        t.keys(b"\r")
        check(f"limit {limit}", t.end(), ["http://body.example/x"])


def test_rest(folder):
    t = Terminal(folder, HEAD + b"\nnothing\n")
    check("no links: nothing is opened", (t.end(), t.status), ([], 0))
    check("no links: a message and no menu", t.seen, b"urlsift: no links were found\r\n")
    t = Terminal(folder, HEAD + b"\n\xa9 2026 caf\xe9 \xc3\xa9 http://a.example/\n")
    t.wait(b" quit")
    check("the whole text in windows-1252", t.press(b"t", "© 2026 café é ".encode()), True)
    t.keys(b"qq")
    t.end()
    t = Terminal(folder, HEAD + b"\nSee [Ports](http://ports.example/) and on.\n")
    t.wait(b" quit")
    check("the place of a link in Markdown", t.press(b"e", b"See [Ports]([http://ports.example/]) and on."), True)
    t.keys(b"qq")
    t.end()
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
    if no_terminal():
        skip("pick", no_terminal())
        finish()
    with tempfile.TemporaryDirectory() as folder:
        test_menu(folder, False)
        test_stay(folder, False)
        test_seen(folder, False)
        test_search(folder)
        test_widths(folder)
        test_handlers(folder)
        test_tracking(folder)
        test_background(folder)
        test_rest(folder)
        test_controls(folder)
        test_signals(folder)
        test_faults(folder)
        test_keys(folder)
        test_sizes(folder)
        test_programs(folder)
        test_fake_fzf(folder)
        test_input(folder)
        test_limits(folder)
        if os.path.exists("/usr/bin/fzf") or shutil.which("fzf", path="/bin"):
            test_menu(folder, True)
            test_stay(folder, True)
            test_seen(folder, True)
            test_fzf_small(folder)
            test_fzf_signals(folder)
            test_fzf_stop(folder)
            test_fzf_ascii(folder)
            test_fzf_late(folder)
            test_fzf_early(folder)
            test_mouse(folder)
        else:
            skip("the menu of fzf", "fzf is not installed")
    finish()


main()
