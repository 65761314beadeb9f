// What the tests share: the built package, the native commands, npm packages where they are installed.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";

export const TOP = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
export const BUILD = process.env.URLSIFT_JS ?? path.join(TOP, "build/js");
export const PACKAGE = path.join(BUILD, "package");
export const LONG = Boolean(process.env.URLSIFT_LONG);
export const NIGHT = process.env.URLSIFT_LONG === "night";
const native = process.env.URLSIFT ? path.dirname(process.env.URLSIFT) : path.join(TOP, "build");
export const COMMAND = path.join(native, "urlsift");
export const LEAN = path.join(TOP, "build/lean/urlsift");

export const { create, createSync, escapeHtml } = await import(path.join(PACKAGE, "urlsift.mjs"));
export const mail = await import(path.join(PACKAGE, "mail.mjs"));

export function run(command, args, input) {
  try {
    return execFileSync(command, args, { input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "pipe"], cwd: TOP });
  } catch (error) {
    if (error.stdout === undefined || error.status === null || error.status > 2) throw error;
    return error.stdout;
  }
}

/** A file of an npm package, or null. */
export function npmFile(name) {
  return [path.join(TOP, "js/node_modules"), process.env.NODE_MODULES].filter(Boolean)
    .map(folder => path.join(folder, name)).find(file => fs.existsSync(file)) ?? null;
}

/** The npm package of that name, or null: it is looked for in js/node_modules and in $NODE_MODULES. */
export async function npmPackage(name) {
  const folder = npmFile(name);
  return folder && import(createRequire(path.join(folder, "../x.js")).resolve(name));
}

/** All files below a folder, sorted. */
export function files(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? files(name) : entry.isFile() ? [name] : [];
  }).sort();
}

/** A generator of 32-bit numbers, from a seed (xorshift). */
export function random(seed) {
  let x = seed | 1;
  return below => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % below;
  };
}
