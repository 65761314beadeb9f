/* The search for trigger bytes: `:` after a scheme, `www.`, `ftp.`; with the options for them `@` and full stops;
 * escape sequences and overstrikes (B1); the lines that begin blocks (B9). */
#ifndef SCAN_FIND_H
#define SCAN_FIND_H

#include "simd/simd.h"
#include "url/scheme.h"

enum { FIND_BLOCKS = 64 }; /* flagged at a time, a bit each */

/* Where a search is in its text. */
struct find_state {
	const uint8_t *p;
	size_t floor;    /* the end of the last link: no scheme begins before it */
	size_t at, upto; /* the bytes between are flagged */
	uint64_t blocks; /* a bit for each mask that is not 0 */
	uint64_t mask[FIND_BLOCKS];
};

/* Begins a search in the text at p. */
static inline void find_begin(struct find_state *s, const uint8_t *p)
{
	s->p = p;
	s->floor = s->at = s->upto = 0; /* the masks need no zeros */
}

struct finder {
	const struct simd *simd;
	unsigned marks; /* TRIGGER_: further trigger bytes */
};

/* How far after and before an index the search reads: so many bytes follow `end` unless the text ends there. */
enum { FIND_AHEAD = 4, FIND_BEHIND = 42 };

/* The row of the name of n bytes, as scheme_find has it; for most names without a search. */
const struct scheme *find_scheme(const uint8_t *p, size_t n);
/* B10: whether the name of n bytes is a word and, right after it, a scheme of three letters or more that requires
 * `//`. */
bool find_glued(const uint8_t *p, size_t n);

/* The first index in [i, end) of a trigger byte, or `end`.  Reads from p[i - FIND_BEHIND], or p[0], to p[end +
 * FIND_AHEAD - 1]: the caller pads the end of a text.  The index is that of the `:`, of the `l` or `o` before it or the
 * space after it (`<http: //`), of the last `w`, of the `p`, the `@`, the `.`, the ESC or BS; or, for a line that may
 * begin a block, of its LF, of the `=` of `=y`, of the last hyphen of `-----B`.  Linear.  A search continues with the
 * state of the one before (s->floor may be set again), mostly at a later index: a link that is cut may end before its
 * trigger byte. */
size_t find_flagged(const struct finder *f, struct find_state *s, size_t i, size_t end);
static inline size_t find_next(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	if (i - s->at < s->upto - s->at) { /* as mostly between two links: another call less */
		size_t from = i - s->at;
		uint64_t mask = s->mask[from / SIMD_BLOCK] >> from % SIMD_BLOCK;
		const uint8_t *p = s->p + i + (mask ? __builtin_ctzll(mask) : 0);
		if (p[0] == ':' && p[1] == '/')
			return (size_t)(p - s->p);
	}
	return find_flagged(f, s, i, end);
}

#endif
