/* Where a large mailbox or text is cut into ranges, which several threads read.
 *
 * A range of a mailbox begins at a From_ line that begins a message as far as the bytes around it tell: all that could
 * say otherwise is the Content-Length of a message before it.  A range of a text begins at a line, after a blank one if
 * possible, and its scanner some KiB before it.  So a cut costs the same wherever it is, and what is before it is not
 * read.  The thread that reads the range before a cut knows whether the cut is right (pool_next). */
#ifndef INPUT_CUTTER_H
#define INPUT_CUTTER_H

#include "source.h"

#include <stdatomic.h>

/* A file of which several jobs read a range each; freed by the last one. */
struct shared_file {
	struct source source;
	bool text; /* else a mailbox */
	atomic_uint users;
	_Atomic uint64_t counted, line; /* if wanted: `line` is the line at `counted`, where a range is read from */
};

/* A cut: the range begins at `at`, and is read from `from` on. */
struct cut {
	uint64_t at, from;
};

/* Where the range ends that begins at `at`, of about `size` bytes.  False if it is the last one before `end`. */
bool cutter_next(const struct shared_file *f, uint64_t at, uint64_t size, uint64_t end, struct cut *cut);

/* The first message of a mailbox that begins at `at` or later.  False if there is none, or reading failed. */
bool cutter_find_message(const struct source *s, uint64_t at, uint64_t *found);

/* Whether a line of the n bytes begins with a Content-Length, which may hide the beginnings of messages. */
bool cutter_sees_lengths(const char *bytes, size_t n);

#endif
