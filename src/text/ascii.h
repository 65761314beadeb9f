/* Sizes; classes, letter case, digits and percent escapes of ASCII bytes, free of the locale.  Every function is a few
 * instructions; bytes from 0x80 on belong to no class and have no case. */
#ifndef TEXT_ASCII_H
#define TEXT_ASCII_H

#include "bytes.h"

/* Two offsets: the lesser, the greater, and how far the first is beyond the second, 0 if it is not. */
static inline uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t beyond(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
/* Whether n is one of [first, last]. */
static inline bool within(uint64_t n, uint64_t first, uint64_t last) { return n - first <= last - first; }
/* As those of offsets, of sizes: where these have 32 bits, those take more code. */
static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }
static inline size_t size_within(size_t n, uint64_t limit) { return (size_t)earlier(n, limit); }
/* The size, 0 for one beyond the limit: what is too long is left out. */
static inline size_t size_fitting(size_t n, size_t limit) { return n <= limit ? n : 0; }
static inline size_t excess(size_t a, size_t over) { return a > over ? a - over : 0; }
/* The number, or what takes the place of 0. */
static inline uint64_t number_or(uint64_t n, uint64_t otherwise) { return n ? n : otherwise; }
/* The text, or what takes the place of NULL, of an empty one. */
static inline const char *text_or(const char *text, const char *otherwise) { return text ? text : otherwise; }
static inline const char *text_full_or(const char *text, const char *otherwise) { return *text ? text : otherwise; }
/* The text if it is so, else the empty one. */
static inline const char *text_if(bool is, const char *text) { return is ? text : ""; }

/* RFC 5234 appendix B.1: ALPHA, DIGIT; ALPHA or DIGIT. */
static inline bool is_alpha(uint8_t c) { return (uint8_t)((c | 0x20) - 'a') < 26; }
static inline bool is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }
static inline bool is_alnum(uint8_t c) { return byte_class[c] & BYTE_ALNUM; }

/* SP or HTAB; CR or LF; either (FWS of RFC 5322); whitespace: SP, HTAB, LF, VT, FF, CR. */
static inline bool is_blank(uint8_t c) { return byte_class[c] & BYTE_BLANK; }
static inline bool is_line_end(uint8_t c) { return byte_class[c] & BYTE_LINE_END; }
static inline bool is_fws(uint8_t c) { return byte_class[c] & BYTE_FWS; }
static inline bool is_quote_mark(uint8_t c) { return c == '"' || c == '\''; }
static inline bool is_space(uint8_t c) { return c == ' ' || within(c, '\t', '\r'); }

/* After the FWS that [p, end) begins with. */
static inline const uint8_t *after_fws(const uint8_t *p, const uint8_t *end)
{
	return p + byte_span(p, 0, (size_t)(end - p), BYTE_FWS);
}

/* How many of the n bytes come before the first one that is not ASCII. */
static inline size_t ascii_prefix(const uint8_t *p, size_t n)
{
	size_t i = 0;
	for (uint64_t word; n - i >= sizeof word; i += sizeof word) {
		memcpy(&word, p + i, sizeof word);
		if (word & 0x8080808080808080u)
			break;
	}
	while (i < n && p[i] < 0x80)
		i++;
	return i;
}

/* What follows the first letter of a scheme (RFC 3986 section 3.1). */
static inline bool is_scheme_byte(uint8_t c) { return byte_class[c] & BYTE_SCHEME; }

/* The length of the scheme that the n bytes begin with, before its colon; 0 for none. */
static inline size_t scheme_prefix(const uint8_t *p, size_t n)
{
	const size_t i = byte_span(p, 0, n, BYTE_SCHEME);
	return i < n && p[i] == ':' && is_alpha(*p) ? i : 0;
}

static inline uint8_t to_lower(uint8_t c) { return (uint8_t)(c - 'A') < 26 ? c | 0x20 : c; }
/* Writes the n bytes in lower case. */
static inline void ascii_lower(char *to, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (char)to_lower(from[i]);
}

/* Copies the n bytes at `from`, which may be NULL for none; returns where the copy ends. */
static inline void *bytes_put(void *to, const void *from, size_t n)
{
	return n ? (char *)memcpy(to, from, n) + n : to;
}

/* Whether the n bytes are the m bytes at `other`, or all of the string `text`, or begin with it.  NULL has no bytes. */
static inline bool bytes_are(const void *bytes, size_t n, const void *other, size_t m)
{
	return n == m && (n == 0 || !memcmp(bytes, other, n));
}
static inline bool text_is(const void *bytes, size_t n, const char *text)
{
	return bytes_are(bytes, n, text, strlen(text));
}
static inline bool text_begins(const void *bytes, size_t n, const char *text)
{
	return n >= strlen(text) && !memcmp(bytes, text, strlen(text));
}
/* The length of a byte order mark of UTF-8 before them. */
static inline size_t utf8_mark(const void *bytes, size_t n)
{
	static const char mark[] = "\xef\xbb\xbf";
	return text_begins(bytes, n, mark) * (sizeof mark - 1);
}
/* Whether they begin with a byte order mark of UTF-16; that of UTF-32 with the low byte first does, too. */
static inline bool utf16_begins(const void *bytes, size_t n)
{
	return text_begins(bytes, n, "\xff\xfe") || text_begins(bytes, n, "\xfe\xff");
}

/* Whether the n bytes are those of `lower`, which has no upper-case letters, in any letter case. */
static inline bool ascii_begins(const void *bytes, const char *lower, size_t n)
{
	const uint8_t *p = bytes;
	size_t i = 0;
	while (i < n && to_lower(p[i]) == (uint8_t)lower[i])
		i++;
	return i == n;
}

/* Whether the n bytes begin with the string `lower`, in any letter case. */
static inline bool ascii_opens(const void *bytes, size_t n, const char *lower)
{
	return n >= strlen(lower) && ascii_begins(bytes, lower, strlen(lower));
}

/* Whether the n bytes, which may include NUL, are all of the string `lower` in any letter case. */
static inline bool ascii_is(const void *bytes, size_t n, const char *lower)
{
	return n == strlen(lower) && ascii_begins(bytes, lower, n);
}

/* Whether the n bytes end with the string `text`. */
static inline bool text_ends(const void *bytes, size_t n, const char *text)
{
	const size_t length = strlen(text);
	return n >= length && !memcmp((const char *)bytes + n - length, text, length);
}

/* The number, from 1, of the word that the n bytes are, of those with blanks between; 0 for none.  In any letter case,
 * the words in lower case. */
static inline size_t words_find(const void *bytes, size_t n, const char *words, bool any_case)
{
	const uint8_t *p = bytes;
	size_t number = 1;
	for (size_t i; *words; words += *words == ' ', number++) {
		for (i = 0; i < n && *words > ' ' && (any_case ? to_lower(p[i]) : p[i]) == (uint8_t)*words; i++)
			words++;
		if (i == n && *words <= ' ')
			return number;
		while (*words > ' ') /* not by strcspn, which takes longer than a word is */
			words++;
	}
	return 0;
}
static inline size_t ascii_word(const void *bytes, size_t n, const char *words)
{
	return words_find(bytes, n, words, true);
}
/* Whether there is such a word; ascii: in any letter case. */
static inline bool text_is_among(const void *bytes, size_t n, const char *words)
{
	return words_find(bytes, n, words, false);
}
static inline bool ascii_is_among(const void *bytes, size_t n, const char *words)
{
	return ascii_word(bytes, n, words);
}

/* Whether they end with such a word, in any letter case. */
static inline bool ascii_ends_among(const void *bytes, size_t n, const char *words)
{
	const char *end = (const char *)bytes + n;
	for (size_t k; *words; words += k + (words[k] == ' ')) {
		k = strcspn(words, " ");
		if (n >= k && ascii_begins(end - k, words, k))
			return true;
	}
	return false;
}

/* The length of the first name of a list with commas; *next is the rest, NULL after the last name. */
static inline size_t list_name(const char *list, const char **next)
{
	const size_t n = strcspn(list, ",");
	*next = list[n] ? list + n + 1 : NULL;
	return n;
}

/* The row, of `size` bytes, that begins with this name, in a table whose last row has NULL for one; NULL for none. */
static inline const void *row_named(const void *rows, size_t size, const char *name)
{
	const char *const *row = rows;
	for (; *row; row = (const char *const *)(const void *)((const char *)row + size))
		if (!strcmp(*row, name))
			return row;
	return NULL;
}

/* Whether c is a byte of the string `set`, a short one: a call of memchr would take longer. */
static inline bool is_of(char c, const char *set)
{
	while (*set && *set != c)
		set++;
	return *set;
}

/* The first index in [i, n) of a byte of the string `set`, and of one that is none of them; n for none.  They are for
 * short runs and sets, and NUL is never of the set. */
static inline size_t byte_until(const void *bytes, size_t i, size_t n, const char *set)
{
	while (i < n && !is_of(((const char *)bytes)[i], set))
		i++;
	return i;
}
static inline size_t byte_after(const void *bytes, size_t i, size_t n, const char *set)
{
	while (i < n && is_of(((const char *)bytes)[i], set))
		i++;
	return i;
}

/* After the last byte in [low, i) that is none of the string `set`; low for none. */
static inline size_t byte_after_back(const void *bytes, size_t low, size_t i, const char *set)
{
	while (i > low && is_of(((const char *)bytes)[i - 1], set))
		i--;
	return i;
}

/* Narrows [*from, *to) by the blanks and controls at both ends. */
static inline void ascii_trim(const uint8_t *p, size_t *from, size_t *to)
{
	while (*to > *from && p[*to - 1] <= ' ')
		--*to;
	while (*from < *to && p[*from] <= ' ')
		++*from;
}

/* Leaves out the bytes of the string `set` at both ends of the n bytes at *text. */
static inline void text_trim(const char **text, size_t *n, const char *set)
{
	*n = byte_after_back(*text, 0, *n, set);
	const size_t begin = byte_after(*text, 0, *n, set);
	*text += begin;
	*n -= begin;
}

/* The first byte c in [p, end); end for none. */
static inline const uint8_t *find_byte(const uint8_t *p, const uint8_t *end, char c)
{
	const uint8_t *found = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
	return found ? found : end;
}

/* The index of the first byte c in [i, n) of p; n for none.  p may be NULL where n is 0. */
static inline size_t byte_index(const uint8_t *p, size_t i, size_t n, uint8_t c)
{
	const uint8_t *found = i < n ? memchr(p + i, c, n - i) : NULL;
	return found ? (size_t)(found - p) : n;
}

/* p[i], or 0 from the end n on; the byte before it, 0 at the beginning. */
static inline uint8_t byte_at(const uint8_t *p, size_t i, size_t n) { return i < n ? p[i] : 0; }
static inline uint8_t byte_before(const uint8_t *p, size_t i) { return i ? p[i - 1] : 0; }

/* The first index in [i, n) of another byte than c; n for none. */
static inline size_t byte_run(const uint8_t *p, size_t i, size_t n, uint8_t c)
{
	while (i < n && p[i] == c)
		i++;
	return i;
}

/* After the last byte in [low, i) that is not c; low for none. */
static inline size_t byte_run_back(const uint8_t *p, size_t low, size_t i, uint8_t c)
{
	while (i > low && p[i - 1] == c)
		i--;
	return i;
}

/* After the last byte c in [low, i); low for none. */
static inline size_t byte_last(const uint8_t *p, size_t low, size_t i, uint8_t c)
{
	while (i > low && p[i - 1] != c)
		i--;
	return i;
}

/* The index after the line at p[i], with its LF; n where it has none. */
static inline size_t after_line(const uint8_t *p, size_t i, size_t n)
{
	const size_t lf = byte_index(p, i, n, '\n');
	return lf + (lf < n);
}

/* As after_line, of a header: a CR alone ends a line of it, too, but not one of several before an LF. */
static inline size_t after_header_line(const uint8_t *p, size_t i, size_t n)
{
	const size_t end = byte_until(p, i, n, "\r\n"), lf = byte_run(p, end, n, '\r');
	return byte_at(p, lf, n) == '\n' ? lf + 1 : end + (end < n);
}

/* Where `text` begins in the n bytes; n for nowhere. */
static inline size_t text_index(const void *bytes, size_t n, const char *text)
{
	const size_t length = strlen(text);
	const char *p = bytes, *at;
	for (size_t i = 0; n - i >= length && (at = memchr(p + i, *text, n - i - length + 1)); i++) {
		i = (size_t)(at - p);
		if (!memcmp(at, text, length))
			return i;
	}
	return n;
}

/* How many letters of the word `lower` a text has that comes byte by byte, in any letter case, with its byte c after
 * `matched` of them; UINT32_MAX for another text. */
static inline unsigned ascii_follow(const char *lower, unsigned matched, uint8_t c)
{
	return matched < strlen(lower) && to_lower(c) == (uint8_t)lower[matched] ? matched + 1 : UINT32_MAX;
}

/* As ascii_follow, with the next n bytes. */
static inline unsigned ascii_follow_all(const char *lower, unsigned matched, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		matched = ascii_follow(lower, matched, p[i]);
	return matched;
}

#define HEX_DIGITS "0123456789abcdefABCDEF"
#define HEX_UPPER "0123456789ABCDEF"
#define HEX_LOWER "0123456789abcdef"
/* The value of a hexadecimal digit; 16 for any other byte. */
static inline unsigned hex_digit(uint8_t c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return within(c, 'a', 'f') ? c - 'a' + 10u : 16;
}

/* The byte that two hexadecimal digits at p stand for; -1 where they are none. */
static inline int hex_pair(const uint8_t *p)
{
	unsigned high = hex_digit(p[0]), low = hex_digit(p[1]);
	return (high | low) < 16 ? (int)(high << 4 | low) : -1;
}

#define NUMBER_MAX (UINT64_MAX / 16 - 1)

/* The first index in [i, n) of a byte that is not a digit of the base, 16 at most; n for none.  The digits before it
 * are appended to *value, which grows no more once it is NUMBER_MAX or larger. */
static inline size_t number_read(const uint8_t *p, size_t i, size_t n, unsigned base, uint64_t *value)
{
	for (unsigned digit; i < n && (digit = hex_digit(p[i])) < base; i++)
		*value = *value < NUMBER_MAX ? *value * base + digit : *value;
	return i;
}

/* Writes the number in decimal digits, twenty at most, that end before `end`; returns where they begin. */
static inline char *number_put(char *end, uint64_t n)
{
	do
		*--end = (char)('0' + n % 10);
	while (n /= 10);
	return end;
}

#define BASE64_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
/* The value of a digit of base64 (RFC 4648 section 4); 64 for any other byte. */
static inline unsigned base64_digit(uint8_t c)
{
	return (unsigned)byte_index((const uint8_t *)BASE64_DIGITS, 0, 64, c);
}

/* The byte that a percent escape at p stands for (RFC 3986 section 2.1); -1 where none is complete before `end`. */
static inline int hex_escape(const uint8_t *p, const uint8_t *end)
{
	return end - p >= 3 && *p == '%' ? hex_pair(p + 1) : -1;
}

#endif
