#!/usr/bin/env python3
"""The sandbox: code that a hostile input made the command run can do nothing, and the output is the same with it.

tests/sandbox_shim.c is loaded into the command and tries to read, write, run programs and reach the network.
"""
import glob
import os
import shutil
import subprocess

from testlib import HANG, TOP, URLSIFT, check, finish, has, preload, skip, temporary_folder, write

DATA = os.path.join(TOP, "testdata", "mail")
MAIL = "From: a <a@a.example>\nSubject: s\n\nsee http://%s.example/\n"
ALL = {"read", "create", "write", "truncate", "remove", "mkdir", "exec", "type", "ptrace", "socket", "connect", "unix"}


def run(args, **env):
    with open("text", "rb") as text:
        done = subprocess.run([URLSIFT, *args], stdin=text, capture_output=True, timeout=HANG, env={**os.environ, **env})
    return done.returncode, done.stdout, done.stderr


def make_files():
    write("text", "http://a.example/ <URL:http://b.example/lo\nng>\n")
    write("mail", MAIL % "m")
    write("koi", MAIL.replace("\n\n", "\nContent-Type: text/plain; charset=koi8-r\n\n") % "k")
    write("box", "".join("From a Mon Jan  1 00:00:00 2024\n" + MAIL % i + "\n" for i in range(50)))
    write("md/cur/1", MAIL % "p")
    os.makedirs("md/new")
    os.symlink(os.path.abspath("mail"), "md/new/2")
    write("mh/1", MAIL % "r")
    write("names", "text\nmd\n")
    os.mkdir("db")
    os.mkdir("old")
    run(["index", "old/old.db", "box"])
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]
    write("work/m", MAIL % "g")
    for command in (["init", "-q", "work"], ["-C", "work", "add", "m"], ["-C", "work", "commit", "-q", "-m", "1"],
                    ["clone", "-q", "--bare", "work", "inbox/git/0.git"]):
        subprocess.run(git + command, check=True, capture_output=True)


# (arguments, what cannot be refused)
COMMANDS = [(["list"], ""), (["list", "text"], ""), (["list", "--json", "-j3", "box"], ""), (["html", "text", "mail"], ""),
            (["html", "-"], ""), (["list", "koi", "mail"], ""), (["list", "-n", "md", "mh"], "read"),
            (["list", "--files-from=names"], "read"), (["list", "-r", "mh"], "read"), (["list", "inbox"], "read"),
            (["html", "-o", "site", "box"], ""), (["shards", "--size=1000", "box"], ""), (["rewrite", "--as=angle", "text"], ""),
            (["index", "db/new.db", "box"], ""), (["list", "--charset=shift_jis", "text"], ""), (["normalise"], ""), (["explain"], "")]


def test_attempts(shim):
    secret, planted = os.path.abspath("secret"), os.path.abspath("planted")
    for args, allowed in COMMANDS:
        for name in "site", "planted", "planted.d":
            shutil.rmtree(name, ignore_errors=True)
        for name in glob.glob("db/new.db*"):
            os.unlink(name)
        write("secret", "secret")
        status, out, error = run(args, LD_PRELOAD=shim, SANDBOX_SECRET=secret, SANDBOX_PLANTED=planted)
        tried = {line.split()[1].decode() for line in error.splitlines() if line.startswith(b"sandbox: ")}
        check(f"{args}: what succeeded", tried, {"tried", *allowed.split()})
        check(f"{args}: the output", (status, out), run([*args, "--no-sandbox"])[:2])
    write("secret", "secret")
    shutil.rmtree("planted.d", ignore_errors=True)
    tried = run(["list", "--no-sandbox", "text"], LD_PRELOAD=shim, SANDBOX_SECRET=secret, SANDBOX_PLANTED=planted)[2]
    check("without a sandbox all succeed", {line.split()[1].decode() for line in tried.splitlines()}, ALL | {"tried"})


def test_output():
    """The same bytes with the sandbox and without."""
    mail = [os.path.join(DATA, name) for name in sorted(os.listdir(DATA)) if name.endswith((".eml", ".mbox"))]
    query = ["query", "old/old.db", "urls", ".example"]
    for args in [query] + [args for args, _ in COMMANDS] + [[*verb, *mail] for verb in (["list", "--json"], ["html"], ["list", "-j4", "-n"])]:
        check(f"{args}: the same output", run(args), run([*args, "--no-sandbox"]))
    one = mail[0]
    check("one file", run(["list", "--json", one]), run(["list", "--json", "--no-sandbox", one]))
    check("a pipe by name", run(["list", "/dev/stdin"]), run(["list", "--no-sandbox", "/dev/stdin"]))
    with open("out", "wb") as out:
        subprocess.run([URLSIFT, "html", "box"], stdout=out, check=True, timeout=HANG, env={**os.environ, "TMPDIR": "/nowhere"})
    check("a page needs no TMPDIR", open("out", "rb").read(), run(["html", "box"])[1])


def main():
    with temporary_folder(os.path.expanduser("~")) as folder:  # not where temporary files may be written
        make_files()
        test_output()
        shim = preload("sandbox_shim.c", folder)
        if not shim or not has("sandbox: Landlock, seccomp"):
            skip("attempts in the sandbox", "a sanitizer, or Landlock, seccomp or LD_PRELOAD is missing")
        else:
            test_attempts(shim)
    finish()


main()
