/** Why a join or a hyphen has another reading. */
export interface Alternate {
  text: string;
  /** The target of this reading; null if the link must not be followed. */
  href: string | null;
  why: "hyphen" | "join";
  /** From 0 to 1. */
  confidence: number;
}

/** A range of the text in UTF-16 code units: `text.slice(start, end)`. */
export interface Part {
  start: number;
  end: number;
}

export type Convention =
  | "wrapper" | "angle" | "quoted" | "prefix" | "bare" | "schemeless" | "email" | "rule";

export interface Link {
  /** Where its first part begins, and where its last part ends. */
  start: number;
  end: number;
  /** Its parts, in order: more than one if the link is broken by line ends. */
  parts: Part[];
  /** The URL as its author meant it, rejoined, with nothing encoded. */
  text: string;
  /** The absolute target, ASCII, for an href; null if the link must not be followed (see `linkable`). */
  href: string | null;
  /** In lower case; supplied if the text has none. */
  scheme: string;
  /** Whether the link may become an anchor: false for `javascript:` and what browsers cannot open. */
  linkable: boolean;
  convention: Convention;
  /** Such as "joined", "join-guessed", "hyphen-ambiguous", "refanged"; frozen. */
  flags: readonly string[];
  /** Such as "userinfo-spoof", "confusable", "text-mismatch"; frozen. `reason` explains each. */
  warnings: readonly string[];
  /** Other readings, if it is not certain where the link ends or whether a hyphen belongs to it; frozen if empty. */
  alternates: readonly Alternate[];
}

export interface Rule {
  /**
   * Matched within one line, outside other links, where it is not empty; its flags `g` and `y` have no effect. A
   * match is widened to whole characters, of which one without the flag `u` may have half.
   */
  pattern: RegExp;
  /**
   * The absolute URL of a match: $0 is the match, $1 to $9 are its groups, $$ is a dollar sign. If it must not be
   * followed, the match is no link.
   */
  href: string;
}

export interface Options {
  /** Bare e-mail addresses are links (false). */
  email?: boolean;
  /** Bare domain names, such as `example.org/path`, are links (false). */
  domains?: boolean;
  /** Bare IPv4 addresses, such as `192.0.2.1`, are links (false). */
  ipv4?: boolean;
  /** Defanged links, such as `hxxp://example[.]org`, are found (false). */
  refang?: boolean;
  /** The scheme of `www.` names ("http"). */
  www?: "http" | "https";
  /** The base of relative URLs in `<URL:...>`. */
  base?: string;
  /** Which line breaks outside brackets are joined: none, those the text declares, sure or likely guesses ("sure"). */
  join?: "never" | "declared" | "sure" | "likely";
  /** Whether a hyphen before a line break belongs to the link ("keep"). */
  hyphen?: "keep" | "drop";
  /** Links have the other reading of a guessed join as an alternate (false). */
  guess?: boolean;
  /** Further text that becomes links. Not for streams. */
  rules?: readonly Rule[];
}

export type AttributeMap = Record<string, string | number | boolean | null | undefined>;

export interface LinkifyOptions extends Options {
  /** Attributes of the anchors; without a `rel` there is rel="nofollow noopener noreferrer ugc". False, null and undefined leave one out, true gives one without a value. */
  attributes?: AttributeMap | ((link: Link) => AttributeMap | null | undefined);
}

export interface LinkStream {
  /** Returns the links that are complete: a URL that ends its line waits for the next line, which may continue it. */
  write(chunk: string): Link[];
  /** Returns the remaining links, and frees the memory of the stream. */
  end(): Link[];
}

export interface Report {
  url: string;
  scheme: string;
  /** Whether the scheme is known. */
  known: boolean;
  /** What the scheme is for. */
  purpose: string;
  linkable: boolean;
  href: string | null;
  /** The comparable form. */
  normal: string;
  /** The target that a link rewriter has put into the URL. */
  unwrapped: string | null;
  /** What a client would do with the URL: host, port, path ... with an explanation of some values. */
  fields: { name: string; value: string; note?: string }[];
  warnings: { name: string; reason: string }[];
  /** Verdicts by RFC 1738, 3986 and 3987; only from `urlsift/mail`. */
  valid?: Record<string, boolean>;
  faults?: { grammar: string; offset: number; rule: string; what: string }[];
}

export class Urlsift {
  /** `create` and `createSync` make one. */
  constructor(instance: { readonly exports: object });
  /** The version of the library. */
  readonly version: string;
  /** The links of a text, in order. */
  find(text: string, options?: Options): Link[];
  /** Whether a text has a link. */
  test(text: string, options?: Options): boolean;
  /** The text as HTML, with its links as anchors and everything else escaped. White space is kept as it is. */
  linkify(text: string, options?: LinkifyOptions): string;
  /**
   * The links of a text that arrives in chunks; their offsets count from the first chunk. A stream that is not ended
   * keeps its memory, 20 KB or more, until the garbage collector finds it, which it does not within synchronous code.
   */
  stream(options?: Options): LinkStream;
  /** What is known about one URL, such as that of a link: its target, or its text if it must not be followed. */
  explain(url: string | { readonly href: string } | Pick<Link, "text" | "href">): Report;
  /** An explanation of a warning, for readers; null for an unknown one. */
  reason(warning: string): string | null;
}

export type Bytes = ArrayBuffer | ArrayBufferView;
/** A `WebAssembly.Module`. */
export type CompiledModule = object;
/** What is used of a `Response`. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly url: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}
/** Bytes, a response, the `URL` of the file, or a compiled module. */
export type Source = Bytes | ResponseLike | Promise<ResponseLike> | { readonly href: string } | CompiledModule;

/** Loads the module: by default `urlsift.wasm` beside this file. */
export function create(source?: Source): Promise<Urlsift>;
/** Makes one from bytes, without waiting; browsers allow it in workers only. */
export function createSync(source: Bytes | CompiledModule): Urlsift;
/** Escapes text for an element or a quoted attribute of HTML; controls and lone surrogates become U+FFFD. */
export function escapeHtml(text: string): string;
