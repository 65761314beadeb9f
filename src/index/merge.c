#include "words.h"
#include "writer.h"
#include "input/filter.h"
#include "input/memory.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>

/* A part that is attached as `part`. */
struct merge_part {
	const char *path;
	char key[64];
	int64_t from, to, unsure;
	char *source;  /* of a part with a range: the mailbox, and its size */
	int64_t size;
	bool merged;
};

/* The ids in the index of the hosts or URLs of a part, by their ids there. */
struct id_map {
	uint32_t *id;
	int64_t count;
};

struct merge {
	struct index_writer *w;
	struct database *d;
	int64_t unsure; /* of the parts of this mailbox so far */
	struct id_map hosts, urls;
	struct room texts[WRITER_ROWS]; /* of the URLs that wait for being added */
};

/* For the ids up to `last`.  In a damaged database that may be any value: beyond those of ids_fit, the map has none. */
static void id_map_reset(struct id_map *m, struct database *d, const char *last)
{
	free(m->id);
	m->count = database_number(d, last, 0);
	m->count *= within((uint64_t)m->count, 0, (1u << 30) - 1);
	m->id = memory_get(((size_t)m->count + 1) * sizeof *m->id);
}

/* 0 for one that the part does not have. */
static int64_t id_map_get(const struct id_map *m, int64_t old)
{
	return old > 0 && old <= m->count ? m->id[old] : 0;
}

/* ---- Looking at a part ------------------------------------------------------------------- */

/* The first column of the first row as text, "" for none and after an error; for free(). */
static char *text_of(struct database *d, const char *sql)
{
	sqlite3_stmt *s = database_prepare(d, sql);
	char *copy = memory_copy(database_row(d, s) ? database_text(s, 0) : "");
	sqlite3_finalize(s);
	return copy;
}

/* No id is larger than those that any index has: of hosts and URLs as many numbers are kept (id_map_reset). */
static const char ids_fit[] =
#define NO_ID_FROM(table, bits) " NOT EXISTS(SELECT 1 FROM " table " WHERE id BETWEEN 1 << " bits " AND ~(1 << 63))"
	"SELECT" NO_ID_FROM("host", "30") " AND" NO_ID_FROM("url", "30") " AND" NO_ID_FROM("message", "42");

/* Problems of inputs that are no sources, such as pieces of a mailbox that has changed. */
#define LOOSE(schema) "SELECT name, type, what FROM " schema ".problem WHERE source IS NULL"

/* The sources are of the same files and as complete, and no file of a folder, no message and no loose problem is
 * missing. */
static const char is_there[] =
	"SELECT NOT EXISTS(SELECT 1 FROM main.part)"
	" AND NOT EXISTS(SELECT 1 FROM part.source AS p LEFT JOIN main.source AS m"
	" USING (name, member) WHERE m.id IS NULL OR m.complete < p.complete OR (m.size, m.mtime) IS NOT (p.size, p.mtime)"
	" OR EXISTS(SELECT 1 FROM part.file AS f WHERE f.source = p.id AND NOT EXISTS(SELECT 1 FROM main.file AS g"
	" WHERE g.source = m.id AND g.name = f.name AND (g.size, g.mtime) IS (f.size, f.mtime)))"
	" OR EXISTS(SELECT 1 FROM part.message AS f WHERE f.source = p.id AND NOT EXISTS(SELECT 1 FROM main.message AS g"
	" WHERE g.source = m.id AND g.name = f.name AND g.pos = f.pos)))"
	" AND NOT EXISTS(" LOOSE("part") " EXCEPT " LOOSE("main") ")";

/* An option that the part and the index do not have in common. */
static const char differs[] =
	"SELECT coalesce(a.key, b.key) FROM (SELECT * FROM part.meta WHERE key LIKE '--%') AS a"
	" LEFT JOIN main.meta AS b USING (key) WHERE a.value IS NOT b.value UNION ALL"
	" SELECT b.key FROM main.meta AS b WHERE b.key LIKE '--%' AND b.key NOT IN (SELECT key FROM part.meta) LIMIT 1";

/* What comes before the first part, and after the last. */
static const struct merge_part no_part = { .from = 0 };

/* Ranges of a mailbox must follow one another. */
static enum status check_ranges(const struct merge_part *p, const struct merge_part *before)
{
	const bool open = before->to > 0 && before->to < before->size;
	const bool follows = p->source && before->to == p->from && !strcmp(p->source, memory_text(before->source));
	if (!follows && (open || p->from > 0))
		return report_usage("%s: the ranges of its mailbox overlap or have gaps", open ? before->path : p->path);
	return STATUS_DONE;
}

/* ---- Merging --------------------------------------------------------------------------------- */

static const char merge_tables[] =
	"CREATE TEMP TABLE IF NOT EXISTS source_map(old INTEGER PRIMARY KEY, new INTEGER, known INTEGER);"
	"DELETE FROM temp.source_map;";

/* Numbers are given in the order of the part's, which is that in which one process would have met the texts.  OR FAIL:
 * nothing has to be kept for taking back one statement, as the transaction is rolled back. */
#define ADD "INSERT OR FAIL INTO main."
static const char merge_rows[] =
	"DELETE FROM main.problem WHERE source IS NULL AND name IN (SELECT name FROM part.source);"
	"INSERT INTO temp.source_map SELECT p.id, m.id, 1 FROM part.source AS p JOIN main.source AS m USING (name, member);"
	ADD "source(name, member, kind, size, mtime, done, line, tail, cursor, complete, messages, links, pieces)"
	" SELECT name, member, kind, size, mtime, done, line, tail, cursor, complete, messages, links, pieces"
	" FROM part.source"
	" WHERE id NOT IN (SELECT old FROM temp.source_map) ORDER BY id;"
	"INSERT INTO temp.source_map SELECT p.id, m.id, 0 FROM part.source AS p JOIN main.source AS m USING (name, member)"
	" WHERE p.id NOT IN (SELECT old FROM temp.source_map);"
	ADD "link SELECT message + (SELECT coalesce(max(id), 0) FROM main.message), n, new_url(url), text, href, part,"
	" field, line, col, pos, len, parts, decoded, convention, flags, warnings, alternates, rfc1738, rfc3986, rfc3987,"
	" label, attribute FROM part.link ORDER BY message, n;"
	ADD "message SELECT p.id + (SELECT coalesce(max(id), 0) FROM main.message), new, name, pos, msgid, author, date,"
	" time, subject, list_id, newsgroups, uri FROM part.message AS p CROSS JOIN temp.source_map ON old = source"
	" ORDER BY p.id;"
	ADD "problem SELECT new, name, pos, type, what, value, at FROM part.problem AS p LEFT JOIN temp.source_map"
	" ON old = source WHERE source IS NOT NULL OR NOT EXISTS(SELECT 1 FROM main.problem AS m"
	" WHERE m.source IS NULL AND (m.name, m.type, m.what) IS (p.name, p.type, p.what)) ORDER BY p.rowid;"
	ADD "file SELECT new, name, size, mtime FROM part.file JOIN temp.source_map ON old = source;";

/* The SQL function new_url: the id in the index of a URL of the part. */
static void new_url(sqlite3_context *c, int count, sqlite3_value **value)
{
	(void)count;
	const int64_t id = id_map_get(sqlite3_user_data(c), sqlite3_value_int64(value[0]));
	if (id)
		sqlite3_result_int64(c, id);
}

static urlsift_text column_text(sqlite3_stmt *s, int i)
{
	const char *text = (const char *)sqlite3_column_text(s, i);
	return (urlsift_text){ text, (size_t)sqlite3_column_bytes(s, i) };
}

static int64_t take_host(struct merge *m, sqlite3_stmt *row)
{
	const urlsift_text name = column_text(row, 1);
	const int64_t id = writer_host_id(m->w, name.bytes, name.length);
	writer_put_rows(m->w); /* the text is that of this row */
	return id;
}

static int64_t take_url(struct merge *m, sqlite3_stmt *row)
{
	bool added;
	struct writer_url url = { .normal = column_text(row, 1) };
	url.id = writer_url_id(m->w, url.normal.bytes, url.normal.length, &added);
	if (!added)
		return url.id;
	url.scheme = column_text(row, 2);
	url.host = id_map_get(&m->hosts, sqlite3_column_int64(row, 3));
	url.unwrapped = column_text(row, 4);
	/* the texts are those of this row */
	urlsift_text *const texts[] = { &url.normal, &url.scheme, &url.unwrapped };
	char *to = room_get(&m->texts[m->w->waiting.count[WRITER_URLS]],
	                    url.normal.length + url.scheme.length + url.unwrapped.length + 1);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i]->bytes) {
			memcpy(to, texts[i]->bytes, texts[i]->length);
			texts[i]->bytes = to;
			to += texts[i]->length;
		}
	writer_add_url(m->w, &url);
	return url.id;
}

/* Adds the hosts or URLs of the part, rows that begin with an id, and maps their ids. */
static void take_texts(struct merge *m, struct id_map *map, const char *sql,
                       int64_t (*take)(struct merge *m, sqlite3_stmt *row))
{
	sqlite3_stmt *s = database_prepare(m->d, sql);
	while (database_row(m->d, s)) {
		const int64_t old = sqlite3_column_int64(s, 0), id = take(m, s);
		if (within((uint64_t)old, 0, (uint64_t)map->count)) /* there no number is surely the largest */
			map->id[old] = (uint32_t)id;
	}
	writer_put_rows(m->w);
	sqlite3_finalize(s);
}

/* The messages from `done` on: one, unless `cursor` says otherwise; all where reading begins anew. */
#define AFTER(t) "CASE WHEN " t ".tail IS NULL THEN " t ".messages ELSE coalesce(" t ".cursor, 1) END"

/* Sources that had rows before: folders and epochs of which this is more, or the next range of a mailbox. */
static void update_sources(struct merge *m)
{
	enum { NEW, DONE, LINE, TAIL, CURSOR, COMPLETE, MESSAGES, LINKS, WAS_AFTER, AFTER, EPOCH, HAD_TAIL, WAS_PIECES,
	       PIECES, WAS_MESSAGES };
	sqlite3_stmt *row = database_prepare(m->d, "SELECT new, p.done, p.line, p.tail, p.cursor, p.complete, p.messages,"
	                                         " p.links, " AFTER("t") ", " AFTER("p") ", p.kind = 'inbox',"
	                                         " t.tail IS NOT NULL, t.pieces, p.pieces, t.messages"
	                                         " FROM temp.source_map"
	                                         " JOIN part.source AS p ON p.id = old"
	                                         " JOIN main.source AS t ON t.id = new WHERE known");
	while (database_row(m->d, row)) {
		struct digest_marks marks = { NULL, 0 }, more = { NULL, 0 };
		bool known = sqlite3_column_type(row, TAIL) != SQLITE_NULL && sqlite3_column_int64(row, DONE) <= m->unsure;
		uint64_t before = known ? 0 : (uint64_t)sqlite3_column_int64(row, WAS_AFTER); /* it may be any number */
		int64_t after = (int64_t)(before + (uint64_t)sqlite3_column_int64(row, AFTER));
		sqlite3_stmt *s = database_prepare(m->d, known ?
			"UPDATE main.source SET complete = ?2, messages = messages + ?3, links = links + ?4, cursor = ?5,"
			" pieces = ?6, done = ?7, line = ?8, tail = ?9 WHERE id = ?1" :
			"UPDATE main.source SET complete = ?2, messages = messages + ?3, links = links + ?4, cursor = ?5,"
			" pieces = ?6 WHERE id = ?1");
		static const int columns[] = { NEW, COMPLETE, MESSAGES, LINKS };
		char text[24];
		for (int i = 0; i < 4; i++)
			sqlite3_bind_value(s, i + 1, sqlite3_column_value(row, columns[i]));
		snprintf(text, sizeof text, "%lld", (long long)after);
		if (sqlite3_column_int(row, EPOCH))
			sqlite3_bind_value(s, 5, sqlite3_column_value(row, CURSOR));
		else if ((known || sqlite3_column_int(row, HAD_TAIL)) && after != 1)
			sqlite3_bind_text(s, 5, text, -1, SQLITE_STATIC);
		for (int i = 0; known && i < 3; i++)
			sqlite3_bind_value(s, i + 7, sqlite3_column_value(row, DONE + i));
		digest_read(&marks, sqlite3_column_blob(row, WAS_PIECES), (size_t)sqlite3_column_bytes(row, WAS_PIECES));
		digest_read(&more, sqlite3_column_blob(row, PIECES), (size_t)sqlite3_column_bytes(row, PIECES));
		/* Those of the next range, which has so many messages before it; one after `unsure` may begin elsewhere. */
		for (size_t i = 0; i < more.count; i++) {
			struct digest_mark *to = digest_mark(&marks, i);
			const uint64_t hash = to->hash + more.mark[i].hash;
			if (to->offset == 0 && more.mark[i].offset > 0 && more.mark[i].offset <= m->unsure) {
				*to = more.mark[i];
				to->messages += sqlite3_column_int64(row, WAS_MESSAGES);
			}
			to->hash = hash;
		}
		writer_bind_marks(s, 6, &marks, marks.count);
		database_step(m->d, s);
		sqlite3_finalize(s);
		digest_fini(&marks);
		digest_fini(&more);
	}
	sqlite3_finalize(row);
}

/* What is left open after an error is taken back when the database is closed. */
static enum status merge_part(struct merge *m, const struct merge_part *p)
{
	struct database *d = m->d;
	database_run_with(d, "ATTACH ? AS part", p->path);
	database_run(m->d, "BEGIN IMMEDIATE");
	database_run(m->d, merge_tables);
	id_map_reset(&m->hosts, m->d, "SELECT max(id) FROM part.host");
	id_map_reset(&m->urls, m->d, "SELECT max(id) FROM part.url");
	take_texts(m, &m->hosts, "SELECT id, name FROM part.host WHERE id > 0 ORDER BY id", take_host);
	take_texts(m, &m->urls, "SELECT id, normal, scheme, host, unwrapped FROM part.url WHERE id > 0 ORDER BY id",
	           take_url);
	const bool copied = d->failed || sqlite3_exec(d->db, merge_rows, NULL, NULL, NULL) == SQLITE_OK;
	if (!copied) {
		if (sqlite3_errcode(d->db) == SQLITE_CONSTRAINT) /* messages that are there already overlap */
			return report_usage("%s: has messages that %s has already", p->path, d->path);
		database_fail(d);
	}
	update_sources(m);
	database_run_with(m->d, "INSERT INTO main.part VALUES(?)", p->key);
	database_run(m->d, "COMMIT; DETACH part");
	return database_status(m->d);
}

bool index_is_unread(const char *part, enum status *status)
{
	struct database d;
	char why[WHY_SIZE];
	if (!sqlite_load(why))
		return false;
	*status = status_worse(*status, database_open(&d, part));
	const bool unread = database_number(&d, "SELECT NOT EXISTS(SELECT 1 FROM source)"
	                                    " AND EXISTS(SELECT 1 FROM problem WHERE source IS NULL)", 0);
	*status = status_worse(*status, database_status(&d));
	database_close(&d);
	return unread;
}

/* ---- All parts ----------------------------------------------------------------------------- */

/* Each part is looked at before the first is merged.  *there: all that they have is in the index, and no merge was
 * interrupted. */
static enum status read_parts(struct database *d, struct merge_part *part, size_t count, bool *there)
{
	enum status status = STATUS_DONE;
	*there = true;
	const struct merge_part *before = &no_part;
	for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
		struct merge_part *p = &part[i];
		struct database own;
		/* Whether the file is an index, and sound. */
		database_open(&own, p->path);
		char *sound = text_of(&own, "PRAGMA quick_check(1)");
		const bool good = !strcmp(sound, "ok") && database_number(&own, ids_fit, 0);
		if (!good && !own.failed)
			report("%s: is damaged; remove it, and read its piece again", p->path);
		free(sound);
		database_close(&own);
		if (!good)
			return STATUS_OUTPUT;
		database_run_with(d, "ATTACH ? AS part", p->path);
		const int64_t version = database_number(d, "PRAGMA part.user_version", 0);
		if (version < DATABASE_VERSION) {
			database_refuse(&(struct database){ .path = p->path, .version = version }, DATABASE_OLDER);
			return STATUS_OUTPUT;
		}
		char *key = text_of(d, "SELECT value FROM part.meta WHERE key = 'shard'");
		char *option = text_of(d, differs);
		p->from = database_number(d, "SELECT value FROM part.meta WHERE key = 'from'", 0);
		p->to = database_number(d, "SELECT value FROM part.meta WHERE key = 'to'", 0);
		p->unsure = database_number(d, "SELECT value FROM part.meta WHERE key = 'unsure'", INT64_MAX);
		p->size = database_number(d, "SELECT size FROM part.source", 0);
		snprintf(p->key, sizeof p->key, "%s", text_full_or(key, folder_base_name(p->path)));
		p->source = p->to > 0 ? text_of(d, "SELECT name FROM part.source") : NULL;
		p->merged = database_number(d, "SELECT 1 FROM main.part WHERE key = (SELECT value FROM part.meta"
		                               " WHERE key = 'shard')", 0);
		*there &= database_number(d, is_there, 0) != 0;
		status = database_status(d);
		if (*option)
			status = report_usage("%s: was not made with the same %s", p->path, option);
		else if (status == STATUS_DONE)
			status = check_ranges(p, before);
		before = p;
		free(key);
		free(option);
		database_run(d, "DETACH part");
	}
	return status == STATUS_DONE ? check_ranges(&no_part, before) : status;
}

enum status index_merge(struct index *x, char *const *path, size_t count)
{
	struct merge m = { .w = x->writer, .d = &x->writer->db, .unsure = INT64_MAX };
	struct merge_part *part = memory_get((count + 1) * sizeof *part);
	for (size_t i = 0; i < count; i++)
		part[i].path = path[i];
	sqlite3_create_function(m.d->db, "new_url", 1, SQLITE_UTF8, &m.urls, new_url, NULL, NULL);
	bool again; /* when all is there, this is a merge again of what was merged */
	enum status status = read_parts(m.d, part, count, &again);
	for (size_t i = 0; i < count && !again && status == STATUS_DONE; i++) {
		if (part[i].from == 0)
			m.unsure = INT64_MAX;
		if (!part[i].merged)
			status = merge_part(&m, &part[i]);
		m.unsure = lesser(part[i].unsure, m.unsure);
	}
	if (status == STATUS_DONE) {
		/* with all parts in it, the index is that of one process */
		writer_begin(m.w);
		writer_make_indexes(m.w);
		database_run(m.d, "DELETE FROM part");
		writer_commit(m.w);
		status = database_status(m.d);
	}
	for (size_t i = 0; i < count; i++)
		free(part[i].source);
	free(part);
	free(m.hosts.id);
	free(m.urls.id);
	for (size_t i = 0; i < WRITER_ROWS; i++)
		free(m.texts[i].data);
	return status;
}

#endif
