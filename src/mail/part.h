/* The body of a text part, from its bytes to links. */
#ifndef MAIL_PART_H
#define MAIL_PART_H

#include "header.h"
#include "mail/html/html_part.h"
#include "reading.h"
#include "text.h"

struct part_type {
	bool html;
	const char *charset;  /* as declared, NUL-terminated; "" for none */
	enum flowed flowed;
	const char *base;     /* for partial forms; NULL for none */
	size_t base_length;
	uint64_t line;        /* of the first byte */
};

struct part {
	struct text text;
	struct places places;   /* the part's bytes -> the source, where nothing hides them */
	bool is_html;
	struct charset *charset;
	uint64_t at;            /* offset of its first byte */
};

void part_init(struct part *p, struct reading *r);
void part_fini(struct part *p);
/* The place in the reading is set up.  `at` is the offset of its first byte; line counts as the
 * place's offsets do. */
void part_begin(struct part *p, const struct part_type *type, uint64_t at);
/* Bytes with their transfer encoding undone, that stand at `at` (reading->hidden: in
 * the decoded part). */
void part_feed(struct part *p, const uint8_t *bytes, size_t n, uint64_t at);
void part_finish(struct part *p);
size_t part_memory_bound(void);

#endif
