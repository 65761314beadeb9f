/* The top-level domains of the root zone. */
#ifndef URL_TLD_H
#define URL_TLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the label is one, in ASCII of any letter case, as A-label or in
 * UTF-8.  Binary search in a sorted table. */
bool tld_known(const uint8_t *label, size_t length);

#endif
