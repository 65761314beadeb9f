/* The messages in one epoch of a public-inbox archive, format v2: a bare git repository
 * in which each commit, from the first on, has a message in its file `m`.  They are read
 * by git(1). */
#ifndef INPUT_PUBLIC_INBOX_H
#define INPUT_PUBLIC_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct public_inbox;

/* Commits, from the first on. */
struct commit_range {
	char after[65]; /* those after this one, "" for all */
	uint64_t count; /* so many at most, 0 for all */
};

/* Starts git, which names the commits of the range, for public_inbox_part, or, if the range is NULL, gives objects.
 * Returns NULL with the reason in `why`, of WHY_SIZE bytes. */
struct public_inbox *public_inbox_list(const char *path, const struct commit_range *range, char *why);
/* An inbox of the next `count` commits of a list: several can be read at the same time.  NULL after the last one, when
 * `why` is "", and on failure. */
struct public_inbox *public_inbox_part(struct public_inbox *list, const char *path, size_t count, char *why);
/* Calls `each` for ranges of `size` commits, and the rest, until it does not return 0.  0 or an errno, or what it
 * returned. */
typedef int commit_range_fn(void *user, const struct commit_range *range);
int public_inbox_cut(const char *path, uint64_t size, commit_range_fn *each, void *user);
/* Whether the commit is one of those of the archive, so that others may follow it. */
bool public_inbox_has(const char *path, const char *commit);
/* Stops git.  NULL is allowed. */
void public_inbox_free(struct public_inbox *b);

/* The commit of the next message; NULL after the last, and after a failure. */
const char *public_inbox_next(struct public_inbox *b);
/* Reads up to `size` bytes of its message: returns their number, 0 at the end, -1 on
 * failure. */
ssize_t public_inbox_read(struct public_inbox *b, void *block, size_t size);
/* After the last message: whether all messages were read; if not, `why` is the reason.  *ended: git read all commits,
 * though it may have lost messages. */
bool public_inbox_good(struct public_inbox *b, char *why, bool *ended);

#endif
