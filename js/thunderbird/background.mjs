// Keeps the module, answers the scripts in messages, and makes the menu of a link.  Nothing is sent anywhere.
import { canOpen, openLink } from "./open.mjs";
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
async function findLinks(texts) {
  const urlsift = await loaded(), chosen = await settings(), options = { join: chosen.join, guess: true };
  const found = texts.map(text => urlsift.find(text, options).map(link => describe(urlsift, link, chosen)));
  return JSON.stringify({ look: chosen.look, found });
}

// A text as a reader takes it: without what is not seen, and with other forms of letters and full stops as those.
const INVISIBLE = /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;
const asRead = text => text.normalize("NFKC").replace(INVISIBLE, "").replaceAll("\u3002", ".").toLowerCase().replace(/(?<![\w:/])\/\//g, "https://");

const LONG = 2000; // of a target
const WORK = 20000000, CALL = 500; // of the comparisons of a message in characters, and what one takes beside its own

// The warnings of links whose texts name another host than their targets: what the library finds in `text <target>`.
function mismatches(urlsift, anchors, texts) {
  const options = { domains: true, email: true, join: "never" }, known = new Map();
  const names = texts.map(text => new Set(urlsift.find(asRead(text), options).map(link => link.text)));
  let left = WORK;
  const compare = text => {
    left -= text.length + CALL;
    const found = left < 0 ? [] : urlsift.find(text, options).at(-1)?.warnings ?? [];
    return ["text-mismatch", "redirect"].find(name => found.includes(name)) ?? null;
  };
  const warningOf = ({ href, shown }) => {
    const target = href.length > LONG ? new URL(href).origin : href;
    for (const number of shown) for (const name of names[number]) {
      const text = `${name} <${target}>`;
      if (!known.has(text)) known.set(text, compare(text));
      if (left < 0 || known.get(text)) return known.get(text);
    }
    return null;
  };
  return { found: anchors.map(warningOf), complete: left >= 0 };
}

async function findMismatches({ anchors, texts }) {
  const urlsift = await loaded(), { warnings } = await settings();
  if (!warnings) return null;
  const { found, complete } = mismatches(urlsift, anchors, texts);
  return JSON.stringify({ reasons: found.map(name => name && reasonOf(urlsift, name)), complete });
}

async function explain(url) {
  const urlsift = await loaded(), report = urlsift.explain(url);
  report.warnings = report.warnings.map(({ name }) => ({ name, reason: reasonOf(urlsift, name) }));
  return report;
}

messenger.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== messenger.runtime.id) return undefined;
  switch (message.type) {
    case "find": return findLinks(message.texts);
    case "mismatches": return findMismatches(message);
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

async function othersOf(tab, url) {
  const link = await messenger.tabs.sendMessage(tab.id, { type: "link", url }).catch(() => null);
  return link?.alternates.filter(({ href }) => href && canOpen(href)) ?? [];
}

messenger.menus.onShown.addListener(async ({ linkUrl }, tab) => {
  if (!linkUrl || !tab) return;
  const others = await othersOf(tab, linkUrl);
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
    const other = (await othersOf(tab, linkUrl))[Number(menuItemId.slice("other".length))];
    if (other) await openLink(other.href);
  }
});

// An event page starts again whenever it is needed: what exists is not made again.
messenger.runtime.onInstalled.addListener(makeMenu);
messenger.runtime.onStartup.addListener(makeMenu);
register();
loaded();
