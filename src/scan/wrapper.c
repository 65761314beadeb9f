#include "bracket.h"

#include "simd/bytes16.h"
#include "simd/runs.h"
#include <string.h>

/* ---- what precedes ---- */

/* Skips white space before i, characters without width included. */
static size_t back_over_white(const struct view *v, size_t i, size_t floor)
{
	for (size_t prior; opening_is_space(view_before(v, i, &prior)) && prior >= floor; i = prior)
		;
	return i;
}

/* Q1: `<` and a blank at the line start, or after quote marks. */
static bool is_diff_mark(const struct view *v, size_t open)
{
	struct line_prefix f;
	size_t start;
	if (!is_blank(v->p[open + 1]) || !line_start(v, open, &start))
		return false;
	prefix_read(v, start, open + 2, &f);
	return f.end > open;
}

/* The end of the text before i on this line or, if that is a line prefix, on the line before.  `over_diff`: a `<` may
 * be a diff mark. */
static size_t back_over_break(const struct view *v, size_t i, size_t floor, bool over_diff)
{
	size_t k = back_over_white(v, i, floor), after = k + is_blank(v->p[k]);
	if (byte_span(v->p, k, i, BYTE_BUT(BYTE_LINE_END)) < i)
		return k;
	bool bracket = byte_before(v->p, k) == '<' && !(over_diff && is_diff_mark(v, k - 1));
	if (!bracket && prefix_before(v, after, floor))
		k = back_over_white(v, run_line_start(v->p, floor, k), floor);
	return k;
}

/* Whether no `<` opens before i, as usual: what is right before i is neither `<`, white space nor the end of a prefix,
 * or no `<` is between c->reach and i.  For that, each byte of a view is looked at once; when i is before c->clear_to,
 * false may be wrong. */
static bool is_alone(struct candidate *c, size_t i)
{
	const uint8_t *p = c->v->p, *found, last = byte_before(p, i);
	if (within(last, '!', 0x7F) && !line_is_mark(last))
		return true;
	if (c->clear_to < c->reach)
		c->clear_from = c->clear_to = c->reach;
	for (; c->clear_to < i; c->clear_to = c->clear_from) {
		found = memchr(p + c->clear_to, '<', i - c->clear_to);
		if (!found)
			break;
		c->clear_from = (size_t)(found + 1 - p);
	}
	c->clear_to = larger(c->clear_to, i);
	return c->reach >= c->clear_from;
}

/* The opening bracket before i, white space between them allowed (W1); false for none.  `is_angle`: only `<`, unless it
 * is a diff mark. */
static bool opening_bracket(struct candidate *c, size_t i, bool is_angle, size_t *open)
{
	const uint8_t *p = c->v->p;
	if (is_angle && is_alone(c, i))
		return false;
	size_t k = back_over_break(c->v, i, c->reach, is_angle);
	*open = k - 1;
	return byte_before(p + c->reach, k - c->reach) == '<';
}

bool wrapper_read(struct candidate *c, size_t i)
{
	size_t open;
	return opening_bracket(c, i - 3, false, &open) && bracket_read(c, open, i + 1, false);
}

/* A scheme whose last piece is [begin, i), joined with the piece before it (A1b).  `known`: the last piece is a scheme
 * itself, and is read alone unless the whole is one that requires `//`, such as svn+ssh.  `hier`: `//` follows. */
static bool join_scheme(struct candidate *c, size_t i, size_t begin, bool known, bool hier)
{
	const uint8_t *p = c->v->p;
	char whole[SCHEME_NAME_MAX];
	if (byte_before(p, begin) == '<' || is_alone(c, begin))
		return false;
	size_t mark, open, k = back_over_break(c->v, begin, c->reach, true);
	const uint32_t before = view_before(c->v, k, &mark);
	if ((before == 0xAD || (before == 0x2010 && k < begin)) && mark > c->reach) /* a typesetter's hyphen (H4) */
		k = back_over_break(c->v, mark, c->reach, true);
	const size_t low = larger(c->reach, excess(k, sizeof whole));
	size_t head = byte_span(p, byte_span_back(p, low, k, BYTE_SCHEME), k, BYTE_BUT(BYTE_ALPHA));
	size_t first = k - head, last = i - begin;
	if (k == begin || head == k || first + last > sizeof whole)
		return false;
	if (!opening_bracket(c, head, true, &open) || is_diff_mark(c->v, open))
		return false;
	first -= p[k - 1] == '-' && c->rules->hyphen == URLSIFT_HYPHEN_DROP; /* H2 */
	memcpy(whole, p + head, first);
	memcpy(whole + first, p + begin, last);
	const struct scheme *row = scheme_find(whole, first + last);
	bool joined = known ? row && row->slashes == URLSIFT_SLASHES_REQUIRED : row || hier;
	return joined && bracket_read(c, open, open + 1, true);
}

/* W7 in plain brackets: in `<java` line break `script:...>` only the joined scheme is known; one with `//` may be
 * broken right before its colon.  Of the marks before the last piece none, the first, or all may be a line prefix. */
bool wrapper_broken_scheme(struct candidate *c, size_t i, const struct scheme_name *name, bool hier)
{
	return join_scheme(c, i, name->run, name->row, hier)
	       || (name->run < name->begin && (join_scheme(c, i, name->run + 1, name->row, hier)
	                                       || join_scheme(c, i, name->begin, name->row, hier)));
}

bool wrapper_angle(struct candidate *c, size_t begin)
{
	size_t open;
	return opening_bracket(c, begin, true, &open) && !is_diff_mark(c->v, open)
	       && bracket_read(c, open, open + 1, true);
}

bool wrapper_org(struct candidate *c, size_t begin)
{
	enum { MOST = LAG };
	const struct view *v = c->v;
	size_t end = begin;
	bool blank = false;
	if (begin < c->floor + 2 || !text_ends(v->p, begin, "[["))
		return false;
	while (end - begin < MOST - 2 && !bytes16_has("[]<>\"|\n\r\0[]<>\"|\n", view_read(v, end)))
		blank |= is_blank(v->p[end++]);
	bool closes = blank && view_word(v, end, "][", 2);
	for (end += 2; closes && !view_word(v, end, "]]", 2); end++) /* linear, as each link begins with `[[` */
		closes = end - begin < MOST && !is_line_end(view_read(v, end)) && !view_word(v, end, "[[", 2);
	return closes && bracket_read(c, begin - 1, begin, true);
}

/* Brackets around the name, or around the whole run of scheme characters. */
static bool read_around(struct candidate *c, const struct scheme_name *name)
{
	return wrapper_angle(c, name->begin) || wrapper_angle(c, name->run);
}

bool wrapper_around(struct candidate *c, size_t i, const struct scheme_name *name, bool hier)
{
	return wrapper_broken_scheme(c, i, name, hier) || read_around(c, name);
}

/* A scheme with a break right before or after its colon, or after the first slash: only brackets hold such a link. */
bool wrapper_broken_colon(struct candidate *c, size_t i)
{
	struct scheme_name name;
	candidate_scheme(c, i, true, &name);
	return (name.begin < i && read_around(c, &name)) || (!name.row && wrapper_broken_scheme(c, i, &name, true));
}
