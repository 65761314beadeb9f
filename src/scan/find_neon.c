/* The finder with NEON: as that with AVX2, four vectors of 16 bytes at a time. */
#include "plain_shape.h"

#if defined(__aarch64__)
#include <arm_neon.h>

static inline uint8x16_t both_nibbles(uint8x16_t bytes, const uint8_t low[16], const uint8_t high[16])
{
	return vandq_u8(vqtbl1q_u8(vld1q_u8(low), vandq_u8(bytes, vdupq_n_u8(15))), vqtbl1q_u8(vld1q_u8(high), vshrq_n_u8(bytes, 4)));
}

/* What is not 0 in four vectors, a bit each. */
static inline uint64_t bits(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
	static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	const uint8x16_t weight = vld1q_u8(weights);
	uint8x16_t ab = vpaddq_u8(vandq_u8(vtstq_u8(a, a), weight), vandq_u8(vtstq_u8(b, b), weight));
	uint8x16_t cd = vpaddq_u8(vandq_u8(vtstq_u8(c, c), weight), vandq_u8(vtstq_u8(d, d), weight));
	uint8x16_t all = vpaddq_u8(vpaddq_u8(ab, cd), vdupq_n_u8(0));
	return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

/* ---- plain links ---- */

/* Bytes in the set, not 0 for each: bit h of row l stands for high nibble h. */
static inline uint8x16_t in_set(uint8x16_t bytes, const uint8_t rows[16])
{
	static const uint8_t high[16] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
	return both_nibbles(bytes, rows, high);
}

bool plain_shape_neon(const uint8_t *p, size_t n, struct plain_shape *shape)
{
	if (n < 64)
		return plain_shape_portable(p, n, shape);
	uint8x16_t a = vld1q_u8(p), b = vld1q_u8(p + 16), c = vld1q_u8(p + 32), d = vld1q_u8(p + 48);
	const uint8x16_t stop = vdupq_n_u8('.'), hyphen = vdupq_n_u8('-');
	struct plain_masks m = {
		.foreign = ~bits(in_set(a, plain_host_rows), in_set(b, plain_host_rows), in_set(c, plain_host_rows), in_set(d, plain_host_rows)),
		.stops = bits(vceqq_u8(a, stop), vceqq_u8(b, stop), vceqq_u8(c, stop), vceqq_u8(d, stop)),
		.hyphens = bits(vceqq_u8(a, hyphen), vceqq_u8(b, hyphen), vceqq_u8(c, hyphen), vceqq_u8(d, hyphen))
	};
	shape->host = plain_host_in(&m);
	if (!shape->host)
		return plain_shape_portable(p, n, shape);
	m.outside = ~bits(in_set(a, plain_inner_rows), in_set(b, plain_inner_rows), in_set(c, plain_inner_rows), in_set(d, plain_inner_rows));
	size_t i = 0;
	while (!m.outside && n - (i += 64) >= 64) {
		a = in_set(vld1q_u8(p + i), plain_inner_rows);
		b = in_set(vld1q_u8(p + i + 16), plain_inner_rows);
		c = in_set(vld1q_u8(p + i + 32), plain_inner_rows);
		d = in_set(vld1q_u8(p + i + 48), plain_inner_rows);
		m.outside = ~bits(a, b, c, d);
	}
	shape->end = i + (m.outside ? (size_t)__builtin_ctzll(m.outside) : 0);
	return m.outside;
}
#else
typedef int find_neon_is_empty;
#endif
