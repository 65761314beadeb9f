#include "rewrite_mail.h"

#include "input/recode.h"
#include "text/ascii.h"
#include "text/match.h"

enum { NOTES_MOST = 16 * 1024 * 1024 }; /* of where the parts of a message are */

/* ---- Reading ---------------------------------------------------------------------- */

static int take_made(void *user, const void *bytes, size_t n)
{
	struct rewriting *r = user;
	return !buf_add(&r->made, bytes, n);
}

static void say_left(struct rewriting *r, const char *what)
{
	r->status = report_input("%s: %s %s", r->name, r->at.name, what);
}

/* Whether links of a place that stays are left, which is not said of join. */
static bool leaves_links(const struct rewriting *r) { return r->at.linked && !r->joins; }

static void end_hidden(struct rewriting *r)
{
	if (r->at.open && leaves_links(r))
		say_left(r, "is in an encoded message; it is left as it is");
	r->at.open = false;
}

static enum kind kind_of(const struct rewriting *r, const urlsift_place *place)
{
	if (place->field)
		return *place->part ? KIND_INNER : KIND_HEADER;
	const bool data = place->named && !r->edits_links; /* a file, whose lines are not for us to join */
	if (!strcmp(place->type, "text/plain") && !data)
		return KIND_PLAIN;
	return r->edits_links && !strcmp(place->type, "text/html") ? KIND_HTML : KIND_OTHER;
}

size_t rewrite_header_length(const struct rewriting *r)
{
	size_t i = 0;
	while (i < r->length && !is_line_end(r->message[i]))
		i = after_header_line(r->message, i, r->length);
	return i;
}

/* Makes a body of the links that were found in n bytes, of which the first has the offset `base`. */
static void end_edits(struct rewriting *r, struct body *b, const uint8_t *source, uint64_t base, size_t n)
{
	const size_t count = r->edits.length / sizeof(struct edit);
	const struct edited text = { .bytes = source, .length = n, .base = base, .count = count, .texts = r->texts.data,
	                             .edits = (const struct edit *)(const void *)r->edits.data,
	                             .html = b->kind == KIND_HTML, .left = &r->at.fixed };
	r->made.length = 0;
	b->edited = count && edits_apply(&r->made, &text);
	r->edits.length = 0;
	b->settled |= !b->edited;
	if ((count && !b->edited) || r->at.fixed)
		say_left(r, b->edited ? "has links that are left as they are" : "has links; it is left as it is");
	b->made = r->texts.length;
	buf_add(&r->texts, r->made.data, b->edited ? r->made.length : 0);
	b->made_end = r->texts.length;
}

/* Its end is not reported. */
static void end_header(struct rewriting *r)
{
	struct body b = { .kind = KIND_HEADER, .name = "the header" };
	if (r->at.kind == KIND_INNER && r->at.fixed)
		say_left(r, "has links; it is left as it is");
	if (r->at.kind != KIND_HEADER || !(r->edits.length || r->at.fixed))
		return;
	end_edits(r, &b, r->message, 0, rewrite_header_length(r));
	buf_add(&r->bodies, &b, sizeof b);
}

/* A renderer of its own for each place; without `rendered` there is none. */
static void begin_rendering(struct rewriting *r, bool rendered)
{
	urlsift_render_free(r->renderer);
	r->renderer = NULL;
	if (!rendered)
		return;
	r->renderer = memory_checked(urlsift_render_new(r->context, &r->o->run.out, take_made, r, NULL));
	memory_status(urlsift_render_source(r->renderer, r->name, NULL));
}

static int begin_place(void *user, const urlsift_place *place)
{
	static const char *const names[] = {
		[KIND_HEADER] = "the header", [KIND_INNER] = "the header of part %s", [KIND_PLAIN] = "part %s",
		[KIND_HTML] = "part %s", [KIND_OTHER] = "part %s"
	};
	struct rewriting *r = user;
	const enum kind kind = kind_of(r, place);
	char name[sizeof r->at.name];
	snprintf(name, sizeof name, names[kind], place->part);
	const bool goes_on = place->field && kind == r->at.kind && !strcmp(name, r->at.name);
	end_hidden(r);
	if (!goes_on) {
		end_header(r);
		r->at.linked = r->at.damaged = r->at.fixed = r->at.restored = false;
		r->edits.length = 0;
	}
	r->at.kind = kind;
	r->at.open = !place->field && kind != KIND_OTHER;
	memcpy(r->at.name, name, sizeof name);
	r->at.text = r->texts.length;
	r->made.length = 0;
	begin_rendering(r, kind != KIND_OTHER || r->edits_links);
	return rewrite_is_full(r);
}

static void render(struct rewriting *r, const urlsift_piece *piece, bool shown)
{
	memory_status(urlsift_render_piece(r->renderer, NULL, piece, shown));
	memory_status(urlsift_render_flush(r->renderer));
}

/* Renders a part of a link alone to `made`: on a line of its own, as no letter is before it. */
static void render_part(struct rewriting *r, const urlsift_piece *piece)
{
	const urlsift_piece end = { .text = "\n", .text_length = 1 };
	if (piece->part == 0)
		render(r, &end, false);
	r->made.length = 0;
	render(r, piece, true);
}

/* Whether a base alone says which host the link has: without one, browsers take `https:a.example` for `https://` of
 * that host. */
static bool is_relative(const urlsift_link *link)
{
	size_t n;
	const char *text = urlsift_link_text(link, &n);
	return urlsift_link_flags(link) & URLSIFT_RESOLVED && !match_bytes((const uint8_t *)text, n, "[^:/?#]*:|//");
}

/* Whether a link `//host` has a host that no browser takes, as of `//a[.]example`; that of IPv6 begins with a bracket.
 * */
static bool is_disarmed(const urlsift_link *link)
{
	size_t n;
	const char *text = urlsift_link_text(link, &n);
	const uint8_t *p = (const uint8_t *)text;
	if (!text_begins(p, n, "//"))
		return false;
	const size_t end = byte_until(text, 2, n, "/\\?#"), host = byte_last(p, 2, end, '@');
	return byte_at(p, host, end) != '[' && byte_until(text, host, end, "[]") < end;
}

/* A link of a place that is edited, or would be. */
static void take_link(struct rewriting *r, const urlsift_place *place, const urlsift_piece *piece)
{
	const unsigned flags = urlsift_link_flags(piece->link);
	size_t parts;
	urlsift_link_parts(piece->link, &parts);
	render_part(r, piece);
	const bool same = !(flags & URLSIFT_REFANGED)
	                  && bytes_are(r->made.data, r->made.length, piece->text, piece->text_length);
	r->at.changed = !same || (piece->part > 0 && r->at.changed);
	/* Between its parts is markup; what a relative link leads to is not in it. */
	const bool scattered = r->at.kind == KIND_HTML && parts > 1, relative = r->fangs && is_relative(piece->link);
	const bool aligned = scattered && r->fangs;
	/* The range is then that of the document. */
	const bool nested = place->target && !strcmp(place->attribute, "iframe srcdoc");
	if (!aligned && same && (piece->text_length > 0 || !r->at.changed)) /* the first part may have the text of all */
		return;
	if (relative && r->defangs)
		return; /* whether it still leads there is seen in the new message */
	if (scattered > aligned || nested || relative || r->at.kind <= KIND_INNER || (place->field && place->decoded)) {
		r->at.fixed = true;
		return;
	}
	const struct edit e = { piece->offset, piece->length, r->texts.length, r->texts.length + r->made.length,
	                        aligned && piece->part + 1 < parts };
	buf_add(&r->texts, r->made.data, r->made.length);
	buf_add(&r->edits, &e, sizeof e);
	if (aligned && !e.goes_on && !r->at.changed) /* so it stays */
		r->edits.length -= parts * sizeof e;
}

static bool begins_link(const urlsift_piece *piece) { return piece->link && piece->part == 0; }

static int take_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct rewriting *r = user;
	r->at.linked |= piece->link != NULL;
	if (r->at.kind == KIND_OTHER && !r->edits_links)
		return 0;
	if (begins_link(piece))
		r->at.shown = filter_link(r->desk, r->context, place, piece->link) != FILTER_DROP;
	if (r->at.kind == KIND_PLAIN) {
		r->at.restored |= piece->link && r->at.shown && urlsift_link_flags(piece->link) & URLSIFT_REFANGED;
		buf_add(&r->texts, piece->text, piece->text_length);
		memory_status(urlsift_render_piece(r->renderer, NULL, piece, r->at.shown));
	} else if (piece->link && r->at.shown) {
		take_link(r, place, piece);
	}
	return rewrite_is_full(r);
}

static int take_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	struct rewriting *r = user;
	const bool damaged = !place->field && notice->damage;
	r->at.damaged |= damaged;
	/* what readers show of it is not known */
	if (notice->omission == URLSIFT_OMITTED_ENCRYPTED)
		r->status = report_input("%s: part %s is signed or encrypted; it is left as it is", r->name, place->part);
	if (r->edits_links) {
		if (notice->omission == URLSIFT_OMITTED_UNSEARCHED && *place->type)
			r->status = report_input("%s: part %s is a page of the type %s; it is left as it is", r->name, place->part,
			                         place->type);
		if (damaged && !*place->type) /* readers differ in what follows */
			r->status = report_input("%s: %s%s is damaged: %s", r->name, *place->part ? "part " : "the message",
			                         place->part, notice->damage);
	}
	if (notice->limit)
		report("%s: %s: at byte %llu: limit %s (%llu) exceeded", r->name, r->at.name,
		       (unsigned long long)notice->offset, notice->limit, (unsigned long long)notice->value);
	return 0;
}

static void end_plain(struct rewriting *r, struct body *b, const urlsift_body *body)
{
	static const struct { const char *encoding, *mark; } marks[] = {
		{ "", "\xef\xbb\xbf" }, { "quoted-printable", "=EF=BB=BF" }, { "base64", "77u/" }
	};
	b->text = r->at.text;
	b->text_end = r->texts.length;
	b->edited = r->at.restored;
	/* Clearsigned text (RFC 4880 section 7). */
	for (size_t i = b->text; i < b->text_end; i += after_line(r->texts.data + i, 0, b->text_end - i))
		b->settled |= text_begins(r->texts.data + i, b->text_end - i, "-----BEGIN PGP SIGNED MESSAGE-----");
	/* A body may begin with a byte order mark of UTF-8, which is not part of the text. */
	for (size_t i = 0; i < sizeof marks / sizeof *marks && body->end <= r->length; i++)
		r->at.damaged |= !strcmp(body->encoding, marks[i].encoding)
		                 && text_begins(r->message + body->begin, (size_t)(body->end - body->begin), marks[i].mark);
	memory_status(urlsift_render_source_end(r->renderer, 0));
	memory_status(urlsift_render_end(r->renderer));
	b->made = r->texts.length;
	buf_add(&r->texts, r->made.data, r->made.length);
	b->made_end = r->texts.length;
}

static void end_html(struct rewriting *r, struct body *b, const urlsift_body *body)
{
	const uint8_t *bytes = r->message + body->begin;
	const size_t n = (size_t)(body->end - body->begin);
	if (!*body->encoding) {
		end_edits(r, b, bytes, body->begin, n);
		return;
	}
	r->out.length = 0;
	if (!recode_undo(&r->out, body->encoding, bytes, n)) {
		r->edits.length = 0;
		r->at.fixed = r->at.linked;
	}
	end_edits(r, b, r->out.data, 0, r->out.length);
}

static int end_body(void *user, const urlsift_place *place, const urlsift_body *body)
{
	struct rewriting *r = user;
	const bool sealed = body->sealed;
	r->at.open = false;
	if (r->at.kind == KIND_OTHER) {
		if (r->edits_links ? r->at.fixed : leaves_links(r))
			r->status = report_input("%s: %s is %s; it is left as it is", r->name, r->at.name,
			                         place->named ? "application/octet-stream" : place->type);
		return 0;
	}
	struct body b = { .kind = r->at.kind, .begin = (size_t)body->begin, .end = (size_t)body->end, .settled = sealed };
	snprintf(b.encoding, sizeof b.encoding, "%s", body->encoding);
	snprintf(b.charset, sizeof b.charset, "%s", body->charset);
	snprintf(b.name, sizeof b.name, "%s", r->at.name);
	(r->at.kind == KIND_PLAIN ? end_plain : end_html)(r, &b, body);
	const bool stays = b.kind == KIND_PLAIN && b.settled;
	if ((sealed || stays) && is_changed(r, &b)) {
		report("%s: %s is signed or encrypted; it is left as it is", r->name, b.name);
		r->status = r->joins ? r->status : STATUS_INPUT;
		b.form = FORM_OLD;
	} else if (r->at.damaged && is_changed(r, &b)) {
		say_left(r, "is damaged; it is left as it is");
		b.form = FORM_OLD;
		b.settled = true;
	}
	buf_add(&r->bodies, &b, sizeof b);
	return rewrite_is_full(r);
}

/* ---- Comparing -------------------------------------------------------------------- */

static bool is_compared(const struct rewriting *r, enum kind kind)
{
	return kind > KIND_INNER && (kind != KIND_PLAIN) == r->edited;
}

/* Goes on to the next body that is compared. */
static struct body *next_body(struct rewriting *r)
{
	for (; r->checked < body_count(r); r->checked++)
		if (is_compared(r, body_at(r, r->checked)->kind))
			return body_at(r, r->checked);
	return NULL;
}

/* A body that has not changed says something else, as the base that a changed header gives it is another: the header
 * stays, and what changed with it has another try.  False if that is not why. */
static bool blame_header(struct rewriting *r)
{
	struct body *header = body_at(r, 0);
	if (header->kind != KIND_HEADER || !is_changed(r, header))
		return false;
	for (struct body *b = header; b < header + body_count(r); b++)
		b->form = b->kind == KIND_HTML && !b->settled ? FORM_DECLARED : b->form;
	header->form = FORM_OLD;
	return true;
}

/* Whether a body of the new message says what it has to; if not, it takes its next form. */
static int check_body(void *user, const urlsift_place *place, const urlsift_body *body)
{
	struct rewriting *r = user;
	struct body *b = next_body(r);
	(void)place;
	(void)body;
	if (!is_compared(r, r->at.kind) || (r->at.kind == KIND_HEADER && (!b || b->kind != r->at.kind)))
		return 0;
	if (!b)
		return 1;
	r->checked++;
	if (r->learns) {
		b->text = r->at.text;
		b->text_end = r->texts.length;
		return 0;
	}
	bool changed = is_changed(r, b), made = changed && b->kind == KIND_PLAIN;
	size_t from = made ? b->made : b->text, n = (made ? b->made_end : b->text_end) - from;
	if (!bytes_are(r->texts.data + from, n, r->texts.data + r->at.text, r->texts.length - r->at.text)) {
		if (!changed && !blame_header(r))
			return 1;
		b->form += changed;
		r->wrong++;
	}
	r->texts.length = r->at.text;
	return 0;
}

/* The end of the header is not reported. */
static int check_header(struct rewriting *r)
{
	return r->at.kind == KIND_HEADER ? check_body(r, NULL, NULL) : 0;
}

static int check_place(void *user, const urlsift_place *place)
{
	struct rewriting *r = user;
	const enum kind kind = kind_of(r, place);
	if (kind == KIND_HEADER && r->at.kind == kind)
		return 0;
	if (check_header(r))
		return 1;
	r->at.kind = kind;
	r->at.text = r->texts.length;
	begin_rendering(r, r->edited && !r->fangs && is_compared(r, kind));
	return 0;
}

/* The text of a link that is edited, with a mark before where it begins a link in the new message, too: what text has
 * less of a link may be the text after it. */
static int check_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct rewriting *r = user;
	if (r->defangs && !r->edited && begins_link(piece)) {
		const bool resolved = urlsift_link_flags(piece->link) & URLSIFT_RESOLVED;
		r->based |= resolved && r->at.kind == KIND_HTML && !is_disarmed(piece->link);
		r->left |= !resolved && filter_link(r->desk, r->context, place, piece->link) != FILTER_DROP;
	}
	if (!is_compared(r, r->at.kind))
		return 0;
	size_t n = piece->text_length;
	const char *text = piece->text;
	if (r->edited && piece->link) {
		buf_add(&r->texts, "\1", piece->part == 0 && (r->fangs || place->target));
		if (r->fangs) {
			text = urlsift_link_text(piece->link, &n);
			n = piece->part == 0 ? n : 0;
		} else {
			render_part(r, piece);
			text = (const char *)r->made.data;
			n = r->made.length;
		}
	}
	buf_add(&r->texts, text, n);
	return rewrite_is_full(r);
}

static urlsift_status parse(struct rewriting *r, const void *bytes, size_t n, const urlsift_mail_sink *sink)
{
	const struct settings *s = &r->o->run;
	urlsift_mail_options options = {
		.kind = URLSIFT_KIND_MESSAGE, .headers = URLSIFT_HEADERS_NONE, .plain = 1, .repeated = 1,
		.attachments = r->edits_links,
		.resources = r->edits_links && (s->resources || r->fangs), /* what is defanged loads nothing */
		.max_depth = (size_t)s->max_depth, .max_parts = (size_t)s->max_parts, .max_header = (size_t)s->max_header
	};
	if (r->edits_links)
		options.headers = (urlsift_headers)s->headers;
	r->at.kind = KIND_OTHER;
	urlsift_mail *mail = memory_checked(urlsift_mail_new(r->context, s->scan, &options, sink, NULL));
	urlsift_mail_feed(mail, bytes, n);
	urlsift_status status = memory_status(urlsift_mail_finish(mail)); /* the first that was not URLSIFT_OK */
	urlsift_mail_free(mail);
	return status;
}

bool rewrite_check(struct rewriting *r, const void *bytes, size_t n, bool edited)
{
	const urlsift_mail_sink sink = { .place = check_place, .piece = check_piece, .body = check_body, .user = r };
	/* Refanged names and addresses are links with the last three only. */
	static const urlsift_option wider[] = {
		URLSIFT_OPT_REFANG, URLSIFT_OPT_EMAIL, URLSIFT_OPT_DOMAINS, URLSIFT_OPT_IPV4
	};
	enum { WIDER = sizeof wider / sizeof *wider };
	urlsift_options *scan = r->o->run.scan;
	long before[WIDER];
	r->checked = 0;
	r->edited = edited;
	for (size_t i = 0; i < WIDER; i++) {
		before[i] = urlsift_options_get(scan, wider[i]);
		/* what is defanged now is read as it is */
		const bool set = edited ? r->fangs || before[i] : before[i] && !(r->defangs && wider[i] == URLSIFT_OPT_REFANG);
		urlsift_options_set(scan, wider[i], set);
	}
	const bool good = parse(r, bytes, n, &sink) == URLSIFT_OK && !check_header(r) && !next_body(r);
	for (size_t i = 0; i < WIDER; i++)
		urlsift_options_set(scan, wider[i], before[i]);
	return good;
}

static int note_body(void *user, const urlsift_place *place, const urlsift_body *body)
{
	struct buf *notes = user;
	const uint64_t range[] = { body->begin, body->end };
	const char *texts[] = { place->part, place->type, body->encoding, body->charset };
	buf_add(notes, range, sizeof range);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		buf_add(notes, texts[i], strlen(texts[i]) + 1);
	return notes->full;
}

/* Whether the parts are others where a CR alone ends a line, as some mail readers have it. */
static bool has_other_parts(struct rewriting *r)
{
	struct buf notes[2];
	bool any = false;
	r->made.length = 0;
	buf_add(&r->made, r->message, r->length);
	for (size_t i = 0; i < r->length; i++)
		if (r->message[i] == '\r' && byte_at(r->message, i + 1, r->length) != '\n') {
			r->made.data[i] = '\n';
			any = true;
		}
	if (!any)
		return false;
	for (size_t i = 0; i < 2; i++) {
		const urlsift_mail_sink sink = { .piece = rewrite_no_piece, .body = note_body, .user = &notes[i] };
		buf_init(&notes[i], &memory_allocator, NOTES_MOST);
		parse(r, i ? r->made.data : r->message, r->length, &sink);
	}
	const bool same = bytes_are(notes[0].data, notes[0].length, notes[1].data, notes[1].length);
	buf_fini(&notes[0]);
	buf_fini(&notes[1]);
	return !same;
}

bool rewrite_read(struct rewriting *r)
{
	const urlsift_mail_sink sink = { .place = begin_place, .piece = take_piece, .notice = take_notice,
	                                 .body = end_body, .user = r };
	const char *form = text_or(r->o->run.out.form, "join");
	const size_t n = strcspn(form, ":"); /* an argument may follow */
	r->joins = text_is(form, n, "join");
	r->defangs = text_is(form, n, "defang");
	r->fangs = text_is_among(form, n, "defang refang");
	r->edits_links = r->fangs || text_is_among(form, n, "clean https unwrap host");
	if (parse(r, r->message, r->length, &sink) != URLSIFT_OK)
		return false;
	end_header(r);
	end_hidden(r);
	if (r->edits_links && has_other_parts(r))
		r->status = report_input("%s: it has other parts where a CR alone ends a line; links in them are left as they"
		                         " are", r->name);
	r->learns = true;
	const bool good = !r->edits_links || rewrite_check(r, r->message, r->length, true);
	r->learns = false;
	return good && !rewrite_is_full(r);
}
