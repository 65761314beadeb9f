/* The charsets kept open, their names, and what they say of malformed input. */
#include "check.h"
#include "mail/charset_cache.h"
#include "text/charset.h"
#include "text/charset_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The cache ---- */

static struct charset *get(struct charset_cache *c, const char *name, bool *known)
{
	return charset_cache_get(c, name, strlen(name), known);
}

static urlsift_status drop_text(void *user, const uint8_t *p, size_t n)
{
	(void)user, (void)p, (void)n;
	return URLSIFT_OK;
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
	char before[64] = "";
	for (size_t i = 0; i < sizeof charset_aliases / sizeof *charset_aliases; i++) {
		const char *name = charset_aliases[i].name;
		const struct charset_row *row = &charset_rows[charset_aliases[i].row];
		char folded[64];
		size_t n = 0;
		for (const char *p = name; *p; p++)
			if (*p != '-' && *p != '_')
				folded[n++] = *p;
		folded[n] = 0;
		CHECK_FOR(strcmp(before, folded) < 0, name);
		const char *canonical = charset_canonical(name, strlen(name));
		CHECK_FOR(canonical && !strcmp(canonical, row->coding == CODING_PASS ? "" : row->names), name);
		memcpy(before, folded, n + 1);
	}
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

int main(void)
{
	test_cache();
	test_aliases();
	test_malformed();
	return check_end();
}
