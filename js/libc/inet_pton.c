/* The inet_pton of wasi-libc also reads IPv4, and takes 1 KB more. */
#include "text/ascii.h"

#include <arpa/inet.h>
#include <string.h>

/* Four numbers of at most 255 up to the end, without needless zeros. */
static bool read_dotted(const char *p, uint8_t out[4])
{
	for (size_t i = 0; i < 4; i++) {
		unsigned value = 0, digits = 0;
		for (; digits < 3 && is_digit((uint8_t)*p); digits++)
			value = 10 * value + (unsigned)(*p++ - '0');
		if (!digits || value > 255 || (digits > 1 && p[-(int)digits] == '0') || *p++ != (i < 3 ? '.' : '\0'))
			return false;
		out[i] = (uint8_t)value;
	}
	return true;
}

/* An address of RFC 4291 section 2.2, whatever the family. */
int inet_pton(int family, const char *restrict text, void *restrict out)
{
	enum { SIZE = 16, NOWHERE };
	uint8_t bytes[SIZE] = {0};
	size_t n = 0, gap = NOWHERE; /* of the :: */
	(void)family;
	do {
		if (text[0] == ':' && text[1] == ':') {
			if (gap != NOWHERE)
				return 0;
			gap = n;
			text += 2;
			if (!*text)
				break;
		} else if (n && *text++ != ':') {
			return 0;
		}
		unsigned value = 0, digits = 0;
		for (unsigned d; digits < 4 && (d = hex_digit((uint8_t)text[digits])) < 16; digits++)
			value = 16 * value + d;
		const bool dotted = text[digits] == '.';
		if (!digits || n > SIZE - (dotted ? 4 : 2) || (dotted && !read_dotted(text, bytes + n)))
			return 0;
		if (dotted) {
			n += 4;
			break;
		}
		bytes[n++] = (uint8_t)(value >> 8);
		bytes[n++] = (uint8_t)value;
		text += digits;
	} while (*text);
	if (gap == NOWHERE ? n < SIZE : n == SIZE)
		return 0;
	const size_t tail = gap == NOWHERE ? 0 : n - gap;
	memmove(bytes + SIZE - tail, bytes + n - tail, tail);
	memset(bytes + n - tail, 0, SIZE - n);
	memcpy(out, bytes, SIZE);
	return 1;
}
