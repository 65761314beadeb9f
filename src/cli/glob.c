#include "glob.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Only the last `*` ever needs to give way: what stands before it matched as
 * early as it could. */
bool glob_matches(const char *pattern, const char *text, size_t length)
{
	const char *end = text + length, *star = NULL, *retry = NULL;
	while (text < end) {
		if (*pattern == '*') {
			star = pattern++;
			retry = text;
		} else if (*pattern && (*pattern == '?' || lower(*pattern) == lower(*text))) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
