#!/usr/bin/env python3
"""The hosts of targets against those that a browser would ask (WHATWG's URL, in Node).

usage: host_test.py [FILE...]        (default: every text of testdata)
Of each link with a scheme of the web the `host`
must be that of new URL(url), or a warning or flag say why it is not; without libidn2 hosts
beyond ASCII are let be.  Of a FILE that ends in .jsonl the texts are the values of `input`,
or in base64 of `input_b64`.  Without Node nothing is tested.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys

from testlib import HANG, TOP, URLSIFT, expect, finish, has, skip

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
    done = subprocess.run([URLSIFT, "list", "--json", "--input=text"], input=text, capture_output=True, timeout=HANG)
    for line in done.stdout.decode().splitlines():
        link = json.loads(line)
        if link["type"] == "link" and link["scheme"] in SPECIAL:
            yield link


def main():
    if not shutil.which("node"):
        skip("hosts against the URL class of node", "no node")
        finish()
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
        different = host != link.get("host")
        allowed = different and bool(WHY & {*link.get("warnings", []), *link.get("flags", [])} or not idn and re.search("%|xn--", link["host"]))
        explained += allowed
        expect("%s: %s: host %s, in a browser %s" % (path, link["url"][:200], link.get("host"), host), not different or allowed)
    print("%d hosts, %d of them read otherwise, with a warning" % (len(found), explained))
    finish()


if __name__ == "__main__":
    main()
