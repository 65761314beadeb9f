/* The decoders: one character at a time out of any charset (rule C1). */
#ifndef TEXT_DECODE_H
#define TEXT_DECODE_H

#include "charset_name.h"
#include "coder.h"

#include <stdbool.h>

/* What one byte says where nothing depends on its neighbours; size 0: ask
 * decode_next. */
struct letter {
	uint8_t text[3];
	uint8_t size;
};

struct decoder {
	struct coder coder;
	enum coding coding;
	bool ascii;  /* every byte below 80 is itself, wherever a character begins */
	bool ground; /* `byte` holds at this place */
	struct letter byte[256];
	uint8_t set, single; /* switched sets: the one in use, the one ESC N takes from */
	uint32_t bits;       /* UTF-7, off the ground: what base64 said, */
	unsigned held_bits;  /* of which so many are not yet used, */
	uint16_t high;       /* and a high surrogate that waits */
};

/* One step: `taken` bytes of source that say `size` bytes of text (mostly one
 * character; U+FFFD where malformed).  Size 0 is source that says nothing.
 * taken 0 with text is what earlier bytes said; both 0 asks for more bytes. */
struct glyph {
	uint8_t taken, size;
	uint8_t text[4];
};

/* Opens what the row needs.  decode_fini is due whatever it answers. */
urlsift_status decode_init(struct decoder *d, const urlsift_allocator *alloc, const struct charset_row *row);
void decode_fini(struct decoder *d);
void decode_reset(struct decoder *d);

/* The step at p, where n >= 1 bytes are; with `last` it never asks for more.
 * It asks for more only when n is less than DECODE_LONGEST. */
enum { DECODE_LONGEST = 4 };
struct glyph decode_next(struct decoder *d, const uint8_t *p, size_t n, bool last);
/* What is left to say when the bytes are over. */
struct glyph decode_end(struct decoder *d);

/* How many bytes at p are the text they say: ASCII or UTF-8. */
size_t decode_plain(const struct decoder *d, const uint8_t *p, size_t n);

#endif
