/* The renderer as a program uses it: its sinks, formats, errors and escapers, with an
 * allocator that fails; and urlsift_find. */
#include "check.h"
#include "render/escape.h"
#include "render/part.h"
#include "text/ascii.h"

#include <string.h>

static const char mail[] =
	"From: A <a@example.org>\r\nSubject: see http://s.example/\r\nMessage-ID: <1@example.org>\r\nDate: today\r\n"
	"MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
	"<p>one http://a.example/x&amp;y <a href=\"http://b.example/\xc3\xa4\">two</a> javascript:alert(1)</p>";
static const char text[] =
	"http://a.example/1 and <URL:http://b.example/long-\nname> www.c.example \x1b[1m\xe2\x80\xae "
	"\"javascript:x\" http://user:pw@[::1]:1/\xff";

/* ---- What is written --------------------------------------------------------------- */

struct output {
	char text[16384];
	size_t length, refuse_at; /* the write that begins at this length or after is refused, 0 for none */
};

static int take(void *user, const void *bytes, size_t n)
{
	struct output *o = user;
	if (o->refuse_at && o->length + n >= o->refuse_at)
		return 5;
	if (n > sizeof o->text - 1 - o->length)
		abort();
	memcpy(o->text + o->length, bytes, n);
	o->text[o->length += n] = '\0';
	return 0;
}

/* Renders the message, or the text for NULL, as a source; the status of the end, or NO_MEMORY. */
static urlsift_status render(urlsift_context *c, const urlsift_render_options *how, const char *message,
                             struct output *o)
{
	urlsift_mail_options mail_options = { .kind = URLSIFT_KIND_MESSAGE };
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_renderer *r = urlsift_render_new(c, how, take, o, NULL);
	urlsift_status status = URLSIFT_NO_MEMORY, fed = URLSIFT_NO_MEMORY;
	o->length = 0;
	if (r) {
		const urlsift_sink sink = urlsift_render_sink(r);
		const urlsift_mail_sink mail_sink = urlsift_render_mail_sink(r);
		urlsift_render_prepare(how, scan, &mail_options);
		urlsift_render_source(r, "a\nname", NULL);
		if (message) {
			urlsift_mail *m = urlsift_mail_new(c, scan, &mail_options, &mail_sink, NULL);
			fed = m ? urlsift_mail_feed(m, message, strlen(message)) : URLSIFT_NO_MEMORY;
			fed = fed ? fed : urlsift_mail_finish(m);
			urlsift_render_source_end(r, 3);
			urlsift_mail_free(m);
		} else {
			fed = urlsift_scan(c, scan, &sink, text, sizeof text - 1);
			urlsift_render_source_end(r, 3);
		}
		status = urlsift_render_end(r);
	}
	urlsift_render_free(r);
	urlsift_options_free(scan);
	return fed ? fed : status;
}

static void test_formats(void)
{
	static const struct { urlsift_render_options how; bool mail; const char *begins, *holds; } row[] = {
		{ { .format = NULL }, false,
		  "http://a.example/1\nhttp://b.example/long-name\nhttp://www.c.example\n", "\njavascript:x\n" },
		{ { .line_format = "%f:%l:%c %k %%" }, false, "a^Jname:1:1 bare %\n", "a^Jname:1:29 wrapper %\n" },
		{ { .with_filename = 1, .byte_offset = 1 }, false, "a^Jname:0:http://a.example/1\n", ":28:http" },
		{ { .count = 1, .with_filename = 1 }, false, "a^Jname:3\n", "3" },
		{ { .format = "json" }, false,
		  "{\"type\":\"link\",\"source\":\"a\\u000aname\",\"line\":1,", "\"warnings\":[\"password\"" },
		{ { .format = "json" }, true,
		  "{\"type\":\"link\",\"source\":\"a\\u000aname\",\"message\":{\"offset\":0,\"id\":\"1@example.org\"",
		  "b.example/%C3%A4" },
		{ { .format = "html", .html.title = "<t>" }, true, "<!DOCTYPE html>", "<title>&lt;t&gt;</title>" },
		{ { .format = "html", .html.fragment = 1 }, true,
		  "<article class=\"m\" id=\"m1-0\"><h2><bdi>see http://s.example/</bdi></h2>",
		  "<a href=\"http://a.example/x&amp;y\"" },
		{ { .format = "html", .html.fragment = 1, .with_filename = 1 }, false,
		  "<h2 class=\"w\"><bdi>a\nname</bdi></h2><pre class=\"urlsift\"><a", "&#34;javascript:x<bdi" },
	};
	static struct output o;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		urlsift_context *c = urlsift_context_new(NULL);
		CHECK(render(c, &row[i].how, row[i].mail ? mail : NULL, &o) == URLSIFT_OK);
		CHECK_FOR(!strncmp(o.text, row[i].begins, strlen(row[i].begins)), o.text);
		CHECK_FOR(strstr(o.text, row[i].holds), o.text);
		CHECK(!strchr(o.text, 0x1b) && !strstr(o.text, "href=\"javascript"));
		size_t whole = o.length;
		struct output refused = { .refuse_at = whole };
		CHECK(render(c, &row[i].how, row[i].mail ? mail : NULL, &refused) == URLSIFT_STOPPED && refused.length < whole);
		urlsift_context_free(c);
	}
}

/* Each allocation fails once: no crash, nothing leaks, the output is whole or the status says that it is not. */
static void test_memory(void)
{
	static const char *const formats[] = { "list", "json", "html", "rewrite" };
	static const char brief[] = "Subject: s\n\nftp://a/b and ftp://a/c\n"; /* lines of footnotes as short as a number */
	static struct output whole, o;
	for (size_t i = 0; i < 8; i++) {
		const char *const form = i > 5 ? "footnotes" : NULL;
		const urlsift_render_options how = { .format = formats[i / 2], .form = form, .encoded = 1 };
		const char *const messages[] = { NULL, i > 5 ? brief : mail };
		urlsift_status status = URLSIFT_NO_MEMORY;
		for (size_t fail_at = 0; status != URLSIFT_OK || fail_at < 2; fail_at++) {
			struct counting counts = { .fail_at = fail_at };
			const urlsift_allocator hooks = counting_allocator(&counts);
			urlsift_context *c = urlsift_context_new(&hooks);
			status = c ? render(c, &how, messages[i % 2], fail_at ? &o : &whole) : URLSIFT_NO_MEMORY;
			urlsift_context_free(c);
			CHECK(counts.blocks == 0);
			bool same = o.length == whole.length && !memcmp(o.text, whole.text, o.length);
			CHECK_THAT(!fail_at || status != URLSIFT_OK || same, "%s: allocation %zu", formats[i / 2], fail_at);
			if (fail_at && !counts.failures)
				break;
			if (fail_at == 0)
				CHECK(status == URLSIFT_OK);
		}
	}
}

static size_t count(const char *in, const char *what)
{
	size_t n = 0;
	while ((in = strstr(in, what))) {
		in++;
		n++;
	}
	return n;
}

/* Where a page cannot hold the alternatives of a text, it is well-formed nevertheless. */
static void test_alternatives(void)
{
	static const char message[] =
		"Subject: s\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nhttp://a.example/\n--b\n"
		"Content-Type: text/html\n\n<p>http://a.example/</p>\n--b\n\nhttp://c.example/\n--b--\n";
	static struct output o;
	const urlsift_render_options how = { .format = "html", .html.fragment = 1 };
	for (size_t fail_at = 1;; fail_at++) {
		struct counting counts = { .fail_at = fail_at, .lasting = true };
		const urlsift_allocator hooks = counting_allocator(&counts);
		urlsift_context *c = urlsift_context_new(&hooks);
		if (c)
			render(c, &how, message, &o);
		urlsift_context_free(c);
		CHECK_THAT(!c || count(o.text, "<details>") == count(o.text, "</details>"), "allocation %zu", fail_at);
		if (!counts.failures)
			break;
	}
	CHECK(count(o.text, "<details>") > 0);
}

/* What a format needs is asked of the scanner, and no more. */
static void test_prepared(const urlsift_render_options *how, long plain, long positions, long context)
{
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_POSITIONS, 0);
	urlsift_render_prepare(how, scan, NULL);
	CHECK(urlsift_options_get(scan, URLSIFT_OPT_PLAIN) == plain);
	CHECK(urlsift_options_get(scan, URLSIFT_OPT_POSITIONS) == positions);
	CHECK(urlsift_options_get(scan, URLSIFT_OPT_CONTEXT) == context);
	urlsift_options_free(scan);
}

static void test_options(void)
{
	static struct output o;
	urlsift_context *c = urlsift_context_new(NULL);
	const urlsift_render_options unknown = { .format = "pdf" }, faulty = { .line_format = "%u %" },
	                             cut = { .key = "0000" };
	CHECK(!urlsift_render_new(c, &cut, take, &o, NULL));
	CHECK(!urlsift_render_new(c, &unknown, take, &o, NULL) && urlsift_render_needs(&unknown) == 0);
	CHECK(!urlsift_render_new(c, &faulty, take, &o, NULL) && urlsift_render_needs(&faulty) == 0);
	size_t n;
	const char *fault = urlsift_render_fault(&faulty, &n);
	CHECK(fault == faulty.line_format + 3 && n == 1 && urlsift_render_fault(&unknown, NULL) == unknown.format);
	/* a struct of a program that knows fewer members: what is beyond its size is not read, as ASan sees */
	for (size_t size = sizeof(size_t); size < sizeof faulty; size += sizeof(size_t)) {
		urlsift_render_options known = faulty;
		known.size = size;
		urlsift_render_options *least = memcpy(malloc(size), &known, size);
		const bool knows = size > offsetof(urlsift_render_options, line_format);
		CHECK(!urlsift_render_fault(least, NULL) == !knows && !urlsift_render_needs(least));
		urlsift_render_prepare(least, NULL, NULL);
		free(least);
	}
	fault = urlsift_render_fault(&(urlsift_render_options){ .columns = "url,none,line" }, &n);
	CHECK(n == 4 && !strcmp(fault, "none,line") && urlsift_render_fault(&cut, &n) == cut.key && n == 4);
	fault = urlsift_render_fault(&(urlsift_render_options){ .form = "template:%u%y." }, &n);
	CHECK(n == 2 && !strcmp(fault, "%y."));
	CHECK(!urlsift_render_fault(&(urlsift_render_options){ .line_format = "%u\\n%%", .form = "org" }, &n));
	CHECK(urlsift_render_needs(&(urlsift_render_options){ .line_format = "%%l%c" }) == URLSIFT_NEEDS_POSITIONS);
	CHECK(urlsift_render_needs(&(urlsift_render_options){ .line_format = "%%l" }) == 0);
	CHECK(urlsift_render_needs(&(urlsift_render_options){ .format = "html" }) & URLSIFT_NEEDS_PLAIN);
	CHECK(urlsift_render_needs(&(urlsift_render_options){ .format = "json" }) & URLSIFT_MAKES_RECORDS);
	urlsift_render_options csv = { .format = "csv", .columns = "line" };
	CHECK(urlsift_render_needs(&csv) == URLSIFT_NEEDS_POSITIONS);
	csv.columns = "line,hots";
	CHECK(urlsift_render_needs(&csv) == 0);
	test_prepared(&(urlsift_render_options){ .format = NULL }, 0, 0, 0);
	test_prepared(&(urlsift_render_options){ .format = "html" }, 1, 0, 0);
	test_prepared(&(urlsift_render_options){ .format = "json" }, 0, 1, 0);
	test_prepared(&(urlsift_render_options){ .format = "json", .context = 3 }, 0, 1, 3);
	test_prepared(&(urlsift_render_options){ .line_format = "%x %c" }, 0, 1, 1);

	urlsift_renderer *r = urlsift_render_new(c, &(urlsift_render_options){ .format = "json" }, take, &o, NULL);
	o.length = 0;
	urlsift_render_append(r, "x\n", 2);
	render_discard(r);
	urlsift_render_notice(r, NULL, &(urlsift_notice){ .limit = "l\"", .value = 1, .offset = 2 });
	render_name(r, "a", "m\n");
	urlsift_render_error(r, NULL, "w");
	const urlsift_text none = { "", 0 };
	const urlsift_message message = { 0, 0, 0, none, none, none, none, -1, none, none, none };
	urlsift_place place = { .message = &message, .part = "1", .type = "" };
	urlsift_render_error(r, &place, "w");
	place.part = "2";
	urlsift_render_error(r, &place, "w");
	urlsift_render_summary(r, &(urlsift_totals){ 1, 2, 3, 4, 5, 6, 7, 8, 9 });
	CHECK(urlsift_render_url(r, "HTTP://a\xff/", 10) == URLSIFT_OK && o.length == 0);
	CHECK(urlsift_render_end(r) == URLSIFT_OK);
	static const char wanted[] =
		"{\"type\":\"limit\",\"source\":\"-\",\"limit\":\"l\\\"\",\"value\":1,\"offset\":2}\n"
		"{\"type\":\"error\",\"source\":\"a\",\"member\":\"m\\u000a\",\"what\":\"w\"}\n"
		"{\"type\":\"error\",\"source\":\"a\",\"member\":\"m\\u000a\","
		"\"message\":{\"offset\":0,\"part\":\"1\"},\"what\":\"w\"}\n"
		"{\"type\":\"error\",\"source\":\"a\",\"member\":\"m\\u000a\","
		"\"message\":{\"offset\":0,\"part\":\"2\"},\"what\":\"w\"}\n"
		"{\"type\":\"summary\",\"files\":1,\"bytes\":2,\"messages\":3,\"links\":4,\"errors\":5,\"limits\":6,"
		"\"skipped\":7,\"relative\":8,\"unsearched\":9}\n"
		"{\"type\":\"url\",\"text\":\"HTTP://a\xc3\xbf/\",";
	CHECK_FOR(!strncmp(o.text, wanted, sizeof wanted - 1), o.text);
	urlsift_render_free(r);
	r = urlsift_render_new(c, &(urlsift_render_options){ .format = "html" }, take, &o, NULL);
	CHECK(urlsift_render_url(r, "http://a/", 9) == URLSIFT_BAD_ARGUMENT);
	urlsift_render_free(r);
	urlsift_context_free(c);
}

/* ---- Escapers ---------------------------------------------------------------------- */

typedef size_t escaper(const char *from, size_t length, char *out, size_t size);

static size_t cell(const char *from, size_t n, char *out, size_t size)
{
	return escape_csv_text(from, n, false, out, size);
}

static size_t shown_cell(const char *from, size_t n, char *out, size_t size)
{
	return escape_csv_text(from, n, true, out, size);
}

static void test_escapers(void)
{
	static const struct { escaper *escape; const char *from, *wanted; } row[] = {
		{ urlsift_escape_html, "<a & \"'\x01\xff\r\n", "&lt;a &amp; &#34;&#39;\xef\xbf\xbd\xc3\xbf\n" },
		{ urlsift_escape_json, "</<!<\"\\\x01\xe2\x80\xae\xff",
		  "\"\\u003c/\\u003c!<\\\"\\\\\\u0001\\u202e\xef\xbf\xbd\"" },
		{ urlsift_escape_line, "a\n\xe2\x80\x8b\xc3\xa4", "a%0A%E2%80%8B\xc3\xa4" },
		{ urlsift_escape_name, "a\n\x7f\xff\xc2\x85", "a^J^?\\xff\\xc2\\x85" },
		{ urlsift_escape_name, "\xe2\x9d\xa4\xef\xb8\x8f" "a\xef\xb8\x8e\xef\xb8\x8e \xef\xb8\x8f\n\xef\xb8\x8f"
		  "b\xef\xb8\x80",
		  "\xe2\x9d\xa4\xef\xb8\x8f" "a\xef\xb8\x8e\\xef\\xb8\\x8e \\xef\\xb8\\x8f^J\\xef\\xb8\\x8f" "b\\xef\\xb8\\x80" },
		{ urlsift_escape_name, "\xef\xb8\x8f" "a", "\\xef\\xb8\\x8f" "a" },
		{ cell, "=\xc2\xad\x1b\n\xff\xc2\x9b", "=\xc2\xad^[^J\\xff\\xc2\\x9b" },
		{ cell, "a\"\"b,", "\"a\"\"\"\"b,\"" },
		{ shown_cell, "=1\x01", "'=1^A" },
	};
	char out[512], again[512];
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t n = strlen(row[i].wanted), from = strlen(row[i].from);
		CHECK(row[i].escape(row[i].from, from, out, sizeof out) == n && !memcmp(out, row[i].wanted, n));
		for (size_t size = 0; size < n; size++) {
			memset(again, '!', sizeof again);
			CHECK(row[i].escape(row[i].from, from, again, size) == n);
			CHECK(!memcmp(again, out, size) && again[size] == '!');
		}
		/* longer than any block inside */
		static char longer[100000], escaped[10 * sizeof longer];
		for (size_t k = 0; k < sizeof longer; k++)
			longer[k] = row[i].from[k % from];
		n = row[i].escape(longer, sizeof longer, escaped, sizeof escaped);
		CHECK(n > sizeof longer && n <= sizeof escaped && !memcmp(escaped, out, 3));
		for (size_t size = 0; size < 3000; size += 37) {
			char cut[8192];
			memset(cut, '!', sizeof cut);
			CHECK(row[i].escape(longer, sizeof longer, cut, size) == n);
			CHECK(!memcmp(cut, escaped, size) && byte_run((const uint8_t *)cut, size, sizeof cut, '!') == sizeof cut);
		}
	}
}

/* ---- urlsift_find ------------------------------------------------------------------ */


/* Plain text byte by byte. */
static int render_bytes(void *user, const urlsift_piece *piece)
{
	if (piece->link)
		return urlsift_render_piece(user, NULL, piece, 1) != URLSIFT_OK;
	for (size_t i = 0; i < piece->text_length; i++) {
		const urlsift_piece byte = { .offset = piece->offset + i, .length = 1, .text = piece->text + i,
		                             .text_length = 1 };
		if (urlsift_render_piece(user, NULL, &byte, 1) != URLSIFT_OK)
			return 1;
	}
	return 0;
}

static void render_gemtext(const char *input, size_t n, bool bytes, struct output *o)
{
	const urlsift_render_options how = { .format = "rewrite", .form = "gemtext" };
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_renderer *r = urlsift_render_new(c, &how, take, o, NULL);
	const urlsift_sink whole = urlsift_render_sink(r), cut = { render_bytes, NULL, r };
	o->length = 0;
	urlsift_render_prepare(&how, scan, NULL);
	urlsift_render_source(r, "a", NULL);
	CHECK(urlsift_scan(c, scan, bytes ? &cut : &whole, input, n) == URLSIFT_OK);
	urlsift_render_source_end(r, 1);
	CHECK(urlsift_render_end(r) == URLSIFT_OK);
	urlsift_options_free(scan);
	urlsift_render_free(r);
	urlsift_context_free(c);
}

/* Where link lines stand does not depend on the pieces, after a NUL and a bracket that is held back either. */
static void test_paragraphs(void)
{
	static const char nul[] = "see http://a.example/ x\n\0\nmore\n\nend";
	static const char held[] = "see http://a.example/ (<\n\nmore\n\nend";
	static struct output whole, cut;
	for (int i = 0; i < 2; i++) {
		render_gemtext(i ? held : nul, (i ? sizeof held : sizeof nul) - 1, false, &whole);
		render_gemtext(i ? held : nul, (i ? sizeof held : sizeof nul) - 1, true, &cut);
		CHECK_FOR(whole.length == cut.length && !memcmp(whole.text, cut.text, whole.length), cut.text);
	}
}

/* Puts brackets around what may become an anchor. */
static void bracket(void *user, const urlsift_link *link, int begins)
{
	size_t n;
	const char *scheme = urlsift_link_scheme(link, &n);
	CHECK_FOR(n == 3 && !memcmp(scheme, "mid", n), scheme);
	take(user, begins ? "[" : "]", 1);
}

/* A link whose text is in more parts than get anchors, after a mid: link. */
static void test_identifier(void)
{
	const urlsift_render_options how = { .format = "html", .html = { .fragment = 1, .identifier = bracket } };
	static const char link[] = "http://a.example/bold";
	static struct output o;
	char message[160] = "Subject: x\n\nmid:1@a.example ";
	urlsift_context *c = urlsift_context_new(NULL);
	size_t n = strlen(message);
	for (size_t i = 0; link[i]; i++)
		n += (size_t)snprintf(message + n, sizeof message - n, "%c\b%c", link[i], link[i]);
	CHECK(render(c, &how, message, &o) == URLSIFT_OK);
	CHECK_FOR(strstr(o.text, "[mid:1@a.example]"), o.text);
	CHECK_FOR(strstr(o.text, ">/</a>b\xef\xbf\xbd" "bo"), o.text);
	urlsift_context_free(c);
}

/* The place of a source that has only an error may be gone when the source ends. */
static void test_place_gone(void)
{
	struct output o = { .length = 0 };
	const urlsift_render_options how = { .format = "html", .html.fragment = 1 };
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_renderer *r = urlsift_render_new(c, &how, take, &o, NULL);
	urlsift_place *place = calloc(1, sizeof *place);
	if (!r || !place)
		abort();
	place->part = "1";
	place->type = "text/html";
	urlsift_render_source(r, "a", NULL);
	urlsift_render_error(r, place, "cut");
	place->type = "";
	free(place);
	urlsift_render_source_end(r, 0);
	urlsift_render_end(r);
	CHECK_FOR(strstr(o.text, "<pre class=\"urlsift\">"), o.text);
	urlsift_render_free(r);
	urlsift_context_free(c);
}

int main(void)
{
	test_formats();
	test_place_gone();
	test_identifier();
	test_memory();
	test_alternatives();
	test_options();
	test_escapers();
	test_paragraphs();
	return check_end();
}
