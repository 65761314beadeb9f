#include "verbs.h"

#ifdef URLSIFT_WITH_SQLITE
#include "index/index.h"
#endif
#include "input/descriptor.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Parts that are there --------------------------------------------------------------- */

/* Whether the summary at the end of the records says that no file was read, and that there were errors. */
static bool records_are_unread(const char *part)
{
	enum { LONGEST = 1024 };
	char end[LONGEST + 1];
	struct stat file = { 0 };
	int fd = open(part, O_RDONLY | O_CLOEXEC);
	fstat(fd, &file);
	end[bytes_moved(descriptor_read_at(fd, excess((size_t)file.st_size, LONGEST), end, LONGEST))] = '\0';
	descriptor_close(&fd);
	const char *summary = strstr(end, "{\"type\":\"summary\",");
	return summary && strstr(summary, "\"files\":0,") && !strstr(summary, "\"errors\":0,");
}

#ifndef URLSIFT_WITH_SQLITE
#define index_is_unread(part, status) ((void)(status), false)
#endif

bool parts_verb_has(const struct options *o, const char *key, const char *ending, enum status *status)
{
	char *part = shard_part(o->archive.parts, key, ending, true);
	bool has = !access(part, F_OK);
	if (has)
		has = !(strcmp(ending, "db") ? records_are_unread(part) : index_is_unread(part, status));
	free(part);
	return has;
}

/* ---- Each shard ------------------------------------------------------------------------- */

/* A part that is there was made by someone else. */
static enum status make_part(struct options *o, const char *key, const char *ending, parts_run *run)
{
	char *to = shard_part(o->archive.parts, key, ending, true);
	char *from = shard_part(o->archive.parts, key, ending, false);
	enum status status = STATUS_DONE;
	if (!parts_verb_has(o, key, ending, &status) && status == STATUS_DONE) {
		struct memory_undo undo;
		unlink(from);
		memory_undo_add(&undo, memory_undo_file, from);
		status = run(o, from);
		if (status <= STATUS_INPUT)
			status = status_worse(status, report_output(to, shard_publish(from, to)));
		unlink(from); /* what has not got its name */
		memory_undo_remove(&undo);
	}
	free(to);
	free(from);
	return status;
}

enum status parts_verb_each(struct options *o, const char *ending, parts_run *run)
{
	struct shard_lines lines = { .name = o->archive.shards_from };
	struct shard shard;
	enum status status = STATUS_DONE, each = STATUS_DONE;
	if (o->run.in.file_count > 0)
		return report_usage("--shards-from and files cannot be used together%s", text_if(o->verb->bit & VERB_INDEX,
		                    ", nor --parts and a database; --merge adds the parts to one"));
	if (o->archive.parts) {
		if (mkdir(o->archive.parts, 0777) && errno != EEXIST)
			return report_output(o->archive.parts, errno);
		/* What killed workers left is removed, if nobody can be writing it any more. */
		enum { DAY = 24 * 60 * 60 };
		DIR *d = opendir(o->archive.parts);
		for (const char *name; (name = directory_next(d));) {
			struct stat file = { 0 };
			fstatat(dirfd(d), name, &file, AT_SYMLINK_NOFOLLOW);
			if (*name == '.' && text_ends(name, strlen(name), ".part") && S_ISREG(file.st_mode) &&
			    time(NULL) - file.st_mtime > DAY)
				unlinkat(dirfd(d), name, 0);
		}
		directory_close(d);
	}
	while (status <= STATUS_INPUT && shard_lines_next(&lines, &shard, &each)) {
		o->run.in.shard = &shard;
		o->run.out.key = shard.key;
		status = status_worse(status, o->archive.parts ? make_part(o, shard.key, ending, run) : run(o, NULL));
		shard_fini(&shard);
		o->run.in.shard = NULL;
	}
	shard_lines_close(&lines);
	return status_worse(status, each);
}

/* ---- list ------------------------------------------------------------------------------- */

static enum status list_shard(struct options *o, const char *path)
{
	struct settings *s = &o->run;
	s->jobs = 1; /* the records are numbered */
	s->summary = !strcmp(s->out.format, "json");
	if (!path)
		return text_verb(o);
	s->output_name = path;
	s->output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (s->output < 0)
		return report_output(path, errno);
	enum status status = text_verb(o);
	return status_worse(status, report_output(path, descriptor_close(&s->output)));
}

enum status parts_verb_list(struct options *o)
{
	return o->archive.shards_from ? parts_verb_each(o, "ndjson", list_shard) : text_verb(o);
}
