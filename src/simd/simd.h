/* The vector routines.  Each primitive has a file with its portable form, which defines the result, and
 * its variants.  A set holds the best form of each for one instruction set; all sets give the same results.
 * No routine reads beyond the bytes that its contract names, and all are linear. */
#ifndef SIMD_SIMD_H
#define SIMD_SIMD_H

#include "urlsift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMD_BLOCK = 64 }; /* bytes, one bit each in a mask; bit 0 is the first */

/* What trigger() flags besides the pairs. */
enum { TRIGGER_AT = 1, TRIGGER_DOT = 2 };

/* What a byte is in the text of a link: THE table of the scanner, for the rules and for the fast way. */
enum {
	URL_OWN = 1 << 0,        /* part of the link wherever it is */
	URL_TRAIL = 1 << 1,      /* part of it only if more of the link follows (B4, B5a) */
	URL_DELIMITER = 1 << 2,  /* / ? #: ends an authority */
	URL_AMPERSAND = 1 << 3,  /* may begin a character reference (B4) */
	URL_STOP = 1 << 4,       /* ends every link (B3) */
	URL_OPEN = 1 << 5,       /* brackets (B5) */
	URL_CLOSE = 1 << 6,
	URL_APOSTROPHE = 1 << 7, /* B5a */
	URL_SPLIT = 1 << 8,      /* , ; | (B8) */
	URL_BACKSLASH = 1 << 9,  /* ends a link, except in B7 */
	URL_HIGH = 1 << 10,      /* beyond ASCII */
	URL_HOST = 1 << 11,      /* part of a host: letter, digit, hyphen, full stop */
	URL_UNDERSCORE = 1 << 12,
	URL_INNER = URL_OWN | URL_TRAIL | URL_DELIMITER, /* needs no rule inside a link */
	URL_END = URL_STOP | URL_CLOSE                   /* ends a link that has no open bracket */
};
extern const uint16_t url_class[256];

struct link_shape {
	uint32_t host; /* bytes of URL_HOST */
	bool simple;   /* known: not link_is_odd(), and the last label, at most 63 bytes as all, begins with a letter */
	size_t end;    /* bytes of URL_INNER, the host included */
};

struct html_step {
	char *to;     /* where the output ends */
	size_t taken; /* bytes of the input */
};

/* The lines that line_find() finds, by their first bytes. */
enum {
	LINE_FROM = 1,   /* "From " */
	LINE_HYPHEN = 2, /* "--" */
	LINE_QUOTED = 4, /* "From " after one `>` or more, at most LINE_MARKS */
	LINE_SOH = 8,    /* four ^A */
	LINE_MARKS = 1024
};

enum { LINE_ENDS = 96 };
struct line_ends {
	size_t count;
	size_t at[LINE_ENDS]; /* indices of LFs */
};

/* The value of a base64 letter, or one of these. */
enum { BASE64_OTHER = 0x40, BASE64_PAD = 0x80 };
extern const uint8_t base64_letters[256];

enum { QUOTED_BLANKS = 60 }; /* the longest run of blanks that a line end removes */

/* Bytes of an escaped block, with those written ahead; of an escaped character. */
enum { HTML_ROOM = 448, HTML_CHARACTER = 8 };

/* A decoder decodes what it can of [p, end) and returns where it stopped.  It advances *out past its output, at most
 * to out_end; the bytes from there to out_end may have changed. */
typedef const uint8_t *simd_decoder(const uint8_t *p, const uint8_t *end, uint8_t **out, const uint8_t *out_end);

struct simd {
	/* Trigger search.  Flags each byte that forms a trigger with the next one: `l:` `o:` `w.` `p.`; LF, CR, `-` or `*`
	 * and `b` (any letter case); `=y`; ` /`; `:` and anything but a space.  Also flags ESC, BS, VT, CAN, and those of
	 * `marks` (TRIGGER_).  Fills a mask for each SIMD_BLOCK of the n bytes, at most 64 of them, padded with zeros;
	 * returns a bit for each mask that is not 0.  Reads n + 1 bytes. */
	uint64_t (*trigger)(const uint8_t *p, size_t n, unsigned marks, uint64_t *mask);
	/* The shape of the n bytes at p, where a host begins.  Its host is 0 when it is empty or needs a closer look: an
	 * empty label, a hyphen at the end of a label. */
	struct link_shape (*link_shape)(const uint8_t *p, size_t n);
	/* The index in [from, n) of the first LF before a line that `which` (LINE_) names; n when there is none.  Of a
	 * line cut by n the bytes that are there decide, and there is one at least. */
	size_t (*line_find)(const uint8_t *p, size_t from, size_t n, unsigned which);
	/* The index in [0, n) of the first LF before a blank line whose LF or CR LF is before n; n when there is none. */
	size_t (*line_blank)(const uint8_t *p, size_t n);
	/* The next LFs in [from, n), in order and without gaps: none only when there is none.  It may stop at an LF
	 * before a blank line. */
	void (*line_ends)(const uint8_t *p, size_t from, size_t n, struct line_ends *ends);
	/* The length of the longest prefix of whole valid UTF-8 sequences. */
	size_t (*utf8_valid)(const uint8_t *p, size_t n);
	/* Quoted-printable: literal bytes, escapes and soft line breaks.  It stops at the latest before blanks that may
	 * end their line, and before a `=` whose meaning needs bytes from `end` on; called until it takes nothing, all
	 * sets stop at the same byte. */
	simd_decoder *quoted;
	/* Base64: whole quanta, and line ends between them.  It stops before a quantum that another byte is in, before
	 * or after the line ends. */
	simd_decoder *base64;
	/* Writes the n bytes at p, by rule C1, for HTML to `to`.  A control but HTAB and LF is U+FFFD, CR LF and CR are LF.
	 * It stops at a bidi control; with `lines` at a `>` that may be a quote mark and at a CR that is the last byte,
	 * else at LF and CR; and when `to` is not before `limit`, after which there is room for HTML_ROOM bytes. */
	struct html_step (*html_escape)(char *to, const char *limit, const uint8_t *p, size_t n, bool lines);
};

/* The set for an instruction set, or the best (URLSIFT_IMPL_AUTO); NULL when the machine lacks it. */
const struct simd *simd_choose(urlsift_implementation wanted);

/* ---- Routines with one form for all sets (bytes16.h) ---- */

/* Writes a character as html_escape() does, bidi controls and line ends too; returns the length. */
size_t html_put_character(char *to, uint32_t cp);

/* How many line ends (LF, CR LF, CR) begin in the n bytes at p.  *after_cr: whether the byte before p, and then
 * whether the last byte, is a CR. */
uint64_t lines_count(const uint8_t *p, size_t n, bool *after_cr);

/* Whether one of p[1], ..., p[n - 1] is a byte that a link's target changes or that may need a warning: `%`, `#`,
 * `^`, the second of two hyphens; or `!` or `'`, which do not. */
bool link_is_odd(const uint8_t *p, size_t n);
/* Whether one of them is an upper-case letter; a full stop after a slash. */
bool link_has_upper(const uint8_t *p, size_t n);
bool link_has_dots(const uint8_t *p, size_t n);
/* Whether link_is_odd(), or one of them is not URL_INNER nor `(`, `)`, `,` or `;`. */
bool link_has_stop(const uint8_t *p, size_t n);
/* Whether one of them is a control, beyond ASCII, or the second of two blanks. */
bool label_has_odd(const uint8_t *p, size_t n);

#endif
