"""The page to try, in Chromium and Firefox: used by tests/js_test.py.  SHOTS=FOLDER keeps screenshots."""
import json
import os
import shutil
import tempfile

from driver import Chrome, Failed, Marionette, serve
from testlib import TOP, check, complaints, expect, skip, write

PAGE = os.path.join(TOP, "build", "js", "try")
AXE = next(filter(os.path.exists, filter(None, [
    os.environ.get("AXE"), os.path.join(TOP, "js/node_modules/axe-core/axe.min.js"), os.path.join(TOP, "node_modules/axe-core/axe.min.js"),
    os.path.join(os.environ.get("NODE_MODULES", "/nowhere"), "axe-core/axe.min.js"), "/usr/share/nodejs/axe-core/axe.min.js"])), None)
AXE_RUN = """
const done = arguments[arguments.length - 1];
new Function("module", "exports", "define", arguments[0]).call(window);
window.axe.run(document).then(r => done(r.violations.map(v => v.id + ": " + v.nodes.map(n => n.target + " " + n.failureSummary).join("; "))), e => done([String(e)]));
"""
DROP = """
const data = new DataTransfer();
data.items.add(new File([arguments[0]], "dropped.txt"));
for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
"""
HREFS = "return [...document.querySelectorAll('#output a')].map(a => a.getAttribute('href'))"
FAILURE = "return document.querySelector('#output [role=alert]')?.textContent.startsWith(arguments[0])"
REPLY = ["https://files.archive.example/pub/reports/2026/wide-area.pdf"] * 2 \
    + ["https://www.archive.example/minutes/spring-meeting.html#votes"] * 2 \
    + ["https://mirror.post.example/status?host=archive&from=2026-04-01&to=2026-05-01&view=missing"] * 2 + ["http://www.post.example/~ada"]
ENTER, TAB = "\ue007", "\ue004"


def shot(browser, name):
    if os.environ.get("SHOTS"):
        browser.screenshot(os.path.join(os.environ["SHOTS"], f"{name}.png"))


def look(browser, name):
    """Widths, colours and axe."""
    for width in (1280, 360):
        browser.size(width, 900)
        # Firefox headless has no window below 450
        inner, scroll = browser.script("return [innerWidth, document.documentElement.scrollWidth]")
        expect(f"{name}: {width} px", scroll <= inner and (inner == width or name == "firefox"), [inner, scroll])
        for dark in (False, True):
            browser.dark(dark)
            wanted = "rgb(23, 25, 28)" if dark else "rgb(255, 255, 255)"
            expect(f"{name}: {'dark' if dark else 'light'}", browser.wait("return getComputedStyle(document.body).backgroundColor == arguments[0]", wanted))
            shot(browser, f"try-{name}-{width}-{'dark' if dark else 'light'}")
            if AXE:
                with open(AXE, encoding="utf-8") as file:
                    complaints(f"{name}: axe at {width} px, {'dark' if dark else 'light'}", browser.async_script(AXE_RUN, file.read()))
    browser.dark(False)
    browser.size(1280, 1000)


def use(browser, name, url, asked, folder):
    browser.go(f"{url}/index.html")
    expect(f"{name}: ready", browser.wait("return document.documentElement.dataset.ready"))
    browser.script("window.violations = []; document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI))")
    check(f"{name}: links", browser.script(HREFS)[:7], REPLY)
    check(f"{name}: what is guessed looks guessed", browser.script(
        "return [...document.querySelectorAll('#output a.guess')].map(a => getComputedStyle(a).textDecorationStyle)"), ["dotted", "dotted"])
    expect(f"{name}: warnings are text", "userinfo spoof" in browser.script("return document.querySelector('#output').textContent"))
    check(f"{name}: no anchor for javascript:", browser.script(
        "return [document.querySelector('#output .dead').textContent, document.querySelectorAll('a[href^=javascript]').length]"),
        ["javascript:alert(document.domain)", 0])

    browser.click("#output a.guess")
    detail = browser.script("return document.querySelector('#detail').textContent")
    expect(f"{name}: a click explains", "mirror.post.example" in detail and "If the lines are not joined" in detail, detail)
    check(f"{name}: all parts are marked", browser.script("return document.querySelectorAll('#output .chosen').length"), 2)
    browser.click("#output .dead")
    expect(f"{name}: a click on what must not be followed", "must not be followed" in browser.script("return document.querySelector('#detail').textContent"))
    look(browser, name)

    browser.script("document.querySelector('#output').focus()")
    browser.active_keys(TAB)
    check(f"{name}: the keyboard reaches the first link", browser.script("return document.activeElement.getAttribute('href')"), REPLY[0])
    browser.active_keys(ENTER)
    expect(f"{name}: Enter explains it", "wide-area.pdf" in browser.script("return document.querySelector('#detail .url').textContent"))
    check(f"{name}: the page is still there", browser.script("return location.pathname"), "/index.html")

    browser.script("const t = document.querySelector('#text'); t.value = ''; t.dispatchEvent(new Event('input'))")
    browser.keys("#text", "write to ada@post.example, see www.a.example")
    check(f"{name}: typed", browser.wait("const n = document.querySelectorAll('#output a').length; return n && n"), 1)
    browser.click("#email")
    check(f"{name}: an option", browser.script(HREFS), ["mailto:ada@post.example", "http://www.a.example"])
    browser.click("#share")
    shared = browser.script("return document.querySelector('#share-url').value")
    browser.go("about:blank")
    browser.go(shared)
    browser.wait("return document.documentElement.dataset.ready")
    check(f"{name}: a link to the text", browser.script(HREFS), ["mailto:ada@post.example", "http://www.a.example"])

    for count, hidden in (600000, [True, False]), (1, [False, True]):
        browser.script("document.querySelector('#text').value = 'a '.repeat(arguments[0])", count)
        browser.click("#share")
        check(f"{name}: a link to {count} words", browser.script(
            "return ['place', 'long'].map(id => document.querySelector(`#share-${id}`).hidden)"), hidden)

    browser.script(DROP, "<URL:http://dropped.example/x\ny> <img src=x onerror=alert(1)>")
    check(f"{name}: a dropped file", browser.wait(f"{HREFS.replace('return', 'const a =')}; return a[0] == 'http://dropped.example/xy' && a"), ["http://dropped.example/xy"] * 2)
    check(f"{name}: it is text", browser.script("return document.querySelectorAll('#output img').length"), 0)
    gone = os.path.join(folder, "gone.txt")
    write(gone, b"http://gone.example/")
    browser.keys("#file", gone)
    expect(f"{name}: a file", browser.wait("return document.querySelector('#output a[href^=\"http://gone\"]') && 1"))
    os.remove(gone)
    browser.script("document.querySelector('#file').dispatchEvent(new Event('change'))")
    expect(f"{name}: a file that cannot be read", browser.wait(FAILURE, "gone.txt was not searched: "))
    browser.keys("#file", os.path.join(TOP, "testdata", "readme", "newsletter.eml"))
    expect(f"{name}: a message", browser.wait("return document.querySelector('#output a[href^=\"http://seeds.example.evil\"]') && 1"))
    browser.click('#output a[href^="http://seeds.example.evil"]')
    expect(f"{name}: its warning", "text mismatch" in browser.script("return document.querySelector('#detail').textContent"))
    expect(f"{name}: its records", all(json.loads(line)["type"] for line in browser.script("return document.querySelector('#json').textContent").splitlines()))
    shot(browser, f"try-{name}-mail")

    check(f"{name}: the policy was not violated", browser.script("return window.violations ?? []"), [])
    browser.script("const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s)")
    check(f"{name}: the policy forbids other scripts", browser.script("return window.ran ?? 0"), 0)
    check(f"{name}: requests", sorted({path for path in asked if not path.startswith("/index.html")}),
          ["/mail.mjs", "/try.css", "/try.mjs", "/urlsift-mail.wasm", "/urlsift.mjs", "/urlsift.wasm"])


def lack(browser, name, folder):
    """A message is opened where the module for mail is out of reach."""
    part = os.path.join(folder, "part")
    shutil.copytree(PAGE, part, ignore=shutil.ignore_patterns("*mail*"))
    with serve(part) as (url, _):
        browser.go(f"{url}/index.html")
        browser.wait("return document.documentElement.dataset.ready")
        browser.script(DROP, "From: a@b.example\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\nhttp://a.example/\n")
        expect(f"{name}: without the module for mail", browser.wait(FAILURE, "dropped.txt was not searched: "))
        check(f"{name}: no other links", browser.script(HREFS), [])
        browser.click("#email")
        check(f"{name}: it goes on as text", browser.script(HREFS), ["mailto:a@b.example", "http://a.example/"])


def run():
    if not AXE:
        skip("axe on the page to try", "axe-core is not installed")
    for name, needed, make in [
        ("chromium", ["chromium", "chromedriver"], Chrome),
        ("firefox", ["firefox-esr"], lambda folder: Marionette("firefox-esr", folder)),
    ]:
        missing = [program for program in needed if not shutil.which(program)]
        if missing:
            skip(f"the page to try in {name}", f"{missing[0]} is not installed")
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, serve(PAGE) as (url, asked), make(folder) as browser:
            try:
                use(browser, name, url, asked, folder)
                lack(browser, name, folder)
            except Failed as error:
                expect(f"{name}: {error}", False)
