/* Properties of the scanner, on every text of testdata and on texts made here:
 *   tiling      the pieces' ranges tile the input and say its text
 *   spelling    a link's parts, put together, spell its text
 *   chunking    any split of the input gives the same trace (split points of short
 *               texts, all of them in make check-long, single bytes, random splits)
 *   flushing    urlsift_flush after any of these changes nothing of it
 *   memory      every allocation fails once: a status, no leak, no crash
 *   fences      nothing outside of the input and of the scanner's memory is read or written
 *   variants    every finder gives the trace of the portable one
 * usage: unit_scan [FILE...]      (default: the folders of testdata) */
#define _DEFAULT_SOURCE
#include "check.h"
#include "fence.h"
#include "link_check.h"
#include "scan/attribute.h"
#include "scan/terminal.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

struct text { char name[256]; unsigned char *p; size_t n; };
static struct text *texts;
static size_t text_count;

static void add_text(const char *name, const void *p, size_t n)
{
	texts = realloc(texts, (text_count + 1) * sizeof *texts);
	struct text *t = &texts[text_count++];
	snprintf(t->name, sizeof t->name, "%s", name);
	t->p = malloc(n + 1);
	memcpy(t->p, p, n);
	t->n = n;
}

static void add_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return;
	static unsigned char data[1 << 20];
	size_t n = fread(data, 1, sizeof data, f);
	fclose(f);
	add_text(path, data, n);
}

static void add_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	while (d && (e = readdir(d))) {
		char path[600];
		size_t n = strlen(e->d_name);
		if (n < 4 || strcmp(e->d_name + n - 4, ".txt"))
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		add_file(path);
	}
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct text *)a)->name, ((const struct text *)b)->name);
}

static uint64_t seed = 20261120;
static uint32_t rnd(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* Text from fragments that the rules care for. */
static void add_random(unsigned number)
{
	static const char *const bits[] = {
		"http://", "https://a.example/", "<URL:", "<URL: ", "<", ">", " ", "\n", "\r\n", "\r", "\n> ", "\n>> ", "\n+",
		"\n * ",
		"\n\n", "\f", "[Page 3]\n", "www.", "ftp.", "example.org", "/a/b", "?q=1", "#f", " \n", " \r\n> ", " \n",
			" \n>", "-\n", "-", ".", ",", "(", ")", "[1]", "]",
		"'", "\"", "&amp;", "&gt;", "mailto:", "a@b.example", "javascript:", "*", "_", "|", "\xE4\xBD\xA0",
			"\xC2\xAD\n", "\xE2\x80\x90\n",
		"\xC2\xA0", "\xFF", "\xE2\x82", "\xEF\xBB\xBF", "\xE2\x80\xA6", "\x00", "\x1b", "\\\n", "\\/", ":\\/\\/",
			"begin 644 x\n", "#:'1T\n",
		"`\nend\n", "-----BEGIN PGP MESSAGE-----\n\nabcd\n", "-----END PGP MESSAGE-----\n", "=ybegin line=1\n",
			"=yend\n", "-- \n",
		"URL:", "news:comp.x", "urn:isbn:1", "x", "tel:+123", "foo://", "[::1]", "user:pw@", "<java\nscript:x>", "    ",
		"\t", "%20", "/",
		"hxxp://", "hXXps", "fxp", "[.]", "[dot]", "(.)", "[:]", "[://]", "[@]", "(at)", "[", "h", "\x1b[1m", "x\bx",
		"RFC 12", "bug #", "7", "^"
	};
	char data[4096];
	size_t n = 0, want = 20 + rnd(400);
	while (n < want) {
		const char *b = bits[rnd(sizeof bits / sizeof *bits)];
		size_t k = *b ? strlen(b) : 1;
		memcpy(data + n, b, k);
		n += k;
	}
	char name[64];
	snprintf(name, sizeof name, "random %u", number);
	add_text(name, data, n);
}

/* ---- traces ---- */

struct trace {
	char *p;
	size_t n, room;
	uint64_t at;             /* the pieces so far reach here */
	uint64_t plain_from;     /* plain pieces not yet written, merged */
	bool plain, tiled;
	const unsigned char *input;
	size_t input_length;
	size_t links;
	bool refangs;            /* the text of links is not the input's */
	bool check_text;         /* the text is the input's (no charset declared) */
	bool context;            /* it was asked for */
	bool links_only;         /* no plain pieces come: they are what lies between */
	char *spelled;           /* the parts of the link so far */
	size_t spelled_length;
};

static void trace_add(struct trace *t, const void *p, size_t n)
{
	if (t->n + n > t->room) {
		t->room = 2 * (t->n + n) + 256;
		t->p = realloc(t->p, t->room);
	}
	memcpy(t->p + t->n, p, n);
	t->n += n;
}

static void trace_number(struct trace *t, uint64_t n)
{
	char s[21];
	size_t at = sizeof s;
	do
		s[--at] = (char)('0' + n % 10);
	while (n /= 10);
	s[--at] = ' ';
	trace_add(t, s + at, sizeof s - at);
}

static void trace_plain_end(struct trace *t)
{
	if (!t->plain)
		return;
	trace_add(t, "\nplain", 6);
	trace_number(t, t->plain_from);
	trace_number(t, t->at);
	t->plain = false;
}

/* Spelling: parts without conversion, for links without bytes beyond ASCII. */
static void spell(struct trace *t, const urlsift_piece *piece)
{
	if (piece->part == 0)
		t->spelled_length = 0;
	t->spelled = realloc(t->spelled, t->spelled_length + piece->text_length + 1);
	memcpy(t->spelled + t->spelled_length, piece->text, piece->text_length);
	t->spelled_length += piece->text_length;
	size_t n, parts;
	const char *text = urlsift_link_text(piece->link, &n);
	urlsift_link_parts(piece->link, &parts);
	if (piece->part + 1 < parts || (urlsift_link_flags(piece->link) & URLSIFT_UNESCAPED))
		return;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] >= 0x80)
			return;
	CHECK_THAT(n == t->spelled_length && !memcmp(text, t->spelled, n), "spelling: %.*s against %.*s", (int)n, text,
	      (int)t->spelled_length, t->spelled);
}

static void trace_gap(struct trace *t, uint64_t upto)
{
	if (!t->links_only || upto <= t->at)
		return;
	t->plain_from = t->at;
	t->plain = true;
	t->at = upto;
}

static int on_piece(void *user, const urlsift_piece *piece)
{
	struct trace *t = user;
	if (t->links_only)
		CHECK_THAT(piece->link, "a plain piece that nobody asked for");
	CHECK_THAT(piece->length || piece->text_length, "a piece of nothing at %llu", (unsigned long long)piece->offset);
	trace_gap(t, piece->offset);
	if (piece->offset != t->at || piece->length > t->input_length - t->at)
		t->tiled = false;
	if (t->check_text && piece->text_length && !(t->refangs && piece->link)
	    && (piece->offset + piece->length > t->input_length
	        || memcmp(piece->text, t->input + piece->offset + (piece->length - piece->text_length),
	        	piece->text_length)))
		t->tiled = false;
	if (piece->link)
		CHECK_THAT(!link_contradiction(piece->link), "a link contradicts itself");
	if (!piece->link) {
		CHECK_THAT(piece->part == 0, "plain text at %llu is a part", (unsigned long long)piece->offset);
		if (!t->plain)
			t->plain_from = piece->offset;
		t->plain = true;
		t->at += piece->length;
		return 0;
	}
	trace_plain_end(t);
	t->at += piece->length;
	size_t n, count;
	const urlsift_link *l = piece->link;
	const char *text = urlsift_link_text(l, &n);
	trace_add(t, "\npart", 5);
	trace_number(t, piece->part);
	trace_number(t, piece->offset);
	trace_number(t, piece->length);
	if (piece->part == 0) {
		t->links++;
		trace_number(t, urlsift_link_flags(l));
		trace_number(t, (uint64_t)urlsift_link_convention(l));
		trace_number(t, urlsift_link_line(l));
		trace_number(t, urlsift_link_column(l));
		trace_number(t, urlsift_link_removed(l).breaks);
		trace_number(t, urlsift_link_removed(l).hyphens);
		trace_number(t, urlsift_link_removed(l).decorations);
		trace_add(t, " ", 1);
		trace_add(t, text, n);
		urlsift_text label, before, after;
		label.bytes = urlsift_link_label(l, &label.length);
		urlsift_link_context(l, &before, &after);
		CHECK_THAT(t->context || before.length + after.length == 0, "a context that nobody asked for");
		trace_add(t, label.bytes, label.length);
		trace_add(t, before.bytes, before.length);
		trace_add(t, after.bytes, after.length);
		const urlsift_alternate *a = urlsift_link_alternates(l, &count);
		for (size_t i = 0; i < count; i++) {
			trace_add(t, " / ", 3);
			trace_add(t, a[i].text, a[i].length);
		}
	}
	const urlsift_range *r = urlsift_link_parts(l, &count);
	if (piece->part >= count || r[piece->part].offset != piece->offset || r[piece->part].length != piece->length)
		t->tiled = false;
	if (t->check_text && !t->refangs)
		spell(t, piece);
	return 0;
}

static int on_notice(void *user, const urlsift_notice *notice)
{
	struct trace *t = user;
	trace_add(t, "\n", 1);
	trace_add(t, notice->limit, strlen(notice->limit));
	trace_number(t, notice->value);
	trace_number(t, notice->offset);
	return 0;
}

static void trace_free(struct trace *t)
{
	free(t->p);
	free(t->spelled);
}

/* ---- runs ---- */

struct setting { const char *name; bool email, domains, guess; long join,
	hyphen; const char *charset; enum flowed flowed; long max_url; bool refang, ruled; };
static const struct setting settings[] = {
	{"default", false, false, false, URLSIFT_JOIN_SURE, URLSIFT_HYPHEN_KEEP, NULL, FLOWED_NOT, 0, false, false},
	{"all", true, true, true, URLSIFT_JOIN_DECLARED, URLSIFT_HYPHEN_DROP, NULL, FLOWED_NOT, 0, false, false},
	{"likely", true, false, true, URLSIFT_JOIN_LIKELY, URLSIFT_HYPHEN_KEEP, NULL, FLOWED_NOT, 0, false, false},
	{"latin", false, false, true, URLSIFT_JOIN_NEVER, URLSIFT_HYPHEN_KEEP, "iso-8859-1", FLOWED_NOT, 0, false, false},
	{"utf-8", true, false, false, URLSIFT_JOIN_DECLARED, URLSIFT_HYPHEN_KEEP, "utf-8", FLOWED_KEEPS, 0, false, false},
	{"flowed", true, false, true, URLSIFT_JOIN_DECLARED, URLSIFT_HYPHEN_KEEP, NULL, FLOWED_DELETES, 0, false, false},
	{"refang", false, false, false, URLSIFT_JOIN_SURE, URLSIFT_HYPHEN_KEEP, NULL, FLOWED_NOT, 0, true, false},
	{"refang all", true, true, true, URLSIFT_JOIN_LIKELY, URLSIFT_HYPHEN_DROP, "iso-8859-1", FLOWED_NOT, 0, true, true},
	{"rules", false, false, false, URLSIFT_JOIN_SURE, URLSIFT_HYPHEN_KEEP, NULL, FLOWED_NOT, 0, false, true},
	{"short", false, false, false, URLSIFT_JOIN_LIKELY, URLSIFT_HYPHEN_KEEP, NULL, FLOWED_NOT, 64, false, false}
};
static urlsift_link_rules *link_rules;
enum { SETTINGS = sizeof settings / sizeof *settings };
static const struct setting short_links = {
	.name = "short links", .join = URLSIFT_JOIN_DECLARED, .max_url = 64, .ruled = true
};

static urlsift_options *make_options(const struct setting *s, const urlsift_allocator *a, long implementation)
{
	urlsift_options *o = urlsift_options_new(a);
	if (!o)
		return NULL;
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, s->email);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, s->domains);
	urlsift_options_set(o, URLSIFT_OPT_IPV4, s->domains);
	urlsift_options_set(o, URLSIFT_OPT_REFANG, s->refang);
	urlsift_options_set_link_rules(o, s->ruled ? link_rules : NULL);
	urlsift_options_set(o, URLSIFT_OPT_GUESS, s->guess);
	urlsift_options_set(o, URLSIFT_OPT_JOIN, s->join);
	urlsift_options_set(o, URLSIFT_OPT_HYPHEN, s->hyphen);
	urlsift_options_set(o, URLSIFT_OPT_POSITIONS, 1);
	urlsift_options_set(o, URLSIFT_OPT_LABELS, s->email);
	urlsift_options_set(o, URLSIFT_OPT_CONTEXT, s->guess ? 2 : 0);
	if (s->max_url)
		urlsift_options_set(o, URLSIFT_OPT_MAX_URL, s->max_url);
	urlsift_options_set(o, URLSIFT_OPT_IMPLEMENTATION, implementation);
	if (s->charset && urlsift_options_set_charset(o, s->charset) != URLSIFT_OK) {
		urlsift_options_free(o);
		return NULL;
	}
	return o;
}

enum cut { WHOLE, AT, BYTES, RANDOM, LINES, FLUSHED = 8 /* and a flush after each block */ };

static struct trace trace_of(urlsift_scanner *s, struct trace *t, const struct text *text,
	const struct setting *setting,
                             unsigned how, size_t where)
{
	const enum cut cut = (enum cut)(how & ~(unsigned)FLUSHED);
	bool converted = setting->charset || (text->n > 1 && (!memcmp(text->p, "\xFF\xFE", 2) || !memcmp(text->p,
		"\xFE\xFF", 2)));
	converted = converted || memchr(text->p, 0x1b, text->n) || memchr(text->p, '\b', text->n); /* B1 */
	*t = (struct trace){.tiled = true, .input = text->p, .input_length = text->n, .check_text = !converted,
		.refangs = setting->refang, .context = setting->guess, .links_only = t->links_only};
	urlsift_status status = URLSIFT_OK;
	size_t i = 0;
	scanner_begin(s, &(struct embed){.flowed = setting->flowed});
	while (i < text->n && status == URLSIFT_OK) {
		size_t n = text->n - i;
		if (cut == AT && i < where)
			n = where;
		if (cut == BYTES)
			n = 1;
		if (cut == RANDOM)
			n = 1 + rnd(n < where ? (uint32_t)n : (uint32_t)where);
		if (cut == LINES) {
			const unsigned char *end = memchr(text->p + i, '\n', n);
			n = end ? (size_t)(end - text->p) + 1 - i : n;
		}
		n = n < text->n - i ? n : text->n - i;
		/* a copy of its own, so that a sanitizer sees a byte too far */
		unsigned char *copy = malloc(n);
		memcpy(copy, text->p + i, n);
		status = urlsift_feed(s, copy, n);
		free(copy);
		i += n;
		if (how & FLUSHED && status == URLSIFT_OK)
			status = urlsift_flush(s);
	}
	if (status == URLSIFT_OK)
		status = urlsift_finish(s);
	trace_gap(t, text->n);
	trace_plain_end(t);
	CHECK_THAT(status == URLSIFT_OK, "%s: %s", text->name, urlsift_status_text(status));
	return *t;
}

static void compare(const struct trace *a, const struct trace *b, const struct text *text, const char *what,
	size_t where)
{
	bool same = a->n == b->n && (a->n == 0 || !memcmp(a->p, b->p, a->n));
	CHECK_THAT(same, "chunking: %s, %s %zu:\n--- whole%.*s\n--- cut%.*s", text->name, what, where,
		(int)(a->n < 2000 ? a->n : 2000),
	      a->p, (int)(b->n < 2000 ? b->n : 2000), b->p);
}

/* Without plain pieces the links are the same. */
static void check_links_only(urlsift_context *c, urlsift_options *o, const struct text *text,
	const struct setting *setting)
{
	struct trace all, links;
	urlsift_options_set(o, URLSIFT_OPT_POSITIONS, 0);
	for (long plain = 1; plain >= 0; plain--) {
		struct trace *t = plain ? &all : &links;
		urlsift_sink sink = {on_piece, on_notice, t};
		urlsift_options_set(o, URLSIFT_OPT_PLAIN, plain);
		urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
		for (int times = 0; times < 2; times++) { /* the second with buffers at hand */
			t->links_only = !plain;
			trace_of(s, t, text, setting, WHOLE, 0);
			if (!times)
				trace_free(t);
		}
		urlsift_free(s);
	}
	compare(&all, &links, text, "links only", 0);
	trace_free(&all);
	trace_free(&links);
}

static void check_text(const struct text *text, const struct setting *setting)
{
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = make_options(setting, NULL, URLSIFT_IMPL_AUTO);
	struct trace whole, other = {0};
	urlsift_sink sink = {on_piece, on_notice, &other};
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	trace_of(s, &other, text, setting, WHOLE, 0);
	whole = other;
	CHECK_THAT(whole.tiled && whole.at == text->n, "tiling: %s (%s): %llu of %zu", text->name, setting->name,
	      (unsigned long long)whole.at, text->n);
	size_t step = (text->n < 3000 ? 1 : text->n / 500) * (run_is_long() ? 1 : run_is_fast() ? 61 : 31);
	for (size_t i = 1 + rnd((uint32_t)step); i < text->n; i += step) {
		trace_of(s, &other, text, setting, AT, i);
		compare(&whole, &other, text, "split at", i);
		trace_free(&other);
	}
	trace_of(s, &other, text, setting, BYTES, 0);
	compare(&whole, &other, text, "single bytes", 0);
	trace_free(&other);
	for (uint32_t i = 0; i < 8; i += run_is_fast() ? 2 : 1) {
		trace_of(s, &other, text, setting, RANDOM, i < 4 ? 16 : 3000);
		compare(&whole, &other, text, "random split", i);
		trace_free(&other);
	}
	trace_of(s, &other, text, setting, LINES | FLUSHED, 0);
	compare(&whole, &other, text, "flushed lines", 0);
	trace_free(&other);
	trace_of(s, &other, text, setting, BYTES | FLUSHED, 0);
	compare(&whole, &other, text, "flushed bytes", 0);
	trace_free(&other);
	for (uint32_t i = 0; i < 4; i += run_is_fast() ? 2 : 1) {
		trace_of(s, &other, text, setting, RANDOM | FLUSHED, i < 2 ? 16 : 300);
		compare(&whole, &other, text, "flushed random split", i);
		trace_free(&other);
	}
	urlsift_free(s);
	for (long impl = URLSIFT_IMPL_PORTABLE; impl <= URLSIFT_IMPL_WASM128; impl++) {
		if (urlsift_options_set(o, URLSIFT_OPT_IMPLEMENTATION, impl) != URLSIFT_OK)
			continue;
		s = urlsift_new(c, o, &sink, NULL);
		trace_of(s, &other, text, setting, WHOLE, 0);
		compare(&whole, &other, text, "finder", (size_t)impl);
		trace_free(&other);
		urlsift_free(s);
	}
	trace_free(&whole);
	check_links_only(c, o, text, setting);
	urlsift_options_free(o);
	urlsift_context_free(c);
}

/* ---- memory ---- */

struct counter { long left, live; };

static void *count_get(void *user, size_t n)
{
	struct counter *c = user;
	if (c->left-- <= 0)
		return NULL;
	c->live++;
	return malloc(n);
}

static void *count_resize(void *user, void *p, size_t n)
{
	struct counter *c = user;
	if (c->left-- <= 0)
		return NULL;
	c->live += !p;
	return realloc(p, n);
}

static void count_put(void *user, void *p)
{
	((struct counter *)user)->live -= p ? 1 : 0;
	free(p);
}

/* Fed by `step` bytes. */
static void check_memory(const struct text *text, const struct setting *setting, size_t step)
{
	urlsift_status status = URLSIFT_NO_MEMORY;
	for (long k = 0; status != URLSIFT_OK && k < 200; k++) {
		struct counter count = {k, 0};
		urlsift_allocator a = {count_get, count_resize, count_put, &count};
		struct trace t = {.tiled = true, .context = true, .input = text->p, .input_length = text->n};
		urlsift_sink sink = {on_piece, on_notice, &t};
		urlsift_context *c = urlsift_context_new(&a);
		urlsift_options *o = c ? make_options(setting, &a, URLSIFT_IMPL_AUTO) : NULL;
		urlsift_scanner *s = o ? urlsift_new(c, o, &sink, NULL) : NULL;
		status = URLSIFT_NO_MEMORY;
		if (s) {
			status = URLSIFT_OK;
			for (size_t i = 0; i < text->n && status == URLSIFT_OK; i += step)
				status = urlsift_feed(s, text->p + i, text->n - i < step ? text->n - i : step);
			if (status == URLSIFT_OK)
				status = urlsift_finish(s);
		}
		CHECK_THAT(status == URLSIFT_OK || status == URLSIFT_NO_MEMORY, "memory: %s, allocation %ld: %s", text->name, k,
		      urlsift_status_text(status));
		if (s && status == URLSIFT_NO_MEMORY) {
			count.left = LONG_MAX;
			trace_free(&t);
			t = (struct trace){.tiled = true, .context = true, .input = text->p, .input_length = text->n};
			urlsift_reset(s);
			CHECK_THAT(urlsift_feed(s, text->p, text->n) == URLSIFT_OK && urlsift_finish(s) == URLSIFT_OK,
			           "memory: %s, allocation %ld: after a reset", text->name, k);
		}
		urlsift_free(s);
		urlsift_options_free(o);
		urlsift_context_free(c);
		CHECK_THAT(count.live == 0, "leak: %s, allocation %ld: %ld blocks", text->name, k, count.live);
		trace_free(&t);
	}
	CHECK_THAT(status == URLSIFT_OK, "memory: %s never had enough", text->name);
}

/* All memory, and each block that is fed, lies between pages that nobody may touch. */
static void check_fences(const struct text *text, const struct setting *setting, enum fence_side side, size_t step)
{
	const urlsift_allocator a = fence_allocator(&side);
	urlsift_context *c = urlsift_context_new(&a);
	urlsift_options *o = make_options(setting, &a, URLSIFT_IMPL_AUTO);
	struct trace t = {.tiled = true, .context = true, .input = text->p, .input_length = text->n}, whole = t;
	urlsift_sink sink = {on_piece, on_notice, &t};
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	urlsift_status status = URLSIFT_OK;
	for (size_t i = 0; i < text->n && status == URLSIFT_OK; i += step) {
		size_t n = text->n - i < step ? text->n - i : step;
		void *block = memcpy(fence_get(&side, n), text->p + i, n);
		status = urlsift_feed(s, block, n);
		fence_put(&side, block);
	}
	CHECK(status == URLSIFT_OK && urlsift_finish(s) == URLSIFT_OK);
	trace_plain_end(&t);
	urlsift_free(s);
	sink.user = &whole;
	s = urlsift_new(c, o, &sink, NULL);
	CHECK(urlsift_feed(s, text->p, text->n) == URLSIFT_OK && urlsift_finish(s) == URLSIFT_OK);
	trace_plain_end(&whole);
	compare(&whole, &t, text, "fenced", step);
	urlsift_free(s);
	trace_free(&t);
	trace_free(&whole);
	urlsift_options_free(o);
	urlsift_context_free(c);
	CHECK(fence_count == 0);
}

/* Texts whose links are copied while they are read, by several rules. */
static void check_copied(void)
{
	static const char *const copied[] = {
		"<URL:http: x> ", "mid:a@b&amp;c ", "<http://a.example/b-\n c> ", "http:\\/\\/a.example\\/x ",
		"http://a.exa\\\nmple/b&amp;c ",
		"<http://a.example/&amp;b see that> ", "www.\xE9.example\xE9 ",
		"All we recorded on these days is at http://a.example/recorded/wednes\nday/evening.html\n",
		("http://a.example/\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9\xE9"
		"\xE9\xE9\xE9\xE9 ")
	};
	for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
		const struct text text = {"copied", (unsigned char *)(uintptr_t)copied[i], strlen(copied[i])};
		for (size_t k = 0; k < SETTINGS; k++) {
			check_text(&text, &settings[k]);
			check_memory(&text, &settings[k], 100);
		}
		check_text(&text, &short_links);
		check_memory(&text, &short_links, 100);
	}
}

/* ---- limits ---- */

/* W4a: a link longer than the limit is cut and says so.  The default limit is for make check-long. */
static void check_long(void)
{
	const size_t unit = run_is_long() ? 16 : 1, n = 18750 * unit;
	struct setting limited = settings[0];
	limited.max_url = (long)(4096 * unit);
	char *p = malloc(n);
	memset(p, 'x', n);
	memcpy(p, "http://a.example/", 17);
	struct text bare = {"a long link", (unsigned char *)p, n};
	check_text(&bare, &limited);
	memset(p + 10, ' ', 12500 * unit);
	memcpy(p, "<URL:http:", 10);
	check_text(&bare, &limited);
	memset(p, 'a', 4375 * unit);
	memcpy(p, "<http://a.example/", 18);
	p[4375 * unit] = '>';
	check_text(&bare, &limited);
	free(p);
}

/* A host over the limit leaves nothing after that is not set. */
static void check_long_host(void)
{
	char host[128] = "_www.";
	while (strlen(host) < 65)
		strcat(host, "a.");
	strcat(host, "example\n _www.b.example_ ");
	const struct text text = {"a long host", (unsigned char *)host, strlen(host)};
	check_text(&text, &short_links);
	struct setting guessing = short_links;
	guessing.guess = true;
	guessing.join = URLSIFT_JOIN_SURE;
	static const char limit[] = "\x8b" "b==\f2=\f\t\fxt<http://"
	                            "\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6"
	                            "\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6\xE6-\na{.}example";
	const struct text broken = {"a host broken at the limit", (unsigned char *)(uintptr_t)limit, sizeof limit - 1};
	check_text(&broken, &guessing);
}

/* B1: a link that is too long only without the sequence in it is noticed, whether or not that one before it is read
 * with the sequence at hand. */
static void check_long_coloured(void)
{
	char line[256];
	const int n = snprintf(line, sizeof line, "www.b.example\n<\nhttp:\033[0m//a.example/%080d> b\n", 1);
	const struct text text = {"a long link with a sequence", (unsigned char *)line, (size_t)n};
	check_text(&text, &settings[SETTINGS - 1]);
}

/* When memory fails among many sequences, more of them are left than the terminal holds (B1). */
static void check_sequences(void)
{
	static const char sequence[] = "\033]8;;http://a.example/\a x";
	static char many[8 * 1024];
	for (size_t i = 0; i < sizeof many; i++)
		many[i] = sequence[i % (sizeof sequence - 1)];
	const struct text text = {"many sequences", (unsigned char *)many, sizeof many};
	check_memory(&text, &settings[0], sizeof many);
}

/* B1: a block may end in a sequence, long after the last one. */
static void check_quiet(void)
{
	static const char tail[] = " \033[m\033[K\033]8;;http://a.example/\ab\033]8;;\a _\b\xE2\x80\xAE a\n";
	static char many[10 * 1024];
	memset(many, 'a', sizeof many);
	memcpy(many, "\033[1m", 4);
	memcpy(many + sizeof many - sizeof tail, tail, sizeof tail);
	const struct text text = {"a sequence after much text", (unsigned char *)many, sizeof many};
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = make_options(&settings[1], NULL, URLSIFT_IMPL_AUTO);
	struct trace whole, other = {0};
	urlsift_sink sink = {on_piece, on_notice, &other};
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	trace_of(s, &other, &text, &settings[1], WHOLE, 0);
	whole = other;
	for (size_t i = sizeof many - sizeof tail; i < sizeof many; i++) {
		trace_of(s, &other, &text, &settings[1], AT, i);
		compare(&whole, &other, &text, "split at", i);
		trace_free(&other);
	}
	trace_free(&whole);
	urlsift_free(s);
	urlsift_options_free(o);
	urlsift_context_free(c);
}

/* B1: an overstrike stays one where the terminal would be turned off in its midst. */
static void check_overstruck(void)
{
	static const char link[] = " http://a.example/x_\by";
	static char many[TERMINAL_QUIET + 64];
	for (size_t shift = 0; shift < sizeof link; shift++) {
		struct trace t = {0};
		const size_t begin = strlen("\033[1m") + TERMINAL_QUIET - shift;
		memset(many, 'a', sizeof many);
		memcpy(many, "\033[1m", 4);
		memcpy(many + begin, link, sizeof link - 1);
		const struct text text = {"an overstrike after much text", (unsigned char *)many, begin + sizeof link - 1};
		urlsift_context *c = urlsift_context_new(NULL);
		urlsift_options *o = make_options(&settings[0], NULL, URLSIFT_IMPL_AUTO);
		const urlsift_sink sink = {on_piece, on_notice, &t};
		urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
		trace_of(s, &t, &text, &settings[0], WHOLE, 0);
		trace_add(&t, "", 1);
		CHECK_THAT(t.links == 1 && strstr(t.p, " http://a.example/xy"), "%s: %s", text.name, t.p);
		trace_free(&t);
		urlsift_free(s);
		urlsift_options_free(o);
		urlsift_context_free(c);
	}
}

/* B1: what a sequence left in the text is none, also where the text is read after the terminal was turned off: a link
 * waits for as much text again. */
static void check_turned_off(void)
{
	enum { LINK = 15800, SIZE = 40000 };
	char *p = malloc(SIZE);
	memset(p, 'a', SIZE);
	memcpy(p, "\033[1mhttp://a.example/", 21);
	memcpy(p + LINK, "\033[1A/on <http://b.example/> ", 28);
	memcpy(p + SIZE - 20, " http://c.example/ \n", 20);
	const struct text text = {"a link before the terminal is turned off", (unsigned char *)p, SIZE};
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = make_options(&settings[1], NULL, URLSIFT_IMPL_AUTO);
	struct trace whole = {0}, other = {0};
	urlsift_sink sink = {on_piece, on_notice, &whole};
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	trace_of(s, &whole, &text, &settings[1], WHOLE, 0);
	urlsift_free(s);
	sink.user = &other;
	s = urlsift_new(c, o, &sink, NULL);
	trace_of(s, &other, &text, &settings[1], BYTES, 0);
	compare(&whole, &other, &text, "bytes", 1);
	trace_free(&whole);
	trace_free(&other);
	urlsift_free(s);
	urlsift_options_free(o);
	urlsift_context_free(c);
	free(p);
}

/* B9: a line of no block, longer than what is held, after the beginning of a block; a sequence in it. */
static void check_after_block(void)
{
	enum { SIZE = 500000 };
	static const char *const begins[] = { "begin 644 x\n", "begin 644 x\n#86)C\n" };
	static const size_t sequence[] = { 0, 1000, 130000, 140000, 300000 };
	char *p = malloc(SIZE);
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = make_options(&settings[1], NULL, URLSIFT_IMPL_AUTO);
	for (size_t i = 0; i < 10; i++) {
		memset(p, 'a', SIZE);
		if (i > 1)
			memcpy(p + sequence[i / 2], " \033[1m", 5);
		memcpy(p, begins[i % 2], strlen(begins[i % 2]));
		memcpy(p + SIZE - 20, " http://c.example/ \n", 20);
		const struct text text = {"a long line after the beginning of a block", (unsigned char *)p, SIZE};
		struct trace whole = {0}, other = {0};
		urlsift_sink sink = {on_piece, on_notice, &other};
		urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
		trace_of(s, &other, &text, &settings[1], WHOLE, 0);
		whole = other;
		trace_of(s, &other, &text, &settings[1], RANDOM, 50000);
		compare(&whole, &other, &text, "pieces", i);
		CHECK_THAT(text_index(whole.p, whole.n, "http://c.example/") < whole.n, "%s: no link", text.name);
		trace_free(&whole);
		trace_free(&other);
		urlsift_free(s);
	}
	urlsift_options_free(o);
	urlsift_context_free(c);
	free(p);
}

/* Notices and links of rules come in one order; a terminal sequence does not divide the text that rules see. */
static void check_rules(void)
{
	char line[2048];
	int n = snprintf(line, sizeof line, "RFC 1\n%600s\nRFC 2 http://a.example/%080d RFC 3%300s", "x", 1, "x");
	const struct text text = {"a long link after links of rules", (unsigned char *)line, (size_t)n};
	check_text(&text, &short_links);
	strcpy(line, "RFC \033[1m12");
	const struct text bold = {"a rule and a sequence at the end", (unsigned char *)line, strlen(line)};
	check_text(&bold, &short_links);
	struct setting no_rules = short_links;
	no_rules.ruled = false;
	n = snprintf(line, sizeof line,
	             "a \033]8;;http://a.example/\ab\033]8;;\a\n%600s\nhttp://b.example/%080d%300s", "x", 1, "x");
	const struct text hyperlink = {"a long link after a hyperlink", (unsigned char *)line, (size_t)n};
	check_text(&hyperlink, &no_rules);
	n = snprintf(line, sizeof line, "RFC 1738\nhttp://a.example/%080d\n", 1);
	const struct text rule = {"a rule's link before a long link", (unsigned char *)line, (size_t)n};
	check_text(&rule, &short_links);
}

int main(int argc, char **argv)
{
	static const char rules[] = "RFC ?(\\d+) => http://rfc.example/$1\nbug #?(\\d*) => http://bugs.example/$1\n"
	                            "^x.?$ => http://lines.example/$0\n[(].?/ => http://b.example/$$\n";
	urlsift_rule_fault fault;
	CHECK_THAT(urlsift_link_rules_new(NULL, rules, strlen(rules), &link_rules, &fault) == URLSIFT_OK, "rules");
	for (int i = 1; i < argc; i++)
		add_file(argv[i]);
	if (argc == 1) {
		static const char *const folders[] = {"testdata/cases", "testdata/cases-email", "testdata/cases-domains", "testdata/cases-ipv4",
		                                      "testdata/cases-refang", "testdata/cases-rules",
		                                      "testdata/hostile", "testdata/charset", "testdata"};
		for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
			add_folder(folders[i]);
		/* a folder has no order: which settings a text gets must not depend on it */
		qsort(texts, text_count, sizeof *texts, by_name);
		CHECK_THAT(text_count > 10, "testdata is not here: run from the top of the tree");
		for (unsigned i = 0; i < (run_is_long() ? 4000 : 100); i++)
			add_random(i);
		check_long();
		check_long_host();
		check_long_coloured();
		check_rules();
		check_sequences();
		check_quiet();
		check_overstruck();
		check_turned_off();
		check_after_block();
		check_copied();
	}
	for (size_t i = 0; i < text_count; i++) {
		bool random = !strncmp(texts[i].name, "random", 6);
		size_t every = random ? SETTINGS : run_is_long() ? 1 : run_is_fast() ? 4 : 2; /* of the settings, beside the second */
		for (size_t k = 0; k < SETTINGS; k++)
			if (k % every == i % every || k == 1)
				check_text(&texts[i], &settings[k]);
		for (int side = FENCE_AFTER; side <= FENCE_BEFORE; side++) {
			check_fences(&texts[i], &settings[1], (enum fence_side)side, texts[i].n);
			check_fences(&texts[i], &settings[i % SETTINGS], (enum fence_side)side, 100);
		}
		if (i % 16 == 0 || !random)
			check_memory(&texts[i], &settings[i % SETTINGS], 100);
	}
	for (size_t i = 0; i < text_count; i++)
		free(texts[i].p);
	free(texts);
	urlsift_link_rules_free(link_rules);
	return check_end();
}
