/* The end of a bare link by what is around it: delimiters that enclose it whole, lists, rulers (B3, B4, B8, D1). */
#ifndef SCAN_ENDING_H
#define SCAN_ENDING_H

#include "candidate.h"

/* B8: the bar, comma or semicolon that separates the link at `begin` from its neighbours, or 0.  `floor`: as
 * candidate.floor.  Looks LINE_LOOK bytes back. */
uint8_t ending_separator(const struct view *v, size_t begin, size_t floor);

/* J1: whether the link at `begin` is the argument of `\url` or `\href`, or the value of a BibTeX field. */
bool ending_in_tex(const struct view *v, size_t begin);

/* Moves the end of the link that was read: a ruler and the end of a comment go (B3, B4); `#`, `?`, `*` or all that B4
 * would take stays where it belongs to the link.  Looks BACK_LOOK bytes back.  NO: nothing of it is left. */
enum verdict ending_settle(const struct candidate *c, struct bare *b);

#endif
