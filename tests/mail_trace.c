#include "mail_trace.h"

#include "link_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void mail_trace_clear(struct mail_trace *t)
{
	t->length = 0;
	t->plain_last = false;
	t->notices_length = 0;
	t->wrong = NULL;
	t->links = 0;
}

static char *room(struct mail_trace *t, size_t n)
{
	if (t->room - t->length < n) {
		t->room = 2 * (t->room + n);
		t->text = realloc(t->text, t->room);
		if (!t->text)
			abort();
	}
	return t->text + t->length;
}

static void add_bytes(struct mail_trace *t, const char *p, size_t n)
{
	memcpy(room(t, n), n ? p : "", n); /* p may be NULL for no bytes */
	t->length += n;
}

static void add(struct mail_trace *t, const char *text)
{
	add_bytes(t, text, strlen(text));
}

/* The text and the number; printf took 15% of the time of unit_mail. */
static void add_number(struct mail_trace *t, const char *text, uint64_t n)
{
	char s[20];
	size_t at = sizeof s;
	do
		s[--at] = (char)('0' + n % 10);
	while (n /= 10);
	add(t, text);
	add_bytes(t, s + at, sizeof s - at);
}

static void add_range(struct mail_trace *t, uint64_t offset, uint64_t length)
{
	add_number(t, " [", offset);
	add_number(t, ",", length);
	add(t, "]");
}

/* What comes next is no plain text. */
void mail_trace_end(struct mail_trace *t)
{
	if (t->plain_last)
		add(t, "\n");
	t->plain_last = false;
	if (t->notices_length)
		add_bytes(t, t->notices, t->notices_length);
	t->notices_length = 0;
}

static void require(struct mail_trace *t, bool holds, const char *what)
{
	if (!holds && !t->wrong)
		t->wrong = what;
}

static bool is_utf8(const char *p, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t k = urlsift_next_character(p + i, n - i, &c);
		if ((unsigned char)p[i] >= 0x80 && k == 1)
			return false;
		i += k;
	}
	return true;
}

static void add_meta(struct mail_trace *t, const char *name, const urlsift_text *text)
{
	require(t, is_utf8(text->bytes, text->length), "a text of a message is UTF-8");
	for (size_t i = 0; i < text->length; i++)
		require(t, (unsigned char)text->bytes[i] >= ' ', "a text of a message has no control character");
	if (!text->length)
		return;
	add(t, " ");
	add(t, name);
	add(t, "=");
	add_bytes(t, text->bytes, text->length);
}

static int on_message(void *user, const urlsift_message *m)
{
	struct mail_trace *t = user;
	mail_trace_end(t);
	add_number(t, "message ", m->index);
	add_number(t, " @", m->offset);
	add_meta(t, "id", &m->id);
	add_meta(t, "subject", &m->subject);
	add_meta(t, "from", &m->from);
	add_meta(t, "date", &m->date);
	add_meta(t, "groups", &m->groups);
	add_meta(t, "list", &m->list);
	add(t, "\n");
	return 0;
}

static int on_place(void *user, const urlsift_place *p)
{
	struct mail_trace *t = user;
	mail_trace_end(t);
	add(t, "place ");
	add(t, p->part);
	add(t, " ");
	add(t, p->field ? p->field : "-");
	add(t, " ");
	add(t, p->type);
	add(t, p->decoded ? " decoded\n" : "\n");
	return 0;
}

static void add_link(struct mail_trace *t, const urlsift_place *place, const urlsift_piece *piece)
{
	size_t n, count;
	const char *text = urlsift_link_text(piece->link, &n);
	const urlsift_range *parts = urlsift_link_parts(piece->link, &count);
	const char *wrong = link_contradiction(piece->link);
	require(t, !wrong, wrong);
	t->links++;
	require(t, is_utf8(text, n), "a link's text is UTF-8");
	require(t, count >= 1 && parts[0].length > 0, "a link has a range that is not empty");
	add_number(t, "link ", urlsift_link_line(piece->link));
	add_number(t, ":", urlsift_link_column(piece->link));
	add_number(t, " flags ", urlsift_link_flags(piece->link));
	add_number(t, " warnings ", urlsift_link_warnings(piece->link));
	add(t, place->target ? " target " : " ");
	add_bytes(t, text, n);
	urlsift_text label, before, after;
	label.bytes = urlsift_link_label(piece->link, &label.length);
	require(t, is_utf8(label.bytes, label.length), "a label is UTF-8");
	add_bytes(t, label.bytes, label.length);
	urlsift_link_context(piece->link, &before, &after);
	require(t, before.bytes && after.bytes, "no text of the context is NULL");
	require(t, is_utf8(before.bytes, before.length) && is_utf8(after.bytes, after.length), "the context is UTF-8");
	add_bytes(t, before.bytes, before.length);
	add_bytes(t, after.bytes, after.length);
	uint64_t end = 0;
	for (size_t i = 0; i < count; i++) {
		add_range(t, parts[i].offset, parts[i].length);
		require(t, i == 0 || parts[i].offset >= end, "ranges of a link are in order and apart");
		end = parts[i].offset + parts[i].length;
		require(t, place->decoded || !t->source_length || end <= t->source_length, "a range stands in the source");
	}
	bool ascii = true;
	for (size_t i = 0; i < n; i++)
		ascii = ascii && (unsigned char)text[i] < 0x80;
	/* the very bytes, where nothing was undone */
	bool markup = place->target || (place->field && !strcasecmp(place->field, "Content-Type"));
	bool same = !place->decoded && t->source && count == 1 && ascii && !markup && !t->converts
	            && !(urlsift_link_flags(piece->link) & (URLSIFT_JOINED | URLSIFT_UNESCAPED | URLSIFT_RESOLVED));
	if (same && end <= t->source_length)
		require(t, parts[0].length == n && !memcmp(t->source + parts[0].offset, text, n),
			"a range cuts the very bytes");
	add(t, "\n");
}

static int on_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct mail_trace *t = user;
	bool plain = !piece->link;
	if (plain && !t->plain_last)
		add(t, "plain ");
	if (!plain)
		mail_trace_end(t);
	t->plain_last = plain;
	if (plain) {
		add_bytes(t, piece->text, piece->text_length);
		return 0;
	}
	if (piece->part == 0)
		add_link(t, place, piece);
	size_t count;
	urlsift_link_parts(piece->link, &count);
	require(t, piece->part < count, "a piece is one of its link's parts");
	add_number(t, "part ", piece->part);
	add_range(t, piece->offset, piece->length);
	add(t, " ");
	add_bytes(t, piece->text, piece->text_length);
	add(t, "\n");
	return 0;
}

static int on_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *n)
{
	struct mail_trace *t = user;
	(void)place;
	size_t left = sizeof t->notices - t->notices_length;
	int k = snprintf(t->notices + t->notices_length, left, "notice %s%s %d %s %.*s %" PRIu64 " @%" PRIu64 "\n",
	                 n->limit ? n->limit : "", n->damage ? n->damage : "", (int)n->omission,
	                 place->attribute ? place->attribute : "", (int)n->text.length, n->text.bytes, n->value, n->offset);
	t->notices_length += k > 0 && (size_t)k < left ? (size_t)k : 0; /* more of them than that are not compared */
	return 0;
}

urlsift_mail_sink mail_trace_sink(struct mail_trace *t)
{
	return (urlsift_mail_sink){on_message, on_place, on_piece, on_notice, t, NULL};
}
