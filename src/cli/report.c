#include "report.h"

#include "render/escape.h"

#include <string.h>
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
