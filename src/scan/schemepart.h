/* What may stand behind a scheme's colon (B2, B10). */
#ifndef SCAN_SCHEMEPART_H
#define SCAN_SCHEMEPART_H

#include "host.h"
#include "opening.h"
#include "url/scheme.h"

/* How a URL goes on behind the colon. */
struct schemepart {
	bool alone;     /* a host without userinfo (S1) */
	bool authority; /* it has one that was looked at, and it begins */
	size_t host;    /* here */
	size_t rest;    /* where the extent goes on: all before is the link's own */
	bool ends;      /* the link ends at `rest` whatever comes (B2: no host can hold it) */
	bool torn;      /* hyphens or full stops and a soft line break (J1) stand at `rest`: the
	                   host's own if it goes on behind that */
	bool escaped;   /* `:\/\/` (B7) */
	bool hier;      /* `//` */
};

/* The `//` at i: 2, the `\/\/`: 4, else 0. */
enum verdict schemepart_slashes(const struct view *v, size_t i, size_t *width);
/* Whether what begins at i (behind the colon) could be a URL of the row;
 * `row` NULL is an unknown scheme.  `delimited`: inside brackets or quotes,
 * where a scheme known only by name counts too; `o` tells what stands before.  Looks at no more than the
 * authority, or LINE_LOOK bytes. */
enum verdict schemepart_check(const struct view *v, size_t i, const struct scheme *row, bool delimited,
                        const struct opening *o, struct schemepart *b);
/* The same of a text that is a link's own, to its end. */
bool schemepart_whole(const struct view *v, size_t i, const struct scheme *row, bool delimited, struct schemepart *b);
/* B10: whether the n bytes of text, a URL with `//` whose unknown scheme has `scheme` bytes, are more than noise. */
bool schemepart_unknown(const uint8_t *text, size_t n, size_t scheme);
/* A host alone at i (S1, S2, M1). */
enum verdict authority_host(const struct view *v, size_t i, const struct opening *o, struct host *h,
                            struct schemepart *b);
/* An authority at i (B2, B11): b->rest behind the host, port not looked at. */
enum verdict authority_read(const struct view *v, size_t i, const struct opening *o, struct schemepart *b);

#endif
