/* Line ends counted: LF, CRLF and lone CR. */
#ifndef TEXT_LINES_H
#define TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many line ends begin in [p, p + n): an LF behind a CR belongs to it.
 * *after_cr: whether the byte before was a CR; then whether the last one is.  By the widest vectors the machine has. */
uint64_t lines_count(const uint8_t *p, size_t n, bool *after_cr);

#endif
