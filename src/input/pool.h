/* Jobs that several threads do at once, and whose results come in their order.
 *
 * The head, the first job that is not done, writes straight away; what the others
 * write waits in memory, and they wait when that is full.  A job that ends as the
 * head lets those behind it follow.  Whether a range of a mailbox began where it
 * should is known once the one before it has ended: if not, it is done again from
 * there. */
#ifndef INPUT_POOL_H
#define INPUT_POOL_H

#include "output_queue.h"
#include "inputs.h"

#include <pthread.h>

enum {
	POOL_WINDOW = 64,                 /* jobs from the head on */
	POOL_WAITING = 64 * 1024 * 1024   /* bytes that wait to be written, of all jobs */
};

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_DONE };

/* A job and what it wrote. */
struct slot {
	struct job job;
	struct pool *jobs;
	uint64_t number;
	enum slot_state state;
	bool direct;     /* it is the head, and what it wrote before is out */
	bool rejected;   /* a write of it was refused */
	uint64_t began, ended; /* of a range: where its first message did, and where the next range's does */
	char *held;
	size_t used, room;
};

/* No message of the range was met. */
#define SLOT_NOWHERE UINT64_MAX

struct pool {
	struct output_queue *queue;
	pthread_mutex_t claiming; /* of plan; before lock */
	struct inputs *plan;
	struct job first;   /* taken out of the plan already, when it has a name */
	uint64_t claimed_bytes;
	pthread_t *thread;  /* beside the first one */
	size_t threads, most_threads;
	void *(*work)(void *user);
	void *user;
	pthread_mutex_t lock; /* of all below, and of state and held in slots */
	pthread_cond_t changed;
	struct slot slots[POOL_WINDOW];
	uint64_t head, next; /* numbers: the job that is the head, and the next one claimed */
	uint64_t expected;  /* where a range must begin that is the head and not the first of its mailbox */
	size_t waiting;     /* bytes in all held */
	bool stopped;
};

/* `first` is the first job, `plan` has the others. */
void pool_init(struct pool *j, const struct job *first, struct inputs *plan, struct output_queue *queue);
void pool_fini(struct pool *j);

/* Has the work done by this thread and as many more, up to `threads` together, as are
 * worth it: `work` claims jobs and finishes them until there are none; NULL means
 * that it could not begin.  False when this thread could not. */
bool pool_run(struct pool *j, size_t threads, void *(*work)(void *user), void *user);
/* The next job; NULL when there is none. */
struct slot *pool_claim(struct pool *j);

enum turn {
	TURN_LATER, /* it is not the head yet */
	TURN_NOW,   /* it is, and writes straight away from now on */
	TURN_AGAIN  /* it is, but as a range it did not begin where it should */
};
enum turn pool_turn(struct slot *s);
/* The same, but waits until it is the head. */
enum turn pool_wait(struct slot *s);
/* For TURN_AGAIN: forgets what was written and is the head.  Returns where the
 * range begins. */
uint64_t pool_redo(struct slot *s);

/* Does something in order.  0, or an errno: EAGAIN for TURN_AGAIN. */
int pool_put(struct slot *s, enum queue_op kind, const void *bytes, size_t n);

/* The job is done.  Returns one that is to be done again, as the head, or NULL. */
struct slot *pool_finish(struct slot *s);

#endif
