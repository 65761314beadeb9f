/* For MADV_HUGEPAGE. */
#define _DEFAULT_SOURCE
#include "memory.h"

#include "report.h"
#include "text/ascii.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- The end ------------------------------------------------------------------------------ */

/* The only state of the process itself: any function may run out of memory, and none passes this on. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory_undo *last;
static atomic_long owner; /* the process that added them */

/* What is undone before they end the process, too. */
static const int ending[] = { SIGHUP, SIGINT, SIGTERM };
enum { ENDING = sizeof ending / sizeof *ending };

/* A thread that has the lock is not interrupted by one of the signals, whose handler takes it. */
static void take_lock(sigset_t *before)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	for (int i = 0; i < ENDING; i++)
		sigaddset(&blocked, ending[i]);
	pthread_sigmask(SIG_BLOCK, &blocked, before);
	pthread_mutex_lock(&lock);
}

/* The lock is kept, and the signals stay blocked: a second thread that gets here waits for the end.  In a forked
 * process another thread of the parent may hold the lock forever. */
static void undo_all(void)
{
	sigset_t before;
	if (owner == getpid()) {
		take_lock(&before);
		for (; last; last = last->next)
			last->run(last->user);
	}
}

/* It has the default action again. */
static void on_signal(int number)
{
	sigset_t own;
	undo_all();
	sigemptyset(&own);
	sigaddset(&own, number);
	pthread_sigmask(SIG_UNBLOCK, &own, NULL);
	raise(number);
	_exit(STATUS_OUTPUT);
}

static void give_lock(const sigset_t *before)
{
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void memory_undo_add(struct memory_undo *u, void (*run)(void *user), void *user)
{
	struct sigaction caught = { .sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) }, old;
	sigset_t before;
	take_lock(&before);
	for (int i = 0; i < ENDING && !owner; i++) { /* signals that are ignored, as below nohup(1), stay so */
		sigaction(ending[i], NULL, &old);
		if (old.sa_handler == SIG_DFL)
			sigaction(ending[i], &caught, NULL);
	}
	owner = getpid();
	*u = (struct memory_undo){ run, user, last };
	last = u;
	give_lock(&before);
}

void memory_undo_remove(struct memory_undo *u)
{
	sigset_t before;
	take_lock(&before);
	for (struct memory_undo **at = &last; *at; at = &(*at)->next)
		if (*at == u) {
			*at = u->next;
			break;
		}
	give_lock(&before);
}

void memory_undo_file(void *path) { unlink(path); }

void fail_process(const char *why)
{
	undo_all();
	report("%s", why);
	_exit(STATUS_OUTPUT);
}

void fail_memory(void) { fail_process("out of memory"); }

void *memory_checked(void *object)
{
	memory_need(object);
	return object;
}

/* ---- Allocations -------------------------------------------------------------------------- */

void *memory_get(size_t size)
{
	return memory_checked(calloc(1, larger(size, 1)));
}

void *memory_block(size_t size)
{
	return memory_checked(memory_large(NULL, size));
}

void *memory_resize(void *block, size_t size)
{
	return memory_checked(realloc(block, larger(size, 1)));
}

void *memory_grow(void *items, size_t count, size_t size)
{
	const bool full = (count & (count - 1)) == 0; /* a power of two, or none */
	return full ? memory_resize(items, (2 * count + 1) * size) : items;
}

void memory_free_all(char **items, size_t count)
{
	while (count > 0)
		free(items[--count]);
	free(items);
}

char *memory_copy(const char *text)
{
	return memory_checked(strdup(text));
}

char *memory_copy_part(const char *text, size_t n)
{
	return memory_checked(strndup(text, n));
}

char *memory_format(const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	size_t room = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
	char *text = memory_checked(malloc(room));
	vsnprintf(text, room, format, again);
	va_end(again);
	va_end(arguments);
	return text;
}

static void *allocate(void *context, size_t size)
{
	(void)context;
	return memory_checked(malloc(size));
}

static void *reallocate(void *context, void *block, size_t size)
{
	(void)context;
	return memory_resize(block, size);
}

void memory_release(void *context, void *block)
{
	(void)context;
	free(block);
}

void *memory_large(void *context, size_t size)
{
	enum { ALIGNMENT = 64, HUGE_PAGE = 2 * 1024 * 1024 };
	const bool large = size >= HUGE_PAGE;
	void *block;
	(void)context;
	if (posix_memalign(&block, large ? HUGE_PAGE : ALIGNMENT, size))
		return NULL;
#ifdef MADV_HUGEPAGE
	if (large)
		madvise(block, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
	return block;
}

const urlsift_allocator memory_allocator = { allocate, reallocate, memory_release, NULL };
