/* What a character beyond ASCII means to the recognition rules. */
#ifndef TEXT_UCLASS_H
#define TEXT_UCLASS_H

#include <stdint.h>

enum uclass {
	UC_PLAIN,     /* may stand in a link (RFC 3987) */
	UC_SPACE,     /* W2: NEL, NBSP, the Unicode spaces, U+2028/2029, zero-width space and no-break space */
	UC_CONTROL,   /* C1 controls, U+FFF9..FFFD, noncharacters: end a link, break a join */
	UC_SOFT,      /* H4: U+00AD */
	UC_HYPHEN,    /* H4: U+2010 */
	UC_ELLIPSIS,  /* B4: U+2026, trailing punctuation */
	UC_STOP,      /* B3: dashes U+2013..2015, quotation marks, CJK and full-width punctuation and brackets */
	UC_CJK        /* B1, B12: ideographs, kana, Hangul, bopomofo: a link may start behind one */
};

/* cp >= 0x80.  Costs a few comparisons. */
enum uclass uclass_of(uint32_t cp);
/* A bidi control: U+061C, 200E, 200F, 202A-202E, 2066-2069. */
int uclass_is_bidi(uint32_t cp);
/* A character that shows nothing (default-ignorable), bidi controls included,
 * but ZWNJ and ZWJ, which scripts need to be spelt. */
int uclass_is_invisible(uint32_t cp);

/* A letter, mark or digit of an alphabet (U+00AA to U+1FFF but Hangul): a link
 * does not start behind one (B1).  From U+2000 on it is symbols, and CJK, behind
 * which it may.  Binary search. */
int uclass_is_word(uint32_t cp);

#endif
