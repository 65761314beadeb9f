/* A thread pool whose results are in the order of the jobs.
 *
 * Each job has a slot.  The head, the first job that is not done, writes directly to the
 * output queue; the output of the others is held in their slots, and they wait when the
 * slots are full.  When the head is done, the next job becomes the head.  Only then is it
 * known where the first message of a range of a mailbox begins: where the previous range
 * ended.  A range that guessed a different beginning is read again. */
#ifndef INPUT_POOL_H
#define INPUT_POOL_H

#include "output_queue.h"

#include <pthread.h>

enum {
	POOL_JOBS = 4096,                 /* the most threads */
	POOL_SLOTS = 64,                  /* jobs at a time, from the head on */
	POOL_WAITING = 64 * 1024 * 1024,  /* bytes held in all slots, unless the consumer wants fewer */
	POOL_BLOCK = 64 * 1024            /* as a renderer's */
};

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_DONE };

/* A block of POOL_BLOCK bytes with operations that a slot holds: each a struct operation, and its bytes unless they
 * have a block of their own. */
struct held {
	struct held *next;
	size_t used; /* bytes, with this */
};
struct operation {
	enum queue_op op;
	size_t length;
	char *block; /* where the bytes are; NULL: they follow */
};

struct slot {
	struct job job;
	struct pool *pool;
	uint64_t number; /* of the job, from 0 */
	enum slot_state state;
	bool direct;     /* it is the head, and its held output is written */
	bool rejected;   /* some output was lost: the job must be read again */
	/* Of a range: where its first message begins, and where the first message of the next
	 * range does. */
	uint64_t began, ended;
	/* Of a range of a text: the states of the scanners there. */
	uint64_t began_state, ended_state;
	struct held *held, *last; /* NULL: none */
};

/* Of `began`: no message begins in the range.  Of `ended`: it was not read yet, or reading failed, and nothing
 * more of the mailbox is read. */
#define SLOT_NOWHERE UINT64_MAX
#define SLOT_FAILED (UINT64_MAX - 1)

/* Claims and finishes jobs until there are none; returns NULL if it could not start. */
typedef void *pool_worker(void *user);

struct pool {
	struct output_queue *queue;
	pthread_mutex_t claiming; /* protects the next seven members; taken before `lock` */
	struct inputs *inputs;
	struct job first;         /* precedes those of `inputs` */
	bool first_claimed;
	uint64_t claimed_bytes;
	pthread_t *thread;        /* besides the first one */
	size_t threads, most_threads;
	pool_worker *work;
	void *user;
	pthread_mutex_t lock; /* protects all members below, and the state and buffers of slots */
	pthread_cond_t changed;
	struct slot slots[POOL_SLOTS];
	uint64_t head, next;  /* numbers: of the head, and of the next job to be claimed */
	uint64_t expected, expected_state; /* `ended` and `ended_state` of the last range */
	size_t waiting, most_waiting; /* bytes of blocks in all slots */
	char *spare;          /* blocks that are free: each begins with the address of the next one */
	atomic_bool stopped;
};

/* The pool takes ownership of `first`, the first job; `inputs` has the others. */
void pool_init(struct pool *p, const struct job *first, struct inputs *inputs, struct output_queue *queue);
void pool_fini(struct pool *p);

/* The number of processors that may be used, at most POOL_JOBS; 1 if it is not known. */
long pool_processors(void);
/* Whether the output can be made by several threads, as the settings ask. */
bool pool_may_run(const struct settings *s);
/* Runs `work` in this thread and in others, up to `threads` in all, if there is enough to
 * do.  False if it could not start in this thread. */
bool pool_run(struct pool *p, size_t threads, pool_worker *work, void *user);
/* The next job; NULL when there is none. */
struct slot *pool_claim(struct pool *p);

enum turn {
	TURN_LATER, /* the job is not the head yet */
	TURN_NOW,   /* the job is the head and writes directly from now on */
	TURN_REDO   /* the job is the head but must be read again: pool_redo */
};
enum turn pool_turn(struct slot *s);
/* The same, but waits until the job is the head or the pool is stopped. */
enum turn pool_wait(struct slot *s);
/* After TURN_REDO: drops what is held; the job writes directly.  Returns where the range
 * begins, or SLOT_FAILED. */
uint64_t pool_redo(struct slot *s);

/* Performs an operation of the output queue, in order.  0 or an errno: EAGAIN for TURN_REDO. */
int pool_put(struct slot *s, enum queue_op op, const void *bytes, size_t n);
/* A block of POOL_BLOCK bytes, for pool_hold; NULL if the job writes directly, or without memory. */
char *pool_block(struct slot *s);
/* Performs QUEUE_BYTES with the first n bytes of a block, which the slot keeps, in order.  Returns as pool_put. */
int pool_hold(struct slot *s, char *block, size_t n);

/* Ends the job.  Returns the head if it must be read again, else NULL. */
struct slot *pool_finish(struct slot *s);

#endif
