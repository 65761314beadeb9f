/* What the mail layer says of an input, as one text: two of the same input, however it
 * was cut, must be equal.  Checks on the way what holds for every input. */
#ifndef TESTS_MAIL_TRACE_H
#define TESTS_MAIL_TRACE_H

#include "urlsift-mail.h"

#include <stdbool.h>

struct mail_trace {
	const uint8_t *source; /* NULL: not compared */
	size_t source_length;
	char *text;
	size_t length, room;
	bool plain_last;       /* the last piece was plain: another one is joined to it */
	char notices[4096];    /* that came since the last link or place: plain text may be cut anywhere around them */
	size_t notices_length;
	bool converts;         /* a charset of the source is not ASCII in its own bytes (UTF-7, UTF-16) */
	const char *wrong;     /* the first thing that did not hold, static; NULL for none */
	unsigned long links;
};

void mail_trace_clear(struct mail_trace *t);
/* The input is over; before this the trace is not whole. */
void mail_trace_end(struct mail_trace *t);
urlsift_mail_sink mail_trace_sink(struct mail_trace *t);

#endif
