#include "parser.h"

#include "simd/simd.h"

void parser_take(struct parser *r, const uint8_t *p, size_t n)
{
	if (r->options.positions)
		r->line += lines_count(p, n, &r->after_cr);
}

void parser_fail(struct parser *r, urlsift_status status)
{
	if (r->status == URLSIFT_OK)
		r->status = status;
}

void parser_message(struct parser *r)
{
	if (parser_ok(r) && r->sink.message && r->sink.message(r->sink.user, &r->message))
		r->status = URLSIFT_STOPPED;
}

void parser_place(struct parser *r)
{
	if (parser_ok(r) && r->sink.place && r->sink.place(r->sink.user, &r->place))
		r->status = URLSIFT_STOPPED;
}

static void notice(struct parser *r, const urlsift_mail_notice *n)
{
	if (parser_ok(r) && r->sink.notice && r->sink.notice(r->sink.user, &r->place, n))
		r->status = URLSIFT_STOPPED;
}

void parser_limit(struct parser *r, const char *limit, uint64_t value, uint64_t offset)
{
	notice(r, &(urlsift_mail_notice){.limit = limit, .value = value, .offset = offset});
}

void parser_damage(struct parser *r, const char *what, uint64_t count, uint64_t offset)
{
	notice(r, &(urlsift_mail_notice){.damage = what, .value = count, .offset = offset});
}

int parser_piece(struct parser *r, const urlsift_piece *piece)
{
	return r->sink.piece(r->sink.user, &r->place, piece);
}
