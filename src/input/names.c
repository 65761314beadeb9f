#include "names.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void names_init(struct names *n, char **argument, size_t count, const char *list, char separator)
{
	memset(n, 0, sizeof *n);
	n->argument = argument;
	n->count = count;
	n->list = list;
	n->separator = separator;
	n->standard_input = !count && !list;
}

void names_fini(struct names *n)
{
	if (n->file && n->file != stdin)
		fclose(n->file);
	n->file = NULL;
}

/* Reads a name and its separator.  The length, or -1 at the end. */
static int read_name(struct names *n, const char **why)
{
	size_t length = 0;
	int c;
	while ((c = getc(n->file)) != EOF && c != n->separator) {
		if (!c)
			*why = "a NUL byte in the list (with -0, names end in NUL)";
		if (length < NAMES_LONGEST)
			n->name[length++] = (char)c;
		else
			*why = "the name is too long";
	}
	n->name[length] = '\0';
	return c == EOF && (!length || ferror(n->file)) ? -1 : (int)length;
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

static const char *next_in_list(struct names *n, const char **why)
{
	if (!n->file)
		n->file = open_list(n->list);
	if (n->file) {
		int length;
		do
			length = read_name(n, why);
		while (!length);
		if (length > 0)
			return n->name;
	}
	const char *list = n->list;
	n->list = NULL;
	if (n->file && !ferror(n->file))
		return NULL;
	*why = strerror(errno);
	return list;
}

const char *names_next(struct names *n, const char **why)
{
	*why = NULL;
	if (n->at < n->count)
		return n->argument[n->at++];
	if (n->standard_input) {
		n->standard_input = false;
		return "-";
	}
	if (n->list)
		return next_in_list(n, why);
	return NULL;
}

bool names_more(const struct names *n)
{
	return n->at < n->count || n->standard_input || n->list;
}
