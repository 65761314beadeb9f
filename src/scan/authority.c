#include "extent.h"

#include "line.h"
#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

enum verdict schemepart_slashes(const struct view *v, size_t i, size_t *width)
{
	bool escaped = view_byte(v, i) == '\\';
	enum verdict r = escaped ? view_word(v, i, "\\/\\/", 4) : view_word(v, i, "//", 2);
	*width = r != YES ? 0 : escaped ? 4 : 2;
	return r;
}

/* Whether the host that ends before i is followed by what the extent reads: a port, a path, `\/` (B7) or a declared
 * break (J1). */
static enum verdict goes_on(const struct view *v, size_t i, struct schemepart *b)
{
	uint8_t c = v->p[i];
	b->ends = false;
	if (ends_authority(c) || c == ':' || c == '\\')
		return YES;
	enum verdict soft = b->escaped ? NO : line_soft_break(v, i);
	b->ends = soft == NO;
	return verdict_after(soft, true);
}

/* Decides by what follows the colon of a port, at i: a port is ASCII (B11), and ends where a host does (B12). */
static enum verdict after_colon(const struct view *v, size_t i, struct schemepart *b)
{
	size_t k = i;
	uint32_t cp;
	k = byte_span(v->p, k, v->end, BYTE_DIGIT);
	if (view_lacks_character(v, k))
		return MORE;
	if (k >= v->end)
		return YES;
	if (k > i && utf8_next(v->p + k, v->end - k, &cp) > 1 && host_ends_before(cp))
		b->rest = k;
	b->ends = b->rest == k || v->p[i] >= 0x80;
	return YES;
}

static enum verdict literal_read(const struct view *v, size_t i, uint8_t mark, struct schemepart *b)
{
	enum { MOST = 64 };
	size_t n = byte_index(v->p, i + 1, smaller(v->end, i + MOST + 1), ']') - i;
	if (n > MOST)
		return NO;
	if (i + n >= v->end)
		return view_over(v);
	uint8_t address[16];
	if (!usable_ipv6(v->p + i + 1, n - 1, address))
		return NO;
	b->rest = i + n + 1;
	if (view_lacks_character(v, b->rest))
		return MORE;
	if (b->rest >= v->end)
		return YES;
	uint8_t c = v->p[b->rest];
	uint32_t cp;
	utf8_next(v->p + b->rest, v->end - b->rest, &cp);
	if (is_alnum(c) || (c == '_' && c != mark) || (c >= 0x80 && host_may_hold(cp)))
		return NO;
	return c == ':' ? after_colon(v, b->rest + 1, b) : goes_on(v, b->rest, b);
}

/* Decides by what follows the host: a port, a path, userinfo after all, or the end. */
static enum verdict after_host(const struct view *v, const struct host *h, struct schemepart *b)
{
	size_t k = byte_span(v->p, h->end, smaller(v->end, h->end + 8), BYTE_HYPHEN | BYTE_STOP);
	if (k > h->end && view_byte(v, k) == '$')
		return NO; /* the rest is a variable: `http://www.$HOST/` */
	/* J1: a backslash joins only text that is a link without it */
	enum verdict soft = k > h->end && (k >= v->end || v->p[k] == ' ') ? line_soft_break(v, k) : NO;
	b->rest = h->end;
	b->plain = h->ascii;
	b->torn = soft == YES;
	b->ends = h->stopped && !b->torn;
	if (h->stopped || h->end >= v->end)
		return verdict_after(soft, true);
	if (v->p[h->end] != ':')
		return goes_on(v, h->end, b);
	return after_colon(v, h->end + 1, b);
}

/* Whether a `@` may still follow: the host was not followed by a byte that ends an authority. */
static enum verdict may_be_userinfo(const struct view *v, size_t i)
{
	if (i >= v->end)
		return NO;
	if (v->p[i] == ':') {
		i = byte_span(v->p, i + 1, v->end, BYTE_DIGIT);
		if (i >= v->end)
			return view_over(v);
	}
	uint8_t c = v->p[i];
	return !(is_space(c) || bytes16_has("/?#<>\"/?#<>\"/?#<", c));
}

enum verdict authority_host(const struct view *v, size_t i, const struct opening *o, struct host *h,
                            struct schemepart *b)
{
	*b = (struct schemepart){.alone = true, .authority = true, .host = i, .rest = i};
	enum verdict r = host_read_escaped(v, i, o->mark, h);
	return r == YES ? after_host(v, h, b) : r;
}

enum verdict authority_host_or_literal(const struct view *v, size_t i, uint8_t mark, struct schemepart *b)
{
	if (i >= v->end)
		return view_over(v);
	if (v->p[i] == '[')
		return literal_read(v, i, mark, b);
	struct host h;
	enum verdict r = host_read_escaped(v, i, mark, &h);
	return r == YES ? after_host(v, &h, b) : r;
}

/* Whether a path, a query or a fragment begins at i; a lone `?` or `#` does not count. */
static enum verdict path_at(const struct view *v, size_t i)
{
	if (i >= v->end)
		return view_over(v);
	if (v->p[i] == '/' || !ends_authority(v->p[i]))
		return verdict_of(v->p[i] == '/');
	struct extent x;
	extent_init(&x, i, i, 32);
	enum verdict r = extent_run(&x, v);
	return r == YES && x.end == i ? NO : r;
}

/* J1: whether a declared break follows a `@` at the end of the authority, which was read up to `at`; b->rest is then
 * after a port that is none (B11). */
static enum verdict tear(const struct view *v, size_t at, struct schemepart *b)
{
	if (is_line_end(view_byte(v, at)) && v->p[at - 1] == '=')
		at--;
	enum verdict r = v->p[at - 1] == '@' ? line_soft_break(v, at) : NO;
	if (r != YES)
		return r;
	b->torn = true;
	b->ends = b->plain = false;
	if (v->p[b->rest] == ':')
		b->rest = at - 1;
	return YES;
}

enum verdict authority_read(const struct view *v, size_t i, const struct opening *o, struct schemepart *b)
{
	uint8_t mark = o->mark;
	b->authority = true;
	b->host = i;
	enum verdict first = authority_host_or_literal(v, i, mark, b);
	if (first == MORE)
		return MORE;
	if (first == YES) {
		enum verdict u = may_be_userinfo(v, b->rest);
		if (u != YES)
			return u == NO ? YES : MORE;
	}
	struct extent x;
	extent_init(&x, i, i, URL_MAX);
	x.authority = true;
	x.escaped = b->escaped;
	extent_before(&x, o->before);
	if (extent_run(&x, v) == MORE)
		return MORE;
	/* B4: a `@` with nothing after it is not part of it; one with a comma only makes no link, whatever is next */
	enum verdict path = path_at(v, x.at);
	if (path == MORE)
		return MORE;
	size_t end = x.at;
	if (path == NO) {
		end = byte_run_back(v->p, i, end, mark);
		if (text_ends(v->p + i, end - i, "@"))
			end = smaller(x.end, end - 1);
	}
	enum verdict r = first;
	size_t host = byte_last(v->p, i, end, '@');
	if (host > i) {
		struct schemepart after = *b;
		r = authority_host_or_literal(v, host, mark, &after);
		after.plain = false;
		if (r == YES)
			*b = after;
	}
	enum verdict torn = first == YES && r != MORE && !b->escaped ? tear(v, x.at, b) : NO;
	return torn == NO ? r : torn;
}
