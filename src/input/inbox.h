/* The messages in an epoch of a public-inbox archive, format v2: a bare git
 * repository in which each commit, first to last, has a message as its file `m`.
 * git is run to read them. */
#ifndef INPUT_INBOX_H
#define INPUT_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct inbox;

/* Starts reading.  NULL, and in `why`, of WHY_SIZE bytes, the reason. */
struct inbox *inbox_new(const char *path, char *why);
/* Ends the programs that run.  NULL is allowed. */
void inbox_free(struct inbox *b);

/* Goes to the next message: the commit that added it.  NULL behind the last, and
 * when reading failed. */
const char *inbox_next(struct inbox *b);
/* Its next bytes, up to `size`: how many, 0 at its end, -1 when reading failed. */
ssize_t inbox_read(struct inbox *b, void *block, size_t size);
/* Whether all went well, behind the last message; else `why` tells. */
bool inbox_good(struct inbox *b, char *why);

#endif
