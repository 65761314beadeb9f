/* How much work the scanner has with a text, which comes on standard input (tests/count.c).
 * usage: work FLAGS CHUNK [FLAGS CHUNK]...    FLAGS of e (e-mail) d (domains) g (guesses) l (joins by likelihood)
 *                                         f (format=flowed, DelSp=yes)
 * Prints "WORK BYTES LINKS" for each pair. */
#include "count.h"
#include "scan/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int on_piece(void *user, const urlsift_piece *piece)
{
	*(unsigned long *)user += piece->link && piece->part == 0;
	return 0;
}

/* Counts one way over the text. */
static bool count(urlsift_context *c, const char *flags, size_t chunk, const char *text, size_t n)
{
	unsigned long links = 0;
	urlsift_sink sink = {on_piece, NULL, &links};
	urlsift_options *o = urlsift_options_new(NULL);
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, strchr(flags, 'e') != NULL);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, strchr(flags, 'd') != NULL);
	urlsift_options_set(o, URLSIFT_OPT_GUESS, strchr(flags, 'g') != NULL);
	if (strchr(flags, 'l'))
		urlsift_options_set(o, URLSIFT_OPT_JOIN, URLSIFT_JOIN_LIKELY);
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	if (strchr(flags, 'f'))
		scanner_begin(s, &(struct embed){.flowed = FLOWED_DELETES});
	const uint64_t before = *count_of_work;
	bool ok = true;
	for (size_t i = 0; ok && i < n; i += chunk)
		ok = urlsift_feed(s, text + i, n - i < chunk ? n - i : chunk) == URLSIFT_OK;
	ok = ok && urlsift_finish(s) == URLSIFT_OK;
	printf("%llu %zu %lu\n", (unsigned long long)(*count_of_work - before), n, links);
	urlsift_free(s);
	urlsift_options_free(o);
	return ok;
}

int main(int argc, char **argv)
{
	static char text[1 << 23];
	size_t n = fread(text, 1, sizeof text, stdin);
	if (n == sizeof text)
		return 1;
	urlsift_context *c = urlsift_context_new(NULL);
	bool ok = true;
	for (int i = 1; ok && i + 1 < argc; i += 2)
		ok = count(c, argv[i], strtoul(argv[i + 1], NULL, 10), text, n);
	urlsift_context_free(c);
	return !ok;
}
