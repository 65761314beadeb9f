/* What is not shown: declarations, comments, scripts, style sheets; and how raw elements end. */
#include "htmltext_scan.h"
#include "htmltext_state.h"

#include <string.h>

size_t declaration_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	(void)n;
	h->count = 0;
	if (p[i] == '-')
		h->state = IN_DASH;
	else if (p[i] == '[' && htmltext_foreign(h))
		h->state = IN_BRACKET;
	else
		h->state = IN_BOGUS;
	return h->state == IN_BOGUS ? i : i + 1;
}

size_t dash_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	(void)n;
	h->state = p[i] == '-' ? IN_COMMENT : IN_BOGUS;
	h->fresh = true;
	h->bang = false;
	return p[i] == '-' ? i + 1 : i;
}

size_t hidden_bracket(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	static const char rest[] = "CDATA[";
	for (; i < n && rest[h->count]; i++, h->count++)
		if (p[i] != (uint8_t)rest[h->count]) {
			h->state = IN_BOGUS;
			return i;
		}
	if (!rest[h->count]) {
		h->state = IN_CDATA;
		h->limit = HTMLTEXT_NEVER;
	}
	return i;
}

/* Ends are `-->`, `--!>`, and at the beginning `>` and `->`. */
size_t comment_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	for (; i < n; i++) {
		if (!h->count && !h->fresh && !h->bang) {
			const uint8_t *dash = memchr(p + i, '-', n - i);
			if (!dash)
				return n;
			i = (size_t)(dash - p);
		}
		uint8_t c = p[i];
		if (c == '>' && (h->count == 2 || h->fresh || h->bang)) {
			text_resume(h);
			return i + 1;
		}
		h->fresh = h->fresh && c == '-' && !h->count;
		h->bang = c == '!' && h->count == 2;
		h->count = c != '-' ? 0 : h->count < 2 ? h->count + 1 : 2;
	}
	return n;
}

size_t bogus_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	const uint8_t *end = memchr(p + i, '>', n - i);
	if (!end)
		return n;
	text_resume(h);
	return (size_t)(end - p) + 1;
}

/* In a script's `<!--` the dashes count that may end it. */
static size_t hidden_end(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (!h->level) {
		const uint8_t *tag = memchr(p + i, '<', n - i);
		return tag ? (size_t)(tag - p) : n;
	}
	for (; i < n && p[i] != '<'; i++) {
		if (p[i] == '>' && h->count == 2) {
			h->level = h->count = 0;
			return i;
		}
		h->count = p[i] != '-' ? 0 : h->count < 2 ? h->count + 1 : 2;
	}
	return i;
}

size_t hidden_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	i = hidden_end(h, p, i, n);
	if (i == n || p[i] != '<')
		return i;
	h->mark = h->base + i;
	h->held[0] = '<';
	h->held_length = 1;
	h->state = IN_RAW_OPEN;
	return i + 1;
}

/* It was no end tag. */
static size_t raw_resume(struct htmltext *h, size_t i)
{
	text_held(h);
	text_resume(h);
	return i;
}

size_t raw_open_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	(void)n;
	uint8_t c = p[i];
	bool script = h->inside->is & IS_SCRIPT;
	h->count = 0;
	h->closing = c == '/';
	if (h->closing) {
		h->held[h->held_length++] = c;
		h->state = IN_RAW_NAME;
		return i + 1;
	}
	if (script && h->level == 0 && c == '!') {
		h->state = IN_RAW_BANG;
		return i + 1;
	}
	if (!script || h->level != 1)
		return raw_resume(h, i);
	h->state = IN_RAW_NAME;
	return i;
}

size_t raw_bang_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	(void)n;
	if (p[i] != '-')
		return raw_resume(h, i);
	if (++h->count == 2) {
		h->level = 1;
		text_resume(h);
	}
	return i + 1;
}

/* The name of the element it is in was read, and ends there. */
static void raw_name_end(struct htmltext *h)
{
	if (!h->closing || h->level == 2) {
		h->level = h->closing ? 1 : 2;
		text_resume(h);
		return;
	}
	h->tag = h->inside;
	h->inside = &element_none;
	h->level = 0;
	h->limit = h->mark + HTMLTEXT_HIDDEN_MAX;
	tag_begin(h, true);
	h->closing = true;
	h->state = IN_BETWEEN;
}

size_t raw_name_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	const char *name = h->inside->name;
	for (; i < n; i++) {
		uint8_t c = p[i];
		if (!name[h->count] && (scan_is_space(c) || c == '/' || c == '>')) {
			raw_name_end(h);
			return i;
		}
		if (!name[h->count] || to_lower(c) != (uint8_t)name[h->count]) {
			h->count = 0;
			return raw_resume(h, i);
		}
		h->held[h->held_length++] = c;
		h->count++;
	}
	return n;
}
