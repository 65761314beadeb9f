#include "plan.h"

#ifdef URLSIFT_WITH_SQLITE

#include "index/words.h"
#include "input/memory.h"
#include "input/report.h"
#include "text/ascii.h"
#include "text/hashset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The key is fixed: hashes become addresses, which must be the same in every run.  Two Message-IDs with one hash are
 * one message with two readings, of which none is lost (see plan_order). */
int64_t plan_hash(const void *bytes, size_t n)
{
	static const struct hash128 key = { 0x75726c7369667420u, 0x7061676573203120u };
	return (int64_t)number_or(siphash(key, bytes, n).low >> 1, 1);
}

void plan_fail(struct plan *p, const char *what, const char *why)
{
	if (database_first_failure(&p->db))
		report("%s: %s", what, why);
}

void plan_fail_errno(struct plan *p, const char *what, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	plan_fail(p, what, why);
}

/* ---- Rows ----------------------------------------------------------------------------- */

const char *plan_read_html(struct plan *p, int64_t message, uint64_t at, size_t *n)
{
	const size_t skip = (size_t)(at % PLAN_BLOCK);
	if (plan_find(p, p->block, "i", (int64_t)((uint64_t)message * 1048576 + at / PLAN_BLOCK))) {
		const char *html = sqlite3_column_blob(p->block, 0);
		const size_t length = (size_t)sqlite3_column_bytes(p->block, 0);
		*n = smaller(*n, excess(length, skip));
		if (length > skip)
			return html + skip;
	}
	plan_fail(p, p->db.path, "is damaged; make the pages again in a new folder");
	return NULL;
}

/* ---- The database --------------------------------------------------------------------- */

/* spot, thread and months are in the order of time. */
static const char tables[] =
	"BEGIN;"
	"CREATE TABLE ordered.shown(n INTEGER PRIMARY KEY, id INTEGER, kind INTEGER, content INTEGER, time INTEGER,"
	" month INTEGER, base INTEGER, reply INTEGER, msgid TEXT, author TEXT, subject TEXT);"
	"INSERT INTO shown SELECT message, post.id, kind, content, time, month, base, reply,"
	" CASE WHEN named THEN msgid END, post.author, post.subject"
	" FROM post JOIN message ON message.id=post.message ORDER BY message;"
	"CREATE TABLE ordered.spot(seq INTEGER PRIMARY KEY, n INTEGER, id INTEGER, root INTEGER, parent INTEGER,"
	" month INTEGER, part INTEGER DEFAULT 0);"
	"CREATE TABLE ordered.thread(seq INTEGER PRIMARY KEY, root INTEGER, month INTEGER, count INTEGER, first INTEGER);"
	"CREATE TABLE ordered.months(seq INTEGER PRIMARY KEY, month INTEGER);";

static const char block[] = "SELECT html FROM fragment WHERE id=?";

/* A plan from elsewhere may have tables with the names of ours, which it would hide. */
static const char hides[] = "SELECT 1 FROM main.sqlite_master WHERE lower(name) IN ('shown', 'spot', 'thread',"
	" 'months', 'node', 'divided', 'other', 'bodies', 'linked', 'ranked', 'listed', 'host_stem', 'host_page',"
	" 'host_list')";

static void set_cache(struct database *d, const char *of, long kib)
{
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA %s.cache_size=-%ld", of, kib);
	database_run(d, sql);
}

/* Nothing is kept of the attached files, so that they need no journal. */
static void open_plan(struct plan *p, const struct plan_files *files, atomic_bool *failed)
{
	struct database *d = &p->db;
	const int lock = d->lock;
	if (d->failed)
		return;
	if (database_open_temporary(d, files->plan) != STATUS_DONE)
		atomic_store(failed, true);
	d->lock = lock;
	d->shared = failed;
	database_run(d, "PRAGMA temp_store=FILE; PRAGMA temp.cache_size=-1024;");
	set_cache(d, "main", files->cache / 2);
	if (database_number(d, hides, 0))
		plan_fail(p, files->plan, "has tables of pages; make the pages again in a new folder");
	database_run_with(d, "ATTACH ? AS ordered", files->ordered);
	set_cache(d, "ordered", files->cache);
	database_run(d, "CREATE TEMP TABLE page(section INTEGER, name TEXT, PRIMARY KEY(section, name)) WITHOUT ROWID;");
	p->note = database_prepare(d, "INSERT OR IGNORE INTO page VALUES(?, ?)");
	p->noted = database_prepare(d, "SELECT 1 FROM page WHERE section=? AND name=?");
}

void plan_open(struct plan *p, const struct plan_files *files, atomic_bool *failed)
{
	struct database *d = &p->db;
	open_plan(p, files, failed);
	database_run_with(d, "ATTACH ? AS linked", files->linked);
	database_run(d, "PRAGMA ordered.journal_mode=OFF; PRAGMA ordered.synchronous=OFF;"
		"PRAGMA linked.journal_mode=OFF; PRAGMA linked.synchronous=OFF;");
	set_cache(d, "linked", files->cache);
	database_run(d, tables);
	p->block = database_prepare(d, block);
}

void plan_join(struct plan *p, const struct plan_files *files, atomic_bool *failed)
{
	open_plan(p, files, failed);
	database_run(&p->db, "BEGIN");
	p->block = database_prepare(&p->db, block);
}

void plan_join_linked(struct plan *p, const struct plan_files *files)
{
	database_run(&p->db, "COMMIT");
	database_run_with(&p->db, "ATTACH ? AS linked", files->linked);
	set_cache(&p->db, "linked", files->cache / 2);
	database_run(&p->db, "BEGIN");
}

void plan_commit(struct plan *p)
{
	database_run(&p->db, "COMMIT; BEGIN");
}

bool plan_noted(struct plan *p, int64_t section, const char *name)
{
	return plan_find(p, p->noted, "it", section, name, strlen(name));
}

void plan_fini(struct plan *p)
{
	sqlite3_finalize(p->block);
	sqlite3_finalize(p->note);
	sqlite3_finalize(p->noted);
	database_close(&p->db);
}

/* ---- Order ------------------------------------------------------------------------------ */

/* A hash of the bytes of a message from `from` to `to`, in pieces that do not depend on what precedes them; `piece` has
 * room for one. */
static int64_t hash_body(struct plan *p, int64_t message, uint64_t from, uint64_t to, char *piece)
{
	int64_t both[2] = { 0, 0 };
	while (from < to) {
		size_t used = 0;
		for (size_t n; used < PLAN_BLOCK && from < to; used += n, from += n) {
			n = size_within(PLAN_BLOCK - used, to - from);
			const char *html = plan_read_html(p, message, from, &n);
			if (!html)
				return 0;
			memcpy(piece + used, html, n);
		}
		both[1] = plan_hash(piece, used);
		words_turn(both, sizeof both);
		both[0] = plan_hash(both, sizeof both);
	}
	return both[0];
}

void plan_order(struct plan *p)
{
	/* A message that came twice is kept once.  Of different messages with one Message-ID the first by date keeps it, so
	 * that a forged one hides nothing; the others are known by a hash of all. */
	database_run(&p->db, "CREATE INDEX ordered.shown_id ON shown(id, kind, content, n);");
	/* Messages with one Message-ID, author, date and subject, but different texts, become different kinds.  Copies that
	 * came by several ways differ in their header lines only. */
	char *piece = memory_get(PLAN_BLOCK);
	database_run(&p->db, "CREATE TABLE ordered.bodies(n INTEGER PRIMARY KEY, kind INTEGER)");
	sqlite3_stmt *from = database_prepare(&p->db, "SELECT s.n, p.head, p.head + p.body, s.kind FROM shown s"
		" JOIN post p ON p.message=s.n WHERE (SELECT min(content) FROM shown m WHERE m.id=s.id AND m.kind=s.kind)"
		"<>(SELECT max(content) FROM shown m WHERE m.id=s.id AND m.kind=s.kind)");
	sqlite3_stmt *to = database_prepare(&p->db, "INSERT INTO bodies VALUES(?, ?)");
	while (database_row(&p->db, from)) {
		const int64_t n = sqlite3_column_int64(from, 0);
		const uint64_t body = (uint64_t)sqlite3_column_int64(from, 1), end = (uint64_t)sqlite3_column_int64(from, 2);
		int64_t both[2] = { sqlite3_column_int64(from, 3), hash_body(p, n, body, end, piece) };
		words_turn(both, sizeof both);
		plan_run(p, to, "ii", n, plan_hash(both, sizeof both));
	}
	sqlite3_finalize(from);
	sqlite3_finalize(to);
	sqlite3_reset(p->block); /* which would lock the tables */
	free(piece);
	database_run(&p->db, "UPDATE shown SET kind=(SELECT kind FROM bodies WHERE bodies.n=shown.n)"
		" WHERE n IN (SELECT n FROM bodies);");
	database_run(&p->db,
		"DELETE FROM shown WHERE EXISTS(SELECT 1 FROM shown m WHERE m.id=shown.id AND m.kind=shown.kind"
		" AND (m.content, m.n)<(shown.content, shown.n));"
		"CREATE TABLE ordered.other AS SELECT n FROM (SELECT n, row_number() OVER (PARTITION BY id ORDER BY"
		" time IS NULL, time, kind) AS i FROM shown WHERE id IN (SELECT id FROM shown GROUP BY id"
		" HAVING count(*)>1)) WHERE i>1;"
		"UPDATE shown SET msgid=NULL, id=(id>>1)+(kind>>1) WHERE n IN (SELECT n FROM ordered.other);");
	threads_find(p);
	/* Parts are made by time, so that new messages change only the last one.  The first message of a thread is the one
	 * that all others answer, if it is there, whatever the clocks of their writers say. */
	database_run(&p->db, "INSERT INTO spot(n, id, root, parent, month) SELECT m.n, m.id, node.root,"
		" node.up, m.month FROM shown m JOIN node ON node.id=m.id"
		" ORDER BY m.time IS NULL, m.time, m.id;"
		"INSERT INTO thread(root, month, count, first) SELECT t.root, spot.month, t.count,"
		" coalesce(t.top, spot.n) FROM (SELECT root, min(seq) AS seq, max(CASE id WHEN root THEN n END) AS top,"
		" count(*) AS count FROM spot GROUP BY root) t"
		" JOIN spot ON spot.seq=t.seq ORDER BY t.seq;"
		"CREATE TABLE ordered.divided(seq INTEGER PRIMARY KEY, part INTEGER);"
		"INSERT INTO divided SELECT seq, (row_number() OVER (PARTITION BY root ORDER BY seq)-1)/"
		THREAD_PART_TEXT " FROM spot WHERE root IN (SELECT root FROM thread WHERE count>" THREAD_PART_TEXT ");"
		"UPDATE spot SET part=(SELECT part FROM divided WHERE divided.seq=spot.seq)"
		" WHERE seq IN (SELECT seq FROM divided);"
		"CREATE INDEX ordered.spot_id ON spot(id); CREATE INDEX ordered.spot_root ON spot(root, part);"
		"CREATE INDEX ordered.spot_month ON spot(month); CREATE INDEX ordered.spot_n ON spot(n);"
		"INSERT INTO months(month) SELECT DISTINCT month FROM spot ORDER BY month=0, month;"
		"CREATE INDEX ordered.thread_month ON thread(month); CREATE INDEX ordered.thread_root ON thread(root);");
	plan_commit(p);
}

#endif
