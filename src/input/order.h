/* What is done in the order of the sources, whoever did the work before: writing,
 * leaving out links that were there already, counting, speaking. */
#ifndef INPUT_ORDER_H
#define INPUT_ORDER_H

#include "cli/options.h"
#include "cli/progress.h"
#include "cli/unique.h"

struct tally {
	uint64_t files, bytes, messages, links, errors, limits, damage;
};

enum order_kind {
	ORDER_OUT,        /* bytes for standard output */
	ORDER_ERR,        /* a line for standard error */
	ORDER_SOURCE,     /* a source begins: its name, with its NUL */
	ORDER_SOURCE_END,
	ORDER_TALLY,      /* a struct tally to add */
	ORDER_LINK,       /* under -u, a struct order_link: the bytes up to ORDER_LINK_END are of it */
	ORDER_LINK_END
};

struct order_link {
	struct hash128 hash;
	bool in_message;
	uint64_t message, offset; /* where a message begins, and where the link does */
};

struct order {
	const struct options *options;
	struct progress *progress;
	struct unique *unique; /* NULL but for -u */
	struct writer writer;  /* standard output */
	struct out out;
	struct tally total;
	uint64_t links, damage; /* of this source */
	char *source;          /* its name */
	bool skip;             /* what comes is of a link that was there before */
	bool unique_full;      /* was said */
};

/* False without memory; to be finished then as well. */
bool order_init(struct order *o, const struct options *options, urlsift_context *context, struct progress *progress);
void order_fini(struct order *o);

/* Does it, now.  0, or the errno of a write to standard output that failed, now or
 * before. */
int order_do(struct order *o, enum order_kind kind, const void *bytes, size_t n);
/* Whether the link is new to -u, which remembers it. */
bool order_is_new(struct order *o, const struct order_link *link);
/* The run is over: --summary, and what is still to be written.  Returns the exit
 * status. */
enum status order_end(struct order *o);

#endif
