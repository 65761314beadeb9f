/* Stretches of bytes in which nothing is the matter, 16 bytes at a time where the
 * machine can. */
#ifndef MAIL_HTMLTEXT_SCAN_H
#define MAIL_HTMLTEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The index in [i, n) of the first byte that is a, b or NUL; n when there is none. */
static inline size_t scan_stop(const uint8_t *p, size_t i, size_t n, uint8_t a, uint8_t b)
{
#if defined(__SSE2__)
	const __m128i va = _mm_set1_epi8((char)a), vb = _mm_set1_epi8((char)b), zero = _mm_setzero_si128();
	for (; i + 16 <= n; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, va), _mm_cmpeq_epi8(v, vb));
		unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(hit, _mm_cmpeq_epi8(v, zero)));
		if (bits)
			return i + (size_t)__builtin_ctz(bits);
	}
#endif
	while (i < n && p[i] && p[i] != a && p[i] != b)
		i++;
	return i;
}

static inline bool scan_is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
static inline bool scan_is_letter(uint8_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
static inline bool scan_is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

/* Copies n bytes, TAB, LF, FF and CR made blanks.  Whether there was one. */
static inline bool scan_blank(uint8_t *out, const uint8_t *p, size_t n)
{
	bool any = false;
	size_t i = 0;
#if defined(__SSE2__)
	const __m128i tab = _mm_set1_epi8('\t'), four = _mm_set1_epi8(4), two = _mm_set1_epi8(2), blank = _mm_set1_epi8(' ');
	__m128i seen = _mm_setzero_si128();
	for (; i + 16 <= n; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i from_tab = _mm_sub_epi8(v, tab);
		__m128i space = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, four), from_tab);
		space = _mm_andnot_si128(_mm_cmpeq_epi8(from_tab, two), space);
		seen = _mm_or_si128(seen, space);
		v = _mm_or_si128(_mm_andnot_si128(space, v), _mm_and_si128(space, blank));
		_mm_storeu_si128((__m128i *)(void *)(out + i), v);
	}
	any = _mm_movemask_epi8(seen) != 0;
#endif
	for (; i < n; i++) {
		out[i] = scan_is_space(p[i]) ? ' ' : p[i];
		any |= out[i] != p[i];
	}
	return any;
}

#endif
