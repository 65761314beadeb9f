#include "pick.h"

#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct pick_encoder {
	struct buf *out;
	urlsift_context *context;
	struct room room;
	size_t parts;  /* of the last link, which are still to come */
	bool labelled; /* the last target of an anchor was written with its label */
	struct buf target; /* which it is */
};

static void put(struct pick_encoder *e, const char *text, size_t n)
{
	buf_add(e->out, text, n);
}

static void end_field(struct pick_encoder *e)
{
	put(e, "", 1);
}

typedef size_t escape_fn(const char *text, size_t n, char *to, size_t size);

/* Text of the input, without what the function escapes. */
static void put_escaped(struct pick_encoder *e, escape_fn *escape, const char *text, size_t n)
{
	char *to = room_get(&e->room, 4 * n + 1);
	put(e, to, escape(text, n, to, 4 * n));
}

static void put_field(struct pick_encoder *e, const char *text, size_t n)
{
	put_escaped(e, urlsift_escape_name, text, n);
	end_field(e);
}

static void put_text(struct pick_encoder *e, const urlsift_link *link)
{
	size_t n;
	const char *text = urlsift_link_resolved(link, &n), *supplied = urlsift_link_supplied(link);
	if (!text)
		text = urlsift_link_text(link, &n);
	put(e, supplied, strlen(supplied));
	put_escaped(e, urlsift_escape_line, text, n);
	end_field(e);
}

/* Text of a line, in which bytes that are not UTF-8 are windows-1252. */
static void put_run(struct pick_encoder *e, const char *text, size_t n)
{
	size_t from = 0;
	for (size_t i = 0, length; i < n; i += length) {
		uint32_t cp;
		uint8_t bytes[4];
		length = urlsift_next_character(text + i, n - i, &cp);
		if (length > 1 || cp < 0x80)
			continue;
		put_escaped(e, urlsift_escape_name, text + from, i - from);
		put_escaped(e, urlsift_escape_name, (const char *)bytes, utf8_put(bytes, cp));
		from = i + 1;
	}
	put_escaped(e, urlsift_escape_name, text + from, n - from);
}

/* Text between links: of white space line feeds stay, and tabs as blanks. */
static void put_between(struct pick_encoder *e, const char *text, size_t n)
{
	static const char between = PICK_BETWEEN, ends[] = "\n\r\t\f";
	static const char *const spaces[] = { ['\0'] = "\n", ['\n'] = "\n", ['\r'] = "", ['\t'] = "    ", ['\f'] = "\n" };
	put(e, &between, 1);
	for (size_t i = 0, length; i < n; i += length + 1) {
		for (length = 0; i + length < n && !strchr(ends, text[i + length]);) /* NUL ends a line, too */
			length++;
		put_run(e, text + i, length);
		const char *space = i + length < n ? spaces[(unsigned char)text[i + length]] : "";
		put(e, space, strlen(space));
	}
	end_field(e);
}

static void put_warnings(struct pick_encoder *e, unsigned warnings, const char *(*name)(unsigned), const char *between)
{
	const char *before = "";
	for (; warnings; warnings &= warnings - 1) {
		const char *text = name(warnings & -warnings);
		put(e, before, strlen(before));
		put(e, text, strlen(text));
		before = between;
	}
	end_field(e);
}

static int write_page(void *user, const void *bytes, size_t n)
{
	put(user, bytes, n);
	return 0;
}

static void put_link(struct pick_encoder *e, const urlsift_place *place, const urlsift_link *link)
{
	size_t n;
	unsigned warnings = urlsift_link_warnings(link);
	const char *scheme = urlsift_link_scheme(link, &n);
	const unsigned unusable = warnings & URLSIFT_WARN_NO_HREF;
	const char *refusal = unusable ? urlsift_warning_reason(unusable & -unusable) :
	                      text_if(!urlsift_scheme_linkable(scheme, n), "links with its scheme never are");
	urlsift_link_parts(link, &e->parts);
	n = room_put_form(&e->room, urlsift_link_target, link);
	put(e, e->room.data, n);
	if (place->target) {
		e->target.length = 0;
		buf_add(&e->target, e->room.data, n);
	}
	end_field(e);
	urlsift_url url;
	n = room_put_form(&e->room, urlsift_link_normal, link);
	put(e, e->room.data, n);
	end_field(e);
	urlsift_url_split(e->room.data, n, &url);
	put(e, e->room.data + url.host.offset, url.host.length);
	end_field(e);
	put_text(e, link);
	/* A label is shown in place of the target, and what it repeats is left out. */
	const char *label = urlsift_link_label(link, &n);
	const bool repeated = e->labelled;
	e->labelled |= place->target && n > 0;
	if (repeated)
		end_field(e);
	else if (e->labelled)
		put_field(e, label, n);
	else
		put_text(e, link);
	urlsift_text before, after;
	urlsift_link_context(link, &before, &after);
	put_field(e, label, n);
	put_field(e, before.bytes, before.length);
	put_field(e, after.bytes, after.length);
	put_warnings(e, warnings, urlsift_warning_name, ", ");
	put_warnings(e, warnings, urlsift_warning_reason, "; ");
	const char *field = memory_text(place->field);
	put_field(e, field, strlen(field));
	put(e, !*field ? "0" : strcasecmp(field, "List-Unsubscribe") ? "1" : "2", 2);
	put_field(e, refusal, strlen(refusal));
	const urlsift_render_options options = { .format = "list" };
	urlsift_renderer *page = memory_checked(urlsift_render_new(e->context, &options, write_page, e, NULL));
	n = room_put_form(&e->room, urlsift_link_absolute, link);
	memory_status(urlsift_render_url(page, e->room.data, n));
	memory_status(urlsift_render_end(page));
	urlsift_render_free(page);
	end_field(e);
}

/* Whether a link in the text of an anchor is the beginning of its target, which many pages show in place of it. */
static bool is_shortened(struct pick_encoder *e, const urlsift_link *link)
{
	if (!e->labelled)
		return false;
	const size_t n = room_put_form(&e->room, urlsift_link_target, link);
	return n < e->target.length && !memcmp(e->room.data, e->target.data, n);
}

/* The text of the anchor follows its label, and a broken link is written whole. */
static void take_piece(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown)
{
	struct pick_encoder *e = encoder;
	const bool target = place->target, begins = piece->part == 0;
	e->labelled &= place->anchor && !(target && begins);
	if (shown && piece->link && begins && !is_shortened(e, piece->link))
		put_link(e, place, piece->link);
	else if (!target && !e->labelled && !e->parts)
		put_between(e, piece->text, piece->text_length);
	e->parts -= piece->link && e->parts > 0;
}

static void take_place(void *encoder, const urlsift_place *place)
{
	struct pick_encoder *e = encoder;
	e->labelled = false;
	e->parts = 0;
	put_between(e, "\n", 1);
	if (place->field) {
		put_between(e, place->field, strlen(place->field));
		put_between(e, ": ", 2);
	}
}

static void *encoder_new(void *user, urlsift_context *context, struct buf *out)
{
	struct pick_encoder *e = memory_get(sizeof *e);
	(void)user;
	*e = (struct pick_encoder){ .out = out, .context = context };
	buf_init(&e->target, &memory_allocator, SIZE_MAX);
	return e;
}

static void encoder_free(void *encoder)
{
	struct pick_encoder *e = encoder;
	free(e->room.data);
	buf_fini(&e->target);
	free(e);
}

/* A reader that went away has chosen. */
static enum status take(void *user, const char *bytes, size_t n)
{
	const struct pick_collector *c = user;
	return report_write(c->descriptor, bytes, n) ? STATUS_OUTPUT : STATUS_DONE;
}

void pick_collector_init(struct pick_collector *c, int descriptor)
{
	*c = (struct pick_collector){ .descriptor = descriptor };
	c->consumer = (struct consumer){ .encoder_new = encoder_new, .encoder_free = encoder_free, .take = take, .user = c,
	                                 .on = { .place = take_place, .piece = take_piece } };
}
