/* A small allocator, in place of that of wasi-libc, which takes 4 KB of the module.  Blocks have sizes of 2^n or
 * 1.5 * 2^n; one that is released is kept for its size, and memory never goes back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 65536, LEAST = 4, CLASSES = 2 * (32 - LEAST) };

/* Before each block. */
struct block {
	uint32_t class;
	struct block *next; /* of one that is free */
};

extern char __heap_base;
static struct block *kept[CLASSES];
static uintptr_t top;

static size_t size_of(uint32_t class) { return (size_t)(class & 1 ? 3u << LEAST >> 1 : 1u << LEAST) << (class / 2); }

/* That of n > 16 bytes. */
static uint32_t class_of(size_t n)
{
	uint32_t log = 31 - (uint32_t)__builtin_clz((unsigned)n - 1), even = 2 * (log + 1 - LEAST);
	return n <= (size_t)3 << log >> 1 ? even - 1 : even;
}

void *malloc(size_t n)
{
	if (n > SIZE_MAX / 4)
		return NULL;
	n = n + sizeof(struct block) > 17 ? n + sizeof(struct block) : 17;
	uint32_t class = class_of(n);
	struct block *b = kept[class];
	if (b) {
		kept[class] = b->next;
		return b + 1;
	}
	if (!top)
		top = ((uintptr_t)&__heap_base + 7) / 8 * 8;
	/* `have` is 0 for 4 GB */
	uintptr_t end = top + size_of(class), have = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
	if (end < top || (have && end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == SIZE_MAX))
		return NULL;
	b = (struct block *)top;
	top = end;
	b->class = class;
	return b + 1;
}

void free(void *p)
{
	struct block *b = p;
	if (!b--)
		return;
	b->next = kept[b->class];
	kept[b->class] = b;
}

void *calloc(size_t count, size_t size)
{
	size_t n;
	void *p = __builtin_mul_overflow(count, size, &n) ? NULL : malloc(n);
	return p ? memset(p, 0, n) : NULL;
}

void *realloc(void *p, size_t n)
{
	size_t old = p ? size_of(((struct block *)p)[-1].class) - sizeof(struct block) : 0;
	if (p && n <= old)
		return p;
	void *more = malloc(n);
	if (more && p) {
		memcpy(more, p, old);
		free(p);
	}
	return more;
}
