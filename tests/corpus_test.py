#!/usr/bin/env python3
"""What the fuzzers have found is run again, under ASan and UBSan: every fourth file of tests/fuzz/corpus/, all of them
in a long test; and texts and mailboxes of the fuzzer construct, in a long test of outsider as well.  Each fault of the past
(tests/fuzz/faults/) can be put back into the sources as they are; in a long test these are compiled then.

make check builds the programs (build/runs/NAME, build/fuzz/NAME-runs) where there is clang.
"""
import glob
import os
import re
import shutil
import subprocess
import tarfile

from testlib import HANG, LONG, SANITIZED, TOP, expect, finish, read, skip, temporary_folder, write

OPTIONS = ["-runs=0", "-timeout=0", "-rss_limit_mb=0", "-detect_leaks=0", "-malloc_limit_mb=8192"]
QUICK = "malloc_context_size=1:quarantine_size_mb=1:detect_stack_use_after_return=0"


def replay(fuzzer, archive):
    """The number of files that the fuzzer ran, and what it said when one of them failed."""
    with tarfile.open(archive) as tar:
        members = [member for member in tar.getmembers() if member.isfile()][::1 if LONG else 4]
        tar.extractall("corpus", members)
    done = subprocess.run([fuzzer, *OPTIONS, "corpus"], capture_output=True, timeout=HANG,
                          env={**os.environ, "ASAN_OPTIONS": QUICK})
    said = done.stderr.decode(errors="replace")
    # libFuzzer begins with an empty text.
    return len(members), "" if done.returncode == 0 and f"Done {len(members) + 1} runs" in said else said[-3000:]


def run_generated(fuzzer, runs, seed):
    program = os.path.join(TOP, "build", "fuzz", fuzzer + "-runs")
    if SANITIZED or not os.path.exists(program):
        skip(f"texts of {fuzzer}", "a sanitizer" if SANITIZED else f"no build/fuzz/{fuzzer}-runs, which clang builds")
        return
    done = subprocess.run([program, str(runs), str(seed)], capture_output=True, timeout=HANG,
                          env={**os.environ, "ASAN_OPTIONS": QUICK})
    said = (done.stdout + done.stderr).decode(errors="replace")
    expect(f"{runs} texts of {fuzzer}", done.returncode == 0 and said.startswith(f"{runs} passed"), said[-3000:])


def includes(path, headers):
    with open(path) as file:
        return any(header in headers for header in re.findall(r'(?m)^#include ".*?([^/"]+)"', file.read()))


def patch_sources(fault, *options):
    return subprocess.run(["patch", "-p1", "-s", "-f", "-i", fault, *options], capture_output=True)


def compile_faulty(fault):
    """What the compiler says of the sources that a fault changes, in a copy; nothing if it compiles them."""
    changed = re.findall(r"(?m)^\+\+\+ [ab]/(\S+)", read(fault).decode())
    before = {path: read(path) for path in changed}
    patch_sources(fault)
    headers = [os.path.basename(path) for path in changed if path.endswith(".h")]
    sources = [path for path in glob.glob("src/**/*.c", recursive=True) if path in changed or includes(path, headers)]
    done = subprocess.run([os.environ.get("CC") or "cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Isrc", "-Iinclude",
                           "-fsyntax-only", "-Werror=implicit-function-declaration", *sources], capture_output=True)
    for path, text in before.items():  # a patch of which the lines around have changed may be reversed in another place
        write(path, text)
    return "" if done.returncode == 0 else done.stderr.decode(errors="replace")


def test_faults():
    if not shutil.which("patch"):
        skip("faults put back", "no patch")
        return
    with temporary_folder():
        for folder in ("src", "include"):
            shutil.copytree(os.path.join(TOP, folder), folder)
        for fault in sorted(glob.glob(os.path.join(TOP, "tests", "fuzz", "faults", "*.patch"))):
            name = os.path.basename(fault).removesuffix(".patch")
            done = patch_sources(fault, "--dry-run")
            expect("a fault that is put back", done.returncode == 0, f"{name}: {done.stdout.decode(errors='replace')}")
            if LONG and done.returncode == 0:
                wrong = compile_faulty(fault)
                expect("the sources with a fault", not wrong, f"{name}: {wrong}")


def main():
    test_faults()
    run_generated("construct", 30000 if LONG else 1000, 1)
    if LONG:
        run_generated("outsider", 20000, 9000000000)
    for archive in sorted(glob.glob(os.path.join(TOP, "tests", "fuzz", "corpus", "*.tar.gz"))):
        name = os.path.basename(archive).removesuffix(".tar.gz")
        fuzzer = os.path.join(TOP, "build", "runs", name)
        if SANITIZED or not os.path.exists(fuzzer):
            skip(f"corpus of {name}", "a sanitizer" if SANITIZED else f"no {os.path.relpath(fuzzer, TOP)}, which clang builds")
            continue
        with temporary_folder():
            files, wrong = replay(fuzzer, archive)
        expect(f"the fuzzer {name} on its corpus", not wrong, wrong)
        print(f"{name}: {files} files")
    finish()


if __name__ == "__main__":
    main()
