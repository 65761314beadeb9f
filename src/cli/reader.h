/* Does one job after the other: sources through the scanner or the mail parser,
 * and the filters, into an output. */
#ifndef CLI_READER_H
#define CLI_READER_H

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

/* A reader that is alone, with seats of NULL, or one of several.  False without
 * memory; to be finished then as well. */
bool reader_init(struct reader *r, const struct options *options, urlsift_context *context, struct order *order,
                 struct progress *progress, bool alone);
void reader_fini(struct reader *r);
/* Does the job: that of the seat, or `job` alone. */
void reader_do(struct reader *r, struct seat *seat, const struct job *job);

#endif
