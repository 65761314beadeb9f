#include "worker.h"


#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- To the order -------------------------------------------------------------- */

static int sink(void *user, const void *bytes, size_t n)
{
	struct worker *r = user;
	return pool_put(r->slot, QUEUE_BYTES, bytes, n);
}

static void put(struct worker *r, enum queue_op kind, const void *bytes, size_t n)
{
	if (!r->slot) {
		output_queue_put(r->queue, kind, bytes, n);
		return;
	}
	writer_flush(&r->writer);
	if (!r->writer.error)
		r->writer.error = pool_put(r->slot, kind, bytes, n);
}

void worker_put_tally(struct worker *r)
{
	put(r, QUEUE_TALLY, &r->tally, sizeof r->tally);
	r->tally = (struct tally){ .files = 0 };
}

/* ---- What goes wrong ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct worker *r, const char *format, ...)
{
	char block[WRITER_SIZE];
	struct writer line = { .fd = -1, .data = block };
	va_list arguments;
	va_start(arguments, format);
	report_put(&line, format, arguments, "");
	va_end(arguments);
	put(r, QUEUE_ERROR_LINE, block, line.used);
}

void worker_fail(struct worker *r, const char *what)
{
	say(r, "%s: %s", r->out->source, what);
	r->output->error(r->out, what);
	r->tally.errors++;
}

void worker_fail_errno(struct worker *r, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	worker_fail(r, why);
}

/* A record where the output makes records, else a line. */
static int take_notice(void *user, const urlsift_notice *n)
{
	struct worker *r = user;
	const urlsift_place *place = r->out->place;
	r->tally.limits++;
	if (r->settings->output->makes_records)
		r->output->notice(r->out, n);
	else if (place && place->message)
		say(r, "%s: message at byte %" PRIu64 "%s%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->out->source,
		    place->message->offset, *place->part ? ", part " : "", place->part, n->offset, n->limit, n->value);
	else
		say(r, "%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->out->source, n->offset, n->limit, n->value);
	return r->out->w->error;
}

/* ---- Pieces ---------------------------------------------------------------------- */

static bool passes_filter(struct worker *r, const urlsift_piece *p)
{
	switch (filter_link(r->filter, r->context, p->link)) {
	case FILTER_DROP:
		return false;
	case FILTER_LIMIT:
		take_notice(r, &(urlsift_notice){ "match", (uint64_t)r->settings->match_limit, p->offset });
		break;
	case FILTER_ERROR:
		worker_fail(r, "a filter could not be applied");
		break;
	case FILTER_PASS:
		break;
	}
	return true;
}

/* Under -u: alone, whether the link is new; else the order will tell, and what is
 * written is marked for it.  Without memory it is shown. */
static bool choose_new(struct worker *r, const urlsift_piece *p, bool *marked)
{
	const urlsift_place *place = r->out->place;
	struct queue_link link = { .in_message = place && place->message, .offset = p->offset };
	if (!unique_hash(r->queue->unique, p->link, &r->form, &link.hash)) {
		r->tally.links++;
		return true;
	}
	if (link.in_message)
		link.message = place->message->offset;
	if (r->slot) {
		put(r, QUEUE_LINK, &link, sizeof link);
		*marked = true;
		return true;
	}
	bool new = output_queue_is_new(r->queue, &link);
	r->tally.links += new;
	return new;
}

/* Whether the link of a first part is wanted. */
static bool choose(struct worker *r, const urlsift_piece *p, bool *marked)
{
	if (r->filter && !passes_filter(r, p))
		return false;
	if (r->queue->unique)
		return choose_new(r, p, marked);
	r->tally.links++;
	return true;
}

static void fail_output(struct worker *r)
{
	worker_fail(r, urlsift_status_text(r->out->status));
	r->out->status = URLSIFT_OK;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct worker *r = user;
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
			put(r, QUEUE_LINK_END, NULL, 0);
		if (r->out->status != URLSIFT_OK)
			fail_output(r);
	} else if (r->output->wants_plain) {
		r->output->piece(r->out, p, false);
	}
	return r->out->w->error;
}

/* ---- Mail -------------------------------------------------------------------------- */

/* By it is told, before anything is written, whether a range began where it should. */
static void note_beginning(struct worker *r)
{
	if (r->slot && urlsift_mail_messages(r->mail) > 0)
		r->slot->began = urlsift_mail_began_at(r->mail);
}

static int take_message(void *user, const urlsift_message *message)
{
	struct worker *r = user;
	r->tally.messages++;
	note_beginning(r);
	if (r->output->message)
		r->output->message(r->out, message);
	return r->out->w->error;
}

static int take_place(void *user, const urlsift_place *place)
{
	struct worker *r = user;
	r->out->place = place;
	if (r->output->place)
		r->output->place(r->out);
	return r->out->w->error;
}

static int take_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *p)
{
	struct worker *r = user;
	r->out->place = place;
	return take_piece(r, p);
}

/* Damage is what mail is full of: it is told in records, and else summed. */
static int take_mail_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *n)
{
	struct worker *r = user;
	r->out->place = place;
	if (n->limit)
		return take_notice(r, &(urlsift_notice){ n->limit, n->value, n->offset });
	r->tally.damage++;
	r->output->error(r->out, n->damage);
	return r->out->w->error;
}

/* ---- Feeding ------------------------------------------------------------------------- */

bool worker_feed(struct worker *r, const void *bytes, size_t n)
{
	progress_add(r->progress, n);
	r->status = r->in_mail ? urlsift_mail_feed(r->mail, bytes, n) : urlsift_feed(r->scanner, bytes, n);
	if (r->in_mail)
		note_beginning(r);
	return r->status == URLSIFT_OK;
}

void worker_finish(struct worker *r)
{
	if (r->status == URLSIFT_OK)
		r->status = r->in_mail ? urlsift_mail_finish(r->mail) : urlsift_finish(r->scanner);
	r->out->place = NULL;
	if (r->status != URLSIFT_OK && r->status != URLSIFT_STOPPED)
		worker_fail(r, urlsift_status_text(r->status));
}

void worker_begin_text(struct worker *r)
{
	const urlsift_sink to = { take_piece, take_notice, r };
	r->in_mail = false;
	if (r->scanner)
		urlsift_reset(r->scanner);
	else
		r->scanner = urlsift_new(r->context, r->settings->scan, &to);
	r->status = r->scanner ? URLSIFT_OK : URLSIFT_NO_MEMORY;
}

urlsift_mail_options worker_mail_options(const struct worker *r, urlsift_mail_kind kind)
{
	const struct settings *o = r->settings;
	return (urlsift_mail_options){
		.kind = kind, .headers = (urlsift_headers)o->headers, .message_ids = o->message_ids,
		.plain = r->output->wants_plain, .display = r->output->wants_plain, .positions = o->positions,
		.metadata = o->output->makes_records || r->output->message, .max_depth = (size_t)o->max_depth,
		.max_parts = (size_t)o->max_parts, .max_header = (size_t)o->max_header,
	};
}

void worker_begin_mail(struct worker *r, const urlsift_mail_options *options)
{
	const urlsift_mail_sink to = { take_message, take_place, take_mail_piece, take_mail_notice, r };
	r->in_mail = true;
	r->status = URLSIFT_OK;
	if (r->mail)
		r->status = urlsift_mail_reset(r->mail, options);
	else if (!(r->mail = urlsift_mail_new(r->context, r->settings->scan, options, &to)))
		r->status = URLSIFT_NO_MEMORY;
}

void worker_begin_source(struct worker *r, const char *name)
{
	r->out->source = name;
	put(r, QUEUE_SOURCE, name, strlen(name) + 1);
	r->out->source = name;
	r->tally.files++;
}

void worker_end_source(struct worker *r)
{
	worker_put_tally(r);
	put(r, QUEUE_SOURCE_END, NULL, 0);
}

/* ---- From the beginning to the end ------------------------------------------------ */

bool worker_init(struct worker *r, const struct settings *settings, urlsift_context *context, struct output_queue *queue,
                 struct progress *progress, bool alone)
{
	memset(r, 0, sizeof *r);
	r->settings = settings;
	r->output = settings->output;
	r->context = context;
	r->queue = queue;
	r->progress = progress;
	r->out = alone ? &queue->out : &r->own;
	r->own = (struct out){ .w = &r->writer, .options = &settings->out, .source = "-", .context = context };
	r->block = malloc(SOURCE_BLOCK + SOURCE_DETECT_ROOM);
	if (!filter_is_open(settings->filter) && !(r->filter = filter_desk_new(settings->filter)))
		return false;
	r->choosy = r->filter || queue->unique;
	r->shown = true;
	if (alone)
		return r->block;
	r->writer = (struct writer){ .fd = -1, .sink = sink, .user = r, .own = isatty(STDOUT_FILENO),
	                             .data = malloc(WRITER_SIZE) };
	return r->block && r->writer.data && r->output->begin(&r->own);
}

void worker_fini(struct worker *r)
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
