/* What a reader should know of a URL before following it (RFC 1738 section 6,
 * RFC 3986 section 7, and what mail has seen since).  One row a warning. */
#ifndef URL_WARN_H
#define URL_WARN_H

#include "split.h"

/* The warnings of the URL, URLSIFT_WARN_ flags or-ed.  `flags` are the link's
 * (0 for a URL alone).  Linear; no allocation for an ASCII host. */
unsigned warn_url(const urlsift_url *url, unsigned flags);

#endif
