/* Several renderers for one output: each thread has one, which writes to a buffer, and one further renderer combines
 * the buffers in order (urlsift_render_append), and gets the sources and their ends.
 *
 * Functions without a status accept no NULL. */
#ifndef RENDER_PART_H
#define RENDER_PART_H

#include "urlsift-render.h"

/* The place of an event that has none, in plain text. */
extern const urlsift_place render_no_place;

/* Further flags of urlsift_render_needs. */
enum {
	RENDER_NEEDS_ORDER     = 1 << 16, /* all events of the output, in order: only one renderer */
	RENDER_NEEDS_MESSAGES  = 1 << 17, /* the combining renderer needs them too, before what follows them */
	RENDER_NEEDS_CUT_HOSTS = 1 << 18  /* `cut_hosts` of urlsift_options */
};

/* The renderer, which has had no event, is one of several: it writes no headings of messages. */
void render_be_part(urlsift_renderer *r);
/* Sets the source name, and the member, of the records that follow, without an event. */
void render_name(urlsift_renderer *r, const char *name, const char *member);
/* In the write callback: keeps the block that it received, of at most RENDER_BLOCK bytes.  `block`, of that size and of
 * the context's allocator, takes its place; the caller releases the one that is returned. */
enum { RENDER_BLOCK = 64 * 1024 };
void *render_exchange(urlsift_renderer *r, void *block);
/* Ends what was written of a source, or of a range of one. */
urlsift_status render_close(urlsift_renderer *r);
/* What follows continues the text of another renderer, at the beginning of a line. */
void render_continue(urlsift_renderer *r);
/* Drops what is buffered and open, and forgets that the write callback failed. */
void render_discard(urlsift_renderer *r);

#endif
