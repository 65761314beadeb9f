import { Bytes, CompiledModule, Link, Options, Source, Urlsift } from "./urlsift.js";

export { escapeHtml } from "./urlsift.js";

export interface MailMessage {
  /** Its number in the mailbox, from 0. */
  index: number;
  /** Message-ID without its brackets. */
  id: string;
  subject: string;
  from: string;
}

/** Offsets are in bytes: of the input, or of the decoded part or field if `decoded` is set. */
export interface MailLink extends Link {
  message: MailMessage;
  /** The number of the MIME part, such as "1" or "2.1"; "" for a header field of the message. */
  part: string;
  /** The name of the header field; null in a body. */
  field: string | null;
  /** The element and attribute of a target in HTML, such as "a href"; in a calendar or vCard, the name of the property. */
  attribute: string | null;
  /** What a reader sees in place of the URL; "" for none. */
  label: string;
  decoded: boolean;
}

export interface MailOptions extends Omit<Options, "rules"> {
  /** The base of relative targets in HTML, and of relative URLs in `<URL:...>`, where the mail itself has none. */
  base?: string;
}

export class UrlsiftMail extends Urlsift {
  /**
   * The links of a message, a mailbox or an HTML document. A relative target in HTML is one if the mail (`<base>`,
   * Content-Base, Content-Location) or the option `base` says what it is relative to; else `records` has a notice of it.
   */
  findInMail(message: Bytes, options?: MailOptions): MailLink[];
  /** The records of `urlsift list --json`, one for each line; `name` is their source ("-"), without a NUL. */
  records(input: Bytes, options?: MailOptions & { name?: string }): string;
  /**
   * The message, mailbox or text as safe HTML, for an element of a page: what `urlsift html --fragment` writes. So that
   * browsers do not look up the hosts of its links in advance, the head of that page needs
   * `<meta http-equiv="x-dns-prefetch-control" content="off">`.
   */
  html(input: Bytes, options?: MailOptions): string;
}

/** Loads the module: by default `urlsift-mail.wasm` beside this file. */
export function create(source?: Source): Promise<UrlsiftMail>;
export function createSync(source: Bytes | CompiledModule): UrlsiftMail;
