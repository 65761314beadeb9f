/* The decoders: one character at a time out of any charset (rule C1). */
#ifndef TEXT_DECODE_H
#define TEXT_DECODE_H

#include "charset.h"
#include "simd/simd.h"

#include <iconv.h>

/* ---- iconv, asked for one character at a time, its answers kept --------------- */

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

/* ---- Decoders ---------------------------------------------------------------- */

/* What one byte says where nothing depends on its neighbours; size 0: ask
 * decode_next. */
struct letter {
	uint8_t text[3];
	uint8_t size;
};

struct decoder {
	struct coder coder;
	const struct simd *simd;
	enum coding coding;
	bool ascii;  /* every byte below 80 is itself wherever a character begins */
	bool alone;  /* `byte` holds everywhere and for every byte */
	bool ground; /* `byte` holds at this place */
	struct letter byte[256];
	uint8_t set, single; /* switched sets: the one in use, the one ESC N takes from */
	struct base64 {
		uint32_t bits;
		unsigned held; /* so many of them are not yet used */
	} base64; /* UTF-7, off the ground */
};

/* One step: `taken` bytes of source that say `size` bytes of text, at most
 * DECODE_TEXT (mostly one character; U+FFFD where malformed).  Size 0 is source
 * that says nothing; both 0 asks for more bytes. */
enum { DECODE_TEXT = 4 };
struct step {
	size_t taken, size;
};

/* Opens what the row needs.  decode_fini is due whatever it answers. */
urlsift_status decode_init(struct decoder *d, const urlsift_allocator *alloc, const struct charset_row *row);
void decode_fini(struct decoder *d);
void decode_reset(struct decoder *d);

/* The step at p, where n >= 1 bytes are, its text put at `text` (DECODE_TEXT
 * bytes may be overwritten).  With `last` it never asks for more; else only when
 * n is less than DECODE_LONGEST. */
enum { DECODE_LONGEST = 8 };
struct step decode_next(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text);

/* How many bytes at p are seen at a glance to be the text they say: UTF-8 where
 * that is declared, else ASCII, in whole words where that is faster. */
size_t decode_plain(const struct decoder *d, const uint8_t *p, size_t n);

#endif
