/* What the files of this folder share: the forms of each primitive, and helpers for vectors of 32 bytes. */
#ifndef SIMD_SIMD_SETS_H
#define SIMD_SIMD_SETS_H

#include "bytes16.h"
#include "simd.h"

uint64_t trigger_portable(const uint8_t *p, size_t n, unsigned marks, uint64_t *mask);
uint64_t trigger_16(const uint8_t *p, size_t n, unsigned marks, uint64_t *mask);
struct link_shape link_shape_portable(const uint8_t *p, size_t n);
size_t line_find_portable(const uint8_t *p, size_t from, size_t n, unsigned which);
size_t line_find_16(const uint8_t *p, size_t from, size_t n, unsigned which);
size_t line_blank_portable(const uint8_t *p, size_t n);
size_t line_blank_16(const uint8_t *p, size_t n);
void line_ends_portable(const uint8_t *p, size_t from, size_t n, struct line_ends *ends);
void line_ends_16(const uint8_t *p, size_t from, size_t n, struct line_ends *ends);
size_t utf8_valid_portable(const uint8_t *p, size_t n);
struct html_step html_escape_portable(char *to, const char *limit, const uint8_t *p, size_t n, bool lines);
struct html_step html_escape_16(char *to, const char *limit, const uint8_t *p, size_t n, bool lines);
simd_decoder quoted_portable, quoted_16, base64_portable;

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")))

uint64_t trigger_avx2(const uint8_t *p, size_t n, unsigned marks, uint64_t *mask);
uint64_t trigger_avx512(const uint8_t *p, size_t n, unsigned marks, uint64_t *mask);
struct link_shape link_shape_avx2(const uint8_t *p, size_t n);
size_t line_find_avx512(const uint8_t *p, size_t from, size_t n, unsigned which);
size_t line_blank_avx512(const uint8_t *p, size_t n);
void line_ends_avx512(const uint8_t *p, size_t from, size_t n, struct line_ends *ends);
size_t utf8_valid_avx2(const uint8_t *p, size_t n);
struct html_step html_escape_avx2(char *to, const char *limit, const uint8_t *p, size_t n, bool lines);
struct html_step html_escape_avx512(char *to, const char *limit, const uint8_t *p, size_t n, bool lines);
simd_decoder quoted_avx512, base64_avx2;

AVX2 static inline __m256i load32(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
/* A table for _mm256_shuffle_epi8. */
AVX2 static inline __m256i row32(const uint8_t row[16])
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)row));
}
/* The low and the high nibble of each byte. */
AVX2 static inline __m256i low32(__m256i v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
AVX2 static inline __m256i high32(__m256i v) { return low32(_mm256_srli_epi16(v, 4)); }
/* One bit for each byte: whether its top bit is set; whether it is 0. */
AVX2 static inline uint32_t tops32(__m256i v) { return (uint32_t)_mm256_movemask_epi8(v); }
AVX2 static inline uint32_t zeros32(__m256i v) { return tops32(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())); }

AVX512 static inline __m512i load64(const uint8_t *p) { return _mm512_loadu_si512(p); }
AVX512 static inline uint64_t equal64(__m512i v, uint8_t c)
{
	return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)c));
}
#endif

#endif
