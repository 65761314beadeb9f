#include "csv.h"

#include "render/escape.h"

/* Whether the byte ends a field. */
static bool separates(struct csv_reader *c, uint8_t byte)
{
	if (c->open)
		return false;
	if (!c->separator && (byte == ',' || byte == ';' || byte == '\n'))
		c->separator = byte;
	return byte == '\n' || byte == '\r' || (byte == c->separator && byte);
}

bool csv_next(void *reader, const uint8_t *p, size_t n, size_t *length)
{
	struct csv_reader *c = reader;
	const bool before = c->between;
	size_t i = 0;
	while (i < n && separates(c, p[i]))
		i++;
	c->between = i > 0;
	if (c->between)
		c->begun = c->enclosed = false;
	for (; !c->between && i < n && !separates(c, p[i]); i++) {
		c->enclosed |= !c->begun && p[i] == '"';
		c->open ^= c->enclosed && p[i] == '"';
		c->begun = true;
	}
	*length = i;
	return c->between != before;
}

size_t csv_cell(const char *text, size_t n, bool spreadsheet, char *out, size_t size)
{
	return escape_csv_text(text, n, spreadsheet, out, size);
}
