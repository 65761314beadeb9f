/* Memory of the command: a failed allocation ends the process, so that no caller has to handle one.  What the library
 * allocates for the command ends it where the library reports that it has failed (memory_checked, memory_status). */
#ifndef INPUT_MEMORY_H
#define INPUT_MEMORY_H

#include "urlsift.h"

#include "text/ascii.h"
#include <stdbool.h>
#include <stddef.h>

/* Runs what memory_undo_add has added, the last first, reports it and ends the process with STATUS_OUTPUT.  Any thread
 * may call it.  Allocates nothing.  A database is left to its journal. */
_Noreturn void fail_process(const char *why);
_Noreturn void fail_memory(void); /* "out of memory" */

/* What must not stay as it is when the process ends, also by HUP, INT or TERM: a file that has
 * not got its name yet, the modes of a terminal. */
struct memory_undo {
	void (*run)(void *user); /* what a handler of signals may do: no allocation, no lock */
	void *user;
	struct memory_undo *next;
};
/* `u` must live until memory_undo_remove.  A process that is forked undoes nothing of its parent. */
void memory_undo_add(struct memory_undo *u, void (*run)(void *user), void *user);
void memory_undo_remove(struct memory_undo *u); /* one that was not added is allowed */
/* What is run to remove the file of this path. */
void memory_undo_file(void *path);

/* Functions like those of malloc's family, for free().  They never return NULL. */
void *memory_get(size_t size); /* zeroed */
/* To read files into.  A large block of malloc's begins 16 bytes after a page, and the kernel takes 1.25 times as long
 * to copy from the pages of a file into it. */
void *memory_block(size_t size);
void *memory_resize(void *block, size_t size);
/* The item after the `count` items of an array, which grows for it.  An array that all items are added to in this way
 * doubles. */
#define MEMORY_ADD(items, count) (*((items) = memory_grow((items), (count), sizeof *(items)), &(items)[(count)++]))
void *memory_grow(void *items, size_t count, size_t size);
/* Frees the array and its items. */
void memory_free_all(char **items, size_t count);
char *memory_copy(const char *text);
char *memory_copy_part(const char *text, size_t n); /* adds a NUL */
__attribute__((format(printf, 1, 2))) char *memory_format(const char *format, ...);
/* The text, "" for NULL. */
static inline const char *memory_text(const char *text) { return text_or(text, ""); }

/* For buffers and tables of src/text, whose functions then fail only at a cap. */
extern const urlsift_allocator memory_allocator;
/* A block, NULL without memory, and its release, as functions of an allocator.  A large block has huge pages where the
 * system has such: each small one is a fault when it is first touched. */
void *memory_large(void *context, size_t size);
void memory_release(void *context, void *block);

/* Ends the process unless there was memory. */
static inline void memory_need(bool good)
{
	if (!good)
		fail_memory();
}
/* Return their argument, unless it is NULL or URLSIFT_NO_MEMORY. */
void *memory_checked(void *object);
static inline urlsift_status memory_status(urlsift_status status)
{
	memory_need(status != URLSIFT_NO_MEMORY);
	return status;
}

#endif
