/* The fields of a header block: what the message is called, and the links in them. */
#ifndef MAIL_FIELDS_H
#define MAIL_FIELDS_H

#include "body.h"
#include "text.h"

enum { FIELDS_LISTED = 64 };

/* A header block, walked through once: the fields in it that count. */
struct fields {
	struct reading *reading;
	struct text text;
	const uint8_t *block;
	size_t length;
	uint64_t at, line;  /* where the block stands */
	struct listed_field {
		size_t name, name_length, value, end; /* in the block */
		const struct known_field *known;
	} listed[FIELDS_LISTED];
	size_t count;
	bool open;          /* the last one listed has no end yet */
	size_t rest;        /* from here on fields were not listed for want of room */
};

void fields_init(struct fields *x, struct reading *r);
void fields_fini(struct fields *x);
/* A block begins; its lines come in order, each with its kind, its offset in the block and, of a
 * FIELD, its name. */
void fields_reset(struct fields *x);
void fields_line(struct fields *x, enum header_line kind, const uint8_t *line, size_t at, const struct header_name *name);
/* All lines were told of: the n bytes at `block`, which stand at `at` and `line`.  What they say of the body
 * goes to `body`, and, of a message that is not inside another one (`top`), what it is called to the reading. */
void fields_read(struct fields *x, const uint8_t *block, size_t n, uint64_t at, uint64_t line, struct body *body, bool top);
/* Searches the fields by the reading's options; the place's part is set. */
void fields_search(struct fields *x);
/* The link that a structured field (lower case) has as its value, or in it: `text`, which may be
 * broken by white space there.  The block is still there. */
void fields_whole(struct fields *x, const char *name, const uint8_t *text, size_t n);

#endif
