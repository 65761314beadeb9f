/* J2: links of mail archives, whose last name is a Message-ID. */
#include "guess.h"

#include "url/url.h"

#include <string.h>

bool guess_ends_in_id(const struct guess *g)
{
	enum { DATE = 8, LEAST = 9 }; /* digits of a date, of a time */
	const uint8_t *p = g->part;
	const size_t n = g->length, begin = byte_last(p, 0, n, '/');
	size_t i = begin, digits = byte_span(p, i, n, BYTE_DIGIT);
	if (digits - begin >= DATE && BYTE_IN(byte_at(p, digits, n), "-.") && g->last == '-')
		return !memchr(p + digits, '@', n - digits);
	for (size_t k = 0; k < 3; k++) {
		digits = byte_span(p, i, n, BYTE_DIGIT);
		const uint8_t next = byte_at(p, digits, n);
		if (digits == i || (next != '-' && (k || next != '.')))
			return false;
		i = digits + 1;
	}
	return guess_digits(p + begin, n - begin) >= LEAST && !memchr(p + i, '@', n - i);
}

bool guess_completes_id(const struct guess *g)
{
	enum { CODE = 20 }; /* capitals, digits and full stops at least before the `@`: what Exchange makes, or a time */
	const uint8_t *at = memchr(g->w.p, '@', g->w.n);
	if (!at || !guess_word_is_host_of(g, (size_t)(at + 1 - g->w.p)))
		return false;
	size_t code = g->length - byte_span_back(g->part, 0, g->length, BYTE_UPPER | BYTE_DIGIT | BYTE_STOP);
	return guess_ends_in_id(g) || (at == g->w.p && code >= CODE && code < g->length && g->v->p[g->at - code - 1] == '/');
}

bool guess_is_past_uuid(const struct guess *g)
{
	static const uint8_t groups[] = {12, 4, 4, 4, 8};
	const uint8_t *part = g->part;
	size_t length = g->length;
	for (size_t i = 0; i < sizeof groups; i++) {
		size_t begin = byte_span_back(part, 0, length, BYTE_ALNUM);
		uint64_t value = 0;
		if (length - begin != groups[i] || number_read(part, begin, length, 16, &value) != length)
			return false;
		length = begin - 1;
		if (!begin || (i + 1 < sizeof groups && part[length] != '-'))
			return false;
	}
	return is_alnum(g->w.p[0]);
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
		return g->w.p[0] == '#' || (letters == 1 && g->w.n > 1 && guess_digits(g->w.p + 1, g->w.n - 1) == g->w.n - 1);
	return g->w.p[0] != '#' && !text_is_among(g->w.p, letters, "T t raw mbox");
}
