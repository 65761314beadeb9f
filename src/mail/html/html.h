/* HTML parts. */
#ifndef MAIL_HTML_HTML_H
#define MAIL_HTML_HTML_H

#include "text/buf.h"

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
	unsigned flags;       /* HTMLTEXT_... */
	const char *attribute; /* "a href", "form action" ... */
};

/* What comes out, in the order of the source.  Non-zero stops.  Offsets count
 * bytes of the UTF-8 that was fed. */
struct htmltext_sink {
	/* Text that is shown: `length` bytes that stand for source_length bytes at
	 * `source`.  Equal lengths: byte for byte (white space outside <pre> may have
	 * become a blank), but for the few references as long as what they mean.  Different
	 * ones: a character reference, or U+FFFD for a NUL.  A line break of <br> or of a
	 * block's begin and end is "\n", the edge of a table's cell " ", both with
	 * source_length 0 and neither after another. */
	int (*text)(void *user, const uint8_t *text, size_t length, uint64_t source, size_t source_length);
	/* The value of an href, character references decoded, of at most HTMLTEXT_VALUE_MAX
	 * bytes (longer ones: `cut`); it stood at [source, source + source_length),
	 * quotation marks left out; NULs became U+FFFD, as if references.  It comes when the
	 * value is whole, its tag may not be.  `anchor`: of an <a>, or of an <area> in none, whose
	 * end comes as anchor_end (an <area>'s at once); `base`: of a <base>. */
	int (*target)(void *user, const struct html_target *target);
	/* An anchor with an href ended, by </a>, by the next <a> (before its href), or by the end. */
	int (*anchor_end)(void *user);
	/* What hid HTMLTEXT_HIDDEN_MAX bytes was ended at `source`.  May be NULL. */
	int (*limit)(void *user, uint64_t source);
	void *user;
};
enum { HTMLTEXT_ANCHOR = 1, HTMLTEXT_BASE = 2, HTMLTEXT_CUT = 4, HTMLTEXT_REFERENCES = 8 /* some were decoded */ };
enum { HTMLTEXT_VALUE_MAX = 64 * 1024 };

struct htmltext; /* a push machine, as the tokenizer of the HTML standard, much abridged */

/* With `resources` also what is fetched and not followed is a target: link, img, script, source. */
struct htmltext *htmltext_new(const urlsift_allocator *alloc, const struct htmltext_sink *sink, bool resources);
void htmltext_free(struct htmltext *h); /* NULL is allowed */
void htmltext_reset(struct htmltext *h);
/* UTF-8 (or what rule C1 lets stand), cut anywhere.  URLSIFT_STOPPED when the sink did,
 * URLSIFT_NO_MEMORY; else OK.  Tags, attributes and references may be cut; nothing
 * but an attribute's value and a tag's name is held.
 *
 * Shown is all text but that of script, style, template, comments, declarations and
 * processing instructions.  A template's targets come nevertheless, and its text too
 * when it is a shadow root.  Title, textarea, xmp, iframe, noembed and noframes are
 * text to their end tag, plaintext to the end.  A `<` that opens no tag is text.  What is
 * not closed hides nothing but itself: a comment, script, style, template or tag that
 * would run over more than HTMLTEXT_HIDDEN_MAX bytes is ended there, a value in it with
 * HTMLTEXT_CUT. */
urlsift_status htmltext_feed(struct htmltext *h, const uint8_t *text, size_t n);
urlsift_status htmltext_finish(struct htmltext *h);
enum { HTMLTEXT_HIDDEN_MAX = 1024 * 1024 };
size_t htmltext_memory_bound(void);

/* ---- A text/html part ---- */

struct html_part;
struct parser;
struct placement;
struct map;
struct charset;

/* NULL without memory. */
struct html_part *html_part_new(struct parser *r);
void html_part_free(struct html_part *h); /* NULL is allowed */
/* `charset` is the cache's; `source` from the part's bytes to where they stand;
 * line is that of the first byte. */
struct html_begin {
	struct charset *charset;
	struct map *source;
	const char *base;
	size_t base_length;
	uint64_t line;
};
void html_part_begin(struct html_part *h, const struct html_begin *begin);
void html_part_feed(struct html_part *h, const uint8_t *p, size_t n);
void html_part_finish(struct html_part *h);
/* Where the scanner's text [offset, offset + length) comes from; the same of a link's part as ranges that have no
 * markup inside, appended, with what it means for the link's flags. */
urlsift_range html_part_range(const struct html_part *h, uint64_t offset, uint64_t length);
bool html_part_ranges(struct html_part *h, const urlsift_range *part, struct buf *ranges, struct placement *where);
size_t html_part_memory_bound(void);

#endif
