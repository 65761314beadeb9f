/* What must hold for a link by what stands at its place in the text. */
#ifndef FUZZ_PLACE_H
#define FUZZ_PLACE_H

#include "bytes.h"

#include "urlsift.h"

/* Aborts unless the link agrees with a text of which nothing is removed.  *cut: where the last link ends that was cut
 * at a limit. */
void place_check(const struct bytes *source, const urlsift_link *l, uint64_t *cut);
/* Aborts if the link is a hyperlink of a terminal whose label does not end at a sequence. */
void place_check_label(const struct bytes *source, const urlsift_link *l);

#endif
