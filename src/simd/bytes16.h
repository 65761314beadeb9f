/* Vectors of 16 bytes in GNU C: the compiler makes SSE2, NEON, WebAssembly's vectors or plain words of them, so they
 * need no dispatch.  A comparison gives FF for each byte of which it is true, else 0; cast it to bytes16. */
#ifndef SIMD_BYTES16_H
#define SIMD_BYTES16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef uint8_t bytes16 __attribute__((vector_size(16)));

static inline bytes16 bytes16_load(const uint8_t *p)
{
	bytes16 v;
	memcpy(&v, p, sizeof v);
	return v;
}

static inline void bytes16_store(void *p, bytes16 v) { memcpy(p, &v, sizeof v); }

/* One bit for each byte, which is 0 or FF; bit 0 for the first. */
static inline unsigned bytes16_mask(bytes16 v)
{
#ifdef __SSE2__
	return (unsigned)_mm_movemask_epi8((__m128i)v);
#elif defined(__aarch64__)
	const bytes16 weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	uint8x16_t bits = (uint8x16_t)(v & weights);
	return vaddv_u8(vget_low_u8(bits)) | (unsigned)vaddv_u8(vget_high_u8(bits)) << 8;
#elif defined(__wasm_simd128__)
	return wasm_i8x16_bitmask((v128_t)v);
#else
	unsigned mask = 0;
	for (unsigned k = 0; k < sizeof v; k++)
		mask |= (v[k] & 1u) << k;
	return mask;
#endif
}

/* Whether a byte of v is FF; the others are 0. */
static inline bool bytes16_any(bytes16 v)
{
#ifdef __SSE2__
	return bytes16_mask(v);
#elif defined(__wasm_simd128__)
	return wasm_v128_any_true((v128_t)v);
#else
	uint64_t half[2];
	memcpy(half, &v, sizeof half);
	return half[0] | half[1];
#endif
}

/* Whether c is one of the 16 bytes of `set`, some of which are there twice if it is smaller. */
static inline bool bytes16_has(const char *set, uint8_t c)
{
	return bytes16_any((bytes16)(bytes16_load((const uint8_t *)set) == c));
}

/* The masks of four vectors in a row, one bit for each of 64 bytes. */
static inline uint64_t bytes16_mask64(const bytes16 v[4])
{
	return bytes16_mask(v[0]) | (uint64_t)bytes16_mask(v[1]) << 16 | (uint64_t)bytes16_mask(v[2]) << 32
	       | (uint64_t)bytes16_mask(v[3]) << 48;
}

#endif
