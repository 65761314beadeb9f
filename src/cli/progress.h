/* How far the work is, on a line of standard error that is written over and
 * over.  For several threads. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct progress {
	bool on;
	bool terminal;
	bool shown;
	uint64_t done, total; /* bytes; a total of 0 is not known */
	struct timespec next; /* when to show it again */
	pthread_mutex_t lock;
};

/* `wanted`: --progress was given; else it shows on a terminal that standard
 * output does not go to.  Work of less than a second shows nothing.  The sizes of
 * the files named are summed here. */
void progress_init(struct progress *p, bool wanted, char *const *file, size_t count, bool more_files);
void progress_add(struct progress *p, size_t bytes);
/* Takes the line away, before others are written. */
void progress_hide(struct progress *p);
void progress_fini(struct progress *p);

#endif
