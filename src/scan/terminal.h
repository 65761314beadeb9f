/* Text written for a terminal (B1): escape sequences and overstrikes are taken out before the search; and where that
 * is wanted, defanged forms replaced. */
#ifndef SCAN_TERMINAL_H
#define SCAN_TERMINAL_H

#include "refang.h"
#include "text/map.h"
#include "view.h"

enum {
	TERMINAL_COMMAND_MAX = 1000, /* bytes of `ESC ]` sequences that are removed, about */
	TERMINAL_HELD = 2048, /* no sequence is longer, with what decides about it */
	/* Sequences are removed while they are no more than TERMINAL_LEVEL bytes, and further TERMINAL_RATIO for each byte
	 * of text; past that they stay in the text.  So what was removed from bounded text is bounded. */
	TERMINAL_LEVEL = 256 * 1024, TERMINAL_RATIO = 4
};

/* What was removed, until it is handed out: before the text at offset `at`, or in the place of `text` bytes of it. */
struct removed {
	uint64_t at, raw;     /* raw: where it begins in the raw text */
	const uint8_t *bytes; /* until the next call for a terminal */
	size_t length, text;  /* text: 0 or 1 */
	size_t label;         /* bytes of raw text, also at bytes + length: the label of a hyperlink that begins here */
};

/* Off until the first sequence, and again after TERMINAL_QUIET bytes without one, or a multiple, so that other text is
 * searched in place. "Raw" is the text with sequences. */
enum { TERMINAL_QUIET = 16 * 1024 };
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
	bool refangs;      /* forms of refang.h are replaced as well: it is on from the start */
	struct buf removed;
	size_t removed_first; /* before it all was handed out */
	size_t removed_last;  /* where the last one begins */
	size_t removed_low;   /* no form before it is at or after text offset `low` */
	uint64_t low;
	uint64_t base, raw_base; /* `at` and `raw` of the one handed out last, or of the first */
	size_t level;      /* see TERMINAL_LEVEL */
	size_t held_n;
	/* terminal_init leaves the rest as it is */
	struct refang_pairs pairs;   /* where it refangs */
	uint8_t held[TERMINAL_HELD]; /* perhaps the beginning of a sequence */
};

/* No more than `text_most` bytes of text are held at a time. */
void terminal_init(struct terminal *t, const urlsift_allocator *alloc, size_t text_most);
void terminal_fini(struct terminal *t);
size_t terminal_memory_bound(size_t text_most);
void terminal_reset(struct terminal *t);
/* Where the label of a hyperlink ends that begins at p: at the next sequence of one, complete or not; n for none. */
size_t terminal_label(const uint8_t *p, size_t n);
/* Whether a sequence is at index i, an ESC or BS: then *from is where it begins, for an overstrike the character before
 * the BS. */
enum verdict terminal_begins(const struct view *v, size_t i, size_t *from);
/* Turns it on: the text before offset `at`, which ends in `before`, holds no sequence. */
bool terminal_start(struct terminal *t, uint64_t at, uint8_t before);
/* Takes the sequences out of the n bytes at p, in place; what they may begin is kept in t->held unless `last`.  An SGR
 * sequence disappears.  Any other becomes one ESC, which ends a link, and so does an SGR sequence between a letter or
 * digit and a link.  Sets *n to the bytes left.  False as map_add.  Linear. */
bool terminal_strip(struct terminal *t, uint8_t *p, size_t *n, bool last);
/* Turns it off: all that was fed is text now, which ends at offset `at`. */
void terminal_stop(struct terminal *t, uint64_t at);
/* The raw bytes up to the next place where it may be turned off.  Such places depend on the text alone, not on how it
 * is fed: what rules look ahead at is text up to there, and raw text from there on. */
size_t terminal_before_stop(const struct terminal *t);
/* Whether it may be turned off here: what is held, if anything, is a character that may be overstruck. */
bool terminal_is_quiet(const struct terminal *t);

/* Whether nothing that was removed before the text at offset `at` affects what follows. */
bool terminal_is_forgotten(const struct terminal *t, uint64_t at);
/* The first of what was removed and not yet handed out.  False when there is none. */
bool terminal_removed(const struct terminal *t, struct removed *r);
/* It is handed out. */
void terminal_removed_next(struct terminal *t);
/* The target of the hyperlink (`ESC ] 8 ; parameters ; target`) that the n bytes at p begin: its length, *at: where it
 * is.  0: they are another sequence, or end a hyperlink. */
size_t terminal_target(const uint8_t *p, size_t n, size_t *at);
/* Copies the n bytes at p without their sequences; returns the length. */
size_t terminal_plain(const uint8_t *p, size_t n, uint8_t *out);
/* The length of the colour, or of the overstruck character and its BS, that begins the n bytes at p; 0 for none. */
size_t terminal_hidden(const uint8_t *p, size_t n);
/* Sets *r, which terminal_removed or this function has set, to what follows it, as terminal_removed. */
bool terminal_removed_after(const struct terminal *t, struct removed *r);
/* Whether [from, to) of the text has a byte that replaces a form.  `low`, no more than `from`,
 * seldom decreases: what is before it is passed over once. */
bool terminal_has_form(struct terminal *t, uint64_t low, uint64_t from, uint64_t to);
/* Whether the byte of text replaces a form (refang.h). */
static inline bool removed_is_form(const struct removed *r) { return r->text && *r->bytes != 0x1b; }

/* As map_source, map_begin and map_range. */
uint64_t terminal_source(struct terminal *t, uint64_t at);
uint64_t terminal_source_begin(struct terminal *t, uint64_t at);
urlsift_range terminal_range(struct terminal *t, uint64_t from, uint64_t to);

#endif
