/* A bounded set of texts, identified by a keyed hash.  Where one belongs in the table depends on where the table is, so
 * that input cannot be crafted to gather at one place, even where the key is known. */
#ifndef TEXT_HASHSET_H
#define TEXT_HASHSET_H

#include "buf.h"

struct hash128 {
	uint64_t low, high;
};

/* SipHash-2-4-128 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, in its 128-bit variant). */
struct hash128 siphash(struct hash128 key, const void *bytes, size_t length);

struct hashset {
	const urlsift_allocator *alloc;
	struct hashset_slot *slots; /* allocated on first use */
	size_t mask;                /* slots - 1, a power of two */
	size_t count, limit;
};

/* A slot takes 16 bytes: 96 bits of the hash and a value.  At most half of the slots are used. */
struct hashset_slot {
	uint64_t low;
	uint32_t high;
	uint32_t value;
};

/* The index at which the search for a hash begins, in a table of mask + 1 slots: multiply-shift hashing (Dietzfelbinger
 * and others, "A Reliable Randomized Algorithm for the Closest-Pair Problem", 1997). */
static inline size_t hashset_index(const struct hashset_slot *slots, size_t mask, uint64_t low)
{
	const uint64_t factor = (uint64_t)(uintptr_t)slots * 0x9E3779B97F4A7C15u | 1;
	return (size_t)(low * factor >> 32) & mask;
}

enum hashset_answer { HASHSET_NEW, HASHSET_KNOWN, HASHSET_FULL, HASHSET_NO_MEMORY };

/* The allocator must outlive the set, which remembers up to `limit` texts. */
void hashset_init(struct hashset *s, const urlsift_allocator *alloc, size_t limit);
void hashset_fini(struct hashset *s);
/* Forgets all texts. */
void hashset_reset(struct hashset *s);
/* KNOWN: the hash is in the set, *value becomes the value it was added with.  NEW: it is in the set from now on, with
 * *value.  FULL and NO_MEMORY: it is not in the set and was not added.  Constant time on average. */
enum hashset_answer hashset_add(struct hashset *s, struct hash128 hash, uint32_t *value);
/* Where the hash is, or belongs, to be fetched before it is added; NULL if there is no memory for
 * it yet.  GCC leaves out a function that does nothing but fetch, as one without an effect. */
static inline const struct hashset_slot *hashset_place(const struct hashset *s, struct hash128 hash)
{
	return s->slots ? &s->slots[hashset_index(s->slots, s->mask, hash.low)] : NULL;
}
/* Sets the value of a hash that is in the set. */
void hashset_set(struct hashset *s, struct hash128 hash, uint32_t value);
/* The largest memory that a set with this limit allocates. */
size_t hashset_memory_bound(size_t limit);

#endif
