/* The places in a body where its structure may show: beginnings of lines. */
#ifndef MAIL_LINE_FIND_H
#define MAIL_LINE_FIND_H

#include <stddef.h>
#include <stdint.h>

/* Which beginnings of lines count. */
enum {
	LINE_FROM = 1,   /* "F" */
	LINE_HYPHEN = 2, /* "--" */
	LINE_QUOTED = 4, /* ">F" and ">>" */
	LINE_SOH = 8     /* ^A */
};

/* The index in [from, n) of the first LF whose next bytes, as many of the two as there are
 * before n, are of `which`; n when there is none.  An LF that is the last byte
 * counts as none.  By the widest vectors the machine has. */
size_t line_find(const uint8_t *p, size_t from, size_t n, unsigned which);
/* The index in [0, n) of the first LF behind which a line without text begins, with all of its LF or CR LF
 * before n; n when there is none. */
size_t line_find_blank(const uint8_t *p, size_t n);

/* The indices of the next LFs in [from, n), those of a header block: it may end with the first behind which a line
 * without text begins.  None only when there is none. */
enum { LINE_ENDS = 32 };
struct line_ends {
	size_t count;
	size_t at[LINE_ENDS];
};
void line_ends(const uint8_t *p, size_t from, size_t n, struct line_ends *ends);

#endif
