#include "bare.h"

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
