#include "team.h"

#include "memory.h"

#include <stdlib.h>

/* ---- Tasks, with the lock ---------------------------------------------------------- */

static void run_first(struct team *t)
{
	struct task *task = t->first;
	t->first = task->next;
	task->state = TASK_RUNNING;
	pthread_mutex_unlock(&t->lock);
	task->run(task);
	pthread_mutex_lock(&t->lock);
	task->state = TASK_DONE;
	pthread_cond_broadcast(&t->changed);
}

void team_await(struct team *t, const struct task *task)
{
	pthread_mutex_lock(&t->lock);
	while (task->state != TASK_DONE) {
		if (t->first)
			run_first(t);
		else
			pthread_cond_wait(&t->changed, &t->lock);
	}
	pthread_mutex_unlock(&t->lock);
}

/* ---- Threads ----------------------------------------------------------------------- */

static void *run_thread(void *user)
{
	struct team *t = user;
	t->work(t->user);
	pthread_mutex_lock(&t->lock);
	t->working--;
	pthread_cond_broadcast(&t->changed);
	/* tasks, until nobody works who could offer one */
	while (t->working > 0) {
		if (t->first) {
			run_first(t);
			continue;
		}
		t->idle++;
		pthread_cond_wait(&t->changed, &t->lock);
		t->idle--;
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void start(struct team *t)
{
	if (t->threads + 1 >= t->most)
		return;
	if (pthread_create(&t->thread[t->threads], NULL, run_thread, t)) {
		t->most = t->threads + 1;
		return;
	}
	t->threads++;
	t->working++;
}

void team_start(struct team *t)
{
	pthread_mutex_lock(&t->lock);
	start(t);
	pthread_mutex_unlock(&t->lock);
}

void team_offer(struct team *t, struct task *task)
{
	task->next = NULL;
	pthread_mutex_lock(&t->lock);
	task->state = TASK_OFFERED;
	*(t->first ? &t->last->next : &t->first) = task;
	t->last = task;
	if (t->idle > 0)
		pthread_cond_signal(&t->changed);
	else
		start(t);
	pthread_mutex_unlock(&t->lock);
}

void team_run(struct team *t, size_t most, team_work *work, void *user)
{
	*t = (struct team){ .most = most, .work = work, .user = user, .working = 1 };
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->changed, NULL);
	t->thread = memory_get(most * sizeof *t->thread);
	run_thread(t);
	/* None is started when nobody works. */
	for (size_t i = 0; i < t->threads; i++)
		pthread_join(t->thread[i], NULL);
	free(t->thread);
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
}
