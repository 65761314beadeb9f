/* The quick way for plain links: what it takes is what the rules one by one make of it, and it takes most
 * of what is plain. */
#include "check.h"
#include "scan/candidate.h"
#include "scan/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long passed, failed, taken;
static uint32_t seed = 1;

static size_t rnd(size_t n) { return (seed = seed * 1664525 + 1013904223) / 65536 % n; }

/* What is harmless stands in the first half of a list. */
#define PICK(a) (a)[rnd((sizeof(a) / sizeof *(a)) / (rnd(2) ? 1 : 2))]

/* A text around one URL or so, with what may stand before, in and behind it. */
static size_t make(char *to)
{
	static const char *const words[] = { "", "text ", "word\n", "a > b\n", "end.\n\n", "see: ", "<tag a='b'>\n" };
	static const char *const befores[] = {
		"", "", "", "", " ", "\n", "\n\n", "\r\n", "> ", "> > ", ">", "| ", "  ", "\t", "<", "< ", "<\n", "<URL:", "URL:", "URL: ", "url:\n", "<b>", "</b>",
		"<td class=x>", "<a href='", "<a href=\"", "'", "\"", "(", "[", "{", "=", ",", "- ", "+ ", "1. ", "ab> ", "dnl ", "*", "_", "/* ", "&quot;",
		"\xc2\xab", "\xe2\x80\x9c", "\xc2\xa0", "\xc2\xa0 ", "<\xc2\xa0 ", "<\f ", "<\n- ", "<\n[1] ", "[1] ", "<!-- ", "< - ", ": ", "l: ", "a ", ", ", "`", "3D"
	};
	static const char *const schemes[] = { "http://", "https://", "ftp://", "http://", "HTTP://", "gopher://" };
	static const char *const hosts[] = {
		"a.example", "b-c.test", "www.x.example", "h", "h2.test", "192.0.2.1", "a_b.example", "u@h.example", "a..b", "A.EXAMPLE", "h.example:80", "a.example."
	};
	static const char *const paths[] = { "/", "/", "/a/b", "/x.html", "", "?a=1", "#f" };
	static const char *const bits[] = {
		"/", "/a", "/x(y)z", ",all", ";p=1", "?a=1", "#f", "&b=2", "~", "%20", "-", "/b", "=", "_", ".txt", "(z)", "(", ")", ",", ";", "?", "#", "&amp;c=3",
		"&", "!", ".", ":", "'", "*", "@", "+", "--", "=\n", "\n", " ", " \n", "\\\n", "_", "..", "[", "]", "{", "}", "|", "^", "http://", "ftp:", "x:", ",http://b.example/",
		";mailto:a@b.example", "&quot;", "&gt;", "\xc2\xbb", "\xe2\x80\x9d", "\xc3\xa9", "\xe3\x80\x82", "\xe9", "</b>", "<br>", ">", "\"", "bar(", "baz)", "\n> foo/bar"
	};
	static const char *const ends[] = {
		"\n", "\n", " ", "\n\n", " \n", "'", "\"", ")", "]", ">", ".\n", ", x", "; y", "!\n", "?\n", ":\n", "</a>", "&gt;", "...\n", ".)\n", ").", "\",", "',", "> x", "'.", ".'"
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

static bool same(const struct urlsift_link *a, const struct urlsift_link *b)
{
	return a->length == b->length && !memcmp(a->text, b->text, a->length) && a->span_count == b->span_count
	       && !memcmp(link_spans(a), link_spans(b), a->span_count * sizeof(struct span)) && a->convention == b->convention
	       && a->flags == b->flags && !strcmp(a->scheme, b->scheme) && !strcmp(a->supplied, b->supplied)
	       && a->alternate_count == b->alternate_count;
}

/* At each colon of a window on the beginning of a text, by the rules with the whole text in hand. */
static void compare(const struct rules *rules, const struct view *v, const struct view *whole, struct urlsift_link *quick,
                    struct urlsift_link *slow)
{
	for (size_t i = 0; i < v->end; i++) {
		size_t at, end = v->p[i] == ':' ? plain_read(rules, v, i, 0, quick, &at) : 0;
		struct candidate c = { .rules = rules, .v = whole, .link = slow };
		if (!end || (quick->convention != URLSIFT_CONV_ANGLE && plain_guess(rules, v, quick, at, &end) != YES))
			continue;
		bool good = candidate_read(&c, i) == YES && !c.swallowed && c.end == end && same(quick, slow);
		passed += good;
		failed += !good;
		if (!good)
			fprintf(stderr, "flowed %d, join %d, %zu of: %.*s\nquick %.*s\nslow  %.*s\n", (int)v->flowed, (int)rules->join, v->end,
			        (int)whole->end, (const char *)whole->p, (int)quick->length, (const char *)quick->text, (int)slow->length,
			        (const char *)slow->text);
		taken++;
		i = end > i ? end - 1 : i;
	}
}

/* n bytes with nothing behind them, so that it is seen when more is read. */
static uint8_t *exactly(const char *text, size_t n)
{
	uint8_t *p = malloc(n ? n : 1);
	if (!p)
		abort();
	memcpy(p, text, n);
	return p;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200000;
	const urlsift_allocator alloc = alloc_from(NULL);
	struct urlsift_link quick, slow;
	struct exceeded exceeded = { 0 };
	link_init(&quick, &alloc);
	link_init(&slow, &alloc);
	if (!buf_reserve(&quick.spans, 16 * sizeof(struct span)))
		return 2;
	struct rules rules = {
		.max_url = 8000, .max_breaks = 16, .max_alternates = 8, .exceeded = &exceeded,
		.simd = simd_choose(URLSIFT_IMPL_AUTO)
	};
	for (unsigned round = 0; round < rounds; round++) {
		char text[2048];
		size_t n = make(text), cut = rnd(3) ? n : rnd(n);
		uint8_t *p = exactly(text, cut), *all = exactly(text, n);
		struct view whole = { .p = all, .end = n, .last = true, .first = true, .flowed = (enum flowed)rnd(3) };
		rules.join = (urlsift_join)rnd(3);
		rules.guess = rnd(2);
		whole.flowed = rules.join == URLSIFT_JOIN_NEVER ? FLOWED_NOT : whole.flowed;
		rules.simd = simd_choose(rnd(2) ? URLSIFT_IMPL_PORTABLE : URLSIFT_IMPL_AUTO);
		struct view v = whole;
		v.p = p;
		v.end = cut;
		v.last = cut == n;
		compare(&rules, &v, &whole, &quick, &slow);
		free(p);
		free(all);
	}
	passed += taken > rounds / 10;
	failed += taken <= rounds / 10;
	link_fini(&quick);
	link_fini(&slow);
	return check_end();
}
