/* The sets, and the choice between them. */
#include <stdbool.h>

/* ---- The processor; before AVX2 is a macro ---- */

#ifdef __x86_64__
#ifdef __has_include
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#endif

/* The dynamic linker of glibc knows the processor.  libgcc asks it again, in a constructor: each CPUID takes 27 us in a
 * virtual machine, all of them 0.15 ms of every run. */
#ifdef CPU_FEATURE_ACTIVE
#define CPU_HAS(name, feature) x86_cpu_active(x86_cpu_##feature)
#else
#define CPU_HAS(name, feature) __builtin_cpu_supports(name)
#endif

static bool has_avx512(void)
{
	return CPU_HAS("avx512bw", AVX512BW) && CPU_HAS("avx512vbmi", AVX512_VBMI) && CPU_HAS("avx512vbmi2", AVX512_VBMI2)
	       && CPU_HAS("bmi2", BMI2) && CPU_HAS("popcnt", POPCNT);
}

static bool has_avx2(void)
{
	return CPU_HAS("avx2", AVX2);
}
#endif

#include "simd_sets.h"

/* What only mail and output use: the module of js/ that reads texts leaves it out. */
#ifdef URLSIFT_TEXTS_ONLY
#define FOR_MAIL(...)
#else
#define FOR_MAIL(...) __VA_ARGS__
#endif

static const struct simd set_portable = {
	.trigger = trigger_portable,
	.link_shape = link_shape_portable,
	.utf8_valid = utf8_valid_portable,
	FOR_MAIL(
		.line_find = line_find_portable,
		.line_blank = line_blank_portable,
		.line_ends = line_ends_portable,
		.quoted = quoted_portable,
		.base64 = base64_portable,
		.html_escape = html_escape_portable
	)
};

#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)
static const struct simd set_16 = {
	.trigger = trigger_16,
	.link_shape = link_shape_portable,
	.utf8_valid = utf8_valid_portable,
	FOR_MAIL(
		.line_find = line_find_16,
		.line_blank = line_blank_16,
		.line_ends = line_ends_16,
		.quoted = quoted_16,
		.base64 = base64_portable,
		.html_escape = html_escape_16
	)
};
#endif

#ifdef __x86_64__
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

const struct simd *simd_choose(urlsift_implementation wanted)
{
	bool avx2 = has_avx2();
	switch (wanted) {
	case URLSIFT_IMPL_AUTO: return has_avx512() ? &set_avx512 : avx2 ? &set_avx2 : &set_16;
	case URLSIFT_IMPL_PORTABLE: return &set_portable;
	case URLSIFT_IMPL_SSE2: return &set_16;
	case URLSIFT_IMPL_AVX2: return avx2 ? &set_avx2 : NULL;
	case URLSIFT_IMPL_AVX512: return has_avx512() ? &set_avx512 : NULL;
	default: return NULL;
	}
}
#elif defined(__aarch64__) || defined(__wasm_simd128__)
#ifdef __aarch64__
enum { OWN_SET = URLSIFT_IMPL_NEON };
#else
enum { OWN_SET = URLSIFT_IMPL_WASM128 };
#endif

const struct simd *simd_choose(urlsift_implementation wanted)
{
	if (wanted == URLSIFT_IMPL_PORTABLE)
		return &set_portable;
	return wanted == URLSIFT_IMPL_AUTO || wanted == (urlsift_implementation)OWN_SET ? &set_16 : NULL;
}
#else
const struct simd *simd_choose(urlsift_implementation wanted)
{
	return wanted == URLSIFT_IMPL_AUTO || wanted == URLSIFT_IMPL_PORTABLE ? &set_portable : NULL;
}
#endif
