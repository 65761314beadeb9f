/* Encoded-words, the charsets they ask for, and what charsets say of damage. */
#include "../src/mail/word.h"
#include "../src/text/charset_name.h"
#include "../src/text/charset_table.h"
#include "../src/text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long passed, failed;

static bool check_at(bool ok, const char *file, int line, const char *what)
{
	if (ok) {
		passed++;
		return true;
	}
	if (failed++ < 50)
		printf("%s:%d: %s\n", file, line, what);
	return false;
}
#define CHECK(condition) check_at((condition), __FILE__, __LINE__, #condition)
#define CHECK_FOR(condition, name) check_at((condition), __FILE__, __LINE__, name)

static uint32_t random_bits(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* ---- An allocator that counts, and fails on its k-th call ---- */

struct counting {
	size_t calls, fail_at, blocks;
};

static bool refuses(struct counting *c) { return ++c->calls == c->fail_at; }

static void *count_allocate(void *context, size_t size)
{
	struct counting *c = context;
	void *block = refuses(c) ? NULL : malloc(size);
	c->blocks += block != NULL;
	return block;
}

static void *count_reallocate(void *context, void *old, size_t size)
{
	struct counting *c = context;
	void *block = refuses(c) ? NULL : realloc(old, size);
	c->blocks += block && !old;
	return block;
}

static void count_release(void *context, void *block)
{
	struct counting *c = context;
	c->blocks--;
	free(block);
}

static urlsift_allocator counting_allocator(struct counting *c)
{
	return (urlsift_allocator){ count_allocate, count_reallocate, count_release, c };
}

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
	{ BYTES("=?a?Q?"), BYTES("=?a?Q?"), 0 }, { BYTES("=?a?Q?x"), BYTES("=?a?Q?x"), 0 }, { BYTES("=?a?Q?x?"), BYTES("=?a?Q?x?"), 0 },
	{ BYTES("=?a?X?x?="), BYTES("=?a?X?x?="), 0 }, { BYTES("=?a b?Q?x?="), BYTES("=?a b?Q?x?="), 0 },
	{ BYTES("=?a?QQ?x?="), BYTES("=?a?QQ?x?="), 0 }, { BYTES("=?a?\0?x?="), BYTES("=?a?\0?x?="), 0 },
	{ BYTES("http://a.test/?a=?b"), BYTES("http://a.test/?a=?b"), 0 },
	/* Q */
	{ BYTES("=?utf-8?Q?a_b=20c=C3=A9?="), BYTES("a b c\xC3\xA9"), 0 }, { BYTES("=?UTF-8?q?=c3=a9=_=zz=4?="), BYTES("\xC3\xA9= =zz=4"), 0 },
	{ BYTES("=?utf-8?Q?a b?="), BYTES("a b"), 0 }, { BYTES("=?utf-8?Q?a\r\n b?="), BYTES("a b"), 0 },
	{ BYTES("=?utf-8?Q?\?="), BYTES(""), 0 }, { BYTES("=?utf-8?Q?a?b?="), BYTES("a?b"), 0 }, { BYTES("=?utf-8?Q?a=?="), BYTES("a="), 0 },
	{ BYTES("=?utf-8?Q?why?\?="), BYTES("why?"), 0 }, { BYTES("=?utf-8?Q?\xC3\xA9?="), BYTES("\xC3\xA9"), 0 },
	/* B */
	{ BYTES("=?utf-8?B?aGk=?="), BYTES("hi"), 0 }, { BYTES("=?utf-8?b?aGk?="), BYTES("hi"), 0 }, { BYTES("=?utf-8?B?aG k=?="), BYTES("hi"), 0 },
	{ BYTES("=?utf-8?B?aGk=aGk=?="), BYTES("hihi"), 0 }, { BYTES("=?utf-8?B?\?="), BYTES(""), 0 }, { BYTES("=?utf-8?B?w6k?="), BYTES("\xC3\xA9"), 0 },
	/* Where they stand. */
	{ BYTES("a =?utf-8?Q?b?= c"), BYTES("a b c"), 0 }, { BYTES("a=?utf-8?Q?b?=c"), BYTES("abc"), 0 }, { BYTES("\"=?utf-8?Q?b?=\" <x>"), BYTES("\"b\" <x>"), 0 },
	{ BYTES("(=?utf-8?Q?a?= =?utf-8?Q?b?=)"), BYTES("(ab)"), 0 }, { BYTES(" =?utf-8?Q?a?= "), BYTES(" a "), 0 },
	{ BYTES("=?utf-8?Q?a?=\r\n =?utf-8?Q?b?="), BYTES("ab"), 0 }, { BYTES("=?utf-8?Q?a?==?utf-8?Q?b?="), BYTES("ab"), 0 },
	{ BYTES("=?utf-8?Q?a?= =?koi8-r?B?wQ==?="), BYTES("a\xD0\xB0"), 0 }, { BYTES("=?utf-8?Q?a?= =?x"), BYTES("a =?x"), 0 },
	{ BYTES("=?utf-8?Q?a =?utf-8?Q?b?="), BYTES("=?utf-8?Q?a b"), 0 }, { BYTES("=?=?utf-8?Q?b?="), BYTES("=?b"), 0 },
	{ BYTES("=?a=?utf-8?Q?b?="), BYTES("=?ab"), 0 }, { BYTES("=?utf-8?Q?a?=?utf-8?Q?b?="), BYTES("a?utf-8?Q?b?="), 0 },
	/* Charsets. */
	{ BYTES("=?iso-8859-1?Q?=E9?="), BYTES("\xC3\xA9"), 0 }, { BYTES("=?ISO-8859-1*fr?Q?=E9?="), BYTES("\xC3\xA9"), 0 },
	{ BYTES("=?us-ascii?Q?=E9?="), BYTES("\xE9"), 0 }, { BYTES("=?no-such?Q?=E9?= =?NO-SUCH?Q?x?="), BYTES("\xE9x"), 2 },
	{ BYTES("=?\?Q?=E9?="), BYTES("\xE9"), 0 }, { BYTES("=?*en?Q?=E9?="), BYTES("\xE9"), 0 },
	{ BYTES("=?no-such?Q?a?= =?koi8-r?B?wQ?= =?other?B?YQ?="), BYTES("a\xD0\xB0" "a"), 2 },
	{ BYTES("=?utf-8?Q?=C3?= =?UTF-8*en?Q?=A9?="), BYTES("\xC3\xA9"), 0 }, { BYTES("=?utf-8?B?ww?= =?utf-8?B?qQ?="), BYTES("\xC3\xA9"), 0 },
	{ BYTES("=?utf-8?Q?=C3?= =?utf-8?B?qQ?="), BYTES(FFFD FFFD), 0 }, { BYTES("=?utf-8?Q?=C3?= x =?utf-8?Q?=A9?="), BYTES(FFFD " x " FFFD), 0 },
	{ BYTES("=?utf-8?Q?=C3?="), BYTES(FFFD), 0 }, { BYTES("=?utf-8?Q?=EF=BB=BFa?="), BYTES("a"), 0 },
	{ BYTES("=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1wbKEI=?="), BYTES("\xE6\x97\xA5\xE6\x9C\xAC"), 0 },
	{ BYTES("=?unknown-8bit?B?/v8AYQ==?="), BYTES("a"), 0 }, { BYTES("=?gb2312?B?1tA=?= =?gb2312?Q?=CE?= =?gb2312?Q?=C4?="), BYTES("\xE4\xB8\xAD\xE6\x96\x87"), 0 },
	{ BYTES("=?utf-7?Q?+AGF!a?="), BYTES("a" FFFD "!a"), 0 }, { BYTES("=?utf-7?Q?+AGEA6Q-?="), BYTES("a\xC3\xA9"), 0 },
};

/* The map goes forward, and ends where the decoded bytes do. */
static bool map_in_order(const struct word_text *t)
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
		CHECK_FOR(word_any((const uint8_t *)words[i].value, words[i].n) == !!strstr(words[i].value, "=?"), words[i].value);
	}
	word_text_fini(&t);
	charset_cache_fini(&c);
}

static void test_maps(void)
{
	/* The decoded offset of each byte of text that begins a character, and of the
	 * end, as letters from 'a'. */
	static const struct { const char *value, *at; } rows[] = {
		{ "ab", "abc" }, { "a\r\n b", "abcd" }, { "a =?utf-8?Q?=C3=A9x?= y", "abcefgh" }, { "=?koi8-r?Q?=C1=C2?= \xC3\xA9", "abcdf" },
		{ "=?koi8-r?Q?=C1?= =?koi8-r?Q?=C2?=", "abc" }, { "=?utf-8?Q?=C3?= =?utf-8?Q?=A9=C3?=-", "acde" }, { "=?utf-8?Q?=EF=BB=BFa?=b", "aef" },
		{ "-=?iso-2022-jp?B?GyRCRnxLXBsoQmI=?=-", "abglm" }, { "=?utf-7?Q?+AGF!?=a", "adefg" }, { "=?utf-7?Q?+AGEA6QDqAOs-?=", "aehlm" },
		{ "=?gb2312?Q?a=D6=D0b=FF=81?=", "abdefg" }, { "=?utf-16be?B?AGEA6QDq?=", "aceg" }, { "=?utf-8?Q?\?==?koi8-r?Q?=C1?=", "ab" },
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

/* ---- Any words, against the charsets alone ---- */

struct trace {
	struct charset *charset;
	uint8_t text[4096];
	uint64_t at[4096]; /* of each character, as map_begin says */
	size_t n;
	uint64_t base;
};

static urlsift_status trace_text(void *user, const uint8_t *p, size_t n)
{
	struct trace *t = user;
	uint64_t before = 0;
	memcpy(t->text + t->n, p, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t cp;
		bool inside = i < before;
		if (!inside)
			before = i + utf8_next(p + i, n - i, &cp);
		t->at[t->n + i] = inside ? UINT64_MAX : t->base + charset_begin(t->charset, t->from + i);
	}
	t->n += n;
	t->from += n;
	return URLSIFT_OK;
}
