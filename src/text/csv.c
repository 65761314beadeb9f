#include "csv.h"

#include "simd/runs.h"
#include "text/ascii.h"

/* Whether the byte, outside quotation marks, ends a field. */
static inline bool separates(struct csv_reader *c, uint8_t byte)
{
	if (!c->separator) {
		c->separator = BYTE_IN(byte, ",;") && !c->colon ? byte : '\0';
		c->titled |= byte == '\n';
		c->colon = (c->colon || (c->titled && byte == ':')) && byte != '\n';
	}
	return is_line_end(byte) || (byte == c->separator && byte);
}

/* The first index in [i, n) of a byte that may end a field, or tell what does, or a quotation mark; n for none. */
static size_t next_mark(const struct csv_reader *c, const uint8_t *p, size_t i, size_t n)
{
	const uint8_t s = c->separator, a = (uint8_t)number_or(s, ','), b = (uint8_t)number_or(s, ';'),
	              colon = (uint8_t)number_or(s, ':');
	const char marks[] = { (char)a, (char)b, (char)colon, '"', '\n', '\r', '\0' };
	for (; n - i >= 16; i += 16) {
		bytes16 v = bytes16_load(p + i);
		const bytes16 tells = (bytes16)((v == a) | (v == b) | (v == colon));
		unsigned found = bytes16_mask(tells | (bytes16)((v == '"') | (v == '\n') | (v == '\r')));
		if (found)
			return i + (size_t)__builtin_ctz(found);
	}
	return byte_until(p, i, n, marks);
}

bool csv_next(void *reader, const uint8_t *p, size_t n, size_t *length)
{
	struct csv_reader *c = reader;
	const bool before = c->between;
	size_t i = 0;
	while (i < n && !c->open && separates(c, p[i]))
		i++;
	*length = i;
	c->between = i > 0;
	if (c->between) {
		c->begun = c->enclosed = false;
		return !before;
	}
	/* the rest of a field */
	c->enclosed |= !c->begun && *p == '"';
	c->begun = true;
	for (; (i = c->open ? run_until(p, i, n, '"') : next_mark(c, p, i, n)) < n; i++)
		if (p[i] == '"')
			c->open ^= c->enclosed;
		else if (separates(c, p[i]))
			break;
	*length = i;
	return before;
}
