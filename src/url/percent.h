/* The characters that a URL's text means, its escapes decoded (RFC 3986 section
 * 2.1, rule C1). */
#ifndef URL_PERCENT_H
#define URL_PERCENT_H

#include "text/ascii.h"
#include "text/utf8.h"

/* The character at p, of which n >= 1 bytes are there: bytes taken, code point in
 * *cp.  A run of escapes is read like the bytes it means. */
static inline size_t percent_next(const uint8_t *p, size_t n, uint32_t *cp)
{
	uint8_t bytes[4];
	size_t count = 0;
	int byte;
	if (hex_escape(p, p + n) < 0)
		return utf8_next(p, n, cp);
	while (count < sizeof bytes && (byte = hex_escape(p + 3 * count, p + n)) >= 0)
		bytes[count++] = (uint8_t)byte;
	return 3 * utf8_next(bytes, count, cp);
}

#endif
