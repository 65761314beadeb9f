// The links of messages, mailboxes and HTML documents, and the records of the command: the wrapper of urlsift-mail.wasm.
import { Urlsift, bytesOf, checkOptions, compile, compileSync, counted } from "./urlsift.mjs";

export { escapeHtml } from "./urlsift.mjs";

const encoder = new TextEncoder();

// A message declares its charsets: a string would have lost them.
function mailBytes(input) {
  const bytes = bytesOf(input);
  if (bytes) return bytes;
  throw new TypeError("mail is bytes, as it was received: a Uint8Array or an ArrayBuffer; readFile without an encoding gives them");
}

export class UrlsiftMail extends Urlsift {
  findInMail(message, options) {
    return this._withBytes(mailBytes(message), options, (x, finder, length, given) => {
      const links = counted(x.mail_find(finder, length, given));
      let last = null;
      return this._links(finder, links, null, [], (link, word, string) => {
        link.label = string();
        link.decoded = word() !== 0;
        const index = word();
        link.part = string();
        link.field = string() || null;
        link.attribute = string() || null;
        const message = { index, id: string(), subject: string(), from: string() };
        // the links of a message share it
        if (last === null || last.index !== index || last.id !== message.id) last = message;
        link.message = last;
      });
    });
  }

  records(input, options = {}) {
    const { name = "-", ...others } = checkOptions(options);
    if (typeof name !== "string" || name.includes("\0")) throw new TypeError("option name: not a string without NUL");
    return this.#render(input, name, others, 0);
  }

  html(input, options) {
    return this.#render(input, "-", options, 1);
  }

  #render(input, name, options, html) {
    const named = encoder.encode(`${name}\0`), own = mailBytes(input);
    const bytes = new Uint8Array(named.length + own.length);
    bytes.set(named);
    bytes.set(own, named.length);
    return this._withBytes(bytes, options, (x, finder, length, given) => {
      counted(x.render(finder, length, given, html));
      return this._reader(x.finder_words(finder) >>> 0).string();
    });
  }
}

export async function create(source) {
  const module = await compile(source ?? new URL("urlsift-mail.wasm", import.meta.url), "mail_find");
  return new UrlsiftMail(await WebAssembly.instantiate(module));
}

export function createSync(source) {
  return new UrlsiftMail(new WebAssembly.Instance(compileSync(source, "mail_find")));
}
