#!/usr/bin/env python3
"""Pages of hostile texts in a real browser.

usage: browser_test.py [FILE]...      (further hostile texts)
the browser $CHROMIUM, or the first Chromium found,
and without one there is nothing to test. The texts of testdata/hostile and of the other
cases are put into one page as `html` writes it, and into one of fragments that has no content
security policy, so that a script that came through would run. Checked there: none did; the
text of each <pre> is its input; the DOM is the same when its own markup is parsed again;
`new URL()` takes every href. The same for hostile mail and the messages of testdata/mail, where
links of the page's own lead to a place of it.

Chromium and Firefox ($FIREFOX, or the first one found) look up no host of a link that a page shows.
"""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import html_check
import mail_html_test
import pages_test
from testlib import DATA, HANG, LONG, URLSIFT, complaints, expect, finish, run, skip, write

BROWSERS = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium"]
FIREFOXES = [os.environ.get("FIREFOX", ""), "firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"]
FLAGS = """--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --mute-audio
--disable-background-networking --disable-component-update --disable-sync --remote-debugging-pipe about:blank""".split()
CHARSETS = "utf-8 utf-7 utf-16 iso-2022-jp hz-gb-2312 shift_jis windows-1252 gb18030".split()
ELEMENTS = set("html head meta title style body main h1 h2 pre span bdi a p article h3 details summary ul li dl dt dd table caption thead tbody tr th td".split())
ATTRIBUTES = set("class dir href rel lang charset http-equiv name content title id hidden scope".split())
BARE = b"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>x</title><body>"

# What a page says of itself. Everything looked at is there once the page is loaded.
LOOK = r"""(() => {
    const again = (element, context) => {
        const copy = document.createElement(context);
        copy.innerHTML = element.outerHTML;
        return copy.childNodes.length === 1 && copy.firstChild.isEqualNode(element);
    };
    const pres = [...document.querySelectorAll("pre.urlsift")];
    const all = [...document.querySelectorAll("*")];
    return JSON.stringify({
        hit: typeof window.hit,
        charset: document.characterSet,
        elements: [...new Set(all.map(e => e.localName))],
        attributes: [...new Set(all.flatMap(e => e.getAttributeNames()))],
        texts: pres.map(pre => {
            const copy = pre.cloneNode(true);
            copy.querySelectorAll(".w").forEach(mark => mark.remove());
            return copy.textContent;
        }),
        changed: pres.map((pre, i) => again(pre, "body") && again(pre, "td") ? -1 : i).filter(i => i >= 0),
        articles: [...document.querySelectorAll("article, table")].filter(e => !again(e, "body") || !again(e, "td")).length,
        lost: [...document.querySelectorAll("a[href^='#']")].filter(a => a.getClientRects().length > 0 &&
                                                                   !document.getElementById(a.hash.slice(1))).length,
        skip: [...document.querySelectorAll("p[hidden]")].map(p => getComputedStyle(p).display),
        tables: document.querySelectorAll("table").length,
        hrefs: [...document.querySelectorAll("a:not([href^='#'])")].map(a => {
            const href = a.getAttribute("href");
            try {
                return [href, new URL(href).protocol];
            } catch (error) {
                return [href, ""];
            }
        }),
    });
})()"""


# What a page looks like: whether it scrolls sideways, which text is small, how many words of tables are
# broken, but for names of hosts, and how many lines each text takes.
LAYOUT = r"""JSON.stringify({
    small: [...document.querySelectorAll("main *")].filter(e => parseFloat(getComputedStyle(e).fontSize) < (innerWidth < 768 ? 16 : 15) &&
        [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => e.outerHTML.slice(0, 80)),
    over: document.documentElement.scrollWidth - innerWidth,
    broken: [...document.querySelectorAll("th, td, td a")].flatMap(e => [...e.childNodes]).filter(node => node.nodeType === 3 &&
        [...node.data.matchAll(/\S+/g)].some(word => {
            const text = document.createRange();
            text.setStart(node, word.index);
            text.setEnd(node, word.index + word[0].length);
            return new Set([...text.getClientRects()].map(line => line.top)).size > 1;
        })).length,
    lines: [...document.querySelectorAll("pre.urlsift")].map(pre =>
        Math.round(pre.getBoundingClientRect().height / parseFloat(getComputedStyle(pre).lineHeight))),
})"""
AXE = next(filter(os.path.exists, filter(None, [os.environ.get("AXE"), "node_modules/axe-core/axe.min.js",
                                                "js/node_modules/axe-core/axe.min.js",
                                                "/usr/share/nodejs/axe-core/axe.min.js"])), None)
AXE_RUN = r"""axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations
    .filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.id + ": " + v.nodes[0].html.slice(0, 200))))"""


class Browser:
    """Chromium, spoken to over two pipes in JSON with a NUL after each message."""

    def __init__(self, path, profile):
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()
        line = [path, *FLAGS[:-1], "--user-data-dir=" + profile, FLAGS[-1]]
        # Chromium reads its file descriptor 3 and writes 4.
        self.process = subprocess.Popen(["/bin/sh", "-c", 'exec "$0" "$@" 3<&%d 4>&%d' % (commands, answers), *line],
                                        pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.answers = os.fdopen(self.from_browser, "rb")
        self.rest = b""
        self.number = 0
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Network.enable")

    def message(self):
        while b"\0" not in self.rest:
            block = self.answers.read1(1 << 20)
            if not block:
                raise EOFError("the browser has gone away")
            self.rest += block
        one, _, self.rest = self.rest.partition(b"\0")
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if not method.startswith("Target."):
            request["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(request).encode() + b"\0")
        self.events = []
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.take_event(answer)

    def take_event(self, event):
        self.events.append(event.get("method"))
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(event["params"]["request"]["url"])

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", expression=expression, awaitPromise=True)["result"].get("value")

    def look(self, path, expression=LOOK):
        """What the expression says of the page in a file."""
        self.requests = []
        self.call("Page.navigate", url="file://" + urllib.parse.quote(path))
        while "Page.loadEventFired" not in self.events:
            self.take_event(self.message())
        return json.loads(self.evaluate(expression))

    def screen(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=True)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def close(self):
        os.close(self.to_browser)
        self.answers.close()
        try:
            self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def html(*args):
    done = run("html", "--email", "--domains", *args)
    expect("html ends well", done.returncode == 0, done.stderr[:500])
    return done.stdout


def faults_of(page, names, texts):
    """What is wrong with what a page says of itself, given the inputs it shows; for mail None."""
    if page["hit"] != "undefined":
        yield "a script ran"
    if page["charset"] != "UTF-8":
        yield "read as " + page["charset"]
    for what, allowed in (("elements", ELEMENTS), ("attributes", ATTRIBUTES)):
        if not set(page[what]) <= allowed:
            yield "%s %s" % (what, sorted(set(page[what]) - allowed))
    if page["articles"]:
        yield "%d articles or tables are others when parsed again" % page["articles"]
    if page["lost"]:
        yield "%d links to nowhere" % page["lost"]
    if any(display != ("block" if page["tables"] else "none") for display in page["skip"]):
        yield "the link to the table is %s" % page["skip"]
    if names is None:
        names = ["text %d" % i for i in range(len(page["texts"]))]
    if len(page["texts"]) != len(names):
        yield "%d texts for %d inputs" % (len(page["texts"]), len(names))
    for name, shown, text in zip(names, page["texts"], texts):
        if text is not None:
            yield from ("%s: %s" % (name, fault) for fault in html_check.check_text(0, shown, html_check.expected_text(text)))
    for number in page["changed"]:
        yield "%s is another DOM when parsed again" % names[number]
    for href, protocol in page["hrefs"]:
        if protocol[:-1] not in html_check.SCHEMES:
            yield "href %r: %s" % (href[:100], protocol or "new URL() throws")


def pages(folder, paths):
    """(file, names, inputs) of each page; an input is None where its text is not compared."""
    def page(name, markup):
        path = os.path.join(folder, name + ".html")
        write(path, markup)
        return path

    names, texts = [], []
    for path in paths:
        with open(path, "rb") as file:
            texts.append(file.read())
        names.append(os.path.relpath(path, DATA))
    yield page("page", html("--input=text", *paths)), names, texts
    yield page("fragments", BARE + html("--fragment", "--input=text", *paths)), names, texts
    yield page("joined", BARE + html("--fragment", "--input=text", "--join=likely", "--hyphen=drop", *paths)), names, texts
    hostile = [path for path in paths if os.sep + "hostile" + os.sep in path or path in sys.argv[1:]]
    for charset in CHARSETS:
        wanted = ["%s as %s" % (os.path.basename(path), charset) for path in hostile]
        yield page(charset, BARE + html("--fragment", "--charset=" + charset, *hostile)), wanted, [None] * len(hostile)


# What a page of an archive says of itself: its elements and links, none of which may act.
ARCHIVE = r"""JSON.stringify({hit: typeof window.hit, acts: [...document.querySelectorAll("*")].filter(e =>
    /^(script|iframe|object|embed|img|form|base|svg|math)$/.test(e.localName) || e.getAttributeNames().some(n => /^on|^src/.test(n)))
    .map(e => e.outerHTML.slice(0, 100)), protocols: [...new Set([...document.querySelectorAll("a[href]")].map(e => {
    try { return new URL(e.href).protocol } catch { return "bad " + e.getAttribute("href") } }))]})"""


def archive_faults(browser, folder):
    """Hostile mail as a folder of pages (html -o)."""
    site = os.path.join(folder, "site")
    subprocess.run([URLSIFT, "html", "-o", site, "--email", "--domains", os.path.join(folder, "hostile.mbox")], check=True, timeout=HANG)
    files = [os.path.join(path, name) for path, _, names in os.walk(site) for name in names if name.endswith(".html")]
    for file in sorted(files):
        page = browser.look(file, ARCHIVE)
        if page["hit"] != "undefined" or page["acts"]:
            yield "%s: %s %s" % (file, page["hit"], page["acts"][:3])
        others = [p for p in page["protocols"] if p[:-1] not in html_check.SCHEMES and p != "file:"]
        if others:
            yield "%s: links to %s" % (file, others[:5])
        strangers = [url for url in browser.requests if not url.startswith("file://" + site)]
        if strangers:
            yield "%s: requests %s" % (file, strangers[:5])
    if len(files) < 10:
        yield "only %d pages" % len(files)


def mail_pages(folder):
    """The same of hostile mail and of testdata/mail, with a message or several."""
    rng = random.Random(2)
    path = os.path.join(folder, "hostile.mbox")
    write(path, mail_html_test.mbox(*(mail_html_test.hostile(rng) for _ in range(100))))
    single = os.path.join(folder, "single.eml")
    write(single, mail_html_test.hostile(rng))
    data = [os.path.join(mail_html_test.DATA, name) for name in sorted(os.listdir(mail_html_test.DATA))
            if name.endswith((".eml", ".mbox"))]
    every = ["--headers=all", "--message-ids"]
    for name, args in (("mail", [path]), ("single", [single]), ("data", data), ("fields", [*every, path])):
        for begin, option in ((b"", []), (BARE, ["--fragment"])):
            out = os.path.join(folder, name + ("-fragment" if option else "") + ".html")
            write(out, begin + html(*option, *args))
            yield out, None, []


def layout_faults(browser, folder):
    """Text has at least 16 pixels, nothing scrolls sideways, and axe finds nothing serious."""
    text, mail, page = (os.path.join(folder, name) for name in ("lines.txt", "look.eml", "look.html"))
    write(text, b"".join(b"%shttp://a.example/ ab\n" % (b"word " * 12) for _ in range(8)) + b"> " + b"x " * 39 + b"\n")
    with open(mail, "wb") as file:
        body = "<p>x <a href='http://b.example/'>www.a.example</a> <a href='http://%s.example/'>text</a>" % ("b" * 60)
        file.write(mail_html_test.message(body, ("Content-Type", "text/html"), ("To", "x" * 200)))
    for args, lines in ([text], 9), (["-n", text], 9), ([mail], None), ([text, mail, mail], None):
        write(page, html(*args))
        yield from look_faults(browser, page, " ".join(args), lines)


def look_faults(browser, page, name, lines):
    """80 columns fit a tablet, and a wider screen beside the numbers of lines."""
    for width, scheme in itertools.product((360, 768, 1280), ("light", "dark")):
        browser.screen(width, scheme)
        found = browser.look(page, LAYOUT)
        what = "%s, %d pixels, %s: " % (name, width, scheme)
        unbroken = width < (1280 if name.startswith("-n") else 768) or lines in (None, (found["lines"] or [0])[0])
        if found["over"] > 0 or found["broken"] > 0 or found["small"] or not unbroken:
            yield what + str(found)
        if AXE:
            with open(AXE, encoding="utf-8") as file:
                browser.evaluate(file.read())
            yield from (what + fault for fault in json.loads(browser.evaluate(AXE_RUN)))


# Of each line of a text that has a link, where the line and the link begin: "l", or "r" at the right.
SIDES = r"""JSON.stringify([...document.querySelectorAll("pre.urlsift a")].map(a => {
    const box = a.closest("pre").getBoundingClientRect(), line = a.closest(".q") || a.previousSibling;
    const text = document.createRange();
    text.selectNodeContents(line);
    const side = [...text.getClientRects()].some(part => part.width > 0 && part.right > box.right - 16) ? "r" : "l";
    return side + getComputedStyle(a).direction[0] + (a.closest(".q") ? getComputedStyle(line).direction[0] : "");
}))"""


def direction_faults(browser, folder):
    """A line that is not quoted has the direction of its first letter, a quoted one that of the text; a URL is read
    from left to right."""
    text, page = os.path.join(folder, "direction.txt"), os.path.join(folder, "direction.html")
    hebrew, english = "\u05e9\u05dc\u05d5\u05dd http://a.example/\n", "see http://a.example/\n"
    browser.screen(768, "light")
    for lines, wanted in (hebrew + english + "> " + hebrew, ["rl", "ll", "rlr"]), (english + hebrew + "> " + english, ["ll", "rl", "lll"]):
        write(text, lines.encode())
        write(page, html(text))
        found = browser.look(page, SIDES)
        if found != wanted:
            yield "%r: %s" % (lines, found)


def archive_layout_faults(browser, folder):
    """The same of each kind of page of an archive."""
    site = os.path.join(folder, "archive")
    wide = pages_test.message(90, "wide", body="http://%s.example/\n" % ("h" * 60))
    source = pages_test.write(os.path.join(folder, "archive.mbox"), pages_test.THREADS + pages_test.HOSTILE + [wide])
    subprocess.run([URLSIFT, "html", "-o", site, source], check=True, timeout=HANG, capture_output=True)
    for kind in ("", "m", "h", "date", "thread", "author"):
        names = [name for name in os.listdir(os.path.join(site, kind)) if name.endswith(".html")]
        names.sort(key=lambda name: -os.path.getsize(os.path.join(site, kind, name)))
        for name in names[:2]:
            yield from look_faults(browser, os.path.join(site, kind, name), os.path.join(kind, name), None)


def first_of(names):
    return next((path for path in map(shutil.which, filter(None, names)) if path), None)


def chromium_log(path, profile, url):
    log = os.path.join(profile, "net.json")
    subprocess.run([path, *FLAGS[:-2], "--user-data-dir=" + profile, "--log-net-log=" + log, "--net-log-capture-mode=Everything",
                    "--screenshot=" + os.path.join(profile, "shot.png"), "--timeout=3000", url],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=HANG)
    with open(log, "rb") as file:
        return file.read()


def firefox_log(path, profile, url):
    log = os.path.join(profile, "log")
    subprocess.run([path, "--headless", "--no-remote", "--profile", profile, "--screenshot", os.path.join(profile, "shot.png"), url],
                   env={**os.environ, "MOZ_LOG": "nsHostResolver:5", "MOZ_LOG_FILE": log, "HOME": profile},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=HANG)
    names = [name for name in os.listdir(profile) if name.startswith("log")]
    return b"".join(open(os.path.join(profile, name), "rb").read() for name in names)


def lookup_faults(browser, log_of, folder):
    """A host in a link of a page is not looked up, as Firefox does where a page does not forbid it."""
    host = b"h%d.example"
    source, site, pages = os.path.join(folder, "hosts.eml"), os.path.join(folder, "hosts"), []
    for number, args in enumerate((["--input=text"], [], ["-o", site])):
        write(source, pages_test.message(1, "hosts", body="http://%s/a\n" % (host % number).decode()))
        pages.append(os.path.join(folder, "hosts%d.html" % number))
        page = html(*args, source)
        if page:
            write(pages[-1], page)
    pages[-1] = next(os.path.join(site, "m", name) for name in os.listdir(os.path.join(site, "m")))
    write(os.path.join(folder, "control.html"), b"<!DOCTYPE html><p><a href='http://%s/'>x</a>" % (host % 9))
    for number, page in [(9, os.path.join(folder, "control.html")), *enumerate(pages)]:
        with tempfile.TemporaryDirectory() as profile:
            looked_up = host % number in log_of(browser, profile, "file://" + urllib.parse.quote(page)).replace(page.encode(), b"")
        if number < 9 and looked_up:
            yield page + ": looked up"
        if number == 9 and not looked_up and log_of == firefox_log:
            skip("lookups of " + browser, "it looks up no host of any link")


def cases():
    for folder in sorted(os.listdir(DATA)):
        if folder == "hostile" or folder.startswith("cases"):
            for name in sorted(os.listdir(os.path.join(DATA, folder))):
                if name.endswith(".txt"):
                    yield os.path.join(DATA, folder, name)


def main():
    path, firefox = first_of(BROWSERS), first_of(FIREFOXES)
    for browser, log_of in (path, chromium_log), (LONG and firefox, firefox_log):
        if browser:
            with tempfile.TemporaryDirectory() as folder:
                complaints("lookups of " + browser, lookup_faults(browser, log_of, folder))
    if path:
        with tempfile.TemporaryDirectory() as folder:
            browser = Browser(path, os.path.join(folder, "profile"))
            for file, names, texts in itertools.chain(pages(folder, list(cases()) + sys.argv[1:]), mail_pages(folder)):
                faults = list(faults_of(browser.look(file), names, texts))
                faults += ["a request for " + url for url in browser.requests if url != "file://" + urllib.parse.quote(file)]
                complaints(os.path.basename(file), faults)
            for test in archive_faults, layout_faults, direction_faults, archive_layout_faults:
                complaints(test.__name__, test(browser, folder))
            if not AXE:
                skip("axe", "no node_modules/axe-core/axe.min.js")
            browser.close()
    else:
        skip("pages in a browser", "no " + ", ".join(filter(None, BROWSERS)))
    finish()


if __name__ == "__main__":
    main()
