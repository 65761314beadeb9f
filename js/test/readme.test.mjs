// The package as npm packs it, installed in an empty folder: the examples of its README, its types, its size.
import assert from "node:assert/strict";
import test from "node:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { execFileSync } from "node:child_process";
import { LONG, PACKAGE, TOP, npmFile, npmPackage } from "./common.mjs";

const HAS_WASM_OPT = (process.env.PATH ?? "").split(":").some(folder => fs.existsSync(path.join(folder, "wasm-opt")));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "urlsift-package-"));
test.after(() => fs.rmSync(work, { recursive: true }));

const environment = { ...process.env, npm_config_cache: path.join(work, "cache"), npm_config_update_notifier: "false" };
const npm = (args, cwd) => execFileSync("npm", args, { cwd, encoding: "utf8", env: environment, stdio: ["ignore", "pipe", "pipe"] });
const hasNpm = (() => {
  try {
    npm(["--version"], work);
    return true;
  } catch {
    return false;
  }
})();

test("the package can be packed and installed", { skip: !hasNpm && "npm is not installed" }, () => {
  const [{ filename, files }] = JSON.parse(npm(["pack", "--json", PACKAGE], work));
  assert.deepEqual(files.map(file => file.path).sort(), ["LICENSE", "README.md", "examples/linkify-it.mjs", "examples/markdown-it.mjs",
    "mail.d.ts", "mail.mjs", "package.json", "urlsift-mail.wasm", "urlsift.d.ts", "urlsift.mjs", "urlsift.wasm"]);
  fs.mkdirSync(path.join(work, "empty"));
  npm(["install", "--offline", "--no-audit", "--no-fund", path.join(work, filename)], path.join(work, "empty"));
  assert.ok(fs.existsSync(path.join(work, "empty/node_modules/urlsift/urlsift.wasm")));
});

test("the examples of README.md", { skip: !hasNpm && "npm is not installed" }, () => {
  const blocks = fs.readFileSync(path.join(PACKAGE, "README.md"), "utf8").split("```");
  let code = "", wanted = "";
  for (let i = 1; i < blocks.length; i += 2) {
    if (blocks[i].startsWith("js\n")) code += blocks[i].slice(3);
    else wanted += blocks[i].slice(1);
  }
  fs.writeFileSync(path.join(work, "empty/readme.mjs"), code);
  assert.equal(execFileSync(process.execPath, ["readme.mjs"], { cwd: path.join(work, "empty"), encoding: "utf8" }), wanted);
});

test("what has no address of its own can be given the bytes", async () => {
  const code = fs.readFileSync(path.join(PACKAGE, "urlsift.mjs"), "utf8");
  const { create } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  assert.equal((await create(fs.readFileSync(path.join(PACKAGE, "urlsift.wasm")))).find("www.a.example").length, 1);
  assert.doesNotMatch(code, /\bimport\s*\((\s|\/\*.*?\*\/)*["'`]/, "a bundle for browsers would lack it");
});

test("bundles", { skip: !hasNpm && "npm is not installed" }, async t => {
  const esbuild = await npmPackage("esbuild");
  if (!esbuild) return t.skip("esbuild is not installed");
  const folder = path.join(work, "empty"), entry = path.join(folder, "main.mjs");
  const code = source => `import { create } from "urlsift";
import { create as createMail } from "urlsift/mail";
const sources = ${source};
const count = made => made.find("www.a.example").length;
Promise.all([create(sources[0]), createMail(sources[1])]).then(all => console.log(...all.map(count)));
`;
  const bytes = 'process.argv.slice(2).map(name => require("node:fs").readFileSync(name))';
  for (const [options, source, name] of [
    [{ platform: "browser" }, "[]", "iife.js"],
    [{ platform: "browser", format: "esm", minify: true }, "[]", "page.mjs"],
    [{ platform: "node", format: "cjs" }, bytes, "bundle.cjs"],
  ]) {
    fs.writeFileSync(entry, code(source));
    const outfile = path.join(folder, "out", name);
    await esbuild.build({ entryPoints: [entry], bundle: true, outfile, logLevel: "silent", ...options });
    if (name === "iife.js") continue; // for pages alone
    const files = ["urlsift.wasm", "urlsift-mail.wasm"];
    for (const file of files) fs.copyFileSync(path.join(PACKAGE, file), path.join(folder, "out", file));
    const run = { cwd: path.join(folder, "out"), encoding: "utf8" };
    assert.equal(execFileSync(process.execPath, [outfile, ...files], run), "1 1\n", name);
  }
});

test("types", { skip: !hasNpm && "npm is not installed" }, async t => {
  const tsc = npmFile("typescript/bin/tsc");
  if (!tsc) return t.skip("typescript is not installed");
  const good = `
import { create, createSync, escapeHtml, type Link, type Options, type Report } from "urlsift";
import { create as createMail, type MailLink } from "urlsift/mail";
const urlsift = await create(), options: Options = { join: "likely", rules: [{ pattern: /x/, href: "http://a.example/" }] };
const links: Link[] = urlsift.find("x", options);
const href: string | null = links[0].href, start: number = links[0].parts[0].start, report: Report = urlsift.explain("x");
const reports: Report[] = [links[0], links[0].alternates[0], { href: "x:y" }].map(link => urlsift.explain(link));
const html: string = urlsift.linkify("x", { attributes: link => ({ rel: link.scheme }) }) + escapeHtml("x");
const stream = urlsift.stream(), more: Link[] = [...stream.write("x"), ...stream.end()];
const mail: MailLink[] = (await createMail()).findInMail(new Uint8Array(), { base: "http://a.example/" }), label: string = mail[0].label;
createSync(new Uint8Array()).test("x", { email: true });
`;
  const bad = ['urlsift.find(1);', 'urlsift.find("x", { join: "always" });', 'urlsift.find("x")[0].flags.push("x");', 'urlsift.find("x")[0].hrefs;'];
  const check = (source, lib) => {
    fs.writeFileSync(path.join(work, "empty/types.mts"), source);
    try {
      execFileSync(process.execPath, [tsc, "--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", lib, "types.mts"],
        { cwd: path.join(work, "empty"), encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      return "";
    } catch (error) {
      return error.stdout;
    }
  };
  assert.equal(check(good, "es2020"), ""); // nothing of a browser or Node is needed
  const page = 'await create(fetch("urlsift.wasm")); createSync(new WebAssembly.Module(new Uint8Array()));\n';
  assert.equal(check(good + page, "es2022,dom"), "");
  for (const line of bad) assert.notEqual(check(`${good}${line}\n`, "es2020"), "", line);
});

// What a browser loads.  Without wasm-opt the modules are larger.  The one for mail is far below its limit, and takes long.
test("sizes", () => {
  for (const [name, most] of [["urlsift.wasm", 90000], ...LONG ? [["urlsift-mail.wasm", 330000]] : []]) {
    const size = zlib.brotliCompressSync(fs.readFileSync(path.join(PACKAGE, name))).length;
    console.log(`${name}: ${size} bytes by brotli`);
    assert.ok(size <= most * (HAS_WASM_OPT ? 1 : 1.2), `${name}: ${size}`);
  }
});

test("README.md says how much larger the module for mail is", () => {
  const [own, mail] = ["urlsift.wasm", "urlsift-mail.wasm"].map(name => fs.readFileSync(path.join(PACKAGE, name)).length);
  const said = fs.readFileSync(path.join(PACKAGE, "README.md"), "utf8").match(/([\d.]+) times as large/g).map(parseFloat);
  assert.ok(said.some(times => Math.abs(times - mail / own) < 0.1), `${mail / own}`);
});

test("the version is that of the library", () => {
  const header = fs.readFileSync(path.join(TOP, "include/urlsift.h"), "utf8");
  const version = ["MAJOR", "MINOR", "PATCH"].map(part => header.match(new RegExp(`URLSIFT_VERSION_${part} (\\d+)`))[1]).join(".");
  assert.equal(JSON.parse(fs.readFileSync(path.join(PACKAGE, "package.json"))).version, version);
  assert.match(fs.readFileSync(path.join(PACKAGE, "README.md"), "utf8"), new RegExp(`urlsift-${version}\\.tgz`));
});
