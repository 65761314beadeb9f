"""The sandbox: code that a hostile input made the command run can do nothing, and the output is the same with it.

tests/sandbox_shim.c is loaded into the command.  It tries to read, write, run programs and reach the network, and every
system call by its number, in the process that reads, in the helper that unpacks, and in git.
"""
import contextlib
import glob
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
import zipfile

from testlib import HANG, TOP, URLSIFT, check, complaints, finish, has, preload, skip, temporary_folder, write, write_inbox

DATA = os.path.join(TOP, "testdata", "mail")
MAIL = "From: a <a@a.example>\nSubject: s\n\nsee http://%s.example/\n"
# What a process may do anyhow, and what only Landlock refuses.
NORMAL = {"read", "create", "write", "truncate", "remove", "mkdir", "chmod", "chown", "utimensat", "link", "exec", "code", "protect",
          "ptrace", "signal", "setown", "prlimit", "unshare", "socket", "connect", "unix"}
FILES = {"read", "create", "write", "truncate", "remove", "mkdir", "exec"}

# The calls that may reach the system, and those of which some arguments may.
HELPER = set("""brk munmap mremap madvise futex exit exit_group getpid gettid sched_yield clock_gettime gettimeofday time getrandom
    restart_syscall rt_sigaction rt_sigprocmask rt_sigreturn read write writev close riscv_hwprobe""".split())
READER = HELPER | set("""nanosleep clock_nanosleep clock_getres sched_getaffinity set_robust_list getrusage getrlimit sysinfo uname getuid
    geteuid getgid getegid readv pread64 pwrite64 lseek fstat dup dup2 dup3 poll ppoll fadvise64 getdents64 fstatfs memfd_create
    stat lstat newfstatat statx statfs access faccessat faccessat2 readlink readlinkat getcwd rseq membarrier close_range
    open openat mmap mprotect clone fcntl ioctl tgkill prlimit64""".split())
UNPACKER = READER | {"fork", "pipe", "pipe2", "wait4", "waitid", "seccomp"}
WRITER = UNPACKER | set("""ftruncate fsync fdatasync fallocate mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2""".split())
GIT = UNPACKER - {"tgkill"} | {"execve", "vfork", "set_tid_address", "chdir", "getppid", "arch_prctl"}
ARGUMENTS = {"mmap", "mprotect", "open", "openat", "ioctl", "fcntl", "clone", "tgkill", "seccomp", "prlimit64"}


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
    with tarfile.open("a.tar", "w") as packed, zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in "mail", "text":
            packed.add(name)
            zipped.write(name)
    write_inbox(MAIL % "g")


# (arguments, what cannot be refused)
COMMANDS = [(["list"], ""), (["list", "text"], ""), (["list", "--json", "-j3", "box"], "code"), (["html", "text", "mail"], ""),
            (["html", "-"], ""), (["list", "koi", "mail"], ""), (["list", "-n", "md", "mh"], "read"),
            (["list", "--files-from=names"], "read"), (["list", "-r", "mh"], "read"), (["list", "inbox"], "read"),
            (["html", "-o", "site", "box"], ""), (["shards", "--size=1000", "box"], ""), (["rewrite", "--as=angle", "text"], ""),
            (["index", "db/new.db", "box"], "code"), (["list", "--charset=shift_jis", "text"], ""), (["normalise"], "code"), (["explain"], "code"), (["list", "--valid=rfc3986", "text"], "code"),
            (["list", "a.tar", "text"], "")]


def attempts(shim, args, where="reader", **more):
    """What a run says that succeeded."""
    for name in "site", "planted.d":
        shutil.rmtree(name, ignore_errors=True)
    for name in glob.glob("db/new.db*") + glob.glob("planted*"):
        os.unlink(name)
    write("secret", "secret")
    status, out, error = run(args, LD_PRELOAD=shim, SANDBOX_TRY=where, SANDBOX_SECRET=os.path.abspath("secret"),
                             SANDBOX_PLANTED=os.path.abspath("planted"), **more)
    return (status, out), {line.split()[1].decode() for line in error.splitlines() if line.startswith(b"sandbox: ")}


def test_attempts(shim):
    lost = set() if has("sandbox: Landlock, seccomp") else FILES
    if lost:
        skip("attempts on files in the sandbox", "Landlock is missing")
    for args, allowed in COMMANDS:
        output, tried = attempts(shim, args)
        check(f"{args}: what succeeded", tried - lost, {"tried", *allowed.split()} - lost)
        check(f"{args}: the output", output, run([*args, "--no-sandbox"])[:2])
    for where, args, allowed in (("helper", ["list", "a.tar"], set()), ("helper", ["html", "-o", "site", "a.zip"], set()),
                                 ("git", ["list", "inbox"], {"read"}), ("git", ["index", "db/new.db", "inbox"], {"read", "code"})):
        output, tried = attempts(shim, args, where)
        check(f"{where} of {args}: what succeeded", tried - lost, {"tried"} | allowed - lost)
        check(f"{where} of {args}: the status", output[0], 0)
    tried = attempts(shim, ["list", "--no-sandbox", "text"])[1]
    check("without a sandbox all succeed", NORMAL - tried, set())


def test_calls(shim):
    """As another user, in case that one gets through that should not."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        command = shutil.copy(URLSIFT, folder)
        shim = shutil.copy(shim, folder)
        for name in "text", "a.tar":
            os.chmod(shutil.copy(name, folder), 0o644)
        shutil.copytree("inbox", f"{folder}/inbox")
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        os.mkdir(f"{folder}/out")
        os.chmod(f"{folder}/out", 0o777)
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        if user:
            os.chown(f"{folder}/inbox/git/0.git", 65534, 65534)
        for where, args, allowed in (("reader", ["list", "text"], UNPACKER), ("reader", ["html", "-o", "out/site", "text"], WRITER),
                                     ("reader", ["normalise"], READER), ("helper", ["list", "a.tar"], HELPER), ("git", ["list", "inbox"], GIT)):
            env = {"LD_PRELOAD": shim, "SANDBOX_TRY": where, "SANDBOX_CALLS": "1"}
            with open("text", "rb") as text, tempfile.TemporaryFile() as error:
                with subprocess.Popen([command, *args], stdin=text, stdout=subprocess.DEVNULL, stderr=error, cwd=folder,
                                      env={**os.environ, **env}, start_new_session=True, **user) as process:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(timeout=HANG)
                    with contextlib.suppress(ProcessLookupError):  # children that wait
                        os.killpg(process.pid, signal.SIGKILL)
                error.seek(0)
                lines = [line.decode().split() for line in error if line.startswith(b"sandbox: ")]
            through = {line[2] for line in lines if line[1:2] == ["through"]}
            check(f"calls by {where} of {args}: the status", process.returncode, 0)
            complaints(f"calls by {where} of {args}: none ends the process", [line for line in lines if line[1] == "killed"])
            check(f"calls by {where} of {args}: no other gets through", through - allowed, set())
            check(f"calls by {where} of {args}: those that are needed do", {"read", "write", "munmap"} - through, set())
            check(f"calls by {where} of {args}: refused for an argument", {line[2] for line in lines if line[1] == "arguments"} - ARGUMENTS, set())


def test_crash(shim):
    """A crash of the helper is an error of its input."""
    done = run(["list", "a.zip", "text", "a.tar"], LD_PRELOAD=shim, SANDBOX_TRY="helper", SANDBOX_CRASH="1")
    lines = [line for line in done[2].decode().splitlines() if not line.startswith("sandbox:")]
    check("a helper that crashes", (done[:2], [re.sub("[0-9]+", "N", line) for line in lines]),
          ((1, run(["list", "text"])[1]), [f"urlsift: {name}: made its reader crash (signal N)" for name in ("a.zip", "a.tar")]))


def test_lacks(shim):
    """Where a part cannot be set up, that is said."""
    parts = {"landlock": ("Landlock", "sandbox: seccomp; Landlock could not be set up"),
             "seccomp": ("seccomp", "sandbox: Landlock; seccomp could not be set up")}
    for lacks, (name, version) in parts.items():
        env = {"LD_PRELOAD": shim, "SANDBOX_LACKS": lacks}
        check(f"--version without {name}", run(["--version"], **env)[1].splitlines()[-1].decode(), version)
        check(f"--summary without {name}", run(["list", "--summary", "text"], **env)[2].splitlines()[-1].decode(),
              f"urlsift: sandbox: {name} could not be set up")
        check(f"without {name} the output is the same", run(["list", "text"], **env), run(["list", "text"]))
        for args in ["list", "text"], ["normalise"], ["query", "old/old.db", "hosts"], ["html", "text"]:
            check(f"{args} --require-sandbox without {name}", run([*args, "--require-sandbox"], **env),
                  (3, b"", f"urlsift: --require-sandbox: {name} could not be set up\n".encode()))
    check("--require-sandbox", run(["list", "--require-sandbox", "text"]), run(["list", "text"]))
    check("--summary", len(run(["list", "--summary", "text"])[2].splitlines()), 1)


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
        if not shim or not (has("sandbox: Landlock, seccomp") or has("sandbox: seccomp")):
            skip("attempts in the sandbox", "a sanitizer, or seccomp or LD_PRELOAD is missing")
        else:
            test_attempts(shim)
            test_calls(shim)
            test_crash(shim)
            if has("sandbox: Landlock, seccomp"):
                test_lacks(shim)
    finish()


main()
