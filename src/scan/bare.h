/* Links without brackets, from where they begin to where they end (B, D, S, M). */
#ifndef SCAN_BARE_H
#define SCAN_BARE_H

#include "candidate.h"
#include "extent.h"
#include "opening.h"
#include "schemepart.h"

/* One link while it is read. */
struct bare {
	/* given */
	struct opening opening;
	struct schemepart part; /* checked; the extent continues from part.rest */
	size_t solid;           /* the link must reach past this index */
	bool one_line;          /* ignore declared breaks (J1) */
	/* results */
	struct extent extent;   /* how it ended */
	struct span lines[BREAKS_MAX + 1]; /* the piece of it on each line */
	size_t line_count;
};

/* Prepares the link that begins at `begin`: its opening is read. */
void bare_begin(struct bare *b, const struct candidate *c, size_t begin);
/* Reads the link.  YES: c->link has text, parts and flags, but no scheme; its convention is quoted or bare.
 * b->extent.at is set for any answer but MORE. */
enum verdict bare_read(const struct candidate *c, struct bare *b);

/* Text, parts and flags of the link, from its lines; c->link has none yet. */
void bare_assemble(const struct candidate *c, const struct bare *b);
/* Cuts a text that is longer than max_url, and reports the limit. */
void bare_limit(const struct candidate *c, struct bare *b);

/* J1, join.c: runs the extent over all lines of the link. */
enum verdict join_run_lines(const struct candidate *c, struct bare *b);
/* B2 for an authority that was broken: checks it as joined, and ends the link where it ends. */
void join_check_authority(const struct candidate *c, struct bare *b);
/* J2, J3: joins what guesses of enough confidence add to the link that bare_read read; c->end moves along.  Where
 * rules->guess asks for it, the other reading becomes an alternate.  MORE: the next line is missing; else YES. */
enum verdict join_guess(struct candidate *c, const struct bare *b);

#endif
