/* The scanner for another layer of the library: one scanner for many short texts, each with its own charset,
 * base and declared line breaks, and links that are the whole of an attribute or header field. */
#ifndef SCAN_ATTRIBUTE_H
#define SCAN_ATTRIBUTE_H

#include "view.h"

#include "text/charset.h"

struct embed {
	struct charset *charset; /* reset by the scanner; NULL for the scanner's own */
	enum flowed flowed;
	urlsift_text base;       /* must stay valid while the text is read; empty for the scanner's own */
	const urlsift_sink *sink; /* copied; NULL keeps the last one */
};

/* As urlsift_reset, for a text with these settings.  Cheap: no allocation. */
void scanner_begin(urlsift_scanner *s, const struct embed *e);
/* Whether the n bytes at p, a text of their own, hold no trigger byte: the scanner would find no link.
 * EMBED_PAD zeros follow them. */
enum { EMBED_PAD = 4 };
bool scanner_is_quiet(const urlsift_scanner *s, const uint8_t *p, size_t n);
/* The base of the scanner's options; empty if there is none. */
urlsift_text scanner_base(const urlsift_scanner *s);
/* The offset in the scanner's source before which everything has been handed out, or dropped as plain text. */
uint64_t scanner_source_out(const urlsift_scanner *s);

/* Where a link is in the source of the other layer. */
struct placement {
	const urlsift_range *ranges; /* must stay valid while the link lives */
	size_t count;
	struct point point;
	unsigned flags; /* added to those of the link */
	urlsift_text label; /* in place of that of the link; empty to keep it */
};

/* Places the link that the scanner is handing out.  For the sink, at part 0. */
void scanner_place(urlsift_scanner *s, const urlsift_link *link, const struct placement *where);

/* The value of an attribute: UTF-8. */
struct attribute {
	const uint8_t *text;
	size_t length;
	const char *supplied; /* "", or as urlsift_link_supplied for a value without a scheme of its own */
	urlsift_convention convention;
	struct placement where;
	const uint8_t *shown; /* the text shown for the link, or part of it (text-mismatch) */
	size_t shown_length;  /* 0: none */
	urlsift_text label, before, after; /* of the link, with their white space; must live as long */
	size_t lines;                      /* wanted of `before`; 0: neither that nor `after` is */
};

/* SEEN: a link that the other layer leaves out. */
enum attribute_result { ATTRIBUTE_LINK, ATTRIBUTE_NONE, ATTRIBUTE_TOO_LONG, ATTRIBUTE_NO_MEMORY, ATTRIBUTE_SEEN };

/* Makes the scanner's link of the whole value; it lives until the scanner is used again.  White space around the
 * value is removed, and tabs and line ends inside it (W7).  It must have a scheme of the generic syntax or be a partial
 * form, with a base in the last scanner_begin.  After the schemes of the web, any slashes or none become two, as in
 * browsers. */
enum attribute_result scanner_attribute(urlsift_scanner *s, const struct attribute *a, const urlsift_link **link);

/* Replaces defanged forms in place, if the scanner reads them; returns the new length. */
size_t scanner_refang(const urlsift_scanner *s, uint8_t *text, size_t n);

/* Whether memory was missing for a property of the link that was asked for. */
bool link_failed(const urlsift_link *link);

/* The warning when the n bytes of text shown for a link name a host of another owner than the link does: the first one
 * in a word that is a URL, a `www.` name or, alone, a domain.  URLSIFT_WARN_REDIRECT when that host is in the path or
 * query of the link, as mail gateways and click counters write them, else URLSIFT_WARN_TEXT_MISMATCH; 0 for none, and
 * where a known rewriter leads from one to the other. */
unsigned mismatch_shown(const uint8_t *shown, size_t n, const urlsift_link *link);

#endif
