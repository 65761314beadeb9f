#include "pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What waits is a row of these, each before its bytes. */
struct frame {
	enum queue_op kind;
	size_t length;
};

/* Threads cost more than they save for less. */
enum { WORTH_BYTES = 256 * 1024, WORTH_JOBS = 16, KEPT_ROOM = 16 * 1024 };

void pool_init(struct pool *j, const struct job *first, struct inputs *plan, struct output_queue *queue)
{
	memset(j, 0, sizeof *j);
	j->queue = queue;
	j->plan = plan;
	j->first = *first;
	pthread_mutex_init(&j->claiming, NULL);
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->changed, NULL);
	for (size_t i = 0; i < POOL_WINDOW; i++)
		j->slots[i].jobs = j;
}

void pool_fini(struct pool *j)
{
	for (size_t i = 0; i < POOL_WINDOW; i++) {
		job_fini(&j->slots[i].job);
		free(j->slots[i].held);
	}
	job_fini(&j->first);
	free(j->thread);
	pthread_cond_destroy(&j->changed);
	pthread_mutex_destroy(&j->lock);
	pthread_mutex_destroy(&j->claiming);
}

/* ---- Claiming ------------------------------------------------------------------ */

/* Waits for the slot of the next job.  False when there shall be none. */
static bool wait_for_slot(struct pool *j)
{
	pthread_mutex_lock(&j->lock);
	while (!j->stopped && j->next - j->head >= POOL_WINDOW)
		pthread_cond_wait(&j->changed, &j->lock);
	bool good = !j->stopped;
	pthread_mutex_unlock(&j->lock);
	return good;
}

static bool next_job(struct pool *j, struct job *job)
{
	if (!j->first.name)
		return inputs_next(j->plan, job);
	*job = j->first;
	j->first = (struct job){ .kind = JOB_SOURCE };
	return true;
}

/* One more thread when there is work for it: where none can be had, the others do
 * it. */
static void start_thread(struct pool *j, const struct job *claimed)
{
	j->claimed_bytes += claimed->large ? WORTH_BYTES : claimed->size;
	if (j->threads == j->most_threads || !inputs_more(j->plan) || (j->claimed_bytes < WORTH_BYTES && j->next < WORTH_JOBS))
		return;
	if (pthread_create(&j->thread[j->threads], NULL, j->work, j->user))
		j->most_threads = j->threads;
	else
		j->threads++;
}

struct slot *pool_claim(struct pool *j)
{
	struct slot *s = NULL;
	pthread_mutex_lock(&j->claiming);
	if (wait_for_slot(j) && next_job(j, &j->slots[j->next % POOL_WINDOW].job)) {
		s = &j->slots[j->next % POOL_WINDOW];
		start_thread(j, &s->job);
		pthread_mutex_lock(&j->lock);
		s->number = j->next++;
		s->state = SLOT_TAKEN;
		s->direct = s->rejected = false;
		s->began = SLOT_NOWHERE;
		pthread_mutex_unlock(&j->lock);
	}
	pthread_mutex_unlock(&j->claiming);
	return s;
}

bool pool_run(struct pool *j, size_t threads, void *(*work)(void *user), void *user)
{
	j->work = work;
	j->user = user;
	j->thread = malloc(threads * sizeof *j->thread);
	j->most_threads = j->thread ? threads - 1 : 0;
	bool good = work(user);
	for (size_t i = 0;; i++) {
		/* A thread that is waited for may start the next one. */
		pthread_mutex_lock(&j->claiming);
		bool more = i < j->threads;
		pthread_mutex_unlock(&j->claiming);
		if (!more)
			return good;
		pthread_join(j->thread[i], NULL);
	}
}

/* ---- Waiting and writing --------------------------------------------------------- */

/* With the lock. */
static void forget(struct slot *s)
{
	s->jobs->waiting -= s->used;
	s->used = 0;
	if (s->room > KEPT_ROOM) {
		free(s->held);
		s->held = NULL;
		s->room = 0;
	}
	pthread_cond_broadcast(&s->jobs->changed);
}

/* Writes what waited.  Nobody but the head does anything in order, so no lock. */
static void release(struct slot *s)
{
	struct output_queue *o = s->jobs->queue;
	for (size_t i = 0; i < s->used;) {
		struct frame f;
		memcpy(&f, s->held + i, sizeof f);
		i += sizeof f;
		output_queue_put(o, f.kind, s->held + i, f.length);
		i += f.length;
	}
}

/* With the lock, of the head. */
static bool began_well(const struct slot *s)
{
	return s->job.kind != JOB_RANGE || s->job.first || s->began == s->jobs->expected;
}

/* With the lock. */
static enum turn turn_of(const struct slot *s)
{
	if (s->jobs->head != s->number)
		return TURN_LATER;
	return s->direct || (began_well(s) && !s->rejected) ? TURN_NOW : TURN_AGAIN;
}

static void go_direct(struct slot *s)
{
	release(s);
	pthread_mutex_lock(&s->jobs->lock);
	forget(s);
	s->direct = true;
	pthread_mutex_unlock(&s->jobs->lock);
}

enum turn pool_turn(struct slot *s)
{
	if (s->direct)
		return TURN_NOW;
	pthread_mutex_lock(&s->jobs->lock);
	enum turn turn = turn_of(s);
	pthread_mutex_unlock(&s->jobs->lock);
	if (turn == TURN_NOW)
		go_direct(s);
	return turn;
}

enum turn pool_wait(struct slot *s)
{
	pthread_mutex_lock(&s->jobs->lock);
	while (turn_of(s) == TURN_LATER && !s->jobs->stopped)
		pthread_cond_wait(&s->jobs->changed, &s->jobs->lock);
	pthread_mutex_unlock(&s->jobs->lock);
	return pool_turn(s);
}

uint64_t pool_redo(struct slot *s)
{
	pthread_mutex_lock(&s->jobs->lock);
	forget(s);
	s->direct = true;
	s->began = s->jobs->expected;
	pthread_mutex_unlock(&s->jobs->lock);
	return s->began;
}

static bool reserve(struct slot *s, size_t n)
{
	if (n <= s->room - s->used)
		return true;
	size_t room = 2 * s->room + n;
	char *held = realloc(s->held, room);
	if (!held)
		return false;
	s->held = held;
	s->room = room;
	return true;
}

/* Waits until n bytes more may be held; false when that shall not be. */
static bool may_hold(struct slot *s, size_t n)
{
	struct pool *j = s->jobs;
	pthread_mutex_lock(&j->lock);
	while (j->waiting + n > POOL_WAITING && turn_of(s) == TURN_LATER && !j->stopped)
		pthread_cond_wait(&j->changed, &j->lock);
	bool may = turn_of(s) == TURN_LATER && !j->stopped;
	if (may)
		j->waiting += n;
	pthread_mutex_unlock(&j->lock);
	return may;
}

static bool hold(struct slot *s, enum queue_op kind, const void *bytes, size_t n)
{
	const struct frame f = { kind, n };
	if (!reserve(s, sizeof f + n) || !may_hold(s, sizeof f + n))
		return false;
	memcpy(s->held + s->used, &f, sizeof f);
	if (n > 0)
		memcpy(s->held + s->used + sizeof f, bytes, n);
	s->used += sizeof f + n;
	return true;
}

/* When writing failed all shall end. */
static int stop(struct pool *j, int error)
{
	if (error) {
		pthread_mutex_lock(&j->lock);
		j->stopped = true;
		pthread_cond_broadcast(&j->changed);
		pthread_mutex_unlock(&j->lock);
	}
	return error;
}

int pool_put(struct slot *s, enum queue_op kind, const void *bytes, size_t n)
{
	if (!s->direct) {
		if (hold(s, kind, bytes, n))
			return 0;
		enum turn turn = pool_wait(s);
		s->rejected = turn == TURN_AGAIN;
		if (turn != TURN_NOW)
			return turn == TURN_AGAIN ? EAGAIN : EPIPE;
	}
	return stop(s->jobs, output_queue_put(s->jobs->queue, kind, bytes, n));
}

/* ---- The end ----------------------------------------------------------------------- */

/* Writes what the head, which is done, still holds. */
static void leave(struct slot *s)
{
	struct pool *j = s->jobs;
	if (!s->direct)
		release(s);
	stop(j, j->queue->error);
	job_fini(&s->job);
	pthread_mutex_lock(&j->lock);
	forget(s);
	j->expected = s->ended;
	s->state = SLOT_FREE;
	j->head++;
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
}

/* The head when it is done, which is the caller's then; *again: it is to be done
 * once more. */
static struct slot *take_head(struct pool *j, bool *again)
{
	pthread_mutex_lock(&j->lock);
	struct slot *s = &j->slots[j->head % POOL_WINDOW];
	bool done = s->state == SLOT_DONE && s->number == j->head;
	*again = done && !j->stopped && turn_of(s) == TURN_AGAIN;
	if (done)
		s->state = SLOT_TAKEN;
	pthread_mutex_unlock(&j->lock);
	return done ? s : NULL;
}

struct slot *pool_finish(struct slot *s)
{
	struct pool *j = s->jobs;
	bool again;
	pthread_mutex_lock(&j->lock);
	s->state = SLOT_DONE;
	pthread_mutex_unlock(&j->lock);
	while ((s = take_head(j, &again)) && !again)
		leave(s);
	return s;
}
