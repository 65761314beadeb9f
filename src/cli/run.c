#include "run.h"

#include "names.h"
#include "source.h"
#include "unique.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct totals {
	uint64_t files, bytes, links, errors, limits;
};

struct run {
	const struct options *options;
	struct names names;
	struct writer writer;
	struct out out;
	urlsift_context *context;
	urlsift_scanner *scanner;
	struct unique *unique; /* NULL but for -u */
	void *block;
	char *title;
	urlsift_status status; /* of the scanner, on this source */
	bool shown;            /* the link whose parts come */
	bool unique_full;      /* was said */
	uint64_t links;        /* shown of this source */
	struct totals totals;
};

/* ---- What goes wrong ------------------------------------------------------ */

static void fail_source(struct run *r, const char *what)
{
	report("%s: %s", r->out.source, what);
	r->options->output->error(&r->out, what);
	r->totals.errors++;
}

/* A record where the output makes records, else a line. */
static int take_notice(void *user, const urlsift_notice *n)
{
	struct run *r = user;
	r->totals.limits++;
	if (r->options->json)
		r->options->output->notice(&r->out, n);
	else
		report("%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->out.source, n->offset,
		       n->limit, n->value);
	return r->writer.error;
}

static void notice(struct run *r, const char *limit, long value, uint64_t offset)
{
	const urlsift_notice n = { limit, (uint64_t)value, offset };
	take_notice(r, &n);
}

/* ---- Pieces -------------------------------------------------------------- */

static bool passes_filter(struct run *r, const urlsift_piece *p)
{
	switch (filter_link(r->options->filter, r->context, p->link)) {
	case FILTER_DROP:
		return false;
	case FILTER_LIMIT:
		notice(r, "match", r->options->match_limit, p->offset);
		break;
	case FILTER_ERROR:
		fail_source(r, "a filter could not be applied");
		break;
	case FILTER_PASS:
		break;
	}
	return true;
}

static bool is_new(struct run *r, const urlsift_piece *p)
{
	enum unique_answer answer = r->unique ? unique_add(r->unique, p->link) : UNIQUE_NEW;
	if (answer == UNIQUE_FULL && !r->unique_full) {
		r->unique_full = true;
		notice(r, "unique", r->options->unique_limit, p->offset);
	}
	return answer != UNIQUE_SEEN;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct run *r = user;
	const struct output *output = r->options->output;
	if (!p->link) {
		if (output->wants_plain)
			output->piece(&r->out, p, false);
		return r->writer.error;
	}
	if (p->part == 0) {
		r->shown = passes_filter(r, p) && is_new(r, p);
		r->links += r->shown;
	}
	output->piece(&r->out, p, r->shown);
	if (r->out.status != URLSIFT_OK)
		fail_source(r, urlsift_status_text(r->out.status));
	r->out.status = URLSIFT_OK;
	return r->writer.error;
}

/* ---- Sources ------------------------------------------------------------- */

static bool feed(void *user, const void *bytes, size_t n)
{
	struct run *r = user;
	r->totals.bytes += n;
	r->status = urlsift_feed(r->scanner, bytes, n);
	return r->status == URLSIFT_OK;
}

static void flush(void *user)
{
	struct run *r = user;
	writer_flush(&r->writer);
}

static void read_source(struct run *r, const char *name, const char *unreadable)
{
	const struct source_sink sink = { feed, flush, r };
	const struct output *output = r->options->output;
	r->out.source = name;
	int fd = unreadable ? -1 : source_open(name, &unreadable);
	if (fd < 0) {
		fail_source(r, unreadable);
		return;
	}
	r->totals.files++;
	r->links = 0;
	r->status = URLSIFT_OK;
	urlsift_reset(r->scanner);
	output->source(&r->out);
	int error = source_read(fd, r->block, &sink);
	if (r->status == URLSIFT_OK)
		r->status = urlsift_finish(r->scanner);
	if (error)
		fail_source(r, strerror(error));
	if (r->status != URLSIFT_OK && r->status != URLSIFT_STOPPED)
		fail_source(r, urlsift_status_text(r->status));
	output->source_end(&r->out, r->links);
	r->totals.links += r->links;
	source_close(fd);
}

/* ---- The run ------------------------------------------------------------- */

static void summarise(struct run *r)
{
	const struct totals *t = &r->totals;
	if (r->options->json)
		out_json_summary(&r->writer, t->files, t->bytes, 0, t->links, t->errors, t->limits);
	else
		report("files %" PRIu64 ", bytes %" PRIu64 ", links %" PRIu64 ", errors %" PRIu64 ", limits %" PRIu64,
		       t->files, t->bytes, t->links, t->errors, t->limits);
}

static void fini(struct run *r)
{
	names_fini(&r->names);
	unique_free(r->unique);
	urlsift_free(r->scanner);
	urlsift_context_free(r->context);
	free(r->writer.data);
	free(r->block);
	free(r->title);
}

static bool init(struct run *r, struct options *o)
{
	const urlsift_sink sink = { take_piece, take_notice, r };
	memset(r, 0, sizeof *r);
	r->options = o;
	names_init(&r->names, o->files, o->file_count, o->files_from, o->out.null_separated ? '\0' : '\n');
	r->writer = (struct writer){ .fd = STDOUT_FILENO, .own = isatty(STDOUT_FILENO), .data = malloc(WRITER_SIZE) };
	r->block = malloc(SOURCE_BLOCK);
	r->context = urlsift_context_new(NULL);
	r->out = (struct out){ .w = &r->writer, .options = &o->out, .source = "-", .context = r->context };
	if (!r->writer.data || !r->block || !r->context)
		return false;
	r->scanner = urlsift_new(r->context, o->scan, &sink);
	r->unique = o->unique ? unique_new((uint64_t)o->unique_limit) : NULL;
	return r->scanner && (r->unique || !o->unique);
}

/* The title of a page is the first name, which may come out of a list. */
static bool begin(struct run *r, struct out_options *out, const char *first)
{
	size_t n = first && strcmp(first, "-") ? strlen(first) + 1 : 0;
	if (n) {
		r->title = malloc(n);
		if (!r->title)
			return false;
		out->title = memcpy(r->title, first, n);
	}
	return r->options->output->begin(&r->out);
}

/* A reader that has gone away has seen what it wanted. */
static enum status status_of(const struct run *r)
{
	int error = r->writer.error;
	if (error && error != EPIPE) {
		report("standard output: %s", strerror(error));
		return STATUS_OUTPUT;
	}
	if (r->totals.errors)
		return STATUS_INPUT;
	return r->options->fail_if_none && !r->totals.links && !error ? STATUS_INPUT : STATUS_DONE;
}

enum status run_options(struct options *o)
{
	struct run r;
	const char *why, *name = NULL;
	enum status status = STATUS_INPUT;
	bool ready = init(&r, o);
	if (ready) {
		name = names_next(&r.names, &why);
		ready = begin(&r, &o->out, name);
	}
	if (ready) {
		for (; name && !r.writer.error; name = names_next(&r.names, &why))
			read_source(&r, name, why);
		o->output->end(&r.out);
		if (o->summary)
			summarise(&r);
		writer_flush(&r.writer);
		status = status_of(&r);
	} else {
		report("out of memory");
	}
	fini(&r);
	return status;
}
