/* Bounded output of a URL, and paths without dot segments (RFC 3986 section 5.2.4). */
#ifndef URL_PATH_H
#define URL_PATH_H

#include "text/ascii.h"
#include "urlsift.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Counts every byte, keeps those that fit. */
struct sink {
	char *out;
	size_t size; /* bytes at out */
	size_t used; /* bytes written, which may exceed size */
	bool failed; /* no memory for the A-labels of the host */
	struct idna_memo *memo; /* for the host, or NULL */
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
		memcpy(s->out + s->used, bytes, smaller(n, s->size - s->used));
	s->used += n;
}

/* The full length of what was written, or URLSIFT_LENGTH_NO_MEMORY. */
static inline size_t sink_length(const struct sink *s) { return s->failed ? URLSIFT_LENGTH_NO_MEMORY : s->used; }

/* A text in two pieces, read as one: what remains of a base, and the reference. */
struct path {
	const char *head, *tail;
	size_t head_length, length; /* length: of both */
};

static inline char path_at(const struct path *p, size_t i)
{
	return i < p->head_length ? p->head[i] : p->tail[i - p->head_length];
}

/* Writes bytes [from, to) of the path. */
typedef void path_writer(struct sink *s, const struct path *p, size_t from, size_t to);
path_writer path_put;

/* 1 for the segment `.`, 2 for `..`, else 0.  `escaped`: `%2E` is a dot too. */
unsigned path_dots(const struct path *p, size_t from, size_t to, bool escaped);

enum {
	DOTS_ESCAPED = 1,   /* `%2E` is a dot */
	DOTS_AUTHORITY = 2, /* an authority precedes the path; without one `//` at its start would read as one: `/.//` is
	                       written (section 3.3) */
	DOTS_RFC1630 = 4    /* a final `..` is not special, and a `..` that has nothing to remove stays */
};
/* Writes the path from byte `begin` on without dot segments.  `write` gets each segment that stays, with the slash
 * before it, from right to left and twice.  Linear. */
void path_put_dotless(struct sink *s, const struct path *p, size_t begin, unsigned how, path_writer *write);

#endif
