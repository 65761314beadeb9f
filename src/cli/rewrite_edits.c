#include "rewrite_edits.h"

#include "text/ascii.h"
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

/* Whether the bytes say the same in an attribute value, quoted in whatever way or not at all, in text and in a header
 * field. */
static bool is_literal(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] <= ' ' || p[i] >= 0x7f || strchr("&<>\"'`", p[i]))
			return false;
	return true;
}

/* As character references where bytes are not literal. */
static void put_escaped(struct buf *to, const uint8_t *p, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		uint32_t cp = p[i];
		char reference[16];
		k = 1;
		if (is_literal(p + i, 1)) {
			buf_add(to, p + i, 1);
			continue;
		}
		if (cp >= 0x80)
			k = utf8_next(p + i, n - i, &cp);
		snprintf(reference, sizeof reference, cp == '&' ? "&amp;" : "&#%u;", (unsigned)cp);
		buf_add(to, reference, strlen(reference));
	}
}

/* The bytes of a link, old and new; those at both ends that are equal stay. */
static bool put_link(struct buf *to, const uint8_t *old, size_t n, const uint8_t *new, size_t length, bool html)
{
	size_t head = 0, tail = 0, least = smaller(n, length);
	while (head < least && old[head] == new[head])
		head++;
	while (tail < least - head && old[n - 1 - tail] == new[length - 1 - tail])
		tail++;
	const bool literal = is_literal(new + head, length - head - tail);
	if (literal) {
		buf_add(to, old, head);
		buf_add(to, new + head, length - head - tail);
		buf_add(to, old + n - tail, tail);
	} else if (html) {
		put_escaped(to, new, length);
	}
	return literal || html;
}

bool edits_apply(struct buf *to, const struct edited *text)
{
	size_t at = 0;
	for (const struct edit *e = text->edits; e < text->edits + text->count; e++) {
		if (e->offset < text->base + at || e->length > text->length
		    || e->offset - text->base > text->length - e->length)
			return false;
		const size_t from = (size_t)(e->offset - text->base), length = (size_t)e->length;
		buf_add(to, text->bytes + at, from - at);
		if (!put_link(to, text->bytes + from, length, text->texts + e->text, e->text_end - e->text, text->html))
			return false;
		at = from + length;
	}
	buf_add(to, text->bytes + at, text->length - at);
	return true;
}
