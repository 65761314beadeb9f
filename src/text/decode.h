/* Decoders for all charsets, one character at a time (rule C1), some through iconv. */
#ifndef TEXT_DECODE_H
#define TEXT_DECODE_H

#include "charset.h"
#include "simd/simd.h"

#ifdef URLSIFT_WITH_ICONV
#include <iconv.h>
#else /* no set is ever opened: charsets that need one are unknown */
typedef void *iconv_t;
#endif

/* ---- iconv, called for one character at a time, with a cache -------------------- */

enum { CODER_SETS = 4, CODER_LONGEST = 4 };

struct coder {
	const urlsift_allocator *alloc;
	iconv_t set[CODER_SETS];
	size_t sets;
	uint64_t written; /* which 64ths of the cache: a page that is read before it is written is mapped twice */
	struct coder_memo *memo; /* the cache, for characters of two bytes and more; NULL where none is needed */
};

void coder_init(struct coder *c, const urlsift_allocator *alloc);
void coder_fini(struct coder *c);
/* Adds a stateless charset as the next set.  URLSIFT_BAD_CHARSET when iconv lacks it. */
urlsift_status coder_open(struct coder *c, const struct charset_row *row);

/* Decodes the n bytes at p (1 to CODER_LONGEST) in a set: writes UTF-8, which is checked, to `text` and returns its
 * length; 0 when they are malformed, CODER_MORE when they begin a longer character. */
enum { CODER_MORE = 255 };
uint8_t coder_ask(struct coder *c, size_t set, const uint8_t *p, size_t n, uint8_t text[4]);
/* Whether the text of the n bytes at p, at most CODER_KEEPS, is known to be these bytes in the first set. */
enum { CODER_KEEPS = 128 };
bool coder_keeps(struct coder *c, const uint8_t *p, size_t n);

size_t coder_memory_bound(void);

/* ---- Decoders -------------------------------------------------------------------- */

/* The text of one byte if it does not depend on its neighbours; size 0: use decode_next. */
struct letter {
	uint8_t text[3];
	uint8_t size;
};

struct decoder {
	struct coder coder;
	const struct simd *simd;
	enum coding coding;
	bool ascii;          /* a byte below 0x80 that begins a character is that ASCII character */
	bool alone;          /* `byte` applies to every byte, everywhere */
	bool ground;         /* `byte` applies at this place */
	struct letter byte[256];
	uint8_t set, single; /* selected sets: the one in use, the one that ESC N takes from */
	struct base64 {
		uint32_t bits;
		unsigned held; /* how many of them are not yet used */
	} base64; /* UTF-7, while not `ground` */
};

/* One step: `taken` bytes of source become `size` bytes of text, mostly one character, U+FFFD where malformed.  Size 0:
 * source without text.  Both 0: more bytes are needed. */
enum { DECODE_TEXT = 4 };
struct decode_step {
	size_t taken, size;
};

/* Opens what the row needs.  Call decode_fini even after failure. */
urlsift_status decode_init(struct decoder *d, const urlsift_allocator *alloc, const struct charset_row *row);
void decode_fini(struct decoder *d);
void decode_reset(struct decoder *d);

/* The step at p, n >= 1 bytes; its text is written to `text`, of which DECODE_TEXT bytes may be overwritten.  It
 * needs more bytes only when n < DECODE_LONGEST and `last` is false. */
enum { DECODE_LONGEST = 8 };
struct decode_step decode_next(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text);

/* Writes the ASCII characters at the beginning of n bytes of UTF-16, four at a time, to `text`, which has room for
 * n / 2.  Returns how many they are; 0 in other codings. */
size_t decode_narrow(const struct decoder *d, const uint8_t *p, size_t n, uint8_t *text);

/* The length of a prefix that equals its text, as far as a fast search finds it: UTF-8 if it is declared, else ASCII,
 * in whole words where that is faster. */
size_t decode_plain(const struct decoder *d, const uint8_t *p, size_t n);

#endif
