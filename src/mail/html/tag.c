#include "tag.h"

#include "text/bits.h"
#include "text/match.h"

#include <string.h>

/* ---- Names ---- */

size_t open_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	uint8_t c = p[i];
	if (is_alpha(c)) {
		tag_begin(h, false);
		return tag_name_read(h, p, i, n);
	}
	if (c == '/') {
		h->held.bytes[h->held.length++] = c;
		h->state = IN_END_OPEN;
		return i + 1;
	}
	if (BYTE_IN(c, "!?")) {
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
	h->tag.is_end = end;
	h->tag.slash = h->tag.named = h->raw.closing = h->tag.waits = h->tag.refresh = false;
	h->tag.area = h->tag.begun = false;
	h->tag.had = h->tag.uses = h->tag.with = 0;
	h->tag.name_length = 0;
	memset(h->tag.name, 0, sizeof h->tag.name);
}

/* Appends n bytes to the name.  A name that is too long has no NUL at its end and so equals no name of a table. */
static void name_add(struct htmltext *h, const uint8_t *p, size_t n)
{
	size_t room = ELEMENT_NAME - h->tag.name_length;
	uint8_t *to = h->tag.name + h->tag.name_length;
	n = smaller(n, room);
	h->tag.name_length += n;
	for (size_t i = 0; i < n; i++) {
		uint8_t c = p[i] ? p[i] : 0xFF;
		to[i] = to_lower(c);
	}
}

size_t tag_name_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = run_until_class(p, i, n, attributes_classes, ENDS_NAME);
	name_add(h, p + i, end - i);
	return end == n ? n : tag_named(h, element_named(&h->index, h->tag.name), p, end, n);
}

size_t tag_named(struct htmltext *h, const struct element *element, const uint8_t *p, size_t i, size_t n)
{
	h->tag.element = element;
	h->tag.target = target_attributes[h->tag.element->is / IS_TARGET % 64];
	if (!h->tag.is_end) {
		bool anchor = h->tag.element->is & IS_ANCHOR;
		if (anchor)
			anchor_tag(h, false);
		h->tag.uses = USES_ALWAYS | bits_if(h->resources, USES_FETCHED)
		            | bits_if(h->spaces % 16 == SPACE_SVG, USE_LINKED)
		            | bits_if(h->anchor || anchor || element->is & IS_AREA, USES_SEEN);
		if (element->is & IS_BASE && htmltext_foreign(h)) /* there it is none */
			h->tag.uses = 0;
	}
	unseen_begin(h);
	h->state = IN_BETWEEN;
	return between_read(h, p, i, n);
}

/* ---- The complete tag ---- */

/* Which of SVG, MathML and HTML goes on after the tag: the few elements that tell, as a
 * stack, for lack of a tree. */
static void space_follow(struct htmltext *h, unsigned is)
{
	unsigned space = is / IS_SVG % 16, inner = h->spaces % 16;
	bool foreign = htmltext_foreign(h);
	if (foreign && is & (h->tag.is_end ? IS_BREAKING : IS_BREAKOUT)) {
		htmltext_leave_foreign(h);
	} else if (!h->tag.is_end && space && !h->tag.slash) {
		bool root = space <= SPACE_MATH && (space == inner || !foreign);
		bool in_svg = inner == SPACE_SVG && within(space, SPACE_DESC, SPACE_TITLE);
		bool in_math = inner == SPACE_MATH && space >= SPACE_MI;
		if (root || in_svg || in_math)
			h->spaces = h->spaces << 4 | space; /* past 16 the outermost falls off */
	} else if (h->tag.is_end && space && !h->raw.closing) {
		uint64_t outer = h->spaces;
		while (outer % 16 != space && within(outer % 16, SPACE_SVG, SPACE_MATH))
			outer >>= 4;
		h->spaces = outer % 16 == space ? outer >> 4 : h->spaces;
	}
}

static void target_end(struct htmltext *h, uint64_t end);

/* The tag ended before `at`. */
static void tag_end(struct htmltext *h, uint64_t at)
{
	unsigned is = h->tag.element->is;
	if (h->tag.waits && h->value.attribute->use == USE_LINKED)
		target_end(h, at);
	if (!h->anchor)
		text_edge(h, at);
	if (is & IS_ANCHOR && h->tag.is_end)
		anchor_tag(h, true);
	if (h->anchor)
		unseen_tag_end(h, at);
	if (h->tag.area)
		anchor_end(h);
	bool html = !htmltext_foreign(h) || is & IS_BREAKOUT;
	const uint64_t spaces = h->spaces;
	space_follow(h, is);
	if (h->spaces != spaces)
		scope_spaces(h);
	if (html && is / IS_SCOPE)
		scope_follow(h, h->tag.element, h->tag.is_end);
	if (html && is & IS_TEMPLATE) {
		const uint64_t before = h->templates;
		h->templates = h->tag.is_end ? beyond(before, 1) : before + (before || !(h->tag.with & USE_SHADOW));
		if (!h->templates)
			h->template_begin = HTMLTEXT_NEVER;
		else if (!before)
			h->template_begin = at;
	}
	if (is & IS_PRE && !(is & IS_RAW))
		h->text.pre = !h->tag.is_end;
	if (is & IS_FIRST && !h->tag.is_end)
		h->text.pre_begins = PRE_BEGINS;
	if (html && is & IS_RAW && !h->tag.is_end) {
		h->raw.element = h->tag.element;
		h->hidden = at;
		style_begin(h);
	}
	text_resume(h);
}

/* ---- Attributes ---- */

static void value_begin(struct htmltext *h, uint64_t at)
{
	h->state = IN_VALUE;
	h->tag.equiv = 0;
	style_begin(h);
	h->value.flags = 0;
	if (!(h->value.kept & USES_TARGET))
		return;
	h->value.text.length = h->value.white = h->value.white_end = 0;
	h->value.at = at;
	map_reset(&h->value.map);
}

/* An attribute without a value, before `at`: an empty one. */
static void value_missing(struct htmltext *h, uint64_t at)
{
	h->tag.named = false;
	value_begin(h, at);
	value_end(h, at);
}

size_t between_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	for (; i < n; i++) {
		uint8_t c = p[i];
		if (run_is_space(c)) {
			h->tag.slash = false;
			continue;
		}
		if (c == '=' && h->tag.named) {
			h->state = IN_EQUALS;
			h->tag.named = false;
			return equals_read(h, p, i + 1, n);
		}
		if (h->tag.named)
			value_missing(h, h->base + i);
		if (c == '>') {
			tag_end(h, h->base + i + 1);
			return i + 1;
		}
		h->tag.slash = c == '/';
		if (!h->tag.slash) {
			h->state = IN_ATTRIBUTE;
			h->tag.name_length = 0;
			memset(h->tag.name, 0, sizeof h->tag.name);
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
	unsigned bit = 0;
	const struct target_attribute *row = attribute_find(h, h->tag.name, &bit);
	/* the first of two counts */
	unsigned use = row && !(h->tag.had & (bit | bits_if(row->use == USE_LINKED, bit >> 1))) ? row->use : 0;
	h->tag.had |= bit;
	h->value.kept = use & ~(unsigned)USES_ALONE;
	h->tag.with |= use & USES_ALONE;
	const bool linked = h->tag.waits && h->value.attribute->use == USE_LINKED;
	if (linked && use & (USES_TARGET | bits_if(h->resources, USES_CSS)) && row + 1 != h->value.attribute)
		target_end(h, h->base + i); /* targets come in order */
	if (use & USES_TARGET) {
		h->tag.waits = false;
		h->value.attribute = row;
	}
	h->tag.named = true;
	h->state = IN_BETWEEN;
	return between_read(h, p, end, n);
}

size_t equals_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	i = run_after_spaces(p, i, n);
	if (i == n)
		return n;
	uint8_t c = p[i];
	if (c == '>') {
		value_missing(h, h->base + i);
		return i;
	}
	h->value.quote = is_quote_mark(c) ? c : 0;
	i += h->value.quote != 0;
	value_begin(h, h->base + i);
	return value_read(h, p, i, n);
}

/* How much more of the value is kept. */
static size_t value_room(const struct htmltext *h)
{
	return h->value.flags & HTMLTEXT_CUT ? 0 : HTMLTEXT_VALUE_MAX - h->value.text.length;
}

void value_add(struct htmltext *h, const void *bytes, size_t n, uint64_t at, size_t source_length)
{
	if (h->value.kept & USES_CSS && h->resources)
		style_read(h, bytes, n, at, source_length);
	if (h->value.kept == USE_STYLE)
		unseen_read(h, bytes, n);
	if (h->value.kept == USE_DIR)
		unseen_dir(h, bytes, n);
	if (h->value.kept == USE_EQUIV) { /* is it `refresh` so far? */
		static const char refresh[] = "refresh";
		h->tag.equiv = ascii_follow_all(refresh, h->tag.equiv, bytes, n);
		h->tag.refresh = h->tag.equiv == sizeof refresh - 1;
	}
	if (h->value.kept == USE_ALT)
		unseen_alt(h, bytes, n);
	if (!(h->value.kept & USES_TARGET))
		return;
	const size_t room = value_room(h);
	if (n > room)
		h->value.flags |= HTMLTEXT_CUT;
	const size_t taken = smaller(n, room);
	const bool mapped = !(h->value.kept & USES_MAPPED) ||
	                    map_add_at(&h->value.map, at, taken, n == source_length ? taken : source_length);
	if (!mapped || !buf_add(&h->value.text, bytes, taken))
		h->status = URLSIFT_NO_MEMORY;
}

/* Narrows the target, which is a whole value, to n bytes of it from the byte at `from` on.  They are not within the
 * text of one reference, which has only one place in the source. */
static void narrow(struct htmltext *h, struct html_target *t, size_t from, size_t n)
{
	const size_t at = (size_t)(t->value - h->value.text.data) + from;
	t->source = map_begin(&h->value.map, at);
	t->source_length = (size_t)(map_begin(&h->value.map, at + n) - t->source);
	t->value += from;
	t->length = n;
}

#define WHITE " \t\n\f\r" /* as run_is_space */

static void hand_out(struct htmltext *h, const struct html_target *t)
{
	htmltext_stop(h, h->status == URLSIFT_OK && h->sink.target(h->sink.user, t));
}

/* The URLs of a srcset, with commas between them and descriptors after them. */
static void hand_out_set(struct htmltext *h, const struct html_target *set)
{
	const uint8_t *p = set->value;
	for (size_t i = 0, n = set->length, end; i < n;) {
		i = byte_after(p, i, n, "," WHITE);
		end = byte_until(p, i, n, WHITE);
		size_t next = end;
		end = byte_run_back(p, i, end, ',');
		if (end == next)
			next = byte_index(p, next, n, ',');
		struct html_target t = *set;
		narrow(h, &t, i, end - i);
		t.flags &= ~bits_if(next < n, HTMLTEXT_CUT); /* of a value that was cut the last URL is */
		if (t.length || t.flags & HTMLTEXT_CUT)
			hand_out(h, &t);
		i = next;
	}
}

/* A value with a scheme or the name of a host, perhaps in a defanged form. */
#define ABSOLUTE "%a[%w+%-.%[%*]*:|//|%[/%]"

/* Hands out the URLs of a list: those of a ping, which white space separates, or the absolute ones among the values
 * that an attribute takes in turn, which `;` separates in `values`. */
static void hand_out_list(struct htmltext *h, const struct html_target *list)
{
	const bool values = h->value.attribute->use == USE_ANIMATED;
	const uint8_t *p = list->value;
	const char *const between = !values ? WHITE : *h->value.attribute->name == 'v' ? ";" : "";
	for (size_t i = 0, n = list->length, end; i < n; i = end) {
		i = byte_after(p, i, n, values ? ";" WHITE : WHITE);
		end = byte_until(p, i, n, between);
		struct html_target t = *list;
		narrow(h, &t, i, run_spaces_back(p, i, end) - i);
		t.flags &= ~bits_if(end < n, HTMLTEXT_CUT);
		if (t.length && (!values || match_bytes(t.value, t.length, ABSOLUTE)))
			hand_out(h, &t);
	}
}

void value_end(struct htmltext *h, uint64_t end)
{
	h->state = IN_BETWEEN;
	unsigned kept = h->status == URLSIFT_OK ? h->value.kept : 0;
	h->value.kept = 0;
	if (kept & USES_CSS && h->resources)
		style_end(h, end, h->value.flags & HTMLTEXT_CUT);
	if (kept == USE_STYLE)
		unseen_style_end(h);
	if (kept & USES_TARGET) { /* without the white space around it */
		const size_t length = h->value.text.length, white = smaller(h->value.white, length); /* it may be more */
		const size_t around = white + smaller(h->value.white_end, length - white);
		h->value.target = (struct html_target){
			.value = length ? h->value.text.data + white : (const uint8_t *)"", .length = length - around,
			.source = h->value.at + white, .source_length = (size_t)(end - h->value.at) - around,
			.flags = h->value.flags, .attribute = h->value.attribute->shown
		};
	}
	h->tag.waits |= kept & (USE_REFRESH | USE_LINKED);
	if (h->tag.waits ? h->tag.refresh : kept & USES_TARGET)
		target_end(h, end);
}

/* The value that is whole is handed out. */
static void target_end(struct htmltext *h, uint64_t end)
{
	unsigned is = h->tag.element->is;
	const unsigned use = h->value.attribute->use;
	bool anchor = use & (USE_FOLLOWED | USE_LINKED) && (is & IS_ANCHOR || (is & IS_AREA && !h->anchor))
	              && !h->conditional.open;
	struct html_target t = h->value.target;
	t.end = end;
	h->tag.waits = false;
	if (!(is & IS_AREA)) /* of which it is the text, before the target or after it */
		unseen_alt_end(h);
	h->text.bare = anchor ? BARE_OPEN : h->text.bare;
	if (anchor) {
		if (h->tag.begun)
			anchor_end(h);
		anchor_begin(h);
		h->tag.begun = true;
	}
	t.flags |= bits_if(anchor, HTMLTEXT_ANCHOR) | bits_if(is & IS_BASE && !h->templates, HTMLTEXT_BASE)
	           | bits_if(use == USE_DOCUMENT, HTMLTEXT_DOCUMENT);
	if (use == USE_REFRESH && t.length) {
		/* The URL, in quotation marks perhaps, after a time, `;` or `,`, and perhaps `url=`. */
		const uint8_t *p = t.value;
		const size_t time = match_bytes(p, t.length, "[%d.]+%f[;," WHITE "][" WHITE "]*[;,]?[" WHITE "]*");
		if (!time)
			return;
		size_t n = t.length, i = time - 1;
		i += excess(match_bytes(p + i, n - i, "[uU][rR][lL][" WHITE "]*=[" WHITE "]*"), 1);
		if (is_quote_mark(byte_at(p, i, n))) {
			n = byte_index(p, i + 1, n, p[i]);
			i++;
		}
		narrow(h, &t, i, n - i);
	}
	if (use == USE_SET)
		hand_out_set(h, &t);
	else if (use & USES_LISTED)
		hand_out_list(h, &t);
	else
		hand_out(h, &t);
	h->tag.area |= anchor && is & IS_AREA;
}

size_t value_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end;
	if (!h->value.quote)
		end = attributes_class_end(p, i, n, h->value.kept ? ENDS_KEPT_VALUE : ENDS_VALUE);
	else if (h->value.kept)
		end = run_until_any(p, i, n, h->value.quote, '&');
	else
		end = run_until(p, i, n, h->value.quote);
	if (h->value.kept) { /* [i, end) stands for itself: the white space around the value is counted in it */
		const size_t room = value_room(h);
		const bool cut = h->value.kept & USES_TARGET && (h->value.flags & HTMLTEXT_CUT || end - i > room);
		end = cut ? i + room : end;
		if (h->value.white == h->value.text.length)
			h->value.white += run_after_spaces(p, i, end) - i;
		const size_t from = run_spaces_back(p, i, end);
		h->value.white_end = from == i ? h->value.white_end + (end - i) : end - from;
		value_add(h, p + i, end - i, h->base + i, end - i);
		if (cut) { /* what was kept is handed out, and the rest is passed over */
			h->value.flags |= HTMLTEXT_CUT;
			value_end(h, h->base + end);
			h->state = IN_VALUE;
			return end;
		}
	}
	if (end == n)
		return n;
	if (p[end] == '&') {
		h->value.white_end = 0;
		reference_begin(h, h->base + end, IN_VALUE);
	} else if (p[end] == 0) {
		h->value.flags |= HTMLTEXT_REFERENCES; /* it is no longer its source */
		h->value.white_end = 0;
		value_add(h, "\xEF\xBF\xBD", 3, h->base + end, 1);
	} else {
		value_end(h, h->base + end);
		end -= !h->value.quote; /* what ends an unquoted one is read again */
	}
	return end + 1;
}
