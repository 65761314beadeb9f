/* Gives up the rights that the command does not need, so that a fault in a parser can lead to wrong output only: to
 * write files, to run programs, to use the network, to trace or signal processes, to read files that were not named. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
	char *const *reads;  /* the files that may still be opened for reading; "-" is ignored */
	size_t read_count;
	bool read_any;       /* any file may be read */
	const char *writes;  /* files may be created in this folder and in that for temporary files; or NULL */
	const char *writes_too; /* the same; or NULL */
	bool write_any;
	const char *runs;    /* the program that may be run; NULL for none */
	bool unpacks;        /* helper processes may be forked, which call sandbox_enter_helper */
	bool compiles;       /* regular expressions may be compiled to machine code */
};

/* Restricts this thread and those it starts from now on, irrevocably.  Open files stay open.  Returns what is missing,
 * such as "Landlock could not be set up", "" where there is no sandbox, and NULL if it is complete. */
const char *sandbox_enter(const struct sandbox *s);

struct settings;
/* Enters it once, unless it is not wanted.  False if something is missing and --require-sandbox was given, which is
 * reported. */
bool sandbox_begin(struct settings *s, const struct sandbox *box);

/* Restricts a process forked after sandbox_enter to computing, and to reading and writing what is open. */
void sandbox_enter_helper(void);

/* Writes a line, without its end, about what can be set up on this system, such as "sandbox: Landlock, seccomp". */
void sandbox_describe(char *to, size_t size);

#endif
