/* Gives up the rights that the command does not need, so that a fault in a parser can lead to wrong output only: to
 * write files, to run programs, to use the network, to trace processes, to read files that were not named. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
	char *const *reads;  /* the files that may still be opened for reading; "-" is ignored */
	size_t read_count;
	bool read_any;       /* any file may be read */
	const char *writes;  /* files may be created in this folder and in that for temporary files; or NULL */
	bool write_any;
	bool runs;           /* programs may be run */
};

/* Restricts this thread and those it starts from now on, irrevocably.  Does nothing on systems that do not support it.
 * Open files stay open. */
void sandbox_enter(const struct sandbox *s);

/* The mechanisms that this system has, such as "Landlock, seccomp"; NULL for none.  At most `size` bytes with the
 * NUL. */
const char *sandbox_name(char *to, size_t size);

#endif
