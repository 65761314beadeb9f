#include "extent.h"

#include "line.h"
#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

size_t schemepart_colon(const struct view *v, size_t i)
{
	if (view_word(v, i, "\\:", 2))
		return 2;
	const size_t struck = 2 * (size_t)view_word(v, i, ":\b", 2);
	return view_word(v, i + struck, "[:]", 3) ? struck + 3 : view_read(v, i) == ':';
}

/* Decides by what follows the host, at i.  The extent reads a port, a path, `\/` (B7) and a declared break (J1); a port
 * is ASCII, and ends before a separator (B11) and where a host does (B12). */
static void after_name(const struct view *v, size_t i, struct schemepart *b)
{
	const uint8_t c = view_byte(v, i);
	if (c != ':') {
		b->ends = i < v->end && !ends_authority(c) && c != '\\' && (b->escaped || !line_soft_break(v, i));
		return;
	}
	const size_t k = byte_span(v->p, ++i, v->end, BYTE_DIGIT);
	uint32_t cp;
	if (k > i && (view_character(v, k, &cp) > 1 ? host_ends_before(cp) : url_class[view_byte(v, k)] & URL_SPLIT))
		b->rest = k;
	b->ends = b->rest == k || view_byte(v, i) >= 0x80;
}

/* Whether the host goes on at i, after a placeholder. */
static bool goes_on(const struct view *v, size_t i)
{
	return BYTE_IN(view_byte(v, i), "-.") && is_alnum(view_byte(v, i + 1));
}

/* B2: whether a placeholder for a part of the host is at i.  `begun`: a full stop or hyphen of the host is right before
 * it; else the host must go on after it, since `{path}` may follow a whole one. */
static bool is_placeholder(const struct view *v, size_t i, bool begun)
{
	enum { MOST = 64 };
	const uint8_t *p = v->p, c = view_read(v, i);
	if (begun && c == '{')
		return true; /* `api.{{ env }}.example` */
	if (!BYTE_IN(c, "%[{") && !(begun && BYTE_IN(c, "*\"'<(")))
		return false;
	view_needs(v, i, MOST);
	const size_t stop = smaller(v->end, i + MOST - 4);
	const uint8_t next = view_byte(v, i + 1);
	if (c == '%') /* `ftp.%s.example`, no escape */
		return hex_escape(p + i, p + v->end) < 0 && (begun ? is_alpha(next) || BYTE_IN(next, "({")
		                                                     : is_alpha(next) && goes_on(v, i + 2));
	if (c == '*')
		return goes_on(v, i + 1);
	if (is_quote_mark(c)) {
		/* what follows the string is added to it: `"http://www." + name`, `"http://www.".$name`; not a price, `$5` */
		i = byte_span(p, i + 1, stop, BYTE_BLANK | BYTE_STOP);
		return BYTE_IN(view_byte(v, i), "+$") && !is_digit(view_byte(v, i + 1));
	}
	const size_t close = byte_span(p, i + 1, stop, BYTE_SCHEME | BYTE_UNDERSCORE | BYTE_COMMA | BYTE_BLANK);
	const bool closed = opening_closes("[]{}<>()", c, view_byte(v, close));
	return closed && goes_on(v, close + 1) && (begun || c == '{' || memchr(p + i, '-', close - i));
}

/* Decides by what follows the host: a port, a path, userinfo after all, or the end. */
static bool after_host(const struct view *v, const struct host *h, struct schemepart *b)
{
	size_t k = byte_span(v->p, h->end, smaller(v->end, h->end + 8), BYTE_HYPHEN | BYTE_STOP);
	const bool begun = k > h->end;
	if ((begun && view_byte(v, k) == '$') || (!b->whole && is_placeholder(v, k, begun)))
		return false; /* `http://www.$HOST/` */
	/* J1: a backslash joins only text that is a link without it */
	b->torn = begun && view_byte(v, k) == ' ' && line_soft_break(v, k);
	b->rest = h->end;
	b->plain = h->ascii;
	if (h->stopped)
		b->ends = !b->torn;
	else
		after_name(v, h->end, b);
	return true;
}

bool authority_host(const struct view *v, size_t i, const struct opening *o, struct host *h, struct schemepart *b)
{
	*b = (struct schemepart){.alone = true, .authority = true, .host = i, .rest = i};
	return host_read_escaped(v, i, o->mark, h) && after_host(v, h, b);
}

bool authority_host_or_literal(const struct view *v, size_t i, uint8_t mark, struct schemepart *b)
{
	enum { MOST = 64 };
	struct host h;
	if (view_read(v, i) != '[')
		return host_read_escaped(v, i, mark, &h) && after_host(v, &h, b);
	const size_t close = byte_index(v->p, i + 1, smaller(v->end, i + MOST + 1), ']');
	if (close - i > MOST || !view_has(v, close, 1))
		return false;
	const size_t end = byte_index(v->p, i + 1, close, '%'), zone = end + 1; /* RFC 6874 */
	uint8_t address[16];
	if (!usable_ipv6(v->p + i + 1, end - i - 1, address)
	    || zone == close || byte_span(v->p, zone, close, BYTE_SCHEME | BYTE_UNDERSCORE) < close)
		return false;
	b->rest = close + 1;
	uint32_t cp;
	view_character(v, b->rest, &cp);
	const uint8_t next = ascii_of(cp);
	if (is_alnum(next) || (next == '_' && next != mark))
		return false;
	after_name(v, b->rest, b);
	return true;
}

/* J1: whether a declared break follows a `@` at the end of the authority, which was read up to `at`; b->rest is then
 * after a port that is none (B11). */
static bool tear(const struct view *v, size_t at, struct schemepart *b)
{
	if (is_line_end(view_byte(v, at)) && v->p[at - 1] == '=')
		at--;
	if (v->p[at - 1] != '@' || !line_soft_break(v, at))
		return false;
	b->torn = true;
	b->ends = b->plain = false;
	if (v->p[b->rest] == ':')
		b->rest = at - 1;
	return true;
}

bool authority_read(const struct view *v, size_t i, const struct opening *o, struct schemepart *b)
{
	uint8_t mark = o->mark;
	b->authority = true;
	b->host = i;
	const bool first = authority_host_or_literal(v, i, mark, b);
	if (first) { /* a `@` may still follow unless a byte does that ends an authority, or the text ends */
		const bool port = view_byte(v, b->rest) == ':';
		const uint8_t c = view_read(v, port ? byte_span(v->p, b->rest + 1, v->end, BYTE_DIGIT) : b->rest);
		if (is_space(c) || bytes16_has("/?#<>\"/?#<>\"/?#", c))
			return true;
	}
	struct extent x;
	extent_init(&x, i, i, URL_MAX);
	x.authority = true;
	x.escaped = b->escaped;
	extent_before(&x, o->before);
	x.closer |= o->closer; /* one of them is 0: both depend on the byte before the link */
	extent_run(&x, v);
	/* a path, a query or a fragment follows; a lone `?` or `#` does not count */
	bool path = view_byte(v, x.at) != x.closer && ends_authority(view_read(v, x.at));
	if (path) {
		struct extent rest;
		extent_init(&rest, x.at, x.at, 32);
		extent_run(&rest, v);
		path = rest.end > x.at;
	}
	/* B4: a `@` with nothing after it is not part of it; one with a comma only makes no link, whatever is next */
	size_t end = x.at;
	if (!path) {
		end = byte_run_back(v->p, i, end, mark);
		if (text_ends(v->p + i, end - i, "@"))
			end = smaller(x.end, end - 1);
	}
	bool is_authority = first;
	size_t host = byte_last(v->p, i, end, '@');
	if (host > i) {
		struct schemepart after = *b;
		is_authority = authority_host_or_literal(v, host, mark, &after);
		after.plain = false;
		if (is_authority)
			*b = after;
	}
	return (first && !b->escaped && tear(v, x.at, b)) || is_authority;
}
