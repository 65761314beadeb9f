/* The writer of an index: takes records and turns them into rows. */
#ifndef INDEX_WRITER_H
#define INDEX_WRITER_H

#include "index.h"

#ifdef URLSIFT_WITH_SQLITE

/* The statements, each prepared once: X(name, SQL). */
#define WRITER_STATEMENTS(X) \
	X(FIND_SOURCE, "SELECT id, messages, links, complete, cursor, tail FROM source WHERE name = ? AND member = ?") \
	X(ADD_SOURCE, "INSERT INTO source(id, name, member, kind, messages, links) VALUES(?, ?, ?, '', 0, 0)") \
	X(SET_SOURCE, "UPDATE source SET kind = ?2, size = ?3, mtime = ?4, done = ?5, line = ?6, tail = ?7, cursor = ?8," \
	  " complete = ?9, messages = ?10, links = ?11 WHERE id = ?1") \
	X(SET_COMPLETE, "UPDATE source SET complete = 1 WHERE id = ?") \
	X(RENAME, "UPDATE OR IGNORE source SET name = ?2 WHERE name = (SELECT name FROM source WHERE id = ?1)") \
	X(SET_FILE, "INSERT OR REPLACE INTO file(source, name, size, mtime) VALUES(?, ?, ?, ?)") \
	X(FIND_FILE, "SELECT 1 FROM file WHERE source = ? AND name = ?") \
	X(ADD_MESSAGE, "INSERT INTO message VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_LINK, "INSERT INTO link VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)") \
	X(FIND_URL, "SELECT id FROM url WHERE normal = ?") \
	X(ADD_URL, "INSERT INTO url VALUES(?, ?, ?, ?)") \
	X(FIND_HOST, "SELECT id FROM host WHERE name = ?") \
	X(ADD_HOST, "INSERT INTO host VALUES(?, ?, ?)") \
	X(ADD_PROBLEM, "INSERT INTO problem VALUES(?, ?, ?, ?, ?, ?, ?)") \
	X(DROP_PROBLEMS_OF_NAME, "DELETE FROM problem WHERE source IS NULL AND name = ?") \
	X(DROP_PROBLEMS, "DELETE FROM problem WHERE source = ?1 AND (?2 IS NULL OR name = ?2) AND pos >= ?3") \
	X(HAS_MESSAGES, "SELECT 1 FROM message WHERE source = ? AND name = ? AND pos >= ? LIMIT 1") \
	X(NOTE_URLS, "INSERT OR IGNORE INTO temp.lost SELECT url FROM link WHERE message IN" \
	  " (SELECT id FROM message WHERE source = ? AND name = ? AND pos >= ?)") \
	X(DROP_LINKS, "DELETE FROM link WHERE message IN" \
	  " (SELECT id FROM message WHERE source = ? AND name = ? AND pos >= ?)") \
	X(DROP_MESSAGES, "DELETE FROM message WHERE source = ? AND name = ? AND pos >= ?") \
	X(NOTE_ALL_URLS, "INSERT OR IGNORE INTO temp.lost SELECT url FROM link WHERE message IN" \
	  " (SELECT id FROM message WHERE source = ?)") \
	X(DROP_ALL_LINKS, "DELETE FROM link WHERE message IN (SELECT id FROM message WHERE source = ?)") \
	X(DROP_ALL_MESSAGES, "DELETE FROM message WHERE source = ?") \
	X(DROP_FILES, "DELETE FROM file WHERE source = ?") \
	X(DROP_FILE, "DELETE FROM file WHERE source = ? AND name = ?") \
	X(LESS_FILE, "UPDATE source SET messages = messages - 1, links = links - ?2 WHERE id = ?1") \
	X(FIND_MEMBERS, "SELECT id FROM source WHERE name = (SELECT name FROM source WHERE id = ?1) AND id <> ?1") \
	X(DROP_SOURCE, "DELETE FROM source WHERE id = ?")
#define WRITER_NAME(name, sql) W_##name,
enum writer_statement { WRITER_STATEMENTS(WRITER_NAME) WRITER_STATEMENT_COUNT };

/* What is known of a file, or the folder, that is being read. */
struct writer_file {
	bool open, entered;            /* there is one, and its row is known */
	int kind;                      /* enum folder_kind */
	int64_t size, mtime, from, line;
	char *path, *folder, *commit;
};

/* A row of `source` that is being changed. */
struct writer_source {
	int64_t id;                    /* 0 for none */
	char kind[16];
	int64_t messages, links;
	int64_t done, line, tail;      /* the last checkpoint of the file, if has_checkpoint, */
	int64_t after;                 /* and the messages from there on */
	bool has_checkpoint;
	int64_t piece, unsure;
	int64_t base;                  /* where the bytes that are not counted yet begin */
};

struct index_writer {
	const struct index_options *options;
	struct index_plan *plan;
	struct database db;
	sqlite3_stmt *statement[WRITER_STATEMENT_COUNT];
	bool in_transaction, lost_any, first_run;
	int64_t next_source, next_message, next_url, next_host;
	struct writer_file file;
	struct writer_source source, member; /* of the file, or folder; of the archive's member */
	char *file_name;               /* of a message in a folder, "" otherwise */
	int64_t message;               /* the last one */
	int64_t links, bytes;          /* since the last commit */
	struct hashset urls, hosts;    /* by hash, their ids; */
	bool all_urls, all_hosts;      /* what is not in them is not in the database either */
	struct hash128 key;
	urlsift_allocator alloc;
	bool has_loose_problems;       /* of inputs that are no source */
	struct index_counts counts;
	int64_t unsure;                /* of a part: the least struct opened.unsure */
	int64_t dropped;               /* links, by the last writer_drop_from */
};

enum status writer_init(struct index_writer *w, const struct index_options *o, struct index_plan *plan);
void writer_fini(struct index_writer *w);
/* As consumer.take and end. */
enum status writer_take(void *writer, const char *bytes, size_t n);
enum status writer_end(void *writer);

/* Makes the secondary indexes, unless they are there; a transaction is open afterwards. */
enum status writer_make_indexes(struct index_writer *w);

/* ---- For the parts of the writer ---------------------------------------------------- */

sqlite3_stmt *writer_statement(struct index_writer *w, enum writer_statement which); /* reset, for binding */
enum status writer_step(struct index_writer *w, enum writer_statement which);
void writer_bind_text(sqlite3_stmt *s, int i, const char *text, size_t n); /* NULL allowed */
enum status writer_begin(struct index_writer *w); /* a transaction, unless there is one */
enum status writer_commit(struct index_writer *w);

/* The row of a source, which is made if there is none: *known (writer_source.c). */
enum status writer_find_source(struct index_writer *w, struct writer_source *to, struct source_name name, bool *known);
/* Writes the row.  A folder has no size. */
enum status writer_set_source(struct index_writer *w, const struct writer_source *of, bool complete);
/* The file that was opened has a source: its row, or that of its folder, becomes w->source, and what comes again is
 * deleted. */
enum status writer_enter(struct index_writer *w);
/* Ends a folder, if there is one. */
enum status writer_leave_folder(struct index_writer *w);

/* Deletes what came from the messages of a source (writer_drop.c): of one file in it ("" for a mailbox) from
 * an offset on; of all; of it, its members and their rows. */
enum status writer_drop_from(struct index_writer *w, int64_t source, const char *name, int64_t from);
enum status writer_drop_all(struct index_writer *w, int64_t source);
enum status writer_drop_members(struct index_writer *w, int64_t source);
/* Deletes URLs and hosts that lost their last link, before a commit. */
enum status writer_drop_lost(struct index_writer *w);
/* At the end: sources and files that are gone are counted, and deleted with --prune. */
enum status writer_prune(struct index_writer *w, uint64_t *gone);

/* The id of the URL, or host, which is added if it is new (writer_rows.c).  0 after an error. */
int64_t writer_url(struct index_writer *w, const struct record_fields *f);
enum status writer_add_message(struct index_writer *w, const struct record_fields *f);
enum status writer_add_link(struct index_writer *w, const struct record_fields *f);
enum status writer_add_problem(struct index_writer *w, const struct record_fields *f);

#endif

#endif
