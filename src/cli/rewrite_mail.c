/* rewrite --mail: a message with its text/plain parts rewritten, and every other byte as it was; for the forms that
 * write other bytes in the place of a link and nothing around it also the links of its HTML and of its header.
 *
 * Each body is rendered by itself, from the text that the parser gives.  Where that changes it, it is put back into its
 * charset and its transfer encoding.  The new message is then parsed: a body whose text is not what was rendered keeps
 * its old form.  HTML and the header are edited link by link, and keep their old form if they do not say what they said
 * before, all links refanged, or in the form on both sides. */
#include "rewrite_mail.h"

#include "input/decompress.h"
#include "input/descriptor.h"
#include "input/recode.h"
#include "text/ascii.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MESSAGE_MOST = 256 * 1024 * 1024, /* bytes of a message */
	TEXT_MOST = 1024 * 1024 * 1024,   /* of the texts of all bodies */
	LINE_MOST = 998                   /* bytes of a line without its end, RFC 5322 section 2.1.1 */
};

/* ---- Writing ---------------------------------------------------------------------- */

/* Whether each line may stand in a message as it is. */
static bool has_short_lines(const uint8_t *p, size_t n)
{
	for (const uint8_t *end = p + n, *lf; p < end; p = lf + (lf < end)) {
		lf = find_byte(p, end, '\n');
		const size_t length = (size_t)(lf - p);
		if (length - text_ends(p, length, "\r") > LINE_MOST)
			return false;
	}
	return true;
}

/* Writes a body anew.  False if it cannot be written in this form; what was written is then taken back. */
static bool put_body(struct rewriting *r, struct body *b)
{
	const char *charset = b->form == FORM_WESTERN ? "windows-1252" : b->charset;
	const uint8_t *old = r->message + b->begin;
	const size_t lf = byte_index(r->message, 0, r->length, '\n');
	const char *line_end = text_ends(r->message, lf, "\r") ? "\r\n" : "\n";
	size_t start = r->out.length;
	r->made.length = 0;
	const uint8_t *text = r->texts.data + b->made;
	size_t n = b->made_end - b->made;
	bool good = recode_charset(&r->made, b->kind == KIND_PLAIN ? charset : "", text, n);
	const uint8_t last = r->message[b->end - 1]; /* it is not empty, since it has changed */
	if (!strcmp(b->encoding, "base64")) {
		recode_base64(&r->out, r->made.data, r->made.length, line_end);
		if (last != '\n' && r->out.length > start)
			r->out.length -= strlen(line_end);
	} else if (!strcmp(b->encoding, "quoted-printable")) {
		recode_quoted(&r->out, r->made.data, r->made.length, line_end);
		/* Its last line may have ended in a soft break. */
		if (last == '\n' && r->out.length > start && r->out.data[r->out.length - 1] != '\n') {
			buf_add(&r->out, "=", 1);
			buf_add_text(&r->out, line_end);
		}
	} else {
		/* a line that is too long does less harm than a link that is left */
		const bool fits = r->defangs || has_short_lines(r->made.data, r->made.length) ||
		                  !has_short_lines(old, b->end - b->begin);
		good &= !*b->encoding;
		b->too_long |= good && !fits;
		good &= fits;
		buf_add(&r->out, r->made.data, r->made.length);
	}
	if (!good)
		r->out.length = start;
	return good;
}

/* The message is written as it was. */
static enum status leave(struct rewriting *r, const char *why)
{
	r->out.length = 0;
	buf_add(&r->out, r->message, r->length);
	return report_input("%s: %s; it is left as it is", r->name, why);
}

static enum status rewrite(struct rewriting *r)
{
	if (!rewrite_read(r))
		return leave(r, "its parts are too large");
	/* Each round with a difference moves a body on to its next form: the header depends on whether one changes. */
	do {
		r->wrong = 0;
		r->left = false;
		/* Writes the new message to r->out. */
		size_t at = 0, header = rewrite_header_length(r);
		const uint8_t *p = r->message, *next, *end = p;
		bool counts_wrong = false, drop = false;
		r->out.length = 0;
		for (size_t i = 0; i < body_count(r); i++) {
			const struct body *b = body_at(r, i);
			if (!is_changed(r, b))
				continue;
			at = header;
			counts_wrong |= b->kind != KIND_HEADER;
			end = p == r->message ? p + header : end;
			if (b->kind == KIND_HEADER) { /* the first one */
				p = r->texts.data + b->made;
				end = r->texts.data + b->made_end;
			}
		}
		/* The header block; if a body has changed, without the fields that count its bytes or lines. */
		for (; p < end; p = next) {
			next = p + after_header_line(p, 0, (size_t)(end - p));
			const size_t colon = byte_index(p, 0, (size_t)(next - p), ':');
			if (!is_blank(*p))
				drop = counts_wrong && ascii_is_among(p, colon, "content-length lines content-md5");
			buf_add(&r->out, p, drop ? 0 : (size_t)(next - p));
		}
		for (size_t i = 0; i < body_count(r); i++) {
			struct body *b = body_at(r, i);
			if (!is_changed(r, b) || b->begin < at || b->end > r->length)
				continue; /* of the last: a part of no length, or one that was read twice */
			buf_add(&r->out, r->message + at, b->begin - at);
			for (; b->form != FORM_OLD && !put_body(r, b); r->wrong++)
				b->form++;
			at = b->form == FORM_OLD ? b->begin : b->end;
		}
		buf_add(&r->out, r->message + at, r->length - at);
		if (rewrite_is_full(r))
			return leave(r, "it would be too large");
		if (!rewrite_check(r, r->out.data, r->out.length, false)
		    || (r->edits_links && !rewrite_check(r, r->out.data, r->out.length, true)))
			return leave(r, "its structure would change");
	} while (r->wrong > 0);
	enum status status = r->status;
	if (r->based)
		status = report_input("%s: relative links of its HTML still lead to a host", r->name);
	for (size_t i = 0; i < body_count(r); i++) {
		const struct body *b = body_at(r, i);
		if (b->form != FORM_OLD || b->settled)
			continue;
		if (b->too_long)
			status = report_input("%s: %s would have a line of more than %d bytes; it is left as it is", r->name,
			                      b->name, LINE_MOST);
		else
			status = report_input("%s: %s cannot be %s; it is left as it is", r->name, b->name,
			                      b->kind == KIND_PLAIN ? "written in its encoding" : "changed without losing a link");
	}
	if (r->left && status == STATUS_DONE)
		status = report_input("%s: text beside a changed link has become a link, which is left", r->name);
	return status;
}

/* Reads a block of an input: 1, 0 at the end, -1 where it cannot, which is reported. */
static int read_block(const struct rewriting *r, struct source *s, struct buf *to)
{
	char why[WHY_SIZE];
	if (!buf_reserve(to, SOURCE_BLOCK + SOURCE_DETECT_ROOM)) {
		report("%s: a message is larger than %d MiB", r->name, MESSAGE_MOST / (1024 * 1024));
		return -1;
	}
	const ssize_t n = source_read(s, to->data + to->length, SOURCE_BLOCK);
	to->length += bytes_moved(n);
	if (n < 0) {
		report_why(why, errno);
		report("%s: %s", r->name, why);
	}
	return n > 0 ? 1 : (int)n;
}

static enum status put_out(const struct rewriting *r, const void *bytes, size_t n)
{
	return report_output(r->o->run.output_name, report_write(r->o->run.output, bytes, n));
}

/* ---- A mailbox -------------------------------------------------------------------- */

/* A mailbox of which the messages are rewritten one by one. */
struct boxed {
	struct buf held;   /* from the beginning of a message on */
	uint64_t at;       /* the offset of its first byte */
	struct buf starts; /* the offsets of messages, uint64_t */
};

static void rewriting_init(struct rewriting *r)
{
	struct buf *bufs[] = { &r->bodies, &r->texts, &r->made, &r->out, &r->edits };
	for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_init(bufs[i], &memory_allocator, TEXT_MOST);
	buf_reserve(&r->texts, 1); /* so that an empty text has a place in it */
	r->at = (struct mail_place){ .name = "the header", .shown = true };
	r->status = STATUS_DONE;
	r->based = r->left = false;
}

static void rewriting_fini(struct rewriting *r)
{
	urlsift_render_free(r->renderer);
	r->renderer = NULL;
	buf_fini(&r->bodies);
	buf_fini(&r->texts);
	buf_fini(&r->made);
	buf_fini(&r->out);
	buf_fini(&r->edits);
}

/* A parser that only tells where the messages of a mailbox begin, to a function of the user. */
static urlsift_mail *box_parser(const struct rewriting *r, int (*tell)(void *, const urlsift_message *), void *user)
{
	const struct settings *s = &r->o->run;
	const urlsift_mail_sink sink = { .message = tell, .piece = rewrite_no_piece, .user = user };
	const urlsift_mail_options options = { .kind = URLSIFT_KIND_MBOX, .headers = URLSIFT_HEADERS_NONE,
	                                       .size = sizeof options, .outline = 1,
	                                       .max_header = (size_t)s->max_header };
	return memory_checked(urlsift_mail_new(r->context, s->scan, &options, &sink, NULL));
}

static int count_message(void *user, const urlsift_message *message)
{
	(void)message;
	++*(size_t *)user;
	return 0;
}

static size_t message_count(const struct rewriting *r, const void *bytes, size_t n)
{
	size_t count = 0;
	urlsift_mail *mail = box_parser(r, count_message, &count);
	urlsift_mail_feed(mail, bytes, n);
	memory_status(urlsift_mail_finish(mail));
	urlsift_mail_free(mail);
	return count;
}

/* Writes the n bytes of a mailbox before the next message, rewritten unless they precede the first one; nothing for a
 * message that begins out of --range.  The blank line before the next one stays, whatever the encoding of what precedes
 * it. */
static enum status put_boxed(struct rewriting *r, const struct boxed *box, size_t from, size_t n)
{
	const uint8_t *p = box->held.data + from;
	const uint64_t at = box->at + from;
	/* its blank line, which ends in LF or CRLF */
	const size_t end = n - text_ends(p, n, "\n\n") - 2u * text_ends(p, n, "\r\n\r\n");
	if (!input_in_range(&r->o->run.in, at))
		return STATUS_DONE;
	if (!text_begins(p, n, "From "))
		return put_out(r, p, n);
	const char *box_name = r->name;
	char *name = memory_format("%s: message at byte %llu", box_name, (unsigned long long)at);
	rewriting_init(r);
	r->name = name;
	r->message = p;
	r->length = end;
	enum status status = rewrite(r);
	if (message_count(r, p, end) != message_count(r, r->out.data, r->out.length))
		status = leave(r, "it would be several");
	buf_add(&r->out, p + end, n - end);
	status = status_worse(status, put_out(r, r->out.data, r->out.length));
	rewriting_fini(r);
	r->name = box_name;
	free(name);
	return status;
}

/* Keeps where a message begins.  The messages of a digest do not begin with From_ lines. */
static int take_start(void *user, const urlsift_message *message)
{
	struct boxed *box = user;
	const size_t i = (size_t)(message->offset - box->at);
	if (text_begins(box->held.data + i, box->held.length - i, "From "))
		buf_add(&box->starts, &message->offset, sizeof message->offset);
	return 0;
}

/* The first bytes are read. */
static enum status rewrite_box(struct rewriting *r, struct source *s, struct boxed *box)
{
	enum status status = STATUS_DONE;
	urlsift_mail *mail = box_parser(r, take_start, box);
	size_t fed = 0;
	buf_init(&box->starts, &memory_allocator, TEXT_MOST);
	for (int more = 1; more > 0 && status < STATUS_USAGE;) {
		urlsift_mail_feed(mail, box->held.data + fed, box->held.length - fed);
		fed = box->held.length;
		more = read_block(r, s, &box->held);
		if (more < 0) {
			status = STATUS_INPUT;
			break;
		}
		if (!more)
			memory_status(urlsift_mail_finish(mail));
		const uint64_t *start = (const uint64_t *)(const void *)box->starts.data;
		const size_t count = box->starts.length / sizeof *start;
		size_t at = 0;
		for (size_t i = 0; i < count + !more && status < STATUS_USAGE; i++) {
			const size_t next = i < count ? (size_t)(start[i] - box->at) : fed;
			status = status_worse(status, put_boxed(r, box, at, next - at));
			at = next;
		}
		buf_drop(&box->held, at);
		box->at += at;
		fed -= at;
		box->starts.length = 0;
	}
	urlsift_mail_free(mail);
	buf_fini(&box->starts);
	return status;
}

/* ---- The verb --------------------------------------------------------------------- */

/* Its beginning says what the input is. */
static enum status rewrite_source(struct rewriting *r, struct source *s, struct boxed *box)
{
	struct buf *held = &box->held;
	int more = 1;
	while (more > 0 && held->length < URLSIFT_DETECT_BYTES)
		more = read_block(r, s, held);
	urlsift_mail_kind kind = urlsift_mail_detect(held->data, held->length, more == 0);
	kind = input_kind((enum input)r->o->run.in.input, r->name, false, kind);
	if (more >= 0) {
		if (packed_form_of((const char *)held->data, held->length))
			return report_usage("%s: is compressed; --mail takes a message or a mailbox", r->name);
		if (kind == URLSIFT_KIND_MBOX)
			return rewrite_box(r, s, box);
	}
	while (more > 0)
		more = read_block(r, s, held);
	if (more < 0)
		return STATUS_INPUT;
	if (kind != URLSIFT_KIND_MESSAGE)
		return report_usage("%s: is not a message; --mail takes one, or a mailbox", r->name);
	rewriting_init(r);
	r->message = held->data;
	r->length = held->length;
	enum status status = rewrite(r);
	status = status_worse(status, put_out(r, r->out.data, r->out.length));
	rewriting_fini(r);
	return status;
}

enum status rewrite_mail(struct options *o, const char *name)
{
	if (o->run.out.terminal)
		return report_usage("--mail writes the bytes of a message: redirect standard output");
	struct rewriting r = { .o = o, .name = strcmp(name, "-") ? name : "standard input" };
	struct boxed box = { .at = 0 };
	struct source s;
	char why[WHY_SIZE] = "";
	if (!source_open(&s, name, why))
		return report_input("%s: %s", r.name, why);
	buf_init(&box.held, &memory_allocator, MESSAGE_MOST);
	urlsift_render_prepare(&o->run.out, o->run.scan, NULL);
	r.context = memory_checked(urlsift_context_new(NULL));
	r.desk = filter_desk_new(o->run.filter);
	const enum status status = rewrite_source(&r, &s, &box);
	source_close(&s);
	filter_desk_free(r.desk);
	urlsift_context_free(r.context);
	buf_fini(&box.held);
	return status;
}
