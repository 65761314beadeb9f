/* Links in brackets, put back together: <URL:...> (W), <...> (A), hyphens (H). */
#ifndef SCAN_BRACKET_H
#define SCAN_BRACKET_H

#include "link.h"
#include "rules.h"

/* Reads the wrapper (`angle` false) or plain angle brackets whose `<` is at
 * `open` and whose content begins at `content`.  YES: `link` is made and *end is
 * the index behind the `>` (or behind what A2 lets it be).  NO: the text is no
 * such link and is to be read again as free text (W3, W4).  Looks at no more
 * than SPAN_MAX bytes. */
enum verdict bracket_read(const struct rules *rules, const struct view *v, size_t open, size_t content,
                          bool angle, struct urlsift_link *link, size_t *end);

#endif
