/* A link that stands is its own target, fit for an href, and nothing is to be warned of it: what is said of
 * it in one look is what the URL alone says, taken apart. */
#include "check.h"
#include "urlsift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static urlsift_context *context;
static unsigned long passed, failed, standing;
static uint32_t seed = 1;

/* Below n, which is not 0. */
static uint32_t rnd(size_t n) { return (seed = seed * 1664525 + 1013904223) / 65536 % (uint32_t)n; }

static void check(int good, const char *what, const char *text, size_t n)
{
	passed += good != 0;
	failed += good == 0;
	if (!good)
		fprintf(stderr, "%s: %.*s\n", what, (int)n, text);
}

static int take(void *user, const urlsift_piece *piece)
{
	static char one[65536], other[65536];
	(void)user;
	if (!piece->link || piece->part > 0)
		return 0;
	size_t n, m;
	const char *text = urlsift_link_text(piece->link, &n);
	urlsift_url url;
	urlsift_url_split(text, n, &url);
	if (*urlsift_link_supplied(piece->link))
		return 0;
	m = urlsift_link_normal(piece->link, one, sizeof one);
	check(m == urlsift_url_normal(&url, other, sizeof other) && !memcmp(one, other, m), "normal form", text, n);
	m = urlsift_link_target(piece->link, one, sizeof one);
	check(m == urlsift_url_target(&url, other, sizeof other) && !memcmp(one, other, m), "target", text, n);
	if (!urlsift_link_stands(piece->link))
		return 0;
	standing++;
	check(m == n && !memcmp(one, text, n), "stands, but is not its target", text, n);
	check(urlsift_url_warnings(&url) == 0, "stands with a warning", text, n);
	check(urlsift_scheme_linkable(text, url.scheme.length), "stands and may not be linked", text, n);
	check(url.host.present && url.host.length, "stands without a host", text, n);
	check(urlsift_url_check(context, &url, URLSIFT_RFC3986, NULL) == URLSIFT_OK, "stands and is no URI", text, n);
	for (size_t i = 0; i < n; i++)
		check((unsigned char)text[i] < 0x80 && !strchr("<>\"'", text[i]), "stands and must be escaped", text, n);
	return 0;
}

/* Hosts and what follows them of pieces that are mostly harmless, and of what is not. */
static size_t put(char *to, const char *const *pieces, size_t count, size_t most)
{
	size_t n = 0;
	for (size_t k = 1 + rnd(most); k > 0; k--) {
		const char *piece = pieces[rnd(3) ? rnd((count + 1) / 2) : rnd(count)];
		memcpy(to + n, piece, strlen(piece));
		n += strlen(piece);
	}
	return n;
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

int main(void)
{
	static const char *const schemes[] = { "http://", "https://", "http://", "ftp://", "HTTP://", "gopher://", "http:", "mailto:a@" };
	static const char *const hosts[] = {
		"www.", "example", "a.test", "b-c.example", "h1.", "x.org", "1.", "0x7f", "xn--", "--", "127.0.0.1", "user@", ":80", ":8080",
		"\xc3\xbc", "%41", "A.EXAMPLE", "-", ".", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[::1]", "p:q@"
	};
	static const char *const rests[] = {
		"/", "abc", "/a/b", "?q=x", "&y=1", "index.html", "=z", "_", "-", "~u", "+", "%20", "%00", "%0a", "%zz", "#top", "#", "/../", "/./", "..",
		"\xe2\x80\xae", "\xe2\x80\x8b", "(x)", ",", ";", "!", "'", "@", "^", "|", "$", "*", ":", "--", "\\", "`", "&amp;", "\xe9"
	};
	static const char *const marks[][2] = { { " ", "\n" }, { "<", ">" }, { "\"", "\"" }, { "\n", "." }, { "(", ")" }, { "<URL:", ">" } };
	context = urlsift_context_new(NULL);
	const urlsift_sink sink = { take, NULL, NULL };
	for (unsigned round = 0; round < 40000; round++) {
		char text[8192] = "text";
		size_t n = 4, m = rnd(COUNT(marks));
		n += put(text + n, marks[m], 1, 1);
		n += put(text + n, schemes, COUNT(schemes), 1);
		n += put(text + n, hosts, COUNT(hosts), 4);
		if (rnd(5))
			text[n++] = '/';
		n += put(text + n, rests, COUNT(rests), round % 50 ? 8 : 300);
		n += put(text + n, &marks[m][1], 1, 1);
		memcpy(text + n, " and more", 9);
		check(context && urlsift_scan(context, NULL, &sink, text, n + 9) == URLSIFT_OK, "scan", text, n);
	}
	check(standing > 2000, "too few stand", "", 0);
	urlsift_context_free(context);
	return check_end();
}
