/* The escapes of a URL, read byte by byte (RFC 3986 section 2.1). */
#ifndef URL_HEX_H
#define URL_HEX_H

#include <stdint.h>

/* 16 for what is no hexadecimal digit. */
static inline unsigned hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 16;
}

/* The byte that the escape at p means, -1 where there is none before `end`. */
static inline int hex_escape(const uint8_t *p, const uint8_t *end)
{
	if (end - p < 3 || *p != '%')
		return -1;
	unsigned high = hex_digit(p[1]), low = hex_digit(p[2]);
	return high < 16 && low < 16 ? (int)(high << 4 | low) : -1;
}

#endif
