/* Fuzzes the scanner.  The first bytes choose options, the way to cut the input
 * and how the rest is read: as it stands, or as a list of the phrases below.
 *
 * Checked: the pieces tile the input; the trace is the same for the whole text and for the
 * text cut, in some runs by the portable implementation; links are what urlsift.h says they
 * are; memory stays below its bound; an allocation that fails does no harm.
 *
 * With FUZZ_LONG in the environment phrases make texts of up to 300 KB, past every limit.
 * With FUZZ_SHOW in the environment the text goes to standard output. */
#include "urlsift.h"

#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_at(bool ok, int line, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "scan.c:%d: not so: %s\n", line, what);
	abort();
}
#define REQUIRE(condition) require_at((condition), __LINE__, #condition)

/* ---- The text ---- */

static const char *const phrases[] = {
	"http://", "HTTP://", "https://", "ftp://", "mailto:", "news:", "urn:", "tel:", "x-new://", "javascript:", "data:",
	"file:///", "jar:http://", "www.", "ftp.", "a.example", "example.org", "b.test", "localhost", "192.0.2.1",
	"[2001:db8::1]", ":80", ":99999", ":", "@", "u:p@", "local.part@example.net", "/", "//", "/path", "/a/b/../c", "?", "?q=1",
	"&", "&amp;", "&gt;", "&quot;", "&#39;", "#", "#frag", "%41", "%", "%0D%0A", "%zz", "=", "+", "_", "~", "*", "-", ".", ",", ";",
	"!", "'", "\"", "(", ")", "[", "]", "{", "}", "<", ">", "|", "\\", "\\/", "\\/\\/", "`", "^", "$", "x", "word", "long-word",
	"0", "7", "[1]", "[12]", " ", "  ", "\t", "\n", "\r", "\r\n", "\f", "\v", "\n\n", "\n \n", "-\n", "- \n", "\\\n", "=\n",
	"\n> ", "\n>> ", "\n> > ", "> ", "\n| ", "\n: ", "\nName> ", "\n+ ", "\n- ", "\n* ", "\n# ", "\n// ", "\n; ", "\n% ",
	"\ndnl ", "\n    ", "\n-- \n", "\n[Page 7]\n\f\nHeader 1999\n\n", "\n1. ", "<URL:", "<url: ", "URL:", "URL: ", "<http://", "[url]",
	"[/url]", "\\url{", "href=\"", "](", "[[", "]]", "<a@b.example>", "\0", "\x1b[31m", "\x7f", "\xc2\x85", "\xc2\xa0",
	"\xc2\xad", "\xc2\xad\n", "\xe2\x80\x90\n", "\xe2\x80\x8b", "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x80\xa6",
	"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x94", "\xef\xbb\xbf", "\xc3\xa9", "\xd7\x90", "\xe4\xb8\x96", "\xe3\x80\x82",
	"\xef\xbc\x8e", "\xf0\x9f\x98\x80", "\xff", "\x80", "\xe2\x82", "\xed\xa0\x80", "\xff\xfe", "\xfe\xff", "\nbegin 644 f\n",
	"\nM:'1T<#HO+V$N97AA;7!L92\\B1IF\n", "\nend\n", "\n=ybegin line=128 size=9 name=f\n", "\n=yend size=9\n",
	"\n-----BEGIN PGP MESSAGE-----\n", "\n-----END PGP MESSAGE-----\n", "\n-----BEGIN PGP SIGNED MESSAGE-----\n",
	"\n(This file must be converted with BinHex 4.0)\n", "readme.md", "main.rs", "end.It", "1.2", "xn--a", "ASP.NET",
	"continues/here", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "svn+ssh://", "cid:", "mid:a@b"
};
enum { PHRASES = sizeof phrases / sizeof *phrases, REPEAT = 0xf0, TEXT_SHORT = 400, TEXT_LONG = 300 * 1024 };

struct bytes {
	uint8_t *data;
	size_t length, room;
};

static void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (b->length + n > b->room) {
		b->room = 2 * (b->length + n);
		b->data = realloc(b->data, b->room);
		REQUIRE(b->data != NULL);
	}
	if (n)
		memcpy(b->data + b->length, data, n);
	b->length += n;
}

/* Bytes from REPEAT on say how often the next phrase stands there. */
static void text_of_phrases(struct bytes *t, const uint8_t *data, size_t size, size_t most)
{
	size_t times = 1;
	for (size_t i = 0; i < size; i++) {
		if (data[i] >= REPEAT) {
			times = (size_t)1 << (data[i] - REPEAT);
			continue;
		}
		const char *phrase = phrases[data[i] % PHRASES];
		size_t n = *phrase ? strlen(phrase) : 1;
		for (; times > 0 && t->length + n <= most; times--)
			bytes_add(t, phrase, n);
		times = 1;
	}
}

/* ---- What comes out ---- */

static void bytes_number(struct bytes *b, uint64_t n)
{
	bytes_add(b, &n, sizeof n);
}

static void bytes_text(struct bytes *b, const char *text, size_t n)
{
	bytes_number(b, n);
	bytes_add(b, text, n);
}

struct trace {
	struct bytes text;   /* by code points, each piece read alone */
	struct bytes events; /* links and notices, with the plain ranges between links */
	struct bytes scratch;
	const struct choice *choice;
	uint64_t end, plain;
	size_t next_part;
	size_t said; /* bytes of the link's text that its parts held so far */
	bool unescaped; /* the link is flagged so */
};

struct choice {
	urlsift_options *options;
	bool declared, positions;
	size_t max_url, max_breaks, max_alternates;
};

static bool is_utf8(const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t k = urlsift_next_character(text + i, n - i, &cp);
		if (k == 1 && (uint8_t)text[i] >= 0x80)
			return false;
		i += k;
	}
	return true;
}

static void check_link_text(const char *text, size_t n)
{
	REQUIRE(n > 0 && is_utf8(text, n));
	for (size_t i = 0; i < n; i++)
		REQUIRE((uint8_t)text[i] > ' ' && text[i] != 0x7f);
}

static void check_forms(struct trace *t, const urlsift_link *l)
{
	size_t n = urlsift_link_target(l, NULL, 0), scheme_length;
	t->scratch.length = 0;
	if (t->scratch.room < n) {
		t->scratch.room = 2 * n;
		t->scratch.data = realloc(t->scratch.data, t->scratch.room);
		REQUIRE(t->scratch.data != NULL);
	}
	char *out = (char *)t->scratch.data;
	REQUIRE(urlsift_link_target(l, out, n) == n);
	for (size_t i = 0; i < n; i++)
		REQUIRE(out[i] > ' ' && out[i] < 0x7f && !strchr("<>\"\\^`{|}", out[i]));
	const char *scheme = urlsift_link_scheme(l, &scheme_length);
	REQUIRE(scheme_length > 0 && n > scheme_length && out[scheme_length] == ':');
	for (size_t i = 0; i < scheme_length; i++)
		REQUIRE(scheme[i] == (out[i] >= 'A' && out[i] <= 'Z' ? out[i] + 32 : out[i]));
	bytes_text(&t->events, out, n);
	size_t normal = urlsift_link_normal(l, out, n);
	bytes_text(&t->events, out, normal < n ? normal : n);
}

static void check_alternates(struct trace *t, const urlsift_link *l)
{
	size_t count, n, breaks = urlsift_link_removed(l).breaks;
	const char *text = urlsift_link_text(l, &n);
	const urlsift_alternate *a = urlsift_link_alternates(l, &count);
	REQUIRE(count <= t->choice->max_alternates);
	REQUIRE(urlsift_link_removed(l).hyphens <= breaks);
	for (size_t i = 0; i < count; i++) {
		check_link_text(a[i].text, a[i].length);
		REQUIRE(a[i].confidence >= 0 && a[i].confidence <= 1);
		REQUIRE(a[i].length != n || memcmp(a[i].text, text, n));
		for (size_t k = 0; k < i; k++)
			REQUIRE(a[i].length != a[k].length || memcmp(a[i].text, a[k].text, a[i].length));
		bytes_text(&t->events, a[i].text, a[i].length);
		bytes_number(&t->events, (uint64_t)(a[i].confidence * 1000) << 8 | a[i].why);
	}
}

static void check_link(struct trace *t, const urlsift_link *l)
{
	size_t n, count;
	const char *text = urlsift_link_text(l, &n);
	check_link_text(text, n);
	REQUIRE(n <= t->choice->max_url);
	bytes_text(&t->events, text, n);
	const urlsift_range *parts = urlsift_link_parts(l, &count);
	REQUIRE(count > 0);
	for (size_t i = 0; i < count; i++) {
		REQUIRE(parts[i].length > 0 && (i == 0 || parts[i].offset > parts[i - 1].offset + parts[i - 1].length));
		bytes_number(&t->events, parts[i].offset);
		bytes_number(&t->events, parts[i].length);
	}
	REQUIRE((urlsift_link_line(l) > 0) == t->choice->positions && (urlsift_link_column(l) > 0) == t->choice->positions);
	bytes_number(&t->events, urlsift_link_line(l));
	bytes_number(&t->events, urlsift_link_column(l));
	bytes_number(&t->events, (uint64_t)urlsift_link_flags(l) << 8 | urlsift_link_convention(l));
	urlsift_removed removed = urlsift_link_removed(l);
	bytes_add(&t->events, &removed, sizeof removed);
	check_forms(t, l);
	check_alternates(t, l);
}

/* The text of a link is that of its parts, unless escapes were undone. */
static void check_part(struct trace *t, const urlsift_piece *p, size_t count)
{
	size_t n;
	const char *text = urlsift_link_text(p->link, &n);
	if (p->part == 0) {
		t->said = 0;
		t->unescaped = urlsift_link_flags(p->link) & URLSIFT_UNESCAPED;
	}
	if (t->unescaped)
		return;
	for (size_t i = 0; i < p->text_length;) {
		uint32_t cp, of_link = 0;
		i += urlsift_next_character(p->text + i, p->text_length - i, &cp);
		REQUIRE(t->said < n);
		t->said += urlsift_next_character(text + t->said, n - t->said, &of_link);
		REQUIRE(cp == of_link);
	}
	REQUIRE(p->part + 1 < count || t->said == n);
}

static void flush_plain(struct trace *t)
{
	bytes_number(&t->events, t->end - t->plain);
	t->plain = t->end;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct trace *t = user;
	REQUIRE(p->offset == t->end && p->length > 0);
	REQUIRE(!t->choice->declared || is_utf8(p->text, p->text_length));
	for (size_t i = 0; i < p->text_length;) {
		uint32_t cp;
		i += urlsift_next_character(p->text + i, p->text_length - i, &cp);
		bytes_add(&t->text, &cp, sizeof cp);
	}
	if (p->link) {
		size_t count;
		const urlsift_range *parts = urlsift_link_parts(p->link, &count);
		flush_plain(t);
		REQUIRE(p->part == t->next_part && p->part < count);
		REQUIRE(parts[p->part].offset == p->offset && parts[p->part].length == p->length);
		if (p->part == 0)
			check_link(t, p->link);
		check_part(t, p, count);
		t->next_part = p->part + 1 < count ? p->part + 1 : 0;
	}
	t->end += p->length;
	if (p->link)
		t->plain = t->end;
	return 0;
}

static int take_notice(void *user, const urlsift_notice *n)
{
	struct trace *t = user;
	bytes_text(&t->events, n->limit, strlen(n->limit));
	bytes_number(&t->events, n->value);
	bytes_number(&t->events, n->offset);
	return 0;
}

/* ---- Memory ---- */

struct counting {
	size_t held, most, calls, fail_at;
};
union block {
	size_t size;
	max_align_t align;
};

static void *count_reallocate(void *context, void *old, size_t size)
{
	struct counting *c = context;
	union block *b = old ? (union block *)old - 1 : NULL;
	if (++c->calls == c->fail_at)
		return NULL;
	size_t before = b ? b->size : 0;
	b = realloc(b, sizeof *b + size);
	REQUIRE(b != NULL);
	b->size = size;
	c->held += size - before;
	c->most = c->held > c->most ? c->held : c->most;
	return b + 1;
}

static void *count_allocate(void *context, size_t size)
{
	return count_reallocate(context, NULL, size);
}

static void count_release(void *context, void *block)
{
	struct counting *c = context;
	if (!block)
		return;
	union block *b = (union block *)block - 1;
	c->held -= b->size;
	free(b);
}

/* ---- Runs ---- */

/* Cuts the text by `seed`: 0 whole, 1 into bytes, else into pieces of all sizes.
 * Every piece stands in memory of its own, so that a look past it is seen. */
static struct trace trace_of(const struct choice *choice, const struct bytes *text, uint32_t seed, size_t fail_at)
{
	struct trace t = { .choice = choice };
	struct counting counting = { .fail_at = fail_at };
	urlsift_allocator allocator = { count_allocate, count_reallocate, count_release, &counting };
	urlsift_sink sink = { take_piece, take_notice, &t };
	urlsift_status status = URLSIFT_NO_MEMORY;
	urlsift_context *context = urlsift_context_new(&allocator);
	urlsift_scanner *s = context ? urlsift_new(context, choice->options, &sink) : NULL;
	for (size_t i = 0, n; s && i < text->length; i += n) {
		uint32_t word = seed = seed > 1 ? seed * 1664525u + 1013904223u : seed;
		n = seed == 0 ? text->length : seed == 1 ? 1 : 1 + (word >> 8) % (1u << (word >> 24) % 18);
		n = n < text->length - i ? n : text->length - i;
		uint8_t *block = malloc(n);
		REQUIRE(block != NULL);
		memcpy(block, text->data + i, n);
		status = urlsift_feed(s, block, n);
		free(block);
		if (status != URLSIFT_OK)
			break;
	}
	if (s && (status == URLSIFT_OK || !text->length))
		status = urlsift_finish(s);
	REQUIRE(status == URLSIFT_OK || (status == URLSIFT_NO_MEMORY && fail_at));
	REQUIRE(counting.most <= urlsift_memory_bound());
	urlsift_free(s);
	urlsift_context_free(context);
	REQUIRE(counting.held == 0);
	if (status == URLSIFT_OK) {
		REQUIRE(t.end == text->length && t.next_part == 0);
		flush_plain(&t);
	}
	free(t.scratch.data);
	return t;
}

static void trace_fini(struct trace *t)
{
	free(t->text.data);
	free(t->events.data);
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

static void require_same(const struct trace *a, const struct trace *b)
{
	REQUIRE(same_bytes(&a->text, &b->text));
	REQUIRE(same_bytes(&a->events, &b->events));
}

static struct choice choose(const uint8_t *head)
{
	static const char *const charsets[64] = { /* mostly none: tests/fuzz/charset.c knows them all */
		"utf-8", "windows-1252", "iso-8859-1", "utf-16", "utf-7", "iso-2022-jp", "shift_jis", "koi8-r"
	};
	static const long lengths[] = { 65536, 65536, 65536, 64, 100, 1000, 20000, 65535 };
	struct choice c = { .options = urlsift_options_new(NULL) };
	urlsift_options *o = c.options;
	REQUIRE(o != NULL);
	const char *charset = charsets[head[1] & 63];
	c.positions = head[0] >> 3 & 1;
	c.declared = charset && urlsift_options_set_charset(o, charset) == URLSIFT_OK;
	c.max_url = (size_t)lengths[head[2] & 7];
	c.max_breaks = head[2] & 8 ? head[2] >> 4 : 16;
	c.max_alternates = head[0] & 0x80 ? head[2] >> 5 : 8;
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, head[0] & 1);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, head[0] >> 1 & 1);
	urlsift_options_set(o, URLSIFT_OPT_GUESS, head[0] >> 2 & 1);
	urlsift_options_set(o, URLSIFT_OPT_POSITIONS, c.positions);
	urlsift_options_set(o, URLSIFT_OPT_JOIN, (head[0] >> 4 & 3) % 3);
	urlsift_options_set(o, URLSIFT_OPT_HYPHEN, head[0] >> 6 & 1);
	urlsift_options_set(o, URLSIFT_OPT_IMPLEMENTATION, head[1] >> 6);
	urlsift_options_set(o, URLSIFT_OPT_MAX_URL, (long)c.max_url);
	urlsift_options_set(o, URLSIFT_OPT_MAX_BREAKS, (long)c.max_breaks);
	urlsift_options_set(o, URLSIFT_OPT_MAX_ALTERNATES, (long)c.max_alternates);
	return c;
}

enum { HEAD = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < HEAD)
		return 0;
	struct bytes text = { 0 };
	if (data[3] & 1)
		text_of_phrases(&text, data + HEAD, size - HEAD, getenv("FUZZ_LONG") ? TEXT_LONG : TEXT_SHORT);
	else
		bytes_add(&text, data + HEAD, size - HEAD);
	if (getenv("FUZZ_SHOW")) {
		fwrite(text.data, 1, text.length, stdout);
		fflush(stdout);
	}
	struct choice choice = choose(data);
	struct trace whole = trace_of(&choice, &text, 0, 0);
	bool portable = data[4] & 1, poor = (data[4] & 6) == 6;
	if (portable)
		urlsift_options_set(choice.options, URLSIFT_OPT_IMPLEMENTATION, URLSIFT_IMPL_PORTABLE);
	struct trace cut = trace_of(&choice, &text, 1u + data[3] / 2u, poor ? 1u + data[4] / 8u : 0);
	if (!poor)
		require_same(&whole, &cut);
	trace_fini(&whole);
	trace_fini(&cut);
	urlsift_options_free(choice.options);
	free(text.data);
	return 0;
}
