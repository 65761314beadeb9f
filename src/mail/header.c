#include "header.h"

#include "text/ascii.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Of a field's name: printable ASCII but the colon (RFC 5322 section 2.2). */
static bool is_name(uint8_t c) { return c != ':' && (uint8_t)(c - '!') <= '~' - '!'; }

/* The length of the run of such bytes at p. */
static size_t name_run(const uint8_t *p, size_t n)
{
	size_t i = 0;
#ifdef __SSE2__
	for (; n - i >= 16; i += 16) {
		__m128i c = _mm_loadu_si128((const __m128i *)(const void *)(p + i)), x = _mm_sub_epi8(c, _mm_set1_epi8('!'));
		__m128i printable = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8('~' - '!')), x);
		unsigned mask = (unsigned)_mm_movemask_epi8(_mm_andnot_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8(':')), printable));
		if (mask != 0xFFFF)
			return i + (size_t)__builtin_ctz(~mask);
	}
#endif
	while (i < n && is_name(p[i]))
		i++;
	return i;
}

/* Whether a name and a colon stand at p. */
static bool find_name(const uint8_t *p, size_t n, struct header_name *name)
{
	size_t length = name_run(p, n), i = length;
	while (i < n && is_blank(p[i]))
		i++;
	*name = (struct header_name){length, i};
	return length && i < n && p[i] == ':';
}

enum header_line header_line_read(const uint8_t *p, size_t n, struct header_name *name)
{
	size_t i = 0;
	if (n && p[0] > ' ')
		return find_name(p, n, name) ? HEADER_FIELD : HEADER_OTHER;
	while (i < n && is_blank(p[i]))
		i++;
	if (i == n || p[i] == '\n' || (p[i] == '\r' && (n - i == 1 || p[i + 1] == '\n')))
		return HEADER_BLANK;
	return i ? HEADER_FOLD : HEADER_OTHER;
}

enum header_line header_line_kind(const uint8_t *p, size_t n)
{
	struct header_name name;
	return header_line_read(p, n, &name);
}

/* Of the line at p, with its end. */
static size_t line_length(const uint8_t *p, size_t n)
{
	const uint8_t *lf = memchr(p, '\n', n);
	return lf ? (size_t)(lf - p) + 1 : n;
}

void header_value(const uint8_t *block, size_t from, size_t to, struct field *field)
{
	while (from < to && is_blank(block[from]))
		from++;
	if (to > from && block[to - 1] == '\n')
		to -= block[to - 2] == '\r' ? 2 : 1;
	field->value = block + from;
	field->value_length = to - from;
}

bool header_next(const uint8_t *block, size_t n, size_t *at, struct field *field)
{
	size_t i = *at;
	struct header_name name;
	while (i < n && !find_name(block + i, n - i, &name))
		i += line_length(block + i, n - i);
	if (i >= n) {
		*at = n;
		return false;
	}
	field->name = block + i;
	field->name_length = name.length;
	size_t value = i += name.colon + 1;
	do
		i += line_length(block + i, n - i);
	while (i < n && is_blank(block[i]) && header_line_kind(block + i, n - i) == HEADER_FOLD);
	*at = i;
	header_value(block, value, i, field);
	return true;
}

bool field_is(const struct field *f, const char *name)
{
	return ascii_is(f->name, f->name_length, name);
}

void header_identifier(const uint8_t *value, size_t n, size_t *from, size_t *to)
{
	const uint8_t *open = n ? memchr(value, '<', n) : NULL;
	const uint8_t *close = open ? memchr(open, '>', n - (size_t)(open - value)) : NULL;
	*from = close ? (size_t)(open - value) + 1 : 0;
	*to = close ? (size_t)(close - value) : n;
	while (*from < *to && is_fws(value[*from]))
		++*from;
	while (*to > *from && is_fws(value[*to - 1]))
		--*to;
}
