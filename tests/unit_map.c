/* Unit tests of src/text/map with gaps in the source: against a table with a row for each byte of text. */
#include "check.h"
#include "text/map.h"

#include <stdlib.h>

/* ---- The table ---- */

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
	ok = ok && whole == wanted_whole && ranges.length == (n + 1) * sizeof *got && got[0].offset == 1
		&& got[0].length == 1;
	for (size_t i = 0; ok && i < n; i++)
		ok = got[i + 1].offset == wanted[i].offset && got[i + 1].length == wanted[i].length;
	buf_fini(&ranges);
	return ok;
}

/* Runs that go on, behind gaps, of one byte for many, of many for none. */
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

static void test_random(uint32_t seed)
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

static void test_bound(void)
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

static void test_no_memory(void)
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

int main(void)
{
	for (uint32_t seed = 1; seed <= 60; seed++)
		test_random(seed);
	test_bound();
	test_no_memory();
	return check_end();
}
