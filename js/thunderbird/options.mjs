const DEFAULTS = { join: "sure", warnings: true, look: "dotted" };
document.documentElement.lang = messenger.i18n.getUILanguage();
for (const element of document.querySelectorAll("[data-text]")) element.textContent = messenger.i18n.getMessage(element.dataset.text);
const stored = { ...DEFAULTS, ...await messenger.storage.local.get(Object.keys(DEFAULTS)) };
for (const [name, value] of Object.entries(stored)) {
  const control = document.getElementById(name), property = control.type === "checkbox" ? "checked" : "value";
  control[property] = value;
  control.addEventListener("change", () => messenger.storage.local.set({ [name]: control[property] }));
}
