/* The memcmp of wasi-libc compares byte by byte, its memchr reads four at once: here it is 16. */
#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;
	while (n >= 16 && wasm_i8x16_all_true(wasm_i8x16_eq(wasm_v128_load(p), wasm_v128_load(q)))) {
		n -= 16;
		p += 16;
		q += 16;
	}
	for (; n && *p == *q; n--, p++, q++)
		;
	return n ? *p - *q : 0;
}

void *memchr(const void *bytes, int c, size_t n)
{
	const unsigned char *p = bytes;
	v128_t wanted = wasm_i8x16_splat((int8_t)c);
	for (; n >= 16; n -= 16, p += 16) {
		uint32_t found = wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(p), wanted));
		if (found)
			return (void *)(p + __builtin_ctz(found));
	}
	for (; n && *p != (unsigned char)c; n--)
		p++;
	return n ? (void *)p : NULL;
}
#endif
