#!/usr/bin/env python3
"""Calls that fail: the command gives the right output, or an error line and exit status 1
or 3. Never a crash, and nothing is left out without a word.  Limits: stack, memory, descriptors.

The shim is compiled with CC.  make check-long has streams of 1 GB, and valgrind.
"""
import bz2
import errno
import glob
import gzip
import lzma
import os
import resource
import shutil
import subprocess
import tarfile
import tempfile
import threading
import time

from testlib import FAST, HANG, LONG, NIGHT, SANITIZED, TOP, URLSIFT, expect, finish, preload, read, skip, sql, temporary_folder, write, write_inbox

FROM = "From joe@a.example Mon Jan  1 00:00:00 2024\n"
MAIL = ("From: Joe <joe@a.example>\nSubject: s http://s.example/\nMessage-ID: <1@a.example>\n\n"
        "see http://%s.example/ and <URL:http://b.example/lo\nng> www.c.example\n")


def run(args, **env):
    done = subprocess.run([URLSIFT, *args], capture_output=True, timeout=HANG, stdin=subprocess.DEVNULL,
                          env={**os.environ, "URLSIFT_CUT": "600", **env})
    return done.returncode, done.stdout, done.stderr


def make_files():
    write("text", "http://a.example/x <URL:http://b.example/lo\nng> www.c.example <http://d.example/?q=1&r> ftp://e.example\n" * 3)
    write("mail", MAIL % "m")
    write("box", (FROM + MAIL % "x" + "\n") * 30)
    write("large", "".join(FROM + MAIL % i + "\n" for i in range(1500)))
    write("md/cur/1", MAIL % "p")
    write("md/new/2", MAIL % "q")
    write("mh/1", MAIL % "r")
    write("mh/2", MAIL % "t")
    write("sp/a/1", MAIL % "r")
    write("sp/b/c/3", MAIL % "u")
    write("names", "text\nmail\n")
    write("web", FROM + "From: a@a.example\nSubject: s\nContent-Type: text/html\n\n<p>x <a href='http://a.example/?q=%E4'>a "
          "label</a> [b](http://b.example/)\n")
    write("shown", "From: a@a.example\nSubject: s\nContent-Type: text/html; charset=utf-8\n\n"
          "<a href='http://\u0e15\u0e31\u0e27.example/x'>http://\u0e15\u0e31\u0e27.example/x</a>\n"
          "<a href='http://www.\u2603.example/?\u2603.example'>\u2603.example</a>\n"
          "<a href='https://l.facebook.com/l.php?u=http%3A%2F%2F\u2603.example%2F'>\u2603.example</a>\n")
    write("koi", FROM + "From: a@a.example\nSubject: =?koi8-r?Q?=C4=C5?=\nContent-Type: text/plain; charset=koi8-r\n\nhttp://a.example/\n")
    write("web8", "From: a@a.example\nSubject: s\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n"
          "aHR0cDovL2EuZXhhbXBsZS8K\n")
    write("own.css", "p { color: red }\n")
    write("rules", "RFC ?(\\d+) => http://r.example/$1\n")
    write("idn", FROM + MAIL % "B\u00dccher" + "xn--bcher-kva.example <http://xn--bcher-kva.example/>\n")
    write("wrapped", "https://l.facebook.com/l.php?u=http%3A%2F%2F\u2603.example%2F&h=a(b,c|d more\n" * 2)
    write("forms", "hxxp://a[.]example/ RFC 12 https://l.facebook.com/l.php?u=http%3A%2F%2Fa.example%2F lon\n" * 3)
    data = read("text")
    for name, packed in (("packed.gz", gzip.compress(data)), ("packed.bz2", bz2.compress(data) * 2),
                         ("text.xz", lzma.compress(data)), ("packed.lzma", lzma.compress(data, lzma.FORMAT_ALONE))):
        write(name, packed)
    with tarfile.open("all.tar.xz", "w:xz") as archive:
        for name in ("text", "mail", "box"):
            archive.add(name)
    write_inbox(MAIL % "g")
    write("was", FROM + MAIL % "was")
    write("gone", FROM + MAIL % "gone")
    os.makedirs("mh2")
    for name in ("1", "2"):
        shutil.copy2("mh/" + name, "mh2/" + name)
    run(["index", "old.db", "box", "md", "mh2", "inbox", "was", "gone", "all.tar.xz"])
    os.rename("was", "is")
    os.unlink("gone")
    os.unlink("mh2/2")
    write("mh2/1", MAIL % "more")
    with open("box", "a", encoding="ascii") as box:
        box.write(FROM + MAIL % "y")
    odd = write("odd \"\\\t\x01\U0001f600", "http://odd.example/\n")
    write("shards", run(["shards", "--size=1", "box", "text", odd, "inbox"])[1].decode())
    run(["index", "--parts=done", "--shards-from=shards"])


ALLOCATING = [["list", "text"], ["list", "--json", "text"], ["html", "text", "mail"], ["list", "-u", "text", "mail"],
              ["list", "-n", "-j3", "box"], ["list", "--json", "-u", "-j2", "md", "mh"], ["list", "-j4", "sp", "md"],
              ["list", "--match=b", "--host=*.example", "--base=http://a.example/", "--charset=koi8-r", "text"],
              ["list", "--files-from=names"],
              ["list", "--json", "--rules=rules", "--refang", "--unwrap", "forms"],
              ["explain", "http://a.example/", "-"],
              ["resolve", "http://a/", "b"], ["schemes"], ["--limits"],
              ["shards", "--todo", "--parts=done", "--shards-from=shards"],
              ["html", "-n", "--css=own.css", "web", "text"], ["list", "--json", "--context=2", "web", "text"],
              ["rewrite", "--as=wrap", "text", "web"], ["rewrite", "--as=gemtext", "text", "web"],
              ["rewrite", "--as=template:%u %t", "web", "text"], ["list", "inbox"],
              ["rewrite", "--as=unwrap", "wrapped"], ["rewrite", "--mail", "--as=angle", "web8"],
              ["list", "--json", "-j1", "packed.gz"], ["list", "packed.bz2", "packed.lzma"],
              ["list", "-H", "-j2", "text.xz", "all.tar.xz"],
              ["list", "--json", "--warned", "idn"], ["list", "shown"], ["list", "--warned", "shown"],
              ["html", "idn"], ["list", "--json", "koi"], ["explain", "http://B\u00dccher.example/"]]


# When there is no memory at all, the dynamic linker and libarchive end the process themselves.
FOREIGN = (b"out of memory\n", b"Fatal Internal Error in libarchive: ")


def test_allocation(shim):
    for args in ALLOCATING + WRITING + READING:
        wanted = fault_run(args, shim)
        result = result_of(args, wanted)
        most = 100000 if NIGHT else 2500 if LONG or args not in ALLOCATING else 12
        for every in ({}, {"FAULT_ALL": "1"}):
            k, in_row = 1, 0
            while in_row < 3 and k < most:
                got = fault_run(args, shim, FAULT="alloc", FAULT_AT=str(k), **every)
                said = (got[0] in (1, 3) and got[2].startswith(b"urlsift: ")) or (every and got[0] in (1, 127) and got[2].startswith(FOREIGN))
                said = said and b"urlsift: ?: out" not in got[2]  # a source without its name
                expect(f"{args}, an allocation{' and all after' if every else ''}", said or
                       (got[0] == wanted[0] and result_of(args, got) == result), (k, got))
                in_row = in_row + 1 if got == wanted else 0
                k += 1 if NIGHT or k < (64 if LONG else 4) else k // 3 if LONG else k


# What such a run names when it is complete is not there otherwise.
NAMING = (["rewrite", "--as=markdown", "--in-place", "in/a", "in/b"], ["list", "--json", "--parts=in", "--shards-from=shards"],
          ["html", "-o", "in/site", "box"], ["html", "-o", "in/page.html", "box"])


def test_leftovers(shim):
    """A run that ends for lack of memory says so in one line, and leaves no file without its name."""
    ended = 0
    for args in NAMING:
        for k in range(1, 300 if LONG else 50):
            write("in/a", "http://a.example/ and http://b.example/\n")
            write("in/b", "www.c.example\n")
            before = os.listdir("in")
            status, _, said = run(args, LD_PRELOAD=shim, FAULT="alloc", FAULT_AT=str(k), FAULT_ALL="1")
            kept = [name for name in os.listdir("in") if name not in before]
            kept += glob.glob("in/site/.urlsift/part*")
            if said == b"urlsift: out of memory\n":
                ended += 1
                expect(f"{args}, allocations fail", status == 3 and not [name for name in kept if name.startswith(".")], (k, status, kept))
            shutil.rmtree("in")
    expect("memory is exhausted while there are such files", ended > 20, ended)


def test_reading(shim):
    for options in (["-n"], ["--json"], ["-b"], ["-u"]):
        for jobs in ("-j1", "-j4"):
            args = ["list", *options, jobs, "box"]
            wanted = run(args)
            for at in range(1, 14):
                got = run(args, LD_PRELOAD=shim, FAULT="pread", FAULT_AT=str(at))
                expect(f"{args}, a pread fails", got[:2] == wanted[:2] or
                       (got[0] == 1 and got[2] == b"urlsift: box: Input/output error\n"), (at, got))
                got = run(args, LD_PRELOAD=shim, FAULT="short-pread", FAULT_AT=str(at), FAULT_ALL="1")
                expect(f"{args}, short preads", got == wanted, (at, got))
    wanted = run(["list", "inbox"])
    for at in range(1, 5):
        got = run(["list", "inbox"], LD_PRELOAD=shim, FAULT="fread", FAULT_AT=str(at))
        expect("a public-inbox, a fread fails", got == wanted or
               (got[0] == 1 and b"what git wrote of it could not be read" in got[2]), got)
    wanted = run(["html", "text"])
    for at in (1, 2):
        expect("a write that has to wait", run(["html", "text"], LD_PRELOAD=shim, FAULT="write", FAULT_AT=str(at)) == wanted)


# What fails at each call, each time with these arguments.
CALLING = [["list", "text"], ["list", "--json", "-n", "text", "mail"], ["html", "text", "mail"], ["html", "box"], ["list", "-j3", "-n", "box"],
           ["list", "md", "mh"], ["list", "-r", "sp"], ["list", "--files-from=names"], ["list", "packed.gz"], ["list", "text.xz"],
           ["rewrite", "text"], ["rewrite", "--as=markdown", "mail"], ["rewrite", "--mail", "--as=angle", "box"],
           ["list", "-u", "text"], ["html", "web"], ["html", "large"], ["list", "--rules=rules", "text"],
           ["explain", "http://a.example/"],
           ["list", "inbox"], ["list", "--range=0:900", "box"]]
UPDATING = ["index", "new.db", "--prune", "box", "md", "mh2", "inbox", "is", "all.tar.xz"]
WRITING = [["index", "new.db", "text", "box"], ["html", "-o", "site", "box"], ["index", "--parts=parts", "--shards-from=shards"],
           ["index", "--merge", "new.db", "--parts=done", "--shards-from=shards"], UPDATING]
READING = [["query", "old.db", "hosts"], ["query", "old.db", "hosts", "--json"],
           ["query", "old.db", "posts", ".b.example"], ["query", "old.db", "first", "http://a.example/x"],
           ["shards", "--size=1", "box", "text", "inbox"],
           ["list", "--json", "--shards-from=shards"]]
# Each of them fails; every other call is a good one.
EACH = ("open", "fdopen", "stat", "opendir", "readdir", "rename", "mkdir", "fsync", "pipe", "seek", "spawn", "pwrite", "read", "pread",
        "syscall")
SHORT = ("short-read", "short-pread", "short-write")


def remove_made():
    for made in ("new.db", "new.db-journal", "new.db-wal", "new.db-shm"):
        if os.path.exists(made):
            os.unlink(made)
    for made in ("site", "parts"):
        shutil.rmtree(made, ignore_errors=True)


def fault_run(args, shim, **env):
    remove_made()
    if args == UPDATING:
        shutil.copy2("old.db", "new.db")
    return run(args, LD_PRELOAD=shim, **env)


def result_of(args, got):
    """What there is after a run that ended well: the files that it made too."""
    made = []
    if args[0] == "index" and got[0] == 0:
        if args[1] == "--parts=parts":
            expect("parts are merged", run(["index", "--merge", "new.db", *args[1:]])[0] == 0)
        made = sql("new.db", "SELECT source, member, file, message, line, pos, url FROM links"
                             " ORDER BY 1, 2, 3, 4, 5, 6, 7")
    elif args[:2] == ["html", "-o"] and got[0] == 0:
        # The plan may lack the hashes of a source that could not be read again.
        for folder, _, names in sorted(walk for walk in os.walk("site") if not walk[0].endswith(".urlsift")):
            made += [(folder, name, open(os.path.join(folder, name), "rb").read()) for name in sorted(names)]
    return got[1], made


def test_calls(shim):
    """One call fails, or is interrupted, or does less than it was asked for."""
    cases = [("any", error, last) for error in (errno.EIO, errno.EMFILE, errno.ENOSPC) for last in ({}, {"FAULT_ALL": "1"})]
    cases += [(call, error, {}) for call in ("read", "pread", "write") for error in (errno.EINTR, errno.EAGAIN)]
    cases += [(call, 0, {}) for call in SHORT]
    cases += [(call, 0, {}) for call in EACH]
    for number, args in enumerate(CALLING + WRITING + READING):
        wanted = fault_run(args, shim)
        result = result_of(args, wanted)
        expect(f"{args} ends well", wanted[0] == 0, wanted)
        step = 1 if LONG else 18  # each with a part of the arguments
        for call, error, more in cases[number % step::step]:
            k, in_row = 1, 0
            while in_row < (2 if FAST else 3) and k < (200 if NIGHT else 40 if LONG else 3 if FAST else 8):
                got = fault_run(args, shim, FAULT=call, FAULT_AT=str(k), **({"FAULT_ERROR": str(error)} if error else {}), **more)
                same = got[0] == 0 and result_of(args, got) == result
                again = error == errno.EINTR or call in SHORT or (error == errno.EAGAIN and args in CALLING and "inbox" not in args)
                said = got[0] in (0, 1, 3) and got[2].startswith(b"urlsift: ")
                expect(f"{args}, {call} fails with {errno.errorcode.get(error, 'its error')}{' and all after' if more else ''}",
                       same or (said and not again), (k, got))
                in_row = in_row + 1 if got == wanted else 0
                k += 1


def test_slow_output():
    """Standard output that does not block."""
    write("long", "http://a.example/ words and words\n" * 50000)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = subprocess.Popen([URLSIFT, "html", "long"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    time.sleep(0.2)
    with open(reader, "rb") as file:
        expect("a pipe that does not block", (file.read() == run(["html", "long"])[1], process.wait(HANG)) == (True, 0))
    expect("and no error", process.stderr.read() == b"")
    process.stderr.close()


def test_truncated():
    """A file that shrinks while it is read."""
    write("shrinks", "http://a.example/ words and words\n" * 200000)
    process = subprocess.Popen([URLSIFT, "list", "-j1", "shrinks"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(1)
    os.truncate("shrinks", 1000)
    error = []
    thread = threading.Thread(target=lambda: error.append(process.stderr.read()))
    thread.start()
    process.stdout.read()
    thread.join()
    expect("a file that shrinks", (process.wait(HANG), error) == (1, [b"urlsift: shrinks: was truncated while it was read\n"]), error)
    process.stdout.close()
    process.stderr.close()


def test_growing():
    """A file that grows while it is read: what it held at first is there, and perhaps more."""
    line = "http://a.example/ words and words\n"
    write("grows", line * 100000)
    with subprocess.Popen([URLSIFT, "list", "-j1", "grows"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
        begin = process.stdout.read(1)
        with open("grows", "a", encoding="ascii") as file:
            file.write(line * 1000)
        out, error = process.communicate(timeout=HANG)
    expect("a file that grows", (process.returncode, error) == (0, b"") and
           (begin + out).startswith(b"http://a.example/\n" * 100000), (process.returncode, len(out), error))


def test_many():
    """A folder of many files, with few descriptors and a small stack."""
    for i in range(100000 if LONG else 1000):
        write(f"many/{i % 7}/{i}", f"http://{i}.example/\n")
    wanted = sorted(f"http://{i}.example/".encode() for i in range(100000 if LONG else 1000))
    for limits in ("ulimit -n 16; " if not SANITIZED else "", ""):
        for verb in (["list", "-r"], ["list", "-r", "-j4"]):
            got = shell(limits + 'exec "$0" "$@"', [*verb, "many"])
            expect(f"{limits}{verb} of many files", (got[0], sorted(got[1].splitlines()), got[2]) == (0, wanted, b""), got[2])


def test_descriptors():
    done = subprocess.run(["sh", "-c", 'ulimit -n 16; exec "$0" list -j4 box', URLSIFT], capture_output=True, timeout=HANG,
                          env={**os.environ, "URLSIFT_CUT": "1"})
    expect("16 descriptors are enough for a mailbox", (done.returncode, done.stdout, done.stderr) == run(["list", "box"]), done)
    for count in () if SANITIZED else range(6, 16):
        remove_made()
        status, _, says = shell(f'ulimit -n {count}; exec "$0" html -o site box', [])
        expect(f"{count} descriptors, a folder of pages: what is wrong is said", status == 0 and not says or
               status == 3 and says.startswith(b"urlsift: ") and b"denied" not in says, (status, says))
    remove_made()


VERBS = [["list", "-j4", "box"], ["list", "-n", "md", "mh"], ["list", "-r", "sp"], ["html", "box"], ["rewrite", "--as=angle", "text"],
         ["list", "inbox"], ["list", "text.xz"], *READING]


def shell(command, args):
    done = subprocess.run(["sh", "-c", command, URLSIFT, *args], capture_output=True, timeout=HANG, stdin=subprocess.DEVNULL,
                          env={**os.environ, "URLSIFT_CUT": "600"})
    return done.returncode, done.stdout, done.stderr


def test_limits():
    """Few descriptors, little memory, small stacks; standard descriptors that are closed."""
    if SANITIZED:
        skip("limits", "a sanitizer needs more than they allow")
    for args in (VERBS + WRITING)[::1 if LONG else 3]:
        remove_made()
        wanted = run(args)
        result = result_of(args, wanted)
        for limit in () if SANITIZED else ("-n 16", "-s 256", "-v 150000"):
            remove_made()
            got = shell(f'ulimit {limit}; exec "$0" "$@"', args)
            expect(f"ulimit {limit}: {args}", (got, result_of(args, got)) == (wanted, result), got)
        remove_made()
        expect(f"{args}, standard input and errors closed", shell('exec "$0" "$@" <&- 2>&-', args)[:2] == wanted[:2])
        remove_made()
        got = shell('exec "$0" "$@" >&-', args)
        expect(f"{args}, standard output closed", (got[0], got[2]) == (3, b"urlsift: standard output: Bad file descriptor\n") or
               (args in WRITING and (got, result_of(args, got)) == (wanted, result)), got)
        remove_made()
        got = shell('ulimit -f 0; exec "$0" "$@" >full', args)
        expect(f"{args}, no file may be written", got[0] in (1, 3) and got[2].startswith(b"urlsift: "), got)
    got = shell('exec "$0" list - <&-', [])
    expect("standard input closed", got == (1, b"", b"urlsift: -: Bad file descriptor\n"), got)


def test_odd_files():
    """What is no regular file is skipped, and counted, and so are links in a tree that lead nowhere; one that is named is reported."""
    os.makedirs("odd/md/cur")
    os.makedirs("odd/md/new")
    for name in "fifo", "md/cur/fifo", "1":
        os.mkfifo("odd/" + name)
    for name, to in (("loop", "."), ("dangling", "nothing"), ("md/cur/dangling", "nothing"), ("zero", "/dev/zero"), ("x", "y"), ("y", "x")):
        os.symlink(to, "odd/" + name)
    write("odd/text", "http://a.example/\n")
    got = run(["list", "-r", "--summary", "odd"])
    expect("a tree of odd files", got[:2] == (0, b"http://a.example/\n") and len(got[2].splitlines()) == 1 and
           b"errors 0, limits 0, skipped 9," in got[2], got)
    got = run(["list", "-r", "odd/dangling"])
    expect("a link that leads nowhere and is named", got == (1, b"", b"urlsift: odd/dangling: No such file or directory\n"), got)


OUTPUTS = (["list"], ["list", "--json", "--email", "--domains"], ["html"], ["html", "--fragment"])


def cases():
    return sorted(glob.glob(os.path.join(TOP, "testdata", "*", "*.txt")))


def test_stack():
    """256 KiB suffice for every case of testdata, in every output."""
    limit = 256 * 1024

    def small():
        resource.setrlimit(resource.RLIMIT_STACK, (limit, limit))

    for verb in OUTPUTS:
        done = subprocess.run([URLSIFT, *verb, *cases()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=small)
        expect(f"stack: {verb}: {done.returncode} {done.stderr[-300:]!r}", done.returncode == 0)


def peak_of(pid):
    """VmHWM in KiB; what the process has held since it was started."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1])


def feed(verb, unit, size, prefix=b""):
    """The peak of resident memory in KiB while `size` bytes of `unit` go through a pipe."""
    child = subprocess.Popen([URLSIFT, *verb], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    block = unit * (1_000_000 // len(unit))
    child.stdin.write(prefix)
    for _ in range(max(1, size // len(block))):
        child.stdin.write(block)
    child.stdin.flush()
    peak = peak_of(child.pid)
    child.stdin.close()
    return child.wait(), peak


TEXTS = (
    ("prose", b"A line of text with http://h.example/a/b?c=d and more of it, to fill it.\n", b""),
    ("one line", b"x", b""),
    ("one link", b"a/b", b"http://h.example/"),
    ("an open wrapper", b"a b ", b"<URL:http://h.example/"),
    ("links in one line", b"<http://h.example/a>,", b""),
    ("beyond UTF-8", b"\xe9t\xe9 \xff\xfe ", b""),
    ("quoted", b"> <URL:http://h.example/a/\n> b>\n", b""),
)


def test_memory(size, line):
    """At most 8 MB are resident, whatever the size of the input and of its lines."""
    if not os.path.isdir("/proc/self"):
        return
    for verb in OUTPUTS:
        for name, unit, prefix in TEXTS:
            status, peak = feed(verb, unit, size if b"\n" in unit else line, prefix)
            expect(f"memory: {verb} {name}: status {status}, {peak} KiB", status == 0 and peak <= 8 * 1024)


def test_split(size):
    """The output does not depend on how a long text is cut, through a pipe and from a file."""
    unit = open(cases()[0], "rb").read() + b"".join(open(c, "rb").read() for c in cases())
    data = (unit * (size // len(unit) + 1))[:size]
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for verb in OUTPUTS[:3]:
            whole = subprocess.run([URLSIFT, *verb], stdin=open(file.name, "rb"), capture_output=True).stdout
            piped = subprocess.run(f"cat {file.name} | dd bs=777 2>/dev/null | {URLSIFT} {' '.join(verb)}", shell=True,
                                   capture_output=True).stdout
            expect(f"split: {verb}: outputs differ", whole == piped and whole)


def test_pauses(shim):
    """The output does not depend on where a pipe pauses: what a later byte can change is not told before."""
    beginnings, forms = ("\u0441\u043c.\n", "\u53c2\u7167", "see"), ("utf-16-le", "utf-16-be", "utf-8")
    texts = [(f"{form} {ascii(words)}", f"{words} http://a.example/ ".encode(form) * 2) for form in forms for words in beginnings]
    texts.append(("all", b"".join(read(case) for case in cases()[:1] + cases())))
    for verb in OUTPUTS[:3]:
        for name, text in texts:
            outputs = [run_paused(verb, text, shim, size) for size in (1 << 20, 777, 61 if name == "all" else 1)]
            expect(f"pauses: {verb} {name}: outputs differ", len(set(outputs)) == 1)


def run_paused(verb, text, shim, size):
    """What the verb says of a text of which a pipe gives so many bytes at a time."""
    done = subprocess.run([URLSIFT, *verb], input=text, capture_output=True,
                          env={**os.environ, "LD_PRELOAD": shim, "FAULT": "trickle", "FAULT_AT": str(size)})
    return done.returncode, done.stdout, done.stderr


# What the dynamic linker keeps of a library that was opened.
OPENED = "{\n opened\n Memcheck:Leak\n ...\n fun:_dl_open\n ...\n}\n"


def test_valgrind():
    """No error and no leak over the cases."""
    with tempfile.NamedTemporaryFile("w", suffix=".supp") as known:
        known.write(OPENED)
        known.flush()
        for verb in OUTPUTS:
            done = subprocess.run(["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--suppressions=" + known.name,
                                   URLSIFT, *verb, "--no-sandbox", *cases()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            expect(f"valgrind: {verb}: {done.stderr[-500:]!r}", done.returncode == 0)


def main():
    if FAST:
        with temporary_folder() as folder:
            make_files()
            test_odd_files()
            if shim := preload("fault_shim.c", folder):
                test_calls(shim)
        return finish()
    with temporary_folder() as folder:
        make_files()
        test_slow_output()
        test_truncated()
        test_growing()
        test_many()
        test_descriptors()
        test_limits()
        test_odd_files()
        shim = preload("fault_shim.c", folder)
        if not shim:
            skip("failing calls", "a sanitizer, or no LD_PRELOAD with glibc")
        else:
            test_allocation(shim)
            test_leftovers(shim)
            test_reading(shim)
            test_calls(shim)
            test_pauses(shim)
    if SANITIZED:
        skip("stack and memory, cases under valgrind", "a sanitizer needs memory of its own")
    else:
        test_stack()
        test_memory(1_000_000_000 if LONG else 9_000_000, 100_000_000 if LONG else 9_000_000)
    test_split(50_000_000 if LONG else 2_000_000)
    if LONG and not SANITIZED:
        test_valgrind()
    return finish()


main()
