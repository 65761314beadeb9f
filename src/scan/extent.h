/* Where a bare link ends (B3 to B8, D1), found in one pass with counters. */
#ifndef SCAN_EXTENT_H
#define SCAN_EXTENT_H

#include "view.h"

struct extent {
	size_t end;        /* after the last byte that is part of the link (B4, B5) */
	size_t at;         /* how far it was read: the byte that ended it, or the limit */
	size_t begin;      /* of the link, for the length limit */
	size_t max;        /* most bytes of a link */
	uint8_t closer;    /* an ASCII quotation mark that ends it, or 0 (D1, B5a) */
	bool bracketed;    /* an opening bracket is right before the link (A1c, B5a) */
	bool swallow;      /* only B3 ends it (B10) */
	bool escaped;      /* opened as scheme:\/\/ : `\/` is `/` (B7) */
	bool authority;    /* read the authority only: stop at / ? # */
	bool beyond_ascii;
	bool truncated;    /* the length limit ended it */
	bool unescape;     /* an `&amp;` or `\/` is before `end` */
	size_t first_escape;
	unsigned open[3];  /* ( [ { */
	size_t opener[3];  /* the outermost of each that is open */
	size_t before_opener[3]; /* `end` as it was there */
	unsigned apostrophes;
	bool at_opener;    /* B5: it ended at an opener whose closer follows a blank */
	size_t bracket;    /* after the last `[` if only digits followed, else 0 */
	size_t before_bracket; /* `end` as it was at that `[` */
};

/* An extent that begins at i, still empty. */
void extent_init(struct extent *x, size_t begin, size_t i, size_t max);
/* Notes the character before the link, whose counterpart may end it (D1, B5a). */
void extent_before(struct extent *x, uint32_t before);
/* Counts the brackets and apostrophes of userinfo, which is not read as an extent (B5). */
void extent_count(struct extent *x, const struct view *v, size_t i, size_t end);
/* Continues from x->at to the end of the link, or of the view (MORE).  May be called again after x->at was moved
 * (J1). */
enum verdict extent_run(struct extent *x, const struct view *v);
/* B5: a blank ended the link.  Ends it at an opener whose closer follows. */
enum verdict extent_end_at_opener(struct extent *x, const struct view *v);
/* Whether a known scheme with `//` begins at i (B8). */
enum verdict extent_scheme_at(const struct view *v, size_t i);
/* Whether an HTML character reference begins at i: its length, and what it stands for. */
enum charref {
	CHARREF_NONE, CHARREF_AMP,
	CHARREF_DELIMITER, /* ends a link */
	CHARREF_TRAIL,     /* is not part of it at its end (B4) */
	CHARREF_OWN        /* is: `&#233;` */
};
enum verdict extent_charref(const struct view *v, size_t i, size_t *length, enum charref *kind);

#endif
