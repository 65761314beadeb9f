/* For realpath. */
#define _DEFAULT_SOURCE
#include "index.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/descriptor.h"
#include "input/memory.h"
#include "input/public_inbox.h"
#include "text/ascii.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOOKUPS = 4096 }; /* in one transaction: the log of the writer cannot be emptied during it */

/* ---- Names ------------------------------------------------------------------------ */

/* The path without `.`, slashes in a row and slashes at its end. */
static char *clean_path(const char *path)
{
	char *name = memory_copy(path);
	size_t used = 0;
	for (bool first = true; *path; first = false) {
		size_t length = strcspn(path, "/");
		if (!text_is(path, length, ".") || (first && !path[1])) {
			memcpy(name + used, path, length);
			used += length;
			if (path[length] && (length > 0 || first))
				name[used++] = '/';
		}
		path += length + (path[length] == '/');
	}
	name[used] = '\0';
	name[folder_path_length(name)] = '\0';
	return name;
}

/* What follows the root in a path that leads there, or NULL; both are real paths. */
static const char *path_below(const char *path, const char *root)
{
	const size_t n = strcmp(root, "/") ? strlen(root) : 0;
	if (strncmp(path, root, n) || (path[n] && path[n] != '/'))
		return NULL;
	return path + n + (path[n] == '/');
}

static char *join_path(const char *folder, const char *rest)
{
	const size_t n = strlen(folder);
	return memory_format("%s%s%s", folder, text_if(*rest && n > 0 && folder[n - 1] != '/', "/"), rest);
}

/* The longest part of the clean path that is a folder in the root gives the name: symbolic links in it are followed,
 * and the rest is as it was given, unless it may leave the root again.  Without such a part, the longest
 * that is a folder.  A link to a folder in /proc is not followed: /dev/fd leads to that of this process. */
static char *name_below(const char *path, const char *root)
{
	const char *rest = path + strlen(path), *const least = path + (*path == '/');
	char *name = NULL, *outside = NULL;
	for (bool more = true, leaves = false; more && !name;) {
		char *folder = memory_format("%.*s%s", (int)(rest - path), path, rest > path ? "/." : ".");
		char *real = realpath(folder, NULL);
		const bool lasts = real && (rest == path || !path_below(real, "/proc"));
		const char *below = lasts && !leaves ? path_below(real, root) : NULL;
		if (below)
			name = *below || *rest ? join_path(below, rest) : memory_copy(".");
		else if (lasts && !outside)
			outside = join_path(real, rest);
		free(folder);
		free(real);
		more = rest > least;
		rest -= more;
		rest = path + byte_last((const uint8_t *)path, (size_t)(least - path), (size_t)(rest - path), '/');
		leaves |= text_is(rest, strcspn(rest, "/"), "..");
	}
	if (!name)
		return outside ? outside : memory_copy(path);
	free(outside);
	return name;
}

char *index_name(const char *path, const char *root)
{
	if (!strcmp(path, "-")) /* standard input */
		return memory_copy(path);
	char *name = clean_path(path);
	if (root) {
		char *below = name_below(name, root);
		free(name);
		name = below;
	}
	if (!text_is(name, strcspn(name, "/"), "-"))
		return name;
	char *file = memory_format("./%s", name); /* or one in that folder */
	free(name);
	return file;
}

char *index_file_name(const char *path, const char *folder, enum folder_kind kind)
{
	size_t n = folder_path_length(folder);
	if (!strncmp(path, folder, n))
		path += n + strspn(path + n, "/");
	char *name = memory_copy(path);
	if (kind != FOLDER_MAILDIR)
		return name;
	char *base = name + (folder_base_name(name) - name), *flags = strstr(base, ":2,");
	if (flags)
		*flags = '\0';
	const size_t before = (size_t)(base - name);
	if (text_ends(name, before, "new/") || text_ends(name, before, "cur/"))
		memmove(base - 4, base, strlen(base) + 1);
	return name;
}

struct hash128 index_seen_hash(int64_t folder, const char *name)
{
	return siphash((struct hash128){ .low = (uint64_t)folder }, name, strlen(name));
}

/* ---- Looking up ------------------------------------------------------------------- */

/* Reads are in transactions, of which each begins with taking a lock. */
static void begin_lookup(struct index_plan *p)
{
	sqlite3_reset(p->source);
	if (p->in_transaction && ++p->lookups < LOOKUPS)
		return;
	index_plan_end(p);
	database_run(&p->db, "BEGIN");
	p->in_transaction = true;
	p->lookups = 0;
}

void index_plan_end(struct index_plan *p)
{
	if (p->in_transaction)
		database_run(&p->db, "COMMIT");
	p->in_transaction = false;
}

/* Whether the source is known: p->source is at its row then, until it is reset or the next lookup begins. */
static bool find_source(struct index_plan *p, const char *path)
{
	if (p->fresh)
		return false;
	char *name = index_name(path, p->options->root);
	begin_lookup(p);
	sqlite3_bind_text(p->source, 1, name, -1, free);
	return database_row(&p->db, p->source);
}

enum { S_ID, S_KIND, S_SIZE, S_MTIME, S_DONE, S_LINE, S_TAIL, S_CURSOR, S_COMPLETE, S_PIECES };
#define SOURCE_COLUMNS "id, kind, size, mtime, done, line, tail, cursor, complete, pieces"

/* ---- Folders ---------------------------------------------------------------------- */

bool index_plan_has_folder(const struct index_plan *p, int64_t id)
{
	size_t i = 0;
	while (i < p->folder_count && p->folders[i] != id)
		i++;
	return i < p->folder_count;
}

static void note_folder(struct index_plan *p, int64_t id)
{
	if (!id || index_plan_has_folder(p, id))
		return;
	MEMORY_ADD(p->folders, p->folder_count) = id;
}

/* Whether a file has the size and the time of a row, which are in its columns `first` and the next one. */
static bool is_as_old(sqlite3_stmt *row, int first, const struct stat *now)
{
	return sqlite3_column_int64(row, first) == now->st_size
	       && sqlite3_column_int64(row, first + 1) == source_mtime(now);
}

/* A message of a maildir never changes, but its flags do; a number of an MH folder may be given again. */
static void plan_message(struct index_plan *p, const struct input_item *item, struct input_plan *plan)
{
	struct stat now;
	if (strcmp(memory_text(p->folder), item->folder) != 0) {
		free(p->folder);
		p->folder = memory_copy(item->folder);
		p->folder_id = find_source(p, item->folder) ? sqlite3_column_int64(p->source, S_ID) : 0;
		note_folder(p, p->folder_id);
	}
	if (p->folder_id == 0)
		return;
	char *name = index_file_name(item->path, item->folder, item->kind);
	uint32_t unused = 0;
	if (p->options->prune)
		hashset_add(&p->seen, index_seen_hash(p->folder_id, name), &unused);
	begin_lookup(p);
	database_bind(p->file, "is", p->folder_id, name);
	if (database_row(&p->db, p->file) && !p->options->full)
		plan->skip = item->kind == FOLDER_MAILDIR || (!stat(item->path, &now) && is_as_old(p->file, 0, &now));
	sqlite3_reset(p->file);
	p->counts.unchanged += plan->skip;
	free(name);
}

/* ---- Renamed files ---------------------------------------------------------------- */

bool index_is_gone(const char *name, const char *root)
{
	struct stat status;
	char *path = root && *name != '/' ? memory_format("%s/%s", root, name) : memory_copy(name);
	const bool gone = *name && stat(path, &status) && errno_is_missing(errno);
	free(path);
	return gone;
}

/* Whether the bytes before the place where reading would go on are those of then. */
static bool tail_agrees(const char *path, sqlite3_stmt *row, int first)
{
	struct source s;
	char why[WHY_SIZE];
	int64_t tail = 0, done = sqlite3_column_int64(row, first);
	if (sqlite3_column_type(row, first + S_TAIL - S_DONE) == SQLITE_NULL)
		return done == 0;
	if (!source_open(&s, path, why))
		return false;
	const bool agrees = record_tail(&s, (uint64_t)done, &tail) &&
	                    tail == sqlite3_column_int64(row, first + S_TAIL - S_DONE);
	source_close(&s);
	return agrees;
}

size_t index_plan_take_renames(struct index_plan *p, struct rename **renames)
{
	pthread_mutex_lock(&p->lock);
	size_t n = p->rename_count;
	*renames = p->renames;
	p->renames = NULL;
	p->rename_count = 0;
	pthread_mutex_unlock(&p->lock);
	return n;
}

/* Sources that may have been renamed, with the properties that a file keeps then. */
static const char known[] =
	"PRAGMA query_only = 0;"
	"CREATE TEMP TABLE known AS SELECT size, mtime, id, name, done, line, tail FROM source"
	" WHERE member = '' AND size IS NOT NULL AND complete;"
	"CREATE INDEX temp.known_file ON known(size, mtime);";

/* A source that is found to be renamed leaves the table. */
static bool find_renamed(struct index_plan *p, const char *path, const struct stat *now)
{
	if (!p->old) {
		database_run(&p->db, known);
		/* files of one size and time */
		p->old = database_prepare(&p->db, "SELECT name, done, line, tail, id FROM temp.known"
		                                  " WHERE size = ? AND mtime = ? ORDER BY id LIMIT 64");
		p->gone = database_prepare(&p->db, "DELETE FROM temp.known WHERE id = ?");
	}
	database_bind(p->old, "ii", (int64_t)now->st_size, source_mtime(now));
	while (database_row(&p->db, p->old)) {
		const int64_t id = sqlite3_column_int64(p->old, 4);
		if (!index_is_gone(database_text(p->old, 0), p->options->root) || !tail_agrees(path, p->old, 1))
			continue;
		/* The source is gone from its name and is this file. */
		sqlite3_reset(p->old);
		pthread_mutex_lock(&p->lock);
		MEMORY_ADD(p->renames, p->rename_count) = (struct rename){ id, index_name(path, p->options->root) };
		pthread_mutex_unlock(&p->lock);
		database_bind(p->gone, "i", id);
		database_step(&p->db, p->gone);
		p->counts.renamed++;
		return true;
	}
	return false;
}

/* ---- Files ------------------------------------------------------------------------ */

const char *const index_file_ends[INDEX_FILES] = { "", "-wal", "-shm", ".lock" };

bool index_plan_take_marks(struct index_plan *p, const char *path, uint64_t from, struct digest_marks *marks)
{
	size_t i = 0;
	pthread_mutex_lock(&p->lock);
	while (i < p->edit_count && (p->edits[i].from != from || strcmp(p->edits[i].path, path)))
		i++;
	const bool found = i < p->edit_count;
	if (found) {
		free(p->edits[i].path);
		*marks = p->edits[i].marks;
		p->edits[i] = p->edits[--p->edit_count];
	}
	pthread_mutex_unlock(&p->lock);
	return found;
}

/* A mailbox that has changed.  An input may be planned more than once. */
static void plan_changed(struct index_plan *p, const char *path, const struct stat *now, struct input_plan *plan)
{
	sqlite3_stmt *s = p->source;
	const struct index_state was = {
		.complete = sqlite3_column_int(s, S_COMPLETE), .size = sqlite3_column_int64(s, S_SIZE),
		.mtime = sqlite3_column_int64(s, S_MTIME), .done = (uint64_t)sqlite3_column_int64(s, S_DONE),
		.line = (uint64_t)sqlite3_column_int64(s, S_LINE), .pieces = sqlite3_column_blob(s, S_PIECES),
		.length = (size_t)sqlite3_column_bytes(s, S_PIECES)
	};
	struct index_edit e = { .size = now->st_size, .mtime = source_mtime(now), .marks = { NULL, 0 } };
	size_t i = 0;
	if (p->options->append_only) {
		plan->from = was.done <= (uint64_t)now->st_size && tail_agrees(path, s, S_DONE) ? was.done : 0;
		plan->line = was.line;
		return;
	}
	pthread_mutex_lock(&p->lock); /* a reader may take the marks of another mailbox meanwhile */
	while (i < p->edit_count && (p->edits[i].size != e.size || p->edits[i].mtime != e.mtime ||
	                             strcmp(p->edits[i].path, path)))
		i++;
	const bool planned = i < p->edit_count;
	if (planned) {
		e.from = p->edits[i].from;
		e.line = p->edits[i].line;
	}
	pthread_mutex_unlock(&p->lock);
	if (!planned && index_plan_compare(path, &was, &e)) {
		e.path = memory_copy(path);
		pthread_mutex_lock(&p->lock);
		MEMORY_ADD(p->edits, p->edit_count) = e;
		pthread_mutex_unlock(&p->lock);
	} else {
		digest_fini(&e.marks);
	}
	plan->from = e.from;
	plan->line = e.line;
}

static void plan_file(struct index_plan *p, const char *path, struct input_plan *plan)
{
	struct stat now = { 0 }; /* also of what is not found */
	if (!strcmp(path, "-"))
		return;
	stat(path, &now);
	p->hollow |= S_ISDIR(now.st_mode);
	if (!now.st_mode && p->options->prune) {
		/* Whether a folder of messages is known by that name, or sources in one that was searched. */
		char *name = index_name(path, p->options->root);
		p->hollow |= database_has(&p->db, "SELECT 1 FROM source WHERE (name = ?1 AND size IS NULL)"
		                                  " OR (name > ?1 || '/' AND name < ?1 || '0')", name);
		free(name);
	}
	if (!S_ISREG(now.st_mode))
		return;
	/* Our own files: to close one would end SQLite's locks on it. */
	for (size_t i = 0; i < INDEX_FILES; i++)
		plan->skip |= p->own[i].device == now.st_dev && p->own[i].inode == now.st_ino;
	if (plan->skip || p->options->full || p->fresh)
		return;
	sqlite3_stmt *row = p->source;
	if (!find_source(p, path)) {
		plan->skip = find_renamed(p, path, &now);
	} else if (sqlite3_column_int(row, S_COMPLETE) && is_as_old(row, S_SIZE, &now)) {
		plan->skip = true;
		p->counts.unchanged++;
	} else if (sqlite3_column_int64(row, S_DONE) > 0 && !strcmp(database_text(row, S_KIND), "mbox")) {
		char why[WHY_SIZE];
		plan_changed(p, path, &now, plan);
		/* one that ended there may have been cut off */
		if (plan->from > 0 && !source_is_mailbox(path, plan->from, why))
			plan->from = plan->line = 0;
	}
	sqlite3_reset(row);
}

void index_plan_input(void *index, const struct input_item *item, struct input_plan *plan)
{
	struct index_plan *p = &((struct index *)index)->plan;
	if (item->kind == FOLDER_EPOCH) {
		if (!find_source(p, item->path))
			return;
		const char *cursor = (const char *)sqlite3_column_text(p->source, S_CURSOR);
		note_folder(p, sqlite3_column_int64(p->source, S_ID));
		if (cursor && !p->options->full && public_inbox_has(item->path, cursor)) {
			snprintf(plan->after, sizeof plan->after, "%s", cursor);
			plan->from = 1;
		}
	} else if (item->folder) {
		plan_message(p, item, plan);
	} else {
		plan_file(p, item->path, plan);
	}
}

/* ---- Beginning and end ------------------------------------------------------------ */

enum status index_plan_init(struct index_plan *p, const struct index_options *o, bool fresh)
{
	*p = (struct index_plan){ .options = o, .alloc = alloc_from(NULL), .db = DATABASE_NONE, .fresh = fresh };
	pthread_mutex_init(&p->lock, NULL);
	hashset_init(&p->seen, &p->alloc, 64 * 1024 * 1024);
	if (o->part) /* everything is new */
		return STATUS_DONE;
	for (size_t i = 0; i < INDEX_FILES; i++) {
		struct stat own;
		char *name = memory_format("%s%s", o->path, index_file_ends[i]);
		if (!stat(name, &own))
			p->own[i] = (struct file_identity){ own.st_dev, own.st_ino };
		free(name);
	}
	if (fresh)
		return STATUS_DONE;
	database_open(&p->db, o->path);
	p->source = database_prepare(&p->db, "SELECT " SOURCE_COLUMNS " FROM source WHERE name = ? AND member = ''");
	p->file = database_prepare(&p->db, "SELECT size, mtime FROM file WHERE source = ? AND name = ?");
	return database_status(&p->db);
}

void index_plan_fini(struct index_plan *p)
{
	for (size_t i = 0; i < p->rename_count; i++)
		free(p->renames[i].name);
	free(p->renames);
	for (size_t i = 0; i < p->edit_count; i++) {
		free(p->edits[i].path);
		digest_fini(&p->edits[i].marks);
	}
	free(p->edits);
	free(p->folders);
	index_plan_end(p);
	sqlite3_finalize(p->source);
	sqlite3_finalize(p->file);
	sqlite3_finalize(p->old);
	sqlite3_finalize(p->gone);
	database_close(&p->db);
	hashset_fini(&p->seen);
	free(p->folder);
	pthread_mutex_destroy(&p->lock);
}

#endif
