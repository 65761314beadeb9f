/* A line that may count, gathered from where the input is cut. */
#ifndef MAIL_LINE_HOLD_H
#define MAIL_LINE_HOLD_H

#include <stddef.h>
#include <stdint.h>

struct line_hold {
	uint8_t *held;  /* room for `cap` bytes */
	size_t cap;     /* no line that counts is longer */
	size_t length;  /* held so far */
};

enum line_held { LINE_WHOLE, LINE_MORE, LINE_LONG };

struct line {
	const uint8_t *p;
	size_t length;  /* with its LF */
	size_t taken;   /* of the new bytes */
};

/* The line that begins with what is held and goes on at p, n > 0 bytes.  WHOLE: it is
 * there, in place or, when something was held, in the hold, which the caller then
 * empties.  MORE: all n bytes are held.  LONG: longer than `cap`; nothing is taken. */
enum line_held line_gather(struct line_hold *h, const uint8_t *p, size_t n, struct line *line);

#endif
