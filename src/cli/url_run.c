#include "url_run.h"

#include "input/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void url_run_fail(struct url_run *r, const char *what)
{
	report("%s", what);
	r->status = STATUS_INPUT;
}

char *url_run_room(struct url_run *r, struct escape_form *room, size_t n)
{
	if (n <= room->room)
		return room->data;
	char *data = realloc(room->data, 2 * n);
	if (!data) {
		url_run_fail(r, "out of memory");
		return NULL;
	}
	*room = (struct escape_form){ data, 2 * n };
	return data;
}

static void pass_over(struct url_run *r, const char *where, uint64_t offset)
{
	r->status = STATUS_INPUT;
	if (r->limit)
		r->limit(r, offset);
	else
		report("%s: at byte %" PRIu64 ": limit url-length (%ld) reached", where, offset, r->options->max_url);
}

/* ---- Lines of standard input --------------------------------------------- */

struct lines {
	struct url_run *run;
	char *held;      /* the line so far, options->max_url bytes at most */
	size_t used;
	bool over;       /* it is longer */
	uint64_t offset; /* where it begins */
	uint64_t seen;   /* bytes before this block */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void take_line(struct lines *l, const char *p, size_t n)
{
	for (; n > 0 && is_blank(*p); n--)
		p++;
	while (n > 0 && is_blank(p[n - 1]))
		n--;
	l->run->url(l->run, p, n);
}

static void hold(struct lines *l, const char *p, size_t n)
{
	l->over = l->over || n > (size_t)l->run->options->max_url - l->used;
	if (l->over)
		return;
	memcpy(l->held + l->used, p, n);
	l->used += n;
}

static void end_line(struct lines *l)
{
	if (l->over)
		pass_over(l->run, "-", l->offset);
	else
		take_line(l, l->held, l->used);
	l->used = 0;
	l->over = false;
}

static bool take_bytes(struct lines *l, const void *bytes, size_t n)
{
	const char *p = bytes, *end = p + n;
	while (p < end && !l->run->w.error) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t length = (size_t)((stop ? stop : end) - p);
		if (stop && !l->used && !l->over && length <= (size_t)l->run->options->max_url) {
			take_line(l, p, length);
		} else {
			hold(l, p, length);
			if (stop)
				end_line(l);
		}
		if (!stop)
			break;
		p = stop + 1;
		l->offset = l->seen + (uint64_t)(p - (const char *)bytes);
	}
	l->seen += n;
	return !l->run->w.error;
}

static void flush(void *user)
{
	struct url_run *r = user;
	writer_flush(&r->w);
}

static void read_lines(struct url_run *r)
{
	struct source s;
	char why[WHY_SIZE];
	if (!source_open(&s, "-", why)) {
		report("-: %s", why);
		r->status = STATUS_INPUT;
		return;
	}
	s.idle = flush;
	s.user = r;
	struct lines l = { .run = r, .held = malloc((size_t)r->options->max_url) };
	void *block = malloc(SOURCE_BLOCK);
	ssize_t n = -1;
	if (l.held && block) {
		while ((n = source_read(&s, block, SOURCE_BLOCK)) > 0 && take_bytes(&l, block, (size_t)n))
			;
		report_why(why, errno);
		if (l.used || l.over)
			end_line(&l);
		if (n < 0) {
			report("-: %s", why);
			r->status = STATUS_INPUT;
		}
	} else {
		url_run_fail(r, "out of memory");
	}
	free(l.held);
	free(block);
}

/* ---- The run --------------------------------------------------------------- */

static void take_argument(struct url_run *r, const char *url)
{
	size_t n = strlen(url);
	if (!strcmp(url, "-")) {
		read_lines(r);
	} else if (n > (size_t)r->options->max_url) {
		pass_over(r, "an argument", 0);
	} else {
		r->url(r, url, n);
	}
}

enum status url_run(struct url_run *r, char *const *urls, size_t count)
{
	r->w = (struct writer){ .fd = STDOUT_FILENO, .own = isatty(STDOUT_FILENO), .data = malloc(WRITER_SIZE) };
	r->status = STATUS_DONE;
	if (!r->w.data) {
		url_run_fail(r, "out of memory");
		return r->status;
	}
	for (size_t i = 0; i < count && !r->w.error; i++)
		take_argument(r, urls[i]);
	if (count == 0)
		read_lines(r);
	writer_flush(&r->w);
	free(r->w.data);
	/* a reader that has gone away has seen what it wanted */
	if (r->w.error && r->w.error != EPIPE) {
		report("standard output: %s", strerror(r->w.error));
		r->status = STATUS_OUTPUT;
	}
	return r->status;
}
