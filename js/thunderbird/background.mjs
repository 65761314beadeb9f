// Keeps the module, answers the scripts in messages, and makes the menu of a link.  Nothing is sent anywhere.
import { create } from "./urlsift.mjs";

const DEFAULTS = { join: "sure", warnings: true, look: "dotted" };
const text = (name, ...values) => messenger.i18n.getMessage(name, values);

let module = null;
const loaded = () => module ??= create();

// ---- Scripts in messages ----

const SCRIPT = { id: "urlsift", js: ["content.js"], css: ["content.css"] };

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

// The anchors whose text names another host than their target: what the library finds in `text <target>`.
async function findMismatches(anchors) {
  const urlsift = await loaded(), chosen = await settings();
  if (!chosen.warnings) return [];
  return anchors.map(({ shown, href }) => {
    const named = urlsift.find(shown, { domains: true, join: "never" })[0];
    if (!named) return null;
    const found = urlsift.find(`${named.text} <${href}>`, { domains: true, join: "never" }).at(-1);
    return found?.warnings.includes("text-mismatch") ? reasonOf(urlsift, "text-mismatch") : null;
  });
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
