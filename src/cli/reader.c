#include "reader.h"

#include "detect.h"
#include "inbox.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- To the order -------------------------------------------------------------- */

static int sink(void *user, const void *bytes, size_t n)
{
	struct reader *r = user;
	return jobs_put(r->seat, ORDER_OUT, bytes, n);
}

static void put(struct reader *r, enum order_kind kind, const void *bytes, size_t n)
{
	if (!r->seat) {
		order_do(r->order, kind, bytes, n);
		return;
	}
	writer_flush(&r->writer);
	if (!r->writer.error)
		r->writer.error = jobs_put(r->seat, kind, bytes, n);
}

static void put_tally(struct reader *r)
{
	put(r, ORDER_TALLY, &r->tally, sizeof r->tally);
	r->tally = (struct tally){ .files = 0 };
}

/* ---- What goes wrong ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct reader *r, const char *format, ...)
{
	char block[WRITER_SIZE];
	struct writer line = { .fd = -1, .data = block };
	va_list arguments;
	va_start(arguments, format);
	report_put(&line, format, arguments, "");
	va_end(arguments);
	put(r, ORDER_ERR, block, line.used);
}

static void fail(struct reader *r, const char *what)
{
	say(r, "%s: %s", r->out->source, what);
	r->output->error(r->out, what);
	r->tally.errors++;
}

static void fail_errno(struct reader *r, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	fail(r, why);
}

/* A record where the output makes records, else a line. */
static int take_notice(void *user, const urlsift_notice *n)
{
	struct reader *r = user;
	const urlsift_place *place = r->out->place;
	r->tally.limits++;
	if (r->options->json)
		r->output->notice(r->out, n);
	else if (place && place->message)
		say(r, "%s: message at byte %" PRIu64 "%s%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->out->source,
		    place->message->offset, *place->part ? ", part " : "", place->part, n->offset, n->limit, n->value);
	else
		say(r, "%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->out->source, n->offset, n->limit, n->value);
	return r->out->w->error;
}

/* ---- Pieces ---------------------------------------------------------------------- */

static bool passes_filter(struct reader *r, const urlsift_piece *p)
{
	switch (filter_link(r->filter, r->context, p->link)) {
	case FILTER_DROP:
		return false;
	case FILTER_LIMIT:
		take_notice(r, &(urlsift_notice){ "match", (uint64_t)r->options->match_limit, p->offset });
		break;
	case FILTER_ERROR:
		fail(r, "a filter could not be applied");
		break;
	case FILTER_PASS:
		break;
	}
	return true;
}

/* Under -u: alone, whether the link is new; else the order will tell, and what is
 * written is marked for it.  Without memory it is shown. */
static bool choose_new(struct reader *r, const urlsift_piece *p, bool *marked)
{
	const urlsift_place *place = r->out->place;
	struct order_link link = { .in_message = place && place->message, .offset = p->offset };
	if (!unique_hash(r->order->unique, p->link, &r->form, &link.hash)) {
		r->tally.links++;
		return true;
	}
	if (link.in_message)
		link.message = place->message->offset;
	if (r->seat) {
		put(r, ORDER_LINK, &link, sizeof link);
		*marked = true;
		return true;
	}
	bool new = order_is_new(r->order, &link);
	r->tally.links += new;
	return new;
}

/* Whether the link of a first part is wanted. */
static bool choose(struct reader *r, const urlsift_piece *p, bool *marked)
{
	if (r->filter && !passes_filter(r, p))
		return false;
	if (r->order->unique)
		return choose_new(r, p, marked);
	r->tally.links++;
	return true;
}

static void fail_output(struct reader *r)
{
	fail(r, urlsift_status_text(r->out->status));
	r->out->status = URLSIFT_OK;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct reader *r = user;
	bool marked = false;
	if (p->link) {
		if (p->part > 0)
			;
		else if (r->choosy)
			r->shown = choose(r, p, &marked);
		else
			r->tally.links++;
		r->output->piece(r->out, p, r->shown);
		if (marked)
			put(r, ORDER_LINK_END, NULL, 0);
		if (r->out->status != URLSIFT_OK)
			fail_output(r);
	} else if (r->output->wants_plain) {
		r->output->piece(r->out, p, false);
	}
	return r->out->w->error;
}

/* ---- Mail -------------------------------------------------------------------------- */

/* By it is told, before anything is written, whether a range began where it should. */
static void note_beginning(struct reader *r)
{
	if (r->seat && urlsift_mail_messages(r->mail) > 0)
		r->seat->began = urlsift_mail_began_at(r->mail);
}

static int take_message(void *user, const urlsift_message *message)
{
	struct reader *r = user;
	r->tally.messages++;
	note_beginning(r);
	if (r->output->message)
		r->output->message(r->out, message);
	return r->out->w->error;
}

static int take_place(void *user, const urlsift_place *place)
{
	struct reader *r = user;
	r->out->place = place;
	if (r->output->place)
		r->output->place(r->out);
	return r->out->w->error;
}

static int take_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *p)
{
	struct reader *r = user;
	r->out->place = place;
	return take_piece(r, p);
}

/* Damage is what mail is full of: it is told in records, and else summed. */
static int take_mail_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *n)
{
	struct reader *r = user;
	r->out->place = place;
	if (n->limit)
		return take_notice(r, &(urlsift_notice){ n->limit, n->value, n->offset });
	r->tally.damage++;
	r->output->error(r->out, n->damage);
	return r->out->w->error;
}

/* ---- Feeding ------------------------------------------------------------------------- */

static bool feed(struct reader *r, const void *bytes, size_t n)
{
	progress_add(r->progress, n);
	r->status = r->in_mail ? urlsift_mail_feed(r->mail, bytes, n) : urlsift_feed(r->scanner, bytes, n);
	return r->status == URLSIFT_OK;
}

static void finish(struct reader *r)
{
	if (r->status == URLSIFT_OK)
		r->status = r->in_mail ? urlsift_mail_finish(r->mail) : urlsift_finish(r->scanner);
	r->out->place = NULL;
	if (r->status != URLSIFT_OK && r->status != URLSIFT_STOPPED)
		fail(r, urlsift_status_text(r->status));
}

static void begin_text(struct reader *r)
{
	const urlsift_sink to = { take_piece, take_notice, r };
	r->in_mail = false;
	if (r->scanner)
		urlsift_reset(r->scanner);
	else
		r->scanner = urlsift_new(r->context, r->options->scan, &to);
	r->status = r->scanner ? URLSIFT_OK : URLSIFT_NO_MEMORY;
}

static long probe(void *user, uint64_t offset, char *out, size_t size)
{
	return (long)source_read_at(user, offset, out, size);
}

static urlsift_mail_options mail_options(const struct reader *r, urlsift_mail_kind kind)
{
	const struct options *o = r->options;
	return (urlsift_mail_options){
		.kind = kind, .headers = (urlsift_headers)o->headers, .message_ids = o->message_ids,
		.plain = r->output->wants_plain, .display = r->output->wants_plain, .positions = o->positions,
		.metadata = o->json || r->output->message, .max_depth = (size_t)o->max_depth, .max_parts = (size_t)o->max_parts, .max_header = (size_t)o->max_header,
	};
}

static void begin_mail(struct reader *r, const urlsift_mail_options *options)
{
	const urlsift_mail_sink to = { take_message, take_place, take_mail_piece, take_mail_notice, r };
	r->in_mail = true;
	r->status = URLSIFT_OK;
	if (r->mail)
		r->status = urlsift_mail_reset(r->mail, options);
	else if (!(r->mail = urlsift_mail_new(r->context, r->options->scan, options, &to)))
		r->status = URLSIFT_NO_MEMORY;
}

static void begin_source(struct reader *r, const char *name)
{
	r->out->source = name;
	put(r, ORDER_SOURCE, name, strlen(name) + 1);
	r->out->source = name;
	r->tally.files++;
}

static void end_source(struct reader *r)
{
	put_tally(r);
	put(r, ORDER_SOURCE_END, NULL, 0);
}

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

/* Goes to the place from which --range is read; *n bytes of what follows are then in
 * the block.  Tells the line there. */
static uint64_t skip(struct reader *r, struct source *s, uint64_t to, size_t *n)
{
	struct source_lines lines = { 0, 1, false };
	char next = 0;
	if (s->regular) {
		if (r->options->positions)
			source_lines_to(s, &lines, to, r->block);
		*n = source_move(s, to) && source_read_at(s, to, &next, 1) == 1 ? 0 : *n;
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
	if (n > 0 && !feed(r, r->block, n))
		more = 0;
	while (r->status == URLSIFT_OK && more > 0 && !r->out->w->error) {
		more = source_read(s, r->block, SOURCE_BLOCK);
		r->tally.bytes += more > 0 ? (size_t)more : 0;
		if (more > 0)
			feed(r, r->block, (size_t)more);
	}
	int error = more < 0 ? errno : 0;
	finish(r);
	if (error)
		fail_errno(r, error);
}

/* The bytes of the messages that were read: those before the first do not count. */
static uint64_t bytes_read(const struct reader *r)
{
	return urlsift_mail_messages(r->mail) ? urlsift_mail_stopped_at(r->mail) - urlsift_mail_began_at(r->mail) : 0;
}

static void read_kind(struct reader *r, struct source *s, urlsift_mail_kind kind, size_t n)
{
	const struct options *o = r->options;
	urlsift_mail_options options = mail_options(r, kind);
	if (o->range && kind != URLSIFT_KIND_MBOX) {
		fail(r, "is no mbox, and --range is for these");
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
		begin_text(r);
	else
		begin_mail(r, &options);
	r->tally.bytes = n;
	read_all(r, s, n);
	if (o->range)
		r->tally.bytes = r->mail ? bytes_read(r) : 0;
}

static void read_source(struct reader *r)
{
	char why[WHY_SIZE];
	struct source s;
	urlsift_mail_kind kind;
	size_t n;
	if (r->job->why || !source_open(&s, r->job->name, why)) {
		fail(r, r->job->why ? r->job->why : why);
		return;
	}
	s.idle = idle;
	s.user = r;
	/* What may be slow is read when its results can be shown at once. */
	if (r->seat && !s.regular && jobs_wait(r->seat) == TURN_LATER)
		r->writer.error = EPIPE;
	begin_source(r, r->job->name);
	int error = look(r, &s, &kind, &n);
	if (error)
		fail_errno(r, error);
	else
		read_kind(r, &s, kind, n);
	end_source(r);
	source_close(&s);
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
		feed(r, r->block, (size_t)n);
		if (!guess)
			continue;
		note_beginning(r);
		/* When none begins in it, what follows is for the next one to find. */
		if (jobs_turn(seat) == TURN_AGAIN || (seat->began == SEAT_NOWHERE && job->stop && from >= job->stop + URLSIFT_DETECT_BYTES))
			return;
	}
	finish(r);
	if (error)
		fail_errno(r, error);
}

/* The range from a place where a message begins, or from where one is looked for. */
static void try_range(struct reader *r, uint64_t from, uint64_t line, bool exact)
{
	const struct job *job = r->job;
	struct seat *seat = r->seat;
	urlsift_mail_options options = mail_options(r, URLSIFT_KIND_MBOX);
	options.content_length = URLSIFT_LENGTH_PROBED;
	options.probe = probe;
	options.probe_user = (void *)&job->source;
	options.offset = from;
	options.line = line;
	options.resync = !exact;
	options.start = job->offset;
	options.stop = job->stop;
	if (job->first)
		begin_source(r, job->name);
	seat->ended = from;
	if (!exact || !job->stop || from < job->stop) {
		begin_mail(r, &options);
		if (r->status == URLSIFT_OK)
			read_range(r, from, !exact && !job->first);
		else
			fail(r, urlsift_status_text(r->status));
		if (r->mail) {
			seat->ended = urlsift_mail_stopped_at(r->mail);
			r->tally.bytes = exact ? seat->ended - from : bytes_read(r);
		}
	}
	if (job->last)
		end_source(r);
}

static void do_range(struct reader *r)
{
	const struct job *job = r->job;
	struct seat *seat = r->seat;
	r->out->source = job->name;
	if (jobs_turn(seat) != TURN_AGAIN) {
		try_range(r, job->from, job->line, job->first && !r->options->range);
		put_tally(r);
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
	const urlsift_mail_options options = mail_options(r, URLSIFT_KIND_MESSAGE);
	ssize_t n;
	begin_source(r, name);
	begin_mail(r, &options);
	while (r->status == URLSIFT_OK && !r->out->w->error && (n = inbox_read(b, r->block, SOURCE_BLOCK)) > 0) {
		r->tally.bytes += (size_t)n;
		feed(r, r->block, (size_t)n);
	}
	finish(r);
	end_source(r);
}

static void read_epoch(struct reader *r)
{
	const struct job *job = r->job;
	const char *commit;
	char why[WHY_SIZE];
	size_t room = strlen(job->name) + 80;
	char *name = malloc(room);
	if (job->why || !name) {
		fail(r, job->why ? job->why : "out of memory");
		free(name);
		return;
	}
	while (!r->out->w->error && (commit = inbox_next(job->inbox))) {
		snprintf(name, room, "%s:%s:m", job->name, commit);
		read_message(r, job->inbox, name);
	}
	r->out->source = job->name;
	if (!r->out->w->error && !inbox_good(job->inbox, why))
		fail(r, why);
	free(name);
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

bool reader_init(struct reader *r, const struct options *options, urlsift_context *context, struct order *order,
                 struct progress *progress, bool alone)
{
	memset(r, 0, sizeof *r);
	r->options = options;
	r->output = options->output;
	r->context = context;
	r->order = order;
	r->progress = progress;
	r->out = alone ? &order->out : &r->own;
	r->own = (struct out){ .w = &r->writer, .options = &options->out, .source = "-", .context = context };
	r->block = malloc(SOURCE_BLOCK + DETECT_ROOM);
	if (!filter_is_open(options->filter) && !(r->filter = filter_desk_new(options->filter)))
		return false;
	r->choosy = r->filter || order->unique;
	r->shown = true;
	if (alone)
		return r->block;
	r->writer = (struct writer){ .fd = -1, .sink = sink, .user = r, .own = isatty(STDOUT_FILENO),
	                             .data = malloc(WRITER_SIZE) };
	return r->block && r->writer.data && r->output->begin(&r->own);
}

void reader_fini(struct reader *r)
{
	if (r->out == &r->own && r->own.state)
		r->output->end(&r->own);
	urlsift_mail_free(r->mail);
	urlsift_free(r->scanner);
	filter_desk_free(r->filter);
	free(r->form.data);
	free(r->writer.data);
	free(r->block);
}

void reader_do(struct reader *r, struct seat *seat, const struct job *job)
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
		read_source(r);
	put_tally(r);
}
