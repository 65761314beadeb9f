/* A window on the text: what the scanner has in hand at one moment.  Every rule
 * is a function of the text around a place and of where the text ends, never of
 * where the window ends: a rule that would have to look past it answers
 * "need more" and is asked again with a larger window. */
#ifndef SCAN_VIEW_H
#define SCAN_VIEW_H

#include "text/ascii.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum flowed { FLOWED_NOT, FLOWED_KEEPS, FLOWED_DELETES }; /* J1; RFC 3676: DelSp=no and yes */

struct view {
	const uint8_t *p;
	size_t low;  /* indices below this are not there (or not this stream's) */
	size_t end;  /* nor are these from here on */
	bool last;   /* the text ends at `end` */
	bool first;  /* the text begins at `low` */
	enum flowed flowed;
#ifdef URLSIFT_COUNT_WORK
	uint64_t *work; /* bytes looked at, for the tests of linearity */
#endif
};

enum verdict { NO, YES, MORE };

static inline void view_work(const struct view *v, size_t bytes)
{
#ifdef URLSIFT_COUNT_WORK
	*v->work += bytes;
#else
	(void)v;
	(void)bytes;
#endif
}

enum {
	SPAN_MAX = 128 * 1024,  /* W4a: bytes of input a link spans at most */
	LINE_LOOK = 256,        /* W4a: furniture stands in the first bytes of a line */
	BACK_LOOK = 1024,       /* how far back a line's start or its paragraph is looked for (J2) */
	BRACKET_LOOK = 384,     /* how far before a scheme its `<` may stand */
	LAG = 512,              /* plain text is let go this late: a link may begin so far before what gives it away */
	BACK = BACK_LOOK + LAG, /* what must be there behind a candidate */
	URL_MAX = 64 * 1024,
	BREAKS_MAX = 16,
	ALTERNATES_MAX = 8
};

/* J1: whether a line break is declared at i, its next line not yet looked at: a
 * backslash, or the one blank that RFC 3676 deletes, before a line end. */
static inline enum verdict view_soft_break(const struct view *v, size_t i)
{
	if (i >= v->end)
		return v->last ? NO : MORE;
	if (v->p[i] != '\\' && (v->flowed != FLOWED_DELETES || v->p[i] != ' '))
		return NO;
	if (i + 1 >= v->end)
		return v->last ? NO : MORE;
	return is_line_end(v->p[i + 1]) ? YES : NO;
}

/* Whether the bytes at i are `word` (lower case), any letter case.  NO also
 * when the text ends before. */
static inline enum verdict view_word(const struct view *v, size_t i, const char *word, size_t n)
{
	size_t left = i < v->end ? v->end - i : 0, k = 0, stop = left < n ? left : n;
	while (k < stop && to_lower(v->p[i + k]) == (uint8_t)word[k])
		k++;
	return k == n ? YES : k < stop || v->last ? NO : MORE;
}

#endif
