/* The database of an index: opening, locking against other writers, errors.  Functions that return an enum status
 * report errors themselves, and return STATUS_DONE or, unless stated otherwise, STATUS_OUTPUT. */
#ifndef INDEX_DATABASE_H
#define INDEX_DATABASE_H

#include "input/report.h"

#ifdef URLSIFT_WITH_SQLITE

#include "sqlite.h"

enum {
	DATABASE_ID = 0x75726c73, /* the application_id, "urls" */
	DATABASE_VERSION = 1,     /* the user_version, of the schema */
	DATABASE_CACHE = 256      /* MiB of the page cache of a writer */
};

/* SQL that creates the index of the texts of URLs, and all secondary indexes, unless they exist; and that drops all but
 * the former. */
extern const char database_url_index[], database_indexes[], database_drop_indexes[];

struct database {
	sqlite3 *db;
	const char *path;
	int lock; /* descriptor of PATH.lock, locked by a writer; -1 for a reader */
};

/* Initialises a struct database so that database_close may be called before it is opened. */
#define DATABASE_NONE { .db = NULL, .lock = -1 }

/* Opens an index for reading. */
enum status database_open(struct database *d, const char *path);
/* Opens or creates an index for writing.  Does not change a file that is not an index. */
enum status database_open_writer(struct database *d, const char *path);
/* Creates an index without a journal, for a part. */
enum status database_create_part(struct database *d, const char *path);
/* Sets the size of the page cache. */
enum status database_set_cache(struct database *d, long kib);
/* NULL db is allowed. */
void database_close(struct database *d);

/* Reports SQLite's last error; always STATUS_OUTPUT. */
enum status database_fail(const struct database *d);
/* Turns a result code of SQLite into a status; reports errors. */
enum status database_check(const struct database *d, int result);
/* Runs SQL statements without parameters; rows are ignored. */
enum status database_run(struct database *d, const char *sql);
/* Runs one without rows, with these values of its first two parameters; the second may be NULL. */
enum status database_run_with(struct database *d, const char *sql, const char *first, const char *second);
/* Prepares a statement that is used many times, to be freed with sqlite3_finalize; NULL after an error. */
sqlite3_stmt *database_prepare(struct database *d, const char *sql);
/* Runs a statement without rows, and resets it. */
enum status database_step(struct database *d, sqlite3_stmt *s);
/* Stores the first column of the first row in *number, or `otherwise` if there is no row or it is NULL.  False after an
 * error. */
bool database_number(struct database *d, const char *sql, int64_t otherwise, int64_t *number);

/* Writes the labels of a host in reverse order, such as org.example.www, n bytes; an IP address is copied unchanged. */
void database_reverse_host(const char *name, size_t n, char *out);

#endif

#endif
