/* Encoded-words: known ones, any, long ones, no memory. */
#include "check.h"
#include "mail/word.h"
#include "text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Known words ---- */

#define BYTES(s) s, sizeof s - 1
#define FFFD "\xEF\xBF\xBD"

static const struct {
	const char *value;
	size_t n;
	const char *text;
	size_t length, unknown;
} words[] = {
	/* What stands as it is. */
	{ BYTES(""), BYTES(""), 0 }, { BYTES("plain \xE9 \xC3\xA9"), BYTES("plain \xE9 \xC3\xA9"), 0 },
	{ BYTES("a\r\n b\n\tc\n"), BYTES("a b\tc"), 0 }, { BYTES("a\rb\r\r\n c"), BYTES("a\rb\r c"), 0 },
	{ BYTES("=?"), BYTES("=?"), 0 }, { BYTES("=?a"), BYTES("=?a"), 0 }, { BYTES("=?a?Q"), BYTES("=?a?Q"), 0 },
	{ BYTES("=?a?Q?"), BYTES("=?a?Q?"), 0 }, { BYTES("=?a?Q?x"), BYTES("=?a?Q?x"), 0 }, { BYTES("=?a?Q?x?"),
		BYTES("=?a?Q?x?"), 0 },
	{ BYTES("=?a?X?x?="), BYTES("=?a?X?x?="), 0 }, { BYTES("=?a b?Q?x?="), BYTES("=?a b?Q?x?="), 0 },
	{ BYTES("=?a?QQ?x?="), BYTES("=?a?QQ?x?="), 0 }, { BYTES("=?a?\0?x?="), BYTES("=?a?\0?x?="), 0 },
	{ BYTES("http://a.test/?a=?b"), BYTES("http://a.test/?a=?b"), 0 },
	/* Q */
	{ BYTES("=?utf-8?Q?a_b=20c=C3=A9?="), BYTES("a b c\xC3\xA9"), 0 }, { BYTES("=?UTF-8?q?=c3=a9=_=zz=4?="),
		BYTES("\xC3\xA9= =zz=4"), 0 },
	{ BYTES("=?utf-8?Q?a b?="), BYTES("a b"), 0 }, { BYTES("=?utf-8?Q?a\r\n b?="), BYTES("a b"), 0 },
	{ BYTES("=?utf-8?Q?\?="), BYTES(""), 0 }, { BYTES("=?utf-8?Q?a?b?="), BYTES("a?b"), 0 },
		{ BYTES("=?utf-8?Q?a=?="), BYTES("a="), 0 },
	{ BYTES("=?utf-8?Q?why?\?="), BYTES("why?"), 0 }, { BYTES("=?utf-8?Q?\xC3\xA9?="), BYTES("\xC3\xA9"), 0 },
	/* B */
	{ BYTES("=?utf-8?B?aGk=?="), BYTES("hi"), 0 }, { BYTES("=?utf-8?b?aGk?="), BYTES("hi"), 0 },
		{ BYTES("=?utf-8?B?aG k=?="), BYTES("hi"), 0 },
	{ BYTES("=?utf-8?B?aGk=aGk=?="), BYTES("hihi"), 0 }, { BYTES("=?utf-8?B?\?="), BYTES(""), 0 },
		{ BYTES("=?utf-8?B?w6k?="), BYTES("\xC3\xA9"), 0 },
	/* Where they stand. */
	{ BYTES("a =?utf-8?Q?b?= c"), BYTES("a b c"), 0 }, { BYTES("a=?utf-8?Q?b?=c"), BYTES("abc"), 0 },
		{ BYTES("\"=?utf-8?Q?b?=\" <x>"), BYTES("\"b\" <x>"), 0 },
	{ BYTES("(=?utf-8?Q?a?= =?utf-8?Q?b?=)"), BYTES("(ab)"), 0 }, { BYTES(" =?utf-8?Q?a?= "), BYTES(" a "), 0 },
	{ BYTES("=?utf-8?Q?a?=\r\n =?utf-8?Q?b?="), BYTES("ab"), 0 }, { BYTES("=?utf-8?Q?a?==?utf-8?Q?b?="), BYTES("ab"),
		0 },
	{ BYTES("=?utf-8?Q?a?= =?koi8-r?B?wQ==?="), BYTES("a\xD0\xB0"), 0 }, { BYTES("=?utf-8?Q?a?= =?x"), BYTES("a =?x"),
		0 },
	{ BYTES("=?utf-8?Q?a =?utf-8?Q?b?="), BYTES("=?utf-8?Q?a b"), 0 }, { BYTES("=?=?utf-8?Q?b?="), BYTES("=?b"), 0 },
	{ BYTES("=?a=?utf-8?Q?b?="), BYTES("=?ab"), 0 }, { BYTES("=?utf-8?Q?a?=?utf-8?Q?b?="), BYTES("a?utf-8?Q?b?="), 0 },
	/* Charsets. */
	{ BYTES("=?iso-8859-1?Q?=E9?="), BYTES("\xC3\xA9"), 0 }, { BYTES("=?ISO-8859-1*fr?Q?=E9?="), BYTES("\xC3\xA9"), 0 },
	{ BYTES("=?us-ascii?Q?=E9?="), BYTES("\xE9"), 0 }, { BYTES("=?no-such?Q?=E9?= =?NO-SUCH?Q?x?="), BYTES("\xE9x"),
		2 },
	{ BYTES("=?\?Q?=E9?="), BYTES("\xE9"), 0 }, { BYTES("=?*en?Q?=E9?="), BYTES("\xE9"), 0 },
	{ BYTES("=?no-such?Q?a?= =?koi8-r?B?wQ?= =?other?B?YQ?="), BYTES("a\xD0\xB0" "a"), 2 },
	{ BYTES("=?utf-8?Q?=C3?= =?UTF-8*en?Q?=A9?="), BYTES("\xC3\xA9"), 0 }, { BYTES("=?utf-8?B?ww?= =?utf-8?B?qQ?="),
		BYTES("\xC3\xA9"), 0 },
	{ BYTES("=?utf-8?Q?=C3?= =?utf-8?B?qQ?="), BYTES(FFFD FFFD), 0 }, { BYTES("=?utf-8?Q?=C3?= x =?utf-8?Q?=A9?="),
		BYTES(FFFD " x " FFFD), 0 },
	{ BYTES("=?utf-8?Q?=C3?="), BYTES(FFFD), 0 }, { BYTES("=?utf-8?Q?=EF=BB=BFa?="), BYTES("a"), 0 },
	{ BYTES("=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1wbKEI=?="), BYTES("\xE6\x97\xA5\xE6\x9C\xAC"), 0 },
	{ BYTES("=?unknown-8bit?B?/v8AYQ==?="), BYTES("a"), 0 },
		{ BYTES("=?gb2312?B?1tA=?= =?gb2312?Q?=CE?= =?gb2312?Q?=C4?="), BYTES("\xE4\xB8\xAD\xE6\x96\x87"), 0 },
	{ BYTES("=?utf-7?Q?+AGEA6Q-?="), BYTES("a\xC3\xA9"), 0 },
	{ BYTES("=?utf-8?Q?a=0ABcc:=0D=00=09=1B=7F?=\tb"), BYTES("a Bcc:    \x7F\tb"), 0 },
};

/* The map goes forward, and ends where the decoded bytes do. */
static bool map_in_order(struct word_text *t)
{
	uint64_t before = 0;
	for (size_t i = 0; i <= t->text.length; i++) {
		uint64_t source = map_source(&t->map, i), begin = map_begin(&t->map, i);
		if (source < before || begin < source || begin > t->map.source_end)
			return false;
		before = source;
	}
	return t->map.text_end == t->text.length;
}

static bool is_text(const struct word_text *t, const char *text, size_t n)
{
	return t->text.length == n && (!n || !memcmp(t->text.data, text, n));
}

/* From memory that ends where the value does. */
static urlsift_status decode(struct word_text *t, struct charset_cache *c, const void *value, size_t n)
{
	uint8_t *p = malloc(n ? n : 1);
	if (!p)
		abort();
	if (n)
		memcpy(p, value, n);
	urlsift_status status = word_decode(t, c, p, n);
	free(p);
	return status;
}

static void test_words(void)
{
	urlsift_allocator a = alloc_from(NULL);
	struct charset_cache c;
	struct word_text t;
	charset_cache_init(&c, &a);
	word_text_init(&t, &a);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		CHECK_FOR(decode(&t, &c, words[i].value, words[i].n) == URLSIFT_OK, words[i].value);
		bool ok = is_text(&t, words[i].text, words[i].length) && t.unknown == words[i].unknown && !t.cut;
		if (!CHECK_FOR(ok, words[i].value))
			printf("  %.*s (%zu)\n", (int)t.text.length, (char *)t.text.data, t.unknown);
		CHECK_FOR(map_in_order(&t), words[i].value);
		CHECK_FOR(word_any((const uint8_t *)words[i].value, words[i].n) == !!strstr(words[i].value, "=?"),
			words[i].value);
	}
	word_text_fini(&t);
	charset_cache_fini(&c);
}

static void test_maps(void)
{
	/* The decoded offset of each byte of text that begins a character, and of the
	 * end, as letters from 'a'. */
	static const struct { const char *value, *at; } rows[] = {
		{ "ab", "abc" }, { "a\r\n b", "abcd" }, { "a =?utf-8?Q?=C3=A9x?= y", "abcefgh" },
			{ "=?koi8-r?Q?=C1=C2?= \xC3\xA9", "abcdf" },
		{ "=?koi8-r?Q?=C1?= =?koi8-r?Q?=C2?=", "abc" }, { "=?utf-8?Q?=C3?= =?utf-8?Q?=A9=C3?=-", "acde" },
			{ "=?utf-8?Q?=EF=BB=BFa?=b", "aef" },
		{ "-=?iso-2022-jp?B?GyRCRnxLXBsoQmI=?=-", "abgimn" }, { "=?utf-7?Q?+AGEA6QDqAOs-?=", "aehjn" },
		{ "=?gb2312?Q?a=D6=D0b=FF=81?=", "abdefg" }, { "=?utf-16be?B?AGEA6QDq?=", "aceg" },
			{ "=?utf-8?Q?\?==?koi8-r?Q?=C1?=", "ab" },
	};
	urlsift_allocator a = alloc_from(NULL);
	struct charset_cache c;
	struct word_text t;
	charset_cache_init(&c, &a);
	word_text_init(&t, &a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char at[40];
		size_t k = 0;
		uint32_t cp;
		CHECK(decode(&t, &c, rows[i].value, strlen(rows[i].value)) == URLSIFT_OK);
		for (size_t j = 0; j < t.text.length; j += utf8_next(t.text.data + j, t.text.length - j, &cp))
			at[k++] = (char)('a' + map_source(&t.map, j));
		at[k++] = (char)('a' + t.map.source_end);
		at[k] = 0;
		if (!CHECK_FOR(!strcmp(at, rows[i].at), rows[i].value))
			printf("  %s\n", at);
	}
	word_text_fini(&t);
	charset_cache_fini(&c);
}

/* Writes the string; returns how long it is. */
static size_t put(char *out, const char *string)
{
	size_t n = strlen(string);
	memcpy(out, string, n);
	return n;
}

/* ---- Any words, against the charsets alone ---- */

enum { ROOM = 8192 };

/* What is to come out: text, and for each character where its source begins, with
 * what says nothing before it and without. */
struct expected {
	struct charset *charset;
	uint8_t text[ROOM];
	uint64_t source[ROOM], begin[ROOM];
	size_t n, run; /* text so far; where the run began */
	uint64_t base; /* of the run, in the decoded bytes */
	uint64_t end;  /* of the last character */
};
static const uint64_t inside = UINT64_MAX; /* of a character */

static urlsift_status expect_text(void *user, const uint8_t *p, size_t n)
{
	struct expected *e = user;
	for (size_t i = 0; i < n; i++)
		e->text[e->n + i] = p[i] < ' ' ? ' ' : p[i];
	for (size_t i = 0, k; i < n; i += k) {
		uint32_t cp;
		uint64_t at = e->n + i - e->run;
		k = utf8_next(p + i, n - i, &cp);
		for (size_t j = 1; j < k; j++)
			e->source[e->n + i + j] = inside;
		e->source[e->n + i] = at ? e->base + charset_source(e->charset, at) : e->end;
		e->begin[e->n + i] = e->base + charset_begin(e->charset, at);
	}
	e->n += n;
	e->end = e->base + charset_source(e->charset, e->n - e->run);
	return URLSIFT_OK;
}

static size_t write_q(char *out, const uint8_t *p, size_t n, uint32_t *seed)
{
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		bool letter = (p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'z';
		if (letter && random_bits(seed) % 4) {
			out[k++] = (char)p[i];
		} else if (p[i] == ' ') {
			out[k++] = '_';
		} else {
			const char *digits = random_bits(seed) % 2 ? "0123456789ABCDEF" : "0123456789abcdef";
			out[k++] = '=';
			out[k++] = digits[p[i] >> 4];
			out[k++] = digits[p[i] & 15];
		}
	}
	return k;
}

static size_t write_b(char *out, const uint8_t *p, size_t n, uint32_t *seed)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t k = 0;
	bool padded = random_bits(seed) % 2;
	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0u);
		for (unsigned j = 0; j < 4; j++)
			if (j <= n - i)
				out[k++] = alphabet[bits >> (18 - 6 * j) & 63];
			else if (padded)
				out[k++] = '=';
	}
	return k;
}

/* One run: bytes of a charset in a few words. */
static size_t write_run(char *out, const char *name, bool base64, const uint8_t *p, size_t n, uint32_t *seed)
{
	static const char *const gaps[] = { "", " ", "\r\n ", " \t\n\t " };
	size_t k = 0, i = 0;
	do {
		size_t part = random_bits(seed) % 3 ? random_bits(seed) % (n - i + 1) : n - i;
		if (k)
			k += put(out + k, gaps[random_bits(seed) % 4]);
		k += put(out + k, "=?");
		k += put(out + k, name);
		k += put(out + k, random_bits(seed) % 4 ? "?" : "*en?");
		out[k++] = (base64 ? "Bb" : "Qq")[random_bits(seed) % 2];
		out[k++] = '?';
		k += base64 ? write_b(out + k, p + i, part, seed) : write_q(out + k, p + i, part, seed);
		k += put(out + k, "?=");
		i += part;
	} while (i < n);
	return k;
}

static size_t make_bytes(uint8_t *p, size_t room, uint32_t *seed)
{
	static const char *const bits[] = {
		"abc", " ", "\xC3\xA9", "\xE2\x82\xAC", "\xD6\xD0", "\x1b$BF|", "\x1b(B", "+AGEA6Q-", "+AGF", "~{VP~}",
			"\xEF\xBB\xBF", "\xFF\xFE",
		"\x81\x30\x81\x30", "\x8E\xB1", "\xF0\x9F\x98\x80", "\xC1\xC2\xC3", "\xFF", "_?=",
	};
	size_t n = 0;
	for (uint32_t left = random_bits(seed) % 12; left && n + 8 < room; left--) {
		const char *b = bits[random_bits(seed) % (sizeof bits / sizeof *bits)];
		memcpy(p + n, b, strlen(b));
		n += strlen(b);
	}
	return n;
}

/* A value of runs and of plain stretches, and what it is to say. */
static size_t make_value(char *value, struct expected *e, struct charset_cache *c, uint32_t *seed)
{
	static const char *const names[] = {
		"utf-8", "us-ascii", "no-such", "", "koi8-r", "ISO-8859-1", "tis-620", "gb18030", "euc-jp", "shift_jis",
			"iso-2022-jp", "utf-7",
		"hz-gb-2312", "utf-16", "utf-16le",
	};
	size_t k = 0;
	bool base64 = false, known;
	for (uint32_t left = 1 + random_bits(seed) % 5; left; left--) {
		uint8_t bytes[128];
		if (random_bits(seed) % 3 == 0) {
			k += put(value + k, "-x =?\r\n y-");
			for (const char *p = "-x =? y-"; *p; p++) {
				e->source[e->n] = e->end;
				e->begin[e->n] = e->base;
				e->text[e->n++] = (uint8_t)*p;
				e->end = ++e->base;
			}
		}
		const char *name = names[random_bits(seed) % (sizeof names / sizeof *names)];
		size_t n = make_bytes(bytes, sizeof bytes, seed);
		base64 = !base64;
		k += write_run(value + k, name, base64, bytes, n, seed);
		e->charset = charset_cache_get(c, name, strlen(name), &known);
		e->run = e->n;
		CHECK(charset_feed(e->charset, bytes, n, expect_text, e) == URLSIFT_OK && charset_finish(e->charset,
			expect_text, e) == URLSIFT_OK);
		e->base += n;
	}
	return k;
}

static void test_any_words(void)
{
	urlsift_allocator a = alloc_from(NULL);
	struct charset_cache c, d;
	struct word_text t;
	static struct expected e;
	static char value[ROOM];
	uint32_t seed = 11;
	charset_cache_init(&c, &a);
	charset_cache_init(&d, &a);
	word_text_init(&t, &a);
	for (unsigned round = 0, rounds = run_rounds(20000); round < rounds; round++) {
		e.n = 0;
		e.base = e.end = 0;
		size_t n = make_value(value, &e, &d, &seed);
		bool ok = decode(&t, &c, value, n) == URLSIFT_OK && is_text(&t, (const char *)e.text, e.n);
		ok = ok && map_in_order(&t) && t.map.source_end == e.base;
		for (size_t i = 0; i < e.n && ok; i++)
			ok = e.source[i] == inside || (map_source(&t.map, i) == e.source[i] && map_begin(&t.map, i) == e.begin[i]);
		if (!CHECK(ok))
			printf("  %.*s\n", (int)n, value);
	}
	word_text_fini(&t);
	charset_cache_fini(&c);
	charset_cache_fini(&d);
}

/* Any bytes: nothing is read past, and the map is in order. */
static void test_any_bytes(void)
{
	static const char *const bits[] = {
		"=?", "?=", "?", "=", "utf-8", "iso-2022-jp", "?Q?", "?B?", "*en", "abc", "=C3", "\xC3", " ", "\r\n ", "\n",
			"\r", "_", "aGk=", "=?utf-8?q?", "x",
	};
	urlsift_allocator a = alloc_from(NULL);
	struct charset_cache c;
	struct word_text t;
	uint32_t seed = 5;
	bool ok = true;
	charset_cache_init(&c, &a);
	word_text_init(&t, &a);
	for (unsigned round = 0, rounds = run_rounds(50000); round < rounds && ok; round++) {
		char value[400];
		size_t n = 0;
		for (uint32_t left = random_bits(&seed) % 24; left; left--) {
			const char *b = bits[random_bits(&seed) % (sizeof bits / sizeof *bits)];
			memcpy(value + n, b, strlen(b));
			n += strlen(b);
		}
		ok = decode(&t, &c, value, n) == URLSIFT_OK && map_in_order(&t) && t.map.source_end <= n;
	}
	CHECK(ok);
	word_text_fini(&t);
	charset_cache_fini(&c);
}

/* ---- Long ---- */

static void test_long(void)
{
	static const struct { const char *unit, *text; } rows[] = {
		{ "=?", "=?" }, { "=?a?Q?", "=?a?Q?" }, { "=?a?Q?x ", "=?a?Q?x " }, { "?=", "?=" }, { "=", "=" }, { "?",
			"?" }, { "=?a", "=?a" },
		{ "=?a?", "=?a?" }, { "=?\?", "=?\?" }, { "=?utf-8?Q?ab?= ", "ab" }, { "=?koi8-r?Q?=C1b?=\n ", "\xD0\xB0" "b" },
		{ "=?a?q?b?==?c?q?d?=", "bd" }, { "\n", "" }, { "\r\n ", " " },
	};
	urlsift_allocator a = alloc_from(NULL);
	struct charset_cache c;
	struct word_text t;
	static char value[WORD_TEXT_MAX + 100], text[4 * WORD_TEXT_MAX];
	charset_cache_init(&c, &a);
	word_text_init(&t, &a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = 0, k = 0, unit = strlen(rows[i].unit), piece = strlen(rows[i].text);
		for (; n + unit <= WORD_TEXT_MAX; n += unit, k += piece) {
			memcpy(value + n, rows[i].unit, unit);
			memcpy(text + k, rows[i].text, piece);
		}
		bool blank = strchr(" \n", rows[i].unit[unit - 1]) && piece != unit
			&& *rows[i].unit == '='; /* the last one stays */
		text[k] = ' ';
		CHECK_FOR(decode(&t, &c, value, n) == URLSIFT_OK && is_text(&t, text, k + blank) && map_in_order(&t),
			rows[i].unit);
	}
	/* A word, one that is too long, and one without an end. */
	for (size_t length = WORD_MAX - 1; length <= WORD_MAX + 1; length++) {
		size_t n = put(value, "=?utf-8?Q?");
		memset(value + n, 'x', length - n);
		memcpy(value + length - 2, "?= =?utf-8?Q?b?=", 16);
		n = length + 14;
		CHECK(decode(&t, &c, value, n) == URLSIFT_OK && t.cut == (length > WORD_MAX));
		CHECK(t.text.length == (length > WORD_MAX ? length + 2 : length - 12 + 1)
			&& t.text.data[t.text.length - 1] == 'b');
		CHECK(decode(&t, &c, value, length - 1) == URLSIFT_OK && t.text.length == length - 1 && !t.cut);
	}
	/* A value that is too long. */
	memset(value, 'x', sizeof value);
	memcpy(value + WORD_TEXT_MAX - 14, "=?utf-8?Q?a?=b=?utf-8?Q?c?=", 27);
	CHECK(decode(&t, &c, value, sizeof value) == URLSIFT_OK && t.text.length == WORD_TEXT_MAX - 12);
	CHECK(t.text.data[t.text.length - 1] == 'b');
	/* The text that grows most. */
	size_t n = put(value, "=?tis-620?Q?");
	while (n < WORD_TEXT_MAX - 100)
		n += put(value + n,
			n % 1000 < 14 ? "?= =?tis-620?Q?" : "\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1\xA1");
	n += put(value + n, "?=");
	CHECK(decode(&t, &c, value, n) == URLSIFT_OK && t.text.length > 2 * n && map_in_order(&t) && !t.cut);
	CHECK(t.text.room <= word_text_memory_bound() - map_memory_bound());
	word_text_fini(&t);
	charset_cache_fini(&c);
}

/* ---- Without memory ---- */

static void test_no_memory(void)
{
	static const char value[] = "a =?koi8-r?Q?=C1=C2_b?= =?utf-8?B?w6nDqQ?= =?no-such?Q?x?= =?gb2312?B?1tDOxA?= "
		"=?iso-2022-jp?B?GyRCRnxLXBsoQg?= z";
	static char large[20000];
	for (size_t n = 0; n + 32 < sizeof large;)
		n += put(large + n, "=?utf-7?Q?+AGEA6Q-a?= x");
	for (unsigned which = 0; which < 2; which++) {
		urlsift_status status = URLSIFT_NO_MEMORY;
		size_t k = 1;
		for (; status == URLSIFT_NO_MEMORY && k < 1000; k++) {
			struct counting count = { .fail_at = k };
			urlsift_allocator a = counting_allocator(&count);
			struct charset_cache c;
			struct word_text t;
			charset_cache_init(&c, &a);
			word_text_init(&t, &a);
			const char *p = which ? large : value;
			status = decode(&t, &c, p, strlen(p));
			CHECK(status == (count.calls < k ? URLSIFT_OK : URLSIFT_NO_MEMORY));
			/* With memory again it goes on. */
			count.fail_at = 0;
			CHECK(decode(&t, &c, p, strlen(p)) == URLSIFT_OK && map_in_order(&t));
			if (!which)
				CHECK(is_text(&t,
					BYTES("a \xD0\xB0\xD0\xB1 b\xC3\xA9\xC3\xA9x\xE4\xB8\xAD\xE6\x96\x87\xE6\x97\xA5\xE6\x9C\xAC z"))
					&& t.unknown == 1);
			word_text_fini(&t);
			charset_cache_fini(&c);
			CHECK(count.blocks == 0);
		}
		CHECK(k > 8);
	}
}

int main(void)
{
	test_words();
	test_maps();
	test_any_words();
	test_any_bytes();
	test_long();
	test_no_memory();
	return check_end();
}
