#include "jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What waits is a row of these, each before its bytes. */
struct frame {
	enum order_kind kind;
	size_t length;
};

/* Threads cost more than they save for less. */
enum { WORTH_BYTES = 256 * 1024, WORTH_JOBS = 16, KEPT_ROOM = 16 * 1024 };

void jobs_init(struct jobs *j, const struct job *first, struct plan *plan, struct order *order)
{
	memset(j, 0, sizeof *j);
	j->order = order;
	j->plan = plan;
	j->first = *first;
	pthread_mutex_init(&j->claiming, NULL);
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->changed, NULL);
	for (size_t i = 0; i < JOBS_WINDOW; i++)
		j->seats[i].jobs = j;
}

void jobs_fini(struct jobs *j)
{
	for (size_t i = 0; i < JOBS_WINDOW; i++) {
		job_fini(&j->seats[i].job);
		free(j->seats[i].held);
	}
	job_fini(&j->first);
	free(j->thread);
	pthread_cond_destroy(&j->changed);
	pthread_mutex_destroy(&j->lock);
	pthread_mutex_destroy(&j->claiming);
}

/* ---- Claiming ------------------------------------------------------------------ */

/* Waits for the seat of the next job.  False when there shall be none. */
static bool wait_for_seat(struct jobs *j)
{
	pthread_mutex_lock(&j->lock);
	while (!j->stopped && j->next - j->head >= JOBS_WINDOW)
		pthread_cond_wait(&j->changed, &j->lock);
	bool good = !j->stopped;
	pthread_mutex_unlock(&j->lock);
	return good;
}

static bool next_job(struct jobs *j, struct job *job)
{
	if (!j->first.name)
		return plan_next(j->plan, job);
	*job = j->first;
	j->first = (struct job){ .kind = JOB_SOURCE };
	return true;
}

/* One more thread when there is work for it: where none can be had, the others do
 * it. */
static void start_thread(struct jobs *j, const struct job *claimed)
{
	j->claimed_bytes += claimed->large ? WORTH_BYTES : claimed->size;
	if (j->threads == j->most_threads || !plan_more(j->plan) || (j->claimed_bytes < WORTH_BYTES && j->next < WORTH_JOBS))
		return;
	if (pthread_create(&j->thread[j->threads], NULL, j->work, j->user))
		j->most_threads = j->threads;
	else
		j->threads++;
}

struct seat *jobs_claim(struct jobs *j)
{
	struct seat *s = NULL;
	pthread_mutex_lock(&j->claiming);
	if (wait_for_seat(j) && next_job(j, &j->seats[j->next % JOBS_WINDOW].job)) {
		s = &j->seats[j->next % JOBS_WINDOW];
		start_thread(j, &s->job);
		pthread_mutex_lock(&j->lock);
		s->number = j->next++;
		s->state = SEAT_TAKEN;
		s->straight = s->spoilt = false;
		s->began = SEAT_NOWHERE;
		pthread_mutex_unlock(&j->lock);
	}
	pthread_mutex_unlock(&j->claiming);
	return s;
}

bool jobs_run(struct jobs *j, size_t threads, void *(*work)(void *user), void *user)
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
static void forget(struct seat *s)
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
static void release(struct seat *s)
{
	struct order *o = s->jobs->order;
	for (size_t i = 0; i < s->used;) {
		struct frame f;
		memcpy(&f, s->held + i, sizeof f);
		i += sizeof f;
		order_do(o, f.kind, s->held + i, f.length);
		i += f.length;
	}
}

/* With the lock, of the head. */
static bool began_well(const struct seat *s)
{
	return s->job.kind != JOB_RANGE || s->job.first || s->began == s->jobs->expected;
}

/* With the lock. */
static enum turn turn_of(const struct seat *s)
{
	if (s->jobs->head != s->number)
		return TURN_LATER;
	return s->straight || (began_well(s) && !s->spoilt) ? TURN_NOW : TURN_AGAIN;
}

static void go_straight(struct seat *s)
{
	release(s);
	pthread_mutex_lock(&s->jobs->lock);
	forget(s);
	s->straight = true;
	pthread_mutex_unlock(&s->jobs->lock);
}

enum turn jobs_turn(struct seat *s)
{
	if (s->straight)
		return TURN_NOW;
	pthread_mutex_lock(&s->jobs->lock);
	enum turn turn = turn_of(s);
	pthread_mutex_unlock(&s->jobs->lock);
	if (turn == TURN_NOW)
		go_straight(s);
	return turn;
}

enum turn jobs_wait(struct seat *s)
{
	pthread_mutex_lock(&s->jobs->lock);
	while (turn_of(s) == TURN_LATER && !s->jobs->stopped)
		pthread_cond_wait(&s->jobs->changed, &s->jobs->lock);
	pthread_mutex_unlock(&s->jobs->lock);
	return jobs_turn(s);
}

uint64_t jobs_again(struct seat *s)
{
	pthread_mutex_lock(&s->jobs->lock);
	forget(s);
	s->straight = true;
	s->began = s->jobs->expected;
	pthread_mutex_unlock(&s->jobs->lock);
	return s->began;
}

static bool reserve(struct seat *s, size_t n)
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
static bool may_hold(struct seat *s, size_t n)
{
	struct jobs *j = s->jobs;
	pthread_mutex_lock(&j->lock);
	while (j->waiting + n > JOBS_WAITING && turn_of(s) == TURN_LATER && !j->stopped)
		pthread_cond_wait(&j->changed, &j->lock);
	bool may = turn_of(s) == TURN_LATER && !j->stopped;
	if (may)
		j->waiting += n;
	pthread_mutex_unlock(&j->lock);
	return may;
}

static bool hold(struct seat *s, enum order_kind kind, const void *bytes, size_t n)
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
static int stop(struct jobs *j, int error)
{
	if (error) {
		pthread_mutex_lock(&j->lock);
		j->stopped = true;
		pthread_cond_broadcast(&j->changed);
		pthread_mutex_unlock(&j->lock);
	}
	return error;
}

int jobs_put(struct seat *s, enum order_kind kind, const void *bytes, size_t n)
{
	if (!s->straight) {
		if (hold(s, kind, bytes, n))
			return 0;
		enum turn turn = jobs_wait(s);
		s->spoilt = turn == TURN_AGAIN;
		if (turn != TURN_NOW)
			return turn == TURN_AGAIN ? EAGAIN : EPIPE;
	}
	return stop(s->jobs, order_do(s->jobs->order, kind, bytes, n));
}

/* ---- The end ----------------------------------------------------------------------- */

/* Writes what the head, which is done, still holds. */
static void leave(struct seat *s)
{
	struct jobs *j = s->jobs;
	if (!s->straight)
		release(s);
	stop(j, j->order->writer.error);
	job_fini(&s->job);
	pthread_mutex_lock(&j->lock);
	forget(s);
	j->expected = s->ended;
	s->state = SEAT_FREE;
	j->head++;
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
}

/* The head when it is done, which is the caller's then; *again: it is to be done
 * once more. */
static struct seat *take_head(struct jobs *j, bool *again)
{
	pthread_mutex_lock(&j->lock);
	struct seat *s = &j->seats[j->head % JOBS_WINDOW];
	bool done = s->state == SEAT_DONE && s->number == j->head;
	*again = done && !j->stopped && turn_of(s) == TURN_AGAIN;
	if (done)
		s->state = SEAT_TAKEN;
	pthread_mutex_unlock(&j->lock);
	return done ? s : NULL;
}

struct seat *jobs_finish(struct seat *s)
{
	struct jobs *j = s->jobs;
	bool again;
	pthread_mutex_lock(&j->lock);
	s->state = SEAT_DONE;
	pthread_mutex_unlock(&j->lock);
	while ((s = take_head(j, &again)) && !again)
		leave(s);
	return s;
}
