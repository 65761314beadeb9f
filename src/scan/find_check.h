/* What every finder asks of a byte that its vectors flagged. */
#ifndef SCAN_FIND_CHECK_H
#define SCAN_FIND_CHECK_H

#include "find.h"

/* What a byte is to what stands before a colon. */
enum { FIND_NAME = 1, FIND_LETTER = 2, FIND_BETWEEN = 4 /* white, or furniture (W1, Q, H4) */, FIND_WORTH = 8 };
extern const uint8_t find_kinds[256];

/* The pairs of bytes that vectors look for: `l:` `ww` `p.` LF `b`, `=y`, `-B`, and a
 * colon before something solid.  A byte is the first of pair k when bit k is set in
 * the rows of both its nibbles, and likewise the second.  A colon has two bits:
 * before a byte with a low nibble, and before one without that is no blank. */
enum {
	FIND_SOLID = 1, FIND_L = 2, FIND_WW = 4, FIND_P = 8, FIND_LINE = 16, FIND_YENC = 32, FIND_HYPHEN = 64, FIND_ROUND = 128,
	FIND_COLON = FIND_SOLID | FIND_ROUND
};
extern const uint8_t find_first_low[16], find_first_high[16], find_second_low[16], find_second_high[16];

static inline uint8_t find_at(const uint8_t *p, size_t i, size_t back) { return i >= back ? p[i - back] : 0; }

/* The bit of a byte of a name in finder.tails, letter case aside. */
static inline unsigned find_bit(uint8_t c) { return (c & 31u) | (c >> 1 & 32u); }

/* The hash of a name from its last byte to its first; of `seen` so far, 0 at first. */
static inline uint32_t find_hash(uint32_t seen, uint8_t c) { return (seen ^ (c | 0x20)) * 0x9E3779B1u; }
static inline uint32_t find_end(uint8_t third, uint8_t second, uint8_t last)
{
	return find_hash(find_hash(find_hash(0, last), second), third);
}
static inline bool find_has(const struct find_names *n, uint32_t hash) { return n->bits[hash >> 26] >> (hash >> 20 & 63) & 1; }

/* Whether p[i] gives something away.  Reads p[i - FIND_BEHIND .. i + 3]. */
bool find_check(const struct finder *f, const struct find_state *s, size_t i);

static inline bool find_tail(const struct finder *f, const uint8_t *p, size_t colon)
{
	return f->tails[find_bit(find_at(p, colon, 2))] >> find_bit(find_at(p, colon, 1)) & 1;
}

/* A colon between digits, most of all in the time of day. */
static inline bool find_is_time(const struct finder *f, const uint8_t *p, size_t colon)
{
	return (uint8_t)(p[colon + 1] - '0') < 10 && (uint8_t)(find_at(p, colon, 1) - '0') < 10 && !find_tail(f, p, colon);
}

/* The first of the places flagged in s that is worth it. */
static inline bool find_pick(const struct finder *f, struct find_state *s, size_t *found)
{
	for (uint64_t mask = s->mask; mask;) {
		size_t i = s->at + (size_t)__builtin_ctzll(mask);
		mask &= mask - 1;
		s->mask = mask;
		*found = i;
		bool colon = s->p[i] == ':';
		if (colon && s->p[i + 1] == '/')
			return true;
		if (!(colon && find_is_time(f, s->p, i)) && find_check(f, s, i))
			return true;
	}
	return false;
}

/* A block of new places: [at, at + n). */
static inline bool find_pick_from(const struct finder *f, struct find_state *s, size_t at, size_t n, uint64_t mask, size_t *found)
{
	s->at = at;
	s->upto = at + n;
	s->mask = mask;
	return find_pick(f, s, found);
}

/* Goes on in the block looked at before, from *i on; else *i is behind it. */
static inline bool find_resume(const struct finder *f, struct find_state *s, size_t *i, size_t *found)
{
	if (*i >= s->upto)
		return false;
	s->mask &= ~(uint64_t)0 << (*i - s->at);
	*i = s->upto;
	return find_pick(f, s, found);
}

size_t find_portable(const struct finder *f, struct find_state *s, size_t i, size_t end);
#if defined(__x86_64__)
size_t find_sse2(const struct finder *f, struct find_state *s, size_t i, size_t end);
size_t find_avx2(const struct finder *f, struct find_state *s, size_t i, size_t end);
size_t find_avx512(const struct finder *f, struct find_state *s, size_t i, size_t end);
#elif defined(__aarch64__)
size_t find_neon(const struct finder *f, struct find_state *s, size_t i, size_t end);
#endif

#endif
