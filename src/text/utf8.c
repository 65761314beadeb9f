#include "utf8.h"

size_t utf8_sequence(const uint8_t *p, size_t n, uint32_t *cp, bool *cut)
{
	uint8_t lead = p[0];
	*cut = false;
	if (lead < 0x80) {
		*cp = lead;
		return 1;
	}
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	/* The second byte keeps out overlong forms, surrogates and all above
	 * U+10FFFF (RFC 3629 section 4). */
	uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
	uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
	size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
	uint32_t value = lead & (0x7Fu >> size);
	for (size_t i = 1; i < size; i++) {
		if (i == n) {
			*cut = true;
			return 0;
		}
		if (p[i] < low || p[i] > high)
			return 0;
		value = value << 6 | (p[i] & 0x3Fu);
		low = 0x80;
		high = 0xBF;
	}
	*cp = value;
	return size;
}

uint32_t utf8_windows_1252(uint8_t byte)
{
	/* 80..9F after the Unicode Consortium's mapping file CP1252.TXT. */
	static const uint16_t high[32] = {
		0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
		0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
		0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
		0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
	};
	return byte >= 0x80 && byte < 0xA0 ? high[byte - 0x80] : byte;
}

size_t utf8_put(uint8_t out[4], uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (uint8_t)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (uint8_t)(0xC0 | cp >> 6);
		out[1] = (uint8_t)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (uint8_t)(0xE0 | cp >> 12);
		out[1] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (uint8_t)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (uint8_t)(0xF0 | cp >> 18);
	out[1] = (uint8_t)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (uint8_t)(0x80 | (cp & 0x3F));
	return 4;
}
