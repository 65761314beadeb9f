/* rewrite --mail: a message with its text/plain parts rewritten, and every other byte as it was.
 *
 * Each body is rendered by itself, from the text that the parser gives.  Where that changes it, it is put back into its
 * charset and its transfer encoding.  The new message is then parsed: a body whose text is not what was rendered keeps
 * its old form. */
#include "verbs.h"

#include "input/decompress.h"
#include "input/memory.h"
#include "input/recode.h"
#include "text/ascii.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MESSAGE_MOST = 256 * 1024 * 1024, /* bytes of a message */
	TEXT_MOST = 1024 * 1024 * 1024,   /* of the texts of all bodies */
	LINE_MOST = 998                   /* bytes of a line, RFC 5322 section 2.1.1 */
};

/* How a body is written: its new text in the declared charset, or in the one that such mail is read in, or not. */
enum form { FORM_DECLARED, FORM_WESTERN, FORM_OLD };

struct body {
	uint64_t begin, end;     /* in the message */
	size_t text, text_end;   /* in texts: what it says */
	size_t made, made_end;   /* in texts: what it becomes */
	char encoding[24], charset[64], part[64];
	bool sealed;             /* it stays, which was said */
	enum form form;
};

struct rewriting {
	const struct options *o;
	const char *name;
	const uint8_t *message;
	size_t length;
	urlsift_context *context;
	struct filter_desk *desk;
	urlsift_renderer *renderer; /* of the current body; NULL: it is not rewritten */
	struct buf bodies, texts, made, out;
	size_t text;                /* where the text of the current body begins */
	bool plain, shown;          /* the current place is text/plain; the current link passes the filter */
	bool linked;                /* the current place has a link */
	bool damaged;               /* its bytes do not have the meaning that is declared, or are not all of its text */
	bool open;                  /* its body has not ended: of one that an encoding hides no end is reported */
	char part[64];              /* its name */
	size_t checked;             /* bodies compared so far */
	size_t wrong;               /* of these, not as they were to be */
	enum status status;
};

static struct body *body_at(const struct rewriting *r, size_t i)
{
	return (struct body *)(void *)r->bodies.data + i;
}

static size_t body_count(const struct rewriting *r)
{
	return r->bodies.length / sizeof(struct body);
}

static bool is_changed(const struct rewriting *r, const struct body *b)
{
	size_t n = b->text_end - b->text;
	return b->form != FORM_OLD
	       && (n != b->made_end - b->made || memcmp(r->texts.data + b->text, r->texts.data + b->made, n));
}

/* ---- Reading ---------------------------------------------------------------------- */

static int keep(struct buf *to, const void *bytes, size_t n)
{
	return !buf_add(to, bytes, n);
}

static int take_made(void *user, const void *bytes, size_t n)
{
	struct rewriting *r = user;
	return keep(&r->made, bytes, n);
}

/* Links that stay as they are where only broken ones are to be mended are no failure. */
static void leave_part(struct rewriting *r, const char *part, const char *what)
{
	const char *form = r->o->run.out.form;
	if (!form || !strcmp(form, "join"))
		return;
	report("%s: part %s is %s; it is left as it is", r->name, part, what);
	r->status = STATUS_INPUT;
}

static void end_hidden(struct rewriting *r)
{
	if (r->open && r->linked)
		leave_part(r, r->part, "in an encoded message");
	r->open = false;
}

static int begin_place(void *user, const urlsift_place *place)
{
	struct rewriting *r = user;
	end_hidden(r);
	r->plain = !place->field && !strcmp(place->type, "text/plain");
	r->linked = r->damaged = false;
	r->open = r->plain;
	snprintf(r->part, sizeof r->part, "%s", place->part);
	r->text = r->texts.length;
	r->made.length = 0;
	urlsift_render_free(r->renderer);
	r->renderer = NULL;
	if (!r->plain)
		return 0;
	r->renderer = memory_checked(urlsift_render_new(r->context, &r->o->run.out, take_made, r, NULL));
	return memory_status(urlsift_render_source(r->renderer, r->name, NULL)) != URLSIFT_OK;
}

static int take_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct rewriting *r = user;
	(void)place;
	r->linked |= piece->link != NULL;
	if (!r->plain)
		return 0;
	if (piece->link && piece->part == 0)
		r->shown = !r->desk || filter_link(r->desk, r->context, piece->link) != FILTER_DROP;
	return keep(&r->texts, piece->text, piece->text_length)
	       || memory_status(urlsift_render_piece(r->renderer, NULL, piece, r->shown)) == URLSIFT_STOPPED;
}

static int take_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	struct rewriting *r = user;
	r->damaged |= place && !place->field && notice->damage;
	return 0;
}

/* Clearsigned text (RFC 4880 section 7). */
static bool is_clearsigned(const uint8_t *text, size_t n)
{
	static const char mark[] = "-----BEGIN PGP SIGNED MESSAGE-----";
	for (const uint8_t *at = text, *end = text + n; (at = memchr(at, '-', (size_t)(end - at))); at++)
		if ((at == text || at[-1] == '\n') && (size_t)(end - at) >= sizeof mark - 1
		    && !memcmp(at, mark, sizeof mark - 1))
			return true;
	return false;
}

/* Whether a body begins with a byte order mark of UTF-8, which is not part of the text. */
static bool has_mark(const struct rewriting *r, const urlsift_body *body)
{
	static const struct { const char *encoding, *mark; } marks[] = {
		{ "", "\xef\xbb\xbf" }, { "quoted-printable", "=EF=BB=BF" }, { "base64", "77u/" }
	};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (!strcmp(body->encoding, marks[i].encoding) && body->end - body->begin >= strlen(marks[i].mark)
		    && body->end <= r->length && !memcmp(r->message + body->begin, marks[i].mark, strlen(marks[i].mark)))
			return true;
	return false;
}

static int end_body(void *user, const urlsift_place *place, const urlsift_body *body)
{
	struct rewriting *r = user;
	r->open = false;
	if (!r->plain) {
		if (r->linked)
			leave_part(r, place->part, place->type);
		return 0;
	}
	r->damaged |= has_mark(r, body);
	struct body b = { .begin = body->begin, .end = body->end, .sealed = body->sealed, .text = r->text,
	                  .text_end = r->texts.length };
	snprintf(b.encoding, sizeof b.encoding, "%s", body->encoding);
	snprintf(b.charset, sizeof b.charset, "%s", body->charset);
	snprintf(b.part, sizeof b.part, "%s", place->part);
	b.sealed |= is_clearsigned(r->texts.data + b.text, b.text_end - b.text);
	memory_status(urlsift_render_source_end(r->renderer, 0));
	if (memory_status(urlsift_render_end(r->renderer)) == URLSIFT_STOPPED)
		return 1;
	b.made = r->texts.length;
	if (keep(&r->texts, r->made.data, r->made.length))
		return 1;
	b.made_end = r->texts.length;
	if (b.sealed && is_changed(r, &b)) {
		report("%s: part %s is signed or encrypted; it is left as it is", r->name, b.part);
		b.form = FORM_OLD;
	} else if (r->damaged && is_changed(r, &b)) {
		report("%s: part %s is damaged; it is left as it is", r->name, b.part);
		b.form = FORM_OLD;
		b.sealed = true;
		r->status = STATUS_INPUT;
	}
	return keep(&r->bodies, &b, sizeof b);
}

/* Whether a body of the new message says what it has to. */
static int check_body(void *user, const urlsift_place *place, const urlsift_body *body)
{
	struct rewriting *r = user;
	(void)place;
	(void)body;
	if (!r->plain)
		return 0;
	if (r->checked == body_count(r))
		return 1;
	struct body *b = body_at(r, r->checked++);
	bool changed = is_changed(r, b);
	size_t from = changed ? b->made : b->text, n = (changed ? b->made_end : b->text_end) - from;
	if (n != r->texts.length - r->text || memcmp(r->texts.data + from, r->texts.data + r->text, n)) {
		if (!changed)
			return 1;
		b->form++;
		r->wrong++;
	}
	r->texts.length = r->text;
	return 0;
}

static int check_place(void *user, const urlsift_place *place)
{
	struct rewriting *r = user;
	r->plain = !place->field && !strcmp(place->type, "text/plain");
	r->text = r->texts.length;
	return 0;
}

static int check_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct rewriting *r = user;
	(void)place;
	return r->plain ? keep(&r->texts, piece->text, piece->text_length) : 0;
}

static urlsift_status parse(struct rewriting *r, const void *bytes, size_t n, const urlsift_mail_sink *sink)
{
	const struct settings *s = &r->o->run;
	urlsift_mail_options options = {
		.kind = URLSIFT_KIND_MESSAGE, .headers = URLSIFT_HEADERS_NONE, .plain = 1, .repeated = 1,
		.max_depth = (size_t)s->max_depth, .max_parts = (size_t)s->max_parts, .max_header = (size_t)s->max_header
	};
	urlsift_mail *mail = memory_checked(urlsift_mail_new(r->context, s->scan, &options, sink, NULL));
	urlsift_status status = memory_status(urlsift_mail_feed(mail, bytes, n));
	if (status == URLSIFT_OK)
		status = memory_status(urlsift_mail_finish(mail));
	urlsift_mail_free(mail);
	return status;
}

/* ---- Writing ---------------------------------------------------------------------- */

/* Whether each line may stand in a message as it is. */
static bool has_short_lines(const uint8_t *p, size_t n)
{
	for (const uint8_t *end = p + n, *next; p < end; p = next) {
		next = memchr(p, '\n', (size_t)(end - p));
		next = next ? next + 1 : end;
		if (next - p > LINE_MOST)
			return false;
	}
	return true;
}

/* Writes a body anew.  False if it cannot be written in this form; what was written is then taken back. */
static bool put_body(struct rewriting *r, const struct body *b)
{
	const char *charset = b->form == FORM_WESTERN ? "windows-1252" : b->charset;
	const uint8_t *old = r->message + b->begin, *lf = memchr(r->message, '\n', r->length);
	const char *line_end = lf && lf > r->message && lf[-1] == '\r' ? "\r\n" : "\n";
	size_t start = r->out.length;
	r->made.length = 0;
	bool good = recode_charset(&r->made, charset, r->texts.data + b->made, b->made_end - b->made);
	if (good && !strcmp(b->encoding, "base64")) {
		good = recode_base64(&r->out, r->made.data, r->made.length, line_end);
		if (good && b->end > b->begin && old[b->end - b->begin - 1] != '\n' && r->out.length > start)
			r->out.length -= strlen(line_end);
	} else if (good && !strcmp(b->encoding, "quoted-printable")) {
		good = recode_quoted(&r->out, r->made.data, r->made.length, line_end);
		/* Its last line may have ended in a soft break. */
		bool open = r->out.length > start && r->out.data[r->out.length - 1] != '\n';
		if (good && open && b->end > b->begin && old[b->end - b->begin - 1] == '\n')
			good = buf_add(&r->out, "=", 1) && buf_add(&r->out, line_end, strlen(line_end));
	} else if (good) {
		good = !*b->encoding
		       && (has_short_lines(r->made.data, r->made.length) || !has_short_lines(old, b->end - b->begin))
		       && buf_add(&r->out, r->made.data, r->made.length);
	}
	if (!good)
		r->out.length = start;
	return good;
}

/* Writes the header block without the fields that count the bytes or lines of the body, which has changed; returns
 * where it ends. */
static size_t put_header(struct rewriting *r)
{
	static const char *const counts[] = { "content-length:", "lines:", "content-md5:" };
	const uint8_t *p = r->message, *end = p + r->length, *next;
	bool drop = false, good = true;
	for (; p < end && *p != '\n' && !(*p == '\r' && p + 1 < end && p[1] == '\n') && good; p = next) {
		next = memchr(p, '\n', (size_t)(end - p));
		next = next ? next + 1 : end;
		if (!is_blank(*p)) {
			drop = false;
			for (size_t i = 0; i < sizeof counts / sizeof *counts && !drop; i++)
				drop = (size_t)(next - p) > strlen(counts[i]) && ascii_begins(p, counts[i], strlen(counts[i]));
		}
		good = drop || buf_add(&r->out, p, (size_t)(next - p));
	}
	return (size_t)(p - r->message);
}

/* Writes the new message to r->out.  False without memory. */
static bool build(struct rewriting *r)
{
	size_t at = 0;
	r->out.length = 0;
	for (size_t i = 0; i < body_count(r); i++) {
		struct body *b = body_at(r, i);
		if (!is_changed(r, b))
			continue;
		if (at == 0)
			at = put_header(r);
		if (b->begin < at || b->end > r->length)
			continue; /* a part of no length, or one that was read twice */
		if (!buf_add(&r->out, r->message + at, b->begin - at))
			return false;
		while (b->form != FORM_OLD && !put_body(r, b))
			b->form++;
		at = b->form == FORM_OLD ? b->begin : b->end;
	}
	return buf_add(&r->out, r->message + at, r->length - at);
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
	const urlsift_mail_sink reads = { .place = begin_place, .piece = take_piece, .notice = take_notice,
	                                  .body = end_body, .user = r };
	const urlsift_mail_sink checks = { .place = check_place, .piece = check_piece, .body = check_body, .user = r };
	if (parse(r, r->message, r->length, &reads) != URLSIFT_OK)
		return leave(r, "its parts are too large");
	end_hidden(r);
	/* Each round with a difference moves a body on to its next form. */
	do {
		r->checked = r->wrong = 0;
		if (!build(r))
			return leave(r, "it would be too large");
		if (parse(r, r->out.data, r->out.length, &checks) != URLSIFT_OK || r->checked != body_count(r))
			return leave(r, "its structure would change");
	} while (r->wrong > 0);
	enum status status = r->status;
	for (size_t i = 0; i < body_count(r); i++) {
		const struct body *b = body_at(r, i);
		if (b->form != FORM_OLD || b->sealed)
			continue;
		report("%s: part %s cannot be written in its encoding; it is left as it is", r->name, b->part);
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
		to->length += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		report_why(why, errno);
	return n == 0;
}

enum status rewrite_mail(struct options *o, const char *name)
{
	if (o->run.out.terminal)
		return report_usage("--mail writes the bytes of a message: redirect standard output");
	struct rewriting r = { .o = o, .name = strcmp(name, "-") ? name : "standard input", .shown = true };
	struct buf message;
	struct source s;
	const struct packed_form *form = NULL;
	char why[WHY_SIZE] = "";
	buf_init(&message, &memory_allocator, MESSAGE_MOST);
	buf_init(&r.bodies, &memory_allocator, MESSAGE_MOST);
	buf_init(&r.texts, &memory_allocator, TEXT_MOST);
	buf_init(&r.made, &memory_allocator, TEXT_MOST);
	buf_init(&r.out, &memory_allocator, TEXT_MOST);
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
	else if (kind != URLSIFT_KIND_MESSAGE)
		status = report_usage("%s: is not a message; --mail takes one", r.name);
	else {
		urlsift_render_prepare(&o->run.out, o->run.scan, NULL);
		r.context = memory_checked(urlsift_context_new(NULL));
		r.desk = filter_is_open(o->run.filter) ? NULL : filter_desk_new(o->run.filter);
		status = rewrite(&r);
		int error = status < STATUS_USAGE ? report_write(o->run.output, r.out.data, r.out.length) : 0;
		if (error)
			status = report_output(o->run.output_name ? o->run.output_name : "standard output", error);
	}
	urlsift_render_free(r.renderer);
	filter_desk_free(r.desk);
	urlsift_context_free(r.context);
	buf_fini(&message);
	buf_fini(&r.bodies);
	buf_fini(&r.texts);
	buf_fini(&r.made);
	buf_fini(&r.out);
	return status;
}
