#include "verbs.h"

#ifdef URLSIFT_WITH_SQLITE

#include "index/index.h"

#include <stdlib.h>
#include <string.h>

/* ---- The options that an index was made with ----------------------------------------- */

enum { MOST = 128, VALUE = 512 };

struct used_options {
	size_t count;
	const char *name[MOST + 1], *value[MOST + 1]; /* sorted by name, then NULL */
	char text[MOST][2 * VALUE];
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds --name, or appends another value to the one that was added last. */
static void add(struct used_options *u, const char *name, const char *value)
{
	char *to = u->count > 0 ? u->text[u->count - 1] : NULL;
	size_t n = to ? strlen(to) + 1 : 0;
	if (to && !strcmp(to + 2, name)) {
		snprintf(to + n + strlen(to + n), sizeof *u->text - n - strlen(to + n), "\n%s", value);
	} else if (u->count < MOST) {
		to = u->text[u->count++];
		n = (size_t)snprintf(to, VALUE, "--%s", name) + 1;
		snprintf(to + n, sizeof *u->text - n, "%s", value);
	}
}

static void collect(struct used_options *u, const struct options *o)
{
	char value[VALUE];
	for (const struct option *row = option_table; row->name; row++) {
		if (row->how || !(row->verbs & VERB_INDEX))
			continue;
		if (option_text(o, row, value, sizeof value))
			add(u, row->name, value);
		for (size_t i = 0; i < sizeof o->filters / sizeof *o->filters && o->filters[i].name; i++)
			if (!strcmp(o->filters[i].name, row->name))
				add(u, row->name, o->filters[i].value);
	}
	for (size_t i = 0; i < u->count; i++)
		u->name[i] = u->text[i];
	if (u->count > 1)
		qsort(u->name, u->count, sizeof *u->name, by_name);
	for (size_t i = 0; i < u->count; i++)
		u->value[i] = u->name[i] + strlen(u->name[i]) + 1;
}

/* URLSIFT_COMMIT is the number of links after which a transaction may end, for tests. */
static long commit_links(void)
{
	const char *wanted = getenv("URLSIFT_COMMIT");
	long n = wanted ? strtol(wanted, NULL, 10) : 0;
	return n > 0 ? n : INDEX_COMMIT_LINKS;
}

/* ---- The verb -------------------------------------------------------------------------- */

enum status index_verb(struct options *o)
{
	struct settings *s = &o->run;
	struct index x = { .options = { .root = o->root, .prune = o->prune, .full = o->full, .summary = s->summary,
	                                .cache = o->cache, .commit_links = commit_links() } };
	if (s->file_count == 0)
		return report_usage("index needs the name of a database");
	struct used_options *used = calloc(1, sizeof *used);
	if (!used) {
		report("out of memory");
		return STATUS_OUTPUT;
	}
	collect(used, o);
	x.options.path = *s->files++;
	s->file_count--;
	if (s->recursive && s->file_count == 0 && !s->files_from) {
		s->files = &o->here;
		s->file_count = 1;
	}
	enum status status = index_begin(&x, used->name, used->value);
	free(used);
	s->consumer = &x.consumer;
	if (status == STATUS_DONE)
		status = text_verb(o);
	index_end(&x);
	return status;
}

#else

enum status index_verb(struct options *o)
{
	(void)o;
	report("index needs SQLite, which is not built in");
	return STATUS_OUTPUT;
}

#endif
