#include "sandbox.h"
#include "verbs.h"

#include "input/output_queue.h"
#include "input/source.h"
#include "text/ascii.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct url_run {
	struct options *options;
	/* One URL, which may be empty. */
	void (*url)(struct url_run *r, const char *text, size_t n);
	/* Writes what the URL becomes to r->text.  Returns its length, which may be more than there is room for. */
	size_t (*form)(struct url_run *r, const char *text, size_t n);
	long max_url;            /* bytes of a URL */
	const urlsift_url *base; /* of resolve */
	urlsift_renderer *renderer; /* to standard output */
	struct room text, line;  /* what a URL becomes, and as it is written */
	int error;               /* errno of the first write that failed, or 0 */
	enum status status;      /* STATUS_INPUT where something could not be read or written */
};

/* A URL that is too long; `offset` in standard input, 0 for an argument. */
static void pass_over(struct url_run *r, const char *where, uint64_t offset)
{
	const urlsift_notice notice = { "url-length", (uint64_t)r->max_url, offset };
	if (r->options->run.needs & URLSIFT_MAKES_RECORDS)
		urlsift_render_notice(r->renderer, NULL, &notice);
	r->status = report_input("%s: at byte %" PRIu64 ": limit url-length (%ld) exceeded", where, offset, r->max_url);
}

/* ---- Lines of standard input ------------------------------------------------------ */

struct lines {
	struct url_run *run;
	char *block;     /* its beginning is the line so far */
	size_t used;     /* bytes of that line, max_url + CR at most */
	bool over;       /* it is longer, and what was read of it is dropped */
	uint64_t offset; /* where it begins in the input, */
	uint64_t at;     /* and where `block` does */
};

enum { CR = 1 }; /* the byte of a line end that is not part of the limit */

static void end_line(struct lines *l, const char *p, size_t n)
{
	const uint8_t *const line = (const uint8_t *)p;
	n -= text_ends(p, n, "\r");
	if (l->over || n > (size_t)l->run->max_url) {
		pass_over(l->run, "-", l->offset);
	} else {
		const size_t begin = byte_span(line, utf8_mark(p, n), n, BYTE_FWS);
		const size_t end = byte_span_back(line, begin, n, BYTE_FWS);
		l->run->url(l->run, p + begin, end - begin);
	}
	l->over = false;
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
	struct lines l = { .run = r, .block = memory_block((size_t)r->max_url + CR + SOURCE_BLOCK) };
	ssize_t n = -1;
	if (source_open(&s, "-", why)) {
		s.idle = flush;
		s.user = r;
		while (!r->error && (n = source_read(&s, l.block + l.used, SOURCE_BLOCK)) > 0) {
			char *p = l.block, *from = p + l.used, *end = from + n, *stop;
			while (!r->error && (stop = memchr(from, '\n', (size_t)(end - from)))) {
				end_line(&l, p, (size_t)(stop - p));
				p = from = stop + 1;
				l.offset = l.at + (uint64_t)(p - l.block);
			}
			l.used = r->error ? 0 : (size_t)(end - p);
			l.over |= l.used > (size_t)r->max_url + CR;
			l.used = l.over ? 0 : l.used;
			memmove(l.block, p, l.used);
			l.at += (uint64_t)(end - l.block) - l.used;
		}
		report_why(why, errno);
		if (l.used || l.over)
			end_line(&l, l.block, l.used);
	}
	if (n < 0)
		r->status = report_input("-: %s", why);
	free(l.block);
}

/* ---- The run ---------------------------------------------------------------------- */

static int write_out(void *user, const void *bytes, size_t n)
{
	struct url_run *r = user;
	return r->error = report_write(STDOUT_FILENO, bytes, n);
}

/* Hands over the arguments, and the lines of standard input for `-` and if there are none,
 * without the blanks around them.  Returns the exit status; errors are reported. */
static enum status run(struct url_run *r, char *const *urls, size_t count)
{
	if (!sandbox_begin(&r->options->run, &(struct sandbox){ .compiles = true }))
		return STATUS_OUTPUT;
	urlsift_context *context = memory_checked(urlsift_context_new(NULL));
	r->renderer = memory_checked(urlsift_render_new(context, &r->options->run.out, write_out, r, NULL));
	r->max_url = urlsift_options_get(r->options->run.scan, URLSIFT_OPT_MAX_URL);
	for (size_t i = 0; i < count && !r->error; i++) {
		const char *url = urls[i];
		size_t n = strlen(url);
		if (!strcmp(url, "-"))
			read_lines(r);
		else if (n > (size_t)r->max_url)
			pass_over(r, "an argument", 0);
		else
			r->url(r, url, n);
	}
	if (count == 0)
		read_lines(r);
	const enum status ended = output_end(r->renderer, "standard output", &r->error, r->status != STATUS_DONE);
	urlsift_render_free(r->renderer);
	urlsift_context_free(context);
	free(r->text.data);
	free(r->line.data);
	return status_worse(r->status, ended);
}

enum { SHOWN = 256 }; /* bytes of a URL in an error message */

/* ---- explain ---------------------------------------------------------------- */

static void append_found(struct url_run *r, const char *link, const char *how, const char *hint)
{
	char *line = memory_format("  list finds      %s%s%s\n", link, how, hint);
	urlsift_render_append(r->renderer, line, strlen(line));
	free(line);
}

static void explain(struct url_run *r, const char *text, size_t n)
{
	urlsift_url url;
	if (n == 0)
		return;
	urlsift_status status = memory_status(urlsift_render_url(r->renderer, text, n));
	urlsift_url_split(text, n, &url);
	if (status == URLSIFT_OK && !(r->options->run.needs & URLSIFT_MAKES_RECORDS)) {
		/* Says as what `list` finds the whole text or, in a text of words, the first link, and with which option, where
		 * that is not plain: it has no scheme, or blanks, or is defanged. */
		const bool words = memchr(text, ' ', n), plain = url.scheme.present && !words;
		static const struct { urlsift_option option; const char *how; unsigned flags; /* of the link */ } tries[] = {
			{ URLSIFT_OPT_POSITIONS, "", 0 }, { URLSIFT_OPT_DOMAINS, " with --domains", 0 },
			{ URLSIFT_OPT_EMAIL, " with --email", 0 }, { URLSIFT_OPT_IPV4, " with --ipv4", 0 },
			{ URLSIFT_OPT_REFANG, " with --refang", URLSIFT_REFANGED }
		};
		const size_t count = sizeof tries / sizeof *tries;
		urlsift_options *options = memory_checked(urlsift_options_new(NULL));
		bool known = false;
		for (size_t i = plain ? count - 1 : 0; i < count && !known; i++) {
			urlsift_found *found;
			urlsift_options_set(options, tries[i].option, 1);
			memory_status(urlsift_find(NULL, options, text, n, &found));
			const urlsift_found_link *link = found->links[0]; /* NULL for none */
			known = link && (link->flags & tries[i].flags) == tries[i].flags
			        && (words || (found->count == 1 && link->part_count == 1 && link->parts[0].length == n));
			if (known)
				append_found(r, link->target.bytes, tries[i].how,
				             text_if(words, "; 'urlsift list | urlsift explain' is for text"));
			urlsift_found_free(found);
			urlsift_options_set(options, tries[i].option, 0);
		}
		if (!known && !plain)
			append_found(r, "nothing", ", not even with --domains, --email, --ipv4 or --refang", "");
		urlsift_options_free(options);
	}
	if (!status_is_fault(status)) /* r->error says why it stopped */
		return;
	urlsift_render_error(r->renderer, NULL, urlsift_status_text(status));
	r->status = report_input("%.*s: cannot be explained: %s", (int)smaller(n, SHOWN), text,
	                         urlsift_status_text(status));
}

enum status url_verbs_explain(struct options *o)
{
	struct url_run r = { .options = o, .url = explain };
	/* an empty line says nothing, but an empty argument is often a variable that was not set */
	for (size_t i = 0; i < o->run.in.file_count; i++)
		if (!*o->run.in.files[i])
			r.status = report_input("explain: argument %zu is empty: it must be a URL, or - for standard input", i + 1);
	return run(&r, o->run.in.files, o->run.in.file_count);
}

/* ---- normalise and resolve ---------------------------------------------------- */

/* A line with what `form` makes of the URL. */
static void put_form(struct url_run *r, const char *text, size_t n)
{
	size_t length;
	while ((length = r->form(r, text, n)) > r->text.size)
		room_get(&r->text, length);
	char *line = room_get(&r->line, 3 * length + 1);
	length = urlsift_escape_line(r->text.data, length, line, 3 * length);
	line[length] = '\n';
	urlsift_render_append(r->renderer, line, length + 1);
}

static size_t normalise(struct url_run *r, const char *text, size_t n)
{
	return urlsift_url_normal(&(urlsift_url){ .text = text, .length = n }, r->text.data, r->text.size);
}

enum status url_verbs_normalise(struct options *o)
{
	struct url_run r = { .options = o, .url = put_form, .form = normalise };
	return run(&r, o->run.in.files, o->run.in.file_count);
}

static size_t resolve(struct url_run *r, const char *text, size_t n)
{
	urlsift_url reference;
	urlsift_url_split(text, n, &reference);
	return urlsift_url_resolve(r->base, &reference, (urlsift_resolution)r->options->resolution, r->text.data,
	                           r->text.size);
}

enum status url_verbs_resolve(struct options *o)
{
	urlsift_url base;
	struct url_run r = { .options = o, .url = put_form, .form = resolve, .base = &base };
	if (o->run.in.file_count == 0)
		return report_usage("resolve needs a base URL, as in 'urlsift resolve http://a.example/b/c ../d'");
	urlsift_url_split(o->run.in.files[0], strlen(o->run.in.files[0]), &base);
	if (!base.scheme.present)
		return report_usage("resolve: the base '%s' is not absolute, such as http://a.example/b/c", o->run.in.files[0]);
	return run(&r, o->run.in.files + 1, o->run.in.file_count - 1);
}

/* ---- schemes ------------------------------------------------------------------ */

static void put_row(struct url_run *r, const char *const cells[5])
{
	char line[1024];
	int n = snprintf(line, sizeof line, "%-15s %-5s %-4s %-5s %.512s\n", cells[0], cells[1], cells[2], cells[3],
	                 cells[4]);
	urlsift_render_append(r->renderer, line, (size_t)n);
}

/* Whether its links may be followed: 0 for no, 1 for yes, 2 for never. */
static size_t href_of(const urlsift_scheme *row) { return row->forbidden ? 2 : row->linkable != 0; }

static void put_scheme(struct url_run *r, const urlsift_scheme *row)
{
	static const char *const slashes[] = { "-", "(//)", "//" }, *const hrefs[] = { "-", "yes", "never" };
	char port[8] = "-";
	if (row->port)
		snprintf(port, sizeof port, "%u", row->port & 0xFFFF);
	put_row(r, (const char *const[]){ row->name, port, slashes[row->slashes],
	                                  hrefs[href_of(row)], row->purpose });
}

static void put_record(struct url_run *r, const urlsift_scheme *row)
{
	static const char *const slashes[] = { "none", "optional", "required" }, *const hrefs[] = { "no", "yes", "never" };
	char line[1024], port[24] = "";
	if (row->port)
		snprintf(port, sizeof port, ",\"port\":%u", row->port);
	int used = snprintf(line, 256, "{\"type\":\"scheme\",\"scheme\":\"%.128s\"%s,\"slashes\":\"%s\","
	                    "\"href\":\"%s\",\"purpose\":", row->name, port, slashes[row->slashes], hrefs[href_of(row)]);
	urlsift_render_append(r->renderer, line, (size_t)used);
	size_t n = urlsift_escape_json(row->purpose, strlen(row->purpose), line, sizeof line);
	urlsift_render_append(r->renderer, line, n);
	urlsift_render_append(r->renderer, "}\n", 2);
}

/* Takes no URLs and uses only the output of the run. */
static void list_schemes(struct url_run *r, const char *text, size_t n)
{
	(void)text;
	(void)n;
	urlsift_scheme row;
	bool records = r->options->run.needs & URLSIFT_MAKES_RECORDS;
	if (!records)
		put_row(r, (const char *const[]){ "SCHEME", "PORT", "//", "HREF", "PURPOSE" });
	for (size_t i = 0; urlsift_scheme_at(i, &row); i++)
		(records ? put_record : put_scheme)(r, &row);
}

enum status url_verbs_schemes(struct options *o)
{
	struct url_run r = { .options = o, .url = list_schemes };
	if (o->run.in.file_count)
		return report_usage("schemes takes no arguments");
	return run(&r, (char *const[]){ "" }, 1);
}
