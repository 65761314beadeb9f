/* Classes of bytes, and runs of bytes of some classes. */
#ifndef TEXT_BYTES_H
#define TEXT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Inline, but where code is made small (js/): there a function of its own. */
#ifdef __OPTIMIZE_SIZE__
#define FAST_INLINE __attribute__((noinline, unused)) static
#else
#define FAST_INLINE static inline
#endif

/* Each byte is in exactly one of these classes. */
enum {
	BYTE_LOWER = 1 << 0,
	BYTE_UPPER = 1 << 1,
	BYTE_DIGIT = 1 << 2,
	BYTE_HYPHEN = 1 << 3,
	BYTE_STOP = 1 << 4, /* full stop */
	BYTE_UNDERSCORE = 1 << 5,
	BYTE_PLUS = 1 << 6,
	BYTE_COMMA = 1 << 7,
	BYTE_DELIMITER = 1 << 8, /* / ? # */
	BYTE_QUOTE = 1 << 9,     /* > | */
	BYTE_MARK = 1 << 10,     /* other printable ASCII */
	BYTE_SP = 1 << 11,
	BYTE_HTAB = 1 << 12,
	BYTE_LINE_END = 1 << 13, /* LF CR */
	BYTE_CONTROL = 1 << 14,  /* VT and FF included */
	BYTE_HIGH = 1 << 15,     /* beyond ASCII */
	BYTE_ALPHA = BYTE_LOWER | BYTE_UPPER,
	BYTE_ALNUM = BYTE_ALPHA | BYTE_DIGIT,
	BYTE_HOST = BYTE_ALNUM | BYTE_HYPHEN | BYTE_STOP,
	BYTE_SCHEME = BYTE_HOST | BYTE_PLUS,
	BYTE_NAME = BYTE_ALNUM | BYTE_HYPHEN | BYTE_UNDERSCORE,
	/* but those of BYTE_DELIMITER */
	BYTE_PUNCTUATION = BYTE_MARK | BYTE_QUOTE | BYTE_COMMA | BYTE_HYPHEN | BYTE_STOP | BYTE_UNDERSCORE | BYTE_PLUS,
	BYTE_BLANK = BYTE_SP | BYTE_HTAB,
	BYTE_FWS = BYTE_BLANK | BYTE_LINE_END
};
/* The bytes of all other classes. */
#define BYTE_BUT(classes) (0xFFFF & ~(classes))
extern const uint16_t byte_class[256];

/* Whether c is a byte of the literal `set`, for few bytes that no class holds: a bit test where gcc compiles it. */
#define BYTE_IN(c, set) byte_in((uint8_t)(c), set, sizeof set - 1)
static inline bool byte_in(uint8_t c, const char *set, size_t n)
{
	bool in = false;
#pragma GCC unroll 16
	for (size_t i = 0; i < n; i++)
		in |= c == (uint8_t)set[i];
	return in;
}

/* The hash FNV-1a of n bytes that follow those hashed so far. */
static inline uint32_t bytes_hash(uint32_t hash, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * 0x01000193;
	return hash;
}

/* The first index in [i, n) of a byte of no such class; n for none. */
static inline size_t byte_span(const uint8_t *p, size_t i, size_t n, unsigned classes)
{
	while (i < n && byte_class[p[i]] & classes)
		i++;
	return i;
}

/* After the last byte in [low, i) of no such class; low for none. */
static inline size_t byte_span_back(const uint8_t *p, size_t low, size_t i, unsigned classes)
{
	while (i > low && byte_class[p[i - 1]] & classes)
		i--;
	return i;
}

#endif
