/* A URL taken apart by RFC 3986 section 3 (appendix B): always possible, judges
 * nothing, decodes nothing. */
#ifndef URL_SPLIT_H
#define URL_SPLIT_H

#include "urlsift.h"

/* Fills `url`; its components are ranges of `text`.  One pass. */
void split_url(const char *text, size_t length, urlsift_url *url);

#endif
