/* The end of a bare link by what is around it: delimiters that enclose it whole, lists, rulers (B3, B4, B8, D1). */
#ifndef SCAN_ENDING_H
#define SCAN_ENDING_H

#include "candidate.h"
#include "simd/bytes16.h"

/* B8: whether the mark before the link at `begin` delimits the pattern or the replacement of a command to substitute.
 * Looks LINE_LOOK bytes back. */
bool ending_substitutes(const struct view *v, size_t begin);
/* B8: whether the link at `begin` is in the braces of a command of Texinfo: `@uref{`, `@email{`. */
bool ending_in_texinfo(const struct view *v, size_t begin);
/* What ends the link at `begin` after a separator, a blank, `=`, "`" or `{`; 0 for nothing. */
uint8_t ending_closer(const struct candidate *c, size_t begin);
/* Begins the extent of the link at `begin`, which is read up to i: what precedes it may end it (A1c, B5a, B8, D1) or
 * says what a backslash in it is (J1).  Looks LINE_LOOK bytes back. */
static inline void ending_begin(const struct candidate *c, struct extent *x, size_t begin, size_t i)
{
	const uint8_t before = byte_before(c->v->p, begin);
	extent_init(x, begin, i, c->rules->max_url);
	extent_before(x, before);
	if (BYTE_IN(before, ",;= \t`{")) {
		x->closer = ending_closer(c, begin);
		x->escapes = bits_if(before == '{' && x->closer, ESCAPES_AT);
	}
	x->source = true;
}

/* B5a: the index of the name of the tag of JSDoc before the link at `begin`, `{@link `, or 0. */
size_t ending_tag(const struct view *v, size_t begin);

/* B5a: whether a blank is before the link at `begin`, and on its line a command that takes URLs: `curl -O http://h/x`.
 * Looks LINE_LOOK bytes back. */
bool ending_is_argument(const struct view *v, size_t begin);

/* B4: the length of a line and a column of a source that end at `end` after the name of its file, as in stack traces:
 * `app.js:12:34`; 0 for none. */
enum { POSITION_MOST = 16 };
size_t ending_position(const struct view *v, size_t end);
/* Whether one may be there: without it, `list` of URLs that end with numbers takes 10% more instructions. */
static inline bool ending_may_be_position(const uint8_t *p, size_t end)
{
	return is_digit(p[end - 1])
	       && (end < POSITION_MOST || bytes16_any((bytes16)(bytes16_load(p + end - POSITION_MOST) == ':')));
}
/* B4: whether an escape of POD is at i that is no part of a link: `E<gt>`. */
bool ending_is_pod(const struct view *v, size_t i);
bool ending_change(const struct view *v, struct bare *b); /* ending_settle, where it may move */
/* Moves the end of the link that was read: a ruler, the end of a comment or an arrow, an escape of POD and a position
 * go (B3, B4); `#`, `?`, `*` or all that B4 would take stays where it belongs to the link.  Looks BACK_LOOK bytes
 * back.  False: nothing of it is left. */
static inline bool ending_settle(const struct view *v, struct bare *b)
{
	const struct extent *x = &b->extent;
	view_needs(v, x->at, 1); /* at the limit: the next byte says whether its line ends */
	/* mostly nothing changes */
	return (x->at == x->end && !BYTE_IN(v->p[x->end - 1], "_-/%E") && !ending_may_be_position(v->p, x->end))
	       || ending_change(v, b);
}

#endif
