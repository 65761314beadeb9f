/* The folder of pages: which files belong to it, and writing files only when their content changes. */
#ifndef PAGES_SITE_H
#define PAGES_SITE_H

#include "plan.h"

#include "input/report.h"

#ifdef URLSIFT_WITH_SQLITE

enum section { SECTION_TOP, SECTION_MESSAGES, SECTION_DATE, SECTION_THREAD, SECTION_AUTHOR, SECTION_HOSTS, SECTIONS };

enum { SITE_BLOCK = 32 * 1024, SITE_NAME = 48 };
#define SITE_PART ".urlsift/part"       /* names that begin like this are of this run only: */
#define SITE_ORDERED SITE_PART "-order.db" /* its databases, see plan.h */
#define SITE_LINKED SITE_PART "-links.db"
enum { SITE_WRITERS = 8 }; /* threads that write pages of one folder, each one at a time */

struct site {
	struct plan *plan;        /* holds the first failure, and the names of the pages that were written */
	const char *path;
	int folder[SECTIONS];     /* -1: not open */
	bool made[SECTIONS];      /* by this run: no other page is there */
	int lock;                 /* .urlsift/lock, if it is locked; -1 for the other threads */
	unsigned number;          /* of the thread; the folders are those of the first, 0 */
	struct memory_undo undo;  /* which removes the page being written, and what is temporary */
	struct progress *progress; /* of what is written, by all threads */
	/* The page being written (site_write.c): equal to the old one up to `at`, unless `differs`. */
	enum section section;
	char name[SITE_NAME];
	char part[SITE_NAME];     /* that of its file until it is whole: SITE_PART and the number */
	int old, new;             /* -1: none */
	bool differs;
	uint64_t at;
	size_t used;              /* bytes of `data` that follow what was written */
	char data[SITE_BLOCK], was[SITE_BLOCK];
	bool masks;               /* what follows the @ of a mail address in texts and mailto: is left out */
	struct site_mask {
		bool open;            /* an anchor to a mailto: is open */
		unsigned closes;      /* bytes of "</a" */
		uint32_t was;         /* the hash of the mailto: of the last anchor that had one, */
		int shown;            /* and bytes left out of the texts of the anchors of its link so far */
		struct site_mask_tag {
			bool open;            /* in a tag */
			bool mail, anchor;    /* in a mailto: there; it has one */
			unsigned matched;     /* bytes of "mailto:" */
			uint32_t target;      /* the hash of the mailto:, */
			int whole;            /* and bytes left out of it */
		} tag;
		struct site_mask_text {
			unsigned http, https; /* bytes of "tp://" and "tps://": of ftp and sftp, too, but not of mailto:// */
			bool authority;       /* after them: the @ of a user there begins no host of a mail address */
			bool named;           /* after a name */
			const char *host;     /* in what is left out: the bytes that follow but those of names; or NULL */
			bool dotted;          /* there are dots for it */
			bool quoted;          /* in a character reference right after a name */
			unsigned escape;      /* bytes of "%40", an escaped @ */
		} at, kept;           /* the second is that of an anchor's text before a tag */
	} mask;
};

/* Opens or creates the folder and locks it, see pages_new.  False after a failure.  Call site_fini in any case. */
bool site_init(struct site *s, struct plan *plan, const char *path);
/* Before the first page: makes the folders, and empty files for the temporary databases. */
void site_prepare(struct site *s);
/* The site of a further thread, which has the number; it uses the folders of the first one, which must outlive it. */
void site_join(struct site *s, struct plan *plan, const struct site *first, unsigned number);
void site_fini(struct site *s);

/* The name of a section's folder with a slash; "" for SECTION_TOP. */
const char *site_folder(enum section section);

/* Writes a page: begin, put ..., end.  site_end replaces the old file by a rename, or leaves it alone if the content is
 * the same.  After a failure these functions do nothing. */
void site_begin(struct site *s, enum section section, const char *name);
void site_put(struct site *s, const void *bytes, size_t n);
void site_end(struct site *s);

/* The steps of site_begin, site_put and site_end that write: opens the old page; compares what was put with it, or
 * writes it; gives the new one its name. */
void site_write_begin(struct site *s);
void site_write(struct site *s, bool last);
void site_write_end(struct site *s);
/* Reports what could not be written, with an errno, or SOURCE_TRUNCATED; 0: nothing has failed. */
void site_check(struct site *s, enum section section, const char *name, int error);

/* Whether there is a page of this name that does not hold the text near its beginning. */
bool site_differs(struct site *s, enum section section, const char *name, const char *text);

/* Removes files that are named like pages, if `remove` is set, unless `keep` returns true: it was written in this run,
 * or is now. */
void site_remove_others(struct site *s, bool remove, bool (*keep)(void *user, enum section section, const char *name),
                        void *user);

#endif
#endif
