/* The names of the inputs. */
#ifndef INPUT_NAME_LIST_H
#define INPUT_NAME_LIST_H

#include "report.h"

#include <stdio.h>

enum { NAME_LIST_LONGEST = 4096 }; /* bytes of a name in a list */

/* The arguments, then the names in a list. */
struct name_list {
	char **argument; /* not owned */
	size_t count, at;
	const char *list; /* name of the list, or NULL */
	char separator;
	FILE *file;
	char name[NAME_LIST_LONGEST + 1];
	char why[WHY_SIZE];
};

/* The next name, valid until the next call; NULL after the last.  `why` is set when it
 * cannot be read, or is that of the list, which cannot. */
const char *name_list_next(struct name_list *l);
/* Whether there may be more names. */
bool name_list_more(const struct name_list *l);
void name_list_fini(struct name_list *l);

#endif
