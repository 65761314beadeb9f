#include "verbs.h"

#include "input/source.h"
#include "url/scheme.h"
#include "url/url.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void url_run_fail(struct url_run *r, const char *what)
{
	report("%s", what);
	r->status = STATUS_INPUT;
}

char *url_run_room(struct url_run *r, struct escape_form *room, size_t n)
{
	if (n <= room->room)
		return room->data;
	char *data = realloc(room->data, 2 * n);
	if (!data) {
		url_run_fail(r, "out of memory");
		return NULL;
	}
	*room = (struct escape_form){ data, 2 * n };
	return data;
}

static void pass_over(struct url_run *r, const char *where, uint64_t offset)
{
	r->status = STATUS_INPUT;
	if (r->limit)
		r->limit(r, offset);
	else
		report("%s: at byte %" PRIu64 ": limit url-length (%ld) reached", where, offset, r->options->max_url);
}

/* ---- Lines of standard input --------------------------------------------- */

struct lines {
	struct url_run *run;
	char *held;      /* the line so far, options->max_url bytes at most */
	size_t used;
	bool over;       /* it is longer */
	uint64_t offset; /* where it begins */
	uint64_t seen;   /* bytes before this block */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void take_line(struct lines *l, const char *p, size_t n)
{
	for (; n > 0 && is_blank(*p); n--)
		p++;
	while (n > 0 && is_blank(p[n - 1]))
		n--;
	l->run->url(l->run, p, n);
}

static void hold(struct lines *l, const char *p, size_t n)
{
	l->over = l->over || n > (size_t)l->run->options->max_url - l->used;
	if (l->over)
		return;
	memcpy(l->held + l->used, p, n);
	l->used += n;
}

static void end_line(struct lines *l)
{
	if (l->over)
		pass_over(l->run, "-", l->offset);
	else
		take_line(l, l->held, l->used);
	l->used = 0;
	l->over = false;
}

static bool take_bytes(struct lines *l, const void *bytes, size_t n)
{
	const char *p = bytes, *end = p + n;
	while (p < end && !l->run->w.error) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t length = (size_t)((stop ? stop : end) - p);
		if (stop && !l->used && !l->over && length <= (size_t)l->run->options->max_url) {
			take_line(l, p, length);
		} else {
			hold(l, p, length);
			if (stop)
				end_line(l);
		}
		if (!stop)
			break;
		p = stop + 1;
		l->offset = l->seen + (uint64_t)(p - (const char *)bytes);
	}
	l->seen += n;
	return !l->run->w.error;
}

static void flush(void *user)
{
	struct url_run *r = user;
	writer_flush(&r->w);
}

static void read_lines(struct url_run *r)
{
	struct source s;
	char why[WHY_SIZE];
	if (!source_open(&s, "-", why)) {
		report("-: %s", why);
		r->status = STATUS_INPUT;
		return;
	}
	s.idle = flush;
	s.user = r;
	struct lines l = { .run = r, .held = malloc((size_t)r->options->max_url) };
	void *block = malloc(SOURCE_BLOCK);
	ssize_t n = -1;
	if (l.held && block) {
		while ((n = source_read(&s, block, SOURCE_BLOCK)) > 0 && take_bytes(&l, block, (size_t)n))
			;
		report_why(why, errno);
		if (l.used || l.over)
			end_line(&l);
		if (n < 0) {
			report("-: %s", why);
			r->status = STATUS_INPUT;
		}
	} else {
		url_run_fail(r, "out of memory");
	}
	free(l.held);
	free(block);
}

/* ---- The run --------------------------------------------------------------- */

static void take_argument(struct url_run *r, const char *url)
{
	size_t n = strlen(url);
	if (!strcmp(url, "-")) {
		read_lines(r);
	} else if (n > (size_t)r->options->max_url) {
		pass_over(r, "an argument", 0);
	} else {
		r->url(r, url, n);
	}
}

enum status url_run(struct url_run *r, char *const *urls, size_t count)
{
	r->w = (struct writer){ .fd = STDOUT_FILENO, .own = isatty(STDOUT_FILENO), .data = malloc(WRITER_SIZE) };
	r->status = STATUS_DONE;
	if (!r->w.data) {
		url_run_fail(r, "out of memory");
		return r->status;
	}
	for (size_t i = 0; i < count && !r->w.error; i++)
		take_argument(r, urls[i]);
	if (count == 0)
		read_lines(r);
	writer_flush(&r->w);
	free(r->w.data);
	/* a reader that has gone away has seen what it wanted */
	if (r->w.error && r->w.error != EPIPE) {
		report("standard output: %s", strerror(r->w.error));
		r->status = STATUS_OUTPUT;
	}
	return r->status;
}

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
	enum status status = url_run(&r, o->run.files, o->run.file_count);
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
	if (o->run.file_count == 0)
		return report_usage("resolve takes a base, as in 'urlsift resolve http://a.example/b/c ../d'");
	urlsift_url_split(o->run.files[0], strlen(o->run.files[0]), &s.base);
	enum status status = url_run(&r, o->run.files + 1, o->run.file_count - 1);
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
	if (o->run.file_count)
		return report_usage("schemes takes no argument");
	return url_run(&r, (char *const[]){ "" }, 1);
}
