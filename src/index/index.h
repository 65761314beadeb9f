/* Brings an index up to date: decides what to read of each source, and writes what was found. */
#ifndef INDEX_INDEX_H
#define INDEX_INDEX_H

#include "database.h"
#include "digest.h"
#include "record.h"

#include "input/shard.h"

#include "text/hashset.h"

#include <pthread.h>

#ifdef URLSIFT_WITH_SQLITE

enum {
	/* a transaction ends at the first checkpoint after so many links or bytes of input */
	INDEX_COMMIT_LINKS = 500000,
	INDEX_COMMIT_BYTES = 1024 * 1024 * 1024,
	/* the largest number of URLs and hosts whose ids are kept in memory; of URLs while these are all there are, and
	 * later, when the database has an index of them */
	INDEX_URLS_ALL = 4 * 1024 * 1024,
	INDEX_URLS_KNOWN = 1024 * 1024,
	INDEX_HOSTS_KNOWN = 256 * 1024,
	INDEX_KNOWN_PAGES = 64 * 1024 /* instead of each, where there are pages, which take half of the memory */
};

struct index_options {
	const char *path; /* of the database */
	const char *root; /* a folder that names of sources are relative to; or NULL */
	const char *label; /* of standard input, which is no name of a file; or NULL */
	int prune, full, summary;
	bool pages;       /* all messages, with their HTML, for pages, which call index_finish; links are not judged */
	int append_only;  /* of a mailbox that has changed, only the end is compared */
	long cache;       /* MiB */
	long jobs;        /* threads that sort, the writer included */
	long commit_links;
	const struct shard *part; /* the database is a new part of this shard; or NULL */
};

/* Numbers of files, for the summary. */
struct index_counts {
	uint64_t unchanged, renamed; /* counted by the plan */
	uint64_t read;               /* counted by the writer */
};

struct rename {
	int64_t id;
	char *name;
};

/* What a row of `source` says of a mailbox. */
struct index_state {
	bool complete;
	int64_t size, mtime;
	uint64_t done, line;
	const void *pieces;
	size_t length;
};

/* A mailbox that has changed, and is read from an offset on. */
struct index_edit {
	char *path;
	int64_t size, mtime;
	uint64_t from, line;
	struct digest_marks marks; /* of the file as it is now; their messages up to `from` */
};

struct file_identity {
	dev_t device;
	ino_t inode;
};
/* The files of one database: what their names add to its own. */
enum { INDEX_FILES = 4 };
extern const char *const index_file_ends[INDEX_FILES];

/* Decides what is read.  Used only by the thread that creates the jobs, except for what `lock` protects.  After an
 * error, which is kept in `db`, everything is read, and the writer ends the run. */
struct index_plan {
	const struct index_options *options;
	bool fresh;                /* no source was known when the run began: none is looked up, and `db` is not opened */
	struct database db;        /* its own connection, which sees committed data only */
	sqlite3_stmt *source, *file;
	sqlite3_stmt *old, *gone;  /* of sources that may have been renamed; made at the first new file */
	char *folder;              /* the last folder */
	int64_t folder_id;         /* the id of its source, 0 for none */
	unsigned lookups;          /* in this transaction */
	bool in_transaction;
	int64_t *folders;          /* ids of the folders that were planned; they are complete after this run */
	size_t folder_count;
	struct file_identity own[INDEX_FILES];
	struct hashset seen;       /* for --prune: the names in folders */
	bool hollow;               /* a folder was named in which there is nothing, as where a disk is not mounted */
	urlsift_allocator alloc;
	struct index_counts counts;
	pthread_mutex_t lock;      /* protects the next ones */
	struct rename *renames;
	size_t rename_count;
	struct index_edit *edits;  /* that the writer has not taken */
	size_t edit_count;
};

enum status index_plan_init(struct index_plan *p, const struct index_options *o, bool fresh);
void index_plan_fini(struct index_plan *p);
/* See consumer.plan, whose user is a struct index. */
void index_plan_input(void *index, const struct input_item *item, struct input_plan *plan);
/* Moves the renames found so far to *renames, which the caller frees; returns their number. */
size_t index_plan_take_renames(struct index_plan *p, struct rename **renames);
/* Moves the marks of a mailbox that is read from `from` on to *marks; false if there are none. */
bool index_plan_take_marks(struct index_plan *p, const char *path, uint64_t from, struct digest_marks *marks);
/* Finds, by its hashes, where a mailbox has changed: sets from, line and marks.  False if it must be read whole
 * (plan_edit.c). */
bool index_plan_compare(const char *path, const struct index_state *was, struct index_edit *edit);
/* Closes the plan's use of the database, so that the writer can clean up. */
void index_plan_end(struct index_plan *p);

/* Whether a message of the folder (or the epoch) with this id was planned. */
bool index_plan_has_folder(const struct index_plan *p, int64_t id);

/* index_name returns the name of the source with this path.  `root` is a real path, or NULL: then it is the path
 * without what says nothing.  Else the longest part of the path that is a folder in the root is named as it is there,
 * whatever way leads to it, and the rest as in the path.  Without such a part, the name is absolute, and its longest
 * part that is a folder is a real path.  That of standard input is -, a file or a folder of that name has ./ before it.
 * index_file_name returns the name of a message in its folder, without the flags of a maildir.  The caller frees it. */
char *index_name(const char *path, const char *root);
char *index_file_name(const char *path, const char *folder, enum folder_kind kind);
/* Whether it is certain that nothing is there any more. */
bool index_is_gone(const char *name, const char *root);
/* The key of a file of a folder in index_plan.seen. */
struct hash128 index_seen_hash(int64_t folder, const char *name);

struct index_writer;

/* One run of the verb. */
struct index {
	struct index_options options;
	char *root; /* the real path of options.root, which points to it from index_begin on */
	struct consumer consumer; /* of this index, set by index_begin */
	struct index_plan plan;
	struct index_writer *writer;
};
/* Opens the index and checks that it was made with the same scan options, which are stored in its table meta: `name`
 * and `value` are arrays that end with NULL.  STATUS_USAGE if they differ, or if there is no folder options.root.  Call
 * index_end in any case. */
enum status index_begin(struct index *x, const char *const *name, const char *const *value);
void index_end(struct index *x);
/* Makes the secondary indexes, if they are not there, and moves the log to the database; another thread may read what
 * was committed.  Returns whether nothing has failed. */
bool index_finish(struct index *x);
/* Returns the descriptor that keeps the lock of the database, for database_close; -1 if it was not locked. */
int index_end_locked(struct index *x);
/* Whether no input was ever opened for it, and no part merged. */
bool index_is_empty(const struct index *x);

/* Merges parts into the database, in this order.  Parts that are already merged are skipped, so that an interrupted run
 * can be repeated, and a complete one changes nothing.  STATUS_USAGE if parts have other options, overlap or leave
 * gaps. */
enum status index_merge(struct index *x, char *const *part, size_t count);
/* Whether nothing of the shard could be read when the part was made. */
bool index_is_unread(const char *part, enum status *status);

#endif

#endif
