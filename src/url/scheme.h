/* THE table of schemes: a new scheme is one row of scheme_table.h. */
#ifndef URL_SCHEME_H
#define URL_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What must follow the colon in free text (rule B2). */
enum scheme_body {
	BODY_HOST,            /* `//` and a host that could exist */
	BODY_HOST_OPTIONAL,   /* the same, or `///` (RFC 4516): ldap */
	BODY_FILE,            /* `//` and anything, or one `/` and a path */
	BODY_ANY,             /* `//` and at least one URL character (B10) */
	BODY_ADDRESS,         /* addr-spec, or `?to=`: mailto, im */
	BODY_NEWS,            /* a group, a message-id, `*`; or `//` */
	BODY_ID,              /* an identifier: cid, mid */
	BODY_URN,             /* NID ":" NSS */
	BODY_PHONE,           /* a telephone number: tel, sms */
	BODY_ADDRESS_OR_HOST, /* user@host or a host: sip, xmpp, ssh */
	BODY_GEO,             /* numbers: geo */
	BODY_QUERY,           /* `?` and at least one more character: magnet */
	BODY_TOKEN,           /* five or more letters and digits, one of them a digit or a capital: ipfs, bitcoin */
	BODY_PATH,            /* a path with a `/`: matrix, doi */
	BODY_NEVER,           /* a link only with `//` or inside delimiters */
	BODY_NAMESPACE,       /* the same, and a namespace before the first `/`: info */
	BODY_SLASHES,         /* a link only with `//`: names of markup and of header fields (A1a) */
	BODY_SWALLOW          /* never a link; what follows it is not searched for links either (B10) */
};

enum { /* components that the scheme has */
	PART_AUTHORITY = 1, PART_USERINFO = 2, PART_PATH = 4, PART_QUERY = 8, PART_FRAGMENT = 16
};

struct interpretation; /* interpret.h */

/* Bytes of a name; with a NUL. */
enum { SCHEME_NAME_MAX = 40, SCHEME_NAME_SIZE = SCHEME_NAME_MAX + 1 };

struct scheme {
	char name[SCHEME_NAME_SIZE]; /* lower case, padded with NULs */
	uint16_t port;               /* default, 0 for none */
	uint8_t parts;               /* PART_ flags */
	uint8_t slashes;             /* `//`: a urlsift_slashes */
	uint8_t body;                /* enum scheme_body */
	uint8_t linkable;            /* on the allow-list of outputs (security) */
	uint8_t forbidden;           /* javascript and the like: a link only inside delimiters, never an href */
	void (*interpret)(struct interpretation *f);
	const char *purpose;         /* a few words */
};

/* The row of a name in any letter case; NULL for an unknown one.  Names that begin with `ms-` share the row `ms-`.  Two
 * binary searches. */
const struct scheme *scheme_find(const char *name, size_t length);
/* The row of a name in lower case, padded with NULs, among `count` rows sorted by name; NULL when there is none. */
const struct scheme *scheme_search(const struct scheme *rows, size_t count, const char name[SCHEME_NAME_SIZE]);
/* Row i, NULL after the last: schemes with a row of their own, then those known from the IANA registry alone
 * (BODY_NEVER).  Each part is sorted by name. */
const struct scheme *scheme_row(size_t i);

/* ---- Sets of names, by hash ---------------------------------------------------- */

/* A bit for the hash of each name: a name whose bit is 0 is not among them. */
struct scheme_set { uint64_t bits[64]; };

/* What the search for links asks of the names.  Made once for a context, in 5 us. */
struct scheme_names {
	/* of the schemes that do not require `//`, and of `URL` */
	uint64_t tails[64];           /* bit b of tails[a]: one ends in the letters a, b */
	struct scheme_set ends;       /* their last three letters */
	struct scheme_set anywhere;   /* those that are links in free text */
	struct scheme_set delimited;  /* those that are links only after a delimiter */
	struct scheme_set slashed;    /* the schemes that are links only with `//` */
};
void scheme_names_init(struct scheme_names *names);

/* The bit of a byte of a name in scheme_names.tails, letter case aside. */
static inline unsigned scheme_tail_bit(uint8_t c) { return (c & 31u) | (c >> 1 & 32u); }

/* The hash of a name from its last byte to its first; of `seen` so far, 0 at first. */
static inline uint32_t scheme_hash(uint32_t seen, uint8_t c) { return (seen ^ (c | 0x20)) * 0x9E3779B1u; }

static inline uint32_t scheme_hash_end(uint8_t third, uint8_t second, uint8_t last)
{
	return scheme_hash(scheme_hash(scheme_hash(0, last), second), third);
}

static inline bool scheme_name_in(const struct scheme_set *set, uint32_t name)
{
	return set->bits[name >> 26] >> (name >> 20 & 63) & 1;
}

#endif
