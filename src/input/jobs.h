/* Jobs that several threads do at once, and whose results come in their order.
 *
 * The head, the first job that is not done, writes straight away; what the others
 * write waits in memory, and they wait when that is full.  A job that ends as the
 * head lets those behind it follow.  Whether a range of a mailbox began where it
 * should is known once the one before it has ended: if not, it is done again from
 * there. */
#ifndef INPUT_JOBS_H
#define INPUT_JOBS_H

#include "job.h"
#include "order.h"
#include "plan.h"

#include <pthread.h>

enum {
	JOBS_WINDOW = 64,                 /* jobs from the head on */
	JOBS_WAITING = 64 * 1024 * 1024   /* bytes that wait to be written, of all jobs */
};

enum seat_state { SEAT_FREE, SEAT_TAKEN, SEAT_DONE };

/* A job and what it wrote. */
struct seat {
	struct job job;
	struct jobs *jobs;
	uint64_t number;
	enum seat_state state;
	bool straight;   /* it is the head, and what it wrote before is out */
	bool spoilt;     /* a write of it was refused */
	uint64_t began, ended; /* of a range: where its first message did, and where the next range's does */
	char *held;
	size_t used, room;
};

/* No message of the range was met. */
#define SEAT_NOWHERE UINT64_MAX

struct jobs {
	struct order *order;
	pthread_mutex_t claiming; /* of plan; before lock */
	struct plan *plan;
	struct job first;   /* taken out of the plan already, when it has a name */
	uint64_t claimed_bytes;
	pthread_t *thread;  /* beside the first one */
	size_t threads, most_threads;
	void *(*work)(void *user);
	void *user;
	pthread_mutex_t lock; /* of all below, and of state and held in seats */
	pthread_cond_t changed;
	struct seat seats[JOBS_WINDOW];
	uint64_t head, next; /* numbers: the job that is the head, and the next one claimed */
	uint64_t expected;  /* where a range must begin that is the head and not the first of its mailbox */
	size_t waiting;     /* bytes in all held */
	bool stopped;
};

/* `first` is the first job, `plan` has the others. */
void jobs_init(struct jobs *j, const struct job *first, struct plan *plan, struct order *order);
void jobs_fini(struct jobs *j);

/* Has the work done by this thread and as many more, up to `threads` together, as are
 * worth it: `work` claims jobs and finishes them until there are none; NULL means
 * that it could not begin.  False when this thread could not. */
bool jobs_run(struct jobs *j, size_t threads, void *(*work)(void *user), void *user);
/* The next job; NULL when there is none. */
struct seat *jobs_claim(struct jobs *j);

enum turn {
	TURN_LATER, /* it is not the head yet */
	TURN_NOW,   /* it is, and writes straight away from now on */
	TURN_AGAIN  /* it is, but as a range it did not begin where it should */
};
enum turn jobs_turn(struct seat *s);
/* The same, but waits until it is the head. */
enum turn jobs_wait(struct seat *s);
/* For TURN_AGAIN: forgets what was written and is the head.  Returns where the
 * range begins. */
uint64_t jobs_again(struct seat *s);

/* Does something in order.  0, or an errno: EAGAIN for TURN_AGAIN. */
int jobs_put(struct seat *s, enum order_kind kind, const void *bytes, size_t n);

/* The job is done.  Returns one that is to be done again, as the head, or NULL. */
struct seat *jobs_finish(struct seat *s);

#endif
