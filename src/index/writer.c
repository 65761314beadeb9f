#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Statements and transactions ---------------------------------------------------- */

sqlite3_stmt *writer_statement(struct index_writer *w, enum writer_statement which)
{
#define WRITER_SQL(name, sql) sql,
	static const char *const sqls[] = { WRITER_STATEMENTS(WRITER_SQL) };
	if (!w->statement[which])
		w->statement[which] = database_prepare(&w->db, sqls[which]);
	return w->statement[which];
}

enum status writer_step(struct index_writer *w, enum writer_statement which)
{
	return w->statement[which] ? database_step(&w->db, w->statement[which]) : STATUS_OUTPUT;
}

void writer_bind_text(sqlite3_stmt *s, int i, const char *text, size_t n)
{
	if (text)
		sqlite3_bind_text(s, i, text, (int)n, SQLITE_STATIC);
	else
		sqlite3_bind_null(s, i);
}

enum status writer_begin(struct index_writer *w)
{
	if (w->in_transaction)
		return STATUS_DONE;
	enum status status = database_run(&w->db, "BEGIN IMMEDIATE");
	w->in_transaction = status == STATUS_DONE;
	return status;
}

enum status writer_commit(struct index_writer *w)
{
	w->links = w->bytes = 0;
	if (!w->in_transaction)
		return STATUS_DONE;
	enum status status = writer_drop_lost(w);
	if (status == STATUS_DONE)
		status = database_run(&w->db, "COMMIT");
	w->in_transaction = false;
	return status;
}

static bool is_due(const struct index_writer *w)
{
	return w->links >= w->options->commit_links || w->bytes >= INDEX_COMMIT_BYTES;
}

/* ---- Records ------------------------------------------------------------------------ */

/* A text of a record, for free(). */
static char *copy(const struct record_fields *f, size_t i)
{
	return f->text[i] ? strdup(f->text[i]) : NULL;
}

static enum status take_open(struct index_writer *w, const struct record_fields *f)
{
	enum { KIND, SIZE, MTIME, FROM, LINE };
	enum { PATH, FOLDER, COMMIT };
	struct writer_file *old = &w->file;
	int kind = (int)f->number[KIND];
	const char *folder = f->text[kind == FOLDER_EPOCH ? PATH : FOLDER];
	const char *old_folder = old->kind == FOLDER_EPOCH ? old->path : old->folder;
	bool same = kind != FOLDER_NONE && kind == old->kind && folder && old_folder && !strcmp(folder, old_folder);
	enum status status = STATUS_DONE;
	if (!same) {
		status = writer_leave_folder(w);
		w->source.id = 0;
		w->source.broken = false;
	}
	w->member.id = 0;
	free(old->path);
	free(old->folder);
	free(old->commit);
	*old = (struct writer_file){ .open = true, .kind = kind, .size = f->number[SIZE], .mtime = f->number[MTIME],
	                             .from = f->number[FROM], .line = f->number[LINE], .path = copy(f, PATH),
	                             .folder = copy(f, FOLDER), .commit = copy(f, COMMIT) };
	if (old->path && (!f->text[FOLDER] || old->folder) && (!f->text[COMMIT] || old->commit))
		return status;
	return report_no_memory();
}

static enum status take_source(struct index_writer *w, const struct record_fields *f)
{
	bool known = false;
	enum status status = w->file.open && !w->file.entered ? writer_enter(w) : STATUS_DONE;
	w->member.id = 0;
	if (status != STATUS_DONE || !f->text[1])
		return status;
	char *name = index_name(f->text[0], w->options->root);
	if (name)
		status = writer_find_source(w, &w->member, (struct source_name){ name, f->text[1] }, &known);
	else
		report_no_memory();
	snprintf(w->source.kind, sizeof w->source.kind, "archive");
	free(name);
	return name ? status : STATUS_OUTPUT;
}

static enum status take_kind(struct index_writer *w, const struct record_fields *f)
{
	struct writer_source *to = w->member.id ? &w->member : &w->source;
	if (w->file.kind == FOLDER_NONE)
		snprintf(to->kind, sizeof to->kind, "%s", f->text[0] ? f->text[0] : "");
	return STATUS_DONE;
}

/* A message of a mailbox begins: everything before it is known, and may be committed.  Which of these places are used
 * must not depend on the ranges that the mailbox was read in. */
static enum status take_checkpoint(struct index_writer *w, const struct record_fields *f)
{
	enum { OFFSET, LINE, TAIL, MESSAGES };
	struct writer_source *s = &w->source;
	s->messages += f->number[MESSAGES];
	s->after += f->number[MESSAGES];
	int64_t piece = f->number[OFFSET] / CHECKPOINT_EVERY;
	if (piece <= s->piece || f->number[OFFSET] > s->unsure)
		return STATUS_DONE;
	s->piece = piece;
	s->has_checkpoint = true;
	s->done = f->number[OFFSET];
	s->line = f->number[LINE];
	s->tail = f->number[TAIL];
	s->after = 0;
	w->bytes += s->done - s->base;
	s->base = s->done;
	if (!is_due(w))
		return STATUS_DONE;
	enum status status = writer_set_source(w, s, false);
	return status == STATUS_DONE ? writer_commit(w) : status;
}

static enum status take_source_end(struct index_writer *w, const struct record_fields *f)
{
	if (!w->member.id) {
		w->source.messages += w->file.kind == FOLDER_NONE ? f->number[0] : 0;
		return STATUS_DONE;
	}
	w->member.messages += f->number[0];
	enum status status = writer_set_source(w, &w->member, true);
	w->member.id = 0;
	return status;
}

/* The file was read, or a range of it. */
static enum status close_file(struct index_writer *w, const struct record_fields *f)
{
	enum { COMPLETE, LAST, KNOWN, OFFSET, LINE, TAIL, MESSAGES, AFTER, UNSURE };
	struct writer_source *s = &w->source;
	s->messages += f->number[MESSAGES];
	if (f->number[KNOWN] && f->number[OFFSET] <= s->unsure) {
		s->has_checkpoint = true;
		s->done = f->number[OFFSET];
		s->line = f->number[LINE];
		s->tail = f->number[TAIL];
		s->after = f->number[AFTER];
	} else {
		s->after += f->number[MESSAGES];
	}
	s->unsure = f->number[UNSURE] < s->unsure ? f->number[UNSURE] : s->unsure;
	w->unsure = s->unsure < w->unsure ? s->unsure : w->unsure;
	if (!f->number[LAST])
		return STATUS_DONE;
	w->bytes += w->file.size > s->base ? w->file.size - s->base : 0;
	return writer_set_source(w, s, f->number[COMPLETE]);
}

static enum status close_message(struct index_writer *w)
{
	struct writer_source *s = &w->source;
	s->messages++; /* a file, even if it is a digest */
	w->bytes += w->file.size;
	if (w->file.kind == FOLDER_EPOCH) {
		snprintf(s->cursor, sizeof s->cursor, "%s", w->file.commit);
		return STATUS_DONE;
	}
	sqlite3_stmt *row = writer_statement(w, W_SET_FILE);
	sqlite3_bind_int64(row, 1, s->id);
	sqlite3_bind_text(row, 2, w->file_name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(row, 3, w->file.size);
	sqlite3_bind_int64(row, 4, w->file.mtime);
	return writer_step(w, W_SET_FILE);
}

/* The message was not read to its end, or git failed before it. */
static enum status break_epoch(struct index_writer *w)
{
	enum status status = w->file.entered ? writer_drop_from(w, w->source.id, w->file_name, INT64_MIN) : STATUS_DONE;
	w->source.links -= w->file.entered ? w->dropped : 0;
	w->source.broken = true;
	return status;
}

static enum status take_close(struct index_writer *w, const struct record_fields *f)
{
	enum { COMPLETE, LAST };
	enum status status = STATUS_DONE;
	bool last = f->number[LAST];
	if (w->file.kind == FOLDER_EPOCH && !f->number[COMPLETE])
		status = break_epoch(w);
	else if (w->file.entered)
		status = w->file.kind == FOLDER_NONE ? close_file(w, f) : close_message(w);
	if (status != STATUS_DONE || !last)
		return status;
	if (is_due(w) && w->file.entered) {
		if (w->file.kind != FOLDER_NONE)
			status = writer_set_source(w, &w->source, false);
		if (status == STATUS_DONE)
			status = writer_commit(w);
	}
	w->file.open = w->file.entered = false;
	if (w->file.kind == FOLDER_NONE)
		w->source.id = 0;
	return status;
}

static enum status take_record(struct index_writer *w, const struct record_fields *f)
{
	if (w->source.broken && f->type != RECORD_OPEN)
		return STATUS_DONE;
	switch (f->type) {
	case RECORD_OPEN: return take_open(w, f);
	case RECORD_SOURCE: return take_source(w, f);
	case RECORD_KIND: return take_kind(w, f);
	case RECORD_MESSAGE: return writer_add_message(w, f);
	case RECORD_LINK: return writer_add_link(w, f);
	case RECORD_PROBLEM: return writer_add_problem(w, f);
	case RECORD_CHECKPOINT: return take_checkpoint(w, f);
	case RECORD_SOURCE_END: return take_source_end(w, f);
	case RECORD_CLOSE: return take_close(w, f);
	}
	return STATUS_DONE;
}

/* ---- Renames ------------------------------------------------------------------------ */

static enum status apply_renames(struct index_writer *w)
{
	struct rename *list;
	size_t n = index_plan_take_renames(w->plan, &list);
	enum status status = n > 0 ? writer_begin(w) : STATUS_DONE;
	for (size_t i = 0; i < n; i++) {
		sqlite3_stmt *s = writer_statement(w, W_RENAME);
		if (s && status == STATUS_DONE) {
			sqlite3_bind_int64(s, 1, list[i].id);
			sqlite3_bind_text(s, 2, list[i].name, -1, SQLITE_STATIC);
			status = writer_step(w, W_RENAME);
		}
		free(list[i].name);
	}
	free(list);
	return status;
}

/* ---- The consumer ------------------------------------------------------------------- */

enum status writer_take(void *writer, const char *bytes, size_t n)
{
	struct index_writer *w = writer;
	struct record_fields f;
	enum status status = w->plan->failed ? STATUS_OUTPUT : writer_begin(w);
	for (size_t i = 0; i < n && status == STATUS_DONE;) {
		i += record_read(bytes + i, &f);
		status = take_record(w, &f);
	}
	return status;
}

static enum status complete_folders(struct index_writer *w)
{
	enum status status = writer_leave_folder(w);
	for (size_t i = 0; i < w->plan->folder_count && status == STATUS_DONE; i++) {
		sqlite3_stmt *s = writer_statement(w, W_SET_COMPLETE);
		if (!s)
			return STATUS_OUTPUT;
		sqlite3_bind_int64(s, 1, w->plan->folders[i]);
		status = writer_step(w, W_SET_COMPLETE);
	}
	return status;
}

/* Sorting takes as much memory as the cache may, besides what the C library keeps of the cache before. */
enum status writer_make_indexes(struct index_writer *w)
{
	int64_t made;
	if (!database_number(&w->db, "SELECT count(*) FROM sqlite_master WHERE name = 'message_msgid'", 0, &made))
		return STATUS_OUTPUT;
	if (made)
		return STATUS_DONE;
	enum status status = writer_commit(w);
	hashset_fini(&w->urls);
	hashset_fini(&w->hosts);
	w->all_urls = w->all_hosts = false;
	if (status == STATUS_DONE)
		status = database_set_cache(&w->db, w->options->cache * 128);
	if (status == STATUS_DONE)
		status = database_run(&w->db, "PRAGMA shrink_memory");
	if (status == STATUS_DONE)
		status = writer_begin(w);
	return status == STATUS_DONE ? database_run(&w->db, database_indexes) : status;
}

/* What a merge needs to know of the shard. */
static enum status note_shard(struct index_writer *w)
{
	const struct shard *p = w->options->part;
	char sql[256];
	snprintf(sql, sizeof sql, "INSERT INTO meta VALUES('shard', '%s'), ('from', %lld), ('to', %lld), ('unsure', %lld)",
	         p->key, (long long)p->from, (long long)p->to, (long long)w->unsure);
	enum status status = writer_begin(w);
	return status == STATUS_DONE ? database_run(&w->db, sql) : status;
}

static void report_counts(const struct index_writer *w, uint64_t gone)
{
	const struct index_counts *c = &w->plan->counts;
	report("%s: read %llu, unchanged %llu, renamed %llu, %s %llu", w->options->path, (unsigned long long)w->counts.read,
	       (unsigned long long)c->unchanged, (unsigned long long)c->renamed, w->options->prune ? "deleted" : "gone",
	       (unsigned long long)gone);
}

enum status writer_end(void *writer)
{
	struct index_writer *w = writer;
	uint64_t gone = 0;
	bool look = w->options->prune || w->options->summary;
	index_plan_end(w->plan);
	enum status status = w->plan->failed ? STATUS_OUTPUT : apply_renames(w);
	if (status == STATUS_DONE && (w->source.id || w->plan->folder_count || look))
		status = writer_begin(w);
	if (status == STATUS_DONE)
		status = complete_folders(w);
	if (status == STATUS_DONE && look)
		status = writer_prune(w, &gone);
	if (status == STATUS_DONE)
		status = w->options->part ? note_shard(w) : writer_make_indexes(w);
	if (status == STATUS_DONE)
		status = writer_commit(w);
	if (status == STATUS_DONE && w->options->summary)
		report_counts(w, gone);
	return status;
}

/* ---- Beginning and end --------------------------------------------------------------- */

static bool read_numbers(struct index_writer *w)
{
	static const char *const sql[] = { "SELECT max(id) FROM source", "SELECT max(id) FROM message",
	                                   "SELECT max(id) FROM url", "SELECT max(id) FROM host" };
	int64_t *const next[] = { &w->next_source, &w->next_message, &w->next_url, &w->next_host }, loose, indexed;
	for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
		if (!database_number(&w->db, sql[i], 0, next[i]))
			return false;
		++*next[i];
	}
	w->all_urls = w->next_url == 1;
	w->all_hosts = w->next_host == 1;
	if (!database_number(&w->db, "SELECT 1 FROM problem WHERE source IS NULL LIMIT 1", 0, &loose) ||
	    !database_number(&w->db, "SELECT 1 FROM sqlite_master WHERE name = 'url_normal'", 0, &indexed))
		return false;
	w->has_loose_problems = loose;
	w->url_index = indexed;
	return true;
}

enum status writer_init(struct index_writer *w, const struct index_options *o, struct index_plan *plan)
{
	*w = (struct index_writer){ .options = o, .plan = plan, .alloc = alloc_from(NULL), .unsure = INT64_MAX,
	                            .indexed = -1 };
	sqlite3_randomness(sizeof w->key, &w->key);
	hashset_init(&w->urls, &w->alloc, INDEX_URLS_ALL);
	hashset_init(&w->hosts, &w->alloc, INDEX_HOSTS_KNOWN);
	enum status status = o->part ? database_create_part(&w->db, o->path) : database_open_writer(&w->db, o->path);
	if (status != STATUS_DONE || !read_numbers(w))
		return STATUS_OUTPUT;
	return database_set_cache(&w->db, o->cache * (w->url_index ? 1024 : 512));
}

void writer_fini(struct index_writer *w)
{
	for (size_t i = 0; i < WRITER_STATEMENT_COUNT; i++)
		sqlite3_finalize(w->statement[i]);
	database_close(&w->db);
	hashset_fini(&w->urls);
	hashset_fini(&w->hosts);
	free(w->file.path);
	free(w->file.folder);
	free(w->file.commit);
	free(w->file_name);
}

#endif
