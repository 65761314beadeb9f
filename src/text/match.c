#include "match.h"

/* Whether the item that begins here stands for the byte.  *end: what follows it. */
static bool item_has(const char *at, uint8_t byte, const char **end)
{
	static const uint16_t classes[32] = {
		['a' & 31] = BYTE_ALPHA, ['d' & 31] = BYTE_DIGIT, ['h' & 31] = BYTE_HIGH, ['l' & 31] = BYTE_LOWER,
		['q' & 31] = BYTE_QUOTE, ['s' & 31] = BYTE_BLANK, ['u' & 31] = BYTE_UPPER, ['w' & 31] = BYTE_ALNUM
	};
	const bool set = *at == '[', but = set && at[1] == '^';
	bool has = false;
	at += set + but;
	do {
		const bool escaped = *at == '%';
		const uint8_t c = (uint8_t)*(at += escaped);
		has |= escaped && is_alpha(c) ? (byte_class[byte] & classes[c & 31]) != 0 : byte == c;
		at++;
	} while (set && *at != ']');
	*end = at + set;
	return has != but;
}

size_t match_bytes(const uint8_t *p, size_t n, const char *pattern)
{
	size_t i = 0;
	for (const char *at = pattern; *at && *at != '|';) {
		const bool ahead = at[0] == '%' && at[1] == 'f';
		const char *item = at + 2 * ahead;
		const size_t from = i;
		bool has, again;
		do {
			has = item_has(item, byte_at(p, i, n), &at) && i < n;
			again = BYTE_IN(*at, "*+");
			i += has;
		} while (has && again);
		if (i > from || BYTE_IN(*at, "*?") || (ahead && i == n)) {
			at += again || *at == '?';
			i = ahead ? from : i;
			continue;
		}
		at = strchr(at, '|');
		if (!at)
			return 0;
		at++;
		i = 0;
	}
	return i + 1;
}
