#include "charset_name.h"
#include "charset_table.h"

#include <stdbool.h>
#include <string.h>

/* The next byte of a name that counts, in lower case; 0 at the end. */
static unsigned char letter(const char **p, const char *end)
{
	while (*p < end && (**p == '-' || **p == '_'))
		++*p;
	if (*p == end)
		return 0;
	unsigned char c = (unsigned char)*(*p)++;
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static bool same(const char *a, const char *a_end, const char *b, const char *b_end)
{
	for (;;) {
		unsigned char x = letter(&a, a_end), y = letter(&b, b_end);
		if (x != y)
			return false;
		if (!x)
			return true;
	}
}

const char *charset_name_next(const char *name)
{
	return name + strlen(name) + 1;
}

const struct charset_row *charset_name_find(const char *name, size_t length)
{
	if (memchr(name, 0, length))
		return NULL;
	for (size_t i = 0; i < sizeof charset_table / sizeof *charset_table; i++)
		for (const char *n = charset_table[i].names; *n; n = charset_name_next(n))
			if (same(name, name + length, n, n + strlen(n)))
				return &charset_table[i];
	return NULL;
}
