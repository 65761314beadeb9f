/* Shards: pieces of work, each a line of JSON, that any number of machines may do. */
#ifndef INPUT_SHARD_H
#define INPUT_SHARD_H

#include "consumer.h"

#include <stdio.h>

enum { SHARD_KEY = 8 }; /* hexadecimal digits of a key */

struct shard_file {
	char *name;
	uint64_t size;
	int64_t mtime;
};

/* A range of a mailbox; or files, perhaps messages of one folder; or commits of an epoch. */
struct shard {
	char key[SHARD_KEY + 1];
	enum folder_kind kind; /* of the folder, or FOLDER_EPOCH */
	char *folder;          /* whose messages the files are, or NULL */
	struct shard_file *file;
	size_t file_count;     /* a mailbox, or an epoch, is one */
	uint64_t from, to, line; /* of a mailbox; 0, 0: all of it */
	char after[INPUT_COMMIT + 1];
	uint64_t count;        /* commits */
	uint64_t bytes;        /* what is to be read, as far as is known */
};

void shard_fini(struct shard *s);

/* Reads a line of JSON, NUL-terminated.  False when it is not one of a shard, or without memory. */
bool shard_read(struct shard *s, const char *line);
/* Writes the line, except names that are not UTF-8, of which it is false and the shard is not written. */
bool shard_write(const struct shard *s, FILE *to);

/* The lines of a file, "-" for standard input, one after the other. */
struct shard_lines {
	const char *name;
	FILE *file;
	char *line;
	size_t room;
};
/* False, and reported, if it cannot be opened. */
bool shard_lines_open(struct shard_lines *l, const char *name);
/* The next shard, for shard_fini; false after the last, and then *status is not STATUS_DONE after a failure, which
 * was reported. */
bool shard_lines_next(struct shard_lines *l, struct shard *s, enum status *status);
void shard_lines_close(struct shard_lines *l);

/* The name of the part of a shard in a folder, with this ending, or while it is not complete one that no other process
 * uses.  For free(); NULL without memory. */
char *shard_part(const char *folder, const char *key, const char *ending, bool complete);
/* Makes a part complete: writes it to disk and renames it.  0 or an errno. */
int shard_publish(const char *from, const char *to);

/* The words of `input` in a line. */
const char *shard_kind_name(enum folder_kind kind);

#endif
