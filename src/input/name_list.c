#include "name_list.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Reads a name and its separator.  The length, or -1 at the end. */
static int read_name(struct name_list *l)
{
	size_t length = 0;
	int c;
	errno = 0;
	while ((c = getc(l->file)) != EOF && c != l->separator) {
		if (!c)
			snprintf(l->why, sizeof l->why, "NUL byte in the list of names (use -0 if names end with NUL)");
		if (length < NAME_LIST_LONGEST)
			l->name[length++] = (char)c;
		else
			snprintf(l->why, sizeof l->why, "the file name is too long");
	}
	l->name[length] = '\0';
	return c == EOF && (!length || ferror(l->file)) ? -1 : (int)length;
}

static FILE *open_list(const char *name)
{
	if (!strcmp(name, "-"))
		return stdin;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static const char *next_in_list(struct name_list *l)
{
	int length = 0;
	if (!l->file)
		l->file = open_list(l->list);
	while (l->file && !length)
		length = read_name(l);
	if (length > 0)
		return l->name;
	const char *list = l->list;
	l->list = NULL;
	if (l->file && !ferror(l->file))
		return NULL;
	report_why(l->why, errno);
	return list;
}

const char *name_list_next(struct name_list *l)
{
	*l->why = '\0';
	if (l->at < l->count)
		return l->argument[l->at++];
	if (l->standard_input) {
		l->standard_input = false;
		return "-";
	}
	return l->list ? next_in_list(l) : NULL;
}

bool name_list_more(const struct name_list *l)
{
	return l->at < l->count || l->standard_input || l->list;
}

void name_list_fini(struct name_list *l)
{
	if (l->file && l->file != stdin)
		fclose(l->file);
}
