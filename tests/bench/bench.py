#!/usr/bin/env python3
"""Speed against the peers that are installed, in one run: each round runs every command once, in turn.

usage: bench.py [--quick] [--rounds N] [--size MB] [--only WORD,...] [--markdown] [--against URLSIFT]

Every command is given to run.c, which measures it: output goes to a file in memory, input lies in the page cache,
one processor (but for -j2 and the pipe). Corpora are made once in $BENCH_DIR (see corpora.py); BENCH_FILES="a b" adds
files, a name that ends in .mbox is a mailbox too. Slow peers get the beginning of a corpus.

Columns: MB/s of the best round and of the middle one; the best time a byte over that of `urlsift list`, `wc -l` and
`cat`; MB of memory at the peak; links found. Then the gates: the time over `wc -l` that `list` must keep to, and the like.
--only takes names of corpora and modes (start, packed). --markdown prints a table for the README instead.

--against compares with another urlsift only: each round (nine of them) runs every command with both, in turn. Columns:
the middle of the ratios, ours over theirs, of the time, then of the processor time, with the least and the greatest.
"""
import argparse
import copy
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import typing

import corpora
import measured

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
URLSIFT = os.path.abspath(os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift")))
MB = corpora.MB
GATES = {"docs": 2.6, "rfc": 2.0, "list": 2.8, "spam": 4.5, "urls": 15, "log": 6}
ROUNDS_AGAINST = 9
BASE, MAIL, GMIME = "urlsift list", "urlsift list --input=mbox", "GMime, decoding alone"


class Run(typing.NamedTuple):
    """Least and middle seconds, peak in KB, bytes put out, status, seconds of processor time."""
    least: float
    middle: float
    peak: int
    length: int
    status: int
    busy: float


class Result:
    """What the rounds of a command on a file came to."""

    def __init__(self, command, path):
        self.command, self.path, self.size = command, path, os.path.getsize(path)
        self.times, self.peak, self.links, self.status = [], 0, None, 0

    def best(self):
        """Seconds a MB."""
        return min(self.times) / (self.size / MB)

    def middle(self):
        return sorted(self.times)[len(self.times) // 2] / (self.size / MB)


class Bench:
    def __init__(self, folder):
        self.run = os.path.join(folder, "run")
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-O2", "-o", self.run, os.path.join(TOP, "tests", "bench", "run.c")], check=True)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else folder
        self.output = tempfile.NamedTemporaryFile(prefix="urlsift-bench-", dir=memory)
        self.cpu = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else -1

    def measure(self, command, path, times=1):
        """Runs the command, which gets the file as its last word or as its input."""
        line = [self.run, "-n", str(times)]
        line += ["-c", str(self.cpu)] if command.pinned else []
        line += ["-p", path] if command.pipe else ["-i", path] if command.stdin else []
        line += [os.devnull if command.discard else self.output.name, *command.line]
        line += [] if command.pipe or command.stdin else [path]
        done = subprocess.run(line, capture_output=True, text=True, check=True)
        least, middle, _, peak, length, status, busy = done.stdout.split()
        return Run(float(least), float(middle), int(peak) // (1024 if sys.platform == "darwin" else 1), int(length), int(status), float(busy))

    def links(self, length, json):
        """Links in what was put out: lines, or records."""
        with open(self.output.name, "rb") as out:
            return out.read(length).count(b'{"type":"link"' if json else b"\n")

    def round(self, results):
        for result in results:
            run = self.measure(result.command, result.path)
            result.status = run.status
            result.times.append(run.least)
            result.peak = max(result.peak, run.peak)
            if result.links is None and result.command.lines and not result.command.discard:
                result.links = self.links(run.length, "--json" in result.command.line)

    def corpus(self, name, path, kinds, commands, rounds):
        """The results of every command that reads one of these kinds, in rounds."""
        results = [Result(c, corpora.part(path, int(c.most * MB))) for c in commands if set(kinds) & set(c.kinds)]
        for _ in range(rounds):
            self.round(results)
        return results


def report(name, results, out=print):
    """The rows of a corpus."""
    of = {r.command.name: r for r in results}
    against = [of.get(BASE) or of.get(MAIL) or results[0], of.get("wc -l"), of.get("cat")]
    for r in results:
        ratios = "".join("%9s" % (short(r.best() / a.best()) if a else "-") for a in against)
        size = "" if r.size == max(x.size for x in results) else " (of %.1f MB)" % (r.size / MB)
        failed = " ENDED WITH %d" % r.status if r.status > 1 else ""
        label = r.command.name + size + failed
        out("%-8s %-46s %8s %8s%s %8.1f %10s" % (name, label, short(1 / r.best()), short(1 / r.middle()), ratios, r.peak / 1024, "" if r.links is None else r.links))
    sys.stdout.flush()


def short(number):
    return "%.0f" % number if number >= 100 else "%.1f" % number if number >= 10 else "%.2f" % number


def gates(all_results):
    """Time of `list` over that of `wc -l` and the like, where a gate stands."""
    rows = []
    for name, results in all_results.items():
        of = {r.command.name: r for r in results}
        if name in GATES and BASE in of and "wc -l" in of:
            ratio = of[BASE].best() / of["wc -l"].best()
            rows.append("%-9s list over wc -l   %6.2f  gate %-5g %s" % (name, ratio, GATES[name], "kept" if ratio <= GATES[name] else "MISSED"))
        if MAIL in of and GMIME in of:
            rows.append("%-9s GMime over ours    %6.1f  goal 10" % (name, of[GMIME].best() / of[MAIL].best()))
        if MAIL in of and MAIL + " -j2" in of:
            rows.append("%-9s one job over two   %6.2f  gate 1.7   %s" % (name, of[MAIL].best() / of[MAIL + " -j2"].best(), "on %d processors" % os.cpu_count()))
    if rows:
        print("\nGates, by the least times of this run")
        print("\n".join(rows))


def startup(bench, commands, times):
    """Seconds from start to end on one mail, every command in turn a few times over."""
    path = corpora.get("one", 20_000)
    chosen = [measured.Command("true", ["true"])] + [c for c in commands if "text" in c.kinds and not c.pipe and c.most > 1] + [
        measured.Command("urlsift list --input=mail", [URLSIFT, "list", "--input=mail"])]
    print("\n%-30s %12s %12s   (one mail of %d KB)" % ("start to end", "least ms", "middle ms", os.path.getsize(path) // 1000))
    for command in chosen:
        few = times if command.name.startswith(("urlsift", "true", "cat", "wc", "rg", "grep", "pcre")) else max(3, times // 20)
        run = bench.measure(command, path, few)
        print("%-30s %12.2f %12.2f" % (command.name, run.least * 1000, run.middle * 1000))
        sys.stdout.flush()


def against(bench, folder, other, plan, only):
    """Every command of ours beside the same one of another build.  Both are copied anew for each round: the pages of
    memory in which a copy happens to lie make it up to 13% slower or faster, so that one copy is one throw."""
    pair = {build: os.path.join(folder, name) for name, build in (("other", other), ("this", URLSIFT))}
    rows = [(name, c, path, 1) for name, path, kinds in plan for c in measured.all_commands(URLSIFT, corpora.FOLDER)
            if URLSIFT in c.line and set(kinds) & set(c.kinds)]
    if not only or "start" in only:
        rows += [("start", measured.Command("urlsift " + mode, [URLSIFT, *mode.split()]), corpora.get("one", 20_000), 50)
                 for mode in ("list --input=text", "list --input=mail", "html --input=mail")]
    print("%-10s %-36s %8s %8s %8s %8s" % ("corpus", "command", "time", "busy", "least", "greatest"))
    for name, command, path, times in rows:
        both = [copy.copy(command), copy.copy(command)]
        for one, build in zip(both, (URLSIFT, other)):
            one.line = [pair[build] if word == URLSIFT else word for word in command.line]
        time, busy = [], []
        for _ in range(ROUNDS_AGAINST):
            for build, to in pair.items():
                shutil.copy(build, to + ".new")
                os.replace(to + ".new", to)
            ours, theirs = (bench.measure(c, path, times) for c in both)
            time.append(ours.middle / theirs.middle)
            busy.append(ours.busy / theirs.busy)
        print("%-10s %-36s %8.3f %8.3f %8.3f %8.3f" % (name, command.name, statistics.median(time), statistics.median(busy), min(busy), max(busy)))
        sys.stdout.flush()


def packed(bench, size, rounds):
    """MB of decompressed mail a second on one processor: compressed files, pipes from their programs, these alone."""
    path = corpora.get("list", size)
    read = [URLSIFT, "list", "--input=mbox"]
    for program, level in (("gzip", "-6"), ("zstd", "-3"), ("zstd", "-19"), ("xz", "-6"), ("bzip2", "-9")):
        if not shutil.which(program):
            print("missing: %s" % program)
            continue
        name = "%s.%s%s" % (path, program, level)
        if not os.path.exists(name):
            with open(name + ".part", "wb") as file:
                subprocess.run([program, level, "-c", path], stdout=file, check=True)
            os.rename(name + ".part", name)
        results = [Result(measured.Command("urlsift list FILE", read), name),
                   Result(measured.Command("%s -dc | urlsift list" % program, ["sh", "-c", '%s -dc "$1" | "$0" list --input=mbox' % program, URLSIFT]), name),
                   Result(measured.Command("%s -dc" % program, [program, "-dc"], discard=True), name)]
        for _ in range(rounds):
            bench.round(results)
        for r in results:
            r.size = os.path.getsize(path)
        report(program + level, results)


def markdown(all_results):
    """Commands down, corpora across: MB/s of the best round, and how much longer it takes than `urlsift list`."""
    names = list(dict.fromkeys(r.command.name for results in all_results.values() for r in results))
    print("| MB/s (times `list`) | " + " | ".join(all_results) + " | MB resident |")
    print("|---" * (len(all_results) + 2) + "|")
    for name in names:
        cells, peak = [], 0
        for results in all_results.values():
            of = {r.command.name: r for r in results}
            base = of.get(BASE) or of.get(MAIL) or results[0]
            r = of.get(name)
            peak = max(peak, r.peak if r else 0)
            cells.append("%s (%s)" % (short(1 / r.best()), "%.2g" % (r.best() / base.best())) if r else "-")
        print("| `%s` | %s | %.0f |" % (name, " | ".join(cells), peak / 1024))


def inputs(size, mail_size, only):
    """(name, path, kinds of commands), made when they are not there."""
    plan = [(name, name, size, ["text"]) for name in ("docs", "rfc", "list", "spam")] + [("urls", "urls", size, ["text", "urls"]), ("log", "log", size, ["text"]),
            ("koi8-r", "koi8-r", size // 2, ["koi8-r"]), ("list.mbox", "list", mail_size, ["mbox"]), ("spam.mbox", "spam", mail_size, ["mbox"])]
    for name, corpus, length, kinds in plan:
        if not only or name in only:
            yield name, corpora.get(corpus, length), kinds
    for path in os.environ.get("BENCH_FILES", "").split():
        name = os.path.basename(path)
        if not only or name in only:
            yield name, path, ["text"]
            if path.endswith(".mbox"):
                yield name + " as mail", path, ["mbox"]


def available(folder):
    """The commands that are there; says which are not, and how to have them."""
    commands = []
    for command in measured.all_commands(URLSIFT, folder):
        if not command.is_there():
            print("missing: %s (%s)" % (command.name, command.get))
        elif "mbox" in command.kinds and command.name.startswith("urlsift") and not reads_mail():
            print("left out: %s (this build reads no mailboxes)" % command.name)
        else:
            commands.append(command)
    return commands


def reads_mail():
    return subprocess.run([URLSIFT, "list", "--input=mbox", os.devnull], capture_output=True, check=False).returncode == 0


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--rounds", type=int, default=0)
    options.add_argument("--size", type=int, default=0)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--only", default="")
    options.add_argument("--markdown", action="store_true")
    options.add_argument("--against", default="")
    chosen = options.parse_args()
    rounds = chosen.rounds or (3 if chosen.quick else 5)
    size = (chosen.size or (60 if chosen.quick else 300)) * MB
    only = chosen.only.split(",") if chosen.only else []
    os.makedirs(corpora.FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        if chosen.against:
            against(bench, folder, os.path.abspath(chosen.against), inputs(size, size, only), only)
            return
        commands = available(corpora.FOLDER)
        if chosen.quick:
            for command in commands:
                command.most = min(command.most, 10) / 5 if command.most <= 100 else command.most
        if not chosen.markdown:
            print("%-8s %-46s %8s %8s %8s %8s %8s %8s %10s" % ("corpus", "command", "MB/s", "middle", "x list", "x wc", "x cat", "MB", "links"))
        everything = {}
        for name, path, kinds in inputs(size, size, only):
            everything[name] = bench.corpus(name, path, kinds, commands, rounds)
            if not chosen.markdown:
                report(name, everything[name])
        if chosen.markdown:
            markdown(everything)
        if not chosen.markdown and (not only or "packed" in only):
            packed(bench, min(size, 100 * MB), rounds)
        gates(everything)
        if not only or "start" in only:
            startup(bench, commands, 20 if chosen.quick else 100)


if __name__ == "__main__":
    main()
