#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>

static void plan(void *user, const struct input_item *item, struct input_plan *to)
{
	struct index *x = user;
	index_plan_input(&x->plan, item, to);
}

static enum status take(void *user, const char *bytes, size_t n)
{
	struct index *x = user;
	return writer_take(x->writer, bytes, n);
}

static enum status end(void *user)
{
	struct index *x = user;
	return writer_end(x->writer);
}

/* ---- Scan options ------------------------------------------------------------------- */

/* Reports the first of the options that differ, by its name. */
static enum status compare_meta(struct database *d, const char *const *name, const char *const *value)
{
	sqlite3_stmt *s = database_prepare(d, "SELECT key, value FROM meta WHERE key LIKE '--%' ORDER BY key");
	enum status status = s ? STATUS_DONE : STATUS_OUTPUT;
	size_t i = 0;
	int result;
	while (status == STATUS_DONE && ((result = sqlite3_step(s)) == SQLITE_ROW || name[i])) {
		const char *key = result == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
		const char *was = key ? (const char *)sqlite3_column_text(s, 1) : NULL;
		int order = !key ? 1 : !name[i] ? -1 : strcmp(key, name[i]);
		const char *option = order > 0 ? name[i] : key;
		if (order == 0 && was && !strcmp(was, value[i])) {
			i++;
			continue;
		}
		status = report_usage("%s: was made %s%s%s%s", d->path, order > 0 ? "without " : "with ", option ? option : "",
		                      was && *was && order <= 0 ? "=" : "", was && order <= 0 ? was : "");
	}
	sqlite3_finalize(s);
	return status;
}

static enum status check_meta(struct database *d, const char *const *name, const char *const *value)
{
	static const char add[] = "INSERT INTO meta(key, value) VALUES(?, ?)";
	int64_t known;
	if (!database_number(d, "SELECT count(*) FROM meta", 0, &known))
		return STATUS_OUTPUT;
	if (known)
		return compare_meta(d, name, value);
	enum status status = database_run(d, "BEGIN IMMEDIATE");
	if (status == STATUS_DONE)
		status = database_run_with(d, add, "version", urlsift_version());
	for (size_t i = 0; name[i] && status == STATUS_DONE; i++)
		status = database_run_with(d, add, name[i], value[i]);
	return status == STATUS_DONE ? database_run(d, "COMMIT") : status;
}

/* ---- The index ----------------------------------------------------------------------- */

enum status index_begin(struct index *x, const char *const *name, const char *const *value)
{
	x->plan = (struct index_plan){ .db = DATABASE_NONE };
	x->consumer = (struct consumer){ .plan = x->options.part ? NULL : plan, .take = take, .end = end, .user = x };
	index_encoder_register(&x->consumer);
	x->writer = calloc(1, sizeof *x->writer);
	if (!x->writer)
		return report_no_memory();
	x->writer->db.lock = -1;
	enum status status = writer_init(x->writer, &x->options, &x->plan);
	if (status == STATUS_DONE)
		status = check_meta(&x->writer->db, name, value);
	return status == STATUS_DONE ? index_plan_init(&x->plan, &x->options) : status;
}

void index_end(struct index *x)
{
	if (x->plan.options)
		index_plan_fini(&x->plan);
	if (x->writer)
		writer_fini(x->writer);
	free(x->writer);
}

#endif
