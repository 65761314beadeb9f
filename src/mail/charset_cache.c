#include "charset_cache.h"

void charset_cache_init(struct charset_cache *c, const urlsift_allocator *alloc)
{
	*c = (struct charset_cache){ .alloc = alloc };
}

void charset_cache_fini(struct charset_cache *c)
{
	for (size_t i = 0; i < CHARSETS_OPEN; i++)
		charset_free(c->entry[i].charset);
	charset_cache_init(c, c->alloc);
}

/* The entry of a canonical name, else the one that was not used for longest. */
static size_t find(const struct charset_cache *c, const char *canonical)
{
	size_t oldest = 0;
	for (size_t i = 0; i < CHARSETS_OPEN; i++) {
		if (c->entry[i].name == canonical)
			return i;
		if (c->entry[i].used < c->entry[oldest].used)
			oldest = i;
	}
	return oldest;
}

/* NULL for BAD_CHARSET too: an entry remembers that iconv lacks it. */
static struct charset *get(struct charset_cache *c, const char *canonical, urlsift_status *status)
{
	size_t i = find(c, canonical);
	*status = URLSIFT_OK;
	if (c->entry[i].name != canonical) {
		charset_free(c->entry[i].charset);
		c->entry[i].charset = charset_new(c->alloc, canonical, status);
		c->entry[i].name = *status == URLSIFT_NO_MEMORY ? NULL : canonical;
	} else if (c->entry[i].charset) {
		charset_reset(c->entry[i].charset);
	}
	c->entry[i].used = ++c->clock;
	return c->entry[i].charset;
}

struct charset *charset_cache_get(struct charset_cache *c, const char *name, size_t n, bool *known)
{
	static const char undeclared[] = "";
	const char *canonical = charset_canonical(name, n);
	urlsift_status status = URLSIFT_BAD_CHARSET;
	struct charset *charset = NULL;
	/* "" is one name here, wherever it stands. */
	if (canonical)
		charset = get(c, *canonical ? canonical : undeclared, &status);
	*known = n == 0 || charset;
	return charset || status == URLSIFT_NO_MEMORY ? charset : get(c, undeclared, &status);
}

size_t charset_cache_memory_bound(void)
{
	return CHARSETS_OPEN * charset_memory_bound();
}
