/* The threads of a run.  Each does the work of the run, such as the jobs of a pool; one that finds no more of it
 * performs tasks, parts of a job that another thread does. */
#ifndef INPUT_TEAM_H
#define INPUT_TEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum task_state { TASK_NEW, TASK_OFFERED, TASK_RUNNING, TASK_DONE };

/* The first member of what it is about. */
struct task {
	void (*run)(struct task *t);
	enum task_state state; /* protected by the lock, but before team_offer and after team_await */
	struct task *next;
};

/* Returns when there is no more work. */
typedef void team_work(void *user);

struct team {
	team_work *work;
	void *user;
	pthread_mutex_t lock; /* protects all members below */
	pthread_cond_t changed;
	size_t most;          /* threads, with the first one */
	pthread_t *thread;    /* besides the first one */
	size_t threads;       /* of these, */
	size_t working, idle; /* of all: that are in `work`, that wait for a task */
	struct task *first, *last; /* that were offered, and that no thread has begun */
};

/* Runs `work` in this thread, and in up to `most` in all where others are started, until there is none. */
void team_run(struct team *t, size_t most, team_work *work, void *user);
/* Starts one more thread, unless there are enough.  Where none can be had, the others do the work. */
void team_start(struct team *t);

/* Offers a task to the other threads, one of which is started if none is idle.  Only during `work`. */
void team_offer(struct team *t, struct task *task);
/* Performs tasks until this one is done.  Each that was offered is awaited before `work` ends. */
void team_await(struct team *t, const struct task *task);

#endif
