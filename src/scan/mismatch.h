/* A link whose text names another host: `www.a.test <http://b.test/>`. */
#ifndef SCAN_MISMATCH_H
#define SCAN_MISMATCH_H

#include "link.h"

/* Whether the text before `link` in the window, [from, floor), is a link too that
 * is shown for it: nothing stands between the two but a closing bracket, blanks
 * and what opens `link`, and their hosts differ, a `www.` apart. */
bool mismatch_names_other(const struct view *v, size_t from, size_t floor, const struct urlsift_link *link);

#endif
