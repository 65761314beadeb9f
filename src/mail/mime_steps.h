/* The steps that taking a message apart consists of, one file each kind: levels and their
 * delimiters, header blocks, leaves. */
#ifndef MAIL_MIME_STEPS_H
#define MAIL_MIME_STEPS_H

#include "mime.h"

/* ---- mime_level.c ---- */

/* The children of the entity that is read follow.  False past the limit, which is then told. */
bool mime_push_level(struct mime *m, uint64_t at, bool message);
/* All that is open behind `depth` levels ends. */
void mime_close_to(struct mime *m, size_t depth);

struct delimiter {
	size_t level;
	bool last;
};
/* Whether a line is a delimiter (RFC 2046 section 5.1.1) of a level that is open, the deepest first. */
bool mime_find_delimiter(const struct mime *m, const uint8_t *p, size_t n, struct delimiter *d);
/* What it ends ends, and what it begins begins; `behind` is the offset behind its line. */
void mime_take_delimiter(struct mime *m, const struct delimiter *d, uint64_t behind);

/* ---- mime_header.c ---- */

/* A header block begins. */
void mime_begin_header(struct mime *m);
/* Bytes of it, and of what is longer than its limit; return how many they took. */
size_t mime_feed_header(struct mime *m, const uint8_t *p, size_t n, uint64_t at);
size_t mime_feed_rest(struct mime *m, const uint8_t *p, size_t n, uint64_t at);
/* The input is over within it. */
void mime_finish_header(struct mime *m);

/* ---- mime_leaf.c ---- */

/* Puts another step, a number, behind the path; returns its length then. */
size_t mime_append_number(char *path, size_t at, uint32_t number);
/* The reading's place is the header or the body of the entity that is read. */
void mime_set_place(struct mime *m, bool body, const char *type, const char *subtype, bool decoded);
/* The body at offset `at` is a text part; text as it stands; a message that a transfer encoding hides. */
void mime_begin_part(struct mime *m, bool html, uint64_t at);
void mime_begin_plain(struct mime *m, uint64_t at);
void mime_begin_inner(struct mime *m);
void mime_finish_leaf(struct mime *m);
/* A preamble is shown only when nothing else comes of its multipart. */
void mime_read_preamble(struct mime *m);
/* Bytes of a body that are no delimiter. */
void mime_leaf_bytes(struct mime *m, const uint8_t *p, size_t n, uint64_t at);

#endif
