#include "tag.h"

static const char opening[] = "url(", import[] = "@import";
enum { STYLE_OPENED = sizeof opening - 1, STYLE_URL, STYLE_IMPORT = sizeof import - 1 };

bool style_is_read(const struct htmltext *h) { return h->resources && h->raw.element->is & IS_STYLE; }

void style_begin(struct htmltext *h)
{
	struct style *s = &h->style;
	s->matched = s->imported = 0;
	s->last = ' ';
}

static void put_url(struct htmltext *h, uint64_t end)
{
	struct style *s = &h->style;
	const struct html_target t = {
		.value = s->url.length ? s->url.data : (const uint8_t *)"", .length = s->url.length,
		.source = s->at, .source_length = (size_t)(end - s->at), .end = end, .flags = s->flags,
		.attribute = "style url()"
	};
	s->matched = s->imported = 0;
	s->last = ')';
	htmltext_stop(h, h->sink.target(h->sink.user, &t));
}

static void url_begin(struct style *s, uint8_t quote, uint64_t at)
{
	s->matched = STYLE_URL;
	s->quote = quote;
	s->at = at;
	s->flags = 0;
	s->url.length = 0;
}

void style_end(struct htmltext *h, uint64_t at, bool cut)
{
	struct style *s = &h->style;
	if (cut) {
		if (s->matched != STYLE_URL)
			url_begin(s, 0, at);
		s->flags |= HTMLTEXT_CUT;
	}
	if (s->matched == STYLE_URL)
		put_url(h, at);
}

/* One byte, that source bytes [begin, end) mean. */
static void byte_read(struct htmltext *h, uint8_t c, uint64_t begin, uint64_t end)
{
	struct style *s = &h->style;
	bool string = s->matched == STYLE_OPENED || (s->matched < STYLE_OPENED && s->imported == STYLE_IMPORT);
	if (string && is_quote_mark(c)) {
		url_begin(s, c, end);
		return;
	}
	if (s->matched < STYLE_OPENED || (s->matched == STYLE_OPENED && run_is_space(c))) {
		/* before a URL: `url(`, not at the end of another name, then white space; or `@import`, then white space */
		bool next = s->imported < STYLE_IMPORT && to_lower(c) == (uint8_t)import[s->imported];
		if (s->imported < STYLE_IMPORT || !run_is_space(c))
			s->imported = next ? s->imported + 1 : c == '@';
		if (s->matched == STYLE_OPENED)
			return; /* white space after it */
		bool in_name = byte_class[s->last] & BYTE_NAME;
		next = to_lower(c) == (uint8_t)opening[s->matched] && (s->matched || !in_name);
		s->matched = next ? s->matched + 1 : 0;
		s->last = c;
		return;
	}
	if (s->matched == STYLE_OPENED)
		url_begin(s, 0, begin);
	if (s->quote ? c == s->quote : c == ')' || run_is_space(c))
		put_url(h, begin);
	else if (s->quote && c == '\n')
		style_begin(h); /* a string ends with its line: it is no URL */
	else if (s->url.length == HTMLTEXT_VALUE_MAX)
		style_end(h, begin, true); /* the rest is CSS again */
	else if (!buf_add(&s->url, &c, 1))
		h->status = URLSIFT_NO_MEMORY;
}

void style_read(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at, size_t source_length)
{
	bool same = n == source_length;
	for (size_t i = 0; i < n && h->status == URLSIFT_OK; i++) {
		if (same) {
			byte_read(h, p[i], at + i, at + i + 1);
		} else {
			byte_read(h, p[i], at, at + source_length);
			if (h->style.url.length)
				h->style.flags |= HTMLTEXT_REFERENCES;
		}
	}
}
