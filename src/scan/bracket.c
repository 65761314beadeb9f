#include "bracket.h"

#include "extent.h"
#include "line.h"
#include "schemepart.h"
#include "text/unicode.h"

#include <string.h>

/* What is noted at line breaks; not initialised. */
struct noted {
	struct line_prefix f; /* of the line where the link opens */
	struct line_gap { size_t at; bool decorated; } gaps[BREAKS_MAX]; /* before the first blank: A2 */
};

/* The content of a pair of brackets while it is read. */
struct reading {
	const struct rules *rules;
	const struct view *v;
	struct urlsift_link *link;
	size_t i, limit;         /* the place; where the span ends */
	size_t solid;            /* begin of a run not yet taken */
	const struct bracket *at;
	struct noted *noted;
	bool have_prefix;
	size_t gaps;             /* whitespace removed (but at the ends) */
	size_t lines;            /* line breaks read */
	size_t first_gap;        /* length of the text before the first of them */
	bool gap_decorated;      /* the gap being read holds a line prefix */
	size_t line_gap_count;
	bool angle;
	/* A2 */
	bool in_piece, piece_ok; /* a piece behind a blank inside a line is being read */
	bool cut;                /* one read like prose: the link ends at the first blank */
	size_t cut_length, cut_at;
	bool blank_seen;
	bool colon_blank;        /* a blank stands right behind the colon of the scheme */
	bool soft;               /* the line end is a soft line break of quoted-printable (J1) */
	bool folded;             /* a folding mark stands before the gap (W2) */
	bool labelled;           /* A1c: a `|` ended the link */
	urlsift_removed removed; /* and so much was removed before it */
	unsigned flags;
};

static void take_run(struct reading *r)
{
	const uint8_t *p = r->v->p;
	size_t i = r->solid;
	while (i < r->i && p[i] != '&' && p[i] < 0x80)
		i++;
	if (i < r->i) {
		link_add_unescaped(r->link, r->v, r->solid, r->i, false);
	} else if (r->solid < i) {
		link_cover(r->link, r->solid, i);
		link_put(r->link, p + r->solid, i - r->solid);
	}
	r->solid = r->i;
}

/* Notes the hyphen that the text ends with at a line break (H1, H4). */
static bool note_hyphen(struct reading *r)
{
	struct urlsift_link *l = r->link;
	static const uint8_t forms[][3] = {{0xE2, 0x80, 0x90}, {0xC2, 0xAD}, {'-'}};
	uint8_t last = l->failed ? 0 : l->text[l->length - 1];
	if (last != '-' && last != 0xAD && last != 0x90)
		return false;
	for (size_t k = 0; k < 3; k++) {
		size_t n = 3 - k;
		if (l->length <= n || memcmp(l->text + l->length - n, forms[k], n) || l->hyphen_count == BREAKS_MAX)
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
		h->source = (struct span){to - width, to};
		if (!h->kept) {
			size_t count = l->hyphen_count;
			link_cut(l, h->at, to - width);
			l->hyphen_count = count;
		}
		return true;
	}
	return false;
}

/* Nothing follows the hyphen: it stays as written. */
static void forget_hyphen(struct reading *r)
{
	struct urlsift_link *l = r->link;
	const struct hyphen *h = &l->hyphens[--l->hyphen_count];
	l->removed.hyphens--;
	if (!h->kept && h->form[0] != 0xC2) {
		link_cover(l, h->source.from, h->source.to);
		link_put(l, h->form, h->bytes);
	}
}

/* Reads the prefix of the line where the link opens, at the first line end.  If another link ends on that line, the
 * prefix is before that link's part of it. */
static void opening_prefix(struct reading *r)
{
	size_t start, stop = r->at->open;
	if (r->have_prefix)
		return;
	r->have_prefix = true;
	r->noted->f = (struct line_prefix){.quotes = 0};
	if (line_start(r->v, stop, &start) != YES)
		return;
	if (start < r->at->floor) /* or before the `>` that closed it */
		stop = r->at->last_part >= start ? r->at->last_part : r->at->floor - 1;
	prefix_read(r->v, start, stop, &r->noted->f);
	r->noted->f.bracket = true;
}

/* Behind a line end: the next line's prefix is removed (Q2, Q3), a page
 * break is skipped (F1); `feed`: a form feed stood before the line end.  r->i is
 * where its content goes on. */
static enum verdict next_line(struct reading *r, bool feed)
{
	const struct view *v = r->v;
	size_t marks, content, width, line = r->i;
	for (bool paged = false;; paged = true) {
		enum verdict m = prefix_match(v, r->i, &r->noted->f, &marks, &content);
		if (m == MORE)
			return MORE;
		size_t at = m == YES ? content : r->i;
		while (m == NO && at < v->end && is_blank(v->p[at]))
			at++;
		enum verdict blank = line_end(v, at, &width);
		if (!paged && at < v->end && v->p[at] == '\f')
			blank = YES;
		if (blank == MORE || (at >= v->end && !v->last))
			return MORE;
		if (blank == NO && at < v->end) {
			if (m == NO)
				return paged ? NO : r->soft ? YES : line_lost_marks(v, r->i, &r->noted->f);
			r->gap_decorated |= marks != line;
			/* one blank may belong to the marks; more are indentation */
			line = marks + (marks != r->i && marks < v->end && v->p[marks] == ' ');
			r->i = content;
			m = line_is_separator(v, line); /* W4 */
			return m == MORE ? MORE : m == YES ? NO : YES;
		}
		if (paged)
			return NO;
		enum verdict p = page_break(v, r->i, &r->noted->f, feed, &r->i);
		if (p != YES)
			return p;
	}
}

/* A2: the text after a blank ends; it must read like the rest of a URL. */
static void end_piece(struct reading *r)
{
	if (r->angle && r->in_piece && !r->piece_ok && !r->labelled)
		r->cut = true;
	r->in_piece = false;
}

static bool reads_like_url(uint8_t c)
{
	return is_digit(c) || c == '/' || c == '.' || c == '?' || c == '=' || c == '&' || c == '%' || c == '#' || c == '-'
	       || c == '_' || c == '~';
}

/* The whitespace character at i: its width, 0 for none.  Zero-width ones count,
 * and in a gap a soft hyphen that stands between others. */
static enum verdict white(const struct view *v, size_t i, bool in_gap, size_t *width, bool *control)
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
	*width = u == UC_SPACE || (in_gap && u == UC_SOFT) ? k : 0;
	return *width ? YES : NO;
}

static enum verdict over_limit(const struct reading *r, urlsift_limit limit)
{
	rules_exceed(r->rules, limit, r->at->open);
	return NO;
}

static void count_removed(struct urlsift_link *l, bool decorated)
{
	l->removed.breaks++;
	if (decorated) {
		l->removed.decorations++;
		l->flags |= URLSIFT_DECORATION;
	}
}

/* A gap was read that began at `began`. */
static void count_gap(struct reading *r, bool breaks, size_t began)
{
	size_t length = r->link->length;
	if (!r->gaps++)
		r->first_gap = length;
	end_piece(r);
	bool behind_colon = r->link->text[length - 1] == ':' && !memchr(r->link->text, ':', length - 1);
	if (!breaks && !r->blank_seen && !behind_colon && !r->labelled) {
		r->blank_seen = true;
		r->cut_length = length;
		r->cut_at = began;
	}
	if (behind_colon && !is_line_end(r->v->p[began]) && link_spans(r->link)[r->link->span_count - 1].to == began)
		r->colon_blank = true;
	if (breaks && !r->blank_seen && r->line_gap_count < BREAKS_MAX)
		r->noted->gaps[r->line_gap_count++] = (struct line_gap){length, r->gap_decorated};
	count_removed(r->link, r->gap_decorated);
	r->in_piece = r->blank_seen;
	r->piece_ok = false;
}

/* J1: removes the `=` before the line end at r->i when it is a soft line break.  The text then has *length bytes. */
static enum verdict undo_soft_break(struct reading *r, size_t began, size_t *length)
{
	struct urlsift_link *l = r->link;
	if (r->i != began || *length < 2 || l->failed || l->text[*length - 1] != '=' || r->v->p[began - 1] != '=')
		return NO;
	enum verdict e = line_is_quoted_printable(r->v, began - 1);
	if (e == YES)
		link_cut(l, --*length, began - 1);
	return e;
}

/* W2: whether a backslash at i folds the line. */
static enum verdict view_fold(const struct view *v, size_t i)
{
	if (i + 1 >= v->end)
		return v->last ? NO : MORE;
	return is_line_end(v->p[i + 1]) ? YES : NO;
}

/* Whitespace at r->i, as one gap; the text before it was taken. */
static enum verdict skip_gap(struct reading *r)
{
	const struct view *v = r->v;
	bool breaks = false, feed = false, hyphen = false, control;
	bool folds = false; /* nothing but blanks was read on this line */
	r->gap_decorated = false;
	size_t began = r->i, length = r->link->length, width;
	for (;;) {
		while (r->i < r->limit && r->i < v->end && is_blank(v->p[r->i]))
			r->i++;
		if (r->i >= r->limit)
			return over_limit(r, URLSIFT_LIMIT_SPAN);
		if (r->i >= v->end)
			return v->last ? NO : MORE;
		if (v->p[r->i] == '\\') {
			enum verdict fold = folds ? YES : view_fold(v, r->i);
			if (fold == MORE)
				return MORE;
			if (fold == NO)
				break;
			folds = false;
			r->i++;
			continue;
		}
		if (v->p[r->i] > ' ' && v->p[r->i] < 0x7f)
			break;
		enum verdict e = line_end(v, r->i, &width);
		if (e == MORE)
			return MORE;
		if (e == YES) {
			if (!breaks && length && !r->folded) {
				e = undo_soft_break(r, began, &length);
				if (e == MORE)
					return MORE;
				r->soft = e == YES;
				hyphen = !r->soft && note_hyphen(r);
			}
			breaks = folds = true;
			r->i += width;
			if (++r->lines > r->rules->max_breaks)
				return over_limit(r, URLSIFT_LIMIT_BREAKS);
			opening_prefix(r);
			e = next_line(r, feed);
			r->soft = false;
			if (e != YES)
				return e;
			continue;
		}
		e = white(v, r->i, true, &width, &control);
		if (e == MORE)
			return MORE;
		if (!width)
			break;
		feed |= v->p[r->i] == '\f';
		r->i += width;
	}
	r->solid = r->i;
	r->folded = false;
	if (length && r->i < v->end && v->p[r->i] != r->at->kind->close)
		count_gap(r, breaks, began);
	else if (hyphen)
		forget_hyphen(r); /* white at the ends is no gap */
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

/* Skips bytes that need no rule, as far as the limits allow. */
static void skip_inner(struct reading *r)
{
	const struct view *v = r->v;
	size_t stop = r->solid + (r->rules->max_url - r->link->length) + 1, i = r->i;
	stop = stop < r->limit ? stop : r->limit;
	stop = stop < v->end ? stop : v->end;
	while (i < stop && url_class[v->p[i]] & URL_INNER)
		i++;
	r->i = i;
}

static bool at_begin(const struct reading *r) { return r->angle && !r->link->length && r->i == r->solid; }

/* A1c: the `|` at r->i ends the link, as A2 does; what follows is only read. */
static void end_at_label(struct reading *r)
{
	take_run(r);
	end_piece(r);
	r->labelled = true;
	if (r->cut)
		return;
	r->cut = true;
	r->cut_length = r->link->length;
	r->cut_at = r->i;
	if (r->blank_seen) { /* else the line breaks were noted */
		r->removed = r->link->removed;
		r->flags = r->link->flags;
	}
}

/* Reads to the closing `>`.  YES: r->i is at it. */
static enum verdict read_content(struct reading *r)
{
	const struct view *v = r->v;
	for (;;) {
		if (r->i >= v->end)
			return v->last ? NO : MORE;
		if (r->i >= r->limit)
			return over_limit(r, URLSIFT_LIMIT_SPAN);
		if (r->link->length + (r->i - r->solid) > r->rules->max_url)
			return over_limit(r, URLSIFT_LIMIT_URL);
		uint8_t c = v->p[r->i];
		if (url_class[c] & URL_INNER && !r->in_piece) {
			skip_inner(r);
			continue;
		}
		if (c > ' ' && c < 0x7f) {
			if (c == r->at->kind->close) {
				take_run(r);
				end_piece(r);
				return YES;
			}
			if (c == r->at->kind->open || c == '"')
				return NO; /* W3, W4 */
			enum verdict fold = c == '\\' && !at_begin(r) ? view_fold(v, r->i) : NO;
			if (fold == MORE)
				return MORE;
			if (fold == YES) {
				take_run(r);
				r->solid = ++r->i;
				r->folded = true;
				fold = skip_gap(r);
				if (fold != YES)
					return fold;
				continue;
			}
			if (c == '|' && r->angle && !r->labelled)
				end_at_label(r);
			if (r->in_piece && reads_like_url(c))
				r->piece_ok = true;
			r->i++;
			continue;
		}
		size_t width;
		bool control;
		enum verdict e = white(v, r->i, false, &width, &control);
		if (e == MORE || control)
			return e == MORE ? MORE : NO;
		if (e == YES) {
			take_run(r);
			e = r->link->failed ? NO : skip_gap(r);
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

/* The reassembled text, to be read by the rules in its turn. */
static struct view text_view(const struct reading *r) { return view_of(r->v, r->link->text, r->link->length); }

/* W3: a partial form, as `../x.html`, `/x`, `#part`: no colon in its first segment
 * (RFC 3986 section 4.2); words put together are prose unless something of a URL
 * stands among them. */
static bool is_partial(const struct reading *r, const struct urlsift_link *l)
{
	bool marked = false;
	for (size_t i = 0; i < l->length; i++) {
		uint8_t c = l->text[i];
		if (c == ':' && !marked)
			return false;
		marked |= c == '/' || c == '?' || c == '#';
		if (c == '\\' || c == '^' || c == '`' || c == '{' || c == '|' || c == '}')
			return false;
	}
	return l->length && (marked || (!r->gaps && memchr(l->text, '.', l->length)));
}

/* RFC 3987 section 4.1: whether a bidi control is in the authority at i. */
static bool has_bidi(const struct view *t, size_t i)
{
	for (uint32_t cp; i < t->end && !memchr("/?#", t->p[i], 3); i += utf8_next(t->p + i, t->end - i, &cp))
		if (utf8_next(t->p + i, t->end - i, &cp) > 1 && uclass_is_bidi(cp))
			return true;
	return false;
}

/* A2: whether the name of a scheme before a colon and a blank is a word of prose or a header field. */
static bool is_prose(const struct scheme *row)
{
	return !row || row->forbidden || row->body == BODY_NEVER || row->body == BODY_NAMESPACE
	       || row->body == BODY_SLASHES;
}

/* W3, A1, B2: whether the text put back together is a URL, and of which scheme. */
static bool judge(const struct reading *r, struct urlsift_link *l)
{
	struct view t = text_view(r);
	size_t n = 0;
	while (n < l->length && n <= SCHEME_NAME_MAX && is_scheme_byte(l->text[n]))
		n++;
	if (!r->angle && r->rules->base && is_partial(r, l)) {
		link_resolve(l, r->rules->base, r->rules->base_length);
		link_judge_scheme(l);
		return true;
	}
	if (!n || n > SCHEME_NAME_MAX || n + 1 >= l->length || l->text[n] != ':' || !is_alpha(l->text[0]))
		return false;
	if (n == 3 && view_word(&t, 0, "url", 3) == YES)
		return false;
	const struct scheme *row = scheme_find((const char *)l->text, n);
	struct schemepart b;
	bool plausible = schemepart_whole(&t, n + 1, row, true, &b) && !(b.authority && has_bidi(&t, n + 3));
	if (b.hier && (l->length <= n + 3 || b.escaped))
		return false;
	link_set_scheme(l, (const char *)l->text, n);
	l->flags |= row ? (row->forbidden ? URLSIFT_UNLINKABLE_SCHEME : 0) : URLSIFT_UNKNOWN_SCHEME;
	l->flags |= r->gaps && r->first_gap <= n ? URLSIFT_SCHEME_JOINED : 0;
	bool broken = link_spans(l)->from > r->at->open + 1 || (r->gaps && r->first_gap <= n);
	if (r->angle && !row && b.hier && !schemepart_unknown(l->text, l->length, n))
		return false;
	if (r->angle) /* a scheme that is known may be broken anywhere */
		return plausible && !(r->colon_blank && (is_prose(row) || broken)) && (row || !r->gaps || r->first_gap >= n);
	if (!row && !b.hier)
		return r->gaps == 0;
	return plausible || (!b.hier && !(row && row->slashes == 2));
}

/* Whether any reference in the rest of the link was decoded (L). */
static bool has_undone(const struct urlsift_link *l, const struct view *v)
{
	const struct span *s = link_spans(l);
	for (size_t i = 0; i < l->span_count; i++)
		for (size_t k = s[i].from; k + 5 <= s[i].to; k++)
			if (!memcmp(v->p + k, "&amp;", 5) || !memcmp(v->p + k, "&#38;", 5))
				return true;
	return false;
}

/* A2: the link ends at the first blank, like a bare one. */
static void cut_at_blank(struct reading *r)
{
	struct urlsift_link *l = r->link;
	link_cut(l, r->cut_length, r->cut_at);
	for (int times = 0; times < 8; times++) {
		struct extent x;
		struct view t = text_view(r);
		extent_init(&x, 0, 0, URL_MAX);
		if (extent_run(&x, &t) == YES)
			link_trim(l, r->v, x.end);
		if (!l->length || l->text[l->length - 1] != '&' || r->v->p[link_spans(l)[l->span_count - 1].to - 1] != ';')
			break;
		link_trim(l, r->v, l->length - 1); /* B4: the `&amp;` it was */
	}
	if (r->flags || r->removed.breaks) {
		l->removed = r->removed;
		l->flags = (r->flags & ~(unsigned)URLSIFT_UNESCAPED) | (has_undone(l, r->v) ? URLSIFT_UNESCAPED : 0);
		return;
	}
	/* what was cut off no longer counts */
	l->flags = (l->hyphen_count ? URLSIFT_HYPHEN_AMBIGUOUS : 0) | (has_undone(l, r->v) ? URLSIFT_UNESCAPED : 0);
	l->removed = (urlsift_removed){0, l->hyphen_count, 0};
	for (size_t i = 0; i < r->line_gap_count && r->noted->gaps[i].at < l->length; i++)
		count_removed(l, r->noted->gaps[i].decorated);
}

enum verdict bracket_read(const struct rules *rules, const struct view *v, const struct bracket *at,
                          struct urlsift_link *link, size_t *end)
{
	struct noted noted;
	struct reading r = {.rules = rules, .v = v, .link = link, .at = at, .i = at->content, .solid = at->content,
	                    .noted = &noted, .limit = at->open + SPAN_MAX, .angle = at->angle};
	link_clear(link);
	enum verdict e = YES;
	if (!at->angle && at->url != at->open + 1) {
		/* W1: what stands before `URL:` is held to the same rules */
		r.i = at->open + 1;
		e = skip_gap(&r);
		if (e == YES && r.i != at->url)
			e = NO;
		r.i = r.solid = at->content;
	}
	if (e == YES)
		e = read_content(&r);
	view_work(v, r.i - at->open);
	if (e == YES && link->length > rules->max_url)
		e = over_limit(&r, URLSIFT_LIMIT_URL);
	if (e != YES)
		return e;
	if (link->failed) return NO;
	*end = r.i + 1;
	if (r.cut) {
		cut_at_blank(&r);
		if (!link->span_count)
			return NO;
		*end = link_spans(link)[link->span_count - 1].to;
	}
	if (!link->length || !judge(&r, link))
		return NO;
	link->convention = at->angle ? URLSIFT_CONV_ANGLE : URLSIFT_CONV_WRAPPER;
	if (link->span_count > 1 || link->removed.hyphens)
		link->flags |= URLSIFT_JOINED;
	if (!link->hyphen_count)
		link->flags &= ~(unsigned)URLSIFT_HYPHEN_AMBIGUOUS;
	size_t readings = link->hyphen_count > 1 ? link->hyphen_count + 1 : link->hyphen_count;
	if (readings > rules->max_alternates)
		rules_exceed(rules, URLSIFT_LIMIT_ALTERNATES, at->open);
	link_alternates(link, rules->max_alternates, rules->hyphen == URLSIFT_HYPHEN_KEEP);
	return YES;
}
