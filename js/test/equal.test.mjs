// The modules find what the native builds find: see equal.mjs.
import assert from "node:assert/strict";
import test from "node:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { COMMAND, LEAN, LONG, TOP, files } from "./common.mjs";
import { compareRecords, compareText, corpora } from "./equal.mjs";

const missing = [COMMAND, LEAN].filter(command => !fs.existsSync(command)).map(command => `${command} was not built`)[0] ?? false;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "urlsift-equal-"));
test.after(() => fs.rmSync(work, { recursive: true }));
const paths = missing ? [] : [path.join(TOP, "testdata"), ...LONG ? [corpora(work)] : []].flatMap(files);
const all = { guess: true, email: true, domains: true, refang: true, join: "likely" };
const args = ["--email", "--domains", "--refang", "--join=likely"];

for (const [name, compare] of [
  ["find", () => compareText(paths, work)],
  ["find, with all options", () => compareText(paths, work, all, args)],
  ["records", () => compareRecords(paths, work)],
])
  test(name, { skip: missing }, async () => {
    const { wrong, ...counts } = await compare();
    console.log(`${name}: ${Object.entries(counts).map(([key, n]) => `${n} ${key}`).join(", ")}`);
    assert.deepEqual(wrong, []);
    assert.ok(counts.links > 5000);
  });
