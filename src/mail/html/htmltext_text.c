/* Text: in elements, and in CDATA sections of SVG and MathML. */
#include "htmltext_scan.h"
#include "htmltext_state.h"

#include <string.h>

static void shown(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at, size_t length)
{
	if (h->status != URLSIFT_OK || h->templates || !n)
		return;
	h->last = p[n - 1];
	if (h->sink.text(h->sink.user, p, n, at, length))
		h->status = URLSIFT_STOPPED;
}

static bool keeps_lines(const struct htmltext *h) { return h->pre || h->inside->is & IS_PRE; }

void text_run(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at)
{
	if (keeps_lines(h)) {
		shown(h, p, n, at, n);
		return;
	}
	for (size_t i = 0, k; i < n; i += k) {
		k = n - i < SCRATCH ? n - i : SCRATCH;
		scan_blank(h->scratch, p + i, k);
		shown(h, h->scratch, k, at + i, k);
	}
}

void text_other(struct htmltext *h, const char *p, size_t n, uint64_t at, size_t length)
{
	if (n == 1 && scan_is_space((uint8_t)*p) && !keeps_lines(h))
		p = " ";
	shown(h, (const uint8_t *)p, n, at, length);
}

void text_block(struct htmltext *h, uint64_t at)
{
	if (h->last != '\n')
		shown(h, (const uint8_t *)"\n", 1, at, 0);
}

void text_cell(struct htmltext *h, uint64_t at)
{
	if (h->last != '\n' && h->last != ' ')
		shown(h, (const uint8_t *)" ", 1, at, 0);
}

void text_resume(struct htmltext *h)
{
	h->state = h->inside->is & IS_HIDDEN ? IN_HIDDEN : IN_TEXT;
	if (h->state == IN_TEXT)
		h->limit = HTMLTEXT_NEVER;
}

void text_held(struct htmltext *h)
{
	if (!(h->inside->is & IS_HIDDEN))
		text_run(h, h->held, h->held_length, h->mark);
}

static void replaced(struct htmltext *h, uint64_t at) { text_other(h, "\xEF\xBF\xBD", 3, at, 1); }


/* Whether the byte at p, with `left` >= 2 bytes from there on, is no text, or may be none. */
static bool begins(const uint8_t *p, size_t left, unsigned is)
{
	uint8_t next = p[1];
	if (p[0] == '&' && left > 2) /* no name is a letter alone */
		return next == '#' ? is_digit(p[2]) || (p[2] | 0x20) == 'x' : is_alnum(next) && is_alnum(p[2]);
	if (p[0] == '&')
		return next == '#' || is_alnum(next);
	if (p[0] == '<')
		return next == '/' || (!(is & IS_RAW) && (is_alpha(next) || next == '!' || next == '?'));
	return true;
}

/* What has begun at p[i - 1] and is ended elsewhere if it is long is read on with at once. */
static size_t read_on(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (i == n || n - i >= HTMLTEXT_HIDDEN_MAX)
		return i;
	return h->state == IN_OPEN ? open_read(h, p, i, n) : h->state == IN_REFERENCE ? reference_read(h, p, i, n) : i;
}

size_t text_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	unsigned is = h->inside->is;
	uint8_t tag = '<', reference = '&';
	if (is & IS_RAW) {
		tag = is & IS_ENDLESS ? 0 : '<';
		reference = is & IS_COOKED ? '&' : tag;
	}
	size_t end = scan_stop(p, i, n, tag, reference);
	while (end + 1 < n && !begins(p + end, n - end, is))
		end = scan_stop(p, end + 1, n, tag, reference);
	if (end > i)
		text_run(h, p + i, end - i, h->base + i);
	if (end == n)
		return n;
	uint64_t at = h->base + end;
	if (p[end] == '&') {
		reference_begin(h, at, IN_TEXT);
	} else if (p[end] == '<') {
		h->mark = at;
		h->held[0] = '<';
		h->held_length = 1;
		h->state = is & IS_RAW ? IN_RAW_OPEN : IN_OPEN;
		h->limit = is & IS_RAW ? HTMLTEXT_NEVER : at + HTMLTEXT_HIDDEN_MAX;
	} else if (is & IS_RAW || htmltext_foreign(h)) {
		replaced(h, at); /* elsewhere the standard drops NULs, and so must we: `ht\0tp:` is shown as a URL */
	}
	return read_on(h, p, end + 1, n);
}

size_t cdata_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = scan_stop(p, i, n, ']', ']');
	text_run(h, p + i, end - i, h->base + i);
	if (end == n)
		return n;
	if (p[end] == ']') {
		h->state = IN_CDATA_END;
		h->count = 1;
	} else {
		replaced(h, h->base + end);
	}
	return end + 1;
}

size_t cdata_end_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	uint64_t at = h->base + i;
	size_t end = i;
	while (end < n && p[end] == ']')
		end++;
	if (end > i) {
		size_t ended = h->count + (end - i); /* all but two are text */
		if (ended > 2)
			text_run(h, p + i, ended - 2, at - h->count);
		h->count = 2;
		return end;
	}
	if (p[i] == '>' && h->count == 2) {
		text_resume(h);
		return i + 1;
	}
	text_run(h, (const uint8_t *)"]]", h->count, at - h->count);
	h->state = IN_CDATA;
	return i;
}

void cdata_finish(struct htmltext *h) { text_run(h, (const uint8_t *)"]]", h->count, h->base - h->count); }
