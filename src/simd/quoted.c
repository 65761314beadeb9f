/* Quoted-printable (RFC 2045 section 6.7): the stretches that need no state. */
#include "simd_sets.h"

#include "text/ascii.h"

/* The hexadecimal digits, marked by HEX. */
enum { HEX = 0x80 };
static const uint8_t digits[256] = {
	['0'] = 0x80, ['1'] = 0x81, ['2'] = 0x82, ['3'] = 0x83, ['4'] = 0x84, ['5'] = 0x85, ['6'] = 0x86, ['7'] = 0x87,
	['8'] = 0x88, ['9'] = 0x89, ['A'] = 0x8A, ['B'] = 0x8B, ['C'] = 0x8C, ['D'] = 0x8D, ['E'] = 0x8E, ['F'] = 0x8F,
	['a'] = 0x8A, ['b'] = 0x8B, ['c'] = 0x8C, ['d'] = 0x8D, ['e'] = 0x8E, ['f'] = 0x8F
};

/* ---- Portable ---- */

/* After the soft line break at s, a `=`, blanks and a line end; NULL where there is none. */
static const uint8_t *after_break(const uint8_t *s, const uint8_t *end)
{
	size_t n = smaller((size_t)(end - s), QUOTED_BLANKS + 2), i = 1;
	while (i < n && is_blank(s[i]))
		i++;
	i += text_begins(s + i, n - i, "\r\n");
	return byte_at(s, i, n) == '\n' ? s + i + 1 : NULL;
}

/* Decodes escapes and soft line breaks that follow one another, or a literal byte apart; a `=` that begins neither is
 * literal.  Returns the end of what it took. */
static const uint8_t *take_escapes(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	uint8_t *o = *out;
	while (end - s > 2 && o < out_end) {
		uint8_t high = digits[s[1]], low = digits[s[2]];
		if (s[0] != '=') {
			if (s[1] != '=')
				break;
			*o++ = *s++;
		} else if (high & low & HEX) {
			*o++ = (uint8_t)(high << 4 | (low & 15));
			s += 3;
		} else if (s[1] == '\n') {
			s += 2;
		} else if (s[1] == '\r' && s[2] == '\n') {
			s += 3;
		} else if (is_blank(s[1]) || s[1] == '\r') {
			const uint8_t *after = after_break(s, end);
			if (!after)
				break;
			s = after;
		} else if (!high) {
			*o++ = *s++;
		} else if (out_end - o > 1) {
			*o++ = *s++;
			*o++ = *s++;
		} else {
			break;
		}
	}
	*out = o;
	return s;
}

/* Decodes literal bytes, of which the first i are copied, and the escapes after them.  The literal ones end before a
 * `=` and before blanks that may end their line, of which it passes over QUOTED_BLANKS at most. */
static inline const uint8_t *decode(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end,
                                    size_t i)
{
	const size_t n = smaller((size_t)(end - s), (size_t)(out_end - *out));
	for (; i < n && s[i] != '=' && !(is_blank(s[i]) && (i + 1 == n || is_line_end(s[i + 1]))); i++)
		(*out)[i] = s[i];
	if (i < n && s[i] != '=')
		for (size_t run = 0; run < QUOTED_BLANKS && i && is_blank(s[i - 1]); run++)
			i--;
	*out += i;
	return take_escapes(s + i, end, out, out_end);
}

const uint8_t *quoted_portable(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	return decode(s, end, out, out_end, 0);
}

/* ---- 16 bytes: `list` of quoted-printable mail 1.17 times as fast as with the portable form ---- */

const uint8_t *quoted_16(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	size_t n = smaller((size_t)(end - s), (size_t)(out_end - *out)), i = 0;
	for (unsigned stop = 0; !stop && n - i > 16; i += stop ? (size_t)__builtin_ctz(stop) : 16) {
		bytes16 a = bytes16_load(s + i), b = bytes16_load(s + i + 1);
		bytes16_store(*out + i, a);
		stop = bytes16_mask((bytes16)((a == '=') | (((a == ' ') | (a == '\t')) & ((b == '\n') | (b == '\r')))));
	}
	return decode(s, end, out, out_end, i);
}

#ifdef __x86_64__
/* ---- AVX-512: `list` of quoted-printable mail 1.33 times as fast, of other mail 1.04 ---- */

/* Decodes blocks, all bytes of each at once, up to a `=` that begins neither an escape nor a soft line break without
 * blanks, to blanks that may vanish, or nearly to the end of input or room. */
AVX512 static const uint8_t *take_blocks(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	const uint8_t *begin = s;
	const __m512i low_digits = load64(digits), high_digits = load64(digits + SIMD_BLOCK);
	uint8_t *o = *out;
	for (uint64_t odd = 0; !odd && end - s > SIMD_BLOCK + 2 && out_end - o >= SIMD_BLOCK;) {
		__m512i c = load64(s), next = load64(s + 1), third = load64(s + 2);
		__m512i high = _mm512_permutex2var_epi8(low_digits, next, high_digits);
		__m512i low = _mm512_permutex2var_epi8(low_digits, third, high_digits);
		uint64_t ascii = ~_mm512_movepi8_mask(_mm512_or_si512(next, third));
		uint64_t equals = equal64(c, '='), lf = equal64(next, '\n'), cr = equal64(next, '\r');
		uint64_t escapes = equals & ascii & _mm512_movepi8_mask(_mm512_and_si512(high, low));
		uint64_t crlf = equals & cr & equal64(third, '\n'), soft = crlf | (equals & lf);
		uint64_t three = escapes | crlf, more = escapes | soft;
		uint64_t vanishing = (equal64(c, ' ') | equal64(c, '\t')) & (lf | cr);
		odd = (equals & ~more) | vanishing;
		uint64_t before = (odd & -odd) - 1; /* all when there is none */
		uint64_t kept = ~(soft | more << 1 | three << 2) & before;
		__m512i byte = _mm512_or_si512(_mm512_and_si512(_mm512_slli_epi16(high, 4), _mm512_set1_epi8((char)0xF0)),
		                               _mm512_and_si512(low, _mm512_set1_epi8(15)));
		_mm512_storeu_si512(o, _mm512_maskz_compress_epi8(kept, _mm512_mask_mov_epi8(c, escapes, byte)));
		o += __builtin_popcountll(kept);
		s += odd ? (uint64_t)__builtin_ctzll(odd) : SIMD_BLOCK + (more >> 63) + (three >> 63) + (three >> 62 & 1);
	}
	/* back over the blanks before s, which may end their line: no more than show that the run is literal */
	const uint8_t *run = s;
	for (size_t blanks = 0; blanks <= QUOTED_BLANKS && run > begin && is_blank(run[-1]); blanks++)
		run--;
	*out = o - (s - run);
	_mm256_zeroupper();
	return run;
}

const uint8_t *quoted_avx512(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	s = take_blocks(s, end, out, out_end);
	return quoted_16(s, end, out, out_end);
}
#endif
