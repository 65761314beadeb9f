#include "url.h"

#include "path.h"
#include "scheme.h"
#include "text/unicode.h"

#include <stdbool.h>
#include <string.h>

/* What RFC 3986 says of each byte.  BAD must be encoded in every component. */
enum {
	BAD = 1, UNRESERVED = 2, UPPER = 4, PERCENT = 8, AT = 16, COLON = 32, QUESTION = 64, HASH = 128,
	SLASH = 256, DOT = 512
};
enum {
	X = BAD, R = 0, N = UNRESERVED, U = UNRESERVED | UPPER, P = PERCENT, A = AT, C = COLON, Q = QUESTION, H = HASH,
	S = SLASH, D = UNRESERVED | DOT
};
static const uint16_t traits[256] = {
	X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	X, R, X, H, R, P, R, R, R, R, R, R, R, N, D, S, /*   ! " # $ % & ' ( ) * + , - . / */
	N, N, N, N, N, N, N, N, N, N, C, R, X, R, X, Q, /* 0-9 : ; < = > ? */
	A, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, /* @ A-O */
	U, U, U, U, U, U, U, U, U, U, U, X, X, X, X, N, /* P-Z [ \ ] ^ _ */
	X, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, /* ` a-o */
	N, N, N, N, N, N, N, N, N, N, N, X, X, X, N, X, /* p-z { | } ~ DEL */
	X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X
};

enum { /* how a component is written: what in it does not stand as it is */
	NORMAL = 1,       /* decode escapes of unreserved characters, upper-case the others */
	LOWER = UPPER,    /* letters in lower case, those of escapes apart */
	HIDE_AT = AT,     /* encode `@` */
	HIDE_COLON = COLON /* encode `:` */
};

static void put_escape(struct sink *s, uint8_t byte)
{
	static const char digits[] = "0123456789ABCDEF";
	sink_put(s, '%');
	sink_put(s, digits[byte >> 4]);
	sink_put(s, digits[byte & 15]);
}

static char fold(uint8_t c, unsigned how)
{
	return (char)(how & LOWER && c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* The first byte that does not stand as it is. */
static const uint8_t *run_end(const uint8_t *p, const uint8_t *end, unsigned how)
{
	unsigned stop = BAD | PERCENT | HASH | (how & (LOWER | HIDE_AT | HIDE_COLON));
	while (p < end && !(traits[*p] & stop))
		p++;
	return p;
}

static const uint8_t *put_character(struct sink *s, const uint8_t *p, const uint8_t *end)
{
	uint32_t cp;
	uint8_t bytes[4];
	size_t taken = utf8_next(p, (size_t)(end - p), &cp);
	size_t n = utf8_put(bytes, cp);
	for (size_t i = 0; i < n; i++)
		put_escape(s, bytes[i]);
	return p + taken;
}

/* Writes one component, or a piece of one that no escape or character straddles. */
static void put_component(struct sink *s, const uint8_t *p, const uint8_t *end, unsigned how)
{
	for (;;) {
		const uint8_t *start = p;
		p = run_end(p, end, how);
		sink_bytes(s, start, (size_t)(p - start));
		if (p == end)
			return;
		int byte = hex_escape(p, end);
		if (byte < 0) {
			if (traits[*p] & how & LOWER)
				sink_put(s, fold(*p++, how));
			else
				p = put_character(s, p, end);
			continue;
		}
		if (!(how & NORMAL))
			sink_bytes(s, p, 3);
		else if (traits[byte] & UNRESERVED)
			sink_put(s, fold((uint8_t)byte, how));
		else
			put_escape(s, (uint8_t)byte);
		p += 3;
	}
}

/* ---- Splitting (RFC 3986 appendix B) ------------------------------------- */

struct url {
	const uint8_t *scheme; /* in the text or in what was supplied */
	size_t scheme_length;  /* 0 for none */
	bool has_authority;
	const uint8_t *authority, *path, *query, *fragment, *end; /* each ends where the next begins */
	unsigned in_authority, in_path, behind; /* the traits of the bytes there */
};

/* The first byte of the traits `stop`; adds to *seen those before it. */
static const uint8_t *find_trait(const uint8_t *p, const uint8_t *end, unsigned stop, unsigned *seen)
{
	unsigned all = 0;
	for (; p < end && !(traits[*p] & stop); p++)
		all |= traits[*p];
	*seen |= all;
	return p;
}

static const uint8_t *find(const uint8_t *p, const uint8_t *end, char c)
{
	const uint8_t *found = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
	return found ? found : end;
}

static size_t scheme_length(const uint8_t *p, size_t n)
{
	size_t i = 0;
	while (i < n && (is_alpha(p[i]) || (i && (is_digit(p[i]) || p[i] == '+' || p[i] == '-' || p[i] == '.'))))
		i++;
	return i < n && p[i] == ':' ? i : 0;
}

static void split(struct url *u, const char *supplied, const uint8_t *text, size_t n)
{
	const uint8_t *p = text, *end = text + n;
	bool slashes = false;
	if (*supplied) {
		u->scheme = (const uint8_t *)supplied;
		u->scheme_length = strcspn(supplied, ":");
		slashes = strchr(supplied, '/') != NULL;
	} else {
		u->scheme = text;
		u->scheme_length = scheme_length(text, n);
		if (u->scheme_length)
			p += u->scheme_length + 1;
	}
	if (!slashes && end - p >= 2 && p[0] == '/' && p[1] == '/') {
		slashes = true;
		p += 2;
	}
	u->in_authority = u->in_path = u->behind = 0;
	u->has_authority = slashes;
	u->authority = p;
	u->path = slashes ? find_trait(p, end, SLASH | QUESTION | HASH, &u->in_authority) : p;
	u->query = find_trait(u->path, end, QUESTION | HASH, &u->in_path);
	u->fragment = find_trait(u->query, end, HASH, &u->behind);
	u->end = u->fragment < end ? find_trait(u->fragment + 1, end, 0, &u->behind) : end;
}

static bool scheme_is(const struct url *u, const char *name)
{
	for (size_t i = 0; i < u->scheme_length; i++)
		if (fold(u->scheme[i], LOWER) != name[i])
			return false;
	return name[u->scheme_length] == '\0';
}

/* ---- Authority (RFC 3986 section 3.2) ------------------------------------ */

/* Behind the IP literal at p, `]` included; NULL where there is none.  An IPv6
 * address may carry a zone behind `%` (RFC 6874). */
static const uint8_t *literal_end(const uint8_t *p, const uint8_t *end)
{
	if (p == end || *p != '[')
		return NULL;
	const uint8_t *close = find(p, end, ']');
	if (close == end || (close + 1 < end && close[1] != ':'))
		return NULL;
	p++;
	const uint8_t *start = p;
	if (p < close && (*p | 0x20) == 'v') {
		for (p++; p < close && hex_digit(*p) < 16; p++)
			;
		if (p == start + 1 || close - p < 2 || *p != '.')
			return NULL;
		p = run_end(p + 1, close, HIDE_AT);
	} else {
		size_t colons = 0;
		for (; p < close && (hex_digit(*p) < 16 || *p == ':' || *p == '.'); p++)
			colons += *p == ':';
		if (colons < 2)
			return NULL;
		if (p < close && *p == '%')
			for (p++; p < close && (*p == '%' || traits[*p] & UNRESERVED); p++)
				;
	}
	return p == close ? close + 1 : NULL;
}

/* The empty port, and the scheme's own (RFC 3986 section 3.2.3). */
static bool port_says_nothing(const struct url *u, const uint8_t *p, const uint8_t *end)
{
	if (p == end)
		return true;
	uint32_t value = 0;
	for (; p < end; p++) {
		if (!is_digit(*p))
			return false;
		value = value * 10 + (*p - '0');
		if (value > UINT16_MAX)
			return false;
	}
	const struct scheme *row = scheme_find((const char *)u->scheme, u->scheme_length);
	return row && row->port && row->port == value;
}

/* Whether a host is beyond ASCII, as written or, in the normal form, in escapes;
 * those of delimiters keep it from being decoded. */
static bool is_beyond_ascii(const uint8_t *p, const uint8_t *end, unsigned how)
{
	bool beyond = false;
	for (; p < end; p++) {
		int byte = *p == '%' ? hex_escape(p, end) : *p;
		if (byte < 0 || (*p == '%' && !(how & NORMAL)))
			return false;
		if (*p == '%' && byte < 0x80 && !(traits[byte] & UNRESERVED))
			return false;
		beyond = beyond || byte >= 0x80;
	}
	return beyond;
}

/* Writes such a host as A-labels (RFC 5890); false for one that has none. */
static bool put_labels(struct sink *s, const uint8_t *p, const uint8_t *end, unsigned how)
{
	char labels[256];
	size_t n = 0;
	if (!is_beyond_ascii(p, end, how) || !idna_to_ascii(p, (size_t)(end - p), labels, &n))
		return false;
	put_component(s, (const uint8_t *)labels, (const uint8_t *)labels + n, how);
	return true;
}

/* Nothing is decoded in a literal or a port, and a registered name with a colon
 * of its own has no port: so what comes out is read again as it was. */
static void put_authority(struct sink *s, const struct url *u, unsigned how)
{
	const uint8_t *host = u->authority, *end = u->path;
	for (const uint8_t *p = end; p > u->authority; p--)
		if (p[-1] == '@') {
			put_component(s, u->authority, p - 1, how | HIDE_AT);
			sink_put(s, '@');
			host = p;
			break;
		}
	const uint8_t *port = literal_end(host, end);
	unsigned host_how = how & NORMAL ? NORMAL | LOWER : 0;
	if (port) {
		sink_put(s, '[');
		put_component(s, host + 1, port - 1, host_how & LOWER);
		sink_put(s, ']');
	} else {
		port = find(host, end, ':');
		if (port < end && find(port + 1, end, ':') < end)
			port = end;
		if (!(u->in_authority & (BAD | PERCENT)) || !put_labels(s, host, port, host_how))
			put_component(s, host, port, host_how);
	}
	if (port < end && !(how & NORMAL && port_says_nothing(u, port + 1, end)))
		put_component(s, port, end, 0);
}

/* ---- Path ---------------------------------------------------------------- */

/* 1 for `.`, 2 for `..`, written plainly or escaped; 0 for any other segment. */
static unsigned dots_in(const uint8_t *p, const uint8_t *end)
{
	unsigned dots = 0;
	while (p < end && dots < 3) {
		if (*p != '.' && hex_escape(p, end) != '.')
			return 0;
		p += *p == '.' ? 1 : 3;
		dots++;
	}
	return dots < 3 ? dots : 0;
}

/* Removes dot segments (RFC 3986 section 5.2.4) walking from the right, where
 * `..` is a debt that the next segments pay: linear, and with nothing to keep. */
struct walk {
	const uint8_t *path; /* begins with a slash */
	const uint8_t *end;  /* of what is still to be walked */
	size_t debt;
	bool begun;
};

/* The next segment that stays, without its slash; false at the beginning. */
static bool walk_back(struct walk *w, const uint8_t **segment, const uint8_t **end)
{
	while (w->end > w->path) {
		const uint8_t *p = w->end, *stop = w->end;
		while (p[-1] != '/')
			p--;
		w->end = p - 1;
		unsigned dots = dots_in(p, stop);
		bool last = !w->begun;
		w->begun = true;
		if (!dots && w->debt) {
			w->debt--;
			continue;
		}
		if (dots == 2)
			w->debt++;
		if (!dots || last) { /* of last dots the slash before them stays */
			*segment = p;
			*end = dots ? p : stop;
			return true;
		}
	}
	return false;
}

static size_t component_size(const uint8_t *p, const uint8_t *end)
{
	struct sink counter = { NULL, 0, 0 };
	put_component(&counter, p, end, NORMAL);
	return counter.used;
}

static void put_dotless(struct sink *s, const struct url *u)
{
	const uint8_t *segment = NULL, *end = NULL;
	size_t length = 0, count = 0;
	for (struct walk w = { u->path, u->query, 0, false }; walk_back(&w, &segment, &end); count++)
		length += 1 + component_size(segment, end);
	/* Without an authority a path that begins with two slashes would read as one. */
	if (!u->has_authority && count > 1 && segment == end)
		sink_bytes(s, "/.", 2);
	size_t stop = s->used + length, at = stop;
	for (struct walk w = { u->path, u->query, 0, false }; walk_back(&w, &segment, &end);) {
		at -= 1 + component_size(segment, end);
		s->used = at;
		sink_put(s, '/');
		put_component(s, segment, end, NORMAL);
	}
	s->used = stop;
}

/* Domains of a mailto path in lower case, local parts as they are (RFC 6068). */
static void put_addresses(struct sink *s, const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		const uint8_t *comma = find(p, end, ','), *domain = comma;
		while (domain > p && domain[-1] != '@')
			domain--;
		put_component(s, p, domain, NORMAL);
		put_component(s, domain, comma, domain > p ? NORMAL | LOWER : NORMAL);
		if (comma < end)
			sink_put(s, ',');
		p = comma < end ? comma + 1 : end;
	}
}

/* A cheap look that spares nearly every path the walk: `/` and `.` or an escape. */
static bool may_have_dots(const uint8_t *p, const uint8_t *end)
{
	if (p == end || *p != '/')
		return false;
	for (p++; p < end; p++)
		if (p[-1] == '/' && (*p == '.' || *p == '%'))
			return true;
	return false;
}

static void put_path(struct sink *s, const struct url *u, unsigned how)
{
	const uint8_t *p = u->path, *end = u->query;
	if (how & NORMAL && !u->has_authority && scheme_is(u, "mailto")) {
		put_addresses(s, p, end);
	} else if (how & NORMAL && may_have_dots(p, end)) {
		put_dotless(s, u);
	} else if (how & NORMAL && p == end && u->has_authority && (scheme_is(u, "http") || scheme_is(u, "https"))) {
		sink_put(s, '/');
	} else {
		/* A colon in the first segment would make a scheme of it (RFC 3986 section 4.2). */
		const uint8_t *first = u->scheme_length ? p : find(p, end, '/');
		put_component(s, p, first, how | HIDE_COLON);
		put_component(s, first, end, how);
	}
}

/* Most URLs are written as they stand.  Whether the part before the path is. */
static bool head_stands(const struct url *u, unsigned how)
{
	if (u->in_authority & (BAD | PERCENT | AT))
		return false;
	/* the scheme's own port is left out */
	if (how & NORMAL && u->in_authority & (UPPER | COLON))
		return false;
	for (size_t i = 0; i < u->scheme_length; i++)
		if (how & NORMAL && traits[u->scheme[i]] & UPPER)
			return false;
	return true;
}

/* Whether the path and what is behind it is. */
static bool rest_stands(const struct url *u, unsigned how)
{
	if ((u->in_path | u->behind) & (BAD | PERCENT | HASH) || !u->scheme_length)
		return false;
	if (!(how & NORMAL))
		return true;
	/* an empty path may become `/`, a mailto's domains lower case */
	if (u->has_authority ? u->path == u->query : u->in_path & UPPER)
		return false;
	return !(u->in_path & DOT && may_have_dots(u->path, u->query));
}

static void put_head(struct sink *s, const struct url *u, unsigned how)
{
	for (size_t i = 0; i < u->scheme_length; i++)
		sink_put(s, fold(u->scheme[i], how & NORMAL ? LOWER : 0));
	if (u->scheme_length)
		sink_put(s, ':');
	if (u->has_authority) {
		sink_bytes(s, "//", 2);
		put_authority(s, u, how);
	}
}

static void put_rest(struct sink *s, const struct url *u, unsigned how)
{
	put_path(s, u, how);
	if (u->query < u->fragment) {
		sink_put(s, '?');
		put_component(s, u->query + 1, u->fragment, how);
	}
	if (u->fragment < u->end) {
		sink_put(s, '#');
		put_component(s, u->fragment + 1, u->end, how);
	}
}

/* Whether a URL with a scheme stands as it is whatever its components are: most do. */
static bool stands_whole(const uint8_t *text, size_t n)
{
	unsigned all = 0;
	size_t i = 0;
	for (; n - i >= 4; i += 4)
		all |= (unsigned)traits[text[i]] | traits[text[i + 1]] | traits[text[i + 2]] | traits[text[i + 3]];
	for (; i < n; i++)
		all |= traits[text[i]];
	return !(all & (BAD | PERCENT | AT | HASH)) && scheme_length(text, n);
}

static size_t write_url(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size, unsigned how)
{
	struct sink s = { out, size, 0 };
	struct url u;
	split(&u, supplied, text, n);
	if (head_stands(&u, how)) {
		if (*supplied)
			sink_bytes(&s, supplied, strlen(supplied));
		sink_bytes(&s, text, (size_t)(u.path - text));
	} else {
		put_head(&s, &u, how);
	}
	if (rest_stands(&u, how))
		sink_bytes(&s, u.path, (size_t)(u.end - u.path));
	else
		put_rest(&s, &u, how);
	return s.used;
}

size_t target_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size)
{
	if (!*supplied && stands_whole(text, n)) {
		if (size)
			memcpy(out, text, n < size ? n : size);
		return n;
	}
	return write_url(supplied, text, n, out, size, 0);
}

size_t normal_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size)
{
	return write_url(supplied, text, n, out, size, NORMAL);
}

/* Whether a segment of the path begins with a full stop, or one of the search does. */
static bool may_have_stops(const uint8_t *path, const uint8_t *end)
{
	for (const uint8_t *p = find(path, end, '.'); p < end; p = find(p + 1, end, '.'))
		if (p > path && p[-1] == '/')
			return true;
	return false;
}

size_t normal_write_target(const uint8_t *text, size_t n, size_t head, char *out, size_t size)
{
	unsigned seen = 0;
	find_trait(text, text + head, 0, &seen);
	if (seen & UPPER || head == n || text[head] != '/' || may_have_stops(text + head, text + n))
		return write_url("", text, n, out, size, NORMAL);
	struct sink s = { out, size, 0 };
	sink_bytes(&s, text, n);
	return n;
}
