/* From bytes to an output: through the scanner or the mail parser, and the filters. */
#ifndef INPUT_WORKER_H
#define INPUT_WORKER_H

#include "pool.h"

struct worker {
	const struct settings *settings;
	urlsift_context *context;
	struct output_queue *queue;
	struct progress *progress;
	struct slot *slot;      /* NULL alone */
	const struct job *job;
	urlsift_renderer *renderer; /* alone the queue's, else into the slot */
	const int *error;       /* that of the queue, or own_error */
	int own_error;          /* what the slot answered first that was not 0 */
	const char *source;     /* the name of what is read */
	const urlsift_place *place; /* in a message; NULL in plain text */
	struct filter_desk *filter; /* NULL when every link passes */
	struct room form;
	urlsift_scanner *scanner; /* these two on first need */
	urlsift_mail *mail;
	bool in_mail;           /* which of them is fed */
	char *block;
	bool choosy;            /* not every link is shown */
	bool shown;             /* the link whose parts come */
	urlsift_status status;  /* of what is fed */
	struct tally tally;     /* not told to the order yet */
};

/* A reader that is alone, its slots NULL, or one of several.  False without memory; to
 * be finished then as well. */
bool worker_init(struct worker *r, const struct settings *settings, urlsift_context *context, struct output_queue *queue,
                 struct progress *progress, bool alone);
void worker_fini(struct worker *r);

/* A source begins, is counted, and ends. */
void worker_begin_source(struct worker *r, const char *name);
void worker_end_source(struct worker *r);

/* What worker_feed gets is a text, or mail under these options; r->status says when it
 * is not to be. */
void worker_begin_text(struct worker *r);
void worker_begin_mail(struct worker *r, const urlsift_mail_options *options);
/* The options of mail as the command line has them. */
urlsift_mail_options worker_mail_options(const struct worker *r, urlsift_mail_kind kind);
/* False when no more is wanted; r->status has the reason. */
bool worker_feed(struct worker *r, const void *bytes, size_t n);
/* The text or the mail is over; what went wrong in it is said. */
void worker_finish(struct worker *r);

/* Names what is read, for what follows. */
void worker_name(struct worker *r, const char *name);
/* Says what is wrong with the source, and counts it. */
void worker_fail(struct worker *r, const char *what);
void worker_fail_errno(struct worker *r, int error);
/* Forgets what was written and not handed on, and errors, of a worker that is not alone. */
void worker_restart(struct worker *r);
/* Hands what was counted to the order. */
void worker_put_tally(struct worker *r);

/* Does the job: that of the slot, or, alone, with a slot of NULL, any. */
void worker_do(struct worker *r, struct slot *slot, const struct job *job);

#endif
