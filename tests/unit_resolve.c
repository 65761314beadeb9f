/* References against a base: RFC 3986 section 5, RFC 1630's partial forms; URLs without tracking parameters, and
 * those that rewriters hide. */
#include "check.h"
#include "url/tracking.h"
#include "url/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(string) (string), sizeof (string) - 1

static urlsift_url url_of(const char *text, size_t n)
{
	urlsift_url url;
	urlsift_url_split(text, n, &url);
	return url;
}

static size_t resolve(const char *base, size_t bn, const char *reference, size_t rn, urlsift_resolution rules,
	char *out,
                      size_t size)
{
	urlsift_url b = url_of(base, bn), r = url_of(reference, rn);
	return urlsift_url_resolve(&b, &r, rules, out, size);
}

static void check(int line, urlsift_resolution rules, const char *base, const char *reference, const char *wanted)
{
	char out[256];
	size_t n = resolve(base, strlen(base), reference, strlen(reference), rules, out, sizeof out);
	check_at(n == strlen(wanted) && memcmp(out, wanted, n) == 0, __FILE__, line, reference,
	         "against %s\n\tgot    %.*s\n\twanted %s", base, (int)(n < sizeof out ? n : sizeof out), out, wanted);
}

#define NEW(base, reference, wanted) check(__LINE__, URLSIFT_RESOLVE_RFC3986, base, reference, wanted)
#define OLD(base, reference, wanted) check(__LINE__, URLSIFT_RESOLVE_RFC1630, base, reference, wanted)
/* Sections 5.4.1 and 5.4.2. */
static void test_examples(void)
{
	static const char *const table[][2] = {
		{ "g:h", "g:h" }, { "g", "http://a/b/c/g" }, { "./g", "http://a/b/c/g" }, { "g/", "http://a/b/c/g/" },
		{ "/g", "http://a/g" }, { "//g", "http://g" }, { "?y", "http://a/b/c/d;p?y" }, { "g?y", "http://a/b/c/g?y" },
		{ "#s", "http://a/b/c/d;p?q#s" }, { "g#s", "http://a/b/c/g#s" }, { "g?y#s", "http://a/b/c/g?y#s" },
		{ ";x", "http://a/b/c/;x" }, { "g;x", "http://a/b/c/g;x" }, { "g;x?y#s", "http://a/b/c/g;x?y#s" },
		{ "", "http://a/b/c/d;p?q" }, { ".", "http://a/b/c/" }, { "./", "http://a/b/c/" }, { "..", "http://a/b/" },
		{ "../", "http://a/b/" }, { "../g", "http://a/b/g" }, { "../..", "http://a/" }, { "../../", "http://a/" },
		{ "../../g", "http://a/g" },
		{ "../../../g", "http://a/g" }, { "../../../../g", "http://a/g" }, { "/./g", "http://a/g" },
		{ "/../g", "http://a/g" }, { "g.", "http://a/b/c/g." }, { ".g", "http://a/b/c/.g" },
		{ "g..", "http://a/b/c/g.." },
		{ "..g", "http://a/b/c/..g" }, { "./../g", "http://a/b/g" }, { "./g/.", "http://a/b/c/g/" },
		{ "g/./h", "http://a/b/c/g/h" }, { "g/../h", "http://a/b/c/h" }, { "g;x=1/./y", "http://a/b/c/g;x=1/y" },
		{ "g;x=1/../y", "http://a/b/c/y" }, { "g?y/./x", "http://a/b/c/g?y/./x" },
		{ "g?y/../x", "http://a/b/c/g?y/../x" },
		{ "g#s/./x", "http://a/b/c/g#s/./x" }, { "g#s/../x", "http://a/b/c/g#s/../x" }, { "http:g", "http:g" },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		NEW("http://a/b/c/d;p?q", table[i][0], table[i][1]);
}

static void test_rfc3986(void)
{
	NEW("http://a.example", "g", "http://a.example/g");
	NEW("http://a.example", "../g", "http://a.example/g");
	NEW("http://a.example?q#f", "?r", "http://a.example?r");
	NEW("http://a.example/b?q#f", "", "http://a.example/b?q");
	NEW("http://a.example/b?q#f", "?", "http://a.example/b?");
	NEW("http://a.example/b?q#f", "#", "http://a.example/b?q#");
	NEW("http://u:p@a.example:80/b", "/c", "http://u:p@a.example:80/c");
	NEW("http://a.example/b", "//c.example", "http://c.example");
	NEW("http://a.example/b", "//c.example/../d", "http://c.example/d");
	NEW("http://a.example/b", "http:/../d", "http:/d");
	NEW("file:///a/b", "c", "file:///a/c");
	NEW("http://a.example/b//c", "../d", "http://a.example/b/d");
	NEW("http://a.example/b/%2e%2E/c", "./%2E", "http://a.example/b/%2e%2E/%2E"); /* nothing is decoded */
	NEW("http://a.example/./b/../c", "", "http://a.example/./b/../c");
	/* paths without a root */
	NEW("mailto:a@b.example", "c", "mailto:c");
	NEW("x:a/b", "../c", "x:/c");
	NEW("x:a/b", "../../c", "x:/c");
	NEW("x:a", "../../c", "x:c");
	NEW("x:a", "./", "x:");
	NEW("x:a", "..", "x:");
	NEW("x:", "./.././c/.", "x:c/");
	NEW("x:", "...", "x:...");
	NEW("urn:a:b", "#f", "urn:a:b#f");
	/* what would read as an authority does not become one */
	NEW("x:/a", "/.//b", "x:/.//b");
	NEW("x:/a/b", "..//c", "x:/.//c");
	NEW("x:/a/b", "/.//", "x:/.//");
	NEW("x:/a/b", "/..", "x:/");
	NEW("x://h/a/b", "/.//c", "x://h//c");
	NEW("x:a/b", "../c/d", "x:/c/d");
}

/* The table under "Partial (relative) form", in both of its contexts. */
static void test_rfc1630(void)
{
	static const char *const table[][2] = {
		{ "g", "magic://a/b/c//d/e/g" }, { "/g", "magic://a/g" }, { "//g", "magic://g" },
		{ "../g", "magic://a/b/c//d/g" },
		{ "g:h", "g:h" },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		OLD("magic://a/b/c//d/e/f", table[i][0], table[i][1]);
		OLD("magic://a/b/c//d/e/", table[i][0], table[i][1]);
	}
	OLD("magic://a///b//c/d", "//g", "magic://a///b//g");
	OLD("magic://a///b//c/d", "///g", "magic://a///g");
	OLD("magic://a/b", "///g", "magic:///g");
	OLD("magic://a/b//c///d", "//g", "magic://g");
	OLD("magic://a", "/g", "magic://a/g");
	OLD("magic://a", "g", "magic://a/g");
	OLD("magic://a", "../g", "magic://a/../g");
	OLD("magic:a", "g", "magic:g");
	OLD("magic:a", "../g", "magic:../g");
	OLD("magic://a/b/c/d", "../../g", "magic://a/g");
	OLD("magic://a/b/c/d", "../../../g", "magic://a/../g");
	OLD("magic://a/b/c/d", "../../../../g", "magic://a/../../g");
	OLD("magic://a/b//c/d", "../../g", "magic://a/b/g");
	OLD("magic://a/b/c", "./g/./h", "magic://a/b/g/h");
	OLD("magic://a/b/c", "g/.", "magic://a/b/g");
	OLD("magic://a/b/c", "g/..", "magic://a/b/g/..");
	OLD("magic://a/b/c", "/g/../h", "magic://a/h");
	OLD("magic://a/b/c", "//g/../h", "magic://g/../h");
	OLD("magic://a/b/c", "...", "magic://a/b/...");
	/* searches and fragments are none of the path */
	OLD("magic://a/b/c?x/y#z/w", "g?s/../t#u/../v", "magic://a/b/g?s/../t#u/../v");
	OLD("magic://a/b/c?x//y#z", "/g", "magic://a/g");
	OLD("magic://a/b/c?x//y#z", "?s", "magic://a/b/?s");
	OLD("magic://a/b/c?x#z", "#f", "magic://a/b/c?x#f");
	OLD("magic://a/b/c?x#z", "", "magic://a/b/c?x");
	OLD("magic://a/b/c", "g#h:i", "magic://a/b/g#h:i");
}

/* ---- Properties ------------------------------------------------------------- */

static uint64_t seed = 0x9E3779B97F4A7C15;

static uint32_t random_below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % n;
}

static size_t random_text(char *out, size_t size)
{
	static const char *const pieces[] = {
		"x:", "http://h", "//", "/", "/", "/..", "../", "/.", "./", "..", ".", "a", "bc", "?", "#", "%2E", "@"
	};
	size_t n = 0;
	for (uint32_t count = random_below(9); count; count--) {
		const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
		for (; *piece && n < size; piece++)
			out[n++] = *piece;
	}
	return n;
}

static int starts(const char *in, const char *with)
{
	return strncmp(in, with, strlen(with)) == 0;
}

/* Section 5.2.4 as it stands there, a buffer to read and one to write. */
static void slow_dots(char *in, char *out)
{
	size_t used = 0;
	while (*in) {
		if (starts(in, "../")) {
			in += 3;
		} else if (starts(in, "./") || starts(in, "/./")) {
			in += 2;
		} else if (!strcmp(in, "/.")) {
			*++in = '/';
		} else if (starts(in, "/../") || !strcmp(in, "/..")) {
			in += 2;
			if (in[1])
				in++;
			else
				*in = '/';
			while (used && out[--used] != '/')
				;
		} else if (!strcmp(in, ".") || !strcmp(in, "..")) {
			break;
		} else {
			do
				out[used++] = *in++;
			while (*in && *in != '/');
		}
	}
	out[used] = '\0';
}

/* A text of up to ROOM bytes. */
enum { ROOM = 1024 };
struct line {
	char text[ROOM];
	size_t length;
};

static void add(struct line *to, const char *text, size_t n)
{
	if (n >= ROOM - to->length)
		abort();
	memcpy(to->text + to->length, text, n);
	to->text[to->length += n] = '\0';
}

static void add_part(struct line *to, const char *before, const urlsift_url *url, urlsift_component part)
{
	if (!part.present)
		return;
	add(to, before, strlen(before));
	add(to, url->text + part.offset, part.length);
}

/* Sections 5.2.2 and 5.3. */
static void slow_resolve(const urlsift_url *b, const urlsift_url *r, struct line *out)
{
	struct line path = { "", 0 }, merged = { "", 0 };
	const urlsift_url *scheme = r->scheme.present ? r : b;
	const urlsift_url *authority = r->scheme.present || r->authority.present ? r : b, *query = r;
	if (authority == r || r->path.length) {
		if (authority == b && r->text[r->path.offset] != '/') {
			if (b->authority.present && !b->path.length)
				add(&merged, "/", 1);
			add_part(&merged, "", b, b->path);
			while (merged.length && merged.text[merged.length - 1] != '/')
				merged.length--;
			merged.text[merged.length] = '\0';
		}
		add_part(&merged, "", r, r->path);
		slow_dots(merged.text, path.text);
	} else {
		add_part(&path, "", b, b->path);
		query = r->query.present ? r : b;
	}
	add_part(out, "", scheme, scheme->scheme);
	if (scheme->scheme.present)
		add(out, ":", 1);
	add_part(out, "//", authority, authority->authority);
	if (!authority->authority.present && starts(path.text, "//"))
		add(out, "/.", 2);
	add(out, path.text, strlen(path.text));
	add_part(out, "?", query, query->query);
	add_part(out, "#", r, r->fragment);
}

static void test_slow(size_t rounds)
{
	printf("seed %llx, %zu rounds\n", (unsigned long long)seed, rounds);
	for (size_t round = 0; round < rounds; round++) {
		char base[128], reference[128], out[1024];
		struct line wanted = { "", 0 };
		size_t bn = random_text(base, sizeof base), rn = random_text(reference, sizeof reference);
		urlsift_url b = url_of(base, bn), r = url_of(reference, rn);
		slow_resolve(&b, &r, &wanted);
		size_t n = urlsift_url_resolve(&b, &r, URLSIFT_RESOLVE_RFC3986, out, sizeof out);
		int same = n == wanted.length && memcmp(out, wanted.text, n) == 0;
		CHECK(same);
		if (!same)
			printf("\t%.*s against %.*s\n\tgot    %.*s\n\twanted %s\n", (int)rn, reference, (int)bn, base, (int)n,
				out, wanted.text);
		for (int rules = 0; rules < 2; rules++) {
			n = urlsift_url_resolve(&b, &r, rules ? URLSIFT_RESOLVE_RFC1630 : URLSIFT_RESOLVE_RFC3986, out, sizeof out);
			CHECK(n <= bn + rn + 3);
			/* the same for every room */
			size_t size = random_below(40);
			char *exact = malloc(size ? size : 1);
			if (!exact)
				abort();
			CHECK(urlsift_url_resolve(&b, &r, rules ? URLSIFT_RESOLVE_RFC1630 : URLSIFT_RESOLVE_RFC3986, exact,
				size) == n);
			CHECK(memcmp(exact, out, size < n ? size : n) == 0);
			free(exact);
		}
		/* what is absolute stays, but for its dots */
		if (r.scheme.present) {
			n = urlsift_url_resolve(&b, &r, URLSIFT_RESOLVE_RFC1630, out, sizeof out);
			CHECK(n == rn && memcmp(out, reference, n) == 0);
		}
	}
}

/* Worse than linear would not come to an end. */
static void test_long(void)
{
	static const char *const units[] = { "../", "/..", "./", "a/", "/", "//", "a/../", "..", "?", "." };
	const size_t size = run_is_long() ? 1 << 20 : run_is_fast() ? 1 << 14 : 1 << 17;
	char *base = malloc(size), *reference = malloc(size), *out = malloc(2 * size + 16);
	if (!base || !reference || !out)
		abort();
	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		for (size_t v = 0; v < sizeof units / sizeof *units; v++) {
			size_t bn = 9, rn = 0;
			memcpy(base, "http://h/", bn);
			for (size_t i = 0; bn < size; i++)
				base[bn++] = units[u][i % strlen(units[u])];
			for (size_t i = 0; rn < size; i++)
				reference[rn++] = units[v][i % strlen(units[v])];
			CHECK(resolve(base, bn, reference, rn, URLSIFT_RESOLVE_RFC3986, out, 2 * size) <= 2 * size + 3);
			CHECK(resolve(base, bn, reference, rn, URLSIFT_RESOLVE_RFC1630, out, 2 * size) <= 2 * size + 3);
		}
	free(base);
	free(reference);
	free(out);
}

/* What is removed leaves nothing to remove: for every URL of these units. */
static void test_tracking_again(void)
{
	static const char *const units[] = { "?", "#", "&", ";", "=", "\\", "a", "amp;", "gclid", "utm_a=1" };
	enum { UNITS = sizeof units / sizeof *units, LONG = 7, MOST = 6 };
	const size_t length = run_is_long() ? LONG : run_is_fast() ? MOST - 1 : MOST;
	size_t count = 1, wrong = 0;
	for (size_t i = 0; i < length; i++)
		count *= UNITS;
	for (size_t i = 0; i < count; i++) {
		char url[80] = "http://a.example/", once[80], twice[80];
		for (size_t left = i; left > 0; left /= UNITS)
			strcat(url, units[left % UNITS]);
		const size_t n = tracking_remove(url, strlen(url), once), again = tracking_remove(once, n, twice);
		if (again == n && !memcmp(once, twice, n))
			continue;
		if (wrong++ < 5)
			printf("%s: %.*s, then %.*s\n", url, (int)n, once, (int)again, twice);
	}
	CHECK(wrong == 0);
}

/* A URL of a header field may hold NUL, which is a byte as any other. */
static void test_tracking(void)
{
	static const struct { const char *url; size_t length; const char *kept; size_t kept_length; } rows[] = {
		{ TEXT("http://a.example/?utm_source=1"), TEXT("http://a.example/") },
		{ TEXT("http://a.example/?a=1&UTM_ID=2;b&fbclid=3#c?gclid=4"), TEXT("http://a.example/?a=1&b#c?gclid=4") },
		{ TEXT("http://a.example/?gclid=4#utm_source=x&utm_medium=y"), TEXT("http://a.example/") },
		{ TEXT("http://a.example/?gclid=4#page=2&utm_source=x"), TEXT("http://a.example/#page=2") },
		{ TEXT("http://a.example/?b?&gclid=4#c=d?&utm_source=x"), TEXT("http://a.example/?b?#c=d?") },
		{ TEXT("http://a.example/;#utm_source=x&page=2"), TEXT("http://a.example/;#page=2") },
		{ TEXT("http://a.example/?b;#part&utm_source=x"), TEXT("http://a.example/?b;#part&utm_source=x") },
		{ TEXT("http://a.example/#a=1#utm_source=x"), TEXT("http://a.example/#a=1#utm_source=x") },
		{ TEXT("http://a.example/#/r?utm_source=x"), TEXT("http://a.example/#/r?utm_source=x") },
		{ TEXT("http://a.example/#:~:text=a&utm_source=x"), TEXT("http://a.example/#:~:text=a&utm_source=x") },
		{ TEXT("http://a.example/?gclid\\&utm_source=1\\&b"), TEXT("http://a.example/?b") },
		{ TEXT("http://a.example/?gclid=1&amp;b"), TEXT("http://a.example/?b") },
		{ TEXT("http://a.example/?b&amp;gclid=1&amp;utm_id=2"), TEXT("http://a.example/?b") },
		{ TEXT("http://a.example/?gclid\\x\\&b"), TEXT("http://a.example/?gclid\\x\\&b") },
		{ TEXT("http://a.example/\0utm_source=1"), TEXT("http://a.example/\0utm_source=1") },
		{ TEXT("http://a.example/\0?\0utm_source=1&gclid=2\0&b"), TEXT("http://a.example/\0?\0utm_source=1&b") },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char kept[80];
		size_t n = tracking_remove(rows[i].url, rows[i].length, kept);
		CHECK_FOR(n == rows[i].kept_length && !memcmp(kept, rows[i].kept, n), rows[i].url);
	}
}

/* A domain of a name is looked for in the first 64 bytes; what is longer or shorter than a name is another one. */
static void test_tracking_names(void)
{
	static const struct { const char *host, *name; bool tracked; } rows[] = {
		{ "a.example", "utm_", true }, { "a.example", "utm", false }, { "a.example", "utm_x", true }, { "a.example", "Utm_X", true },
		{ "a.example", "gclid", true }, { "a.example", "gcli", false }, { "a.example", "gclidx", false }, { "a.example", "_gl", true },
		{ "a.example", "_ga", true }, { "a.example", "_g", false }, { "a.example", "_kx", true }, { "a.example", "s", false },
		{ "a.example", "", false }, { "a.example", "si", false }, { "youtube.com", "si", true }, { "m.youtube.com", "si", true },
		{ "youtu.be", "SI", true }, { "youtube.com", "s", false }, { "youtube.com", "si ", false }, { "youtube.com", "six", false },
		{ "ayoutube.com", "si", false }, { "youtube.com.example", "si", false }, { "x.com", "t", true }, { "x.com", "s", true },
		{ "x.com", "si", false }, { "com", "t", false }, { "reddit.com", "share_id", true }, { "a.example", "share_id", false },
		{ "youtube.com:80", "si", true }, { "u@youtube.com", "si", true }, { "linkedin.com", "rcm", true },
	};
	char url[200], kept[200];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t more = 0; more < 2; more++) {
			snprintf(url, sizeof url, "https://%s/w?a=1&%s=%s", rows[i].host, rows[i].name, more ? "" : "b");
			const size_t n = strlen(url), wanted = rows[i].tracked ? (size_t)(strchr(url, '&') - url) : n;
			CHECK_FOR(tracking_remove(url, n, kept) == wanted && !memcmp(kept, url, wanted), url);
		}
	for (size_t end = 60; end < 68; end++) {
		snprintf(url, sizeof url, "https://%.*s.youtube.com/w?si=1", (int)(end - 8 - 12), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
		const size_t n = strlen(url);
		CHECK_THAT(tracking_remove(url, n, kept) == (end < 64 ? end + 2 : n), "a host that ends at %zu", end);
	}
}

/* ---- URLs that rewriters hide ----------------------------------------------------- */

static size_t unwrapped(const char *text, char *out, size_t size)
{
	urlsift_url url;
	urlsift_url_split(text, strlen(text), &url);
	return urlsift_url_unwrap(&url, out, size);
}

/* At most eight wrappings are taken off, of at most 8,192 bytes. */
static void test_unwrap_limits(void)
{
	enum { LEVELS = 8, LONGEST = 8192 };
	static const char wrapping[] = "https://secure-web.cisco.com/1x/", last[] = "https://a.example/x";
	static char text[LONGEST + 8], out[LONGEST + 8];
	for (size_t levels = 0; levels < LEVELS + 3; levels++) {
		*text = '\0';
		for (size_t i = 0; i < levels; i++)
			strcat(text, wrapping);
		strcat(text, last);
		const char *left = text + strlen(wrapping) * (levels < LEVELS ? levels : LEVELS);
		const size_t n = unwrapped(text, out, sizeof out);
		CHECK_THAT(levels ? n == strlen(left) && !memcmp(out, left, n) : n == 0, "%zu wrappings: %.*s", levels, (int)n, out);
	}
	for (size_t length = LONGEST - 1; length <= LONGEST + 1; length++) {
		snprintf(text, sizeof text, "%s%s", wrapping, last);
		memset(text + strlen(text), 'x', length - strlen(text));
		text[length] = '\0';
		const size_t n = unwrapped(text, out, sizeof out);
		CHECK_THAT(n == (length <= LONGEST ? length - strlen(wrapping) : 0), "a wrapped URL of %zu bytes: %zu", length, n);
	}
	/* with one slash of two, as what wraps it may have left it; not with another number */
	static const struct { const char *text, *wanted; } rows[] = {
		{ "https://secure-web.cisco.com/1/https:/a.example/x", "https://a.example/x" },
		{ "https://secure-web.cisco.com/1/https:///a.example/x", "" },
		{ "https://secure-web.cisco.com/1/https:a.example/x", "" }, { "https://secure-web.cisco.com/1/https:/", "" },
		{ "https://secure-web.cisco.com/1/mailto:a@a.example", "mailto:a@a.example" },
		{ "https://secure-web.cisco.com/1/javascript:a", "" }, { "https://secure-web.cisco.com/1/x", "" },
		{ "https://secure-web.cisco.com/1", "" }, { "https://secure-web.cisco.com/", "" }, { "https://secure-web.cisco.com", "" },
		{ "ftp://secure-web.cisco.com/1/https://a.example/x", "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const size_t n = unwrapped(rows[i].text, out, sizeof out);
		CHECK_THAT(n == strlen(rows[i].wanted) && !memcmp(out, rows[i].wanted, n), "%s: %.*s", rows[i].text, (int)n, out);
	}
}

int main(void)
{
	test_examples();
	test_rfc3986();
	test_rfc1630();
	test_slow(run_is_long() ? 300000 : run_rounds(30000));
	test_long();
	test_tracking();
	test_tracking_again();
	test_tracking_names();
	test_unwrap_limits();
	return check_end();
}
