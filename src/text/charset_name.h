/* The charsets allowed, by name. */
#ifndef TEXT_CHARSET_NAME_H
#define TEXT_CHARSET_NAME_H

#include <stddef.h>
#include <stdint.h>

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

#endif
