/* The threads that write pages: each takes a share of what there is, and reads the plan by connections of its own, so
 * that they share nothing else.  The first one counts the links of hosts while the others begin. */
#include "page.h"

#include "index/words.h"
#include "input/memory.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <sys/resource.h>

/* Another thread takes longer to begin than to write the pages of so many messages. */
enum { MESSAGES_OF_A_THREAD = 200 };

enum { CACHE = 16 * 1024 }; /* KiB, of all threads */

bool share_take(struct share *s, struct plan *p, int64_t *first, int64_t *last)
{
	if (!plan_good(p))
		return false;
	*first = atomic_fetch_add(&s->next, s->step);
	*last = lesser(*first + s->step - 1, s->last);
	return *first <= s->last;
}

bool share_row(struct share *s, struct plan *p, sqlite3_stmt *rows)
{
	int64_t first, last;
	while (!database_row(&p->db, rows)) { /* none at first, where nothing is bound */
		if (!share_take(s, p, &first, &last))
			return false;
		plan_bind(rows, "ii", first, last);
	}
	return true;
}

/* ---- Members ---------------------------------------------------------------------------- */

struct crew *crew_new(struct pages *first)
{
	enum { FIRST = 20, FURTHER = 8 }; /* descriptors of the threads: with few, there is one thread */
	struct crew *c = memory_get(sizeof *c);
	struct pages_options *o = &first->options;
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };
	getrlimit(RLIMIT_NOFILE, &limit);
	o->jobs = limit.rlim_cur < (rlim_t)(FIRST + FURTHER * o->jobs) ? 1 : (long)lesser(o->jobs, SITE_WRITERS);
	c->files.plan = o->plan ? memory_copy(o->plan) : memory_format("%s/.urlsift/plan.db", o->folder);
	c->files.ordered = memory_format("%s/" SITE_ORDERED, o->folder);
	c->files.linked = memory_format("%s/" SITE_LINKED, o->folder);
	c->files.cache = o->jobs > 2 ? CACHE / o->jobs : CACHE / 2;
	c->member[c->count++] = first;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	return c;
}

void crew_free(struct crew *c)
{
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c->files.plan);
	free(c->files.ordered);
	free(c->files.linked);
	free(c);
}

static void leave(struct pages *p)
{
	site_fini(&p->site);
	plan_fini(&p->plan);
	free(p);
}

/* ---- Work ------------------------------------------------------------------------------- */

/* Pages of messages come first, then those that lead to them, and to these at last the pages at the top: wherever a run
 * is killed, no list leads to a message whose page is not there. */

static void add_busy(struct crew *c, int threads)
{
	pthread_mutex_lock(&c->lock);
	c->busy += threads;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* Waits until all threads are here, the first one with the links of hosts. */
static void end_messages(struct crew *c)
{
	add_busy(c, -1);
	pthread_mutex_lock(&c->lock);
	while (c->busy > 0)
		pthread_cond_wait(&c->changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static void write_messages(struct pages *p)
{
	thread_pages_write(p, &p->crew->threads);
	thread_pages_write_addresses(p, &p->crew->addresses);
}

static void write_lists(struct pages *p)
{
	month_pages_write(p, &p->crew->months);
	host_pages_write(p, &p->crew->hosts);
}

static void *run(void *pages)
{
	struct pages *p = pages;
	struct crew *c = p->crew;
	plan_join(&p->plan, &c->files, &c->failed);
	write_messages(p);
	end_messages(c);
	if (plan_good(&p->plan)) {
		plan_join_linked(&p->plan, &c->files);
		write_lists(p);
	}
	return NULL;
}

void crew_write(struct pages *first)
{
	struct crew *c = first->crew;
	struct database *db = &first->plan.db;
	/* Shares of so many that what is prepared for them does not count, and that no thread waits long for another. */
	const int64_t months = database_number(db, "SELECT count(*) FROM months", 0);
	c->months = (struct share){ .next = 0, .last = months * MONTH_VIEWS - 1, .step = 1 };
	const int64_t threads = database_number(db, "SELECT count(*) FROM thread", 0);
	const int64_t messages = database_number(db, "SELECT count(*) FROM spot", 0);
	c->threads = (struct share){ .next = 1, .last = threads, .step = 32 };
	c->addresses = (struct share){ .next = 1, .last = messages, .step = 256 };
	add_busy(c, 1);
	const size_t wanted = smaller((size_t)first->options.jobs, (size_t)(messages / MESSAGES_OF_A_THREAD));
	while (c->count < wanted) {
		struct pages *p = memory_get(sizeof *p);
		p->options = first->options;
		p->crew = c;
		p->plan.db = (struct database){ .path = c->files.plan, .lock = -1 };
		site_join(&p->site, &p->plan, &first->site, (unsigned)c->count);
		c->member[c->count] = p;
		add_busy(c, 1);
		if (pthread_create(&c->thread[c->count], NULL, run, p)) {
			leave(p);
			add_busy(c, -1);
			break;
		}
		c->count++;
	}
	c->hosts = (struct share){ .next = 1, .last = host_pages_count(first), .step = 4 };
	write_messages(first);
	end_messages(c);
	write_lists(first);
	for (size_t i = 1; i < c->count; i++)
		pthread_join(c->thread[i], NULL);
	feed_write(first);
	host_pages_write_list(first);
	month_pages_write_first(first);
}

void crew_dismiss(struct crew *c)
{
	for (; c->count > 1; c->count--)
		leave(c->member[c->count - 1]);
}

#endif
