/* The folder of pages: which files belong to it, and writing files only when their content changes. */
#ifndef PAGES_SITE_H
#define PAGES_SITE_H

#include "plan.h"

#include "input/report.h"

#include <pthread.h>

#ifdef URLSIFT_WITH_SQLITE

enum section { SECTION_TOP, SECTION_MESSAGES, SECTION_DATE, SECTION_THREAD, SECTION_AUTHOR, SECTION_HOSTS, SECTIONS };

enum { SITE_BLOCK = 32 * 1024, SITE_BLOCKS = 32, SITE_NAME = 48 };
#define SITE_PART ".urlsift/part" /* the page being written */

/* A page, or a part of one, of which all but the last are full. */
struct site_block {
	enum section section;
	char name[SITE_NAME];
	bool first, last;
	size_t used;
	char data[SITE_BLOCK];
};

/* Writes the blocks, in the order in which they were passed (site_write.c). */
struct site_writer {
	bool threaded;           /* in a thread of its own */
	pthread_t thread;
	pthread_mutex_t lock;    /* protects the next ones */
	pthread_cond_t changed;
	uint64_t passed, written; /* numbers of blocks */
	bool ends;               /* no more are passed */
	int error;               /* errno of the first failure, or 0, and its page: */
	enum section section;
	char name[SITE_NAME];
	/* The page being written: equal to the old one up to `at`, unless `differs`. */
	int old, new;            /* -1: none */
	bool differs;
	uint64_t at;
	char was[SITE_BLOCK];
	struct site_block block[SITE_BLOCKS]; /* that of a number n is at n % SITE_BLOCKS */
};

struct site {
	struct plan *plan;        /* holds the first failure, and the names of the pages of this run */
	const char *path;
	int folder[SECTIONS];     /* -1: not open */
	int lock;                 /* .urlsift/lock, if it is locked */
	struct memory_undo undo;  /* which removes the page being written */
	struct site_block *block; /* that is filled; in `writer` */
	struct site_writer writer;
	struct progress progress; /* of what is passed to it */
	bool masks;               /* what follows the @ of a mail address in texts and mailto: is left out */
	struct site_mask {
		bool tag, mail, named, host; /* in a tag; in a mailto: there; after a name; in what is left out */
		bool quoted;                 /* in a character reference right after a name */
		unsigned matched;            /* bytes of "mailto:" */
		unsigned escape;             /* bytes of "%40", an escaped @ */
		enum { LITERAL_MAY_BEGIN, LITERAL_NONE, LITERAL_INSIDE, LITERAL_ENDED } literal; /* in what is left out */
	} mask;
};

/* Opens or creates the folder and locks it, see pages_new.  False after a failure.  Call site_fini in any case. */
bool site_init(struct site *s, struct plan *plan, const char *path);
void site_fini(struct site *s);

/* The name of a section's folder with a slash; "" for SECTION_TOP. */
const char *site_folder(enum section section);

/* Writes a page: begin, put ..., end.  site_end replaces the old file by a rename, or leaves it alone if the content is
 * the same.  After a failure these functions do nothing. */
void site_begin(struct site *s, enum section section, const char *name);
void site_put(struct site *s, const void *bytes, size_t n);
void site_end(struct site *s);

/* From here on pages are written by a thread of their own, until site_write_end, or site_fini. */
void site_write_begin(struct site *s);
void site_write_end(struct site *s);
/* Passes the block that is filled to the writer; another one of the same page takes its place. */
void site_write_pass(struct site *s);
/* Reports what could not be written. */
void site_fail(struct site *s, enum section section, const char *name, int error);

/* Whether there is a page of this name that does not hold the text near its beginning. */
bool site_differs(struct site *s, enum section section, const char *name, const char *text);

/* Removes files that are named like pages but were not written in this run, if `remove` is set, unless `replace`, which
 * is called for those of SECTION_MESSAGES, writes another page of that name and returns true. */
void site_remove_others(struct site *s, bool remove, bool (*replace)(void *user, const char *name), void *user);

#endif
#endif
