/* References against a base: RFC 3986 section 5.2 (strict), RFC 1630's partial forms. */
#ifndef URL_RESOLVE_H
#define URL_RESOLVE_H

#include "split.h"

/* Writes the absolute URL, at most `size` bytes of it, and returns its whole
 * length.  Nothing is encoded or decoded.  Linear. */
size_t resolve_rfc3986(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size);
/* RFC 1630 "Partial (relative) form": a run of n slashes at the start refers to
 * the first run of exactly n in the base with no longer run right of it. */
size_t resolve_rfc1630(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size);

#endif
