/* What the header block of a message or part (a MIME entity) says of its body (RFC 2045, 2046). */
#ifndef MAIL_BODY_H
#define MAIL_BODY_H

#include "header.h"
#include "transfer.h"

enum body_kind { BODY_SKIPPED, BODY_TEXT, BODY_HTML, BODY_MULTIPART, BODY_MESSAGE };

struct body {
	struct content_type type;
	enum transfer transfer;
	char base[PARAMETER_MAX];  /* Content-Base, or else an absolute Content-Location (RFC 2557) */
	size_t base_length;        /* 0 for none */
	bool typed;                /* there was a Content-Type */
	bool has_length;
	uint64_t length;           /* Content-Length */
	bool news;                 /* an article: Newsgroups or Path */
};

/* Reads a block of n bytes.  `in_digest`: a part of a multipart/digest, which is a message
 * when it does not say otherwise. */
void body_read(struct body *e, const uint8_t *block, size_t n, bool in_digest);
enum body_kind body_kind(const struct body *e);

#endif
