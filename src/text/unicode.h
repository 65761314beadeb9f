/* Characters: UTF-8 with windows-1252 for bytes that are not part of it (rule C1), and the classes that the recognition
 * rules give to characters beyond ASCII. */
#ifndef TEXT_UNICODE_H
#define TEXT_UNICODE_H

#include "ascii.h"

/* ---- UTF-8 (RFC 3629) ------------------------------------------------------ */

/* The length of the valid sequence at p, where n >= 1 bytes are, its code point in *cp; 0 when there is none.  *cut:
 * whether the n bytes are the beginning of a valid sequence. */
size_t utf8_sequence(const uint8_t *p, size_t n, uint32_t *cp, bool *cut);
/* The length of an ASCII prefix, rounded down to a multiple of 8. */
size_t utf8_ascii_words(const uint8_t *p, size_t n);
/* X(code point) for each of 80 to 9F in windows-1252, by the mapping file CP1252.TXT of the Unicode Consortium. */
#define UNICODE_WINDOWS_1252(X) \
	X(0x20AC) X(0x0081) X(0x201A) X(0x0192) X(0x201E) X(0x2026) X(0x2020) X(0x2021) \
	X(0x02C6) X(0x2030) X(0x0160) X(0x2039) X(0x0152) X(0x008D) X(0x017D) X(0x008F) \
	X(0x0090) X(0x2018) X(0x2019) X(0x201C) X(0x201D) X(0x2022) X(0x2013) X(0x2014) \
	X(0x02DC) X(0x2122) X(0x0161) X(0x203A) X(0x0153) X(0x009D) X(0x017E) X(0x0178)
/* The code point of a byte in windows-1252; its five unassigned bytes are C1 controls. */
uint32_t utf8_windows_1252(uint8_t byte);
/* Writes cp as UTF-8; returns the length. */
static inline size_t utf8_put(uint8_t out[4], uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (uint8_t)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (uint8_t)(0xC0 | cp >> 6);
		out[1] = (uint8_t)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (uint8_t)(0xE0 | cp >> 12);
		out[1] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (uint8_t)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (uint8_t)(0xF0 | cp >> 18);
	out[1] = (uint8_t)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (uint8_t)(0x80 | (cp & 0x3F));
	return 4;
}

/* The length, 2, of a character at p from U+00C0 to U+033F or from U+0380 to U+05FF: letters and marks that no output
 * escapes; 0 for another one. */
static inline size_t utf8_letter(const uint8_t *p, size_t n)
{
	return n > 1 && within(p[0], 0xC3, 0xD7) && p[0] != 0xCD && (p[1] & 0xC0) == 0x80 ? 2 : 0;
}

/* The character at p by rule C1, n >= 1: its length (at least 1), its code point in *cp. */
static inline size_t utf8_next(const uint8_t *p, size_t n, uint32_t *cp)
{
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	bool cut;
	size_t k = utf8_sequence(p, n, cp, &cut);
	if (k)
		return k;
	*cp = utf8_windows_1252(p[0]);
	return 1;
}

/* Reads as utf8_next where percent escapes (RFC 3986 section 2.1) stand for their bytes: a character may take up to
 * four. */
static inline size_t utf8_next_escaped(const uint8_t *p, size_t n, uint32_t *cp)
{
	uint8_t bytes[4] = { 0 };
	size_t count = 0;
	int byte;
	if (*p != '%' || hex_escape(p, p + n) < 0)
		return utf8_next(p, n, cp);
	while (count < sizeof bytes && (byte = hex_escape(p + 3 * count, p + n)) >= 0)
		bytes[count++] = (uint8_t)byte;
	return 3 * utf8_next(bytes, count, cp);
}
/* Whether what it took at p is an escaped byte of an unknown charset. */
static inline bool utf8_is_stray(const uint8_t *p, size_t taken, uint32_t cp)
{
	return taken == 3 && *p == '%' && cp >= 0x80;
}

/* Surrogates of UTF-16, and the character that a pair of them stands for. */
static inline bool utf16_is_high(uint32_t unit) { return unit >> 10 == 0xD800 >> 10; }
static inline bool utf16_is_low(uint32_t unit) { return unit >> 10 == 0xDC00 >> 10; }
static inline uint32_t utf16_pair(uint32_t high, uint32_t low)
{
	return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

/* The number of characters of n bytes (C1); mostly ASCII. */
size_t utf8_count(const uint8_t *p, size_t n);

/* i, or the beginning of the character of the n bytes that would be cut there; where they are not UTF-8, four less at
 * most. */
static inline size_t utf8_cut(const void *text, size_t i, size_t n)
{
	const uint8_t *p = text;
	const size_t low = excess(i, 4);
	while (i > low && i < n && (p[i] & 0xC0) == 0x80)
		i--;
	return i;
}

/* Where the first character of the n bytes begins from the index i on; n for none. */
static inline size_t utf8_begin(const void *text, size_t i, size_t n)
{
	const uint8_t *p = text;
	while (i < n && (p[i] & 0xC0) == 0x80)
		i++;
	return i;
}

/* A character of a text that becomes a line: 0 for a line end, which is left out, a blank for another control. */
static inline uint32_t utf8_in_line(uint32_t cp)
{
	if (cp == '\r' || cp == '\n')
		return 0;
	return cp < ' ' || within(cp, 0x7F, 0x9F) ? ' ' : cp;
}

/* ---- Classes --------------------------------------------------------------- */

enum uclass {
	UC_PLAIN,    /* allowed in a link (RFC 3987) */
	UC_SPACE,    /* W2: NEL, NBSP, the Unicode spaces, U+2028/2029, zero-width space and no-break space */
	UC_CONTROL,  /* C1 controls, U+FFF9..FFFD, noncharacters: end a link, prevent a join */
	UC_SOFT,     /* H4: U+00AD */
	UC_HYPHEN,   /* H4: U+2010 */
	UC_MARK,     /* B4: trailing punctuation: the ellipsis, bullet and daggers, marks of Armenian */
	UC_STOP,     /* B3: dashes U+2013..2015, quotation marks, CJK and full-width punctuation and brackets, bidi
	                controls, box drawing, full stops and the like of other scripts */
	UC_CJK       /* B1, B12: ideographs, kana, Hangul, bopomofo: a link may start after one */
};

/* cp >= 0x80.  A few comparisons. */
enum uclass uclass_of(uint32_t cp);
/* A symbol: arrows, mathematical and technical signs, shapes, dingbats, emoji. */
int uclass_is_symbol(uint32_t cp);
/* A bidi control: U+061C, 200E, 200F, 202A-202E, 2066-2069. */
int uclass_is_bidi(uint32_t cp);
/* The length of the character at p, which is beyond ASCII, if text may show it as it is; 0 for a C1 control, a bidi
 * control (D8 and E2 begin those), and with *cp 0 for a byte that is not UTF-8.  Most scripts need no decoder. */
static inline size_t utf8_visible(const uint8_t *p, size_t n, uint32_t *cp)
{
	*cp = 0;
	if (n < 2 || (p[1] & 0xC0) != 0x80)
		return 0;
	if (within(p[0], 0xC3, 0xDF) && !(p[0] == 0xD8 && p[1] == 0x9C))
		return 2;
	if (n >= 3 && within(p[0], 0xE1, 0xEC) && (p[2] & 0xC0) == 0x80) {
		*cp = (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
		return p[0] == 0xE2 && uclass_is_bidi(*cp) ? 0 : 3;
	}
	bool cut;
	size_t k = utf8_sequence(p, n, cp, &cut);
	return *cp >= 0xA0 && !uclass_is_bidi(*cp) ? k : 0;
}

/* A default-ignorable character, bidi controls included, or the blank of Braille.  ZWNJ and ZWJ are not: some scripts
 * need them. */
int uclass_is_invisible(uint32_t cp);
/* A letter, mark or digit from U+00AA to U+1FFF except Hangul: a link does not start after one (B1).  Binary search. */
int uclass_is_word(uint32_t cp);

#endif
