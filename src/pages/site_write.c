/* Writing pages: what is put is compared with the existing page, and only what differs is written, to another file,
 * which gets the name of the page when it is whole. */
#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/descriptor.h"
#include "input/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void check(struct site *s, int error)
{
	site_check(s, s->section, s->name, error);
}

/* The new content is that of the old file up to s->at, a multiple of SITE_BLOCK; what follows differs. */
static int begin_new(struct site *s)
{
	enum { HOW = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW };
	int error = 0;
	s->differs = true;
	s->new = openat(s->folder[SECTION_TOP], s->part, HOW, 0666);
	if (s->new < 0)
		return errno;
	for (uint64_t at = 0; at < s->at && !error; at += SITE_BLOCK)
		if (descriptor_read_at(s->old, at, s->was, SITE_BLOCK) == SITE_BLOCK)
			error = report_write(s->new, s->was, SITE_BLOCK);
		else
			error = EIO;
	return error;
}

void site_write_begin(struct site *s)
{
	s->at = s->used = 0;
	s->differs = false;
	/* O_NONBLOCK: if somebody made a FIFO of that name, opening does not wait, and what is read differs. */
	if (!s->made[s->section])
		s->old = openat(s->folder[s->section], s->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (s->old < 0)
		check(s, begin_new(s));
}

void site_write(struct site *s, bool last)
{
	progress_add(s->progress, s->used);
	/* The last block of a page is the same if the old one ends there. */
	if (!s->differs && descriptor_read_at(s->old, s->at, s->was, s->used + last) == (ssize_t)s->used
	    && !memcmp(s->was, s->data, s->used)) {
		s->at += s->used;
	} else {
		check(s, s->differs ? 0 : begin_new(s));
		check(s, report_write(s->new, s->data, s->used)); /* it fails too where that did, which is reported */
	}
	s->used = 0;
}

void site_write_end(struct site *s)
{
	const int *folder = s->folder, closed = descriptor_close(&s->new);
	descriptor_close(&s->old);
	check(s, closed);
	const bool takes = s->differs && plan_good(s->plan); /* the place of the old one */
	check(s, errno_if(takes && renameat(folder[SECTION_TOP], s->part, folder[s->section], s->name)));
}

#endif
