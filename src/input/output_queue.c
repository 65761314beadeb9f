/* For syscall. */
#define _DEFAULT_SOURCE
#include "output_queue.h"

#include "descriptor.h"
#include "memory.h"
#include "scan/link.h"
#include "url/url.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/* ---- The spool of the table of messages ------------------------------------------- */

/* A temporary file without a name, in memory where the system has such; -1 with errno. */
static int open_unnamed(void)
{
#ifdef SYS_memfd_create
	int memory = (int)syscall(SYS_memfd_create, "urlsift", 1u); /* closed on exec */
	if (memory >= 0)
		return memory;
#endif
	const char *folder = memory_text(getenv("TMPDIR"));
	char *path = memory_format("%s/urlsift-XXXXXX", text_full_or(folder, "/tmp"));
	int fd = mkstemp(path);
	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	free(path);
	return fd;
}

static const char *spool_fail(struct output_queue *q, int error)
{
	report_why(q->spool_error, error);
	report("the table of messages is incomplete: %s", q->spool_error);
	return q->spool_error;
}

static const char *spool_write(void *user, const void *bytes, size_t n)
{
	struct output_queue *q = user;
	if (q->spool < 0 && (q->spool = open_unnamed()) < 0)
		return spool_fail(q, errno);
	int error = report_write(q->spool, bytes, n);
	return error ? spool_fail(q, error) : NULL;
}

static const char *spool_read(void *user, void *bytes, size_t size, size_t *n)
{
	struct output_queue *q = user;
	const ssize_t k = descriptor_read_at(q->spool, q->spool_at, bytes, size);
	if (k < 0)
		return spool_fail(q, errno);
	*n = (size_t)k;
	q->spool_at += *n;
	return NULL;
}

/* ---- From the beginning to the end -------------------------------------------------- */

static int write_out(void *user, const void *bytes, size_t n)
{
	struct output_queue *q = user;
	if (!q->error)
		q->error = report_write(q->settings->output, bytes, n);
	return q->error;
}

void output_queue_init(struct output_queue *q, const struct settings *settings, urlsift_context *context,
                       struct progress *progress)
{
	*q = (struct output_queue){ .settings = settings, .context = context, .progress = progress };
	q->name.file = "-";
	q->spool = DESCRIPTOR_NONE;
	const urlsift_spool spool = { spool_write, spool_read, q };
	urlsift_render_options options = settings->out;
	options.html.spool = &spool;
	if (settings->consumer->none)
		q->renderer = memory_checked(urlsift_render_new(context, &options, write_out, q, NULL));
	if (settings->unique) {
		/* The key must not be known to those who write the input; any key gives the same output.  Where the system has
		 * no random bytes, the clock has to do. */
		struct timespec now = { 0, 0 };
		int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
		if (descriptor_read(fd, &q->key, sizeof q->key) != (ssize_t)sizeof q->key) {
			clock_gettime(CLOCK_REALTIME, &now);
			q->key.low ^= (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
			q->key.high ^= (uint64_t)getpid();
		}
		descriptor_close(&fd);
	}
	hashset_init(&q->known, &memory_allocator, (size_t)settings->unique_limit);
}

void output_queue_fini(struct output_queue *q)
{
	hashset_fini(&q->known);
	urlsift_render_free(q->renderer);
	descriptor_close(&q->spool);
	free(q->source.data);
}

/* ---- Reporting -------------------------------------------------------------------- */

static void put_error(struct output_queue *q, const void *line, size_t n)
{
	progress_hide(q->progress);
	report_write(STDERR_FILENO, line, n);
}

size_t output_queue_notice(char line[REPORT_LINE], struct source_name source, const urlsift_place *place,
                           const urlsift_notice *n)
{
	if (!place->message)
		return report_line(line, SOURCE_NAME ": at byte %" PRIu64 ": limit %s (%" PRIu64 ") exceeded",
		                   SOURCE_NAME_OF(source), n->offset, n->limit, n->value);
	return report_line(line, SOURCE_NAME ": message at byte %" PRIu64 "%s%s: at byte %" PRIu64 ": limit %s (%" PRIu64
	                   ") exceeded", SOURCE_NAME_OF(source), place->message->offset, text_if(*place->part, ", part "),
	                   place->part, n->offset, n->limit, n->value);
}

static void end_source(struct output_queue *q, const void *bytes, size_t n)
{
	(void)bytes, (void)n;
	if (q->damage > 0 && !(q->renderer && q->settings->needs & URLSIFT_MAKES_RECORDS)) {
		progress_hide(q->progress);
		report(SOURCE_NAME ": %" PRIu64 " damaged place%s (see list --json)", SOURCE_NAME_OF(q->name), q->damage,
		       plural(q->damage));
	}
	urlsift_render_source_end(q->renderer, q->links);
	q->name = (struct source_name){ "-", NULL };
}

/* ---- Unique links ----------------------------------------------------------------- */

struct hash128 output_queue_hash(const struct output_queue *q, const urlsift_link *link, struct room *room)
{
	char hidden[UNWRAP_MAX];
	size_t n = q->settings->out.unwrap ? link_unwrapped(link, hidden, sizeof hidden) : 0;
	if (within(n, 1, sizeof hidden)) {
		urlsift_url url;
		urlsift_url_split(hidden, n, &url);
		n = room_put_url_form(room, urlsift_url_normal, &url);
	} else {
		n = room_put_form(room, urlsift_link_normal, link);
	}
	return siphash(q->key, room->data, n);
}

bool output_queue_is_new(struct output_queue *q, const struct queue_link *link)
{
	uint32_t value = 0;
	enum hashset_answer answer = hashset_add(&q->known, link->hash, &value);
	if (answer != HASHSET_FULL || q->known_full)
		return answer != HASHSET_KNOWN;
	/* Only the offset of the message is known here. */
	const urlsift_text none = { "", 0 };
	const urlsift_message message = { .offset = link->message, .id = none, .subject = none, .from = none,
	                                  .date = none, .groups = none, .list = none };
	const urlsift_place place = { .message = link->in_message ? &message : NULL, .part = "", .type = "" };
	const urlsift_notice notice = { "unique", (uint64_t)q->settings->unique_limit, link->offset };
	char line[REPORT_LINE];
	q->known_full = true;
	q->total.limits++;
	if (q->settings->needs & URLSIFT_MAKES_RECORDS)
		urlsift_render_notice(q->renderer, &place, &notice);
	else
		put_error(q, line, output_queue_notice(line, q->name, &place, &notice));
	return true;
}

/* ---- The queue -------------------------------------------------------------------- */

static void begin_source(struct output_queue *q, const void *names, size_t n)
{
	char *copy = memcpy(room_get(&q->source, n), names, n);
	size_t file = strlen(copy) + 1;
	q->name = (struct source_name){ copy, file < n ? copy + file : NULL };
	q->links = q->damage = 0;
	urlsift_render_source(q->renderer, q->name.file, q->name.member);
}

static void begin_message(struct output_queue *q, const void *head, size_t n)
{
	struct queue_message m;
	const char *bytes = head;
	(void)n;
	urlsift_text *const texts[QUEUE_TEXTS] = { &q->message.subject, &q->message.from, &q->message.date };
	memcpy(&m, bytes, sizeof m);
	bytes += sizeof m;
	for (size_t i = 0; i < QUEUE_TEXTS; bytes += m.length[i++])
		*texts[i] = (urlsift_text){ bytes, m.length[i] };
	q->message.offset = m.offset;
	urlsift_render_message(q->renderer, &q->message);
}

static void add_tally(struct output_queue *q, const void *bytes, size_t n)
{
	enum { COUNTS = sizeof(struct tally) / sizeof(uint64_t) };
	uint64_t total[COUNTS], more[COUNTS];
	struct tally t;
	memcpy(&t, bytes, n);
	memcpy(more, bytes, n);
	memcpy(total, &q->total, n);
	for (size_t i = 0; i < COUNTS; i++)
		total[i] += more[i];
	memcpy(&q->total, total, n);
	q->links += t.links;
	q->damage += t.damage;
}

static void put_bytes(struct output_queue *q, const void *bytes, size_t n)
{
	const struct consumer *c = q->settings->consumer;
	if (q->renderer) {
		if (!q->skip)
			urlsift_render_append(q->renderer, bytes, n);
		return;
	}
	q->consumed = c->take(c->user, bytes, n);
	if (q->consumed != STATUS_DONE)
		q->error = EIO;
}

static void begin_link(struct output_queue *q, const void *bytes, size_t n)
{
	struct queue_link link;
	memcpy(&link, bytes, n);
	q->skip = !output_queue_is_new(q, &link);
	q->links += !q->skip;
	q->total.links += !q->skip;
}

static void end_link(struct output_queue *q, const void *bytes, size_t n)
{
	(void)bytes, (void)n;
	q->skip = false;
}

int output_queue_put(struct output_queue *q, enum queue_op op, const void *bytes, size_t n)
{
	static void (*const perform[])(struct output_queue *q, const void *bytes, size_t n) = {
		[QUEUE_BYTES] = put_bytes, [QUEUE_ERROR_LINE] = put_error, [QUEUE_SOURCE] = begin_source,
		[QUEUE_SOURCE_END] = end_source, [QUEUE_MESSAGE] = begin_message, [QUEUE_TALLY] = add_tally,
		[QUEUE_LINK] = begin_link, [QUEUE_LINK_END] = end_link
	};
	if (!q->error)
		perform[op](q, bytes, n);
	return q->error;
}

/* ---- The end ----------------------------------------------------------------- */

enum status output_end(urlsift_renderer *r, const char *name, const int *error, bool known)
{
	const urlsift_status ended = memory_status(urlsift_render_end(r));
	const enum status status = report_output(name, *error);
	if (!status_is_fault(ended))
		return status;
	if (status == STATUS_DONE && !known)
		report("the output is incomplete: %s", urlsift_status_text(ended));
	return status_worse(status, STATUS_INPUT);
}

enum status output_queue_end(struct output_queue *q)
{
	const struct consumer *c = q->settings->consumer;
	const bool none = !q->total.links, quiet = q->settings->quiet, summary = q->settings->summary;
	if (q->renderer)
		progress_hide(q->progress);
	else if (!q->error && c->end)
		q->consumed = c->end(c->user);
	if (summary) {
		const struct tally *t = &q->total;
		/* Damage makes records of errors, too. */
		const urlsift_totals totals = { t->files, t->bytes, t->messages, t->links, t->errors + t->damage, t->limits,
		                                t->skipped, t->relative, t->unsearched };
		if (q->renderer && q->settings->needs & URLSIFT_MAKES_RECORDS)
			urlsift_render_summary(q->renderer, &totals);
		else
			report("files %" PRIu64 ", bytes %" PRIu64 ", messages %" PRIu64 ", links %" PRIu64 ", errors %" PRIu64
			       ", limits %" PRIu64 ", skipped %" PRIu64 ", relative %" PRIu64 ", unsearched %" PRIu64,
			       t->files, t->bytes, t->messages, t->links, totals.errors, t->limits, t->skipped, t->relative,
			       t->unsearched);
		const char *lacks = memory_text(q->settings->box.lacks);
		if (*lacks)
			report("sandbox: %s", lacks);
	}
	const bool says = !summary && !quiet;
	const struct { bool said; uint64_t count; const char *before, *after; } remarks[] = {
		/* relative targets of an HTML document are missed by its author, those of mail by nobody */
		{ says && !(q->settings->needs & URLSIFT_MAKES_RECORDS), q->total.baseless, "",
		  q->total.baseless > 1 ? " relative links of HTML are left out; --base=URL makes them absolute"
		                        : " relative link of HTML is left out; --base=URL makes them absolute" },
		/* they have no records */
		{ says, q->total.pages, "HTML or SVG attachments whose type is not text/html are not searched: ",
		  "; save them and name the files" },
		{ says, q->total.packed, "compressed attachments are not searched: ",
		  "; save them and name the files" },
		{ says, q->total.encrypted, "encrypted or S/MIME parts are not searched: ",
		  "; decrypt or verify them first, such as in the mail reader" },
		{ says, q->total.attached, "PDF and office attachments are not searched: ",
		  "; pdftotext(1) and pandoc(1) make text of them" },
		{ says, q->total.documents, "office documents are read as archives of XML, which splits text: ",
		  "; pandoc(1) makes HTML of most" },
		{ !quiet, q->total.missed.below, "links to hosts below those of --host are left out: ",
		  "; .a.example is a.example and all names below it" },
		/* each is one message, as if all of it were the header */
		{ none && !quiet && q->total.misread == q->total.messages, q->total.misread,
		  "files that look like plain text are read as mail: ", "; without --input=mbox they are searched as text" },
		{ none && !quiet, q->total.missed.elsewhere,
		  "links that are not in the fields and elements of --in are left out: ",
		  "; --headers=all searches all fields of mail, --resources also what a page loads" }
	};
	/* one of several files that are replaced, each by a run of its own */
	const char *file = q->settings->box.in_place ? *q->settings->in.files : "";
	for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
		if (remarks[i].said && remarks[i].count > 0)
			report("%s%s%s%" PRIu64 "%s", file, text_if(*file, ": "), remarks[i].before, remarks[i].count,
			       remarks[i].after);
	enum status status = q->consumed; /* STATUS_DONE without a consumer */
	if (q->renderer) {
		const bool known = q->total.errors > 0;
		if (known && q->total.files == 0) { /* nothing was read: no page, no heading */
			memory_status(urlsift_render_flush(q->renderer));
			status = report_output(q->settings->output_name, q->error);
		} else {
			status = output_end(q->renderer, q->settings->output_name, &q->error, known);
		}
	}
	if (q->total.usage)
		return status_worse(status, STATUS_USAGE);
	if (quiet && !none)
		return STATUS_DONE;
	const bool failed = q->total.errors || q->total.unread || quiet;
	return failed || (q->settings->fail_if_none && none && !q->error) ? status_worse(status, STATUS_INPUT) : status;
}
