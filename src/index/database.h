/* The database of an index: opening, the one writer, errors.  Functions that return an enum status have reported
 * any but STATUS_DONE, which is STATUS_OUTPUT unless they say otherwise. */
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

/* SQL that creates all but the secondary indexes; those, unless they exist. */
extern const char database_tables[], database_indexes[];

struct database {
	sqlite3 *db;
	const char *path;
	int lock; /* descriptor of PATH.lock, which a writer has locked; -1 */
};

/* A struct database that is not open, for database_close. */
#define DATABASE_NONE { .db = NULL, .lock = -1 }

/* Opens an index for reading. */
enum status database_open(struct database *d, const char *path);
/* Opens or creates an index for writing, with a page cache of so many MiB.  A file that is not an index is not
 * changed. */
enum status database_open_writer(struct database *d, const char *path, long cache);
/* The same for a new file without journal, which is not complete before database_sync. */
enum status database_create_part(struct database *d, const char *path, long cache);
/* NULL db is allowed. */
void database_close(struct database *d);

/* Reports SQLite's last error; always STATUS_OUTPUT. */
enum status database_fail(const struct database *d);
/* The status of a result of SQLite. */
enum status database_check(const struct database *d, int result);
enum status database_run(struct database *d, const char *sql);
/* A statement to be kept, for sqlite3_finalize; NULL after an error. */
sqlite3_stmt *database_prepare(struct database *d, const char *sql);
/* Runs a statement without rows, and resets it. */
enum status database_step(struct database *d, sqlite3_stmt *s);
/* The first column of the first row, `otherwise` if there is none or it is NULL; false on an error. */
bool database_number(struct database *d, const char *sql, int64_t otherwise, int64_t *number);

/* Writes the labels of a host in reverse, org.example.www, n bytes; an address as it is. */
void database_reverse_host(const char *name, size_t n, char *out);

#endif

#endif
