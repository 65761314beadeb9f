/* Patterns with `*` (any run of bytes) and `?` (one byte). */
#ifndef CLI_GLOB_H
#define CLI_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the whole text is of the pattern, without regard to the letter case
 * of ASCII.  Costs at most length times the pattern's length, no memory. */
bool glob_matches(const char *pattern, const char *text, size_t length);

#endif
