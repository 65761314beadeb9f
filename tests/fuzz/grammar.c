/* Fuzzes splitting and the grammars.  The first byte says how the rest is read:
 * as a URL, or as a list of the phrases below.
 *
 * Checked: the parts of a split URL lie in it; every grammar gives a verdict; what
 * the class tables call valid is valid to PCRE2; a fault lies in the text. */
#include "fuzz.h"

#include "url/url.h"

#include <stdlib.h>
#include <string.h>

static const char *const phrases[] = {
	"http:", "HTTP:", "https:", "ftp:", "file:", "gopher:", "mailto:", "news:", "nntp:", "telnet:", "wais:",
		"prospero:", "x:",
	"1:", "//", "/", "?", "#", "@", ":", ";", "=", "&", ".", "..", "-", "--", "_", "~", "+", "*", "!", "$", ",", "%",
	"%4", "%41",
	"%09", "%zz", ";type=", ";type=a", "[", "]", "[::1]", "::", "1:2:3:4:5:6:7:8", "ffff", "192.0.2.1", "256.1.1.1",
		"[v7.a]",
	"v1", "a", "Z", "0", "9", ":80", "u:p@", "a.test", "b1.example", "comp.misc", "{", "}", "|", "\\", "^", "`", "<",
		">", "\"",
	" ", "\t", "\x7F", "\xC2\x80", "\xC3\xA9", "\xE9", "\x81", "\x80", "\xEE\x80\x80", "\xEF\xBF\xBE", "\xEF\xB7\x90",
	"\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBD", "\xF3\xA0\x80\x81", "\xED\xA0\x80", "\xE2\x82"
};
enum { PHRASES = sizeof phrases / sizeof *phrases, TEXT_MAX = 64 * 1024 };

static size_t write_phrases(char *out, const uint8_t *data, size_t size)
{
	size_t n = 0;
	for (size_t i = 0; i < size; i++) {
		const char *phrase = phrases[data[i] % PHRASES];
		size_t length = strlen(phrase);
		if (length > TEXT_MAX - n)
			break;
		memcpy(out + n, phrase, length);
		n += length;
	}
	return n;
}

static void check_parts(const urlsift_url *url)
{
	const urlsift_component parts[] = {
		url->scheme, url->authority, url->userinfo, url->user, url->password, url->host, url->port, url->path,
			url->query,
		url->fragment
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		REQUIRE(parts[i].offset <= url->length && parts[i].length <= url->length - parts[i].offset);
		REQUIRE(parts[i].present || (!parts[i].offset && !parts[i].length));
	}
}

static void check_url(urlsift_context *context, const char *text, size_t length)
{
	urlsift_url url;
	urlsift_url_split(text, length, &url);
	check_parts(&url);
	for (int which = 0; which < GRAMMARS; which++) {
		urlsift_status status = URLSIFT_OK;
		urlsift_fault fault = { length + 1, NULL, NULL };
		const struct grammar *g = context_grammar(context, (urlsift_grammar)which, &status);
		REQUIRE(g != NULL);
		status = grammar_match(g, &url, &fault);
		REQUIRE(status == URLSIFT_OK || status == URLSIFT_INVALID);
		urlsift_fault quick;
		if (grammar_quick(&url, (urlsift_grammar)which, &quick))
			REQUIRE(quick.rule ? status == URLSIFT_INVALID && quick.rule == fault.rule && quick.offset == fault.offset
			                     && quick.what == fault.what : status == URLSIFT_OK);
		REQUIRE(status == URLSIFT_OK || (fault.offset <= length && *fault.rule && *fault.what));
		REQUIRE(urlsift_url_check(context, &url, (urlsift_grammar)which, &fault) == status);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static urlsift_context *context; /* compiled once for all inputs */
	if (!context)
		context = urlsift_context_new(NULL);
	REQUIRE(context != NULL);
	if (!size)
		return 0;
	size_t length = size - 1;
	char *text = malloc(data[0] & 1 ? TEXT_MAX : size);
	REQUIRE(text != NULL);
	if (data[0] & 1)
		length = write_phrases(text, data + 1, size - 1);
	else
		memcpy(text, data + 1, length);
	char *exact = malloc(length ? length : 1); /* so that a byte too far is seen */
	REQUIRE(exact != NULL);
	memcpy(exact, text, length);
	check_url(context, exact, length);
	free(exact);
	free(text);
	return 0;
}
