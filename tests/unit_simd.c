#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/* Every vector routine of every set that the machine has against the portable one: on random and edge input,
 * at all alignments, in memory that ends with the input.
 * usage: unit_simd [ROUNDS] */
#include "simd/simd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long passed, failed;
static uint64_t seed = 20261121;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static void check(bool good, const char *what, int set, size_t n)
{
	passed += good;
	if (!good && failed++ < 20)
		printf("%s, set %d: another answer on %zu bytes\n", what, set, n);
}

/* ---- Input ---- */

enum { LONGEST = 700 };

/* n bytes whose last is the last before a page that cannot be read, or, on odd rounds, anywhere before. */
static uint8_t *place(size_t n, unsigned round)
{
	static uint8_t *end;
	if (!end) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		uint8_t *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED || mprotect(p + page, page, PROT_NONE))
			abort();
		end = p + page;
	}
	return end - n - (round % 2 ? rnd(64) : 0);
}

/* Every length to 200, then any. */
static size_t length_of(unsigned round) { return round < 800 ? round / 4 : rnd(LONGEST); }

/* Of the parts in the list, some of any bytes. */
static uint8_t *make(const char *const *parts, size_t count, size_t n, unsigned round)
{
	uint8_t *p = place(n, round);
	unsigned rare = round % 3 ? 1 : 1 + rnd(60), any = round % 8 == 0;
	for (size_t i = 0; i < n;) {
		const char *part = rnd(rare) ? "x" : parts[rnd((uint32_t)count)];
		size_t k = *part ? strlen(part) : 1;
		k = k < n - i ? k : n - i;
		memcpy(p + i, part, k);
		if (any && rnd(2))
			p[i] = (uint8_t)rnd(256);
		i += k;
	}
	return p;
}
#define MAKE(parts, n, round) make(parts, sizeof(parts) / sizeof *(parts), n, round)

/* ---- Primitives ---- */

static void check_trigger(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char *const parts[] = {
		":", "://", ":/", "http:", "www.", "WwW.", "ftp.", "l:", "L:", "p.", "P.", "\nb", "=y", "-B", "@", ".", " ", "\n", "W", "-", "=",
		": ", ":\xA0", ":\xBA", ":0", ":\"", "\xBA:", "\xD7w", "\xF0.", "\x8A" "b", "\xBDy", "\xAD" "B", "\xCC:"
	};
	size_t n = length_of(round);
	uint8_t *p = MAKE(parts, n + 1, round);
	uint64_t a[(LONGEST + SIMD_BLOCK) / SIMD_BLOCK] = {0}, b[(LONGEST + SIMD_BLOCK) / SIMD_BLOCK] = {0};
	want->trigger(p, n, round / 2 % 4, a);
	got->trigger(p, n, round / 2 % 4, b);
	check(!memcmp(a, b, sizeof a), "trigger", set, n);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 20000;
	const struct simd *portable = simd_choose(URLSIFT_IMPL_PORTABLE);
	check(simd_choose(URLSIFT_IMPL_AUTO) && portable, "sets", 0, 0);
	for (int set = URLSIFT_IMPL_AUTO; set <= URLSIFT_IMPL_NEON; set++) {
		const struct simd *other = simd_choose((urlsift_implementation)set);
		if (!other || other == portable)
			continue;
		for (unsigned round = 0; round < rounds; round++)
			check_trigger(portable, other, set, round);
	}
	printf("%lu passed, %lu failed\n", passed, failed);
	return failed > 0;
}
