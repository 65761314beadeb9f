#include "collect.h"
#include "page.h"

#include "index/address.h"
#include "input/memory.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {
	FIELD_LONGEST = 4096, /* bytes of a header field that are shown */
	METAS = 5,            /* texts of a message that are kept */
	AUTHOR_LONGEST = 100, /* bytes of an author and a subject in links, which are repeated on many pages */
	SUBJECT_LONGEST = 200,
	META_LONGEST = 1024,  /* bytes of a text of urlsift_message */
	MSGID_LONGEST = 200   /* longer ones are replaced by a hash in addresses */
};

/* The fields that are captured as text, and those with identifiers. */
enum page_shown_field {
	FIELD_TO, FIELD_CC, FIELD_NEWSGROUPS, FIELD_TEXTS,
	FIELD_ID = FIELD_TEXTS, FIELD_REPLY, FIELD_REFERENCES, FIELD_OTHER
};
static const char *const field_names[FIELD_OTHER] = {
	"To", "Cc", "Newsgroups", "Message-ID", "In-Reply-To", "References"
};

struct page_encoder {
	urlsift_renderer *renderer;
	void *index;               /* the encoder of the plan, and its events */
	struct consumer events;
	const char *source;
	/* What is known of this message; zero before it: */
	urlsift_status status;     /* its first failure, after which it is left out */
	bool reported;             /* that failure */
	bool open, begun, in_body;
	bool is_mail;
	urlsift_message message;   /* its texts are in `meta`; empty in plain text */
	enum page_shown_field field; /* that is read; FIELD_OTHER in the body */
	bool seen[FIELD_OTHER + 1];
	size_t length[FIELD_TEXTS];
	int64_t first[FIELD_OTHER]; /* identifier of a field */
	int64_t refs[PLAN_REFERENCES];
	uint32_t ref_count;
	size_t anchor_count;
	uint64_t head, at;         /* bytes of HTML: header lines; up to data */
	int64_t content;           /* hash of the blocks so far */
	size_t used;
	/* Not cleared: */
	char meta[METAS][META_LONGEST];
	char text[FIELD_TEXTS][FIELD_LONGEST];
	struct plan_anchor anchors[PAGE_ANCHORS];
	char data[PLAN_BLOCK];
};

/* ---- Records ---------------------------------------------------------------------------------- */

static void fail(struct page_encoder *e, urlsift_status status)
{
	e->status = e->status == URLSIFT_OK ? status : e->status;
}

static void put_record(struct page_encoder *e, const struct record *r, const int64_t *number, const urlsift_text *text)
{
	if (e->status == URLSIFT_OK)
		index_encoder_put(e->index, r, number, text);
}

/* Blocks begin with the message, so the hash does not depend on what came before. */
static void flush(struct page_encoder *e)
{
	const int64_t both[2] = { e->content, plan_hash(e->data, e->used) };
	put_record(e, &(struct record){ RECORD_HTML, 0, 1 }, NULL, &(urlsift_text){ e->data, e->used });
	e->content = plan_hash(both, sizeof both);
	e->at += e->used;
	e->used = 0;
}

static int put(void *user, const void *bytes, size_t n)
{
	struct page_encoder *e = user;
	const char *p = bytes;
	while (n > 0) {
		size_t k = PLAN_BLOCK - e->used < n ? PLAN_BLOCK - e->used : n;
		memcpy(e->data + e->used, p, k);
		e->used += k;
		p += k;
		n -= k;
		if (e->used == PLAN_BLOCK)
			flush(e);
	}
	return 0;
}

/* ---- Header lines -------------------------------------------------------------------------------- */

static void put_text(struct page_encoder *e, const char *text)
{
	put(e, text, strlen(text));
}

static void put_line(struct page_encoder *e, const char *name, const char *text, size_t n)
{
	char out[6 * FIELD_LONGEST];
	if (n == 0)
		return;
	put_text(e, "<dt>");
	put_text(e, name);
	put_text(e, "</dt><dd><bdi>");
	put(e, out, urlsift_escape_html(text, n, out, sizeof out));
	put_text(e, n == FIELD_LONGEST ? "\xe2\x80\xa6</bdi></dd>" : "</bdi></dd>");
}

/* All fields of the message precede its first part. */
static void begin_body(struct page_encoder *e)
{
	const urlsift_message *m = &e->message;
	if (e->in_body)
		return;
	e->in_body = true;
	if (e->is_mail) {
		put_line(e, "From", m->from.bytes, m->from.length);
		put_line(e, "Date", m->date.bytes, m->date.length);
		put_line(e, "Subject", m->subject.bytes, m->subject.length);
		for (int i = 0; i < FIELD_TEXTS; i++)
			put_line(e, field_names[i], e->text[i], e->length[i]);
		put_line(e, "List", m->list.bytes, m->list.length);
	}
	e->head = e->at + e->used;
	fail(e, urlsift_render_source(e->renderer, "", NULL));
}

/* Only the first field of a name counts. */
static void begin_field(struct page_encoder *e, const char *name)
{
	enum page_shown_field i = 0;
	while (i < FIELD_OTHER && strcasecmp(name, field_names[i]))
		i++;
	e->field = e->seen[i] ? FIELD_OTHER : i;
	e->seen[i] = true;
}

static void capture(struct page_encoder *e, const char *text, size_t n)
{
	size_t *used = &e->length[e->field];
	for (size_t i = 0; i < n && *used < FIELD_LONGEST; i++)
		if (text[i] != '\r' && text[i] != '\n')
			e->text[e->field][(*used)++] = text[i];
}

static void take_identifier(struct page_encoder *e, const urlsift_link *link)
{
	size_t n;
	const char *text = urlsift_link_text(link, &n);
	int64_t id = address_hash(text, n);
	if (!e->first[e->field])
		e->first[e->field] = id;
	if (e->field != FIELD_REFERENCES)
		return;
	if (e->ref_count == PLAN_REFERENCES)
		memmove(e->refs + 1, e->refs + 2, (--e->ref_count - 1) * sizeof *e->refs);
	e->refs[e->ref_count++] = id;
}

/* ---- Links --------------------------------------------------------------------------------------- */

static bool is_mid(const urlsift_link *link)
{
	size_t n;
	const char *scheme = urlsift_link_scheme(link, &n);
	return n == 3 && !memcmp(scheme, "mid", 3);
}

/* The Message-ID of a mid: URL (RFC 2392): up to a slash, decoded; in header fields it has no scheme. */
static int64_t mid_target(const urlsift_link *link)
{
	char id[1024];
	size_t n, used = 0;
	const char *text = urlsift_link_text(link, &n);
	for (size_t i = n > 4 && ascii_begins(text, "mid:", 4) ? 4 : 0; i < n && text[i] != '/' && used < sizeof id; i++) {
		int byte = hex_escape((const uint8_t *)text + i, (const uint8_t *)text + n);
		id[used++] = byte >= 0 ? (char)byte : text[i];
		i += byte >= 0 ? 2 : 0;
	}
	return address_hash(id, used);
}

/* Called by the renderer around the text of a mid: link. */
static void take_mid(void *user, const urlsift_link *link, int begins)
{
	struct page_encoder *e = user;
	const uint64_t at = e->at + e->used - e->head;
	if (begins)
		e->anchor_count++;
	if (e->anchor_count > PAGE_ANCHORS)
		return;
	struct plan_anchor *a = &e->anchors[e->anchor_count - 1];
	if (begins)
		*a = (struct plan_anchor){ mid_target(link), at, at };
	a->end = at;
}

/* ---- Messages ------------------------------------------------------------------------------------- */

static int64_t month_of(int64_t time)
{
	time_t seconds = (time_t)time;
	struct tm t = { 0 };
	gmtime_r(&seconds, &t);
	return time < 0 ? 0 : (t.tm_year + 1900) * 100 + t.tm_mon + 1;
}

/* Whether an identifier can be an anchor as it is.  All of our own have no @. */
static bool is_plain(urlsift_text id)
{
	if (id.length > MSGID_LONGEST || !memchr(id.bytes, '@', id.length))
		return false;
	for (size_t i = 0; i < id.length; i++)
		if (id.bytes[i] <= ' ' || id.bytes[i] > '~')
			return false;
	return true;
}

static int64_t kind_of(const urlsift_message *m)
{
	const int64_t all[3] = { plan_hash(m->from.bytes, m->from.length), plan_hash(m->subject.bytes, m->subject.length),
	                         m->time };
	return plan_hash(all, sizeof all);
}

/* Cuts a text between characters, in a buffer of its own, and adds an ellipsis. */
static void shorten(urlsift_text *text, char *room, size_t most)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	size_t n = most;
	if (text->length <= most)
		return;
	while (n > most - 4 && ((unsigned char)text->bytes[n] & 0xC0) == 0x80)
		n--;
	memcpy(room, text->bytes, n);
	memcpy(room + n, ellipsis, sizeof ellipsis);
	*text = (urlsift_text){ room, n + sizeof ellipsis - 1 };
}

static void put_message(struct page_encoder *e)
{
	char short_author[AUTHOR_LONGEST + 4], short_subject[SUBJECT_LONGEST + 4];
	const urlsift_message *m = &e->message;
	bool reply;
	const size_t anchors = e->anchor_count < PAGE_ANCHORS ? e->anchor_count : PAGE_ANCHORS;
	urlsift_text author = subject_author(m->from);
	urlsift_text subject = e->is_mail ? m->subject : (urlsift_text){ e->source, strlen(e->source) };
	shorten(&author, short_author, AUTHOR_LONGEST);
	shorten(&subject, short_subject, SUBJECT_LONGEST);
	const int64_t of_text = m->id.length ? address_hash(m->id.bytes, m->id.length) : e->content;
	const int64_t id = e->first[FIELD_ID] ? e->first[FIELD_ID] : of_text;
	const int64_t number[] = { id, kind_of(m), e->content, month_of(m->time), subject_base(m->subject, &reply), reply,
	                           (int64_t)e->head, (int64_t)(e->at - e->head), id == of_text && is_plain(m->id) };
	const char *none = NULL, *refs = (const char *)e->refs, *places = (const char *)e->anchors;
	const urlsift_text text[] = { author, subject, { e->ref_count ? refs : none, e->ref_count * sizeof *e->refs },
	                              { anchors ? places : none, anchors * sizeof *e->anchors } };
	put_record(e, &(struct record){ RECORD_POST, 9, 4 }, number, text);
}

static void forget(struct page_encoder *e)
{
	enum { FROM = offsetof(struct page_encoder, status), TO = offsetof(struct page_encoder, meta) };
	memset((char *)e + FROM, 0, TO - FROM);
	const urlsift_text none = { "", 0 };
	e->message.id = e->message.subject = e->message.from = e->message.date = e->message.list = none;
	e->message.time = -1;
	e->field = FIELD_OTHER;
}

/* The failure, once. */
static urlsift_status status_of(struct page_encoder *e)
{
	urlsift_status status = e->reported ? URLSIFT_OK : e->status;
	e->reported = e->status != URLSIFT_OK;
	return status;
}

/* Not in the event that ends the message before it: if that fails, nothing it has put is taken. */
static void begin(struct page_encoder *e)
{
	if (!e->begun)
		index_encoder_message(e->index);
	e->begun = true;
}

static urlsift_status finish(struct page_encoder *e)
{
	if (e->open) {
		begin(e);
		begin_body(e);
		fail(e, urlsift_render_source_end(e->renderer, 0));
		fail(e, urlsift_render_flush(e->renderer));
		flush(e);
		if (e->ref_count == 0 && e->first[FIELD_REPLY])
			e->refs[e->ref_count++] = e->first[FIELD_REPLY];
		put_message(e);
	}
	urlsift_status status = status_of(e);
	forget(e);
	return status;
}

/* ---- Events ------------------------------------------------------------------------------------------ */

static urlsift_status take_source(void *encoder, struct source_name name)
{
	struct page_encoder *e = encoder;
	urlsift_status status = finish(e);
	e->source = name.member ? name.member : name.file;
	e->events.on.source(e->index, name);
	return status;
}

static urlsift_status take_name(void *encoder, struct source_name name)
{
	struct page_encoder *e = encoder;
	urlsift_status status = finish(e);
	e->source = name.member ? name.member : name.file;
	e->events.on.name(e->index, name);
	return status;
}

static urlsift_status take_source_end(void *encoder)
{
	struct page_encoder *e = encoder;
	urlsift_status status = finish(e);
	e->events.on.source_end(e->index);
	return status;
}

static urlsift_status take_close(void *encoder, bool complete, bool last)
{
	struct page_encoder *e = encoder;
	urlsift_status status = finish(e);
	e->events.on.close(e->index, complete, last);
	return status;
}

static urlsift_status take_open(void *encoder, const struct opened *opened)
{
	struct page_encoder *e = encoder;
	return e->events.on.open(e->index, opened);
}

static urlsift_status take_kind(void *encoder, urlsift_mail_kind kind, const struct source *file)
{
	struct page_encoder *e = encoder;
	return e->events.on.kind(e->index, kind, file);
}

static urlsift_status take_bytes(void *encoder, uint64_t at, const void *bytes, size_t n)
{
	struct page_encoder *e = encoder;
	return e->events.on.bytes(e->index, at, bytes, n);
}

static urlsift_status take_error(void *encoder, const urlsift_place *place, const char *what)
{
	struct page_encoder *e = encoder;
	return e->events.on.error(e->index, place, what);
}

static urlsift_status take_notice(void *encoder, const urlsift_place *place, const urlsift_notice *notice)
{
	struct page_encoder *e = encoder;
	return e->events.on.notice(e->index, place, notice);
}

static void keep(char to[META_LONGEST], urlsift_text *text)
{
	text->length = text->length < META_LONGEST ? text->length : META_LONGEST;
	memcpy(to, text->bytes, text->length);
	text->bytes = to;
}

static urlsift_status take_message(void *encoder, const urlsift_message *message)
{
	struct page_encoder *e = encoder;
	urlsift_status status = finish(e);
	e->open = e->is_mail = true;
	e->message = *message;
	/* `message` is that of the next one when this one ends */
	urlsift_text *texts[METAS] = { &e->message.id, &e->message.subject, &e->message.from, &e->message.date,
	                               &e->message.list };
	for (int i = 0; i < METAS; i++)
		keep(e->meta[i], texts[i]);
	e->events.on.message(e->index, message);
	return status;
}

static urlsift_status take_place(void *encoder, const urlsift_place *place)
{
	struct page_encoder *e = encoder;
	if (place->field && !*place->part) {
		begin_field(e, place->field);
	} else {
		e->field = FIELD_OTHER;
		begin(e);
		begin_body(e);
		fail(e, urlsift_render_place(e->renderer, place));
	}
	return status_of(e);
}

static urlsift_status take_piece(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown)
{
	struct page_encoder *e = encoder;
	bool first = piece->link && piece->part == 0;
	e->open = true; /* plain text */
	begin(e);
	if (place && place->field && !*place->part) {
		if (e->field < FIELD_TEXTS)
			capture(e, piece->text, piece->text_length);
		if (first && e->field >= FIELD_ID && e->field < FIELD_OTHER)
			take_identifier(e, piece->link);
		else if (first && !is_mid(piece->link))
			e->events.on.piece(e->index, place, piece, shown);
	} else {
		begin_body(e);
		if (first && !is_mid(piece->link))
			e->events.on.piece(e->index, place, piece, shown);
		fail(e, urlsift_render_piece(e->renderer, place, piece, shown));
	}
	return status_of(e);
}

/* ---- Beginning and end ---------------------------------------------------------------------------------- */

static void encoder_free(void *encoder)
{
	struct page_encoder *e = encoder;
	if (!e)
		return;
	urlsift_render_free(e->renderer);
	e->events.encoder_free(e->index);
	free(e);
}

static void *encoder_new(void *pages, urlsift_context *context, struct buf *out)
{
	const struct pages_options *options = &((const struct pages *)pages)->options;
	struct page_encoder *e = memory_get(sizeof *e);
	const urlsift_render_options how = { .format = "html", .fragment = 1, .lang = options->lang,
	                                     .implementation = options->implementation,
	                                     .identifier = take_mid };
	index_encoder_register(&e->events);
	e->index = e->events.encoder_new(pages, context, out);
	e->source = "";
	e->renderer = memory_checked(urlsift_render_new(context, &how, put, e, NULL));
	forget(e);
	return e;
}

void page_encoder_register(struct consumer *c)
{
	c->encoder_new = encoder_new;
	c->encoder_free = encoder_free;
	c->on.open = take_open;
	c->on.close = take_close;
	c->on.kind = take_kind;
	c->on.bytes = take_bytes;
	c->on.name = take_name;
	c->on.source = take_source;
	c->on.message = take_message;
	c->on.place = take_place;
	c->on.piece = take_piece;
	c->on.error = take_error;
	c->on.notice = take_notice;
	c->on.source_end = take_source_end;
}

#endif
