#include "transfer.h"

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

/* ---- Quoted-printable ---- */

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t'; }
static bool is_line_end(uint8_t c) { return c == '\n' || c == '\r'; }

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
static size_t let_go(struct transfer_state *t, uint8_t *out)
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
	size_t n = let_go(t, out);
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
	size_t n = t->digit ? let_go(t, out) : 0;
	if (is_blank(c))
		return n + take_blank(t, c, out + n);
	if (is_line_end(c)) {
		transfer_begin(t, t->encoding); /* the blanks vanish */
		t->after_cr = open && c == '\r';
		if (open || (after_cr && c == '\n'))
			return n;
	} else {
		n += let_go(t, out + n);
		t->equals = c == '=';
	}
	if (!t->equals)
		out[n++] = c;
	return n;
}

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

static size_t decode_quoted(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	const uint8_t *s = *p;
	uint8_t *o = out, *out_end = out + room;
	while (s < end && (size_t)(out_end - o) > held_bytes(t)) {
		/* a run of blanks that is let go */
		while (t->blanks > TRANSFER_BLANKS && s < end && o < out_end && is_blank(*s))
			*o++ = *s++;
		if (s == end || o == out_end)
			break;
		if (*s == '=' && holds(t))
			o += let_go(t, o); /* no escape goes on with it */
		if (!holds(t)) {
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
	case TRANSFER_QUOTED_PRINTABLE: return decode_quoted(t, p, end, out, room);
	case TRANSFER_BASE64: return decode_base64(t, p, end, out, room);
	default: return take_identity(p, end, out, room);
	}
}

size_t transfer_finish(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->digit ? let_go(t, out) : t->line_length ? end_line(t, out) : 0;
	transfer_begin(t, t->encoding);
	return n;
}
