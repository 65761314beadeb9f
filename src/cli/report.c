#include "report.h"

#include "escape.h"

#include <stdarg.h>
#include <unistd.h>

/* Formats first and makes safe after, so that no caller can forget to. */
static void put_line(const char *format, va_list arguments, const char *behind)
{
	char line[4096], block[WRITER_SIZE];
	struct writer error = { .fd = STDERR_FILENO, .data = block };
	int wanted = vsnprintf(line, sizeof line, format, arguments);
	writer_text(&error, "urlsift: ");
	escape_name(&error, line);
	if (wanted >= (int)sizeof line)
		writer_text(&error, "...");
	writer_text(&error, behind);
	writer_text(&error, "\n");
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
