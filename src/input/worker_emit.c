#include "worker.h"

#include "memory.h"

#include "render/part.h"
#include "text/ascii.h"

enum { ENOUGH_RECORDS = 64 * 1024 }; /* bytes that an encoder collects before they are passed on */

_Static_assert((int)POOL_BLOCK == RENDER_BLOCK, "blocks of the pool and of renderers are exchanged");

/* ---- To the queue ----------------------------------------------------------------- */

static int put_bytes(void *user, const void *bytes, size_t n)
{
	struct worker *w = user;
	if (!w->slot)
		return output_queue_put(w->queue, QUEUE_BYTES, bytes, n);
	if (w->out.own_error)
		return w->out.own_error;
	char *block = w->out.renderer && within(n, POOL_BLOCK / 2 + 1, POOL_BLOCK) ? pool_block(w->slot) : NULL;
	w->out.own_error = block ? pool_hold(w->slot, render_exchange(w->out.renderer, block), n)
	                     : pool_put(w->slot, QUEUE_BYTES, bytes, n);
	return w->out.own_error;
}

/* Passes on what is buffered. */
static void flush(struct worker *w)
{
	size_t n = w->out.records.length;
	w->out.records.length = 0;
	if (n > 0)
		put_bytes(w, w->out.records.data, n);
	if (w->slot)
		urlsift_render_flush(w->out.renderer); /* which may be NULL */
}

void worker_flush_output(struct worker *w)
{
	flush(w);
	urlsift_render_flush(w->queue->renderer);
}

void worker_put(struct worker *w, enum queue_op op, const void *bytes, size_t n)
{
	flush(w);
	if (!w->slot)
		output_queue_put(w->queue, op, bytes, n);
	else if (!w->out.own_error)
		w->out.own_error = pool_put(w->slot, op, bytes, n);
}

void worker_restart(struct worker *w)
{
	w->out.records.length = 0;
	w->out.own_error = 0;
	if (w->out.renderer)
		render_discard(w->out.renderer);
}

/* ---- Events ----------------------------------------------------------------------- */

/* Every event is one of the renderer or, if there is a consumer that handles it, one of its encoder. */
#define EMIT(w, event, render, ...) \
	do { \
		const struct worker_output *to = &(w)->out; \
		if (to->renderer) { \
			render; \
		} else if (to->consumer->on.event) { \
			to->consumer->on.event(__VA_ARGS__); \
			if (to->records.length >= ENOUGH_RECORDS) \
				flush(w); \
		} \
	} while (0)

/* These three are for consumers only. */
void worker_emit_open(struct worker *w, const struct opened *opened)
{
	w->unsure = UINT64_MAX;
	EMIT(w, input.open, , w->out.encoder, opened);
}

void worker_emit_kind(struct worker *w, urlsift_mail_kind kind, const struct source *file)
{
	EMIT(w, input.kind, , w->out.encoder, kind, file);
}

void worker_emit_bytes(struct worker *w, uint64_t at, const void *bytes, size_t n)
{
	EMIT(w, input.bytes, , w->out.encoder, at, bytes, n);
}

/* Nothing is open where the output of another worker follows. */
static void close_rendered(struct worker *w)
{
	if (w->slot)
		render_close(w->out.renderer);
}

void worker_emit_close(struct worker *w, bool complete)
{
	EMIT(w, input.close, close_rendered(w), w->out.encoder, complete, w->job->last);
}

void worker_emit_continue(struct worker *w)
{
	if (w->out.renderer)
		render_continue(w->out.renderer);
}

void worker_emit_name(struct worker *w)
{
	EMIT(w, name, render_name(to->renderer, w->source.file, w->source.member), w->out.encoder, w->source);
}

/* The renderer of the queue has the event: it knows all sources. */
void worker_emit_source(struct worker *w)
{
	EMIT(w, source, , w->out.encoder, w->source);
}

void worker_emit_message(struct worker *w, const urlsift_message *m)
{
	EMIT(w, message, urlsift_render_message(to->renderer, m), w->out.encoder, m);
	/* In a pool, the heading of a message comes from the renderer of the queue. */
	if (!w->slot || !w->out.renderer || !(w->settings->needs & RENDER_NEEDS_MESSAGES))
		return;
	const urlsift_text texts[QUEUE_TEXTS] = { m->subject, m->from, m->date };
	struct queue_message head = { .offset = m->offset };
	size_t n = sizeof head;
	for (size_t i = 0; i < QUEUE_TEXTS; i++)
		n += head.length[i] = texts[i].length;
	char *bytes = room_get(&w->form, n), *to = (char *)memcpy(bytes, &head, sizeof head) + sizeof head;
	for (size_t i = 0; i < QUEUE_TEXTS; i++)
		to = (char *)memcpy(to, texts[i].bytes, texts[i].length) + texts[i].length;
	worker_put(w, QUEUE_MESSAGE, bytes, n);
}

void worker_emit_place(struct worker *w)
{
	EMIT(w, place, urlsift_render_place(to->renderer, w->place), w->out.encoder, w->place);
}

void worker_encode_piece(struct worker *w, const urlsift_piece *piece)
{
	EMIT(w, piece, , w->out.encoder, w->place, piece, w->shown);
}

void worker_emit_error(struct worker *w, const char *what)
{
	EMIT(w, error, urlsift_render_error(to->renderer, w->place, what), w->out.encoder, w->place, what);
}

void worker_emit_notice(struct worker *w, const urlsift_notice *n)
{
	EMIT(w, notice, urlsift_render_notice(to->renderer, w->place, n), w->out.encoder, w->place, n);
}

void worker_emit_relative(struct worker *w, urlsift_text text)
{
	urlsift_render_relative(w->out.renderer, w->place, text);
}

void worker_emit_source_end(struct worker *w)
{
	EMIT(w, source_end, close_rendered(w), w->out.encoder);
}

const struct consumer consumer_none = { .none = true };

/* ---- Beginning and end ------------------------------------------------------------ */

void worker_emit_init(struct worker *w, bool pooled)
{
	struct output_queue *q = w->queue;
	const struct consumer *c = w->out.consumer = w->settings->consumer;
	w->out.error = pooled ? &w->out.own_error : &q->error;
	buf_init(&w->out.records, &memory_allocator, SIZE_MAX);
	w->out.renderer = q->renderer; /* NULL if there is a consumer */
	w->out.encoder = c->encoder_new ? c->encoder_new(c->user, q->context, &w->out.records) : c->user;
	if (c->none && pooled) {
		w->out.renderer = memory_checked(urlsift_render_new(q->context, &w->settings->out, put_bytes, w, NULL));
		render_be_part(w->out.renderer);
	}
}

void worker_emit_fini(struct worker *w)
{
	if (w->out.consumer->encoder_free)
		w->out.consumer->encoder_free(w->out.encoder);
	else if (w->out.renderer != w->queue->renderer)
		urlsift_render_free(w->out.renderer);
	buf_fini(&w->out.records);
}
