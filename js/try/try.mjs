// The page to try: the text area, or a file, as hypertext; what is known about a link; the options.
import { create, escapeHtml } from "./urlsift.mjs";

const EXAMPLES = [`> The reports are at <https://files.archive.example/pub/reports/
> 2026/wide-area.pdf> now, and the minutes moved to
> <URL:https://www.archive.example/minutes/spring-
> meeting.html#votes>.

Thanks, found both.  The status page is
https://mirror.post.example/status?host=archive&from=2026-04-01&to=2026-
05-01&view=missing (every night), or ask at www.post.example/~ada.

Do not open http://www.bank.example@203.0.113.7/login or
<javascript:alert(document.domain)>.  www.pаypal.example is not what it looks like.
`, `Seen today: hxxps://update[.]vendor[.]example/setup.exe and
203[.]0[.]113[.]9, reported to abuse[at]vendor[.]example.

Write to ada@post.example, or see post.org/help
(tick the options below).
`];

const byId = id => document.getElementById(id);
const [text, output, detail, json, count] = ["text", "output", "detail", "json", "count"].map(byId);
const LONGEST_HASH = 1000000; // Firefox opens no URL of more than 1 MiB, Chromium none of more than 2
const SWITCHES = ["email", "domains", "refang"], CHOICES = ["join", "hyphen"];

let urlsift, mailModule = null, links = [], example = 0, mailBytes = null;

function options() {
  const chosen = { guess: true };
  for (const name of SWITCHES) if (byId(name).checked) chosen[name] = true;
  for (const name of CHOICES) chosen[name] = byId(name).value;
  return chosen;
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter(child => child !== null));
  return made;
}

// ---- The text with its links ----

function anchorOf(link, index, part, shown) {
  const isGuess = link.flags.includes("join-guessed");
  const name = `${link.text}${link.parts.length > 1 ? `, part ${part + 1} of ${link.parts.length}` : ""}${isGuess ? ", guessed" : ""}`;
  const made = link.linkable
    ? element("a", { href: link.href, className: isGuess ? "guess" : "", rel: "noreferrer noopener" })
    : element("button", { type: "button", className: "dead" });
  made.textContent = shown;
  made.dataset.link = index;
  if (link.parts.length > 1) made.title = name;
  return made;
}

function showText(source) {
  const fragment = document.createDocumentFragment();
  let at = 0;
  links.forEach((link, index) => {
    link.parts.forEach((part, i) => {
      fragment.append(source.slice(at, part.start), anchorOf(link, index, i, source.slice(part.start, part.end)));
      at = part.end;
    });
    for (const warning of link.warnings) fragment.append(" ", element("span", { className: "warning" }, warning.replaceAll("-", " ")));
  });
  fragment.append(source.slice(at));
  output.className = "";
  output.replaceChildren(fragment);
}

function showCount() {
  const broken = links.filter(link => link.parts.length > 1).length, warned = links.filter(link => link.warnings.length).length;
  count.textContent = `${links.length} found, ${broken} rejoined, ${warned} with a warning`;
}

function searchText() {
  mailBytes = null;
  links = urlsift.find(text.value, options());
  showText(text.value);
  showCount();
  json.textContent = JSON.stringify(links, null, 2);
  choose(null);
}

// ---- Messages and mailboxes ----

// The module for mail is loaded when the first message is opened.
async function searchMail(bytes) {
  mailModule ??= await (await import("./mail.mjs")).create();
  mailBytes = bytes;
  links = mailModule.findInMail(bytes, options());
  output.className = "mail";
  // the library escapes all text and writes no other markup of the message
  output.innerHTML = mailModule.html(bytes, options());
  for (const anchor of output.querySelectorAll("a[href]"))
    if (!anchor.getAttribute("href").startsWith("#")) anchor.dataset.link = links.findIndex(link => link.href === anchor.getAttribute("href"));
  showCount();
  json.textContent = mailModule.records(bytes, options());
  choose(null);
}

function isMail(bytes) {
  const head = new TextDecoder().decode(bytes.subarray(0, 2000));
  return /^(From |>From |[!-9;-~]+:[ \t]|\s*<(!doctype|html))/i.test(head) && /^(From|Date|Subject|Received|Message-ID|MIME-Version):|<html|<!doctype/im.test(head);
}

// In place of the links: what was not searched, and why.
function showFailure(what) {
  mailBytes = null;
  links = [];
  output.className = "";
  output.replaceChildren(element("p", { role: "alert" }, what));
  count.textContent = json.textContent = "";
  detail.replaceChildren();
}

// Opens the first of the files that were chosen or dropped.  A folder cannot be read, nor what has been removed.
async function open([file]) {
  if (!file) return;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer()), mail = isMail(bytes);
    // of a message the pane shows 200 KB; all of it is searched
    text.value = new TextDecoder().decode(mail ? bytes.subarray(0, 200000) : bytes);
    if (mail) await searchMail(bytes);
    else searchText();
  } catch (error) {
    showFailure(`${file.name} was not searched: ${error.message}`);
  }
}

const again = () => mailBytes ? searchMail(mailBytes) : searchText();

// ---- One link ----

function pairs(rows) {
  return element("dl", {}, ...rows.filter(row => row[1]).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function choose(index) {
  for (const part of output.querySelectorAll("[data-link]")) part.classList.toggle("chosen", index !== null && Number(part.dataset.link) === index);
  const link = index === null ? null : links[index];
  if (!link) {
    detail.replaceChildren(element("p", {}, links.length ? "Choose a link in the text." : "No link was found."));
    return;
  }
  const report = urlsift.explain(link.href ?? link.text);
  const url = element("p", { className: "url" }, link.text);
  const action = link.linkable
    ? element("p", {}, element("a", { href: link.href, target: "_blank", rel: "noreferrer noopener" }, "Open this link"))
    : element("p", {}, element("span", { className: "dead" }, "It must not be followed."));
  const others = link.alternates.map(other => element("p", {}, other.why === "hyphen" ? "With the hyphen read differently: " : "If the lines are not joined: ",
    other.href ? element("a", { href: other.href, target: "_blank", rel: "noreferrer noopener" }, other.text) : other.text));
  const warnings = link.warnings.map(name => element("p", {}, element("span", { className: "warning" }, `${name.replaceAll("-", " ")}`), ` ${urlsift.reason(name) ?? ""}`));
  detail.replaceChildren(url, ...warnings, action, ...others, pairs([
    ["found as", link.convention], ["in parts", link.parts.length > 1 ? String(link.parts.length) : ""], ["marks", link.flags.join(", ")],
    ["target", link.href === link.text ? "" : link.href], ["scheme", `${report.scheme}${report.purpose ? `: ${report.purpose}` : ""}`],
    ...report.fields.map(field => [field.name, field.note ? `${field.value} (${field.note})` : field.value]), ["leads on to", report.unwrapped],
  ]));
}

output.addEventListener("click", event => {
  const part = event.target.closest?.("[data-link]");
  if (!part || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  choose(Number(part.dataset.link));
});

// ---- Input ----

function shared() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("text")) return false;
  text.value = given.get("text");
  for (const name of SWITCHES) byId(name).checked = given.has(name);
  for (const name of CHOICES) if ([...byId(name).options].some(option => option.value === given.get(name))) byId(name).value = given.get(name);
  return true;
}

byId("share").addEventListener("click", () => {
  const given = new URLSearchParams({ text: text.value });
  for (const [name, value] of Object.entries(options())) if (name !== "guess") given.set(name, value === true ? "1" : value);
  const hash = given.toString(), isLong = hash.length > LONGEST_HASH;
  byId("share-place").hidden = isLong;
  byId("share-long").hidden = !isLong;
  if (isLong) return;
  const url = new URL(location.href);
  url.hash = hash;
  history.replaceState(null, "", url);
  byId("share-url").value = url.href;
  byId("share-url").select();
});

byId("example").addEventListener("click", () => {
  text.value = EXAMPLES[++example % EXAMPLES.length];
  searchText();
});
byId("file").addEventListener("change", event => open(event.target.files));
for (const name of [...SWITCHES, ...CHOICES]) byId(name).addEventListener("change", again);
let timer;
text.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(searchText, text.value.length > 100000 ? 300 : 0);
});
window.addEventListener("hashchange", () => { if (shared()) searchText(); });

const hasFile = event => [...event.dataTransfer?.types ?? []].includes("Files");
window.addEventListener("dragover", event => {
  if (!hasFile(event)) return;
  event.preventDefault();
  byId("drop").hidden = false;
});
window.addEventListener("dragleave", event => { if (!event.relatedTarget) byId("drop").hidden = true; });
window.addEventListener("drop", event => {
  byId("drop").hidden = true;
  if (!hasFile(event)) return;
  event.preventDefault();
  open(event.dataTransfer.files);
});

urlsift = await create();
if (!shared()) text.value = EXAMPLES[0];
searchText();
document.documentElement.dataset.ready = "1";
