/* For memmem. */
#define _GNU_SOURCE 1
#include "output.h"

#include <ctype.h>

/* ---- What the text of a page must be ---- */

static void add_character(struct bytes *b, uint32_t cp)
{
	uint8_t c[4] = { (uint8_t)cp };
	if (cp < 0x80) {
		bytes_byte(b, c[0]);
		return;
	}
	size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = n; i-- > 1; cp >>= 6)
		c[i] = (uint8_t)(0x80 | (cp & 63));
	c[0] = (uint8_t)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | cp);
	bytes_add(b, c, n);
}

void output_show(struct bytes *shown, const char *text, size_t n, bool *after_cr)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp = 0;
		i += output_character(text + i, n - i, &cp);
		bool after = *after_cr;
		*after_cr = cp == '\r';
		if (cp == '\n' && after)
			continue;
		if (cp == '\r')
			cp = '\n';
		else if ((cp < 0x20 && cp != '\t' && cp != '\n') || (cp >= 0x7f && cp < 0xa0))
			cp = 0xfffd;
		add_character(shown, cp);
	}
}

void output_decode(struct bytes *to, const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp = 0;
		i += output_character(text + i, n - i, &cp);
		add_character(to, cp);
	}
}

/* Whether a link may begin at a byte after a colour. */
static bool may_begin(char c) { return (uint8_t)c >= 0x80 || isalnum((uint8_t)c); }

void output_uncolour(struct bytes *to, const struct bytes *text)
{
	static const char *const erasing[] = { "\x1b[K", "\x1b[0K" };
	bytes_clear(to);
	for (size_t i = 0, n; i < text->length; i += n) {
		const char *p = text->data + i;
		n = p[0] == '\x1b' && p[1] == '[' ? 2 + strspn(p + 2, "0123456789;") : 0;
		const char before = to->length > 0 ? to->data[to->length - 1] : ' ';
		const bool colour = n > 0 && p[n] == 'm';
		n = colour ? n + 1 : 1;
		for (size_t k = 0; colour && k < 2; k++) /* as grep writes it */
			n += strncmp(p + n, erasing[k], strlen(erasing[k])) ? 0 : strlen(erasing[k]);
		if (!colour || (may_begin(before) && may_begin(p[n])))
			bytes_add(to, p, n);
	}
}

/* ---- HTML ---- */

struct element {
	const char *name, *rest; /* what follows the name in the tag: attributes, the whole of them or up to a `*` */
};
static const struct element elements[] = {
	{ "pre", " class=\"urlsift*" }, { "span", " class=\"w\"" }, { "span", " hidden" }, { "span", " class=\"n\"*" },
	{ "span", " class=\"q q*" }, { "bdi", "" }, { "bdi", " hidden" },
	{ "bdi", " class=\"w\"" }, { "bdi", " class=\"w t\"" }, { "a", " href=\"*" }, { "a", " class=\"t\" href=\"*" },
	{ "h1", "" }, { "h1", " class=\"w\"" }, { "h2", "" }, { "h2", " class=\"w\"" }, { "h3", " class=\"w\"" },
	{ "article",
	" class=\"m\" id=\"m*" },
	{ "dl", "" }, { "dt", "" }, { "details", "" }, { "summary", " class=\"w\"" },
	{ "ul", " class=\"w\"" }, { "li", "" },
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

/* Takes a reference, to `shown` unless that is NULL; returns its length. */
static size_t take_reference(const char *p, struct bytes *shown)
{
	static const char *const references[] = { "&amp;", "&lt;", "&gt;", "&#34;", "&#39;" };
	for (size_t i = 0; i < sizeof references / sizeof *references; i++)
		if (!strncmp(p, references[i], strlen(references[i]))) {
			if (shown)
				bytes_byte(shown, (uint8_t)"&<>\"'"[i]);
			return strlen(references[i]);
		}
	abort();
}

/* The attributes of an anchor of ours; its target has a scheme of the allow-list.  Whether it is a link, not the label
 * of one. */
static bool check_anchor(const char *tag, size_t n, struct bytes *targets)
{
	const char *href = memmem(tag, n, "href=\"", 6), *end, *colon;
	REQUIRE(href != NULL);
	href += 6;
	end = memchr(href, '"', (size_t)(tag + n - href));
	REQUIRE(end != NULL);
	for (const char *p = href; p < end; p++)
		REQUIRE(*p > ' ' && *p < 0x7f && *p != '<' && *p != '>');
	if (*href == '#')
		return false;
	for (const char *p = href; p < end;)
		if (*p == '&')
			p += take_reference(p, targets);
		else
			bytes_byte(targets, (uint8_t)*p++);
	bytes_byte(targets, '\n');
	colon = memchr(href, ':', (size_t)(end - href));
	REQUIRE(colon && urlsift_scheme_linkable(href, (size_t)(colon - href)));
	static const char relation[] = "\" rel=\"nofollow noopener noreferrer ugc\"";
	REQUIRE((size_t)(tag + n - end) >= sizeof relation - 1 && !memcmp(end, relation, sizeof relation - 1));
	end += sizeof relation - 1;
	static const char class[] = " class=\"t\"";
	size_t left = (size_t)(tag + n - end);
	bool label = left >= sizeof class - 1 && !memcmp(tag + n - (sizeof class - 1), class, sizeof class - 1);
	if (label)
		left -= sizeof class - 1;
	REQUIRE(left == 0 || (left > 8 && !memcmp(end, " title=\"", 8) &&
	                      memchr(end + 8, '"', left - 8) == end + left - 1));
	return !label;
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

/* What is open while a page is read. */
struct nesting {
	const struct element *open[DEPTH];
	bool is_ours[DEPTH];
	size_t depth, ours; /* ours: how many open elements are not text */
	bool linked;        /* an anchor is open that is a link: where its target and its text begin */
	size_t target, text;
	size_t lines;       /* that have ended */
	bool numbered;      /* the present one has its number */
};

/* The number of a line stands before its text. */
static void check_number(struct nesting *e, const char *tag, size_t n)
{
	char wanted[64];
	int length = snprintf(wanted, sizeof wanted, "span class=\"n\" id=\"L%zu\"", e->lines + 1);
	REQUIRE_AS(!e->numbered && n == (size_t)length && !memcmp(tag, wanted, n), "lines are numbered in order");
	e->numbered = true;
}

/* Takes what follows in the text of the page, from `before` on. */
static void check_lines(struct nesting *e, const struct bytes *shown, size_t before)
{
	REQUIRE_AS(e->numbered || before == shown->length, "each line has a number");
	for (; before < shown->length; before++)
		if (shown->data[before] == '\n') {
			e->lines++;
			e->numbered = false;
		}
}

void output_anchor(struct bytes *anchors, const char *target, size_t n, const char *text, size_t length)
{
	bytes_add(anchors, target, n);
	bytes_byte(anchors, ' ');
	for (size_t i = 0; i < length; i++)
		bytes_byte(anchors, text[i] == '\n' ? ' ' : (uint8_t)text[i]);
	bytes_byte(anchors, '\n');
}

/* Takes what ends. */
static void end_element(struct nesting *e, const char *tag, size_t n, const struct page_text *page)
{
	REQUIRE(e->depth > 0);
	const char *name = e->open[e->depth - 1]->name;
	REQUIRE(strlen(name) == n && !memcmp(tag, name, n));
	e->ours -= e->is_ours[--e->depth];
	if (*name == 'a' && n == 1 && e->linked) {
		e->linked = false;
		output_anchor(page->anchors, page->targets->data + e->target, page->targets->length - e->target - 1,
		              page->shown->data + e->text, page->shown->length - e->text);
	}
}

/* Takes the tag at p; returns its end. */
static const char *take_tag(struct nesting *e, const char *p, const char *end, const struct page_text *page)
{
	const char *close = memchr(p, '>', (size_t)(end - p));
	REQUIRE(close != NULL);
	bool ends = p[1] == '/';
	const char *tag = p + 1 + ends;
	size_t n = (size_t)(close - tag);
	if (ends) {
		end_element(e, tag, n, page);
		return close + 1;
	}
	REQUIRE(e->depth < DEPTH);
	e->open[e->depth] = find_element(tag, n);
	e->is_ours[e->depth] = strstr(e->open[e->depth]->rest, "class=\"w") != NULL;
	e->ours += e->is_ours[e->depth++];
	if (page->numbered && strstr(e->open[e->depth - 1]->rest, "class=\"n\""))
		check_number(e, tag, n);
	if (*tag == 'a' && n > 1 && tag[1] == ' ') {
		e->target = page->targets->length;
		e->text = page->shown->length;
		e->linked = check_anchor(tag, n, page->targets);
	}
	return close + 1;
}

void output_check_html(const struct bytes *output, const struct page_text *page)
{
	struct nesting e = { .depth = 0 };
	const char *p = output->data, *end = p + output->length;
	struct bytes *shown = page->shown;
	bytes_clear(shown);
	bytes_clear(page->targets);
	bytes_clear(page->anchors);
	REQUIRE(output->length < 2 || (memcmp(p, "\xff\xfe", 2) && memcmp(p, "\xfe\xff", 2)));
	while (p < end) {
		bool text = e.ours == 0 && e.depth > 0;
		size_t before = shown->length;
		if (*p == '&') {
			p += take_reference(p, text ? shown : NULL);
		} else if (*p == '<') {
			p = take_tag(&e, p, end, page);
		} else {
			REQUIRE(*p != '>' && *p != '"' && *p != '\'' && *p != 0x7f &&
			        ((unsigned char)*p >= ' ' || *p == '\n' || *p == '\t'));
			if (text)
				bytes_byte(shown, (uint8_t)*p);
			p++;
		}
		if (page->numbered)
			check_lines(&e, shown, before);
	}
	REQUIRE(e.depth == 0);
}

/* ---- JSON ---- */

static const char *take_string(const char *p, const char *end)
{
	for (p++; *p != '"'; p++) {
		REQUIRE(p < end && (unsigned char)*p >= ' ' && *p != 0x7f);
		REQUIRE(!(*p == '<' && (p[1] == '/' || p[1] == '!')));
		REQUIRE(memcmp(p, "\xe2\x80\xa8", 3) && memcmp(p, "\xe2\x80\xa9", 3));
		if (*p != '\\')
			continue;
		p++;
		REQUIRE(*p == '"' || *p == '\\' || *p == 'u');
		if (*p == 'u')
			for (int i = 0; i < 4; i++)
				REQUIRE(*++p && strchr("0123456789abcdef", *p));
	}
	return p + 1;
}

static const char *take_scalar(const char *p)
{
	static const char *const words[] = { "true", "false" };
	for (size_t i = 0; i < 2; i++)
		if (!strncmp(p, words[i], strlen(words[i])))
			return p + strlen(words[i]);
	const char *begin = p;
	p += *p == '-';
	REQUIRE(*p >= '0' && *p <= '9' && !(*p == '0' && p[1] >= '0' && p[1] <= '9'));
	while ((*p >= '0' && *p <= '9') || (*p == '.' && p > begin && p[1] >= '0' && p[1] <= '9'))
		p++;
	return p;
}

/* Takes the value at p, which may be nested. */
static const char *take_value(const char *p, const char *end)
{
	enum { MOST = 16 };
	char open[MOST];
	size_t depth = 0;
	do {
		if (*p == '{' || *p == '[') {
			REQUIRE(depth < MOST && p[1] != ',');
			open[depth++] = *p++;
			if (*p != '}' && *p != ']') {
				p = open[depth - 1] == '{' ? take_string(p, end) : p;
				p += open[depth - 1] == '{';
				REQUIRE(open[depth - 1] != '{' || p[-1] == ':');
				continue;
			}
		} else {
			p = *p == '"' ? take_string(p, end) : take_scalar(p);
		}
		while (depth && (*p == '}' || *p == ']')) {
			REQUIRE(open[--depth] == (*p == '}' ? '{' : '['));
			p++;
		}
		if (depth) {
			REQUIRE(*p == ',');
			p++;
			if (open[depth - 1] == '{') {
				REQUIRE(*p == '"');
				p = take_string(p, end);
				REQUIRE(*p == ':');
				p++;
			}
		}
	} while (depth);
	return p;
}

void output_check_json(const struct bytes *output)
{
	const char *p = output->data, *end = p + output->length;
	output_check_utf8(output);
	while (p < end) {
		REQUIRE(*p == '{');
		p = take_value(p, end);
		REQUIRE(*p == '\n');
		p++;
	}
}

const char *output_json_value(const char *line, const char *key, size_t *length)
{
	const char *end = strchr(line, '\n'), *p = line + 1;
	while (*p == '"') {
		const char *name = p + 1;
		p = take_string(p, end);
		size_t n = (size_t)(p - name) - 1;
		const char *value = ++p;
		p = take_value(p, end);
		if (n == strlen(key) && !memcmp(name, key, n)) {
			bool string = *value == '"';
			*length = (size_t)(p - value) - 2 * string;
			return value + string;
		}
		p += *p == ',';
	}
	return NULL;
}

void output_json_text(struct bytes *to, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] != '\\') {
			bytes_byte(to, (uint8_t)p[i]);
		} else if (p[++i] != 'u') {
			bytes_byte(to, (uint8_t)p[i]);
		} else {
			char digits[5] = { p[i + 1], p[i + 2], p[i + 3], p[i + 4] };
			add_character(to, (uint32_t)strtoul(digits, NULL, 16));
			i += 4;
		}
	}
}

/* ---- All ---- */

void output_check_lines(const struct bytes *output, char end)
{
	for (size_t i = 0; i < output->length; i++)
		REQUIRE((unsigned char)output->data[i] >= ' ' ? output->data[i] != 0x7f : output->data[i] == end);
	output_check_utf8(output);
}

void output_check_utf8(const struct bytes *output)
{
	for (size_t i = 0; i < output->length;) {
		uint32_t cp;
		size_t n = output_character(output->data + i, output->length - i, &cp);
		REQUIRE(n > 1 || (unsigned char)output->data[i] < 0x80);
		REQUIRE(cp < 0x80 || cp >= 0xa0);
		i += n;
	}
}

void output_check_terminal(const struct bytes *output, bool bidi)
{
	for (size_t i = 0; i < output->length;) {
		uint32_t cp;
		i += output_character(output->data + i, output->length - i, &cp);
		bool ends = cp == '\n' || (cp == '\r' && output->data[i] == '\n'); /* wrap ends lines as the text does */
		REQUIRE(cp >= 0xa0 || (cp >= ' ' && cp < 0x7f) || cp == '\t' || ends);
		REQUIRE(bidi || cp == 0x200e || !(cp == 0x61c || cp == 0x200f || (cp >= 0x202a && cp <= 0x202e) ||
		                                  (cp >= 0x2066 && cp <= 0x2069)));
	}
}
