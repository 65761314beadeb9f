/* Line prefixes (Q) and page breaks (F): what is on a line that is not its author's text. */
#ifndef SCAN_LINE_H
#define SCAN_LINE_H

#include "simd/bytes16.h"
#include "view.h"

enum { MARKS_MAX = 32 };

/* Whether a line prefix may end in c, letters and white space other than blanks aside. */
static inline bool line_is_mark(uint8_t c)
{
	return bytes16_has(" \t>|:+-!<#/*;%.)", c);
}

struct line_prefix {
	char marks[MARKS_MAX]; /* quote marks in order: '>' '|' ':' , 'N' for a mark with a name */
	size_t quotes;
	char diff;             /* + - ! < or 0 */
	bool twice;            /* `++` of a diff of a merge, `--` of one or of a comment */
	char comment;          /* # / * - ; % , l for dnl, or 0 */
	bool list;             /* a list mark: the next line may be indented instead (Q2) */
	bool block;            /* a comment of C begins: likewise */
	bool indented;         /* a blank is where a diff has its marks, as on its lines without changes (Q2) */
	bool unchanged;        /* two blanks, as a context diff has them */
	bool bracket;          /* inside brackets: a context diff may change its mark, a list lose its indentation (Q2) */
	size_t end;            /* index after the prefix */
};

/* The start of the line of i.  False: it is more than BACK_LOOK bytes back. */
bool line_start(const struct view *v, size_t i, size_t *start);
/* The end of the line at i, before its line end.  False: it has more than `most` bytes. */
bool line_find_end(const struct view *v, size_t i, size_t most, size_t *end);
/* The index of the first byte in [i, stop) that is not a blank, or `stop`. */
static inline size_t line_skip_blanks(const struct view *v, size_t i, size_t stop)
{
	return byte_span(v->p, i, stop, BYTE_BLANK);
}
/* Reads the prefix of the line in [start, stop) (Q1). */
void prefix_read(const struct view *v, size_t start, size_t stop, struct line_prefix *f);
/* Whether the line of i holds nothing but a prefix before i, all of it after `floor` and in LINE_LOOK bytes. */
bool prefix_before(const struct view *v, size_t i, size_t floor);

/* Q2, Q3: the line at i continues with the prefix `f`; *content is after it
 * and the indentation, *marks after the prefix alone.  False for another depth or kind. */
bool prefix_match(const struct view *v, size_t i, const struct line_prefix *f, size_t *marks, size_t *content);

/* Q2: a line of at least 70 columns with the prefix `f` ends right before the line at i.  Whether the latter lost its
 * quote marks: a `>` closes its first word. */
bool line_lost_marks(const struct view *v, size_t i, const struct line_prefix *f);
/* The characters of the line of i before i; 0 if these are more than BACK_LOOK bytes. */
size_t line_columns(const struct view *v, size_t i);
/* F: whether a pager wrapped the line at i, which begins with `+`: another pair of lines within BACK_LOOK bytes, both
 * ways, shows the same width, and no line there begins as in a diff. */
bool line_is_wrapped(const struct view *v, size_t i);
/* J1: lines that quoted-printable breaks have QUOTED_LEAST to QUOTED_MOST bytes; shorter ones are known by a `=3D`. */
enum { QUOTED_LEAST = 70, QUOTED_MOST = 77 };
/* J1: whether [i, stop) is quoted-printable.  NOT: a `=` begins no escape; SURELY: it has one that no text has by
 * chance; SIGN: `=3D`, a `=` that was encoded. */
enum quoted { QUOTED_NOT, QUOTED_PERHAPS, QUOTED_SURELY, QUOTED_SIGN };
enum quoted line_escapes(const struct view *v, size_t i, size_t stop);
/* J1: whether the `=` at i, which a line end follows, is a soft line break of quoted-printable that was never decoded:
 * so is every `=` of its paragraph, or an escape. */
bool line_is_quoted_printable(const struct view *v, size_t i);
bool line_declares_break(const struct view *v, size_t i); /* line_soft_break, where the byte at i may declare one */
/* J1: whether a line break is declared at i, its next line not yet looked at: as view_soft_break, by such a `=`,
 * or, i being at the line end, by line_is_wrapped. */
static inline bool line_soft_break(const struct view *v, size_t i)
{
	return BYTE_IN(view_read(v, i), "\r\n=\\ ") && line_declares_break(v, i); /* no, as mostly */
}
/* The line end at i (LF, CRLF, CR): its bytes, 0 for none. */
FAST_INLINE bool line_end(const struct view *v, size_t i, size_t *width)
{
	const uint8_t c = view_byte(v, i);
	const bool cr = c == '\r';
	view_needs(v, i, 1u + cr);
	*width = is_line_end(c) + (size_t)(cr && view_byte(v, i + 1) == '\n');
	return *width;
}
/* Whether the line at i is a signature separator, `-- ` (W4, RFC 3676 section 4.3). */
bool line_is_separator(const struct view *v, size_t i);
/* The quote depth of a line of format=flowed (RFC 3676 section 4.5) that begins at i: its
 * leading `>`.  Counts up to `most`. */
size_t line_depth(const struct view *v, size_t i, size_t most);
/* F1: i begins a blank line (after the prefix `f`); `feed`: a form feed was seen before it.  True: the text continues
 * at *next, after the page break. */
bool page_break(const struct view *v, size_t i, const struct line_prefix *f, bool feed, size_t *next);

/* ---- block.c: blocks that are not searched (B9): uuencoded, yEnc, PGP armour.  Base64 and BinHex lines hold nothing
 * that could begin a link. ---- */

enum block { BLOCK_NONE, BLOCK_UU, BLOCK_YENC, BLOCK_ARMOUR };
struct block_state {
	enum block kind;
	bool body;       /* after the header lines of armour; after a line of yEnc that must be the last */
	size_t width;    /* of a yEnc line, by the header */
};

/* Whether the line at i has the first word of one that a block begins with. */
bool block_may_begin(const struct view *v, size_t i);
/* Whether a block begins with the line at i, which leaves it in *state.  *next is the line after it, *last the last one
 * that was read; without a first word of a block they stay as they are. */
bool block_begins(const struct view *v, size_t i, struct block_state *state, size_t *next, size_t *last);
/* Reads the line at i of the block.  True: it belongs to the block and *next is the line after it; state->kind is
 * BLOCK_NONE after the end line.  Else it is not of the form of the block, which ends before it. */
bool block_line(const struct view *v, size_t i, struct block_state *state, size_t *next);
/* The block after a line, of the one before it: BLOCK_NONE for none.  The line has `length` bytes, the first LINE_LOOK
 * of which are at p. */
void block_follow(struct block_state *state, const uint8_t *p, size_t length);

#endif
