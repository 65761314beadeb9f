/* The tag reader, and text/html parts read with it. */
#ifndef MAIL_HTML_HTML_H
#define MAIL_HTML_HTML_H

#include "text/buf.h"
#include "urlsift-mail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- The text of an HTML part and its targets ---- */

/* The value of an attribute that is a URL. */
struct html_target {
	const uint8_t *value;
	size_t length;
	uint64_t source;
	size_t source_length;
	uint64_t end;         /* where the source is now, a few bytes more or less: after the value, which may hold more */
	unsigned flags;       /* HTMLTEXT_... */
	const char *attribute; /* "a href", "form action" ... */
};

/* The callbacks, in the order of the source.  Non-zero stops.  Offsets count the bytes of UTF-8 that were fed. */
struct htmltext_sink {
	/* Shown text: `length` bytes for source_length bytes at `source`.  Equal lengths: byte for byte, except for white
	 * space outside <pre>, which may have become a blank, and the few references as long as their text.  Other lengths:
	 * a character reference, or U+FFFD for a NUL.  Outside <pre>, no white space comes after white space or at the
	 * beginning of a line, for which the text of an image in an anchor counts as text; the line end right after <pre>
	 * is not shown.  With source_length 0: <br> is "\n"; the edges of a block end the line, also after an anchor that
	 * shows nothing, those of a paragraph and its like (IS_APART) add a blank line, and " " is at the edge of a table
	 * cell; tags that are ignored, and elements in an anchor that are hidden or inline, have no edges. */
	int (*text)(void *user, const uint8_t *text, size_t length, uint64_t source, size_t source_length);
	/* Text that is bytes of the source, of which the sink makes white space blanks; 16 bytes after them can be read. */
	int (*run)(void *user, const uint8_t *text, size_t length, uint64_t source);
	/* The value of an attribute that is a URL: without the white space around it, character references decoded, of
	 * at most HTMLTEXT_VALUE_MAX bytes (longer: HTMLTEXT_CUT), NULs as U+FFFD.  It is called when the value is
	 * complete, or that long, before the end of the tag.  HTMLTEXT_ANCHOR: of an <a>, or of an <area> outside of one,
	 * whose end is reported to anchor_end. */
	int (*target)(void *user, const struct html_target *target);
	/* The end of the innermost such anchor: </a>, the next <a>, the end of the tag <area>, of the table cell (or other
	 * scope) that it is in, or of the text.  One that begins in such a scope is in the one that is open around it, to
	 * which the text after it belongs again. */
	int (*anchor_end)(void *user);
	/* Markup that nothing closed hid HTMLTEXT_HIDDEN_MAX bytes or more up to `source`, where the document ends. */
	int (*limit)(void *user, uint64_t source);
	void *user;
	/* The text of an image in such an anchor that can be seen, or of an <area> that is one, character references
	 * decoded, at most HTMLTEXT_ALT_MAX bytes. */
	int (*alt)(void *user, const uint8_t *text, size_t length);
	/* From here on the text of such an anchor cannot be seen, or can again, and is shown from right to left, as after
	 * U+202E, or as it is.  The end of the anchor ends both without a call. */
	int (*unseen)(void *user, bool unseen, bool turned);
};
enum {
	HTMLTEXT_ANCHOR = 1, HTMLTEXT_BASE = 2, HTMLTEXT_CUT = 4, HTMLTEXT_REFERENCES = 8 /* some were decoded */,
	HTMLTEXT_DOCUMENT = 16 /* it is HTML, of a srcdoc */
};
enum { HTMLTEXT_VALUE_MAX = 64 * 1024, HTMLTEXT_ALT_MAX = 1024 };

/* A push tokenizer after that of the HTML standard, without a tree. */
struct htmltext;

struct htmltext *htmltext_new(const urlsift_allocator *alloc, const struct htmltext_sink *sink);
void htmltext_free(struct htmltext *h); /* NULL is allowed */
/* Begins a new document.  With `resources`, targets that are fetched, not followed, are reported as well: each URL of
 * a srcset, and those of CSS in attributes and style elements (attribute "style url()"), included; else not, as after
 * htmltext_new. */
void htmltext_reset(struct htmltext *h, bool resources);
/* Takes UTF-8 in blocks of any size.  URLSIFT_STOPPED when the sink stopped it, URLSIFT_NO_MEMORY, or OK.  Only the
 * value of an attribute and the name of a tag are held back.
 *
 * In an anchor, `unseen` tells what the elements hide that are in it, or the anchor itself: those with `hidden` or
 * `popover`, those whose style attribute has display:none, visibility:hidden or font-size:0, up to where an element
 * inside has another visibility or font size, and those whose content browsers do not show, such as <title>, <audio>
 * and <svg> outside of its <text>.  They end with those around them, and where another tag implies their end.  So many
 * elements at most may be open in one that hides something.
 *
 * All text is shown but that of script, style, template, iframe, noembed, noframes, comments, declarations and
 * processing instructions.  The targets in a template are reported, and its text as well when it is a shadow root;
 * those in a conditional comment (`<!--[if ...]>`) too, none as that of an anchor.
 * Title, textarea and xmp are text up to their end tag, plaintext up to the end.  A `<` that opens no tag is text.
 * What is unclosed hides the rest of the document, as in browsers. */
urlsift_status htmltext_feed(struct htmltext *h, const uint8_t *text, size_t n);
urlsift_status htmltext_finish(struct htmltext *h);
enum { HTMLTEXT_HIDDEN_MAX = 1024 * 1024 };
enum { HTMLTEXT_UNSEEN_MAX = 64 };
enum { HTMLTEXT_ANCHORS_MAX = 8 }; /* that are open, one in another; one more ends the innermost */
enum { HTMLTEXT_SCOPES_MAX = 64 }; /* tables, cells and others that bound a scope; more are passed over */
enum { HTMLTEXT_HELD_MAX = 112 * 1024 }; /* bytes of an anchor that are held until its label is complete */
enum { HTMLTEXT_LATE_MAX = 64 * 1024 }; /* bytes of the relative targets before a <base> that wait for it */
size_t htmltext_memory_bound(void);

/* The charset that a <meta> in the first n bytes of a document, HTML_META_BYTES suffice, declares, or its XML
 * declaration: the first that is known, else the first; "" for none, and where a byte order mark says it. */
enum { HTML_META_BYTES = 1024, HTML_CHARSET_SIZE = 64 };
void html_charset(const uint8_t *bytes, size_t n, char name[HTML_CHARSET_SIZE]);

/* ---- A text/html part ---- */

struct html_part;
struct parser;
struct placement;
struct map;
struct charset;

/* NULL without memory. */
struct html_part *html_part_new(struct parser *r);
void html_part_free(struct html_part *h); /* NULL is allowed */
/* `charset` belongs to the cache; `source` maps the bytes of the part to the source; `line` is that of the first
 * byte. */
struct html_begin {
	struct charset *charset;
	struct map *source;
	urlsift_text base; /* around the part; empty for none */
	uint64_t line;
};
void html_part_begin(struct html_part *h, const struct html_begin *begin);
void html_part_feed(struct html_part *h, const uint8_t *p, size_t n);
void html_part_finish(struct html_part *h);
/* Where the scanner's text [offset, offset + length) comes from; the same of a link's part as ranges that have no
 * markup inside, appended, with what it means for the link's flags. */
urlsift_range html_part_range(struct html_part *h, uint64_t offset, uint64_t length);
void html_part_ranges(struct html_part *h, const urlsift_range *part, struct buf *ranges, struct placement *where);
/* How many of the `length` bytes of that text at `offset`, which come in order, are all hidden or all seen: the anchor
 * of the place says which. */
size_t html_part_seen(struct html_part *h, uint64_t offset, size_t length);
size_t html_part_memory_bound(void);

#endif
