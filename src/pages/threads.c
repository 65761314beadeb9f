/* Threads.  A message follows the last of its References, or In-Reply-To; without any, the earliest message of the 60
 * days before it that has the same subject, if its own begins with a reply prefix.  A message that is missing follows
 * the one before it in the References of the earliest message that names it.  So no choice depends on the order of the
 * input.  The table node has a row for each message, present (`n`) or missing; `root` is the top of its thread, and
 * `up` the nearest present message above it, if there is one. */
#include "plan.h"

#include "index/words.h"
#include "input/memory.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>

enum { PATH_LONGEST = 65536 }; /* a deeper thread is divided */

struct step {
	int64_t id;
	bool present;
};

struct walk {
	struct plan *plan;
	sqlite3_stmt *get, *set, *cut;
	struct step *path;
	size_t length;
};

/* ---- Parents by reference -------------------------------------------------------------- */

/* Those of a row that begins with the id of the message, which they do not end with, after a 0 that stands for none. */
static size_t read_references(sqlite3_stmt *s, int64_t refs[1 + PLAN_REFERENCES])
{
	const void *blob = sqlite3_column_blob(s, 2);
	size_t n = (size_t)sqlite3_column_bytes(s, 2);
	n = smaller(n, PLAN_REFERENCES * sizeof *refs);
	*refs = 0;
	bytes_put(refs + 1, blob, n);
	words_turn(refs + 1, n);
	size_t count = n / sizeof *refs;
	while (count > 0 && refs[count] == sqlite3_column_int64(s, 0))
		count--;
	return count;
}

/* ---- Roots ------------------------------------------------------------------------------- */

/* Walks up from a node to one whose root is known, or that has no parent; the latter is then the last of the path.
 * *root is 0 in this case.  False when a cycle was cut: walk again.  Cycles are found by Brent's method. */
static bool climb(struct walk *w, int64_t id, int64_t *root, int64_t *up)
{
	size_t mark = 0;
	w->length = 0;
	*root = *up = 0;
	while (id) {
		if (!plan_find(w->plan, w->get, "i", id))
			return true;
		bool present = sqlite3_column_int(w->get, 3);
		int64_t parent = sqlite3_column_int64(w->get, 0);
		*root = sqlite3_column_int64(w->get, 1);
		if (*root) {
			*up = present ? id : sqlite3_column_int64(w->get, 2);
			return true;
		}
		if (w->length > 0 && w->path[mark].id == id) {
			/* the nodes of the path from there on are a cycle: its smallest one becomes a root */
			int64_t least = w->path[mark].id;
			for (size_t i = mark; i < w->length; i++)
				least = lesser(w->path[i].id, least);
			plan_run(w->plan, w->cut, "i", least);
			return false;
		}
		if (w->length == PATH_LONGEST) {
			plan_run(w->plan, w->cut, "i", w->path[w->length - 1].id);
			return false;
		}
		w->path[w->length++] = (struct step){ id, present };
		if ((w->length & (w->length - 1)) == 0)
			mark = w->length - 1;
		id = parent;
	}
	return true;
}

void threads_find(struct plan *p)
{
	database_run(&p->db, "CREATE TABLE ordered.node(id INTEGER PRIMARY KEY, root INTEGER, up INTEGER, n INTEGER,"
		" parent INTEGER, time INTEGER, namer INTEGER);");
	int64_t refs[1 + PLAN_REFERENCES];
	sqlite3_stmt *from = database_prepare(&p->db, "SELECT s.id, s.n, p.refs FROM shown s JOIN post p ON p.message=s.n"
	                                               " ORDER BY s.id");
	sqlite3_stmt *to = database_prepare(&p->db, "INSERT OR IGNORE INTO node(id, n, parent) VALUES(?, ?, ?)");
	while (database_row(&p->db, from)) {
		int64_t id = sqlite3_column_int64(from, 0);
		const size_t count = read_references(from, refs);
		plan_run(p, to, "iio", id, sqlite3_column_int64(from, 1), refs[count]);
	}
	sqlite3_finalize(from);
	sqlite3_finalize(to);
	/* those that are missing */
	from = database_prepare(&p->db, "SELECT s.id, ifnull(s.time, 9223372036854775807),"
		" p.refs FROM shown s JOIN post p ON p.message=s.n WHERE p.refs IS NOT NULL");
	sqlite3_stmt *present = database_prepare(&p->db, "SELECT 1 FROM node WHERE id=? AND n IS NOT NULL");
	to = database_prepare(&p->db,
		"INSERT INTO node(id, parent, time, namer) VALUES(?, ?, ?, ?) ON CONFLICT(id) DO UPDATE"
		" SET parent=excluded.parent, time=excluded.time, namer=excluded.namer WHERE excluded.parent IS NOT NULL"
		" AND (node.parent IS NULL OR (excluded.time, excluded.namer)<(node.time, node.namer))");
	while (database_row(&p->db, from)) {
		for (size_t i = read_references(from, refs); i > 0; i--) {
			int64_t before = refs[i - 1] != refs[i] ? refs[i - 1] : 0;
			if (plan_find(p, present, "i", refs[i]))
				break;
			plan_run(p, to, "ioii", refs[i], before, sqlite3_column_int64(from, 1), sqlite3_column_int64(from, 0));
		}
	}
	sqlite3_finalize(from);
	sqlite3_finalize(present);
	sqlite3_finalize(to);
	/* a reply without References follows the earliest message with its subject */
	database_run(&p->db, "CREATE INDEX ordered.shown_base ON shown(base, time, id) WHERE base IS NOT NULL;"
		"UPDATE node SET parent=(SELECT m.id FROM shown x JOIN shown m ON m.base=x.base AND m.time"
		" BETWEEN x.time-60*86400 AND x.time AND m.id<>x.id WHERE x.n=node.n ORDER BY m.time, m.id LIMIT 1)"
		" WHERE n IN (SELECT s.n FROM shown s JOIN post p ON p.message=s.n WHERE s.reply AND p.refs IS NULL"
		" AND s.base IS NOT NULL AND s.time IS NOT NULL);"
		"DROP INDEX ordered.shown_base;");
	/* the top of each thread */
	struct walk w = { .plan = p, .path = memory_get(PATH_LONGEST * sizeof *w.path) };
	int64_t root, up;
	from = database_prepare(&p->db, "SELECT id FROM node ORDER BY id");
	w.get = database_prepare(&p->db, "SELECT parent, root, up, n IS NOT NULL FROM node WHERE id=?");
	w.set = database_prepare(&p->db, "UPDATE node SET root=?2, up=?3 WHERE id=?1");
	w.cut = database_prepare(&p->db, "UPDATE node SET parent=NULL WHERE id=?");
	while (database_row(&p->db, from)) {
		while (!climb(&w, sqlite3_column_int64(from, 0), &root, &up))
			;
		/* gives every node of the path its root, from the top down */
		while (w.length > 0) {
			const struct step *s = &w.path[--w.length];
			root = root ? root : s->id;
			plan_run(p, w.set, "iio", s->id, root, up);
			up = s->present ? s->id : up;
		}
	}
	sqlite3_finalize(from);
	sqlite3_finalize(w.get);
	sqlite3_finalize(w.set);
	sqlite3_finalize(w.cut);
	free(w.path);
}

#endif
