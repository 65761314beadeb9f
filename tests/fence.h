/* Memory between pages that nobody may touch: a read or write outside of a block ends the program, without a sanitizer.
 * Needs _DEFAULT_SOURCE (MAP_ANONYMOUS). */
#ifndef TESTS_FENCE_H
#define TESTS_FENCE_H

#include "urlsift.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum fence_side { FENCE_AFTER, FENCE_BEFORE }; /* on which side the page is right beside a block */

struct fence_block { char *pages, *block; size_t length, size; };
static struct fence_block fence_blocks[1024]; /* those in use are the first */
static size_t fence_count;

static inline void fence_put(void *user, void *block)
{
	struct fence_block *b = fence_blocks;
	(void)user;
	while (b < fence_blocks + fence_count && b->block != block)
		b++;
	if (b == fence_blocks + fence_count)
		abort();
	munmap(b->pages, b->length);
	*b = fence_blocks[--fence_count];
}

/* A block whose size is a multiple of what its type is aligned to. */
static inline void *fence_get(void *user, size_t size)
{
	const enum fence_side *side = user;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size / page + 1) * page;
	size_t aligned = size % 16 ? size & (~size + 1) : 16;
	struct fence_block *b = &fence_blocks[fence_count];
	if (fence_count++ == sizeof fence_blocks / sizeof *fence_blocks)
		abort();
	b->length = inner + 2 * page;
	b->size = size;
	b->pages = mmap(NULL, b->length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->pages == MAP_FAILED || mprotect(b->pages + page, inner, PROT_READ | PROT_WRITE))
		abort();
	b->block = b->pages + page + (*side == FENCE_BEFORE ? 0 : (inner - size) / aligned * aligned);
	memset(b->block, 0xA5, size < page ? size : page);
	return b->block;
}

static inline void *fence_resize(void *user, void *old, size_t size)
{
	char *block = fence_get(user, size);
	size_t i = 0;
	while (old && fence_blocks[i].block != old)
		i++;
	if (old) {
		memcpy(block, old, fence_blocks[i].size < size ? fence_blocks[i].size : size);
		fence_put(user, old);
	}
	return block;
}

static inline urlsift_allocator fence_allocator(enum fence_side *side)
{
	return (urlsift_allocator){fence_get, fence_resize, fence_put, side};
}

#endif
