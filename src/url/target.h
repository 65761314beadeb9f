/* The target fit for an href, and the comparable form.  Both take any bytes and
 * write ASCII; both return the whole length and write at most `size` bytes. */
#ifndef URL_TARGET_H
#define URL_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Percent-encodes as UTF-8 what RFC 3986 forbids; existing escapes stay, a `%`
 * that begins none becomes %25, nothing is decoded.  `[` `]` stay only around an
 * IP literal.  A host beyond ASCII and without escapes is written as A-labels where
 * it has any (idna.h), else percent-encoded.  `supplied` ("", or a scheme in lower case
 * and `:` or `://`) is put before and read as one with the text. */
size_t target_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);
/* RFC 3986 section 6.2.2 and 6.2.3 on the target: idempotent.  The default or
 * empty port goes, an empty path of http and https is `/`, the domains of a
 * mailto are in lower case, a host that escapes write is the same as one written
 * plainly.  Both are linear; only A-labels take memory. */
size_t normal_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);
/* The same of a URL that is its own target, has no escapes, its scheme in lower case, and
 * `head` bytes before its path, with a host and no userinfo or port. */
size_t normal_write_target(const uint8_t *text, size_t n, size_t head, char *out, size_t size);

#endif
