/* The writer of an index: turns records into rows. */
#ifndef INDEX_WRITER_H
#define INDEX_WRITER_H

#include "digest.h"
#include "index.h"

#ifdef URLSIFT_WITH_SQLITE

/* Rows of ADD_LINKS and the like, which takes 40% fewer instructions than as many ADD_LINK.
 * With 8, dense mail takes 2% more time, and 32 save no more. */
enum { WRITER_ROWS = 16 };
enum { WRITER_COLUMNS = 22 }; /* the most of a table */
#define WRITER_FOUR(row) row "," row "," row "," row
#define WRITER_SIXTEEN(row) WRITER_FOUR(WRITER_FOUR(row))
#define WRITER_LINK "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
#define WRITER_MESSAGE "(?,?,?,?,?,?,?,?,?,?,?,?)"
#define WRITER_URL "(?,?,?,?,?)"
#define WRITER_HOST "(?,?,?)"

/* The statements, each prepared once: X(name, SQL). */
#define WRITER_STATEMENTS(X) \
	X(FIND_SOURCE, "SELECT id, messages, links, CASE WHEN complete THEN CAST(coalesce(cursor, 1) AS INTEGER)" \
	               " ELSE 0 END, coalesce(cursor, ''), tail, done, pieces FROM source WHERE name = ? AND member = ?") \
	X(ADD_SOURCE, "INSERT INTO source(id, name, member, kind, messages, links) VALUES(?, ?, ?, '', 0, 0)") \
	X(SET_SOURCE, "UPDATE source SET kind = ?2, size = ?3, mtime = ?4, done = ?5, line = ?6, tail = ?7, cursor = ?8," \
	  " complete = ?9, messages = ?10, links = ?11, pieces = ?12 WHERE id = ?1") \
	/* how many messages and links standard input had, and the first message */ \
	X(FIND_PIPED, "SELECT sum(messages), sum(links)," \
	  " (SELECT m.pos || char(10) || coalesce(m.msgid, '') || char(10) || coalesce(" \
	  "(SELECT normal FROM link JOIN url ON url.id = link.url WHERE link.message = m.id ORDER BY n LIMIT 1), '')" \
	  " FROM message m WHERE id = (SELECT min(message.id) FROM message JOIN source s ON s.id = source" \
	  " WHERE s.name = '-'))" \
	  " FROM source WHERE name = '-'") \
	X(SET_COMPLETE, "UPDATE source SET complete = 1 WHERE id = ?") \
	X(RENAME, "UPDATE OR IGNORE source SET name = ?2 WHERE name = (SELECT name FROM source WHERE id = ?1)") \
	/* the page of a text has the name of its file as its subject */ \
	X(RETITLE, "UPDATE post SET subject = substr(?2, 1, 200) WHERE subject = (SELECT name FROM source WHERE id = ?1)" \
	  " AND message IN (SELECT id FROM message WHERE source = ?1 AND coalesce(subject, '') = '')") \
	X(SET_FILE, "INSERT OR REPLACE INTO file(source, name, size, mtime) VALUES(?, ?, ?, ?)") \
	X(FIND_FILE, "SELECT 1 FROM file WHERE source = ? AND name = ?") \
	/* and the number of the next link */ \
	X(FIND_MESSAGE, "SELECT id, (SELECT coalesce(max(n) + 1, 0) FROM link WHERE link.message = message.id)" \
	  " FROM message WHERE source = ? AND name = ? AND pos = ?") \
	X(ADD_MESSAGE, "INSERT INTO message VALUES" WRITER_MESSAGE) \
	X(ADD_MESSAGES, "INSERT OR ROLLBACK INTO message VALUES" WRITER_SIXTEEN(WRITER_MESSAGE)) \
	X(ADD_LINK, "INSERT INTO link VALUES" WRITER_LINK) \
	X(ADD_LINKS, "INSERT OR ROLLBACK INTO link VALUES" WRITER_SIXTEEN(WRITER_LINK)) \
	X(FIND_URL, "SELECT id FROM url WHERE normal = ?") \
	X(ADD_URL, "INSERT INTO url VALUES" WRITER_URL) \
	X(ADD_URLS, "INSERT OR ROLLBACK INTO url VALUES" WRITER_SIXTEEN(WRITER_URL)) \
	X(FIND_HOST, "SELECT id FROM host WHERE name = ?") \
	X(ADD_HOST, "INSERT INTO host VALUES" WRITER_HOST) \
	X(ADD_HOSTS, "INSERT OR ROLLBACK INTO host VALUES" WRITER_SIXTEEN(WRITER_HOST)) \
	X(ADD_PROBLEM, "INSERT INTO problem VALUES(?, ?, ?, ?, ?, ?, ?)") \
	X(DROP_PROBLEMS_OF_NAME, "DELETE FROM problem WHERE source IS NULL AND name = ?") \
	X(DROP_PROBLEMS, "DELETE FROM problem WHERE source = ?1 AND (?2 IS NULL OR name = ?2) AND pos >= ?3") \
	X(HAS_MESSAGES, "SELECT 1 FROM message WHERE source = ? AND name = ? AND pos >= ? LIMIT 1") \
	X(NOTE_URLS, "INSERT OR IGNORE INTO temp.lost SELECT url FROM link WHERE message IN" \
	  " (SELECT id FROM message WHERE source = ? AND name = ? AND pos >= ?)") \
	X(DROP_LINKS, "DELETE FROM link WHERE message IN" \
	  " (SELECT id FROM message WHERE source = ? AND name = ? AND pos >= ?)") \
	X(ADD_HTML, "INSERT INTO fragment VALUES(?, ?)") \
	X(ADD_POST, "INSERT INTO post VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") \
	X(DROP_HTML, "DELETE FROM fragment WHERE id IN (SELECT fragment.id FROM message" \
	  " CROSS JOIN fragment ON fragment.id" \
	  " BETWEEN message.id * 1048576 AND message.id * 1048576 + 1048575 WHERE source = ? AND name = ? AND pos >= ?)") \
	X(DROP_POSTS, "DELETE FROM post WHERE message IN" \
	  " (SELECT id FROM message WHERE source = ? AND name = ? AND pos >= ?)") \
	X(DROP_ALL_HTML, "DELETE FROM fragment WHERE id IN (SELECT fragment.id FROM message CROSS JOIN fragment ON" \
	  " fragment.id BETWEEN message.id * 1048576 AND message.id * 1048576 + 1048575 WHERE source = ?)") \
	X(DROP_ALL_POSTS, "DELETE FROM post WHERE message IN (SELECT id FROM message WHERE source = ?)") \
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

/* The file or folder that is being read. */
struct writer_file {
	bool entered;                  /* its row has been found or added */
	int kind;                      /* enum folder_kind */
	int64_t size, mtime, from, line;
	size_t repeats;                /* members with the name of another one */
	char *path, *folder, *commit;
	char *of;                      /* the folder, or the path of an epoch; NULL before the first file */
	struct writer_piped {
		int64_t messages, links;
		char *first;               /* identifies the first message; for free() */
	} piped;                       /* what standard input had in an earlier run; zero for other files */
};

/* A row of `source` that is being changed. */
struct writer_source {
	int64_t id;                    /* 0 for none */
	char kind[16];
	int64_t messages, links;
	int64_t done, line, tail;      /* with has_checkpoint: the last checkpoint of the file, */
	int64_t after;                 /* and the number of messages after it */
	bool has_checkpoint;
	int64_t piece, unsure;
	int64_t was_done;              /* when it was found */
	struct digest_marks marks;     /* of a mailbox */
	bool planned;                  /* its hashes are in the marks already; none are if there are no marks */
	int64_t base;                  /* where the bytes that are not counted yet begin */
	char cursor[INPUT_COMMIT + 1]; /* of an epoch: the last commit before which none is missing */
	bool broken;                   /* some is missing: what follows is left to the next run */
};

/* A message, a host, a URL and a link that are to be added. */
struct writer_message {
	struct record_fields record;
	int64_t id, source;
};
struct writer_host {
	int64_t id;
	urlsift_text name;
};
struct writer_url {
	int64_t id, host;                       /* host: 0 for none */
	urlsift_text normal, scheme, unwrapped; /* unwrapped: of NULL if the URL is not wrapped */
};
struct writer_link {
	struct record_fields record;
	int64_t message;
	struct hash128 hash; /* of its URL, which is looked up when the row is added */
};

/* Rows that wait until WRITER_ROWS of a table can be added at once. */
enum writer_table {
	WRITER_MESSAGES, WRITER_LINKS, WRITER_URLS, WRITER_HOSTS, WRITER_TABLES /* links make URLs wait, these make hosts */
};
struct writer_waiting {
	size_t count[WRITER_TABLES];
	struct writer_message message[WRITER_ROWS];
	struct writer_url url[WRITER_ROWS];
	struct writer_host host[WRITER_ROWS];
	struct writer_link link[WRITER_ROWS];
};

/* A table of texts with ids, and what is known of it in memory. */
struct writer_ids {
	enum writer_statement find;    /* the id of a text */
	enum writer_table table;
	struct hashset known;          /* from hash to id */
	bool all;                      /* a text that is not in the set is not in the database */
	int64_t next;
};

/* What has been done since the last commit. */
struct writer_transaction {
	bool open, lost_any;           /* lost_any: links were dropped, perhaps the last ones of their URLs */
	int64_t links, bytes;
	int64_t since;                 /* when it began, in seconds */
};

struct index_writer {
	const struct index_options *options;
	struct index_plan *plan;
	struct database db;
	char *folder; /* sqlite3_temp_directory, if the writer chose it */
	sqlite3_stmt *statement[WRITER_STATEMENT_COUNT];
	struct writer_transaction transaction;
	int64_t next_source, next_message;
	struct writer_file file;
	struct writer_source source, member; /* of the file or folder; of the member of an archive */
	char *file_name;               /* of a message in a folder, "" otherwise */
	int64_t message;               /* id of the last message */
	int64_t first_link;            /* number of its first link that comes after this record of it */
	int64_t blocks;                /* of its HTML */
	struct writer_waiting waiting;
	int64_t indexed, added;        /* bytes indexed before, -1: not known yet; of new files, -1: need not be counted */
	struct writer_ids urls, hosts;
	bool url_index;                /* exists; needed unless all URLs are known */
	struct hash128 key;
	urlsift_allocator alloc;
	bool has_loose_problems;       /* there are problems of inputs that have no row in `source` */
	struct index_counts counts;
	int64_t unsure;                /* of a part: the least struct opened.unsure */
};

enum status writer_init(struct index_writer *w, const struct index_options *o, struct index_plan *plan);
void writer_fini(struct index_writer *w);
/* See consumer.take and consumer.end, whose user is a struct index. */
enum status writer_take(void *index, const char *bytes, size_t n);
enum status writer_end(void *index);

/* ---- Shared by the files of the writer ------------------------------------------------
 * Errors are kept in w->db: after one these functions do nothing. */

/* The largest id of a table.  One of 2^42 or more is not of urlsift: others, or 2^20 blocks of HTML for each message,
 * might not follow it. */
#define LAST_ID(table) "SELECT max(id) FROM " table " WHERE id < 1 << 42"

/* The statement, ready for binding. */
sqlite3_stmt *writer_statement(struct index_writer *w, enum writer_statement which);
/* Runs it without binding; or with all its parameters, as database_bind takes them. */
void writer_step(struct index_writer *w, enum writer_statement which);
#define WRITER_RUN(w, which, ...) (database_bind(writer_statement(w, which), __VA_ARGS__), writer_step(w, which))
void writer_begin(struct index_writer *w); /* begins a transaction unless one is open */
void writer_commit(struct index_writer *w);
/* Creates the secondary indexes unless they exist; a transaction is open afterwards. */
void writer_make_indexes(struct index_writer *w);

/* The member of an archive that is read, else the file or folder. */
static inline struct writer_source *writer_current(struct index_writer *w)
{
	return w->member.id ? &w->member : &w->source;
}
/* Finds the row of a source, or adds it; returns whether it existed (writer_source.c). */
bool writer_find_source(struct index_writer *w, struct writer_source *to, const char *path, const char *member);
/* Writes the row.  A folder has no size. */
void writer_set_source(struct index_writer *w, struct writer_source *of, bool complete);
/* Binds so many marks; NULL for none. */
void writer_bind_marks(sqlite3_stmt *s, int column, struct digest_marks *m, size_t count);
/* Sets w->source to the row of the open file or of its folder, and deletes the rows of what is being read again. */
void writer_enter(struct index_writer *w);
/* Reports, after all of standard input, that it has replaced that of an earlier run. */
void writer_report_replaced(struct index_writer *w);
/* Ends a folder, if there is one. */
void writer_leave_folder(struct index_writer *w);

/* (writer_drop.c)  Delete messages with their links: drop_from those of one file of a source ("" for a mailbox) from an
 * offset on, and returns the number of links; drop_all those of a source, drop_members those of the members of an
 * archive, and their rows. */
int64_t writer_drop_from(struct index_writer *w, int64_t source, const char *name, int64_t from);
void writer_drop_all(struct index_writer *w, int64_t source);
void writer_drop_members(struct index_writer *w, int64_t source);
/* Deletes URLs and hosts that lost their last link, before a commit. */
void writer_drop_lost(struct index_writer *w);
/* Finds the next ids of URLs and hosts; nothing is known of those that are there. */
void writer_count_ids(struct index_writer *w);
/* Whether what is gone is deleted: --prune was given, and no folder that was named is hollow. */
bool writer_prunes(const struct index_writer *w);
/* At the beginning, with --prune: forgets that inputs could not be opened which do not exist. */
void writer_drop_loose(struct index_writer *w);
/* At the end: counts the sources and files that no longer exist, and deletes them if writer_prunes. */
uint64_t writer_prune(struct index_writer *w);

/* (writer_rows.c)  Return the id of a host or URL, 0 after an error.  A new host waits, as
 * links do, and a new URL, which is to be added. */
int64_t writer_host_id(struct index_writer *w, const char *name, size_t n);
int64_t writer_url_id(struct index_writer *w, const char *normal, size_t n, bool *added);
void writer_add_url(struct index_writer *w, const struct writer_url *url);
/* Messages and links wait until WRITER_ROWS of them can be added at once, with the URLs and hosts that are new. */
void writer_add_message(struct index_writer *w, const struct record_fields *f);
void writer_add_link(struct index_writer *w, const struct record_fields *f);
struct record_fields *writer_next_record(struct index_writer *w); /* where that of writer_add_link has to be */
void writer_put_rows(struct index_writer *w); /* adds those that wait, whose texts are still there */
void writer_add_html(struct index_writer *w, const struct record_fields *f);
void writer_add_post(struct index_writer *w, const struct record_fields *f);
void writer_add_problem(struct index_writer *w, const struct record_fields *f);

#endif

#endif
