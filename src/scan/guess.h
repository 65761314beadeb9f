/* Guessed joins of bare links broken over lines (J2, J3). */
#ifndef SCAN_GUESS_H
#define SCAN_GUESS_H

#include "bare.h"

/* `link` was read as bare and ended as `x` tells.  Adds the joined reading as an
 * alternate, or makes it the link (URLSIFT_JOIN_LIKELY; *end then moves on).
 * MORE when the next line is not there yet, else YES.  Looks BACK_LOOK back and
 * one line of LINE_LOOK bytes ahead. */
enum verdict guess_join(const struct rules *rules, const struct view *v, const struct opening *o, const struct extent *x,
                        struct urlsift_link *link, size_t *end);

#endif
