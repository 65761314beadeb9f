/* The finder with SSE2 and AVX2: one pass flags the few bytes worth a check. */
#include "find_check.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Flags at p: a colon before something solid, and the pairs `l:` `ww` `p.`
 * LF `b`, `=y`, `-B`. */
static inline uint32_t flags_sse2(const struct finder *f, const uint8_t *p)
{
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 1));
	__m128i la = _mm_or_si128(a, _mm_set1_epi8(0x20)), lb = _mm_or_si128(b, _mm_set1_epi8(0x20));
	__m128i m = _mm_andnot_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(a, _mm_set1_epi8(':')));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(la, _mm_set1_epi8('l')), _mm_cmpeq_epi8(b, _mm_set1_epi8(':'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(la, _mm_set1_epi8('w')), _mm_cmpeq_epi8(lb, _mm_set1_epi8('w'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(la, _mm_set1_epi8('p')), _mm_cmpeq_epi8(b, _mm_set1_epi8('.'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(a, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(b, _mm_set1_epi8('b'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(a, _mm_set1_epi8('=')), _mm_cmpeq_epi8(b, _mm_set1_epi8('y'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(a, _mm_set1_epi8('-')), _mm_cmpeq_epi8(b, _mm_set1_epi8('B'))));
	if (f->at)
		m = _mm_or_si128(m, _mm_cmpeq_epi8(a, _mm_set1_epi8('@')));
	if (f->dot)
		m = _mm_or_si128(m, _mm_cmpeq_epi8(a, _mm_set1_epi8('.')));
	return (uint32_t)_mm_movemask_epi8(m);
}

size_t find_sse2(const struct finder *f, const uint8_t *p, size_t i, size_t end)
{
	for (; i + 16 <= end; i += 16)
		for (uint32_t m = flags_sse2(f, p + i); m; m &= m - 1) {
			size_t k = i + (size_t)__builtin_ctz(m);
			if (find_check(f, p, k))
				return k;
		}
	return find_portable(f, p, i, end);
}

/* The pairs again, each a bit: a byte is the first of pair k when bit k is set in
 * the rows of both its nibbles, and likewise the second.  A colon has two bits:
 * before a byte with a low nibble, and before one without that is no blank. */
__attribute__((target("avx2"))) static inline __m256i row(int8_t b0, int8_t b1, int8_t b2, int8_t b3, int8_t b4, int8_t b5,
	int8_t b6, int8_t b7, int8_t b8, int8_t b9, int8_t ba, int8_t bb, int8_t bc, int8_t bd, int8_t be, int8_t bf)
{
	return _mm256_broadcastsi128_si256(_mm_setr_epi8(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf));
}

enum { SOLID = 1, L = 2, WW = 4, P = 8, LINE = 16, YENC = 32, HYPHEN = 64, ROUND = -128, COLON = SOLID | ROUND };

__attribute__((target("avx2"))) static inline __m256i flags_avx2(const struct finder *f, const uint8_t *p)
{
	const __m256i first_low = row(P, 0, 0, 0, 0, 0, 0, WW, 0, 0, COLON | LINE, 0, L, YENC | HYPHEN, 0, 0);
	const __m256i first_high = row(LINE, 0, HYPHEN, COLON | YENC, L, WW | P, L, WW | P, 0, 0, 0, 0, 0, 0, 0, 0);
	const __m256i second_low = row(ROUND, SOLID, SOLID | LINE | HYPHEN, SOLID, SOLID, SOLID, SOLID, SOLID | WW, SOLID,
	                               SOLID | YENC, SOLID | L, SOLID, SOLID, SOLID, SOLID | P, SOLID);
	const __m256i second_high = row(COLON, COLON, SOLID | P, COLON | L, COLON | HYPHEN, COLON | WW, COLON | LINE, COLON | WW | YENC,
	                                COLON, COLON, COLON, COLON, COLON, COLON, COLON, COLON);
	const __m256i nibble = _mm256_set1_epi8(15);
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 1));
	/* a byte beyond ASCII is no first: the shuffle makes it 0 */
	__m256i m = _mm256_and_si256(_mm256_shuffle_epi8(first_low, a),
	                             _mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble)));
	__m256i n = _mm256_and_si256(_mm256_shuffle_epi8(second_low, _mm256_and_si256(b, nibble)),
	                             _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(b, 4), nibble)));
	m = _mm256_and_si256(m, n);
	if (f->at)
		m = _mm256_or_si256(m, _mm256_cmpeq_epi8(a, _mm256_set1_epi8('@')));
	if (f->dot)
		m = _mm256_or_si256(m, _mm256_cmpeq_epi8(a, _mm256_set1_epi8('.')));
	return m;
}

/* The bytes of v that are not 0, a bit each. */
__attribute__((target("avx2"))) static inline uint32_t solid_avx2(__m256i v)
{
	return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256()));
}

__attribute__((target("avx2"))) size_t find_avx2(const struct finder *f, const uint8_t *p, size_t i, size_t end)
{
	for (; i + 64 <= end; i += 64) {
		__m256i low = flags_avx2(f, p + i), high = flags_avx2(f, p + i + 32);
		__m256i any = _mm256_or_si256(low, high);
		if (_mm256_testz_si256(any, any))
			continue;
		for (uint64_t m = solid_avx2(low) | (uint64_t)solid_avx2(high) << 32; m; m &= m - 1) {
			size_t k = i + (size_t)__builtin_ctzll(m);
			if (find_check(f, p, k))
				return k;
		}
	}
	return find_sse2(f, p, i, end);
}
#else
typedef int find_x86_is_empty;
#endif
