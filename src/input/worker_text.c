/* Ranges of a text.
 *
 * The scanner of a range begins some lines before it, so that it knows what precedes its first link, and reads on after
 * it until it has reported the range.  It is right when its state where the range begins is that of the scanner of the
 * range before at its end; otherwise the range, and the rest of the text, is read again from the beginning of the text.
 * A scanner that does not know its state there, as between escape sequences, stops at once, because the one before it
 * goes on.  A scanner in the middle of a link or a block at the end of its range reads the next range as well. */
#include "worker.h"

#include "scan/scanner.h"

#include <errno.h>
#include <sched.h>

/* The range ends where the next one does. */
static void extend(struct worker *w)
{
	const struct settings *o = w->settings;
	uint64_t from;
	if (!source_cut(&w->job->mailbox->source, w->end, o->cut, &from, &w->end))
		w->end = UINT64_MAX;
	scanner_watch(w->scanner, 1, w->end);
}

/* Whether the scanner is past the end of the range, and another one can continue there. */
static bool is_done(struct worker *w, uint64_t at)
{
	uint64_t state;
	while (at >= w->end) {
		if (scanner_watched(w->scanner, 1, &state) && state)
			return true;
		extend(w);
	}
	return false;
}

static void note_beginning(struct worker *w)
{
	struct slot *s = w->slot;
	uint64_t state;
	if (s->began == SLOT_NOWHERE && scanner_watched(w->scanner, 0, &state)) {
		s->began_state = state;
		s->began = w->begin;
	}
}

bool worker_has_notice(struct worker *w, uint64_t offset)
{
	uint64_t state;
	if (w->begin > 0 && (offset < w->begin || !scanner_watched(w->scanner, 0, &state)))
		return false;
	return offset < w->end || !scanner_watched(w->scanner, 1, &state) || !is_done(w, offset);
}

bool worker_cut_piece(struct worker *w, urlsift_piece *p)
{
	uint64_t end = p->offset + p->length;
	size_t parts = 0, more, less;
	if (p->link) {
		const urlsift_range *part = urlsift_link_parts(p->link, &parts);
		if (p->part == 0)
			w->link_in = p->offset >= w->begin && !is_done(w, p->offset);
		while (w->link_in && w->end < part[parts - 1].offset + part[parts - 1].length)
			extend(w);
	}
	note_beginning(w);
	bool linked = p->link || w->linked;
	w->linked = p->link ? p->part + 1 < parts : w->linked;
	if (linked)
		return w->link_in;
	if (end <= w->begin || is_done(w, p->offset))
		return false;
	more = p->offset < w->begin ? (size_t)(w->begin - p->offset) : 0;
	less = is_done(w, end) ? (size_t)(end - w->end) : 0;
	p->text += more;
	p->offset += more;
	p->length -= more + less;
	p->text_length -= more + less;
	return true;
}

/* Feeds the text from `from` on.  False if what was read is not used. */
static bool feed_range(struct worker *w, uint64_t from)
{
	const struct source *s = &w->job->mailbox->source;
	struct slot *slot = w->slot;
	ssize_t n = 1;
	while (w->status == URLSIFT_OK && !w->own_error && !is_done(w, w->scanner->source_out)) {
		uint64_t left = w->end < s->size ? w->end + SOURCE_CUT_BACK - from : SOURCE_BLOCK;
		n = (ssize_t)w->held;
		if (n == 0)
			n = source_read_at(s, from, w->block, left > 0 && left < SOURCE_BLOCK ? (size_t)left : SOURCE_BLOCK);
		w->held = 0;
		if (n <= 0)
			break;
		from += (size_t)n;
		worker_feed(w, w->block, (size_t)n);
		note_beginning(w);
		if (slot->began != SLOT_NOWHERE && (!slot->began_state || pool_turn(slot) == TURN_REDO))
			return false;
	}
	int error = n < 0 ? errno : 0;
	if (n <= 0 || w->status != URLSIFT_OK)
		worker_finish(w);
	if (error)
		worker_fail_errno(w, error);
	bool failed = error || w->status != URLSIFT_OK, over = failed || !is_done(w, s->size);
	slot->ended = failed ? SLOT_FAILED : over ? s->size : w->end;
	scanner_watched(w->scanner, 1, &slot->ended_state);
	w->tally.bytes = (slot->ended < s->size ? slot->ended : s->size) - w->begin;
	if (over && !w->job->last)
		worker_emit_close(w, !error);
	return true;
}

/* Reads [begin, end) with a scanner that begins at `from`. */
static void read_range(struct worker *w, uint64_t from, uint64_t begin, uint64_t end)
{
	const struct job *job = w->job;
	w->begin = begin;
	w->end = end;
	w->linked = w->link_in = false;
	if (begin > 0)
		worker_emit_continue(w);
	worker_begin_text(w);
	w->slot->ended = SLOT_FAILED;
	if (!w->scanner || *job->why) {
		worker_fail(w, *job->why ? job->why : urlsift_status_text(URLSIFT_NO_MEMORY));
		return;
	}
	if (from > 0)
		scanner_seek(w->scanner, from, w->lines.line);
	if (begin > 0)
		scanner_watch(w->scanner, 0, begin);
	scanner_watch(w->scanner, 1, w->end);
	w->in_range = true;
	feed_range(w, from);
	w->in_range = false;
}

/* Counts the lines of the range for the thread that reads the next one, so that what is read for that, if the block
 * holds it, is searched then.  The line where the range begins comes from the thread of the range before. */
static void count_lines(struct worker *w)
{
	const struct job *job = w->job;
	struct shared_mailbox *m = job->mailbox;
	struct line_count l = {job->from, 0, 0};
	for (ssize_t n = 1; n > 0 && l.at < job->next;) {
		uint64_t left = job->stop + SOURCE_CUT_BACK - l.at, next = job->next - l.at;
		n = source_read_at(&m->source, l.at, w->block, left < INPUTS_HELD ? (size_t)left : INPUTS_HELD);
		w->held = n > 0 && l.at == job->from ? (size_t)n : 0;
		if (n > 0)
			source_count_lines(&l, w->block, next < (size_t)n ? (size_t)next : (size_t)n);
	}
	while (m->counted < job->from)
		sched_yield();
	w->lines.line = m->line;
	m->line += l.line;
	m->counted = job->next;
}

void worker_do_text(struct worker *w)
{
	struct slot *slot = w->slot;
	const struct job *job = w->job;
	uint64_t end = job->last ? job->mailbox->source.size : job->stop;
	bool head = !job->first && pool_turn(slot) == TURN_REDO, known = head && slot->pool->expected >= end;
	w->held = 0;
	if (slot->ended == SLOT_NOWHERE && w->settings->needs & URLSIFT_NEEDS_POSITIONS)
		count_lines(w);
	if (slot->ended == SLOT_NOWHERE && !known) {
		if (job->first)
			worker_begin_source(w, w->source);
		read_range(w, job->from, job->offset, job->last ? UINT64_MAX : job->stop);
		if (job->last)
			worker_end_source(w);
		worker_put_tally(w);
	}
	if (job->first || pool_turn(slot) != TURN_REDO)
		return;
	w->tally = (struct tally){ .files = 0 };
	uint64_t begin = pool_redo(slot);
	w->held = 0;
	worker_restart(w);
	if (begin < end) {
		read_range(w, 0, begin, UINT64_MAX);
	} else {
		slot->ended = begin;
		slot->ended_state = slot->began_state;
	}
	if (job->last)
		worker_end_source(w);
}
