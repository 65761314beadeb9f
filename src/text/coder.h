/* iconv, asked for one character at a time, and what it said remembered. */
#ifndef TEXT_CODER_H
#define TEXT_CODER_H

#include "alloc.h"

#include <iconv.h>
#include <stddef.h>
#include <stdint.h>

struct charset_row;

enum { CODER_SETS = 4, CODER_LONGEST = 4 };

struct coder {
	const urlsift_allocator *alloc;
	iconv_t set[CODER_SETS];
	size_t sets;
	struct coder_memo *memo; /* answers of the past, for characters of two bytes and more */
};

void coder_init(struct coder *c, const urlsift_allocator *alloc);
void coder_fini(struct coder *c);
/* Adds a charset without state, as the next of c's sets.  URLSIFT_BAD_CHARSET
 * when iconv lacks it. */
urlsift_status coder_open(struct coder *c, const struct charset_row *row);

/* What the n bytes at p (1 to CODER_LONGEST) say in a set: writes UTF-8 into
 * text and returns its length, 0 when they are malformed, CODER_MORE when they
 * begin a longer character.  Checked: never anything but valid UTF-8. */
enum { CODER_MORE = 255 };
uint8_t coder_ask(struct coder *c, size_t set, const uint8_t *p, size_t n, uint8_t text[4]);

size_t coder_memory_bound(void);

#endif
