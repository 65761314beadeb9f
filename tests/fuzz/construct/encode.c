#include "construct.h"

#include "urlsift.h"

/* A unit of UTF-16. */
static void add_unit(struct bytes *out, uint32_t unit, bool little)
{
	bytes_byte(out, (uint8_t)(little ? unit : unit >> 8));
	bytes_byte(out, (uint8_t)(little ? unit >> 8 : unit));
}

static size_t split_units(uint32_t cp, uint32_t units[2])
{
	units[0] = cp > 0xffff ? 0xd800 + ((cp - 0x10000) >> 10) : cp;
	units[1] = 0xdc00 + ((cp - 0x10000) & 0x3ff);
	return 1 + (cp > 0xffff);
}

/* A character in a shift of its own (RFC 2152). */
static void add_shift(struct bytes *out, uint32_t cp)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t units[2];
	uint64_t bits = 0;
	size_t n = split_units(cp, units), held = 16 * n;
	for (size_t i = 0; i < n; i++)
		bits = bits << 16 | units[i];
	bytes_byte(out, '+');
	for (bits <<= 8; held > 0; held = held > 6 ? held - 6 : 0)
		bytes_byte(out, (uint8_t)digits[bits >> (held + 2) & 63]);
	bytes_byte(out, '-');
}

const char *construct_encode(struct choices *c, const struct bytes *text, struct bytes *out, size_t *map, bool *loose)
{
	static const char *const names[] = { "utf-7", "utf-16le", "utf-16be", "iso-8859-1" };
	const char *name = CHOOSE(c, names);
	*loose = name == names[0];
	bytes_clear(out);
	for (size_t i = 0, n; i < text->length; i += n) {
		uint32_t cp, units[2];
		n = urlsift_next_character(text->data + i, text->length - i, &cp);
		for (size_t k = 0; k < n; k++)
			map[i + k] = out->length;
		if (*loose && (cp >= 0x80 || cp == '+' || once_in(c, 8))) {
			add_shift(out, cp);
		} else if (*loose || (name == names[3] && (cp < 0x80 || (cp >= 0xa0 && cp < 0x100)))) {
			bytes_byte(out, (uint8_t)cp);
		} else if (name == names[3]) {
			return NULL;
		} else {
			size_t count = split_units(cp, units);
			for (size_t k = 0; k < count; k++)
				add_unit(out, units[k], name == names[1]);
		}
	}
	map[text->length] = out->length;
	return name;
}
