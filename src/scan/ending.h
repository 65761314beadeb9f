/* The end of a bare link by what is around it: delimiters that enclose it whole, lists, rulers (B3, B4, B8, D1). */
#ifndef SCAN_ENDING_H
#define SCAN_ENDING_H

#include "candidate.h"

/* Begins the extent of the link at `begin`, which is read up to i: what precedes it may end it (A1c, B5a, B8, D1) or
 * says what a backslash in it is (J1).  Looks LINE_LOOK bytes back. */
void ending_begin(const struct candidate *c, struct extent *x, size_t begin, size_t i);

/* Moves the end of the link that was read: a ruler and the end of a comment go (B3, B4); `#`, `?`, `*` or all that B4
 * would take stays where it belongs to the link.  Looks BACK_LOOK bytes back.  False: nothing of it is left. */
bool ending_settle(const struct candidate *c, struct bare *b);

#endif
