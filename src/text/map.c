#include "map.h"

#include <string.h>

/* Where the first character stands.  A run ends where the next begins, so the
 * number of its characters need not be kept.  A text step of 0 marks a run of a
 * single character, whatever it takes; its source step then tells how much of it
 * is source that says nothing. */
struct map_run {
	uint64_t text; /* text offset << 16 | text step << 8 | source step */
	uint64_t source;
};

/* A sixteenth of the array stays free for moving the living runs down: with
 * that, moving costs a constant number of runs for each one added. */
enum { RUNS_MAX = MAP_TEXT / 15 * 16, RUNS_MIN = 64, STEP_MAX = 255 };

void map_init(struct map *m, const urlsift_allocator *alloc)
{
	*m = (struct map){ .alloc = alloc };
}

void map_fini(struct map *m)
{
	alloc_put(m->alloc, m->runs);
	map_init(m, m->alloc);
}

void map_reset(struct map *m)
{
	m->count = m->first = 0;
	m->text_end = m->source_end = m->silent = 0;
}

static bool make_room(struct map *m)
{
	if (m->first > m->room / 2 || (m->room == RUNS_MAX && m->first >= RUNS_MAX / 16)) {
		m->count -= m->first;
		memmove(m->runs, m->runs + m->first, m->count * sizeof *m->runs);
		m->first = 0;
		return true;
	}
	if (m->room == RUNS_MAX)
		return false;
	size_t room = m->room ? 2 * m->room : RUNS_MIN;
	if (room > RUNS_MAX)
		room = RUNS_MAX;
	struct map_run *runs = alloc_resize(m->alloc, m->runs, room * sizeof *runs);
	if (!runs)
		return false;
	m->runs = runs;
	m->room = room;
	return true;
}

/* A run that begins at the end of the text; source that said nothing so far is
 * its beginning. */
static bool begin(struct map *m, size_t text_step, size_t source_step)
{
	if (m->count == m->room && !make_room(m))
		return false;
	m->runs[m->count++] = (struct map_run){
		m->text_end << 16 | text_step << 8 | source_step, m->source_end - m->silent
	};
	m->silent = 0;
	return true;
}

static void advance(struct map *m, size_t n, size_t text_step, size_t source_step)
{
	m->text_end += (uint64_t)n * text_step;
	m->source_end += (uint64_t)n * source_step;
}

bool map_add(struct map *m, size_t n, size_t text_step, size_t source_step)
{
	if (!text_step) {
		advance(m, n, 0, source_step);
		m->silent += (uint64_t)n * source_step;
		return true;
	}
	for (; n && (m->silent || text_step > STEP_MAX || source_step > STEP_MAX); n--) {
		if (!begin(m, 0, m->silent < STEP_MAX ? (size_t)m->silent : STEP_MAX))
			return false;
		advance(m, 1, text_step, source_step);
	}
	if (!n)
		return true;
	if (text_step == source_step) { /* one shape for all that is copied */
		n *= text_step;
		text_step = source_step = 1;
	}
	uint64_t shape = text_step << 8 | source_step;
	bool same = m->count > m->first && (m->runs[m->count - 1].text & 0xFFFF) == shape;
	if (!same && !begin(m, text_step, source_step))
		return false;
	advance(m, n, text_step, source_step);
	return true;
}

/* The run that holds t; there is one. */
static size_t find(const struct map *m, uint64_t t)
{
	size_t low = m->first, high = m->count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (m->runs[middle].text >> 16 <= t)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t map_source(const struct map *m, uint64_t t)
{
	if (t >= m->text_end)
		return m->source_end - m->silent;
	const struct map_run *run = &m->runs[find(m, t)];
	uint64_t text_step = run->text >> 8 & 0xFF, source_step = run->text & 0xFF;
	return text_step ? run->source + (t - (run->text >> 16)) / text_step * source_step : run->source;
}

uint64_t map_begin(const struct map *m, uint64_t t)
{
	if (t >= m->text_end)
		return m->source_end;
	const struct map_run *run = &m->runs[find(m, t)];
	return run->text >> 8 & 0xFF ? map_source(m, t) : run->source + (run->text & 0xFF);
}

void map_forget(struct map *m, uint64_t t)
{
	if (m->first < m->count)
		m->first = find(m, t);
}

size_t map_memory_bound(void)
{
	return RUNS_MAX * sizeof(struct map_run);
}
