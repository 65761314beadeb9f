#include "seen.h"

#include "text/siphash.h"

#include <string.h>

/* Open addressing; a slot of another generation than the table's is free. */
struct seen_entry {
	struct hash128 hash;
	uint32_t child, generation;
};

enum { SLOTS = 2 * SEEN_MAX };

void seen_init(struct seen *s, const urlsift_allocator *alloc)
{
	*s = (struct seen){.alloc = alloc, .generation = 1};
}

void seen_fini(struct seen *s)
{
	alloc_put(s->alloc, s->slots);
	s->slots = NULL;
}

void seen_reset(struct seen *s)
{
	s->count = 0;
	if (++s->generation == 0 && s->slots)
		memset(s->slots, 0, SLOTS * sizeof *s->slots);
	s->generation += s->generation == 0;
}

enum seen_answer seen_add(struct seen *s, uint32_t alternative, uint32_t child, const char *form, size_t n)
{
	if (!s->slots && !(s->slots = alloc_get(s->alloc, SLOTS * sizeof *s->slots)))
		return SEEN_NO_MEMORY;
	/* The alternative is the key: the same form in another one is another entry. */
	struct hash128 hash = siphash((struct hash128){alternative, 0}, form, n);
	size_t i = (size_t)hash.low % SLOTS;
	for (; s->slots[i].generation == s->generation; i = (i + 1) % SLOTS)
		if (s->slots[i].hash.low == hash.low && s->slots[i].hash.high == hash.high)
			return s->slots[i].child < child ? SEEN_BEFORE : SEEN_NEW;
	if (s->count == SEEN_MAX)
		return SEEN_FULL;
	s->slots[i] = (struct seen_entry){hash, child, s->generation};
	s->count++;
	return SEEN_NEW;
}

size_t seen_memory_bound(void) { return SLOTS * sizeof(struct seen_entry); }
