#!/usr/bin/env python3
"""A search for a folder of pages, as a CGI program: subjects, authors and links of its messages.

    URLSIFT_PAGES=/srv/pages URLSIFT_SITE=https://lists.example/garden/ ./search.cgi

The pages have a form for it with: urlsift html -o /srv/pages --search='https://lists.example/search.cgi?q=' ...
The plan is opened for reading only; whoever runs this must be allowed to read it (see README.md).
"""
import hashlib
import html
import os
import re
import sqlite3
import urllib.parse

FIND = """SELECT msgid, shown(subject), shown(author), utc FROM messages WHERE msgid IS NOT NULL
    AND (shown(subject) LIKE ?1 ESCAPE '\\' OR shown(author) LIKE ?1 ESCAPE '\\' OR id IN (SELECT message FROM link JOIN url ON url.id = link.url
    WHERE iif(url.normal LIKE 'mailto:%', shown(url.normal), url.normal) LIKE ?1 ESCAPE '\\')) ORDER BY time DESC LIMIT 100"""


def shown(text):
    """A text without the hosts of mail addresses, which the plan has even where the pages mask them."""
    return re.sub(r"((?i:tps?)://[\w.%:@~!$*+=-]*)|(@|%40)[\w.%@\[\]:-]+", lambda m: m[1] or m[2] + "...", text or "")


def main():
    wanted = urllib.parse.parse_qs(os.environ.get("QUERY_STRING", "")).get("q", [""])[0][:200]
    like = "%" + "".join("\\" + c if c in "\\%_" else c for c in wanted) + "%"
    plan = urllib.parse.quote(os.path.join(os.environ["URLSIFT_PAGES"], ".urlsift", "plan.db"))
    plan = sqlite3.connect(f"file:{plan}?mode=ro", uri=True)
    plan.create_function("shown", 1, shown)
    rows = plan.execute(FIND, (like,)) if wanted.strip() else []
    site = os.environ.get("URLSIFT_SITE", "")
    print("Content-Type: text/html; charset=utf-8\nContent-Security-Policy: default-src 'none'\n")
    print(f"<!DOCTYPE html><html lang=en><meta charset=utf-8><meta http-equiv=x-dns-prefetch-control content=off>"
          f"<title>Search</title><h1>{html.escape(wanted)}</h1><ul>")
    for msgid, subject, author, utc in rows:
        address = f"{site}m/{hashlib.sha256(msgid.encode()).hexdigest()[:16]}.html"
        print(f'<li><a href="{html.escape(address)}"><bdi>{html.escape(subject or "(no subject)")}</bdi></a>'
              f" <bdi>{html.escape(author)}</bdi>, {(utc or '')[:10]}")
    print("</ul></html>")


main()
