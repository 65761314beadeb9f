#include "nearest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 32, FAR = LONGEST };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters to put in, take out or change; a row of the table of
 * prefixes at a time (Wagner and Fischer, 1974). */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST], length = strlen(b);
	if (length >= LONGEST || strlen(a) >= LONGEST)
		return FAR;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0]++;
		for (size_t j = 0; j < length; j++) {
			size_t changed = corner + (a[i] != b[j]);
			corner = row[j + 1];
			row[j + 1] = least(changed, least(row[j], row[j + 1]) + 1);
		}
	}
	return row[length];
}

const char *nearest_word(const char *misspelt, const char *(*word)(size_t i))
{
	size_t length = strlen(misspelt), best = length > 3 ? 3 : 2;
	const char *answer = NULL, *w;
	for (size_t i = 0; (w = word(i)); i++) {
		bool begins = length > 2 && !strncmp(w, misspelt, length);
		size_t d = begins ? 0 : *w ? distance(misspelt, w) : FAR;
		if (d < best) {
			best = d;
			answer = w;
		}
	}
	return answer;
}
