/* A keyed 128-bit hash: the author of the input cannot make two texts collide. */
#ifndef TEXT_SIPHASH_H
#define TEXT_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct hash128 {
	uint64_t low, high;
};

/* SipHash-2-4-128 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, in its 128-bit variant). */
struct hash128 siphash(struct hash128 key, const void *bytes, size_t length);

#endif
