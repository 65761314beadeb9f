#include "places.h"

/* An eighth of the runs stays before they are moved down, so that this costs a
 * constant number of them for each one forgotten. */
enum { RUNS_MAX = 160 * 1024, LAZY = 8 };

static struct place_run *runs_of(const struct places *p) { return (struct place_run *)(void *)p->runs.data; }
static size_t count_of(const struct places *p) { return p->runs.length / sizeof(struct place_run); }

void places_init(struct places *p, const urlsift_allocator *alloc)
{
	*p = (struct places){ 0 };
	buf_init(&p->runs, alloc, RUNS_MAX * sizeof(struct place_run));
}

void places_fini(struct places *p)
{
	buf_fini(&p->runs);
	places_reset(p);
}

void places_reset(struct places *p)
{
	p->runs.length = p->first = 0;
	p->end = 0;
}

/* Whether the last run goes on byte for byte at `source`. */
static bool goes_on(const struct places *p, uint64_t source, size_t length)
{
	if (p->first == count_of(p))
		return false;
	const struct place_run *last = &runs_of(p)[count_of(p) - 1];
	return last->text_length == last->source_length && last->source + last->source_length == source
	       && length <= UINT32_MAX - last->text_length;
}

bool places_add(struct places *p, uint64_t source, size_t text_length, size_t source_length)
{
	if (!text_length)
		return true;
	if (text_length > UINT32_MAX || source_length > UINT32_MAX)
		return false;
	if (text_length == source_length && goes_on(p, source, text_length)) {
		struct place_run *last = &runs_of(p)[count_of(p) - 1];
		last->text_length += (uint32_t)text_length;
		last->source_length += (uint32_t)source_length;
	} else {
		struct place_run run = { p->end, source, (uint32_t)text_length, (uint32_t)source_length };
		if (!buf_add(&p->runs, &run, sizeof run))
			return false;
	}
	p->end += text_length;
	return true;
}

/* The run that holds `text`: the last that begins there or before, else the
 * first.  There is one. */
static size_t find(const struct places *p, uint64_t text)
{
	const struct place_run *runs = runs_of(p);
	size_t low = p->first;
	for (size_t n = count_of(p) - low, half; n > 1; n -= half) {
		half = n / 2;
		low += half & -(size_t)(runs[low + half].text <= text); /* no branch: nobody could foresee it */
	}
	return low;
}

void places_forget(struct places *p, uint64_t text)
{
	if (p->first == count_of(p))
		return;
	p->first = find(p, text);
	if (p->first > count_of(p) / LAZY) {
		buf_drop(&p->runs, p->first * sizeof(struct place_run));
		p->first = 0;
	}
}

/* Appends a range, or lets the last one from `start` on grow by it. */
static bool append(struct buf *ranges, size_t start, uint64_t offset, uint64_t length)
{
	if (ranges->length > start) {
		urlsift_range *last = (urlsift_range *)(void *)(ranges->data + ranges->length) - 1;
		if (!length)
			return true;
		if (!last->length)
			last->offset = offset;
		if (last->offset + last->length == offset) {
			last->length += length;
			return true;
		}
	}
	urlsift_range range = { offset, length };
	return buf_add(ranges, &range, sizeof range);
}

bool places_ranges(const struct places *p, uint64_t from, uint64_t to, struct buf *ranges, bool *whole)
{
	const struct place_run *runs = runs_of(p);
	size_t start = ranges->length;
	*whole = true;
	if (p->first == count_of(p))
		return true;
	for (size_t i = find(p, from); i < count_of(p) && runs[i].text < to; i++) {
		uint64_t offset = runs[i].source, length = runs[i].source_length;
		if (runs[i].text_length != runs[i].source_length) {
			*whole = false;
		} else {
			uint64_t skip = from > runs[i].text ? from - runs[i].text : 0;
			uint64_t end = to - runs[i].text < length ? to - runs[i].text : length;
			if (skip >= end)
				continue; /* behind all text */
			offset += skip;
			length = end - skip;
		}
		if (!append(ranges, start, offset, length)) {
			ranges->length = start;
			return false;
		}
	}
	return true;
}

uint64_t places_source(const struct places *p, uint64_t text)
{
	if (p->first == count_of(p))
		return 0;
	const struct place_run *run = &runs_of(p)[find(p, text)];
	uint64_t ahead = text > run->text ? text - run->text : 0;
	if (ahead >= run->text_length)
		return run->source + run->source_length;
	return run->text_length == run->source_length ? run->source + ahead : run->source;
}

size_t places_memory_bound(void)
{
	return RUNS_MAX * sizeof(struct place_run);
}
