#include "sandbox.h"
#include "verbs.h"

#include "input/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct url_run {
	const struct options *options;
	/* One URL, which may be empty. */
	void (*url)(struct url_run *r, const char *text, size_t n);
	long max_url;            /* bytes of a URL */
	const urlsift_url *base; /* of resolve */
	urlsift_renderer *renderer; /* to standard output */
	struct room form, line;  /* what a URL becomes, and as it is written */
	int error;               /* errno of the first write that failed, or 0 */
	enum status status;      /* the worst there was */
};

/* Reports what went wrong, and raises the status. */
static void fail(struct url_run *r, const char *what)
{
	report("%s", what);
	r->status = STATUS_INPUT;
}

/* A URL that is too long; `offset` in standard input, 0 for an argument. */
static void pass_over(struct url_run *r, const char *where, uint64_t offset)
{
	const urlsift_notice notice = { "url-length", (uint64_t)r->max_url, offset };
	r->status = STATUS_INPUT;
	if (r->options->run.needs & URLSIFT_MAKES_RECORDS)
		urlsift_render_notice(r->renderer, NULL, &notice);
	else
		report("%s: at byte %" PRIu64 ": limit url-length (%ld) exceeded", where, offset, r->max_url);
}

/* ---- Lines of standard input ------------------------------------------------------ */

struct lines {
	struct url_run *run;
	char *held;      /* the line so far, max_url bytes at most */
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
	l->over = l->over || n > (size_t)l->run->max_url - l->used;
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
	while (p < end && !l->run->error) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t length = (size_t)((stop ? stop : end) - p);
		if (stop && !l->used && !l->over && length <= (size_t)l->run->max_url) {
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
	return !l->run->error;
}

static void flush(void *user)
{
	struct url_run *r = user;
	urlsift_render_flush(r->renderer);
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
	struct lines l = { .run = r, .held = malloc((size_t)r->max_url) };
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
		fail(r, "out of memory");
	}
	free(l.held);
	free(block);
}

/* ---- The run ---------------------------------------------------------------------- */

static void take_argument(struct url_run *r, const char *url)
{
	size_t n = strlen(url);
	if (!strcmp(url, "-")) {
		read_lines(r);
	} else if (n > (size_t)r->max_url) {
		pass_over(r, "an argument", 0);
	} else {
		r->url(r, url, n);
	}
}

static int write_out(void *user, const void *bytes, size_t n)
{
	struct url_run *r = user;
	return r->error = report_write(STDOUT_FILENO, bytes, n);
}

static void take_all(struct url_run *r, char *const *urls, size_t count)
{
	for (size_t i = 0; i < count && !r->error; i++)
		take_argument(r, urls[i]);
	if (count == 0)
		read_lines(r);
	urlsift_render_flush(r->renderer);
}

/* Hands over the arguments, and the lines of standard input for `-` and if there are none,
 * without the blanks around them.  Returns the exit status; errors are reported. */
static enum status run(struct url_run *r, char *const *urls, size_t count)
{
	urlsift_context *context = urlsift_context_new(NULL);
	r->renderer = context ? urlsift_render_new(context, &r->options->run.out, write_out, r) : NULL;
	r->max_url = urlsift_options_get(r->options->run.scan, URLSIFT_OPT_MAX_URL);
	r->status = STATUS_DONE;
	if (!r->options->run.no_sandbox)
		sandbox_enter(&(struct sandbox){ .runs = false });
	if (r->renderer)
		take_all(r, urls, count);
	else
		fail(r, "out of memory");
	urlsift_render_free(r->renderer);
	urlsift_context_free(context);
	free(r->form.data);
	free(r->line.data);
	/* EPIPE: the reader has seen what it wanted. */
	if (r->error && r->error != EPIPE) {
		report("standard output: %s", strerror(r->error));
		r->status = STATUS_OUTPUT;
	}
	return r->status;
}

/* ---- explain ---------------------------------------------------------------- */

static void explain(struct url_run *r, const char *text, size_t n)
{
	urlsift_status status = n > 0 ? urlsift_render_url(r->renderer, text, n) : URLSIFT_OK;
	if (status != URLSIFT_OK && status != URLSIFT_STOPPED)
		fail(r, urlsift_status_text(status));
}

enum status url_verbs_explain(struct options *o)
{
	struct url_run r = { .options = o, .url = explain };
	return run(&r, o->run.files, o->run.file_count);
}

/* ---- normalise and resolve ---------------------------------------------------- */

static char *form_room(struct url_run *r, size_t n)
{
	char *to = room_get(&r->form, n);
	if (!to)
		fail(r, "out of memory");
	return to;
}

static void put_line(struct url_run *r, size_t n)
{
	size_t length = urlsift_escape_line(r->form.data, n, r->line.data, r->line.size);
	if (length >= r->line.size) {
		if (!room_get(&r->line, length + 1)) {
			fail(r, "out of memory");
			return;
		}
		urlsift_escape_line(r->form.data, n, r->line.data, length);
	}
	r->line.data[length] = '\n';
	urlsift_render_append(r->renderer, r->line.data, length + 1);
}

static void normalise(struct url_run *r, const char *text, size_t n)
{
	const urlsift_url url = { .text = text, .length = n };
	size_t length;
	while ((length = urlsift_url_normal(&url, r->form.data, r->form.size)) > r->form.size)
		if (!form_room(r, length))
			return;
	put_line(r, length);
}

enum status url_verbs_normalise(struct options *o)
{
	struct url_run r = { .options = o, .url = normalise };
	return run(&r, o->run.files, o->run.file_count);
}

static void resolve(struct url_run *r, const char *text, size_t n)
{
	urlsift_resolution rules = r->options->resolution ? URLSIFT_RESOLVE_RFC1630 : URLSIFT_RESOLVE_RFC3986;
	urlsift_url reference;
	urlsift_url_split(text, n, &reference);
	size_t length = urlsift_url_resolve(r->base, &reference, rules, r->form.data, r->form.size);
	if (length > r->form.size) {
		if (!form_room(r, length))
			return;
		urlsift_url_resolve(r->base, &reference, rules, r->form.data, length);
	}
	put_line(r, length);
}

enum status url_verbs_resolve(struct options *o)
{
	urlsift_url base;
	struct url_run r = { .options = o, .url = resolve, .base = &base };
	if (o->run.file_count == 0)
		return report_usage("resolve needs a base URL, as in 'urlsift resolve http://a.example/b/c ../d'");
	urlsift_url_split(o->run.files[0], strlen(o->run.files[0]), &base);
	return run(&r, o->run.files + 1, o->run.file_count - 1);
}

/* ---- schemes ------------------------------------------------------------------ */

static void put_cell(struct url_run *r, const char *text, size_t width)
{
	size_t n = strlen(text);
	urlsift_render_append(r->renderer, text, n);
	do
		urlsift_render_append(r->renderer, " ", 1);
	while (++n < width);
}

static void put_row(struct url_run *r, const urlsift_scheme *row)
{
	static const char *const slashes[] = { "-", "(//)", "//" };
	char port[8] = "-";
	if (row->port)
		snprintf(port, sizeof port, "%u", row->port & 0xFFFF);
	put_cell(r, row->name, 16);
	put_cell(r, port, 6);
	put_cell(r, slashes[row->slashes], 5);
	put_cell(r, row->forbidden ? "never" : row->linkable ? "yes" : "-", 6);
	urlsift_render_append(r->renderer, row->purpose, strlen(row->purpose));
	urlsift_render_append(r->renderer, "\n", 1);
}

static void put_record(struct url_run *r, const urlsift_scheme *row)
{
	static const char *const slashes[] = { "none", "optional", "required" };
	char line[1024], port[24] = "";
	if (row->port)
		snprintf(port, sizeof port, ",\"port\":%u", row->port);
	const char *href = row->forbidden ? "never" : row->linkable ? "yes" : "no";
	int used = snprintf(line, 256, "{\"type\":\"scheme\",\"scheme\":\"%.128s\"%s,\"slashes\":\"%s\","
	                    "\"href\":\"%s\",\"purpose\":", row->name, port, slashes[row->slashes], href);
	urlsift_render_append(r->renderer, line, (size_t)used);
	size_t n = urlsift_escape_json(row->purpose, strlen(row->purpose), line, sizeof line);
	urlsift_render_append(r->renderer, line, n < sizeof line ? n : sizeof line);
	urlsift_render_append(r->renderer, "}\n", 2);
}

/* Takes no URLs and uses only the output of the run. */
static void list_schemes(struct url_run *r, const char *text, size_t n)
{
	static const char last[] = "PURPOSE\n";
	(void)text;
	(void)n;
	urlsift_scheme row;
	bool records = r->options->run.needs & URLSIFT_MAKES_RECORDS;
	if (!records) {
		put_cell(r, "SCHEME", 16);
		put_cell(r, "PORT", 6);
		put_cell(r, "//", 5);
		put_cell(r, "HREF", 6);
		urlsift_render_append(r->renderer, last, sizeof last - 1);
	}
	for (size_t i = 0; urlsift_scheme_at(i, &row); i++)
		if (records)
			put_record(r, &row);
		else
			put_row(r, &row);
}

enum status url_verbs_schemes(struct options *o)
{
	struct url_run r = { .options = o, .url = list_schemes };
	if (o->run.file_count)
		return report_usage("schemes takes no argument");
	return run(&r, (char *const[]){ "" }, 1);
}
