#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rows of a source ------------------------------------------------------------- */

/* URLs can only be counted by link_url, and those lost are looked for at the next commit. */
static void begin_drop(struct index_writer *w)
{
	w->transaction.lost_any = true;
	database_run(&w->db, "CREATE TEMP TABLE IF NOT EXISTS lost(url INTEGER PRIMARY KEY)");
	database_run(&w->db, database_indexes);
}

int64_t writer_drop_from(struct index_writer *w, int64_t source, const char *name, int64_t from)
{
	sqlite3_stmt *s = writer_statement(w, W_HAS_MESSAGES);
	int64_t links = 0;
	database_bind(s, "isi", source, name, from);
	if (database_row(&w->db, s)) {
		sqlite3_reset(s);
		begin_drop(w);
		WRITER_RUN(w, W_NOTE_URLS, "isi", source, name, from);
		WRITER_RUN(w, W_DROP_LINKS, "isi", source, name, from);
		links = sqlite3_changes(w->db.db);
		WRITER_RUN(w, W_DROP_HTML, "isi", source, name, from);
		WRITER_RUN(w, W_DROP_POSTS, "isi", source, name, from);
		WRITER_RUN(w, W_DROP_MESSAGES, "isi", source, name, from);
	}
	WRITER_RUN(w, W_DROP_PROBLEMS, "isi", source, name, from);
	return links;
}

void writer_drop_all(struct index_writer *w, int64_t source)
{
	begin_drop(w);
	WRITER_RUN(w, W_NOTE_ALL_URLS, "i", source);
	WRITER_RUN(w, W_DROP_ALL_LINKS, "i", source);
	WRITER_RUN(w, W_DROP_ALL_HTML, "i", source);
	WRITER_RUN(w, W_DROP_ALL_POSTS, "i", source);
	WRITER_RUN(w, W_DROP_ALL_MESSAGES, "i", source);
	WRITER_RUN(w, W_DROP_FILES, "i", source);
	WRITER_RUN(w, W_DROP_PROBLEMS, "isi", source, (char *)NULL, INT64_MIN);
}

void writer_drop_members(struct index_writer *w, int64_t source)
{
	sqlite3_stmt *s = writer_statement(w, W_FIND_MEMBERS);
	for (;;) {
		database_bind(s, "i", source);
		if (!database_row(&w->db, s))
			return;
		const int64_t id = sqlite3_column_int64(s, 0);
		sqlite3_reset(s);
		writer_drop_all(w, id);
		WRITER_RUN(w, W_DROP_SOURCE, "i", id);
	}
}

/* ---- URLs and hosts ----------------------------------------------------------------- */

static void count_ids(struct index_writer *w, struct writer_ids *ids, const char *last)
{
	ids->next = database_number(&w->db, last, 0) + 1;
	ids->all = ids->next == 1;
	hashset_reset(&ids->known);
}

/* Numbers go on after the largest one that is left, so that a run that was killed here and one that was not agree. */
void writer_count_ids(struct index_writer *w)
{
	count_ids(w, &w->urls, LAST_ID("url"));
	count_ids(w, &w->hosts, LAST_ID("host"));
}

void writer_drop_lost(struct index_writer *w)
{
	static const char sql[] =
		"DELETE FROM temp.lost WHERE EXISTS (SELECT 1 FROM link WHERE link.url = lost.url);"
		"CREATE TEMP TABLE lost_host AS SELECT DISTINCT host FROM url JOIN temp.lost ON url.id = lost.url"
		" WHERE host IS NOT NULL;"
		"DELETE FROM url WHERE id IN (SELECT url FROM temp.lost);"
		"DELETE FROM host WHERE id IN (SELECT host FROM temp.lost_host)"
		" AND NOT EXISTS (SELECT 1 FROM url WHERE url.host = host.id);"
		"DROP TABLE temp.lost_host;"
		"DELETE FROM temp.lost;";
	if (w->transaction.lost_any) {
		database_run(&w->db, sql);
		writer_count_ids(w);
	}
	w->transaction.lost_any = false;
}

/* ---- What is gone ----------------------------------------------------------------- */

bool writer_prunes(const struct index_writer *w)
{
	return w->options->prune && !w->plan->hollow;
}

void writer_drop_loose(struct index_writer *w)
{
	sqlite3_stmt *s = database_prepare(&w->db, "SELECT DISTINCT name FROM problem WHERE source IS NULL");
	while (database_row(&w->db, s)) {
		const char *name = database_text(s, 0);
		if (index_is_gone(name, w->options->root))
			WRITER_RUN(w, W_DROP_PROBLEMS_OF_NAME, "s", name);
	}
	sqlite3_finalize(s);
}

uint64_t writer_prune(struct index_writer *w)
{
	sqlite3_stmt *s = database_prepare(&w->db, "SELECT id, name FROM source WHERE member = '' AND name <> '-'"
	                                           " AND mtime IS NOT 0"); /* standard input */
	uint64_t gone = 0;
	while (database_row(&w->db, s)) {
		const char *name = database_text(s, 1);
		const bool is_gone = index_is_gone(name, w->options->root);
		gone += is_gone;
		if (is_gone && writer_prunes(w)) {
			int64_t id = sqlite3_column_int64(s, 0);
			writer_drop_members(w, id);
			writer_drop_all(w, id);
			WRITER_RUN(w, W_DROP_SOURCE, "i", id);
		}
	}
	sqlite3_finalize(s);
	if (!writer_prunes(w))
		return gone;
	/* The files of folders that were planned: those that were not seen are gone. */
	s = database_prepare(&w->db, "SELECT source, name FROM file WHERE size IS NOT NULL ORDER BY 1, 2");
	while (database_row(&w->db, s)) {
		const int64_t source = sqlite3_column_int64(s, 0);
		const char *name = database_text(s, 1);
		uint32_t unused = 0;
		if (!index_plan_has_folder(w->plan, source) ||
		    hashset_add(&w->plan->seen, index_seen_hash(source, name), &unused) == HASHSET_KNOWN)
			continue;
		gone++;
		WRITER_RUN(w, W_LESS_FILE, "ii", source, writer_drop_from(w, source, name, INT64_MIN));
		WRITER_RUN(w, W_DROP_FILE, "is", source, name);
	}
	sqlite3_finalize(s);
	return gone;
}

#endif
