/* The check of a byte that the trigger search flagged. */
#ifndef SCAN_FIND_CHECK_H
#define SCAN_FIND_CHECK_H

#include "find.h"

/* What a byte is to what stands before a colon. */
enum { FIND_NAME = 1, FIND_LETTER = 2, FIND_BETWEEN = 4 /* white space, line prefixes (W1, Q, H4) */ };
extern const uint8_t find_kinds[256];

static inline uint8_t find_at(const uint8_t *p, size_t i, size_t back) { return i >= back ? p[i - back] : 0; }

/* The bit of a byte of a name in finder.tails, letter case aside. */
static inline unsigned find_bit(uint8_t c) { return (c & 31u) | (c >> 1 & 32u); }

/* The hash of a name from its last byte to its first; of `seen` so far, 0 at first. */
static inline uint32_t find_hash(uint32_t seen, uint8_t c) { return (seen ^ (c | 0x20)) * 0x9E3779B1u; }
static inline uint32_t find_end(uint8_t third, uint8_t second, uint8_t last)
{
	return find_hash(find_hash(find_hash(0, last), second), third);
}
static inline bool find_has(const struct find_names *n, uint32_t hash)
{
	return n->bits[hash >> 26] >> (hash >> 20 & 63) & 1;
}

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

#endif
