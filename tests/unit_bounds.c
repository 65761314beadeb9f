/* The functions that take a text and its length, and those that write at most `size` bytes:
 *
 *   texts    between pages that nobody may touch, at each length, an answer is that for the text followed by something
 *            that would change it; at its whole length, the library's memory is between such pages too
 *   output   of any size holds the beginning of the whole answer, whose length does not depend on it; no byte after it
 *            is written
 *   formats  each format of the renderer writes the same of a text whose memory, and that of the library, is between
 *            such pages
 *   escapes  an answer of four bytes before such a page, of a text that ends before one
 */
#define _DEFAULT_SOURCE
#include "check.h"
#include "fence.h"
#include "render/escape.h"
#include "scan/link.h"
#include "urlsift-mail.h"
#include "urlsift-render.h"

#include <stdint.h>
#include <stdio.h>

/* Each has what some function looks ahead for, to be cut anywhere. */
static const char *const texts[] = {
	"http://user:p%40w@www.ex%41mple.com:8080/a/./b/../c;x=1?q=%c3%a4&r#f%0d",
	"HTTP://[2001:db8::1%25eth0]:80/?#",
	"http://xn--bcher-kva.example./\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82\xe2\x80\xa8\xe2\x80\xae\xc2\x85\xff\xe2\x82",
	"http://\xc3\xbcx.example\xe3\x80\x82xn:99999/%",
	"http://0x7f.0.0.01/%2e%2E/%zz?a[]=b|c\\d",
	"mailto:joe%40x@example.org,a@b.example?subject=a%20b&cc=&body",
	"ftp://a:b@h.example:21/%2Fetc/x;type=i", "gopher://h.example:70/1sel%09search%09+g", "news:comp.lang.c",
	"news:1@b.example", "nntp://news.example/a.b/123", "telnet://u:p@h.example:23/", "file://host/c|/x",
	"wais://h.example/db?x", "tel:+1-2(3);ext=4", "urn:isbn:0-395#x", "data:text/plain;charset=utf-8;base64,YQ==",
	"javascript:a%3Cb", "prospero://h:1525/x;a=b;c=d",
	"https://safe.protection.outlook.example/?url=http%3A%2F%2Fa.example%2F&data=1",
	"https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F%3Fx&data=0",
	"https://urldefense.com/v3/__http://a.example/x*y__;Kw!!abc!d$",
	"https://urldefense.proofpoint.com/v2/url?u=http-3A__a.example_x-2Dy&d=c",
	"https://www.google.com/url?sa=t&url=http://b.example/&usg=x", "sip:a@b.example;p=1?h=2", "geo:1.5,-2.5;u=3",
	"../a//b?c#d", "//h/x", "?q", "",
	"From a@b.example Mon Jan  1 00:00:00 2024\nFrom: x\nSubject: =?utf-8?q?a=\n\nbody",
	"#! rnews 12\nPath: a\n\nx", "\1\1\1\1\nFrom: x\n",
	" <?xml version='1.0'?> <!-- a --> <!DOCTYPE html>", "<html >", "BEGIN:VCALENDAR\n",
	"WWW.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.ORG\n@aaaa.org and so on\n",
	"<a href=x>&amp;&#38;\"'</a>", "see http://a.example/x&amp;y, <URL:http://b.example/\n> and www.c.example\x1b[1m.",
	"http://a.example/ caf\xc3\xa9"
};

/* Follows a text in memory and must not be read. */
static const char decoy[] = "&amp;%41://@x.example]:1/?\xbf\xbf\x80#;";

enum { ANSWER = 65536, TEXT_MAX = 256 };
struct answer { char bytes[ANSWER]; size_t length; };

static void add(struct answer *a, const void *p, size_t n)
{
	if (n > ANSWER - a->length)
		abort();
	memcpy(a->bytes + a->length, p, n);
	a->length += n;
}

static void add_number(struct answer *a, uint64_t n) { add(a, &n, sizeof n); }

static int add_field(void *user, const urlsift_field *field)
{
	add(user, field->name, strlen(field->name));
	add(user, field->value, field->length);
	return 0;
}

/* ---- Functions that write at most `size` bytes: of the text, and in one case of a second one ---- */

typedef size_t writer(const char *text, size_t n, char *out, size_t size);

static urlsift_url split(const char *text, size_t n)
{
	urlsift_url url;
	urlsift_url_split(text, n, &url);
	return url;
}

static const char base[] = "http://base.example/dir/sub/x?y";

static size_t target(const char *text, size_t n, char *out, size_t size)
{
	urlsift_url url = split(text, n);
	return urlsift_url_target(&url, out, size);
}

static size_t normal(const char *text, size_t n, char *out, size_t size)
{
	urlsift_url url = split(text, n);
	return urlsift_url_normal(&url, out, size);
}

static size_t unwrapped(const char *text, size_t n, char *out, size_t size)
{
	urlsift_url url = split(text, n);
	return urlsift_url_unwrap(&url, out, size);
}

static size_t resolved(const char *text, size_t n, char *out, size_t size)
{
	urlsift_url url = split(text, n), from = split(base, sizeof base - 1);
	return urlsift_url_resolve(&from, &url, URLSIFT_RESOLVE_RFC3986, out, size);
}

static size_t resolved_early(const char *text, size_t n, char *out, size_t size)
{
	urlsift_url url = split(text, n), from = split(base, sizeof base - 1);
	return urlsift_url_resolve(&from, &url, URLSIFT_RESOLVE_RFC1630, out, size);
}

static size_t based(const char *text, size_t n, char *out, size_t size)
{
	urlsift_url from = split(text, n), url = split("a/../b", 6);
	return urlsift_url_resolve(&from, &url, URLSIFT_RESOLVE_RFC3986, out, size);
}

static size_t cell(const char *text, size_t n, char *out, size_t size)
{
	return escape_csv_text(text, n, true, out, size);
}

static const struct { const char *name; writer *write; } writers[] = {
	{"escape_html", urlsift_escape_html}, {"escape_json", urlsift_escape_json}, {"escape_line", urlsift_escape_line},
	{"escape_name", urlsift_escape_name}, {"escape_csv", cell}, {"target", target}, {"normal", normal}, {"unwrap", unwrapped},
	{"resolve", resolved}, {"resolve by RFC 1630", resolved_early}, {"resolve, of the base", based}
};

/* ---- Everything that the library says of a text ---- */

static int add_html(void *user, const void *bytes, size_t n)
{
	add(user, bytes, n);
	return 0;
}

static void add_report(urlsift_context *c, struct answer *a, const char *text, size_t n)
{
	const urlsift_render_options how = { .format = "json" };
	urlsift_renderer *r = urlsift_render_new(c, &how, add_html, a, NULL);
	add_number(a, (uint64_t)urlsift_render_url(r, text, n));
	add_number(a, (uint64_t)urlsift_render_end(r));
	urlsift_render_free(r);
}

static void answer(urlsift_context *c, const char *text, size_t n, struct answer *a)
{
	char out[TEXT_MAX * 16];
	urlsift_url url = split(text, n);
	a->length = 0;
	const urlsift_component parts[] = {url.scheme, url.authority, url.userinfo, url.user, url.password, url.host,
	                                   url.port, url.path, url.query, url.fragment};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		add_number(a, parts[i].offset);
		add_number(a, parts[i].length + (size_t)parts[i].present * 1000);
	}
	for (urlsift_grammar g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		urlsift_fault fault = {0, "", ""};
		add_number(a, (uint64_t)urlsift_url_check(c, &url, g, &fault));
		add_number(a, fault.offset);
		add(a, fault.rule, strlen(fault.rule));
	}
	add_number(a, (uint64_t)urlsift_url_interpret(c, &url, add_field, a));
	add_number(a, urlsift_url_warnings(&url));
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		size_t length = writers[i].write(text, n, out, sizeof out);
		add_number(a, length);
		add(a, out, length < sizeof out ? length : sizeof out);
	}
	urlsift_scheme scheme;
	uint32_t cp;
	add_number(a, (uint64_t)urlsift_scheme_find(text, n, &scheme));
	for (size_t i = 0; i < n; i += urlsift_next_character(text + i, n - i, &cp))
		add_number(a, i ? cp : 0);
	for (int complete = 0; complete < 2; complete++)
		add_number(a, urlsift_mail_detect(text, n, complete));
	char *html = NULL;
	if (urlsift_linkify(c, NULL, text, n, &html) == URLSIFT_OK)
		add(a, html, strlen(html));
	urlsift_html_free(html);
	urlsift_found *found = NULL;
	if (urlsift_find(c, NULL, text, n, &found) == URLSIFT_OK)
		for (size_t i = 0; i < found->count; i++)
			add(a, found->links[i]->text.bytes, found->links[i]->text.length);
	urlsift_found_free(found);
	add_report(c, a, text, n);
}

/* With memory of the library between pages that nobody may touch. */
static void answer_fenced(enum fence_side side, const char *text, size_t n, struct answer *a)
{
	const urlsift_allocator fenced = fence_allocator(&side);
	urlsift_context *c = urlsift_context_new(&fenced);
	answer(c, text, n, a);
	urlsift_context_free(c);
}

static void test_texts(urlsift_context *c)
{
	static struct answer wanted, got;
	static char copy[TEXT_MAX];
	enum fence_side side = FENCE_AFTER;
	enum { ROOM = 4096 };
	char *after = fence_get(&side, ROOM);
	side = FENCE_BEFORE;
	char *before = fence_get(&side, ROOM);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		size_t whole = strlen(texts[i]);
		for (size_t n = 0; n <= whole; n++) {
			memcpy(copy, texts[i], n);
			memcpy(copy + n, decoy, sizeof decoy);
			answer(c, copy, n, &wanted);
			const char *places[] = {memcpy(after + ROOM - n, texts[i], n), memcpy(before, texts[i], n)};
			for (size_t k = 0; k < 2; k++) {
				if (n < whole)
					answer(c, places[k], n, &got);
				else
					answer_fenced(k ? FENCE_BEFORE : FENCE_AFTER, places[k], n, &got);
				check_at(got.length == wanted.length && !memcmp(got.bytes, wanted.bytes, got.length),
				         __FILE__, __LINE__, texts[i], "the first %zu bytes", n);
			}
		}
	}
	fence_put(NULL, after);
	fence_put(NULL, before);
}

/* ---- Output ---- */

static void test_output(void)
{
	static char whole[TEXT_MAX * 16];
	enum fence_side side = FENCE_AFTER;
	enum { ROOM = 4096 };
	char *end = (char *)fence_get(&side, ROOM) + ROOM;
	for (size_t w = 0; w < sizeof writers / sizeof *writers; w++)
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
			size_t n = strlen(texts[i]), length = writers[w].write(texts[i], n, whole, sizeof whole);
			for (size_t size = 0; size <= length + 1 && size < ROOM; size++) {
				char *out = end - size;
				memset(end - ROOM, 1, ROOM);
				size_t got = writers[w].write(texts[i], n, out, size);
				check_at(got == length && !memcmp(out, whole, size < length ? size : length)
				         && (size == ROOM || out[-1] == 1), __FILE__, __LINE__,
				         writers[w].name, "%s into %zu bytes", texts[i], size);
			}
		}
	fence_put(NULL, end - ROOM);
}

/* ---- Formats ---- */

static const urlsift_render_options formats[] = {
	{ .format = "list", .encoded = 1, .warnings = 1, .line_number = 1 },
	{ .format = "list", .line_format = "%u %c %x %l", .unwrap = 1 },
	{ .format = "json", .context = 2 }, { .format = "csv", .spreadsheet = 1, .terminal = 1 },
	{ .format = "html", .line_number = 1 }, { .format = "rewrite", .form = "join" },
	{ .format = "rewrite", .form = "wrap", .width = 30 }, { .format = "rewrite", .form = "angle" },
	{ .format = "rewrite", .form = "markdown" }, { .format = "rewrite", .form = "org" },
	{ .format = "rewrite", .form = "rst" }, { .format = "rewrite", .form = "gemtext" },
	{ .format = "rewrite", .form = "term", .terminal = 1 }, { .format = "rewrite", .form = "defang" },
	{ .format = "rewrite", .form = "refang" }, { .format = "rewrite", .form = "clean" },
	{ .format = "rewrite", .form = "https" }, { .format = "rewrite", .form = "unwrap" },
	{ .format = "rewrite", .form = "host:b.example" }, { .format = "rewrite", .form = "template:%u %t" }
};

/* What forms change, in every place where one may: with the rest of a link behind it, as a field, with references. */
static const char *const changed[] = {
	"http://a.example/some/long/path/x?utm_source=a&b=1#and-a-fragment-of-some-length",
	"http://a.example/?a=1&utm_medium=b;c=2,http://b.example/?utm_campaign=x,R&D=x",
	"http://a.example/?utm_source=1,further,fields,of,a,table,and,more,of,them",
	"a,http://a.example/?utm_source=1,b\nc,http://b.example/?utm_source=2&d=3,e\n",
	"<a href=\"http://a.example/?x=1&amp;utm_source=2&amp;y=&#34;3\">http://a.example/?x=1&amp;utm_source=2</a>",
	"From: a\n\nhttp://a.example/very/long/path/that\n/goes?on=1&gclid=2\n> http://b.example/\xc3\xa4",
	"hxxp://a[.]example/x and http://www.b.example:80/(x)_y*z, [a label](http://c.example/?fbclid=3&z)",
	"https://urldefense.com/v3/__http://a.example/x*y__;Kw!!abc!d$ and caf\xc3\xa9 \xc3\xa9"
};

static void render(const urlsift_allocator *memory, const urlsift_render_options *how, const char *text, size_t n,
                   struct answer *a)
{
	a->length = 0;
	urlsift_context *c = urlsift_context_new(memory);
	urlsift_options *scan = urlsift_options_new(memory);
	urlsift_renderer *r = urlsift_render_new(c, how, add_html, a, NULL);
	const urlsift_sink sink = urlsift_render_sink(r);
	urlsift_render_prepare(how, scan, NULL);
	urlsift_render_source(r, "name", NULL);
	add_number(a, (uint64_t)urlsift_scan(c, scan, &sink, text, n));
	urlsift_render_source_end(r, 0);
	add_number(a, (uint64_t)urlsift_render_end(r));
	urlsift_render_free(r);
	urlsift_options_free(scan);
	urlsift_context_free(c);
}

static void test_format(const urlsift_render_options *how, const char *text)
{
	static struct answer wanted, got;
	const size_t n = strlen(text);
	render(NULL, how, text, n, &wanted);
	for (enum fence_side side = FENCE_AFTER; side <= FENCE_BEFORE; side++) {
		const urlsift_allocator fenced = fence_allocator(&side);
		char *copy = fence_get(&side, n);
		memcpy(copy, text, n);
		render(&fenced, how, copy, n, &got);
		fence_put(NULL, copy);
		check_at(got.length == wanted.length && !memcmp(got.bytes, wanted.bytes, got.length), __FILE__, __LINE__,
		         how->form ? how->form : how->format, "%s", text);
	}
}

static void test_formats(void)
{
	static char text[8192];
	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			test_format(&formats[f], texts[i]);
		for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
			test_format(&formats[f], changed[i]);
		/* links that need more room than the one before */
		for (int n = 60; n < 3000; n = 3 * n + 1) {
			snprintf(text, sizeof text, "http://a.example/%0*d?utm_source=1&b=2 and http://a.example/%0*d", n, 1, 2 * n, 2);
			test_format(&formats[f], text);
		}
	}
}

/* ---- Escapes ---- */

static void test_escapes(void)
{
	static const char *const parts[] = {
		"=41", "=C3", "=A4", "=80", "=F0", "=9F", "=99", "=82", "=E2", "=ac", "=", "\\u00e4", "\\ud83d", "\\ude42", "\\u0026",
		"\\/", "&amp;", "&#38;", "amp;", "\\~{}", "x"
	};
	enum { COUNT = sizeof parts / sizeof *parts, ROOM = 64, MOST = 12 + 4 };
	uint32_t state = 1;
	enum fence_side side = FENCE_AFTER;
	uint8_t *const out = fence_get(&side, 4), *const end = (uint8_t *)fence_get(&side, ROOM) + ROOM;
	for (unsigned round = 0; round < 20000; round++) {
		char text[ROOM + 8] = "";
		size_t n = 0, length, k = 0;
		for (unsigned i = 1 + random_bits(&state) % 6, same = random_bits(&state) % 2 ? 11 : COUNT; i > 0; i--)
			n += strlen(strcpy(text + n, parts[random_bits(&state) % same]));
		n -= random_bits(&state) % 2 ? random_bits(&state) % n : 0;
		const uint8_t *p = memcpy(end - n, text, n);
		length = link_read_escape(p, n, 1 + random_bits(&state) % 7, out, &k);
		CHECK_THAT(length <= 4 && k <= MOST && (!length || k <= n), "%.*s: %zu, %zu", (int)n, text, length, k);
	}
	fence_put(NULL, out);
	fence_put(NULL, end - ROOM);
}

int main(void)
{
	urlsift_context *c = urlsift_context_new(NULL);
	test_texts(c);
	test_output();
	test_formats();
	test_escapes();
	urlsift_context_free(c);
	return check_end();
}
