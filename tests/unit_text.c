/* Unit tests of src/text but for charsets: every module against a naive one. */
#include "check.h"
#include "text/buf.h"
#include "text/map.h"
#include "text/match.h"
#include "text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- alloc, buf ---- */

static void test_alloc(void)
{
	struct counting c = { 0 };
	urlsift_allocator given = counting_allocator(&c), a = alloc_from(&given), libc = alloc_from(NULL);
	unsigned char *p = alloc_get(&a, 100);
	bool zero = p != NULL;
	for (size_t i = 0; zero && i < 100; i++)
		zero = p[i] == 0;
	CHECK(zero);
	p = alloc_resize(&a, p, 1000);
	CHECK(p && c.blocks == 1);
	alloc_put(&a, p);
	alloc_put(&a, NULL);
	CHECK(c.blocks == 0);
	void *q = alloc_resize(&libc, NULL, 10);
	CHECK(q != NULL);
	alloc_put(&libc, q);
}

static void test_buf(void)
{
	struct counting c = { 0 };
	urlsift_allocator a = counting_allocator(&c);
	struct buf b;
	buf_init(&b, &a, 1000);
	CHECK(buf_add(&b, NULL, 0) && b.length == 0);
	for (unsigned i = 0; i < 1000; i++) {
		uint8_t byte = (uint8_t)i;
		CHECK(buf_add(&b, &byte, 1));
	}
	CHECK(!buf_add(&b, "x", 1) && b.length == 1000 && b.room == 1000);
	CHECK(!buf_reserve(&b, (size_t)-1) && buf_reserve(&b, 0));
	buf_drop(&b, 10);
	CHECK(b.length == 990 && b.data[0] == 10 && b.data[989] == (uint8_t)999);
	buf_drop(&b, 990);
	CHECK(b.length == 0);
	buf_fini(&b);
	CHECK(c.blocks == 0);
	c.fail_at = c.calls + 1;
	CHECK(!buf_add(&b, "x", 1) && b.length == 0 && b.room == 0);
	CHECK(buf_add(&b, "x", 1));
	buf_fini(&b);
	CHECK(c.blocks == 0);
}

/* ---- utf8 ---- */

/* The definition: every code point has one form, this. */
static size_t naive_put(uint8_t out[4], uint32_t cp)
{
	if (cp < 0x80)
		return out[0] = (uint8_t)cp, 1;
	size_t size = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = size - 1; i > 0; i--, cp >>= 6)
		out[i] = (uint8_t)(0x80 + cp % 64);
	out[0] = (uint8_t)((0xF00 >> size) + cp);
	return size;
}

/* Forms of all scalar values are read back, and every beginning of one is cut. */
/* A buffer that grows in steps of any size takes at most twice what it had, and what it needs, and never more than its
 * cap; and few allocations. */
static void test_growth(void)
{
	static const size_t caps[] = { 1, 255, 256, 257, 300, 511, 513, 700, 1000, 5000, 100000, SIZE_MAX };
	static const char text[3000];
	uint32_t state = 1;
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
		for (size_t most = 1; most < sizeof text; most *= 3) {
			struct counting c = { 0 };
			urlsift_allocator a = counting_allocator(&c);
			struct buf b;
			buf_init(&b, &a, caps[i]);
			bool good = true, added = true;
			while (added && b.length < 300000 && good) {
				const size_t n = 1 + random_bits(&state) % most, room = b.room, length = b.length, calls = c.calls;
				size_t least = 2 * room < 256 ? 256 : 2 * room;
				least = least < length + n ? length + n : least;
				added = buf_add(&b, text, n);
				good = added == (n <= caps[i] - length) && b.length == length + (added ? n : 0) && b.full == !added;
				good &= b.room <= caps[i] && b.room <= least && c.live == b.room;
				good &= c.calls - calls == (added && n > room - length); /* only where there was no room */
				if (added && n > room - length)
					good &= b.room >= (least < caps[i] ? least : caps[i]);
			}
			CHECK_THAT(good, "a buffer of at most %zu, in steps up to %zu: %zu of %zu", caps[i], most, b.length, b.room);
			buf_fini(&b);
			CHECK(c.blocks == 0 && b.cap == caps[i]);
		}
}

static void test_utf8_forms(void)
{
	bool ok = true;
	for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
		uint8_t naive[4] = { 0 }, own[4] = { 0 };
		uint32_t got = 0;
		bool cut, surrogate = cp >= 0xD800 && cp < 0xE000;
		size_t size = naive_put(naive, cp), k = utf8_sequence(naive, size, &got, &cut);
		ok = ok && (surrogate ? k == 0 && !cut : k == size && got == cp && !cut);
		ok = ok && (surrogate || (utf8_put(own, cp) == size && !memcmp(own, naive, 4)));
		for (size_t n = 1; n < size && !surrogate; n++)
			ok = ok && utf8_sequence(naive, n, &got, &cut) == 0 && cut;
	}
	CHECK(ok);
}

/* What the n bytes begin, told by brute force: the form of the code point they would be. */
static size_t naive_sequence(const uint8_t *p, size_t n, uint32_t *cp)
{
	for (size_t size = 1; size <= 4 && size <= n; size++) {
		uint8_t form[4];
		uint32_t value = size == 1 ? p[0] : p[0] & (0xFFu >> (size + 1));
		for (size_t i = 1; i < size; i++)
			value = value * 64 + (p[i] & 63);
		bool scalar = value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
		if (scalar && naive_put(form, value) == size && !memcmp(form, p, size)) {
			*cp = value;
			return size;
		}
	}
	return 0;
}

static bool naive_cut(const uint8_t *p, size_t n)
{
	static const uint8_t more[] = { 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF };
	uint8_t full[6] = { 0 };
	uint32_t cp;
	if (n > 3)
		return false;
	memcpy(full, p, n);
	for (size_t i = 0; i < 6 * 6 * 6; i++) {
		full[n] = more[i % 6];
		full[n + 1] = more[i / 6 % 6];
		full[n + 2] = more[i / 36];
		size_t k = naive_sequence(full, n + 3, &cp);
		if (k > n)
			return true;
	}
	return false;
}

static void test_utf8_all(void)
{
	static const uint8_t tail[] = { 0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xF0,
		0xFF };
	enum { TAILS = sizeof tail };
	bool ok = true;
	for (unsigned lead = 0; lead < 256; lead++) {
		for (unsigned t = 0; t < TAILS * TAILS * TAILS; t++) {
			uint8_t p[4] = { (uint8_t)lead, tail[t % TAILS], tail[t / TAILS % TAILS], tail[t / TAILS / TAILS] };
			uint32_t a = 0, b = 0;
			bool cut;
			for (size_t n = 1, prefixes = 1; n <= 4; n++, prefixes *= TAILS) {
				size_t k = utf8_sequence(p, n, &a, &cut);
				ok = ok && k == naive_sequence(p, n, &b) && a == b;
				if (t < prefixes) /* these n bytes for the first time */
					ok = ok && cut == (k == 0 && naive_cut(p, n));
			}
		}
	}
	CHECK(ok);
}

static void test_utf8_next(void)
{
	uint32_t cp;
	CHECK(utf8_next((const uint8_t *)"a", 1, &cp) == 1 && cp == 'a');
	CHECK(utf8_next((const uint8_t *)"\xC3\xA9", 2, &cp) == 2 && cp == 0xE9);
	CHECK(utf8_next((const uint8_t *)"\xC3\xA9", 1, &cp) == 1 && cp == 0xC3);
	CHECK(utf8_next((const uint8_t *)"\x93x", 2, &cp) == 1 && cp == 0x201C);
	CHECK(utf8_next((const uint8_t *)"\x81x", 2, &cp) == 1 && cp == 0x81);
	CHECK(utf8_windows_1252(0x80) == 0x20AC && utf8_windows_1252(0x9F) == 0x178);
	CHECK(utf8_windows_1252('A') == 'A' && utf8_windows_1252(0xA0) == 0xA0 && utf8_windows_1252(0xFF) == 0xFF);
}

/* ---- uclass ---- */

static void test_uclass(void)
{
	static const struct { uint32_t first, last; enum uclass is; } rows[] = {
		{ 0x80, 0x84, UC_CONTROL }, { 0x85, 0x85, UC_SPACE }, { 0x86, 0x9F, UC_CONTROL }, { 0xA0, 0xA0, UC_SPACE },
		{ 0xA1, 0xAA, UC_PLAIN }, { 0xAB, 0xAB, UC_STOP }, { 0xAD, 0xAD, UC_SOFT }, { 0xBB, 0xBB, UC_STOP },
		{ 0xBC, 0x55A, UC_PLAIN }, { 0x55B, 0x55E, UC_MARK }, { 0x55F, 0x588, UC_PLAIN },
		{ 0x589, 0x589, UC_STOP }, { 0x58A, 0x5C2, UC_PLAIN }, { 0x5C3, 0x5C3, UC_STOP },
		{ 0x5C4, 0x60B, UC_PLAIN }, { 0x60C, 0x60C, UC_STOP }, { 0x60D, 0x61A, UC_PLAIN }, { 0x61B, 0x61F, UC_STOP },
		{ 0x620, 0x6D3, UC_PLAIN }, { 0x6D4, 0x6D4, UC_STOP }, { 0x6D5, 0x6FF, UC_PLAIN }, { 0x700, 0x702, UC_STOP },
		{ 0x703, 0x7F7, UC_PLAIN }, { 0x7F8, 0x7F9, UC_STOP }, { 0x7FA, 0x963, UC_PLAIN }, { 0x964, 0x965, UC_STOP },
		{ 0x966, 0xF0C, UC_PLAIN }, { 0xF0D, 0xF0E, UC_STOP }, { 0xF0F, 0x1049, UC_PLAIN },
		{ 0x104A, 0x104B, UC_STOP }, { 0x104C, 0x10FF, UC_PLAIN }, { 0x1100, 0x11FF, UC_CJK },
		{ 0x1200, 0x1360, UC_PLAIN }, { 0x1361, 0x1368, UC_STOP }, { 0x1369, 0x166D, UC_PLAIN },
		{ 0x166E, 0x166E, UC_STOP }, { 0x166F, 0x167F, UC_PLAIN }, { 0x1680, 0x1680, UC_SPACE },
		{ 0x1681, 0x17D3, UC_PLAIN }, { 0x17D4, 0x17D5, UC_STOP }, { 0x17D6, 0x1801, UC_PLAIN },
		{ 0x1802, 0x1805, UC_STOP }, { 0x1806, 0x1807, UC_PLAIN }, { 0x1808, 0x1809, UC_STOP },
		{ 0x180A, 0x1FFF, UC_PLAIN }, { 0x2000, 0x200B, UC_SPACE }, { 0x200C, 0x200D, UC_PLAIN },
		{ 0x200E, 0x200F, UC_STOP }, { 0x2010, 0x2010, UC_HYPHEN }, { 0x2011, 0x2012, UC_PLAIN },
		{ 0x2013, 0x2015, UC_STOP }, { 0x2018, 0x201F, UC_STOP }, { 0x2020, 0x2022, UC_MARK },
		{ 0x2023, 0x2025, UC_PLAIN }, { 0x2026, 0x2026, UC_MARK }, { 0x2E2E, 0x2E2E, UC_STOP },
		{ 0x203C, 0x203D, UC_STOP }, { 0x2047, 0x2049, UC_STOP }, { 0x2028, 0x2029, UC_SPACE },
		{ 0x202A, 0x202E, UC_STOP }, { 0x202F, 0x202F, UC_SPACE }, { 0x2039, 0x203A, UC_STOP },
		{ 0x205F, 0x205F, UC_SPACE }, { 0x2066, 0x2069, UC_STOP }, { 0x2190, 0x21FF, UC_PLAIN },
		{ 0x2500, 0x257F, UC_STOP }, { 0x3000, 0x3000, UC_SPACE }, { 0x3001, 0x3003, UC_STOP },
		{ 0x3005, 0x3007, UC_CJK }, { 0x3008, 0x3011, UC_STOP }, { 0x3014, 0x301F, UC_STOP },
		{ 0x3030, 0x3030, UC_STOP }, { 0x3041, 0x3096, UC_CJK }, { 0x30A1, 0x30FF, UC_CJK },
		{ 0x3105, 0x312F, UC_CJK }, { 0x4E00, 0x9FFF, UC_CJK }, { 0xA000, 0xA48C, UC_PLAIN },
		{ 0xA4FE, 0xA4FF, UC_STOP }, { 0xA60D, 0xA60F, UC_STOP }, { 0xAC00, 0xD7A3, UC_CJK },
		{ 0xE000, 0xF8FF, UC_PLAIN }, { 0xFDD0, 0xFDEF, UC_CONTROL }, { 0xFE30, 0xFE4F, UC_STOP },
		{ 0xFEFF, 0xFEFF, UC_SPACE }, { 0xFF01, 0xFF0F, UC_STOP }, { 0xFF10, 0xFF19, UC_PLAIN },
		{ 0xFF1A, 0xFF20, UC_STOP }, { 0xFF21, 0xFF3A, UC_PLAIN }, { 0xFF3B, 0xFF40, UC_STOP },
		{ 0xFF41, 0xFF5A, UC_PLAIN }, { 0xFF5B, 0xFF65, UC_STOP }, { 0xFF66, 0xFF9F, UC_CJK },
		{ 0xFFF9, 0xFFFF, UC_CONTROL }, { 0x1F600, 0x1F64F, UC_PLAIN }, { 0x1FFFE, 0x1FFFF, UC_CONTROL },
		{ 0x20000, 0x2FFFD, UC_CJK }, { 0x2FFFE, 0x2FFFF, UC_CONTROL }, { 0x10FFFE, 0x10FFFF, UC_CONTROL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (uint32_t cp = rows[i].first; cp <= rows[i].last; cp++)
			if (!CHECK(uclass_of(cp) == rows[i].is))
				printf("  U+%04lX\n", (unsigned long)cp);
	size_t bidi = 0, invisible = 0;
	bool within = true;
	for (uint32_t cp = 0x80; cp < 0x110000; cp++) {
		bidi += uclass_is_bidi(cp) != 0;
		invisible += uclass_is_invisible(cp) != 0;
		within = within && (!uclass_is_bidi(cp) || uclass_is_invisible(cp));
	}
	CHECK(within);
	CHECK(bidi == 12);
	CHECK(invisible == 4174 - 2 + 1 + 3); /* Default_Ignorable_Code_Point without two, the blank of Braille, U+FFF9 to U+FFFB */
	CHECK(!uclass_is_invisible(0x200C) && !uclass_is_invisible(0x200D));
}

/* ---- map ---- */

static void test_map_random(uint32_t seed)
{
	enum { CHARACTERS = 5000 };
	static uint64_t text_at[CHARACTERS + 1], source_at[CHARACTERS + 1], begin_at[CHARACTERS + 1];
	urlsift_allocator a = alloc_from(NULL);
	struct map m;
	map_init(&m, &a);
	uint64_t text = 0, source = 0, silent = 0;
	size_t count = 0, forgotten = 0;
	while (count < CHARACTERS) {
		uint32_t r = random_bits(&seed);
		size_t n = r & 1 ? 1 : 1 + (r >> 1) % 20, text_step = (r >> 6) % 4, source_step = (r >> 8) % 5;
		if (r % 97 == 0 && !silent)
			text_step = source_step = 300;
		if (text_step && !source_step)
			source_step = 5;
		if (n > CHARACTERS - count)
			n = CHARACTERS - count;
		CHECK(map_add(&m, n, text_step, source_step));
		for (size_t i = 0; i < n; i++) {
			if (text_step) {
				text_at[count] = text;
				begin_at[count] = source;
				source_at[count++] = source - silent;
				silent = 0;
			} else {
				silent += source_step;
			}
			text += text_step;
			source += source_step;
		}
		text_at[count] = text;
		source_at[count] = source - silent;
		begin_at[count] = source;
		CHECK(m.text_end == text && m.source_end == source);
		size_t look = forgotten + random_bits(&seed) % (count - forgotten + 1);
		CHECK(map_source(&m, text_at[look]) == source_at[look]);
		CHECK(map_begin(&m, text_at[look]) == begin_at[look]);
		CHECK(map_source(&m, text) == source - silent);
		if (r % 5 == 0) {
			forgotten += random_bits(&seed) % (count - forgotten + 1);
			map_forget(&m, text_at[forgotten]);
		}
	}
	for (size_t i = forgotten; i <= count; i++)
		CHECK(map_source(&m, text_at[i]) == source_at[i]);
	map_reset(&m);
	CHECK(map_source(&m, 0) == 0 && map_add(&m, 1, 2, 1) && map_source(&m, 2) == 1);
	map_fini(&m);
}

/* Eight at a time is the same as one by one. */
static void test_map_eight(void)
{
	static const uint8_t sizes[8] = { 2, 1, 3, 3, 1, 2, 2, 4 };
	urlsift_allocator a = alloc_from(NULL);
	struct map one, eight;
	map_init(&one, &a);
	map_init(&eight, &a);
	for (unsigned round = 0; round < 50; round++) {
		uint32_t steps = 0;
		size_t text = 0;
		for (unsigned i = 0; i < 8; i++) {
			size_t size = sizes[(i + round) % 8];
			steps |= (uint32_t)(size - 1) << 4 * i;
			text += size;
		}
		CHECK(map_add(&one, round % 3 == 0, 0, 5) && map_add(&eight, round % 3 == 0, 0, 5));
		CHECK(map_add_eight(&eight, steps, text));
		for (unsigned i = 0; i < 8; i++)
			CHECK(map_add(&one, 1, sizes[(i + round) % 8], 1));
		CHECK(map_add(&one, round % 5, 1, 1) && map_add(&eight, round % 5, 1, 1));
	}
	CHECK(one.text_end == eight.text_end && one.source_end == eight.source_end);
	bool same = true;
	for (uint64_t t = 0; t <= one.text_end; t++)
		same = same && map_source(&one, t) == map_source(&eight, t) && map_begin(&one, t) == map_begin(&eight, t);
	CHECK(same);
	map_fini(&one);
	map_fini(&eight);
}

/* MAP_TEXT bytes of the worst shape fit, for ever, in the memory promised. */
static void test_map_bound(void)
{
	struct counting c = { 0 };
	urlsift_allocator a = counting_allocator(&c);
	struct map m;
	map_init(&m, &a);
	bool ok = true;
	for (uint64_t i = 0; i < 1000000; i++) {
		ok = ok && map_add(&m, 1, 0, 1 + i % 2) && map_add(&m, 1, 1, 1);
		if (i >= MAP_TEXT)
			map_forget(&m, i + 1 - MAP_TEXT);
	}
	CHECK(ok && map_source(&m, 1000000 - MAP_TEXT) == (1000000 - MAP_TEXT) / 2 * 5);
	CHECK(map_begin(&m, 1000000 - MAP_TEXT) == (1000000 - MAP_TEXT) / 2 * 5 + 1);
	for (uint64_t i = 0; ok && i < 1000000; i++)
		ok = map_add(&m, 1, 0, 300) && map_add(&m, 1, 2, 3);
	CHECK(!ok && c.calls < 20);
	map_fini(&m);
	CHECK(c.blocks == 0);
	/* One shape takes one run. */
	c = (struct counting){ 0 };
	for (unsigned i = 0; i < 100000; i++)
		ok = map_add(&m, 1 + i % 3, 2, 1);
	CHECK(ok && c.calls == 1 && map_source(&m, 9998) == 4999);
	map_fini(&m);
}

/* ---- map with gaps in the source: against a table with a row for each byte of text ---- */

enum { TEXT = 4000, RANGES = TEXT };

struct row {
	uint64_t begin, end; /* the source that the byte stands for, the whole of its run if need be */
	bool whole;
};

struct table {
	struct row rows[TEXT];
	size_t count;
};

static void table_add(struct table *t, uint64_t source, size_t text, size_t length)
{
	for (size_t i = 0; i < text; i++) {
		bool whole = text != length;
		t->rows[t->count++] = (struct row){ source + (whole ? 0 : i), whole ? source + length : source + i + 1, whole };
	}
}

static size_t table_ranges(const struct table *t, size_t from, size_t to, urlsift_range *out, bool *whole)
{
	size_t n = 0;
	*whole = true;
	for (size_t i = from; i < to; i++) {
		const struct row *row = &t->rows[i];
		*whole = *whole && !row->whole;
		urlsift_range *last = n ? &out[n - 1] : NULL;
		if (row->begin == row->end)
			continue;
		if (last && row->begin <= last->offset + last->length)
			last->length = row->end - last->offset;
		else
			out[n++] = (urlsift_range){ row->begin, row->end - row->begin };
	}
	if (!n)
		out[n++] = (urlsift_range){ t->rows[from].begin, 0 };
	return n;
}

static bool same_ranges(struct map *p, const struct table *t, size_t from, size_t to, const urlsift_allocator *a)
{
	static urlsift_range wanted[RANGES];
	bool whole, wanted_whole;
	struct buf ranges;
	buf_init(&ranges, a, (RANGES + 1) * sizeof(urlsift_range));
	urlsift_range before = { 1, 1 }; /* touched by nothing */
	bool ok = buf_add(&ranges, &before, sizeof before) && map_ranges(p, from, to, &ranges, &whole);
	size_t n = table_ranges(t, from, to, wanted, &wanted_whole);
	const urlsift_range *got = (const urlsift_range *)(const void *)ranges.data;
	ok = ok && map_ranges(p, from, to, NULL, &whole) == n && whole == wanted_whole;
	ok = ok && ranges.length == (n + 1) * sizeof *got && got[0].offset == 1
		&& got[0].length == 1;
	for (size_t i = 0; ok && i < n; i++)
		ok = got[i + 1].offset == wanted[i].offset && got[i + 1].length == wanted[i].length;
	buf_fini(&ranges);
	return ok;
}

/* Runs that go on, after gaps, of one byte for many, of many for none. */
static bool add_some(struct map *p, struct table *t, uint64_t *source, uint32_t *seed)
{
	size_t length = random_bits(seed) % 7, text = length;
	switch (random_bits(seed) % 5) {
	case 0: text = random_bits(seed) % 4; break;
	case 1: length = 0; break;
	case 2: *source += random_bits(seed) % 5; break;
	default: break;
	}
	if (t->count + text > TEXT)
		return false;
	bool ok = map_add_at(p, *source, text, length);
	table_add(t, *source, text, length);
	*source += length;
	return CHECK(ok);
}

static void test_gaps_random(uint32_t seed)
{
	static struct table t;
	struct counting c = { 0 };
	urlsift_allocator a = counting_allocator(&c);
	struct map p;
	uint64_t source = 3;
	size_t forgotten = 0;
	bool ok = true;
	t.count = 0;
	map_init(&p, &a);
	CHECK(map_begin(&p, 0) == 0);
	map_forget(&p, 0);
	while (ok && add_some(&p, &t, &source, &seed)) {
		if (t.count < 2 || t.count - forgotten < 2)
			continue;
		size_t from = forgotten + random_bits(&seed) % (t.count - forgotten);
		size_t to = from + 1 + random_bits(&seed) % (t.count - from);
		ok = CHECK(same_ranges(&p, &t, from, to, &a)) && CHECK(map_begin(&p, from) == t.rows[from].begin)
		     && CHECK(map_begin(&p, t.count) == t.rows[t.count - 1].end);
		if (random_bits(&seed) % 9 == 0)
			map_forget(&p, forgotten = from);
	}
	map_reset(&p);
	CHECK(map_add_at(&p, 77, 2, 2) && map_begin(&p, 1) == 78 && map_begin(&p, 9) == 79);
	map_fini(&p);
	CHECK(c.blocks == 0);
}

/* ---- Bounds ---- */

static void test_gaps_bound(void)
{
	struct counting c = { 0 };
	urlsift_allocator a = counting_allocator(&c);
	struct map p;
	map_init(&p, &a);
	bool ok = true;
	uint64_t text = 0;
	for (; ok && text < 1000000; text++) {
		ok = map_add_at(&p, 3 * text, 1, 1);
		if (text >= 150000)
			map_forget(&p, text - 150000);
	}
	CHECK(ok && map_begin(&p, text - 150000) == 3 * (text - 150000) && map_begin(&p, text - 1) == 3 * (text - 1));
	CHECK(p.room * 16 <= map_memory_bound() && c.blocks == 1);
	size_t added = 0;
	while (added < 200000 && map_add_at(&p, 3 * text, 1, 1))
		text++, added++;
	CHECK(added < 50000 && map_begin(&p, text - 1) == 3 * (text - 1) && map_begin(&p, text) == 3 * text - 2);
	map_fini(&p);

	/* What goes on takes one run. */
	c = (struct counting){ 0 };
	for (text = 0, ok = true; ok && text < 3000000; text += 3)
		ok = map_add_at(&p, 10 + text, 3, 3);
	CHECK(ok && c.calls == 1 && p.count == 1 && map_begin(&p, 1234567) == 1234577);
	map_fini(&p);

	/* Of a single character no more than 65,535 bytes are known; what follows has its own offset. */
	CHECK(map_add_at(&p, 0, 2, 100000) && map_add_at(&p, 100000, 9, 9) && map_add_at(&p, 100009, 100000, 1));
	CHECK(map_range(&p, 0, 1).length == 65535 && map_begin(&p, 3) == 100001 && map_begin(&p, 99999) == 100009);
	map_fini(&p);
	CHECK(c.blocks == 0);
}

static void test_gaps_no_memory(void)
{
	struct counting c = { .fail_at = 1 };
	urlsift_allocator a = counting_allocator(&c);
	struct map p;
	struct buf ranges;
	bool whole;
	map_init(&p, &a);
	buf_init(&ranges, &a, 1000);
	CHECK(!map_add_at(&p, 5, 1, 1));
	CHECK(map_add_at(&p, 5, 1, 1) && map_add_at(&p, 7, 1, 6) && map_begin(&p, 1) == 7);
	c.fail_at = c.calls + 1;
	CHECK(!map_ranges(&p, 0, 2, &ranges, &whole) && ranges.length == 0);
	CHECK(map_ranges(&p, 0, 2, &ranges, &whole) && !whole && ranges.length == 2 * sizeof(urlsift_range));
	map_fini(&p);
	buf_fini(&ranges);
	CHECK(c.blocks == 0);
}

/* ---- match ---- */

static bool naive_is(char class, int c)
{
	const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
	switch (class) {
	case 'a': return upper || lower;
	case 'd': return digit;
	case 'h': return c >= 0x80;
	case 'l': return lower;
	case 'q': return c == '>' || c == '|';
	case 's': return c == ' ' || c == '\t';
	case 'u': return upper;
	case 'w': return upper || lower || digit;
	default: return false; /* %z */
	}
}

/* Every class, and every byte alone; none is at the end. */
static void test_match_classes(void)
{
	for (const char *class = "adhlqsuwz"; *class; class++) {
		char one[] = "%x", set[] = "[%x]", but[] = "[^%x]", any[] = "%x?";
		one[1] = set[2] = but[3] = any[1] = *class;
		bool ok = !match_bytes(NULL, 0, one) && !match_bytes(NULL, 0, set) && !match_bytes(NULL, 0, but);
		for (int c = 0; c < 256; c++) {
			const uint8_t byte = (uint8_t)c;
			const size_t is = naive_is(*class, c) ? 2 : 0;
			ok = ok && match_bytes(&byte, 1, one) == is && match_bytes(&byte, 1, set) == is;
			ok = ok && match_bytes(&byte, 1, but) == 2 - is && match_bytes(&byte, 1, any) == 1 + is / 2;
		}
		CHECK_FOR(ok, one);
	}
	bool ok = true;
	for (int c = 1; c < 256; c++) {
		const char one[] = {'%', (char)c, '\0'}, set[] = {'[', (char)c, ']', '\0'};
		for (int d = 0; d < 256 && !naive_is('a', c) && c != '|' && c != '^'; d++) {
			const uint8_t byte = (uint8_t)d;
			const size_t is = c == d ? 2 : 0;
			ok = ok && match_bytes(&byte, 1, one) == is && (c == '%' || match_bytes(&byte, 1, set) == is);
		}
	}
	CHECK(ok);
}

static void test_match(void)
{
	static const struct { const char *text, *pattern; size_t found; } cases[] = {
		{"", "", 1}, {"a", "", 1}, {"", "a", 0}, {"", "a?", 1}, {"", "a*", 1}, {"", "a+", 0}, {"", "a|", 1},
		{"a", "a", 2}, {"ab", "a", 2}, {"b", "a", 0}, {"b", "a|b", 2}, {"ab", "a|ab", 2}, {"ac", "ab|ac", 3},
		{"aaa", "a?", 2}, {"aaab", "a*b", 5}, {"b", "a*b", 2}, {"b", "a+b", 0}, {"aab", "a+b", 4},
		{"aa", "a*a", 0}, {"a", "a?a", 0}, /* nothing is given back */
		{"a", "a" MATCH_END, 2}, {"ab", "a" MATCH_END, 0}, {"", MATCH_END, 1}, {"a", MATCH_ANY, 2}, {"", MATCH_ANY, 0},
		{"a", "a%fb", 2}, {"ab", "a%fbb", 3}, {"ac", "a%fb", 0}, {"ac", "a%f[^b]c", 3}, {"ab", "a%f[^b]", 0},
		{"]", "[]]", 2}, {"[", "[[]", 2}, {"-", "[a-z]", 2}, {"b", "[a-z]", 0}, {"^", "[a^]", 2}, {"%", "%%", 2},
		{"*", "%*", 2}, {"+b", "[+]b", 3}, {"fA9", MATCH_HEX MATCH_HEX MATCH_HEX, 4}, {"g", MATCH_HEX, 0},
		{"\xe9", "\xe9", 2}, {"\xe9", "[^\xe9]", 0}
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const size_t n = strlen(cases[i].text);
		char *own = malloc(n + !n); /* nothing is after it */
		memcpy(own, cases[i].text, n);
		CHECK_THAT(match_bytes((const uint8_t *)own, n, cases[i].pattern) == cases[i].found, "%s of %s",
		           cases[i].pattern, cases[i].text);
		free(own);
	}
	CHECK(match_bytes((const uint8_t *)"\0a", 2, "%aa") == 0 && match_bytes((const uint8_t *)"\0a", 2, "[^%z]a") == 3);
}

/* What a pattern is made from, one item after the other. */
struct naive_item { bool has[256], ahead; char repeat; };

/* Writes a random item; returns its length. */
static size_t naive_write(uint32_t *state, char *out, struct naive_item *item)
{
	static const char classes[] = "adhlqsuwz", marks[] = "%[]^*+?(a1.- \xe9";
	char *p = out;
	const bool set = random_bits(state) % 3 == 0, but = set && random_bits(state) % 2;
	item->ahead = random_bits(state) % 6 == 0;
	p += sprintf(p, "%s%s%s", item->ahead ? "%f" : "", set ? "[" : "", but ? "^" : "");
	memset(item->has, 0, sizeof item->has);
	for (size_t k = set ? 1 + random_bits(state) % 3 : 1; k > 0; k--) {
		const bool class = random_bits(state) % 2;
		const char c = class ? classes[random_bits(state) % (sizeof classes - 1)]
		                     : marks[random_bits(state) % (sizeof marks - 1)];
		if (class || !naive_is('w', (uint8_t)c))
			*p++ = '%';
		*p++ = c;
		for (int d = 0; d < 256; d++)
			item->has[d] |= class ? naive_is(c, d) : d == (uint8_t)c;
	}
	for (int d = 0; but && d < 256; d++)
		item->has[d] = !item->has[d];
	item->repeat = "    ?*+"[random_bits(state) % 7];
	p += sprintf(p, "%s%.*s", set ? "]" : "", item->repeat != ' ', &item->repeat);
	return (size_t)(p - out);
}

/* The length of what the row of items matches, SIZE_MAX for nothing. */
static size_t naive_match(const uint8_t *p, size_t n, const struct naive_item *item, size_t items)
{
	size_t i = 0;
	for (; items > 0; items--, item++) {
		const size_t most = item->repeat == '*' || item->repeat == '+' ? n : 1;
		size_t k = 0;
		while (k < most && i + k < n && item->has[p[i + k]])
			k++;
		if (k == 0 && item->repeat != '*' && item->repeat != '?' && !(item->ahead && i == n))
			return SIZE_MAX;
		i += item->ahead ? 0 : k;
	}
	return i;
}

static void test_match_random(uint32_t seed)
{
	static const char bytes[] = "aZ19 >|.-%[]^*+?(\xe9\0"; /* the last NUL, too */
	uint32_t state = seed;
	char pattern[200], *end = pattern;
	uint8_t text[12];
	const size_t n = random_bits(&state) % sizeof text;
	for (size_t i = 0; i < n; i++)
		text[i] = (uint8_t)bytes[random_bits(&state) % (sizeof bytes - 1)];
	size_t expected = SIZE_MAX;
	for (size_t rows = 1 + random_bits(&state) % 3; rows > 0; rows--) {
		struct naive_item items[5];
		const size_t count = random_bits(&state) % 5;
		for (size_t i = 0; i < count; i++)
			end += naive_write(&state, end, &items[i]);
		*end++ = '|';
		expected = expected == SIZE_MAX ? naive_match(text, n, items, count) : expected;
	}
	end[-1] = '\0';
	uint8_t *own = malloc(n + !n);
	memcpy(own, text, n);
	const size_t found = match_bytes(own, n, pattern);
	free(own);
	CHECK_THAT(found == expected + 1, "%s of %zu bytes, seed %u: %zu, not %zu", pattern, n, (unsigned)seed, found,
	           expected + 1);
}

int main(void)
{
	test_alloc();
	test_buf();
	test_growth();
	test_utf8_forms();
	test_utf8_all();
	test_utf8_next();
	test_uclass();
	test_match_classes();
	test_match();
	for (uint32_t seed = 1; seed <= run_rounds(200000); seed++)
		test_match_random(seed);
	for (uint32_t seed = 1; seed <= 20; seed++)
		test_map_random(seed);
	test_map_eight();
	test_map_bound();
	for (uint32_t seed = 1; seed <= 60; seed++)
		test_gaps_random(seed);
	test_gaps_bound();
	test_gaps_no_memory();
	return check_end();
}
