/* The plan of an archive: an index, whose table `post` has a row for each message and `fragment` its HTML, and
 * databases for this run: one with the order of messages and threads, one with the links of hosts.  Each thread that
 * writes pages has connections of its own to them.
 *
 * A message is identified by `id`, a hash of its Message-ID (index/address.h), or of its content if it has none. */
#ifndef PAGES_PLAN_H
#define PAGES_PLAN_H

#include "pages.h"

#ifdef URLSIFT_WITH_SQLITE
#include "index/index.h"
#include <stdint.h>
#include <sys/types.h>

enum { PAGES_WHY = 512 }; /* bytes of what a report names, with its NUL */
enum { PLAN_REFERENCES = 64 }; /* References of a message that are kept: the first and the last ones */

/* Messages on a page of a thread; a longer thread has several pages. */
#define THREAD_PART 500
#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)
#define THREAD_PART_TEXT NUMBER_TEXT(THREAD_PART)

enum { PLAN_BLOCK = 64 * 1024 }; /* bytes of HTML in a row of `fragment` */

struct plan {
	struct database db;   /* keeps the first failure, of files too */
	sqlite3_stmt *block;  /* reads a block of HTML */
	sqlite3_stmt *note;   /* adds a page to those that were written by this connection */
	sqlite3_stmt *noted;  /* finds one */
};

/* What a connection opens: the plan, and what is attached to it by these names. */
struct plan_files {
	char *plan, *ordered, *linked;
	long cache; /* KiB of the page cache of `ordered`; the others have as much or half of it */
};

/* Where a range of a fragment may become an anchor. */
struct plan_anchor {
	int64_t id;           /* of the message to which it leads */
	uint64_t begin, end;  /* bytes of the body */
};

/* A hash for `id`; never 0. */
int64_t plan_hash(const void *bytes, size_t n);

/* Opens the index and the empty files of the others.  Failures are those of all connections that share `failed`.  False
 * after a failure.  Call plan_fini in any case. */
void plan_open(struct plan *p, const struct plan_files *files, atomic_bool *failed);
/* A further connection: reads what plan_order has made.  plan_join_linked opens the links of hosts too. */
void plan_join(struct plan *p, const struct plan_files *files, atomic_bool *failed);
void plan_join_linked(struct plan *p, const struct plan_files *files);
/* Makes what this connection has written visible to others. */
void plan_commit(struct plan *p);
void plan_fini(struct plan *p);
/* Whether nothing has failed so far. */
static inline bool plan_good(const struct plan *p)
{
	return !p->db.failed && !(p->db.shared && atomic_load_explicit(p->db.shared, memory_order_relaxed));
}
/* Whether this connection has written the page. */
bool plan_noted(struct plan *p, int64_t section, const char *name);
/* Reports a failure of the file `what`, unless there was one before. */
void plan_fail(struct plan *p, const char *what, const char *why);
/* Reports an errno, or SOURCE_TRUNCATED, of the file. */
void plan_fail_errno(struct plan *p, const char *what, int error);
/* The HTML of a message from an offset on, as much as is in one place: sets *n, to at most the number wanted.  Valid
 * until the next call.  NULL after a failure. */
const char *plan_read_html(struct plan *p, int64_t message, uint64_t at, size_t *n);

/* Resets the statement, of which not all rows may have been read, and binds its parameters (database_bind). */
#define plan_bind(s, ...) (sqlite3_reset(s), database_bind(s, __VA_ARGS__))
/* Binds and steps to the first row; false if there is none. */
#define plan_find(p, s, ...) (plan_bind(s, __VA_ARGS__), database_row(&(p)->db, s))
/* Binds and runs a statement that returns no rows. */
#define plan_run(p, s, ...) (plan_bind(s, __VA_ARGS__), database_step(&(p)->db, s))

/* ---- Order --------------------------------------------------------------------------- */

/* Chooses what is shown of duplicates, finds threads (threads.c), orders all messages by time. */
void plan_order(struct plan *p);
/* Makes the table node. */
void threads_find(struct plan *p);

#endif
#endif
