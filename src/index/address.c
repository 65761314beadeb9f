#include "address.h"

#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

static uint32_t rotate(uint32_t x, unsigned bits)
{
	return x >> bits | x << (32 - bits);
}

/* SHA-256 (FIPS 180-4) of one block. */
static void take_block(uint32_t state[8], const unsigned char *block)
{
	static const uint32_t constant[ROUNDS] = {
		0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
		0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
		0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
		0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
		0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
		0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
		0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
		0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
	};
	uint32_t w[ROUNDS];
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
		       block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++)
		w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	for (int i = 0; i < ROUNDS; i++) {
		const uint32_t one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constant[i]
		                     + w[i];
		const uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		h = g, g = f, f = e, e = d + one;
		d = c, c = b, b = a, a = one + two;
	}
	const uint32_t s[8] = { a, b, c, d, e, f, g, h };
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

int64_t address_hash(const char *msgid, size_t n)
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	unsigned char last[2 * BLOCK] = { 0 };
	const size_t rest = n % BLOCK, length = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	for (size_t i = 0; i + BLOCK <= n; i += BLOCK)
		take_block(state, (const unsigned char *)msgid + i);
	memcpy(last, msgid + (n - rest), rest);
	last[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[length - 1 - i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
	for (size_t i = 0; i < length; i += BLOCK)
		take_block(state, last + i);
	return (int64_t)((uint64_t)state[0] << 32 | state[1]);
}
