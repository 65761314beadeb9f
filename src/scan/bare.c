#include "bare.h"

#include "guess.h"
#include "text/unicode.h"

#include <string.h>

/* Whether the bytes stand for themselves. */
static bool is_plain(const struct view *v, size_t from, size_t to)
{
	const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
	for (uint64_t word, other; to - from >= sizeof word; from += sizeof word) {
		memcpy(&word, v->p + from, sizeof word);
		other = word ^ ones * '&';
		if ((word | (other - ones)) & highs)
			break; /* or it only seems so */
	}
	while (from < to && v->p[from] < 0x80 && v->p[from] != '&')
		from++;
	return from == to;
}

static void assemble(struct urlsift_link *link, const struct view *v, const struct body *b, const struct extent *x,
                     const struct span *pieces, size_t count)
{
	bool unescape = x->unescape || b->escaped;
	if (count == 1 && !unescape && !x->beyond_ascii && is_plain(v, x->begin, b->rest)) {
		link_whole(link, v, x->begin, x->end);
		return;
	}
	unescape = unescape || memchr(v->p + x->begin, '&', b->rest - x->begin);
	for (size_t i = 0; i < count && pieces[i].from < x->end; i++) {
		size_t to = pieces[i].to < x->end ? pieces[i].to : x->end;
		if (unescape)
			link_add_unescaped(link, v, pieces[i].from, to, b->escaped);
		else
			link_add(link, v, pieces[i].from, to);
		if (!i)
			continue;
		link->removed.breaks++;
		link->flags |= URLSIFT_JOINED | URLSIFT_JOIN_IS_DECLARED;
		size_t last = pieces[i].from - 1;
		if (!is_line_end(v->p[last - (v->p[last] == ' ')])) { /* the blank alone is stuffing */
			link->removed.furniture++;
			link->flags |= URLSIFT_FURNITURE;
		}
	}
}

/* How many marks of the opening stand right before k. */
static size_t marks_before(const struct view *v, const struct opening *o, size_t solid, size_t k)
{
	size_t n = 0;
	while (n < o->marks && k - n > solid && v->p[k - n - 1] == o->mark)
		n++;
	return n;
}

/* Where the link ends when the text ends at `end` (B4, B5); its last line goes on at `from`. */
static size_t end_within(const struct view *v, const struct body *b, const struct extent *whole, size_t from, size_t end)
{
	struct view cut = *v;
	struct extent x;
	cut.end = end;
	cut.last = true;
	extent_init(&x, whole->begin, from, whole->max);
	x.closer = whole->closer;
	x.bracketed = whole->bracketed;
	x.escaped = whole->escaped;
	extent_count(&x, v, b->host, b->authority ? b->rest : b->host);
	extent_run(&x, &cut);
	return x.end;
}

/* B6: marks that close the emphasis go, as many as opened it.  NO when they
 * must (B1) and do not. */
static enum verdict close_emphasis(const struct view *v, const struct opening *o, const struct body *b, size_t solid,
                                   size_t from, struct extent *x)
{
	if (!o->marks)
		return o->must_close ? NO : YES;
	if (marks_before(v, o, solid, x->end) == o->marks) {
		size_t end = x->end - o->marks;
		x->end = from < end ? end_within(v, b, x, from, end) : end;
		return YES;
	}
	if (!o->must_close)
		return YES;
	/* a host, or B4, has let its marks go already: they end what is there */
	struct extent rest;
	extent_init(&rest, x->begin, x->end, x->max);
	rest.escaped = b->escaped;
	if (extent_run(&rest, v) == MORE)
		return MORE;
	x->at = rest.at;
	size_t marks = 0;
	while (x->end + marks < rest.end && v->p[x->end + marks] == o->mark)
		marks++;
	if (x->end + marks == rest.end)
		return marks == o->marks ? YES : NO;
	return marks_before(v, o, x->end, rest.end) == o->marks ? YES : NO;
}

/* D1: may stand between a link and the mark that closes its quotation. */
static bool is_between(uint32_t c)
{
	switch (c) {
	case '.': case ',': case ';': case ':': case '!': case '?': case '@': case '-': case 0x2026:
		return true;
	default:
		return false;
	}
}

/* D1: a quotation mark right before and its counterpart behind what B4 takes off. */
static enum verdict find_closer(const struct view *v, const struct opening *o, const struct body *b, const struct extent *x,
                                struct urlsift_link *link)
{
	size_t k = x->at;
	uint32_t close;
	for (;; k += utf8_next(v->p + k, v->end - k, &close)) {
		if (v->end - k < 4 && !v->last)
			return MORE;
		if (k >= v->end)
			return YES;
		utf8_next(v->p + k, v->end - k, &close);
		if (!b->ends || k - x->at >= 8 || !is_between(close))
			break;
	}
	if (opening_pairs(o->before, close))
		link->convention = URLSIFT_CONV_QUOTED;
	return YES;
}

enum verdict bare_read(const struct rules *rules, const struct view *v, const struct opening *o, const struct body *b,
                       size_t solid, struct urlsift_link *link, struct extent *x)
{
	struct span pieces[BREAKS_MAX + 1];
	pieces[0] = (struct span){o->begin, b->rest};
	size_t count = 1;
	link_clear(link);
	if (b->rest - o->begin > rules->max_url) {
		rules_limit(rules, "url-length", rules->max_url, o->begin);
		return NO;
	}
	extent_init(x, o->begin, b->rest, rules->max_url);
	extent_before(x, o->before);
	x->escaped = b->escaped;
	if (b->rest > solid && !b->alone && memchr(v->p + solid, '@', b->rest - solid))
		extent_count(x, v, solid, b->rest);
	bool joins = rules->join != URLSIFT_JOIN_NEVER && !b->escaped && !o->must_close;
	if (!b->ends && join_run_lines(rules, v, joins, solid, x, pieces, &count) == MORE)
		return MORE;
	if (count == 1 && b->torn)
		x->end = x->at = b->rest;
	if (count > 1)
		join_check_authority(v, o, b, pieces, &count, link, x);
	if (x->end <= solid)
		return NO;
	enum verdict closed = close_emphasis(v, o, b, solid, count > 1 ? pieces[count - 1].from : b->rest, x);
	if (closed != YES || x->end <= solid)
		return closed == MORE ? MORE : NO;
	if (x->end == b->rest && x->end > solid + 1 && v->p[x->end - 1] == '.')
		x->end--; /* the root's full stop with nothing behind it */
	assemble(link, v, b, x, pieces, count);
	link->convention = URLSIFT_CONV_BARE;
	if (count == 1 && opening_is_quote(o->before) && find_closer(v, o, b, x, link) == MORE)
		return MORE;
	if (link->length > rules->max_url) { /* bytes of windows-1252 grow */
		link_trim(link, v, rules->max_url);
		x->end = link_spans(link)[link->span_count - 1].to;
		x->truncated = true;
	}
	if (x->truncated) {
		link->flags |= URLSIFT_TRUNCATED;
		rules_limit(rules, "url-length", rules->max_url, x->begin);
	}
	return YES;
}

/* Where a link has been read as bare: convention, scheme, flags. */
static void dress(struct candidate *c, const struct opening *o, const struct scheme_name *name, size_t colon)
{
	struct urlsift_link *l = c->link;
	link_set_scheme(l, (const char *)c->v->p + name->begin, colon - name->begin);
	l->flags |= name->row ? (name->row->forbidden ? URLSIFT_UNLINKABLE_SCHEME : 0) : URLSIFT_UNKNOWN_SCHEME;
	if (opening_has_prefix(c->v, o->begin))
		l->convention = URLSIFT_CONV_PREFIX;
}

/* B10: a scheme that is never linked takes what follows up to B3's end, and
 * yields nothing. */
static enum verdict swallow(struct candidate *c, size_t begin, size_t i)
{
	struct extent rest;
	extent_init(&rest, i, i, URL_MAX);
	rest.swallow = true;
	if (extent_run(&rest, c->v) == MORE)
		return MORE;
	c->end = rest.at;
	c->from = begin;
	c->swallowed = true;
	return YES;
}

/* B2 once more, for the text as it ended: `cid:a@` is none. */
static bool is_whole(struct candidate *c, size_t body, const struct scheme *row, bool delimited)
{
	struct view text = view_of(c->v, c->link->text, c->link->length);
	struct body b;
	return body_whole(&text, body, row, delimited, &b);
}

enum verdict bare_link(struct candidate *c, const struct scheme_name *name, size_t colon, size_t slashes)
{
	struct opening o;
	struct body b;
	struct extent x = {0};
	bool forbidden = name->row && name->row->forbidden;
	opening_read(c->v, name->begin, &o);
	if (!opening_allows(c->v, c->floor, &o, slashes > 0) || (o.must_close && o.begin < c->unclosed))
		return NO;
	bool maybe_quoted = o.before == '"' || o.before == '\'' || o.before >= 0x80;
	enum verdict r = body_check(c->v, colon + 1, name->row, maybe_quoted, &o, &b);
	if (r == YES)
		r = bare_read(c->rules, c->v, &o, &b, colon + 1 + slashes, c->link, &x);
	if (r == MORE)
		return MORE;
	if (r == NO && o.must_close) {
		c->still_open = x.at;
		return NO;
	}
	bool delimited = r == YES && c->link->convention == URLSIFT_CONV_QUOTED;
	if (forbidden && !delimited)
		return swallow(c, name->begin, colon + 1);
	if (r == NO)
		return NO;
	if (!b.hier && !forbidden && !is_whole(c, colon + 1 - o.begin, name->row, delimited)) {
		if (!(c->link->flags & URLSIFT_JOIN_IS_DECLARED))
			return NO;
		struct rules rules = *c->rules; /* the first line alone, then */
		rules.join = URLSIFT_JOIN_NEVER;
		if (bare_read(&rules, c->v, &o, &b, colon + 1, c->link, &x) != YES || !is_whole(c, colon + 1 - o.begin, name->row, false))
			return NO;
	}
	c->end = x.end;
	dress(c, &o, name, colon);
	return guess_join(c->rules, c->v, &o, &x, c->link, &c->end);
}
