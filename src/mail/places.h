/* From offsets of a part's text back to where it stands, when bytes in between
 * say nothing (tags, a `>` before From) or say something else (character references). */
#ifndef MAIL_PLACES_H
#define MAIL_PLACES_H

#include "text/buf.h"

/* Runs of text that stand in one piece.  In a run of equal lengths byte stands for
 * byte; any other run (a character reference) is taken whole. */
struct place_run {
	uint64_t text, source;
	uint32_t text_length, source_length;
};

struct places {
	struct buf runs;  /* struct place_run, in order */
	size_t first;     /* runs before it are forgotten */
	uint64_t end;     /* of the text */
};

void places_init(struct places *p, const urlsift_allocator *alloc);
void places_fini(struct places *p);
void places_reset(struct places *p);
/* Appends: the next text_length bytes of text stand for source_length bytes at
 * `source`, which never goes back.  Joins the last run where both go on byte for byte.  A
 * text_length of 0 adds nothing.  False without memory, past the cap (140,000 runs that are not
 * forgotten), or for lengths that 32 bits do not hold. */
bool places_add(struct places *p, uint64_t source, size_t text_length, size_t source_length);
/* Text before `text` will not be asked for again. */
void places_forget(struct places *p, uint64_t text);
/* The source ranges of the text [from, to), from < to, in order and apart, appended to `ranges`
 * (urlsift_range): one that is empty where all of the text stands for nothing, else none that is.
 * *whole is false when one of them was of a run that is taken whole.
 * False without memory.  Binary search, then linear in the runs. */
bool places_ranges(const struct places *p, uint64_t from, uint64_t to, struct buf *ranges, bool *whole);
/* The source offset of the text at `text`, in a run that is taken whole that of its beginning;
 * behind all text the end of the last run. */
uint64_t places_source(const struct places *p, uint64_t text);
size_t places_memory_bound(void);

#endif
