#include "tag.h"

#include "text/bits.h"

#include <limits.h>
#include <string.h>

/* ---- Text ---- */

static void shown(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at, size_t length)
{
	if (h->status != URLSIFT_OK || h->templates || !n)
		return;
	h->text.bare = BARE_NOT;
	h->text.last = p[n - 1];
	htmltext_stop(h, h->sink.text(h->sink.user, p, n, at, length));
}

static bool keeps_lines(const struct htmltext *h) { return h->text.pre || h->raw.element->is & IS_PRE; }

/* The index of the next of the bytes [i, n) that are shown, which go up to *end; n for none.  With `ahead`, 16 bytes
 * after n can be read. */
static inline size_t next_shown(const struct htmltext *h, const uint8_t *p, size_t i, size_t n, bool ahead,
                                size_t *end)
{
	if (text_is_after_space(h))
		i = run_after_spaces(p, i, n);
	*end = ahead ? run_first_space_ahead(p, i, n) : run_first_space(p, i, n);
	return i;
}

void text_run(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at)
{
	if (keeps_lines(h)) {
		size_t line_end = 0;
		if (h->text.pre_begins) { /* a line end does not count there */
			const size_t cr = h->text.pre_begins == PRE_BEGINS && byte_at(p, 0, n) == '\r';
			h->text.pre_begins = cr && n == 1 ? PRE_CR : PRE_BEGAN;
			line_end = cr + (byte_at(p, cr, n) == '\n');
		}
		shown(h, p + line_end, n - line_end, at + line_end, n - line_end);
		return;
	}
	for (size_t i = 0, end; (i = next_shown(h, p, i, smaller(n, i + SCRATCH), false, &end)) < n; i = end) {
		run_spaces(h->scratch, p + i, end - i);
		shown(h, h->scratch, end - i, at + i, end - i);
	}
}

/* As text_run, of text that is no <pre>; 16 bytes after it can be read. */
static inline void text_run_ahead(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at)
{
	for (size_t i = 0, end; i < n && (i = next_shown(h, p, i, n, true, &end)) < n && h->status == URLSIFT_OK; i = end) {
		h->text.bare = BARE_NOT;
		h->text.last = run_is_space(p[end - 1]) ? ' ' : p[end - 1];
		htmltext_stop(h, h->sink.run(h->sink.user, p + i, end - i, at + i));
	}
}

void text_other(struct htmltext *h, const char *p, size_t n, uint64_t at, size_t length)
{
	bool space = n == 1 && run_is_space((uint8_t)*p) && !keeps_lines(h);
	h->text.pre_begins = PRE_BEGAN;
	if (space && text_is_after_space(h))
		return;
	shown(h, (const uint8_t *)(space ? " " : p), n, at, length);
}

static inline void show_edge(struct htmltext *h, unsigned is, uint64_t at)
{
	const bool blank_line = h->text.last == BLANK_LINE, line = blank_line | (h->text.last == '\n');
	const bool blank = text_is_after_space(h);
	/* one branch: which kind of tag comes is unpredictable */
	const unsigned wanted = is & (bits_if(!line, IS_BLOCK) | bits_if(!blank, IS_CELL) | bits_if(!blank_line, IS_APART) |
	                              IS_BREAK);
	if (!wanted || h->templates)
		return;
	const size_t ends = wanted & IS_APART && !line ? 2 : (wanted & (IS_BLOCK | IS_APART | IS_BREAK)) != 0;
	shown(h, (const uint8_t *)(ends ? "\n\n" : " "), ends + !ends, at, 0);
	if (ends + line >= 2)
		h->text.last = BLANK_LINE;
}

void text_edge(struct htmltext *h, uint64_t at)
{
	if (!scope_ignores(h, h->tag.element))
		show_edge(h, h->tag.element->is, at);
}

void text_resume(struct htmltext *h)
{
	if (h->raw.element->is & IS_HIDDEN) {
		h->state = IN_HIDDEN;
	} else {
		h->state = IN_TEXT;
		h->hidden = HTMLTEXT_NEVER;
	}
}

void text_held(struct htmltext *h)
{
	if (!(h->raw.element->is & IS_HIDDEN))
		text_run(h, h->held.bytes, h->held.length, h->mark);
	else if (style_is_read(h))
		style_read(h, h->held.bytes, h->held.length, h->mark, h->held.length);
}

static void replaced(struct htmltext *h, uint64_t at) { text_other(h, "\xEF\xBF\xBD", 3, at, 1); }

/* Whether the byte at p, with `left` >= 2 bytes from there on, is not text, or may not be. */
static bool begins(const uint8_t *p, size_t left, unsigned is)
{
	uint8_t next = p[1];
	if (p[0] == '&') {
		if (left == 2)
			return next == '#' || is_alnum(next);
		/* no name is a letter alone */
		return next == '#' ? is_digit(p[2]) || (p[2] | 0x20) == 'x' : is_alnum(next) && is_alnum(p[2]);
	}
	if (p[0] == '<')
		return next == '/' || (!(is & IS_RAW) && (is_alpha(next) || is_of((char)next, "!?")));
	return true;
}

/* The index after a tag whose name ends before p[i], for the common ones: a letter is before each `=`, which ends the
 * name of an attribute, and no blank after it.  0 for others, and without an end before n. */
static size_t plain_end(const uint8_t *p, size_t i, size_t n)
{
	while (byte_at(p, i, n) != '>' && byte_at(p, i = run_until_any(p, i, n, '=', '>'), n) == '=') {
		if (!is_alpha(p[i - 1]) || n - i == 1 || p[i + 1] <= ' ')
			return 0;
		bool quoted = is_quote_mark(p[i + 1]);
		i = quoted ? run_until(p, i + 2, n, p[i + 1]) : attributes_class_end(p, i + 1, n, ENDS_VALUE);
		i += quoted && i < n;
	}
	return byte_at(p, i, n) == '>' ? i + 1 : 0;
}

/* A tag whose name is read. */
struct named_tag {
	const struct element *element;
	size_t name_end; /* 0: it is not read */
	bool is_end;
	unsigned is;     /* what its edge means */
};

/* Most tags are complete in memory and mean no more than a line or a cell.  Reads the one whose `<` is at p[i - 1],
 * i < n: returns its end; 0 where it is another, of which *tag has the name if it could be read here.  `list` of HTML
 * mail takes 11% less time with it. */
static size_t tag_plain(const struct htmltext *h, const uint8_t *p, size_t i, size_t n, struct named_tag *tag)
{
	enum { PLAIN = IS_BLOCK | IS_APART | IS_BREAK | IS_CELL | IS_BREAKOUT | IS_BREAKING | IS_VOID };
	uint8_t name[ELEMENT_NAME];
	const bool end = n - i > 2 * ELEMENT_NAME && p[i] == '/';
	i += end;
	if (n - i <= ELEMENT_NAME || !is_alpha(p[i]) || (h->spaces | h->resources | h->unseen.depth))
		return 0;
	size_t length = run_tag_name(name, p + i);
	i += length;
	tag->element = element_named(&h->index, name);
	tag->is_end = end;
	/* few branches: which tag comes is unpredictable */
	unsigned is = tag->element->is, target = is / IS_TARGET % 64;
	bool alt = h->anchor & (target == TARGET_IMG); /* its text counts */
	tag->is = is & ((end | ((target >= TARGET_FETCHED) & !alt)) ? IS_TARGET - 1u : IS_SCOPE - 1u);
	bool named = (length < ELEMENT_NAME) & ((attributes_classes[p[i]] & ENDS_NAME) != 0);
	tag->name_end = named * i;
	if ((tag->is & ~(unsigned)PLAIN) | !named)
		return 0;
	return p[i] == '>' ? i + 1 : h->anchor && !end ? 0 : plain_end(p, i, n);
}

size_t text_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	unsigned is = h->raw.element->is;
	uint8_t tag = '<', reference = '&';
	if (is & IS_RAW) {
		tag = is & IS_ENDLESS ? 0 : '<';
		reference = is & IS_COOKED ? '&' : tag;
	}
	size_t end;
	struct named_tag next;
	for (size_t from = i;; from = end + 1) {
		end = byte_at(p, from, n) == tag ? from : run_until_any(p, from, n, tag, reference);
		next.name_end = 0;
		bool plain = n - end > 1 && p[end] == '<' && !(is & IS_RAW);
		size_t after = plain ? tag_plain(h, p, end + 1, n, &next) : 0;
		if (!after && n - end > 1 && !begins(p + end, n - end, is))
			continue;
		if (n - end < 16 || keeps_lines(h)) { /* sink.run reads 16 bytes more */
			text_run(h, p + i, end - i, h->base + i);
		} else if (!h->templates) {
			text_run_ahead(h, p + i, end - i, h->base + i);
		}
		if (!after)
			break;
		const bool scope = next.element->is / IS_SCOPE;
		if (!scope || !scope_ignores(h, next.element))
			show_edge(h, next.is, h->base + after);
		if (scope)
			scope_follow(h, next.element, next.is_end);
		i = after;
		end = after - 1;
	}
	if (end == n)
		return n;
	uint64_t at = h->base + end;
	if (p[end] == '&') {
		reference_begin(h, at, IN_TEXT);
	} else if (p[end] == '<') {
		if (is & IS_RAW) {
			htmltext_hold(h, '<', at, IN_RAW_OPEN);
			h->hidden = HTMLTEXT_NEVER;
		} else {
			htmltext_hold(h, '<', at, IN_OPEN);
			h->hidden = at;
			if (next.name_end) {
				tag_begin(h, next.is_end);
				return tag_named(h, next.element, p, next.name_end, n);
			}
		}
	} else if (is & IS_RAW || htmltext_foreign(h)) {
		replaced(h, at); /* elsewhere the standard drops NULs, and so must we: `ht\0tp:` is shown as a URL */
	}
	i = end + 1;
	if (i == n)
		return n;
	return h->state == IN_OPEN ? open_read(h, p, i, n) : h->state == IN_REFERENCE ? reference_read(h, p, i, n) : i;
}

size_t cdata_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = run_until_any(p, i, n, ']', ']');
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
	size_t end = byte_run(p, i, n, ']');
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

/* ---- Hidden ---- */

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
	return i + (h->state != IN_BOGUS);
}

size_t dash_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	(void)n;
	if (p[i] == '-') {
		h->comment = (struct html_comment){.fresh = true};
		h->state = IN_CONDITION;
		return i + 1;
	}
	h->state = IN_BOGUS;
	return i;
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
		h->hidden = HTMLTEXT_NEVER;
	}
	return i;
}

/* Two dashes, or more, may end a comment. */
static unsigned count_dash(unsigned dashes, uint8_t c) { return c == '-' ? dashes + (dashes < 2) : 0; }

/* The index after the end of the comment, 0 for none in [i, n).  Ends are `-->`, `--!>`, and at the beginning `>` and
 * `->`. */
static size_t comment_end(struct html_comment *comment, const uint8_t *p, size_t i, size_t n)
{
	for (; i < n; i++) {
		if (!comment->dashes && !comment->fresh && !comment->bang) {
			i = byte_index(p, i, n, '-');
			if (i == n)
				return 0;
		}
		uint8_t c = p[i];
		if (c == '>' && (comment->dashes == 2 || comment->fresh || comment->bang))
			return i + 1;
		comment->fresh &= c == '-' && !comment->dashes;
		comment->bang = c == '!' && comment->dashes == 2;
		comment->dashes = count_dash(comment->dashes, c);
	}
	return 0;
}

size_t comment_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = comment_end(&h->comment, p, i, n);
	if (!end)
		return n;
	text_resume(h);
	return end;
}

/* What is in a conditional comment begins. */
static void conditional_begin(struct htmltext *h)
{
	text_resume(h);
	if (h->conditional.open) /* one in another */
		return;
	h->conditional = (struct html_conditional){
		.open = true, .end = HTMLTEXT_NEVER,
		.comment = h->comment, .pre = h->text.pre, .anchor = h->anchor, .spaces = h->spaces,
		.templates = h->templates, .template_begin = h->template_begin
	};
	h->text.pre = h->anchor = false;
	h->spaces = 0;
	h->templates = UINT64_MAX / 2; /* more than end in it: no text in it is shown */
	h->template_begin = earlier(h->template_begin, h->mark);
}

/* A comment begins: is it `<!--[if ...]>`?  What is in the condition does not matter. */
size_t condition_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	static const char begin[] = "[if";
	enum { LENGTH = sizeof begin - 1 };
	for (; i < n; h->comment.last = p[i++]) {
		if (h->count < LENGTH ? to_lower(p[i]) != (uint8_t)begin[h->count] : BYTE_IN(p[i], "->")) {
			bool begins = p[i] == '>' && h->count == LENGTH && h->comment.last == ']';
			h->state = IN_COMMENT;
			if (begins)
				conditional_begin(h);
			return i + begins;
		}
		h->count += h->count < LENGTH;
		h->comment.fresh = false;
	}
	return n;
}

void conditional_look(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t end = comment_end(&h->conditional.comment, p, i, n);
	h->conditional.looked = h->base + n;
	if (end)
		h->conditional.end = h->base + end;
}

void conditional_end(struct htmltext *h)
{
	const struct html_conditional *outside = &h->conditional;
	h->text.pre = outside->pre;
	h->anchor = outside->anchor;
	h->spaces = outside->spaces;
	h->templates = outside->templates;
	h->template_begin = outside->template_begin;
	h->conditional.open = false;
	h->raw.element = &element_none;
	h->raw.level = 0;
	text_resume(h);
}

size_t bogus_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	i = byte_index(p, i, n, '>');
	if (i == n)
		return n;
	text_resume(h);
	return i + 1;
}

size_t hidden_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	size_t begin = i;
	if (!h->raw.level)
		i = byte_index(p, i, n, '<');
	for (; i < n && p[i] != '<'; i++) { /* in a script's `<!--` the dashes count that may end it */
		if (p[i] == '>' && h->count == 2) {
			h->raw.level = h->count = 0;
			break;
		}
		h->count = count_dash(h->count, p[i]);
	}
	if (style_is_read(h))
		style_read(h, p + begin, i - begin, h->base + begin, i - begin);
	if (byte_at(p, i, n) != '<')
		return i;
	htmltext_hold(h, '<', h->base + i, IN_RAW_OPEN);
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
	h->count = 0;
	h->raw.closing = c == '/';
	if (h->raw.closing) {
		h->held.bytes[h->held.length++] = c;
		h->state = IN_RAW_NAME;
		return i + 1;
	}
	if (h->raw.element->is & IS_SCRIPT && h->raw.level == 0 && c == '!') {
		h->state = IN_RAW_BANG;
		return i + 1;
	}
	if (h->raw.level != 1) /* only a script has levels */
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
		h->raw.level = 1;
		text_resume(h);
	}
	return i + 1;
}

size_t raw_name_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	const char *name = h->raw.element->name;
	for (; i < n; i++) {
		uint8_t c = p[i];
		if (!name[h->count] && attributes_classes[c] & ENDS_NAME) {
			/* the name of the element it is in was read, and ends here */
			if (!h->raw.closing || h->raw.level == 2) {
				h->raw.level = h->raw.closing ? 1 : 2;
				text_resume(h);
				return i;
			}
			if (style_is_read(h))
				style_end(h, h->mark, false);
			h->tag.element = h->raw.element;
			h->raw.element = &element_none;
			h->raw.level = 0;
			h->hidden = h->mark;
			tag_begin(h, true);
			h->raw.closing = true;
			h->state = IN_BETWEEN;
			return i;
		}
		h->count = ascii_follow(name, h->count, c);
		if (h->count == UINT32_MAX) {
			h->count = 0;
			return raw_resume(h, i);
		}
		h->held.bytes[h->held.length++] = c;
	}
	return n;
}
