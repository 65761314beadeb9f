/* The URLs of CSS, by its tokens (CSS Syntax Level 3, section 4): names, strings, comments, escapes and URLs without
 * quotation marks.  A string is a URL after `@import` and directly in the functions of the table; nothing else of CSS
 * is known. */
#include "tag.h"

#include "text/bits.h"
#include "text/unicode.h"

/* The functions in which a string is a URL; only in the first it needs no quotation marks. */
static const char functions[] = "url src image image-set -webkit-image-set";

bool style_is_read(const struct htmltext *h) { return h->resources && h->raw.element->is & IS_STYLE; }

void style_begin(struct htmltext *h)
{
	struct style *s = &h->raw.style;
	s->state = STYLE_TOKENS;
	s->imports = s->is_url = false;
	s->parentheses = 0;
	s->name_length = s->escape = 0;
	s->last = 0;
}

static void url_begin(struct style *s, uint64_t at)
{
	s->is_url = true;
	s->at = at;
	s->flags = 0;
	s->url.length = 0;
}

/* Hands out the URL, if the string or what has no quotation marks is one. */
static void url_end(struct htmltext *h, uint64_t end)
{
	struct style *s = &h->raw.style;
	if (!s->is_url)
		return;
	const struct html_target t = {
		.value = s->url.length ? s->url.data : (const uint8_t *)"", .length = s->url.length,
		.source = s->at, .source_length = (size_t)(end - s->at), .end = end, .flags = s->flags,
		.attribute = "style url()"
	};
	s->is_url = false;
	htmltext_stop(h, h->sink.target(h->sink.user, &t));
}

/* What a character of a name, a string or a URL means: the n bytes, of which those in the source begin at `at`. */
static void put(struct htmltext *h, const uint8_t *bytes, size_t n, uint64_t at)
{
	struct style *s = &h->raw.style;
	if (s->state == STYLE_TOKENS) {
		const size_t k = smaller(n, sizeof s->name - s->name_length);
		memcpy(s->name + s->name_length, bytes, k);
		s->name_length += k;
	} else if (s->is_url && s->url.length + n > HTMLTEXT_VALUE_MAX) {
		s->flags |= HTMLTEXT_CUT;
		url_end(h, at); /* the rest of it is skipped */
	} else if (s->is_url && !buf_add(&s->url, bytes, n)) {
		h->status = URLSIFT_NO_MEMORY;
	}
}

/* The escape ends: with the digits that it had. */
static void put_escape(struct htmltext *h, uint64_t at)
{
	struct style *s = &h->raw.style;
	uint8_t bytes[4];
	s->escape = 0;
	s->flags |= HTMLTEXT_REFERENCES;
	put(h, bytes, utf8_put(bytes, charref_scalar(s->code)), at);
}

void style_end(struct htmltext *h, uint64_t at, bool cut)
{
	struct style *s = &h->raw.style;
	if (s->escape > 1)
		put_escape(h, at);
	if (cut && !s->is_url)
		url_begin(s, at);
	s->flags |= bits_if(cut, HTMLTEXT_CUT);
	url_end(h, at);
}

/* Takes a byte after `\`: whether it belongs to the escape. */
static bool escape_read(struct htmltext *h, uint8_t c, uint64_t at)
{
	enum { DIGITS = 6 };
	struct style *s = &h->raw.style;
	const unsigned digit = hex_digit(c);
	if (digit < 16 && s->escape <= DIGITS) {
		s->code = s->code << 4 | digit;
		s->escape++;
		return true;
	}
	if (s->escape > 1) {
		put_escape(h, at);
		return run_is_space(c);
	}
	s->escape = 0;
	s->flags |= HTMLTEXT_REFERENCES;
	if (!BYTE_IN(c, "\n\f\r")) {
		put(h, &c, 1, at);
		s->last = 0; /* no slash of a comment */
	}
	return true; /* even a line end, which a string goes on after */
}

/* A byte outside of strings and URLs, before source byte `end`. */
static void token_read(struct style *s, uint8_t c, uint8_t before, uint64_t end)
{
	const bool function = c == '(';
	const bool named = ascii_is_among(s->name, s->name_length, functions);
	if (c == '*' && before == '/') {
		s->state = STYLE_COMMENT;
		s->last = 0; /* it does not end it too */
		return;
	}
	s->imports = s->name_length ? ascii_is(s->name, s->name_length, "@import") : s->imports;
	if (is_quote_mark(c)) {
		s->state = STYLE_STRING;
		s->quote = c;
		if (s->imports || s->parentheses & 1)
			url_begin(s, end);
	} else if (function) {
		s->parentheses = s->parentheses << 1 | named; /* past 64 the outermost falls off */
		s->state = named && ascii_is(s->name, s->name_length, "url") ? STYLE_OPEN : STYLE_TOKENS;
	} else if (c == ')') {
		s->parentheses >>= 1;
	}
	s->imports &= run_is_space(c) || c == '/'; /* a comment may follow */
	s->name[0] = c;
	s->name_length = c == '@';
}

/* One byte, that source bytes [begin, end) mean. */
static void byte_read(struct htmltext *h, uint8_t c, uint64_t begin, uint64_t end)
{
	struct style *s = &h->raw.style;
	const uint8_t before = s->last;
	s->last = c;
	if ((c == '\n' && before == '\r') || (s->escape && escape_read(h, c, begin)))
		return;
	if (s->state == STYLE_COMMENT) {
		if (c == '/' && before == '*') {
			s->state = STYLE_TOKENS;
			s->last = 0; /* nor does it begin the next one */
		}
		return;
	}
	if (s->state == STYLE_OPEN) {
		if (run_is_space(c))
			return;
		s->state = STYLE_TOKENS;
		if (!is_quote_mark(c)) {
			s->state = STYLE_URL;
			url_begin(s, begin);
		}
	}
	if (c == '\\') {
		s->escape = 1;
		s->code = 0;
	} else if (s->state == STYLE_STRING && (c == s->quote || BYTE_IN(c, "\n\f\r"))) {
		s->state = STYLE_TOKENS;
		if (c == s->quote)
			url_end(h, begin);
		s->is_url = false; /* a string that ends with its line is none */
	} else if (s->state == STYLE_URL && (c == ')' || run_is_space(c))) {
		s->state = STYLE_TOKENS;
		url_end(h, begin);
		s->parentheses >>= c == ')';
	} else if (s->state == STYLE_TOKENS && !(byte_class[c] & BYTE_NAME) && c < 0x80) {
		token_read(s, c, before, end);
	} else {
		put(h, &c, 1, begin);
	}
}

void style_read(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at, size_t source_length)
{
	bool same = n == source_length;
	for (size_t i = 0; i < n && h->status == URLSIFT_OK; i++) {
		if (same) {
			byte_read(h, p[i], at + i, at + i + 1);
		} else {
			byte_read(h, p[i], at, at + source_length);
			if (h->raw.style.url.length)
				h->raw.style.flags |= HTMLTEXT_REFERENCES;
		}
	}
}
