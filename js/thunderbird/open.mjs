// Opens links: in the browser, or as a new message.
const SCHEME = /^(https?|mailto):/; // Thunderbird opens no other for an add-on

export const canOpen = href => SCHEME.test(href);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The message that a mailto: link begins.
function messageOf({ pathname, search }) {
  const details = { to: [pathname], cc: [], bcc: [], subject: [], body: [] };
  for (const field of search.slice(1).split("&")) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(field);
    details[Object.keys(details).find(known => known === name.toLowerCase())]?.push(value);
  }
  const addresses = values => values.flatMap(value => value.split(",")).map(decoded).filter(Boolean);
  const text = values => values.map(decoded).join("\n");
  const { to, cc, bcc, subject, body } = details;
  return { to: addresses(to), cc: addresses(cc), bcc: addresses(bcc), subject: text(subject), plainTextBody: text(body).replaceAll("\r\n", "\n"), isPlainText: true };
}

export async function openLink(href) {
  if (href.startsWith("mailto:")) await messenger.compose.beginNew(messageOf(new URL(href)));
  else await messenger.windows.openDefaultBrowser(href);
}
