// Generated texts: the vector routines against the portable ones, one call against chunks; hostile texts; memory.
import assert from "node:assert/strict";
import test from "node:test";
import fs from "node:fs";
import path from "node:path";
import { BUILD, LONG, NIGHT, PACKAGE, TOP, random } from "./common.mjs";
import { Urlsift, createSync } from "../urlsift.mjs";

const bytes = fs.readFileSync(path.join(PACKAGE, "urlsift.wasm"));
const SIZE = LONG ? 1000000 : 100000; // of a hostile text
const ROUNDS = Array(8).fill(LONG ? SIZE : SIZE / 20); // what is lost shows in texts of any size
const RUNS = Number(process.env.URLSIFT_RUNS ?? (NIGHT ? 1000000 : LONG ? 100000 : 20000));
const PHRASES = ["http://", "HTTPS://", "ftp://", "mailto:", "news:", "urn:", "x-new://", "javascript:", "data:", "file:///", "www.", "ftp.",
  "a.example", "example.org", "192.0.2.1", "[2001:db8::1]", ":80", "@", "u:p@", "local.part@example.net", "/", "//", "/path", "/a/../c", "?", "?q=1",
  "&", "&amp;", "&gt;", "#frag", "%41", "%", "=", "+", "_", "~", "-", "--", ".", ",", ";", "!", "'", "\"", "(", ")", "[", "]", "{", "}", "<", ">",
  "|", "\\", "\\/", "`", "^", "$", "x", "word", "long-word", " ", "  ", "\t", "\n", "\r\n", "\n> ", "\n| ", "\n- ", "\n  ", "\n\n", "=\n", "\u00ad",
  "\u2010\n", "\u00a0", "\u2028", "ä", "漢字", "😀", "\ud800", "\ufeff", "\x1b[4m", "_\b", "\0", "\v", "URL:", "<URL:", "<URL: ", "h ttp://",
  "ht\ntp://", "hxxp://", "[.]", "[at]", "e.g. ", "i.e. ", "12:30", "From ", "begin 644 x\n", "=ybegin ", "--B\n", "*b\n", "The page is at ",
  "a word that fills the line so that it is as long as seventy-two columns "];

function generate(next) {
  let text = "";
  for (let n = 1 + next(24); n > 0; n--) text += PHRASES[next(PHRASES.length)];
  return text;
}

const OPTIONS = [undefined, { email: true, domains: true }, { refang: true, guess: true }, { join: "likely", guess: true, hyphen: "drop" },
  { base: "http://base.example/a/b", join: "never" }];

test(`${RUNS} texts: vectors, portable routines and a module without vectors agree`, () => {
  const urlsift = createSync(bytes), scalarFile = path.join(BUILD, "urlsift-scalar.wasm");
  const scalar = LONG && fs.existsSync(scalarFile) ? createSync(fs.readFileSync(scalarFile)) : null;
  const seed = Number(process.env.URLSIFT_SEED ?? 1), next = random(seed * 2654435761);
  let links = 0;
  for (let i = 0; i < RUNS; i++) {
    const text = generate(next), options = OPTIONS[next(OPTIONS.length)];
    const found = urlsift.find(text, options), wanted = JSON.stringify(found);
    links += found.length;
    const where = () => `run ${i} of seed ${seed}: ${JSON.stringify(text)} ${JSON.stringify(options)}`;
    if (JSON.stringify(urlsift.find(text, { ...options, implementation: "portable" })) !== wanted) assert.fail(`portable: ${where()}`);
    if (scalar && JSON.stringify(scalar.find(text, options)) !== wanted) assert.fail(`without vectors: ${where()}`);
    if (i % 10 === 0) {
      const stream = urlsift.stream(options), size = 1 + next(20), chunks = [];
      for (let at = 0; at < text.length; at += size) chunks.push(...stream.write(text.slice(at, at + size)));
      chunks.push(...stream.end());
      if (JSON.stringify(chunks) !== wanted) assert.fail(`chunks of ${size}: ${where()}`);
      if (urlsift.test(text, options) !== found.length > 0) assert.fail(`test: ${where()}`);
    }
    for (const link of found) {
      if (link.parts.some((part, k) => part.start > part.end || part.end > text.length || (k && part.start < link.parts[k - 1].end)))
        assert.fail(`parts: ${where()}`);
      if (link.linkable && !/^[a-z][a-z0-9+.-]*:[!-~]*$/i.test(link.href)) assert.fail(`href ${link.href}: ${where()}`);
      if (link.linkable && /^https?$/.test(link.scheme) && !URL.canParse(link.href)) assert.fail(`URL ${link.href}: ${where()}`);
    }
  }
  console.log(`${RUNS} texts, ${links} links${scalar ? ", three modules" : ""}`);
  assert.ok(links > RUNS / 4);
});

/** Finds the links of each family of texts, of that size. */
function findHostile(urlsift, size) {
  for (const { id, prefix, unit, suffix } of JSON.parse(fs.readFileSync(path.join(TOP, "tests/families.json")))) {
    const text = prefix + unit.repeat(Math.ceil(size / unit.length)) + suffix, begin = process.cpuUsage();
    const found = urlsift.find(text);
    const used = process.cpuUsage(begin), seconds = (used.user + used.system) / 1e6;
    // mostly milliseconds; time that is not linear is minutes
    assert.ok(seconds < 5, `${id}: ${seconds} s`);
    assert.ok(found.every(link => link.end <= text.length), id);
  }
}

test("hostile texts take linear time", () => findHostile(createSync(bytes), SIZE));

test("memory is returned", () => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes)), urlsift = new Urlsift(instance);
  const size = () => instance.exports.memory.buffer.byteLength;
  const grown = [];
  for (const length of ROUNDS) {
    findHostile(urlsift, length);
    grown.push(size());
  }
  assert.equal(grown.at(-1), grown.at(-4), `${grown}`);
  for (let i = 0; i < 300; i++) urlsift.stream().write("x"); // never ended: freed when they are collected, if at all
  const before = size();
  for (let i = 0; i < 3000; i++) {
    const stream = urlsift.stream();
    stream.write("http://a.example/");
    stream.end();
  }
  assert.ok(size() <= before + 65536, `${size()} after ${before}`); // a page, for what was not collected
});
