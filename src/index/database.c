#include "database.h"

#ifdef URLSIFT_WITH_SQLITE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_WAIT = 60000 }; /* milliseconds that a checkpoint waits for readers */

/* A million links are merged in 13 to 20% less time than with pages of 4 KiB. */
#define WRITING "PRAGMA page_size = 16384; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF;"

#define NO_INDEX "%s: is not an index of urlsift; name an index or a new file"

/* ---- Errors ----------------------------------------------------------------------- */

enum status database_fail(const struct database *d)
{
	int code = d->db ? sqlite3_errcode(d->db) : SQLITE_NOMEM;
	if (code == SQLITE_NOTADB)
		report(NO_INDEX, d->path);
	else if (code == SQLITE_CORRUPT)
		report("%s: is damaged; build a new one with 'urlsift index'", d->path);
	else
		report("%s: %s", d->path, d->db ? sqlite3_errmsg(d->db) : "out of memory");
	return STATUS_OUTPUT;
}

enum status database_check(const struct database *d, int result)
{
	return result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW ? STATUS_DONE : database_fail(d);
}

enum status database_run(struct database *d, const char *sql)
{
	return database_check(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL));
}

sqlite3_stmt *database_prepare(struct database *d, const char *sql)
{
	sqlite3_stmt *s = NULL;
	database_check(d, sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL));
	return s;
}

enum status database_step(struct database *d, sqlite3_stmt *s)
{
	int result = sqlite3_step(s);
	enum status status = database_check(d, result);
	sqlite3_reset(s);
	return status;
}

enum status database_run_with(struct database *d, const char *sql, const char *first, const char *second)
{
	sqlite3_stmt *s = database_prepare(d, sql);
	if (!s)
		return STATUS_OUTPUT;
	sqlite3_bind_text(s, 1, first, -1, SQLITE_STATIC);
	if (second)
		sqlite3_bind_text(s, 2, second, -1, SQLITE_STATIC);
	enum status status = database_step(d, s);
	sqlite3_finalize(s);
	return status;
}

bool database_number(struct database *d, const char *sql, int64_t otherwise, int64_t *number)
{
	sqlite3_stmt *s = NULL;
	int result = sqlite3_prepare_v2(d->db, sql, -1, &s, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	*number = result == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL ? sqlite3_column_int64(s, 0) : otherwise;
	bool good = result == SQLITE_ROW || result == SQLITE_DONE;
	if (!good)
		database_fail(d);
	sqlite3_finalize(s);
	return good;
}

/* ---- Hosts ------------------------------------------------------------------------- */

void database_reverse_host(const char *name, size_t n, char *out)
{
	size_t end = n;
	if (name[n - 1] == ']' || strspn(name, "0123456789.") >= n) {
		memcpy(out, name, n);
		return;
	}
	for (size_t i = n; i-- > 0;)
		if (i == 0 || name[i - 1] == '.') {
			memcpy(out, name + i, end - i);
			out += end - i;
			if (i > 0)
				*out++ = '.';
			end = i > 0 ? i - 1 : 0;
		}
}

/* ---- The schema ------------------------------------------------------------------- */

static const char create_tables[] =
	"PRAGMA application_id = 0x75726c73; PRAGMA user_version = 1;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL, member TEXT NOT NULL DEFAULT '',"
	" kind TEXT NOT NULL, size INTEGER, mtime INTEGER, done INTEGER NOT NULL DEFAULT 0,"
	" line INTEGER NOT NULL DEFAULT 1, tail INTEGER, cursor TEXT, complete INTEGER NOT NULL DEFAULT 0,"
	" messages INTEGER, links INTEGER, UNIQUE(name, member));"
	"CREATE TABLE file(source INTEGER, name TEXT, size INTEGER, mtime INTEGER, PRIMARY KEY(source, name))"
	" WITHOUT ROWID;"
	"CREATE TABLE message(id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source,"
	" name TEXT NOT NULL DEFAULT '', pos INTEGER NOT NULL, msgid TEXT, author TEXT, date TEXT, time INTEGER,"
	" subject TEXT, list_id TEXT, newsgroups TEXT, UNIQUE(source, name, pos));"
	"CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, reversed TEXT NOT NULL);"
	"CREATE TABLE url(id INTEGER PRIMARY KEY, normal TEXT NOT NULL, scheme TEXT NOT NULL,"
	" host INTEGER REFERENCES host);"
	"CREATE TABLE link(message INTEGER NOT NULL REFERENCES message, n INTEGER NOT NULL,"
	" url INTEGER NOT NULL REFERENCES url, text TEXT, href TEXT, part TEXT, field TEXT, line INTEGER, col INTEGER,"
	" pos INTEGER, len INTEGER, parts TEXT, decoded INTEGER, convention TEXT NOT NULL, flags TEXT, warnings TEXT,"
	" alternates TEXT, rfc1738 INTEGER, rfc3986 INTEGER, rfc3987 INTEGER, PRIMARY KEY(message, n)) WITHOUT ROWID;"
	"CREATE TABLE problem(source INTEGER, name TEXT, pos INTEGER, type TEXT, what TEXT, value INTEGER, at INTEGER);"
	"CREATE TABLE part(key TEXT PRIMARY KEY) WITHOUT ROWID;"
	"CREATE VIEW links AS SELECT source.name AS source, source.member AS member, message.name AS file,"
	" message.pos AS message, msgid, part, subject, author, date, time, newsgroups, list_id, field, link.line AS line,"
	" col, link.pos AS pos, len, parts, decoded, coalesce(link.text, url.normal) AS text,"
	" coalesce(link.href, link.text, url.normal) AS url, url.normal AS normal, url.scheme AS scheme, host.name AS host,"
	" convention, flags, alternates, rfc1738, rfc3986, rfc3987, warnings"
	" FROM link JOIN message ON message.id = link.message JOIN source ON source.id = message.source"
	" JOIN url ON url.id = link.url LEFT JOIN host ON host.id = url.host;"
	"CREATE VIEW first_seen AS SELECT url.id AS id, url.normal AS normal, host.name AS host, min(message.time) AS time,"
	" message.author AS author, message.msgid AS msgid, source.name AS source, message.pos AS pos"
	" FROM url JOIN link ON link.url = url.id JOIN message ON message.id = link.message"
	" JOIN source ON source.id = message.source LEFT JOIN host ON host.id = url.host GROUP BY url.id;";

#define SECONDARY(X) \
	X("link_url", "link(url, message)") X("url_host", "url(host)") X("host_reversed", "host(reversed)") \
	X("message_time", "message(time)") X("message_msgid", "message(msgid)")
#define CREATE_INDEX(name, columns) "CREATE INDEX IF NOT EXISTS " name " ON " columns ";"
#define DROP_INDEX(name, columns) "DROP INDEX IF EXISTS " name ";"
/* The order matters: the same schema gives the same file. */
#define URL_INDEX "CREATE UNIQUE INDEX IF NOT EXISTS url_normal ON url(normal);"
const char database_url_index[] = URL_INDEX;
const char database_indexes[] =
	URL_INDEX
	SECONDARY(CREATE_INDEX);
const char database_drop_indexes[] = SECONDARY(DROP_INDEX);

/* ---- Opening ---------------------------------------------------------------------- */

static enum status open_file(struct database *d, const char *path, int flags)
{
	d->path = path;
	if (sqlite3_open_v2(path, &d->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return database_fail(d);
	sqlite3_busy_timeout(d->db, BUSY_WAIT);
	return STATUS_DONE;
}

/* Whether the file is an index of this version; *empty: it is new. */
static enum status check_identity(struct database *d, bool *empty)
{
	int64_t id, version, tables, others;
	if (!database_number(d, "PRAGMA application_id", 0, &id) ||
	    !database_number(d, "PRAGMA user_version", 0, &version) ||
	    !database_number(d, "SELECT count(*) FROM sqlite_master", 0, &tables) ||
	    !database_number(d, "SELECT count(*) FROM sqlite_master WHERE type <> 'table' AND name IN ('meta', 'source',"
	                        " 'file', 'message', 'host', 'url', 'link', 'problem', 'part')", 0, &others))
		return STATUS_OUTPUT;
	*empty = tables == 0 && id == 0;
	if (id == DATABASE_ID && version > DATABASE_VERSION)
		report("%s: was written by a newer urlsift (schema %d); use that version", d->path, (int)version);
	else if (!*empty && (id != DATABASE_ID || version != DATABASE_VERSION || others > 0)) /* views may not end */
		report(NO_INDEX, d->path);
	else
		return STATUS_DONE;
	return STATUS_OUTPUT;
}

/* On a read-only file system SQLite cannot create the files that it uses beside a database, and needs none because
 * nothing can change the database.  A log that was left there has to be read with it. */
static enum status open_immutable(struct database *d, const char *path)
{
	size_t room = 3 * strlen(path) + sizeof "file:?immutable=1";
	char *uri = malloc(room), *to = uri;
	if (!uri)
		return report_no_memory();
	const char *end = uri + room;
	snprintf(uri, room, "%s-wal", path);
	bool logged = !access(uri, F_OK);
	to += snprintf(to, room, "file:");
	for (const char *p = path + (path[0] == '/' ? strspn(path, "/") - 1 : 0); *p; p++)
		to += snprintf(to, (size_t)(end - to), strchr("%?#", *p) ? "%%%02X" : "%c", (unsigned char)*p);
	snprintf(to, (size_t)(end - to), "?immutable=1");
	enum status status = open_file(d, logged ? path : uri, SQLITE_OPEN_READONLY | (logged ? 0 : SQLITE_OPEN_URI));
	d->path = path;
	free(uri);
	return status;
}

static enum status open_existing(struct database *d, const char *path, bool *empty)
{
	*d = (struct database)DATABASE_NONE;
	bool fixed = access(path, W_OK) && errno == EROFS;
	/* A connection that may only read would not remove the files of the log. */
	enum status status = fixed ? open_immutable(d, path) : open_file(d, path, SQLITE_OPEN_READWRITE);
	if (status == STATUS_DONE)
		status = database_run(d, "PRAGMA query_only = 1; PRAGMA trusted_schema = 0");
	return status == STATUS_DONE ? check_identity(d, empty) : status;
}

enum status database_open(struct database *d, const char *path)
{
	bool empty;
	enum status status = open_existing(d, path, &empty);
	if (status != STATUS_DONE || !empty)
		return status;
	report(NO_INDEX, path);
	return STATUS_OUTPUT;
}

/* One writer at a time; the lock ends with the process. */
static enum status take_lock(struct database *d, const char *path)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	size_t room = strlen(path) + sizeof ".lock";
	char *name = malloc(room);
	if (name)
		snprintf(name, room, "%s.lock", path);
	d->lock = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
	bool locked = d->lock >= 0 && !fcntl(d->lock, F_SETLK, &all);
	if (!locked && d->lock >= 0 && (errno == EACCES || errno == EAGAIN))
		report("%s: is being written by another process", path);
	else if (!locked)
		report("%s: %s", name ? name : path, name ? strerror(errno) : "out of memory");
	free(name);
	return locked ? STATUS_DONE : STATUS_OUTPUT;
}

enum status database_set_cache(struct database *d, long kib)
{
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA cache_size = -%ld", kib);
	return database_run(d, sql);
}

static enum status make_tables(struct database *d)
{
	enum status status = database_run(d, "BEGIN IMMEDIATE");
	if (status == STATUS_DONE)
		status = database_run(d, create_tables);
	return status == STATUS_DONE ? database_run(d, "COMMIT") : status;
}

enum status database_open_writer(struct database *d, const char *path)
{
	struct stat file;
	bool empty = false, exists = !stat(path, &file);
	*d = (struct database)DATABASE_NONE;
	if (exists && !S_ISREG(file.st_mode)) {
		report(NO_INDEX, path);
		return STATUS_OUTPUT;
	}
	if (exists && file.st_size > 0) { /* before anything is written beside it */
		enum status status = open_existing(d, path, &empty);
		database_close(d);
		if (status != STATUS_DONE)
			return status;
	}
	enum status status = take_lock(d, path);
	if (status == STATUS_DONE)
		status = open_file(d, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	if (status == STATUS_DONE)
		status = check_identity(d, &empty);
	if (status == STATUS_DONE)
		status = database_run(d, WRITING "PRAGMA journal_mode = WAL");
	return status == STATUS_DONE && empty ? make_tables(d) : status;
}

enum status database_create_part(struct database *d, const char *path)
{
	*d = (struct database)DATABASE_NONE;
	enum status status = open_file(d, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	if (status == STATUS_DONE)
		status = database_run(d, WRITING "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE");
	return status == STATUS_DONE ? make_tables(d) : status;
}

void database_close(struct database *d)
{
	sqlite3_close_v2(d->db);
	if (d->lock >= 0)
		close(d->lock);
	*d = (struct database)DATABASE_NONE;
}

#endif
