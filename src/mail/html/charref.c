#include "charref.h"

#include "text/unicode.h"

#include <stdbool.h>

struct entity_row {
	uint16_t at;
	uint8_t length, extra;
	uint32_t first;
};

#include "charref_table.h"

enum { LEGACY_MIN = 2, LEGACY_MAX = 6 };

static bool same(const char *a, const uint8_t *b, size_t n)
{
	size_t i = 0;
	while (i < n && (uint8_t)a[i] == b[i])
		i++;
	return i == n;
}

static const struct entity_row *row_of(const uint8_t *name, size_t n)
{
	uint32_t hash = 0x811C9DC5; /* FNV-1a, as in make-entity-table */
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ name[i]) * 0x01000193;
	for (size_t slot = hash >> 20; entity_slots[slot]; slot = (slot + 1) % ENTITY_SLOTS) {
		const struct entity_row *row = &entity_rows[entity_slots[slot] - 1];
		if (row->length == n && same(entity_names[row->at >> 12] + (row->at & 0xFFF), name, n))
			return row;
	}
	return NULL;
}

size_t entity_find(const uint8_t *name, size_t n, uint8_t text[ENTITY_TEXT_MAX], size_t *length)
{
	const struct entity_row *row = n && name[n - 1] == ';' ? row_of(name, n - 1) : NULL;
	size_t taken = n;
	for (size_t k = n < LEGACY_MAX ? n : LEGACY_MAX; !row && k >= LEGACY_MIN; k--) {
		row = row_of(name, k);
		row = row && row->extra & ENTITY_LEGACY ? row : NULL;
		taken = k;
	}
	if (!row)
		return 0;
	*length = utf8_put(text, row->first);
	uint32_t second = entity_second[row->extra % ENTITY_LEGACY];
	if (second)
		*length += utf8_put(text + *length, second);
	return taken;
}

uint32_t entity_code_point(uint32_t number)
{
	if (number >= 0x80 && number < 0xA0)
		return utf8_windows_1252((uint8_t)number);
	return number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000) ? 0xFFFD : number;
}
