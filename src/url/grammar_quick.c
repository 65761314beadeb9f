/* Byte classes for common forms: without userinfo or IP literal; of RFC 1738 http, mailto and the schemes that it does
 * not define. */
#include "grammar.h"

#include "text/bytes.h"
#include "text/unicode.h"
#include "url.h"

#include <string.h>

enum { /* the rules that allow a character unencoded */
	HPATH = 1,    /* RFC 1738: hpath */
	SEARCH = 2,   /* search */
	XCHAR = 4,    /* xchar */
	PATH = 8,     /* RFC 3986: the paths */
	QUERY = 16,   /* query and fragment */
	REG_NAME = 32, /* reg-name */
	HEX = 64
};

static const uint8_t classes[256] = {
	/* row by row from 0x00, 0x10 ... 0x70; nothing beyond ASCII */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x3f, 0x00, 0x00, 0x3f, 0x00, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x1d,
	0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x1f, 0x3f, 0x00, 0x3f, 0x00, 0x14,
	0x1f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f,
	0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x3f,
	0x00, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f,
	0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x00, 0x00, 0x00, 0x38, 0x00
};

/* ucschar of RFC 3987, and the last two of each plane, which are not. */
static const uint32_t ucschar[][2] = {
	{ 0xA0, 0xD7FF }, { 0xF900, 0xFDCF }, { 0xFDF0, 0xFFEF }, { 0x10000, 0xDFFFD }, { 0xE1000, 0xEFFFD },
	{ UINT32_MAX, UINT32_MAX }
};

/* What is judged: by which rule the URL fails, if one is known, and where. */
struct quick {
	const urlsift_url *url;
	bool beyond_ascii; /* RFC 3987 */
	const char *rule;
	size_t offset;
};

/* Whether the component consists of characters of the class and of escapes, which are rare.  Else the rule fails at a
 * byte beyond ASCII, or it is not known. */
static bool is_run(struct quick *q, const urlsift_component *c, unsigned class, const char *rule)
{
	const uint8_t *text = (const uint8_t *)q->url->text, *p = text + c->offset, *end = p + c->length;
	for (;;) {
		while (p < end) {
			if (classes[*p] & class)
				p++;
			else if (*p == '%' && end - p > 2 && classes[p[1]] & classes[p[2]] & HEX)
				p += 3;
			else
				break;
		}
		if (p == end)
			return true;
		uint32_t cp;
		size_t n = utf8_next(p, (size_t)(end - p), &cp);
		if (q->beyond_ascii && in_ranges(ucschar, cp) && (cp & 0xFFFF) < 0xFFFE) {
			p += n;
			continue;
		}
		q->rule = *p >= 0x80 && !q->beyond_ascii ? rule : NULL;
		q->offset = (size_t)(p - text);
		return false;
	}
}

static bool is_port(const urlsift_url *url)
{
	const uint8_t *port = (const uint8_t *)url->text + url->port.offset;
	return byte_span(port, 0, url->port.length, BYTE_DIGIT) == url->port.length;
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
	return !BYTE_IN(before, ".-") && is_alpha(*label);
}

static bool scheme_is_among(const urlsift_url *url, const char *names)
{
	return ascii_is_among(url->text + url->scheme.offset, url->scheme.length, names);
}

static bool is_rfc1738(struct quick *q)
{
	const urlsift_url *url = q->url;
	if (scheme_is_among(url, "http"))
		return url->authority.present && !url->userinfo.present && is_hostname(url) &&
		       (!url->port.present || (url->port.length && is_port(url))) && is_run(q, &url->path, HPATH, "hpath") &&
		       (!url->query.present || (url->path.length && is_run(q, &url->query, SEARCH, "search")));
	bool mail = scheme_is_among(url, "mailto");
	if (!mail && scheme_is_among(url, GRAMMAR_RFC1738_SCHEMES(" ")))
		return false;
	size_t from = url->scheme.offset + url->scheme.length + 1;
	urlsift_component rest = { from, url_fragment_begin(url) - from, 1 };
	return is_run(q, &rest, XCHAR, mail ? "encoded822addr" : "schemepart") && (rest.length || !mail);
}

static bool is_rfc3986(struct quick *q)
{
	const urlsift_url *url = q->url;
	const char *path = "path-abempty";
	if (!url->authority.present)
		path = text_begins(url->text + url->path.offset, url->path.length, "/") ? "path-absolute" : "path-rootless";
	return is_alpha((uint8_t)url->text[url->scheme.offset]) && !url->userinfo.present &&
	       is_run(q, &url->host, REG_NAME, "reg-name") && is_port(url) && is_run(q, &url->path, PATH, path) &&
	       is_run(q, &url->query, QUERY, "query") && is_run(q, &url->fragment, QUERY, "fragment");
}

bool grammar_quick_simple(const urlsift_url *url)
{
	const char *path = url->text + url->path.offset, *query = url->text + url->query.offset;
	if (url->scheme.length < 4 || memchr(path, '~', url_fragment_begin(url) - url->path.offset))
		return false;
	return url->scheme.length > 4 || !url->query.present ||
	       (url->path.length && byte_until(query, 0, url->query.length, "/?") == url->query.length);
}

bool grammar_quick(const urlsift_url *url, urlsift_grammar which, urlsift_fault *fault)
{
	struct quick q = { .url = url, .beyond_ascii = which == URLSIFT_RFC3987 };
	fault->rule = NULL;
	const uint8_t *scheme = (const uint8_t *)url->text + url->scheme.offset;
	if (!url->scheme.present || byte_span(scheme, 0, url->scheme.length, BYTE_SCHEME) < url->scheme.length)
		return false;
	if (which == URLSIFT_RFC1738 ? is_rfc1738(&q) : is_rfc3986(&q))
		return true;
	if (q.rule)
		*fault = grammar_fault(which, q.rule, url->text, url_judged(url, which), q.offset);
	return q.rule != NULL;
}
