/* Byte classes for common forms: ASCII, without userinfo or IP literal; of RFC 1738 http, mailto and the schemes that
 * it does not define. */
#include "grammar.h"

#include "text/ascii.h"


enum { /* the rules that allow a character unencoded */
	HPATH = 1,    /* RFC 1738: hpath */
	SEARCH = 2,   /* search */
	XCHAR = 4,    /* xchar */
	PATH = 8,     /* RFC 3986: the paths */
	QUERY = 16,   /* query and fragment */
	REG_NAME = 32, /* reg-name */
	SCHEME = 64,  /* both: scheme, after its first character */
	HEX = 128
};

static const uint8_t classes[256] = {
	/* row by row from 0x00, 0x10 ... 0x70; nothing beyond ASCII */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x3f, 0x00, 0x00, 0x3f, 0x00, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x7f, 0x3f, 0x7f, 0x7f, 0x1d,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0x3f, 0x00, 0x3f, 0x00, 0x14,
	0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f,
	0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x00, 0x00, 0x00, 0x00, 0x3f,
	0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f,
	0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x00, 0x00, 0x00, 0x38, 0x00
};

static bool is_escape(const uint8_t *p, const uint8_t *end)
{
	return *p == '%' && end - p > 2 && classes[p[1]] & HEX && classes[p[2]] & HEX;
}

/* Whether the component consists of characters of the class and of escapes, which are rare. */
static bool is_run(const urlsift_url *url, const urlsift_component *c, unsigned class)
{
	const uint8_t *p = (const uint8_t *)url->text + c->offset, *end = p + c->length;
	while (end - p >= 4 && classes[p[0]] & classes[p[1]] & classes[p[2]] & classes[p[3]] & class)
		p += 4;
	for (; p < end; p++) {
		if (classes[*p] & class)
			continue;
		if (!is_escape(p, end))
			return false;
		p += 2;
	}
	return true;
}

static bool is_port(const urlsift_url *url)
{
	for (size_t i = 0; i < url->port.length; i++)
		if (!is_digit((uint8_t)url->text[url->port.offset + i]))
			return false;
	return true;
}

/* RFC 1738: labels of letters, digits and inner hyphens; the last one begins with a letter. */
static bool is_hostname(const urlsift_url *url)
{
	const uint8_t *p = (const uint8_t *)url->text + url->host.offset, *end = p + url->host.length, *label = p;
	uint8_t before = '.';
	for (; p < end; before = *p++) {
		if (is_alnum(*p))
			continue;
		if (before == '.' || (*p == '.' ? before == '-' : *p != '-'))
			return false;
		if (*p == '.')
			label = p + 1;
	}
	return before != '.' && before != '-' && is_alpha(*label);
}

/* The scheme is of SCHEME bytes, of which 0x20 changes only the case of letters. */
static bool scheme_is(const urlsift_url *url, const char *name)
{
	const char *scheme = url->text + url->scheme.offset;
	size_t i = 0, n = url->scheme.length;
	while (i < n && (scheme[i] | 0x20) == name[i])
		i++;
	return i == n && !name[i];
}

static bool is_httpurl(const urlsift_url *url)
{
	return url->authority.present && !url->userinfo.present && is_hostname(url) &&
	       (!url->port.present || (url->port.length && is_port(url))) && is_run(url, &url->path, HPATH) &&
	       (!url->query.present || (url->path.length && is_run(url, &url->query, SEARCH)));
}

static bool is_rfc1738(const urlsift_url *url)
{
#define COMMA ,
	static const char *const defined[] = { GRAMMAR_RFC1738_SCHEMES(COMMA) };
	if (scheme_is(url, "http"))
		return is_httpurl(url);
	bool mail = scheme_is(url, "mailto");
	for (size_t i = 0; i < sizeof defined / sizeof *defined && !mail; i++)
		if (scheme_is(url, defined[i]))
			return false;
	size_t from = url->scheme.offset + url->scheme.length + 1;
	size_t to = url->fragment.present ? url->fragment.offset - 1 : url->length;
	urlsift_component rest = { from, to - from, 1 };
	return is_run(url, &rest, XCHAR) && (rest.length || !mail);
}

/* For ASCII, RFC 3987 too. */
static bool is_rfc3986(const urlsift_url *url)
{
	return is_alpha((uint8_t)url->text[url->scheme.offset]) && !url->userinfo.present &&
	       is_run(url, &url->host, REG_NAME) && is_port(url) && is_run(url, &url->path, PATH) &&
	       is_run(url, &url->query, QUERY) && is_run(url, &url->fragment, QUERY);
}

bool grammar_quick_simple(const urlsift_url *url)
{
	unsigned path = url->scheme.length == 4 ? HPATH : XCHAR, query = url->scheme.length == 4 ? SEARCH : XCHAR;
	return url->scheme.length > 3 && is_run(url, &url->path, path) &&
	       (!url->query.present || ((url->path.length || path == XCHAR) && is_run(url, &url->query, query)));
}

bool grammar_quick(const urlsift_url *url, urlsift_grammar which)
{
	for (size_t i = 0; i < url->scheme.length; i++)
		if (!(classes[(uint8_t)url->text[url->scheme.offset + i]] & SCHEME))
			return false;
	if (!url->scheme.present)
		return false;
	return which == URLSIFT_RFC1738 ? is_rfc1738(url) : is_rfc3986(url);
}
