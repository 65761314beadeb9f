/* What is done in the order of the sources, whoever did the work before: writing,
 * leaving out links that were there already, counting, speaking. */
#ifndef INPUT_OUTPUT_QUEUE_H
#define INPUT_OUTPUT_QUEUE_H

#include "inputs.h"
#include "report.h"
#include "unique.h"

#include <sys/types.h>

struct tally {
	uint64_t files, bytes, messages, links, errors, limits, damage;
};

enum queue_op {
	QUEUE_BYTES,        /* bytes for standard output */
	QUEUE_ERROR_LINE,        /* a line for standard error */
	QUEUE_SOURCE,     /* a source begins: its name, with its NUL */
	QUEUE_SOURCE_END,
	QUEUE_TALLY,      /* a struct tally to add */
	QUEUE_LINK,       /* under -u, a struct queue_link: the bytes up to QUEUE_LINK_END are of it */
	QUEUE_LINK_END
};

struct queue_link {
	struct hash128 hash;
	bool in_message;
	uint64_t message, offset; /* where a message begins, and where the link does */
};

struct output_queue {
	const struct settings *settings;
	struct progress *progress;
	struct unique *unique; /* NULL but for -u */
	urlsift_renderer *renderer; /* to standard output */
	int error;             /* errno of the first write to it that failed, or 0 */
	int spool;             /* file of the table of messages, -1 for none */
	off_t spool_at;        /* where it is read */
	char spool_error[WHY_SIZE];
	struct tally total;
	uint64_t links, damage; /* of this source */
	char *source;          /* a copy of its name, or NULL */
	const char *name;      /* the name, "-" between sources */
	bool skip;             /* what comes is of a link that was there before */
	bool unique_full;      /* was said */
};

/* False without memory; to be finished then as well. */
bool output_queue_init(struct output_queue *o, const struct settings *settings, urlsift_context *context,
                       struct progress *progress);
void output_queue_fini(struct output_queue *o);

/* Does it, now.  0, or the errno of a write to standard output that failed, now or
 * before. */
int output_queue_put(struct output_queue *o, enum queue_op kind, const void *bytes, size_t n);
/* Whether the link is new to -u, which remembers it. */
bool output_queue_is_new(struct output_queue *o, const struct queue_link *link);
/* The run is over: --summary, and what is still to be written.  Returns the exit
 * status. */
enum status output_queue_end(struct output_queue *o);

#endif
