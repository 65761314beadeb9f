// What urlsift.d.ts and README.md promise of each call.
import assert from "node:assert/strict";
import test from "node:test";
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { PACKAGE, TOP, create, createSync, escapeHtml, mail, npmPackage, random } from "./common.mjs";

const bytes = fs.readFileSync(path.join(PACKAGE, "urlsift.wasm"));
const urlsift = createSync(bytes);
const hrefs = (text, options) => urlsift.find(text, options).map(link => link.href);

test("a link", () => {
  assert.deepEqual(urlsift.find("see http://a.example/x."), [{
    start: 4, end: 22, parts: [{ start: 4, end: 22 }], text: "http://a.example/x", href: "http://a.example/x", scheme: "http",
    linkable: true, convention: "bare", flags: [], warnings: [], alternates: [],
  }]);
});

test("a broken link has parts, flags and the other reading", () => {
  const text = "<URL:https://a.example/spring-\n meeting>";
  const [link] = urlsift.find(text);
  assert.deepEqual(link.parts.map(part => text.slice(part.start, part.end)), ["https://a.example/spring-", "meeting"]);
  assert.equal(link.href, "https://a.example/spring-meeting");
  assert.deepEqual(link.flags, ["joined", "hyphen-ambiguous"]);
  assert.deepEqual(link.alternates, [{ text: "https://a.example/springmeeting", href: "https://a.example/springmeeting", why: "hyphen", confidence: 0.1 }]);
});

test("offsets are UTF-16 code units", () => {
  for (const before of ["", "x", "ä", "漢字", "😀😀", "\ud800 ", "é\u0301😀漢\udc00"]) {
    const text = `${before} http://a.example/${before.trim()}`, [link] = urlsift.find(text);
    assert.equal(text.slice(link.start, link.start + 17), "http://a.example/", JSON.stringify(before));
  }
});

test("a link that must not be followed has no href", () => {
  const [link] = urlsift.find("<javascript:alert(1)>");
  assert.deepEqual([link.href, link.linkable, link.text], [null, false, "javascript:alert(1)"]);
  assert.ok(link.warnings.includes("unlinkable-scheme"));
  assert.ok(!urlsift.linkify("<javascript:alert(1)>").includes("<a"));
});

test("options", () => {
  assert.deepEqual(hrefs("ada@post.example"), []);
  assert.deepEqual(hrefs("ada@post.example", { email: true }), ["mailto:ada@post.example"]);
  assert.deepEqual(hrefs("post.org/x", { domains: true }), ["http://post.org/x"]);
  assert.deepEqual(hrefs("hxxp://a[.]example/", { refang: true }), ["http://a.example/"]);
  assert.deepEqual(hrefs("www.a.example", { www: "https" }), ["https://www.a.example"]);
  assert.deepEqual(hrefs("<URL:../x>", { base: "http://a.example/b/c" }), ["http://a.example/x"]);
  assert.deepEqual(hrefs("<URL:http://a.example/spring-\nmeeting>", { hyphen: "drop" }), ["http://a.example/springmeeting"]);
  const broken = "http://a.example/a-long-path/that-is-broken/by-the-end-of-the-line/in-the-midd\nle-of-a-word.html and more";
  assert.equal(hrefs(broken, { join: "never" })[0].length, broken.indexOf("\n"));
  assert.deepEqual(hrefs("http://a.example/", { email: undefined }), ["http://a.example/"]);
  assert.throws(() => urlsift.find("x", { emial: true }), TypeError);
  assert.throws(() => urlsift.find("x", { join: "always" }), TypeError);
  assert.throws(() => urlsift.find("x", { email: 1 }), TypeError);
  assert.throws(() => urlsift.find("x", { toString: true }), TypeError);
  const long = `http://a.example/${"x".repeat(1 << 16)}`, spelt = new URL("http://a.example/b/c"), text = "<URL:../x>";
  for (const base of ["relative", long])
    for (const call of ["find", "test", "linkify"])
      assert.throws(() => urlsift[call](text, { base }), /^RangeError: option base: not an absolute URL/, call);
  assert.deepEqual(hrefs(text, { base: spelt }), ["http://a.example/x"]);
  assert.equal(urlsift.stream({ base: spelt }).write(`${text}\n`)[0].href, "http://a.example/x");
  for (const base of [null, 5])
    for (const call of ["find", "test", "linkify", "stream"])
      assert.throws(() => urlsift[call](...call === "stream" ? [] : [text], { base }),
        /^TypeError: option base: not a string but Nu/, call);
  assert.throws(() => urlsift.find(null), TypeError);
  const view = new DataView(new ArrayBuffer(4));
  for (const wrong of [5, null, true, [], view, () => 1])
    for (const call of ["find", "test", "linkify"]) {
      assert.throws(() => urlsift[call](wrong), { name: "TypeError", message: /^text is not a string but [A-Z]/ });
      assert.throws(() => urlsift[call]("http://a.example/", wrong), { name: "TypeError", message: /^options are not an object but [A-Z]/ });
    }
  for (const wrong of [undefined, null, 5, view])
    assert.throws(() => urlsift.explain(wrong), { name: "TypeError", message: /^text is not a string but [A-Z]/ });
  assert.equal(urlsift.explain(new URL("http://a.example")).url, "http://a.example/");
  for (const wrong of [5, null, view])
    assert.throws(() => urlsift.stream(wrong), { name: "TypeError", message: /^options are not an object but [A-Z]/ });
  assert.throws(() => urlsift.find("#", { rules: 5 }), { name: "TypeError", message: "option rules: not an array but Number" });
  assert.throws(() => urlsift.find("#", { rules: [null] }), { name: "TypeError", message: /^a rule is/ });
});

test("what is no module is refused by a message that says what is one", async () => {
  await assert.rejects(create({ mail: true }), /takes the bytes of one.*urlsift\/mail/);
  assert.throws(() => createSync("urlsift.wasm"), /takes the bytes of one/);
  await assert.rejects(create(new Blob([bytes])), /takes the bytes of one/);
  const isOther = /^TypeError: .*urlsift takes urlsift\.wasm, and urlsift\/mail urlsift-mail\.wasm/;
  for (const [api, source] of [[{ create, createSync }, Buffer.from("\0asm\x01\0\0\0", "latin1")], [mail, bytes]]) {
    await assert.rejects(api.create(source), isOther);
    assert.throws(() => api.createSync(source), isOther);
  }
});

test("many sets of options", () => {
  for (let i = 0; i < 100; i++) assert.deepEqual(hrefs("<URL:x.html>", { base: `http://a${i}.example/` }), [`http://a${i}.example/x.html`]);
});

test("test", () => {
  assert.equal(urlsift.test("nothing: here"), false);
  assert.equal(urlsift.test("see www.a.example"), true);
  assert.equal(urlsift.test("ada@post.example"), false);
  assert.equal(urlsift.test("ada@post.example", { email: true }), true);
  assert.equal(urlsift.test("x".repeat(200000) + " http://a.example/"), true);
  assert.equal(urlsift.test("bug 7", { rules: [{ pattern: /bug (\d)/, href: "http://b.example/$1" }] }), true);
});

test("what is not searched has no link", () => {
  const next = random(7), pieces = ["http", ":", "/", "//", "www", ".", "ftp", "a.example", " ", "\n", "<", ">", "URL", "l", "o", "L", ": ",
    "mailto", "x", "\x1b[1m", "\b", "w\bw", "\v", "@", "ms-x", "&", "\\/", "=\n", "\u00a0", "news", "p", "W", "dnl", "-", "> "];
  const filter = new RegExp(fs.readFileSync(path.join(TOP, "js/urlsift.mjs"), "utf8").match(/^const TRIGGER = \/(.*)\/i;$/m)[1], "i");
  let skipped = 0;
  for (let i = 0; i < 60000; i++) {
    let text = "";
    for (let n = 1 + next(8); n > 0; n--) text += pieces[next(pieces.length)];
    if (filter.test(text)) continue;
    skipped++;
    assert.deepEqual(urlsift.find(text + " ".repeat(1025)), [], JSON.stringify(text)); // a long text is always searched
  }
  assert.ok(skipped > 1000, skipped);
});

test("linkify", () => {
  const rel = 'rel="nofollow noopener noreferrer ugc"';
  assert.equal(urlsift.linkify("<b> & http://a.example/?a&b \"'\0"),
    `&lt;b&gt; &amp; <a href="http://a.example/?a&amp;b" ${rel}>http://a.example/?a&amp;b</a> &quot;&#39;\ufffd`);
  assert.equal(urlsift.linkify("<URL:http://a.example/x\ny>"),
    `&lt;URL:<a href="http://a.example/xy" ${rel}>http://a.example/x</a>\n<a href="http://a.example/xy" ${rel}>y</a>&gt;`);
  assert.equal(urlsift.linkify("a \u202eb www.a.example c\nd \u2066"),
    `a <bdi>\u202eb <a href="http://www.a.example" ${rel}><bdi>www.a.example</bdi></a> c</bdi>\nd <bdi>\u2066</bdi>`);
  assert.equal(urlsift.linkify("<http://a.example/\u202ex> y"),
    `&lt;<a href="http://a.example/%E2%80%AEx" ${rel}><bdi>http://a.example/\u202ex</bdi></a><bdi>&gt; y</bdi>`);
  const attributes = link => ({ rel: "nofollow", title: `"${link.scheme}"`, hidden: true, target: null });
  assert.equal(urlsift.linkify("www.a.example", { attributes }),
    '<a href="http://www.a.example" rel="nofollow" title="&quot;http&quot;" hidden>www.a.example</a>');
  for (const none of [{ rel: null }, { REL: false }, () => ({ rel: undefined })])
    assert.equal(urlsift.linkify("www.a.example", { attributes: none }), '<a href="http://www.a.example">www.a.example</a>');
  for (const others of [{ id: "x" }, () => ({ id: "x" })])
    assert.equal(urlsift.linkify("www.a.example", { attributes: others }), `<a href="http://www.a.example" ${rel} id="x">www.a.example</a>`);
  assert.equal(urlsift.linkify("www.a.example", { attributes: () => null }), `<a href="http://www.a.example" ${rel}>www.a.example</a>`);
  assert.throws(() => urlsift.linkify("www.a.example", { attributes: { "x y": 1 } }), TypeError);
  assert.throws(() => urlsift.linkify("www.a.example", { attributes: { HREF: "x" } }), TypeError);
  assert.equal(escapeHtml("\ud800<"), "\ufffd&lt;");
});

test("a call within a call", () => {
  const attributes = () => ({ "data-n": urlsift.find("http://b.example/ http://c.example/").length });
  assert.equal(urlsift.linkify("http://a.example/ http://d.example/", { attributes }).match(/data-n="2"/g).length, 2);
});

test("streams", () => {
  const text = fs.readFileSync(path.join(TOP, "testdata/readme/reply.eml"), "utf8") + "😀 http://a.example/ä";
  const whole = urlsift.find(text, { guess: true });
  for (const size of [1, 2, 3, 64, 100000]) {
    const stream = urlsift.stream({ guess: true }), found = [];
    for (let at = 0; at < text.length; at += size) found.push(...stream.write(text.slice(at, at + size)));
    found.push(...stream.end());
    assert.deepEqual(found, whole, `chunks of ${size}`);
    assert.throws(() => stream.write("x"));
    for (const wrong of [null, undefined, new Uint8Array(1)]) assert.throws(() => urlsift.stream().write(wrong), /text is not a string/);
  }
  assert.deepEqual(urlsift.stream().end(), []);
  assert.throws(() => urlsift.stream({ rules: [{ pattern: /x/, href: "https://a.example/" }] }), TypeError);
  assert.deepEqual(urlsift.stream({ rules: [] }).end(), []);
});

test("long texts", () => {
  for (const filler of ["word ", "wörd 😀 "]) {
    const text = `${filler.repeat(60000)}<URL:http://a.example/x\n y> ${filler.repeat(30000)} www.b.example`;
    const found = urlsift.find(text);
    assert.deepEqual(found.map(link => link.href), ["http://a.example/xy", "http://www.b.example"]);
    assert.equal(text.slice(found[0].parts[1].start, found[0].parts[1].end), "y");
    assert.equal(text.slice(found[1].start, found[1].end), "www.b.example");
  }
});

test("rules", () => {
  const rules = [{ pattern: /#(\d+)/g, href: "https://bugs.example/$1?$$=$0" }, { pattern: /x*/, href: "https://never.example/" }];
  const text = "#1 http://a.example/#2 #3\n#4";
  const found = urlsift.find(text, { rules });
  assert.deepEqual(found.map(link => [link.convention, link.text, text.slice(link.start, link.end)]),
    [["rule", "#1", "#1"], ["bare", "http://a.example/#2", "http://a.example/#2"], ["rule", "#3", "#3"], ["rule", "#4", "#4"]]);
  assert.equal(found[0].href, "https://bugs.example/1?$=#1");
  assert.deepEqual(urlsift.find("#1", { rules: [{ pattern: /#/, href: "javascript:alert(1)" }] }), []);
  assert.throws(() => urlsift.find("#", { rules: [{ pattern: "#", href: "x" }] }), TypeError);
  for (const href of ["/bugs/$0", "bugs.example/$0", "//bugs.example/", ""])
    assert.throws(() => urlsift.find("#", { rules: [{ pattern: /#/, href }] }), /not an absolute URL/, href);
  for (const href of ["https://b.example/$2", "https://b.example/$1$9", "$2:x"])
    assert.throws(() => urlsift.find("#", { rules: [{ pattern: /#(\d)|b/, href }] }), /a group that its pattern does not have/, href);
  const loose = (pattern, s) => urlsift.find(s, { rules: [{ pattern, href: "https://b.example/$1" }] }).map(link => [link.start, link.text, link.href]);
  assert.deepEqual(loose(/(\d*)/, "xx bug12 bug 7"), [[6, "12", "https://b.example/12"], [13, "7", "https://b.example/7"]]);
  assert.deepEqual(loose(/(\d*)/u, "\u{1F600}\u{1F600}5 \u{1F600}"), [[4, "5", "https://b.example/5"]]);
  assert.deepEqual(loose(/()$|(?=b)/, "a b"), []);
  const whole = pattern => loose(new RegExp(`(${pattern.source})`, pattern.flags), "a\u{1F600}b\u{1F600}\u{1F601}")
    .map(([, text]) => text);
  assert.deepEqual(whole(/.b/), ["\u{1F600}b"]);
  assert.deepEqual(whole(/b./), ["b\u{1F600}"]);
  assert.deepEqual(whole(/[^a]/), ["\u{1F600}", "b", "\u{1F600}", "\u{1F601}"]);
  assert.deepEqual(loose(vm.runInNewContext("/(a)./u"), "a\u{1F600}"), [[0, "a\u{1F600}", "https://b.example/a"]]);
  const own = [{ pattern: /(https?):~(\w+)/, href: "$1://$2.example/" }];
  assert.deepEqual(urlsift.find("https:~a", { rules: own }).map(link => link.href), ["https://a.example/"]);
});

test("explain", () => {
  const report = urlsift.explain("http://user:pw@www.a.example:8080/x?y#z");
  assert.equal(report.scheme, "http");
  assert.deepEqual(report.fields.slice(0, 4), [{ name: "user", value: "user" }, { name: "password", value: "pw" },
    { name: "host", value: "www.a.example" }, { name: "port", value: "8080" }]);
  assert.deepEqual(report.warnings, [{ name: "password", reason: urlsift.reason("password") }]);
  assert.equal(report.valid, undefined);
  assert.equal(urlsift.explain("javascript:x").href, null);
  assert.equal(urlsift.explain(urlsift.find("www.a.example")[0]).url, "http://www.a.example");
  assert.equal(urlsift.explain(urlsift.find("<javascript:alert(1)>")[0]).url, "javascript:alert(1)");
  assert.equal(urlsift.explain("").known, false);
  assert.equal(urlsift.reason("no such warning"), null);
});

test("names do not change", () => {
  const [link] = urlsift.find("http://u:p@a.example/");
  assert.throws(() => link.warnings.push("x"), TypeError);
});

test("results do not depend on earlier calls", () => {
  const text = "see <URL:http://a.example/x\ny> and www.b.example";
  const first = urlsift.find(text);
  urlsift.find("<http://unfinished.example/");
  urlsift.find("x".repeat(70000) + "<http://u.example/");
  urlsift.test("http://a.example/ http://b.example/");
  urlsift.explain("http://c.example/");
  assert.deepEqual(urlsift.find(text), first);
});

test("the module can be given", async () => {
  const module = await WebAssembly.compile(bytes);
  for (const source of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), module,
    new Response(bytes, { headers: { "content-type": "application/wasm" } }), Promise.resolve(new Response(bytes)),
    pathToFileURL(path.join(PACKAGE, "urlsift.wasm")), undefined])
    assert.equal((await create(source)).find("www.a.example").length, 1);
  assert.equal(createSync(module).find("www.a.example").length, 1);
  await assert.rejects(create(new Response("", { status: 404 })));
  const foreign = vm.runInNewContext(
    "const { buffer } = new Uint8Array(bytes); [buffer, new WebAssembly.Module(buffer)]", { bytes });
  for (const source of [new DataView(new Uint8Array(bytes).buffer), ...foreign]) {
    assert.equal((await create(source)).find("www.a.example").length, 1);
    assert.equal(createSync(source).find("www.a.example").length, 1);
  }
});

test("a response of any type", async () => {
  for (const type of ["application/wasm", "application/wasm;", "application/wasm; charset=utf-8", "text/plain"]) {
    const like = { ok: true, url: "", status: 200, headers: { get: () => type }, arrayBuffer: async () => bytes };
    for (const source of [new Response(bytes, { headers: { "content-type": type } }), like])
      assert.equal((await create(source)).find("www.a.example").length, 1, type);
  }
});

test("what the module exports", async () => {
  const module = await WebAssembly.compile(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  assert.match(urlsift.version, /^\d+\.\d+\.\d+$/);
});

test("in a worker", async () => {
  const code = `import { create } from ${JSON.stringify(pathToFileURL(path.join(PACKAGE, "urlsift.mjs")))}; import { parentPort } from "node:worker_threads";
    parentPort.postMessage((await create()).find("www.a.example")[0].href);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  assert.equal(await new Promise((good, bad) => worker.once("message", good).once("error", bad)), "http://www.a.example");
});

test("charsets", async () => {
  const module = await mail.create();
  for (const [charset, bytes, text] of [
    ["iso-8859-2", "\xb1", "ą"], ["koi8-r", "\xc1", "а"], ["windows-1251", "\xe0", "а"], ["shift_jis", "\x88\xe4", "井"],
    ["euc-jp", "\xb0\xe6", "井"], ["euc-kr", "\xb0\xa1", "가"], ["gb18030", "\xb1\xb1", "北"], ["big5", "\xa4\xa4", "中"],
  ]) {
    const message = Buffer.from(`From: a\nContent-Type: text/plain; charset=${charset}\n\nhttp://h.example/${bytes}/z\n`, "latin1");
    assert.deepEqual(module.findInMail(message).map(link => link.text), [`http://h.example/${text}/z`], charset);
  }
});

test("names in Unicode and in A-labels, which are not compared, make no mismatch", async () => {
  const module = await mail.create();
  const warnings = (target, label) => module.findInMail(Buffer.from(
    `From: a\nContent-Type: text/html; charset=utf-8\n\n<a href="${target}">${label}</a>\n`)).map(link => link.warnings);
  assert.deepEqual(warnings("https://xn--mnchen-3ya.example/", "m\u00fcnchen.example"), [[]]);
  assert.deepEqual(warnings("https://m\u00fcnchen.example/", "xn--mnchen-3ya.example"), [[]]);
  assert.deepEqual(warnings("https://xn--mnchen-3ya.example/", "www.bank.example"), [["text-mismatch"], []]);
});

test("mail", async t => {
  const module = await mail.create();
  const message = fs.readFileSync(path.join(TOP, "testdata/readme/newsletter.eml"));
  const found = module.findInMail(message);
  assert.deepEqual(found.filter(link => link.attribute === "a href").map(link => link.label).slice(0, 2), ["May issue", "when to sow beans"]);
  const warned = found.find(link => link.warnings.includes("text-mismatch"));
  assert.equal(warned.href, "http://seeds.example.evil.example/shop");
  assert.deepEqual([warned.message.index, warned.message.subject, warned.part, warned.field], [0, "Your May issue", "1", null]);
  assert.equal(found[0].field, "List-Unsubscribe");
  const report = module.explain("http://a.example/|");
  if (report.valid) assert.deepEqual([report.valid.rfc3986, report.faults[1].rule], [false, "path-abempty"]);
  else t.diagnostic("urlsift-mail.wasm was built without the sources of PCRE2: no verdicts");
  const record = JSON.parse(module.records(message, { name: "n.eml" }).split("\n")[0]);
  assert.deepEqual([record.source, record.type], ["n.eml", "link"]);
  assert.deepEqual(module.findInMail(new Uint8Array(0)), []);
  assert.deepEqual(module.findInMail(message.buffer.slice(message.byteOffset, message.byteOffset + message.length)), found);
  for (const wrong of ["http://a.example/", { length: 3 }, null, undefined])
    for (const call of ["findInMail", "records", "html"]) assert.throws(() => module[call](wrong), /mail is bytes/);
  for (const wrong of [{ rules: [] }, { attributes: {} }])
    assert.throws(() => module.findInMail(message, wrong), /unknown option/);
  for (const call of ["findInMail", "records", "html"]) {
    for (const wrong of [null, 5, []])
      assert.throws(() => module[call](message, wrong), /^TypeError: options are not an object/, call);
    assert.throws(() => module[call](message, { base: null }), /^TypeError: option base: not a string but Null/, call);
  }
  for (const name of ["n\0http://a.example/", null])
    assert.throws(() => module.records(message, { name }), /^TypeError: option name/);
  assert.match(module.html(message), /<a href="http:\/\/seeds.example.evil.example\/shop"/);
  assert.doesNotMatch(module.html(new TextEncoder().encode("<script>x</script>")), /<script/);
});

test("relative targets of mail", async () => {
  const module = await mail.create(), body = '<a href="x/y?z">one</a> <area href="/w"> <a href="#here">two</a>\n';
  const message = (field = "") => Buffer.from(`From: a@b.example\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nContent-Type: text/html\n${field}\n${body}`);
  const targets = (field, options) => module.findInMail(message(field), options).filter(link => link.attribute).map(link => link.href);
  const notices = options => module.records(message(), options).split("\n").filter(line => line.includes('"type":"notice"')).length;
  const base = "http://m.example/d/ä/";
  assert.deepEqual(targets("", { base }), ["http://m.example/d/%C3%A4/x/y?z", "http://m.example/w"]);
  assert.deepEqual(targets("Content-Base: http://own.example/\n", { base, guess: true }), ["http://own.example/x/y?z", "http://own.example/w"]);
  assert.deepEqual(targets("", {}), []);
  assert.deepEqual([notices({}), notices({ base })], [2, 0]);
  assert.match(module.html(message(), { base, email: true }), /href="http:\/\/m\.example\/w"/);
  for (const call of ["findInMail", "records", "html"]) assert.throws(() => module[call](message(), { base: "relative" }), RangeError, call);
});

test("markdown-it", async t => {
  const markdownIt = (await npmPackage("markdown-it"))?.default;
  if (!markdownIt) return t.skip("markdown-it is not installed");
  const { urlsiftPlugin } = await import("../examples/markdown-it.mjs");
  const md = markdownIt().use(urlsiftPlugin(urlsift));
  assert.equal(md.render("see *http://a.example/* [x](http://b.example/www.c.example) `www.d.example`"),
    '<p>see <em><a href="http://a.example/">http://a.example/</a></em> <a href="http://b.example/www.c.example">x</a> <code>www.d.example</code></p>\n');
  assert.equal(md.render("the \\<URL:http://a.example/x\ny\\>, www.b.example"),
    '<p>the &lt;URL:<a href="http://a.example/xy">http://a.example/x</a>\n<a href="http://a.example/xy">y</a>&gt;, <a href="http://www.b.example">www.b.example</a></p>\n');
  const html = markdownIt({ html: true }).use(urlsiftPlugin(urlsift));
  assert.equal(html.renderInline('</a><abbr>www.c.example</abbr> ' +
    '<A href="http://x.example/">http://a.example *www.b.example*</A> www.d.example'),
    '</a><abbr><a href="http://www.c.example">www.c.example</a></abbr> ' +
    '<A href="http://x.example/">http://a.example <em>www.b.example</em></A> ' +
    '<a href="http://www.d.example">www.d.example</a>');
});

test("the interface of linkify-it", async t => {
  const { LinkifyIt } = await import("../examples/linkify-it.mjs");
  const ours = new LinkifyIt(urlsift);
  assert.equal(ours.match("nothing"), null);
  const theirs = await npmPackage("linkify-it"), Theirs = theirs?.LinkifyIt ?? theirs?.default?.LinkifyIt ?? theirs?.default;
  if (!Theirs) return t.skip("linkify-it is not installed");
  const plain = match => ({ schema: match.schema, index: match.index, lastIndex: match.lastIndex, raw: match.raw, text: match.text, url: match.url });
  for (const text of ["see http://a.example.org/x, and (https://b.org/y)", "ada@post.org", "ftp://a.org/"])
    assert.deepEqual(ours.match(text).map(plain).map(({ schema, ...rest }) => rest), new Theirs().match(text).map(plain).map(({ schema, ...rest }) => rest));
});
