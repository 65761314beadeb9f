/* UTF-8, one character at a time (RFC 3629), with windows-1252 for bytes that
 * are no part of it (rule C1). */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the valid sequence at p (n >= 1 of them are there); 0 when the byte
 * at p begins none.  *cut is set when the n bytes are a beginning that more
 * bytes could complete. */
size_t utf8_sequence(const uint8_t *p, size_t n, uint32_t *cp, bool *cut);
/* The length of the stretch at p that is valid throughout: it ends before a byte that begins no
 * sequence, and before one that is cut. */
size_t utf8_valid(const uint8_t *p, size_t n);
/* The same of ASCII alone, in whole words of 8 bytes. */
size_t utf8_ascii_words(const uint8_t *p, size_t n);
/* The code point of a byte read as windows-1252; its five holes are C1 controls. */
uint32_t utf8_windows_1252(uint8_t byte);
/* Writes cp as UTF-8 (at most 4 bytes); returns the number. */
size_t utf8_put(uint8_t out[4], uint32_t cp);

/* The character at p by rule C1: bytes taken (at least 1), code point in *cp. */
static inline size_t utf8_next(const uint8_t *p, size_t n, uint32_t *cp)
{
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	bool cut;
	size_t k = utf8_sequence(p, n, cp, &cut);
	if (k)
		return k;
	*cp = utf8_windows_1252(p[0]);
	return 1;
}

#endif
