#include "digest.h"
#include "index.h"

#include "input/filter.h"
#include "input/memory.h"
#include "text/hashset.h"

#include <stdarg.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct index_encoder {
	struct buf *out;
	bool lacking;          /* memory was missing in this event */
	urlsift_context *context;
	bool judges;
	const urlsift_message *message; /* NULL before the first, and in plain text */
	bool written;          /* its record */
	int64_t n;             /* of its next link */
	const struct source *file; /* whose offsets those of messages are, and a checkpoint's may be; else NULL */
	bool mailbox, alone;   /* a mailbox; a file that is not in a folder */
	const uint64_t *unsure;
	struct source_name source;
	int64_t messages;      /* since the last checkpoint that was written */
	bool may_go_on;        /* there may be one at the message at `offset`, */
	int64_t after;         /* and so many messages begin there or later */
	uint64_t piece, offset, line; /* of the last message that may have a checkpoint */
	bool hashes;           /* its bytes, as it may be a mailbox */
	struct digest digest;
	struct room normal, target, absolute;
	struct buf parts, flags, warnings, alternates;
	urlsift_allocator alloc;
};

/* ---- Records ---------------------------------------------------------------------- */

/* Memory that is missing is noted, and asked for at the end of an event. */
static void add(struct index_encoder *e, struct buf *b, const void *bytes, size_t n)
{
	e->lacking |= !buf_add(b, bytes, n);
}

static urlsift_status finish(struct index_encoder *e)
{
	urlsift_status status = e->lacking ? URLSIFT_NO_MEMORY : URLSIFT_OK;
	e->lacking = false;
	return status;
}

static void begin(struct index_encoder *e, enum record_type type, const int64_t *number, unsigned numbers,
                  unsigned texts)
{
	const struct record r = { type, numbers, texts };
	add(e, e->out, &r, sizeof r);
	add(e, e->out, number, numbers * sizeof *number);
}

static void put_text(struct index_encoder *e, const char *text, size_t length)
{
	const uint32_t n = text ? (uint32_t)length : UINT32_MAX;
	add(e, e->out, &n, sizeof n);
	if (text) {
		add(e, e->out, text, length);
		add(e, e->out, "", 1);
	}
}

static void put_string(struct index_encoder *e, const char *text)
{
	put_text(e, text, text ? strlen(text) : 0);
}

/* Absent when it is empty. */
static void put_found(struct index_encoder *e, const char *text, size_t length)
{
	put_text(e, length > 0 ? text : NULL, length);
}

size_t record_read(const char *bytes, struct record_fields *f)
{
	struct record r;
	const char *p = bytes;
	memcpy(&r, p, sizeof r);
	p += sizeof r;
	f->type = r.type;
	memcpy(f->number, p, r.numbers * sizeof *f->number);
	p += r.numbers * sizeof *f->number;
	for (unsigned i = 0; i < r.texts; i++) {
		uint32_t n;
		memcpy(&n, p, sizeof n);
		p += sizeof n;
		f->text[i] = n == UINT32_MAX ? NULL : p;
		f->length[i] = n == UINT32_MAX ? 0 : n;
		p += n == UINT32_MAX ? 0 : (size_t)n + 1;
	}
	return (size_t)(p - bytes);
}

/* ---- Files and sources ------------------------------------------------------------ */

static urlsift_status take_open(void *encoder, const struct opened *o)
{
	struct index_encoder *e = encoder;
	const int64_t number[] = { o->item.kind, (int64_t)o->size, o->mtime, (int64_t)o->from, (int64_t)o->line };
	e->message = NULL;
	e->written = e->may_go_on = e->mailbox = false;
	e->alone = o->item.kind == FOLDER_NONE;
	e->file = NULL;
	e->messages = 0;
	e->piece = UINT64_MAX;
	e->unsure = o->unsure;
	e->hashes = e->alone;
	digest_begin(&e->digest, o->from);
	if (!o->first)
		return URLSIFT_OK;
	begin(e, RECORD_OPEN, number, 5, 3);
	put_string(e, o->item.path);
	put_string(e, o->item.folder);
	put_string(e, o->commit);
	return finish(e);
}

static void put_piece(void *encoder, uint64_t piece, uint64_t sum)
{
	const int64_t number[] = { (int64_t)piece, (int64_t)sum };
	begin(encoder, RECORD_PIECE, number, 2, 0);
}

static urlsift_status take_bytes(void *encoder, uint64_t at, const void *bytes, size_t n)
{
	struct index_encoder *e = encoder;
	if (e->hashes)
		digest_add(&e->digest, at, bytes, n);
	return finish(e);
}

static urlsift_status take_name(void *encoder, struct source_name name)
{
	struct index_encoder *e = encoder;
	e->source = name;
	return URLSIFT_OK;
}

static urlsift_status take_source(void *encoder, struct source_name name)
{
	struct index_encoder *e = encoder;
	e->message = NULL;
	e->written = false;
	e->messages = 0;
	begin(e, RECORD_SOURCE, NULL, 0, 2);
	put_string(e, name.file);
	put_string(e, name.member);
	return finish(e);
}

static urlsift_status take_kind(void *encoder, urlsift_mail_kind kind, const struct source *file)
{
	struct index_encoder *e = encoder;
	e->file = file;
	e->mailbox = e->hashes = file && kind == URLSIFT_KIND_MBOX;
	begin(e, RECORD_KIND, NULL, 0, 1);
	put_string(e, source_kind_name(kind));
	return finish(e);
}

int record_tail(const struct source *file, uint64_t offset, int64_t *tail)
{
	char bytes[TAIL_SIZE];
	size_t n = offset < TAIL_SIZE ? (size_t)offset : TAIL_SIZE;
	ssize_t got = source_read_at(file, offset - n, bytes, n);
	if (got != (ssize_t)n)
		return got < 0 ? errno : EIO;
	const struct hash128 hash = siphash((struct hash128){ 0, 0 }, bytes, n);
	memcpy(tail, &hash.low, sizeof *tail);
	return 0;
}

/* Whether reading may go on from that message another time: a From_ line, and no separator of a digest, is there.  All
 * messages before it end where they would in a file that has grown. */
static bool read_checkpoint(struct index_encoder *e, int64_t *tail)
{
	char from[5];
	return e->may_go_on && source_read_at(e->file, e->offset, from, 5) == 5 && !memcmp(from, "From ", 5) &&
	       !record_tail(e->file, e->offset, tail);
}

static urlsift_status put_checkpoint(struct index_encoder *e)
{
	int64_t number[] = { (int64_t)e->offset, (int64_t)e->line, 0, e->messages };
	if (!read_checkpoint(e, &number[2]))
		return URLSIFT_OK;
	e->piece = e->offset / CHECKPOINT_EVERY;
	e->messages = 0;
	begin(e, RECORD_CHECKPOINT, number, 4, 0);
	return finish(e);
}

static urlsift_status take_message(void *encoder, const urlsift_message *m)
{
	struct index_encoder *e = encoder;
	urlsift_status status = URLSIFT_OK;
	e->message = m;
	e->written = false;
	if (e->mailbox && *e->unsure >= m->offset) {
		e->may_go_on = true;
		e->after = 0;
		e->offset = m->offset;
		e->line = m->line;
		if (m->offset / CHECKPOINT_EVERY != e->piece)
			status = put_checkpoint(e);
	}
	e->messages++;
	e->after++;
	return status;
}

static urlsift_status take_source_end(void *encoder)
{
	struct index_encoder *e = encoder;
	const int64_t messages = e->messages;
	e->messages = 0;
	begin(e, RECORD_SOURCE_END, &messages, 1, 0);
	return finish(e);
}

static urlsift_status take_close(void *encoder, bool complete, bool last)
{
	struct index_encoder *e = encoder;
	int64_t number[] = { complete, last, 0, (int64_t)e->offset, (int64_t)e->line, 0, e->messages,
	                     e->after, *e->unsure < INT64_MAX ? (int64_t)*e->unsure : INT64_MAX };
	number[2] = read_checkpoint(e, &number[5]);
	if (e->hashes && e->mailbox)
		digest_end(&e->digest, e->file); /* what cannot be read will be read again */
	/* A file of one text is complete where it ends; that tells a renamed one from others of its size and time. */
	if (complete && e->alone && !e->mailbox && e->file && !record_tail(e->file, e->file->size, &number[5])) {
		number[2] = number[4] = number[7] = 1;
		number[3] = (int64_t)e->file->size;
	}
	e->messages = 0;
	begin(e, RECORD_CLOSE, number, 9, 0);
	return finish(e);
}

/* ---- Messages and problems ---------------------------------------------------------- */

/* The record of the message, before the first that belongs to it.  Plain text is a message too. */
static void put_message(struct index_encoder *e)
{
	const urlsift_text none = { "", 0 };
	const urlsift_message text = { .id = none, .from = none, .date = none, .subject = none, .list = none,
	                                      .groups = none, .time = -1, .uri = none };
	const urlsift_message *m = e->message ? e->message : &text;
	const int64_t number[] = { (int64_t)m->offset, m->date.length > 0 ? m->time : -1 };
	const urlsift_text texts[] = { m->id, m->from, m->date, m->subject, m->list, m->groups, m->uri };
	if (e->written)
		return;
	e->written = true;
	e->n = 0;
	begin(e, RECORD_MESSAGE, number, 2, 7);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		put_found(e, texts[i].bytes, texts[i].length);
}

void index_encoder_message(void *encoder)
{
	put_message(encoder);
}

void index_encoder_put(void *encoder, const struct record *r, const int64_t *number, const urlsift_text *text)
{
	begin(encoder, r->type, number, r->numbers, r->texts);
	for (unsigned i = 0; i < r->texts; i++)
		put_text(encoder, text[i].bytes, text[i].length);
}

static urlsift_status put_problem(struct index_encoder *e, const char *type, const char *what, const urlsift_notice *n)
{
	const int64_t number[] = { e->message ? (int64_t)e->message->offset : 0, n ? (int64_t)n->value : -1,
	                           n ? (int64_t)n->offset : -1 };
	begin(e, RECORD_PROBLEM, number, 3, 3);
	put_string(e, type);
	put_string(e, what);
	put_string(e, e->source.file);
	return finish(e);
}

static urlsift_status take_error(void *encoder, const urlsift_place *place, const char *what)
{
	(void)place;
	return put_problem(encoder, "error", what, NULL);
}

static urlsift_status take_notice(void *encoder, const urlsift_place *place, const urlsift_notice *n)
{
	(void)place;
	return put_problem(encoder, "limit", n->limit, n);
}

/* ---- Links ------------------------------------------------------------------------ */

/* The names of the bits with blanks between; empty for none. */
static void list_names(struct index_encoder *e, struct buf *b, unsigned bits, const char *(*name_of)(unsigned bit))
{
	b->length = 0;
	for (unsigned bit = 1; bit && bit <= bits; bit <<= 1) {
		const char *name = bits & bit ? name_of(bit) : NULL;
		if (name) {
			add(e, b, " ", b->length > 0);
			add(e, b, name, strlen(name));
		}
	}
}

__attribute__((format(printf, 3, 4))) static void add_format(struct index_encoder *e, struct buf *b, const char *format,
                                                             ...)
{
	char text[64];
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	add(e, b, text, (size_t)n);
}

/* A wrapper may have many parts: printf took half of the time of an index of such. */
static void add_number(struct index_encoder *e, struct buf *b, uint64_t n)
{
	char digits[20], *at = digits + sizeof digits;
	do
		*--at = (char)('0' + n % 10);
	while (n /= 10);
	add(e, b, at, (size_t)(digits + sizeof digits - at));
}

/* [[offset, length], ...]; empty for one part. */
static void list_parts(struct index_encoder *e, const urlsift_range *parts, size_t n)
{
	struct buf *b = &e->parts;
	b->length = 0;
	for (size_t i = 0; n > 1 && i < n; i++) {
		add(e, b, i > 0 ? ",[" : "[[", 2);
		add_number(e, b, parts[i].offset);
		add(e, b, ",", 1);
		add_number(e, b, parts[i].length);
		add(e, b, "]]", i + 1 < n ? 1 : 2);
	}
}

static void add_json(struct index_encoder *e, struct buf *b, const char *text, size_t length)
{
	size_t n = urlsift_escape_json(text, length, NULL, 0);
	e->lacking |= !buf_reserve(b, n);
	if (!e->lacking)
		b->length += urlsift_escape_json(text, length, (char *)b->data + b->length, n);
}

static void list_alternates(struct index_encoder *e, const urlsift_link *link)
{
	size_t n;
	const urlsift_alternate *a = urlsift_link_alternates(link, &n);
	struct buf *b = &e->alternates;
	b->length = 0;
	for (size_t i = 0; i < n; i++) {
		int hundredths = (int)(a[i].confidence * 100 + 0.5);
		add_format(e, b, "%s{\"text\":", i > 0 ? "," : "[");
		add_json(e, b, a[i].text, a[i].length);
		add_format(e, b, ",\"why\":\"%s\",\"confidence\":%.4g}%s",
		           a[i].why == URLSIFT_WHY_HYPHEN ? "hyphen" : "join", hundredths / 100.0, i + 1 < n ? "" : "]");
	}
}

/* Numbers 1, 0 or, where there is no verdict, -1. */
static urlsift_status judge(struct index_encoder *e, const urlsift_url *url, bool is_uri, int64_t *number)
{
	urlsift_status status = URLSIFT_OK;
	for (int g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		if (!e->judges) {
			number[LINK_RFC1738 + g] = -1;
			continue;
		}
		bool known = g == URLSIFT_RFC3986 ? is_uri : g == URLSIFT_RFC3987 && number[LINK_RFC3986] == 1;
		status = known && status != URLSIFT_NOT_BUILT ? URLSIFT_OK
		         : urlsift_url_check(e->context, url, (urlsift_grammar)g, NULL);
		number[LINK_RFC1738 + g] = status == URLSIFT_OK ? 1 : status == URLSIFT_INVALID ? 0 : -1;
		if (status == URLSIFT_NO_MEMORY)
			return status;
	}
	return URLSIFT_OK;
}

/* What a link is on its way into a record. */
struct link_forms {
	urlsift_text normal, text, target;
	urlsift_url url; /* of the comparable form */
	bool simple;
	char unwrapped[8 * 1024];
	size_t unwrapped_length; /* 0: it is not wrapped, or the target is longer */
};

static urlsift_status take_forms(struct index_encoder *e, const urlsift_link *link, struct link_forms *f,
                                 int64_t *number)
{
	f->simple = urlsift_link_is_simple(link);
	f->text.bytes = urlsift_link_text(link, &f->text.length);
	f->normal.length = room_put_form(&e->normal, urlsift_link_normal, link);
	f->normal.bytes = e->normal.data;
	f->target = f->text;
	if (!f->simple) {
		f->target.length = room_put_form(&e->target, urlsift_link_target, link);
		f->target.bytes = e->target.data;
	}
	if (f->normal.length == 0 || f->target.length == 0)
		return URLSIFT_NO_MEMORY;
	urlsift_url_split(f->normal.bytes, f->normal.length, &f->url);
	f->unwrapped_length = urlsift_url_unwrap(&f->url, f->unwrapped, sizeof f->unwrapped);
	if (f->unwrapped_length == URLSIFT_LENGTH_NO_MEMORY)
		return URLSIFT_NO_MEMORY;
	if (f->simple) {
		urlsift_url url;
		urlsift_url_split(f->text.bytes, f->text.length, &url);
		return judge(e, &url, true, number);
	}
	urlsift_url url;
	size_t n = room_put_form(&e->absolute, urlsift_link_absolute, link);
	urlsift_url_split(e->absolute.data, n, &url);
	return n > 0 ? judge(e, &url, false, number) : URLSIFT_NO_MEMORY;
}

/* Absent when it is the same as `other`. */
static void put_unless(struct index_encoder *e, urlsift_text text, urlsift_text other)
{
	bool same = text.length == other.length && !memcmp(text.bytes, other.bytes, text.length);
	put_text(e, same ? NULL : text.bytes, text.length);
}

static void put_list(struct index_encoder *e, const struct buf *b)
{
	put_found(e, (const char *)b->data, b->length);
}

/* The texts of a link, in the order of enum link_text. */
static void put_link(struct index_encoder *e, const urlsift_place *place, const urlsift_link *link,
                     const struct link_forms *f)
{
	const urlsift_component host = f->url.host;
	const char *part = place ? place->part : "";
	urlsift_text label;
	label.bytes = urlsift_link_label(link, &label.length);
	size_t scheme_length;
	const char *scheme = urlsift_link_scheme(link, &scheme_length);
	put_text(e, f->normal.bytes, f->normal.length);
	put_text(e, scheme, scheme_length);
	put_found(e, f->normal.bytes + host.offset, host.length);
	put_unless(e, f->text, f->normal);
	put_unless(e, f->target, f->text);
	put_found(e, part, strlen(part));
	put_string(e, place ? place->field : NULL);
	put_list(e, &e->parts);
	put_string(e, urlsift_convention_name(urlsift_link_convention(link)));
	put_list(e, &e->flags);
	put_list(e, &e->warnings);
	put_list(e, &e->alternates);
	put_found(e, label.bytes, label.length);
	put_string(e, place ? place->attribute : NULL);
	put_found(e, f->unwrapped, f->unwrapped_length <= sizeof f->unwrapped ? f->unwrapped_length : 0);
}

static urlsift_status take_link(struct index_encoder *e, const urlsift_place *place, const urlsift_link *link)
{
	size_t n;
	const urlsift_range *parts = urlsift_link_parts(link, &n);
	struct link_forms f;
	int64_t number[LINK_NUMBERS] = {
		[LINK_N] = e->n, [LINK_LINE] = (int64_t)urlsift_link_line(link),
		[LINK_COLUMN] = (int64_t)urlsift_link_column(link),
		[LINK_OFFSET] = (int64_t)parts[0].offset, [LINK_LENGTH] = (int64_t)parts[0].length,
		[LINK_DECODED] = place && place->decoded
	};
	urlsift_status status = take_forms(e, link, &f, number);
	if (status != URLSIFT_OK)
		return status;
	list_parts(e, parts, n);
	list_alternates(e, link);
	list_names(e, &e->flags, urlsift_link_flags(link), urlsift_flag_name);
	list_names(e, &e->warnings, f.simple ? 0 : urlsift_link_warnings(link), urlsift_warning_name);
	put_message(e);
	number[LINK_N] = e->n++;
	begin(e, RECORD_LINK, number, LINK_NUMBERS, LINK_TEXTS);
	put_link(e, place, link, &f);
	return finish(e);
}

static urlsift_status take_piece(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown)
{
	struct index_encoder *e = encoder;
	if (!shown || !piece->link || piece->part > 0)
		return URLSIFT_OK;
	const bool written = e->written;
	urlsift_status status = take_link(e, place, piece->link);
	if (status != URLSIFT_OK)
		e->written = written; /* with the link its record was dropped */
	return status;
}

/* ---- The encoder -------------------------------------------------------------------- */

static void *encoder_new(void *user, urlsift_context *context, struct buf *out)
{
	struct index_encoder *e = memory_get(sizeof *e);
	const struct index *x = user;
	e->judges = !x->options.pages;
	e->alloc = alloc_from(NULL);
	e->out = out;
	e->context = context;
	e->source.file = "-";
	e->digest.take = put_piece;
	e->digest.user = e;
	buf_init(&e->parts, &e->alloc, SIZE_MAX);
	buf_init(&e->flags, &e->alloc, SIZE_MAX);
	buf_init(&e->warnings, &e->alloc, SIZE_MAX);
	buf_init(&e->alternates, &e->alloc, SIZE_MAX);
	return e;
}

void index_encoder_free(void *encoder)
{
	struct index_encoder *e = encoder;
	if (!e)
		return;
	free(e->normal.data);
	free(e->target.data);
	free(e->absolute.data);
	buf_fini(&e->parts);
	buf_fini(&e->flags);
	buf_fini(&e->warnings);
	buf_fini(&e->alternates);
	free(e);
}

void index_encoder_register(struct consumer *c)
{
	c->encoder_new = encoder_new;
	c->encoder_free = index_encoder_free;
	c->on.open = take_open;
	c->on.close = take_close;
	c->on.kind = take_kind;
	c->on.bytes = take_bytes;
	c->on.name = take_name;
	c->on.source = take_source;
	c->on.message = take_message;
	c->on.piece = take_piece;
	c->on.error = take_error;
	c->on.notice = take_notice;
	c->on.source_end = take_source_end;
}
