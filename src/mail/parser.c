#include "parser.h"

#include "simd/runs.h"
#include "simd/simd.h"
#include "text/unicode.h"

void parser_take(struct parser *r, const uint8_t *p, size_t n)
{
	if (r->options.positions)
		r->at.line += lines_count(p, n, &r->at.after_cr);
}

void parser_fail(struct parser *r, urlsift_status status)
{
	if (r->status == URLSIFT_OK)
		r->status = status;
}

void position_begin(struct parser *r, uint64_t at, uint64_t line)
{
	struct position *x = &r->at.part;
	x->recent.length = x->counted = 0;
	x->at = at;
	x->point = (struct point){line, 1};
	x->after_cr = false;
}

void position_quote(struct parser *r, uint64_t line)
{
	struct buf *quoted = &r->at.part.quoted;
	if (quoted->length == QUOTED_LINES * sizeof line)
		buf_drop(quoted, quoted->length / 2);
	if (r->options.positions)
		parser_have(r, buf_add(quoted, &line, sizeof line));
}

bool position_quoted(const struct parser *r, uint64_t line)
{
	const struct buf *quoted = &r->at.part.quoted;
	const uint64_t *lines = (const uint64_t *)(const void *)quoted->data;
	const size_t count = quoted->length / sizeof *lines;
	size_t low = 0;
	for (size_t n = count, half; n > 1; n -= half) {
		half = n / 2;
		low += half & -(size_t)(lines[low + half] <= line);
	}
	return count && lines[low] == line;
}

/* Goes on to offset `to`. */
static void advance(struct position *x, uint64_t to)
{
	const uint8_t *p = x->recent.data + x->counted;
	const size_t left = x->recent.length - x->counted, n = smaller((size_t)beyond(to, x->at), left);
	size_t i = run_line_start(p, 0, n);
	if (i > 0) {
		x->point.line += lines_count(p, i, &x->after_cr);
		x->point.column = 1;
	}
	x->after_cr &= i == n;
	while (i < n) {
		uint32_t c;
		i += utf8_next(p + i, left - i, &c);
		x->point.column++;
	}
	x->counted += i;
	x->at += i;
}

/* Goes on, and lets go what is counted. */
static void count_to(struct position *x, uint64_t to)
{
	advance(x, to);
	if (x->counted > x->recent.length / 2) {
		buf_drop(&x->recent, x->counted);
		x->counted = 0;
	}
}

void position_add(struct parser *r, const uint8_t *p, size_t n)
{
	struct position *x = &r->at.part;
	if (!r->options.positions)
		return;
	if (x->recent.length + n > POSITION_MAX)
		count_to(x, x->at + POSITION_MAX / 2);
	parser_have(r, buf_add(&x->recent, p, n));
}

static void place_at(const struct parser *r, const struct position *x, struct point *where)
{
	*where = x->point;
	where->column += position_quoted(r, where->line);
}

void position_count(struct parser *r, uint64_t at, struct point *where)
{
	if (!r->options.positions)
		return;
	count_to(&r->at.part, at);
	place_at(r, &r->at.part, where);
}

void position_ahead(const struct parser *r, uint64_t at, struct point *where)
{
	struct position x = r->at.part;
	if (!r->options.positions)
		return;
	advance(&x, at);
	place_at(r, &x, where);
}

/* Tells the sink, unless it does not ask for the event or nothing is told any more; an answer other than 0 stops. */
#define TELL(r, event, ...) \
	do { \
		if (parser_ok(r) && (r)->sink.event && (r)->sink.event((r)->sink.user, __VA_ARGS__)) \
			(r)->status = URLSIFT_STOPPED; \
	} while (0)

void parser_begin_message(struct parser *r, uint64_t at, uint64_t line)
{
	r->message.offset = at;
	r->message.line = r->options.positions ? line : 0;
	r->message.index = r->begun++;
}

void parser_message(struct parser *r) { TELL(r, message, &r->message); }

void parser_place(struct parser *r) { TELL(r, place, &r->place); }

void parser_body(struct parser *r, const urlsift_body *body)
{
	if (!r->at.hidden)
		TELL(r, body, &r->place, body);
}

static void notice(struct parser *r, const urlsift_mail_notice *n) { TELL(r, notice, &r->place, n); }

void parser_limit(struct parser *r, const char *limit, uint64_t value, uint64_t offset)
{
	notice(r, &(urlsift_mail_notice){.limit = limit, .value = value, .offset = offset, .text = {"", 0}});
}

void parser_damage(struct parser *r, const char *what, uint64_t count, uint64_t offset)
{
	if (count)
		notice(r, &(urlsift_mail_notice){.damage = what, .value = count, .offset = offset, .text = {"", 0}});
}

void parser_omit(struct parser *r, urlsift_omission omission, urlsift_text text, uint64_t offset)
{
	notice(r, &(urlsift_mail_notice){.offset = offset, .omission = omission, .text = text});
}

int parser_piece(struct parser *r, const urlsift_piece *piece)
{
	TELL(r, piece, &r->place, piece);
	return !parser_ok(r);
}
