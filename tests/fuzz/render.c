/* For memmem. */
#define _GNU_SOURCE 1
/* Fuzzes the renderers.  The first byte chooses the kind of input and the format, the second the options.
 *
 * Checked: HTML parsed again has the allowed elements and attributes only, well nested, and its text is that of the
 * pieces; JSON is one valid object a line; lists hold no control characters.  All is valid UTF-8. */
#include "fuzz.h"

#include "urlsift-render.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	char *data;
	size_t length, room;
};

static void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (b->length + n + 1 > b->room) {
		b->room = 2 * (b->length + n + 1);
		b->data = realloc(b->data, b->room);
		REQUIRE(b->data != NULL);
	}
	if (n)
		memcpy(b->data + b->length, data, n);
	b->length += n;
	b->data[b->length] = '\0';
}

static struct bytes output, wanted, shown;

static int take_output(void *user, const void *bytes, size_t n)
{
	(void)user;
	bytes_add(&output, bytes, n);
	return 0;
}

/* ---- What the text of a page must be ---- */

static bool wanted_after_cr;

static void add_character(struct bytes *b, uint32_t cp)
{
	uint8_t c[4] = { (uint8_t)cp };
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = n; n > 1 && i-- > 1; cp >>= 6)
		c[i] = (uint8_t)(0x80 | (cp & 63));
	if (n > 1)
		c[0] = (uint8_t)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | cp);
	bytes_add(b, c, n);
}

static void want(const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp = 0;
		i += urlsift_next_character(text + i, n - i, &cp);
		bool after_cr = wanted_after_cr;
		wanted_after_cr = cp == '\r';
		if (cp == '\n' && after_cr)
			continue;
		if (cp == '\r')
			cp = '\n';
		else if ((cp < 0x20 && cp != '\t' && cp != '\n') || (cp >= 0x7f && cp < 0xa0))
			cp = 0xfffd;
		add_character(&wanted, cp);
	}
}

static int take_piece(void *user, const urlsift_piece *piece)
{
	want(piece->text, piece->text_length);
	return urlsift_render_piece(user, NULL, piece, 1) != URLSIFT_OK;
}

/* ---- HTML ---- */

struct element {
	const char *name, *rest; /* what follows the name in the tag: attributes, the whole of them or up to a `*` */
};
static const struct element elements[] = {
	{ "pre", " class=\"urlsift*" }, { "span", " class=\"w\"" }, { "span", " class=\"n\"*" },
	{ "span", " class=\"q q*" }, { "bdi", "" },
	{ "bdi", " class=\"w\"" }, { "bdi", " class=\"w t\"" }, { "a", " href=\"*" }, { "a", " class=\"t\" href=\"*" },
	{ "h2", "" }, { "h2", " class=\"w\"" }, { "h3", " class=\"w\"" }, { "article", " class=\"m\" id=\"m*" },
	{ "dl", "" }, { "dt", "" },
	{ "dd", "" }, { "p", " class=\"w\"*" }, { "pre", " class=\"urlsift f\"*" },
	{ "table", " class=\"w\" id=\"messages\"*" }, { "caption", "" },
	{ "thead", "" }, { "tbody", "" }, { "tr", "" }, { "th", " scope=\"col\"" }, { "td", "" },
};
enum { ELEMENTS = sizeof elements / sizeof *elements, DEPTH = 32 };

static bool fits(const char *pattern, const char *text, size_t n)
{
	const char *star = strchr(pattern, '*');
	size_t fixed = star ? (size_t)(star - pattern) : strlen(pattern);
	return (star ? n >= fixed : n == fixed) && !memcmp(pattern, text, fixed);
}

/* The attributes of an anchor of ours; its target has a scheme of the allow-list. */
static void check_anchor(const char *tag, size_t n)
{
	const char *href = memmem(tag, n, "href=\"", 6), *end, *colon;
	REQUIRE(href != NULL);
	href += 6;
	end = memchr(href, '"', (size_t)(tag + n - href));
	REQUIRE(end != NULL);
	for (const char *p = href; p < end; p++)
		REQUIRE(*p > ' ' && *p < 0x7f && *p != '<' && *p != '>');
	if (*href == '#')
		return;
	colon = memchr(href, ':', (size_t)(end - href));
	REQUIRE(colon && urlsift_scheme_linkable(href, (size_t)(colon - href)));
	static const char relation[] = "\" rel=\"nofollow noopener noreferrer ugc\"";
	REQUIRE((size_t)(tag + n - end) >= sizeof relation - 1 && !memcmp(end, relation, sizeof relation - 1));
	end += sizeof relation - 1;
	static const char class[] = " class=\"t\"";
	size_t left = (size_t)(tag + n - end);
	if (left >= sizeof class - 1 && !memcmp(tag + n - (sizeof class - 1), class, sizeof class - 1))
		left -= sizeof class - 1;
	REQUIRE(left == 0 || (left > 8 && !memcmp(end, " title=\"", 8) &&
	                      memchr(end + 8, '"', left - 8) == end + left - 1));
}

static const struct element *find_element(const char *tag, size_t n)
{
	for (const struct element *e = elements; e < elements + ELEMENTS; e++) {
		size_t name = strlen(e->name);
		if (n >= name && !memcmp(tag, e->name, name) && fits(e->rest, tag + name, n - name))
			return e;
	}
	fprintf(stderr, "<%.*s>\n", (int)n, tag);
	abort();
}

/* Takes a reference; returns its length. */
static size_t take_reference(const char *p, bool keep)
{
	static const char *const references[] = { "&amp;", "&lt;", "&gt;", "&#34;", "&#39;" };
	for (size_t i = 0; i < sizeof references / sizeof *references; i++)
		if (!strncmp(p, references[i], strlen(references[i]))) {
			if (keep)
				bytes_add(&shown, &"&<>\"'"[i], 1);
			return strlen(references[i]);
		}
	abort();
}

static void check_html(void)
{
	const struct element *open[DEPTH];
	size_t depth = 0, ours = 0; /* how many open elements are not text */
	bool is_ours[DEPTH];
	const char *p = output.data, *end = p + output.length;
	shown.length = 0;
	while (p < end) {
		if (*p == '&') {
			p += take_reference(p, ours == 0 && depth > 0);
		} else if (*p == '<') {
			const char *close = memchr(p, '>', (size_t)(end - p));
			REQUIRE(close != NULL);
			bool ends = p[1] == '/';
			const char *tag = p + 1 + ends;
			size_t n = (size_t)(close - tag);
			if (ends) {
				REQUIRE(depth > 0 && strlen(open[depth - 1]->name) == n && !memcmp(tag, open[depth - 1]->name, n));
				ours -= is_ours[--depth];
			} else {
				REQUIRE(depth < DEPTH);
				open[depth] = find_element(tag, n);
				is_ours[depth] = strstr(open[depth]->rest, "class=\"w") != NULL;
				ours += is_ours[depth++];
				if (*tag == 'a' && n > 1 && tag[1] == ' ')
					check_anchor(tag, n);
			}
			p = close + 1;
		} else {
			REQUIRE(*p != '>' && *p != '"' && *p != '\'' && *p != 0x7f &&
			        ((unsigned char)*p >= ' ' || *p == '\n' || *p == '\t'));
			if (ours == 0 && depth > 0)
				bytes_add(&shown, p, 1);
			p++;
		}
	}
	REQUIRE(depth == 0);
}

/* ---- JSON and lists ---- */

/* Strings are closed, hold valid escapes only, and brackets agree; what is between them is of the JSON alphabet. */
static void check_json(void)
{
	char open[64];
	size_t depth = 0;
	const char *p = output.data, *end = p + output.length;
	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; *p != '"'; p++) {
				REQUIRE(p < end && (unsigned char)*p >= ' ' && *p != 0x7f);
				REQUIRE(!(*p == '<' && (p[1] == '/' || p[1] == '!')));
				if (*p == '\\')
					REQUIRE(strchr("\"\\u", *++p) != NULL);
			}
		} else if (*p == '{' || *p == '[') {
			REQUIRE(depth < sizeof open);
			open[depth++] = *p;
		} else if (*p == '}' || *p == ']') {
			REQUIRE(depth > 0 && open[--depth] == (*p == '}' ? '{' : '['));
		} else {
			REQUIRE(*p == '\n' ? depth == 0 : strchr(",:.-0123456789truefals", *p) && depth > 0);
		}
	}
	REQUIRE(depth == 0);
}

static void check_list(char end)
{
	for (size_t i = 0; i < output.length; i++)
		REQUIRE((unsigned char)output.data[i] >= ' ' ? output.data[i] != 0x7f : output.data[i] == end);
}

static void check_utf8(void)
{
	for (size_t i = 0; i < output.length;) {
		uint32_t cp;
		size_t n = urlsift_next_character(output.data + i, output.length - i, &cp);
		REQUIRE(n > 1 || (unsigned char)output.data[i] < 0x80);
		REQUIRE(cp < 0x80 || cp >= 0xa0);
		i += n;
	}
}

/* ---- A run ---- */

static void scan(urlsift_context *c, urlsift_renderer *r, const urlsift_options *o, const uint8_t *data, size_t n)
{
	wanted_after_cr = false;
	const urlsift_sink sink = { take_piece, urlsift_render_sink(r).notice, r };
	REQUIRE(urlsift_scan(c, o, &sink, data, n) == URLSIFT_OK);
}

static void scan_mail(urlsift_context *c, urlsift_renderer *r, const urlsift_options *o, urlsift_mail_options *how,
                      const uint8_t *data, size_t n)
{
	const urlsift_mail_sink sink = urlsift_render_mail_sink(r);
	urlsift_mail *m = urlsift_mail_new(c, o, how, &sink);
	REQUIRE(m != NULL);
	urlsift_mail_feed(m, data, n);
	urlsift_mail_finish(m);
	urlsift_mail_free(m);
}

static void check(const urlsift_render_options *how, bool text)
{
	check_utf8();
	if (!strcmp(how->format, "json")) {
		check_json();
	} else if (!strcmp(how->format, "list")) {
		check_list(how->null_separated ? '\0' : '\n');
	} else {
		check_html();
		REQUIRE(!text || (shown.length == wanted.length && !memcmp(shown.data, wanted.data, shown.length)));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = { "html", "html", "json", "list" };
	static const char *const templates[] = { NULL, "%u %U %N %s %k %l %c %o %f %m %S %d %p %t %%", NULL, NULL };
	static urlsift_context *c;
	static urlsift_options *o;
	c = c ? c : urlsift_context_new(NULL);
	o = o ? o : urlsift_options_new(NULL);
	if (size < 2)
		return 0;
	const urlsift_render_options how = {
		.format = formats[data[0] & 3], .fragment = 1, .null_separated = data[1] & 1, .with_filename = data[1] >> 1 & 1,
		.line_number = data[1] >> 2 & 1, .encoded = data[1] >> 3 & 1, .hyphen_both = data[1] >> 4 & 1,
		.line_format = templates[data[1] >> 5 & 3],
	};
	urlsift_mail_options mail = { .kind = URLSIFT_KIND_MESSAGE, .headers = (urlsift_headers)(data[1] >> 1 & 1) };
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, data[0] >> 2 & 1);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, data[0] >> 3 & 1);
	urlsift_options_set(o, URLSIFT_OPT_JOIN, data[0] >> 4 & 3);
	urlsift_render_prepare(&how, o, &mail);
	output.length = wanted.length = shown.length = 0;
	bytes_add(&output, "", 0);
	bytes_add(&wanted, "", 0);
	bytes_add(&shown, "", 0);
	urlsift_renderer *r = urlsift_render_new(c, &how, take_output, NULL);
	REQUIRE(r != NULL);
	urlsift_render_source(r, "a<b>\"\x01.txt", NULL);
	bool text = data[0] >> 6 == 0;
	mail.kind = data[0] >> 6 == 1 ? URLSIFT_KIND_MESSAGE : data[0] >> 6 == 2 ? URLSIFT_KIND_MBOX : URLSIFT_KIND_HTML;
	if (text)
		scan(c, r, o, data + 2, size - 2);
	else
		scan_mail(c, r, o, &mail, data + 2, size - 2);
	urlsift_render_source_end(r, 0);
	REQUIRE(urlsift_render_end(r) == URLSIFT_OK);
	urlsift_render_free(r);
	check(&how, text);
	return 0;
}
