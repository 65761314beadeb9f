#include "transfer.h"

#include "quoted.h"
#include "text/ascii.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- The name ---- */

enum { LONGEST_NAME = 16 };

/* Behind the comment that begins at value[i] (RFC 5322 section 3.2.2). */
static size_t behind_comment(const uint8_t *value, size_t i, size_t n)
{
	for (size_t depth = 0; i < n; i++) {
		if (value[i] == '\\')
			i++;
		else if (value[i] == '(')
			depth++;
		else if (value[i] == ')' && --depth == 0)
			return i + 1;
	}
	return n;
}

enum transfer transfer_named(const uint8_t *value, size_t n)
{
	char name[LONGEST_NAME + 1];
	size_t length = 0;
	for (size_t i = 0; i < n && length <= LONGEST_NAME;) {
		uint8_t c = value[i];
		if (c == '(') {
			i = behind_comment(value, i, n);
			continue;
		}
		bool blank = c <= ' ' || c == '"' || c == '\'';
		if (c == ';' || c == ',' || (blank && length))
			break;
		if (!blank)
			name[length++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
		i++;
	}
	if (length == 6 && memcmp(name, "base64", 6) == 0)
		return TRANSFER_BASE64;
	return length == 16 && memcmp(name, "quoted-printable", 16) == 0 ? TRANSFER_QUOTED_PRINTABLE : TRANSFER_IDENTITY;
}

void transfer_begin(struct transfer_state *t, enum transfer encoding)
{
	*t = (struct transfer_state){ .encoding = encoding };
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t take_identity(const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	size_t n = smaller((size_t)(end - *p), room);
	if (n)
		memcpy(out, *p, n);
	*p += n;
	return n;
}

/* ---- Base64 ---- */

/* The values of the alphabet; X for what is no letter. */
enum { X = 0x40, PAD = 0x80, NO_LETTER = X | PAD };
static const uint8_t letters[256] = {
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  62, X,  X,   X,  63,
	52, 53, 54, 55, 56, 57, 58, 59, 60, 61, X,  X,  X,  PAD, X,  X,
	X,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13, 14,
	15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, X,  X,  X,   X,  X,
	X,  26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,  39, 40,
	41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
	X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,   X,  X,
};

/* Takes a byte; what comes out is at most one. */
static size_t take_letter(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	uint8_t value = letters[c];
	if (value == X)
		return 0;
	if (value == PAD) {
		t->held = 0;
		t->padded = true;
		return 0;
	}
	t->bits = t->bits << 6 | value;
	t->held += 6;
	if (t->held < 8)
		return 0;
	t->held -= 8;
	out[0] = (uint8_t)(t->bits >> t->held);
	return 1;
}

/* Decodes whole quanta of letters; returns where it came to. */
static const uint8_t *take_quanta(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	uint8_t *o = *out;
	while (end - s >= 4 && out_end - o >= 3) {
		uint32_t a = letters[s[0]], b = letters[s[1]], c = letters[s[2]], d = letters[s[3]];
		if ((a | b | c | d) & NO_LETTER)
			break;
		uint32_t v = a << 18 | b << 12 | c << 6 | d;
		o[0] = (uint8_t)(v >> 16);
		o[1] = (uint8_t)(v >> 8);
		o[2] = (uint8_t)v;
		o += 3;
		s += 4;
	}
	*out = o;
	return s;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline __m256i row(int8_t b0, int8_t b1, int8_t b2, int8_t b3, int8_t b4, int8_t b5,
	int8_t b6, int8_t b7, int8_t b8, int8_t b9, int8_t ba, int8_t bb, int8_t bc, int8_t bd, int8_t be, int8_t bf)
{
	return _mm256_broadcastsi128_si256(_mm_setr_epi8(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf));
}

/* The same by 32 letters, and passes over line ends between quanta.  A byte is a letter when its nibbles share a bit: SIGN
 * + and /, DIGIT, FIRST A to O, LAST P to Z; its value is the byte and an offset that
 * goes by the high nibble, but for `/`, which takes the one of a nibble not in use. */
enum { SIGN = 1, DIGIT = 2, FIRST = 4, LAST = 8 };
__attribute__((target("avx2"))) static const uint8_t *take_quanta_avx2(const uint8_t *s, const uint8_t *end, uint8_t **out,
                                                                      const uint8_t *out_end)
{
	enum { D = DIGIT | LAST, A = DIGIT | FIRST | LAST, F = FIRST };
	const __m256i low_bits = row(D, A, A, A, A, A, A, A, A, A, F | LAST, F | SIGN, F, F, F, F | SIGN);
	const __m256i high_bits = row(0, 0, SIGN, DIGIT, FIRST, LAST, FIRST, LAST, 0, 0, 0, 0, 0, 0, 0, 0);
	const __m256i offsets = row(0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0);
	const __m256i bytes = row(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
	const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
	uint8_t *o = *out;
	while (end - s >= 32 && out_end - o >= 32) {
		__m256i c = _mm256_loadu_si256((const __m256i *)(const void *)s);
		__m256i high = _mm256_and_si256(_mm256_srli_epi16(c, 4), nibble);
		__m256i letter = _mm256_and_si256(_mm256_shuffle_epi8(low_bits, _mm256_and_si256(c, nibble)),
		                                  _mm256_shuffle_epi8(high_bits, high));
		uint32_t stop = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(letter, zero));
		__m256i offset = _mm256_shuffle_epi8(offsets, _mm256_add_epi8(high, _mm256_cmpeq_epi8(c, _mm256_set1_epi8('/'))));
		__m256i v = _mm256_maddubs_epi16(_mm256_add_epi8(c, offset), _mm256_set1_epi16(1 << 8 | 64));
		v = _mm256_shuffle_epi8(_mm256_madd_epi16(v, _mm256_set1_epi32(1 << 16 | 64 * 64)), bytes);
		v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
		_mm256_storeu_si256((__m256i *)(void *)o, v);
		if (!stop) {
			s += 32;
			o += 24;
			continue;
		}
		unsigned quanta = (unsigned)__builtin_ctz(stop) / 4;
		s += quanta * 4;
		o += quanta * 3;
		const uint8_t *at = s;
		while (s < end && is_line_end(*s))
			s++;
		if (s == at)
			break;
	}
	_mm256_zeroupper(); /* gcc may forget it, and all SSE code would crawl */
	*out = o;
	return s;
}
#endif

/* Whether what is held of the line behind padding is text: base64 may be damaged, but words have
 * blanks and punctuation. */
static bool is_text(const struct transfer_state *t)
{
	size_t count = 0, blanks = 0, others = 0;
	for (size_t i = 0; i < t->line_length; i++) {
		uint8_t c = t->line[i];
		count += letters[c] != X;
		blanks += is_blank(c);
		others += letters[c] == X && !is_blank(c);
	}
	return others > 1 || blanks > 1 || (others + blanks > 0 && count < 16);
}

/* The line behind padding is over, or as long as it is held.  Text, and all that follows it, stands
 * for itself; whole quanta of letters are base64 again. */
static size_t end_line(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->line_length, used = 0, count = 0;
	t->plain = is_text(t);
	t->line_length = 0;
	if (t->plain) {
		out[0] = '\n';
		memcpy(out + 1, t->line, n);
		return n + 1;
	}
	for (size_t i = 0; i < n; i++)
		count += letters[t->line[i]] != X;
	t->padded = count % 4 != 0;
	for (size_t i = 0; i < n; i++)
		used += take_letter(t, t->line[i], out + used);
	return used;
}

/* A byte behind padding; at most LINE_HELD + 2 bytes come out. */
static size_t take_behind(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	if (c == '\n' && t->line_length) {
		size_t n = end_line(t, out);
		if (t->plain)
			out[n++] = c;
		return n;
	}
	if (is_line_end(c) || (!t->line_length && (is_blank(c) || letters[c] == PAD)))
		return 0;
	t->line[t->line_length++] = c;
	return t->line_length == LINE_HELD ? end_line(t, out) : 0;
}

static size_t decode_base64(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	const uint8_t *s = *p;
	uint8_t *o = out, *out_end = out + room;
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2");
#endif
	while (s < end && o < out_end) {
		if (t->plain) {
			o += take_identity(&s, end, o, (size_t)(out_end - o));
			continue;
		}
		if (t->padded) {
			if (out_end - o < LINE_HELD + 2)
				break;
			o += take_behind(t, *s++, o);
			continue;
		}
		if (!t->held) {
#if defined(__x86_64__)
			if (avx2)
				s = take_quanta_avx2(s, end, &o, out_end);
#endif
			s = take_quanta(s, end, &o, out_end);
			if (s == end || o == out_end)
				break;
		}
		o += take_letter(t, *s++, o);
		while (s < end && !t->padded && letters[*s] == X)
			s++;
	}
	*p = s;
	return (size_t)(o - out);
}

/* ---- All of them ---- */

size_t transfer_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	switch (t->encoding) {
	case TRANSFER_QUOTED_PRINTABLE: return quoted_decode(t, p, end, out, room);
	case TRANSFER_BASE64: return decode_base64(t, p, end, out, room);
	default: return take_identity(p, end, out, room);
	}
}

size_t transfer_finish(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->digit ? quoted_let_go(t, out) : t->line_length ? end_line(t, out) : 0;
	transfer_begin(t, t->encoding);
	return n;
}
