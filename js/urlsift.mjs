// Finds the URLs in text and rejoins broken ones: the wrapper of urlsift.wasm.  Its types are in urlsift.d.ts, and
// README.md describes it.  wasm.c says how results are laid out in the memory of the module.

// ---- Options ----

const JOIN = ["never", "declared", "sure", "likely"];
const HYPHEN = ["keep", "drop"];
const WWW = ["http", "https"];
const IMPLEMENTATION = ["auto", "portable"]; // for tests

const kindOf = value => Object.prototype.toString.call(value).slice(8, -1); // "Object", "Null", "DataView"

const choice = words => value => {
  const index = words.indexOf(value);
  if (index < 0) throw new TypeError(`not one of ${words.join(", ")}: ${value}`);
  return index;
};
const flag = value => {
  if (typeof value !== "boolean") throw new TypeError(`not a boolean: ${value}`);
  return value ? 1 : 0;
};
// The number of each option in urlsift.h, its value, and whether the default finds only what TRIGGER matches.
const OPTIONS = {
  email: [0, flag], domains: [1, flag], www: [2, choice(WWW)], refang: [3, flag], join: [4, choice(JOIN)],
  hyphen: [5, choice(HYPHEN)], guess: [6, flag], ipv4: [15, flag], implementation: [14, choice(IMPLEMENTATION)],
};
const OTHER_OPTIONS = new Set(["base", "rules", "attributes"]), MAIL_OPTIONS = new Set(["base"]);

/** @internal */
export function checkOptions(options) {
  if (kindOf(options) !== "Object") throw new TypeError(`options are not an object but ${kindOf(options)}`);
  return options;
}

// The numbers and values of options, and their base, "" for none.
function settingsOf(options = {}, others = OTHER_OPTIONS) {
  const pairs = [];
  for (const [key, value] of Object.entries(checkOptions(options))) {
    if (value === undefined || others.has(key)) continue;
    const option = Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
    if (!option) throw new TypeError(`unknown option: ${key}`);
    try {
      pairs.push(option[0], option[1](value));
    } catch (error) {
      throw new TypeError(`option ${key}: ${error.message}`);
    }
  }
  const { base = "" } = options, url = base?.href ?? base;
  if (typeof url !== "string") throw new TypeError(`option base: not a string but ${kindOf(url)}`);
  return { pairs, base: url };
}

function outOfMemory() { throw new Error("urlsift: out of memory"); }

function badBase() { throw new RangeError("option base: not an absolute URL, or longer than 64 KiB"); }

/** @internal What the module returns: a number, or -1 without memory, -2 for a base that it does not take. */
export function counted(number) {
  if (number === -2) badBase();
  if (number < 0) outOfMemory();
  return number;
}

// A match in whole characters: without the flag u a pattern can match half of one.
function wholeMatch(match) {
  const { index, input } = match, end = index + match[0].length, halves = at => input.codePointAt(at - 1) > 0xffff;
  match.index = halves(index) ? index - 1 : index;
  match[0] = input.slice(match.index, halves(end) ? end + 1 : end);
  return match;
}

// The next match of a global pattern that is not empty, null for none.
function nextMatch(pattern, line, at) {
  for (; at < line.length; at++) {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match?.[0]) return wholeMatch(match);
    if (!match) return null;
    at = Math.max(at, match.index);
  }
  return null;
}

function checkText(text) {
  if (typeof text !== "string") throw new TypeError(`text is not a string but ${kindOf(text)}`);
  return text;
}

// Text without a match has no link, unless bare names, addresses or defanged links are asked for: the pairs of the
// library's search for trigger bytes (src/simd/trigger.c), and `: //`.
const TRIGGER = /:[^ ]|[lo]: |: \/|[wp]\.|[\b\v\x18\x1b]/i;
const ABSOLUTE = /^([a-z][a-z0-9+.-]*:|\$[0-9])/i; // of a rule, of which a group may begin with the scheme
const DOLLAR = /\$([$0-9])/g; // in the href of a rule: a group, or a dollar sign
const SHORT = 1024; // a longer text is searched faster by the module

// ---- Memory ----

const HTTP = 0x70747468;
const SHORT_WORDS = 5; // of the record of a simple http or https link
const ONE_CALL = 1 << 16; // UTF-16 code units of a text that is passed at once
const FINDERS = 8; // kept, one for each set of options
const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const NONE = Object.freeze([]);
const NAME = { VERSION: 0, CONVENTION: 1, FLAG: 2, WARNING: 3, REASON: 4 };

/** A copy of the module: `create` and `createSync` make one. */
export class Urlsift {
  #module;
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  #finders = new Map();
  #default;
  #names = new Map();
  #conventions = [];
  #lost;
  #at = 0; // a cursor in the words

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#module = instance.exports;
    for (let i = 0, text; (text = this.#name(NAME.CONVENTION, i)) !== null; i++) this.#conventions.push(text);
    this.#lost = new FinalizationRegistry(finder => this.#module.finder_free(finder));
    this.#default = this.#newFinder(settingsOf(), 0);
  }

  /** The version of the library. */
  get version() { return this.#name(NAME.VERSION, 0); }

  // ---- Reading the memory of the module ----

  // Memory that has grown is another buffer.
  #look() {
    const { buffer } = this.#module.memory;
    if (buffer !== this.#bytes.buffer) {
      this.#bytes = new Uint8Array(buffer);
      this.#words = new Uint32Array(buffer);
    }
  }

  #string(at, length) {
    if (length > 48) return decoder.decode(this.#bytes.subarray(at, at + length));
    let text = "";
    for (let i = 0; i < length; i++) {
      const c = this.#bytes[at + i];
      if (c > 127) return decoder.decode(this.#bytes.subarray(at, at + length));
      text += String.fromCharCode(c);
    }
    return text;
  }

  #name(kind, i) {
    const at = this.#module.name(kind, i) >>> 0;
    if (!at) return null;
    this.#look();
    return this.#string(at, this.#bytes.indexOf(0, at) - at);
  }

  // The names of the bits that are set; the arrays are frozen and shared.
  #nameList(kind, bits) {
    if (bits === 0) return NONE;
    const key = kind * 0x100000000 + bits;
    let list = this.#names.get(key);
    if (!list) {
      list = [];
      for (let i = 0; i < 32; i++) {
        const text = bits >>> i & 1 ? this.#name(kind, i) : null;
        if (text !== null) list.push(text);
      }
      this.#names.set(key, Object.freeze(list));
    }
    return list;
  }

  /** @internal A reader of the words at an address. */
  _reader(address) {
    this.#look();
    let at = address >>> 2;
    return {
      word: () => this.#words[at++],
      string: () => {
        const length = this.#words[at];
        const text = this.#string((at + 1) * 4, length);
        at += 1 + (length + 3 >> 2);
        return text;
      },
    };
  }

  // ---- Finders ----

  // Where the module has room for the input of a finder.
  #input(finder, room) {
    const at = this.#module.finder_input(finder, room) >>> 0;
    if (!at && room) outOfMemory();
    this.#look();
    return at;
  }

  #newFinder({ pairs, base }, utf16) {
    const x = this.#module;
    const memory = x.finder_new(0, 0, 0, 0, 0);
    if (!memory) outOfMemory();
    const length = base.length * 3, at = this.#input(memory, pairs.length * 4 + length + 4);
    new Int32Array(this.#bytes.buffer, at, pairs.length).set(pairs);
    const { written } = encoder.encodeInto(base, this.#bytes.subarray(at + pairs.length * 4, at + pairs.length * 4 + length));
    const finder = x.finder_new(at, pairs.length / 2, at + pairs.length * 4, written, utf16);
    x.finder_free(memory);
    if (!finder) (base ? badBase : outOfMemory)();
    return finder;
  }

  #finder(options) {
    if (options === undefined) return this.#default;
    const settings = settingsOf(options), { pairs, base } = settings;
    if (pairs.length === 0 && base === "") return this.#default;
    const key = pairs.join() + " " + base;
    let finder = this.#finders.get(key);
    if (finder !== undefined) return finder;
    if (this.#finders.size >= FINDERS) {
      const [oldest, old] = this.#finders.entries().next().value;
      this.#finders.delete(oldest);
      this.#module.finder_free(old);
    }
    finder = this.#newFinder(settings, 0);
    this.#finders.set(key, finder);
    return finder;
  }

  // Writes text for the finder: returns its length in bytes and whether it is ASCII.
  #put(finder, text) {
    const room = text.length * 3, at = this.#input(finder, room);
    return encoder.encodeInto(text, this.#bytes.subarray(at, at + room)).written;
  }

  #putUnits(finder, text, from, to) {
    const at = this.#input(finder, (to - from) * 2);
    const units = new Uint16Array(this.#bytes.buffer, at, to - from);
    for (let i = from; i < to; i++) units[i - from] = text.charCodeAt(i);
    return (to - from) * 2;
  }

  // ---- Links ----

  // The string at the cursor, after which it is moved.
  #next() {
    const i = this.#at, length = this.#words[i];
    this.#at = i + 1 + (length + 3 >> 2);
    return this.#string((i + 1) * 4, length);
  }

  #scheme() {
    const i = this.#at, length = this.#words[i];
    if (this.#words[i + 1] === HTTP && length === 4) {
      this.#at += 2;
      return "http";
    }
    if (this.#words[i + 1] === HTTP && length === 5 && this.#bytes[(i + 2) * 4] === 115) {
      this.#at += 3;
      return "https";
    }
    return this.#next();
  }

  #alternates(count, linkable) {
    const alternates = [];
    for (; count > 0; count--) {
      const why = this.#words[this.#at] ? "hyphen" : "join", confidence = this.#words[this.#at + 1] / 100;
      this.#at += 2;
      const text = this.#next(), href = this.#next();
      alternates.push({ text, href: linkable ? href : null, why, confidence });
    }
    return alternates;
  }

  #shortLink(words, at, text) {
    const kind = words[at + 1], flags = words[at + 2], start = words[at + 3], end = words[at + 4];
    const own = text.slice(start, end);
    return {
      start, end, parts: [{ start, end }], text: own, href: own, scheme: kind & 256 ? "https" : "http", linkable: true,
      convention: this.#conventions[kind & 15], flags: flags ? this.#nameList(NAME.FLAG, flags) : NONE, warnings: NONE,
      alternates: NONE,
    };
  }

  /** @internal Reads `count` links; `text` is what was searched, `more(link, word, string)` reads what follows. */
  _links(finder, count, text, found, more) {
    this.#look();
    const words = this.#words;
    const word = more && (() => words[this.#at++]), string = more && (() => this.#next());
    let at = (this.#module.finder_words(finder) >>> 0) >>> 2;
    for (; count > 0; count--, at += words[at]) {
      if (words[at] === SHORT_WORDS) {
        found.push(this.#shortLink(words, at, text));
        continue;
      }
      const kind = words[at + 1], partCount = words[at + 4], alternateCount = words[at + 5];
      const start = words[at + 6], end = words[at + 5 + 2 * partCount];
      const parts = [];
      for (let i = at + 6; parts.length < partCount; i += 2) parts.push({ start: words[i], end: words[i + 1] });
      this.#at = at + 6 + 2 * partCount;
      const scheme = this.#scheme(), linkable = (kind & 16) !== 0;
      let own = "";
      if (kind & 32) for (const part of parts) own += text.slice(part.start, part.end);
      else own = this.#next();
      const target = kind & 64 ? own : kind & 128 ? this.#next() + own : this.#next();
      const link = {
        start, end, parts, text: own, href: linkable ? target : null, scheme, linkable,
        convention: this.#conventions[kind & 15],
        flags: this.#nameList(NAME.FLAG, words[at + 2]), warnings: this.#nameList(NAME.WARNING, words[at + 3]),
        alternates: alternateCount ? this.#alternates(alternateCount, linkable) : NONE,
      };
      if (more) more(link, word, string);
      found.push(link);
    }
    return found;
  }

  // How many links a text of one call has; with `first`, whether it has one.
  #count(finder, text, first) {
    const n = this.#put(finder, text);
    return counted(this.#module.finder_find(finder, n, n === text.length ? 1 : 0, first));
  }

  #links(text, options, finder) {
    if (text.length > ONE_CALL) return this.#findLong(text, options, finder);
    const count = this.#count(finder, text, 0);
    return count ? this._links(finder, count, text, []) : [];
  }

  // Feeds a text in blocks, which `put(from, to)` writes and says how long they are.  `last`: it ends here.
  #feed(finder, text, last, put, source) {
    const found = [];
    let at = 0;
    do {
      const end = Math.min(at + ONE_CALL, text.length), n = end > at ? put(at, end) : 0;
      this._links(finder, counted(this.#module.finder_feed(finder, n, last && end === text.length ? 1 : 0)), source, found);
      at = end;
    } while (at < text.length);
    return found;
  }

  // A long text is passed in blocks: ASCII as it is, else in UTF-16, of which the library keeps an offset map.
  #findLong(text, options, finder) {
    // eslint-disable-next-line no-control-regex
    const ascii = !/[^\0-\x7f]/.test(text);
    const own = ascii ? finder : this.#newFinder(settingsOf(options), 1);
    this.#module.finder_reset(own);
    const found = this.#feed(own, text, true,
      ascii ? (from, to) => this.#put(own, text.substring(from, to)) : (from, to) => this.#putUnits(own, text, from, to), text);
    if (!ascii) this.#module.finder_free(own);
    return found;
  }

  #mayHaveLinks(text, options) {
    return text.length > SHORT || options?.email || options?.domains || options?.ipv4 || options?.refang || TRIGGER.test(text);
  }

  find(text, options) {
    checkText(text);
    const finder = this.#finder(options);
    const links = this.#mayHaveLinks(text, options) ? this.#links(text, options, finder) : [];
    return options?.rules ? this.#findRules(text, options.rules, links) : links;
  }

  test(text, options) {
    checkText(text);
    const finder = this.#finder(options);
    if (this.#mayHaveLinks(text, options)) {
      if (text.length > ONE_CALL) return this.find(text, options).length > 0;
      if (this.#count(finder, text, 1)) return true;
    }
    return options?.rules ? this.#findRules(text, options.rules, []).length > 0 : false;
  }

  // ---- Rules ----

  #target(url) {
    const n = this.#put(this.#default, url), done = counted(this.#module.target(this.#default, n));
    return done ? this._reader(this.#module.finder_words(this.#default) >>> 0).string() : null;
  }

  #ruleLink(match, start, href) {
    const url = href.replace(DOLLAR, (_, c) => c === "$" ? "$" : match[Number(c)] ?? "");
    const target = this.#target(url);
    if (target === null) return null;
    const end = start + match[0].length;
    return {
      start, end, parts: [{ start, end }], text: match[0], href: target, scheme: target.slice(0, target.indexOf(":")),
      linkable: true, convention: "rule", flags: NONE,
      warnings: this.explain(url).warnings.map(warning => warning.name), alternates: NONE,
    };
  }

  // Adds the links of the rules in text[from..to), a line or a part of one.
  #ruleLine(text, from, to, patterns, found) {
    const line = text.slice(from, to);
    for (let at = 0; at < line.length;) {
      let best = null;
      for (const rule of patterns) {
        const match = nextMatch(rule.pattern, line, at);
        if (match && (!best || match.index < best.match.index)) best = { match, rule };
      }
      if (!best) return;
      const link = this.#ruleLink(best.match, from + best.match.index, best.rule.href);
      if (link) found.push(link);
      at = best.match.index + best.match[0].length;
    }
  }

  #findRules(text, rules, links) {
    if (!Array.isArray(rules)) throw new TypeError(`option rules: not an array but ${kindOf(rules)}`);
    const patterns = rules.map(rule => {
      const { pattern, href } = rule ?? {};
      if (kindOf(pattern) !== "RegExp" || typeof href !== "string")
        throw new TypeError("a rule is a pattern, which is a RegExp, and an href, which is a string");
      if (!ABSOLUTE.test(href)) throw new TypeError(`the href of a rule is not an absolute URL: ${href}`);
      const groups = new RegExp(pattern.source + "|", pattern.flags).exec("").length; // the empty branch matches anything
      if ([...href.matchAll(DOLLAR)].some(([, c]) => c >= groups))
        throw new TypeError(`the href of a rule refers to a group that its pattern does not have: ${href}`);
      return { pattern: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "") + "g"), href };
    });
    const found = [];
    let from = 0;
    for (const next of [...links, null]) {
      const to = next ? next.start : text.length;
      for (const line of text.slice(from, to).matchAll(/[^\r\n]+/g))
        this.#ruleLine(text, from + line.index, from + line.index + line[0].length, patterns, found);
      if (next) {
        found.push(next);
        from = next.end;
      }
    }
    return found;
  }

  // ---- HTML ----

  linkify(text, options) {
    const attributes = options?.attributes ?? {};
    let html = "", at = 0, isolated = false;
    // The rest of a line from its first bidi control on is isolated: it cannot reorder the page around.
    const put = (part, first) => {
      html += (first > 0 ? escapeHtml(part.slice(0, first)) : "") + "<bdi>" + escapeHtml(part.slice(first));
      isolated = true;
    };
    const putText = part => {
      for (const line of part.match(/[\r\n]+|[^\r\n]+/g) ?? []) {
        const first = isolated ? -1 : line.search(BIDI);
        if (isolated && /[\r\n]/.test(line)) {
          html += "</bdi>";
          isolated = false;
        }
        if (first >= 0) put(line, first);
        else html += escapeHtml(line);
      }
    };
    for (const link of this.find(text, options)) {
      if (!link.linkable) continue;
      const open = `<a href="${escapeHtml(link.href)}"${attributeText(attributes, link)}>`;
      for (const { start, end } of link.parts) {
        const part = text.slice(start, end), shown = escapeHtml(part);
        putText(text.slice(at, start));
        html += open + (isolated || /[^\0-\x7f]/.test(part) ? `<bdi>${shown}</bdi></a>` : `${shown}</a>`);
        if (!isolated && BIDI.test(part)) put("", 0);
        at = end;
      }
    }
    putText(text.slice(at));
    return html + (isolated ? "</bdi>" : "");
  }

  // ---- Streams ----

  stream(options) {
    if (options?.rules && options.rules.length !== 0) throw new TypeError("a stream has no rules");
    const finder = this.#newFinder(settingsOf(options), 1);
    const token = {};
    let ended = false;
    const feed = (text, last) => {
      if (ended) throw new Error("urlsift: the stream has ended");
      const found = this.#feed(finder, text, last, (from, to) => this.#putUnits(finder, text, from, to), null);
      if (last) {
        ended = true;
        this.#lost.unregister(token);
        this.#module.finder_free(finder);
      }
      return found;
    };
    const stream = { write: chunk => feed(checkText(chunk), false), end: () => feed("", true) };
    this.#lost.register(stream, finder, token);
    return stream;
  }

  // ---- One URL ----

  explain(url) {
    // a link that must not be followed has only its text
    const text = checkText(url?.href ?? url?.text ?? url), finder = this.#default;
    const n = this.#put(finder, text);
    if (!this.#module.explain(finder, n)) outOfMemory();
    const r = this._reader(this.#module.finder_words(finder) >>> 0);
    const known = r.word() !== 0, linkable = r.word() !== 0, bits = r.word();
    const report = { url: text, scheme: r.string().toLowerCase(), known, linkable, purpose: r.string() };
    const target = r.string();
    report.href = linkable ? target : null;
    report.normal = r.string();
    report.unwrapped = r.string() || null;
    const valid = {}, faults = [];
    for (let i = 0; i < 3; i++) {
      const verdict = r.word(), offset = r.word(), grammar = r.string(), rule = r.string(), what = r.string();
      if (verdict === 2) continue;
      valid[grammar] = verdict === 1;
      if (rule) faults.push({ grammar, offset, rule, what });
    }
    if (Object.keys(valid).length) Object.assign(report, { valid, faults });
    report.fields = [];
    for (let count = r.word(); count > 0; count--) {
      const name = r.string(), value = r.string(), note = r.string();
      report.fields.push(note ? { name, value, note } : { name, value });
    }
    report.warnings = this.#nameList(NAME.WARNING, bits).map(name => ({ name, reason: this.reason(name) }));
    return report;
  }

  reason(warning) {
    for (let i = 0, name; (name = this.#name(NAME.WARNING, i)) !== null; i++)
      if (name === warning) return this.#name(NAME.REASON, i);
    return null;
  }

  // ---- For mail.mjs ----

  /** @internal Runs `call(module, finder, inputLength, given)` with bytes and options in memory. */
  _withBytes(bytes, options, call) {
    const { pairs, base: url } = settingsOf(options, MAIL_OPTIONS), base = encoder.encode(url);
    const x = this.#module, finder = this.#newFinder(settingsOf(), 0);
    try {
      // after the bytes the members of a `struct given`, then what they point to
      const begin = bytes.length + 3 & ~3, size = (4 + pairs.length) * 4;
      const at = this.#input(finder, begin + size + base.length), given = at + begin;
      this.#bytes.set(bytes, at);
      this.#bytes.set(base, given + size);
      new Int32Array(this.#bytes.buffer, given, size / 4).set([given + 16, pairs.length / 2, given + size, base.length, ...pairs]);
      return call(x, finder, bytes.length, given);
    } finally {
      x.finder_free(finder);
    }
  }
}

// ---- HTML ----

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
// eslint-disable-next-line no-control-regex
const MARKUP = /[&<>"'\0-\x08\v\f\x0e-\x1f\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Escapes text for an element or a quoted attribute of HTML; controls and lone surrogates become U+FFFD. */
export function escapeHtml(text) {
  return text.replace(MARKUP, c => ENTITIES[c] ?? "\ufffd");
}

function attributeText(attributes, link) {
  const map = typeof attributes === "function" ? attributes(link) : attributes, given = Object.entries(map ?? {});
  let text = given.some(([name]) => name.toLowerCase() === "rel") ? "" : ' rel="nofollow noopener noreferrer ugc"';
  for (const [name, value] of given) {
    if (!/^[a-z][a-z0-9_:-]*$/i.test(name) || name.toLowerCase() === "href")
      throw new TypeError(`not an attribute for a link: ${name}`);
    if (value === false || value === null || value === undefined) continue;
    text += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  }
  return text;
}

// ---- Loading ----

/** @internal The bytes of an ArrayBuffer or a view, also those of another realm; null for anything else. */
export function bytesOf(source) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return kindOf(source) === "ArrayBuffer" ? new Uint8Array(source) : null;
}

// What is compiled of a source, a module as it is: `take` is the part of WebAssembly that compiles bytes.
function compiled(source, take) {
  if (kindOf(source) === "WebAssembly.Module") return source;
  const bytes = bytesOf(source);
  if (bytes) return take(bytes);
  throw new TypeError("not a WebAssembly module: create() takes the bytes of one, a Response or a compiled one; mail has a module of its own, urlsift/mail");
}

// A module that exports the function `needed`.
function checked(module, needed) {
  if (WebAssembly.Module.exports(module).some(({ name }) => name === needed)) return module;
  throw new TypeError("not a module of urlsift: urlsift takes urlsift.wasm, and urlsift/mail urlsift-mail.wasm");
}

// A file is read, for fetch() of Node reads none.  Bundlers would look for what an import names.
async function load(url) {
  const files = url.protocol === "file:" && globalThis.process?.versions?.node && "node:fs/promises";
  return files ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ files)).readFile(url) : fetch(url);
}

async function compileResponse(response) {
  if (!response.ok) throw new Error(`urlsift: ${response.url}: ${response.status}`);
  // only this very type may be streamed; what is no Response may look like one, and to name that takes node 14 ms
  const streamed = response.headers.get("content-type") === "application/wasm" && response instanceof Response;
  return streamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** @internal The module of a source, or of the URL of one, which exports the function `needed`. */
export async function compile(source, needed) {
  source = await (kindOf(source) === "URL" ? load(source) : source);
  const isResponse = typeof source?.headers?.get === "function";
  return checked(await (isResponse ? compileResponse(source) : compiled(source, WebAssembly.compile)), needed);
}

/** @internal */
export function compileSync(source, needed) {
  return checked(compiled(source, bytes => new WebAssembly.Module(bytes)), needed);
}

export async function create(source) {
  const module = await compile(source ?? new URL("urlsift.wasm", import.meta.url), "finder_find");
  return new Urlsift(await WebAssembly.instantiate(module));
}

export function createSync(source) {
  return new Urlsift(new WebAssembly.Instance(compileSync(source, "finder_find")));
}
