#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/* Every vector routine of every set that the machine has against the portable one: on random and edge input,
 * at all alignments, in memory that ends with the input.
 * usage: unit_simd [ROUNDS] */
#include "check.h"
#include "simd/simd.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint32_t state = 1;

static uint32_t rnd(uint32_t below) { return random_bits(&state) % below; }

static void check(bool good, const char *what, int set, size_t n)
{
	CHECK_THAT(good, "%s, set %d: another answer on %zu bytes", what, set, n);
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
		":", "://", ":/", "http:", "www.", "WwW.", "ftp.", "l:", "L:", "p.", "P.", "\nb", "=y", "-B", "@",
		".", " ", "\n", "W", "-", "=",
		": ", ":\xA0", ":\xBA", ":0", ":\"", "\xBA:", "\xD7w", "\xF0.", "\x8A" "b", "\xBDy", "\xAD" "B", "\xCC:"
	};
	size_t n = length_of(round);
	uint8_t *p = MAKE(parts, n + 1, round);
	uint64_t a[(LONGEST + SIMD_BLOCK) / SIMD_BLOCK] = {0}, b[(LONGEST + SIMD_BLOCK) / SIMD_BLOCK] = {0};
	want->trigger(p, n, round / 2 % 4, a);
	got->trigger(p, n, round / 2 % 4, b);
	check(!memcmp(a, b, sizeof a), "trigger", set, n);
}

static void check_link(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char hosts[] = "abcXYZ019.-", any[] = "abcXYZ019.-/?=&%_~+#@:!*'\"()[]{}|\\^`<>,; \n";
	size_t n = length_of(round), host = rnd(90), clean = host + rnd(200);
	uint8_t *p = place(n, round);
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i < host ? hosts[rnd(i % 7 ? 9 : 11)] : i == host ? '/' : i < clean ? any[rnd(22)]
		                 : rnd(9) ? any[rnd(sizeof any - 1)] : (int)rnd(256));
	struct link_shape a = {0, 0}, b = {0, 0};
	bool one = want->link_shape(p, n, &a), two = got->link_shape(p, n, &b);
	check(one == two && (!one || (a.host == b.host && a.end == b.end)), "link shape", set, n);
	bool odd = false;
	for (size_t i = 1; i < n; i++)
		odd = odd || strchr("!#%'^", p[i] ? p[i] : 'x') || (p[i] == '-' && p[i - 1] == '-');
	check(n == 0 || link_is_odd(p, n) == odd, "odd link", set, n);
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
		for (unsigned round = 0; round < rounds; round++) {
			check_trigger(portable, other, set, round);
			check_link(portable, other, set, round);
		}
	}
	return check_end();
}
