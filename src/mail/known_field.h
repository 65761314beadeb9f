/* The header fields that mean something here: one row each. */
#ifndef MAIL_KNOWN_FIELD_H
#define MAIL_KNOWN_FIELD_H

#include "header.h"

enum {
	FIELD_URLS = 1,       /* carries URLs */
	FIELD_IDENTIFIERS = 2, /* message identifiers (A3) */
	FIELD_SHOWN = 4,      /* a reader shows it */
	FIELD_OPAQUE = 8,     /* a picture or a signature: long, and no text */
	FIELD_NEWS = 16       /* only articles have it (RFC 5536) */
};
enum meta { META_NONE, META_ID, META_SUBJECT, META_FROM, META_DATE, META_GROUPS, META_LIST, METAS };
/* Of the body (RFC 2045 and others). */
enum content { CONTENT_NONE, CONTENT_TYPE, CONTENT_ENCODING, CONTENT_BASE, CONTENT_LOCATION, CONTENT_LENGTH };

struct known_field {
	const char *name; /* lower case */
	uint8_t length;   /* of the name */
	unsigned uses;    /* FIELD_..., or-ed */
	enum meta meta;
	enum content content;
};

/* The row of a field, NULL when it has none. */
const struct known_field *known_field(const struct field *f);

#endif
