/* What is to be done, in order: names become sources, folders their messages,
 * large mailboxes ranges. */
#ifndef INPUT_PLAN_H
#define INPUT_PLAN_H

#include "folder.h"
#include "job.h"
#include "names.h"
#include "cli/options.h"
#include "source.h"

struct plan {
	const struct options *options;
	bool cut;           /* mailboxes are cut into ranges */
	struct names names;
	bool peeked;        /* the next name was taken out already */
	const char *name, *why;
	struct folder *folder; /* whose messages come, or NULL */
	char *inbox;        /* whose epochs come, or NULL */
	long epoch;
	char *box_name;     /* of the mailbox that is being cut, or NULL */
	struct source box;
	uint64_t at, end;   /* where the next range begins, and the last one ends */
	struct source_lines lines; /* in it, when they are wanted */
	char *block;        /* for a look at mailboxes */
};

void plan_init(struct plan *p, const struct options *options, bool cut);
void plan_fini(struct plan *p);
/* The name that comes first; NULL for none. */
const char *plan_first(struct plan *p);
/* The next job, for job_fini; false when there is none. */
bool plan_next(struct plan *p, struct job *job);
/* Whether there may be more. */
bool plan_more(const struct plan *p);

#endif
