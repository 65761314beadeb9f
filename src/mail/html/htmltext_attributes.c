#include "htmltext_attributes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

const uint8_t attributes_classes[256] = {
	['\0'] = ENDS_KEPT_VALUE, ['\t'] = 15, ['\n'] = 15, ['\f'] = 15, ['\r'] = 15, [' '] = 15, ['&'] = ENDS_KEPT_VALUE,
	['/'] = ENDS_NAME | ENDS_ATTRIBUTE, ['='] = ENDS_ATTRIBUTE, ['>'] = 15
};

/* Whether an attribute's name may be one that counts. */
static inline bool may_count(const uint8_t *name, size_t n)
{
	return n == sizeof "shadowrootmode" - 1
	       || (n == 4 && ascii_begins(name, "href", 4));
}

/* Behind the value that begins at p[i], or n when it may go on there. */
static size_t behind_value(const uint8_t *p, size_t i, size_t n)
{
	if (i == n)
		return n;
	if (p[i] != '"' && p[i] != '\'')
		return attributes_class_end(p, i, n, ENDS_VALUE);
	size_t end = scan_byte(p, i + 1, n, p[i]);
	return end < n ? end + 1 : n;
}

static size_t pass_portable(const uint8_t *p, size_t i, size_t n, bool *slash)
{
	for (;;) {
		size_t name = i;
		while (name < n && scan_is_space(p[name]))
			name++;
		size_t end = attributes_name_end(p, name, n, ENDS_ATTRIBUTE);
		if (end == name || end == n || p[end] != '=' || may_count(p + name, end - name))
			return i;
		size_t behind = behind_value(p, end + 1, n);
		if (behind == n || behind == end + 1)
			return i;
		i = behind;
		*slash = false;
	}
}

#if defined(__x86_64__)
enum { BLOCK = 64 };
#define AVX512 __attribute__((target("avx512f,avx512bw,bmi")))

AVX512 static inline uint64_t equal64(__m512i v, uint8_t c) { return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)c)); }

/* As behind_value, of a quoted one whose end is not before `i`. */
AVX512 static inline size_t behind_quote(const uint8_t *p, size_t i, size_t n, uint8_t quote)
{
	for (; n - i >= BLOCK; i += BLOCK) {
		uint64_t ends = equal64(_mm512_loadu_si512(p + i), quote);
		if (ends)
			return i + (size_t)__builtin_ctzll(ends) + 1;
	}
	i = scan_byte(p, i, n, quote);
	return i < n ? i + 1 : n;
}

/* Of a block from which on attributes are looked at, a bit each: what ends a name, white space, quotation marks. */
struct attribute_marks {
	uint64_t ends, spaces, quotes, apostrophes;
};

AVX512 static inline struct attribute_marks find_marks(const uint8_t *p)
{
	__m512i v = _mm512_loadu_si512(p), from_tab = _mm512_sub_epi8(v, _mm512_set1_epi8('\t'));
	uint64_t spaces = _mm512_cmple_epu8_mask(from_tab, _mm512_set1_epi8('\r' - '\t')) & ~equal64(v, '\v');
	spaces |= equal64(v, ' ');
	uint64_t ends = spaces | equal64(v, '/') | equal64(v, '=') | equal64(v, '>');
	return (struct attribute_marks){ends, spaces, equal64(v, '"'), equal64(v, '\'')};
}

/* The same by blocks: one look at 64 bytes does for all attributes in them.  Not `done` where it cannot tell: the
 * portable way goes on. */
AVX512 static inline size_t pass_blocks(const uint8_t *p, size_t i, size_t n, bool *slash, bool *done)
{
	*done = true;
	while (n - i > BLOCK) {
		struct attribute_marks marks = find_marks(p + i);
		size_t at = 0;
		while (at < BLOCK) {
			if (!(~marks.spaces >> at))
				break;
			size_t name = at + (size_t)__builtin_ctzll(~marks.spaces >> at);
			if (!(marks.ends >> name))
				break;
			size_t end = name + (size_t)__builtin_ctzll(marks.ends >> name);
			if (end == name || p[i + end] != '=' || may_count(p + i + name, end - name))
				return i + at;
			if (end + 2 >= BLOCK)
				break;
			uint8_t quote = p[i + end + 1];
			uint64_t closes = quote == '"' ? marks.quotes : quote == '\'' ? marks.apostrophes : 0;
			size_t behind;
			if (closes >> (end + 2))
				behind = i + end + 3 + (size_t)__builtin_ctzll(closes >> (end + 2));
			else if (closes)
				behind = behind_quote(p, i + BLOCK, n, quote);
			else
				behind = attributes_class_end(p, i + end + 1, n, ENDS_VALUE);
			if (behind == n || behind == i + end + 1)
				return i + at;
			*slash = false;
			at = behind - i;
		}
		if (!at)
			break;
		i += at;
	}
	*done = false;
	return i;
}

AVX512 static size_t pass_avx512(const uint8_t *p, size_t i, size_t n, bool *slash, bool *done)
{
	i = pass_blocks(p, i, n, slash, done);
	_mm256_zeroupper(); /* gcc may forget it, and all SSE code would crawl */
	return i;
}
#endif

size_t attributes_pass(const uint8_t *p, size_t i, size_t n, bool *slash)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi")) {
		bool done;
		i = pass_avx512(p, i, n, slash, &done);
		if (done)
			return i;
	}
#endif
	return pass_portable(p, i, n, slash);
}
