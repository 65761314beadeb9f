/* What is worked on at a time: a source, or as much of a mailbox as suits. */
#ifndef INPUT_JOB_H
#define INPUT_JOB_H

#include "source.h"

/* The words of --input, in their order. */
enum input { INPUT_AUTO, INPUT_TEXT, INPUT_MAIL, INPUT_MBOX, INPUT_MAILDIR, INPUT_MH, INPUT_SPOOL };

enum job_kind {
	JOB_SOURCE, /* a file from its beginning to its end; or several small ones */
	JOB_RANGE,  /* the messages of an mbox that begin in a range of it */
	JOB_EPOCH   /* the messages in a git repository of public-inbox */
};

struct inbox;

struct job {
	enum job_kind kind;
	char *name;       /* of the source; or the names of so many, one behind the other */
	size_t names;     /* with those behind the first */
	char *why;        /* it cannot be read for this; else NULL */
	enum input input; /* what the source is */
	uint64_t size;    /* bytes, as far as is known */
	bool large;       /* may take long, whatever the size says */
	struct inbox *inbox; /* of an epoch */
	/* Of a range: */
	struct source source;
	uint64_t offset, stop; /* the range; `stop` is 0 for the end of the mbox */
	uint64_t from, line; /* where to feed from to find its first message; the line there, where it is wanted */
	bool first;       /* of the source, or of what is wanted of it */
	bool last;
};

/* Releases what a job holds.  A job of zeros is allowed. */
void job_fini(struct job *job);

#endif
