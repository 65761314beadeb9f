#include "ending.h"

#include "line.h"
#include "simd/bytes16.h"
#include "text/unicode.h"

#include <string.h>

/* Sets the scheme and the convention of a link that was read. */
static void set_scheme(struct candidate *c, const struct bare *b, const char *supplied)
{
	c->end = b->extent.end;
	c->link->supplied = supplied;
	link_set_scheme(c->link, supplied, strcspn(supplied, ":"));
	c->link->convention = opening_has_prefix(c->v, b->opening.begin) ? URLSIFT_CONV_PREFIX : URLSIFT_CONV_SCHEMELESS;
}

/* B10: whether the name is a scheme with `//`, also an escaped (B7) or a defanged one. */
static bool is_scheme_name(const struct view *v, size_t begin)
{
	const size_t end = byte_span(v->p, begin, smaller(v->end, begin + SCHEME_NAME_MAX + 2), BYTE_SCHEME);
	if (end - begin > SCHEME_NAME_MAX + 1)
		return false;
	const size_t colon = schemepart_colon(v, end);
	return colon > 0 && schemepart_slashes(v, end + colon) > 0;
}

/* Reads the link or its first line alone (J1).  False: there is none, or the name is a user before the last `@` of the
 * authority and no host follows that. */
static bool read_with_host(struct candidate *c, struct bare *b)
{
	const struct urlsift_link *l = c->link;
	do {
		if (!bare_read(c, b)) {
			if (b->opening.must_close)
				c->still_open = b->extent.at;
			return false;
		}
		const size_t end = byte_span(l->text, 0, l->length, BYTE_BUT(BYTE_DELIMITER));
		const size_t user = byte_last(l->text, 0, end, '@');
		if (user == 0)
			return true;
		const struct view text = view_of(c->v, l->text, l->length);
		struct schemepart part = { .host = user };
		if (user < end && authority_host_or_literal(&text, user, 0, &part))
			return true;
		b->one_line = b->line_count > 1; /* not again */
	} while (b->one_line);
	return false;
}

bool schemeless_host(struct candidate *c, size_t begin, bool ftp)
{
	struct bare b;
	struct host h;
	if (begin < c->floor)
		return false;
	bare_begin(&b, c, begin);
	uint32_t before = b.opening.before;
	b.opening.must_close = before == '/' || (before == '_' && !opening_follows_ruler(c->v, begin));
	if (b.opening.must_close && (begin < c->unclosed || !b.opening.mark))
		return false;
	if ((opening_is_word(before) && before != '_') || before == '@')
		return false;
	if ((before == '.' && !text_ends(c->v->p, begin, "...")) || (before == '/' && b.opening.marks != 2))
		return false;
	if (!authority_host(c->v, begin, &b.opening, &h, &b.part) || h.labels < 3 || !h.last_alpha
	    || view_byte(c->v, b.part.rest) == '@' || is_scheme_name(c->v, begin))
		return false;
	b.solid = begin + 4;
	if (!read_with_host(c, &b))
		return false;
	set_scheme(c, &b, ftp ? "ftp://" : c->rules->www_https ? "https://" : "http://");
	join_guess(c, &b);
	return true;
}

/* Where the name with the full stop at i begins. */
static size_t name_begin(const struct view *v, size_t i, size_t floor)
{
	size_t stop = larger(excess(i, LINE_LOOK), floor);
	while (i > stop) {
		size_t prior;
		uint32_t c = view_before(v, i, &prior);
		if (!host_goes_back(c, BYTE_NAME, v->p[i]) || prior < stop)
			break;
		i = prior;
	}
	return i;
}

/* S2: whether a number follows the colon after the name, or nothing of a link; else the name may be a scheme.  A few
 * bytes decide, or names one after the other would each be read to the end. */
static bool ends_at_colon(struct candidate *c, struct bare *b, size_t colon)
{
	enum { LOOK = 32 };
	const struct view *v = c->v;
	view_needs(v, colon, LOOK + 1);
	const struct view cut = view_until(v, smaller(v->end, colon + LOOK));
	uint8_t next = view_byte(v, colon + 1);
	if (is_digit(next) || (is_alpha(next) && colon + 1 - b->opening.begin < c->rules->max_url))
		return is_digit(next); /* the link would go on */
	c->v = &cut;
	const bool read = bare_read(c, b);
	c->v = v;
	return !read || b->extent.end <= colon + 1;
}

/* S2: whether the link, which was broken within its name, is under a top-level domain, and no name follows a colon. */
static bool is_domain(const struct urlsift_link *l)
{
	size_t n = byte_span(l->text, 0, l->length, BYTE_BUT(BYTE_DELIMITER));
	size_t host = byte_index(l->text, 0, n, ':');
	if (host + 1 < n && !is_digit(l->text[host + 1]))
		return false;
	return host_is_domain(l->text, host, byte_at(l->text, n, l->length) == '/');
}

/* S3: whether the address from `begin` to `end` may follow the `@`, hyphen or slash before it: a slash only if a
 * protocol is before that or a port follows, as in `tcp/192.0.2.1` and Java's `host/192.0.2.1:80`; others have versions
 * there. */
static bool follows_mark(const struct view *v, size_t begin, size_t end)
{
	const size_t protocol = excess(begin, 4);
	return v->p[begin - 1] != '/' || ascii_is_among(v->p + protocol, begin - protocol, "tcp/ udp/")
	       || (byte_before(v->p, begin - 1) != '/' && view_read(v, end) == ':' && is_digit(view_read(v, end + 1)));
}

bool schemeless_domain(struct candidate *c, size_t i)
{
	struct bare b;
	struct host h;
	size_t begin = name_begin(c->v, i, c->floor);
	begin += begin == c->floor && c->v->p[begin] == '-' && is_digit(byte_before(c->v->p, begin)); /* of a range */
	if (begin == i || candidate_is_rest(c, begin))
		return false;
	bare_begin(&b, c, begin);
	const uint32_t before = b.opening.before;
	const bool marked = BYTE_IN(ascii_of(before), "@/-");
	if (bytes16_has(".#%&~$..........", ascii_of(before)) || (marked && !c->rules->ipv4))
		return false;
	if (!authority_host(c->v, begin, &b.opening, &h, &b.part) || h.end <= i)
		return false;
	const uint8_t *host = c->v->p + begin;
	size_t n = h.end - begin - ending_is_pod(c->v, h.end - 1);
	n -= host[n - 1] == '.'; /* of the root */
	const uint8_t next = view_byte(c->v, b.part.rest);
	const size_t first = byte_index(host, 0, n, '-');
	/* S3: of a range of two addresses the first one */
	if (first < n && usable_plain_address(host, first) && usable_plain_address(host + first + 1, n - first - 1)) {
		n = first;
		b.part.rest = h.end = begin + n;
		b.part.ends = true;
	}
	const bool address = usable_plain_address(host, n);
	b.part.ends |= address && next == '#'; /* the port in logs of named */
	if (BYTE_IN(next, "@(") || (marked && !(address && follows_mark(c->v, begin, h.end))))
		return false;
	const bool defanged = c->rules->refang && candidate_has_form(c, i, begin, b.part.rest + 1);
	if (!defanged && !(address ? c->rules->ipv4 : c->rules->domains))
		return false;
	uint8_t lower[HOST_MAX];
	if (defanged) { /* nobody writes `X[.]COM` for words or files */
		ascii_lower((char *)lower, host, n);
		host = lower;
	}
	if (!address && (before == '=' || memchr(host, '%', n) || !host_is_domain(host, n, next == '/')))
		return false;
	b.solid = begin;
	if (view_byte(c->v, h.end) == ':' ? !ends_at_colon(c, &b, h.end) : is_scheme_name(c->v, begin))
		return false;
	bool read = bare_read(c, &b);
	if (read && !address && b.line_count > 1 && b.lines[0].to <= h.end && !is_domain(c->link)) {
		b.one_line = true; /* the first line is a link */
		read = bare_read(c, &b);
	}
	if (read)
		set_scheme(c, &b, "http://");
	return read;
}
