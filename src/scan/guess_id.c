/* J2: links of mail archives, whose last name is a Message-ID. */
#include "guess.h"

#include "text/match.h"
#include "url/url.h"

#include <string.h>

bool guess_ends_in_id(const struct guess *g)
{
#define DATE "%d%d%d%d%d%d%d%d" /* a time has a digit more */
	const size_t begin = byte_last(g->part, 0, g->length, '/'), n = g->length - begin;
	return match_bytes(g->part + begin, n, DATE "%d+[.-]%d+-%d+-[^@]*" MATCH_END)
	       || (g->last == '-' && match_bytes(g->part + begin, n, DATE "%d*[.-][^@]*" MATCH_END));
}

bool guess_completes_id(const struct guess *g)
{
	enum { CODE = 20 }; /* capitals, digits and full stops at least before the `@`: what Exchange makes, or a time */
	const uint8_t *at = memchr(g->w.p, '@', g->w.n);
	if (!at || !guess_word_is_host_of(g, (size_t)(at + 1 - g->w.p)))
		return false;
	size_t code = g->length - byte_span_back(g->part, 0, g->length, BYTE_UPPER | BYTE_DIGIT | BYTE_STOP);
	return guess_ends_in_id(g) || (at == g->w.p && code >= CODE && byte_before(g->part, g->length - code) == '/');
}

bool guess_is_past_uuid(const struct guess *g)
{
#define FOUR MATCH_HEX MATCH_HEX MATCH_HEX MATCH_HEX
	enum { LENGTH = 36 };
	const size_t begin = excess(g->length, LENGTH);
	return begin && is_alnum(g->w.p[0]) && !is_alnum(g->part[begin - 1])
	       && match_bytes(g->part + begin, LENGTH, FOUR FOUR "-" FOUR "-" FOUR "-" FOUR "-" FOUR FOUR FOUR);
}

bool guess_is_past_id(const struct guess *g)
{
	const uint8_t *part = g->part;
	const size_t length = g->length;
	size_t n = length - (g->last == '.'), slash = byte_before(part, n) == '/', letters = guess_letters(g->w.p, g->w.n);
	n = slash ? n - 1 : length;
	const size_t name = byte_last(part, 0, n, '/'), at = byte_last(part, name, n, '@');
	const size_t label = byte_last(part, at, n, '.');
	if (at < name + 2 || label == at || !tld_known(part + label, n - label) || text_ends(part, name, "//"))
		return false;
	if (!slash) /* `#v1`, `v2`: a version of what the message holds */
		return match_bytes(g->w.p, g->w.n, "#|%a%d+" MATCH_END);
	return g->w.p[0] != '#' && !text_is_among(g->w.p, letters, "T t raw mbox");
}
