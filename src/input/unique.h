/* Which links were there before (-u), by their comparable form. */
#ifndef INPUT_UNIQUE_H
#define INPUT_UNIQUE_H

#include "filter.h"
#include "text/hashset.h"

struct unique;

/* A set that remembers up to `limit` links, 16 bytes each and as much again in
 * reserve.  NULL without memory. */
struct unique *unique_new(uint64_t limit);
void unique_free(struct unique *u); /* NULL is allowed */

/* What stands for a link in the set; `room` is for its comparable form.  False
 * without memory.  For several threads. */
bool unique_hash(const struct unique *u, const urlsift_link *link, struct room *room, struct hash128 *hash);

/* What the set knows of a link, which it remembers from now on.  Past the limit
 * (and without memory for more) a new one is UNIQUE_FULL: not seen before, not
 * remembered, may come again. */
enum unique_answer { UNIQUE_NEW, UNIQUE_SEEN, UNIQUE_FULL };
enum unique_answer unique_add(struct unique *u, struct hash128 hash);

#endif
