/* The folder of pages: which files belong to it, and writing files only when their content changes. */
#ifndef PAGES_SITE_H
#define PAGES_SITE_H

#include "plan.h"

#ifdef URLSIFT_WITH_SQLITE

enum section { SECTION_TOP, SECTION_MESSAGES, SECTION_DATE, SECTION_THREAD, SECTION_AUTHOR, SECTION_HOSTS, SECTIONS };

enum { SITE_BLOCK = 32 * 1024, SITE_NAME = 48 };

struct site {
	struct plan *plan;        /* holds the first failure, and the names of the pages of this run */
	const char *path;
	int folder[SECTIONS];     /* -1: not open */
	int lock;                 /* .urlsift/lock */
	struct memory_undo undo;  /* which removes the page being written */
	/* The page being written: equal to the old one up to `at`, unless `differs`. */
	enum section section;
	char name[SITE_NAME];
	int old, new;             /* -1: none */
	bool differs;
	uint64_t at;
	size_t used;
	bool masks;               /* what follows the @ of a mail address in texts and mailto: is left out */
	struct site_mask {
		bool tag, mail, named, host; /* in a tag; in a mailto: there; after a name; in what is left out */
		unsigned matched;            /* bytes of "mailto:" */
	} mask;
	char data[SITE_BLOCK], was[SITE_BLOCK];
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

/* Whether there is a page of this name that does not hold the text near its beginning. */
bool site_differs(struct site *s, enum section section, const char *name, const char *text);

/* Removes files that are named like pages but were not written in this run, if `remove` is set, unless `replace`, which
 * is called for those of SECTION_MESSAGES, writes another page of that name and returns true. */
void site_remove_others(struct site *s, bool remove, bool (*replace)(void *user, const char *name), void *user);

#endif
#endif
