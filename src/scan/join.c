#include "candidate.h"

#include "guess.h"
#include "line.h"
#include "simd/runs.h"
#include "text/match.h"

#include <string.h>

enum { FOLDED_LEAST = 60 }; /* columns */

/* The backslash, or TeX's `%`, at link.to ends the line: the next one, at `line`, must have the prefix of the link's
 * line (Q2); it may be indented after `%`, and after a long line (RFC 8792) or a link that begins its comment, but for
 * an option of a command.  *next: where the link continues. */
static bool after_backslash(const struct candidate *c, struct span link, size_t line, size_t *next)
{
	size_t content, begin = link.from;
	const struct view *v = c->v;
	struct line_prefix f;
	candidate_prefix(c, begin, &f);
	if (!prefix_match(v, line, &f, next, &content))
		return false;
	if (content >= v->end)
		return true;
	bool blank = *next != line && content == *next + 1; /* which belongs to a mark */
	const uint8_t mark = v->p[link.to];
	/* in a comment an option has one letter or a second hyphen */
	if (blank || mark == '%'
	    || (mark == '\\' && ((f.comment && f.end == begin) || line_columns(v, link.to) + 1 >= FOLDED_LEAST)
	        && (v->p[content] != '-'
	            || (f.comment && is_alpha(view_read(v, content + 1)) && is_alpha(view_read(v, content + 2))))))
		*next = content;
	return true;
}

/* A soft line break of format=flowed: the next line, at `line`, must be in the link's paragraph.  *next: after its
 * quote marks and the space-stuffing. */
static bool after_blank(const struct view *v, size_t begin, size_t line, size_t *next)
{
	size_t start;
	if (!line_start(v, begin, &start))
		return false;
	const size_t depth = line_depth(v, start, begin - start);
	if (line_depth(v, line, depth + 1) != depth)
		return false;
	*next = line + depth;
	*next += view_byte(v, *next) == ' ';
	return !line_is_separator(v, *next);
}

/* A ruler or the border of a box begins at i. */
static bool is_ruler(const struct view *v, size_t i)
{
	static const char rulers[] = "---|===|___|[*][*][*]|~~~|[+][+][+]|###|[.][.][.]|:::|[+][-=]";
	const uint8_t *p = v->p + i;
	struct extent x;
	if (is_alnum(*p))
		return false;
	extent_init(&x, i, i, LINE_LOOK);
	x.swallow = true;
	extent_run(&x, v);
	const size_t n = x.at - i;
	return p[0] == '|' || match_bytes(p, n, rulers) || byte_span(p, 0, n, BYTE_BUT(BYTE_ALNUM | BYTE_HIGH)) == n;
}

/* Whether the link, whose line ends at `at`, is the target of a name of reStructuredText, which continues on lines with
 * more indentation: `.. _name: http://h/`. */
static bool is_target(const struct candidate *c, size_t begin, size_t at, struct line_prefix *f)
{
	if (!is_line_end(view_byte(c->v, at)) || !text_ends(c->v->p, begin, ": "))
		return false;
	candidate_prefix(c, begin, f);
	return view_word(c->v, f->end, ".. _", 4);
}

/* The line after that of such a target must be one word. */
static bool after_target(const struct view *v, size_t begin, size_t line, const struct line_prefix *f, size_t *next)
{
	size_t start, marks, end;
	if (!prefix_match(v, line, f, &marks, next) || !line_start(v, begin, &start) || *next - line <= f->end - start
	    || !line_find_end(v, *next, LINE_LOOK, &end))
		return false;
	end = byte_span_back(v->p, *next, end, BYTE_BLANK);
	return end > *next && byte_span(v->p, *next, end, BYTE_BUT(BYTE_BLANK)) == end;
}

/* Whether the line break at `at` joins; *next: where the link continues. */
static bool declared_break(const struct candidate *c, size_t begin, size_t at, size_t *next)
{
	const struct view *v = c->v;
	bool folded = v->p[at] == '\\', wrapped = is_line_end(v->p[at]);
	size_t width, end = wrapped ? at : at + 1;
	line_end(v, end, &width);
	size_t line = end + width;
	*next = line + 1;
	struct line_prefix f;
	bool joins = is_target(c, begin, at, &f) ? after_target(v, begin, line, &f, next)
	             : wrapped || (v->p[at] == ' ' ? after_blank(v, begin, line, next)
	                                           : after_backslash(c, (struct span){begin, at}, line, next));
	if (!joins && v->p[at] == '=') {
		*next = line; /* the encoder broke the line after it was quoted */
		joins = true;
	}
	if (!joins || !view_has(v, *next, 1) || ((folded || wrapped) && is_ruler(v, *next)))
		return false;
	if (folded) { /* a record (J2), or prose, does not go on */
		const uint8_t *p = v->p + *next;
		const size_t n = line_find_end(v, *next, LINE_LOOK, &end) ? end - *next : LINE_LOOK;
		if (guess_begins_record(p, n, BYTE_IN(v->p[at - 1], "?&;")) || guess_begins_prose(p, n))
			return false;
	}
	return !extent_scheme_at(v, *next);
}

/* Reads the extent again, to `stop` at most. */
static void run_again(struct extent *x, const struct extent *before, const struct view *v, size_t stop)
{
	const struct view line = view_until(v, stop);
	*x = *before;
	extent_run(x, &line);
}

/* J1: the first escape of quoted-printable in [i, stop) whose character ends a link, or `stop`. */
static size_t quoted_end(const struct view *v, size_t i, size_t stop)
{
	uint8_t utf8[4];
	for (size_t n; (i = run_until(v->p, i, stop, '=')) < stop; i += n + !n)
		if (!link_read_quoted(v->p + i, stop - i, utf8, &n) && n)
			return i;
	return stop;
}

/* Whether the byte before i, the end of a line, is a comment of TeX: a `%` in the braces of \url or \href. */
static bool is_comment(const struct view *v, size_t begin, size_t i)
{
	return v->p[i - 1] == '%' && v->p[i - 2] != '\\'
	       && (text_ends(v->p, begin, "\\url{") || text_ends(v->p, begin, "\\href{"));
}

/* Reads the extent of one line, unless it is known.  Neither the `=` of a soft line break, which makes b->quoted true,
 * nor the `%` of a comment is part of it.  Returns whether it ends at a break that may join. */
static bool run_line(const struct candidate *c, struct bare *b, const struct extent *known, bool joins)
{
	const struct view *v = c->v;
	struct extent *x = &b->extent;
	const struct extent before = *x;
	if (known) {
		*x = *known;
	} else {
		extent_skip(x, v, b->inner);
		extent_run(x, v);
	}
	if (!joins)
		return false;
	const size_t at = x->at;
	const bool whole = !x->truncated && at > before.at && is_line_end(view_byte(v, at));
	const bool equals = whole && v->p[at - 1] == '=' && line_soft_break(v, at - 1);
	const bool mark = equals || (whole && is_comment(v, x->begin, at));
	struct line_prefix f;
	const bool soft = mark || (!x->truncated && (line_soft_break(v, at) || is_target(c, x->begin, at, &f)));
	b->quoted |= equals;
	if (mark)
		run_again(x, &before, v, at - 1);
	const size_t stop = b->quoted ? quoted_end(v, before.at, x->at) : x->at;
	if (stop == x->at)
		return soft;
	run_again(x, &before, v, stop);
	return false;
}

void join_run_lines(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	struct extent *x = &b->extent;
	struct span *lines = b->lines;
	bool joins = !b->one_line && c->rules->join != URLSIFT_JOIN_NEVER && !b->part.escaped && !b->opening.must_close;
	if (b->part.ends) {
		/* J1: a comment of TeX may be after the host, and after a full stop that is its own if it goes on */
		const size_t k = b->part.rest + (view_read(v, b->part.rest) == '.');
		if (!joins || view_read(v, k) != '%' || !is_line_end(view_read(v, k + 1)) || !is_comment(v, x->begin, k + 1))
			return;
		b->part.ends = false;
		b->part.torn = k > b->part.rest;
	}
	const struct extent *known = c->measured && c->extent.rest == x->rest ? &c->extent : NULL;
	size_t n = 0, next = 0, host = b->part.alone ? b->part.rest : SIZE_MAX; /* where a line of the host begins */
	for (;; known = NULL) {
		const bool soft = run_line(c, b, known, joins);
		if (x->at == lines[n].from) {
			x->at = lines[--n].to; /* that line has nothing of the link */
			break;
		}
		lines[n].to = x->at;
		host = byte_span(v->p, host, x->at, BYTE_HOST | BYTE_UNDERSCORE | BYTE_HIGH);
		if (host < x->at && !BYTE_IN(v->p[host], "/?#:"))
			break; /* no host (S1): the first line may be a link */
		if (!soft || x->end <= b->solid || !declared_break(c, x->begin, x->at, &next))
			break;
		if (n == c->rules->max_breaks || next - x->begin > URL_MAX) {
			rules_exceed(c->rules, LIMIT_BREAKS, x->begin);
			break;
		}
		host = host == x->at ? next : SIZE_MAX;
		lines[++n].from = x->at = next;
	}
	b->line_count = n + 1;
}

/* Reads the authority in the text of the lines; false if it is none, or without memory. */
static bool read_joined(const struct candidate *c, const struct bare *b, struct schemepart *whole)
{
	const struct opening *o = &b->opening;
	struct urlsift_link *l = c->link;
	l->spans.length = l->copy.length = 0;
	for (size_t i = 0; i < b->line_count; i++)
		link_add(l, c->v, b->lines[i].from, b->lines[i].to);
	if (l->failed)
		return false;
	const struct view text = view_of(c->v, l->text, l->length);
	*whole = b->part;
	struct host h = {.last_alpha = true};
	return (whole->alone ? authority_host(&text, 0, o, &h, whole)
	                     : authority_read(&text, whole->host - o->begin, o, whole)) && h.last_alpha;
}

void join_check_authority(const struct candidate *c, struct bare *b)
{
	const struct view *v = c->v;
	const size_t first = b->lines[0].to;
	struct schemepart whole;
	if (!b->part.authority || byte_span(v->p, b->part.rest, first, BYTE_BUT(BYTE_DELIMITER)) < first)
		return;
	bool is_host = read_joined(c, b, &whole);
	if (!is_host) { /* the first line alone may be a link */
		b->line_count = 1;
		bare_cut(v, b, first);
		b->extent.at = first;
		is_host = read_joined(c, b, &whole);
	}
	if (is_host && whole.ends)
		b->extent.end = b->extent.at = bare_trim(c, b, whole.rest);
	c->link->spans.length = c->link->copy.length = 0;
	c->link->converted = false;
}

/* ---- J2: guessed breaks ---- */

/* Reads the link over the guessed break that guess_next found and over those that follow: while each is at least
 * likely, or over one that is less.  False: over none.  *confidence: of the first. */
static bool run_guesses(const struct candidate *c, struct guess *g, struct bare *b, double *confidence)
{
	size_t n = 0;
	*confidence = g->confidence;
	do {
		if (n == c->rules->max_breaks || g->word.at - g->begin > URL_MAX) {
			if (g->confidence >= GUESS_LIKELY)
				rules_exceed(c->rules, LIMIT_BREAKS, g->begin);
			break;
		}
		b->lines[n++].to = g->kept;
		b->lines[n] = (struct span){g->content, g->word.at};
		b->extent = g->word;
	} while (g->confidence >= GUESS_LIKELY && guess_take(g, c->v) && guess_next(g, c->v)
	         && g->confidence >= GUESS_LIKELY);
	b->line_count = n + 1;
	return n;
}

/* Keeps the text of the reading `other` as an alternate of the link, which is read as `own`: unless it is the link's,
 * which may have been cut at the limit. */
static void keep_other(const struct candidate *c, const struct bare *other, const struct bare *own, double confidence)
{
	bare_assemble_again(c, other);
	link_keep_text(c->link, c->rules->max_alternates, confidence);
	bare_assemble_again(c, own);
	link_drop_kept(c->link);
}

void join_guess_near(struct candidate *c, const struct bare *b)
{
	const struct rules *rules = c->rules;
	struct urlsift_link *l = c->link;
	struct bare whole;
	struct guess *g = &c->guess;
	double confidence;
	/* the least confidence of a guess that joins; more than 1 for none */
	static const double least[] = {2, 2, [URLSIFT_JOIN_SURE] = GUESS_SURE, [URLSIFT_JOIN_LIKELY] = GUESS_LIKELY};
	const bool leader = text_ends(c->v->p, b->opening.begin, "//"); /* of a comment, perhaps */
	if (l->flags & URLSIFT_JOINED || (b->opening.marks && !leader) || b->part.escaped)
		return;
	size_t at = b->extent.at;
	/* perhaps the mark belongs to the host */
	const uint8_t mark = view_byte(c->v, at);
	bool host = BYTE_IN(mark, "-.") || mark >= 0x80;
	bool scheme = b->extent.end <= b->solid; /* it is no link alone */
	if (!host && !scheme && !c->cut && !guess_may_follow(c->v, at))
		return;
	bool guessed = c->guessed; /* of this link */
	if (!guessed) {
		if (!guess_init(g, c->v, &b->opening, &b->extent))
			return;
		guessed = guess_next(g, c->v);
	}
	if (guessed) {
		whole = *b; /* seldom: it is long */
		guessed = run_guesses(c, g, &whole, &confidence);
	}
	link_look(l, g->next_end);
	if (!guessed)
		return;
	bool joins = confidence >= least[rules->join], both = rules->guess && !scheme; /* readings are wanted */
	if (!joins && !both)
		return;
	join_check_authority(c, &whole);
	whole.guessed = whole.line_count > 1;
	if (!whole.guessed) {
		bare_assemble_again(c, b);
		return;
	}
	l->flags |= URLSIFT_JOIN_IS_GUESSED;
	if (!joins) {
		keep_other(c, &whole, b, confidence);
		return;
	}
	bare_assemble_again(c, &whole);
	bare_limit(c, &whole);
	c->end = whole.extent.end;
	if (!(l->flags & URLSIFT_JOINED)) /* the limit is before the break */
		return;
	link_alternates(l, rules->max_alternates, rules->hyphen == URLSIFT_HYPHEN_KEEP);
	if (both)
		keep_other(c, b, &whole, 1 - confidence);
}
