#include "verbs.h"

#ifdef URLSIFT_WITH_SQLITE

#include "index/index.h"
#include "input/folder.h"
#include "input/memory.h"
#include "input/pool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The options that an index was made with ----------------------------------------- */

enum { MOST = 128, VALUE = 512 };

struct used_options {
	size_t count;
	const char *name[MOST + 1], *value[MOST + 1]; /* sorted by name, then NULL */
	char text[MOST][2 * VALUE];
};

enum status index_begin_with(struct index *x, const struct options *o)
{
	struct used_options *u = memory_get(sizeof *u);
	for (const struct option *row = option_table; row->name && u->count < MOST; row++) {
		char *text = u->text[u->count], *value = text + snprintf(text, VALUE, "--%s", row->name) + 1;
		bool given = !row->how && row->verbs & VERB_INDEX && option_text(o, row, value, VALUE);
		for (size_t i = 0; i < o->filter_count; i++) {
			if (strcmp(o->filters[i].name, row->name))
				continue;
			char *end = value + strlen(value);
			snprintf(end, (size_t)(text + sizeof *u->text - end), "%s%s", text_if(given, "\n"), o->filters[i].value);
			given = true;
		}
		if (given)
			u->name[u->count++] = text;
	}
	if (!urlsift_dependency_version(URLSIFT_DEPENDENCY_PCRE2, NULL, 0)) /* its columns of verdicts are NULL */
		u->name[u->count++] = "--without-pcre2\0";
	qsort(u->name, u->count, sizeof *u->name, folder_by_name);
	for (size_t i = 0; i < u->count; i++)
		u->value[i] = u->name[i] + strlen(u->name[i]) + 1;
	enum status status = index_begin(x, u->name, u->value);
	free(u);
	return status;
}

/* ---- The verb -------------------------------------------------------------------------- */

/* URLSIFT_COMMIT is the number of links after which a transaction may end, for tests. */
struct index_options index_options_of(const struct options *o, const char *path)
{
	enum { HELD = POOL_WAITING / 1024 / 1024 }; /* by the pool, at the cost of the cache */
	const struct archive_options *a = &o->archive;
	const long links = strtol(memory_text(getenv("URLSIFT_COMMIT")), NULL, 10);
	return (struct index_options){
		.path = path, .root = a->root, .label = o->run.in.label, .prune = a->prune, .full = a->full,
		.append_only = a->append_only, .summary = o->run.summary,
		.cache = a->cache - (o->run.jobs > 1 && a->cache >= 4 * HELD ? HELD : 0),
		.commit_links = links > 0 ? links : INDEX_COMMIT_LINKS, .part = o->run.in.shard, .jobs = o->run.jobs
	};
}

/* Ends the run.  A new database in which nothing is, because the run failed, is removed. */
static void end_run(struct index *x, bool new, enum status status)
{
	const bool useless = new && status != STATUS_DONE && index_is_empty(x);
	index_end(x);
	for (size_t i = 0; useless && i < INDEX_FILES; i++) {
		char *name = memory_format("%s%s", x->options.path, index_file_ends[i]);
		unlink(name);
		free(name);
	}
}

/* Into a database, or the part of a shard. */
static enum status make(struct options *o, const char *path)
{
	struct index x = { .options = index_options_of(o, path) };
	const bool new = !o->run.in.shard && access(path, F_OK);
	enum status status = index_begin_with(&x, o);
	char *folder = database_folder(path);
	o->run.consumer = &x.consumer;
	o->run.box.folder = folder;
	if (status == STATUS_DONE)
		status = text_verb_spares(&o->run, path);
	if (status == STATUS_DONE)
		status = text_verb(o);
	end_run(&x, new, status);
	o->run.box.folder = NULL;
	free(folder);
	return status;
}

/* ---- --merge ----------------------------------------------------------------------------- */

/* The parts of all shards.  STATUS_INPUT when some are missing. */
static enum status list_parts(const struct options *o, char ***name, size_t *count)
{
	struct shard_lines lines = { .name = o->archive.shards_from };
	struct shard shard;
	enum status status = STATUS_DONE;
	size_t missing = 0;
	*name = NULL;
	*count = 0;
	if (!o->archive.parts)
		return report_usage("--shards-from needs --parts");
	if (access(o->archive.parts, R_OK | X_OK) && errno != ENOENT)
		return report_input("%s: %s", o->archive.parts, strerror(errno));
	while (shard_lines_next(&lines, &shard, &status)) {
		char *part = shard_part(o->archive.parts, shard.key, "db", true);
		MEMORY_ADD(*name, *count) = part;
		shard_fini(&shard);
		missing += access(part, F_OK) != 0;
	}
	shard_lines_close(&lines);
	if (status != STATUS_DONE || missing == 0)
		return status;
	return report_input("%s: %zu of %zu parts are missing; 'urlsift shards --todo' names them", o->archive.parts,
	                    missing, *count);
}

static enum status merge(struct options *o, const char *path)
{
	struct settings *s = &o->run;
	struct index x = { .options = index_options_of(o, path) };
	char **name = s->in.files;
	size_t count = s->in.file_count;
	const bool new = access(path, F_OK);
	enum status status = STATUS_DONE;
	for (size_t i = 0; i < count; i++)
		if (folder_is(name[i]))
			return report_usage("%s: is a folder; name its parts, as in %s/*.db, or --shards-from=FILE --parts=%s",
			                    name[i], name[i], name[i]);
	if (o->archive.shards_from)
		status = list_parts(o, &name, &count);
	if (status == STATUS_DONE) {
		if (count == 0)
			return o->archive.shards_from ? report_input("%s: there are no shards in it", o->archive.shards_from)
			       : report_usage("--merge needs the names of parts, or --shards-from");
		status = index_begin_with(&x, o);
		if (status == STATUS_DONE)
			status = index_merge(&x, name, count);
	}
	end_run(&x, new, status);
	if (o->archive.shards_from)
		memory_free_all(name, count);
	return status;
}

/* ---- --shards-from without --parts ------------------------------------------------------- */

/* Into parts that are merged at once, and that a run that goes on after this one finds. */
static enum status make_from_shards(struct options *o, const char *path)
{
	size_t count = 0;
	if (!strcmp(o->archive.shards_from, "-"))
		return report_usage("--shards-from=- needs --parts");
	char *parts = memory_format("%s.parts", path), **name = NULL;
	o->archive.parts = parts;
	enum status status = parts_verb_each(o, "db", make), merged = status;
	if (status <= STATUS_INPUT)
		merged = merge(o, path);
	if (merged != STATUS_OUTPUT && list_parts(o, &name, &count) == STATUS_DONE) {
		for (size_t i = 0; i < count; i++)
			unlink(name[i]);
		rmdir(parts);
	}
	memory_free_all(name, count);
	free(parts);
	return status_worse(merged, status);
}

enum status index_verb(struct options *o)
{
	struct settings *s = &o->run;
	if (o->archive.shards_from && o->archive.parts && !o->archive.merge)
		return parts_verb_each(o, "db", make);
	if (s->in.file_count == 0)
		return report_usage("index needs the name of a database");
	const char *path = *s->in.files++;
	s->in.file_count--;
	if (!strcmp(path, "-"))
		return report_usage("index needs the name of a database before '-', as in 'urlsift index links.db -'");
	if (o->archive.shards_from && s->in.file_count > 0)
		return report_usage("--shards-from and files cannot be used together");
	if (o->archive.merge)
		return merge(o, path);
	if (o->archive.shards_from)
		return make_from_shards(o, path);
	if (o->archive.parts)
		return report_usage("--parts needs --shards-from");
	options_read_here(o);
	if (s->in.file_count == 0 && !s->in.files_from && (o->archive.prune || isatty(STDIN_FILENO)))
		return report_usage("index needs files to read, or - for standard input");
	return make(o, path);
}

#endif
