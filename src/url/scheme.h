/* THE table of schemes: a new scheme is one row of scheme_table.h. */
#ifndef URL_SCHEME_H
#define URL_SCHEME_H

#include "scheme_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHEME_BODY(name, read) BODY_##name,
enum scheme_body { SCHEME_BODIES(SCHEME_BODY) };
#undef SCHEME_BODY

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
/* The row of a name in lower case, padded with NULs, among `count` rows, sorted by name, of which one is there at
 * least; NULL when there is none. */
const struct scheme *scheme_search(const struct scheme *rows, size_t count, const char name[SCHEME_NAME_SIZE]);
/* Whether a URL, of the scheme `row`, must not be an href.  After `feed:` a whole URL may stand, whose scheme counts
 * then. */
bool scheme_forbids(const struct scheme *row, const char *url, size_t length);
/* Row i, NULL after the last: schemes with a row of their own, then those known from the IANA registry alone
 * (BODY_NEVER).  Each part is sorted by name. */
const struct scheme *scheme_row(size_t i);

/* ---- Sets of names, by hash ---------------------------------------------------- */

/* What the search for links asks of the names: scheme_names_table.h, which unit_url writes from the rows. */
enum { SCHEME_SET = 64 };
struct scheme_names {
	/* of the schemes that do not require `//`, and of `URL` */
	uint64_t tails[SCHEME_SET]; /* bit b of tails[a]: one ends in the letters a, b */
	/* A bit for the hash of each name: a name whose bit is 0 is not among them. */
	uint64_t ends[SCHEME_SET];      /* their last three letters */
	uint64_t anywhere[SCHEME_SET];  /* those that are links in free text */
	uint64_t delimited[SCHEME_SET]; /* those that are links only after a delimiter */
	uint64_t slashed[SCHEME_SET];   /* the schemes that are links only with `//` */
};
extern const struct scheme_names scheme_names;

/* The bit of a byte of a name in scheme_names.tails, letter case aside. */
static inline unsigned scheme_tail_bit(uint8_t c) { return (c & 31u) | (c >> 1 & 32u); }

/* The hash of a name from its last byte to its first; of `seen` so far, 0 at first. */
static inline uint32_t scheme_hash(uint32_t seen, uint8_t c) { return (seen ^ (c | 0x20)) * 0x9E3779B1u; }

static inline uint32_t scheme_hash_end(uint8_t third, uint8_t second, uint8_t last)
{
	return scheme_hash(scheme_hash(scheme_hash(0, last), second), third);
}

static inline bool scheme_name_in(const uint64_t set[SCHEME_SET], uint32_t name)
{
	return set[name >> 26] >> (name >> 20 & 63) & 1;
}

#endif
