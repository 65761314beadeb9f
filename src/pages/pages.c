#include "collect.h"
#include "page.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef URLSIFT_WITH_SQLITE

struct pages *pages_new(const struct pages_options *options, char *why)
{
	struct pages *p = calloc(1, sizeof *p);
	if (!p) {
		snprintf(why, PAGES_WHY, "out of memory");
		return NULL;
	}
	p->options = *options;
	bool good = plan_init(&p->plan, options->folder) && site_init(&p->site, &p->plan, options->folder);
	if (good) {
		p->plan.fragments = site_temporary(&p->site);
		p->taker = taker_new(&p->plan);
	}
	snprintf(why, PAGES_WHY, "%s", p->plan.why);
	if (!*why)
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

static void *new_encoder(void *user, urlsift_context *context, struct buf *out)
{
	const struct pages *p = user;
	return page_encoder_new(context, &p->options, out);
}

struct consumer pages_consumer(struct pages *p, enum status (*take)(void *user, const char *bytes, size_t n))
{
	return (struct consumer){
		.encoder_new = new_encoder, .encoder_free = page_encoder_free,
		.name = page_encoder_source, .source = page_encoder_source, .source_end = page_encoder_source_end,
		.message = page_encoder_message, .place = page_encoder_place, .piece = page_encoder_piece,
		.close = page_encoder_close, .restart = page_encoder_restart, .take = take, .user = p,
		.waiting = 24 * 1024 * 1024,
	};
}

void pages_take(struct pages *p, const char *bytes, size_t n)
{
	taker_take(p->taker, bytes, n);
}

const char *pages_failure(const struct pages *p)
{
	return *p->plan.why ? p->plan.why : NULL;
}

const char *pages_write(struct pages *p, bool complete)
{
	taker_free(p->taker);
	p->taker = NULL;
	plan_order(&p->plan);
	page_write_style(p);
	thread_pages_write(p);
	month_pages_write(p);
	host_pages_write(p);
	if (complete)
		site_remove_others(&p->site, thread_pages_write_moved, p);
	return pages_failure(p);
}

#else

/* pages_new fails, so the others are not called. */
struct pages *pages_new(const struct pages_options *options, char *why)
{
	(void)options;
	snprintf(why, PAGES_WHY, "--output needs SQLite, which is not built in");
	return NULL;
}

struct consumer pages_consumer(struct pages *p, enum status (*take)(void *user, const char *bytes, size_t n))
{
	return (struct consumer){ .take = take, .user = p };
}

void pages_take(struct pages *p, const char *bytes, size_t n)
{
	(void)p, (void)bytes, (void)n;
}

const char *pages_failure(const struct pages *p)
{
	(void)p;
	return NULL;
}

const char *pages_write(struct pages *p, bool complete)
{
	(void)p, (void)complete;
	return NULL;
}

void pages_free(struct pages *p)
{
	(void)p;
}

#endif
