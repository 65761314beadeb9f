/* Where a written URL goes: counted to the end, kept as far as there is room. */
#ifndef URL_SINK_H
#define URL_SINK_H

#include <stddef.h>
#include <string.h>

struct sink {
	char *out;
	size_t size; /* bytes at out */
	size_t used; /* the place written to next, perhaps past them */
};

static inline void sink_put(struct sink *s, char c)
{
	if (s->used < s->size)
		s->out[s->used] = c;
	s->used++;
}

static inline void sink_bytes(struct sink *s, const void *bytes, size_t n)
{
	if (s->used < s->size)
		memcpy(s->out + s->used, bytes, n < s->size - s->used ? n : s->size - s->used);
	s->used += n;
}

#endif
