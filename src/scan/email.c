#include "ending.h"

#include "simd/bytes16.h"
#include "text/unicode.h"

#include <string.h>

/* The local part that ends at i begins at *begin; false for none, or one that is longer than LOCAL_MAX. */
static bool local_part(const struct view *v, size_t i, size_t floor, size_t *begin)
{
	enum { LOCAL_MAX = LINE_LOOK - 1 }; /* as of mailto: */
	size_t stop = larger(excess(i, LOCAL_MAX + 1), floor), k = i, prior;
	for (; k > stop; k = prior) {
		const uint8_t next = v->p[k];
		const uint32_t c = view_before(v, k, &prior);
		/* a quotation mark that is not an apostrophe inside a word */
		const bool quote = c == '\'' && !(byte_class[byte_before(v->p, prior)] & (BYTE_ALNUM | BYTE_HIGH));
		const bool local = host_goes_back(c, BYTE_NAME | BYTE_STOP | BYTE_PLUS, next)
		                   || bytes16_has("!#$%&'*/=?^{|}~~", ascii_of(c));
		if (quote || (c == '.' && BYTE_IN(next, ".@")) || (c == '{' && ending_in_texinfo(v, k)) || !local
		    || prior < stop)
			break;
	}
	if (view_before(v, k, &prior) == '@' || i - k > LOCAL_MAX)
		return false;
	/* marks that quote or bracket it are not part of it */
	*begin = k = set_span(v->p, k, i, ".'{|");
	return byte_span(v->p, k, i, BYTE_BUT(BYTE_ALNUM | BYTE_HIGH)) < i; /* marks alone are not a name */
}

/* M1: whether the host ends at a colon that a path on it follows, as in `user@host:dir/file`. */
static bool is_scp(const struct view *v, size_t i)
{
	if (view_read(v, i) != ':')
		return false;
	size_t from = i, stop = smaller(v->end, i + LINE_LOOK);
	while (i < stop && v->p[i] > ' ' && !BYTE_IN(v->p[i], "<>\"'`/~"))
		i++;
	if (BYTE_IN(view_read(v, i), "/~"))
		return true;
	i = set_span_back(v->p, from, i, ".,;:!?)");
	return text_ends(v->p + from, i - from, ".git");
}

bool email_read(struct candidate *c, size_t i)
{
	struct host h;
	size_t begin, prior;
	if (!local_part(c->v, i, c->floor, &begin) || candidate_is_rest(c, begin))
		return false;
	/* B6: an emphasis mark, which may also close after the address */
	uint8_t mark = c->v->p[begin];
	if (!memchr("*_~/", mark, 4) || opening_is_word(view_before(c->v, begin, &prior)))
		mark = 0;
	const size_t host = i + 1 + (view_read(c->v, i + 1) == '@' && ending_in_texinfo(c->v, begin)); /* B8: `@@` */
	if (!host_read(c->v, host, mark, &h))
		return false;
	h.end -= ending_is_pod(c->v, h.end - 1);
	h.end -= c->v->p[h.end - 1] == '.';
	uint8_t next = view_byte(c->v, h.end);
	size_t after = h.end + (next == '.');
	size_t bang = byte_index(c->v->p, begin, i, '!');
	bool mask = bang > begin && bang + 1 < i; /* M1: `nick!user`, of a mask of IRC */
	if (h.labels < 2 || !h.last_alpha || next == '@' || mask || is_scp(c->v, h.end))
		return false;
	size_t opened = byte_run(c->v->p, begin, i, mark) - begin;
	size_t closed = byte_run(c->v->p, after, smaller(c->v->end, after + opened), mark) - after;
	view_needs(c->v, after, smaller(closed + 1, opened));
	if (closed == opened && (mark != '/' || opened == 1))
		begin += opened;
	/* M1: `[~user`, of a mask of IRC */
	if (c->v->p[begin] == '.' || (c->v->p[begin] == '~' && byte_before(c->v->p, begin) == '['))
		return false;
	if ((!c->rules->email && !candidate_has_form(c, i, begin, h.end)) || candidate_is_cut(c, host, h.end))
		return false;
	link_clear(c->link);
	if (host > i + 1)
		link_add_unescaped(c->link, c->v, begin, h.end, ESCAPES_AT);
	else
		link_add(c->link, c->v, begin, h.end);
	if (c->link->length > c->rules->max_url) {
		rules_exceed(c->rules, LIMIT_URL, begin);
		return false;
	}
	c->link->convention = URLSIFT_CONV_EMAIL;
	c->link->supplied = "mailto:";
	link_set_scheme(c->link, "mailto", 6);
	c->end = h.end;
	return true;
}
