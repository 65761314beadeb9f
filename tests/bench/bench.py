#!/usr/bin/env python3
"""Speed against the peers that are installed, in one run: each round runs every command once, in turn.

usage: bench.py [--rounds N] [--size MB] [--quick]        (BENCH_FILES="a b" adds files)
Prints a row a command and corpus: MB/s (best and median of the rounds), its time over `wc -l`'s and over
`urlsift list`'s, peak memory, lines put out. Wall clock, one processor where taskset is there.
"""
import argparse
import gzip
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, "build")
URLSIFT = os.environ.get("URLSIFT", os.path.join(BUILD, "urlsift"))
SIMPLE = r'(https?|ftp)://[^\s<>"]+'
MB = 1_000_000


def peers():
    """Name, command (the file comes last), and the package that has it."""
    return [
        ("cat", ["cat"], None), ("wc -l", ["wc", "-l"], None),
        ("urlsift list", [URLSIFT, "list"], None), ("urlsift list --json", [URLSIFT, "list", "--json"], None),
        ("urlsift html", [URLSIFT, "html"], None),
        ("rg simple", ["rg", "-j1", "-oN", "--no-filename", SIMPLE], "ripgrep"),
        ("pcre2grep simple", ["pcre2grep", "-o", SIMPLE], "pcre2-utils"),
        ("grep -oE simple", ["grep", "-aoE", "(https?|ftp)://[^[:space:]<>\"]+"], "grep"),
    ]


def documentation(path, size):
    """The package documentation of this system, unpacked."""
    with open(path, "wb") as out:
        for folder, folders, files in os.walk("/usr/share/doc"):
            folders.sort()
            for name in sorted(files):
                source = os.path.join(folder, name)
                try:
                    if not os.path.isfile(source) or name.endswith((".png", ".pdf", ".jpg", ".gif", ".svg", ".ico")):
                        continue
                    with (gzip.open if name.endswith(".gz") else open)(source, "rb") as file:
                        shutil.copyfileobj(file, out)
                except OSError:
                    continue
                if out.tell() >= size:
                    out.truncate(size)
                    return
    fill(path, size)


def fill(path, size):
    """Repeats a file that is too short."""
    have = os.path.getsize(path)
    if not have:
        return
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "ab") as out:
        while have < size:
            out.write(data[:size - have])
            have += len(data)


def urls(path, size):
    rng = random.Random(1)
    words = ["a", "b", "index", "view", "list", "2024", "doc", "x-y", "news", "archive", "item.html", "q1"]
    with open(path, "w", encoding="ascii") as out:
        while out.tell() < size:
            out.write("".join("http%s://www.%s%d.example/%s?id=%d\n" % (rng.choice(["", "s"]), rng.choice(words), rng.randrange(999),
                      "/".join(rng.choices(words, k=rng.randrange(5))), rng.randrange(10**6)) for _ in range(1000)))


def log(path, size):
    rng = random.Random(2)
    with open(path, "w", encoding="ascii") as out:
        while out.tell() < size:
            out.write("".join('192.0.2.%d - - [10/Oct/2024:13:55:%02d +0000] "GET /p/%d HTTP/1.1" 200 %d "https://www.h%d.example/a/%d" "Agent/1.%d"\n'
                      % (rng.randrange(256), rng.randrange(60), rng.randrange(10**5), rng.randrange(10**6), rng.randrange(99),
                         rng.randrange(10**5), rng.randrange(9)) for _ in range(1000)))


def corpora(size):
    folder = os.path.join(BUILD, "bench")
    os.makedirs(folder, exist_ok=True)
    found = []
    for name, make in (("docs", documentation), ("urls", urls), ("log", log)):
        path = os.path.join(folder, f"{name}-{size // MB}.txt")
        if not os.path.exists(path):
            make(path, size)
        found.append((name, path))
    return found + [(os.path.basename(f), f) for f in os.environ.get("BENCH_FILES", "").split()]


def run(command, path, output):
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    begin = time.perf_counter()
    with open(output, "wb") as out:
        child = subprocess.Popen([*pin, *command, path], stdout=out, stderr=subprocess.DEVNULL)
        peak = 0
        while child.poll() is None:
            try:
                with open(f"/proc/{child.pid}/status", encoding="ascii") as status:
                    peak = max(peak, *(int(s.split()[1]) for s in status if s.startswith("VmHWM")))
            except (OSError, TypeError, ValueError):
                pass
            time.sleep(0.002)
        return time.perf_counter() - begin, peak


def measure(name, path, commands, rounds):
    output = os.path.join(BUILD, "bench", "output")
    times = {n: [] for n, _, _ in commands}
    peaks, lines = {}, {}
    for turn in range(rounds):
        for n, command, _ in commands:
            seconds, peak = run(command, path, output)
            times[n].append(seconds)
            peaks[n] = max(peak, peaks.get(n, 0))
            if turn == 0:
                with open(output, "rb") as out:
                    lines[n] = sum(block.count(b"\n") for block in iter(lambda: out.read(1 << 20), b""))
    size = os.path.getsize(path) / MB
    wc, ours = min(times["wc -l"]), min(times["urlsift list"])
    for n, _, _ in commands:
        best, middle = min(times[n]), statistics.median(times[n])
        print(f"| {name} | {n} | {size / best:.0f} | {size / middle:.0f} | {best / wc:.1f} | {best / ours:.2f} | {peaks[n] / 1024:.1f} | {lines[n]} |")
        sys.stdout.flush()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--size", type=int, default=300)
    options.add_argument("--quick", action="store_true")
    chosen = options.parse_args()
    rounds, size = (3, 100 * MB) if chosen.quick else (chosen.rounds, chosen.size * MB)
    commands = []
    for name, command, package in peers():
        if shutil.which(command[0]):
            commands.append((name, command, package))
        else:
            print(f"missing: {name} (package {package})")
    print("| corpus | command | MB/s best | median | x wc -l | x list | MB resident | lines |")
    print("|---|---|---|---|---|---|---|---|")
    for name, path in corpora(size):
        measure(name, path, commands, rounds)


if __name__ == "__main__":
    main()
