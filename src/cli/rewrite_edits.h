/* Links that are changed in a text which stays as it is otherwise: the HTML and the header fields of a message. */
#ifndef CLI_REWRITE_EDITS_H
#define CLI_REWRITE_EDITS_H

#include "text/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* The range of the source that a link, or a part of it, has, and what it is to say. */
struct edit {
	uint64_t offset, length;
	size_t text, text_end; /* in the caller's buffer of texts: UTF-8, not escaped */
	bool goes_on;          /* the next edit is of the same link, and what is between them stays; their texts in a row
	                          are the link's new text, which differs from the old one in brackets and letters */
};

/* A text, at `base` in the source, and its edits in the order of the source. */
struct edited {
	const uint8_t *bytes;
	size_t length;
	uint64_t base;
	const struct edit *edits;
	size_t count;
	const uint8_t *texts;
	bool html;
	bool *left; /* set to true if a link of several edits stays, as its text cannot be written */
};

/* Appends the text with its edits.  Of a link only those bytes are replaced that change, or in HTML all of it where
 * references have to be escaped.  False if that cannot be done: ranges overlap, or a header field is not in ASCII.
 * `to` may be full then. */
bool edits_apply(struct buf *to, const struct edited *text);

#endif
