#include "scanner.h"
#include "text/charset.h"
#include "text/utf8.h"

#include <string.h>

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

/* The source of the character that ends, and of the one that begins, at the text's t. */
static uint64_t source_end(const urlsift_scanner *s, uint64_t t) { return s->same ? t : charset_source(s->charset, t); }
static uint64_t source_begin(const urlsift_scanner *s, uint64_t t) { return s->same ? t : charset_begin(s->charset, t); }

static inline void emit(urlsift_scanner *s, const struct window *w, uint64_t upto, uint64_t source,
                        const urlsift_link *link, size_t part)
{
	const uint8_t *text = w->p + (s->out - w->at);
	size_t text_length = (size_t)(upto - s->out);
	uint64_t offset = s->source_out;
	if (s->positions)
		count_positions(s, text, text_length);
	s->out = upto;
	s->source_out = source;
	if ((!link && !s->plain) || source == offset)
		return;
	urlsift_piece piece = {
		.link = link, .part = part, .offset = offset, .length = source - offset,
		.text = (const char *)text, .text_length = text_length
	};
	if (s->sink.piece(s->sink.user, &piece))
		s->status = URLSIFT_STOPPED;
}

void emit_plain(urlsift_scanner *s, const struct window *w, uint64_t upto, uint64_t source)
{
	if (s->status == URLSIFT_OK && (upto > s->out || source > s->source_out))
		emit(s, w, upto, source, NULL, 0);
}

/* A part of the link, and the plain text before it. */
static inline void emit_part(urlsift_scanner *s, const struct window *w, size_t i)
{
	urlsift_link *l = &s->link;
	const struct span *span = &link_spans(l)[i];
	const urlsift_range *range = &((const urlsift_range *)(const void *)l->ranges.data)[i];
	if (w->at + span->from > s->out || range->offset > s->source_out)
		emit(s, w, w->at + span->from, range->offset, NULL, 0);
	if (i == 0 && s->positions) {
		l->line = s->line;
		l->column = s->column;
	}
	if (s->status == URLSIFT_OK)
		emit(s, w, w->at + span->to, range->offset + range->length, l, i);
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
void emit_settled(urlsift_scanner *s, const struct window *w)
{
	uint64_t upto = w->last ? s->pos : s->pos > LAG ? s->pos - LAG : 0;
	if (upto <= s->out)
		return;
	upto -= inside_character(w, upto, s->out);
	if (!w->last && upto > s->out && w->p[upto - w->at] == '\n' && w->p[upto - w->at - 1] == '\r')
		upto--;
	emit_plain(s, w, upto, source_end(s, upto));
}

void emit_link(urlsift_scanner *s, const struct window *w)
{
	urlsift_link *l = &s->link;
	const struct span *spans = link_spans(l);
	size_t size = l->span_count * sizeof(urlsift_range);
	if (l->failed || (size > l->ranges.room && !buf_reserve(&l->ranges, size))) {
		s->status = URLSIFT_NO_MEMORY;
		return;
	}
	urlsift_range *ranges = (urlsift_range *)(void *)l->ranges.data;
	l->ranges.length = size;
	for (size_t i = 0; i < l->span_count; i++) {
		ranges[i].offset = source_begin(s, w->at + spans[i].from);
		ranges[i].length = source_end(s, w->at + spans[i].to) - ranges[i].offset;
	}
	emit_part(s, w, 0);
	for (size_t i = 1; i < l->span_count && s->status == URLSIFT_OK; i++)
		emit_part(s, w, i);
}

void emit_notice(urlsift_scanner *s, uint64_t at)
{
	urlsift_notice n = {s->limit, s->limit_value, source_begin(s, at)};
	s->limit = NULL;
	if (s->sink.notice && s->status == URLSIFT_OK && s->sink.notice(s->sink.user, &n))
		s->status = URLSIFT_STOPPED;
}
