/* The shape of a link: where the host and the bytes end that need no rule of their own. */
#include "simd_sets.h"

#define X URL_OWN | URL_HOST
#define U URL_OWN
#define T URL_TRAIL
#define D URL_DELIMITER
#define E URL_STOP
#define O URL_OPEN
#define C URL_CLOSE
#define P URL_SPLIT
#define H URL_HIGH
const uint16_t url_class[256] = {
	/* 00 */ E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E,
	/*  !"#$%&' */ E, T, E, D, U, U, U | URL_AMPERSAND, URL_APOSTROPHE,
	/* ()*+,-./ */ O, C, T, U, P, X, T | URL_HOST, D | U,
	/* 0-9 :;<=>? */ X, X, X, X, X, X, X, X, X, X, T, P, E, U, E, D,
	/* @A-O */ T, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* P-Z[\]^_ */ X, X, X, X, X, X, X, X, X, X, X, O, URL_BACKSLASH, C, U, U | URL_UNDERSCORE,
	/* `a-o */ E, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* p-z{|}~ DEL */ X, X, X, X, X, X, X, X, X, X, X, O, P, C, U, E,
	/* 80 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	/* A0 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	/* C0 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	/* E0 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H
};
#undef X
#undef U
#undef T
#undef D
#undef E
#undef O
#undef C
#undef P
#undef H

/* ---- Portable ---- */

static size_t inner_end(const uint8_t *p, size_t i, size_t n)
{
	while (i < n && url_class[p[i]] & URL_INNER)
		i++;
	return i;
}

struct link_shape link_shape_portable(const uint8_t *p, size_t n)
{
	size_t i = 0;
	uint8_t before = '.';
	for (; i < n && url_class[p[i]] & URL_HOST; before = p[i++])
		if ((p[i] == '.' || p[i] == '-') && (before == '.' || (p[i] == '.' && before == '-')))
			return (struct link_shape){0, false, 0};
	if (before == '.' || before == '-') /* also without a host, so that nothing is read for each of many */
		return (struct link_shape){0, false, 0};
	return (struct link_shape){(uint32_t)i, false, inner_end(p, i, n)};
}

/* ---- Pairs of bytes ---- */

typedef bytes16 pair_test(bytes16 before, bytes16 c);

enum { NEUTRAL = 'a' }; /* no test is true of it */

/* At most 16 bytes, neutral ones after them. */
__attribute__((noinline)) static bytes16 load_short(const uint8_t *p, size_t n)
{
	bytes16 v = (bytes16){0} + NEUTRAL;
	memcpy(&v, p, n);
	return v;
}

/* Whether the test is true of one of p[1], ..., p[n - 1] and the byte before it. */
__attribute__((always_inline)) static inline bool any_pair(const uint8_t *p, size_t n, pair_test *test)
{
	bytes16 found = {0};
	if (n <= 16)
		return n > 1 && bytes16_any(test(load_short(p, n - 1), load_short(p + 1, n - 1)));
	for (size_t i = 1; i + 16 < n; i += 16)
		found |= test(bytes16_load(p + i - 1), bytes16_load(p + i));
	return bytes16_any(found | test(bytes16_load(p + n - 17), bytes16_load(p + n - 16)));
}

static inline bytes16 odd16(bytes16 before, bytes16 c)
{
	return (bytes16)(((c & 0xF9) == 0x21) | (c == '^') | ((c == '-') & (before == '-')));
}

bool link_is_odd(const uint8_t *p, size_t n) { return any_pair(p, n, odd16); }

static inline bytes16 upper16(bytes16 before, bytes16 c)
{
	(void)before;
	return (bytes16)((bytes16)(c - 'A') < 26);
}

static inline bytes16 dot16(bytes16 before, bytes16 c) { return (bytes16)((c == '.') & (before == '/')); }

bool link_has_upper(const uint8_t *p, size_t n) { return any_pair(p, n, upper16); }
bool link_has_dots(const uint8_t *p, size_t n) { return any_pair(p, n, dot16); }

static inline bytes16 stop16(bytes16 before, bytes16 c)
{
	/* [ \ ] ^ and { | } differ by one bit, as do < and > */
	bytes16 high = (bytes16)(((c | 0x20) >= '{') & (c != '~') & (c != '_'));
	bytes16 odd = (bytes16)(((c & 0xF9) == 0x21) | ((c == '-') & (before == '-')));
	return high | odd | (bytes16)((c <= ' ') | (c == '"') | ((c & 0xFD) == '<') | (c == '`'));
}

bool link_has_stop(const uint8_t *p, size_t n) { return any_pair(p, n, stop16); }

static inline bytes16 blank16(bytes16 before, bytes16 c)
{
	return (bytes16)((c < ' ') | (c > '~') | ((c == ' ') & (before == ' ')));
}

bool label_has_odd(const uint8_t *p, size_t n) { return any_pair(p, n, blank16); }

#ifdef __x86_64__
/* ---- AVX2: `list` of bare URLs 1.8 times as fast as with the portable form ---- */

/* The classes by nibbles: bit h of row l stands for the byte of the high nibble h and the low nibble l.  Calm: inner
 * and not odd by itself. */
static const uint8_t inner_rows[16] = {
	0xB8, 0xFC, 0xF8, 0xFC, 0xFC, 0xFC, 0xFC, 0xF8, 0xF8, 0xF8, 0xFC, 0x54, 0x50, 0x5C, 0xF4, 0x7C
};
static const uint8_t calm_rows[16] = {
	0xB8, 0xF8, 0xF8, 0xF8, 0xFC, 0xF8, 0xFC, 0xF8, 0xF8, 0xF8, 0xFC, 0x54, 0x50, 0x5C, 0xD4, 0x7C
};
static const uint8_t host_rows[16] = {
	0xA8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF0, 0x50, 0x50, 0x54, 0x54, 0x50
};

/* Where the labels of the host in 32 bytes begin, whose end is a bit of `end`; 0 for a host that link_shape refuses.
 * Refused are a mark at the beginning or after a full stop, a full stop or the end after a mark. */
static inline uint32_t labels_in(uint32_t end, uint32_t stops, uint32_t hyphens)
{
	uint32_t inside = end - 1, marks = stops | hyphens, labels = (stops << 1 | 1) & inside;
	return (((stops & inside) | end) & marks << 1) | (marks & labels) ? 0 : labels;
}

/* A bit for the high nibble of each byte; none for a byte beyond ASCII. */
AVX2 static inline __m256i high_bits(__m256i bytes)
{
	static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128};
	return _mm256_shuffle_epi8(row32(bit), high32(bytes));
}

/* FF for each byte that is not in the rows. */
AVX2 static inline __m256i outside(__m256i bytes, __m256i high, const uint8_t rows[16])
{
	__m256i classes = _mm256_and_si256(_mm256_shuffle_epi8(row32(rows), bytes), high);
	return _mm256_cmpeq_epi8(classes, _mm256_setzero_si256());
}

AVX2 static inline __m256i equal32(__m256i bytes, char c) { return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)); }

/* The end of the inner bytes from i on. */
AVX2 static inline size_t inner_end32(const uint8_t *p, size_t i, size_t n)
{
	for (; n - i >= 32; i += 32) {
		__m256i v = load32(p + i);
		uint32_t stop = tops32(outside(v, high_bits(v), inner_rows));
		if (stop)
			return i + (size_t)__builtin_ctz(stop);
	}
	return inner_end(p, i, n);
}

AVX2 struct link_shape link_shape_avx2(const uint8_t *p, size_t n)
{
	if (n < 64)
		return link_shape_portable(p, n);
	__m256i a = load32(p), b = load32(p + 32), high = high_bits(a);
	uint32_t hyphens = tops32(equal32(a, '-'));
	uint32_t foreign = tops32(outside(a, high, host_rows));
	uint32_t labels = labels_in(foreign & -foreign, tops32(equal32(a, '.')), hyphens);
	if (!foreign || !labels)
		return link_shape_portable(p, n);
	/* the second of two hyphens is not calm */
	__m256i second = _mm256_and_si256(equal32(b, '-'), equal32(load32(p + 31), '-'));
	uint32_t low = tops32(outside(a, high, calm_rows)) | (hyphens & hyphens << 1);
	uint64_t stop = low | (uint64_t)tops32(_mm256_or_si256(outside(b, high_bits(b), calm_rows), second)) << 32;
	size_t end = stop ? (size_t)__builtin_ctzll(stop) : 64;
	bool calm = stop && !(url_class[p[end]] & URL_INNER);
	return (struct link_shape){(uint32_t)__builtin_ctz(foreign), calm && p[31 - __builtin_clz(labels)] > '9',
	                           calm ? end : inner_end32(p, end, n)};
}
#endif
