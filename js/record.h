/* Results: records of 32-bit words in the memory of the module, which urlsift.mjs reads. */
#ifndef URLSIFT_JS_RECORD_H
#define URLSIFT_JS_RECORD_H

#include "urlsift.h"

#include <stdbool.h>

struct record {
	uint32_t *words;
	size_t count, room; /* words */
	bool failed;        /* no memory */
};

/* Makes room for more words; false without memory. */
bool reserve(struct record *r, size_t more);
void add_word(struct record *r, uint32_t word);
/* Bytes, padded to words; the length is a word before them. */
void add_string(struct record *r, const char *bytes, size_t n);
void add_name(struct record *r, const char *text); /* NULL is empty */

typedef size_t form_of(const void *of, char *out, size_t size);

/* A form of a link or URL: the function writes it and returns its length. */
void add_form(struct record *r, const void *of, form_of *write);
size_t url_target(const void *of, char *out, size_t size);
void record_empty(struct record *r);

/* Where a UTF-8 text was last counted: offsets only grow. */
struct cursor {
	const uint8_t *text; /* NULL: offsets are those of the caller, halved with `utf16` */
	size_t byte, units;
	bool utf16;
	const char *source; /* of the text that the reader has, from offset source_at on; NULL: it has none */
	uint64_t source_at;
	size_t source_length;
};

size_t count_units(const uint8_t *p, size_t n);
/* Adds a link: bits, flags and the rest in the order in which urlsift.mjs reads them. */
void add_link(struct record *r, struct cursor *c, const urlsift_piece *piece);

#endif
