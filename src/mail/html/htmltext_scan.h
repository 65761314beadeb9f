/* Stretches of bytes in which nothing is the matter, 16 bytes at a time where the
 * machine can. */
#ifndef MAIL_HTML_HTMLTEXT_SCAN_H
#define MAIL_HTML_HTMLTEXT_SCAN_H

#include "text/ascii.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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

/* The index in [i, n) of the first `c`; n when there is none.  For what is short, as values are. */
static inline size_t scan_byte(const uint8_t *p, size_t i, size_t n, uint8_t c)
{
#if defined(__SSE2__)
	for (; i + 16 <= n; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		unsigned bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)c)));
		if (bits)
			return i + (size_t)__builtin_ctz(bits);
	}
#endif
	while (i < n && p[i] != c)
		i++;
	return i;
}

#if defined(__SSE2__)
/* A bit for each of the 16 bytes at p that is `/`, `=`, `>`, a blank or a control character. */
static inline unsigned scan_marks(const uint8_t *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v), slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('/'));
	__m128i other = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('=')), _mm_cmpeq_epi8(v, _mm_set1_epi8('>')));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(low, slash), other));
}
#endif

typedef uint8_t scan_bytes __attribute__((vector_size(16)));

/* The n <= 16 bytes at p, of which 16 can be read, in lower case, NULs made FF; NULs behind them. */
static inline void scan_lower(uint8_t out[16], const uint8_t *p, size_t n)
{
	static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
	scan_bytes v, keep;
	memcpy(&v, p, sizeof v);
	memcpy(&keep, kept + 16 - n, sizeof keep);
	v |= (scan_bytes)(v == 0);
	v |= (scan_bytes)(v - 'A' < 26) & 0x20;
	v &= keep;
	memcpy(out, &v, sizeof v);
}

static inline bool scan_is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

#if defined(__SSE2__)
/* TAB, LF, FF and CR made blanks. */
static inline __m128i scan_blanked(__m128i v)
{
	__m128i from_tab = _mm_sub_epi8(v, _mm_set1_epi8('\t'));
	__m128i space = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8('\r' - '\t')), from_tab);
	space = _mm_andnot_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\v')), space);
	return _mm_or_si128(_mm_andnot_si128(space, v), _mm_and_si128(space, _mm_set1_epi8(' ')));
}

/* As scan_blank, of at least 8 bytes: the last step may overlap the one before. */
static inline void scan_blank_long(uint8_t *out, const uint8_t *p, size_t n)
{
	size_t step = n < 16 ? 8 : 16;
	for (size_t i = 0;; i = i + 2 * step > n ? n - step : i + step) {
		__m128i v = step == 8 ? _mm_loadl_epi64((const __m128i *)(const void *)(p + i)) : _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		v = scan_blanked(v);
		if (step == 8)
			_mm_storel_epi64((__m128i *)(void *)(out + i), v);
		else
			_mm_storeu_si128((__m128i *)(void *)(out + i), v);
		if (i + step >= n)
			return;
	}
}
#endif

/* Copies n bytes, TAB, LF, FF and CR made blanks. */
static inline void scan_blank(uint8_t *out, const uint8_t *p, size_t n)
{
#if defined(__SSE2__)
	if (n >= 8) {
		scan_blank_long(out, p, n);
		return;
	}
#endif
	for (size_t i = 0; i < n; i++)
		out[i] = scan_is_space(p[i]) ? ' ' : p[i];
}

#endif
