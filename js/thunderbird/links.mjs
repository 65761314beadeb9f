// The links of the displayed message; one that is chosen is opened.
import { canOpen, openLink } from "./open.mjs";
import { begin, isolated, say, warningOf } from "./page.mjs";

const list = document.getElementById("links");
const [tab] = await messenger.tabs.query({ active: true, currentWindow: true });
const links = await messenger.tabs.sendMessage(tab.id, { type: "links" }).catch(() => null);

begin("links");
for (const { text, href, linkable, label, guessed, reasons } of links ?? []) {
  const item = document.createElement("li"), shown = [...label ? [isolated(label), " \u2013 "] : [], isolated(text)];
  const isButton = linkable && canOpen(href), notes = [...guessed ? [say("is_guessed")] : [], ...reasons];
  if (isButton) {
    const button = document.createElement("button");
    button.append(...shown);
    button.addEventListener("click", async () => {
      await openLink(href);
      window.close();
    });
    item.append(button);
  } else {
    item.append(...shown);
    if (linkable) notes.push(say("not_opened"));
  }
  if (notes.length) item.append(warningOf(notes.join("; ")));
  list.append(item);
}
if (!links?.length) list.replaceWith(say(links ? "no_links" : "not_read"));
