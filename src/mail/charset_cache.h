/* Charsets by the names that mail gives them, a few kept open: opening one is
 * dear. */
#ifndef MAIL_CHARSET_CACHE_H
#define MAIL_CHARSET_CACHE_H

#include "text/charset.h"

enum { CHARSETS_OPEN = 6 };

struct charset_cache {
	const urlsift_allocator *alloc;
	struct {
		const char *name; /* canonical, "" undeclared */
		struct charset *charset;
		uint64_t used;
	} entry[CHARSETS_OPEN];
	uint64_t clock;
};

void charset_cache_init(struct charset_cache *c, const urlsift_allocator *alloc);
void charset_cache_fini(struct charset_cache *c);
/* The charset of a declared name of n bytes, reset, and the cache's own; for names that are
 * empty, unknown or lacked by iconv the undeclared one (C1), *known then telling the
 * difference (an empty name is known).  It stays open until CHARSETS_OPEN - 1
 * others were asked for.  NULL without memory. */
struct charset *charset_cache_get(struct charset_cache *c, const char *name, size_t n, bool *known);
size_t charset_cache_memory_bound(void);

#endif
