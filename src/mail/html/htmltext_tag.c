/* Tags and their attributes. */
#include "htmltext_attributes.h"
#include "htmltext_scan.h"
#include "htmltext_state.h"

#include <string.h>

/* ---- Names ---- */

size_t open_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	uint8_t c = p[i];
	size_t name = i + (c == '/'); /* which of the two kinds of tag comes is hard to foresee */
	if (name < n && is_alpha(p[name])) {
		tag_begin(h, c == '/');
		return tag_name_read(h, p, name, n);
	}
	if (c == '/') {
		h->held[h->held_length++] = c;
		h->state = IN_END_OPEN;
		return i + 1 < n ? end_open_read(h, p, i + 1, n) : n;
	}
	if (c == '!' || c == '?') {
		h->state = c == '!' ? IN_DECLARATION : IN_BOGUS;
		return i + 1;
	}
	text_held(h);
	text_resume(h);
	return i;
}

size_t end_open_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (is_alpha(p[i])) {
		tag_begin(h, true);
		return tag_name_read(h, p, i, n);
	}
	h->state = IN_BOGUS; /* `</>` too: it ends at once */
	return i;
}

void tag_begin(struct htmltext *h, bool end)
{
	h->state = IN_TAG_NAME;
	h->end = end;
	h->slash = h->named = h->had_href = h->shadow = h->closing = false;
	h->name_length = 0;
	memset(h->name, 0, sizeof h->name);
}

/* The name grows by bytes that hold no end of it; what is too long has no NUL
 * behind it and so is nobody's name. */
static void name_add(struct htmltext *h, const uint8_t *p, size_t n)
{
	size_t room = ELEMENT_NAME - h->name_length;
	uint8_t *to = h->name + h->name_length;
	n = n < room ? n : room;
	h->name_length += n;
	for (size_t i = 0; i < n; i++) {
		uint8_t c = p[i] ? p[i] : 0xFF;
		to[i] = to_lower(c);
	}
}

size_t tag_name_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = attributes_name_end(p, i, n, ENDS_NAME);
	if (!h->name_length && end - i <= ELEMENT_NAME && n - i >= ELEMENT_NAME) {
		scan_lower(h->name, p + i, end - i);
		h->name_length = end - i;
	} else {
		name_add(h, p + i, end - i);
	}
	if (end == n)
		return n;
	h->tag = element_named(&h->index, h->name);
	if (h->tag->is & IS_ANCHOR && !h->end)
		anchor_end(h);
	h->state = IN_BETWEEN;
	return between_read(h, p, end, n);
}

/* ---- The whole tag ---- */

void anchor_end(struct htmltext *h)
{
	if (!h->anchor || h->status != URLSIFT_OK)
		return;
	h->anchor = false;
	if (h->sink.anchor_end(h->sink.user))
		h->status = URLSIFT_STOPPED;
}

/* Which of SVG, MathML and HTML goes on behind the tag: the few elements that tell, as a
 * stack, for lack of a tree. */
static void space_follow(struct htmltext *h, unsigned is)
{
	unsigned space = is / IS_SVG % 16, inner = h->spaces % 16;
	bool foreign = htmltext_foreign(h);
	if (foreign && is & (h->end ? IS_BREAKING : IS_BREAKOUT)) {
		while (htmltext_foreign(h))
			h->spaces >>= 4;
	} else if (!h->end && space && !h->slash) {
		bool root = space <= SPACE_MATH && (space == inner || !foreign);
		bool in_svg = inner == SPACE_SVG && space > SPACE_MATH && space < SPACE_MI;
		bool in_math = inner == SPACE_MATH && space >= SPACE_MI;
		if (root || in_svg || in_math)
			h->spaces = h->spaces << 4 | space; /* past 16 the outermost falls off */
	} else if (h->end && space && !h->closing) {
		uint64_t outer = h->spaces;
		while (outer % 16 != space && outer % 16 && outer % 16 <= SPACE_MATH)
			outer >>= 4;
		h->spaces = outer % 16 == space ? outer >> 4 : h->spaces;
	}
}

static void template_follow(struct htmltext *h, uint64_t at)
{
	if (!h->end && (h->templates || !h->shadow)) {
		if (!h->templates++)
			h->template_limit = at + HTMLTEXT_HIDDEN_MAX;
	} else if (h->end && h->templates && !--h->templates) {
		h->template_limit = HTMLTEXT_NEVER;
	}
}

/* The tag ended before `at`. */
static void tag_end(struct htmltext *h, uint64_t at)
{
	unsigned is = h->tag->is;
	if (is & IS_BLOCK)
		text_block(h, at);
	if (is & IS_CELL)
		text_cell(h, at);
	if (is & IS_ANCHOR && h->end)
		anchor_end(h);
	bool html = !htmltext_foreign(h) || is & IS_BREAKOUT;
	if (h->spaces || is >= IS_SVG)
		space_follow(h, is);
	if (html && is & IS_TEMPLATE)
		template_follow(h, at);
	if (is & IS_PRE && !(is & IS_RAW))
		h->pre = !h->end;
	if (html && is & IS_RAW && !h->end) {
		h->inside = h->tag;
		h->limit = at + HTMLTEXT_HIDDEN_MAX;
	}
	text_resume(h);
}

/* ---- Attributes ---- */

static void value_begin(struct htmltext *h, uint64_t at)
{
	h->state = IN_VALUE;
	h->value.length = 0;
	h->value_at = at;
	h->value_flags = 0;
}

/* An attribute without a value, before `at`: an empty one. */
static void value_missing(struct htmltext *h, uint64_t at)
{
	h->named = false;
	value_begin(h, at);
	value_end(h, at);
}

/* The attribute's name is whole. */
static void attribute_named(struct htmltext *h)
{
	static const uint8_t href[ELEMENT_NAME] = "href", shadow[ELEMENT_NAME] = "shadowrootmode";
	h->href = !h->end && !h->had_href && !memcmp(h->name, href, ELEMENT_NAME);
	h->had_href |= h->href;
	h->shadow |= !memcmp(h->name, shadow, ELEMENT_NAME);
}

size_t between_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (!h->named && p[i] != '>')
		i = attributes_pass(p, i, n, &h->slash);
	for (; i < n; i++) {
		uint8_t c = p[i];
		if (scan_is_space(c)) {
			h->slash = false;
			continue;
		}
		if (c == '=' && h->named) {
			h->state = IN_EQUALS;
			h->named = false;
			return i + 1;
		}
		if (h->named)
			value_missing(h, h->base + i);
		if (c == '>') {
			tag_end(h, h->base + i + 1);
			return i + 1;
		}
		h->slash = c == '/';
		if (!h->slash) {
			h->state = IN_ATTRIBUTE;
			h->name_length = 0;
			memset(h->name, 0, sizeof h->name);
			name_add(h, p + i, 1); /* even `=` */
			return i + 1;
		}
	}
	return n;
}

size_t attribute_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = attributes_name_end(p, i, n, ENDS_ATTRIBUTE);
	name_add(h, p + i, end - i);
	if (end == n)
		return n;
	attribute_named(h);
	h->named = true;
	h->state = IN_BETWEEN;
	return between_read(h, p, end, n);
}

size_t equals_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	while (i < n && scan_is_space(p[i]))
		i++;
	if (i == n)
		return n;
	uint8_t c = p[i];
	if (c == '>') {
		value_missing(h, h->base + i);
		return i;
	}
	h->quote = c == '"' || c == '\'' ? c : 0;
	i += h->quote != 0;
	value_begin(h, h->base + i);
	return i;
}

void value_add(struct htmltext *h, const void *bytes, size_t n)
{
	size_t room = h->value_flags & HTMLTEXT_CUT ? 0 : HTMLTEXT_VALUE_MAX - h->value.length;
	if (n > room)
		h->value_flags |= HTMLTEXT_CUT;
	if (!buf_add(&h->value, bytes, n < room ? n : room))
		h->status = URLSIFT_NO_MEMORY;
}

void value_end(struct htmltext *h, uint64_t end)
{
	h->state = IN_BETWEEN;
	if (!h->href || h->status != URLSIFT_OK)
		return;
	unsigned is = h->tag->is, flags = h->value_flags;
	bool anchor = is & IS_ANCHOR || (is & IS_AREA && !h->anchor);
	h->anchor |= anchor;
	flags |= anchor ? HTMLTEXT_ANCHOR : 0;
	flags |= is & IS_BASE && !h->templates ? HTMLTEXT_BASE : 0;
	const uint8_t *value = h->value.length ? h->value.data : (const uint8_t *)"";
	if (h->sink.href(h->sink.user, value, h->value.length, h->value_at, (size_t)(end - h->value_at), flags))
		h->status = URLSIFT_STOPPED;
	if (anchor && is & IS_AREA)
		anchor_end(h);
}

/* Where the value, or what of it can be taken as it is, ends. */
static size_t value_stretch(const struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (!h->quote)
		return attributes_class_end(p, i, n, h->href ? ENDS_KEPT_VALUE : ENDS_VALUE);
	if (h->href)
		return scan_stop(p, i, n, h->quote, '&');
	return scan_byte(p, i, n, h->quote);
}

size_t value_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = value_stretch(h, p, i, n);
	if (h->href)
		value_add(h, p + i, end - i);
	if (end == n)
		return n;
	if (p[end] == '&') {
		reference_begin(h, h->base + end, IN_VALUE);
	} else if (p[end] == 0) {
		h->value_flags |= HTMLTEXT_REFERENCES; /* it no longer stands byte for byte */
		value_add(h, "\xEF\xBF\xBD", 3);
	} else {
		value_end(h, h->base + end);
		end -= !h->quote; /* what ends an unquoted one is read again */
	}
	return end + 1;
}
