#include "hashset.h"

enum { FIRST_SLOTS = 64 };

void hashset_init(struct hashset *s, const urlsift_allocator *alloc, size_t limit)
{
	*s = (struct hashset){ .alloc = alloc, .limit = limit };
}

void hashset_fini(struct hashset *s)
{
	alloc_put(s->alloc, s->slots);
	hashset_init(s, s->alloc, s->limit);
}

/* Most messages have few links: a table that grew is given back, so that clearing stays cheap. */
void hashset_reset(struct hashset *s)
{
	if (s->count && s->mask == FIRST_SLOTS - 1)
		memset(s->slots, 0, FIRST_SLOTS * sizeof *s->slots);
	else if (s->count)
		hashset_fini(s);
	s->count = 0;
}

static bool is_free(const struct hashset_slot *slot) { return !slot->low && !slot->high; }

/* The slot of a hash, or the free one where it belongs. */
static struct hashset_slot *find(struct hashset_slot *slots, size_t mask, uint64_t low, uint32_t high)
{
	size_t i = (size_t)low & mask;
	while (!is_free(&slots[i]) && (slots[i].low != low || slots[i].high != high))
		i = (i + 1) & mask;
	return &slots[i];
}

/* Room for one more. */
static bool grow(struct hashset *s)
{
	size_t mask = s->slots ? s->mask * 2 + 1 : FIRST_SLOTS - 1;
	if (s->slots && s->count <= s->mask / 2)
		return true;
	struct hashset_slot *slots = alloc_get(s->alloc, (mask + 1) * sizeof *slots);
	if (!slots)
		return false;
	for (size_t i = 0; s->slots && i <= s->mask; i++)
		if (!is_free(&s->slots[i]))
			*find(slots, mask, s->slots[i].low, s->slots[i].high) = s->slots[i];
	alloc_put(s->alloc, s->slots);
	s->slots = slots;
	s->mask = mask;
	return true;
}

enum hashset_answer hashset_add(struct hashset *s, struct hash128 hash, uint32_t *value)
{
	uint64_t low = hash.low + !(hash.low || (uint32_t)hash.high); /* zeros mark a free slot */
	uint32_t high = (uint32_t)hash.high;
	struct hashset_slot *slot = s->slots ? find(s->slots, s->mask, low, high) : NULL;
	if (slot && !is_free(slot)) {
		*value = slot->value;
		return HASHSET_KNOWN;
	}
	if (s->count >= s->limit)
		return HASHSET_FULL;
	if (!grow(s))
		return HASHSET_NO_MEMORY;
	*find(s->slots, s->mask, low, high) = (struct hashset_slot){ low, high, *value };
	s->count++;
	return HASHSET_NEW;
}

size_t hashset_memory_bound(size_t limit)
{
	size_t slots = FIRST_SLOTS;
	while (slots / 2 < limit)
		slots *= 2;
	return (slots + slots / 2) * sizeof(struct hashset_slot); /* two tables while it grows */
}
