/* Shards: pieces of work, each a line of JSON, that can be divided among machines. */
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
	size_t file_count;     /* 1 for a mailbox or an epoch */
	uint64_t from, to, line; /* of a mailbox, see struct input_plan; `from` and `to` 0: all of it */
	char after[INPUT_COMMIT + 1]; /* of an epoch, likewise */
	uint64_t count;        /* commits */
	uint64_t bytes;        /* the amount to be read, as far as is known */
};

void shard_fini(struct shard *s);

/* Whether shards can name the file: its name is UTF-8. */
bool shard_can_name(const char *path);
/* Writes the shard, whose files it can name, as a line. */
void shard_write(const struct shard *s, FILE *to);

/* Reads the lines of the file `name`, "-" for standard input; the other members are zero at first. */
struct shard_lines {
	const char *name;
	FILE *file;
	char *line;
	size_t room;
	size_t number; /* of the line, from 1 */
};
/* Reads the next shard, to be freed with shard_fini.  False after the last one, and after a failure, which it reports
 * and stores in *status. */
bool shard_lines_next(struct shard_lines *l, struct shard *s, enum status *status);
void shard_lines_close(struct shard_lines *l);

/* The path of the part of a shard: FOLDER/KEY.ENDING, or until it is complete a name that no other process uses.  The
 * caller frees it. */
char *shard_part(const char *folder, const char *key, const char *ending, bool complete);
/* Makes a part complete: flushes it to disk and renames it.  0 or an errno. */
int shard_publish(const char *from, const char *to);

#endif
