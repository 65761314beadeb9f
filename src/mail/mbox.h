/* A mailbox, or one message, cut into messages (RFC 4155 and the dialects). */
#ifndef MAIL_MBOX_H
#define MAIL_MBOX_H

#include "mime.h"

enum { MBOX_LINE_MAX = 1024 }; /* no From_ line is longer */

struct mbox {
	struct parser *parser;
	struct mime *mime;
	bool open;        /* a message is being read */
	bool skipping;    /* before the first From_ line that counts (resync) */
	bool line_start;  /* the next byte begins a line */
	uint8_t tail[3];  /* the bytes before the next one, the last at the end; LF before the first */
	uint8_t held[MBOX_LINE_MAX];
	struct line_hold hold; /* the beginning of a line that may count */
	uint64_t at;      /* source offset of the next byte that is not held */
	uint64_t verbatim; /* no line before this offset counts (Content-Length) */
	uint64_t next_line; /* no line from `at` to this offset counts, when it is larger */
	uint64_t messages;
	uint64_t began, stopped;
	bool stop;
};

/* Whether a line, without its end, separates messages: "From ", and somewhere
 * behind it a time hh:mm and a year of four digits. */
bool mbox_is_from(const uint8_t *line, size_t n);

void mbox_begin(struct mbox *m, struct parser *r, struct mime *mime);
/* Takes bytes.  Errors are left in the reading. */
void mbox_feed(struct mbox *m, const uint8_t *p, size_t n);
void mbox_finish(struct mbox *m);

#endif
