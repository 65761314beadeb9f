/* Buffered output to a callback.  The first error is kept: after it every write does
 * nothing. */
#ifndef RENDER_WRITER_H
#define RENDER_WRITER_H

#include "urlsift-render.h"

#include <stdbool.h>
#include <string.h>

/* Callers of writer_room rely on a buffer of at least WRITER_SMALLEST bytes. */
enum { WRITER_SIZE = 64 * 1024, WRITER_SMALLEST = 4096 };

struct writer {
	urlsift_write_fn write;
	void *user;
	int error;      /* what the callback returned, 0 for success */
	bool at_once;   /* a block that ends a record is handed on at once */
	size_t used, size;
	char *data;     /* `size` bytes */
};

void writer_flush(struct writer *w);
/* Room for n bytes, to be filled and then claimed by `used += n`.  n <= size. */
static inline char *writer_room(struct writer *w, size_t n)
{
	if (n > w->size - w->used)
		writer_flush(w);
	return w->data + w->used;
}
/* writer_put where it is more than a copy. */
void writer_block(struct writer *w, const void *bytes, size_t n);
static inline void writer_put(struct writer *w, const void *bytes, size_t n)
{
	if (w->at_once || n > w->size - w->used) {
		writer_block(w, bytes, n);
	} else if (n > 0) {
		memcpy(w->data + w->used, bytes, n);
		w->used += n;
	}
}
static inline void writer_text(struct writer *w, const char *nul_terminated)
{
	writer_put(w, nul_terminated, strlen(nul_terminated));
}
void writer_number(struct writer *w, uint64_t n);

#endif
