/* The vector routines.  Each primitive has a file with its portable form, which defines the result, and
 * its variants.  A set holds the best form of each for one instruction set; all sets give the same results.
 * No routine reads beyond the bytes that its contract names, and all are linear. */
#ifndef SIMD_SIMD_H
#define SIMD_SIMD_H

#include "urlsift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMD_BLOCK = 64 }; /* bytes, one bit each in a mask; bit 0 is the first */

/* What trigger() flags besides the pairs. */
enum { TRIGGER_AT = 1, TRIGGER_DOT = 2 };

struct simd {
	/* Trigger search.  Flags each byte that with the next one makes `l:` `ww` `p.` (any letter case), LF `b`, `=y`,
	 * `-B`, or `:` and anything but a space; and those of `marks` (TRIGGER_).  Fills a mask for each SIMD_BLOCK
	 * of the n bytes, the last with zeros after them.  Reads n + 1 bytes. */
	void (*trigger)(const uint8_t *p, size_t n, unsigned marks, uint64_t *mask);
};

/* The set for an instruction set, or the best (URLSIFT_IMPL_AUTO); NULL when the machine lacks it. */
const struct simd *simd_choose(urlsift_implementation wanted);

#endif
