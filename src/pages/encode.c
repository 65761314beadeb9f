#include "collect.h"
#include "page.h"

#include "index/address.h"
#include "index/encode.h"
#include "index/words.h"
#include "input/memory.h"
#include "scan/link.h"
#include "text/ascii.h"
#include "text/unicode.h"
#include "url/url.h"

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

/* The fields that are shown, of which those from FIELD_TO on are captured, and those with identifiers. */
enum page_field {
	FIELD_FROM, FIELD_DATE, FIELD_SUBJECT, FIELD_TO, FIELD_CC, FIELD_NEWSGROUPS,
	FIELD_ID, FIELD_REPLY, FIELD_REFERENCES, FIELD_OTHER,
	FIELDS_SHOWN = FIELD_ID, FIELDS_CAPTURED = FIELDS_SHOWN - FIELD_TO
};
static const char *const field_names[FIELD_OTHER] = {
	"From", "Date", "Subject", "To", "Cc", "Newsgroups", "Message-ID", "In-Reply-To", "References"
};

struct page_encoder {
	struct index_encoder index; /* of the plan */
	urlsift_renderer *renderer;
	const char *source;
	/* What is known of this message; zero before it: */
	bool open, in_body;
	bool waits;                /* the field of a part has not been shown: it may repeat that of the message */
	bool is_mail;
	urlsift_message message;   /* its texts are in `meta`; empty in plain text */
	enum page_field field;     /* that is read; FIELD_OTHER in the body */
	bool seen[FIELD_OTHER + 1];
	size_t length[FIELDS_CAPTURED];
	int64_t first[FIELD_OTHER]; /* identifier of a field */
	int64_t refs[PLAN_REFERENCES];
	uint32_t ref_count;
	size_t anchor_count;
	uint64_t head, at;         /* bytes of HTML: header lines; up to data */
	int64_t content;           /* hash of the blocks so far */
	size_t used;
	/* Not cleared: */
	char meta[METAS][META_LONGEST];
	char text[FIELDS_CAPTURED][FIELD_LONGEST];
	struct plan_anchor anchors[PAGE_ANCHORS];
	char data[PLAN_BLOCK];
};

/* ---- Records ---------------------------------------------------------------------------------- */

/* Blocks begin with the message, so the hash does not depend on what came before. */
static void flush(struct page_encoder *e)
{
	int64_t both[2] = { e->content, plan_hash(e->data, e->used) };
	const urlsift_text html[] = { { e->data, e->used } };
	words_turn(both, sizeof both);
	record_add(e->index.out, RECORD_HTML, RECORD_NO_NUMBERS, RECORD_TEXTS_OF(html));
	e->content = plan_hash(both, sizeof both);
	e->at += e->used;
	e->used = 0;
}

static int put(void *user, const void *bytes, size_t n)
{
	struct page_encoder *e = user;
	const char *p = bytes;
	while (n > 0) {
		size_t k = smaller(PLAN_BLOCK - e->used, n);
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

static void put_line(struct page_encoder *e, const char *name, urlsift_text text)
{
	char out[6 * FIELD_LONGEST];
	if (text.length == 0)
		return;
	put_text(e, "<dt>");
	put_text(e, name);
	put_text(e, "</dt><dd><bdi>");
	put(e, out, urlsift_escape_html(text.bytes, text.length, out, sizeof out));
	put_text(e, text.length == FIELD_LONGEST ? "\xe2\x80\xa6</bdi></dd>" : "</bdi></dd>");
}

/* The number of a field; FIELD_OTHER for one that is not in the list. */
static enum page_field find_field(const char *name)
{
	enum page_field i = 0;
	while (i < FIELD_OTHER && strcasecmp(name, field_names[i]))
		i++;
	return i;
}

/* The text of a field that is shown, which is below FIELDS_SHOWN. */
static urlsift_text field_text(const struct page_encoder *e, enum page_field i)
{
	const urlsift_text given[FIELD_TO] = { e->message.from, e->message.date, e->message.subject };
	return i < FIELD_TO ? given[i] : (urlsift_text){ e->text[i - FIELD_TO], e->length[i - FIELD_TO] };
}

/* All fields of the message precede its first part. */
static void begin_body(struct page_encoder *e)
{
	if (e->in_body)
		return;
	e->in_body = true;
	if (e->is_mail) {
		for (enum page_field i = 0; i < FIELDS_SHOWN; i++)
			put_line(e, field_names[i], field_text(e, i));
		put_line(e, "List", e->message.list);
	}
	e->head = e->at + e->used;
	memory_status(urlsift_render_source(e->renderer, "", NULL));
}

/* ---- Links --------------------------------------------------------------------------------------- */

/* Called by the renderer around the text of a mid: link. */
static void take_mid(void *user, const urlsift_link *link, int begins)
{
	struct page_encoder *e = user;
	const uint64_t at = e->at + e->used - e->head;
	e->anchor_count += begins != 0;
	if (e->anchor_count > PAGE_ANCHORS)
		return;
	struct plan_anchor *a = &e->anchors[e->anchor_count - 1];
	a->end = at;
	if (!begins)
		return;
	/* The Message-ID of a mid: URL (RFC 2392): up to a slash, decoded; in header fields it has no scheme. */
	enum { LONGEST = 1024 };
	size_t n;
	const char *text = urlsift_link_text(link, &n);
	const uint8_t *p = (const uint8_t *)text;
	const size_t from = ascii_opens(text, n, "mid:") ? 4 : 0;
	uint8_t *id = memory_get(n);
	n = url_decode(id, p + from, byte_index(p, from, n, '/') - from);
	a->id = address_hash((const char *)id, smaller(n, LONGEST));
	a->begin = at;
	free(id);
}

/* ---- Messages ------------------------------------------------------------------------------------- */

/* Cuts a text between characters, in a buffer of its own, and adds an ellipsis. */
static void shorten(urlsift_text *text, char *room, size_t most)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	if (text->length <= most)
		return;
	const size_t n = utf8_cut(text->bytes, most, text->length);
	memcpy(room, text->bytes, n);
	memcpy(room + n, ellipsis, sizeof ellipsis);
	*text = (urlsift_text){ room, n + sizeof ellipsis - 1 };
}

static void forget(struct page_encoder *e)
{
	enum { FROM = offsetof(struct page_encoder, open), TO = offsetof(struct page_encoder, meta) };
	memset((char *)e + FROM, 0, TO - FROM);
	const urlsift_text none = { "", 0 };
	e->message.id = e->message.subject = e->message.from = e->message.date = e->message.list = none;
	e->message.time = -1;
	e->field = FIELD_OTHER;
}

/* What threads and lists need of the message, whose HTML is complete. */
static void put_post(struct page_encoder *e)
{
	const urlsift_message *m = &e->message;
	if (e->ref_count == 0 && e->first[FIELD_REPLY])
		e->refs[e->ref_count++] = e->first[FIELD_REPLY];

	char short_author[AUTHOR_LONGEST + 4], short_subject[SUBJECT_LONGEST + 4];
	urlsift_text author = subject_author(m->from);
	urlsift_text subject = e->is_mail ? m->subject : (urlsift_text){ e->source, strlen(e->source) };
	shorten(&author, short_author, AUTHOR_LONGEST);
	shorten(&subject, short_subject, SUBJECT_LONGEST);
	bool reply;
	const int64_t base = subject_base(m->subject, &reply);

	const time_t seconds = (time_t)m->time;
	struct tm t = { 0 };
	gmtime_r(&seconds, &t);
	const int64_t month = m->time < 0 ? 0 : (t.tm_year + 1900) * 100 + t.tm_mon + 1;
	int64_t kind[3] = { plan_hash(m->from.bytes, m->from.length), plan_hash(m->subject.bytes, m->subject.length),
	                    m->time };
	words_turn(kind, sizeof kind);

	const int64_t of_text = m->id.length ? address_hash(m->id.bytes, m->id.length) : e->content;
	const int64_t id = e->first[FIELD_ID] ? e->first[FIELD_ID] : of_text;
	/* Whether the identifier can be an anchor as it is.  All of our own have no @. */
	const size_t plain = byte_span((const uint8_t *)m->id.bytes, 0, m->id.length,
	                               BYTE_BUT(BYTE_FWS | BYTE_CONTROL | BYTE_HIGH));
	const bool named = id == of_text && m->id.length <= MSGID_LONGEST && plain == m->id.length
	                   && memchr(m->id.bytes, '@', m->id.length);

	const size_t anchors = smaller(e->anchor_count, PAGE_ANCHORS);
	words_turn(e->refs, e->ref_count * sizeof *e->refs);
	words_turn(e->anchors, anchors * sizeof *e->anchors);
	const int64_t number[] = { id, plan_hash(kind, sizeof kind), e->content, month, base, reply, (int64_t)e->head,
	                           (int64_t)(e->at - e->head), named };
	const urlsift_text text[] = { author, subject, record_found(e->refs, e->ref_count * sizeof *e->refs),
	                              record_found(e->anchors, anchors * sizeof *e->anchors) };
	record_add(e->index.out, RECORD_POST, RECORD_NUMBERS_OF(number), RECORD_TEXTS_OF(text));
}

static void finish(struct page_encoder *e)
{
	if (e->open) {
		index_encoder_put_message(&e->index);
		begin_body(e);
		memory_status(urlsift_render_source_end(e->renderer, 0));
		memory_status(urlsift_render_flush(e->renderer));
		flush(e);
		put_post(e);
	}
	forget(e);
}

/* ---- Events ------------------------------------------------------------------------------------------ */

static void take_name(void *encoder, struct source_name name)
{
	struct page_encoder *e = encoder;
	finish(e);
	e->source = text_or(name.member, name.file);
	index_encoder_events.name(e, name);
}

static void take_source_end(void *encoder)
{
	finish(encoder);
	index_encoder_events.source_end(encoder);
}

static void take_close(void *encoder, bool complete, bool last)
{
	finish(encoder);
	index_encoder_events.input.close(encoder, complete, last);
}

static void take_message(void *encoder, const urlsift_message *message)
{
	struct page_encoder *e = encoder;
	finish(e);
	e->open = e->is_mail = true;
	e->message = *message;
	/* `message` is that of the next one when this one ends */
	urlsift_text *texts[METAS] = { &e->message.id, &e->message.subject, &e->message.from, &e->message.date,
	                               &e->message.list };
	for (int i = 0; i < METAS; i++) {
		const size_t n = smaller(texts[i]->length, META_LONGEST);
		*texts[i] = (urlsift_text){ memcpy(e->meta[i], texts[i]->bytes, n), n };
	}
	index_encoder_events.message(e, message);
}

/* Whether it is a field of the message, which its page shows at the top. */
static bool is_field(const urlsift_place *place)
{
	return place->field && !*place->part;
}

/* Whether it is a field of a part or an attached message that pages, which everybody may read, do not show. */
static bool is_private(const urlsift_place *place)
{
	return place->field && ascii_is_among(place->field, strlen(place->field), "bcc");
}

static void take_place(void *encoder, const urlsift_place *place)
{
	struct page_encoder *e = encoder;
	if (is_field(place)) {
		/* Only the first field of a name counts. */
		const enum page_field i = find_field(place->field);
		e->field = e->seen[i] ? FIELD_OTHER : i;
		e->seen[i] = true;
	} else {
		e->field = FIELD_OTHER;
		index_encoder_put_message(&e->index);
		begin_body(e);
		e->waits = place->field && !place->attached;
		if (!e->waits && !is_private(place))
			memory_status(urlsift_render_place(e->renderer, place));
	}
}

/* Whether the field of a part, as where header fields are protected by a signature, is that of the message. */
static bool is_repeated(const struct page_encoder *e, const char *name, const urlsift_piece *piece)
{
	const enum page_field i = find_field(name);
	if (i >= FIELDS_SHOWN || piece->link)
		return false;
	const urlsift_text text = field_text(e, i);
	return bytes_are(piece->text, piece->text_length, text.bytes, text.length);
}

static void take_piece(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown)
{
	struct page_encoder *e = encoder;
	const bool first = piece_begins_link(piece);
	e->open = true; /* plain text */
	index_encoder_put_message(&e->index);
	if (within(e->field, FIELD_TO, FIELDS_SHOWN - 1)) {
		char *text = e->text[e->field - FIELD_TO];
		size_t *used = &e->length[e->field - FIELD_TO];
		for (size_t i = 0; i < piece->text_length && *used < FIELD_LONGEST; i++)
			if (!is_line_end((uint8_t)piece->text[i]))
				text[(*used)++] = piece->text[i];
	}
	if (first) {
		size_t n;
		if (within(e->field, FIELD_ID, FIELD_OTHER - 1)) {
			const char *text = urlsift_link_text(piece->link, &n);
			const int64_t id = address_hash(text, n);
			if (!e->first[e->field])
				e->first[e->field] = id;
			if (e->field == FIELD_REFERENCES) {
				if (e->ref_count == PLAN_REFERENCES)
					memmove(e->refs + 1, e->refs + 2, (--e->ref_count - 1) * sizeof *e->refs);
				e->refs[e->ref_count++] = id;
			}
		} else {
			const char *scheme = urlsift_link_scheme(piece->link, &n);
			if (!text_is(scheme, n, "mid"))
				index_encoder_events.piece(e, place, piece, shown);
		}
	}
	if (is_field(place))
		return;
	begin_body(e);
	if (is_private(place) || (e->waits && is_repeated(e, place->field, piece)))
		return;
	if (e->waits)
		memory_status(urlsift_render_place(e->renderer, place));
	e->waits = false;
	memory_status(urlsift_render_piece(e->renderer, place, piece, shown));
}

/* ---- Beginning and end ---------------------------------------------------------------------------------- */

static void encoder_free(void *encoder)
{
	struct page_encoder *e = encoder;
	urlsift_render_free(e->renderer);
	index_encoder_fini(&e->index);
	free(e);
}

static void *encoder_new(void *pages, urlsift_context *context, struct buf *out)
{
	const struct pages *p = pages;
	struct page_encoder *e = memory_get(sizeof *e);
	const urlsift_render_options how = { .format = "html", .implementation = p->options.implementation,
	                                     .html = { .fragment = 1, .lang = p->options.lang, .identifier = take_mid } };
	index_encoder_init(&e->index, &p->index, context, out);
	e->source = "";
	e->renderer = memory_checked(urlsift_render_new(context, &how, put, e, NULL));
	forget(e);
	return e;
}

void page_encoder_register(struct consumer *c)
{
	c->encoder_new = encoder_new;
	c->encoder_free = encoder_free;
	c->on.input.close = take_close;
	c->on.name = take_name;
	c->on.message = take_message;
	c->on.place = take_place;
	c->on.piece = take_piece;
	c->on.source_end = take_source_end;
}

#endif
