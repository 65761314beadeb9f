/* Checks of what the renderers write.  Each aborts if something does not hold. */
#ifndef FUZZ_OUTPUT_H
#define FUZZ_OUTPUT_H

#include "bytes.h"

#include "urlsift-render.h"

/* urlsift_next_character, of which most calls are for ASCII. */
static inline size_t output_character(const char *text, size_t n, uint32_t *cp)
{
	*cp = (uint8_t)*text;
	return *cp < 0x80 ? 1 : urlsift_next_character(text, n, cp);
}

/* Appends what a page shows of a text.  *after_cr: whether the character before was a CR; updated. */
void output_show(struct bytes *shown, const char *text, size_t n, bool *after_cr);

/* Appends a text in UTF-8: each byte that is not is a windows-1252 character. */
void output_decode(struct bytes *to, const char *text, size_t n);

/* What a page has: its text without marks of ours; each href, followed by an LF; each anchor that is a link, not the
 * label of one (output_anchor).  `numbered`: its lines must have numbers. */
struct page_text {
	struct bytes *shown, *targets, *anchors;
	bool numbered;
};
/* Allowed elements and attributes only, well nested, all else escaped.  Sets *page. */
void output_check_html(const struct bytes *output, const struct page_text *page);
/* Appends an anchor as a line: its target and its text, as a page shows it. */
void output_anchor(struct bytes *anchors, const char *target, size_t n, const char *text, size_t length);

/* Valid UTF-8, one valid object a line, safe in a script element. */
void output_check_json(const struct bytes *output);
/* The value of a key of the record at `line`, which output_check_json has seen: a string without its quotes, or NULL.
 * *length in bytes. */
const char *output_json_value(const char *line, const char *key, size_t *length);
/* Appends a string of JSON, without its escapes. */
void output_json_text(struct bytes *to, const char *p, size_t n);

/* No control characters but `end`; valid UTF-8. */
void output_check_lines(const struct bytes *output, char end);
void output_check_utf8(const struct bytes *output);
/* No control characters but tabs and line ends, nor, unless `bidi`, bidi controls. */
void output_check_terminal(const struct bytes *output, bool bidi);

/* A text without the colours of a terminal (B1), but for those after which a link may begin. */
void output_uncolour(struct bytes *to, const struct bytes *text);

#endif
