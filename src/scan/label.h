/* Labels, what a reader sees in place of a link, and the text around links. */
#ifndef SCAN_LABEL_H
#define SCAN_LABEL_H

#include "link.h"

/* Writes the text as UTF-8 (C1), white space collapsed and removed at both ends, at most LABEL_CHARACTERS characters;
 * returns the length in bytes.  Linear. */
size_t label_collapse(const uint8_t *p, size_t n, uint8_t out[LABEL_MAX]);
/* Writes the end of the n bytes, white space collapsed: the last `lines` lines (at least 1), at most the last
 * LABEL_CHARACTERS characters of them.  Reads the last BACK_LOOK bytes only. */
size_t label_before(const uint8_t *p, size_t n, size_t lines, uint8_t out[LABEL_MAX]);
/* The end of the first `lines` lines of the text from index `from` of the view. */
size_t label_after_end(const struct view *v, size_t from, size_t lines);
/* Writes the beginning of the n bytes, white space collapsed, at most LABEL_CHARACTERS characters. */
size_t label_after(const uint8_t *p, size_t n, uint8_t out[LABEL_MAX]);

/* Empties them, in their rooms. */
void label_begin(struct link_around *around);
/* The label is that of the n bytes at p, as label_collapse() writes it. */
void label_set(struct link_around *around, const uint8_t *p, size_t n);
/* Sets the text before and after the link on `lines` lines, and returns its end: the view must stay while it is asked
 * for. */
size_t label_context(const struct view *v, struct span link, size_t lines, struct link_around *around);

/* As urlsift_link_context(), but white space may be as it is in the text, and the ends may be within a character.  For
 * who looks at what is beside the link: with it `rewrite` takes 0.6 of the time where text is not ASCII. */
void label_beside(const urlsift_link *link, urlsift_text *before, urlsift_text *after);

/* Whether a link that begins at index `from` may have a label: `before` precedes it, `next` and `after` follow it.
 * True wherever label_is_beside() is, and false of most links. */
static inline bool label_may_be(const uint8_t *p, size_t from, uint8_t before, uint8_t next, uint8_t after)
{
	const unsigned text = next == '[', angle = before == '<', equals = before == '=';
	if (before == '"')
		return text || after == ']';
	const uint8_t second = byte_before(p, from - (from > 0));
	const unsigned bar = next == '|', tick = after == '`', url = (second | 0x20) == 'l';
	const unsigned plus = (before == '+') & (next == '+');
	const unsigned tag = (before == ' ') & is_alpha(second) & (bar | (next == ' '));
	/* no branch: it would be unpredictable */
	return text | BYTE_IN(second, "](") | BYTE_IN(before, "{[") | (equals & url) | (angle & (bar | tick)) | tag | plus;
}
/* Whether what is right beside the link makes a label of more text, or is not known yet. */
bool label_is_beside(const struct view *v, struct span link);

/* label_read for a link that may have a label, or where `lines` is not 0. */
unsigned label_find(const struct view *v, struct span link, bool keep, size_t lines, struct urlsift_link *l);
/* Sets the label of the link l, if `keep`, and the text around it on `lines` lines, 0 for none.  Sets l->reach.  Reads
 * at most BACK_LOOK bytes on each side.  Returns the warning if the label names another host (mismatch_shown). */
static inline unsigned label_read(const struct view *v, bool keep, size_t lines, struct urlsift_link *l)
{
	const struct span link = {link_spans(l)->from, link_last_span(l)->to};
	const uint8_t before = byte_before(v->p, link.from), *const end = v->p + link.to;
	if (link.to + 1 < v->end && !lines && !label_may_be(v->p, link.from, before, end[0], end[1]))
		return 0;
	return label_find(v, link, keep, lines, l);
}

#endif
