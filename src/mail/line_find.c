#include "line_find_variants.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Whether the line behind the LF at p[i], which is not the last byte, counts. */
static bool counts(const uint8_t *p, size_t i, size_t n, unsigned which)
{
	bool last = n - i == 2;
	uint8_t next = last ? 0 : p[i + 2];
	switch (p[i + 1]) {
	case 'F': return which & LINE_FROM;
	case '-': return which & LINE_HYPHEN && (last || next == '-');
	case '>': return which & LINE_QUOTED && (last || next == 'F' || next == '>');
	case 1: return which & LINE_SOH;
	default: return false;
	}
}

/* The first that counts of [from, to), or `to`, which is smaller than n. */
static size_t find_in(const uint8_t *p, size_t from, size_t to, size_t n, unsigned which)
{
	while (from < to) {
		const uint8_t *lf = memchr(p + from, '\n', to - from);
		if (!lf)
			break;
		from = (size_t)(lf - p);
		if (counts(p, from, n, which))
			return from;
		from++;
	}
	return to;
}

size_t line_find_portable(const uint8_t *p, size_t from, size_t n, unsigned which)
{
	size_t i = n ? find_in(p, from, n - 1, n, which) : 0;
	return i + 1 < n ? i : n;
}

enum { BLOCK = 64 };

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

/* Where an LF stands before two bytes that count; all kinds but the quoted are flagged, asked
 * for or not, for they are rare.  `--` and `>>` are told by their bytes being equal. */
static inline words2 flags(const uint8_t *p, uint8_t quote)
{
	bytes16 a, b, c;
	memcpy(&a, p, sizeof a);
	memcpy(&b, p + 1, sizeof b);
	memcpy(&c, p + 2, sizeof c);
	return (words2)((a == '\n') & ((b == 'F') | (b == 1) | (((b == '-') | (b == quote)) & ((b == c) | (c == 'F')))));
}

size_t line_find_vector(const uint8_t *p, size_t from, size_t n, unsigned which)
{
	uint8_t quote = which & LINE_QUOTED ? '>' : '-';
	for (; from < n && n - from >= BLOCK + 2; from += BLOCK) {
		words2 any = flags(p + from, quote) | flags(p + from + 16, quote) | flags(p + from + 32, quote)
		             | flags(p + from + 48, quote);
		if (!(any[0] | any[1]))
			continue;
		size_t i = find_in(p, from, from + BLOCK, n, which);
		if (i < from + BLOCK)
			return i;
	}
	return line_find_portable(p, from, n, which);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline __m256i flags_avx2(const uint8_t *p, __m256i quote)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 1));
	__m256i c = _mm256_loadu_si256((const __m256i *)(const void *)(p + 2));
	const __m256i f = _mm256_set1_epi8('F');
	__m256i one = _mm256_or_si256(_mm256_cmpeq_epi8(b, f), _mm256_cmpeq_epi8(b, _mm256_set1_epi8(1)));
	__m256i two = _mm256_or_si256(_mm256_cmpeq_epi8(b, _mm256_set1_epi8('-')), _mm256_cmpeq_epi8(b, quote));
	two = _mm256_and_si256(two, _mm256_or_si256(_mm256_cmpeq_epi8(b, c), _mm256_cmpeq_epi8(c, f)));
	return _mm256_and_si256(_mm256_cmpeq_epi8(a, _mm256_set1_epi8('\n')), _mm256_or_si256(one, two));
}

__attribute__((target("avx2"))) size_t line_find_avx2(const uint8_t *p, size_t from, size_t n, unsigned which)
{
	__m256i quote = _mm256_set1_epi8(which & LINE_QUOTED ? '>' : '-');
	for (; from < n && n - from >= BLOCK + 2; from += BLOCK) {
		__m256i low = flags_avx2(p + from, quote), high = flags_avx2(p + from + 32, quote);
		__m256i any = _mm256_or_si256(low, high);
		if (_mm256_testz_si256(any, any))
			continue;
		uint64_t m = (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
		for (; m; m &= m - 1) {
			size_t i = from + (size_t)__builtin_ctzll(m);
			if (counts(p, i, n, which)) {
				_mm256_zeroupper(); /* after a call that is not inlined gcc forgets it, and all SSE code would crawl */
				return i;
			}
		}
	}
	_mm256_zeroupper();
	return line_find_portable(p, from, n, which);
}

#define AVX512 __attribute__((target("avx512f,avx512bw,bmi,popcnt")))

AVX512 static inline uint64_t equal64(__m512i v, char c, unsigned wanted)
{
	return wanted ? _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)) : 0;
}

/* One load each block, whose last two bytes the next one has again: they are not behind its LFs yet. */
__attribute__((always_inline)) AVX512 static inline size_t find_avx512(const uint8_t *p, size_t from, size_t n, unsigned which)
{
	for (; from < n && n - from >= BLOCK; from += BLOCK - 2) {
		__m512i v = _mm512_loadu_si512(p + from);
		uint64_t f = equal64(v, 'F', which & (LINE_FROM | LINE_QUOTED)), soh = equal64(v, 1, which & LINE_SOH);
		uint64_t hyphen = equal64(v, '-', which & LINE_HYPHEN), quote = equal64(v, '>', which & LINE_QUOTED);
		uint64_t begins = soh | (which & LINE_FROM ? f : 0) | (hyphen & hyphen >> 1) | (quote & (quote | f) >> 1);
		uint64_t found = equal64(v, '\n', 1) & begins >> 1 & (~0ull >> 2);
		if (found) {
			_mm256_zeroupper();
			return from + (size_t)__builtin_ctzll(found);
		}
	}
	_mm256_zeroupper();
	return line_find_portable(p, from, n, which);
}

/* What is asked for most is compiled for itself. */
AVX512 size_t line_find_avx512(const uint8_t *p, size_t from, size_t n, unsigned which)
{
	switch (which) {
	case LINE_HYPHEN: return find_avx512(p, from, n, LINE_HYPHEN);
	case LINE_FROM | LINE_QUOTED: return find_avx512(p, from, n, LINE_FROM | LINE_QUOTED);
	default: return find_avx512(p, from, n, which);
	}
}
#endif

/* ---- Blank lines ---- */

static bool is_blank_behind(const uint8_t *p, size_t i, size_t n)
{
	return (n - i > 1 && p[i + 1] == '\n') || (n - i > 2 && p[i + 1] == '\r' && p[i + 2] == '\n');
}

static size_t find_blank(const uint8_t *p, size_t from, size_t n)
{
	for (size_t i = from; i < n; i++) {
		const uint8_t *lf = memchr(p + i, '\n', n - i);
		if (!lf)
			break;
		i = (size_t)(lf - p);
		if (is_blank_behind(p, i, n))
			return i;
	}
	return n;
}

#if defined(__x86_64__)
AVX512 static size_t find_blank_avx512(const uint8_t *p, size_t n)
{
	size_t from = 0;
	for (; n - from >= BLOCK; from += BLOCK - 2) {
		__m512i v = _mm512_loadu_si512(p + from);
		uint64_t lf = equal64(v, '\n', 1), cr = equal64(v, '\r', 1);
		uint64_t found = lf & (lf | (cr & lf >> 1)) >> 1 & (~0ull >> 2);
		if (found) {
			_mm256_zeroupper();
			return from + (size_t)__builtin_ctzll(found);
		}
	}
	_mm256_zeroupper();
	return find_blank(p, from, n);
}
#endif

size_t line_find_blank(const uint8_t *p, size_t n)
{
	if (!n)
		return 0;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi"))
		return find_blank_avx512(p, n);
#endif
	return find_blank(p, 0, n);
}

/* ---- Ends of lines ---- */

static void find_ends(const uint8_t *p, size_t from, size_t n, struct line_ends *ends)
{
	while (ends->count < LINE_ENDS && from < n) {
		const uint8_t *lf = memchr(p + from, '\n', n - from);
		if (!lf)
			return;
		from = (size_t)(lf - p);
		ends->at[ends->count++] = from;
		if (is_blank_behind(p, from, n))
			return;
		from++;
	}
}

#if defined(__x86_64__)
/* Two are written whatever a block has: how many it has is hard to foresee. */
AVX512 static void find_ends_avx512(const uint8_t *p, size_t from, size_t n, struct line_ends *ends)
{
	enum { FEW = 2, MANY = 16 };
	bool blank = false;
	for (; !blank && n - from >= BLOCK && ends->count <= LINE_ENDS - MANY; from += BLOCK) {
		__m512i v = _mm512_loadu_si512(p + from);
		uint64_t lf = equal64(v, '\n', 1), cr = equal64(v, '\r', 1);
		size_t *at = ends->at + ends->count;
		blank = lf & (lf | (cr & lf >> 1)) >> 1;
		if (__builtin_popcountll(lf) > MANY)
			break;
		ends->count += (size_t)__builtin_popcountll(lf);
		for (size_t i = 0; i < FEW; i++, lf &= lf - 1)
			at[i] = from + (size_t)_tzcnt_u64(lf);
		for (; lf; lf &= lf - 1)
			*(at++ + FEW) = from + (size_t)_tzcnt_u64(lf);
	}
	_mm256_zeroupper();
	if (!ends->count)
		find_ends(p, from, n, ends);
}
#endif

void line_ends(const uint8_t *p, size_t from, size_t n, struct line_ends *ends)
{
	ends->count = 0;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi")) {
		find_ends_avx512(p, from, n, ends);
		return;
	}
#endif
	find_ends(p, from, n, ends);
}

/* ---- */

size_t line_find(const uint8_t *p, size_t from, size_t n, unsigned which)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi"))
		return line_find_avx512(p, from, n, which);
	if (__builtin_cpu_supports("avx2"))
		return line_find_avx2(p, from, n, which);
#endif
	return line_find_vector(p, from, n, which);
}
