/* J2: links of mail archives, whose last name is a Message-ID. */
#include "guess.h"

#include "url/url.h"

#include <string.h>

bool guess_ends_in_id(const struct guess *g, const struct view *v)
{
	enum { DATE = 8, LEAST = 9 }; /* digits of a date, of a time */
	size_t begin = byte_last(v->p, g->from, g->at, '/'), i = begin, digits = byte_span(v->p, i, g->at, BYTE_DIGIT);
	if (digits - begin == DATE && digits < g->at && v->p[digits] == '-' && v->p[g->at - 1] == '-')
		return !memchr(v->p + digits, '@', g->at - digits);
	for (size_t k = 0; k < 3; k++) {
		digits = byte_span(v->p, i, g->at, BYTE_DIGIT);
		if (digits == i || digits == g->at || (v->p[digits] != '-' && (k || v->p[digits] != '.')))
			return false;
		i = digits + 1;
	}
	return guess_digits(v->p + begin, g->at - begin) >= LEAST && !memchr(v->p + i, '@', g->at - i);
}

bool guess_completes_id(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	enum { CODE = 24 }; /* capitals and digits at least of what Exchange makes, before the `@` */
	const uint8_t *at = memchr(w->p, '@', w->n);
	if (!at || !guess_word_is_host_of(w, (size_t)(at + 1 - w->p)))
		return false;
	size_t code = g->at - byte_span_back(v->p, g->from, g->at, BYTE_UPPER | BYTE_DIGIT);
	return guess_ends_in_id(g, v) || (at == w->p && code >= CODE && v->p[g->at - code - 1] == '/');
}

bool guess_ends_in_uuid(const uint8_t *part, size_t length)
{
	static const uint8_t groups[] = {12, 4, 4, 4, 8};
	for (size_t i = 0; i < sizeof groups; i++) {
		size_t begin = byte_span_back(part, 0, length, BYTE_ALNUM);
		uint64_t value = 0;
		if (length - begin != groups[i] || number_read(part, begin, length, 16, &value) != length)
			return false;
		length = begin - 1;
		if (!begin || (i + 1 < sizeof groups && part[length] != '-'))
			return false;
	}
	return true;
}

bool guess_is_past_id(const uint8_t *part, size_t length, const struct guess_word *w)
{
	size_t n = length - (part[length - 1] == '.'), slash = n && part[n - 1] == '/', letters = guess_letters(w->p, w->n);
	n = slash ? n - 1 : length;
	const size_t name = byte_last(part, 0, n, '/'), at = byte_last(part, name, n, '@');
	const size_t label = byte_last(part, at, n, '.');
	if (at < name + 2 || label == at || !tld_known(part + label, n - label) || text_ends(part, name, "//"))
		return false;
	if (!slash) /* `#v1`, `v2`: a version of what the message holds */
		return w->p[0] == '#' || (letters == 1 && w->n > 1 && guess_digits(w->p + 1, w->n - 1) == w->n - 1);
	return w->p[0] != '#' && !text_is_among(w->p, letters, "T t raw mbox");
}
