/* Links in brackets, put back together: <URL:...> (W), <...> (A), hyphens (H). */
#ifndef SCAN_BRACKET_H
#define SCAN_BRACKET_H

#include "link.h"
#include "options.h"

/* A pair of brackets that holds links. */
struct wrapper { uint8_t open, close; };

struct bracket {
	const struct wrapper *kind;
	size_t open;      /* index of the opening bracket */
	size_t content;   /* where the content begins */
	size_t url;       /* where `URL:` does, in a wrapper */
	size_t floor;     /* where the link before ends */
	size_t last_part; /* and where its last part begins */
	bool angle;       /* plain angle brackets, no `URL:` */
};

/* Reads the wrapper or plain angle brackets.  YES: `link` is made and *end is
 * the index behind the `>` (or behind what A2 lets it be).  NO: the text is no
 * such link and is to be read again as free text (W3, W4).  Looks at no more
 * than SPAN_MAX bytes. */
enum verdict bracket_read(const struct rules *rules, const struct view *v, const struct bracket *at,
                          struct urlsift_link *link, size_t *end);

#endif
