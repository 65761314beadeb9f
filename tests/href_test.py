#!/usr/bin/env python3
"""Every href of a page is one that browsers accept: random hosts and ports, read by node's `new URL`.

usage: href_test.py [--count=30000] [--seed=1]
A link that `new URL` refuses has the warning `unusable` and no
href; one of ordinary form has an href.
"""
import html
import json
import random
import re
import shutil
import subprocess
import sys

from testlib import URLSIFT, complaints, finish, has, skip

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


def main():
    options = dict(re.match(r"--(\w+)=(\d+)", a).groups() for a in sys.argv[1:])
    if not shutil.which("node"):
        skip("hrefs in browsers", "node is not installed")
        finish()
    if not has("with libidn2"):
        skip("hrefs in browsers", "without libidn2 hosts beyond ASCII cannot be judged")
        finish()
    r = random.Random(int(options.get("seed", 1)))
    lines = [line(r).encode("utf-8", "replace") for _ in range(int(options.get("count", 30000)))]
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
    finish()


if __name__ == "__main__":
    main()
