/* From the declared charset to UTF-8 (rule C1), with exact source offsets: the stage before the scanner. */
#ifndef TEXT_CHARSET_H
#define TEXT_CHARSET_H

#include "map.h"

#include <stdbool.h>

/* ---- Names ----------------------------------------------------------------- */

/* How a charset is decoded. */
enum coding {
	CODING_PASS, /* undeclared: the bytes are the text */
	CODING_UTF8,
	CODING_UTF16, CODING_UTF16_BE, CODING_UTF16_LE, /* the first by its byte order mark */
	CODING_UTF32, CODING_UTF32_BE, CODING_UTF32_LE, /* likewise */
	CODING_UTF7, /* from here on most bytes are characters of their own */
	CODING_LATIN_1, CODING_WINDOWS_1252,
	CODING_BYTES, /* one byte per character, by iconv */
	CODING_MULTI, /* up to four bytes per character, stateless, by iconv */
	CODING_2022_JP, CODING_2022_JP_2, CODING_2022_KR, CODING_HZ, /* sets selected by escape sequences */
	CODINGS
};

struct charset_row {
	enum coding coding;
	const char *names; /* NUL-terminated, two NULs at the end; the first is canonical; iconv is tried with each */
};

/* The row with this name or alias, ignoring letter case, `-` and `_`; NULL when there is none.  Binary search. */
const struct charset_row *charset_name_find(const char *name, size_t length);
/* The next name of a row; "" after the last. */
const char *charset_name_next(const char *name);
/* Row i of CHARSETS, in no particular order. */
enum { CHARSETS = 78 };
const struct charset_row *charset_name_row(size_t i);

/* The language tag of a charset or alias that is used for one language; NULL for others.  Static, NUL-terminated. */
const char *charset_language(const char *name, size_t length);

/* The canonical name of a charset or alias; static.  NULL for one that is not allowed ("" and names with a suffix like
 * //IGNORE never are).  "" for names that declare nothing, which rule C1 reads as undeclared: us-ascii and its aliases,
 * unknown-8bit, x-unknown and the like. */
const char *charset_canonical(const char *name, size_t length);
/* The "" that it returns for these: each canonical name is one string. */
extern const char charset_undeclared[];

/* ---- Conversion ------------------------------------------------------------ */

struct charset;
struct simd;

/* `canonical`: from charset_canonical.  NULL or "": undeclared; a byte order mark decides (that of UTF-8 is dropped,
 * those of UTF-16 and UTF-32 declare), else the text is passed through unchanged.  On failure NULL, and *status says
 * whether iconv lacks the charset (URLSIFT_BAD_CHARSET).  Expensive (iconv is opened and called for every single
 * byte): keep one and reset it. */
struct charset *charset_new(const urlsift_allocator *alloc, const char *canonical, urlsift_status *status);
void charset_free(struct charset *c); /* NULL is allowed */
/* Back to the beginning of a text; memory is kept. */
void charset_reset(struct charset *c);
/* Resets it, and releases memory that grew with the input. */
void charset_rest(struct charset *c);
/* The first byte that is fed is at `offset` of the text, not 0. */
void charset_seek(struct charset *c, uint64_t offset);
/* Sets the vector routines; the default is the best set. */
void charset_use(struct charset *c, const struct simd *simd);

/* Receives converted text.  Non-zero stops the conversion. */
typedef urlsift_status (*charset_sink)(void *user, const uint8_t *text, size_t n);

/* Converts n more bytes; returns the status of the sink, or no memory.  Text comes in blocks of whole characters of at
 * most CHARSET_BLOCK bytes, which is also how far the map runs ahead; text that is passed through comes in place and in
 * one piece, and so do longer stretches of ASCII, and of UTF-8 where that is declared.  A byte order mark at the
 * beginning is source without text.  Malformed input of a declared charset becomes U+FFFD: one for each byte that
 * cannot be decoded, each wrong unit of UTF-16 and UTF-32, each unassigned pair of ISO-2022 and HZ.  Neither text nor
 * offsets depend on how the input is split. */
enum { CHARSET_BLOCK = 16 * 1024 };
urlsift_status charset_feed(struct charset *c, const uint8_t *bytes, size_t n, charset_sink sink, void *user);
/* Converts what is left at the end of the input. */
urlsift_status charset_finish(struct charset *c, charset_sink sink, void *user);

/* ---- Offsets ----------------------------------------------------------------- */

/* map_source, map_begin and map_forget of the text so far: up to MAP_TEXT bytes of converted text may be remembered. */
uint64_t charset_source(struct charset *c, uint64_t t);
uint64_t charset_begin(struct charset *c, uint64_t t);
void charset_forget(struct charset *c, uint64_t t);
/* The length of the byte order mark of UTF-8 that was dropped, 0 for none. */
uint64_t charset_mark(struct charset *c);
/* Whether all text so far equals its source, byte for byte. */
bool charset_is_source(const struct charset *c);
/* The number of U+FFFD for malformed input since the reset; 1 when text that was declared UTF-16 or UTF-32 is ASCII,
 * and 0 while undeclared. */
uint64_t charset_malformed(const struct charset *c);

/* The most memory a charset holds, except what iconv allocates itself. */
size_t charset_memory_bound(void);
/* The most memory that one of each charset holds after charset_rest. */
size_t charset_rest_memory_bound(void);

#endif
