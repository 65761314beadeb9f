/* What a colon gives away: brackets (W, A), the prefix (P), links with a scheme (B). */
#ifndef SCAN_COLON_H
#define SCAN_COLON_H

#include "candidate.h"

/* One candidate and what is known of it. */
struct try {
	const struct rules *rules;
	const struct view *v;
	const struct past *past;
	size_t reach; /* how far back a `<` is looked for */
	struct urlsift_link *link;
	struct found *found;
};

/* The rules for the colon at i, as candidate_read. */
enum verdict colon_read(const struct try *t, size_t i);

/* B1: a letter, digit or `_`; no link begins right behind one. */
bool colon_is_word(uint32_t c);
/* P1: `URL:` or `URL: ` right before i, not inside a word. */
bool colon_has_prefix(const struct view *v, size_t i);

#endif
