/* Hosts beyond ASCII: their A-labels (RFC 5890), through libidn2 where it is
 * built in (URLSIFT_WITH_IDN2). */
#ifndef URL_IDNA_H
#define URL_IDNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether libidn2 is built in. */
bool idna_available(void);
/* The host (UTF-8, RFC 3987 ireg-name, no port) as A-labels, mapped by UTS 46
 * (non-transitional, as browsers do).  False when it has none or libidn2 is
 * not built in; *n is then untouched.  Writes at most 255 bytes. */
bool idna_to_ascii(const uint8_t *host, size_t length, char out[256], size_t *n);

#endif
