/* Numbers in values of the database that are bytes: the lowest byte first, on any machine. */
#ifndef INDEX_WORDS_H
#define INDEX_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The lesser of two numbers. */
static inline int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

/* Turns numbers of 64 bits, `bytes` in all, from the order of the machine to that of the database, or back. */
static inline void words_turn(void *words, size_t bytes)
{
	unsigned char *p = words;
	for (uint64_t word; bytes >= sizeof word; p += sizeof word, bytes -= sizeof word) {
		memcpy(&word, p, sizeof word);
		for (unsigned i = 0; i < sizeof word; i++)
			p[i] = (unsigned char)(word >> 8 * i);
	}
}

#endif
