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
/* Writes the beginning of the text from index text->from of the view: its first `lines` lines.  text->to is where they
 * end. */
void label_after(const struct view *v, struct span *text, size_t lines, uint8_t out[LABEL_MAX], size_t *length);

/* Empties them, in their rooms. */
void label_begin(struct link_around *around);
/* The label is that of the n bytes at p, as label_collapse() writes it. */
void label_set(struct link_around *around, const uint8_t *p, size_t n);
/* Sets the text before and after the link on `lines` lines; after->from is where it ends, after->to as of
 * label_after(). */
void label_context(const struct view *v, size_t begin, struct span *after, size_t lines, struct link_around *around);

/* Whether a link may have a label: `second` and `before` precede it, `next` and `after` follow it.  True wherever
 * label_is_beside() is, and false of most links in brackets or quotes. */
static inline bool label_may_be(uint8_t second, uint8_t before, uint8_t next, uint8_t after)
{
	return next == '[' || BYTE_IN(second, "](") || BYTE_IN(before, "{=[")
	       || (before == '<' && (next == '|' || after == '`')) || (second == '=' && after == ']');
}
/* Whether what is right beside the link makes a label of more text, or is not known yet. */
bool label_is_beside(const struct view *v, struct span link);

/* Sets the label of the link l, if `keep`, and the text around it on `lines` lines, 0 for none.  Sets l->reach.  Reads
 * at most BACK_LOOK bytes on each side.  Returns the warning if the label names another host (mismatch_shown). */
unsigned label_read(const struct view *v, bool keep, size_t lines, struct urlsift_link *l);

#endif
