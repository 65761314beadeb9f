#include "scheme.h"

#include "interpret.h"
#include "scheme_names_table.h"
#include "text/ascii.h"
#include "urlsift.h"

#include <string.h>

enum {
	HOST = PART_AUTHORITY, USER = PART_USERINFO, PATH = PART_PATH, QUERY = PART_QUERY, FRAG = PART_FRAGMENT,
	EVERY = HOST | USER | PATH | QUERY | FRAG
};

static const struct scheme full_rows[] = {
#define ROW(...) { __VA_ARGS__ },
	FULL_SCHEMES(ROW)
#undef ROW
};

#define REGISTERED_BODY(name, body) { name, 0, EVERY, 1, body, 0, 0, interpret_common, "registered with IANA" }
#define REGISTERED(name) REGISTERED_BODY(name, BODY_NEVER)
#define REGISTERED_SLASHES(name) REGISTERED_BODY(name, BODY_SLASHES)
static const struct scheme registered_rows[] = { REGISTERED_SCHEMES };

enum {
	FULL_COUNT = sizeof full_rows / sizeof *full_rows,
	REGISTERED_COUNT = sizeof registered_rows / sizeof *registered_rows
};

/* The first eight bytes of a name as a number that sorts like them: they decide nearly every comparison. */
static inline uint64_t first_bytes(const char *name)
{
	const uint8_t *p = (const uint8_t *)name;
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
	       (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | (uint64_t)p[7];
}

const struct scheme *scheme_search(const struct scheme *rows, size_t count, const char name[SCHEME_NAME_SIZE])
{
	const uint64_t wanted = first_bytes(name);
	const struct scheme *row = rows;
	for (size_t half; count > 1; count -= half) {
		half = count / 2;
		row += half & -(size_t)(first_bytes(row[half].name) <= wanted); /* no branch: it would be unpredictable */
	}
	for (; first_bytes(row->name) == wanted; row--) {
		if (!name[7] /* no more follows */ || !memcmp(row->name + 8, name + 8, SCHEME_NAME_SIZE - 8))
			return row;
		if (row == rows)
			break;
	}
	return NULL;
}

const struct scheme *scheme_find(const char *name, size_t length)
{
	char folded[SCHEME_NAME_SIZE] = { 0 };
	if (length > SCHEME_NAME_MAX)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		if (!is_scheme_byte((uint8_t)name[i]))
			return NULL;
		folded[i] = (char)to_lower((uint8_t)name[i]);
	}
	if (text_begins(folded, length, "ms-"))
		memset(folded + 3, 0, SCHEME_NAME_SIZE - 3);
	const struct scheme *row = scheme_search(full_rows, FULL_COUNT, folded);
	return row ? row : scheme_search(registered_rows, REGISTERED_COUNT, folded);
}

bool scheme_forbids(const struct scheme *row, const char *url, size_t length)
{
	size_t from = 0;
	while (from < length && ascii_opens(url + from, length - from, "feed:")) {
		from += strlen("feed:");
		row = scheme_find(url + from, byte_index((const uint8_t *)url, from, length, ':') - from);
	}
	return row && row->forbidden;
}

const struct scheme *scheme_row(size_t i)
{
	if (i < FULL_COUNT)
		return &full_rows[i];
	i -= FULL_COUNT;
	return i < REGISTERED_COUNT ? &registered_rows[i] : NULL;
}

/* ---- The public calls ---- */

static int describe(const struct scheme *row, urlsift_scheme *scheme)
{
	if (row)
		*scheme = (urlsift_scheme){ .name = row->name, .purpose = row->purpose, .port = row->port,
		                            .slashes = (urlsift_slashes)row->slashes, .linkable = row->linkable,
		                            .forbidden = row->forbidden };
	return row != NULL;
}

int urlsift_scheme_at(size_t index, urlsift_scheme *scheme)
{
	return describe(scheme_row(index), scheme);
}

int urlsift_scheme_find(const char *name, size_t length, urlsift_scheme *scheme)
{
	return describe(scheme_find(name, length), scheme);
}

