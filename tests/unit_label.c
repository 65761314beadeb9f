/* The label of a link in text and what surrounds it; neither depends on how the text is fed. */
#include "check.h"

#include <string.h>

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
	{ 0, "[a [b] \\] c](<http://a.example/>)", "http://a.example/|a [b] \\] c||\n" },
	{ 0, "![alt](http://a.example/i.png \"title\")", "http://a.example/i.png|alt||\n" },
	{ 0, "[two\nlines](http://a.example/)", "http://a.example/|two lines||\n" },
	{ 0, "[no\n\nlabel](http://a.example/)", "http://a.example/|||\n" },
	{ 0, "x](http://a.example/)", "http://a.example/|||\n" },
	{ 0, "[x] (http://a.example/)", "http://a.example/|||\n" },
	{ 0, "[\xe9](http://a.example/)", "http://a.example/|\xc3\xa9||\n" },
	/* Org */
	{ 0, "[[http://a.example/][an\tOrg label]]", "http://a.example/|an Org label||\n" },
	{ 0, "[[http://a.example/]]", "http://a.example/|||\n" },
	{ 0, "[[http://a.example/][never closed\n]]", "http://a.example/|||\n" },
	/* wikis */
	{ 0, "[http://a.example/ a label] b]", "http://a.example/|a label||\n" },
	{ 0, "[[http://a.example/|a label]]", "http://a.example/|a label||\n" },
	{ 0, "[http://a.example/] a]", "http://a.example/|||\n" },
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

int main(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		scan(rows[i].text, strlen(rows[i].text), rows[i].context, ROOM, &wanted);
		CHECK_THAT(!strcmp(wanted.text, rows[i].links), "%s: %s instead of %s", rows[i].text, wanted.text,
		           rows[i].links);
		check_blocks(rows[i].text, strlen(rows[i].text), rows[i].context);
	}
	test_long();
	return check_end();
}
