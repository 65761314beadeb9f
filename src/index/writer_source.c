#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status writer_find_source(struct index_writer *w, struct writer_source *to, struct source_name name, bool *known)
{
	sqlite3_stmt *s = writer_statement(w, W_FIND_SOURCE);
	*to = (struct writer_source){ .piece = -1, .unsure = INT64_MAX, .line = 1 };
	if (!s)
		return STATUS_OUTPUT;
	const char *member = name.member ? name.member : "";
	sqlite3_bind_text(s, 1, name.file, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, member, -1, SQLITE_STATIC);
	int result = sqlite3_step(s);
	*known = result == SQLITE_ROW;
	if (*known) {
		const char *after = (const char *)sqlite3_column_text(s, 4);
		to->id = sqlite3_column_int64(s, 0);
		snprintf(to->cursor, sizeof to->cursor, "%s", after ? after : "");
		to->messages = sqlite3_column_int64(s, 1);
		to->links = sqlite3_column_int64(s, 2);
		/* A complete mailbox has its last message after `done`; where it has more, `cursor` is their number. */
		to->after = sqlite3_column_int(s, 3) ? after ? strtoll(after, NULL, 10) : 1 : 0;
		to->tail = sqlite3_column_int64(s, 5);
	}
	sqlite3_reset(s);
	if (*known || result != SQLITE_DONE)
		return database_check(&w->db, result);
	to->id = w->next_source++;
	s = writer_statement(w, W_ADD_SOURCE);
	sqlite3_bind_int64(s, 1, to->id);
	sqlite3_bind_text(s, 2, name.file, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 3, member, -1, SQLITE_STATIC);
	return writer_step(w, W_ADD_SOURCE);
}

enum status writer_set_source(struct index_writer *w, const struct writer_source *of, bool complete)
{
	const struct writer_file *f = &w->file;
	bool folder = f->kind != FOLDER_NONE, member = of == &w->member;
	sqlite3_stmt *s = writer_statement(w, W_SET_SOURCE);
	if (!s)
		return STATUS_OUTPUT;
	sqlite3_clear_bindings(s);
	sqlite3_bind_int64(s, 1, of->id);
	sqlite3_bind_text(s, 2, of->kind, -1, SQLITE_STATIC);
	if (!folder && !member) {
		sqlite3_bind_int64(s, 3, f->size);
		sqlite3_bind_int64(s, 4, f->mtime);
	}
	sqlite3_bind_int64(s, 5, of->has_checkpoint ? of->done : 0);
	sqlite3_bind_int64(s, 6, of->has_checkpoint ? of->line : 1);
	if (of->has_checkpoint)
		sqlite3_bind_int64(s, 7, of->tail);
	if (f->kind == FOLDER_EPOCH && *of->cursor)
		sqlite3_bind_text(s, 8, of->cursor, -1, SQLITE_STATIC);
	else if (complete && of->has_checkpoint && of->after != 1)
		sqlite3_bind_text(s, 8, sqlite3_mprintf("%lld", (long long)of->after), -1, sqlite3_free);
	sqlite3_bind_int(s, 9, complete);
	sqlite3_bind_int64(s, 10, of->messages);
	sqlite3_bind_int64(s, 11, of->links);
	return writer_step(w, W_SET_SOURCE);
}

/* Once the new files are larger than half of what was indexed, the secondary indexes are dropped, and made again at the
 * end: adding a million links to a million takes 29% less time.  What was read of an epoch is not known. */
static enum status count_new_file(struct index_writer *w)
{
	static const char indexed[] =
		"SELECT CASE WHEN EXISTS(SELECT 1 FROM source WHERE kind = 'inbox') THEN 9223372036854775807 ELSE"
		" (SELECT coalesce(sum(size), 0) FROM source) + (SELECT coalesce(sum(size), 0) FROM file) END";
	if (w->added < 0)
		return STATUS_DONE;
	if (w->indexed < 0 && !database_number(&w->db, indexed, 0, &w->indexed))
		return STATUS_OUTPUT;
	w->added += w->file.size;
	if (w->added <= w->indexed / 2 || w->lost_any) /* lost URLs are found by an index */
		return STATUS_DONE;
	w->added = -1;
	return w->indexed ? database_run(&w->db, database_drop_indexes) : STATUS_DONE;
}

/* A message of a folder: what an earlier version of its file had goes. */
static enum status enter_message(struct index_writer *w)
{
	struct writer_file *f = &w->file;
	bool epoch = f->kind == FOLDER_EPOCH;
	free(w->file_name);
	w->file_name = epoch ? strdup(f->commit) : index_file_name(f->path, f->folder, (enum folder_kind)f->kind);
	if (!w->file_name)
		return report_no_memory();
	if (epoch)
		return STATUS_DONE;
	sqlite3_stmt *s = writer_statement(w, W_FIND_FILE);
	sqlite3_bind_int64(s, 1, w->source.id);
	sqlite3_bind_text(s, 2, w->file_name, -1, SQLITE_STATIC);
	int result = sqlite3_step(s);
	sqlite3_reset(s);
	if (result != SQLITE_ROW)
		return result == SQLITE_DONE ? count_new_file(w) : database_check(&w->db, result);
	w->source.messages--;
	enum status status = writer_drop_from(w, w->source.id, w->file_name, INT64_MIN);
	w->source.links -= w->dropped;
	return status;
}

enum status writer_leave_folder(struct index_writer *w)
{
	if (w->source.id == 0 || w->file.kind == FOLDER_NONE)
		return STATUS_DONE;
	enum status status = writer_set_source(w, &w->source, true);
	w->source.id = 0;
	free(w->file.folder);
	w->file.folder = NULL;
	return status;
}

static enum status enter_folder(struct index_writer *w)
{
	static const char *const names[] = {
		[FOLDER_NONE] = "", [FOLDER_MAILDIR] = "maildir", [FOLDER_MH] = "mh", [FOLDER_SPOOL] = "spool",
		[FOLDER_EML] = "eml", [FOLDER_EPOCH] = "inbox"
	};
	struct writer_file *f = &w->file;
	bool known = false;
	char *name = index_name(f->kind == FOLDER_EPOCH ? f->path : f->folder, w->options->root);
	if (!name)
		return report_no_memory();
	enum status status = writer_find_source(w, &w->source, (struct source_name){ name, NULL }, &known);
	free(name);
	snprintf(w->source.kind, sizeof w->source.kind, "%s", names[f->kind]);
	if (status == STATUS_DONE && known && f->kind == FOLDER_EPOCH && f->from == 0) {
		status = writer_drop_all(w, w->source.id);
		w->source.messages = w->source.links = 0;
		*w->source.cursor = '\0';
	}
	return status;
}

static enum status enter_file(struct index_writer *w)
{
	struct writer_file *f = &w->file;
	bool known = false;
	char *name = index_name(f->path, w->options->root);
	if (!name)
		return report_no_memory();
	free(w->file_name);
	w->file_name = NULL;
	enum status status = writer_find_source(w, &w->source, (struct source_name){ name, NULL }, &known);
	free(name);
	w->source.base = w->source.done = f->from;
	w->source.piece = f->from > 0 ? f->from / CHECKPOINT_EVERY : -1;
	if (status != STATUS_DONE || !known)
		return status == STATUS_DONE ? count_new_file(w) : status;
	if (f->from > 0) {
		w->source.has_checkpoint = true;
		w->source.line = f->line;
		w->source.messages -= w->source.after;
		w->source.after = 0;
		status = writer_drop_from(w, w->source.id, "", f->from);
		w->source.links -= w->dropped;
		return status;
	}
	w->source.messages = w->source.links = 0;
	status = writer_drop_members(w, w->source.id);
	return status == STATUS_DONE ? writer_drop_all(w, w->source.id) : status;
}

enum status writer_enter(struct index_writer *w)
{
	struct writer_file *f = &w->file;
	enum status status = STATUS_DONE;
	f->entered = true;
	w->counts.read++;
	if (w->has_loose_problems && w->source.id == 0) {
		const char *path = f->folder ? f->folder : f->path;
		sqlite3_bind_text(writer_statement(w, W_DROP_PROBLEMS_OF_NAME), 1, path, -1, SQLITE_STATIC);
		status = writer_step(w, W_DROP_PROBLEMS_OF_NAME);
	}
	if (status == STATUS_DONE && f->kind == FOLDER_NONE)
		return enter_file(w);
	if (status == STATUS_DONE && w->source.id == 0)
		status = enter_folder(w);
	return status == STATUS_DONE ? enter_message(w) : status;
}

#endif
