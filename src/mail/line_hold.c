#include "line_hold.h"

#include <string.h>

enum line_held line_gather(struct line_hold *h, const uint8_t *p, size_t n, struct line *line)
{
	size_t room = h->cap - h->length, look = n < room ? n : room;
	const uint8_t *end = memchr(p, '\n', look);
	if (!end && look == room)
		return LINE_LONG;
	size_t taken = end ? (size_t)(end - p) + 1 : n;
	*line = (struct line){p, taken, taken};
	if (end && !h->length)
		return LINE_WHOLE;
	memcpy(h->held + h->length, p, taken);
	h->length += taken;
	line->p = h->held;
	line->length = h->length;
	return end ? LINE_WHOLE : LINE_MORE;
}
