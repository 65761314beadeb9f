/* The plan of an archive: a temporary SQLite database with a row for each message, and a file of fragments.
 *
 * A message is identified by `id`, a 63-bit hash of its Message-ID, or of its content if it has none. */
#ifndef PAGES_PLAN_H
#define PAGES_PLAN_H

#include "pages.h"

#ifdef URLSIFT_WITH_SQLITE
#include "index/database.h"
#include <stdint.h>
#include <sys/types.h>

enum { PAGES_WHY = 512 }; /* bytes of what a report names, with its NUL */
enum { PLAN_REFERENCES = 64 }; /* References of a message that are kept: the first and the last ones */

/* Messages on a page of a thread; a longer thread has several pages. */
#define THREAD_PART 500
#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)
#define THREAD_PART_TEXT NUMBER_TEXT(THREAD_PART)

struct plan {
	struct database db;   /* keeps the first failure, of files too */
	char name[PAGES_WHY]; /* of the temporary files, in reports */
	int fragments;        /* unlinked file: the HTML of each message, and its anchors */
};

/* Where a range of a fragment may become an anchor. */
struct plan_anchor {
	int64_t id;           /* of the message to which it leads */
	uint64_t begin, end;  /* bytes of the body */
};

/* A hash for `id`; never 0. */
int64_t plan_hash(const void *bytes, size_t n);

/* Creates temporary files in the folder.  False after a failure.  Call plan_fini in any case. */
bool plan_init(struct plan *p, const char *folder);
void plan_fini(struct plan *p);
/* Whether nothing has failed so far. */
static inline bool plan_good(const struct plan *p) { return !p->db.failed; }
/* Reports a failure of the file `what`, unless there was one before. */
void plan_fail(struct plan *p, const char *what, const char *why);
/* Reports an errno, or SOURCE_TRUNCATED, of the file. */
void plan_fail_errno(struct plan *p, const char *what, int error);
/* Reads n bytes at an offset, fewer only at the end of the file.  Returns their number, or -1 with errno. */
ssize_t plan_read_at(int fd, uint64_t at, void *to, size_t n);
/* Reads n bytes of the file of fragments.  False after a failure. */
bool plan_read_fragment(struct plan *p, uint64_t at, void *to, size_t n);

/* Resets the statement, of which not all rows may have been read, and binds its parameters (database_bind). */
#define plan_bind(s, ...) (sqlite3_reset(s), database_bind(s, __VA_ARGS__))
/* Binds and runs a statement that returns no rows. */
#define plan_run(p, s, ...) (plan_bind(s, __VA_ARGS__), database_step(&(p)->db, s))
/* A text of the row, "" for null; valid until the next row. */
const char *plan_text(sqlite3_stmt *s, int column);

/* ---- Order --------------------------------------------------------------------------- */

/* After the last message: drops duplicates, finds threads (threads.c), orders all messages by time. */
void plan_order(struct plan *p);
/* Sets message.parent and message.root. */
void threads_find(struct plan *p);

#endif
#endif
