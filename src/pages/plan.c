#include "plan.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/report.h"
#include "input/source.h"
#include "text/hashset.h"

#include <errno.h>
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
	if (plan_good(p))
		report("%s: %s", what, why);
	p->db.failed = true;
}

void plan_fail_errno(struct plan *p, const char *what, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	plan_fail(p, what, why);
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
		plan_fail_errno(p, p->name, got < 0 ? errno : SOURCE_TRUNCATED);
	return got == (ssize_t)n;
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
	*p = (struct plan){ .db = { .path = p->name, .lock = -1 }, .fragments = -1 };
	snprintf(p->name, sizeof p->name, "temporary file in %s", folder);
	/* Before any connection, as SQLite requires. */
	sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
	/* The name "" makes a database that is held in a nameless file once it exceeds the cache. */
	if (!sqlite3_temp_directory || sqlite3_open("", &p->db.db) != SQLITE_OK)
		database_fail(&p->db);
	sqlite3_soft_heap_limit64(24 * 1024 * 1024);
	database_run(&p->db, schema);
	return plan_good(p);
}

void plan_fini(struct plan *p)
{
	sqlite3_close(p->db.db);
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
	database_run(&p->db, "CREATE INDEX message_id ON message(id, kind, content, n);"
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
	database_run(&p->db, "INSERT INTO spot(n, id, root, parent, month) SELECT m.n, m.id, node.root,"
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
