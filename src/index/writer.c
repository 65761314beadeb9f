#include "words.h"
#include "writer.h"
#include "input/memory.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Statements and transactions ---------------------------------------------------- */

sqlite3_stmt *writer_statement(struct index_writer *w, enum writer_statement which)
{
#define WRITER_SQL(name, sql) sql,
	static const char *const sqls[] = { WRITER_STATEMENTS(WRITER_SQL) };
	if (!w->statement[which])
		w->statement[which] = database_prepare(&w->db, sqls[which]);
	return w->statement[which];
}

void writer_step(struct index_writer *w, enum writer_statement which)
{
	database_step(&w->db, w->statement[which]);
}

/* What is read slowly is kept too. */
enum { COMMIT_EVERY = 10 };

static int64_t seconds(void)
{
	struct timespec now = { 0 };
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

void writer_begin(struct index_writer *w)
{
	if (w->transaction.open)
		return;
	database_run(&w->db, "BEGIN IMMEDIATE");
	w->transaction.open = true;
	w->transaction.since = seconds();
}

void writer_commit(struct index_writer *w)
{
	w->transaction.links = w->transaction.bytes = 0;
	if (!w->transaction.open)
		return;
	writer_drop_lost(w);
	database_run(&w->db, "COMMIT");
	w->transaction.open = false;
}

/* If it is time, commits what was read, with the row of the source if that is known. */
static void keep(struct index_writer *w, bool known)
{
	const struct writer_transaction *t = &w->transaction;
	if (t->open && (t->links >= w->options->commit_links || t->bytes >= INDEX_COMMIT_BYTES
	                || seconds() - t->since >= COMMIT_EVERY)) {
		if (known)
			writer_set_source(w, &w->source, false);
		writer_commit(w);
	}
}

/* ---- Records ------------------------------------------------------------------------ */

/* A text of a record, for free(). */
static char *copy(const struct record_fields *f, size_t i)
{
	return f->text[i] ? memory_copy(f->text[i]) : NULL;
}

static void take_open(struct index_writer *w, const struct record_fields *f)
{
	enum { KIND, SIZE, MTIME, FROM, LINE };
	enum { PATH, FOLDER, COMMIT };
	struct writer_file *old = &w->file;
	int kind = (int)f->number[KIND];
	const char *of = memory_text(f->text[kind == FOLDER_EPOCH ? PATH : FOLDER]);
	if (kind == FOLDER_NONE || kind != old->kind || strcmp(of, old->of)) {
		writer_leave_folder(w);
		w->source.id = 0;
		w->source.broken = false;
	}
	w->member.id = 0;
	free(old->path);
	free(old->folder);
	free(old->of);
	free(old->commit);
	free(old->piped.first);
	*old = (struct writer_file){ .kind = kind, .size = f->number[SIZE], .mtime = f->number[MTIME],
	                             .from = f->number[FROM], .line = f->number[LINE], .path = copy(f, PATH),
	                             .folder = copy(f, FOLDER), .of = memory_copy(of), .commit = copy(f, COMMIT) };
}

static void take_source(struct index_writer *w, const struct record_fields *f)
{
	writer_enter(w);
	w->member.id = 0;
	if (!f->text[1])
		return;
	/* A member with the name of one before it in the archive is known with a number: `a`, `a#2`. */
	if (writer_find_source(w, &w->member, f->text[0], f->text[1])) {
		const size_t size = strlen(f->text[1]) + sizeof "#18446744073709551615";
		char *name = memory_get(size);
		do
			snprintf(name, size, "%s#%zu", f->text[1], ++w->file.repeats + 1);
		while (writer_find_source(w, &w->member, f->text[0], name));
		free(name);
	}
	snprintf(w->source.kind, sizeof w->source.kind, "archive");
}

static void take_kind(struct index_writer *w, const struct record_fields *f)
{
	struct writer_source *to = writer_current(w);
	if (w->file.kind == FOLDER_NONE)
		snprintf(to->kind, sizeof to->kind, "%s", f->text[0]);
}

static void take_piece(struct index_writer *w, const struct record_fields *f)
{
	writer_enter(w);
	if (!w->source.planned)
		digest_mark(&w->source.marks, (uint64_t)f->number[0])->hash += (uint64_t)f->number[1];
}

/* Reading may begin at the offset another time, before which all is known; `after`: messages after it. */
static void set_checkpoint(struct writer_source *s, int64_t offset, int64_t line, int64_t tail, int64_t after)
{
	s->has_checkpoint = true;
	s->done = offset;
	s->line = line;
	s->tail = tail;
	s->after = after;
}

/* A message of a mailbox begins: everything before it is known, and may be committed.  Which of these places are used
 * must not depend on the ranges that the mailbox was read in. */
static void take_checkpoint(struct index_writer *w, const struct record_fields *f)
{
	enum { OFFSET, LINE, TAIL, MESSAGES };
	struct writer_source *s = &w->source;
	s->messages += f->number[MESSAGES];
	s->after += f->number[MESSAGES];
	if (f->number[OFFSET] > s->unsure)
		return;
	/* Reading may begin at the first message of a piece, but the first, another time. */
	const uint64_t part = (uint64_t)f->number[OFFSET] / digest_piece();
	if (part > 0 && (!s->planned || part < s->marks.count)) {
		struct digest_mark *m = digest_mark(&s->marks, part);
		if (m->offset == 0) {
			m->offset = f->number[OFFSET];
			m->line = f->number[LINE];
			m->tail = f->number[TAIL];
			m->messages = s->messages;
		}
	}
	int64_t piece = f->number[OFFSET] / CHECKPOINT_EVERY;
	if (piece <= s->piece)
		return;
	s->piece = piece;
	set_checkpoint(s, f->number[OFFSET], f->number[LINE], f->number[TAIL], 0);
	w->transaction.bytes += s->done - s->base;
	s->base = s->done;
	keep(w, true);
}

static void take_source_end(struct index_writer *w, const struct record_fields *f)
{
	if (!w->member.id) {
		const int64_t messages = (w->file.kind == FOLDER_NONE) * f->number[0];
		w->source.messages += messages;
		w->source.after += messages;
		return;
	}
	w->member.messages += f->number[0];
	writer_set_source(w, &w->member, true);
	w->member.id = 0;
}

static void take_close(struct index_writer *w, const struct record_fields *f)
{
	enum { COMPLETE, LAST, KNOWN, OFFSET, LINE, TAIL, MESSAGES, AFTER, UNSURE };
	const struct writer_file *file = &w->file;
	struct writer_source *s = &w->source;
	if (file->kind == FOLDER_EPOCH && !f->number[COMPLETE]) {
		/* the message was not read to its end, or git failed before it */
		s->links -= file->entered ? writer_drop_from(w, s->id, w->file_name, INT64_MIN) : 0;
		s->broken = true;
	} else if (file->entered) {
		if (file->kind == FOLDER_NONE) {
			/* The file was read, or a range of it. */
			s->messages += f->number[MESSAGES];
			s->after += f->number[MESSAGES];
			if (f->number[KNOWN] && f->number[OFFSET] <= s->unsure)
				set_checkpoint(s, f->number[OFFSET], f->number[LINE], f->number[TAIL], f->number[AFTER]);
			s->unsure = lesser(f->number[UNSURE], s->unsure);
			w->unsure = lesser(s->unsure, w->unsure);
			if (f->number[LAST]) {
				w->transaction.bytes += file->size - lesser(file->size, s->base);
				writer_set_source(w, s, f->number[COMPLETE]);
				writer_report_replaced(w);
			}
		} else {
			s->messages++; /* a file, even if it is a digest */
			w->transaction.bytes += file->size;
			if (file->kind == FOLDER_EPOCH)
				snprintf(s->cursor, sizeof s->cursor, "%s", file->commit);
			else
				WRITER_RUN(w, W_SET_FILE, "isii", s->id, w->file_name, file->size, file->mtime);
		}
	}
	if (!f->number[LAST])
		return;
	if (file->entered)
		keep(w, file->kind != FOLDER_NONE);
	w->file.entered = false;
	if (file->kind == FOLDER_NONE)
		w->source.id = 0;
}

/* ---- The consumer ------------------------------------------------------------------- */

enum status writer_take(void *index, const char *bytes, size_t n)
{
	static void (*const take[])(struct index_writer *, const struct record_fields *) = {
		[RECORD_OPEN] = take_open, [RECORD_SOURCE] = take_source, [RECORD_KIND] = take_kind,
		[RECORD_MESSAGE] = writer_add_message, [RECORD_LINK] = writer_add_link, [RECORD_HTML] = writer_add_html,
		[RECORD_POST] = writer_add_post, [RECORD_PROBLEM] = writer_add_problem, [RECORD_PIECE] = take_piece,
		[RECORD_CHECKPOINT] = take_checkpoint, [RECORD_SOURCE_END] = take_source_end, [RECORD_CLOSE] = take_close
	};
	struct index_writer *w = ((const struct index *)index)->writer;
	if (w->plan->db.failed)
		return STATUS_OUTPUT;
	for (size_t i = 0; i < n && !w->db.failed;) {
		writer_begin(w); /* the record before may have been the last of a transaction */
		struct record_fields *f = writer_next_record(w);
		i += record_read(bytes + i, f);
		if (w->source.broken && f->type != RECORD_OPEN)
			continue;
		if (f->type != RECORD_LINK && f->type != RECORD_MESSAGE)
			writer_put_rows(w);
		take[f->type](w, f);
	}
	writer_put_rows(w);
	/* Where reading cannot go on, as in a pipe, what was read is kept as well; the row says that it is not complete. */
	if (w->file.kind == FOLDER_NONE && !(w->file.entered && w->source.has_checkpoint))
		keep(w, w->file.entered);
	return database_status(&w->db);
}

void writer_make_indexes(struct index_writer *w)
{
	if (database_number(&w->db, "SELECT count(*) FROM sqlite_master WHERE name = 'message_msgid'", 0))
		return;
	writer_commit(w);
	hashset_fini(&w->urls.known);
	hashset_fini(&w->hosts.known);
	w->urls.all = w->hosts.all = false;
	/* SQLite sorts pieces as large as the cache, and merges 16 at a time: twice if there are no more than 256 of the
	 * largest index, that of URLs, which takes about 64 bytes for each.  Sorting a MiB stays in the cache of a
	 * processor: 600,000 links in pieces of 32 MiB take 1.6 times as long. */
	enum { PIECES = 256 };
	char sql[64];
	const int64_t piece = SQLITE_PIECE + w->urls.next / (1024 / 64) / PIECES;
	database_set_cache(&w->db, (long)lesser(piece, w->options->cache * 128));
	/* Other threads sort what fills a piece, and merge, while it goes on.  This one sorts too when all of them do: with
	 * four times as many it seldom has to.  SQLite has eight at most. */
	snprintf(sql, sizeof sql, "PRAGMA threads = %d", w->options->jobs > 1 ? 4 * (int)w->options->jobs : 0);
	database_run(&w->db, sql);
	writer_begin(w);
	database_run(&w->db, database_indexes);
}

enum status writer_end(void *index)
{
	struct index_writer *w = ((const struct index *)index)->writer;
	uint64_t gone = 0;
	bool look = w->options->prune || w->options->summary;
	index_plan_end(w->plan);
	if (w->plan->db.failed)
		return STATUS_OUTPUT;
	struct rename *list;
	size_t n = index_plan_take_renames(w->plan, &list);
	writer_begin(w);
	for (size_t i = 0; i < n; i++) {
		WRITER_RUN(w, W_RETITLE, "is", list[i].id, list[i].name);
		WRITER_RUN(w, W_RENAME, "is", list[i].id, list[i].name);
		free(list[i].name);
	}
	free(list);
	writer_leave_folder(w);
	for (size_t i = 0; i < w->plan->folder_count; i++)
		WRITER_RUN(w, W_SET_COMPLETE, "i", w->plan->folders[i]);
	if (look)
		gone = writer_prune(w);
	const struct shard *part = w->options->part;
	if (part) { /* what a merge needs to know of the shard */
		char sql[256];
		snprintf(sql, sizeof sql,
		         "INSERT INTO meta VALUES('shard', '%s'), ('from', %lld), ('to', %lld), ('unsure', %lld)", part->key,
		         (long long)part->from, (long long)part->to, (long long)w->unsure);
		database_run(&w->db, sql);
	} else if (w->options->pages)
		database_run(&w->db, "PRAGMA wal_autocheckpoint = 0");
	else
		writer_make_indexes(w);
	writer_commit(w);
	if (w->options->prune && !writer_prunes(w))
		report("%s: nothing was deleted, because a folder that was named is missing or has nothing to read",
		       w->options->path);
	if (!w->db.failed && w->options->summary)
		report("%s: read %llu, unchanged %llu, renamed %llu, %s %llu", w->options->path,
		       (unsigned long long)w->counts.read, (unsigned long long)w->plan->counts.unchanged,
		       (unsigned long long)w->plan->counts.renamed, writer_prunes(w) ? "deleted" : "gone",
		       (unsigned long long)gone);
	return database_status(&w->db);
}

/* ---- Beginning and end --------------------------------------------------------------- */

/* Whether a variable names a folder in which SQLite makes files. */
static bool names_folder(const char *variable)
{
	const char *path = memory_text(getenv(variable));
	return folder_is(path) && !access(path, W_OK | X_OK);
}

enum status writer_init(struct index_writer *w, const struct index_options *o, struct index_plan *plan)
{
	*w = (struct index_writer){ .options = o, .plan = plan, .unsure = INT64_MAX, .indexed = -1,
	                            .alloc = { memory_large, NULL, memory_release, NULL },
	                            .urls = { .find = W_FIND_URL, .table = WRITER_URLS },
	                            .hosts = { .find = W_FIND_HOST, .table = WRITER_HOSTS } };
	struct database *d = &w->db;
	sqlite3_randomness(sizeof w->key, &w->key);
	hashset_init(&w->urls.known, &w->alloc, o->pages ? INDEX_KNOWN_PAGES : INDEX_URLS_ALL);
	hashset_init(&w->hosts.known, &w->alloc, o->pages ? INDEX_KNOWN_PAGES : INDEX_HOSTS_KNOWN);
	enum status status = o->part ? database_create_part(d, o->path) : database_open_writer(d, o->path);
	if (status != STATUS_DONE)
		return status;
	/* SQLite sorts in files that have no name: in the folder of the database, which has room and can be written to,
	 * unless somebody has chosen another that can. */
	const bool chosen = sqlite3_temp_directory || names_folder("SQLITE_TMPDIR") || names_folder("TMPDIR");
	char *folder = chosen ? NULL : database_folder(o->path);
	if (folder)
		sqlite3_temp_directory = w->folder = sqlite3_mprintf("%s", folder);
	free(folder);
	w->next_source = database_number(d, LAST_ID("source"), 0) + 1;
	w->next_message = database_number(d, LAST_ID("message"), 0) + 1;
	writer_count_ids(w);
	w->has_loose_problems = database_number(d, "SELECT 1 FROM problem WHERE source IS NULL LIMIT 1", 0);
	if (w->has_loose_problems && o->prune)
		writer_drop_loose(w);
	w->url_index = database_number(d, "SELECT 1 FROM sqlite_master WHERE name = 'url_normal'", 0);
	database_set_cache(d, o->cache * (w->url_index ? 1024 : 512));
	return database_status(d);
}

void writer_fini(struct index_writer *w)
{
	for (size_t i = 0; i < WRITER_STATEMENT_COUNT; i++)
		sqlite3_finalize(w->statement[i]);
	database_close(&w->db);
	if (w->folder)
		sqlite3_temp_directory = NULL;
	sqlite3_free(w->folder);
	hashset_fini(&w->urls.known);
	hashset_fini(&w->hosts.known);
	digest_fini(&w->source.marks);
	digest_fini(&w->member.marks);
	free(w->file.path);
	free(w->file.folder);
	free(w->file.of);
	free(w->file.commit);
	free(w->file.piped.first);
	free(w->file_name);
}

#endif
