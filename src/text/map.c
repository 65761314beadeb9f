#include "map.h"

#include <string.h>

/* Where its first character stands, and the steps: of a run, one for all its
 * characters; of a group, one of four bits for each of up to eight.  An entry
 * ends where the next begins, so the number of characters need not be kept.  A
 * text step of 0 is a single character: behind source that says nothing, it
 * takes the last `source step` bytes of its entry, else all of it. */
struct map_run {
	uint64_t text;   /* offset << 17 | group << 16 | steps */
	uint64_t source; /* offset << 16 | steps of a group's last four */
};

enum {
	GROUP = 1 << 16,
	GROUP_CHARACTERS = 8,
	GROUP_STEP = 4, /* the longest that four bits hold */
	RUN_STEP = 255,
	/* A sixteenth of the array stays free for moving the living entries down:
	 * so that costs a constant number of entries for each one added. */
	RUNS_MAX = MAP_TEXT / 15 * 16,
	RUNS_MIN = 64
};

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
	m->count = m->first = m->open = 0;
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

/* An entry at the end of the text; source that said nothing so far is its
 * beginning. */
static bool begin(struct map *m, uint32_t low, uint32_t high)
{
	if (m->count == m->room && !make_room(m))
		return false;
	m->runs[m->count++] = (struct map_run){ m->text_end << 17 | low, (m->source_end - m->silent) << 16 | high };
	m->open = 0;
	return true;
}

static void advance(struct map *m, size_t n, size_t text_step, size_t source_step)
{
	m->text_end += (uint64_t)n * text_step;
	m->source_end += (uint64_t)n * source_step;
	m->silent = 0;
}

static uint32_t run_steps(size_t text_step, size_t source_step)
{
	return text_step == source_step ? 0x0101 : (uint32_t)(text_step << 8 | source_step);
}

static uint32_t group_steps(const struct map_run *run)
{
	return (uint32_t)(run->text & 0xFFFF) | (uint32_t)(run->source & 0xFFFF) << 16;
}

static bool extends(const struct map *m, uint32_t steps)
{
	return m->count > m->first && !m->silent && (m->runs[m->count - 1].text & 0x1FFFF) == steps;
}

/* Puts a character into the last group, or into a new one. */
static bool join_group(struct map *m, size_t text_step, size_t source_step)
{
	if (!m->open && !begin(m, GROUP, 0))
		return false;
	struct map_run *run = &m->runs[m->count - 1];
	uint64_t step = (source_step - 1) << 2 | (text_step - 1);
	if (m->open < GROUP_CHARACTERS / 2)
		run->text |= step << 4 * m->open;
	else
		run->source |= step << 4 * (m->open - GROUP_CHARACTERS / 2);
	if (++m->open < GROUP_CHARACTERS)
		return true;
	m->open = 0;
	if (group_steps(run) == step * 0x11111111) { /* it may go on as a run */
		run->text = run->text >> 17 << 17 | run_steps(text_step, source_step);
		run->source = run->source >> 16 << 16;
	}
	return true;
}

bool map_add(struct map *m, size_t n, size_t text_step, size_t source_step)
{
	if (!text_step) {
		m->source_end += (uint64_t)n * source_step;
		m->silent += (uint64_t)n * source_step;
		return true;
	}
	bool run = text_step <= RUN_STEP && source_step <= RUN_STEP;
	bool small = text_step <= GROUP_STEP && source_step - 1 < GROUP_STEP;
	uint32_t steps = run_steps(text_step, source_step);
	for (; n; n--) {
		bool same = run && extends(m, steps), done;
		if (same || (run && n >= GROUP_CHARACTERS && !m->silent)) {
			done = same || begin(m, steps, 0);
			advance(m, n, text_step, source_step);
			return done;
		}
		if (m->silent)
			done = begin(m, (uint32_t)(source_step < RUN_STEP ? source_step : RUN_STEP), 0);
		else
			done = small ? join_group(m, text_step, source_step) : begin(m, 0, 0);
		if (!done)
			return false;
		advance(m, 1, text_step, source_step);
	}
	return true;
}

bool map_add_eight(struct map *m, uint32_t steps, size_t text)
{
	if (m->silent) {
		for (unsigned i = 0; i < GROUP_CHARACTERS; i++, steps >>= 4)
			if (!map_add(m, 1, (steps & 3) + 1, 1))
				return false;
		return true;
	}
	if (!begin(m, GROUP | (steps & 0xFFFF), steps >> 16))
		return false;
	advance(m, 1, text, GROUP_CHARACTERS);
	return true;
}

/* The entry that holds t; there is one. */
static size_t find(const struct map *m, uint64_t t)
{
	size_t low = m->first;
	for (size_t n = m->count - low, half; n > 1; n -= half) {
		half = n / 2;
		low += half & -(size_t)(m->runs[low + half].text >> 17 <= t); /* no branch: nobody could foresee it */
	}
	return low;
}

uint64_t map_source(const struct map *m, uint64_t t)
{
	if (t >= m->text_end)
		return m->source_end - m->silent;
	const struct map_run *run = &m->runs[find(m, t)];
	uint64_t source = run->source >> 16, ahead = t - (run->text >> 17);
	if (!(run->text & GROUP)) {
		uint64_t text_step = run->text >> 8 & 0xFF, source_step = run->text & 0xFF;
		return text_step ? source + ahead / text_step * source_step : source;
	}
	for (uint32_t steps = group_steps(run); ahead > (steps & 3); steps >>= 4) {
		ahead -= (steps & 3) + 1;
		source += (steps >> 2 & 3) + 1;
	}
	return source;
}

uint64_t map_begin(const struct map *m, uint64_t t)
{
	if (t >= m->text_end)
		return m->source_end;
	size_t i = find(m, t);
	uint64_t steps = m->runs[i].text & 0x1FFFF;
	if (steps == 0 || steps > RUN_STEP)
		return map_source(m, t);
	uint64_t end = i + 1 < m->count ? m->runs[i + 1].source >> 16 : m->source_end - m->silent;
	return end - steps;
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
