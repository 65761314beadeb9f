/* Every implementation of the finder and of a plain link's shape gives the answers
 * of the portable one: on random text, from every place, with every end.
 * usage: unit_find [ROUNDS] */
#include "check.h"
#include "scan/find_check.h"
#include "scan/plain_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 20261121;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* Text of what the finders look for, or of any bytes, in memory that ends with it. */
static uint8_t *make_text(size_t n, bool bytes)
{
	static const char *const bits[] = {
		":", "://", ":/", "http:", "news:c", "www.", "WwW.", "ftp.", "l:", "url: ", "p.", "\nbeg", "\nb", "=yb", "\n=yb", "-----B", "@", ".",
		"--", " ", "\n", "a", "z9", "<", "<java\nscript:x", "ms-x:y", "12:30:05", "\xC3\xA9", "\xA0", ":\xA0", ":\xBA", "\x7f", "\"info:a", "/"
	};
	uint8_t *p = malloc(n + 1);
	for (size_t i = 0; i < n;) {
		const char *bit = bits[rnd(sizeof bits / sizeof *bits)];
		size_t k = strlen(bit) < n - i ? strlen(bit) : n - i;
		if (bytes)
			p[i++] = (uint8_t)rnd(256);
		else
			memcpy(p + i, bit, k);
		i += bytes ? 0 : k;
	}
	return p;
}

static void check_finder(urlsift_implementation implementation, bool at, bool dot, unsigned rounds)
{
	struct finder portable, other;
	unsigned marks = (at ? TRIGGER_AT : 0u) | (dot ? TRIGGER_DOT : 0u);
	if (!simd_choose(implementation))
		return;
	find_init(&portable, simd_choose(URLSIFT_IMPL_PORTABLE), marks);
	find_init(&other, simd_choose(implementation), marks);
	for (unsigned round = 0; round < rounds; round++) {
		size_t n = 1 + rnd(400), end = n > FIND_AHEAD ? n - FIND_AHEAD : 0;
		uint8_t *p = make_text(n, round % 8 == 0);
		struct find_state a = {.p = p}, b = {.p = p};
		bool same = true;
		for (size_t i = 0, j = 0; i < end && same; i++, j++) {
			i = find_next(&portable, &a, i, end);
			j = find_next(&other, &b, j, end);
			same = i == j;
			if (rnd(8) == 0 && i < end) /* a link */
				a.floor = b.floor = i + 1, i = j += rnd(200);
		}
		passed += same;
		failed += !same;
		if (!same)
			fprintf(stderr, "finder %d, round %u: another place\n", (int)implementation, round);
		free(p);
	}
}

static void check_shape(urlsift_implementation implementation, unsigned rounds)
{
	static const char hosts[] = "abcXYZ019.-", any[] = "abcXYZ019.-/?=&%_~+#@:!*'\"()[]{}|\\^`<>,; \n";
	plain_shape_of *other = plain_shape_chosen(implementation);
	for (unsigned round = 0; round < rounds; round++) {
		size_t n = 1 + rnd(300), host = rnd(90), clean = host + rnd(200);
		uint8_t *p = malloc(n);
		for (size_t i = 0; i < n; i++)
			p[i] = (uint8_t)(i < host ? hosts[rnd(i % 7 ? 9 : 11)] : i == host ? '/' : i < clean ? any[rnd(22)]
			                 : rnd(9) ? any[rnd(sizeof any - 1)] : (int)rnd(256));
		struct plain_shape a = {0}, b = {0};
		bool one = plain_shape_portable(p, n, &a), two = other(p, n, &b);
		/* near the end it may leave the link to others */
		bool same = one == two ? !one || (a.host == b.host && a.end == b.end) : one && a.end + 64 > n;
		passed += same;
		failed += !same;
		if (!same)
			fprintf(stderr, "shape %d, round %u: %zu %zu against %zu %zu\n", (int)implementation, round, a.host, a.end, b.host, b.end);
		free(p);
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 4000;
	for (int i = URLSIFT_IMPL_SSE2; i <= URLSIFT_IMPL_NEON; i++) {
		for (int marks = 0; marks < 4; marks++)
			check_finder((urlsift_implementation)i, marks & 1, marks & 2, rounds);
		check_shape((urlsift_implementation)i, 4 * rounds);
	}
	return check_end();
}
