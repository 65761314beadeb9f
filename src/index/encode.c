#include "encode.h"
#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/memory.h"
#include "scan/link.h"
#include "text/ascii.h"
#include "text/bits.h"

#include <stdlib.h>
#include <string.h>

/* ---- Files and sources ------------------------------------------------------------ */

/* The message of what is in none. */
static const urlsift_message no_message = {
	.id = { "", 0 }, .from = { "", 0 }, .date = { "", 0 }, .subject = { "", 0 }, .list = { "", 0 }, .groups = { "", 0 },
	.uri = { "", 0 }, .time = -1
};

static void take_open(void *encoder, const struct opened *o)
{
	struct index_encoder *e = encoder;
	const int64_t number[] = { o->item.kind, (int64_t)o->size, o->mtime, (int64_t)o->from, (int64_t)o->line };
	e->last.known = e->mailbox = false;
	e->alone = o->item.kind == FOLDER_NONE;
	e->first = o->first;
	e->file = NULL;
	e->messages = 0;
	e->last.piece = UINT64_MAX;
	e->unsure = o->unsure;
	e->hashes = e->alone;
	digest_begin(&e->digest, o->from);
	if (!o->first)
		return;
	const urlsift_text text[] = {
		record_string(o->item.path), record_string(o->item.folder), record_string(o->commit)
	};
	record_add(e->out, RECORD_OPEN, RECORD_NUMBERS_OF(number), RECORD_TEXTS_OF(text));
}

static void put_piece(void *encoder, uint64_t piece, uint64_t sum)
{
	const int64_t number[] = { (int64_t)piece, (int64_t)sum };
	record_add(((struct index_encoder *)encoder)->out, RECORD_PIECE, RECORD_NUMBERS_OF(number), RECORD_NO_TEXTS);
}

static void take_bytes(void *encoder, uint64_t at, const void *bytes, size_t n)
{
	struct index_encoder *e = encoder;
	if (e->hashes)
		digest_add(&e->digest, at, bytes, n);
}

static void take_name(void *encoder, struct source_name name)
{
	struct index_encoder *e = encoder;
	e->source = name;
}

static void take_source(void *encoder, struct source_name name)
{
	struct index_encoder *e = encoder;
	const urlsift_text text[] = { record_string(name.file), record_string(name.member) };
	e->messages = 0;
	record_add(e->out, RECORD_SOURCE, RECORD_NO_NUMBERS, RECORD_TEXTS_OF(text));
}

static void take_kind(void *encoder, urlsift_mail_kind kind, const struct source *file)
{
	struct index_encoder *e = encoder;
	const urlsift_text text[] = { record_string(source_kind_name(kind)) };
	e->file = file;
	e->message.again = !e->first && kind == URLSIFT_KIND_TEXT; /* as a message, the ranges of a text have one row */
	e->mailbox = e->hashes = file && kind == URLSIFT_KIND_MBOX;
	record_add(e->out, RECORD_KIND, RECORD_NO_NUMBERS, RECORD_TEXTS_OF(text));
}

/* Whether reading may go on from the last From_ line another time.  All messages before it end where they would in a
 * file that has grown. */
static bool read_checkpoint(struct index_encoder *e, int64_t *tail)
{
	return e->last.known && record_tail(e->file, e->last.offset, tail);
}

static void take_message(void *encoder, const urlsift_message *m)
{
	struct index_encoder *e = encoder;
	char from[5];
	e->message.fields = m;
	e->message.begins = m->offset;
	e->message.written = e->message.again = false;
	/* Without a From_ line, a message of a digest begins there. */
	if (e->mailbox && *e->unsure >= m->offset && source_read_at(e->file, m->offset, from, sizeof from) == sizeof from
	    && !memcmp(from, "From ", sizeof from)) {
		e->last.known = true;
		e->last.messages = 0;
		e->last.offset = m->offset;
		e->last.line = m->line;
		int64_t number[] = { (int64_t)e->last.offset, (int64_t)e->last.line, 0, e->messages };
		if (m->offset / CHECKPOINT_EVERY != e->last.piece && read_checkpoint(e, &number[2])) {
			e->last.piece = e->last.offset / CHECKPOINT_EVERY;
			e->messages = 0;
			record_add(e->out, RECORD_CHECKPOINT, RECORD_NUMBERS_OF(number), RECORD_NO_TEXTS);
		}
	}
	e->messages++;
	e->last.messages++;
}

/* What follows belongs to no message until the next one begins. */
static void leave_message(struct index_encoder *e)
{
	e->message.fields = &no_message;
	e->message.written = false;
}

static void take_source_end(void *encoder)
{
	struct index_encoder *e = encoder;
	const int64_t number[] = { e->messages };
	leave_message(e);
	e->messages = 0;
	record_add(e->out, RECORD_SOURCE_END, RECORD_NUMBERS_OF(number), RECORD_NO_TEXTS);
}

static void take_close(void *encoder, bool complete, bool last)
{
	struct index_encoder *e = encoder;
	int64_t number[] = { complete, last, 0, (int64_t)e->last.offset, (int64_t)e->last.line, 0, e->messages,
	                     e->last.messages, (int64_t)earlier(*e->unsure, INT64_MAX) };
	number[2] = read_checkpoint(e, &number[5]);
	if (e->mailbox)
		digest_end(&e->digest, e->file); /* what cannot be read will be read again */
	else if (complete && last && e->alone && e->file && record_tail(e->file, e->file->size, &number[5])) {
		/* A file of one text is complete where it ends; that tells a renamed one from others of its size and time. */
		number[2] = number[4] = number[7] = 1;
		number[3] = (int64_t)e->file->size;
	}
	e->messages = 0;
	leave_message(e);
	record_add(e->out, RECORD_CLOSE, RECORD_NUMBERS_OF(number), RECORD_NO_TEXTS);
}

/* ---- Messages and problems ---------------------------------------------------------- */

void index_encoder_put_message(struct index_encoder *e)
{
	const urlsift_message *m = e->message.fields;
	if (e->message.written)
		return;
	const int64_t number[] = { (int64_t)m->offset, m->date.length > 0 ? m->time : -1, e->message.again };
	urlsift_text texts[] = { m->id, m->from, m->date, m->subject, m->list, m->groups, m->uri };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		texts[i] = record_found(texts[i].bytes, texts[i].length);
	e->message.written = true;
	e->message.n = 0;
	record_add(e->out, RECORD_MESSAGE, RECORD_NUMBERS_OF(number), RECORD_TEXTS_OF(texts));
}

static void put_problem(struct index_encoder *e, const char *type, const char *what, const urlsift_notice *n)
{
	const int64_t number[] = { (int64_t)e->message.fields->offset, (int64_t)n->value, (int64_t)n->offset };
	const urlsift_text text[] = { record_string(type), record_string(what), record_string(e->source.file) };
	record_add(e->out, RECORD_PROBLEM, RECORD_NUMBERS_OF(number), RECORD_TEXTS_OF(text));
}

static void take_error(void *encoder, const urlsift_place *place, const char *what)
{
	(void)place;
	put_problem(encoder, "error", what, &(urlsift_notice){ NULL, UINT64_MAX, UINT64_MAX });
}

static void take_notice(void *encoder, const urlsift_place *place, const urlsift_notice *n)
{
	(void)place;
	put_problem(encoder, "limit", n->limit, n);
}

/* ---- Links ------------------------------------------------------------------------ */

/* The names of the bits with blanks between; empty for none. */
static void list_names(struct buf *b, unsigned bits, bit_name_fn *name_of)
{
	b->length = 0;
	unsigned bit;
	for (const char *name; (name = bit_next(&bits, &bit, name_of));) {
		buf_add(b, " ", b->length > 0);
		buf_add_text(b, name);
	}
}

/* A wrapper may have many parts: printf took half of the time of an index of such. */
static void add_number(struct buf *b, uint64_t n)
{
	char digits[20], *const end = digits + sizeof digits, *const begin = number_put(end, n);
	buf_add(b, begin, (size_t)(end - begin));
}

static void list_alternates(struct index_encoder *e, const urlsift_link *link)
{
	size_t n;
	const urlsift_alternate *a = urlsift_link_alternates(link, &n);
	struct buf *b = &e->link.alternates;
	const char *before = "[{\"text\":";
	b->length = 0;
	for (size_t i = 0; i < n; i++, before = ",{\"text\":") {
		/* from 0 to less than 1, in hundredths, without the zeros at the end */
		const unsigned hundredths = (unsigned)(a[i].confidence * 100 + 0.5);
		const size_t length = urlsift_escape_json(a[i].text, a[i].length, NULL, 0);
		buf_add_text(b, before);
		buf_reserve(b, length);
		b->length += urlsift_escape_json(a[i].text, a[i].length, (char *)b->data + b->length, length);
		buf_add_text(b, a[i].why == URLSIFT_WHY_HYPHEN ? ",\"why\":\"hyphen\"" : ",\"why\":\"join\"");
		buf_add_text(b, ",\"confidence\":0.");
		add_number(b, hundredths / 10);
		if (hundredths % 10)
			add_number(b, hundredths % 10);
		buf_add(b, "}", 1);
	}
	buf_add(b, "]", n > 0);
}

static urlsift_status check(struct index_encoder *e, const urlsift_url *url, urlsift_grammar grammar)
{
	return memory_status(urlsift_url_check(e->context, url, grammar, NULL));
}

/* -1: there is none. */
static int64_t verdict(urlsift_status status)
{
	return status == URLSIFT_OK ? 1 : status == URLSIFT_INVALID ? 0 : -1;
}

static void judge(struct index_encoder *e, urlsift_text text, bool is_uri, int64_t *number)
{
	urlsift_url url;
	urlsift_url_split(text.bytes, text.length, &url);
	const urlsift_status old = check(e, &url, URLSIFT_RFC1738);
	const urlsift_status uri = is_uri && old != URLSIFT_NOT_BUILT ? URLSIFT_OK : check(e, &url, URLSIFT_RFC3986);
	/* Every URI is an IRI, and in ASCII every IRI is a URI: few runs need the third grammar, which takes long to
	 * compile. */
	const bool same = uri == URLSIFT_OK || (uri == URLSIFT_INVALID
	                                        && ascii_prefix((const uint8_t *)text.bytes, text.length) == text.length);
	number[LINK_RFC1738] = verdict(old);
	number[LINK_RFC3986] = verdict(uri);
	number[LINK_RFC3987] = verdict(same ? uri : check(e, &url, URLSIFT_RFC3987));
}

static urlsift_text put_form(struct room *r, size_t (*write)(const urlsift_link *link, char *out, size_t size),
                             const urlsift_link *link)
{
	const size_t n = room_put_form(r, write, link);
	return (urlsift_text){ r->data, n };
}

/* Absent when it is the same as `other`. */
static urlsift_text unless(urlsift_text text, urlsift_text other)
{
	return bytes_are(text.bytes, text.length, other.bytes, other.length) ? (urlsift_text){ NULL, 0 } : text;
}

static urlsift_text listed(const struct buf *b)
{
	return record_found(b->data, b->length);
}

/* Writes the record of a link, which is shown where its first piece is. */
static void take_piece(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown)
{
	struct index_encoder *e = encoder;
	const urlsift_link *link = piece->link;
	if (!shown || !piece_begins_link(piece))
		return;
	size_t n, scheme_length;
	const urlsift_range *parts = urlsift_link_parts(link, &n);
	int64_t number[LINK_NUMBERS] = {
		[LINK_LINE] = (int64_t)urlsift_link_line(link), [LINK_COLUMN] = (int64_t)urlsift_link_column(link),
		[LINK_OFFSET] = (int64_t)parts[0].offset, [LINK_LENGTH] = (int64_t)parts[0].length,
		[LINK_DECODED] = place->decoded != 0,
		[LINK_RFC1738] = -1, [LINK_RFC3986] = -1, [LINK_RFC3987] = -1
	};

	const bool simple = urlsift_link_is_simple(link);
	urlsift_text text, label;
	text.bytes = urlsift_link_text(link, &text.length);
	label.bytes = urlsift_link_label(link, &label.length);
	const char *scheme = urlsift_link_scheme(link, &scheme_length);
	const urlsift_text normal = put_form(&e->link.normal, urlsift_link_normal, link);
	const urlsift_text target = simple ? text : put_form(&e->link.target, urlsift_link_target, link);
	urlsift_url url; /* of the comparable form */
	urlsift_url_split(normal.bytes, normal.length, &url);
	size_t unwrapped_length = urlsift_url_unwrap(&url, e->link.unwrapped, sizeof e->link.unwrapped);
	memory_need(unwrapped_length != URLSIFT_LENGTH_NO_MEMORY);
	if (unwrapped_length > sizeof e->link.unwrapped)
		unwrapped_length = 0; /* as of a link that is not wrapped */
	const struct hash128 hash = siphash(e->key, normal.bytes, normal.length);
	number[LINK_HASH] = (int64_t)hash.low;
	number[LINK_HASH + 1] = (int64_t)hash.high;
	if (e->judges)
		judge(e, simple ? text : put_form(&e->link.absolute, urlsift_link_absolute, link), simple, number);

	/* [[offset, length], ...]; empty for one part. */
	struct buf *b = &e->link.parts;
	b->length = 0;
	if (n >= 2) {
		const char *before = "[[";
		for (size_t i = 0; i < n; i++, before = ",[") {
			buf_add_text(b, before);
			add_number(b, parts[i].offset);
			buf_add(b, ",", 1);
			add_number(b, parts[i].length);
			buf_add(b, "]", 1);
		}
		buf_add(b, "]", 1);
	}
	list_alternates(e, link);
	list_names(&e->link.flags, urlsift_link_flags(link), urlsift_flag_name);
	list_names(&e->link.warnings, simple ? 0 : urlsift_link_warnings(link), urlsift_warning_name);
	/* after a digest, the message around it goes on; pages show that with the last message of the digest */
	if (e->judges && place->message && e->message.begins != place->message->offset) {
		e->message.begins = place->message->offset;
		e->message.written = false;
		e->message.again = true;
	}
	index_encoder_put_message(e);
	number[LINK_N] = e->message.n++;
	const urlsift_text texts[LINK_TEXTS] = {
		[LINK_NORMAL] = normal, [LINK_SCHEME] = { scheme, scheme_length },
		[LINK_HOST] = record_found(normal.bytes + url.host.offset, url.host.length),
		[LINK_TEXT] = unless(text, normal), [LINK_HREF] = unless(target, text),
		[LINK_PART] = record_found(place->part, strlen(place->part)), [LINK_FIELD] = record_string(place->field),
		[LINK_PARTS] = listed(&e->link.parts),
		[LINK_CONVENTION] = record_string(urlsift_convention_name(urlsift_link_convention(link))),
		[LINK_FLAGS] = listed(&e->link.flags), [LINK_WARNINGS] = listed(&e->link.warnings),
		[LINK_ALTERNATES] = listed(&e->link.alternates), [LINK_LABEL] = record_found(label.bytes, label.length),
		[LINK_ATTRIBUTE] = record_string(place->attribute),
		[LINK_UNWRAPPED] = record_found(e->link.unwrapped, unwrapped_length)
	};
	record_add(e->out, RECORD_LINK, RECORD_NUMBERS_OF(number), RECORD_TEXTS_OF(texts));
}

/* ---- The encoder -------------------------------------------------------------------- */

void index_encoder_init(struct index_encoder *e, const struct index *x, urlsift_context *context, struct buf *out)
{
	struct buf *const lists[] = { &e->link.parts, &e->link.flags, &e->link.warnings, &e->link.alternates };
	*e = (struct index_encoder){ .out = out, .context = context, .judges = !x->options.pages, .source.file = "-",
	                             .message.fields = &no_message, .key = x->writer->key,
	                             .digest = { .take = put_piece, .user = e } };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		buf_init(lists[i], &memory_allocator, SIZE_MAX);
}

void index_encoder_fini(struct index_encoder *e)
{
	free(e->link.normal.data);
	free(e->link.target.data);
	free(e->link.absolute.data);
	buf_fini(&e->link.parts);
	buf_fini(&e->link.flags);
	buf_fini(&e->link.warnings);
	buf_fini(&e->link.alternates);
}

void *index_encoder_new(void *index, urlsift_context *context, struct buf *out)
{
	struct index_encoder *e = memory_get(sizeof *e);
	index_encoder_init(e, index, context, out);
	return e;
}

void index_encoder_free(void *encoder)
{
	index_encoder_fini(encoder);
	free(encoder);
}

const struct consumer_events index_encoder_events = {
	.input = { .open = take_open, .close = take_close, .kind = take_kind, .bytes = take_bytes }, .name = take_name,
	.source = take_source, .message = take_message, .piece = take_piece, .error = take_error, .notice = take_notice,
	.source_end = take_source_end
};

#endif
