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
static bool put_body(struct rewriting *r, const struct body *b)
{
	const char *charset = b->form == FORM_WESTERN ? "windows-1252" : b->charset;
	const uint8_t *old = r->message + b->begin;
	const size_t lf = byte_index(r->message, 0, r->length, '\n');
	const char *line_end = lf < r->length && text_ends(r->message, lf, "\r") ? "\r\n" : "\n";
	size_t start = r->out.length;
	r->made.length = 0;
	const uint8_t *text = r->texts.data + b->made;
	size_t n = b->made_end - b->made;
	bool good = recode_charset(&r->made, b->kind == KIND_PLAIN ? charset : "", text, n);
	const uint8_t last = b->end > b->begin ? old[b->end - b->begin - 1] : 0;
	if (!strcmp(b->encoding, "base64")) {
		recode_base64(&r->out, r->made.data, r->made.length, line_end);
		if (last && last != '\n' && r->out.length > start)
			r->out.length -= strlen(line_end);
	} else if (!strcmp(b->encoding, "quoted-printable")) {
		recode_quoted(&r->out, r->made.data, r->made.length, line_end);
		/* Its last line may have ended in a soft break. */
		if (last == '\n' && r->out.length > start && r->out.data[r->out.length - 1] != '\n') {
			buf_add(&r->out, "=", 1);
			buf_add(&r->out, line_end, strlen(line_end));
		}
	} else {
		good = good && !*b->encoding
		       && (has_short_lines(r->made.data, r->made.length) || !has_short_lines(old, b->end - b->begin));
		buf_add(&r->out, r->made.data, r->made.length);
	}
	if (!good)
		r->out.length = start;
	return good;
}

/* Writes the new message to r->out. */
static void build(struct rewriting *r)
{
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
		next = p + after_line(p, 0, (size_t)(end - p));
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
}

/* The message is written as it was. */
static enum status leave(struct rewriting *r, const char *why)
{
	report("%s: %s; it is left as it is", r->name, why);
	r->out.length = 0;
	buf_add(&r->out, r->message, r->length);
	return STATUS_INPUT;
}

static enum status rewrite(struct rewriting *r)
{
	if (!rewrite_read(r))
		return leave(r, "its parts are too large");
	/* Each round with a difference moves a body on to its next form: the header depends on whether one changes. */
	do {
		r->wrong = 0;
		build(r);
		if (rewrite_is_full(r))
			return leave(r, "it would be too large");
		if (!rewrite_check(r, r->out.data, r->out.length, false)
		    || (r->edits_links && !rewrite_check(r, r->out.data, r->out.length, true)))
			return leave(r, "its structure would change");
	} while (r->wrong > 0);
	enum status status = r->status;
	if (r->based) {
		report("%s: its HTML has a base, so that links still lead to a host", r->name);
		status = STATUS_INPUT;
	}
	for (size_t i = 0; i < body_count(r); i++) {
		const struct body *b = body_at(r, i);
		if (b->form != FORM_OLD || b->settled)
			continue;
		report("%s: %s cannot be written in its encoding; it is left as it is", r->name, b->name);
		status = STATUS_INPUT;
	}
	return status;
}

/* Reads all of an input; false with a reason. */
static bool read_all(struct source *s, struct buf *to, char *why)
{
	ssize_t n = 1;
	while (n > 0) {
		if (!buf_reserve(to, SOURCE_BLOCK + SOURCE_DETECT_ROOM)) {
			snprintf(why, WHY_SIZE, "is larger than %d MiB", MESSAGE_MOST / (1024 * 1024));
			return false;
		}
		n = source_read(s, to->data + to->length, SOURCE_BLOCK);
		to->length += bytes_moved(n);
	}
	if (n < 0)
		report_why(why, errno);
	return n == 0;
}

enum status rewrite_mail(struct options *o, const char *name)
{
	if (o->run.out.terminal)
		return report_usage("--mail writes the bytes of a message: redirect standard output");
	struct rewriting r = { .o = o, .name = strcmp(name, "-") ? name : "standard input", .at.shown = true };
	struct buf message;
	struct source s;
	const struct packed_form *form = NULL;
	char why[WHY_SIZE] = "";
	buf_init(&message, &memory_allocator, MESSAGE_MOST);
	buf_init(&r.bodies, &memory_allocator, MESSAGE_MOST);
	buf_init(&r.texts, &memory_allocator, TEXT_MOST);
	buf_init(&r.made, &memory_allocator, TEXT_MOST);
	buf_init(&r.out, &memory_allocator, TEXT_MOST);
	buf_init(&r.edits, &memory_allocator, TEXT_MOST);
	enum status status = STATUS_INPUT;
	if (!source_open(&s, name, why)) {
		report("%s: %s", r.name, why);
		return status;
	}
	bool read = read_all(&s, &message, why);
	source_close(&s);
	r.message = message.data;
	r.length = message.length;
	urlsift_mail_kind kind = urlsift_mail_detect(message.data, message.length, 1);
	kind = input_kind((enum input)o->run.in.input, kind);
	if (!read)
		report("%s: %s", r.name, why);
	else if (packed_form_detect((const char *)message.data, message.length, true, &form) && form)
		status = report_usage("%s: is compressed; --mail takes a message", r.name);
	else if (kind == URLSIFT_KIND_MBOX)
		status = report_usage("%s: is a mailbox; --mail takes one message, "
		                      "with --input=mail also that of a mailbox of one", r.name);
	else if (kind != URLSIFT_KIND_MESSAGE)
		status = report_usage("%s: is not a message; --mail takes one", r.name);
	else {
		urlsift_render_prepare(&o->run.out, o->run.scan, NULL);
		r.context = memory_checked(urlsift_context_new(NULL));
		r.desk = filter_is_open(o->run.filter) ? NULL : filter_desk_new(o->run.filter);
		status = rewrite(&r);
		int error = status < STATUS_USAGE ? report_write(o->run.output, r.out.data, r.out.length) : 0;
		if (error)
			status = report_output(o->run.output_name, error);
	}
	urlsift_render_free(r.renderer);
	filter_desk_free(r.desk);
	urlsift_context_free(r.context);
	buf_fini(&message);
	buf_fini(&r.bodies);
	buf_fini(&r.texts);
	buf_fini(&r.made);
	buf_fini(&r.out);
	buf_fini(&r.edits);
	return status;
}
