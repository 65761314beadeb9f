/* The ways to count line ends, each for itself: for lines_count and its test. */
#ifndef TEXT_LINES_VARIANTS_H
#define TEXT_LINES_VARIANTS_H

#include "lines.h"

/* Each as lines_count. */
uint64_t lines_count_portable(const uint8_t *p, size_t n, bool *after_cr);
/* Vectors of 16 bytes, in what the compiler makes of them (SSE2, NEON, plain words). */
uint64_t lines_count_vector(const uint8_t *p, size_t n, bool *after_cr);
#if defined(__x86_64__)
uint64_t lines_count_avx2(const uint8_t *p, size_t n, bool *after_cr); /* on machines that have it */
#endif

#endif
