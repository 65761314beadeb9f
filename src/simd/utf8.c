/* UTF-8: how far it is valid. */
#include "simd_sets.h"

#include "text/unicode.h"

size_t utf8_ascii_words(const uint8_t *p, size_t n)
{
	size_t i = 0;
	for (uint64_t w; n - i >= sizeof w && (memcpy(&w, p + i, sizeof w), !(w & 0x8080808080808080)); i += sizeof w)
		;
	return i;
}

/* ---- Portable ---- */

size_t utf8_valid_portable(const uint8_t *p, size_t n)
{
	size_t i = 0, k = 1;
	uint32_t cp;
	bool cut;
	for (; i < n && k; i += k) {
		i += utf8_ascii_words(p + i, n - i);
		k = i < n ? utf8_sequence(p + i, n - i, &cp, &cut) : 0;
	}
	return i;
}

#ifdef __x86_64__
/* ---- AVX2: `list` of mail in UTF-8 1.3 to 1.5 times as fast ---- */

/* What is wrong with a byte after another one, a bit each, after the well-formed sequences of the
 * Unicode Standard (table 3-7).  Each of the three nibbles that decide (all of the first byte, the high one of the
 * second) has the bits that it does not rule out: what all three have is wrong, but for TWICE. */
enum {
	LONE = 1,         /* a continuation after ASCII */
	CUT = 2,          /* a lead before no continuation */
	SHORT_2 = 4,      /* C0, C1 */
	SHORT_3 = 8,      /* E0 before 80 to 9F */
	SURROGATE = 16,   /* ED before A0 to BF */
	FOUR_LOW = 32,    /* F0, and F5 and more, before 80 to 8F */
	FOUR_HIGH = 64,   /* F4 and more before 90 to BF */
	TWICE = 128,      /* a continuation after another: due after a lead of three or four */
	ALWAYS = LONE | CUT | TWICE, /* whatever the low nibble */
	BEYOND = ALWAYS | FOUR_LOW | FOUR_HIGH,
	AFTER = LONE | SHORT_2 | TWICE /* any continuation */
};

/* The bytes k before those of v; `before` is the block before it. */
#define BYTES_BEFORE(v, before, k) _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 16 - (k))

/* Non-zero where the block is wrong, or goes on wrongly from the one before. */
AVX2 static inline __m256i wrong(__m256i v, __m256i before)
{
	static const uint8_t first_high[16] = {
		LONE, LONE, LONE, LONE, LONE, LONE, LONE, LONE, TWICE, TWICE, TWICE, TWICE,
		CUT | SHORT_2, CUT, CUT | SHORT_3 | SURROGATE, CUT | FOUR_LOW | FOUR_HIGH
	};
	static const uint8_t first_low[16] = {
		ALWAYS | SHORT_2 | SHORT_3 | FOUR_LOW, ALWAYS | SHORT_2, ALWAYS, ALWAYS, ALWAYS | FOUR_HIGH, BEYOND, BEYOND,
		BEYOND, BEYOND, BEYOND, BEYOND, BEYOND, BEYOND, BEYOND | SURROGATE, BEYOND, BEYOND
	};
	static const uint8_t second_high[16] = {
		CUT, CUT, CUT, CUT, CUT, CUT, CUT, CUT, AFTER | SHORT_3 | FOUR_LOW, AFTER | SHORT_3 | FOUR_HIGH,
		AFTER | SURROGATE | FOUR_HIGH, AFTER | SURROGATE | FOUR_HIGH, CUT, CUT, CUT, CUT
	};
	__m256i first = BYTES_BEFORE(v, before, 1), second = BYTES_BEFORE(v, before, 2), third = BYTES_BEFORE(v, before, 3);
	__m256i bits = _mm256_shuffle_epi8(row32(first_high), high32(first));
	bits = _mm256_and_si256(bits, _mm256_shuffle_epi8(row32(first_low), low32(first)));
	bits = _mm256_and_si256(bits, _mm256_shuffle_epi8(row32(second_high), high32(v)));
	/* the top bit is set two bytes after E0 and more, three after F0 and more */
	__m256i due = _mm256_or_si256(_mm256_subs_epu8(second, _mm256_set1_epi8(0xE0 - 0x80)),
	                              _mm256_subs_epu8(third, _mm256_set1_epi8(0xF0 - 0x80)));
	return _mm256_xor_si256(bits, _mm256_and_si256(due, _mm256_set1_epi8((char)TWICE)));
}

/* Blocks of 32 bytes; returns where a character begins, with nothing wrong before it. */
AVX2 static size_t valid_blocks(const uint8_t *p, size_t n)
{
	__m256i before = _mm256_setzero_si256();
	size_t i = 0, back = 0;
	for (; n - i >= 32; i += 32) {
		__m256i v = load32(p + i);
		if (tops32(_mm256_or_si256(v, before))) {
			__m256i bits = wrong(v, before);
			if (!_mm256_testz_si256(bits, bits))
				break;
		}
		before = v;
	}
	_mm256_zeroupper(); /* gcc may forget it */
	/* the last character may be cut */
	while (back < 3 && back < i && within(p[i - back - 1], 0x80, 0xBF))
		back++;
	return back < i && p[i - back - 1] >= 0xC0 ? i - back - 1 : i;
}

size_t utf8_valid_avx2(const uint8_t *p, size_t n)
{
	size_t i = n >= 32 ? valid_blocks(p, n) : 0;
	return i + utf8_valid_portable(p + i, n - i);
}
#endif
