/* Looks for what can give a link away: `:` behind a scheme, `www.`, `ftp.`, and,
 * where wanted, `@` and full stops; and the line starts of blocks (B9). */
#ifndef SCAN_FIND_H
#define SCAN_FIND_H

#include "urlsift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finder {
	bool at, dot;           /* look for `@`; for full stops */
	uint32_t tails[32];     /* bit b of tails[a]: a scheme ends in letters a, b (their low five bits) */
	size_t (*search)(const struct finder *f, const uint8_t *p, size_t i, size_t end);
};

/* How far beyond a place a finder reads: the caller leaves so many bytes behind
 * `end` unless the text ends there. */
enum { FIND_AHEAD = 4, FIND_BEHIND = 42 };

/* Chooses the implementation; false when it is not on this machine. */
bool find_init(struct finder *f, urlsift_implementation implementation, bool at, bool dot);

/* The first place in [i, end) that may give a link away, or `end`.  Reads from
 * p[i - FIND_BEHIND] (as far as i >= FIND_BEHIND) to p[end + FIND_AHEAD - 1]: the
 * caller pads the end of a text. The index is that of the `:` (of the `l` before it, where white follows), of the
 * first `w`, of the `p`, the `@`, the `.`; or, for a line that may begin a block,
 * of its LF, of the `=` of `=y`, of the last hyphen of `-----B`.  Linear. */
static inline size_t find_next(const struct finder *f, const uint8_t *p, size_t i, size_t end)
{
	return f->search(f, p, i, end);
}

#endif
