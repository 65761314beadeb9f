#include "ending.h"

#include "simd/runs.h"
#include "text/unicode.h"

#include <string.h>

/* A position in a scheme-specific part.  `local` has marks of a local part. */
struct reader {
	const struct view *v;
	const struct opening *o;
	const char *local;
	size_t i, stop, domain;
	bool stopped;
};

/* The byte at r->i, or 0 at the end of the text or at r->stop. */
static uint8_t peek(struct reader *r)
{
	return r->i < r->stop ? view_read(r->v, r->i) : 0;
}

/* The end of the text, or r->stop, if that is before it: of what is read without a call for each byte. */
static size_t there(const struct reader *r) { return smaller(r->stop, r->v->end); }

/* Whether c is none of the bytes up to r->stop, which are there. */
static bool lacks(const struct reader *r, uint8_t c)
{
	return r->stop <= r->v->end && run_until(r->v->p, r->i, r->stop, c) == r->stop;
}

/* Skips c.  False where another byte is next. */
static bool accept(struct reader *r, uint8_t c)
{
	bool is_next = peek(r) == c;
	r->i += is_next;
	return is_next;
}

/* Whether c is in one of the classes; 0 is in none of those that are asked for. */
static bool is_in(uint8_t c, unsigned classes) { return byte_class[c] & classes; }

/* Skips bytes of the classes, and those of `also`.  Returns how many. */
static size_t skip(struct reader *r, unsigned classes, const char *also)
{
	const uint8_t *const p = r->v->p;
	const size_t begin = r->i, end = there(r);
	size_t i = begin;
	while (i < end && (is_in(p[i], classes) || is_of((char)p[i], also)))
		i++;
	r->i = i;
	peek(r);
	return i - begin;
}

enum { ATEXT = BYTE_ALNUM | BYTE_STOP | BYTE_HIGH }; /* the other bytes of a local part differ by scheme */

static size_t digits(struct reader *r) { return skip(r, BYTE_DIGIT, ""); }

static bool host(struct reader *r, struct host *h)
{
	return host_read(r->v, r->i, r->o->mark, h);
}

/* A host or an address literal, after the `@`, of which Texinfo writes two (B8). */
static bool domain(struct reader *r)
{
	struct host h;
	if (ending_in_texinfo(r->v, r->o->begin))
		accept(r, '@');
	if (peek(r) == '[') {
		r->i++;
		return skip(r, BYTE_ALNUM | BYTE_STOP, ":") && peek(r) == ']';
	}
	if (!host(r, &h))
		return false;
	r->stopped = h.stopped && r->v->p[h.end] >= 0x80;
	r->domain = h.stopped == r->stopped ? h.end : 0;
	return true;
}

/* Whether no character between i and `end` ends a link. */
static bool is_unbroken(const struct view *v, size_t i, size_t end)
{
	const unsigned stops = 1u << UC_SPACE | 1u << UC_CONTROL | 1u << UC_STOP;
	for (uint32_t cp; i < end; ) {
		i += utf8_next(v->p + i, end - i, &cp);
		if (cp >= 0x80 && stops >> uclass_of(cp) & 1)
			return false;
	}
	return true;
}

/* Passes over the rest of a reference that is undone, whose `&` is among the bytes from `local` on (L). */
static bool end_reference(struct reader *r, size_t local)
{
	enum { MOST = sizeof "#x000026\\;" - 1 };
	const struct view *v = r->v;
	const size_t name = run_after_in(v->p, local, r->i, '&');
	uint8_t c;
	if (name == local)
		return false;
	view_needs(v, name, MOST);
	const size_t end = name + link_reference_name(v->p + name, v->end - name, &c);
	const bool more = end > r->i;
	r->i = larger(end, r->i);
	return more;
}

static bool address(struct reader *r)
{
	if (view_word(r->v, r->i, "?to=", 4)) {
		r->i += 4;
		return link_may_hold(peek(r));
	}
	const size_t local = r->i;
	if (lacks(r, '@'))
		return false;
	do
		skip(r, ATEXT, r->local);
	while (end_reference(r, local));
	const size_t end = r->i;
	return end > local && accept(r, '@') && (r->o->begin == local || is_unbroken(r->v, local, end)) && domain(r);
}

/* Anything, `@`, and a domain. */
static bool identifier(struct reader *r)
{
	if (lacks(r, '@'))
		return false;
	const uint8_t *const p = r->v->p;
	const size_t local = r->i, end = there(r);
	do {
		size_t i = r->i;
		while (i < end && !(url_class[p[i]] & URL_STOP) && !BYTE_IN(p[i], "?#@"))
			i++;
		r->i = i;
	} while (end_reference(r, local));
	return accept(r, '@') && r->i > local + 1 && domain(r);
}

static bool news(struct reader *r)
{
	const uint8_t c = peek(r);
	size_t begin = r->i;
	if (c == '*') {
		/* all groups, if alone: checked again when the end is known */
		struct extent x;
		extent_init(&x, r->i, r->i, 32);
		extent_before(&x, r->o->before);
		extent_run(&x, r->v);
		if (!x.truncated)
			return accept(r, '*');
	}
	if (is_in(c, BYTE_ALPHA)) {
		/* one word may be prose, a name with a full stop is a group */
		skip(r, BYTE_NAME | BYTE_PLUS | BYTE_HIGH, "");
		if (accept(r, '.') && is_in(peek(r), BYTE_ALNUM | BYTE_HIGH)) {
			skip(r, BYTE_SCHEME | BYTE_UNDERSCORE, "");
			if (r->v->p[r->i - 1] == '.' && r->o->mark != '*')
				accept(r, '*'); /* `comp.lang.*`, no emphasis */
			return true;
		}
	}
	r->i = begin;
	return identifier(r);
}

static bool urn(struct reader *r)
{
	size_t n = 0;
	uint8_t c;
	for (; n < 32 && (is_in(c = peek(r), BYTE_ALNUM) || (n && c == '-')); r->i++)
		n++;
	return n >= 2 && accept(r, ':') && link_may_hold(c = peek(r)) && !ends_authority(c);
}

static bool phone(struct reader *r)
{
	size_t n = 0;
	if (peek(r) == '(')
		return false; /* `Tel:(555) ...` is a label */
	for (uint8_t c; is_in(c = peek(r), BYTE_DIGIT) || BYTE_IN(c, "+-.()*%#"); r->i++)
		n += is_in(c, BYTE_DIGIT);
	return n >= 3;
}

static bool address_or_host(struct reader *r)
{
	struct host h;
	size_t begin = r->i;
	if (!lacks(r, '@') && skip(r, ATEXT, "!$%&'*+-=^_{|}~:\\") && accept(r, '@'))
		return domain(r);
	r->i = begin;
	return host(r, &h) && h.labels > 1;
}

static bool geo(struct reader *r)
{
	accept(r, '-');
	size_t n = digits(r);
	if (n && accept(r, '.'))
		n = digits(r);
	if (!n || !accept(r, ','))
		return false;
	accept(r, '-');
	return digits(r);
}

static bool query(struct reader *r)
{
	size_t n = 0;
	if (peek(r) != '?' || lacks(r, '='))
		return false;
	for (uint8_t c; r->i++, link_may_hold(c = peek(r)); n++)
		if (n && c == '=')
			return true;
	return false;
}

static bool token(struct reader *r)
{
	const size_t begin = r->i, n = skip(r, BYTE_ALNUM, "");
	return n >= 5 && byte_span(r->v->p, begin, r->i, BYTE_LOWER) < r->i; /* a digit or a capital is in it */
}

/* A word, `/`, and more.  The word has no colon, nor a defanged one: `DOI:https://...` is another URL. */
static bool path(struct reader *r)
{
	uint8_t c;
	if (!is_in(peek(r), BYTE_ALNUM))
		return false;
	skip(r, BYTE_SCHEME, "");
	return accept(r, '/') && link_may_hold(c = peek(r)) && !BYTE_IN(c, "?#");
}

/* A backslash as in an address. */
static bool file(struct reader *r)
{
	if (is_in(peek(r), BYTE_ALPHA)) { /* a drive (RFC 8089 appendix E.2) */
		r->i++;
		if (!accept(r, ':') && !accept(r, '|'))
			return false;
	}
	if (!accept(r, '/'))
		return false;
	accept(r, '\\');
	const uint8_t c = peek(r);
	return is_in(c, BYTE_NAME | BYTE_STOP | BYTE_HIGH) || BYTE_IN(c, "~%");
}

/* What a word of a program or a tag (`<tag:foo/>`) has not, or not before its last byte. */
#define IS_NO_TAG(type, v) ((type)(((type)(v - ',') <= '9' - ',') | (v == '#') | (v == '%') | (v == '&') | (v == '=') \
                                   | (v == '?') | (v == '@') | (v == '_') | (v == '~')))
RUN_SEARCH(find_no_tag, (const uint8_t *p, size_t i, size_t n), IS_NO_TAG)

/* Inside delimiters, a known scheme is followed by anything but such a word. */
static bool delimited_word(struct reader *r)
{
	const uint8_t *const p = r->v->p;
	const size_t end = there(r), found = find_no_tag(p, r->i, end);
	if (found == r->stop)
		return false;
	while (r->i < found && link_may_hold(p[r->i]))
		r->i++;
	const uint8_t c = peek(r);
	if (r->i < found || c != '/')
		return r->i == found && link_may_hold(c);
	r->i++;
	return link_may_hold(peek(r));
}

/* An identifier, or one without `@`, such as `foo-2.png`: it has a digit and a full stop inside. */
static bool identifier_or_file(struct reader *r)
{
	bool digit = false, stop = false;
	const size_t begin = r->i;
	if (identifier(r))
		return true;
	r->i = begin;
	const uint8_t *const p = r->v->p;
	const size_t end = there(r);
	if (!is_in(peek(r), BYTE_ALNUM) || lacks(r, '.'))
		return false;
	size_t i = begin;
	uint8_t before = p[i];
	for (uint8_t c; i < end && !(digit && stop) && link_may_hold(c = p[i]) && c != '@'; i++, before = c) {
		digit |= is_digit(c);
		stop |= before == '.' && is_alnum(c);
	}
	r->i = i;
	peek(r);
	return digit && stop;
}

/* `info:lccn/2002022641` (RFC 4452) */
static bool namespace_path(struct reader *r) { return is_in(peek(r), BYTE_ALPHA) && path(r); }

static bool word(struct reader *r) { return link_may_hold(peek(r)); }

/* What follows the colon is `//`, or there is no link. */
static bool none(struct reader *r)
{
	(void)r;
	return false;
}

static bool (*const readers[])(struct reader *) = {
#define READER(body, read) [BODY_##body] = read,
	SCHEME_BODIES(READER)
#undef READER
};

/* What delimiters allow where these fail. */
static bool (*const delimited_readers[sizeof readers / sizeof *readers])(struct reader *) = {
	[BODY_NEVER] = delimited_word, [BODY_NAMESPACE] = namespace_path, [BODY_ID] = delimited_word
};

/* schemepart_check; the reader is after the colon. */
static bool check(struct reader *reader, const struct scheme *row, bool delimited, struct schemepart *b)
{
	const struct view *v = reader->v;
	const size_t i = reader->i, slashes = schemepart_slashes(v, i);
	*b = (struct schemepart){.host = i, .rest = i, .whole = b->whole};
	b->hier = slashes > 0;
	b->escaped = slashes > 2;
	enum scheme_body kind = row ? (enum scheme_body)row->body : BODY_ANY;
	if (slashes && kind != BODY_SWALLOW) {
		b->rest = i + slashes;
		/* after a scheme that does not require it, `//` begins an authority */
		if (kind == BODY_HOST_OPTIONAL) {
			if (view_read(v, b->rest) == v->p[i])
				return true;
			kind = BODY_HOST;
		}
		if (1u << kind & (1u << BODY_HOST | 1u << BODY_NEWS | 1u << BODY_ADDRESS_OR_HOST))
			return authority_read(v, b->rest, reader->o, b);
		return true; /* B10: the extent decides whether anything is left */
	}
	bool ok = readers[kind](reader);
	if (!ok && delimited && delimited_readers[kind]) {
		reader->i = i;
		ok = delimited_readers[kind](reader);
	}
	b->domain = reader->domain;
	b->ends = reader->stopped && kind == BODY_ADDRESS; /* B12 */
	if (b->ends)
		b->rest = reader->domain;
	size_t n = reader->i - i;
	if (kind == BODY_NEWS && v->p[i + n - 1] == '*' && ascii_prefix(v->p + i, n) == n)
		b->rest = i + n;
	return ok;
}

#define LOCAL "!$%&'*+-/=^_{|}~"

/* A backslash may be TeX's (J1): the link is checked again without it. */
bool schemepart_check(const struct view *v, const struct scheme *row, bool delimited, const struct opening *o,
                      struct schemepart *b)
{
	struct reader r = {.v = v, .o = o, .local = LOCAL "\\", .i = b->rest, .stop = b->rest + LINE_LOOK};
	b->whole = false;
	return check(&r, row, delimited, b);
}

bool schemepart_torn(const uint8_t *text, size_t scheme)
{
	return scheme < 2 || text_is_among(text, scheme, "tp tps");
}

bool schemepart_unknown(const uint8_t *text, size_t n, size_t scheme)
{
	const size_t i = scheme + 3, end = byte_span(text, i, n, BYTE_BUT(BYTE_DELIMITER));
	if (schemepart_torn(text, scheme) || byte_at(text, i, n) == '$' /* a variable */
	    || byte_span(text, i, end, BYTE_BUT(BYTE_ALNUM | BYTE_HIGH)) == end)
		return false;
	/* a word in the place of a port: `protocol://domain:port`, also defanged */
	size_t port = byte_last(text, i, end, ':');
	port += byte_at(text, port, end) == ']' && text[port - 2] == '[';
	return port == i || !is_alpha(byte_at(text, port, end)) || memchr(text + i, '@', end - i);
}

bool schemepart_whole(const struct view *v, const struct scheme *row, bool delimited, struct schemepart *b)
{
	size_t i = b->rest;
	struct opening none = {.begin = i};
	struct reader r = {.v = v, .o = &none, .local = LOCAL, .i = i, .stop = i + LINE_LOOK};
	bool all = row && row->body == BODY_NEWS && i + 1 < v->end && v->p[i] == '*';
	if (all || (row && row->body == BODY_ID && memchr(v->p + i, '@', v->end - i)))
		return identifier(&r);
	b->whole = true;
	return check(&r, row, delimited, b);
}
