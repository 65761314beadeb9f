#include "candidate.h"

#include "bare.h"
#include "guess.h"
#include "line.h"
#include "opening.h"
#include "text/unicode.h"

#include <string.h>

static void dress_schemeless(struct candidate *c, const struct opening *o, const char *supplied, const char *scheme)
{
	c->link->supplied = supplied;
	link_set_scheme(c->link, scheme, strlen(scheme));
	c->link->convention = opening_has_prefix(c->v, o->begin) ? URLSIFT_CONV_PREFIX : URLSIFT_CONV_SCHEMELESS;
}

/* B10: whether the name, a host to `end`, goes on as a scheme with `//`. */
static enum verdict is_scheme_name(const struct view *v, size_t begin, size_t end)
{
	size_t n = 0;
	if (end < v->end && v->p[end] != ':' && !is_scheme_byte(v->p[end]))
		return NO; /* as most */
	while (begin + n < v->end && is_scheme_byte(v->p[begin + n]))
		if (n++ > SCHEME_NAME_MAX)
			return NO;
	return begin + n < v->end || v->last ? view_word(v, begin + n, "://", 3) : MORE;
}

enum verdict schemeless_host(struct candidate *c, size_t begin, bool ftp)
{
	struct opening o;
	struct body b;
	struct host h;
	struct extent x;
	if (begin < c->floor)
		return NO;
	opening_read(c->v, begin, &o);
	uint32_t before = o.before;
	o.must_close = before == '_';
	if (o.must_close && begin < c->unclosed)
		return NO;
	if ((opening_is_word(before) && !(before == '_' && o.mark)) || before == '@' || ((before == '.' || before == '/') && !furniture_before(c->v, begin, c->floor)))
		return NO;
	enum verdict r = body_host(c->v, begin, &o, &h, &b);
	if (r != YES)
		return r;
	if (h.labels < 3 || !h.last_alpha || (b.rest < c->v->end && c->v->p[b.rest] == '@'))
		return NO;
	r = is_scheme_name(c->v, begin, h.end);
	if (r != NO)
		return r == MORE ? MORE : NO;
	r = bare_read(c->rules, c->v, &o, &b, begin + 4, c->link, &x);
	if (r == NO && o.must_close)
		c->still_open = x.at;
	if (r != YES)
		return r;
	c->end = x.end;
	bool secure = !ftp && c->rules->www_https;
	dress_schemeless(c, &o, ftp ? "ftp://" : secure ? "https://" : "http://", ftp ? "ftp" : secure ? "https" : "http");
	return guess_join(c->rules, c->v, &o, &x, c->link, &c->end);
}

/* The name that the full stop at i is in begins here. */
static size_t name_begin(const struct view *v, size_t i, size_t floor)
{
	size_t stop = i - floor > LINE_LOOK ? i - LINE_LOOK : floor;
	while (i > stop) {
		uint8_t c = v->p[i - 1];
		if (c < 0x80) {
			if (!is_alnum(c) && c != '-' && c != '_')
				break;
			i--;
			continue;
		}
		size_t prior;
		enum uclass u = uclass_of(view_before(v, i, &prior));
		if ((u != UC_PLAIN && u != UC_CJK) || prior < stop)
			break;
		i = prior;
	}
	return i;
}

enum verdict schemeless_domain(struct candidate *c, size_t i)
{
	struct opening o;
	struct body b;
	struct host h;
	struct extent x;
	size_t begin = name_begin(c->v, i, c->floor);
	if (begin == i)
		return NO;
	opening_read(c->v, begin, &o);
	uint32_t before = o.before;
	switch (before) {
	case '@': case '.': case '/': case '#': case '%': case '&': case '=': case '~': case '$':
		return NO;
	default:
		break;
	}
	enum verdict r = body_host(c->v, begin, &o, &h, &b);
	if (r != YES)
		return r;
	if (h.end <= i)
		return NO;
	uint8_t next = b.rest < c->v->end ? c->v->p[b.rest] : ' ';
	if (next == '@' || !host_is_domain(c->v->p + begin, h.end - begin, next == '/'))
		return NO;
	r = bare_read(c->rules, c->v, &o, &b, begin, c->link, &x);
	if (r != YES)
		return r;
	c->end = x.end;
	dress_schemeless(c, &o, "http://", "http");
	return YES;
}
