/* A worker: reads jobs, has the scanner or the mail parser find their links, filters
 * them, and has them rendered. */
#ifndef INPUT_WORKER_H
#define INPUT_WORKER_H

#include "pool.h"

struct worker {
	const struct settings *settings;
	struct output_queue *queue;
	struct slot *slot;          /* NULL without a pool */
	const struct job *job;
	urlsift_renderer *renderer; /* to the slot; without a pool that of the queue */
	const int *error;           /* the queue's, or own_error: not 0 when nothing more is wanted */
	int own_error;
	const char *source;         /* the name of what is read */
	const urlsift_place *place; /* in a message; NULL in plain text */
	struct filter_desk *filter; /* NULL when every link passes */
	struct room form;
	urlsift_scanner *scanner;   /* these two when first needed */
	urlsift_mail *mail;
	bool in_mail;               /* which of them is fed */
	bool choosy;                /* not every link is shown */
	bool shown;                 /* the link whose parts come */
	urlsift_status status;      /* of what is fed */
	struct tally tally;         /* not put into the queue yet */
	char *block;
};

/* A worker for jobs of a pool, or the only one.  False without memory; worker_fini is
 * needed then as well. */
bool worker_init(struct worker *w, struct output_queue *queue, bool pooled);
void worker_fini(struct worker *w);

/* Does a job: that of the slot, or, without a pool (NULL), any but a range. */
void worker_do(struct worker *w, struct slot *slot, const struct job *job);

/* ---- For worker_do: from bytes to output (worker_feed.c) ---------------------------- */

/* A source begins, is counted, and ends. */
void worker_begin_source(struct worker *w, const char *name);
void worker_end_source(struct worker *w);
/* Names what is read from now on. */
void worker_name(struct worker *w, const char *name);

/* The options of mail. */
urlsift_mail_options worker_mail_options(const struct worker *w, urlsift_mail_kind kind);
/* What worker_feed gets is text, or mail with these options. */
void worker_begin_text(struct worker *w);
void worker_begin_mail(struct worker *w, const urlsift_mail_options *options);
/* False when no more is wanted; w->status is the reason. */
bool worker_feed(struct worker *w, const void *bytes, size_t n);
/* The text or the mail ends; what went wrong in it is reported. */
void worker_finish(struct worker *w);

/* Reports what is wrong with the source, and counts it. */
void worker_fail(struct worker *w, const char *what);
void worker_fail_errno(struct worker *w, int error);
/* Drops what was rendered and not written, and errors, in a pool. */
void worker_restart(struct worker *w);
/* Hands the tally to the queue. */
void worker_put_tally(struct worker *w);

#endif
