#!/usr/bin/env python3
"""The modules and the package for JavaScript (js/): make js, of it the package in make check, and node's tests in js/test/.

Skipped where node, or clang with wasi-libc and lld, is missing.  With URLSIFT_LONG the corpora of the fuzzers, a million
generated texts, and the browsers and Thunderbird that are installed.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

from testlib import HANG, LONG, SANITIZED, TOP, expect, finish, skip

WASM = ("#include <stdlib.h>\n__attribute__((export_name(\"f\"))) void *f(void) { return malloc(1); }\n")


def can_build():
    """Why the modules cannot be built, or None."""
    if not shutil.which("clang"):
        return "clang is not installed"
    done = subprocess.run(["clang", "--target=wasm32-wasi", "-nostartfiles", "-Wl,--no-entry", "-x", "c", "-", "-o", os.devnull],
                          input=WASM.encode(), capture_output=True)
    return None if done.returncode == 0 else "clang has no wasi-libc, libclang-rt for wasm32 or lld"


def make():
    for target in ["all", f"{TOP}/build/js/urlsift-scalar.wasm"] if LONG else ["packaged"]:
        done = subprocess.run([os.environ.get("MAKE", "make"), "-s", "-C", "js", f"BUILD={TOP}/build/js", target], cwd=TOP,
                              capture_output=True, text=True)
        expect("make js", done.returncode == 0 and "warning:" not in done.stderr, done.stdout + done.stderr)
        if done.returncode:
            return False
    return True


def node_tests():
    """Counts what node's test runner reports."""
    names = sorted(glob.glob(os.path.join(TOP, "js", "test", "*.test.mjs")))
    done = subprocess.run(["node", "--test", "--test-reporter=tap", *names], cwd=TOP, capture_output=True, text=True,
                          timeout=4 * HANG)
    results = re.findall(r"(?m)^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO) ?(.*))?$", done.stdout)
    for failed, name, directive, why in results:
        if directive == "SKIP":
            skip(f"js: {name}", why or "no reason given")
        else:
            expect(f"js: {name}", not failed)
    expect("node's exit status", done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:] if done.returncode else "")
    expect("tests ran", len(results) > 20, done.stdout[-2000:] + done.stderr[-2000:])


version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout if shutil.which("node") else ""
if SANITIZED:
    skip("js", "the modules are not built with sanitizers")
elif not version or int(version[1:].split(".")[0]) < 18:
    skip("js", f"node 18 or later is not installed: {version.strip() or 'no node'}")
elif can_build():
    skip("js", can_build())
elif make():
    node_tests()
    if LONG:
        sys.path.insert(0, os.path.join(TOP, "js", "test"))
        import browsers
        import thunderbird
        browsers.run()
        thunderbird.run()
finish()
