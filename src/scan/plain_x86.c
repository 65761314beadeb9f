/* The shape of a plain link with AVX2: a table by both nibbles of a byte.  (With
 * AVX-512, whose tables have 128 entries, it was slower: its masks come late.) */
#include "plain_shape.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline uint32_t bits(__m256i v) { return (uint32_t)_mm256_movemask_epi8(v); }
AVX2 static inline __m256i row(const uint8_t bytes[16])
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}
AVX2 static inline __m256i load(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }

/* A bit for the high nibble of each byte; none beyond ASCII. */
AVX2 static inline __m256i high_bits(__m256i bytes)
{
	const __m256i bit = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
	                                     1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
	return _mm256_shuffle_epi8(bit, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15)));
}

AVX2 static inline uint32_t outside(__m256i bytes, __m256i high, __m256i rows)
{
	__m256i in = _mm256_and_si256(_mm256_shuffle_epi8(rows, bytes), high);
	return bits(_mm256_cmpeq_epi8(in, _mm256_setzero_si256()));
}

AVX2 bool plain_shape_avx2(const uint8_t *p, size_t n, struct plain_shape *shape)
{
	if (n < 64)
		return plain_shape_portable(p, n, shape);
	const __m256i inner = row(plain_inner_rows), hosts = row(plain_host_rows);
	__m256i a = load(p), b = load(p + 32), high = high_bits(a);
	struct plain_masks m = {.foreign = outside(a, high, hosts), .outside = outside(a, high, inner)};
	m.stops = bits(_mm256_cmpeq_epi8(a, _mm256_set1_epi8('.')));
	m.hyphens = bits(_mm256_cmpeq_epi8(a, _mm256_set1_epi8('-')));
	shape->host = m.foreign ? plain_host_in(&m) : 0;
	if (!shape->host)
		return plain_shape_portable(p, n, shape);
	m.outside |= (uint64_t)outside(b, high_bits(b), inner) << 32;
	size_t i = 0;
	while (!m.outside && n - (i += i ? 32 : 64) >= 32) {
		a = load(p + i);
		m.outside = outside(a, high_bits(a), inner);
	}
	if (!m.outside)
		return false;
	shape->end = i + (size_t)__builtin_ctzll(m.outside);
	return true;
}
#else
typedef int plain_x86_is_empty;
#endif
