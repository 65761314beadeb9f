/* Encoded-words in header fields (RFC 2047). */
#ifndef MAIL_WORD_H
#define MAIL_WORD_H

#include "charset_cache.h"
#include "text/buf.h"
#include "text/map.h"

/* A field's value as UTF-8, and from its offsets back to the decoded bytes. */
struct word_text {
	struct buf text;
	struct map map;  /* text offset -> offset in the bytes before charset conversion */
	bool unmapped;   /* set by the caller: the map is not made */
	size_t unknown;  /* words of a charset that is not known */
	size_t cut;      /* words longer than WORD_MAX, left as they are */
};

enum { WORD_MAX = 4096 };  /* bytes of an encoded-word: RFC 2047 allows 75 */
enum { WORD_TEXT_MAX = 64 * 1024 }; /* bytes of a value that are decoded; what is longer is cut there */

void word_text_init(struct word_text *t, const urlsift_allocator *alloc);
void word_text_fini(struct word_text *t);
/* The most memory one ever holds. */
size_t word_text_memory_bound(void);

/* Whether the value holds `=?`. */
bool word_any(const uint8_t *value, size_t n);
/* Decodes the value into t, which is emptied first: `=?charset?B or Q?...?=`, a
 * language after `*` (RFC 2231 section 5) left out; blanks between two words
 * vanish; neighbours of one charset and encoding are put together before
 * the charset is decoded, so that a character may be cut between them; line ends
 * of folds go, the blanks after them stay; a control of ASCII in a word is a
 * blank; real-life words with blanks in them, without blanks around them or
 * inside quotation marks are read too.  What is no word stays as it is, by rule C1.
 * A word of an unknown charset is read by rule C1.  URLSIFT_NO_MEMORY or OK.  Linear. */
urlsift_status word_decode(struct word_text *t, struct charset_cache *charsets, const uint8_t *value, size_t n);

#endif
