/* Hosts beyond ASCII: their A-labels (RFC 5890), through libidn2 where it is
 * built in (URLSIFT_WITH_IDN2). */
#ifndef URL_IDNA_H
#define URL_IDNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	IDNA_LABEL_MAX = 63, /* octets of a label (RFC 1035) */
	IDNA_HOST_MAX = 1024 /* bytes of a host beyond ASCII that are looked at */
};

/* Whether libidn2 is built in. */
bool idna_available(void);
/* The host (RFC 3987 ireg-name read by rule C1, no port) as A-labels, mapped by
 * UTS 46 (non-transitional, as browsers do); escapes in it are decoded first.
 * False when it has none, when what comes out holds a delimiter or another
 * character that RFC 3986 lets no reg-name hold, or when libidn2 is not built in;
 * *n is then untouched.  Writes at most 255 bytes.  libidn2 takes its memory
 * from malloc. */
bool idna_to_ascii(const uint8_t *host, size_t length, char out[256], size_t *n);
/* The host with its escapes decoded, as UTF-8.  False when it is over
 * IDNA_HOST_MAX bytes or an escape is no part of UTF-8. */
bool idna_decode_host(const uint8_t *host, size_t length, uint8_t out[IDNA_HOST_MAX], size_t *n);
/* The code points that an A-label (`xn--` in any letter case, and what follows)
 * stands for (RFC 3492).  False when it stands for nothing, for ASCII alone, or
 * for a control or surrogate. */
bool idna_decode_label(const uint8_t *label, size_t length, uint32_t out[IDNA_LABEL_MAX], size_t *count);

#endif
