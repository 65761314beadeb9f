/* Short runs of bytes: names, values, fields.  A call through a set would cost more than the run, so these are inline
 * in the 16 byte form, followed by the portable one for what is left. */
#ifndef SIMD_RUNS_H
#define SIMD_RUNS_H

#include "bytes16.h"
#include "simd.h"
#include "text/bytes.h"

/* ---- Searches in [i, n): the index of the first such byte, n when there is none ---- */

/* The answer for the last bytes, fewer than 16, from the mask of the 16 bytes before n. */
static inline size_t run_rest(size_t i, size_t n, unsigned mask)
{
	unsigned found = mask >> (16 - (n - i));
	return found ? i + (size_t)__builtin_ctz(found) : n;
}

/* Defines a search for a byte of a kind: `is` is a macro of the type and the name of what is
 * asked, sixteen bytes or one, and gives FF or true for such a byte. */
#define RUN_SEARCH(name, parameters, is) \
	static inline size_t name parameters \
	{ \
		for (; n - i >= 16; i += 16) { \
			const bytes16 v = bytes16_load(p + i); \
			const unsigned found = bytes16_mask(is(bytes16, v)); \
			if (found) \
				return i + (size_t)__builtin_ctz(found); \
		} \
		if (n >= 16) { \
			const bytes16 v = bytes16_load(p + n - 16); \
			return run_rest(i, n, bytes16_mask(is(bytes16, v))); \
		} \
		while (i < n && !is(uint8_t, p[i])) \
			i++; \
		return i; \
	}

/* A byte that is c; a, b or NUL; one that an escape may begin with, `c` among them; a line end; that, or HTAB. */
#define RUN_IS(type, v) ((type)(v == c))
#define RUN_IS_ANY(type, v) ((type)((v == a) | (v == b) | (v == 0)))
#define RUN_IS_ESCAPE(type, v) ((type)((v == '&') | (v == c) | (v == '\\')))
#define RUN_IS_LINE_END(type, v) ((type)((v == '\n') | (v == '\r')))
#define RUN_IS_BREAK(type, v) ((type)(RUN_IS_LINE_END(type, v) | (v == '\t')))
RUN_SEARCH(run_until, (const uint8_t *p, size_t i, size_t n, uint8_t c), RUN_IS)
RUN_SEARCH(run_until_any, (const uint8_t *p, size_t i, size_t n, uint8_t a, uint8_t b), RUN_IS_ANY)
RUN_SEARCH(run_until_escape, (const uint8_t *p, size_t i, size_t n, uint8_t c), RUN_IS_ESCAPE)
RUN_SEARCH(run_line_end, (const uint8_t *p, size_t i, size_t n), RUN_IS_LINE_END)
RUN_SEARCH(run_until_break, (const uint8_t *p, size_t i, size_t n), RUN_IS_BREAK)

/* One that is neither printable ASCII nor HTAB or LF; that is not one column of text by itself: HTAB, or
 * beyond ASCII; that is in no host: neither letter, digit, hyphen nor full stop; that ends the name of a header field,
 * printable ASCII but the colon (RFC 5322 section 2.2). */
#define RUN_IS_CONTROL(type, v) ((type)(((type)(v - ' ') > '~' - ' ') & (v != '\n') & (v != '\t')))
#define RUN_IS_COLUMNS(type, v) ((type)((v == '\t') | (v >= 0x80)))
#define RUN_IS_NO_HOST(type, v) \
	((type)(((type)((v | 0x20) - 'a') >= 26) & (((type)(v - '-') > '9' - '-') | (v == '/'))))
#define RUN_IS_NO_NAME(type, v) ((type)(((type)(v - '!') > '~' - '!') | (v == ':')))
RUN_SEARCH(run_until_control, (const uint8_t *p, size_t i, size_t n), RUN_IS_CONTROL)
RUN_SEARCH(run_columns, (const uint8_t *p, size_t i, size_t n), RUN_IS_COLUMNS)
RUN_SEARCH(run_host, (const uint8_t *p, size_t i, size_t n), RUN_IS_NO_HOST)
RUN_SEARCH(run_field_end, (const uint8_t *p, size_t i, size_t n), RUN_IS_NO_NAME)

/* Whether one of the n bytes, a multiple of 16 and at least 64, is a or b.  Without a branch to mispredict. */
static inline bool run_has(const uint8_t *p, size_t n, uint8_t a, uint8_t b)
{
	bytes16 found = {0};
#pragma GCC unroll 4
	for (size_t i = 0; i < 64; i += 16) {
		bytes16 v = bytes16_load(p + i);
		found |= (bytes16)((v == a) | (v == b));
	}
	for (size_t i = 64; i < n; i += 16) {
		bytes16 v = bytes16_load(p + i);
		found |= (bytes16)((v == a) | (v == b));
	}
	return bytes16_any(found);
}

/* A byte whose entry in `classes` shares a bit with `class`.  Only `/`, `=`, `>`, SP and controls may: those that end
 * names of HTML. */
static inline size_t run_until_class(const uint8_t *p, size_t i, size_t n, const uint8_t classes[256], unsigned class)
{
	for (; n - i >= 16; i += 16) {
		bytes16 v = bytes16_load(p + i);
		unsigned found = bytes16_mask((bytes16)((v <= ' ') | (v == '/') | (v == '=') | (v == '>')));
		for (; found; found &= found - 1)
			if (classes[p[i + (size_t)__builtin_ctz(found)]] & class)
				return i + (size_t)__builtin_ctz(found);
	}
	while (i < n && !(classes[p[i]] & class))
		i++;
	return i;
}

/* In [i, n): the first CR that no LF follows; n for none.  `list` of mail with CRLF takes 10% less time than with a
 * search for each CR. */
static inline size_t run_lone_cr(const uint8_t *p, size_t i, size_t n)
{
	for (; n - i > 64; i += 64) {
		bytes16 found = {0};
#pragma GCC unroll 4
		for (size_t k = i; k < i + 64; k += 16)
			found |= (bytes16)((bytes16_load(p + k) == '\r') & (bytes16_load(p + k + 1) != '\n'));
		if (bytes16_any(found))
			break;
	}
	while (i < n && (p[i] != '\r' || (i + 1 < n && p[i + 1] == '\n')))
		i++;
	return i;
}

/* The line ends that follow those of `from` with nothing but blanks between. */
static inline uint64_t run_next_ends(uint64_t from, uint64_t ends, uint64_t blanks)
{
	return (((from << 1 & blanks) + blanks) | from << 1) & ends;
}

/* From text on: an LF or CR, or n.  LFs are passed over that only one more follows with nothing but SP and HTAB
 * between.  Near a CR, NBSP or the end, nothing is decided.  Few branches: how long a line is is unpredictable. */
static inline size_t run_line_gap(const uint8_t *p, size_t i, size_t n)
{
	while (n - i >= 64) {
		bytes16 end[4], blank[4], odd = {0};
#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++) {
			bytes16 v = bytes16_load(p + i + 16 * k);
			end[k] = (bytes16)(v == '\n');
			blank[k] = (bytes16)((v == ' ') | (v == '\t'));
			odd |= (bytes16)((v == '\r') | (v == 0xC2));
		}
		const uint64_t ends = bytes16_mask64(end), blanks = bytes16_mask64(blank);
		const uint64_t third = run_next_ends(run_next_ends(ends, ends, blanks), ends, blanks);
		const size_t last = 63 - (size_t)__builtin_clzll(~(ends | blanks)); /* of the text */
		if (bytes16_any(odd) || third || !last)
			break;
		i += last;
	}
	return run_line_end(p, i, n);
}

/* Defines a search backwards: after the last byte of a kind in [low, i); low for none. */
#define RUN_SEARCH_BACK(name, parameters, is) \
	static inline size_t name parameters \
	{ \
		for (; i - low >= 16; i -= 16) { \
			const bytes16 v = bytes16_load(p + i - 16); \
			const unsigned found = bytes16_mask(is(bytes16, v)); \
			if (found) \
				return i + 16 - (size_t)__builtin_clz(found); \
		} \
		while (i > low && !is(uint8_t, p[i - 1])) \
			i--; \
		return i; \
	}
RUN_SEARCH_BACK(run_line_start, (const uint8_t *p, size_t low, size_t i), RUN_IS_LINE_END)
RUN_SEARCH_BACK(run_after_in, (const uint8_t *p, size_t low, size_t i, uint8_t c), RUN_IS)

/* After the last c in [0, i); 0 for none. */
static inline size_t run_after(const uint8_t *p, size_t i, uint8_t c) { return run_after_in(p, 0, i, c); }

/* A byte that is in no name of a scheme: as run_host, but `+` is in one, too. */
static inline size_t run_scheme(const uint8_t *p, size_t i, size_t n)
{
	i = run_host(p, i, n);
	while (i < n && p[i] == '+')
		i = run_host(p, i + 1, n);
	return i;
}

/* The length of the name of a header field. */
static inline size_t run_field_name(const uint8_t *p, size_t n) { return run_field_end(p, 0, n); }

/* ---- Copies ---- */

/* White space of HTML: SP, HTAB, LF, FF, CR. */
static inline bool run_is_space(uint8_t c) { return BYTE_IN(c, " \t\n\f\r"); }

/* The name of a tag at p, where 16 bytes can be read: in lower case, zeros after it.  Its length up to SP, a control
 * character, `/` or `>`; 16 when it is longer. */
static inline size_t run_tag_name(uint8_t out[16], const uint8_t *p)
{
	static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
	bytes16 v = bytes16_load(p);
	unsigned found = bytes16_mask((bytes16)((v <= ' ') | (v == '/') | (v == '>')));
	size_t n = found ? (size_t)__builtin_ctz(found) : 16;
	v |= (bytes16)((bytes16)(v - 'A') < 26) & 0x20;
	bytes16_store(out, v & bytes16_load(kept + 16 - n));
	return n;
}

static inline bytes16 run_spaces16(bytes16 v)
{
	bytes16 space = (bytes16)(((bytes16)(v - '\t') <= '\r' - '\t') & (v != '\v'));
	return (v & ~space) | (space & ' ');
}

/* After the last byte in [low, i) that is not white space; low for none. */
static inline size_t run_spaces_back(const uint8_t *p, size_t low, size_t i)
{
	while (i > low && run_is_space(p[i - 1]))
		i--;
	return i;
}

/* The first byte in [i, n) that is not white space; n for none. */
static inline size_t run_after_spaces(const uint8_t *p, size_t i, size_t n)
{
	while (i < n && run_is_space(p[i]))
		i++;
	return i;
}

/* In [i, n): after the first white space that more follows; n for none.  The second reads up to 15 bytes more. */
static inline size_t run_first_space(const uint8_t *p, size_t i, size_t n)
{
	while (i + 1 < n && !(run_is_space(p[i]) && run_is_space(p[i + 1])))
		i++;
	return i + 1 < n ? i + 1 : n;
}

static inline size_t run_first_space_ahead(const uint8_t *p, size_t i, size_t n)
{
	for (; i < n; i += 15) { /* other controls are rare */
		unsigned spaces = bytes16_mask((bytes16)(bytes16_load(p + i) <= ' ')), pairs = spaces & spaces >> 1;
		if (pairs)
			return run_first_space(p, i + (size_t)__builtin_ctz(pairs), n);
	}
	return n;
}

/* Copies n bytes with all white space of HTML as SP. */
static inline void run_spaces(uint8_t *out, const uint8_t *p, size_t n)
{
	size_t i = 0;
	for (; n - i >= 16; i += 16)
		bytes16_store(out + i, run_spaces16(bytes16_load(p + i)));
	if (n >= 16) { /* the last vector may overlap the one before it */
		bytes16_store(out + n - 16, run_spaces16(bytes16_load(p + n - 16)));
	} else if (n >= 8) { /* the first and the last 8 */
		uint8_t both[16];
		memcpy(both, p, 8);
		memcpy(both + 8, p + n - 8, 8);
		bytes16_store(both, run_spaces16(bytes16_load(both)));
		memcpy(out, both, 8);
		memcpy(out + n - 8, both + 8, 8);
	} else {
		for (; i < n; i++)
			out[i] = run_is_space(p[i]) ? ' ' : p[i];
	}
}

/* Copies as run_spaces; up to 15 bytes after them are read and written.  Without a branch for short ones to
 * mispredict. */
static inline void run_spaces_ahead(uint8_t *out, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i += 16)
		bytes16_store(out + i, run_spaces16(bytes16_load(p + i)));
}

/* Copies n bytes, 16 or more, to two places.  Whether one of them is c.  By four vectors at least, the last of which
 * may be the same, because processors mispredict a number that varies. */
static inline bool run_copy_twice(char *to, char *again, const uint8_t *p, size_t n, uint8_t c)
{
	bytes16 found = {0};
	for (size_t i = 0; i < 64 || i < n; i += 16) {
		size_t k = i < n - 16 ? i : n - 16;
		bytes16 v = bytes16_load(p + k);
		bytes16_store(to + k, v);
		bytes16_store(again + k, v);
		found |= (bytes16)(v == c);
	}
	return bytes16_any(found);
}

/* Copies printable ASCII, with `json` but for `<` `"` `\`, up to the first other byte; returns the length.
 * `to` has room for n bytes. */
static inline size_t run_copy(char *to, const uint8_t *p, size_t n, bool json)
{
	for (size_t i = 0; n >= 16;) {
		bytes16 v = bytes16_load(p + i), stop = (bytes16)((bytes16)(v - ' ') > '~' - ' ');
		if (json)
			stop |= (bytes16)((v == '<') | (v == '"') | (v == '\\'));
		bytes16_store(to + i, v);
		unsigned found = bytes16_mask(stop);
		if (found)
			return i + (size_t)__builtin_ctz(found);
		if (i == n - 16)
			return n;
		i = n - i < 32 ? n - 16 : i + 16; /* the last vector overlaps the one before it */
	}
	size_t i = 0;
	while (i < n && (uint8_t)(p[i] - ' ') <= '~' - ' ' && !(json && BYTE_IN(p[i], "<\"\\"))) {
		to[i] = (char)p[i];
		i++;
	}
	return i;
}

#endif
