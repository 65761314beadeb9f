#include "pick.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MOST = 32 };

/* ---- Programs -------------------------------------------------------------------------- */

/* A command is split at blanks; nothing else in it has a meaning. */
struct command {
	char *text, *word[WORDS_MOST + 2]; /* room for a further one, and NULL */
	size_t count;
};

static void command_fini(struct command *c)
{
	free(c->text);
}

static bool command_init(struct command *c, const char *text, size_t n)
{
	*c = (struct command){ .text = strndup(text, n) };
	for (char *at = c->text; at && *(at += strspn(at, " \t")) && c->count < WORDS_MOST;) {
		c->word[c->count++] = at;
		at += strcspn(at, " \t");
		if (*at)
			*at++ = '\0';
	}
	return c->text && c->count > 0;
}

bool pick_has_program(const char *name)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];
	if (strchr(name, '/'))
		return !access(name, X_OK);
	for (path = path ? path : "/usr/bin:/bin"; *path; path += *path == ':') {
		size_t n = strcspn(path, ":");
		int length = snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
		path += n;
		if (n > 0 && length < (int)sizeof file && !access(file, X_OK))
			return true;
	}
	return false;
}

int pick_wait(pid_t child)
{
	int status;
	pid_t done;
	do
		done = waitpid(child, &status, 0);
	while (done < 0 && errno == EINTR);
	return done > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : PICK_KILLED;
}

/* Runs a program on the terminal, with `input` as its standard input if it is not NULL.  Returns its exit status, or
 * 127 if it could not be started. */
static int run(const struct pick *p, char *const *word, const char *input)
{
	int ends[2] = { -1, -1 };
	if (input && pipe(ends))
		return 127;
	pid_t child = fork();
	if (child == 0) {
		dup2(input ? ends[0] : p->tty, STDIN_FILENO);
		if (input)
			close(ends[1]);
		else
			dup2(p->tty, STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		execvp(word[0], word);
		_exit(127);
	}
	if (input) {
		close(ends[0]);
		if (child > 0)
			report_write(ends[1], input, strlen(input));
		close(ends[1]);
	}
	return child < 0 ? 127 : pick_wait(child);
}

/* ---- Opening ---------------------------------------------------------------------------- */

/* `%s` in a word is the URL; without it the URL is the last word.  NULL without memory. */
static char *put_url(struct command *c, const char *url)
{
	for (size_t i = 1; i < c->count; i++) {
		char *at = strstr(c->word[i], "%s");
		size_t n = at ? strlen(c->word[i]) + strlen(url) : 0;
		char *word = at ? malloc(n) : NULL;
		if (!at)
			continue;
		if (word)
			snprintf(word, n, "%.*s%s%s", (int)(at - c->word[i]), c->word[i], url, at + 2);
		return c->word[i] = word;
	}
	return c->word[c->count++] = strdup(url);
}

/* The first of the commands, with `between` between them, whose program there is. */
static bool find_command(struct command *c, const char *commands, const char *between)
{
	for (; *commands; commands += *commands != '\0') {
		size_t n = strcspn(commands, between);
		if (command_init(c, commands, n) && pick_has_program(c->word[0]))
			return true;
		command_fini(c);
		commands += n;
	}
	return false;
}

static enum status open_link(const struct pick *p, const char *commands, const char *between, const char *url)
{
	struct command c;
	if (!find_command(&c, commands, between)) {
		report("no program to open links was found in '%s'; set BROWSER or use --open", commands);
		return STATUS_INPUT;
	}
	char *word = put_url(&c, url);
	int status = word ? run(p, c.word, NULL) : 127;
	if (status)
		report(status == 127 ? "%s could not be started" : "%s failed with status %d", c.word[0], status);
	free(word);
	command_fini(&c);
	return status ? STATUS_INPUT : STATUS_DONE;
}

enum status pick_open(const struct pick *p)
{
	const char *browser = getenv("BROWSER"), *commands = browser && *browser ? browser : "xdg-open:open";
	enum status worst = STATUS_DONE;
	for (size_t i = 0; i < p->count; i++) {
		const struct pick_link *link = &p->links[i];
		enum status status = STATUS_DONE;
		if (!link->marked)
			continue;
		if (*link->field[PICK_OPENS] && *link->field[PICK_TARGET] != '-') {
			status = open_link(p, p->command ? p->command : commands, p->command ? "" : ":", link->field[PICK_TARGET]);
		} else {
			report("%s: not opened: links with its scheme never are; use --print", link->field[PICK_TEXT]);
			status = STATUS_INPUT;
		}
		worst = status_worse(status, worst);
	}
	return worst;
}

/* ---- Copying ------------------------------------------------------------------------------ */

/* The marked targets, one per line; NULL without memory. */
static char *join_marked(const struct pick *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->count; i++)
		n += p->links[i].marked ? strlen(p->links[i].field[PICK_TARGET]) + 1 : 0;
	char *text = calloc(1, n + 1), *at = text;
	for (size_t i = 0; text && i < p->count; i++)
		if (p->links[i].marked)
			at += snprintf(at, (size_t)(text + n + 1 - at), "%s%s", at > text ? "\n" : "",
			               p->links[i].field[PICK_TARGET]);
	return text;
}

/* OSC 52: the terminal itself copies it. */
static bool copy_by_terminal(const struct pick *p, const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = strlen(text), used = 0;
	char *code = malloc(4 * (n / 3 + 1) + 1);
	for (size_t i = 0; code && i < n; i += 3) {
		unsigned long bits = (unsigned long)(unsigned char)text[i] << 16;
		bits |= i + 1 < n ? (unsigned long)(unsigned char)text[i + 1] << 8 : 0;
		bits |= i + 2 < n ? (unsigned char)text[i + 2] : 0;
		for (size_t k = 0; k < 4; k++)
			code[used++] = i + k > n ? '=' : letters[bits >> (18 - 6 * k) & 63];
	}
	const bool done = code != NULL;
	if (done) {
		code[used] = '\0';
		pick_say(p, "\x1b]52;c;");
		pick_say(p, code);
		pick_say(p, "\a");
	}
	free(code);
	return done;
}

enum status pick_copy(const struct pick *p)
{
	static const struct clipboard {
		const char *display; /* the variable without which it has no clipboard, or NULL */
		char *word[4];
	} clipboards[] = {
		{ "WAYLAND_DISPLAY", { "wl-copy", NULL } },
		{ "DISPLAY", { "xclip", "-selection", "clipboard", NULL } },
		{ NULL, { "pbcopy", NULL } },
	};
	char *text = join_marked(p);
	bool done = false;
	for (size_t i = 0; text && !done && i < sizeof clipboards / sizeof *clipboards; i++)
		if ((!clipboards[i].display || getenv(clipboards[i].display)) && pick_has_program(clipboards[i].word[0]))
			done = !run(p, clipboards[i].word, text);
	done = done || (text && copy_by_terminal(p, text));
	if (!done)
		report("out of memory");
	free(text);
	return done ? STATUS_DONE : STATUS_INPUT;
}
