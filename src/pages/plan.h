/* The plan of an archive: a temporary SQLite database with a row for each message, and a file of fragments.
 *
 * A message is identified by `id`, a 63-bit hash of its Message-ID, or of its content if it has none. */
#ifndef PAGES_PLAN_H
#define PAGES_PLAN_H

#include "pages.h"

#ifdef URLSIFT_WITH_SQLITE
#include "index/sqlite.h"
#include <stdint.h>
#include <sys/types.h>

enum { PAGES_WHY = 512 }; /* bytes of a reason, with its NUL */
enum { PLAN_REFERENCES = 64 }; /* References of a message that are kept: the first and the last ones */

/* Messages on a page of a thread; a longer thread has several pages. */
#define THREAD_PART 500
#define TEXT_OF(number) #number
#define TEXT_OF_VALUE(number) TEXT_OF(number)
#define THREAD_PART_TEXT TEXT_OF_VALUE(THREAD_PART)

struct plan {
	sqlite3 *db;
	const char *folder;   /* of temporary files */
	int fragments;        /* unlinked file: the HTML of each message, and its anchors */
	char why[PAGES_WHY];  /* the first failure, "" for none */
};

/* Where a range of a fragment may become an anchor. */
struct plan_anchor {
	int64_t id;           /* of the message to which it leads */
	uint64_t begin, end;  /* bytes of the body */
};

/* A hash for `id`; never 0. */
int64_t plan_hash(const void *bytes, size_t n);

/* Creates temporary files in the folder.  On failure returns false and sets p->why.  Call plan_fini in any case. */
bool plan_init(struct plan *p, const char *folder);
void plan_fini(struct plan *p);
/* Stores a failure of the file `what` (NULL: a temporary file) in p->why, unless there was one before. */
void plan_fail(struct plan *p, const char *what, const char *why);
/* The same for an errno, or SOURCE_TRUNCATED. */
void plan_fail_errno(struct plan *p, const char *what, int error);
/* Reads n bytes at an offset, fewer only at the end of the file.  Returns their number, or -1 with errno. */
ssize_t plan_read_at(int fd, uint64_t at, void *to, size_t n);
/* Reads n bytes of the file of fragments.  On failure returns false and sets p->why. */
bool plan_read_fragment(struct plan *p, uint64_t at, void *to, size_t n);

/* ---- Statements ---------------------------------------------------------------------
 * After a failure these functions do nothing; NULL is allowed as a statement.
 * Parameters follow the first, `types` has a letter for each: `i` int64_t, `o` int64_t whose 0 means null, `t` const
 * char * and size_t (must remain valid until the statement is reset; NULL means null), `b` the same as a blob. */

sqlite3_stmt *plan_prepare(struct plan *p, const char *sql);
/* Resets the statement and binds its parameters. */
void plan_bind(sqlite3_stmt *s, const char *types, ...);
/* Whether there is one more row; resets the statement after the last. */
bool plan_row(struct plan *p, sqlite3_stmt *s);
/* Binds and runs a statement that returns no rows. */
void plan_run(struct plan *p, sqlite3_stmt *s, const char *types, ...);
/* Runs statements without parameters and rows. */
void plan_do(struct plan *p, const char *sql);
/* A number from a statement of one row; 0 if there is none. */
int64_t plan_number(struct plan *p, const char *sql);
/* A text of the row, "" for null; valid until the next row. */
const char *plan_text(sqlite3_stmt *s, int column);

/* ---- Order --------------------------------------------------------------------------- */

/* After the last message: drops duplicates, finds threads (threads.c), orders all messages by time. */
void plan_order(struct plan *p);
/* Sets message.parent and message.root. */
void threads_find(struct plan *p);

#endif
#endif
