/* A text/html part: charset -> tag reader -> scanner, and its targets in document order. */
#ifndef MAIL_HTML_HTML_PART_H
#define MAIL_HTML_HTML_PART_H

#include "htmltext.h"
#include "mail/text.h"

struct html_part;

/* NULL without memory. */
struct html_part *html_part_new(struct reading *r);
void html_part_free(struct html_part *h); /* NULL is allowed */
/* `charset` is the cache's; `source` from the part's bytes to where they stand;
 * line is that of the first byte. */
struct html_begin {
	struct charset *charset;
	struct places *source;
	const char *base;
	size_t base_length;
	uint64_t line;
};
void html_part_begin(struct html_part *h, const struct html_begin *begin);
void html_part_feed(struct html_part *h, const uint8_t *p, size_t n);
void html_part_finish(struct html_part *h);
size_t html_part_memory_bound(void);

#endif
