#include "name_list.h"

#include "descriptor.h"
#include "text/ascii.h"

#include <errno.h>

const char *name_list_next(struct name_list *l)
{
	const char *list = l->list;
	size_t length = 0;
	int c = 0;
	*l->why = '\0';
	if (l->at < l->count)
		return l->argument[l->at++];
	if (!list)
		return NULL;
	errno = 0;
	if (!l->file)
		l->file = descriptor_file_open(list);
	/* the next name that is not empty */
	while (l->file && !length && c != EOF) {
		while ((c = getc(l->file)) != EOF && c != l->separator) {
			if (!c)
				snprintf(l->why, sizeof l->why, "NUL byte in the list of names (use -0 if names end with NUL)");
			if (length < NAME_LIST_LONGEST)
				l->name[length++] = (char)c;
			else
				snprintf(l->why, sizeof l->why, "the file name is too long");
		}
		if (l->separator) { /* a line, of any system */
			const size_t mark = utf8_mark(l->name, length);
			length -= mark + text_ends(l->name, length, "\r");
			memmove(l->name, l->name + mark, length);
		}
	}
	const bool failed = !l->file || ferror(l->file);
	l->name[length] = '\0';
	if (length > 0 && !failed)
		return l->name;
	l->list = NULL;
	if (!failed)
		return NULL;
	report_why(l->why, errno);
	return list;
}

bool name_list_more(const struct name_list *l)
{
	return l->at < l->count || l->list;
}

void name_list_fini(struct name_list *l)
{
	descriptor_file_close(&l->file);
}
