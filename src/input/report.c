#include "report.h"

#include "render/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Formats first and makes safe after, so that no caller can forget to. */
void report_put(struct writer *w, const char *format, va_list arguments, const char *behind)
{
	char line[4096];
	int wanted = vsnprintf(line, sizeof line, format, arguments);
	writer_text(w, "urlsift: ");
	escape_name(w, line);
	if (wanted >= (int)sizeof line)
		writer_text(w, "...");
	writer_text(w, behind);
	writer_text(w, "\n");
}

static void put_line(const char *format, va_list arguments, const char *behind)
{
	char block[WRITER_SIZE];
	struct writer error = { .fd = STDERR_FILENO, .data = block };
	report_put(&error, format, arguments, behind);
	writer_flush(&error);
}

void report(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	put_line(format, arguments, "");
	va_end(arguments);
}

enum status report_usage(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	put_line(format, arguments, "; try 'urlsift --help'");
	va_end(arguments);
	return STATUS_USAGE;
}

void report_why(char *why, int error)
{
	if (strerror_r(error, why, WHY_SIZE))
		snprintf(why, WHY_SIZE, "error %d", error);
}

/* ---- Progress ----------------------------------------------------------------- */

enum { FIRST_MS = 1000, NEXT_MS = 200 };

static struct timespec later(struct timespec t, long ms)
{
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

static bool is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* The sum of the sizes; 0 when one is not known. */
static uint64_t sum(char *const *file, size_t count)
{
	uint64_t total = 0;
	for (size_t i = 0; i < count; i++) {
		struct stat status;
		bool standard = !strcmp(file[i], "-");
		if ((standard ? fstat(STDIN_FILENO, &status) : stat(file[i], &status)) || !S_ISREG(status.st_mode))
			return 0;
		total += (uint64_t)status.st_size;
	}
	return total;
}

void progress_init(struct progress *p, bool wanted, char *const *file, size_t count, bool more_files)
{
	static char *const standard_input[] = { "-" };
	memset(p, 0, sizeof *p);
	pthread_mutex_init(&p->lock, NULL);
	p->terminal = isatty(STDERR_FILENO);
	p->on = wanted || (p->terminal && !isatty(STDOUT_FILENO));
	if (!p->on)
		return;
	if (!more_files)
		p->total = count ? sum(file, count) : sum(standard_input, 1);
	clock_gettime(CLOCK_MONOTONIC, &p->next);
	p->next = later(p->next, FIRST_MS);
}

void progress_fini(struct progress *p)
{
	progress_hide(p);
	pthread_mutex_destroy(&p->lock);
}

static void put(const char *text, int n)
{
	ssize_t ignored = n > 0 ? write(STDERR_FILENO, text, (size_t)n) : 0;
	(void)ignored;
}

/* On a terminal the line stays where it is; elsewhere each is a line. */
static void show(struct progress *p)
{
	char line[80], *behind = p->terminal ? "\r" : "\n";
	uint64_t mb = p->done / 1000000;
	int n;
	if (p->total > 0)
		n = snprintf(line, sizeof line, "urlsift: %3" PRIu64 "%% of %" PRIu64 " MB%s",
		             p->done >= p->total ? 100 : p->done * 100 / p->total, p->total / 1000000, behind);
	else
		n = snprintf(line, sizeof line, "urlsift: %" PRIu64 " MB%s", mb, behind);
	put(line, n);
	p->shown = p->terminal;
}

void progress_add(struct progress *p, size_t bytes)
{
	if (!p->on)
		return;
	pthread_mutex_lock(&p->lock);
	struct timespec now;
	p->done += bytes;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!is_before(now, p->next)) {
		show(p);
		p->next = later(now, NEXT_MS);
	}
	pthread_mutex_unlock(&p->lock);
}

void progress_hide(struct progress *p)
{
	static const char blank[] = "\r                                        \r";
	pthread_mutex_lock(&p->lock);
	if (p->shown)
		put(blank, (int)sizeof blank - 1);
	p->shown = false;
	pthread_mutex_unlock(&p->lock);
}
