#!/usr/bin/env python3
"""The hosts of targets against those that a browser would ask (WHATWG's URL, in Node).

usage: host_test.py [FILE...]        (default: every text of testdata)
The binary is $URLSIFT, or build/urlsift.  Of each link with a scheme of the web the `host`
must be that of new URL(url), or a warning or flag say why it is not; without libidn2 hosts
beyond ASCII are let be.  Of a FILE that ends in .jsonl the texts are the values of `input`,
or in base64 of `input_b64`.  Without Node nothing is tested.  The last line says
`N passed, N failed`.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.environ.get("URLSIFT", os.path.join(TOP, "build", "urlsift"))
SPECIAL = {"http", "https", "ws", "wss", "ftp"}
WHY = {"host-changes", "ip-host", "odd-ip", "no-idna"}
# Prints the host of each URL of a list, null where there is none.  A bad port is no
# matter of the host.
SCRIPT = r"""
const host = url => { try { return new URL(url).hostname } catch { return null } };
const urls = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(urls.map(u => host(u) ?? host(u.replace(/^(\w+:\/\/[^\/?#]*):[^\/?#\]@]*/, '$1')))));
"""


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
    done = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=text, capture_output=True, timeout=60)
    for line in done.stdout.decode().splitlines():
        link = json.loads(line)
        if link["type"] == "link" and link["scheme"] in SPECIAL:
            yield link


def main():
    if not shutil.which("node"):
        print("skipped: hosts against the URL class of node: no node\n0 passed, 0 failed")
        return 0
    idn = b"with libidn2" in subprocess.run([URLSIFT, "--version"], capture_output=True).stdout
    found = {}
    for path in sorted(sys.argv[1:] or files()):
        for text in texts(path):
            for link in links(text):
                found.setdefault((link["url"], link.get("host")), (os.path.basename(path), link))
    urls = [url for url, _ in found]
    done = subprocess.run(["node", "-e", SCRIPT], input=json.dumps(urls).encode(), capture_output=True, timeout=120, check=True)
    passed = failed = explained = 0
    for host, (path, link) in zip(json.loads(done.stdout), found.values()):
        if host == link.get("host"):
            passed += 1
        elif WHY & {*link.get("warnings", []), *link.get("flags", [])} or not idn and re.search("%|xn--", link["host"]):
            passed += 1
            explained += 1
        else:
            failed += 1
            print("%s: %s: host %s, in a browser %s" % (path, link["url"][:200], link.get("host"), host))
    print("%d hosts, %d of them read otherwise, with a warning" % (passed + failed, explained))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
