#include "output_queue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_queue_init(struct output_queue *o, const struct settings *settings, urlsift_context *context, struct progress *progress)
{
	*o = (struct output_queue){ .settings = settings, .progress = progress };
	o->writer = (struct writer){ .fd = STDOUT_FILENO, .own = isatty(STDOUT_FILENO), .data = malloc(WRITER_SIZE) };
	o->out = (struct out){ .w = &o->writer, .options = &settings->out, .source = "-", .context = context };
	o->unique = settings->unique ? unique_new((uint64_t)settings->unique_limit) : NULL;
	return o->writer.data && (o->unique || !settings->unique);
}

void output_queue_fini(struct output_queue *o)
{
	unique_free(o->unique);
	free(o->writer.data);
	free(o->source);
}

/* ---- Speaking ---------------------------------------------------------------- */

static void put_error(struct output_queue *o, const char *line, size_t n)
{
	progress_hide(o->progress);
	while (n > 0) {
		ssize_t k = write(STDERR_FILENO, line, n);
		if (k < 0 && errno != EINTR)
			return;
		line += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
}

__attribute__((format(printf, 2, 3))) static void say(struct output_queue *o, const char *format, ...)
{
	char block[WRITER_SIZE];
	struct writer line = { .fd = -1, .data = block };
	va_list arguments;
	va_start(arguments, format);
	report_put(&line, format, arguments, "");
	va_end(arguments);
	put_error(o, block, line.used);
}

/* Of the message only its place is known here. */
static void tell_full(struct output_queue *o, const struct queue_link *link)
{
	const urlsift_text none = { "", 0 };
	const urlsift_message message = { .offset = link->message, .id = none, .subject = none, .from = none,
	                                  .date = none, .groups = none, .list = none };
	const urlsift_place place = { .message = &message, .part = "", .type = "" };
	const urlsift_notice notice = { "unique", (uint64_t)o->settings->unique_limit, link->offset };
	const urlsift_place *before = o->out.place;
	o->total.limits++;
	o->out.place = link->in_message ? &place : NULL;
	if (o->settings->output->makes_records)
		o->settings->output->notice(&o->out, &notice);
	else if (link->in_message)
		say(o, "%s: message at byte %" PRIu64 ": at byte %" PRIu64 ": limit unique (%" PRIu64 ") reached", o->out.source,
		    link->message, link->offset, notice.value);
	else
		say(o, "%s: at byte %" PRIu64 ": limit unique (%" PRIu64 ") reached", o->out.source, link->offset, notice.value);
	o->out.place = before;
}

static void end_source(struct output_queue *o)
{
	if (o->damage == 1 && !o->settings->output->makes_records)
		say(o, "%s: 1 place with damage (list --json says where)", o->out.source);
	else if (o->damage > 0 && !o->settings->output->makes_records)
		say(o, "%s: %" PRIu64 " places with damage (list --json says where)", o->out.source, o->damage);
	o->settings->output->source_end(&o->out, o->links);
	o->out.source = "-";
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
	o->out.source = copy ? copy : "?";
	o->links = o->damage = 0;
	o->settings->output->source(&o->out);
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
	if (o->writer.error)
		return o->writer.error;
	switch (kind) {
	case QUEUE_BYTES:
		if (!o->skip)
			writer_put(&o->writer, bytes, n);
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
	return o->writer.error;
}

/* ---- The end ----------------------------------------------------------------- */

static void summarise(struct output_queue *o)
{
	const struct tally *t = &o->total;
	if (o->settings->output->makes_records)
		/* its errors are the records of that type, and damage makes some */
		out_json_summary(&o->writer, t->files, t->bytes, t->messages, t->links, t->errors + t->damage, t->limits);
	else
		say(o, "files %" PRIu64 ", bytes %" PRIu64 ", messages %" PRIu64 ", links %" PRIu64 ", errors %" PRIu64
		    ", limits %" PRIu64, t->files, t->bytes, t->messages, t->links, t->errors, t->limits);
}

/* A reader that has gone away has seen what it wanted. */
enum status output_queue_end(struct output_queue *o)
{
	if (o->settings->summary)
		summarise(o);
	o->total.errors += o->out.status != URLSIFT_OK;
	writer_flush(&o->writer);
	int error = o->writer.error;
	if (error && error != EPIPE) {
		say(o, "standard output: %s", strerror(error));
		return STATUS_OUTPUT;
	}
	if (o->total.errors)
		return STATUS_INPUT;
	return o->settings->fail_if_none && !o->total.links && !error ? STATUS_INPUT : STATUS_DONE;
}
