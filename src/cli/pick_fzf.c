/* fzf as the menu.  It runs the preview command with a shell, so the command holds no text of the input: only the
 * number of the link, which names a variable of the environment with the text. */
#include "pick.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the environment: a variable, and all of them, which must fit in what the system allows. */
enum { PREVIEW_MOST = 8 * 1024, PREVIEWS_MOST = 384 * 1024 };

enum { FZF_NONE = 1, FZF_ABORTED = 130 }; /* its exit status */

#define SEARCH_KEYS "c,q,/,change"
#define END_WITH(word) "unbind(change)+change-query(" word ")+accept"

/* Keys that end it write a word in place of the search; / begins a search, in which letters are letters. */
static char *const arguments[] = {
	"fzf", "--multi", "--layout=reverse-list", "--no-sort", "--info=hidden", "--delimiter=\t", "--with-nth=2..",
	"--print-query", "--disabled", "--prompt=> ", "--no-mouse",
	"--header=Enter open  Tab mark  ^O open marked  c ^Y copy  ^E explain  / search  q quit",
	"--preview=printenv URLSIFT_LINK_{1}", "--preview-window=down,50%,wrap",
	"--bind=enter:" END_WITH("open"), "--bind=ctrl-o:" END_WITH("open"), "--bind=c:" END_WITH("copy"),
	"--bind=ctrl-y:" END_WITH("copy"), "--bind=q:abort,change:clear-query",
	"--bind=ctrl-e:change-preview-window(up,95%,wrap|down,50%,wrap)",
	"--bind=/:enable-search+unbind(" SEARCH_KEYS ")+change-prompt(/)", NULL
};

/* ---- Its input ---------------------------------------------------------------------- */

static void set_preview(const struct pick_link *link, size_t number, size_t *left)
{
	const char *const *f = link->field;
	char name[40], *text = malloc(PREVIEW_MOST);
	int n = !text ? -1 : snprintf(text, PREVIEW_MOST, "%s\n%s%s%s%s%s%s\n%s [%s] %s\n\n%s", f[PICK_TEXT],
	                              *f[PICK_PLACE] ? "in " : "", f[PICK_PLACE], *f[PICK_PLACE] ? "\n" : "",
	                              *f[PICK_REASONS] ? "Warning: " : "", f[PICK_REASONS], *f[PICK_REASONS] ? "\n" : "",
	                              f[PICK_BEFORE], *f[PICK_LABEL] ? f[PICK_LABEL] : f[PICK_TEXT], f[PICK_AFTER],
	                              f[PICK_PAGE]);
	size_t length = n < 0 ? 0 : (size_t)n < PREVIEW_MOST ? (size_t)n : PREVIEW_MOST - 1;
	snprintf(name, sizeof name, "URLSIFT_LINK_%zu", number);
	if (length > 0 && length < *left && !setenv(name, text, 1))
		*left -= length;
	free(text);
}

/* A line for each link: its number, hidden, and what is shown. */
static void write_links(const struct pick *p, int descriptor)
{
	for (size_t i = 0; i < p->count; i++) {
		const char *parts[PICK_PARTS];
		char head[48];
		int error = report_write(descriptor, head, (size_t)snprintf(head, sizeof head, "%zu\t%4zu  ", i, i + 1));
		pick_row(&p->links[i], parts);
		for (size_t k = 0; k < PICK_PARTS && !error; k++)
			error = report_write(descriptor, parts[k], strlen(parts[k]));
		if (error || report_write(descriptor, "\n", 1))
			break;
	}
	close(descriptor);
}

/* Runs fzf between two pipes; its messages go to the terminal, on which it draws. */
static void run_fzf(const struct pick *p, const int in[2], const int out[2])
{
	size_t left = PREVIEWS_MOST;
	for (size_t i = 0; i < p->count && left > 0; i++)
		set_preview(&p->links[i], i, &left);
	unsetenv("FZF_DEFAULT_OPTS");
	unsetenv("FZF_DEFAULT_COMMAND");
	setenv("SHELL", "/bin/sh", 1);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	dup2(p->tty, STDERR_FILENO);
	close(in[0]);
	close(in[1]);
	close(out[0]);
	close(out[1]);
	signal(SIGPIPE, SIG_DFL);
	execvp(arguments[0], arguments);
	_exit(127);
}

/* ---- Its answer -------------------------------------------------------------------------- */

/* The word of the key, and the numbers of the links that were chosen, each at the beginning of a line. */
static enum pick_action read_answer(struct pick *p, char *answer)
{
	enum pick_action action = !strncmp(answer, "copy\n", 5) ? PICK_COPY : PICK_OPEN;
	for (char *line = strchr(answer, '\n'); line && *++line; line = strchr(line, '\n')) {
		char *end;
		size_t i = strtoul(line, &end, 10);
		if (end > line && *end == '\t' && i < p->count)
			p->links[i].marked = true;
	}
	return action;
}

static enum pick_action talk(struct pick *p, pid_t child, const int in[2], const int out[2], bool *able)
{
	size_t used;
	close(in[0]);
	close(out[1]);
	write_links(p, in[1]);
	char *answer = pick_read(out[0], 1, &used);
	close(out[0]);
	int exit_status = pick_wait(child);
	*able = exit_status == 0 || exit_status == FZF_NONE || exit_status == FZF_ABORTED || exit_status == PICK_KILLED;
	enum pick_action action = answer && exit_status == 0 ? read_answer(p, answer) : PICK_LEAVE;
	free(answer);
	return action;
}

enum pick_action pick_fzf(struct pick *p, bool *able)
{
	int in[2], out[2];
	const char *type = getenv("TERM");
	*able = false;
	if (!type || !strcmp(type, "dumb") || !pick_has_program(arguments[0]) || pipe(in))
		return PICK_LEAVE;
	if (pipe(out)) {
		close(in[0]);
		close(in[1]);
		return PICK_LEAVE;
	}
	pid_t child = fork();
	if (child == 0)
		run_fzf(p, in, out);
	if (child > 0)
		return talk(p, child, in, out, able);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
	return PICK_LEAVE;
}
