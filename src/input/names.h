/* The names of the sources: the arguments, then those of a list in a file. */
#ifndef INPUT_NAMES_H
#define INPUT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NAMES_LONGEST = 4096 }; /* bytes of a name read from a list */

struct names {
	char **argument; /* not owned */
	size_t count, at;
	const char *list; /* name of the list or NULL */
	char separator;
	bool standard_input; /* is still to come */
	FILE *file;
	char name[NAMES_LONGEST + 1];
};

/* `list` is the file with more names, "-" for standard input, NULL for none;
 * each name ends at `separator`.  No argument and no list is standard input.
 * The struct must stay where it is until names_fini. */
void names_init(struct names *n, char **argument, size_t count, const char *list, char separator);
void names_fini(struct names *n);

/* The next name, valid until the next call; NULL when there are no more.  When
 * *why is set, the name returned cannot be read, or is the list's own and the
 * list cannot, and *why says why. */
const char *names_next(struct names *n, const char **why);
/* Whether there may be more. */
bool names_more(const struct names *n);

#endif
