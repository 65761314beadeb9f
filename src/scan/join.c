#include "bare.h"

#include "guess.h"
#include "line.h"

#include <string.h>

/* A backslash ends the line: the next one, at `line`, has furniture like that of
 * the link's (Q2).  *next is where the link goes on. */
static enum verdict behind_backslash(const struct view *v, size_t begin, size_t line, size_t *next)
{
	size_t start, content;
	struct furniture f = {0};
	if (line_start(v, begin, &start) == YES)
		furniture_read(v, start, begin, &f);
	enum verdict r = furniture_match(v, line, &f, next, &content);
	if (r == YES && *next != line && content == *next + 1)
		*next = content; /* the blank that belongs to a mark */
	return r;
}

/* A soft line break of format=flowed: the next line, at `line`, is of the link's
 * paragraph.  *next is behind its quote marks and the blank of stuffing. */
static enum verdict behind_blank(const struct view *v, size_t begin, size_t line, size_t *next)
{
	size_t start, depth, other;
	if (line_start(v, begin, &start) != YES)
		return NO;
	line_depth(v, start, begin - start, &depth);
	enum verdict r = line_depth(v, line, depth + 1, &other);
	if (r == MORE || depth != other)
		return r == MORE ? MORE : NO;
	*next = line + depth;
	if (*next < v->end && v->p[*next] == ' ')
		++*next;
	r = line_is_separator(v, *next);
	return r == MORE ? MORE : r == YES ? NO : YES;
}

/* YES: the line break at `at` joins, and *next is where the link goes on. */
static enum verdict declared_break(const struct view *v, size_t begin, size_t at, size_t *next)
{
	size_t width;
	enum verdict r = line_end(v, at + 1, &width);
	if (r != YES)
		return r;
	size_t line = at + 1 + width;
	r = v->p[at] == ' ' ? behind_blank(v, begin, line, next) : behind_backslash(v, begin, line, next);
	if (r != YES)
		return r;
	if (*next >= v->end)
		return v->last ? NO : MORE;
	r = extent_scheme_at(v, *next);
	return r == MORE ? MORE : r == YES ? NO : YES;
}

enum verdict join_run_lines(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	struct extent *x = &b->extent;
	struct span *lines = b->lines;
	bool joins = !b->one_line && c->rules->join != URLSIFT_JOIN_NEVER && !b->part.escaped && !b->opening.must_close;
	size_t n = 0, next = 0;
	for (;;) {
		enum verdict r = extent_run(x, v);
		if (r != YES)
			return r;
		if (n && x->at == lines[n].from) {
			x->at = lines[--n].to; /* that line has nothing of the link */
			break;
		}
		lines[n].to = x->at;
		if (!joins || x->truncated || x->end <= b->solid)
			break;
		r = view_soft_break(v, x->at);
		if (r == YES)
			r = declared_break(v, x->begin, x->at, &next);
		if (r == MORE)
			return MORE;
		if (r == NO)
			break;
		if (n == c->rules->max_breaks || next - x->begin > URL_MAX) {
			rules_exceed(c->rules, URLSIFT_LIMIT_BREAKS, x->begin);
			break;
		}
		lines[++n].from = x->at = next;
	}
	b->line_count = n + 1;
	return YES;
}

static bool has_path(const struct view *v, size_t i, size_t end)
{
	while (i < end && v->p[i] != '/' && v->p[i] != '?' && v->p[i] != '#')
		i++;
	return i < end;
}

void join_check_authority(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	const struct opening *o = &b->opening;
	struct buf *joined = &c->link->copy;
	struct span *lines = b->lines;
	if (!b->part.authority || has_path(v, b->part.rest, lines[0].to))
		return;
	for (size_t i = 0; i < b->line_count; i++)
		c->link->failed |= !buf_add(joined, v->p + lines[i].from, lines[i].to - lines[i].from);
	if (c->link->failed)
		return;
	struct view text = view_of(v, joined->data, joined->length);
	struct schemepart whole = b->part;
	struct host h = {.last_alpha = true};
	enum verdict r = whole.alone ? authority_host(&text, 0, o, &h, &whole) : authority_read(&text, whole.host - o->begin, o, &whole);
	bool is_host = r == YES && h.last_alpha;
	joined->length = 0;
	if (is_host && !whole.ends)
		return;
	size_t left = is_host ? whole.rest : b->part.rest - o->begin, n = 0;
	for (; left > lines[n].to - lines[n].from; n++)
		left -= lines[n].to - lines[n].from;
	b->extent.end = b->extent.at = lines[n].from + left;
	b->line_count = n + 1;
}

/* ---- J2: guessed breaks ---- */

/* Reads the link over the breaks that are guessed: while each is at least likely, or over one that is not.  NO: over
 * none; *confidence is that of the first. */
static enum verdict run_guesses(const struct candidate *c, struct guess *g, struct bare *b, double *confidence)
{
	enum verdict r;
	size_t n = 0;
	while ((r = guess_next(g, c->v)) == YES) {
		if (n && g->confidence < GUESS_LIKELY)
			break;
		if (n == c->rules->max_breaks || g->word.at - g->begin > URL_MAX) {
			if (g->confidence >= GUESS_LIKELY)
				rules_exceed(c->rules, URLSIFT_LIMIT_BREAKS, g->begin);
			break;
		}
		if (!n)
			*confidence = g->confidence;
		b->lines[n++].to = g->kept;
		b->lines[n] = (struct span){g->content, g->word.at};
		b->extent = g->word;
		if (g->confidence < GUESS_LIKELY)
			break;
		r = guess_take(g, c->v);
		if (r != YES)
			break;
	}
	b->line_count = n + 1;
	return r == MORE ? MORE : n ? YES : NO;
}

/* Text and parts of the link, once more. */
static void assemble_again(const struct candidate *c, const struct bare *b)
{
	struct urlsift_link *l = c->link;
	l->span_count = l->spans.length = l->copy.length = 0;
	l->removed = (urlsift_removed){0, 0, 0};
	l->flags &= ~(unsigned)(URLSIFT_JOINED | URLSIFT_FURNITURE | URLSIFT_UNESCAPED);
	bare_assemble(c, b);
}

/* The least confidence of a guess that joins; more than 1 for none. */
static double least_confidence(urlsift_join join)
{
	return join == URLSIFT_JOIN_LIKELY ? GUESS_LIKELY : join == URLSIFT_JOIN_SURE ? GUESS_SURE : 2;
}

enum verdict join_guess(struct candidate *c, const struct bare *b)
{
	const struct rules *rules = c->rules;
	struct urlsift_link *l = c->link;
	struct bare whole;
	struct guess g;
	double confidence, least = least_confidence(rules->join);
	if (rules->join == URLSIFT_JOIN_NEVER || (least > 1 && !rules->guess) || !guess_is_near(c->v, b->extent.at))
		return YES;
	if (l->flags & URLSIFT_JOINED || b->opening.marks || b->part.escaped)
		return YES;
	enum verdict r = guess_init(&g, c->v, &b->opening, &b->extent);
	if (r != YES)
		return r == MORE ? MORE : YES;
	whole = *b;
	r = run_guesses(c, &g, &whole, &confidence);
	if (r != YES)
		return r == MORE ? MORE : YES;
	bool joins = confidence >= least;
	if (!joins && !rules->guess)
		return YES;
	if (joins && rules->guess)
		link_alternate(l, rules->max_alternates, l->text, l->length, URLSIFT_WHY_JOIN, 1 - confidence);
	l->copy.length = 0;
	join_check_authority(c, &whole);
	if (whole.line_count > 1) {
		assemble_again(c, &whole);
		l->flags |= URLSIFT_JOIN_IS_GUESSED;
		if (!joins)
			link_alternate(l, rules->max_alternates, l->text, l->length, URLSIFT_WHY_JOIN, confidence);
	} else {
		l->alternate_count = l->others.length = 0;
		joins = false;
	}
	if (joins) {
		bare_limit(c, &whole);
		c->end = whole.extent.end;
	} else {
		assemble_again(c, b);
	}
	return YES;
}
