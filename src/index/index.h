/* Brings an index up to date: plans what is read of each source, and writes what was found. */
#ifndef INDEX_INDEX_H
#define INDEX_INDEX_H

#include "database.h"
#include "record.h"

#include "input/shard.h"

#include "text/hashset.h"

#include <pthread.h>

#ifdef URLSIFT_WITH_SQLITE

enum {
	INDEX_COMMIT_LINKS = 500000,              /* a transaction ends at the first checkpoint after so many links */
	INDEX_COMMIT_BYTES = 1024 * 1024 * 1024,  /* or bytes of input */
	INDEX_URLS_KNOWN = 1024 * 1024,       /* URLs and hosts whose numbers are kept in memory */
	INDEX_HOSTS_KNOWN = 256 * 1024
};

struct index_options {
	const char *path; /* of the database */
	const char *root; /* names of sources are relative to it; or NULL */
	int prune, full, summary;
	long cache;       /* MiB */
	long commit_links;
	const struct shard *part; /* the database is a new part of this shard; or NULL */
};

/* The state of sources, which the writer changes and the plan reads. */
struct index_counts {
	uint64_t unchanged, renamed, seen_files; /* of inputs that were planned */
	uint64_t read;
};

struct rename {
	int64_t id;
	char *name;
};

/* A row of `source` by what a renamed file keeps. */
struct known_file {
	int64_t size, mtime, id;
};

struct file_identity {
	dev_t device;
	ino_t inode;
};
enum { INDEX_FILES = 4 }; /* of a database */

/* What plans; it belongs to the thread that makes the jobs. */
struct index_plan {
	const struct index_options *options;
	struct database db;        /* a connection of its own, to what is committed */
	sqlite3_stmt *source, *file, *old;
	char *folder;              /* the last one, and the id of its source, 0 for none */
	int64_t folder_id, last_id; /* of the sources at the beginning */
	unsigned lookups;          /* in this transaction */
	bool in_transaction, failed;
	struct known_file *known;  /* sorted; made when a new file is met */
	size_t known_count;
	bool known_made;
	int64_t *folders;          /* ids of those that were planned; they are complete after this run */
	size_t folder_count;
	struct file_identity own[INDEX_FILES];
	struct hashset seen;       /* of --prune: the names in folders */
	urlsift_allocator alloc;
	struct index_counts counts;
	pthread_mutex_t lock;      /* protects the next three */
	struct rename *renames;
	size_t rename_count;
	bool lost;                 /* out of memory for one */
};

enum status index_plan_init(struct index_plan *p, const struct index_options *o);
void index_plan_fini(struct index_plan *p);
/* As consumer.plan; the `user` is the plan. */
void index_plan_input(struct index_plan *p, const struct input_item *item, struct input_plan *plan);
/* Takes over the renames so far. */
size_t index_plan_take_renames(struct index_plan *p, struct rename **renames);
/* Ends the use of the database, for the writer to clean up. */
void index_plan_end(struct index_plan *p);

/* Whether a message of this folder, or an epoch, was planned. */
bool index_plan_has_folder(const struct index_plan *p, int64_t id);

/* The name of a source of this path; of a message, that in its folder, without the flags of a maildir.  For free();
 * NULL without memory. */
char *index_name(const char *path, const char *root);
char *index_file_name(const char *path, const char *folder, enum folder_kind kind);
/* The path of a source. */
char *index_path(const char *name, const char *root);
/* The key of a file of a folder in index_plan.seen. */
struct hash128 index_seen_hash(int64_t folder, const char *name);

struct index_writer;

/* One run of the verb. */
struct index {
	struct index_options options;
	struct consumer consumer; /* of this index, set by index_begin */
	struct index_plan plan;
	struct index_writer *writer;
};
/* Opens the index and checks that it was made with the same scan options: `name` and `value` are rows of its table
 * meta, each list ends with NULL.  STATUS_USAGE when they differ.  index_end is needed in any case. */
enum status index_begin(struct index *x, const char *const *name, const char *const *value);
void index_end(struct index *x);

/* Puts parts into the database, in this order.  A part that another run has put in is passed over, so that a run that
 * was interrupted can be repeated.  STATUS_USAGE for parts with other options, that overlap or leave gaps. */
enum status index_merge(struct index *x, char *const *part, size_t count);

#endif

#endif
