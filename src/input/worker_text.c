/* Ranges of a text.
 *
 * The scanner of a range begins some lines before it, so that it knows what precedes its first link, and reads on after
 * it until it has reported the range.  Where it reaches the next range it compares its state with that of the scanner
 * that began there.  If they are the same, so is all that follows.  If they differ, as in the middle of a link or a
 * block, it reads the next range as well, and what the other scanner found is dropped. */
#include "worker.h"

#include "descriptor.h"
#include "scan/scanner.h"

#include <errno.h>

/* Where the next range begins. */
static uint64_t next_begin(const struct worker *w) { return w->job->last ? UINT64_MAX : w->job->stop; }

/* The scanner, which is in this state, has reached the next range.  Returns where it is asked again. */
static uint64_t end_here(struct worker *w, uint64_t state)
{
	if (worker_next(w, state)) {
		w->range.end = UINT64_MAX;
		return next_begin(w);
	}
	w->range.end = w->job->stop;
	return UINT64_MAX;
}

/* The scanner has reached the range, or the next one. */
static uint64_t reached(void *user, uint64_t state)
{
	struct worker *w = user;
	if (w->range.begun)
		return end_here(w, state);
	w->range.begun = true;
	pool_note(w->slot, state);
	w->out.own_error = state ? w->out.own_error : ECANCELED; /* the thread before reads this range as well */
	return next_begin(w);
}

bool worker_has_notice(struct worker *w, uint64_t offset)
{
	return w->range.begun && offset >= w->range.begin && offset < w->range.end;
}

const urlsift_piece *worker_cut_piece(struct worker *w, const urlsift_piece *p, urlsift_piece *room)
{
	const uint64_t end = p->offset + p->length, link_end = piece_begins_link(p) ? link_source_end(p->link) : 0;
	if (p->offset < w->range.begin && link_end > w->range.begin)
		w->out.own_error = ECANCELED; /* as above */
	else if (p->offset < w->range.end && link_end > w->range.end)
		scanner_watch(w->scanner, end_here(w, 0), reached, w); /* it was found after the end was reached */
	if (w->out.own_error || end <= w->range.begin || p->offset >= w->range.end)
		return NULL;
	const size_t more = (size_t)beyond(w->range.begin, p->offset), less = (size_t)beyond(end, w->range.end);
	if (more + less == 0)
		return p;
	*room = *p;
	room->text += more;
	room->offset += more;
	room->length -= more + less;
	room->text_length -= more + less;
	return room;
}

void worker_do_text(struct worker *w)
{
	ssize_t n = 1;
	int error = 0;
	const struct source *file = &w->job->shared->source;
	const struct opened opened = worker_opened(w, w->job->name, file);
	worker_emit_open(w, &opened);
	worker_begin_text(w);
	/* Bytes from the beginning of the range on that are in the block. */
	size_t held = worker_count_lines(w, w->file.block, INPUTS_HELD);
	w->range.begin = w->job->begin;
	w->range.end = UINT64_MAX;
	w->range.begun = w->job->first;
	if (w->job->first) {
		worker_begin_source(w, w->source);
		worker_emit_kind(w, URLSIFT_KIND_TEXT, file);
		scanner_watch(w->scanner, next_begin(w), reached, w);
	} else {
		worker_emit_kind(w, URLSIFT_KIND_TEXT, file);
		worker_emit_continue(w);
		scanner_seek(w->scanner, w->job->from, w->line);
		scanner_watch(w->scanner, w->range.begin, reached, w);
	}
	for (uint64_t from = w->job->from; worker_goes_on(w) && w->scanner->out.source < w->range.end; from += (size_t)n) {
		const struct job *job = w->job;
		const char *text = w->file.block;
		if (held == 0 && worker_has_lines(job)) /* this thread went on with a range that no other had */
			held = worker_count_lines(w, w->file.block, INPUTS_HELD);
		const uint64_t skip = from - job->from;
		if (skip < held) {
			text += skip;
			n = (ssize_t)(held - skip);
		} else {
			enum { READ = SOURCE_BLOCK / 2 }; /* threads may share a cache */
			bool near = !job->last && job->stop > from && job->stop - from < READ - SOURCE_CUT_BACK;
			size_t size = near ? (size_t)(job->stop - from) + SOURCE_CUT_BACK : READ;
			n = source_read_at(&job->shared->source, from, w->file.block, size);
		}
		held = 0;
		if (n <= 0)
			break;
		worker_feed(w, text, (size_t)n);
	}
	if (w->range.end == UINT64_MAX) {
		error = errno_if(n < 0);
		if (n <= 0 || w->status != URLSIFT_OK)
			worker_finish(w);
		if (error)
			worker_fail_errno(w, error);
		while (worker_next(w, 0)) /* nothing more is read of the file */
			;
	}
	w->tally.bytes = earlier(w->range.end, w->scanner->out.source) - w->range.begin;
	w->range = WORKER_ALL;
	if (w->job->last)
		worker_end_source(w);
	if (!w->out.renderer) /* the text goes on in the next range */
		worker_emit_close(w, !error && w->status == URLSIFT_OK);
}
