#include "plan.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/report.h"
#include "input/source.h"
#include "text/hashset.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The key is fixed: hashes become addresses, which must be the same in every run.  Two Message-IDs with one hash are
 * one message with two readings, of which none is lost (see drop_duplicates). */
int64_t plan_hash(const void *bytes, size_t n)
{
	static const struct hash128 key = { 0x75726c7369667420u, 0x7061676573203120u };
	int64_t hash = (int64_t)(siphash(key, bytes, n).low >> 1);
	return hash ? hash : 1;
}

void plan_fail(struct plan *p, const char *what, const char *why)
{
	if (!*p->why)
		snprintf(p->why, sizeof p->why, "%s%.300s: %.150s", what ? "" : "temporary file in ", what ? what : p->folder,
		         why);
}

void plan_fail_errno(struct plan *p, const char *what, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	plan_fail(p, what, why);
}

static void fail(struct plan *p)
{
	plan_fail(p, NULL, sqlite3_errmsg(p->db));
}

/* ---- Files ---------------------------------------------------------------------------- */

ssize_t plan_read_at(int fd, uint64_t at, void *to, size_t n)
{
	size_t used = 0;
	for (ssize_t k = 1; used < n && k != 0; used += k > 0 ? (size_t)k : 0) {
		k = pread(fd, (char *)to + used, n - used, (off_t)(at + used));
		if (k < 0 && errno != EINTR)
			return -1;
	}
	return (ssize_t)used;
}

bool plan_read_fragment(struct plan *p, uint64_t at, void *to, size_t n)
{
	ssize_t got = plan_read_at(p->fragments, at, to, n);
	if (got != (ssize_t)n)
		plan_fail_errno(p, NULL, got < 0 ? errno : SOURCE_TRUNCATED);
	return got == (ssize_t)n;
}

/* ---- Statements ---------------------------------------------------------------------- */

sqlite3_stmt *plan_prepare(struct plan *p, const char *sql)
{
	sqlite3_stmt *s = NULL;
	if (!*p->why && sqlite3_prepare_v3(p->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK)
		fail(p);
	return s;
}

static void bind(sqlite3_stmt *s, const char *types, va_list list)
{
	sqlite3_reset(s);
	for (int i = 1; s && *types; i++, types++) {
		if (*types == 'i' || *types == 'o') {
			int64_t number = va_arg(list, int64_t);
			if (number || *types == 'i')
				sqlite3_bind_int64(s, i, number);
			else
				sqlite3_bind_null(s, i);
		} else {
			const char *bytes = va_arg(list, const char *);
			size_t n = va_arg(list, size_t);
			if (*types == 't')
				sqlite3_bind_text64(s, i, bytes, n, SQLITE_STATIC, SQLITE_UTF8);
			else
				sqlite3_bind_blob64(s, i, bytes, n, SQLITE_STATIC);
		}
	}
}

void plan_bind(sqlite3_stmt *s, const char *types, ...)
{
	va_list list;
	va_start(list, types);
	bind(s, types, list);
	va_end(list);
}

bool plan_row(struct plan *p, sqlite3_stmt *s)
{
	if (!s || *p->why)
		return false;
	int status = sqlite3_step(s);
	if (status == SQLITE_ROW)
		return true;
	if (status != SQLITE_DONE)
		fail(p);
	sqlite3_reset(s);
	return false;
}

void plan_run(struct plan *p, sqlite3_stmt *s, const char *types, ...)
{
	va_list list;
	va_start(list, types);
	bind(s, types, list);
	va_end(list);
	plan_row(p, s);
}

void plan_do(struct plan *p, const char *sql)
{
	if (!*p->why && sqlite3_exec(p->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(p);
}

int64_t plan_number(struct plan *p, const char *sql)
{
	sqlite3_stmt *s = plan_prepare(p, sql);
	int64_t n = plan_row(p, s) ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_finalize(s);
	return n;
}

const char *plan_text(sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);
	return text ? text : "";
}

/* ---- The database --------------------------------------------------------------------- */

/* message: `at` is the offset in the file of fragments, `head`, `body` and `anchors` the lengths of what is there in
 * this order; `kind` is a hash of author, date and subject, `base` one of the subject without `Re:`, `reply` whether it
 * had one; `month` is 200503, or 0 without a date.  spot and thread are in the order of time. */
static const char schema[] =
	"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-8192;"
	"PRAGMA temp_store=FILE; BEGIN;"
	"CREATE TABLE message(n INTEGER PRIMARY KEY, id INTEGER, kind INTEGER, content INTEGER, time INTEGER,"
	" month INTEGER, base INTEGER, reply INTEGER, at INTEGER, head INTEGER, body INTEGER, anchors INTEGER,"
	" msgid TEXT, author TEXT, subject TEXT, refs BLOB);"
	"CREATE TABLE spot(seq INTEGER PRIMARY KEY, n INTEGER, id INTEGER, root INTEGER, parent INTEGER, month INTEGER,"
	" part INTEGER DEFAULT 0);"
	"CREATE TABLE thread(seq INTEGER PRIMARY KEY, root INTEGER, month INTEGER, count INTEGER, first INTEGER);"
	"CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT);"
	"CREATE TABLE url(id INTEGER PRIMARY KEY, host INTEGER, linkable INTEGER, text TEXT);"
	"CREATE TABLE link(url INTEGER, n INTEGER);"
	"CREATE TABLE page(section INTEGER, name TEXT, PRIMARY KEY(section, name)) WITHOUT ROWID;";

bool plan_init(struct plan *p, const char *folder)
{
	*p = (struct plan){ .folder = folder, .fragments = -1 };
	/* Before any connection, as SQLite requires. */
	sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
	/* The name "" makes a database that is held in a nameless file once it exceeds the cache. */
	if (!sqlite3_temp_directory || sqlite3_open("", &p->db) != SQLITE_OK)
		fail(p);
	sqlite3_soft_heap_limit64(24 * 1024 * 1024);
	plan_do(p, schema);
	return !*p->why;
}

void plan_fini(struct plan *p)
{
	sqlite3_close(p->db);
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = NULL;
	if (p->fragments >= 0)
		close(p->fragments);
}

/* ---- Order ------------------------------------------------------------------------------ */

/* A message that came twice is kept once.  Of different messages with one Message-ID the first by date keeps it, so
 * that a forged one hides nothing; the others are known by a hash of all. */
static void drop_duplicates(struct plan *p)
{
	plan_do(p, "CREATE INDEX message_id ON message(id, kind, content, n);"
	           "DELETE FROM message WHERE EXISTS(SELECT 1 FROM message m WHERE m.id=message.id AND m.kind=message.kind"
	           " AND (m.content, m.n)<(message.content, message.n));"
	           "CREATE TEMP TABLE other AS SELECT n FROM (SELECT n, row_number() OVER (PARTITION BY id ORDER BY"
	           " time IS NULL, time, kind) AS i FROM message WHERE id IN (SELECT id FROM message GROUP BY id"
	           " HAVING count(*)>1)) WHERE i>1;"
	           "UPDATE message SET msgid=NULL, id=(id>>1)+(kind>>1) WHERE n IN (SELECT n FROM temp.other);");
}

/* Parts are made by time, so that new messages change only the last one. */
static void order_by_time(struct plan *p)
{
	plan_do(p, "INSERT INTO spot(n, id, root, parent, month) SELECT m.n, m.id, node.root,"
	           " node.up, m.month FROM message m JOIN node ON node.id=m.id"
	           " ORDER BY m.time IS NULL, m.time, m.id;"
	           "INSERT INTO thread(root, month, count, first) SELECT t.root, spot.month, t.count, spot.n FROM"
	           " (SELECT root, min(seq) AS seq, count(*) AS count FROM spot GROUP BY root) t"
	           " JOIN spot ON spot.seq=t.seq ORDER BY t.seq;"
	           "CREATE TEMP TABLE divided(seq INTEGER PRIMARY KEY, part INTEGER);"
	           "INSERT INTO divided SELECT seq, (row_number() OVER (PARTITION BY root ORDER BY seq)-1)/"
	           THREAD_PART_TEXT " FROM spot WHERE root IN (SELECT root FROM thread WHERE count>" THREAD_PART_TEXT ");"
	           "UPDATE spot SET part=(SELECT part FROM divided WHERE divided.seq=spot.seq)"
	           " WHERE seq IN (SELECT seq FROM divided);"
	           "CREATE INDEX spot_id ON spot(id); CREATE INDEX spot_root ON spot(root, part);"
	           "CREATE INDEX spot_month ON spot(month);"
	           "CREATE INDEX thread_month ON thread(month); CREATE INDEX thread_root ON thread(root);");
}

void plan_order(struct plan *p)
{
	drop_duplicates(p);
	threads_find(p);
	order_by_time(p);
}

#endif
