#include "worker.h"

#include "public_inbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sources --------------------------------------------------------------------------- */

static void idle(void *user)
{
	struct worker *r = user;
	urlsift_render_flush(r->renderer);
	if (r->slot)
		urlsift_render_flush(r->queue->renderer);
}

/* Reads as much as tells what the source is; *n bytes are then in the block.  0, or
 * an errno. */
static int look(struct worker *r, struct source *s, urlsift_mail_kind *kind, size_t *n)
{
	enum input input = r->job->input;
	bool complete = false, known = input == INPUT_TEXT || input == INPUT_MAIL;
	*n = 0;
	*kind = input == INPUT_TEXT ? URLSIFT_KIND_TEXT : URLSIFT_KIND_MESSAGE;
	while (!known) {
		ssize_t more = source_read(s, r->block + *n, SOURCE_BLOCK - *n);
		if (more < 0)
			return errno;
		*n += (size_t)more;
		complete = more == 0;
		known = source_detect(r->block, *n, complete, kind);
	}
	if (input == INPUT_MBOX && *kind != URLSIFT_KIND_MMDF)
		*kind = URLSIFT_KIND_MBOX;
	return 0;
}

static long probe(void *user, uint64_t offset, char *out, size_t size)
{
	return (long)source_read_at(user, offset, out, size);
}

/* Goes to where --range is read from; *n bytes that follow are then in the block, and
 * *line is the line there.  False with errno. */
static bool skip(struct worker *r, struct source *s, uint64_t to, size_t *n, uint64_t *line)
{
	struct line_count lines = { 0, 1, 0 };
	*line = 0;
	if (s->regular && source_move(s, to)) {
		*n = 0;
		return !(r->settings->needs & URLSIFT_NEEDS_POSITIONS) || source_line_at(s, &lines, to, r->block, line);
	}
	ssize_t more = 1;
	for (; lines.at + *n <= to && more > 0; *n = more > 0 ? (size_t)more : 0) {
		source_count_lines(&lines, r->block, *n);
		more = source_read(s, r->block, SOURCE_BLOCK);
	}
	size_t over = to - lines.at < *n ? (size_t)(to - lines.at) : *n;
	source_count_lines(&lines, r->block, over);
	*n -= over;
	memmove(r->block, r->block + over, *n);
	*line = source_line(&lines, *n ? *r->block : '\0');
	return more >= 0;
}

/* The first n bytes are in the block. */
static void read_all(struct worker *r, struct source *s, size_t n)
{
	ssize_t more = 1;
	if (n > 0 && !worker_feed(r, r->block, n))
		more = 0;
	while (r->status == URLSIFT_OK && more > 0 && !*r->error) {
		more = source_read(s, r->block, SOURCE_BLOCK);
		r->tally.bytes += more > 0 ? (size_t)more : 0;
		if (more > 0)
			worker_feed(r, r->block, (size_t)more);
	}
	int error = more < 0 ? errno : 0;
	worker_finish(r);
	if (error)
		worker_fail_errno(r, error);
}

/* The bytes of the messages that were read: those before the first do not count. */
static uint64_t bytes_read(const struct worker *r)
{
	return urlsift_mail_messages(r->mail) ? urlsift_mail_stopped_at(r->mail) - urlsift_mail_began_at(r->mail) : 0;
}

static void read_kind(struct worker *r, struct source *s, urlsift_mail_kind kind, size_t n)
{
	const struct settings *o = r->settings;
	urlsift_mail_options options = worker_mail_options(r, kind);
	if (o->range && kind != URLSIFT_KIND_MBOX) {
		worker_fail(r, "is not an mbox, as --range requires");
		return;
	}
	if (s->regular && kind == URLSIFT_KIND_MBOX) {
		options.content_length = URLSIFT_LENGTH_PROBED;
		options.probe = probe;
		options.probe_user = s;
	}
	if (o->range) {
		options.start = o->range_from;
		options.stop = o->range_to;
		options.resync = 1;
		options.offset = o->range_from < 4 ? 0 : o->range_from - 4;
		if (!skip(r, s, options.offset, &n, &options.line)) {
			worker_fail_errno(r, errno);
			return;
		}
	}
	if (kind == URLSIFT_KIND_TEXT)
		worker_begin_text(r);
	else
		worker_begin_mail(r, &options);
	r->tally.bytes = n;
	read_all(r, s, n);
	if (o->range)
		r->tally.bytes = r->mail ? bytes_read(r) : 0;
}

static void read_source(struct worker *r, const char *name)
{
	char why[WHY_SIZE];
	struct source s;
	urlsift_mail_kind kind;
	size_t n;
	worker_name(r, name);
	if (*r->job->why || !source_open(&s, name, why)) {
		worker_fail(r, *r->job->why ? r->job->why : why);
		return;
	}
	s.idle = idle;
	s.user = r;
	/* What may be slow is read when its results can be shown at once. */
	if (r->slot && !s.regular && pool_wait(r->slot) == TURN_LATER)
		r->own_error = EPIPE;
	worker_begin_source(r, name);
	int error = look(r, &s, &kind, &n);
	if (error)
		worker_fail_errno(r, error);
	else
		read_kind(r, &s, kind, n);
	worker_end_source(r);
	source_close(&s);
}

static void read_sources(struct worker *r)
{
	const char *name = r->job->name ? r->job->name : "?";
	for (size_t i = 0; i < r->job->names && !*r->error; i++, name += strlen(name) + 1)
		read_source(r, name);
}

/* ---- Ranges ----------------------------------------------------------------------- */

/* Feeds the range from `from` on.  `guess`: its first message is looked for, and whether
 * it is the right one is not known yet.  False when reading failed. */
static bool read_range(struct worker *r, uint64_t from, bool guess)
{
	const struct job *job = r->job;
	struct slot *slot = r->slot;
	ssize_t n = 1;
	int error = 0;
	while (r->status == URLSIFT_OK && !r->own_error) {
		n = source_read_at(&job->mailbox->source, from, r->block, SOURCE_BLOCK);
		error = n < 0 ? errno : 0;
		if (n <= 0)
			break;
		from += (size_t)n;
		worker_feed(r, r->block, (size_t)n);
		if (!guess)
			continue;
		/* When no message begins in the range, it need not search what follows. */
		bool none = slot->began == SLOT_NOWHERE && job->stop && from >= job->stop + URLSIFT_DETECT_BYTES;
		if (none || pool_turn(slot) == TURN_REDO)
			return true;
	}
	worker_finish(r);
	if (error)
		worker_fail_errno(r, error);
	return !error;
}

/* Reads the messages of the range from `from` on: where one begins when `exact`, else
 * where one is looked for. */
static void read_messages(struct worker *r, uint64_t from, uint64_t line, bool exact)
{
	const struct job *job = r->job;
	struct slot *slot = r->slot;
	urlsift_mail_options options = worker_mail_options(r, URLSIFT_KIND_MBOX);
	options.content_length = URLSIFT_LENGTH_PROBED;
	options.probe = probe;
	options.probe_user = &job->mailbox->source;
	options.offset = from;
	options.line = line;
	options.resync = !exact;
	options.start = job->offset;
	options.stop = job->stop;
	worker_begin_mail(r, &options);
	bool good = read_range(r, from, !exact && !job->first);
	if (!good || !r->mail) {
		slot->ended = SLOT_FAILED;
		return;
	}
	slot->ended = urlsift_mail_stopped_at(r->mail);
	r->tally.bytes = exact ? slot->ended - from : bytes_read(r);
}

static void try_range(struct worker *r, uint64_t from, uint64_t line, bool exact)
{
	const struct job *job = r->job;
	if (job->first)
		worker_begin_source(r, job->name);
	r->slot->ended = from;
	if (from == SLOT_FAILED) {
		/* The mailbox could not be read up to here, which was reported. */
	} else if (*job->why) {
		worker_fail(r, job->why);
		r->slot->ended = SLOT_FAILED;
	} else if (!exact || !job->stop || from < job->stop) {
		read_messages(r, from, line, exact);
	}
	if (job->last)
		worker_end_source(r);
}

static void do_range(struct worker *r)
{
	struct job *job = &r->slot->job;
	struct slot *slot = r->slot;
	if (pool_turn(slot) != TURN_REDO) {
		try_range(r, job->from, job->line, job->first && !r->settings->range);
		worker_put_tally(r);
	}
	if (pool_turn(slot) != TURN_REDO)
		return;
	struct line_count lines = { job->from, job->line, 0 };
	uint64_t from = pool_redo(slot);
	if (from != SLOT_FAILED && !*job->why && (r->settings->needs & URLSIFT_NEEDS_POSITIONS) &&
	    !source_line_at(&job->mailbox->source, &lines, from, r->block, &lines.line))
		report_why(job->why, errno);
	r->tally = (struct tally){ .files = 0 };
	worker_restart(r);
	try_range(r, from, lines.line, true);
}

/* ---- public-inbox -------------------------------------------------------------------------- */

static void read_message(struct worker *r, struct public_inbox *b, const char *name)
{
	const urlsift_mail_options options = worker_mail_options(r, URLSIFT_KIND_MESSAGE);
	ssize_t n;
	worker_begin_source(r, name);
	worker_begin_mail(r, &options);
	while (r->status == URLSIFT_OK && !*r->error && (n = public_inbox_read(b, r->block, SOURCE_BLOCK)) > 0) {
		r->tally.bytes += (size_t)n;
		worker_feed(r, r->block, (size_t)n);
	}
	worker_finish(r);
	worker_end_source(r);
}

static void read_epoch(struct worker *r)
{
	const struct job *job = r->job;
	const char *commit;
	char why[WHY_SIZE];
	size_t room = job->name ? strlen(job->name) + 80 : 0;
	char *name = room ? malloc(room) : NULL;
	if (*job->why || !name) {
		worker_fail(r, *job->why ? job->why : "out of memory");
		free(name);
		return;
	}
	while (!*r->error && (commit = public_inbox_next(job->inbox))) {
		snprintf(name, room, "%s:%s:m", job->name, commit);
		read_message(r, job->inbox, name);
	}
	worker_name(r, job->name);
	if (!*r->error && !public_inbox_good(job->inbox, why))
		worker_fail(r, why);
	free(name);
}

/* ---- Jobs ---------------------------------------------------------------------------------------- */

void worker_do(struct worker *r, struct slot *slot, const struct job *job)
{
	r->slot = slot;
	r->job = job;
	worker_name(r, job->name ? job->name : "?");
	r->tally = (struct tally){ .files = 0 };
	if (slot)
		worker_restart(r);
	if (job->kind == JOB_RANGE)
		do_range(r);
	else if (job->kind == JOB_EPOCH)
		read_epoch(r);
	else
		read_sources(r);
	worker_put_tally(r);
}
