/* The URLs of multipart/alternatives that were seen already, by hash. */
#ifndef MAIL_SEEN_H
#define MAIL_SEEN_H

#include "text/buf.h"

#include <stdbool.h>

enum { SEEN_MAX = 4096 };

struct seen {
	const urlsift_allocator *alloc;
	struct seen_table *table; /* allocated on first need */
	size_t count;
	size_t slots;             /* of the table's, in use: a power of two */
};

enum seen_answer { SEEN_NEW, SEEN_BEFORE, SEEN_FULL, SEEN_NO_MEMORY };

void seen_init(struct seen *s, const urlsift_allocator *alloc);
void seen_fini(struct seen *s);
void seen_reset(struct seen *s);
/* Whether a child before `child` of the alternative had this comparable form, of n
 * bytes; else takes it up, or answers FULL when SEEN_MAX are there.  A hash of 128
 * bits stands for the form.  Constant time, on average, but for the hash. */
enum seen_answer seen_add(struct seen *s, uint32_t alternative, uint32_t child, const char *form, size_t n);
size_t seen_memory_bound(void);

#endif
