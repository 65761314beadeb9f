#include "collect.h"
#include "page.h"

#include <stdlib.h>

#ifdef URLSIFT_WITH_SQLITE

struct pages *pages_new(const struct pages_options *options)
{
	struct pages *p = calloc(1, sizeof *p);
	if (!p) {
		report_no_memory();
		return NULL;
	}
	p->options = *options;
	if (plan_init(&p->plan, options->folder) && site_init(&p->site, &p->plan, options->folder)) {
		p->plan.fragments = site_temporary(&p->site);
		p->taker = taker_new(&p->plan);
	}
	if (plan_good(&p->plan))
		return p;
	pages_free(p);
	return NULL;
}

void pages_free(struct pages *p)
{
	taker_free(p->taker);
	site_fini(&p->site);
	plan_fini(&p->plan);
	free(p);
}

static enum status take(void *user, const char *bytes, size_t n)
{
	struct pages *p = user;
	taker_take(p->taker, bytes, n);
	return database_status(&p->plan.db);
}

struct consumer pages_consumer(struct pages *p)
{
	struct consumer consumer = page_encoder;
	consumer.take = take;
	consumer.user = p;
	consumer.waiting = 24 * 1024 * 1024;
	return consumer;
}

enum status pages_write(struct pages *p, bool complete)
{
	taker_free(p->taker);
	p->taker = NULL;
	plan_order(&p->plan);
	page_write_style(p);
	thread_pages_write(p);
	month_pages_write(p);
	host_pages_write(p);
	if (complete)
		site_remove_others(&p->site, p->options.prune, thread_pages_write_moved, p);
	return database_status(&p->plan.db);
}

#endif
