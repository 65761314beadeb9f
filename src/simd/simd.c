/* The sets, and the choice between them. */
#include "simd_sets.h"

static const struct simd set_portable = {
	.trigger = trigger_portable,
	.link_shape = link_shape_portable,
	.line_find = line_find_portable,
	.line_blank = line_blank_portable,
	.line_ends = line_ends_portable,
	.utf8_valid = utf8_valid_portable,
	.quoted = quoted_portable,
	.base64 = base64_portable,
	.html_escape = html_escape_portable
};

#if defined(__x86_64__) || defined(__aarch64__)
static const struct simd set_16 = {
	.trigger = trigger_16,
	.link_shape = link_shape_portable,
	.line_find = line_find_16,
	.line_blank = line_blank_16,
	.line_ends = line_ends_16,
	.utf8_valid = utf8_valid_portable,
	.quoted = quoted_16,
	.base64 = base64_portable,
	.html_escape = html_escape_16
};
#endif

#if defined(__x86_64__)
static const struct simd set_avx2 = {
	.trigger = trigger_avx2,
	.link_shape = link_shape_avx2,
	.line_find = line_find_16,
	.line_blank = line_blank_16,
	.line_ends = line_ends_16,
	.utf8_valid = utf8_valid_avx2,
	.quoted = quoted_16,
	.base64 = base64_avx2,
	.html_escape = html_escape_avx2
};

static const struct simd set_avx512 = {
	.trigger = trigger_avx512,
	.link_shape = link_shape_avx2,
	.line_find = line_find_avx512,
	.line_blank = line_blank_avx512,
	.line_ends = line_ends_avx512,
	.utf8_valid = utf8_valid_avx2,
	.quoted = quoted_avx512,
	.base64 = base64_avx2,
	.html_escape = html_escape_avx512
};

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")
	       && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2")
	       && __builtin_cpu_supports("popcnt");
}

const struct simd *simd_choose(urlsift_implementation wanted)
{
	bool avx2 = __builtin_cpu_supports("avx2");
	switch (wanted) {
	case URLSIFT_IMPL_AUTO: return has_avx512() ? &set_avx512 : avx2 ? &set_avx2 : &set_16;
	case URLSIFT_IMPL_PORTABLE: return &set_portable;
	case URLSIFT_IMPL_SSE2: return &set_16;
	case URLSIFT_IMPL_AVX2: return avx2 ? &set_avx2 : NULL;
	case URLSIFT_IMPL_AVX512: return has_avx512() ? &set_avx512 : NULL;
	default: return NULL;
	}
}
#elif defined(__aarch64__)
const struct simd *simd_choose(urlsift_implementation wanted)
{
	if (wanted == URLSIFT_IMPL_PORTABLE)
		return &set_portable;
	return wanted == URLSIFT_IMPL_AUTO || wanted == URLSIFT_IMPL_NEON ? &set_16 : NULL;
}
#else
const struct simd *simd_choose(urlsift_implementation wanted)
{
	return wanted == URLSIFT_IMPL_AUTO || wanted == URLSIFT_IMPL_PORTABLE ? &set_portable : NULL;
}
#endif
