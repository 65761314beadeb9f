// The links of the displayed message; one that is chosen opens in the browser.
const say = (name, ...values) => messenger.i18n.getMessage(name, values);
const list = document.getElementById("links");
const [tab] = await messenger.tabs.query({ active: true, currentWindow: true });
const links = await messenger.tabs.sendMessage(tab.id, { type: "links" }).catch(() => []);

document.documentElement.lang = messenger.i18n.getUILanguage();
document.title = say("links");
for (const link of links ?? []) {
  const item = document.createElement("li");
  if (link.linkable) {
    const button = document.createElement("button");
    button.textContent = link.label ? `${link.label} \u2013 ${link.text}` : link.text;
    button.addEventListener("click", async () => {
      await messenger.windows.openDefaultBrowser(link.href);
      window.close();
    });
    item.append(button);
  } else {
    item.append(link.text);
  }
  const notes = [...link.guessed ? [say("is_guessed")] : [], ...link.reasons];
  if (notes.length) {
    const note = document.createElement("p");
    note.className = "warning";
    note.textContent = notes.join("; ");
    item.append(note);
  }
  list.append(item);
}
if (!links?.length) list.replaceWith(say("no_links"));
