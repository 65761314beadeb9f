/* "Did you mean ...?" */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/* The word nearest to a misspelt one, or NULL when none is near: one that it
 * begins, or at most two letters away.  word(i) is candidate i, NULL behind the
 * last and "" for none. */
const char *nearest_word(const char *misspelt, const char *(*word)(size_t i));

#endif
