/* Simple links: what the fast way takes is what the rules make of it, and what is decided of a link at once is what its
 * URL says when it is taken apart.  Over every file of testdata and over generated texts. */
#include "check.h"
#include "scan/candidate.h"
#include "simd/simd.h"
#include "url/grammar.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static urlsift_context *context;
static unsigned long taken, simple;
static uint32_t seed = 1;

/* Below n, which is not 0. */
static uint32_t rnd(size_t n) { return (seed = seed * 1664525 + 1013904223) / 65536 % (uint32_t)n; }

static void check_text(bool good, const char *what, const char *text, size_t n)
{
	CHECK_THAT(good, "%s: %.*s", what, (int)n, text);
}

/* ---- texts ---- */

/* The first half of a list is harmless. */
#define PICK(a) (a)[rnd((sizeof(a) / sizeof *(a)) / (rnd(2) ? 1 : 2))]

/* A text around a URL or two, with what may precede, be in and follow it. */
static size_t make_around(char *to)
{
	static const char *const words[] = { "", "text ", "word\n", "a > b\n", "end.\n\n", "see: ", "<tag a='b'>\n",
		"a line of words, as long as they are where lines are broken at about 72\n" };
	static const char *const befores[] = {
		"", "", "", "", " ", "\n", "\n\n", "\r\n", "> ", "> > ", ">", "| ", "  ", "\t", "<", "< ", "<\n", "<URL:",
			"URL:", "URL: ", "url:\n", "<b>", "</b>",
		"<td class=x>", "<a href='", "<a href=\"", "'", "\"", "(", "[", "{", "=", ",", "- ", "+ ", "1. ", "ab> ",
			"dnl ", "*", "_", "/* ", "&quot;",
		"\xc2\xab", "\xe2\x80\x9c", "\xc2\xa0", "\xc2\xa0 ", "<\xc2\xa0 ", "<\f ", "<\n- ", "<\n[1] ", "[1] ",
			"<!-- ", "< - ", ": ", "l: ", "a ", ", ", "`", "3D"
	};
	static const char *const schemes[] = { "http://", "https://", "ftp://", "http://", "HTTP://", "gopher://" };
	static const char *const hosts[] = {
		"a.example", "b-c.test", "www.x.example", "h", "h2.test", "192.0.2.1", "a_b.example", "u@h.example", "a..b",
			"A.EXAMPLE", "h.example:80", "a.example."
	};
	static const char *const paths[] = { "/", "/", "/a/b", "/x.html", "", "?a=1", "#f" };
	static const char *const bits[] = {
		"/", "/a", "/x(y)z", ",all", ";p=1", "?a=1", "#f", "&b=2", "~", "%20", "-", "/b", "=", "_", ".txt",
			"/a-long-path/that-goes-on",
		"/to-the-edge/of-the-line/or-near", "-\nb/c.html\n", "\nd/e\n", "1\n2\n", "(z)", "(", ")", ",", ";", "?", "#",
			"&amp;c=3",
		"&", "!", ".", ":", "'", "*", "@", "+", "--", "=\n", "\n", " ", " \n", "\\\n", "_", "..", "[", "]", "{", "}",
		"|", "^", "http://", "ftp:", "x:", ",http://b.example/",
		";mailto:a@b.example", "&quot;", "&gt;", "\xc2\xbb", "\xe2\x80\x9d", "\xc3\xa9", "\xe3\x80\x82", "\xe9",
			"</b>", "<br>", ">", "\"", "bar(", "baz)", "\n> foo/bar"
	};
	static const char *const ends[] = {
		"\n", "\n", " ", "\n\n", " \n", "'", "\"", ")", "]", ">", ".\n", ", x", "; y", "!\n", "?\n", ":\n", "</a>",
			"&gt;", "...\n", ".)\n", ").", "\",", "',", "> x", "'.", ".'"
	};
	size_t n = 0;
	const char *pieces[16], **p = pieces;
	*p++ = PICK(words);
	*p++ = PICK(befores);
	*p++ = rnd(4) ? "" : PICK(befores);
	*p++ = PICK(schemes);
	*p++ = PICK(hosts);
	*p++ = PICK(paths);
	for (size_t k = rnd(5); k > 0; k--)
		*p++ = PICK(bits);
	*p++ = PICK(ends);
	*p++ = "and more";
	for (const char **q = pieces; q < p; q++) {
		memcpy(to + n, *q, strlen(*q));
		n += strlen(*q);
	}
	return n;
}

/* Up to `most` pieces, mostly of the harmless half. */
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

/* A text around a URL of odd pieces. */
static size_t make_of_pieces(char *to)
{
	static const char *const schemes[] = {
		"http://", "https://", "http://", "ftp://", "HTTP://", "gopher://", "http:", "mailto:a@"
	};
	static const char *const hosts[] = {
		"www.", "example", "a.test", "b-c.example", "h1.", "x.org", "1.", "0x7f", "xn--", "--", "127.0.0.1", "user@",
			":80", ":8080",
		"\xc3\xbc", "%41", "A.EXAMPLE", "-", ".", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[::1]", "p:q@"
	};
	static const char *const rests[] = {
		"/", "abc", "/a/b", "?q=x", "&y=1", "index.html", "=z", "_", "-", "~u", "+", "%20", "%00", "%0a", "%zz",
			"#top", "#", "/../", "/./", "..",
		"\xe2\x80\xae", "\xe2\x80\x8b", "(x)", ",", ";", "!", "'", "@", "^", "|", "$", "*", ":", "--", "\\", "`",
			"&amp;", "\xe9"
	};
	static const char *const marks[][2] = { { " ", "\n" }, { "<", ">" }, { "\"", "\"" }, { "\n", "." }, { "(", ")" },
		{ "<URL:", ">" } };
	size_t n = 4, m = rnd(COUNT(marks));
	memcpy(to, "text", 4);
	n += put(to + n, marks[m], 1, 1);
	n += put(to + n, schemes, COUNT(schemes), 1);
	n += put(to + n, hosts, COUNT(hosts), 4);
	if (rnd(5))
		to[n++] = '/';
	n += put(to + n, rests, COUNT(rests), rnd(50) ? 8 : 300);
	n += put(to + n, &marks[m][1], 1, 1);
	memcpy(to + n, " and more", 9);
	return n + 9;
}

/* ---- the fast way against the rules ---- */

static struct urlsift_link fast, slow;
static struct exceeded exceeded;
static struct rules rules = { .max_url = 8000, .max_breaks = 16, .max_alternates = 8, .exceeded = &exceeded };

static bool same(const struct urlsift_link *a, const struct urlsift_link *b)
{
	return a->length == b->length && !memcmp(a->text, b->text, a->length) && a->spans.length == b->spans.length
	       && !memcmp(link_spans(a), link_spans(b), a->spans.length) && a->convention == b->convention
	       && a->flags == b->flags && !strcmp(a->scheme, b->scheme) && !strcmp(a->supplied, b->supplied)
	       && a->alternates.count == b->alternates.count;
}

/* At each colon of a view of the beginning of a text, by the rules with the whole text in hand. */
static void compare(const struct view *v, const struct view *whole)
{
	for (size_t i = 0; i < v->end; i++) {
		struct candidate quick = { .rules = &rules, .v = v, .link = &fast };
		struct candidate c = { .rules = &rules, .v = whole, .link = &slow };
		size_t end = v->p[i] == ':' ? simple_read(&quick, i) : 0;
		if (!end || simple_may_be_cut(&quick))
			continue;
		bool good = candidate_read(&c, i) && !c.swallowed && c.end == end && same(&fast, &slow);
		check_text(good, "the fast way and the rules differ", (const char *)whole->p + (i > 60 ? i - 60 : 0), 100);
		taken++;
		i = end > i ? end - 1 : i;
	}
}

/* n bytes, after the last of a text the NULs that follow it, and nothing more: reading it is noticed. */
static uint8_t *exactly(const char *text, size_t n, bool last)
{
	uint8_t *p = calloc(1, n + (last ? FIND_AHEAD : !n));
	if (!p)
		abort();
	memcpy(p, text, n);
	return p;
}

/* Compares the ways on the first `cut` bytes of the n at `text`. */
static void compare_cut(const char *text, size_t n, size_t cut)
{
	uint8_t *p = exactly(text, cut, cut == n), *all = exactly(text, n, true);
	struct view whole = { .p = all, .end = n, .last = true, .first = true, .flowed = (enum flowed)rnd(3) };
	rules.join = (urlsift_join)rnd(4);
	rules.guess = rnd(2);
	whole.flowed = rules.join == URLSIFT_JOIN_NEVER ? FLOWED_NOT : whole.flowed;
	rules.simd = simd_choose(rnd(2) ? URLSIFT_IMPL_PORTABLE : URLSIFT_IMPL_AUTO);
	struct view v = whole;
	v.p = p;
	v.end = cut;
	v.last = cut == n;
	compare(&v, &whole);
	free(p);
	free(all);
}

/* ---- the decision against the URL ---- */

/* Their bytes cannot be compared: some are padding. */
static bool same_parts(const urlsift_url *a, const urlsift_url *b)
{
	const urlsift_component *p = &a->scheme, *q = &b->scheme;
	for (; q <= &b->fragment; p++, q++)
		if (p->offset != q->offset || p->length != q->length || p->present != q->present)
			return false;
	return a->text == b->text && a->length == b->length;
}

/* What a link says of itself is what its URL says. */
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
	check_text(m == urlsift_url_normal(&url, other, sizeof other) && !memcmp(one, other, m), "normal form", text, n);
	m = urlsift_link_target(piece->link, one, sizeof one);
	check_text(m == urlsift_url_target(&url, other, sizeof other) && !memcmp(one, other, m), "target", text, n);
	if (!urlsift_link_is_simple(piece->link))
		return 0;
	simple++;
	check_text(m == n && !memcmp(one, text, n), "simple, but not its target", text, n);
	urlsift_url quick;
	link_split(piece->link, &quick);
	check_text(same_parts(&quick, &url), "simple, and taken apart in another way", text, n);
	m = urlsift_url_normal(&url, other, sizeof other);
	check_text(!link_is_normal(piece->link) || (m == n && !memcmp(other, text, n)), "not its normal form", text, n);
	check_text(!piece->link->head || !grammar_quick_simple(&quick) ||
	           urlsift_url_check(context, &url, URLSIFT_RFC1738, NULL) == URLSIFT_OK, "not by RFC 1738", text, n);
	check_text(urlsift_url_warnings(&url) == 0, "simple with a warning", text, n);
	check_text(urlsift_scheme_linkable(text, url.scheme.length), "simple and may not be linked", text, n);
	check_text(url.host.present && url.host.length, "simple without a host", text, n);
	check_text(urlsift_url_check(context, &url, URLSIFT_RFC3986, NULL) == URLSIFT_OK, "simple and not a URI", text, n);
	for (size_t i = 0; i < n; i++)
		check_text((unsigned char)text[i] < 0x80 && !strchr("<>\"'", text[i]), "simple and must be escaped", text, n);
	return 0;
}

static void check_scan(const char *text, size_t n)
{
	const urlsift_sink sink = { take, NULL, NULL };
	CHECK(context && urlsift_scan(context, NULL, &sink, text, n) == URLSIFT_OK);
}

/* ---- testdata ---- */

static void check_file(const char *path)
{
	static char text[1 << 20];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(text, 1, sizeof text, f) : 0;
	CHECK_FOR(f, path);
	if (f)
		fclose(f);
	for (int k = 0; k < 6; k++)
		compare_cut(text, n, k < 4 || !n ? n : rnd(n));
	check_scan(text, n);
}

/* The files of a folder, and of those in it.  Returns how many. */
static unsigned check_folder(const char *folder, int depth)
{
	DIR *d = opendir(folder);
	unsigned files = 0;
	for (struct dirent *e; d && (e = readdir(d));) {
		char path[600];
		struct stat st;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (*e->d_name == '.' || stat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode) && depth < 4)
			files += check_folder(path, depth + 1);
		else if (S_ISREG(st.st_mode) && ++files)
			check_file(path);
	}
	if (d)
		closedir(d);
	return files;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : run_rounds(200000);
	const urlsift_allocator alloc = alloc_from(NULL);
	context = urlsift_context_new(NULL);
	link_init(&fast, &alloc);
	link_init(&slow, &alloc);
	CHECK(buf_reserve(&fast.spans, 16 * sizeof(struct span)));
	for (unsigned round = 0; round < rounds; round++) {
		char text[8192];
		bool pieces = round % 5 == 0;
		size_t n = pieces ? make_of_pieces(text) : make_around(text);
		compare_cut(text, n, rnd(3) ? n : rnd(n));
		if (pieces)
			check_scan(text, n);
	}
	CHECK_THAT(taken > rounds / 20 && simple > rounds / 100, "only %lu were taken, and %lu simple", taken, simple);
	CHECK(check_folder("testdata", 0) > 200);
	link_fini(&fast);
	link_fini(&slow);
	urlsift_context_free(context);
	return check_end();
}
