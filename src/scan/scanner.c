/* The push scanner: text is fed in blocks, pieces are handed out.
 *
 * Positions are offsets in the text.  While nothing is pending, the search runs over the caller's bytes in place.  What
 * a link may still need is copied into `hold`, and the search continues there until it is past the copy.  A rule that
 * needs more text is asked again only when there is twice as much, so that all asking together is linear. */
#include "scanner.h"

#include "link_rules.h"

#include "simd/simd.h"
#include "text/charset.h"
#include "text/unicode.h"
#include "url/grammar.h"

#include <string.h>

static void start(urlsift_scanner *s)
{
	s->hold.length = 0;
	terminal_reset(&s->terminal);
	s->block.kind = BLOCK_NONE;
	s->hold_at = s->end = s->pos = s->floor = s->last_part = s->unclosed = s->ruled_to = s->ruled_line = 0;
	s->block_end = s->out = s->source_out = s->want = s->fed = s->noticed_to = 0;
	s->watch.at = s->watched = UINT64_MAX;
	s->line = s->column = 1;
	s->shown = false;
	s->started = s->after_cr = s->finished = false;
	s->status = URLSIFT_OK;
	s->notices = s->exceeded.count = 0;
	s->link.failed = s->ruled.failed = false;
}

static void take_options(urlsift_scanner *s, const urlsift_options *o, const struct scheme_names *names)
{
	s->rules = (struct rules){
		.email = o->value[URLSIFT_OPT_EMAIL], .domains = o->value[URLSIFT_OPT_DOMAINS],
		.www_https = o->value[URLSIFT_OPT_WWW_HTTPS], .refang = o->value[URLSIFT_OPT_REFANG],
		.guess = o->value[URLSIFT_OPT_GUESS],
		.join = (urlsift_join)o->value[URLSIFT_OPT_JOIN], .hyphen = (urlsift_hyphen)o->value[URLSIFT_OPT_HYPHEN],
		.max_url = (size_t)o->value[URLSIFT_OPT_MAX_URL], .max_breaks = (size_t)o->value[URLSIFT_OPT_MAX_BREAKS],
		.max_alternates = (size_t)o->value[URLSIFT_OPT_MAX_ALTERNATES],
		.exceeded = &s->exceeded
	};
	s->positions = o->value[URLSIFT_OPT_POSITIONS];
	s->plain = o->value[URLSIFT_OPT_PLAIN];
	s->labels = o->value[URLSIFT_OPT_LABELS];
	s->context = (size_t)o->value[URLSIFT_OPT_CONTEXT];
	s->terminal.refangs = s->rules.refang;
	if (s->rules.refang)
		refang_pairs_init(&s->terminal.pairs);
	s->rules.simd = simd_choose((urlsift_implementation)o->value[URLSIFT_OPT_IMPLEMENTATION]);
	bool refang = s->rules.refang;
	s->finder = (struct finder){
		.simd = s->rules.simd, .names = names,
		.marks = (s->rules.email || refang ? TRIGGER_AT : 0u) | (s->rules.domains || refang ? TRIGGER_DOT : 0u)
	};
}

urlsift_scanner *urlsift_new(urlsift_context *context, const urlsift_options *options, const urlsift_sink *sink,
                             urlsift_status *status)
{
	urlsift_status own;
	status = status ? status : &own;
	*status = URLSIFT_BAD_ARGUMENT;
	if (!context || !sink || !sink->piece)
		return NULL;
	*status = URLSIFT_NO_MEMORY;
	const urlsift_options o = options_or_defaults(options);
	urlsift_scanner *s = alloc_get(&context->alloc, sizeof *s);
	if (!s)
		return NULL;
	s->alloc = context->alloc;
	s->sink = *sink;
	take_options(s, &o, &context->names);
	if (o.base) {
		s->base = alloc_get(&s->alloc, o.base_length);
		if (!s->base) {
			alloc_put(&context->alloc, s);
			return NULL;
		}
		memcpy(s->base, o.base, o.base_length);
		s->base_length = o.base_length;
	}
	buf_init(&s->hold, &s->alloc, HOLD_MAX);
	link_init(&s->link, &s->alloc);
	link_init(&s->ruled, &s->alloc);
	terminal_init(&s->terminal, &s->alloc, HOLD_MAX);
	if (o.link_rules)
		s->link_rules = link_rules_search_new(&s->alloc, o.link_rules);
	if (!o.link_rules || s->link_rules)
		s->own_charset = charset_new(&s->alloc, o.charset, status);
	if (!s->own_charset) {
		urlsift_free(s);
		return NULL;
	}
	urlsift_reset(s);
	return s;
}

/* ---- text in ---- */

/* The first offset that still has to be in memory. */
static uint64_t keep_from(const urlsift_scanner *s)
{
	uint64_t back = s->pos > BACK ? s->pos - BACK : 0;
	return s->out < back ? s->out : back;
}

/* Appends the n bytes after the held text to it, without their sequences. */
static void strip(urlsift_scanner *s, size_t n, bool last)
{
	if (!terminal_strip(&s->terminal, s->hold.data + s->hold.length, &n, last))
		s->status = URLSIFT_NO_MEMORY;
	s->hold.length += n;
	s->end += n;
}

/* Searches the first `end` bytes of the held text; what follows the first sequence in it is stripped, and then all is
 * searched again. */
static void hold_search(urlsift_scanner *s, size_t end, bool last)
{
	for (bool terminal = !s->terminal.on; terminal != s->terminal.on && s->status == URLSIFT_OK;) {
		if (!buf_reserve(&s->hold, FIND_AHEAD)) {
			s->status = URLSIFT_NO_MEMORY;
			return;
		}
		memset(s->hold.data + s->hold.length, 0, FIND_AHEAD);
		struct view held = {
			.p = s->hold.data, .at = s->hold_at, .end = end, .first = !s->hold_at, .last = last
		};
		terminal = s->terminal.on;
		scan_window(s, &held);
		if (terminal == s->terminal.on)
			break;
		size_t whole = (size_t)(s->terminal.at - s->hold_at), n = s->hold.length - whole;
		s->hold.length = whole;
		s->end = s->terminal.at;
		strip(s, n, last);
		end = s->hold.length;
	}
}

static void hold_run(urlsift_scanner *s, bool last)
{
	if (s->end < s->want && !last)
		return;
	hold_search(s, s->hold.length, last);
	uint64_t keep = keep_from(s);
	size_t done = keep > s->hold_at ? (size_t)(keep - s->hold_at) : 0;
	if (done > SEAM && done > s->hold.length / 2) {
		buf_drop(&s->hold, done);
		s->hold_at = keep;
	}
}

/* Appends the beginning of a block to the held text.  Returns how many bytes it took: all, or so many that nothing
 * before the block is needed any more. */
static size_t hold_feed(urlsift_scanner *s, const uint8_t *text, size_t n)
{
	uint64_t block = s->end;
	size_t taken = 0;
	while (taken < n && s->status == URLSIFT_OK) {
		size_t take = s->want > s->end ? (size_t)(s->want - s->end) : 0;
		take = larger(take, SEAM);
		take = take < n - taken ? take : n - taken;
		if (!buf_add(&s->hold, text + taken, take)) {
			s->status = URLSIFT_NO_MEMORY;
			break;
		}
		taken += take;
		s->end += take;
		hold_run(s, false);
		if (s->terminal.on)
			break;
		if (taken < n && keep_from(s) >= block) {
			s->hold.length = 0;
			break;
		}
	}
	return taken;
}

/* Text that is not needed any more has no offsets.  A sequence that was removed is handed out after it. */
static void forget(urlsift_scanner *s)
{
	uint64_t out = s->out;
	if (s->terminal.used) {
		struct removed r;
		out = terminal_source(&s->terminal, out);
		out = terminal_removed(&s->terminal, &r) && r.raw < out ? r.raw : out;
		map_forget(&s->terminal.map, s->out);
	}
	charset_forget(s->charset, out);
}

/* Appends raw bytes, at most SEAM, to the held text without their sequences, up to where the terminal may be turned
 * off.  Returns how many it took. */
static size_t terminal_feed(urlsift_scanner *s, const uint8_t *text, size_t n, bool last)
{
	size_t held = s->terminal.held_n, take = smaller(smaller(n, SEAM), terminal_before_stop(&s->terminal));
	if (!buf_reserve(&s->hold, held + take + 1)) {
		s->status = URLSIFT_NO_MEMORY;
		return 0;
	}
	memcpy(s->hold.data + s->hold.length, s->terminal.held, held);
	if (take)
		memcpy(s->hold.data + s->hold.length + held, text, take);
	strip(s, held + take, last);
	if (s->status != URLSIFT_OK || last)
		return take;
	hold_run(s, false);
	if (terminal_is_quiet(&s->terminal)) {
		terminal_feed(s, NULL, 0, true);
		terminal_stop(&s->terminal, s->end);
		scanner_find_watched(s);
	}
	return take;
}

/* Takes text while the terminal is off. */
static size_t raw_feed(urlsift_scanner *s, const uint8_t *text, size_t n)
{
	uint64_t block = s->end;
	size_t taken = s->hold.length || block + n < s->want ? hold_feed(s, text, n) : 0;
	if (taken == n || s->terminal.on || s->status != URLSIFT_OK)
		return taken;
	s->end = block + n;
	scan_window(s, &(struct view){.p = text, .at = block, .end = n, .first = !block});
	if (s->terminal.on)
		s->end = s->terminal.at;
	uint64_t keep = keep_from(s);
	s->hold_at = keep = keep > block ? keep : block;
	if (s->status == URLSIFT_OK && !buf_add(&s->hold, text + (keep - block), (size_t)(s->end - keep)))
		s->status = URLSIFT_NO_MEMORY;
	return (size_t)(s->end - block);
}

/* Takes text from the charset decoder. */
static urlsift_status scan_feed(void *scanner, const uint8_t *text, size_t n)
{
	urlsift_scanner *s = scanner;
	for (size_t taken; n && s->status == URLSIFT_OK; text += taken, n -= taken) {
		forget(s);
		taken = s->terminal.on ? terminal_feed(s, text, n, false) : raw_feed(s, text, n);
	}
	return s->status;
}

/* ---- the calls ---- */

/* Whether a call may be made; if not, what it returns. */
static urlsift_status check_call(const urlsift_scanner *s, bool good)
{
	return !s || !good ? URLSIFT_BAD_ARGUMENT : s->finished || s->busy ? URLSIFT_BAD_STATE : URLSIFT_OK;
}

urlsift_status urlsift_feed(urlsift_scanner *s, const void *bytes, size_t length)
{
	urlsift_status status = check_call(s, bytes || !length);
	if (status != URLSIFT_OK)
		return status;
	if (s->status == URLSIFT_OK && length) {
		s->busy = true;
		s->fed += length;
		status = charset_feed(s->charset, bytes, length, scan_feed, s);
		if (s->status == URLSIFT_OK)
			s->status = status;
		s->busy = false;
	}
	return s->status;
}

/* How much of the held text can be searched now: a character that the next bytes may overstrike (B1) is not part of
 * it. */
static size_t flushed_end(const urlsift_scanner *s)
{
	const uint8_t *p = s->hold.data;
	size_t n = s->hold.length;
	if (s->terminal.on || !n || p[n - 1] <= ' ')
		return n;
	while (n > 1 && (p[n - 1] & 0xC0) == 0x80)
		n--;
	return n - 1;
}

urlsift_status urlsift_flush(urlsift_scanner *s)
{
	urlsift_status status = check_call(s, true);
	if (status != URLSIFT_OK)
		return status;
	if (s->status == URLSIFT_OK && s->hold.length) {
		s->busy = s->flushing = true;
		hold_search(s, flushed_end(s), false);
		s->busy = s->flushing = false;
	}
	return s->status;
}

static void finish(urlsift_scanner *s)
{
	urlsift_status status = charset_finish(s->charset, scan_feed, s);
	if (s->status == URLSIFT_OK)
		s->status = status;
	if (s->status == URLSIFT_OK && s->terminal.on)
		terminal_feed(s, NULL, 0, true);
	if (s->status == URLSIFT_OK)
		hold_run(s, true);
	if (s->status == URLSIFT_OK && s->source_out < s->fed)
		emit_plain(s, &(struct view){.p = s->hold.data, .at = s->out, .last = true}, s->out, s->fed);
}

urlsift_status urlsift_finish(urlsift_scanner *s)
{
	urlsift_status status = check_call(s, true);
	if (status != URLSIFT_OK)
		return status;
	s->finished = s->busy = true;
	if (s->status == URLSIFT_OK)
		finish(s);
	s->busy = false;
	return s->status;
}

enum { GATHER = 8192 }; /* bytes: the other layer hands on a line at a time */

void scanner_begin(urlsift_scanner *s, const struct embed *e)
{
	s->charset = e->charset ? e->charset : s->own_charset;
	s->flowed = s->rules.join == URLSIFT_JOIN_NEVER ? FLOWED_NOT : e->flowed;
	s->rules.base = e->base.length ? e->base.bytes : s->base;
	s->rules.base_length = e->base.length ? e->base.length : s->base_length;
	if (e->sink)
		s->sink = *e->sink;
	charset_reset(s->charset);
	charset_use(s->charset, s->rules.simd);
	start(s);
	s->gather = e->sink ? GATHER : 0;
	s->want = s->gather;
}

void urlsift_reset(urlsift_scanner *s)
{
	if (s && !s->busy)
		scanner_begin(s, &(struct embed){0});
}

/* ---- ranges of a text ---- */

void scanner_seek(urlsift_scanner *s, uint64_t offset, uint64_t line)
{
	charset_seek(s->charset, offset);
	s->hold_at = s->end = s->floor = s->last_part = s->last_first = s->unclosed = offset;
	s->out = s->source_out = s->fed = offset;
	s->pos = offset + BACK;
	s->line = line;
	s->started = true;
}

void scanner_find_watched(urlsift_scanner *s)
{
	uint64_t at = s->watch.at, shift = s->terminal.used ? s->terminal.shift : 0;
	s->watched = at == UINT64_MAX ? at : s->terminal.on || at < shift ? 0 : at - shift;
}

void scanner_watch(urlsift_scanner *s, uint64_t offset, scanner_reached *reached, void *user)
{
	s->watch.at = offset;
	s->watch.reached = reached;
	s->watch.user = user;
	scanner_find_watched(s);
}

/* Where `at` is from `offset`: no rule looks back farther than BACK. */
static uint64_t distance(uint64_t at, uint64_t offset)
{
	return at >= offset ? at - offset + BACK + 1 : offset - at < BACK ? offset - at : BACK;
}

/* 0 where a link goes on, and where what follows depends on more than what is compared here. */
static uint64_t state_at(const urlsift_scanner *s, uint64_t at)
{
	bool clean = s->block.kind == BLOCK_NONE && charset_is_source(s->charset) && !s->link_rules && s->floor <= at
	             && terminal_is_forgotten(&s->terminal, at);
	uint64_t first = distance(s->last_first, at), state = 1;
	const uint64_t facts[] = {distance(s->floor, at), distance(s->last_part, at), distance(s->unclosed, at),
	                          s->shown && first < BACK ? first : BACK};
	for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
		state = (state ^ facts[k]) * 0x9E3779B97F4A7C15u;
	return clean ? state | 2 : 0;
}

void scanner_note(urlsift_scanner *s)
{
	const struct terminal *t = &s->terminal;
	uint64_t pos = t->used ? terminal_source(&s->terminal, s->pos) : s->pos; /* in the source */
	while (pos >= s->watch.at)
		s->watch.at = s->watch.reached(s->watch.user, state_at(s, s->watch.at - (t->used ? t->shift : 0)));
	scanner_find_watched(s);
}

void urlsift_free(urlsift_scanner *s)
{
	if (!s || s->busy)
		return;
	urlsift_allocator a = s->alloc;
	charset_free(s->own_charset);
	buf_fini(&s->hold);
	terminal_fini(&s->terminal);
	link_fini(&s->link);
	link_fini(&s->ruled);
	link_rules_search_free(s->link_rules);
	alloc_put(&a, s->base);
	alloc_put(&a, s);
}

size_t scanner_memory_bound(void)
{
	struct urlsift_link l;
	urlsift_allocator none = {0};
	link_init(&l, &none);
	size_t link = l.copy.cap + l.spans.cap + l.ranges.cap + l.others.cap + l.resolved.cap;
	return sizeof(urlsift_scanner) + sizeof(urlsift_context) + HOLD_MAX + 2 * link + 2 * (size_t)URL_MAX
	       + charset_memory_bound() + terminal_memory_bound(HOLD_MAX) + grammar_memory_bound(URL_MAX);
}

#ifdef URLSIFT_COUNT_WORK
uint64_t urlsift_work(const urlsift_scanner *s);
uint64_t urlsift_work(const urlsift_scanner *s) { return s->work; }
#endif
