/* What the command says on standard error. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdarg.h>
#include <stddef.h>

struct writer;

/* The exit statuses; the worst one seen is the command's. */
enum status { STATUS_DONE, STATUS_INPUT, STATUS_USAGE, STATUS_OUTPUT };

/* One line, "urlsift: " before it, in printf's format.  Whatever the arguments
 * hold, no control character comes out raw: C0 and DEL stand in caret form, C1
 * and bytes that are no part of valid UTF-8 as \xHH.  Cut at some 4 KiB. */
__attribute__((format(printf, 1, 2))) void report(const char *format, ...);

/* The same with "; try 'urlsift --help'" behind it.  Returns STATUS_USAGE. */
__attribute__((format(printf, 1, 2))) enum status report_usage(const char *format, ...);

/* Writes the line of report to w; `behind` before its end. */
void report_put(struct writer *w, const char *format, va_list arguments, const char *behind);

/* Puts what an errno means into `why`, WHY_SIZE bytes, NUL-terminated.  For several
 * threads. */
enum { WHY_SIZE = 128 };
void report_why(char *why, int error);

#endif
