/* Where a plain link's host ends, and the link: by bytes alone. */
#ifndef SCAN_PLAIN_SHAPE_H
#define SCAN_PLAIN_SHAPE_H

#include "urlsift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a byte may be as it stands, without a rule of its own. */
enum { PLAIN_HOST = 1, PLAIN_OWN = 2 /* the last byte of a link too */, PLAIN_INNER = 4 /* only inside */, PLAIN_END = 8 /* B3, and B5: what opens is not plain */ };
extern const uint8_t plain_kinds[256];
/* The same for vectors: bit h of row l stands for the byte of the high nibble h
 * and the low nibble l. */
extern const uint8_t plain_inner_rows[16], plain_host_rows[16];

struct plain_shape {
	size_t host; /* bytes of PLAIN_HOST */
	size_t end;  /* bytes of PLAIN_INNER */
};

/* The shape of the n bytes at p, where a host begins; false for a host that has to be looked
 * at (an empty label, a hyphen at a label's end), or that ends nowhere. */
typedef bool plain_shape_of(const uint8_t *p, size_t n, struct plain_shape *shape);

/* The one for the implementation, which is on this machine. */
plain_shape_of *plain_shape_chosen(urlsift_implementation implementation);

plain_shape_of plain_shape_portable;
#if defined(__x86_64__)
plain_shape_of plain_shape_avx2;
#elif defined(__aarch64__)
plain_shape_of plain_shape_neon;
#endif

/* Up to 64 bytes, a bit each: not of PLAIN_INNER, not of PLAIN_HOST; full stops; hyphens. */
struct plain_masks { uint64_t outside, foreign, stops, hyphens; };

/* The host in the masks, or 0: for one that has to be looked at, or goes on. */
static inline size_t plain_host_in(const struct plain_masks *m)
{
	if (!m->foreign)
		return 0;
	size_t host = (size_t)__builtin_ctzll(m->foreign);
	uint64_t marks = m->stops | m->hyphens;
	uint64_t bad = (marks & (m->stops << 1 | 1)) | (m->stops & m->hyphens << 1);
	if (!host || (bad | marks >> (host - 1) << (host - 1)) & (((uint64_t)1 << host) - 1))
		return 0;
	return host;
}

#endif
