#include "plain.h"

#include "guess.h"
#include "plain_shape.h"

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

/* Whether it begins its line but for blanks and quote marks, and no `<` that could be its own stands
 * before that line (W1, Q1). */
static bool begins_line(const struct view *v, size_t begin)
{
	const uint8_t *p = v->p;
	size_t k = begin, low = begin - v->low > LINES_LOOK ? begin - LINES_LOOK : v->low;
	while (k > low && (is_blank(p[k - 1]) || p[k - 1] == '>' || p[k - 1] == '|'))
		k--;
	if (k == low || !is_line_end(p[k - 1]))
		return false;
	while (k > low && is_space(p[k - 1]))
		k--;
	return k > low && p[k - 1] > ' ' && p[k - 1] < 0x7f && p[k - 1] != '<';
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
	case '"': case '(': case '[': case '{': case '=': case ',':
		return true;
	case '\n':
		return begins_line(v, begin);
	case '>': /* of a tag */
		return last == '"' || last == '\'';
	case ' ': case '\t':
		break;
	default:
		return false;
	}
	/* not behind furniture: a number, a mark at the line start, `Name>`, dnl */
	if (is_alnum(last))
		return last != 'l' || p[-3] != 'n';
	if (last == ',' || last == '=' || last == '"')
		return true;
	if (last > ' ' && last < 0x7f && last != '<' && last != '>' && is_alpha(p[-3]))
		return last != ':' || to_lower(p[-3]) != 'l';
	return begins_line(v, begin);
}

size_t plain_read(const struct rules *rules, const struct view *v, size_t i, size_t floor, struct urlsift_link *link)
{
	const uint8_t *p = v->p;
	size_t n = scheme_before(v, i), begin = i - n, stop = begin + rules->max_url;
	struct plain_shape shape;
	if (!n || v->end - i < 5 || p[i + 1] != '/' || p[i + 2] != '/' || begin < floor)
		return 0;
	uint8_t before = begin > v->low ? p[begin - 1] : 0;
	bool angle = before == '<' && begin > floor;
	if (!angle && !is_free(v, begin))
		return 0;
	if (stop > v->end)
		stop = v->end;
	if (!rules->shape(p + i + 3, stop - (i + 3), &shape) || shape.host > HOST_MAX)
		return 0;
	size_t host = i + 3 + shape.host, end = i + 3 + shape.end;
	view_work(v, end - begin);
	/* a text that ends here, or a window that does, are not so plain */
	if (end >= stop || (angle ? p[end] != '>' : !(plain_kinds[p[end]] & PLAIN_END) || !(plain_kinds[p[end - 1]] & PLAIN_OWN)))
		return 0;
	if ((p[host] != '/' && host < end) || (v->flowed == FLOWED_DELETES && view_soft_break(v, end) != NO))
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
	bool quoted = before == '"' && p[end] == '"';
	link->convention = angle ? URLSIFT_CONV_ANGLE : quoted ? URLSIFT_CONV_QUOTED : URLSIFT_CONV_BARE;
	return end + angle;
}

enum verdict plain_guess(const struct rules *rules, const struct view *v, struct urlsift_link *link, size_t *end)
{
	size_t begin = link_spans(link)->from;
	struct opening o = {.begin = begin, .before = begin > v->low ? v->p[begin - 1] : 0};
	struct extent x = {.begin = begin, .at = *end, .end = *end};
	enum verdict r = guess_join(rules, v, &o, &x, link, end);
	if (link->flags & URLSIFT_JOINED)
		link->head = 0;
	return r;
}
