/* Where a bare link ends (B3-B8, D1), in one pass with counters. */
#ifndef SCAN_EXTENT_H
#define SCAN_EXTENT_H

#include "view.h"

struct extent {
	size_t end;        /* behind the last byte that is the link's own (B4, B5) */
	size_t at;         /* how far it read: the byte that ended it, or the limit */
	size_t begin;      /* where the link begins: for the length limit */
	size_t max;        /* bytes a link may have */
	uint8_t closer;    /* an ASCII quotation mark that ends it, or 0 (D1, B5a) */
	bool bracketed;    /* an opening bracket stands right before the link (B5a) */
	bool swallow;      /* only B3 ends it (B10) */
	bool escaped;      /* opened as scheme:\/\/ : `\/` is `/` (B7) */
	bool authority;    /* stop at `/ ? #`: only the authority is wanted */
	bool beyond_ascii;
	bool truncated;    /* the limit ended it */
	bool unescape;     /* an `&amp;` or `\/` lies before `end` */
	size_t first_escape;
	unsigned open[3];  /* ( [ { */
	unsigned apostrophes;
	size_t bracket;    /* behind the last `[` when only digits followed, 0 else */
	size_t before_bracket; /* `end` as it was at that `[` */
};

/* A beginning at i: nothing taken yet. */
void extent_init(struct extent *x, size_t begin, size_t i, size_t max);
/* The character before the link may end it too (D1, B5a). */
void extent_before(struct extent *x, uint32_t before);
/* Brackets and apostrophes of userinfo, which was not read as an extent (B5). */
void extent_count(struct extent *x, const struct view *v, size_t i, size_t end);
/* Goes on from x->at to the end of the link or of the window (MORE).  May be
 * called again after x->at was moved (J1, MORE). */
enum verdict extent_run(struct extent *x, const struct view *v);
/* Whether a known scheme with `//` stands at i (B8). */
enum verdict extent_scheme_at(const struct view *v, size_t i);
/* Length of the HTML entity at i, 0 for none; *kind: what it stands for. */
enum entity { ENTITY_NONE, ENTITY_OTHER, ENTITY_AMP, ENTITY_DELIMITER };
enum verdict extent_entity(const struct view *v, size_t i, size_t *length, enum entity *kind);

#endif
