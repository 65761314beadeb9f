/* What the header block of a message or part (a MIME entity) says of its body (RFC 2045, 2046). */
#ifndef MAIL_BODY_H
#define MAIL_BODY_H

#include "known_field.h"
#include "transfer.h"

enum body_kind { BODY_SKIPPED, BODY_TEXT, BODY_HTML, BODY_MULTIPART, BODY_MESSAGE };

struct body {
	struct content_type type;
	enum transfer transfer;
	char base[PARAMETER_MAX];  /* Content-Base, or else an absolute Content-Location (RFC 2557) */
	size_t base_length;        /* 0 for none */
	bool typed, encoded;       /* there was a Content-Type, a Content-Transfer-Encoding */
	bool has_length;
	uint64_t length;           /* Content-Length */
	bool news;                 /* an article: Newsgroups or Path */
};

/* Nothing is known yet. */
void body_begin(struct body *e);
/* Takes a field that says something (known_field); the first of two holds. */
void body_take(struct body *e, const struct field *f, enum content content);
/* All fields were taken.  `in_digest`: a part of a multipart/digest, which is a message when
 * it does not say otherwise. */
void body_end(struct body *e, bool in_digest);
/* The absolute URL that is a field's value, at most PARAMETER_MAX bytes into `base`: white space, and around it
 * quotation marks and angle brackets, go.  Its length, 0 for none or a longer one. */
size_t body_base(const struct field *f, char *base);
enum body_kind body_kind(const struct body *e);

#endif
