/* Stretches of valid UTF-8 against one character at a time: every pair of bytes at every place of
 * a block, and text with and without damage. */
#include "check.h"
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

enum { SIZE = 200 };

static void check(const uint8_t *p, size_t n)
{
	size_t i = 0, k = 1;
	uint32_t cp;
	bool cut;
	for (; i < n && k; i += k)
		k = utf8_sequence(p + i, n - i, &cp, &cut);
	if (utf8_valid(p, n) == i)
		passed++;
	else if (failed++ < 20)
		printf("%zu of %zu bytes are valid, not %zu\n", i, n, utf8_valid(p, n));
}

static void test_pairs(void)
{
	static const uint8_t behind[] = {0x80, 0xBF, 'x'};
	uint8_t text[SIZE];
	for (size_t at = 0; at < 70; at += 3)
		for (unsigned a = 0x7F; a < 256; a++)
			for (unsigned b = 0x3F; b < 256; b++) {
				memset(text, 'x', sizeof text);
				text[at] = (uint8_t)a;
				text[at + 1] = (uint8_t)b;
				text[at + 2] = behind[(a + b) % 3];
				text[at + 3] = behind[b % 3];
				check(text, 96);
			}
}

static size_t fill(uint8_t *text, size_t n, uint32_t *state)
{
	static const uint32_t least[] = {0x20, 0x80, 0x800, 0x10000}, more[] = {0x60, 0x780, 0xF800, 0x100000};
	size_t length = 0;
	while (n - length >= 4) {
		uint32_t size = random_bits(state) % 4, cp = least[size] + random_bits(state) % more[size];
		if (cp >= 0xD800 && cp < 0xE000 && random_bits(state) % 16)
			continue;
		length += utf8_put(text + length, cp);
	}
	return length;
}

static void test_any(void)
{
	uint8_t text[SIZE];
	uint32_t state = 1;
	for (unsigned round = 0; round < 100000; round++) {
		size_t n = fill(text, random_bits(&state) % SIZE, &state);
		if (n && round % 3 == 0)
			text[random_bits(&state) % n] = (uint8_t)random_bits(&state);
		check(text, n - (n ? random_bits(&state) % 4 % n : 0));
	}
}

int main(void)
{
	test_pairs();
	test_any();
	return check_end();
}
