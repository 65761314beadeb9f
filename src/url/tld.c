#include "tld.h"

#include <string.h>

#include "text/ascii.h"
#include "tld_table.h"

/* Names outside the root zone that documents and overlay networks use: example
 * (RFC 6761), local (RFC 6762), onion (RFC 7686), i2p.  Not known are test,
 * invalid and localhost (RFC 6761), which name no place of the net.  Sorted. */
static const char *const special[] = { "example", "i2p", "local", "onion" };

static bool table_has(const char *const *table, size_t count, const char *name)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(table[middle], name);
		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool tld_known(const uint8_t *label, size_t length)
{
	char name[TLD_MAX + 1];
	if (length > TLD_MAX)
		return false;
	for (size_t i = 0; i < length; i++) {
		uint8_t c = label[i];
		if (c == 0)
			return false;
		name[i] = (char)to_lower(c);
	}
	name[length] = '\0';
	return table_has(tld_table, sizeof tld_table / sizeof *tld_table, name)
	    || table_has(special, sizeof special / sizeof *special, name);
}
