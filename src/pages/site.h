/* The folder of pages: which files are ours, and files that are written only when their content changes. */
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
	int lock;                 /* of SECTION_TOP's file .urlsift */
	/* The page being written, which is equal to the old one up to `at`, or differs from it. */
	enum section section;
	char name[SITE_NAME];
	int old, new;             /* -1: none */
	bool differs;
	uint64_t at;
	size_t used;
	char data[SITE_BLOCK], was[SITE_BLOCK];
};

/* Opens or creates the folder and locks it, see pages_new.  False with the reason in the plan; site_fini is needed then
 * as well. */
bool site_init(struct site *s, struct plan *plan, const char *path);
void site_fini(struct site *s);

/* The name of a section's folder with a slash; "" for SECTION_TOP. */
const char *site_folder(enum section section);

/* Opens an unlinked temporary file in the folder; -1 with the reason in the plan. */
int site_temporary(struct site *s);

/* Writes a page: begin, put ..., end.  Until the end the old file is as it was; a file with the same content is not
 * touched.  Nothing is done after a failure. */
void site_begin(struct site *s, enum section section, const char *name);
void site_put(struct site *s, const void *bytes, size_t n);
void site_end(struct site *s);

/* Removes the pages whose names could be ours and that were not written in this run. */
void site_remove_others(struct site *s);

#endif
#endif
