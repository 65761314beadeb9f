/* What a reader should know of a URL before following it (RFC 1738 section 6,
 * RFC 3986 section 7, and what mail has seen since).  One row a warning. */
#ifndef URL_WARN_H
#define URL_WARN_H

#include "split.h"

/* Bytes that every program should take (RFC 9110 section 4.1): a longer URL is
 * too long. */
enum { WARN_LENGTH_MAX = 8000 };

/* The warnings of the URL, URLSIFT_WARN_ flags or-ed.  `flags` are the link's
 * (0 for a URL alone).  Linear; no allocation but where the host is beyond ASCII
 * or has A-labels, whose mapping libidn2 checks. */
unsigned warn_url(const urlsift_url *url, unsigned flags);
/* The same of a link's text, to which `supplied` ("", "http://", "mailto:" ...)
 * belongs in front. */
unsigned warn_link(const char *supplied, const char *text, size_t length, unsigned flags);

#endif
