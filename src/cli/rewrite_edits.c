#include "rewrite_edits.h"

#include "text/ascii.h"
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

/* Whether the bytes say the same in a header field or, in HTML, in text and in an attribute value, quoted in whatever
 * way or not at all. */
static bool is_literal(const uint8_t *p, size_t n, bool html)
{
	const char *others = html ? "&<>\"'`" : "<>\"";
	for (size_t i = 0; i < n; i++)
		if (p[i] <= ' ' || p[i] >= 0x7f || strchr(others, p[i]))
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
		if (is_literal(p + i, 1, true)) {
			buf_add(to, p + i, 1);
			continue;
		}
		if (cp >= 0x80)
			k = utf8_next(p + i, n - i, &cp);
		snprintf(reference, sizeof reference, cp == '&' ? "&amp;" : "&#%u;", (unsigned)cp);
		buf_add(to, reference, strlen(reference));
	}
}

/* The bytes of a link that stand for the first one of its text in HTML or, with `last`, for the last one. */
static size_t unit(const uint8_t *p, size_t n, bool html, bool last)
{
	static const char amp[] = "&amp;";
	enum { AMP = sizeof amp - 1 };
	return html && n >= AMP && !memcmp(last ? p + n - AMP : p, amp, AMP) ? AMP : 1;
}

/* Whether the new text is the old one without some of it; what is left is appended as it was. */
static bool put_rest(struct buf *to, const uint8_t *old, size_t n, const uint8_t *new, size_t length, bool html)
{
	const size_t start = to->length;
	size_t at = 0;
	for (size_t i = 0, k; i < n && at < length; i += k) {
		k = unit(old + i, n - i, html, false);
		if (old[i] == new[at]) {
			buf_add(to, old + i, k);
			at++;
		}
	}
	to->length = at == length ? to->length : start;
	return at == length;
}

/* The bytes of a link, old and new; those at both ends that say the same stay. */
static bool put_link(struct buf *to, const uint8_t *old, size_t n, const uint8_t *new, size_t length, bool html)
{
	size_t head = 0, begin = 0, tail = length, end = n;
	if (put_rest(to, old, n, new, length, html))
		return true;
	for (; head < length && begin < n && old[begin] == new[head]; head++)
		begin += unit(old + begin, n - begin, html, false);
	for (size_t k; tail > head && end > begin; tail--, end -= k) {
		k = unit(old + begin, end - begin, html, true);
		if (old[end - k] != new[tail - 1])
			break;
	}
	const bool literal = is_literal(new + head, tail - head, html);
	if (literal) {
		buf_add(to, old, begin);
		buf_add(to, new + head, tail - head);
		buf_add(to, old + end, n - end);
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
