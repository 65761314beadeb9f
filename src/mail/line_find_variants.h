/* The ways to find lines, each for itself: for line_find and its test. */
#ifndef MAIL_LINE_FIND_VARIANTS_H
#define MAIL_LINE_FIND_VARIANTS_H

#include "line_find.h"

/* Each as line_find. */
size_t line_find_portable(const uint8_t *p, size_t from, size_t n, unsigned which);
/* Vectors of 16 bytes, in what the compiler makes of them (SSE2, NEON, plain words). */
size_t line_find_vector(const uint8_t *p, size_t from, size_t n, unsigned which);
#if defined(__x86_64__)
size_t line_find_avx2(const uint8_t *p, size_t from, size_t n, unsigned which); /* on machines that have it */
size_t line_find_avx512(const uint8_t *p, size_t from, size_t n, unsigned which);
#endif

#endif
