#include "worker.h"

#include "memory.h"

#include "mail/mailbox.h"
#include "render/part.h"
#include "scan/scanner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names and totals -------------------------------------------------------------- */

void worker_name(struct worker *w, struct source_name name)
{
	w->source = name;
	w->place = &render_no_place;
	worker_emit_name(w);
}

void worker_put_tally(struct worker *w)
{
	w->tally.missed = filter_missed(w->filter);
	worker_put(w, QUEUE_TALLY, &w->tally, sizeof w->tally);
	w->tally = (struct tally){ .files = 0 };
}

/* ---- What goes wrong -------------------------------------------------------------- */

void worker_fail(struct worker *w, const char *what)
{
	char line[REPORT_LINE];
	worker_put(w, QUEUE_ERROR_LINE, line, report_line(line, SOURCE_NAME ": %s", SOURCE_NAME_OF(w->source), what));
	worker_emit_error(w, what);
	w->tally.errors++;
}

void worker_fail_errno(struct worker *w, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	worker_fail(w, why);
}

void worker_limit(struct worker *w, const urlsift_notice *n, bool unread)
{
	char line[REPORT_LINE];
	bool records = w->settings->needs & URLSIFT_MAKES_RECORDS;
	w->tally.limits++;
	w->tally.unread += unread;
	if (records)
		worker_emit_notice(w, n);
	if (unread || !records)
		worker_put(w, QUEUE_ERROR_LINE, line, output_queue_notice(line, w->source, w->place, n));
}

static int take_notice(void *user, const urlsift_notice *n)
{
	struct worker *w = user;
	if (worker_has_notice(w, n->offset))
		worker_limit(w, n, false);
	return *w->out.error;
}

/* ---- Pieces ---------------------------------------------------------------------- */

/* In a pool only the queue knows whether a link is new, and what is written of it is marked for it. */
static bool marks_links(const struct worker *w) { return w->settings->unique && w->slot; }

/* Whether the link, of which p is the first part, is shown. */
static bool choose(struct worker *w, const urlsift_piece *p)
{
	enum filter_answer answer = filter_link(w->filter, w->queue->context, w->place, p->link);
	if (answer == FILTER_DROP)
		return false;
	if (answer == FILTER_LIMIT)
		worker_limit(w, &(urlsift_notice){ "match", (uint64_t)w->settings->match_limit, p->offset }, false);
	if (answer == FILTER_ERROR)
		worker_fail(w, "a filter could not be applied");
	if (!w->settings->unique) {
		w->tally.links++;
		return true;
	}
	const urlsift_message *message = w->place->message;
	struct queue_link link = { .in_message = message, .message = message ? message->offset : 0, .offset = p->offset };
	link.hash = output_queue_hash(w->queue, p->link, &w->form);
	if (marks_links(w)) {
		worker_put(w, QUEUE_LINK, &link, sizeof link);
		return true;
	}
	bool new = output_queue_is_new(w->queue, &link);
	w->tally.links += new;
	return new;
}

/* A piece that is not cut. */
static inline int take_whole(struct worker *w, const urlsift_piece *p)
{
	const bool first = piece_begins_link(p), chosen = first && w->choosy;
	if (w->settings->quiet) {
		/* The first link is enough, as for a reader that closes its pipe. */
		if (first && choose(w, p)) {
			worker_put_tally(w);
			w->queue->error = EPIPE;
		}
		return *w->out.error;
	}
	if (chosen)
		w->shown = choose(w, p);
	else
		w->tally.links += first;
	worker_emit_piece(w, p);
	if (chosen && w->shown && marks_links(w))
		worker_put(w, QUEUE_LINK_END, NULL, 0);
	return *w->out.error;
}

/* Not inlined: a copy of the piece on the stack is guarded. */
__attribute__((noinline)) static int take_cut(struct worker *w, const urlsift_piece *p)
{
	urlsift_piece room;
	p = worker_cut_piece(w, p, &room);
	return p ? take_whole(w, p) : *w->out.error;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct worker *w = user;
	/* most are in the range: `list` of a list of URLs takes 9% fewer instructions */
	const bool within = p->offset >= w->range.begin && w->range.end == UINT64_MAX && !w->out.own_error;
	return within ? take_whole(w, p) : take_cut(w, p);
}

/* ---- Mail -------------------------------------------------------------------------- */

static int take_message(void *user, const urlsift_message *message)
{
	struct worker *w = user;
	if (message->offset < w->shown_from)
		return *w->out.error;
	if (w->shown_from && !w->tally.messages)
		w->shown_from = message->offset;
	w->tally.messages++;
	w->message = message->offset;
	worker_emit_message(w, message);
	return *w->out.error;
}

/* Enters a place, unless it is before what is shown. */
static bool enter(struct worker *w, const urlsift_place *place)
{
	const bool shown = !w->shown_from || (place->message && place->message->offset >= w->shown_from);
	if (shown)
		w->place = place;
	return shown;
}

static int take_place(void *user, const urlsift_place *place)
{
	struct worker *w = user;
	if (enter(w, place))
		worker_emit_place(w);
	return *w->out.error;
}

static int take_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *p)
{
	struct worker *w = user;
	return enter(w, place) ? take_piece(w, p) : *w->out.error;
}

/* Damage is frequent in mail: without records it is only counted. */
static int take_mail_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *n)
{
	struct worker *w = user;
	if (!enter(w, place))
		return *w->out.error;
	if (n->limit)
		return take_notice(w, &(urlsift_notice){ n->limit, n->value, n->offset });
	if (n->damage) {
		w->tally.damage++;
		worker_emit_error(w, n->damage);
	} else if (n->omission == URLSIFT_OMITTED_RELATIVE) {
		w->tally.relative++;
		w->tally.baseless += !place->message;
		worker_emit_relative(w, n->text);
	} else {
		w->tally.unsearched++;
		w->tally.pages += n->omission == URLSIFT_OMITTED_UNSEARCHED && *place->type;
		w->tally.packed += n->omission == URLSIFT_OMITTED_PACKED;
		w->tally.encrypted += n->omission == URLSIFT_OMITTED_ENCRYPTED;
		w->tally.attached += n->omission == URLSIFT_OMITTED_DOCUMENT;
	}
	return *w->out.error;
}

/* ---- Feeding ------------------------------------------------------------------------- */

bool worker_feed(struct worker *w, const void *bytes, size_t n)
{
	size_t read = n;
	if (w->file.packed) {
		read = (size_t)(w->file.packed->at - w->file.packed_at);
		w->file.packed_at = w->file.packed->at;
	}
	progress_add(w->queue->progress, read);
	urlsift_status status = w->in_mail ? urlsift_mail_feed(w->mail, bytes, n)
	                        : w->file.csv ? scanner_feed_texts(w->scanner, bytes, n, csv_next, &w->file.fields)
	                        : urlsift_feed(w->scanner, bytes, n);
	w->status = memory_status(status);
	return w->status == URLSIFT_OK;
}

void worker_write(struct worker *w)
{
	if (w->feeding && w->status == URLSIFT_OK)
		w->status = memory_status(w->in_mail ? urlsift_mail_flush(w->mail) : urlsift_flush(w->scanner));
	worker_flush_output(w);
}

void worker_finish(struct worker *w)
{
	w->feeding = false;
	if (w->status == URLSIFT_OK)
		w->status = memory_status(w->in_mail ? urlsift_mail_finish(w->mail) : urlsift_finish(w->scanner));
	w->place = &render_no_place;
	if (status_is_fault(w->status))
		worker_fail(w, urlsift_status_text(w->status));
}

void worker_begin_text(struct worker *w)
{
	const urlsift_sink to = { take_piece, take_notice, w };
	w->in_mail = w->file.csv = false;
	w->feeding = true;
	w->status = URLSIFT_OK;
	if (w->scanner)
		urlsift_reset(w->scanner);
	else
		w->scanner = memory_checked(urlsift_new(w->queue->context, w->settings->scan, &to, NULL));
}

urlsift_mail_options worker_mail_options(const struct worker *w, urlsift_mail_kind kind)
{
	const struct settings *o = w->settings;
	urlsift_mail_options options = {
		.kind = kind, .headers = (urlsift_headers)o->headers, .message_ids = o->message_ids, .resources = o->resources,
		.repeated = o->repeated || filter_is_of_places(o->filter),
		.max_depth = (size_t)o->max_depth, .max_parts = (size_t)o->max_parts, .max_header = (size_t)o->max_header,
	};
	urlsift_render_prepare(&o->out, NULL, &options);
	options.plain |= (int)urlsift_options_get(o->scan, URLSIFT_OPT_PLAIN); /* a consumer may want it */
	if (w->out.consumer->outline) {
		options.outline = 1;
		options.metadata = options.display = 0;
	}
	return options;
}

/* The messages of a range usually end where the next one begins.  Where a Content-Length says that a message goes on
 * there, this thread reads that range as well. */
static uint64_t reached(void *user, uint64_t offset)
{
	struct worker *w = user;
	while (offset >= w->job->stop && worker_next(w, offset == w->job->stop ? POOL_CLEAN : 0))
		;
	return w->job->stop;
}

void worker_begin_mail(struct worker *w, const urlsift_mail_options *options)
{
	const urlsift_mail_sink to = { take_message, take_place, take_mail_piece, take_mail_notice, w, NULL };
	w->in_mail = w->feeding = true;
	w->status = URLSIFT_OK;
	if (w->mail)
		w->status = memory_status(urlsift_mail_reset(w->mail, options));
	else
		w->mail = memory_checked(urlsift_mail_new(w->queue->context, w->settings->scan, options, &to, NULL));
	if (w->slot)
		mail_watch(w->mail, reached, w);
}

void worker_begin_document(struct worker *w, const struct document *document, uint64_t at, uint64_t line)
{
	urlsift_mail_options options = worker_mail_options(w, URLSIFT_KIND_HTML);
	take_message(w, document->message);
	options.offset = at;
	options.line = line;
	worker_begin_mail(w, &options);
	mail_document(w->mail, document);
}

void worker_begin_source(struct worker *w, struct source_name name)
{
	size_t file = strlen(name.file) + 1, member = name.member ? strlen(name.member) + 1 : 0;
	char *both = memcpy(room_get(&w->form, file + member), name.file, file);
	bytes_put(both + file, name.member, member);
	worker_put(w, QUEUE_SOURCE, both, file + member);
	worker_name(w, name);
	worker_emit_source(w);
	w->tally.files++;
}

void worker_end_source(struct worker *w)
{
	worker_emit_source_end(w);
	worker_put_tally(w);
	worker_put(w, QUEUE_SOURCE_END, NULL, 0);
}

/* ---- Beginning and end ------------------------------------------------------------ */

void worker_init(struct worker *w, struct output_queue *queue, struct team *team, bool pooled)
{
	const struct settings *s = queue->settings;
	*w = (struct worker){ .settings = s, .queue = queue, .source.file = "-", .shown = true, .range = WORKER_ALL };
	w->team = s->jobs > 1 ? team : NULL;
	bool holds = pooled && s->needs & URLSIFT_NEEDS_POSITIONS;
	worker_emit_init(w, pooled);
	w->file.block = memory_block((holds ? INPUTS_HELD : SOURCE_BLOCK) + SOURCE_DETECT_ROOM);
	w->file.unpacker = unpacker_new((uint64_t)s->in.max_expand, (unsigned)s->in.nest, s->box.confine, w->team);
	w->filter = filter_desk_new(s->filter);
	w->choosy = !filter_is_open(s->filter) || s->unique || s->quiet;
}

void worker_fini(struct worker *w)
{
	worker_emit_fini(w);
	unpacker_free(w->file.unpacker);
	warc_free(w->file.warc);
	urlsift_mail_free(w->mail);
	urlsift_free(w->scanner);
	filter_desk_free(w->filter);
	free(w->form.data);
	free(w->file.block);
}
