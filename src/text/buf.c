#include "buf.h"

#include <string.h>

enum { SMALLEST = 256 };

void buf_init(struct buf *b, const urlsift_allocator *alloc, size_t cap)
{
	*b = (struct buf){ .alloc = alloc, .cap = cap };
}

void buf_fini(struct buf *b)
{
	alloc_put(b->alloc, b->data);
	buf_init(b, b->alloc, b->cap);
}

bool buf_reserve(struct buf *b, size_t extra)
{
	if (extra <= b->room - b->length)
		return true;
	if (extra > b->cap - b->length)
		return false;
	size_t least = b->length + extra;
	size_t room = b->room > b->cap / 2 ? b->cap : 2 * b->room;
	if (room < SMALLEST)
		room = b->cap < SMALLEST ? b->cap : SMALLEST;
	if (room < least)
		room = least;
	unsigned char *data = alloc_resize(b->alloc, b->data, room);
	if (!data)
		return false;
	b->data = data;
	b->room = room;
	return true;
}

void buf_drop(struct buf *b, size_t n)
{
	b->length -= n;
	if (n && b->length)
		memmove(b->data, b->data + n, b->length);
}
