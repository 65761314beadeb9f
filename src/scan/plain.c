#include "plain.h"

#include "guess.h"

#include <string.h>

/* The length of the scheme whose colon is at i; 0 for any other.  Without a branch
 * between http and https, which nobody could foretell. */
static size_t scheme_before(const struct view *v, size_t i)
{
	const uint8_t *p = v->p + i;
	if (i < v->low + 5)
		return i >= v->low + 4 && !memcmp(p - 4, "http", 4) ? 4 : 0;
	size_t n = 4u * !memcmp(p - 4, "http", 4) + 5u * !memcmp(p - 5, "https", 5);
	return n ? n : 3u * !memcmp(p - 3, "ftp", 3);
}

enum { LINES_LOOK = 64 };

/* A1b: whether c, of the line or word before a link, may end the first piece of its scheme: git+https, sftp. */
static bool may_be_scheme(uint8_t c, uint8_t scheme)
{
	return c == '+' || (scheme == 'f' && to_lower(c) == 's');
}

/* Whether no `<` stands before it, but for blanks, nor before its line, where what its line begins with
 * may be furniture (W1, Q1). */
static bool is_apart(const struct view *v, size_t begin)
{
	const uint8_t *p = v->p;
	size_t k = begin, low = begin - v->low > LINES_LOOK ? begin - LINES_LOOK : v->low;
	while (k > low && is_space(p[k - 1]) && !is_line_end(p[k - 1]))
		k--;
	if (k > low && (p[k - 1] == '<' || p[k - 1] >= 0x80)) /* that may be white space as well */
		return false;
	while (k > low && !is_line_end(p[k - 1]))
		k--;
	if (k == low)
		return false;
	while (k > low && is_space(p[k - 1]))
		k--;
	return k > low && p[k - 1] > ' ' && p[k - 1] < 0x7f && p[k - 1] != '<' && !may_be_scheme(p[k - 1], p[begin]);
}

enum { TAG_LOOK = 32 };

/* Whether the `>` before `begin` ends a tag. */
static bool is_behind_tag(const struct view *v, size_t begin)
{
	const uint8_t *p = v->p;
	size_t k = begin - 1, low = begin - v->low > TAG_LOOK ? begin - TAG_LOOK : v->low;
	while (k > low && p[k - 1] != '<' && p[k - 1] != '>' && !is_line_end(p[k - 1]))
		k--;
	return k > low && p[k - 1] == '<' && (is_alpha(p[k]) || p[k] == '/');
}

/* Whether nothing before the link at `begin` has a say in it: no bracket, mark or
 * prefix could stand there (A, B1, B6, P1). */
static bool is_free(const struct view *v, size_t begin)
{
	if (begin < v->low + 4)
		return begin == v->low && v->first;
	const uint8_t *p = v->p + begin;
	uint8_t last = p[-2] == '\r' ? p[-3] : p[-2];
	switch (p[-1]) {
	case '"': case '(': case '[': case '{': case '=': case ',': case '\'':
		return true;
	case '\n':
		if (may_be_scheme(last, p[0]))
			return false;
		return (last > ' ' && last < 0x7f && last != '<') || is_apart(v, begin);
	case '>':
		return last == '"' || last == '\'' || is_behind_tag(v, begin);
	case ' ': case '\t':
		if (may_be_scheme(last, p[0]))
			return false;
		break;
	default:
		return false;
	}
	/* behind prose, not furniture: a number, a mark at the line start, `Name>`, dnl */
	if (is_alnum(last) ? last != 'l' || p[-3] != 'n' : last == ',' || last == '=' || last == '"')
		return true;
	if (last == ':' && to_lower(p[-3]) == 'l')
		return false;
	return (last > ' ' && last < 0x7f && last != '<' && last != '>' && is_alpha(p[-3])) || is_apart(v, begin);
}

/* ---- where it ends ---- */

/* Whether the name of a scheme stands at i, as behind the comma between two links (B8). */
static bool names_scheme(const struct view *v, size_t i, size_t stop)
{
	while (i < stop && is_scheme_byte(v->p[i]))
		i++;
	return i >= stop || v->p[i] == ':';
}

/* Goes on from a comma, a semicolon or a parenthesis at i inside a link that began at `begin`; 0 where more than
 * that has to be looked at. */
static size_t end_behind(const struct view *v, size_t begin, size_t i, size_t stop)
{
	const uint8_t *p = v->p;
	size_t from = i;
	bool open = false, entity = memchr(p + begin, '&', i - begin); /* a semicolon may end one */
	for (; i + 1 < stop; i++) {
		entity = entity || p[i] == '&';
		if (plain_kinds[p[i]] & PLAIN_INNER)
			continue;
		if (p[i] == (open ? ')' : '('))
			open = !open;
		else if (p[i] != ',' && (p[i] != ';' || entity))
			break;
		else if (!(plain_kinds[p[i + 1]] & PLAIN_OWN) || names_scheme(v, i + 1, stop))
			break;
	}
	view_work(v, i - from);
	return open ? 0 : i;
}

/* Whether the link can end before index i, where what stands at i ends every link. */
static bool may_end(const uint8_t *p, size_t i)
{
	return plain_kinds[p[i - 1]] & PLAIN_OWN || p[i - 1] == ')';
}

/* The mark of punctuation at the end of a link, or right behind it, is none of its own (B4). */
static size_t without_mark(const uint8_t *p, size_t begin, size_t *at)
{
	size_t end = *at;
	bool ends = plain_kinds[p[end]] & PLAIN_END;
	if (ends && (p[end - 1] == '.' || p[end - 1] == '?' || p[end - 1] == '!' || p[end - 1] == ':'))
		return end - 1;
	if (!ends && plain_kinds[p[end + 1]] & PLAIN_END && (p[end] == ',' || (p[end] == ';' && !memchr(p + begin, '&', end - begin))))
		++*at;
	return end;
}

/* What most links do. */
static inline bool ends_plainly(const uint8_t *p, size_t end, size_t stop, uint8_t before)
{
	return end + 2 < stop && plain_kinds[p[end]] & PLAIN_END && plain_kinds[p[end - 1]] & PLAIN_OWN && before != '<' && before != '\'';
}

/* Sets *at, behind the host or farther, to where plain bytes end and returns where the link does, `>` not included; 0 for
 * one that is not plain. */
__attribute__((noinline)) static size_t find_end(const struct view *v, size_t begin, size_t host, size_t stop, uint8_t before, size_t *at)
{
	const uint8_t *p = v->p;
	size_t end = *at;
	if (end > host && end < stop && (p[end] == '(' || p[end] == ',' || p[end] == ';'))
		end = *at = end_behind(v, begin, end, stop);
	/* a text that ends here, or a window that does, are not so plain */
	if (!end || end + 2 >= stop)
		return 0;
	if (before == '<')
		return p[end] == '>' ? end : 0;
	if (before == '\'')
		return p[end] == '\'' && may_end(p, end) ? end : 0;
	if (plain_kinds[p[end]] & PLAIN_END && may_end(p, end))
		return end;
	if (before == '"' || before == '(' || before == '[' || before == '{')
		return 0;
	end = without_mark(p, begin, at);
	return plain_kinds[p[*at]] & PLAIN_END && may_end(p, end) ? end : 0;
}

size_t plain_read(const struct rules *rules, const struct view *v, size_t i, size_t floor, struct urlsift_link *link, size_t *at)
{
	const uint8_t *p = v->p;
	size_t n = scheme_before(v, i), begin = i - n, stop = begin + rules->max_url;
	struct link_shape shape;
	if (!n || v->end - i < 5 || p[i + 1] != '/' || p[i + 2] != '/' || begin < floor)
		return 0;
	uint8_t before = begin > v->low ? p[begin - 1] : 0;
	bool angle = before == '<' && begin > floor;
	if (!angle && !is_free(v, begin))
		return 0;
	if (stop > v->end)
		stop = v->end;
	if (!rules->simd->link_shape(p + i + 3, stop - (i + 3), &shape) || shape.host > HOST_MAX)
		return 0;
	size_t host = i + 3 + shape.host, end = *at = i + 3 + shape.end;
	if (host < end && p[host] != '/' && p[host] != '?')
		return 0;
	view_work(v, end - begin);
	if (!ends_plainly(p, end, stop, before))
		end = find_end(v, begin, host, stop, before, at);
	/* of `http://h?` the host is left, for others to judge */
	if (end < host || (end == host && shape.end > shape.host) || (v->flowed == FLOWED_DELETES && view_soft_break(v, *at) != NO))
		return 0;
	if (link->spans.room < sizeof(struct span))
		return 0; /* the first link of all: who makes room can fail */
	link_clear(link);
	link->text = p + begin;
	link->length = end - begin;
	link->spans.length = sizeof(struct span);
	link->span_count = 1;
	*link_spans(link) = (struct span){begin, end};
	memcpy(link->scheme, p + begin, 8); /* with `://` and a host it is longer */
	link->scheme[n] = 0;
	link->scheme_length = n;
	link->head = host - begin;
	bool quoted = (before == '"' || before == '\'') && p[end] == before;
	link->convention = angle ? URLSIFT_CONV_ANGLE : quoted ? URLSIFT_CONV_QUOTED : URLSIFT_CONV_BARE;
	return end + angle;
}

enum verdict plain_guess(const struct rules *rules, const struct view *v, struct urlsift_link *link, size_t at, size_t *end)
{
	size_t begin = link_spans(link)->from;
	struct opening o = {.begin = begin, .before = begin > v->low ? v->p[begin - 1] : 0};
	struct extent x = {.begin = begin, .at = at, .end = *end};
	enum verdict r = guess_join(rules, v, &o, &x, link, end);
	if (link->flags & URLSIFT_JOINED)
		link->head = 0;
	return r;
}
