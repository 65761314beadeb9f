#include "construct.h"

#include "urlsift.h"

static size_t character(const struct bytes *b, size_t i)
{
	uint32_t cp;
	return urlsift_next_character(b->data + i, b->length - i, &cp);
}

/* ---- what terminals and printers make of a text ---- */

/* Bold or underlined, as nroff writes it: the whole of it, or characters here and there. */
static void overstrike(struct choices *c, const struct bytes *in, struct bytes *out)
{
	uint32_t how = choose(c, 5), gaps = choose(c, 4);
	for (size_t i = 0, n; i < in->length; i += n) {
		n = character(in, i);
		bool now = !gaps || !once_in(c, 2 + 4 * gaps);
		bool white = strchr(" \t\r\n", in->data[i]) != NULL;
		if (now && (!white || how == 4)) {
			size_t times = how == 3 ? 1 + choose(c, 3) : 1;
			while (times--) {
				bool underlined = how == 1 || (how == 2 && once_in(c, 2));
				bytes_add(out, underlined ? "_" : in->data + i, underlined ? 1 : n);
				bytes_byte(out, '\b');
			}
		}
		bytes_add(out, in->data + i, n);
	}
}

static const char *const sequences[SEQUENCES] = { /* the first five are colours */
	"\x1b[31m", "\x1b[0m", "\x1b[m", "\x1b[1;38;5;200m", "\x1b[K", "\x1b[4:3m", "\x1b]8;;\x07",
	"\x1b]8;;http://t.example/\x07",
	"\x1b]8;id=1;http://u.example/\x1b\\", "\x1b]0;title\x07", "\x1b(B", "\x1b[2J", "\x1b[1A", "\x1b", "\x1b[",
	"\x1b]8;;http://", "\b",
	"\x1b]8;;http://v.example/a\nb\x07", "\x9b" "1m", "\xc2\x9b" "1m", "\x1b[999999999999m", "\x0e",
	"\x1bP1$r\x1b\\", "_\b", "x\b"
};

void construct_sequences(struct choices *c, struct bytes *out, size_t most)
{
	for (size_t n = once_in(c, 4) ? 1 + choose(c, 3) : 1; n > 0; n--)
		bytes_text(out, sequences[choose(c, (uint32_t)most)]);
}

static void colour(struct choices *c, const struct bytes *in, struct bytes *out)
{
	uint32_t rate = 1 + choose(c, 12);
	size_t most = once_in(c, 3) ? SEQUENCES : 5;
	construct_sequences(c, out, most);
	for (size_t i = 0, n; i < in->length; i += n) {
		n = character(in, i);
		bytes_add(out, in->data + i, n);
		if (once_in(c, rate))
			construct_sequences(c, out, most);
	}
	bytes_text(out, "\x1b[0m");
}

/* The whole of it, or a part: links may begin in a label and end after it, or the other way round.  Sequences may stand
 * in the label, and what ends it may be incomplete. */
static void hyperlink(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const ends[] = { "\x1b]8;;\x1b\\", "\x1b]8;;\x1b\\", "\x1b]8;;\x07", "\x1b]8;;", "" };
	uint32_t most = in->length < 65535 ? (uint32_t)in->length + 1 : 65536;
	size_t begin = once_in(c, 2) ? choose(c, most) : 0, end = once_in(c, 2) ? choose(c, most) : in->length;
	end = end < begin ? in->length : end;
	bytes_add(out, in->data, begin);
	if (once_in(c, 4))
		construct_sequences(c, out, 5);
	bytes_text(out, once_in(c, 3) ? "\x1b]8;id=a;" : "\x1b]8;;");
	if (once_in(c, 2))
		bytes_add(out, in->data, in->length);
	else
		construct_url(c, out);
	bytes_text(out, once_in(c, 2) ? "\x1b\\" : "\x07");
	size_t inside = once_in(c, 4) ? begin + choose(c, most) % (end - begin + 1) : begin;
	bytes_add(out, in->data + begin, inside - begin);
	if (inside > begin)
		construct_sequences(c, out, SEQUENCES);
	bytes_add(out, in->data + inside, end - inside);
	bytes_text(out, CHOOSE(c, ends));
	bytes_add(out, in->data + end, in->length - end);
}

/* ---- what stands around a link ---- */

static void wrap(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const pairs[][2] = {
		{ "<", ">" }, { "<URL:", ">" }, { "\"", "\"" }, { "(", ")" }, { "'", "'" }, { "<url: ", " >" }, { "URL:",
		"" },
		{ "URL: ", "" }, { "[", "]" }, { "{", "}" }, { "*", "*" }, { "_", "_" }, { "[text](", ")" }, { "![",
		"](http://i.example/)" },
		{ "[[", "]]" }, { "[[", "][text]]" }, { "[", " text]" }, { "[[", "|text]]" }, { "`text <", ">`_" },
		{ "\\url{", "}" },
		{ "[url]", "[/url]" }, { "[url=", "]text[/url]" }, { "<a href=\"", "\">text</a>" }, { "href='", "'" },
		{ "<", "|label>" },
		{ "\xc2\xab", "\xc2\xbb" }, { "\xe2\x80\x9c", "\xe2\x80\x9d" }, { "&lt;", "&gt;" }, { "&quot;", "&quot;" },
		{ "`", "`" },
		{ "{\"link\": \"", "\"}" }, { "link:", "[label]" }, { "(+", ")" }, { "|", "|" }, { "<\n", "\n>" }, { "< ",
		">" }, { "<URL: \n", "" },
		{ "ATTENDEE:", "" }, { "", "...\n" }, { "", ".\n" }, { "www.a.example <", ">" }, { "", "'s" }, { "x", "" },
		{ "", "</b>" },
		{ "a\n\n", "\n\n--" }, { "", "\n\n-- \n" }, { "=", "=\n" }, { "<URL:<", ">>" }, { "<", "" }, { "", ">" },
		{ "\\", "\\n" }
	};
	size_t i = choose(c, sizeof pairs / sizeof *pairs);
	bytes_text(out, pairs[i][0]);
	bytes_add(out, in->data, in->length);
	bytes_text(out, pairs[i][1]);
}

/* ---- what breaks it ---- */

static const char *const breaks[] = {
	"\n", " \n", "\n ", "\n> ", "\r\n", "-\n", "=\n", "\\\n", "\n\\", "\r", "\n> > ", "\n\t", "=\r\n", " \n> ",
	"\n| ", "\n  ",
	"\xc2\xad\n", "\xe2\x80\x90\n", "\n\n", "\n \n", "\f", "\n[Page 7]\n\f\nHeader 1999\n\n", "\n\fHeader\n",
	"\x1b[0m\n", "\n+ ",
	"\n- ", "\n# ", "\n// ", "\n; ", "\n% ", "\n* ", "\n1. ", "\ndnl ", "\n    ", "\nName> ", "\n>", "\v",
	"\xe2\x80\xa8", " ", "\t",
	"=20\n", "= \n", "-\n> ", "- \n", "\n-- \n", "\n: ", "\n<", "%\n", "\n \\", "\xc2\xa0", "\xe2\x80\x8b", "&\n",
	"=\n=\n", "\b\n", "\n\b"
};
enum { COMMON_BREAKS = 20 };

static const char *choose_break(struct choices *c)
{
	return breaks[choose(c, once_in(c, 3) ? sizeof breaks / sizeof *breaks : COMMON_BREAKS)];
}

/* Breaks of one kind or of all kinds, here and there. */
static void fold(struct choices *c, const struct bytes *in, struct bytes *out)
{
	const char *same = once_in(c, 2) ? choose_break(c) : NULL;
	uint32_t rate = 1 + choose(c, once_in(c, 3) ? 4 : 40);
	for (size_t i = 0, n; i < in->length; i += n) {
		n = character(in, i);
		bytes_add(out, in->data + i, n);
		if (once_in(c, rate))
			bytes_text(out, same ? same : choose_break(c));
	}
}

/* A page break somewhere in it, with the footer of one page and the header of the next, which are of words, too. */
static void paginate(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const parts[] = { "\n\n", "  [Page 7]\n\f\n", "\n\n" };
	size_t at = choose(c, in->length < 65535 ? (uint32_t)in->length + 1 : 65536);
	bytes_add(out, in->data, at);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct bytes word = { 0 };
		bytes_clear(&word);
		if (i > 0)
			construct_word(c, &word);
		if (i > 0 && once_in(c, 2))
			construct_change(c, &word);
		bytes_add(out, word.data, word.length);
		bytes_text(out, parts[i]);
		free(word.data);
	}
	bytes_add(out, in->data + at, in->length - at);
}

/* Lines of one width, as mail has them. */
static void fill(struct choices *c, const struct bytes *in, struct bytes *out)
{
	size_t width = once_in(c, 3) ? 1 + choose(c, 80) : 60 + choose(c, 20), column = 0;
	const char *end = choose_break(c);
	for (size_t i = 0, n; i < in->length; i += n) {
		n = character(in, i);
		bytes_add(out, in->data + i, n);
		column = in->data[i] == '\n' ? 0 : column + 1;
		if (column >= width) {
			bytes_text(out, end);
			column = 0;
		}
	}
}

static void each_line(const struct bytes *in, struct bytes *out, const char *before, const char *end)
{
	bytes_text(out, before);
	for (size_t i = 0; i < in->length; i++) {
		if (in->data[i] != '\n') {
			bytes_byte(out, (uint8_t)in->data[i]);
			continue;
		}
		bytes_text(out, end);
		if (i + 1 < in->length)
			bytes_text(out, before);
	}
}

static void quote(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const prefixes[] = {
		"> ", ">", "> > ", ">> ", "| ", ": ", "    ", "\t", "+ ", "- ", "# ", "// ", "* ", "Ada> ", "; ", "% ",
		"dnl ", " * ", "1. ",
		">From ", "< ", "! ", "[1] ", "> > > > > > > > > > > > > > > > > > > > > > > > > > ", "\x1b[32m> \x1b[0m",
		">\t", "\xc2\xa0> ", "  > "
	};
	each_line(in, out, CHOOSE(c, prefixes), "\n");
}

static void line_ends(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const ends[] = { "\r\n", "\r", " \n", "\n\n", "=\n", "\r\r\n", "\n\r", "\\\n", "\f", "\v",
		"\xc2\x85" };
	each_line(in, out, "", CHOOSE(c, ends));
}

/* What stands before line ends: what may begin a bracket, a control, a mark. */
static void trail(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const struct {
		char bytes[8];
		uint8_t length;
	} marks[] = {
		{ "", 1 }, { "", 1 }, { "<", 1 }, { "<", 1 }, { "<URL:", 5 }, { "url: ", 5 }, { "<UR", 3 },
		{ "\x1b", 1 }, { "\b", 1 }, { "\xe2\x80", 2 }, { "\xe2\x80\xae", 3 }, { "-", 1 },
		{ "\xc2\xad", 2 }, { "=", 1 }, { "\r", 1 }, { "&", 1 }
	};
	size_t k = choose(c, sizeof marks / sizeof *marks);
	bool all = once_in(c, 2);
	for (size_t i = 0; i < in->length; i++) {
		if (in->data[i] == '\n' && (all || once_in(c, 3)))
			bytes_add(out, marks[k].bytes, marks[k].length);
		bytes_byte(out, (uint8_t)in->data[i]);
	}
}

/* ---- other ways to write it ---- */

static void defang(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const dots[] = { "[.]", "(.)", "{.}", "[dot]", "(DOT)", "{dot}", "[.", "." };
	static const char *const ats[] = { "[@]", "(at)", "{at}", "[at]", "@" };
	const char *dot = CHOOSE(c, dots), *at = CHOOSE(c, ats);
	bool all = once_in(c, 2);
	for (size_t i = 0; i < in->length; i++) {
		const char *p = in->data + i;
		if (!strncmp(p, "tt", 2) && once_in(c, 2)) {
			bytes_text(out, once_in(c, 4) ? "**" : "xx");
			i++;
		} else if (!strncmp(p, "://", 3) && once_in(c, 2)) {
			bytes_text(out, once_in(c, 2) ? "[://]" : "[:]//");
			i += 2;
		} else if (*p == '.' && (all || once_in(c, 3))) {
			bytes_text(out, dot);
		} else if (*p == '@') {
			bytes_text(out, at);
		} else {
			bytes_byte(out, (uint8_t)*p);
		}
	}
}

static void escape(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const set[][2] = {
		{ "/", "\\/" }, { "&", "&amp;" }, { "&", "\\u0026" }, { "=", "\\u003d" }, { "/", "&#47;" }, { ":",
		"&#x3a;" }, { "_", "\\_" },
		{ "\n", "\\n" }, { "\"", "\\\"" }, { ".", "\xe3\x80\x82" }, { "/", "\\/\\/" }, { "=", "=3D" }, { "a",
		"\0" }, { "%", "%25" },
		{ "/", "\\" }, { "&", "&#38;" }, { "h", "&#104;" }, { "\n", "<br>\n" }, { " ", "&nbsp;" }, { "<", "&lt;" },
		{ "\n", "\xe2\x80\xa9" }
	};
	size_t k = choose(c, sizeof set / sizeof *set);
	for (size_t i = 0; i < in->length; i++) {
		if (in->data[i] != set[k][0][0])
			bytes_byte(out, (uint8_t)in->data[i]);
		else if (*set[k][1])
			bytes_text(out, set[k][1]);
		else
			bytes_byte(out, 0);
	}
}

static void widen(const struct bytes *in, struct bytes *out, bool little)
{
	bytes_text(out, little ? "\xff\xfe" : "\xfe\xff");
	for (size_t i = 0, n; i < in->length; i += n) {
		uint32_t cp;
		n = urlsift_next_character(in->data + i, in->length - i, &cp);
		uint32_t units[2] = { cp, 0 };
		if (cp > 0xffff) {
			units[0] = 0xd800 + ((cp - 0x10000) >> 10);
			units[1] = 0xdc00 + ((cp - 0x10000) & 0x3ff);
		}
		for (size_t k = 0; k < 1u + (cp > 0xffff); k++) {
			bytes_byte(out, (uint8_t)(little ? units[k] : units[k] >> 8));
			bytes_byte(out, (uint8_t)(little ? units[k] >> 8 : units[k]));
		}
	}
}

/* ---- bytes around it and in it ---- */

static void surround(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char runs[] = "\0 \n\t><\b\x1b-_=*a.\\\r/(\xff";
	char byte = runs[choose(c, sizeof runs - 1)];
	size_t n = once_in(c, 12) ? choose(c, 1200) : choose(c, 40);
	bool before = once_in(c, 2);
	if (!before)
		bytes_add(out, in->data, in->length);
	while (n--)
		bytes_byte(out, (uint8_t)byte);
	if (before)
		bytes_add(out, in->data, in->length);
}

static void repeat(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const between[] = { "", " ", "\n", ",", "\ny\n", "> ", "|", "\r\n", "<", "\n\n" };
	const char *separator = CHOOSE(c, between);
	size_t n = 1 + choose(c, once_in(c, 16) ? once_in(c, 16) ? 400 : 40 : 5);
	while (n-- && out->length < 100000) {
		bytes_add(out, in->data, in->length);
		bytes_text(out, separator);
	}
}

/* ---- blocks ---- */

static void uuencode(const struct bytes *in, struct bytes *out, bool ends)
{
	bytes_text(out, "\nbegin 644 f\n");
	for (size_t i = 0; i < in->length; i += 45) {
		size_t n = in->length - i < 45 ? in->length - i : 45;
		bytes_byte(out, (uint8_t)(' ' + n));
		for (size_t k = 0; k < n; k += 3) {
			uint8_t a[3] = { (uint8_t)in->data[i + k], k + 1 < n ? (uint8_t)in->data[i + k + 1] : 0,
				             k + 2 < n ? (uint8_t)in->data[i + k + 2] : 0 };
			const uint8_t sextets[4] = { a[0] >> 2, (uint8_t)((a[0] & 3) << 4 | a[1] >> 4),
				                         (uint8_t)((a[1] & 15) << 2 | a[2] >> 6), a[2] & 63 };
			for (size_t s = 0; s < 4; s++)
				bytes_byte(out, (uint8_t)(sextets[s] ? ' ' + sextets[s] : '`'));
		}
		bytes_byte(out, '\n');
	}
	bytes_text(out, ends ? "`\nend\n" : "");
}

static void armour(struct choices *c, const struct bytes *in, struct bytes *out)
{
	static const char *const blocks[][2] = {
		{ "\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n",
		"\n-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n" },
		{ "\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n", "\n-----END PGP MESSAGE-----\n" },
		{ "\n=ybegin line=128 size=9 name=f\n", "\n=yend size=9\n" },
		{ "\n(This file must be converted with BinHex 4.0)\n:", "\n" },
		{ "\n```\n", "\n```\n" }, { "\n<pre>\n", "</pre>\n" }, { "\n-- \n", "\n" }, { "\n+----+\n| ",
		" |\n+----+\n" },
		{ "\nbegin 644 f\n", "\nend\n" },
		{ "\naHR0cDovL2IuZXhhbXBsZS9hSFIwY0RvdkwySXVaWGhoYlhCc1pTOWhhSFIwY0RvdkwySXVa\n", "\n" }
	};
	size_t i = choose(c, sizeof blocks / sizeof *blocks + 1);
	if (i == sizeof blocks / sizeof *blocks) {
		uuencode(in, out, once_in(c, 2));
		return;
	}
	bytes_text(out, blocks[i][0]);
	bytes_add(out, in->data, in->length);
	bytes_text(out, blocks[i][1]);
}

void construct_change(struct choices *c, struct bytes *text)
{
	struct bytes out = { 0 };
	uint32_t kind = choose(c, CHANGES);
	while (c->changes && !(c->changes >> kind & 1))
		kind = (kind + 1) % CHANGES;
	bytes_clear(&out);
	switch (kind) {
	case 0: case 1: case 2: case 3: wrap(c, text, &out); break;
	case 4: case 5: overstrike(c, text, &out); break;
	case 6: case 7: colour(c, text, &out); break;
	case 8: case 9: hyperlink(c, text, &out); break;
	case 10: case 11: case 12: fold(c, text, &out); break;
	case 13: fill(c, text, &out); break;
	case 14: quote(c, text, &out); break;
	case 15: line_ends(c, text, &out); break;
	case 16: trail(c, text, &out); break;
	case 17: defang(c, text, &out); break;
	case 18: escape(c, text, &out); break;
	case 19: surround(c, text, &out); break;
	case 20: repeat(c, text, &out); break;
	case 21: paginate(c, text, &out); break;
	default:
		if (once_in(c, 4))
			widen(text, &out, once_in(c, 2));
		else
			armour(c, text, &out);
	}
	free(text->data);
	*text = out;
}

void construct_mutate(struct choices *c, struct bytes *text)
{
	static const char bytes[] = "\0\n\r\t \b\x1b<>\"'&=%/:.@-_[](){}|\\#?\x7f\x80\xc2\xe2\xff";
	size_t n = 1 + choose(c, 6);
	while (n-- && text->length) {
		uint32_t length = (uint32_t)(text->length < 65536 ? text->length : 65536);
		size_t at = choose(c, length), run = 1 + choose(c, once_in(c, 4) ? 100 : 4);
		run = run < text->length - at ? run : text->length - at;
		struct bytes out = { 0 };
		bytes_add(&out, text->data, at);
		uint32_t how = choose(c, 6);
		if (how == 0) {
			bytes_byte(&out, (uint8_t)bytes[choose(c, sizeof bytes - 1)]);
			run = 0;
		} else if (how == 1) {
			bytes_byte(&out, (uint8_t)choose(c, 256));
			run = 1;
		} else if (how == 2) { /* repeated */
			bytes_add(&out, text->data + at, run);
			run = 0;
		} else if (how == 3) { /* moved on */
			size_t from = choose(c, length);
			bytes_add(&out, text->data + from, run < text->length - from ? run : text->length - from);
			run = 0;
		} else if (how == 4 && once_in(c, 4)) {
			run = text->length - at;
		}
		bytes_add(&out, text->data + at + run, text->length - at - run);
		free(text->data);
		*text = out;
	}
}
