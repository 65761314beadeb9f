#include "match.h"

/* What an item stands for: classes, and the bytes of [plain, end), where classes are skipped. */
struct item {
	unsigned classes;
	const char *plain, *end;
	bool but; /* all others */
};

/* Returns what follows the item that begins here. */
static const char *read_item(const char *at, struct item *item)
{
	static const uint16_t classes[32] = {
		['a' & 31] = BYTE_ALPHA, ['d' & 31] = BYTE_DIGIT, ['h' & 31] = BYTE_HIGH, ['l' & 31] = BYTE_LOWER,
		['q' & 31] = BYTE_QUOTE, ['s' & 31] = BYTE_BLANK, ['u' & 31] = BYTE_UPPER, ['w' & 31] = BYTE_ALNUM
	};
	const bool set = *at == '[';
	item->but = set && at[1] == '^';
	item->plain = at += set + item->but;
	item->classes = 0;
	do {
		const bool escaped = *at == '%';
		const uint8_t c = (uint8_t)*(at += escaped);
		item->classes |= escaped && is_alpha(c) ? classes[c & 31] : 0u;
		at++;
	} while (set && *at != ']');
	item->end = at;
	return at + set;
}

static bool item_has(const struct item *item, uint8_t byte)
{
	bool has = byte_class[byte] & item->classes;
	for (const char *at = item->plain; !has && at < item->end; at++) {
		const bool escaped = *at == '%';
		at += escaped;
		has = byte == (uint8_t)*at && !(escaped && is_alpha(byte));
	}
	return has != item->but;
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
