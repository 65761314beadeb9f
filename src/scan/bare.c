#include "bare.h"

#include "line.h"
#include "text/uclass.h"
#include "text/utf8.h"

#include <string.h>

void opening_read(const struct view *v, size_t begin, struct opening *o)
{
	size_t at = begin, prior;
	*o = (struct opening){.begin = begin};
	o->before = view_before(v, begin, &prior);
	if (o->before != '*' && o->before != '_' && o->before != '/' && o->before != '~')
		return;
	while (at > v->low && begin - at < 8 && v->p[at - 1] == o->before)
		at--;
	uint32_t word = view_before(v, at, &prior);
	bool opens = !(word < 0x80 ? is_alnum((uint8_t)word) : uclass_is_word(word));
	/* `//` is a comment leader or a path */
	if (opens && (o->before != '/' || begin - at == 1)) {
		o->mark = (uint8_t)o->before;
		o->marks = begin - at;
	}
}

/* D1: whether `close` is the counterpart of the quotation mark `open`. */
static bool quotes_pair(uint32_t open, uint32_t close)
{
	static const uint16_t pairs[][2] = {
		{'"', '"'}, {'\'', '\''}, {0x201C, 0x201D}, {0x201D, 0x201D}, {0x201E, 0x201C}, {0x201E, 0x201D},
		{0x2018, 0x2019}, {0x2019, 0x2019}, {0x201A, 0x2018}, {0x201A, 0x2019}, {0xAB, 0xBB}, {0xBB, 0xAB}, {0xBB, 0xBB},
		{0x2039, 0x203A}, {0x203A, 0x2039}, {0x300C, 0x300D}, {0x300E, 0x300F}, {0x301D, 0x301E}, {0x301D, 0x301F},
		{0xFF02, 0xFF02}, {0x201D, 0x201C}, {0x2019, 0x2018}
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][0] == open && pairs[i][1] == close)
			return true;
	return false;
}

/* ---- J1: declared breaks ---- */

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

/* The extent over all its lines; pieces[0..*count) are the ranges read. */
static enum verdict run_lines(const struct rules *rules, const struct view *v, bool joins, size_t solid,
                              struct extent *x, struct span *pieces, size_t *count)
{
	size_t n = 0, next = 0;
	pieces[0].from = x->begin;
	for (;;) {
		enum verdict r = extent_run(x, v);
		if (r != YES)
			return r;
		if (n && x->at == pieces[n].from) {
			x->at = pieces[--n].to; /* nothing of a link stands there */
			break;
		}
		pieces[n].to = x->at;
		if (!joins || x->truncated || x->end <= solid)
			break;
		r = view_soft_break(v, x->at);
		if (r == YES)
			r = declared_break(v, x->begin, x->at, &next);
		if (r == MORE)
			return MORE;
		if (r == NO)
			break;
		if (n == rules->max_breaks || next - x->begin > URL_MAX) {
			rules_limit(rules, "line-breaks", rules->max_breaks, x->begin);
			break;
		}
		pieces[++n].from = x->at = next;
	}
	*count = n + 1;
	return YES;
}

static bool has_path(const struct view *v, size_t i, size_t end)
{
	while (i < end && v->p[i] != '/' && v->p[i] != '?' && v->p[i] != '#')
		i++;
	return i < end;
}

/* B2 once more for an authority that was broken: the link ends where it does
 * when the lines stand together. */
static void check_joined(const struct view *v, const struct opening *o, const struct body *b, const struct span *pieces,
                         size_t *count, struct urlsift_link *link, struct extent *x)
{
	struct buf *joined = &link->copy;
	for (size_t i = 0; i < *count; i++)
		link->failed |= !buf_add(joined, v->p + pieces[i].from, pieces[i].to - pieces[i].from);
	if (link->failed)
		return;
	struct view t = *v;
	struct body whole = *b;
	t.p = joined->data;
	t.low = 0;
	t.end = joined->length;
	t.first = t.last = true;
	struct host h = {.last_alpha = true};
	bool is_host = (b->alone ? body_host(&t, 0, o, &h, &whole) : body_authority(&t, b->host - o->begin, o, &whole)) == YES;
	is_host = is_host && h.last_alpha;
	joined->length = 0;
	if (is_host && !whole.ends)
		return;
	size_t left = is_host ? whole.rest : b->rest - o->begin, n = 0;
	while (left > pieces[n].to - pieces[n].from)
		left -= pieces[n].to - pieces[n].from, n++;
	x->end = x->at = pieces[n].from + left;
	*count = n + 1;
}

/* ---- putting it together ---- */

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

/* D1: whether a quotation could open with c. */
static bool is_quote(uint32_t c) { return c == '"' || c == '\'' || c >= 0xAB; }

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
	if (quotes_pair(o->before, close))
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
	if (!b->ends && run_lines(rules, v, joins, solid, x, pieces, &count) == MORE)
		return MORE;
	if (count == 1 && b->torn)
		x->end = x->at = b->rest;
	if (count > 1 && b->authority && !has_path(v, b->rest, pieces[0].to))
		check_joined(v, o, b, pieces, &count, link, x);
	if (x->end <= solid)
		return NO;
	enum verdict closed = close_emphasis(v, o, b, solid, count > 1 ? pieces[count - 1].from : b->rest, x);
	if (closed != YES || x->end <= solid)
		return closed == MORE ? MORE : NO;
	if (x->end == b->rest && x->end > solid + 1 && v->p[x->end - 1] == '.')
		x->end--; /* the root's full stop with nothing behind it */
	assemble(link, v, b, x, pieces, count);
	link->convention = URLSIFT_CONV_BARE;
	if (count == 1 && is_quote(o->before) && find_closer(v, o, b, x, link) == MORE)
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
