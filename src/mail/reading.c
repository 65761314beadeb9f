#include "reading.h"

#include "text/lines.h"

void reading_take(struct reading *r, const uint8_t *p, size_t n)
{
	if (r->options.positions)
		r->line += lines_count(p, n, &r->after_cr);
}

void reading_fail(struct reading *r, urlsift_status status)
{
	if (r->status == URLSIFT_OK)
		r->status = status;
}

void reading_message(struct reading *r)
{
	if (reading_ok(r) && r->sink.message && r->sink.message(r->sink.user, &r->message))
		r->status = URLSIFT_STOPPED;
}

void reading_place(struct reading *r)
{
	if (reading_ok(r) && r->sink.place && r->sink.place(r->sink.user, &r->place))
		r->status = URLSIFT_STOPPED;
}

static void notice(struct reading *r, const urlsift_mail_notice *n)
{
	if (reading_ok(r) && r->sink.notice && r->sink.notice(r->sink.user, &r->place, n))
		r->status = URLSIFT_STOPPED;
}

void reading_limit(struct reading *r, const char *limit, uint64_t value, uint64_t offset)
{
	notice(r, &(urlsift_mail_notice){.limit = limit, .value = value, .offset = offset});
}

void reading_damage(struct reading *r, const char *what, uint64_t count, uint64_t offset)
{
	notice(r, &(urlsift_mail_notice){.damage = what, .value = count, .offset = offset});
}

int reading_piece(struct reading *r, const urlsift_piece *piece)
{
	return r->sink.piece(r->sink.user, &r->place, piece);
}
