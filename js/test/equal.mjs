// Compares the modules with native builds, link by link: on all of testdata and the corpora of the fuzzers.
//
//   node js/test/equal.mjs [FOLDER]...     the folders instead; prints what was compared
//
// urlsift.wasm is compared with build/lean/urlsift on the text that TextDecoder makes of each file; offsets are compared
// in UTF-16.  urlsift-mail.wasm writes the records of the command, byte for byte but for what libidn2 says of hosts
// beyond ASCII.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { COMMAND, LEAN, TOP, create, files, mail, run } from "./common.mjs";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true }), encoder = new TextEncoder();
const BATCH = 400;

export function corpora(work) {
  const folder = path.join(work, "corpora");
  for (const name of ["scan", "mail", "url", "decompress"]) {
    const to = path.join(folder, name);
    fs.mkdirSync(to, { recursive: true });
    run("tar", ["-xzf", path.join(TOP, "tests/fuzz/corpus", `${name}.tar.gz`), "-C", to]);
  }
  return folder;
}

// The table of schemes, a row of which says 1 where links may be followed.
const linkableSchemes = new Set([...fs.readFileSync(path.join(TOP, "src/url/scheme_table.h"), "utf8")
  .matchAll(/X\("([^"]+)", [^()]*?, 1, \d, interpret_/g)].map(match => match[1]));

/** The link of a record, as find() gives it. */
function asLink(record, toUnits) {
  const parts = record.parts.map(([offset, length]) => ({ start: toUnits(offset), end: toUnits(offset + length) }));
  const linkable = linkableSchemes.has(record.scheme) && !(record.warnings ?? []).some(name => name === "unlinkable-scheme" || name === "unusable");
  return {
    start: parts[0].start, end: parts.at(-1).end, parts, text: record.text, href: linkable ? record.url : null,
    scheme: record.scheme, linkable, convention: record.convention, flags: record.flags ?? [], warnings: record.warnings ?? [],
    alternates: (record.alternates ?? []).map(({ text, why, confidence }) => ({ text, why, confidence })),
  };
}

function unitsOf(text) {
  const units = new Uint32Array(text.length * 3 + 1);
  let byte = 0;
  for (let i = 0; i < text.length;) {
    const cp = text.codePointAt(i), size = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    units.fill(i, byte, byte + size);
    byte += size;
    i += cp > 0xffff ? 2 : 1;
    units[byte] = i;
  }
  return offset => units[offset];
}

const plain = link => JSON.stringify({ ...link, alternates: link.alternates.map(({ text, why, confidence }) => ({ text, why, confidence })) });

/** The records of the lean command, by source. */
function* nativeRecords(command, args, paths, names) {
  for (let i = 0; i < paths.length; i += BATCH) {
    const batch = paths.slice(i, i + BATCH), found = new Map(batch.map(name => [name, []]));
    // the name of a source may be escaped in a record, so it is made of letters
    for (const line of run(command, ["list", "--json", ...args, ...batch]).toString().split("\n"))
      if (line) found.get(JSON.parse(line).source)?.push(line);
    for (const name of batch) yield [name, found.get(name), names.get(name)];
  }
}

/** Texts of the files with `make(bytes)`, in files whose names are numbers. */
function copies(work, paths, make) {
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  const names = new Map();
  const copied = paths.map((name, i) => {
    const copy = path.join(work, `n${i}`);
    fs.writeFileSync(copy, make(fs.readFileSync(name)));
    names.set(copy, name);
    return copy;
  });
  return [copied, names];
}

export async function compareText(paths, work, options = { guess: true }, args = []) {
  const urlsift = await create(), counts = { files: 0, links: 0, wrong: [] };
  const [copied, names] = copies(path.join(work, "text"), paths, bytes => encoder.encode(decoder.decode(bytes)));
  for (const [copy, lines, name] of nativeRecords(LEAN, ["--input=text", ...args], copied, names)) {
    const text = decoder.decode(fs.readFileSync(copy)), toUnits = unitsOf(text);
    const wanted = lines.map(line => JSON.parse(line)).filter(record => record.type === "link").map(record => asLink(record, toUnits));
    const got = urlsift.find(text, options), same = got.map(plain).join("\n") === wanted.map(plain).join("\n");
    const stream = urlsift.stream(options), cut = [];
    for (let at = 0; at < text.length; at += 7) cut.push(...stream.write(text.slice(at, at + 7)));
    cut.push(...stream.end());
    counts.files++;
    counts.links += got.length;
    if (!same) counts.wrong.push(`${name}: ${got.map(plain).find((link, i) => link !== (wanted[i] && plain(wanted[i])))} is not ${wanted.map(plain).find((link, i) => link !== (got[i] && plain(got[i])))}`);
    else if (cut.map(plain).join() !== got.map(plain).join()) counts.wrong.push(`${name}: in chunks`);
    for (const link of got)
      if (link.convention === "bare" && link.parts.length === 1 && link.flags.length === 0 && text.slice(link.start, link.end).toWellFormed?.() !== link.text)
        counts.wrong.push(`${name}: ${link.text} is not at ${link.start}`);
  }
  return counts;
}

// What libidn2 says of hosts beyond ASCII.
const HOST = ["url", "normal", "host", "flags", "warnings", "unwrapped", "valid", "faults"];
function withoutHost(record) {
  const odd = /[^\0-\x7f]/.test(record.text ?? "") || /xn--|%/i.test((record.normal ?? "") + (record.host ?? ""));
  return odd ? Object.fromEntries(Object.entries(record).filter(([key]) => !HOST.includes(key))) : record;
}

export async function compareRecords(paths, work) {
  const module = await mail.create(), counts = { files: 0, links: 0, exact: 0, wrong: [] };
  const verdicts = Boolean(module.explain("http://a.example/").valid); // built with the sources of PCRE2
  const [copied, names] = copies(path.join(work, "mail"), paths, bytes => bytes);
  for (let [copy, lines, name] of nativeRecords(COMMAND, [], copied, names)) {
    const bytes = fs.readFileSync(copy), got = module.records(bytes, { name: copy }).split("\n").filter(Boolean);
    // said of the file, not of its text
    lines = lines.filter(line => JSON.parse(line).type !== "error" || !line.includes("seems to be UTF-16"));
    counts.files++;
    counts.links += got.length;
    if (!verdicts) lines = lines.map(line => JSON.stringify({ ...JSON.parse(line), valid: undefined, faults: undefined }));
    if (got.join() === lines.join()) {
      counts.exact++;
      continue;
    }
    const ours = got.map(line => JSON.stringify(withoutHost(JSON.parse(line)))), theirs = lines.map(line => JSON.stringify(withoutHost(JSON.parse(line))));
    if (ours.join() !== theirs.join())
      counts.wrong.push(`${name}: ${ours.find((line, i) => line !== theirs[i])} is not ${theirs.find((line, i) => line !== ours[i])}`);
  }
  return counts;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), "urlsift-js-"));
  const given = process.argv.slice(2);
  const paths = (given.length ? given : [path.join(TOP, "testdata"), corpora(work)]).flatMap(files);
  for (const [what, counts] of [
    ["find", await compareText(paths, work)],
    ["find, with addresses, domains and defanged links", await compareText(paths, work, { guess: true, email: true, domains: true, refang: true, join: "likely" }, ["--email", "--domains", "--refang", "--join=likely"])],
    ["records", await compareRecords(paths, work)],
  ]) {
    const { wrong, ...numbers } = counts;
    console.log(`${what}: ${Object.entries(numbers).map(([key, n]) => `${n} ${key}`).join(", ")}, ${wrong.length} differ`);
    for (const line of wrong.slice(0, 20)) console.log(`  ${line.slice(0, 1500)}`);
    process.exitCode ||= wrong.length ? 1 : 0;
  }
  fs.rmSync(work, { recursive: true });
}
