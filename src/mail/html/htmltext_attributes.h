/* Names and values in tags: where they end, and the attributes that say nothing here. */
#ifndef MAIL_HTML_HTMLTEXT_ATTRIBUTES_H
#define MAIL_HTML_HTMLTEXT_ATTRIBUTES_H

#include "htmltext_scan.h"

/* What a byte ends: the name of a tag, of an attribute, an unquoted value, one that is kept. */
enum { ENDS_NAME = 1, ENDS_ATTRIBUTE = 2, ENDS_VALUE = 4, ENDS_KEPT_VALUE = 8 };
extern const uint8_t attributes_classes[256];

/* The index in [i, n) of the first byte that ends what `class` says; n when there is none. */
static inline size_t attributes_class_end(const uint8_t *p, size_t i, size_t n, unsigned class)
{
	while (i < n && !(attributes_classes[p[i]] & class))
		i++;
	return i;
}

/* The same of a class that ends names: short ones, in one step. */
static inline size_t attributes_name_end(const uint8_t *p, size_t i, size_t n, unsigned class)
{
#if defined(__SSE2__)
	for (; n - i >= 16; i += 16)
		for (unsigned bits = scan_marks(p + i); bits; bits &= bits - 1)
			if (attributes_classes[p[i + (size_t)__builtin_ctz(bits)]] & class)
				return i + (size_t)__builtin_ctz(bits);
#endif
	return attributes_class_end(p, i, n, class);
}

/* Passes over attributes from p[i] on that say nothing here, each with its value, as most are: behind the last of them
 * that is whole before n.  *slash becomes false when there was one. */
size_t attributes_pass(const uint8_t *p, size_t i, size_t n, bool *slash);

#endif
