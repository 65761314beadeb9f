/* Text written for a terminal (B1): escape sequences and overstrikes are taken out before the search. */
#ifndef SCAN_TERMINAL_H
#define SCAN_TERMINAL_H

#include "text/map.h"
#include "view.h"

enum { TERMINAL_HELD = 2048 }; /* no sequence is longer, with what decides about it */

/* Off until the first sequence, so that other text is searched in place; then on to the end of the text. */
struct terminal {
	bool on;
	struct map map;    /* from the text without sequences to the text with them */
	uint64_t fed;      /* bytes of text with sequences, held ones excluded */
	uint8_t before;    /* the last byte of the text without them */
	size_t held_n;
	uint8_t held[TERMINAL_HELD]; /* perhaps the beginning of a sequence */
};

/* Whether a sequence is at index i, an ESC or BS: then *from is where it begins, for an overstrike the character before
 * the BS. */
enum verdict terminal_begins(const struct view *v, size_t i, size_t *from);
/* Turns it on: the text before offset `at`, which ends in `before`, holds no sequence. */
bool terminal_start(struct terminal *t, uint64_t at, uint8_t before);
/* Takes the sequences out of the n bytes at p, in place; what they may begin is kept in t->held unless `last`.  An SGR
 * sequence disappears.  Any other becomes one ESC, which ends a link, and so does an SGR sequence between a letter or
 * digit and a link.  Sets *n to the bytes left.  False as map_add.  Linear. */
bool terminal_strip(struct terminal *t, uint8_t *p, size_t *n, bool last);

#endif
