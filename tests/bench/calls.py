#!/usr/bin/env python3
"""The time of short calls: urlsift_find of 55 bytes with one link, and find() of the Python module for it and others.

usage: calls.py [--rounds N] [--against TREE]

TREE is another copy of the source, built too. Each round measures every call once, with both in turn. Columns: the
least microseconds of processor time, then those of TREE. Each call of Python finds one link: their number a second is
a million over the time. Needs cc and the shared library, on Linux.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEXT = "see the notes at https://www.a.example/notes/today.html"
CALLS = {  # the text and the options of find()
    "find()": (TEXT, {}),
    "find() with an option": (TEXT, {"guess": True}),
    "find(), not ASCII": (TEXT.replace("see", "se\u00e9"), {}),
    "find() of bytes": (TEXT.encode(), {}),
    "find() of 2,000 lines, a link": ((TEXT + "\n") * 2000, {}),
}
PASSES, SECONDS = 10, 0.05


def measure_python(module):
    """Writes the least microseconds a link of each of CALLS."""
    sys.path.insert(0, module)
    import urlsift
    for text, options in CALLS.values():
        links = len(urlsift.find(text, **options))
        start, count = time.process_time(), 0
        while time.process_time() - start < SECONDS:
            urlsift.find(text, **options)
            count += 1
        least = SECONDS
        for _ in range(PASSES):
            start = time.process_time()
            for _ in range(count):
                urlsift.find(text, **options)
            least = min(least, (time.process_time() - start) / count / links)
        print(least * 1e6)


def measure(tree, program):
    """Microseconds by the name of the call."""
    library = os.path.join(tree, "build")
    env = {**os.environ, "LD_LIBRARY_PATH": library, "URLSIFT_LIBRARY": os.path.join(library, "liburlsift.so")}

    def output(*command):
        done = subprocess.run(command, input=TEXT, stdout=subprocess.PIPE, env=env, text=True, check=True)
        return [float(line) for line in done.stdout.split()]

    times = {"urlsift_find": output(program)[0], "urlsift_find, kept context": output(program, "kept")[0]}
    module = os.path.join(tree, "contrib", "python")
    times.update(zip(CALLS, output(sys.executable, "-B", __file__, "--module", module)))
    return times


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--against")
    parser.add_argument("--module")
    args = parser.parse_args()
    if args.module:
        measure_python(args.module)
        return
    trees = [os.path.abspath(tree) for tree in (TOP, args.against) if tree]
    results = [{} for _ in trees]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "calls")
        subprocess.run(["cc", "-std=c11", "-O2", "-I" + os.path.join(TOP, "include"), "-o", program,
                        os.path.join(TOP, "tests", "bench", "calls.c"), "-L" + os.path.join(TOP, "build"), "-lurlsift"],
                       check=True)
        for _ in range(args.rounds):
            for tree, result in zip(trees, results):
                for name, value in measure(tree, program).items():
                    result[name] = min(value, result.get(name, value))
    for name in results[0]:
        print(f"{name:30}", *(f"{result[name]:6.2f}" for result in results), "\u00b5s")


main()
