/* The messages in an epoch of a public-inbox archive, format v2: a bare git
 * repository in which each commit, first to last, has a message as its file `m`.
 * git is run to read them. */
#ifndef INPUT_PUBLIC_INBOX_H
#define INPUT_PUBLIC_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct public_inbox;

/* Starts reading.  NULL, and in `why`, of WHY_SIZE bytes, the reason. */
struct public_inbox *public_inbox_new(const char *path, char *why);
/* Ends the programs that run.  NULL is allowed. */
void public_inbox_free(struct public_inbox *b);

/* Goes to the next message: the commit that added it.  NULL behind the last, and
 * when reading failed. */
const char *public_inbox_next(struct public_inbox *b);
/* Its next bytes, up to `size`: how many, 0 at its end, -1 when reading failed. */
ssize_t public_inbox_read(struct public_inbox *b, void *block, size_t size);
/* Whether all went well, behind the last message; else `why` tells. */
bool public_inbox_good(struct public_inbox *b, char *why);

#endif
