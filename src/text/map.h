/* From offsets of the converted text back to bytes of the source. */
#ifndef TEXT_MAP_H
#define TEXT_MAP_H

#include "buf.h"

#include <stdbool.h>

/* The shape of a character is the bytes it takes of text (`text_step`) and of
 * source (`source_step`).  Kept as an array, sorted by text offset, of runs of
 * one shape and of groups of up to eight mixed small ones; capped; forgotten
 * from the front as text is let go. */
struct map {
	const urlsift_allocator *alloc;
	struct map_run *runs;
	size_t count, room, first;
	unsigned open; /* characters in the last group while it takes more */
	uint64_t text_end, source_end; /* the end of all that was added */
	uint64_t silent;               /* bytes of source at its end that say nothing yet */
};

/* So much text may be held (added and not forgotten) whatever its shape: a link
 * (W4a), what stands around it, and a block of new text. */
enum { MAP_TEXT = 180 * 1024 };

void map_init(struct map *m, const urlsift_allocator *alloc);
void map_fini(struct map *m);
void map_reset(struct map *m); /* back to offset 0, memory kept */
/* Appends `n` characters of one shape.  text_step 0 is source that says nothing
 * (a byte order mark, an escape sequence); a character behind such source takes
 * at most 255 bytes of source itself.  False without memory, or when the
 * runs of more than MAP_TEXT bytes would have to be kept. */
bool map_add(struct map *m, size_t n, size_t text_step, size_t source_step);
/* The same for eight characters of one byte of source each, `text` bytes of text
 * together: steps holds text_step - 1, four bits each, the first lowest. */
bool map_add_eight(struct map *m, uint32_t steps, size_t text);
/* The source offset of the character that begins at text offset `t`; source
 * without text belongs to what follows it, so that ranges tile.  t may be
 * map->text_end.  Binary search. */
uint64_t map_source(const struct map *m, uint64_t t);
/* The same behind the source without text: where the character itself begins. */
uint64_t map_begin(const struct map *m, uint64_t t);
/* Text before `t` will not be asked for again. */
void map_forget(struct map *m, uint64_t t);
/* The most memory a map ever holds. */
size_t map_memory_bound(void);

#endif
