#include "bracket.h"

#include "text/unicode.h"

#include <string.h>

/* ---- hyphens at line breaks (H) ---- */

/* Nothing follows the hyphen: it stays as written. */
static void forget_hyphen(struct reading *r)
{
	struct urlsift_link *l = r->link;
	const struct hyphen *h = &l->hyphens.all[--l->hyphens.count];
	l->removed.hyphens--;
	if (!h->kept && h->form[0] != 0xC2) {
		link_cover(l, h->source.from, h->source.to);
		link_put(l, h->form, h->bytes);
	}
}

void gap_forget_hyphens(struct reading *r)
{
	struct urlsift_link *l = r->link;
	while (l->hyphens.count) {
		const struct hyphen *h = &l->hyphens.all[l->hyphens.count - 1];
		size_t end = hyphen_end(h);
		if (end < l->length)
			break;
		if (end == l->length && h->source.from < r->end.at)
			forget_hyphen(r);
		else
			l->hyphens.count--;
	}
}

/* ---- lines ---- */

/* A run of white space while it is read. */
struct gap {
	size_t began, length; /* its index; the length of the text before it */
	bool breaks;          /* it has a line break */
	bool feed;            /* it has a form feed */
	bool decorated;       /* it has a line prefix */
	bool soft;            /* the line end is a soft line break of quoted-printable (J1) */
	bool hyphen;          /* a hyphen before it was noted */
	bool empty;           /* only blanks were read on this line */
};

/* Continues on the line at r->i, after its prefix (Q2, Q3) and after a page break (F1). */
static bool next_line(struct reading *r, struct gap *g)
{
	const struct view *v = r->v;
	const struct line_prefix *prefix = &r->noted->prefix;
	size_t marks, content, width, line = r->i;
	for (bool paged = false;; paged = true) {
		const bool matches = prefix_match(v, r->i, prefix, &marks, &content);
		bool control;
		size_t at = matches ? content : r->i;
		for (width = 1; width && at < v->end && !BYTE_IN(v->p[at], "\r\n\f"); at += width)
			width = gap_white(v, at, false, &control);
		const bool blank = line_end(v, at, &width) || (!paged && view_byte(v, at) == '\f');
		if (!blank && view_has(v, at, 1)) {
			if (!matches)
				return !paged && (g->soft || line_lost_marks(v, r->i, prefix));
			g->decorated |= marks != line;
			/* one blank may belong to the marks; more are indentation */
			line = marks + (marks != r->i && view_byte(v, marks) == ' ');
			r->i = content;
			return !line_is_separator(v, line); /* W4 */
		}
		if (paged || !page_break(v, r->i, prefix, g->feed, &r->i))
			return false;
	}
}

/* J1: removes the `=` before the line end at r->i when it is a soft line break. */
static bool undo_soft_break(struct reading *r, struct gap *g)
{
	struct urlsift_link *l = r->link;
	if (r->i != g->began || g->length < 2 || l->text[g->length - 1] != '=' || r->v->p[g->began - 1] != '='
	    || !line_is_quoted_printable(r->v, g->began - 1))
		return false;
	r->soft = true;
	link_cut(l, --g->length, g->began - 1);
	if (!r->gaps || g->length != r->last_gap)
		return true;
	/* nothing follows the last gap on its line any more: the line end continues it, and a hyphen before it */
	g->hyphen = l->hyphens.count && hyphen_end(&l->hyphens.all[l->hyphens.count - 1]) == l->length;
	r->gaps--;
	r->blank_seen &= r->end.length < r->last_gap;
	r->in_piece &= r->blank_seen;
	l->removed = r->before.removed;
	l->flags = r->before.flags;
	if (r->line_gap_count && r->noted->gaps[r->line_gap_count - 1].at == r->last_gap)
		r->line_gap_count--;
	return true;
}

/* The line end of `width` bytes at r->i. */
static bool take_line_end(struct reading *r, struct gap *g, size_t width)
{
	if (r->v->flowed == FLOWED_CONTENT)
		return false;
	if (++r->lines > r->c->rules->max_breaks)
		return gap_exceed(r, LIMIT_BREAKS);
	if (!g->breaks && g->length && !r->folded) {
		g->soft = undo_soft_break(r, g);
		if (!g->soft)
			g->hyphen = link_note_hyphen(r->link, r->v, r->c->rules->hyphen == URLSIFT_HYPHEN_KEEP);
	}
	g->breaks = g->empty = true;
	r->i += width;
	candidate_prefix(r->c, r->open, &r->noted->prefix); /* of the line where the link opens */
	r->noted->prefix.bracket = true;
	const bool wrapped = !r->noted->prefix.diff && line_is_wrapped(r->v, r->i);
	if (wrapped) {
		g->decorated = true;
		r->i++;
	}
	const bool goes_on = wrapped || next_line(r, g);
	g->soft = false;
	return goes_on;
}

/* ---- the gap ---- */

/* Nothing is told of a word whose colon ends its line or precedes a blank, as in `if a < b:` of a program, unless `//`
 * follows that. */
bool gap_exceed(const struct reading *r, enum limit limit)
{
	const uint8_t *p = r->v->p;
	const size_t after = byte_index(p, r->content, r->i, ':') + 1;
	const size_t next = byte_span(p, after, r->i, BYTE_FWS | BYTE_QUOTE);
	if (!r->angle || next == after || text_begins(p + next, r->i - next, "//"))
		rules_exceed(r->c->rules, limit, r->open);
	return false;
}

void gap_end_piece(struct reading *r)
{
	r->cut |= r->angle && r->in_piece && !r->piece_ok && !r->settled;
	r->in_piece = false;
}

/* Text follows the gap. */
static void take_gap(struct reading *r, const struct gap *g)
{
	struct urlsift_link *l = r->link;
	const size_t length = l->length;
	const bool after_colon = l->text[length - 1] == ':' && !memchr(l->text, ':', length - 1);
	if (r->settled && !r->cut && !after_colon && line_skip_blanks(r->v, g->began, r->i) == r->i) {
		/* A2: the blanks are part of the link */
		l->flags |= URLSIFT_UNESCAPED;
		link_cover(l, g->began, r->i);
		for (size_t i = g->began; i < r->i && l->length <= r->c->rules->max_url; i++)
			link_put(l, (const uint8_t *)"%20", 3);
		return;
	}
	r->last_gap = length;
	r->gaps++;
	r->first_gap = smaller(r->first_gap, length);
	r->before = (struct rejoined){l->removed, l->flags};
	gap_end_piece(r);
	if (!g->breaks && !r->blank_seen && !after_colon && !r->settled) {
		r->blank_seen = true;
		l->flags |= URLSIFT_BLANK_REMOVED;
		r->end.length = length;
		r->end.at = g->began;
	}
	r->colon_blank |= after_colon && !is_line_end(r->v->p[g->began]) && link_last_span(l)->to == g->began;
	if (g->breaks && !r->blank_seen) /* no more than lines: BREAKS_MAX */
		r->noted->gaps[r->line_gap_count++] = (struct line_gap){link_last_span(l)->to, length, g->decorated};
	l->removed.breaks++;
	l->removed.decorations += g->decorated;
	l->flags |= bits_if(g->decorated, URLSIFT_DECORATION);
	r->in_piece = r->blank_seen;
	r->piece_ok = false;
}

size_t gap_white(const struct view *v, size_t i, bool in_gap, bool *control)
{
	uint8_t c = v->p[i];
	*control = byte_class[c] & BYTE_CONTROL && !is_space(c);
	if (c < 0x80)
		return is_space(c);
	uint32_t cp;
	size_t k = view_character(v, i, &cp);
	enum uclass u = uclass_of(cp);
	*control = u == UC_CONTROL;
	return u == UC_SPACE || (in_gap && u == UC_SOFT) ? k : 0;
}

/* The next character of the gap that is not a blank.  False: it is not part of the gap, or *given_up: there is no
 * link. */
static bool take_white(struct reading *r, struct gap *g, bool *given_up)
{
	const struct view *v = r->v;
	size_t width;
	bool control;
	uint8_t c = v->p[r->i];
	if (c == '\\') {
		const bool folds = g->empty || view_ends_line(v, r->i);
		g->empty &= !folds;
		r->i += folds;
		return folds;
	}
	if (line_end(v, r->i, &width)) {
		*given_up = !take_line_end(r, g, width);
		return !*given_up;
	}
	width = gap_white(v, r->i, true, &control);
	g->feed |= c == '\f';
	r->i += width;
	return width;
}

size_t gap_closes(const struct reading *r)
{
	/* W2: Markdown's `\<` and `\>`, roff's `\*<` and `\*>` */
	const uint8_t *p = r->v->p;
	const size_t mark = p[r->i] == '\\' ? smaller(text_ends(p, r->open, "\\*") ? 2 : 1, r->open) : 0;
	return view_read(r->v, r->i + mark) == r->closing && !memcmp(p + r->i, p + r->open - mark, mark) ? mark + 1 : 0;
}

bool gap_skip(struct reading *r)
{
	const struct view *v = r->v;
	struct gap g = {.began = r->i, .length = r->link->length};
	bool given_up = r->link->failed;
	do {
		r->i = line_skip_blanks(v, r->i, smaller(r->limit, v->end));
		if (r->i >= r->limit)
			return gap_exceed(r, LIMIT_SPAN);
		if (given_up || !view_has(v, r->i, 1))
			return false;
	} while (take_white(r, &g, &given_up));
	if (given_up)
		return false;
	r->solid = r->i;
	r->folded = false;
	if (!g.length || gap_closes(r)) {
		if (g.hyphen)
			forget_hyphen(r); /* white space at the ends is not a gap */
		return true;
	}
	/* B8: what follows may be another link, except after a byte where a URL may hold one */
	const uint8_t *text = r->link->text;
	const bool opened = BYTE_IN(v->p[r->i], "([");
	const bool another = !bytes16_has("/=?&#:%+(///////", text[g.length - 1]) && memchr(text, ':', g.length)
	                     && extent_scheme_at(v, r->i + opened);
	g.breaks &= !(another && opened); /* in brackets of its own it ends the first link, as after a blank */
	take_gap(r, &g);
	r->cut |= another && r->angle && r->in_piece; /* A2: after a blank, the link ends there */
	return !another || r->cut;
}
