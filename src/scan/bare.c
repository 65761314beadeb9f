#include "ending.h"
#include "guess.h"

#include "text/unicode.h"

#include <string.h>

/* How many of its lines a link has that ends at `end`. */
static size_t count_lines(const struct bare *b, size_t end)
{
	size_t n = b->line_count;
	while (b->lines[n - 1].from >= end) /* not the first one */
		n--;
	return n;
}

void bare_assemble(const struct candidate *c, const struct bare *b)
{
	const struct view *v = c->v;
	const struct extent *x = &b->extent;
	struct urlsift_link *link = c->link;
	size_t rest = b->part.rest;
	unsigned escapes = x->escapes & ESCAPES_AT;
	escapes |= bits_if(x->unescape || memchr(v->p + x->begin, '\\', rest - x->begin), ESCAPES_BACKSLASH);
	bool plain = rest <= b->solid || b->part.plain || link_is_verbatim(v, x->begin, rest);
	if (b->line_count == 1 && !escapes && !x->beyond_ascii && plain) {
		link_whole(link, v, x->begin, x->end);
		return;
	}
	escapes |= x->escapes;
	const size_t count = count_lines(b, x->end);
	escapes |= bits_if(b->quoted && count > 1, ESCAPES_QUOTED);
	for (size_t i = 0; i < count; i++) {
		const size_t from = b->lines[i].from;
		link_add_unescaped(link, v, from, smaller(b->lines[i].to, x->end), escapes);
		if (b->guessed && i + 1 < count)
			link_note_hyphen(link, v, c->rules->hyphen == URLSIFT_HYPHEN_KEEP);
		if (i == 0)
			continue;
		link->removed.breaks++;
		link->flags |= URLSIFT_JOINED;
		if (!is_line_end(v->p[byte_span_back(v->p, 0, from, BYTE_BLANK) - 1])) { /* there is a line prefix */
			link->removed.decorations++;
			link->flags |= URLSIFT_DECORATION;
		}
	}
}

void bare_assemble_again(const struct candidate *c, const struct bare *b)
{
	struct urlsift_link *l = c->link;
	l->spans.length = l->copy.length = l->hyphens.count = 0;
	l->removed = (urlsift_removed){0, 0, 0};
	l->flags &= ~(unsigned)(URLSIFT_JOINED | URLSIFT_DECORATION | URLSIFT_UNESCAPED | URLSIFT_HYPHEN_AMBIGUOUS);
	bare_assemble(c, b);
}

/* How many emphasis marks of the opening are right before k; one after a backslash is the link's own (B7). */
static size_t marks_before(const struct view *v, const struct opening *o, size_t k)
{
	size_t n = 0;
	while (n < o->marks && v->p[k - n - 1] == o->mark && v->p[k - n - 2] != '\\')
		n++;
	return n;
}

void bare_cut(const struct view *v, struct bare *b, size_t end)
{
	struct extent *whole = &b->extent;
	size_t from = b->line_count > 1 ? b->lines[b->line_count - 1].from : b->part.rest;
	struct extent x;
	if (from > end)
		from = b->solid; /* `news:a.b.*` */
	const struct view cut = view_until(v, end);
	extent_init(&x, whole->begin, from, whole->max);
	x.rest = whole->rest;
	x.closer = whole->closer;
	x.escapes = whole->escapes;
	x.square = whole->square; /* what was no label before is none at the end */
	x.bracketed = whole->bracketed;
	x.escaped = whole->escaped;
	x.source = whole->source;
	extent_count(&x, v, b->part.host, b->part.rest);
	extent_run(&x, &cut);
	whole->end = x.end;
}

/* B6: whether as many `_` as opened the emphasis close it later on the line, after the link that ends at i. */
static bool closes_later(const struct candidate *c, const struct opening *o, size_t i)
{
	const struct view *v = c->v;
	size_t end;
	line_find_end(v, i, LINE_LOOK, &end);
	link_look(c->link, end);
	while (o->mark == '_' && (i = byte_index(v->p, i, end, '_')) < end) {
		uint32_t next;
		view_character(v, ++i, &next);
		if (marks_before(v, o, i) == o->marks && !(byte_class[v->p[i - o->marks - 1]] & (BYTE_BLANK | BYTE_UNDERSCORE))
		    && !opening_is_word(next))
			return true;
	}
	return false;
}

/* B6: removes the marks that close the emphasis, as many as opened it.  False: they must close it (B1) and do not. */
static bool close_emphasis(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	const struct opening *o = &b->opening;
	struct extent *x = &b->extent;
	if (!o->marks)
		return !o->must_close;
	if (marks_before(v, o, x->end) == o->marks) {
		bare_cut(v, b, x->end - o->marks);
		return true;
	}
	if (!o->must_close)
		return true;
	if (x->at_opener)
		return closes_later(c, o, x->at);
	/* the host, or B4, has excluded the marks already: they end what follows */
	struct extent rest;
	extent_init(&rest, x->begin, x->end, x->max);
	rest.rest = x->rest;
	rest.escaped = b->part.escaped;
	rest.source = x->source;
	extent_run(&rest, v);
	extent_end_at_opener(&rest, v, &c->link->reach);
	x->at = rest.at;
	size_t marks = byte_run(v->p, x->end, rest.end, o->mark) - x->end;
	if (marks && x->end + marks == rest.end)
		return marks == o->marks;
	return marks_before(v, o, rest.end) == o->marks || closes_later(c, o, x->at);
}

/* D1: whether the counterpart of the quotation mark before the link follows it, or what B4 takes off it. */
static bool is_quoted(const struct view *v, const struct bare *b)
{
	size_t k = b->extent.at;
	uint32_t close;
	for (size_t width; (width = view_character(v, k, &close)); k += width) {
		if (b->part.ends && close == '&') { /* a character reference */
			struct extent x;
			size_t max = 32; /* once a byte is part of a link, nothing after it changes the answer */
			do {
				extent_init(&x, k, k, max *= 2);
				extent_run(&x, v);
			} while (x.truncated && (x.end == k || x.bracket) && max < URL_MAX);
			if (x.end > k)
				return false;
			view_character(v, byte_index(v->p, k, x.at, '\''), &close);
			break;
		}
		/* what may be between a link and the mark that closes its quotation */
		const bool between = close < 0x80 ? is_of((char)close, ".,;:!?@-|*#([{'") : close == 0x2026;
		if (!b->part.ends || k - b->extent.at >= 8 || !between || opening_pairs(b->opening.before, close))
			break;
	}
	return opening_pairs(b->opening.before, close);
}

void bare_begin(struct bare *b, const struct candidate *c, size_t begin)
{
	opening_read(c->v, begin, &b->opening);
	if (b->opening.mark == '+' && prefix_before(c->v, begin, c->floor)) /* of a diff */
		b->opening.mark = 0, b->opening.marks = 0;
	b->extent.at = b->inner = 0;
	b->one_line = b->guessed = b->swallowed = false;
	b->line_count = 1;
}

/* Where the link ends.  False: nothing of it is left. */
static bool find_end(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	const struct schemepart *part = &b->part;
	struct extent *x = &b->extent;
	ending_begin(c, x, b->opening.begin, part->rest);
	x->escaped = part->escaped;
	x->source = !b->swallowed;
	x->closer |= part->escaped && b->opening.before == '/' ? '/' : b->opening.closer;
	b->quoted = false;
	b->lines[0] = (struct span){b->opening.begin, part->rest};
	b->line_count = 1;
	if (part->rest - x->begin > x->max) {
		rules_exceed(c->rules, LIMIT_URL, x->begin);
		return false;
	}
	extent_count(x, v, part->host, part->rest);
	join_run_lines(c, b);
	if (b->line_count > 1)
		join_check_authority(c, b);
	else if (part->torn)
		x->end = x->at = part->rest;
	if (!part->ends && extent_is_open(x)) {
		extent_end_at_opener(x, v, &c->link->reach);
		if (x->at_opener && x->end == x->at && v->p[x->end - 1] == '$')
			bare_cut(v, b, x->end - 1); /* `$(uname -s)` */
	}
	if (x->end <= b->solid)
		return false;
	const bool closed = close_emphasis(c, b);
	if (x->end == part->rest && v->p[x->end - 1] == '.')
		x->end--; /* the full stop of the root domain, with nothing after it */
	return closed && x->end > b->solid && ending_settle(v, b);
}

size_t bare_trim(const struct candidate *c, struct bare *b, size_t length)
{
	link_trim(c->link, c->v, length);
	const size_t end = link_last_span(c->link)->to;
	b->line_count = count_lines(b, end);
	return end;
}

void bare_limit(const struct candidate *c, struct bare *b)
{
	struct urlsift_link *link = c->link;
	struct extent *x = &b->extent;
	while (link->length > c->rules->max_url) { /* bytes of windows-1252 grow; an escape that is cut, too */
		bare_cut(c->v, b, bare_trim(c, b, c->rules->max_url));
		bare_assemble_again(c, b);
		x->truncated = true;
		link->flags &= ~bits_if(!(link->flags & URLSIFT_JOINED), URLSIFT_JOIN_IS_DECLARED | URLSIFT_JOIN_IS_GUESSED);
	}
	if (x->truncated) {
		link->flags |= URLSIFT_TRUNCATED;
		rules_exceed(c->rules, LIMIT_URL, x->begin);
	}
}

bool bare_read(const struct candidate *c, struct bare *b)
{
	struct urlsift_link *link = c->link;
	link_clear(link);
	if (!find_end(c, b))
		return false;
	const size_t at = b->extent.at, host = b->part.authority ? b->part.host : b->part.hier ? b->solid : at;
	if (host < at && !(url_class[c->v->p[at - 1]] & URL_OPEN) && candidate_is_cut(c, host, at))
		return false;
	bare_assemble(c, b);
	link->flags |= bits_if(link->flags & URLSIFT_JOINED, URLSIFT_JOIN_IS_DECLARED);
	const bool quoted = b->line_count == 1 && opening_is_quote(b->opening.before) && is_quoted(c->v, b);
	if (link->failed)
		return false;
	link->convention = quoted ? URLSIFT_CONV_QUOTED : URLSIFT_CONV_BARE;
	bare_limit(c, b);
	return b->extent.end > b->solid;
}

/* B10: a scheme that is never linked takes what follows up to the end by B3, and makes no link. */
static bool swallow(struct candidate *c, size_t begin, size_t i)
{
	struct extent rest;
	extent_init(&rest, i, i, URL_MAX);
	rest.swallow = true;
	extent_run(&rest, c->v);
	c->end = rest.at;
	c->from = begin;
	c->swallowed = true;
	return true;
}

/* B2, B10 again, for the whole text: `cid:a@` is not a link. */
static bool is_whole(const struct candidate *c, const struct bare *b, const struct scheme *row, bool delimited)
{
	const struct urlsift_link *l = c->link;
	size_t begin = b->opening.begin, part = b->solid - begin;
	const struct view text = view_of(c->v, l->text, l->length);
	if (b->part.hier && !b->part.authority && !c->rules->cut_hosts) {
		/* B2: a defanged full stop in the host of an unknown scheme: `hxxp://a[.]example` */
		const size_t end = byte_span(text.p, part, text.end, BYTE_BUT(BYTE_DELIMITER));
		for (size_t i = part; i < end; i++)
			if (host_is_cut(&text, i, i))
				return false;
	}
	if (!row)
		return b->opening.before != '$' && schemepart_unknown(l->text, l->length, byte_index(l->text, 0, part, ':'));
	if (b->part.hier || row->forbidden)
		return true;
	if (b->part.domain && b->part.domain <= b->extent.end && b->line_count == 1 && l->text == c->v->p + begin)
		return true; /* as it was checked */
	struct schemepart s = {.rest = part};
	return schemepart_whole(&text, row, delimited, &s);
}

/* B2, B10: whether the scheme of n bytes, one whose hosts are not known, makes no link whatever follows its authority:
 * decided without reading that, which the next such scheme would do again.  False where it is not known.  A bracket of
 * the authority that would end the link (B5) is part of what is judged: `db://host(:port/name of it)`. */
static bool is_noise(const struct candidate *c, struct bare *b, const struct scheme *row, size_t n)
{
	bool more;
	const struct view v = view_peek(c->v, &more);
	struct extent *x = &b->extent;
	if (!row && schemepart_torn(v.p + b->opening.begin, n))
		return true;
	ending_begin(c, x, b->opening.begin, b->part.rest);
	x->escaped = b->part.escaped;
	x->closer |= b->opening.closer;
	x->authority = true;
	extent_run(x, &v);
	const uint8_t next = view_byte(&v, x->at);
	if (more || x->truncated || !(ends_authority(next) || (x->escaped && next == '\\')))
		return false;
	x->end = x->at;
	x->unescape = x->first_escape;
	b->lines[0] = (struct span){x->begin, x->end};
	b->quoted = false;
	link_clear(c->link);
	bare_assemble(c, b);
	return !c->link->failed && !is_whole(c, b, row, false);
}

/* B1, B10: whether the scheme may follow what others may not: `ATTENDEE:mailto:`, `tohttp://`. */
static bool follows_word(const struct candidate *c, const struct scheme_name *name, size_t slashes)
{
	size_t i = name->begin, prior;
	uint32_t before = view_before(c->v, i, &prior);
	if (!name->row)
		return false;
	if (slashes)
		return before != '_' && opening_is_word(before) && !strncmp(name->row->name, "https", strlen(name->row->name));
	if (before != ':' || name->row->forbidden)
		return false;
	const uint8_t last = byte_before(c->v->p, i - 1);
	return is_alnum(last) || BYTE_IN(last, "-\"");
}

/* J2: a scheme and its slashes end the line, and the host begins the next one. */
static bool read_cut_host(struct candidate *c, struct bare *b, size_t colon)
{
	struct urlsift_link *link = c->link;
	struct span scheme = {b->opening.begin, b->solid};
	if (c->rules->join < URLSIFT_JOIN_SURE)
		return false;
	extent_init(&b->extent, scheme.from, scheme.to, c->rules->max_url);
	extent_before(&b->extent, b->opening.before);
	b->part = (struct schemepart){.authority = true, .hier = true, .host = scheme.to, .rest = scheme.to};
	b->lines[0] = scheme;
	b->line_count = 1;
	b->quoted = false;
	link_clear(link);
	link->convention = URLSIFT_CONV_BARE;
	join_guess(c, b);
	link_set_scheme(link, (const char *)c->v->p + scheme.from, colon - scheme.from);
	return link->flags & URLSIFT_JOINED;
}

/* Sets what bare_read left open of the link, whose colon is known, and joins what guesses add. */
static bool complete(struct candidate *c, const struct bare *b, size_t colon)
{
	size_t begin = b->opening.begin;
	c->end = b->extent.end;
	link_set_scheme(c->link, (const char *)c->v->p + begin, colon - begin);
	if (opening_has_prefix(c->v, begin))
		c->link->convention = URLSIFT_CONV_PREFIX;
	join_guess(c, b);
	return true;
}

bool bare_link_free(struct candidate *c, size_t colon)
{
	const uint8_t *p = c->v->p;
	size_t begin = byte_span_back(p, 0, colon, BYTE_ALPHA);
	if (byte_before(p, begin) == '<' && wrapper_angle(c, begin))
		return true;
	if (extent_scheme_at(c->v, colon + 3))
		return false;
	struct bare b; /* bare_read sets the rest */
	b.opening = (struct opening){.begin = begin, .before = byte_before(p, begin)};
	b.part = (struct schemepart){.authority = true, .hier = true, .host = colon + 3, .rest = c->path, .plain = c->path};
	b.solid = colon + 3;
	b.inner = c->path ? c->inner : 0;
	b.one_line = b.guessed = b.swallowed = false;
	if (!c->path && !authority_read(c->v, b.solid, &b.opening, &b.part))
		return read_cut_host(c, &b, colon);
	return bare_read(c, &b) && complete(c, &b, colon);
}

bool bare_link(struct candidate *c, const struct scheme_name *name, size_t colon, size_t slashes)
{
	struct bare b;
	const struct opening *o = &b.opening;
	const struct scheme *row = name->row;
	bool forbidden = row && row->forbidden;
	if (row && extent_scheme_at(c->v, colon + 1 + slashes) /* seldom */
	    && ((slashes && row->slashes) || text_is_among(row->name, strlen(row->name), "view-source blob feed")))
		return false; /* B10: the link is what follows the scheme: `view-source:http://h/`, `http://http://h/` */
	bare_begin(&b, c, name->begin);
	bool allowed = follows_word(c, name, slashes) || opening_allows(c->v, c->floor, &b.opening, slashes > 0);
	if (!allowed || (o->must_close && o->begin < c->unclosed))
		return false;
	b.part.rest = colon + 1;
	const bool checked = schemepart_check(c->v, row, opening_is_quote(o->before), o, &b.part);
	b.solid = colon + 1 + slashes;
	const bool marked = c->v->p[colon - 1] == '\\'; /* B7 */
	colon -= marked;
	if (!checked && b.part.authority && !o->must_close && !marked && read_cut_host(c, &b, colon))
		return true;
	if (checked && b.part.hier && !b.part.authority && is_noise(c, &b, row, colon - name->begin))
		return false;
	/* where such a link ends is not asked, which may be far; nor is it read beyond an escape, where that ends */
	b.swallowed = forbidden && !opening_is_quote(o->before);
	if (b.swallowed && !o->must_close)
		return swallow(c, name->begin, b.solid - slashes);
	b.part.escaped &= !b.swallowed;
	const bool read = checked && bare_read(c, &b);
	if (!read && o->must_close) {
		c->still_open = b.extent.at;
		return false;
	}
	bool delimited = read && c->link->convention == URLSIFT_CONV_QUOTED;
	if (forbidden && !delimited)
		return swallow(c, name->begin, b.solid - slashes);
	if (!read)
		return false;
	if (!is_whole(c, &b, row, delimited)) {
		if (!(c->link->flags & URLSIFT_JOIN_IS_DECLARED))
			return false;
		b.one_line = true; /* the first line may be a link */
		if (!bare_read(c, &b) || !is_whole(c, &b, row, false))
			return false;
	}
	link_judge_scheme(c->link, row);
	return complete(c, &b, colon);
}
