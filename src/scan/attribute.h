/* The scanner behind another layer: one scanner for many short texts, each with a
 * charset, a base and declared line breaks of its own, and links that stand whole in markup. */
#ifndef SCAN_ATTRIBUTE_H
#define SCAN_ATTRIBUTE_H

#include "link.h"
#include "text/charset.h"

struct embed {
	struct charset *charset; /* reset by the scanner; NULL for the scanner's own */
	enum flowed flowed;
	const char *base;        /* must stay while the text is read; NULL for the scanner's own */
	size_t base_length;
	const urlsift_sink *sink; /* copied; NULL for the one it had */
};

/* As urlsift_reset, for a text of these.  Cheap: no allocation. */
void scanner_begin(urlsift_scanner *s, const struct embed *e);

/* The link that a value of markup is (an href; a message-id with its scheme supplied): the
 * whole of [text, text + n), UTF-8, at `source`.  White space around it goes, tabs and
 * line ends inside too (W7); a scheme of the generic syntax, or a partial form with a base
 * (of the last scanner_begin), else it is no link.  Whatever slashes stand behind a scheme of the web, the text
 * has two, as browsers take it.  `supplied` is "" or as
 * urlsift_link_supplied, for a value that has no scheme of its own.  Its only range is
 * {source, source_length}.  NULL when it is none or longer than the limit (then *limit
 * is true), or without memory (*failed).  It lives until the scanner is used again. */
struct urlsift_link *scanner_whole(urlsift_scanner *s, const uint8_t *text, size_t n, uint64_t source,
                                   uint64_t source_length, const char *supplied, bool *limit, bool *failed);

/* Whether the text that is shown for a link, n bytes, names another host than it (the
 * warning text-mismatch): one of its words is a URL, a `www.` name, or, alone, a domain. */
bool mismatch_shown(const uint8_t *shown, size_t n, const struct urlsift_link *link);

#endif
