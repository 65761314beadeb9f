/* How many bytes the scanner looks at: the text comes on standard input, twice
 * as much work as bytes means each was looked at twice.
 * usage: work [FLAGS] [CHUNK]     FLAGS of e (e-mail) d (domains) g (guesses) l (joins by likelihood)
 *                              f (format=flowed, DelSp=yes)
 * Built with -DURLSIFT_COUNT_WORK.  Prints "WORK BYTES LINKS". */
#include "scan/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t urlsift_work(const urlsift_scanner *s);

static int on_piece(void *user, const urlsift_piece *piece)
{
	*(unsigned long *)user += piece->link && piece->part == 0;
	return 0;
}

int main(int argc, char **argv)
{
	static char data[1 << 16];
	const char *flags = argc > 1 ? argv[1] : "";
	size_t chunk = argc > 2 ? strtoul(argv[2], NULL, 10) : sizeof data, n;
	unsigned long links = 0, long_bytes = 0;
	urlsift_sink sink = {on_piece, NULL, &links};
	urlsift_context *c = urlsift_context_new(NULL);
	urlsift_options *o = urlsift_options_new(NULL);
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, strchr(flags, 'e') != NULL);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, strchr(flags, 'd') != NULL);
	urlsift_options_set(o, URLSIFT_OPT_GUESS, strchr(flags, 'g') != NULL);
	if (strchr(flags, 'l'))
		urlsift_options_set(o, URLSIFT_OPT_JOIN, URLSIFT_JOIN_LIKELY);
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	if (strchr(flags, 'f'))
		scanner_begin(s, &(struct embed){.flowed = FLOWED_DELETES});
	while ((n = fread(data, 1, sizeof data, stdin)) > 0)
		for (size_t i = 0; i < n; i += chunk) {
			size_t k = n - i < chunk ? n - i : chunk;
			long_bytes += k;
			if (urlsift_feed(s, data + i, k) != URLSIFT_OK)
				return 1;
		}
	if (urlsift_finish(s) != URLSIFT_OK)
		return 1;
	printf("%llu %lu %lu\n", (unsigned long long)urlsift_work(s), long_bytes, links);
	urlsift_free(s);
	urlsift_options_free(o);
	urlsift_context_free(c);
	return 0;
}
