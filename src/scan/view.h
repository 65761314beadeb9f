/* A view of the text: the bytes that the scanner has in memory at one moment.  A rule depends on the text around a
 * place and on where the text ends, never on where the view ends: a rule that would have to look past the view sets
 * *more (view_has).  Its answer, false, and those of the rules that asked it do not count: the scanner asks again with
 * a larger view. */
#ifndef SCAN_VIEW_H
#define SCAN_VIEW_H

#include "text/ascii.h"
#include "text/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* J1: soft line breaks of format=flowed (RFC 3676).  DELETES: with DelSp=yes the blank before them goes too.
 * NEVER: no break is declared, whatever it looks like (--join=never).  CONTENT: the lines of a calendar or an address
 * book, whose folds are undone (RFC 5545 section 3.1, RFC 6350 section 3.2): nothing goes over their ends. */
enum flowed { FLOWED_NOT, FLOWED_KEEPS, FLOWED_DELETES, FLOWED_NEVER, FLOWED_CONTENT };

/* Where a character is in a text: both from 1, or 0 for unknown. */
struct point { uint64_t line, column; };

struct view {
	const uint8_t *p;
	uint64_t at; /* offset of p[0] in the text */
	size_t end;  /* one past the last */
	bool first;  /* the text begins at p[0] */
	bool last;   /* the text ends at `end` */
	bool *more;  /* set by a rule that would have to look past `end`; may be NULL where `last` */
	enum flowed flowed;
};

/* The answer of what reads bytes that are no view, or of a step of the search: MORE where it needs more of them. */
enum verdict { NO, YES, MORE };
static inline enum verdict verdict_of(bool answer) { return (enum verdict)answer; }

/* Whether the n bytes from i on are in the view.  Where they are not and more text may follow, sets *more. */
static inline bool view_has(const struct view *v, size_t i, size_t n)
{
	const bool has = v->end >= i + n;
	if (!has && !v->last)
		*v->more = true;
	return has;
}
/* The rule depends on these bytes, or on where the text ends before. */
static inline void view_needs(const struct view *v, size_t i, size_t n) { (void)view_has(v, i, n); }

/* The byte at i, or 0 from the end of the view on. */
static inline uint8_t view_byte(const struct view *v, size_t i) { return byte_at(v->p, i, v->end); }

/* The byte at i, which the rule depends on; 0 at the end of the text. */
static inline uint8_t view_read(const struct view *v, size_t i)
{
	view_needs(v, i, 1);
	return view_byte(v, i);
}

/* opening.c: view_character but for ASCII. */
size_t view_character_high(const struct view *v, size_t i, uint32_t *cp);
/* The character at i, which the rule depends on: its length; 0, and *cp 0, at the end of the text. */
FAST_INLINE size_t view_character(const struct view *v, size_t i, uint32_t *cp)
{
	if (i >= v->end || v->p[i] >= 0x80)
		return view_character_high(v, i, cp);
	*cp = v->p[i];
	return 1;
}

/* After the bytes of the string `set`, or NULs, that [i, n) begins with. */
static inline size_t set_span(const uint8_t *p, size_t i, size_t n, const char *set)
{
	while (i < n && strchr(set, p[i]))
		i++;
	return i;
}

/* Before the bytes of the string `set`, or NULs, that [low, i) ends with. */
static inline size_t set_span_back(const uint8_t *p, size_t low, size_t i, const char *set)
{
	while (i > low && strchr(set, p[i - 1]))
		i--;
	return i;
}

/* After the last byte of the string `set` in [low, i); low for none. */
static inline size_t set_last(const uint8_t *p, size_t low, size_t i, const char *set)
{
	while (i > low && !is_of((char)p[i - 1], set))
		i--;
	return i;
}

enum {
	SPAN_MAX = 128 * 1024,  /* W4a: bytes of input that a link spans at most */
	LINE_LOOK = 256,        /* W4a: bytes at the start of a line that may hold a line prefix */
	BACK_LOOK = 1024,       /* bytes back to the start of a line, or of its paragraph (J2) */
	BRACKET_LOOK = 384,     /* bytes from a scheme back to its `<` */
	LAG = 512,              /* plain text is handed out this late: a link may begin so far before its trigger byte */
	BACK = BACK_LOOK + LAG, /* bytes kept before a candidate */
	URL_MAX = 64 * 1024,    /* W4, H2: the limits, of which the options may lower the first three */
	BREAKS_MAX = 16,
	ALTERNATES_MAX = 8
};

/* The n bytes at `text` as a text of their own, with the settings of v. */
struct view view_of(const struct view *v, const uint8_t *text, size_t n);
/* The view as if the text ended at index `end`. */
struct view view_until(const struct view *v, size_t end);

/* Whether a line end follows the byte at i: after a backslash, which then folds the line (W2), or what else may declare
 * that it goes on (J1). */
static inline bool view_ends_line(const struct view *v, size_t i)
{
	return is_line_end(view_read(v, i + 1));
}

/* J1: whether a line break is declared at i, its next line not yet looked at: a backslash, or the one blank that
 * RFC 3676 deletes, before a line end. */
static inline bool view_soft_break(const struct view *v, size_t i)
{
	const uint8_t c = view_read(v, i);
	return (c == '\\' || (c == ' ' && v->flowed == FLOWED_DELETES)) && view_ends_line(v, i);
}

/* The view for rules that are asked on trial: they set the *more that is given, which is cleared first. */
static inline struct view view_peek(const struct view *v, bool *more)
{
	struct view peek = *v;
	peek.more = more;
	*more = false;
	return peek;
}

/* Whether the bytes at i are `word` (lower case), any letter case. */
static inline bool view_word(const struct view *v, size_t i, const char *word, size_t n)
{
	size_t k = 0;
	while (k < n && view_has(v, i + k, 1) && to_lower(v->p[i + k]) == (uint8_t)word[k])
		k++;
	return k == n;
}

#endif
