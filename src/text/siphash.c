#include "siphash.h"

#include <string.h>

struct state {
	uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void mix(struct state *s, int rounds)
{
	while (rounds--) {
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
}

static void take(struct state *s, uint64_t word)
{
	s->d ^= word;
	mix(s, 2);
	s->a ^= word;
}

/* Up to eight bytes, little-endian. */
static uint64_t word_of(const unsigned char *p, size_t n)
{
	uint64_t word = 0;
	while (n--)
		word = word << 8 | p[n];
	return word;
}

/* Eight bytes, in a form that compilers make one load of. */
static uint64_t whole_word(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

struct hash128 siphash(struct hash128 key, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	struct state s = {
		key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d ^ 0xee,
		key.low ^ 0x6c7967656e657261, key.high ^ 0x7465646279746573,
	};
	size_t left = length;
	for (; left >= 8; left -= 8, p += 8)
		take(&s, whole_word(p));
	take(&s, word_of(p, left) | (uint64_t)length << 56);
	struct hash128 h;
	s.c ^= 0xee;
	mix(&s, 4);
	h.low = s.a ^ s.b ^ s.c ^ s.d;
	s.b ^= 0xdd;
	mix(&s, 4);
	h.high = s.a ^ s.b ^ s.c ^ s.d;
	return h;
}
