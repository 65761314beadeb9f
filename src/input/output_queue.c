#include "output_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The spool of the table of messages ------------------------------------------ */

/* A temporary file that has no name any more; -1 and errno when there is none. */
static int open_unnamed(void)
{
	static const char name[] = "/urlsift-XXXXXX";
	const char *folder = getenv("TMPDIR");
	size_t n = strlen(folder && *folder ? folder : (folder = "/tmp"));
	char *path = malloc(n + sizeof name);
	if (!path)
		return -1;
	memcpy(path, folder, n);
	memcpy(path + n, name, sizeof name);
	int fd = mkstemp(path);
	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	free(path);
	return fd;
}

static const char *spool_fail(struct output_queue *o, int error)
{
	report_why(o->spool_error, error);
	report("the table of messages is not complete: %s", o->spool_error);
	return o->spool_error;
}

static const char *spool_write(void *user, const void *bytes, size_t n)
{
	struct output_queue *o = user;
	if (o->spool < 0 && (o->spool = open_unnamed()) < 0)
		return spool_fail(o, errno);
	int error = report_write(o->spool, bytes, n);
	return error ? spool_fail(o, error) : NULL;
}

static const char *spool_read(void *user, void *bytes, size_t size, size_t *n)
{
	struct output_queue *o = user;
	ssize_t k;
	do
		k = pread(o->spool, bytes, size, o->spool_at);
	while (k < 0 && errno == EINTR);
	if (k < 0)
		return spool_fail(o, errno);
	o->spool_at += k;
	*n = (size_t)k;
	return NULL;
}

/* ---- From the beginning to the end -------------------------------------------------- */

static int write_out(void *user, const void *bytes, size_t n)
{
	struct output_queue *o = user;
	if (!o->error)
		o->error = report_write(STDOUT_FILENO, bytes, n);
	return o->error;
}

bool output_queue_init(struct output_queue *o, const struct settings *settings, urlsift_context *context,
                       struct progress *progress)
{
	*o = (struct output_queue){ .settings = settings, .progress = progress, .name = "-", .spool = -1 };
	const urlsift_spool spool = { spool_write, spool_read, o };
	urlsift_render_options options = settings->out;
	options.spool = &spool;
	o->renderer = urlsift_render_new(context, &options, write_out, o);
	o->unique = settings->unique ? unique_new((uint64_t)settings->unique_limit) : NULL;
	return o->renderer && (o->unique || !settings->unique);
}

void output_queue_fini(struct output_queue *o)
{
	unique_free(o->unique);
	urlsift_render_free(o->renderer);
	if (o->spool >= 0)
		close(o->spool);
	free(o->source);
}

/* ---- Speaking ---------------------------------------------------------------- */

static void put_error(struct output_queue *o, const char *line, size_t n)
{
	progress_hide(o->progress);
	report_write(STDERR_FILENO, line, n);
}

__attribute__((format(printf, 2, 3))) static void say(struct output_queue *o, const char *format, ...)
{
	char line[REPORT_LINE];
	va_list arguments;
	va_start(arguments, format);
	size_t n = report_format(line, format, arguments, "");
	va_end(arguments);
	put_error(o, line, n);
}

/* Of the message only its place is known here. */
static void tell_full(struct output_queue *o, const struct queue_link *link)
{
	const urlsift_text none = { "", 0 };
	const urlsift_message message = { .offset = link->message, .id = none, .subject = none, .from = none,
	                                  .date = none, .groups = none, .list = none };
	const urlsift_place place = { .message = &message, .part = "", .type = "" };
	const urlsift_notice notice = { "unique", (uint64_t)o->settings->unique_limit, link->offset };
	o->total.limits++;
	if (o->settings->needs & URLSIFT_MAKES_RECORDS)
		urlsift_render_notice(o->renderer, link->in_message ? &place : NULL, &notice);
	else if (link->in_message)
		say(o, "%s: message at byte %" PRIu64 ": at byte %" PRIu64 ": limit unique (%" PRIu64 ") reached", o->name,
		    link->message, link->offset, notice.value);
	else
		say(o, "%s: at byte %" PRIu64 ": limit unique (%" PRIu64 ") reached", o->name, link->offset, notice.value);
}

static void end_source(struct output_queue *o)
{
	bool records = o->settings->needs & URLSIFT_MAKES_RECORDS;
	if (o->damage == 1 && !records)
		say(o, "%s: 1 place with damage (list --json says where)", o->name);
	else if (o->damage > 0 && !records)
		say(o, "%s: %" PRIu64 " places with damage (list --json says where)", o->name, o->damage);
	urlsift_render_source_end(o->renderer, o->links);
	o->name = "-";
}

/* ---- What is done ------------------------------------------------------------ */

bool output_queue_is_new(struct output_queue *o, const struct queue_link *link)
{
	enum unique_answer answer = unique_add(o->unique, link->hash);
	if (answer == UNIQUE_FULL && !o->unique_full) {
		o->unique_full = true;
		tell_full(o, link);
	}
	return answer != UNIQUE_SEEN;
}

static void begin_source(struct output_queue *o, const char *name, size_t n)
{
	char *copy = realloc(o->source, n);
	if (copy)
		memcpy(copy, name, n);
	o->source = copy ? copy : o->source;
	o->name = copy ? copy : "?";
	o->links = o->damage = 0;
	urlsift_render_source(o->renderer, o->name);
}

static void add(struct output_queue *o, const struct tally *t)
{
	struct tally *total = &o->total;
	total->files += t->files;
	total->bytes += t->bytes;
	total->messages += t->messages;
	total->links += t->links;
	total->errors += t->errors;
	total->damage += t->damage;
	total->limits += t->limits;
	o->links += t->links;
	o->damage += t->damage;
}

static void begin_link(struct output_queue *o, const struct queue_link *link)
{
	o->skip = !output_queue_is_new(o, link);
	o->links += !o->skip;
	o->total.links += !o->skip;
}

int output_queue_put(struct output_queue *o, enum queue_op kind, const void *bytes, size_t n)
{
	struct tally tally;
	struct queue_link link;
	if (o->error)
		return o->error;
	switch (kind) {
	case QUEUE_BYTES:
		if (!o->skip)
			urlsift_render_append(o->renderer, bytes, n);
		break;
	case QUEUE_ERROR_LINE:
		put_error(o, bytes, n);
		break;
	case QUEUE_SOURCE:
		begin_source(o, bytes, n);
		break;
	case QUEUE_SOURCE_END:
		end_source(o);
		break;
	case QUEUE_TALLY:
		memcpy(&tally, bytes, sizeof tally);
		add(o, &tally);
		break;
	case QUEUE_LINK:
		memcpy(&link, bytes, sizeof link);
		begin_link(o, &link);
		break;
	case QUEUE_LINK_END:
		o->skip = false;
		break;
	}
	return o->error;
}

/* ---- The end ----------------------------------------------------------------- */

static void summarise(struct output_queue *o)
{
	const struct tally *t = &o->total;
	/* the errors of a summary record are the records of that type, and damage makes some */
	const urlsift_totals totals = { t->files, t->bytes, t->messages, t->links, t->errors + t->damage, t->limits };
	if (o->settings->needs & URLSIFT_MAKES_RECORDS)
		urlsift_render_summary(o->renderer, &totals);
	else
		say(o, "files %" PRIu64 ", bytes %" PRIu64 ", messages %" PRIu64 ", links %" PRIu64 ", errors %" PRIu64
		    ", limits %" PRIu64, t->files, t->bytes, t->messages, t->links, t->errors, t->limits);
}

/* A reader that has gone away has seen what it wanted. */
enum status output_queue_end(struct output_queue *o)
{
	if (o->settings->summary)
		summarise(o);
	urlsift_status status = urlsift_render_end(o->renderer);
	if (o->error && o->error != EPIPE) {
		say(o, "standard output: %s", strerror(o->error));
		return STATUS_OUTPUT;
	}
	if (o->total.errors || (status != URLSIFT_OK && status != URLSIFT_STOPPED))
		return STATUS_INPUT;
	return o->settings->fail_if_none && !o->total.links && !o->error ? STATUS_INPUT : STATUS_DONE;
}
