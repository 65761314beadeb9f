#include "seen.h"

#include "text/siphash.h"

#include <string.h>

/* The entries in their order, and open addressing over as many slots as they need: most messages have few URLs, and
 * so little memory is touched. */
enum { SLOTS = 2 * SEEN_MAX, FEW_SLOTS = 64 };

struct seen_table {
	struct {
		struct hash128 hash;
		uint32_t child;
	} entry[SEEN_MAX];
	uint16_t slot[SLOTS]; /* entry and one; 0 where there is none */
};

void seen_init(struct seen *s, const urlsift_allocator *alloc)
{
	*s = (struct seen){.alloc = alloc};
}

void seen_fini(struct seen *s)
{
	alloc_put(s->alloc, s->table);
	s->table = NULL;
}

static void clear_slots(struct seen *s, size_t slots)
{
	s->slots = slots;
	memset(s->table->slot, 0, slots * sizeof *s->table->slot);
}

void seen_reset(struct seen *s)
{
	s->count = 0;
	if (s->table)
		clear_slots(s, FEW_SLOTS);
}

static bool make_table(struct seen *s)
{
	s->table = alloc_get(s->alloc, sizeof *s->table);
	if (s->table)
		clear_slots(s, FEW_SLOTS);
	return s->table;
}

/* The slot of a hash, or the free one where it belongs. */
static uint16_t *find(const struct seen *s, struct hash128 hash)
{
	struct seen_table *t = s->table;
	size_t i = (size_t)hash.low & (s->slots - 1);
	for (; t->slot[i]; i = (i + 1) & (s->slots - 1))
		if (t->entry[t->slot[i] - 1].hash.low == hash.low && t->entry[t->slot[i] - 1].hash.high == hash.high)
			break;
	return &t->slot[i];
}

/* Each time for twice as many entries: constant time for each of them. */
static void widen(struct seen *s)
{
	clear_slots(s, 2 * s->slots);
	for (size_t i = 0; i < s->count; i++)
		*find(s, s->table->entry[i].hash) = (uint16_t)(i + 1);
}

enum seen_answer seen_add(struct seen *s, uint32_t alternative, uint32_t child, const char *form, size_t n)
{
	if (!s->table && !make_table(s))
		return SEEN_NO_MEMORY;
	/* The alternative is the key: the same form in another one is another entry. */
	struct hash128 hash = siphash((struct hash128){alternative, 0}, form, n);
	uint16_t *slot = find(s, hash);
	if (*slot)
		return s->table->entry[*slot - 1].child < child ? SEEN_BEFORE : SEEN_NEW;
	if (s->count == SEEN_MAX)
		return SEEN_FULL;
	s->table->entry[s->count].hash = hash;
	s->table->entry[s->count].child = child;
	*slot = (uint16_t)++s->count;
	if (2 * s->count > s->slots)
		widen(s);
	return SEEN_NEW;
}

size_t seen_memory_bound(void) { return sizeof(struct seen_table); }
