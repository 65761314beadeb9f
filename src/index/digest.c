#include "digest.h"
#include "words.h"

#include "input/memory.h"
#include "text/ascii.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Blocks ---- */

enum { WORD = sizeof(uint32_t), WORDS = DIGEST_BLOCK / WORD, HALF = WORDS / 2 };

#define K1(n) (0x9e3779b9u * (2u * (n) + 1u) ^ 0x85ebca6bu * ((n) + 7u))
#define K4(n) K1(n), K1((n) + 1), K1((n) + 2), K1((n) + 3)
#define K16(n) K4(n), K4((n) + 4), K4((n) + 8), K4((n) + 12)
#define K64(n) K16(n), K16((n) + 16), K16((n) + 32), K16((n) + 48)
#define K256(n) K64(n), K64((n) + 64), K64((n) + 128), K64((n) + 192)

static const uint32_t key[WORDS] = { K256(0), K256(256), K256(512), K256(768) };

/* The sum of the word i of the block, lowest byte first, and that of the key. */
static inline uint32_t word_at(const uint8_t *block, size_t i)
{
	uint32_t word;
	memcpy(&word, block + WORD * i, WORD);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap32(word);
#endif
	return word + key[i];
}

/* Numbers without a pattern, which need not be secret: nobody gains by an edit that is not seen. */
static uint64_t mixed(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

uint64_t digest_piece(void)
{
	const uint64_t size = strtoull(memory_text(getenv("URLSIFT_PIECE")), NULL, 10) / DIGEST_BLOCK * DIGEST_BLOCK;
	return number_or(size, 64 * 1024 * 1024);
}

void digest_begin(struct digest *d, uint64_t from)
{
	d->size = digest_piece();
	d->at = (from + DIGEST_BLOCK - 1) / DIGEST_BLOCK * DIGEST_BLOCK;
	d->used = 0;
	d->sum = 0;
	d->piece = UINT64_MAX;
}

static void leave_piece(struct digest *d)
{
	if (d->piece != UINT64_MAX)
		d->take(d->user, d->piece, d->sum);
	d->sum = 0;
}

/* The block that ends at d->at. */
static void add_block(struct digest *d, const unsigned char *block)
{
	const uint64_t number = d->at / DIGEST_BLOCK - 1, piece = (d->at - DIGEST_BLOCK) / d->size;
	if (piece != d->piece)
		leave_piece(d);
	d->piece = piece;
	/* The hash of a block: NH of UMAC (Black and others, 1999), a sum of products.  With AVX2 an index of mailboxes
	 * would take 2% fewer instructions. */
	uint64_t sum = 0;
	for (size_t i = 0; i < HALF; i++)
		sum += (uint64_t)word_at(block, i) * word_at(block, i + HALF);
	d->sum += mixed(sum ^ mixed(number));
}

void digest_add(struct digest *d, uint64_t at, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	if (at + n <= d->at)
		return;
	n -= (size_t)(d->at - at);
	p += d->at - at;
	while (n > 0) {
		const size_t k = smaller(n, DIGEST_BLOCK - d->used);
		const unsigned char *block = p;
		if (k < DIGEST_BLOCK) {
			memcpy(d->block + d->used, p, k);
			block = d->block;
		}
		d->used += k;
		d->at += k;
		if (d->used == DIGEST_BLOCK) {
			add_block(d, block);
			d->used = 0;
		}
		p += k;
		n -= k;
	}
}

int digest_end(struct digest *d, const struct source *file)
{
	if (d->used > 0) {
		const size_t rest = DIGEST_BLOCK - d->used;
		memset(d->block + d->used, 0, rest);
		if (file && source_read_at(file, d->at, d->block + d->used, rest) < 0)
			return errno;
		d->at += rest;
		add_block(d, d->block);
		d->used = 0;
	}
	leave_piece(d);
	d->piece = UINT64_MAX;
	return 0;
}

/* ---- Marks -------------------------------------------------------------------------- */

struct digest_mark *digest_mark(struct digest_marks *m, uint64_t piece)
{
	if (piece >= m->count) {
		m->mark = memory_resize(m->mark, (size_t)(piece + 1) * sizeof *m->mark);
		memset(m->mark + m->count, 0, (size_t)(piece + 1 - m->count) * sizeof *m->mark);
		m->count = (size_t)piece + 1;
	}
	return &m->mark[piece];
}

void digest_read(struct digest_marks *m, const void *blob, size_t n)
{
	const size_t count = n / sizeof *m->mark;
	m->count = 0;
	if (count > 0) {
		digest_mark(m, count - 1);
		memcpy(m->mark, blob, count * sizeof *m->mark);
		words_turn(m->mark, count * sizeof *m->mark);
	}
}

void digest_fini(struct digest_marks *m)
{
	free(m->mark);
	*m = (struct digest_marks){ NULL, 0 };
}
