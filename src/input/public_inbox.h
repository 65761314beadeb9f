/* The messages in one epoch of a public-inbox archive, format v2: a bare git repository
 * in which each commit, from the first on, has a message in its file `m`.  They are read
 * by git(1). */
#ifndef INPUT_PUBLIC_INBOX_H
#define INPUT_PUBLIC_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct public_inbox;

/* Starts git, for all messages or those of the commits after `after`, "" for all.  NULL with the reason in `why`, of
 * WHY_SIZE bytes. */
struct public_inbox *public_inbox_new(const char *path, const char *after, char *why);
/* Whether the commit is one of those of the archive, so that others may follow it. */
bool public_inbox_has(const char *path, const char *commit);
/* Stops git.  NULL is allowed. */
void public_inbox_free(struct public_inbox *b);

/* The commit of the next message; NULL after the last, and after a failure. */
const char *public_inbox_next(struct public_inbox *b);
/* Reads up to `size` bytes of its message: returns their number, 0 at the end, -1 on
 * failure. */
ssize_t public_inbox_read(struct public_inbox *b, void *block, size_t size);
/* After the last message: whether all messages were read; if not, `why` is the reason. */
bool public_inbox_good(struct public_inbox *b, char *why);

#endif
