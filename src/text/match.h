/* Patterns of bytes, as data: those of Lua without going back. */
#ifndef TEXT_MATCH_H
#define TEXT_MATCH_H

#include "ascii.h"

/* Matches the beginning of the n bytes with the pattern: one more than the length of what matched, 0 for no match.
 * Alternatives are separated by `|`, and the first one that matches counts.  Each is a row of items: a byte, a class
 * (`%a` letter, `%u` capital, `%l` small letter, `%d` digit, `%w` letter or digit, `%s` blank, `%q` quote mark of a
 * line, `%h` beyond ASCII, `%z` no byte; else `%` and the byte), or a set of them in `[]`, or in `[^]` of all others,
 * none of it `|`.  After an item `?`, `*` and `+` mean at most one, any number, and at least one; what an item has
 * taken is never given back.  `%f` before an item takes nothing: at the end it matches always. */
size_t match_bytes(const uint8_t *p, size_t n, const char *pattern);

static inline size_t match_text(const char *text, const char *pattern)
{
	return match_bytes((const uint8_t *)text, strlen(text), pattern);
}

#define MATCH_END "%f%z"
#define MATCH_ANY "[^%z]"
#define MATCH_HEX "[" HEX_DIGITS "]"

#endif
