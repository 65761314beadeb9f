/* Web archives (WARC, ISO 28500; WET files are WARC files): a record with text is a message, whose body is read as that
 * of an HTML document, of plain text or of mail.  A damaged record is reported, and the next line `WARC/1.` goes on. */
#include "worker.h"

#include "memory.h"
#include "web_body.h"

#include "mail/parser.h"
#include "simd/simd.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/calendar.h"
#include "text/match.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEAD_MAX = 64 * 1024, URI_MAX = 4096, TEXT_MAX = 256,
	AHEAD = 128 * 1024, /* bytes of a block that are looked at before it is read, */
	AFTER = 16          /* and what follows it */
};

enum warc_state {
	WARC_LOST, /* looks for a record */
	WARC_HEAD, /* between records, and in the header of one */
	WARC_HTTP, /* in the header of HTTP */
	WARC_BODY,
	WARC_SKIP  /* in a block that is not searched */
};

struct warc {
	struct worker *worker;
	enum warc_state state;
	uint64_t at;         /* offset of the next byte */
	struct line_count lines;
	struct buf head;     /* the header so far, */
	size_t line;         /* where its last line begins, */
	bool complete;       /* and whether it has ended */
	bool in_line;        /* WARC_LOST: the line is not one that begins a record */
	uint64_t left;       /* bytes of the block */
	bool unsure;         /* whether that is right has not been looked at */
	struct buf held;     /* the bytes before there are enough for that */
	urlsift_message message;
	struct document document;
	char type[TEXT_MAX]; /* that a feed or JSON is read as */
	char uri[URI_MAX], id[TEXT_MAX], date[TEXT_MAX], language[TEXT_MAX], payload[TEXT_MAX];
	struct web_body *body;
};

static bool take_content(void *user, const void *bytes, size_t n) { return worker_feed(user, bytes, n); }

void warc_free(struct warc *x)
{
	if (!x)
		return;
	web_body_free(x->body);
	buf_fini(&x->head);
	buf_fini(&x->held);
	free(x);
}

void warc_begin(struct worker *w)
{
	struct warc *x = w->file.warc;
	if (!x) {
		x = w->file.warc = memory_get(sizeof *x);
		buf_init(&x->head, &memory_allocator, 2 * HEAD_MAX);
		buf_init(&x->held, &memory_allocator, 2 * AHEAD);
		x->body = web_body_new(take_content, w);
	}
	x->worker = w;
	x->state = WARC_HEAD;
	x->head.length = x->held.length = x->line = 0;
	x->at = x->left = 0;
	x->unsure = false;
	x->lines = (struct line_count){ 0, 1, false };
	x->message = (urlsift_message){ 0 };
	w->status = URLSIFT_OK;
}

/* Whether the record begins in the range that is read. */
static bool is_wanted(const struct warc *x)
{
	return input_in_range(&x->worker->settings->in, x->message.offset);
}

static void damaged(struct warc *x, const char *what)
{
	char why[WHY_SIZE];
	if (!is_wanted(x))
		return;
	snprintf(why, sizeof why, "record at %" PRIu64 " %s", x->message.offset, what);
	worker_fail(x->worker, why);
}

static void get_lost(struct warc *x, const char *what)
{
	damaged(x, what);
	x->state = WARC_LOST;
	x->in_line = true;
	x->head.length = x->line = 0;
}

/* ---- Fields ---- */

/* The value of the first field of this name, in lower case with its colon, in a header that ends at `end`; empty for
 * none. */
static urlsift_text find_field(const uint8_t *p, const uint8_t *end, const char *name)
{
	const size_t n = strlen(name);
	for (const uint8_t *lf; (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		if ((size_t)(lf - p) < n || !ascii_begins(p, name, n))
			continue;
		const uint8_t *value = after_fws(p + n, lf);
		return (urlsift_text){ (const char *)value, byte_span_back(value, 0, (size_t)(lf - value), BYTE_FWS) };
	}
	return (urlsift_text){ "", 0 };
}

static urlsift_text field(const struct warc *x, const char *name)
{
	return find_field(x->head.data, x->head.data + x->head.length, name);
}

/* A copy, without angle brackets, as the texts of urlsift_message are: valid UTF-8 without controls. */
static urlsift_text copy(char *room, size_t size, urlsift_text from)
{
	if (text_begins(from.bytes, from.length, "<") && text_ends(from.bytes, from.length, ">"))
		from = (urlsift_text){ from.bytes + 1, from.length - 2 };
	const size_t n = smaller(from.length, size);
	const size_t valid = simd_choose(URLSIFT_IMPL_AUTO)->utf8_valid((const uint8_t *)from.bytes, n);
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)from.bytes[i];
		room[i] = (char)(c < ' ' || c == 0x7f ? ' ' : c >= 0x80 && i >= valid ? '?' : c);
	}
	return (urlsift_text){ room, n };
}

/* The number of two digits. */
static unsigned digits(const char *p) { return 10 * (unsigned)(p[0] - '0') + (unsigned)(p[1] - '0'); }

/* `2026-04-01T10:20:30Z` in seconds since 1970; -1 if it is malformed or earlier. */
static int64_t read_time(urlsift_text date)
{
	const char *p = date.bytes;
	if (!match_bytes((const uint8_t *)p, date.length, "%d%d%d%d-%d%d-%d%dT%d%d:%d%d:%d%d" MATCH_ANY))
		return -1;
	const unsigned year = 100 * digits(p) + digits(p + 2), month = digits(p + 5), day = digits(p + 8);
	const unsigned hour = digits(p + 11), minute = digits(p + 14), second = digits(p + 17);
	if (!within(year, 1970, 2100) || !within(month, 1, 12) || !within(day, 1, 31))
		return -1;
	return ((calendar_days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
}

/* False if there is no length. */
static bool read_length(urlsift_text text, uint64_t *length)
{
	*length = 0;
	size_t n = number_read((const uint8_t *)text.bytes, 0, text.length, 10, length);
	return n && n == text.length && *length < NUMBER_MAX;
}

/* ---- Records ---- */

/* The type that a body is read as: feeds, other XML and JSON, which are of `application`, are
 * plain text, as in files. */
static urlsift_text type_read(struct warc *x, urlsift_text type)
{
	static const char text[] = "text/plain";
	const uint8_t *p = (const uint8_t *)type.bytes;
	const size_t parameters = (size_t)(find_byte(p, p + type.length, ';') - p), rest = type.length - parameters;
	const size_t n = byte_span_back(p, 0, parameters, BYTE_FWS);
	if (!ascii_opens(p, n, "application/") || !ascii_ends_among(p, n, "json xml") ||
	    content_kind_of(p, type.length) != BODY_SKIPPED || rest > sizeof x->type - sizeof text)
		return type;
	char *end = bytes_put(bytes_put(x->type, text, sizeof text - 1), p + parameters, rest);
	return (urlsift_text){ x->type, (size_t)(end - x->type) };
}

/* The body of a record of this type begins. */
static void begin_body(struct warc *x, urlsift_text type, bool chunked, urlsift_text coding)
{
	static const bool searched[] = {
		[BODY_SKIPPED] = false, [BODY_TEXT] = true, [BODY_HTML] = true, [BODY_MULTIPART] = false, [BODY_MESSAGE] = true,
		[BODY_HEADERS] = false
	};
	const bool decoded = chunked || coding.length;
	type = type_read(x, type);
	x->state = WARC_SKIP;
	if (!searched[content_kind_of(type.bytes, type.length)]
	    || !web_body_begin(x->body, chunked, coding, (uint64_t)x->worker->settings->in.max_expand)) {
		x->worker->tally.skipped++;
		return;
	}
	x->state = WARC_BODY;
	x->document = (struct document){ &x->message, type, { x->language, strlen(x->language) }, x->message.uri, decoded };
	worker_begin_document(x->worker, &x->document, decoded ? 0 : x->at, decoded ? 1 : x->lines.line);
}

/* The header of a record has ended. */
static void begin_block(struct warc *x)
{
	const urlsift_text type = field(x, "warc-type:"), content = field(x, "content-type:"), none = { "", 0 };
	if (!read_length(field(x, "content-length:"), &x->left)) {
		get_lost(x, "has no length");
		return;
	}
	x->unsure = x->left > 0;
	x->message.uri = copy(x->uri, sizeof x->uri, field(x, "warc-target-uri:"));
	x->message.id = copy(x->id, sizeof x->id, field(x, "warc-record-id:"));
	x->message.date = copy(x->date, sizeof x->date, field(x, "warc-date:"));
	x->message.time = read_time(x->message.date);
	x->message.subject = x->message.from = x->message.groups = x->message.list = none;
	urlsift_text language = field(x, "warc-identified-content-language:"); /* a list */
	const uint8_t *first = (const uint8_t *)language.bytes;
	language.length = (size_t)(find_byte(first, first + language.length, ',') - first);
	x->language[copy(x->language, sizeof x->language - 1, language).length] = '\0';
	x->payload[copy(x->payload, sizeof x->payload - 1, field(x, "warc-identified-payload-type:")).length] = '\0';

	const bool response = ascii_is(type.bytes, type.length, "response");
	x->state = WARC_SKIP;
	if (!is_wanted(x)) {
		if (x->message.offset >= x->worker->settings->in.range_to)
			x->worker->status = URLSIFT_STOPPED;
		return;
	}
	if (ascii_is(type.bytes, type.length, "continuation"))
		damaged(x, "continues another, which is not read");
	else if (response && ascii_opens(content.bytes, content.length, "application/http")) {
		x->state = WARC_HTTP;
		x->head.length = x->line = 0;
	} else if (ascii_is_among(type.bytes, type.length, "response resource conversion"))
		begin_body(x, content, false, none);
	else if (x->worker->settings->headers == URLSIFT_HEADERS_ALL)
		begin_body(x, (urlsift_text){ "text/plain", 10 }, false, none);
	else if (!ascii_is_among(type.bytes, type.length, "warcinfo request metadata revisit")) /* about others */
		x->worker->tally.skipped++;
}

/* The body ends; `why`, or NULL: it cannot be read. */
static void end_body(struct warc *x, const char *why)
{
	worker_finish(x->worker);
	if (why)
		damaged(x, why);
}

/* ---- Bytes ---- */

/* A line of a header, or a part of it, for which there is room; returns its length. */
static size_t take_line(struct warc *x, const uint8_t *p, size_t n)
{
	const size_t k = smaller(after_line(p, 0, n), HEAD_MAX - x->head.length);
	buf_add(&x->head, p, k);
	if (p[k - 1] == '\n') {
		x->complete = match_bytes(x->head.data + x->line, x->head.length - x->line, "\r?\n" MATCH_END);
		x->line = x->head.length;
	}
	return k;
}

/* The header of a record. */
static size_t take_head(struct warc *x, const uint8_t *p, size_t n)
{
	bool known;
	if (!x->head.length) {
		if (is_line_end(*p))
			return 1;
		x->message.offset = x->at;
	}
	size_t before = x->line, k = take_line(x, p, n);
	const char *line = (const char *)x->head.data + before;
	const bool begins = source_is_record(line, x->head.length - before, x->line > before, &known);
	if (known && !begins && !before) {
		get_lost(x, "does not begin with its version");
		x->in_line = p[k - 1] != '\n';
	} else if (begins && before && x->line > before) {
		damaged(x, "has an incomplete header");
		x->message.offset = x->at + k - (x->head.length - before);
		buf_drop(&x->head, before);
		x->line = x->head.length;
	} else if (x->head.length == HEAD_MAX && !x->complete) {
		get_lost(x, "has a header that is too long");
	}
	return k;
}

/* Bytes up to one that begins a line, and the first ones of that. */
static size_t take_lost(struct warc *x, const uint8_t *p, size_t n)
{
	bool known;
	if (x->in_line) {
		n = after_line(p, 0, n);
		x->in_line = p[n - 1] != '\n';
		return n;
	}
	if (!x->head.length)
		x->message.offset = x->at;
	buf_add(&x->head, p, 1);
	if (source_is_record((const char *)x->head.data, x->head.length, false, &known)) {
		x->state = WARC_HEAD;
	} else if (known) {
		x->head.length = 0;
		x->in_line = *p != '\n';
	}
	return 1;
}

/* Bytes of the block. */
static size_t take_block(struct warc *x, const uint8_t *p, size_t n)
{
	n = size_within(n, x->left);
	if (x->state == WARC_HTTP && x->head.length < HEAD_MAX) {
		n = take_line(x, p, n);
	} else if (x->state == WARC_BODY) {
		const char *why = web_body_feed(x->body, p, n);
		if (why) {
			end_body(x, why);
			x->state = WARC_SKIP;
		}
	}
	x->left -= n;
	return n;
}

/* ---- Lengths that are too large ----
 * The block of a record then contains the next records.  So before a block is read, what follows it is looked at. */

/* Whether a record begins at p or after line ends there, or nothing does, as far as the bytes tell. */
static bool is_followed(const uint8_t *p, const uint8_t *end)
{
	bool known;
	p += byte_span(p, 0, (size_t)(end - p), BYTE_LINE_END);
	return source_is_record((const char *)p, (size_t)(end - p), false, &known) || !known;
}

/* The end of the header at p, with its empty line; NULL if that is not there. */
static const uint8_t *header_end(const uint8_t *p, const uint8_t *end)
{
	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		p += byte_at(p, 1, (size_t)(end - p)) == '\r' ? 2 : 1;
		if (byte_at(p, 0, (size_t)(end - p)) == '\n')
			return p + 1;
	}
	return NULL;
}

/* Bytes that are looked at. */
static size_t wanted(const struct warc *x)
{
	return size_within(AHEAD, x->left + AFTER);
}

/* The length of the block at p, of which n bytes are there, with what follows if it `ends` in them.  If no record
 * follows, the block ends before the first one in it.  What follows a long block is not known: then the record in it
 * must be whole, and the block one that is searched and no response whose body is a web archive. */
static uint64_t true_length(const struct warc *x, const uint8_t *p, size_t n, bool ends)
{
	const uint8_t *end = p + n, *last = x->left < n ? p + x->left : end;
	const uint8_t *q = x->state == WARC_HTTP ? header_end(p, last) : p;
	bool known;
	if (!q || (ends ? x->left <= n && is_followed(last, end) : x->state == WARC_SKIP))
		return x->left;
	for (; (q = header_end(q, last)); q--)
		if (source_is_record((const char *)q, (size_t)(end - q), false, &known)) {
			/* Whether a whole record is there, with a record after it. */
			const uint8_t *block = header_end(q, end);
			uint64_t length;
			if (ends || (block && read_length(find_field(q, block, "content-length:"), &length)
			             && length + AFTER <= (uint64_t)(end - block) && is_followed(block + length, end)))
				return (uint64_t)(q - p);
		}
	return x->left;
}

static urlsift_text full_or(urlsift_text text, const char *otherwise)
{
	return text.length ? text : (urlsift_text){ otherwise, strlen(otherwise) };
}

/* The header of HTTP has ended. */
static void end_http(struct warc *x)
{
	const urlsift_text transfer = field(x, "transfer-encoding:");
	const urlsift_text type = full_or(full_or(field(x, "content-type:"), x->payload), "application/octet-stream");
	const bool chunked = ascii_is(transfer.bytes, transfer.length, "chunked");
	/* A further transfer coding is one that cannot be undone. */
	const bool coded = transfer.length && !chunked && !ascii_is(transfer.bytes, transfer.length, "identity");
	begin_body(x, type, chunked, coded ? transfer : field(x, "content-encoding:"));
}

/* By the state: takes some of n > 0 bytes, and returns how many. */
static size_t (*const takes[])(struct warc *x, const uint8_t *p, size_t n) = {
	[WARC_LOST] = take_lost, [WARC_HEAD] = take_head, [WARC_HTTP] = take_block, [WARC_BODY] = take_block,
	[WARC_SKIP] = take_block
};

/* Returns how many bytes were taken: those before a block that needs more to be looked at, or all. */
static size_t take(struct warc *x, const uint8_t *p, size_t n, bool complete)
{
	struct worker *w = x->worker;
	const uint8_t *begin = p, *end = p + n;
	while (p < end && worker_goes_on(w)) {
		n = (size_t)(end - p);
		if (x->unsure) {
			const size_t most = wanted(x);
			if (!complete && n < most)
				return (size_t)(p - begin);
			const uint64_t length = true_length(x, p, smaller(n, most), n < most || most < AHEAD);
			x->unsure = false;
			if (length < x->left)
				damaged(x, "has a length that is too large");
			x->left = length;
		}
		const size_t k = takes[x->state](x, p, n);
		if (w->settings->needs & URLSIFT_NEEDS_POSITIONS)
			source_count_lines(&x->lines, p, k);
		x->at += k;
		p += k;
		/* What the bytes taken have completed. */
		if (x->complete)
			(x->state == WARC_HTTP ? end_http : begin_block)(x);
		x->complete = false;
		if (x->state < WARC_HTTP || x->left > 0)
			continue;
		if (x->state == WARC_BODY)
			end_body(x, web_body_finish(x->body));
		else if (x->state == WARC_HTTP && x->head.length > 0)
			damaged(x, x->head.length < HEAD_MAX ? "has no complete header of HTTP"
			                                     : "has a header of HTTP that is too long");
		x->state = WARC_HEAD;
		x->head.length = x->line = 0;
	}
	return (size_t)(end - begin);
}

bool warc_feed(struct worker *w, const void *bytes, size_t n)
{
	struct warc *x = w->file.warc;
	const uint8_t *p = bytes, *end = p + n;
	while (p < end) {
		n = (size_t)(end - p);
		if (x->held.length > 0) {
			n = smaller(n, excess(wanted(x), x->held.length));
			buf_add(&x->held, p, n);
			p += n;
			buf_drop(&x->held, take(x, x->held.data, x->held.length, false));
		} else {
			p += take(x, p, n, false);
			if (x->unsure) {
				buf_add(&x->held, p, (size_t)(end - p));
				p = end;
			}
		}
	}
	return w->status == URLSIFT_OK;
}

void warc_finish(struct worker *w)
{
	struct warc *x = w->file.warc;
	if (x->held.length > 0) /* else there may be no memory */
		take(x, x->held.data, x->held.length, true);
	bool open = x->state >= WARC_HTTP || (x->state == WARC_HEAD && x->head.length);
	if (x->state == WARC_BODY)
		end_body(x, NULL);
	if (open && worker_goes_on(w))
		damaged(x, "is cut off");
}
