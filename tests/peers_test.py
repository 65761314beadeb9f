#!/usr/bin/env python3
"""What other programs say of the same texts: linkify-it, autolinker and URI::Find, and browsers.

usage: peers_test.py [--write] [FILE...]

  programs   tests/oracle/peers.py counts, by class, where their links in the texts of testdata/cases differ from ours.
             The counts of testdata/peers.json may not grow: a new difference is looked at, and is either a fault, or is
             written with --write, as are those of new texts.
  hosts      of each link with a scheme of the web in a FILE, by default every text of testdata, the `host` must be that
             of new URL(url) in Node, or a warning or flag say why it is not; without libidn2 hosts beyond ASCII are not
             compared. Every href of a page of random hosts and ports is one that new URL takes: a link that it refuses
             has the warning `unusable` and no href; one of ordinary form has an href. If FILE ends in .jsonl, the texts
             are the values of `input`, or in base64 of `input_b64`.
"""
import base64
import glob
import html
import ipaddress
import json
import os
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))
import peers
from testlib import DATA, HANG, LONG, TOP, URLSIFT, check, complaints, expect, finish, has, read, skip


# ---- Other programs ----

COUNTS = os.path.join(DATA, "peers.json")
PROGRAMS = ("linkify-it", "autolinker", "URI::Find")


def test_peers():
    js = os.path.join(TOP, "js")
    if os.path.isdir(os.path.join(js, "node_modules")):
        os.chdir(js)
    known = {}
    write = "--write" in sys.argv
    if not write:
        with open(COUNTS, encoding="ascii") as file:
            known = json.load(file)
    texts = sorted(glob.glob(os.path.join(DATA, "cases", "*.txt")))
    texts = [path for path in texts if write or os.path.basename(path) in known["texts"]]
    _, counts, places = peers.compare(texts)
    found = {program: {} for program in counts}
    for (program, what), where in places.items():
        for path, text, our, their in where:
            found[program].setdefault(f"{os.path.basename(path)}: {what}", []).append(
                f"{our and text[slice(*our)]!r}, {their and text[slice(*their)]!r}")
    if write:
        missing = [program for program in PROGRAMS if program not in counts]
        if missing:
            sys.exit(f"peers_test: not installed: {', '.join(missing)}; {COUNTS} is left as it is")
        known = {program: {what: len(where) for what, where in rows.items()} for program, rows in found.items()}
        known["texts"] = [os.path.basename(path) for path in texts]
        with open(COUNTS, "w", encoding="ascii") as file:
            json.dump(known, file, indent=1, sort_keys=True)
            file.write("\n")
        return
    for program in PROGRAMS:
        if program not in counts:
            skip(program, "is not installed")
            continue
        grown = {what: where for what, where in found[program].items() if len(where) > known[program].get(what, 0)}
        expect(f"{program}: no difference is new", not grown, json.dumps(grown, indent=1)[:2000])
        expect(f"{program}: links are compared", counts[program]["same"] > 100, counts[program])


# ---- Hosts ----

FILES = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
SPECIAL = {"http", "https", "ws", "wss", "ftp"}
WHY = {"host-changes", "ip-host", "odd-ip", "no-idna"}
# Prints the host of each URL of a list, null where there is none.  A bad port is no
# matter of the host.
SCRIPT = r"""
const host = url => { try { return new URL(url).hostname } catch { return null } };
const urls = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(urls.map(u => host(u) ?? host(u.replace(/^(\w+:\/\/[^\/?#]*):[^\/?#\]@]*/, '$1')))));
"""


def same_address(a, b):
    """Whether two literals are one IPv6 address, which browsers write in one form."""
    try:
        return ipaddress.IPv6Address(a.strip("[]")) == ipaddress.IPv6Address(b.strip("[]"))
    except (AttributeError, ValueError):
        return False


def files():
    for folder, _, names in os.walk(os.path.join(TOP, "testdata")):
        yield from (os.path.join(folder, name) for name in names if name.endswith(".txt"))


def texts_of(path):
    data = read(path)
    if not path.endswith(".jsonl"):
        return [data]
    rows = [json.loads(line) for line in data.splitlines() if line.strip()]
    return [base64.b64decode(row["input_b64"]) if "input_b64" in row else str(row["input"]).encode() for row in rows]


def links_of(text):
    done = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=text, capture_output=True, timeout=HANG)
    for line in done.stdout.decode().splitlines():
        link = json.loads(line)
        if link["type"] == "link" and link["scheme"] in SPECIAL:
            yield link


def test_hosts():
    idn = has("with libidn2")
    found = {}
    for path in sorted(FILES or files()):
        for text in texts_of(path):
            for link in links_of(text):
                found.setdefault((link["url"], link.get("host")), (os.path.basename(path), link))
    urls = [url for url, _ in found]
    done = subprocess.run(["node", "-e", SCRIPT], input=json.dumps(urls).encode(), capture_output=True, timeout=HANG, check=True)
    explained = 0
    for host, (path, link) in zip(json.loads(done.stdout), found.values()):
        different = host != link.get("host") and not same_address(host, link.get("host"))
        template = re.search(r"\$\{|\{\{", link["text"])
        allowed = different and bool(WHY & {*link.get("warnings", []), *link.get("flags", [])} or template
                                     or host is None and "unusable" in link.get("warnings", [])
                                     or not idn and re.search("%|xn--", link["host"]))
        explained += allowed
        expect("%s: %s: host %s, in a browser %s" % (path, link["url"][:200], link.get("host"), host), not different or allowed)
    print("%d hosts, %d of them read otherwise, with a warning" % (len(found), explained))


# ---- Hrefs ----

COUNT = 300_000 if LONG else 10_000
PARSES = """const bad = JSON.parse(require("fs").readFileSync(0, "utf8"))
    .filter(u => { try { new URL(u); return false } catch { return true } });
process.stdout.write(JSON.stringify(bad));"""
SCHEMES = ["http"] * 6 + ["https", "ftp", "irc", "ircs", "news", "nntp", "gopher", "telnet", "xmpp", "sip"]
LABELS = ["a", "www", "bank", "x--y", "r3---x", "xn--bcher-kva", "xn--a", "xn--", "xn--99999", "xn--ls8h", "_dmarc", "-a",
          "a-", "0x", "0x7f", "08", "1", "256", "4294967296", "%41", "%2e", "%2F", "%E2%84%80", "%C3%BC", "%FF", "%00",
          "%7F", "%", "%zz", "b\u00fccher", "\u2100", "\uff11", "\u0378", "\u00ad", "\U0001f4a9", "\u0661", "\u05d0a",
          "\u0300a", "fa\u00df", "\u200d", "a\u200db", "\ufffd", "\ud55c", "a|b", "a^b", "a!b", "a;b", "a*b", "a~b",
          "a=b", "a&b", "a'b", "a{b}", "", "x" * 64, "example", "test", "com"]
HOSTS = ["[::1]", "[2001:db8::1]", "[::ffff:192.0.2.1]", "[v1.a]", "[fe80::1%25eth0]", "[1:2]", "[::1", "::1]", "[]",
         "192.0.2.1", "192.0.2.256", "1.2.3.4.5", "0300.0.2.1", "127.1", "99999999999", "localhost", "a.example"]
PORTS = [""] * 8 + [":", ":0", ":80", ":65535", ":65536", ":99999", ":-1", ":8a", ":080", ":%38", ":1:2",
         ":00000000000000000080", ":4294967376"]
USERS = [""] * 8 + ["u@", "u:p@", "@", "a@b@", "%40@"]
WAYS = ["%s", "%s", "<%s>", "<URL:%s>", '"%s"', "see %s."]


def line_of(r):
    scheme, kind = r.choice(SCHEMES), r.random()
    if kind < 0.2:
        host = r.choice(HOSTS)
    elif kind < 0.4:
        host = "".join(chr(r.choice((r.randrange(33, 127), r.randrange(0xA1, 0x3000), r.randrange(0x3000, 0x11000))))
                       for _ in range(r.randrange(1, 5))) + ".example"
    else:
        host = ".".join(r.choice(LABELS) for _ in range(r.randrange(1, 4)))
    return r.choice(WAYS) % (scheme + "://" + r.choice(USERS) + host + r.choice(PORTS) + r.choice(("", "/", "/x?y", "#z")))


def test_hrefs():
    if not has("with libidn2"):
        skip("hrefs in browsers", "without libidn2 hosts beyond ASCII cannot be judged")
        return
    r = random.Random(1)
    lines = [line_of(r).encode("utf-8", "replace") for _ in range(COUNT)]
    text = b"\n\n".join(lines) + b"\n"
    page = subprocess.run([URLSIFT, "html", "--fragment", "--input=text"], input=text, capture_output=True, check=True)
    hrefs = sorted({html.unescape(h) for h in re.findall(r'href="([^"]*)"', page.stdout.decode())})
    found = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=text, capture_output=True, check=True)
    links = {record["url"]: record for record in map(json.loads, found.stdout.decode().split("\n")[:-1])
             if record["type"] == "link"}
    done = subprocess.run(["node", "-e", PARSES], input=json.dumps(sorted(set(hrefs) | set(links))), capture_output=True,
                          text=True, check=True)
    refused = set(json.loads(done.stdout))
    unusable = {url for url, link in links.items() if "unusable" in link.get("warnings", [])}
    faults = ["an href that no browser takes: " + h for h in hrefs if h in refused]
    faults += ["without a warning: " + url for url in refused - unusable]
    # What is refused here but not there is of odd form: an A-label or a mapping that libidn2 does not accept.
    odd = re.compile(r"%|xn--|\.\.")
    faults += ["unusable, but browsers take it: " + url for url in unusable - refused if not odd.search(url)]
    complaints("hrefs and warnings", sorted(faults))
    print("%d hrefs of %d links, %d refused by browsers, %d unusable" % (len(hrefs), len(links), len(refused), len(unusable)))


def main():
    if shutil.which("node"):
        test_hosts()
        if not FILES:
            test_hrefs()
    else:
        skip("hosts and hrefs against the URL class of node", "no node")
    test_peers()
    finish()


if __name__ == "__main__":
    main()
