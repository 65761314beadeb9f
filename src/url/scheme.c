#include "scheme.h"

#include <string.h>

#include "scheme_table.h"

enum {
	FULL_COUNT = sizeof full_rows / sizeof *full_rows,
	REGISTERED_COUNT = sizeof registered_rows / sizeof *registered_rows
};

/* Where the full rows of each letter begin, and where the last end. */
static const uint8_t first_row[27] = {
	0, 2, 5, 6, 9, 10, 15, 22, 24, 30, 32, 32, 36, 44, 47, 47, 50, 50, 54, 64, 67, 68, 70, 74, 75, 75, 78
};

/* The name in lower case; false where it cannot be a scheme (RFC 3986 section
 * 3.1).  The check also keeps NUL out of the comparisons. */
static bool fold_name(const char *name, size_t length, char folded[SCHEME_NAME_MAX])
{
	for (size_t i = 0; i < length; i++) {
		char c = name[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		bool letter = c >= 'a' && c <= 'z';
		if (!letter && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.')
			return false;
		folded[i] = c;
	}
	return true;
}

static const struct scheme *search(const struct scheme *rows, size_t count, const char *name, size_t length)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *row = rows[middle].name;
		size_t i = 0;
		while (i < length && row[i] == name[i])
			i++;
		if (i == length && !row[i])
			return &rows[middle];
		/* neither has bytes beyond ASCII */
		if (i < length && row[i] < name[i])
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct scheme *scheme_find(const char *name, size_t length)
{
	char folded[SCHEME_NAME_MAX];
	if (length == 0 || length > SCHEME_NAME_MAX || !fold_name(name, length, folded))
		return NULL;
	if (length > 3 && memcmp(folded, "ms-", 3) == 0)
		length = 3;
	size_t letter = (size_t)(folded[0] - 'a');
	if (letter >= 26)
		return NULL;
	const struct scheme *row =
		search(full_rows + first_row[letter], (size_t)first_row[letter + 1] - first_row[letter], folded, length);
	return row ? row : search(registered_rows, REGISTERED_COUNT, folded, length);
}

const struct scheme *scheme_row(size_t i)
{
	if (i < FULL_COUNT)
		return &full_rows[i];
	i -= FULL_COUNT;
	return i < REGISTERED_COUNT ? &registered_rows[i] : NULL;
}
