#include "pattern.h"

#include "text/ascii.h"

#ifdef URLSIFT_WITH_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The reserve: so much, and so many times the size of the code, of which the JIT compiler took up to 180 times. */
enum { RESERVE = 64 * 1024, RESERVE_GROWTH = 256 };

void pattern_memory_init(struct pattern_memory *m, const urlsift_allocator *alloc)
{
	*m = (struct pattern_memory){ .alloc = *alloc };
}

void pattern_memory_fini(struct pattern_memory *m)
{
	alloc_put(&m->alloc, m->reserve);
	m->reserve = NULL;
}

void *pattern_allocate(size_t size, void *memory)
{
	struct pattern_memory *m = memory;
	void *block = m->alloc.allocate(m->alloc.context, size);
	size_t aligned = (size + 15) / 16 * 16;
	if (block || !m->reserve || aligned > m->size - m->used)
		return block;
	block = m->reserve + m->used;
	m->used += aligned;
	return block;
}

void pattern_release(void *block, void *memory)
{
	struct pattern_memory *m = memory;
	const uintptr_t from = (uintptr_t)m->reserve;
	if (!m->reserve || !within((uintptr_t)block, from, from + m->size - 1))
		alloc_put(&m->alloc, block);
}

/* PCRE2 10.46 and others crash in their JIT compiler when an allocation fails, so enough for all of them is reserved
 * first.  The reserve is not touched, and freed at once, unless one fails. */
void pattern_accelerate(void *code, struct pattern_memory *m)
{
	size_t size = 0;
	if (!alloc_is_libc(&m->alloc) || m->reserve || pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size) != 0)
		return;
	m->size = RESERVE + size * RESERVE_GROWTH;
	m->used = 0;
	m->reserve = m->alloc.allocate(m->alloc.context, m->size);
	if (m->reserve)
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	if (m->used)
		m->used = m->size; /* no more is taken, so that threads may match */
	else
		pattern_memory_fini(m);
}
#endif
