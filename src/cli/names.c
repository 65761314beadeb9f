#include "names.h"

#include <errno.h>
#include <string.h>

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

static const char *next_in_list(struct names *n, const char **why)
{
	if (!n->file)
		n->file = strcmp(n->list, "-") ? fopen(n->list, "r") : stdin;
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
