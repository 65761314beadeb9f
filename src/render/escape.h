/* Bytes of the input made fit for an output.  Text is read by rule C1: bytes
 * that are no part of valid UTF-8 mean windows-1252.  Everything written is
 * valid UTF-8, and everything here is linear in its input. */
#ifndef RENDER_ESCAPE_H
#define RENDER_ESCAPE_H

#include "writer.h"

/* Writes bytes for HTML up to one that needs its caller's care: a bidi control;
 * with `lines` a `>` that may be a quote mark and a CR that is the last byte, else
 * LF and CR; or to some other place where a caller may stop to think.  A control
 * but TAB and LF is U+FFFD, CRLF and CR are LF.  Returns the bytes taken.  By the
 * widest vectors the machine has. */
size_t escape_run(struct writer *w, const uint8_t *p, size_t n, bool lines);
/* Writes a character for HTML: a control is U+FFFD, but TAB and LF; CR is LF. */
void escape_html_character(struct writer *w, uint32_t cp);
/* Writes n bytes for HTML text or an attribute's value, all of them.  Returns whether a bidi
 * control was among them. */
bool escape_html(struct writer *w, const void *text, size_t n);

/* Writes a JSON string with its quotes.  Controls, bidi controls, U+2028, U+2029
 * and `< > &` as \u; a byte that is no part of valid UTF-8 is U+FFFD. */
void escape_json(struct writer *w, const void *text, size_t n);

/* Writes n bytes of a URL for a line of text: controls, U+2028, U+2029 and
 * characters that show nothing are percent-encoded. */
void escape_line(struct writer *w, const void *text, size_t n);
/* Writes a file name for a line of text: C0 and DEL in caret form (`^J`, `^?`),
 * the other characters that escape_line changes and bytes that are no part of
 * valid UTF-8 as `\xHH`. */
void escape_name(struct writer *w, const void *text, size_t n);

#endif
