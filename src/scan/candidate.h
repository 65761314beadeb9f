/* From a byte that can give a link away to the link: which rule speaks there. */
#ifndef SCAN_CANDIDATE_H
#define SCAN_CANDIDATE_H

#include "link.h"
#include "rules.h"

struct found {
	size_t end;  /* where the search goes on */
	bool link;   /* false: nothing to report, but the text up to `end` is used up (B10) */
};

/* i is a place that find_next gave.  `floor`: nothing before it may be taken, a
 * link before ends there; `last_part` is where that link's last part begins.
 * NO: no link is given away here. */
enum verdict candidate_read(const struct rules *rules, const struct view *v, size_t i, size_t floor, size_t last_part,
                            struct urlsift_link *link, struct found *found);

#endif
