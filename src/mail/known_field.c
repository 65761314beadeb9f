#include "known_field.h"

#include <string.h>

/* Sorted; `lengths` and `first_row` go with it (tests/unit_known_field.c). */
static const struct known_field rows[] = {
	{"archived-at", FIELD_URLS, 0, 0},
	{"arc-authentication-results", FIELD_OPAQUE, 0, 0},
	{"arc-message-signature", FIELD_OPAQUE, 0, 0},
	{"arc-seal", FIELD_OPAQUE, 0, 0},
	{"autocrypt", FIELD_OPAQUE, 0, 0},
	{"cc", FIELD_SHOWN, 0, 0},
	{"content-base", FIELD_URLS, 0, CONTENT_BASE},
	{"content-id", FIELD_IDENTIFIERS, 0, 0},
	{"content-length", 0, 0, CONTENT_LENGTH},
	{"content-location", FIELD_URLS, 0, CONTENT_LOCATION},
	{"content-transfer-encoding", 0, 0, CONTENT_ENCODING},
	{"content-type", 0, 0, CONTENT_TYPE},
	{"date", FIELD_SHOWN, META_DATE, 0},
	{"dkim-signature", FIELD_OPAQUE, 0, 0},
	{"domainkey-signature", FIELD_OPAQUE, 0, 0},
	{"face", FIELD_OPAQUE, 0, 0},
	{"from", FIELD_SHOWN, META_FROM, 0},
	{"in-reply-to", FIELD_IDENTIFIERS, 0, 0},
	{"link", FIELD_URLS, 0, 0},
	{"list-id", FIELD_URLS, META_LIST, 0},
	{"message-id", FIELD_IDENTIFIERS, META_ID, 0},
	{"newsgroups", FIELD_SHOWN | FIELD_NEWS, META_GROUPS, 0},
	{"openpgp", FIELD_URLS, 0, 0},
	{"path", FIELD_NEWS, 0, 0},
	{"references", FIELD_IDENTIFIERS, 0, 0},
	{"subject", FIELD_URLS | FIELD_SHOWN, META_SUBJECT, 0},
	{"supersedes", FIELD_IDENTIFIERS, 0, 0},
	{"to", FIELD_SHOWN, 0, 0},
	{"url", FIELD_URLS, 0, 0},
	{"x-archived-at", FIELD_URLS, 0, 0},
	{"x-face", FIELD_OPAQUE, 0, 0},
	{"x-google-dkim-signature", FIELD_OPAQUE, 0, 0},
	{"x-home-page", FIELD_URLS, 0, 0},
	{"x-homepage", FIELD_URLS, 0, 0},
	{"x-uri", FIELD_URLS, 0, 0},
	{"x-url", FIELD_URLS, 0, 0},
	{"x-www", FIELD_URLS, 0, 0},
};
static const struct known_field list_row = {"list-", FIELD_URLS, 0, 0}; /* RFC 2369 and its followers */

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

const struct known_field *known_field(const struct field *f)
{
	uint8_t letter = (uint8_t)((f->name[0] | 0x20) - 'a');
	if (letter >= 26 || f->name_length > 31 || !(lengths[letter] >> f->name_length & 1))
		return NULL;
	for (size_t i = first_row[letter]; i < first_row[letter + 1]; i++)
		if (field_is(f, rows[i].name))
			return &rows[i];
	if (letter != 'l' - 'a')
		return NULL;
	struct field prefix = *f;
	prefix.name_length = f->name_length < 5 ? f->name_length : 5;
	return field_is(&prefix, "list-") ? &list_row : NULL;
}
