#define _GNU_SOURCE 1 /* for memmem */
#include "run.h"

#include "output.h"
#include "place.h"

#include "../../link_check.h"

#include <inttypes.h>
#include <stdarg.h>

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#ifdef __GLIBC__
#include <execinfo.h>
#include <malloc.h>
#else /* all calls come from one place then */
static int backtrace(void **frames, int most)
{
	(void)frames;
	(void)most;
	return 0;
}
#endif

bool run_is_general;

/* ---- Memory ---- */

enum { RECORDED = 4096 };
static struct {
	size_t blocks, calls, fail_at;
	bool lasting;
	uint32_t recorded;
	size_t record_count;
	uint64_t record[RECORDED]; /* a hash of who called, for each call */
} memory;

/* By the functions that called it. */
static void record_call(void)
{
	enum { SELF = 2, FRAMES_MOST = 8 };
	void *frames[SELF + FRAMES_MOST];
	uint64_t hash = 0;
	if (memory.record_count == RECORDED)
		return;
	int n = backtrace(frames, SELF + (int)memory.recorded);
	for (int i = SELF; i < n; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15u;
	memory.record[memory.record_count++] = hash;
}

size_t run_pick_call(uint32_t place, uint32_t call)
{
	size_t places = 0, calls = 0;
	static size_t first[RECORDED]; /* of each place */
	for (size_t i = 0, k; i < memory.record_count; i++) {
		for (k = 0; k < places && memory.record[first[k]] != memory.record[i];)
			k++;
		if (k == places)
			first[places++] = i;
	}
	if (!places)
		return 0;
	uint64_t wanted = memory.record[first[place % places]];
	for (size_t i = 0; i < memory.record_count; i++)
		calls += memory.record[i] == wanted;
	call %= (uint32_t)calls;
	for (size_t i = 0;; i++)
		if (memory.record[i] == wanted && !call--)
			return i + 1;
}

static void *memory_reallocate(void *context, void *old, size_t size)
{
	(void)context;
	memory.calls++;
	if (memory.recorded)
		record_call();
	if (memory.fail_at && (memory.calls == memory.fail_at || (memory.lasting && memory.calls > memory.fail_at))) {
		if (getenv("FUZZ_SHOW"))
			__sanitizer_print_stack_trace();
		return NULL;
	}
	void *block = realloc(old, size);
	REQUIRE(block != NULL);
	memory.blocks += !old;
	return block;
}

static void *memory_allocate(void *context, size_t size) { return memory_reallocate(context, NULL, size); }

/* What is freed is overwritten, so that a program without sanitizers does not read it as it was either.  A compiler
 * leaves out what it knows to be memset. */
static void memory_release(void *context, void *block)
{
	enum { OVERWRITTEN = 16 * 1024 };
	static void *(*volatile const overwrite)(void *, int, size_t) = memset;
	(void)context;
	memory.blocks -= block != NULL;
#ifdef __GLIBC__
	size_t n = block ? malloc_usable_size(block) : 0;
	if (n)
		overwrite(block, 0xdb, n < OVERWRITTEN ? n : OVERWRITTEN);
#endif
	free(block);
}

static const urlsift_allocator allocator = { memory_allocate, memory_reallocate, memory_release, NULL };

/* ---- What comes ---- */

struct reader {
	const struct plan *plan;
	struct result *result;
	urlsift_renderer *renderer;
	bool after_cr, quiet; /* quiet: what comes is not of this run */
	bool shown;           /* the link at hand is not filtered out */
	uint64_t end;
	uint64_t cut; /* where the last link ends that was cut at a limit */
	size_t next_part;
	bool linked; /* the link at hand has anchors with this target */
	struct bytes target;
	bool failing;
	struct { uint64_t at, line, column; } counted; /* the place of a byte */
	urlsift_notice noticed[64]; /* the last notices of a text */
	size_t notices;
};

__attribute__((format(printf, 2, 3))) static void note(struct bytes *b, const char *format, ...)
{
	char line[512];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(line, sizeof line, format, list);
	va_end(list);
	bytes_add(b, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

static void note_text(struct bytes *b, const char *name, const char *text, size_t n)
{
	bool bytes = !strcmp(name, "absolute"); /* of a base, as it was given (C1) */
	for (size_t i = 0; i < n && !bytes;) {
		uint32_t cp;
		size_t k = output_character(text + i, n - i, &cp);
		if (k == 1 && (uint8_t)text[i] >= 0x80) {
			fprintf(stderr, "%s of a link is not UTF-8: %.*s\n", name, (int)n, text);
			abort();
		}
		i += k;
	}
	note(b, " %s=", name);
	bytes_add(b, text, n);
}

typedef size_t (*form_fn)(const urlsift_link *, char *, size_t);

/* A form of the link, which lives until the next call. */
static urlsift_text take_form(const urlsift_link *l, form_fn form)
{
	static struct bytes text;
	size_t n = form(l, NULL, 0);
	if (n >= text.room)
		text.data = realloc(text.data, text.room = 2 * n + 1);
	REQUIRE(text.data && form(l, text.data, n) == n);
	return (urlsift_text){ text.data, n };
}

static void note_form(struct bytes *b, const char *name, const urlsift_link *l, form_fn form)
{
	urlsift_text text = take_form(l, form);
	note_text(b, name, text.bytes, text.length);
}

void bytes_line(struct bytes *to, const char *text, size_t n)
{
	size_t length = urlsift_escape_line(text, n, NULL, 0);
	char *line = malloc(length + 1);
	REQUIRE(line && urlsift_escape_line(text, n, line, length) == length);
	bytes_add(to, line, length);
	bytes_byte(to, '\n');
	free(line);
}

/* The line and column of a link are those of its first byte: LF, CR and CRLF end lines.  Columns do not count what is
 * removed, such as colours, of which the text may have some. */
static void check_position(struct reader *r, const urlsift_link *l, uint64_t begin)
{
	const struct bytes *source = r->plan->source;
	if (begin < r->counted.at || !r->counted.at)
		r->counted.at = 0, r->counted.line = r->counted.column = 1;
	while (r->counted.at < begin) {
		uint32_t cp;
		const char *p = source->data + r->counted.at;
		size_t k = output_character(p, source->length - r->counted.at, &cp);
		bool second = *p == '\n' && r->counted.at && p[-1] == '\r', ends = *p == '\n' || *p == '\r';
		r->counted.line += ends && !second;
		r->counted.column = ends ? 1 : r->counted.column + 1;
		r->counted.at += k;
	}
	REQUIRE_AS(urlsift_link_line(l) == r->counted.line, "the line of a link is that of its first byte");
	REQUIRE_AS(!r->plan->counted || urlsift_link_column(l) == r->counted.column,
	           "the column of a link is that of its first byte");
}

/* Whether the text has a sequence of a terminal, or what is left of one that lost its ESC; of those that have no other
 * text. */
static bool has_sequence(urlsift_text text)
{
	static const char *const sequences[] = { "[0m", "[31m", "[m", "[1;38;5", "[K", "[4:3m", "]8;" };
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
		if (memmem(text.bytes, text.length, sequences[i], strlen(sequences[i])))
			return true;
	return memchr(text.bytes, '\x1b', text.length) != NULL;
}

static void note_link(struct reader *r, const urlsift_link *l, bool in_text)
{
	struct result *to = r->result;
	struct bytes *b = &to->links;
	size_t n, count;
	const char *text = urlsift_link_text(l, &n), *wrong = link_contradiction(l);
	REQUIRE_AS(!wrong, wrong);
	REQUIRE_AS(n <= (size_t)urlsift_options_get(r->plan->scan, URLSIFT_OPT_MAX_URL),
		"a link is as long as the limit at most");
	urlsift_text label, before, after;
	urlsift_removed removed = urlsift_link_removed(l);
	unsigned warnings = urlsift_link_warnings(l);
	const urlsift_range *parts = urlsift_link_parts(l, &count);
	note(b, "link %" PRIu64 ":%" PRIu64 " %x %x %x", urlsift_link_line(l), urlsift_link_column(l),
		urlsift_link_flags(l),
	     warnings, (unsigned)urlsift_link_convention(l));
	note_text(b, "text", text, n);
	note_form(b, "target", l, urlsift_link_target);
	note_form(b, "normal", l, urlsift_link_normal);
	note_form(b, "absolute", l, urlsift_link_absolute);
	label.bytes = urlsift_link_label(l, &label.length);
	note_text(b, "label", label.bytes, label.length);
	urlsift_link_context(l, &before, &after);
	note_text(b, "before", before.bytes, before.length);
	note_text(b, "after", after.bytes, after.length);
	REQUIRE_AS(!r->plan->complete || !(has_sequence(before) || has_sequence(after)),
	           "no sequence is in the text around a link");
	note(b, " removed %zu %zu %zu", removed.breaks, removed.hyphens, removed.decorations);
	REQUIRE(count > 0);
	bytes_add(&to->parts, parts, count * sizeof *parts);
	for (size_t i = 0; i < count; i++) {
		REQUIRE(!in_text || (parts[i].length > 0 && parts[i].offset + parts[i].length <= r->plan->source->length));
		REQUIRE(i == 0 || parts[i].offset >= parts[i - 1].offset + parts[i - 1].length);
		note(b, " [%" PRIu64 ",%" PRIu64 "]", parts[i].offset, parts[i].length);
	}
	if (in_text && r->plan->kept)
		place_check_label(r->plan->source, l);
	if (in_text && r->plan->verbatim)
		place_check(r->plan->source, l, &r->cut);
	if (in_text && r->plan->kept && urlsift_options_get(r->plan->scan, URLSIFT_OPT_POSITIONS))
		check_position(r, l, parts[0].offset);
	const urlsift_alternate *a = urlsift_link_alternates(l, &count);
	for (size_t i = 0; i < count; i++) {
		note(b, " %d %.3f", (int)a[i].why, a[i].confidence);
		note_text(b, "or", a[i].text, a[i].length);
	}
	bytes_byte(b, '\n');
	urlsift_text absolute = take_form(l, urlsift_link_absolute);
	bytes_line(&to->lines, absolute.bytes, absolute.length);
	bytes_line(&to->written, text, n);
	to->count++;
	to->joined += (urlsift_link_flags(l) & URLSIFT_JOINED) != 0;
}

/* Finds the target that the anchors of a link must have; a link may have thousands of parts. */
static void find_target(struct reader *r, const urlsift_link *l)
{
	size_t length;
	const char *scheme = urlsift_link_scheme(l, &length);
	r->linked = !(urlsift_link_warnings(l) & URLSIFT_WARN_NO_HREF) && urlsift_scheme_linkable(scheme, length);
	bytes_clear(&r->target);
	if (!r->linked)
		return;
	urlsift_text target = take_form(l, urlsift_link_target);
	bytes_add(&r->target, target.bytes, target.length);
}

static void note_target(struct reader *r, const urlsift_piece *p)
{
	if (!r->linked)
		return;
	bytes_add(&r->result->targets, r->target.data, r->target.length);
	bytes_byte(&r->result->targets, '\n');
	static struct bytes shown;
	bool after_cr = false;
	bytes_clear(&shown);
	output_show(&shown, p->text, p->text_length, &after_cr);
	output_anchor(&r->result->anchors, r->target.data, r->target.length, shown.data, shown.length);
}

/* Half of all links, by the length of their text. */
static bool is_shown(const struct plan *plan, const urlsift_link *l)
{
	size_t n;
	urlsift_link_text(l, &n);
	return !plan->some || n % 2;
}

static int take_rendered(struct reader *r, urlsift_status status)
{
	bool may_fail = r->failing || r->result->rendered != URLSIFT_OK;
	if (status != URLSIFT_OK && r->result->rendered == URLSIFT_OK)
		r->result->rendered = status;
	REQUIRE(status == URLSIFT_OK || (status == URLSIFT_NO_MEMORY && may_fail));
	return 0;
}

/* A byte order mark of UTF-8 is a piece of its own. */
static void check_mark(const struct plan *plan, const urlsift_piece *p)
{
	static const char mark[] = "\xef\xbb\xbf";
	bool marked = p->offset == 0 && !plan->declared && !strncmp(plan->source->data, mark, sizeof mark - 1);
	REQUIRE_AS(!marked || (p->length == sizeof mark - 1 && p->text_length == 0), "a byte order mark is a piece");
}

static int take_piece(void *user, const urlsift_place *place, const urlsift_piece *p)
{
	struct reader *r = user;
	if (r->quiet)
		return 0;
	if (r->plan->tiles) {
		REQUIRE(p->offset == r->end && p->length > 0);
		check_mark(r->plan, p);
		output_show(&r->result->shown, p->text, p->text_length, &r->after_cr);
	}
	if (!place) {
		REQUIRE(p->offset >= r->end);
		r->end = p->offset + p->length;
	}
	bytes_add(&r->result->text, p->text, p->text_length);
	if (p->link) {
		size_t count;
		const urlsift_range *parts = urlsift_link_parts(p->link, &count);
		REQUIRE(p->part < count);
		REQUIRE(place || (p->part == r->next_part && parts[p->part].offset == p->offset &&
		                  parts[p->part].length == p->length));
		r->next_part = p->part + 1 < count ? p->part + 1 : 0;
		if (p->part == 0) {
			note_link(r, p->link, !place);
			find_target(r, p->link);
		}
		if (p->text_length && is_shown(r->plan, p->link))
			note_target(r, p);
	}
	return take_rendered(r, urlsift_render_piece(r->renderer, place, p, p->link ? is_shown(r->plan, p->link) : 1));
}

static int take_text(void *user, const urlsift_piece *p) { return take_piece(user, NULL, p); }

static void check_notice(struct reader *r, const urlsift_notice *n)
{
	const size_t most = sizeof r->noticed / sizeof *r->noticed;
	for (size_t i = 0; i < r->notices && i < most; i++)
		REQUIRE_AS(r->noticed[i].offset != n->offset || strcmp(r->noticed[i].limit, n->limit), "a notice comes once");
	r->noticed[r->notices++ % most] = *n;
}

static int take_notice(void *user, const urlsift_notice *n)
{
	struct reader *r = user;
	if (!r->quiet)
		check_notice(r, n);
	return r->quiet ? 0 : take_rendered(r, urlsift_render_notice(r->renderer, NULL, n));
}

static int take_message(void *user, const urlsift_message *m)
{
	struct reader *r = user;
	return r->quiet ? 0 : take_rendered(r, urlsift_render_message(r->renderer, m));
}

static int take_place(void *user, const urlsift_place *p)
{
	struct reader *r = user;
	return r->quiet ? 0 : take_rendered(r, urlsift_render_place(r->renderer, p));
}

static int take_mail_notice(void *user, const urlsift_place *p, const urlsift_mail_notice *n)
{
	struct reader *r = user;
	if (r->quiet)
		return 0;
	const urlsift_notice limit = { n->limit, n->value, n->offset };
	if (n->omission)
		return n->omission == URLSIFT_OMITTED_RELATIVE
		       ? take_rendered(r, urlsift_render_relative(r->renderer, p, n->text)) : 0;
	return take_rendered(r, n->limit ? urlsift_render_notice(r->renderer, p, &limit)
	                     : urlsift_render_error(r->renderer, p, n->damage));
}

static int take_output(void *user, const void *bytes, size_t n)
{
	bytes_add(user, bytes, n);
	return 0;
}

/* Only an identifier of a message is given to the caller, before and after its text. */
static void take_identifier(void *user, const urlsift_link *l, int begins)
{
	size_t n;
	const char *scheme = urlsift_link_scheme(l, &n);
	(void)user;
	(void)begins;
	REQUIRE_AS(n == 3 && !memcmp(scheme, "mid", 3), "only a message identifier is given to the caller");
}

/* ---- A run ---- */

struct calls {
	urlsift_status (*feed)(void *parser, const void *bytes, size_t n);
	urlsift_status (*flush)(void *parser);
};

static urlsift_status feed_scanner(void *s, const void *bytes, size_t n) { return urlsift_feed(s, bytes, n); }
static urlsift_status flush_scanner(void *s) { return urlsift_flush(s); }
static urlsift_status feed_mail(void *m, const void *bytes, size_t n) { return urlsift_mail_feed(m, bytes, n); }
static urlsift_status flush_mail(void *m) { return urlsift_mail_flush(m); }

static const struct calls of_scanner = { feed_scanner, flush_scanner }, of_mail = { feed_mail, flush_mail };

/* Feeds n bytes from a buffer where all other bytes are poisoned: they have a memory of their own, and for this call
 * only.  (The macros of asan_interface.h do nothing here, where the harness is not instrumented.) */
static urlsift_status feed_alone(const struct calls *calls, void *parser, const char *bytes, size_t n)
{
	enum { GUARD = 64 };
	static union {
		max_align_t align;
		char bytes[GUARD + SOURCE_MAX + GUARD];
	} block;
	char *at = block.bytes + GUARD;
	__asan_poison_memory_region(block.bytes, GUARD);
	__asan_unpoison_memory_region(at, n + GUARD);
	__asan_poison_memory_region(at + n, GUARD);
	memcpy(at, bytes, n);
	urlsift_status status = calls->feed(parser, at, n);
	__asan_poison_memory_region(at, n + GUARD);
	return status;
}

/* Cut by `seed` (struct way); of a quarter of the seeds, what can be read is read after every second block. */
static urlsift_status feed_cut(const struct calls *calls, void *parser, const struct bytes *text, uint32_t seed)
{
	const bool flushed = (seed >> 8) % 4 == 1;
	urlsift_status status = URLSIFT_OK;
	uint32_t word = seed;
	for (size_t i = 0, n; i < text->length && status == URLSIFT_OK; i += n) {
		word = word * 1664525u + 1013904223u;
		n = seed == 0 ? text->length : seed == 1 ? 1 : 1 + (word >> 8) % (1u << (word >> 24) % (seed % 18 + 1));
		n = n < text->length - i ? n : text->length - i;
		status = feed_alone(calls, parser, text->data + i, n);
		if (flushed && word >> 31 && status == URLSIFT_OK)
			status = calls->flush(parser);
	}
	return status;
}

/* After what was read first, no allocation fails any more. */
static void end_quiet(struct reader *r)
{
	r->quiet = r->failing = false;
	memory.fail_at = 0;
}

static urlsift_status read_text(struct reader *r, urlsift_context *context, const struct way *way)
{
	const struct plan *plan = r->plan;
	const urlsift_sink sink = { take_text, take_notice, r };
	urlsift_scanner *s = urlsift_new(context, plan->scan, &sink, NULL);
	if (!s)
		return URLSIFT_NO_MEMORY;
	if (way->reused) {
		r->quiet = true;
		if (feed_cut(&of_scanner, s, plan->source, 0) == URLSIFT_OK && way->cut % 2)
			urlsift_finish(s);
		end_quiet(r);
		urlsift_reset(s);
	}
	urlsift_status status = feed_cut(&of_scanner, s, plan->source, way->cut);
	status = status == URLSIFT_OK ? urlsift_finish(s) : status;
	urlsift_free(s);
	REQUIRE(status != URLSIFT_OK || ((r->end == plan->source->length || !plan->tiles) && r->next_part == 0));
	return status;
}

static urlsift_status read_mail(struct reader *r, urlsift_context *context, const struct way *way)
{
	const struct plan *plan = r->plan;
	const urlsift_mail_sink sink = { take_message, take_place, take_piece, take_mail_notice, r, NULL };
	urlsift_mail_options other = plan->mail;
	if (way->reused) {
		other.kind = (urlsift_mail_kind)(URLSIFT_KIND_MESSAGE + (way->cut >> 3) % 6);
		other.headers = (urlsift_headers)((way->cut >> 6) % 3);
		other.resources = !other.resources;
		other.plain = !other.plain;
		other.display = !other.display;
		other.message_ids = !other.message_ids;
		other.repeated = !other.repeated;
		other.metadata = !other.metadata;
		other.max_header = other.max_depth = other.max_parts = 0;
		other.outline = (way->cut >> 9) % 4 == 0;
	}
	urlsift_mail *m = urlsift_mail_new(context, plan->scan, &other, &sink, NULL);
	if (!m)
		return URLSIFT_NO_MEMORY;
	urlsift_status status = URLSIFT_OK;
	if (way->reused) {
		r->quiet = true;
		if (feed_cut(&of_mail, m, plan->source, 0) == URLSIFT_OK && way->cut % 2)
			urlsift_mail_finish(m);
		end_quiet(r);
		status = urlsift_mail_reset(m, &plan->mail);
		REQUIRE(status == URLSIFT_OK || (status == URLSIFT_NO_MEMORY && r->failing));
	}
	status = status == URLSIFT_OK ? feed_cut(&of_mail, m, plan->source, way->cut) : status;
	status = status == URLSIFT_OK ? urlsift_mail_finish(m) : status;
	urlsift_mail_free(m);
	return status;
}

void result_clear(struct result *r)
{
	bytes_clear(&r->output);
	bytes_clear(&r->links);
	bytes_clear(&r->text);
	bytes_clear(&r->shown);
	bytes_clear(&r->targets);
	bytes_clear(&r->anchors);
	bytes_clear(&r->lines);
	bytes_clear(&r->written);
	bytes_clear(&r->parts);
	r->count = r->joined = r->calls = 0;
	r->status = r->rendered = URLSIFT_OK;
}

/* A context with its grammars compiled. */
static urlsift_context *new_context(void)
{
	static const char text[] = "http://a.example/|"; /* not valid: the quick check does not do */
	urlsift_context *context = urlsift_context_new(&allocator);
	urlsift_url url;
	urlsift_url_split(text, sizeof text - 1, &url);
	for (urlsift_grammar g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++)
		urlsift_url_check(context, &url, g, NULL);
	return context;
}

void run(const struct plan *plan, const struct way *way, struct result *result)
{
	static urlsift_context *kept; /* for all runs in which no allocation fails */
	if (!kept)
		kept = new_context();
	struct reader r = { .plan = plan, .result = result, .failing = way->fail_at > 0 };
	urlsift_render_options how = plan->how;
	how.html.identifier = plan->identified ? take_identifier : NULL;
	result_clear(result);
	run_is_general = way->general;
	memory.calls = 0;
	memory.fail_at = way->fail_at;
	memory.lasting = way->lasting;
	memory.recorded = way->recorded;
	memory.record_count = way->recorded ? 0 : memory.record_count;
	urlsift_options_set(plan->scan, URLSIFT_OPT_IMPLEMENTATION, way->portable ?
		URLSIFT_IMPL_PORTABLE : URLSIFT_IMPL_AUTO);
	how.implementation = way->portable ? URLSIFT_IMPL_PORTABLE : URLSIFT_IMPL_AUTO;
	size_t blocks = memory.blocks;
	bool own = way->fail_at || way->recorded;
	urlsift_context *context = own ? urlsift_context_new(&allocator) : kept;
	r.renderer = context ? urlsift_render_new(context, &how, take_output, &result->output, NULL) : NULL;
	REQUIRE(r.renderer || r.failing);
	result->status = URLSIFT_NO_MEMORY;
	if (r.renderer) {
		take_rendered(&r, urlsift_render_source(r.renderer, "a<b>\"\x01.txt", NULL));
		result->status = plan->mail.kind == URLSIFT_KIND_TEXT ? read_text(&r, context, way) : read_mail(&r,
			context, way);
		REQUIRE(result->status == URLSIFT_OK || (result->status == URLSIFT_NO_MEMORY && r.failing));
		take_rendered(&r, urlsift_render_source_end(r.renderer, result->count));
		take_rendered(&r, urlsift_render_end(r.renderer));
		urlsift_render_free(r.renderer);
	}
	if (own)
		urlsift_context_free(context);
	memory.recorded = 0;
	REQUIRE_AS(memory.blocks == blocks, "all memory is freed");
	result->calls = memory.calls;
	free(r.target.data);
	run_is_general = false;
}
