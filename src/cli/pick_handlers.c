/* The user's file of handlers: lines PATTERN = COMMAND. */
#include "pick.h"

#include "input/filter.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

struct handler {
	const char *pattern, *command;
	size_t pattern_length, command_length;
};

enum line { LINE_HANDLER, LINE_EMPTY, LINE_WRONG };

static size_t trim(const char **text, size_t n)
{
	text_trim(text, &n, " \t\r");
	return n;
}

static enum line read_line(const char *line, size_t n, struct handler *h)
{
	n = trim(&line, n);
	const char *equals = memchr(line, '=', n);
	if (n == 0 || *line == '#')
		return LINE_EMPTY;
	if (!equals)
		return LINE_WRONG;
	h->pattern = line;
	h->pattern_length = trim(&h->pattern, (size_t)(equals - line));
	h->command = equals + 1;
	h->command_length = trim(&h->command, n - (size_t)(h->command - line));
	return h->pattern_length && h->command_length ? LINE_HANDLER : LINE_WRONG;
}

void pick_handlers_read(struct pick *p)
{
	const char *config = memory_text(getenv("XDG_CONFIG_HOME")), *home = getenv("HOME");
	char path[PATH_MAX];
	size_t used, number = 1;
	const bool given = *config == '/';
	const char *base = given ? config : home;
	if (!base)
		return;
	int n = snprintf(path, sizeof path, "%s%s/urlsift/handlers", base, given ? "" : "/.config");
	int file = n < PATH_MAX ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			pick_note(p, "%s: %s", path, strerror(errno));
		return;
	}
	p->handlers = pick_read(file, 1, &used);
	close(file);
	if (!p->handlers)
		pick_note(p, "%s cannot be read", path);
	for (const char *line = memory_text(p->handlers); *line; number++) {
		struct handler h;
		size_t length = strcspn(line, "\n");
		if (read_line(line, length, &h) == LINE_WRONG)
			pick_note(p, "%s, line %zu: not PATTERN = COMMAND", path, number);
		line += length + (line[length] == '\n');
	}
}

/* `scheme:`, `*.ending` of the path, or a host, as --host has it. */
static bool fits(const struct handler *h, const struct pick_link *link)
{
	const char *target = link->field[PICK_TARGET], *host = link->field[PICK_HOST];
	char pattern[512];
	urlsift_url url;
	if (h->pattern_length >= sizeof pattern)
		return false;
	memcpy(pattern, h->pattern, h->pattern_length);
	pattern[h->pattern_length] = '\0';
	if (pattern[h->pattern_length - 1] == ':')
		return !strncasecmp(target, pattern, h->pattern_length);
	if (!strncmp(pattern, "*.", 2) && !strchr(pattern + 2, '.')) {
		urlsift_url_split(target, strlen(target), &url);
		return glob_matches(pattern, target + url.path.offset, url.path.length);
	}
	char *glob = filter_host_glob(pattern);
	const bool found = *host && filter_host_matches(glob, host, strlen(host));
	free(glob);
	return found;
}

const char *pick_handler(const struct pick *p, const struct pick_link *link, size_t *length)
{
	for (const char *line = memory_text(p->handlers); *line;) {
		struct handler h;
		size_t n = strcspn(line, "\n");
		if (read_line(line, n, &h) == LINE_HANDLER && fits(&h, link)) {
			*length = h.command_length;
			return h.command;
		}
		line += n + (line[n] == '\n');
	}
	return NULL;
}
