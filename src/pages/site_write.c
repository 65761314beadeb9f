/* Writing pages: a block is compared with the existing page, and only what differs is written, to another file, which
 * gets the name of the page when it is whole. */
#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/descriptor.h"
#include "input/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- A page ------------------------------------------------------------------------------- */

/* The new content is that of the old file up to w->at, a multiple of SITE_BLOCK; what follows differs. */
static int begin_new(struct site *s)
{
	struct site_writer *w = &s->writer;
	int error = 0;
	w->differs = true;
	/* The name is free, unless a killed process left a file of it. */
	enum { HOW = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW };
	const int top = s->folder[SECTION_TOP];
	w->new = openat(top, SITE_PART, HOW, 0666);
	if (w->new < 0 && errno == EEXIST && !unlinkat(top, SITE_PART, 0))
		w->new = openat(top, SITE_PART, HOW, 0666);
	if (w->new < 0)
		return errno;
	for (uint64_t at = 0; at < w->at && !error; at += SITE_BLOCK)
		if (descriptor_read_at(w->old, at, w->was, SITE_BLOCK) == SITE_BLOCK)
			error = report_write(w->new, w->was, SITE_BLOCK);
		else
			error = EIO;
	return error;
}

/* The last block of a page is the same if the old one ends there. */
static int write_content(struct site *s, const struct site_block *b)
{
	struct site_writer *w = &s->writer;
	if (!w->differs && descriptor_read_at(w->old, w->at, w->was, b->used + b->last) == (ssize_t)b->used
	    && !memcmp(w->was, b->data, b->used)) {
		w->at += b->used;
		return 0;
	}
	int error = w->differs ? 0 : begin_new(s);
	return error ? error : report_write(w->new, b->data, b->used);
}

/* Returns 0 or an errno. */
static int write_block(struct site *s, const struct site_block *b)
{
	struct site_writer *w = &s->writer;
	int error = 0;
	if (b->first) {
		w->at = 0;
		w->differs = false;
		/* O_NONBLOCK: if somebody made a FIFO of that name, opening does not wait, and what is read differs. */
		w->old = openat(s->folder[b->section], b->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
		error = w->old < 0 ? begin_new(s) : 0;
	}
	error = error ? error : write_content(s, b);
	if (!b->last)
		return error;
	const int closed = descriptor_close(&w->new);
	descriptor_close(&w->old);
	error = error ? error : closed;
	if (!error && w->differs && renameat(s->folder[SECTION_TOP], SITE_PART, s->folder[b->section], b->name))
		error = errno;
	return error;
}

/* ---- Blocks ------------------------------------------------------------------------------- */

static void lock(struct site_writer *w)
{
	if (w->threaded)
		pthread_mutex_lock(&w->lock);
}

static void unlock(struct site_writer *w)
{
	if (w->threaded)
		pthread_mutex_unlock(&w->lock);
}

/* Writes the next block, unless something has failed. */
static void write_next(struct site *s)
{
	struct site_writer *w = &s->writer;
	const struct site_block *b = &w->block[w->written % SITE_BLOCKS];
	int error = w->error ? 0 : write_block(s, b);
	lock(w);
	if (error) {
		w->error = error;
		w->section = b->section;
		memcpy(w->name, b->name, sizeof w->name);
	}
	w->written++;
	if (w->threaded)
		pthread_cond_signal(&w->changed);
	unlock(w);
}

static void *run(void *site)
{
	struct site *s = site;
	struct site_writer *w = &s->writer;
	for (bool more = true; more;) {
		pthread_mutex_lock(&w->lock);
		while (w->written == w->passed && !w->ends)
			pthread_cond_wait(&w->changed, &w->lock);
		more = w->written < w->passed;
		pthread_mutex_unlock(&w->lock);
		if (more)
			write_next(s);
	}
	return NULL;
}

static void check(struct site *s, int error)
{
	if (error && plan_good(s->plan))
		site_fail(s, s->writer.section, s->writer.name, error);
}

void site_write_pass(struct site *s)
{
	struct site_writer *w = &s->writer;
	const struct site_block *b = s->block;
	progress_add(&s->progress, b->used);
	lock(w);
	w->passed++;
	if (w->threaded)
		pthread_cond_signal(&w->changed);
	else
		write_next(s);
	while (w->passed - w->written == SITE_BLOCKS) /* not without a thread, which has written it */
		pthread_cond_wait(&w->changed, &w->lock);
	const int error = w->error;
	s->block = &w->block[w->passed % SITE_BLOCKS];
	unlock(w);
	check(s, error);
	s->block->section = b->section;
	memcpy(s->block->name, b->name, sizeof b->name);
	s->block->first = s->block->last = false;
	s->block->used = 0;
}

void site_write_begin(struct site *s)
{
	struct site_writer *w = &s->writer;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->ends = false;
	w->threaded = true;
	w->threaded = !pthread_create(&w->thread, NULL, run, s);
	if (w->threaded)
		return;
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
}

void site_write_end(struct site *s)
{
	struct site_writer *w = &s->writer;
	if (!w->threaded)
		return;
	pthread_mutex_lock(&w->lock);
	w->ends = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	w->threaded = false;
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	check(s, w->error);
}

#endif
