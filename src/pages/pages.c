#include "collect.h"
#include "page.h"

#include "index/writer.h"
#include "input/descriptor.h"
#include "input/memory.h"

#ifdef URLSIFT_WITH_SQLITE

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct pages *pages_new(const struct pages_options *options, const struct index_options *index)
{
	struct pages *p = memory_get(sizeof *p);
	p->options = *options;
	p->crew = crew_new(p);
	const char *path = p->crew->files.plan;
	p->plan.db = (struct database){ .path = path, .lock = -1 };
	/* Before any connection, as SQLite requires. */
	sqlite3_temp_directory = sqlite3_mprintf("%s/.urlsift", options->folder);
	if (!site_init(&p->site, &p->plan, options->folder)) {
		pages_free(p);
		return NULL;
	}
	/* Nobody else may read what the messages say and where they were read; empty until the index is made. */
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	p->new_plan = fd >= 0;
	descriptor_close(&fd);
	struct stat status;
	if (!options->plan && !lstat(path, &status) && S_ISLNK(status.st_mode)) { /* SQLite would follow it */
		plan_fail(&p->plan, path, "is a symbolic link, which another may have made; name its file with --plan");
		pages_free(p);
		return NULL;
	}
	p->index.options = *index;
	p->index.options.path = path;
	p->index.options.pages = true;
	p->index.options.cache = PAGES_CACHE;
	return p;
}

struct index *pages_index(struct pages *p)
{
	return &p->index;
}

void pages_free(struct pages *p)
{
	index_end(&p->index);
	site_fini(&p->site);
	plan_fini(&p->plan);
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = NULL;
	crew_free(p->crew);
	free(p->address);
	for (size_t i = 0; i < PAGES_KEPT; i++)
		free(p->kept[i]);
	free(p);
}

static void drop_unless(bool valid(const char *), const char **value)
{
	if (!valid(memory_text(*value)))
		*value = NULL;
}

struct consumer pages_consumer(struct pages *p)
{
	/* What pages were published with holds for those of a further run too. */
	struct pages_options *o = &p->options;
	const char *mask = o->mask ? "1" : o->unmask ? "" : NULL;
	const struct { const char *key, **value; } option[PAGES_KEPT] = {
		{ "title", &o->title }, { "lang", &o->lang }, { "css", &o->style }, { "site", &o->site },
		{ "search", &o->search }, { "reply", &o->reply }, { "mask-addresses", &mask }
	};
	struct index_writer *w = p->index.writer;
	struct database *d = &w->db;
	sqlite3_stmt *set = database_prepare(d, "INSERT INTO meta VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET"
	                                        " value = excluded.value WHERE value IS NOT excluded.value");
	sqlite3_stmt *get = database_prepare(d, "SELECT value FROM meta WHERE key = ?");
	for (size_t i = 0; i < PAGES_KEPT; i++) {
		const char **value = option[i].value;
		if (*value)
			plan_run(w, set, "ss", option[i].key, *value);
		else if (plan_find(w, get, "s", option[i].key))
			*value = p->kept[i] = memory_copy(database_text(get, 0));
		sqlite3_reset(get);
		if (!*memory_text(*value)) /* "" means none */
			*value = NULL;
	}
	sqlite3_finalize(set);
	sqlite3_finalize(get);
	/* the database may be another one than that which the options were checked for */
	drop_unless(pages_site_valid, &o->site);
	drop_unless(pages_search_valid, &o->search);
	drop_unless(pages_reply_valid, &o->reply);
	o->mask = mask;
	o->title = text_or(o->title, o->name);
	/* with a slash at its end */
	const size_t n = strlen(memory_text(o->site));
	if (n > 0)
		o->site = p->address = memory_format("%s%s", o->site, text_if(o->site[n - 1] != '/', "/"));
	/* HTML that another version made, or for another language, is made again. */
	char *made = memory_format("%s %s", urlsift_version(), memory_text(p->options.lang));
	const bool same = database_has(d, "SELECT 1 FROM meta WHERE key = 'html' AND value = ?", made);
	if (!same)
		database_run_with(d, "INSERT OR REPLACE INTO meta VALUES('html', ?)", made);
	p->index.options.full |= !same;
	free(made);
	struct consumer consumer = p->index.consumer;
	page_encoder_register(&consumer);
	consumer.waiting = 8 * 1024 * 1024;
	return consumer;
}

/* Whether a page that is there belongs to this run: one of its threads has written it, or its messages have moved. */
static bool keep(void *pages, enum section section, const char *name)
{
	struct pages *p = pages;
	bool noted = false;
	for (size_t i = 0; i < p->crew->count && !noted; i++)
		noted = plan_noted(&p->crew->member[i]->plan, (int64_t)section, name);
	return noted || (section == SECTION_MESSAGES && thread_pages_write_moved(p, name));
}

static void *finish_index(void *pages)
{
	struct pages *p = pages;
	if (!index_finish(&p->index))
		atomic_store(&p->crew->failed, true);
	return NULL;
}

enum status pages_write(struct pages *p, bool complete)
{
	struct progress progress;
	if (p->index.writer->db.failed || p->index.plan.db.failed)
		return STATUS_OUTPUT;
	/* The order of the messages, while another thread finishes the index, if there may be one.  Several connections see
	 * one state: then nobody else changes the plan until its pages are written. */
	pthread_t thread;
	const bool shared = p->options.jobs > 1;
	const bool started = shared && !pthread_create(&thread, NULL, finish_index, p);
	if (!started)
		finish_index(p);
	if (!shared)
		index_end(&p->index);
	site_prepare(&p->site);
	plan_open(&p->plan, &p->crew->files, &p->crew->failed);
	plan_order(&p->plan);
	if (started)
		pthread_join(thread, NULL);
	if (shared)
		p->plan.db.lock = index_end_locked(&p->index);
	if (!plan_good(&p->plan))
		return STATUS_OUTPUT;
	progress_init(&progress, p->options.progress ? PROGRESS_ALWAYS : PROGRESS_ALONE, NULL, 0, true);
	progress.what = " of pages";
	p->site.progress = &progress;
	page_write_style(p);
	p->site.masks = p->options.mask;
	crew_write(p);
	/* a plan that is new does not know the pages of one that was lost */
	if (complete)
		site_remove_others(&p->site, p->index.options.prune || !p->new_plan, keep, p);
	crew_dismiss(p->crew);
	progress_fini(&progress);
	return plan_good(&p->plan) ? STATUS_DONE : STATUS_OUTPUT;
}

#endif
