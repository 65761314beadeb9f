#include "map.h"

#include "ascii.h"

#include <string.h>

/* The offsets of an entry's first character, and its steps: of a run, one for all its characters; of a group, one of
 * four bits for each of up to eight.  The text of an entry ends where the next one begins, so the number of characters
 * need not be kept.  A text step of 0 is a single character: after source without text it takes the last `source step`
 * bytes of its entry, else (source step 0) the bytes given in the low bits of `source`. */
struct map_run {
	uint64_t text;   /* offset << 17 | group << 16 | steps */
	uint64_t source; /* offset << 16 | steps of a group's last four, or the source bytes of a single character */
};

enum {
	GROUP = 1 << 16,
	GROUP_CHARACTERS = 8,
	GROUP_STEP = 4, /* the longest that four bits hold */
	RUN_STEP = 255,
	SINGLE_STEP = 0xFFFF,
	BYTES = 0x0101, /* the steps of a run that is its source, byte for byte */
	/* A sixteenth of the array stays free for moving the used entries down, which thus costs a constant number of
	 * entries for each one added. */
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
	m->failed = false;
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
	size_t room = smaller(larger(2 * m->room, RUNS_MIN), RUNS_MAX);
	struct map_run *runs = alloc_resize(m->alloc, m->runs, room * sizeof *runs);
	if (!runs)
		return false;
	m->runs = runs;
	m->room = room;
	return true;
}

/* Adds an entry at the end of the text; it begins with the source without text. */
static inline bool begin(struct map *m, uint32_t low, uint32_t high)
{
	if (m->count == m->room && !make_room(m)) {
		m->failed = true;
		return false;
	}
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
	return text_step == source_step ? BYTES : (uint32_t)(text_step << 8 | source_step);
}

static uint32_t single_steps(size_t source_step)
{
	return (uint32_t)smaller(source_step, SINGLE_STEP);
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
	if (group_steps(run) == step * 0x11111111) { /* it may continue as a run */
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
			if (done)
				advance(m, n, text_step, source_step);
			return done;
		}
		if (m->silent)
			done = begin(m, (uint32_t)smaller(source_step, RUN_STEP), 0);
		else
			done = small ? join_group(m, text_step, source_step)
			             : begin(m, 0, single_steps(source_step));
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

bool map_add_at(struct map *m, uint64_t source, size_t text_length, size_t source_length)
{
	if (!text_length)
		return true;
	bool bytes = text_length == source_length;
	uint64_t end = m->source_end;
	if (!bytes || source != end || !extends(m, BYTES)) {
		m->source_end = source;
		if (!begin(m, bytes ? BYTES : 0, bytes ? 0 : single_steps(source_length))) {
			m->source_end = end;
			return false;
		}
	}
	m->text_end += text_length;
	m->source_end += source_length;
	return true;
}

/* Where the text of entry i ends. */
static inline uint64_t text_end_of(const struct map *m, size_t i)
{
	return i + 1 < m->count ? m->runs[i + 1].text >> 17 : m->text_end;
}

/* The entry that holds t; there is one. */
static size_t find(const struct map *m, uint64_t t)
{
	size_t low = m->first;
	for (size_t n = m->count - low, half; n > 1; n -= half) {
		half = n / 2;
		low += half & -(size_t)(m->runs[low + half].text >> 17 <= t); /* no branch: it would be unpredictable */
	}
	return low;
}

/* A character: where it begins, and the bytes it takes. */
struct map_char {
	uint64_t text, text_length, source, source_length;
};

/* The character of entry i that holds t, which is before the end of the text. */
static inline struct map_char char_at(const struct map *m, size_t i, uint64_t t)
{
	const struct map_run *run = &m->runs[i];
	bool last = i + 1 == m->count;
	struct map_char c = { .text = run->text >> 17, .source = run->source >> 16 };
	uint32_t steps = run->text & 0x1FFFF;
	if (steps & GROUP) {
		for (steps = group_steps(run);; steps >>= 4) {
			c.text_length = (steps & 3) + 1;
			c.source_length = (steps >> 2 & 3) + 1;
			if (t - c.text < c.text_length)
				break;
			c.text += c.text_length;
			c.source += c.source_length;
		}
	} else if (steps > RUN_STEP) {
		c.text_length = steps >> 8;
		c.source_length = steps & 0xFF;
		uint64_t before = (t - c.text) / c.text_length;
		c.text += before * c.text_length;
		c.source += before * c.source_length;
	} else {
		c.text_length = text_end_of(m, i) - c.text;
		c.source_length = number_or(steps, run->source & SINGLE_STEP);
		if (steps)
			c.source = (last ? m->source_end - m->silent : run[1].source >> 16) - steps;
	}
	return c;
}

uint64_t map_source(struct map *m, uint64_t t)
{
	if (t >= m->text_end)
		return m->source_end - m->silent;
	size_t i = find(m, t);
	const struct map_run *run = &m->runs[i];
	uint32_t steps = run->text & 0x1FFFF;
	return steps && steps <= RUN_STEP ? run->source >> 16 : char_at(m, i, t).source;
}

uint64_t map_begin(struct map *m, uint64_t t)
{
	return t < m->text_end ? char_at(m, find(m, t), t).source : m->source_end;
}

urlsift_range map_range(struct map *m, uint64_t from, uint64_t to)
{
	uint64_t begin = map_begin(m, from), end = m->source_end - m->silent;
	if (to <= m->text_end && to > from) {
		struct map_char c = char_at(m, find(m, to - 1), to - 1);
		end = c.source + c.source_length;
	}
	return (urlsift_range){ begin, end - begin };
}

/* Whether the source goes on with the next stretch of it, which the range then has, too. */
static bool extend(urlsift_range *last, uint64_t offset, uint64_t length)
{
	if (!length)
		return true;
	if (!last->length)
		last->offset = offset;
	if (last->offset + last->length != offset)
		return false;
	last->length += length;
	return true;
}

size_t map_ranges(struct map *m, uint64_t from, uint64_t to, struct buf *ranges, bool *same)
{
	size_t start = ranges ? ranges->length : 0, i = from < m->text_end ? find(m, from) : m->count, count = 0;
	urlsift_range last = {0};
	bool ok = true;
	*same = true;
	for (uint64_t t = from, n; t < to && t < m->text_end && ok; t += n) {
		while (text_end_of(m, i) <= t)
			i++;
		struct map_char c = char_at(m, i, t);
		bool run = (m->runs[i].text & 0x1FFFF) == BYTES;
		n = run ? earlier(to, text_end_of(m, i)) - t : c.text + c.text_length - t;
		*same &= c.text_length == c.source_length;
		uint64_t length = run ? n : c.source_length;
		if (count && extend(&last, c.source, length))
			continue;
		ok = !ranges || !count || buf_add(ranges, &last, sizeof last);
		last = (urlsift_range){ c.source, length };
		count++;
	}
	if (ok && (!ranges || buf_add(ranges, &last, sizeof last)))
		return count;
	ranges->length = start;
	return 0;
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
