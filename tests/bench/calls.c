/* The time of urlsift_find for a short text.
 *
 *     calls [kept]
 *
 * Writes the least microseconds of a call, of ten rounds; kept: with one context for all calls. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <urlsift.h>

enum { ROUNDS = 10, CALLS = 20000 };

static double microseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	char text[1000];
	const size_t length = fread(text, 1, sizeof text, stdin);
	urlsift_context *context = argc > 1 && !strcmp(argv[1], "kept") ? urlsift_context_new(NULL) : NULL;
	double least = 0;
	for (int round = 0; round < ROUNDS; round++) {
		const double start = microseconds();
		for (int i = 0; i < CALLS; i++) {
			urlsift_found *found;
			if (urlsift_find(context, NULL, text, length, &found) != URLSIFT_OK || found->count != 1)
				return 1;
			urlsift_found_free(found);
		}
		const double time = (microseconds() - start) / CALLS;
		least = round && least < time ? least : time;
	}
	urlsift_context_free(context);
	return printf("%.4f\n", least) < 0;
}
