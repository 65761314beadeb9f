/* A growing byte buffer that carries its cap. */
#ifndef TEXT_BUF_H
#define TEXT_BUF_H

#include "alloc.h"

#include <stdbool.h>
#include <string.h>

struct buf {
	const urlsift_allocator *alloc;
	unsigned char *data;
	size_t length;
	size_t room;
	size_t cap; /* never grows past this many bytes */
};

void buf_init(struct buf *b, const urlsift_allocator *alloc, size_t cap);
void buf_fini(struct buf *b);
/* Makes place for `extra` more bytes.  False without memory or past the cap. */
bool buf_reserve(struct buf *b, size_t extra);
/* Appends.  False as buf_reserve; nothing is appended then. */
static inline bool buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (n > b->room - b->length && !buf_reserve(b, n))
		return false;
	if (n)
		memcpy(b->data + b->length, bytes, n);
	b->length += n;
	return true;
}
/* Drops the first n bytes, moving the rest down. */
void buf_drop(struct buf *b, size_t n);

#endif
