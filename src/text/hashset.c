#include "hashset.h"

#include <string.h>

/* ---- SipHash ---- */

struct siphash_state {
	uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void mix(struct siphash_state *s)
{
	s->a += s->b;
	s->c += s->d;
	s->b = rotate(s->b, 13) ^ s->a;
	s->d = rotate(s->d, 16) ^ s->c;
	s->a = rotate(s->a, 32) + s->d;
	s->c += s->b;
	s->d = rotate(s->d, 21) ^ s->a;
	s->b = rotate(s->b, 17) ^ s->c;
	s->c = rotate(s->c, 32);
}

static inline void take(struct siphash_state *s, uint64_t word)
{
	s->d ^= word;
	mix(s), mix(s);
	s->a ^= word;
}

struct hash128 siphash(struct hash128 key, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	struct siphash_state s = {
		key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d ^ 0xee,
		key.low ^ 0x6c7967656e657261, key.high ^ 0x7465646279746573,
	};
	size_t left = length;
	uint64_t last = (uint64_t)length << 56;
	for (; left >= 8; left -= 8, p += 8) /* little-endian, in a form that compilers make one load of */
		take(&s, (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
		         (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56);
	while (left--)
		last |= (uint64_t)p[left] << 8 * left;
	take(&s, last);
	struct hash128 h;
	s.c ^= 0xee;
	mix(&s), mix(&s), mix(&s), mix(&s);
	h.low = s.a ^ s.b ^ s.c ^ s.d;
	s.b ^= 0xdd;
	mix(&s), mix(&s), mix(&s), mix(&s);
	h.high = s.a ^ s.b ^ s.c ^ s.d;
	return h;
}

/* ---- The set ---- */

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
	if (!s->count)
		return;
	if (s->mask == FIRST_SLOTS - 1)
		memset(s->slots, 0, FIRST_SLOTS * sizeof *s->slots);
	else
		hashset_fini(s);
	s->count = 0;
}

static bool is_free(const struct hashset_slot *slot) { return !slot->low; }

/* The slot of a hash, or the free one where it belongs. */
static struct hashset_slot *find(struct hashset_slot *slots, size_t mask, uint64_t low, uint32_t high)
{
	size_t i = hashset_index(slots, mask, low);
	while (!is_free(&slots[i]) && (slots[i].low != low || slots[i].high != high))
		i = (i + 1) & mask;
	return &slots[i];
}

/* Zero marks a free slot. */
static uint64_t low_of(struct hash128 hash) { return hash.low + !hash.low; }

void hashset_set(struct hashset *s, struct hash128 hash, uint32_t value)
{
	find(s->slots, s->mask, low_of(hash), (uint32_t)hash.high)->value = value;
}

enum hashset_answer hashset_add(struct hashset *s, struct hash128 hash, uint32_t *value)
{
	uint64_t low = low_of(hash);
	uint32_t high = (uint32_t)hash.high;
	struct hashset_slot *slot = s->slots ? find(s->slots, s->mask, low, high) : NULL;
	if (slot && !is_free(slot)) {
		*value = slot->value;
		return HASHSET_KNOWN;
	}
	if (s->count >= s->limit)
		return HASHSET_FULL;
	if (!slot || s->count > s->mask / 2) { /* no room for one more */
		size_t mask = s->slots ? s->mask * 2 + 1 : FIRST_SLOTS - 1;
		struct hashset_slot *slots = alloc_get(s->alloc, (mask + 1) * sizeof *slots);
		if (!slots)
			return HASHSET_NO_MEMORY;
		for (size_t i = 0; s->slots && i <= s->mask; i++)
			if (!is_free(&s->slots[i]))
				*find(slots, mask, s->slots[i].low, s->slots[i].high) = s->slots[i];
		alloc_put(s->alloc, s->slots);
		s->slots = slots;
		s->mask = mask;
		slot = find(slots, mask, low, high);
	}
	*slot = (struct hashset_slot){ low, high, *value };
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
