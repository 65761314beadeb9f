#include "target.h"

#include "scheme.h"
#include "text/utf8.h"

#include <stdbool.h>
#include <string.h>

/* What RFC 3986 says of each ASCII character: u unreserved, r reserved and free
 * to stand in any component, % itself, a blank for what must be encoded.  `[`,
 * `]` and `#` are among the last: they are delimiters only, and written apart. */
static const char kinds[256] =
	"                                "
	" r  r%rrrrrrruur" /*   ! " # $ % & ' ( ) * + , - . / */
	"uuuuuuuuuurr r r" /* 0-9 : ; < = > ? */
	"ruuuuuuuuuuuuuuu" /* @ A-O */
	"uuuuuuuuuuu    u" /* P-Z [ \ ] ^ _ */
	" uuuuuuuuuuuuuuu" /* ` a-o */
	"uuuuuuuuuuu   u "; /* p-z { | } ~ DEL */

enum { /* how a component is written */
	NORMAL = 1,     /* decode escapes of unreserved characters, upper-case the others */
	LOWER = 2,      /* letters in lower case, those of escapes apart */
	HIDE_AT = 4,    /* encode `@` */
	HIDE_COLON = 8  /* encode `:` */
};

/* Where output goes: counted to the end, kept as far as there is room.  `used`
 * is also the place written to next. */
struct sink {
	char *out;
	size_t size;
	size_t used;
};

static void put(struct sink *s, char c)
{
	if (s->used < s->size)
		s->out[s->used] = c;
	s->used++;
}

static void put_bytes(struct sink *s, const void *bytes, size_t n)
{
	if (s->used < s->size)
		memcpy(s->out + s->used, bytes, n < s->size - s->used ? n : s->size - s->used);
	s->used += n;
}

static void put_escape(struct sink *s, uint8_t byte)
{
	static const char digits[] = "0123456789ABCDEF";
	put(s, '%');
	put(s, digits[byte >> 4]);
	put(s, digits[byte & 15]);
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(uint8_t c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* 16 for what is no hexadecimal digit. */
static unsigned hex_value(uint8_t c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 16;
}

/* The byte that the escape at p means, -1 where there is none. */
static int escaped(const uint8_t *p, const uint8_t *end)
{
	if (end - p < 3 || *p != '%')
		return -1;
	unsigned high = hex_value(p[1]), low = hex_value(p[2]);
	return high < 16 && low < 16 ? (int)(high << 4 | low) : -1;
}

static char fold(uint8_t c, unsigned how)
{
	return (char)(how & LOWER && c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static bool stands(uint8_t c, unsigned how)
{
	if ((c == '@' && how & HIDE_AT) || (c == ':' && how & HIDE_COLON))
		return false;
	return kinds[c] == 'u' || kinds[c] == 'r';
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

/* Writes what stands as it is from p on; returns where that ends. */
static const uint8_t *put_run(struct sink *s, const uint8_t *p, const uint8_t *end, unsigned how)
{
	const uint8_t *start = p;
	while (p < end && stands(*p, how))
		p++;
	if (how & LOWER)
		while (start < p)
			put(s, fold(*start++, how));
	put_bytes(s, start, (size_t)(p - start));
	return p;
}

/* Writes one component, or a piece of one that no escape or character straddles. */
static void put_component(struct sink *s, const uint8_t *p, const uint8_t *end, unsigned how)
{
	while ((p = put_run(s, p, end, how)) < end) {
		int byte = escaped(p, end);
		if (byte < 0) {
			p = put_character(s, p, end);
			continue;
		}
		if (!(how & NORMAL))
			put_bytes(s, p, 3);
		else if (kinds[byte] == 'u')
			put(s, fold((uint8_t)byte, how));
		else
			put_escape(s, (uint8_t)byte);
		p += 3;
	}
}

/* ---- Splitting (RFC 3986 appendix B) ------------------------------------- */

struct url {
	const uint8_t *scheme; /* in the text or in what was supplied */
	size_t scheme_length;  /* 0 for none */
	const struct scheme *row;
	bool has_authority;
	const uint8_t *authority, *path, *query, *fragment, *end; /* each ends where the next begins */
};

/* The first of three delimiters, which may be fewer repeated. */
static const uint8_t *find_any(const uint8_t *p, const uint8_t *end, const char set[3])
{
	while (p < end && *p != set[0] && *p != set[1] && *p != set[2])
		p++;
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
	while (i < n && (is_letter(p[i]) || (i && (is_digit(p[i]) || p[i] == '+' || p[i] == '-' || p[i] == '.'))))
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
	u->row = scheme_find((const char *)u->scheme, u->scheme_length);
	if (!slashes && end - p >= 2 && p[0] == '/' && p[1] == '/') {
		slashes = true;
		p += 2;
	}
	u->has_authority = slashes;
	u->authority = p;
	u->path = slashes ? find_any(p, end, "/?#") : p;
	u->query = find_any(u->path, end, "??#");
	u->fragment = find(u->query, end, '#');
	u->end = end;
}

static bool scheme_is(const struct url *u, const char *name)
{
	return u->row && strcmp(u->row->name, name) == 0;
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
		for (p++; p < close && hex_value(*p) < 16; p++)
			;
		if (p == start + 1 || close - p < 2 || *p != '.')
			return NULL;
		for (p++; p < close && stands(*p, HIDE_AT); p++)
			;
	} else {
		size_t colons = 0;
		for (; p < close && (hex_value(*p) < 16 || *p == ':' || *p == '.'); p++)
			colons += *p == ':';
		if (colons < 2)
			return NULL;
		if (p < close && *p == '%')
			for (p++; p < close && (*p == '%' || kinds[*p] == 'u'); p++)
				;
	}
	return p == close ? close + 1 : NULL;
}

/* The empty port, and the scheme's own (RFC 3986 section 3.2.3). */
static bool port_says_nothing(const uint8_t *p, const uint8_t *end, const struct scheme *row)
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
	return row && row->port && row->port == value;
}

/* Nothing is decoded in a literal or a port, and a registered name with a colon
 * of its own has no port: so what comes out is read again as it was. */
static void put_authority(struct sink *s, const struct url *u, unsigned how)
{
	const uint8_t *host = u->authority, *end = u->path;
	for (const uint8_t *p = end; p > u->authority; p--)
		if (p[-1] == '@') {
			put_component(s, u->authority, p - 1, how | HIDE_AT);
			put(s, '@');
			host = p;
			break;
		}
	const uint8_t *port = literal_end(host, end);
	unsigned host_how = how & NORMAL ? NORMAL | LOWER : 0;
	if (port) {
		put(s, '[');
		put_component(s, host + 1, port - 1, host_how & LOWER);
		put(s, ']');
	} else {
		port = find(host, end, ':');
		if (port < end && find(port + 1, end, ':') < end)
			port = end;
		put_component(s, host, port, host_how);
	}
	if (port < end && !(how & NORMAL && port_says_nothing(port + 1, end, u->row)))
		put_component(s, port, end, 0);
}

/* ---- Path ---------------------------------------------------------------- */

/* 1 for `.`, 2 for `..`, written plainly or escaped; 0 for any other segment. */
static unsigned dots_in(const uint8_t *p, const uint8_t *end)
{
	unsigned dots = 0;
	while (p < end && dots < 3) {
		if (*p != '.' && escaped(p, end) != '.')
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
		put_bytes(s, "/.", 2);
	size_t stop = s->used + length, at = stop;
	for (struct walk w = { u->path, u->query, 0, false }; walk_back(&w, &segment, &end);) {
		at -= 1 + component_size(segment, end);
		s->used = at;
		put(s, '/');
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
			put(s, ',');
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
		put(s, '/');
	} else {
		/* A colon in the first segment would make a scheme of it (RFC 3986 section 4.2). */
		const uint8_t *first = u->scheme_length ? p : find(p, end, '/');
		put_component(s, p, first, how | HIDE_COLON);
		put_component(s, first, end, how);
	}
}

static size_t write_url(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size, unsigned how)
{
	struct sink s = { out, size, 0 };
	struct url u;
	split(&u, supplied, text, n);
	for (size_t i = 0; i < u.scheme_length; i++)
		put(&s, fold(u.scheme[i], how & NORMAL ? LOWER : 0));
	if (u.scheme_length)
		put(&s, ':');
	if (u.has_authority) {
		put_bytes(&s, "//", 2);
		put_authority(&s, &u, how);
	}
	put_path(&s, &u, how);
	if (u.query < u.fragment) {
		put(&s, '?');
		put_component(&s, u.query + 1, u.fragment, how);
	}
	if (u.fragment < u.end) {
		put(&s, '#');
		put_component(&s, u.fragment + 1, u.end, how);
	}
	return s.used;
}

size_t target_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size)
{
	return write_url(supplied, text, n, out, size, 0);
}

size_t normal_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size)
{
	return write_url(supplied, text, n, out, size, NORMAL);
}
