/* Charsets by the names that mail gives them, kept open: opening one is dear. */
#ifndef MAIL_CHARSET_CACHE_H
#define MAIL_CHARSET_CACHE_H

#include "text/charset.h"

enum { CHARSETS_AWAKE = 2 };

struct charset_cache {
	const urlsift_allocator *alloc;
	struct {
		const char *name; /* canonical */
		struct charset *charset; /* NULL: iconv lacks it */
	} entry[CHARSETS];
	size_t count;
	struct charset *awake[CHARSETS_AWAKE]; /* the last ones that were asked for */
};

void charset_cache_init(struct charset_cache *c, const urlsift_allocator *alloc);
void charset_cache_fini(struct charset_cache *c);
/* The charset of a declared name of n bytes, reset, and the cache's own; for names that are
 * empty, unknown or lacked by iconv the undeclared one (C1), *known then telling the
 * difference (an empty name is known).  It stays as it is until CHARSETS_AWAKE
 * others were asked for.  NULL without memory. */
struct charset *charset_cache_get(struct charset_cache *c, const char *name, size_t n, bool *known);
size_t charset_cache_memory_bound(void);

#endif
