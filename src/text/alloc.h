/* The allocator hooks behind three calls; a null hook table is malloc's family. */
#ifndef TEXT_ALLOC_H
#define TEXT_ALLOC_H

#include "urlsift.h"

/* A copy of `given`, or malloc's family when it is NULL. */
urlsift_allocator alloc_from(const urlsift_allocator *given);
void *alloc_get(const urlsift_allocator *a, size_t size);               /* zeroed; NULL without memory */
void *alloc_resize(const urlsift_allocator *a, void *block, size_t size); /* NULL without memory, block stays */
void alloc_put(const urlsift_allocator *a, void *block);                /* NULL is allowed */

#endif
