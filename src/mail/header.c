#include "header.h"

#include "simd/bytes16.h"
#include "simd/runs.h"
#include "text/ascii.h"
#include "text/bytes.h"

#include <string.h>

enum header_line header_line_read(const uint8_t *p, size_t n, struct header_name *name)
{
	if (n && p[0] > ' ') {
		const size_t length = run_field_name(p, n), colon = byte_span(p, length, n, BYTE_BLANK);
		*name = (struct header_name){length, colon};
		return length && byte_at(p, colon, n) == ':' ? HEADER_FIELD : HEADER_OTHER;
	}
	size_t i = byte_span(p, 0, n, BYTE_BLANK);
	const size_t end = i + (byte_at(p, i, n) == '\r');
	if (end == n || p[end] == '\n')
		return HEADER_BLANK;
	return i ? HEADER_FOLD : HEADER_OTHER;
}

void header_value(const uint8_t *block, size_t from, size_t to, struct field *field)
{
	from = byte_span(block, from, to, BYTE_BLANK);
	if (to > from && block[to - 1] == '\n')
		to -= 1u + (block[to - 2] == '\r');
	field->value = block + from;
	field->value_length = to - from;
}

bool header_next(const uint8_t *block, size_t n, size_t *at, struct field *field)
{
	size_t i = *at;
	struct header_name name;
	while (i < n && header_line_read(block + i, n - i, &name) != HEADER_FIELD)
		i = after_line(block, i, n);
	if (i >= n) {
		*at = n;
		return false;
	}
	field->name = block + i;
	field->name_length = name.length;
	size_t value = i += name.colon + 1;
	do
		i = after_line(block, i, n);
	while (i < n && is_blank(block[i]));
	*at = i;
	header_value(block, value, i, field);
	return true;
}

const uint8_t *header_after_comment(const uint8_t *p, const uint8_t *end)
{
	for (size_t depth = 0; p < end; p++) {
		depth += *p == '(';
		if (*p == ')' && !--depth)
			return p + 1;
		p += *p == '\\' && end - p > 1;
	}
	return end;
}

const uint8_t *header_after_token(const uint8_t *p, const uint8_t *end, const char but[17])
{
	/* most bytes are letters, digits and hyphens, of which none is excluded */
	while (p < end && (byte_class[*p] & (BYTE_ALNUM | BYTE_HYPHEN) || (within(*p, '!', '~') && !bytes16_has(but, *p))))
		p++;
	return p;
}

bool field_is(const struct field *f, const char *name)
{
	return ascii_is(f->name, f->name_length, name);
}

void header_identifier(const uint8_t *value, size_t n, size_t *from, size_t *to)
{
	const uint8_t *end = value + n, *open = find_byte(value, end, '<'), *close = find_byte(open, end, '>');
	*to = (size_t)(close - value);
	*from = byte_span(value, close < end ? (size_t)(open - value) + 1 : 0, *to, BYTE_FWS);
	*to = byte_span_back(value, *from, *to, BYTE_FWS);
}

/* ---- Known fields ---- */

const struct known_field known_fields[] = {
	{"archived-at", FIELD_URLS, 0, 0, 0},
	{"arc-authentication-results", FIELD_OPAQUE, 0, 0, 0},
	{"arc-message-signature", FIELD_OPAQUE, 0, 0, 0},
	{"arc-seal", FIELD_OPAQUE, 0, 0, 0},
	{"autocrypt", FIELD_OPAQUE, 0, 0, 0},
	{"bcc", FIELD_SHOWN, 0, 0, 6},
	{"cc", FIELD_SHOWN, 0, 0, 5},
	{"content-base", FIELD_URLS, 0, CONTENT_BASE, 0},
	{"content-id", FIELD_IDENTIFIERS, 0, 0, 0},
	{"content-language", 0, 0, CONTENT_LANGUAGE, 0},
	{"content-length", 0, 0, CONTENT_LENGTH, 0},
	{"content-location", FIELD_URLS, 0, CONTENT_LOCATION, 0},
	{"content-transfer-encoding", 0, 0, CONTENT_ENCODING, 0},
	{"content-type", 0, 0, CONTENT_TYPE, 0},
	{"date", FIELD_SHOWN, META_DATE, 0, 2},
	{"dkim-signature", FIELD_OPAQUE, 0, 0, 0},
	{"domainkey-signature", FIELD_OPAQUE, 0, 0, 0},
	{"face", FIELD_OPAQUE, 0, 0, 0},
	{"followup-to", FIELD_SHOWN, 0, 0, 9},
	{"from", FIELD_SHOWN, META_FROM, 0, 1},
	{"in-reply-to", FIELD_IDENTIFIERS, 0, 0, 0},
	{"link", FIELD_URLS, 0, 0, 0},
	{"list-", FIELD_URLS | FIELD_PREFIX, 0, 0, 10}, /* RFC 2369 and later ones */
	{"list-id", FIELD_URLS, META_LIST, 0, 10},
	{"message-id", FIELD_IDENTIFIERS, META_ID, 0, 0},
	{"newsgroups", FIELD_SHOWN | FIELD_NEWS, META_GROUPS, 0, 8},
	{"openpgp", FIELD_URLS, 0, 0, 0},
	{"path", FIELD_NEWS, 0, 0, 0},
	{"references", FIELD_IDENTIFIERS, 0, 0, 0},
	{"reply-to", FIELD_SHOWN, 0, 0, 7},
	{"resent-message-id", FIELD_IDENTIFIERS, 0, 0, 0},
	{"subject", FIELD_URLS | FIELD_SHOWN, META_SUBJECT, 0, 3},
	{"supersedes", FIELD_IDENTIFIERS, 0, 0, 0},
	{"to", FIELD_SHOWN, 0, 0, 4},
	{"url", FIELD_URLS, 0, 0, 0},
	{"x-archived-at", FIELD_URLS, 0, 0, 0},
	{"x-face", FIELD_OPAQUE, 0, 0, 0},
	{"x-google-dkim-signature", FIELD_OPAQUE, 0, 0, 0},
	{"x-home-page", FIELD_URLS, 0, 0, 0},
	{"x-homepage", FIELD_URLS, 0, 0, 0},
	{"x-uri", FIELD_URLS, 0, 0, 0},
	{"x-url", FIELD_URLS, 0, 0, 0},
	{"x-www", FIELD_URLS, 0, 0, 0},
};
const size_t known_field_count = sizeof known_fields / sizeof *known_fields;
_Static_assert(sizeof known_fields / sizeof *known_fields <= FIELD_ROWS, "an index has room for all rows");

static unsigned slot_of(uint8_t first, size_t n) { return (5u * (first | 0x20u) + (unsigned)n) % FIELD_SLOTS; }

void field_index_init(struct field_index *x, const struct known_field *rows, size_t count)
{
	*x = (struct field_index){.rows = rows};
	for (size_t i = count; i--;) {
		size_t n = strlen(rows[i].name);
		bool prefix = rows[i].uses & FIELD_PREFIX;
		unsigned slot = prefix ? (unsigned)FIELD_PREFIXES : slot_of((uint8_t)rows[i].name[0], n);
		x->length[i] = (uint8_t)n;
		x->lengths[rows[i].name[0] - 'a'] |= prefix ? ~(uint64_t)0 << n : (uint64_t)1 << n;
		x->next[i] = x->first[slot];
		x->first[slot] = (uint8_t)(i + 1);
	}
}

/* The 8 bytes at p with the bit of the case set, which turns no other printable character into a lower-case letter or
 * a hyphen. */
static uint64_t word_of(const void *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word | 0x2020202020202020u;
}

/* Whether n bytes of a field's name are these in any letter case. */
static bool same(const uint8_t *p, const char *name, size_t n)
{
	size_t i = 0;
	for (; n - i >= 8; i += 8)
		if (word_of(p + i) != word_of(name + i))
			return false;
	if (n >= 8)
		return word_of(p + n - 8) == word_of(name + n - 8);
	while (i < n && (p[i] | 0x20) == (uint8_t)name[i])
		i++;
	return i == n;
}

/* The row of a list that the name begins with, of `least` bytes or more; NULL for none. */
static inline const struct known_field *find_row(const struct field_index *x, unsigned slot, const uint8_t *name,
                                                 size_t n, size_t least)
{
	for (unsigned i = x->first[slot]; i; i = x->next[i - 1])
		if (within(x->length[i - 1], least, n) && same(name, x->rows[i - 1].name, x->length[i - 1]))
			return &x->rows[i - 1];
	return NULL;
}

const struct known_field *field_index_search(const struct field_index *x, const uint8_t *name, size_t n)
{
	const struct known_field *row = find_row(x, slot_of(name[0], n), name, n, n);
	return row ? row : find_row(x, FIELD_PREFIXES, name, n, 0);
}
