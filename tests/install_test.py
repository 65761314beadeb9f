#!/usr/bin/env python3
"""What is built and installed: the names the library exports, an installed tree
that a program builds against by pkg-config, the manual pages, uninstalling.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from testlib import HANG, LONG, TOP, check, finish, has, skip

MAKE = os.environ.get("MAKE", "make")
CC = os.environ.get("CC", "cc")
DARWIN = sys.platform == "darwin"
SO = "liburlsift.dylib" if DARWIN else "liburlsift.so"

PROGRAM = r"""
#include <urlsift.h>
#include <stdio.h>

static int piece(void *user, const urlsift_piece *p)
{
	if (p->link) {
		size_t n;
		const char *text = urlsift_link_text(p->link, &n);
		printf("%.*s\n", (int)n, text);
		++*(int *)user;
	}
	return 0;
}

/* The library has a name like this inside. */
int buf_init(void);
int buf_init(void) { return 0; }

int main(void)
{
	static const char text[] = "see http://a.example/x or <URL:ftp://b.example/>\n";
	int links = 0;
	urlsift_sink sink = { piece, NULL, &links };
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_status status = urlsift_scan(context, NULL, &sink, text, sizeof text - 1);
	urlsift_context_free(context);
	printf("%s %d\n", urlsift_version(), links);
	return status != URLSIFT_OK;
}
"""


def run(*args, **more):
    done = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=HANG,
                          **more)
    return done.returncode, done.stdout.decode()


def version():
    header = open(os.path.join(TOP, "include", "urlsift.h")).read()
    return ".".join(re.findall(r"#define URLSIFT_VERSION_\w+ (\d+)", header))


def declared():
    header = "".join(open(path).read() for path in glob.glob(os.path.join(TOP, "include", "*.h")))
    return sorted(set(re.findall(r"URLSIFT_API [^;]*?\b(urlsift_\w+)\(", header)))


def test_exports(library):
    args = ["-gU"] if DARWIN else ["-D", "--defined-only"]
    status, text = run("nm", *args, library)
    check("nm", status, 0)
    names = sorted(line.split()[-1].removeprefix("_" if DARWIN else "") for line in text.splitlines() if line)
    version = "" if DARWIN else "@@LIBURLSIFT_1"
    check("the library exports what its header declares and nothing else", [name for name in names if name != version[2:]],
          [name + version for name in declared()])
    check("there are not too many functions", len(declared()) <= 100)
    with open(os.path.join(TOP, "contrib", "packaging", "debian", "liburlsift1.symbols")) as file:
        check("the symbols of the Debian package", re.findall(r"(?m)^ (urlsift_\w+)@LIBURLSIFT_1 ", file.read()), declared())


def test_values():
    """Enumerators have explicit values, which a new one cannot move."""
    header = "".join(open(path).read() for path in glob.glob(os.path.join(TOP, "include", "*.h")))
    for body in re.findall(r"enum \w* ?\{(.*?)\}", re.sub(r"(?s)/\*.*?\*/", "", header), re.S):
        names = [item.strip() for item in body.split(",") if item.strip()]
        check(f"the values from {names[0]} on", [name for name in names if "=" not in name], [])


def test_static_names(archive):
    """Only names with the prefix leave the static library: a program may have a buf_init of its own."""
    status, text = run("nm", "-g", "--defined-only", archive)
    names = [line.split()[-1].removeprefix("_" if DARWIN else "") for line in text.splitlines() if len(line.split()) == 3]
    check("nm of the archive", (status, bool(names)), (0, True))
    check("the static library has no other global names", [name for name in names if not name.startswith("urlsift_")], [])


def clean_environment():
    return {key: value for key, value in os.environ.items() if not key.startswith("MAKE") and key != "MFLAGS"}


def links_statically(folder, *more):
    """Whether the libraries underneath can be linked statically at all."""
    source = os.path.join(folder, "nothing.c")
    with open(source, "w") as file:
        file.write("int main(void) { return 0; }\n")
    flags = run("pkg-config", "--static", "--libs", "libpcre2-8", *(["libpsl"] if has("with libpsl") else []), "libidn2", *more)[1].split()
    return run(*CC.split(), "-static", "-o", source[:-2], source, *flags)[0] == 0


def test_program(folder, root, prefix):
    """root is what was given as DESTDIR; pkg-config puts it before the paths."""
    source = os.path.join(folder, "program.c")
    with open(source, "w") as file:
        file.write(PROGRAM)
    library = root + prefix + "/lib"
    env = {**os.environ, "PKG_CONFIG_PATH": library + "/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": root,
           "LD_LIBRARY_PATH": library, "DYLD_LIBRARY_PATH": library}
    check("pkg-config --modversion", run("pkg-config", "--modversion", "urlsift", env=env), (0, version() + "\n"))
    wanted = (0, f"http://a.example/x\nftp://b.example/\n{version()} 2\n")
    for kind in ("shared", "static"):
        if kind == "static" and not links_statically(folder):
            skip("linking statically", "the static libraries of PCRE2 or libidn2 are incomplete here")
            continue
        status, flags = run("pkg-config", "--cflags", "--libs", *(["--static"] if kind == "static" else []), "urlsift", env=env)
        check(f"pkg-config, {kind}", status, 0)
        flags = flags.split()
        if kind == "static":
            flags = ["-static", *flags]
        program = os.path.join(folder, kind)
        check(f"a program builds, {kind}", run(*CC.split(), "-o", program, source, *flags), (0, ""))
        check(f"the program runs, {kind}", run(program, env=env), wanted)
    cxx = shutil.which("c++")
    if cxx:
        check("the header in C++", run(cxx, "-x", "c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                       root + prefix + "/include/urlsift-render.h"), (0, ""))


def files_below(root):
    return [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names if name != "__pycache__"
            and "__pycache__" not in folder]


def files_in(root):
    return sorted(os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names)


def folders_in(root):
    return sorted(os.path.relpath(folder, root) for folder, _, _ in os.walk(root))


def test_install(folder):
    root, prefix = os.path.join(folder, "root"), "/opt/urlsift"
    args = [MAKE, "-C", TOP, "--no-print-directory", f"DESTDIR={root}", f"PREFIX={prefix}"]
    env = clean_environment()
    status, text = run(*args, "install", env=env)
    check("make install", (status, "" if status == 0 else text), (0, ""))
    v = version()
    major = v.split(".")[0]
    names = [SO, f"liburlsift.{major}.dylib", f"liburlsift.{v}.dylib"] if DARWIN else [SO, f"{SO}.{major}", f"{SO}.{v}"]
    tree = ["include", "contrib", "man"]
    sources = [os.path.relpath(path, TOP) for part in tree for path in files_below(os.path.join(TOP, part))]
    sources = [name for name in sources if not name.startswith(("contrib/packaging/", "contrib/oss-fuzz/", "contrib/python/"))]
    python = run(os.environ.get("PYTHON", "python3"), "-c", "import sys; print('python%d.%d' % sys.version_info[:2])")[1].strip()
    wanted = ["bin/urlsift", "lib/liburlsift.a", *(f"lib/{name}" for name in names), "lib/pkgconfig/urlsift.pc",
              "share/bash-completion/completions/urlsift", "share/zsh/site-functions/_urlsift",
              "share/fish/vendor_completions.d/urlsift.fish",
              *(f"lib/{python}/site-packages/urlsift/{name}" for name in ("__init__.py", "py.typed")),
              *(re.sub(r"^contrib/", "share/urlsift/", re.sub(r"^man/(.*\.)(\d)$", r"share/man/man\2/\1\2", name))
                for name in sources)]
    check("what is installed", files_in(root + prefix), sorted(wanted))
    said = [name for name in files_in(root + prefix) if name.startswith("share/")
            and b"/usr/local/share/urlsift" in open(os.path.join(root + prefix, name), "rb").read()]
    check("no file names a folder in which nothing was installed", said, [])
    status, said = run(root + prefix + "/bin/urlsift", "--version")
    check("the command", (status, said.split("\n")[0]), (0, f"urlsift {v}"))
    test_exports(root + prefix + "/lib/" + SO)
    test_static_names(root + prefix + "/lib/liburlsift.a")
    if shutil.which("pkg-config"):
        test_program(folder, root, prefix)
    before = os.path.getsize(root + prefix + "/lib/liburlsift.a")
    check("make install-strip", run(*args, "install-strip", env=env)[0], 0)
    status, said = run("nm", root + prefix + "/bin/urlsift")
    check("the command has no symbols", "no symbols" in said or not said.strip())
    test_static_names(root + prefix + "/lib/liburlsift.a")
    check("the static library is smaller", os.path.getsize(root + prefix + "/lib/liburlsift.a") < before)
    if shutil.which("pkg-config"):
        test_program(folder, root, prefix)
    status, text = run(*args, "uninstall", env=env)
    check("make uninstall", (status, os.path.exists(root + prefix), files_in(root)), (0, False, []))


def test_uninstall(folder):
    """Folders that a system may have without urlsift stay, empty or not."""
    root = os.path.join(folder, "system")
    for name in ("bin", "include", "lib", "share/man/man1", "share/zsh/site-functions", "lib/pkgconfig"):
        os.makedirs(f"{root}/usr/local/{name}")
    with open(root + "/usr/local/share/zsh/site-functions/_other", "w"):
        pass
    before = folders_in(root)
    for target in ("install", "uninstall"):
        check(f"make {target}", run(MAKE, "-C", TOP, f"DESTDIR={root}", "PREFIX=/usr/local", target, env=clean_environment())[0], 0)
    after = folders_in(root)
    check("the folders after make uninstall", [name for name in before if name not in after], [])
    check("none of them is ours", [name for name in after if "urlsift" in name], [])
    check("the files after make uninstall", files_in(root), ["usr/local/share/zsh/site-functions/_other"])
    for odd in ("PREFIX=/opt/a b", "DESTDIR=/tmp/a b"):
        status, said = run(MAKE, "-n", "-C", TOP, odd, "uninstall", env=clean_environment())
        check(f"{odd}: nothing is removed", status != 0 and "must not contain blanks" in str(said), True)


def test_deb():
    for lacks in "DPKG_BUILDPACKAGE=/no/such", "DH=/no/such":
        done = run(MAKE, "-C", TOP, "deb", lacks, "DPKG_BUILDPACKAGE=true", *[lacks] * lacks.startswith("DPKG"), env=clean_environment())
        check(f"make deb names its packages: {lacks}", [done[0] != 0, *(word in done[1].split() for word in
              ("dpkg-dev", "debhelper", "dh-python", "libpcre2-dev", "pkgconf", "python3"))], [True] * 7)
    with tempfile.TemporaryDirectory() as folder:
        done = run(MAKE, "-C", folder, "-f", os.path.join(TOP, "Makefile"), "dist", env=clean_environment())
        check("make dist without a repository", (done[0] != 0, "needs the git repository" in done[1]), (True, True))


def test_static(folder):
    """The static command of the Makefile's first comment."""
    if not LONG:
        return
    if not links_statically(folder, "zlib", "sqlite3"):
        skip("the static command", "static libraries are missing here")
        return
    tree = os.path.join(folder, "static-tree")
    shutil.copytree(TOP, tree, ignore=shutil.ignore_patterns("build", ".git"))
    check("the static command builds", run(MAKE, "-C", tree, "LDFLAGS=-static", "SQLITE=link", "WITHOUT_ARCHIVE=1", "CFLAGS=-O1",
                                           env=clean_environment())[0], 0)
    command, database = os.path.join(tree, "build", "urlsift"), os.path.join(folder, "static.db")
    text = os.path.join(TOP, "testdata", "sample.txt")
    if shutil.which("readelf"):
        check("it needs no library", "NEEDED" not in run("readelf", "-d", command)[1])
    check("it lists links", run(command, text), run(os.path.join(TOP, "build", "urlsift"), text))
    check("it has SQLite", (run(command, "index", database, text)[0], len(run(command, "query", database, "hosts")[1]) > 0), (0, True))


def test_manual():
    pages = glob.glob(os.path.join(TOP, "man", "*.[1357]"))
    text = "".join(open(page).read() for page in pages if page.endswith(".3"))
    check("the manual documents every function", [name for name in declared() if f".Fn {name}" not in text
                                                 and f".Fo {name}" not in text], [])
    status, page = run(os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift")), "--help")
    options = re.findall(r"(?m)^ {2}(?: {4}|-., )--([a-z0-9-]+)", page)
    manual = open(os.path.join(TOP, "man", "urlsift.1")).read()
    check("urlsift.1 documents every option",
          [name for name in options if not re.search(rf"^\.It .*Fl .*-{name}(?![\w-])", manual, re.M)], [])


def test_hardening(command):
    """What the compiler and the linker were asked for is in the command."""
    if DARWIN or not shutil.which("readelf"):
        skip("hardening", "no readelf")
        return
    head, dynamic, symbols = (run("readelf", "-W", flag, command)[1] for flag in ("-hl", "-d", "--dyn-syms"))
    check("position independent", bool(re.search(r"Type:\s+DYN", head)), True)
    check("read-only relocations", "GNU_RELRO" in head, True)
    check("bound at the start", bool(re.search(r"BIND_NOW|\bNOW\b", dynamic)), True)
    check("no executable stack", bool(re.search(r"GNU_STACK.* RW ", head)), True)
    check("stack protector", "__stack_chk_fail" in symbols, True)
    if "gnu" in run(*CC.split(), "-dumpmachine")[1]:
        check("FORTIFY", bool(re.search(r"__\w+_chk@", symbols)), True)


def test_reproducible(folder):
    """Two builds in two folders give the same bytes."""
    if not LONG:
        return
    trees = [os.path.join(folder, name) for name in ("one", "two")]
    env = clean_environment()
    for tree in trees:
        shutil.copytree(TOP, tree, ignore=shutil.ignore_patterns("build", ".git"))
        check("a copy builds", run(MAKE, "-C", tree, env=env)[0], 0)
    for name in ("urlsift", "liburlsift.a", SO):
        built = [open(os.path.join(tree, "build", name), "rb").read() for tree in trees]
        check(f"two builds of {name}", built[0] == built[1], True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        test_install(folder)
        test_uninstall(folder)
        test_static(folder)
        test_reproducible(folder)
    test_values()
    test_hardening(os.path.join(TOP, "build", "urlsift"))
    test_deb()
    test_manual()
    finish()


main()
