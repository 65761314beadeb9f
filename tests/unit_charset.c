/* Charsets (C1): names, known bytes, any bytes, every way to cut them, no memory, an iconv that fails. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "check.h"
#include "text/charset.h"
#include "text/unicode.h"
#include "mail/charset_cache.h"
#include "text/charset_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The harness ---- */

/* What came out: text, and the source offset of every character. */
#define INSIDE UINT64_MAX /* of a character */
struct trace {
	struct charset *charset;
	uint8_t *text;
	uint64_t *at, *begin; /* with the source that says nothing before it, and without */
	size_t length, room;
	uint64_t end;
	bool forget, whole;
	urlsift_status answer;
};

static urlsift_status trace_text(void *user, const uint8_t *p, size_t n)
{
	struct trace *t = user;
	if (t->length + n > t->room) {
		t->room = 2 * (t->length + n);
		t->text = realloc(t->text, t->room);
		t->at = realloc(t->at, t->room * sizeof *t->at);
		t->begin = realloc(t->begin, t->room * sizeof *t->begin);
		if (!t->text || !t->at || !t->begin)
			abort();
	}
	memcpy(t->text + t->length, p, n);
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		bool cut;
		size_t k = utf8_sequence(p + i, n - i, &cp, &cut);
		t->whole = t->whole && k;
		t->at[t->length + i] = charset_source(t->charset, t->length + i);
		t->begin[t->length + i] = charset_begin(t->charset, t->length + i);
		for (size_t j = 1; j < k; j++)
			t->at[t->length + i + j] = INSIDE;
		i += k ? k : 1;
	}
	t->length += n;
	if (t->forget)
		charset_forget(t->charset, t->length);
	return t->answer;
}

static void trace_fini(struct trace *t)
{
	free(t->text);
	free(t->at);
	free(t->begin);
}

static struct trace trace_begin(struct charset *c)
{
	charset_reset(c);
	return (struct trace){ .charset = c, .whole = true };
}

static urlsift_status feed_all(struct charset *c, const uint8_t *p, size_t n, charset_sink sink, void *user)
{
	urlsift_status status = charset_feed(c, p, n, sink, user);
	return status ? status : charset_finish(c, sink, user);
}

/* Feeds in blocks of `block` bytes, or in two, cut there, when `two`. */
static struct trace trace_of(struct charset *c, const uint8_t *p, size_t n, size_t block, bool two)
{
	struct trace t = trace_begin(c);
	t.forget = block % 2;
	urlsift_status status = URLSIFT_OK;
	if (two) {
		status = charset_feed(c, p, block, trace_text, &t);
		if (!status)
			status = feed_all(c, p + block, n - block, trace_text, &t);
	} else {
		for (size_t i = 0; i < n && !status; i += block)
			status = charset_feed(c, p + i, n - i < block ? n - i : block, trace_text, &t);
		if (!status)
			status = charset_finish(c, trace_text, &t);
	}
	CHECK(status == URLSIFT_OK);
	t.end = charset_source(c, t.length);
	return t;
}

static bool same_trace(const struct trace *a, const struct trace *b)
{
	if (a->length != b->length || a->end != b->end)
		return false;
	if (a->length && memcmp(a->text, b->text, a->length))
		return false;
	/* Text passed through is cut anywhere, inside characters too. */
	for (size_t i = 0; i < a->length; i++)
		if (a->at[i] != INSIDE && b->at[i] != INSIDE && (a->at[i] != b->at[i] || a->begin[i] != b->begin[i]))
			return false;
	return true;
}

/* The same text and offsets however it is cut. */
static bool same_however_cut(struct charset *c, const struct trace *whole, const uint8_t *p, size_t n)
{
	bool ok = true;
	for (size_t cut = 0; cut <= n && ok; cut += n > 200 ? n / 7 : 1) {
		struct trace t = trace_of(c, p, n, cut, true);
		ok = same_trace(whole, &t);
		trace_fini(&t);
	}
	for (size_t block = 1; block < 8 && ok; block++) {
		struct trace t = trace_of(c, p, n, block, false);
		ok = same_trace(whole, &t);
		trace_fini(&t);
	}
	return ok;
}

static struct charset *open_charset(const urlsift_allocator *a, const char *name)
{
	urlsift_status status = URLSIFT_STOPPED;
	const char *canonical = name ? charset_canonical(name, strlen(name)) : NULL;
	CHECK_FOR(!name || canonical, name ? name : "-");
	struct charset *c = charset_new(a, canonical, &status);
	if (!c)
		printf("note: this iconv has no %s\n", name ? name : "-");
	CHECK_FOR(c ? status == URLSIFT_OK : status == URLSIFT_BAD_CHARSET, name ? name : "-");
	return c;
}

/* ---- Known bytes ---- */

#define BYTES(s) s, sizeof s - 1
#define FFFD "\xEF\xBF\xBD"

static const struct {
	const char *charset; /* NULL: undeclared */
	const char *bytes;
	size_t n;
	const char *text;
	size_t length;
	const char *at; /* source offset of each character and of the end, as letters from 'a' */
} cases[] = {
	/* Undeclared, and marks. */
	{ NULL, BYTES("a\xE9" "b\xC3"), BYTES("a\xE9" "b\xC3"), "abcde" },
	{ NULL, BYTES(""), BYTES(""), "a" },
	{ NULL, BYTES("\xEF\xBB\xBF" "ab"), BYTES("ab"), "aef" },
	{ NULL, BYTES("\xEF\xBB"), BYTES("\xEF\xBB"), "abc" },
	{ NULL, BYTES("\xFF\xFE" "a\0\x3D\xD8\0\xDE"), BYTES("a\xF0\x9F\x98\x80"), "aei" },
	{ NULL, BYTES("\xFE\xFF\0a\0b"), BYTES("ab"), "aeg" },
	{ NULL, BYTES("\xFF\xFE\0\0a\0\0\0"), BYTES("a"), "ai" },
	{ NULL, BYTES("\0\0\xFE\xFF\0\0\0a"), BYTES("a"), "ai" },
	{ NULL, BYTES("\xFF\xFE\0"), BYTES(FFFD), "ad" },
	{ NULL, BYTES("\xFF\xFE"), BYTES(""), "a" },
	{ "us-ascii", BYTES("a\xE9"), BYTES("a\xE9"), "abc" },
	{ "UTF-16", BYTES("\xFF\xFE" "a\0"), BYTES("a"), "ae" },
	{ "UTF-16", BYTES("\xFF\xFE\0\0"), BYTES("\0"), "ae" },
	{ "UTF-16", BYTES("\0a\xD8\x3D\0b\xDE\0\0"), BYTES("a" FFFD "b" FFFD FFFD), "acegij" },
	{ "UTF-16", BYTES("sixteen letters\n"), BYTES("sixteen letters\n"), "abcdefghijklmnopq" },
	{ "UTF-32", BYTES("sixteen letters\n"), BYTES("sixteen letters\n"), "abcdefghijklmnopq" },
	{ "UTF-16", BYTES("N-"), BYTES("\xE4\xB8\xAD"), "ac" },
	{ "UTF-16LE", BYTES("\xFF\xFE" "a\0\xFF\xFE"), BYTES("a\xEF\xBB\xBF"), "aeg" },
	{ "UTF-16BE", BYTES("\0a\xD8\x3D"), BYTES("a" FFFD), "ace" },
	{ "UTF-32", BYTES("\0\0\0a\0\x11\0\0\0\0\xD8\0\0\x01\xF6\0x"), BYTES("a" FFFD FFFD "\xF0\x9F\x98\x80" FFFD),
		"aeimqr" },
	/* UTF-8: one U+FFFD for each bad byte. */
	{ "utf-8", BYTES("\xEF\xBB\xBF" "a\xC3\xA9\xF5\xED\xA0\x80\xE2\x82" "b\xE2\x82"),
	  BYTES("a\xC3\xA9" FFFD FFFD FFFD FFFD FFFD FFFD "b" FFFD FFFD), "aeghijklmnop" },
	{ "utf8", BYTES("\xF8\x88\x80\x80\x80"), BYTES(FFFD FFFD FFFD FFFD FFFD), "abcdef" },
	/* One byte a character. */
	{ "latin1", BYTES("a\xE9\x93\x81"), BYTES("a\xC3\xA9\xE2\x80\x9C\xC2\x81"), "abcde" },
	{ "ISO-8859-9", BYTES("a\xFD\x93"), BYTES("a\xC4\xB1\xE2\x80\x9C"), "abcd" },
	{ "iso-8859-15", BYTES("a\xA4\x93"), BYTES("a\xE2\x82\xAC\xC2\x93"), "abcd" },
	{ "windows-1252", BYTES("\x93\x81\xE9"), BYTES("\xE2\x80\x9C" FFFD "\xC3\xA9"), "abcd" },
	{ "KOI8-R", BYTES("\xD0\xD2 a"), BYTES("\xD0\xBF\xD1\x80 a"), "abcde" },
	{ "cp1255", BYTES("\xF9\xE0\xD9"), BYTES("\xD7\xA9\xD7\x90" FFFD), "abcd" },
	{ "windows-1258", BYTES("a\xEC\xFE"), BYTES("a\xCC\x81\xE2\x82\xAB"), "abcd" },
	{ "iso-8859-8-i", BYTES("\xE0/"), BYTES("\xD7\x90/"), "abc" },
	{ "x-mac-roman", BYTES("\x8E"), BYTES("\xC3\xA9"), "ab" },
	{ "TCVN", BYTES("\x02" "a\xB3"), BYTES("\xE1\xBB\xA4" "a\xCC\x81"), "abcd" },
	/* Several bytes a character. */
	{ "GB2312", BYTES("a\xD6\xD0<\x81" "<\xD6"), BYTES("a\xE4\xB8\xAD<" FFFD "<" FFFD), "abdefgh" },
	{ "GB18030", BYTES("\x81\x30\x81\x30\xD6\xD0\x94\x39\xFC\x36\x81\x30\x81"),
	  BYTES("\xC2\x80\xE4\xB8\xAD\xF0\x9F\x98\x80" FFFD "0" FFFD), "aegklmn" },
	{ "GB18030", BYTES("\x84\x31\x95\x33" "a"), BYTES("a"), "af" },
	{ "GB18030", BYTES("\xE4\x30\x81\x30\x81\x30" "b"), BYTES(FFFD "0\xC2\x80" "b"), "abcgh" },
	{ "Big5", BYTES("\xA4\xA4~"), BYTES("\xE4\xB8\xAD~"), "acd" },
	{ "EUC-JP", BYTES("\xC6\xFC\x8E\xB1\x8F\xB0\xA1\xFF"), BYTES("\xE6\x97\xA5\xEF\xBD\xB1\xE4\xB8\x82" FFFD),
		"acehi" },
	{ "shift_jis", BYTES("\x93\xFA\xB1~\\\x93"), BYTES("\xE6\x97\xA5\xEF\xBD\xB1~\\" FFFD), "acdefg" },
	{ "ks_c_5601-1987", BYTES("\xC7\xD1\xB0\x22"), BYTES("\xED\x95\x9C" FFFD "\""), "acde" },
	/* Sets switched between. */
	{ "iso-2022-jp", BYTES("a\x1B$BF|K\\\x1B(Jb~\x1B(Bc"), BYTES("a\xE6\x97\xA5\xE6\x9C\xAC" "b\xE2\x80\xBE" "c"),
		"abgimnr" },
	{ "iso-2022-jp", BYTES("\x1B$B!\x80\x1B(I1\x1B$(D0!\x1B$B"), BYTES(FFFD FFFD "\xEF\xBD\xB1\xE4\xB8\x82"), "aefjp" },
	{ "iso-2022-jp", BYTES("\x1B[\x1B$BF"), BYTES("\x1B[" FFFD), "abcg" },
	{ "iso-2022-jp-2", BYTES("\x1B$AVP\x1B.A\x1B(B\x1BNi\x1B$(CGQ\x1B.F\x1BNaN"),
	  BYTES("\xE4\xB8\xAD\xC3\xA9\xED\x95\x9C\xCE\xB1" FFFD), "afou{|" },
	{ "iso-2022-kr", BYTES("\x1B$)Ca\x0EGQ\x0F" "b"), BYTES("a\xED\x95\x9C" "b"), "afik" },
	{ "hz-gb-2312", BYTES("a~{VP~}~~~\nb~c~{VP\nd"), BYTES("a\xE4\xB8\xAD~b" FFFD "c\xE4\xB8\xAD\nd"), "abfjmnostu" },
	{ "unicode-1-1-utf-7", BYTES("a+AGEA6Q-b+-~"), BYTES("aa\xC3\xA9" "b+~"), "abfikmn" },
	{ "utf-7", BYTES("+2D3eAA-+2D0AYQ-+3gA=+,\xE9"), BYTES("\xF0\x9F\x98\x80" FFFD "a" FFFD "=" FFFD "," FFFD),
		"ahmpuvwxy" },
	{ "utf-7", BYTES("+2D0"), BYTES(FFFD), "ae" },
	{ "utf-7", BYTES("+/v8-a+"), BYTES("a" FFFD), "agh" },
};

static void test_cases(void)
{
	urlsift_allocator a = alloc_from(NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = cases[i].charset ? cases[i].charset : "undeclared";
		const uint8_t *p = (const uint8_t *)cases[i].bytes;
		struct charset *c = open_charset(&a, cases[i].charset);
		if (!c)
			continue;
		struct trace t = trace_of(c, p, cases[i].n, cases[i].n ? cases[i].n : 1, false);
		bool text = t.length == cases[i].length && (!t.length || !memcmp(t.text, cases[i].text, t.length));
		CHECK_FOR(text, name);
		CHECK_FOR(same_however_cut(c, &t, p, cases[i].n), name);
		char at[64];
		size_t k = 0;
		for (size_t j = 0; j < t.length && k < 60; j++)
			if (t.at[j] != INSIDE)
				at[k++] = (char)('a' + t.at[j]);
		at[k++] = (char)('a' + t.end);
		at[k] = 0;
		if (!CHECK_FOR(!strcmp(at, cases[i].at), name) || !text)
			printf("  case %zu: at %s, text %.*s\n", i, at, (int)t.length, (char *)t.text);
		trace_fini(&t);
		charset_free(c);
	}
}

/* ---- Names ---- */

/* One name of every charset on the list. */
static const char *const supported[] = {
	"utf-8", "utf-16", "utf-16be", "utf-16le", "utf-32", "utf-32be", "utf-32le", "utf-7", "iso-8859-1", "iso-8859-2",
	"iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10",
	"iso-8859-11", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "windows-1250", "windows-1251",
	"windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258",
	"windows-874", "tis-620", "koi8-r", "koi8-u", "koi8-ru", "koi8-t", "ibm437", "cp737", "cp775", "ibm850", "ibm852",
	"ibm855", "ibm857", "ibm858", "ibm860", "ibm861", "ibm862", "ibm863", "ibm865", "ibm866", "ibm869", "cp1125",
	"macintosh", "x-mac-cyrillic", "x-mac-ukrainian", "x-mac-ce", "viscii", "tcvn", "armscii-8", "georgian-ps",
	"georgian-academy", "pt154", "rk1048", "hp-roman8", "gbk", "gb18030", "big5", "big5-hkscs", "euc-kr", "shift_jis",
	"euc-jp", "euc-tw", "iso-2022-jp", "iso-2022-jp-2", "iso-2022-kr", "hz-gb-2312",
};
enum { NAMES = sizeof supported / sizeof *supported };

static const char *canonical(const char *name)
{
	return charset_canonical(name, strlen(name));
}

static void test_names(void)
{
	static const char *const refused[] = {
		"", "-", "_", "/", "//", "utf-8//", "utf-8//IGNORE", "utf-8//TRANSLIT", "iso-8859-1/", " utf-8", "utf-8 ",
		"utf-88",
		"iso-8859-12", "iso-2022-cn-ext", "iso-2022-cn", "ibm1390", "ibm1399", "ibm037", "no-such", "utf-8\xC2\xA0",
	};
	static const char *const undeclared[] = {
		"us-ascii", "US_ASCII", "ASCII", "ANSI_X3.4-1968", "646", "unknown-8bit", "x-unknown", "8bit", "default",
		"x-user-defined", "unknown",
	};
	static const char *const same[][2] = {
		{ "UTF8", "utf-8" }, { "ISO_8859-1:1987", "latin1" }, { "iso88591", "ISO-8859-1" }, { "Cp1252",
			"windows-1252" },
		{ "x-sjis", "Shift_JIS" }, { "windows-31j", "sjis" }, { "KS_C_5601-1987", "euc-kr" }, { "uhc", "cp949" },
		{ "x-gbk", "gb2312" }, { "cp936", "GBK" }, { "iso-8859-6-e", "arabic" }, { "unicode-1-1-utf-7", "UTF-7" },
		{ "HZ", "hz-gb-2312" }, { "iso-2022-jp-1", "ISO-2022-JP" }, { "cp950", "big5" }, { "ibm866", "cp866" },
		{ "mac", "x-mac-roman" },
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		CHECK_FOR(!canonical(refused[i]), refused[i]);
	for (size_t i = 0; i < sizeof undeclared / sizeof *undeclared; i++)
		CHECK_FOR(canonical(undeclared[i]) && !*canonical(undeclared[i]), undeclared[i]);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		CHECK_FOR(canonical(same[i][0]) && canonical(same[i][0]) == canonical(same[i][1]), same[i][0]);
	CHECK(!charset_canonical("utf-8\0x", 7) && charset_canonical("utf-8x", 5));
	CHECK(canonical("gbk") != canonical("gb18030") && canonical("big5") != canonical("big5-hkscs"));
	for (size_t i = 0; i < NAMES; i++) {
		const char *c = canonical(supported[i]);
		CHECK_FOR(c && *c && canonical(c) == c, supported[i]);
		for (size_t j = 0; j < i; j++)
			CHECK_FOR(c != canonical(supported[j]), supported[i]);
	}
	urlsift_allocator a = alloc_from(NULL);
	urlsift_status status;
	CHECK(!charset_new(&a, "utf-8//IGNORE", &status) && status == URLSIFT_BAD_CHARSET);
	charset_free(NULL);
}

/* ---- Any bytes ---- */

/* Bytes that make the decoders busy: escapes, leads, units of all kinds. */
static size_t make_noise(uint8_t *p, size_t room, uint32_t *seed)
{
	static const char *const bits[] = {
		"\x1b$B", "\x1b(B", "\x1b(J", "\x1b$(D", "\x1b$)C", "\x0e", "\x0f", "~{", "~}", "~~", "~\n", "+AGE",
			"+2D3eAA", "-",
		"\x1b", "\x1b$", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\x81\x30\x81\x30", "\x8E\xA2\xA1\xA1", "\x8F\xB0\xA1",
		"\x88\x62", "\xE2\x82\xAC", "http://a.example/", "\n", "\xA4\xA4", "F|K\\", "\x1b.A", "\x1bNi", "\x1b$A",
		"\x1b$(C",
	};
	size_t n = 0;
	while (n + 20 < room) {
		uint32_t r = random_bits(seed);
		if (r % 3 == 0) {
			const char *b = bits[r / 3 % (sizeof bits / sizeof *bits)];
			memcpy(p + n, b, strlen(b));
			n += strlen(b);
		} else if (r % 3 == 1) {
			p[n++] = (uint8_t)(r >> 8);
		} else {
			p[n++] = (uint8_t)('!' + (r >> 8) % 94);
		}
	}
	return n;
}

static void check_noise(struct charset *c, const char *name, const uint8_t *p, size_t n)
{
	struct trace t = trace_of(c, p, n, n, false);
	CHECK_FOR(t.whole, name);
	bool order = true;
	uint64_t before = 0;
	for (size_t j = 0; j < t.length; j++) {
		if (t.at[j] == INSIDE)
			continue;
		order = order && t.at[j] >= before && t.begin[j] >= t.at[j] && t.begin[j] <= n;
		before = t.begin[j];
	}
	CHECK_FOR(order && t.end >= before && t.end <= n, name);
	CHECK_FOR(same_however_cut(c, &t, p, n), name);
	trace_fini(&t);
}

static void test_noise(void)
{
	urlsift_allocator a = alloc_from(NULL);
	uint32_t seed = 12345;
	uint8_t noise[110];
	for (size_t i = 0; i < NAMES; i++) {
		struct charset *c = open_charset(&a, supported[i]);
		for (unsigned round = 0; c && round < 8; round++)
			check_noise(c, supported[i], noise, make_noise(noise, sizeof noise, &seed));
		charset_free(c);
	}
}

/* Units of UTF-16 have the text and offsets that they have one by one, ASCII in runs of any length among them. */
static void check_units(struct charset *c, bool little, size_t n, uint32_t *seed)
{
	static const uint16_t units[] = { 0x80, 0xFF, 0x100, 0x141, 0x4100, 0x4141, 0x7F00, 0x2028, 0 };
	uint8_t *p = malloc(2 * n), *text = malloc(3 * n);
	size_t length = 0, run = 0;
	bool right = true;
	if (!p || !text)
		abort();
	struct { size_t text, source; } *at = malloc(n * sizeof *at);
	for (size_t i = 0; i < n; i++) {
		uint32_t r = random_bits(seed);
		run = run ? run - 1 : r % 12;
		uint16_t unit = (uint16_t)(run ? r >> 8 & 0x7F : units[(r >> 8) % (sizeof units / sizeof *units)]);
		p[2 * i + little] = (uint8_t)(unit >> 8);
		p[2 * i + !little] = (uint8_t)unit;
		at[i].text = length;
		at[i].source = 2 * i;
		length += utf8_put(text + length, unit);
	}
	struct trace t = trace_of(c, p, 2 * n, 2 * n, false);
	CHECK(t.length == length && !memcmp(t.text, text, length));
	for (size_t i = 0; i < n && t.length == length; i++)
		right = right && t.at[at[i].text] == at[i].source;
	CHECK(right && t.end == 2 * n);
	CHECK(same_however_cut(c, &t, p, 2 * n));
	trace_fini(&t);
	free(at);
	free(text);
	free(p);
}

static void test_units(void)
{
	urlsift_allocator a = alloc_from(NULL);
	uint32_t seed = 4711;
	for (int little = 0; little < 2; little++) {
		struct charset *c = open_charset(&a, little ? "utf-16le" : "utf-16be");
		for (size_t n = 1; n < 200 && c; n += 3)
			check_units(c, little, n, &seed);
		if (c)
			check_units(c, little, run_rounds(50000), &seed);
		charset_free(c);
	}
}

/* Blocks: longer than CHARSET_BLOCK, of every kind of run, and all malformed. */
static void test_long(void)
{
	static const struct { const char *charset, *unit; size_t text; } rows[] = {
		{ "utf-8", "abcdefghijklmnop\xC3\xA9", 18 }, { "utf-8", "\xFF", 3 }, { "koi8-r", "\xD0\xD2 ", 5 },
		{ "koi8-r", "abcdefgh", 8 }, { "windows-1251", "\x98", 3 }, { "gb2312", "\xD6\xD0" "a", 4 }, { "gb2312",
			"\xFF", 3 },
		{ "gb18030", "\x81\x30\x81\x30", 2 }, { "iso-2022-jp", "\x1b$BF|\x1b(Ba", 4 }, { "utf-7", "+AOk-a", 3 },
		{ "iso-2022-jp", "\x1b$B", 0 }, { "utf-16be", "ab", 3 }, { "euc-jp", "\x8F", 3 }, { "hz", "~", 0 },
	};
	enum { SIZE = 100000 };
	static uint8_t p[SIZE];
	urlsift_allocator a = alloc_from(NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t unit = strlen(rows[i].unit), n = SIZE / unit * unit;
		struct charset *c = open_charset(&a, rows[i].charset);
		for (size_t k = 0; k < n; k++)
			p[k] = (uint8_t)rows[i].unit[k % unit];
		if (!c)
			continue;
		struct trace t = trace_of(c, p, n, 1000001, false), u = trace_of(c, p, n, 4001, false);
		CHECK_FOR(same_trace(&t, &u) && t.whole, rows[i].charset);
		CHECK_FOR(t.length == n / unit * rows[i].text || *rows[i].unit == '~', rows[i].charset);
		trace_fini(&t);
		trace_fini(&u);
		charset_free(c);
	}
}

/* The sink's status comes back, and stops. */
static void test_stop(void)
{
	static const char *const some[] = { NULL, "utf-8", "koi8-r", "utf-16le" };
	urlsift_allocator a = alloc_from(NULL);
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		struct charset *c = open_charset(&a, some[i]);
		struct trace t = trace_begin(c);
		t.answer = URLSIFT_STOPPED;
		CHECK(feed_all(c, (const uint8_t *)"a\0b\0", 4, trace_text, &t) == URLSIFT_STOPPED);
		trace_fini(&t);
		charset_free(c);
	}
}

/* ---- Without memory ---- */

static urlsift_status drop_text(void *user, const uint8_t *p, size_t n)
{
	(void)user, (void)p, (void)n;
	return URLSIFT_OK;
}

static urlsift_status convert_all(const urlsift_allocator *a, const char *name, const uint8_t *p, size_t n)
{
	urlsift_status status;
	struct charset *c = charset_new(a, name ? canonical(name) : NULL, &status);
	if (c)
		status = feed_all(c, p, n, drop_text, NULL);
	charset_free(c);
	return status;
}

/* Each call of iconv_open fails, alone or with all later ones: there is a converter, or the status says why not.
 * What no memory is, glibc may say in the second round of names only. */
#if defined URLSIFT_WITH_ICONV && defined __GLIBC__
#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>

static struct { unsigned calls, fail_at, fail_to; int error; } opens;

iconv_t iconv_open(const char *to, const char *from)
{
	iconv_t (*real)(const char *, const char *);
	*(void **)&real = dlsym(RTLD_NEXT, "iconv_open");
	if (opens.calls++ - opens.fail_at < opens.fail_to - opens.fail_at) {
		errno = opens.error;
		return (iconv_t)-1;
	}
	return real(to, from);
}

static void test_no_converter(void)
{
	static const char *const some[] = { "koi8-r", "euc-jp", "gb18030", "iso-2022-jp-2", "hz" };
	urlsift_allocator a = alloc_from(NULL);
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		opens.calls = opens.fail_at = opens.fail_to = 0;
		CHECK_FOR(convert_all(&a, some[i], (const uint8_t *)"a\xC1\xC2", 3) == URLSIFT_OK, some[i]);
		for (unsigned at = 0, calls = opens.calls; at < calls; at++) {
			opens.calls = 0;
			opens.fail_at = at;
			opens.fail_to = at + 1;
			opens.error = EINVAL;
			CHECK_FOR(convert_all(&a, some[i], (const uint8_t *)"a\xC1\xC2", 3) == URLSIFT_OK, some[i]);
			opens.calls = 0;
			opens.fail_to = at + 1000;
			CHECK_FOR(convert_all(&a, some[i], (const uint8_t *)"a\xC1\xC2", 3) == URLSIFT_BAD_CHARSET, some[i]);
			opens.calls = 0;
			opens.error = ENOMEM;
			CHECK_FOR(convert_all(&a, some[i], (const uint8_t *)"a\xC1\xC2", 3) == URLSIFT_NO_MEMORY, some[i]);
		}
	}
	opens.fail_at = opens.fail_to = 0;
}
#else
static void test_no_converter(void) { }
#endif

static void test_no_memory(void)
{
	static const char *const some[] = { NULL, "utf-8", "koi8-r", "utf-16le", "gbk", "iso-2022-jp-2", "utf-7" };
	uint32_t seed = 99;
	static uint8_t noise[4000];
	size_t n = make_noise(noise, sizeof noise, &seed);
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		struct counting c = { 0 };
		urlsift_allocator a = counting_allocator(&c);
		urlsift_status whole = convert_all(&a, some[i], noise, n);
		size_t calls = c.calls;
		if (whole == URLSIFT_BAD_CHARSET)
			continue;
		CHECK(whole == URLSIFT_OK && calls >= 2);
		for (size_t k = 1; k <= calls; k++) {
			c = (struct counting){ .fail_at = k };
			CHECK_FOR(convert_all(&a, some[i], noise, n) == URLSIFT_NO_MEMORY, some[i] ? some[i] : "undeclared");
			CHECK(c.blocks == 0);
		}
	}
	CHECK(charset_memory_bound() > map_memory_bound() && charset_memory_bound() < 4u << 20);
}

/* ---- The cache of charsets, aliases, malformed text ---- */

/* ---- The cache ---- */

static struct charset *get(struct charset_cache *c, const char *name, bool *known)
{
	return charset_cache_get(c, name, strlen(name), known);
}

static void test_cache(void)
{
	struct counting count = { 0 };
	urlsift_allocator a = counting_allocator(&count);
	struct charset_cache c;
	bool known;
	charset_cache_init(&c, &a);
	struct charset *undeclared = get(&c, "", &known);
	CHECK(undeclared && known);
	CHECK(get(&c, "us-ascii", &known) == undeclared && known);
	CHECK(get(&c, "no-such", &known) == undeclared && !known);
	CHECK(get(&c, "utf-8//IGNORE", &known) == undeclared && !known);
	struct charset *koi = get(&c, "koi8-r", &known);
	CHECK(koi && koi != undeclared && known && get(&c, "KOI8_R", &known) == koi);
	/* It comes reset, and stays as it is until others were asked for. */
	CHECK(charset_feed(koi, (const uint8_t *)"\xC1\xC2", 2, drop_text, NULL) == URLSIFT_OK);
	CHECK(get(&c, "utf-8", &known) != koi && charset_source(koi, 4) == 2);
	CHECK(get(&c, "koi8-r", &known) == koi && charset_source(koi, 4) == 0);
	CHECK(charset_feed(koi, (const uint8_t *)"\xC1\xC2", 2, drop_text, NULL) == URLSIFT_OK);
	size_t blocks = count.blocks;
	CHECK(get(&c, "utf-8", &known) && get(&c, "", &known) && count.blocks == blocks - 1 && charset_source(koi, 4) == 0);
	/* All of them, and none is opened twice. */
	for (unsigned round = 0; round < 2; round++) {
		size_t calls = count.calls;
		for (size_t i = 0; i < CHARSETS; i++) {
			const char *name = charset_name_row(i)->names;
			struct charset *charset = get(&c, name, &known);
			CHECK_FOR(charset && known == (charset != undeclared || charset_name_row(i)->coding == CODING_PASS), name);
			CHECK(charset_feed(charset, (const uint8_t *)"a\xC1\xC2", 3, drop_text, NULL) == URLSIFT_OK
				&& !charset_finish(charset, drop_text, NULL));
		}
		CHECK(round == 0 || count.calls <= calls + CHARSETS);
		CHECK(c.count == CHARSETS);
	}
	CHECK(charset_cache_memory_bound() > CHARSETS_AWAKE * map_memory_bound()
		&& charset_cache_memory_bound() < 12u << 20);
	charset_cache_fini(&c);
	CHECK(count.blocks == 0);
}

/* ---- Names ---- */

static void test_aliases(void)
{
	const char *before = "";
	size_t longest = 0;
	for (size_t i = 0; i < sizeof charset_aliases / sizeof *charset_aliases; i++) {
		const char *name = charset_aliases[i].name;
		const struct charset_row *row = &charset_rows[charset_aliases[i].row];
		const size_t n = strlen(name);
		CHECK_FOR(strcmp(before, name) < 0 && !strpbrk(name, "-_ABCDEFGHIJKLMNOPQRSTUVWXYZ"), name);
		char spelt[2 * ALIAS_LONGEST + 3];
		size_t used = 0;
		for (size_t k = 0; k < n; k++) {
			spelt[used++] = (char)(name[k] >= 'a' && name[k] <= 'z' && k % 2 ? name[k] - 32 : name[k]);
			spelt[used++] = k % 2 ? '-' : '_';
		}
		const char *canonical = charset_canonical(spelt, used);
		CHECK_FOR(canonical && !strcmp(canonical, row->coding == CODING_PASS ? "" : row->names), name);
		spelt[used] = 'x';
		CHECK_FOR(charset_canonical(spelt, used + 1) != canonical || row->coding == CODING_PASS, name);
		spelt[used] = 0;
		CHECK_FOR(!charset_name_find(spelt, used + 1), name);
		longest = n > longest ? n : longest;
		before = name;
	}
	CHECK(longest == ALIAS_LONGEST);
	for (size_t i = 0; i < CHARSETS; i++) {
		const char *names = charset_rows[i].names, *canonical = charset_canonical(names, strlen(names));
		CHECK_FOR(canonical && (charset_rows[i].coding == CODING_PASS ? !*canonical : !strcmp(canonical, names)),
			names);
		for (const char *p = names; *p; p = charset_name_next(p))
			CHECK_FOR(charset_canonical(p, strlen(p)) == canonical, p);
	}
	/* What mail puts there. */
	static const char *const same[][2] = {
		{ "KS_C_5601-1987", "cp949" }, { "x-windows-949", "cp949" }, { "euc_kr", "cp949" }, { "x-gbk", "gbk" },
			{ "gb2312", "gbk" },
		{ "unknown-8bit", "us-ascii" }, { "x-unknown", "us-ascii" }, { "US_ASCII", "us-ascii" }, { "ansi", "us-ascii" },
		{ "ansi_x3.4-1968", "us-ascii" }, { "iso-8859-8-i", "iso-8859-8" }, { "iso-8859-8-e", "iso-8859-8" },
			{ "unicode-1-1-utf-7", "utf-7" },
		{ "cp-850", "cp850" }, { "windows-874", "cp874" }, { "x-sjis", "cp932" }, { "ms_kanji", "cp932" },
			{ "x-mac-roman", "macintosh" },
		{ "utf8", "utf-8" }, { "latin1", "iso-8859-1" }, { "iso_8859-1", "iso-8859-1" }, { "8859_1", "iso-8859-1" },
			{ "iso8859-1", "iso-8859-1" },
		{ "cp1252", "windows-1252" }, { "x-cp1252", "windows-1252" }, { "win-1251", "cp1251" }, { "_iso-2022-jp",
			"iso-2022-jp" },
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		const char *canonical = charset_canonical(same[i][0], strlen(same[i][0]));
		CHECK_FOR(canonical && canonical == charset_canonical(same[i][1], strlen(same[i][1])), same[i][0]);
	}
}

/* ---- Malformed input counted ---- */

#define BYTES(s) s, sizeof s - 1
#define FFFD "\xEF\xBF\xBD"

static urlsift_status count_replacements(void *user, const uint8_t *p, size_t n)
{
	uint64_t *count = user;
	for (size_t i = 0; i + 2 < n; i++)
		*count += !memcmp(p + i, FFFD, 3);
	return URLSIFT_OK;
}

static uint64_t malformed(struct charset *c, const uint8_t *p, size_t n, size_t block, uint64_t *all)
{
	*all = 0;
	charset_reset(c);
	for (size_t i = 0; i < n; i += block)
		CHECK(charset_feed(c, p + i, n - i < block ? n - i : block, count_replacements, all) == URLSIFT_OK);
	CHECK(charset_finish(c, count_replacements, all) == URLSIFT_OK);
	return charset_malformed(c);
}

static void test_malformed(void)
{
	static const struct { const char *charset, *bytes; size_t n; uint64_t malformed, own; } rows[] = {
		{ "", BYTES("\xFF\xC3 "), 0, 0 }, { "us-ascii", BYTES("\xFF"), 0, 0 }, { "", BYTES("\xFF\xFE" "a\0\x00\xD8"),
			1, 0 },
		{ "utf-8", BYTES("a\xC3\xA9"), 0, 0 }, { "utf-8", BYTES("\xEF\xBB\xBF" FFFD "\xFF\xE2\x82"), 3, 1 },
		{ "utf-16be", BYTES("\xFF\xFD\xD8\0\0a\xDC\0\xFF\xFD\0"), 3, 2 }, { "utf-16le", BYTES("\xFD\xFF\0\xD8"), 1, 1 },
		{ "utf-32be", BYTES("\0\0\xFF\xFD\0\x11\0\0\0\0\xD8\0"), 2, 1 }, { "utf-32le", BYTES("\xFD\xFF\0\0\0\0\0\1x"),
			2, 1 },
		{ "utf-16be", BYTES("\xD8\x3D\xDE"), 1, 0 }, { "utf-32le", BYTES("a\0\0\0" "a\0\0"), 1, 0 },
		{ "gb18030", BYTES("\x84\x31\xA4\x37\xFF\x81 \x84\x31\xA4\x37"), 2, 2 }, { "gb2312",
			BYTES("\xD6\xD0\xFF\xFF"), 2, 0 },
		{ "utf-7", BYTES("+//0-\xFF+//3Y//0-+//1x-"), 4, 3 }, { "utf-7", BYTES("+2D0-+3gA-+,"), 3, 0 },
		{ "utf-7", BYTES("+//0"), 0, 1 },
		{ "windows-1252", BYTES("\x81\x80\x8D abcdefgh\x81\x82\x83\x81\x84\x85\x86\x87\x88\x81"), 5, 0 },
			{ "iso-8859-1", BYTES("\x81\xFF"), 0, 0 },
		{ "koi8-r", BYTES("\xC1\xC2\xC3\x80\x81\x82\x83\x84"), 0, 0 }, { "tis-620",
			BYTES("\xA1\xA1\xA1\xA1\xA1\xDB\xA1\xA1\xFC\xFF"), 3, 0 },
		{ "iso-2022-jp", BYTES("\x1b$B!\x80\x1b(Ba\xFF"), 3, 0 }, { "hz", BYTES("~x~{\xFF~}"), 2, 0 }, { "big5",
			BYTES("\xA4\xA4\xFF"), 1, 0 },
	};
	urlsift_allocator a = alloc_from(NULL);
	struct charset_cache c;
	bool known;
	charset_cache_init(&c, &a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct charset *charset = get(&c, rows[i].charset, &known);
		for (size_t block = 1; block <= rows[i].n + 1 && known; block++) {
			uint64_t all, n = malformed(charset, (const uint8_t *)rows[i].bytes, rows[i].n, block, &all);
			if (!CHECK_FOR(n == rows[i].malformed && all == n + rows[i].own, rows[i].charset))
				printf("  row %zu, block %zu: %lu of %lu\n", i, block, (unsigned long)n, (unsigned long)all);
		}
	}
	/* Where U+FFFD is never in the source, all of them are made. */
	static const char *const names[] = { "windows-1252", "windows-1255", "tis-620", "koi8-r", "euc-jp", "big5",
		"iso-2022-jp", "iso-2022-kr" };
	static uint8_t noise[20000];
	uint32_t seed = 21;
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (uint8_t)random_bits(&seed);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct charset *charset = get(&c, names[i], &known);
		uint64_t all, whole = malformed(charset, noise, sizeof noise, sizeof noise, &all);
		CHECK_FOR(whole == all, names[i]);
		for (size_t block = 1; block < 1000; block = 3 * block + 1)
			CHECK_FOR(malformed(charset, noise, sizeof noise, block, &all) == whole && all == whole, names[i]);
	}
	charset_cache_fini(&c);
}

static void test_charset_cache(void)
{
	test_cache();
	test_aliases();
	test_malformed();
}

int main(void)
{
	test_names();
	test_cases();
	test_noise();
	test_units();
	test_long();
	test_stop();
	test_no_memory();
	test_no_converter();
	test_charset_cache();
	return check_end();
}
