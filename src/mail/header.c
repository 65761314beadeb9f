#include "header.h"

#include "text/ascii.h"

#include <emmintrin.h>
#include <string.h>

#ifdef __SSE2__
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

/* ---- Known fields ---- */

#define ROW(name, uses, meta, content) {name, sizeof name - 1, uses, meta, content}
static const struct known_field rows[] = {
	ROW("archived-at", FIELD_URLS, 0, 0),
	ROW("arc-authentication-results", FIELD_OPAQUE, 0, 0),
	ROW("arc-message-signature", FIELD_OPAQUE, 0, 0),
	ROW("arc-seal", FIELD_OPAQUE, 0, 0),
	ROW("autocrypt", FIELD_OPAQUE, 0, 0),
	ROW("cc", FIELD_SHOWN, 0, 0),
	ROW("content-base", FIELD_URLS, 0, CONTENT_BASE),
	ROW("content-id", FIELD_IDENTIFIERS, 0, 0),
	ROW("content-length", 0, 0, CONTENT_LENGTH),
	ROW("content-location", FIELD_URLS, 0, CONTENT_LOCATION),
	ROW("content-transfer-encoding", 0, 0, CONTENT_ENCODING),
	ROW("content-type", 0, 0, CONTENT_TYPE),
	ROW("date", FIELD_SHOWN, META_DATE, 0),
	ROW("dkim-signature", FIELD_OPAQUE, 0, 0),
	ROW("domainkey-signature", FIELD_OPAQUE, 0, 0),
	ROW("face", FIELD_OPAQUE, 0, 0),
	ROW("from", FIELD_SHOWN, META_FROM, 0),
	ROW("in-reply-to", FIELD_IDENTIFIERS, 0, 0),
	ROW("link", FIELD_URLS, 0, 0),
	ROW("list-id", FIELD_URLS, META_LIST, 0),
	ROW("message-id", FIELD_IDENTIFIERS, META_ID, 0),
	ROW("newsgroups", FIELD_SHOWN | FIELD_NEWS, META_GROUPS, 0),
	ROW("openpgp", FIELD_URLS, 0, 0),
	ROW("path", FIELD_NEWS, 0, 0),
	ROW("references", FIELD_IDENTIFIERS, 0, 0),
	ROW("subject", FIELD_URLS | FIELD_SHOWN, META_SUBJECT, 0),
	ROW("supersedes", FIELD_IDENTIFIERS, 0, 0),
	ROW("to", FIELD_SHOWN, 0, 0),
	ROW("url", FIELD_URLS, 0, 0),
	ROW("x-archived-at", FIELD_URLS, 0, 0),
	ROW("x-face", FIELD_OPAQUE, 0, 0),
	ROW("x-google-dkim-signature", FIELD_OPAQUE, 0, 0),
	ROW("x-home-page", FIELD_URLS, 0, 0),
	ROW("x-homepage", FIELD_URLS, 0, 0),
	ROW("x-uri", FIELD_URLS, 0, 0),
	ROW("x-url", FIELD_URLS, 0, 0),
	ROW("x-www", FIELD_URLS, 0, 0),
};
#undef ROW

static const struct known_field list_row = {"list-", 5, FIELD_URLS, 0, 0}; /* RFC 2369 and its followers */

/* The lengths of the names that begin with a letter, a bit each: most fields are told
 * apart by them. */
static const uint32_t lengths[26] = {
	['a' - 'a'] = 1u << 8 | 1u << 9 | 1u << 11 | 1u << 21 | 1u << 26,
	['c' - 'a'] = 1u << 2 | 1u << 10 | 1u << 12 | 1u << 14 | 1u << 16 | 1u << 25,
	['d' - 'a'] = 1u << 4 | 1u << 14 | 1u << 19,
	['f' - 'a'] = 1u << 4,
	['i' - 'a'] = 1u << 11,
	['l' - 'a'] = ~0u,
	['m' - 'a'] = 1u << 10,
	['n' - 'a'] = 1u << 10,
	['o' - 'a'] = 1u << 7,
	['p' - 'a'] = 1u << 4,
	['r' - 'a'] = 1u << 10,
	['s' - 'a'] = 1u << 7 | 1u << 10,
	['t' - 'a'] = 1u << 2,
	['u' - 'a'] = 1u << 3,
	['x' - 'a'] = 1u << 5 | 1u << 6 | 1u << 10 | 1u << 11 | 1u << 13 | 1u << 23,
};

/* Where the rows of a letter begin; those of the next are where they end. */
static const uint8_t first_row[27] = {
	0, 5, 5, 12, 15, 15, 17, 17, 17, 18, 18, 18, 20, 21, 22, 23, 24, 24, 25, 27, 28, 29, 29, 29, 37, 37, 37
};

/* Whether n bytes of a field's name are these in any letter case: to set its bit makes no other printable
 * character a lower-case letter or a hyphen. */
static bool same(const uint8_t *p, const char *name, size_t n)
{
	size_t i = 0;
	while (i < n && (p[i] | 0x20) == (uint8_t)name[i])
		i++;
	return i == n;
}

const struct known_field *known_field(const struct field *f)
{
	const uint8_t *name = f->name;
	size_t n = f->name_length;
	uint8_t letter = (uint8_t)((name[0] | 0x20) - 'a');
	if (letter >= 26 || n > 31 || !(lengths[letter] >> n & 1))
		return NULL;
	for (size_t i = first_row[letter]; i < first_row[letter + 1]; i++)
		if (rows[i].length == n && same(name, rows[i].name, n))
			return &rows[i];
	return letter == 'l' - 'a' && n >= list_row.length && same(name, list_row.name, list_row.length) ? &list_row : NULL;
}
