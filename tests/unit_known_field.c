/* The table of header fields: every row is found by its name in any letter case, wherever other rows are inserted. */
#include "check.h"
#include "mail/header.h"

#include <string.h>

static const struct known_field *find(const struct field_index *x, const char *name)
{
	return field_index_find(x, (const uint8_t *)name, strlen(name));
}

/* Every row of the table is found, and a name that is longer by a letter is not. */
static void check_rows(const struct known_field *rows, size_t count)
{
	struct field_index x;
	field_index_init(&x, rows, count);
	for (size_t i = 0; i < count; i++) {
		char name[FIELD_NAME_MAX + 2];
		size_t n = strlen(rows[i].name);
		memcpy(name, rows[i].name, n + 1);
		CHECK_FOR(find(&x, name) == &rows[i], name);
		name[0] ^= 0x20;
		name[n - 1] ^= name[n - 1] == '-' ? 0 : 0x20;
		CHECK_FOR(find(&x, name) == &rows[i], name);
		strcat(name, "q");
		const struct known_field *longer = find(&x, name);
		CHECK_FOR(!longer || longer->uses & FIELD_PREFIX, name);
	}
}

int main(void)
{
	static const char *const names[] = {"aardvark", "content-a", "list-zebra", "listen", "m", "x-zzz", "zeta"};
	struct known_field rows[FIELD_ROWS];
	struct field_index x;
	check_rows(known_fields, known_field_count);
	CHECK(known_field_count < FIELD_ROWS);
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		for (size_t at = 0; at <= known_field_count; at++) {
			memcpy(rows, known_fields, at * sizeof *rows);
			rows[at] = (struct known_field){.name = names[k], .uses = FIELD_URLS};
			memcpy(rows + at + 1, known_fields + at, (known_field_count - at) * sizeof *rows);
			check_rows(rows, known_field_count + 1);
		}
	field_index_init(&x, known_fields, known_field_count);
	CHECK(!strcmp(find(&x, "List-Help")->name, "list-") && !strcmp(find(&x, "list-id")->name, "list-id"));
	CHECK(!find(&x, "received") && !find(&x, "list") && !find(&x, "-") && !find(&x, "1"));
	return check_end();
}
