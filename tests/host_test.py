#!/usr/bin/env python3
"""Hosts and hrefs against the URL class of browsers (WHATWG's URL, in Node).

usage: host_test.py [FILE...]        (default: every text of testdata)
Of each link with a scheme of the web the `host`
must be that of new URL(url), or a warning or flag say why it is not; without libidn2 hosts
beyond ASCII are let be.  Every href of a page of random hosts and ports is one that new URL takes: a link that it
refuses has the warning `unusable` and no href; one of ordinary form has an href.  Of a FILE that ends in .jsonl the texts are the values of `input`,
or in base64 of `input_b64`.  Without Node nothing is tested.
"""
import base64
import html
import ipaddress
import json
import os
import random
import re
import shutil
import subprocess
import sys

from testlib import HANG, LONG, TOP, URLSIFT, complaints, expect, finish, has, skip

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


def texts(path):
    with open(path, "rb") as file:
        data = file.read()
    if not path.endswith(".jsonl"):
        return [data]
    rows = [json.loads(line) for line in data.splitlines() if line.strip()]
    return [base64.b64decode(row["input_b64"]) if "input_b64" in row else str(row["input"]).encode() for row in rows]


def links(text):
    done = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=text, capture_output=True, timeout=HANG)
    for line in done.stdout.decode().splitlines():
        link = json.loads(line)
        if link["type"] == "link" and link["scheme"] in SPECIAL:
            yield link


def test_hosts():
    idn = has("with libidn2")
    found = {}
    for path in sorted(sys.argv[1:] or files()):
        for text in texts(path):
            for link in links(text):
                found.setdefault((link["url"], link.get("host")), (os.path.basename(path), link))
    urls = [url for url, _ in found]
    done = subprocess.run(["node", "-e", SCRIPT], input=json.dumps(urls).encode(), capture_output=True, timeout=HANG, check=True)
    explained = 0
    for host, (path, link) in zip(json.loads(done.stdout), found.values()):
        different = host != link.get("host") and not same_address(host, link.get("host"))
        template = re.search(r"\$\{|\{\{", link["text"])
        allowed = different and bool(WHY & {*link.get("warnings", []), *link.get("flags", [])} or template
                                     or not idn and re.search("%|xn--", link["host"]))
        explained += allowed
        expect("%s: %s: host %s, in a browser %s" % (path, link["url"][:200], link.get("host"), host), not different or allowed)
    print("%d hosts, %d of them read otherwise, with a warning" % (len(found), explained))


# ---- Hrefs ----

COUNT = 300_000 if LONG else 30_000
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


def line(r):
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
    lines = [line(r).encode("utf-8", "replace") for _ in range(COUNT)]
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
    if not shutil.which("node"):
        skip("hosts and hrefs against the URL class of node", "no node")
    else:
        test_hosts()
        if not sys.argv[1:]:
            test_hrefs()
    finish()


if __name__ == "__main__":
    main()
