/* The search for trigger bytes: `:` after a scheme, `www.`, `ftp.`; with the options for them `@` and full stops;
 * escape sequences and overstrikes (B1); the lines that begin blocks (B9). */
#ifndef SCAN_FIND_H
#define SCAN_FIND_H

#include "simd/simd.h"

enum { FIND_BLOCKS = 64 }; /* flagged at a time */

/* Where a search is in its text. */
struct find_state {
	const uint8_t *p;
	size_t floor;    /* the end of the last link: no scheme begins before it */
	size_t at, upto; /* the bytes between are flagged */
	uint64_t mask[FIND_BLOCKS + 1];
};

/* Begins a search in the text at p. */
static inline void find_begin(struct find_state *s, const uint8_t *p)
{
	s->p = p;
	s->floor = s->at = s->upto = 0; /* the masks need no zeros */
}

/* A bit for the hash of each name: a name whose bit is 0 is not among them. */
struct find_names { uint64_t bits[64]; };

struct finder {
	const struct simd *simd;
	unsigned marks;              /* TRIGGER_: further trigger bytes */
	/* of the schemes that do not require `//` */
	uint64_t tails[64];          /* bit b of tails[a]: one ends in the letters a, b */
	struct find_names ends;      /* their last three letters */
	struct find_names anywhere;  /* those that are links in free text */
	struct find_names delimited; /* those that are links only after a delimiter */
};

/* How far after and before an index the search reads: so many bytes follow `end` unless the text ends there. */
enum { FIND_AHEAD = 4, FIND_BEHIND = 42 };

void find_init(struct finder *f, const struct simd *simd, unsigned marks);

/* The first index in [i, end) of a trigger byte, or `end`.  Reads from p[i - FIND_BEHIND], or p[0], to p[end +
 * FIND_AHEAD - 1]: the caller pads the end of a text.  The index is that of the `:`, of the `l` or `o` before it where
 * white space follows, of the first `w`, of the `p`, the `@`, the `.`, the ESC or BS; or, for a line that may begin a
 * block, of its LF, of the `=` of `=y`, of the last hyphen of `-----B`.  Linear.  A search continues with the state of
 * the one before (s->floor may be set again), mostly at a later index: a link that is cut may end before its trigger
 * byte. */
size_t find_next(const struct finder *f, struct find_state *s, size_t i, size_t end);

/* ---- find_check.c: the check of a byte that the search flagged ---- */

/* The classes of the bytes before a colon. */
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

/* Whether p[i] is a trigger byte.  Reads p[i - FIND_BEHIND .. i + 3]. */
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
