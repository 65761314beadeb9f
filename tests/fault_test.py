#!/usr/bin/env python3
"""Calls that fail: the command gives the right output, or an error line and exit status 1
or 3. Never a crash, and nothing is left out without a word.

The command under test is URLSIFT, or build/urlsift; the shim is compiled with CC."""
import os
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift"))
FROM = "From joe@a.example Mon Jan  1 00:00:00 2024\n"
MAIL = ("From: Joe <joe@a.example>\nSubject: s http://s.example/\nMessage-ID: <1@a.example>\n\n"
        "see http://%s.example/ and <URL:http://b.example/lo\nng> www.c.example\n")

passed = failed = 0


def check(what, good, seen=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {what}\n  got    {str(seen)[:600]}")


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def run(args, **env):
    done = subprocess.run([URLSIFT, *args], capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                          env={**os.environ, "URLSIFT_CUT": "600", **env})
    return done.returncode, done.stdout, done.stderr


def make_files():
    write("text", "http://a.example/x <URL:http://b.example/lo\nng> www.c.example <http://d.example/?q=1&r> ftp://e.example\n" * 3)
    write("mail", MAIL % "m")
    write("box", (FROM + MAIL % "x" + "\n") * 30)
    write("md/cur/1", MAIL % "p")
    write("md/new/2", MAIL % "q")
    write("mh/1", MAIL % "r")
    write("mh/2", MAIL % "t")
    write("sp/a/1", MAIL % "r")
    write("sp/b/c/3", MAIL % "u")
    write("names", "text\nmail\n")
    write("web", FROM + "From: a@a.example\nSubject: s\nContent-Type: text/html\n\n<p>x <a href='http://a.example/?q=%E4'>a "
          "label</a> [b](http://b.example/)\n")
    write("own.css", "p { color: red }\n")


ALLOCATING = [["list", "text"], ["list", "--json", "text"], ["html", "text", "mail"], ["list", "-u", "text", "mail"],
              ["list", "-n", "-j3", "box"], ["list", "--json", "-u", "-j2", "md", "mh"], ["list", "-j4", "sp", "md"],
              ["list", "--match=b", "--host=*.example", "text"], ["list", "--files-from=names"], ["explain", "http://a.example/"],
              ["resolve", "http://a/", "b"], ["schemes"], ["--limits"],
              ["html", "-n", "--css=own.css", "web", "text"], ["list", "--json", "--context=2", "web", "text"]]


def test_allocation(shim):
    for args in ALLOCATING:
        wanted = run(args)
        for every in ({}, {"FAULT_ALL": "1"}):
            k, in_row = 1, 0
            while in_row < 3 and k < 120:
                got = run(args, LD_PRELOAD=shim, FAULT="alloc", FAULT_AT=str(k), **every)
                said = got[0] in (1, 3) and got[2].startswith(b"urlsift: ")
                check(f"{args}, allocation {k}{' and all after' if every else ''}", got[:2] == wanted[:2] or said, got)
                in_row = in_row + 1 if got == wanted else 0
                k += 1


def test_reading(shim):
    for options in (["-n"], ["--json"], ["-b"], ["-u"]):
        for jobs in ("-j1", "-j4"):
            args = ["list", *options, jobs, "box"]
            wanted = run(args)
            for at in range(1, 14):
                got = run(args, LD_PRELOAD=shim, FAULT="pread", FAULT_AT=str(at))
                check(f"{args}, pread {at} fails", got[:2] == wanted[:2] or
                      (got[0] == 1 and got[2] == b"urlsift: box: Input/output error\n"), got)
                got = run(args, LD_PRELOAD=shim, FAULT="short-pread", FAULT_AT=str(at), FAULT_ALL="1")
                check(f"{args}, preads from {at} on are short", got == wanted, got)
    wanted = run(["html", "text"])
    for at in (1, 2):
        check("a write that has to wait", run(["html", "text"], LD_PRELOAD=shim, FAULT="write", FAULT_AT=str(at)) == wanted)


def test_slow_output():
    """Standard output that does not block."""
    write("long", "http://a.example/ words and words\n" * 50000)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = subprocess.Popen([URLSIFT, "html", "long"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    time.sleep(0.2)
    with open(reader, "rb") as file:
        check("a pipe that does not block", (file.read() == run(["html", "long"])[1], process.wait(60)) == (True, 0))
    check("and no error", process.stderr.read() == b"")
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
    check("a file that shrinks", (process.wait(60), error) == (1, [b"urlsift: shrinks: was truncated while it was read\n"]), error)
    process.stdout.close()
    process.stderr.close()


def test_descriptors():
    done = subprocess.run(["sh", "-c", 'ulimit -n 16; exec "$0" list -j4 box', URLSIFT], capture_output=True, timeout=60,
                          env={**os.environ, "URLSIFT_CUT": "1"})
    check("16 descriptors are enough for a mailbox", (done.returncode, done.stdout, done.stderr) == run(["list", "box"]), done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        test_slow_output()
        test_truncated()
        test_descriptors()
        shim = os.path.join(folder, "shim.so")
        compiled = subprocess.run([*os.environ.get("CC", "cc").split(), "-O1", "-shared", "-fPIC", "-o", shim,
                                   os.path.join(TOP, "tests", "fault_shim.c"), "-ldl"], capture_output=True)
        if compiled.returncode or "asan" in URLSIFT or sys.platform != "linux":
            print("skipped: failing calls: no LD_PRELOAD with glibc")
        else:
            test_allocation(shim)
            test_reading(shim)
        os.chdir(TOP)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
