/* Parameters of a query that only say where the reader came from, such as utm_source. */
#ifndef TEXT_TRACKING_H
#define TEXT_TRACKING_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the next parameter of the query that only says where the reader came from: *at is 0, or the index that was set
 * before.  Sets *at and the length of its name; false where there is none. */
bool tracking_next(const char *url, size_t n, size_t *at, size_t *name_length);
/* Copies the URL without these parameters to `kept`, which has room for it.  Returns the length. */
size_t tracking_remove(const char *url, size_t n, char *kept);

#endif
