/* What the caller asked for, and the settings that the rules read. */
#ifndef SCAN_OPTIONS_H
#define SCAN_OPTIONS_H

#include "simd/simd.h"
#include "url/url.h"

#include <stdbool.h>

struct urlsift_options {
	urlsift_allocator alloc;
	long value[URLSIFT_OPT_IMPLEMENTATION + 1];
	char *base;          /* owned; NULL for none */
	size_t base_length;
	const char *charset; /* canonical, static; NULL undeclared */
};

/* The defaults, without an allocator. */
void options_default(urlsift_options *o);

/* Limits that were exceeded while one candidate was read, in order and each place once. */
struct exceeded {
	size_t count;
	struct { urlsift_limit limit; size_t at; } list[8]; /* more are dropped; `at`: index in the view */
};

struct rules {
	bool email, domains, www_https, guess;
	urlsift_join join;
	urlsift_hyphen hyphen;
	const char *base; /* for partial forms (W3); NULL for none */
	size_t base_length;
	size_t max_url, max_breaks, max_alternates;
	const struct simd *simd;
	struct exceeded *exceeded;
};

/* The link that begins at index `at` exceeds a limit. */
void rules_exceed(const struct rules *r, urlsift_limit limit, size_t at);
/* What a limit is set to. */
uint64_t rules_limit(const struct rules *r, urlsift_limit limit);

#endif
