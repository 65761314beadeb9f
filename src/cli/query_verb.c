#include "verbs.h"

#ifdef URLSIFT_WITH_SQLITE

#include "sandbox.h"

#include "index/query.h"
#include "input/folder.h"
#include "input/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *question(unsigned i) { return query_table[i].name; }

const char *query_word(size_t i, const void *of)
{
	(void)of;
	return question((unsigned)i);
}

void query_list(void)
{
	for (const struct query *q = query_table; q->name; q++)
		printf("%-8s  %-15s  %s\n", q->name, q->usage, q->help);
}

/* A question that there is not: the nearest one, or all. */
static enum status no_question(const char *word, const char *database)
{
	char names[REPORT_NAMES];
	if (word[strcspn(word, ".:/")])
		return report_usage_of("query", "no such question '%s'; its links are those of 'urlsift query %s %s %s'", word,
		                       database, strchr(word, '/') ? "posts" : "links", word);
	const char *near = nearest_word(word, query_word, NULL);
	if (near)
		return report_usage_of("query", "no such question '%s' (did you mean %s?)", word, near);
	report_names(names, question, ", ");
	return report_usage_of("query", "no such question '%s', only %s; a word within URLs is found by sqlite3 %s "
	                       "\"SELECT * FROM links WHERE url LIKE '%%WORD%%'\"", word, names, database);
}

static enum status ask(struct options *o)
{
	struct settings *s = &o->run;
	if (s->in.file_count < 2 && !o->query.sql) {
		if (s->in.file_count > 0 && access(s->in.files[0], F_OK)) {
			report("%s: %s", s->in.files[0], strerror(errno));
			return STATUS_OUTPUT;
		}
		query_list();
		return help_end();
	}
	/* the statement needs no database */
	const size_t name = s->in.file_count > 1;
	if (s->in.file_count == 0)
		return report_usage_of("query", "query --sql needs the name of a question");
	const struct query *q = row_named(query_table, sizeof *q, s->in.files[name]);
	if (!q) {
		if (row_named(query_table, sizeof *q, s->in.files[0]))
			return report_usage_of("query", "the database comes first, as in 'urlsift query %s %s'", s->in.files[1],
			                       s->in.files[0]);
		return no_question(s->in.files[name], name > 0 ? s->in.files[0] : "DATABASE");
	}
	const bool json = !strcmp(s->out.format, "json");
	const struct query_options options = {
		.path = s->in.files[0], .query = q, .arguments = s->in.files + 2, .count = s->in.file_count - name - 1,
		.format = o->query.csv ? QUERY_CSV : json ? QUERY_JSON : QUERY_TABS,
		.header = o->query.header, .spreadsheet = s->out.spreadsheet, .terminal = s->out.terminal,
		.from = o->query.from, .since = o->query.since, .until = o->query.until,
		.no_footers = o->query.no_footers, .fail_if_none = s->fail_if_none
	};
	/* nor does its SQL need arguments */
	static const struct { bool least; size_t most; const char *example; } counts[] = {
		[QUERY_NONE] = { 0, 0, NULL }, [QUERY_URLS] = { 1, SIZE_MAX, "http://a.example/" },
		[QUERY_ANY_HOST] = { 0, 1, NULL },
		[QUERY_URL_OR_HOST] = { 1, 2, "a.example" }, [QUERY_HOST_OF_DATE] = { 1, 2, "a.example" },
		[QUERY_DATE] = { 1, 1, "2024-05-31" }, [QUERY_MSGID] = { 1, 1, "id@a.example" }
	};
	const size_t least = o->query.sql ? 0 : counts[q->arguments].least, most = counts[q->arguments].most;
	if (options.count < least)
		return report_usage_of("query", "query %s needs %s, as in 'urlsift query %s %s %s'", q->name, q->usage,
		                       options.path, q->name, counts[q->arguments].example);
	if (options.count > most)
		return most == 0 ? report_usage_of("query", "query %s takes no arguments", q->name)
		       : report_usage_of("query", "query %s takes %s, not '%s' too", q->name, q->usage,
		                         options.arguments[most]);
	/* SQLite may write files beside the database. */
	char *folder = database_folder(options.path); /* NULL: query_run says why the database cannot be read */
	const struct sandbox box = { .reads = s->in.files, .read_count = 1, .writes = folder };
	enum status status = STATUS_OUTPUT;
	if (o->query.sql)
		status = query_print(&options);
	else if (!folder || sandbox_begin(s, &box))
		status = query_run(&options);
	free(folder);
	return status_worse(status, help_end());
}

enum status query_verb(struct options *o)
{
	char **first = o->run.in.files;
	/* A folder of pages holds its index. */
	char *plan = o->run.in.file_count ? memory_format("%s/.urlsift/plan.db", *first) : NULL;
	if (plan && folder_is(*first) && !access(plan, F_OK))
		*first = plan;
	enum status status = ask(o);
	free(plan);
	return status;
}

#else

void query_list(void) {}

const char *query_word(size_t i, const void *of)
{
	(void)i;
	(void)of;
	return NULL;
}

#endif
