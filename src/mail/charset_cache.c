#include "charset_cache.h"

#include "text/ascii.h"

#include <string.h>

void charset_cache_init(struct charset_cache *c, const urlsift_allocator *alloc)
{
	*c = (struct charset_cache){ .alloc = alloc };
}

void charset_cache_fini(struct charset_cache *c)
{
	for (size_t i = 0; i < c->count; i++)
		charset_free(c->entry[i].charset);
	charset_cache_init(c, c->alloc);
}

/* NULL without memory, and when iconv lacks it.  Of a canonical name there is one string. */
static struct charset *open_charset(struct charset_cache *c, const char *canonical, bool *no_memory)
{
	size_t i = 0;
	while (i < c->count && c->entry[i].name != canonical)
		i++;
	if (i == c->count) {
		urlsift_status status;
		c->entry[i].charset = charset_new(c->alloc, canonical, &status);
		c->entry[i].name = canonical;
		*no_memory = status == URLSIFT_NO_MEMORY;
		c->count += !*no_memory;
	}
	struct charset *charset = c->entry[i].charset;
	if (!charset)
		return NULL;
	charset_reset(charset);
	/* it is in use now; the one not used for longest gives its memory back */
	for (i = 0; i < CHARSETS_AWAKE - 1 && c->awake[i] != charset;)
		i++;
	if (c->awake[i] && c->awake[i] != charset)
		charset_rest(c->awake[i]);
	memmove(c->awake + 1, c->awake, i * sizeof(struct charset *));
	return c->awake[0] = charset;
}

struct charset *charset_cache_get(struct charset_cache *c, const char *name, size_t n, bool *known)
{
	const char *canonical = charset_canonical(name, n);
	bool no_memory = false;
	struct charset *charset = canonical ? open_charset(c, canonical, &no_memory) : NULL;
	*known = n == 0 || charset;
	return charset || no_memory ? charset : open_charset(c, charset_undeclared, &no_memory);
}

size_t charset_cache_memory_bound(void)
{
	return charset_rest_memory_bound() + CHARSETS_AWAKE * map_memory_bound();
}
