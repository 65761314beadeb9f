// What the list and the explanation of a link have in common.
export const say = (name, ...values) => messenger.i18n.getMessage(name, values);

function elementOf(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

// Text of the message: a direction that it sets ends with it.
export const isolated = text => elementOf("bdi", text);

export function warningOf(text) {
  const warning = elementOf("p", text);
  warning.className = "warning";
  return warning;
}

export function begin(title) {
  document.title = say(title);
  document.documentElement.lang = messenger.i18n.getUILanguage();
}
