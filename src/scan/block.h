/* Blocks whose text is not searched (B9): uuencoded, yEnc, PGP armour.  Base64
 * and BinHex lines hold nothing that could begin a link. */
#ifndef SCAN_BLOCK_H
#define SCAN_BLOCK_H

#include "view.h"

enum block { BLOCK_NONE, BLOCK_UU, BLOCK_YENC, BLOCK_ARMOUR };
struct block_state {
	enum block kind;
	bool body;       /* behind the header lines of armour */
	size_t width;    /* of a line of yEnc, as its first line says */
};

/* Whether a block begins with the line at i.  YES: *next is the line behind it. */
enum verdict block_begins(const struct view *v, size_t i, struct block_state *state, size_t *next);
/* Reads the line at i of the block.  YES: it belongs to the block, *next is
 * behind it; state->kind is BLOCK_NONE when it was the end line.  NO: it is not
 * of the block's form, which ends before it. */
enum verdict block_line(const struct view *v, size_t i, struct block_state *state, size_t *next);

#endif
