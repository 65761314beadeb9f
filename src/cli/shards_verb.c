#include "verbs.h"

#include "input/public_inbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 10000, COMMITS = 10000 }; /* in a shard */

/* Large mailboxes are read, to find where messages begin; other files are collected.  All this is in the order of the
 * inputs since there is one job at a time. */
struct division {
	uint64_t size;       /* of a shard, about */
	unsigned long count; /* shards so far */
	struct shard group;  /* files that are not cut */
	struct shard_file mailbox;   /* being cut; name NULL: none */
	const struct source *source; /* of it */
	uint64_t from, line;
	enum status status;  /* of inputs that were left out */
};

/* ---- Writing ---------------------------------------------------------------------------- */

static void put(struct division *c, struct shard *s)
{
	snprintf(s->key, sizeof s->key, "%08lx", c->count++);
	shard_write(s, stdout);
}

static void put_group(struct division *c)
{
	if (c->group.file_count > 0)
		put(c, &c->group);
	shard_fini(&c->group);
}

/* ---- What becomes of an input -------------------------------------------------------------- */

static void fail(struct division *c, const char *path, const char *why)
{
	c->status = report_input("%s: %s", path, why);
}

struct epoch {
	struct division *division;
	const char *path;
};

static int put_commits(void *user, const struct commit_range *range)
{
	struct epoch *e = user;
	struct shard_file file = { (char *)e->path, 0, 0 }; /* it is not changed */
	struct shard s = { .kind = FOLDER_EPOCH, .file = &file, .file_count = 1, .count = range->count };
	memcpy(s.after, range->after, sizeof s.after);
	put(e->division, &s);
	return 0;
}

static void plan(void *user, const struct input_item *item, struct input_plan *to)
{
	struct division *c = user;
	struct stat status = { 0 }; /* also of what is not found */
	char why[WHY_SIZE] = "";
	const bool found = !stat(item->path, &status);
	to->skip = true;
	if (!shard_can_name(item->path)) {
		fail(c, item->path, "shards need names in UTF-8");
	} else if (item->kind == FOLDER_EPOCH) {
		struct epoch e = { c, item->path };
		put_group(c);
		int error = public_inbox_cut(item->path, COMMITS, put_commits, &e);
		if (error)
			fail(c, item->path, error == EIO ? "git could not read it" : strerror(error));
	} else if (strcmp(item->path, "-") && (!found || S_ISDIR(status.st_mode))) {
		to->skip = false; /* which says why it cannot be read */
	} else if (!S_ISREG(status.st_mode)) {
		fail(c, item->path, "only files can be cut into shards");
	} else if (!item->folder && (uint64_t)status.st_size > c->size + c->size / 2
	           && source_is_mailbox(item->path, 0, why)) {
		put_group(c);
		to->skip = false;
	} else {
		if (*why)
			fail(c, item->path, why);
		struct shard *g = &c->group;
		const uint64_t size = (uint64_t)status.st_size;
		const bool together = !strcmp(memory_text(g->folder), memory_text(item->folder));
		if (g->file_count == FILES_MOST || g->bytes + size > c->size || !together)
			put_group(c);
		if (g->file_count == 0 && item->folder)
			g->folder = memory_copy(item->folder);
		g->kind = item->kind;
		MEMORY_ADD(g->file, g->file_count) =
			(struct shard_file){ memory_copy(item->path), size, source_mtime(&status) };
		g->bytes += size;
	}
}

/* ---- Cutting a mailbox ----------------------------------------------------------------------- */

static void on_open(void *user, const struct opened *o)
{
	struct division *c = user;
	free(c->mailbox.name);
	c->mailbox = (struct shard_file){ memory_copy(o->item.path), o->size, o->mtime };
	c->from = 0;
	c->line = 1;
}

static void on_kind(void *user, urlsift_mail_kind kind, const struct source *file)
{
	struct division *c = user;
	(void)kind;
	c->source = file;
}

static void cut_at(struct division *c, uint64_t to, uint64_t line)
{
	struct shard s = { .file = &c->mailbox, .file_count = 1, .from = c->from, .to = to, .line = c->line,
	                   .bytes = to - c->from };
	put(c, &s);
	c->from = to;
	c->line = line;
}

/* Not at an article of a digest, which has no From_ line. */
static void on_message(void *user, const urlsift_message *m)
{
	struct division *c = user;
	char from[5] = "";
	if (m->offset - c->from < c->size || c->mailbox.size - m->offset < c->size / 2)
		return;
	ssize_t n = source_read_at(c->source, m->offset, from, sizeof from);
	if (n < 0)
		fail(c, c->mailbox.name, strerror(errno));
	else if (!memcmp(from, "From ", sizeof from))
		cut_at(c, m->offset, m->line);
}

static void on_close(void *user, bool complete, bool last)
{
	struct division *c = user;
	(void)complete, (void)last;
	cut_at(c, c->mailbox.size, 0);
}

/* ---- The verb -------------------------------------------------------------------------------- */

enum status shards_verb(struct options *o)
{
	struct settings *s = &o->run;
	if (o->archive.todo) {
		/* The lines that have no part yet, or one where nothing could be read, as they are. */
		struct shard_lines lines = { .name = o->archive.shards_from };
		struct shard shard;
		enum status status = STATUS_DONE;
		while (shard_lines_next(&lines, &shard, &status)) {
			if (!parts_verb_has(o, shard.key, "ndjson", &status) && !parts_verb_has(o, shard.key, "db", &status))
				fputs(lines.line, stdout);
			shard_fini(&shard);
		}
		shard_lines_close(&lines);
		return status_worse(status, help_end());
	}
	if (s->in.file_count == 0 && !s->in.files_from && !s->in.recursive)
		return report_usage("shards needs the names of files");
	struct division c = { .size = s->shard_size };
	const struct consumer consumer = {
		.plan = plan, .on = { .input = { .open = on_open, .kind = on_kind, .close = on_close }, .message = on_message },
		.outline = true, .user = &c
	};
	s->consumer = &consumer;
	s->jobs = 1;
	s->headers = URLSIFT_HEADERS_NONE;
	enum status status = text_verb(o);
	put_group(&c);
	free(c.mailbox.name);
	return status_worse(status_worse(status, c.status), help_end());
}
