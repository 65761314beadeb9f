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

size_t find_sse2(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	size_t found;
	if (find_resume(f, s, &i, &found))
		return found;
	for (; i + 16 <= end; i += 16) {
		uint32_t mask = flags_sse2(f, s->p + i);
		if (mask && find_pick_from(f, s, i, 16, mask, &found))
			return found;
	}
	return find_portable(f, s, i, end);
}

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i row(const uint8_t bytes[16])
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

AVX2 static inline __m256i flags_avx2(const uint8_t *p)
{
	const __m256i first_low = row(find_first_low), first_high = row(find_first_high);
	const __m256i second_low = row(find_second_low), second_high = row(find_second_high);
	const __m256i nibble = _mm256_set1_epi8(15);
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 1));
	/* a byte beyond ASCII is no first: the shuffle makes it 0 */
	__m256i m = _mm256_and_si256(_mm256_shuffle_epi8(first_low, a),
	                             _mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble)));
	__m256i n = _mm256_and_si256(_mm256_shuffle_epi8(second_low, _mm256_and_si256(b, nibble)),
	                             _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(b, 4), nibble)));
	return _mm256_and_si256(m, n);
}

AVX2 static inline __m256i marks_avx2(const struct finder *f, const uint8_t *p)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i at = _mm256_cmpeq_epi8(a, _mm256_set1_epi8(f->at ? '@' : '.'));
	return _mm256_or_si256(at, _mm256_cmpeq_epi8(a, _mm256_set1_epi8(f->dot ? '.' : '@')));
}

/* The bytes of v that are not 0, a bit each. */
AVX2 static inline uint32_t solid_avx2(__m256i v)
{
	return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256()));
}

/* The next block in [i, end) with something in it; its flags go to *mask.  Apart
 * from what calls functions, so that the rows stay in registers. */
AVX2 static inline size_t block_avx2(const struct finder *f, const uint8_t *p, size_t i, size_t end, bool marks, uint64_t *mask)
{
	for (; i + 64 <= end; i += 64) {
		__m256i low = flags_avx2(p + i), high = flags_avx2(p + i + 32);
		if (marks) {
			low = _mm256_or_si256(low, marks_avx2(f, p + i));
			high = _mm256_or_si256(high, marks_avx2(f, p + i + 32));
		}
		__m256i any = _mm256_or_si256(low, high);
		if (_mm256_testz_si256(any, any))
			continue;
		*mask = solid_avx2(low) | (uint64_t)solid_avx2(high) << 32;
		break;
	}
	return i;
}

AVX2 size_t find_avx2(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	size_t found;
	uint64_t mask = 0;
	bool marks = f->at || f->dot;
	if (find_resume(f, s, &i, &found))
		return found;
	for (;; i += 64) {
		i = marks ? block_avx2(f, s->p, i, end, true, &mask) : block_avx2(f, s->p, i, end, false, &mask);
		if (i + 64 > end)
			return find_sse2(f, s, i, end);
		if (find_pick_from(f, s, i, 64, mask, &found))
			return found;
	}
}

/* The pairs of a byte, as the first and as the second; what is beyond ASCII counts
 * as DEL. */
static const uint8_t firsts[128] = {
	['\n'] = FIND_LINE, ['-'] = FIND_HYPHEN, [':'] = FIND_SOLID, ['='] = FIND_YENC,
	['L'] = FIND_L, ['P'] = FIND_P, ['W'] = FIND_WW, ['l'] = FIND_L, ['p'] = FIND_P, ['w'] = FIND_WW
};
#define S FIND_SOLID
#define S16 S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S
static const uint8_t seconds[128] = {
	S16, S16,
	/*  !"#$%&'()*+,-./ */ 0, S, S, S, S, S, S, S, S, S, S, S, S, S, S | FIND_P, S,
	/* 0-9 :;<=>? */ S, S, S, S, S, S, S, S, S, S, S | FIND_L, S, S, S, S, S,
	/* @A-O */ S, S, S | FIND_HYPHEN, S, S, S, S, S, S, S, S, S, S, S, S, S,
	/* P-Z[\]^_ */ S, S, S, S, S, S, S, S | FIND_WW, S, S, S, S, S, S, S, S,
	/* `a-o */ S, S, S | FIND_LINE, S, S, S, S, S, S, S, S, S, S, S, S, S,
	/* p-z{|}~ DEL */ S, S, S, S, S, S, S, S | FIND_WW, S, S | FIND_YENC, S, S, S, S, S, S
};
#undef S
#undef S16

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

AVX512 static inline size_t block_avx512(const struct finder *f, const uint8_t *p, size_t i, size_t end, uint64_t *mask)
{
	const __m512i first_low = _mm512_loadu_si512(firsts), first_high = _mm512_loadu_si512(firsts + 64);
	const __m512i second_low = _mm512_loadu_si512(seconds), second_high = _mm512_loadu_si512(seconds + 64);
	const __m512i del = _mm512_set1_epi8(0x7f), at = _mm512_set1_epi8('@'), dot = _mm512_set1_epi8('.');
	const uint64_t ats = f->at ? ~(uint64_t)0 : 0, dots = f->dot ? ~(uint64_t)0 : 0;
	for (; i + 64 <= end; i += 64) {
		__m512i a = _mm512_min_epu8(del, _mm512_loadu_si512(p + i)), b = _mm512_min_epu8(del, _mm512_loadu_si512(p + i + 1));
		*mask = _mm512_test_epi8_mask(_mm512_permutex2var_epi8(first_low, a, first_high), _mm512_permutex2var_epi8(second_low, b, second_high));
		if (ats | dots)
			*mask |= (_mm512_cmpeq_epi8_mask(a, at) & ats) | (_mm512_cmpeq_epi8_mask(a, dot) & dots);
		if (*mask)
			break;
	}
	return i;
}

AVX512 size_t find_avx512(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	size_t found;
	uint64_t mask = 0;
	if (find_resume(f, s, &i, &found))
		return found;
	for (;; i += 64) {
		i = block_avx512(f, s->p, i, end, &mask);
		if (i + 64 > end)
			return find_sse2(f, s, i, end);
		if (find_pick_from(f, s, i, 64, mask, &found))
			return found;
	}
}
#else
typedef int find_x86_is_empty;
#endif
