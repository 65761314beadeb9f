"""The add-on in Thunderbird: used by tests/js_test.py.  SHOTS=FOLDER keeps screenshots.

A profile with local folders holds the messages; they are opened in the message pane and in a window of their own.
"""
import base64
import contextlib
import email.policy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from email.message import EmailMessage

import deceits
from driver import Failed, Marionette
from testlib import TOP, check, complaints, expect, skip

XPI = os.path.join(TOP, "build", "js", "urlsift.xpi")
PREFS = {
    "mail.accountmanager.accounts": "account1", "mail.accountmanager.localfoldersserver": "server1", "mail.account.account1.server": "server1",
    "mail.server.server1.directory-rel": "[ProfD]Mail/Local Folders", "mail.server.server1.hostname": "Local Folders",
    "mail.server.server1.name": "Local Folders", "mail.server.server1.type": "none", "mail.server.server1.userName": "nobody",
    "mail.server.server1.storeContractID": "@mozilla.org/msgstore/berkeleystore;1",
    "mail.provider.suppress_dialog_on_startup": True, "mail.spotlight.firstRunDone": True, "mailnews.start_page.enabled": False, "mail.rights.version": 1,
    "mail.shell.checkDefaultClient": False, "app.donation.eoy.version.viewed": 999, "mail.phishing.detection.enabled": True,
    "mailnews.message_display.disable_remote_image": True, "mail.inappnotifications.enabled": False, "network.protocol-handler.warn-external-default": False,
    "intl.locale.requested": "en-US", "mail.startup.enabledMailCheckOnce": True,
    "dom.max_ext_content_script_run_time": 600,  # a busy machine takes longer
}

HEAVY_SECONDS = 40  # of processors, for what takes a 24th to a sixth of it, and more the longer the clock runs
LATE = 3000  # milliseconds after which the add-on may have stopped
LOOP_SECONDS = 0.054  # of a loop of Python, where they take no longer

BROKEN = """> The reports are at <https://files.archive.example/pub/reports/
> 2026/wide-area.pdf> now, and the minutes moved to
> <URL:https://www.archive.example/minutes/spring-
> meeting.html#votes>.

Thanks, found both.  The status page is
https://mirror.post.example/status?host=archive&from=2026-04-01&to=2026-
05-01&view=missing (every night), or ask at www.post.example/~ada.

Write to ada@post.example.  Do not open http://www.bank.example@203.0.113.7/login or
<javascript:alert(1)>.
"""
HREFS = ["https://files.archive.example/pub/reports/2026/wide-area.pdf"] * 2 + ["https://www.archive.example/minutes/spring-meeting.html#votes"] * 2 \
    + ["https://mirror.post.example/status?host=archive&from=2026-04-01&to=2026-05-01&view=missing"] * 2 \
    + ["http://www.post.example/~ada", "mailto:ada@post.example", "http://www.bank.example@203.0.113.7/login"]  # and not javascript:, which Thunderbird makes a link
FLOWED = "> see <https://a.example/one/ \n> two/three> and\n> more\n\nand <URL:https://b.example/four-\nfive> so \nit flows\n"
PAGE = """<html><body><p>Order at <a href="http://seeds.example.evil.example/shop">www.seeds.example</a>, read
<a href="https://click.garden.example/?u=1">our news</a> or <a href="https://www.seeds.example/x">https://www.seeds.example/x</a>.</p></body></html>"""

KINDS = "<ftp://ftp.a.example/x> <mailto:a+b@b.example?subject=c%20d&body=e> <news:x@c.example> <http://d.example/>\n"
TURNED = '<html><body><a href="http://moc.knab.ni/">\u202ex</a> <a href="http://a.example/">' + "long " * 100 + '</a></body></html>'


def large():
    """300 KB with 937 links."""
    filler = "Some words of prose that fill a line, as they do in the mail of a list of long standing.\n"
    return "".join(f"{filler * 3}item {i} is at <https://files.archive.example/pub/{i}/a-\nlong/{i * 7919}.html> now\n" for i in range(937))


def message(subject, text, kind="plain", **headers):
    m = EmailMessage(policy=email.policy.default.clone(max_line_length=None))
    m["From"], m["To"], m["Subject"], m["Date"] = "Ada Field <ada@post.example>", "reader@home.example", subject, "Tue, 12 May 2026 10:21:07 +0200"
    m["Message-ID"] = f"<{subject.replace(' ', '-')}@post.example>"
    m.set_content(text, subtype=kind, cte="8bit")
    for name, value in headers.items():
        m.set_param(name, value)
    return m.as_bytes()


MESSAGES = [("plain", message("plain", BROKEN)), ("flowed", message("flowed", FLOWED, format="flowed")), ("html", message("html", PAGE, "html")),
            ("large", message("large", large())), ("without", message("without", "Nothing is here: no link at all.\n")),
            *((name, message(name, text, "html")) for name, text in deceits.PAGES.items()),
            *((name, message(name, text, "html")) for name, text in {**deceits.HIDING, **deceits.LAID}.items()),
            ("kinds", message("kinds", KINDS)), ("turned", message("turned", TURNED, "html")),
            *((name, message(name, f"<html><body>{text}</body></html>", "html")) for name, text in deceits.HEAVY.items())]

OPEN = """
const [wanted, done] = arguments;
const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
(async () => {
  const folder = MailServices.accounts.localFoldersServer.rootFolder.getChildNamed("test");
  const win = Services.wm.getMostRecentWindow("mail:3pane");
  const about = win.document.getElementById("tabmail").currentAbout3Pane;
  if (about.gFolder !== folder) { about.displayFolder(folder.URI); }
  for (let i = 0; i < 200 && !(about.gDBView && about.gDBView.rowCount >= arguments[0].count); i++) await new Promise(r => win.setTimeout(r, 50));
  const old = about.messageBrowser?.contentWindow?.getMessagePaneBrowser?.()?.contentDocument?.documentElement;
  if (old) old.dataset.old = 1;
  for (let row = 0; row < about.gDBView.rowCount; row++)
    if (about.gDBView.getMsgHdrAt(row).mime2DecodedSubject === wanted.subject) about.threadTree.selectedIndex = row;
  done(about.gDBView.rowCount);
})().catch(e => done(String(e) + e.stack));
"""
# The document of the message: in the pane, or in a window of its own.
DOCUMENT = """
const win = Services.wm.getMostRecentWindow("mail:3pane");
const own = Services.wm.getMostRecentWindow("mail:messageWindow");
const pane = arguments[0] ? own.messageBrowser.contentWindow : win.document.getElementById("tabmail").currentAbout3Pane.messageBrowser.contentWindow;
const doc = pane?.getMessagePaneBrowser?.()?.contentDocument;
if (!doc?.documentElement) return null;
const subject = pane.gMessage?.mime2DecodedSubject;
const linesOf = warning => [...warning.openOrClosedShadowRoot.children].filter(e => e.getClientRects().length).map(e => e.textContent);
"""
STATE = DOCUMENT + """
if (subject !== arguments[1] || !doc.documentElement.dataset.urlsift || doc.documentElement.dataset.old) return null;
return JSON.stringify({ done: doc.documentElement.dataset.urlsift, anchors: [...doc.querySelectorAll("a[href]")].map(a => [a.href, a.textContent, a.className,
  doc.defaultView.getComputedStyle(a).textDecorationStyle, a.title]),
  warnings: [...doc.body.querySelectorAll(".urlsift-warning")].map(w => [linesOf(w)[0], w.previousSibling?.textContent]), text: doc.body.textContent });
"""
# The cases of hostile mail, with the warnings that are seen in them, in shadow trees too; those of the bar.
WARNED = DOCUMENT + """
const below = (node, found = []) => {
  for (const child of (node.openOrClosedShadowRoot ?? node).childNodes) if (child.nodeType === 1) below(child, (found.push(child), found));
  return found;
};
const warnings = node => below(node).filter(e => e.className === "urlsift-warning" && e.getBoundingClientRect().width > 20 && e.checkVisibility({ opacityProperty: true }))
  .flatMap(linesOf);
return JSON.stringify({ cases: [...doc.querySelectorAll("[data-case]")].map(e => [e.dataset.case, warnings(e)]),
  top: [...doc.documentElement.children].filter(e => e.className === "urlsift-warning").flatMap(linesOf) });
"""
PLAIN = DOCUMENT + """
if (subject !== arguments[1] || doc.documentElement.dataset.old || !doc.body || doc.readyState != "complete" || !doc.body.textContent.trim()) return null;
return JSON.stringify([...doc.querySelectorAll("a[href]")].map(a => a.href));
"""
# What is opened in the browser, instead of opening it.
WATCH = DOCUMENT + """
win.urlsiftOpened = [];
pane.openLinkExternally = url => { win.urlsiftOpened.push(String(url)); };
return true;
"""
CLICK = DOCUMENT + """
const anchor = [...doc.querySelectorAll("a[href]")][arguments[1]];
anchor.scrollIntoView({ block: "center" }); // not below the bar
const box = anchor.getClientRects()[0];
for (const type of arguments[2] ?? ["mousedown", "mouseup"])
  if (doc.defaultView.synthesizeMouseEvent)
    doc.defaultView.synthesizeMouseEvent(type, box.left + 3, box.top + 3, { button: arguments[2] ? 2 : 0, clickCount: 1, inputSource: 1 }, { isDOMEventSynthesized: false });
  else // Thunderbird 140
    doc.defaultView.windowUtils.sendMouseEvent(type, box.left + 3, box.top + 3, arguments[2] ? 2 : 0, 1, 0, false, 0, 1);
return anchor.href;
"""
PICTURE = """
const done = arguments[arguments.length - 1];
const win = Services.wm.getMostRecentWindow(arguments[0]);
(async () => {
  let area = new DOMRect(0, 0, win.innerWidth, win.innerHeight);
  if (arguments[1]) {
    const body = win.document.getElementById("tabmail").currentAbout3Pane.messageBrowser.contentWindow.getMessagePaneBrowser().contentWindow;
    area = new DOMRect(body.mozInnerScreenX - win.mozInnerScreenX, body.mozInnerScreenY - win.mozInnerScreenY, ...arguments[1]);
  }
  const bitmap = await win.browsingContext.currentWindowGlobal.drawSnapshot(area, arguments[1] ? 1.5 : 1, "white");
  const canvas = win.document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
  canvas.width = bitmap.width; canvas.height = bitmap.height;
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  done(canvas.toDataURL("image/png").split(",")[1]);
})().catch(e => done("error " + e));
"""
# How much of the first line of the message has the colour of the bar; the button of the page is pressed.
BAR = """
const done = arguments[arguments.length - 1], [width, height] = [400, 14];
const win = Services.wm.getMostRecentWindow("mail:3pane");
(async () => {
  const body = win.document.getElementById("tabmail").currentAbout3Pane.messageBrowser.contentWindow.getMessagePaneBrowser().contentWindow;
  const area = new DOMRect(body.mozInnerScreenX - win.mozInnerScreenX, body.mozInnerScreenY - win.mozInnerScreenY, width, height);
  const bitmap = await win.browsingContext.currentWindowGlobal.drawSnapshot(area, 1, "white");
  const context = Object.assign(win.document.createElementNS("http://www.w3.org/1999/xhtml", "canvas"), { width, height }).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i] === 0xff && data[i + 1] === 0xf0 && data[i + 2] === 0xd9;
  done(count / (width * height));
})().catch(e => done(String(e)));
"""
PRESS = DOCUMENT + """
const box = doc.querySelector("button")?.getBoundingClientRect();
for (const type of box ? ["mousedown", "mouseup"] : [])
  if (doc.defaultView.synthesizeMouseEvent)
    doc.defaultView.synthesizeMouseEvent(type, box.left + 3, box.top + 3, { button: 0, clickCount: 1, inputSource: 1 }, { isDOMEventSynthesized: false });
  else // Thunderbird 140
    doc.defaultView.windowUtils.sendMouseEvent(type, box.left + 3, box.top + 3, 0, 1, 0, false, 0, 1);
return true;
"""
TEXT = [680, 215]  # how much of the message the pictures of README.md show, in pixels
# Thunderbird may ask whether to end the script, and opens nothing else before it is answered.  True when the message was
# read or the script is ended.
ANSWERED = DOCUMENT + """
for (const asking of Services.wm.getEnumerator(null))
  if (asking.location.href === "chrome://global/content/commonDialog.xhtml") {
    asking.document.querySelector("dialog").getButton("accept").click();
    return true;
  }
return !!doc.documentElement.dataset.urlsift;
"""
OWN_WINDOW = """
const { MailUtils } = ChromeUtils.importESModule("resource:///modules/MailUtils.sys.mjs");
const about = Services.wm.getMostRecentWindow("mail:3pane").document.getElementById("tabmail").currentAbout3Pane;
MailUtils.openMessageInNewWindow(about.gDBView.getMsgHdrAt(about.threadTree.selectedIndex));
return true;
"""
# Runs the body of a function in a page of the add-on, which is in another process, once it returns something.  The
# first argument finds its browser.
IN_PAGE = """
const [find, code, done] = arguments;
const win = Services.wm.getMostRecentWindow("mail:3pane"), name = `urlsift-test-${Math.random()}`;
const policy = WebExtensionPolicy.getByID("urlsift@addons.example");
// asked again and again, for a page that is left answers no more; once it has answered, no more
const script = `(document => {
  const root = document.documentElement, name = ${JSON.stringify(name)};
  if (root.dataset.asked === name) return;
  let got = null;
  try { got = (() => { ${code} })(); } catch (e) { got = null; }
  if (got) { root.dataset.asked = name; sendAsyncMessage(name, got); }
})(content.document);`;
(async () => {
  const asked = new Set();
  let answered = false;
  for (let i = 0; i < 125 && !answered; i++) {
    const browser = new Function("win", "policy", find)(win, policy), manager = browser?.messageManager;
    if (manager && browser.currentURI?.spec !== "about:blank") {
      if (!asked.has(manager)) manager.addMessageListener(name, ({ data }) => { answered = true; done(data); });
      asked.add(manager);
      manager.loadFrameScript(`data:,${encodeURIComponent(script)}`, false);
    }
    await new Promise(r => win.setTimeout(r, 200));
  }
  if (!answered) done("no such page");
})().catch(e => done(String(e) + e.stack));
"""
OPTIONS_PAGE = """
const url = policy.getURL("options.html"), tabmail = win.document.getElementById("tabmail");
const tab = tabmail.tabInfo.find(tab => tab.browser?.currentURI?.spec === url);
if (!tab && !win.urlsiftOptions) { win.urlsiftOptions = true; tabmail.openTab("contentTab", { url, linkHandler: "single-page" }); }
return tab?.browser;
"""
CLOSE_TAB = """
const tabmail = Services.wm.getMostRecentWindow("mail:3pane").document.getElementById("tabmail");
tabmail.closeTab(tabmail.tabInfo.at(-1));
return true;
"""
# The list of the toolbar button, and the window that explains a link.
LIST_PAGE = """
const own = win.document.getElementById("tabmail").currentAbout3Pane.messageBrowser.contentWindow.document;
const button = own.getElementById("urlsift_addons_example-messageDisplayAction-toolbarbutton");
const browser = [...own.querySelectorAll("browser"), ...win.document.querySelectorAll("browser")].find(b => b.currentURI?.spec === policy.getURL("links.html"));
if (!browser && button) {
  win.urlsiftList = (win.urlsiftList || 0) + 1;
  if (win.urlsiftList % 30 === 1) button.click(); // again where an earlier list was still being closed
}
return browser;
"""
EACH = "(name => [...document.querySelectorAll(name)].map(element => element.textContent))"
ITEMS = f"const items = {EACH}('li'); return items.length && items"
CLOSE_LIST = """
const win = Services.wm.getMostRecentWindow("mail:3pane");
const own = win.document.getElementById("tabmail").currentAbout3Pane.messageBrowser.contentWindow.document;
const panels = [...own.querySelectorAll("panel"), ...win.document.querySelectorAll("panel")].filter(p => p.state === "open");
for (const panel of panels) panel.hidePopup();
win.urlsiftList = 0;
const browsers = [...own.querySelectorAll("browser"), ...win.document.querySelectorAll("browser")];
return !panels.length && !browsers.some(b => b.currentURI?.spec.endsWith("/links.html"));
"""
COMPOSED = """
const win = Services.wm.getMostRecentWindow("msgcompose");
return win?.document.querySelector("#toAddrContainer mail-address-pill")?.emailAddress;
"""
EXPLAIN_PAGE = """
for (const other of Services.wm.getEnumerator(null))
  for (const browser of other.document.querySelectorAll("browser"))
    if (browser.currentURI?.spec.startsWith(policy.getURL("explain.html"))) return browser;
return null;
"""
# The items of the add-on in the menu of a link; the one of that id is chosen.
MENU = """
const [chosen, done] = arguments;
const about = Services.wm.getMostRecentWindow("mail:3pane").document.getElementById("tabmail").currentAbout3Pane;
const prefix = "urlsift_addons_example-menuitem-";
(async () => {
  const menu = about.document.getElementById("mailContext");
  let items = [];
  for (let i = 0; i < 100 && !(items.length && menu.state === "open"); i++) {
    await new Promise(r => about.setTimeout(r, 100));
    items = [...menu.querySelectorAll(`menuitem[id^="${prefix}"]`)].filter(item => !item.hidden);
  }
  await new Promise(r => about.setTimeout(r, 500)); // the add-on adds the other readings
  items = [...menu.querySelectorAll(`menuitem[id^="${prefix}"]`)].filter(item => !item.hidden);
  const item = items.find(item => item.id === `${prefix}_${chosen}`);
  item?.doCommand();
  menu.hidePopup();
  done(items.map(item => item.label));
})().catch(e => done(String(e) + e.stack));
"""


class Thunderbird(Marionette):
    def __init__(self, folder, dark=False):
        mail = os.path.join(folder, "profile", "Mail", "Local Folders")
        os.makedirs(mail)
        with open(os.path.join(mail, "test"), "wb") as file:
            for _, data in MESSAGES:
                file.write(b"From - Tue May 12 10:21:07 2026\nX-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n" + data.replace(b"\nFrom ", b"\n>From ") + b"\n")
        super().__init__("thunderbird", folder, PREFS, dark)
        self.send("Marionette:SetContext", {"value": "chrome"})
        if not self.wait("""return Services.wm.getMostRecentWindow("mail:3pane")?.document.getElementById("tabmail")?.currentAbout3Pane?.document.readyState == "complete" """):
            raise Failed("Thunderbird's window did not open")

    def open(self, subject):
        found = self.async_script(OPEN, {"subject": subject, "count": len(MESSAGES)})
        if found != len(MESSAGES):
            raise Failed(f"{found} messages in the folder")

    def state(self, subject, own=False):
        found = self.wait(STATE, own, subject)
        if not found:
            raise Failed(f"the add-on did not read the message {subject}")
        return json.loads(found)

    def picture(self, name, window="mail:3pane", size=None):
        if os.environ.get("SHOTS"):
            with open(os.path.join(os.environ["SHOTS"], f"{name}.png"), "wb") as file:
                file.write(base64.b64decode(self.async_script(PICTURE, window, size)))


def pages(t):
    """The menu of a link, the list of the toolbar button, the options."""
    def again():
        t.open("without")
        t.state("without")
        t.open("plain")
        return t.state("plain")
    again()
    t.script(CLICK, False, 4, ["mousedown", "contextmenu"])
    check("the menu of a link", t.async_script(MENU, "explain"),
          ["Copy the rejoined link", "Explain this link",
           f"Open with the hyphen read differently: {HREFS[4].replace('2026-05', '202605')}",
           f"Open without joining the lines: {HREFS[4].replace('2026-05', '2026-')[:-len('-01&view=missing')]}"])
    explained = t.async_script(IN_PAGE, EXPLAIN_PAGE, "return document.getElementById('fields').textContent && document.body.textContent")
    expect("the link is explained in a window", HREFS[4] in explained and "mirror.post.example" in explained.replace(HREFS[4], ""), explained)
    listed = t.async_script(IN_PAGE, LIST_PAGE, ITEMS)
    check("the list of the toolbar button", [item for item in listed if not any(item.startswith(text) for text in [*HREFS, "www.post.example/~ada"])],
          ["javascript:alert(1)it could run programs or read files on this computer"])
    check("the list has every link and says what is guessed", [len(listed), listed[2].startswith(HREFS[4] + "guessed:")], [6, True])
    for subject in ("turned", "kinds"):
        t.wait(CLOSE_LIST)
        t.open(subject)
        t.state(subject)
        found = t.async_script(IN_PAGE, LIST_PAGE, ITEMS)
        if subject == "turned":
            check("a long text is cut", found[1], "long " * 12 + " \u2013 http://a.example/")
            check("a direction ends with its text", t.async_script(IN_PAGE, LIST_PAGE, f"return {EACH}('li:first-child bdi')"),
                  ["\u202ex", "http://moc.knab.ni/"])
    check("links of all kinds", [item[:6] for item in found], ["ftp://", "mailto", "news:x", "http:/"])
    check("those that can be opened", t.async_script(IN_PAGE, LIST_PAGE, f"return {EACH}('button')"),
          ["mailto:a+b@b.example?subject=c%20d&body=e", "http://d.example/"])
    t.async_script(IN_PAGE, LIST_PAGE, "document.querySelector('button').click(); return true")
    check("a mailto: link begins a message", t.wait(COMPOSED), "a+b@b.example")
    t.wait(CLOSE_LIST)
    again()
    choose = """const join = document.getElementById('join'), warnings = document.getElementById('warnings');
        if (join.value !== 'sure') return null;
        join.value = 'never'; warnings.checked = false;
        for (const control of [join, warnings]) control.dispatchEvent(new document.defaultView.Event('change'));
        return document.body.textContent"""
    expect("the options", "Show warnings" in t.async_script(IN_PAGE, OPTIONS_PAGE, choose))
    t.picture("thunderbird-options")
    t.script(CLOSE_TAB)
    chosen = again()
    check("no join", [href[0] for href in chosen["anchors"]], HREFS[:4] + ["https://mirror.post.example/status?host=archive&from=2026-04-01&to=2026-"] + HREFS[6:])
    check("no warning", chosen["warnings"], [])


def hostile(t):
    """No deceit is without a warning."""
    for subject in deceits.PAGES:
        t.open(subject)
        t.state(subject)
        t.wait(DOCUMENT + "return doc.querySelector('.urlsift-warning')", False, seconds=1)
        time.sleep(0.5)  # the observer of what is cut
        t.picture(f"thunderbird-{subject}")
        found = json.loads(t.script(WARNED, False))
        warned = [name for name, warnings in found["cases"] if any("evil.example" in text or "bank.example" in text for text in warnings)]
        if subject == "honest":
            complaints("warnings of what is honest", warned)
        else:
            complaints(f"{subject}: without a warning", [name for name, _ in found["cases"] if name not in (*warned, *deceits.CUT)])
        check(f"{subject}: warnings in the bar", bool(found["top"]), subject != "honest")
    expect("cases", len(found["cases"]) == 1, found)
    for subject in (*deceits.HIDING, *deceits.LAID):
        t.open(subject)
        t.state(subject)
        t.script(PRESS, False)
        time.sleep(0.5)  # what moves, and what is laid over
        expect("the bar is seen", t.async_script(BAR) > 0.5, at=subject)


def processor_seconds(pid):
    """Of a process and those below it."""
    spent, children = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            spent[int(entry)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            children.setdefault(int(fields[1]), []).append(int(entry))
    below = [pid]
    for parent in below:
        below += children.get(parent, [])
    return sum(spent.get(process, 0) for process in below)


def slowness():
    """How many times as long as elsewhere the processor takes now, at least 1."""
    begin, n = time.process_time(), 0
    for i in range(1_000_000):
        n += i & 3
    return max(1, (time.process_time() - begin) / LOOP_SECONDS)


def is_limited(t):
    return any("too large" in text for text in json.loads(t.script(WARNED, False))["top"])


def ended(t):
    """What a user may end, since Thunderbird asks for it, has said before that it is not checked in full."""
    limit = "Services.prefs.setIntPref('dom.max_ext_content_script_run_time', arguments[0])"
    t.script(limit, 1)
    t.open("shapes")
    t.wait(STATE, False, "shapes", seconds=10)
    expect("what is ended is not checked in full", is_limited(t))
    t.script(limit, PREFS["dom.max_ext_content_script_run_time"])
    expect("what Thunderbird asks is answered", t.wait(ANSWERED, False, seconds=60))


def heavy(t):
    """Mail that is made to be slow is read in bounded time, and what was not checked is said."""
    for subject in deceits.HEAVY:
        limit = HEAVY_SECONDS * slowness()
        t.open("without")
        t.state("without")
        begin = processor_seconds(t.process.pid)
        t.open(subject)
        found = None
        spent = 0
        while not found and (spent < limit or spent < (limit := HEAVY_SECONDS * slowness())):  # it may be slower now
            found = t.script(STATE, False, subject)
            time.sleep(0.05)
            spent = processor_seconds(t.process.pid) - begin
        expect("hostile mail is read in bounded time", found, f"{subject}: {spent:.1f} s of processors", at=subject)
        if not found:
            raise Failed(f"{subject} took too long: no further message is opened")
        late = milliseconds(json.loads(found)) > LATE
        check("what is not checked in full says so", late or is_limited(t), late or subject not in deceits.WHOLE, at=subject)
        if os.environ.get("V"):
            print(f"{subject}: {spent:.1f} s of processors", flush=True)


def milliseconds(state):
    return int(state["done"].split(", ")[1].split()[0])


def use(t):
    t.open("plain")
    before = json.loads(t.wait(PLAIN, False, "plain"))
    t.picture("thunderbird-before")
    t.picture("thunderbird-alone", size=TEXT)
    t.open("without")
    t.install(XPI)
    time.sleep(1)
    expect("the list of a message that was open before", "has not been read" in t.async_script(IN_PAGE, LIST_PAGE, "return document.body.textContent.trim()"))
    t.wait(CLOSE_LIST)
    t.open("plain")
    plain = t.state("plain")
    t.picture("thunderbird-after")
    t.picture("thunderbird", size=TEXT)
    check("the targets", [anchor[0] for anchor in plain["anchors"]], HREFS)
    expect("Thunderbird alone has cut ones", "https://files.archive.example/pub/reports/" in before, before)
    guessed = [anchor for anchor in plain["anchors"] if anchor[3] == "dotted"]
    check("a guess is dotted, and says so", [(anchor[0], anchor[4].startswith("Guessed")) for anchor in guessed], [(HREFS[4], True)] * 2)
    check("a hyphen", [anchor[1] for anchor in plain["anchors"]][2:4], ["https://www.archive.example/minutes/spring-", "meeting.html#votes"])
    check("a warning is text after its link", [(words[0].strip()[:1], words[1]) for words in plain["warnings"]][:1], [("\u26a0", "http://www.bank.example@203.0.113.7/login")])
    check("nothing else has changed", [line for line in BROKEN.split() if line not in plain["text"]], [])
    t.script(WATCH, False)
    for i in (0, 1, 5, 6):
        check("it is clicked", t.script(CLICK, False, i), HREFS[i])
    check("a click opens the joined URL", t.wait("const o = Services.wm.getMostRecentWindow('mail:3pane').urlsiftOpened; return o.length >= 4 && o"),
          [HREFS[i] for i in (0, 1, 5, 6)])

    t.open("flowed")
    flowed = t.state("flowed")
    check("flowed", [anchor[0] for anchor in flowed["anchors"]], ["https://a.example/one/two/three"] * (len(flowed["anchors"]) - 2) + ["https://b.example/four-five"] * 2)
    t.open("html")
    page = t.state("html")
    t.picture("thunderbird-html")
    check("HTML: a warning beside the deceptive link alone", [words[1] for words in page["warnings"]], ["www.seeds.example"])
    expect("HTML: it names the host", "seeds.example.evil.example" in page["warnings"][0][0], page["warnings"])
    check("HTML: the anchors", [anchor[2] for anchor in page["anchors"]], [""] * 3)
    hostile(t)
    heavy(t)
    ended(t)
    t.open("large")
    big = t.state("large")
    check("937 links", [len(big["anchors"]), big["anchors"][1873][0]], [1874, "https://files.archive.example/pub/936/a-long/7412184.html"])
    t.open("without")
    check("no link", t.state("without")["done"].split(",")[0], "0 links")

    times = {"plain": [], "large": []}
    for _ in range(5):
        for subject, found in times.items():
            t.open(subject)
            state = t.state(subject)
            check(f"{subject} again", len(state["anchors"]), 1874 if subject == "large" else len(HREFS))
            found.append(milliseconds(state))
            t.open("without")
            t.state("without")
    print(f"add-on: plain mail {min(times['plain'])} to {max(times['plain'])} ms, 937 links {min(times['large'])} to {max(times['large'])} ms", flush=True)

    t.open("plain")
    t.state("plain")
    t.script(OWN_WINDOW)
    own = t.state("plain", own=True) if t.wait("return !!Services.wm.getMostRecentWindow('mail:messageWindow')?.messageBrowser") else {}
    check("a window of its own", [anchor[0] for anchor in own.get("anchors", [])], HREFS)
    t.picture("thunderbird-window", "mail:messageWindow")
    pages(t)


def build_again():
    """The same files give the same archive."""
    with tempfile.TemporaryDirectory() as folder:
        again = os.path.join(folder, "again.xpi")
        js = os.path.join(TOP, "js")
        subprocess.run([sys.executable, "test/xpi.py", again, "thunderbird", "urlsift.mjs", "../LICENSE", os.path.join(TOP, "build/js/urlsift.wasm")], cwd=js, check=True)
        with open(again, "rb") as one, open(XPI, "rb") as other:
            check("the XPI is reproducible", one.read() == other.read())


def locales():
    """Every message of the add-on is there in English, and what is translated exists."""
    folder = os.path.join(TOP, "js", "thunderbird")
    found = {name: json.load(open(os.path.join(folder, "_locales", name, "messages.json"), encoding="utf-8")) for name in ("en", "de")}
    complaints("strings without German", sorted(set(found["en"]) - set(found["de"])))
    complaints("German without English", sorted(name for name in set(found["de"]) - set(found["en"]) if not name.startswith("warning_")))


def run():
    build_again()
    locales()
    if not shutil.which("thunderbird"):
        return skip("the add-on in Thunderbird", "thunderbird is not installed")
    for dark in (False, True):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            with contextlib.ExitStack() as stack:
                try:
                    t = stack.enter_context(Thunderbird(folder, dark))
                    if dark:
                        t.install(XPI)
                        time.sleep(1)
                        t.open("plain")
                        check("dark", [anchor[0] for anchor in t.state("plain")["anchors"]], HREFS)
                        t.picture("thunderbird-dark")
                    else:
                        use(t)
                except (Failed, OSError, subprocess.SubprocessError) as error:
                    expect(f"thunderbird: {error}", False)
    return None
