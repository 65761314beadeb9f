/* What the command says on standard error. */
#ifndef INPUT_REPORT_H
#define INPUT_REPORT_H

#include <stdarg.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The exit statuses; the worst one seen is the command's. */
enum status { STATUS_DONE, STATUS_INPUT, STATUS_USAGE, STATUS_OUTPUT };

/* One line, "urlsift: " before it, in printf's format.  Whatever the arguments
 * hold, no control character comes out raw: C0 and DEL stand in caret form, C1
 * and bytes that are no part of valid UTF-8 as \xHH.  Cut at some 4 KiB. */
__attribute__((format(printf, 1, 2))) void report(const char *format, ...);

/* The same with "; try 'urlsift --help'" behind it.  Returns STATUS_USAGE. */
__attribute__((format(printf, 1, 2))) enum status report_usage(const char *format, ...);

/* Puts the line of report into `line`; `after` before its end.  Returns its length. */
enum { REPORT_LINE = 4 * 4096 + 64 };
size_t report_format(char line[REPORT_LINE], const char *format, va_list arguments, const char *after);

/* Writes everything.  Returns 0, or an errno. */
int report_write(int descriptor, const void *bytes, size_t n);

/* Puts what an errno means into `why`, WHY_SIZE bytes, NUL-terminated.  For several
 * threads. */
enum { WHY_SIZE = 128 };
void report_why(char *why, int error);

/* ---- Progress ---- */

/* How far the work is, on a line of standard error that is written over and over.
 * For several threads. */
struct progress {
	bool on;
	bool terminal;
	bool shown;
	uint64_t done, total; /* bytes; a total of 0 is not known */
	struct timespec next; /* when to show it again */
	pthread_mutex_t lock;
};

/* `wanted`: --progress was given; else it shows on a terminal that standard
 * output does not go to.  Work of less than a second shows nothing.  The sizes of
 * the files named are summed here. */
void progress_init(struct progress *p, bool wanted, char *const *file, size_t count, bool more_files);
void progress_add(struct progress *p, size_t bytes);
/* Takes the line away, before others are written. */
void progress_hide(struct progress *p);
void progress_fini(struct progress *p);

#endif
