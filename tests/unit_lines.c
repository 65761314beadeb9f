/* Unit tests of src/mail/line_find and src/text/lines: every implementation
 * against the definition, at every alignment, in blocks of just their size. */
#include "check.h"
#include "mail/line_find_variants.h"
#include "text/lines_variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef size_t find_function(const uint8_t *p, size_t from, size_t n, unsigned which);
typedef uint64_t count_function(const uint8_t *p, size_t n, bool *after_cr);

enum { VARIANTS = 4 };

static size_t variants(find_function **find, count_function **count)
{
	size_t n = 0;
	find[n] = line_find, count[n++] = lines_count;
	find[n] = line_find_portable, count[n++] = lines_count_portable;
	find[n] = line_find_vector, count[n++] = lines_count_vector;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		find[n] = line_find_avx2, count[n++] = lines_count_avx2;
#endif
	return n;
}

/* ---- The definitions ---- */

static bool begins(const uint8_t *p, size_t n, const char *with)
{
	size_t length = strlen(with);
	return memcmp(p, with, n < length ? n : length) == 0;
}

static bool line_counts(const uint8_t *p, size_t n, unsigned which)
{
	return n && ((which & LINE_FROM && begins(p, n, "F")) || (which & LINE_HYPHEN && begins(p, n, "--"))
	             || (which & LINE_QUOTED && (begins(p, n, ">F") || begins(p, n, ">>")))
	             || (which & LINE_SOH && begins(p, n, "\1")));
}

static size_t naive_find(const uint8_t *p, size_t from, size_t n, unsigned which)
{
	for (size_t i = from; i < n; i++)
		if (p[i] == '\n' && line_counts(p + i + 1, n - i - 1, which))
			return i;
	return n;
}

static bool blank_behind(const uint8_t *p, size_t i, size_t n)
{
	return (n - i > 1 && p[i + 1] == '\n') || (n - i > 2 && p[i + 1] == '\r' && p[i + 2] == '\n');
}

static size_t naive_blank(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] == '\n' && blank_behind(p, i, n))
			return i;
	return n;
}

static uint64_t naive_count(const uint8_t *p, size_t n, bool after_cr)
{
	uint64_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += p[i] == '\r' || (p[i] == '\n' && !(i ? p[i - 1] == '\r' : after_cr));
	return count;
}

/* ---- Buffers ---- */

/* n bytes at the end of a block, `lead` before them, mostly of `set`. */
static uint8_t *make(size_t lead, size_t n, const char *set, unsigned rarity, uint32_t *seed)
{
	uint8_t *block = malloc(lead + n + (lead + n == 0));
	size_t of = strlen(set);
	if (!block)
		abort();
	for (size_t i = 0; i < lead + n; i++)
		block[i] = random_bits(seed) % rarity ? (uint8_t)random_bits(seed) : (uint8_t)set[random_bits(seed) % of];
	return block;
}

static bool find_agrees(const uint8_t *p, size_t n, unsigned which, uint32_t *seed)
{
	find_function *find[VARIANTS];
	count_function *count[VARIANTS];
	size_t implementations = variants(find, count);
	size_t from = random_bits(seed) % 3 ? 0 : random_bits(seed) % (n + 1);
	bool ok = true;
	for (size_t wanted = from; ok && from <= n; from = wanted + 1) {
		wanted = naive_find(p, from, n, which);
		for (size_t k = 0; ok && k < implementations; k++)
			ok = find[k](p, from, n, which) == wanted;
	}
	return ok;
}

/* Every LF in its order up to the first that a blank line follows, at least. */
static bool ends_agree(const uint8_t *p, size_t n)
{
	struct line_ends ends;
	size_t i = 0;
	for (bool blank = false; !blank; i++) {
		line_ends(p, i, n, &ends);
		if (ends.count > LINE_ENDS)
			return false;
		for (size_t k = 0; k < ends.count; k++, i++) {
			while (i < n && p[i] != '\n')
				i++;
			if (i >= n || ends.at[k] != i)
				return false;
			blank = blank || blank_behind(p, i, n);
		}
		if (!ends.count)
			return i >= n || !memchr(p + i, '\n', n - i);
		i = ends.at[ends.count - 1];
	}
	return true;
}

static bool count_agrees(const uint8_t *p, size_t n, bool after_cr)
{
	find_function *find[VARIANTS];
	count_function *count[VARIANTS];
	size_t implementations = variants(find, count);
	uint64_t wanted = naive_count(p, n, after_cr);
	bool ok = true;
	for (size_t k = 0; ok && k < implementations; k++) {
		bool cr = after_cr;
		ok = count[k](p, n, &cr) == wanted && cr == (n ? p[n - 1] == '\r' : after_cr);
	}
	return ok;
}

static void test_random(size_t lead)
{
	static const char *const sets[] = { "\nF->\1\r x", "\n>F", "\n-", "\r\n", "\n", "\r", "x" };
	uint32_t seed = (uint32_t)lead + 1;
	bool found = true, counted = true, blank = true, ends = true;
	for (unsigned round = 0; round < 2000; round++) {
		size_t n = round < 300 ? round : random_bits(&seed) % 700;
		unsigned rarity = random_bits(&seed) % 4 ? 1 : 1 + random_bits(&seed) % 40;
		uint8_t *block = make(lead, n, sets[random_bits(&seed) % 7], rarity, &seed);
		found = found && find_agrees(block + lead, n, random_bits(&seed) % 16, &seed);
		counted = counted && count_agrees(block + lead, n, random_bits(&seed) & 1);
		blank = blank && line_find_blank(block + lead, n) == naive_blank(block + lead, n);
		ends = ends && ends_agree(block + lead, n);
		free(block);
	}
	CHECK(found);
	CHECK(blank);
	CHECK(ends);
	CHECK(counted);
}

/* Each beginning of a line at each place of a text without others, cut behind each of its bytes. */
static void test_single(const char *line, unsigned which)
{
	enum { LENGTH = 300 };
	size_t length = strlen(line);
	bool ok = true;
	for (size_t at = 0; at < LENGTH; at++)
		for (size_t n = at; ok && n <= at + length + 80; n++) {
			uint8_t *p = malloc(n + 1);
			if (!p)
				abort();
			memset(p, 'x', n + 1);
			for (size_t i = 0; i < length && at + i < n; i++)
				p[at + i] = (uint8_t)line[i];
			uint32_t seed = 1;
			ok = find_agrees(p, n, which, &seed) && find_agrees(p, n, 15, &seed);
			ok = ok && line_find(p, 0, n, which) == (n > at + 1 ? at : n);
			free(p);
		}
	CHECK(ok);
}

static void test_find(void)
{
	for (unsigned i = 0; i < 16; i++)
		CHECK(line_find(NULL, 0, 0, i) == 0);
	const uint8_t text[] = "\nFrom\n--a\n>From\n>>b\n\1\1\n- \n> x\n>";
	size_t n = sizeof text - 1;
	CHECK(line_find(text, 0, n, LINE_FROM) == 0 && line_find(text, 1, n, LINE_FROM) == n);
	CHECK(line_find(text, 0, n, LINE_HYPHEN) == 5 && line_find(text, 6, n, LINE_HYPHEN) == n);
	CHECK(line_find(text, 0, n, LINE_QUOTED) == 9 && line_find(text, 10, n, LINE_QUOTED) == 15);
	CHECK(line_find(text, 16, n, LINE_QUOTED) == n - 2 && line_find(text, n, n, LINE_QUOTED) == n);
	CHECK(line_find(text, 0, n, LINE_SOH) == 19 && line_find(text, 0, n, 0) == n);
	test_single("\nF", LINE_FROM);
	test_single("\n--", LINE_HYPHEN);
	test_single("\n>F", LINE_QUOTED);
	test_single("\n>>", LINE_QUOTED);
	test_single("\n\1", LINE_SOH);
}

/* More line ends than a byte can count, and cut anywhere. */
static void test_count(void)
{
	enum { LENGTH = 40000 };
	static uint8_t p[LENGTH];
	static const char *const units[] = { "\n", "\r", "\r\n", "\n\r", "\r\r\n", "x\r\n" };
	for (size_t u = 0; u < 6; u++) {
		for (size_t i = 0; i < LENGTH; i++)
			p[i] = (uint8_t)units[u][i % strlen(units[u])];
		CHECK(count_agrees(p, LENGTH, false) && count_agrees(p, LENGTH, true));
		bool ok = true, cr;
		uint64_t all = naive_count(p, LENGTH, false);
		for (size_t cut = 0; ok && cut <= LENGTH; cut += cut < 300 ? 1 : 997) {
			cr = false;
			uint64_t count = lines_count(p, cut, &cr);
			ok = count + lines_count(p + cut, LENGTH - cut, &cr) == all;
		}
		CHECK(ok);
	}
}

int main(void)
{
	for (size_t lead = 0; lead < 64; lead++)
		test_random(lead);
	test_find();
	test_count();
	return check_end();
}
