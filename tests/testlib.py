"""What the Python tests share: the command under test, running it, and counting cases.

The command is $URLSIFT, or build/urlsift.  A test ends with finish(), which prints the line that tests/run reads.
"""
import collections
import contextlib
import difflib
import fcntl
import functools
import glob
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(TOP, "testdata")
URLSIFT = os.path.abspath(os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift")))
SANITIZED = not {"asan", "msan", "tsan"}.isdisjoint(os.path.relpath(URLSIFT, TOP).split(os.sep))
LONG = bool(os.environ.get("URLSIFT_LONG"))  # one of `make check-long`
FAST = bool(os.environ.get("URLSIFT_FAST"))  # one of `make check-fast`, which runs the programs that name FAST
NIGHT = os.environ.get("URLSIFT_LONG") == "night"  # one of `make check-night`: hours
SEED = int(os.environ.get("URLSIFT_SEED", "0"))  # another number gives seeded() other values: edits, kills
# Seconds until a command counts as blocked.  Tests measure and limit processor time; a busy machine is never a failure.
HANG = 3600
PAGE = os.sysconf("SC_PAGESIZE")

Done = collections.namedtuple("Done", "returncode stdout stderr")
_cases = {}


def expect(what, good, seen="", at=""):
    """Checks the case `what`, and reports a failure with what was seen.  Checks of one name count as one case; `at` says
    where a loop over them is.  With URLSIFT_STOP in the environment the program ends there."""
    _cases[what] = bool(good) and _cases.get(what, True)
    if not good:
        print(f"FAILED {what}" + (f", {at}" if at else "") + (f"\n  {seen}" if seen else ""), flush=True)
        if os.environ.get("URLSIFT_STOP"):
            os._exit(1)


def check(what, got, wanted=True, at=""):
    """Compares.  A difference of texts of several lines, or of lists, is shown as a diff."""
    if got == wanted:
        expect(what, True)
        return
    seen = f"got    {got!r:.1000}\n  wanted {wanted!r:.1000}"
    if isinstance(got, list) and isinstance(wanted, list):
        got, wanted = ("".join(f"{item!r:.300}\n" for item in items) for items in (got, wanted))
    if isinstance(got, (str, bytes)) and type(got) is type(wanted) and len(got.splitlines()) > 1:
        got, wanted = (text.decode(errors="backslashreplace") if isinstance(text, bytes) else text for text in (got, wanted))
        seen = "\n  ".join(difflib.unified_diff(wanted.splitlines(), got.splitlines(), "wanted", "got", lineterm=""))
    expect(what, False, seen, at)


def complaints(what, found):
    """Checks the case whose complaints are `found`: it passed if there are none."""
    found = list(map(str, found))
    expect(what, not found, "\n  ".join(complaint[:2000] for complaint in found[:10]))


def seeded(number):
    return random.Random(number + 1000 * SEED)


def skip(what, why):
    print(f"skipped: {what}: {why}", flush=True)


def finish():
    failed = sum(not good for good in _cases.values())
    print(f"{len(_cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def blocked(*_):
    raise TimeoutError(f"a command is not done after {HANG} seconds")


signal.signal(signal.SIGALRM, blocked)


@contextlib.contextmanager
def guarded():
    """Ends what counts as blocked.  With a `timeout`, subprocess would sleep before it looks for the end of a process."""
    signal.alarm(HANG)
    try:
        yield
    finally:
        signal.alarm(0)


def run_captured(command, **more):
    """A run of any program, with its output."""
    with guarded():
        return subprocess.run(command, capture_output=True, **more)


def run(*args, text=b"", env=None, **more):
    """A run of the command; messages are str.  `env` is added to the environment."""
    if "stdin" not in more:
        more["input"] = text.encode() if isinstance(text, str) else text
    done = run_captured([URLSIFT, *(arg if isinstance(arg, bytes) else str(arg) for arg in args)],
                        env={**os.environ, **env} if env else None, **more)
    done = Done(done.returncode, done.stdout, done.stderr.decode(errors="replace"))
    if is_silent(args, done):
        expect(f"a line on standard error with status {done.returncode}", False, str(args))
    return done


def is_silent(args, done):
    """Whether the run failed without a word, where it may not."""
    may = {"-q", "--quiet", "--fail-if-none"}
    return done.returncode > 0 and not done.stderr and may.isdisjoint(map(str, args))


def json_lines(lines):
    """What lines of JSON say, read at once: one by one takes twice as long."""
    return json.loads(b"[" + b",".join(lines.splitlines()) + b"]")


def run_text(*args, **more):
    """The same with the output as str."""
    done = run(*args, **more)
    return done._replace(stdout=done.stdout.decode(errors="replace"))


def small_reads(packets):
    """A pipe from which each read gets what one write wrote, where the system can do that; and how many fit in."""
    try:
        source, sink = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)
    except (AttributeError, OSError):
        return *os.pipe(), 0
    try:
        return source, sink, fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, min(packets, 256) * PAGE) // PAGE
    except (AttributeError, OSError):
        return source, sink, 0


def run_pieces(*args, data, size=1, env=None):
    """A run with standard input from a pipe, from which each read gets `size` bytes where the system can do that."""
    pieces = [data[at:at + size] for at in range(0, len(data), size)]
    source, sink, ready = small_reads(len(pieces))

    def feed():
        with contextlib.suppress(BrokenPipeError):
            for piece in pieces:
                os.write(sink, piece)
        os.close(sink)

    writer = threading.Thread(target=feed) if size > PAGE or len(pieces) > ready else None
    if not writer:
        feed()
    with subprocess.Popen([URLSIFT, *args], stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **env} if env else None) as process, guarded():
        os.close(source)
        if writer:
            writer.start()
        out, error = process.communicate()
        if writer:
            writer.join()
    return Done(process.returncode, out, error.decode(errors="replace"))


def run_bytes(*args, inputs):
    """One run whose inputs are pipes, each read byte by byte where the system can do that."""
    pipes = [small_reads(len(data))[:2] for data in inputs]

    def feed():
        for (_, sink), data in zip(pipes, inputs):
            with contextlib.suppress(BrokenPipeError):
                for at in range(len(data)):
                    os.write(sink, data[at:at + 1])
            os.close(sink)

    sources = [source for source, _ in pipes]
    with subprocess.Popen([URLSIFT, *args, *(f"/dev/fd/{source}" for source in sources)], pass_fds=sources,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process, guarded():
        for source in sources:
            os.close(source)
        writer = threading.Thread(target=feed)
        writer.start()
        out, error = process.communicate()
        writer.join()
    return Done(process.returncode, out, error.decode(errors="replace"))


def no_terminal():
    """Why no pseudo-terminal can be opened, as without /dev/pts; None if one can."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as error:
        return str(error)
    return None


@functools.cache
def version():
    return run_text("--version").stdout


def has(feature):
    """Whether --version names a feature of the build, such as `with SQLite`."""
    return feature in version()


@contextlib.contextmanager
def temporary_folder(parent=None):
    """A temporary folder that is the working directory."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(TOP)


def write(path, data):
    """Writes a file, with the folders that it needs; returns its name."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def fast_scripts():
    """The paths of the scripts that make check-fast runs."""
    return [path for path in sorted(glob.glob(os.path.join(TOP, "tests", "*_test.py"))) if re.search(rb"\bFAST\b", read(path))]


def sql(database, statement):
    import sqlite3  # not in every Python
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute(statement).fetchall()


def image(database):
    """The SHA-256 of the database without its history."""
    copy = database + ".copy"
    sql(database, f"VACUUM INTO '{copy}'")
    digest = hashlib.sha256(read(copy)).hexdigest()
    os.remove(copy)
    return digest


def write_inbox(mail):
    """Writes a public-inbox of one message, inbox/git/0.git, and the clone that it was committed in, work."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]
    write("work/m", mail)
    for command in (["init", "-q", "work"], ["-C", "work", "add", "m"], ["-C", "work", "commit", "-q", "-m", "1"],
                    ["clone", "-q", "--bare", "work", "inbox/git/0.git"]):
        subprocess.run(git + command, check=True, capture_output=True)


def preload(source, folder):
    """The shared object of a C file of tests/ for LD_PRELOAD, beside the command, where other programs find it, or in the
    folder; None where that does not work."""
    beside, source = os.path.dirname(URLSIFT), os.path.join(TOP, "tests", source)
    shim = os.path.join(beside if os.access(beside, os.W_OK) else folder, os.path.basename(source) + ".so")
    if sys.platform != "linux" or SANITIZED:
        return None
    if not os.path.exists(shim) or os.path.getmtime(shim) < os.path.getmtime(source):
        made = f"{shim}.{os.getpid()}"
        compiled = subprocess.run([*os.environ.get("CC", "cc").split(), "-O1", "-shared", "-fPIC", "-o", made, source, "-ldl"],
                                  capture_output=True)
        if compiled.returncode:
            return None
        os.replace(made, shim)
    return shim
