/* The database of an index: opening, locking against other writers, errors.
 *
 * An error is reported when it happens, once, and kept in the handle: nothing is read or written any more, NULL is
 * allowed as a statement, and who has finished asks for database_status. */
#ifndef INDEX_DATABASE_H
#define INDEX_DATABASE_H

#include "input/report.h"

#ifdef URLSIFT_WITH_SQLITE

#include "sqlite.h"

#include <stdatomic.h>
#include <sys/stat.h>

enum {
	DATABASE_ID = 0x75726c73, /* the application_id, "urls" */
	DATABASE_VERSION = 2,     /* the user_version, of the schema */
	DATABASE_CACHE = 256      /* MiB of the page cache of a writer */
};

/* SQL that creates the index of the texts of URLs, and all secondary indexes, unless they exist; and that drops all but
 * the former. */
extern const char database_url_index[], database_indexes[], database_drop_indexes[];

struct database {
	sqlite3 *db;
	const char *path;
	int lock;    /* descriptor of PATH.lock, locked by a writer; -1 for a reader */
	bool failed; /* an error was reported */
	atomic_bool *shared; /* set by the first failure of connections that work together; or NULL */
	bool unlocked; /* it is read without locks, which need files beside it */
	struct stat before; /* if so: the file as it was opened */
	int64_t version; /* of its schema */
};

/* Initialises a struct database so that database_close may be called before it is opened. */
#define DATABASE_NONE { .db = NULL, .lock = -1 }

/* Why an index of an older version is refused, for database_refuse. */
#define DATABASE_OLDER "was made by an older urlsift (schema %d); index into a new file"

/* Opens an index for reading, of this or an older version. */
enum status database_open(struct database *d, const char *path);
/* Opens one for a connection that makes temporary tables. */
enum status database_open_temporary(struct database *d, const char *path);
/* The folder of a database, where SQLite makes files beside it; the caller frees it.  NULL when it is not known. */
char *database_folder(const char *path);
/* An empty index in memory. */
enum status database_open_empty(struct database *d);
/* Opens or creates an index for writing.  Does not change a file that is not an index. */
enum status database_open_writer(struct database *d, const char *path);
/* Creates an index without a journal, for a part. */
enum status database_create_part(struct database *d, const char *path);
/* Fails if another process may have changed what was read without locks. */
void database_check_unchanged(struct database *d);
/* Sets the size of the page cache. */
void database_set_cache(struct database *d, long kib);
/* A text of the row, "" for null; valid until the next row. */
const char *database_text(sqlite3_stmt *s, int column);
/* NULL db is allowed. */
void database_close(struct database *d);

/* Sets `failed`.  Whether nothing had failed before, of what is shared either: the caller reports it. */
bool database_first_failure(struct database *d);
/* Reports SQLite's last error, unless an error was reported before. */
void database_fail(struct database *d);
/* Reports that the index cannot be used, with its version for %d in `why`, unless an error was reported before. */
void database_refuse(struct database *d, const char *why);
/* STATUS_DONE, or STATUS_OUTPUT after an error. */
enum status database_status(const struct database *d);

/* Runs SQL statements without parameters; rows are ignored. */
void database_run(struct database *d, const char *sql);
/* Runs one statement, whose parameter is the text. */
void database_run_with(struct database *d, const char *sql, const char *text);
/* Whether one statement, whose parameter is the text, has a row; false after an error. */
bool database_has(struct database *d, const char *sql, const char *text);
/* Prepares a statement that is used many times, to be freed with sqlite3_finalize; NULL after an error. */
sqlite3_stmt *database_prepare(struct database *d, const char *sql);
/* Binds the parameters from the first one on.  `types` has a letter for each: `i` int64_t; `u` int64_t, null if it is
 * negative; `o` int64_t, null if it is 0; `s` const char *, NULL for null; `t` the same and a size_t, its length; `b`
 * the same of a blob.  Texts must remain valid until the statement is reset. */
void database_bind(sqlite3_stmt *s, const char *types, ...);
/* Whether there is one more row; resets the statement after the last one. */
bool database_row(struct database *d, sqlite3_stmt *s);
/* Runs a statement without rows, and resets it. */
void database_step(struct database *d, sqlite3_stmt *s);
/* The first column of the first row, or `otherwise` if there is no row or it is NULL, and after an error. */
int64_t database_number(struct database *d, const char *sql, int64_t otherwise);

/* Writes the labels of a host in reverse order, such as org.example.www, without the full stop at the end of a name; an
 * IP address is copied unchanged.  Returns the length, at most n. */
size_t database_reverse_host(const char *name, size_t n, char *out);

#endif

#endif
