#include "bracket.h"

#include "body.h"
#include "extent.h"
#include "line.h"
#include "text/uclass.h"
#include "text/utf8.h"

#include <string.h>

/* One reading: where it stands and what it saw. */
struct reading {
	const struct rules *rules;
	const struct view *v;
	struct urlsift_link *link;
	size_t i, limit;         /* the place; where the span ends */
	size_t solid;            /* begin of a run not yet taken */
	const struct bracket *at;
	struct furniture f;      /* of the line where the link opens */
	bool have_furniture;
	size_t gaps;             /* whitespace removed (but at the ends) */
	size_t lines;            /* line breaks read */
	bool angle;
	/* A2 */
	bool in_piece, piece_ok; /* a piece behind a blank inside a line is being read */
	bool cut;                /* one read like prose: the link ends at the first blank */
	size_t cut_length, cut_at;
	bool blank_seen;
};

static void take_run(struct reading *r)
{
	if (r->solid < r->i)
		link_add(r->link, r->v, r->solid, r->i);
	r->solid = r->i;
}

/* Notes the hyphen that the text ends with at a line break (H1, H4). */
static void note_hyphen(struct reading *r)
{
	struct urlsift_link *l = r->link;
	static const uint8_t forms[][3] = {{0xE2, 0x80, 0x90}, {0xC2, 0xAD}, {'-'}};
	for (size_t k = 0; k < 3; k++) {
		size_t n = 3 - k;
		if (l->length < n || memcmp(l->text + l->length - n, forms[k], n) || l->hyphen_count == BREAKS_MAX)
			continue;
		struct hyphen *h = &l->hyphens[l->hyphen_count++];
		*h = (struct hyphen){.at = l->length - n, .bytes = (uint8_t)n};
		memcpy(h->form, forms[k], n);
		size_t to = link_spans(l)[l->span_count - 1].to;
		/* U+00AD may stand as one byte of windows-1252 */
		size_t width = n == 2 && r->v->p[to - 2] != 0xC2 ? 1 : n;
		h->kept = n == 1 && r->rules->hyphen == URLSIFT_HYPHEN_KEEP;
		l->removed.hyphens++;
		l->flags |= URLSIFT_HYPHEN_AMBIGUOUS;
		if (!h->kept) {
			size_t count = l->hyphen_count;
			link_cut(l, h->at, to - width);
			l->hyphen_count = count;
		}
		return;
	}
}

/* The furniture of the line where the link opens, read at the first line end.  It
 * stands before the text: where a link before ends on that line, before that
 * link's part of it. */
static void opening_furniture(struct reading *r)
{
	size_t start, stop = r->at->open;
	if (r->have_furniture)
		return;
	r->have_furniture = true;
	if (line_start(r->v, stop, &start) != YES)
		return;
	if (start < r->at->floor)
		stop = r->at->last_part > start ? r->at->last_part : start;
	furniture_read(r->v, start, stop, &r->f);
}

/* W4: NO when "-- " stands alone on the line. */
static enum verdict is_separator(const struct view *v, size_t i)
{
	size_t width;
	enum verdict r = view_word(v, i, "-- ", 3);
	if (r == YES)
		r = line_end(v, i + 3, &width);
	return r == MORE ? MORE : r == YES ? NO : YES;
}

/* Behind a line end: the next line's furniture is taken away (Q2, Q3), a page
 * break is skipped (F1).  r->i is where its content goes on. */
static enum verdict next_line(struct reading *r)
{
	const struct view *v = r->v;
	size_t marks, content, width;
	for (bool paged = false;; paged = true) {
		enum verdict m = furniture_match(v, r->i, &r->f, &marks, &content);
		if (m == MORE)
			return MORE;
		size_t at = m == YES ? content : r->i;
		enum verdict blank = line_end(v, at, &width);
		if (at < v->end && v->p[at] == '\f')
			blank = YES;
		if (blank == MORE || (at >= v->end && !v->last))
			return MORE;
		if (blank == NO && at < v->end) {
			if (m == NO)
				return NO;
			if (content != r->i)
				r->link->flags |= marks != r->i || paged ? URLSIFT_FURNITURE : 0;
			r->link->removed.furniture += marks != r->i || paged;
			r->i = content;
			return is_separator(v, content);
		}
		if (paged)
			return NO;
		enum verdict p = page_break(v, r->i, &r->f, &r->i);
		if (p != YES)
			return p;
	}
}

/* A2: whether what stands behind a blank reads like the rest of a URL. */
static void end_piece(struct reading *r)
{
	if (r->angle && r->in_piece && !r->piece_ok)
		r->cut = true;
	r->in_piece = false;
}

static bool reads_like_url(uint8_t c)
{
	return is_digit(c) || (c && strchr("/.?=&%#-_~", c));
}

/* The whitespace character at i: its width, 0 for none.  Zero-width ones count. */
static enum verdict white(const struct view *v, size_t i, size_t *width, bool *control)
{
	*width = 0;
	*control = false;
	uint8_t c = v->p[i];
	if (is_space(c)) {
		*width = 1;
		return YES;
	}
	if (c < 0x20 || c == 0x7f) {
		*control = true;
		return NO;
	}
	if (c < 0x80)
		return NO;
	uint32_t cp;
	bool cut = false;
	if (!utf8_sequence(v->p + i, v->end - i, &cp, &cut) && cut && !v->last)
		return MORE;
	size_t k = utf8_next(v->p + i, v->end - i, &cp);
	enum uclass u = uclass_of(cp);
	*control = u == UC_CONTROL;
	if (u != UC_SPACE)
		return NO;
	*width = k;
	return YES;
}

static enum verdict over_limit(const struct reading *r, const char *name, uint64_t value)
{
	rules_limit(r->rules, name, value, r->at->open);
	return NO;
}

/* Whitespace at r->i, as one gap; the text before it was taken. */
static enum verdict skip_gap(struct reading *r)
{
	const struct view *v = r->v;
	bool breaks = false, control;
	size_t began = r->i, length = r->link->length, width;
	for (;;) {
		if (r->i >= r->limit)
			return over_limit(r, "span", SPAN_MAX);
		if (r->i >= v->end)
			return v->last ? NO : MORE;
		enum verdict e = line_end(v, r->i, &width);
		if (e == MORE)
			return MORE;
		if (e == YES) {
			if (!breaks && length)
				note_hyphen(r);
			breaks = true;
			r->i += width;
			if (++r->lines > r->rules->max_breaks)
				return over_limit(r, "line-breaks", r->rules->max_breaks);
			opening_furniture(r);
			e = next_line(r);
			if (e != YES)
				return e;
			continue;
		}
		e = white(v, r->i, &width, &control);
		if (e == MORE)
			return MORE;
		if (!width)
			break;
		r->i += width;
	}
	r->solid = r->i;
	if (!length || (r->i < v->end && v->p[r->i] == '>'))
		return YES; /* white at the ends is no gap */
	r->gaps++;
	r->link->removed.breaks++;
	end_piece(r);
	if (!breaks) {
		if (!r->blank_seen) {
			r->blank_seen = true;
			r->cut_length = length;
			r->cut_at = began;
		}
		r->in_piece = true;
		r->piece_ok = false;
	}
	return YES;
}

/* U+00AD of `width` bytes: inside a line it goes (W2), at a break it is H4's
 * and stays until the break is seen. */
static enum verdict soft_hyphen(struct reading *r, size_t width)
{
	const struct view *v = r->v;
	size_t k = r->i + width;
	while (k < v->end && k < r->limit && is_blank(v->p[k]))
		k++;
	if (k >= v->end)
		return v->last ? NO : MORE;
	if (is_line_end(v->p[k])) {
		r->i += width;
		return YES;
	}
	take_run(r);
	r->i += width;
	r->solid = r->i;
	return YES;
}

/* Reads to the closing `>`.  YES: r->i is at it. */
static enum verdict read_content(struct reading *r)
{
	const struct view *v = r->v;
	for (;;) {
		if (r->i >= v->end)
			return v->last ? NO : MORE;
		if (r->i >= r->limit)
			return over_limit(r, "span", SPAN_MAX);
		if (r->link->length + (r->i - r->solid) > r->rules->max_url)
			return over_limit(r, "url-length", r->rules->max_url);
		uint8_t c = v->p[r->i];
		if (c > ' ' && c < 0x7f) {
			if (c == '>') {
				take_run(r);
				end_piece(r);
				return YES;
			}
			if (c == '<' || c == '"')
				return NO; /* W3, W4 */
			if (r->in_piece && reads_like_url(c))
				r->piece_ok = true;
			r->i++;
			continue;
		}
		size_t width;
		bool control;
		enum verdict e = white(v, r->i, &width, &control);
		if (e == MORE || control)
			return e == MORE ? MORE : NO;
		if (e == YES) {
			take_run(r);
			e = skip_gap(r);
		} else {
			uint32_t cp;
			width = utf8_next(v->p + r->i, v->end - r->i, &cp);
			if (cp != 0xAD) {
				r->i += width;
				continue;
			}
			e = soft_hyphen(r, width);
		}
		if (e != YES)
			return e;
	}
}

/* The text put back together, to be read by the rules in its turn. */
static struct view text_view(const struct reading *r)
{
	struct view t = *r->v;
	t.p = r->link->text;
	t.low = 0;
	t.end = r->link->length;
	t.first = t.last = true;
	return t;
}

/* W3, A1, B2: whether the text put back together is a URL, and of which scheme. */
static bool judge(const struct reading *r, struct urlsift_link *l)
{
	struct view t = text_view(r);
	size_t n = 0;
	while (n < l->length && n <= SCHEME_NAME_MAX && is_scheme_byte(l->text[n]))
		n++;
	if (!n || n > SCHEME_NAME_MAX || n + 1 >= l->length || l->text[n] != ':' || !is_alpha(l->text[0]))
		return false;
	if (n == 3 && view_word(&t, 0, "url", 3) == YES)
		return false;
	const struct scheme *row = scheme_find((const char *)l->text, n);
	struct body b;
	bool plausible = body_check(&t, n + 1, row, true, 0, &b) == YES;
	if (b.hier && (l->length <= n + 3 || b.escaped))
		return false;
	link_set_scheme(l, (const char *)l->text, n);
	l->flags |= row ? (row->forbidden ? URLSIFT_UNLINKABLE_SCHEME : 0) : URLSIFT_UNKNOWN_SCHEME;
	if (r->angle)
		return plausible;
	if (!row && !b.hier)
		return r->gaps == 0;
	return plausible || (!b.hier && !(row && row->body == BODY_HOST));
}

/* L: `&amp;` in the text put back together is `&`. */
static void undo_entities(struct urlsift_link *l)
{
	uint8_t *p = l->copy.data;
	size_t n = 0, h = 0;
	for (size_t i = 0; i < l->length; n++) {
		while (h < l->hyphen_count && l->hyphens[h].at <= i)
			l->hyphens[h++].at -= i - n;
		bool entity = p[i] == '&' && l->length - i >= 5 && !memcmp(p + i, "&amp;", 5);
		p[n] = p[i];
		i += entity ? 5 : 1;
		l->flags |= entity ? URLSIFT_UNESCAPED : 0;
	}
	while (h < l->hyphen_count)
		l->hyphens[h++].at -= l->length - n;
	l->length = l->copy.length = n;
}

/* A2: the link ends at the first blank, by B4 then. */
static void cut_at_blank(struct reading *r)
{
	struct urlsift_link *l = r->link;
	link_cut(l, r->cut_length, r->cut_at);
	struct extent x;
	struct view t = text_view(r);
	extent_init(&x, 0, 0, URL_MAX);
	if (extent_run(&x, &t) == YES && x.at == l->length && x.end < l->length)
		link_cut(l, x.end, r->cut_at - (l->length - x.end));
}

enum verdict bracket_read(const struct rules *rules, const struct view *v, const struct bracket *at,
                          struct urlsift_link *link, size_t *end)
{
	struct reading r = {.rules = rules, .v = v, .link = link, .at = at, .i = at->content, .solid = at->content,
	                    .limit = at->open + SPAN_MAX, .angle = at->angle};
	link_clear(link);
	enum verdict e = read_content(&r);
	view_work(v, r.i - at->open);
	if (e != YES)
		return e;
	*end = r.i + 1;
	if (r.cut) {
		cut_at_blank(&r);
		*end = link_spans(link)[link->span_count - 1].to;
	}
	undo_entities(link);
	if (!link->length || !judge(&r, link))
		return NO;
	link->convention = at->angle ? URLSIFT_CONV_ANGLE : URLSIFT_CONV_WRAPPER;
	if (link->span_count > 1 || link->removed.hyphens)
		link->flags |= URLSIFT_JOINED;
	if (!link->hyphen_count)
		link->flags &= ~(unsigned)URLSIFT_HYPHEN_AMBIGUOUS;
	size_t readings = link->hyphen_count > 1 ? link->hyphen_count + 1 : link->hyphen_count;
	if (readings > rules->max_alternates)
		rules_limit(rules, "alternates", rules->max_alternates, at->open);
	link_alternates(link, rules->max_alternates, rules->hyphen == URLSIFT_HYPHEN_KEEP);
	return YES;
}
