/* Unit tests of the reader of HTML parts, against its contract and the HTML standard. */
#include "check.h"
#include "mail/html/tag.h"
#include "mail/html/html.h"
#include "htmltext_pass.h"
#include "unit_htmltext_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What came out ---- */

enum kind { TEXT, HREF, END };

struct event {
	enum kind kind;
	unsigned flags;
	uint64_t source;
	size_t at, length, source_length; /* the bytes stand in the trace */
};

struct trace {
	uint8_t *bytes;
	struct event *events;
	size_t length, room, count, events_room;
	size_t calls, stop_at; /* the call that stops, from 1; 0 for none */
	size_t limits, alt;    /* calls of that function; bytes of the last text of an image */
	bool wrong;            /* text of no bytes, a value of too many */
};

static int trace_add(struct trace *t, struct event e, const uint8_t *bytes)
{
	if (t->length + e.length > t->room) {
		t->room = 2 * (t->length + e.length);
		t->bytes = realloc(t->bytes, t->room);
	}
	if (t->count == t->events_room) {
		t->events_room = 2 * t->count + 16;
		t->events = realloc(t->events, t->events_room * sizeof *t->events);
	}
	if ((t->room && !t->bytes) || !t->events)
		abort();
	if (e.length)
		memcpy(t->bytes + t->length, bytes, e.length);
	e.at = t->length;
	t->length += e.length;
	struct event *last = t->count ? &t->events[t->count - 1] : NULL;
	bool goes_on = last && e.kind == TEXT && last->kind == TEXT && e.length == e.source_length
	               && last->length == last->source_length && last->source + last->length == e.source;
	if (goes_on) {
		last->length += e.length;
		last->source_length += e.length;
	} else {
		t->events[t->count++] = e;
	}
	return ++t->calls == t->stop_at;
}

static int take_text(void *user, const uint8_t *text, size_t length, uint64_t source, size_t source_length)
{
	struct event e = { .kind = TEXT, .source = source, .length = length, .source_length = source_length };
	((struct trace *)user)->wrong |= length == 0;
	return trace_add(user, e, text);
}

static int take_run(void *user, const uint8_t *text, size_t length, uint64_t source)
{
	uint8_t *blanks = malloc(length + 16);
	if (!blanks)
		abort();
	run_spaces_ahead(blanks, text, length);
	int stop = take_text(user, blanks, length, source, length);
	free(blanks);
	return stop;
}

static int take_target(void *user, const struct html_target *h)
{
	struct event e = { HREF, h->flags, h->source, 0, h->length, h->source_length };
	((struct trace *)user)->wrong |= h->length > HTMLTEXT_VALUE_MAX;
	return trace_add(user, e, h->value);
}

static int take_end(void *user) { return trace_add(user, (struct event){ .kind = END }, NULL); }

static int take_limit(void *user, uint64_t source)
{
	struct trace *t = user;
	(void)source;
	t->limits++;
	return 0;
}

static int take_alt(void *user, const uint8_t *text, size_t length)
{
	struct trace *t = user;
	(void)text;
	t->alt = length;
	return 0;
}

static struct htmltext_sink sink_of(struct trace *t)
{
	return (struct htmltext_sink){ take_text, take_run, take_target, take_end, take_limit, t, take_alt, pass_unseen };
}

static void trace_fini(struct trace *t)
{
	free(t->bytes);
	free(t->events);
	*t = (struct trace){ 0 };
}

/* Cuts by `seed`: 0 whole, 1 into bytes, else into pieces of all sizes, each in
 * memory of its own. */
static urlsift_status run(struct htmltext *h, const uint8_t *p, size_t size, uint32_t seed)
{
	htmltext_reset(h, false);
	urlsift_status status = URLSIFT_OK;
	for (size_t i = 0, n; i < size && status == URLSIFT_OK; i += n) {
		n = seed == 0 ? size : seed == 1 ? 1 : 1 + random_bits(&seed) % (1u << random_bits(&seed) % 16);
		n = n < size - i ? n : size - i;
		uint8_t *block = malloc(n);
		if (!block)
			abort();
		memcpy(block, p + i, n);
		status = htmltext_feed(h, block, n);
		free(block);
	}
	return status == URLSIFT_OK ? htmltext_finish(h) : status;
}

static struct trace trace_of(const uint8_t *p, size_t size, uint32_t seed)
{
	struct trace t = { 0 };
	struct htmltext_sink sink = sink_of(&t);
	struct htmltext *h = htmltext_new(NULL, &sink);
	CHECK(h && run(h, p, size, seed) == URLSIFT_OK);
	htmltext_free(h);
	return t;
}

static bool same(const struct trace *a, const struct trace *b)
{
	bool ok = a->length == b->length && a->count == b->count && (!a->length || !memcmp(a->bytes, b->bytes, a->length));
	for (size_t i = 0; ok && i < a->count; i++) {
		const struct event *x = &a->events[i], *y = &b->events[i];
		ok = x->kind == y->kind && x->flags == y->flags && x->source == y->source && x->at == y->at
		     && x->length == y->length && x->source_length == y->source_length;
	}
	return ok;
}

/* Sources never go back nor beyond the end; text stands for itself, or for a reference or a NUL. */
static bool placed(const struct trace *t, const uint8_t *p, size_t size)
{
	uint64_t end = 0;
	bool ok = !t->wrong;
	for (size_t i = 0; ok && i < t->count; i++) {
		const struct event *e = &t->events[i];
		if (e->kind == END)
			continue;
		ok = e->source >= end && e->source + e->source_length <= size;
		end = ok ? e->source + e->source_length : end;
		if (!ok || e->kind == HREF || e->source_length == 0)
			continue;
		const uint8_t *from = p + e->source, *text = t->bytes + e->at;
		bool itself = e->length == e->source_length;
		for (size_t k = 0; itself && k < e->length; k++)
			itself = text[k] == from[k] || (text[k] == ' ' && strchr("\t\n\f\r", from[k]));
		ok = itself || *from == '&' || (*from == 0 && e->length == 3);
	}
	return ok;
}

static void check_cuts(const uint8_t *p, size_t size, uint32_t seed)
{
	struct trace whole = trace_of(p, size, 0), bytes = trace_of(p, size, 1), cut = trace_of(p, size, seed + 2);
	CHECK(placed(&whole, p, size));
	if (!CHECK(same(&whole, &bytes) && same(&whole, &cut)) && failed < 50)
		printf("  of: %.*s\n", (int)(size < 1000 ? size : 1000), (const char *)p);
	trace_fini(&whole);
	trace_fini(&bytes);
	trace_fini(&cut);
}

/* ---- Cases ---- */

/* As in the table of cases. */
static char *shown(const struct trace *t)
{
	char *out = malloc(t->length + 8 * t->count + 1), *o = out;
	if (!out)
		abort();
	for (size_t i = 0; i < t->count; i++) {
		const struct event *e = &t->events[i];
		if (e->kind == HREF) {
			*o++ = '[';
			for (unsigned bit = 0; bit < 4; bit++)
				if (e->flags & 1u << bit)
					*o++ = "ABC&"[bit];
			*o++ = ':';
		}
		if (e->length)
			memcpy(o, t->bytes + e->at, e->length);
		o += e->length;
		if (e->kind != TEXT)
			*o++ = ']';
	}
	*o = 0;
	return out;
}

static void check_shown(const char *html, size_t n, const char *wanted)
{
	struct trace t = trace_of((const uint8_t *)html, n, 0);
	char *got = shown(&t);
	if (!CHECK(!strcmp(got, wanted)))
		printf("  of: %s\n  is: %s\n  not: %s\n", html, got, wanted);
	free(got);
	trace_fini(&t);
	check_cuts((const uint8_t *)html, n, 1);
}

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_shown(cases[i].html, strlen(cases[i].html), cases[i].shown);
	/* NULs: dropped from text, and what the standard says elsewhere. */
	static const char text[] = "ht\0tp<a\0 href=1><a hr\0ef=2><a href='\0'>x", title[] = "<title>\0</title>",
	                  foreign[] = "<svg>\0", tag[] = "<\0a>", end[] = "</\0a>b";
	check_shown(text, sizeof text - 1, "http[A&:\xEF\xBF\xBD]x]");
	check_shown(title, sizeof title - 1, "\xEF\xBF\xBD\n");
	check_shown(foreign, sizeof foreign - 1, "\xEF\xBF\xBD");
	check_shown(tag, sizeof tag - 1, "<a>");
	check_shown(end, sizeof end - 1, "b");
}

static void check_places(const char *html, const struct event *events, size_t count)
{
	struct trace t = trace_of((const uint8_t *)html, strlen(html), 0);
	struct trace wanted = { .bytes = t.bytes, .length = t.length, .count = count };
	wanted.events = malloc(count * sizeof *events);
	if (!wanted.events)
		abort();
	memcpy(wanted.events, events, count * sizeof *events);
	CHECK(same(&t, &wanted));
	free(wanted.events);
	trace_fini(&t);
}

static void test_places(void)
{
	static const struct event tags[] = {
		{ TEXT, 0, 0, 0, 2, 2 }, { TEXT, 0, 5, 2, 2, 0 }, { TEXT, 0, 5, 4, 1, 5 }, { TEXT, 0, 10, 5, 1, 1 },
		{ HREF, HTMLTEXT_ANCHOR | HTMLTEXT_REFERENCES, 20, 6, 2, 6 }, { TEXT, 0, 28, 8, 1, 1 },
		{ END, 0, 0, 9, 0, 0 }, { TEXT, 0, 37, 9, 1, 0 }
	};
	static const struct event sections[] = { { TEXT, 0, 14, 0, 1, 1 }, { TEXT, 0, 18, 1, 2, 2 } };
	static const struct event ends[] = { { TEXT, 0, 7, 0, 6, 6 }, { TEXT, 0, 13, 6, 1, 9 }, { TEXT, 0, 30, 7, 1, 0 } };
	check_places("ab<p>&amp;c<a href=\"x&#65;\">d</a><br>", tags, sizeof tags / sizeof *tags);
	check_places("<svg><![CDATA[]]]>b]", sections, sizeof sections / sizeof *sections);
	check_places("<title></tit&&#000065;</title>", ends, sizeof ends / sizeof *ends);
}

/* ---- Any soup of tags ---- */

static const char *const crumbs[] = {
	"<", ">", "</", "/>", "<a ", "<a href=", "href", "=", "\"", "'", " ", "\n", "x", "http://a.test/", "&",
	"&amp", ";", "&#", "&#x", "41", "<!--", "-->", "--!>", "-", "!", "<![CDATA[", "]]>", "]", "<?",
	"<script>", "</script", "<script", "<style>", "</style>", "<title>", "</title>", "<textarea",
	"</textarea>", "<svg>", "</svg>", "<math>", "<desc>", "<p>", "</p>", "<td>", "<br>", "<pre>", "</pre>",
	"<template>", "</template>", "</a>", "<area href='y'>", "<xmp>", "</xmp", "&notit;", "&lt", "<iframe>",
	"</iframe>", "<!--[if mso]>", "<!--[if", "<![endif]-->", "<b>", "\t", "\r\n", "\xC3\xA4", "\xFF", "<base href=z>", "<plaintext>",
	"bold and plain text to fill a line"
};

/* Tags of attributes, with quotation marks that open a value and that do not. */
static const char *const attributes[] = {
	"<td ", "<td ", "</td ", " b=\"", " b=\"", "\"", "\"", "\"", ">", "'", "=", " c=", "d", " ", "\n", "\t", "\r\n",
	"/", "font-family: Arial, sans-serif; ", "=\"x>y\"", " e= f=\"x>", " g=h=\"x>", " =\"x>", "x", "\f", "text </b>text"
};

static void test_soup(const char *const *parts, size_t count)
{
	uint32_t state = 7;
	for (unsigned round = 0, rounds = run_rounds(4000); round < rounds; round++) {
		uint8_t html[1024];
		size_t n = 0;
		for (unsigned k = random_bits(&state) % 40; k > 0; k--) {
			const char *crumb = parts[random_bits(&state) % count];
			size_t length = strlen(crumb);
			if (n + length + 1 > sizeof html)
				break;
			memcpy(html + n, crumb, length);
			n += length;
			if (random_bits(&state) % 50 == 0)
				html[n++] = 0;
		}
		check_cuts(html, n, round);
	}
}

/* ---- Limits ---- */

/* head, `fill` n times, tail. */
static uint8_t *long_html(const char *head, char fill, size_t n, const char *tail, size_t *size)
{
	size_t before = strlen(head), after = strlen(tail);
	uint8_t *html = malloc(before + n + after);
	if (!html)
		abort();
	memcpy(html, head, before);
	memset(html + before, fill, n);
	memcpy(html + before + n, tail, after);
	*size = before + n + after;
	return html;
}

/* How many bytes of text come, and what the last event is. */
static struct trace long_trace(const char *head, char fill, size_t n, const char *tail)
{
	size_t size;
	uint8_t *html = long_html(head, fill, n, tail, &size);
	check_cuts(html, size, 3);
	struct trace t = trace_of(html, size, 0);
	free(html);
	return t;
}

/* However long it is, nothing but the tail's x is shown, and nothing at all where nothing closes it. */
static void check_hidden(const char *head, const char *tail)
{
	struct trace t = long_trace(head, 'x', HTMLTEXT_HIDDEN_MAX + 100, tail);
	CHECK(t.count && t.events[t.count - 1].kind == TEXT && t.events[t.count - 1].length == 1);
	const size_t shown = t.count - 1;
	trace_fini(&t);
	t = long_trace(head, 'x', HTMLTEXT_HIDDEN_MAX + 100, "");
	CHECK(t.count <= shown && t.limits == 1);
	trace_fini(&t);
	t = long_trace(head, 'x', HTMLTEXT_HIDDEN_MAX / 2, "");
	CHECK(t.limits == 0);
	trace_fini(&t);
}

static void test_limits(void)
{
	check_hidden("<!--", "-->z");
	check_hidden("<!", ">z");
	check_hidden("ab<?", ">z");
	check_hidden("<script>", "</script>z");
	check_hidden("<style>", "</style >z");
	check_hidden("<script><!--<script>", "--></script>z");
	check_hidden("<p title='", "'>z");
	check_hidden("<p ", ">z");
	check_hidden("</", ">z");
	check_hidden("<template>", "</template>z");
	check_hidden("<!--[if mso]>", "-->z");
	check_hidden("a<!--[if mso]><style>", "--!>z");
	/* A value: 64 KiB of it, handed out when they are there. */
	struct trace t = long_trace("<a href='", 'x', HTMLTEXT_VALUE_MAX, "'>z");
	CHECK(t.count == 3 && t.events[0].length == HTMLTEXT_VALUE_MAX && t.events[0].flags == HTMLTEXT_ANCHOR);
	trace_fini(&t);
	t = long_trace("<a href='", 'x', HTMLTEXT_VALUE_MAX + 1, "'>z");
	CHECK(t.count == 3 && t.events[0].length == HTMLTEXT_VALUE_MAX);
	CHECK(t.events[0].flags == (HTMLTEXT_ANCHOR | HTMLTEXT_CUT) && t.events[0].source_length == HTMLTEXT_VALUE_MAX);
	trace_fini(&t);
	t = long_trace("<a href='", '&', 2 * HTMLTEXT_HIDDEN_MAX, "'>z");
	CHECK(t.count == 3 && t.events[0].length == HTMLTEXT_VALUE_MAX && t.events[0].flags & HTMLTEXT_CUT);
	trace_fini(&t);
	t = long_trace("<a title='x' href='&#", '1', HTMLTEXT_HIDDEN_MAX, "'>z");
	CHECK(t.count == 3 && t.events[0].length == 3 && !(t.events[0].flags & HTMLTEXT_CUT));
	trace_fini(&t);
	t = long_trace("&#", '1', HTMLTEXT_HIDDEN_MAX, "z");
	CHECK(t.count == 2 && t.events[0].length == 3 && t.events[0].source_length == HTMLTEXT_HIDDEN_MAX + 2);
	trace_fini(&t);
	/* The text of an image, in several pieces. */
	t = long_trace("<a href='x'><img alt='", 'x', HTMLTEXT_ALT_MAX - 10, "&amp;five&amp;&lt;more than there is room for'>");
	CHECK(t.alt == HTMLTEXT_ALT_MAX);
	trace_fini(&t);
	t = long_trace("<a href='x'><img alt='", 'x', HTMLTEXT_ALT_MAX - 10, "&amp;five'>");
	CHECK(t.alt == HTMLTEXT_ALT_MAX - 5);
	trace_fini(&t);
	/* What is shown has no limit. */
	t = long_trace("<title>", 'x', 2 * HTMLTEXT_HIDDEN_MAX, "</title><p>");
	CHECK(t.count == 3 && t.events[0].length == 2 * HTMLTEXT_HIDDEN_MAX);
	trace_fini(&t);
}

/* ---- Names and numbers of characters ---- */

struct charref_row {
	uint16_t at;
	uint8_t length, extra;
	uint32_t first;
};

#include "mail/html/charref_table.h"

enum { ROWS = sizeof charref_rows / sizeof *charref_rows };

/* The definition: of all names that fit, the longest. */
static const struct charref_row *naive_find(const uint8_t *name, size_t n, size_t *taken)
{
	const struct charref_row *best = NULL;
	*taken = 0;
	for (size_t i = 0; i < ROWS; i++) {
		const struct charref_row *row = &charref_rows[i];
		const char *own = charref_names[row->at >> 12] + (row->at & 0xFFF);
		if (row->length > n || memcmp(own, name, row->length) != 0)
			continue;
		bool ended = row->length < n && name[row->length] == ';';
		size_t size = row->length + (size_t)ended;
		if ((ended || row->extra & CHARREF_LEGACY) && size > *taken) {
			*taken = size;
			best = row;
		}
	}
	return best;
}

static void check_entity(const uint8_t *name, size_t n)
{
	uint8_t text[CHARREF_TEXT_MAX] = { 0 };
	size_t length = 0, taken, got = charref_find(name, n, text, &length);
	const struct charref_row *row = naive_find(name, n, &taken);
	CHECK(got == taken && (!row || (length > 0 && length <= CHARREF_TEXT_MAX)));
	if (row && row->first < 0x80 && row->extra % CHARREF_LEGACY == 0)
		CHECK(length == 1 && text[0] == row->first);
}

static void test_entities(void)
{
	size_t legacy = 0;
	for (size_t i = 0; i < ROWS; i++) {
		const struct charref_row *row = &charref_rows[i];
		uint8_t name[CHARREF_NAME_MAX];
		legacy += (row->extra & CHARREF_LEGACY) != 0;
		CHECK(row->length < CHARREF_NAME_MAX);
		memcpy(name, charref_names[row->at >> 12] + (row->at & 0xFFF), row->length);
		name[row->length] = ';';
		uint8_t text[CHARREF_TEXT_MAX];
		size_t length;
		CHECK(charref_find(name, row->length + 1u, text, &length) == row->length + 1u);
		check_entity(name, row->length);
		name[row->length] = 'x';
		check_entity(name, row->length + 1u);
	}
	CHECK(ROWS == 2125 && legacy == 106);
	uint32_t state = 3;
	for (unsigned round = 0, rounds = run_rounds(2000); round < rounds; round++) {
		static const char letters[] = "aceglmnopqrtuAGLMPT";
		uint8_t name[8];
		size_t n = random_bits(&state) % 8;
		for (size_t i = 0; i < n; i++)
			name[i] = (uint8_t)letters[random_bits(&state) % (sizeof letters - 1)];
		name[n] = ';';
		check_entity(name, n + random_bits(&state) % 2);
	}
	CHECK(charref_code_point(0x80) == 0x20AC && charref_code_point(0x9F) == 0x178 && charref_code_point(0xA0) == 0xA0);
	CHECK(charref_code_point(0) == 0xFFFD && charref_code_point(0xD800) == 0xFFFD
		&& charref_code_point(0xDFFF) == 0xFFFD);
	CHECK(charref_code_point(0xE000) == 0xE000 && charref_code_point(0x110000) == 0xFFFD);
	CHECK(charref_code_point(0x10FFFF) == 0x10FFFF && charref_code_point(0x8D) == 0x8D && charref_code_point(13) == 13);
}

/* ---- Memory, and stopping ---- */

static void test_memory(void)
{
	size_t size;
	uint8_t *html = long_html("x<a href='", 'y', 2 * HTMLTEXT_VALUE_MAX, "'>z", &size);
	urlsift_status status = URLSIFT_NO_MEMORY;
	for (size_t k = 1; status == URLSIFT_NO_MEMORY; k++) {
		struct counting c = { .fail_at = k };
		urlsift_allocator a = { counting_allocate, counting_reallocate, counting_release, &c };
		struct trace t = { 0 };
		struct htmltext_sink sink = sink_of(&t);
		struct htmltext *h = htmltext_new(&a, &sink);
		CHECK((h == NULL) == (k == 1));
		status = h ? run(h, html, size, 9) : URLSIFT_NO_MEMORY;
		CHECK(status == URLSIFT_NO_MEMORY || status == URLSIFT_OK);
		CHECK(status == URLSIFT_OK || t.count < 2);
		/* It can be used again. */
		if (h)
			CHECK(run(h, html, size, 9) == URLSIFT_OK);
		CHECK(c.peak <= htmltext_memory_bound());
		htmltext_free(h);
		CHECK(c.blocks == 0 && c.live == 0);
		trace_fini(&t);
	}
	htmltext_free(NULL);
	free(html);
}

static void test_stop(void)
{
	static const char html[] = "a<p>b&amp;c\n<a href=x><area href=y>d<a href=z>e</a><a href>f<title></titl";
	struct trace whole = trace_of((const uint8_t *)html, sizeof html - 1, 0);
	for (size_t k = 1; k <= whole.calls; k++) {
		struct trace t = { .stop_at = k };
		struct htmltext_sink sink = sink_of(&t);
		struct htmltext *h = htmltext_new(NULL, &sink);
		CHECK(h && run(h, (const uint8_t *)html, sizeof html - 1, 0) == URLSIFT_STOPPED && t.calls == k);
		CHECK(htmltext_feed(h, (const uint8_t *)"x", 1) == URLSIFT_STOPPED && t.calls == k);
		CHECK(htmltext_finish(h) == URLSIFT_STOPPED && t.calls == k);
		htmltext_free(h);
		trace_fini(&t);
	}
	trace_fini(&whole);
}

/* The charset that a page declares, as browsers look for it. */
static void test_charset(void)
{
	static const struct { const char *page, *charset; } rows[] = {
		{ "<meta charset=utf-8>", "utf-8" }, { "<p>x<META\nCharSet = \"latin1\">", "latin1" },
		{ "<meta charset=\t'koi8-r' x>", "koi8-r" }, { "<meta charset=\" koi8-r\n\">", "koi8-r" },
		{ "<meta charset=a b>", "a" }, { "<meta charset=a/>", "a/" }, { "<meta charset=a\nb>", "a" }, { "<meta charset=a", "a" },
		{ "<meta charset=a'b>", "a'b" }, { "<meta/charset=a>", "a" }, { "<meta x><meta charset=b>", "b" },
		{ "<meta charset=><meta charset=c>", "c" }, { "<meta charset>", "" }, { "<meta charset= '", "" },
		{ "charset=a", "" }, { "<meta chars><p charset=a>", "" }, { "<met charset=a>", "" }, { "<meta charse", "" },
		{ "<meta", "" }, { "<", "" }, { "", "" }, { "<meta charset=a charset=b>", "a" }, { "<meta =charset=a>", "" },
		{ "<metas charset=a>", "" }, { "</meta charset=a>", "" }, { "<p title='<meta charset=a>'>", "" },
		/* what can be read is not UTF-16 */
		{ "<meta charset=utf-16><meta charset=koi8-r>", "utf-8" }, { "<meta charset=Unicode>", "utf-8" },
		{ "<meta charset=ucs-2>", "utf-8" }, { "<meta charset=UTF-7>", "utf-8" }, { "<meta charset=utf-32>", "utf-8" },
		{ "<meta charset=utf-7><meta charset=a>", "utf-8" }, { "<meta charset=utf-32be><meta charset=koi8-r>", "koi8-r" },
		/* the first that is known, else the first */
		{ "<meta charset=a><meta charset=koi8-r><meta charset=big5>", "koi8-r" }, { "<meta charset=a><meta charset=b>", "a" },
		/* of a type */
		{ "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1; x'>", "iso-8859-1" },
		{ "<meta content='charset = \"big5\"' http-equiv='content-type'>", "big5" },
		{ "<meta http-equiv=content-type content='charset x;charset=big5'>", "big5" },
		{ "<meta http-equiv=content-type content=charset>", "" }, { "<meta http-equiv=content-type>", "" },
		{ "<meta content='text/html; charset=iso-8859-1'>", "" }, { "<meta name=x content='text/html; charset=big5'>", "" },
		{ "<meta http-equiv=refresh content='charset=big5'>", "" },
		/* not markup */
		{ "<!--<meta charset=big5>--><meta charset=koi8-r>", "koi8-r" }, { "<!--><meta charset=koi8-r>", "koi8-r" },
		{ "<!--<meta charset=koi8-r>", "" }, { "<!x <meta charset=big5><meta charset=koi8-r>", "koi8-r" },
		{ "</ <meta charset=big5><meta charset=koi8-r>", "koi8-r" }, { "<1 <meta charset=koi8-r>", "koi8-r" },
		{ "<script><meta charset=big5></SCRIPT ><meta charset=koi8-r>", "koi8-r" },
		{ "<Title></style><meta charset=big5></title><meta charset=koi8-r>", "koi8-r" },
		/* the declaration of XML, when no <meta> has one */
		{ "<?xml version='1.0' encoding='koi8-r'?>", "koi8-r" }, { "<?xml encoding=big5?><meta charset=koi8-r>", "koi8-r" },
		{ "<?xml encoding='utf-16'?>", "utf-8" }, { "<?xml encoding='koi8-r'?><meta charset=a>", "koi8-r" },
		{ " <?xml encoding='koi8-r'?>", "" }, { "<?php encoding='koi8-r'?>", "" },
		/* a byte order mark has precedence */
		{ "\xEF\xBB\xBF<meta charset=koi8-r>", "" }, { "\xFF\xFE<meta charset=koi8-r>", "" }
	};
	char name[HTML_CHARSET_SIZE];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		html_charset((const uint8_t *)rows[i].page, strlen(rows[i].page), name);
		CHECK_FOR(!strcmp(name, rows[i].charset), rows[i].page);
	}
	html_charset((const uint8_t *)"<meta charset=a\0b>", 18, name);
	CHECK(!strcmp(name, "a"));
}

int main(void)
{
	test_charset();
	test_cases();
	test_places();
	test_soup(crumbs, sizeof crumbs / sizeof *crumbs);
	test_soup(attributes, sizeof attributes / sizeof *attributes);
	test_limits();
	test_entities();
	test_memory();
	test_stop();
	return check_end();
}
