/* Unit tests of src/mail/transfer: against decoders that see all of their input,
 * whatever the blocks and the room. */
#include "check.h"
#include "mail/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *get(size_t n)
{
	void *block = malloc(n + (n == 0));
	if (!block)
		abort();
	return block;
}

/* ---- The definitions ---- */

static bool blank(uint8_t c) { return c == ' ' || c == '\t'; }

static int hex(uint8_t c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
	return at ? (int)(at - digits) : -1;
}

/* The length of the blanks at p[i] and of the line end after them, that vanish when they may. */
static size_t vanishing(const uint8_t *p, size_t i, size_t n, bool with_end)
{
	size_t blanks = 0;
	while (i + blanks < n && blank(p[i + blanks]))
		blanks++;
	size_t at = i + blanks;
	if (blanks > TRANSFER_BLANKS || (at < n && p[at] != '\n' && p[at] != '\r'))
		return 0;
	if (!with_end || at == n)
		return blanks;
	return blanks + (p[at] == '\r' && at + 1 < n && p[at + 1] == '\n' ? 2 : 1);
}

static size_t naive_quoted(const uint8_t *p, size_t n, uint8_t *out)
{
	size_t length = 0;
	for (size_t i = 0; i < n;) {
		size_t gone = 0;
		if (p[i] == '=' && i + 2 < n && hex(p[i + 1]) >= 0 && hex(p[i + 2]) >= 0) {
			out[length++] = (uint8_t)(hex(p[i + 1]) << 4 | hex(p[i + 2]));
			i += 3;
		} else if (p[i] == '=' && (i + 1 == n || (gone = vanishing(p, i + 1, n, true)) > 0)) {
			i += 1 + gone;
		} else if (blank(p[i]) && (gone = vanishing(p, i, n, false)) > 0) {
			i += gone;
		} else {
			do
				out[length++] = p[i++];
			while (i < n && blank(p[i - 1]) && blank(p[i]));
		}
	}
	return length;
}

static bool is_letter(uint8_t c)
{
	return c && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", c);
}

/* Whether a line that begins at p, after padding and blanks, is text, going by its first LINE_HELD bytes: it has
 * two blanks or two other things than letters, or one of these and few letters.  *whole: whether the letters are
 * whole quanta.  *length: how many bytes were looked at. */
static bool is_text_line(const uint8_t *p, size_t n, size_t *length, bool *whole)
{
	size_t letters = 0, blanks = 0, others = 0, i = 0, held = 0;
	for (; i < n && p[i] != '\n' && held < LINE_HELD; i++) {
		held += p[i] != '\r';
		letters += is_letter(p[i]);
		blanks += p[i] == ' ' || p[i] == '\t';
		others += !is_letter(p[i]) && p[i] != ' ' && p[i] != '\t' && p[i] != '\r';
	}
	*length = i;
	*whole = letters % 4 == 0;
	return others > 1 || blanks > 1 || (others + blanks > 0 && letters < 16);
}

static bool is_blank_or_padding(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '='; }

/* The letters and padding of [p, p + n), as RFC 2045 has them.  Damage: other bytes, padding after one letter, and that
 * a line end is in a quantum while all symbols are not whole quanta. */
static size_t naive_base64(const uint8_t *p, size_t n, uint8_t *out, uint64_t *damage)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t value = 0;
	unsigned bits = 0;
	size_t length = 0, left = 0; /* of the line after padding, the bytes that were looked at */
	size_t symbols = 0;
	bool padded = false, whole = false, split = false;
	for (size_t i = 0; i < n; i++) {
		if (padded && !left) {
			symbols += p[i] == '=';
			if (is_blank_or_padding(p[i]))
				continue;
			if (is_text_line(p + i, n - i, &left, &whole)) {
				for (unsigned k = 0; k < bits / 8; k++)
					out[length++] = (uint8_t)(value << (24 - bits) >> (16 - 8 * k));
				out[length++] = '\n';
				/* a CR in what was looked at is gone */
				for (size_t end = i + left; i < n; i++)
					if (i >= end || p[i] != '\r')
						out[length++] = p[i];
				break;
			}
			padded = !whole;
			split = split || bits > 0;
		} else if (i && p[i - 1] == '\n' && is_letter(p[i])) {
			split = split || bits > 0;
		}
		const char *at = p[i] ? strchr(alphabet, p[i]) : NULL;
		left -= left > 0;
		symbols += is_letter(p[i]);
		*damage += (!is_letter(p[i]) && p[i] > ' ') || (p[i] == '=' && bits == 6);
		if (at) {
			value = value << 6 | (uint32_t)(at - alphabet);
			bits += 6;
		}
		bool pad = p[i] == '=';
		if (bits == 24 || (pad && bits) || (i + 1 == n && bits)) {
			value <<= 24 - bits;
			for (unsigned k = 0; k < bits / 8; k++)
				out[length++] = (uint8_t)(value >> (16 - 8 * k));
			bits = 0;
			value = 0;
		}
		padded = padded || pad;
	}
	*damage += split && symbols % 4;
	return length;
}

static size_t naive(enum transfer encoding, const uint8_t *p, size_t n, uint8_t *out, uint64_t *damage)
{
	if (encoding == TRANSFER_IDENTITY)
		return n ? (void)memcpy(out, p, n), n : 0;
	return encoding == TRANSFER_BASE64 ? naive_base64(p, n, out, damage) : naive_quoted(p, n, out);
}

/* ---- Feeding ---- */

struct fed {
	struct transfer_state state;
	uint8_t *out;
	size_t length;
	bool ok;
};

/* A block of its own for the input and for each output: what reads or writes past them is found. */
static void feed(struct fed *f, const uint8_t *p, size_t n, size_t room)
{
	uint8_t *copy = get(n), *out = get(room);
	if (n)
		memcpy(copy, p, n);
	const uint8_t *at = copy;
	for (size_t rounds = 0; f->ok && at < copy + n; rounds++) {
		size_t got = transfer_decode(&f->state, &at, copy + n, out, room);
		f->ok = got <= room && at <= copy + n && rounds <= 2 * n + 2;
		if (f->ok && got)
			memcpy(f->out + f->length, out, got);
		f->length += got;
	}
	free(copy);
	free(out);
}

static bool ends_as(struct fed *f, const uint8_t *wanted, size_t length, uint64_t damage)
{
	uint8_t *out = get(64);
	size_t got = transfer_finish(&f->state, out);
	memcpy(f->out + f->length, out, got);
	free(out);
	f->length += got;
	return f->ok && f->length == length && memcmp(f->out, wanted, length) == 0 && f->state.damage == damage;
}

/* Blocks of at most `block` bytes, drawn when there is a seed, after a first of `first`. */
static bool agrees(enum transfer e, const uint8_t *p, size_t n, size_t first, size_t block, size_t room, uint32_t *seed)
{
	uint8_t *wanted = get(n + 64);
	struct fed f = { .out = get(n + 128), .ok = true };
	transfer_begin(&f.state, e, simd_choose(URLSIFT_IMPL_AUTO));
	feed(&f, p, first, room);
	for (size_t i = first, step; f.ok && i < n; i += step) {
		step = seed ? 1 + random_bits(seed) % block : block;
		step = step < n - i ? step : n - i;
		feed(&f, p + i, step, room);
	}
	uint64_t damage = 0;
	const size_t length = naive(e, p, n, wanted, &damage);
	bool ok = ends_as(&f, wanted, length, damage);
	free(wanted);
	free(f.out);
	return ok;
}

/* Whole, cut in two anywhere, by single bytes, by small rooms, by random blocks. */
static bool agrees_cut(enum transfer e, const uint8_t *p, size_t n, uint32_t *seed)
{
	bool ok = agrees(e, p, n, 0, n + 1, n + 64, NULL) && agrees(e, p, n, 0, 1, 64, NULL) && agrees(e, p, n, 0, n + 1,
		64, NULL);
	for (size_t cut = 0; ok && cut <= n; cut += n < 400 ? 1 : 1 + random_bits(seed) % (n / 50))
		ok = agrees(e, p, n, cut, n + 1, 64 + random_bits(seed) % 80, NULL);
	for (unsigned i = 0; ok && i < 5; i++)
		ok = agrees(e, p, n, 0, 1 + random_bits(seed) % 150, 64 + random_bits(seed) % 300, seed);
	return ok;
}

/* ---- What is written down ---- */

struct row {
	const char *in, *out;
	uint64_t damage;
};

static bool says(enum transfer e, const struct row *row)
{
	uint32_t seed = 1;
	size_t n = strlen(row->in);
	struct fed f = { .out = get(n + 128), .ok = true };
	transfer_begin(&f.state, e, simd_choose(URLSIFT_IMPL_AUTO));
	feed(&f, (const uint8_t *)row->in, n, n + 64);
	bool ok = ends_as(&f, (const uint8_t *)row->out, strlen(row->out), row->damage);
	free(f.out);
	if (!ok)
		printf("wrong: %s, damage %d\n", row->in, (int)f.state.damage);
	return ok && agrees_cut(e, (const uint8_t *)row->in, n, &seed);
}

#define TWENTY " \t                  "

static const struct row quoted_rows[] = {
	{ "", "", 0 },
	{ "http://a.example/?q=3Dx", "http://a.example/?q=x", 0 },
	{ "caf=C3=A9 caf=c3=a9 caf=C3=a9", "caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9", 0 },
	{ "a=\nb=\r\nc=\rd", "abcd", 0 },
	{ "a= \t\nb=  \r\nc", "abc", 0 },
	{ "a=\n\nb=\r\n\r\nc=\r\rd", "a\nb\r\nc\rd", 0 },
	{ "a=\r", "a", 0 },
	{ "a=", "a", 0 },
	{ "a= \t", "a", 0 },
	{ "a=4", "a=4", 0 },
	{ "a=4\nb=4\r\nc=4 \nd=4=41", "a=4\nb=4\r\nc=4\nd=4A", 0 },
	{ "x=y&z==41=G1=1G==", "x=y&z=A=G1=1G=", 0 },
	{ "===\n=", "==", 0 },
	{ "a= b=\t=\nc", "a= b=\tc", 0 },
	{ "a \nb\t \r\nc  \rd ", "a\nb\r\nc\rd", 0 },
	{ " \n  \n\t", "\n\n", 0 },
	{ "a =20\n=20 \n =20", "a  \n \n  ", 0 },
	{ "a" TWENTY TWENTY TWENTY "\nb", "a\nb", 0 },
	{ "a" TWENTY TWENTY TWENTY "b", "a" TWENTY TWENTY TWENTY "b", 0 },
	{ "a" TWENTY TWENTY TWENTY "\t\nb", "a" TWENTY TWENTY TWENTY "\t\nb", 0 },
	{ "a" TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY "\nb",
		"a" TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY "\nb", 0 },
	{ "a=" TWENTY TWENTY TWENTY "\nb", "ab", 0 },
	{ "a=" TWENTY TWENTY TWENTY "=\nb", "a=" TWENTY TWENTY TWENTY "b", 0 },
	{ "a=" TWENTY TWENTY TWENTY "\t\nb", "a=" TWENTY TWENTY TWENTY "\t\nb", 0 },
	{ "\xE4\xF6\xFC \x80\xFF=FC", "\xE4\xF6\xFC \x80\xFF\xFC", 0 },
};

static const struct row base64_rows[] = {
	{ "", "", 0 },
	{ "aHR0cDovL2EuZXhhbXBsZS8=", "http://a.example/", 0 },
	{ "aHR0\r\ncDov\n\nL2EuZX\rhhb XBs\tZS8=\r\n", "http://a.example/", 0 },
	{ "aHR0cDovL2EuZXhhbXBsZS8", "http://a.example/", 0 },
	{ "YQ==YmM=ZGVm", "abcdef", 0 },
	{ "YQ==\r\nYmM=\r\nZGVm", "abcdef", 0 },
	{ "YQ=YmM=====ZGVm", "abcdef", 0 },
	{ "YWJjZ", "abc", 0 },
	{ "YWJjZ=YWJj", "abcabc", 1 },
	{ "YWJjZA", "abcd", 0 },
	{ "YWJjZGU", "abcde", 0 },
	{ "=", "", 0 },
	{ "Z", "", 0 },
	{ "!Y\xFFW*J\x01j.", "abc", 4 },
	{ "Pj4+Pz8/", ">>>???", 0 },
	{ "YWJjZ\nGVm\n", "abcdef", 0 },
	{ "YWJjZ\nGV\n", "abcde", 1 },
	{ "YWJjZ\nGV=\n", "abcde", 0 },
	{ "YWJjZ\r\n\r\nGVmZw==\r\n", "abcdefg", 0 },
	{ "YWJjZ\nGVmZw=", "abcdefg", 1 },
	{ "YWJj\n<abcd>\nZGVm\n", "abci\xB7\x1D" "def", 2 },
	{ "YQ==\r\n-- \r\na list: http://a.example/\r\n", "a\n-- \na list: http://a.example/\r\n", 0 },
	{ "YQ==\nwords\nwith blanks, and more\n", "a\xC2\x8A\xDD\nwith blanks, and more\n", 0 },
};

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof quoted_rows / sizeof *quoted_rows; i++)
		CHECK(says(TRANSFER_QUOTED_PRINTABLE, &quoted_rows[i]));
	for (size_t i = 0; i < sizeof base64_rows / sizeof *base64_rows; i++)
		CHECK(says(TRANSFER_BASE64, &base64_rows[i]));
	CHECK(says(TRANSFER_IDENTITY, &(struct row){ "a=41 \n", "a=41 \n", 0 }));
}

/* ---- Every letter, at every place of a block ---- */

static void test_letters(void)
{
	enum { LENGTH = 96 };
	uint8_t in[LENGTH];
	uint32_t seed = 9;
	for (unsigned c = 0; c < 256; c++) {
		bool ok = true;
		for (size_t at = 0; ok && at < LENGTH; at++) {
			memset(in, 'Q', sizeof in);
			in[at] = (uint8_t)c;
			ok = agrees(TRANSFER_BASE64, in, LENGTH, 0, LENGTH, 200, NULL)
			     && agrees(TRANSFER_QUOTED_PRINTABLE, in, LENGTH, 0, LENGTH, 200, NULL);
			for (size_t i = 0; i < LENGTH; i++)
				in[i] = i == at ? (uint8_t)c : (uint8_t)"=4aF"[random_bits(&seed) % 4];
			ok = ok && agrees(TRANSFER_QUOTED_PRINTABLE, in, LENGTH, 0, LENGTH, 200, NULL);
		}
		CHECK(ok);
	}
}

/* ---- Random ---- */

static const char letters64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";

/* Bytes of the set, lines of `width`, one byte of `rarity` anything. */
static void fill(uint8_t *p, size_t n, const char *set, size_t width, unsigned rarity, uint32_t *seed)
{
	size_t of = strlen(set);
	for (size_t i = 0; i < n; i++) {
		p[i] = (uint8_t)set[random_bits(seed) % of];
		if (width && i % (width + 1) == width)
			p[i] = '\n';
		else if (rarity && random_bits(seed) % rarity == 0)
			p[i] = (uint8_t)random_bits(seed);
	}
}

static void test_random(uint32_t seed)
{
	static const char *const sets[] = {
		"= \t\n\r4a", "=3Dx", "= \n", " \t\n", "  \t\t  \t\t  \t\t   \t\t   \t\t     x\n", "abcdefgh ",
		"aaaaaaaaaaaaaaaaaaaaaa \n=", "=\r\n", letters64
	};
	enum { LONGEST = 3000 };
	uint8_t *p = get(LONGEST);
	for (unsigned i = 0; i < 9; i++) {
		size_t n = random_bits(&seed) % (random_bits(&seed) % 8 ? 200 : LONGEST);
		fill(p, n, sets[i], random_bits(&seed) % 2 ? 76 : 0, random_bits(&seed) % 100, &seed);
		CHECK(agrees_cut(TRANSFER_QUOTED_PRINTABLE, p, n, &seed));
		fill(p, n, letters64, random_bits(&seed) % 3 ? 60 + random_bits(&seed) % 17 : 0, random_bits(&seed) % 400,
			&seed);
		CHECK(agrees_cut(TRANSFER_BASE64, p, n, &seed));
	}
	free(p);
}

static void test_blanks(void)
{
	uint8_t in[300];
	uint32_t seed = 5;
	for (size_t before = 0; before < 20; before += 3)
		for (size_t blanks = 0; blanks < 200; blanks += blanks < 55 || blanks > 67 ? 11 : 1)
			for (unsigned end = 0; end < 5; end++) {
				size_t n = before + blanks;
				memset(in, 'x', sizeof in);
				for (size_t i = before; i < n; i++)
					in[i] = random_bits(&seed) % 2 ? ' ' : '\t';
				if (before % 2)
					in[before - 1] = '=';
				in[n] = (uint8_t)"\n\rx= "[end];
				CHECK(agrees_cut(TRANSFER_QUOTED_PRINTABLE, in, n + end % 2 * 30 + 1, &seed));
			}
}

/* ---- Names ---- */

static enum transfer named(const char *value) { return transfer_named((const uint8_t *)value, strlen(value)); }

static void test_names(void)
{
	CHECK(named("base64") == TRANSFER_BASE64 && named(" \tBase64 \r\n") == TRANSFER_BASE64);
	CHECK(named("\"BASE64\"") == TRANSFER_BASE64 && named("'base64'") == TRANSFER_BASE64);
	CHECK(named("base64;") == TRANSFER_BASE64 && named("(a (b\\) c) d) base64 (e)") == TRANSFER_BASE64);
	CHECK(named("base64(e)") == TRANSFER_BASE64 && named("base64 x") == TRANSFER_BASE64);
	CHECK(named("quoted-printable") == TRANSFER_QUOTED_PRINTABLE);
	CHECK(named("\r\n\tQUOTED-Printable\r\n") == TRANSFER_QUOTED_PRINTABLE);
	CHECK(named("\"quoted-printable\"; charset=utf-8") == TRANSFER_QUOTED_PRINTABLE);
	const char *const others[] = { "", " ", "7bit", "8bit", "binary", "x-yencode", "base64x", "base", "base640",
		"quoted-printabl",
		"quoted-printables", "quoted-printable-of-a-long-kind", "(base64", "(base64) 8bit", "8bit base64", "(\\",
			";base64", "\"" };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(named(others[i]) == TRANSFER_IDENTITY);
	CHECK(transfer_named(NULL, 0) == TRANSFER_IDENTITY);
}

int main(void)
{
	test_names();
	test_rows();
	test_letters();
	test_blanks();
	for (uint32_t seed = 1; seed <= 40; seed++)
		test_random(seed);
	return check_end();
}
