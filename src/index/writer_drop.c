#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Rows of a source ------------------------------------------------------------- */

/* URLs can only be counted by link_url, and those lost are looked for at the next commit. */
static enum status begin_drop(struct index_writer *w)
{
	w->lost_any = true;
	enum status status = database_run(&w->db, "CREATE TEMP TABLE IF NOT EXISTS lost(url INTEGER PRIMARY KEY)");
	return status == STATUS_DONE ? database_run(&w->db, database_indexes) : status;
}

static enum status drop(struct index_writer *w, enum writer_statement which, int64_t source, const char *name,
                        int64_t from)
{
	sqlite3_stmt *s = writer_statement(w, which);
	if (!s)
		return STATUS_OUTPUT;
	sqlite3_bind_int64(s, 1, source);
	if (name)
		sqlite3_bind_text(s, 2, name, -1, SQLITE_STATIC);
	else if (which == W_LESS_FILE)
		sqlite3_bind_int64(s, 2, w->dropped);
	if (sqlite3_bind_parameter_count(s) > 2)
		sqlite3_bind_int64(s, 3, from);
	return writer_step(w, which);
}

static enum status has_rows(struct index_writer *w, int64_t source, const char *name, int64_t from, bool *any)
{
	sqlite3_stmt *s = writer_statement(w, W_HAS_MESSAGES);
	if (!s)
		return STATUS_OUTPUT;
	sqlite3_bind_int64(s, 1, source);
	sqlite3_bind_text(s, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, from);
	int result = sqlite3_step(s);
	*any = result == SQLITE_ROW;
	sqlite3_reset(s);
	return database_check(&w->db, result);
}

enum status writer_drop_from(struct index_writer *w, int64_t source, const char *name, int64_t from)
{
	static const enum writer_statement each[] = { W_NOTE_URLS, W_DROP_LINKS, W_DROP_MESSAGES, W_DROP_PROBLEMS };
	bool any = false;
	w->dropped = 0;
	enum status status = has_rows(w, source, name, from, &any);
	if (status == STATUS_DONE && !any)
		return drop(w, W_DROP_PROBLEMS, source, name, from);
	if (status == STATUS_DONE)
		status = begin_drop(w);
	for (size_t i = 0; i < sizeof each / sizeof *each && status == STATUS_DONE; i++) {
		status = drop(w, each[i], source, name, from);
		if (each[i] == W_DROP_LINKS)
			w->dropped = sqlite3_changes(w->db.db);
	}
	return status;
}

enum status writer_drop_all(struct index_writer *w, int64_t source)
{
	static const enum writer_statement each[] = {
		W_NOTE_ALL_URLS, W_DROP_ALL_LINKS, W_DROP_ALL_MESSAGES, W_DROP_FILES
	};
	enum status status = begin_drop(w);
	for (size_t i = 0; i < sizeof each / sizeof *each && status == STATUS_DONE; i++)
		status = drop(w, each[i], source, NULL, 0);
	return status == STATUS_DONE ? drop(w, W_DROP_PROBLEMS, source, NULL, INT64_MIN) : status;
}

enum status writer_drop_members(struct index_writer *w, int64_t source)
{
	enum status status = STATUS_DONE;
	for (bool found = true; found && status == STATUS_DONE;) {
		sqlite3_stmt *s = writer_statement(w, W_FIND_MEMBERS);
		sqlite3_bind_int64(s, 1, source);
		int result = sqlite3_step(s);
		int64_t id = (found = result == SQLITE_ROW) ? sqlite3_column_int64(s, 0) : 0;
		status = database_check(&w->db, result);
		sqlite3_reset(s);
		if (found && (status = writer_drop_all(w, id)) == STATUS_DONE)
			status = drop(w, W_DROP_SOURCE, id, NULL, 0);
	}
	return status;
}

/* ---- URLs and hosts ----------------------------------------------------------------- */

/* Numbers go on after the largest one that is left, so that a run that was killed here and one that was not agree. */
static bool set_next(struct index_writer *w)
{
	int64_t url = 0, host = 0;
	bool good = database_number(&w->db, "SELECT max(id) FROM url", 0, &url) &&
	            database_number(&w->db, "SELECT max(id) FROM host", 0, &host);
	w->next_url = url + 1;
	w->next_host = host + 1;
	hashset_reset(&w->urls);
	hashset_reset(&w->hosts);
	w->all_urls = url == 0;
	w->all_hosts = host == 0;
	return good;
}

enum status writer_drop_lost(struct index_writer *w)
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
	if (!w->lost_any)
		return STATUS_DONE;
	w->lost_any = false;
	enum status status = database_run(&w->db, sql);
	return status == STATUS_DONE && !set_next(w) ? STATUS_OUTPUT : status;
}

/* ---- What is gone ----------------------------------------------------------------- */

static bool is_gone(const struct index_writer *w, const char *name)
{
	struct stat status;
	char *path = index_path(name, w->options->root);
	bool gone = path && stat(path, &status) && (errno == ENOENT || errno == ENOTDIR);
	free(path);
	return gone;
}

static enum status drop_gone(struct index_writer *w, int64_t id)
{
	enum status status = writer_drop_members(w, id);
	if (status == STATUS_DONE)
		status = writer_drop_all(w, id);
	return status == STATUS_DONE ? drop(w, W_DROP_SOURCE, id, NULL, 0) : status;
}

/* The files of folders that were planned: those that were not seen are gone. */
static enum status prune_files(struct index_writer *w, uint64_t *gone)
{
	sqlite3_stmt *s = database_prepare(&w->db, "SELECT source, name FROM file WHERE size IS NOT NULL ORDER BY 1, 2");
	enum status status = s ? STATUS_DONE : STATUS_OUTPUT;
	int result = SQLITE_DONE;
	while (status == STATUS_DONE && (result = sqlite3_step(s)) == SQLITE_ROW) {
		const int64_t source = sqlite3_column_int64(s, 0);
		const char *name = (const char *)sqlite3_column_text(s, 1);
		uint32_t unused = 0;
		if (!name || !index_plan_has_folder(w->plan, source) ||
		    hashset_add(&w->plan->seen, index_seen_hash(source, name), &unused) == HASHSET_KNOWN)
			continue;
		(*gone)++;
		status = writer_drop_from(w, source, name, INT64_MIN);
		if (status == STATUS_DONE)
			status = drop(w, W_LESS_FILE, source, NULL, 0);
		if (status == STATUS_DONE)
			status = drop(w, W_DROP_FILE, source, name, 0);
	}
	if (status == STATUS_DONE)
		status = database_check(&w->db, result);
	sqlite3_finalize(s);
	return status;
}

enum status writer_prune(struct index_writer *w, uint64_t *gone)
{
	sqlite3_stmt *s = database_prepare(&w->db, "SELECT id, name FROM source WHERE member = '' AND name <> '-'");
	enum status status = s ? STATUS_DONE : STATUS_OUTPUT;
	int result = SQLITE_DONE;
	while (status == STATUS_DONE && (result = sqlite3_step(s)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(s, 1);
		if (!name || !is_gone(w, name))
			continue;
		(*gone)++;
		if (w->options->prune)
			status = drop_gone(w, sqlite3_column_int64(s, 0));
	}
	if (status == STATUS_DONE)
		status = database_check(&w->db, result);
	sqlite3_finalize(s);
	return status == STATUS_DONE && w->options->prune ? prune_files(w, gone) : status;
}

#endif
