/* Memory: the allocator hooks, and a growing byte buffer with a cap. */
#ifndef TEXT_BUF_H
#define TEXT_BUF_H

#include "urlsift.h"

#include <stdbool.h>
#include <string.h>

/* Whether it has all its functions. */
static inline bool alloc_is_whole(const urlsift_allocator *a) { return a->allocate && a->reallocate && a->release; }
/* A copy of `given`, or malloc's family when it is NULL. */
urlsift_allocator alloc_from(const urlsift_allocator *given);
bool alloc_is_libc(const urlsift_allocator *a); /* without hooks of the caller */
void *alloc_get(const urlsift_allocator *a, size_t size);                 /* zeroed; NULL without memory */
void *alloc_get_head(const urlsift_allocator *a, size_t size, size_t head); /* so, but only the first `head` bytes */
/* To size > 0.  NULL without memory: the block stays. */
void *alloc_resize(const urlsift_allocator *a, void *block, size_t size);
void alloc_put(const urlsift_allocator *a, void *block);                  /* NULL is allowed */

/* Copies a struct that the caller filled; its first member is its size, as a size_t, and 0 stands for that of version
 * 1.0, which is `size` as yet.  Members beyond it become 0.  False if it is larger than `size`. */
static inline bool struct_take(void *own, size_t size, const void *given)
{
	size_t known;
	memcpy(&known, given, sizeof known);
	if (known > size)
		return false;
	memset(own, 0, size);
	memcpy(own, given, known ? known : size);
	return true;
}

struct buf {
	const urlsift_allocator *alloc;
	unsigned char *data;
	size_t length;
	size_t room; /* bytes allocated */
	size_t cap;  /* room never exceeds it */
	bool full;   /* buf_reserve has failed: what a caller adds without a look at the result may be missing */
};

/* The allocator must outlive the buffer.  No memory is taken before the first byte. */
void buf_init(struct buf *b, const urlsift_allocator *alloc, size_t cap);
/* Releases the memory; the buffer is then as after buf_init. */
void buf_fini(struct buf *b);
/* Makes room for `extra` more bytes.  False without memory or beyond the cap; the buffer is then unchanged. */
bool buf_reserve(struct buf *b, size_t extra);
/* Appends n bytes.  False as buf_reserve. */
static inline bool buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (n > b->room - b->length && !buf_reserve(b, n))
		return false;
	if (n)
		memcpy(b->data + b->length, bytes, n);
	b->length += n;
	return true;
}
static inline bool buf_add_text(struct buf *b, const char *text) { return buf_add(b, text, strlen(text)); }
/* Drops the first n bytes and moves the rest down. */
void buf_drop(struct buf *b, size_t n);

#endif
