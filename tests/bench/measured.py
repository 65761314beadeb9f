"""The commands that are measured: ours, and what else finds links on this machine."""
import os
import shutil
import subprocess

SIMPLE = r'(https?|ftp)://[^\s<>"]+'
POSIX = "(https?|ftp)://[^[:space:]<>\"]+"
WIDE = r'(?i)(?:(?:https?|ftp|gopher|telnet|news|nntp|irc|ssh|git)://|www\.)[^\s<>"]+'
RG = ["rg", "-j1", "-aoN", "--no-filename", "--no-unicode"]
URI_FIND = 'local $/; $_ = <>; URI::Find->new(sub { print "$_[1]\\n"; $_[1] })->find(\\$_)'
LINKIFY = 'const l = require("linkify-it"), m = (l.linkifyit || l.default || l)();'
LINKIFY_IT = LINKIFY + """const found = m.match(require("fs").readFileSync(process.argv[1], "utf8")) || [];
process.stdout.write(found.map(x => x.url + "\\n").join(""));"""


class Command:
    """`line` takes the file as its last word.  `most` is the MB that it is given at most; `kinds` what it reads: text, mbox ...;
    `get` says how to have it; `lines` whether a line of output is a link; `pipe` and `stdin` that the file comes so."""

    def __init__(self, name, line, kinds="text", most=10**6, get="", lines=True, discard=False, pinned=True, pipe=False, stdin=False,
                 is_there=None):
        self.name, self.line, self.kinds, self.most, self.get = name, line, kinds.split(), most, get
        self.lines, self.discard, self.pinned, self.pipe, self.stdin = lines, discard, pinned, pipe, stdin
        self.is_there = is_there or (lambda: bool(shutil.which(line[0])))


def runs(*line):
    """A test that a command ends well."""
    return lambda: bool(shutil.which(line[0])) and subprocess.run(line, capture_output=True, check=False).returncode == 0


def gmime(folder, compiler="cc"):
    """The driver of GMime, built; None without it."""
    program = os.path.join(folder, "gmime")
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "oracle", "gmime.c")
    if not shutil.which("pkg-config"):
        return None
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gmime-3.0"], capture_output=True, text=True, check=False)
    if flags.returncode or subprocess.run([compiler, "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", "-o", program, source, *flags.stdout.split()],
                                          capture_output=True, check=False).returncode:
        return None
    return program


def all_commands(urlsift, folder):
    """In the order they are shown."""
    def ours(name, *more, said="", **others):
        return Command("urlsift " + name + said, [urlsift, *name.split(), *more], is_there=lambda: True, **others)

    modules = os.path.join(folder, "node_modules")
    os.environ.setdefault("NODE_PATH", modules)
    mail = gmime(folder)
    node = ["node", "-e", LINKIFY_IT]
    return [
        Command("cat", ["cat"], "text mbox koi8-r", discard=True),
        Command("wc -l", ["wc", "-l"], "text mbox koi8-r urls", discard=True),
        ours("list", "--input=text"),
        Command("urlsift list, by a pipe", [urlsift, "list", "--input=text"], pipe=True, pinned=False, is_there=lambda: True),
        ours("list", "--input=text", discard=True, said=", thrown away"),
        ours("list -j2", "--input=text", pinned=False),
        ours("list --json", "--input=text"),
        ours("list --json", "--input=text", discard=True, said=", thrown away"),
        ours("list --json -j2", "--input=text", pinned=False),
        ours("html", "--input=text", lines=False),
        ours("html", "--input=text", lines=False, discard=True, said=", thrown away"),
        ours("html -j2", "--input=text", pinned=False, lines=False),
        ours("list --charset=koi8-r", "--input=text", kinds="koi8-r"),
        ours("list --input=mbox", "-j1", kinds="mbox"),
        ours("list --input=mbox -j2", kinds="mbox", pinned=False),
        ours("list --input=mbox --json", "-j1", kinds="mbox"),
        ours("html --input=mbox", "-j1", kinds="mbox", lines=False),
        ours("normalise", kinds="urls", stdin=True),
        Command("rg, simple", [*RG, SIMPLE], get="apt install ripgrep"),
        Command("rg, simple, thrown away", [*RG, SIMPLE], discard=True, get="apt install ripgrep"),
        Command("rg, wide", [*RG, WIDE], get="apt install ripgrep"),
        Command("pcre2grep, simple", ["pcre2grep", "-ao", SIMPLE], get="apt install pcre2-utils"),
        Command("pcre2grep, wide", ["pcre2grep", "-ao", WIDE], most=10, get="apt install pcre2-utils"),
        Command("ugrep, wide", ["ugrep", "-aoP", WIDE], most=10, get="apt install ugrep"),
        Command("grep -oE, simple", ["grep", "-aoE", POSIX], most=4, get="apt install grep"),
        Command("md2html", ["md2html", "--fpermissive-autolinks"], most=4, lines=False, get="https://github.com/mity/md4c, cmake"),
        Command("cmark-gfm", ["cmark-gfm", "-e", "autolink"], most=4, lines=False, get="apt install cmark-gfm"),
        Command("linkify-it", node, most=4, get="npm install --prefix %s linkify-it" % folder,
                is_there=runs("node", "-e", LINKIFY)),
        Command("URI::Find", ["perl", "-MURI::Find", "-e", URI_FIND], most=2, get="apt install liburi-find-perl", is_there=runs("perl", "-MURI::Find", "-e", "1")),
        Command("urlscan", ["urlscan", "-n", "-d"], most=0.4, get="apt install urlscan"),
        Command("txt2html", ["txt2html"], most=0.1, lines=False, get="apt install txt2html"),
        Command("GMime, decoding alone", [mail, "bench"], "mbox", lines=False, get="apt install libgmime-3.0-dev", is_there=lambda: bool(mail)),
        Command("iconv", ["iconv", "-f", "koi8-r", "-t", "utf-8"], "koi8-r", lines=False, get="apt install libc-bin"),
    ]
