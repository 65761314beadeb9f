/* Gives up what the command does not need, so that a fault in a parser cannot be used for more than wrong output:
 * writing files, running programs, the network, other processes, reading files that were not named. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
	char *const *reads;  /* the files that are still to be opened, "-" for none; with read_any any file */
	size_t read_count;
	bool read_any;
	const char *writes;  /* a folder in which files are made, and in that for temporary ones; or NULL */
	bool write_any;
	bool runs;           /* programs are run */
};

/* From here on, for this thread and those it starts.  Does nothing where the system has no means for it; what it gives
 * up it never gets back.  Files that are open stay so. */
void sandbox_enter(const struct sandbox *s);

/* What this system restricts, such as "Landlock, seccomp"; NULL for nothing.  At most `size` bytes with the NUL. */
const char *sandbox_name(char *to, size_t size);

#endif
