/* The pages about the command itself, on standard output. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options.h"

/* Writes the page that the options' action asks for. */
enum status help_show(const struct options *o);

#endif
