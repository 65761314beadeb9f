#include "match.h"

/* The bytes that an item stands for. */
struct item {
	unsigned classes;
	uint32_t bytes[8]; /* a bit each */
	bool but;          /* all others */
};

/* Returns what follows the item that begins here. */
static const char *read_item(const char *at, struct item *item)
{
	static const uint16_t classes[32] = {
		['a' & 31] = BYTE_ALPHA, ['d' & 31] = BYTE_DIGIT, ['h' & 31] = BYTE_HIGH, ['l' & 31] = BYTE_LOWER,
		['q' & 31] = BYTE_QUOTE, ['s' & 31] = BYTE_BLANK, ['u' & 31] = BYTE_UPPER, ['w' & 31] = BYTE_ALNUM
	};
	const bool set = *at == '[';
	*item = (struct item){.but = set && at[1] == '^'};
	at += set + item->but;
	do {
		const bool escaped = *at == '%';
		const uint8_t c = (uint8_t)*(at += escaped);
		if (escaped && is_alpha(c))
			item->classes |= classes[c & 31];
		else
			item->bytes[c / 32] |= 1u << c % 32;
		at++;
	} while (set && *at != ']');
	return at + set;
}

static bool item_has(const struct item *item, uint8_t c)
{
	return (byte_class[c] & item->classes || item->bytes[c / 32] >> c % 32 & 1) != item->but;
}

size_t match_bytes(const uint8_t *p, size_t n, const char *pattern)
{
	size_t i = 0;
	for (const char *at = pattern; *at && *at != '|';) {
		const bool ahead = at[0] == '%' && at[1] == 'f';
		const size_t from = i;
		struct item item;
		at = read_item(at + 2 * ahead, &item);
		const bool again = BYTE_IN(*at, "*+");
		while (i < n && item_has(&item, p[i]) && (i++, again))
			;
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
