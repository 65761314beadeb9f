/* Text written for a terminal (B1): escape sequences and overstrikes are taken out before the search. */
#ifndef SCAN_TERMINAL_H
#define SCAN_TERMINAL_H

#include "text/map.h"
#include "view.h"

enum { TERMINAL_HELD = 2048 }; /* no sequence is longer, with what decides about it */

/* Off until the first sequence, and again after TERMINAL_QUIET bytes without one, so that other text is searched in place.
 * "Raw" is the text with sequences. */
enum { TERMINAL_QUIET = 8 * 1024 };
struct terminal {
	bool on;
	bool used;         /* it was on: the offsets of text and raw text differ */
	struct map map;    /* from text before offset `off` to raw text */
	uint64_t off;      /* the text after it, while the terminal is off, is the raw text, */
	uint64_t shift;    /* whose offsets are so much larger */
	uint64_t at;       /* where it was last turned on */
	uint64_t fed;      /* raw bytes while on, held ones excluded */
	uint64_t last;     /* end of the last sequence, in raw bytes */
	uint8_t before;    /* the last byte of the text without them */
	size_t held_n;
	uint8_t held[TERMINAL_HELD]; /* perhaps the beginning of a sequence */
};

/* Whether a sequence is at index i, an ESC or BS: then *from is where it begins, for an overstrike the character before
 * the BS. */
enum verdict terminal_begins(const struct view *v, size_t i, size_t *from);
/* Turns it on: the text before offset `at`, which ends in `before`, holds no sequence. */
void terminal_reset(struct terminal *t);
bool terminal_start(struct terminal *t, uint64_t at, uint8_t before);
/* Takes the sequences out of the n bytes at p, in place; what they may begin is kept in t->held unless `last`.  An SGR
 * sequence disappears.  Any other becomes one ESC, which ends a link, and so does an SGR sequence between a letter or
 * digit and a link.  Sets *n to the bytes left.  False as map_add.  Linear. */
bool terminal_strip(struct terminal *t, uint8_t *p, size_t *n, bool last);
/* Turns it off: all that was fed is text now, which ends at offset `at`. */
void terminal_stop(struct terminal *t, uint64_t at);
static inline bool terminal_is_quiet(const struct terminal *t)
{
	return t->fed - t->last > TERMINAL_QUIET && t->held_n <= 4;
}

/* As map_source, map_begin and map_ranges. */
uint64_t terminal_source(const struct terminal *t, uint64_t at);
uint64_t terminal_source_begin(const struct terminal *t, uint64_t at);
bool terminal_ranges(const struct terminal *t, uint64_t from, uint64_t to, struct buf *ranges);

#endif
