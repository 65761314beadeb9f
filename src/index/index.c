/* For realpath. */
#define _DEFAULT_SOURCE
#include "encode.h"
#include "writer.h"
#include "input/memory.h"

#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Scan options ------------------------------------------------------------------- */

static enum status check_meta(struct database *d, const char *const *name, const char *const *value)
{
	sqlite3_stmt *s;
	if (database_number(d, "SELECT count(*) FROM meta", 0)) {
		/* Reports the first of the options that differ, by its name. */
		enum status status = STATUS_DONE;
		s = database_prepare(d, "SELECT key, coalesce(value, '') FROM meta WHERE key LIKE '--%' ORDER BY key");
		for (; status == STATUS_DONE; name++, value++) {
			const bool row = database_row(d, s);
			if (d->failed || (!row && !*name))
				break;
			const int order = !row ? 1 : !*name ? -1 : strcmp(database_text(s, 0), *name);
			if (order > 0)
				status = report_usage("%s: was made without %s", d->path, *name);
			else if (order < 0 || strcmp(database_text(s, 1), *value))
				status = report_usage("%s: was made with %s%s%s", d->path, database_text(s, 0),
				                      text_if(*database_text(s, 1), "="), database_text(s, 1));
		}
		sqlite3_finalize(s);
		return status_worse(status, database_status(d));
	}
	database_run(d, "BEGIN IMMEDIATE");
	database_run_with(d, "INSERT INTO meta(key, value) VALUES('version', ?)", urlsift_version());
	s = database_prepare(d, "INSERT INTO meta(key, value) VALUES(?, ?)");
	for (; *name; name++, value++) {
		database_bind(s, "ss", *name, *value);
		database_step(d, s);
	}
	sqlite3_finalize(s);
	database_run(d, "COMMIT");
	return database_status(d);
}

/* What is refused as an index, and as a plan of pages.  An index has no posts, of which pages are made: what it adds to
 * a plan would have no page. */
static const struct { const char *is_other, *why; } others[] = {
	[false] = { "SELECT 1 FROM meta WHERE key = 'html'",
	            "is the plan of pages that 'urlsift html -o' writes; name another file" },
	[true] = { "SELECT EXISTS(SELECT 1 FROM message) AND NOT EXISTS(SELECT 1 FROM post)",
	           "is an index of links; pages need a plan of their own, in another file" }
};

/* ---- The index ----------------------------------------------------------------------- */

enum status index_begin(struct index *x, const char *const *name, const char *const *value)
{
	x->consumer = (struct consumer){ .encoder_new = index_encoder_new, .encoder_free = index_encoder_free,
	                                 .on = index_encoder_events,
	                                 .plan = x->options.part ? NULL : index_plan_input, .take = writer_take,
	                                 .end = writer_end, .user = x, .judges = !x->options.pages,
	                                 .cuts = !x->options.pages };
	if (x->options.root) {
		x->root = realpath(x->options.root, NULL);
		if (!x->root || !folder_is(x->root))
			return report_usage("--root=%s: %s", x->options.root, x->root ? "is not a folder" : strerror(errno));
		x->options.root = x->root;
	}
	x->writer = memory_get(sizeof *x->writer);
	enum status status = writer_init(x->writer, &x->options, &x->plan);
	const bool pages = x->options.pages;
	if (status == STATUS_DONE && database_number(&x->writer->db, others[pages].is_other, 0))
		status = report_usage("%s: %s", x->options.path, others[pages].why);
	if (status == STATUS_DONE)
		status = check_meta(&x->writer->db, name, value);
	const bool fresh = x->writer->next_source == 1 && !x->options.prune;
	return status == STATUS_DONE ? index_plan_init(&x->plan, &x->options, fresh) : status;
}

bool index_is_empty(const struct index *x)
{
	return x->writer && x->writer->next_source == 1 && !x->writer->file.path && !x->writer->db.failed
	       && !database_number(&x->writer->db, "SELECT count(*) FROM source", 0); /* of merged parts */
}

void index_end(struct index *x)
{
	if (x->plan.options)
		index_plan_fini(&x->plan);
	if (x->writer)
		writer_fini(x->writer);
	free(x->writer);
	free(x->root);
	x->plan.options = NULL;
	x->root = NULL;
	x->writer = NULL;
}

bool index_finish(struct index *x)
{
	database_run(&x->writer->db, "PRAGMA wal_autocheckpoint = 1000"); /* as it was before writer_end */
	writer_make_indexes(x->writer);
	writer_commit(x->writer);
	return !x->writer->db.failed;
}

int index_end_locked(struct index *x)
{
	const int lock = x->writer->db.lock;
	x->writer->db.lock = -1;
	index_end(x);
	return lock;
}

#endif
