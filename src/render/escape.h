/* Buffered output to a callback, and escaping.  Text is read by rule C1: bytes that are not
 * valid UTF-8 mean windows-1252.  Escapers write valid UTF-8 in time linear in their input. */
#ifndef RENDER_ESCAPE_H
#define RENDER_ESCAPE_H

#include "part.h"

#include <stdbool.h>
#include <string.h>

/* ---- The writer (render.c) ---------------------------------------------------- */

/* Callers of writer_room rely on a buffer of at least WRITER_SMALLEST bytes. */
enum { WRITER_SIZE = RENDER_BLOCK, WRITER_SMALLEST = 4096 };

struct simd;

/* The first error is kept: after it every write does nothing. */
struct writer {
	urlsift_write_fn write;
	void *user;
	int error;      /* what the callback returned, 0 for success */
	bool at_once;   /* a block that ends a record is passed on at once */
	size_t used, size;
	const struct simd *simd; /* NULL: the best */
	char *data;     /* `size` bytes */
};

void writer_flush(struct writer *w);
/* Notes an error of a callback, 0 for success. */
static inline void writer_fail(struct writer *w, int error)
{
	if (!w->error)
		w->error = error;
}
/* Room for n bytes, to be filled and then claimed by `used += n`.  n <= size. */
static inline char *writer_room(struct writer *w, size_t n)
{
	if (n > w->size - w->used)
		writer_flush(w);
	return w->data + w->used;
}
/* The slow path of writer_put. */
void writer_block(struct writer *w, const void *bytes, size_t n);
static inline void writer_put(struct writer *w, const void *bytes, size_t n)
{
	if (w->at_once || n > w->size - w->used) {
		writer_block(w, bytes, n);
	} else if (n > 0) {
		memcpy(w->data + w->used, bytes, n);
		w->used += n;
	}
}
/* The bytes and a line end. */
static inline void writer_line(struct writer *w, const void *bytes, size_t n)
{
	if (w->at_once || n >= w->size - w->used) {
		writer_block(w, bytes, n);
		writer_block(w, "\n", 1);
	} else {
		memcpy(w->data + w->used, bytes, n);
		w->data[w->used + n] = '\n';
		w->used += n + 1;
	}
}
static inline void writer_text(struct writer *w, const char *nul_terminated)
{
	writer_put(w, nul_terminated, strlen(nul_terminated));
}
void writer_number(struct writer *w, uint64_t n);
/* Writes the last `count` hexadecimal digits. */
static inline void writer_hex(struct writer *w, const char *digits, uint32_t value, unsigned count)
{
	for (char *at = writer_room(w, count); count-- > 0; w->used++)
		*at++ = digits[value >> 4 * count & 15];
}

/* ---- Escaping ------------------------------------------------------------------ */

/* Writes bytes for HTML up to one that the caller must handle: a bidi control; with
 * `lines` a `>` that may be a quote mark and a CR that is the last byte, else LF and CR.
 * It may stop earlier.  Controls except TAB and LF become U+FFFD, CRLF and CR become LF.
 * Returns the bytes taken. */
size_t escape_run(struct writer *w, const uint8_t *p, size_t n, bool lines);
/* Writes a character for HTML: controls except TAB and LF become U+FFFD, CR becomes LF. */
void escape_html_character(struct writer *w, uint32_t cp);
/* Writes n bytes for HTML text or an attribute's value.  Returns whether a bidi control was
 * among them. */
bool escape_html(struct writer *w, const void *text, size_t n);
/* Writes n bytes for the title of a page, without bidi controls: no element isolates them there, and they would reorder
 * the name of a window. */
void escape_title(struct writer *w, const void *text, size_t n);

/* Writes a JSON string with its quotes.  Controls, bidi controls, U+2028, U+2029
 * and `< > &` as \u; a byte that is not valid UTF-8 is U+FFFD. */
void escape_json(struct writer *w, const void *text, size_t n);

/* What a line of text must not hold: controls, U+2028, U+2029 and invisible characters. */
bool escape_is_unsafe(uint32_t cp);
/* Writes C0 and DEL in caret form (`^J`, `^?`).  False, and nothing, for another character. */
bool escape_caret(struct writer *w, uint32_t cp);
/* Writes n bytes of a URL for a line of text: unsafe characters are percent-encoded. */
void escape_line(struct writer *w, const void *text, size_t n);
/* Writes a file name for a line of text: C0 and DEL in caret form (`^J`, `^?`),
 * the other characters that escape_line changes and bytes that are not valid UTF-8 as
 * `\xHH`, but for a variation selector of emoji right after a visible character. */
void escape_name(struct writer *w, const void *text, size_t n);
/* Writes text as escape_name, but a blank for each TAB, LF, CR, U+0085, U+2028 and U+2029. */
void escape_value(struct writer *w, const void *text, size_t n);
/* Invisible characters stay as they are, for programs; else as escape_name and escape_value. */
void escape_name_exact(struct writer *w, const void *text, size_t n);
void escape_value_exact(struct writer *w, const void *text, size_t n);
/* Writes a cell of CSV (RFC 4180), in quotation marks if need be, as escape_name_exact.  With `spreadsheet`, an
 * apostrophe comes before what a spreadsheet may take for a formula. */
void escape_csv(struct writer *w, const void *text, size_t n, bool spreadsheet);
/* Writes to memory, as the public functions do. */
size_t escape_csv_text(const char *text, size_t length, bool spreadsheet, char *out, size_t size);
/* Writes n bytes of text for a terminal: C0 except HTAB and LF, and DEL, in caret form, C1 and bidi
 * controls as `\xHH`, CRLF as LF. */
void escape_terminal(struct writer *w, const void *text, size_t n);

#endif
