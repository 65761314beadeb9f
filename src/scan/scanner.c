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

static void take_options(urlsift_scanner *s, const urlsift_options *o)
{
	s->settings.rules = (struct rules){
		.email = o->value[URLSIFT_OPT_EMAIL], .domains = o->value[URLSIFT_OPT_DOMAINS],
		.ipv4 = o->value[URLSIFT_OPT_IPV4], .www_https = o->value[URLSIFT_OPT_WWW_HTTPS],
		.refang = o->value[URLSIFT_OPT_REFANG], .cut_hosts = o->cut_hosts,
		.guess = o->value[URLSIFT_OPT_GUESS],
		.hyphen = (urlsift_hyphen)o->value[URLSIFT_OPT_HYPHEN],
		.max_url = (size_t)o->value[URLSIFT_OPT_MAX_URL], .max_breaks = (size_t)o->value[URLSIFT_OPT_MAX_BREAKS],
		.max_alternates = (size_t)o->value[URLSIFT_OPT_MAX_ALTERNATES],
		.exceeded = &s->search.exceeded
	};
	s->settings.join = (urlsift_join)o->value[URLSIFT_OPT_JOIN];
	s->settings.positions = o->value[URLSIFT_OPT_POSITIONS];
	s->settings.asked = o->value[URLSIFT_OPT_PLAIN];
	s->settings.labels = o->value[URLSIFT_OPT_LABELS];
	s->settings.context = (size_t)o->value[URLSIFT_OPT_CONTEXT];
	bool refang = s->in.terminal.refangs = s->settings.rules.refang;
	if (refang)
		refang_pairs_init(&s->in.terminal.pairs);
	s->settings.rules.simd = simd_choose((urlsift_implementation)o->value[URLSIFT_OPT_IMPLEMENTATION]);
	s->settings.finder = (struct finder){
		.simd = s->settings.rules.simd,
		.marks = bits_if(s->settings.rules.email || refang, TRIGGER_AT)
		         | bits_if(s->settings.rules.domains || s->settings.rules.ipv4 || refang, TRIGGER_DOT)
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
	urlsift_scanner *s = alloc_get_head(&context->alloc, sizeof *s, offsetof(urlsift_scanner, in.terminal));
	if (!s)
		return NULL;
	s->settings.alloc = context->alloc;
	s->settings.sink = *sink;
	terminal_init(&s->in.terminal, &s->settings.alloc, HOLD_MAX);
	take_options(s, &o);
	if (o.base) {
		s->settings.base = alloc_get(&s->settings.alloc, o.base_length);
		if (!s->settings.base) {
			alloc_put(&context->alloc, s);
			return NULL;
		}
		memcpy(s->settings.base, o.base, o.base_length);
		s->settings.base_length = o.base_length;
	}
	buf_init(&s->in.hold, &s->settings.alloc, HOLD_MAX);
	link_init(&s->link, &s->settings.alloc);
	link_init(&s->ruled, &s->settings.alloc);
	if (o.link_rules)
		s->out.link_rules = link_rules_search_new(&s->settings.alloc, o.link_rules);
	if (!o.link_rules || s->out.link_rules)
		s->in.own_charset = charset_new(&s->settings.alloc, o.charset, status);
	if (!s->in.own_charset) {
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
	return earlier(s->out.text, beyond(s->search.pos, BACK));
}

/* Appends the n bytes after the held text to it, without their sequences. */
static void strip(urlsift_scanner *s, size_t n, bool last)
{
	scanner_need(s, terminal_strip(&s->in.terminal, s->in.hold.data + s->in.hold.length, &n, last));
	s->in.hold.length += n;
	s->in.end += n;
}

/* Searches the first `end` bytes of the held text; what follows the first sequence in it is stripped, and then all is
 * searched again. */
static void hold_search(urlsift_scanner *s, size_t end, bool last)
{
	do {
		if (!buf_reserve(&s->in.hold, FIND_AHEAD)) {
			s->status = URLSIFT_NO_MEMORY;
			return;
		}
		memset(s->in.hold.data + s->in.hold.length, 0, FIND_AHEAD);
		struct view held = {
			.p = s->in.hold.data, .at = s->in.hold_at, .end = end, .first = s->in.hold_at == s->in.begin,
			.last = last
		};
		const bool terminal = s->in.terminal.on;
		scan_window(s, &held);
		if (terminal == s->in.terminal.on)
			return;
		size_t whole = (size_t)(s->in.terminal.at - s->in.hold_at), n = s->in.hold.length - whole;
		s->in.hold.length = whole;
		s->in.end = s->in.terminal.at;
		strip(s, n, last);
		end = s->in.hold.length;
	} while (s->status == URLSIFT_OK);
}

static void hold_run(urlsift_scanner *s, bool last)
{
	if (s->in.end < s->in.want && !last)
		return;
	hold_search(s, s->in.hold.length, last);
	uint64_t keep = keep_from(s);
	size_t done = (size_t)beyond(keep, s->in.hold_at);
	if (done > larger(SEAM, s->in.hold.length / 2)) {
		buf_drop(&s->in.hold, done);
		s->in.hold_at = keep;
	}
}

/* Appends the beginning of a block to the held text.  Returns how many bytes it took: all, or so many that nothing
 * before the block is needed any more. */
static size_t hold_feed(urlsift_scanner *s, const uint8_t *text, size_t n)
{
	uint64_t block = s->in.end;
	size_t taken = 0;
	while (taken < n && s->status == URLSIFT_OK) {
		size_t take = larger((size_t)beyond(s->in.want, s->in.end), SEAM);
		take = smaller(take, n - taken);
		if (!buf_add(&s->in.hold, text + taken, take)) {
			s->status = URLSIFT_NO_MEMORY;
			break;
		}
		taken += take;
		s->in.end += take;
		hold_run(s, false);
		if (s->in.terminal.on)
			break;
		if (taken < n && keep_from(s) >= block) {
			s->in.hold.length = 0;
			break;
		}
	}
	return taken;
}

/* Text that is not needed any more has no offsets.  A sequence that was removed is handed out after it. */
static void forget(urlsift_scanner *s)
{
	uint64_t out = s->out.text;
	if (s->in.terminal.used) {
		struct removed r;
		out = terminal_source(&s->in.terminal, out);
		out = terminal_removed(&s->in.terminal, &r) ? earlier(r.raw, out) : out;
		map_forget(&s->in.terminal.map, s->out.text);
	}
	charset_forget(s->in.charset, out);
}

/* Appends raw bytes, at most SEAM, to the held text without their sequences, up to where the terminal may be turned
 * off.  Returns how many it took. */
static size_t terminal_feed(urlsift_scanner *s, const uint8_t *text, size_t n, bool last)
{
	size_t held = s->in.terminal.held_n, take = smaller(smaller(n, SEAM), terminal_before_stop(&s->in.terminal));
	if (!buf_reserve(&s->in.hold, held + take + 1)) {
		s->status = URLSIFT_NO_MEMORY;
		return 0;
	}
	memcpy(s->in.hold.data + s->in.hold.length, s->in.terminal.held, held);
	memcpy(s->in.hold.data + s->in.hold.length + held, text, take);
	strip(s, held + take, last);
	if (s->status != URLSIFT_OK || last)
		return take;
	hold_run(s, false);
	if (terminal_is_quiet(&s->in.terminal)) {
		terminal_feed(s, (const uint8_t *)"", 0, true);
		terminal_stop(&s->in.terminal, s->in.end);
		scanner_find_watched(s);
	}
	return take;
}

/* Takes text while the terminal is off. */
static size_t raw_feed(urlsift_scanner *s, const uint8_t *text, size_t n)
{
	uint64_t block = s->in.end;
	size_t taken = s->in.hold.length || block + n < s->in.want ? hold_feed(s, text, n) : 0;
	if (taken == n || s->in.terminal.on || s->status != URLSIFT_OK)
		return taken;
	s->in.end = block + n;
	scan_window(s, &(struct view){.p = text, .at = block, .end = n, .first = block == s->in.begin});
	if (s->in.terminal.on)
		s->in.end = s->in.terminal.at;
	uint64_t keep = keep_from(s);
	s->in.hold_at = keep = later(keep, block);
	if (s->status == URLSIFT_OK) /* else it may be more than is held */
		scanner_need(s, buf_add(&s->in.hold, text + (keep - block), (size_t)(s->in.end - keep)));
	return (size_t)(s->in.end - block);
}

/* Takes text from the charset decoder. */
static urlsift_status scan_feed(void *scanner, const uint8_t *text, size_t n)
{
	urlsift_scanner *s = scanner;
	for (size_t taken; n && s->status == URLSIFT_OK; text += taken, n -= taken) {
		forget(s);
		taken = s->in.terminal.on ? terminal_feed(s, text, n, false) : raw_feed(s, text, n);
	}
	return s->status;
}

/* ---- the calls ---- */

/* Whether a call may be made; if not, what it returns. */
static urlsift_status check_call(const urlsift_scanner *s, bool good)
{
	return !s || !good ? URLSIFT_BAD_ARGUMENT : s->in.finished || s->in.busy ? URLSIFT_BAD_STATE : URLSIFT_OK;
}

/* What the decoder returned, unless the scanner has failed before. */
static void take_status(urlsift_scanner *s, urlsift_status status)
{
	if (s->status == URLSIFT_OK)
		s->status = status;
}

/* Decodes bytes for what takes the text, with its argument. */
static urlsift_status feed(urlsift_scanner *s, const void *bytes, size_t length, charset_sink take, void *user)
{
	urlsift_status status = check_call(s, bytes || !length);
	if (status != URLSIFT_OK)
		return status;
	if (s->status == URLSIFT_OK && length) {
		s->in.busy = true;
		s->in.fed += length;
		take_status(s, charset_feed(s->in.charset, bytes, length, take, user));
		s->in.busy = false;
	}
	return s->status;
}

urlsift_status urlsift_feed(urlsift_scanner *s, const void *bytes, size_t length)
{
	return feed(s, bytes, length, scan_feed, s);
}

/* How much text is read again for each call, and for each byte that was fed since it was read last, so that all calls
 * are linear. */
enum { HELD_ALWAYS = 4096, HELD_A_BYTE = 256 };

urlsift_status urlsift_flush(urlsift_scanner *s)
{
	urlsift_status status = check_call(s, true);
	if (status != URLSIFT_OK)
		return status;
	const uint64_t due = HELD_ALWAYS + HELD_A_BYTE * (s->in.fed - s->in.flushed);
	if (s->status == URLSIFT_OK && s->in.hold.length && s->in.hold.length <= due) {
		const uint8_t *p = s->in.hold.data;
		size_t end = s->in.hold.length;
		if (!s->in.terminal.on) { /* without a character that the next bytes may overstrike (B1) */
			while (end > 1 && (p[end - 1] & 0xC0) == 0x80)
				end--;
			end -= p[end - 1] > ' ';
		}
		s->in.flushed = s->in.fed;
		s->in.busy = s->in.flushing = true;
		hold_search(s, end, false);
		s->in.busy = s->in.flushing = false;
	}
	return s->status;
}

/* Searches all that was fed and decoded. */
static void finish_text(urlsift_scanner *s)
{
	if (s->status == URLSIFT_OK && s->in.terminal.on)
		terminal_feed(s, (const uint8_t *)"", 0, true);
	if (s->status == URLSIFT_OK)
		hold_run(s, true);
}

urlsift_status urlsift_finish(urlsift_scanner *s)
{
	urlsift_status status = check_call(s, true);
	if (status != URLSIFT_OK)
		return status;
	s->in.finished = s->in.busy = true;
	if (s->status == URLSIFT_OK) {
		take_status(s, charset_finish(s->in.charset, scan_feed, s));
		finish_text(s);
		if (s->status == URLSIFT_OK && s->out.source < s->in.fed)
			emit_plain(s, &(struct view){.p = s->in.hold.data, .at = s->out.text, .last = true}, s->out.text,
			           s->in.fed);
	}
	s->in.busy = false;
	return s->status;
}

/* The text ends here, and another one begins: no link goes over this offset, nothing before it is looked at. */
static void cut(urlsift_scanner *s)
{
	if (s->in.hold.length || s->in.terminal.on)
		finish_text(s);
	const uint64_t at = s->in.end;
	if (s->in.terminal.on) {
		terminal_stop(&s->in.terminal, at);
		scanner_find_watched(s);
	}
	s->in.hold.length = 0;
	s->in.hold_at = s->in.begin = s->out.ruled_to = s->out.ruled_line = at;
	s->search.pos = s->search.floor = s->search.last_part = s->search.last_first = s->search.unclosed = at;
	s->search.block.kind = BLOCK_NONE;
	s->search.shown = false;
	s->in.started = true;
	s->in.want = 0;
}

struct texts {
	urlsift_scanner *scanner;
	scanner_divide *divide;
	void *user;
};

/* Begins a text. */
static void begin(urlsift_scanner *s)
{
	cut(s);
	if (s->in.terminal.refangs)
		scanner_need(s, terminal_start(&s->in.terminal, s->in.end, 0));
}

/* Feeds whole texts, n bytes at p, that hold no link: what is done for each is done for all of them together. */
static void feed_plain(urlsift_scanner *s, const uint8_t *p, size_t n)
{
	cut(s);
	const struct view v = {.p = p, .at = s->in.end, .end = n, .last = true};
	if (s->status != URLSIFT_OK)
		return;
	forget(s);
	s->in.hold_at = s->in.end = s->search.pos = v.at + n;
	emit_settled(s, &v);
}

enum { SHORTEST = 3 }; /* no link has fewer bytes */

/* Takes text from the charset decoder. */
static urlsift_status texts_feed(void *texts, const uint8_t *text, size_t n)
{
	const struct texts *t = texts;
	urlsift_scanner *s = t->scanner;
	const size_t end = excess(n, FIND_AHEAD);
	size_t plain = 0, trigger = 0; /* [plain, i) holds no link, [i, trigger) no trigger byte */
	struct find_state find;
	find_begin(&find, text);
	for (size_t i = 0, k; i < n && s->status == URLSIFT_OK; i += k) {
		const bool other = t->divide(t->user, text + i, n - i, &k);
		const bool whole = other && k < n - i;
		if (trigger < i && i < end) {
			trigger = find_next(&s->settings.finder, &find, i, end);
			if (s->in.terminal.refangs) /* a form may stand for one */
				trigger = refang_find(&s->in.terminal.pairs, text, i, trigger, false);
		}
		/* a rule of the user finds links without a trigger byte, and of any length */
		if (whole && !s->out.link_rules && (k < SHORTEST || i + k <= trigger))
			continue;
		if (plain < i)
			feed_plain(s, text + plain, i - plain);
		if (other)
			begin(s);
		if (whole && k < SEAM)
			scanner_await(s, s->in.end + k + 1); /* it is searched once, at its end */
		scan_feed(s, text + i, k);
		plain = i + k;
	}
	return s->status;
}

urlsift_status scanner_feed_texts(urlsift_scanner *s, const void *bytes, size_t n, scanner_divide *divide, void *user)
{
	return feed(s, bytes, n, texts_feed, &(struct texts){ s, divide, user });
}

enum { GATHER = 8192 }; /* bytes: the other layer hands on a line at a time */

void scanner_begin(urlsift_scanner *s, const struct embed *e)
{
	s->in.charset = e->charset ? e->charset : s->in.own_charset;
	const bool content = e->flowed == FLOWED_CONTENT;
	s->settings.plain = s->settings.asked || content; /* the other layer reads the beginnings of its lines */
	s->settings.rules.join = s->settings.join;
	s->settings.flowed = e->flowed;
	if (content)
		s->settings.rules.join = URLSIFT_JOIN_NEVER;
	else if (s->settings.join == URLSIFT_JOIN_NEVER)
		s->settings.flowed = FLOWED_NEVER;
	s->settings.rules.base = s->settings.base;
	s->settings.rules.base_length = s->settings.base_length;
	if (e->base.length) {
		s->settings.rules.base = e->base.bytes;
		s->settings.rules.base_length = e->base.length;
	}
	if (e->sink)
		s->settings.sink = *e->sink;
	charset_reset(s->in.charset);
	charset_use(s->in.charset, s->settings.rules.simd);
	s->in.hold.length = 0;
	terminal_reset(&s->in.terminal);
	s->search.block.kind = BLOCK_NONE;
	s->in.hold_at = s->in.begin = s->in.end = s->out.ruled_to = s->out.ruled_line = 0;
	s->search.pos = s->search.floor = s->search.last_part = s->search.unclosed = 0;
	s->in.fed = s->in.flushed = 0;
	s->search.block_end = s->out.text = s->out.source = s->search.noticed_to = 0;
	s->search.watch.at = s->search.watched = UINT64_MAX;
	s->out.point = (struct point){1, 1};
	s->search.shown = false;
	s->in.started = s->out.after_cr = s->in.finished = false;
	s->status = URLSIFT_OK;
	s->out.notices = s->search.exceeded.count = 0;
	s->link.failed = s->ruled.failed = false;
	s->settings.gather = e->sink ? GATHER : 0;
	s->in.want = s->settings.gather;
}

void urlsift_reset(urlsift_scanner *s)
{
	if (s && !s->in.busy)
		scanner_begin(s, &(struct embed){0});
}

void scanner_await(urlsift_scanner *s, uint64_t length) { s->in.want = length; }

void scanner_renew(urlsift_scanner *s, const urlsift_options *o)
{
	take_options(s, o);
	urlsift_reset(s);
}

/* ---- ranges of a text ---- */

void scanner_seek(urlsift_scanner *s, uint64_t offset, uint64_t line)
{
	charset_seek(s->in.charset, offset);
	s->in.hold_at = s->in.end = offset;
	s->search.floor = s->search.last_part = s->search.last_first = s->search.unclosed = offset;
	s->out.text = s->out.source = s->in.fed = s->in.flushed = offset;
	s->search.pos = offset + BACK;
	s->out.point.line = line;
	s->in.started = true;
}

void scanner_find_watched(urlsift_scanner *s)
{
	uint64_t at = s->search.watch.at, shift = s->in.terminal.shift;
	s->search.watched = at == UINT64_MAX ? at : s->in.terminal.on ? 0 : beyond(at, shift);
}

void scanner_watch(urlsift_scanner *s, uint64_t offset, scanner_reached *reached, void *user)
{
	s->search.watch = (struct scanner_watch){offset, reached, user};
	scanner_find_watched(s);
}

/* Where `at` is from `offset`: no rule looks back farther than BACK. */
static uint64_t distance(uint64_t at, uint64_t offset)
{
	return at >= offset ? at - offset + BACK + 1 : earlier(offset - at, BACK);
}

/* 0 where a link goes on, and where what follows depends on more than what is compared here. */
static uint64_t state_at(const urlsift_scanner *s, uint64_t at)
{
	const struct scanner_search *search = &s->search;
	bool clean = search->block.kind == BLOCK_NONE && charset_is_source(s->in.charset) && search->floor <= at
	              && terminal_is_forgotten(&s->in.terminal, at);
	uint64_t first = distance(search->last_first, at), state = 1;
	const uint64_t facts[] = {distance(search->floor, at), distance(search->last_part, at),
	                          distance(search->unclosed, at), search->shown ? earlier(first, BACK) : BACK};
	for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
		state = (state ^ facts[k]) * 0x9E3779B97F4A7C15u;
	return clean ? state | 2 : 0;
}

void scanner_note(urlsift_scanner *s)
{
	struct scanner_watch *watch = &s->search.watch;
	uint64_t pos = terminal_source(&s->in.terminal, s->search.pos); /* in the source */
	while (pos >= watch->at)
		watch->at = watch->reached(watch->user, state_at(s, watch->at - s->in.terminal.shift));
	scanner_find_watched(s);
}

void urlsift_free(urlsift_scanner *s)
{
	if (!s || s->in.busy)
		return;
	urlsift_allocator a = s->settings.alloc;
	charset_free(s->in.own_charset);
	buf_fini(&s->in.hold);
	terminal_fini(&s->in.terminal);
	link_fini(&s->link);
	link_fini(&s->ruled);
	link_rules_search_free(s->out.link_rules);
	alloc_put(&a, s->settings.base);
	alloc_put(&a, s);
}

size_t scanner_memory_bound(void)
{
	struct urlsift_link l;
	urlsift_allocator none = {0};
	link_init(&l, &none);
	size_t link = l.copy.cap + l.spans.cap + l.ranges.cap + l.alternates.texts.cap + l.resolved.cap;
	return sizeof(urlsift_scanner) + sizeof(urlsift_context) + HOLD_MAX + 2 * link + 2 * (size_t)URL_MAX
	       + charset_memory_bound() + terminal_memory_bound(HOLD_MAX) + grammar_memory_bound();
}
