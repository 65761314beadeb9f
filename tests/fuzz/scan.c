/* Fuzzes the scanner.  The first bytes choose options, the way to cut the input
 * and how the rest is read: as it stands, or as a list of the phrases below.
 *
 * Checked: the pieces tile the input; the trace is the same for the whole text and for the
 * text cut, in some runs by the portable implementation or without plain pieces; links are what
 * urlsift.h says they are, and agree with urlsift_find; memory stays below its bound; an
 * allocation that fails does no harm.
 *
 * The harness is not instrumented, allocates little, and keeps its context and, while the options are the same, its
 * scanners: it is to cost less than the scanner.
 *
 * With FUZZ_LONG in the environment phrases make texts of up to 300 KB, past every limit.
 * With FUZZ_SHOW in the environment the text goes to standard output. */
#include "fuzz.h"

#include "../link_check.h"
#include "simd/simd.h"

#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>

/* Of two facts of a link. */
#define IMPLIES(a, b) REQUIRE_AS(!(a) || (b), #a " implies " #b)

/* ---- The text ---- */

static const char *const phrases[] = {
	"http://", "HTTP://", "https://", "ftp://", "mailto:", "news:", "urn:", "tel:", "x-new://", "javascript:", "data:",
	"file:///", "jar:http://", "www.", "ftp.", "a.example", "example.org", "b.test", "localhost", "192.0.2.1",
	"[2001:db8::1]", ":80", ":99999", ":", "@", "u:p@", "local.part@example.net", "/", "//", "/path", "/a/b/../c",
	"?", "?q=1",
	"&", "&amp;", "&gt;", "&quot;", "&#39;", "#", "#frag", "%41", "%", "%0D%0A", "%zz", "=", "+", "_", "~", "*", "-",
		".", ",", ";",
	"!", "'", "\"", "(", ")", "[", "]", "{", "}", "<", ">", "|", "\\", "\\/", "\\/\\/", "`", "^", "$", "x", "word",
		"long-word",
	"0", "7", "[1]", "[12]", " ", "  ", "\t", "\n", "\r", "\r\n", "\f", "\v", "\n\n", "\n \n", "-\n", "- \n", "\\\n",
		"=\n",
	"\n> ", "\n>> ", "\n> > ", "> ", "\n| ", "\n: ", "\nName> ", "\n+ ", "\n- ", "\n* ", "\n# ", "\n// ", "\n; ",
	"\n% ",
	"\ndnl ", "\n    ", "\n-- \n", "\n[Page 7]\n\f\nHeader 1999\n\n", "\n1. ", "<URL:", "<url: ", "URL:", "URL: ",
	"<http://", "[url]",
	"[/url]", "\\url{", "href=\"", "](", "[[", "]]", "<a@b.example>", "\0", "\x1b[31m", "\x7f", "\xc2\x85", "\xc2\xa0",
	"\xc2\xad", "\xc2\xad\n", "\xe2\x80\x90\n", "\xe2\x80\x8b", "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x80\xa6",
	"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x94", "\xef\xbb\xbf", "\xc3\xa9", "\xd7\x90", "\xe4\xb8\x96",
		"\xe3\x80\x82",
	"\xef\xbc\x8e", "\xf0\x9f\x98\x80", "\xff", "\x80", "\xe2\x82", "\xed\xa0\x80", "\xff\xfe", "\xfe\xff",
		"\nbegin 644 f\n",
	"\nM:'1T<#HO+V$N97AA;7!L92\\B1IF\n", "\nend\n", "\n=ybegin line=128 size=9 name=f\n", "\n=yend size=9\n",
	"\n-----BEGIN PGP MESSAGE-----\n", "\n-----END PGP MESSAGE-----\n", "\n-----BEGIN PGP SIGNED MESSAGE-----\n",
	"\n(This file must be converted with BinHex 4.0)\n", "readme.md", "main.rs", "end.It", "1.2", "xn--a", "ASP.NET",
	"\x1b[0m", "\x1b[1;32m", "\x1b]8;;http://t.example/\x07", "\x1b]0;t\x1b\\", "\x1b(B", "\x1b", "_\b", "x\bx", "\b",
	"\xe2\x80\x8e", "\xe2\x81\xa6", "\xe2\x94\x82", "\xe2\x95\x90", "\xd8\x8c", "\xd8\x9f", "=20\n", "=\r\n", "=3D",
		"|label>",
	"(+http", "\nATTENDEE:mailto:", "\n\\", "\\\n    \\", "\n! ", "\n  ", "\n>From ", "12:30", "2001-12-31", "-o-o-",
		"[4 more", ".html",
	"file.txt", "ethernet-\n", "http://www-\n", "svn+\nssh://", "...www.", "adoc[the pages]", "tag:", "info:lccn/1",
	"<DAV:", "[[",
	"a column of words that reaches as far as the lines of mail mostly do, at ",
	"continues/here", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "svn+ssh://",
	"cid:", "mid:a@b",
	"hxxp://", "[.]", "[dot]", "[://]", "(at)"
};
enum { PHRASES = sizeof phrases / sizeof *phrases, REPEAT = 0xf4, TEXT_SHORT = 400, TEXT_LONG = 300 * 1024 };
_Static_assert(PHRASES <= REPEAT, "a byte chooses each phrase");

struct bytes {
	uint8_t *data;
	size_t length, room;
};

static inline uint8_t *bytes_room(struct bytes *b, size_t n)
{
	if (b->length + n > b->room) {
		b->room = 2 * (b->length + n);
		b->data = realloc(b->data, b->room);
		REQUIRE(b->data != NULL);
	}
	return b->data + b->length;
}

static inline void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (n)
		memcpy(bytes_room(b, n), data, n);
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

struct choice {
	urlsift_options *options;
	uint64_t key; /* two choices with the same key have the same options */
	bool declared, positions, details;
	urlsift_join join;
	size_t max_url, max_breaks, max_alternates;
};

struct trace {
	struct bytes text;   /* by code points, each piece read alone; only with plain pieces */
	struct bytes events; /* links and notices, with the plain ranges between links */
	const struct choice *choice;
	bool plain_pieces;
	uint64_t end, plain;
	size_t links, next_part;
	size_t part_text; /* bytes of the link's text that its parts held so far */
};

static struct bytes scratch;

static bool is_utf8(const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t k = (uint8_t)text[i] < 0x80 ? 1 : urlsift_next_character(text + i, n - i, &cp);
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

/* What a target never holds (urlsift_link_target). */
static bool is_unsafe(char c)
{
	switch (c) {
	case '<': case '>': case '"': case '\\': case '^': case '`': case '{': case '|': case '}': return true;
	default: return c <= ' ' || c >= 0x7f;
	}
}

static void check_forms(struct trace *t, const urlsift_link *l)
{
	size_t n = urlsift_link_target(l, NULL, 0), text_length, scheme_length, normal, absolute;
	const char *scheme = urlsift_link_scheme(l, &scheme_length), *text = urlsift_link_text(l, &text_length);
	char *out = (char *)bytes_room(&scratch, n);
	REQUIRE(urlsift_link_target(l, out, n) == n);
	for (size_t i = 0; i < n; i++)
		REQUIRE(!is_unsafe(out[i]));
	REQUIRE(scheme_length > 0 && n > scheme_length && out[scheme_length] == ':');
	for (size_t i = 0; i < scheme_length; i++)
		REQUIRE(scheme[i] == (out[i] >= 'A' && out[i] <= 'Z' ? out[i] + 32 : out[i]));
	IMPLIES(urlsift_link_is_simple(l), n == text_length && !memcmp(out, text, n));
	bytes_text(&t->events, out, n);
	normal = urlsift_link_normal(l, NULL, 0);
	out = (char *)bytes_room(&scratch, normal);
	REQUIRE(urlsift_link_normal(l, out, normal) == normal);
	bytes_text(&t->events, out, normal);
	absolute = urlsift_link_absolute(l, NULL, 0);
	out = (char *)bytes_room(&scratch, absolute);
	REQUIRE(urlsift_link_absolute(l, out, absolute) == absolute);
	bytes_text(&t->events, out, absolute);
	if (!t->choice->details)
		return;
	unsigned warnings = urlsift_link_warnings(l);
	IMPLIES(urlsift_link_is_simple(l), !warnings);
	IMPLIES(warnings & URLSIFT_WARN_JOINED_SCHEME, urlsift_link_flags(l) & URLSIFT_SCHEME_JOINED);
	bytes_number(&t->events, warnings);
}

static void check_alternates(struct trace *t, const urlsift_link *l)
{
	size_t count;
	const urlsift_alternate *a = urlsift_link_alternates(l, &count);
	REQUIRE(count <= t->choice->max_alternates);
	for (size_t i = 0; i < count; i++) {
		check_link_text(a[i].text, a[i].length);
		bytes_text(&t->events, a[i].text, a[i].length);
		bytes_number(&t->events, (uint64_t)(a[i].confidence * 1000) << 8 | a[i].why);
	}
}

/* The flags agree with one another and with what was removed. */
static void check_flags(const struct choice *c, const urlsift_link *l, size_t parts)
{
	unsigned flags = urlsift_link_flags(l);
	urlsift_convention convention = urlsift_link_convention(l);
	bool bracketed = convention == URLSIFT_CONV_WRAPPER || convention == URLSIFT_CONV_ANGLE ||
	                 convention == URLSIFT_CONV_EMAIL;
	const char *wrong = link_contradiction(l);
	REQUIRE_AS(!wrong, wrong);
	IMPLIES(flags & URLSIFT_JOINED, parts > 1); /* a soft hyphen that goes is no break */
	IMPLIES(flags & URLSIFT_JOIN_IS_DECLARED, c->join != URLSIFT_JOIN_NEVER);
	IMPLIES(!bracketed && c->join == URLSIFT_JOIN_NEVER, !(flags & URLSIFT_JOINED));
}

static void check_link(struct trace *t, const urlsift_link *l)
{
	size_t n, count;
	const char *text = urlsift_link_text(l, &n);
	if (urlsift_link_convention(l) != URLSIFT_CONV_RULE)
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
	urlsift_text label, before, after;
	label.bytes = urlsift_link_label(l, &label.length);
	urlsift_link_context(l, &before, &after);
	REQUIRE(is_utf8(label.bytes, label.length));
	bytes_text(&t->events, label.bytes, label.length);
	bytes_text(&t->events, before.bytes, before.length);
	bytes_text(&t->events, after.bytes, after.length);
	urlsift_removed removed = urlsift_link_removed(l);
	bytes_add(&t->events, &removed, sizeof removed);
	check_flags(t->choice, l, count);
	check_forms(t, l);
	check_alternates(t, l);
	t->links++;
}

/* The text of a link is that of its parts, unless escapes were undone. */
static void check_part(struct trace *t, const urlsift_piece *p, size_t count)
{
	size_t n;
	const char *text = urlsift_link_text(p->link, &n);
	if (p->part == 0)
		t->part_text = 0;
	if (urlsift_link_flags(p->link) & URLSIFT_UNESCAPED)
		return;
	for (size_t i = 0; i < p->text_length;) {
		uint32_t cp, of_link = 0;
		i += urlsift_next_character(p->text + i, p->text_length - i, &cp);
		REQUIRE(t->part_text < n);
		t->part_text += urlsift_next_character(text + t->part_text, n - t->part_text, &of_link);
		REQUIRE(cp == of_link);
	}
	REQUIRE(p->part + 1 < count || t->part_text == n);
}

static void add_text(struct bytes *b, const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp = (uint8_t)text[i];
		i += cp < 0x80 ? 1 : urlsift_next_character(text + i, n - i, &cp);
		bytes_add(b, &cp, sizeof cp);
	}
}

static void flush_plain(struct trace *t, uint64_t upto)
{
	bytes_number(&t->events, upto - t->plain);
	t->plain = upto;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct trace *t = user;
	REQUIRE((t->plain_pieces ? p->offset == t->end : p->link && p->offset >= t->end) && p->length > 0);
	REQUIRE(!t->choice->declared || is_utf8(p->text, p->text_length));
	if (t->plain_pieces)
		add_text(&t->text, p->text, p->text_length);
	if (p->link) {
		size_t count;
		const urlsift_range *parts = urlsift_link_parts(p->link, &count);
		flush_plain(t, p->offset);
		REQUIRE(p->part == t->next_part && p->part < count);
		REQUIRE(parts[p->part].offset == p->offset && parts[p->part].length == p->length);
		if (p->part == 0)
			check_link(t, p->link);
		check_part(t, p, count);
		t->next_part = p->part + 1 < count ? p->part + 1 : 0;
	}
	t->end = p->offset + p->length;
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

static struct {
	size_t held, most, calls, fail_at;
} memory;

static void *memory_reallocate(void *context, void *old, size_t size)
{
	(void)context;
	if (++memory.calls == memory.fail_at)
		return NULL;
	size_t before = old ? __sanitizer_get_allocated_size(old) : 0;
	void *block = realloc(old, size);
	REQUIRE(block != NULL);
	memory.held += __sanitizer_get_allocated_size(block) - before;
	memory.most = memory.held > memory.most ? memory.held : memory.most;
	return block;
}

static void *memory_allocate(void *context, size_t size)
{
	return memory_reallocate(context, NULL, size);
}

static void memory_release(void *context, void *block)
{
	(void)context;
	memory.held -= block ? __sanitizer_get_allocated_size(block) : 0;
	free(block);
}

/* ---- Runs ---- */

/* Feeds n bytes from a buffer where all other bytes are poisoned: they have a memory of their own, and for this call
 * only.  (The macros of asan_interface.h do nothing here, where the harness is not instrumented.) */
static urlsift_status feed_alone(urlsift_scanner *s, const uint8_t *bytes, size_t n)
{
	enum { GUARD = 64 };
	static union {
		max_align_t align;
		uint8_t bytes[GUARD + TEXT_LONG + GUARD];
	} block;
	uint8_t *at = block.bytes + GUARD;
	__asan_poison_memory_region(block.bytes, GUARD);
	__asan_unpoison_memory_region(at, n + GUARD);
	__asan_poison_memory_region(at + n, GUARD);
	memcpy(at, bytes, n);
	urlsift_status status = urlsift_feed(s, at, n);
	__asan_poison_memory_region(at, n + GUARD);
	return status;
}

/* Cuts the text by `seed`: 0 whole, 1 into bytes, else into pieces of all sizes. */
static urlsift_status feed_cut(urlsift_scanner *s, const struct bytes *text, uint32_t seed)
{
	urlsift_status status = URLSIFT_OK;
	for (size_t i = 0, n; i < text->length && status == URLSIFT_OK; i += n) {
		uint32_t word = seed = seed > 1 ? seed * 1664525u + 1013904223u : seed;
		n = seed == 0 ? text->length : seed == 1 ? 1 : 1 + (word >> 8) % (1u << (word >> 24) % 18);
		n = n < text->length - i ? n : text->length - i;
		status = feed_alone(s, text->data + i, n);
	}
	return status == URLSIFT_OK ? urlsift_finish(s) : status;
}

/* A scanner that is kept while the options are the same, and what it holds. */
struct kept {
	urlsift_scanner *scanner;
	uint64_t key;
	size_t held;
	struct trace trace;
};

static void kept_drop(struct kept *k)
{
	size_t others = memory.held - k->held;
	urlsift_free(k->scanner);
	REQUIRE(memory.held == others);
	k->scanner = NULL;
	k->held = 0;
}

/* A scanner with the options of a choice, or NULL if memory failed. */
static urlsift_scanner *kept_scanner(struct kept *k, urlsift_context *context, const struct choice *choice)
{
	const urlsift_sink sink = { take_piece, take_notice, &k->trace };
	k->key = choice->key;
	if (k->scanner)
		urlsift_reset(k->scanner);
	else
		k->scanner = urlsift_new(context, choice->options, &sink, NULL);
	return k->scanner;
}

/* Sets k->trace; its memory is kept from run to run.  False if memory failed: the call fail_at, if that is not 0. */
static bool trace_run(struct kept *k, const struct choice *choice, const struct bytes *text, uint32_t seed,
                      size_t fail_at)
{
	static urlsift_context *shared;
	const urlsift_allocator allocator = { memory_allocate, memory_reallocate, memory_release, NULL };
	struct trace *t = &k->trace;
	*t = (struct trace){ .choice = choice, .text = t->text, .events = t->events };
	t->text.length = t->events.length = 0;
	t->plain_pieces = urlsift_options_get(choice->options, URLSIFT_OPT_PLAIN);
	memory.fail_at = 0;
	if (!shared)
		shared = urlsift_context_new(&allocator);
	if (fail_at || k->key != choice->key)
		kept_drop(k);
	size_t others = memory.held - k->held;
	memory.most = memory.calls = 0;
	memory.fail_at = fail_at;
	urlsift_context *context = fail_at ? urlsift_context_new(&allocator) : shared;
	urlsift_scanner *s = context ? kept_scanner(k, context, choice) : NULL;
	urlsift_status status = s ? feed_cut(s, text, seed) : URLSIFT_NO_MEMORY;
	REQUIRE(status == URLSIFT_OK || (status == URLSIFT_NO_MEMORY && fail_at));
	REQUIRE(memory.most <= others + urlsift_memory_bound(0));
	k->held = memory.held - others;
	if (status == URLSIFT_OK) {
		REQUIRE((t->end == text->length || !t->plain_pieces) && t->next_part == 0);
		flush_plain(t, text->length);
	}
	if (fail_at) {
		urlsift_free(s);
		urlsift_context_free(context);
		REQUIRE(memory.held == others);
		k->scanner = NULL;
		k->held = 0;
	}
	return status == URLSIFT_OK;
}

/* urlsift_find finds as many links. */
static void check_find(const struct choice *choice, const struct bytes *text, size_t links)
{
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_found *found;
	REQUIRE(urlsift_find(context, choice->options, text->data, text->length, &found) == URLSIFT_OK);
	REQUIRE(found->count == links);
	for (size_t i = 0; i < found->count; i++) {
		const urlsift_found_link *l = found->links[i];
		check_link_text(l->text.bytes, l->text.length);
		REQUIRE(!l->text.bytes[l->text.length] && l->part_count > 0 && l->line > 0 && l->column > 0);
		if (!choice->declared && memcmp(text->data, "\xff\xfe", 2) && memcmp(text->data, "\xfe\xff", 2)) {
			bool after_cr = false;
			REQUIRE(l->line == 1 + lines_count((const uint8_t *)text->data, l->parts->offset, &after_cr));
		}
	}
	urlsift_found_free(found);
	urlsift_context_free(context);
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

enum { HEAD = 7 };

/* What head[5] says of the second run. */
enum { SECOND_PORTABLE = 1, SECOND_POOR = 6, SECOND_LINKS_ONLY = 8, SECOND_FIND = 0x30, NO_FIND = 0x83 };

static struct choice choose(const uint8_t *head)
{
	static const char *const charsets[64] = { /* mostly none: tests/fuzz/charset.c knows them all */
		"utf-8", "windows-1252", "iso-8859-1", "utf-16", "utf-7", "iso-2022-jp", "shift_jis", "koi8-r"
	};
	static const long lengths[] = { 65536, 65536, 65536, 64, 100, 1000, 20000, 65535 };
	static const char base[] = "http://base.example/a/b;c?d#e";
	static urlsift_options *o;
	static const char text[] = "([a-z]+)[ /](\\d+) => http://$1.example/$2?$$\n^.?$ => http://lines.example/$0\n"
	                           "(a+)+x => http://steps.example/\n[^ -~]+ => mailto:$0\n";
	static urlsift_link_rules *rules;
	urlsift_rule_fault fault;
	if (!o)
		o = urlsift_options_new(NULL);
	if (!rules)
		REQUIRE(urlsift_link_rules_new(NULL, text, sizeof text - 1, &rules, &fault) == URLSIFT_OK);
	static const char *last;
	static bool declared;
	struct choice c = { .options = o, .key = head[5] >> 7 | (head[6] & 0x80u) };
	for (int i = 0; i < 4; i++)
		c.key = c.key << 8 | head[i];
	const char *charset = charsets[head[1] & 63];
	c.positions = head[0] >> 3 & 1;
	c.join = (urlsift_join)(head[0] >> 4 & 3);
	c.details = head[5] & 0x40;
	if (charset != last) {
		last = charset;
		declared = urlsift_options_set_charset(o, charset) == URLSIFT_OK && charset;
	}
	c.declared = declared;
	c.max_url = (size_t)lengths[head[3] & 7];
	c.max_breaks = head[3] >> 3 < 16 ? head[3] >> 3 : 16;
	c.max_alternates = head[2] >> 3 < 8 ? head[2] >> 3 : 8;
	urlsift_options_set_base(o, head[1] & 0x40 ? base : NULL, sizeof base - 1);
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, head[0] & 1);
	urlsift_options_set(o, URLSIFT_OPT_REFANG, head[1] >> 7);
	urlsift_options_set_link_rules(o, head[6] >> 7 ? rules : NULL);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, head[0] >> 1 & 1);
	urlsift_options_set(o, URLSIFT_OPT_GUESS, head[0] >> 2 & 1);
	urlsift_options_set(o, URLSIFT_OPT_POSITIONS, c.positions);
	urlsift_options_set(o, URLSIFT_OPT_JOIN, c.join);
	urlsift_options_set(o, URLSIFT_OPT_HYPHEN, head[0] >> 6 & 1);
	urlsift_options_set(o, URLSIFT_OPT_WWW_HTTPS, head[0] >> 7);
	urlsift_options_set(o, URLSIFT_OPT_PLAIN, 1);
	urlsift_options_set(o, URLSIFT_OPT_LABELS, 1);
	urlsift_options_set(o, URLSIFT_OPT_CONTEXT, head[5] >> 7);
	urlsift_options_set(o, URLSIFT_OPT_IMPLEMENTATION, URLSIFT_IMPL_AUTO);
	urlsift_options_set(o, URLSIFT_OPT_IMPLEMENTATION, head[2] & 7); /* what is not there changes nothing */
	urlsift_options_set(o, URLSIFT_OPT_MAX_URL, (long)c.max_url);
	urlsift_options_set(o, URLSIFT_OPT_MAX_BREAKS, (long)c.max_breaks);
	urlsift_options_set(o, URLSIFT_OPT_MAX_ALTERNATES, (long)c.max_alternates);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bytes text;
	static struct kept whole, cut;
	static int mode = -1;
	if (size < HEAD)
		return 0;
	if (mode < 0)
		mode = (getenv("FUZZ_LONG") ? 1 : 0) | (getenv("FUZZ_SHOW") ? 2 : 0);
	text.length = 0;
	if (data[4] & 1)
		text_of_phrases(&text, data + HEAD, size - HEAD, mode & 1 ? TEXT_LONG : TEXT_SHORT);
	else
		bytes_add(&text, data + HEAD, size - HEAD);
	if (mode & 2) {
		fwrite(text.data, 1, text.length, stdout);
		fflush(stdout);
	}
	struct choice choice = choose(data);
	bool poor = (data[5] & SECOND_POOR) == SECOND_POOR;
	trace_run(&whole, &choice, &text, 0, 0);
	choice.key = choice.key << 8 | (data[5] & (SECOND_PORTABLE | SECOND_LINKS_ONLY));
	if (data[5] & SECOND_PORTABLE)
		urlsift_options_set(choice.options, URLSIFT_OPT_IMPLEMENTATION, URLSIFT_IMPL_PORTABLE);
	if (data[5] & SECOND_LINKS_ONLY)
		urlsift_options_set(choice.options, URLSIFT_OPT_PLAIN, 0);
	bool done = trace_run(&cut, &choice, &text, 1u + data[4] / 2u, poor ? 1u + data[6] % 32u : 0);
	REQUIRE(!done || same_bytes(&whole.trace.events, &cut.trace.events));
	REQUIRE(!done || !cut.trace.plain_pieces || same_bytes(&whole.trace.text, &cut.trace.text));
	if (text.length > 1 && (data[5] & SECOND_FIND) == SECOND_FIND && !(data[6] & NO_FIND))
		check_find(&choice, &text, whole.trace.links);
	return 0;
}
