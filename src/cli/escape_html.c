#include "escape.h"
#include "escape_html_variants.h"

#include "text/uclass.h"
#include "text/utf8.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { BLOCK = ESCAPE_BLOCK };

static const struct entity {
	char text[7];
	uint8_t length;
} entities[] = {
	['&'] = { "&amp;", 5 }, ['<'] = { "&lt;", 4 }, ['>'] = { "&gt;", 4 }, ['"'] = { "&#34;", 5 }, ['\''] = { "&#39;", 5 }
};
enum { ENTITY_LAST = '>' };

/* Whether something must be done about a byte: it is an ASCII control (TAB is
 * none, and LF with `lines`), has an entity, or is beyond ASCII. */
static inline bool is_stop(uint8_t c, bool lines)
{
	if (c < 0x20)
		return c != '\t' && !(c == '\n' && lines);
	return c >= 0x7f || (c <= ENTITY_LAST && entities[c].length);
}

/* ---- One stop ---------------------------------------------------------------- */

/* One store for the whole row is quicker than as many bytes as count. */
static inline size_t put_entity(char *to, uint8_t c)
{
	memcpy(to, &entities[c], sizeof *entities);
	return entities[c].length;
}

static size_t put_character(char *to, uint32_t cp)
{
	if (cp <= ENTITY_LAST && entities[cp].length)
		return put_entity(to, (uint8_t)cp);
	if (cp == '\r')
		cp = '\n';
	else if ((cp < 0x20 && cp != '\t' && cp != '\n') || (cp >= 0x7f && cp < 0xa0))
		cp = 0xfffd;
	return utf8_put((uint8_t *)to, cp);
}

/* Bytes of the character at p, which is beyond ASCII, when it may stand in HTML
 * as it is, else 0 and *cp.  Most scripts are answered without a decoder. */
static inline size_t plain_sequence(const uint8_t *p, size_t n, uint32_t *cp)
{
	if (n >= 2 && p[0] >= 0xc3 && p[0] <= 0xdf && (p[1] & 0xc0) == 0x80 && !(p[0] == 0xd8 && p[1] == 0x9c))
		return 2;
	if (n >= 3 && p[0] >= 0xe1 && p[0] <= 0xec && p[0] != 0xe2 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80)
		return 3;
	bool cut;
	size_t k = utf8_sequence(p, n, cp, &cut);
	if (k == 0)
		*cp = utf8_windows_1252(p[0]);
	return k && *cp >= 0xa0 && !uclass_is_bidi(*cp) ? k : 0;
}

/* Characters beyond ASCII from p[i] on, up to about p[end]; returns the bytes
 * taken, which is 0 at a bidi control. */
static size_t put_beyond(char **to, const uint8_t *p, size_t i, size_t end, size_t n)
{
	size_t from = i;
	uint32_t cp = 0;
	for (size_t k; i < end && p[i] >= 0x80 && (k = plain_sequence(p + i, n - i, &cp)) > 0;)
		i += k;
	if (i > from) {
		memcpy(*to, p + from, i - from);
		*to += i - from;
		return i - from;
	}
	if (uclass_is_bidi(cp))
		return 0;
	*to += put_character(*to, cp);
	return cp < 0xa0 && p[i] == 0xc2 ? 2 : 1; /* a C1 control, or a byte of windows-1252 */
}

/* A quote mark may stand at p[i]: whether one does is the caller's to find out. */
static inline bool may_be_mark(const uint8_t *p, size_t i)
{
	return p[i] == '>' && (i == 0 || p[i - 1] == ' ' || p[i - 1] == '\n' || p[i - 1] == '\r');
}

/* The byte at p[i], for which is_stop is true; returns the bytes taken, which is 0
 * where the caller's care is needed. */
static inline size_t put_stop(char **to, const uint8_t *p, size_t i, size_t end, size_t n, bool lines)
{
	uint8_t c = p[i];
	if (c >= 0x80)
		return put_beyond(to, p, i, end, n);
	if (c >= 0x20 && c <= ENTITY_LAST) {
		if (lines && may_be_mark(p, i))
			return 0;
		*to += put_entity(*to, c);
		return 1;
	}
	if (lines ? c == '\r' && i + 1 == n : c == '\n' || c == '\r')
		return 0;
	if (c != '\r' || p[i + 1] != '\n') /* CRLF is one line end */
		*to += put_character(*to, c);
	return 1;
}

/* ---- A run --------------------------------------------------------------------- */

/* A bit for each of the n <= BLOCK bytes at p for which is_stop is true. */
typedef uint64_t stops_fn(const uint8_t *p, size_t n, bool lines);

static inline void copy_block(char *to, const uint8_t *p, size_t left)
{
	if (left >= BLOCK)
		memcpy(to, p, BLOCK);
	else
		memcpy(to, p, left);
}

/* Everything up to the next stop is copied before it is known where that is: the
 * stop's own output overwrites what was too much. */
__attribute__((always_inline)) static inline size_t run(char **out, const char *limit, const uint8_t *p, size_t n,
                                                        bool lines, stops_fn *stops)
{
	char *to = *out;
	size_t i = 0;
	while (i < n && to < limit) {
		size_t end = n - i < BLOCK ? n : i + BLOCK;
		uint64_t m = stops(p + i, end - i, lines);
		copy_block(to, p + i, n - i);
		while (m) {
			unsigned k = (unsigned)__builtin_ctzll(m);
			i += k;
			to += k;
			size_t taken = put_stop(&to, p, i, end, n, lines);
			i += taken;
			if (taken == 0 || i >= end)
				break;
			m = m >> k >> taken;
			copy_block(to, p + i, n - i);
		}
		if (m && i < end)
			break;
		if (i < end) {
			to += end - i;
			i = end;
		}
	}
	*out = to;
	return i;
}

static inline uint64_t stops_portable(const uint8_t *p, size_t n, bool lines)
{
	uint64_t m = 0;
	for (size_t i = 0; i < n; i++)
		m |= (uint64_t)is_stop(p[i], lines) << i;
	return m;
}

size_t escape_run_portable(char **to, const char *limit, const uint8_t *p, size_t n, bool lines)
{
	return run(to, limit, p, n, lines, stops_portable);
}

#if defined(__x86_64__)
static inline uint64_t stops16(const uint8_t *p, bool lines)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i good = _mm_or_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(0x1f)), _mm_cmpeq_epi8(x, _mm_set1_epi8('\t')));
	if (lines)
		good = _mm_or_si128(good, _mm_cmpeq_epi8(x, _mm_set1_epi8('\n')));
	/* `<` and `>` differ in one bit, and so do `&` and `'`. */
	__m128i bad = _mm_cmpeq_epi8(_mm_and_si128(x, _mm_set1_epi8((char)0xfd)), _mm_set1_epi8('<'));
	bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_and_si128(x, _mm_set1_epi8((char)0xfe)), _mm_set1_epi8('&')));
	bad = _mm_or_si128(bad, _mm_cmpeq_epi8(x, _mm_set1_epi8('"')));
	bad = _mm_or_si128(bad, _mm_cmpeq_epi8(x, _mm_set1_epi8(0x7f)));
	return (uint64_t)_mm_movemask_epi8(_mm_andnot_si128(bad, good)) ^ 0xffff;
}

/* The last 16 bytes may be looked at twice, so that nothing beyond them is. */
static inline uint64_t stops_sse2(const uint8_t *p, size_t n, bool lines)
{
	if (n < 16)
		return stops_portable(p, n, lines);
	uint64_t m = stops16(p + n - 16, lines) << (n - 16);
	for (size_t i = 0; n - i > 16; i += 16)
		m |= stops16(p + i, lines) << i;
	return m;
}

size_t escape_run_sse2(char **to, const char *limit, const uint8_t *p, size_t n, bool lines)
{
	return run(to, limit, p, n, lines, stops_sse2);
}

/* A byte is a stop when it is found in the rows of both its nibbles.  A row has a
 * bit for each high nibble that has stops: 0, 1, 2, 3, 7, and all from 8 on. */
__attribute__((target("avx2"))) static inline uint64_t stops32(const uint8_t *p, bool lines)
{
	enum { C0 = 1, C1 = 2, TWO = 4, THREE = 8, SEVEN = 16, HIGH = 32, ANY = C0 | C1 | HIGH };
	const __m256i high_row = _mm256_broadcastsi128_si256(_mm_setr_epi8(
		C0, C1, TWO, THREE, 0, 0, 0, SEVEN, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH));
	const __m256i low_row = _mm256_broadcastsi128_si256(_mm_setr_epi8(
		ANY, ANY, ANY | TWO, ANY, ANY, ANY, ANY | TWO, ANY | TWO, ANY, C1 | HIGH, (char)(lines ? C1 | HIGH : ANY), ANY,
		ANY | THREE, ANY, ANY | THREE, ANY | SEVEN));
	const __m256i nibble = _mm256_set1_epi8(15);
	__m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i low = _mm256_shuffle_epi8(low_row, _mm256_and_si256(x, nibble));
	__m256i high = _mm256_shuffle_epi8(high_row, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));
	__m256i good = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
	return ~(uint32_t)_mm256_movemask_epi8(good);
}

__attribute__((target("avx2"))) static inline uint64_t stops_avx2(const uint8_t *p, size_t n, bool lines)
{
	if (n < 32)
		return stops_sse2(p, n, lines);
	return stops32(p, lines) | stops32(p + n - 32, lines) << (n - 32);
}

__attribute__((target("avx2"))) size_t escape_run_avx2(char **to, const char *limit, const uint8_t *p, size_t n, bool lines)
{
	return run(to, limit, p, n, lines, stops_avx2);
}
#endif

size_t escape_run(struct writer *w, const uint8_t *p, size_t n, bool lines)
{
	char *from = writer_room(w, ESCAPE_ROOM), *to = from;
	const char *limit = w->data + WRITER_SIZE - ESCAPE_ROOM + 1;
#if defined(__x86_64__)
	n = __builtin_cpu_supports("avx2") ? escape_run_avx2(&to, limit, p, n, lines) : escape_run_sse2(&to, limit, p, n, lines);
#else
	n = escape_run_portable(&to, limit, p, n, lines);
#endif
	w->used += (size_t)(to - from);
	return n;
}

void escape_html_character(struct writer *w, uint32_t cp)
{
	w->used += put_character(writer_room(w, sizeof *entities), cp);
}

bool escape_html(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	bool bidi = false;
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		i += escape_run(w, p + i, n - i, true);
		if (i == n)
			break;
		i += utf8_next(p + i, n - i, &cp);
		escape_html_character(w, cp);
		bidi = bidi || uclass_is_bidi(cp);
	}
	return bidi;
}
