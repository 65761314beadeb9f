#!/usr/bin/env python3
"""Mail and news on the command line: what an input is, folders, archives in git,
records of messages, limits.  FAST: all but pipes, memory and much mail.
"""
import ctypes
import json
import os
import re
import random
import select
import shutil
import subprocess
import sys
import time

from testlib import DATA, FAST, HANG, SANITIZED, URLSIFT, check, finish, run as run_bytes, run_pieces, run_text as run, skip, write
from testlib import temporary_folder

NO_FOLDER = "is a directory, not a mail folder; use -r to read the files in it\n"


def records(*args, **more):
    return [json.loads(line) for line in run("list", "--json", *args, **more)[1].splitlines()]


def mail(name, more=""):
    return f"From: Joe <joe@a.example>\nSubject: {name}\nMessage-ID: <{name}@a.example>\n{more}\nsee http://{name}.example/\n"


def lines(names):
    return "".join(f"http://{name}.example/\n" for name in names)


FROM = "From joe@a.example Mon Jan  1 00:00:00 2024\n"
HIDDEN = ("From: a\nDate: b\nContent-Transfer-Encoding: quoted-printable\n\nhttp://q.example/=\nlong http://r.example/=3D\n")


def test_copied_header():
    """A header block that repeats the first one is no part of the body of a multipart without parts."""
    header = "From: a@a.example\nSubject: copied\nContent-Type: multipart/mixed; boundary=b\n"
    for end in "\n", "\r\n":
        for blank in "", "\n", "\n\n", "\n\n\n":
            text = f"BABYL OPTIONS:\nVersion: 5\n\x1f\x0c\n0,,\n{header}{blank}*** EOOH ***\n{header}\nsee http://a.example/ and\n\nhttp://b.example/\n\x1f"
            text = text.replace("\n", end)
            at = text.index("http://a"), text.index("http://b")
            links = [(record["line"], record["column"], record["parts"][0][0]) for record in records(text=text.encode())
                     if record["type"] == "link"]
            wanted = [(text.count("\n", 0, offset) + 1, column, offset) for offset, column in zip(at, (5, 1))]
            check("places after a copied header", links, wanted, at=(end, blank))
            page = run("html", "--fragment", text=text.encode())[1]
            check("nothing is before the text of the page", "<pre class=\"urlsift\">see <a" in page, True, at=(end, blank))


def test_detection():
    """In what is hidden by an encoding one sees whether it was read as mail."""
    as_mail, as_text = "http://q.example/long\nhttp://r.example/=\n", "http://q.example/long\nhttp://r.example/=3D\n"
    quoted = "Content-Transfer-Encoding: quoted-printable\n\nhttp://q.example/=\nlong http://r.example/=3D\n"

    def kind(what, text, wanted, *args):
        check(what, run("list", *args, text=text.encode() if isinstance(text, str) else text)[:2], (0, wanted))

    kind("a message", HIDDEN, as_mail)
    kind("a message after a From_ line", FROM + HIDDEN, as_mail)
    kind("a message with CRLF", HIDDEN.replace("\n", "\r\n"), as_mail)
    kind("one field is not enough", "From: a\nTo: b\n" + quoted, as_text)
    kind("no header", "x\nFrom: a\nDate: b\n" + quoted, as_text)
    kind("a broken header", "From: a\nDate: b\nno field\n" + quoted, as_text)
    kind("an article", "Path: x!y\nNewsgroups: a.test\n" + quoted, as_mail)
    kind("MMDF", "\1\1\1\1\n" + HIDDEN + "\1\1\1\1\n\1\1\1\1\n" + HIDDEN + "\1\1\1\1\n", as_mail * 2)
    kind("MMDF by option", "\1\1\1\1\n" + HIDDEN + "\1\1\1\1\n\1\1\1\1\n" + HIDDEN + "\1\1\1\1\n", as_mail * 2, "--input=mbox")
    kind("--input=text", HIDDEN, as_text, "--input=text")
    kind("--input=mail", "X: y\n" + quoted, as_mail, "--input=mail")
    kind("--input=mbox", FROM + "X: y\n" + quoted + "\n" + FROM + "X: y\n" + quoted, as_mail * 2, "--input=mbox")
    for word, messages in (("mail", 1), ("mbox", 2), ("auto", 2)):
        check(f"--input={word} and a mailbox", records("--input=" + word, "--summary", text=(FROM + mail("a") + "\n" + FROM +
              mail("b")).encode())[-1]["messages"], messages)
    for word in ("maildir", "mh", "spool"):
        kind(f"a file under --input={word}", "X: y\n" + quoted, as_mail, "--input=" + word)
    long = "".join(f"X-{i}: {'x' * 90}\n" for i in range(900))
    kind("a header that tells itself early", "From: a\nDate: b\n" + long + quoted, as_mail)
    kind("a header that tells itself late", long + "From: a\nDate: b\n" + quoted, as_text)
    kind("empty", "", "")
    kind("one byte", "F", "")


def feed_slowly(text, step, *args):
    process = subprocess.Popen([URLSIFT, "list", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for i in range(0, len(text), step):
        process.stdin.write(text[i:i + step])
        process.stdin.flush()
        time.sleep(0.0005)
    process.stdin.close()
    out = process.stdout.read()
    process.wait(HANG)
    return out.decode()


def test_pipes():
    texts = [HIDDEN, FROM + HIDDEN + "\n" + FROM + HIDDEN, "From: a\nDate: b\nbroken here\n\nhttp://x.example/\n",
             "http://x.example/ " * 20, "Note: http://n.example/\nmore\n", "From: a\nDate: b", "From: a\n\nDate: b\nhttp://x.example\n"]
    for text in map(str.encode, texts):
        whole = run("list", text=text)[1]
        for step in (1, 7, 40):
            check(f"by {step} bytes: {text[:20]}", feed_slowly(text, step), whole)
    for what, text in (("text", b"http://early.example/ stands here\nand more"),
                       ("text like a header", b"Note: http://early.example/\nno field\n"),
                       ("mail", b"From: a\nDate: b\n\nhttp://early.example/ is shown\n" + b"words\n" * 60000)):
        process = subprocess.Popen([URLSIFT, "list"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(text + b"words\n" * 30000)
        process.stdin.flush()
        ready = select.select([process.stdout], [], [], HANG)[0]
        check(f"{what} is shown before it ends", ready and process.stdout.readline(), b"http://early.example/\n")
        process.stdin.close()
        process.stdout.close()
        process.wait(HANG)


BESIDE = "urlsift: mh: only files with numbers as names are read, not 6 other files or folders; -r reads all\n"


def test_folders():
    for path, name in (("new/1", "a"), ("cur/0:2,S", "b"), ("cur/2:2,", "c"), (".Sub/cur/3", "e"), (".Sub.Deep/new/0", "g"),
                       (".Sub.Deep/cur/.hidden", "no"), ("tmp/0", "no"), (".Gone/cur/1", "no"), ("notes/1", "no")):
        write("box/" + path, mail(name))
    for folder in ("box/.Sub/new", "box/.Sub.Deep/cur"):
        os.makedirs(folder, exist_ok=True)
    check("a maildir", run("list", "box"), (0, lines("bac" + "eg"), ""))
    check("a maildir by option", run("list", "--input=maildir", "box/"), (0, lines("bac" + "eg"), ""))
    check("a maildir's names", run("list", "-H", "box")[1].split(":http")[0], "box/cur/0:2,S")
    for name, number in (("a", 2), ("b", 10), ("c", 1), ("d", 123456789012345678)):
        write(f"mh/{number}", mail(name))
    for path in (",3", "03", "4x", "x", "5/1", "0", "1234567890123456789"):
        write("mh/" + path, mail("no"))
    check("an MH folder", run("list", "mh"), (0, lines("cabd"), BESIDE))
    check("an MH folder by option", run("list", "--input=mh", "mh"), (0, lines("cabd"), BESIDE.replace("; -r reads all", "")))
    write("empty/.mh_sequences", "")
    check("an empty MH folder", run("list", "-c", "empty"), (0, "", ""))
    for path, name in (("comp/lang/c/9", "d"), ("comp/lang/c/10", "e"), ("comp/lang/3", "c"), ("alt/b/2", "b"), ("alt/a/1", "a"),
                       ("comp/lang/.overview", "no"), ("zz/1/1", "f")):
        write("spool/" + path, mail(name))
    check("a news spool", run("list", "spool"), (0, lines("abcdef"), ""))
    check("a news spool by option", run("list", "--input=spool", "spool/comp", "spool/zz/"), (0, lines("cdef"), ""))
    write("old/a/1", mail("a"))
    write("old/a/2.gz", "")
    check("compressed articles in a spool", run("list", "--input=spool", "old"),
          (0, lines("a"), "urlsift: old: only files with numbers as names are read, not 1 other file or folder\n"))
    check("a group of it", run("list", "spool/comp/lang"),
          (0, lines("c"), BESIDE.replace("mh:", "spool/comp/lang:").replace("6 other files or folders", "1 other file or folder")))
    for path, name in (("b.eml", "b"), ("a b.EML", "a"), ("c.eml", "c"), (".d.eml", "no"), ("e.txt", "no"), ("sub/f.eml", "no")):
        write("exported/" + path, mail(name))
    check("a folder of .eml files", run("list", "exported"), (0, lines("abc"), "urlsift: exported: only its *.eml and *.emlx are read, not 2 other "
                                                              "files or folders; -r reads all\n"))
    for name in ("2.emlx", "10.partial.emlx"):
        text = mail(name[0])
        write("Messages/" + name, f"{len(text)}\n{text}<?xml version=\"1.0\"?>\n<plist>http://no.example/</plist>\n")
    check("a folder of Apple Mail", run("list", "Messages"), (0, lines("12"), ""))
    write("tree/a/b/readme", "http://no.example/")
    write("tree/c/1", mail("no"))
    check("a tree that is no spool", run("list", "tree"), (1, "", "urlsift: tree: " + NO_FOLDER))
    check("nothing in a folder", (os.mkdir("none"), run("list", "none"))[1], (1, "", "urlsift: none: " + NO_FOLDER))
    check("no maildir", run("list", "--input=maildir", "mh", "box"),
          (1, lines("bac" + "eg"), "urlsift: mh: is not a maildir: cur or new is missing\n"))
    check("a folder for a mailbox", run("list", "--input=mbox", "mh"), (1, "", "urlsift: mh: " + NO_FOLDER))
    for n in (1, 2, 7):
        check(f"folders among files, -j{n}", run("list", "-cI", f"-j{n}", "--summary", "mh", "gone", "box", "tree", "mh/2", "spool"),
              (1, "1\n" * 16, BESIDE + "urlsift: gone: No such file or directory\nurlsift: tree: " + NO_FOLDER +
               f"urlsift: files 16, bytes {16 * len(mail('a'))}, messages 16, links 16, errors 2, limits 0, skipped 11, relative 0, unsearched 0\n"))
    check("a folder in --files-from", run("list", "--files-from=-", text=b"mh\nbox\n")[1], lines("cabd" + "bac" + "eg"))
    status, page, error = run("html", "mh")
    check("html of a folder", (status, page.count(".example/</a>"), "<title>mh</title>" in page, error), (0, 4, True, BESIDE))
    many = 100 if FAST else 3000
    for i in range(many):
        write(f"many/{i + 1}", f"From: a\nDate: b\n\nhttp://h.example/{i + 1}\n")
    wanted = "".join(f"http://h.example/{i + 1}\n" for i in range(many))
    for n in (1, 2, 7):
        check(f"many messages, -j{n}", run("list", f"-j{n}", "many")[1] == wanted, True)
    strange_folders()


def obey_modes():
    """Root loses CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH; another user might not reach the command."""
    if os.geteuid() == 0 and sys.platform == "linux":
        for capability in (1, 2):
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def strange_folders():
    os.symlink("..", "spool/alt/a/loop")
    os.symlink("1", "spool/alt/a/2")
    os.symlink("nowhere", "spool/alt/a/3")
    os.mkfifo("spool/alt/a/4")
    check("links in a spool", run("list", "spool/alt", "--input=spool"),
          (1, lines("aab"), "urlsift: spool/alt/a/3: No such file or directory\n"))
    os.remove("spool/alt/a/3")
    deep = "/".join(["deep"] + ["d"] * 300)
    write(deep + "/1", mail("deep"))
    check("a deep spool", run("list", "deep"), (0, lines(["deep"]), ""))
    odd = b"odd\xff\n"
    write(odd + b"/1", mail("odd"))
    check("a folder's odd name", run("list", "-H", odd), (0, "odd\\xff^J/1:http://odd.example/\n", ""))
    os.makedirs("boxes/cur")
    os.makedirs("boxes/new")
    write("boxes/cur/1", mail("a"))
    write("boxes/.Sub/cur/1", mail("b"))
    write("boxes/.Sub/new/1", mail("b"))
    denied = ": Permission denied\n"
    os.chmod(write("closed", "x"), 0)
    if subprocess.run(["cat", "closed"], preexec_fn=obey_modes, capture_output=True).returncode == 0:
        skip("modes of folders", "this user may read everything")
        return
    for path, mode, args, wanted, error in (
            ("spool/alt/a", 0, ["--input=spool", "spool/alt"], "b", f"urlsift: spool/alt/a{denied}"),
            ("mh/10", 0, ["mh"], "cad", f"{BESIDE}urlsift: mh/10{denied}"),
            ("spool/alt/a", 0o444, ["--input=spool", "spool/alt"], "b",
             f"urlsift: spool/alt/a/1{denied}urlsift: spool/alt/a/2{denied}urlsift: spool/alt/a/4{denied}"
             f"urlsift: spool/alt/a/loop{denied}"),
            ("spool/alt", 0o444, ["--input=spool", "spool/alt"], "", f"urlsift: spool/alt/a{denied}urlsift: spool/alt/b{denied}"),
            ("mh", 0o444, ["--input=maildir", "mh"], "", "urlsift: mh: is not a maildir: cur or new is missing\n"),
            ("none", 0o444, ["none"], "", "urlsift: none: Permission denied\n"),
            ("boxes/.Sub", 0o444, ["boxes"], "a", f"urlsift: boxes/.Sub/cur{denied}"),
            ("boxes/cur", 0o444, ["boxes"], "bb", f"urlsift: boxes/cur/1{denied}")):
        before = os.stat(path).st_mode
        os.chmod(path, mode)
        for n in (1, 4):
            check(f"{path} with mode {mode:o}, -j{n}", run("list", f"-j{n}", *args, preexec_fn=obey_modes), (1, lines(wanted), error))
        os.chmod(path, before)


def git(*args, **more):
    env = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(["git", *args], check=True, capture_output=True, env=env, **more).stdout.decode().strip()


def make_epoch(path, messages):
    """Commits of a file `m` each; None is one that takes the message away."""
    git("init", "-q", "--bare", path)
    stream, parent = [], None
    for i, text in enumerate(messages):
        stream.append(b"commit HEAD\nmark :%d\ncommitter x <x@a.example> %d +0000\ndata 1\nx\n" % (i + 1, 1700000000 + i))
        stream.append(b"from :%d\n" % parent if parent else b"")
        if text is None:
            stream.append(b"D m\nM 100644 inline d\ndata 1\nx\n\n")
        else:
            stream.append(b"M 100644 inline m\ndata %d\n%s\n" % (len(text.encode()), text.encode()))
        parent = i + 1
    git("--git-dir=" + path, "symbolic-ref", "HEAD", "refs/heads/master")
    data = b"".join(stream).replace(b"commit HEAD\n", b"commit refs/heads/master\n")
    git("--git-dir=" + path, "fast-import", "--quiet", input=data)
    return git("--git-dir=" + path, "rev-list", "--reverse", "HEAD").split()


def test_false_git():
    """Whatever a damaged repository makes git say: one error, and nothing that was not read."""
    name = "a" * 40
    good = f"echo {name}", f"read q; printf '{name} blob 19\\nhttp://a.example/x\\n\\n'"
    lists = {"a name of letters": "echo xyz", "a name with a tail": f"echo {name}-", "an empty name": "echo",
             "exit 3": f"echo {name}; exit 3",
             "a signal": "kill -9 $$"}
    answers = {"nothing": "exit 0", "a word": "read q; echo x", "no size": "read q; echo a blob",
               "a letter": "read q; echo a blob x", "a letter after a size": f"read q; printf '{name} blob 19x\nhttp://a.example/x\n\n'",
               "a long size": "read q; echo a blob 99999999999999999999999", "no object": "read q; echo a blob 9",
               "half an object": "read q; printf 'a blob 9\\nabc'", "a long answer": "read q; printf '%03000d\\n' 0",
               "another end": "read q; printf 'a blob 3\\nabcX'",
               "a commit": f"read q; printf 'a commit 1\\nx\\n'; read q; echo a missing",
               "missing": "while read q; do echo $q missing; done", "missing, then nothing": "read q; echo a missing",
               "a tree": "read q; echo a missing; read q; printf 'a tree 30\\n100644 m\\000%020d\\n\\n' 0",
               "a signal": f"{good[1]}; kill -9 $$"}
    os.makedirs("false/objects"), os.makedirs("bin")
    write("false/HEAD", "ref: refs/heads/master\n")
    cases = [(what, text, good[1]) for what, text in lists.items()]
    cases += [(what, good[0], text) for what, text in answers.items()]
    for what, names, objects in [("", *good), *cases]:
        write("bin/git", f"#!/bin/sh\ncase \"$*\" in *rev-list*) {names} ;; *cat-file*) {objects} ;; esac\n")
        os.chmod("bin/git", 0o755)
        status, out, error = run("list", "false", env={"PATH": os.path.abspath("bin") + ":" + os.environ["PATH"]})
        if not what:
            check("a false git that answers well", (status, out, error), (0, "http://a.example/x\n", ""))
        else:
            check(f"git says {what}", (status, out in ("", "http://a.example/x\n"), error.count("\n"),
                                       error.startswith(("urlsift: false: git could not read ",
                                                         "urlsift: false: what git wrote of it could not be read"))),
                  (1, True, 1, True))


def test_inherited():
    """git has no descriptor of another input, which a thread reads at the same time, and the environment but for the
    variables of git, instead of which it has three."""
    if not os.path.isdir("/proc/self/fd"):
        return
    os.mkfifo("another"), os.mkdir("children")
    write("children/git", f"""#!/bin/sh
        case "$*" in *rev-list*) echo {'a' * 40} ;; *cat-file*) read q
        text=$(for fd in /proc/$$/fd/*; do readlink $fd; done; env | sed -n 's/^\\(GIT_\\|FIRST\\|LAST\\)/has: &/p')
        printf '%s blob %d\\n%s\\n' {'a' * 40} ${{#text}} "$text" ;; esac
        """)
    os.chmod("children/git", 0o755)
    end = os.open("another", os.O_RDWR)  # so that the reader does not wait for it
    env = {"FIRST": "1", **os.environ, "GIT_DIR": "/", "PATH": os.path.abspath("children") + ":" + os.environ["PATH"], "LAST": "1"}
    with subprocess.Popen([URLSIFT, "html", "--fragment", "-j2", "another", "false"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          env=env) as process:
        time.sleep(0.3)
        os.close(end)
        found = process.stdout.read().decode()
    check("descriptors that git has", ("pipe:[" in found, "/another" in found), (True, False))
    check("variables that git has", sorted(re.findall(r"has: (\w+=\w+)", found)),
          ["FIRST=1", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "LAST=1"])


def test_trees():
    """A commit without a message is one that takes it away: what its tree has is told by the whole name of a file,
    whatever is beside it, and wherever a block of git's answer ends."""
    environment = {"PATH": os.path.abspath("bin") + ":" + os.environ["PATH"]}
    write("bin/git", '#!/bin/sh\ncase "$*" in *rev-list*) cat commits ;; *) cat answers; while read q; do :; done ;; esac\n')
    for size in 20, 32:  # of a hash
        entry = "100644 %s\0" + ("m\0 100644 m\0mm\0 m" * 2)[:size]
        files = [[name for bit, name in enumerate(("M", "d", "l m", "m", "mm", "n")) if number >> bit & 1] for number in range(64)]
        full = ["%028d" % at for at in range(4096 // len(entry % ("0" * 28)) - 1)]  # and one more to the end of a block
        files += [[*full, "l" * k, *end] for k in range(1, 90) for end in ([], ["m"], ["mm"])]
        for has_message in True, False:
            trees = ["".join(entry % name for name in names) for names in files if ("m" in names) == has_message]
            commits = ["%0*x" % (2 * size, number + 1) for number in range(len(trees))]
            answers = ""
            for at in range(0, len(commits), 32):  # as many as are asked for at once
                answers += "".join(f"{commit}:m missing\n" for commit in commits[at:at + 32])
                answers += "".join(f"{commit} tree {len(tree)}\n{tree}\n" for commit, tree in list(zip(commits, trees))[at:at + 32])
            write("commits", "".join(commit + "\n" for commit in commits)), write("answers", answers)
            lost = f"urlsift: false: git could not read {len(commits)} of its messages, the first in {commits[0][:40]}\n"
            check("trees with a message and without", run("list", "false", env=environment),
                  (1, "", lost) if has_message else (0, "", ""), (size, has_message))


def test_inbox():
    if not shutil.which("git"):
        skip("public-inbox", "no git")
        return
    first = make_epoch("list/git/0.git", [mail("a"), mail("b"), None, mail("c")])
    make_epoch("list/git/2.git", [mail(f"e{i}") for i in range(70)])
    make_epoch("list/git/10.git", [mail("big") + "http://big.example/ words\n" * 40000, mail("z")])
    wanted = lines("abc") + lines(f"e{i}" for i in range(70)) + lines(["big"] * 40001 + ["z"])
    for n in (1, 2, 7):
        check(f"a public-inbox, -j{n}", run("list", f"-j{n}", "list") == (0, wanted, ""), True)
    check("an epoch", run("list", "-H", "list/git/0.git"),
          (0, "".join(f"list/git/0.git:{commit}:m:http://{name}.example/\n" for commit, name in
                      zip([first[0], first[1], first[3]], "abc")), ""))
    check("a message by its name", git("--git-dir=list/git/0.git", "show", first[1] + ":m") + "\n", mail("b"))
    found = records("list/git/0.git", "--summary")
    check("records of an epoch", (found[1]["source"], found[1]["message"]["id"], found[-1]),
          (f"list/git/0.git:{first[1]}:m", "b@a.example",
           {"type": "summary", "files": 3, "bytes": 3 * len(mail("a")), "messages": 3, "links": 3, "errors": 0, "limits": 0,
            "skipped": 0, "relative": 0, "unsearched": 0}))
    shard = b'{"key":"00000000","source":"list/git/0.git","input":"inbox","after":"--output=made","count":1}\n'
    check("a commit that is an option of git", (run("list", "--shards-from=-", text=shard)[0], [f for f in os.listdir() if "made" in f]),
          (1, []))
    make_epoch("lost.git", [mail("x"), mail("y"), None, mail("z")])
    for name in os.listdir("lost.git/objects/pack"):
        if name.endswith(".pack"):
            os.rename("lost.git/objects/pack/" + name, "pack")
            with open("pack", "rb") as file:
                git("--git-dir=lost.git", "unpack-objects", "-q", stdin=file)
    blob = git("--git-dir=lost.git", "hash-object", "--stdin", input=mail("y").encode())
    if os.path.exists(f"lost.git/objects/{blob[:2]}/{blob[2:]}"):
        os.remove(f"lost.git/objects/{blob[:2]}/{blob[2:]}")
    commit = git("--git-dir=lost.git", "rev-list", "--reverse", "HEAD").split()[1]
    check("a message that git has lost", run("list", "lost.git"),
          (1, lines("xz"), f"urlsift: lost.git: git could not read 1 of its messages, the first in {commit}\n"))
    git("init", "-q", "--bare", "none.git")
    check("an epoch without commits", run("list", "none.git", "list/git/0.git"),
          (1, lines("abc"), "urlsift: none.git: git could not read it (exit status 128)\n"))
    check("without git", run("list", "list/git/0.git", env={"PATH": "/nowhere"}),
          (1, "", "urlsift: list/git/0.git: git is needed to read it but was not found\n"))
    for n in (1, 2):
        process = subprocess.Popen([URLSIFT, "list", f"-j{n}", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(1)
        process.stdout.close()
        check(f"a reader that goes away, -j{n}", (process.stderr.read(), process.wait(timeout=HANG)), (b"", 0))
        process.stderr.close()
    real = shutil.which("git")
    os.mkdir("stub")
    for how, why in (("kill -9 $$", "git could not read it (signal 9)"), ("exit 3", "git could not read it (exit status 3)"),
                     ("kill -PIPE $$", "what git wrote of it could not be read"),
                     ("head -c 30 /dev/zero", "what git wrote of it could not be read")):
        with open("stub/git", "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\ncase $* in *cat-file*) read line; {how} ;; *) exec "{real}" "$@" ;; esac\n')
        os.chmod("stub/git", 0o755)
        check(f"git that ends: {how}", run("list", "--no-sandbox", "list/git/0.git", env={"PATH": os.path.abspath("stub") + ":" + os.environ["PATH"]}),
              (1, "", f"urlsift: list/git/0.git: {why}\n"))
    for root, _, files in os.walk("list/git/2.git/objects"):
        for name in files:
            if name.endswith(".pack"):
                os.chmod(os.path.join(root, name), 0o600)
                with open(os.path.join(root, name), "r+b") as file:
                    file.seek(os.path.getsize(os.path.join(root, name)) // 2)
                    file.write(b"\0" * 500)
    status, out, error = run("list", "list")
    check("a damaged epoch", (status, error.startswith("urlsift: list/git/2.git: git could not read it"), error.count("\n"),
                              out.startswith(lines("abc")), out.endswith(lines("z"))), (1, True, 1, True, True))
    process = subprocess.Popen([URLSIFT, "list", "list/git/10.git"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    check("an epoch and a closed pipe", (process.wait(HANG), process.stderr.read()), (0, b""))
    process.stderr.close()


def test_inboxes_in_folders():
    """With -r, inboxes and epochs anywhere; another repository is skipped."""
    if not shutil.which("git"):
        return
    for path, names in (("pi/list/git/0.git", "ab"), ("pi/list/git/1.git", "c"), ("pi/x/old/7.git", "d"), ("pi/code.git", "e")):
        make_epoch(path, [mail(name) for name in names])
    write("pi/list/description", "http://no.example/\n"), write("pi/a", "http://a1.example/\n"), write("pi/x/z", "http://z1.example/\n")
    wanted = lines(["a1", "a", "b", "c", "z1", "d"])
    for args in ("-j1", "pi"), ("-j3", "pi"), ("pi/",):
        check(f"inboxes in a folder, {args}", run("list", "-r", *args), (0, wanted, ""))
    check("a repository that is no inbox", records("-r", "--summary", "pi")[-1]["skipped"], 1)
    for path, names in (("pi/list", "abc"), ("pi/list/git", "abc"), ("pi/list/git/0.git", "ab"), ("pi/x", ["z1", "d"])):
        check(f"-r {path}", run("list", "-r", path), (0, lines(names), ""))
    check("an inbox and --exclude", run("list", "-r", "--exclude=list", "pi"), (0, lines(["a1", "z1", "d"]), ""))
    check("inboxes and --include", run("list", "-r", "--include=7.git", "pi"), (0, lines("d"), ""))
    shards = run("shards", "-r", "pi")[1]
    check("shards of inboxes in a folder", run("list", "--json", "--shards-from=-", text=shards.encode())[1].count('"type":"link"'), 6)
    if SANITIZED:
        skip("an index of inboxes in a folder", "MemorySanitizer does not know the memory of SQLite")
    else:
        for _ in "12":
            run("index", "-r", "pi.db", "pi")
        wanted = [("pi/a", "text"), ("pi/list/git/0.git", "inbox"), ("pi/list/git/1.git", "inbox"), ("pi/x/old/7.git", "inbox"), ("pi/x/z", "text")]
        got = run("query", "pi.db", "sources")[1].splitlines()
        check("an index of inboxes in a folder", sorted((line.split("\t")[0], line.split("\t")[2]) for line in got), wanted)
    os.rename("pi/list/git/1.git", "pi/list/all.git")
    check("all.git beside epochs", run("list", "pi/list"), (0, lines("ab"), ""))
    os.rename("pi/list/git", "pi/git")
    for args in ("-j1", "pi/list"), ("-j3", "pi/list"), ("-r", "pi/list"):
        status, out, error = run("list", "-H", *args)
        check(f"all.git alone, {args}", (status, out.startswith("pi/list/all.git:"), out.endswith(":m:" + lines("c")), error), (0, True, True, ""))


def test_records():
    text = (FROM + "From: =?utf-8?q?J=C3=B6?= <joe@a.example>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n"
            "Subject: of http://s.example/\nMessage-ID: <1@a.example>\nNewsgroups: a.test,b.test\nList-Id: A <a.list.example>\n"
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee http://one.example/\n--b\n"
            "Content-Transfer-Encoding: base64\n\naHR0cDovL3R3by5leGFtcGxlLyBtb3JlCg==\n--b--\n")
    found = records(text=text.encode())
    about = {"subject": "of http://s.example/", "from": "J\u00f6 <joe@a.example>", "date": "Mon, 1 Jan 2024 00:00:00 +0000", "time": 1704067200,
             "groups": "a.test,b.test", "list": "a.list.example"}
    check("a link in a field", found[0]["message"], {"offset": 0, "id": "1@a.example", **about})
    check("a link in a part", found[1]["message"], {"offset": 0, "id": "1@a.example", "part": "1", **about})
    check("the order of a message's keys", list(found[1]["message"]),
          ["offset", "id", "part", "subject", "from", "date", "time", "groups", "list"])
    check("keys in a field", list(found[0])[:8], ["type", "source", "message", "field", "line", "column", "parts", "text"])
    check("keys in a part", list(found[1])[:7], ["type", "source", "message", "line", "column", "parts", "text"])
    check("keys in a hidden part", list(found[2])[:8], ["type", "source", "message", "line", "column", "parts", "decoded", "text"])
    check("places", [(r.get("field"), r["line"], r["column"], r["parts"], r.get("decoded")) for r in found],
          [("Subject", 4, 13, [[text.index("http://s"), 17]], None),
           (None, text[:text.index("http://one")].count("\n") + 1, 5, [[text.index("http://one"), 19]], None),
           (None, 1, 1, [[0, 19]], True)])
    check("a short message", records(text=b"From: a\nDate:\n\nhttp://a.example/\n")[0]["message"],
          {"offset": 0, "part": "1", "from": "a"})
    twice = b"Content-Type: multipart/alternative; boundary=b\n\n--b\n\nhxxp://a[.]example/\n--b\nContent-Type: text/html\n\n" \
            b"<a href='hxxp://a[.]example/'>hxxp://a[.]example/</a>\n--b--\n"
    check("a defanged link of an alternative, once", [r["url"] for r in records("--refang", "--input=mail", text=b"From: a\n" + twice) if r["type"] == "link"],
          ["http://a.example/"])
    mbox = (FROM + mail("a") + "\n" + FROM + mail("b"))
    check("messages of a mailbox", [r["message"]["offset"] for r in records(text=mbox.encode())], [0, mbox.index(FROM, 9)])
    check("places in a mailbox", run("list", "-nb", text=mbox.encode())[1],
          "".join(f"{mbox[:at].count(chr(10)) + 1}:{at}:http://{name}.example/\n" for name, at in
                  (("a", mbox.index("http://a")), ("b", mbox.index("http://b")))))
    quoted = write("quoted", ">" + FROM + mail("a"))
    check("a mailbox after another", [r["message"]["offset"] for r in records("-j1", "--input=mbox", write("other", mbox), quoted)][2:],
          [0])
    fields = "From: Joe <joe@a.example>\nDate: x\nArchived-At: <http://arch.example/>\nX-Other: http://other.example/\n\nbody\n"
    check("--headers", [run("list", "--headers=" + word, text=fields.encode())[1] for word in ("none", "urls", "all")],
          ["", lines(["arch"]), lines(["arch", "other"])])
    check("--email in fields", run("list", "--headers=all", "--email", text=fields.encode())[1],
          "mailto:joe@a.example\n" + lines(["arch", "other"]))
    block = "Message-ID: <1@id.example>\nReferences: <2@id.example>\nResent-Message-ID: <3@id.example>\nTo: ann@b.example\n"
    for kind in "text/rfc822-headers", "message/global-headers":
        bounce = f"{fields[:-6]}Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: {kind}\n\n{block}\n--b--\n"
        check(f"--email in {kind}", run("list", "--headers=all", "--email", "--format=%p %u", text=bounce.encode())[1].splitlines()[3:],
              ["1 mailto:ann@b.example"])
    identified = ("BEGIN:VCALENDAR\nUID:1@a.example\nRELATED-TO;RELTYPE=PARENT:2@a.ex\n ample\nitem1.uid:3@a.example\n"
                  "DESCRIPTION:UID:ann@b.example\nUID:http://a.example/\nUID-X:joe@b.example\nEND:VCALENDAR\n")
    check("--email in a calendar", run("list", "--email", text=identified.encode())[1],
          "mailto:ann@b.example\n" + lines(["a"]) + "mailto:joe@b.example\n")
    check("its text stays", run("rewrite", "--as=angle", "--email", text=identified.encode())[1].splitlines()[1:3],
          ["UID:1@a.example", "RELATED-TO;RELTYPE=PARENT:2@a.example"])
    page = ("From: a@a.example\nSubject: x\nContent-Type: text/html\n\n<img src=http://i.example/>\n"
            "<style>@import url(\"http://one.example/\"); p { x: URL( http://two.example/ ) } curl(http://no.example/)\n"
            "@IMPORT 'http://import.example/' screen; @imports \"http://no.example/\"; @import x 'http://no.example/'; "
            "b { x: url('http://three.example/a<b') } i { x: url('http://no.example/\n) } i { x: url(http://four.example/</style>\n"
            "<p style='x: url(&quot;http://five.example/?a&amp;b&quot;)'>text</p><a style=x:url(http://six.example/) href=http://a.example/>a</a>"
            "<p style='url(http://seven.example/'>")
    found = [(r.get("attribute"), r["text"]) for r in records("--resources", text=page.encode())]
    css = ["http://%s.example/%s" % pair for pair in (("one", ""), ("two", ""), ("import", ""), ("three", "a<b"), ("four", ""), ("five", "?a&b"), ("six", ""))]
    check("--resources", found, [("img src", "http://i.example/"), *(("style url()", url) for url in css), ("a href", "http://a.example/"),
                                 ("style url()", "http://seven.example/")])
    others = (page[:page.index("<img")] + "<img srcset='http://one.example/a,b 1x,, http://two.example/?a&amp;b, http://three.example/,' src=http://four.example/>"
            "<body background=http://five.example/><video poster=http://six.example/>"
            "<link rel=preload as=image imagesrcset='http://seven.example/ 2x'>")
    check("--resources: srcset and others", [(r["attribute"], r["text"]) for r in records("--resources", text=others.encode())],
          [("img srcset", "http://one.example/a,b"), ("img srcset", "http://two.example/?a&b"), ("img srcset", "http://three.example/"),
           ("img src", "http://four.example/"), ("body background", "http://five.example/"), ("video poster", "http://six.example/"),
           ("link imagesrcset", "http://seven.example/")])
    check("no --resources", run("list", text=page.encode())[1], lines(["a"]))
    check("--resources, byte by byte", feed_slowly(page.encode(), 1, "--resources"), run("list", "--resources", text=page.encode())[1])
    with open(os.path.join(DATA, "mail", "relative.eml"), "rb") as file:
        one = b"From ada@post.example Sat Nov 21 10:00:00 2026\n" + file.read() + b"\n"
    with open(os.path.join(DATA, "mail", "unsearched.mbox"), "rb") as file:
        five = file.read() + b"\n"
    write("omissions.mbox", (one + five) * 3000)  # of several ranges
    wanted = run("list", "--json", "--summary", "-j1", "omissions.mbox")[1]
    totals = json.loads(wanted.splitlines()[-1])
    check("omissions are counted", (totals["relative"], totals["unsearched"]), (3000 * 5, 3000 * (2 + 9)))
    check("omissions that have a record", wanted.count('"type":"notice"'), 3000 * 5)
    for jobs in ("-j2", "-j4"):
        check(f"omissions with {jobs}", run("list", "--json", "--summary", jobs, "omissions.mbox")[1] == wanted)
    check("--message-ids", run("list", "--message-ids", text=mail("a").encode())[1].count("mid:a@a.example"), 1)
    late = [f"{i:03d}{'a' * 100}" for i in range(500)]
    page = "<html>%s<base href='http://base.example/'><a href=last>" % "".join(f"<a href={name}>" for name in late)
    found = records("--summary", text=page.encode())
    rest = [r["text"] for r in found[:-1] if r["type"] == "notice"]
    check("relative targets that wait no longer for a base", rest, late[:len(rest)])
    check("are counted", (found[-1]["relative"], found[-1]["limits"], len(rest) > 250), (len(rest), 1, True))
    check("the others have it", [r["url"] for r in found[:-1] if r["type"] == "link"],
          ["http://base.example/" + name for name in [*late[len(rest):], "last"]])
    for after in ("", " 1x,", " 1x, ", " ", ","):
        inline = "data:," + "x" * (65536 - len("http://one.example/ 1x, data:," + after)) + after
        page = f"<html><img srcset='http://one.example/ 1x, {inline}x, http://two.example/ 3x'>"
        found = [r.get("limit", r.get("text")) for r in records("--resources", text=page.encode())]
        check(f"a srcset longer than a URL may be, {after!r}", [text for text in found if not text.startswith("data:")],
              ["http://one.example/", "url-length"])
    for quote in ('"', "'", ""):
        inline = f"url({quote}data:,{'x' * 65536}{quote})"
        page = f'<html><style>a{{b:{inline}}}c{{d:url("http://one.example/")}}e{{f:url(http://two.example/)}}</style>'
        found = [r.get("limit", r.get("text")) for r in records("--resources", text=page.encode())]
        check(f"CSS after a URL that is too long, {quote}", [text for text in found if not text.startswith("data:")],
              ["url-length", "http://one.example/", "http://two.example/"])



def test_fields_twice():
    """Where a field of the body stands twice, the first one holds; of bases the last."""
    html, link = "Content-Type: text/html", "http://t.example/=3D"
    rows = [("Content-Transfer-Encoding: ", ("quoted-printable", "8bit", "base64"), [], link,
             ["http://t.example/=", link, None]),
            ("Content-Type: ", ("text/html", "text/plain"), [], f"<a href='{link}'>http://v.example/</a>", ["a href", None]),
            ("Content-Location: ", ("http://a.example/", "http://b.example/"), [html], "<a href=x>x</a>", [0, 1]),
            ("Content-Base: ", ("http://a.example/", "http://b.example/"), [html], "<a href=x>x</a>", [1, 0])]
    for name, values, more, body, wanted in rows:
        for first, value in enumerate(values):
            for second, other in enumerate(values):
                if first == second:
                    continue
                text = "\n".join(["From: a", "Date: b", *more, name + value, name + other, "", body, ""])
                links = [record for record in records("--headers=none", text=text.encode()) if record["type"] == "link"]
                if body[0] != "<":
                    got, want = [record["url"] for record in links], [wanted[first]] * (wanted[first] is not None)
                elif not more:
                    got, want = links[0].get("attribute"), wanted[first]
                else:
                    got, want = links[0]["url"], values[(first, second)[wanted[0]]] + "x"
                check(f"{name}{value}, then {other}", got, want)
    for types, told in (("image/png", "text/html"), 1), (("text/html", "text/html; charset=utf-8"), 0), (("text/html",), 0):
        text = "From: a\nDate: b\n" + "".join(f"Content-Type: {value}\n" for value in types) + "\n<a href=http://a.example/>a</a>\n"
        found = [record for record in records(text=text.encode()) if "Content-Type" in record.get("what", "")]
        check(f"{types}: a notice of a type that does not hold", len(found), told)


def test_limits_and_damage():
    long = "From: a\nDate: b\n" + "X-Long: x\n" * 200 + "\nhttp://a.example/\n"
    status, out, error = run("list", "--max-header=1024", text=long.encode())
    check("--max-header", (status, out, error.endswith("limit header-block (1024) exceeded\n"), error.count("\n")),
          (0, lines("a"), True, 1))
    found = [r for r in records("--max-header=1024", text=long.encode()) if r["type"] == "limit"]
    check("--max-header in JSON", [(r["limit"], r["value"]) for r in found], [("header-block", 1024)])
    shorter = mail("a") + "http://a.example/" + "x" * 200 + "\n"
    status, out, error = run("list", "--max-url-length=64", text=(FROM + mail("b") + "\n" + FROM + shorter).encode())
    check("a limit of a message", (status, error), (0, f"urlsift: -: message at byte {len(FROM + mail('b')) + 1}, part 1: at byte "
          f"{len(FROM + mail('b') + FROM + mail('a')) + 1}: limit url-length (64) exceeded\n"))
    many = "From: a\nDate: b\nContent-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nhttp://p.example/\n" * 20 + "--b--\n"
    status, out, error = run("list", "--max-parts=3", text=many.encode())
    check("--max-parts", (status, out, error.endswith("limit parts (3) exceeded\n"), error.count("\n")),
          (0, "http://p.example/\n" * 20, True, 1))
    nested = "From: a\nDate: b\n"
    for i in range(9):
        nested += f"Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n"
    nested += "\nhttp://deep.example/\n"
    status, out, error = run("list", "--max-depth=4", text=nested.encode())
    check("--max-depth", (status, out, error.endswith("limit mime-depth (4) exceeded\n"), error.count("\n")),
          (0, lines(["deep"]), True, 1))
    late = "From: a\nDate: b\nContent-Type: text/html\n\n" + '<a href="page">p</a>\n' * 3000
    status, out, error = run("list", text=(late + '<base href="http://b.example/">\n').encode())
    check("targets before a late <base>", (status, 300 < out.count("\n") < 3000, error.endswith("limit late-targets (65536) exceeded\n"),
                                           error.count("\n")), (0, True, True, 1))
    held = "From: a\nDate: b\nContent-Type: text/html\n\n<a href='http://b.example/'>www<!--%s-->.a.example</a>\n"
    for shown in "Click <!--%s-->www", "www<!--%s-->", "Hi. <!--%s-->www", "<!--%s-->ww<i>w</i>":
        text = (held.replace("www<!--%s-->", shown) % (200000 * "c")).encode()
        check("what is hidden in a label does not hide where it seems to lead", run("list", "--format=%u %w", text=text),
              (0, "http://b.example/ text-mismatch\nhttp://www.a.example \n", ""), shown)
    held = held.replace("www<", "www.<").replace("-->.a", "-->a")
    status, out, error = run("list", "--format=%u %w", text=(held % (200000 * "c")).encode())
    check("a label that is not held", (status, out, error.endswith("limit held-label (114688) exceeded\n"), error.count("\n")),
          (0, "http://b.example/ \n", True, 1))
    picture = held % "" .replace("<!---->", "<img src='data:image/png;base64,%s'>" % (90000 * "A"))
    check("targets in an anchor wait for its own", run("list", "--resources", "--format=%u %w", text=picture.encode())[1],
          "http://b.example/ text-mismatch\nhttp://www.a.example \n")
    check("without a <base> none is lost", run("list", text=late.encode()), (0, "", ""))
    bad = "From: a\nDate: b\nContent-Type: text/plain; charset=no-such\n\nhttp://two.example/ caf\xe9\n"
    both = (FROM + bad + "\n" + FROM + bad).encode("latin-1")
    check("damage is said once", [run("list", text=both), run("list", text=bad.encode("latin-1"))],
          [(0, lines(["two"] * 2), "urlsift: -: 2 damaged places (see list --json)\n"),
           (0, lines(["two"]), "urlsift: -: 1 damaged place (see list --json)\n")])
    header = "ada: see http://a.example/\nbob: no\n"
    later = "some words\n\n" + FROM + "From: a\nDate: b\n\nno link\n"
    says = "urlsift: files that look like plain text are read as mail: 1; without --input=mbox they are searched as text\n"
    for text, said in (header, says), (later, ""), ("", ""), ("From: a\nDate: b\n\nno link\n", ""), (header + "\nhttp://one.example/\n", ""):
        check("text that is read as a mailbox", run("list", "--input=mbox", text=text), (0, lines(["one"]) if "one" in text else "", said), text)
    box = write("damage.mbox", both)
    said = f"urlsift: {box}: 2 damaged places (see list --json)\n"
    check("damage in an index, when it is read", [run("index", "damage.db", box) for _ in range(2)], [(0, "", said), (0, "", "")])
    found = records("--summary", text=both)
    damage = [r for r in found if r["type"] == "error"]
    check("damage in JSON", ([list(r) for r in damage[:1]], {r["message"]["offset"] for r in damage}),
          ([["type", "source", "message", "what"]], {0, len(FROM + bad) + 1}))
    check("damage makes records, and is no failure", (found[-1]["errors"], run("list", "--json", text=both)[::2]), (2, (0, "")))
    check("and counts as much on standard error", " errors 2," in run("list", "--summary", text=both)[2])
    same = "".join(FROM + mail(f"h{i % 30}") + "\n" for i in range(60))
    status, out, error = run("list", "-u", "--unique-limit=20", text=same.encode())
    check("--unique-limit in mail", (status, out.count("\n"), error.count("\n"),
                                     error.startswith(f"urlsift: -: message at byte {same.index('h20') - len(FROM) - 35}: ")),
          (0, 40, 1, True))
    found = [r for r in records("-u", "--unique-limit=20", text=same.encode()) if r["type"] == "limit"]
    check("--unique-limit in mail in JSON", [list(r) for r in found], [["type", "source", "message", "limit", "value", "offset"]])
    check("--unique-limit in mail in JSON: its message", [list(r["message"]) for r in found], [["offset"]])

def property_of(line, at):
    """What the content line, without folds, says of a link at character `at`, slowly: its property, and its LABEL."""
    name = re.match(r"(?:[A-Za-z0-9-]*\.)*([A-Za-z0-9-]+)(?=[;:])", line)
    if not name:
        return None, None
    parameters, i, quoted = [""], name.end(), False
    while i < len(line) and (quoted or line[i] != ":"):
        quoted ^= line[i] == '"'
        if line[i] == ";" and not quoted:
            parameters.append("")
        else:
            parameters[-1] += line[i] if line[i] != '"' else ""
        i += 1
    labels = [p[6:] for p in parameters if p[:6].upper() == "LABEL=" and len(p) > 6] if at == i + 1 else []
    meant = {"^^": "^", "^n": "\n", "^'": '"'}
    return name[1], " ".join(re.sub(r"\^[\^n']", lambda m: meant[m[0]], labels[0]).split()) if labels else None


def test_escapes_in_charsets():
    """The escapes of a calendar are undone whatever its charset, however the message comes."""
    head = b"From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/calendar; charset="
    body = "BEGIN:VCALENDAR\n" + "DESCRIPTION:M\u00fcnchen\\, Raum 1\\nhttp://a.example/x\\nGr\u00fc\u00dfe\n" * 40 + "END:VCALENDAR\n"
    wanted = body.replace("\\,", ",").replace("\\n", "\n").encode()
    for charset in ("iso-8859-1", "utf-8", "windows-1252"):
        text = head + charset.encode() + b"\n\n" + body.encode(charset)
        for size in (len(text), 1):
            check(f"escapes in {charset}, {size} bytes at a time",
                  run_pieces("rewrite", data=text, size=size).stdout.split(b"\n\n", 1)[1], wanted)


def test_animated():
    """`values` is a list, `to` and `from` are one URL each."""
    head = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n"
    check("URLs of animations", run("list", text=(head + """<svg><a><set to="http://a.example/b;c"/><set from="http://b.example/;d"/>
        <animate values="http://c.example/; http://d.example/;x"/></a></svg>\n""").encode())[1].split(),
          ["http://a.example/b;c", "http://b.example/;d", "http://c.example/", "http://d.example/"])


def test_properties():
    choose = random.Random(19)
    names = "URL", "CONFERENCE", "item1.URL", "X-A", "no name", "DESCRIPTION", "a.b.C"
    labels = "Join", '"Join; in"', "a^nb", "^^^^n", '"c^', "d^", "e^'f", '"see http://s.example/ x"', "\u00e9  g", ""
    parameters = "VALUE=URI", "FEATURE=PHONE", 'X="a:b;c"', "LABELS=no", "XLABEL=no", "X=^"
    words = "http://a.example/ ", "https://b.example/x ", "text ", "\\n", "\\,", "c:d ", "\\", "mid^n "
    lines_made = []
    for _ in range(400):
        more = choose.sample(parameters, choose.randrange(3)) + [choose.choice(("LABEL=", "label=")) + choose.choice(labels)
                                                                 for _ in range(choose.randrange(3))]
        more = [m + '"' * (m.count('"') % 2) for m in choose.sample(more, len(more))]
        value = choose.choice(("http://a.example/ ", "")) + "".join(choose.choice(words) for _ in range(choose.randrange(4)))
        lines_made.append(";".join([choose.choice(names), *more]) + ":" + value)
    folded = [re.sub(r"(?<=.)(?=.)", lambda m: choose.choice(["\r\n ", *[""] * 30]), line) for line in lines_made]
    for made in lines_made, folded:
        made.insert(200, "URL:" + "word, \\, \\n x" * 20000 + " http://far.example/")
    source = ("BEGIN:VCALENDAR\r\n" + "\r\n".join(folded) + "\r\n").encode()
    starts, at = [], len(b"BEGIN:VCALENDAR\r\n")
    for line in folded:
        starts.append(at)
        at += len(line.encode()) + 2
    wrong, count = [], 0
    for r in records(text=source):
        begin = r["parts"][0][0]
        row = max(i for i, start in enumerate(starts) if start <= begin)
        before = source[starts[row]:begin].decode().replace("\r\n ", "")
        wanted = property_of(lines_made[row], len(before)) if before else (None, None)
        count += 1
        if (r.get("attribute"), r.get("label")) != wanted:
            wrong.append((lines_made[row], r.get("attribute"), r.get("label"), wanted))
    check("properties and labels of content lines", (wrong[:3], count > 300), ([], True))
    shown = run("rewrite", "--as=refang", text=source)[1].split("\n", 1)[1]
    meant = "".join(re.sub(r"\\([nN,;\\])", lambda m: "\n" if m[1] in "nN" else m[1], line) + "\n" for line in lines_made)
    check("escapes of values", shown.replace("\r", ""), meant)


def test_long_preamble():
    """A multipart without parts, longer than what waits for one, is the same text however it comes."""
    head = FROM + "From: a\nContent-Type: multipart/mixed; boundary=b\n\n"
    data = (head + ">From here, http://a.example/\n" + "some text\n" * 7000).encode()
    whole = run_bytes("rewrite", "--as=defang", "-j1", write("preamble.mbox", data))
    check("a long preamble in pieces", run_pieces("rewrite", "--as=defang", data=data, size=61).stdout == whole.stdout)


def test_limits_page():
    page = run("list", "--limits", "--max-depth=7")[1]
    for name, value in (("mime-depth", 7), ("parts", 10000), ("header-block", 1048576), ("parameter-length", 1024)):
        check(f"--limits has {name}", any(row.split()[:2] == [name, str(value)] for row in page.splitlines()), True)


def test_far_value():
    """The place of a URL in a value so long that its offsets are forgotten does not depend on the blocks."""
    data = (b"From: a@a.example\nContent-Type: text/html; charset=koi8-r\n\n<img srcset=' http://one.example/ 1x," +
            b" a\n" * 60000 + b"'>\n")
    seen = {run_pieces("list", "--json", "--input=mail", "--resources", data=data, size=size).stdout
            for size in (4096, 3000, 999)}
    check("the place of a long value", len(seen), 1)
    check("and its URL", b'"url":"http://one.example/"' in seen.pop())


def test_first_bytes():
    """What an input is does not depend on where its first line is cut."""
    data = b"Da: a\nDate: b\nContent-Type: text/html\n\n<a href='http://a.example/'>a</a>\n"
    for size in (1, 2, 3, 5):
        check("a header cut in its first line", run_pieces("list", data=data, size=size).stdout, b"http://a.example/\n", size)


def test_progress():
    r = random.Random(1)
    write("text", "".join(f"words {r.random()}\n" for _ in range(1000)))
    check("--progress of little work", run("list", "--progress", "text"), (0, "", ""))
    process = subprocess.Popen([URLSIFT, "list", "--progress", "-", "text"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    for _ in range(60):
        process.stdin.write(b"words\n" * 200000)
        process.stdin.flush()
        if select.select([process.stderr], [], [], 0.5)[0]:
            break
    process.stdin.close()
    error = process.stderr.read().decode()
    check("--progress", (process.wait(HANG), error.startswith("urlsift: "), error.split("\n")[0].endswith(" MB")), (0, True, True))
    process.stdout.close()
    process.stderr.close()


def test_memory():
    if sys.platform != "linux" or SANITIZED:
        skip("memory", "no /proc, or a sanitizer's memory counts too")
        return
    blocks = {"messages": (FROM + mail("a") + "\n").encode() * 10000, "a long line": b"From: a\nDate: b\n\n" + b"x" * 2000000,
              "fields": b"From: a\nDate: b\n" + b"X-Y: http://a.example/\n" * 100000}
    for name, block in blocks.items():
        for args in (["list", "-j1"], ["list", "--json", "-j1"]):
            process = subprocess.Popen([URLSIFT, *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            for _ in range(16):
                process.stdin.write(block)
            process.stdin.flush()
            with open(f"/proc/{process.pid}/status") as file:
                peak = next(int(row.split()[1]) for row in file if row.startswith("VmHWM"))
            process.stdin.close()
            process.wait(HANG)
            check(f"8 MiB are enough, {name}, {args}, {peak} KiB", peak < 8192, True)


def main():
    quick = (test_detection, test_copied_header, test_folders, test_false_git, test_inherited, test_trees, test_inbox, test_inboxes_in_folders, test_records,
             test_fields_twice, test_limits_and_damage, test_escapes_in_charsets, test_animated, test_properties, test_long_preamble, test_limits_page, test_far_value, test_first_bytes)
    with temporary_folder():
        for test in quick if FAST else (*quick, test_pipes, test_progress, test_memory):
            test()
    finish()


main()
