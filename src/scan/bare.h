/* Links without brackets, from where they begin to where they end (B, D, S, M). */
#ifndef SCAN_BARE_H
#define SCAN_BARE_H

#include "body.h"
#include "extent.h"
#include "link.h"
#include "rules.h"

void opening_read(const struct view *v, size_t begin, struct opening *o);

/* Reads the link whose body was checked; the extent goes on from b->rest.
 * `solid` is the index behind which something of its own must be left.
 * YES: link has text, parts and flags (no scheme, no convention but for quoted
 * against bare); *x tells how it ended. */
enum verdict bare_read(const struct rules *rules, const struct view *v, const struct opening *o, const struct body *b,
                       size_t solid, struct urlsift_link *link, struct extent *x);

#endif
