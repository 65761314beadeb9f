#include "alloc.h"

#include <stdlib.h>
#include <string.h>

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

void *alloc_get(const urlsift_allocator *a, size_t size)
{
	void *block = a->allocate(a->context, size ? size : 1);
	if (block)
		memset(block, 0, size);
	return block;
}

void *alloc_resize(const urlsift_allocator *a, void *block, size_t size)
{
	/* Size 0 would free the block in some libraries and not in others. */
	return a->reallocate(a->context, block, size ? size : 1);
}

void alloc_put(const urlsift_allocator *a, void *block)
{
	if (block)
		a->release(a->context, block);
}
