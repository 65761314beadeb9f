#include "report.h"

#include "descriptor.h"
#include "source.h"
#include "text/unicode.h"
#include "urlsift-render.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int report_write(int descriptor, const void *bytes, size_t n)
{
	const char *p = bytes;
	while (n > 0) {
		ssize_t k = write(descriptor, p, n);
		if (k < 0) {
			if (errno == EAGAIN)
				poll(&(struct pollfd){ .fd = descriptor, .events = POLLOUT }, 1, -1);
			else if (errno != EINTR)
				return errno;
		}
		p += bytes_moved(k);
		n -= bytes_moved(k);
	}
	return 0;
}

static size_t add(char *line, size_t used, const char *text)
{
	size_t n = strlen(text);
	memcpy(line + used, text, n);
	return used + n;
}

enum { TEXT = 4096, TEXT_END = 256 };

/* Formats first and escapes after, so that no caller can forget to. */
static size_t format_line(char line[REPORT_LINE], const char *format, va_list arguments, const char *after)
{
	char text[TEXT];
	va_list again;
	va_copy(again, arguments);
	const size_t n = (size_t)vsnprintf(text, sizeof text, format, arguments);
	const bool cut = n >= sizeof text;
	size_t gap = smaller(n, TEXT - 1);
	char *whole = cut ? malloc(n + 1) : NULL;
	if (whole) {
		/* What is too long loses its middle: a name is long, and the reason follows it.  Without memory the end is cut
		 * off instead. */
		vsnprintf(whole, n + 1, format, again);
		gap = utf8_cut(whole, TEXT - TEXT_END - 8, n);
		const size_t end = utf8_cut(whole, n - TEXT_END, n);
		memcpy(text + gap, whole + end, n + 1 - end);
		free(whole);
	}
	va_end(again);
	size_t used = add(line, 0, "urlsift: ");
	used += urlsift_escape_name(text, gap, line + used, 4 * sizeof text);
	used = add(line, used, text_if(cut, "..."));
	used += urlsift_escape_name(text + gap, strlen(text + gap), line + used, 4 * (sizeof text - gap));
	used = add(line, used, after);
	return add(line, used, "\n");
}

enum status report_with(enum status status, const char *hint, const char *format, ...)
{
	char line[REPORT_LINE];
	va_list arguments;
	va_start(arguments, format);
	report_write(STDERR_FILENO, line, format_line(line, format, arguments, hint));
	va_end(arguments);
	return status;
}

size_t report_line(char line[REPORT_LINE], const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t n = format_line(line, format, arguments, "");
	va_end(arguments);
	return n;
}

void report_names(char to[REPORT_NAMES], name_at *name, const char *between)
{
	const char *next;
	size_t used = 0;
	for (unsigned i = 0; used < REPORT_NAMES && (next = name(i)); i++)
		used += (size_t)snprintf(to + used, REPORT_NAMES - used, "%s%s", text_if(i > 0, between), next);
}

enum status report_output(const char *name, int error)
{
	if (!error || error == EPIPE)
		return STATUS_DONE;
	report("%s: %s", name, strerror(error));
	return STATUS_OUTPUT;
}

void report_why(char *why, int error)
{
	if (error == SOURCE_TRUNCATED)
		snprintf(why, WHY_SIZE, "was truncated while it was read");
	else if (strerror_r(error, why, WHY_SIZE))
		snprintf(why, WHY_SIZE, "error %d", error);
}

/* ---- Progress ----------------------------------------------------------------- */

enum { FIRST_MS = 2000, NEXT_MS = 200 };

/* Milliseconds, from now, of a clock that only goes forward. */
static int64_t after_ms(long ms)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + ms;
}

static const char blank[] = "\r                                        \r";

static void put(const char *text, int n)
{
	ssize_t ignored = write(STDERR_FILENO, text, (size_t)n);
	(void)ignored;
}

/* Without the lock: the thread that fails may hold it. */
static void undo_progress(void *user)
{
	struct progress *p = user;
	if (p->shown)
		put(blank, (int)sizeof blank - 1);
}

void progress_init(struct progress *p, enum progress_wanted wanted, char *const *file, size_t count, bool more_files)
{
	memset(p, 0, sizeof *p);
	p->what = "";
	pthread_mutex_init(&p->lock, NULL);
	p->terminal = isatty(STDERR_FILENO);
	memory_undo_add(&p->undo, undo_progress, p);
	p->on = wanted == PROGRESS_ALWAYS || (p->terminal && (wanted == PROGRESS_ALONE || !isatty(STDOUT_FILENO)));
	if (!p->on)
		return;
	/* The sum of the sizes; 0 when one is not known. */
	bool known = !more_files;
	for (size_t i = 0; i < count; i++) {
		struct stat status = { 0 };
		if (strcmp(file[i], "-"))
			stat(file[i], &status);
		else
			fstat(STDIN_FILENO, &status);
		known &= S_ISREG(status.st_mode);
		p->total += (uint64_t)status.st_size;
	}
	p->total *= known;
	p->next = after_ms(FIRST_MS);
}

void progress_fini(struct progress *p)
{
	progress_hide(p);
	memory_undo_remove(&p->undo);
	pthread_mutex_destroy(&p->lock);
}

void progress_add(struct progress *p, size_t bytes)
{
	if (!p->on)
		return;
	/* On a terminal each line replaces the one before. */
	char line[80], *after = p->terminal ? "\r" : "\n";
	pthread_mutex_lock(&p->lock);
	p->done += bytes;
	if (after_ms(0) >= p->next) {
		int n;
		if (p->total > 0)
			n = snprintf(line, sizeof line, "urlsift: %3" PRIu64 "%% of %" PRIu64 " MB%s",
			             earlier(p->done * 100 / p->total, 100), p->total / 1000000, after);
		else
			n = snprintf(line, sizeof line, "urlsift: %" PRIu64 " MB%s%s", p->done / 1000000, p->what, after);
		put(line, n);
		p->shown = p->terminal;
		p->next = after_ms(NEXT_MS);
	}
	pthread_mutex_unlock(&p->lock);
}

void progress_hide(struct progress *p)
{
	pthread_mutex_lock(&p->lock);
	undo_progress(p);
	p->shown = false;
	pthread_mutex_unlock(&p->lock);
}
