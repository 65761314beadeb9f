#!/usr/bin/env python3
"""Where the system refuses executable memory, as systemd does with MemoryDenyWriteExecute, PCRE2 has no JIT compiler:
every output is the same, and --version says so."""
import ctypes
import errno
import glob
import os
import platform
import struct

from testlib import DATA, check, finish, has, read, run, skip, temporary_folder, write

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_MDWE = 22, 38, 65
# The numbers of mmap and mprotect; audit's name of the processor.
CALLS = {"x86_64": (9, 10, 0xC000003E), "aarch64": (222, 226, 0xC00000B7)}
WITHOUT = "without PCRE2's JIT compiler"
LINE = "http://a.example/~[%s and RFC 12 and x" + "ab" * 1000 + "y news:1 http://b.example/\u00e9?[\n"


def refuse_by_seccomp():
    """mmap that is to be written and executed, and mprotect that is to be executed, are refused (Linux before 6.3)."""
    mmap, mprotect, processor = CALLS[platform.machine()]
    load, equal, every, back = 0x20, 0x15, 0x54, 0x06
    words = [(load, 0, 0, 4), (equal, 0, 9, processor), (load, 0, 0, 0), (equal, 1, 0, mmap), (equal, 3, 6, mprotect),
             (load, 0, 0, 32), (every, 0, 0, 6), (equal, 2, 3, 6), (load, 0, 0, 32), (0x45, 0, 1, 4),
             (back, 0, 0, 0x50000 | errno.EACCES), (back, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *word) for word in words))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(words), ctypes.addressof(code)))
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return LIBC.prctl(PR_SET_SECCOMP, 2, program, 0, 0) == 0


def refuse():
    """Executable memory is refused to this process and its children."""
    if LIBC.prctl(PR_SET_MDWE, 1, 0, 0, 0) and not (platform.machine() in CALLS and refuse_by_seccomp()):
        os._exit(99)


def compare(what, *args, **more):
    plain, refused = run(*args, **more), run(*args, preexec_fn=refuse, **more)
    check(f"{what}, without executable memory", (refused.returncode, refused.stderr, refused.stdout),
          (plain.returncode, plain.stderr, plain.stdout))
    return plain


def test_outputs():
    files = [os.path.relpath(path, DATA) for kind in ("cases/*.txt", "mail/*.eml", "mail/*.mbox", "cases-rules/*.txt")
             for path in sorted(glob.glob(os.path.join(DATA, kind)))]
    texts = b"".join(map(read, sorted(glob.glob(os.path.join(DATA, "explain", "*.txt")))))
    with temporary_folder() as folder:
        rules = os.path.join(folder, "rules")
        write(rules, read(os.path.join(DATA, "cases-rules", "rules")) + b"x(?:a|b)*y => https://r.example/$0\n")
        for args in (["list", "--json", "--email", "--domains"], ["list", "--json", "-j2"], ["html"], ["list", "--rules=" + rules],
                     *(["list", "--valid=" + name] for name in ("rfc1738", "rfc3986", "rfc3987")),
                     ["list", "--match=^https?://([a-z.]|[0-9])+/", "--not-match=(?i)PDF$"]):
            done = compare(" ".join(args[:3]), *args, *files, cwd=DATA)
            check(f"{args} found something", done.stdout.count(b"\n") > 20)
        compare("a long line, with rules", "list", "--json", "--rules=" + rules, text="".join(LINE % i for i in range(50)))
        compare("explain", "explain", "--json", text=texts)
        if has("with SQLite"):
            for name, refused in (("plain.db", None), ("refused.db", refuse)):
                check("index", run("index", os.path.join(folder, name), *files, cwd=DATA, preexec_fn=refused)[::2], (0, ""))
            for question in ("hosts", "warned", "joined"):
                check(f"query {question}", run("query", "refused.db", question), run("query", "plain.db", question))
        else:
            skip("index", "this build has no SQLite")


def main():
    version = run("--version", preexec_fn=refuse) if os.name == "posix" and platform.system() == "Linux" else None
    if not version or version.returncode == 99:
        skip("runs without executable memory", "this system cannot refuse it")
        finish()
    check("--version says so", WITHOUT in version.stdout.decode().splitlines())
    check("in one more line at most", len(version.stdout.splitlines()) - len(run("--version").stdout.splitlines()) <= 1)
    test_outputs()
    finish()


main()
