/* From a byte that can give a link away to the link: which rule speaks there. */
#ifndef SCAN_CANDIDATE_H
#define SCAN_CANDIDATE_H

#include "link.h"
#include "rules.h"

/* What became of the text before. */
struct past {
	size_t floor;     /* nothing before it may be taken: the last link ends there */
	size_t last_part; /* where that link's last part begins */
	size_t unclosed;  /* no emphasis opens before it: one that did never closed (B6) */
};

struct found {
	size_t end;      /* where the search goes on */
	bool link;       /* false: nothing to report, but the text up to `end` is used up (B10) */
	size_t from;     /* and where that text begins */
	size_t unclosed; /* for struct past, with NO; or 0 */
};

/* i is a place that find_next gave.  NO: no link is given away here. */
enum verdict candidate_read(const struct rules *rules, const struct view *v, size_t i, const struct past *past,
                            struct urlsift_link *link, struct found *found);

#endif
