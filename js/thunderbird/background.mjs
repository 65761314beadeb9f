// Keeps the module, answers the scripts in messages, and makes the menu of a link.  Nothing is sent anywhere.
import { create } from "./urlsift.mjs";

const DEFAULTS = { join: "sure", warnings: true, look: "dotted" };
const text = (name, ...values) => messenger.i18n.getMessage(name, values);

let module = null;
const loaded = () => module ??= create();

// ---- Scripts in messages ----

const SCRIPT = { id: "urlsift", js: ["shown.js", "content.js"], css: ["content.css"] };

async function register() {
  const api = messenger.scripting.messageDisplay;
  if ((await api.getRegisteredScripts({ ids: [SCRIPT.id] })).length === 0) await api.registerScripts([SCRIPT]);
}

// ---- Answers ----

const settings = async () => ({ ...DEFAULTS, ...await messenger.storage.local.get(Object.keys(DEFAULTS)) });

function reasonOf(urlsift, warning) {
  return text(`warning_${warning.replaceAll("-", "_")}`) || urlsift.reason(warning) || warning;
}

function describe(urlsift, link, { warnings }) {
  const { text, href, linkable, parts, alternates } = link;
  return {
    text, href, linkable, parts, alternates, guessed: link.flags.includes("join-guessed"),
    forbidden: link.warnings.includes("unlinkable-scheme"), reasons: warnings ? link.warnings.map(name => reasonOf(urlsift, name)) : [],
  };
}

// As a string: the objects of 937 links take 90 ms longer between the processes.
async function findLinks(content) {
  const urlsift = await loaded(), chosen = await settings();
  const links = urlsift.find(content, { join: chosen.join, guess: true });
  return JSON.stringify({ look: chosen.look, links: links.map(link => describe(urlsift, link, chosen)) });
}

// A text as a reader takes it: without what is not seen, and with other forms of letters and full stops as those.
const INVISIBLE = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g;
const asRead = text => text.normalize("NFKC").replace(INVISIBLE, "").replaceAll("\u3002", ".").toLowerCase().replace(/(?<![\w:/])\/\//g, "https://");

const NAMES = 200, LONG = 2000; // of hosts in a text, of a target

// The warning of a link whose text names another host than its target: what the library finds in `text <target>`.
function mismatch(urlsift, { shown, href }) {
  const options = { domains: true, email: true, join: "never" }, target = href.length > LONG ? new URL(href).origin : href;
  for (const { text } of urlsift.find(asRead(shown), options).slice(0, NAMES)) {
    const found = urlsift.find(`${text} <${target}>`, options).at(-1)?.warnings ?? [];
    const name = ["text-mismatch", "redirect"].find(name => found.includes(name));
    if (name) return reasonOf(urlsift, name);
  }
  return null;
}

async function findMismatches(anchors) {
  const urlsift = await loaded(), { warnings } = await settings();
  return warnings ? anchors.map(anchor => mismatch(urlsift, anchor)) : [];
}

async function explain(url) {
  const urlsift = await loaded(), report = urlsift.explain(url);
  report.warnings = report.warnings.map(({ name }) => ({ name, reason: reasonOf(urlsift, name) }));
  return report;
}

messenger.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== messenger.runtime.id) return undefined;
  switch (message.type) {
    case "find": return findLinks(message.text);
    case "mismatches": return findMismatches(message.anchors);
    case "explain": return explain(message.url);
    default: return undefined;
  }
});

// ---- The menu of a link ----

const OTHERS = 4; // other readings in the menu
const ITEMS = ["copy", "explain", ...Array.from({ length: OTHERS }, (_, i) => `other${i}`)];

async function makeMenu() {
  await messenger.menus.removeAll();
  for (const id of ITEMS)
    messenger.menus.create({ id, title: text(id) || id, contexts: ["link"], visible: !id.startsWith("other"), targetUrlPatterns: ["*://*/*", "ftp://*/*"] });
}

const linkOf = (tab, url) => messenger.tabs.sendMessage(tab.id, { type: "link", url }).catch(() => null);

messenger.menus.onShown.addListener(async ({ linkUrl }, tab) => {
  if (!linkUrl || !tab) return;
  const others = (await linkOf(tab, linkUrl))?.alternates.filter(other => other.href) ?? [];
  await Promise.all(Array.from({ length: OTHERS }, (_, i) => {
    const other = others[i];
    return messenger.menus.update(`other${i}`, {
      visible: Boolean(other), // in a title, one & makes the next letter an access key
      title: other ? text(other.why === "hyphen" ? "other_hyphen" : "other_join", other.text.replaceAll("&", "&&")) : " ",
    });
  }));
  messenger.menus.refresh();
});

messenger.menus.onClicked.addListener(async ({ menuItemId, linkUrl }, tab) => {
  if (menuItemId === "copy") {
    await navigator.clipboard.writeText(linkUrl);
  } else if (menuItemId === "explain") {
    await messenger.windows.create({ type: "popup", width: 640, height: 480, url: `explain.html#${encodeURIComponent(linkUrl)}` });
  } else {
    const others = (await linkOf(tab, linkUrl))?.alternates.filter(other => other.href) ?? [];
    const other = others[Number(menuItemId.slice("other".length))];
    if (other) await messenger.windows.openDefaultBrowser(other.href);
  }
});

// An event page starts again whenever it is needed: what exists is not made again.
messenger.runtime.onInstalled.addListener(makeMenu);
messenger.runtime.onStartup.addListener(makeMenu);
register();
loaded();
