/* One run of the command: the sources through the scanner and the filters into
 * an output. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "options.h"

/* Reads every source that the options name and writes to standard output; what
 * goes wrong is said on standard error.  Returns the exit status. */
enum status run_options(struct options *o);

#endif
