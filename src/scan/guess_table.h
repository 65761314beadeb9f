/* J2: the points of a place where a line end may cut a link, and what their sum means.  Written by tests/joins/fit.py
 * from judged places, but for four points that docs/joins.md tells, as it explains each name.  The reference scanner
 * reads this file too. */
#ifndef SCAN_GUESS_TABLE_H
#define SCAN_GUESS_TABLE_H

/* how the link ends: `-`, `/`, within the ending of a file (`.ht`, `ml`), another mark, `.`; the word begins with a
 * mark; neither */
enum guess_cut { CUT_HYPHEN, CUT_SLASH, CUT_ENDING, CUT_MARK, CUT_STOP, CUT_BEFORE, CUT_IN_WORD, CUTS };
/* the word: marks of URLs or the ending of a file; digits, mixed case, other marks; prose; a capital or "and" */
enum guess_shape { SHAPE_STRONG, SHAPE_ODD, SHAPE_PLAIN, SHAPE_COMMON, SHAPES };
/* after the word: what closes a bracket or quotation before the link; closing marks; a mark and text; text */
enum guess_tail { TAIL_CLOSED, TAIL_ALONE, TAIL_MARK, TAIL_TEXT, TAILS };
/* the line of the link had no room for the next piece; only for that; for the word; it is over-long */
enum guess_room { ROOM_FULL, ROOM_PART, ROOM_LEFT, ROOM_OVER, ROOMS };

/* cut and word together */
static const signed char points_cut[CUTS][SHAPES] = {
	/*              strong  odd plain common */
	/* hyphen   */ {  57,   45,   22,   21},
	/* slash    */ {  46,   18,   -2,    1},
	/* ending   */ {  43,   18,    3,    8},
	/* mark     */ {  47,   23,    7,   12},
	/* stop     */ {  27,   -3,  -16,  -16},
	/* before   */ {  51,   28,   10,   16},
	/* in-word  */ {  34,    1,  -13,   -3},
};
/* where the link begins the text of its line, by cut */
static const signed char points_start[CUTS] = {6, -9, 1, 7, 8, 8, 11};
static const signed char points_tail[TAILS] = {28, 3, 4, -15};
/* more where text follows the word, by word */
static const signed char points_text[SHAPES] = {7, -20, -2, 0};
static const signed char points_room[ROOMS] = {15, -2, -10, -2};

enum {
	POINTS_FIXED = 6, /* cut at a column that programs cut at; only for the last four cuts */
	POINTS_COMPLETE = -34, /* the link ends as a file does, perhaps with a full stop or hyphen */
	POINTS_OUTDENT = -13, /* the next line is indented less than that of the link */
	POINTS_EVEN = 11, /* both lines end at one column */
};

/* The share of right joins among judged places of archives left out, by their points; fewer are no guess. */
static const struct {
	int least;
	double confidence;
} steps[] = {{32, 0.99}, {20, 0.90}, {5, 0.77}, {-5, 0.22}};

#endif
