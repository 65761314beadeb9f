/* The format html driven by hand, as mail drives it, and the ways to escape text
 * compared. */
#include "check.h"
#include "render/escape.h"
#include "simd/simd.h"
#include "text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *what, bool good) { CHECK_FOR(good, what); }

/* ---- Escaping ------------------------------------------------------------------ */

typedef struct html_step escape_fn(char *to, const char *limit, const uint8_t *p, size_t n, bool lines);
enum { TEXT_MAX = 600, OUT_MAX = 8 * TEXT_MAX + HTML_ROOM };

/* What every way must make of a text: a character at a time. */
static size_t escape_slowly(char *out, const uint8_t *p, size_t n)
{
	size_t used = 0;
	for (size_t i = 0, k; i < n; i += k) {
		uint32_t c;
		k = utf8_next(p + i, n - i, &c);
		const char *entity = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&#34;" :
		                     c == '\'' ? "&#39;" : NULL;
		if (c == '\r') {
			k += i + 1 < n && p[i + 1] == '\n';
			c = '\n';
		}
		if (entity) {
			memcpy(out + used, entity, strlen(entity));
			used += strlen(entity);
		} else {
			bool control = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0);
			used += utf8_put((uint8_t *)out + used, control ? 0xfffd : c);
		}
	}
	return used;
}

/* Whether the character at p[i] is one that no way may write. */
static bool needs_care(const uint8_t *p, size_t i, size_t n, uint32_t c, bool lines)
{
	if (c == '\n' || c == '\r')
		return lines ? c == '\r' && i + 1 == n : true;
	bool begins = i == 0 || p[i - 1] == ' ' || p[i - 1] == '\n' || p[i - 1] == '\r';
	return uclass_is_bidi(c) || (lines && c == '>' && begins);
}

/* The whole text by one way: where it stops, one character is written by hand and
 * must be one at which it may stop. */
static size_t escape_by(escape_fn *escape, bool lines, char *out, const uint8_t *p, size_t n, bool *good)
{
	char *to = out;
	for (size_t i = 0, taken, k; i < n; i += taken) {
		uint32_t c;
		struct html_step s = escape(to, out + OUT_MAX - HTML_ROOM, p + i, n - i, lines);
		to = s.to;
		taken = s.taken;
		for (size_t j = 0; j < taken; j += k) {
			k = utf8_next(p + i + j, n - i - j, &c);
			*good = *good && !needs_care(p + i, j, n - i, c, lines);
		}
		i += taken;
		taken = 0;
		if (i == n)
			break;
		k = utf8_next(p + i, n - i, &c);
		*good = *good && (needs_care(p, i, n, c, lines) || (lines && c == '>'));
		taken = k + (c == '\r' && i + 1 < n && p[i + 1] == '\n');
		to += escape_slowly(to, p + i, taken);
	}
	return (size_t)(to - out);
}

/* A text of n bytes or some more: one of the bits between ASCII, in 1 of `rare` places, and
 * else, when there is `script`, characters of that. */
static size_t make_text(uint8_t *p, size_t n, unsigned *seed, unsigned rare, const char *script)
{
	static const char *const bits[] = {
		"<", ">", "&", "\"", "'", "\n", "\r", "\r\n", "\t", "\x01", "\x7f", "\x1b", "\xc2\x85", "\xe2\x80\xae",
			"\xd8\x9c",
		"\xc3\xa4", "\xe4\xb8\xad", "\xf0\x9f\x98\x80", "\xff", "\x85", "\xe2\x80", "\xc3", " > ", "\n>",
			"\xd0\xb6\xd0\xb6", "\n\n",
		"\xc2\xa0", "\xc0\x80", "\xe0\xa4\x85", "\xe0\x9f\xbf", "\xe0\x80\x80", "\xe2\x80\x99", "\xe2\x80\x8e",
			"\xe2\x80\x8b",
		"\xe2\x81\xa6", "\xe2\x81\xaa", "\xe2\x94\x80", "\xed\x95\x9c", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
			"\xf4\x8f\xbf\xbf",
		"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xd8\xa7", "\xd8\x90", "\x81", "\xa0\xa0", "\xf0\x9f",
			"\xf0\x9f\x98", "\xf1\x80\x80",
		"\xe1\x41\x80", "\xe1\xe1\x80\x80"
	};
	size_t used = 0;
	while (used < n) {
		*seed = *seed * 1103515245u + 12345;
		unsigned r = *seed >> 8;
		const char *bit = r % rare == 0 ? bits[r / rare % (sizeof bits / sizeof *bits)] :
		                  script && r / rare % 5 ? script : (const char[]){ (char)('a' + r / rare % 26), '\0' };
		memcpy(p + used, bit, strlen(bit));
		used += strlen(bit);
	}
	return used;
}

static bool agrees(escape_fn *escape, const uint8_t *p, size_t n)
{
	/* of the exact size, for sanitizers */
	uint8_t *text = malloc(n + !n);
	char *wanted = malloc(OUT_MAX), *got = malloc(OUT_MAX);
	bool good = text && wanted && got;
	if (good) {
		memcpy(text, p, n);
		size_t size = escape_slowly(wanted, text, n);
		for (int lines = 0; lines < 2; lines++)
			good = escape_by(escape, lines, got, text, n, &good) == size && good && !memcmp(got, wanted, size);
	}
	free(text);
	free(wanted);
	free(got);
	return good;
}

/* Every length up to 200, and longer ones; a text may end in a character cut anywhere. */
static bool agrees_on_all(escape_fn *escape)
{
	static const char *const scripts[] = { NULL, "\xd0\xb6", "\xe4\xb8\xad", "\xf0\x9f\x98\x80", "\xe0\xa4\x85", NULL };
	static const unsigned rares[] = { 1, 3, 10, 60, 400 };
	uint8_t text[TEXT_MAX];
	unsigned seed = 1;
	for (size_t i = 0; i < run_rounds(12000); i++) {
		size_t n = i % 3 ? i / 3 % 201 : i / 3 % (TEXT_MAX - 10);
		make_text(text, n, &seed, rares[i % 5], scripts[i / 5 % 6]);
		if (!agrees(escape, text, n))
			return false;
	}
	return true;
}

/* Every pair of bytes, at every place of a block, before what may complete it. */
static bool agrees_on_pairs(escape_fn *escape)
{
	uint8_t text[130];
	bool good = true;
	memset(text, 'a', sizeof text);
	for (unsigned pair = 0x8000; pair <= 0xffff && good; pair++) {
		uint8_t *at = text + pair % 67;
		memcpy(at, (const uint8_t[]){ (uint8_t)(pair >> 8), (uint8_t)pair, (uint8_t)(0x80 | (pair * 7 & 0x3f)),
			0xbf }, 4);
		good = agrees(escape, text, sizeof text);
		memset(at, 'a', 4);
	}
	return good;
}

/* A way that may write no more than a block after `limit` goes on where it stopped. */
static bool agrees_in_steps(escape_fn *escape)
{
	uint8_t text[TEXT_MAX];
	static char wanted[OUT_MAX], got[OUT_MAX];
	unsigned seed = 7;
	for (unsigned i = 0; i < 300; i++) {
		size_t n = TEXT_MAX - 10, taken = 0, used = 0;
		make_text(text, n, &seed, 1 + i % 4, NULL);
		size_t size = escape_slowly(wanted, text, n);
		while (taken < n) {
			char room[HTML_ROOM + 1];
			struct html_step s = escape(room, room + 1, text + taken, n - taken, true);
			size_t k = s.taken, c = (size_t)(s.to - room);
			memcpy(got + used, room, c);
			used += c;
			taken += k;
			if (k > 0)
				continue;
			uint32_t cp;
			k = utf8_next(text + taken, n - taken, &cp);
			used += escape_slowly(got + used, text + taken, k);
			taken += k;
		}
		if (used != size || memcmp(got, wanted, size) != 0)
			return false;
	}
	return true;
}

static void test_escape(void)
{
	for (int i = URLSIFT_IMPL_PORTABLE; i <= URLSIFT_IMPL_WASM128; i++) {
		const struct simd *set = simd_choose((urlsift_implementation)i);
		if (!set)
			continue;
		CHECK_THAT(agrees_on_all(set->html_escape), "escaped, set %d", i);
		CHECK_THAT(agrees_on_pairs(set->html_escape), "escaped pairs, set %d", i);
		CHECK_THAT(agrees_in_steps(set->html_escape), "escaped in steps, set %d", i);
	}
}

/* ---- The output by hand ----------------------------------------------------------- */

struct page {
	urlsift_renderer *renderer;
	urlsift_context *context;
	urlsift_place *place; /* NULL before the first */
	urlsift_place last_place;
	urlsift_status status; /* of the end */
	char *text;            /* what was written, NUL-terminated */
	size_t length;
	char *rows;            /* the spool */
	size_t spooled, read;
	bool refuse;           /* the spool fails */
};

static int append(char **to, size_t *length, const void *bytes, size_t n)
{
	*to = realloc(*to, *length + n + 1);
	if (!*to)
		abort();
	memcpy(*to + *length, bytes, n);
	*length += n;
	(*to)[*length] = '\0';
	return 0;
}

static int write_page(void *user, const void *bytes, size_t n)
{
	struct page *p = user;
	return append(&p->text, &p->length, bytes, n);
}

static const char *write_rows(void *user, const void *bytes, size_t n)
{
	struct page *p = user;
	if (p->refuse)
		return "no <room>";
	append(&p->rows, &p->spooled, bytes, n);
	return NULL;
}

static const char *read_rows(void *user, void *bytes, size_t size, size_t *n)
{
	struct page *p = user;
	*n = size < p->spooled - p->read ? size : p->spooled - p->read;
	memcpy(bytes, p->rows + p->read, *n);
	p->read += *n;
	return NULL;
}

static void begin(struct page *p, bool fragment, bool spool)
{
	const urlsift_spool to = { write_rows, read_rows, p };
	const urlsift_html_options page = { .fragment = fragment, .spool = spool ? &to : NULL };
	const urlsift_render_options options = { .format = "html", .html = page };
	memset(p, 0, sizeof *p);
	p->context = urlsift_context_new(NULL);
	p->renderer = urlsift_render_new(p->context, &options, write_page, p, NULL);
	if (!p->renderer)
		abort();
}

static void end(struct page *p)
{
	p->status = urlsift_render_end(p->renderer);
	urlsift_render_free(p->renderer);
	urlsift_context_free(p->context);
	free(p->rows);
}

static int take_piece(void *user, const urlsift_piece *piece)
{
	struct page *p = user;
	if (!p->last_place.target || piece->link)
		urlsift_render_piece(p->renderer, p->place, piece, 1);
	return 0;
}

/* The text by the scanner, fed `cut` bytes at a time. */
static void put_cut(struct page *p, const char *text, size_t length, size_t cut)
{
	const urlsift_sink sink = { take_piece, NULL, p };
	urlsift_scanner *s = urlsift_new(p->context, NULL, &sink, NULL);
	if (!s)
		abort();
	for (size_t i = 0; i < length; i += cut)
		urlsift_feed(s, text + i, cut < length - i ? cut : length - i);
	urlsift_finish(s);
	urlsift_free(s);
}

static void put(struct page *p, const char *text)
{
	put_cut(p, text, strlen(text), strlen(text) + 1);
}

static void put_target(struct page *p, const char *target)
{
	p->last_place.target = 1;
	put(p, target);
	p->last_place.target = 0;
}

static urlsift_text text_of(const char *nul_terminated)
{
	return (urlsift_text){ nul_terminated, strlen(nul_terminated) };
}

static void message(struct page *p, urlsift_message *m, uint64_t offset, const char *subject)
{
	const urlsift_text none = { "", 0 };
	*m = (urlsift_message){ .offset = offset, .subject = text_of(subject), .from = text_of("a@example.org"),
	                        .date = text_of("today"), .id = none, .groups = none, .list = none };
	p->place = NULL;
	urlsift_render_message(p->renderer, m);
}

static void place(struct page *p, const char *field, const char *part, const char *type)
{
	p->last_place = (urlsift_place){ .field = field, .part = part, .type = type };
	p->place = &p->last_place;
	urlsift_render_place(p->renderer, p->place);
}

static void is(const char *what, struct page *p, const char *wanted)
{
	bool good = !strcmp(p->text, wanted);
	check(what, good && !p->status);
	if (!good)
		printf("  got    %s\n  wanted %s\n", p->text, wanted);
	free(p->text);
}

#define REL "\" rel=\"nofollow noopener noreferrer ugc\">"

static void test_text(void)
{
	static const char text[] =
		"\r\n> a <b> & 'c' \"d\"\r\n >> http://a.example/?x&y and\r>\xe2\x80\xae"
		"e\r\n\x01\x85\xff" "f\r\nx > y\n> \n>";
	static const char wanted[] =
		"<pre class=\"urlsift\"><span class=\"w\"></span>\n"
		"<span class=\"q q1\">&gt; a &lt;b&gt; &amp; &#39;c&#39; &#34;d&#34;</span>\n"
		" <span class=\"q q2\">&gt;&gt; <a href=\"http://a.example/?x&amp;y" REL "http://a.example/?x&amp;y</a>"
		" and</span>\n"
		"<span class=\"q q1\">&gt;<bdi>\xe2\x80\xae" "e</bdi></span>\n\xef\xbf\xbd\xe2\x80\xa6\xc3\xbf" "f\nx &gt; y\n"
		"<span class=\"q q1\">&gt; </span>\n<span class=\"q q1\">&gt;</span></pre>";
	for (size_t cut = 1; cut < sizeof text; cut++) {
		struct page p;
		begin(&p, true, true);
		urlsift_render_source(p.renderer, "-", NULL);
		put_cut(&p, text, sizeof text - 1, cut);
		urlsift_render_source_end(p.renderer, 0);
		end(&p);
		is("text", &p, wanted);
	}
	struct page p;
	begin(&p, true, true);
	urlsift_render_source(p.renderer, "-", NULL);
	urlsift_render_source_end(p.renderer, 0);
	end(&p);
	is("no text", &p, "<pre class=\"urlsift\"></pre>");
}

/* What a page of flowed text is with DelSp: the blank before a hidden line end is hidden, too. */
static void hide_blanks(const char *page, char *to)
{
	static const char shown[] = " <span hidden>", hidden[] = "<span hidden> ";
	for (const char *at; (at = strstr(page, shown)); page = at + sizeof shown - 1)
		to += sprintf(to, "%.*s%s", (int)(at - page), page, hidden);
	strcpy(to, page);
}

/* Soft line breaks, in pieces of every length. */
static void test_flowed(void)
{
	static const char text[] = "a \nhttp://a.example/ \r\nb \rc\n-- \nd \n> e \n> f\n \n-- g \n-\nh-- \ni \n\n"
		"j \n > k\n> > l \r\n>> m \r> >http://a.example/ \n> > \n> n \n\xe2\x80\x8eo \np \n";
	static const char wanted[] =
		"<pre class=\"urlsift\">a <span hidden>\n</span><a href=\"http://a.example/" REL "http://a.example/</a> "
		"<span hidden>\n</span>b <span hidden>\n</span>c\n-- \nd \n<span class=\"q q1\">&gt; e <span hidden>\n"
		"&gt; </span>f</span>\n \n-- g \n-\nh-- <span hidden>\n</span>i \n\nj \n &gt; k\n"
		"<span class=\"q q2\">&gt; &gt; l <span hidden>\n&gt;&gt; </span>m <span hidden>\n&gt; &gt;</span>"
		"<a href=\"http://a.example/" REL "http://a.example/</a> </span>\n<span class=\"q q2\">&gt; &gt; </span>\n"
		"<span class=\"q q1\">&gt; n </span>\n<bdi>\xe2\x80\x8eo </bdi>\np \n</pre>";
	char deleted[sizeof wanted];
	hide_blanks(wanted, deleted);
	for (size_t cut = 1; cut < 2 * sizeof text; cut++) {
		const bool deletes = cut >= sizeof text;
		struct page p;
		begin(&p, true, true);
		urlsift_render_source(p.renderer, "-", NULL);
		p.last_place = (urlsift_place){ .part = "1", .type = "text/plain", .flowed = 1, .delsp = deletes };
		p.place = &p.last_place;
		urlsift_render_place(p.renderer, p.place);
		put_cut(&p, text, sizeof text - 1, deletes ? cut - sizeof text + 1 : cut);
		urlsift_render_source_end(p.renderer, 0);
		end(&p);
		is("flowed", &p, deletes ? deleted : wanted);
	}
}

/* A text as a page, in plain pieces of `cut` bytes that no scanner has joined. */
static char *page_of_pieces(const char *text, size_t n, size_t cut, bool flowed, bool deletes)
{
	struct page p;
	begin(&p, true, true);
	urlsift_render_source(p.renderer, "-", NULL);
	p.last_place = (urlsift_place){ .part = "1", .type = "text/plain", .flowed = flowed, .delsp = deletes };
	urlsift_render_place(p.renderer, &p.last_place);
	for (size_t i = 0; i < n; i += cut) {
		const size_t k = cut < n - i ? cut : n - i;
		const urlsift_piece piece = { .offset = i, .length = k, .text = text + i, .text_length = k };
		urlsift_render_piece(p.renderer, &p.last_place, &piece, 1);
	}
	urlsift_render_source_end(p.renderer, 0);
	end(&p);
	return p.text;
}

/* Texts of what a page looks at are the same in pieces of any length. */
static void test_pieces(void)
{
	enum { LENGTH = 24 };
	static const char alphabet[] = "  \n\n>>-a\r<";
	uint32_t state = 1;
	for (unsigned round = 0; round < run_rounds(8000); round++) {
		char text[LENGTH];
		const size_t n = 1 + random_bits(&state) % LENGTH;
		for (size_t i = 0; i < n; i++)
			text[i] = alphabet[random_bits(&state) % (sizeof alphabet - 1)];
		const bool flowed = round % 3 > 0, deletes = round % 3 > 1;
		char *whole = page_of_pieces(text, n, n, flowed, deletes);
		char *cut = page_of_pieces(text, n, 1 + round % 5, flowed, deletes);
		CHECK_THAT(!strcmp(whole, cut), "in pieces of %u: %s not %s", 1 + round % 5, cut, whole);
		free(whole);
		free(cut);
	}
}

static void test_message(void)
{
	struct page p;
	urlsift_message m;
	begin(&p, true, true);
	urlsift_render_source(p.renderer, "-", NULL);
	message(&p, &m, 7, "a <b> c");
	place(&p, "FROM", "", "");
	put(&p, "a@example.org,\r\n > b");
	place(&p, "Subject", "", "");
	put(&p, "a <b>\r\n c \t");
	place(&p, NULL, "1", "text/plain");
	put(&p, "> x\n");
	place(&p, NULL, "2", "text/html");
	put_target(&p, "http://a.example/");
	put(&p, "y ");
	put_target(&p, "<javascript:z>");
	place(&p, "Content-Location", "3", "");
	put(&p, "http://b.example/");
	place(&p, NULL, "3", "text/plain");
	put(&p, "z");
	urlsift_render_source_end(p.renderer, 1);
	end(&p);
	is("a message", &p,
	   "<article class=\"m\" id=\"m1-7\"><h2><bdi>a &lt;b&gt; c</bdi></h2><dl><dt><bdi>FROM</bdi></dt>"
	   "<dd><bdi>a@example.org,\n &gt; b</bdi></dd></dl>"
	   "<pre class=\"urlsift\"><span class=\"q q1\">&gt; x</span>\n</pre>"
	   "<pre class=\"urlsift f\"><bdi class=\"w t\">"
	   "&lt;<a href=\"http://a.example/" REL "http://a.example/</a>&gt; </bdi>y "
	   "<bdi class=\"w t\">&lt;javascript:z&gt;"
	   "<bdi class=\"w\"> [\xe2\x9a\xa0 Warning: it could run programs or read files on this computer]"
	   "</bdi> </bdi></pre><details><summary class=\"w\">More header fields</summary>"
	   "<dl><dt><bdi>Content-Location</bdi></dt>"
	   "<dd><bdi><a href=\"http://b.example/" REL "http://b.example/</a></bdi></dd></dl></details>"
	   "<pre class=\"urlsift\">z</pre></article>");
}

/* The subject's row when it says more than the heading, or other things. */
static void test_subject(void)
{
	static const struct { const char *heading, *text, *row; } row[] = {
		{ "a b", "a b", NULL }, { "a b", " a b", " a b" }, { "a b", "a\x01" "b ", NULL }, { "a b", "a b c", "a b c" },
		{ "a b", "a", "a" }, { "", "", NULL }, { "", "a", "a" }, { "a", "a\r\n \r\n b", "a\n \n b" },
		{ "a http://b/", "a http://b/", "a <a href=\"http://b/" REL "http://b/</a>" },
		{ "\xc3\xa4", "\xe4", NULL }, { "\xc3\xa4", "\xe5", "\xc3\xa5" },
		{ "a", "ab\r\n", "ab\n" }, { "abc", "ab>\n", "ab&gt;\n" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct page p;
		urlsift_message m;
		char wanted[1000], begins[200];
		const char *heading = *row[i].heading ? "<bdi>%s</bdi>" : "<span class=\"w\">(no subject)</span>";
		snprintf(begins, sizeof begins, heading,
		         row[i].heading);
		snprintf(wanted, sizeof wanted, "<article class=\"m\" id=\"m1-0\"><h2>%s</h2>%s%s%s"
		         "<pre class=\"urlsift\"></pre></article>", begins,
		         row[i].row ? "<dl><dt><bdi>Subject</bdi></dt><dd><bdi>" : "", row[i].row ? row[i].row : "",
		         row[i].row ? "</bdi></dd></dl>" : "");
		begin(&p, true, true);
		urlsift_render_source(p.renderer, "-", NULL);
		message(&p, &m, 0, row[i].heading);
		place(&p, "Subject", "", "");
		put(&p, row[i].text);
		place(&p, NULL, "1", "text/plain");
		urlsift_render_source_end(p.renderer, 0);
		end(&p);
		is(row[i].text, &p, wanted);
	}
}

static size_t count(const struct page *p, const char *word)
{
	size_t n = 0, length = strlen(word);
	const char *at = p->text, *end = at + p->length;
	for (; at && (size_t)(end - at) >= length; at = memchr(at + 1, *word, (size_t)(end - at) - 1))
		n += !memcmp(at, word, length);
	return n;
}

static void put_messages(struct page *p, size_t n, const char *subject)
{
	urlsift_message m;
	urlsift_render_source(p->renderer, "-", NULL);
	for (size_t i = 0; i < n; i++) {
		message(p, &m, i, subject);
		place(p, NULL, "1", "text/plain");
	}
	urlsift_render_source_end(p->renderer, 0);
}

static void test_table(void)
{
	static const struct { size_t messages; bool spool, refuse, lost; } row[] = {
		{ 1, true, false, false }, { 2, true, false, false }, { 50, true, true, false }, { 50, false, false, false },
		{ 3000, true, false, false }, { 3000, true, true, true }, { 3000, false, false, true },
	};
	char subject[1025];
	memset(subject, '<', sizeof subject - 1);
	subject[sizeof subject - 1] = '\0';
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct page p;
		size_t wanted = row[i].messages > 1 ? row[i].messages : 0;
		begin(&p, false, row[i].spool);
		p.refuse = row[i].refuse;
		put_messages(&p, row[i].messages, wanted > 50 ? subject : "s");
		end(&p);
		size_t rows = count(&p, "<tr><td>");
		check("rows of the table", row[i].lost ? rows < wanted && rows >= 10 : rows == wanted);
		check("links to messages", count(&p, "<a href=\"#m1-") == rows);
		check("the table is there", count(&p, "<table") == (wanted > 0));
		check("a loss is stated", count(&p, "This table is incomplete: ") == row[i].lost);
		check("with its reason escaped", count(&p, "no &lt;room&gt;.") == (row[i].lost && row[i].refuse));
		check("and is an error of the spool", (p.status != URLSIFT_OK) == (row[i].lost && row[i].spool));
		check("all messages are there", count(&p, "</article>") == row[i].messages);
		free(p.text);
	}
}

int main(void)
{
	test_escape();
	test_text();
	test_flowed();
	test_pieces();
	test_message();
	test_subject();
	test_table();
	return check_end();
}
