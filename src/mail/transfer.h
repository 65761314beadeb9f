/* Content-Transfer-Encodings decoded (RFC 2045 section 6), whatever their damage. */
#ifndef MAIL_TRANSFER_H
#define MAIL_TRANSFER_H

#include "simd/simd.h"

enum transfer { TRANSFER_IDENTITY, TRANSFER_QUOTED_PRINTABLE, TRANSFER_BASE64, TRANSFER_UUENCODE };

/* The encoding that a field's value names, blanks, comments, quotation marks and
 * letter case aside; what is not known is identity. */
enum transfer transfer_named(const uint8_t *value, size_t n);

enum {
	TRANSFER_BLANKS = QUOTED_BLANKS, /* the longest run of blanks that a line end takes with it */
	LINE_HELD = 60        /* of base64's line after padding, a whole number of quanta */
};

struct transfer_state {
	enum transfer encoding;
	const struct simd *simd;
	uint32_t bits;   /* base64: what no byte was made of yet, its low bits */
	unsigned held;   /* base64: how many of them */
	size_t symbols;  /* base64: the number of letters and padding so far, right modulo 4 */
	bool split;      /* base64: a line end was in a quantum */
	uint64_t damage; /* base64: bytes that are neither of it nor blank, and padding after a single letter.
	                    transfer_finish adds one if a quantum was split and `symbols` is not a multiple of four:
	                    encoders may split quanta, and many leave out the last padding, but seldom both. */
	bool equals;     /* quoted-printable: after a `=`, */
	uint8_t digit;   /* and this digit (0 for none), */
	unsigned blanks; /* and so many blanks, that may end their line; more than TRANSFER_BLANKS
	                    are text and no longer held */
	uint64_t tabs;   /* bit i: the blank i is a tab */
	bool after_cr;   /* after a soft line break's CR: an LF belongs to it */
	bool padded;     /* base64: after padding, where a line of text may come; */
	bool marked;     /* or at a line that begins with none of its letters, after whole quanta; */
	bool plain;      /* it has come */
	uint8_t last;    /* base64: the byte before the next one */
	enum { UU_BEGIN, UU_BEFORE, UU_LINE, UU_START, UU_DATA, UU_END, UU_AFTER } uu; /* what the next byte is of */
	unsigned left;   /* uuencode: bytes of the line still to come */
	uint8_t line[LINE_HELD]; /* of the line after padding */
	size_t line_length;
};

void transfer_begin(struct transfer_state *t, enum transfer encoding, const struct simd *simd);
/* Decodes from [*p, end) into out, which has room for `room` >= 64 bytes; moves *p
 * after what it took.  Returns the bytes written; those after them may have changed too.
 * Call again until *p == end.
 *
 * Quoted-printable: `=XX` in either letter case; `=` and a line end (LF, CRLF, CR or the end of
 * the input; blanks between allowed) vanish; blanks before a line end vanish; any other `=`
 * is text.  A run of more than TRANSFER_BLANKS blanks is text in any case.
 * Base64: what is not of its alphabet is passed over, and counted as damage unless it is blank; padding ends a
 * quantum, and what follows begins a new one (concatenated bodies), until a line comes that reads
 * like words, or, without padding, one of little but punctuation: mailing lists put text after a body, and from there
 * on everything is text, after a line end.  Of a last quantum cut short two letters give a byte, three give two.
 * Uuencode: from the line `begin` to the line `end`, or to a line that is not data; everything before and after it is
 * text.  Data that a line lacks are zeros.
 * How the input is cut changes nothing. */
size_t transfer_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room);
/* The input is over: the bytes still held go to out (at most 64).  t->damage stays until transfer_begin. */
size_t transfer_finish(struct transfer_state *t, uint8_t *out);

/* transfer_decode of quoted-printable. */
size_t quoted_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room);
/* The bytes held are text: writes them to out, at most 64. */
size_t quoted_let_go(struct transfer_state *t, uint8_t *out);

#endif
