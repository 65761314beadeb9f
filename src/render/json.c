/* JSON records. */
#include "json.h"

#include "scan/link.h"

#include <stdlib.h>

/* ---- Records ------------------------------------------------------------------------- */

/* Escaped bytes of a message's texts that each of its records repeats.  Longer ones are written once, in a record of
 * their own. */
enum { REPEATED_MAX = 1024 };

struct json_state {
	uint32_t records; /* written, with keys */
	bool apart; /* the texts of the message are in a record of their own */
	struct buf where; /* the members `source`, `member` and `message` of the records at `place`; empty if not known */
	const urlsift_place *place;
	uint64_t moved; /* r->moved, of which it is */
	struct writer out; /* the renderer's, while what is written is kept */
	char block[WRITER_SMALLEST];
};
static const struct format_buffer buffers[] = {
	{ offsetof(struct json_state, where), SIZE_MAX }
};

static void put_message(urlsift_renderer *r, const urlsift_message *m, const char *part, bool texts)
{
	struct writer *w = &r->writer;
	json_number(w, KEY("message") "{\"offset\":", m->offset);
	if (texts)
		json_text(w, KEY("id"), m->id);
	if (*part)
		json_word(w, KEY("part"), part, strlen(part));
	if (texts) {
		json_text(w, KEY("subject"), m->subject);
		json_text(w, KEY("from"), m->from);
		json_text(w, KEY("date"), m->date);
		if (render_has_time(m))
			json_number(w, KEY("time"), (uint64_t)m->time);
		json_text(w, KEY("groups"), m->groups);
		json_text(w, KEY("list"), m->list);
		json_text(w, KEY("uri"), m->uri);
	}
	writer_put(w, "}", 1);
}

#define TYPE(name) "{\"type\":\"" name "\""

/* The key of the record, by which those of all shards are in the order of one process. */
__attribute__((noinline)) static void put_key(urlsift_renderer *r)
{
	struct json_state *j = r->state;
	writer_text(&r->writer, KEY("key") "\"");
	writer_put(&r->writer, r->options.key, 8);
	writer_hex(&r->writer, HEX_LOWER, j->records++, 8);
	writer_put(&r->writer, "\"", 1);
}

static inline void put_type(urlsift_renderer *r, const char *type)
{
	writer_text(&r->writer, type);
	if (r->options.key)
		put_key(r);
}

static void put_source(urlsift_renderer *r)
{
	json_string(&r->writer, KEY("source"), r->source, strlen(r->source));
	json_name(&r->writer, KEY("member"), r->member);
}

static void put_where(urlsift_renderer *r)
{
	const struct json_state *j = r->state;
	put_source(r);
	if (r->place->message)
		put_message(r, r->place->message, r->place->part, !j->apart);
}

/* Writes what the records of a place have in common to j->where; false without memory. */
__attribute__((noinline)) static bool know_where(urlsift_renderer *r, struct json_state *j)
{
	j->out = render_divert(r, &j->where, j->block);
	put_where(r);
	j->place = r->place;
	j->moved = r->moved;
	return render_restore(r, &j->where, &j->out);
}

static inline void begin_record(urlsift_renderer *r, const char *type)
{
	struct json_state *j = r->state;
	bool known = j->where.length > 0 && j->place == r->place && j->moved == r->moved;
	put_type(r, type);
	if (known || know_where(r, j))
		writer_put(&r->writer, j->where.data, j->where.length);
	else
		put_where(r);
}

static void end_record(struct writer *w)
{
	writer_put(w, "}\n", 2);
}

static void json_message(urlsift_renderer *r, const urlsift_message *m)
{
	const urlsift_text texts[] = { m->id, m->subject, m->from, m->date, m->groups, m->list, m->uri };
	struct json_state *j = r->state;
	size_t n = 0;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		n += urlsift_escape_json(texts[i].bytes, texts[i].length, NULL, 0);
	j->apart = n > REPEATED_MAX;
	if (!j->apart)
		return;
	put_type(r, TYPE("message"));
	put_source(r);
	put_message(r, m, "", true);
	end_record(&r->writer);
}

/* ---- Links --------------------------------------------------------------------------- */

static void json_record(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct link_record l; /* the URL is large */
	l.link = piece->link;
	l.simple = urlsift_link_is_simple(l.link);
	l.text = urlsift_link_text(l.link, &l.length);
	begin_record(r, TYPE("link"));
	json_place(r, l.link);
	if (l.simple)
		link_split(l.link, &l.url);
	json_members(r, &l);
	end_record(&r->writer);
}

/* ---- Other records --------------------------------------------------------------------- */

static void json_error(urlsift_renderer *r, const char *what)
{
	begin_record(r, TYPE("error"));
	json_string(&r->writer, KEY("what"), what, strlen(what));
	end_record(&r->writer);
}

static void json_notice(urlsift_renderer *r, const urlsift_notice *n)
{
	begin_record(r, TYPE("limit"));
	json_string(&r->writer, KEY("limit"), n->limit, strlen(n->limit));
	json_number(&r->writer, KEY("value"), n->value);
	json_number(&r->writer, KEY("offset"), n->offset);
	end_record(&r->writer);
}

static void json_relative(urlsift_renderer *r, urlsift_text text)
{
	static const char what[] = "a relative target without a base";
	begin_record(r, TYPE("notice"));
	json_name(&r->writer, KEY("attribute"), r->place->attribute);
	json_string(&r->writer, KEY("text"), text.bytes, text.length);
	json_word(&r->writer, KEY("what"), what, sizeof what - 1);
	end_record(&r->writer);
}

static void json_summary(urlsift_renderer *r, const urlsift_totals *t)
{
	struct writer *w = &r->writer;
	put_type(r, TYPE("summary"));
	if (r->options.key) {
		const struct json_state *j = r->state;
		json_number(w, KEY("shard"), strtoul(r->options.key, NULL, 16));
		json_number(w, KEY("records"), j->records);
	}
	json_number(w, KEY("files"), t->files);
	json_number(w, KEY("bytes"), t->bytes);
	json_number(w, KEY("messages"), t->messages);
	json_number(w, KEY("links"), t->links);
	json_number(w, KEY("errors"), t->errors);
	json_number(w, KEY("limits"), t->limits);
	json_number(w, KEY("skipped"), t->skipped);
	json_number(w, KEY("relative"), t->relative);
	json_number(w, KEY("unsearched"), t->unsearched);
	end_record(w);
}

/* ---- One URL ---------------------------------------------------------------------------- */

static void put_form(urlsift_renderer *r, const char *key, const urlsift_url *url, url_form_fn *write)
{
	size_t n = render_url_form(r, write, url);
	if (n > 0 || write != urlsift_url_unwrap)
		json_string(&r->writer, key, (const char *)r->form.data, n);
}

struct field_list {
	urlsift_renderer *r;
	size_t count;
};

static int put_field(void *user, const urlsift_field *field)
{
	struct field_list *list = user;
	struct writer *w = &list->r->writer;
	size_t n = field->length;
	const char *value = render_utf8(list->r, &list->r->form, field->value, &n);
	if (!value)
		return 1;
	json_element(w, KEY("fields") "[", list->count++);
	json_word(w, "{\"name\":", field->name, strlen(field->name));
	json_string(w, KEY("value"), value, n);
	writer_put(w, "}", 1);
	return 0;
}

static void json_url(urlsift_renderer *r, const struct url_report *u)
{
	struct writer *w = &r->writer;
	struct field_list list = { r, 0 };
	char text[LOOKS_SIZE];
	json_string(w, "{\"type\":\"url\",\"text\":", u->url.text, u->url.length);
	put_form(r, KEY("url"), &u->url, urlsift_url_target);
	put_form(r, KEY("normal"), &u->url, urlsift_url_normal);
	if (r->options.unwrap)
		put_form(r, KEY("unwrapped"), &u->url, urlsift_url_unwrap);
	const size_t n = url_report_form(r, u, usable_form);
	json_text(w, KEY("browsers"), (urlsift_text){ (const char *)r->form.data, n });
	json_text(w, KEY("looks"), (urlsift_text){ text, url_report_looks(r, u, text) });
	json_text(w, KEY("address"), (urlsift_text){ text, url_report_address(u, text) });
	json_text(w, KEY("scheme"), (urlsift_text){ u->scheme, u->scheme_length });
	writer_text(w, u->row ? KEY("known") "true" : KEY("known") "false");
	urlsift_status status = urlsift_url_interpret(r->context, &u->url, put_field, &list);
	json_array_end(w, list.count);
	if (status != URLSIFT_OK && status != URLSIFT_STOPPED)
		r->status = status;
	if (GRAMMAR_BUILT)
		json_verdicts(w, &u->verdicts, 0);
	json_names(w, KEY("warnings") "[", u->warnings, urlsift_warning_name);
	end_record(w);
}

const struct format format_json = {
	.name = "json", .state = { .size = sizeof(struct json_state), FORMAT_BUFFERS(buffers) },
	.message = json_message, .link = json_record,
	.error = json_error, .notice = json_notice, .relative = json_relative, .url = json_url,
	.summary = json_summary,
	.needs.always = URLSIFT_NEEDS_POSITIONS | URLSIFT_NEEDS_GUESSES | URLSIFT_NEEDS_METADATA | URLSIFT_NEEDS_LABELS |
	                URLSIFT_MAKES_RECORDS,
	.needs.contextual = URLSIFT_NEEDS_CONTEXT,
};
