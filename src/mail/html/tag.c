#include "tag.h"

#include <limits.h>
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
	h->slash = h->named = h->had_target = h->shadow = h->closing = h->waits = h->refresh = false;
	h->target = &target_attributes[TARGET_NONE];
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
	size_t end = run_until_class(p, i, n, attributes_classes, ENDS_NAME);
	if (!h->name_length && end - i <= ELEMENT_NAME && n - i >= ELEMENT_NAME) {
		run_lower(h->name, p + i, end - i);
		h->name_length = end - i;
	} else {
		name_add(h, p + i, end - i);
	}
	if (end == n)
		return n;
	h->tag = element_named(&h->index, h->name);
	if (!h->end)
		h->target = &target_attributes[h->tag->is / IS_TARGET];
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
	if (h->spaces || is / IS_SVG % 16)
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
	if (h->kept == KEPT_EQUIV)
		h->equiv = 0;
	if (h->kept != KEPT_TARGET)
		return;
	h->value.length = h->white = h->white_end = 0;
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
	const struct target_attribute *t = h->target;
	bool other = *t->other && !memcmp(h->name, t->other, ELEMENT_NAME);
	bool target = *t->name && !h->had_target && !memcmp(h->name, t->name, ELEMENT_NAME);
	h->kept = KEPT_NOT;
	if (target && (!t->resource || h->resources))
		h->kept = KEPT_TARGET;
	else if (other && t == &target_attributes[TARGET_META])
		h->kept = KEPT_EQUIV;
	h->had_target |= h->kept == KEPT_TARGET;
	h->shadow |= other && t == &target_attributes[TARGET_TEMPLATE];
}

size_t between_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (!h->named && p[i] != '>')
		i = attributes_pass(p, i, n, h->target, &h->slash);
	for (; i < n; i++) {
		uint8_t c = p[i];
		if (run_is_space(c)) {
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
	size_t end = run_until_class(p, i, n, attributes_classes, ENDS_ATTRIBUTE);
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
	while (i < n && run_is_space(p[i]))
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

/* Whether an http-equiv is `refresh` so far. */
static void equiv_add(struct htmltext *h, const uint8_t *p, size_t n)
{
	static const char refresh[] = "refresh";
	for (size_t i = 0; i < n; i++) {
		bool same = h->equiv < sizeof refresh - 1 && to_lower(p[i]) == (uint8_t)refresh[h->equiv];
		h->equiv = same ? h->equiv + 1 : UINT_MAX;
	}
	h->refresh = h->equiv == sizeof refresh - 1;
}

void value_add(struct htmltext *h, const void *bytes, size_t n)
{
	if (h->kept == KEPT_EQUIV) {
		equiv_add(h, bytes, n);
		return;
	}
	size_t room = h->value_flags & HTMLTEXT_CUT ? 0 : HTMLTEXT_VALUE_MAX - h->value.length;
	if (n > room)
		h->value_flags |= HTMLTEXT_CUT;
	if (!buf_add(&h->value, bytes, n < room ? n : room))
		h->status = URLSIFT_NO_MEMORY;
}

/* Bytes of the source that stand for themselves: the white space around the value is counted in it. */
static void value_raw(struct htmltext *h, const uint8_t *p, size_t n)
{
	size_t white = 0;
	bool first = h->white == h->value.length;
	while (first && white < n && run_is_space(p[white]))
		white++;
	h->white += white;
	for (white = 0; white < n && run_is_space(p[n - white - 1]); white++) {}
	h->white_end = white == n ? h->white_end + n : white;
	value_add(h, p, n);
}

/* The URL in the content of a refresh: after `;` or `,`, and `url=`, in quotation marks perhaps. */
static void find_refresh(struct html_target *t)
{
	const uint8_t *p = t->value;
	size_t i = 0, n = t->length;
	while (i < n && (is_digit(p[i]) || p[i] == '.' || run_is_space(p[i])))
		i++;
	i += i < n && (p[i] == ';' || p[i] == ',');
	while (i < n && run_is_space(p[i]))
		i++;
	size_t k = i + 3;
	if (k < n && ascii_begins(p + i, "url", 3)) {
		while (k < n && run_is_space(p[k]))
			k++;
		if (k < n && p[k] == '=')
			for (i = k + 1; i < n && run_is_space(p[i]); i++) {}
	}
	if (i < n && (p[i] == '"' || p[i] == '\'')) {
		const uint8_t *end = memchr(p + i + 1, p[i], n - i - 1);
		n = end ? (size_t)(end - p) : n;
		i++;
	}
	if (!(t->flags & HTMLTEXT_REFERENCES)) {
		t->source += i;
		t->source_length = n - i;
	}
	t->value = p + i;
	t->length = n - i;
}

/* The value goes out, without the white space around it. */
static void put_target(struct htmltext *h)
{
	unsigned is = h->tag->is;
	bool anchor = is & IS_ANCHOR || (is & IS_AREA && !h->anchor);
	size_t length = h->value.length, white = h->white;
	size_t end = h->white_end < length - white ? h->white_end : length - white;
	struct html_target t = {
		.value = length ? h->value.data + white : (const uint8_t *)"", .length = length - white - end,
		.source = h->value_at + white, .source_length = (size_t)(h->value_end - h->value_at) - white - end,
		.flags = h->value_flags, .attribute = h->target->shown
	};
	h->anchor |= anchor;
	t.flags |= anchor ? HTMLTEXT_ANCHOR : 0;
	t.flags |= is & IS_BASE && !h->templates ? HTMLTEXT_BASE : 0;
	if (h->target == &target_attributes[TARGET_META])
		find_refresh(&t);
	if (h->sink.target(h->sink.user, &t))
		h->status = URLSIFT_STOPPED;
	if (anchor && is & IS_AREA)
		anchor_end(h);
}

void value_end(struct htmltext *h, uint64_t end)
{
	h->state = IN_BETWEEN;
	if (h->kept == KEPT_NOT || h->status != URLSIFT_OK)
		return;
	bool meta = h->target == &target_attributes[TARGET_META];
	if (h->kept == KEPT_TARGET)
		h->value_end = end;
	h->waits = h->kept == KEPT_TARGET ? meta : h->waits;
	bool goes = meta ? h->waits && h->refresh : h->kept == KEPT_TARGET;
	h->kept = KEPT_NOT;
	if (goes) {
		h->waits = false;
		put_target(h);
	}
}

/* Where the value, or what of it can be taken as it is, ends. */
static size_t value_stretch(const struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (!h->quote)
		return attributes_class_end(p, i, n, h->kept ? ENDS_KEPT_VALUE : ENDS_VALUE);
	if (h->kept)
		return run_until_any(p, i, n, h->quote, '&');
	return run_until(p, i, n, h->quote);
}

size_t value_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = value_stretch(h, p, i, n);
	if (h->kept)
		value_raw(h, p + i, end - i);
	if (end == n)
		return n;
	if (p[end] == '&') {
		h->white_end = 0;
		reference_begin(h, h->base + end, IN_VALUE);
	} else if (p[end] == 0) {
		h->value_flags |= HTMLTEXT_REFERENCES; /* it is no longer its source */
		h->white_end = 0;
		value_add(h, "\xEF\xBF\xBD", 3);
	} else {
		value_end(h, h->base + end);
		end -= !h->quote; /* what ends an unquoted one is read again */
	}
	return end + 1;
}

/* ---- The machine ---- */

static htmltext_reader *const readers[HTMLTEXT_STATES] = {
	[IN_TEXT] = text_read, [IN_REFERENCE] = reference_read, [IN_NAME] = reference_name_read,
	[IN_NUMBER] = reference_number_read, [IN_OPEN] = open_read, [IN_END_OPEN] = end_open_read,
	[IN_TAG_NAME] = tag_name_read, [IN_BETWEEN] = between_read, [IN_ATTRIBUTE] = attribute_read,
	[IN_EQUALS] = equals_read, [IN_VALUE] = value_read, [IN_DECLARATION] = declaration_read, [IN_DASH] = dash_read,
	[IN_BRACKET] = hidden_bracket, [IN_COMMENT] = comment_read, [IN_BOGUS] = bogus_read, [IN_CDATA] = cdata_read,
	[IN_CDATA_END] = cdata_end_read, [IN_HIDDEN] = hidden_read, [IN_RAW_OPEN] = raw_open_read,
	[IN_RAW_NAME] = raw_name_read, [IN_RAW_BANG] = raw_bang_read
};

struct htmltext *htmltext_new(const urlsift_allocator *alloc, const struct htmltext_sink *sink, bool resources)
{
	urlsift_allocator a = alloc_from(alloc);
	struct htmltext *h = alloc_get(&a, sizeof *h);
	if (!h)
		return NULL;
	h->alloc = a;
	h->sink = *sink;
	h->resources = resources;
	element_index(&h->index);
	buf_init(&h->value, &h->alloc, HTMLTEXT_VALUE_MAX);
	htmltext_reset(h);
	return h;
}

void htmltext_free(struct htmltext *h)
{
	if (!h)
		return;
	urlsift_allocator a = h->alloc;
	buf_fini(&h->value);
	alloc_put(&a, h);
}

void htmltext_reset(struct htmltext *h)
{
	h->status = URLSIFT_OK;
	h->state = IN_TEXT;
	h->inside = h->tag = &element_none;
	h->target = &target_attributes[TARGET_NONE];
	h->kept = KEPT_NOT;
	h->base = h->templates = h->spaces = 0;
	h->limit = h->template_limit = HTMLTEXT_NEVER;
	h->pre = h->anchor = false;
	h->last = 0;
	h->level = 0;
}

static bool in_reference(const struct htmltext *h)
{
	return h->state == IN_REFERENCE || h->state == IN_NAME || h->state == IN_NUMBER;
}

/* What hid too much ends here: what follows is text. */
static void hidden_cut(struct htmltext *h)
{
	if (in_reference(h)) {
		reference_finish(h, h->limit);
		if (h->state == IN_TEXT)
			return;
	}
	if (h->state == IN_VALUE) {
		h->value_flags |= HTMLTEXT_CUT;
		value_end(h, h->limit);
	}
	h->inside = &element_none;
	h->level = 0;
	text_resume(h);
}

/* How far of n bytes the one at i can be read on: to where something is ended. */
static size_t limit_end(struct htmltext *h, size_t i, size_t n)
{
	uint64_t at = h->base + i;
	bool cut = at == h->template_limit || (at == h->limit && !in_reference(h));
	if (cut && h->sink.limit && h->sink.limit(h->sink.user, at))
		h->status = URLSIFT_STOPPED;
	if (at == h->template_limit) {
		h->templates = 0;
		h->template_limit = HTMLTEXT_NEVER;
	}
	if (at == h->limit)
		hidden_cut(h);
	uint64_t limit = h->limit < h->template_limit ? h->limit : h->template_limit;
	return limit - at < n - i ? i + (size_t)(limit - at) : n;
}

urlsift_status htmltext_feed(struct htmltext *h, const uint8_t *text, size_t n)
{
	const uint64_t stop = h->base + n;
	for (size_t i = 0; i < n && h->status == URLSIFT_OK;) {
		bool far = h->limit >= stop && h->template_limit >= stop;
		size_t end = far ? n : limit_end(h, i, n);
		i = readers[h->state](h, text, i, end);
	}
	h->base += n;
	return h->status;
}

urlsift_status htmltext_finish(struct htmltext *h)
{
	if (in_reference(h) && h->back == IN_TEXT)
		reference_finish(h, h->base);
	else if (h->state == IN_OPEN || h->state == IN_END_OPEN || h->state == IN_RAW_OPEN || h->state == IN_RAW_NAME)
		text_held(h);
	else if (h->state == IN_CDATA_END)
		cdata_finish(h);
	anchor_end(h);
	return h->status;
}

size_t htmltext_memory_bound(void)
{
	return sizeof(struct htmltext) + HTMLTEXT_VALUE_MAX;
}
