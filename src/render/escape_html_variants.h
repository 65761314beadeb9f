/* The ways to escape text for HTML, each for itself: for escape_run and its test. */
#ifndef RENDER_ESCAPE_HTML_VARIANTS_H
#define RENDER_ESCAPE_HTML_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ESCAPE_BLOCK = 64, ESCAPE_ROOM = 448 }; /* of a block of input, the output and what is copied ahead */

/* As escape_run, but to *to, which has place for ESCAPE_ROOM bytes behind `limit`
 * and is moved; stops there too. */
size_t escape_run_portable(char **to, const char *limit, const uint8_t *p, size_t n, bool lines);
#if defined(__x86_64__)
size_t escape_run_sse2(char **to, const char *limit, const uint8_t *p, size_t n, bool lines);
size_t escape_run_avx2(char **to, const char *limit, const uint8_t *p, size_t n, bool lines); /* on machines that have it */
size_t escape_run_avx512(char **to, const char *limit, const uint8_t *p, size_t n, bool lines); /* where there is BMI2 too */
#endif

#endif
