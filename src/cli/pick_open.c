#include "pick.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Programs -------------------------------------------------------------------------- */

/* A command is split at blanks; nothing else in it has a meaning. */
struct command {
	char *text, **word; /* room for a further one, and NULL */
	size_t count;
};

static void command_fini(struct command *c)
{
	free(c->text);
	free(c->word);
}

static bool command_init(struct command *c, const char *text, size_t n)
{
	*c = (struct command){ memory_copy_part(text, n), memory_get((n / 2 + 3) * sizeof *c->word), 0 };
	for (char *at = c->text; *(at += strspn(at, " \t"));) {
		c->word[c->count++] = at;
		at += strcspn(at, " \t");
		if (*at)
			*at++ = '\0';
	}
	return c->count > 0;
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

bool pick_connect(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return false;
	for (int i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	return true;
}

pid_t pick_run(const struct pick *p, char *const *word, int descriptor, void (*prepare)(const struct pick *p))
{
	pid_t child = fork();
	if (child == 0) {
		if (prepare)
			prepare(p);
		dup2(descriptor, STDIN_FILENO);
		dup2(descriptor, STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		execvp(word[0], word);
		_exit(PICK_UNSTARTED);
	}
	return child;
}

int pick_wait(pid_t child)
{
	int status;
	pid_t done;
	if (child < 0)
		return PICK_UNSTARTED;
	do
		done = waitpid(child, &status, 0);
	while (done < 0 && errno == EINTR);
	return done > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : PICK_KILLED;
}

/* ---- Opening ---------------------------------------------------------------------------- */

/* `%s` in a word is the URL; without it the URL is the last word. */
static char *put_url(struct command *c, const char *url)
{
	for (size_t i = 1; i < c->count; i++) {
		char *word = c->word[i], *at = strstr(word, "%s");
		if (at)
			return c->word[i] = memory_format("%.*s%s%s", (int)(at - word), word, url, at + 2);
	}
	return c->word[c->count++] = memory_copy(url);
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
	int status = pick_wait(pick_run(p, c.word, p->tty, NULL));
	if (status)
		report(status == PICK_UNSTARTED ? "%s could not be started" : "%s failed with status %d", c.word[0], status);
	free(word);
	command_fini(&c);
	return status ? STATUS_INPUT : STATUS_DONE;
}

/* A link that is not for opening. */
static enum status refuse(const struct pick_link *link)
{
	report("%s: not opened: %s; use --print", link->field[PICK_TEXT], link->field[PICK_REFUSAL]);
	return STATUS_INPUT;
}

enum status pick_open(const struct pick *p)
{
	const char *browser = getenv("BROWSER"), *commands = browser && *browser ? browser : "xdg-open:open";
	enum status worst = STATUS_DONE;
	for (const struct pick_link *link = p->links; link < p->links + p->count; link++) {
		if (!link->marked)
			continue;
		enum status status = *link->field[PICK_REFUSAL] ? refuse(link) :
		                     open_link(p, p->command ? p->command : commands, p->command ? "" : ":",
		                               link->field[PICK_TARGET]);
		worst = status_worse(status, worst);
	}
	return worst;
}

/* ---- Copying ------------------------------------------------------------------------------ */

char *pick_join(const struct pick *p, enum pick_field field)
{
	size_t n = 1;
	for (size_t i = 0; i < p->count; i++)
		n += p->links[i].marked ? strlen(p->links[i].field[field]) + 1 : 0;
	char *text = memory_get(n), *at = text;
	for (size_t i = 0; i < p->count; i++)
		if (p->links[i].marked)
			at += snprintf(at, (size_t)(text + n - at), "%s\n", p->links[i].field[field]);
	return text;
}

/* OSC 52: the terminal itself copies it.  Two NUL bytes follow the text. */
static void copy_by_terminal(const struct pick *p, const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = (const unsigned char *)text;
	size_t n = strlen(text), used = 0;
	char *code = memory_get(4 * (n / 3 + 1) + 1);
	for (size_t i = 0; i < n; i += 3) {
		unsigned long bits = (unsigned long)from[i] << 16 | (unsigned long)from[i + 1] << 8 | from[i + 2];
		for (size_t k = 0; k < 4; k++)
			code[used++] = i + k > n ? '=' : letters[bits >> (18 - 6 * k) & 63];
	}
	pick_say(p, "\x1b]52;c;");
	pick_say(p, code);
	pick_say(p, "\a");
	free(code);
}

/* Whether the program took the text. */
static bool copy_by_program(const struct pick *p, char *const *word, const char *text)
{
	int ends[2];
	if (!pick_has_program(word[0]) || !pick_connect(ends))
		return false;
	pid_t child = pick_run(p, word, ends[1], NULL);
	close(ends[1]);
	report_write(ends[0], text, strlen(text));
	close(ends[0]);
	return !pick_wait(child);
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
	char *text = pick_join(p, PICK_TARGET);
	bool done = false;
	text[strlen(text) - 1] = '\0';
	for (const struct clipboard *c = clipboards; !done && c < clipboards + sizeof clipboards / sizeof *clipboards; c++)
		done = (!c->display || getenv(c->display)) && copy_by_program(p, c->word, text);
	if (!done)
		copy_by_terminal(p, text);
	free(text);
	return STATUS_DONE;
}
