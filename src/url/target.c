#include "url.h"

#include "path.h"
#include "scheme.h"
#include "text/unicode.h"
#include "text/bytes.h"
#include "text/match.h"

#include <stdbool.h>
#include <string.h>

/* The classes of RFC 3986.  BAD must be encoded in every component. */
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

enum { /* how a component is written */
	NORMAL = 1,       /* decode escapes of unreserved characters, upper-case the others */
	LOWER = UPPER,    /* letters in lower case, except those of escapes */
	HIDE_AT = AT,     /* encode `@` */
	HIDE_COLON = COLON /* encode `:` */
};

/* Writes the escapes of n bytes, at most those of a character. */
static void put_escapes(struct sink *s, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "0123456789ABCDEF";
	char escapes[3 * 4];
	for (size_t i = 0; i < n; i++) {
		escapes[3 * i] = '%';
		escapes[3 * i + 1] = digits[bytes[i] >> 4];
		escapes[3 * i + 2] = digits[bytes[i] & 15];
	}
	sink_bytes(s, escapes, 3 * n);
}

static char fold(uint8_t c, unsigned how)
{
	return (char)(how & LOWER ? to_lower(c) : c);
}

/* The first byte of one of the classes `stop`. */
static const uint8_t *find_class(const uint8_t *p, const uint8_t *end, unsigned stop)
{
	while (p < end && !(traits[*p] & stop))
		p++;
	return p;
}

/* The first byte that cannot be copied. */
static const uint8_t *run_end(const uint8_t *p, const uint8_t *end, unsigned how)
{
	return find_class(p, end, BAD | PERCENT | HASH | (how & (LOWER | HIDE_AT | HIDE_COLON)));
}

/* Writes a component, or a piece of one that cuts no escape and no character. */
static void put_component(struct sink *s, const uint8_t *p, const uint8_t *end, unsigned how)
{
	while (p < end) {
		const uint8_t *start = p;
		p = run_end(p, end, how);
		sink_bytes(s, start, (size_t)(p - start));
		if (p == end)
			return;
		const int byte = hex_escape(p, end);
		if (byte >= 0) {
			if (!(how & NORMAL))
				sink_bytes(s, p, 3);
			else if (traits[byte] & UNRESERVED)
				sink_put(s, fold((uint8_t)byte, how));
			else
				put_escapes(s, &(uint8_t){(uint8_t)byte}, 1);
			p += 3;
		} else if (traits[*p] & how & LOWER) {
			sink_put(s, fold(*p++, how));
		} else {
			uint32_t cp;
			uint8_t bytes[4];
			p += utf8_next(p, (size_t)(end - p), &cp);
			put_escapes(s, bytes, utf8_put(bytes, cp));
		}
	}
}

/* ---- Components ----------------------------------------------------------- */

struct parts {
	const char *scheme;   /* of the text, or supplied */
	size_t scheme_length; /* 0 for none */
	bool has_authority;
	const uint8_t *authority, *host, *path, *query, *fragment, *end; /* each ends where the next begins */
};

static bool scheme_is_among(const struct parts *u, const char *names)
{
	return ascii_is_among(u->scheme, u->scheme_length, names);
}

/* ---- Authority (RFC 3986 section 3.2) ------------------------------------ */

/* The end of the IP literal at p, after its `]`; NULL where there is none.  An IPv6 address may have a zone after `%`
 * (RFC 6874). */
static const uint8_t *literal_end(const uint8_t *p, const uint8_t *end)
{
	const size_t n = (size_t)(end - p);
	if (!text_begins(p, n, "["))
		return NULL;
	size_t i, close = byte_index(p, 0, n, ']');
	if (close == n || (close + 1 < n && p[close + 1] != ':'))
		return NULL;
	if ((p[1] | 0x20) == 'v') {
		const size_t version = match_bytes(p + 2, close - 2, MATCH_HEX "+[.]");
		if (!version || version + 1 == close)
			return NULL;
		i = (size_t)(run_end(p + 1 + version, p + close, HIDE_AT) - p);
	} else {
		i = byte_after(p, 1, close, HEX_DIGITS ":.");
		if (byte_index(p, byte_index(p, 1, i, ':') + 1, i, ':') == i) /* not two of them */
			return NULL;
		if (byte_at(p, i, close) == '%')
			for (i++; i < close && (p[i] == '%' || traits[p[i]] & UNRESERVED);)
				i++;
	}
	return i == close ? p + close + 1 : NULL;
}

/* Whether a host has characters beyond ASCII, in the normal form also as escapes.  No, where an escape of a delimiter
 * prevents its decoding. */
static bool is_beyond_ascii(const uint8_t *p, const uint8_t *end, unsigned how)
{
	bool beyond = false;
	for (; p < end; p++) {
		const bool escaped = *p == '%';
		const int byte = escaped ? hex_escape(p, end) : *p;
		if (byte < 0 || (escaped && (!(how & NORMAL) || (byte < 0x80 && !(traits[byte] & UNRESERVED)))))
			return false;
		beyond |= byte >= 0x80;
	}
	return beyond;
}

/* Nothing is decoded in a literal or a port, and a registered name with a second colon has no port: so the output reads
 * like the input. */
static void put_authority(struct sink *s, const struct parts *u, unsigned how)
{
	const uint8_t *host = u->host, *end = u->path;
	if (host > u->authority) {
		put_component(s, u->authority, host - 1, how | HIDE_AT);
		sink_put(s, '@');
	}
	const uint8_t *port = literal_end(host, end);
	const unsigned host_how = bits_if(how & NORMAL, NORMAL | LOWER);
	if (port) {
		sink_put(s, '[');
		put_component(s, host + 1, port - 1, host_how & LOWER);
		sink_put(s, ']');
	} else {
		port = find_byte(host, end, ':');
		if (port < end && find_byte(port + 1, end, ':') < end)
			port = end;
		const uint8_t *from = host, *to = port;
		char labels[256];
		size_t n = 0;
		if (is_beyond_ascii(host, port, host_how)) {
			/* as A-labels (RFC 5890), where it has them */
			enum idna idna = idna_ask(s->memo, host, (size_t)(port - host), labels, &n);
			s->failed |= idna == IDNA_NO_MEMORY;
			if (idna >= IDNA_FOUND) {
				from = (const uint8_t *)labels;
				to = from + n;
			}
		}
		put_component(s, from, to, host_how);
	}
	uint64_t number;
	if (port < end && how & NORMAL && usable_port(port + 1, (size_t)(end - port) - 1, &number)) {
		/* without one that is empty or the scheme's (RFC 3986 section 3.2.3) */
		const struct scheme *row = scheme_find(u->scheme, u->scheme_length);
		if (port + 1 == end || (row && number && row->port == number))
			return;
	}
	put_component(s, port, end, 0);
}

/* ---- Path ---------------------------------------------------------------- */

/* A segment, with the slash before it. */
static void put_segment(struct sink *s, const struct path *p, size_t from, size_t to)
{
	sink_put(s, '/');
	put_component(s, (const uint8_t *)p->tail + from + 1, (const uint8_t *)p->tail + to, NORMAL);
}

static void put_path(struct sink *s, const struct parts *u, unsigned how)
{
	const uint8_t *p = u->path, *end = u->query;
	if (how & NORMAL && !u->has_authority && scheme_is_among(u, "mailto")) {
		/* domains in lower case, local parts as they are (RFC 6068) */
		for (const uint8_t *comma; p < end; p = comma + (comma < end)) {
			comma = find_byte(p, end, ',');
			const uint8_t *domain = p + byte_last(p, 0, (size_t)(comma - p), '@');
			put_component(s, p, domain, NORMAL);
			put_component(s, domain, comma, domain > p ? NORMAL | LOWER : NORMAL);
			sink_bytes(s, comma, comma < end);
		}
	} else if (how & NORMAL && byte_at(p, 0, (size_t)(end - p)) == '/') {
		struct path path = { .tail = (const char *)p, .length = (size_t)(end - p) };
		path_put_dotless(s, &path, 0, DOTS_ESCAPED | bits_if(u->has_authority, DOTS_AUTHORITY), put_segment);
	} else if (how & NORMAL && p == end && u->has_authority && scheme_is_among(u, "http https")) {
		sink_put(s, '/');
	} else {
		/* a colon in the first segment would make it a scheme (RFC 3986 section 4.2) */
		const uint8_t *first = u->scheme_length ? p : find_byte(p, end, '/');
		put_component(s, p, first, how | HIDE_COLON);
		put_component(s, first, end, how);
	}
}

/* ---- The URL --------------------------------------------------------------- */

/* Splits, and writes the parts; what is not a scheme by RFC 3986 belongs to the path. */
static void put_parts(struct sink *s, const char *supplied, const uint8_t *text, size_t n, unsigned how)
{
	urlsift_url url;
	size_t scheme = *supplied ? 0 : scheme_prefix(text, n);
	split_rest((const char *)text, n, scheme + (scheme > 0), strchr(supplied, '/') != NULL, &url);
	url.scheme = (urlsift_component){ 0, scheme, scheme > 0 };
	const uint8_t *path = text + url.path.offset;
	struct parts u = {
		.scheme = text_full_or(supplied, url.text),
		.scheme_length = scheme + strcspn(supplied, ":"), /* one of them is 0 */
		.has_authority = url.authority.present, .authority = text + url.authority.offset,
		.host = text + url.host.offset, .path = path, .query = path + url.path.length,
		.fragment = text + url_fragment_begin(&url), .end = text + n,
	};
	for (size_t i = 0; i < u.scheme_length; i++)
		sink_put(s, fold((uint8_t)u.scheme[i], bits_if(how & NORMAL, LOWER)));
	sink_bytes(s, ":", u.scheme_length > 0);
	if (u.has_authority) {
		sink_bytes(s, "//", 2);
		put_authority(s, &u, how);
	}
	put_path(s, &u, how);
	put_component(s, u.query, u.fragment, how); /* with its `?`, which may stand in it */
	if (u.fragment < u.end) {
		sink_put(s, '#');
		put_component(s, u.fragment + 1, u.end, how);
	}
}

/* Whether what follows the authority is in normal form: one `#` begins the fragment, and nothing is encoded, or in
 * another way. */
static bool is_rest(const uint8_t *p, const uint8_t *end)
{
	bool hash = false;
	for (; (p = run_end(p, end, 0)) < end; p++) {
		const int byte = hex_escape(p, end);
		if (byte < 0 ? hash || *p != '#' : traits[byte] & UNRESERVED || p[1] >= 'a' || p[2] >= 'a')
			return false;
		hash |= *p == '#';
	}
	return true;
}

void target_put(struct sink *s, const char *supplied, const uint8_t *text, size_t n)
{
	put_parts(s, supplied, text, n, 0);
}

size_t target_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	target_put(&s, supplied, text, n);
	return sink_length(&s);
}

/* Whether the URL is its own normal form, as most are: a scheme in lower case, no escape that is written in another
 * way, and no authority but a host in lower case, a path without dot segments after it.  *slash: but for the path,
 * which is empty.  False: not decided. */
static bool is_normal(const uint8_t *text, size_t n, bool *slash)
{
	const unsigned in_host = BAD | PERCENT | AT | UPPER | COLON | SLASH | QUESTION | HASH;
	const size_t scheme = scheme_prefix(text, n);
	const uint8_t *end = text + n, *p = text + scheme;
	*slash = false;
	if (p == text || find_class(text, p, UPPER) < p)
		return false;
	if (byte_at(p, 1, (size_t)(end - p)) != '/') /* the domains of mailto are in lower case */
		return !text_begins(text, n, "mailto:") && is_rest(p + 1, end);
	if (end - p < 3 || p[2] != '/')
		return false;
	p = find_class(p + 3, end, in_host);
	if (p == end)
		return *slash = text_is_among(text, scheme, "http https");
	if (*p != '/' || !is_rest(p, end))
		return false;
	while ((p = find_byte(p, end, '.')) < end)
		if (p++[-1] == '/')
			return false;
	return true;
}

void normal_put(struct sink *s, const char *supplied, const uint8_t *text, size_t n)
{
	bool slash;
	if (*supplied || !is_normal(text, n, &slash)) {
		put_parts(s, supplied, text, n, NORMAL);
		return;
	}
	sink_bytes(s, text, n);
	sink_bytes(s, "/", slash);
}

size_t normal_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	normal_put(&s, supplied, text, n);
	return sink_length(&s);
}

size_t urlsift_url_target(const urlsift_url *url, char *out, size_t size)
{
	return target_write("", (const uint8_t *)url->text, url->length, out, size);
}

size_t urlsift_url_normal(const urlsift_url *url, char *out, size_t size)
{
	return normal_write("", (const uint8_t *)url->text, url->length, out, size);
}
