/* What is to be read, in order: names become sources, folders their messages,
 * large mailboxes ranges. */
#ifndef INPUT_INPUTS_H
#define INPUT_INPUTS_H

#include "filter.h"
#include "folder.h"
#include "source.h"

#include "urlsift-render.h"

#include <stdio.h>

enum {
	/* Smaller ranges give more to share, larger ones less to read twice where a message
	 * is larger than they are. */
	INPUTS_RANGE = 2 * 1024 * 1024
};

/* The words of --input, in their order. */
enum input { INPUT_AUTO, INPUT_TEXT, INPUT_MAIL, INPUT_MBOX, INPUT_MAILDIR, INPUT_MH, INPUT_SPOOL };

/* What is asked for on the command line. */
struct settings {
	urlsift_render_options out;
	unsigned needs;  /* urlsift_render_needs of them */
	urlsift_options *scan;
	struct filter *filter;
	int unique, summary, fail_if_none, message_ids, progress;
	bool range;      /* --range: messages that begin in [range_from, range_to) */
	uint64_t range_from, range_to;
	uint64_t cut;    /* bytes of a range of a mailbox, a job */
	long input, headers; /* an enum input, a urlsift_headers */
	long max_depth, max_parts, max_header, unique_limit, match_limit, jobs;
	const char *files_from;
	char **files;
	size_t file_count;
};

enum job_kind {
	JOB_SOURCE, /* a file from its beginning to its end; or several small ones */
	JOB_RANGE,  /* the messages of an mbox that begin in a range of it */
	JOB_EPOCH   /* the messages in a git repository of public-inbox */
};

struct public_inbox;

struct job {
	enum job_kind kind;
	char *name;       /* of the source; or the names of so many, one behind the other */
	size_t names;     /* with those behind the first */
	char *why;        /* it cannot be read for this; else NULL */
	enum input input; /* what the source is */
	uint64_t size;    /* bytes, as far as is known */
	bool large;       /* may take long, whatever the size says */
	struct public_inbox *inbox; /* of an epoch */
	/* Of a range: */
	struct source source;
	uint64_t offset, stop; /* the range; `stop` is 0 for the end of the mbox */
	uint64_t from, line; /* where to feed from to find its first message; the line there, where it is wanted */
	bool first;       /* of the source, or of what is wanted of it */
	bool last;
};

/* Releases what a job holds.  A job of zeros is allowed. */
void job_fini(struct job *job);

enum { INPUTS_NAME_LONGEST = 4096 }; /* bytes of a name read from a list */

struct names {
	char **argument; /* not owned */
	size_t count, at;
	const char *list; /* name of the list or NULL */
	char separator;
	bool standard_input; /* is still to come */
	FILE *file;
	char name[INPUTS_NAME_LONGEST + 1];
};

struct inputs {
	const struct settings *settings;
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

void inputs_init(struct inputs *p, const struct settings *settings, bool cut);
void inputs_fini(struct inputs *p);
/* The name that comes first; NULL for none. */
const char *inputs_first(struct inputs *p);
/* The next job, for job_fini; false when there is none. */
bool inputs_next(struct inputs *p, struct job *job);
/* Whether there may be more. */
bool inputs_more(const struct inputs *p);

#endif
