/* Looks for what can give a link away: `:` behind a scheme, `www.`, `ftp.`, and,
 * where wanted, `@` and full stops; and the line starts of blocks (B9). */
#ifndef SCAN_FIND_H
#define SCAN_FIND_H

#include "simd/simd.h"

enum { FIND_BLOCKS = 64 }; /* flagged at a time */

/* Where a search is in its text. */
struct find_state {
	const uint8_t *p;
	size_t floor;    /* no name of a scheme begins before it: a link ends there */
	size_t at, upto; /* the bytes between are flagged */
	uint64_t mask[FIND_BLOCKS];
};

/* Hashes of names, a bit each: a name whose bit is not set is not among them. */
struct find_names { uint64_t bits[64]; };

struct finder {
	const struct simd *simd;
	unsigned marks;              /* TRIGGER_: what to look for besides */
	/* of the schemes that may do without `//` */
	uint64_t tails[64];          /* bit b of tails[a]: one ends in the letters a, b */
	struct find_names ends;      /* their last three letters */
	struct find_names anywhere;  /* those that may do so in free text */
	struct find_names delimited; /* those that only may behind a delimiter */
};

/* How far beyond a place a finder reads: the caller leaves so many bytes behind
 * `end` unless the text ends there. */
enum { FIND_AHEAD = 4, FIND_BEHIND = 42 };

void find_init(struct finder *f, const struct simd *simd, unsigned marks);

/* The first place in [i, end) that may give a link away, or `end`.  Reads from
 * p[i - FIND_BEHIND] (as far as i >= FIND_BEHIND) to p[end + FIND_AHEAD - 1]: the
 * caller pads the end of a text.  The index is that of the `:` (of the `l` before it, where white follows), of the
 * first `w`, of the `p`, the `@`, the `.`; or, for a line that may begin a block,
 * of its LF, of the `=` of `=y`, of the last hyphen of `-----B`.  Linear.  A search goes
 * on with the state of the one before (s->floor may be set anew), at a later place. */
size_t find_next(const struct finder *f, struct find_state *s, size_t i, size_t end);

#endif
