/* Memory for PCRE2, and its JIT compiler, which is an optimisation only: PCRE2's interpreter finds the same.  The JIT
 * is not used where the caller's hooks allocate, for its executable memory could not come from them, nor where the
 * system refuses such memory (W^X). */
#ifndef URL_PATTERN_H
#define URL_PATTERN_H

#include "text/buf.h"

struct pattern_memory {
	urlsift_allocator alloc;
	unsigned char *reserve; /* for the JIT compiler, or NULL */
	size_t size, used;      /* of the reserve */
};

void pattern_memory_init(struct pattern_memory *m, const urlsift_allocator *alloc);
void pattern_memory_fini(struct pattern_memory *m); /* after what was compiled is freed */

/* The functions of a pcre2_general_context whose data is a pattern_memory. */
void *pattern_allocate(size_t size, void *memory);
void pattern_release(void *block, void *memory);

/* Compiles a pcre2_code, whose memory is m, for the JIT where that is possible.  Not while other threads use m. */
void pattern_accelerate(void *code, struct pattern_memory *m);

#endif
