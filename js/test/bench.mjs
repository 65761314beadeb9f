// Compares the time of a search with that of other packages, in one run: the best of several rounds.
//
//   node js/test/bench.mjs [ROUNDS]      packages are looked for in js/node_modules and in $NODE_MODULES
import os from "node:os";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { PACKAGE, create, npmPackage } from "./common.mjs";

const ROUNDS = Number(process.argv[2] ?? 60);
const urlsift = await create();

const prose = "The committee met in the old library and spoke about the garden, the well and the price of seeds for the next year. ";
const chatLine = i => `[${10 + i % 12}:${10 + i % 49}] ada: did you read https://www.archive.example/minutes/${i}.html yet? ${prose.slice(0, 60 + i % 50)}\n`;
const mailLine = i => i % 12 ? `${prose.slice(0, 68)}\n` : `> see <https://files.archive.example/pub/reports/\n> 2026/area-${i}.pdf> and www.post.example/~ada/${i}\n`;
const repeat = (line, size) => {
  let text = "";
  for (let i = 0; text.length < size; i++) text += line(i);
  return text.slice(0, size);
};
const INPUTS = [
  ["a line without a link", prose.slice(0, 72)],
  ["a line with a link", "see https://www.archive.example/minutes/7.html, it is short enough"],
  ["2 KB of chat", repeat(chatLine, 2048)],
  ["50 KB of mail", repeat(mailLine, 50 * 1024)],
  ["50 KB of mail, not ASCII", repeat(mailLine, 50 * 1024).replaceAll("garden", "jardín")],
  ["10 MB of mail", repeat(mailLine, 10 * 1024 * 1024)],
  ["10 MB of mail, not ASCII", repeat(mailLine, 10 * 1024 * 1024).replaceAll("garden", "jardín")],
  ["hostile: 100 KB of `http://`", "http://".repeat(14629)],
  ["hostile: 100 KB of `a@`", "a@".repeat(51200)],
  ["hostile: 100 KB of `((((`", `http://a.example/${"(".repeat(102400)}`],
];

const finders = [["urlsift", text => urlsift.find(text).length]];
for (const name of ["linkify-it", "linkify-it-5"]) { // the latest, and the one before it was made linear
  const linkifyIt = await npmPackage(name);
  if (!linkifyIt) continue;
  const Make = linkifyIt.LinkifyIt ?? linkifyIt.default?.LinkifyIt ?? linkifyIt.default, it = new Make();
  finders.push([name, text => it.match(text)?.length ?? 0]);
}
const linkifyjs = await npmPackage("linkifyjs");
if (linkifyjs) {
  const find = linkifyjs.find ?? linkifyjs.default.find;
  finders.push(["linkifyjs", text => find(text).length]);
}
const autolinker = await npmPackage("autolinker");
if (autolinker) {
  const { parse } = autolinker.Autolinker ?? autolinker.default?.Autolinker ?? autolinker.default;
  finders.push(["autolinker", text => parse(text, { phone: false }).length]);
}

// The best of several rounds, in which the finders take turns, in nanoseconds; a call of more than ten seconds is the
// only one.  The time of linkify-it 5 grows as the square of the length.
function measure(text) {
  const runs = finders.filter(([name]) => name !== "linkify-it-5" || text.length < 1 << 20).map(([name, find]) => {
    const begin = performance.now(), found = find(text), first = performance.now() - begin;
    // compilers work in the background for some time
    while (first < 100 && performance.now() - begin < 400) find(text);
    const again = performance.now(), once = first < 100 ? (find(text), performance.now() - again) : first;
    return { name, find, found, best: once, calls: Math.max(1, Math.min(5000, Math.floor(5 / once))), rounds: once > 10000 ? 0 : once > 300 ? 4 : ROUNDS };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const run of runs) {
      if (round >= run.rounds) continue;
      const start = performance.now();
      for (let i = 0; i < run.calls; i++) run.find(text);
      run.best = Math.min(run.best, (performance.now() - start) / run.calls);
    }
  return finders.map(([name]) => runs.find(run => run.name === name)).map(run => run && [run.best * 1e6, run.found]);
}

const show = ns => ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toPrecision(3)} µs` : ns < 1e9 ? `${(ns / 1e6).toPrecision(3)} ms` : `${(ns / 1e9).toPrecision(3)} s`;
console.log(`node ${process.version}, ${os.cpus()[0].model}; times of urlsift, the others in multiples of it; in brackets, links found\n`);
console.log(`| | ${finders.map(([name]) => name).join(" | ")} |\n|---|${finders.map(() => "---|").join("")}`);
for (const [name, text] of INPUTS) {
  const results = measure(text), [[own]] = results;
  console.log(`| ${name} | ${results.map(result => result ?? []).map(([ns, found], i) => ns === undefined ? "\u2013" : `${i ? Number((ns / own).toPrecision(2)) : show(ns)} (${found})`).join(" | ")} |`);
}

// The processor time of node from its start to the first link, over that of an empty script.
const start = code => {
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", `${code}; const t = process.cpuUsage(); console.log(t.user + t.system);`]);
  if (status !== 0) throw new Error("node failed");
  return Number(stdout) / 1000;
};
const file = JSON.stringify(path.join(PACKAGE, "urlsift.mjs"));
const scripts = ["", `import { create } from ${file}; (await create()).find("http://a.example/");`];
let best = [Infinity, Infinity];
for (let i = 0; i < 30; i++) best = scripts.map((code, k) => Math.min(best[k], start(code)));
console.log(`\nstart: ${best[1].toFixed(0)} ms, ${(best[1] - best[0]).toFixed(1)} ms more than an empty script`);
