/* From bytes to an output: through the scanner or the mail parser, and the filters. */
#ifndef INPUT_READER_H
#define INPUT_READER_H

#include "jobs.h"

struct reader {
	const struct options *options;
	const struct output *output;
	urlsift_context *context;
	struct order *order;
	struct progress *progress;
	struct seat *seat;      /* NULL alone */
	const struct job *job;
	struct out *out;        /* alone the order's, else `own` */
	struct out own;
	struct writer writer;   /* into the seat, when not alone */
	struct filter_desk *filter; /* NULL when every link passes */
	struct escape_form form;
	urlsift_scanner *scanner; /* these two on first need */
	urlsift_mail *mail;
	bool in_mail;           /* which of them is fed */
	char *block;
	bool choosy;            /* not every link is shown */
	bool shown;             /* the link whose parts come */
	urlsift_status status;  /* of what is fed */
	struct tally tally;     /* not told to the order yet */
};

/* A reader that is alone, its seats NULL, or one of several.  False without memory; to
 * be finished then as well. */
bool reader_init(struct reader *r, const struct options *options, urlsift_context *context, struct order *order,
                 struct progress *progress, bool alone);
void reader_fini(struct reader *r);

/* A source begins, is counted, and ends. */
void reader_begin_source(struct reader *r, const char *name);
void reader_end_source(struct reader *r);

/* What reader_feed gets is a text, or mail under these options; r->status says when it
 * is not to be. */
void reader_begin_text(struct reader *r);
void reader_begin_mail(struct reader *r, const urlsift_mail_options *options);
/* The options of mail as the command line has them. */
urlsift_mail_options reader_mail_options(const struct reader *r, urlsift_mail_kind kind);
/* False when no more is wanted; r->status has the reason. */
bool reader_feed(struct reader *r, const void *bytes, size_t n);
/* The text or the mail is over; what went wrong in it is said. */
void reader_finish(struct reader *r);

/* Says what is wrong with the source, and counts it. */
void reader_fail(struct reader *r, const char *what);
void reader_fail_errno(struct reader *r, int error);
/* Hands what was counted to the order. */
void reader_put_tally(struct reader *r);

#endif
