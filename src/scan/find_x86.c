/* The finder with SSE2 and AVX2: one pass flags the few bytes worth a check. */
#include "find_check.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Flags in the vector at p + i: colons before something, `ww`, `p.`, and line
 * starts with b, = or -. */
static inline uint32_t flags_sse2(const struct finder *f, const uint8_t *p)
{
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 1));
	__m128i la = _mm_or_si128(a, _mm_set1_epi8(0x20)), lb = _mm_or_si128(b, _mm_set1_epi8(0x20));
	__m128i m = _mm_cmpeq_epi8(a, _mm_set1_epi8(':'));
	__m128i dot = _mm_cmpeq_epi8(b, _mm_set1_epi8('.'));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(la, _mm_set1_epi8('w')), _mm_cmpeq_epi8(lb, _mm_set1_epi8('w'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(la, _mm_set1_epi8('p')), dot));
	__m128i start = _mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('b')),
	                             _mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('=')), _mm_cmpeq_epi8(b, _mm_set1_epi8('-'))));
	m = _mm_or_si128(m, _mm_and_si128(_mm_cmpeq_epi8(a, _mm_set1_epi8('\n')), start));
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

__attribute__((target("avx2"))) static inline __m256i flags_avx2(const struct finder *f, const uint8_t *p)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 1));
	__m256i la = _mm256_or_si256(a, _mm256_set1_epi8(0x20)), lb = _mm256_or_si256(b, _mm256_set1_epi8(0x20));
	__m256i m = _mm256_cmpeq_epi8(a, _mm256_set1_epi8(':'));
	__m256i dot = _mm256_cmpeq_epi8(b, _mm256_set1_epi8('.'));
	m = _mm256_or_si256(m, _mm256_and_si256(_mm256_cmpeq_epi8(la, _mm256_set1_epi8('w')), _mm256_cmpeq_epi8(lb, _mm256_set1_epi8('w'))));
	m = _mm256_or_si256(m, _mm256_and_si256(_mm256_cmpeq_epi8(la, _mm256_set1_epi8('p')), dot));
	__m256i start = _mm256_or_si256(_mm256_cmpeq_epi8(b, _mm256_set1_epi8('b')),
	                                _mm256_or_si256(_mm256_cmpeq_epi8(b, _mm256_set1_epi8('=')), _mm256_cmpeq_epi8(b, _mm256_set1_epi8('-'))));
	m = _mm256_or_si256(m, _mm256_and_si256(_mm256_cmpeq_epi8(a, _mm256_set1_epi8('\n')), start));
	if (f->at)
		m = _mm256_or_si256(m, _mm256_cmpeq_epi8(a, _mm256_set1_epi8('@')));
	if (f->dot)
		m = _mm256_or_si256(m, _mm256_cmpeq_epi8(a, _mm256_set1_epi8('.')));
	return m;
}

__attribute__((target("avx2"))) size_t find_avx2(const struct finder *f, const uint8_t *p, size_t i, size_t end)
{
	for (; i + 64 <= end; i += 64) {
		__m256i low = flags_avx2(f, p + i), high = flags_avx2(f, p + i + 32);
		if (_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_or_si256(low, high)))
			continue;
		uint64_t m = (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
		for (; m; m &= m - 1) {
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
