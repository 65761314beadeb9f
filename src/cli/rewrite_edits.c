#include "rewrite_edits.h"

#include "input/recode.h"
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
		if (!within(p[i], '!', '~') || strchr(others, p[i]))
			return false;
	return true;
}

/* The bytes of a link that stand for the first one of its text in HTML or, with `last`, for the last one. */
static size_t unit(const uint8_t *p, size_t n, bool html, bool last)
{
	static const char amp[] = "&amp;";
	enum { AMP = sizeof amp - 1 };
	const bool escaped = last ? text_ends(p, n, amp) : text_begins(p, n, amp);
	return html && escaped ? AMP : 1;
}

/* A link as it stands, and its new text. */
struct change {
	const uint8_t *old;
	size_t n;
	const uint8_t *new;
	size_t length;
	bool html;
};

/* The new text; the bytes at both ends that say the same stay.  False where it cannot be written. */
static bool put_change(struct buf *to, const struct change *c)
{
	const size_t start = to->length;
	size_t at = 0, head = 0, begin = 0, tail = c->length, end = c->n;
	/* If the new text is the old one without some of it, what is left stays as it was. */
	for (size_t i = 0, k; i < c->n && at < c->length; i += k) {
		k = unit(c->old + i, c->n - i, c->html, false);
		const bool stays = c->old[i] == c->new[at];
		buf_add(to, c->old + i, stays ? k : 0);
		at += stays;
	}
	if (at == c->length)
		return true;
	to->length = start;
	/* It is no part of the old text, so one of them differs before it ends. */
	for (; begin < c->n && c->old[begin] == c->new[head]; head++)
		begin += unit(c->old + begin, c->n - begin, c->html, false);
	for (size_t k; end > begin; tail--, end -= k) {
		k = unit(c->old + begin, end - begin, c->html, true);
		if (c->old[end - k] != c->new[tail - 1])
			break;
	}
	if (is_literal(c->new + head, tail - head, c->html)) {
		buf_add(to, c->old, begin);
		buf_add(to, c->new + head, tail - head);
		buf_add(to, c->old + end, c->n - end);
		return true;
	}
	/* As character references where bytes are not literal. */
	for (size_t i = 0, k; c->html && i < c->length; i += k) {
		uint32_t cp;
		char text[16];
		k = utf8_next(c->new + i, c->length - i, &cp);
		const bool stays = is_literal(c->new + i, 1, true);
		snprintf(text, sizeof text, stays ? "%c" : cp == '&' ? "&amp;" : "&#%u;", (unsigned)cp);
		buf_add_text(to, text);
	}
	return c->html;
}

/* Appends a range of a link of HTML that has markup inside; *next: how much of the new text has been written.  Brackets
 * of defanged forms may come or go, and letters may replace letters.  False if there are other changes. */
static bool put_range(struct buf *to, const struct change *c, size_t *next)
{
	for (size_t i = 0, k, n; i < c->n; i += k) {
		uint8_t old[REFERENCE_TEXT_MAX] = { c->old[i] };
		k = recode_reference(c->old + i, c->n - i, old, &n);
		if (k == 0)
			k = n = 1;
		const uint8_t *new = c->new + *next;
		const size_t left = c->length - *next, opens = byte_at(new, 0, left) == '[' && *old != '[';
		const uint8_t wanted = byte_at(new, opens, left);
		const uint8_t *put = c->old + i;
		size_t length = k;
		if (left < opens + n || memcmp(new + opens, old, n)) { /* it does not stay */
			if (BYTE_IN(*old, "[]"))
				continue;
			if (!is_alpha(*old) || !is_alpha(wanted))
				return false;
			put = &wanted;
			length = 1;
		}
		const bool closes = byte_at(new, opens + n, left) == ']' && byte_at(c->old, i + k, c->n) != ']';
		buf_add(to, "[", opens);
		buf_add(to, put, length);
		buf_add(to, "]", closes);
		*next += opens + n + closes;
	}
	return true;
}

bool edits_apply(struct buf *to, const struct edited *text)
{
	size_t at = 0; /* up to here the text was written */
	for (const struct edit *e = text->edits, *last; e < text->edits + text->count; e = last + 1) {
		/* The edits of one link. */
		const struct edit *const first = e;
		const size_t start = to->length, begin = at;
		size_t next = 0;
		bool good = true;
		for (last = e; last->goes_on;)
			last++;
		const size_t length = last->text_end - first->text;
		for (; e <= last; e++) {
			if (e->offset < text->base + at || e->length > text->length
			    || e->offset - text->base > text->length - e->length)
				return false;
			const size_t from = (size_t)(e->offset - text->base);
			const struct change change = { .old = text->bytes + from, .n = (size_t)e->length,
			                               .new = text->texts + first->text, .length = length, .html = text->html };
			buf_add(to, text->bytes + at, from - at);
			good &= first == last ? put_change(to, &change) : put_range(to, &change, &next);
			at = from + change.n;
		}
		if (good && (first == last || next == length))
			continue;
		if (first == last)
			return false;
		to->length = start;
		buf_add(to, text->bytes + begin, at - begin);
		*text->left = true;
	}
	buf_add(to, text->bytes + at, text->length - at);
	return true;
}
