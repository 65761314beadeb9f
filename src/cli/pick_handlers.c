/* The user's file of handlers: lines PATTERN = COMMAND. */
/* For strsep. */
#define _DEFAULT_SOURCE
#include "pick.h"

#include "input/descriptor.h"
#include "input/filter.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* Leaves out the blanks around a text, in its place. */
static char *trim(char *text)
{
	const char *begin = text;
	size_t n = strlen(text);
	text_trim(&begin, &n, " \t\r");
	text += begin - text;
	text[n] = '\0';
	return text;
}

void pick_handlers_read(struct pick *p)
{
	struct pick_handlers *h = &p->handlers;
	const char *config = memory_text(getenv("XDG_CONFIG_HOME")), *home = getenv("HOME");
	char path[PATH_MAX];
	size_t used, number = 1;
	const bool given = *config == '/';
	const char *base = given ? config : home;
	if (!base)
		return;
	int n = snprintf(path, sizeof path, "%s%s/urlsift/handlers", base, text_if(!given, "/.config"));
	int file = n < PATH_MAX ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0) {
		if (!errno_is_missing(errno))
			pick_note(p, "%s: %s", path, strerror(errno));
		return;
	}
	h->text = pick_read(file, 1, &used);
	close(file);
	if (!h->text)
		pick_note(p, "%s cannot be read", path);
	for (char *next = h->text, *line; (line = strsep(&next, "\n")); number++) {
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		char *command = line + strcspn(line, "=");
		const bool has_command = *command;
		*command = '\0';
		const struct pick_handler row = { trim(line), trim(command + has_command) };
		if (*row.pattern && *row.command)
			MEMORY_ADD(h->rows, h->count) = row;
		else
			pick_note(p, "%s, line %zu: not PATTERN = COMMAND", path, number);
	}
}

/* `scheme:`, `*.ending` of the path, or a host, as --host has it. */
static bool fits(const char *pattern, const struct pick_link *link)
{
	const char *target = link->field[PICK_TARGET], *host = link->field[PICK_HOST];
	const size_t n = strlen(pattern);
	urlsift_url url;
	if (text_ends(pattern, n, ":"))
		return !strncasecmp(target, pattern, n);
	if (!strncmp(pattern, "*.", 2) && !strchr(pattern + 2, '.')) {
		urlsift_url_split(target, strlen(target), &url);
		return glob_matches(pattern, target + url.path.offset, url.path.length);
	}
	char *glob = filter_host_glob(pattern);
	const bool found = *host && filter_host_matches(glob, host, strlen(host));
	free(glob);
	return found;
}

const char *pick_handler(const struct pick *p, const struct pick_link *link)
{
	const struct pick_handlers *h = &p->handlers;
	for (size_t i = 0; i < h->count; i++)
		if (fits(h->rows[i].pattern, link))
			return h->rows[i].command;
	return NULL;
}
