/* Fuzzes the reader of HTML parts.  The first byte chooses the way to cut the
 * rest.  Checked: what comes out does not depend on the cut, stands in the
 * source in order and within it, text stands for itself, for a reference or for
 * a NUL, white space does not repeat outside of <pre>, an anchor's end follows an
 * anchor, and memory is bounded. */
#include "../htmltext_pass.h"
#include "fuzz.h"

#include "mail/html/html.h"
#include "simd/runs.h"
#include "text/ascii.h"

#include <stdlib.h>
#include <string.h>

enum kind { TEXT, HREF, END };

struct event {
	enum kind kind;
	unsigned flags;
	uint64_t source;
	size_t at, length, source_length;
};

struct trace {
	const uint8_t *data; /* the source */
	size_t fed;
	struct event *events;
	uint8_t *bytes;
	size_t count, room, length, bytes_room;
	uint64_t end;
	unsigned anchors; /* that are open */
	enum { SHOWN, BARE, IMAGE } shows; /* what the anchor shows: text, nothing yet, or an image alone */
	bool keeps_lines; /* white space may come after white space */
	uint8_t last;     /* byte of text, or that of an image */
};

static void trace_room(struct trace *t, size_t n)
{
	if (t->length + n > t->bytes_room) {
		t->bytes_room = 2 * (t->length + n);
		t->bytes = realloc(t->bytes, t->bytes_room);
		REQUIRE(t->bytes != NULL);
	}
	if (t->count == t->room) {
		t->room = 2 * t->room + 16;
		t->events = realloc(t->events, t->room * sizeof *t->events);
		REQUIRE(t->events != NULL);
	}
}

static void trace_add(struct trace *t, struct event e, const uint8_t *bytes)
{
	trace_room(t, e.length);
	if (e.length)
		memcpy(t->bytes + t->length, bytes, e.length);
	e.at = t->length;
	t->length += e.length;
	if (e.kind != END) {
		REQUIRE(e.source >= t->end && e.source + e.source_length <= t->fed);
		t->end = e.source + e.source_length;
	}
	struct event *last = t->count ? &t->events[t->count - 1] : NULL;
	bool goes_on = last && e.kind == TEXT && last->kind == TEXT && e.length == e.source_length
	               && last->length == last->source_length && last->source + last->length == e.source;
	if (goes_on) {
		last->length += e.length;
		last->source_length += e.length;
	} else {
		t->events[t->count++] = e;
	}
}

/* Whether there may be an element in which white space stays as it is. */
static bool may_keep_lines(const uint8_t *p, size_t n)
{
	static const char *const names[] = { "pre", "listing", "xmp", "plaintext", "textarea" };
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (ascii_opens(p + i, n - i, names[k]))
				return true;
	return false;
}

static int take_text(void *user, const uint8_t *text, size_t length, uint64_t source, size_t source_length)
{
	struct trace *t = user;
	REQUIRE(length > 0);
	trace_add(t, (struct event){ TEXT, 0, source, 0, length, source_length }, text);
	t->shows = SHOWN;
	for (size_t i = 0; i < length; t->last = text[i++])
		REQUIRE(t->keeps_lines || source_length == 0 || !run_is_space(text[i]) || !run_is_space(t->last));
	if (source_length == 0) {
		REQUIRE(*text == '\n' ? length == 1 || (length == 2 && text[1] == '\n') : length == 1 && *text == ' ');
		return 0;
	}
	const uint8_t *from = t->data + source;
	bool itself = length == source_length;
	for (size_t i = 0; itself && i < length; i++)
		itself = text[i] == from[i] || (text[i] == ' ' && run_is_space(from[i]));
	REQUIRE(itself || (*from == '&' && source_length > 2) || (*from == 0 && source_length == 1 && length == 3));
	return 0;
}

static int take_target(void *user, const struct html_target *h)
{
	struct trace *t = user;
	trace_add(t, (struct event){ HREF, h->flags, h->source, 0, h->length, h->source_length }, h->value);
	REQUIRE(h->length <= HTMLTEXT_VALUE_MAX);
	if (!(h->flags & (HTMLTEXT_REFERENCES | HTMLTEXT_CUT)))
		REQUIRE(h->length == h->source_length && (!h->length || !memcmp(h->value, t->data + h->source, h->length)));
	if (h->flags & HTMLTEXT_ANCHOR) {
		REQUIRE(t->anchors++ < HTMLTEXT_ANCHORS_MAX);
		t->shows = BARE;
	}
	return 0;
}

/* An image in an anchor stands between the white space before and that after it. */
static int take_alt(void *user, const uint8_t *text, size_t length)
{
	struct trace *t = user;
	(void)text;
	REQUIRE(t->anchors && length > 0);
	t->shows = t->shows == SHOWN ? SHOWN : IMAGE;
	return 0;
}

static int take_run(void *user, const uint8_t *text, size_t length, uint64_t source)
{
	uint8_t *blanks = malloc(length + 16);
	REQUIRE(blanks != NULL);
	run_spaces_ahead(blanks, text, length);
	int stop = take_text(user, blanks, length, source, length);
	free(blanks);
	return stop;
}

static int take_end(void *user)
{
	struct trace *t = user;
	REQUIRE(t->anchors--);
	t->last = t->shows == IMAGE ? 'a' : t->last;
	trace_add(t, (struct event){ .kind = END }, NULL);
	return 0;
}

/* What is allocated, by blocks that know their size. */
struct counting {
	size_t live, peak;
};

static void *count_reallocate(void *context, void *old, size_t size)
{
	struct counting *c = context;
	size_t *block = old ? (size_t *)old - 2 : NULL;
	c->live -= block ? *block : 0;
	block = realloc(block, size + 2 * sizeof *block);
	REQUIRE(block != NULL);
	*block = size;
	c->live += size;
	c->peak = c->peak > c->live ? c->peak : c->live;
	return block + 2;
}

static void *count_allocate(void *context, size_t size) { return count_reallocate(context, NULL, size); }

static void count_release(void *context, void *old)
{
	struct counting *c = context;
	size_t *block = (size_t *)old - 2;
	c->live -= *block;
	free(block);
}

/* Cuts by `seed`: 0 whole, 1 into bytes, else into pieces of all sizes, each in
 * memory of its own. */
static struct trace trace_of(const uint8_t *data, size_t size, uint32_t seed)
{
	struct trace t = { .data = data, .keeps_lines = may_keep_lines(data, size), .last = '\n' };
	struct counting c = { 0 };
	const urlsift_allocator alloc = { count_allocate, count_reallocate, count_release, &c };
	const struct htmltext_sink sink = { take_text, take_run, take_target, take_end, pass_limit, &t, take_alt,
	                                    pass_unseen };
	struct htmltext *h = htmltext_new(&alloc, &sink);
	REQUIRE(h != NULL);
	htmltext_reset(h, size & 1);
	for (size_t i = 0, n; i < size; i += n) {
		uint32_t word = seed = seed > 1 ? seed * 1664525u + 1013904223u : seed;
		n = seed == 0 ? size : seed == 1 ? 1 : 1 + (word >> 8) % (1u << (word >> 24) % 12);
		n = n < size - i ? n : size - i;
		uint8_t *block = malloc(n);
		REQUIRE(block != NULL);
		memcpy(block, data + i, n);
		t.fed = i + n;
		REQUIRE(htmltext_feed(h, block, n) == URLSIFT_OK);
		free(block);
	}
	REQUIRE(htmltext_finish(h) == URLSIFT_OK && !t.anchors);
	REQUIRE(c.peak <= htmltext_memory_bound());
	htmltext_free(h);
	REQUIRE(c.live == 0);
	return t;
}

static void trace_fini(struct trace *t)
{
	free(t->events);
	free(t->bytes);
}

static void require_same(const struct trace *a, const struct trace *b)
{
	REQUIRE(a->length == b->length && a->count == b->count);
	REQUIRE(!a->length || !memcmp(a->bytes, b->bytes, a->length));
	for (size_t i = 0; i < a->count; i++) {
		const struct event *x = &a->events[i], *y = &b->events[i];
		REQUIRE(x->kind == y->kind && x->flags == y->flags && x->at == y->at && x->length == y->length);
		REQUIRE(x->source == y->source && x->source_length == y->source_length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct trace whole = trace_of(data + 1, size - 1, 0);
	struct trace bytes = trace_of(data + 1, size - 1, 1);
	struct trace cut = trace_of(data + 1, size - 1, 2u + data[0]);
	require_same(&whole, &bytes);
	require_same(&whole, &cut);
	trace_fini(&whole);
	trace_fini(&bytes);
	trace_fini(&cut);
	return 0;
}
