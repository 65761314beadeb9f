/* For realpath. */
#define _DEFAULT_SOURCE
#include "database.h"
#include "input/descriptor.h"
#include "input/folder.h"
#include "input/memory.h"
#include "input/source.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_WAIT = 60000 }; /* milliseconds that a checkpoint waits for readers */

/* A million links are merged in 13 to 20% less time than with pages of 4 KiB. */
#define WRITING "PRAGMA page_size = 16384; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF;" \
	"PRAGMA secure_delete = ON;" /* what a message said is not left in free pages */

#define NO_INDEX "is not an index of urlsift, which 'urlsift index DATABASE FILE...' makes in a new file"

/* Whether a writer works, or was cut off: what it wrote is in a log, or still may be. */
static bool has_log(const struct database *d)
{
	struct stat file;
	char *log = memory_format("%s-wal", d->path);
	const bool found = !stat(log, &file) && file.st_size > 0;
	free(log);
	return found;
}

/* ---- Errors ----------------------------------------------------------------------- */

bool database_first_failure(struct database *d)
{
	const bool first = !d->failed && !(d->shared && atomic_exchange(d->shared, true));
	d->failed = true;
	return first;
}

void database_fail(struct database *d)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	const int error = errno, code = sqlite3_errcode(d->db);
	if (!database_first_failure(d))
		return;
	/* The file of the database that may not be read, which SQLite does not name. */
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		char *name = memory_format("%s%s", d->path, ends[i]);
		if (access(name, R_OK) && errno == EACCES) {
			report("%s: %s; its owner can allow you to read the file and to search its folder", name, strerror(EACCES));
			free(name);
			return;
		}
		free(name);
	}
	if (code == SQLITE_NOTADB || (code == SQLITE_CANTOPEN && folder_is(d->path)))
		report("%s: " NO_INDEX, d->path);
	else if (code == SQLITE_CORRUPT)
		report("%s: is damaged; remove it, and make it again from its sources", d->path);
	else if (code == SQLITE_CANTOPEN && access(d->path, F_OK))
		report("%s: %s", d->path, strerror(errno));
	else if (code == SQLITE_READONLY || (code == SQLITE_CANTOPEN && has_log(d)))
		report("%s: a run was cut off; the next query of who may write it and its folder puts it in order", d->path);
	else if (sqlite3_extended_errcode(d->db) == SQLITE_IOERR_WRITE) /* such as a quota, which SQLite does not name */
		report("%s: %s: %s", d->path, sqlite3_errmsg(d->db), strerror(error));
	else
		report("%s: %s", d->path, sqlite3_errmsg(d->db));
}

enum status database_status(const struct database *d)
{
	return d->failed ? STATUS_OUTPUT : STATUS_DONE;
}

/* ---- Statements ------------------------------------------------------------------- */

void database_run(struct database *d, const char *sql)
{
	if (!d->failed && sqlite3_exec(d->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		database_fail(d);
}

sqlite3_stmt *database_prepare(struct database *d, const char *sql)
{
	sqlite3_stmt *s = NULL;
	if (!d->failed && sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK)
		database_fail(d);
	return s;
}

void database_bind(sqlite3_stmt *s, const char *types, ...)
{
	va_list list;
	va_start(list, types);
	for (int i = 1; types[i - 1]; i++) {
		const char type = types[i - 1];
		if (is_of(type, "st")) {
			const char *text = va_arg(list, const char *);
			sqlite3_bind_text(s, i, text, type == 't' ? (int)va_arg(list, size_t) : -1, SQLITE_STATIC);
		} else if (type == 'b') {
			const void *bytes = va_arg(list, const void *);
			sqlite3_bind_blob(s, i, bytes, (int)va_arg(list, size_t), SQLITE_STATIC);
		} else {
			int64_t number = va_arg(list, int64_t);
			if ((type == 'u' && number < 0) || (type == 'o' && number == 0))
				sqlite3_bind_null(s, i);
			else
				sqlite3_bind_int64(s, i, number);
		}
	}
	va_end(list);
}

bool database_row(struct database *d, sqlite3_stmt *s)
{
	int result = d->failed ? SQLITE_DONE : sqlite3_step(s);
	if (result == SQLITE_ROW)
		return true;
	if (result != SQLITE_DONE)
		database_fail(d);
	sqlite3_reset(s);
	return false;
}

const char *database_text(sqlite3_stmt *s, int column)
{
	return memory_text((const char *)sqlite3_column_text(s, column));
}

void database_step(struct database *d, sqlite3_stmt *s)
{
	database_row(d, s);
	sqlite3_reset(s);
}

void database_run_with(struct database *d, const char *sql, const char *text)
{
	sqlite3_stmt *s = database_prepare(d, sql);
	database_bind(s, "s", text);
	database_step(d, s);
	sqlite3_finalize(s);
}

bool database_has(struct database *d, const char *sql, const char *text)
{
	sqlite3_stmt *s = database_prepare(d, sql);
	database_bind(s, "s", text);
	const bool found = database_row(d, s);
	sqlite3_finalize(s);
	return found;
}

int64_t database_number(struct database *d, const char *sql, int64_t otherwise)
{
	sqlite3_stmt *s = database_prepare(d, sql);
	bool found = database_row(d, s) && sqlite3_column_type(s, 0) != SQLITE_NULL;
	int64_t number = found ? sqlite3_column_int64(s, 0) : otherwise;
	sqlite3_finalize(s);
	return number;
}

/* ---- Hosts ------------------------------------------------------------------------- */

size_t database_reverse_host(const char *name, size_t n, char *out)
{
	n -= n > 1 && name[n - 1] == '.'; /* the root of the DNS */
	if (name[n - 1] == ']' || strspn(name, "0123456789.") >= n) {
		memcpy(out, name, n);
		return n;
	}
	for (size_t end = n, from; end > 0; end = excess(from, 1)) {
		from = byte_last((const uint8_t *)name, 0, end, '.');
		memcpy(out, name + from, end - from);
		out += end - from;
		if (from > 0)
			*out++ = '.';
	}
	return n;
}

/* ---- The schema ------------------------------------------------------------------- */

/* Times of views, in UTC. */
#define ISO(time) "strftime('%Y-%m-%dT%H:%M:%SZ', " time ", 'unixepoch')"

/* The comments stay in the database, where other programs show them. */
static const char *const create_tables[] = {
	"PRAGMA application_id = 0x75726c73; PRAGMA user_version = 2;",
	"CREATE TABLE meta( -- version, scan options\n key TEXT PRIMARY KEY, value) WITHOUT ROWID;",
	"CREATE TABLE source( -- a file, a member of an archive, a folder of messages, an epoch of a public-inbox\n"
	" id INTEGER PRIMARY KEY,\n"
	" name TEXT NOT NULL,\n"
	" member TEXT NOT NULL DEFAULT '', -- in an archive\n"
	" kind TEXT NOT NULL, -- mbox, message, text, maildir ...\n"
	" size INTEGER, -- bytes of the file; null for a folder\n"
	" mtime INTEGER, -- nanoseconds since 1970\n"
	" done INTEGER NOT NULL DEFAULT 0, -- messages that begin before this offset are complete\n"
	" line INTEGER NOT NULL DEFAULT 1, -- number of the line there\n"
	" tail INTEGER, -- hash of the 4 KiB before it\n"
	" cursor TEXT, -- epoch: the last commit; mailbox: messages from `done` on, if not 1\n"
	" complete INTEGER NOT NULL DEFAULT 0, -- read to its end\n"
	" messages INTEGER,\n"
	" links INTEGER,\n"
	" pieces BLOB, -- mailbox: a hash of each 64 MiB, and where reading can begin again\n"
	" UNIQUE(name, member));",
	"CREATE TABLE file( -- a file of a folder, as it was read\n"
	" source INTEGER, name TEXT, size INTEGER, mtime INTEGER, PRIMARY KEY(source, name)) WITHOUT ROWID;",
	"CREATE TABLE message( -- of an index, those with links; of pages, all\n"
	" id INTEGER PRIMARY KEY,\n"
	" source INTEGER NOT NULL REFERENCES source,\n"
	" name TEXT NOT NULL DEFAULT '', -- of its file in a folder, or of its commit\n"
	" pos INTEGER NOT NULL, -- offset of its first byte\n"
	" msgid TEXT,\n"
	" author TEXT, -- From\n"
	" date TEXT, -- as written\n"
	" time INTEGER, -- the date in seconds since 1970 (UTC)\n"
	" subject TEXT,\n"
	" list_id TEXT,\n"
	" newsgroups TEXT,\n"
	" uri TEXT, -- of a web archive: the address of the page\n"
	" UNIQUE(source, name, pos));",
	"CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,\n"
	" reversed TEXT NOT NULL -- its labels in reverse order\n);",
	"CREATE TABLE url(id INTEGER PRIMARY KEY,\n"
	" normal TEXT NOT NULL, -- normal form, by which URLs are equal\n"
	" scheme TEXT NOT NULL,\n"
	" host INTEGER REFERENCES host,\n"
	" unwrapped TEXT -- the target of a link rewriter or click tracker\n);",
	"CREATE TABLE link(\n"
	" message INTEGER NOT NULL REFERENCES message,\n"
	" n INTEGER NOT NULL, -- position in the message, from 0\n"
	" url INTEGER NOT NULL REFERENCES url,\n"
	" text TEXT, -- as written; null: equal to url.normal\n"
	" href TEXT, -- the target of a click; null: equal to text\n"
	" part TEXT, -- MIME part, such as 1.2\n"
	" field TEXT, -- header field\n"
	" line INTEGER, col INTEGER,\n"
	" pos INTEGER, len INTEGER, -- bytes in the source, or of the decoded part\n"
	" parts TEXT, -- JSON: [pos, len] of each part, if there are several\n"
	" decoded INTEGER, -- 1: pos counts decoded bytes\n"
	" convention TEXT NOT NULL, -- what made it a link\n"
	" flags TEXT, warnings TEXT, -- names, separated by blanks\n"
	" alternates TEXT, -- JSON: other readings\n"
	" rfc1738 INTEGER, rfc3986 INTEGER, rfc3987 INTEGER, -- 1: valid, 0: not, null: not checked\n"
	" label TEXT, -- what is shown in place of the link\n"
	" attribute TEXT, -- HTML: element and attribute, such as a href; a calendar: the property\n"
	" PRIMARY KEY(message, n)) WITHOUT ROWID;",
	"CREATE TABLE problem( -- what could not be read, and limits that were exceeded\n"
	" source INTEGER, name TEXT, pos INTEGER, type TEXT, what TEXT, value INTEGER, at INTEGER);",
	"CREATE TABLE part( -- parts that an unfinished merge has added\n key TEXT PRIMARY KEY) WITHOUT ROWID;",
	"CREATE TABLE post( -- of pages: what threads and pages need of a message\n"
	" message INTEGER PRIMARY KEY REFERENCES message,\n"
	" id INTEGER NOT NULL, -- hash of its Message-ID, or of its content\n"
	" kind INTEGER NOT NULL, -- hash of author, date and subject\n"
	" content INTEGER NOT NULL, -- hash of its page\n"
	" month INTEGER NOT NULL, -- 200503; 0: no date\n"
	" base INTEGER, -- hash of the subject without prefixes\n"
	" reply INTEGER NOT NULL, -- 1: the subject had a reply prefix\n"
	" head INTEGER NOT NULL, body INTEGER NOT NULL, -- bytes of HTML: header lines, text\n"
	" named INTEGER NOT NULL, -- 1: its Message-ID is its anchor\n"
	" author TEXT, subject TEXT, -- as links show them\n"
	" refs BLOB, anchors BLOB); -- ids it refers to; places in the text that lead to other messages\n"
	"CREATE TABLE fragment( -- of pages: the HTML of a message in blocks of 64 KiB\n"
	" id INTEGER PRIMARY KEY, -- message * 1048576 + number of the block\n"
	" html BLOB NOT NULL);",
	"CREATE VIEW links AS -- a row for each link, with the keys of the JSON record\n"
	" SELECT source.name AS source, source.member AS member, message.name AS file,"
	" message.pos AS message, msgid, part, subject, author, date, time, " ISO("time") " AS utc, newsgroups, list_id,"
	" uri,"
	" field, link.line AS line, col, link.pos AS pos, len, parts, decoded, coalesce(link.text, url.normal) AS text,"
	" coalesce(link.href, link.text, url.normal) AS url, url.normal AS normal, label, attribute, url.scheme AS scheme,"
	" host.name AS host, unwrapped, convention, flags, alternates, rfc1738, rfc3986, rfc3987, warnings"
	" FROM link JOIN message ON message.id = link.message JOIN source ON source.id = message.source"
	" JOIN url ON url.id = link.url LEFT JOIN host ON host.id = url.host;",
	"CREATE VIEW messages AS -- a row for each message\n"
	" SELECT message.id AS id, source.name AS source, source.member AS member, message.name AS file, pos, msgid,"
	" author,"
	" date, time, " ISO("time") " AS utc, subject, list_id, newsgroups, uri,"
	" (SELECT count(*) FROM link WHERE link.message = message.id) AS links"
	" FROM message JOIN source ON source.id = message.source;",
	"CREATE VIEW first_seen AS -- a row for each URL: its earliest message\n"
	" SELECT url.id AS id, url.normal AS normal, host.name AS host, unwrapped, message.time AS time,"
	" " ISO("message.time") " AS utc, message.author AS author, message.msgid AS msgid, source.name AS source,"
	" message.name AS file, message.pos AS pos"
	" FROM url JOIN message ON message.id = (SELECT message.id FROM link JOIN message ON message.id = link.message"
	" WHERE link.url = url.id ORDER BY message.time IS NULL, message.time, message.id LIMIT 1)"
	" JOIN source ON source.id = message.source LEFT JOIN host ON host.id = url.host;",
	NULL
};

#define SECONDARY(X) \
	X("link_url", "link(url, message)") X("url_host", "url(host)") X("host_reversed", "host(reversed)") \
	X("url_unwrapped", "url(unwrapped) WHERE unwrapped IS NOT NULL") \
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

void database_refuse(struct database *d, const char *why)
{
	char text[128];
	snprintf(text, sizeof text, why, (int)d->version);
	if (!d->failed)
		report("%s: %s", d->path, text);
	d->failed = true;
}

/* SQLite would wait for a FIFO. */
static void refuse_irregular(struct database *d, const char *end)
{
	struct stat file;
	char *name = memory_format("%s%s", d->path, end);
	if (!stat(name, &file) && !S_ISREG(file.st_mode)) {
		report("%s: is not a regular file", name);
		d->failed = true;
	}
	free(name);
}

static void open_file(struct database *d, const char *path, int flags)
{
	refuse_irregular(d, "-journal");
	refuse_irregular(d, "-wal");
	refuse_irregular(d, "-shm");
	if (d->failed)
		return;
	if (sqlite3_open_v2(path, &d->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		database_fail(d);
		return;
	}
	sqlite3_busy_timeout(d->db, BUSY_WAIT);
	/* Nothing in a file runs that somebody else put there: triggers, views, functions that do more than compute.  An
	 * older SQLite knows fewer of these. */
	static const int off[] = {
#ifdef SQLITE_DBCONFIG_ENABLE_TRIGGER
		SQLITE_DBCONFIG_ENABLE_TRIGGER,
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
		SQLITE_DBCONFIG_ENABLE_VIEW,
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
		SQLITE_DBCONFIG_TRUSTED_SCHEMA,
#endif
	};
	for (size_t i = 0; i < sizeof off / sizeof *off; i++)
		sqlite3_db_config(d->db, off[i], 0, (int *)NULL);
}

/* Whether there is what may not end: a view in the place of a table, a column that is computed. */
static bool has_strange(struct database *d)
{
	static const char computed[] = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND EXISTS"
	                               " (SELECT 1 FROM pragma_table_xinfo(sqlite_master.name) WHERE hidden)";
	sqlite3_stmt *s = database_prepare(d, "SELECT type = 'table', coalesce(sql, ''), name IN ('meta', 'source', 'file',"
	                                      " 'message', 'host', 'url', 'link', 'problem', 'part', 'post', 'fragment')"
	                                      " FROM sqlite_master");
	bool strange = false, known = true;
	while (database_row(d, s)) {
		if (sqlite3_column_int(s, 0)) {
			/* a statement of ours, which computes no column, made the table */
			const char *const *made = create_tables;
			while (*made && !strstr(*made, database_text(s, 1)))
				made++;
			known &= *made != NULL;
		} else {
			strange |= sqlite3_column_int(s, 2) != 0;
		}
	}
	sqlite3_finalize(s);
	/* to ask for the columns of all tables would take an eighth of the time of a query */
	return strange || (!known && database_number(d, computed, 0));
}

/* Whether the file is new.  Fails unless it is that, or an index of this version; to be read, of an older one too. */
static bool check_identity(struct database *d, bool reads)
{
	int64_t id = database_number(d, "PRAGMA application_id", 0);
	int64_t tables = database_number(d, "SELECT count(*) FROM sqlite_master", 0);
	/* SQLite takes a file of one byte for an empty one */
	struct stat file;
	bool empty = tables == 0 && id == 0 && (stat(d->path, &file) || file.st_size != 1);
	const bool strange = !empty && has_strange(d);
	d->version = database_number(d, "PRAGMA user_version", 0);
	if (d->failed || empty)
		return !d->failed;
	if (id == DATABASE_ID && d->version > DATABASE_VERSION)
		database_refuse(d, "was written by a newer urlsift (schema %d); use that version");
	else if (id != DATABASE_ID || d->version < 1 || strange)
		database_refuse(d, NO_INDEX);
	else if (!reads && d->version < DATABASE_VERSION)
		database_refuse(d, DATABASE_OLDER);
	return false;
}

void database_check_unchanged(struct database *d)
{
	struct stat now;
	const struct stat *was = &d->before;
	if (d->unlocked && (stat(d->path, &now) || now.st_ino != was->st_ino || now.st_size != was->st_size
	                    || source_mtime(&now) != source_mtime(was) || has_log(d)))
		database_refuse(d, "was written while it was read; ask again");
}

char *database_folder(const char *path)
{
	char *whole = realpath(path, NULL);
	if (whole) {
		char *slash = strrchr(whole, '/');
		slash[slash == whole] = '\0';
	}
	return whole;
}

/* Whether the file and its folder, in which SQLite makes others, may be written; errno says why not. */
static bool may_write(const char *path, const char *folder)
{
	return !access(path, W_OK) && !access(folder, W_OK | X_OK);
}

/* Whether the file is new, as check_identity. */
static bool open_existing(struct database *d, const char *path, bool reads)
{
	size_t room = 3 * strlen(path) + sizeof "file:?readonly_shm=1";
	char *folder = database_folder(path), *uri = memory_get(room), *to = uri;
	const char *end = uri + room;
	*d = (struct database){ .path = path, .lock = -1 };
	if (!folder || may_write(path, folder)) {
		/* a connection that may only read would not remove the files of the log */
		open_file(d, path, SQLITE_OPEN_READWRITE);
	} else {
		/* SQLite cannot create the files that it uses beside a database; those that it creates beside one that it may
		 * not write would remain, and hinder its owner.  A log that is there has to be read with it, as its writer left
		 * or keeps it; else nothing locks the file, and database_check_unchanged finds what its owner writes. */
		stat(path, &d->before);
		d->unlocked = !has_log(d);
		to += snprintf(to, room, "file:");
		for (const char *p = path + excess(strspn(path, "/"), 1); *p; p++)
			to += snprintf(to, (size_t)(end - to), strchr("%?#", *p) ? "%%%02X" : "%c", (unsigned char)*p);
		snprintf(to, (size_t)(end - to), d->unlocked ? "?immutable=1" : "?readonly_shm=1");
		open_file(d, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
	}
	free(uri);
	free(folder);
	database_run(d, "PRAGMA query_only = 1");
	return check_identity(d, reads);
}

enum status database_open(struct database *d, const char *path)
{
	if (open_existing(d, path, true)) /* as a run leaves it that was killed at once */
		database_refuse(d, "is empty; 'urlsift index' fills it");
	return database_status(d);
}

enum status database_open_temporary(struct database *d, const char *path)
{
	database_open(d, path);
	database_run(d, "PRAGMA query_only = 0");
	return database_status(d);
}

void database_set_cache(struct database *d, long kib)
{
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA cache_size = -%ld", kib);
	database_run(d, sql);
}

static void make_tables(struct database *d)
{
	database_run(d, "BEGIN IMMEDIATE");
	for (const char *const *sql = create_tables; *sql; sql++)
		database_run(d, *sql);
	database_run(d, "COMMIT");
}

enum status database_open_empty(struct database *d)
{
	*d = (struct database){ .path = "query", .lock = -1 };
	open_file(d, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	make_tables(d);
	return database_status(d);
}

enum status database_open_writer(struct database *d, const char *path)
{
	struct stat file;
	char *folder = database_folder(path); /* NULL: a new file */
	*d = (struct database){ .path = path, .lock = -1 };
	if (stat(path, &file)) /* a new one */
		file = (struct stat){ .st_mode = S_IFREG };
	if (!S_ISREG(file.st_mode))
		database_refuse(d, NO_INDEX);
	else if (file.st_size > 0) { /* before anything is written beside it */
		open_existing(d, path, false);
		sqlite3_close_v2(d->db);
		d->db = NULL;
	}
	if (!d->failed && folder && !may_write(path, folder)) {
		report("%s: %s%s", path, strerror(errno),
		       text_if(errno == EACCES, "; its owner can allow you to write the file and its folder"));
		d->failed = true;
	}
	free(folder);
	if (!d->failed) {
		/* One writer at a time; the lock ends with the process. */
		char *real = realpath(path, NULL); /* NULL: a new file */
		char *name = memory_format("%s.lock", text_or(real, path));
		d->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
		const int error = d->lock < 0 ? errno : descriptor_lock(d->lock);
		d->failed = error != 0;
		if (error == EAGAIN)
			report("%s: is being written by another process", path);
		else if (error == ENOENT)
			report("%s: the folder that is to hold it does not exist", path);
		else if (error)
			report("%s: %s", name, strerror(error));
		free(name);
		free(real);
	}
	if (!d->failed)
		open_file(d, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	bool empty = check_identity(d, false);
	database_run(d, WRITING "PRAGMA journal_mode = WAL");
	if (empty)
		make_tables(d);
	return database_status(d);
}

enum status database_create_part(struct database *d, const char *path)
{
	*d = (struct database){ .path = path, .lock = -1 };
	open_file(d, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	database_run(d, WRITING "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE");
	make_tables(d);
	return database_status(d);
}

void database_close(struct database *d)
{
	sqlite3_close_v2(d->db);
	descriptor_close(&d->lock);
	*d = (struct database)DATABASE_NONE;
}

#endif
