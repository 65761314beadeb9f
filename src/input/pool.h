/* A thread pool whose results are in the order of the jobs.
 *
 * Each job has a slot.  The head, the first job that is not done, writes directly to the
 * output queue; the output of the others is held in their slots, and they wait when the
 * slots are full.  When the head is done, the next job becomes the head.
 *
 * Where a range of a file begins is a guess, which the thread that reads the range before it checks at its end
 * (pool_next).  If it is wrong, what was held for the next range is dropped, and that thread goes on with it. */
#ifndef INPUT_POOL_H
#define INPUT_POOL_H

#include "output_queue.h"
#include "team.h"

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
	bool dropped;    /* the output is not wanted */
	bool noted;      /* `began` is known: */
	uint64_t began;  /* the state in which a range begins; 0: none in which another can end */
	struct held *held, *last; /* NULL: none */
};

struct pool {
	struct output_queue *queue;
	struct team *team;
	/* Used by the thread that claims a job: */
	struct inputs *inputs;
	uint64_t claimed_bytes;
	pthread_mutex_t lock; /* protects all members below, and the state and buffers of slots */
	pthread_cond_t changed;
	struct slot slots[POOL_SLOTS];
	bool claiming;        /* a thread claims a job */
	uint64_t head, next;  /* numbers: of the head, and of the next job to be claimed */
	size_t waiting, most_waiting; /* bytes of blocks in all slots */
	char *spare;          /* blocks that are free: each begins with the address of the next one */
	atomic_bool stopped;
};

/* The pool takes ownership of `first`, the first job; `inputs` has the others.  The team, whose work is to claim and
 * finish jobs until there are none, starts threads if there is enough to do; more than POOL_SLOTS would only wait, with
 * all their buffers. */
void pool_init(struct pool *p, const struct job *first, struct inputs *inputs, struct output_queue *queue,
               struct team *team);
void pool_fini(struct pool *p);

/* The number of processors that may be used, at most POOL_JOBS; 1 if it is not known. */
long pool_processors(void);
/* Whether the output can be made by several threads, as the settings ask. */
bool pool_may_run(const struct settings *s);
/* The next job; NULL when there is none. */
struct slot *pool_claim(struct pool *p);

/* Waits until the job is the head.  False when its output is not wanted any more. */
bool pool_wait(struct slot *s);

/* Performs an operation of the output queue, in order.  0 or an errno: ECANCELED when the output is not
 * wanted any more. */
int pool_put(struct slot *s, enum queue_op op, const void *bytes, size_t n);
/* A block of POOL_BLOCK bytes, for pool_hold; NULL if the job writes directly. */
char *pool_block(struct slot *s);
/* Performs QUEUE_BYTES with the first n bytes of a block, which the slot keeps, in order.  Returns as pool_put. */
int pool_hold(struct slot *s, char *block, size_t n);

/* The state, not 0, in which a range begins whatever precedes it. */
enum { POOL_CLEAN = 1 };
/* Notes the state in which the range begins; of a range of a mailbox and of the first of a text it is POOL_CLEAN. */
void pool_note(struct slot *s, uint64_t state);
/* The range, not the last one, was read to its end in this state.  NULL if the next one began so, or the output is not
 * wanted any more.  Otherwise ends the job, and returns the slot of the next range, with which the caller goes on: what
 * another thread held in it is dropped. */
struct slot *pool_next(struct slot *s, uint64_t state);

/* Ends the job. */
void pool_finish(struct slot *s);

#endif
