#include "ending.h"
#include "guess.h"

#include "text/unicode.h"

#include <string.h>

/* Notes what the line ends in the link are. */
static void note_breaks(const struct candidate *c, const struct bare *b)
{
	struct urlsift_link *link = c->link;
	link->removed.breaks = link->removed.decorations = 0;
	link->flags &= ~(unsigned)(URLSIFT_JOINED | URLSIFT_DECORATION);
	for (size_t i = 1; i < b->line_count && b->lines[i].from < b->extent.end; i++) {
		const uint8_t *p = c->v->p;
		link->removed.breaks++;
		link->flags |= URLSIFT_JOINED;
		if (!is_line_end(p[byte_span_back(p, 0, b->lines[i].from, BYTE_BLANK) - 1])) { /* there is a line prefix */
			link->removed.decorations++;
			link->flags |= URLSIFT_DECORATION;
		}
	}
}

void bare_assemble(const struct candidate *c, const struct bare *b)
{
	const struct view *v = c->v;
	const struct extent *x = &b->extent;
	struct urlsift_link *link = c->link;
	size_t rest = b->part.rest;
	bool unescape = x->unescape || b->part.escaped;
	unsigned escapes = unescape && memchr(v->p + x->begin, '\\', x->end - x->begin) ? ESCAPES_BACKSLASH : ESCAPES_AMP;
	bool plain = rest <= b->solid || b->part.plain;
	if (b->line_count == 1 && !unescape && !x->beyond_ascii && (plain || link_is_verbatim(v, x->begin, rest))) {
		link_whole(link, v, x->begin, x->end);
		return;
	}
	if (b->quoted && b->line_count > 1 && b->lines[1].from < x->end)
		escapes |= ESCAPES_QUOTED;
	unescape = unescape || escapes || (!plain && memchr(v->p + x->begin, '&', rest - x->begin));
	for (size_t i = 0; i < b->line_count && b->lines[i].from < x->end; i++) {
		struct span line = b->lines[i];
		line.to = smaller(line.to, x->end);
		if (unescape)
			link_add_unescaped(link, v, line.from, line.to, escapes);
		else
			link_add(link, v, line.from, line.to);
	}
	note_breaks(c, b);
}

void bare_assemble_again(const struct candidate *c, const struct bare *b)
{
	struct urlsift_link *l = c->link;
	l->spans.length = l->copy.length = 0;
	l->removed = (urlsift_removed){0, 0, 0};
	l->flags &= ~(unsigned)(URLSIFT_JOINED | URLSIFT_DECORATION | URLSIFT_UNESCAPED);
	bare_assemble(c, b);
}

/* How many emphasis marks of the opening are right before k; one behind a backslash is the link's own (B7). */
static size_t marks_before(const struct view *v, const struct opening *o, size_t solid, size_t k)
{
	size_t n = 0;
	while (n < o->marks && k - n > solid && v->p[k - n - 1] == o->mark && v->p[k - n - 2] != '\\')
		n++;
	return n;
}

void bare_cut(const struct view *v, struct bare *b, size_t end)
{
	struct extent *whole = &b->extent;
	size_t from = b->line_count > 1 ? b->lines[b->line_count - 1].from : b->part.rest;
	struct view cut = *v;
	struct extent x;
	if (from > end)
		from = b->solid; /* `news:a.b.*` */
	cut.end = end;
	cut.last = true;
	extent_init(&x, whole->begin, from, whole->max);
	x.rest = whole->rest;
	x.closer = whole->closer;
	x.bracketed = whole->bracketed;
	x.escaped = whole->escaped;
	x.tex = whole->tex;
	x.source = true;
	extent_count(&x, v, b->part.host, b->part.authority ? b->part.rest : b->part.host);
	extent_run(&x, &cut);
	whole->end = x.end;
}

/* B6: removes the marks that close the emphasis, as many as opened it.  NO: they must close it (B1) and do not. */
static enum verdict close_emphasis(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	const struct opening *o = &b->opening;
	struct extent *x = &b->extent;
	if (!o->marks)
		return verdict_of(!o->must_close);
	if (marks_before(v, o, b->solid, x->end) == o->marks) {
		bare_cut(v, b, x->end - o->marks);
		return YES;
	}
	if (!o->must_close || x->at_opener)
		return verdict_of(!o->must_close);
	/* the host, or B4, has excluded the marks already: they end what follows */
	struct extent rest;
	extent_init(&rest, x->begin, x->end, x->max);
	rest.rest = x->rest;
	rest.escaped = b->part.escaped;
	rest.tex = x->tex;
	rest.source = true;
	if (extent_run(&rest, v) == MORE
	    || (extent_is_open(&rest) && extent_end_at_opener(&rest, v, &c->link->reach) == MORE))
		return MORE;
	x->at = rest.at;
	size_t marks = byte_run(v->p, x->end, rest.end, o->mark) - x->end;
	if (x->end + marks == rest.end)
		return verdict_of(marks == o->marks);
	return verdict_of(marks_before(v, o, x->end, rest.end) == o->marks);
}

/* D1: whether c may be between a link and the mark that closes its quotation. */
static bool is_between(uint32_t c)
{
	return c < 0x80 ? c && strchr(".,;:!?@-|*#([{'", (int)c) : c == 0x2026;
}

/* D1: whether the counterpart of the quotation mark before the link follows it, or what B4 takes off it. */
static enum verdict is_quoted(const struct view *v, const struct bare *b)
{
	size_t k = b->extent.at;
	uint32_t close;
	for (;; k += utf8_next(v->p + k, v->end - k, &close)) {
		if (view_lacks_character(v, k))
			return MORE;
		if (k >= v->end)
			return NO;
		utf8_next(v->p + k, v->end - k, &close);
		if (b->part.ends && close == '&') { /* a character reference */
			struct extent x;
			size_t max = 32; /* once a byte is part of a link, nothing after it changes the answer */
			do {
				extent_init(&x, k, k, max *= 2);
				if (extent_run(&x, v) == MORE)
					return MORE;
			} while (x.truncated && (x.end == k || x.bracket) && max < URL_MAX);
			if (x.end > k || x.at == k)
				return NO;
			k = v->p[x.at - 1] == '\'' ? x.at - 1 : x.at;
			if (view_lacks_character(v, k))
				return MORE;
			close = 0;
			if (k < v->end)
				utf8_next(v->p + k, v->end - k, &close);
			break;
		}
		if (!b->part.ends || k - b->extent.at >= 8 || !is_between(close) || opening_pairs(b->opening.before, close))
			break;
	}
	return verdict_of(opening_pairs(b->opening.before, close));
}

void bare_begin(struct bare *b, const struct candidate *c, size_t begin)
{
	opening_read(c->v, begin, &b->opening);
	b->extent.at = 0;
	b->one_line = false;
	b->line_count = 1;
}

/* Where the link ends.  NO: nothing of it is left. */
static enum verdict find_end(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	const struct schemepart *part = &b->part;
	struct extent *x = &b->extent;
	ending_begin(c, x, b->opening.begin, part->rest);
	x->escaped = part->escaped;
	b->quoted = false;
	b->lines[0] = (struct span){b->opening.begin, part->rest};
	b->line_count = 1;
	if (part->rest - x->begin > x->max) {
		rules_exceed(c->rules, LIMIT_URL, x->begin);
		return NO;
	}
	if (part->rest > b->solid && memchr(v->p + b->solid, '@', part->rest - b->solid))
		extent_count(x, v, b->solid, part->rest);
	if (!part->ends && join_run_lines(c, b) == MORE)
		return MORE;
	if (b->line_count == 1 && part->torn)
		x->end = x->at = part->rest;
	if (b->line_count > 1)
		join_check_authority(c, b);
	if (!part->ends && extent_is_open(x) && extent_end_at_opener(x, v, &c->link->reach) == MORE)
		return MORE;
	if (c->link->failed || x->end <= b->solid)
		return NO;
	enum verdict closed = close_emphasis(c, b);
	if (x->end == part->rest && x->end > b->solid + 1 && v->p[x->end - 1] == '.')
		x->end--; /* the full stop of the root domain, with nothing after it */
	if (closed == YES && x->end > b->solid)
		closed = ending_settle(c, b);
	return verdict_after(closed, closed == YES && x->end > b->solid);
}

void bare_limit(const struct candidate *c, struct bare *b)
{
	struct urlsift_link *link = c->link;
	struct extent *x = &b->extent;
	if (link->length > c->rules->max_url) { /* bytes of windows-1252 grow */
		link_trim(link, c->v, c->rules->max_url);
		size_t end = link_last_span(link)->to;
		while (b->line_count > 1 && b->lines[b->line_count - 1].from >= end)
			b->line_count--;
		bare_cut(c->v, b, end);
		bare_assemble_again(c, b);
		x->truncated = true;
		if (!(link->flags & URLSIFT_JOINED))
			link->flags &= ~(unsigned)(URLSIFT_JOIN_IS_DECLARED | URLSIFT_JOIN_IS_GUESSED);
	}
	if (x->truncated) {
		link->flags |= URLSIFT_TRUNCATED;
		rules_exceed(c->rules, LIMIT_URL, x->begin);
	}
}

enum verdict bare_read(const struct candidate *c, struct bare *b)
{
	struct urlsift_link *link = c->link;
	link_clear(link);
	enum verdict r = find_end(c, b), quoted = NO;
	if (r == YES && b->part.authority)
		r = verdict_not(host_is_cut(c->v, b->part.host, b->extent.at));
	if (r != YES)
		return r;
	bare_assemble(c, b);
	if (link->flags & URLSIFT_JOINED)
		link->flags |= URLSIFT_JOIN_IS_DECLARED;
	if (b->line_count == 1 && opening_is_quote(b->opening.before))
		quoted = is_quoted(c->v, b);
	if (quoted == MORE || link->failed)
		return verdict_more(quoted);
	link->convention = quoted == YES ? URLSIFT_CONV_QUOTED : URLSIFT_CONV_BARE;
	bare_limit(c, b);
	return verdict_of(b->extent.end > b->solid);
}

/* B10: a scheme that is never linked takes what follows up to the end by B3, and makes no link. */
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

/* B2, B10 again, for the whole text: `cid:a@` is not a link. */
static bool is_whole(const struct candidate *c, const struct bare *b, const struct scheme *row, bool delimited)
{
	const struct urlsift_link *l = c->link;
	size_t begin = b->opening.begin, part = b->solid - begin;
	if (!row)
		return b->opening.before != '$' && schemepart_unknown(l->text, l->length, part - (b->part.escaped ? 5 : 3));
	if (b->part.hier || row->forbidden)
		return true;
	if (b->part.domain && b->part.domain <= b->extent.end && b->line_count == 1 && l->text == c->v->p + begin)
		return true; /* as it was checked */
	struct view text = view_of(c->v, l->text, l->length);
	struct schemepart s = {.rest = part};
	return schemepart_whole(&text, row, delimited, &s);
}

/* B10: whether the scheme, an unknown one of n bytes, makes no link whatever follows its authority: decided without
 * reading that, which the next such scheme would do again.  False where it is not known.  A bracket of the authority
 * that would end the link (B5) is part of what is judged: `db://host(:port/name of it)`. */
static bool is_noise(const struct candidate *c, struct bare *b, size_t n)
{
	const struct view *v = c->v;
	struct extent *x = &b->extent;
	if (schemepart_torn(v->p + b->opening.begin, n))
		return true;
	ending_begin(c, x, b->opening.begin, b->part.rest);
	x->escaped = b->part.escaped;
	x->authority = true;
	if (extent_run(x, v) == MORE || x->truncated || x->at >= v->end)
		return false;
	if (!ends_authority(v->p[x->at]) && !(x->escaped && v->p[x->at] == '\\'))
		return false;
	x->end = x->at;
	x->unescape = x->first_escape;
	b->lines[0] = (struct span){x->begin, x->end};
	b->quoted = false;
	link_clear(c->link);
	bare_assemble(c, b);
	return !c->link->failed && !is_whole(c, b, NULL, false);
}

/* B1, B10: whether the scheme may follow what no other may: `ATTENDEE:mailto:`, `tohttp://`. */
static bool follows_word(const struct candidate *c, const struct scheme_name *name, size_t slashes)
{
	size_t i = name->begin, prior;
	uint32_t before = view_before(c->v, i, &prior);
	if (!name->row)
		return false;
	if (slashes)
		return before != '_' && opening_is_word(before) && !strncmp(name->row->name, "https", strlen(name->row->name));
	if (strcmp(name->row->name, "mailto") || i < 2 || before != ':')
		return false;
	uint8_t last = c->v->p[i - 2];
	return is_alnum(last) || last == '-' || last == '"';
}

/* B10: whether the link is what follows the scheme: `view-source:http://h/`, `http://http://h/`. */
static enum verdict carries_link(const struct view *v, const struct scheme *row, size_t i, bool hier)
{
	if (!row || !((hier && row->slashes) || text_is_among(row->name, strlen(row->name), "view-source blob feed")))
		return NO;
	return extent_scheme_at(v, i);
}

/* J2: a scheme and its slashes end the line, and the host begins the next one. */
static enum verdict read_cut_host(struct candidate *c, struct bare *b, size_t colon)
{
	struct urlsift_link *link = c->link;
	struct span scheme = {b->opening.begin, b->solid};
	if (c->rules->join < URLSIFT_JOIN_SURE || !guess_is_near(c->v, scheme.to))
		return NO;
	extent_init(&b->extent, scheme.from, scheme.to, c->rules->max_url);
	extent_before(&b->extent, b->opening.before);
	b->part = (struct schemepart){.authority = true, .hier = true, .host = scheme.to, .rest = scheme.to};
	b->lines[0] = scheme;
	b->line_count = 1;
	b->quoted = false;
	link_clear(link);
	link->convention = URLSIFT_CONV_BARE;
	enum verdict r = join_guess(c, b);
	if (r == YES && !(link->flags & URLSIFT_JOINED))
		return NO;
	link_set_scheme(link, (const char *)c->v->p + scheme.from, colon - scheme.from);
	return r;
}

/* Sets what bare_read left open of the link, whose colon is known, and joins what guesses add. */
static enum verdict complete(struct candidate *c, const struct bare *b, size_t colon)
{
	size_t begin = b->opening.begin;
	c->end = b->extent.end;
	link_set_scheme(c->link, (const char *)c->v->p + begin, colon - begin);
	if (opening_has_prefix(c->v, begin))
		c->link->convention = URLSIFT_CONV_PREFIX;
	return join_guess(c, b);
}

enum verdict bare_link_free(struct candidate *c, size_t colon)
{
	const uint8_t *p = c->v->p;
	size_t begin = byte_span_back(p, 0, colon, BYTE_ALPHA);
	enum verdict r = begin > c->floor && p[begin - 1] == '<' ? wrapper_angle(c, begin) : NO;
	if (r != NO)
		return r;
	r = c->path ? NO : extent_scheme_at(c->v, colon + 3);
	if (r != NO)
		return verdict_more(r);
	struct bare b; /* bare_read sets the rest */
	b.opening = (struct opening){.begin = begin, .before = byte_before(p, begin)};
	b.part = (struct schemepart){.authority = true, .hier = true, .host = colon + 3, .rest = c->path, .plain = c->path};
	b.solid = colon + 3;
	b.one_line = false;
	r = c->path ? YES : authority_read(c->v, b.solid, &b.opening, &b.part);
	if (r == NO)
		return read_cut_host(c, &b, colon);
	if (r == YES)
		r = bare_read(c, &b);
	return r == YES ? complete(c, &b, colon) : r;
}

enum verdict bare_link(struct candidate *c, const struct scheme_name *name, size_t colon, size_t slashes)
{
	struct bare b;
	const struct opening *o = &b.opening;
	const struct scheme *row = name->row;
	bool forbidden = row && row->forbidden;
	enum verdict carried = carries_link(c->v, row, colon + 1 + slashes, slashes > 0);
	if (carried != NO)
		return verdict_more(carried);
	bare_begin(&b, c, name->begin);
	bool allowed = follows_word(c, name, slashes) || opening_allows(c->v, c->floor, &b.opening, slashes > 0);
	if (!allowed || (o->must_close && o->begin < c->unclosed))
		return NO;
	b.part.rest = colon + 1;
	enum verdict r = schemepart_check(c->v, row, opening_is_quote(o->before), o, &b.part);
	b.solid = colon + 1 + slashes;
	if (r == NO && b.part.authority && !o->must_close) {
		r = read_cut_host(c, &b, colon);
		if (r != NO)
			return r;
	}
	if (r == YES && !row && is_noise(c, &b, colon - name->begin))
		return NO;
	if (r == YES)
		r = bare_read(c, &b);
	if (r == MORE || c->link->failed)
		return r;
	if (r == NO && o->must_close) {
		c->still_open = b.extent.at;
		return NO;
	}
	bool delimited = r == YES && c->link->convention == URLSIFT_CONV_QUOTED;
	if (forbidden && !delimited)
		return swallow(c, name->begin, colon + 1);
	if (r == NO)
		return NO;
	if (!is_whole(c, &b, row, delimited)) {
		if (!(c->link->flags & URLSIFT_JOIN_IS_DECLARED))
			return NO;
		b.one_line = true; /* the first line may be a link */
		if (bare_read(c, &b) != YES || !is_whole(c, &b, row, false))
			return NO;
	}
	link_judge_scheme(c->link, row);
	return complete(c, &b, colon);
}
