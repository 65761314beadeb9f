/* What a client would do with a URL (RFC 1738 section 3 and the RFCs of the
 * other schemes): its fields, split first and decoded then. */
#ifndef URL_INTERPRET_H
#define URL_INTERPRET_H

#include "split.h"

/* Calls `each` for every field in the order of the scheme's table.  Values live
 * until the call returns.  Its non-zero return stops.  Interprets what is there,
 * valid or not; fields that are absent are not called, empty ones are. */
urlsift_status interpret_url(const urlsift_allocator *alloc, const urlsift_url *url, urlsift_field_fn each, void *user);

#endif
