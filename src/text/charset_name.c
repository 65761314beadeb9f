#include "charset_name.h"
#include "charset_table.h"
#include "text/ascii.h"

#include <string.h>

_Static_assert(sizeof charset_rows / sizeof *charset_rows == CHARSETS, "CHARSETS counts the rows");

/* The next byte of a name that counts, in lower case; 0 at the end. */
static unsigned char letter(const char **p, const char *end)
{
	while (*p < end && (**p == '-' || **p == '_'))
		++*p;
	if (*p == end)
		return 0;
	return to_lower((unsigned char)*(*p)++);
}

static int compare(const char *a, const char *a_end, const char *b, const char *b_end)
{
	for (;;) {
		unsigned char x = letter(&a, a_end), y = letter(&b, b_end);
		if (x != y || !x)
			return x - y;
	}
}

const char *charset_name_next(const char *name)
{
	return name + strlen(name) + 1;
}

const struct charset_row *charset_name_row(size_t i)
{
	return &charset_rows[i];
}

const struct charset_row *charset_name_find(const char *name, size_t length)
{
	size_t low = 0, high = sizeof charset_aliases / sizeof *charset_aliases;
	if (memchr(name, 0, length))
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *alias = charset_aliases[middle].name;
		int order = compare(name, name + length, alias, alias + strlen(alias));
		if (order == 0)
			return &charset_rows[charset_aliases[middle].row];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
