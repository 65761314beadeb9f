/* Text as a message has it: in its charset and transfer encoding, mostly the reverse of what src/mail does. */
#ifndef INPUT_RECODE_H
#define INPUT_RECODE_H

#include "text/buf.h"

#include <stdint.h>

/* Each appends n bytes of text to `to`, which may be full then. */

/* UTF-8 in a charset, by the names that the decoder uses; UTF-8 for one that is unknown or declares nothing.  False
 * where the charset lacks a character. */
bool recode_charset(struct buf *to, const char *charset, const uint8_t *text, size_t n);
/* Quoted-printable (RFC 2045 section 6.7): lines keep their ends, `line_end` follows soft breaks. */
void recode_quoted(struct buf *to, const uint8_t *text, size_t n, const char *line_end);
/* The bytes that are encoded, for the encodings that urlsift_body names; false for uuencode. */
bool recode_undo(struct buf *to, const char *encoding, const uint8_t *bytes, size_t n);
/* Base64 (RFC 2045 section 6.8), with `line_end` after each line. */
void recode_base64(struct buf *to, const uint8_t *text, size_t n, const char *line_end);

enum { REFERENCE_TEXT_MAX = 6 }; /* bytes of the longest text */

/* The character reference of HTML text that the bytes, at least one, begin with: its text, *n bytes of UTF-8, goes to
 * text.  Returns its length; 0 for none. */
size_t recode_reference(const uint8_t *p, size_t left, uint8_t text[REFERENCE_TEXT_MAX], size_t *n);

#endif
