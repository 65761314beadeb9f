/* The offset map: from offsets in the text back to offsets in its source. */
#ifndef TEXT_MAP_H
#define TEXT_MAP_H

#include "buf.h"

/* A character takes `text_step` bytes of text and `source_step` of source.  The map is an array, sorted by text offset,
 * of runs of one step and of groups of up to eight small mixed characters.  It is capped, and is dropped from the front
 * as text is used up.  Source bytes between two characters belong either to the second one, like escape sequences
 * (map_add with text_step 0), or to none, like tags (map_add_at); a map uses one of the two. */
struct map {
	const urlsift_allocator *alloc;
	struct map_run *runs;
	size_t count, room, first;
	unsigned open; /* characters in the last group while it is not full */
	uint64_t text_end, source_end; /* the end of all that was added */
	uint64_t silent;               /* bytes of source without text at its end */
	bool failed;                   /* something could not be added */
};

/* A map can hold this much text (added and not forgotten) with any steps: a link (W4a), its surroundings, and a block
 * of new text. */
enum { MAP_TEXT = 180 * 1024 };

void map_init(struct map *m, const urlsift_allocator *alloc);
void map_fini(struct map *m);
void map_reset(struct map *m); /* back to offset 0, memory kept */
/* All that add something say whether it has been added, and so does map->failed until the map is reset: a caller may
 * look at that once.
 *
 * Appends `n` characters of one step.  text_step 0 is source without text (a byte order mark, an escape sequence); a
 * character after it takes at most 255 bytes of source itself.  False without memory, or when the runs of more than
 * MAP_TEXT bytes would have to be kept. */
bool map_add(struct map *m, size_t n, size_t text_step, size_t source_step);
/* Appends eight characters of one byte of source each, `text` bytes of text together: steps holds text_step - 1, four
 * bits each, the first lowest.  Fails as map_add. */
bool map_add_eight(struct map *m, uint32_t steps, size_t text);
/* Appends text for [source, source + source_length), which begins at the end of what was added or after it.  Equal
 * lengths: byte for byte; else one character (a character reference), of which at most 65,535 bytes of source are
 * recorded.  A text_length of 0 adds nothing.  False as map_add. */
bool map_add_at(struct map *m, uint64_t source, size_t text_length, size_t source_length);

/* The source offset of the character at text offset `t` with the source without text before it, so that ranges tile.
 * `t` may be map->text_end.  Binary search. */
uint64_t map_source(struct map *m, uint64_t t);
/* The source offset of the character itself; after all text the end of the source. */
uint64_t map_begin(struct map *m, uint64_t t);
/* From the first character of the text [from, to) to the end of its last. */
urlsift_range map_range(struct map *m, uint64_t from, uint64_t to);
/* The source ranges of the text [from, to), from < to, in order and apart, appended to `ranges` (urlsift_range) unless
 * it is NULL: an empty one only where all of the text has no source.  *same: the text is its source, byte for byte.
 * Returns how many they are, 0 without memory.  Linear in the entries. */
size_t map_ranges(struct map *m, uint64_t from, uint64_t to, struct buf *ranges, bool *same);
/* Drops the map of text before `t`. */
void map_forget(struct map *m, uint64_t t);
/* The largest memory that a map allocates. */
size_t map_memory_bound(void);

#endif
