/* A file that is written beside the old one and gets its name when it is whole. */
#ifndef CLI_REPLACEMENT_H
#define CLI_REPLACEMENT_H

#include "input/memory.h"

#include <stdbool.h>
#include <sys/stat.h>

struct replacement {
	char *path;       /* of the old file, without symbolic links */
	char *new;        /* of the new one, until it is renamed; or NULL */
	struct stat old;  /* zeros if there is no old file */
	int fd;           /* of the new file, or -1 */
	struct memory_undo undo; /* which removes it */
};

/* Finds the old file.  0 or an errno: ENOENT if there is none. */
int replacement_find(struct replacement *r, const char *name);
/* DIR/PREFIX + NAME + SUFFIX, for free(). */
char *replacement_beside(const struct replacement *r, const char *prefix, const char *suffix);
/* Creates the new file, with the mode of the old one and its owner; `owned`: it is an error if it cannot have this
 * owner.  0 or an errno. */
int replacement_create(struct replacement *r, bool owned);
/* Whether the new file, which is whole, says what the old one does, byte by byte. */
bool replacement_is_same(const struct replacement *r);
/* The new file replaces the old one, which with a `backup` gets that name.  0 or an errno; `edited`: the new file comes
 * from the old one, and it is ESTALE that this one has changed since it was found. */
int replacement_finish(struct replacement *r, const char *backup, bool edited);
/* Removes the new file if it has not replaced the old one. */
void replacement_fini(struct replacement *r);

#endif
