/* Bytes that grow, for fuzzers. */
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include "../fuzz.h"

#include <string.h>

struct bytes {
	char *data; /* followed by a NUL once bytes_add was called */
	size_t length, room;
};

static inline void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (b->length + n + 1 > b->room) {
		b->room = 2 * (b->length + n + 1);
		b->data = realloc(b->data, b->room);
		REQUIRE(b->data != NULL);
	}
	if (n)
		memcpy(b->data + b->length, data, n);
	b->length += n;
	b->data[b->length] = '\0';
}

static inline void bytes_text(struct bytes *b, const char *text) { bytes_add(b, text, strlen(text)); }

static inline void bytes_byte(struct bytes *b, uint8_t byte) { bytes_add(b, &byte, 1); }

static inline void bytes_clear(struct bytes *b)
{
	b->length = 0;
	bytes_add(b, "", 0);
}

static inline bool bytes_same(const struct bytes *a, const struct bytes *b)
{
	return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

#endif
