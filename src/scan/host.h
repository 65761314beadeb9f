/* Hosts and authorities in free text (B2, B11, B12). */
#ifndef SCAN_HOST_H
#define SCAN_HOST_H

#include "view.h"

enum { HOST_MAX = 255 };

struct host {
	size_t end;         /* index behind the host that could exist */
	size_t labels;
	bool stopped;       /* something no host can hold comes next: the link ends at `end` */
	bool last_alpha;    /* the last label is letters, `xn--...`, or beyond ASCII */
};

/* The host that begins at i.  `mark` is an emphasis mark that stands right
 * before the link ('_' or 0): such marks at the host's end are not its own (B6).
 * NO when none could exist there.  Looks at no more than HOST_MAX bytes and a few. */
enum verdict host_read(const struct view *v, size_t i, uint8_t mark, struct host *h);

/* The label begins at i in [i, end); whether it is letters, xn-- or non-ASCII. */
bool host_label_alpha(const uint8_t *p, size_t n);
/* S2: whether the host is a name under a top-level domain, has no `_` in the label before, and reads like no
 * file's name; `path`: one follows. */
bool host_is_domain(const uint8_t *p, size_t n, bool path);
uint32_t host_before(const struct view *v, size_t i, size_t *begin); /* what view_before does, beyond ASCII */
/* The letter, digit or mark right before i (decoded backwards); 0 at the start. */
static inline uint32_t view_before(const struct view *v, size_t i, size_t *begin)
{
	if (i && v->p[i - 1] >= 0x80)
		return host_before(v, i, begin);
	*begin = i - (i > 0);
	return i ? v->p[i - 1] : 0;
}
#endif
