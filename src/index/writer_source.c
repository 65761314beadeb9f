#include "words.h"
#include "writer.h"
#include "input/memory.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A count, to which the run may add: somebody else may have written the database. */
static int64_t counted(sqlite3_stmt *s, int column)
{
	const int64_t n = sqlite3_column_int64(s, column);
	return within((uint64_t)n, 0, INT64_MAX / 2) * n;
}

bool writer_find_source(struct index_writer *w, struct writer_source *to, const char *path, const char *member)
{
	const bool labelled = w->options->label && !strcmp(path, w->options->label);
	char *name = labelled && strstr(path, "://") /* a URL */
	             ? memory_copy(path) : index_name(path, labelled ? NULL : w->options->root);
	sqlite3_stmt *s = writer_statement(w, W_FIND_SOURCE);
	digest_fini(&to->marks);
	*to = (struct writer_source){ .piece = -1, .unsure = INT64_MAX, .line = 1 };
	database_bind(s, "ss", name, member);
	bool known = database_row(&w->db, s);
	if (known) {
		to->id = sqlite3_column_int64(s, 0);
		snprintf(to->cursor, sizeof to->cursor, "%s", (const char *)sqlite3_column_text(s, 4));
		to->messages = counted(s, 1);
		to->links = counted(s, 2);
		/* A complete mailbox has its last message after `done`; where it has more, `cursor` is their number. */
		to->after = counted(s, 3);
		to->tail = sqlite3_column_int64(s, 5);
		to->was_done = sqlite3_column_int64(s, 6);
		sqlite3_reset(s);
	} else {
		to->id = w->next_source++;
		WRITER_RUN(w, W_ADD_SOURCE, "iss", to->id, name, member);
	}
	free(name);
	return known;
}

void writer_bind_marks(sqlite3_stmt *s, int column, struct digest_marks *m, size_t count)
{
	const size_t n = count * sizeof *m->mark;
	if (n == 0) {
		sqlite3_bind_null(s, column);
		return;
	}
	words_turn(m->mark, n);
	sqlite3_bind_blob(s, column, m->mark, (int)n, SQLITE_TRANSIENT);
	words_turn(m->mark, n);
}

void writer_set_source(struct index_writer *w, struct writer_source *of, bool complete)
{
	const struct writer_file *f = &w->file;
	char after[24];
	const char *cursor = NULL, *types = "isuuii";
	int64_t size = -1, mtime = -1;
	snprintf(after, sizeof after, "%lld", (long long)of->after);
	if (f->kind == FOLDER_EPOCH && *of->cursor) /* which has no checkpoint */
		cursor = of->cursor;
	sqlite3_stmt *s = writer_statement(w, W_SET_SOURCE);
	int64_t done = 0, line = 1;
	if (f->kind == FOLDER_NONE && of != &w->member) { /* a whole file, whose time may be before 1970 */
		types = "isiiii";
		size = f->size;
		mtime = f->mtime;
	}
	sqlite3_bind_null(s, 7);
	if (of->has_checkpoint) {
		done = of->done;
		line = of->line;
		sqlite3_bind_int64(s, 7, of->tail);
		if (complete && of->after != 1)
			cursor = after;
	}
	database_bind(s, types, of->id, of->kind, size, mtime, done, line);
	sqlite3_bind_text(s, 8, cursor, -1, SQLITE_STATIC);
	sqlite3_bind_int(s, 9, complete);
	sqlite3_bind_int64(s, 10, of->messages);
	sqlite3_bind_int64(s, 11, of->links);
	/* of a mailbox, and where it is not complete, the pieces that are */
	uint64_t pieces = complete || w->options->part ? of->marks.count : (uint64_t)of->done / digest_piece();
	if (strcmp(of->kind, source_kind_name(URLSIFT_KIND_MBOX)) != 0)
		pieces = 0;
	writer_bind_marks(s, 12, &of->marks, size_within(of->marks.count, pieces));
	writer_step(w, W_SET_SOURCE);
}

/* Once the new files are larger than half of what was indexed, the secondary indexes are dropped, and made again at the
 * end: adding a million links to a million takes 29% less time.  What was read of an epoch is not known. */
static void count_new_file(struct index_writer *w)
{
	static const char indexed[] =
		"SELECT CASE WHEN EXISTS(SELECT 1 FROM source WHERE kind = 'inbox') THEN 9223372036854775807 ELSE"
		" (SELECT coalesce(sum(size), 0) FROM source) + (SELECT coalesce(sum(size), 0) FROM file) END";
	if (w->added < 0)
		return;
	if (w->indexed < 0)
		w->indexed = database_number(&w->db, indexed, 0);
	w->added += w->file.size;
	if (w->added <= w->indexed / 2 || w->transaction.lost_any) /* lost URLs are found by an index */
		return;
	w->added = -1;
	if (w->indexed)
		database_run(&w->db, database_drop_indexes);
}

void writer_leave_folder(struct index_writer *w)
{
	if (w->source.id == 0 || w->file.kind == FOLDER_NONE)
		return;
	writer_set_source(w, &w->source, true);
	w->source.id = 0;
	free(w->file.folder);
	w->file.folder = NULL;
}

/* A message of a folder: what an earlier version of its file had goes. */
static void enter_message(struct index_writer *w)
{
	const struct writer_file *f = &w->file;
	struct writer_source *s = &w->source;
	const bool epoch = f->kind == FOLDER_EPOCH;
	if (s->id == 0) {
		const bool known = writer_find_source(w, s, f->of, "");
		snprintf(s->kind, sizeof s->kind, "%s", folder_kind_name((enum folder_kind)f->kind));
		if (known && epoch && f->from == 0) {
			writer_drop_all(w, s->id);
			s->messages = s->links = 0;
			*s->cursor = '\0';
		}
	}
	free(w->file_name);
	if (epoch) {
		w->file_name = memory_copy(f->commit);
		return;
	}
	w->file_name = index_file_name(f->path, f->folder, (enum folder_kind)f->kind);
	sqlite3_stmt *find = writer_statement(w, W_FIND_FILE);
	database_bind(find, "is", s->id, w->file_name);
	if (database_row(&w->db, find)) {
		sqlite3_reset(find);
		s->messages--;
		s->links -= writer_drop_from(w, s->id, w->file_name, INT64_MIN);
	} else {
		count_new_file(w);
	}
}

/* Reads what the index has from standard input. */
static struct writer_piped find_piped(struct index_writer *w)
{
	sqlite3_stmt *s = writer_statement(w, W_FIND_PIPED);
	struct writer_piped piped = { .messages = 0 };
	if (database_row(&w->db, s)) {
		piped = (struct writer_piped){ sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
		                               memory_copy(database_text(s, 2)) };
		sqlite3_reset(s);
	}
	return piped;
}

/* Standard input has one name in all runs.  If it begins as that of the last run did and has no less, it has grown. */
void writer_report_replaced(struct index_writer *w)
{
	const struct writer_piped *old = &w->file.piped;
	const bool mail = old->messages > 0;
	const int64_t had = mail ? old->messages : old->links;
	if (!had)
		return;
	const struct writer_piped now = find_piped(w);
	if (strcmp(memory_text(now.first), old->first) || (mail ? now.messages : now.links) < had)
		report("standard input replaces that of an earlier run (%lld %s%s); --label=NAME keeps both",
		       (long long)had, mail ? "message" : "link", plural((uint64_t)had));
	free(now.first);
}

static void enter_file(struct index_writer *w)
{
	const struct writer_file *f = &w->file;
	struct writer_source *s = &w->source;
	free(w->file_name);
	w->file_name = memory_copy("");
	bool known = writer_find_source(w, s, f->path, "");
	s->base = s->done = f->from;
	s->piece = f->from > 0 ? f->from / CHECKPOINT_EVERY : -1;
	if (!known) {
		count_new_file(w);
	} else if (f->from > 0) {
		/* It is read from an offset on: where it was complete, or at a mark. */
		s->planned = true;
		index_plan_take_marks(w->plan, f->path, (uint64_t)f->from, &s->marks);
		s->messages -= s->after;
		for (size_t i = 0; i < s->marks.count && f->from != s->was_done; i++)
			if (s->marks.mark[i].offset == f->from) {
				s->messages = s->marks.mark[i].messages;
				s->tail = s->marks.mark[i].tail;
			}
		s->after = 0;
		s->has_checkpoint = true;
		s->line = f->line;
		s->links -= writer_drop_from(w, s->id, "", f->from);
	} else {
		if (!strcmp(f->path, "-"))
			w->file.piped = find_piped(w);
		s->messages = s->links = 0;
		writer_drop_members(w, s->id);
		writer_drop_all(w, s->id);
	}
}

void writer_enter(struct index_writer *w)
{
	struct writer_file *f = &w->file;
	if (f->entered)
		return;
	f->entered = true;
	w->counts.read++;
	if (w->has_loose_problems && w->source.id == 0)
		WRITER_RUN(w, W_DROP_PROBLEMS_OF_NAME, "s", text_or(f->folder, f->path));
	(f->kind == FOLDER_NONE ? enter_file : enter_message)(w);
}

#endif
