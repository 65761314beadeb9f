/* The push scanner: text comes in by blocks, pieces go out.
 *
 * Places are offsets of the text from its first byte.  While nothing is pending
 * the search runs over the caller's bytes in place; what a link may still need
 * is copied into `hold`, and the search goes on there until it has left the copy
 * behind.  A rule that needs more text is asked again only when there is twice as
 * much, so that all asking together stays linear. */
#include "block.h"
#include "candidate.h"
#include "find.h"
#include "mismatch.h"
#include "options.h"
#include "text/charset.h"
#include "text/utf8.h"
#include "url/grammar.h"

#include <string.h>

enum {
	AHEAD_MAX = SPAN_MAX + 16 * 1024, /* no rule looks farther than that */
	SEAM = 8 * 1024,                  /* how much of a new block joins what is held at once */
	HOLD_MAX = 2 * AHEAD_MAX + SEAM + 64 * 1024
};

struct urlsift_scanner {
	urlsift_allocator alloc;
	struct rules rules;
	char *base;
	struct finder finder;
	urlsift_sink sink;
	struct charset *charset;
	struct urlsift_link link;
	struct block_state block;
	struct buf hold;
	uint64_t hold_at;   /* where hold.data[0] stands */
	uint64_t end;       /* of the text so far */
	uint64_t pos;       /* where the search goes on */
	uint64_t floor;     /* end of the last link */
	uint64_t last_part; /* where its last part begins */
	uint64_t last_first; /* where its first part begins */
	bool shown;         /* it has no other part */
	uint64_t unclosed;  /* end of the last text in which an emphasis did not close */
	uint64_t out;       /* text before this is out */
	uint64_t source_out;
	uint64_t want;      /* nothing can be decided before the text reaches this */
	uint64_t fed;       /* bytes of the source */
	bool positions, started;
	urlsift_status status;
	bool finished;
	/* line and column of `out` (both from 1) */
	uint64_t line, column;
	bool after_cr;
	const char *limit;
	uint64_t limit_value;
	size_t limit_at;
#ifdef URLSIFT_COUNT_WORK
	uint64_t work;
#endif
};

/* A stretch of text in memory: what run() works on. */
struct window {
	const uint8_t *p;
	uint64_t at; /* where p[0] stands */
	size_t n;
	bool last;
};

/* ---- lines and columns ---- */

static void count_positions(urlsift_scanner *s, const uint8_t *p, size_t n)
{
	size_t tail = 0;
	if (s->after_cr && n && p[0] == '\n')
		tail = 1; /* CRLF in two pieces: counted with its CR */
	s->after_cr = n && p[n - 1] == '\r';
	if (!memchr(p, '\r', n)) {
		for (const uint8_t *q = p + tail; (q = memchr(q, '\n', n - (size_t)(q - p))); q++) {
			s->line++;
			s->column = 1;
			tail = (size_t)(q - p) + 1;
		}
	} else {
		for (size_t i = tail; i < n; i++) {
			if (p[i] != '\n' && (p[i] != '\r' || (i + 1 < n && p[i + 1] == '\n')))
				continue;
			s->line++;
			s->column = 1;
			tail = i + 1;
		}
	}
	uint32_t cp;
	for (; tail < n; s->column++)
		tail += p[tail] < 0x80 ? 1 : utf8_next(p + tail, n - tail, &cp);
}

/* ---- pieces ---- */

static void emit(urlsift_scanner *s, const struct window *w, uint64_t upto, const urlsift_link *link, size_t part, uint64_t source_end)
{
	urlsift_piece piece = {
		.link = link, .part = part, .offset = s->source_out, .length = source_end - s->source_out,
		.text = (const char *)w->p + (s->out - w->at), .text_length = (size_t)(upto - s->out)
	};
	if (s->positions)
		count_positions(s, w->p + (s->out - w->at), piece.text_length);
	s->out = upto;
	s->source_out = source_end;
	if (piece.length && s->sink.piece(s->sink.user, &piece))
		s->status = URLSIFT_STOPPED;
}

static void emit_plain(urlsift_scanner *s, const struct window *w, uint64_t upto, uint64_t source_end)
{
	if (s->status == URLSIFT_OK && (upto > s->out || source_end > s->source_out))
		emit(s, w, upto, NULL, 0, source_end);
}

/* How many bytes before `upto`, and not before `from`, a character begins that
 * ends behind it. */
static unsigned inside_character(const struct window *w, uint64_t upto, uint64_t from)
{
	const uint8_t *p = w->p + (upto - w->at);
	size_t left = w->n - (size_t)(upto - w->at);
	for (unsigned k = 1; left && (p[0] & 0xC0) == 0x80 && k < 4 && upto - from >= k; k++) {
		uint32_t cp;
		if (utf8_next(p - k, left + k, &cp) > k)
			return k;
	}
	return 0;
}

/* Plain text that no link can take back any more goes out, by whole characters
 * and line ends. */
static void emit_settled(urlsift_scanner *s, const struct window *w)
{
	uint64_t upto = w->last ? s->pos : s->pos > LAG ? s->pos - LAG : 0;
	if (upto <= s->out)
		return;
	upto -= inside_character(w, upto, s->out);
	if (!w->last && upto > s->out && w->p[upto - w->at] == '\n' && w->p[upto - w->at - 1] == '\r')
		upto--;
	emit_plain(s, w, upto, charset_source(s->charset, upto));
}

static void emit_link(urlsift_scanner *s, const struct window *w)
{
	urlsift_link *l = &s->link;
	const struct span *spans = link_spans(l);
	l->ranges.length = 0;
	for (size_t i = 0; i < l->span_count; i++) {
		uint64_t from = charset_begin(s->charset, w->at + spans[i].from);
		urlsift_range r = {from, charset_source(s->charset, w->at + spans[i].to) - from};
		if (!buf_add(&l->ranges, &r, sizeof r))
			l->failed = true;
	}
	if (l->failed) {
		s->status = URLSIFT_NO_MEMORY;
		return;
	}
	const urlsift_range *ranges = (const urlsift_range *)(const void *)l->ranges.data;
	for (size_t i = 0; i < l->span_count && s->status == URLSIFT_OK; i++) {
		emit_plain(s, w, w->at + spans[i].from, ranges[i].offset);
		if (i == 0 && s->positions) {
			l->line = s->line;
			l->column = s->column;
		}
		if (s->status == URLSIFT_OK)
			emit(s, w, w->at + spans[i].to, l, i, ranges[i].offset + ranges[i].length);
	}
}

static void emit_notice(urlsift_scanner *s, uint64_t at)
{
	urlsift_notice n = {s->limit, s->limit_value, charset_begin(s->charset, at)};
	s->limit = NULL;
	if (s->sink.notice && s->status == URLSIFT_OK && s->sink.notice(s->sink.user, &n))
		s->status = URLSIFT_STOPPED;
}

/* ---- the search ---- */

/* More text is needed to decide at index i: wait until there is twice as much. */
static enum verdict wait_at(urlsift_scanner *s, const struct window *w, size_t i)
{
	size_t have = w->n - i, more = have < 64 ? 64 : have;
	s->pos = w->at + i;
	if (have >= AHEAD_MAX)
		return NO;
	if (have + more > AHEAD_MAX)
		more = AHEAD_MAX - have;
	s->want = w->at + w->n + more;
	return MORE;
}

/* Behind a block, so that the next line is looked at as a line start. */
static void leave_block(urlsift_scanner *s, const struct window *w, size_t i)
{
	s->block.kind = BLOCK_NONE;
	s->pos = w->at + (i && w->p[i - 1] == '\n' ? i - 1 : i);
}

static enum verdict run_block(urlsift_scanner *s, const struct window *w, const struct view *v)
{
	size_t i = (size_t)(s->pos - w->at), next = i;
	enum verdict r = block_line(v, i, &s->block, &next);
	if (r == MORE)
		return wait_at(s, w, i);
	if (r == NO || s->block.kind == BLOCK_NONE)
		leave_block(s, w, r == NO ? i : next);
	else
		s->pos = w->at + next;
	return YES;
}

/* Whether k is a place that find_next gives for a line that may begin a block. */
static bool block_line_at(const uint8_t *p, size_t k, size_t *line)
{
	*line = p[k] == '\n' ? k + 1 : p[k] == '=' ? k : k - 4;
	return p[k] == '\n' || p[k] == '=' || p[k] == '-';
}

/* A line starts at index i: does a block? */
static enum verdict enter_block(urlsift_scanner *s, const struct window *w, const struct view *v, size_t i)
{
	size_t next;
	enum verdict r = block_begins(v, i, &s->block, &next);
	if (r == MORE)
		return MORE;
	if (r == YES)
		s->pos = w->at + next;
	return r;
}

static size_t index_of(const struct window *w, uint64_t at) { return at > w->at ? (size_t)(at - w->at) : 0; }

/* Whether the link before is shown for this one, and where this one stands, for
 * the next.  Looks no farther back than a line's start is looked for, and only at
 * links of one part. */
static void judge_text(urlsift_scanner *s, const struct window *w, const struct view *v)
{
	const struct span *first = link_spans(&s->link);
	uint64_t begin = w->at + first->from;
	s->link.mismatch = s->shown && begin - s->last_first <= BACK_LOOK
	                   && mismatch_names_other(v, (size_t)(s->last_first - w->at), (size_t)(s->floor - w->at), &s->link);
	s->shown = s->link.span_count == 1;
	s->last_first = begin;
}

static enum verdict read_candidate(urlsift_scanner *s, const struct window *w, const struct view *v, size_t i)
{
	struct found found;
	struct past past = {index_of(w, s->floor), index_of(w, s->last_part), index_of(w, s->unclosed)};
	s->limit = NULL;
	enum verdict r = candidate_read(&s->rules, v, i, &past, &s->link, &found);
	if (s->link.failed) {
		s->status = URLSIFT_NO_MEMORY;
		return NO;
	}
	if (r == MORE)
		return MORE;
	if (s->limit)
		emit_notice(s, w->at + s->limit_at);
	if (r == NO) {
		s->pos = w->at + i + 1;
		if (found.unclosed)
			s->unclosed = w->at + found.unclosed;
		return YES;
	}
	if (found.link) {
		judge_text(s, w, v);
		emit_link(s, w);
		found.from = link_spans(&s->link)[s->link.span_count - 1].from;
	}
	s->last_part = w->at + found.from;
	s->pos = s->floor = w->at + found.end;
	return YES;
}

/* One step of the search.  MORE: it waits; NO: nothing more in this window. */
static enum verdict step(urlsift_scanner *s, const struct window *w, const struct view *v, size_t limit)
{
	if (s->block.kind != BLOCK_NONE)
		return run_block(s, w, v);
	size_t i = (size_t)(s->pos - w->at);
	if (!s->started) {
		enum verdict r = enter_block(s, w, v, 0);
		if (r == MORE && wait_at(s, w, 0) == MORE)
			return MORE;
		s->started = true;
		return YES;
	}
	if (i >= limit)
		return NO;
	size_t k = find_next(&s->finder, w->p, i, limit);
	view_work(v, k - i);
	s->pos = w->at + k;
	if (k >= limit)
		return NO;
	enum verdict r;
	size_t line;
	if (block_line_at(w->p, k, &line)) {
		r = enter_block(s, w, v, line);
		if (r == NO)
			s->pos = w->at + k + 1;
	} else {
		r = read_candidate(s, w, v, k);
	}
	if (r != MORE)
		return YES;
	if (wait_at(s, w, k) == MORE)
		return MORE;
	s->pos = w->at + k + 1;
	return YES;
}

static void run(urlsift_scanner *s, const struct window *w)
{
	struct view v = {.p = w->p, .low = 0, .end = w->n, .last = w->last, .first = w->at == 0};
#ifdef URLSIFT_COUNT_WORK
	v.work = &s->work;
#endif
	size_t limit = w->last ? w->n : w->n > FIND_AHEAD ? w->n - FIND_AHEAD : 0;
	enum verdict r = YES;
	s->want = 0;
	while (r == YES && s->status == URLSIFT_OK)
		r = step(s, w, &v, limit);
	if (s->status == URLSIFT_OK)
		emit_settled(s, w);
}

/* ---- text in ---- */

/* The first place that still has to be in memory. */
static uint64_t keep_from(const urlsift_scanner *s)
{
	uint64_t back = s->pos > BACK ? s->pos - BACK : 0;
	return s->out < back ? s->out : back;
}

static void hold_run(urlsift_scanner *s, bool last)
{
	if (s->end < s->want && !last)
		return;
	if (!buf_reserve(&s->hold, FIND_AHEAD)) {
		s->status = URLSIFT_NO_MEMORY;
		return;
	}
	memset(s->hold.data + s->hold.length, 0, FIND_AHEAD);
	run(s, &(struct window){s->hold.data, s->hold_at, s->hold.length, last});
	uint64_t keep = keep_from(s);
	size_t done = (size_t)(keep - s->hold_at);
	if (done > SEAM && done > s->hold.length / 2) {
		buf_drop(&s->hold, done);
		s->hold_at = keep;
	}
}

/* Joins the beginning of a block to what is held.  Returns how much of the block
 * it took; all state then lies behind that, or it took all. */
static size_t hold_feed(urlsift_scanner *s, const uint8_t *text, size_t n)
{
	uint64_t block = s->end;
	size_t taken = 0;
	while (taken < n && s->status == URLSIFT_OK) {
		size_t take = s->want > s->end ? (size_t)(s->want - s->end) : 0;
		take = take < SEAM ? SEAM : take;
		take = take < n - taken ? take : n - taken;
		if (!buf_add(&s->hold, text + taken, take)) {
			s->status = URLSIFT_NO_MEMORY;
			break;
		}
		taken += take;
		s->end += take;
		hold_run(s, false);
		if (taken < n && keep_from(s) >= block) {
			s->hold.length = 0;
			break;
		}
	}
	return taken;
}

static urlsift_status text_feed(void *user, const uint8_t *text, size_t n)
{
	urlsift_scanner *s = user;
	uint64_t block = s->end;
	charset_forget(s->charset, s->out);
	if (s->hold.length && hold_feed(s, text, n) == n)
		return s->status;
	if (s->status != URLSIFT_OK || !n)
		return s->status;
	s->end = block + n;
	run(s, &(struct window){text, block, n, false});
	uint64_t keep = keep_from(s);
	s->hold_at = keep;
	if (s->status == URLSIFT_OK && !buf_add(&s->hold, text + (keep - block), (size_t)(s->end - keep)))
		s->status = URLSIFT_NO_MEMORY;
	return s->status;
}

/* ---- the interface ---- */

static void start(urlsift_scanner *s)
{
	s->hold.length = 0;
	s->block.kind = BLOCK_NONE;
	s->hold_at = s->end = s->pos = s->floor = s->last_part = s->unclosed = s->out = s->source_out = s->want = s->fed = 0;
	s->line = s->column = 1;
	s->shown = false;
	s->started = s->after_cr = s->finished = false;
	s->status = URLSIFT_OK;
	s->limit = NULL;
	s->link.failed = false;
}

static void take_options(urlsift_scanner *s, const urlsift_options *o)
{
	s->rules = (struct rules){
		.email = o->value[URLSIFT_OPT_EMAIL], .domains = o->value[URLSIFT_OPT_DOMAINS],
		.www_https = o->value[URLSIFT_OPT_WWW_HTTPS], .guess = o->value[URLSIFT_OPT_GUESS],
		.join = (urlsift_join)o->value[URLSIFT_OPT_JOIN], .hyphen = (urlsift_hyphen)o->value[URLSIFT_OPT_HYPHEN],
		.max_url = (size_t)o->value[URLSIFT_OPT_MAX_URL], .max_breaks = (size_t)o->value[URLSIFT_OPT_MAX_BREAKS],
		.max_alternates = (size_t)o->value[URLSIFT_OPT_MAX_ALTERNATES],
		.limit = &s->limit, .limit_value = &s->limit_value, .limit_at = &s->limit_at
	};
	s->positions = o->value[URLSIFT_OPT_POSITIONS];
	find_init(&s->finder, (urlsift_implementation)o->value[URLSIFT_OPT_IMPLEMENTATION], s->rules.email, s->rules.domains);
}

urlsift_scanner *urlsift_new(urlsift_context *context, const urlsift_options *options, const urlsift_sink *sink)
{
	urlsift_options defaults;
	urlsift_status status;
	options_default(&defaults);
	urlsift_scanner *s = alloc_get(&context->alloc, sizeof *s);
	if (!s)
		return NULL;
	s->alloc = context->alloc;
	s->sink = *sink;
	take_options(s, options ? options : &defaults);
	if (options && options->base) {
		s->base = alloc_get(&s->alloc, options->base_length);
		if (!s->base) {
			alloc_put(&context->alloc, s);
			return NULL;
		}
		memcpy(s->base, options->base, options->base_length);
		s->rules.base = s->base;
		s->rules.base_length = options->base_length;
	}
	buf_init(&s->hold, &s->alloc, HOLD_MAX);
	link_init(&s->link, &s->alloc);
	s->charset = charset_new(&s->alloc, options ? options->charset : NULL, &status);
	if (!s->charset) {
		urlsift_free(s);
		return NULL;
	}
	start(s);
	return s;
}

urlsift_status urlsift_feed(urlsift_scanner *s, const void *bytes, size_t length)
{
	if (s->finished)
		return URLSIFT_BAD_STATE;
	if (s->status == URLSIFT_OK && length) {
		s->fed += length;
		urlsift_status status = charset_feed(s->charset, bytes, length, false, text_feed, s);
		if (s->status == URLSIFT_OK)
			s->status = status;
	}
	return s->status;
}

urlsift_status urlsift_finish(urlsift_scanner *s)
{
	if (s->finished)
		return URLSIFT_BAD_STATE;
	s->finished = true;
	if (s->status != URLSIFT_OK)
		return s->status;
	urlsift_status status = charset_feed(s->charset, NULL, 0, true, text_feed, s);
	if (s->status == URLSIFT_OK)
		s->status = status;
	if (s->status == URLSIFT_OK)
		hold_run(s, true);
	if (s->status == URLSIFT_OK && s->source_out < s->fed)
		emit_plain(s, &(struct window){s->hold.data, s->out, 0, true}, s->out, s->fed);
	return s->status;
}

void urlsift_reset(urlsift_scanner *s)
{
	charset_reset(s->charset);
	start(s);
}

void urlsift_free(urlsift_scanner *s)
{
	if (!s)
		return;
	urlsift_allocator a = s->alloc;
	charset_free(s->charset);
	buf_fini(&s->hold);
	link_fini(&s->link);
	alloc_put(&a, s->base);
	alloc_put(&a, s);
}

size_t urlsift_memory_bound(void)
{
	struct urlsift_link l;
	urlsift_allocator none = {0};
	link_init(&l, &none);
	return sizeof(urlsift_scanner) + sizeof(urlsift_context) + HOLD_MAX + l.copy.cap + l.spans.cap + l.ranges.cap
	       + l.others.cap + l.resolved.cap + 2 * (size_t)URL_MAX + charset_memory_bound() + grammar_memory_bound(URL_MAX);
}

urlsift_status urlsift_scan(urlsift_context *context, const urlsift_options *options, const urlsift_sink *sink,
                            const void *bytes, size_t length)
{
	urlsift_scanner *s = urlsift_new(context, options, sink);
	if (!s)
		return URLSIFT_NO_MEMORY;
	urlsift_status status = urlsift_feed(s, bytes, length);
	if (status == URLSIFT_OK)
		status = urlsift_finish(s);
	urlsift_free(s);
	return status;
}

size_t urlsift_next_character(const char *text, size_t length, uint32_t *code_point)
{
	return utf8_next((const uint8_t *)text, length, code_point);
}

#ifdef URLSIFT_COUNT_WORK
uint64_t urlsift_work(const urlsift_scanner *s);
uint64_t urlsift_work(const urlsift_scanner *s) { return s->work; }
#endif
