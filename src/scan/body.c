#include "body.h"

#include "extent.h"
#include "text/uclass.h"
#include "text/utf8.h"

#include <string.h>

enum verdict body_slashes(const struct view *v, size_t i, size_t *width)
{
	bool escaped = i < v->end && v->p[i] == '\\';
	enum verdict r = escaped ? view_word(v, i, "\\/\\/", 4) : view_word(v, i, "//", 2);
	*width = r != YES ? 0 : escaped ? 4 : 2;
	return r;
}

/* ---- authority ---- */

/* Eight groups of hex digits, one `::`, an IPv4 address at the end (RFC 4291
 * section 2.2).  [i, end) lies between the brackets. */
static bool ipv6_valid(const uint8_t *p, size_t n)
{
	unsigned groups = 0, digits = 0, dots = 0;
	bool gap = false;
	for (size_t i = 0; i < n; i++) {
		uint8_t c = p[i];
		if (c == ':' && !dots) {
			if (i + 1 < n && p[i + 1] == ':') {
				if (gap)
					return false;
				gap = true;
				i++;
			} else if (!digits || i + 1 == n) {
				return false;
			}
			digits = 0;
			if (i + 1 < n)
				continue;
			break;
		}
		if (c == '.' && digits && i + 1 < n) {
			dots++;
			digits = 0;
			continue;
		}
		if (!is_digit(c) && (dots || (uint8_t)((c | 0x20) - 'a') > 5))
			return false;
		if (!digits++ && !dots)
			groups++;
		if (digits > 4)
			return false;
	}
	groups += dots ? 1 : 0; /* the first number of the address was counted as a group */
	return (dots == 0 || (dots == 3 && digits)) && (gap ? groups < 8 : groups == 8);
}

/* Whether a host that ends before i is followed by what the extent looks at: a
 * port, a path, B7's `\/`, a declared break (J1). */
static enum verdict goes_on(const struct view *v, size_t i, bool *ends)
{
	uint8_t c = v->p[i];
	*ends = false;
	if (c == '/' || c == '?' || c == '#' || c == ':' || c == '\\')
		return YES;
	enum verdict soft = view_soft_break(v, i);
	*ends = soft == NO;
	return soft == MORE ? MORE : YES;
}

static enum verdict literal_read(const struct view *v, size_t i, uint8_t mark, struct body *b)
{
	size_t n = 1;
	for (;; n++) {
		if (n > 64)
			return NO;
		if (i + n >= v->end)
			return v->last ? NO : MORE;
		if (v->p[i + n] == ']')
			break;
	}
	if (!ipv6_valid(v->p + i + 1, n - 1))
		return NO;
	b->rest = i + n + 1;
	if (b->rest >= v->end)
		return v->last ? YES : MORE;
	uint8_t c = v->p[b->rest];
	if (c >= 0x80 && v->end - b->rest < 4 && !v->last)
		return MORE;
	uint32_t cp = c;
	if (c >= 0x80)
		utf8_next(v->p + b->rest, v->end - b->rest, &cp);
	if (is_alnum(c) || (c == '_' && c != mark) || (c >= 0x80 && (uclass_of(cp) == UC_PLAIN || uclass_of(cp) == UC_CJK)))
		return NO;
	return goes_on(v, b->rest, &b->ends);
}

/* What follows the host decides: a port or path, userinfo after all, or the end. */
static enum verdict behind_host(const struct view *v, const struct host *h, struct body *b)
{
	size_t k = h->end;
	while (k < v->end && k - h->end < 8 && (v->p[k] == '-' || v->p[k] == '.'))
		k++;
	/* a backslash joins only what is a link without it */
	enum verdict soft = k > h->end && (k >= v->end || v->p[k] == ' ') ? view_soft_break(v, k) : NO;
	b->rest = h->end;
	b->torn = soft == YES;
	b->ends = h->stopped && !b->torn;
	if (h->stopped || h->end >= v->end)
		return soft == MORE ? MORE : YES;
	if (v->p[h->end] != ':')
		return goes_on(v, h->end, &b->ends);
	if (h->end + 1 >= v->end)
		return v->last ? YES : MORE;
	/* B11: what is no ASCII is no port */
	b->ends = v->p[h->end + 1] >= 0x80;
	return YES;
}

/* Whether a `@` may still come: the host was not followed by what ends an
 * authority. */
static enum verdict may_be_userinfo(const struct view *v, size_t i)
{
	if (i >= v->end)
		return NO;
	if (v->p[i] == ':') {
		for (i++; i < v->end && is_digit(v->p[i]); i++)
			;
		if (i >= v->end)
			return v->last ? NO : MORE;
	}
	uint8_t c = v->p[i];
	return !(c == '/' || c == '?' || c == '#' || is_space(c) || c == '<' || c == '>' || c == '"');
}

enum verdict body_host(const struct view *v, size_t i, const struct opening *o, struct host *h, struct body *b)
{
	*b = (struct body){.alone = true, .authority = true, .host = i, .rest = i};
	enum verdict r = host_read(v, i, o->mark, h);
	return r == YES ? behind_host(v, h, b) : r;
}

static enum verdict host_or_literal(const struct view *v, size_t i, uint8_t mark, struct body *b)
{
	if (i >= v->end)
		return v->last ? NO : MORE;
	if (v->p[i] == '[')
		return literal_read(v, i, mark, b);
	struct host h;
	enum verdict r = host_read(v, i, mark, &h);
	return r == YES ? behind_host(v, &h, b) : r;
}

/* Whether a path, a query or a fragment begins at i; a lone `?` or `#` is none. */
static enum verdict path_at(const struct view *v, size_t i)
{
	if (i >= v->end)
		return v->last ? NO : MORE;
	if (v->p[i] == '/' || (v->p[i] != '?' && v->p[i] != '#'))
		return v->p[i] == '/' ? YES : NO;
	struct extent x;
	extent_init(&x, i, i, 32);
	enum verdict r = extent_run(&x, v);
	return r == YES && x.end == i ? NO : r;
}

enum verdict body_authority(const struct view *v, size_t i, const struct opening *o, struct body *b)
{
	uint8_t mark = o->mark;
	b->authority = true;
	b->host = i;
	enum verdict first = host_or_literal(v, i, mark, b);
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
	/* B4: a `@` with nothing behind it is not its own */
	enum verdict path = path_at(v, x.at);
	if (path == MORE)
		return MORE;
	size_t end = path == YES ? x.at : x.end;
	while (end > i && mark && v->p[end - 1] == mark && end == x.end)
		end--;
	for (size_t k = end; k > i; k--) {
		if (v->p[k - 1] != '@')
			continue;
		struct body after = *b;
		enum verdict r = host_or_literal(v, k, mark, &after);
		if (r == YES)
			*b = after;
		return r;
	}
	return first;
}

/* ---- bodies without `//` ---- */

/* The byte at i, or -1 at the end of the text or of what is looked at. */
struct reader { const struct view *v; const struct opening *o; size_t i, stop; bool more; };

static int peek(struct reader *r)
{
	if (r->i >= r->stop)
		return -1;
	if (r->i >= r->v->end) {
		r->more = r->more || !r->v->last;
		return -1;
	}
	return r->v->p[r->i];
}

/* What may stand in a word of a URL: not white, no delimiter. */
static bool is_word_byte(int c)
{
	return c > ' ' && c != '<' && c != '>' && c != '"' && c != '`' && c != '\\' && c != 0x7f;
}

static bool is_atext(int c)
{
	return c >= 0x80 || (c > 0 && (is_alnum((uint8_t)c) || c == '.'));
}

static bool one_of(int c, const char *set)
{
	for (; *set; set++)
		if (c == (uint8_t)*set)
			return true;
	return false;
}

static size_t skip(struct reader *r, const char *also)
{
	size_t n = 0;
	for (int c; (c = peek(r)) >= 0 && (is_atext(c) || one_of(c, also)); r->i++)
		n++;
	return n;
}

static size_t digits(struct reader *r)
{
	size_t n = 0;
	for (int c; (c = peek(r)) >= 0 && is_digit((uint8_t)c); r->i++)
		n++;
	return n;
}

/* A host that could exist behind the `@`, or an address literal. */
static bool domain(struct reader *r)
{
	struct host h;
	if (peek(r) == '[') {
		size_t n = 0;
		for (int c; r->i++, (c = peek(r)) > 0 && (is_alnum((uint8_t)c) || c == '.' || c == ':');)
			n++;
		return n && peek(r) == ']';
	}
	enum verdict v = host_read(r->v, r->i, r->o->mark, &h);
	r->more = r->more || v == MORE;
	return v == YES;
}

static bool address(struct reader *r)
{
	if (peek(r) == '?') {
		const char *to = "?to=";
		for (; *to && peek(r) >= 0 && to_lower((uint8_t)peek(r)) == (uint8_t)*to; to++)
			r->i++;
		return !*to && is_word_byte(peek(r));
	}
	if (!skip(r, "!$%&'*+-/=^_{|}~") || peek(r) != '@')
		return false;
	r->i++;
	return domain(r);
}

/* Anything, `@`, and a domain. */
static bool identifier(struct reader *r)
{
	size_t n = 0;
	int c;
	for (; is_word_byte(c = peek(r)) && c != '?' && c != '#' && c != '@'; r->i++)
		n++;
	if (!n || c != '@')
		return false;
	r->i++;
	return domain(r);
}

static bool news(struct reader *r)
{
	int c = peek(r);
	size_t begin = r->i;
	if (c == '*') {
		/* all groups, if alone: asked again when the end is known, which is near */
		struct extent x;
		extent_init(&x, r->i, r->i, 32);
		extent_before(&x, r->o->before);
		r->more = r->more || extent_run(&x, r->v) == MORE;
		if (!x.truncated)
			return true;
	}
	if (c > 0 && is_alpha((uint8_t)c)) {
		/* a group of one word is prose as well: one with a dot is none */
		while ((c = peek(r)) >= 0x80 || (c > 0 && (is_alnum((uint8_t)c) || one_of(c, "+-_"))))
			r->i++;
		if (c == '.') {
			r->i++;
			c = peek(r);
			if (c >= 0x80 || (c > 0 && is_alnum((uint8_t)c)))
				return true;
		}
	}
	r->i = begin;
	return identifier(r);
}

static bool urn(struct reader *r)
{
	size_t n = 0;
	int c;
	for (; (c = peek(r)) > 0 && n < 32 && (is_alnum((uint8_t)c) || (n && c == '-')); r->i++)
		n++;
	if (n < 2 || c != ':')
		return false;
	r->i++;
	c = peek(r);
	return is_word_byte(c) && !one_of(c, "/?#");
}

static bool phone(struct reader *r)
{
	size_t n = 0;
	if (peek(r) == '(')
		return false; /* `Tel:(555) ...` is a label */
	for (int c; (c = peek(r)) >= 0 && (is_digit((uint8_t)c) || one_of(c, "+-.()*%#")); r->i++)
		n += is_digit((uint8_t)c);
	return n >= 3;
}

static bool address_or_host(struct reader *r)
{
	struct host h;
	size_t begin = r->i;
	if (skip(r, "!$%&'*+-=^_{|}~:") && peek(r) == '@') {
		r->i++;
		return domain(r);
	}
	enum verdict v = host_read(r->v, begin, r->o->mark, &h);
	r->more = r->more || v == MORE;
	return v == YES && h.labels > 1;
}

static bool geo(struct reader *r)
{
	if (peek(r) == '-')
		r->i++;
	size_t n = digits(r);
	if (n && peek(r) == '.') {
		r->i++;
		n = digits(r);
	}
	if (!n || peek(r) != ',')
		return false;
	r->i++;
	if (peek(r) == '-')
		r->i++;
	return digits(r);
}

static bool query(struct reader *r)
{
	size_t n = 0;
	if (peek(r) != '?')
		return false;
	for (int c; r->i++, is_word_byte(c = peek(r)); n++)
		if (n && c == '=')
			return true;
	return false;
}

static bool token(struct reader *r)
{
	size_t n = 0;
	bool odd = false;
	for (int c; (c = peek(r)) > 0 && is_alnum((uint8_t)c); r->i++, n++)
		odd |= is_digit((uint8_t)c) || c < 'a';
	return n >= 5 && odd;
}

static bool path(struct reader *r)
{
	int c = peek(r);
	if (c <= 0 || !is_alnum((uint8_t)c))
		return false;
	for (bool slash = false; is_word_byte(c = peek(r)) && !one_of(c, "?#"); r->i++) {
		if (slash)
			return true;
		slash = c == '/';
	}
	return false;
}

static bool file(struct reader *r)
{
	if (peek(r) != '/')
		return false;
	r->i++;
	int c = peek(r);
	return c > 0 && (is_alnum((uint8_t)c) || one_of(c, "._~%-") || c >= 0x80);
}

/* Inside delimiters a scheme known by name takes anything that does not read
 * like a word of a program (`<info:foo>`). */
static bool delimited_word(struct reader *r)
{
	for (int c; (c = peek(r)) >= 0 && is_word_byte(c); r->i++)
		if (is_digit((uint8_t)c) || one_of(c, "/.?=&%#-_~@,"))
			return true;
	return false;
}

/* An identifier without `@`, as `foo-2.png`: a digit and a full stop inside. */
static bool file_name(struct reader *r)
{
	bool digit = false, stop = false;
	int before = peek(r);
	if (before <= 0 || !is_alnum((uint8_t)before))
		return false;
	for (int c; !(digit && stop) && is_word_byte(c = peek(r)) && c != '@'; r->i++, before = c) {
		digit |= is_digit((uint8_t)c);
		stop |= before == '.' && c < 0x80 && is_alnum((uint8_t)c);
	}
	return digit && stop;
}

static bool word(struct reader *r) { return is_word_byte(peek(r)); }

static bool (*const checks[])(struct reader *) = {
	[BODY_FILE] = file, [BODY_ADDRESS] = address, [BODY_NEWS] = news, [BODY_ID] = identifier,
	[BODY_URN] = urn, [BODY_PHONE] = phone, [BODY_ADDRESS_OR_HOST] = address_or_host, [BODY_GEO] = geo,
	[BODY_QUERY] = query, [BODY_TOKEN] = token, [BODY_PATH] = path, [BODY_SWALLOW] = word
};

enum verdict body_check(const struct view *v, size_t i, const struct scheme *row, bool delimited, const struct opening *o, struct body *b)
{
	size_t slashes;
	*b = (struct body){.rest = i};
	enum verdict r = body_slashes(v, i, &slashes);
	if (r == MORE)
		return MORE;
	b->hier = slashes > 0;
	b->escaped = slashes == 4;
	enum scheme_body kind = row ? (enum scheme_body)row->body : BODY_ANY;
	if (slashes && kind != BODY_SWALLOW) {
		b->rest = i + slashes;
		/* what may do without `//` has a host behind it */
		if (kind == BODY_HOST || kind == BODY_NEWS || kind == BODY_ADDRESS_OR_HOST)
			return body_authority(v, b->rest, o, b);
		return YES; /* B10: the extent tells whether anything is left */
	}
	struct reader reader = {v, o, i, i + LINE_LOOK, false};
	bool (*check)(struct reader *) = checks[kind];
	bool ok = check && check(&reader);
	if (!ok && kind == BODY_ID) {
		reader.i = i;
		ok = file_name(&reader);
	}
	if (!ok && delimited && (kind == BODY_NEVER || kind == BODY_ID)) {
		reader.i = i;
		ok = delimited_word(&reader);
	}
	view_work(v, reader.i - i);
	if (ok && kind == BODY_NEWS && v->p[i] == '*')
		b->rest = i + 1; /* all groups, no emphasis */
	return reader.more ? MORE : ok ? YES : NO;
}

bool body_whole(const struct view *v, size_t i, const struct scheme *row, bool delimited, struct body *b)
{
	struct opening none = {.begin = i};
	bool all = row && row->body == BODY_NEWS && i + 1 < v->end && v->p[i] == '*';
	if (all || (row && row->body == BODY_ID && memchr(v->p + i, '@', v->end - i))) {
		struct reader r = {v, &none, i, i + LINE_LOOK, false};
		*b = (struct body){.rest = i};
		return identifier(&r);
	}
	return body_check(v, i, row, delimited, &none, b) == YES;
}
