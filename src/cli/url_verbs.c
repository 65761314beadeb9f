#include "url_verbs.h"

#include "url/scheme.h"
#include "url/target.h"
#include "url_run.h"

#include <stdlib.h>

/* ---- normalise -------------------------------------------------------------- */

/* What a byte may become: %XX of three bytes of UTF-8; and a slash or two. */
static size_t longest_form(size_t n)
{
	return 9 * n + 16;
}

static void normalise(struct url_run *r, const char *text, size_t n)
{
	struct escape_form *room = r->state;
	size_t size = longest_form(n);
	bool fits = size < WRITER_SIZE;
	char *to = fits ? writer_room(&r->w, size + 1) : url_run_room(r, room, size);
	if (!to)
		return;
	size_t length = normal_write("", (const uint8_t *)text, n, to, size);
	if (fits && length <= size) {
		to[length] = '\n';
		r->w.used += length + 1;
		if (r->w.own)
			writer_flush(&r->w);
		return;
	}
	/* labels of a host can grow past any such bound */
	if (fits || length > size) {
		to = url_run_room(r, room, length);
		if (!to)
			return;
		normal_write("", (const uint8_t *)text, n, to, length);
	}
	writer_put(&r->w, to, length);
	writer_put(&r->w, "\n", 1);
}

enum status url_verbs_normalise(struct options *o)
{
	struct escape_form room = { NULL, 0 };
	struct url_run r = { .options = o, .state = &room, .url = normalise };
	enum status status = url_run(&r, o->files, o->file_count);
	free(room.data);
	return status;
}

/* ---- resolve ----------------------------------------------------------------- */

struct resolve {
	urlsift_url base;
	urlsift_resolution rules;
	struct escape_form room;
};

static void resolve(struct url_run *r, const char *text, size_t n)
{
	struct resolve *s = r->state;
	urlsift_url reference;
	urlsift_url_split(text, n, &reference);
	char *to = url_run_room(r, &s->room, 64);
	size_t length = to ? urlsift_url_resolve(&s->base, &reference, s->rules, to, s->room.room) : 0;
	if (length > s->room.room) {
		to = url_run_room(r, &s->room, length);
		if (to)
			urlsift_url_resolve(&s->base, &reference, s->rules, to, length);
	}
	if (!to)
		return;
	escape_line(&r->w, to, length);
	writer_put(&r->w, "\n", 1);
}

enum status url_verbs_resolve(struct options *o)
{
	struct resolve s = { .rules = o->resolution ? URLSIFT_RESOLVE_RFC1630 : URLSIFT_RESOLVE_RFC3986 };
	struct url_run r = { .options = o, .state = &s, .url = resolve };
	if (o->file_count == 0)
		return report_usage("resolve takes a base, as in 'urlsift resolve http://a.example/b/c ../d'");
	urlsift_url_split(o->files[0], strlen(o->files[0]), &s.base);
	enum status status = url_run(&r, o->files + 1, o->file_count - 1);
	free(s.room.data);
	return status;
}

/* ---- schemes ------------------------------------------------------------------ */

static void put_cell(struct writer *w, const char *text, size_t width)
{
	size_t n = strlen(text);
	writer_put(w, text, n);
	do
		writer_put(w, " ", 1);
	while (++n < width);
}

static void put_row(struct writer *w, const struct scheme *row)
{
	static const char *const slashes[] = { "-", "(//)", "//" };
	char port[8] = "-";
	if (row->port)
		snprintf(port, sizeof port, "%u", (unsigned)row->port);
	put_cell(w, row->name, 16);
	put_cell(w, port, 6);
	put_cell(w, slashes[row->slashes], 5);
	put_cell(w, row->forbidden ? "never" : row->linkable ? "yes" : "-", 6);
	writer_text(w, row->purpose);
	writer_put(w, "\n", 1);
}

/* No URLs: the run only lends its writer. */
static void list_schemes(struct url_run *r, const char *text, size_t n)
{
	(void)text;
	(void)n;
	const struct scheme *row;
	put_cell(&r->w, "SCHEME", 16);
	put_cell(&r->w, "PORT", 6);
	put_cell(&r->w, "//", 5);
	put_cell(&r->w, "HREF", 6);
	writer_text(&r->w, "WHAT IT IS FOR\n");
	for (size_t i = 0; (row = scheme_row(i)) != NULL; i++)
		put_row(&r->w, row);
}

enum status url_verbs_schemes(struct options *o)
{
	struct url_run r = { .options = o, .url = list_schemes };
	if (o->file_count)
		return report_usage("schemes takes no argument");
	return url_run(&r, (char *const[]){ "" }, 1);
}
