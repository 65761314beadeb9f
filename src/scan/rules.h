/* The rules' own settings, and the limits that bit while one was carried out. */
#ifndef SCAN_RULES_H
#define SCAN_RULES_H

#include "simd/simd.h"

#include <stdbool.h>

struct rules {
	bool email, domains, www_https, guess;
	urlsift_join join;
	urlsift_hyphen hyphen;
	const char *base; /* for partial forms (W3); NULL for none */
	size_t base_length;
	size_t max_url, max_breaks, max_alternates;
	const struct simd *simd;
	/* The limit that ended the last link, for a notice; NULL for none. */
	const char **limit;
	uint64_t *limit_value;
	size_t *limit_at; /* index of the link in the window */
};

static inline void rules_limit(const struct rules *r, const char *name, uint64_t value, size_t at)
{
	*r->limit = name;
	*r->limit_value = value;
	*r->limit_at = at;
}

#endif
