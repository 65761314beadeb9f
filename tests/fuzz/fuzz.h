/* What the fuzzers share. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold for every input, and how it is reported. */
#define REQUIRE_AS(condition, what) \
	((condition) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, what), abort()))
#define REQUIRE(condition) REQUIRE_AS(condition, #condition)

/* Whether the text may have a defanged form, which refang leaves where no link is: a bracket such as `[.]`, or a scheme
 * such as hxxp.  But defang may see a link before or after it. */
static inline bool has_defanged_form(const char *p, size_t n)
{
	for (size_t i = 1; i + 1 < n; i++) {
		if (strchr("[({", p[i - 1]) && strchr(".dDaA@:/", p[i]))
			return true;
		size_t after = i + 1 + ((p[i + 1] | 32) == 's');
		bool form = (p[i - 1] | 32) == 'x' || p[i - 1] == '*' || (i > 1 && (p[i - 2] | 32) == 'x');
		if ((p[i] | 32) == 'p' && form && after < n && p[after] == ':')
			return true;
	}
	return false;
}

#endif
