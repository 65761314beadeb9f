// The links that linkify-it and autolinker find: a JSON array of texts on standard input; on standard output an object,
// by program an array for each text of [begin, end] in characters.  Programs that are not installed are left out.
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(`${process.cwd()}/package.json`);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const texts = JSON.parse(Buffer.concat(chunks).toString());

function load(name) {
	try {
		return require(name);
	} catch {
		return null;
	}
}

/* Offsets in UTF-16 as offsets in characters. */
function characters(text, spans) {
	let at = 0, count = 0;
	const upto = (offset) => {
		for (; at < offset; at += text.codePointAt(at) > 0xffff ? 2 : 1) count++;
		return count;
	};
	return spans.map(([begin, end]) => [upto(begin), upto(end)]);
}

const programs = {};
const linkify = load('linkify-it');
if (linkify) {
	const LinkifyIt = linkify.LinkifyIt ?? linkify.default ?? linkify;
	const finder = new LinkifyIt({}, { fuzzyLink: false, fuzzyEmail: false });
	programs['linkify-it'] = (text) => (finder.match(text) ?? []).map((m) => [m.index, m.lastIndex]);
}
const autolinker = load('autolinker');
if (autolinker) {
	const Autolinker = autolinker.default ?? autolinker.Autolinker ?? autolinker;
	const options = { urls: { schemeMatches: true, tldMatches: false, wwwMatches: false, ipV4Matches: false },
		email: false, phone: false, stripPrefix: false, sanitizeHtml: false };
	programs.autolinker = (text) => Autolinker.parse(text, options)
		.map((m) => [m.getOffset(), m.getOffset() + m.getMatchedText().length]);
}
const found = {};
for (const [name, find] of Object.entries(programs)) found[name] = texts.map((text) => characters(text, find(text)));
process.stdout.write(JSON.stringify(found));
