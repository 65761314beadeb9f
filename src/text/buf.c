#include "buf.h"

#include "ascii.h"

#include <stdlib.h>

static void *libc_allocate(void *context, size_t size)
{
	(void)context;
	return malloc(size);
}

static void *libc_reallocate(void *context, void *block, size_t size)
{
	(void)context;
	return realloc(block, size);
}

static void libc_release(void *context, void *block)
{
	(void)context;
	free(block);
}

urlsift_allocator alloc_from(const urlsift_allocator *given)
{
	if (given)
		return *given;
	return (urlsift_allocator){ libc_allocate, libc_reallocate, libc_release, NULL };
}

bool alloc_is_libc(const urlsift_allocator *a)
{
	return a->allocate == libc_allocate;
}

void *alloc_get(const urlsift_allocator *a, size_t size)
{
	if (alloc_is_libc(a))
		return calloc(1, larger(size, 1)); /* pages of a table that nobody uses cost nothing */
	return alloc_get_head(a, size, size);
}

void *alloc_get_head(const urlsift_allocator *a, size_t size, size_t head)
{
	void *block = a->allocate(a->context, larger(size, 1));
	if (block)
		memset(block, 0, head);
	return block;
}

void *alloc_resize(const urlsift_allocator *a, void *block, size_t size)
{
	return a->reallocate(a->context, block, size);
}

void alloc_put(const urlsift_allocator *a, void *block)
{
	if (block)
		a->release(a->context, block);
}

enum { SMALLEST = 256 }; /* the first allocation */

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
	b->full |= extra > b->cap - b->length;
	if (extra > b->cap - b->length)
		return false;
	size_t least = b->length + extra;
	size_t room = b->room > b->cap / 2 ? b->cap : larger(2 * b->room, SMALLEST);
	room = larger(smaller(room, b->cap), least);
	unsigned char *data = alloc_resize(b->alloc, b->data, room);
	b->full |= !data;
	if (!data)
		return false;
	b->data = data;
	b->room = room;
	return true;
}

void buf_drop(struct buf *b, size_t n)
{
	b->length -= n;
	if (b->length)
		memmove(b->data, b->data + n, b->length);
}
