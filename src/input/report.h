/* Reports on standard error. */
#ifndef INPUT_REPORT_H
#define INPUT_REPORT_H

#include "memory.h"

#include "text/ascii.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The exit statuses; the command returns the highest one. */
enum status { STATUS_DONE, STATUS_INPUT, STATUS_USAGE, STATUS_OUTPUT };
static inline enum status status_worse(enum status a, enum status b) { return a > b ? a : b; }

/* The ending of a noun of which there are n. */
static inline const char *plural(uint64_t n) { return text_if(n != 1, "s"); }

enum {
	REPORT_LINE = 4 * 4096 + 64, /* bytes of the longest line */
	WHY_SIZE = 128               /* bytes of a reason, with its NUL */
};

/* The name of a source: a file, or a member of an archive. */
struct source_name {
	const char *file;
	const char *member; /* NULL for none */
};
/* It in printf's format: FILE or FILE{MEMBER}. */
#define SOURCE_NAME "%s%s%s%s"
#define SOURCE_NAME_OF(n) (n).file, text_if((n).member, "{"), memory_text((n).member), text_if((n).member, "}")

/* Writes "urlsift: ", the text in printf's format and a line feed.  The text is escaped like urlsift_escape_name; the
 * beginning and the end remain of one that is longer than 4 KiB. */
#define report(...) ((void)report_with(STATUS_DONE, "", __VA_ARGS__))
/* Reports that something cannot be read, or not done.  Returns STATUS_INPUT. */
#define report_input(...) report_with(STATUS_INPUT, "", __VA_ARGS__)
/* Reports wrong usage, with the --help to try, that of a verb or of the command.  Returns STATUS_USAGE. */
#define report_usage_of(verb, ...) report_with(STATUS_USAGE, "; try 'urlsift " verb " --help'", __VA_ARGS__)
#define report_usage(...) report_with(STATUS_USAGE, "; try 'urlsift --help'", __VA_ARGS__)
/* Reports, with the hint after the text; it is not escaped.  Returns the status. */
__attribute__((format(printf, 3, 4))) enum status report_with(enum status status, const char *hint, const char *format,
                                                              ...);
/* Writes names, with `between` between, for a report. */
enum { REPORT_NAMES = 512 };
typedef const char *name_at(unsigned i); /* name i, from 0; NULL after the last */
void report_names(char to[REPORT_NAMES], name_at *name, const char *between);
/* The status after the output `name` was written, with an errno or 0, which is reported.  A closed pipe is no failure:
 * the reader has seen what it wanted. */
enum status report_output(const char *name, int error);
/* Writes the line that report() writes to `line`.  Returns its length. */
__attribute__((format(printf, 2, 3))) size_t report_line(char line[REPORT_LINE], const char *format, ...);

/* Writes all n bytes, and waits if the descriptor is non-blocking.  0 or an errno. */
int report_write(int descriptor, const void *bytes, size_t n);
/* Writes the message of an errno, or of SOURCE_TRUNCATED, to `why`, of WHY_SIZE bytes.
 * Thread-safe. */
void report_why(char *why, int error);

/* ---- Progress --------------------------------------------------------------------- */

/* A line on standard error that is updated in place.  Thread-safe. */
struct progress {
	bool on;
	bool terminal;
	bool shown;
	uint64_t done, total; /* bytes; a total of 0 is unknown */
	const char *what;     /* of which they are, after the number: "" or " of pages" */
	int64_t next;         /* when to show it again, in milliseconds */
	pthread_mutex_t lock;
	struct memory_undo undo; /* which removes the line */
};

/* Shown always, as --progress asks; or else if standard error is a terminal, and standard output is not or has no
 * lines (ALONE).  Nothing is shown in the first two seconds.  The total is that of the files. */
enum progress_wanted { PROGRESS_AUTO, PROGRESS_ALONE, PROGRESS_ALWAYS };
void progress_init(struct progress *p, enum progress_wanted wanted, char *const *file, size_t count, bool more_files);
void progress_add(struct progress *p, size_t bytes);
/* Removes the line before others are written. */
void progress_hide(struct progress *p);
void progress_fini(struct progress *p);

#endif
