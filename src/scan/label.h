/* What a reader sees in place of a link, and the text around it. */
#ifndef SCAN_LABEL_H
#define SCAN_LABEL_H

#include "link.h"

/* Writes the text with white space collapsed and without blanks at its ends, as UTF-8 (C1), at most LABEL_CHARACTERS of
 * it; returns the length.  Linear. */
size_t label_collapse(const uint8_t *p, size_t n, uint8_t out[LABEL_MAX]);
/* The end of the n bytes: from the start of the last line on, or of the last `lines` lines (at least 1), white space
 * collapsed.  Only the last BACK_LOOK bytes are read. */
size_t label_before(const uint8_t *p, size_t n, size_t lines, uint8_t out[LABEL_MAX]);

/* Whether a link at index i of the view may have a label. */
static inline bool label_may_be(const struct view *v, size_t i)
{
	uint8_t c = i ? v->p[i - 1] : 0;
	return c == '(' || c == '<' || c == '[';
}

/* Sets the label of the scanner's link, where one is asked for, and the text around it on so many lines, 0 for none.
 * MORE: the view ends too early.  Sets l->reach.  Reads at most BACK_LOOK bytes on each side. */
enum verdict label_read(const struct view *v, bool label, size_t lines, struct urlsift_link *l);

#endif
