/* For sched_getaffinity. */
#define _GNU_SOURCE 1
#include "pool.h"

#include "memory.h"

#include "render/part.h"
#include "text/ascii.h"

#ifdef __linux__
#include <sched.h>
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A thread costs more than it saves for less. */
enum { WORTH_BYTES = 256 * 1024, WORTH_JOBS = 16 };

void pool_init(struct pool *p, const struct job *first, struct inputs *inputs, struct output_queue *queue,
               struct team *team)
{
	memset(p, 0, sizeof *p);
	const struct consumer *consumer = queue->settings->consumer;
	p->queue = queue;
	p->team = team;
	p->most_waiting = (size_t)number_or(consumer->waiting, POOL_WAITING);
	p->inputs = inputs;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	for (size_t i = 0; i < POOL_SLOTS; i++)
		p->slots[i].pool = p;
	p->slots[0].job = *first;
}

/* Ends what was done with the lock, for which other threads may wait. */
static void tell(struct pool *p)
{
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

/* ---- Claiming ------------------------------------------------------------------ */

/* With the lock. */
static bool is_lost(const struct slot *s) { return s->dropped || s->pool->stopped; }
static bool is_waiting(const struct slot *s) { return s->pool->head != s->number && !is_lost(s); }

/* Whether the next job is wanted: any, or that after `s`. */
static bool is_wanted(const struct pool *p, const struct slot *s)
{
	return s ? !is_lost(s) && p->next == s->number + 1 : !p->stopped;
}

/* The next job: any, or that after `s`.  NULL when there is none, when another thread has that one, and when the output
 * of `s` is not wanted any more. */
static struct slot *claim(struct pool *p, const struct slot *s)
{
	pthread_mutex_lock(&p->lock);
	while (is_wanted(p, s) && (p->claiming || p->next - p->head >= POOL_SLOTS))
		pthread_cond_wait(&p->changed, &p->lock);
	bool may = is_wanted(p, s);
	p->claiming |= may;
	pthread_mutex_unlock(&p->lock);
	if (!may)
		return NULL;
	struct slot *next = &p->slots[p->next % POOL_SLOTS];
	if (p->next && !inputs_next(p->inputs, &next->job)) { /* the first one is there */
		next = NULL;
	} else {
		/* one more thread, when there is work for it */
		p->claimed_bytes += next->job.large ? WORTH_BYTES : next->job.size;
		if (inputs_more(p->inputs) && (p->claimed_bytes >= WORTH_BYTES || p->next >= WORTH_JOBS))
			team_start(p->team);
	}
	pthread_mutex_lock(&p->lock);
	p->claiming = false;
	if (next) {
		next->number = p->next++;
		next->state = SLOT_TAKEN;
		next->direct = next->dropped = false;
		next->noted = next->job.kind != JOB_TEXT;
		next->began = POOL_CLEAN;
	}
	tell(p);
	return next;
}

struct slot *pool_claim(struct pool *p) { return claim(p, NULL); }

/* On Linux sysconf reads a file for it, which is a tenth of the time of a short run. */
long pool_processors(void)
{
	long n = 0;
#ifdef __linux__
	cpu_set_t set;
	n = sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
#endif
#ifdef _SC_NPROCESSORS_ONLN
	n = n ? n : sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return n < 1 ? 1 : (long)smaller((size_t)n, POOL_JOBS);
}

bool pool_may_run(const struct settings *s)
{
	return s->jobs > 1 && !s->quiet && !s->line_buffered && (!s->consumer->none || !(s->needs & RENDER_NEEDS_ORDER));
}

/* ---- Waiting and writing ---------------------------------------------------------- */

/* A block of at least n bytes is no longer held. */
static void put_back(struct pool *p, char *block, size_t n)
{
	pthread_mutex_lock(&p->lock);
	p->waiting -= larger(n, POOL_BLOCK);
	if (n <= POOL_BLOCK) {
		memcpy(block, &p->spare, sizeof p->spare);
		p->spare = block;
		block = NULL;
	}
	pthread_mutex_unlock(&p->lock);
	free(block);
}

/* Empties the slot; its operations are performed if `perform`, which only the head may do. */
static void release(struct slot *s, bool perform)
{
	struct pool *p = s->pool;
	for (struct held *h; (h = s->held); put_back(p, (char *)h, POOL_BLOCK)) {
		/* The bytes of an operation may have a block of their own, which is freed. */
		const char *at = (const char *)(h + 1), *end = (const char *)h + h->used;
		while (at < end) {
			struct operation r;
			memcpy(&r, at, sizeof r);
			at += sizeof r;
			if (perform)
				output_queue_put(p->queue, r.op, r.block ? r.block : at, r.length);
			if (r.block)
				put_back(p, r.block, r.length);
			else
				at += r.length;
		}
		s->held = h->next;
	}
	s->last = NULL;
	pthread_mutex_lock(&p->lock);
	tell(p);
}

bool pool_wait(struct slot *s)
{
	if (s->direct)
		return true;
	pthread_mutex_lock(&s->pool->lock);
	while (is_waiting(s))
		pthread_cond_wait(&s->pool->changed, &s->pool->lock);
	bool good = !is_lost(s);
	pthread_mutex_unlock(&s->pool->lock);
	if (good) {
		/* The job is the head. */
		release(s, true);
		pthread_mutex_lock(&s->pool->lock);
		s->direct = true;
		pthread_mutex_unlock(&s->pool->lock);
	}
	return good;
}

/* A block for n bytes, when the slots may hold so many more.  NULL when the slot is the head or its output is not
 * wanted. */
static char *take_block(struct slot *s, size_t n)
{
	struct pool *p = s->pool;
	size_t room = larger(n, POOL_BLOCK);
	char *block = NULL;
	pthread_mutex_lock(&p->lock);
	while (p->waiting + room > p->most_waiting && is_waiting(s))
		pthread_cond_wait(&p->changed, &p->lock);
	bool may = is_waiting(s);
	p->waiting += may * room;
	if (may && room == POOL_BLOCK && (block = p->spare))
		memcpy(&p->spare, block, sizeof p->spare);
	pthread_mutex_unlock(&p->lock);
	return may && !block ? memory_resize(NULL, room) : block;
}

/* Holds the operation and copies its bytes; NULL for those that are in its block.  False when it cannot. */
static bool add(struct slot *s, struct operation r, const void *bytes)
{
	size_t n = bytes ? r.length : 0;
	if (!s->last || POOL_BLOCK - s->last->used < sizeof r + n) {
		struct held *h = (struct held *)(void *)take_block(s, POOL_BLOCK);
		if (!h)
			return false;
		*h = (struct held){ NULL, sizeof *h };
		*(s->last ? &s->last->next : &s->held) = h;
		s->last = h;
	}
	char *to = (char *)s->last + s->last->used;
	memcpy(to, &r, sizeof r);
	bytes_put(to + sizeof r, bytes, n);
	s->last->used += sizeof r + n;
	return true;
}

/* Stops the pool when writing failed. */
static int stop(struct pool *p, int error)
{
	if (error) {
		pthread_mutex_lock(&p->lock);
		p->stopped = true;
		tell(p);
	}
	return error;
}

char *pool_block(struct slot *s)
{
	return s->direct ? NULL : take_block(s, POOL_BLOCK);
}

int pool_hold(struct slot *s, char *block, size_t n)
{
	if (add(s, (struct operation){ QUEUE_BYTES, n, block }, NULL))
		return 0;
	int error = pool_put(s, QUEUE_BYTES, block, n);
	put_back(s->pool, block, POOL_BLOCK);
	return error;
}

int pool_put(struct slot *s, enum queue_op op, const void *bytes, size_t n)
{
	if (!s->direct) {
		const bool apart = n > POOL_BLOCK / 2; /* many bytes have a block of their own */
		char *block = apart ? take_block(s, n) : NULL;
		if (block)
			memcpy(block, bytes, n);
		if (!s->pool->stopped && (block || !apart) && add(s, (struct operation){ op, n, block }, block ? NULL : bytes))
			return 0;
		if (block)
			put_back(s->pool, block, n);
		if (!pool_wait(s))
			return ECANCELED;
	}
	return stop(s->pool, output_queue_put(s->pool->queue, op, bytes, n));
}

/* ---- The end ----------------------------------------------------------------------- */

void pool_finish(struct slot *s)
{
	struct pool *p = s->pool;
	pthread_mutex_lock(&p->lock);
	s->state = SLOT_DONE;
	s->noted = true;
	tell(p);
	for (;;) {
		/* Takes the head when it is done, writes what it still holds, and frees its slot. */
		pthread_mutex_lock(&p->lock);
		s = &p->slots[p->head % POOL_SLOTS];
		if (s->state != SLOT_DONE) { /* no other job that is not freed has the slot of the head */
			pthread_mutex_unlock(&p->lock);
			return;
		}
		s->state = SLOT_TAKEN;
		pthread_mutex_unlock(&p->lock);
		if (!s->direct)
			release(s, !s->dropped);
		stop(p, p->queue->error);
		job_fini(&s->job);
		pthread_mutex_lock(&p->lock);
		s->state = SLOT_FREE;
		p->head++;
		tell(p);
	}
}

/* ---- Ranges ------------------------------------------------------------------------ */

void pool_note(struct slot *s, uint64_t state)
{
	pthread_mutex_lock(&s->pool->lock);
	s->noted = true;
	s->began = state;
	tell(s->pool);
}

struct slot *pool_next(struct slot *s, uint64_t state)
{
	struct pool *p = s->pool;
	struct slot *next = state == POOL_CLEAN ? NULL : claim(p, s); /* what nobody has claimed begins so as well */
	if (!next) {
		/* Takes the next slot from another thread, unless its range began in this state, or the output of `s` is not
		 * wanted any more. */
		next = &p->slots[(s->number + 1) % POOL_SLOTS];
		pthread_mutex_lock(&p->lock);
		bool wrong = p->next > s->number + 1;
		while (wrong && !is_lost(s) && !next->noted)
			pthread_cond_wait(&p->changed, &p->lock);
		wrong = wrong && !is_lost(s) && (next->dropped || !state || next->began != state);
		if (wrong) /* else the slot may be that of the head still, which pool_finish reads without the lock */
			next->dropped = true;
		pthread_cond_broadcast(&p->changed);
		while (wrong && !is_lost(s) && next->state != SLOT_DONE)
			pthread_cond_wait(&p->changed, &p->lock);
		wrong &= next->state == SLOT_DONE;
		pthread_mutex_unlock(&p->lock);
		if (!wrong)
			return NULL;
		release(next, false);
	}
	pthread_mutex_lock(&p->lock);
	next->state = SLOT_TAKEN;
	next->dropped = false;
	next->began = 0; /* what is held for it begins before it, and ends with it */
	next->noted = true;
	pthread_mutex_unlock(&p->lock);
	pool_finish(s);
	return next;
}

void pool_fini(struct pool *p)
{
	for (struct slot *s = p->slots; s < p->slots + POOL_SLOTS; s++) {
		release(s, false);
		job_fini(&s->job);
	}
	for (char *block; (block = p->spare);) {
		memcpy(&p->spare, block, sizeof p->spare);
		free(block);
	}
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
}
