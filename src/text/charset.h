/* From the declared charset to UTF-8 (rule C1), with exact source offsets.  In
 * front of the scanner: bytes -> charset -> text. */
#ifndef TEXT_CHARSET_H
#define TEXT_CHARSET_H

#include "map.h"

#include <stdbool.h>

/* ---- Names ----------------------------------------------------------------- */

/* How a charset is read. */
enum coding {
	CODING_PASS, /* undeclared: the bytes are the text */
	CODING_UTF8,
	CODING_UTF16, CODING_UTF16_BE, CODING_UTF16_LE, /* the first of each: by its mark, big endian without */
	CODING_UTF32, CODING_UTF32_BE, CODING_UTF32_LE,
	CODING_UTF7, /* from here on most bytes mean something alone */
	CODING_LATIN_1, CODING_WINDOWS_1252,
	CODING_BYTES, /* one byte a character, by iconv */
	CODING_MULTI, /* up to four bytes a character, no state, by iconv */
	CODING_2022_JP, CODING_2022_JP_2, CODING_2022_KR, CODING_HZ /* sets switched between */
};

struct charset_row {
	enum coding coding;
	/* NUL after each, an empty one ends them.  The first is the canonical one;
	 * iconv is asked for each in turn. */
	const char *names;
};

/* The row that has `name`, whatever its letter case and its `-` and `_`; NULL
 * when none has.  Binary search. */
const struct charset_row *charset_name_find(const char *name, size_t length);
/* The name behind this one in a row's names. */
const char *charset_name_next(const char *name);
/* All rows, in any order: i below CHARSETS. */
enum { CHARSETS = 79 };
const struct charset_row *charset_name_row(size_t i);

/* ---- Conversion ------------------------------------------------------------ */

/* The canonical name for `name`: looked up without letter case, `-` and `_` in
 * the list of charsets allowed and their aliases; NULL when it is on neither
 * ("" and "//" and "//IGNORE" suffixes never are).  "" for the names that
 * declare nothing: us-ascii and its aliases, unknown-8bit, x-unknown and the
 * like, which rule C1 reads as undeclared.  Static. */
const char *charset_canonical(const char *name, size_t length);

struct charset;
struct simd;

/* NULL or "": undeclared; a BOM decides (UTF-8's is dropped, UTF-16's and
 * UTF-32's declare), else the text is passed through as it is.  `canonical` is
 * otherwise charset_canonical's answer.  *status tells a charset iconv lacks
 * from no memory, and is URLSIFT_OK with an answer.  Expensive (iconv is opened
 * and asked for every byte alone): keep one and reset it. */
struct charset *charset_new(const urlsift_allocator *alloc, const char *canonical, urlsift_status *status);
void charset_free(struct charset *c); /* NULL is allowed */
void charset_reset(struct charset *c);
/* Sets the vector routines; at first they are the best. */
void charset_use(struct charset *c, const struct simd *simd);
/* The same, and memory that grows with the input is given back. */
void charset_rest(struct charset *c);

/* Where text goes.  Non-zero stops. */
typedef urlsift_status (*charset_sink)(void *user, const uint8_t *text, size_t n);

/* Converts n more bytes; `last` says that these, n == 0 too, are the end.  Text
 * comes in blocks of whole characters of at most CHARSET_BLOCK bytes, which is
 * also how far the map ever runs ahead; passed through it comes in place and
 * uncut.  Longer stretches of ASCII, and of UTF-8 where that is declared, come
 * in place too.  A BOM at the start goes (it is source without text).  Malformed
 * input of a declared charset is U+FFFD: one for each byte that decoding cannot
 * go past, one for each wrong unit of UTF-16 and UTF-32, one for an unassigned
 * pair of ISO-2022 and HZ.  How the input is cut changes neither text nor
 * offsets.  The sink's status comes back. */
enum { CHARSET_BLOCK = 16 * 1024 };
urlsift_status charset_feed(struct charset *c, const uint8_t *bytes, size_t n, bool last,
                            charset_sink sink, void *user);

/* Source offset of the character at text offset t; forgetting as in map.h:
 * at most MAP_TEXT bytes of text are kept in mind, where converted. */
uint64_t charset_source(const struct charset *c, uint64_t t);
/* The same behind source that says nothing (a BOM, an escape sequence). */
uint64_t charset_begin(const struct charset *c, uint64_t t);
void charset_forget(struct charset *c, uint64_t t);
/* Whether all text so far is its own source, byte for byte: offsets are the same. */
bool charset_is_source(const struct charset *c);
/* How many U+FFFD malformed input became since the reset; 0 while undeclared. */
uint64_t charset_malformed(const struct charset *c);
/* The most memory it ever holds, but for what iconv takes for itself. */
size_t charset_memory_bound(void);
/* The same for one of each, all at rest. */
size_t charset_rest_memory_bound(void);

#endif
