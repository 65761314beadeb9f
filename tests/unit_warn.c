/* Warnings, lookalikes, A-labels.  The cases by warning are in testdata/warnings
 * (cases_test.py); here are the ends of the interface and what must hold of
 * any URL. */
#include "check.h"
#include "text/unicode.h"
#include "url/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef URLSIFT_WITH_IDN2
#include <idn2.h>
#endif

/* A copy without a byte to spare, so that the sanitizer sees who reads past it. */
static char *exact(const char *text, size_t n)
{
	char *copy = malloc(n ? n : 1);
	if (!copy)
		exit(1);
	memcpy(copy, text, n);
	return copy;
}

static unsigned warnings_of(const char *text, size_t n, unsigned flags)
{
	urlsift_url url;
	char *copy = exact(text, n);
	urlsift_url_split(copy, n, &url);
	unsigned warnings = warn_url(&url, flags);
	for (unsigned left = warnings & ~(unsigned)URLSIFT_WARN_NO_MEMORY; left; left &= left - 1)
		CHECK_THAT(urlsift_warning_name(left & -left), "no row of src/url/warn.c for 0x%X", left & -left);
	free(copy);
	return warnings;
}

static unsigned warn(const char *text)
{
	return warnings_of(text, strlen(text), 0);
}

/* ---- Names ---------------------------------------------------------------- */

static void test_names(void)
{
	for (unsigned bit = 1; bit; bit <<= 1) {
		const char *name = urlsift_warning_name(bit), *reason = urlsift_warning_reason(bit);
		CHECK(!name == !reason);
		if (!name)
			continue;
		CHECK_FOR(strspn(name, "abcdefghijklmnopqrstuvwxyz-") == strlen(name), name);
		CHECK_FOR(strlen(reason) > 10 && !strpbrk(reason, "<>\"&\n"), reason);
	}
	CHECK(!strcmp(urlsift_warning_name(URLSIFT_WARN_PASSWORD), "password"));
	CHECK(!strcmp(urlsift_warning_name(URLSIFT_WARN_ODD_IP), "odd-ip"));
	CHECK(!strcmp(urlsift_warning_name(URLSIFT_WARN_TEXT_MISMATCH), "text-mismatch"));
	CHECK(!strcmp(urlsift_warning_name(URLSIFT_WARN_UNLINKABLE), "unlinkable-scheme"));
	CHECK(!strcmp(urlsift_warning_name(URLSIFT_WARN_TOO_LONG), "too-long"));
	CHECK(!urlsift_warning_name(0) && !urlsift_warning_reason(0));
	CHECK(!urlsift_warning_name(3) && !urlsift_warning_reason(3));
}

/* ---- A URL and a link ------------------------------------------------------ */

static void test_flags(void)
{
	const char *plain = "http://a.example/", *odd = "ftp://a.example/";
	for (int i = 0; i < 2; i++, plain = odd) {
		size_t n = strlen(plain);
		CHECK(warnings_of(plain, n, 0) == 0);
		CHECK(warnings_of(plain, n, URLSIFT_SCHEME_JOINED) == URLSIFT_WARN_JOINED_SCHEME);
		CHECK(warnings_of(plain, n, URLSIFT_TRUNCATED) == URLSIFT_WARN_TOO_LONG);
		CHECK(warnings_of(plain, n, URLSIFT_JOINED | URLSIFT_NO_IDNA) == 0);
	}
}

static void test_length(void)
{
	char text[WARN_LENGTH_MAX + 1];
	memset(text, 'x', sizeof text);
	memcpy(text, "http://a.test/", 14);
	CHECK(warnings_of(text, WARN_LENGTH_MAX, 0) == 0);
	CHECK(warnings_of(text, WARN_LENGTH_MAX + 1, 0) == URLSIFT_WARN_TOO_LONG);
	CHECK(warn_link("http://", text + 7, WARN_LENGTH_MAX - 7, 0, NULL) == 0);
	memcpy(text, "http://", 7);
	memset(text + 7, 'a', sizeof text - 7);
	CHECK(warnings_of(text, sizeof text, 0) ==
	      (URLSIFT_WARN_TOO_LONG | URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE));
	CHECK(warn_link("http://", text + 7, sizeof text - 7, 0, NULL)
	      == (URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE));
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(i % 64 == 63 ? '.' : 'a');
	memcpy(text, "http://", 7);
	CHECK(warnings_of(text, 7 + 253, 0) == 0);
	CHECK(warnings_of(text, 7 + 255, 0) == URLSIFT_WARN_HOST_CHANGES);
}

/* What stands alone, and what is no URL at all. */
static void test_oddities(void)
{
	static const struct { const char *text; unsigned warnings; } cases[] = {
		{ "", 0 },
		{ ":", 0 },
		{ "//", 0 },
		{ "http:", URLSIFT_WARN_UNUSABLE },
		{ "http://", URLSIFT_WARN_UNUSABLE },
		{ "http:///", URLSIFT_WARN_UNUSABLE },
		{ "http://@/", URLSIFT_WARN_UNUSABLE },
		{ "http://:@:/", URLSIFT_WARN_UNUSABLE },
		{ "http://.", 0 },
		{ "http://../", 0 },
		{ "http://[/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://[]/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_UNUSABLE },
		{ "http://a.test:/", 0 },
		{ "http://a.test:x/", URLSIFT_WARN_UNUSABLE },
		{ "http://a.test:65561/", URLSIFT_WARN_RESERVED_PORT | URLSIFT_WARN_UNUSABLE },
		{ "http://a.test:4294967296000000000000000080/", URLSIFT_WARN_UNUSABLE },
		{ "http://xn--/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://xn--a-/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://XN--80AK6AA92E.test/", URLSIFT_WARN_CONFUSABLE },
		{ "http://a.test/\n", URLSIFT_WARN_ENCODED_CONTROL },
		{ "http://a.test/%", 0 },
		{ "http://%/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://00000000000000000000000000000000000000000300.0.0.1/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_ODD_IP },
		{ "http://4294967295/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_ODD_IP },
		{ "http://4294967296/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://18446744073709551617/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://1.16777215/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_ODD_IP },
		{ "http://1.16777216/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://1..2/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http://[2001:db8::1]/", URLSIFT_WARN_IP_HOST }, { "http://[::1]/", 0 },
		{ "http://[v1.a]/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_UNUSABLE },
		{ "http://[fe80::1%25eth0]/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_UNUSABLE },
		{ "irc://[1:2]/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_UNUSABLE },
		{ "http:g", URLSIFT_WARN_HOST_CHANGES },
		{ "http:/g:80/", URLSIFT_WARN_HOST_CHANGES },
		{ "http:/g:a/", URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE },
		{ "http:///g/", URLSIFT_WARN_HOST_CHANGES },
		{ "https:\\g", URLSIFT_WARN_HOST_CHANGES },
		{ "http://a.test/\u200Cg", URLSIFT_WARN_INVISIBLE },
		{ "http://a.test/?g=\u200Dg", URLSIFT_WARN_INVISIBLE },
		{ "http://a.test/1\uFE0F\u20E3", 0 },
		{ "http://a.test/\u0646\u200C\u0645", 0 },
		{ "irc:///x", 0 },
		{ "irc://:6667/", URLSIFT_WARN_UNUSABLE },
		{ "http://0x/", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_ODD_IP },
		{ "mailto:", 0 },
		{ "mailto:@", 0 },
		{ "mailto:a@1.2.3.4,b@xn--a", URLSIFT_WARN_IP_HOST | URLSIFT_WARN_HOST_CHANGES },
		{ "mailto:?body=%0D%0A", 0 },
		{ "mailto:%0D?body=", URLSIFT_WARN_ENCODED_CONTROL },
		{ "mailto:?&&&body", 0 },
		{ "no-such-scheme:x", URLSIFT_WARN_UNKNOWN_SCHEME },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_FOR(warn(cases[i].text) == cases[i].warnings, cases[i].text);
	/* an address with slashes, as after `mailto:`, has no host before a path */
	CHECK(warn_link("mailto:", "//bank.example@evil.test", 24, 0, NULL) == 0);
	CHECK(warn_link("mailto:", "a/b@evil.test", 13, 0, NULL) == 0);
	CHECK(warnings_of("http://a.test/\0", 15, 0) == URLSIFT_WARN_ENCODED_CONTROL);
	CHECK(warnings_of("http://a\0b.test/", 16, 0) ==
	      (URLSIFT_WARN_ENCODED_CONTROL | URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE));
}

static void test_link(void)
{
	static const char *const supplied[] = { "http://", "ftp://", "mailto:", "" };
	static const char *const texts[] = {
		"www.a.test", "www.a.test:25/x", "1.2.3.4", "a@b.test", "a@xn--a", "www.a.test/%0D", "www.a.test?x=/%E2%80%8B",
		"www.p\xD0\xB0.test#x", "ftp.a.test/@b", "http://a:b@c.test:22/", "",
	};
	char whole[64];
	for (size_t s = 0; s < sizeof supplied / sizeof *supplied; s++)
		for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
			snprintf(whole, sizeof whole, "%s%s", supplied[s], texts[t]);
			char *copy = exact(texts[t], strlen(texts[t]));
			CHECK_FOR(warn_link(supplied[s], copy, strlen(texts[t]), 0, NULL) == warn(whole), whole);
			free(copy);
		}
}

/* ---- Any text -------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

/* Hosts and paths out of these, many of them strange. */
static size_t random_rest(uint32_t *state, char *out, size_t size)
{
	static const char *const pieces[] = {
		"a", "b9", "Z", "-", "--", ".", "..", "1", "0x", "017", "256", "xn--", "xn--bcher-kva", "xn--80ak6aa92e", "@",
			":",
		":25", ":8080", "/", "?", "#", "%", "%2F", "%00", "%E2%80%8B", "%FF", "%C3%BC", "\xC3\xBC", "\xD0\xB0", "\xFF",
		"\xE2\x80\xAE", "\xE2\x84\x80", "\xE3\x80\x82", "[", "]", "[::1]", ",", "_", "~", "!", "^", "\\", " ", "\x01",
			"\x7F",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "example", "test",
	};
	size_t used = 0, count = next_random(state) % 12;
	for (size_t i = 0; i < count; i++) {
		const char *piece = pieces[next_random(state) % (sizeof pieces / sizeof *pieces)];
		size_t n = strlen(piece);
		if (used + n > size)
			break;
		memcpy(out + used, piece, n);
		used += n;
	}
	return used;
}

/* The short cut for common URLs is taken by a scheme in lower case alone. */
static void test_short_cut(void)
{
	uint32_t state = 1;
	size_t differ = 0;
	char lower[512] = "https://", upper[512] = "HTTPS://";
	for (unsigned i = 0; i < run_rounds(100000); i++) {
		size_t n = random_rest(&state, lower + 8, sizeof lower - 8);
		memcpy(upper + 8, lower + 8, n);
		unsigned one = warnings_of(lower, n + 8, 0), other = warnings_of(upper, n + 8, 0);
		if (one != other && !differ++)
			printf("%.*s: %x and %x\n", (int)n + 8, lower, one, other);
	}
	CHECK(differ == 0);
}

/* ---- A-labels -------------------------------------------------------------- */

/* The samples of RFC 3492 section 7.1 without capitals, and some more. */
static void test_punycode(void)
{
	static const struct { const char *label; size_t count; uint32_t points[24]; } good[] = {
		{ "xn--egbpdaj6bu4bxfgehfvwxn", 17, { 0x644, 0x64A, 0x647, 0x645, 0x627, 0x628, 0x62A, 0x643, 0x644, 0x645,
			0x648,
		  0x634, 0x639, 0x631, 0x628, 0x64A, 0x61F } },
		{ "xn--ihqwcrb4cv8a8dqg056pqjye", 9, { 0x4ED6, 0x4EEC, 0x4E3A, 0x4EC0, 0x4E48, 0x4E0D, 0x8BF4, 0x4E2D,
			0x6587 } },
		{ "xn--2-u9tlzr9756bt3uc0v", 9, { 0x3072, 0x3068, 0x3064, 0x5C4B, 0x6839, 0x306E, 0x4E0B, '2', 0 } },
		{ "XN--bcher-kva", 6, { 'b', 0xFC, 'c', 'h', 'e', 'r' } },
		{ "xn--n3h", 1, { 0x2603 } },
		{ "xn--bcher-KVA", 6, { 'b', 0xFC, 'c', 'h', 'e', 'r' } },
	};
	static const char *const bad[] = {
		"xn--", "xn--a", "xn---", "xn--a-", "xn--abc-", "xn---a-", "xn--99999999999999", "xn--a\xC3\xBC",
			"xn--zzzzzzzzzzz",
		"xn--a b", "xn--bcher-kv", "xn--0ca01234567890123456789012345678901234567890123456789012345678",
	};
	uint32_t points[IDNA_LABEL_MAX];
	size_t count;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		const char *label = good[i].label;
		bool held = idna_decode_label((const uint8_t *)label, strlen(label), points, &count);
		size_t wanted = i == 2 ? 8 : good[i].count;
		CHECK_FOR(held && count == wanted && !memcmp(points, good[i].points, count * sizeof *points), label);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *copy = exact(bad[i], strlen(bad[i]));
		CHECK_FOR(!idna_decode_label((const uint8_t *)copy, strlen(bad[i]), points, &count), bad[i]);
		free(copy);
	}
}

static void test_idna(void)
{
	static const struct { const char *host, *ascii; } cases[] = {
		{ "b\xC3\xBC" "cher.example", "xn--bcher-kva.example" },
		{ "B\xC3\x9C" "CHER.example", "xn--bcher-kva.example" },
		{ "b%C3%BCcher.example", "xn--bcher-kva.example" },
		{ "b\xFC" "cher.example", "xn--bcher-kva.example" },
		{ "stra\xC3\x9F" "e.example", "xn--strae-oqa.example" },
		{ "\xE6\x97\xA5\xE6\x9C\xAC\xE3\x80\x82\xE4\xBE\x8B", "xn--wgv71a.xn--fsq" },
		{ "\xEF\xBD\x82" "ank.example", "bank.example" },
		{ "a\xE2\x84\x80" "b.example", NULL },
		{ "bank.example\xEF\xBC\x8F" "evil.example", NULL },
		{ "a\xC3\xBC%2Fb.example", NULL },
		{ "a\xC3\xBC%00b.example", NULL },
		{ "a\xC3\xBC%FF.example", NULL },
		{ "xn--a.example", NULL },
		{ "a\xE2\x80\x8C" "b.example", NULL },
		{ "", NULL },
	};
	char out[256], wide[4 * IDNA_HOST_MAX];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = 999;
		char *copy = exact(cases[i].host, strlen(cases[i].host));
		bool held = idna_to_ascii((const uint8_t *)copy, strlen(cases[i].host), out, &n) >= IDNA_FOUND;
		free(copy);
		if (!cases[i].ascii || !idna_available())
			CHECK_FOR(!held && n == 999, cases[i].host);
		else
			CHECK_FOR(held && n == strlen(cases[i].ascii) && !memcmp(out, cases[i].ascii, n), cases[i].host);
	}
	size_t n = 0;
	memset(wide, '\xFC', sizeof wide);
	CHECK(!idna_to_ascii((const uint8_t *)wide, sizeof wide, out, &n));
	CHECK(!idna_to_ascii((const uint8_t *)wide, 300, out, &n));
}

#ifdef URLSIFT_WITH_IDN2
/* A host of characters of all kinds, those most that idna_to_ascii takes without libidn2. */
static size_t random_host(uint32_t *state, uint8_t *out)
{
	static const uint32_t pools[][2] = {
		{ 'a', 26 }, { 'a', 26 }, { '-', 14 }, { 'A', 26 }, { 0xC0, 0x110 }, { 0x386, 0x50 }, { 0x400, 0xC0 },
		{ 0x531, 0x60 }, { 0x5D0, 0xF0 }, { 0xFF0D, 0x60 }, { 0x5D0, 0x20 }, { 0x61F, 0x40 },
		{ 0x900, 0x70 }, { 0xE01, 0x60 }, { 0x10D0, 0x30 }, { 0x1EA0, 0x60 }, { 0x3040, 0xF0 },
		{ 0x4DB0, 0x60 }, { 0x4E00, 0x5200 }, { 0xAC00, 0x2BA8 }, { 0x300, 0x70 }, { 0x200C, 2 }, { 0x590, 0x170 },
		{ 0x1100, 0x100 }, { 0xFF00, 0xF0 }, { 0x1F600, 0x40 }, { 0xB0, 0x10 }
	};
	size_t n = 0, count = 1 + random_bits(state) % (random_bits(state) % 16 ? 12 : 80), pool = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t bits = random_bits(state);
		if (i == 0 || bits % 4 == 0)
			pool = bits / 4 % (sizeof pools / sizeof *pools - (bits / 128 % 4 ? 7 : 0));
		n += utf8_put(out + n, bits / 512 % 16 ? pools[pool][0] + random_bits(state) % pools[pool][1] : '.');
	}
	return n;
}

/* The answer is that of libidn2, whether it was asked or not.  An A-label is one of itself; with one letter changed it
 * is often none. */
static void test_idna_against_libidn2(void)
{
	uint32_t state = 15;
	long count = run_is_long() ? 1000000 : run_rounds(20000);
	uint8_t host[IDNA_HOST_MAX], *name;
	/* each character alone and between two others */
	for (uint32_t cp = 0x80; run_is_long() && cp < 0x20000; cp += cp == 0xD7FF ? 0x801 : 1)
		for (int where = 0; where < 4; where++) {
			char out[256];
			size_t n = 0, got = 0;
			const uint32_t beside[] = { 0, 'a', cp, 0x5D0 };
			n = where ? utf8_put(host, beside[where]) : 0;
			n += utf8_put(host + n, cp);
			n += where ? utf8_put(host + n, beside[where]) : 0;
			host[n] = 0;
			int error = idn2_lookup_u8(host, &name, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
			if (error == IDN2_DISALLOWED)
				continue;
			enum idna found = idna_to_ascii(host, n, out, &got);
			bool same = found < IDNA_FOUND;
			if (!error && !same)
				same = got == strlen((char *)name) && !memcmp(out, name, got);
			CHECK_THAT(same, "U+%04X, place %d: %s %d %.*s", cp, where, error ? "" : (char *)name, error, (int)got,
			           out);
			if (!error)
				idn2_free(name);
		}
	for (long i = 0; i < count; i++) {
		size_t n = random_host(&state, host);
		for (int again = 0; again < 3; again++) {
			char out[256];
			size_t got = 0;
			host[n] = 0;
			int error = idn2_lookup_u8(host, &name, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
			enum idna found = idna_to_ascii(host, n, out, &got);
			if (error == IDN2_DISALLOWED)
				break; /* perhaps a symbol */
			bool same = found == IDNA_NONE;
			if (!error && !same)
				same = got == strlen((char *)name) && !memcmp(out, name, got);
			CHECK_THAT(same, "%s: %s %d %.*s", (char *)host, error ? "" : (char *)name, error, (int)got, out);
			if (error)
				break;
			CHECK_THAT(found >= IDNA_FOUND || !*name || strpbrk((char *)name, "%/:<>?@[\\]^`{|}# \""), "%s",
			           (char *)name);
			n = strlen((char *)name);
			memcpy(host, name, n);
			idn2_free(name);
			if (again)
				host[random_bits(&state) % (n + !n)] =
					(uint8_t)(random_bits(&state) % 2 ? 'a' + random_bits(&state) % 26 : 'Q');
		}
	}
}
#endif

/* ---- Lookalikes ------------------------------------------------------------ */

static unsigned look(const char *host)
{
	char *copy = exact(host, strlen(host));
	unsigned warnings = lookalike_host((const uint8_t *)copy, strlen(host));
	free(copy);
	return warnings;
}

static void test_lookalikes(void)
{
	CHECK(look("") == 0);
	CHECK(look(".") == 0);
	CHECK(look("a..b") == 0);
	CHECK(look("\xD1\x80") == 0); /* alone, it is its own top-level domain */
	CHECK(look("\xD1\x80.test") == URLSIFT_WARN_CONFUSABLE);
	CHECK(look("\xD1\x80.test.") == URLSIFT_WARN_CONFUSABLE);
	CHECK(look("\xD1\x80.\xD1\x80\xD1\x84.") == 0);
	CHECK(look("\xD1\x80" "a.test") == URLSIFT_WARN_MIXED_SCRIPT);
	CHECK(look("a\xE3\x80\x82\xD1\x80\xEF\xBD\xA1" "a") == URLSIFT_WARN_CONFUSABLE); /* dots of CJK part labels too */
	CHECK(look("xn--a.\xD1\x80" "a") == (URLSIFT_WARN_MIXED_SCRIPT | URLSIFT_WARN_HOST_CHANGES));
	/* strokes like a slash, between ASCII characters, and the characters beside them */
	static const char *const strokes[] = {
		"\xE3\x82\xBD", "\xE3\x83\x8E", "\xE3\x83\xB3", "\xE3\x82\xBE", "\xE4\xB8\xB6", "\xE4\xB8\xBF"
	}, *const others[] = { "\xE3\x82\xBC", "\xE3\x82\xBF", "\xE3\x83\x8D", "\xE3\x83\x8F", "\xE3\x83\xB2", "\xE3\x83\xB4",
	                       "\xE4\xB8\xB5", "\xE4\xB8\xB7", "\xE4\xB8\xBE", "\xE4\xB9\x80" };
	char host[16];
	for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
		snprintf(host, sizeof host, "a%sb.test", strokes[i]);
		CHECK_FOR(look(host) & URLSIFT_WARN_CONFUSABLE, host);
		snprintf(host, sizeof host, "a%s%s.test", strokes[i], strokes[i]);
		CHECK_FOR(!(look(host) & URLSIFT_WARN_CONFUSABLE), host);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		snprintf(host, sizeof host, "a%sb.test", others[i]);
		CHECK_FOR(!(look(host) & URLSIFT_WARN_CONFUSABLE), host);
	}
}

/* ---- Addresses, and lengths of hosts -------------------------------------------- */

/* As the URL Standard reads a host that may be an IPv4 address, its last part at most 32 bits. */
static enum host_number slow_number(const char *host, size_t n, uint32_t *address)
{
	uint64_t part[8] = { 0 }, whole = 0;
	size_t parts = 0, good = 0;
	bool last = false, digits = false;
	n -= n > 0 && host[n - 1] == '.';
	for (size_t i = 0, end; i <= n; i = end + 1, parts++) {
		for (end = i; end < n && host[end] != '.';)
			end++;
		char text[200];
		snprintf(text, sizeof text, "%.*s", (int)(end - i), host + i);
		const bool hex = *text == '0' && (text[1] | 0x20) == 'x', octal = *text == '0' && text[1] && !hex;
		const char *from = text + (hex ? 2 : octal), *const allowed = hex ? "0123456789abcdefABCDEF" : octal ? "01234567" : "0123456789";
		last = *text && !from[strspn(from, allowed)];
		digits = *text && !text[strspn(text, "0123456789")];
		good += last;
		if (parts < 8)
			part[parts] = *from ? strtoull(from, NULL, hex ? 16 : octal ? 8 : 10) : 0;
	}
	if (!last && !digits)
		return HOST_NO_NUMBER;
	if (good < parts || parts > 4)
		return HOST_BAD_ADDRESS;
	for (size_t i = 0; i + 1 < parts; i++) {
		if (part[i] > 255)
			return HOST_BAD_ADDRESS;
		whole += part[i] << 8 * (3 - i);
	}
	if (part[parts - 1] >= (uint64_t)1 << 8 * (5 - parts))
		return HOST_BAD_ADDRESS;
	*address = (uint32_t)(whole + part[parts - 1]);
	return HOST_ADDRESS;
}

static void test_numbers(void)
{
	static const char *const tokens[] = {
		"", "0", "0", "1", "8", "9", "x", "0x", "0X", "a", "F", "g", "255", "256", "65535", "65536", "16777215", "16777216",
		"4294967295", "4294967296", "0xff", "0x100", "0377", "0400", "99999999999999999999",
	};
	uint32_t state = 5;
	for (unsigned i = 0; i < run_rounds(40000); i++) {
		char host[6 * 2 * 20 + 8] = "";
		for (size_t left = 1 + next_random(&state) % 6; left > 0; left--) {
			for (size_t count = next_random(&state) % 8 ? 1 : 2; count > 0; count--)
				strcat(host, tokens[next_random(&state) % (sizeof tokens / sizeof *tokens)]);
			strcat(host, left > 1 || next_random(&state) % 8 == 0 ? "." : "");
		}
		const size_t n = strlen(host);
		uint32_t got = 0, wanted = 0;
		char *copy = exact(host, n);
		const enum host_number slow = slow_number(host, n, &wanted), number = usable_number((uint8_t *)copy, n, &got);
		CHECK_THAT(number == slow && (slow != HOST_ADDRESS || got == wanted), "the number %s", host);
		free(copy);
	}
}

/* The networks of RFC 1918, RFC 3927, RFC 4193 and RFC 4291, to the address before and after each. */
static void test_networks(void)
{
	static const unsigned ends[] = { 0, 1, 15, 16, 31, 32, 127, 128, 167, 168, 169, 191, 192, 253, 254, 255 };
	char text[64];
	for (unsigned i = 0; i < 256 * sizeof ends / sizeof *ends; i++) {
		const unsigned a = i / 16, b = ends[i % 16], head = a * 256 + b;
		const bool own = a == 10 || a == 127 || (a == 169 && b == 254) || (a == 172 && b / 16 == 1) || (a == 192 && b == 168);
		const bool local = a == 0xFC || a == 0xFD || (a == 0xFE && b / 64 == 2) || head == 0;
		for (int last = 0; last < 2; last++) {
			snprintf(text, sizeof text, "http://%u.%u.%s/", a, b, last ? "255.255" : "0.0");
			CHECK_THAT(warn(text) == (own ? 0 : URLSIFT_WARN_IP_HOST), "%s", text);
			snprintf(text, sizeof text, "http://[::ffff:%x:%x]/", head, last ? 0xFFFFu : 0u);
			CHECK_THAT(warn(text) == (own ? 0 : URLSIFT_WARN_IP_HOST), "%s", text);
			snprintf(text, sizeof text, "http://[%x:%s:1]/", head, last && head ? "ffff:ffff:ffff:ffff:ffff:ffff" : "");
			CHECK_THAT(warn(text) == (local ? 0 : URLSIFT_WARN_IP_HOST), "%s", text);
		}
	}
}

/* A label has at most 63 bytes, and a host 253 and perhaps a full stop: of letters, with a byte that is looked at, and
 * as A-labels. */
static void test_host_lengths(void)
{
	static const char *const before[] = { "", "_", "\xC3\xBC" };
	for (size_t way = 0; way < 2 + (size_t)idna_available(); way++)
		for (size_t length = 60; length <= 262; length += length == 66 ? 180 : 1)
			for (size_t label = way < 2 ? 62 : 40; label <= (way < 2 ? 64 : 40); label++)
				for (size_t stop = 0; stop < 2; stop++) {
					char host[270], text[300], out[256];
					size_t n = length;
					for (size_t i = 0; i < length; i++)
						host[i] = i % (label + 1) == label ? '.' : 'a';
					memcpy(host, before[way], strlen(before[way]));
					if (host[length - 1] == '.')
						continue;
					host[length] = '.';
					const enum idna idna = way < 2 ? IDNA_SAME : idna_to_ascii((uint8_t *)host, length, out, &n);
					const bool bad = n > 253 || (label > 63 && length > 63) || idna == IDNA_NONE;
					const unsigned wanted = bad ? URLSIFT_WARN_HOST_CHANGES | (idna == IDNA_NONE ? URLSIFT_WARN_UNUSABLE : 0) : 0;
					snprintf(text, sizeof text, "http://%.*s/", (int)(length + stop), host);
					CHECK_THAT(warn(text) == wanted, "a host of %zu bytes, %zu as A-labels, labels of %zu", length, n, label);
				}
}

int main(void)
{
	test_names();
	test_flags();
	test_length();
	test_oddities();
	test_link();
	test_short_cut();
	test_punycode();
	test_idna();
#ifdef URLSIFT_WITH_IDN2
	test_idna_against_libidn2();
#endif
	test_lookalikes();
	test_numbers();
	test_networks();
	test_host_lengths();
	return check_end();
}
