/* All links at once: urlsift_find, urlsift_mail_find, the finder, urlsift_linkify; why a constructor
 * failed; and misuse of the library: a status where it can be seen, never a crash. */
#include "check.h"
#include "urlsift-render.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define SIZED(text) (text), sizeof(text) - 1

static bool is(urlsift_text s, const char *wanted)
{
	return s.length == strlen(wanted) && !memcmp(s.bytes, wanted, s.length + 1);
}

static const char text[] = "see http://a.example/?a&b,\n<URL:http://b.example/long-\n  name> or www.c.example\n"
                           "javascript:alert(1) <javascript:alert(1)> https://me:pw@[::1]/";

static void check_text(const urlsift_found *f)
{
	CHECK(f->count == 5);
	CHECK(is(f->links[1]->text, "http://b.example/long-name") && f->links[1]->part_count == 2);
	CHECK(f->links[1]->line == 2);
	CHECK(f->links[1]->convention == URLSIFT_CONV_WRAPPER && f->links[1]->parts[0].offset == 32);
	CHECK(f->links[1]->alternate_count == 1 && !strcmp(f->links[1]->alternates[0].text, "http://b.example/longname"));
	CHECK(is(f->links[2]->text, "www.c.example") && is(f->links[2]->target, "http://www.c.example"));
	CHECK(is(f->links[2]->normal, "http://www.c.example/") && is(f->links[2]->host, "www.c.example"));
	CHECK(is(f->links[2]->scheme, "http") && f->links[2]->linkable && is(f->links[2]->label, ""));
	CHECK(!f->links[3]->linkable && f->links[3]->warnings & URLSIFT_WARN_UNLINKABLE && is(f->links[3]->host, ""));
	CHECK(f->links[4]->warnings & URLSIFT_WARN_PASSWORD && is(f->links[4]->host, "[::1]") && f->links[4]->line == 4);
	CHECK(!f->links[0]->place && !f->links[0]->alternates);
}

/* What bindings read: elements without gaps, parts and strings one after another. */
static void check_arrays(const urlsift_found *f)
{
	const char *string = f->strings.bytes, *end = string + f->strings.length;
	const urlsift_range *part = f->count ? f->links[0]->parts : NULL;
	for (size_t i = 0; i < f->count; i++) {
		const urlsift_found_link *l = f->links[i];
		const urlsift_text *texts[] = { &l->text, &l->target, &l->normal, &l->scheme, &l->host, &l->label };
		CHECK((const char *)l == (const char *)f->links[0] + i * f->link_size && l->parts == part);
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++, string += texts[k - 1]->length + 1)
			CHECK(texts[k]->bytes == string && texts[k]->length < (size_t)(end - string) && !string[texts[k]->length]);
		part += l->part_count;
	}
	CHECK(string == end);
}

static void test_find(void)
{
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_found *f = NULL;
	for (int own = 0; own < 2; own++) {
		CHECK(urlsift_find(own ? NULL : c, NULL, SIZED(text), &f) == URLSIFT_OK);
		check_text(f);
		check_arrays(f);
		urlsift_found_free(f);
	}
	CHECK(urlsift_find(c, NULL, "", 0, &f) == URLSIFT_OK && f->count == 0 && f->links);
	check_arrays(f);
	urlsift_found_free(f);
	CHECK(urlsift_find(c, NULL, SIZED("http://a.example/\0x <URL:http://b.example/\0x>"), &f) == URLSIFT_OK);
	CHECK(f->count == 2);
	check_arrays(f);
	urlsift_context_free(c);
	check_arrays(f);
	urlsift_found_free(f);
	urlsift_found_free(NULL);
}

static const char mail[] =
	"From: a@a.example\nSubject: =?utf-8?q?caf=C3=A9?= http://s.example/\nMessage-ID: <1@a.example>\n"
	"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	"--b\nContent-Type: text/plain\n\nhttp://p.example/1 http://p.example/2\n"
	"--b\nContent-Type: text/html\n\n<a href='http://h.example/'>a label</a>\n--b--\n";

static void check_mail(const urlsift_found *f)
{
	CHECK(f->count == 4);
	const urlsift_place *subject = f->links[0]->place, *plain = f->links[1]->place, *html = f->links[3]->place;
	CHECK(!strcmp(subject->field, "Subject") && !strcmp(subject->part, "") && subject->message == html->message);
	CHECK(!plain->field && !strcmp(plain->part, "1") && !strcmp(plain->type, "text/plain"));
	CHECK(f->links[2]->place == plain && is(f->links[2]->target, "http://p.example/2"));
	CHECK(!strcmp(html->part, "2") && !strcmp(html->attribute, "a href") && is(f->links[3]->label, "a label"));
	CHECK(is(html->message->id, "1@a.example") && is(html->message->subject, "caf\xC3\xA9 http://s.example/"));
	check_arrays(f);
}

static void test_mail(void)
{
	urlsift_found *f = NULL;
	CHECK(urlsift_mail_find(NULL, NULL, SIZED(mail), &f) == URLSIFT_OK);
	check_mail(f);
	urlsift_found_free(f);
	CHECK(urlsift_mail_find(NULL, NULL, SIZED(text), &f) == URLSIFT_OK);
	check_text(f); /* it is no mail */
	urlsift_found_free(f);
	CHECK(urlsift_mail_find(NULL, NULL, NULL, 0, &f) == URLSIFT_OK && f->count == 0);
	urlsift_found_free(f);
	CHECK(urlsift_mail_find(NULL, NULL, NULL, 1, &f) == URLSIFT_BAD_ARGUMENT && !f);
}

/* A Content-Length that leads to the end hides a From_ line; one that does not is ignored. */
static void test_length(void)
{
	static const char hidden[] = "From a Thu Jan  1 00:00:00 1970\nFrom: a\nSubject: b\nContent-Length: 74\n\n"
	                             "\nFrom b Thu Jan  1 00:00:00 1970\nFrom: b\nSubject: http://s.example/\n\n1234\n";
	urlsift_found *f = NULL;
	CHECK(urlsift_mail_find(NULL, NULL, SIZED(hidden), &f) == URLSIFT_OK && f->count == 1);
	CHECK(f->links[0]->place->message->index == 0);
	urlsift_found_free(f);
	CHECK(urlsift_mail_find(NULL, NULL, hidden, sizeof hidden - 3, &f) == URLSIFT_OK && f->count == 1);
	CHECK(f->links[0]->place->message->index == 1);
	urlsift_found_free(f);
	/* One that leads to the next message. */
	char two[sizeof hidden + 64];
	int n = snprintf(two, sizeof two, "%sFrom c Thu Jan  1 00:00:00 1970\nSubject: http://c.example/\n\n", hidden);
	CHECK(urlsift_mail_find(NULL, NULL, two, (size_t)n, &f) == URLSIFT_OK && f->count == 2);
	CHECK(f->links[0]->place->message->index == 0 && f->links[1]->place->message->index == 1);
	urlsift_found_free(f);
}

/* Fed byte by byte, what all calls find together is what one call finds. */
static void test_finder(void)
{
	const urlsift_mail_options how = { .size = sizeof how, .kind = URLSIFT_KIND_MBOX, .headers = URLSIFT_HEADERS_URLS };
	static const char from[] = "From a Thu Jan  1 00:00:00 1970\n";
	urlsift_status status;
	urlsift_finder *finder = urlsift_finder_new(NULL, NULL, &how, &status);
	urlsift_found *f = NULL;
	size_t count = 0, messages = 0;
	CHECK(finder && status == URLSIFT_OK);
	for (size_t i = 0; i <= 2 * (sizeof from + sizeof mail - 2); i++) {
		size_t at = i % (sizeof from + sizeof mail - 2), last = i == 2 * (sizeof from + sizeof mail - 2);
		const char *byte = at < sizeof from - 1 ? from + at : mail + (at - (sizeof from - 1));
		CHECK(urlsift_finder_feed(finder, byte, !last, &f) == URLSIFT_OK);
		for (size_t k = 0; k < f->count; k++, count++)
			messages += f->links[k]->place->message->index;
		urlsift_found_free(f);
	}
	CHECK(count == 8 && messages == 4);
	CHECK(urlsift_finder_feed(finder, "x", 1, &f) == URLSIFT_BAD_STATE && !f);
	CHECK(urlsift_finder_feed(NULL, "x", 1, &f) == URLSIFT_BAD_ARGUMENT && !f);
	CHECK(urlsift_finder_feed(finder, "x", 1, NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_finder_free(finder);
	urlsift_finder_free(NULL);
}

/* A line that is fed gives its links, but for one at its end. */
static void test_finder_lines(void)
{
	static const char *const lines[] = { "<bob> http://a.example/1 ok\n", "see http://a.example/2\n", "no link\n", "" };
	static const size_t counts[] = { 1, 0, 1, 0 };
	urlsift_finder *finder = urlsift_finder_new(NULL, NULL, NULL, NULL);
	for (size_t i = 0; finder && i < sizeof counts / sizeof *counts; i++) {
		urlsift_found *f;
		CHECK(urlsift_finder_feed(finder, lines[i], strlen(lines[i]), &f) == URLSIFT_OK && f->count == counts[i]);
		urlsift_found_free(f);
	}
	urlsift_finder_free(finder);
}

/* The least processor time of three finders that get a link without an end, byte by byte. */
static clock_t time_bytes(size_t n)
{
	static const char begin[] = "<http://a.example/";
	clock_t least = 0;
	for (int i = 0; i < 3; i++) {
		const clock_t start = clock();
		urlsift_finder *finder = urlsift_finder_new(NULL, NULL, NULL, NULL);
		for (size_t k = 0; finder && k < n; k++) {
			urlsift_found *f;
			const char byte = k < sizeof begin - 1 ? begin[k] : 'a';
			CHECK(urlsift_finder_feed(finder, &byte, 1, &f) == URLSIFT_OK);
			urlsift_found_free(f);
		}
		urlsift_finder_free(finder);
		const clock_t took = clock() - start;
		least = i == 0 || took < least ? took : least;
	}
	return least;
}

/* What the scanner holds is not read again for each byte: twice the bytes would take four times as long. */
static void test_finder_time(void) { CHECK(time_bytes(60000) < 3 * time_bytes(30000)); }

/* Once memory has failed, links are missing: no later call says that all is well. */
static void test_finder_memory(void)
{
	static const char two[] = "see http://a.example/1 and http://b.example/2 <http://c.example/\\\n3>\n";
	struct counting counts = { 0 };
	for (size_t fail_at = 1; fail_at == 1 || counts.failures; fail_at++) {
		counts = (struct counting){ .fail_at = fail_at };
		const urlsift_allocator hooks = counting_allocator(&counts);
		urlsift_context *context = urlsift_context_new(&hooks);
		urlsift_finder *finder = context ? urlsift_finder_new(context, NULL, NULL, NULL) : NULL;
		urlsift_status before = URLSIFT_OK;
		for (int i = 0; finder && i < 4; i++) {
			urlsift_found *f;
			urlsift_status status = urlsift_finder_feed(finder, two, i < 3 ? sizeof two - 1 : 0, &f);
			CHECK(before == URLSIFT_OK || status == before);
			urlsift_found_free(f);
			before = status;
		}
		urlsift_finder_free(finder);
		urlsift_context_free(context);
	}
}

static void check_html(const char *given, size_t n, const char *wanted)
{
	char *html = NULL;
	CHECK_FOR(urlsift_linkify(NULL, NULL, given, n, &html) == URLSIFT_OK && !strcmp(html, wanted), wanted);
	urlsift_html_free(html);
}

#define REL "\" rel=\"nofollow noopener noreferrer ugc\">"
static void test_linkify(void)
{
	char *html;
	check_html(SIZED(""), "");
	check_html(SIZED("5 < 6, says http://a.example/?x&y"),
	           "5 &lt; 6, says <a href=\"http://a.example/?x&amp;y" REL "http://a.example/?x&amp;y</a>");
	check_html(SIZED("<URL:http://a.example/long\n  name>"),
	           "&lt;URL:<a href=\"http://a.example/longname" REL "http://a.example/long</a>\n  "
	           "<a href=\"http://a.example/longname" REL "name</a>&gt;");
	check_html(SIZED("www.a.example\r\n<javascript:alert(1)>\r\"\0"),
	           "<a href=\"http://www.a.example" REL "www.a.example</a>\n&lt;javascript:alert(1)&gt;\n"
	           "&#34;\xEF\xBF\xBD");
	/* what a bidi control reorders ends with its line */
	check_html(SIZED("a \xE2\x80\xAE" "b www.a.example c\nd \xE2\x81\xA6"),
	           "a <bdi>\xE2\x80\xAE" "b <a href=\"http://www.a.example" REL "<bdi>www.a.example</bdi></a> c</bdi>\nd "
	           "<bdi>\xE2\x81\xA6</bdi>");
	check_html(SIZED("<http://a.example/\xE2\x80\xAEx> y"),
	           "&lt;<a href=\"http://a.example/%E2%80%AEx" REL "<bdi>http://a.example/\xE2\x80\xAEx</bdi></a>"
	           "<bdi>&gt; y</bdi>");
	CHECK(urlsift_linkify(NULL, NULL, NULL, 1, &html) == URLSIFT_BAD_ARGUMENT && !html);
	CHECK(urlsift_linkify(NULL, NULL, "a", 1, NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_html_free(NULL);
}

/* Each allocation fails in turn: a status says so, and nothing is lost. */
static urlsift_status all_calls(urlsift_context *c, int which)
{
	urlsift_found *f = NULL;
	char *html = NULL;
	urlsift_status status = which == 3   ? urlsift_find(c, NULL, SIZED("see www.a.example and <http://b.example/>"), &f)
	                        : which == 0 ? urlsift_find(c, NULL, SIZED(text), &f)
	                        : which == 1 ? urlsift_mail_find(c, NULL, SIZED(mail), &f)
	                                     : urlsift_linkify(c, NULL, SIZED(text), &html);
	CHECK((f || html) == (status == URLSIFT_OK));
	urlsift_found_free(f);
	urlsift_html_free(html);
	return status;
}

static void test_memory(void)
{
	for (int which = 0; which < 3; which++)
		for (size_t fail_at = 1;; fail_at++) {
			struct counting counts = { .fail_at = fail_at };
			const urlsift_allocator hooks = counting_allocator(&counts);
			urlsift_context *c = urlsift_context_new(&hooks);
			urlsift_status status = c ? all_calls(c, which) : URLSIFT_NO_MEMORY;
			if (c && which == 0) { /* the context has kept what the next call uses */
				urlsift_status next = all_calls(c, 3);
				CHECK((next == URLSIFT_NO_MEMORY) == (status == URLSIFT_OK && counts.failures > 0));
				status = status == URLSIFT_OK ? next : status;
			}
			CHECK(status == (counts.failures ? URLSIFT_NO_MEMORY : URLSIFT_OK));
			urlsift_context_free(c);
			CHECK(counts.blocks == 0);
			if (!counts.failures)
				break;
		}
}

/* ---- What a context keeps from one call to the next ---- */

/* A short text leaves its buffers with the context, once; a long one, and a call that failed, nothing. */
static void test_kept_memory(void)
{
	static char blanks[16 * 1024 + 1];
	memset(blanks, ' ', sizeof blanks);
	struct counting counts = { .fail_at = 0 };
	const urlsift_allocator hooks = counting_allocator(&counts);
	urlsift_context *c = urlsift_context_new(&hooks);
	const size_t none = counts.blocks;
	const size_t lengths[] = { sizeof blanks, sizeof blanks - 1, sizeof blanks, 1, 0 };
	size_t kept = none;
	for (size_t i = 0; i < 5; i++) {
		urlsift_found *f;
		CHECK(urlsift_find(c, NULL, blanks, lengths[i], &f) == URLSIFT_OK);
		urlsift_found_free(f);
		CHECK_THAT((counts.blocks > none) == (i > 0), "%zu blocks are kept of a text of %zu bytes", counts.blocks - none,
		           lengths[i]);
		CHECK_THAT(i < 2 || counts.blocks == kept, "%zu blocks, before %zu", counts.blocks, kept);
		kept = counts.blocks;
	}
	counts.fail_at = counts.calls + 1;
	urlsift_found *f;
	CHECK(urlsift_find(c, NULL, SIZED(text), &f) == URLSIFT_NO_MEMORY && counts.blocks == none);
	urlsift_context_free(c);
	CHECK(counts.blocks == 0);
}

/* A call gives what it gives with a context of its own. */
static void check_kept(urlsift_context *c, const urlsift_options *o, const char *given, size_t n)
{
	urlsift_found *f = NULL, *own = NULL;
	CHECK(urlsift_find(c, o, given, n, &f) == URLSIFT_OK && urlsift_find(NULL, o, given, n, &own) == URLSIFT_OK);
	CHECK(f->count == own->count && f->strings.length == own->strings.length);
	CHECK(!memcmp(f->strings.bytes, own->strings.bytes, own->strings.length));
	check_arrays(f);
	for (size_t i = 0; i < own->count; i++) {
		const urlsift_found_link *a = f->links[i], *b = own->links[i];
		CHECK(a->line == b->line && a->column == b->column && a->flags == b->flags && a->warnings == b->warnings);
		CHECK(a->linkable == b->linkable && a->parts->offset == b->parts->offset);
	}
	urlsift_found_free(own);
	urlsift_found_free(f);
}

static const char mixed[] = "me@a.example http://a.example/x b.example <URL:c/d> hxxp://e[.]example/ http://f.example/";

/* The options of one call are not those of the next. */
static void test_kept_options(void)
{
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o[5] = { NULL };
	for (size_t i = 1; i < 5; i++)
		o[i] = urlsift_options_new(NULL);
	CHECK(urlsift_options_set(o[1], URLSIFT_OPT_EMAIL, 1) == URLSIFT_OK);
	CHECK(urlsift_options_set(o[2], URLSIFT_OPT_REFANG, 1) == URLSIFT_OK);
	CHECK(urlsift_options_set_base(o[3], SIZED("http://base.example/")) == URLSIFT_OK);
	CHECK(urlsift_options_set_charset(o[4], "utf-8") == URLSIFT_OK);
	for (size_t i = 0; i < 25; i++) { /* each after each */
		check_kept(c, o[i / 5], SIZED(mixed));
		check_kept(c, o[i % 5], SIZED(mixed));
	}
	for (size_t i = 0; i < 5; i++)
		urlsift_options_free(o[i]);
	urlsift_context_free(c);
}

/* Long texts and results, and texts that end in the middle of something, leave nothing behind. */
static void test_kept_texts(void)
{
	static char many[40000];
	urlsift_context *c = urlsift_context_new(NULL);
	for (size_t i = 0; i < sizeof many; i++)
		many[i] = "http://a.example/x\n"[i % 19];
	for (size_t n = 100; n <= sizeof many; n += n / 3) {
		check_kept(c, NULL, many, n);
		check_kept(c, NULL, SIZED("x> see http://a.example/"));
		check_kept(c, NULL, SIZED("\x1b[1mhttp://a.example/\x1b"));
		check_kept(c, NULL, SIZED("begin 644 x\nM<http://a.example/"));
		check_kept(c, NULL, SIZED("\xE4 http://a.example/\xF6"));
		check_kept(c, NULL, "", 0);
	}
	urlsift_context_free(c);
}

static void *find_often(void *context)
{
	for (int i = 0; i < 500; i++)
		check_kept(context, NULL, i % 2 ? text : mixed, i % 2 ? sizeof text - 1 : sizeof mixed - 1);
	return NULL;
}

static void test_kept_threads(void)
{
	urlsift_context *c = urlsift_context_new(NULL);
	pthread_t threads[4];
	size_t n = 0;
	while (n < 4 && pthread_create(&threads[n], NULL, find_often, c) == 0)
		n++;
	CHECK(n > 0);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	urlsift_context_free(c);
}

static int no_piece(void *user, const urlsift_piece *piece) { return !user && !piece; }
static int no_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	return !user && !place && !piece;
}
static int no_write(void *user, const void *bytes, size_t length) { return !user && !bytes && !length; }

/* NULL, and the reason. */
static void test_reasons(void)
{
	urlsift_context *c = urlsift_context_new(NULL);
	const urlsift_sink sink = { no_piece, NULL, c };
	const urlsift_mail_sink mail_sink = { .piece = no_mail_piece, .user = c };
	urlsift_mail_options how = { .kind = URLSIFT_KIND_MBOX, .max_depth = 101 };
	urlsift_render_options page = { .format = "pdf" };
	urlsift_status status = URLSIFT_OK;
	CHECK(!urlsift_new(NULL, NULL, &sink, &status) && status == URLSIFT_BAD_ARGUMENT);
	urlsift_scanner *s = urlsift_new(c, NULL, &sink, &status);
	CHECK(s && status == URLSIFT_OK);
	urlsift_free(s);
	CHECK(!urlsift_mail_new(c, NULL, &how, &mail_sink, &status) && status == URLSIFT_BAD_ARGUMENT);
	how = (urlsift_mail_options){ .size = sizeof how + 1, .kind = URLSIFT_KIND_MBOX };
	CHECK(!urlsift_mail_new(c, NULL, &how, &mail_sink, NULL));
	CHECK(!urlsift_finder_new(c, NULL, &how, &status) && status == URLSIFT_BAD_ARGUMENT);
	how = (urlsift_mail_options){ .size = offsetof(urlsift_mail_options, max_depth), .kind = URLSIFT_KIND_MBOX,
		.max_depth = 101 };
	urlsift_mail *m = urlsift_mail_new(c, NULL, &how, &mail_sink, &status); /* what is beyond its size is not read */
	CHECK(m && status == URLSIFT_OK);
	urlsift_mail_free(m);
	CHECK(!urlsift_render_new(c, &page, no_write, NULL, &status) && status == URLSIFT_BAD_ARGUMENT);
	page = (urlsift_render_options){ .size = sizeof page + 1, .format = "json" };
	CHECK(!urlsift_render_new(c, &page, no_write, NULL, &status) && status == URLSIFT_BAD_ARGUMENT);
	page.size--;
	page.context = 101;
	CHECK(!urlsift_render_new(c, &page, no_write, NULL, &status) && status == URLSIFT_BAD_ARGUMENT);
	page.context = 100;
	urlsift_renderer *r = urlsift_render_new(c, &page, no_write, NULL, &status);
	CHECK(r && status == URLSIFT_OK);
	urlsift_render_free(r);
	urlsift_context_free(c);
}

static int take_removed(void *user, const urlsift_piece *p)
{
	if (p->link && p->part == 0)
		*(urlsift_removed *)user = urlsift_link_removed(p->link);
	return 0;
}

/* U+00AD inside a line is removed and no break (W2), nor is a line end behind what is left of a link (A2) or a
 * blank before the `\>`; a blank after the colon is one. */
static void test_removed(void)
{
	static const struct {
		const char *text;
		size_t breaks;
	} cases[] = {
		{ "<http://a.example/b\nc d>", 0 },
		{ "<http: //a.example/b d>", 1 },
		{ "<http://a.example\xc2\xad:80\xe2\x80\x90\r\n](c\t-\n](>", 0 },
		{ "\\<URL:http://a.example \\>", 0 },
		{ "<http://ab.example/x\xad" "yz foo bar> now\n", 0 }, /* of windows-1252 */
		{ "<http://ab.example/x\n  y1\xad" "z foo bar.> now\n", 1 },
	};
	urlsift_context *c = urlsift_context_new(NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		urlsift_removed removed = { 9, 9, 9 };
		const urlsift_sink sink = { take_removed, NULL, &removed };
		CHECK(urlsift_scan(c, NULL, &sink, cases[i].text, strlen(cases[i].text)) == URLSIFT_OK);
		CHECK(removed.breaks == cases[i].breaks && !removed.hyphens && !removed.decorations);
	}
	urlsift_context_free(c);
}

/* ---- Misuse: NULL ---- */

static const char links[] = "see http://a.example/ and http://b.example/";

static void test_scanner_null(urlsift_context *c)
{
	const urlsift_sink good = { no_piece, NULL, c }, bad = { NULL, NULL, NULL };
	urlsift_found *found;
	CHECK(!urlsift_new(NULL, NULL, &good, NULL) && !urlsift_new(c, NULL, NULL, NULL));
	CHECK(!urlsift_new(c, NULL, &bad, NULL));
	CHECK(urlsift_feed(NULL, links, 1) == URLSIFT_BAD_ARGUMENT && urlsift_finish(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_flush(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(NULL, NULL, &good, links, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, NULL, links, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, &bad, links, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, &good, NULL, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, &good, NULL, 0) == URLSIFT_OK);
	CHECK(urlsift_find(c, NULL, links, 1, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_find(c, NULL, NULL, 1, &found) == URLSIFT_BAD_ARGUMENT && !found);
	urlsift_reset(NULL);
	urlsift_free(NULL);
}

static void test_options_null(void)
{
	long n;
	CHECK(urlsift_options_set(NULL, URLSIFT_OPT_EMAIL, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_options_get(NULL, URLSIFT_OPT_EMAIL) == 0);
	CHECK(urlsift_options_set_base(NULL, links, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_options_set_charset(NULL, "utf-8") == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_option_range(URLSIFT_OPT_EMAIL, &n, &n, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_option_range(URLSIFT_OPT_EMAIL, &n, NULL, &n) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_option_range(URLSIFT_OPT_EMAIL, NULL, &n, &n) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_option_range((urlsift_option)99, &n, &n, &n) == URLSIFT_BAD_ARGUMENT);
	CHECK(!urlsift_context_new(&(urlsift_allocator){ .context = NULL }));
	CHECK(!urlsift_options_new(&(urlsift_allocator){ .context = NULL }));
}

static void test_rules_null(void)
{
	urlsift_link_rules *rules = (urlsift_link_rules *)&rules;
	urlsift_rule_fault fault;
	CHECK(urlsift_link_rules_new(NULL, NULL, 0, &rules, &fault) == URLSIFT_BAD_ARGUMENT && !rules);
	CHECK(urlsift_link_rules_new(&(urlsift_allocator){ .context = NULL }, links, 1, &rules, &fault) ==
	      URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_link_rules_new(NULL, links, 1, NULL, &fault) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_link_rules_new(NULL, links, 1, &rules, NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_options_set_link_rules(NULL, NULL);
}

/* Several rules, whose memory is all given back, also where the last of them is wrong. */
static void test_rules_memory(void)
{
	static const char *const texts[] = { "a => http://a/\nb => http://b/\nc => http://c/\n",
	                                     "a => http://a/\nb => http://b/\n( => x:\n" };
	for (size_t fail_at = 0, i = 0; i < 2; fail_at++) {
		struct counting counts = { .fail_at = fail_at };
		const urlsift_allocator hooks = counting_allocator(&counts);
		urlsift_link_rules *rules = NULL;
		urlsift_rule_fault fault;
		urlsift_status status = urlsift_link_rules_new(&hooks, texts[i], strlen(texts[i]), &rules, &fault);
		if (status == URLSIFT_NOT_BUILT)
			return;
		CHECK(counts.failures ? status == URLSIFT_NO_MEMORY : (status == URLSIFT_OK) == (i == 0));
		urlsift_link_rules_free(rules);
		CHECK(counts.blocks == 0);
		if (fail_at && !counts.failures)
			i++, fail_at = (size_t)-1;
	}
}

/* A line that is about as long as rules see at a time (LINK_RULES_LINE), a short one, and a link: the rule is for a
 * whole line, and sees each. */
static void test_rules_long_line(urlsift_context *c)
{
	static const char rule[] = "^x$ => http://lines.example/\n";
	static const char before[] = "http://a.example/ ", after[] = "\nx\nhttp://b.example/";
	urlsift_link_rules *rules;
	urlsift_rule_fault fault;
	if (urlsift_link_rules_new(NULL, rule, sizeof rule - 1, &rules, &fault) == URLSIFT_NOT_BUILT)
		return;
	urlsift_options *o = urlsift_options_new(NULL);
	urlsift_options_set_link_rules(o, rules);
	for (size_t length = 8185; length < 8200; length++) {
		static char block[8300];
		urlsift_found *found;
		size_t n = sizeof before - 1;
		memcpy(block, before, n);
		memset(block + n, 'b', length);
		memcpy(block + n + length, after, sizeof after);
		CHECK(urlsift_find(c, o, block, strlen(block), &found) == URLSIFT_OK && found->count == 3);
		urlsift_found_free(found);
	}
	urlsift_options_free(o);
	urlsift_link_rules_free(rules);
}

static void test_url_null(urlsift_context *c)
{
	urlsift_url url;
	urlsift_url_split(links, 0, &url);
	CHECK(urlsift_url_check(NULL, &url, URLSIFT_RFC3986, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_url_check(c, NULL, URLSIFT_RFC3986, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_url_interpret(c, &url, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_url_interpret(c, NULL, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(!urlsift_url_resolve(&url, NULL, URLSIFT_RESOLVE_RFC3986, NULL, 0));
	CHECK(!urlsift_url_resolve(NULL, &url, URLSIFT_RESOLVE_RFC1630, NULL, 0));
	urlsift_url_split(NULL, 3, &url);
	CHECK(url.length == 0 && !url.scheme.present);
}

static void test_mail_null(urlsift_context *c)
{
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	const urlsift_mail_sink good = { .piece = no_mail_piece, .user = c }, bad = { .user = c };
	CHECK(!urlsift_mail_new(NULL, NULL, &o, &good, NULL) && !urlsift_mail_new(c, NULL, NULL, &good, NULL));
	CHECK(!urlsift_mail_new(c, NULL, &o, NULL, NULL) && !urlsift_mail_new(c, NULL, &o, &bad, NULL));
	CHECK(urlsift_mail_feed(NULL, links, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_mail_finish(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_mail_flush(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_mail_reset(NULL, &o) == URLSIFT_BAD_ARGUMENT);
	urlsift_mail *m = urlsift_mail_new(c, NULL, &o, &good, NULL);
	CHECK(urlsift_mail_feed(m, NULL, 0) == URLSIFT_OK);
	CHECK(urlsift_mail_feed(m, NULL, 1) == URLSIFT_BAD_ARGUMENT && urlsift_mail_reset(m, NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_mail_free(m);
	urlsift_mail_free(NULL);
	CHECK(!urlsift_mail_stopped_at(NULL));
	CHECK(urlsift_mail_detect(NULL, 0, 1) == URLSIFT_KIND_TEXT);
}

static void test_renderer_null(urlsift_context *c)
{
	const urlsift_render_options o = { .format = "json" };
	CHECK(!urlsift_render_new(NULL, &o, no_write, NULL, NULL) && !urlsift_render_new(c, NULL, no_write, NULL, NULL));
	CHECK(!urlsift_render_new(c, &o, NULL, NULL, NULL));
	CHECK(urlsift_render_url(NULL, links, 1) == URLSIFT_BAD_ARGUMENT);
	urlsift_render_free(NULL);
}

static void test_event_null(urlsift_context *c)
{
	const urlsift_message message = { .offset = 0 };
	const urlsift_place place = { .part = "" };
	const urlsift_piece piece = { .offset = 0 };
	const urlsift_notice notice = { "parts", 1, 0 };
	const urlsift_totals totals = { .files = 0 };
	urlsift_renderer *r = urlsift_render_new(c, &(urlsift_render_options){ .format = "html" }, no_write, NULL, NULL);
	CHECK(urlsift_render_source(NULL, "a", NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_source(r, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_message(NULL, &message) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_message(r, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_place(NULL, &place) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_place(r, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_piece(NULL, NULL, &piece, 0) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_piece(r, NULL, NULL, 0) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_error(NULL, NULL, links) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_error(r, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_notice(NULL, NULL, &notice) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_notice(r, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_summary(NULL, &totals) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_summary(r, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_append(NULL, links, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_append(r, NULL, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_source_end(NULL, 0) == URLSIFT_BAD_ARGUMENT && !urlsift_render_needs(NULL));
	CHECK(urlsift_render_end(NULL) == URLSIFT_BAD_ARGUMENT && urlsift_render_flush(NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_render_free(r);
}

/* ---- Calls from a callback ---- */

struct inside {
	urlsift_scanner *scanner;
	urlsift_mail *mail;
	size_t links;
	bool refused;
};

static int misuse_scanner(void *user, const urlsift_piece *piece)
{
	struct inside *i = user;
	i->links += piece->link != NULL;
	i->refused = i->refused && urlsift_feed(i->scanner, links, sizeof links - 1) == URLSIFT_BAD_STATE &&
	             urlsift_flush(i->scanner) == URLSIFT_BAD_STATE && urlsift_finish(i->scanner) == URLSIFT_BAD_STATE;
	urlsift_reset(i->scanner);
	urlsift_free(i->scanner);
	return 0;
}

static int misuse_mail(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	struct inside *i = user;
	(void)place;
	i->links += piece->link != NULL;
	i->refused = i->refused && urlsift_mail_feed(i->mail, links, sizeof links - 1) == URLSIFT_BAD_STATE &&
	             urlsift_mail_finish(i->mail) == URLSIFT_BAD_STATE &&
	             urlsift_mail_reset(i->mail, &o) == URLSIFT_BAD_STATE;
	urlsift_mail_free(i->mail);
	return 0;
}

static void test_inside(urlsift_context *c)
{
	struct inside i = { .refused = true };
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	i.scanner = urlsift_new(c, NULL, &(urlsift_sink){ misuse_scanner, NULL, &i }, NULL);
	CHECK(urlsift_feed(i.scanner, links, sizeof links - 1) == URLSIFT_OK && urlsift_finish(i.scanner) == URLSIFT_OK);
	CHECK(i.links == 2 && i.refused);
	CHECK(urlsift_feed(i.scanner, links, 1) == URLSIFT_BAD_STATE);
	urlsift_free(i.scanner);
	i.mail = urlsift_mail_new(c, NULL, &o, &(urlsift_mail_sink){ .piece = misuse_mail, .user = &i }, NULL);
	CHECK(urlsift_mail_feed(i.mail, "Subject: a\n\n", 12) == URLSIFT_OK);
	CHECK(urlsift_mail_feed(i.mail, links, sizeof links - 1) == URLSIFT_OK);
	CHECK(urlsift_mail_finish(i.mail) == URLSIFT_OK);
	CHECK(i.links == 4 && i.refused);
	urlsift_mail_free(i.mail);
}

/* ---- What comes in the wrong order, or is out of range ---- */

static void test_states(urlsift_context *c)
{
	urlsift_scanner *s = urlsift_new(c, NULL, &(urlsift_sink){ no_piece, NULL, c }, NULL);
	CHECK_THAT(urlsift_finish(s) == URLSIFT_OK, "an empty input");
	CHECK_THAT(urlsift_feed(s, "x", 1) == URLSIFT_BAD_STATE, "fed after the end");
	CHECK_THAT(urlsift_finish(s) == URLSIFT_BAD_STATE, "finished twice");
	urlsift_free(s);
	urlsift_options *o = urlsift_options_new(NULL);
	CHECK_THAT(urlsift_options_set(o, URLSIFT_OPT_MAX_BREAKS, 17) == URLSIFT_BAD_ARGUMENT, "an option out of range");
	CHECK_THAT(urlsift_options_set(o, (urlsift_option)99, 0) == URLSIFT_BAD_ARGUMENT, "an unknown option");
	CHECK_THAT(urlsift_options_set_charset(o, "no-such") == URLSIFT_BAD_CHARSET, "an unknown charset");
	CHECK_THAT(urlsift_options_set_charset(o, "") == URLSIFT_BAD_CHARSET, "an empty charset");
	CHECK_THAT(urlsift_options_set_charset(o, NULL) == URLSIFT_OK, "no charset");
	urlsift_options_free(o);
	struct counting hooks = { 0 };
	const urlsift_allocator allocator = counting_allocator(&hooks);
	o = urlsift_options_new(&allocator);
	CHECK_THAT(urlsift_options_set_charset(o, "utf-16") == URLSIFT_OK, "a charset");
	hooks.fail_at = hooks.calls + 1;
	hooks.lasting = true;
	CHECK_THAT(urlsift_options_set_charset(o, "utf-8") == URLSIFT_NO_MEMORY, "another without memory");
	CHECK_THAT(urlsift_options_set_base(o, "http://a.example/", 17) == URLSIFT_NO_MEMORY, "a base without memory");
	CHECK_THAT(urlsift_options_set_charset(o, NULL) == URLSIFT_OK, "none, which takes no memory");
	CHECK_THAT(urlsift_options_set_base(o, NULL, 0) == URLSIFT_OK, "no base, likewise");
	urlsift_options_free(o);
}

/* Behind the host of a link in marks stands a character reference, which no host can hold, before the second mark. */
static void test_marks(void)
{
	static const char *const marks[][2] = { { "'", "'" }, { "\"", "\"" }, { "\xe2\x80\x9c", "\xe2\x80\x9d" },
		{ "\xc2\xab", "\xc2\xbb" }, { "\xe2\x80\x98", "\xe2\x80\x99" } };
	static const char *const behind[] = { "&copy;", "&trade;", "&copy;&copy;", "" };
	static const char *const after[] = { " x", ".", "", ").", "\n" };
	enum { COUNT = sizeof marks / sizeof *marks, BEHIND = sizeof behind / sizeof *behind,
		AFTER = sizeof after / sizeof *after };
	for (size_t i = 0; i < COUNT * COUNT * BEHIND * AFTER; i++) {
		size_t open = i % COUNT, close = i / COUNT % COUNT, rest = i / COUNT / COUNT;
		char line[64];
		urlsift_found *f;
		snprintf(line, sizeof line, "%shttp://a.example%s%s%s", marks[open][0], behind[rest % BEHIND], marks[close][1],
		         after[rest / BEHIND]);
		CHECK(urlsift_find(NULL, NULL, line, strlen(line), &f) == URLSIFT_OK);
		bool quoted = f->count && f->links[0]->convention == URLSIFT_CONV_QUOTED;
		CHECK_THAT(f->count == 1 && quoted == (open == close), "%s", line);
		urlsift_found_free(f);
	}
}

int main(void)
{
	test_find();
	test_marks();
	test_mail();
	test_length();
	test_finder();
	test_finder_lines();
	test_finder_time();
	test_finder_memory();
	test_linkify();
	test_memory();
	test_kept_memory();
	test_kept_options();
	test_kept_texts();
	test_kept_threads();
	test_reasons();
	test_removed();

	urlsift_context *c = urlsift_context_new(NULL);
	test_scanner_null(c);
	test_rules_null();
	test_rules_memory();
	test_rules_long_line(c);
	test_options_null();
	test_url_null(c);
	test_mail_null(c);
	test_renderer_null(c);
	test_event_null(c);
	test_inside(c);
	test_states(c);
	urlsift_context_free(c);
	return check_end();
}
