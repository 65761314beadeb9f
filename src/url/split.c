#include "split.h"

#include <string.h>

static urlsift_component part(const char *text, const char *from, const char *to)
{
	return (urlsift_component){ (size_t)(from - text), (size_t)(to - from), 1 };
}

static const char *find(const char *p, const char *end, char c)
{
	const char *found = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
	return found ? found : end;
}

/* Where a scheme ends, or cannot be. */
static const char *find_scheme_end(const char *p, const char *end)
{
	while (p < end && *p != ':' && *p != '/' && *p != '?' && *p != '#')
		p++;
	return p;
}

/* The last `@` ends the userinfo: whatever stands before it, the host is what a
 * client would ask.  A colon inside `[ ]` begins no port. */
static void split_authority(urlsift_url *url, const char *p, const char *end)
{
	const char *text = url->text, *host = p;
	for (const char *at = p; (at = find(at, end, '@')) < end; at++)
		host = at + 1;
	if (host > p) {
		const char *at = host - 1, *colon = find(p, at, ':');
		url->userinfo = part(text, p, at);
		url->user = part(text, p, colon);
		if (colon < at)
			url->password = part(text, colon + 1, at);
	}
	const char *behind = host < end && *host == '[' ? find(host, end, ']') : host;
	const char *colon = find(behind, end, ':');
	url->host = part(text, host, colon);
	if (colon < end)
		url->port = part(text, colon + 1, end);
}

void split_url(const char *text, size_t length, urlsift_url *url)
{
	const char *p = text, *end = text + length;
	memset(url, 0, sizeof *url);
	url->text = text;
	url->length = length;
	const char *colon = find_scheme_end(p, end);
	if (colon < end && *colon == ':' && colon > p) {
		url->scheme = part(text, p, colon);
		p = colon + 1;
	}
	const char *fragment = find(p, end, '#'), *query = find(p, fragment, '?');
	if (query - p >= 2 && p[0] == '/' && p[1] == '/') {
		const char *path = find(p + 2, query, '/');
		url->authority = part(text, p + 2, path);
		split_authority(url, p + 2, path);
		p = path;
	}
	url->path = part(text, p, query);
	if (query < fragment)
		url->query = part(text, query + 1, fragment);
	if (fragment < end)
		url->fragment = part(text, fragment + 1, end);
}
