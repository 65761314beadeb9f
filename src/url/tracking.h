/* Parameters that only say where the reader came from, such as utm_source: in a query, and in a fragment that is a list
 * of parameters. */
#ifndef TEXT_TRACKING_H
#define TEXT_TRACKING_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the next such parameter: *at is 0, or the index that was set
 * before.  Sets *at and the length of its name; false where there is none. */
bool tracking_next(const char *url, size_t n, size_t *at, size_t *name_length);
/* Copies the URL without these parameters to `kept`, which has room for it.  Returns the length. */
size_t tracking_remove(const char *url, size_t n, char *kept);

#endif
