/* The scanner after another layer: format=flowed (J1), borrowed charsets and
 * bases, links that stand whole in markup, texts that are shown for them, and labels.
 * Every text of format=flowed is fed whole and split at every byte. */
#include "check.h"
#include "scan/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char *what, const char *wanted, const char *got)
{
	check_at(ok, __FILE__, __LINE__, what, "\n  wanted %s\n  got    %s", wanted, got);
}

/* What came out: the texts of the links, one a line, with their flags. */
struct result { char text[2048]; size_t n; uint64_t at; bool tiled; };

static void add_link(struct result *r, const urlsift_link *l)
{
	static const struct { unsigned flag; const char *name; } flags[] = {
		{URLSIFT_JOINED, " joined"}, {URLSIFT_JOIN_IS_DECLARED, " declared"}, {URLSIFT_JOIN_IS_GUESSED, " guessed"},
		{URLSIFT_DECORATION, " decoration"}, {URLSIFT_RESOLVED, " resolved"}, {URLSIFT_UNKNOWN_SCHEME, " unknown"},
		{URLSIFT_UNLINKABLE_SCHEME, " unlinkable"}, {URLSIFT_SCHEME_JOINED, " scheme-joined"}
	};
	size_t n;
	const char *text = urlsift_link_text(l, &n);
	r->n += (size_t)snprintf(r->text + r->n, sizeof r->text - r->n, "%.*s", (int)n, text);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (urlsift_link_flags(l) & flags[i].flag)
			r->n += (size_t)snprintf(r->text + r->n, sizeof r->text - r->n, "%s", flags[i].name);
	r->n += (size_t)snprintf(r->text + r->n, sizeof r->text - r->n, "\n");
}

static int on_piece(void *user, const urlsift_piece *piece)
{
	struct result *r = user;
	r->tiled &= piece->offset == r->at;
	r->at += piece->length;
	if (piece->link && piece->part == 0)
		add_link(r, piece->link);
	return 0;
}

/* ---- format=flowed ---- */

static const struct { enum flowed flowed; const char *text, *links; } flowed_texts[] = {
	{FLOWED_DELETES, "see http://a.example/b \r\nc/d now", "http://a.example/bc/d joined declared\n"},
	{FLOWED_DELETES, "see http://a.example/b \nc/d \ne \nf. ", "http://a.example/bc/def joined declared\n"},
	{FLOWED_DELETES, "see http://a.example/b  \nc/d", "http://a.example/b\n"},
	{FLOWED_DELETES, "see http://a.example/b\nc/d", "http://a.example/b\n"},
	{FLOWED_DELETES, "see http://a.example/b \n c/d", "http://a.example/bc/d joined declared\n"},
	{FLOWED_DELETES, "see http://a.example/b \n  c/d", "http://a.example/b\n"},
	{FLOWED_DELETES, "> http://a.example/b \n> c/d", "http://a.example/bc/d joined declared decoration\n"},
	{FLOWED_DELETES, ">>http://a.example/b \n>>c/d", "http://a.example/bc/d joined declared decoration\n"},
	{FLOWED_DELETES, "> http://a.example/b \n>> c/d", "http://a.example/b\n"},
	{FLOWED_DELETES, "> http://a.example/b \nc/d", "http://a.example/b\n"},
	{FLOWED_DELETES, "> > http://a.example/b \n> c/d", "http://a.example/bc/d joined declared decoration\n"},
	{FLOWED_DELETES, "http://a.example/b \n-- \nme", "http://a.example/b\n"},
	{FLOWED_DELETES, "http://a.example/b \n--x", "http://a.example/b--x joined declared\n"},
	{FLOWED_DELETES, "http://a.example/b \nhttp://c.example/", "http://a.example/b\nhttp://c.example/\n"},
	{FLOWED_DELETES, "http://a.example/b. \nThen", "http://a.example/b.Then joined declared\n"},
	{FLOWED_DELETES, "(http://a.example/b) \nThen", "http://a.example/b\n"},
	{FLOWED_DELETES, "http://a.example/b \n\"c\"", "http://a.example/b\n"},
	{FLOWED_DELETES, "http://a.example/b \n", "http://a.example/b\n"},
	{FLOWED_DELETES, "http://a.example/b \n\nc", "http://a.example/b\n"},
	{FLOWED_DELETES, "http://a.exa \nmple/b", "http://a.example/b joined declared\n"},
	{FLOWED_DELETES, "http://a. \nexample/b", "http://a.example/b joined declared\n"},
	{FLOWED_DELETES, "http://a- \nb.example/b", "http://a-b.example/b joined declared\n"},
	{FLOWED_DELETES, "http://a.example- \n(b", "http://a.example\n"},
	{FLOWED_DELETES, "http://a.example-  \nb", "http://a.example\n"},
	{FLOWED_DELETES, "http://a.example.- \n-b", "http://a.example\n"},
	{FLOWED_DELETES, "http://[::1] \n/b", "http://[::1]/b joined declared\n"},
	{FLOWED_DELETES, "URL: www.a.example \n/b", "www.a.example/b joined declared\n"},
	{FLOWED_DELETES, "mailto:x@a.exa \nmple", "mailto:x@a.example joined declared\n"},
	{FLOWED_DELETES, "<http://a.example/b \nc/d>", "http://a.example/bc/d joined\n"},
	{FLOWED_DELETES, "http://a.example/b\\\nc", "http://a.example/bc joined declared\n"},
	{FLOWED_KEEPS, "see http://a.example/b \nc/d", "http://a.example/b\n"},
	{FLOWED_KEEPS, "<http://a.example/b \nc/d>", "http://a.example/bc/d joined\n"},
	{FLOWED_KEEPS, "a line with http://a.example/a-long-path/that-goes-on/to-the-very-edge/of/ \nthe/line.html",
	 "http://a.example/a-long-path/that-goes-on/to-the-very-edge/of/the/line.html joined guessed\n"},
	{FLOWED_NOT, "see http://a.example/b \nc/d", "http://a.example/b\n"},
	{FLOWED_NOT, "a line with http://a.example/a-long-path/that-goes-on/to-the-very-edge/of/ \nthe/line.html",
	 "http://a.example/a-long-path/that-goes-on/to-the-very-edge/of/the/line.html joined guessed\n"}
};

static void check_flowed(urlsift_scanner *s, struct result *r, bool joins)
{
	for (size_t i = 0; i < sizeof flowed_texts / sizeof *flowed_texts; i++) {
		const char *text = flowed_texts[i].text;
		size_t n = strlen(text);
		if (!joins && !strstr(flowed_texts[i].links, "declared"))
			continue;
		for (size_t cut = 0; cut <= n; cut++) {
			*r = (struct result){.tiled = true};
			scanner_begin(s, &(struct embed){.flowed = flowed_texts[i].flowed});
			for (size_t k = 0, step; k < n; k += step) {
				step = cut == n ? 1 : k < cut ? cut : n - k;
				char *copy = malloc(step); /* its own, so that a sanitizer sees a byte too far */
				memcpy(copy, text + k, step);
				urlsift_feed(s, copy, step);
				free(copy);
			}
			urlsift_finish(s);
			if (joins)
				check(!strcmp(r->text, flowed_texts[i].links), text, flowed_texts[i].links, r->text);
			else
				check(!strstr(r->text, "joined"), text, "no join", r->text);
			check(r->tiled && r->at == n, text, "pieces that tile it", "gaps");
		}
	}
}

/* ---- charsets and bases of others ---- */

static void check_borrowed(urlsift_scanner *s, struct result *r, const urlsift_allocator *a)
{
	urlsift_status status;
	struct charset *utf16 = charset_new(a, charset_canonical("utf-16le", 8), &status);
	static const char wide[] = "<\0U\0R\0L\0:\0x\0/\0y\0>\0";
	*r = (struct result){.tiled = true};
	scanner_begin(s, &(struct embed){.charset = utf16, .base = {"http://a.example/b/", 19}});
	urlsift_feed(s, wide, sizeof wide - 1);
	urlsift_finish(s);
	check(!strcmp(r->text, "x/y resolved\n") && r->at == sizeof wide - 1, "UTF-16 with a base", "x/y resolved",
		r->text);
	*r = (struct result){.tiled = true};
	urlsift_reset(s);
	urlsift_feed(s, "<URL:x/y> http://c.example/", 27);
	urlsift_finish(s);
	check(!strcmp(r->text, "http://c.example/\n"), "reset takes charset and base back", "http://c.example/", r->text);
	charset_free(utf16);
}

/* ---- links that stand whole ---- */

static const char base[] = "http://a.example/b/c";
static const struct { const char *value, *base, *supplied, *link, *target; unsigned warnings; } wholes[] = {
	{"http://x.example/", "", "", "http://x.example/\n", "http://x.example/", 0},
	{"  http://x.example/a b\n", "", "", "http://x.example/a b\n", "http://x.example/a%20b", 0},
	{"http://x.example/a\r\n\tb\tc", "", "", "http://x.example/abc joined\n", "http://x.example/abc", 0},
	{"HTTP:foo", "", "", "HTTP://foo\n", "HTTP://foo", 0},
	{"mailto:x@a.example", "", "", "mailto:x@a.example\n", "mailto:x@a.example", 0},
	{"javascript:alert(1)", "", "", "javascript:alert(1) unlinkable\n", "javascript:alert(1)", URLSIFT_WARN_UNLINKABLE},
	{" java\nscript:x", base, "", "javascript:x joined unlinkable scheme-joined\n", "javascript:x",
	 URLSIFT_WARN_UNLINKABLE | URLSIFT_WARN_JOINED_SCHEME},
	{"javascript:\nx", "", "", "javascript:x joined unlinkable\n", "javascript:x", URLSIFT_WARN_UNLINKABLE},
	{"zork:a", "", "", "zork:a unknown\n", "zork:a", URLSIFT_WARN_UNKNOWN_SCHEME},
	{"x/y", "", "", "", "", 0},
	{"", base, "", "", "", 0},
	{" \n ", base, "", "", "", 0},
	{"#top", base, "", "#top resolved\n", "http://a.example/b/c#top", 0},
	{"http:", base, "", "", "", 0},
	{"http://", base, "", "", "", 0},
	{"x/y#z", base, "", "x/y#z resolved\n", "http://a.example/b/x/y#z", 0},
	{"//o.example", base, "", "//o.example resolved\n", "http://o.example", 0},
	{"x", "javascript:a/", "", "x resolved unlinkable\n", "javascript:a/x", URLSIFT_WARN_UNLINKABLE},
	{"1@a.example", "", "mid:", "1@a.example\n", "mid:1@a.example", 0}
};

static void check_whole(urlsift_scanner *s, struct result *r)
{
	const urlsift_link *l;
	size_t count, n;
	for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
		char target[256] = "";
		unsigned warnings = 0;
		*r = (struct result){0};
		const char *from = wholes[i].base;
		scanner_begin(s, &(struct embed){.base = {from, strlen(from)}});
		const urlsift_range where = {7, 9};
		const struct attribute value = {.text = (const uint8_t *)wholes[i].value, .length = strlen(wholes[i].value),
		                                .supplied = wholes[i].supplied, .where = {.ranges = &where, .count = 1}};
		enum attribute_result result = scanner_attribute(s, &value, &l);
		if (l) {
			add_link(r, l);
			n = urlsift_link_target(l, target, sizeof target - 1);
			target[n] = 0;
			warnings = urlsift_link_warnings(l);
			const urlsift_range *range = urlsift_link_parts(l, &count);
			check(count == 1 && range->offset == 7 && range->length == 9, wholes[i].value, "one range", "another");
		}
		check(result == (l ? ATTRIBUTE_LINK : ATTRIBUTE_NONE), wholes[i].value, "no limit", "one");
		check(!strcmp(r->text, wholes[i].link), wholes[i].value, wholes[i].link, r->text);
		check(!strcmp(target, wholes[i].target), wholes[i].value, wholes[i].target, target);
		check(warnings == wholes[i].warnings, wholes[i].value, "its warnings", "others");
	}
	size_t longest = 70000;
	uint8_t *value = malloc(longest);
	memset(value, 'x', longest);
	memcpy(value, "http://a.example/", 17);
	const struct attribute long_value = {.text = value, .length = longest, .supplied = ""};
	check(scanner_attribute(s, &long_value, &l) == ATTRIBUTE_TOO_LONG && !l, "a long value", "a limit", "none");
	memset(value + 17, '\n', longest - 18);
	check(scanner_attribute(s, &long_value, &l) == ATTRIBUTE_LINK, "a value of line ends", "a link", "none");
	free(value);
}

/* ---- texts that are shown ---- */

static const struct { const char *shown, *link; bool differs; } shown_texts[] = {
	{"http://b.example/", "http://a.example/", true},
	{"http://a.example/other", "http://a.example/", false},
	{"http://www.A.example", "https://a.example/x", false},
	{"Sign in: https://me@b.example:80/x now", "http://a.example/", true},
	{"www.b.example", "http://a.example/", true},
	{"(www.a.example).", "http://a.example/", false},
	{"www.", "http://a.example/", false},
	{" b.example ", "http://a.example/", true},
	{"b.example!", "http://a.example/", true},
	{"b.example/x", "http://a.example/", true},
	{"go to b.example", "http://a.example/", false},
	{"README.md", "http://a.example/", false},
	{"1.2.3", "http://a.example/", false},
	{"click here", "http://a.example/", false},
	{"http://b.example/", "mailto:x@a.example", true},
	{"x@b.example", "http://a.example/", false},
	{"b\xC3\xBC" "cher.example", "http://xn--bcher-kva.example/", false},
	{"http://b.example/", "http://b.example@a.example/", true},
	{"", "http://a.example/", false}
};

static void check_shown(urlsift_scanner *s)
{
	for (size_t i = 0; i < sizeof shown_texts / sizeof *shown_texts; i++) {
		const char *shown = shown_texts[i].shown, *link = shown_texts[i].link;
#ifndef URLSIFT_WITH_IDN2
		if (strstr(link, "xn--"))
			continue;
#endif
		const urlsift_link *l;
		scanner_attribute(s, &(struct attribute){.text = (const uint8_t *)link, .length = strlen(link), .supplied = "",
		                                      .shown = (const uint8_t *)shown, .shown_length = strlen(shown)}, &l);
		bool differs = l && urlsift_link_warnings(l) & URLSIFT_WARN_TEXT_MISMATCH;
		check(l && differs == shown_texts[i].differs, shown,
			shown_texts[i].differs ? "another host" : "no other host", link);
	}
}

/* ---- The label of a link and what surrounds it; neither depends on how the text is fed ---- */

enum { ROOM = 64 * 1024 };

struct seen {
	char text[ROOM]; /* `url|label|before|after` and LF of each link */
	size_t length;
};

static void add(struct seen *s, const char *bytes, size_t n, char after)
{
	if (s->length + n + 1 < ROOM) {
		memcpy(s->text + s->length, bytes, n);
		s->length += n;
		s->text[s->length++] = after;
	}
}

static int take(void *user, const urlsift_piece *piece)
{
	struct seen *s = user;
	size_t n;
	urlsift_text before, after;
	if (!piece->link || piece->part)
		return 0;
	const char *text = urlsift_link_text(piece->link, &n);
	add(s, text, n, '|');
	text = urlsift_link_label(piece->link, &n);
	add(s, text, n, '|');
	urlsift_link_context(piece->link, &before, &after);
	CHECK(before.bytes && after.bytes);
	add(s, before.bytes, before.length, '|');
	add(s, after.bytes, after.length, '\n');
	return 0;
}

/* Fed in blocks of `block` bytes. */
static void scan(const char *text, size_t length, long context, size_t block, struct seen *s)
{
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = urlsift_options_new(NULL);
	const urlsift_sink sink = { take, NULL, s };
	urlsift_options_set(o, URLSIFT_OPT_LABELS, 1);
	urlsift_options_set(o, URLSIFT_OPT_CONTEXT, context);
	urlsift_scanner *scanner = urlsift_new(c, o, &sink, NULL);
	s->length = 0;
	for (size_t i = 0; i < length; i += block)
		urlsift_feed(scanner, text + i, length - i < block ? length - i : block);
	CHECK(urlsift_finish(scanner) == URLSIFT_OK);
	s->text[s->length] = '\0';
	urlsift_free(scanner);
	urlsift_options_free(o);
	urlsift_context_free(c);
}

static struct seen wanted, got;

/* Compares with every block size that may matter. */
static void check_blocks(const char *text, size_t length, long context)
{
	static const size_t blocks[] = { 1, 2, 3, 7, 64, 1000, 4096 };
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		scan(text, length, context, blocks[i], &got);
		CHECK_THAT(!strcmp(wanted.text, got.text), "in blocks of %zu: %s instead of %s", blocks[i], got.text,
		           wanted.text);
	}
}

static const struct { long context; const char *text, *links; } rows[] = {
	/* Markdown */
	{ 0, "see [the  docs](http://a.example/x).", "http://a.example/x|the docs||\n" },
	{ 0, "[a [b] \\] c](<http://a.example/>)", "http://a.example/|a [b] ] c||\n" },
	{ 0, "![alt](http://a.example/i.png \"title\")", "http://a.example/i.png|alt||\n" },
	{ 0, "[two\nlines](http://a.example/)", "http://a.example/|two lines||\n" },
	{ 0, "> > [in\n> > quoted\r\n>> text > this](http://a.example/)", "http://a.example/|in quoted text > this||\n" },
	{ 0, "[no\n\nlabel](http://a.example/)", "http://a.example/|||\n" },
	{ 0, "x](http://a.example/)", "http://a.example/|||\n" },
	{ 0, "[x] (http://a.example/)", "http://a.example/|||\n" },
	{ 0, "[\xe9](http://a.example/)", "http://a.example/|\xc3\xa9||\n" },
	{ 0, "[![alt](http://b.example/i.png \"title\") of it](http://a.example/)",
	  "http://b.example/i.png|alt||\nhttp://a.example/|alt of it||\n" },
	{ 0, "[**a *b* c**: _d_ e_f_ 2 * 3](http://a.example/)", "http://a.example/|a b c: d e_f_ 2 * 3||\n" },
	{ 0, "[*args C*](http://a.example/) [f(*a, **b)](http://b.example/)",
	  "http://a.example/|args C||\nhttp://b.example/|f(*a, **b)||\n" },
	{ 0, "[*a *b *c* _d_](http://a.example/) [*a*b *c _d_ *e](http://b.example/)",
	  "http://a.example/|a b c d||\nhttp://b.example/|*a*b *c d *e||\n" },
	{ 0, "[`__a__`s and ``b`\\_c``, d ` e](http://a.example/)", "http://a.example/|__a__s and b`\\_c, d ` e||\n" },
	{ 0, "[\\[1\\] a\\_b \\c](http://a.example/)", "http://a.example/|[1] a_b \\c||\n" },
	/* Org */
	{ 0, "[[http://a.example/][an\tOrg label]]", "http://a.example/|an Org label||\n" },
	{ 0, "[[http://a.example/]]", "http://a.example/|||\n" },
	{ 0, "[[http://a.example/][never closed\n]]", "http://a.example/|||\n" },
	/* wikis */
	{ 0, "[http://a.example/ a label] b]", "http://a.example/|a label||\n" },
	{ 0, "[[http://a.example/|a label]]", "http://a.example/|a label||\n" },
	{ 0, "[http://a.example/] a]", "http://a.example/|||\n" },
	{ 0, "[http://a.example/ 1794] [http://b.example/ a=b, c]", "http://a.example/|1794||\nhttp://b.example/|a=b, c||\n" },
	{ 0, "see http://a.example/x[1] [b]http://b.example/x[/b]", "http://a.example/x|||\nhttp://b.example/x|||\n" },
	/* Slack, LaTeX, BBCode, AsciiDoc */
	{ 0, "<http://a.example/|a label>", "http://a.example/|a label||\n" },
	{ 0, "\\href{http://a.example/}{a {\\em label\\}}} \\href{http://b.example/}{\\textit{a \\& b}}",
	  "http://a.example/|a label}||\nhttp://b.example/|a & b||\n" },
	{ 0, "[url=\"http://a.example/\"]a label[/url]", "http://a.example/|a label||\n" },
	{ 0, "[url=http://a.example/]a label[/url] [URL=http://b.example/][b]a [i]b[/b][/URL]",
	  "http://a.example/|a label||\nhttp://b.example/|a||\n" },
	{ 0, "[url=http://a.example/][img]http://b.example/i.png[/img][/url]",
	  "http://a.example/|||\nhttp://b.example/i.png|||\n" },
	{ 0, "http://a.example/[a `b[\\]`^] http://b.example/[a label,window=_blank] http://c.example/[]",
	  "http://a.example/|a b[\\]||\nhttp://b.example/|a label||\nhttp://c.example/|||\n" },
	{ 0, "http://a.example/[\"a, b\",role=x] http://b.example/[window=_blank role=x] http://c.example[:80]",
	  "http://a.example/|a, b||\nhttp://b.example/|||\nhttp://c.example|||\n" },
	/* two links, not one and its label */
	{ 0, "http://a.example/x[http://b.example/y]", "http://a.example/x|||\nhttp://b.example/y|||\n" },
	/* one and its label, and a form without one before one that has it */
	{ 0, "[http://a.example/ http://b.example/]", "http://a.example/|http://b.example/||\nhttp://b.example/|||\n" },
	{ 0, "x](http://a.example/[a label]", "http://a.example/|a label||\n" },
	/* reStructuredText */
	{ 0, "`a label <http://a.example/>`_", "http://a.example/|a label||\n" },
	{ 0, "`a\nlabel <http://a.example/>`__", "http://a.example/|a label||\n" },
	{ 0, "`a <http://a.example/>`_ <http://b.example/>`_", "http://a.example/|a||\nhttp://b.example/|||\n" },
	{ 0, "`a label <http://a.example/>`", "http://a.example/|||\n" },
	{ 0, "a label <http://a.example/>`_", "http://a.example/|||\n" },
	/* context */
	{ 1, "one\n two  http://a.example/\t three \nfour", "http://a.example/||two | three\n" },
	{ 2, "zero\r\none\r\ntwo http://a.example/ three\r\nfour\r\nfive", "http://a.example/||one two | three four\n" },
	{ 1, "http://a.example/", "http://a.example/|||\n" },
	{ 1, "<URL:http://a.example/>.", "http://a.example/||<URL:|>.\n" },
	{ 1, "x\rhttp://a.example/ http://b.example/\ry",
	  "http://a.example/||| http://b.example/\nhttp://b.example/||http://a.example/ |\n" },
};

/* Long labels and lines of characters of two bytes, which the limits must not cut. */
static void test_long(void)
{
	static char text[8 * 1024];
	size_t n = 0;
	text[n++] = '[';
	for (; n < 1500; n += 2)
		memcpy(text + n, "\xc3\xa9", 2);
	memcpy(text + n, "](http://a.example/)", 20);
	for (n += 20; n < 4000; n += 3)
		memcpy(text + n, "\xe2\x82\xac", 3);
	scan(text, n, 1, n, &wanted);
	CHECK(wanted.length == 17 + 1 + 1 + 398 + 1 + 1 + 199 * 3 + 1);
	check_blocks(text, n, 1);
	memmove(text + 900, text + 1500, n - 1500); /* a label of 450 characters, of which 200 are reported */
	scan(text, n - 600, 0, n, &wanted);
	CHECK(wanted.length == 17 + 1 + 400 + 3);
	check_blocks(text, n - 600, 0);
}

static void test_labels(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		scan(rows[i].text, strlen(rows[i].text), rows[i].context, ROOM, &wanted);
		CHECK_THAT(!strcmp(wanted.text, rows[i].links), "%s: %s instead of %s", rows[i].text, wanted.text,
		           rows[i].links);
		check_blocks(rows[i].text, strlen(rows[i].text), rows[i].context);
	}
	test_long();
}

int main(void)
{
	struct result r = {.tiled = true};
	urlsift_allocator a = alloc_from(NULL);
	urlsift_sink sink = {on_piece, NULL, &r};
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = urlsift_options_new(NULL);
	urlsift_options_set(o, URLSIFT_OPT_GUESS, 1);
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	check_flowed(s, &r, true);
	check_borrowed(s, &r, &a);
	check_whole(s, &r);
	check_shown(s);
	urlsift_free(s);
	urlsift_options_set(o, URLSIFT_OPT_JOIN, URLSIFT_JOIN_NEVER);
	s = urlsift_new(c, o, &sink, NULL);
	check_flowed(s, &r, false);
	urlsift_free(s);
	urlsift_options_free(o);
	urlsift_context_free(c);
	test_labels();
	return check_end();
}
