#include "candidate.h"

#include "terminal.h"

#include <string.h>

/* The longest known name with `//` that follows a `.` or `-` of the run, or the `+` of TeX's `\verb+http://h/+`. */
static bool known_suffix(const struct candidate *c, size_t begin, size_t colon, struct scheme_name *name)
{
	const uint8_t *p = c->v->p;
	for (size_t q = begin + 1; q < colon; q++) {
		const bool after = BYTE_IN(p[q - 1], ".-") || (p[q - 1] == '+' && opening_follows_command(c->v, q - 1));
		const struct scheme *row = after ? find_scheme(p + q, colon - q) : NULL;
		if (row && row->slashes) {
			*name = (struct scheme_name){q, name->run, row, name->overlong};
			return true;
		}
	}
	return false;
}

/* B10: `http` or `https` at the end of a word of letters, digits and full stops: `post.examplehttp://`. */
static bool web_suffix(const struct candidate *c, size_t colon, struct scheme_name *name)
{
	const uint8_t *p = c->v->p;
	size_t n = 4u + (to_lower(p[colon - 1]) == 's'), begin = colon - n;
	if (colon < c->floor + n || !view_word(c->v, begin, "https", n))
		return false;
	if (byte_span_back(p, name->begin, begin, BYTE_ALNUM | BYTE_STOP | BYTE_HYPHEN) != name->begin)
		return false;
	*name = (struct scheme_name){begin, name->run, scheme_find((const char *)p + begin, n), false};
	return true;
}

/* Reads the name of the scheme that begins with the first letter from `from` on.  False: it is no known one. */
static bool read_name(struct candidate *c, size_t from, size_t colon, struct scheme_name *name)
{
	const uint8_t *p = c->v->p;
	const size_t begin = byte_span(p, from, colon, BYTE_BUT(BYTE_ALPHA)), n = colon - begin;
	name->begin = begin;
	name->overlong = colon - from > SCHEME_NAME_MAX;
	name->row = NULL;
	if (name->overlong || ascii_is(p + begin, n, "url")) /* P1: no scheme */
		return false;
	/* looked up only where it differs from the last one that has its place */
	struct known_scheme *const known = &c->known[(p[begin + 1] + 2 * n) % (sizeof c->known / sizeof *c->known)];
	if (!bytes_are(p + begin, n, known->name, known->n))
		*known = (struct known_scheme){p + begin, n, find_scheme(p + begin, n)};
	name->row = known->row;
	return name->row;
}

bool candidate_scheme(struct candidate *c, size_t i, bool hier, struct scheme_name *name)
{
	const uint8_t *p = c->v->p;
	const size_t run = byte_span_back(p, larger(c->floor, excess(i, SCHEME_NAME_MAX + 1)), i, BYTE_SCHEME);
	size_t from = run;
	name->run = run;
	if (!read_name(c, run, i, name)) { /* B1: it may begin after the letters of an escape */
		const size_t stop = smaller(i, run + 3);
		for (size_t q = run + 1; q < stop && from == run; q++)
			from = opening_is_escaped(c->v, q) ? q : run;
		if (from > run)
			read_name(c, from, i, name);
	}
	const size_t begin = name->begin;
	if (name->row)
		return begin == from || !is_digit(p[begin - 1]) || (hier && web_suffix(c, i, name));
	if (!hier || begin == i)
		return false;
	if (known_suffix(c, begin, i, name) || web_suffix(c, i, name))
		return true;
	return !name->overlong && !find_glued(p + begin, i - begin);
}

void candidate_prefix(const struct candidate *c, size_t i, struct line_prefix *prefix)
{
	size_t start, stop = i;
	*prefix = (struct line_prefix){.end = i};
	if (!line_start(c->v, i, &start))
		return;
	if (start < c->floor) /* or before the `>` that closed it */
		stop = c->last_part >= start ? c->last_part : c->floor - 1;
	prefix_read(c->v, start, stop, prefix);
}

/* A colon: brackets (W, A), the prefix (P), links with a scheme (B). */
static bool colon_read(struct candidate *c, size_t i)
{
	if (c->free)
		return bare_link_free(c, i);
	bool prefix = i >= c->floor + 3 && view_word(c->v, i - 3, "url", 3);
	if (prefix && wrapper_read(c, i))
		return true;
	if (!view_has(c->v, i + 1, 1))
		return false;
	if (BYTE_IN(c->v->p[i + 1], " \t\v\f")) {
		struct scheme_name word; /* A2: `<mailto: ...>` */
		bool named = candidate_scheme(c, i, false, &word);
		size_t k = byte_span_back(c->v->p, c->reach, word.begin, BYTE_BLANK);
		return named && byte_before(c->v->p + c->reach, k - c->reach) == '<' && wrapper_angle(c, word.begin);
	}
	const uint8_t next = view_read(c->v, i + 1 + (c->v->p[i + 1] == '/')); /* where the `//` may be broken */
	if ((is_space(next) || next >= 0x80) && wrapper_broken_colon(c, i))
		return true;
	if (is_line_end(c->v->p[i + 1]))
		return false;
	const size_t slashes = schemepart_slashes(c->v, i + 1);
	struct scheme_name name;
	if (slashes == 2 && byte_before(c->v->p, i) == '\\') /* B7: `http\://` */
		return i > c->floor && candidate_scheme(c, i - 1, true, &name) && name.row && bare_link(c, &name, i, slashes);
	if (!candidate_scheme(c, i, slashes > 0, &name)) /* A1 accepts any scheme with `//` */
		return !name.row && ((slashes && wrapper_angle(c, name.begin))
		                       || wrapper_broken_scheme(c, i, &name, slashes > 0));
	if (prefix && i - name.begin == 3)
		return false; /* P1: no scheme */
	return wrapper_around(c, i, &name, slashes > 0) || wrapper_org(c, name.begin) || bare_link(c, &name, i, slashes);
}

bool candidate_has_form(const struct candidate *c, size_t i, size_t begin, size_t end)
{
	const uint64_t at = c->v->at;
	return terminal_has_form(c->terminal, at + smaller(begin, excess(i, LAG)), at + begin, at + end);
}

bool candidate_read(struct candidate *c, size_t i)
{
	c->reach = larger(excess(i, BRACKET_LOOK), c->floor);
	c->end = c->from = c->still_open = c->link->reach = 0;
	c->swallowed = false;
	switch (to_lower(c->v->p[i])) {
	case ':': return colon_read(c, i);
	case 'l': case 'o': return colon_read(c, i + 1);
	case ' ': return i > c->floor && colon_read(c, i - 1);
	case 'w': return schemeless_host(c, i - 2, false);
	case 'p': return schemeless_host(c, i - 2, true);
	case '@': return email_read(c, i);
	case '.': return schemeless_domain(c, i);
	default: return false;
	}
}
