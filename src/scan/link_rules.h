/* User-defined rules: text that matches a pattern becomes a link. */
#ifndef SCAN_LINK_RULES_H
#define SCAN_LINK_RULES_H

#include "text/buf.h"

enum {
	LINK_RULES_LINE = 8192,   /* the largest number of bytes of a line that are matched at a time */
	LINK_RULES_STEPS = 100000 /* steps of PCRE2 in one match */
};

/* The state of a search; each scanner has one. */
struct link_rules_search;

struct link_rules_search *link_rules_search_new(const urlsift_allocator *alloc, const urlsift_link_rules *rules);
void link_rules_search_free(struct link_rules_search *s); /* NULL is allowed */

/* Begins a search in n bytes of one line, UTF-8 or read by rule C1.  `first`: they begin the line; `last`: they end
 * it. */
void link_rules_begin(struct link_rules_search *s, const uint8_t *text, size_t n, bool first, bool last);
/* Finds the next match, [*from, *to), which is not empty; if two rules match, the first one applies.  URLSIFT_OK;
 * URLSIFT_INVALID: there are no more; URLSIFT_STOPPED: a rule exceeded LINK_RULES_STEPS at *from and is not applied
 * again to this text; or an error. */
urlsift_status link_rules_next(struct link_rules_search *s, size_t *from, size_t *to);
/* Appends the URL of the last match to `url`, which was empty; of a URL longer than `most`, one byte more than that.
 * False if memory is exhausted. */
bool link_rules_expand(struct link_rules_search *s, size_t most, struct buf *url);

#endif
