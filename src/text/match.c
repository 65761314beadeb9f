#include "match.h"

/* After the item that begins here.  *has: whether c is of it. */
static const char *read_item(const char *item, uint8_t c, bool *has)
{
	static const uint16_t classes[32] = {
		['a' & 31] = BYTE_ALPHA, ['d' & 31] = BYTE_DIGIT, ['h' & 31] = BYTE_HIGH, ['l' & 31] = BYTE_LOWER,
		['q' & 31] = BYTE_QUOTE, ['s' & 31] = BYTE_BLANK, ['u' & 31] = BYTE_UPPER, ['w' & 31] = BYTE_ALNUM
	};
	const bool set = *item == '[', but = set && item[1] == '^';
	bool in = false;
	item += set + but;
	do {
		const bool escaped = *item == '%';
		item += escaped;
		in |= escaped && is_alpha((uint8_t)*item) ? byte_class[c] & classes[*item & 31] : c == (uint8_t)*item;
		item++;
	} while (set && *item != ']');
	*has = in != but;
	return item + set;
}

size_t match_bytes(const uint8_t *p, size_t n, const char *pattern)
{
	size_t i = 0;
	for (const char *item = pattern; *item && *item != '|';) {
		const bool ahead = item[0] == '%' && item[1] == 'f';
		const size_t from = i;
		const char *const begin = item + 2 * ahead;
		bool has;
		do {
			item = read_item(begin, byte_at(p, i, n), &has);
			has &= i < n;
			i += has;
		} while (has && BYTE_IN(*item, "*+"));
		if (i > from || BYTE_IN(*item, "*?") || (ahead && i == n)) {
			item += BYTE_IN(*item, "*+?");
			i = ahead ? from : i;
			continue;
		}
		item = strchr(item, '|');
		if (!item)
			return 0;
		item++;
		i = 0;
	}
	return i + 1;
}
