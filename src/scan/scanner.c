#include "scanner.h"

#include "options.h"
#include "text/charset.h"
#include "text/utf8.h"
#include "url/grammar.h"

#include <string.h>

static void start(urlsift_scanner *s)
{
	s->hold.length = 0;
	s->block.kind = BLOCK_NONE;
	s->hold_at = s->end = s->pos = s->floor = s->last_part = s->unclosed = s->out = s->source_out = s->want = s->fed = 0;
	s->line = s->column = 1;
	s->shown = false;
	s->started = s->after_cr = s->finished = false;
	s->status = URLSIFT_OK;
	s->limit = s->told = NULL;
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
	s->plain = o->value[URLSIFT_OPT_PLAIN];
	urlsift_implementation implementation = (urlsift_implementation)o->value[URLSIFT_OPT_IMPLEMENTATION];
	s->rules.shape = plain_shape_chosen(implementation);
	find_init(&s->finder, implementation, s->rules.email, s->rules.domains);
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
		s->base_length = options->base_length;
	}
	buf_init(&s->hold, &s->alloc, HOLD_MAX);
	link_init(&s->link, &s->alloc);
	s->own_charset = charset_new(&s->alloc, options ? options->charset : NULL, &status);
	if (!s->own_charset) {
		urlsift_free(s);
		return NULL;
	}
	urlsift_reset(s);
	return s;
}

urlsift_status urlsift_feed(urlsift_scanner *s, const void *bytes, size_t length)
{
	if (s->finished)
		return URLSIFT_BAD_STATE;
	if (s->status == URLSIFT_OK && length) {
		s->fed += length;
		urlsift_status status = charset_feed(s->charset, bytes, length, false, scan_feed, s);
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
	urlsift_status status = charset_feed(s->charset, NULL, 0, true, scan_feed, s);
	if (s->status == URLSIFT_OK)
		s->status = status;
	if (s->status == URLSIFT_OK)
		scan_finish(s);
	if (s->status == URLSIFT_OK && s->source_out < s->fed)
		emit_plain(s, &(struct window){s->hold.data, s->out, 0, true}, s->out, s->fed);
	return s->status;
}

void scanner_begin(urlsift_scanner *s, const struct embed *e)
{
	s->charset = e->charset ? e->charset : s->own_charset;
	s->flowed = s->rules.join == URLSIFT_JOIN_NEVER ? FLOWED_NOT : e->flowed;
	s->rules.base = e->base ? e->base : s->base;
	s->rules.base_length = e->base ? e->base_length : s->base_length;
	if (e->sink)
		s->sink = *e->sink;
	charset_reset(s->charset);
	start(s);
}

void urlsift_reset(urlsift_scanner *s)
{
	scanner_begin(s, &(struct embed){0});
}

void urlsift_free(urlsift_scanner *s)
{
	if (!s)
		return;
	urlsift_allocator a = s->alloc;
	charset_free(s->own_charset);
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
