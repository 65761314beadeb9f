#include "work.h"

#include "detect.h"
#include "inbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sources --------------------------------------------------------------------------- */

static void idle(void *user)
{
	struct reader *r = user;
	writer_flush(r->out->w);
	if (r->seat)
		writer_flush(&r->order->writer);
}

/* Reads as much as tells what the source is; *n bytes are then in the block.  0, or
 * an errno. */
static int look(struct reader *r, struct source *s, urlsift_mail_kind *kind, size_t *n)
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
		known = detect_kind(r->block, *n, complete, kind);
	}
	if (input == INPUT_MBOX && *kind != URLSIFT_KIND_MMDF)
		*kind = URLSIFT_KIND_MBOX;
	return 0;
}

static long probe(void *user, uint64_t offset, char *out, size_t size)
{
	return (long)source_read_at(user, offset, out, size);
}

/* Goes to the place from which --range is read; *n bytes of what follows are then in
 * the block.  Tells the line there. */
static uint64_t skip(struct reader *r, struct source *s, uint64_t to, size_t *n)
{
	struct source_lines lines = { 0, 1, false };
	char next = 0;
	if (s->regular && source_move(s, to)) {
		*n = 0;
		if (r->options->positions)
			source_lines_to(s, &lines, to, r->block);
		if (source_read_at(s, to, &next, 1) != 1)
			next = '\0';
		return source_lines_from(&lines, next);
	}
	for (ssize_t more = 1; lines.at + *n <= to && more > 0; *n = more > 0 ? (size_t)more : 0) {
		source_lines_take(&lines, r->block, *n);
		more = source_read(s, r->block, SOURCE_BLOCK);
	}
	size_t over = to - lines.at < *n ? (size_t)(to - lines.at) : *n;
	source_lines_take(&lines, r->block, over);
	*n -= over;
	memmove(r->block, r->block + over, *n);
	return source_lines_from(&lines, *n ? *r->block : '\0');
}

/* The first n bytes are in the block. */
static void read_all(struct reader *r, struct source *s, size_t n)
{
	ssize_t more = 1;
	if (n > 0 && !reader_feed(r, r->block, n))
		more = 0;
	while (r->status == URLSIFT_OK && more > 0 && !r->out->w->error) {
		more = source_read(s, r->block, SOURCE_BLOCK);
		r->tally.bytes += more > 0 ? (size_t)more : 0;
		if (more > 0)
			reader_feed(r, r->block, (size_t)more);
	}
	int error = more < 0 ? errno : 0;
	reader_finish(r);
	if (error)
		reader_fail_errno(r, error);
}

/* The bytes of the messages that were read: those before the first do not count. */
static uint64_t bytes_read(const struct reader *r)
{
	return urlsift_mail_messages(r->mail) ? urlsift_mail_stopped_at(r->mail) - urlsift_mail_began_at(r->mail) : 0;
}

static void read_kind(struct reader *r, struct source *s, urlsift_mail_kind kind, size_t n)
{
	const struct options *o = r->options;
	urlsift_mail_options options = reader_mail_options(r, kind);
	if (o->range && kind != URLSIFT_KIND_MBOX) {
		reader_fail(r, "is no mbox, and --range is for these");
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
		options.line = skip(r, s, options.offset, &n);
	}
	if (kind == URLSIFT_KIND_TEXT)
		reader_begin_text(r);
	else
		reader_begin_mail(r, &options);
	r->tally.bytes = n;
	read_all(r, s, n);
	if (o->range)
		r->tally.bytes = r->mail ? bytes_read(r) : 0;
}

static void read_source(struct reader *r, const char *name)
{
	char why[WHY_SIZE];
	struct source s;
	urlsift_mail_kind kind;
	size_t n;
	r->out->source = name;
	if (r->job->why || !source_open(&s, name, why)) {
		reader_fail(r, r->job->why ? r->job->why : why);
		return;
	}
	s.idle = idle;
	s.user = r;
	/* What may be slow is read when its results can be shown at once. */
	if (r->seat && !s.regular && jobs_wait(r->seat) == TURN_LATER)
		r->writer.error = EPIPE;
	reader_begin_source(r, name);
	int error = look(r, &s, &kind, &n);
	if (error)
		reader_fail_errno(r, error);
	else
		read_kind(r, &s, kind, n);
	reader_end_source(r);
	source_close(&s);
}

static void read_sources(struct reader *r)
{
	const char *name = r->job->name;
	for (size_t i = 0; i < r->job->names && !r->out->w->error; i++, name += strlen(name) + 1)
		read_source(r, name);
}

/* ---- Ranges ------------------------------------------------------------------------------ */

/* Feeds the range from `from` on; `guess` when its first message is looked for and,
 * whether it is the right one, known later. */
static void read_range(struct reader *r, uint64_t from, bool guess)
{
	const struct job *job = r->job;
	struct seat *seat = r->seat;
	int error = 0;
	while (r->status == URLSIFT_OK && !r->writer.error) {
		ssize_t n = source_read_at(&job->source, from, r->block, SOURCE_BLOCK);
		error = n < 0 ? errno : 0;
		if (n <= 0)
			break;
		from += (size_t)n;
		reader_feed(r, r->block, (size_t)n);
		if (!guess)
			continue;
		/* When no message begins in the range, what follows it is not for it to search. */
		bool none = seat->began == SEAT_NOWHERE && job->stop && from >= job->stop + URLSIFT_DETECT_BYTES;
		if (none || jobs_turn(seat) == TURN_AGAIN)
			return;
	}
	reader_finish(r);
	if (error)
		reader_fail_errno(r, error);
}

/* The range from a place where a message begins, or from where one is looked for. */
static void try_range(struct reader *r, uint64_t from, uint64_t line, bool exact)
{
	const struct job *job = r->job;
	struct seat *seat = r->seat;
	urlsift_mail_options options = reader_mail_options(r, URLSIFT_KIND_MBOX);
	options.content_length = URLSIFT_LENGTH_PROBED;
	options.probe = probe;
	options.probe_user = (void *)&job->source;
	options.offset = from;
	options.line = line;
	options.resync = !exact;
	options.start = job->offset;
	options.stop = job->stop;
	if (job->first)
		reader_begin_source(r, job->name);
	seat->ended = from;
	if (!exact || !job->stop || from < job->stop) {
		reader_begin_mail(r, &options);
		if (r->status == URLSIFT_OK)
			read_range(r, from, !exact && !job->first);
		else
			reader_fail(r, urlsift_status_text(r->status));
		if (r->mail) {
			seat->ended = urlsift_mail_stopped_at(r->mail);
			r->tally.bytes = exact ? seat->ended - from : bytes_read(r);
		}
	}
	if (job->last)
		reader_end_source(r);
}

static void do_range(struct reader *r)
{
	const struct job *job = r->job;
	struct seat *seat = r->seat;
	r->out->source = job->name;
	if (jobs_turn(seat) != TURN_AGAIN) {
		try_range(r, job->from, job->line, job->first && !r->options->range);
		reader_put_tally(r);
	}
	if (jobs_turn(seat) != TURN_AGAIN)
		return;
	struct source_lines lines = { job->from, job->line, false };
	uint64_t from = jobs_again(seat);
	if (r->options->positions)
		source_lines_to(&job->source, &lines, from, r->block);
	r->tally = (struct tally){ .files = 0 };
	r->writer.used = 0;
	r->writer.error = 0;
	try_range(r, from, lines.line, true);
}

/* ---- public-inbox -------------------------------------------------------------------------- */

static void read_message(struct reader *r, struct inbox *b, const char *name)
{
	const urlsift_mail_options options = reader_mail_options(r, URLSIFT_KIND_MESSAGE);
	ssize_t n;
	reader_begin_source(r, name);
	reader_begin_mail(r, &options);
	while (r->status == URLSIFT_OK && !r->out->w->error && (n = inbox_read(b, r->block, SOURCE_BLOCK)) > 0) {
		r->tally.bytes += (size_t)n;
		reader_feed(r, r->block, (size_t)n);
	}
	reader_finish(r);
	reader_end_source(r);
}

static void read_epoch(struct reader *r)
{
	const struct job *job = r->job;
	const char *commit;
	char why[WHY_SIZE];
	size_t room = strlen(job->name) + 80;
	char *name = malloc(room);
	if (job->why || !name) {
		reader_fail(r, job->why ? job->why : "out of memory");
		free(name);
		return;
	}
	while (!r->out->w->error && (commit = inbox_next(job->inbox))) {
		snprintf(name, room, "%s:%s:m", job->name, commit);
		read_message(r, job->inbox, name);
	}
	r->out->source = job->name;
	if (!r->out->w->error && !inbox_good(job->inbox, why))
		reader_fail(r, why);
	free(name);
}

/* ---- Jobs ---------------------------------------------------------------------------------------- */

void work_do(struct reader *r, struct seat *seat, const struct job *job)
{
	r->seat = seat;
	r->job = job;
	r->out->source = job->name;
	r->out->place = NULL;
	r->tally = (struct tally){ .files = 0 };
	if (seat) {
		r->writer.used = 0;
		r->writer.error = 0;
	}
	if (job->kind == JOB_RANGE)
		do_range(r);
	else if (job->kind == JOB_EPOCH)
		read_epoch(r);
	else
		read_sources(r);
	reader_put_tally(r);
}
