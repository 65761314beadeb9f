/* Quoted-printable undone (RFC 2045 section 6.7). */
#include "quoted.h"

#include "text/ascii.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* The hexadecimal digits, told by HEX (a table, for which digits come is hard to foresee). */
enum { HEX = 0x80 };
static const uint8_t digits[256] = {
	['0'] = 0x80, ['1'] = 0x81, ['2'] = 0x82, ['3'] = 0x83, ['4'] = 0x84, ['5'] = 0x85, ['6'] = 0x86, ['7'] = 0x87,
	['8'] = 0x88, ['9'] = 0x89, ['A'] = 0x8A, ['B'] = 0x8B, ['C'] = 0x8C, ['D'] = 0x8D, ['E'] = 0x8E, ['F'] = 0x8F,
	['a'] = 0x8A, ['b'] = 0x8B, ['c'] = 0x8C, ['d'] = 0x8D, ['e'] = 0x8E, ['f'] = 0x8F
};

static uint8_t hex_byte(uint8_t high, uint8_t low)
{
	return (uint8_t)(digits[high] << 4 | (digits[low] & 15));
}

static size_t held_blanks(const struct transfer_state *t) { return t->blanks > TRANSFER_BLANKS ? 0 : t->blanks; }
static size_t held_bytes(const struct transfer_state *t) { return (t->equals ? 1u : 0u) + (t->digit ? 1u : 0u) + held_blanks(t); }

static bool holds(const struct transfer_state *t)
{
	return t->equals || t->blanks || t->after_cr;
}

/* What was held turned out to be text. */
size_t quoted_let_go(struct transfer_state *t, uint8_t *out)
{
	size_t n = 0;
	if (t->equals)
		out[n++] = '=';
	if (t->digit)
		out[n++] = t->digit;
	for (size_t i = 0; i < held_blanks(t); i++)
		out[n++] = t->tabs >> i & 1 ? '\t' : ' ';
	transfer_begin(t, t->encoding);
	return n;
}

/* Holds a blank, or lets it go with all of its run. */
static size_t take_blank(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	if (t->blanks < TRANSFER_BLANKS) {
		t->tabs |= (uint64_t)(c == '\t') << t->blanks++;
		return 0;
	}
	size_t n = quoted_let_go(t, out);
	t->blanks = TRANSFER_BLANKS + 1;
	out[n++] = c;
	return n;
}

/* Takes a byte, whatever is held.  At most one more byte comes out than was held. */
static size_t take_quoted(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	if (t->equals && !t->blanks && digits[c] & HEX) {
		if (!t->digit)
			return t->digit = c, 0;
		out[0] = hex_byte(t->digit, c);
		transfer_begin(t, t->encoding);
		return 1;
	}
	bool open = t->equals && !t->digit, after_cr = t->after_cr;
	t->after_cr = false;
	size_t n = t->digit ? quoted_let_go(t, out) : 0;
	if (is_blank(c))
		return n + take_blank(t, c, out + n);
	if (is_line_end(c)) {
		transfer_begin(t, t->encoding); /* the blanks vanish */
		t->after_cr = open && c == '\r';
		if (open || (after_cr && c == '\n'))
			return n;
	} else {
		n += quoted_let_go(t, out + n);
		t->equals = c == '=';
	}
	if (!t->equals)
		out[n++] = c;
	return n;
}

/* ---- In runs ---- */

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

static size_t copy_vectors(const uint8_t *s, size_t n, uint8_t *out)
{
	size_t i = 0;
	for (; n - i > sizeof(bytes16); i += sizeof(bytes16)) {
		bytes16 a, b;
		memcpy(&a, s + i, sizeof a);
		memcpy(&b, s + i + 1, sizeof b);
		memcpy(out + i, &a, sizeof a);
		words2 stop = (words2)((a == '=') | (((a == ' ') | (a == '\t')) & ((b == '\n') | (b == '\r'))));
		if (stop[0])
			return i + (size_t)__builtin_ctzll(stop[0]) / 8;
		if (stop[1])
			return i + 8 + (size_t)__builtin_ctzll(stop[1]) / 8;
	}
	return i;
}
#else
static size_t copy_vectors(const uint8_t *s, size_t n, uint8_t *out)
{
	return (void)s, (void)n, (void)out, 0;
}
#endif

/* Copies what stands for itself; returns its length.  It ends before a `=` and
 * before blanks that may end their line (no more of a run than counts). */
static size_t copy_plain(const uint8_t *s, size_t n, uint8_t *out)
{
	size_t i = copy_vectors(s, n, out);
	while (i < n && s[i] != '=' && !(is_blank(s[i]) && (i + 1 == n || is_line_end(s[i + 1])))) {
		out[i] = s[i];
		i++;
	}
	if (i < n && s[i] != '=')
		for (size_t run = 0; run < TRANSFER_BLANKS && i && is_blank(s[i - 1]); run++)
			i--;
	return i;
}

/* Behind the soft line break whose `=` is at s, blanks behind it; NULL where none is seen. */
static const uint8_t *behind_break(const uint8_t *s, const uint8_t *end)
{
	size_t n = smaller((size_t)(end - s), TRANSFER_BLANKS + 2), i = 1;
	while (i < n && is_blank(s[i]))
		i++;
	if (i < n && s[i] == '\n')
		return s + i + 1;
	return i + 1 < n && s[i] == '\r' && s[i + 1] == '\n' ? s + i + 2 : NULL;
}

/* Undoes the `=XX` and soft line breaks that follow one another, or a single byte apart, which is
 * text, as a `=` is before what makes neither; returns behind them. */
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
			const uint8_t *behind = behind_break(s, end);
			if (!behind)
				break;
			s = behind;
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

/* ---- By blocks ---- */

#if defined(__x86_64__)
enum { BLOCK = 64 };
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,popcnt")))

AVX512 static inline uint64_t equal64(__m512i v, char c) { return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)); }

/* Back over the blanks before s, which may end their line, and no more of a run than tells that it does not vanish. */
static const uint8_t *run_begin(const uint8_t *s, const uint8_t *begin)
{
	for (size_t run = 0; run <= TRANSFER_BLANKS && s > begin && is_blank(s[-1]); run++)
		s--;
	return s;
}

/* Decodes blocks, all bytes of each at once, up to a `=` that is neither of `=XX` nor of a bare soft line
 * break, to blanks that may vanish, or to where input or room come near their ends; returns where it came to. */
AVX512 static const uint8_t *take_blocks(const uint8_t *s, const uint8_t *end, uint8_t **out, const uint8_t *out_end)
{
	const uint8_t *begin = s;
	const __m512i low_digits = _mm512_loadu_si512(digits), high_digits = _mm512_loadu_si512(digits + BLOCK);
	uint8_t *o = *out;
	for (uint64_t odd = 0; !odd && end - s > BLOCK + 2 && out_end - o >= BLOCK;) {
		__m512i c = _mm512_loadu_si512(s), next = _mm512_loadu_si512(s + 1), third = _mm512_loadu_si512(s + 2);
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
		o += _mm_popcnt_u64(kept);
		s += odd ? (uint64_t)__builtin_ctzll(odd) : BLOCK + (more >> 63) + (three >> 63) + (three >> 62 & 1);
	}
	const uint8_t *run = run_begin(s, begin);
	*out = o - (s - run);
	_mm256_zeroupper(); /* gcc may forget it, and all SSE code would crawl */
	return run;
}

static bool has_blocks(void)
{
	return __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw")
	       && __builtin_cpu_supports("bmi");
}
#endif

size_t quoted_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	const uint8_t *s = *p;
	uint8_t *o = out, *out_end = out + room;
#if defined(__x86_64__)
	bool blocks = has_blocks();
#endif
	while (s < end && (size_t)(out_end - o) > held_bytes(t)) {
		/* a run of blanks that is let go */
		while (t->blanks > TRANSFER_BLANKS && s < end && o < out_end && is_blank(*s))
			*o++ = *s++;
		if (s == end || o == out_end)
			break;
		if (*s == '=' && holds(t))
			o += quoted_let_go(t, o); /* no escape goes on with it */
		if (!holds(t)) {
#if defined(__x86_64__)
			if (blocks)
				s = take_blocks(s, end, &o, out_end);
#endif
			size_t n = copy_plain(s, smaller((size_t)(end - s), (size_t)(out_end - o)), o);
			o += n;
			const uint8_t *behind = take_escapes(s + n, end, &o, out_end);
			bool more = behind > s + n;
			s = behind;
			if (more || s == end || o == out_end)
				continue;
		}
		o += take_quoted(t, *s++, o);
	}
	*p = s;
	return (size_t)(o - out);
}
