#include "worker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- To the order -------------------------------------------------------------- */

static int write_slot(void *user, const void *bytes, size_t n)
{
	struct worker *r = user;
	if (!r->own_error)
		r->own_error = pool_put(r->slot, QUEUE_BYTES, bytes, n);
	return r->own_error;
}

static void put(struct worker *r, enum queue_op kind, const void *bytes, size_t n)
{
	if (!r->slot) {
		output_queue_put(r->queue, kind, bytes, n);
		return;
	}
	urlsift_render_flush(r->renderer);
	if (!r->own_error)
		r->own_error = pool_put(r->slot, kind, bytes, n);
}

void worker_restart(struct worker *r)
{
	urlsift_render_discard(r->renderer);
	r->own_error = 0;
}

void worker_name(struct worker *r, const char *name)
{
	r->source = name;
	r->place = NULL;
	urlsift_render_name(r->renderer, name);
}

void worker_put_tally(struct worker *r)
{
	put(r, QUEUE_TALLY, &r->tally, sizeof r->tally);
	r->tally = (struct tally){ .files = 0 };
}

/* ---- What goes wrong ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct worker *r, const char *format, ...)
{
	char line[REPORT_LINE];
	va_list arguments;
	va_start(arguments, format);
	size_t n = report_format(line, format, arguments, "");
	va_end(arguments);
	put(r, QUEUE_ERROR_LINE, line, n);
}

void worker_fail(struct worker *r, const char *what)
{
	say(r, "%s: %s", r->source, what);
	urlsift_render_error(r->renderer, r->place, what);
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
	const urlsift_place *place = r->place;
	r->tally.limits++;
	if (r->settings->needs & URLSIFT_MAKES_RECORDS)
		urlsift_render_notice(r->renderer, place, n);
	else if (place && place->message)
		say(r, "%s: message at byte %" PRIu64 "%s%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->source,
		    place->message->offset, *place->part ? ", part " : "", place->part, n->offset, n->limit, n->value);
	else
		say(r, "%s: at byte %" PRIu64 ": limit %s (%" PRIu64 ") reached", r->source, n->offset, n->limit, n->value);
	return *r->error;
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
	const urlsift_place *place = r->place;
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

static int take_piece(void *user, const urlsift_piece *p)
{
	struct worker *r = user;
	bool marked = false;
	if (p->link && p->part == 0) {
		if (r->choosy)
			r->shown = choose(r, p, &marked);
		else
			r->tally.links++;
	}
	urlsift_status status = urlsift_render_piece(r->renderer, r->place, p, r->shown);
	if (marked)
		put(r, QUEUE_LINK_END, NULL, 0);
	if (status != URLSIFT_OK && status != URLSIFT_STOPPED)
		worker_fail(r, urlsift_status_text(status));
	return *r->error;
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
	urlsift_render_message(r->renderer, message);
	return *r->error;
}

static int take_place(void *user, const urlsift_place *place)
{
	struct worker *r = user;
	r->place = place;
	urlsift_render_place(r->renderer, place);
	return *r->error;
}

static int take_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *p)
{
	struct worker *r = user;
	r->place = place;
	return take_piece(r, p);
}

/* Damage is what mail is full of: it is told in records, and else summed. */
static int take_mail_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *n)
{
	struct worker *r = user;
	r->place = place;
	if (n->limit)
		return take_notice(r, &(urlsift_notice){ n->limit, n->value, n->offset });
	r->tally.damage++;
	urlsift_render_error(r->renderer, place, n->damage);
	return *r->error;
}

/* ---- Feeding ------------------------------------------------------------------------- */

bool worker_feed(struct worker *r, const void *bytes, size_t n)
{
	if (r->status != URLSIFT_OK)
		return false;
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
	r->place = NULL;
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
	urlsift_mail_options options = {
		.kind = kind, .headers = (urlsift_headers)o->headers, .message_ids = o->message_ids,
		.max_depth = (size_t)o->max_depth, .max_parts = (size_t)o->max_parts, .max_header = (size_t)o->max_header,
	};
	urlsift_render_prepare(&o->out, NULL, &options);
	return options;
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
	put(r, QUEUE_SOURCE, name, strlen(name) + 1);
	worker_name(r, name);
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
	r->context = context;
	r->queue = queue;
	r->progress = progress;
	r->renderer = alone ? queue->renderer : urlsift_render_new(context, &settings->out, write_slot, r);
	r->error = alone ? &queue->error : &r->own_error;
	r->source = "-";
	r->block = malloc(SOURCE_BLOCK + SOURCE_DETECT_ROOM);
	if (!filter_is_open(settings->filter) && !(r->filter = filter_desk_new(settings->filter)))
		return false;
	r->choosy = r->filter || queue->unique;
	r->shown = true;
	return r->block && r->renderer;
}

void worker_fini(struct worker *r)
{
	if (r->renderer != r->queue->renderer)
		urlsift_render_free(r->renderer);
	urlsift_mail_free(r->mail);
	urlsift_free(r->scanner);
	filter_desk_free(r->filter);
	free(r->form.data);
	free(r->block);
}
