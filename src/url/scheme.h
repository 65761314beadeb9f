/* THE table of schemes: a new scheme is one row. */
#ifndef URL_SCHEME_H
#define URL_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What must stand behind the colon in free text (rule B2). */
enum scheme_body {
	BODY_HOST,     /* `//` and a host that could exist */
	BODY_FILE,     /* `//` and anything, or one `/` and a path */
	BODY_ANY,      /* `//` and at least one URL character (B10) */
	BODY_ADDRESS,  /* addr-spec, or `?to=`: mailto, im */
	BODY_NEWS,     /* a group, a message-id, `*`; or `//` */
	BODY_ID,       /* an identifier: cid, mid */
	BODY_URN,      /* NID ":" NSS */
	BODY_PHONE,    /* a telephone number: tel, sms */
	BODY_ADDRESS_OR_HOST, /* user@host or a host: sip, xmpp, ssh */
	BODY_GEO,      /* numbers: geo */
	BODY_QUERY,    /* `?` and something: magnet */
	BODY_TOKEN,    /* a word of five or more letters and digits with a digit or a capital among them: ipfs, bitcoin */
	BODY_PATH,     /* a path with a `/`: matrix, doi */
	BODY_NEVER,    /* nothing: only with `//` or inside delimiters */
	BODY_SWALLOW   /* never linked: takes what follows, yields nothing (B10) */
};

enum { /* parts it has */
	PART_AUTHORITY = 1, PART_USERINFO = 2, PART_PATH = 4, PART_QUERY = 8, PART_FRAGMENT = 16
};

struct interpretation; /* interpret.h */

struct scheme {
	const char *name;      /* lower case */
	uint16_t port;         /* default, 0 for none */
	uint8_t parts;         /* PART_ flags */
	uint8_t slashes;       /* 0 never, 1 may have, 2 needs `//` */
	uint8_t body;          /* enum scheme_body */
	uint8_t linkable;      /* on the allow-list of outputs (security) */
	uint8_t forbidden;     /* javascript and its like: only inside delimiters */
	void (*interpret)(struct interpretation *f); /* calls its fields */
	const char *purpose;   /* what it is for, a few words */
};

/* The row of a name, any letter case; NULL for an unknown one.  `ms-` names
 * share one row, named `ms-`.  Costs two binary searches. */
const struct scheme *scheme_find(const char *name, size_t length);
/* Row i, NULL past the last: the full rows, then those of BODY_NEVER. */
const struct scheme *scheme_row(size_t i);
/* The longest name in the table, bytes. */
enum { SCHEME_NAME_MAX = 40 };

#endif
