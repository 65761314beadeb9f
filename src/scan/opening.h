/* What stands right before a link without brackets: quotation marks (D1), the prefix `URL:` (P1), emphasis (B6). */
#ifndef SCAN_OPENING_H
#define SCAN_OPENING_H

#include "view.h"

struct opening {
	size_t begin;    /* of the link */
	uint32_t before; /* the character before it, 0 at the start of the text */
	uint8_t mark;    /* B6: an emphasis mark that opens right before it, or 0 */
	size_t marks;    /* how many of them */
	bool must_close; /* only as such a mark may it stand there (B1) */
};

void opening_read(const struct view *v, size_t begin, struct opening *o);
/* B1: whether a link may begin there; may set o->must_close.  `hier`: its scheme has `//`. */
bool opening_allows(const struct view *v, size_t floor, struct opening *o, bool hier);
/* B1: letter, digit or `_`: no link begins right after one. */
bool opening_is_word(uint32_t c);
/* P1: `URL:` or `URL: ` right before i, not inside a word. */
bool opening_has_prefix(const struct view *v, size_t i);
/* D1: whether a quotation may open with c. */
static inline bool opening_is_quote(uint32_t c) { return c == '"' || c == '\'' || c >= 0xAB; }
/* D1: whether `close` is the counterpart of the quotation mark `open`. */
bool opening_pairs(uint32_t open, uint32_t close);

#endif
