#include "lines_variants.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

uint64_t lines_count_portable(const uint8_t *p, size_t n, bool *after_cr)
{
	uint64_t count = 0;
	bool cr = *after_cr;
	for (size_t i = 0; i < n; i++) {
		count += p[i] == '\r' || (p[i] == '\n' && !cr);
		cr = p[i] == '\r';
	}
	*after_cr = cr;
	return count;
}

enum { ROUNDS = 255 }; /* so many times a byte can be counted up */

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int8_t signs16 __attribute__((vector_size(16)));

uint64_t lines_count_vector(const uint8_t *p, size_t n, bool *after_cr)
{
	if (n < 2 * sizeof(bytes16))
		return lines_count_portable(p, n, after_cr);
	uint64_t count = lines_count_portable(p, 1, after_cr); /* the others have a byte before them */
	size_t i = 1;
	while (n - i >= sizeof(bytes16)) {
		signs16 sum = { 0 };
		for (unsigned round = 0; round < ROUNDS && n - i >= sizeof(bytes16); round++, i += sizeof(bytes16)) {
			bytes16 a, before;
			memcpy(&a, p + i, sizeof a);
			memcpy(&before, p + i - 1, sizeof before);
			sum -= (a == '\r') | ((a == '\n') & (before != '\r'));
		}
		for (unsigned k = 0; k < sizeof(bytes16); k++)
			count += (uint8_t)sum[k];
	}
	*after_cr = p[i - 1] == '\r';
	return count + lines_count_portable(p + i, n - i, after_cr);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) uint64_t lines_count_avx2(const uint8_t *p, size_t n, bool *after_cr)
{
	if (n < 2 * sizeof(__m256i))
		return lines_count_vector(p, n, after_cr);
	const __m256i cr = _mm256_set1_epi8('\r'), lf = _mm256_set1_epi8('\n'), zero = _mm256_setzero_si256();
	uint64_t count = lines_count_portable(p, 1, after_cr), part[4];
	size_t i = 1;
	__m256i sums = zero;
	while (n - i >= sizeof(__m256i)) {
		__m256i sum = zero;
		for (unsigned round = 0; round < ROUNDS && n - i >= sizeof(__m256i); round++, i += sizeof(__m256i)) {
			__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
			__m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(p + i - 1));
			__m256i lone = _mm256_andnot_si256(_mm256_cmpeq_epi8(before, cr), _mm256_cmpeq_epi8(a, lf));
			sum = _mm256_sub_epi8(sum, _mm256_or_si256(_mm256_cmpeq_epi8(a, cr), lone));
		}
		sums = _mm256_add_epi64(sums, _mm256_sad_epu8(sum, zero));
	}
	_mm256_storeu_si256((__m256i *)(void *)part, sums);
	_mm256_zeroupper();
	count += part[0] + part[1] + part[2] + part[3];
	*after_cr = p[i - 1] == '\r';
	return count + lines_count_portable(p + i, n - i, after_cr);
}
#endif

uint64_t lines_count(const uint8_t *p, size_t n, bool *after_cr)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return lines_count_avx2(p, n, after_cr);
#endif
	return lines_count_vector(p, n, after_cr);
}
