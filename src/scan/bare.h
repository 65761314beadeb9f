/* Links without brackets, from where they begin to where they end (B, D, S, M). */
#ifndef SCAN_BARE_H
#define SCAN_BARE_H

#include "candidate.h"
#include "extent.h"
#include "opening.h"
#include "schemepart.h"

/* Reads the link whose body was checked; the extent goes on from b->rest.
 * `solid` is the index behind which something of its own must be left.
 * YES: link has text, parts and flags (no scheme, no convention but for quoted
 * against bare); *x tells how it ended. */
enum verdict bare_read(const struct rules *rules, const struct view *v, const struct opening *o, const struct body *b,
                       size_t solid, struct urlsift_link *link, struct extent *x);

/* J1, join.c: the extent over all its lines; pieces[0..*count) are the ranges read. */
enum verdict join_run_lines(const struct rules *rules, const struct view *v, bool joins, size_t solid,
                            struct extent *x, struct span *pieces, size_t *count);
/* B2 once more for an authority that was broken: the link ends where it does
 * when the lines stand together. */
void join_check_authority(const struct view *v, const struct opening *o, const struct body *b, const struct span *pieces,
                          size_t *count, struct urlsift_link *link, struct extent *x);

#endif
